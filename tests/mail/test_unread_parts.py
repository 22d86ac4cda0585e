"""What stands in parts that are not read: the sender is told of it where orders may be missing."""

from __future__ import annotations

import pytest

from judge.mail.reading import read

HEAD = b"From: a@example.org\r\nTo: spring42+x@judge.example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
TEXT = b"--b\r\nContent-Type: text/plain\r\n\r\nA Par - Bur\r\n"
TNEF = b"--b\r\nContent-Type: application/ms-tnef%s\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+Ig==\r\n"
CASES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "rich text alone": (HEAD + b"Content-Type: application/ms-tnef\r\n\r\nx", ("winmail.dat",)),
    "rich text in a mixed mail": (MIXED + TNEF % b"" + b"--b--", ("winmail.dat",)),
    "rich text by its name": (
        MIXED + b'--b\r\nContent-Type: application/octet-stream; name="WINMAIL.DAT"\r\n\r\nx\r\n--b--',
        ("WINMAIL.DAT",),
    ),
    "rich text beside the text": (MIXED + TEXT + TNEF % b"; name=winmail.dat" + b"--b--", ()),
    "a picture alone": (
        MIXED + b"--b\r\nContent-Type: image/jpeg; name=orders.jpg\r\n\r\nx\r\n--b--",
        ("orders.jpg",),
    ),
    "a picture beside the text": (MIXED + TEXT + b"--b\r\nContent-Type: image/png; name=logo.png\r\n\r\nx\r\n--b--", ()),
    "a document beside the text": (
        MIXED + TEXT + b"--b\r\nContent-Type: application/msword\r\nContent-Disposition: attachment; filename=o.doc\r\n\r\n"
        b"x\r\n--b--",
        ("o.doc",),
    ),
    "a document without a name": (MIXED + b"--b\r\nContent-Type: application/pdf\r\n\r\nx\r\n--b--", ("application/pdf",)),
    "a signature": (MIXED + TEXT + b"--b\r\nContent-Type: application/pkcs7-signature; name=s.p7s\r\n\r\nx\r\n--b--", ()),
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_not_read_is_known(name: str) -> None:
    raw, unread = CASES[name]
    found = read(raw, sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert found.kind == "text"
    assert found.unread_attachments == unread
