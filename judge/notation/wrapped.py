"""Orders that a mail program broke in two: the text form of a mail is wrapped at some 72 columns, in the middle of what
was one line to its writer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.notation.canonical import write
from judge.notation.clauses import Head
from judge.notation.combine import Purse
from judge.notation.lines import read_line
from judge.notation.reading import Context, Reading

#: Columns that no program wraps before, counting the word that would not have fitted.
NARROWEST = 55
#: Lines that one is put together of, and lines of a mail with which that is tried.
_MOST_PIECES, _MOST_TRIES = 5, 12
#: A line that ends so goes on: people break these by hand.
_GOES_ON = re.compile(r"(?:[-–—=]*[>→➔➜⇒]|\s[-–—]|\s(?:to|the|of|via|from|nach|vers|à))\s*\Z", re.IGNORECASE)


def join_wrapped(
    texts: Sequence[str], heads: Sequence[Head], readings: list[Reading], context: Context, purse: Purse
) -> None:
    """Read lines that make no sense by themselves together with those below them, in the first's place.

    Taken only if nothing is left open then, and every order that was read of the pieces is still there, and more: what two
    whole lines say is never mixed.
    """
    tries = 0
    at = 0
    while at < len(readings) - 1 and tries < _MOST_TRIES and purse.left > 0:
        count = 1
        if _open(readings[at]) and _breaks(texts[at], texts[at + 1]):
            tries += 1
            count = _join(at, texts, heads, readings, context, purse)
        at += count


def _join(
    at: int, texts: Sequence[str], heads: Sequence[Head], readings: list[Reading], context: Context, purse: Purse
) -> int:
    """Try the line ``at`` with one, two, ... of those below; how many lines have become one."""
    whole = texts[at].strip()
    apart = _orders(readings[at])
    for end in range(at + 1, min(at + _MOST_PIECES, len(readings))):
        below = texts[end].strip()
        if not below or readings[end].heading or purse.left <= 0 or not _breaks(texts[end - 1], below):
            break
        whole = f"{whole} {below}"
        apart |= _orders(readings[end])
        found = read_line(whole, context, head=heads[at], purse=purse)
        together = _orders(found)
        if found.kind == "order" and not found.problems and len(together) == len(found.legal) and together > apart:
            readings[at] = found
            readings[at + 1 : end + 1] = [Reading("not-an-order", text) for text in texts[at + 1 : end + 1]]
            return end + 1 - at
    return 1


def _open(reading: Reading) -> bool:
    """Whether something of a line was not understood."""
    return bool(reading.problems) and not reading.heading and reading.kind != "illegal"


def _breaks(line: str, below: str) -> bool:
    """Whether a program may have broken a line between the two, or a person has."""
    first = below.split(maxsplit=1)
    return bool(first) and (len(line.rstrip()) + 1 + len(first[0]) >= NARROWEST or _GOES_ON.search(line) is not None)


def _orders(reading: Reading) -> set[str]:
    return {write(order) for order in reading.legal}
