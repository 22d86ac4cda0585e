"""Parsers made of parsers, over a line in which every word may mean several things.

A parser is asked at a place and answers with every way to go on: where it ends, what it found, and at what cost. Answers are
remembered a place, so the work grows with the length of the line and not with the number of its readings; a budget bounds it
for lines that were made to be expensive.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judge.notation.lexicon import Edge
from judge.notation.text import Atom

#: Answers that one line may cost. An ordinary line takes a hundred, one in Japanese three hundred, one with twenty orders
#: two thousand.
BUDGET = 8_000
#: The cost of a word that is only nearly spelled so, or missing; above any cost of words spelled right. What costs as
#: much is asked about and never taken.
ASKED = 100
#: Different answers kept of one parser at one place.
WIDTH = 48

Answer = tuple[int, Any, int]
#: above any cost
_NEVER = 1 << 30


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
    #: for each place and the end: the kinds of words that begin there, and there or later, as bits (:func:`bits`)
    here: list[int] = field(init=False)
    later: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = []
        for edges in self.words:
            by_kind: dict[str, list[Edge]] = {}
            for edge in edges:
                by_kind.setdefault(edge.kind, []).append(edge)
            self.kinds.append(by_kind)
        self.here = [bits(by_kind) for by_kind in self.kinds] + [0]
        self.later = self.here[:]
        for at in range(len(self.kinds) - 1, -1, -1):
            self.later[at] |= self.later[at + 1]

    def edges(self, at: int, kind: str) -> list[Edge]:
        """The words of ``kind`` that begin at ``at``."""
        return self.kinds[at].get(kind, []) if at < len(self.kinds) else []


@dataclass(slots=True)
class Purse:
    """How many answers all lines of a mail may still cost together."""

    left: int


_BITS: dict[str, int] = {}


def bits(kinds: Iterable[str]) -> int:
    """Kinds of words as the bits of a number: whether two sets of them meet is asked more often than all else."""
    found = 0
    for kind in kinds:
        found |= _BITS.setdefault(kind, 1 << len(_BITS))
    return found


class Promise(NamedTuple):
    """What can be said of a parser before it is asked, so that most of them at most places need not be."""

    #: the kinds of words that it can begin with, as bits; -1: any, or it looks at more than kinds
    first: int = -1
    #: whether it may find something where none of them begins
    empty: bool = True
    #: what it then finds (it takes no words and costs nothing); ``None``: who knows
    values: tuple[Any, ...] | None = None
    #: sets of kinds; of each of them a word must follow where it finds anything
    needs: frozenset[int] = frozenset()


_Step = tuple["Parser", bool, int, bool, tuple[Any, ...] | None, tuple[int, ...]]


class Parser:
    """Base of all parsers. ``ask`` remembers, ``find`` does the work."""

    _promise: Promise | None = None

    def ask(self, scan: Scan, at: int) -> tuple[Answer, ...]:
        """Every way to read this at ``at``: (end, value, cost), each (end, value) once, the cheapest first."""
        first, empty, _, needs = self._promise or self.promise()
        if not empty and not first & scan.here[at]:
            return ()  # most parsers at most places: no need to try, or to remember
        follow = scan.later[at]
        for need in needs:
            if not need & follow:
                return ()
        key = (id(self), at)
        known = scan.memo.get(key)
        if known is None:
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

    def promise(self) -> Promise:
        """What can be said before asking, worked out once."""
        if self._promise is None:
            self._promise = self.promised()
        return self._promise

    def promised(self) -> Promise:
        """``promise``, worked out anew; a parser that looks at more than kinds of words promises nothing."""
        return Promise()


def _best(found: list[Answer]) -> tuple[Answer, ...]:
    """Each (end, value) once, the cheapest first, and not too many."""
    if len(found) == 2 and found[0][0] != found[1][0]:
        return tuple(found) if found[0][2] <= found[1][2] else (found[1], found[0])
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

    def promised(self) -> Promise:
        mask = bits(self.kinds)
        return Promise(mask, False, (), frozenset((mask,)))

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
        self._steps: tuple[_Step, ...] | None = None

    def promised(self) -> Promise:
        promises = [part.promise() for part in self.parts]
        first = 0
        for promise in promises:
            first |= promise.first
            if not promise.empty:
                break
        needs = frozenset[int]().union(*(promise.needs for promise in promises))
        if first == -1:
            return Promise(needs=needs)
        if not all(promise.empty for promise in promises):
            return Promise(first, False, (), needs)
        return Promise(first, True, self._nothing(promises), needs)

    def _nothing(self, promises: Sequence[Promise]) -> tuple[Any, ...] | None:
        """What this finds where none of its words begins."""
        kept: list[Any] = []
        for part, promise in zip(self.parts, promises, strict=True):
            if promise.values is None or len(promise.values) != 1:
                return None
            if isinstance(part, Keep):
                kept.append(promise.values[0])
        value = self._made(tuple(kept))
        return () if value is NotSo else (value,)

    def _made(self, values: tuple[Any, ...]) -> Any:
        return self.make(*values) if self.make else (values[0] if values else None)

    def _planned(self) -> tuple[_Step, ...]:
        """The parts, with what is promised of each of them and what words it and those behind it need."""
        steps: list[_Step] = []
        needs: frozenset[int] = frozenset()
        for part in reversed(self.parts):
            promise = part.promise()
            needs |= promise.needs
            bare = part.part if isinstance(part, Keep) else part
            steps.append((bare, isinstance(part, Keep), promise.first, promise.empty, promise.values, tuple(needs)))
        return tuple(reversed(steps))

    def _onwards(self, scan: Scan, part: Parser, keep: bool, needs: tuple[int, ...], state: Answer) -> list[Answer]:
        """The states behind one part, from one state. (The answers of a part differ, so nothing has to be compared.)"""
        end, values, cost = state
        for need in needs:
            if not need & scan.later[end]:
                return []
        answers = part.ask(scan, end)
        if keep:
            return [(then, (*values, value), cost + more) for then, value, more in answers]
        if len(answers) < 2:
            return [(then, values, cost + more) for then, _, more in answers]
        best: dict[int, int] = {}
        for then, _, more in answers:
            best.setdefault(then, cost + more)  # the cheapest come first
        return [(then, values, total) for then, total in best.items()]

    def find(self, scan: Scan, at: int) -> list[Answer]:
        if self._steps is None:
            self._steps = self._planned()
        here, later = scan.here, scan.later
        states: list[tuple[int, tuple[Any, ...], int]] = [(at, (), 0)]
        for part, keep, first, empty, nothing, needs in self._steps:
            if len(states) == 1:
                end, values, cost = states[0]
                if nothing is not None and not first & here[end]:
                    if not nothing:
                        return []
                    if keep:
                        states = [(end, (*values, value), cost) for value in nothing]
                    continue
                states = self._onwards(scan, part, keep, needs, states[0])
                if not states:
                    return []
                scan.spent += len(states)
                continue
            following: dict[tuple[int, tuple[Any, ...]], int] = {}
            for end, values, cost in states:
                if not first & here[end]:
                    if not empty:
                        continue
                    if nothing is not None:
                        for value in nothing:
                            state = (end, (*values, value) if keep else values)
                            if cost < following.get(state, _NEVER):
                                following[state] = cost
                        continue
                for need in needs:
                    if not need & later[end]:
                        break
                else:
                    for then, value, more in part.ask(scan, end):
                        state = (then, (*values, value) if keep else values)
                        total = cost + more
                        if total < following.get(state, _NEVER):
                            following[state] = total
            if not following:
                return []
            states = [(end, values, cost) for (end, values), cost in following.items()]
            scan.spent += len(states)
            if scan.spent > scan.budget:
                raise TooMuch
        found = []
        for end, values, cost in states:
            value = self._made(values)
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

    def promised(self) -> Promise:
        return self.part.promise()

    def ask(self, scan: Scan, at: int) -> tuple[Answer, ...]:
        return self.part.ask(scan, at)


class Or(Parser):
    """Any of several parsers."""

    def __init__(self, *choices: Parser) -> None:
        self.choices = choices
        self._planned: tuple[tuple[Parser, int, bool, frozenset[int]], ...] | None = None

    def promised(self) -> Promise:
        promises = [choice.promise() for choice in self.choices]
        first = 0
        for promise in promises:
            first |= promise.first
        empty = first == -1 or any(promise.empty for promise in promises)
        needs: frozenset[int] = frozenset()
        if all(promise.needs for promise in promises):
            # of each choice its narrowest need: one of them at least must be met
            narrow = 0
            for promise in promises:
                narrow |= min(promise.needs, key=lambda need: (need.bit_count(), need))
            needs = frozenset((narrow,))
        return Promise(first, empty, None if empty else (), needs)

    def find(self, scan: Scan, at: int) -> list[Answer]:
        if self._planned is None:
            promises = [choice.promise() for choice in self.choices]
            self._planned = tuple((c, p.first, p.empty, p.needs) for c, p in zip(self.choices, promises, strict=True))
        here, later = scan.here[at], scan.later[at]
        found: list[Answer] = []
        for choice, first, empty, needs in self._planned:
            if empty or first & here:
                for need in needs:
                    if not need & later:
                        break
                else:
                    found += choice.ask(scan, at)
        return found


class Maybe(Parser):
    """A part that may be missing (its value is then ``missing``)."""

    def __init__(self, part: Parser, missing: Any = None) -> None:
        self.part = part
        self.missing = missing

    def promised(self) -> Promise:
        first, empty, _, _ = self.part.promise()
        return Promise(first, True, None if empty else (self.missing,))

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [(at, self.missing, 0), *self.part.ask(scan, at)]


class Some(Parser):
    """``least`` to ``most`` of a part, one after another; the value is the tuple of theirs (``None`` left out)."""

    def __init__(self, part: Parser, least: int = 0, most: int = 3) -> None:
        self.part, self.least, self.most = part, least, most

    def promised(self) -> Promise:
        first, empty, _, needs = self.part.promise()
        if self.least:
            return Promise(first, empty, None if empty else (), needs)
        return Promise(first, True, ((),) if first != -1 else None)

    def find(self, scan: Scan, at: int) -> list[Answer]:
        found: list[Answer] = [(at, (), 0)] if self.least == 0 else []
        states: dict[tuple[int, tuple[Any, ...]], int] = {(at, ()): 0}
        for count in range(1, self.most + 1):
            following: dict[tuple[int, tuple[Any, ...]], int] = {}
            for (end, values), cost in states.items():
                for then, value, more in self.part.ask(scan, end):
                    if then > end:
                        state = (then, values if value is None else (*values, value))
                        following[state] = min(following.get(state, _NEVER), cost + more)
            states = following
            scan.spent += len(states)
            if not states or scan.spent > scan.budget:
                break
            if count >= self.least:
                found += [(end, values, cost) for (end, values), cost in states.items()]
        return found


class Silent(Parser):
    """A part whose value does not matter."""

    def __init__(self, part: Parser) -> None:
        self.part = part

    def promised(self) -> Promise:
        first, empty, values, needs = self.part.promise()
        return Promise(first, empty, None if values is None else (None,) * min(1, len(values)), needs)

    def find(self, scan: Scan, at: int) -> list[Answer]:
        return [(end, None, cost) for end, _, cost in self.part.ask(scan, at)]
