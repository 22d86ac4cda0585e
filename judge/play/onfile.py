"""The orders that a phase runs with: those on file, by whoever may order the unit (``orders.proxy``, DATC 4.E.5), and with
``orders.perpetual`` those that units repeat (4.E.4).

Nothing is stored of an order that is repeated: it follows from the phases that were played and what was on file for them,
so that it is the same whenever it is asked, and when a game is verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation import parse_canonical
from judge.play.disorder import played_before
from judge.play.judge import Table, lay_out
from judge.rules.board import Unit, province_of
from judge.rules.legality import check
from judge.rules.orders import Move, Order, Support
from judge.rules.outcome import GivenOrder, Result
from judge.rules.position import Phase
from judge.store import Store, codec, orders, proxies
from judge.store.games import PhaseRow
from judge.store.orders import HeldOrder
from judge.store.proxies import Handed


def stored_order(text: str, table: Table) -> Order:
    """An order on file as it was given. Its text names no nationality: whether a support had to say whose unit it is for,
    and said it rightly (4.C.5, 4.C.6), was settled when its mail came in."""
    order = parse_canonical(text, table.board)
    if not isinstance(order, Support):
        return order
    place = province_of(order.of)
    return replace(order, of_power=next((u.power for u in table.position.units if u.province == place), None))


def given_orders(store: Store, table: Table) -> list[GivenOrder]:
    """The orders that the phase runs with, in the board's order of powers and, within one, as they were given; those that
    are repeated come last."""
    given = []
    for power in table.board.powers:
        given += [GivenOrder(power, stored_order(held.text, table)) for held in in_force(store, table, power)]
        given += [GivenOrder(power, order) for order in repeated(store, table, power)]
    return given


def handed(store: Store, table: Table) -> list[Handed]:
    """The units in another power's hands in the table's phase."""
    return proxies.handed(store, table.phase.id) if table.rules.orders_proxy == "yes" else []


def in_force(store: Store, table: Table, power: str) -> list[HeldOrder]:
    """The orders on file for the units of ``power``: its own, and in the place of these those of the powers that have a
    unit of it in their hands. (What it ordered for units in its own hands is in force for their owners.)"""
    hands = handed(store, table)
    if not hands:
        return orders.held(store, table.phase.id, power)
    away = {one.place: one.proxy for one in hands if one.power == power}
    lent = {one.place for one in hands if one.proxy == power}
    by_proxy = [held for held in orders.held(store, table.phase.id) if away.get(held.slot) == held.power]
    taken = {held.slot for held in by_proxy} | lent
    return [held for held in orders.held(store, table.phase.id, power) if held.slot not in taken] + by_proxy


def proxies_of(store: Store, table: Table) -> dict[str, str]:
    """Province -> the power that ordered the unit there for its owner."""
    return {
        held.slot: held.power
        for power in table.board.powers
        for held in in_force(store, table, power)
        if held.power != power
    }


def repeated(store: Store, table: Table, power: str) -> tuple[Order, ...]:
    """The orders that the units of ``power`` without one on file repeat, in the position's order.

    A unit repeats the order that it was last given for a movement, if it still stands where it stood then and the order is
    still legal. One that moved, retreated or was built since has none to repeat.
    """
    if table.rules.orders_perpetual == "no" or table.position.phase.kind != "M":
        return ()
    slots = {held.slot for held in in_force(store, table, power)}
    silent = [unit for unit in table.position.units_of(power) if unit.province not in slots]
    if not silent:
        return ()
    movements = [phase for phase in played_before(store, table.phase) if Phase.parse(phase.name).kind == "M"]
    last = _last_given(store, table, power, silent, movements)
    found = [last[unit] for unit in silent if unit in last]
    return tuple(order for order in found if check(table.board, table.position, power, order, table.rules) is None)


def _last_given(
    store: Store, table: Table, power: str, units: Sequence[Unit], movements: Sequence[PhaseRow]
) -> dict[Unit, Order]:
    """The order that each of ``units`` was last given where it stands; ``movements``: those played, the latest first."""
    found: dict[Unit, Order] = {}
    looked_for = set(units)
    for phase in movements:
        then_table = lay_out(table.game, phase)
        looked_for &= _stayed(then_table)
        if not looked_for:
            break
        then = {held.slot: held.text for held in in_force(store, then_table, power)}
        for unit in [unit for unit in looked_for if unit.province in then]:
            found[unit] = stored_order(then[unit.province], table)
            looked_for.remove(unit)
    return found


def _stayed(table: Table) -> set[Unit]:
    """The units that stood through a movement where they were: what stands there later is the same unit."""
    adjudication = codec.adjudication_from_text(table.phase.result or "", table.board)
    left = {
        outcome.unit
        for outcome in adjudication.outcomes
        if outcome.dislodged or (isinstance(outcome.order, Move) and outcome.result is Result.SUCCEEDS)
    }
    return set(table.position.units) - left
