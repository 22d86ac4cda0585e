"""Why a movement order came out as it did: result words and reasons out of a decided field.

A reason names what decided and nothing else: take those units away and the outcome is another. So a bounce names
everybody who alone would have stopped the move, a cut everybody who cut, a broken convoy who drove the fleets out.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules import convoy
from judge.rules.board import Unit, province_of
from judge.rules.field import NOBODY, Field, names, seas_of
from judge.rules.orders import Convoy, Move, Support
from judge.rules.outcome import Arg, Reason, Result
from judge.rules.resolve import cuts, must_hold
from judge.rules.strength import attack, backing, defend, hold, prevent

_MOVED = Reason("moved")
_GIVEN = Reason("given")
_CARRIED = Reason("carried")
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
    if len(field.into[target]) == 1 and target not in field.here:
        return _MOVED
    if unit in field.ring:
        return Reason("ring", {"units": names(field, field.ring[unit])})
    over = [other for other in field.into[target] if other != unit and prevent(field, other)[0]]
    strengths = [prevent(field, other)[0] for other in over]
    holder = field.here.get(target, NOBODY)
    if holder != NOBODY and not field.went[holder]:
        over.append(holder)
        strengths.append(_resistance(field, unit, holder))
    if not over:
        return _MOVED
    return Reason("won", {"attack": attack(field, unit)[0], **_several(field, "over", over, strengths)})


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
        return Reason("bounced", {"attack": strength, **args})
    args["holder"] = field.units[holder]
    own = field.units[holder].power == field.units[unit].power
    if own and field.rival[unit] == NOBODY:
        if rivals:
            return Reason("own-unit-and-bounced", {"attack": full, **args})
        return Reason("own-unit", args)
    code = "held-off" if field.rival[unit] == NOBODY else "head-to-head"
    rule = _rule_of_turning(field, holder)
    attack_shown = backing(field, unit)[0] if own else strength
    return Reason(f"{code}-and-bounced" if rivals else code, {"attack": attack_shown, "strength": resistance, **args}, rule)


def _rule_of_turning(field: Field, holder: int) -> str | None:
    """``support.own_dislodge`` if supports that turned decided about the unit in the way (JP-15)."""
    turned = any(own == holder and field.counts[supporter] for supporter, own in field.depends.items())
    return "support.own_dislodge" if turned else None


def _no_convoy(field: Field, unit: int) -> Reason:
    fleets = field.fleets[unit]
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
    from_aim = all(field.home[c] == field.aim[unit] and not field.went[c] for c in cutters)
    return "support.cut_via_convoy" if rules.support_cut_via_convoy and from_aim else None


def _given(field: Field, unit: int) -> Reason:
    """Given; where a unit of the supporter's own power stayed in the way, what that did to the support."""
    supported = field.supports[unit]
    target = field.goal[supported]
    own = field.here.get(target or "", NOBODY)
    if target is None or own in (NOBODY, supported) or field.went[own] or field.units[own].power != field.units[unit].power:
        return _GIVEN
    if field.units[supported].power == field.units[own].power:
        return _GIVEN
    code = "given-not-against-own"
    if unit in field.depends:
        code = "turned-to-hold" if field.rules.support_own_dislodge == "becomes-hold" else "voided-by-own"
    rule = "support.own_dislodge" if unit in field.depends else None
    return Reason(code, {"holder": field.units[own]}, rule)


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
    return Result.GIVEN, _CARRIED if field.went[army] else _READY
