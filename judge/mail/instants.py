"""Instants and spans as people write them: ``2026-12-05 21:00``, ``Sat 21:00``, ``12月5日 21時``, ``48 h``, ``2日``.

The patterns are strict, so that a sentence is no command; whoever reads an instant says in which zone it was written.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_SIGNS = (*"月火水木金土日",)
_CHINESE_DAYS = {sign: day for day, sign in enumerate("一二三四五六日")} | {"天": 6}

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
    r"|(?:\d{4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*[日号號])"
)
_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?\.?"
    r"|[月火水木金土日](?:曜日?)|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天])"
)
_NEAR = r"(?:today|tonight|tomorrow|今日|本日|明日|今天|明天)"
_TIME = (
    r"(?:t?\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?|\d{1,2}\s*[ap]m|noon|midnight|正午"
    r"|\d{1,2}\s*[時时点點](?:\s*\d{1,2}\s*分|半)?)"
)
_ZONE = r"(?:z|utc|gmt|[+-]\d{2}:?\d{2}|[a-z]{2,}(?:/[a-z_+-]{2,}){1,2})"
_DAY = rf"(?:{_WEEKDAY},?\s*{_DATE}|{_DATE}\s*\(?{_WEEKDAY}\)?|{_DATE}\s*\([月火水木金土日]\)|{_DATE}|{_WEEKDAY}|{_NEAR})"
#: an instant: a day, a time, or both, perhaps with a zone
INSTANT = rf"(?:{_DAY}(?:,?\s*(?:at\s+)?{_TIME})?|(?:at\s+)?{_TIME}(?:\s*,?\s*(?:on\s+)?{_DAY})?)(?:\s*\(?{_ZONE}\)?)?"
#: a span: ``48 h``, ``2 days``, ``1 week``, ``48時間``, ``2天``
SPAN = r"\d{1,4}\s*(?:minutes?|mins?|min|hours?|hrs?|h|days?|d|weeks?|w|時間|小时|小時|日間?|天|分钟?|分鐘?|週間?|周)"
_UNITS = {
    "m": timedelta(minutes=1), "分": timedelta(minutes=1), "h": timedelta(hours=1), "時": timedelta(hours=1),
    "小": timedelta(hours=1), "d": timedelta(days=1), "日": timedelta(days=1), "天": timedelta(days=1),
    "w": timedelta(weeks=1), "週": timedelta(weeks=1), "周": timedelta(weeks=1),
}  # fmt: skip
_WHOLE = re.compile(INSTANT, re.IGNORECASE)
_SPAN = re.compile(SPAN, re.IGNORECASE)


def read_span(text: str) -> timedelta | None:
    """``"48 h"`` -> two days; ``None``: it is no span, or none at all."""
    plain = _plain(text)
    if not _SPAN.fullmatch(plain):
        return None
    number, unit = re.match(r"(\d+)\s*(.)", plain).groups()  # type: ignore[union-attr]
    return int(number) * _UNITS[unit] or None


def read_instant(text: str, zone: tzinfo, now: datetime, clock: time = time(0, 0)) -> datetime | None:
    """The instant (UTC) that ``text`` names to somebody in ``zone``, who writes at ``now``; ``None``: it names none.

    A day without a year is the next such day, a weekday the next one whose time lies ahead, a time alone the next such
    time. A day alone has the time ``clock``. A zone that the text names counts in the place of ``zone``.
    """
    plain = _plain(text)
    if not _WHOLE.fullmatch(plain):
        return None
    named = re.search(rf"(?:(?<=[\s\d(])|(?<=m)){_ZONE}\)?\Z", plain, re.IGNORECASE)
    if named is not None:
        found = _zone(named[0].strip("() "))
        if found is None:
            return None
        zone, plain = found, plain[: named.start()].rstrip(" (")
    today = now.astimezone(zone)
    try:
        return _instant(plain, zone, today, clock)
    except (ValueError, OverflowError):
        return None


def _instant(plain: str, zone: tzinfo, today: datetime, clock: time) -> datetime | None:
    on = _date(plain, today.date())
    bare = re.sub(_DATE, " ", plain, flags=re.IGNORECASE)
    at = _time(bare)
    weekday = _weekday(bare)
    near = re.search(_NEAR, bare)
    if near is not None:
        on = today.date() + timedelta(days=near[0] in ("tomorrow", "明日", "明天"))
    if on is not None:
        if weekday is not None and on.weekday() != weekday:
            return None  # one of the two is a slip, and nobody knows which
        return _utc(on, at or clock, zone)
    if weekday is not None:
        ahead = today.date() + timedelta(days=(weekday - today.weekday()) % 7)
        first = _utc(ahead, at or clock, zone)
        return first if first > today else _utc(ahead + timedelta(days=7), at or clock, zone)
    if at is None:
        return None
    first = _utc(today.date(), at, zone)
    return first if first > today else _utc(today.date() + timedelta(days=1), at, zone)


def _utc(on: date, at: time, zone: tzinfo) -> datetime:
    return datetime.combine(on, at, zone).astimezone(UTC)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text[:100]).split()).lower().rstrip(".")


def _date(plain: str, today: date) -> date | None:
    """The date that is written out; without a year the next one.

    :raises ValueError: there is no such day.
    """
    found = re.search(_DATE, plain)
    if found is None:
        return None
    words = found[0]
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    month = re.search(r"[a-z]{3}", re.sub(r"\d+(?:st|nd|rd|th)|\bof\b", " ", words))
    if month is not None:
        day, year = min(numbers), max(numbers) if len(numbers) > 1 else None
        return _next(year, _MONTHS.index(month[0]) + 1, day, today)
    if len(numbers) == 3:
        return date(*numbers)
    return _next(None, numbers[0], numbers[1], today)


def _next(year: int | None, month: int, day: int, today: date) -> date:
    if year is not None:
        return date(year, month, day)
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def _weekday(plain: str) -> int | None:
    latin = re.search(r"\b(mon|tue|wed|thu|fri|sat|sun)", plain)
    if latin is not None:
        return _DAYS.index(latin[1])
    asian = re.search(r"([月火水木金土日])(?=曜|\))|(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])", plain)
    if asian is None:
        return None
    return _DAY_SIGNS.index(asian[1]) if asian[1] else _CHINESE_DAYS[asian[2]]


def _time(plain: str) -> time | None:
    """The time of day.

    :raises ValueError: there is no such time.
    """
    if re.search(r"\bnoon|正午", plain):
        return time(12, 0)
    if "midnight" in plain:
        return time(0, 0)
    found = re.search(r"(\d{1,2}):(\d{2})|(\d{1,2})\s*(?=[ap]m|[時时点點])(?:[時时点點]\s*(?:(\d{1,2})\s*分|(半))?)?", plain)
    if found is None:
        return None
    hour = int(found[1] or found[3])
    minute = int(found[2] or found[4] or (30 if found[5] else 0))
    half = re.search(r"\d\s*([ap])m", plain)
    if half is not None:
        if not 1 <= hour <= 12:
            raise ValueError("no hour of a clock with twelve")
        hour = hour % 12 + (12 if half[1] == "p" else 0)
    return time(hour, minute)


def _zone(name: str) -> tzinfo | None:
    if name in ("z", "utc", "gmt"):
        return UTC
    offset = re.fullmatch(r"([+-])(\d{2}):?(\d{2})", name)
    if offset is not None:
        span = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return datetime.strptime(name.replace(":", ""), "%z").tzinfo if span < timedelta(hours=15) else None
    proper = "/".join("_".join(word.capitalize() for word in part.split("_")) for part in name.split("/"))
    try:
        return ZoneInfo(proper)
    except (ValueError, OSError, LookupError):
        return None
