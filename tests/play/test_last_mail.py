"""The last result mail of a game that is played: the rule that ended it, and the final standing out of the store."""

from __future__ import annotations

import re
from email.message import Message
from typing import Any

import pytest

from judge.play import setup
from judge.rules.board import Unit
from judge.rules.position import Phase, Position
from judge.store import codec, games
from judge.variants import load_board, load_rules, with_key

Desk = Any

ENDS = {
    "a last turn": (
        "standard", ("victory.end.turn=S1901",), 1,
        "Russia wins: Spring 1901 was the agreed last turn, and nobody has more than 4 centres.",
    ),
    "a last turn, by units, before the adjustments": (
        "standard", ("victory.end.turn=F1901", "victory.end.counts=units", "victory.end.when=before-adjustments"), 2,
        "nobody has more than 4 units. The count is taken before the adjustments of that Fall.",
    ),
    "a number of centres": (
        "china", ("victory.centres=3",), 2,
        "Austria with 3 centres, England with 3 centres, France with 3 centres, Germany with 3 centres, Italy with 3"
        " centres, Russia with 4 centres and Turkey with 3 centres after 01-F. Whoever holds 3 supply centres",
    ),
    "a length of time": (
        "china", ("victory.clock.after=2 h",), 1,
        "Russia wins: the agreed time is over, and nobody has more than 4 centres."
        " The game ends with the phase that is running 2 hours after its start",
    ),
}  # fmt: skip


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def begin(desk: Desk) -> Any:
    """``begin(preset, "key=value", ...)``: the game "other" of two players, started, its first mails read."""

    def make(preset: str, *settings: str) -> Desk:
        rules = load_rules(preset)
        for key, _, value in (text.partition("=") for text in settings):
            rules = with_key(rules, key, value, load_board())
        players = {"France": "france@example.net", "Russia": "russia@example.net"}
        setup.create_game(desk.judge, "other", rules=rules, players=players, now=desk.now)
        setup.start_game(desk.judge, "other", desk.now)
        desk.work()
        desk.receive()
        return desk

    return make


def results(desk: Desk) -> list[Message]:
    desk.work()
    return [m for m in desk.receive() if m["To"].endswith("@example.net")]


@pytest.mark.parametrize("name", ENDS)
def test_the_last_result_says_what_ended_the_game(name: str, begin: Any) -> None:
    preset, settings, phases, said = ENDS[name]
    desk = begin(preset, *settings)
    for _ in range(phases - 1):
        desk.pass_time(hours=25)
        assert not any("THE FINAL STANDING" in text_of(mail) for mail in results(desk))
    desk.pass_time(hours=25)
    last = results(desk)
    assert games.get(desk.judge.store, "other").state == "ended" and len(last) == 2
    for mail in last:
        text = text_of(mail)
        assert said in text
        assert re.search(r"THE FINAL STANDING centres units Russia 4 4 \w+", text) or "shares the draw" in text
        assert all(f"{power} 3 3" in text for power in ("Austria", "England", "France", "Germany", "Italy", "Turkey"))


def test_who_is_out_is_told_since_when(begin: Any) -> None:
    """From the store: the years of the phases that were played, not a guess."""
    desk = begin("standard", "victory.end.turn=F1902")
    store = desk.judge.store
    game = games.get(store, "other")
    first = games.open_phase(store, game.id)
    assert first is not None
    units = (Unit("Russia", "A", "vie"), Unit("Russia", "A", "mos"), Unit("France", "A", "par"))
    owners = {"tri": "Austria", "bud": "Austria", "mos": "Russia", "par": "France"}
    few = Position(Phase.parse("S1901M"), (*units, Unit("Russia", "A", "tri"), Unit("Russia", "A", "bud")), owners)
    with store.transaction():
        store.run("UPDATE phases SET position = ? WHERE id = ?", codec.position_to_text(few), first.id)
    while games.get(store, "other").state == "running":
        desk.pass_time(hours=25)
    text = text_of(results(desk)[-1])
    standing = text.partition("THE FINAL STANDING")[2]
    assert re.search(r"Austria 0 0 out since 1901", standing) and re.search(r"Turkey 0 0 out since 1901", standing)
