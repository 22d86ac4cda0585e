"""A unit too many that a mistake left on the board (``removal.surplus``, DATC 4.E.6), in a game by mail."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message
from typing import Any

import pytest

from judge.play import rulings
from judge.play.judge import open_table
from judge.play.verify import verify_game
from judge.rules.board import Unit
from judge.store import codec, games

Desk = Any


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.mark.parametrize("value", ["next-adjustments", "at-once"])
def test_a_unit_too_many_in_spring(desk: Desk, value: str) -> None:
    """France stands with a fleet more than it has centres: its result says what was taken off and why, and that its order
    for it was void; under the default the fleet fights on."""
    rulings.change_rules(desk.judge, "spring42", [("removal.surplus", value)], who="Ana", now=desk.now)
    while desk.show()["phase"] != "S1902M":
        desk.pass_time(hours=25)
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    assert table is not None
    wrong = replace(table.position, units=(*table.position.units, Unit("France", "F", "nao")))
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE phases SET position = ? WHERE id = ?", codec.position_to_text(wrong), table.phase.id)
    missing = next(s["missing"] for s in desk.show()["seats"] if s["power"] == "France")
    assert ("F NAO" in missing) is (value == "next-adjustments")
    desk.receive()
    desk.mail("France", "F NAO - Cly\nA Par H\nA Mar H\nF Bre H")
    desk.pass_time(hours=25)
    text = text_of(next(m for m in desk.receive() if m["To"].startswith("france")))
    assert any(u["at"] == "cly" for u in desk.show()["units"]) is (value == "next-adjustments")
    if value == "at-once":
        assert "F North Atlantic" in text and "was removed" in text
        assert "was taken off before the movement: its power had more units than centres" in text
        assert "removal.surplus = at-once" in text
    else:
        assert "removal.surplus" not in text
    # the position was never led to, which is what a verification is for; what followed from it is as it should be
    faults = [one.text for one in verify_game(desk.judge, games.get(desk.judge.store, "spring42"))]
    assert faults == ["S1902M: does not begin with the position that the phase before it led to"]
