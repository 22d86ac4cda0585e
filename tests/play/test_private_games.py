"""A private game (``entry.private``): whoever has no part in it is answered as if it were not there."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message
from typing import Any

import pytest

from judge.play import setup
from judge.store import games, rulings
from judge.variants import load_rules

pytestmark = pytest.mark.slow

Desk = Any
JUDGE = "judge@judge.example.org"
COMMANDS = (
    "SHOW quiet7",
    "RULES quiet7",
    "SUMMARY quiet7",
    "HISTORY quiet7",
    "JOIN quiet7",
    "OBSERVE quiet7",
    "LEAVE quiet7",
)


def said(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


@pytest.fixture
def club(desk: Desk) -> Desk:
    """Besides the running game a private one, for which one waits."""
    rules = replace(load_rules("standard"), powers_assign="best-ranks", entry_private="yes")
    wishes = [("ana@example.org", ())]
    setup.create_game(desk.judge, "quiet7", rules=rules, wishes=wishes, now=desk.now)
    return desk


def write(desk: Desk, body: str, sender: str) -> list[Message]:
    return desk.post(body, "Mia", sender=sender, to=JUDGE)  # type: ignore[no-any-return]


@pytest.mark.parametrize("command", COMMANDS)
def test_nobody_else_can_tell_it_from_a_game_that_is_not_there(club: Desk, command: str) -> None:
    (private,) = write(club, command, "mia@example.org")
    (absent,) = write(club, command.replace("quiet7", "nosuch"), "mia@example.org")
    assert "There is no game of that name" in said(private)
    assert said(private).replace("quiet7", "nosuch") == said(absent)
    assert len(rulings.wishes(club.judge.store, games.get(club.judge.store, "quiet7").id)) == 1


def test_list_tells_of_it_those_alone_who_take_part(club: Desk) -> None:
    (mine,) = write(club, "LIST", "Ana@Example.org")
    (theirs,) = write(club, "LIST", "mia@example.org")
    assert "quiet7" in said(mine) and "spring42" in said(mine)
    assert "quiet7" not in said(theirs) and "spring42" in said(theirs)


def test_who_waits_for_a_power_is_shown_it_and_may_leave(club: Desk) -> None:
    (shown,) = write(club, "SHOW quiet7", "ana@example.org")
    assert "QUIET7" in said(shown) and "no game of that name" not in said(shown)
    (asked,) = write(club, "LEAVE quiet7", "ana@example.org")
    club.post("YES", "Ana", sender="ana@example.org", to=asked["Reply-To"], answering=asked)
    assert not rulings.wishes(club.judge.store, games.get(club.judge.store, "quiet7").id)
    (gone,) = write(club, "SHOW quiet7", "ana@example.org")
    assert "There is no game of that name" in said(gone)
