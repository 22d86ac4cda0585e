"""When the next phase of a game is due: its timetable (:mod:`judge.timetable`), asked with stored facts."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge import timetable
from judge.timetable import Kind, Timetable

#: After the last order came in, players may still change their minds for this long before the phase runs early.
COOLING = timedelta(minutes=30)


def kind_of(phase: str) -> Kind:
    """The kind of a phase by its name: ``S1901M`` is ``M``."""
    return "R" if phase.endswith("R") else "A" if phase.endswith("A") else "M"


def read(schedule: str) -> Timetable:
    """The timetable of a game's schedule.

    :raises BadInput: it is none.
    """
    return timetable.read(schedule)


def first_deadline(schedule: str, now: datetime) -> datetime:
    """The deadline of the first phase of a game that starts now."""
    return read(schedule).first_due(now)


def next_deadline(schedule: str, phase: str, deadline: datetime | None, now: datetime) -> datetime:
    """The deadline of ``phase``, which opens ``now`` after one that was due at ``deadline`` (``None``: at no time).

    It stays on the grid of the old one (21:00 stays 21:00), after an early run and after an outage too, and players always
    get what their timetable says a phase lasts at least.
    """
    table, kind = read(schedule), kind_of(phase)
    return table.fresh(now, kind) if deadline is None else table.next_due(kind, deadline, now)


#: A phase is put off for newcomers to so many intervals in all.
MOST_INTERVALS = 3


def full_phase(schedule: str, phase: str, opened_at: datetime, deadline: datetime, now: datetime) -> datetime | None:
    """The deadline, on the grid of the old one, that leaves at least a whole phase from ``now``; ``None``: the old one
    does, or the phase has been put off as far as it may be."""
    table, kind = read(schedule), kind_of(phase)
    whole = table.whole(kind)
    new = deadline
    while new - now < whole:
        new = table.following(kind, new)
    return new if deadline < new <= opened_at + MOST_INTERVALS * whole else None
