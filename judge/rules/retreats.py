"""Retreats: where a dislodged unit may go, and what becomes of those that go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from judge.rules.board import Board, Unit, moved, province_of
from judge.rules.choosing import choose
from judge.rules.coasts import coast_missing, irrelevant, with_coast_rule
from judge.rules.houserules import HouseRules
from judge.rules.orders import Disband, Move, Order
from judge.rules.outcome import GivenOrder, Outcome, Reason, Result
from judge.rules.position import Dislodged, Position


@dataclass(frozen=True, slots=True)
class Retreats:
    """What retreats left behind: outcomes, and all units that stand now."""

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]


def options(
    board: Board,
    unit: Unit,
    attacked_from: str,
    by_convoy: bool,
    occupied: Collection[str],
    contested: Collection[str],
    rules: HouseRules,
) -> tuple[str, ...]:
    """The locations that a dislodged ``unit`` may retreat to, sorted.

    Adjacent, of its kind, empty, not where its attacker came from (unless by convoy, 4.A.5), not left empty by a
    stand-off (JP-21 bears it).
    """
    adjacent = board.army[unit.at] if unit.type == "A" else board.fleet[unit.at]
    barred = {attacked_from} if not (by_convoy and rules.retreat_to_convoy_origin) else set()
    if not rules.retreat_into_standoff:
        barred.update(contested)
    return tuple(sorted(to for to in adjacent if province_of(to) not in occupied and province_of(to) not in barred))


def meant(board: Board, position: Position, power: str | None, order: Order, rules: HouseRules) -> Move | Disband | Reason:
    """The retreat or disbanding that is meant by ``order``, or why it is void."""
    from judge.rules.legality import ordered_unit

    if not isinstance(order, Move | Disband):
        return Reason("wrong-phase")
    place = province_of(order.at)
    fallen = {d.unit.province: d for d in position.dislodged}
    dislodged = fallen.get(place)
    if dislodged is None:
        standing = next((u for u in position.units if u.province == place), None)
        wrong = ordered_unit(board, standing, power, order, rules)
        if wrong is None and standing is not None:
            wrong = Reason("not-dislodged", {"unit": standing})
        return wrong or Reason("no-unit", {"at": order.at})
    wrong = ordered_unit(board, dislodged.unit, power, order, rules)
    if wrong is not None:
        return wrong
    return order if isinstance(order, Disband) else _retreat(board, position, dislodged, order, rules)


def _retreat(board: Board, position: Position, dislodged: Dislodged, order: Move, rules: HouseRules) -> Move | Reason:
    unit, to = dislodged.unit, order.to
    target = province_of(to)
    if target not in board.provinces:
        return Reason("unknown-place", {"at": to})
    if to != target and irrelevant(board, to, unit):
        if rules.coast_irrelevant == "void":
            return Reason("coast-irrelevant", {"to": to}, "coast.irrelevant")
        to = target
    if to in dislodged.retreats:
        return order if to == order.to else replace(order, to=to)
    possible = tuple(place for place in dislodged.retreats if province_of(place) == target)
    if possible and unit.type == "F":
        if to != target:
            if rules.coast_impossible == "ignored" and len(possible) == 1:
                return replace(order, to=possible[0])
            return Reason("coast-unreachable", {"unit": unit, "to": to, "coasts": possible})
        if rules.coast_unspecified == "default-coast" or (rules.coast_unspecified == "infer" and len(possible) == 1):
            return replace(order, to=possible[0])
        return coast_missing(order.to, possible, "coast.unspecified")
    return _why_not(board, position, dislodged, target, rules)


def _why_not(board: Board, position: Position, dislodged: Dislodged, target: str, rules: HouseRules) -> Reason:
    """Why ``target`` is no retreat."""
    unit = dislodged.unit
    reach = board.army[unit.at] if unit.type == "A" else board.reach[unit.at]
    if target in reach:
        holder = next((u for u in position.units if u.province == target), None)
        if holder is not None:
            return Reason("retreat-occupied", {"to": target, "holder": holder})
        if target == dislodged.attacked_from:
            rule = None if rules.retreat_to_convoy_origin or not dislodged.by_convoy else "retreat.to_convoy_origin"
            return Reason("retreat-attacker", {"to": target}, rule)
        if target in position.contested:
            return Reason("retreat-contested", {"to": target}, "retreat.into_standoff")
    return Reason("retreat-impossible", {"to": target, "retreats": dislodged.retreats})


def adjudicate_retreats(board: Board, position: Position, given: Sequence[GivenOrder], rules: HouseRules) -> Retreats:
    """Adjudicate a retreat phase: several units to one province are all destroyed, and so are those without an order."""
    orders: list[Move | Disband | Reason] = [
        Reason("unreadable") if entry.order is None else meant(board, position, entry.power, entry.order, rules)
        for entry in given
    ]
    fallen = {d.unit.province: d for d in position.dislodged}
    legal = {number: order for number, order in enumerate(orders) if not isinstance(order, Reason)}
    chosen, lost = choose(legal, {place: d.unit for place, d in fallen.items()}, rules)
    for number, why in lost.items():
        orders[number] = why
    goals: dict[str, list[Unit]] = {}
    for place, order in chosen.items():
        if isinstance(order, Move):
            goals.setdefault(province_of(order.to), []).append(fallen[place].unit)
    outcomes = []
    for entry, ordered in zip(given, orders, strict=True):
        unit = _unit_of(position, fallen, entry.order)
        if isinstance(ordered, Reason):
            outcomes.append(Outcome(entry.power, entry.order, unit, Result.VOID, ordered))
        else:
            dislodged = fallen[province_of(ordered.at)]
            outcome = _outcome(position, entry.power, ordered, dislodged, goals)
            if outcome.reason.rule is None:
                reason = with_coast_rule(board, outcome.reason, entry.order, ordered)
                outcome = Outcome(entry.power, ordered, dislodged.unit, outcome.result, reason)
            outcomes.append(outcome)
    for dislodged in position.dislodged:
        unit = dislodged.unit
        if unit.province not in chosen:
            reason = Reason("no-retreat-order" if dislodged.retreats else "no-retreat-possible")
            gone = Disband(unit.type, unit.at)
            outcomes.append(Outcome(unit.power, gone, unit, Result.SUCCEEDS, reason, filled_in=True))
    arrived = [
        moved(fallen[place].unit, order.to)
        for place, order in chosen.items()
        if isinstance(order, Move) and len(goals[province_of(order.to)]) == 1
    ]
    return Retreats(tuple(outcomes), position.units + tuple(sorted(arrived, key=lambda unit: unit.at)))


def _outcome(
    position: Position, power: str, order: Move | Disband, dislodged: Dislodged, goals: dict[str, list[Unit]]
) -> Outcome:
    unit = dislodged.unit
    if isinstance(order, Disband):
        return Outcome(power, order, unit, Result.SUCCEEDS, Reason("disbanded"))
    others = [other for other in goals[province_of(order.to)] if other is not unit]
    if not others:
        return Outcome(
            power, order, unit, Result.SUCCEEDS, Reason("retreated", {}, _rule_of_retreat(position, dislodged, order))
        )
    units = tuple(sorted(others, key=lambda other: other.at))
    return Outcome(power, order, unit, Result.BOUNCES, Reason("retreat-collided", {"to": order.to, "units": units}))


def _rule_of_retreat(position: Position, dislodged: Dislodged, order: Move) -> str | None:
    """The house rule without which nobody could have gone there."""
    target = province_of(order.to)
    if target in position.contested:
        return "retreat.into_standoff"
    return "retreat.to_convoy_origin" if target == dislodged.attacked_from else None


def _unit_of(position: Position, fallen: dict[str, Dislodged], order: Order | None) -> Unit | None:
    at = getattr(order, "at", None)
    if at is None:
        return None
    place = province_of(at)
    standing: Iterable[Unit] = (unit for unit in position.units if unit.province == place)
    return fallen[place].unit if place in fallen else next(iter(standing), None)
