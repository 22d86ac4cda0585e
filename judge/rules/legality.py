"""Whether an order may be given at all, judged by itself: who stands where is known, other orders are not (DATC 4.E.1).

What is illegal is void and harms nothing; a legal order may still fail. Reading and judging go together: the order
comes back as it is meant, with the coast that was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from judge.errors import BadPosition
from judge.rules import convoy
from judge.rules.board import Board, Unit, province_of
from judge.rules.coasts import fleet_target, irrelevant
from judge.rules.houserules import HouseRules
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.outcome import Reason
from judge.rules.position import Position

MovementOrder: TypeAlias = Hold | Move | Support | Convoy
#: orders that no movement knows
NOT_MOVEMENT = (Disband, Build, Waive)


@dataclass(slots=True)
class Scene:
    """What the legality of movement orders is judged by: who stands where, and on which seas fleets are (as bits).

    ``units`` is in the position's order.
    """

    board: Board
    units: Mapping[str, Unit]
    at_sea: int
    rules: HouseRules


def scene(board: Board, units: Sequence[Unit], rules: HouseRules) -> Scene:
    """The scene of a movement phase.

    :raises BadPosition: two units stand in one province.
    """
    by_province = {province_of(unit.at): unit for unit in units}
    at_sea = 0
    sea_bit = board.sea_bit
    for place in by_province:
        at_sea |= sea_bit.get(place, 0)
    if len(by_province) != len(units):
        raise BadPosition("two units stand in one province")
    return Scene(board, by_province, at_sea, rules)


def check(board: Board, position: Position, power: str | None, order: Order, rules: HouseRules) -> Reason | None:
    """Why ``order`` is illegal in ``position`` when ``power`` gives it; ``None`` if it is legal.

    ``power`` ``None``: it is not asked whose unit it is. In the adjustments, orders are judged one by one: that there
    may be too many of them is found by :func:`judge.rules.adjudicate`.
    """
    from judge.rules import adjustments, retreats

    if position.phase.kind == "M":
        meant: Order | Reason = movement(scene(board, position.units, rules), power, order)
    elif position.phase.kind == "R":
        meant = retreats.meant(board, position, power, order, rules)
    else:
        meant = adjustments.meant(board, position, power, order, rules)
    return meant if isinstance(meant, Reason) else None


def movement(scene: Scene, power: str | None, order: Order) -> MovementOrder | Reason:
    """The movement order that is meant by ``order``, or why it is void."""
    if isinstance(order, NOT_MOVEMENT):
        return Reason("wrong-phase")
    unit = scene.units.get(province_of(order.at))
    if unit is None or order.at != unit.at or order.type != unit.type or (power is not None and unit.power != power):
        wrong = ordered_unit(scene.board, unit, power, order, scene.rules)
        if wrong is not None:
            return wrong
    assert unit is not None
    return order if isinstance(order, Hold) else _MEANT[type(order)](scene, unit, order)


def ordered_unit(
    board: Board, unit: Unit | None, power: str | None, order: Hold | Move | Support | Convoy | Disband, rules: HouseRules
) -> Reason | None:
    """What is wrong with the ordered unit itself: not there, another's, its letter or its own coast (4.B.5, 4.C)."""
    if unit is None:
        known = province_of(order.at) in board.provinces
        return Reason("no-unit" if known else "unknown-place", {"at": order.at})
    if power is not None and unit.power != power:
        return Reason("not-yours", {"unit": unit})
    if order.type is None and rules.units_missing_type == "void":
        return Reason("type-missing", {"unit": unit}, "units.missing_type")
    if order.type is not None and order.type != unit.type and rules.units_wrong_type == "void":
        return Reason("type-wrong", {"unit": unit}, "units.wrong_type")
    if order.at != unit.at and "/" in order.at:
        if unit.type == "F" and "/" in unit.at and order.at in board.fleet:
            if rules.coast_wrong_start == "void":
                return Reason("coast-wrong-start", {"unit": unit}, "coast.wrong_start")
        elif rules.coast_irrelevant == "void":
            return Reason("coast-irrelevant", {"to": order.at}, "coast.irrelevant")
    return None


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _move(scene: Scene, unit: Unit, order: Move) -> Move | Reason:
    board, to = scene.board, order.to
    if unit.type == "A" and to in board.army[unit.at] and not (order.via or order.route):
        return order  # on foot to a neighbour, as nearly always
    target = province_of(to)
    province = board.provinces.get(target)
    if province is None:
        return Reason("unknown-place", {"at": to})
    if target == province_of(unit.at):
        return Reason("same-place", {"unit": unit})
    if to != target and irrelevant(board, to, unit):
        if scene.rules.coast_irrelevant == "void":
            return Reason("coast-irrelevant", {"to": to}, "coast.irrelevant")
        to = target
    if unit.type == "F":
        if province.kind == "inland":
            return Reason("fleet-inland", {"unit": unit, "to": to})
        meant = fleet_target(board, unit, to, scene.rules, order.to)
        if isinstance(meant, Reason):
            return meant
        if meant not in board.fleet[unit.at]:
            return Reason("not-adjacent", {"unit": unit, "to": to})
        to = meant
    else:
        if province.kind == "sea":
            return Reason("army-at-sea", {"unit": unit, "to": to})
        wrong = _army_way(scene, unit, target, order)
        if wrong is not None:
            return wrong
    return order if to == order.to else Move(order.type, order.at, to, order.via, order.route)


def _army_way(scene: Scene, army: Unit, target: str, order: Move) -> Reason | None:
    """Whether there is a way for the army, by land or with fleets that might carry it."""
    board, rules = scene.board, scene.rules
    neighbours = target in board.army[army.at]
    if neighbours and not (order.via or order.route):
        return None
    if rules.convoy_route != "ignored" and order.route:
        if route_seas(scene, army.at, target, order.route) is None:
            return Reason("route-impossible", {"unit": army, "to": target}, "convoy.route")
        return None
    if rules.convoy_route == "required":
        return Reason("route-required", {"unit": army}, "convoy.route")
    if convoy.connected(board, scene.at_sea, army.at, target):
        return None
    if neighbours and rules.convoy_fallback != "none":
        return None
    shore = board.shore.get(army.at) and board.shore.get(target)
    return Reason("no-convoy-possible" if shore else "not-adjacent", {"unit": army, "to": target})


def route_seas(scene: Scene, origin: str, target: str, route: Iterable[str]) -> int | None:
    """The seas of a written route as bits, or ``None`` if it is no chain of fleets from shore to shore (CN-16)."""
    board, seas, last = scene.board, 0, 0
    for place in route:
        bit = board.sea_bit.get(place, 0) & scene.at_sea
        if not bit & (board.sea_near[last] if last else board.shore.get(origin, 0)):
            return None
        seas, last = seas | bit, bit
    return seas if last & board.shore.get(target, 0) else None


def could_reach(scene: Scene, unit: Unit, target: str, without: Unit | None = None) -> bool:
    """Whether ``unit`` could move to the province ``target``, if need be by convoy of fleets other than ``without``."""
    board = scene.board
    if unit.type == "F":
        return target in board.reach[unit.at]
    if target in board.army[unit.at]:
        return True
    seas = scene.at_sea
    if without is not None:
        seas &= ~board.sea_bit.get(without.at, 0)
    return convoy.connected(board, seas, unit.at, target)


def could_support_into(board: Board, unit: Unit, target: str) -> bool:
    """Whether ``unit`` could itself move to the province ``target`` without a convoy, on any coast (6.B.4, JP-8)."""
    return target in (board.army[unit.at] if unit.type == "A" else board.reach[unit.at])


# ── supports ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _support(scene: Scene, unit: Unit, order: Support) -> Support | Reason:
    board, rules = scene.board, scene.rules
    of = province_of(order.of)
    supported = scene.units.get(of)
    if of not in board.provinces:
        return Reason("unknown-place", {"at": order.of})
    if supported is unit:
        return Reason("support-itself", {"unit": unit})
    if supported is None:
        return Reason("support-no-unit", {"of": order.of})
    wrong = _nationality(unit, supported, order, rules)
    if wrong is not None:
        return wrong
    target = of if order.to is None else province_of(order.to)
    if target not in board.provinces:
        return Reason("unknown-place", {"at": order.to or order.of})
    if target == province_of(unit.at):
        return Reason("support-own-place", {"unit": unit})
    if not could_support_into(board, unit, target):
        return Reason("support-unreachable", {"unit": unit, "to": target})
    if order.to is None:
        return order
    if target == of or not could_reach(scene, supported, target, without=unit):
        return Reason("support-impossible", {"of": supported, "to": order.to})
    return _support_coast(board, supported, order, rules)


def _nationality(unit: Unit, supported: Unit, order: Support, rules: HouseRules) -> Reason | None:
    """4.C.5 and 4.C.6: the nationality of a supported unit, missing or wrong."""
    if order.of_power is None:
        if rules.units_missing_nationality == "void" and supported.power != unit.power:
            return Reason("nationality-missing", {"of": supported}, "units.missing_nationality")
    elif order.of_power != supported.power and rules.units_wrong_nationality == "void":
        return Reason("nationality-wrong", {"of": supported}, "units.wrong_nationality")
    return None


def _support_coast(board: Board, supported: Unit, order: Support, rules: HouseRules) -> Support | Reason:
    """A coast named in a support must at least be one that the supported fleet can reach (6.D.23, 6.B.9)."""
    to = order.to
    assert to is not None
    if "/" not in to:
        return order
    if supported.type == "A" or to not in board.fleet:
        if rules.coast_irrelevant == "void":
            return Reason("coast-irrelevant", {"to": to}, "coast.irrelevant")
    elif to in board.fleet[supported.at]:
        return order
    elif rules.coast_support != "ignored" and rules.coast_impossible != "ignored":
        return Reason("support-impossible", {"of": supported, "to": to})
    return Support(order.type, order.at, order.of_type, order.of, province_of(to), order.of_power)


# ── convoys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _convoy(scene: Scene, unit: Unit, order: Convoy) -> Convoy | Reason:
    board = scene.board
    origin, target = province_of(order.of), province_of(order.to)
    if unit.type != "F":
        return Reason("convoy-not-fleet", {"unit": unit})
    sea = board.sea_bit.get(unit.at, 0)
    if not sea:
        return Reason("convoy-not-at-sea", {"unit": unit})
    army = scene.units.get(origin)
    if army is None or army.type != "A":
        return Reason("convoy-no-army", {"at": order.of})
    province = board.provinces.get(target)
    if province is None:
        return Reason("unknown-place", {"at": order.to})
    if origin == target:
        return Reason("convoy-same-place", {"of": army})
    if province.kind != "coastal":
        return Reason("convoy-not-coastal", {"to": order.to})
    if not convoy.needed(board, scene.at_sea, sea, origin, target):
        if not convoy.connected(board, scene.at_sea, origin, target):
            return Reason("convoy-impossible", {"of": army, "to": target})
        if scene.rules.convoy_needless == "void":
            return Reason("convoy-needless", {"of": army, "to": target}, "convoy.needless")
    return order


_MEANT: dict[type[Order], Callable[[Scene, Unit, Any], MovementOrder | Reason]] = {
    Move: _move,
    Support: _support,
    Convoy: _convoy,
}
