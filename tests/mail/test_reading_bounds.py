"""No bytes make the reader raise, hang or grow: any bytes, mutants of real mail, and lines made to run away.

Bounds are counted, not timed: what a body may cost is fixed by constants, and these tests meet each of them.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.reading import Incoming, read

DATA = Path(__file__).parent / "data"
SENT = [path.read_text(encoding="utf-8") for path in sorted((DATA / "sent").glob("*.txt"))][:3]
PIECES = [
    b"\0",
    b"\r",
    b"\n",
    b"=?utf-8?b?",
    b"?=",
    b"--",
    b"boundary=",
    b'Content-Type: multipart/mixed; boundary="',
    b"<",
    b">",
    b"&#",
    b">" * 50,
    b"<div>" * 50,
    b"=\r\n",
    b"On ",
    b" wrote:\n",
    b"From: ",
    b'charset="utf-16"',
    b"charset=hz",
    b"charset=iso-2022-jp",
    b"charset=utf-7",
    b"\x1b$B",
    b"Content-Transfer-Encoding: base64\r\n",
    b"\xff\xfe",
    b"A PAR-BUR\n",
    b"-- \n",
    b"\xe2\x80\x8b",
    b"; name*0*=",
    b"Content-Type: text/html\r\n",
    b"message/rfc822",
    b"format=flowed; delsp=yes",
]


def reading(raw: bytes) -> Incoming:
    found = read(raw, sent=SENT, own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert found.why != "internal", found.faults
    return found


@given(st.binary(max_size=3000))
def test_any_bytes(raw: bytes) -> None:
    reading(raw)
    reading(b"From: a@example.org\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n" + raw + b"\r\n--b--")
    reading(b"From: a@example.org\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + raw)
    reading(raw + b"\r\n\r\nA PAR-BUR")


@given(
    st.text(max_size=300), st.text(max_size=300), st.sampled_from(["subject", "from", "content-type", "date", "references"])
)
def test_any_header(value: str, body: str, name: str) -> None:
    reading(f"{name}: {value}\r\nx: y\r\n\r\n{body}".encode())


def mutant(rng: random.Random, mails: list[bytes]) -> bytes:
    raw = bytearray(rng.choice(mails))
    for _ in range(rng.choice([1, 1, 2, 3, 8, 30])):
        at = rng.randrange(len(raw) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            raw[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            raw[at:at] = rng.choice(PIECES) * rng.choice([1, 1, 10, 200])
        elif kind == 2:
            del raw[at : at + rng.randrange(1, 200)]
        elif kind == 3:
            raw[at:at] = raw[at : at + rng.randrange(1, 2000)]
        elif kind == 4:
            other = rng.choice(mails)
            start = rng.randrange(len(other))
            raw[at:at] = other[start : start + rng.randrange(1, 3000)]
        elif kind == 5:
            raw = raw[:at] or raw
        else:
            raw[at : at + 50] = rng.randbytes(50)
    return bytes(raw)


def mutate(seed: int, count: int) -> None:
    rng = random.Random(seed)
    mails = [path.read_bytes() for path in sorted(DATA.glob("*/*.eml"))]
    for _ in range(count):
        reading(mutant(rng, mails))


def test_mutants_of_real_mail() -> None:
    mutate(20260603, 700)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_mutants_of_real_mail(seed: int) -> None:
    mutate(seed, 5000)


HEAD = b"From: a@example.org\r\nTo: Spring42 Judge <spring42+x@judge.example.org>\r\nSubject: x\r\n"
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = HEAD + b"Content-Type: text/html\r\n\r\n"
RUNAWAYS = {
    "20,000 newlines": TEXT + b"\n" * 20_000,
    "5,000 lines of On": TEXT + b"On \n" * 5_000,
    "5,000 heads without an end": TEXT + b"On Mon wrote\n" * 5_000,
    "5,000 times our name and a time": TEXT + b"Spring42 Judge 20:00\n" * 5_000,
    "quote marks": TEXT + b">" * 100_000,
    "blanks": TEXT + b" " * 300_000,
    "dashes": TEXT + b"-" * 300_000,
    "rules": TEXT + b"-----\n" * 5_000,
    "frames without end": TEXT + (b"-" * 1_500 + b" x\n") * 200,
    "a script without blanks": TEXT + "パリ陸軍の移動を".encode() * 12_000,
    "From lines": TEXT + b"From: x\n" * 5_000,
    "disclaimers": TEXT + b"this message is the information in this e-mail \n" * 4_000,
    "one long disclaimer": TEXT + b"if you are not " * 3_000,
    "absent without end": TEXT + b"bin " * 1_000,
    "our own mail, shuffled": TEXT + b"\n".join(sorted((SENT[0] * 60).encode().split(b"\n"))),
    "one anchor, often": TEXT + b"Orders held for you now:\n" * 4_000,
    "press without end": TEXT + b"press:\n" * 4_000,
    "signed, often": TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 4_000,
    "bytes": TEXT + bytes(range(256)) * 1_000,
    "deep divs": HTML + b"<div>" * 70_000,
    "deep formatting": HTML + b"<b><i><u><a href=1>x" * 20_000,
    "many paragraphs": HTML + b"<p>A PAR-BUR</p>" * 20_000,
    "attributes": HTML + b"<div " + b" ".join(b"a%d=1" % n for n in range(40_000)) + b">",
    "angles": HTML + b"<" * 300_000,
    "comments": HTML + b"<!--" * 90_000,
    "headers": HEAD + b"X: y\r\n" * 20_000 + b"\r\nx",
    "a folded header": HEAD + b"X: " + b"y\r\n " * 50_000 + b"\r\n\r\nx",
    "references": HEAD + b"References: " + b"<a@b> " * 30_000 + b"\r\n\r\nx",
    "encoded words": HEAD + b"X: " + b"=?utf-8?q?" * 5_000 + b"\r\n\r\nx",
    "comments in From": b"From: " + b"(" * 20_000 + b"\r\n\r\nx",
    "quotes in From": b"From: " + b'"' * 20_000 + b"\r\n\r\nx",
    "parameters": HEAD + b"Content-Type: text/plain" + b"; a=b" * 20_000 + b"\r\n\r\nx",
    "parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\n\nx\n" * 20_000,
    "parts in parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b0\r\n\r\n"
    + b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(3_000)),
    "soft breaks": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\r\n" * 100_000,
    "flowed": HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \r\n" * 50_000,
    "a bounce of many lines": b"From: MAILER-DAEMON@x\r\nSubject: failure notice\r\n\r\n" + b"x\n" * 80_000,
    "a bounce of reasons": b"From: MAILER-DAEMON@x\r\nSubject: failure notice\r\n\r\n" + b"mailbox user account " * 20_000,
    "a bounce in HTML": b"From: MAILER-DAEMON@x\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n" + b"<a" * 100_000,
    "a bounce of addresses": b"From: MAILER-DAEMON@x\r\nSubject: x\r\n\r\n" + b"a.b@c.d." * 40_000,
    **{
        f"a note of {words.decode()}": HEAD + b"\r\n" + words * 10_000
        for words in (b"held ", b"click ", b"office ", b"will reply ", b"your message ")
    },
}


@pytest.mark.parametrize("name", RUNAWAYS)
def test_nothing_runs_away(name: str) -> None:
    found = reading(RUNAWAYS[name])
    assert len(found.verdicts) < 2_200
    assert len(found.doubtful) < 2_200


def test_a_mail_beyond_the_limit_is_not_looked_at() -> None:
    assert reading(TEXT + b"A Ven - Tri\n" * 900_000).kind == "too-large"


def test_a_hundred_parts_deep_is_malformed() -> None:
    assert reading(RUNAWAYS["parts in parts"]).kind == "malformed"


def test_what_lies_beyond_the_bounds_is_asked_about_not_taken() -> None:
    found = reading(TEXT + b"hello\n" * 1_999 + b"A PAR-BUR\nA MAR-SPA\n")
    assert "A MAR-SPA" not in found.own_lines
    assert ("A MAR-SPA", "too-long") in found.doubtful
