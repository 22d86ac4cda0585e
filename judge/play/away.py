"""Players who are away put deadlines off, as far as the house rules let them (``clock.absence``).

An absence is a stored fact, whole days where the player lives. What it does to a deadline is a function of such facts and of
nothing else: a deadline that falls into an absence of somebody who owes orders goes on, at the same time of day, to the
first that does not; never one that is nearer than a day, never back, and never by more than a player has left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from judge.mail.senders import box_of
from judge.play import seats
from judge.play.filing import awaited, set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.schedule import kind_of, read
from judge.render.commonfacts import Answer
from judge.rules.houserules import HouseRules
from judge.store import Store, absences, games, seatchanges

#: A deadline that players count on already, because it is so near, stays.
TOO_NEAR = timedelta(hours=24)
#: From when to when somebody is away (not any more).
Span = tuple[datetime, datetime]


def after_absences(schedule: str, phase: str, deadline: datetime, spans: Sequence[Span], room: timedelta) -> datetime:
    """The first deadline of ``phase`` from ``deadline`` on, at the same time of day or on its grid, that falls into none
    of the ``spans``; or where that would be later than ``room`` allows, the last that does not."""
    table, kind = read(schedule), kind_of(phase)
    last = deadline + room
    new = deadline
    while any(start <= new < end for start, end in spans):
        following = table.put_off(kind, new)
        if following > last:
            break
        new = following
    return new


def settled(
    schedule: str, phase: str, deadline: datetime, spans: Mapping[str, Sequence[Span]], rooms: Mapping[str, timedelta]
) -> tuple[datetime, dict[str, timedelta]]:
    """The deadline when everybody's absences have been heeded, and by how much it was put off for whom. One person's end may
    lie in another's absence; each goes no farther than their own room, so that there is an end to it."""
    moved = dict.fromkeys(spans, timedelta())
    before = None
    while before != deadline:
        before = deadline
        for who, away in spans.items():
            new = after_absences(schedule, phase, deadline, away, rooms[who] - moved[who])
            moved[who] += new - deadline
            deadline = new
    return deadline, {who: by for who, by in moved.items() if by}


def room(rules: HouseRules) -> timedelta:
    """By how much a player may put the deadlines of a game off in all."""
    return timedelta() if rules.clock_absence == "none" else timedelta(days=int(rules.clock_absence.split()[0]))


def heed(store: Store, table: Table, now: datetime) -> Table:
    """Put the open phase's deadline off for the players who owe orders and are away, inside the caller's transaction.
    Returns the table with it; nobody is told."""
    deadline = table.phase.deadline
    there = absences.ahead(store, now) if deadline is not None and room(table.rules) else []
    if deadline is None or not there:
        return table
    waited_for = awaited(store, table).keys()
    boxes = {box_of(seat.address) for seat in games.seats(store, table.game.id) if seat.address and seat.power in waited_for}
    spans: dict[str, list[Span]] = {}
    for one in there:
        if one.mailbox in boxes:
            spans.setdefault(one.mailbox, []).append((one.starts_at, one.ends_at))
    rooms = {who: max(timedelta(), room(table.rules) - absences.used(store, table.game.id, who)) for who in spans}
    new, moved = settled(table.game.schedule, table.phase.name, deadline, spans, rooms)
    if new == deadline:
        return table
    for who, by in moved.items():
        absences.moved(store, table.phase.id, who, by, now)
    seatchanges.put_off(store, table.phase.id, new)
    # the log is for all players: it has no name
    facts = {"phase": table.phase.name, "old": deadline.isoformat(), "new": new.isoformat(), "why": "absence"}
    games.log(store, table.game.id, "clock", "put-off", facts, now)
    after = lay_out(table.game, games.phase(store, table.phase.id))
    set_run_at(store, after, now)
    return after


def heed_and_tell(judge: Judge, table: Table, now: datetime, *, extra: str, but: Collection[str]) -> Table:
    """The same for a phase that players know the deadline of: one that is near stays, and all are told of a new one, but
    not who is away."""
    old = table.phase.deadline
    if old is None or old - now < TOO_NEAR:
        return table
    after = heed(judge.store, table, now)
    if after.phase.deadline != old:
        told = [Answer("away-deadline", {"old": old, "new": after.phase.deadline})]
        seats.tell(judge, after, told, now, extra=extra, but=but)
    return after
