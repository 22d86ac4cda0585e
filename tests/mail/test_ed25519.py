"""DKIM with Ed25519 keys (RFC 8463): the mail of the RFC's appendix, and signatures made by hand, with any tag in them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping

import pytest
from nacl.signing import SigningKey

from judge.mail.signatures import covered, signers

#: RFC 8463, appendix A: one mail with a signature of each kind
PUBLISHED = b"""\
DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
""".replace(b"\n", b"\r\n")
KEYS = {
    "brisbane": b"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "test": b"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQi"
    b"Y/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l"
    b"/K4w3QIDAQAB",
}
BAD = {"none": None, "withdrawn": b"v=DKIM1; k=ed25519; p=", "another's": b"v=DKIM1; k=ed25519; p=" + b"A" * 43 + b"="}


def dns(keys: Mapping[str, bytes | None]) -> Callable[[str], bytes | None]:
    """The records of ``SELECTOR._domainkey.football.example.com``."""
    return lambda name: keys.get(name.partition(".")[0])


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("good", KEYS)
def test_one_good_signature_of_the_two_is_enough(good: str, bad: bytes | None) -> None:
    assert signers(PUBLISHED, dns({**dict.fromkeys(KEYS, bad), good: KEYS[good]})) == ("football.example.com",)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_two_bad_ones_are_none(bad: bytes | None) -> None:
    assert signers(PUBLISHED, dns(dict.fromkeys(KEYS, bad))) == ()


def test_two_good_ones_are_one_signer() -> None:
    assert signers(PUBLISHED, dns(KEYS)) == ("football.example.com",)
    assert signers(PUBLISHED.replace(b"hungry", b"angry"), dns(KEYS)) == ()


# ---- signed by hand --------------------------------------------------------------------------------------------------

KEY = SigningKey(hashlib.sha256(b"a key for tests").digest())
RECORD = b"v=DKIM1; k=ed25519; p=" + base64.b64encode(bytes(KEY.verify_key))
HEAD = (
    (b"From", b"camille@mail.example.org"),
    (b"To", b"spring42@judge.example.org"),
    (b"Subject", b"orders"),
    (b"Date", b"Tue, 01 Dec 2026 12:00:00 +0000"),
    (b"Message-ID", b"<1@mail.example.org>"),
)
BODY = b"A Par - Bur\r\n"
ALL = b"from:to:subject:date"


def sign(tags: Mapping[str, bytes] = {}, body: bytes = BODY) -> bytes:
    """The mail with a signature that is right (RFC 6376 3.7, simple/simple), and has these tags besides, or instead."""
    fields = {name.lower(): name + b": " + value + b"\r\n" for name, value in HEAD}
    said = {
        "v": b"1", "a": b"ed25519-sha256", "d": b"mail.example.org", "s": b"s1", "h": ALL,
        "bh": base64.b64encode(hashlib.sha256(body[: int(tags.get("l", b"%d" % len(body)))]).digest()),
        **tags,
    }  # fmt: skip
    unsigned = b"DKIM-Signature: " + b"; ".join(name.encode() + b"=" + value for name, value in said.items()) + b"; b="
    # a name that is there once more than its header stands for none
    signed = b"".join(fields.get(name, b"") for name in dict.fromkeys(said["h"].split(b":"))) + unsigned
    signature = KEY.sign(hashlib.sha256(signed).digest()).signature
    return unsigned + base64.b64encode(signature) + b"\r\n" + b"".join(fields.values()) + b"\r\n" + body


GOOD: dict[str, Mapping[str, bytes]] = {
    "no more": {},
    "expires": {"t": b"1000000000", "x": b"9000000000"},
    "of the domain above": {"d": b"example.org"},
    "more headers": {"h": ALL + b":message-id:reply-to:cc"},
    "signed for more than there are": {"h": ALL + b":from:to:subject:date"},
    "an identity": {"i": b"someone@mail.example.org"},
}
NOT: dict[str, Mapping[str, bytes]] = {
    "expired": {"t": b"1000000000", "x": b"1100000000"},
    "expired before it was made": {"t": b"1100000000", "x": b"1000000000"},
    "from the future": {"t": b"9000000000"},
    "an expiry that is no number": {"x": b"soon"},
    "only the beginning": {"l": b"5"},
    "nothing of the body": {"l": b"0"},
    "all of the body, as a length": {"l": b"13"},
    "the subject left out": {"h": b"from:to:date"},
    "the recipient left out": {"h": b"from:subject:date"},
    "the date left out": {"h": b"from:to:subject"},
    "the sender left out": {"h": b"to:subject:date"},
    "another version": {"v": b"2"},
    "another domain": {"d": b"evil.example"},
    "a domain below": {"d": b"a.mail.example.org"},
    "the top level": {"d": b"org"},
    "an identity of another": {"i": b"camille@evil.example"},
    "it says RSA": {"a": b"rsa-sha256"},
    "it says SHA-1": {"a": b"ed25519-sha1"},
    "a selector that leads elsewhere": {"s": b"s1._domainkey.evil.example.#"},
}


@pytest.mark.parametrize("tags", GOOD.values(), ids=GOOD)
def test_a_good_signature(tags: Mapping[str, bytes]) -> None:
    assert signers(sign(tags), lambda name: RECORD) == (tags.get("d", b"mail.example.org").decode(),)


@pytest.mark.parametrize("tags", NOT.values(), ids=NOT)
def test_a_signature_that_proves_nothing(tags: Mapping[str, bytes]) -> None:
    assert signers(sign(tags), lambda name: RECORD) == ()


RECORDS = {
    "for tests of the domain": (RECORD + b"; t=y", False),
    "for tests, among other flags": (RECORD + b"; t=s : y", False),
    "strict": (RECORD + b"; t=s", True),
    "for SHA-1 alone": (RECORD + b"; h=sha1", False),
    "for both": (RECORD + b"; h=sha1:sha256", True),
    "for no mail": (RECORD + b"; s=tlsrpt", False),
    "for mail": (RECORD + b"; s=email", True),
    "withdrawn": (b"v=DKIM1; k=ed25519; p=", False),
    "no kind": (RECORD.replace(b"k=ed25519; ", b""), False),
    "RSA's kind": (RECORD.replace(b"k=ed25519", b"k=rsa"), False),
    "too short": (b"v=DKIM1; k=ed25519; p=AAAA", False),
    "too long": (RECORD + b"; n=" + b"x" * 1000, False),
    # every signature of zeros would be good for a point of small order
    "a point of small order": (b"v=DKIM1; k=ed25519; p=" + base64.b64encode(b"\x01" + bytes(31)), False),
    "zeros": (b"v=DKIM1; k=ed25519; p=" + base64.b64encode(bytes(32)), False),
}


@pytest.mark.parametrize(("record", "good"), RECORDS.values(), ids=RECORDS)
def test_what_a_keys_record_says(record: bytes, good: bool) -> None:
    assert bool(signers(sign(), lambda name: record)) == good


@pytest.mark.parametrize("point", [b"\x01" + bytes(31), bytes(32), b"\xec" + b"\xff" * 30 + b"\x7f"])
def test_no_signature_is_good_for_every_mail(point: bytes) -> None:
    """With a public key of small order, R = the point and S = 0 would fit whatever was signed."""
    mail = sign()
    start = mail.index(b"; b=") + 4
    forged = mail[:start] + base64.b64encode(point + bytes(32)) + mail[mail.index(b"\r\n") :]
    assert signers(forged, lambda name: b"v=DKIM1; k=ed25519; p=" + base64.b64encode(point)) == ()


# ---- what a signature covers, for mail that another server has checked ------------------------------------------------

COVERED = {
    **{f"good: {name}": (sign(tags), True) for name, tags in GOOD.items()},
    "no signature": (sign().partition(b"\r\n")[2], True),
    "only another domain's, of a part": (sign({"d": b"evil.example", "l": b"0", "h": b"from"}), True),
    "only the beginning": (sign({"l": b"5"}), False),
    "the subject left out": (sign({"h": b"from:to:date"}), False),
    "the recipient left out": (sign({"h": b"from:subject:date"}), False),
    "the date left out": (sign({"h": b"from:to:subject"}), False),
    "one whole and one of a part": (sign({"l": b"5"}).partition(b"From")[0] + sign(), False),
    "a second subject": (b"Subject: A Par - Pic\r\n" + sign(), False),
    "folded": (sign().replace(b"h=from:to:subject", b"h=from\r\n : to:\r\n\tsubject"), True),
    "in capitals": (sign().replace(b"h=from:to:subject", b"h=FROM:To:Subject"), True),
    "a Cc that is not signed": (sign().replace(b"Subject:", b"Cc: x@example.net\r\nSubject:"), False),
}


@pytest.mark.parametrize(("mail", "whole"), COVERED.values(), ids=COVERED)
def test_what_a_signature_covers(mail: bytes, whole: bool) -> None:
    assert covered(mail, "mail.example.org") == whole
