"""Writes our mails: bytes that every relay and mail program takes, the same for the same facts.

A mail is frozen before it is sent: 8bit UTF-8, with ``PLACEHOLDER`` where the reader's token belongs, so that what is
stored lets nobody order. ``finish`` makes the wire form. Nothing that a person wrote can make a header: every value is
cleaned here, in one place.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.charset import BASE64, QP, Charset
from email.header import Header
from email.utils import format_datetime
from typing import Literal

from judge.mail.addresses import domain_key, split
from judge.mail.identity import PLACEHOLDER, TOKEN_LENGTH
from judge.mail.message_ids import bounded_references, ids_in

#: longest line of a body, in octets without its end (RFC 5322, 2.1.1)
LINE_LIMIT = 998
#: longest subject, in characters: more is cut; phones show 40
SUBJECT_LIMIT = 200
_NAME_LIMIT = 100
_HEADER_WIDTH = 76

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~ ]*\Z")
_LOCAL_ATOM = re.compile(r"[^\s\"(),:;<>@\[\]\\\x00-\x20\x7f]+\Z")
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+(?:; [a-z0-9-]+=[A-Za-z0-9._-]+)*\Z")
_TAG = re.compile(r"[A-Za-z0-9-]{1,35}\Z")


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address and the name shown with it."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file beside the text. ``media_type`` may carry parameters (``text/calendar; method=PUBLISH``); text is UTF-8."""

    filename: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Image:
    """A picture inside the HTML, which names it as ``cid:CONTENT_ID``."""

    content_id: str
    media_type: str
    data: bytes
    filename: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """All that a mail of ours consists of. ``reply_to`` holds ``PLACEHOLDER`` for the token, and so may the bodies.

    ``auto_submitted`` (RFC 3834): ``auto-replied`` when a mail of the recipient caused it, else ``auto-generated``.
    """

    message_id: str
    date: datetime
    sender: Mailbox
    to: Mailbox
    subject: str
    text: str
    html: str | None = None
    reply_to: Mailbox | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    auto_submitted: Literal["auto-replied", "auto-generated"] = "auto-generated"
    list_id: str | None = None
    language: str | None = None
    attachments: tuple[Attachment, ...] = ()
    images: tuple[Image, ...] = ()


def compose(mail: Outgoing) -> bytes:
    """The frozen bytes of ``mail``: CRLF lines, 8bit UTF-8 text parts, deterministic.

    :raises ValueError: an address, a Message-ID or a media type that can't stand in a mail.
    """
    ids = ids_in(mail.message_id)
    if len(ids) != 1:
        raise ValueError(f"{mail.message_id!r} is no Message-ID; <NAME@DOMAIN> is")
    headers = [
        ("From", _mailbox(mail.sender)),
        ("To", _mailbox(mail.to)),
        *([("Reply-To", _mailbox(mail.reply_to))] if mail.reply_to else []),
        ("Subject", _unstructured(mail.subject, SUBJECT_LIMIT)),
        ("Date", format_datetime(mail.date.astimezone(UTC))),
        ("Message-ID", ids[0]),
        *_threading(mail),
        ("Auto-Submitted", mail.auto_submitted),
        # Exchange answers even what is Auto-Submitted, unless it is told not to
        ("X-Auto-Response-Suppress", "All"),
        *([("List-Id", f"<{_dot_atom(mail.list_id)}>")] if mail.list_id else []),
        *([("Content-Language", mail.language)] if mail.language and _TAG.match(mail.language) else []),
        ("MIME-Version", "1.0"),
    ]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()
    return head + _body(mail, ids[0])


def finish(frozen: bytes, token: str, *, eight_bit: bool) -> bytes:
    """What goes to the relay: the token in its place, and 7bit encodings if the relay does not offer 8BITMIME.

    :raises ValueError: ``token`` has not the shape of one.
    """
    if not re.fullmatch(f"[a-z2-7]{{{TOKEN_LENGTH}}}", token):
        raise ValueError("that is no token")
    whole = frozen.replace(PLACEHOLDER.encode(), token.encode())
    return whole if eight_bit or whole.isascii() else _seven_bit(whole)


# --- headers -----------------------------------------------------------------------------------------------------------


def clean(text: str, limit: int) -> str:
    """One line of at most ``limit`` characters: controls, line ends and direction marks become blanks."""
    return re.sub(r"\s+", " ", _CONTROLS.sub(" ", text[: limit * 4])).strip()[:limit].strip()


def _unstructured(text: str, limit: int) -> str:
    value = clean(text, limit)
    if value.isascii() and "=?" not in value and all(len(word) < 900 for word in value.split(" ")):
        return _fold(value.split(" "), len("Subject: "))
    return _encoded(value, len("Subject: "))


def _encoded(value: str, indent: int) -> str:
    charset = Charset("utf-8")
    # Q keeps Latin text readable in a raw view, B is shorter for everything else
    charset.header_encoding = QP if sum(ch.isascii() for ch in value) * 2 > len(value) else BASE64
    header = Header(value, charset, maxlinelen=_HEADER_WIDTH, header_name="x" * max(indent - 2, 0))
    return header.encode(linesep="\r\n")


def _fold(words: list[str], indent: int) -> str:
    lines, width = [words[0]] if words else [""], indent + len(words[0] if words else "")
    for word in words[1:]:
        if width + 1 + len(word) > _HEADER_WIDTH and word:
            lines.append(word)
            width = 1 + len(word)
        else:
            lines[-1] += f" {word}"
            width += 1 + len(word)
    return "\r\n ".join(lines)


def wire_address(address: str) -> str:
    """An address as it may stand in a header or an envelope: IDNA domain, case of the local part kept.

    :raises ValueError: it is none.
    """
    text = address.strip()
    parts = split(text)
    local, _, domain = text.rpartition("@")
    if parts is None or not _LOCAL_ATOM.match(local) or not re.fullmatch(r"[a-z0-9.-]+|\[[0-9a-f.:ipv]+\]", parts[1]):
        raise ValueError(f"{clean(address, 100)!r} is no mail address")
    return f"{local}@{domain_key(domain)}"


def _mailbox(box: Mailbox) -> str:
    address = wire_address(box.address)
    name = clean(box.name, _NAME_LIMIT)
    if not name:
        return address
    if not name.isascii() or "=?" in name:
        shown = _encoded(name, len("Reply-To: "))
    elif _ATOMS.match(name):
        shown = name
    else:
        shown = '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'
    return f"{shown}\r\n <{address}>" if len(shown) + len(address) > _HEADER_WIDTH - 14 else f"{shown} <{address}>"


def _threading(mail: Outgoing) -> list[tuple[str, str]]:
    answered = ids_in(mail.in_reply_to or "")[:1]
    chain = bounded_references(mail.references, answered[0] if answered else None)
    return [
        *([("In-Reply-To", answered[0])] if answered and len(answered[0]) < LINE_LIMIT - 20 else []),
        *([("References", "\r\n ".join(chain))] if chain else []),
    ]


def _dot_atom(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)[:200].strip(".-") or "judge"


# --- bodies ------------------------------------------------------------------------------------------------------------


def _body(mail: Outgoing, seed: str) -> bytes:
    main = _text_part("plain", mail.text)
    if mail.html is not None:
        html = _text_part("html", mail.html)
        if mail.images:
            html = _multipart("related", [html, *map(_image_part, mail.images)], seed, '; type="text/html"')
        main = _multipart("alternative", [main, html], seed)
    if mail.attachments:
        main = _multipart("mixed", [main, *map(_attachment_part, mail.attachments)], seed)
    return main


def _multipart(subtype: str, parts: list[bytes], seed: str, parameters: str = "") -> bytes:
    whole = b"".join(parts)
    boundary, n = "", 0
    while not boundary or boundary.encode() in whole:
        # no random number: the same facts give the same bytes
        boundary = "=_" + hashlib.sha256(f"{seed} {subtype} {n}".encode()).hexdigest()[:32]
        n += 1
    head = f'Content-Type: multipart/{subtype}{parameters};\r\n boundary="{boundary}"\r\n\r\n'
    return b"".join(
        [head.encode(), *(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)]
    ) + f"--{boundary}--\r\n".encode()  # fmt: skip


def _text_part(subtype: str, text: str) -> bytes:
    data = _lines(text)
    encoding = "7bit" if data.isascii() else "8bit"
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + data


def _lines(text: str) -> bytes:
    """Text as CRLF lines of at most 998 octets, ending with one line end; NUL and lone CR can't stand in a mail."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").encode("utf-8", "replace")
    out: list[bytes] = []
    for line in plain.rstrip(b"\n").split(b"\n"):
        while len(line) > LINE_LIMIT:
            cut = line.rfind(b" ", LINE_LIMIT // 2, LINE_LIMIT)
            cut = cut + 1 if cut > 0 else line.rfind(b">", LINE_LIMIT // 2, LINE_LIMIT) + 1
            if cut <= 0:
                cut = LINE_LIMIT
                while line[cut] & 0xC0 == 0x80:  # not inside a character
                    cut -= 1
            out.append(line[:cut])
            line = line[cut:]
        out.append(line)
    return b"\r\n".join(out) + b"\r\n"


def _base64_part(media_type: str, disposition: str, filename: str, data: bytes, content_id: str = "") -> bytes:
    if not _MEDIA_TYPE.match(media_type):
        raise ValueError(f"{media_type!r} is no media type")
    head = f"Content-Type: {media_type}\r\nContent-Transfer-Encoding: base64\r\n" + _disposition(disposition, filename)
    if content_id:
        head += f"Content-ID: <{_dot_atom(content_id)}>\r\n"
    return head.encode() + b"\r\n" + base64.encodebytes(data).replace(b"\n", b"\r\n")


def _image_part(image: Image) -> bytes:
    return _base64_part(image.media_type, "inline", image.filename or image.content_id, image.data, image.content_id)


def _attachment_part(file: Attachment) -> bytes:
    if not file.media_type.startswith("text/"):
        return _base64_part(file.media_type, "attachment", file.filename, file.data)
    if not _MEDIA_TYPE.match(file.media_type):
        raise ValueError(f"{file.media_type!r} is no media type")
    data = _lines(file.data.decode("utf-8", "replace"))
    head = (
        f"Content-Type: {file.media_type}; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: {'7bit' if data.isascii() else '8bit'}\r\n" + _disposition("attachment", file.filename)
    )
    return head.encode() + b"\r\n" + data


def _disposition(kind: str, filename: str) -> str:
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", clean(filename, 60)).strip("-.") or "file"
    return f'Content-Disposition: {kind}; filename="{name}"\r\n'


# --- the wire ----------------------------------------------------------------------------------------------------------

_BOUNDARY = re.compile(rb'\r\n boundary="([^"]+)"')
_EIGHT_BIT = b"Content-Transfer-Encoding: 8bit"


def _seven_bit(entity: bytes) -> bytes:
    """A mail of ours with each 8bit part in quoted-printable or, where much of it is not ASCII, base64.

    It follows our own structure from the top, so that nothing in a text can be taken for a part of the mail.
    """
    head, _, body = entity.partition(b"\r\n\r\n")
    found = _BOUNDARY.search(head)
    if found is not None:
        mark = b"--" + found[1]
        parts = (b"\r\n" + body).split(b"\r\n" + mark)
        recoded = [parts[0], *(b"\r\n" + _seven_bit(part[2:]) for part in parts[1:-1]), parts[-1]]
        return head + b"\r\n\r\n" + (b"\r\n" + mark).join(recoded)[2:]
    if _EIGHT_BIT not in head.split(b"\r\n"):
        return entity
    dense = sum(byte > 0x7F for byte in body) * 3 > len(body)
    encoding = _EIGHT_BIT.replace(b"8bit", b"base64" if dense else b"quoted-printable")
    return head.replace(_EIGHT_BIT, encoding) + b"\r\n\r\n" + (_base64_lines(body) if dense else _quoted_printable(body))


def _base64_lines(data: bytes) -> bytes:
    return base64.encodebytes(data).replace(b"\n", b"\r\n")


def _quoted_printable(data: bytes) -> bytes:
    """RFC 2045, 6.7; by hand, as the standard library's encoder leaves CR as it finds it and lines at 76 of any kind."""
    lines = []
    for line in data.split(b"\r\n"):
        units = [chr(b) if (33 <= b <= 126 and b != 61) or b in (9, 32) else f"={b:02X}" for b in line]
        if units and units[-1] in (" ", "\t"):
            units[-1] = f"={ord(units[-1]):02X}"
        row = ""
        for n, unit in enumerate(units):
            if len(row) + len(unit) > (76 if n + 1 == len(units) else 75):
                lines.append(row + "=")
                row = ""
            row += unit
        lines.append(row)
    return "\r\n".join(lines).encode()
