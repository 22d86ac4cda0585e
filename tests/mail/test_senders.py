"""Who a mail says it is from, read strictly; and YES and NO as whole lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.confirmations import Confirmation, find, parse
from judge.mail.senders import mailbox_key, named_recipients, named_senders, same_mailbox, sole_sender, written_by

#: the header lines -> the one sender
SENDERS = {
    "bare": ("From: camille@example.org", "camille@example.org"),
    "in brackets": ("From: <Camille@Example.ORG>", "camille@example.org"),
    "named": ("From: Camille Dupont <camille@example.org>", "camille@example.org"),
    "quoted name": ('From: "Dupont, Camille" <camille@example.org>', "camille@example.org"),
    "escaped quote": (r'From: "a\" <x@evil.example>" <camille@example.org>', "camille@example.org"),
    "encoded name": ("From: =?utf-8?q?x=40evil=2Eexample=2C?= <camille@example.org>", "camille@example.org"),
    "comment behind": ("From: camille@example.org (Camille)", "camille@example.org"),
    "comment before": ("From: (x@evil.example) camille@example.org", "camille@example.org"),
    "folded": ("From: Camille\r\n <camille@example.org>", "camille@example.org"),
    "no blank": ("From:camille@example.org", "camille@example.org"),
    "a name without ASCII": ("From: カミーユ <camille@example.org>", "camille@example.org"),
    "two lines": ("From: camille@example.org\r\nFrom: camille@example.org", None),
    "two lines, one in capitals": ("From: camille@example.org\r\nFROM: x@evil.example", None),
    "two addresses": ("From: camille@example.org, x@evil.example", None),
    "two in brackets": ("From: <camille@example.org> <x@evil.example>", None),
    "an address for a name": ("From: camille@example.org <x@evil.example>", None),
    "a group": ("From: us: camille@example.org;", None),
    "a route": ("From: <@evil.example:camille@example.org>", None),
    "quoted local part": ('From: "camille"@example.org', None),
    "a quote that does not end": ('From: "x <camille@example.org>', None),
    "a bracket that does not end": ("From: <camille@example.org", None),
    "a quote that goes on": ('From: "x"camille@example.org', None),
    "an empty quote before": ('From: ""camille@example.org', None),
    "a quote, no blank": ('From: "Camille"<camille@example.org>', "camille@example.org"),
    "a quote and a comment": ('From: "Camille"(x@evil.example)<camille@example.org>', "camille@example.org"),
    "a Kelvin sign": ("From: ma\u212aka@example.org", "ma\u212aka@example.org"),
    "NUL in it": ("From: camille\0@example.org", None),
    "NUL behind it": ("From: camille@example.org\0", None),
    "NUL between two": ("From: <camille@example.org>\0<x@evil.example>", None),
    "a domain of full width": ("From: camille@ｅxample．org", "camille@example.org"),
    "a domain with a Cyrillic letter": ("From: camille@ex\u0430mple.org", "camille@xn--exmple-4nf.org"),
    "a sharp s": ("From: camille@straße.example", "camille@xn--strae-oqa.example"),
    "blanks around the at": ("From: camille @ example.org", None),
    "a semicolon": ("From: camille@example.org;", None),
    "a route of old": ("From: camille%evil.example@example.org", "camille%evil.example@example.org"),
    "nested comments": ("From: (a (b) c) camille@example.org", None),
    "encoded as a whole": ("From: =?utf-8?q?camille=40example=2Eorg?=", None),
    "words": ("From: Camille", None),
    "nothing": ("From:", None),
    "none": ("Sender: camille@example.org", None),
    "endless": ("From: " + "x " * 2000 + "<camille@example.org>", None),
}


@pytest.mark.parametrize(("head", "sender"), SENDERS.values(), ids=SENDERS)
def test_the_one_sender(head: str, sender: str | None) -> None:
    raw = f"{head}\r\nTo: x@example.net\r\n\r\nFrom: other@example.org\r\n".encode()
    assert sole_sender(raw) == sender
    assert sender is None or any(same_mailbox(sender.replace("\u212a", "k"), named) for named in named_senders(raw))


def test_sender_and_from_count_alike() -> None:
    raw = b"From: a@example.org\r\nSender: B <b@example.org>\r\n\r\n"
    assert written_by(raw) == {"a@example.org", "b@example.org"}
    assert written_by(b"Sender: b@example.org\r\nSender: c@example.org\r\n\r\n") == set()


def test_all_that_is_named() -> None:
    senders = b'From: "x@a.example" <y@b.example>, z@c.example\r\nFrom: w@d.example\r\n'
    raw = senders + b"To: T <t@e.example>\r\nCc: u@f.example\r\n\r\n"
    assert named_senders(raw) >= {"y@b.example", "z@c.example", "w@d.example"}
    assert named_recipients(raw) == {"t@e.example", "u@f.example"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Camille@Example.org", "camille@example.ORG", True),
        ("camille+dip@example.org", "camille@example.org", True),
        ("camille+a@example.org", "camille+b@example.org", True),
        ("c.a.mille@gmail.com", "camille@googlemail.com", True),
        ("c.amille@example.org", "camille@example.org", False),
        ("camille@bücher.example", "camille@xn--bcher-kva.example", True),
        ("camille@example.org", "camille@example.org.evil.example", False),
        ("camille@example.org", "camille@mail.example.org", False),
        ("+x@example.org", "+y@example.org", False),
        ("nobody", "nobody", False),
        ("", "", False),
        ("mark@example.org", "mar\u212a@example.org", False),
        ("ma\u0130rk@example.org", "mairk@example.org", False),
        ("mark@straße.example", "mark@strasse.example", False),
        ("mark@straße.example", "mark@xn--strae-oqa.example", True),
        ("mark@βόλος.example", "mark@xn--nxasmm1c.example", True),
        ("mark@example。org", "mark@example.org", True),
        ("re\u0301ne@example.org", "r\u00e9ne@example.org", False),
        ("rene@example.org", "r\u00e9ne@example.org", False),
        ("mark@example.org.", "mark@example.org", True),
        ("A.B+x@gmail.com", "ab@gmail.com", True),
        ("A.B+x@example.com", "ab@example.com", False),
        ("mark@gmail.com.evil.example", "mark@gmail.com", False),
    ],
)
def test_one_mailbox_in_many_spellings(one: str, other: str, same: bool) -> None:
    assert same_mailbox(one, other) == same


LINES = {
    "YES": Confirmation(True),
    " yes! ": Confirmation(True),
    "**OK**": Confirmation(True),
    "ok.": Confirmation(True),
    "ＹＥＳ": Confirmation(True),
    "はい。": Confirmation(True),
    "確認しました": Confirmation(True),
    "确认": Confirmation(True),
    "是": Confirmation(True),
    "YES 3": Confirmation(True, (3,)),
    "yes #3, 4": Confirmation(True, (3, 4)),
    "YES 3 3": Confirmation(True, (3,)),
    "はい　３": Confirmation(True, (3,)),
    "是3": Confirmation(True, (3,)),
    "NO": Confirmation(False),
    "No.": Confirmation(False),
    "no 2": Confirmation(False, (2,)),
    "いいえ": Confirmation(False),
    "不是": Confirmation(False),
    "yes please": None,
    "Yes, I sent that": None,
    "no way": None,
    "NO A Par - Bur": None,
    "A Par - Bur": None,
    "3": None,
    "READY": None,
    "YES 1234567": None,
    "YES " + "9" * 90: None,
    "": None,
    "…": None,
    "x" * 200: None,
}


@pytest.mark.parametrize(("line", "said"), LINES.items())
def test_yes_and_no(line: str, said: Confirmation | None) -> None:
    assert parse(line) == said


def test_answers_are_found_among_lines() -> None:
    assert find(["Hi", "YES", "A Par - Bur"]) == ([Confirmation(True)], ["Hi", "A Par - Bur"])


@given(st.binary(max_size=200))
def test_any_header_is_read(raw: bytes) -> None:
    mail = b"From: " + raw + b"\r\nTo: " + raw + b"\r\n\r\n"
    written_by(mail), named_senders(mail), named_recipients(mail)


@given(st.text(max_size=120))
def test_any_line_and_address_is_read(text: str) -> None:
    parse(text), mailbox_key(text)
