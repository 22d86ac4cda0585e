"""The deadline of the open phase is moved: to an instant, or by a span.

The change, its log and the notices are one transaction: no phase runs by the old deadline when the new one is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from judge.play.announcing import Doer, announce
from judge.play.filing import set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.notdone import NotDone
from judge.play.pausing import FARTHEST
from judge.store import games, mastering
from judge.store.db import instant, stamp

#: What the log calls a change of the deadline.
CHANGED = "deadline-changed"


def set_deadline(
    judge: Judge, table: Table, new: datetime, doer: Doer, now: datetime, *, facts: Mapping[str, Any] | None = None
) -> datetime | None:
    """Set the deadline of the open phase, inside the caller's transaction; everybody is told. Returns the one before.
    ``facts``: what the log keeps besides.

    :raises NotDone: the game is paused, the deadline is that already, or it is past or too far ahead.
    """
    old = games.phase(judge.store, table.phase.id).deadline
    _refuse_when_paused(judge, table, "DEADLINE")
    if new == old:
        raise NotDone("clock.same", at=new)
    if new <= now:
        raise NotDone("clock.past", at=new)
    if new > now + FARTHEST:
        raise NotDone("clock.too-far", at=new, days=FARTHEST.days)
    mastering.set_deadline(judge.store, table.phase.id, new)
    after = lay_out(table.game, games.phase(judge.store, table.phase.id))
    set_run_at(judge.store, after, now)
    told = {"phase": table.phase.name, "phase_id": table.phase.id, "old": old and stamp(old), "new": stamp(new)}
    number = games.log(judge.store, table.game.id, doer.who, CHANGED, {**told, "why": doer.why, **(facts or {})}, now)
    announce(judge, after, CHANGED, {"old": old, "new": new}, doer, now, number=number)
    return old


def extend(
    judge: Judge,
    table: Table,
    doer: Doer,
    now: datetime,
    *,
    by: timedelta | None = None,
    until: datetime | None = None,
    known_since: datetime | None = None,
) -> tuple[datetime | None, datetime]:
    """Put the deadline off ``by`` a span, or ``until`` an instant. Returns the old and the new one.

    A span that is said twice would put it off twice, by mistake: ``known_since`` is when the newest mail was written that
    whoever asks had read. If the deadline has been put off by the same span since, they are asked what they mean.

    :raises NotDone: as :func:`set_deadline`; the deadline is later already; or the same was done since ``known_since``.
    """
    _refuse_when_paused(judge, table, "EXTEND")
    old = games.phase(judge.store, table.phase.id).deadline
    facts: dict[str, Any] = {}
    if until is None:
        seconds = round((by or timedelta()).total_seconds())
        before = _put_off_by(judge, table, seconds)
        if before is not None and (known_since is None or known_since < before[0]):
            raise NotDone("clock.extended", at=before[1], example=f"EXTEND UNTIL {before[1]:%Y-%m-%d %H:%M} UTC")
        until = (old or now) + timedelta(seconds=seconds)
        facts = {"by": seconds}
    elif old is not None and until < old:
        raise NotDone("clock.not-later", at=old)
    set_deadline(judge, table, until, doer, now, facts=facts)
    return old, until


def _put_off_by(judge: Judge, table: Table, seconds: int) -> tuple[datetime, datetime] | None:
    """When the deadline of this phase was put off by so many seconds last, and what it became; ``None``: it never was."""
    for line in mastering.logged(judge.store, table.game.id, [CHANGED], 50):
        if line.facts.get("phase_id") != table.phase.id:
            return None
        if line.facts.get("by") == seconds:
            return line.at, instant(line.facts["new"])
    return None


def _refuse_when_paused(judge: Judge, table: Table, verb: str) -> None:
    if games.by_id(judge.store, table.game.id).paused_at is not None:
        raise NotDone("clock.paused", verb=verb)
