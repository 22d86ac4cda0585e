"""The four strengths of the DATC's chapter 5, each as the least and the most that it can still be.

While decisions are open a strength lies between two bounds; once all that it depends on is decided they are equal.
"""

from __future__ import annotations

from typing import TypeAlias

from judge.rules.field import NOBODY, Field

#: (least, most)
Bounds: TypeAlias = tuple[int, int]

_ZERO: Bounds = (0, 0)


def backing(field: Field, unit: int, *, not_from: str | None = None, as_written: bool = False) -> Bounds:
    """One, and one more for each support that counts for the order of ``unit``.

    ``not_from``: leave out the supports of that power. ``as_written``: a support that turns away when a unit of its own
    power stays (JP-15) counts all the same, because it is just that unit's leaving which is asked about.
    """
    least = most = 1
    for supporter in field.supporters[unit]:
        if not_from is not None and field.units[supporter].power == not_from:
            continue
        counts = field.counts[supporter]
        if not as_written and supporter in field.depends:
            left = field.went[field.depends[supporter]]
            counts = False if counts is False or left is False else (None if counts is None or left is None else True)
        if counts is None:
            most += 1
        elif counts:
            least += 1
            most += 1
    return least, most


def _turned(field: Field, unit: int) -> Bounds:
    """Supports for others that have become hold supports of ``unit``, which was to leave and did not (JP-15)."""
    least = most = 0
    if field.depends and field.rules.support_own_dislodge == "becomes-hold" and field.went[unit] is not True:
        for supporter, own in field.depends.items():
            counts = field.counts[supporter]
            if own == unit and counts is not False:
                most += 1
                least += counts is True and field.went[unit] is False
    return least, most


def attack(field: Field, unit: int) -> Bounds:
    """The strength with which a moving unit tries to enter and to drive out who is there.

    Nobody dislodges a unit of the own power, and a power's support does not help to dislodge its own unit.
    """
    arrives = field.arrives[unit]
    if arrives is False:
        return _ZERO
    holder = field.here.get(field.goal[unit] or "", NOBODY)
    if holder == NOBODY:
        least, most = backing(field, unit)
    else:
        leaves = False if field.rival[unit] != NOBODY else field.went[holder]
        if leaves:
            least, most = backing(field, unit)
        else:
            power = field.units[holder].power
            own = power == field.units[unit].power
            least, most = _ZERO if own else backing(field, unit, not_from=power)
            if leaves is None:
                most = backing(field, unit)[1]
    return (least if arrives else 0), most


def hold(field: Field, province: str) -> Bounds:
    """The strength with which the unit in ``province`` stays there."""
    holder = field.here.get(province, NOBODY)
    if holder == NOBODY:
        return _ZERO
    if field.goal[holder] is None:
        return backing(field, holder)
    left = field.went[holder]
    if left:
        return _ZERO
    least, most = _turned(field, holder)
    return (0 if left is None else 1 + least), 1 + most


def defend(field: Field, unit: int) -> Bounds:
    """The strength of a moving unit against the one that it meets head to head."""
    arrives = field.arrives[unit]
    least, most = backing(field, unit, as_written=True)
    if arrives is False:
        least = most = 1
    elif arrives is None:
        least = 1
    turned_least, turned_most = _turned(field, unit)
    return least + turned_least, most + turned_most


def prevent(field: Field, unit: int) -> Bounds:
    """The strength with which a moving unit keeps others out of where it wants to go."""
    arrives = field.arrives[unit]
    if arrives is False:
        return _ZERO
    least, most = backing(field, unit)
    beaten = _beaten_by_target(field, unit)
    if beaten:
        return _ZERO
    return (0 if arrives is None or beaten is None else least), most


def _beaten_by_target(field: Field, unit: int) -> bool | None:
    """Whether the unit was driven out by the one from where it wants to go: then it keeps nobody out (4.A.7, JP-19)."""
    rival = field.rival[unit]
    if rival != NOBODY:
        return field.went[rival]
    if field.rules.move_dislodged_contest == "never":
        opposite = field.here.get(field.goal[unit] or "", NOBODY)
        if opposite != NOBODY and field.goal[opposite] == field.home[unit]:
            if field.went[unit] or field.went[opposite] is False:
                return False
            return True if field.went[opposite] and field.went[unit] is False else None
    return False
