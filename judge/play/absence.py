"""What the house rules say of a power without orders at the deadline (``nmr``)."""

from __future__ import annotations

from datetime import datetime

from judge.play.disorder import spoke
from judge.play.filing import awaited, set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.posting import write_to_seat
from judge.play.schedule import next_deadline
from judge.store import games
from judge.store.db import stamp


def postponed(judge: Judge, table: Table, now: datetime) -> bool:
    """Put the deadline off, once a phase, if the rules say so and a player has sent nothing at all for it.

    Inside the caller's transaction. Everybody is told the new deadline, and nobody for whom it waits. A seat that nobody
    plays is not waited for: it would put every deadline off. Returns whether it was put off.
    """
    phase = table.phase
    if table.rules.nmr != "postpone" or phase.postponed or phase.deadline is None or phase.deadline > now:
        return False
    seats = games.readers(judge.store, table.game.id)
    if spoke(judge.store, phase.id) >= awaited(judge.store, table).keys():
        return False
    new = next_deadline(table.game.schedule, phase.name, phase.deadline, now)
    games.postpone(judge.store, phase.id, new)
    after = lay_out(table.game, games.phase(judge.store, phase.id))
    set_run_at(judge.store, after, now)
    args = {"code": "postponed", "args": {"old": stamp(phase.deadline), "new": stamp(new)}, "by": None, "why": None}
    for seat in seats:
        write_to_seat(judge, after, seat, "notice", args, now, extra="postponed")
    facts = {"phase": phase.name, "old": stamp(phase.deadline), "new": stamp(new)}
    games.log(judge.store, table.game.id, "clock", "postponed", facts, now)
    return True
