"""A timetable: when the phases of a game are due, as a rule in a named time zone. Pure functions of values, no clock.

    every 24 h                          each phase a day after the one before
    every 3 days at 21:00 Europe/Berlin
    Mon Thu 19:00 America/New_York      on these days of the week; several times may stand: Mon 19:00 Thu 21:30
    ...; retreats 24 h; adjustments daily at 21:00; first 5 days; talk 12 h; not Sat Sun, 2026-12-24..2026-12-27

The first clause is for all phases, ``retreats`` and ``adjustments`` may have another; ``first`` is what the first phase
lasts at least, ``talk`` what every phase does; ``not`` names days of the week and dates on which nothing is due.

The next deadline lies on the grid of the rule: of an interval, on that of the deadline before; of a time of day, on that
time in the rule's zone, whatever the zone's offset is by then. A time that a zone leaves out when summer begins (02:30) is
the same time by the offset before it (03:30); of one that comes twice, the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import count
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from judge.errors import BadInput

Kind = Literal["M", "R", "A"]
#: days of the week as a timetable writes them, Monday first
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
#: characters of a timetable
LONGEST = 300
_DAY = timedelta(days=1)
#: days in a row that dates may leave out; a game that stands still for longer is paused
_MOST_OUT = 366
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": _DAY, "w": timedelta(weeks=1)}

_SPAN = re.compile(r"(\d{1,4})\s*(min|minutes?|mins?|m|h|hours?|hrs?|d|days?|w|weeks?)", re.IGNORECASE)
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|r|rs|ur)?(?:days?)?", re.IGNORECASE)
_DATES = re.compile(r"(\d{4}-\d\d-\d\d)(?:\s*(?:\.\.|to|until)\s*(\d{4}-\d\d-\d\d))?", re.IGNORECASE)
_EVERY = re.compile(rf"(?:every\s+)?({_SPAN.pattern})(?:\s+(at\s+\S+))?", re.IGNORECASE)
_DAILY = re.compile(r"(?:daily|every\s+day)\s+at\s+(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Every:
    """An interval: each deadline so long after the one before."""

    length: timedelta

    @property
    def shortest(self) -> timedelta:
        return self.length


@dataclass(frozen=True, slots=True)
class Daily:
    """A time of day, every so many days, counted from the deadline before."""

    days: int
    at: time

    @property
    def shortest(self) -> timedelta:
        return self.days * _DAY


@dataclass(frozen=True, slots=True)
class Weekly:
    """Times on days of the week (Monday is 0), in their order."""

    times: tuple[tuple[int, time], ...]

    @property
    def shortest(self) -> timedelta:
        starts = [day * _DAY + timedelta(hours=at.hour, minutes=at.minute) for day, at in self.times]
        return min(b - a for a, b in zip(starts, [*starts[1:], starts[0] + 7 * _DAY], strict=True))


Rhythm = Every | Daily | Weekly


@dataclass(frozen=True, slots=True)
class Timetable:
    """A rule that says when phases are due; see :func:`read`. ``text`` is how it was written. ``out``: first and last day
    of what is left out."""

    text: str
    zone: ZoneInfo
    movement: Rhythm
    retreats: Rhythm | None = None
    adjustments: Rhythm | None = None
    first: timedelta | None = None
    talk: timedelta | None = None
    weekdays_out: frozenset[int] = frozenset()
    out: tuple[tuple[date, date], ...] = field(default=())

    def rhythm(self, kind: Kind) -> Rhythm:
        """The rhythm of a kind of phase."""
        return {"M": self.movement, "R": self.retreats, "A": self.adjustments}[kind] or self.movement

    def least(self, kind: Kind) -> timedelta:
        """How long a phase lasts at least: what the rule says, else half of the shortest that its rhythm has."""
        return self.rhythm(kind).shortest / 2 if self.talk is None else self.talk

    def whole(self, kind: Kind) -> timedelta:
        """How long a phase usually lasts, at least."""
        return max(self.rhythm(kind).shortest, self.talk or timedelta())

    def is_out(self, day: date) -> bool:
        """Whether nothing is due on a day (where the rule's zone is)."""
        return day.weekday() in self.weekdays_out or any(start <= day <= end for start, end in self.out)

    def first_due(self, now: datetime, kind: Kind = "M") -> datetime:
        """The deadline of a game's first phase, which opens ``now``: a whole phase, and what ``first`` says at least."""
        return self.fresh(now, kind, self.first or timedelta())

    def fresh(self, now: datetime, kind: Kind, least: timedelta = timedelta()) -> datetime:
        """The deadline of a phase that opens anew ``now`` with no deadline before it: after a whole phase at least."""
        rhythm = self.rhythm(kind)
        if isinstance(rhythm, Every):
            return self._allowed(now + max(rhythm.length, least, self.talk or timedelta()))
        least = max(least, self.least(kind))
        if isinstance(rhythm, Daily):
            least = max(least, self._at(now.astimezone(self.zone).date() + rhythm.days * _DAY, rhythm.at) - now)
        return next(due for due in self._points(rhythm, now, now) if due - now >= least)

    def next_due(self, kind: Kind, before: datetime, now: datetime) -> datetime:
        """The deadline of a phase of that kind that opens ``now``, after one whose deadline was ``before``: the first on the
        grid that leaves the least a phase lasts, and never one before ``before``."""
        rhythm, least = self.rhythm(kind), self.least(kind)
        earliest = max(before, now + least)
        return next(due for due in self._points(rhythm, before, earliest) if due >= earliest)

    def following(self, kind: Kind, deadline: datetime) -> datetime:
        """The next deadline on the grid after another one."""
        return next(due for due in self._points(self.rhythm(kind), deadline, deadline) if due > deadline)

    def again(self, kind: Kind, earliest: datetime) -> datetime:
        """When a phase that was held up is due, not before ``earliest``: an interval has no grid to go back to."""
        rhythm = self.rhythm(kind)
        if isinstance(rhythm, Every):
            return self._allowed(earliest)
        return next(due for due in self._points(rhythm, earliest, earliest) if due >= earliest)

    def put_off(self, kind: Kind, deadline: datetime) -> datetime:
        """The next deadline for somebody who is away: on the grid of a quick game or of days of the week, else the same time
        of day on the next day."""
        rhythm = self.rhythm(kind)
        if isinstance(rhythm, Weekly) or (isinstance(rhythm, Every) and rhythm.length < _DAY):
            return self.following(kind, deadline)
        local = deadline.astimezone(self.zone)
        return self._allowed(self._at(local.date() + _DAY, local.time()))

    def _points(self, rhythm: Rhythm, anchor: datetime, earliest: datetime) -> Iterator[datetime]:
        """The instants of the grid in order: all from ``earliest`` on, and perhaps some before it."""
        if isinstance(rhythm, Weekly):
            start = earliest.astimezone(self.zone).date() - _DAY
            for day in (start + n * _DAY for n in count()):
                if not self.is_out(day):
                    yield from (self._at(day, at) for weekday, at in rhythm.times if weekday == day.weekday())
            return
        step = max(0, (earliest - _DAY - anchor) // rhythm.shortest)
        # what falls on a day that is left out goes on to the first that is not, so that an earlier step may be the next one
        while step and self.is_out(self._step(rhythm, anchor, step - 1).astimezone(self.zone).date()):
            step -= 1
        yield from (self._allowed(self._step(rhythm, anchor, n)) for n in count(step))

    def _step(self, rhythm: Every | Daily, anchor: datetime, number: int) -> datetime:
        """The instant so many steps after the anchor's, whatever is left out."""
        if isinstance(rhythm, Every):
            return anchor + number * rhythm.length
        return self._at(anchor.astimezone(self.zone).date() + number * rhythm.days * _DAY, rhythm.at)

    def _at(self, day: date, at: time) -> datetime:
        return datetime.combine(day, at, tzinfo=self.zone).astimezone(UTC)

    def _allowed(self, due: datetime) -> datetime:
        """The instant, or the same time of the first day after it on which something may be due."""
        local = due.astimezone(self.zone)
        if not self.is_out(local.date()):
            return due
        day = next(day for day in (local.date() + n * _DAY for n in range(1, 9 * _MOST_OUT)) if not self.is_out(day))
        return self._at(day, local.time())


@lru_cache(maxsize=1000)
def read(text: str) -> Timetable:
    """The timetable that ``text`` writes (see the module's docstring).

    :raises BadInput: it is none, with the clause that is not understood and what would be right.
    """
    if len(text) > LONGEST or not text.isprintable():
        raise BadInput(f"a schedule is one line of at most {LONGEST} characters")
    head, *clauses = [clause.strip() for clause in text.split(";")]
    head, zone = _zone(head)
    table = _Clauses(_rhythm(head))
    for clause in clauses:
        table.add(clause)
    return table.finish(" ".join(text.split()), zone)


@dataclass(slots=True)
class _Clauses:
    """What the clauses of a timetable have said so far."""

    movement: Rhythm
    others: dict[str, Rhythm] = field(default_factory=dict)
    spans: dict[str, timedelta] = field(default_factory=dict)
    weekdays: set[int] = field(default_factory=set)
    out: list[tuple[date, date]] = field(default_factory=list)

    def add(self, clause: str) -> None:
        word, _, rest = clause.partition(" ")
        word = word.lower().rstrip(":")
        names = {"retreat": "retreats", "adjustment": "adjustments", "builds": "adjustments"}
        word = names.get(word, word)
        if word in self.others or word in self.spans:
            raise BadInput(f"{clause!r}: {word} is said twice in this schedule")
        if word in ("retreats", "adjustments"):
            self.others[word] = _rhythm(rest.strip())
        elif word in ("first", "talk"):
            self.spans[word] = _span(rest.strip(), clause)
        elif word == "not":
            self._leave_out(rest, clause)
        else:
            raise BadInput(f"{clause!r} is no clause of a schedule; retreats, adjustments, first, talk and not begin one")

    def _leave_out(self, rest: str, clause: str) -> None:
        rest = re.sub(r"\s*(\.\.|\bto\b|\buntil\b)\s*", "..", rest)
        for item in re.split(r"[\s,]+", rest.strip()):
            day, dates = _WEEKDAY.fullmatch(item), _DATES.fullmatch(item)
            if day:
                self.weekdays.add([name.lower() for name in WEEKDAYS].index(day[1].lower()))
            elif item.lower() in ("weekend", "weekends"):
                self.weekdays |= {5, 6}
            elif dates:
                self.out.append(_days(dates[1], dates[2] or dates[1], clause))
            elif item.lower() != "and":
                raise BadInput(
                    f'{clause!r}: {item!r} is no day; "Sat", "weekends", "2026-12-24" and "2026-12-24..2026-12-27" are'
                )

    def finish(self, text: str, zone: ZoneInfo) -> Timetable:
        if sum((end - start).days + 1 for start, end in self.out) > _MOST_OUT:
            raise BadInput(f"a schedule leaves out {_MOST_OUT} days at most; a game that rests for longer is paused")
        for rhythm in (self.movement, *self.others.values()):
            days = {day for day, _ in rhythm.times} if isinstance(rhythm, Weekly) else set(range(7))
            if days <= self.weekdays:
                raise BadInput(f"{text!r} leaves out every day on which something would be due")
        return Timetable(
            text,
            zone,
            self.movement,
            self.others.get("retreats"),
            self.others.get("adjustments"),
            self.spans.get("first"),
            self.spans.get("talk"),
            frozenset(self.weekdays),
            tuple(sorted(self.out)),
        )


def _zone(head: str) -> tuple[str, ZoneInfo]:
    """A clause without the zone that stands behind it, and the zone; UTC if there is none."""
    rest, _, last = head.rpartition(" ")
    if last.upper() in ("UTC", "GMT", "Z"):
        return rest, ZoneInfo("UTC")
    if "/" not in last:
        return head, ZoneInfo("UTC")
    found = _zones().get(last.lower())
    if found is None:
        raise BadInput(f"{last!r} is no time zone; Europe/Berlin, Asia/Tokyo and America/New_York are")
    return rest, ZoneInfo(found)


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    """The names of all zones by how they may be typed."""
    return {name.lower(): name for name in available_timezones()}


def _rhythm(text: str) -> Rhythm:
    if found := _DAILY.fullmatch(text):
        return Daily(1, _time(found[1], text))
    if found := _EVERY.fullmatch(text):
        length = _span(found[1], text)
        at = found[found.lastindex or 0] if found.lastindex == 4 else None
        if at is None:
            return Every(length)
        if length % _DAY:
            raise BadInput(f'{text!r}: a time of day goes with whole days, as in "every 2 days at 21:00"')
        return Daily(length.days, _time(at[2:].strip(), text))
    weekly = _weekly(text)
    if weekly is None:
        raise BadInput(
            f'{text!r} is no schedule; "every 24 h", "every 3 days at 21:00 Europe/Berlin" and "Mon Thu 19:00 Asia/Tokyo"'
            " are"
        )
    return weekly


def _weekly(text: str) -> Weekly | None:
    days: list[int] = []
    times: set[tuple[int, time]] = set()
    fresh = True
    for item in re.split(r"[\s,]+", text.strip()):
        if day := _WEEKDAY.fullmatch(item):
            days = [] if fresh else days
            fresh = False
            days.append([name.lower() for name in WEEKDAYS].index(day[1].lower()))
        elif _TIME.fullmatch(item) and days:
            times |= {(day, _time(item, text)) for day in days}
            fresh = True
        elif item.lower() not in ("at", "and", "every", "on"):
            return None
    return Weekly(tuple(sorted(times))) if times and fresh else None


def _time(text: str, clause: str) -> time:
    found = _TIME.fullmatch(text)
    if not found:
        raise BadInput(f"{clause!r}: {text!r} is no time of day; 21:00 is")
    return time(int(found[1]), int(found[2]))


def _span(text: str, clause: str) -> timedelta:
    found = _SPAN.fullmatch(text)
    if not found:
        raise BadInput(f'{clause!r}: {text!r} is no span of time; "24 h", "3 days" and "15 min" are')
    span = int(found[1]) * _UNITS[found[2][0].lower()]
    if not timedelta(minutes=1) <= span <= timedelta(days=366):
        raise BadInput(f"{clause!r}: from 1 minute to 366 days")
    return span


def _days(start: str, end: str, clause: str) -> tuple[date, date]:
    try:
        first, last = date.fromisoformat(start), date.fromisoformat(end)
    except ValueError:
        raise BadInput(f"{clause!r} names a day that is none") from None
    if last < first:
        raise BadInput(f"{clause!r}: the last day lies before the first")
    return first, last
