"""Orders on file: which slot an order takes, what a power still owes, whether its set is complete, when a phase may run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.play.disorder import not_waited_for
from judge.play.judge import Table
from judge.play.onfile import all_repeated, handed, repeated
from judge.play.schedule import COOLING
from judge.rules import Owed, owing
from judge.rules.board import province_of
from judge.rules.orders import Build, Disband, Order, Waive
from judge.store import Store, games, orders, proxies
from judge.store.orders import HeldOrder


@dataclass(frozen=True, slots=True)
class FileState:
    """How far a power is. ``missing``: locations of its units without an order; ``open_count``: builds or removals that
    nothing has been said about; ``repeated``: orders of units that nothing was ordered for, which they repeat."""

    owed: Owed | None
    held: tuple[HeldOrder, ...]
    missing: tuple[str, ...]
    open_count: int
    repeated: tuple[Order, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is missing (also when nothing was owed)."""
        return not self.missing and not self.open_count


def awaited(store: Store, table: Table, absent: Collection[str] | None = None) -> dict[str, FileState]:
    """How far the powers are that owe something in the phase and are played by somebody: those that are waited for.

    A seat that nobody plays is not: its orders never come; nor is a power in civil disorder, before it orders again.
    ``absent``: these, if they are known already.
    """
    # who has nothing of its own left may still have another's unit in its hands
    owed = {one.proxy: Owed() for one in handed(store, table)} | owing(table.board, table.position, table.rules)
    absent = not_waited_for(store, table) if absent is None else absent
    repeats = all_repeated(store, table)
    return {
        seat.power: file_state(store, table, seat.power, owed, repeats[seat.power])
        for seat in games.seats(store, table.game.id)
        if seat.address and seat.power in owed and seat.power not in absent
    }


def slot_of(order: Order) -> str:
    """What an order is for: one order a unit, one build a place. A later order for the same slot replaces the earlier."""
    return "waive" if isinstance(order, Waive) else province_of(order.at)


def file_state(
    store: Store,
    table: Table,
    power: str,
    owed: Mapping[str, Owed] | None = None,
    repeats: Sequence[Order] | None = None,
) -> FileState:
    """How far ``power`` is in the open phase. ``owed``: what all powers owe, ``repeats``: what its units repeat, if that is
    known already."""
    if owed is None:
        owed = owing(table.board, table.position, table.rules)
    if repeats is None:
        repeats = repeated(store, table, power)
    state = state_of(owed.get(power), orders.held(store, table.phase.id, power), repeats)
    # a unit in other hands is for those to order, whatever is on file
    hands = handed(store, table)
    away = {one.place for one in hands if one.power == power}
    on_file = {held.slot for held in state.held}
    lent = [one.place for one in hands if one.proxy == power and one.place not in on_file]
    return replace(state, missing=(*(at for at in state.missing if province_of(at) not in away), *lent))


def state_of(owed: Owed | None, held: Sequence[HeldOrder], repeats: Sequence[Order] = ()) -> FileState:
    """The same from values: what is owed, what is held, and what is repeated."""
    if owed is None:
        return FileState(None, tuple(held), (), 0)
    slots = {h.slot for h in held} | set(map(slot_of, repeats))
    missing = tuple(at for at in owed.units if province_of(at) not in slots) if not owed.removals else ()
    wanted = owed.builds or owed.removals
    return FileState(owed, tuple(held), missing, max(0, wanted - len(held)) if wanted else 0, tuple(repeats))


def file_orders(
    store: Store, table: Table, power: str, new: Sequence[Order], texts: Sequence[str], inbox_id: int | None, now: datetime
) -> list[HeldOrder]:
    """Put a mail's good orders on file; returns the orders of earlier mails that they replaced.

    In an adjustment a later mail's builds push earlier ones out where both together are more than the power may have: who
    first wrote "build A Paris" and then "build A Marseilles", with one build to make, means the second.
    """
    replaced: list[HeldOrder] = []
    fresh: set[str] = set()
    for order, text in zip(new, texts, strict=True):
        slot = slot_of(order)
        if slot == "waive":
            slot = _next_waive(fresh)
        fresh.add(slot)
        old = orders.hold(store, table.phase.id, power, slot, text, inbox_id, now)
        if old is not None and old.text != text:
            replaced.append(old)
    if any(isinstance(order, Build | Disband | Waive) for order in new) and table.position.phase.kind == "A":
        replaced += _push_out(store, table, power, fresh)
    return replaced


def _next_waive(taken: Iterable[str]) -> str:
    number = 1 + sum(slot.startswith("waive") for slot in taken)
    return f"waive {number}"


def _push_out(store: Store, table: Table, power: str, fresh: set[str]) -> list[HeldOrder]:
    owed = owing(table.board, table.position, table.rules).get(power)
    allowed = (owed.builds or owed.removals) if owed else 0
    held = orders.held(store, table.phase.id, power)
    pushed: list[HeldOrder] = []
    for old in held:
        if len(held) - len(pushed) > allowed and old.slot not in fresh:
            orders.push_out(store, old.id)
            pushed.append(old)
    return pushed


def set_run_at(store: Store, table: Table, now: datetime) -> None:
    """Set when the open phase is due, after anything on file has changed.

    It runs at its deadline; at once if the master asked for that; or, if the game runs early, as soon as every power that
    is played and owes orders has a complete set and none waits: at once if all of them said READY, else after a time in
    which they may still change their minds.
    """
    phase = games.phase(store, table.phase.id)  # as it is now: its deadline may have been moved
    due = phase.deadline
    if table.game.early and due is not None:
        early = _early_instant(store, table, now)
        if early is not None:
            due = min(due, early)
    if phase.hurried_at is not None:
        due = min(due or phase.hurried_at, phase.hurried_at)
    if due != phase.run_at:
        games.set_run_at(store, table.phase.id, due)


def _brought_along(table: Table, state: FileState) -> bool:
    """Whether all that is on file was given before the phase opened: the game went back to it."""
    return bool(state.held) and all(held.set_at < table.phase.opened_at for held in state.held)


def _early_instant(store: Store, table: Table, now: datetime) -> datetime | None:
    played = {seat.power for seat in games.seats(store, table.game.id) if seat.address}
    absent = not_waited_for(store, table)
    if not played - absent:
        return None  # without players, or with none who plays on, there is nobody to be early for
    all_ready = True
    # what is on file for a unit that was taken back may be old: its owner has as long to think again
    last = max(table.phase.opened_at, proxies.changed_at(store, table.phase.id) or table.phase.opened_at)
    for power, state in awaited(store, table, absent).items():
        standing = orders.standing(store, table.phase.id, power)
        if standing.wait or not state.complete or orders.open_questions(store, table.phase.id, power, "use-these"):
            return None
        if state.repeated and not state.held and not standing.ready:
            return None  # it has said nothing yet: what it would repeat is for the deadline
        if not standing.ready and _brought_along(table, state):
            return None  # nor to orders that came back with the phase: who went back to it wants them looked at again
        all_ready = all_ready and standing.ready
        last = max([last, *(h.set_at for h in state.held)])
    return now if all_ready else max(now, last + COOLING)
