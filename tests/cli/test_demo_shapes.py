"""The players' mail programs: what each makes of the same letter is a correct mail that says what was typed."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta, timezone
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime

import pytest

from judge.cli.demo.shapes import SHAPES, Quoted, Typed, out_of_office

EAST = timezone(timedelta(hours=9))
QUOTED = Quoted(
    "spring42",
    "spring42+abcdefghijklmnop@judge.example",
    datetime(2026, 3, 2, 20, 0, tzinfo=timezone.utc),  # noqa: UP017
    "[spring42] Spring 1901",
    "You play France.\n\n  [held]  A Paris - Picardy\n\n  A Marseilles & <F Brest> hold\n" + "long words " * 40,
)
TYPED = Typed(
    name="Camille Roux",
    address="camille@players.example",
    to_name="spring42",
    to_address=QUOTED.address,
    subject="Re: [spring42] Spring 1901",
    message_id="<0001.abc@players.example>",
    date=datetime(2026, 3, 3, 9, 30, 12, tzinfo=EAST),
    lines=("Bonjour,", "", "A Par - Bur", "F Bre -> MAO", "A Mar S A Par - Bur", "", "Camille"),
    in_reply_to="<start@judge.example>",
    references=("<start@judge.example>",),
    quoted=QUOTED,
)
JAPANESE = dataclasses.replace(
    TYPED, name="守高 健三", lines=("お世話になっております。", "A CON-BUL", "F Ankara → Black Sea")
)
GERMAN = dataclasses.replace(TYPED, name="Jörg Weißhaupt", lines=("Schöne Grüße,", "A München – Ruhr"))


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(part.get_content_charset() or "none")


def _parts(message: Message) -> list[Message]:
    return [part for part in message.walk() if not part.is_multipart()]


@pytest.mark.parametrize("typed", [TYPED, JAPANESE, GERMAN], ids=["english", "japanese", "german"])
@pytest.mark.parametrize("program", SHAPES)
def test_every_program_makes_a_correct_mail_of_what_was_typed(program: str, typed: Typed) -> None:
    raw = SHAPES[program](typed)
    message = message_from_bytes(raw)
    assert raw.replace(b"\r\n", b"").count(b"\n") == 0, "a bare line feed"
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert not any(part.defects for part in message.walk())
    assert str(make_header(decode_header(message["From"]))).startswith(typed.name)
    assert getaddresses([message["To"]])[0][1] == QUOTED.address
    assert message["Message-ID"] == "<0001.abc@players.example>"
    assert parsedate_to_datetime(message["Date"]) == typed.date
    if program == "The Bat!":
        assert message["In-Reply-To"] is None
    else:
        assert (message["In-Reply-To"], message["References"]) == ("<start@judge.example>",) * 2
    for part in _parts(message):
        text = _text(part).replace("&gt;", ">")
        assert all(line in text for line in typed.lines if line), part.get_content_type()


@pytest.mark.parametrize("program", [name for name in SHAPES if name != "The Bat!"])
def test_every_program_quotes_what_it_answers(program: str) -> None:
    for part in _parts(message_from_bytes(SHAPES[program](TYPED))):
        text = _text(part)
        assert "[held]" in text
        assert text.index("[held]") < text.index("A Par - Bur") if program in ("Mutt", "Thunderbird") else True


@pytest.mark.parametrize(
    ("program", "charsets"),
    [
        ("Gmail", {"utf-8"}),
        ("Becky!", {"iso-2022-jp"}),
        ("Foxmail", {"gb18030"}),
        ("Hotmail", {"windows-1252"}),
        ("Mutt", {"us-ascii"}),
        ("Outlook (text)", {"iso-8859-1"}),
    ],
)
def test_charsets_are_those_of_the_program(program: str, charsets: set[str]) -> None:
    parts = _parts(message_from_bytes(SHAPES[program](TYPED)))
    assert {part.get_content_charset() for part in parts} == charsets


def test_a_program_whose_charset_cannot_hold_the_text_takes_utf_8() -> None:
    (part,) = _parts(message_from_bytes(SHAPES["Mutt"](JAPANESE)))
    assert part.get_content_charset() == "utf-8"
    assert "お世話になっております。" in _text(part)


def test_a_flowed_line_comes_back_whole() -> None:
    long = "please tell me whether this long sentence comes through as one line because my program wraps it for me"
    raw = SHAPES["Thunderbird"](dataclasses.replace(TYPED, lines=(long, "From here on nothing"), quoted=None))
    text = _text(_parts(message_from_bytes(raw))[0])
    assert max(len(line) for line in text.split("\r\n")) < 80
    assert long in text.replace(" \r\n", " ")
    assert "\r\n From here" in text


def test_an_absence_notice_says_that_a_machine_wrote_it() -> None:
    assert message_from_bytes(out_of_office(TYPED))["Auto-Submitted"] == "auto-replied"
