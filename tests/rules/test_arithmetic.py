"""What is told of a movement's arithmetic is what decided it: the numbers of who got in, stood or bounced, and every
strength is one and the supports that count."""

from __future__ import annotations

from typing import Any

import pytest

from judge.notation import parse_canonical
from judge.rules import adjudicate
from judge.rules.arithmetic import Contest, Force, contests
from judge.rules.board import Unit, province_of
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.orders import Move
from judge.rules.outcome import GivenOrder, Result
from judge.rules.position import Phase, Position
from judge.variants import load_board

FALL = Phase.parse("F1901M")
#: name -> orders (power's first letters, text), the unit asked about, and of each contest: place, then (unit, role,
#: strength, supports that count, supports that do not, note)
CASES: dict[str, tuple[str, str, list[Any]]] = {
    "cut": (
        "Aus A VIE-TRI, Aus A BUD S A VIE-TRI, Rus A GAL-BUD, Ita F TRI H, Ita A TYR S F TRI, Aus F ALB S A VIE-TRI",
        "vie",
        [["tri", ("vie", "attack", 2, ["alb"], ["bud"], ""), ("tri", "hold", 2, ["tyr"], [], "")]],
    ),
    "three bound for one place": (
        "Fra A PAR-BUR, Ger A MUN-BUR, Ger A RUH S A MUN-BUR, Ita A MAR-BUR",
        "par",
        [
            [
                "bur",
                ("par", "attack", 1, [], [], ""),
                ("mun", "prevent", 2, ["ruh"], [], ""),
                ("mar", "prevent", 1, [], [], ""),
            ]
        ],
    ),
    "head to head": (
        "Fra A PAR-BUR, Ger A BUR-PAR, Ger A GAS S A BUR-PAR",
        "par",
        [["bur", ("par", "attack", 1, [], [], ""), ("bur", "defend", 2, ["gas"], [], "")]],
    ),
    "own unit": (
        "Fra A PAR-BUR, Fra A BUR H, Fra A GAS S A PAR-BUR",
        "par",
        [["bur", ("par", "attack", 0, ["gas"], [], "own-unit"), ("bur", "hold", 1, [], [], "")]],
    ),
    "support of the defender's own power": (
        "Fra A PAR-BUR, Ger A BUR H, Ger A MUN S A PAR-BUR, Fra A GAS S A PAR-BUR",
        "par",
        [["bur", ("par", "attack", 2, ["gas"], ["mun"], ""), ("bur", "hold", 1, [], [], "")]],
    ),
    "hold support of a mover": (
        "Ger A BUR-PIC, Fra A PIC H, Ger A MUN S A BUR, Fra A PAR-BUR",
        "bur",
        [
            ["pic", ("bur", "attack", 1, [], ["mun"], ""), ("pic", "hold", 1, [], [], "")],
            ["bur", ("bur", "hold", 1, [], ["mun"], "to-move"), ("par", "attack", 1, [], [], "")],
        ],
    ),
    "broken convoy": (
        "Eng A LON-BRE, Eng F ENG C A LON-BRE, Fra F BRE H, Fra F MAO-ENG, Fra F IRI S F MAO-ENG",
        "lon",
        [["bre", ("lon", "attack", 0, [], [], "no-convoy"), ("bre", "hold", 1, [], [], "")]],
    ),
    "went into a place that was left": (
        "Fra A PAR-BUR, Fra A BUR-MUN, Ger A RUH-BUR",
        "par",
        [
            [
                "bur",
                ("par", "attack", 1, [], [], ""),
                ("ruh", "prevent", 1, [], [], ""),
                ("bur", "hold", 0, [], [], "left"),
            ]
        ],
    ),
    "nobody else": ("Fra A PAR-BUR", "par", []),
    "no such unit": ("Fra A PAR-BUR", "mun", []),
}


def set_up(orders: str) -> tuple[Position, list[GivenOrder]]:
    board = load_board()
    powers = {power[:3]: power for power in board.powers}
    given = []
    units = []
    for text in orders.split(", "):
        power, order = powers[text[:3]], parse_canonical(text[4:], board)
        given.append(GivenOrder(power, order))
        units.append(Unit(power, order.type, order.at))  # type: ignore[union-attr, arg-type]
    return Position(FALL, tuple(units)), given


def told(contest: Contest) -> list[Any]:
    return [contest.place, *map(plain, contest.forces)]


def plain(force: Force) -> tuple[Any, ...]:
    counting = [one.unit.at for one in force.backers if one.counts]
    others = [one.unit.at for one in force.backers if not one.counts]
    return (force.unit.at, force.role, force.strength, counting, others, force.note)


@pytest.mark.parametrize(("orders", "place", "expected"), CASES.values(), ids=CASES)
def test_what_was_counted(orders: str, place: str, expected: list[Any]) -> None:
    position, given = set_up(orders)
    assert [told(one) for one in contests(load_board(), position, given, STANDARD, place)] == expected


@pytest.mark.parametrize("own", ["no-count", "void", "becomes-hold"])
def test_a_support_that_turned_is_told_with_the_unit_it_turned_to(own: str) -> None:
    """JP-15: Germany's support for France against its own unit, which was to leave and did not."""
    position, given = set_up("Fra A PAR-BUR, Ger A BUR-MUN, Ger A MUN H, Ger A RUH S A PAR-BUR, Fra A GAS S A PAR-BUR")
    rules = HouseRules(support_own_dislodge=own)  # type: ignore[arg-type]
    ((place, attacker, holder),) = [told(one) for one in contests(load_board(), position, given, rules, "par")]
    assert (place, attacker[:3], attacker[4]) == ("bur", ("par", "attack", 2), ["ruh"])
    assert holder[2:4] == ((2, ["ruh"]) if own == "becomes-hold" else (1, []))


def test_the_numbers_tell_what_happened_in_whole_games(
    bench: Any, recorded_games: list[dict[str, Any]], datc_cases: list[dict[str, Any]]
) -> None:
    """Who got in was stronger than all the others, who did not was not; and all strengths are made of what is told."""
    looked_at = 0
    movements = [row for row in recorded_games[::9] if row["phase"].endswith("M")]
    for row in [*movements, *(case for case in datc_cases if case.get("phase", "S1901M").endswith("M"))]:
        if "units" not in row or any("text" not in order for order in row["orders"]):
            continue
        position = bench.position({"phase": "S1901M", **row})
        given = [GivenOrder(bench.powers[o["power"].lower()], bench.parse(o["text"])) for o in row["orders"]]
        for outcome in adjudicate(bench.board, position, given, STANDARD).outcomes:
            if outcome.unit is None or outcome.result in (Result.VOID, Result.NO_CONVOY):
                continue
            found = contests(bench.board, position, given, STANDARD, outcome.unit.province)
            for force in (force for contest in found for force in contest.forces):
                looked_at += 1
                if force.note in ("", "to-move"):
                    assert force.strength == 1 + sum(one.counts for one in force.backers)
                assert all(one.counts or one.why.code != "given" for one in force.backers)
            if isinstance(outcome.order, Move) and found and found[0].place == province_of(outcome.order.to):
                first, *others = found[0].forces
                stronger = all(first.strength > other.strength for other in others)
                succeeds = outcome.result is Result.SUCCEEDS
                assert stronger == succeeds or outcome.reason.code == "ring", (row.get("id") or row.get("game"), outcome)
    assert looked_at > 1000
