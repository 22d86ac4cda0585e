"""Several orders for one unit in one list: which of them counts (DATC 4.D.3), and what a wrong letter does (4.C)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from judge.rules.board import Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.outcome import Reason

UnitOrder = TypeVar("UnitOrder", bound=Hold | Move | Support | Convoy | Disband)


def choose(
    legal: Mapping[int, UnitOrder], units: Mapping[str, Unit], rules: HouseRules
) -> tuple[dict[str, UnitOrder], dict[int, Reason]]:
    """Choose one order for each unit: province -> order, and why the others do not count.

    ``legal``: the legal orders by their number in the list; illegal ones are no orders at all, so they never compete.
    """
    chosen: dict[str, UnitOrder] = {}
    for order in legal.values():
        chosen[province_of(order.at)] = order
    lost: dict[int, Reason] = {}
    if len(chosen) == len(legal):
        return chosen, lost
    for place in list(chosen):
        orders = {number: order for number, order in legal.items() if province_of(order.at) == place}
        if len(orders) > 1:
            winner = _winner(orders, units[place], rules)
            lost.update((n, _why_not(o, orders.get(winner), units[place], rules)) for n, o in orders.items() if n != winner)
            if winner < 0:
                del chosen[place]
            else:
                chosen[place] = orders[winner]
    return chosen, lost


def _winner(orders: Mapping[int, Order], unit: Unit, rules: HouseRules) -> int:
    """The number of the order that counts, -1 if none does."""
    numbers = [number for number, order in orders.items() if not _yields(order, unit, rules)] or list(orders)
    if len({_content(orders[number]) for number in numbers}) == 1:
        return numbers[0]
    if rules.orders_duplicate == "void":
        return -1
    return numbers[-1 if rules.orders_duplicate == "last" else 0]


def _yields(order: Order, unit: Unit, rules: HouseRules) -> bool:
    """Whether the order gives way to one with the right letter (4.C.1 c, 4.C.2 c)."""
    if isinstance(order, Waive) or order.type == unit.type:
        return False
    rule = rules.units_missing_type if order.type is None else rules.units_wrong_type
    return rule == "yields"


def _why_not(order: Order, winner: Order | None, unit: Unit, rules: HouseRules) -> Reason:
    if winner is None:
        return Reason("contradictory", {"unit": unit}, "orders.duplicate")
    if _content(order) == _content(winner):
        return Reason("repeated", {"unit": unit})
    if _yields(order, unit, rules) and not _yields(winner, unit, rules):
        rule = "units.missing_type" if isinstance(order, Waive) or order.type is None else "units.wrong_type"
        return Reason("type-yields", {"unit": unit}, rule)
    code = "replaced" if rules.orders_duplicate == "last" else "first-counts"
    return Reason(code, {"unit": unit}, "orders.duplicate")


def _content(order: Order) -> Order:
    """The order without what does not matter: letters, nationality, the ordered unit's own coast."""
    if isinstance(order, Waive | Build):
        return order
    bare: Order = replace(order, type=None, at=province_of(order.at))
    if isinstance(bare, Support):
        bare = replace(bare, of_type=None, of=province_of(bare.of), of_power=None)
    return bare
