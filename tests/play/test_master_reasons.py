"""Reasons in a game master's mail: each act is told with its own; a question about a unit is none."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import mastermail
from judge.store import games

Desk = Any
CORRECTION = "CORRECT POSITION\nOWNER BEL ENGLAND\nEND"


def text_of(message: Message) -> str:
    (part,) = [one for one in message.walk() if one.get_content_type() == "text/plain"]
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


@pytest.fixture
def ana(desk: Desk) -> Desk:
    """The running game with a master."""
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.org", "operator", desk.now)
    desk.work()
    desk.receive()
    desk.now += timedelta(minutes=1)
    return desk


def say(desk: Desk, body: str) -> tuple[str, list[str]]:
    """The answer to the master, and what Turkey is mailed."""
    received = desk.post(body, "master", sender="ana@example.org", to=desk.reply_to("master"))
    (answer,) = [text_of(mail) for mail in received if mail["To"].startswith("ana")]
    return answer, [text_of(mail) for mail in received if mail["To"].startswith("turkey")]


def reasons(desk: Desk) -> dict[str, str | None]:
    """What was done -> the reason in the log."""
    rows = [(row["what"], json.loads(row["facts"])) for row in desk.judge.store.rows("SELECT * FROM log ORDER BY id")]
    return {facts.get("key", what): facts["why"] for what, facts in rows if "why" in facts}


CASES = {
    "each its own": (
        "SET nmr=postpone\nWHY alpha\nSET victory.end.turn=F1908\nWHY beta\nEXTEND 48 h\nWHY gamma\nPAUSE\nWHY delta",
        {"nmr": "alpha", "victory.end.turn": "beta", "deadline-changed": "gamma", "paused": "delta"},
    ),
    "one for all": (
        "SET nmr=postpone\nEXTEND 48 h\nWHY alpha",
        {"nmr": "alpha", "deadline-changed": "alpha"},
    ),
    "one above all": ("WHY alpha\nSET nmr=postpone\nEXTEND 48 h", {"nmr": "alpha", "deadline-changed": "alpha"}),
    "one above, one below": (
        "WHY alpha\nSET nmr=postpone\nEXTEND 48 h\nWHY beta",
        {"nmr": "alpha", "deadline-changed": "beta"},
    ),
    "an act without": (
        "SET nmr=postpone\nWHY alpha\nEXTEND 48 h\nPAUSE\nWHY beta",
        {"nmr": "alpha", "deadline-changed": None, "paused": "beta"},
    ),
    "settings in a row": (
        "SET nmr=postpone\nSET victory.end.turn=F1908\nWHY alpha\nEXTEND 48 h\nWHY beta",
        {"nmr": "alpha", "victory.end.turn": "alpha", "deadline-changed": "beta"},
    ),
    "a block": (
        f"SET nmr=postpone\nWHY alpha\n{CORRECTION}\nWHY beta",
        {"nmr": "alpha", "corrected": "beta"},
    ),
    "a question": ("EXTEND 48 h\nWHY holidays\nWHY A VIE", {"deadline-changed": "holidays"}),
    "a place": ("EXTEND 48 h\nWHY Vienna S1901M\nWHY holidays", {"deadline-changed": "holidays"}),
    "one word": ("EXTEND 48 h\nWHY Christmas", {"deadline-changed": "Christmas"}),
    "a slip": ("EXTEND 48 h\nWHY a bug", {"deadline-changed": "a bug"}),
}


@pytest.mark.parametrize(("body", "logged"), CASES.values(), ids=CASES)
def test_each_act_has_its_reason(ana: Desk, body: str, logged: dict[str, str | None]) -> None:
    say(ana, body)
    assert reasons(ana) == logged


def test_the_players_read_each_reason_with_its_act(ana: Desk) -> None:
    answer, told = say(ana, "SET nmr=postpone\nWHY alpha\nEXTEND 48 h\nWHY beta")
    assert len(told) == 2 and not any("alpha" in text and "beta" in text for text in told)
    assert "as the players read it: “alpha”" in answer


def test_a_question_is_answered_and_told_to_nobody(ana: Desk) -> None:
    ana.pass_time(hours=24)
    ana.receive()
    answer, told = say(ana, "EXTEND 48 h\nWHY holidays\nWHY A VIE")
    assert "Austria gave no order" in answer
    assert len(told) == 1 and "holidays" in told[0] and "VIE" not in told[0]
