"""A movement: orders in, outcomes, dislodged units and contested provinces out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.rules import legality, retreats
from judge.rules.board import Board, Unit, moved, province_of
from judge.rules.choosing import choose
from judge.rules.coasts import with_coast_rule
from judge.rules.explain import explain
from judge.rules.field import NOBODY, Course, Field, build
from judge.rules.houserules import HouseRules
from judge.rules.legality import MovementOrder, Scene
from judge.rules.orders import Convoy, Hold, Move, Support
from judge.rules.outcome import GivenOrder, Outcome, Reason, Result
from judge.rules.position import Dislodged, Position
from judge.rules.resolve import resolve
from judge.rules.strength import prevent

_UNREADABLE = Reason("unreadable")


@dataclass(frozen=True, slots=True)
class Movement:
    """What a movement left behind."""

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    contested: frozenset[str]


def adjudicate_movement(board: Board, position: Position, given: Sequence[GivenOrder], rules: HouseRules) -> Movement:
    """Adjudicate a movement phase. ``given`` is taken as it stands: illegal and unread orders get their outcome too."""
    field, meant = fought(board, position, given, rules)
    return Movement(_outcomes(field, given, meant), *_aftermath(field, rules))


def fought(
    board: Board, position: Position, given: Sequence[GivenOrder], rules: HouseRules
) -> tuple[Field, list[MovementOrder | Reason]]:
    """The decided field of a movement, and what each given order came to: the legal order, or why it is void."""
    scene = legality.scene(board, position.units, rules)
    meant: list[MovementOrder | Reason] = [
        _UNREADABLE if entry.order is None else legality.movement(scene, entry.power, entry.order) for entry in given
    ]
    legal = {number: order for number, order in enumerate(meant) if not isinstance(order, Reason)}
    chosen, lost = choose(legal, scene.units, rules)
    for number, why in lost.items():
        meant[number] = why
    if rules.orders_implicit == "yes":
        chosen = _with_implied(scene, given, meant, chosen)
    return _fight(scene, position.units, given, meant, chosen), meant


def _fight(
    scene: Scene,
    units: Sequence[Unit],
    given: Sequence[GivenOrder],
    meant: Sequence[MovementOrder | Reason],
    chosen: dict[str, MovementOrder],
) -> Field:
    """Resolve the field; again as long as a convoy turns out to be void or an army to walk (at most once a convoy)."""
    orders = [chosen.get(place) or Hold(unit.type, unit.at) for place, unit in scene.units.items()]
    stuck = _stuck(scene, units, given, meant, chosen)
    disorder = frozenset[str]()
    if scene.rules.support_civil_disorder == "void":
        disorder = frozenset(unit.power for unit in units) - {entry.power for entry in given}
    course = Course()
    while True:
        field = build(scene, units, orders, stuck=stuck, disorder=disorder, course=course)
        resolve(field)
        void, walking = _against_own(field), _walking(field)
        if void <= course.void and walking <= course.walking:
            return field
        course = Course(course.void | void, course.walking | walking)


def _against_own(field: Field) -> frozenset[int]:
    """Fleets that carry another power's army to where it drives out a unit of the fleet's own power (CN-17)."""
    void: set[int] = set()
    if field.rules.convoy_own_dislodge == "void":
        for army, fleets in field.fleets.items():
            victim = field.here.get(field.goal[army] or "", NOBODY)
            if victim != NOBODY and field.went[army] and not field.went[victim]:
                power = field.units[victim].power
                void.update(f for f in fleets if field.units[f].power == power != field.units[army].power)
    return frozenset(void)


def _walking(field: Field) -> frozenset[int]:
    """Armies by convoy to a neighbour that walk because the convoy failed (4.A.3)."""
    rules = field.rules
    if rules.convoy_fallback != "disrupted" and rules.convoy_adjacent != "1971":
        return frozenset()
    return frozenset(
        army
        for army in field.fleets
        if field.arrives[army] is False and field.goal[army] in field.board.army[field.home[army]]
    )


def _stuck(
    scene: Scene,
    units: Sequence[Unit],
    given: Sequence[GivenOrder],
    meant: Sequence[MovementOrder | Reason],
    chosen: dict[str, MovementOrder],
) -> frozenset[int]:
    """Units whose impossible move stands as one that fails, so that they take no hold support (4.E.1)."""
    if scene.rules.orders_illegal == "ignored":
        return frozenset()
    impossible = {
        province_of(entry.order.at)
        for entry, order in zip(given, meant, strict=True)
        if isinstance(entry.order, Move) and isinstance(order, Reason) and order.code not in ("no-unit", "not-yours")
    }
    return frozenset(n for n, u in enumerate(units) if u.province in impossible and u.province not in chosen)


def _with_implied(
    scene: Scene,
    given: Sequence[GivenOrder],
    meant: Sequence[MovementOrder | Reason],
    chosen: dict[str, MovementOrder],
) -> dict[str, MovementOrder]:
    """Add the moves that a power's own supports and convoys say of its units without an order (4.E.3)."""
    said: dict[str, set[str]] = {}
    for entry, order in zip(given, meant, strict=True):
        if isinstance(order, Support | Convoy) and order.to is not None:
            unit = scene.units.get(province_of(order.of))
            if unit is not None and unit.power == entry.power and unit.province not in chosen:
                said.setdefault(unit.province, set()).add(order.to)
    added = dict(chosen)
    for place, targets in said.items():
        if len(targets) == 1:
            move = legality.movement(scene, None, Move(None, scene.units[place].at, targets.pop()))
            if not isinstance(move, Reason):
                added[place] = move
    return added


# ── what is told ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _outcomes(field: Field, given: Sequence[GivenOrder], meant: Sequence[MovementOrder | Reason]) -> tuple[Outcome, ...]:
    """One outcome for each given order, then one for each unit that its power gave none."""
    outcomes = []
    told = [False] * len(field.units)
    for entry, order in zip(given, meant, strict=True):
        if isinstance(order, Reason):
            outcomes.append(_void(field, entry, order, told))
        else:
            number = field.here[province_of(order.at)]
            told[number] = True
            result, reason = explain(field, number)
            if reason.rule is None:
                reason = with_coast_rule(field.board, reason, entry.order, order)
            out = field.victor[number] != NOBODY
            outcomes.append(Outcome(entry.power, order, field.units[number], result, reason, out))
    for number, unit in enumerate(field.units):
        if not told[number]:
            result, reason = explain(field, number, ordered=False)
            out = field.victor[number] != NOBODY
            outcomes.append(Outcome(unit.power, field.orders[number], unit, result, reason, out, True))
    return tuple(outcomes)


def _void(field: Field, entry: GivenOrder, why: Reason, told: list[bool]) -> Outcome:
    """The outcome of a void order; of its own power's unit it is told, too, if that was driven out."""
    if entry.order is None or isinstance(entry.order, legality.NOT_MOVEMENT):
        return Outcome(entry.power, entry.order, None, Result.VOID, why)
    number = field.here.get(province_of(entry.order.at), NOBODY)
    if number == NOBODY:
        return Outcome(entry.power, entry.order, None, Result.VOID, why)
    unit = field.units[number]
    own = unit.power == entry.power
    told[number] = told[number] or own
    return Outcome(entry.power, entry.order, unit, Result.VOID, why, own and field.victor[number] != NOBODY)


def _aftermath(field: Field, rules: HouseRules) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...], frozenset[str]]:
    """The units that stand, those driven out with their retreats, the provinces left empty by a stand-off."""
    standing = []
    victims = []
    occupied = set()
    for number, unit in enumerate(field.units):
        victor = field.victor[number]
        if field.went[number]:
            order = field.orders[number]
            assert isinstance(order, Move)
            standing.append(moved(unit, order.to))
            occupied.add(field.goal[number] or "")
        elif victor == NOBODY:
            standing.append(unit)
            occupied.add(field.home[number])
        else:
            victims.append((unit, victor))
    if len(occupied) != len(standing):
        raise AssertionError(f"two units would end in one province: {sorted(unit.at for unit in standing)}")
    contested = frozenset(
        target
        for target, movers in field.into.items()
        if target not in occupied and any(prevent(field, mover)[0] for mover in movers)
    )
    dislodged = []
    for unit, victor in victims:
        origin, by_sea = field.home[victor], field.by_sea[victor]
        options = retreats.options(field.board, unit, origin, by_sea, occupied, contested, rules)
        dislodged.append(Dislodged(unit, origin, by_sea, options))
    return tuple(standing), tuple(dislodged), contested
