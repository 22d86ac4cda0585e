"""Issues of the DATC's chapter 4 that have alternatives but no case of their own in chapter 6: each under its key."""

from __future__ import annotations

from typing import Any

import pytest

from judge.rules import adjudicate
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
