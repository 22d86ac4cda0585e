"""Issues of the DATC's chapter 4 that have alternatives but no case of their own in chapter 6: each under its key."""

from __future__ import annotations

from typing import Any

import pytest

from judge.rules import adjudicate, owing
from judge.rules.orders import Hold, Support
from judge.rules.outcome import GivenOrder, Result


@pytest.mark.parametrize(
    ("of_power", "rules", "reasons"),
    [
        # 4.C.5: no nationality
        (None, {}, ["replaced", "given"]),
        (None, {"units_missing_nationality": "void"}, ["nationality-missing", "given"]),
        (None, {"units_missing_nationality": "yields"}, ["nationality-yields", "given"]),
        # 4.C.6: a wrong one
        ("Austria", {}, ["replaced", "given"]),
        ("Austria", {"units_wrong_nationality": "void"}, ["nationality-wrong", "given"]),
        ("Austria", {"units_wrong_nationality": "yields"}, ["nationality-yields", "given"]),
        # the right one never gives way
        ("Italy", {"units_missing_nationality": "yields", "units_wrong_nationality": "yields"}, ["replaced", "given"]),
    ],
)
def test_nationality_of_a_supported_unit(
    bench: Any, of_power: str | None, rules: dict[str, str], reasons: list[str]
) -> None:
    """4.C.5, 4.C.6: the flawed support stands first, a sound order for the same unit last: the sound one counts."""
    flawed = Support("A", "bur", "A", "tyr", "mun", of_power)
    result = _italy(bench, [flawed, Support("A", "bur", "A", "ruh")], rules)
    assert [o.reason.code for o in result.outcomes[:2]] == reasons
    assert ("Italy", "mun") not in _stand(result)


@pytest.mark.parametrize(
    ("of_power", "key", "value", "moved"),
    [
        (None, "units_missing_nationality", "valid", True),
        (None, "units_missing_nationality", "void", False),
        (None, "units_missing_nationality", "yields", False),
        ("Austria", "units_wrong_nationality", "ignored", True),
        ("Austria", "units_wrong_nationality", "void", False),
        ("Austria", "units_wrong_nationality", "yields", False),
    ],
)
def test_flawed_support_behind_a_sound_order(bench: Any, of_power: str | None, key: str, value: str, moved: bool) -> None:
    """4.C.5, 4.C.6: of two orders the last counts, unless it gives way for its flaw."""
    flawed = Support("A", "bur", "A", "tyr", "mun", of_power)
    result = _italy(bench, [Hold("A", "bur"), flawed], {key: value})
    assert (("Italy", "mun") in _stand(result)) is moved
    if value == "yields":
        assert (result.outcomes[1].result, result.outcomes[1].reason.rule) == (Result.VOID, f"units.{key[6:]}")


@pytest.mark.parametrize(("of_power", "key"), [(None, "units_missing_nationality"), ("Austria", "units_wrong_nationality")])
def test_alone_a_flawed_support_counts(bench: Any, of_power: str | None, key: str) -> None:
    """Where nothing else was ordered, there is nothing to give way to; "void" voids it all the same."""
    flawed = [Support("A", "bur", "A", "tyr", "mun", of_power)]
    assert ("Italy", "mun") in _stand(_italy(bench, flawed, {key: "yields"}))
    assert ("Italy", "mun") not in _stand(_italy(bench, flawed, {key: "void"}))


def test_of_flawed_orders_alone_the_last_counts(bench: Any) -> None:
    """Two flawed orders: neither gives way to the other, orders.duplicate decides."""
    flawed = [Support("A", "bur", "A", "tyr", None), Support("A", "bur", "A", "tyr", "mun")]
    for duplicate, moved in (("last", True), ("first", False), ("void", False)):
        rules = {"units_missing_nationality": "yields", "orders_duplicate": duplicate}
        # a hold support of TYR from BUR is not legal, so it never competes
        assert ("Italy", "mun") in _stand(_italy(bench, flawed, rules))
        rivals = [Support("A", "bur", "A", "mun", None), Support("A", "bur", "A", "tyr", "mun")]
        assert (("Italy", "mun") in _stand(_italy(bench, rivals, rules))) is moved, duplicate


def test_own_units_need_no_nationality(bench: Any) -> None:
    """4.C.5 is about other powers' units."""
    position = bench.position(
        {"phase": "S1901M", "units": [_unit("France", "A bur"), _unit("France", "A gas"), _unit("Germany", "A mar")]}
    )
    given = [GivenOrder("France", bench.parse(text)) for text in ("A BUR S A GAS-MAR", "A GAS-MAR", "A BUR H")]
    rules = bench.preset("standard", units_missing_nationality="yields", orders_duplicate="first")
    result = adjudicate(bench.board, position, given, rules)
    assert ("France", "mar") in _stand(result)


def _italy(bench: Any, orders: list[Any], rules: dict[str, str]) -> Any:
    row = {
        "phase": "S1901M",
        "units": [_unit("France", "A bur"), _unit("France", "A ruh"), _unit("Italy", "A tyr"), _unit("Germany", "A mun")],
    }
    given = [*(GivenOrder("France", order) for order in orders), GivenOrder("Italy", bench.parse("A TYR-MUN"))]
    return adjudicate(bench.board, bench.position(row), given, bench.preset("standard", **rules))


def _unit(power: str, text: str) -> dict[str, str]:
    type_, at = text.split()
    return {"power": power, "type": type_, "at": at}


def _stand(result: Any) -> list[tuple[str, str]]:
    return [(u.power, u.at) for u in result.units]


#: 4.E.6: Italy owns three centres and stands with four units, by a mistake; TYS is the farthest from a centre it owns.
_SURPLUS = {
    "units": [
        _unit("Italy", "A ven"),
        _unit("Italy", "A rom"),
        _unit("Italy", "F nap"),
        _unit("Italy", "F tys"),
        _unit("France", "F wes"),
    ],
    "centres": {"Italy": ["ven", "rom", "nap"], "France": ["mar", "par"]},
    "orders": [
        {"power": "Italy", "text": "A ROM H"},
        {"power": "Italy", "text": "F TYS-TUN"},
        {"power": "France", "text": "F WES-TYS"},
    ],
}
_ALL = ["F nap", "A rom", "F tun", "A ven"]
_THREE = ["F nap", "A rom", "A ven"]


@pytest.mark.parametrize(
    ("phase", "rules", "italy"),
    [
        ("S1903M", {}, _ALL),
        ("S1903M", {"removal_surplus": "at-once"}, _THREE),
        # units and centres are compared in Spring only, and not at the very beginning, where the board says what stands
        ("F1903M", {"removal_surplus": "at-once"}, _ALL),
        ("S1901M", {"removal_surplus": "at-once"}, _ALL),
    ],
)
def test_a_unit_too_many(bench: Any, phase: str, rules: dict[str, str], italy: list[str]) -> None:
    """4.E.6: kept until the next adjustments, or taken off before the movement: who attacks it then goes in unopposed."""
    result = bench.run({**_SURPLUS, "phase": phase}, bench.preset("standard", **rules))
    assert sorted((f"{u.type} {u.at}" for u in result.units if u.power == "Italy"), key=lambda u: u[2:]) == italy
    assert ("France", "tys") in _stand(result)
    if italy == _THREE:
        codes = [(o.result, o.reason.code, o.reason.rule) for o in result.outcomes]
        assert codes[1] == (Result.VOID, "gone-before", "removal.surplus")
        assert codes[-1] == (Result.SUCCEEDS, "removed-farthest", "removal.surplus")
        assert len(result.outcomes) == 3 + 2 + 1  # the three orders, two units without one, the removal
    else:
        assert all(o.reason.rule != "removal.surplus" for o in result.outcomes)


def test_a_unit_too_many_is_waited_for_only_if_it_stays(bench: Any) -> None:
    """Nothing is owed for a unit that will be taken off."""
    for value, owed in (("next-adjustments", 4), ("at-once", 3)):
        rules = bench.preset("standard", removal_surplus=value)
        position = bench.position({**_SURPLUS, "phase": "S1903M"}, rules)
        assert len(owing(bench.board, position, rules)["Italy"].units) == owed


def test_units_too_many_in_the_next_adjustments(bench: Any) -> None:
    """Under the default the unit fights on for the year and is removed in Winter, whichever its power names."""
    winter = {**_SURPLUS, "phase": "W1903A", "orders": [{"power": "Italy", "text": "A VEN D"}]}
    result = bench.run(winter)
    assert ("Italy", "ven") not in _stand(result)
    assert ("Italy", "tys") in _stand(result)


def test_where_no_owner_is_known_nothing_is_taken_off(bench: Any) -> None:
    """A position handed in without centres says nothing about units too many."""
    rules = bench.preset("standard", removal_surplus="at-once")
    result = bench.run({**_SURPLUS, "centres": None, "phase": "S1903M"}, rules)
    assert ("Italy", "tun") in _stand(result)


def test_ordinary_games_do_not_change(bench: Any, recorded_games: Any) -> None:
    """Real games, movement by movement, under both values: nothing differs where nobody made a mistake."""
    at_once = bench.preset("standard", removal_surplus="at-once")
    seen = 0
    for row in recorded_games:
        if row["phase"].endswith("M") and row["phase"].startswith("S"):
            assert bench.run(row, at_once) == bench.run(row)
            seen += 1
    assert seen > 20
