"""Several orders for one unit in one list: which of them counts (DATC 4.D.3), and which give way for a flaw (4.C)."""

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
    legal: Mapping[int, UnitOrder], units: Mapping[str, Unit], rules: HouseRules, standing: Mapping[str, Unit] | None = None
) -> tuple[dict[str, UnitOrder], dict[int, Reason]]:
    """Choose one order for each unit: province -> order, and why the others do not count.

    ``legal``: the legal orders by their number in the list; illegal ones are no orders at all, so they never compete.
    ``units``: the ordered units by province; ``standing``: all units that may be supported, if these are others.
    """
    standing = units if standing is None else standing
    chosen: dict[str, UnitOrder] = {}
    for order in legal.values():
        chosen[province_of(order.at)] = order
    lost: dict[int, Reason] = {}
    if len(chosen) == len(legal):
        return chosen, lost
    for place in list(chosen):
        orders = {number: order for number, order in legal.items() if province_of(order.at) == place}
        if len(orders) > 1:
            flaws = {number: _flaw(order, units[place], standing, rules) for number, order in orders.items()}
            winner = _winner(orders, flaws, rules)
            for number, order in orders.items():
                if number != winner:
                    # where all have a flaw, none gives way to another
                    flaw = flaws[number] if None in flaws.values() else None
                    lost[number] = _why_not(order, orders.get(winner), flaw, units[place], rules)
            if winner < 0:
                del chosen[place]
            else:
                chosen[place] = orders[winner]
    return chosen, lost


def _winner(orders: Mapping[int, Order], flaws: Mapping[int, Reason | None], rules: HouseRules) -> int:
    """The number of the order that counts, -1 if none does."""
    numbers = [number for number in orders if flaws[number] is None] or list(orders)
    if len({_content(orders[number]) for number in numbers}) == 1:
        return numbers[0]
    if rules.orders_duplicate == "void":
        return -1
    return numbers[-1 if rules.orders_duplicate == "last" else 0]


def _flaw(order: Order, unit: Unit, standing: Mapping[str, Unit], rules: HouseRules) -> Reason | None:
    """Why the order gives way to another one for ``unit`` (4.C.1, 4.C.2, 4.C.5, 4.C.6), ``None`` if it does not."""
    if isinstance(order, Waive):
        return None
    if order.type is None and rules.units_missing_type == "yields":
        return Reason("type-yields", {"unit": unit}, "units.missing_type")
    if order.type not in (None, unit.type) and rules.units_wrong_type == "yields":
        return Reason("type-yields", {"unit": unit}, "units.wrong_type")
    supported = standing.get(province_of(order.of)) if isinstance(order, Support) else None
    if not isinstance(order, Support) or supported is None:
        return None
    key = None
    if order.of_power is None:
        # whose a unit of one's own is goes without saying
        if rules.units_missing_nationality == "yields" and supported.power != unit.power:
            key = "units.missing_nationality"
    elif order.of_power != supported.power and rules.units_wrong_nationality == "yields":
        key = "units.wrong_nationality"
    return Reason("nationality-yields", {"unit": unit, "of": supported}, key) if key else None


def _why_not(order: Order, winner: Order | None, flaw: Reason | None, unit: Unit, rules: HouseRules) -> Reason:
    """``flaw``: why the order gave way to ``winner``, if it did."""
    if winner is None:
        return flaw or Reason("contradictory", {"unit": unit}, "orders.duplicate")
    if _content(order) == _content(winner):
        return Reason("repeated", {"unit": unit})
    if flaw is not None:
        return flaw
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
