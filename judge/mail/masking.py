"""Cuts live tokens out of bytes that will be stored, wherever mail programs hide them.

A copy of the database must let nobody order. Tokens come back in quotes, headers, links, forwarded mails and bounces, so
they are looked for behind every encoding that mail knows: quoted-printable with soft breaks, base64 lines, encoded words
in headers, percent signs, HTML entities, UTF-16, in any nesting, without asking the MIME structure (it may be broken, or
itself quoted). Every byte is replaced by one of the same width, so that lengths, boundaries and line breaks stay and the
mail still reads as before.
"""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby

from judge.mail.addresses import domain_key
from judge.mail.identity import MASK, PLACEHOLDER, TOKEN_LENGTH

#: encodings inside encodings that are followed
MAX_DEPTH = 6
#: bytes that may be looked at in all, as a multiple of the mail's length (a hostile mail nests; an honest one needs 4)
WORK_FACTOR = 24
_WORK_FLOOR = 1_000_000

#: bytes of an encoded text that are decoded and written again as one; and lines with units are looked at by so much
_PIECE = 4096
#: octets that are compared at once: wherever a token stands, one stretch of 8 at a multiple of 8 lies wholly in it
_GRAM = TOKEN_LENGTH // 2
#: base64 characters that hold a token at least
_LEAST_BASE64 = -(-TOKEN_LENGTH * 4 // 3)

_ADDRESS = re.compile(rb"[+.\-=_]([A-Za-z2-7]{%d})@([A-Za-z0-9.\-]{1,255})" % TOKEN_LENGTH)
#: a bare token between blanks, brackets or quotes; asked only when nobody can say which tokens are live
_BARE = re.compile(rb"(?<![^\s<>\"'(),;:\[\]])([A-Za-z2-7]{%d})(?![^\s<>\"'(),;:\[\].])" % TOKEN_LENGTH)
_DIGIT = re.compile(rb"[2-7]")

#: what every wide text holds and hardly a picture does; it begins with one certain byte, so it is found quickly
_MAYBE_WIDE = re.compile(rb"\0(?:[\t\n\r -~]\0[\t\n\r -~]\0|\0\0[\t\n\r -~]\0\0\0)")
_WIDE = re.compile(rb"(?:[\t\n\r -~]\0){15,}[\t\n\r -~]|(?:[\t\n\r -~]\0\0\0){15,}[\t\n\r -~]")
# Units have one group, the whole of them, and their first byte stands nowhere else in them: so a text may be split by
# them, and cut before any of them.
_QUOTED_PRINTABLE = re.compile(rb"(=(?:[0-9A-Fa-f]{2}|[ \t]*+\r?\n))")
_ESCAPES = re.compile(
    rb"(%[0-9A-Fa-f]{2}|&#(?:0*[0-9]{1,3}|[xX]0*[0-9A-Fa-f]{1,2});|&(?:commat|plus|period|lowbar|shy);|<wbr\s?/?>"
    rb"|\xe2\x80\x8b|\xc2\xad)"
)
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})|&#0*([0-9]{1,3});|&#[xX]0*([0-9A-Fa-f]{1,2});|&(commat|plus|period|lowbar);")
_NAMED = {b"commat": b"@", b"plus": b"+", b"period": b".", b"lowbar": b"_"}
_WORD = rb"=\?[^?\s]{1,80}+\?[bBqQ]\?[^?\s]*+\?="
_WORDS = re.compile(_WORD + rb"(?:\s{1,8}" + _WORD + rb")*")
_ONE_WORD = re.compile(rb"=\?[^?\s]{1,80}\?([bBqQ])\?([^?\s]*)\?=")
_Q_UNIT = re.compile(rb"=([0-9A-Fa-f]{2})")
_Q_SPLIT = re.compile(rb"(=[0-9A-Fa-f]{2})")
#: after a line end, which is quickly found; so a text is given one to begin with
_BASE64_LINES = re.compile(rb"\n(?:[A-Za-z0-9+/]{4,}+={0,2}+[ \t]*+\r?+(?:\n|\Z))++")
_BASE64_CHUNK = re.compile(rb"[A-Za-z0-9+/]{%d,}+" % _LEAST_BASE64)
_BASE64_LETTERS = re.compile(rb"[A-Za-z0-9+/]+")
_BASE64_FILL = re.compile(rb"[A-Za-z0-9+/=]+")


def mask(raw: bytes, tokens: Collection[str] | None = None, *, domain: str | None = None) -> bytes:
    """``raw`` with every token replaced by ``xxxxxxxxxxxxxxxx``; the result has the same length.

    :param tokens: the live tokens, 16 lower-case characters each; each one found is cut wherever it stands.
        ``None``: everything that stands like a token is cut (before an ``@``, or alone with a digit in it).
    :param domain: the judge's domain: at it, everything of a token's shape before the ``@`` is cut, live or not.

    Idempotent, never raises, and bounded in work by ``WORK_FACTOR`` times the length.
    """
    return _Masker(tokens, domain, _WORK_FLOOR + WORK_FACTOR * len(raw)).layer(raw, MAX_DEPTH)


class _Masker:
    """One masking: what is looked for, and how much work is left."""

    def __init__(self, tokens: Collection[str] | None, domain: str | None, work: int) -> None:
        self.grams = None if tokens is None else _grams(frozenset(tokens))
        self.domain = None if domain is None else domain_key(domain).encode()
        self.work = work

    def layer(self, data: bytes, depth: int) -> bytes:
        """``data`` masked as it stands and behind each encoding in it."""
        self.work -= len(data)
        if self.work < 0 or len(data) < TOKEN_LENGTH:
            return data
        data = self._plain(data)
        if depth <= 0:
            return data
        if _MAYBE_WIDE.search(data):
            data = _WIDE.sub(lambda found: self._wide(found[0], depth), data)
        if b"=" in data:
            data = self._regions(data, _QUOTED_PRINTABLE, _Decoded(_decode_hex), depth)
            data = _WORDS.sub(lambda found: self._words(found[0], depth), data)
        data = self._regions(data, _ESCAPES, _Decoded(_decode_escape), depth)
        return _BASE64_LINES.sub(lambda found: b"\n" + self._base64(found[0][1:], depth), b"\n" + data)[1:]

    def _plain(self, data: bytes) -> bytes:
        lower = data.lower()
        if self.grams is not None:
            data = self._cut(data, lower, self.grams)
        else:
            data = _BARE.sub(lambda found: MASK.encode() if _DIGIT.search(found[1]) else found[0], data)
        if self.domain is not None:
            return self._at_domain(data, lower, self.domain)
        return data if self.grams is not None else _ADDRESS.sub(self._address, data)

    def _at_domain(self, data: bytes, lower: bytes, domain: bytes) -> bytes:
        """``data`` without what has a token's shape and stands before our own domain."""
        out: bytearray | None = None
        at = lower.find(b"@" + domain)
        while at >= 0:
            start = at - TOKEN_LENGTH - 1
            found = _ADDRESS.match(data, start) if start >= 0 else None
            if found:
                out = out or bytearray(data)
                out[start : found.end()] = self._address(found)
            at = lower.find(b"@" + domain, at + 1)
        return data if out is None else bytes(out)

    @staticmethod
    def _cut(data: bytes, lower: bytes, grams: Mapping[int, frozenset[bytes]]) -> bytes:
        """``data`` without the live tokens. Its cost hardly depends on how many there are, nor on what stands around."""
        stretches = memoryview(lower)[: len(lower) // _GRAM * _GRAM].cast("Q")
        out: bytearray | None = None
        for token in {token for gram in grams.keys() & stretches for token in grams[gram]}:
            at = lower.find(token)
            while at >= 0:
                out = out or bytearray(data)
                out[at : at + TOKEN_LENGTH] = MASK.encode()
                at = lower.find(token, at + 1)
        return data if out is None else bytes(out)

    def _address(self, found: re.Match[bytes]) -> bytes:
        if found[1].lower() in (MASK.encode(), PLACEHOLDER.encode()):
            return found[0]
        if self.domain is not None and found[2].lower().rstrip(b".") != self.domain:
            return found[0]
        start = found.start(1) - found.start()
        return found[0][:start] + MASK.encode() + found[0][start + TOKEN_LENGTH :]

    def _wide(self, run: bytes, depth: int) -> bytes:
        """ASCII in UTF-16 or UTF-32: every second or fourth byte."""
        step = 4 if run[1:4] == b"\0\0\0" else 2
        out = bytearray(run)
        out[::step] = self.layer(run[::step], depth - 1)
        return bytes(out)

    def _regions(self, data: bytes, pattern: re.Pattern[bytes], decoded: _Decoded, depth: int) -> bytes:
        """``_units`` for each stretch of lines that hold units: most of a large mail holds none and is left alone."""
        out, done, end = [], 0, 0
        found = pattern.search(data)
        while found:
            start = data.rfind(b"\n", end, found.start()) + 1 or end
            while found:
                end = data.find(b"\n", found.end() + _PIECE // 4) + 1 or len(data)
                found = pattern.search(data, end)
                if found and (data.rfind(b"\n", end, found.start()) + 1 or end) != end:
                    break
            out += [data[done:start], self._units(data[start:end], pattern, decoded, depth)]
            done = end
        return b"".join([*out, data[done:]]) if out else data

    def _units(self, data: bytes, pattern: re.Pattern[bytes], decoded: _Decoded, depth: int) -> bytes:
        """``data`` masked behind an encoding whose units (``=61``, ``&#97;``) stand for one byte or none each."""
        pieces = list(_pieces(data, pattern))
        texts = []
        for piece in pieces:
            parts = pattern.split(piece)
            parts[1::2] = map(decoded.__getitem__, parts[1::2])
            texts.append(b"".join(parts))
        text = b"".join(texts)
        if text == data:
            return data
        masked = self.layer(text, depth - 1)
        if masked == text:
            return data
        out, at = [], 0
        for piece, old in zip(pieces, texts, strict=True):
            new = masked[at : at + len(old)]
            at += len(old)
            out.append(piece if new == old else _written(piece, new, pattern, decoded))
        return b"".join(out)

    def _words(self, run: bytes, depth: int) -> bytes:
        """A run of encoded words (RFC 2047): read together, as a token may be cut in two between them."""
        joined = b"".join(_together(*group) for group in groupby(_ONE_WORD.findall(run), lambda word: word[0] in b"bB"))
        masked = self.layer(joined, depth - 1)
        if masked == joined:
            return run
        words = list(_ONE_WORD.finditer(run))
        decoded = [_from_base64(w[2]) if w[1] in b"bB" else _Q_UNIT.sub(_q_byte, w[2]) for w in words]
        out, read = bytearray(run), 0
        for word, old in zip(words, decoded, strict=True):
            new = masked[read : read + len(old)]
            read += len(old)
            if new != old:
                out[word.start(2) : word.end(2)] = (
                    _to_base64(new, len(word[2])) if word[1] in b"bB" else _fill_units(word[2], new)
                )
        return bytes(out)

    def _base64(self, block: bytes, depth: int) -> bytes:
        """Lines of base64; padding inside them ends one text and begins another."""
        if len(block) < _LEAST_BASE64:
            return block
        body = b"".join(block.split())
        changed = bytearray(body)
        for chunk in _BASE64_CHUNK.finditer(body):
            decoded = _from_base64(chunk[0])
            masked = self.layer(decoded, depth - 1)
            if masked != decoded:
                changed[chunk.start() : chunk.end()] = _to_base64(masked, len(chunk[0]))
        if changed == body:
            return block
        at = 0

        def fill(found: re.Match[bytes]) -> bytes:
            nonlocal at
            at += len(found[0])
            return bytes(changed[at - len(found[0]) : at])

        return _BASE64_FILL.sub(fill, block)


@lru_cache(maxsize=64)
def _grams(tokens: frozenset[str]) -> Mapping[int, frozenset[bytes]]:
    """Each stretch of 8 bytes in one of the tokens, as a number of this machine -> the tokens that hold it."""
    grams: dict[int, set[bytes]] = {}
    for token in tokens:
        raw = token.encode()
        for start in range(TOKEN_LENGTH - _GRAM + 1):
            grams.setdefault(int.from_bytes(raw[start : start + _GRAM], sys.byteorder), set()).add(raw)
    return {gram: frozenset(held) for gram, held in grams.items()}


class _Decoded(dict[bytes, bytes]):
    """Unit -> what it stands for; each is worked out once a mail, for there are few and they come by the million."""

    def __init__(self, decode: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self._decode = decode

    def __missing__(self, unit: bytes) -> bytes:
        value = self[unit] = self._decode(unit)
        return value


def _pieces(data: bytes, pattern: re.Pattern[bytes]) -> Iterator[bytes]:
    """``data`` in pieces of about ``_PIECE`` bytes, each but the first beginning with a unit, so that none is cut."""
    start = 0
    while start < len(data):
        found = pattern.search(data, start + _PIECE)
        end = found.start() if found else len(data)
        yield data[start:end]
        start = end


def _written(data: bytes, text: bytes, pattern: re.Pattern[bytes], decoded: _Decoded) -> bytes:
    """``data`` so that it stands for ``text``, which is as long as what it stood for; each unit keeps form and width."""
    out, read = [], 0
    for index, part in enumerate(pattern.split(data)):
        value = decoded[part] if index % 2 else part
        new = text[read : read + len(value)]
        read += len(value)
        if index % 2:
            out.append(part if new == value else new if value == part else _encode_unit(part, new[0]))
        else:
            out.append(new)
    return b"".join(out)


def _together(base64_words: bool, words: Iterable[tuple[bytes, bytes]]) -> bytes:
    """What encoded words of one kind (pairs of kind and text) stand for, one after another."""
    if base64_words:
        return b"".join([_from_base64(text) for _, text in words])
    # line ends keep the words' texts apart: none is in them, so each one that stands there undecoded is ours
    parts = _Q_SPLIT.split(b"\n".join([text for _, text in words]))
    units = _Decoded(_decode_hex)
    parts[1::2] = map(units.__getitem__, parts[1::2])
    parts[::2] = [part.replace(b"\n", b"") for part in parts[::2]]
    return b"".join(parts)


def _q_byte(unit: re.Match[bytes]) -> bytes:
    return bytes([int(unit[1], 16)])


def _decode_hex(unit: bytes) -> bytes:
    """``=61`` -> ``a``; a soft break -> nothing."""
    return b"" if unit.endswith(b"\n") else bytes([int(unit[1:], 16)])


def _decode_escape(unit: bytes) -> bytes:
    found = _ESCAPE.fullmatch(unit)
    if not found:
        return b""  # what is not seen: a place where a line may break
    for group, base in ((1, 16), (2, 10), (3, 16)):
        if found[group] is not None:
            value = int(found[group], base)
            # only ASCII: what stands above it is no part of an address, and keeps its form
            return bytes([value]) if value < 0x80 else unit
    return _NAMED[found[4]]


def _encode_unit(unit: bytes, value: int) -> bytes:
    """``value`` written in the form and width of ``unit``."""
    if unit[:1] in (b"=", b"%"):
        return unit[:1] + b"%02X" % value
    if unit[:3] in (b"&#x", b"&#X"):
        return unit[:3] + b"%0*x" % (len(unit) - 4, value) + b";"
    width = len(unit) - 3
    if value == ord("x") and width < 3:
        value = ord("X")
    text = b"%0*d" % (width, value)
    return b"&#" + (text if len(text) == width else b"%0*d" % (width, ord("X"))) + b";"


def _fill_units(text: bytes, new: bytes) -> bytes:
    """The Q-encoded ``text`` with its bytes replaced by ``new``, each in its old form."""
    out, at, read = bytearray(text), 0, 0
    for unit in _Q_UNIT.finditer(text):
        gap = unit.start() - at
        out[at : unit.start()] = new[read : read + gap]
        out[unit.start() : unit.end()] = b"=%02X" % new[read + gap]
        read += gap + 1
        at = unit.end()
    out[at:] = new[read:]
    return bytes(out)


def _from_base64(text: bytes) -> bytes:
    letters = b"".join(_BASE64_LETTERS.findall(text))
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _to_base64(data: bytes, width: int) -> bytes:
    """``data`` in base64, ``width`` characters long (the text it came from may lack its padding)."""
    text = base64.b64encode(data)
    return text[:width] if len(text) >= width else text + b"=" * (width - len(text))
