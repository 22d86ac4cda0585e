"""Adjustments: units are built or removed until each power has as many as it owns centres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.coasts import coast_missing, irrelevant
from judge.rules.houserules import HouseRules
from judge.rules.orders import Build, Disband, Order, Waive
from judge.rules.outcome import GivenOrder, Outcome, Reason, Result
from judge.rules.position import Position
from judge.rules.removal import removals


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What adjustments left behind: outcomes, and all units that stand now."""

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """What a power is due: builds (as many as there are places for) or removals, and the vacant places to build in."""

    builds: int
    removals: int
    sites: tuple[str, ...]
    centres: int
    units: tuple[Unit, ...]


def account(board: Board, position: Position, power: str, rules: HouseRules) -> Account:
    """Weigh the centres of ``power`` against its units (JP-26, CN-15)."""
    centres = list(position.owners.values()).count(power)
    units = position.units_of(power)
    sites = free_sites(board, position, power, rules) if centres > len(units) else ()
    return Account(min(max(centres - len(units), 0), len(sites)), max(len(units) - centres, 0), sites, centres, units)


def free_sites(board: Board, position: Position, power: str, rules: HouseRules) -> tuple[str, ...]:
    """The vacant provinces where ``power`` may build, in the board's order."""
    taken = {unit.province for unit in position.units}
    return tuple(
        centre
        for centre in board.supply_centres()
        if centre not in taken and _why_no_site(board, position, power, centre, rules) is None
    )


def _why_no_site(board: Board, position: Position, power: str, place: str, rules: HouseRules) -> Reason | None:
    """Why ``power`` may not build in ``place`` whoever stands there; ``builds.where`` decides."""
    province = board.provinces[place]
    owner = position.owners.get(place)
    if not province.supply_centre:
        return Reason("site-not-centre", {"at": place})
    if rules.builds_where == "any-owned":
        return None if owner == power else Reason("site-lost", {"at": place, "owner": owner or ""}, "builds.where")
    if province.home != power:
        return Reason("site-not-home", {"at": place}, "builds.where" if owner == power else None)
    if rules.builds_where == "any-home":
        return None
    if owner != power:
        return Reason("site-lost", {"at": place, "owner": owner or ""}, "builds.where")
    if rules.builds_where == "none-while-one-lost":
        for home in board.home_centres(power):
            if position.owners.get(home) != power:
                return Reason("home-lost", {"at": home}, "builds.where")
    return None


# ── one order by itself ──────────────────────────────────────────────────────────────────────────────────────────────


def meant(
    board: Board, position: Position, power: str | None, order: Order, rules: HouseRules
) -> Build | Disband | Waive | Reason:
    """The build, removal or waiver that is meant by ``order``, or why it is void."""
    if not isinstance(order, Build | Disband | Waive):
        return Reason("wrong-phase")
    if isinstance(order, Waive):
        return _waive(board, position, power, order, rules)
    place = province_of(order.at)
    if place not in board.provinces:
        return Reason("unknown-place", {"at": order.at})
    holder = next((unit for unit in position.units if unit.province == place), None)
    if isinstance(order, Disband):
        return _removal(board, position, power, holder, order, rules)
    who = power or board.provinces[place].home or ""
    due = account(board, position, who, rules)
    wrong = _why_no_site(board, position, who, place, rules)
    if wrong is None and holder is not None:
        wrong = Reason("site-occupied", {"at": place, "holder": holder})
    if wrong is None and due.centres <= len(due.units):
        wrong = Reason("nothing-to-build", {"centres": due.centres, "units": len(due.units)})
    return wrong or _build(board, place, order, rules)


def _waive(board: Board, position: Position, power: str | None, order: Waive, rules: HouseRules) -> Waive | Reason:
    if rules.builds_waive == "forbidden":
        return Reason("waive-forbidden", {}, "builds.waive")
    if power is not None:
        due = account(board, position, power, rules)
        if due.centres <= len(due.units):
            return Reason("nothing-to-build", {"centres": due.centres, "units": len(due.units)})
    return order


def _removal(
    board: Board, position: Position, power: str | None, holder: Unit | None, order: Disband, rules: HouseRules
) -> Disband | Reason:
    from judge.rules.legality import ordered_unit

    wrong = ordered_unit(board, holder, power, order, rules)
    if wrong is not None or holder is None:
        return wrong or Reason("no-unit", {"at": order.at})
    due = account(board, position, holder.power, rules)
    if not due.removals:
        return Reason("nothing-to-remove", {"centres": due.centres, "units": len(due.units)})
    return order


def _build(board: Board, place: str, order: Build, rules: HouseRules) -> Build | Reason:
    """The build with its letter and coast settled (4.B.7, 4.C.3, 4.C.4)."""
    province = board.provinces[place]
    type_ = order.type
    if type_ is None:
        type_ = _type_left_out(order, province.kind == "inland", rules)
        if type_ is None:
            return Reason("build-type-missing", {"at": place}, "units.missing_build_type")
    if type_ == "F" and province.kind == "inland":
        if rules.units_fleet_inland == "void":
            return Reason("build-fleet-inland", {"at": place})
        type_ = "A"
    at = order.at
    if irrelevant(board, at, Unit("", type_, place)):
        if rules.coast_irrelevant == "void":
            return Reason("coast-irrelevant", {"to": at}, "coast.irrelevant")
        at = place
    if type_ == "F" and at == place and province.coasts:
        coasts = board.locations(place)
        if rules.coast_build == "void":
            return coast_missing(order.at, coasts, "coast.build")
        at = coasts[0]
    return Build(type_, at)


def _type_left_out(order: Build, inland: bool, rules: HouseRules) -> UnitType | None:
    if rules.units_missing_build_type == "void":
        return None
    if inland:
        return "A"
    return "F" if rules.units_missing_build_type == "coast" and "/" in order.at else None


# ── the phase ────────────────────────────────────────────────────────────────────────────────────────────────────────


def adjudicate_adjustments(board: Board, position: Position, given: Sequence[GivenOrder], rules: HouseRules) -> Adjustments:
    """Adjudicate an adjustment phase, each power for itself. What was not ordered is waived or removed by rule."""
    judged: list[Outcome | None] = [None] * len(given)
    filled: list[Outcome] = []
    for power in powers_of(board, position, given):
        mine = [number for number, entry in enumerate(given) if entry.power == power]
        orders = {number: _meant_or_unread(board, position, given[number], rules) for number in mine}
        due = account(board, position, power, rules)
        if power in rules.powers_unplayed:
            due = replace(due, builds=0)
        if due.removals:
            outcomes, extra = _removals(board, position, power, due, orders, rules)
        else:
            outcomes, extra = _builds(board, power, due, orders, rules, raises=bool(mine) or rules.nmr != "civil-disorder")
        for number, (result, reason) in outcomes.items():
            order = orders[number]
            told = given[number].order if isinstance(order, Reason) else order
            if isinstance(order, Build) and result is Result.SUCCEEDS:
                reason = Reason(reason.code, reason.args, _rule_of_build(board, position, power, given[number].order, order))
            judged[number] = Outcome(power, told, _unit_at(position, told), result, reason)
        filled.extend(extra)
    outcomes_in_order = [outcome for outcome in judged if outcome is not None]
    everything = (*outcomes_in_order, *filled)
    return Adjustments(everything, tuple(_after(position, everything)))


def powers_of(board: Board, position: Position, given: Sequence[GivenOrder] = ()) -> tuple[str, ...]:
    """All powers of the board, and any other that has units, centres or orders."""
    extra = {u.power for u in position.units} | set(position.owners.values()) | {entry.power for entry in given}
    return (*board.powers, *sorted(extra - set(board.powers)))


def _rule_of_build(board: Board, position: Position, power: str, given: Order | None, meant: Build) -> str | None:
    """The house rule without which nobody could have built there or so."""
    place = province_of(meant.at)
    if board.provinces[place].home != power or position.owners.get(place) != power:
        return "builds.where"
    if "/" in meant.at and isinstance(given, Build) and given.at == place:
        return "coast.build"
    return "units.fleet_inland" if isinstance(given, Build) and given.type == "F" != meant.type else None


Judged = dict[int, tuple[Result, Reason]]
Meant = Mapping[int, "Build | Disband | Waive | Reason"]


def _meant_or_unread(
    board: Board, position: Position, entry: GivenOrder, rules: HouseRules
) -> Build | Disband | Waive | Reason:
    if entry.order is None:
        return Reason("unreadable")
    return meant(board, position, entry.power, entry.order, rules)


def _void(orders: Meant) -> Judged:
    return {number: (Result.VOID, order) for number, order in orders.items() if isinstance(order, Reason)}


def _pick(numbers: Sequence[int], count: int, rule: str) -> list[int]:
    """The ``count`` that are used of more: the first, the last, or (any other word) none."""
    if len(numbers) <= count:
        return list(numbers)
    if rule == "first":
        return list(numbers[:count])
    return list(numbers[len(numbers) - count :]) if rule == "last" else []


def _builds(
    board: Board, power: str, due: Account, orders: Meant, rules: HouseRules, *, raises: bool
) -> tuple[Judged, list[Outcome]]:
    """``raises``: what it did not order is raised for it, where no build may be waived; not in civil disorder (``nmr``)."""
    judged = _void(orders)
    legal = [number for number, order in orders.items() if isinstance(order, Build | Waive)]
    for number, reason in _same_site(orders, legal, rules):
        judged[number] = (Result.VOID, reason)
        legal.remove(number)
    rule = rules.orders_too_many_builds
    used = _pick(legal, due.builds, rule)
    for number in legal:
        if number in used:
            judged[number] = (Result.SUCCEEDS, Reason("waived" if isinstance(orders[number], Waive) else "built"))
        else:
            key = None if rule == "first" else "orders.too_many_builds"
            judged[number] = (Result.VOID, Reason("too-many-builds", {"builds": due.builds}, key))
    built = {province_of(order.at) for n in used if isinstance(order := orders[n], Build)}
    raises = raises and rules.builds_waive == "forbidden"
    return judged, list(_not_built(board, power, due, built, due.builds - len(used), raises))


def _same_site(orders: Meant, legal: Sequence[int], rules: HouseRules) -> Iterator[tuple[int, Reason]]:
    """Builds that lose against another one in the same centre (4.D.5)."""
    sites: dict[str, list[int]] = {}
    for number in legal:
        order = orders[number]
        if isinstance(order, Build):
            sites.setdefault(province_of(order.at), []).append(number)
    rule = rules.orders_same_site
    for place, numbers in sites.items():
        kept = _pick(numbers, 1, rule)
        for number in numbers:
            if number not in kept:
                yield number, Reason("site-twice", {"at": place}, None if rule == "first" else "orders.same_site")


def _not_built(board: Board, power: str, due: Account, built: set[str], left: int, raises: bool) -> Iterator[Outcome]:
    """What becomes of builds that nobody ordered: waived, or (``builds.waive = forbidden``) armies by name of the place."""
    sites = sorted((site for site in due.sites if site not in built), key=lambda site: board.provinces[site].name)
    for site in sites[:left]:
        if raises:
            raised = Unit(power, "A", site)
            order: Build | Waive = Build("A", raised.at)
            yield Outcome(power, order, None, Result.SUCCEEDS, Reason("raised", {}, "builds.waive"), filled_in=True)
        else:
            yield Outcome(power, Waive(), None, Result.SUCCEEDS, Reason("waived-silently"), filled_in=True)


def _removals(
    board: Board, position: Position, power: str, due: Account, orders: Meant, rules: HouseRules
) -> tuple[Judged, list[Outcome]]:
    judged = _void(orders)
    first: dict[str, int] = {}
    for number, order in orders.items():
        if isinstance(order, Disband):
            place = province_of(order.at)
            if place in first:
                judged[number] = (Result.VOID, Reason("removed-twice", {"unit": _unit_in(due, place)}))
            first.setdefault(place, number)
    legal = list(first.values())
    rule = rules.orders_too_many_removals
    used = _pick(legal, due.removals, rule)
    for number in legal:
        if number in used:
            judged[number] = (Result.SUCCEEDS, Reason("removed"))
        else:
            key = None if rule == "first" else "orders.too_many_removals"
            judged[number] = (Result.VOID, Reason("too-many-removals", {"removals": due.removals}, key))
    gone = {place for place, number in first.items() if number in used}
    left = [unit for unit in due.units if unit.province not in gone]
    extra = [
        Outcome(power, Disband(unit.type, unit.at), unit, Result.SUCCEEDS, reason, filled_in=True)
        for unit, reason in removals(board, position, power, left, due.removals - len(used), rules)
    ]
    return judged, extra


def _unit_in(due: Account, place: str) -> Unit:
    return next(unit for unit in due.units if unit.province == place)


def _unit_at(position: Position, order: Order | None) -> Unit | None:
    """The unit that a removal is about; a build has none yet."""
    if not isinstance(order, Disband):
        return None
    place = province_of(order.at)
    return next((unit for unit in position.units if unit.province == place), None)


def _after(position: Position, outcomes: Sequence[Outcome]) -> Iterator[Unit]:
    done = [outcome for outcome in outcomes if outcome.result is Result.SUCCEEDS]
    removed = {outcome.unit for outcome in done if isinstance(outcome.order, Disband)}
    yield from (unit for unit in position.units if unit not in removed)
    for outcome in done:
        order = outcome.order
        if isinstance(order, Build):
            assert order.type is not None
            yield Unit(outcome.power, order.type, order.at)
