"""What a turn and a mail cost does not grow with the length of the game: as many phases are loaded, and as many positions
laid out, in its thirteenth as in its fifth. Counted, not timed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from judge.play import setup, turn, verify
from judge.store import codec, games, orders
from judge.store.games import PhaseRow
from judge.variants import load_board, load_rules, with_key

Desk = Any
#: these order in every phase; Turkey has nothing left, but its player still reads along
ACTIVE = ("England", "France", "Germany")
#: what verifying finds: the game was set on a position without Turkey
SET_UP = ["S1901M: does not begin with the position that the phase before it led to"]

#: house rules -> who orders in every phase; the others order in the first alone, or (Italy) never
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "standard": ({}, ACTIVE),
    "civil disorder": ({"nmr": "civil-disorder"}, ACTIVE),
    "perpetual": ({"orders.perpetual": "yes"}, ACTIVE),
    "perpetual, all silent": ({"orders.perpetual": "yes"}, ()),
    "proxy": ({"orders.proxy": "yes"}, ACTIVE),
    "sealed": ({"orders.secrecy": "sealed", "orders.perpetual": "yes"}, ACTIVE),
}


class Long:
    """A game in which units only hold, so that each year is its two movements."""

    def __init__(self, desk: Desk, settings: dict[str, str], writers: tuple[str, ...]) -> None:
        self.desk, self.store, self.writers = desk, desk.judge.store, writers
        rules = load_rules("standard")
        for key, value in settings.items():
            rules = with_key(rules, key, value, load_board())
        players = {power: f"{power.lower()}@example.net" for power in load_board().powers}
        setup.create_game(desk.judge, "long", rules=rules, players=players, now=desk.now, early=True)
        setup.start_game(desk.judge, "long", desk.now)
        self._without_turkey()
        desk.work()
        desk.receive()

    def _without_turkey(self) -> None:
        phase = self.phase()
        was = codec.position_from_text(phase.position)
        units = tuple(unit for unit in was.units if unit.power != "Turkey")
        owners = {centre: power for centre, power in was.owners.items() if power != "Turkey"}
        position = codec.position_to_text(replace(was, units=units, owners=owners))
        with self.store.transaction():
            self.store.run("UPDATE phases SET position = ? WHERE id = ?", position, phase.id)

    def phase(self) -> PhaseRow:
        found = games.open_phase(self.store, games.get(self.store, "long").id)
        assert found is not None
        return found

    def turn(self) -> None:
        """Orders come in, the deadline passes, the results are written."""
        phase = self.phase()
        first = phase.number == 1
        with self.store.transaction():
            for unit in codec.position_from_text(phase.position).units:
                if unit.power in self.writers or (first and unit.power != "Italy"):
                    province = unit.at.partition("/")[0]
                    text = f"{unit.type} {unit.at} H".upper()
                    orders.hold(self.store, phase.id, unit.power, province, text, None, self.desk.now)
        assert phase.deadline is not None
        self.desk.now = phase.deadline
        turn.run_phase(self.desk.judge, "long", self.desk.now)
        self.desk.work()
        self.desk.receive()

    def mail(self) -> None:
        """Somebody writes in the open phase, and the judge thinks about running it early."""
        self.desk.now += timedelta(minutes=1)
        to = self.desk.reply_to("England", "long")
        body = "F Lon H\nSTATUS\nREADY" if "England" in self.writers else "STATUS\nREADY"
        self.desk.mail("England", body, to=to, sender="england@example.net")

    def until(self, name: str) -> None:
        while self.phase().name != name:
            self.turn()


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How many phases are loaded meanwhile, and how many positions and results read."""
    seen: Counter[str] = Counter()

    def count(patch: pytest.MonkeyPatch, room: Any, name: str) -> None:
        does = getattr(room, name)

        def counted(*args: Any) -> Any:
            seen[name] += 1
            return does(*args)

        patch.setattr(room, name, counted)

    with monkeypatch.context() as patch:
        count(patch, games, "_phase")
        count(patch, codec, "position_from_text")
        count(patch, codec, "adjudication_from_text")
        yield seen


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "writers"), CASES.values(), ids=CASES)
def test_a_turn_costs_no_more_in_a_long_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], writers: tuple[str, ...]
) -> None:
    game = Long(desk, settings, writers)
    costs = {}
    for name in ("S1903M", "S1907M"):
        game.until(name)
        with counting(monkeypatch) as seen:
            game.turn()
            game.mail()
        costs[name] = dict(seen)
    assert costs["S1903M"]["_phase"] > 7, "the counting counts"
    assert costs["S1907M"] == costs["S1903M"]
    assert [one.text for one in verify.verify_game(desk.judge, games.get(game.store, "long"))] == SET_UP


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "perpetual, all silent"])
def test_to_verify_a_phase_costs_no_more_in_a_long_game(desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each phase is loaded as often as it is looked at, and its few predecessors only where something is repeated."""
    game = Long(desk, *CASES[name])
    loads = {}
    for until in ("S1903M", "S1905M", "S1907M"):
        game.until(until)
        with counting(monkeypatch) as seen:
            assert [one.text for one in verify.verify_game(desk.judge, games.get(game.store, "long"))] == SET_UP
        loads[until] = seen["_phase"]
    assert loads["S1907M"] - loads["S1905M"] == loads["S1905M"] - loads["S1903M"]
    # each phase is loaded to be adjudicated again, to see whether it counts, and for its seal
    assert loads["S1907M"] == 3 * 13 or name != "standard"
