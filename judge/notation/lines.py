"""One line of a player -> a :class:`Reading`: an order, a problem with a suggestion, or no order at all.

The line is made plain, cut into words with all their meanings, and parsed as a whole. Only if every word has its part in
it is anything taken. Then the position decides what was meant. If the line as a whole is no order, it is looked at again:
part by part (a good part stays good), with slips of the finger undone (asked, never taken), and at last for orders that
it merely speaks about (offered, never taken).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from judge.notation.canonical import parse_canonical, write
from judge.notation.clauses import Head, Parse, parse_heading, parse_line, spoken_of
from judge.notation.combine import BUDGET, Purse, Scan, TooMuch
from judge.notation.comments import versions
from judge.notation.lexicon import Edge, Lexicon, lexicon
from judge.notation.near import any_place, name_expected, near_edges, partless, slips, unknown_atoms
from judge.notation.reading import Context, Problem, Reading
from judge.notation.resolve import resolve
from judge.notation.sketch import Sketch, UnitSaid
from judge.notation.text import MAX_LINE, Atom, Tidy, atoms, tidy
from judge.notation.weigh import Scales
from judge.rules.board import province_of
from judge.rules.legality import check
from judge.rules.orders import Hold, Move, Order, Support, Waive

_CANONICAL = re.compile(r"[AF] [A-Z]{3}[-A-Z/ ]{2,40}\Z")
#: Words that do something in an order.
_ACTIONS = frozenset(("ARROW", "TO", "SUP", "CON", "HOLD", "MOVE", "RET", "DIS", "BUILD", "UNIT"))
#: ``A Mun ← Bur``, and ``A Par: Bur``, ``A Par/Bur``, ``A Par = Bur``
_BACKWARDS = re.compile(
    r"\s*(?P<unit>[AF]\s+)?(?P<to>[^\W\d_][\w. ]{1,30}?)\s*(?:←|⇐|⬅|<[-=]+)\s*(?:[AF]\s+)?(?P<at>[^\W\d_][\w. ]{1,30})\s*\Z"
)
_ARROW_BACK = re.compile("[←⇐⬅]")
_OTHER_SIGN = re.compile(r"\s*(?P<unit>[AF]\s+)(?P<at>[^\W\d_][\w. ]{1,30}?)\s*[:：/=]\s*(?P<to>[^\W\d_][\w. ]{1,30})\s*\Z")
#: Lines with more words are not read.
MAX_ATOMS = 700
#: What it costs to look at a line at all, at so many characters of it, at a word; and to look for the words that an unknown
#: one may have been meant as. In answers, like all costs.
LOOK, CHARACTERS, ATOM, SLIP = 10, 8, 2, 20
#: What it may cost to find out what orders a line speaks about that gives none.
_TALK_BUDGET = 2_500
#: What a heading may cost: it is short.
_HEADING_BUDGET = 1_000


def heading_of(line: str, context: Context, purse: Purse | None = None) -> Head | None:
    """What a line says that is nothing but a heading (a power, a turn, "Builds:"); ``None`` if it is more, or nothing.

    ``purse``: pays for the look and for what the words may mean.
    """
    if len(line) > 120 or _CANONICAL.match(line):
        return None
    if purse is not None:
        purse.left -= LOOK + len(line) // CHARACTERS
    plain = tidy(line)
    if plain.quoted or plain.struck or plain.question:
        return None
    whole = atoms(plain.text)
    lex = lexicon(context.names)
    words = _words(lex, whole)
    if not whole or partless(whole, words):
        return None
    scan = Scan(whole, words, context.power, _HEADING_BUDGET)
    try:
        return parse_heading(scan)
    except TooMuch:
        return None
    finally:
        if purse is not None:
            purse.left -= scan.spent


@lru_cache(maxsize=64)
def _words(lex: Lexicon, line: tuple[Atom, ...]) -> list[list[Edge]]:
    """The words that begin at each atom of a line. Remembered, as a line is looked at several times; not to be changed."""
    return lex.edges(line)


def read_line(
    line: str, context: Context, ordered: Sequence[str] = (), head: Head | None = None, purse: Purse | None = None
) -> Reading:
    """Read one line in a position. Never raises, and takes bounded time on any text.

    ``ordered``: provinces of units that other lines of the mail order ("the rest holds" means none of them). ``head``: the
    heading that the line stands under. ``purse``: what all lines of its mail may cost.
    """
    head = head or Head()
    quick = _canonical(line, context) if head == Head() else None  # under a heading it may be for another turn or power
    if quick is not None:
        return quick
    return _Line(line, context, frozenset(ordered), head, purse or Purse(BUDGET)).read()


def _canonical(line: str, context: Context) -> Reading | None:
    """The reading of canonical text that is legal as it stands: the way of programs, and of orders that were stored."""
    if not _CANONICAL.match(line) or context.rules.coast_aliases:
        return None
    try:
        order = parse_canonical(line, context.board)
    except ValueError:
        return None
    if isinstance(order, Waive) or not _complete(order, context):
        return None
    if check(context.board, context.position, context.power, order, context.rules) is not None:
        return None
    return Reading("order", line, (order,), (order,), mentions=True)


def _complete(order: Order, context: Context) -> bool:
    """Whether nothing about the order has to be filled in or thought over."""
    if isinstance(order, Waive):
        return True
    unit = context.ordered(province_of(order.at))
    if unit is None or unit.at != order.at or unit.type != order.type:
        return False
    if isinstance(order, Move):
        split = "/" not in order.to and context.board.provinces[order.to].coasts
        return (
            not (order.route or order.via)
            and not (unit.type == "F" and split)
            and not (unit.type == "A" and "/" in order.to)
        )
    if isinstance(order, Support):
        of = context.standing.get(province_of(order.of))
        return (
            of is not None and of.type == order.of_type and order.of in (of.at, of.province) and "/" not in (order.to or "")
        )
    return isinstance(order, Hold)


class _Line:
    """One line on its way through the attempts."""

    def __init__(self, line: str, context: Context, ordered: frozenset[str], head: Head, purse: Purse) -> None:
        self.line, self.context, self.head = line, context, head
        self.scales = Scales(line, context, head, ordered)
        self.lexicon: Lexicon = lexicon(context.names)
        self.tidy: Tidy = tidy(line)
        self.purse = purse
        self.scans: list[Scan] = []
        #: what the line has cost besides its scans
        self.cost = LOOK + len(line) // CHARACTERS

    def read(self) -> Reading:
        """The reading; whatever it came to, what it cost is paid."""
        try:
            return self._read() if self.purse.left > 0 else self.none(Problem("read.too-much"))
        except TooMuch:
            return self.none(Problem("read.too-much"))
        finally:
            self.purse.left -= self.spent()

    def spent(self) -> int:
        """What the line has cost so far."""
        return self.cost + sum(scan.spent for scan in self.scans)

    def pay(self, cost: int) -> None:
        """Pay for work outside the scans.

        :raises TooMuch: the line, or its mail, has cost what it may.
        """
        self.cost += cost
        if self.spent() > min(BUDGET, self.purse.left):
            raise TooMuch

    def _read(self) -> Reading:
        if len(self.line) > MAX_LINE:
            return self.none(Problem("read.too-long", {"most": MAX_LINE}))
        whole = self.lexicon.unglued(atoms(self.tidy.text))
        if not whole:
            return self.commented()
        self.pay(ATOM * len(whole))
        if len(whole) > MAX_ATOMS:
            return self.none(Problem("read.too-long", {"most": MAX_LINE}))
        if self.tidy.quoted:
            return self.none(Problem("read.quoted"))
        if self.tidy.struck:
            return self.none(Problem("read.struck"))
        words = self.words(whole)
        if not self.may_order(whole, words):
            return self.no_order(self.scan(whole, words))
        backwards = self.with_other_signs() if _ARROW_BACK.search(self.line) else None
        if backwards is not None:
            return backwards
        for line, doubt in versions(self.tidy, whole, self.words):
            parses = self.parse(line, words if line is whole else self.words(line))
            if parses:
                return self.guarded(self.scales.best(parses), doubt)
        return self.second_look(whole, words)

    def may_order(self, whole: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> bool:
        """Whether a line may be an order at all: it needs a place, or a word that orders without one, or a slip for it."""
        kinds = {edge.kind for edges in words for edge in edges}
        if kinds & {"PLACE", "WAIVE"} or (kinds & {"ALL", "REST"} and kinds & {"HOLD", "DIS"}):
            return True
        if self.context.position.phase.kind == "A" and len(whole) == 1:
            return True  # perhaps a slip for "waive"
        return bool(kinds & _ACTIONS) and len(unknown_atoms(whole, words)) < 12

    def words(self, line: Sequence[Atom]) -> list[list[Edge]]:
        self.pay(len(line))
        return _words(self.lexicon, tuple(line))

    def scan(self, line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> Scan:
        """A scan of the line, with all that earlier attempts found out about these words; all scans are paid for."""
        self.pay(0)
        left = min(BUDGET, self.purse.left) - self.spent()
        for scan in self.scans:
            if scan.words is words:
                scan.budget = scan.spent + left
                return scan
        self.pay(len(line))
        scan = Scan(line, words, self.context.power, left)
        self.scans.append(scan)
        return scan

    def parse(self, line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> list[Parse]:
        if partless(line, words):
            return []  # a word without a part in any order: no need to look for the part of the others
        alone = self.context.position.phase.kind != "M" or self.head.verb is not None
        return parse_line(self.scan(line, words), alone=alone)

    def guarded(self, reading: Reading, doubt: bool) -> Reading:
        """What was read, unless the line asks or doubts it itself."""
        if reading.kind == "not-an-order" or not (self.tidy.question or doubt):
            return reading
        if reading.kind == "ambiguous" and not reading.orders and not self.tidy.question:
            return reading  # asked about anyway, and nothing of it is taken
        offers = dict.fromkeys([*map(write, reading.legal), *reading.suggestions])
        return self.none(Problem("read.question" if self.tidy.question else "read.doubt"), offers=list(offers))

    def commented(self) -> Reading:
        """A line without words, but for what it marks as a comment: told, if that would be an order."""
        inside = re.sub(r"\A\W+", "", self.tidy.comment)  # no comment in a comment in a comment
        if not inside:
            return self.none(mentions=False)
        found = _Line(inside, self.context, frozenset(), self.head, self.purse).read()
        if found.kind == "not-an-order" and not found.suggestions:
            return self.none(mentions=False)
        offers = dict.fromkeys([*map(write, found.legal), *found.suggestions])
        return self.none(Problem("read.comment"), offers=list(offers))

    # second look

    def no_order(self, scan: Scan) -> Reading:
        """A line without any place in it: a heading, or nothing that concerns the judge."""
        known = len(scan.line) < 40 and not partless(scan.line, scan.words)
        heading = parse_heading(scan) if known else None
        return self.none(mentions=False) if heading is None else Reading("not-an-order", self.line, heading=True)

    def second_look(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading:
        """A line that is no order as it stands: a heading, a good part and a bad one, a slip, or talk."""
        scan = self.scan(whole, words)
        if not self.tidy.question and not partless(whole, words) and parse_heading(scan) is not None:
            return Reading("not-an-order", self.line, heading=True)
        found = self.with_other_signs()
        if found is not None:
            return found
        if not self.speaks(whole, words):
            for attempt in (self.with_incomplete, self.with_slips, self.with_any_place):
                found = attempt(whole, words)
                if found is not None:
                    return self.guarded(found, False)
        return self.talk(scan)

    def speaks(self, whole: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> bool:
        """Whether a word of the line shows that it speaks about orders instead of giving one."""
        if self.tidy.question:
            return True
        part: set[int] = set()  # the atoms that lie inside longer words of orders
        for at, edges in enumerate(words):
            for edge in edges:
                if edge.kind != "TALK" and edge.end > at + 1:
                    part.update(range(at, edge.end))
        return any(at not in part and _is_talk(whole, at, words) for at in range(len(whole)))

    def with_other_signs(self) -> Reading | None:
        """A move with its arrow the other way round, or with another sign for one: offered, if it would be good."""
        found = _BACKWARDS.match(self.line) or _OTHER_SIGN.match(self.line)
        if found is None or self.tidy.question:
            return None
        inner = _Line(
            f"{found['unit'] or ''}{found['at']} - {found['to']}", self.context, frozenset(), self.head, self.purse
        )
        legal = inner.read().legal
        if len(legal) != 1 or not isinstance(legal[0], Move):
            return None
        offered = (write(legal[0]),)
        if not _ARROW_BACK.search(self.line):
            return self.none(Problem("read.no-order"), offers=offered)  # told with what it may have been
        return Reading("ambiguous", self.line, problems=(Problem("read.no-order"),), suggestions=offered, mentions=True)

    def with_incomplete(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """Orders beside units without one: the orders are good, the units are asked about."""
        parses = [] if partless(whole, words) else parse_line(self.scan(whole, words), alone=True)
        return self.scales.best(parses) if parses else None

    def with_slips(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """The line with slips undone: all that it then says is asked."""
        for line, doubt in versions(self.tidy, whole, self.words):
            self.pay(SLIP * slips(line, words if line is whole else self.words(line)))
            near = near_edges(line, words if line is whole else self.words(line), self.lexicon)
            parses = self.parse(line, near) if near else []
            if parses:
                found = self.scales.best(parses)
                return self.guarded(found, doubt)
        return None

    def with_any_place(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """An order about a place that nobody knows: said so, if the rest of it is plain."""
        some = any_place(whole, words)
        if not some or not any(edge.kind in ("ARROW", "SUP", "CON", "RET") for edges in words for edge in edges):
            return None
        plain = [p for p in self.parse(whole, some) if len(p.items) == 1 and self.own(p.items[0].sketch)]
        return self.scales.best(plain) if plain else None

    def own(self, sketch: Sketch) -> bool:
        """Whether an order is about a unit that the player has, or says at least of what kind its unit is."""
        if not isinstance(sketch.unit, UnitSaid):
            return False
        here = {unit.province for unit in self.context.own_units}
        return (
            sketch.unit.type is not None if sketch.unit.place.name.closed else bool(here & set(sketch.unit.place.name.sure))
        )

    def talk(self, scan: Scan) -> Reading:
        """No order. What it speaks about is offered, as far as it can be made out."""
        offers: list[str] = []
        scan.budget = min(scan.budget, scan.spent + _TALK_BUDGET)
        for sketches in spoken_of(scan) if _concerns_orders(scan) else ():
            for sketch in sketches:
                if isinstance(sketch.unit, UnitSaid) or sketch.kind in "XW":
                    resolved = resolve(sketch, self.context)
                    found = resolved.orders if resolved.state == "good" else resolved.offers
                    offers += [text for text in map(write, found) if text not in offers]
        if not offers and not _concerns_orders(scan):
            return self.none(mentions=False)
        return self.none(Problem("read.talk" if offers else "read.no-order"), offers=offers[:8])

    def none(self, *problems: Problem, offers: Sequence[str] = (), mentions: bool = True) -> Reading:
        return Reading(
            "not-an-order", self.line, problems=problems, suggestions=tuple(dict.fromkeys(offers)), mentions=mentions
        )


def _concerns_orders(scan: Scan) -> bool:
    """Whether the words of a line that is no order have to do with orders at all; a greeting's do not."""
    kinds = [{edge.kind for edge in edges} for edges in scan.words]
    places = sum("PLACE" in found for found in kinds)
    actions = sum(bool(found & _ACTIONS) for found in kinds)
    return places > 1 or (places == 1 and actions > 0)


def _is_talk(line: Sequence[Atom], at: int, words: Sequence[Sequence[Edge]]) -> bool:
    """A word that no order has: I, if, not, promised. Behind an arrow it is a slip (But for Bur)."""
    kinds = {edge.kind for edge in words[at]}
    behind_arrow = at > 0 and line[at - 1].text in ("-", ">") and line[at].kind == "w"
    slip = behind_arrow or name_expected(line, at, words)
    return "TALK" in kinds and not kinds & {"PLACE", "POWER"} and not slip
