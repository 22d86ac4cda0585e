"""The rows JP-1 to JP-27 and CN-1 to CN-20 that the engine decides, each on a position that would come out otherwise.

Movements are a table (data/rows.toml, and rows_corners.toml for their corners); ends, retreats and adjustments follow
below it and in test_house_rules_corners.py. A row with a key is proved to bite: with that key alone turned to another value,
what the test expects no longer comes out, and then the reasons of the orders name the key.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from judge.render.reasons import sentence
from judge.rules import adjudicate, owing
from judge.rules.houserules import HouseRules, keys
from judge.rules.orders import Move
from judge.rules.outcome import Adjudication, GivenOrder, Outcome
from judge.rules.position import Phase, Position, starting_position
from judge.rules.victory import end_by_clock

PRESETS = ("standard", "japan-1910", "china")
_DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = [
    case
    for name in ("rows.toml", "rows_corners.toml")
    for case in tomllib.loads((_DATA / name).read_text(encoding="utf-8"))["case"]
]
_IDS = [case["row"].replace(" ", "-") for case in CASES]


def _fought(bench: Any, case: dict[str, Any], rules: HouseRules) -> Adjudication:
    result: Adjudication = bench.fight(case["orders"], rules, silent=case.get("silent", ""))
    return result


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("case", CASES, ids=_IDS)
def test_row(bench: Any, case: dict[str, Any], preset: str) -> None:
    expect = case["after"].get("all") or case["after"][preset]
    rules = bench.preset(preset)
    assert bench.told(_fought(bench, case, rules)) == _sorted(expect)
    if preset in case.get("bites", ()):
        for other in case["others"]:
            changed = _fought(bench, case, bench.turned(rules, case["key"], other))
            assert bench.told(changed) != _sorted(expect), f"the test does not feel {case['key']} = {other}"


@pytest.mark.parametrize(
    ("case", "preset"),
    [
        pytest.param(case, preset, id=f"{name}-{preset}")
        for case, name in zip(CASES, _IDS, strict=True)
        for preset in case.get("bites", ())
    ],
)
def test_a_row_that_decides_is_named_in_the_reasons(bench: Any, case: dict[str, Any], preset: str) -> None:
    """Of the orders that fare otherwise with the key turned, one names the key, and its sentence the value as well."""
    key, rules = case["key"], bench.preset(preset)
    for other in case["others"]:
        changed = bench.turned(rules, key, other)
        runs = [_last_orders(bench, case, each, key, rules, changed) for each in (rules, changed)]
        speaks, silent, asked = (runs[1], runs[0], changed) if case.get("unsaid") else (runs[0], runs[1], rules)
        reasons = [
            mine.reason
            for mine, theirs in zip(speaks, silent, strict=True)
            if (mine.result, mine.reason) != (theirs.result, theirs.reason)
        ]
        named = [reason for reason in reasons if reason.rule == key]
        assert named, (other, reasons)
        value = getattr(asked, keys()[key].field)
        said = str(value).lower() if isinstance(value, bool) else value
        assert all(f"{key} = {said}" in sentence(reason, rules=asked) for reason in named)


def _last_orders(
    bench: Any, case: dict[str, Any], rules: HouseRules, key: str, one: HouseRules, two: HouseRules
) -> Sequence[Outcome]:
    """The outcomes in which the key shows: of the movement, or, for a key of retreats, of those to the places in dispute."""
    result = _fought(bench, case, rules)
    if not key.startswith("retreat."):
        return result.outcomes
    first, second = (_fought(bench, case, each).dislodged for each in (one, two))
    given = [
        GivenOrder(a.unit.power, Move(a.unit.type, a.unit.at, place))
        for a, b in zip(first, second, strict=True)
        for place in sorted(set(a.retreats) ^ set(b.retreats))
    ]
    return adjudicate(bench.board, result.position, given, rules).outcomes[: len(given)]


def _sorted(expect: str) -> str:
    units, slash, out = expect.partition(" / ")
    return ", ".join(sorted(units.split(", "))) + slash + out


def test_every_case_with_a_key_bites_somewhere() -> None:
    assert all(case.get("bites") and case.get("others") for case in CASES if "key" in case)
    assert all(set(case["after"]) in ({"all"}, set(PRESETS)) for case in CASES)
    assert len(set(_IDS)) == len(_IDS)


ROWS = (*(f"JP-{number}" for number in range(1, 28)), *(f"CN-{number}" for number in range(1, 21)))


@pytest.mark.parametrize("row", ROWS)
def test_no_row_is_lost(row: str) -> None:
    """Each row of the two rule books has a test of its own name: a case of the table, or a function ``test_jp_5_...``."""
    assert row in _rows_with_a_test()


@cache
def _rows_with_a_test() -> frozenset[str]:
    found = {case["row"].split()[0] for case in CASES}
    for path in Path(__file__).parents[1].rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                named = re.findall(r"_(jp|cn)_(\d+)(?=_|$)", node.name)
                if len(named) == 1:  # one that shares its name with another row is none of its own
                    found.update(f"{book.upper()}-{number}" for book, number in named)
    return frozenset(found)


# ── how a game ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def _owned(bench: Any, counts: dict[str, int], phase: str, units: tuple[Any, ...] = ()) -> Position:
    """A position in which each power owns so many centres (never those that ``units`` stand on)."""
    free = [c for c in bench.board.supply_centres() if c not in {u.province for u in units}]
    owners: dict[str, str] = {}
    for power, count in counts.items():
        for _ in range(count):
            owners[free.pop()] = power
    return Position(Phase.parse(phase), units, owners)


def _ends(bench: Any, position: Position, rules: HouseRules, *orders: tuple[str, str]) -> Any:
    given = [GivenOrder(power, bench.parse(text)) for power, text in orders]
    return adjudicate(bench.board, position, given, rules)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("before", "wins"), [(16, False), (17, True)])
def test_jp_2_eighteen_centres_win_when_they_change_hands(bench: Any, preset: str, before: int, wins: bool) -> None:
    army = bench.unit({"power": "France", "type": "A", "at": "par"})
    position = _owned(bench, {"France": before, "Russia": 12}, "F1905M", (army,))
    result = _ends(bench, position, bench.preset(preset), ("France", "A PAR H"))
    assert len(result.position.centres("France")) == before + 1
    assert (result.end is not None) == wins
    if wins:
        assert (result.end.ended_by, result.end.winners) == ("victory.centres", ("France",))
        assert result.end.counts["France"] == 18
    spring = _ends(bench, replace(position, phase=Phase.parse("S1905M")), bench.preset(preset), ("France", "A PAR H"))
    assert spring.end is None  # owners do not change in spring


def _war_of_1910(bench: Any) -> tuple[Any, ...]:
    texts = ["France A par", "France A mar", "Germany A ber", "Germany A mun", "Germany A sil", "Russia A mos"]
    return tuple(bench.unit(dict(zip(("power", "type", "at"), text.split(), strict=True))) for text in texts)


def test_jp_3_most_units_after_the_adjustments_of_1910(bench: Any) -> None:
    """France has more centres at the end, Germany more units on the board: Germany wins."""
    units = _war_of_1910(bench)
    owners = {"ber": "Germany", "mun": "Germany", "kie": "Germany", "mos": "Russia"} | dict.fromkeys(
        ("par", "mar", "bre", "spa", "por", "bel"), "France"
    )
    occupied = {"bre": "Italy", "spa": "Italy"}  # France's other home centre is not free to build in
    guests = tuple(bench.unit({"power": power, "type": "F", "at": "bre"}) for power in list(occupied.values())[:1])
    position = Position(Phase.parse("F1910M"), units + guests, owners)
    rules = bench.preset("japan-1910")
    fall = adjudicate(bench.board, position, (), rules)
    # nobody can do anything in the adjustments but Germany nothing, so they are passed over and the game is over
    assert fall.end is not None
    assert fall.end.ended_by == "victory.end.turn"
    assert [fall.end.counts[power] for power in ("France", "Germany", "Italy", "Russia")] == [2, 3, 1, 1]
    assert fall.end.winners == ("Germany",)
    by_centres = adjudicate(bench.board, position, (), bench.turned(rules, "victory.end.counts", "centres"))
    assert by_centres.end is not None and by_centres.end.winners == ("France",)
    for preset in ("standard", "china"):
        assert adjudicate(bench.board, position, (), bench.preset(preset)).end is None


@pytest.mark.parametrize(("when", "winners"), [("after-adjustments", ("France",)), ("before-adjustments", ("Germany",))])
def test_jp_3_counts_after_the_adjustments(bench: Any, when: str, winners: tuple[str, ...]) -> None:
    """France builds two in the adjustments of 1910: counted after them it has the most, before them Germany."""
    owners = {"ber": "Germany", "mun": "Germany", "kie": "Germany", "mos": "Russia"} | dict.fromkeys(
        ("par", "mar", "bre", "spa"), "France"
    )
    units = tuple(unit for unit in _war_of_1910(bench) if unit.at != "par")
    rules = bench.preset("japan-1910", victory_end_when=when)
    result = adjudicate(bench.board, Position(Phase.parse("F1910M"), units, owners), (), rules)
    if when == "after-adjustments":
        assert result.end is None
        assert str(result.position.phase) == "W1910A"
        assert owing(bench.board, result.position, rules)["France"].builds == 2
        orders = [GivenOrder("France", bench.parse(text)) for text in ("A PAR B", "F BRE B")]
        # a third unit: Marseilles stands, Paris and Brest are built; Germany keeps three
        fuller = replace(result.position, units=(*result.position.units, _spain(bench)))
        result = adjudicate(bench.board, fuller, orders, rules)
        assert result.end is not None and result.end.counts["France"] == 4
    assert result.end is not None and result.end.winners == winners


def _spain(bench: Any) -> Any:
    return bench.unit({"power": "France", "type": "A", "at": "spa"})


def test_jp_3_equal_counts_share_and_eighteen_centres_come_first(bench: Any) -> None:
    rules = bench.preset("japan-1910")
    units = tuple(u for u in _war_of_1910(bench) if u.at != "sil")
    owners = {"par": "France", "mar": "France", "ber": "Germany", "mun": "Germany", "mos": "Russia"}
    tie = adjudicate(bench.board, Position(Phase.parse("F1910M"), units, owners), (), rules)
    assert tie.end is not None and tie.end.winners == ("France", "Germany")
    army = bench.unit({"power": "Russia", "type": "A", "at": "par"})
    many = tuple(bench.unit({"power": "France", "type": "A", "at": at}) for at in ("bur", "gas", "pic"))
    position = _owned(bench, {"Russia": 17, "France": 3}, "F1910M", (army, *many))
    first = adjudicate(bench.board, position, (), rules)
    assert first.end is not None
    assert (first.end.ended_by, first.end.winners) == ("victory.centres", ("Russia",))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_win_is_never_declared_before_a_retreat_that_could_change_it(bench: Any, preset: str) -> None:
    """France takes its eighteenth centre while a unit of Italy may still retreat onto one of the others."""
    units = tuple(
        bench.unit(dict(zip(("power", "type", "at"), text.split(), strict=True)))
        for text in ("France A tyr", "France A boh", "Italy A vie")
    )
    position = _owned(bench, {"France": 16}, "F1907M", units)
    position = replace(position, owners={c: p for c, p in position.owners.items() if c not in ("tri", "vie", "bud")})
    owners = dict(position.owners)
    extra = [c for c in bench.board.supply_centres() if c not in owners and c not in ("vie", "tri", "bud")]
    while len([c for c, p in owners.items() if p == "France"]) < 16:
        owners[extra.pop()] = "France"
    owners["tri"] = "France"
    position = replace(position, owners=owners)
    rules = bench.preset(preset)
    fall = _ends(bench, position, rules, ("France", "A TYR-VIE"), ("France", "A BOH S A TYR-VIE"), ("Italy", "A VIE H"))
    assert fall.end is None
    assert str(fall.position.phase) == "F1907R"
    assert len(fall.position.centres("France")) == 17
    away = _ends(bench, fall.position, rules, ("Italy", "A VIE-TRI"))
    assert away.end is None and len(away.position.centres("France")) == 17
    gone = _ends(bench, fall.position, rules, ("Italy", "A VIE D"))
    assert gone.end is not None and gone.end.winners == ("France",)


@pytest.mark.parametrize(
    ("counts", "phase", "ended_by", "winners"),
    [
        ({"France": 11, "Russia": 10, "Italy": 3}, "F1904R", "victory.centres", ("France", "Russia")),
        ({"France": 9, "Russia": 8}, "F1905R", "victory.end.turn", ("France",)),
        ({"France": 9, "Russia": 9, "Italy": 4}, "F1905R", "victory.end.turn", ("France", "Russia")),
        ({"France": 9, "Russia": 8}, "F1904R", None, ()),
    ],
)
def test_cn_1_ten_centres_or_05_f(
    bench: Any, counts: dict[str, int], phase: str, ended_by: str | None, winners: tuple[str, ...]
) -> None:
    rules = bench.preset("china", victory_centres=10, victory_end_turn="F1905")
    result = adjudicate(bench.board, _owned(bench, counts, phase), (), rules)
    assert (result.end and result.end.ended_by, result.end.winners if result.end else ()) == (ended_by, winners)
    if ended_by == "victory.centres":
        alone = adjudicate(bench.board, _owned(bench, counts, phase), (), bench.turned(rules, "victory.tie", "most"))
        assert alone.end is not None and alone.end.winners == ("France",)
    for preset in ("standard", "japan-1910"):
        assert adjudicate(bench.board, _owned(bench, counts, phase), (), bench.preset(preset)).end is None


def test_cn_1_by_the_clock(bench: Any) -> None:
    """An agreed clock time: the most centres as they are owned then."""
    position = _owned(bench, {"France": 9, "Russia": 9, "Italy": 4}, "S1903M")
    end = end_by_clock(bench.board, position.owners, position.units, bench.preset("china"))
    assert (end.ended_by, end.winners) == ("victory.clock", ("France", "Russia"))


def test_cn_1_a_spring_turn_can_be_the_last(bench: Any) -> None:
    rules = bench.preset("china", victory_end_turn="S1905")
    position = _owned(bench, {"France": 9, "Russia": 8}, "S1905M")
    end = adjudicate(bench.board, position, (), rules).end
    assert end is not None and end.winners == ("France",)
    assert adjudicate(bench.board, replace(position, phase=Phase.parse("F1904M")), (), rules).end is None


def test_cn_3_the_start(bench: Any) -> None:
    start = starting_position(bench.board)
    assert bench.unit({"power": "Russia", "type": "F", "at": "stp/sc"}) in start.units
    assert len(start.units) == 22
    assert str(start.phase) == "S1901M"  # JP-10
    assert {p: len(start.centres(p)) for p in bench.board.powers} == {
        p: 4 if p == "Russia" else 3 for p in bench.board.powers
    }  # CN-20: home centres are owned from the start


# ── retreats ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_RETREATS = {
    "phase": "S1902R",
    "units": [{"power": "France", "type": "A", "at": "mun"}],
    "dislodged": [
        {"power": "Germany", "type": "A", "at": "ber", "attacked_from": "pru"},
        {"power": "Austria", "type": "A", "at": "boh", "attacked_from": "vie"},
    ],
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("orders", "left"),
    [
        (["A BER-SIL", "A BOH-SIL"], "Fra A mun"),  # both to one province: both destroyed
        (["A BER-SIL", "A BOH D"], "Fra A mun, Ger A sil"),  # unless one disbands by choice
        (["A BER-PRU", "A BOH-GAL"], "Aus A gal, Fra A mun"),  # not where the attacker came from
        (["A BER-MUN", "A BOH-TYR"], "Aus A tyr, Fra A mun"),  # not where a unit stands
        ([], "Fra A mun"),
    ],
)
def test_jp_22_cn_13_retreats(bench: Any, preset: str, orders: list[str], left: str) -> None:
    given = [{"power": p, "text": text} for p, text in zip(("Germany", "Austria"), orders, strict=False)]
    assert bench.told(bench.run({**_RETREATS, "orders": given}, bench.preset(preset))) == left


@pytest.mark.parametrize(("preset", "left"), [("standard", "Ita F spa/sc"), ("japan-1910", "Ita F spa/sc"), ("china", "")])
def test_cn_13_a_retreating_fleet_must_name_the_coast(bench: Any, preset: str, left: str) -> None:
    row = {
        "phase": "S1902R",
        "units": [],
        "dislodged": [{"power": "Italy", "type": "F", "at": "mar", "attacked_from": "pie"}],
        "orders": [{"power": "Italy", "text": "F MAR-SPA"}],
    }
    rules = bench.preset(preset)
    assert bench.told(bench.run(row, rules)) == left
    if preset == "china":
        assert bench.told(bench.run(row, bench.turned(rules, "coast.unspecified", "infer"))) == "Ita F spa/sc"


# ── ownership and adjustments ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_25_cn_20_ownership(bench: Any, preset: str) -> None:
    """Taken in Fall alone, after the retreats; kept after leaving; fleets take centres too."""
    rules = bench.preset(preset)
    fleet = bench.unit({"power": "England", "type": "F", "at": "nth"})
    start = Position(Phase.parse("S1901M"), (fleet,), {"lon": "England"})
    spring = _ends(bench, start, rules, ("England", "F NTH-NWY"))
    assert spring.position.owners == {"lon": "England"}
    fall = _ends(bench, spring.position, rules, ("England", "F NWY H"))
    assert fall.position.owners == {"lon": "England", "nwy": "England"}
    left = replace(fall.position, phase=Phase.parse("S1902M"))
    next_fall = _ends(bench, _ends(bench, left, rules, ("England", "F NWY-NTH")).position, rules, ("England", "F NTH-NWG"))
    assert next_fall.position.owners == {"lon": "England", "nwy": "England"}
    retreat = {
        "phase": "F1902R",
        "units": [],
        "centres": {"England": ["lon"]},
        "dislodged": [{"power": "England", "type": "F", "at": "ska", "attacked_from": "nth"}],
        "orders": [{"power": "England", "text": "F SKA-SWE"}],
    }
    assert bench.run(retreat, rules).position.owners == {"lon": "England", "swe": "England"}
    early = bench.turned(rules, "ownership.when", "before-retreats")
    assert bench.run(retreat, early).position.owners == {"lon": "England"}


_WINTER = {
    "phase": "W1902A",
    "units": [{"power": "Germany", "type": "A", "at": "ruh"}],
    "centres": {"Germany": ["kie", "mun", "hol"], "Russia": ["ber"]},
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("orders", "left"),
    [
        (["A KIE B", "A MUN B"], "Ger A kie, Ger A mun, Ger A ruh"),
        (["F KIE B"], "Ger A ruh, Ger F kie"),
        (["F MUN B", "A HOL B", "A BER B"], "Ger A ruh"),  # no fleet inland, no foreign centre, no lost home centre
        (["WAIVE", "A KIE B"], "Ger A kie, Ger A ruh"),
    ],
)
def test_jp_26_cn_15_builds(bench: Any, preset: str, orders: list[str], left: str) -> None:
    row = {**_WINTER, "orders": [{"power": "Germany", "text": text} for text in orders]}
    assert bench.told(bench.run(row, bench.preset(preset))) == left


@pytest.mark.parametrize(
    ("where", "left"),
    [
        ("owned-home", "Ger A kie, Ger A ruh"),
        ("any-owned", "Ger A hol, Ger A kie, Ger A ruh"),
        ("any-home", "Ger A ber, Ger A kie, Ger A ruh"),
        ("none-while-one-lost", "Ger A ruh"),
    ],
)
def test_jp_26_where_units_are_built(bench: Any, where: str, left: str) -> None:
    orders = [{"power": "Germany", "text": text} for text in ("A KIE B", "A HOL B", "A BER B")]
    assert bench.told(bench.run({**_WINTER, "orders": orders}, bench.preset("japan-1910", builds_where=where))) == left


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_26_removals_are_the_players_choice(bench: Any, preset: str) -> None:
    row = {
        "phase": "W1902A",
        "units": [{"power": "Germany", "type": "A", "at": at} for at in ("ruh", "mun", "pru")],
        "centres": {"Germany": ["mun", "kie"]},
        "orders": [{"power": "Germany", "text": "A MUN D"}],
    }
    assert bench.told(bench.run(row, bench.preset(preset))) == "Ger A pru, Ger A ruh"
    assert bench.told(bench.run({**row, "orders": []}, bench.preset(preset))) == "Ger A mun, Ger A ruh"


def test_jp_26_what_cannot_be_placed_waits(bench: Any) -> None:
    """No vacant home centre: nothing is owed this year, and the build is due again the next."""
    units = [{"power": "Germany", "type": "A", "at": at} for at in ("ber", "kie", "mun")]
    row = {"phase": "F1902M", "units": units, "centres": {"Germany": ["ber", "kie", "mun", "hol"]}, "orders": []}
    rules = bench.preset("japan-1910")
    result = bench.run(row, rules)
    assert str(result.position.phase) == "S1903M"
    later = {**row, "phase": "F1903M", "orders": [{"power": "Germany", "text": "A KIE-HOL"}]}
    following = bench.run(later, rules)
    assert str(following.position.phase) == "W1903A"
    assert owing(bench.board, following.position, rules)["Germany"].builds == 1


def test_cn_15_a_fleet_built_in_st_petersburg_names_its_coast(bench: Any) -> None:
    order = {"power": "Russia", "text": "F STP B"}
    row = {"phase": "W1902A", "units": [], "centres": {"Russia": ["stp"]}, "orders": [order]}
    for preset in PRESETS:
        assert bench.told(bench.run(row, bench.preset(preset))) == ""
    assert bench.told(bench.run(row, bench.preset("china", coast_build="default-coast"))) == "Rus F stp/nc"
    named = {**row, "orders": [{"power": "Russia", "text": "F STP/SC B"}]}
    assert bench.told(bench.run(named, bench.preset("china"))) == "Rus F stp/sc"
