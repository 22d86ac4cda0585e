"""Who shares an end: only powers that are still in the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.rules.board import Unit
from judge.rules.houserules import STANDARD
from judge.rules.position import Phase
from judge.rules.victory import end_by_clock, end_by_turn
from judge.variants import load_board

BOARD = load_board()
FOUR = {"par": "France", "mar": "France", "ber": "Germany", "mun": "Germany"}

#: name -> owners, units, what is counted, who wins
CASES = {
    "centres without any unit": (FOUR, (), "units", ("France", "Germany")),
    "one unit is more than none": (FOUR, (Unit("Italy", "A", "rom"),), "units", ("Italy",)),
    "units without any centre": (
        {},
        (Unit("Italy", "A", "rom"), Unit("Turkey", "F", "bla")),
        "centres",
        ("Italy", "Turkey"),
    ),
    "nobody is left": ({}, (), "units", ()),
    "equal counts share": (FOUR, (), "centres", ("France", "Germany")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_power_that_is_out_of_the_game_shares_nothing(name: str) -> None:
    owners, units, what, winners = CASES[name]
    rules = replace(STANDARD, victory_end_turn="F1910", victory_end_counts=what, victory_clock_counts=what)
    by_turn = end_by_turn(BOARD, Phase("W", 1910, "A"), owners, iter(units), rules)
    assert by_turn is not None and by_turn.winners == winners
    assert set(by_turn.counts) == set(BOARD.powers)
    assert end_by_clock(BOARD, owners, iter(units), rules).winners == winners


def test_a_power_that_nobody_plays_shares_nothing_either() -> None:
    rules = replace(STANDARD, victory_clock_counts="units", powers_unplayed=("Germany",))
    assert end_by_clock(BOARD, FOUR, (), rules).winners == ("France",)
