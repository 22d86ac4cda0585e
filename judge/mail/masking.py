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
from collections.abc import Callable

from judge.mail.addresses import domain_key
from judge.mail.identity import MASK, PLACEHOLDER, TOKEN_LENGTH

#: encodings inside encodings that are followed
MAX_DEPTH = 6
#: bytes that may be looked at in all, as a multiple of the mail's length (a hostile mail nests; an honest one needs 4)
WORK_FACTOR = 24
_WORK_FLOOR = 1_000_000

_RUN = re.compile(rb"[A-Za-z2-7]{%d,}" % TOKEN_LENGTH)
_ADDRESS = re.compile(rb"[+.\-=_](?:b-)?([A-Za-z2-7]{%d})@([A-Za-z0-9.\-]{1,255})" % TOKEN_LENGTH)
#: a bare token between blanks, brackets or quotes; asked only when nobody can say which tokens are live
_BARE = re.compile(rb"(?<![^\s<>\"'(),;:\[\]])([A-Za-z2-7]{%d})(?![^\s<>\"'(),;:\[\].])" % TOKEN_LENGTH)
_DIGIT = re.compile(rb"[2-7]")

_WIDE = re.compile(rb"(?:[\t\n\r -~]\0){15,}[\t\n\r -~]|(?:[\t\n\r -~]\0\0\0){15,}[\t\n\r -~]")
_QUOTED_PRINTABLE = re.compile(rb"=(?:([0-9A-Fa-f]{2})|[ \t]*\r?\n)")
_ESCAPES = re.compile(
    rb"%([0-9A-Fa-f]{2})|&#0*([0-9]{1,3});|&#[xX]0*([0-9A-Fa-f]{1,2});|&(commat|plus|period|lowbar);|<wbr\s?/?>|&shy;"
    rb"|\xe2\x80\x8b|\xc2\xad"
)
_NAMED = {b"commat": b"@", b"plus": b"+", b"period": b".", b"lowbar": b"_"}
_WORD = rb"=\?[^?\s]{1,80}\?[bBqQ]\?[^?\s]*\?="
_WORDS = re.compile(_WORD + rb"(?:\s{1,8}" + _WORD + rb")*")
_ONE_WORD = re.compile(rb"=\?[^?\s]{1,80}\?([bBqQ])\?([^?\s]*)\?=")
_Q_UNIT = re.compile(rb"=([0-9A-Fa-f]{2})")
_BASE64_LINES = re.compile(rb"^(?:[A-Za-z0-9+/]{4,}={0,2}[ \t]*\r?(?:\n|\Z))+", re.MULTILINE)
_BASE64_CHUNK = re.compile(rb"[A-Za-z0-9+/]+")
_BASE64_FILL = re.compile(rb"[A-Za-z0-9+/=]+")


def mask(raw: bytes, is_token: Callable[[str], bool] | None = None, *, domain: str | None = None) -> bytes:
    """``raw`` with every token replaced by ``xxxxxxxxxxxxxxxx``; the result has the same length.

    :param is_token: says whether 16 lower-case characters are a live token; each one found is cut wherever it stands.
        ``None``: everything that stands like a token is cut (before an ``@``, or alone with a digit in it).
    :param domain: the judge's domain: at it, everything of a token's shape before the ``@`` is cut, live or not.

    Idempotent, never raises, and bounded in work by ``WORK_FACTOR`` times the length.
    """
    return _Masker(is_token, domain, _WORK_FLOOR + WORK_FACTOR * len(raw)).layer(raw, MAX_DEPTH)


class _Masker:
    """One masking: what is looked for, and how much work is left."""

    def __init__(self, is_token: Callable[[str], bool] | None, domain: str | None, work: int) -> None:
        self.is_token = is_token
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
        if b"\0" in data:
            data = _WIDE.sub(lambda found: self._wide(found[0], depth), data)
        if b"=" in data:
            data = self._regions(data, _QUOTED_PRINTABLE, _decode_hex, depth)
            data = _WORDS.sub(lambda found: self._words(found[0], depth), data)
        data = self._regions(data, _ESCAPES, _decode_escape, depth)
        return _BASE64_LINES.sub(lambda found: self._base64(found[0], depth), data)

    def _plain(self, data: bytes) -> bytes:
        if self.is_token is not None:
            data = _RUN.sub(self._run, data)
        else:
            data = _BARE.sub(lambda found: MASK.encode() if _DIGIT.search(found[1]) else found[0], data)
        if self.is_token is None or self.domain is not None:
            data = _ADDRESS.sub(self._address, data)
        return data

    def _run(self, found: re.Match[bytes]) -> bytes:
        assert self.is_token is not None
        text = found[0].decode("ascii").lower()
        start = 0
        out = bytearray(found[0])
        while start + TOKEN_LENGTH <= len(text):
            if self.is_token(text[start : start + TOKEN_LENGTH]):
                out[start : start + TOKEN_LENGTH] = MASK.encode()
                start += TOKEN_LENGTH
            else:
                start += 1
        return bytes(out)

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

    def _regions(
        self, data: bytes, pattern: re.Pattern[bytes], decode: Callable[[re.Match[bytes]], bytes], depth: int
    ) -> bytes:
        """``_units`` for each stretch of lines that hold units: most of a large mail holds none and is left alone."""
        out, done, end = [], 0, 0
        found = pattern.search(data)
        while found:
            start = data.rfind(b"\n", end, found.start()) + 1 or end
            while found:
                end = data.find(b"\n", found.end()) + 1 or len(data)
                found = pattern.search(data, end)
                if found and (data.rfind(b"\n", end, found.start()) + 1 or end) != end:
                    break
            out += [data[done:start], self._units(data[start:end], pattern, decode, depth)]
            done = end
        return b"".join([*out, data[done:]]) if out else data

    def _units(
        self, data: bytes, pattern: re.Pattern[bytes], decode: Callable[[re.Match[bytes]], bytes], depth: int
    ) -> bytes:
        """``data`` masked behind an encoding whose units (``=61``, ``&#97;``) stand for one byte or none each."""
        decoded = pattern.sub(decode, data)
        if decoded == data:
            return data
        masked = self.layer(decoded, depth - 1)
        if masked == decoded:
            return data
        out = bytearray(data)
        at = read = 0
        for unit in pattern.finditer(data):
            gap = unit.start() - at
            out[at : unit.start()] = masked[read : read + gap]
            read += gap
            value = decode(unit)
            if value == unit[0]:
                out[unit.start() : unit.end()] = masked[read : read + len(value)]
            elif value and value != masked[read : read + 1]:
                out[unit.start() : unit.end()] = _encode_unit(unit[0], masked[read])
            read += len(value)
            at = unit.end()
        out[at:] = masked[read:]
        return bytes(out)

    def _words(self, run: bytes, depth: int) -> bytes:
        """A run of encoded words (RFC 2047): read together, as a token may be cut in two between them."""
        words = list(_ONE_WORD.finditer(run))
        decoded = [_from_base64(w[2]) if w[1] in b"bB" else _Q_UNIT.sub(_decode_hex, w[2]) for w in words]
        joined = b"".join(decoded)
        masked = self.layer(joined, depth - 1)
        if masked == joined:
            return run
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


def _decode_hex(unit: re.Match[bytes]) -> bytes:
    return b"" if unit[1] is None else bytes([int(unit[1], 16)])


def _decode_escape(unit: re.Match[bytes]) -> bytes:
    for group, base in ((1, 16), (2, 10), (3, 16)):
        if unit[group] is not None:
            value = int(unit[group], base)
            # only ASCII: what stands above it is no part of an address, and keeps its form
            return bytes([value]) if value < 0x80 else unit[0]
    return _NAMED[unit[4]] if unit[4] is not None else b""


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
    letters = b"".join(_BASE64_CHUNK.findall(text))
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _to_base64(data: bytes, width: int) -> bytes:
    """``data`` in base64, ``width`` characters long (the text it came from may lack its padding)."""
    text = base64.b64encode(data)
    return text[:width] if len(text) >= width else text + b"=" * (width - len(text))
