"""A whole line: what may stand before its orders, between them and after them; every word of it accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from judge.notation.combine import ASKED, Answer, Keep, Maybe, NotSo, Or, Parser, Scan, Seq, Silent, Some, Word
from judge.notation.forms import ALONE, ORDER
from judge.notation.lexicon import Edge
from judge.notation.sketch import Sketch

#: Readings of one line that are looked at in the end.
_READINGS = 24
_SEASONS = "SFW"


@dataclass(frozen=True, slots=True)
class Head:
    """What stood before the orders of a line: a power, a verb for all of them (``"B"``), a turn."""

    power: str | None = None
    verb: Literal["M", "H", "S", "C", "R", "D", "B"] | None = None
    season: str | None = None
    year: int | None = None
    #: there was nothing but this on the line
    alone: bool = False


class Said(NamedTuple):
    """One order of a line. ``asked``: a word of it is only nearly spelled so. ``run_on``: no sign parts it from the one
    before."""

    sketch: Sketch
    asked: bool
    run_on: bool


@dataclass(frozen=True, slots=True)
class Parse:
    """One way to read a whole line."""

    items: tuple[Said, ...]
    head: Head
    cost: int


# ── heads ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_VERB_KINDS: dict[str, Literal["M", "H", "S", "C", "R", "D", "B"]] = {
    "MOVE": "M", "HOLD": "H", "SUP": "S", "CON": "C", "RET": "R", "DIS": "D", "BUILD": "B",
}  # fmt: skip
_END = Some(Silent(Word("COLON", "COMMA", "ARROW", "DOT")), 1, 2)


_NUMERALS = frozenset("第一二三四五六七八九十")


class _ListNumber(Parser):
    """``1.`` ``2)`` ``(3)`` ``#4`` ``5/``, at the beginning of a line or between orders."""

    def find(self, scan: Scan, at: int) -> list[Answer]:
        line = scan.line
        if at < len(line) and line[at].text in _NUMERALS:
            end = at + 1
            while end < len(line) and line[end].text in _NUMERALS and end - at < 4:
                end += 1
            return [(end + 1, None, 0)] if end < len(line) and line[end].text in (",", ".", ":", "・") else []
        if at >= len(line) or line[at].kind != "d" or len(line[at].text) > 2:
            return []
        end = at + 1
        while end < min(at + 3, len(line)) and line[end].text in (".", ":", ",", "-", "・", "/") and not _is_turn(line, at):
            end += 1
        # a bare number may also count what follows it
        return [(end, None, 0 if end > at + 1 or line[at].group else 1)]


def _is_turn(line: Sequence[Any], at: int) -> bool:
    return at + 2 < len(line) and line[at + 1].text == "-" and line[at + 2].text in ("s", "f", "w")


class _TurnCode(Parser):
    """``S1901M``, ``F01``, ``01-S``, ``Spring 1901``'s year."""

    def find(self, scan: Scan, at: int) -> list[Answer]:
        line = scan.line
        texts = [a.text for a in line[at : at + 4]]
        if len(texts) >= 3 and texts[0].isdigit() and texts[1] == "-" and texts[2] in ("s", "f", "w"):
            return [(at + 3, Head(season=texts[2].upper(), year=_year(texts[0])), 0)]
        if len(texts) >= 2 and texts[0] in ("s", "f", "w") and texts[1].isdigit() and len(texts[1]) in (2, 4):
            end = at + 3 if len(texts) >= 3 and texts[2] in ("m", "r", "a") and not line[at + 2].spaced else at + 2
            return [(end, Head(season=texts[0].upper(), year=_year(texts[1])), 0)]
        return []


class _Year(Parser):
    def find(self, scan: Scan, at: int) -> list[Answer]:
        if at < len(scan.line) and scan.line[at].kind == "d" and len(scan.line[at].text) in (2, 4):
            # two digits stay two until a season beside them says that they are a year, and no list number
            return [(at + 1, Head(year=int(scan.line[at].text)), 0)]
        return []


def _year(digits: str) -> int:
    number = int(digits)
    return number if number > 99 else 1900 + number


def _joined(heads: Any) -> Head:
    """Several parts of a heading as one."""
    power, season, year = None, None, None
    for head in heads:
        power, season, year = head.power or power, head.season or season, head.year or year
    return Head(power, None, season, year)


def _turn(parts: Any) -> Any:
    """A turn, or nothing: a power or "moves" alone is none."""
    head = _joined(parts)
    if head.year is not None and head.year < 100:
        if head.season is None:
            return NotSo
        head = Head(head.power, None, head.season, _year(str(head.year)))
    return head if head.season or head.year else NotSo


_SEASON = Seq(Keep(Word("SEASON")), make=lambda season: Head(season=season))
_TURN_WORD = Seq(Word("TURN", "AT", "COMMA", "DOT", "ARROW", "OF2"), make=lambda: Head())
_POWER = Seq(Keep(Word("POWER")), Maybe(Silent(Word("POSS", "OF2"))), make=lambda power: Head(power=power))
_HEAD_WORD = Seq(Word("HEAD"), make=lambda: Head())
_VERB_HEAD = Or(*(Seq(Word(kind), make=lambda letter=letter: Head(verb=letter)) for kind, letter in _VERB_KINDS.items()))


def _own_power(scan: Scan, at: int, edge: Edge) -> bool:
    return edge.value == scan.power


def _a_dash(scan: Scan, at: int, edge: Edge) -> bool:
    """The dash of a list inside a line, before the next order."""
    return edge.value == "-"


def _owned(power: str) -> Head:
    return Head(power=power)


#: "Spring 1901 moves of France", "1901年春", "01-S"
_TURN = Seq(
    Keep(Some(Or(_SEASON, _TurnCode(), _Year(), _TURN_WORD, _POWER), 1, 8)),
    make=lambda parts: _turn(parts),
)


class _Heads(Parser):
    """All heads of a line, one after another."""

    _PIECES = (
        _ListNumber(),
        Seq(Word("PLEASE", "GREET", "ALSO", "AND", "PLUS"), Some(Silent(Word("COMMA", "COLON", "DOT")), 0, 1)),
        Seq(Word("ORDERING"), Maybe(Silent(Word("COLON", "COMMA")))),
        Seq(Keep(_POWER), _END),
        Seq(Keep(Word("POWER", test=_own_power)), make=_owned),
        Seq(Keep(Word("INITIAL", test=_own_power)), Word("COLON"), make=_owned),
        Seq(Keep(_TURN), Maybe(Silent(_END))),
        Seq(Keep(_HEAD_WORD), Maybe(Silent(_TURN)), Word("COLON", "COMMA", "ARROW")),
        Seq(_HEAD_WORD, Some(Silent(_TURN_WORD), 0, 2), Keep(_POWER), _END),
        Seq(Keep(_POWER), Some(Silent(Word("HEAD", "TURN")), 1, 2), Maybe(Silent(_TURN)), _END),
        Seq(Keep(_HEAD_WORD), _ListNumber()),
        Seq(Maybe(Silent(_TURN)), Keep(_VERB_HEAD), Maybe(Silent(_TURN)), Word("COLON", "ARROW")),
    )

    def find(self, scan: Scan, at: int) -> list[Answer]:
        found: dict[tuple[int, Head], int] = {(at, Head()): 0}
        frontier = dict(found)
        for _ in range(4):
            following: dict[tuple[int, Head], int] = {}
            scan.spent += 4 * len(frontier)  # most pieces are asked in vain
            for (end, head), cost in frontier.items():
                for piece in self._PIECES:
                    for then, more, extra in piece.ask(scan, end):
                        if then == end:
                            continue
                        key = (then, _merged(head, more))
                        if key not in found:
                            following[key] = cost + extra
            found |= following
            frontier = following
            if not frontier or len(found) > 64:
                break
        return [(end, head, cost) for (end, head), cost in found.items()]


def _merged(head: Head, more: Any) -> Head:
    if not isinstance(more, Head):
        return head
    return Head(more.power or head.power, more.verb or head.verb, more.season or head.season, more.year or head.year)


HEADS = _Heads()
_SIGN_OFF = Some(Silent(Word("DOT", "COMMA", "SEMI", "PLEASE", "TAIL", "COLON", "STILL", "GREET")), 0, 6)
#: what may stand between orders; its value is not empty if a sign or word among it really parts them
_BETWEEN = Some(
    Or(
        Word("COMMA", "AND", "PLUS", "SEMI", "SLASH"),
        Seq(Word("COMMA", "SEMI"), Word("ARROW", test=_a_dash)),
        Silent(Word("DOT", "ALSO", "PLEASE")),
        Seq(_ListNumber(), make=lambda: "number"),
    ),
    0,
    4,
)
_ALONE_HEAD = Seq(Some(Silent(Or(_TURN, _HEAD_WORD, _VERB_HEAD, Word("GREET", "PLEASE", "COMMA", "DOT", "COLON"))), 1, 10))


def parse_line(scan: Scan, *, alone: bool) -> list[Parse]:
    """Every way to read the whole line as orders, the cheapest first. ``alone``: a unit by itself may be an order.

    :raises TooMuch: the line has too many readings.
    """
    found: list[Parse] = []
    for start, head, cost in HEADS.ask(scan, 0):
        if cost >= ASKED:
            continue  # no heading is guessed at
        items: tuple[Parser, ...] = (ORDER, ALONE) if alone or head.verb else (ORDER,)
        for chain, more in _chains(scan, start, items):
            found.append(Parse(chain, head, cost + more))
            if len(found) > 4 * _READINGS:
                break
    found.sort(key=lambda parse: parse.cost)
    return found[:_READINGS]


_Chain = tuple[Said, ...]


def _chains(scan: Scan, start: int, items: Sequence[Parser]) -> Iterator[tuple[_Chain, int]]:
    """All chains of orders from ``start`` to the end of the line."""
    size = len(scan.line)
    # place, whether a sign stands before it -> chains up to there
    states: dict[tuple[int, bool], dict[_Chain, int]] = {(start, True): {(): 0}}
    ends: dict[_Chain, int] = {}
    for at, parted in ((at, parted) for at in range(start, size) for parted in (True, False)):
        here = states.pop((at, parted), None)
        if not here:
            continue
        kept = sorted(here.items(), key=lambda state: state[1])[:_READINGS]
        answers = [answer for item in items for answer in item.ask(scan, at)]
        for end, sketches, more in answers:
            finished = any(e == size for e, _, _ in _SIGN_OFF.ask(scan, end))
            nexts = [(e, bool(signs), c) for e, signs, c in _BETWEEN.ask(scan, end) if e < size]
            for so_far, cost in kept:
                said = (Said(sketch, more >= ASKED, not parted) for sketch in sketches)
                chain, total = (*so_far, *said), cost + more
                if finished:
                    ends[chain] = min(total, ends.get(chain, 1 << 30))
                for then, apart, extra in nexts:
                    there = states.setdefault((then, apart), {})
                    there[chain] = min(total + extra, there.get(chain, 1 << 30))
    yield from ends.items()


def parse_heading(scan: Scan) -> Head | None:
    """What a line says that is nothing but a heading: a power, a turn, "Builds:"; ``None`` if it is more or none."""
    size = len(scan.line)
    for end, head, _ in HEADS.ask(scan, 0):
        if end == size and end > 0:
            return Head(head.power, head.verb, head.season, head.year, alone=True)
    for piece in (_POWER, _TURN, _HEAD_WORD, _VERB_HEAD):
        for end, head, _ in piece.ask(scan, 0):
            if end == size and isinstance(head, Head):
                return Head(head.power, head.verb, head.season, head.year, alone=True)
    if any(end == size for end, _, _ in _ALONE_HEAD.ask(scan, 0)):
        return Head(alone=True)
    return None


def spoken_of(scan: Scan) -> list[tuple[Sketch, ...]]:
    """The orders that a line speaks about: those parts of it that would be orders, covering as much of it as can be."""
    size = len(scan.line)
    #: from each place on: words covered, and the orders
    best: list[tuple[int, list[tuple[Sketch, ...]]]] = [(0, [])] * (size + 1)
    for at in range(size - 1, -1, -1):
        best[at] = best[at + 1]
        for end, sketches, _ in ORDER.ask(scan, at):
            covered = end - at + best[end][0]
            if covered > best[at][0]:
                best[at] = (covered, [sketches, *best[end][1]])
    return best[0][1]
