"""The text inside an opaque S/MIME signature (RFC 8551, ``smime-type=signed-data``): Outlook can be set to send so.

No cryptography: the signature is not checked here, and nothing rests on it. Only the wrapping is taken off.
"""

from __future__ import annotations

from judge.mail.mime import Part, parse

_OCTETS = 0x04
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
_DATA = bytes.fromhex("06092a864886f70d010701")


def signed_content(data: bytes) -> Part | None:
    """The MIME part that was signed, or ``None`` (encrypted, or not understood)."""
    if _SIGNED_DATA not in data[:64]:
        return None
    at = data.find(_DATA)
    if at < 0:
        return None
    content = _octet_strings(data, at + len(_DATA))
    return parse(content).root if content else None


def _octet_strings(data: bytes, at: int) -> bytes:
    """The octet strings from ``at`` on, put together: long texts are cut into pieces (BER, constructed)."""
    out = b""
    for _ in range(100_000):
        header = _header(data, at)
        if header is None:
            return out
        tag, start, length = header
        if tag in (0xA0, 0x24):  # explicit [0], constructed octet string: go inside
            at = start
        elif tag == _OCTETS and length is not None:
            out += data[start : start + length]
            at = start + length
        else:
            return out
    return out


def _header(data: bytes, at: int) -> tuple[int, int, int | None] | None:
    """Tag, where the value starts, and its length (``None``: indefinite)."""
    if at + 2 > len(data):
        return None
    tag, first = data[at], data[at + 1]
    if first < 0x80:
        return tag, at + 2, first
    size = first & 0x7F
    if size == 0:
        return tag, at + 2, None
    if size > 4 or at + 2 + size > len(data):
        return None
    return tag, at + 2 + size, int.from_bytes(data[at + 2 : at + 2 + size], "big")
