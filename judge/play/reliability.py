"""How reliable players are: counted from what was stored of each phase that ran, over all their games.

Only orders for the phases that they owed some count, and only whether any came in time: how good they were is nobody's
business. A resignation is told and takes nothing off, since it is fairer than silence.
"""

from __future__ import annotations

from judge.mail.senders import box_of
from judge.play.filing import awaited
from judge.play.judge import Judge, Table
from judge.play.rulings import RulesRefused
from judge.rules.houserules import HouseRules
from judge.store import Store, duties, games
from judge.store.duties import Counts

#: Who has owed orders for fewer phases is a newcomer: nothing can be said yet.
NEWCOMER = 10


def note(store: Store, table: Table) -> None:
    """Write down who owed orders for a phase, as it runs, inside the caller's transaction."""
    waited_for = awaited(store, table).keys()
    seats = [seat for seat in games.seats(store, table.game.id) if seat.address and seat.power in waited_for]
    duties.add(store, table.phase.id, {seat.power: box_of(seat.address) for seat in seats})


def share(counts: Counts) -> int | None:
    """Of a hundred phases so many with orders in time; ``None``: a newcomer."""
    return None if counts.owed < NEWCOMER else 100 * counts.on_time // counts.owed


def check(judge: Judge, rules: HouseRules, address: str) -> None:
    """Whether somebody may come into a game by its rules (``entry.reliability``, ``entry.newcomers``).

    :raises RulesRefused: they have sent orders in time too seldom, or not for long enough.
    """
    if rules.entry_reliability == "none":
        return
    needed = int(rules.entry_reliability.split()[0])
    has = share(duties.counts(judge.store, box_of(address)))
    if has is None and rules.entry_newcomers == "no":
        raise RulesRefused("entry.newcomer", most=NEWCOMER, percent=needed)
    if has is not None and has < needed:
        raise RulesRefused("entry.unreliable", percent=needed, has=has)
