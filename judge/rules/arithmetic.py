"""The arithmetic of a movement for people: who contended for a place, how strong each was, and whose supports made it up.

The numbers are those of :mod:`judge.rules.strength` on the very field that decided, so that they never tell another story
than the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from judge.rules.board import Board, Unit
from judge.rules.explain import explain
from judge.rules.field import NOBODY, Field
from judge.rules.houserules import HouseRules
from judge.rules.movement import fought
from judge.rules.outcome import GivenOrder, Reason
from judge.rules.position import Position
from judge.rules.removal import surplus
from judge.rules.strength import attack, defend, hold, prevent

#: How a unit counts in a contest: it attacks, keeps others out of where it wants to go, holds, or meets its opponent head
#: to head (DATC chapter 5).
Role = Literal["attack", "prevent", "hold", "defend"]
#: Why a strength is what no counting of supports would make it. ``left``: the unit went away; ``to-move``: it was to move,
#: so no support of its holding counted; ``own-unit``: nobody drives out a unit of the own power; ``no-convoy``: it did not
#: come; ``beaten``: the very unit that stood where it wanted to go drove it out.
Note = Literal["", "left", "to-move", "own-unit", "no-convoy", "beaten"]


@dataclass(frozen=True, slots=True)
class Backer:
    """A unit that was ordered to support one in a contest; ``why``: the reason, where it did not count."""

    unit: Unit
    counts: bool
    why: Reason


@dataclass(frozen=True, slots=True)
class Force:
    """One unit in a contest, and its strength there: 1, and one more for each of its ``backers`` that counts."""

    unit: Unit
    role: Role
    strength: int
    backers: tuple[Backer, ...] = ()
    note: Note = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """All who contended for a province: those who wanted to go there, the one asked about first, then who stood there."""

    place: str
    forces: tuple[Force, ...]


def contests(
    board: Board, position: Position, orders: Sequence[GivenOrder], rules: HouseRules, place: str
) -> tuple[Contest, ...]:
    """What was counted about the unit that stood in the province ``place`` when the movement ``position`` began: the contest
    for where it wanted to go, and that for where it stood, if it stayed and was attacked. ``orders`` are all that the phase
    ran with."""
    gone = {unit for unit, _ in surplus(board, position, rules)}
    staying = Position(
        position.phase,
        tuple(unit for unit in position.units if unit not in gone),
        position.owners,
        position.dislodged,
        position.contested,
    )
    counting = [order for order in orders if order.power not in rules.powers_unplayed]
    field, _ = fought(board, staying, counting, rules)
    unit = field.here.get(place, NOBODY)
    if unit == NOBODY:
        return ()
    found = []
    if field.goal[unit] is not None:
        there = _for_goal(field, unit)
        found += [there] if len(there.forces) > 1 else []
    attackers = [other for other in field.into.get(place, ()) if other != field.rival[unit]]
    if attackers and not field.went[unit]:
        found.append(_at_home(field, unit, attackers))
    return tuple(found)


def _for_goal(field: Field, unit: int) -> Contest:
    target = field.goal[unit] or ""
    forces = [_attacking(field, unit)]
    forces += [_preventing(field, other) for other in field.into[target] if other != unit]
    holder = field.here.get(target, NOBODY)
    if holder != NOBODY and holder != unit:
        forces.append(_defending(field, holder) if field.rival[unit] == holder else _holding(field, holder))
    return Contest(target, tuple(forces))


def _at_home(field: Field, unit: int, attackers: Sequence[int]) -> Contest:
    return Contest(field.home[unit], (_holding(field, unit), *(_attacking(field, other) for other in attackers)))


def _attacking(field: Field, unit: int) -> Force:
    holder = field.here.get(field.goal[unit] or "", NOBODY)
    stays = holder != NOBODY and (field.rival[unit] != NOBODY or not field.went[holder])
    foe = field.units[holder].power if stays else None
    note: Note = ""
    if not field.arrives[unit]:
        note = "no-convoy"
    elif foe == field.units[unit].power:
        note = "own-unit"
    backers = _backers(field, unit, not_from=None if note == "own-unit" else foe)
    return Force(field.units[unit], "attack", attack(field, unit)[0], backers, note)


def _preventing(field: Field, unit: int) -> Force:
    strength = prevent(field, unit)[0]
    note: Note = "no-convoy" if not field.arrives[unit] else "beaten" if not strength else ""
    return Force(field.units[unit], "prevent", strength, _backers(field, unit), note)


def _defending(field: Field, unit: int) -> Force:
    return Force(field.units[unit], "defend", defend(field, unit)[0], _backers(field, unit, as_written=True))


def _holding(field: Field, unit: int) -> Force:
    strength = hold(field, field.home[unit])[0]
    if field.went[unit]:
        return Force(field.units[unit], "hold", strength, (), "left")
    if field.goal[unit] is None:
        return Force(field.units[unit], "hold", strength, _backers(field, unit))
    turned = [one for one, own in field.depends.items() if own == unit and field.counts[one]]
    backers = [Backer(field.units[one], True, explain(field, one)[1]) for one in turned if strength > 1]
    return Force(field.units[unit], "hold", strength, (*backers, *_unmatched(field, unit)), "to-move")


def _backers(field: Field, unit: int, *, not_from: str | None = None, as_written: bool = False) -> tuple[Backer, ...]:
    """Those ordered to support the unit as it was ordered, and those whose support did not fit its order."""
    found = []
    for one in field.supporters[unit]:
        counts = bool(field.counts[one]) and field.units[one].power != not_from
        if not as_written and one in field.depends:
            counts = counts and bool(field.went[field.depends[one]])
        found.append(Backer(field.units[one], counts, explain(field, one)[1]))
    return (*found, *_unmatched(field, unit))


def _unmatched(field: Field, unit: int) -> tuple[Backer, ...]:
    """Supports of the unit for something else than it was ordered."""
    misfits = [one for one, (_, supported) in field.unmatched.items() if supported == unit]
    return tuple(Backer(field.units[one], False, explain(field, one)[1]) for one in misfits)
