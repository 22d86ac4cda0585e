"""Which units go when a power does not say (DATC 4.D.8): the 2023 rule, or that of the older rule books.

And those that are on the board by mistake, too many for the centres of their power (4.E.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Reason
from judge.rules.position import Position

#: farther than any board is wide, for what no way leads to
_FAR = 10_000


def removals(
    board: Board, position: Position, power: str, units: Sequence[Unit], count: int, rules: HouseRules
) -> list[tuple[Unit, Reason]]:
    """The ``count`` of ``units`` that go first, each with the reason why it and not another.

    2023: the farthest from a centre that the power owns, counting provinces whatever may enter them. (So no unit on a
    centre goes while another can: after a Fall it owns that centre, at distance 0.) Older: the farthest from the power's
    home centres, fleets over water and coasts, armies over land and sea. In both: fleets before armies, then by the
    province's English name.
    """
    rank = _rank_2023 if rules.removal_order == "2023" else _rank_older
    ranks = {unit: rank(board, position, power, unit) for unit in units}
    names = {unit: board.provinces[unit.province].name for unit in units}
    order = sorted(units, key=lambda unit: names[unit])
    order.sort(key=lambda unit: ranks[unit], reverse=True)
    going, staying = order[:count], order[count:]
    rule = None if rules.removal_order == "2023" else "removal.order"
    if not staying:
        return [(unit, Reason("removed-no-choice")) for unit in going]
    return [(unit, _why(ranks[unit], ranks[staying[0]], rule)) for unit in going]


def surplus(board: Board, position: Position, rules: HouseRules) -> list[tuple[Unit, Reason]]:
    """The units beyond the centres of their powers that go before a movement (``removal.surplus = at-once``, 4.E.6).

    Centres change hands in Fall, and the adjustments after it take every unit too many: so a power has more units than
    centres in Spring only by a mistake, and later in the year that means nothing. A board may begin with more units than
    centres; where no owner of any centre is known, nothing can be said.
    """
    phase = position.phase
    spring = phase.kind == "M" and phase.season == "S" and phase.year > board.first_year
    if rules.removal_surplus == "next-adjustments" or not spring or not position.owners:
        return []
    found = []
    for power in dict.fromkeys(unit.power for unit in position.units):
        units = position.units_of(power)
        many = len(units) - len(position.centres(power))
        if many > 0:
            gone = removals(board, position, power, units, many, rules)
            found += [(unit, Reason(why.code, why.args, why.rule or "removal.surplus")) for unit, why in gone]
    return found


def _why(gone: tuple[int, bool], kept: tuple[int, bool], rule: str | None) -> Reason:
    """What set a removed unit apart from the first that stays."""
    if gone == kept:
        return Reason("removed-by-name", {"distance": gone[0]}, rule)
    return Reason("removed-farthest" if gone[0] != kept[0] else "removed-fleet-first", {"distance": gone[0]}, rule)


def _rank_2023(board: Board, position: Position, power: str, unit: Unit) -> tuple[int, bool]:
    """(distance, fleet): what decides, in this order; the greatest goes first."""
    owned = {centre for centre, owner in position.owners.items() if owner == power}
    return _distance(unit.province, owned.__contains__, lambda p: _touching(board, p)), unit.type == "F"


def _rank_older(board: Board, position: Position, power: str, unit: Unit) -> tuple[int, bool]:
    """As :func:`_rank_2023`."""
    home = set(board.home_centres(power))
    if unit.type == "F":
        distance = _distance(unit.at, lambda at: province_of(at) in home, lambda at: board.fleet.get(at, ()))
    else:
        distance = _distance(unit.province, home.__contains__, lambda p: _touching(board, p))
    return distance, unit.type == "F"


def _touching(board: Board, province: str) -> Iterator[str]:
    """All provinces that touch ``province``, by land or by water."""
    yield from board.army.get(province, ())
    yield from board.fleet_provinces.get(province, ())


def _distance(start: str, is_goal: Callable[[str], bool], near: Callable[[str], Iterable[str]]) -> int:
    """Steps from ``start`` to the nearest goal."""
    reached, fresh, steps = {start}, [start], 0
    while fresh:
        if any(map(is_goal, fresh)):
            return steps
        fresh = list({to for at in fresh for to in near(at)} - reached)
        reached.update(fresh)
        steps += 1
    return _FAR
