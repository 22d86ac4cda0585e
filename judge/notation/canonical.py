"""Canonical order text: ``A PAR-BUR``, ``F STP/SC-BOT``, ``A MAR S A PAR-BUR``, ``F ENG C A LON-BRE``, ``A LON-BRE VIA``.

This is the one form in which orders are stored, compared and handed to programs. Reading it needs no position and no
names; it lies on the way of every adjudication, so both directions are remembered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive

_PLACE = r"[A-Z][A-Z0-9]*(?:/[A-Z]+)?"
_UNIT = rf"(?:([AF]) )?({_PLACE})"
_ORDER = re.compile(
    rf"{_UNIT}(?:"
    rf" (?P<verb>[HDB])"
    rf"|-(?P<chain>{_PLACE}(?:-{_PLACE})*)(?P<via> VIA)?"
    rf"| S (?:(?P<of_type>[AF]) )?(?P<of>{_PLACE})(?:-(?P<of_to>{_PLACE}))?"
    rf"| C (?:A )?(?P<army>{_PLACE})-(?P<army_to>{_PLACE})"
    rf")\Z"
)
_VERBS: dict[str, type[Hold] | type[Disband] | type[Build]] = {"H": Hold, "D": Disband, "B": Build}
_LETTERS: dict[type[Order], str] = {Hold: "H", Disband: "D", Build: "B"}


@lru_cache(maxsize=65536)
def parse_canonical(text: str, board: Board) -> Order:
    """Read canonical text strictly: capitals, single blanks, ids of ``board``. Unit letters may be missing.

    :raises ValueError: it is not canonical, or names a place that the board does not have.
    """
    if text == "WAIVE":
        return Waive()
    found = _ORDER.match(text)
    if not found:
        raise ValueError(f"{text!r} is no canonical order; A PAR-BUR, A MAR S A PAR-BUR, A PAR H are")
    type_: UnitType | None = found[1]  # type: ignore[assignment]
    at = _place(found[2], board)
    if found["verb"]:
        kind: type[Hold] | type[Disband] | type[Build] = _VERBS[found["verb"]]
        return kind(type_, at)
    if found["chain"]:
        *route, to = (_place(p, board) for p in found["chain"].split("-"))
        return Move(type_, at, to, bool(found["via"]), tuple(route))
    if found["army"]:
        return Convoy(type_, at, _place(found["army"], board), _place(found["army_to"], board))
    of_to = _place(found["of_to"], board) if found["of_to"] else None
    return Support(type_, at, found["of_type"], _place(found["of"], board), of_to)  # type: ignore[arg-type]


def _place(text: str, board: Board) -> str:
    location = text.lower()
    province = board.provinces.get(province_of(location))
    if province is None:
        raise ValueError(f"the board has no {text}")
    coast = location.partition("/")[2]
    if coast and coast not in ("nc", "sc", "ec", "wc") and coast not in province.coasts:
        raise ValueError(f"{text}: {coast} is no coast")
    return location


def write(order: Order, coasts: Mapping[str, str] | None = None) -> str:
    """The canonical text of an order.

    ``coasts`` gives locations another coast's name, for a preset with names of its own (``{"bul/ec": "nc"}``:
    ``BUL/NC``); what is written with it is for people to read, and is not canonical.
    """
    return _write(order) if not coasts else _write_with(order, coasts)


@lru_cache(maxsize=65536)
def _write(order: Order) -> str:
    return _write_with(order, {})


def _write_with(order: Order, coasts: Mapping[str, str]) -> str:
    def place(location: str) -> str:
        other = coasts.get(location)
        return (f"{province_of(location)}/{other}" if other else location).upper()

    def unit(type_: UnitType | None, at: str) -> str:
        return f"{type_} {place(at)}" if type_ else place(at)

    if isinstance(order, Waive):
        return "WAIVE"
    ordered = unit(order.type, order.at)
    if isinstance(order, Move):
        chain = "-".join([ordered, *map(place, order.route), place(order.to)])
        return f"{chain} VIA" if order.via else chain
    if isinstance(order, Support):
        supported = unit(order.of_type, order.of)
        return f"{ordered} S {supported}" + (f"-{place(order.to)}" if order.to else "")
    if isinstance(order, Convoy):
        return f"{ordered} C A {place(order.of)}-{place(order.to)}"
    return f"{ordered} {_LETTERS[type(order)]}"


def write_unit(unit: Unit, coasts: Mapping[str, str] | None = None) -> str:
    """``A MAR``, ``F STP/SC``: a unit as its orders begin. ``coasts`` as in :func:`write`."""
    other = (coasts or {}).get(unit.at)
    at = f"{province_of(unit.at)}/{other}" if other else unit.at
    return f"{unit.type} {at.upper()}"
