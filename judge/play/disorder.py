"""Civil disorder (``nmr = civil-disorder``): a power that owed orders and sent none is not waited for until it orders again.

Nothing of it is stored: who is in disorder follows from the phases that were played and the orders that were on file when
they ran, so that it is the same whenever it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from judge.play.judge import Table, lay_out
from judge.rules import owing
from judge.store import Store, games, orders, proxies
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


def not_waited_for(store: Store, table: Table) -> frozenset[str]:
    """The powers in civil disorder that have not asked for time: no WAIT of theirs stands, and no question to them."""
    phase = table.phase.id
    return frozenset(
        power
        for power in in_disorder(store, table)
        if not orders.standing(store, phase, power).wait and not orders.open_questions(store, phase, power)
    )


def at_opening(store: Store, table: Table) -> frozenset[str]:
    """The powers that were in civil disorder when the table's phase opened."""
    if table.rules.nmr != "civil-disorder":
        return frozenset()  # most games: nothing of the past is looked at
    return _after(store, table, played_before(store, table.phase))


def changes(store: Store, table: Table) -> dict[str, Disorder]:
    """What the table's phase, which has been played, did: each power that was or is in civil disorder, in the board's order.

    Only who plays a power can be told that it is in disorder; a power that nobody plays never is.
    """
    before = at_opening(store, table)
    after = _after(store, table, [table.phase, *played_before(store, table.phase)])
    found: dict[str, Disorder] = {}
    for power in table.board.powers:
        if power in before | after:
            found[power] = "over" if power not in after else "goes-on" if power in before else "began"
    return found


def played_before(store: Store, phase: PhaseRow) -> list[PhaseRow]:
    """The phases that led to ``phase``, the latest first. Of a phase played more than once the last time counts."""
    last = {
        one.number: one
        for one in games.phases(store, phase.game_id)
        if one.number < phase.number and one.attempt <= phase.attempt and one.state == "processed"
    }
    return [last[number] for number in sorted(last, reverse=True)]


def _after(store: Store, table: Table, played: Sequence[PhaseRow]) -> frozenset[str]:
    """Who is in disorder after the phases ``played`` (the latest first), by the rules of the table.

    The latest phase decides in which a power had orders (it is not), or owed some and had none while this rule was in
    force (it is). That is nearly always the one before, so that few phases are looked at however long a game is.
    """
    if table.rules.nmr != "civil-disorder":
        return frozenset()
    unsettled = {seat.power for seat in games.seats(store, table.game.id) if seat.address}
    disorder = set()
    for phase in played:
        if not unsettled:
            break
        unsettled -= spoke(store, phase.id)
        then = lay_out(table.game, phase)
        if then.rules.nmr == "civil-disorder":
            silent = unsettled & owing(then.board, then.position, then.rules).keys()
            disorder |= silent
            unsettled -= silent
    return frozenset(disorder)
