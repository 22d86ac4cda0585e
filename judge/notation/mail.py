"""All lines of a mail: headings that hold for the lines below them, and the last order that counts for each unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.notation import contexts
from judge.notation.as_set import read_as_set
from judge.notation.canonical import write
from judge.notation.clauses import Head
from judge.notation.combine import BUDGET, Purse
from judge.notation.lines import heading_of, read_line
from judge.notation.reading import Context, Problem, Reading, Readings
from judge.notation.wrapped import join_wrapped
from judge.rules.board import province_of
from judge.rules.orders import Build, Order, Waive

#: Answers that all lines of a mail may cost together (80 to 150 ms of CPU, whatever they are): a year's orders of the
#: largest power, with words for everything, take a quarter of it, in Japanese, the dearest to read, a half.
MAIL_BUDGET = 32_000
#: what a line costs that stood in the mail before
_AGAIN = 2


def read_lines(lines: Iterable[str], context: Context, purse: Purse | None = None) -> Readings:
    """Read the lines of one mail (or one section of it): a reading for each line, in order.

    A line that is only a heading ("France:", "Builds:", "Fall 1902") holds for those below it until the next heading or
    blank line after orders. What "the rest" of the units do is read when all other lines are known. Takes bounded time
    on any mail: when its lines have cost too much, the others are not read, and the first of these says so. ``purse``: what
    several calls may cost together.
    """
    texts = list(lines)
    purse = purse or Purse(MAIL_BUDGET)
    heads: list[Head] = []
    readings: list[Reading] = []
    seen: dict[tuple[str, Head], Reading] = {}
    head = Head()
    for text in texts:
        if purse.left <= 0:
            break
        found = heading_of(text, context, purse)
        if found is not None:
            head = _under(head, found)
        elif not text.strip() and head.verb is not None and readings and readings[-1].orders:
            head = Head(head.power, None, head.season, head.year)
        heads.append(head)
        known = seen.get((text, head))
        if known is None:
            known = seen[text, head] = read_line(text, context, head=head, purse=purse)
        else:
            purse.left -= _AGAIN
        readings.append(known)
    join_wrapped(texts, heads, readings, context, purse)
    if context.rules.orders_reading == "as-set":
        readings = read_as_set(readings, context)
    _read_the_rest(texts, heads, readings, context, purse)
    contexts.apply(texts, readings, context)
    readings += _unread(texts[len(readings) :])
    return Readings(readings, *_counting(readings))


def _read_the_rest(
    texts: Sequence[str], heads: Sequence[Head], readings: list[Reading], context: Context, purse: Purse
) -> None:
    """Read the lines about "the rest" of the units again, now that it is known which units the others order."""
    if not any(reading.rest for reading in readings):
        return
    plain = _ordered_by(reading for reading in readings if not reading.rest)
    every = plain | _ordered_by(readings)
    for at, reading in enumerate(readings):
        if reading.rest:
            ordered = sorted((every - _ordered_by([reading])) | plain)
            readings[at] = read_line(texts[at], context, ordered=ordered, head=heads[at], purse=purse)


def _unread(texts: Sequence[str]) -> list[Reading]:
    """What is said of lines not read because those above have cost all that a mail may: the first says it for all."""
    said = False
    found = []
    for text in texts:
        says = not said and bool(text.strip())
        problems = (Problem("read.mail-too-long"),) if says else ()
        found.append(Reading("not-an-order", text, problems=problems, mentions=says))
        said = said or says
    return found


def read_apart(lines: Iterable[str], context: Context) -> list[Reading]:
    """Read lines that have nothing to do with each other (what may be quoted): no headings, and at the cost of one line
    together."""
    texts = list(lines)
    purse = Purse(BUDGET)
    readings: list[Reading] = []
    for line in texts:
        if purse.left <= 0:
            break
        readings.append(read_line(line, context, purse=purse))
    return [*readings, *_unread(texts[len(readings) :])]


def _under(above: Head, found: Head) -> Head:
    """The heading in force after one more: a new turn or power ends the verb above it."""
    if found.power or found.season or found.year:
        return Head(found.power or above.power, found.verb, found.season, found.year)
    return Head(above.power, found.verb, above.season, above.year)


def _ordered_by(readings: Iterable[Reading]) -> set[str]:
    """The provinces of the units that lines order."""
    return {province_of(o.at) for r in readings for o in r.legal if not isinstance(o, Waive)}


def _counting(readings: Sequence[Reading]) -> tuple[list[Order], list[tuple[Order, Order]]]:
    """The legal orders that count (the last for each unit; builds for each province), and what was replaced."""
    held: dict[str, Order] = {}
    waived: list[Order] = []
    replaced: list[tuple[Order, Order]] = []
    for reading in readings:
        for order in reading.legal:
            if isinstance(order, Waive):
                waived.append(order)
                continue
            slot = f"{province_of(order.at)} {'B' if isinstance(order, Build) else ''}"
            earlier = held.pop(slot, None)
            if earlier is not None and write(earlier) != write(order):
                replaced.append((earlier, order))
            held[slot] = order
    return [*held.values(), *waived], replaced
