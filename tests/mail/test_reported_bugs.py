"""Faults that other mail software had, as their users reported them: each is shown not to be here (ids as reported).

The table is ``data/reported.json``; what needs the door, the store or a whole judge is tested under the same ids there.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from judge.mail.compose import Mailbox, Outgoing, compose
from judge.mail.hashing import content_hash
from judge.mail.reading import Incoming, read

OUTGOING = Outgoing(
    message_id="<spring42.S1901M.0.receipt.a@judge.example.org>",
    date=datetime(2026, 6, 3, tzinfo=UTC),
    sender=Mailbox("spring42@judge.example.org"),
    to=Mailbox("camille.roux@example.org"),
    subject="x",
    text="x",
)


def reading(raw: bytes) -> Incoming:
    return read(raw, sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")


def orders(raw: bytes) -> list[str]:
    return [line for line in reading(raw).own_lines if line.strip()]


@pytest.mark.parametrize(
    "date", [b"x" * 184, b"Wed, 99 Foo 99999 99:99", b"", b"Mon, 1 Jan 0001 00:00:00 +9999", b"1 Jan 2026 00:00:00"]
)
def test_mail16_an_absurd_date_changes_nothing(date: bytes) -> None:
    found = reading(b"From: a@example.org\nDate: " + date + b"\n\nA Par - Bur\n")
    assert found.own_lines == ("A Par - Bur",)
    assert found.date is None or found.date.tzinfo is UTC


@pytest.mark.parametrize(
    "sender", [b"foo <foo@bar.com", b"foo@bar.com>", b'"foo <foo@bar.com>', b"foo: foo@bar.com;", b"<foo@bar.com>, "]
)
def test_mail18_a_broken_from_still_gives_its_address(sender: bytes) -> None:
    found = reading(b"From: " + sender + b"\n\nA Par - Bur\n")
    assert found.sender == "foo@bar.com"
    assert found.own_lines == ("A Par - Bur",)


def test_mail20_a_broken_encoded_word_loses_nothing() -> None:
    found = reading(b"From: =?utf-8?b?A?= <a@example.org>\nSubject: =?utf-8?b?A?= =?x?y?z?=\n\nA Par - Bur\n")
    assert (found.sender, found.own_lines) == ("a@example.org", ("A Par - Bur",))


def test_mail21_an_unknown_charset_is_read() -> None:
    assert orders(b"From: a@b.c\nContent-Type: text/plain; charset=x-klingon\n\nA Par - Bur\n") == ["A Par - Bur"]
    assert orders(b'From: a@b.c\nContent-Type: text/plain; charset="a\0b"\n\nA Par - Bur\n') == ["A Par - Bur"]
    for text in ("A Köln - Bur".encode(), "A Köln - Bur".encode("cp1252"), "A K’öln".encode("cp1252")):
        assert orders(b"From: a@b.c\nContent-Type: text/plain; charset=x-klingon\n\n" + text) in (
            ["A Köln - Bur"],
            ["A K’öln"],
        )


def test_mail23_an_attachments_encoded_content_type_is_no_matter() -> None:
    raw = (
        b"From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nA Par - Bur\n"
        b"--b\nContent-Type: =?utf-8?b?w6k=?=\nContent-Disposition: attachment; filename=x\n\nzzz\n--b--\n"
    )
    assert orders(raw) == ["A Par - Bur"]
    # what is no text is never read, whatever stands in it; one whose kind can't be told is text if its name says so
    for kind in (b"application/pdf", b"image/png", b"text/html", b"application/octet-stream"):
        other = (
            raw.replace(b"=?utf-8?b?w6k=?=", kind).replace(b"A Par - Bur", b"see the file").replace(b"zzz", b"A Par - Pic")
        )
        assert orders(other) == ["see the file"], kind
    named = raw.replace(b"filename=x", b"filename=x.pdf").replace(b"A Par - Bur", b"see").replace(b"zzz", b"A Par - Pic")
    assert orders(named) == ["see"] and reading(named).unread_attachments == ("x.pdf",)


def test_mail25_a_wrapped_attribution_and_its_quote_are_not_the_players() -> None:
    raw = (
        b"From: a@b.c\nTo: spring42+x@judge.example.org\n\nA Par - Bur\n\nOn Wed, Jun 3, 2026 at 8:00 PM Judge <\n"
        b"spring42+x@judge.example.org> wrote:\n\n> A PAR-PIC\n"
    )
    assert orders(raw) == ["A Par - Bur"]


@pytest.mark.parametrize("prefix", ["RE: ", "Re: Re: ", "AW: ", "SV: ", "Antw: ", "RE: AW: Re[3]: ", "回复: "])
def test_mail26_any_mix_of_prefixes_is_taken_off(prefix: str) -> None:
    assert reading(f"From: a@b.c\nSubject: {prefix}game\n\nx\n".encode()).subject_text == "game"


def test_mail30_a_bounce_is_a_bounce_even_of_a_bounce() -> None:
    raw = b"Return-Path: <>\nFrom: postmaster@example.org\nSubject: Undeliverable: [#7253] Undeliverable: x\n\nA Par - Bur\n"
    assert reading(raw).kind == "bounce"


def test_mail31_every_mail_of_ours_says_that_a_machine_sent_it() -> None:
    for word in ("auto-replied", "auto-generated"):
        raw = compose(Outgoing(**{**_fields(), "auto_submitted": word}))
        assert f"Auto-Submitted: {word}\r\n".encode() in raw
        assert reading(raw).kind == "auto-reply"


def _fields() -> dict[str, object]:
    return {name: getattr(OUTGOING, name) for name in OUTGOING.__slots__}


def test_mail33_the_same_mail_without_message_id_has_the_same_hash() -> None:
    raw = b"From: a@b.c\nSubject: x\n\nA Par - Bur\n"
    assert content_hash(b"Received: from one\n" + raw) == content_hash(b"Received: from two\nX-Spam: no\n" + raw)


@pytest.mark.parametrize("subject", ["Quarterly\r\n & status", "a\nb", "a\rb", "a\0b", "a\r\n\r\nbody"])
def test_mail38_a_folded_subject_can_be_answered(subject: str) -> None:
    raw = compose(Outgoing(**{**_fields(), "subject": f"Re: {subject}"}))
    assert raw.count(b"\r\n\r\n") == 1
    assert reading(raw).subject == "Re: " + " ".join(subject.replace("\0", " ").split())


def test_mail40_our_mail_is_valid_mime_with_its_lines_kept() -> None:
    raw = compose(Outgoing(**{**_fields(), "text": "Germany   6    5\n" * 3}))
    assert b"format=flowed" not in raw
    assert raw.endswith(b"Germany   6    5\r\n" * 3)
    for text in ("x", "日本語 " * 200, "é" * 2000, "-- \nFrom me\n.\n"):
        raw = compose(Outgoing(**{**_fields(), "text": text, "html": f"<p>{text}</p>"}))
        made = message_from_bytes(raw, policy=policy.strict)
        parts = [part for part in made.walk() if part.get_content_maintype() == "text"]
        assert [part.defects for part in made.walk()] == [[]] * 3
        # a line that is too long for mail is broken, and nothing of it lost
        assert "".join(parts[0].get_content().split()) == "".join(text.split())
        assert {part.get_content_charset() for part in parts} == {"utf-8"}
        assert all(len(line) <= 998 for line in raw.split(b"\r\n")) and b"\n" not in raw.replace(b"\r\n", b"")


def test_mail45_the_sender_line_alone_is_no_identity() -> None:
    found = reading(
        b'From: "camille.roux@example.org" <x@evil.example>\nReply-To: camille.roux@example.org\n\nA Par - Bur\n'
    )
    assert found.sender == "x@evil.example"
    assert "misleading-name" in found.faults


def test_every_reported_fault_has_a_test_with_its_id() -> None:
    reported = json.loads((Path(__file__).parent / "data" / "reported.json").read_text(encoding="utf-8"))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].glob("*/test_*.py"))
    tested = set(re.findall(r"def test_(mail\d\d)_", tests))
    told = {name for name, row in reported.items() if row.get("cannot_occur")}
    assert len(reported) == 31
    assert set(reported) == tested | told
