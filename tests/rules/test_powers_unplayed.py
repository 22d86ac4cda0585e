"""``powers.unplayed``: what the engine makes of powers that nobody plays; each case comes out otherwise without the key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judge.rules import adjudicate, owing
from judge.rules.board import Unit
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.outcome import Adjudication, GivenOrder, Result
from judge.rules.position import Phase, Position
from judge.rules.victory import end_by_clock

SIX: HouseRules = replace(STANDARD, powers_unplayed=("Italy",))


def position(bench: Any, phase: str, units: str, **owners: str) -> Position:
    standing = []
    for text in units.split(", "):
        power, kind, at = text.split()
        standing.append(Unit(bench.powers[power], kind, at))  # type: ignore[arg-type]
    owned = {centre: power for power, centres in owners.items() for centre in centres.split()}
    return Position(Phase.parse(phase), tuple(standing), owned)


def played(bench: Any, at: Position, rules: HouseRules, **orders: str) -> Adjudication:
    given = [
        GivenOrder(bench.powers[power], bench.parse(text)) for power, texts in orders.items() for text in texts.split(", ")
    ]
    return adjudicate(bench.board, at, given, rules)


def stand(result: Adjudication) -> set[str]:
    return {f"{unit.power[:3]} {unit.type} {unit.at}" for unit in result.units}


def test_its_units_hold_and_its_orders_are_void(bench: Any) -> None:
    at = position(bench, "S1901M", "Ita A ven, Fra A mar", Italy="ven", France="mar")
    orders = {"Ita": "A VEN-TRI", "Fra": "A MAR-PIE"}
    assert stand(played(bench, at, STANDARD, **orders)) == {"Ita A tri", "Fra A pie"}
    result = played(bench, at, SIX, **orders)
    assert stand(result) == {"Ita A ven", "Fra A pie"}
    first, second, held = result.outcomes
    assert (first.power, first.result, first.reason.code) == ("Italy", Result.VOID, "power-unplayed")
    assert first.reason.rule == "powers.unplayed"
    assert (second.power, second.result) == ("France", Result.SUCCEEDS)
    assert (held.power, held.filled_in, held.result) == ("Italy", True, Result.HOLDS)


def test_its_units_can_be_supported_in_holding(bench: Any) -> None:
    at = position(bench, "S1901M", "Ita A ven, Fra A tyr, Aus A tri, Aus A vie, Fra A pie")
    attack = {"Aus": "A TRI-VEN, A VIE H", "Fra": "A TYR S A TRI-VEN, A PIE H"}
    assert "Aus A ven" in stand(played(bench, at, SIX, **attack))
    defended = {**attack, "Fra": "A TYR S A TRI-VEN, A PIE S A VEN"}
    assert "Ita A ven" in stand(played(bench, at, SIX, **defended))


def test_its_dislodged_units_disband_at_once_and_owners_change_then(bench: Any) -> None:
    at = position(bench, "F1901M", "Ita A ven, Aus A tri, Aus A tyr", Italy="ven rom", Austria="tri vie bud")
    orders = {"Aus": "A TRI-VEN, A TYR S A TRI-VEN"}
    waiting = played(bench, at, STANDARD, **orders)
    assert waiting.position.phase == Phase.parse("F1901R") and waiting.position.owners["ven"] == "Italy"
    result = played(bench, at, SIX, **orders)
    assert result.skipped == ("F1901R",)
    assert result.position.owners["ven"] == "Austria"
    assert not result.position.units_of("Italy")
    assert [(o.power, o.result) for o in result.aftermath] == [("Italy", Result.SUCCEEDS)]


@pytest.mark.parametrize("waive", ["allowed", "forbidden"])
def test_it_builds_nothing_and_nobody_waits_for_it(bench: Any, waive: Any) -> None:
    at = position(bench, "W1901A", "Ita A apu, Fra A par", Italy="ven rom nap", France="par mar")
    standard = replace(STANDARD, builds_waive=waive)
    six = replace(SIX, builds_waive=waive)
    assert set(owing(bench.board, at, standard)) == {"France", "Italy"}
    assert set(owing(bench.board, at, six)) == {"France"}
    orders = {"Fra": "A MAR B"}
    assert stand(played(bench, at, six, **orders)) == {"Ita A apu", "Fra A par", "Fra A mar"}
    assert all(outcome.power == "France" for outcome in played(bench, at, six, **orders).outcomes)
    if waive == "forbidden":
        assert "Ita A nap" in stand(played(bench, at, standard, **orders))


def test_its_removals_go_by_their_rule_without_waiting(bench: Any) -> None:
    at = position(bench, "F1901M", "Ita A ven, Ita A ukr, Aus A vie", Italy="ven", Austria="vie")
    assert played(bench, at, STANDARD, Aus="A VIE H").position.phase == Phase.parse("W1901A")
    result = played(bench, at, SIX, Aus="A VIE H")
    assert result.position.phase == Phase.parse("S1902M")
    assert result.position.units_of("Italy") == (Unit("Italy", "A", "ven"),)


ITALY_FIRST = {"Italy": "rom ven nap tun", "France": "par mar bre", "Austria": "vie bud tri"}


@pytest.mark.parametrize(
    ("ending", "standard", "six"),
    [
        ({"victory_centres": 4}, ("Italy",), None),
        ({"victory_centres": 3}, ("Austria", "France", "Italy"), ("Austria", "France")),
        ({"victory_end_turn": "F1905"}, ("Italy",), ("Austria", "France")),
        ({"victory_end_turn": "F1905", "victory_end_counts": "units"}, ("Italy",), ("France",)),
    ],
)
def test_it_never_wins(bench: Any, ending: dict[str, Any], standard: Any, six: Any) -> None:
    at = position(bench, "F1905M", "Ita A rom, Ita A ven, Ita F nap, Fra A par, Fra A mar, Aus A vie", **ITALY_FIRST)
    when = {"victory_end_when": "before-adjustments", **ending}
    for rules, winners in ((STANDARD, standard), (SIX, six)):
        end = adjudicate(bench.board, at, (), replace(rules, **when)).end
        assert (end.winners if end else None) == winners
        if end is not None:
            assert "Italy" in end.counts  # its centres are told all the same


def test_nor_by_the_clock(bench: Any) -> None:
    at = position(bench, "F1905M", "Ita A rom", **ITALY_FIRST)
    assert end_by_clock(bench.board, at.owners, at.units, STANDARD).winners == ("Italy",)
    assert end_by_clock(bench.board, at.owners, at.units, SIX).winners == ("Austria", "France")
