"""Corners of the two rule books besides movements: the course of a game, retreats, ownership, adjustments, ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judge.rules import adjudicate, owing
from judge.rules.outcome import Adjudication, GivenOrder, Result
from judge.rules.position import Phase, Position, starting_position

PRESETS = ("standard", "japan-1910", "china")


def _units(bench: Any, *texts: str) -> tuple[Any, ...]:
    """``"France A par"`` -> units."""
    return tuple(bench.unit(dict(zip(("power", "type", "at"), text.split(), strict=True))) for text in texts)


def _play(bench: Any, position: Position, rules: Any, *orders: tuple[str, str]) -> Adjudication:
    given = [GivenOrder(power, bench.parse(text)) for power, text in orders]
    return adjudicate(bench.board, position, given, rules)


# ── the course of a game ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_10_spring_and_fall_from_spring_1901(bench: Any, preset: str) -> None:
    """Two turns a year; only after the Fall one are there adjustments."""
    rules, position = bench.preset(preset), starting_position(bench.board)
    phases = [str(position.phase)]
    result = _play(bench, position, rules, ("Italy", "A VEN-TYR"))
    phases.append(str(result.position.phase))
    result = _play(bench, result.position, rules, ("Germany", "F KIE-HOL"))
    phases.append(str(result.position.phase))
    result = _play(bench, result.position, rules, ("Germany", "F KIE B"))
    phases.append(str(result.position.phase))
    assert phases == ["S1901M", "F1901M", "W1901A", "S1902M"]
    assert bench.unit({"power": "Germany", "type": "F", "at": "kie"}) in result.position.units


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_8_everybody_orders_their_own_units_and_promises_bind_nobody(bench: Any, preset: str) -> None:
    row = {
        "phase": "S1901M",
        "units": [
            {"power": "Germany", "type": "A", "at": "mun"},
            {"power": "Germany", "type": "A", "at": "ber"},
            {"power": "Russia", "type": "A", "at": "mos"},
            {"power": "Russia", "type": "A", "at": "war"},
            {"power": "Austria", "type": "A", "at": "sil"},
        ],
        "orders": [
            {"power": "Germany", "text": "A MUN-SIL"},
            {"power": "Germany", "text": "A BER S A MUN-SIL"},
            {"power": "Russia", "text": "A MOS S A WAR"},
        ],
    }
    rules = bench.preset(preset)
    helped = bench.run(row, rules)
    assert bench.told(helped) == "Ger A ber, Ger A sil, Rus A mos, Rus A war / Aus A sil > boh gal pru"
    assert [outcome.result for outcome in helped.outcomes[:3]] == [Result.SUCCEEDS, Result.GIVEN, Result.GIVEN]
    # Berlin's support was promised and is not written; Russia may not write it in Germany's place.
    promised = {**row, "orders": [row["orders"][0], {"power": "Russia", "text": "A BER S A MUN-SIL"}]}
    alone = bench.run(promised, rules)
    assert bench.told(alone) == "Aus A sil, Ger A ber, Ger A mun, Rus A mos, Rus A war"
    assert (alone.outcomes[1].result, alone.outcomes[1].reason.code) == (Result.VOID, "not-yours")


# ── retreats ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("orders", "left"),
    [
        pytest.param(
            {"France": "F GAS-SPA/NC", "Italy": "F MAR-SPA/SC", "Austria": "A BUR-RUH"}, "Aus A ruh", id="two coasts"
        ),
        pytest.param({"France": "F GAS-BRE", "Italy": "F MAR-SPA/SC", "Austria": "A BUR-MUN"}, "all", id="three places"),
        pytest.param({"France": "F GAS-SPA/NC", "Italy": "F MAR D", "Austria": "A BUR-RUH"}, "disbands", id="one by choice"),
        pytest.param({"France": "F GAS-MAO"}, "Fra F mao", id="no order"),
    ],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_jp_22_several_to_one_area(bench: Any, preset: str, orders: dict[str, str], left: str) -> None:
    """All who retreat to one area are destroyed, on whichever coasts; who disbands by choice is in nobody's way."""
    expect = {"all": "Aus A mun, Fra F bre, Ita F spa/sc", "disbands": "Aus A ruh, Fra F spa/nc"}.get(left, left)
    row = {
        "phase": "S1902R",
        "units": [],
        "dislodged": [
            {"power": "France", "type": "F", "at": "gas", "attacked_from": "par"},
            {"power": "Italy", "type": "F", "at": "mar", "attacked_from": "pie"},
            {"power": "Austria", "type": "A", "at": "bur", "attacked_from": "pic"},
        ],
        "orders": [{"power": power, "text": text} for power, text in orders.items()],
    }
    assert bench.told(bench.run(row, bench.preset(preset))) == expect


@pytest.mark.parametrize(
    ("preset", "retreat", "result", "rule"),
    [
        ("standard", "A VIE-BOH", Result.VOID, "retreat.into_standoff"),
        ("japan-1910", "A VIE-BOH", Result.SUCCEEDS, "retreat.into_standoff"),
        ("china", "A VIE-BOH", Result.VOID, "retreat.into_standoff"),
        ("standard", "A VIE-TRI", Result.VOID, None),
        ("japan-1910", "A VIE-TRI", Result.VOID, None),
        ("china", "A VIE-TRI", Result.VOID, None),
    ],
)
def test_jp_21_into_a_stand_off(bench: Any, preset: str, retreat: str, result: Result, rule: str | None) -> None:
    rules = bench.preset(preset)
    orders = {"Aus": "A TRI-VIE, A BUD S A TRI-VIE", "Ger": "A MUN-BOH, A SIL-BOH", "Ita": "A VIE H"}
    after = _play(bench, bench.fight(orders, rules).position, rules, ("Italy", retreat))
    assert (after.outcomes[0].result, after.outcomes[0].reason.rule) == (result, rule)


@pytest.mark.parametrize(
    ("preset", "result"), [("standard", Result.SUCCEEDS), ("japan-1910", Result.VOID), ("china", Result.VOID)]
)
def test_jp_21_to_where_the_attacker_came_from_by_sea(bench: Any, preset: str, result: Result) -> None:
    rules = bench.preset(preset)
    orders = {
        "Fra": "A GAS-MAR VIA, A BUR S A GAS-MAR, F MAO C A GAS-MAR, F WES C A GAS-MAR, F LYO C A GAS-MAR",
        "Ita": "A MAR H",
    }
    retreat = _play(bench, bench.fight(orders, rules).position, rules, ("Italy", "A MAR-GAS"))
    assert (retreat.outcomes[0].result, retreat.outcomes[0].reason.rule) == (result, "retreat.to_convoy_origin")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("text", "left"), [("A BER-SWE", ""), ("A BER-SWE VIA", ""), ("A BER-SIL", "Ger A sil"), ("F BER-BAL", "")]
)
def test_cn_13_no_retreat_by_convoy_nor_on_wrong_ground(bench: Any, preset: str, text: str, left: str) -> None:
    row = {
        "phase": "S1902R",
        "units": [{"power": "Germany", "type": "F", "at": "bal"}],
        "dislodged": [{"power": "Germany", "type": "A", "at": "ber", "attacked_from": "pru"}],
        "orders": [{"power": "Germany", "text": text}],
    }
    standing = ", ".join(filter(None, [left, "Ger F bal"]))
    assert bench.told(bench.run(row, bench.preset(preset))) == standing


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("text", "left"), [("F CON-BUL", ""), ("F CON-BUL/SC", "Tur F bul/sc"), ("F CON-BUL/EC", "Tur F bul/ec")]
)
def test_cn_13_coasts_where_two_could_be_meant(bench: Any, preset: str, text: str, left: str) -> None:
    row = {
        "phase": "S1902R",
        "units": [],
        "dislodged": [{"power": "Turkey", "type": "F", "at": "con", "attacked_from": "smy"}],
        "orders": [{"power": "Turkey", "text": text}],
    }
    assert bench.told(bench.run(row, bench.preset(preset))) == left


# ── ownership and adjustments ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_25_kept_until_another_power_occupies_it_in_a_fall(bench: Any, preset: str) -> None:
    """A Spring visit takes nothing, nor does a visit of the owner's friend who has left again; a Fall visit does."""
    rules = bench.preset(preset)
    units = _units(bench, "Russia A rum", "Turkey A con")
    start = Position(Phase.parse("S1902M"), units, {"bul": "Turkey"})
    spring = _play(bench, start, rules, ("Russia", "A RUM-BUL"))
    assert spring.position.owners["bul"] == "Turkey"
    away = _play(bench, spring.position, rules, ("Russia", "A BUL-SER"))
    assert (away.position.owners["bul"], away.position.owners["ser"]) == ("Turkey", "Russia")
    stays = _play(bench, spring.position, rules, ("Russia", "A BUL H"))
    assert stays.position.owners["bul"] == "Russia"


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_25_a_retreat_onto_a_centre_in_fall_takes_it(bench: Any, preset: str) -> None:
    rules = bench.preset(preset)
    units = _units(bench, "Austria A boh", "Austria A bud", "Italy A vie")
    start = Position(Phase.parse("F1903M"), units, {"vie": "Italy", "tri": "Austria", "bud": "Austria"})
    fall = _play(bench, start, rules, ("Austria", "A BOH-VIE"), ("Austria", "A BUD S A BOH-VIE"))
    assert (str(fall.position.phase), fall.position.owners["vie"]) == ("F1903R", "Italy")
    after = _play(bench, fall.position, rules, ("Italy", "A VIE-TRI"))
    assert after.position.owners == {"vie": "Austria", "tri": "Italy", "bud": "Austria"}


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_20_home_centres_are_owned_from_the_start_and_can_be_taken(bench: Any, preset: str) -> None:
    rules, start = bench.preset(preset), starting_position(bench.board)
    assert {p: len(start.centres(p)) for p in bench.board.powers} == {
        p: 4 if p == "Russia" else 3 for p in bench.board.powers
    }
    emptied = replace(start, units=_units(bench, "England F eng"))
    spring = _play(bench, emptied, rules, ("England", "F ENG-BRE"))
    assert spring.position.owners["bre"] == "France"
    assert _play(bench, spring.position, rules, ("England", "F BRE-MAO")).position.owners["bre"] == "France"
    assert _play(bench, spring.position, rules).position.owners["bre"] == "England"  # a fleet takes a coastal centre
    # what nobody stands on any more stays owned
    assert spring.position.owners["mun"] == "Germany"


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_15_only_munich_is_free(bench: Any, preset: str) -> None:
    """From five to seven centres with one home centre vacant, and that inland: one build, an army; the rest waits."""
    rules = bench.preset(preset)
    texts = ("Germany A ber", "Germany F kie", "Germany A hol", "Germany A bel", "Germany F den")
    owners = dict.fromkeys(("ber", "kie", "mun", "hol", "bel", "den", "swe"), "Germany")
    position = Position(Phase.parse("W1903A"), _units(bench, *texts), owners)
    owed = owing(bench.board, position, rules)["Germany"]
    assert (owed.builds, owed.build_sites) == (1, ("mun",))
    fleet = _play(bench, position, rules, ("Germany", "F MUN B"))
    assert (fleet.outcomes[0].result, len(fleet.units)) == (Result.VOID, 5)
    army = _play(bench, position, rules, ("Germany", "A MUN B"))
    assert len(army.units) == 6
    following = replace(army.position, phase=Phase.parse("F1904M"))
    moved = _play(bench, following, rules, ("Germany", "A BER-SIL"), ("Germany", "A MUN-BOH"))
    assert owing(bench.board, moved.position, rules)["Germany"].builds == 1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("centres", "removals"), [(("ber", "kie"), 0), (("ber",), 1)])
def test_cn_15_units_lost_in_the_year_count(bench: Any, preset: str, centres: tuple[str, ...], removals: int) -> None:
    """A unit destroyed and a centre lost in the same year: nothing is left to disband."""
    rules = bench.preset(preset)
    owners = dict.fromkeys(centres, "Germany") | {"mun": "Austria"}
    position = Position(Phase.parse("F1903M"), _units(bench, "Germany A ruh", "Germany A sil", "Austria A mun"), owners)
    after = _play(bench, position, rules).position
    owed = owing(bench.board, after, rules).get("Germany")
    assert (owed.removals if owed else 0) == removals


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("where", "text", "result"),
    [
        ("owned-home", "A HOL B", Result.VOID),
        ("any-owned", "A HOL B", Result.SUCCEEDS),
        ("owned-home", "A BER B", Result.VOID),
        ("any-home", "A BER B", Result.SUCCEEDS),
        ("none-while-one-lost", "A KIE B", Result.VOID),
    ],
)
def test_jp_26_the_reason_names_where_units_are_built(
    bench: Any, preset: str, where: str, text: str, result: Result
) -> None:
    """Builds of JP-26 and CN-15 that only ``builds.where`` allows or forbids say so."""
    row = {
        "phase": "W1902A",
        "units": [{"power": "Germany", "type": "A", "at": "ruh"}],
        "centres": {"Germany": ["kie", "mun", "hol"], "Russia": ["ber"]},
        "orders": [{"power": "Germany", "text": text}],
    }
    outcome = bench.run(row, bench.preset(preset, builds_where=where)).outcomes[0]
    assert (outcome.result, outcome.reason.rule) == (result, "builds.where")


# ── ends ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_jp_3_retreats_and_adjustments_of_1910_are_still_played(bench: Any) -> None:
    """The count waits for the retreats and the builds of that Fall; a retreat onto a centre changes both."""
    rules = bench.preset("japan-1910")
    units = _units(bench, "France A tyr", "France A boh", "Italy A vie", "Italy A rom", "Germany A mun", "Germany A kie")
    owners = {"rom": "Italy", "ven": "Italy", "mun": "Germany", "kie": "Germany", "par": "France", "mar": "France"}
    fall = _play(
        bench,
        Position(Phase.parse("F1910M"), units, owners),
        rules,
        ("France", "A TYR-VIE"),
        ("France", "A BOH S A TYR-VIE"),
    )
    assert (fall.end, str(fall.position.phase)) == (None, "F1910R")
    gone = _play(bench, fall.position, rules, ("Italy", "A VIE D"))
    # France owns Vienna, Paris and Marseilles and may build; Italy owns two and has one unit
    assert (gone.end, str(gone.position.phase)) == (None, "W1910A")
    last = _play(bench, gone.position, rules, ("France", "A PAR B"), ("Italy", "F NAP B"), ("Italy", "A VEN B"))
    assert last.end is not None
    assert {p: last.end.counts[p] for p in ("France", "Germany", "Italy")} == {"France": 3, "Germany": 2, "Italy": 2}
    assert (last.end.ended_by, last.end.winners) == ("victory.end.turn", ("France",))
    waived = _play(bench, gone.position, rules, ("Italy", "A VEN B"))
    assert waived.end is not None and waived.end.winners == ("France", "Germany", "Italy")  # no tie-break is named
    for preset in ("standard", "china"):
        assert _play(bench, gone.position, bench.preset(preset), ("France", "A PAR B")).end is None


def _owning(bench: Any, phase: str, counts: dict[str, int], units: tuple[Any, ...] = ()) -> Position:
    free = list(bench.board.supply_centres())
    return Position(Phase.parse(phase), units, {free.pop(): power for power, count in counts.items() for _ in range(count)})


@pytest.mark.parametrize(
    ("changes", "phase", "counts", "ended_by", "winners"),
    [
        # both conditions are met in one Fall: all who meet one of them share
        ({"centres": 10, "turn": "F1905"}, "F1905R", {"France": 12, "Russia": 10}, "victory.centres", ("France", "Russia")),
        ({"centres": 10, "turn": "F1905"}, "F1905R", {"France": 9, "Russia": 9, "Italy": 8}, "victory.end.turn",
         ("France", "Russia")),
        ({"centres": 10, "turn": "F1905"}, "F1903R", {"Turkey": 10, "Russia": 9}, "victory.centres", ("Turkey",)),
        ({"centres": "none", "turn": "F1905"}, "F1904R", {"Turkey": 20, "Russia": 9}, None, ()),
        ({"centres": 18, "turn": ""}, "F1904R", {"Turkey": 17, "Russia": 17}, None, ()),
        ({"centres": 17, "turn": ""}, "F1904R", {"Turkey": 17, "Russia": 17}, "victory.centres", ("Russia", "Turkey")),
        ({"centres": 18, "turn": "S1905"}, "S1905R", {"Turkey": 9, "Russia": 8}, "victory.end.turn", ("Turkey",)),
        ({"centres": 18, "turn": "S1905"}, "F1904R", {"Turkey": 9, "Russia": 8}, None, ()),
    ],
)  # fmt: skip
def test_cn_1_mixed_conditions(
    bench: Any, changes: dict[str, Any], phase: str, counts: dict[str, int], ended_by: str | None, winners: tuple[str, ...]
) -> None:
    rules = bench.preset("china", victory_centres=changes["centres"], victory_end_turn=changes["turn"])
    # Russia has the most units: centres alone count
    units = _units(bench, "Russia A boh", "Russia A sil", "Turkey A gal")
    end = _play(bench, _owning(bench, phase, counts, units), rules).end
    assert (end.ended_by if end else None, end.winners if end else ()) == (ended_by, winners)
