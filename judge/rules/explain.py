"""Why a movement order came out as it did: result words and reasons out of a decided field.

A reason names what decided and nothing else: take those units away and the outcome is another. So a bounce names
everybody who alone would have stopped the move, a cut everybody who cut, a broken convoy who drove the fleets out.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules import convoy
from judge.rules.board import Unit, province_of
from judge.rules.field import NOBODY, Field, is_needed, names, seas_of
from judge.rules.orders import Convoy, Move, Support
from judge.rules.outcome import Arg, Reason, Result
from judge.rules.resolve import cuts, must_hold, spares
from judge.rules.strength import attack, backing, defend, hold, prevent

_MOVED = Reason("moved")
_GIVEN = Reason("given")
_READY = Reason("ready")
_HOLDS = Reason("holds")
_NO_ORDER = Reason("no-order")


def explain(field: Field, unit: int, *, ordered: bool = True) -> tuple[Result, Reason]:
    """The result of the order of ``unit`` and the reason for it; ``ordered`` false: nobody gave it an order."""
    if field.goal[unit] is not None:
        return _move(field, unit)
    order = field.orders[unit]
    if isinstance(order, Support):
        return _support(field, unit, order)
    if isinstance(order, Convoy):
        return _convoy(field, unit, order)
    return Result.HOLDS, hold_reason(field, unit, _HOLDS if ordered else _NO_ORDER)


# ── holds ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def hold_reason(field: Field, unit: int, quiet: Reason) -> Reason:
    """How a holding unit fared; ``quiet`` if nobody attacked it."""
    attackers = [a for a in field.into.get(field.home[unit], ()) if field.arrives[a]]
    if not attackers:
        return quiet
    strength = hold(field, field.home[unit])[0]
    victor = field.victor[unit]
    if victor != NOBODY:
        by = names(field, [victor])
        return Reason("dislodged", {"strength": strength, "by": by, "attack": attack(field, victor)[0]})
    strengths = [attack(field, attacker)[0] for attacker in attackers]
    return Reason("stood", {"strength": strength, **_several(field, "by", attackers, strengths)})


def _several(field: Field, key: str, units: Sequence[int], strengths: Sequence[int]) -> dict[str, Arg]:
    """Units and their strengths side by side, in a fixed order."""
    pairs = sorted(zip(units, strengths, strict=True), key=lambda pair: field.home[pair[0]])
    return {key: tuple(field.units[u] for u, _ in pairs), "strengths": tuple(s for _, s in pairs)}


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _move(field: Field, unit: int) -> tuple[Result, Reason]:
    if field.went[unit]:
        return Result.SUCCEEDS, _success(field, unit)
    if not field.arrives[unit]:
        return Result.NO_CONVOY, _no_convoy(field, unit)
    return Result.BOUNCES, _bounce(field, unit)


def _success(field: Field, unit: int) -> Reason:
    target = field.goal[unit] or ""
    rule = _rule_of_arrival(field, unit)
    if len(field.into[target]) == 1 and target not in field.here:
        return Reason("moved", {}, rule) if rule else _MOVED
    if unit in field.ring:
        return Reason("ring", {"units": names(field, field.ring[unit])}, rule)
    over = [other for other in field.into[target] if other != unit and prevent(field, other)[0]]
    strengths = [prevent(field, other)[0] for other in over]
    holder = field.here.get(target, NOBODY)
    if holder != NOBODY and not field.went[holder]:
        over.append(holder)
        strengths.append(_resistance(field, unit, holder))
    if not over:
        return Reason("moved", {}, rule) if rule else _MOVED
    return Reason("won", {"attack": attack(field, unit)[0], **_several(field, "over", over, strengths)}, rule)


def _resistance(field: Field, unit: int, holder: int) -> int:
    """How strong ``holder`` stood against ``unit``."""
    return (defend(field, holder) if field.rival[unit] == holder else hold(field, field.home[holder]))[0]


def _bounce(field: Field, unit: int) -> Reason:
    """Everybody who alone would have stopped the move: the one in the way, and the others who wanted to go there."""
    if unit in field.ring and field.rules.convoy_paradox == "all-hold":
        return Reason("all-hold", {"units": names(field, field.ring[unit])}, "convoy.paradox")
    target = field.goal[unit] or ""
    strength = attack(field, unit)[0]
    holder = field.here.get(target, NOBODY)
    stopped = False
    resistance = 0
    if holder != NOBODY:
        resistance = _resistance(field, unit, holder)
        beaten = field.rival[unit] == holder and field.went[holder]
        stopped = bool(beaten) or (not field.went[holder] and strength <= resistance)
    # Without the one in the way every support would count in full.
    full = backing(field, unit, as_written=True)[0] if stopped else strength
    rivals = [other for other in field.into[target] if other != unit and prevent(field, other)[0] >= full]
    args: dict[str, Arg] = {}
    if rivals:
        args = _several(field, "rivals", rivals, [prevent(field, other)[0] for other in rivals])
    if not stopped:
        contest = "move.dislodged_contest" if any(_beaten_apart(field, other) for other in rivals) else None
        return Reason("bounced", {"attack": strength, **args}, contest)
    args["holder"] = field.units[holder]
    own = field.units[holder].power == field.units[unit].power
    if own and field.rival[unit] == NOBODY:
        if rivals:
            return Reason("own-unit-and-bounced", {"attack": full, **args})
        return Reason("own-unit", args)
    code = "held-off" if field.rival[unit] == NOBODY else "head-to-head"
    rule = _rule_of_turning(field, unit, holder, strength, resistance) or _rule_of_swapping(field, unit)
    attack_shown = backing(field, unit)[0] if own else strength
    return Reason(f"{code}-and-bounced" if rivals else code, {"attack": attack_shown, "strength": resistance, **args}, rule)


def _rule_of_turning(field: Field, unit: int, holder: int, strength: int, resistance: int) -> str | None:
    """``support.own_dislodge`` if ``unit``, coming with ``strength``, would have got in without supports that turned to the
    holding of the unit in the way and are part of its ``resistance`` (JP-15)."""
    if field.went[holder] or field.rules.support_own_dislodge != "becomes-hold":
        return None
    turned = sum(own == holder and field.counts[supporter] is True for supporter, own in field.depends.items())
    others = (prevent(field, other)[0] for other in field.into[field.goal[unit] or ""] if other != unit)
    decided = turned and strength > max(resistance - turned, *others, 0)
    return "support.own_dislodge" if decided else None


def _rule_of_arrival(field: Field, unit: int) -> str | None:
    """The house rule without which a move that succeeded might not have."""
    rule = _rule_of_swapping(field, unit)
    if rule is None and field.by_sea[unit]:
        rule = _rule_of_voyage(field, unit)
    if rule is None and field.rules.move_dislodged_contest == "never":
        beaten = any(_beaten_apart(field, other) for other in field.into[field.goal[unit] or ""] if other != unit)
        rule = "move.dislodged_contest" if beaten else None
    return rule


def _rule_of_swapping(field: Field, unit: int) -> str | None:
    """``move.convoy_swap`` if two units changed places by convoy, or met because they may not (JP-11)."""
    opposite = field.here.get(field.goal[unit] or "", NOBODY)
    if opposite == NOBODY or field.goal[opposite] != field.home[unit]:
        return None
    if not (field.by_sea[unit] or field.by_sea[opposite]):
        return None
    met = field.rival[unit] == opposite
    return "move.convoy_swap" if met or (field.went[unit] and field.went[opposite]) else None


def _rule_of_voyage(field: Field, army: int) -> str | None:
    """The house rule by which a convoy held although a fleet ordered to carry the army was not there or driven out."""
    order, fleets = field.orders[army], field.fleets[army]
    assert isinstance(order, Move)
    lost = [fleet for fleet in fleets if field.victor[fleet] != NOBODY]
    if order.route:
        sailed = {field.home[fleet] for fleet in fleets} - {field.home[fleet] for fleet in lost}
        if field.rules.convoy_route == "ignored":
            return None if sailed.issuperset(order.route) else "convoy.route"
        lost = [fleet for fleet in _ordered_to_carry(field, army) if field.victor[fleet] != NOBODY]
        return "convoy.route" if lost else None
    return "convoy.disruption" if lost else None


def _ordered_to_carry(field: Field, army: int) -> list[int]:
    """All fleets with a legal order to carry the army, whether or not the house rules let them count."""
    return [
        fleet
        for fleet, order in enumerate(field.orders)
        if isinstance(order, Convoy)
        and (province_of(order.of), province_of(order.to)) == (field.home[army], field.goal[army])
    ]


def _beaten_apart(field: Field, unit: int) -> bool:
    """Whether the unit was driven out from where it wanted to go, without meeting who did it: one came by convoy (4.A.7)."""
    opposite = field.here.get(field.goal[unit] or "", NOBODY)
    return opposite != NOBODY and field.rival[unit] == NOBODY and field.victor[unit] == opposite


def _no_convoy(field: Field, unit: int) -> Reason:
    fleets = field.fleets[unit]
    against = [fleet for fleet in _ordered_to_carry(field, unit) if fleet in field.against_own]
    if against:
        holder = field.units[field.here[field.goal[unit] or ""]]
        return Reason("carriers-void", {"fleets": names(field, against), "holder": holder}, "convoy.own_dislodge")
    rule = None
    if unit in field.paradox:
        args: dict[str, Arg] = {"fleets": names(field, fleets), "by": names(field, field.paradox[unit])}
        return Reason("paradox", args, "convoy.paradox")
    order = field.orders[unit]
    assert isinstance(order, Move)
    if field.rules.convoy_route != "ignored" and len(set(order.route)) > len(fleets):
        return Reason("route-not-ordered", {"fleets": names(field, fleets)}, "convoy.route")
    if not fleets:
        return Reason("no-route")
    seas = seas_of(field, fleets)
    origin, target = field.home[unit], field.goal[unit] or ""
    if not convoy.connected(field.board, seas, origin, target):
        return Reason("incomplete-route", {"fleets": names(field, fleets)})
    needed = must_hold(field, unit)
    if needed is None:
        needed = convoy.on_routes(field.board, seas, origin, target)
    lost = [f for f in fleets if field.victor[f] != NOBODY and needed & field.board.sea_bit[field.home[f]]]
    left = seas_of(field, [fleet for fleet in fleets if fleet not in lost])
    if convoy.connected(field.board, left, origin, target):
        rule = "convoy.route" if field.rules.convoy_route != "ignored" and order.route else "convoy.disruption"
    by = names(field, [field.victor[fleet] for fleet in lost])
    return Reason("route-broken", {"fleets": names(field, lost), "by": by}, rule)


# ── supports ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _support(field: Field, unit: int, order: Support) -> tuple[Result, Reason]:
    cutters = [a for a in field.into.get(field.home[unit], ()) if cuts(field, a, unit)]
    if not cutters:
        if unit in field.unmatched:
            code, supported = field.unmatched[unit]
            return Result.UNMATCHED, _unmatched(field, code, supported, order)
        return Result.GIVEN, _given(field, unit)
    code = "cut" if field.victor[unit] == NOBODY else "cut-dislodged"
    return Result.CUT, Reason(code, {"by": names(field, cutters)}, _rule_of_cut(field, unit, cutters))


def _rule_of_cut(field: Field, unit: int, cutters: list[int]) -> str | None:
    """The house rule that made the cut, if no attacker cut without it."""
    rules, power = field.rules, field.units[unit].power
    if rules.support_cut_by_own and all(field.units[c].power == power and not field.went[c] for c in cutters):
        return "support.cut_by_own"
    if any(field.home[c] != field.aim[unit] for c in cutters):
        return None
    if all(not field.went[c] for c in cutters):
        return "support.cut_via_convoy" if rules.support_cut_via_convoy else None
    by_sea = rules.support_cut_via_convoy and any(field.by_sea[c] for c in cutters)
    return "support.cut_via_convoy" if by_sea else "support.cut_if_dislodged_by_target"


def _given(field: Field, unit: int) -> Reason:
    """Given; where a unit of the supporter's own power stayed in the way, what that did to the support."""
    supported = field.supports[unit]
    target = field.goal[supported]
    own = field.here.get(target or "", NOBODY)
    power = field.units[unit].power
    if target is None or own in (NOBODY, supported) or field.went[own] or field.units[own].power != power:
        return _given_under_attack(field, unit)
    if field.units[supported].power == power:
        return _given_under_attack(field, unit)
    code = "given-not-against-own"
    rule = "support.own_dislodge" if field.rules.support_own_dislodge == "no-count" else None
    if unit in field.depends:
        code = "turned-to-hold" if field.rules.support_own_dislodge == "becomes-hold" else "voided-by-own"
        rule = "support.own_dislodge"
    return Reason(code, {"holder": field.units[own]}, rule)


def _given_under_attack(field: Field, unit: int) -> Reason:
    """Given; where the unit was attacked, the house rule because of which that did not cut the support.

    If several attacks cut nothing, each by another rule, the one that departs farthest from the standard is named.
    """
    attackers = [attacker for attacker in field.into.get(field.home[unit], ()) if field.arrives[attacker]]
    rules = {_rule_that_saved(field, unit, attacker) for attacker in attackers}
    rule = next((rule for rule in _SAVING if rule in rules), None)
    return Reason("given", {}, rule) if rule else _GIVEN


#: house rules by which an attack cuts no support: those first that do so only where they depart from the standard
_SAVING = ("support.cut_if_dislodged_by_target", "convoy.paradox", "support.cut_via_convoy", "support.cut_by_own")


def _rule_that_saved(field: Field, unit: int, attacker: int) -> str | None:
    """The house rule because of which the attack of ``attacker`` did not cut the support of ``unit``."""
    if spares(field, attacker, unit):
        return "convoy.paradox"
    if field.home[attacker] == field.aim[unit]:
        if field.went[attacker]:
            return "support.cut_if_dislodged_by_target"
        return "support.cut_via_convoy" if field.by_sea[attacker] else None
    return "support.cut_by_own" if field.units[attacker].power == field.units[unit].power else None


def _unmatched(field: Field, code: str, supported: int, order: Support) -> Reason:
    args: dict[str, Arg] = {"unit": field.units[supported]}
    theirs = field.orders[supported]
    rule = None
    if code == "supported-unit-moves":
        args["to"] = theirs.to if isinstance(theirs, Move) else ""
    elif code in ("supported-unit-holds", "supported-coast-missing"):
        args["to"] = order.to or ""
    elif code in ("supported-unit-elsewhere", "supported-other-coast"):
        args["to"] = order.to or ""
        args["went"] = theirs.to if isinstance(theirs, Move) else ""
    if code == "supported-coast-missing":
        rule = "coast.support"
    elif code == "supported-disorder":
        rule = "support.civil_disorder"
    elif code == "supported-impossible":
        rule = "orders.illegal"
    return Reason(code, args, rule)


# ── convoys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _convoy(field: Field, unit: int, order: Convoy) -> tuple[Result, Reason]:
    army = field.here[province_of(order.of)]
    theirs = field.orders[army]
    carried: Unit = field.units[army]
    if unit in field.against_own:
        holder = field.here[province_of(order.to)]
        return Result.VOID, Reason("against-own", {"unit": carried, "holder": field.units[holder]}, "convoy.own_dislodge")
    if not isinstance(theirs, Move):
        return Result.UNMATCHED, Reason("convoyed-unit-holds", {"unit": carried, "to": order.to})
    if field.goal[army] != province_of(order.to):
        args: dict[str, Arg] = {"unit": carried, "to": order.to, "went": theirs.to}
        return Result.UNMATCHED, Reason("convoyed-unit-elsewhere", args)
    victor = field.victor[unit]
    if victor != NOBODY:
        return Result.DISRUPTED, Reason("disrupted", {"by": names(field, [victor])})
    if not field.by_sea[army]:
        return Result.UNMATCHED, Reason("walked", {"unit": carried})
    if unit not in field.fleets[army]:
        return Result.UNMATCHED, Reason("not-on-route", {"unit": carried}, "convoy.route")
    if army in field.paradox:
        by = names(field, field.paradox[army])
        return Result.GIVEN, Reason("failed-paradox", {"unit": carried, "by": by}, "convoy.paradox")
    if field.went[army]:
        return Result.GIVEN, Reason("carried", {}, _rule_of_carrying(field, unit, army))
    return Result.GIVEN, _READY


def _rule_of_carrying(field: Field, fleet: int, army: int) -> str | None:
    """The house rule without which the fleet's order would have been void."""
    origin, target = field.home[army], field.goal[army] or ""
    holder = field.here.get(target, NOBODY)
    power = field.units[fleet].power
    if holder != NOBODY and not field.went[holder] and field.units[holder].power == power != field.units[army].power:
        return "convoy.own_dislodge"
    if field.rules.convoy_needless != "void" and not is_needed(field, fleet, origin, target):
        return "convoy.needless"
    return None
