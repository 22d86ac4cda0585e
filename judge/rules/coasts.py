"""Coasts in written orders: which one a fleet means, and what is only garbage (DATC 4.B)."""

from __future__ import annotations

from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.orders import Move, Order
from judge.rules.outcome import Reason


def fleet_target(board: Board, fleet: Unit, to: str, rules: HouseRules, written: str) -> str | Reason:
    """The location that ``fleet`` means by ``to``, or why it means none.

    A coast is inferred, corrected or demanded as the house rules say (4.B.1, 4.B.2, 4.B.3). Whether the province can be
    reached at all is not asked here: of what cannot be reached the province comes back. ``written``: the place as the
    order has it, for the reason.
    """
    targets = board.fleet.get(fleet.at, frozenset())
    if to in targets:
        return to
    province = province_of(to)
    possible = tuple(place for place in board.locations(province) if place in targets)
    if not possible or not board.provinces[province].coasts:
        return province
    if to in board.fleet:
        if rules.coast_impossible == "ignored" and len(possible) == 1:
            return possible[0]
        return Reason("coast-unreachable", {"unit": fleet, "to": to, "coasts": possible})
    if rules.coast_unspecified == "default-coast" or (rules.coast_unspecified == "infer" and len(possible) == 1):
        return possible[0]
    return coast_missing(written, possible, "coast.unspecified")


def coast_missing(written: str, coasts: tuple[str, ...], rule: str) -> Reason:
    """Why an order to ``written`` names none of ``coasts``: it names no coast, or one that the board does not have."""
    if "/" in written:
        return Reason("coast-unknown", {"to": written, "coasts": coasts}, rule)
    return Reason("coast-missing", {"to": written, "coasts": coasts}, rule)


def with_coast_rule(board: Board, reason: Reason, given: Order | None, meant: Order) -> Reason:
    """``reason``, with the house rule that found or changed the coast where a move does not go to the one it named."""
    if not (isinstance(given, Move) and isinstance(meant, Move) and "/" in meant.to) or given.to == meant.to:
        return reason
    rule = "coast.impossible" if given.to in board.fleet else "coast.irrelevant"
    return Reason(reason.code, reason.args, "coast.unspecified" if "/" not in given.to else rule)


def irrelevant(board: Board, location: str, unit: Unit) -> bool:
    """Whether ``location`` names a coast where none matters: for an army, or one that the province does not have."""
    return "/" in location and (unit.type == "A" or location not in board.fleet)
