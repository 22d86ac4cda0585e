"""Parsers made of parsers, over a line in which every word may mean several things.

A parser is asked at a place and answers with every way to go on: where it ends, what it found, and at what cost. Answers are
remembered a place, so the work grows with the length of the line and not with the number of its readings; a budget bounds it
for lines that were made to be expensive.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.notation.lexicon import Edge
from judge.notation.text import Atom

#: Answers that one line may cost. An ordinary line takes some hundred, one with twenty orders some thousand.
BUDGET = 40_000
#: The cost of a word that is only nearly spelled so, or missing; above any cost of words spelled right. What costs as
#: much is asked about and never taken.
ASKED = 100
#: Different answers kept of one parser at one place.
WIDTH = 48

Answer = tuple[int, Any, int]


class TooMuch(Exception):
    """The line has more readings than anybody means; it is not read."""


@dataclass(eq=False)
class Scan:
    """A line being parsed: its atoms, the words known at each of them, and the answers so far."""

    line: Sequence[Atom]
    words: Sequence[Sequence[Edge]]
    #: the reader's own power, which a line may name where it may name no other
    power: str | None = None
    budget: int = BUDGET
    spent: int = 0
    memo: dict[tuple[int, int], tuple[Answer, ...]] = field(default_factory=dict)
    #: for each place, kind -> the words of that kind that begin there
    kinds: list[dict[str, list[Edge]]] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = []
        for edges in self.words:
            by_kind: dict[str, list[Edge]] = {}
            for edge in edges:
                by_kind.setdefault(edge.kind, []).append(edge)
            self.kinds.append(by_kind)

    def edges(self, at: int, kind: str) -> list[Edge]:
        """The words of ``kind`` that begin at ``at``."""
        return self.kinds[at].get(kind, []) if at < len(self.kinds) else []


@dataclass(slots=True)
class Purse:
    """How many answers all lines of a mail may still cost together."""

    left: int


#: What a parser can begin with: kinds of words (``None``: who knows), and whether it can be nothing at all.
Start = tuple[frozenset[str] | None, bool]
ANY_START: Start = (None, True)


class Parser:
    """Base of all parsers. ``ask`` remembers, ``find`` does the work."""

    _start: Start | None = None

    def ask(self, scan: Scan, at: int) -> tuple[Answer, ...]:
        """Every way to read this at ``at``: (end, value, cost), each (end, value) once, the cheapest first."""
        kinds, nothing = self._start or self.start()
        if kinds is not None and not nothing and (at >= len(scan.kinds) or kinds.isdisjoint(scan.kinds[at])):
            return ()  # most parsers at most places: no need to try, or to remember
        key = (id(self), at)
        known = scan.memo.get(key)
        if known is None:
            scan.memo[key] = ()  # a parser that asks itself at the same place finds nothing there
            found = self.find(scan, at)
            known = tuple(found) if len(found) < 2 else _best(found)
            scan.memo[key] = known
            scan.spent += 1 + len(known)
            if scan.spent > scan.budget:
                raise TooMuch
        return known

    def find(self, scan: Scan, at: int) -> list[Answer]:
        """Every way to read this at ``at``, found anew."""
        raise NotImplementedError

    def start(self) -> Start:
        """What this can begin with, worked out once; a parser that is asked while that goes on may begin with anything."""
        if self._start is None:
            self._start = ANY_START
            self._start = self.begins()
        return self._start

    def begins(self) -> Start:
        """``start``, worked out anew; a parser that looks at more than kinds of words may begin with anything."""
        return ANY_START


def _best(found: list[Answer]) -> tuple[Answer, ...]:
    """Each (end, value) once, the cheapest first, and not too many."""
    best: dict[tuple[int, Hashable], int] = {}
    for end, value, cost in found:
        before = best.get((end, value))
        if before is None or cost < before:
            best[end, value] = cost
    return tuple(sorted(((end, value, cost) for (end, value), cost in best.items()), key=_cost)[:WIDTH])


def _cost(answer: Answer) -> int:
    return answer[2]


class Word(Parser):
    """A word of one of the ``kinds``; its value is the word's."""

    def __init__(self, *kinds: str, test: Callable[[Scan, int, Edge], bool] | None = None) -> None:
        self.kinds = kinds
        self.test = test

    def begins(self) -> Start:
        return frozenset(self.kinds), False

    def find(self, scan: Scan, at: int) -> list[Answer]:
        if at >= len(scan.kinds):
            return []
        here = scan.kinds[at]
        found = []
        for kind in self.kinds:
            for edge in here.get(kind, ()):
                if self.test is None or self.test(scan, at, edge):
                    found.append((edge.end, edge.value, edge.cost))
        return found


class Costly(Parser):
    """Nothing at all, at a cost: a word that is missing, so that what is read is only asked about."""

    def __init__(self, cost: int) -> None:
        self.cost = cost

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [(at, None, self.cost)]


class Seq(Parser):
    """Parts one after another; ``make`` makes the value of those of its parts that are :class:`Keep`."""

    def __init__(self, *parts: Parser, make: Callable[..., Any] | None = None) -> None:
        self.parts = parts
        self.make = make

    def begins(self) -> Start:
        kinds: frozenset[str] | None = frozenset()
        for part in self.parts:
            more, nothing = part.start()
            kinds = None if kinds is None or more is None else kinds | more
            if not nothing:
                return kinds, False
        return kinds, True

    def find(self, scan: Scan, at: int) -> list[Answer]:
        states: list[tuple[int, tuple[Any, ...], int]] = [(at, (), 0)]
        for part in self.parts:
            keep = isinstance(part, Keep)
            following: dict[tuple[int, tuple[Any, ...]], int] = {}
            for end, values, cost in states:
                for then, value, more in part.ask(scan, end):
                    state = (then, (*values, value) if keep else values)
                    total = cost + more
                    if total < following.get(state, 1 << 30):
                        following[state] = total
            states = [(end, values, cost) for (end, values), cost in following.items()]
            scan.spent += len(states)
            if not states:
                return []
            if scan.spent > scan.budget:
                raise TooMuch
        found = []
        for end, values, cost in states:
            value = self.make(*values) if self.make else (values[0] if values else None)
            if value is not NotSo:
                found.append((end, value, cost))
        return found


class _NotSo:
    """What ``make`` returns when the parts do not go together."""


NotSo = _NotSo()


class Keep(Parser):
    """A part of a :class:`Seq` whose value is wanted."""

    def __init__(self, part: Parser) -> None:
        self.part = part

    def begins(self) -> Start:
        return self.part.start()

    def ask(self, scan: Scan, at: int) -> tuple[Answer, ...]:
        return self.part.ask(scan, at)


class Or(Parser):
    """Any of several parsers."""

    def __init__(self, *choices: Parser) -> None:
        self.choices = choices

    def begins(self) -> Start:
        starts = [choice.start() for choice in self.choices]
        known = [kinds for kinds, _ in starts if kinds is not None]
        kinds = frozenset().union(*known) if len(known) == len(starts) else None
        return kinds, any(nothing for _, nothing in starts)

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [answer for choice in self.choices for answer in choice.ask(scan, at)]


class Maybe(Parser):
    """A part that may be missing (its value is then ``missing``)."""

    def __init__(self, part: Parser, missing: Any = None) -> None:
        self.part = part
        self.missing = missing

    def begins(self) -> Start:
        return self.part.start()[0], True

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [(at, self.missing, 0), *self.part.ask(scan, at)]


class Some(Parser):
    """``least`` to ``most`` of a part, one after another; the value is the tuple of theirs (``None`` left out)."""

    def __init__(self, part: Parser, least: int = 0, most: int = 3) -> None:
        self.part, self.least, self.most = part, least, most

    def begins(self) -> Start:
        kinds, nothing = self.part.start()
        return kinds, nothing or self.least == 0

    def find(self, scan: Scan, at: int) -> list[Answer]:
        found: list[Answer] = [(at, (), 0)] if self.least == 0 else []
        states: dict[tuple[int, tuple[Any, ...]], int] = {(at, ()): 0}
        for count in range(1, self.most + 1):
            following: dict[tuple[int, tuple[Any, ...]], int] = {}
            for (end, values), cost in states.items():
                for then, value, more in self.part.ask(scan, end):
                    if then > end:
                        state = (then, values if value is None else (*values, value))
                        following[state] = min(following.get(state, 1 << 30), cost + more)
            states = following
            scan.spent += len(states)
            if not states or scan.spent > scan.budget:
                break
            if count >= self.least:
                found += [(end, values, cost) for (end, values), cost in states.items()]
        return found


class Lazy(Parser):
    """A parser named before it is made, for rules that need each other."""

    def __init__(self, table: Mapping[str, Parser], name: str) -> None:
        self.table, self.name = table, name

    def begins(self) -> Start:
        return self.table[self.name].start()

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return list(self.table[self.name].ask(scan, at))


class Silent(Parser):
    """A part whose value does not matter."""

    def __init__(self, part: Parser) -> None:
        self.part = part

    def begins(self) -> Start:
        return self.part.start()

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [(end, None, cost) for end, _, cost in self.part.ask(scan, at)]
