"""All decisions of a movement, made from what is certain; where they wait for each other in a circle, by the rule for that.

Nothing is guessed and nothing taken back. Passes over the open decisions go on while one can be made from the bounds of
the strengths (DATC 5.E); every pass makes at least one, so the work is bounded by the square of the number of orders.
What stays open then waits in circles. The circles that wait for nothing outside themselves are settled: one that holds a
convoy is a paradox (4.A.2), one of moves alone is a ring, and all of it moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from judge.rules import convoy
from judge.rules.field import NOBODY, Field, seas_of
from judge.rules.orders import Convoy, Support
from judge.rules.strength import attack, defend, hold, prevent

#: An open decision: its kind and its unit.
Node: TypeAlias = tuple[str, int]


def resolve(field: Field) -> None:
    """Make every decision of the field."""
    _settle(field)
    while open_nodes := _open(field):
        for circle in _last_circles(open_nodes, lambda node: _waits_for(field, node)):
            _break(field, circle)
        _settle(field)
    for unit in field.moves:
        if field.went[unit]:
            holder = field.here.get(field.goal[unit] or "", NOBODY)
            if holder != NOBODY and not field.went[holder]:
                field.victor[holder] = unit


def _settle(field: Field) -> None:
    """Make all decisions that follow from what is certain."""
    kinds: tuple[tuple[list[bool | None], Callable[[Field, int], bool | None], list[int]], ...] = (
        (field.arrives, _arrives, list(field.fleets)),
        (field.counts, _counts, list(field.supports)),
        (field.went, _goes, field.moves),
    )
    changed = True
    while changed:
        changed = False
        for decisions, decide, units in kinds:
            for unit in units:
                if decisions[unit] is None:
                    decided = decide(field, unit)
                    if decided is not None:
                        decisions[unit] = decided
                        changed = True


def contradictions(field: Field) -> list[Node]:
    """Decisions of a resolved field that do not follow from all the others: there are none, or the engine is wrong.

    The convoys of a paradox and moves that ``convoy.paradox = all-hold`` stopped are excused: they were settled by rule.
    """
    by_rule = {("arrives", army) for army in field.paradox}
    by_rule |= {("went", unit) for unit in field.ring if not field.went[unit]}
    decided: list[tuple[str, Iterable[int], Callable[[Field, int], bool | None]]] = [
        ("arrives", field.fleets, _arrives),
        ("counts", field.supports, _counts),
        ("went", field.moves, _goes),
    ]
    return [
        (kind, unit)
        for kind, units, decide in decided
        for unit in units
        if (kind, unit) not in by_rule and decide(field, unit) is not _decision(field, (kind, unit))
    ]


# ── the decisions ────────────────────────────────────────────────────────────────────────────────────────────────────


def _goes(field: Field, unit: int) -> bool | None:
    """Whether a move succeeds: stronger than who stays there, and than everybody else who wants to go there."""
    target = field.goal[unit] or ""
    contenders = field.into[target]
    if field.arrives[unit] and len(contenders) == 1 and target not in field.here:
        return True
    least, most = attack(field, unit)
    if most == 0:
        return False
    rival = field.rival[unit]
    if rival != NOBODY:
        if field.went[rival]:
            return False
        against_least, against_most = defend(field, rival)
    else:
        against_least, against_most = hold(field, target)
    if most <= against_least:
        return False
    certain = least > against_most
    for other in contenders:
        if other != unit:
            against_least, against_most = prevent(field, other)
            if most <= against_least:
                return False
            certain = certain and least > against_most
    return True if certain else None


def _counts(field: Field, unit: int) -> bool | None:
    """Whether a support is given: not cut by an attack, and the supporter not dislodged."""
    certain = True
    for attacker in field.into.get(field.home[unit], ()):
        cut = cuts(field, attacker, unit)
        if cut:
            return False
        certain = certain and cut is False
    return True if certain else None


def cuts(field: Field, attacker: int, unit: int) -> bool | None:
    """Whether ``attacker``, who moves on the supporting ``unit``, cuts its support."""
    node = _cutting(field, attacker, unit)
    return False if node is None else _decision(field, node)


def _cutting(field: Field, attacker: int, unit: int) -> Node | None:
    """The decision that a cut hangs on: that the attack comes at all, or that it dislodges (6.D.15 to 6.D.21).

    Only dislodgement cuts when the attack comes out of the province that is supported into, or from the own power, each
    with a key of its own (JP-20, CN-12). ``None``: this attack never cuts.
    """
    rules = field.rules
    if spares(field, attacker, unit):
        return None
    from_aim = field.home[attacker] == field.aim[unit]
    if from_aim and not (rules.support_cut_via_convoy and field.by_sea[attacker]):
        return ("went", attacker) if rules.support_cut_if_dislodged_by_target else None
    own = field.units[attacker].power == field.units[unit].power
    if own and not rules.support_cut_by_own:
        return ("went", attacker)
    return ("arrives", attacker)


def spares(field: Field, attacker: int, unit: int) -> bool:
    """Whether a rule against paradoxes (4.A.2) keeps a convoyed attacker from cutting the support of ``unit``."""
    rule = field.rules.convoy_paradox
    if rule in ("szykman", "all-hold") or not field.by_sea[attacker] or field.aim[unit] not in field.board.sea_bit:
        return False
    fleet = field.here.get(field.aim[unit], NOBODY)
    if fleet == NOBODY:
        return False
    if rule == "1982":
        return isinstance(field.orders[fleet], Convoy)
    if fleet not in field.fleets[attacker] or not _is_attack(field, unit):
        return False
    return rule == "1971" or _necessary(field, fleet, attacker)


def _is_attack(field: Field, unit: int) -> bool:
    order = field.orders[unit]
    return isinstance(order, Support) and order.to is not None


def _necessary(field: Field, fleet: int, army: int) -> bool:
    """Whether no convoy is left for ``army`` without ``fleet``."""
    others = [other for other in field.fleets[army] if other != fleet]
    return not convoy.connected(field.board, seas_of(field, others), field.home[army], field.goal[army] or "")


def _arrives(field: Field, army: int) -> bool | None:
    """Whether an army's convoy holds: a complete route is left whose fleets are not dislodged (4.A.1)."""
    unhurt, lost = _fleet_states(field, army)
    origin, target = field.home[army], field.goal[army] or ""
    needed = must_hold(field, army)
    if needed is not None:
        if not needed or not _names_sailed(field, army) or needed & seas_of(field, lost):
            return False
        return True if needed & ~seas_of(field, unhurt) == 0 else None
    if convoy.connected(field.board, seas_of(field, unhurt), origin, target):
        return True
    perhaps = seas_of(field, [fleet for fleet in field.fleets[army] if fleet not in lost])
    return None if convoy.connected(field.board, perhaps, origin, target) else False


def must_hold(field: Field, army: int) -> int | None:
    """The seas (as bits) all of which must hold for the convoy, 0 if there is no complete route at all.

    ``None``: any complete route will do (4.A.1 b). Else it is what the order names (4.A.6, CN-16), what lies on a
    complete route (4.A.1 a, JP-24), or every fleet ordered to carry.
    """
    rule, fleets = field.rules.convoy_disruption, field.fleets[army]
    named = field.rules.convoy_route != "ignored" and bool(getattr(field.orders[army], "route", ()))
    if rule == "all-routes" and not named:
        return None
    ordered = seas_of(field, fleets)
    origin, target = field.home[army], field.goal[army] or ""
    if rule == "any-route" and not named:
        return convoy.on_routes(field.board, ordered, origin, target)
    return ordered if convoy.connected(field.board, ordered, origin, target) else 0


def _names_sailed(field: Field, army: int) -> bool:
    """Whether every fleet that the army's order names was ordered to carry it (CN-16)."""
    route = getattr(field.orders[army], "route", ())
    if field.rules.convoy_route == "ignored" or not route:
        return True
    return len(field.fleets[army]) == len(set(route))


def _fleet_states(field: Field, army: int) -> tuple[list[int], list[int]]:
    """Those of an army's fleets that are certain not to be dislodged, and those that are."""
    unhurt, lost = [], []
    for fleet in field.fleets[army]:
        attackers = [field.went[attacker] for attacker in field.into.get(field.home[fleet], ())]
        if any(attackers):
            lost.append(fleet)
        elif None not in attackers:
            unhurt.append(fleet)
    return unhurt, lost


# ── circles ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _open(field: Field) -> list[Node]:
    return [
        *(("arrives", unit) for unit in field.fleets if field.arrives[unit] is None),
        *(("counts", unit) for unit in field.supports if field.counts[unit] is None),
        *(("went", unit) for unit in field.moves if field.went[unit] is None),
    ]


def _waits_for(field: Field, node: Node) -> list[Node]:
    """The open decisions that ``node`` looks at."""
    kind, unit = node
    nodes: set[Node] = set()
    if kind == "arrives":
        for fleet in field.fleets[unit]:
            nodes.update(("went", attacker) for attacker in field.into.get(field.home[fleet], ()))
    elif kind == "counts":
        for attacker in field.into.get(field.home[unit], ()):
            cutting = _cutting(field, attacker, unit)
            if cutting is not None:
                nodes.add(cutting)
    else:
        target = field.goal[unit] or ""
        never = field.rules.move_dislodged_contest == "never"
        for other in field.into[target]:
            nodes.update((("arrives", other), ("went", other)) if never else (("arrives", other),))
            _add_backing(field, other, nodes)
            if other != unit and field.rival[other] != NOBODY:
                nodes.add(("went", field.rival[other]))
        holder = field.here.get(target, NOBODY)
        if holder != NOBODY:
            nodes.update((("went", holder), ("arrives", holder)))
            _add_backing(field, holder, nodes)
            nodes.update(("counts", supporter) for supporter, own in field.depends.items() if own == holder)
    nodes.discard(node)
    return [each for each in nodes if _decision(field, each) is None]


def _add_backing(field: Field, unit: int, nodes: set[Node]) -> None:
    for supporter in field.supporters[unit]:
        nodes.add(("counts", supporter))
        if supporter in field.depends:
            nodes.add(("went", field.depends[supporter]))


def _decision(field: Field, node: Node) -> bool | None:
    kind, unit = node
    decisions = {"arrives": field.arrives, "counts": field.counts, "went": field.went}[kind]
    return decisions[unit]


def _last_circles(nodes: Iterable[Node], waits_for: Callable[[Node], list[Node]]) -> list[list[Node]]:
    """The circles (strongly connected sets) of decisions that wait for nothing outside themselves (Tarjan)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    circles: list[list[Node]] = []
    circle_of: dict[Node, int] = {}
    followers: dict[Node, list[Node]] = {}

    def visit(node: Node) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        followers[node] = waits_for(node)
        for following in followers[node]:
            if following not in index:
                visit(following)
                low[node] = min(low[node], low[following])
            elif following not in circle_of:
                low[node] = min(low[node], index[following])
        if low[node] == index[node]:
            start = stack.index(node)
            for member in stack[start:]:
                circle_of[member] = len(circles)
            circles.append(stack[start:])
            del stack[start:]

    for node in nodes:
        if node not in index:
            visit(node)
    return [
        circle
        for number, circle in enumerate(circles)
        if all(circle_of[following] == number for node in circle for following in followers[node])
    ]


def _break(field: Field, circle: list[Node]) -> None:
    """Settle a circle: the convoys of a paradox fail, a ring of moves goes round."""
    armies = sorted(unit for kind, unit in circle if kind == "arrives")
    moves = sorted(unit for kind, unit in circle if kind == "went")
    if armies and field.rules.convoy_paradox != "all-hold":
        for army in armies:
            field.arrives[army] = False
            into_fleets = {field.home[fleet] for fleet in field.fleets[army]}
            field.paradox[army] = [move for move in moves if field.goal[move] in into_fleets]
        return
    succeed = not armies
    if succeed:
        for unit in moves:
            field.went[unit] = True
        # With supports that turn when a unit stays (JP-15) a ring can deny itself; then nothing of it moves.
        succeed = all(_goes(field, unit) is not False for unit in moves)
    for unit in moves:
        field.went[unit] = succeed
        field.ring[unit] = moves
