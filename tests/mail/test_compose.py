"""Our own mails: right on the wire, the same for the same facts, and closed to what people write."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.compose import LINE_LIMIT, Attachment, Image, Mailbox, Outgoing, compose, finish, wire_address
from judge.mail.identity import PLACEHOLDER, Keys
from judge.mail.message_ids import REFERENCES_LIMIT, find_answered, message_id, parse_message_id

TOKEN = Keys(b"0123456789abcdef").token("spring42", "France")
MAIL = Outgoing(
    message_id=message_id("spring42", "S1901M", 0, "receipt", "abc234", "judge.example.org"),
    date=datetime(2026, 6, 3, 20, 0, tzinfo=timezone(timedelta(hours=2))),
    sender=Mailbox("spring42@judge.example.org", "Spring42 Judge"),
    to=Mailbox("camille.roux@example.org", "Camille Roux"),
    subject="Re: [spring42] Spring 1901: 3 of 3 orders in",
    text=f"Reply to spring42+{PLACEHOLDER}@judge.example.org\n",
    reply_to=Mailbox(f"spring42+{PLACEHOLDER}@judge.example.org", "Spring42 Judge"),
)
OWN_HEADERS = {
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "List-Id",
    "Content-Language",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
}


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not [part.defects for part in message.walk() if part.defects]
    return message


def lines_of(raw: bytes) -> list[bytes]:
    assert raw.replace(b"\r\n", b"").count(b"\n") == raw.replace(b"\r\n", b"").count(b"\r") == 0
    return raw.split(b"\r\n")


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_what_a_receipt_carries() -> None:
    message = parsed(finish(compose(MAIL), TOKEN, eight_bit=True))
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Date"].datetime == MAIL.date
    assert str(message["Reply-To"]) == f"Spring42 Judge <spring42+{TOKEN}@judge.example.org>"
    assert text_of(message) == f"Reply to spring42+{TOKEN}@judge.example.org\n"
    assert set(message.keys()) <= OWN_HEADERS


def test_frozen_bytes_hold_no_token_and_are_the_same_each_time() -> None:
    full = replace(MAIL, html="<p>ä</p>", attachments=(Attachment("a.json", "application/json", b"{}"),))
    assert compose(full) == compose(full)
    assert TOKEN.encode() not in compose(full)
    assert finish(compose(full), TOKEN, eight_bit=True) == finish(compose(full), TOKEN, eight_bit=True)


def test_all_parts_come_out_whole_both_ways() -> None:
    picture = bytes(range(256)) * 20
    full = replace(
        MAIL,
        text="Größe 大きさ\n"
        + "long " * 400
        + "\n.\nFrom here\n--=_not a boundary\nContent-Transfer-Encoding: 8bit\n\nend \n",
        html="<p>" + "勃艮第" * 800 + "</p>",
        images=(Image("board", "image/png", picture, "board.png"),),
        attachments=(Attachment("deadline.ics", "text/calendar; method=PUBLISH", f"X:{PLACEHOLDER} é\r\n".encode()),),
    )
    for eight_bit in (True, False):
        wire = finish(compose(full), TOKEN, eight_bit=eight_bit)
        message = parsed(wire)
        assert max(map(len, lines_of(wire))) <= (LINE_LIMIT if eight_bit else 78)
        assert eight_bit or wire.isascii()
        assert text_of(message).replace("\n", "") == full.text.replace("\n", "")
        assert text_of(message, "html").replace("\n", "") == full.html
        kinds = [part.get_content_type() for part in message.walk()]
        assert kinds == [
            "multipart/mixed",
            "multipart/alternative",
            "text/plain",
            "multipart/related",
            "text/html",
            "image/png",
            "text/calendar",
        ]
        (image,) = (p for p in message.walk() if p.get_content_type() == "image/png")
        assert image.get_content() == picture and image["Content-ID"] == "<board>"
        (calendar,) = (p for p in message.walk() if p.get_content_type() == "text/calendar")
        assert TOKEN in calendar.get_content() and "é" in calendar.get_content()


HOSTILE = st.text(st.characters(codec="utf-8"), max_size=120) | st.sampled_from(
    [
        "x\r\nBcc: all@example.com",
        "x\nX-Evil: 1",
        "x\r\n\r\nbody",
        "a\x00b",
        "=?utf-8?q?=0D=0ABcc:_x?=",
        '"\\',
        "\u2028Bcc: x",
        "\x85Bcc: x",
        "名前" * 60,
    ]
)


@given(HOSTILE, HOSTILE, HOSTILE, st.lists(HOSTILE, max_size=4), HOSTILE, HOSTILE)
def test_nothing_that_a_person_writes_makes_a_header(
    subject: str, name: str, answered: str, references: list[str], listed: str, text: str
) -> None:
    mail = replace(
        MAIL,
        subject=subject,
        to=Mailbox("camille.roux@example.org", name),
        in_reply_to=answered,
        references=tuple(references),
        list_id=listed,
        language=name,
        text=text,
        html=text,
        attachments=(Attachment(name, "text/plain", text.encode()),),
    )
    for eight_bit in (True, False):
        wire = finish(compose(mail), TOKEN, eight_bit=eight_bit)
        message = email.message_from_bytes(wire, policy=email.policy.compat32)
        assert set(message.keys()) <= OWN_HEADERS
        assert len(message.keys()) == len(set(message.keys()))
        assert max(map(len, lines_of(wire))) <= LINE_LIMIT
        assert message.is_multipart() and len(message.get_payload()) == 2


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=60))
def test_subject_and_name_read_back(text: str) -> None:
    message = email.message_from_bytes(compose(replace(MAIL, subject=text)), policy=email.policy.compat32)
    decoded = email.header.make_header(email.header.decode_header(message["Subject"]))
    assert str(decoded) == text


def test_references_are_bounded() -> None:
    many = tuple(f"<{n}@example.org>" for n in range(500))
    message = parsed(compose(replace(MAIL, in_reply_to="<499@example.org>", references=many)))
    chain = message["References"].split()
    assert len(chain) == REFERENCES_LIMIT
    assert chain[0] == "<0@example.org>" and chain[-1] == "<499@example.org>" == message["In-Reply-To"]


@pytest.mark.parametrize("address", ["", "x", "a@b@c d", "a b@example.org", "a@exa\r\nmple.org", "a@", "<a@b", "a@[x]"])
def test_no_mail_to_what_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match="mail address"):
        compose(replace(MAIL, to=Mailbox(address)))


@pytest.mark.parametrize(
    ("given_address", "wire"),
    [
        ("Kenzo@例え.JP", "Kenzo@xn--r8jz45g.jp"),
        ("a.b+c@Example.org", "a.b+c@example.org"),
        ("a@[192.0.2.1]", "a@[192.0.2.1]"),
    ],
)
def test_addresses_on_the_wire(given_address: str, wire: str) -> None:
    assert wire_address(given_address) == wire


@pytest.mark.parametrize("token", ["", "short", "A" * 16, "aaaaaaaaaaaaaaa1", "aaaaaaaa\r\nBcc: x"])
def test_only_a_token_is_put_in(token: str) -> None:
    with pytest.raises(ValueError, match="token"):
        finish(compose(MAIL), token, eight_bit=True)


@given(
    st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True),
    st.sampled_from(["", "S1901M", "F1910R", "W1905A"]),
    st.integers(0, 9999),
    st.from_regex(r"[a-z][a-z0-9-]{0,30}", fullmatch=True),
    st.from_regex(r"[a-z0-9-]{1,64}", fullmatch=True),
)
def test_message_ids_read_back_from_any_answer(game: str, phase: str, attempt: int, event: str, unique: str) -> None:
    made = message_id(game, phase, attempt, event, unique, "Judge.Example.org")
    assert parse_message_id(made) == (game, phase, attempt, event, unique)
    assert parse_message_id(made.upper(), "judge.example.org") is not None
    assert parse_message_id(made, "other.example") is None
    wanted = (game, phase, attempt) if phase else None
    assert find_answered(made, (), "") == wanted
    assert find_answered("<x@y>", ("<a@b>", made, "<c@d>"), "") == wanted


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("Re: [spring42] Fall 1903: you took Munich", ("spring42", "F1903", 0)),
        ("AW: [spring42] Spring 1901 retreats", ("spring42", "S1901R", 0)),
        ("RE: [spring42] Winter 1901: build 1", ("spring42", "W1901A", 0)),
        ("Re: [spring42] 1903年秋の結果", ("spring42", "F1903", 0)),
        ("Re: [spring42] 1901年春 撤退", ("spring42", "S1901R", 0)),
        ("回复: [spring42] S1902M", ("spring42", "S1902M", 0)),
        ("Re: [spring42] something else", None),
        ("Fall 1903", None),
        ("", None),
    ],
)
def test_what_a_subject_says_is_answered(subject: str, wanted: object) -> None:
    assert find_answered(None, (), subject) == wanted


def test_the_newest_of_our_mails_counts() -> None:
    old = message_id("spring42", "S1901M", 0, "result", "a", "judge.example.org")
    new = message_id("spring42", "F1901M", 1, "result", "a", "judge.example.org")
    assert find_answered(None, (old, new), "Re: [spring42] Spring 1901") == ("spring42", "F1901M", 1)


def test_date_is_utc() -> None:
    assert b"Date: Wed, 03 Jun 2026 18:00:00 +0000\r\n" in compose(MAIL)
    assert parsed(compose(MAIL))["Date"].datetime.astimezone(UTC) == MAIL.date
