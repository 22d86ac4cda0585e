"""Which of the ways to read a line is meant here, and what the line as a whole then comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.notation.canonical import write
from judge.notation.clauses import Head, Parse
from judge.notation.lexicon import PlaceName
from judge.notation.reading import Context, Kind, Problem, Reading
from judge.notation.resolve import Resolved, resolve
from judge.notation.sketch import PlaceSaid, Sketch, UnitSaid
from judge.rules.board import province_of
from judge.rules.orders import Order, Waive


@dataclass(slots=True)
class Tally:
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

    def kind(self) -> Kind:
        """The kind of a line of these parts: that of the worst of them."""
        if self.open or (self.nothing and self.orders):
            return "ambiguous"
        if not self.orders:
            return "not-an-order"
        return "illegal" if self.illegal else "order"

    def withdraw(self) -> None:
        """Take nothing after all; offer what was good."""
        self.open = self.open or bool(self.legal)
        self.offer(self.legal)
        self.orders.clear()
        self.legal.clear()

    def offer(self, orders: Sequence[Order]) -> None:
        """Offer orders that may have been meant."""
        self.offers += [text for text in map(write, orders) if text not in self.offers]


@dataclass(frozen=True)
class Scales:
    """What a line's parses are weighed against: the position, the heading it stands under, the units ordered elsewhere."""

    line: str
    context: Context
    head: Head
    ordered: frozenset[str]

    def best(self, parses: Sequence[Parse]) -> Reading:
        """The reading of the parse that makes most sense here; if two are as good and differ, the player is asked."""
        tallies = [(self.tally(parse), parse) for parse in parses if not _waived_in_passing(parse)]
        if not tallies:
            return self.nothing(Problem("read.talk"), ())
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

    def score(self, tally: Tally, parse: Parse) -> tuple[int, int, int]:
        """How little sense a parse makes here: parts that are not good, then the cost of its words, then its length."""
        foreign = parse.head.power is not None and self.context.power not in (None, parse.head.power)
        return (tally.nothing * 2 + tally.open + tally.illegal + foreign, parse.cost, len(parse.items))

    def tally(self, parse: Parse) -> Tally:
        tally = Tally([], [], [], [], rest=any(said.sketch.unit == "rest" for said in parse.items))
        verb = parse.head.verb or self.head.verb
        for sketch, asked in self.expanded(parse):
            if parse.head.verb and not _under(parse.head.verb, sketch):
                # "Delete: A Par-Bur" is no move
                tally.add(Resolved("nothing", problems=(Problem("read.talk", {}),)), asked)
            else:
                tally.add(resolve(sketch, self.context, verb), asked)
        if (tally.open or tally.nothing) and any(said.run_on for said in parse.items):
            # where one order ends and the next begins was for the words to show, and one of them is doubtful
            tally.withdraw()
        return tally

    def expanded(self, parse: Parse) -> list[tuple[Sketch, bool]]:
        """The sketches, with "all" and "the rest" replaced by the units meant."""
        found: list[tuple[Sketch, bool]] = []
        named = {p for s, _, _ in parse.items if isinstance(s.unit, UnitSaid) for p in s.unit.place.name.sure} | self.ordered
        for sketch, asked, _ in parse.items:
            if not isinstance(sketch.unit, str):
                found.append((sketch, asked))
                continue
            for unit in self.context.own_units:
                meant = {"all": True, "armies": unit.type == "A", "fleets": unit.type == "F"}
                if meant.get(sketch.unit, unit.province not in named):
                    found.append((replace(sketch, unit=_unit_in(unit.province)), asked))
        return found

    def reading(self, tally: Tally, head: Head) -> Reading:
        """The reading of a parsed line: its kind by the worst of its parts."""
        self.drop_contradictions(tally)
        power = head.power or self.head.power
        if power and self.context.power and power != self.context.power and not (tally.illegal and not tally.legal):
            return self.nothing(Problem("read.other-power", {"power": power}), tally.offers)
        later = self.other_turn(head) or self.other_turn(self.head)
        if later is not None:
            return self.nothing(later, [*map(write, tally.legal), *tally.offers])
        kind = tally.kind()
        return Reading(
            kind,
            self.line,
            tuple(tally.orders if kind != "ambiguous" else tally.legal),
            tuple(tally.legal),
            tuple(tally.problems),
            tuple(tally.offers),
            rest=tally.rest,
            mentions=True,
        )

    def nothing(self, problem: Problem, offers: Sequence[str]) -> Reading:
        """Nothing is taken; what was understood is offered."""
        offered = tuple(dict.fromkeys(offers))
        return Reading("not-an-order", self.line, problems=(problem,), suggestions=offered, mentions=True)

    def drop_contradictions(self, tally: Tally) -> None:
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
                _take_out(tally.orders, order)
                _take_out(tally.legal, order)

    def other_turn(self, head: Head) -> Problem | None:
        """A heading that names a later turn than the one now open: its orders are not for now."""
        phase = self.context.position.phase
        if head.season is None and head.year is None:
            return None
        season = head.season or phase.season
        said = f"{season}{head.year or phase.year}"
        if head.year is not None and head.year != phase.year:
            # an earlier year is a slip of the finger (people forget that a year is over), but none before the game began
            other = head.year > phase.year or head.year < self.context.board.first_year
            return Problem("read.other-turn", {"turn": said}) if other else None
        if season == phase.season or (phase.kind != "M" and "SFW".index(season) <= "SFW".index(phase.season)):
            return None
        return Problem("read.other-turn", {"turn": said})


#: the kinds of orders that may stand behind "Builds:", "Moves:" and so on
_UNDER = {"D": "DU", "B": "BUWX", "H": "HU", "R": "RMDUX", "S": "SX", "C": "CMX", "M": "MSCHRDBWUX"}


def _under(verb: str, sketch: Sketch) -> bool:
    """Whether an order goes with the verb that heads its line."""
    return sketch.kind in _UNDER[verb]


def _waived_in_passing(parse: Parse) -> bool:
    """Whether a build is waived with no sign before or after it: "no build army Paris" waives nothing."""
    follows = [*(said.run_on for said in parse.items[1:]), False]
    return len(parse.items) > 1 and any(
        said.sketch.kind == "W" and (said.run_on or after) for said, after in zip(parse.items, follows, strict=True)
    )


def _unit_in(province: str) -> UnitSaid:
    return UnitSaid(PlaceSaid(PlaceName((province,))))


def _take_out(orders: list[Order], order: Order) -> None:
    """Take one object out of the list, not one that equals it."""
    for at, each in enumerate(orders):
        if each is order:
            del orders[at]
            return


def _texts(reading: Reading) -> list[str]:
    return [write(order) for order in reading.orders]
