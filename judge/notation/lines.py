"""One line of a player -> a :class:`Reading`: an order, a problem with a suggestion, or no order at all.

The line is made plain, cut into words with all their meanings, and parsed as a whole. Only if every word has its part in it is
anything taken. Then the position decides what was meant. If the line as a whole is no order, it is looked at again: part by
part (a good part stays good), with slips of the finger undone (asked, never taken), and at last for orders that it merely
speaks about (offered, never taken).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from judge.notation.canonical import parse_canonical, write
from judge.notation.clauses import Head, Parse, parse_heading, parse_line, spoken_of
from judge.notation.combine import Scan, TooMuch
from judge.notation.lexicon import Edge, Lexicon, PlaceName, lexicon
from judge.notation.near import any_place, near_edges
from judge.notation.reading import Context, Problem, Reading
from judge.notation.resolve import Resolved, resolve
from judge.notation.sketch import PlaceSaid, Sketch, UnitSaid
from judge.notation.text import MAX_LINE, Atom, Tidy, atoms, tidy
from judge.rules.board import province_of
from judge.rules.legality import check
from judge.rules.orders import Hold, Move, Order, Support, Waive

#: Lines with more words are not read.
MAX_ATOMS = 700
_CANONICAL = re.compile(r"[AF] [A-Z]{3}[-A-Z/ ]{2,40}\Z")
#: A comment that begins so takes the order back or makes it depend on something.
_DOUBT = re.compile(
    r"\W*(?:but |and |aber |mais |pero |ma |only |nur |seulement |solo |und |et |e |y )?"
    r"(?:if|unless|only if|or|maybe|perhaps|cancel\w*|withdrawn|held|void|ignore|draft|tbd|optional|possibly|whether|in case|"
    r"not (?:sure|yet|final|certain|decided|this|if|really)|no\W*\Z|not\W*\Z|when|once|until|except|instead of|provided|"
    r"depending|conditional|alternativ\w*|either|bounced|failed|fails|succeeded|succeeds|cut|dislodged|"
    r"wenn|falls|oder|vielleicht|nicht (?:sicher|final)|außer|si|sauf|ou|peut-être|annul\w*|o|quizá\w*|tal vez|salvo|"
    r"a menos que|se|forse|oppure|なら|もし|または|か|取消|取り消し|中止|保留|未定|仮|如果|若|除非|或|不要|取消|暂定|暫定|也许|"
    r"也許|可能|作废|作廢)"
    r"(?:\b|(?=[^\x00-\x7f])|\Z)",
    re.I,
)


def heading_of(line: str, context: Context) -> Head | None:
    """What a line says that is nothing but a heading (a power, a turn, "Builds:"); ``None`` if it is more, or nothing."""
    plain = tidy(line)
    if len(line) > 200 or plain.quoted or plain.struck or plain.question:
        return None
    whole = atoms(plain.text)
    lex = lexicon(context.names)
    try:
        return parse_heading(
            Scan(whole, [list(lex.edges(whole, at)) for at in range(len(whole))], context.power)
        ) if whole else None
    except TooMuch:
        return None


def read_line(line: str, context: Context, ordered: Sequence[str] = (), head: Head | None = None) -> Reading:
    """Read one line in a position. Never raises, and takes bounded time on any text.

    ``ordered``: provinces of units that other lines of the mail order ("the rest holds" means none of them). ``head``: the
    heading that the line stands under.
    """
    quick = _canonical(line, context)
    if quick is not None:
        return quick
    return _Line(line, context, frozenset(ordered), head or Head()).read()


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


@dataclass(slots=True)
class _Tally:
    """What the parts of a line came to, gathered."""

    orders: list[Order]
    legal: list[Order]
    offers: list[str]
    problems: list[Problem]
    illegal: bool = False
    open: bool = False
    nothing: int = 0
    rest: bool = False

    def add(self, resolved: Resolved, asked: bool) -> None:
        """Add one part; ``asked``: a slip was undone in it, so that nothing of it may be taken."""
        if resolved.state == "nothing":
            self.nothing += 1
            self.problems += resolved.problems
        elif asked:
            self.open = True
            found = resolved.orders if resolved.state == "good" else resolved.offers
            self.offer(found)
            self.problems.append(Problem("read.slip", {}) if found else Problem("read.unclear", {}))
            self.problems += [p for p in resolved.problems if p.code == "read.unknown-place"]
        elif resolved.state == "open":
            self.open = True
            self.offer(resolved.offers)
            self.problems += resolved.problems
        else:
            self.orders += resolved.orders
            self.illegal = self.illegal or resolved.state == "illegal"
            self.legal += resolved.orders if resolved.state == "good" else ()
            self.offer(resolved.offers)
            self.problems += resolved.problems

    def offer(self, orders: Sequence[Order]) -> None:
        self.offers += [text for text in map(write, orders) if text not in self.offers]


class _Line:
    """One line on its way through the attempts."""

    def __init__(self, line: str, context: Context, ordered: frozenset[str], head: Head) -> None:
        self.line, self.context, self.ordered, self.head = line, context, ordered, head
        self.lexicon: Lexicon = lexicon(context.names)
        self.tidy: Tidy = tidy(line)

    def read(self) -> Reading:
        try:
            return self._read()
        except TooMuch:
            return self.none(Problem("read.too-much"))

    def _read(self) -> Reading:
        if len(self.line) > MAX_LINE:
            return self.none(Problem("read.too-long", {"most": MAX_LINE}))
        whole = self.lexicon.unglued(atoms(self.tidy.text))
        if not whole:
            return self.none(mentions=False)
        if len(whole) > MAX_ATOMS:
            return self.none(Problem("read.too-long", {"most": MAX_LINE}))
        if self.tidy.quoted:
            return self.none(Problem("read.quoted"))
        if self.tidy.struck:
            return self.none(Problem("read.struck"))
        for line, doubt in self.versions(whole):
            words = self.words(line)
            parses = self.parse(line, words)
            if parses:
                return self.guarded(self.best(parses), doubt)
        return self.second_look(whole)

    def words(self, line: Sequence[Atom]) -> list[list[Edge]]:
        return [list(self.lexicon.edges(line, at)) for at in range(len(line))]

    def scan(self, line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> Scan:
        return Scan(line, words, self.context.power)

    def parse(self, line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> list[Parse]:
        alone = self.context.position.phase.kind != "M" or self.head.verb is not None
        return parse_line(self.scan(line, words), alone=alone)

    # brackets

    def versions(self, whole: tuple[Atom, ...]) -> list[tuple[tuple[Atom, ...], bool]]:
        """The line with what its brackets hold, then without some of it: a bracket is a comment if it is no part of the order.

        Second of each: whether what was left out casts doubt on the order.
        """
        groups = sorted({atom.group for atom in whole if atom.group})
        comment_doubt = bool(self.tidy.comment and _DOUBT.match(self.tidy.comment))
        found = [(whole, comment_doubt)]
        if not 0 < len(groups) <= 6:
            return found
        for count in range(1, len(groups) + 1):
            for dropped in combinations(groups, count):
                kept = tuple(atom for atom in whole if atom.group not in dropped)
                if kept:
                    doubt = any(self.doubtful([a for a in whole if a.group == group]) for group in dropped)
                    found.append((kept, comment_doubt or doubt))
        return found

    def doubtful(self, inside: Sequence[Atom]) -> bool:
        """Whether a comment takes back what it stands behind, or names another place without a word to say why."""
        text = self.tidy.text[inside[0].start : inside[-1].end]
        if _DOUBT.match(text):
            return True
        places = set()
        at = 0
        line = tuple(inside)
        words = self.words(line)
        while at < len(line):
            ends = [
                edge.end for edge in words[at] if edge.kind in ("PLACE", "ARROW", "COMMA", "SLASH", "DET", "AND", "COAST")
            ]
            if not ends:
                return False
            places |= {edge.kind for edge in words[at]}
            at = max(ends)
        return bool(places & {"PLACE", "COAST"})

    # choosing among parses

    def best(self, parses: Sequence[Parse]) -> Reading:
        """The reading of the parse that makes most sense here; if two are as good and differ, the player is asked."""
        tallies = [(self.tally(parse), parse) for parse in parses]
        scored = [(self.score(tally, parse), self.reading(tally, parse.head)) for tally, parse in tallies]
        least = min(score for score, _ in scored)
        readings = [reading for score, reading in scored if score == least]
        first = readings[0]
        others = [r for r in readings[1:] if _texts(r) != _texts(first)]
        if not others or first.kind == "not-an-order":
            return first
        if first.kind in ("ambiguous", "illegal"):
            return first
        offers = dict.fromkeys(write(order) for reading in (first, *others) for order in reading.orders)
        return replace(
            first, kind="ambiguous", orders=(), legal=(), suggestions=tuple(offers), problems=(Problem("read.two-ways"),)
        )

    def score(self, tally: _Tally, parse: Parse) -> tuple[int, int, int]:
        """How little sense a parse makes here: parts that are not good, then the cost of its words, then its length."""
        foreign = parse.head.power is not None and self.context.power not in (None, parse.head.power)
        return (tally.nothing * 2 + tally.open + tally.illegal + foreign, parse.cost, len(parse.items))

    def tally(self, parse: Parse) -> _Tally:
        tally = _Tally([], [], [], [], rest=any(sketch.unit == "rest" for sketch, _ in parse.items))
        verb = parse.head.verb or self.head.verb
        for sketch, asked in self.expanded(parse):
            tally.add(resolve(sketch, self.context, verb), asked)
        return tally

    def expanded(self, parse: Parse) -> list[tuple[Sketch, bool]]:
        """The sketches, with "all" and "the rest" replaced by the units meant."""
        found: list[tuple[Sketch, bool]] = []
        named = {p for s, _ in parse.items if isinstance(s.unit, UnitSaid) for p in s.unit.place.name.sure} | self.ordered
        for sketch, asked in parse.items:
            if not isinstance(sketch.unit, str):
                found.append((sketch, asked))
                continue
            for unit in self.context.own_units:
                meant = {"all": True, "armies": unit.type == "A", "fleets": unit.type == "F"}
                if meant.get(sketch.unit, unit.province not in named):
                    found.append((replace(sketch, unit=_said(unit.province)), asked))
        return found

    def reading(self, tally: _Tally, head: Head) -> Reading:
        """The reading of a parsed line: its kind by the worst of its parts."""
        self.drop_contradictions(tally)
        power = head.power or self.head.power
        if power and self.context.power and power != self.context.power and not (tally.illegal and not tally.legal):
            return self.none(Problem("read.other-power", {"power": power}), offers=tally.offers)
        later = self.other_turn(head) or self.other_turn(self.head)
        if later is not None:
            return self.none(later, offers=[*map(write, tally.legal), *tally.offers])
        if tally.open:
            kind = "ambiguous"
        elif tally.nothing and not tally.orders:
            kind = "not-an-order"
        elif tally.nothing:
            kind = "ambiguous"
        else:
            kind = "illegal" if tally.illegal else "order"
        if not tally.orders and kind in ("order", "illegal"):
            kind = "not-an-order"
        return Reading(
            kind,  # type: ignore[arg-type]
            self.line,
            tuple(tally.orders if kind != "ambiguous" else tally.legal),
            tuple(tally.legal),
            tuple(tally.problems),
            tuple(tally.offers),
            rest=tally.rest,
            mentions=True,
        )

    def drop_contradictions(self, tally: _Tally) -> None:
        """Two different orders for one unit on one line: neither is taken, both are offered. The same twice is one."""
        by_unit: dict[str, list[Order]] = {}
        for order in tally.orders:
            if not isinstance(order, Waive):
                by_unit.setdefault(province_of(order.at), []).append(order)
        for same in by_unit.values():
            texts = dict.fromkeys(map(write, same))
            extra = same if len(texts) > 1 else same[1:]
            if len(texts) > 1:
                tally.open = True
                tally.offers += [text for text in texts if text not in tally.offers]
                tally.problems.append(Problem("read.two-orders", {"orders": tuple(texts)}))
            for order in extra:
                _remove(tally.orders, order)
                _remove(tally.legal, order)

    def other_turn(self, head: Head) -> Problem | None:
        """A heading that names a later turn than the one now open: its orders are not for now."""
        phase = self.context.position.phase
        if head.season is None and head.year is None:
            return None
        season = head.season or phase.season
        said = f"{season}{head.year}" if head.year else season
        if head.year is not None and head.year != phase.year:
            return Problem("read.other-turn", {"turn": said}) if head.year > phase.year else None
        if season == phase.season or (phase.kind != "M" and "SFW".index(season) <= "SFW".index(phase.season)):
            return None
        return Problem("read.other-turn", {"turn": said})

    def guarded(self, reading: Reading, doubt: bool) -> Reading:
        """What was read, unless the line asks or doubts it itself."""
        if reading.kind == "not-an-order" or not (self.tidy.question or doubt):
            return reading
        offers = dict.fromkeys([*map(write, reading.legal), *reading.suggestions])
        return self.none(Problem("read.question" if self.tidy.question else "read.doubt"), offers=list(offers))

    # second look

    def second_look(self, whole: tuple[Atom, ...]) -> Reading:
        """A line that is no order as it stands: a heading, a good part and a bad one, a slip, or talk."""
        words = self.words(whole)
        scan = self.scan(whole, words)
        heading = parse_heading(scan)
        if heading is not None and not self.tidy.question:
            return Reading("not-an-order", self.line, heading=True)
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
        return any(at not in part and _is_talk(whole, at, words[at]) for at in range(len(whole)))

    def with_incomplete(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """Orders beside units without one: the orders are good, the units are asked about."""
        parses = parse_line(self.scan(whole, words), alone=True)
        return self.best(parses) if parses else None

    def with_slips(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """The line with slips undone: all that it then says is asked."""
        for line, doubt in self.versions(whole):
            near = near_edges(line, words if line is whole else self.words(line), self.lexicon)
            parses = self.parse(line, near) if near else []
            if parses:
                found = self.best(parses)
                return self.guarded(found, doubt)
        return None

    def with_any_place(self, whole: tuple[Atom, ...], words: list[list[Edge]]) -> Reading | None:
        """An order about a place that nobody knows: said so, if the rest of it is plain."""
        some = any_place(whole, words)
        if not some or not any(edge.kind in ("ARROW", "SUP", "CON", "RET") for edges in words for edge in edges):
            return None
        plain = [p for p in self.parse(whole, some) if len(p.items) == 1 and self.own(p.items[0][0])]
        return self.best(plain) if plain else None

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
        for sketches in spoken_of(scan):
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


def _said(province: str) -> UnitSaid:
    return UnitSaid(PlaceSaid(PlaceName((province,))))


def _concerns_orders(scan: Scan) -> bool:
    """Whether the words of a line that is no order have to do with orders at all; a greeting's do not."""
    kinds = [{edge.kind for edge in edges} for edges in scan.words]
    places = sum("PLACE" in found for found in kinds)
    actions = sum(bool(found & {"ARROW", "SUP", "CON", "HOLD", "MOVE", "RET", "DIS", "BUILD", "UNIT"}) for found in kinds)
    return places > 1 or (places == 1 and actions > 0)


def _remove(orders: list[Order], order: Order) -> None:
    """Take one object out of the list, not one that equals it."""
    for at, each in enumerate(orders):
        if each is order:
            del orders[at]
            return


def _texts(reading: Reading) -> list[str]:
    return [write(order) for order in reading.orders]



def _is_talk(line: Sequence[Atom], at: int, edges: Sequence[Edge]) -> bool:
    """A word that no order has: I, if, not, promised. Behind an arrow it is a slip (But for Bur)."""
    kinds = {edge.kind for edge in edges}
    behind_arrow = at > 0 and line[at - 1].text in ("-", ">") and line[at].kind == "w"
    return "TALK" in kinds and not kinds & {"PLACE", "POWER"} and not behind_arrow
