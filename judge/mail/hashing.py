"""What makes two deliveries the same mail: a hash of what its writer made, without what the way here added."""

from __future__ import annotations

import hashlib
import re

#: the headers that the writer's program makes and no relay touches. A list of what counts, not of what does not: relays
#: add new kinds of trace headers every year (Received, Return-Path, Delivered-To, DKIM, ARC, X-...)
CONTENT_HEADERS = (
    "from", "sender", "reply-to", "date", "subject", "message-id", "in-reply-to", "references",
    "content-type", "content-transfer-encoding",
)  # fmt: skip

#: octets of headers that are looked at field by field; no mail program writes so many
HEADER_OCTETS = 256_000

_HEADER_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_FIELD = re.compile(rb"([!-9;-~]++)[ \t]*+:(.*)\Z", re.DOTALL)
_BLANKS = re.compile(rb"\s+")


def split_message(raw: bytes) -> tuple[bytes, bytes]:
    """The header block and the body of a message; a message without a blank line is all headers."""
    if raw[:1] in (b"\r", b"\n"):
        return b"", raw
    found = _HEADER_END.search(raw)
    return (raw, b"") if found is None else (raw[: found.start()], raw[found.end() :])


def header_fields(block: bytes) -> list[tuple[str, bytes]]:
    """The fields of a header block, unfolded, names in lower case; lines that are no field are passed over."""
    fields = []
    for line in re.sub(rb"(?:\r\n|\r|\n)(?=[ \t])", b"", block).splitlines():
        found = _FIELD.match(line)
        if found:
            fields.append((found[1].decode("latin-1").lower(), found[2].strip()))
    return fields


def content_hash(raw: bytes) -> str:
    """The hex SHA-256 of a mail's content: its writer's headers and its body, whatever line ends it travelled with."""
    block, body = split_message(raw)
    digest = hashlib.sha256()
    fields = header_fields(block[:HEADER_OCTETS])
    for name in CONTENT_HEADERS:
        for found, value in fields:
            if found == name:
                digest.update(name.encode() + b":" + _BLANKS.sub(b" ", value) + b"\n")
    digest.update(block[HEADER_OCTETS:] + b"\n" + body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n"))
    return digest.hexdigest()
