"""The orders that a phase runs with: those on file, by whoever may order the unit (``orders.proxy``, DATC 4.E.5), and with
``orders.perpetual`` those that units repeat (4.E.4).

Nothing is stored of an order that is repeated: it follows from the phases that were played and what was on file for them,
so that it is the same whenever it is asked, and when a game is verified.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from judge.notation import parse_canonical
from judge.play.disorder import played_before
from judge.play.judge import Table, lay_out
from judge.rules.board import Unit, province_of
from judge.rules.legality import check
from judge.rules.orders import Move, Order, Support
from judge.rules.outcome import GivenOrder, Outcome, Result
from judge.rules.position import Phase
from judge.store import Store, codec, games, orders, proxies
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


def given_orders(store: Store, table: Table, repeats: Mapping[str, tuple[Order, ...]] | None = None) -> list[GivenOrder]:
    """The orders that the phase runs with, in the board's order of powers and, within one, as they were given; those that
    are repeated come last. ``repeats``: what :func:`all_repeated` found, if that is known already."""
    if repeats is None:
        repeats = all_repeated(store, table)
    by_power = all_in_force(store, table)
    given = []
    for power in table.board.powers:
        given += [GivenOrder(power, stored_order(held.text, table)) for held in by_power[power]]
        given += [GivenOrder(power, order) for order in repeats.get(power, ())]
    return given


def handed(store: Store, table: Table) -> list[Handed]:
    """The units in another power's hands in the table's phase."""
    return proxies.handed(store, table.phase.id) if table.rules.orders_proxy == "yes" else []


def in_force(store: Store, table: Table, power: str) -> list[HeldOrder]:
    """The orders on file for the units of ``power``: its own, and in the place of these those of the powers that have a
    unit of it in their hands. (What it ordered for units in its own hands is in force for their owners.)"""
    return all_in_force(store, table)[power]


def all_in_force(store: Store, table: Table) -> dict[str, list[HeldOrder]]:
    """The same of every power of the board."""
    on_file, hands = orders.held(store, table.phase.id), handed(store, table)
    return {power: _in_force(on_file, hands, power) for power in table.board.powers}


def _in_force(on_file: Iterable[HeldOrder], hands: Iterable[Handed], power: str) -> list[HeldOrder]:
    away = {one.place: one.proxy for one in hands if one.power == power}
    lent = {one.place for one in hands if one.proxy == power}
    by_proxy = [held for held in on_file if away.get(held.slot) == held.power]
    taken = {held.slot for held in by_proxy} | lent
    return [held for held in on_file if held.power == power and held.slot not in taken] + by_proxy


def proxies_of(store: Store, table: Table) -> dict[str, str]:
    """Province -> the power that ordered the unit there for its owner."""
    if table.rules.orders_proxy != "yes":
        return {}
    by_power = all_in_force(store, table)
    return {held.slot: held.power for power, held_for in by_power.items() for held in held_for if held.power != power}


def repeated(store: Store, table: Table, power: str) -> tuple[Order, ...]:
    """The orders that the units of ``power`` without one on file repeat: see :func:`all_repeated`."""
    return all_repeated(store, table, [power])[power]


def all_repeated(store: Store, table: Table, powers: Collection[str] | None = None) -> dict[str, tuple[Order, ...]]:
    """The orders that units without one on file repeat, by power (``powers``, or all), each in the position's order.

    A unit repeats the order that it was last given for a movement, if it still stands where it stood then and the order is
    still legal. One that moved, retreated or was built since has none to repeat.
    """
    powers = table.board.powers if powers is None else powers
    nothing: dict[str, tuple[Order, ...]] = {power: () for power in powers}
    if table.rules.orders_perpetual == "no" or table.position.phase.kind != "M":
        return nothing
    ordered = {(power, held.slot) for power, on_file in all_in_force(store, table).items() for held in on_file}
    silent = [unit for unit in table.position.units if unit.power in nothing and (unit.power, unit.province) not in ordered]
    last = _last_given(store, table, silent)
    found = {unit: stored_order(last[unit], table) for unit in silent if unit in last}
    legal = [u for u, order in found.items() if check(table.board, table.position, u.power, order, table.rules) is None]
    return {power: tuple(found[unit] for unit in legal if unit.power == power) for power in powers}


def _last_given(store: Store, table: Table, units: Iterable[Unit]) -> dict[Unit, str]:
    """The order that each of ``units`` was last given for a movement where it stands.

    The phases are walked through from the latest, and only until it is known of each unit: when it was ordered, or that it
    was elsewhere. A unit that repeated an order in one of them had stood still since that order, so that nothing between
    is looked at: a game costs no more for being long.
    """
    ordered = orders.ordered_before(store, table.game.id, table.phase.number, table.phase.attempt)
    looked_for = {unit for unit in units if unit.province in ordered}
    found: dict[Unit, str] = {}
    since: dict[Unit, int] = {}  # unit -> a phase in which it repeated the order
    before = played_before(store, table.phase)
    while looked_for and (phase := next(before, None)) is not None:
        if Phase.parse(phase.name).kind != "M":
            continue
        then = lay_out(table.game, phase)
        outcomes = codec.adjudication_from_text(phase.result or "", then.board).outcomes
        looked_for &= _stayed(then, outcomes)
        given = _texts(store, then)
        found |= {unit: given[unit.power, unit.province] for unit in looked_for if (unit.power, unit.province) in given}
        given_or_repeated = {outcome.unit for outcome in outcomes if not outcome.filled_in}
        since |= {unit: phase.number for unit in looked_for & given_or_repeated - found.keys()}
        looked_for -= found.keys() | since.keys()
    for number in sorted({number for unit in since for number in ordered[unit.province]}, reverse=True):
        open_ones = [u for u, at in since.items() if u not in found and number < at and number in ordered[u.province]]
        earlier = games.phase_before(store, table.game.id, number + 1, table.phase.attempt) if open_ones else None
        if earlier is not None and Phase.parse(earlier.name).kind == "M":
            given = _texts(store, lay_out(table.game, earlier))
            found |= {u: given[u.power, u.province] for u in open_ones if (u.power, u.province) in given}
    return found


def _texts(store: Store, table: Table) -> dict[tuple[str, str], str]:
    """The orders in force: (power, slot) -> text."""
    return {(power, held.slot): held.text for power, given in all_in_force(store, table).items() for held in given}


def _stayed(table: Table, outcomes: Iterable[Outcome]) -> set[Unit]:
    """The units that stood through a movement where they were: what stands there later is the same unit."""
    left = {
        outcome.unit
        for outcome in outcomes
        if outcome.dislodged or (isinstance(outcome.order, Move) and outcome.result is Result.SUCCEEDS)
    }
    return set(table.position.units) - left
