"""The field of one movement: every unit with its one legal order, who supports whom, who goes by sea, what is decided.

Units are numbers (their place in ``units``). A decision is ``True``, ``False`` or ``None`` (open); decisions are only ever
made, never taken back. The three kinds of decision are those of the DATC's chapter 5: does a move succeed (``went``),
does a support count (``counts``), does an army's convoy hold (``arrives``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.rules import convoy
from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.legality import MovementOrder, Scene, route_seas
from judge.rules.orders import Convoy, Move, Support

#: Nobody, where the number of a unit is asked for.
NOBODY = -1


@dataclass(slots=True)
class Field:
    """See the module. Lists run over the units; ``None`` in ``goal`` means that the unit does not move."""

    board: Board
    rules: HouseRules
    units: Sequence[Unit]
    orders: Sequence[MovementOrder]
    #: province of each unit, and the unit in each province
    home: list[str]
    here: dict[str, int]
    #: province a unit is ordered to move to
    goal: list[str | None]
    #: whether it goes by convoy
    by_sea: list[bool]
    #: province -> units ordered to move there
    into: dict[str, list[int]] = field(default_factory=dict)
    moves: list[int] = field(default_factory=list)
    #: unit -> units whose support of its order matches, and the other way round
    supporters: list[list[int]] = field(default_factory=list)
    supports: dict[int, int] = field(default_factory=dict)
    #: supporting unit -> province that it supports into
    aim: dict[int, str] = field(default_factory=dict)
    #: supporting unit -> unit of its own power that stands where it supports another power's unit into, if the house
    #: rules make the support depend on whether that unit leaves (JP-15)
    depends: dict[int, int] = field(default_factory=dict)
    #: supporting unit -> why its support matches nothing; likewise convoying fleets
    unmatched: dict[int, tuple[str, int]] = field(default_factory=dict)
    #: army -> fleets ordered to carry it that may count
    fleets: dict[int, list[int]] = field(default_factory=dict)
    #: who drove a unit out, or NOBODY (when all is decided)
    victor: list[int] = field(default_factory=list)
    #: opponent of a head-to-head battle, or NOBODY
    rival: list[int] = field(default_factory=list)
    #: fleets whose convoy order is void because it would drive out a unit of their own power (CN-17)
    against_own: frozenset[int] = frozenset()
    #: decisions
    went: list[bool | None] = field(default_factory=list)
    counts: list[bool | None] = field(default_factory=list)
    arrives: list[bool | None] = field(default_factory=list)
    #: armies and fleets whose convoy failed as a paradox -> the moves into its fleets that are part of it
    paradox: dict[int, list[int]] = field(default_factory=dict)
    #: moves that were decided together as a ring, or failed together (convoy.paradox = all-hold)
    ring: dict[int, list[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Course:
    """What an earlier attempt at this movement taught: the movement is then fought again (never more than once a convoy).

    ``void``: fleets whose convoy order is void because it would drive out a unit of their own power (CN-17).
    ``walking``: armies that walk because their convoy failed (``convoy.fallback``).
    """

    void: frozenset[int] = frozenset()
    walking: frozenset[int] = frozenset()


def build(
    scene: Scene,
    units: Sequence[Unit],
    orders: Sequence[MovementOrder],
    *,
    stuck: frozenset[int] = frozenset(),
    disorder: frozenset[str] = frozenset(),
    course: Course | None = None,
) -> Field:
    """Lay out the field: ``orders[i]`` is the legal order of ``units[i]``.

    ``stuck``: units that hold but take no hold support (``orders.illegal = fails``); ``disorder``: powers that gave no
    orders, whose units others cannot support (``support.civil_disorder = void``).
    """
    home = list(scene.units)
    count = len(units)
    goal: list[str | None] = [province_of(order.to) if isinstance(order, Move) else None for order in orders]
    laid = Field(
        scene.board,
        scene.rules,
        units,
        orders,
        home,
        {place: unit for unit, place in enumerate(home)},
        goal,
        [False] * count,
        supporters=[[] for _ in range(count)],
        victor=[NOBODY] * count,
        rival=[NOBODY] * count,
        went=[False] * count,
        counts=[None] * count,
        arrives=[True] * count,
    )
    for unit, target in enumerate(goal):
        if target is not None:
            laid.moves.append(unit)
            laid.went[unit] = None
            laid.into.setdefault(target, []).append(unit)
    course = course or Course()
    laid.against_own = course.void
    _match_convoys(laid, scene, course)
    for unit in laid.moves:
        opponent = laid.here.get(goal[unit] or "", NOBODY)
        if opponent != NOBODY and goal[opponent] == home[unit] and _meet(laid, unit, opponent):
            laid.rival[unit] = opponent
    for unit, order in enumerate(orders):
        if isinstance(order, Support):
            _match_support(laid, unit, order, stuck, disorder)
    return laid


def _meet(laid: Field, one: int, other: int) -> bool:
    """Whether two units that change places meet head to head: not if either goes by convoy (JP-11 bears the other)."""
    return not laid.rules.move_convoy_swap or not (laid.by_sea[one] or laid.by_sea[other])


# ── convoys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _match_convoys(laid: Field, scene: Scene, course: Course) -> None:
    """Find the fleets of each army and decide which armies go by sea."""
    carrying: dict[tuple[str, str], list[int]] = {}
    for fleet, order in enumerate(laid.orders):
        if isinstance(order, Convoy) and fleet not in course.void:
            carrying.setdefault((province_of(order.of), province_of(order.to)), []).append(fleet)
    for unit in laid.moves:
        if laid.units[unit].type == "A":
            origin, target, order = laid.home[unit], laid.goal[unit] or "", laid.orders[unit]
            fleets = carrying.get((origin, target), [])
            if not fleets and target in laid.board.army[origin] and not (order.via or order.route):  # type: ignore[union-attr]
                continue  # on foot, as nearly always
            if unit not in course.walking and _goes_by_sea(laid, unit, fleets):
                laid.by_sea[unit] = True
                laid.arrives[unit] = None
                laid.fleets[unit] = _counting(laid, scene, unit, fleets)


def _goes_by_sea(laid: Field, army: int, fleets: list[int]) -> bool:
    """Whether an army takes the sea: always to a province that is no neighbour, else as issue 4.A.3 is settled."""
    order, board, rules = laid.orders[army], laid.board, laid.rules
    origin, target = laid.home[army], laid.goal[army] or ""
    assert isinstance(order, Move)
    if target not in board.army[origin]:
        return True
    complete = convoy.connected(board, seas_of(laid, fleets), origin, target)
    if not complete and rules.convoy_fallback != "none":
        return False
    if order.via or order.route:
        return True
    if rules.convoy_adjacent == "intent":
        own = [fleet for fleet in fleets if laid.units[fleet].power == laid.units[army].power]
        return any(rules.convoy_needless != "carries" or is_needed(laid, fleet, origin, target) for fleet in own)
    if rules.convoy_adjacent in ("swap", "1971"):
        opposite = laid.here.get(target, NOBODY)
        return complete and opposite != NOBODY and laid.goal[opposite] == origin
    return complete and rules.convoy_adjacent == "always"


def is_needed(laid: Field, fleet: int, origin: str, target: str) -> bool:
    """Whether some route over the seas where fleets are needs ``fleet`` (4.E.1)."""
    board = laid.board
    at_sea = seas_of(laid, [number for number, place in enumerate(laid.home) if place in board.sea_bit])
    return convoy.needed(board, at_sea, board.sea_bit[laid.home[fleet]], origin, target)


def _counting(laid: Field, scene: Scene, army: int, fleets: list[int]) -> list[int]:
    """The fleets that may carry: under ``convoy.route`` (4.A.6, CN-16) only those named, if the order names a route."""
    order = laid.orders[army]
    assert isinstance(order, Move)
    if laid.rules.convoy_route == "ignored" or not order.route:
        return fleets
    named = route_seas(scene, laid.home[army], laid.goal[army] or "", order.route) or 0
    return [fleet for fleet in fleets if named & laid.board.sea_bit[laid.home[fleet]]]


def seas_of(laid: Field, fleets: Sequence[int]) -> int:
    """The seas of ``fleets`` as bits."""
    seas = 0
    for fleet in fleets:
        seas |= laid.board.sea_bit[laid.home[fleet]]
    return seas


# ── supports ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _match_support(laid: Field, unit: int, order: Support, stuck: frozenset[int], disorder: frozenset[str]) -> None:
    """Enter a support that fits the supported unit's order, or say why it does not."""
    supported = laid.here[province_of(order.of)]
    misfit = _misfit(laid, unit, supported, order, stuck, disorder)
    if misfit is not None:
        laid.unmatched[unit] = (misfit, supported)
        laid.aim[unit] = province_of(order.to or order.of)
        laid.counts[unit] = False
        return
    laid.supports[unit] = supported
    laid.supporters[supported].append(unit)
    target = laid.goal[supported] or laid.home[supported]
    laid.aim[unit] = target
    own = laid.here.get(target, NOBODY)
    if (
        laid.rules.support_own_dislodge != "no-count"
        and laid.goal[supported] is not None
        and own != NOBODY
        and laid.units[own].power == laid.units[unit].power != laid.units[supported].power
        and (laid.rules.support_own_dislodge == "void" or laid.goal[own] is not None)
    ):
        laid.depends[unit] = own


def _misfit(
    laid: Field, unit: int, supported: int, order: Support, stuck: frozenset[int], disorder: frozenset[str]
) -> str | None:
    """The code of the reason why a support does not fit, or ``None``."""
    theirs = laid.orders[supported]
    if order.to is None:
        if laid.goal[supported] is not None:
            return "supported-unit-moves"
        if supported in stuck:
            return "supported-impossible"
        power = laid.units[supported].power
        return "supported-disorder" if power in disorder and power != laid.units[unit].power else None
    if not isinstance(theirs, Move):
        return "supported-unit-holds"
    if laid.goal[supported] != province_of(order.to):
        return "supported-unit-elsewhere"
    if "/" in theirs.to and laid.rules.coast_support != "ignored":
        if "/" in order.to:
            return None if order.to == theirs.to else "supported-other-coast"
        foreign = laid.units[supported].power != laid.units[unit].power
        if laid.rules.coast_support == "required" or (laid.rules.coast_support == "required-foreign" and foreign):
            return "supported-coast-missing"
    return None


def names(laid: Field, numbers: Sequence[int]) -> tuple[Unit, ...]:
    """The units behind ``numbers``, in the order of the board's provinces by name of id."""
    return tuple(sorted((laid.units[number] for number in numbers), key=lambda unit: unit.at))
