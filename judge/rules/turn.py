"""One phase adjudicated, and which phase comes next; what each power owes in it.

::

    S..M ── dislodged? ── S..R ──┐
      └──────────────────────────┴── F..M ── dislodged? ── F..R ──┐
                                      └───────────────────────────┴── (owners) ── W..A ── S..M of the next year

A phase in which nobody has anything to decide is passed over: retreats without a retreat, adjustments without a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.rules import victory
from judge.rules.adjustments import account, adjudicate_adjustments, powers_of
from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.movement import adjudicate_movement
from judge.rules.orders import Disband, Waive
from judge.rules.outcome import Adjudication, GameEnd, GivenOrder, Outcome, Reason, Result
from judge.rules.position import Phase, Position
from judge.rules.removal import surplus
from judge.rules.retreats import adjudicate_retreats


@dataclass(frozen=True, slots=True)
class Owed:
    """What a power must decide in a phase.

    ``units``: locations that need an order (movement: all units; retreats: dislodged units with somewhere to go;
    adjustments: the units to choose from, if some must go). ``builds``: units it may build, ``build_sites`` where, as
    locations (``"stp"`` for an army, ``"stp/nc"``, ``"stp/sc"`` for a fleet). ``removals``: units it must remove.
    """

    units: tuple[str, ...] = ()
    builds: int = 0
    removals: int = 0
    build_sites: tuple[str, ...] = ()


def owing(board: Board, position: Position, rules: HouseRules) -> dict[str, Owed]:
    """What each power must decide in ``position``, in the board's order; powers with nothing to decide are absent.

    A power that must remove all its units has nothing to decide, nor has one that may build but has no vacant place, nor
    one that nobody plays (``powers.unplayed``).
    """
    kind = position.phase.kind
    gone = {unit for unit, _ in surplus(board, position, rules)}
    owed = {}
    for power in powers_of(board, position):
        if power in rules.powers_unplayed:
            continue
        if kind == "M":
            entry = Owed(units=tuple(unit.at for unit in position.units_of(power) if unit not in gone))
        elif kind == "R":
            entry = Owed(units=tuple(d.unit.at for d in position.dislodged if d.unit.power == power and d.retreats))
        else:
            entry = _owed_adjustment(board, position, power, rules)
        if entry != Owed():
            owed[power] = entry
    return owed


def _owed_adjustment(board: Board, position: Position, power: str, rules: HouseRules) -> Owed:
    due = account(board, position, power, rules)
    if due.builds:
        sites = []
        for site in due.sites:
            sites.append(site)
            if board.provinces[site].coasts:
                sites.extend(board.locations(site))
        return Owed(builds=due.builds, build_sites=tuple(sites))
    if 0 < due.removals < len(due.units):
        return Owed(units=tuple(unit.at for unit in due.units), removals=due.removals)
    return Owed()


def adjudicate(board: Board, position: Position, orders: Sequence[GivenOrder], rules: HouseRules) -> Adjudication:
    """Adjudicate the phase that ``position`` is at.

    ``orders`` are all orders as they were handed in, in order, ``None`` for lines that could not be read. The result
    depends on nothing else; see :class:`~judge.rules.outcome.Adjudication` for what it holds.
    """
    counting = [order for order in orders if order.power not in rules.powers_unplayed]
    outcomes, after = _play(board, position, counting, rules)
    outcomes = _with_orders_of_nobody(orders, outcomes, rules)
    now = after
    skipped: list[str] = []
    aftermath: list[Outcome] = []
    end = _end(board, now, rules)
    following = _next(board, now)
    while end is None and following.phase.kind != "M" and not owing(board, following, rules):
        skipped.append(str(following.phase))
        more, now = _play(board, following, (), rules)
        aftermath.extend(outcome for outcome in more if outcome.unit is not None)
        end = _end(board, now, rules)
        following = _next(board, now)
    return Adjudication(
        outcomes,
        following,
        tuple(skipped),
        end,
        units=after.units,
        dislodged=after.dislodged,
        contested=after.contested,
        aftermath=tuple(aftermath),
    )


def _with_orders_of_nobody(
    orders: Sequence[GivenOrder], outcomes: Sequence[Outcome], rules: HouseRules
) -> tuple[Outcome, ...]:
    """The outcomes with those of orders for powers that nobody plays in their places: they are void."""
    if not rules.powers_unplayed:
        return tuple(outcomes)
    rest = iter(outcomes)
    told = []
    for given in orders:
        if given.power in rules.powers_unplayed:
            why = Reason("power-unplayed", {"power": given.power}, "powers.unplayed")
            told.append(Outcome(given.power, given.order, None, Result.VOID, why))
        else:
            told.append(next(rest))
    return (*told, *rest)


def _play(
    board: Board, position: Position, orders: Sequence[GivenOrder], rules: HouseRules
) -> tuple[tuple[Outcome, ...], Position]:
    """The outcomes of one phase, and the board right after it, still named after that phase.

    Owners change with the last phase of a Fall: the retreats, or the movement if no unit has anywhere to retreat to.
    """
    phase = position.phase
    if phase.kind == "M":
        gone = surplus(board, position, rules)
        staying = position if not gone else _without(position, [unit for unit, _ in gone])
        movement = adjudicate_movement(board, staying, orders, rules)
        after = Position(phase, movement.units, position.owners, movement.dislodged, movement.contested)
        due = not any(d.retreats for d in movement.dislodged) or rules.ownership_when == "before-retreats"
        outcomes = _with_surplus(movement.outcomes, gone)
    elif phase.kind == "R":
        retreats = adjudicate_retreats(board, position, orders, rules)
        after = Position(phase, retreats.units, position.owners)
        due = rules.ownership_when == "after-retreats"
        outcomes = retreats.outcomes
    else:
        adjustments = adjudicate_adjustments(board, position, orders, rules)
        after = Position(phase, adjustments.units, position.owners)
        due = False
        outcomes = adjustments.outcomes
    if due and phase.season == "F":
        after = replace(after, owners=victory.owners_after(board, after.owners, after.units))
    return outcomes, after


def _without(position: Position, units: Sequence[Unit]) -> Position:
    return replace(position, units=tuple(unit for unit in position.units if unit not in units))


def _with_surplus(outcomes: tuple[Outcome, ...], gone: Sequence[tuple[Unit, Reason]]) -> tuple[Outcome, ...]:
    """The outcomes of a movement, and of the units that were taken off before it (4.E.6): theirs is not one of a unit that
    never was, whatever their powers ordered."""
    if not gone:
        return outcomes
    taken = {unit.province: unit for unit, _ in gone}
    told = []
    for outcome in outcomes:
        order = outcome.order
        unit = None if order is None or isinstance(order, Waive) else taken.get(province_of(order.at))
        if unit is not None and unit.power == outcome.power:
            why = Reason("gone-before", {"unit": unit}, "removal.surplus")
            outcome = Outcome(outcome.power, order, None, Result.VOID, why)
        told.append(outcome)
    removed = [
        Outcome(unit.power, Disband(unit.type, unit.at), unit, Result.SUCCEEDS, why, filled_in=True) for unit, why in gone
    ]
    return (*told, *removed)


def _next(board: Board, after: Position) -> Position:
    """The position that the next phase begins with, whether or not anybody has something to decide in it."""
    phase = after.phase
    if phase.kind == "M" and after.dislodged:
        return replace(after, phase=Phase(phase.season, phase.year, "R"))
    if phase.season == "S":
        following = Phase("F", phase.year, "M")
    elif phase.season == "F":
        following = Phase("W", phase.year, "A")
    else:
        following = Phase("S", phase.year + 1, "M")
    return Position(following, after.units, after.owners)


def _end(board: Board, after: Position, rules: HouseRules) -> GameEnd | None:
    """Whether the game is over after this phase. Never while a unit may still retreat: that could change it (JP-3, CN-1).

    A last turn counted after the adjustments is over when those are; the centres that win come first.
    """
    phase = after.phase
    if phase.kind == "M" and after.dislodged:
        return None
    if phase.season == "F" and phase.kind != "A":
        end = victory.end_by_centres(board, after.owners, rules)
        if end is not None:
            return end
        if rules.victory_end_when == "after-adjustments":
            return None
    return victory.end_by_turn(board, phase, after.owners, after.units, rules)
