"""A game's timetable in words: ``Deadlines: every 2 days at 21:00 (Berlin). For retreats: every day.``"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from judge.errors import BadInput
from judge.render.catalogue import N_
from judge.render.layout import one_line
from judge.render.words import Words
from judge.timetable import Daily, Every, Rhythm, Timetable, read

_DAY = timedelta(days=1)


def timetable(schedule: str, words: Words) -> str:
    """The sentences of a stored schedule; one that cannot be read any more stays as it was written."""
    try:
        table = read(schedule)
    except BadInput:
        return f"{one_line(schedule, 60)}."
    return words.sentences(_sentences(table, words))


def _sentences(table: Timetable, words: Words) -> Iterator[str]:
    if isinstance(table.movement, Every):
        if table.movement.length == _DAY:
            yield words.translate(N_("A phase every day."))
        else:
            yield words.translate(N_("A phase every %(span)s.")) % {"span": words.span(table.movement.length)}
    else:
        values = {"rhythm": _rhythm(table.movement, words), "zone": words.zone_label(table.zone.key)}
        yield words.translate(N_("Deadlines: %(rhythm)s (%(zone)s).")) % values
    if table.retreats:
        yield words.translate(N_("For retreats: %(rhythm)s.")) % {"rhythm": _rhythm(table.retreats, words)}
    if table.adjustments:
        yield words.translate(N_("For adjustments: %(rhythm)s.")) % {"rhythm": _rhythm(table.adjustments, words)}
    if table.weekdays_out or table.out:
        days = [words.weekday(day) for day in sorted(table.weekdays_out)] + [_days(*days, words) for days in table.out]
        yield words.translate(N_("None on %(days)s.")) % {"days": words.listing(days)}
    if table.first:
        yield words.translate(N_("The first phase lasts %(span)s at least.")) % {"span": words.span(table.first)}
    if table.talk:
        yield words.translate(N_("Every phase lasts %(span)s at least.")) % {"span": words.span(table.talk)}


def _rhythm(rhythm: Rhythm, words: Words) -> str:
    if isinstance(rhythm, Every) and rhythm.length == _DAY:
        return words.translate(N_("every day"))
    if isinstance(rhythm, Every):
        return words.translate(N_("every %(span)s")) % {"span": words.span(rhythm.length)}
    if not isinstance(rhythm, Daily):
        return words.listing(words.weekday(day, at) for day, at in rhythm.times)
    if rhythm.days == 1:
        return words.translate(N_("every day at %(time)s")) % {"time": f"{rhythm.at:%H:%M}"}
    values = {"span": words.span(timedelta(days=rhythm.days)), "time": f"{rhythm.at:%H:%M}"}
    return words.translate(N_("every %(span)s at %(time)s")) % values


def _days(first: date, last: date, words: Words) -> str:
    if first == last:
        return words.date(first)
    return words.translate(N_("%(first)s to %(last)s")) % {"first": words.date(first), "last": words.date(last)}
