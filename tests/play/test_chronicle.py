"""The chart of a game's years: a year stands in it once its centres have changed hands."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from judge.play import rulings, turn
from judge.play.chronicle import years
from judge.store import games

Desk = Any


def told(desk: Desk) -> list[int]:
    return [one.year for one in years(desk.judge.store, games.get(desk.judge.store, "spring42"))]


@pytest.mark.parametrize(("phases", "there"), [(0, []), (1, []), (2, [1901]), (3, [1901]), (4, [1901, 1902])])
def test_a_year_stands_there_when_its_centres_have_changed_hands(desk: Desk, phases: int, there: list[int]) -> None:
    for _ in range(phases):
        turn.run_phase(desk.judge, "spring42", desk.now)
    assert told(desk) == there


def test_the_last_year_of_a_game_that_ends_with_it_stands_there(desk: Desk) -> None:
    rulings.change_rules(desk.judge, "spring42", [("victory.end.turn", "F1902")], who="Ana", now=desk.now)
    while games.get(desk.judge.store, "spring42").state == "running":
        desk.now += timedelta(days=1)
        turn.run_phase(desk.judge, "spring42", desk.now)
    assert told(desk) == [1901, 1902]


def test_a_year_that_a_draw_breaks_off_does_not(desk: Desk) -> None:
    for _ in range(3):
        turn.run_phase(desk.judge, "spring42", desk.now)
    for power in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"):
        desk.mail(power, "DRAW")
    assert games.get(desk.judge.store, "spring42").state == "ended"
    assert told(desk) == [1901]
