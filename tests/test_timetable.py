"""Timetables: what is written, when phases are due by it, and how it agrees with an independent calculation."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import DAILY, FR, MINUTELY, MO, SA, SU, TH, TU, WE, WEEKLY, rrule
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.errors import BadInput
from judge.timetable import WEEKDAYS, Daily, Every, Kind, Timetable, Weekly, read

KINDS: tuple[Kind, ...] = get_args(Kind)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Moscow", "America/New_York", "America/Los_Angeles",
    "America/Sao_Paulo", "America/St_Johns", "America/Santiago", "Asia/Tokyo", "Asia/Shanghai", "Asia/Taipei",
    "Asia/Kolkata", "Asia/Kathmandu", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland",
    "Pacific/Chatham", "Africa/Cairo",
)  # fmt: skip
#: when in 2027 a zone's clocks are put forward or back, and an hour that is left out or comes twice
BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rhythm"),
    [
        ("every 24 h", Every(DAY)),
        ("48 h", Every(2 * DAY)),
        ("every 3 days", Every(3 * DAY)),
        ("15 min", Every(HOUR / 4)),
        ("Every 1 day", Every(DAY)),
        ("every 2 weeks", Every(14 * DAY)),
        ("daily at 21:00", Daily(1, time(21))),
        ("every day at 7:30", Daily(1, time(7, 30))),
        ("every 3 days at 21:00 Europe/Berlin", Daily(3, time(21))),
        ("every 48 h at 21:00", Daily(2, time(21))),
        ("Mon Thu 19:00 America/New_York", Weekly(((0, time(19)), (3, time(19))))),
        ("mon, thursday at 19:00", Weekly(((0, time(19)), (3, time(19))))),
        ("Thu 21:30 and Mon 19:00", Weekly(((0, time(19)), (3, time(21, 30))))),
        ("Sundays 9:00", Weekly(((6, time(9)),))),
    ],
)
def test_rhythms(text: str, rhythm: Any) -> None:
    assert read(text).movement == rhythm


def test_every_clause() -> None:
    found = read(
        "every 3 days at 21:00 Europe/Berlin; retreats 24 h; adjustments daily at 21:00; first 5 days; talk 12 h;"
        " not weekends, 2026-12-24..2026-12-27; not 2027-01-01"
    )
    out = ((date(2026, 12, 24), date(2026, 12, 27)), (date(2027, 1, 1), date(2027, 1, 1)))
    assert found.zone == BERLIN
    assert [found.rhythm(kind) for kind in KINDS] == [Daily(3, time(21)), Every(DAY), Daily(1, time(21))]
    assert (found.first, found.talk, found.weekdays_out, found.out) == (5 * DAY, DAY / 2, frozenset({5, 6}), out)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no schedule"),
        ("daily", "is no schedule"),
        ("every 0 h", "from 1 minute"),
        ("-3 h", "is no schedule"),
        ("1e9 h", "is no schedule"),
        ("9999 days", "366 days"),
        ("24", "is no schedule"),
        ("24 h and 3", "is no schedule"),
        ("Mon", "is no schedule"),
        ("Mon 19:00 Thu", "is no schedule"),
        ("every 2 h at 3:00", "whole days"),
        ("daily at 24:00", "no time of day"),
        ("daily at nine", "no time of day"),
        ("daily at 21:00 Asia/Tokio", "no time zone"),
        ("daily at 21:00; not every day", "is no day"),
        ("daily at 21:00; not 2026-02-30", "a day that is none"),
        ("daily at 21:00; not 2026-12-27..2026-12-24", "before the first"),
        ("daily at 21:00; not 2026-01-01..2027-12-31", "366 days at most"),
        ("Mon 19:00; not Mon", "leaves out every day"),
        ("24 h; not Mon Tue Wed Thu Fri Sat Sun", "leaves out every day"),
        ("24 h; retreats soon", "is no schedule"),
        ("24 h; talk 1 h; talk 2 h", "said twice"),
        ("24 h; wait for me", "is no clause"),
        ("24 h\nnot Sat", "one line"),
        ("24 h; not " + "Sat " * 100, "one line"),
    ],
)
def test_what_is_no_timetable_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(text)


@pytest.mark.parametrize(
    ("text", "kind", "before", "now", "due"),
    [
        pytest.param("every 24 h", "M", "2026-12-01T20:00", "2026-12-01T20:00", "2026-12-02T20:00", id="an-interval"),
        pytest.param("every 24 h", "M", "2026-12-01T20:00", "2026-12-01T15:00", "2026-12-02T20:00", id="after-an-early-run"),
        pytest.param("every 24 h", "M", "2026-12-01T20:00", "2026-12-01T07:00", "2026-12-01T20:00", id="a-very-early-run"),
        pytest.param("every 24 h", "M", "2026-12-01T20:00", "2026-12-03T09:00", "2026-12-04T20:00", id="after-an-outage"),
        pytest.param("every 24 h; talk 20 h", "M", "2026-12-01T20:00", "2026-12-01T07:00", "2026-12-02T20:00", id="talk"),
        pytest.param("every 2 days at 21:00 Europe/Berlin", "M", "2027-03-27T20:00", "2027-03-27T20:00", "2027-03-29T19:00",
                     id="the-hour-stays-when-summer-begins"),
        pytest.param("every 2 days at 21:00 Europe/Berlin", "M", "2027-10-30T19:00", "2027-10-30T19:00", "2027-11-01T20:00",
                     id="and-when-it-ends"),
        pytest.param("daily at 2:30 Europe/Berlin", "M", "2027-03-27T01:30", "2027-03-27T01:30", "2027-03-28T01:30",
                     id="an-hour-that-is-left-out"),
        pytest.param("daily at 2:30 Europe/Berlin", "M", "2027-10-30T00:30", "2027-10-30T00:30", "2027-10-31T00:30",
                     id="an-hour-that-comes-twice"),
        pytest.param("Mon Thu 19:00 America/New_York", "M", "2026-12-01T00:00", "2026-12-01T00:00", "2026-12-04T00:00",
                     id="from-monday-to-thursday"),
        pytest.param("Mon Thu 19:00 America/New_York", "M", "2026-12-04T00:00", "2026-12-01T09:00", "2026-12-04T00:00",
                     id="run-on-tuesday"),
        pytest.param("Mon Thu 19:00 America/New_York", "M", "2026-12-04T00:00", "2026-12-03T09:00", "2026-12-08T00:00",
                     id="run-the-day-before"),
        pytest.param("every 3 days at 21:00; retreats 24 h", "R", "2026-12-03T21:00", "2026-12-03T21:00", "2026-12-04T21:00",
                     id="another-rhythm-for-retreats"),
        pytest.param("every 3 days at 21:00; retreats 24 h", "M", "2026-12-04T21:00", "2026-12-04T21:00", "2026-12-07T21:00",
                     id="and-back-from-there"),
        pytest.param("every 24 h; not weekends", "M", "2026-12-04T21:00", "2026-12-04T21:00", "2026-12-07T21:00",
                     id="no-weekends"),
        pytest.param("every 3 days at 21:00; not Sat", "M", "2026-12-02T21:00", "2026-12-02T21:00", "2026-12-06T21:00",
                     id="from-a-day-left-out-to-the-next"),
        pytest.param("every 48 h; not 2026-12-24..2026-12-27", "M", "2026-12-23T21:00", "2026-12-23T21:00",
                     "2026-12-28T21:00", id="no-holidays"),
        pytest.param("daily at 23:30 Asia/Tokyo; not Sun", "M", "2026-12-05T14:30", "2026-12-05T14:30", "2026-12-07T14:30",
                     id="a-day-is-one-where-the-zone-is"),
    ],
)  # fmt: skip
def test_the_next_deadline(text: str, kind: Kind, before: str, now: str, due: str) -> None:
    assert read(text).next_due(kind, utc(before), utc(now)) == utc(due)


@pytest.mark.parametrize(
    ("text", "now", "due"),
    [
        ("every 24 h", "2026-12-01T09:10", "2026-12-02T09:10"),
        ("every 24 h; first 5 days", "2026-12-01T09:10", "2026-12-06T09:10"),
        ("every 3 days at 21:00 Europe/Berlin", "2026-12-01T09:10", "2026-12-04T20:00"),
        ("every 3 days at 21:00; first 5 days", "2026-12-01T09:10", "2026-12-07T21:00"),
        ("Mon Thu 19:00", "2026-12-01T09:10", "2026-12-03T19:00"),
        ("Mon Thu 19:00", "2026-12-02T09:10", "2026-12-07T19:00"),
        ("Mon Thu 19:00; first 1 week", "2026-12-01T09:10", "2026-12-10T19:00"),
        ("24 h; not 2026-12-02", "2026-12-01T09:10", "2026-12-03T09:10"),
    ],
)
def test_the_first_deadline(text: str, now: str, due: str) -> None:
    assert read(text).first_due(utc(now)) == utc(due)


def test_a_phase_that_was_held_up_goes_back_to_its_grid() -> None:
    assert read("every 24 h").again("M", utc("2026-12-01T09:10")) == utc("2026-12-01T09:10")
    assert read("Mon Thu 19:00").again("M", utc("2026-12-01T09:10")) == utc("2026-12-03T19:00")


SPANS = st.sampled_from(["15 min", "6 h", "12 h", "24 h", "36 h", "2 days", "3 days", "1 week"])
TIMES = st.builds(lambda h, m: f"{h:02}:{m:02}", st.integers(0, 23), st.sampled_from([0, 15, 30, 59]))
DAYS = st.lists(st.sampled_from(WEEKDAYS), min_size=1, max_size=6, unique=True)
RHYTHMS = st.one_of(
    SPANS.map(lambda span: f"every {span}"),
    st.builds(lambda days, at: f"every {days} days at {at}", st.integers(1, 9), TIMES),
    st.builds(lambda days, at: f"{' '.join(days)} {at}", DAYS, TIMES),
)


@st.composite
def timetables(draw: st.DrawFn) -> Timetable:
    clauses = [f"{draw(RHYTHMS)} {draw(st.sampled_from(ZONES))}"]
    clauses += [f"{kind} {draw(RHYTHMS)}" for kind in ("retreats", "adjustments") if draw(st.booleans())]
    clauses += [f"{word} {draw(SPANS)}" for word in ("first", "talk") if draw(st.booleans())]
    if draw(st.booleans()):
        start = date(2027, 1, 1) + draw(st.integers(0, 360)) * DAY
        clauses.append(f"not {draw(st.sampled_from(WEEKDAYS))}, {start}..{start + draw(st.integers(0, 20)) * DAY}")
    try:
        return read("; ".join(clauses))
    except BadInput as error:
        assert "leaves out every day" in str(error)
        return read(clauses[0])


@given(
    timetables(), st.integers(0, 500_000), st.lists(st.tuples(st.sampled_from(KINDS), st.integers(-100, 150)), max_size=20)
)
def test_a_deadline_leaves_time_and_never_goes_back(table: Timetable, minute: int, phases: list[tuple[Kind, int]]) -> None:
    """Phases that run early (so many hundredths of their time left) or late: each deadline leaves the least a phase lasts,
    is on no day left out, and not before the one before; asked twice it is the same."""
    now = utc("2027-01-01T00:00") + minute * timedelta(minutes=1)
    due = table.first_due(now)
    assert due - now >= max(table.first or HOUR * 0, table.talk or HOUR * 0)
    for kind, part in phases:
        now = max(now, due + (due - now) * part / 100)
        before, due = due, table.next_due(kind, due, now)
        assert due == table.next_due(kind, before, now)
        assert due >= before
        assert due - now >= table.least(kind)
        assert not table.is_out(due.astimezone(table.zone).date())
        assert table.following(kind, due) > due


BY_DAY = dict(zip(WEEKDAYS, (MO, TU, WE, TH, FR, SA, SU), strict=True))


def independent(text: str, zone: str, start: datetime) -> Any:
    """The deadlines of a rhythm by dateutil's recurrence rules: naive times of the zone, put into it at the end."""
    word, *rest = text.split()
    local = start.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    if word == "every" and "at" not in rest:
        minutes = int(rest[0]) * {"min": 1, "h": 60, "days": 1440, "week": 10080}[rest[1]]
        return (each.replace(tzinfo=UTC) for each in rrule(MINUTELY, interval=minutes, dtstart=start.replace(tzinfo=None)))
    hour, minute = map(int, rest[-1].split(":"))
    if word == "every":
        first = datetime.combine(local.date(), time(hour, minute))
        rule = rrule(DAILY, interval=int(rest[0]), dtstart=first)
    else:
        days = [BY_DAY[day] for day in (word, *rest[:-1])]
        rule = rrule(WEEKLY, byweekday=days, byhour=hour, byminute=minute, bysecond=0, dtstart=local - 7 * DAY)
    return (each.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) for each in rule)


@pytest.mark.slow
@settings(max_examples=200)
@given(RHYTHMS, st.integers(0, 500_000))
def test_a_year_of_deadlines_is_what_another_calculation_says(text: str, minute: int) -> None:
    """Two hundred rules, each in twenty zones, a year of deadlines, each phase run when it is due."""
    start = utc("2027-01-01T00:00") + minute * timedelta(minutes=1)
    for zone in ZONES:
        table = read(f"{text} {zone}")
        due = table.first_due(start)
        expected = iter(independent(text, zone, due))
        seen = [due]
        while seen[-1] < due + 366 * DAY and len(seen) < 400:
            seen.append(table.next_due("M", seen[-1], seen[-1]))
        wanted = [one for one in islice(expected, len(seen) + 20) if one >= due]
        assert seen == wanted[: len(seen)]
