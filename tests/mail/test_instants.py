"""Instants and spans as people write them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from judge.mail.commands import parse
from judge.mail.instants import read_instant, read_span
from judge.mail.positionlines import read_position_lines

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)  # a Tuesday, 21:00 in Tokyo
TOKYO = ZoneInfo("Asia/Tokyo")

INSTANTS = {
    "2026-12-05 21:00": "2026-12-05T12:00",
    "2026-12-05T21:00Z": "2026-12-05T21:00",
    "2026-12-05 21:00 +01:00": "2026-12-05T20:00",
    "2026-12-05 21:00 Europe/Paris": "2026-12-05T20:00",
    "2026-12-05": "2026-12-05T14:59",
    "Sat 21:00": "2026-12-05T12:00",
    "Saturday 9 pm": "2026-12-05T12:00",
    "Sat": "2026-12-05T14:59",
    "Tue 21:00": "2026-12-08T12:00",
    "Tue 21:01": "2026-12-01T12:01",
    "20:59": "2026-12-02T11:59",
    "tomorrow at noon": "2026-12-02T03:00",
    "5 Dec 21:00": "2026-12-05T12:00",
    "Dec 5th, 2027 9:30 pm": "2027-12-05T12:30",
    "Sat 5 Dec 21:00": "2026-12-05T12:00",
    "3 Jan": "2027-01-03T14:59",
    "12月5日 21時": "2026-12-05T12:00",
    "12月5日(土) 21:00": "2026-12-05T12:00",
    "2026年12月5日21時30分": "2026-12-05T12:30",
    "土曜日 21:00": "2026-12-05T12:00",
    "周六 21:00": "2026-12-05T12:00",
    "星期六 21点半": "2026-12-05T12:30",
    "明日 21:00": "2026-12-02T12:00",
}


@pytest.mark.parametrize("text", INSTANTS)
def test_an_instant_is_read_in_the_writers_zone(text: str) -> None:
    found = read_instant(text, TOKYO, NOW, time(23, 59))
    assert found is not None and found.strftime("%Y-%m-%dT%H:%M") == INSTANTS[text] and found.tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    ["", "soon", "Fri 5 Dec 21:00", "2026-13-05 21:00", "31 Feb 12:00", "25:00", "13 pm", "tomorrow at nine", "the 5th",
     "Saturday evening would be fine", "2026-12-05 21:00 Mars/Base", "9" * 90],
)  # fmt: skip
def test_what_is_no_instant(text: str) -> None:
    assert read_instant(text, TOKYO, NOW) is None


def test_a_clock_that_is_put_on_has_its_hour_all_the_same() -> None:
    """02:30 of 28 March 2027 is not there in Berlin: the clock goes from 2:00 to 3:00."""
    found = read_instant("2027-03-28 02:30", ZoneInfo("Europe/Berlin"), NOW)
    assert found is not None and abs(found - datetime(2027, 3, 28, 1, tzinfo=UTC)) <= timedelta(hours=1)


SPANS = {
    "48 h": 48, "48h": 48, "2 days": 48, "1 week": 168, "90 min": 1.5, "48時間": 48, "2日": 48, "2天": 48, "48小时": 48,
}  # fmt: skip


@pytest.mark.parametrize("text", SPANS)
def test_a_span_is_read(text: str) -> None:
    assert read_span(text) == timedelta(hours=SPANS[text])


@pytest.mark.parametrize("text", ["0 h", "h", "two days", "48 h please", "-3 h", "99999 h"])
def test_what_is_no_span(text: str) -> None:
    assert read_span(text) is None


SENTENCES = [
    "Extend by 48 h if you like", "Pause until we are back", "Deadline is on Saturday evening",
    "Process the orders now please",
    "Correct.", "Comment:", "Roll back to where we were", "End game theory", "Start with France",
]  # fmt: skip


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_is_no_command(line: str) -> None:
    assert parse(line) is None


COMMANDS = {
    "EXTEND 48 h": "EXTEND", "Extend by 2 days": "EXTEND", "extend until Sat 21:00": "EXTEND", "延長 48時間": "EXTEND",
    "締切 土曜 21:00": "DEADLINE",
    "延長 土曜 21:00まで": "EXTEND", "Deadline: 2026-12-05 21:00": "DEADLINE",
    "暂停": "PAUSE",
    "PAUSE until 3 Jan": "PAUSE",
    "process s1901m": "PROCESS",
    "PROCESS S1901M NOW": "PROCESS", "rollback to 01-S": "ROLLBACK",
    "ROLLBACK S1901M": "ROLLBACK", "end game draw": "END GAME",
    "結束遊戲": "END GAME", "Correct position": "CORRECT POSITION",
}  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_read(line: str) -> None:
    found = parse(line)
    assert found is not None and found.name == COMMANDS[line]


def test_lines_of_a_position_are_told_from_others() -> None:
    found, rest = read_position_lines(["A PAR FRANCE", "", "* remove F BRE.", "OWNER BEL ENGLAND", "France is too strong"])
    assert [(one.do, one.type, one.words) for one in found] == [
        ("put", "A", ("PAR", "FRANCE")), ("remove", "F", ("BRE",)), ("owner", "", ("BEL", "ENGLAND")),
    ]  # fmt: skip
    assert rest == ["France is too strong"]
