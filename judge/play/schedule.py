"""When the next phase is due: a simple interval, a pure function of stored facts."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from judge.errors import BadInput

_INTERVAL = re.compile(r"(?:every\s+)?(\d{1,4})\s*(min|minutes?|m|h|hours?|d|days?)\s*\Z", re.IGNORECASE)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}

#: After the last order came in, players may still change their minds for this long before the phase runs early.
COOLING = timedelta(minutes=30)


def parse_interval(text: str) -> timedelta:
    """``"every 24 h"``, ``"48 h"``, ``"every 3 days"``, ``"15 min"`` -> the time a phase lasts.

    :raises BadInput: it is none of these, or less than a minute or more than a year.
    """
    found = _INTERVAL.match(text.strip())
    if not found:
        raise BadInput(f'{text!r} is no schedule; "every 24 h", "every 3 days" and "15 min" are')
    interval = int(found[1]) * _UNITS[found[2][0].lower()]
    if not timedelta(minutes=1) <= interval <= timedelta(days=366):
        raise BadInput(f"{text!r}: a phase lasts from 1 minute to 366 days")
    return interval


def first_deadline(schedule: str, now: datetime) -> datetime:
    """The deadline of the first phase of a game that starts now."""
    return now + parse_interval(schedule)


def next_deadline(schedule: str, deadline: datetime | None, now: datetime) -> datetime:
    """The deadline after the one that ended a phase at ``now``.

    It stays on the grid of the old one (21:00 stays 21:00), but players always get at least half an interval: after an
    early run, or after an outage, the grid moves.
    """
    interval = parse_interval(schedule)
    following = (deadline or now) + interval
    if deadline is None or deadline > now or following - now < interval / 2:
        return now + interval
    return following


#: A phase is put off for newcomers to so many intervals in all.
MOST_INTERVALS = 3


def full_phase(schedule: str, opened_at: datetime, deadline: datetime, now: datetime) -> datetime | None:
    """The deadline, on the grid of the old one, that leaves at least a whole interval from ``now``; ``None``: the old one
    does, or the phase has been put off as far as it may be."""
    interval = parse_interval(schedule)
    new = deadline
    while new - now < interval:
        new += interval
    return new if deadline < new <= opened_at + MOST_INTERVALS * interval else None
