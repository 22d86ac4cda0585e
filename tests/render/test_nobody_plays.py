"""The last mail of a game with a power that nobody plays, and nothing in it about phases that will not come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judge.render.facts import EndFacts, ResultFacts
from judge.render.mails import render
from judge.rules import adjudicate
from judge.rules.board import Board, Unit
from judge.rules.houserules import STANDARD
from judge.rules.orders import Move, Support
from judge.rules.outcome import GameEnd, GivenOrder
from judge.rules.position import Phase, Position, starting_position

LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")
LEFT_OUT = "Italy has {}, but nobody plays this power, so that counts for nobody."
ENDS = [
    ("victory.end.turn", ("France",), {"Italy": 20, "France": 14}, "no other player has more than 14 centres", "20 centres"),
    ("victory.clock", ("France",), {"Italy": 20, "France": 14}, "no other player has more than 14 centres", "20 centres"),
    ("victory.end.turn", ("France",), {"Italy": 14, "France": 14}, "no other player has more than 14 centres", "14 centres"),
    (
        "victory.end.turn",
        ("France", "Turkey"),
        {"Italy": 20, "France": 7, "Turkey": 7},
        "level with 7 centres",
        "20 centres",
    ),
    ("victory.centres", ("France",), {"Italy": 19, "France": 18}, "18 centres after", "19 centres"),
    ("victory.end.turn", ("France",), {"Italy": 13, "France": 21}, "nobody has more than 21 centres", ""),
]


@pytest.mark.parametrize(("by", "winners", "counts", "said", "left_out"), ENDS)
def test_a_power_that_nobody_plays_is_told_to_be_left_out(
    by: str, winners: tuple[str, ...], counts: dict[str, int], said: str, left_out: str, common: Any, board: Board
) -> None:
    rules = replace(STANDARD, powers_unplayed=("Italy",), victory_end_turn="F1902")
    at = starting_position(board)
    end = GameEnd(by, winners, counts)
    facts = EndFacts(common(phase="F1902M", rules=rules), end, replace(at, phase=Phase("F", 1902, "M")), ())
    text = " ".join(render(facts).text.split())
    assert said in text
    assert (LEFT_OUT.format(left_out) in text) is bool(left_out)
    assert ("so that counts for nobody" in text) is bool(left_out)
    in_others = [render(facts, language).text for language in LANGUAGES[1:]]
    assert not any("nobody" in other for other in in_others)


def munich_falls(board: Board, common: Any, **changes: Any) -> ResultFacts:
    """Germany, which nobody plays, loses Munich to France, and has one unit too many or not."""
    rules = replace(STANDARD, powers_unplayed=("Germany",), **changes)
    units = (
        Unit("France", "A", "bur"),
        Unit("France", "A", "ruh"),
        Unit("Germany", "A", "mun"),
        Unit("Germany", "A", "ber"),
    )
    owners = {"par": "France", "mun": "Germany", "ber": "Germany", "mar": "France"}
    before = Position(Phase("F", 1901, "M"), units, owners)
    orders = [
        GivenOrder("France", Move("A", "bur", "mun")),
        GivenOrder("France", Support("A", "ruh", "A", "bur", "mun")),
    ]
    return ResultFacts(common(phase="F1901M", rules=rules), before, adjudicate(board, before, orders, rules))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_unit_that_nobody_plays_is_disbanded_once(language: str, board: Board, common: Any) -> None:
    facts = munich_falls(board, common)
    assert any(outcome.unit == Unit("Germany", "A", "mun") for outcome in facts.adjudication.aftermath)
    text = " ".join(render(facts, language).text.split())
    once = {"en": "without a choice", "ja": "選ぶ余地", "zh-Hans": "别无选择", "zh-Hant": "別無選擇"}[language]
    assert once not in text.lower()


def test_what_other_units_go_by_rule_is_told_as_before(board: Board, common: Any) -> None:
    facts = munich_falls(board, common)
    units = (*facts.before.units, Unit("Germany", "A", "sil"))
    before = replace(facts.before, units=units, owners={"par": "France", "mar": "France"})
    crowded = adjudicate(board, before, [], facts.common.rules)
    assert crowded.aftermath
    text = render(replace(facts, before=before, adjudication=crowded)).text.lower()
    assert "without a choice" in text


@pytest.mark.parametrize("over", [True, False])
def test_no_phase_is_passed_over_in_a_game_that_is_over(over: bool, board: Board, common: Any) -> None:
    facts = munich_falls(board, common)
    end = GameEnd("victory.end.turn", ("France",), {"France": 3}) if over else None
    adjudication = replace(facts.adjudication, skipped=("F1901R", "W1901A"), end=end)
    text = render(replace(facts, adjudication=adjudication)).text
    assert ("it is passed over" in " ".join(text.split())) is not over
