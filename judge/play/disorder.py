"""Civil disorder (``nmr = civil-disorder``): a power that owed orders and sent none is not waited for until it orders again.

Nothing of it is stored: who is in disorder follows from the phases that were played and the orders that were on file when
they ran, so that it is the same whenever it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from judge.play.judge import Table, lay_out
from judge.rules import owing
from judge.rules.position import Position
from judge.store import Store, codec, games, orders, proxies
from judge.store.games import PhaseRow

#: What a phase did to a power: its disorder began with it, goes on, or is over.
Disorder = Literal["began", "goes-on", "over"]


def in_disorder(store: Store, table: Table) -> frozenset[str]:
    """The powers in civil disorder in the table's phase: they were when it opened, and have nothing on file for it."""
    return at_opening(store, table) - spoke(store, table.phase.id)


def spoke(store: Store, phase_id: int) -> frozenset[str]:
    """The powers that have orders on file for a phase, or have put a unit into another power's hands for it."""
    ordered = {held.power for held in orders.held(store, phase_id)}
    return frozenset(ordered | {one.power for one in proxies.handed(store, phase_id)})


def sent_nothing(store: Store, table: Table) -> tuple[str, ...]:
    """The powers that owe orders in the table's phase and have sent none for it, in the board's order; what their units
    repeat (``orders.perpetual``) or another power orders for them unasked is nothing that they sent."""
    owed = owing(table.board, table.position, table.rules)
    there = spoke(store, table.phase.id)
    return tuple(power for power in table.board.powers if power in owed and power not in there)


def not_waited_for(store: Store, table: Table) -> frozenset[str]:
    """The powers in civil disorder that have not asked for time: no WAIT of theirs stands, and no question to them."""
    phase = table.phase.id
    return frozenset(
        power
        for power in in_disorder(store, table)
        if not orders.standing(store, phase, power).wait and not orders.open_questions(store, phase, power)
    )


def at_opening(store: Store, table: Table) -> frozenset[str]:
    """The powers that were in civil disorder when the table's phase opened.

    The latest phase before it decides in which a power had orders (it was not), or owed some and had none while this rule
    was in force (it was). For a power with units that is one of the last few, since each movement asks for orders; one with
    nothing left is never in disorder, and not looked for.
    """
    unsettled: set[str] = set()
    if table.rules.nmr == "civil-disorder":  # else, as in most games, nothing of the past is looked at
        unsettled = _players(store, table)
    disorder: set[str] = set()
    before = played_before(store, table.phase)
    while unsettled and (phase := next(before, None)) is not None:
        unsettled -= spoke(store, phase.id)
        if unsettled and codec.rules_from_text(phase.rules or table.game.rules).nmr == "civil-disorder":
            then = lay_out(table.game, phase)
            silent = unsettled & owing(then.board, then.position, then.rules).keys()
            disorder |= silent
            unsettled -= silent
    return frozenset(disorder)


def changes(store: Store, table: Table) -> dict[str, Disorder]:
    """What the table's phase, which has been played, did: each power that was or is in civil disorder, in the board's order.

    Only who plays a power can be told that it is in disorder; a power that nobody plays never is.
    """
    if table.rules.nmr != "civil-disorder":
        return {}
    before = at_opening(store, table)
    silent = _players(store, table) & set(sent_nothing(store, table))
    after = (before - spoke(store, table.phase.id)) | silent
    found: dict[str, Disorder] = {}
    for power in table.board.powers:
        if power in before | after:
            found[power] = "over" if power not in after else "goes-on" if power in before else "began"
    return found


def played_before(store: Store, phase: PhaseRow) -> Iterator[PhaseRow]:
    """The phases that led to ``phase``, the latest first, each loaded when it is asked for."""
    number: int | None = phase.number
    while number is not None:
        found = games.phase_before(store, phase.game_id, number, phase.attempt)
        number = None if found is None else found.number
        if found is not None:
            yield found


def _players(store: Store, table: Table) -> set[str]:
    """The powers that somebody plays and that have anything left."""
    return {seat.power for seat in games.seats(store, table.game.id) if seat.address} & _left(table.position)


def _left(position: Position) -> set[str]:
    units = (*position.units, *(fallen.unit for fallen in position.dislodged))
    return {unit.power for unit in units} | set(position.owners.values())
