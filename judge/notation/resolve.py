"""From what was written to what is meant in the position: which province, coast and unit; and whether it is legal.

An abbreviation of two provinces means the one that is possible. A spelling listed for one province means that one,
whatever is near; where that is out of reach the order is illegal, and what is near is offered. Nothing that needs a
guess is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Literal

from judge.notation.canonical import write
from judge.notation.near import distance
from judge.notation.reading import Context, Problem
from judge.notation.sketch import PlaceSaid, Sketch, SketchKind, UnitSaid
from judge.rules import owing
from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.legality import check
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.outcome import Reason

#: Combinations of doubtful places that are tried for one order.
_TRIED = 96

#: a province that may be meant, and how doubtful it is (0: listed for it, 1: sometimes written for it)
Meant = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What one sketch means here.

    ``good``: the orders, all legal. ``illegal``: read, but void. ``open``: the player must say which of ``offers``.
    ``nothing``: it orders nothing by itself (a unit without an action).
    """

    state: Literal["good", "illegal", "open", "nothing"]
    orders: tuple[Order, ...] = ()
    offers: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    order: Order
    doubt: int
    reason: Reason | None


def resolve(sketch: Sketch, context: Context, verb: SketchKind | None = None) -> Resolved:
    """What ``sketch`` means in the position. ``verb``: the action of a heading above it, for units without one."""
    if sketch.kind == "X":
        return _choice(sketch, context)
    if sketch.kind == "W":
        return _waive(sketch, context)
    assert isinstance(sketch.unit, UnitSaid)
    closed = _closed(sketch)
    if closed is not None:
        return closed
    if sketch.kind == "U":
        return _alone(sketch, context, verb)
    if sketch.kind == "H" and sketch.target is not None:
        if not set(sketch.target.to.name.sure) & set(sketch.unit.place.name.sure):
            return Resolved("nothing", problems=(Problem("read.stays-elsewhere", {}),))
        return resolve(replace(sketch, target=None), context)
    if sketch.kind == "R":
        return _retreat(sketch, context)
    return _decide(sketch, context, _candidates(sketch, context))


def _decide(sketch: Sketch, context: Context, candidates: Sequence[_Candidate]) -> Resolved:
    """Which of the candidates is meant: the only legal one, or the player is asked, or it is illegal."""
    legal = [c for c in candidates if c.reason is None]
    least = min((c.doubt for c in candidates), default=0)
    sure = _distinct(c.order for c in legal if c.doubt == 0)
    if len(sure) == 1:
        return _odd(sketch, context, sure[0]) or Resolved("good", sure)
    if sure:
        return Resolved("open", (), sure, (_which(sure),))
    doubtful = _distinct(c.order for c in legal)
    if doubtful:
        return Resolved("open", (), doubtful, (_which(doubtful),))
    void = [c for c in candidates if c.doubt == least]
    orders = _distinct(c.order for c in void)
    if len(orders) != 1:
        return Resolved("open", (), (), (Problem("read.place-open", {"places": _places(orders)}),))
    reason = void[0].reason
    assert reason is not None
    return Resolved(
        "illegal", orders, _near_orders(orders[0], context), (Problem(reason.code, reason.args, rule=reason.rule),)
    )


def _distinct(orders: Iterable[Order]) -> tuple[Order, ...]:
    """Each order once, by its canonical text."""
    return tuple({write(order): order for order in orders}.values())


def _which(orders: Sequence[Order]) -> Problem:
    """The question that several orders leave open: the coast, or the place."""
    places = _places(orders)
    if len({province_of(place) for place in places}) == 1 and all("/" in place for place in places):
        return Problem("read.coast-open", {"place": province_of(places[0]), "coasts": places})
    if len(orders) == 1:
        return Problem("read.is-it", {"order": write(orders[0])})
    return Problem("read.which", {"orders": tuple(write(order) for order in orders)})


def _places(orders: Iterable[Order]) -> tuple[str, ...]:
    """Where the orders lead (where they are about, if nowhere)."""
    return tuple(dict.fromkeys(str(getattr(o, "to", None) or getattr(o, "at", "")) for o in orders))


def _closed(sketch: Sketch) -> Resolved | None:
    """A place that nobody may enter, or that the board does not have."""
    assert isinstance(sketch.unit, UnitSaid)
    said = [sketch.unit.place]
    said += [sketch.of.place] if sketch.of else []
    said += [sketch.target.to, *sketch.target.route] if sketch.target else []
    for place in said:
        if place.name.closed.startswith("?"):
            return Resolved("open", problems=(Problem("read.unknown-place", {"word": place.name.closed[1:]}),))
        if place.name.closed:
            return Resolved("open", problems=(Problem("read.closed", {"name": place.name.closed}),))
    return None


def _odd(sketch: Sketch, context: Context, order: Order) -> Resolved | None:
    """What is legal as written and yet surely not meant so: a fleet by convoy, a route over land, a wrong owner's name."""
    assert isinstance(sketch.unit, UnitSaid)
    unit = context.ordered(province_of(getattr(order, "at", "")))
    if sketch.unit.power and unit and unit.power != sketch.unit.power:
        return Resolved("open", (), (order,), (Problem("read.other-owner", {"power": sketch.unit.power}),))
    if isinstance(order, Move) and (order.via or order.route):
        kinds = {context.board.provinces[place].kind for place in order.route}
        if (unit and unit.type == "F") or kinds - {"sea"}:
            plain = replace(order, via=False, route=())
            offers = (plain,) if check(context.board, context.position, context.power, plain, context.rules) is None else ()
            return Resolved("open", (), offers, (Problem("read.route", {"places": order.route}),))
    return None


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _meant(place: PlaceSaid) -> list[Meant]:
    return [(p, 0) for p in place.name.sure] + [(p, 1) for p in place.name.also]


def _unit_places(said: UnitSaid, context: Context, *, own: bool) -> list[Meant]:
    """The provinces that the unit's place may mean: those with a fitting unit, if there is one."""

    def fits(province: str) -> bool:
        unit = context.ordered(province) if own else context.standing.get(province)
        return unit is not None and (not own or context.power is None or unit.power == context.power)

    meant = _meant(said.place)
    fitting = [(p, doubt) for p, doubt in meant if fits(p)]
    if not fitting:
        fitting = [(p, doubt) for p, doubt in meant if context.standing.get(p)] if own else []
    # a wrong letter is ignored, but where one of the units has the letter that was written it is the one (F Tyr, F Nor)
    stands = context.ordered if own else context.standing.get
    lettered = [m for m in fitting if (unit := stands(m[0])) is not None and unit.type == said.letter]
    return lettered or fitting or meant


def _on_the_way(place: PlaceSaid, context: Context) -> list[Meant]:
    """The provinces that a place on a route may mean: a sea before a land of the same spelling (Tyr)."""
    meant = _meant(place)
    return [m for m in meant if context.board.provinces[m[0]].kind == "sea"] or meant


def _type(said: UnitSaid, unit: Unit | None, context: Context, province: str) -> UnitType | None:
    """The unit's letter: its own one, or the one that was written where the house rules make something of a wrong one."""
    if unit is None:
        kind = context.board.provinces[province].kind
        return said.letter or ("F" if kind == "sea" else "A")
    if said.letter is None:
        return unit.type if context.rules.units_missing_type == "valid" or said.type == "*" else None
    return unit.type if context.rules.units_wrong_type == "ignored" else said.letter


def _stands(said: UnitSaid, province: str, unit: Unit | None, context: Context) -> str:
    """The location of the ordered unit: where it really is; a wrong coast is kept only where the rules punish it."""
    coast = _coast(said.place, province, context)
    written = f"{province}/{coast}" if coast and coast in context.board.provinces[province].coasts else province
    if unit is None:
        return written
    wrong = written not in (province, unit.at) and context.rules.coast_wrong_start == "void"
    return written if wrong else unit.at


def _coast(place: PlaceSaid, province: str, context: Context) -> str | None:
    """The coast that was written, by the name that the board gives it."""
    if place.coast is None:
        return None
    written = f"{province}/{place.coast}"
    for alias, location in context.rules.coast_aliases:
        if alias == written:
            return location.partition("/")[2]
    aliases = context.names.coast_aliases
    return aliases[written].partition("/")[2] if written in aliases else place.coast


def _targets(place: PlaceSaid, province: str, unit: Unit | None, reach: Iterable[str], context: Context) -> list[Meant]:
    """The locations that a unit may mean by ``province``, with the coast that was written or is the only possible one."""
    coasts = context.board.provinces[province].coasts
    if not coasts or unit is None or unit.type == "A":
        # a coast where there is none is ignored (4.B.6); but no sea has one: that is some other word
        return [(province, 1 if place.coast and context.board.provinces[province].kind == "sea" else 0)]
    written = _coast(place, province, context)
    possible = [f"{province}/{c}" for c in coasts if f"{province}/{c}" in reach]
    if written in coasts:
        return [(f"{province}/{written}", 0)]
    if written is not None:
        return [(location, 1) for location in possible] or [(province, 0)]
    unspecified = context.rules.coast_unspecified
    if possible and unspecified == "void" and context.position.phase.kind == "R":
        return [(location, 1) for location in possible]  # never filled in, but asked: it would be disbanded (CN-13)
    if not possible or unspecified == "void":
        return [(province, 0)]
    if unspecified == "default-coast":
        return [(possible[0], 0)]
    return [(location, 0) for location in possible]


# ── candidates ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _candidates(sketch: Sketch, context: Context) -> list[_Candidate]:
    found = []
    for order, doubt in islice(_orders(sketch, context), _TRIED):
        reason = check(context.board, context.position, context.power, order, context.rules)
        found.append(_Candidate(order, doubt, reason))
    return found


def _orders(sketch: Sketch, context: Context) -> Iterator[tuple[Order, int]]:
    """Every order that the sketch may mean, with how doubtful it is."""
    assert isinstance(sketch.unit, UnitSaid)
    if sketch.kind == "B":
        yield from _builds(sketch.unit, context)
        return
    for province, doubt in _unit_places(sketch.unit, context, own=True):
        unit = context.ordered(province)
        type_ = _type(sketch.unit, unit, context, province)
        at = _stands(sketch.unit, province, unit, context)
        if sketch.kind == "H":
            yield Hold(type_, at), doubt
        elif sketch.kind == "D":
            yield Disband(type_, at), doubt
        elif sketch.kind == "S":
            for order, more in _supports(sketch, type_, at, context):
                yield order, max(doubt, more)
        elif sketch.kind == "C":
            for order, more in _convoys(sketch, type_, at, context):
                yield order, max(doubt, more)
        else:
            for order, more in _moves(sketch, type_, at, unit, context):
                yield order, max(doubt, more)


def _moves(
    sketch: Sketch, type_: UnitType | None, at: str, unit: Unit | None, context: Context
) -> Iterator[tuple[Order, int]]:
    target = sketch.target
    assert target is not None
    reach: Iterable[str] = ()
    if unit is not None:
        fallen = context.fallen.get(unit.province) if context.position.phase.kind == "R" else None
        reach = fallen.retreats if fallen else context.board.fleet.get(unit.at, ())
    for route in product(*(_on_the_way(place, context) for place in target.route)):
        way = tuple(p for p, _ in route)
        for province, doubt in _meant(target.to):
            for to, more in _targets(target.to, province, unit, reach, context):
                yield Move(type_, at, to, target.via, way), max(doubt, more, *(d for _, d in route), 0)


def _supports(sketch: Sketch, type_: UnitType | None, at: str, context: Context) -> Iterator[tuple[Order, int]]:
    assert sketch.of is not None
    for province, doubt in _unit_places(sketch.of, context, own=False):
        unit = context.standing.get(province)
        of_type = unit.type if unit else _type(sketch.of, None, context, province)
        of = province
        if sketch.of.place.coast:
            of = _stands(sketch.of, province, unit, context)
        if sketch.target is None:
            yield Support(type_, at, of_type, of, None, sketch.of.power), doubt
            continue
        place = sketch.target.to
        for to, more in _meant(place):
            coast = _coast(place, to, context) if of_type == "F" else None
            location = f"{to}/{coast}" if coast and coast in context.board.provinces[to].coasts else to
            # X-X is a hold support to many: the unit goes where it already is
            yield Support(type_, at, of_type, of, None if to == province else location, sketch.of.power), max(doubt, more)


def _convoys(sketch: Sketch, type_: UnitType | None, at: str, context: Context) -> Iterator[tuple[Order, int]]:
    assert sketch.of is not None and sketch.target is not None
    for of, doubt in _unit_places(sketch.of, context, own=False):
        for to, more in _meant(sketch.target.to):
            yield Convoy(type_, at, of, to), max(doubt, more)


def _builds(said: UnitSaid, context: Context) -> Iterator[tuple[Order, int]]:
    """Builds in each province that may be meant; the kind of unit and the coast may be open (4.B.7, 4.C.3)."""
    meant = _meant(said.place)
    for province, doubt in [m for m in meant if _is_site(m[0], context)] or meant:
        coasts = context.board.provinces[province].coasts
        coast = _coast(said.place, province, context)
        coast = coast if coast in coasts else None
        for letter in _build_types(said, province, coast, context):
            if letter == "A" or not coasts:
                yield Build(letter, province), doubt
            elif coast:
                yield Build(letter, f"{province}/{coast}"), doubt
            elif context.rules.coast_build == "default-coast":
                yield Build(letter, f"{province}/{coasts[0]}"), doubt
            else:
                for each in coasts:
                    yield Build(letter, f"{province}/{each}"), doubt


def _is_site(province: str, context: Context) -> bool:
    return context.board.provinces[province].supply_centre


def _build_types(said: UnitSaid, province: str, coast: str | None, context: Context) -> tuple[UnitType | None, ...]:
    if said.letter:
        return (said.letter,)
    rule = context.rules.units_missing_build_type
    if rule == "void":
        return (None,)
    if context.board.provinces[province].kind == "inland":
        return ("A",)
    return ("F",) if coast and rule == "coast" else ("A", "F")


# ── orders that are more than their words ────────────────────────────────────────────────────────────────────────────


def _choice(sketch: Sketch, context: Context) -> Resolved:
    """Several orders of which the line leaves open which: all that are legal are offered."""
    offers: list[Order] = []
    for option in sketch.options:
        if not isinstance(option.unit, UnitSaid) and option.kind not in ("W", "X"):
            continue  # "or all hold", "waive or hold": no order of a unit
        resolved = resolve(option, context)
        offers += [*(resolved.orders if resolved.state == "good" else ()), *resolved.offers]
    return Resolved("open", (), _distinct(offers), (Problem("read.choice", {}),))


def _waive(sketch: Sketch, context: Context) -> Resolved:
    reason = check(context.board, context.position, context.power, Waive(), context.rules)
    if reason is not None:
        return Resolved("illegal", (Waive(),), (), (Problem(reason.code, reason.args, rule=reason.rule),))
    count = sketch.count
    if count == 0:
        owed = owing(context.board, context.position, context.rules).get(context.power or "")
        count = owed.builds if owed else 1
    return Resolved("good", (Waive(),) * max(1, count))


def _alone(sketch: Sketch, context: Context, verb: SketchKind | None) -> Resolved:
    """A unit without an action: what a heading says, or the one thing that is due of it in the adjustments."""
    if verb == "H" or verb == "D" or verb == "B" or verb == "R":
        return resolve(replace(sketch, kind=verb), context)
    if context.position.phase.kind == "R":
        return _retreat(sketch, context)
    if context.position.phase.kind == "A":
        for due in (replace(sketch, kind="D"), replace(sketch, kind="B")):
            resolved = resolve(due, context)
            if resolved.state in ("good", "open"):
                return resolved
    return Resolved("nothing", problems=(Problem("read.no-action", {}),))


def _retreat(sketch: Sketch, context: Context) -> Resolved:
    """A retreat; without a place, all that the unit can do is offered. In a movement there is none: it is asked."""
    kind = context.position.phase.kind
    if sketch.target is not None:
        resolved = _decide(sketch, context, _candidates(sketch, context))
        if kind == "M" and resolved.state == "good":
            return Resolved("open", (), resolved.orders, (Problem("read.no-retreats", {}),))
        return resolved
    assert isinstance(sketch.unit, UnitSaid)
    offers: list[Order] = []
    for province, _ in _unit_places(sketch.unit, context, own=True):
        offers += unit_choices(province, context)
    return Resolved("open", (), _distinct(offers), (Problem("read.retreat-open", {}),))


def unit_choices(province: str, context: Context) -> tuple[Order, ...]:
    """All that the dislodged unit of ``province`` can be ordered to do; empty if there is none."""
    fallen = context.fallen.get(province)
    if fallen is None or (context.power is not None and fallen.unit.power != context.power):
        return ()
    unit = fallen.unit
    return (*(Move(unit.type, unit.at, to) for to in sorted(fallen.retreats)), Disband(unit.type, unit.at))


# ── what may be offered for an illegal order ─────────────────────────────────────────────────────────────────────────


def _near_orders(order: Order, context: Context) -> tuple[Order, ...]:
    """Legal orders that an illegal one may have been meant as: a neighbour's coast, a near id, a retreat that is open."""
    offers: list[Order] = []
    if context.position.phase.kind == "R" and not isinstance(order, Build | Waive):
        offers += unit_choices(province_of(order.at), context)
    if isinstance(order, Move | Support) and order.to is not None:
        offers += [replace(order, to=to) for to in _near_locations(order.to, context.board)]
    if isinstance(order, Move | Support | Hold | Convoy) and context.ordered(province_of(order.at)) is None:
        units = [u for p in _near_locations(order.at, context.board) if (u := context.ordered(p)) is not None]
        offers += [replace(order, type=unit.type, at=unit.at) for unit in units]
    if isinstance(order, Build):
        other: UnitType = "A" if order.type == "F" else "F"
        offers += [replace(order, type=order.type, at=at) for at in context.board.locations(province_of(order.at))]
        offers += [Build(other, province_of(order.at))]
    legal = [o for o in offers if check(context.board, context.position, context.power, o, context.rules) is None]
    return tuple(o for o in _distinct(legal) if write(o) != write(order))


@lru_cache(maxsize=1024)
def _near_locations(location: str, board: Board) -> tuple[str, ...]:
    """The other coasts of a location's province, and the provinces whose ids are one letter away from its own."""
    province = province_of(location)
    near = [*board.locations(province)]
    for other in board.provinces:
        if other != province and distance(province, other, 1) <= 1:
            near += [other, *board.locations(other)] if board.provinces[other].coasts else [other]
    return tuple(place for place in near if place != location)
