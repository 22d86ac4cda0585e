"""A command with words that are not understood is never lost without a word."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

from judge.play import setup

#: many mails a test: among the slow ones
pytestmark = pytest.mark.slow

Desk = Any


def text_of(message: Message | None) -> str:
    assert message is not None
    (part,) = [one for one in message.walk() if one.get_content_type() == "text/plain"]
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


LOST = [
    ("EXTEND forever", "“EXTEND …”"),
    ("ABSENCE tomorrow", "“ABSENCE 2026-12-20..2026-12-27”"),
    ("ABSENCE 20 Dec - 27 Dec", "“ABSENCE 2026-12-20..2026-12-27”"),
]


@pytest.mark.parametrize("beside", ["", "A Par-Bur\n", "STATUS\n"], ids=["alone", "with an order", "with a command"])
@pytest.mark.parametrize(("line", "form"), LOST, ids=[line for line, _ in LOST])
def test_a_player_is_told(desk: Desk, line: str, form: str, beside: str) -> None:
    text = text_of(desk.mail("France", f"{beside}{line}"))
    assert line in text and f"are not understood; it is written {form}" in text
    assert desk.held("France") == (["A PAR-BUR"] if "Par" in beside else [])


def test_a_player_is_told_every_time(desk: Desk) -> None:
    for _ in range(2):
        assert "is written “EXTEND …”" in text_of(desk.mail("France", "EXTEND forever"))


def test_talk_is_not_told_of(desk: Desk) -> None:
    text = text_of(desk.mail("France", "A Par-Bur\nDraw your own conclusions.\nShow me what you have."))
    assert "conclusions" not in text and "Show me" not in text


@pytest.mark.parametrize("line", ["EXTEND forever", "extend forever", "DEADLINE someday"])
def test_a_master_is_told(desk: Desk, line: str) -> None:
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    (answer,) = desk.post(f"{line}\nSTATUS", "master", sender="ana@example.org", to=desk.reply_to("master"))
    text = text_of(answer)
    assert line in text and f"it is written “{line.split()[0].upper()} …”" in text


UNKNOWN = [
    ("STAUS", "STATUS"),
    ("SUMARY", "SUMMARY"),
    ("DEADLNE tomorrow", "DEADLINE …"),
    ("staus", "STATUS"),
    ("命令取消し", "CLEAR"),
    ("準備完", "READY"),
    ("取消所有命", "CLEAR"),
]


@pytest.mark.parametrize("beside", ["", "A Par-Bur\n", "STATUS\n"], ids=["alone", "with an order", "with a command"])
@pytest.mark.parametrize(("line", "form"), UNKNOWN, ids=[line for line, _ in UNKNOWN])
def test_the_nearest_command_is_told_and_not_done(desk: Desk, line: str, form: str, beside: str) -> None:
    desk.mail("France", "A Mar-Spa")
    text = text_of(desk.mail("France", f"{beside}{line}\nF Bre-Mao"))
    assert line in text and f"this is no command; you may mean “{form}" in text
    # an order is asked about beside words that leave its time open, or speak of taking back; it is never lost
    assert {"A MAR-SPA"} <= set(desk.held("France")) <= {"A MAR-SPA", "A PAR-BUR", "F BRE-MAO"}
    assert "F Brest - Mid-Atlantic Ocean" in text and ("A Paris - Burgundy" in text) == ("Par" in beside)


def test_a_slip_is_told_every_time_and_alone(desk: Desk) -> None:
    for _ in range(2):
        assert "you may mean “STATUS" in text_of(desk.mail("France", "STAUS"))


def test_a_master_is_told_of_a_slip_and_the_rest_is_done(desk: Desk) -> None:
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    (answer,) = desk.post("DEADLNE tomorrow\nSTATUS", "master", sender="ana@example.org", to=desk.reply_to("master"))
    text = text_of(answer)
    assert "This is no command; you may mean “DEADLINE …" in text and "France" in text


def test_at_the_judges_own_address_a_slip_is_told_beside_the_rest(desk: Desk) -> None:
    (answer,) = desk.post("LIST\nHISTROY spring42", sender="new@example.org", to="judge@judge.example.org")
    text = text_of(answer)
    assert "spring42" in text and "no command; you may mean “HISTORY" in text and "HISTROY" not in text
