"""DKIM: which signatures prove a sender. The keys are made here, and a dictionary stands in for DNS."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import dkim
import pytest

from judge.mail.signatures import LARGEST, covered, signers

HEADERS = (b"from", b"to", b"subject", b"date")
MAIL = (
    b"From: Camille <camille@mail.example.org>\r\nTo: spring42@judge.example.org\r\nSubject: orders\r\n"
    b"Date: Tue, 01 Dec 2026 12:00:00 +0000\r\n\r\nA Par - Bur\r\n"
)


#: the keys, made once: good, other, and one that is too small
keys: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def made_keys(dkim_key: Callable[..., Any]) -> None:
    keys.update(good=dkim_key(1), other=dkim_key(2), small=dkim_key(3, 512))


def sign(mail: bytes = MAIL, domain: bytes = b"mail.example.org", key: str = "good", **more: object) -> bytes:
    more = {"include_headers": list(HEADERS), "canonicalize": (b"relaxed", b"relaxed"), **more}
    return bytes(dkim.sign(mail, b"s1", domain, keys[key].pem, **more)) + mail


def dns(**records: bytes) -> Callable[[str], bytes | None]:
    """The records of ``s1._domainkey.DOMAIN``; by default that of the key at both domains."""
    known: Mapping[str, bytes] = records or dict.fromkeys(("mail.example.org", "example.org"), keys["good"].record)
    return lambda name: known.get(name.removeprefix("s1._domainkey.").rstrip("."))


@pytest.mark.parametrize("domain", [b"mail.example.org", b"example.org", b"Example.ORG"])
@pytest.mark.parametrize("form", [b"relaxed", b"simple"])
def test_a_good_signature_of_the_domain(domain: bytes, form: bytes) -> None:
    asked: list[str] = []

    def txt(name: str) -> bytes:
        asked.append(name.lower())
        return bytes(keys["good"].record)

    found = signers(sign(domain=domain, canonicalize=(form, form)), txt)
    assert found == (domain.decode().lower(),)
    assert asked == [f"s1._domainkey.{domain.decode().lower()}."]


def test_one_good_signature_among_others() -> None:
    twice = sign(sign(key="other"))
    assert signers(twice, dns()) == ("mail.example.org",)
    assert signers(sign(sign(), key="other"), dns()) == ("mail.example.org",)
    assert signers(sign(sign(domain=b"example.org")), dns()) == ("mail.example.org", "example.org")


def changed(old: bytes, new: bytes) -> bytes:
    signed = sign()
    assert old in signed
    return signed.replace(old, new)


NOT_SIGNED: dict[str, Callable[[], bytes]] = {
    "no signature": lambda: MAIL,
    "another text": lambda: changed(b"A Par - Bur", b"A Par - Pic"),
    "more text": lambda: sign() + b"A Mar - Spa\r\n",
    "another subject": lambda: changed(b"Subject: orders", b"Subject: A Par - Pic"),
    "another date": lambda: changed(b"12:00:00", b"12:00:01"),
    "another recipient": lambda: changed(b"spring42@", b"summer43@"),
    "another sender": lambda: changed(b"<camille@", b"<mallory@"),
    "a second From above": lambda: b"From: mallory@mail.example.org\r\n" + sign(),
    "a second From below": lambda: changed(b"\r\n\r\nA Par", b"\r\nFrom: mallory@mail.example.org\r\n\r\nA Par"),
    "a second subject above": lambda: b"Subject: A Par - Pic\r\n" + sign(),
    "a second To above": lambda: b"To: summer43@judge.example.org\r\n" + sign(),
    "a Cc that is not signed": lambda: b"Cc: summer43@judge.example.org\r\n" + sign(),
    "the subject is not signed": lambda: sign(include_headers=[b"from", b"to", b"date"]),
    "the recipient is not signed": lambda: sign(include_headers=[b"from", b"subject", b"date"]),
    "only the beginning is signed": lambda: sign(length=True) + b"A Mar - Spa\r\n",
    "its length is signed": lambda: sign(length=True),
    "another domain": lambda: sign(domain=b"evil.example"),
    "a domain below": lambda: sign(domain=b"a.mail.example.org"),
    "the top level": lambda: sign(domain=b"org"),
    "another key": lambda: sign(key="other"),
    "SHA-1": lambda: sign(signature_algorithm=b"rsa-sha1"),
    "two addresses": lambda: sign(MAIL.replace(b"From: ", b"From: mallory@evil.example, ")),
    "too large": lambda: sign(MAIL + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * (LARGEST // 72)),
    "too long a head": lambda: sign(b"X-A: 1\r\n" * 6000 + MAIL),
    "long blanks": lambda: sign(MAIL + b" " * 300 + b"x\r\n"),
}


@pytest.mark.parametrize("make", NOT_SIGNED.values(), ids=NOT_SIGNED)
def test_what_is_not_signed(make: Callable[[], bytes]) -> None:
    names = ("mail.example.org", "example.org", "evil.example", "org", "a.mail.example.org")
    everywhere = dict.fromkeys(names, keys["good"].record)
    assert signers(make(), dns(**everywhere)) == ()


#: the headers that a large service signs, and its Content-Type not among them
ALL = [*HEADERS, b"content-type", b"content-transfer-encoding"]
FEW = [b"from", b"to", b"cc", b"subject", b"date", b"message-id", b"mime-version"]
QUOTING = (
    "No way.\r\n\r\n-----Original Message-----\r\nFrom: Mallory\r\nSent: Monday\r\n\r\nA Par - Pic\r\n"
    "> long=\r\nA Par - Pic\r\n"
)
TYPED = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit"
FORMS = (
    "--b1\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nA Par - Bur\r\n--b1\r\n"
    "Content-Type: text/html; charset=utf-8\r\n"
    'Content-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D"x">A Par - Bur</p>\r\n--b1--\r\n'
)
ALTERNATIVE = 'Content-Type: multipart/alternative; boundary="b1"'


def made(head: str, body: str, extra: str = "") -> bytes:
    front = MAIL.partition(b"\r\n\r\n")[0] + b"\r\n"
    return front + (f"{extra}\r\n" if extra else "").encode() + f"{head}\r\n\r\n{body}".encode()


def swapped(head: str, new: str, body: str, headers: list[bytes] | None = None) -> bytes:
    """A mail with ``head`` above its body, signed, and then with ``new`` in its place."""
    signed = sign(made(head, body), include_headers=headers or FEW)
    assert head.encode() in signed
    return signed.replace(head.encode(), new.encode())


#: whoever has a signed mail gives its body another head: nothing of that proves anything
OTHERWISE_READ: dict[str, Callable[[], bytes]] = {
    "quotes made a part": lambda: swapped(
        TYPED, 'Content-Type: multipart/mixed; boundary="---Original Message-----"', QUOTING
    ),
    "quotes made an alternative": lambda: swapped(
        TYPED, 'Content-Type: multipart/alternative; boundary="---Original Message-----"', QUOTING
    ),
    "quotes made HTML": lambda: swapped(TYPED, "Content-Type: text/html", "> <p>A Par - Pic</p>\r\n"),
    "quotes decoded": lambda: swapped(
        TYPED, "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable", "> =0AA Par - Pic\r\n"
    ),
    "quotes not decoded": lambda: swapped(
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable", "Content-Type: text/plain", QUOTING,
        [*FEW, b"content-type"],
    ),
    "lines joined": lambda: swapped(TYPED, "Content-Type: text/plain; format=flowed", "No \r\n" + QUOTING),
    "another charset": lambda: swapped(TYPED, "Content-Type: text/plain; charset=hz", "~{0E@h~} ~}A Par - Pic\r\n"),
    "no type any more": lambda: swapped(ALTERNATIVE, "X-Nothing: 1", FORMS),
    "HTML without its type": lambda: swapped("Content-Type: text/html", "X-A: 1", "<i>\r\nA Par - Pic\r\n</i>\r\n"),
    "a charset without its name": lambda: swapped("Content-Type: text/plain; charset=hz", "X-A: 1", "~\r\nA Par - Pic\r\n"),
    "a transfer encoding that was added": lambda: swapped(
        TYPED, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64", "QSBQYXI=\r\n",
        [*FEW, b"content-type"],
    ),
    "two types": lambda: swapped(TYPED, f"{TYPED}\r\nContent-Type: text/html", QUOTING, ALL),
    "made a file": lambda: swapped(TYPED, f"{TYPED}\r\nContent-Disposition: attachment", QUOTING, ALL),
    "forms with another boundary": lambda: swapped(
        ALTERNATIVE, 'Content-Type: multipart/alternative; boundary="b1x"', FORMS.replace("A Par", "--b1x\r\nA Par")
    ),
    "forms made one": lambda: swapped(ALTERNATIVE, 'Content-Type: multipart/mixed; boundary="b1"', FORMS),
    "forms without an end": lambda: sign(made(ALTERNATIVE, FORMS.replace("--b1--", "")), include_headers=FEW),
    "forms with a text above": lambda: sign(made(ALTERNATIVE, "A Par - Pic\r\n" + FORMS), include_headers=FEW),
    "forms and a file": lambda: sign(
        made(ALTERNATIVE, FORMS.replace("--b1--", "--b1\r\nContent-Type: text/plain\r\n\r\nA Par - Pic\r\n--b1--")),
        include_headers=FEW,
    ),
    "a form without a type": lambda: sign(
        made(ALTERNATIVE, FORMS.replace("Content-Type: text/plain; charset=utf-8", "Content-ID: <1>")), include_headers=FEW
    ),
    "one part whose type is not signed": lambda: sign(made(TYPED, "A Par - Bur\r\n"), include_headers=FEW),
    "the mail answered is not signed": lambda: sign(made(TYPED, "x\r\n", "In-Reply-To: <1@x>"), include_headers=ALL),
    "its thread is not signed": lambda: sign(made(TYPED, "x\r\n", "References: <1@x>"), include_headers=ALL),
    "an answer to two mails": lambda: b"In-Reply-To: <1@x>\r\n" + sign(
        made(TYPED, "x\r\n", "In-Reply-To: <2@x>"), include_headers=[*ALL, b"in-reply-to"]
    ),
    "a head that ends elsewhere": lambda: sign().replace(b"\r\n\r\n", b"\r\nX-A: 1\r\rA Par - Pic\r\n\r\n", 1),
    "a head that goes on": lambda: sign().replace(b"\r\n\r\n", b"\n\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("make", OTHERWISE_READ.values(), ids=OTHERWISE_READ)
def test_a_body_that_may_be_read_otherwise(make: Callable[[], bytes]) -> None:
    mail = make()
    assert signers(mail, dns()) == ()
    assert not covered(mail, "mail.example.org")


#: what services really send
FIXED: dict[str, Callable[[], bytes]] = {
    "all of its headers": lambda: sign(made(TYPED, QUOTING), include_headers=ALL),
    "two forms, all of the headers": lambda: sign(made(ALTERNATIVE, FORMS), include_headers=ALL),
    "plain words without a type": lambda: sign(made("X-A: 1", "Hi.\r\n\r\n> hello\r\nA Par - Bur\r\n")),
    "two forms, no type signed": lambda: sign(made(ALTERNATIVE, FORMS), include_headers=FEW),
    "an answer in two forms": lambda: sign(
        made(ALTERNATIVE, FORMS, "In-Reply-To: <1@x>\r\nReferences: <1@x>"),
        include_headers=[*FEW, b"in-reply-to", b"references"],
    ),
    "no transfer encoding to sign": lambda: sign(
        made("Content-Type: text/plain", "A Par - Bur\r\n"), include_headers=[*FEW, b"content-type"]
    ),
    "a file, its type signed": lambda: sign(
        made('Content-Type: multipart/mixed; boundary="b1"', FORMS), include_headers=[*FEW, b"content-type"]
    ),
}


@pytest.mark.parametrize("make", FIXED.values(), ids=FIXED)
def test_a_body_that_is_read_one_way(make: Callable[[], bytes]) -> None:
    mail = make()
    assert signers(mail, dns()) == ("mail.example.org",)
    assert covered(mail, "mail.example.org")


RECORDS: dict[str, Callable[[bytes], bytes | None]] = {
    "none": lambda good: None,
    "empty": lambda good: b"",
    "withdrawn": lambda good: b"v=DKIM1; p=",
    "nonsense": lambda good: b"\xff\0;;==",
    "no key": lambda good: b"v=DKIM1; k=rsa",
    "another version": lambda good: good.replace(b"DKIM1", b"DKIM2"),
    "another kind": lambda good: good.replace(b"k=rsa", b"k=dsa"),
    "ed25519 for RSA": lambda good: good.replace(b"k=rsa", b"k=ed25519"),
    "not base64": lambda good: b"v=DKIM1; k=rsa; p=%%%",
    "cut short": lambda good: good[:-20],
    "another's": lambda good: bytes(keys["other"].record),
    "endless": lambda good: good + b"; n=" + b"A" * 5000,
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_record_that_is_no_key(record: Callable[[bytes], bytes | None]) -> None:
    assert signers(sign(), lambda name: record(keys["good"].record)) == ()


def test_a_key_that_is_too_small() -> None:
    assert signers(sign(key="small"), lambda name: bytes(keys["small"].record)) == ()


def test_dns_that_fails_is_no_fault() -> None:
    def broken(name: str) -> bytes:
        raise TimeoutError

    assert signers(sign(), broken) == ()


def test_few_keys_are_asked_for() -> None:
    mail = MAIL
    for _ in range(9):
        mail = sign(mail, key="other")
    asked: list[str] = []
    assert signers(mail, lambda name: asked.append(name)) == ()
    assert len(asked) == 4


def test_any_bytes_are_looked_at() -> None:
    chance = random.Random(20261201)
    signed = sign()
    for _ in range(300):
        mail = bytearray(signed)
        for _ in range(chance.randint(1, 4)):
            mail[chance.randrange(len(mail))] = chance.randrange(256)
        signers(bytes(mail), dns())


HOSTILE: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "folded without end": (lambda: b"DKIM-Signature: v=1; d=mail.example.org;" + b"\r\n " * 12_000 + b"\r\n" + MAIL, ()),
    "many blanks": (lambda: sign(MAIL + (b" " * 199 + b"x\r\n") * 1200), ("mail.example.org",)),
    "many tags": (lambda: b"DKIM-Signature: " + b"; ".join(b"a%d=%d" % (n, n) for n in range(3000)) + b"\r\n" + MAIL, ()),
}


@pytest.mark.parametrize(("make", "found"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_mail_within_the_bounds(make: Callable[[], bytes], found: tuple[str, ...]) -> None:
    assert signers(make(), dns()) == found
