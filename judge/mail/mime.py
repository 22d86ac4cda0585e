"""A mail's bytes to its parts, by hand and with bounds: hostile mail must not recurse, grow or take time.

The standard library's parser raises on some bytes and recurses on nested ones (a hundred mutants a minute do it); this
one is a loop over a list, knows what mail programs do wrong, and gives up by naming a fault instead.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from judge.mail.charsets import decode
from judge.mail.hashing import header_fields, split_message

#: deepest nesting of parts that is read; mail programs stay below 8
MAX_DEPTH = 24
#: parts of one mail
MAX_PARTS = 200
#: octets of a header block that are looked at
MAX_HEADERS = 200_000
#: octets of one text part that are read
MAX_TEXT = 400_000

_PARAMETER = re.compile(r";\s*([A-Za-z0-9!#$&^_.+-]{1,60}(?:\*\d{1,2})?\*?)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^;\s]*)")
_TYPE = re.compile(r"\s*([A-Za-z0-9!#$&^_.+-]{1,80})/([A-Za-z0-9!#$&^_.+-]{1,80})")
_WORD = re.compile(r"=\?([A-Za-z0-9_.:+*-]{1,60})\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(=\?[^?\s]{1,60}\?[bBqQ]\?[^?]*\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_Q_HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
_PADDED_BREAK = re.compile(rb"=[ \t]{1,200}(?=\r?\n)")
_BASE64_LINES = re.compile(rb"\s{0,9}[A-Za-z0-9+/]{16,}={0,2}[ \t]*(?:\r?\n[A-Za-z0-9+/]+={0,2}[ \t]*)*(?=\r?\n)")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]")
#: words with blanks between them on one line, which base64 never has
_BETWEEN_TEXT = re.compile(rb"(?<=\S)[ \t]+(?=\S)")
#: quoted-printable as it looks where nothing says that it is: a letter of UTF-8 in two or more, or a soft break
_SEEN_QP = re.compile(rb"=(?:[CD][0-9A-F]=[89AB][0-9A-F]|E[0-9A-F](?:=[89AB][0-9A-F]){2}|20\r?\n)")
_NO_QP = re.compile(rb"=(?![0-9A-F]{2}|\r?\n)")
_UU_BEGIN = re.compile(rb"begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2060\u2066-\u2069\u202a-\u202e\ufeff\xad]")


@dataclass(slots=True)
class Part:
    """One part: ``type`` as ``"text/plain"``, all in lower case but the values; ``body`` still in transfer encoding."""

    fields: list[tuple[str, bytes]]
    type: str = "text/plain"
    params: dict[str, str] = field(default_factory=dict)
    disposition: str = ""
    filename: str = ""
    body: bytes = b""
    children: list[Part] = field(default_factory=list)

    def header(self, name: str) -> str:
        """The first header of that name, decoded; empty if there is none."""
        return next((decode_header(value) for found, value in self.fields if found == name), "")

    def headers(self, name: str) -> list[str]:
        """All headers of that name, decoded, topmost first."""
        return [decode_header(value) for found, value in self.fields if found == name]

    def content(self, limit: int = MAX_TEXT) -> bytes:
        """The body without its transfer encoding; of a long one, the beginning."""
        return decode_transfer(self.body, self.header("content-transfer-encoding"), limit)

    def text(self, limit: int = MAX_TEXT) -> str:
        """The body as text; line ends of any kind are newlines, NULs are gone."""
        whole = decode(self.content(limit), self.params.get("charset", ""))
        return whole.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")


@dataclass(slots=True)
class Message:
    """A parsed mail. ``faults``: ``"no-headers"``, ``"too-deep"``, ``"too-many-parts"``, ``"no-boundary"``."""

    root: Part
    faults: set[str] = field(default_factory=set)

    def walk(self) -> list[Part]:
        """All parts, outermost first; what an attached message holds is not among them."""
        found, todo = [], [self.root]
        while todo:
            part = todo.pop()
            found.append(part)
            todo.extend(reversed(part.children))
        return found


def parse(raw: bytes) -> Message:
    """The parts of a mail. Never raises; attached messages (``message/rfc822``) stay closed."""
    root = _part(raw, "text/plain")
    message = Message(root)
    if not root.fields:
        message.faults.add("no-headers")
    todo, count = [(root, 1)], 1
    while todo:
        part, depth = todo.pop()
        if not part.type.startswith("multipart/"):
            continue
        if depth >= MAX_DEPTH:
            message.faults.add("too-deep")
            continue
        pieces = _split(part)
        if pieces is None:
            # what it holds is still text to a reader
            message.faults.add("no-boundary")
            part.type, part.params = "text/plain", {}
            continue
        if count + len(pieces) > MAX_PARTS:
            message.faults.add("too-many-parts")
            pieces = pieces[: max(0, MAX_PARTS - count)]
        default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        part.children = [_part(piece, default) for piece in pieces]
        count += len(pieces)
        todo.extend((child, depth + 1) for child in part.children)
    return message


def _part(raw: bytes, default: str) -> Part:
    block, body = split_message(raw)
    fields = header_fields(block[:MAX_HEADERS])
    if block and not fields and default == "text/plain":
        body = raw  # no headers at all: the whole is text
    part = Part(fields, default, body=body)
    stated = part.header("content-type")
    found = _TYPE.match(stated)
    if found is not None:
        part.type, part.params = f"{found[1]}/{found[2]}".lower(), parameters(stated)
    disposition = part.header("content-disposition")
    part.disposition = disposition.partition(";")[0].strip().lower()
    part.filename = parameters(disposition).get("filename") or part.params.get("name", "")
    return part


def _split(part: Part) -> list[bytes] | None:
    """The bodies between a multipart's delimiters; ``None`` if there is no delimiter at all."""
    boundary = part.params.get("boundary", "")
    if not boundary:
        guess = re.search(rb"^--([!-~][ -~]{0,69})\r?$", part.body[:5000], re.MULTILINE)
        if guess is None:
            return None
        boundary = guess[1].decode("ascii").rstrip()
    mark = re.escape(b"--" + boundary.encode("latin-1", "replace"))
    pieces: list[bytes] = []
    start: int | None = None
    for found in re.finditer(rb"(?:\r\n|\n|\r|\A)" + mark + rb"(--)?[ \t]*(?=\r\n|\n|\r|\Z)", part.body):
        if start is not None:
            pieces.append(re.sub(rb"\A(?:\r\n|\n|\r)", b"", part.body[start : found.start()]))
        start = None if found[1] else found.end()
        if found[1] or len(pieces) > MAX_PARTS:
            break
    else:
        if start is not None:  # cut off before its end
            pieces.append(re.sub(rb"\A(?:\r\n|\n|\r)", b"", part.body[start:]))
    return pieces or None


def parameters(value: str) -> dict[str, str]:
    """The parameters of a Content-Type or Content-Disposition, RFC 2231 continuations and charsets put together."""
    plain: dict[str, str] = {}
    parts: dict[str, dict[int, tuple[str, bool]]] = {}
    for found in _PARAMETER.finditer(value[:4000]):
        name, text = found[1].lower(), found[2]
        if text[:1] == '"':
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
        coded = name.endswith("*")
        name, _, number = name.rstrip("*").partition("*")
        if number or coded:
            parts.setdefault(name, {})[int(number) if number.isdigit() else 0] = (text, coded)
        else:
            plain.setdefault(name, decode_header(text.encode("latin-1", "replace")) if "=?" in text else text)
    for name, pieces in parts.items():
        charset, whole = "", b""
        for number in sorted(pieces):
            text, coded = pieces[number]
            if coded and number == 0 and text.count("'") >= 2:
                charset, _, text = text.split("'", 2)
            whole += unquote_to_bytes(text) if coded else text.encode("latin-1", "replace")
        plain[name] = decode(whole, charset)
    return plain


def decode_header(value: bytes) -> str:
    """A header's text: encoded words decoded, raw 8bit read as it looks, on one line, without controls."""
    raw = value[:20_000]
    text = raw.decode("ascii") if raw.isascii() else decode(raw)
    if "=?" in text:
        text = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(r"\1", text))
    return re.sub(r"\s+", " ", _INVISIBLE.sub(" ", text)).strip()


def _decode_word(found: re.Match[str]) -> str:
    data = found[3].encode("latin-1", "replace")
    data = _from_q(data) if found[2] in "qQ" else _base64(data)
    return decode(data, found[1].partition("*")[0])


def _from_q(data: bytes) -> bytes:
    return _Q_HEX.sub(lambda hit: bytes([int(hit[1], 16)]), data.replace(b"_", b" "))


def decode_transfer(body: bytes, encoding: str, limit: int = MAX_TEXT) -> bytes:
    """``body`` without its Content-Transfer-Encoding; nonsense stays as it is."""
    name = re.split(r"[\s;(]", encoding.strip().lower(), maxsplit=1)[0]
    if name == "quoted-printable":
        # what relays pad lines with stands behind a soft break too (RFC 2045, 6.7)
        return binascii.a2b_qp(_PADDED_BREAK.sub(b"=", body[: limit * 3]))[:limit]
    if name == "base64":
        start = body[: limit * 2]
        # a footer glued on by a gateway, or no base64 at all
        seen = start[:4000]
        if len(_NOT_BASE64.findall(seen)) * 8 > len(seen) or len(_BETWEEN_TEXT.findall(seen)) * 20 > len(seen):
            lines = _BASE64_LINES.match(start)
            return (_base64(lines[0]) + b"\n" + start[lines.end() :])[:limit] if lines else body[:limit]
        return _base64(start)[:limit]
    if name in ("x-uuencode", "uuencode", "x-uue", "uue"):
        return _uudecode(body[: limit * 2])[:limit]
    if len(_SEEN_QP.findall(body[:4000])) >= 2 and not _NO_QP.search(body[:limit]):
        # a gateway lost the header that says so
        return binascii.a2b_qp(body[: limit * 3])[:limit]
    return body[:limit]


def _uudecode(body: bytes) -> bytes:
    """The file in ``body``; what can't be decoded is left out."""
    begin = _UU_BEGIN.search(body)
    if begin is None:
        return body
    found = []
    for line in body[begin.end() :].splitlines():
        if line.strip() in (b"end", b"`", b""):
            break
        try:
            found.append(binascii.a2b_uu(line))
        except binascii.Error:
            continue
    return b"".join(found)


def _base64(data: bytes) -> bytes:
    letters = re.sub(rb"[^A-Za-z0-9+/]+", b"", data.split(b"=")[0] if data.count(b"=") <= 2 else data)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))
