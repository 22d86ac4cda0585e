"""Several orders of one mail for one unit, one site, or more than are due: which of them count (DATC 4.D.3 to 4.D.6).

The engine would decide the same from the whole list. It is decided when the mail comes in, so that the receipt can say it
and the player can still mend it, and so that a later mail always replaces, whatever holds within one mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.play.judge import Table
from judge.rules import owing
from judge.rules.board import province_of
from judge.rules.choosing import choose
from judge.rules.orders import Build, Disband, Order, Waive
from judge.rules.outcome import Reason


@dataclass
class Settled:
    """``kept``: the orders that count, as they were given. ``lost``: line and order of the others, and why. ``replaced``:
    (old, new) of those that gave way to a later one of the same mail. ``voided``: provinces whose orders cancel out."""

    kept: list[Order] = field(default_factory=list)
    lost: list[tuple[str, Order, Reason]] = field(default_factory=list)
    replaced: list[tuple[Order, Order]] = field(default_factory=list)
    voided: set[str] = field(default_factory=set)


def settle(given: Sequence[tuple[str, Order]], table: Table, power: str) -> Settled:
    """Choose among the legal orders of one mail (line, order), as the house rules say."""
    lost = losers([order for _, order in given], table, power)
    settled = Settled([order for number, (_, order) in enumerate(given) if number not in lost])
    by_place = {province_of(o.at): o for o in settled.kept if not isinstance(o, Waive)}
    for number, reason in lost.items():
        line, order = given[number]
        place = "" if isinstance(order, Waive) else province_of(order.at)
        if reason.code == "replaced":
            settled.replaced.append((order, by_place[place]))
        elif reason.code != "repeated":
            settled.lost.append((line, order, reason))
        if place and place not in by_place:
            settled.voided.add(place)
    return settled


def losers(given: Sequence[Order], table: Table, power: str) -> dict[int, Reason]:
    """Those of a list of legal orders that do not count, by their number in it, and why."""
    numbered = dict(enumerate(given))
    lost = {**_of_units(numbered, table), **_of_sites(numbered, table)}
    return lost | _too_many({n: o for n, o in numbered.items() if n not in lost}, table, power)


def _of_units(numbered: dict[int, Order], table: Table) -> dict[int, Reason]:
    """Orders for one unit, of one's own or in one's hands: ``orders.duplicate``."""
    position = table.position
    units = {unit.province: unit for unit in position.units}
    if position.phase.kind == "R":
        units |= {d.unit.province: d.unit for d in position.dislodged}
    orders = {
        number: order
        for number, order in numbered.items()
        if not isinstance(order, Build | Waive) and province_of(order.at) in units
    }
    return choose(orders, units, table.rules, {unit.province: unit for unit in position.units})[1]


def _of_sites(numbered: dict[int, Order], table: Table) -> dict[int, Reason]:
    """Builds in one centre: ``orders.same_site``. The same build twice is once enough."""
    rule = table.rules.orders_same_site
    lost: dict[int, Reason] = {}
    sites: dict[str, list[int]] = {}
    for number, order in numbered.items():
        if isinstance(order, Build):
            sites.setdefault(province_of(order.at), []).append(number)
    for place, numbers in sites.items():
        same = [n for n in numbers[1:] if numbered[n] == numbered[numbers[0]]]
        different = [n for n in numbers if n not in same]
        kept = _pick(different, 1, rule)
        key = None if rule == "first" else "orders.same_site"
        lost |= {
            n: Reason("repeated") if n in same else Reason("site-twice", {"at": place}, key)
            for n in numbers
            if n not in kept
        }
    return lost


def _too_many(numbered: dict[int, Order], table: Table, power: str) -> dict[int, Reason]:
    """More builds or removals than are due: ``orders.too_many_builds``, ``orders.too_many_removals``."""
    owed = owing(table.board, table.position, table.rules).get(power)
    if owed is None or table.position.phase.kind != "A":
        return {}
    builds = [n for n, o in numbered.items() if isinstance(o, Build | Waive)]
    removals = [n for n, o in numbered.items() if isinstance(o, Disband)]
    built = _pick(builds, owed.builds, table.rules.orders_too_many_builds)
    gone = _pick(removals, owed.removals, table.rules.orders_too_many_removals)
    key_b = None if table.rules.orders_too_many_builds == "first" else "orders.too_many_builds"
    key_r = None if table.rules.orders_too_many_removals == "first" else "orders.too_many_removals"
    lost = {n: Reason("too-many-builds", {"builds": owed.builds}, key_b) for n in builds if n not in built}
    return lost | {n: Reason("too-many-removals", {"removals": owed.removals}, key_r) for n in removals if n not in gone}


def _pick(numbers: Sequence[int], count: int, rule: str) -> list[int]:
    """The ``count`` that are used of more: the first, the last, or (any other word) none."""
    if len(numbers) <= count:
        return list(numbers)
    if rule == "first":
        return list(numbers[:count])
    return list(numbers[len(numbers) - count :]) if rule == "last" else []
