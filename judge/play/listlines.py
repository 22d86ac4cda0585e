"""The lines of a mail that are ranked lists for retreats and adjustments to come, sorted out from those that are for now.

What stands below an ``IF`` is never an order for now: up to ``END``, the next ``IF`` or a heading it is part of the list, or
asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from judge.mail.commands import parse as parse_command
from judge.notation import Context, Reading, read_line, write
from judge.notation.combine import Purse
from judge.notation.mail import MAIL_BUDGET
from judge.notation.ranked import MOST_ORDERS, Head, Item, Kind, Lists, Ranked, ends, head_of
from judge.play.receipts import Why
from judge.rules.board import Unit, province_of
from judge.rules.orders import Waive
from judge.rules.position import Phase

#: So many lists are made of one mail, and so many of its lines are told of.
MOST_LISTS = 24
_MOST_TOLD = 24
#: words for whatever unit it is
_ANY = frozenset(
    {
        "",
        "i",
        "i am",
        "i'm",
        "we",
        "we are",
        "any",
        "any unit",
        "a unit",
        "one of my units",
        "ユニット",
        "部队",
        "部隊",
        "单位",
    }
)


@dataclass
class Found:
    """``lists``: (phase, list); ``unclear``: lines that are not used, why, and what may have been meant; ``asked``: lines
    below an ``IF`` that would be orders for now (line, orders, why)."""

    lists: list[tuple[str, Ranked]] = field(default_factory=list)
    unclear: list[tuple[str, list[Why], list[str]]] = field(default_factory=list)
    asked: list[tuple[str, list[str], list[Why]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lists or self.unclear or self.asked)


@dataclass
class _Block:
    """A list whose orders stand on the lines below. ``what``: ``other`` is a condition that is not kept, ``any`` one of
    whatever unit; ``unit`` that of a list of retreats."""

    line: str
    what: Literal["retreat", "any", "builds", "removals", "other"]
    phase: Phase
    always: bool
    unit: Unit | None = None
    orders: list[str] = field(default_factory=list)
    said: bool = False


class ListLines:
    """Goes down the lines beside the splitter of later orders, and takes those that are lists."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.open = context.position.phase
        self.found = Found()
        self.purse = Purse(MAIL_BUDGET)
        self.reader = Lists(context, self.purse)
        self.block: _Block | None = None
        self.always = False
        #: the unit of a list that the line right above closed by itself
        self.above: Unit | None = None

    def blank(self) -> None:
        """An empty line: it ends a list of builds or removals, not what stands below an ``IF``."""
        self.above = None
        if self.block is not None and self.block.what in ("builds", "removals") and self.block.said:
            self.close()

    def close(self) -> None:
        """The list that is open ends here."""
        block, self.block = self.block, None
        if block is None or block.what in ("other", "any"):
            return
        if block.orders:
            kind: Kind = "retreat" if block.unit is not None else "builds" if block.what == "builds" else "removals"
            self.add(block.line, Ranked(kind, tuple(block.orders), unit_text(block.unit), block.always), block.phase)
        elif not block.said and block.unit is not None:
            self.tell(block.line, "note.list-empty")

    def take(self, line: str, section: Phase | None, is_heading: Callable[[], bool]) -> bool:
        """Whether a line, in the section of a later phase or of none, is a list's. ``is_heading``: whether it names a
        phase; asked only where a list is open."""
        above, self.above = self.above, None
        if self.block is not None and ends(line):
            self.close()
            return True
        head = head_of(line)
        if head is not None and head.opens != "always" and self.always:
            head = replace(head, always=True)
        if self.block is not None and head is None:
            if parse_command(line) is not None:
                return False  # it is obeyed; what follows still stands below the IF
            if is_heading():
                self.close()
                self.always = False
                return False
            return self.below(line, self.block)
        if head is None:
            self.always = False
            return above is not None and self.follows(line, above)
        return self.begins(line, head, section)

    def over(self, line: str) -> bool:
        """A line beyond those that are looked at: below an ``IF`` it is not for now either."""
        if self.block is None:
            return False
        if not self.block.said or not self.found.unclear:
            self.tell(line, "note.list-below")
        self.block.said = True
        return True

    # the head of a list

    def begins(self, line: str, head: Head, section: Phase | None) -> bool:
        """A line that has the look of a list's head."""
        if head.opens == "always":
            self.close()
            self.always = True
            return True
        phase = self.phase_for("A" if head.opens in ("builds", "removals") else "R", section)
        now = section is None and not head.always
        if head.opens == "if-other":
            self.close()
            self.tell(line, "note.if-other")
            self.block = _Block(line, "other", self.open, False)
            return True
        if now and ((head.opens == "retreat" and self.open.kind == "R") or (self.open.kind == "A" and phase.kind == "A")):
            return self.leave_to_now(line, head)
        if head.opens in ("builds", "removals"):
            return self.adjustments(line, head, section, phase)
        return self.retreats(line, head, section, phase)

    def leave_to_now(self, line: str, head: Head) -> bool:
        """``RETREAT A VIE BOH`` in the retreats, ``BUILDS A PAR`` in the adjustments: lines like others, but below an IF."""
        if self.block is not None and self.block.what in ("retreat", "any", "other"):
            return self.below(line, self.block)
        self.close()
        return False

    def adjustments(self, line: str, head: Head, section: Phase | None, phase: Phase) -> bool:
        what: Literal["builds", "removals"] = "builds" if head.opens == "builds" else "removals"
        if not head.rest:
            if section is not None and not head.always:
                self.close()
                return False  # a heading of the later phase: what stands below it is kept as written
            self.close()
            self.block = _Block(line, what, phase, head.always)
            return True
        items = self.items(what, None, head.rest)
        if not any(item.order or item.suggestions for item in items) and not _looks_listed(items):
            return self.below(line, self.block) if self.block is not None else False  # words that begin like it
        self.close()
        orders = self.good(line, items)
        if orders:
            self.add(line, Ranked(what, tuple(orders), "", head.always), phase)
        return True

    def retreats(self, line: str, head: Head, section: Phase | None, phase: Phase) -> bool:
        if head.opens == "retreat":
            front = self.reader.unit_in_front(head.rest)
            if front is None or not front[1]:
                return self.below(line, self.block) if self.block is not None else False
            unit, rest = front
        else:
            whichever = head.unit.casefold() in _ANY
            if whichever and not head.rest:
                self.close()
                if self.fits(line, section):
                    self.block = _Block(line, "any", phase, head.always)
                return True
            front = self.reader.unit_in_front(head.rest) if whichever else None
            named = self.reader.unit(head.unit) if not whichever else front[0] if front is not None else None
            if named is None:
                return self.no_unit(line, head)
            unit, rest = named, front[1] if front is not None else head.rest
        self.close()
        if not self.fits(line, section):
            return True
        if section is None and not head.always and self.is_down(unit):
            self.tell(line, "note.list-now")
            self.block = None if rest else _Block(line, "other", self.open, False)
            return True
        if not rest:
            self.block = _Block(line, "retreat", phase, head.always, unit)
            return True
        orders = self.good(line, self.items("retreat", unit, rest))
        if orders:
            self.add(line, Ranked("retreat", tuple(orders), unit_text(unit), head.always), phase)
        self.above = unit
        return True

    def no_unit(self, line: str, head: Head) -> bool:
        """``IF ... DISLODGED`` of no unit: a sentence, if it goes on; else nothing below it is for now."""
        if head.rest and self.block is None and self.reader.unit(head.rest) is None and not self.reading(line).suggestions:
            return False
        self.close()
        self.tell(line, "note.list-unit")
        self.block = None if head.rest else _Block(line, "other", self.open, False)
        return True

    def fits(self, line: str, section: Phase | None) -> bool:
        """Retreats belong to a spring or a fall; always ``True`` for one who asks whether the line is a list's."""
        if section is not None and section.kind == "A":
            self.tell(line, "note.list-phase")
            self.block = None
            return False
        return True

    def is_down(self, unit: Unit) -> bool:
        return any(
            one.unit.province == unit.province and one.unit.power == unit.power for one in self.context.position.dislodged
        )

    def phase_for(self, kind: Literal["R", "A"], section: Phase | None) -> Phase:
        """The phase of a kind that a list is for: that of the section's turn or year, or the next one to come."""
        at = section or self.open
        if kind == "A":
            late = section is None and at.kind == "A"
            return Phase("W", at.year + late, "A")
        if section is not None:
            return Phase("F" if section.season == "W" else section.season, section.year, "R")
        if at.kind == "M":
            return Phase(at.season, at.year, "R")
        return Phase("F", at.year, "R") if at.season == "S" else Phase("S", at.year + 1, "R")

    # what stands below

    def below(self, line: str, block: _Block) -> bool:
        """A line below the head of a list that is open."""
        reading = self.reading(line)
        if block.what == "retreat" and block.unit is not None:
            items = self.items("retreat", block.unit, line)
            if any(item.order for item in items):
                block.orders += self.good(line, items)
                block.said = True
                return True
        elif block.what == "any":
            front = self.reader.unit_in_front(line)
            items = self.items("retreat", front[0], front[1]) if front is not None and front[1] else []
            if front is not None and any(item.order for item in items):
                orders = self.good(line, items)
                self.add(line, Ranked("retreat", tuple(orders), unit_text(front[0]), block.always), block.phase)
                return True
        elif block.what in ("builds", "removals"):
            items = self.items("builds" if block.what == "builds" else "removals", None, line)
            if items and all(item.order for item in items) and not reading.legal:
                block.orders += self.good(line, items)
                block.said = True
                return True
            self.close()
            return False
        if not reading.mentions and reading.kind == "not-an-order":
            return False  # a greeting
        block.said = True
        if reading.legal:
            self.ask(line, reading, "note.list-below")
        else:
            self.tell(line, "note.list-below")
        return True

    def follows(self, line: str, unit: Unit) -> bool:
        """A line right below a list that closed by itself: one more of it, or an order for now? It is asked about."""
        reading = self.reading(line)
        places = {province_of(order.at) for order in reading.legal if not isinstance(order, Waive)}
        if places != {unit.province}:
            return False
        self.ask(line, reading, "note.list-or-now")
        return True

    # what is noted

    def reading(self, line: str) -> Reading:
        return read_line(line, self.context, purse=self.purse)

    def items(self, kind: Kind, unit: Unit | None, words: str) -> Sequence[Item]:
        if self.purse.left <= 0:
            return [Item(words)]
        if unit is not None:
            return self.reader.retreats(unit, words)
        return self.reader.builds(words) if kind == "builds" else self.reader.removals(words)

    def good(self, line: str, items: Sequence[Item]) -> list[str]:
        """The orders of the good items, each once; of the others it is told why they are left out."""
        for item in items[:MOST_ORDERS]:
            if not item.order:
                whys = [Why(problem.code, problem.args, problem.rule) for problem in item.problems]
                said = item.words if item.words in line else line
                self.note(said, whys or [Why("read.no-order")], item.suggestions)
        orders = [item.order for item in items if item.order]
        if len(items) > MOST_ORDERS:
            self.tell(line, "note.list-too-long", most=MOST_ORDERS)
        kept = [text for n, text in enumerate(orders) if text == "WAIVE" or text not in orders[:n]]
        return kept[:MOST_ORDERS]

    def add(self, line: str, ranked: Ranked, phase: Phase) -> None:
        """A list is whole; another one of the same key in this mail goes on from it, as its lines stand below each other."""
        name = str(phase)
        for n, (other, earlier) in enumerate(self.found.lists):
            if earlier.key == ranked.key and other == name:
                orders = (*earlier.orders, *(text for text in ranked.orders if text not in earlier.orders))
                self.found.lists[n] = (name, replace(earlier, orders=orders[:MOST_ORDERS]))
                return
        if len(self.found.lists) >= MOST_LISTS:
            self.tell(line, "note.list-too-many", most=MOST_LISTS)
        else:
            self.found.lists.append((name, ranked))

    def ask(self, line: str, reading: Reading, code: str) -> None:
        if len(self.found.asked) < _MOST_TOLD:
            self.found.asked.append((line, [write(order) for order in reading.legal], [Why(code)]))
        else:
            self.tell(line, code)

    def tell(self, line: str, code: str, **args: int) -> None:
        self.note(line, [Why(code, args)])

    def note(self, line: str, whys: list[Why], suggestions: Sequence[str] = ()) -> None:
        if len(self.found.unclear) < _MOST_TOLD:
            self.found.unclear.append((line.strip(), whys, list(suggestions)))


def sort_out(lines: Sequence[str], context: Context) -> tuple[list[str], Found]:
    """The lines that are no lists, and the lists, of text without headings of later phases."""
    taker = ListLines(context)
    now = []
    for line in lines:
        if not line.strip():
            taker.blank()
            now.append(line)
        elif not taker.take(line, None, lambda: False):
            now.append(line)
    taker.close()
    return now, taker.found


def _looks_listed(items: Sequence[Item]) -> bool:
    """Whether what follows ``BUILDS`` speaks of units at all."""
    return any(problem.code not in ("read.no-order", "read.talk") for item in items for problem in item.problems)


def unit_text(unit: Unit | None) -> str:
    """``A VIE``: how a list names its unit."""
    return "" if unit is None else f"{unit.type} {unit.at.upper()}"
