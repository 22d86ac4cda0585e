"""Orders as values: one class a kind. They say what was ordered, not whether it is legal.

``at`` is where the ordered unit is said to stand, ``type`` the letter that was written (``None`` if none was;
a wrong letter is ignored, DATC 4.C.2). Locations may carry a coast (``"spa/nc"``). The canonical text of an order is
made by ``judge.notation.write``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.rules.board import UnitType


@dataclass(frozen=True, slots=True)
class Hold:
    """``A PAR H``"""

    type: UnitType | None
    at: str


@dataclass(frozen=True, slots=True)
class Move:
    """``A PAR-BUR``, ``A LON-BRE VIA`` (``via``), ``A LON-ENG-BRE`` (``route`` = ``("eng",)``).

    In a retreat phase the same class is the retreat order ``A SER-GRE``.
    """

    type: UnitType | None
    at: str
    to: str
    via: bool = False
    route: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Support:
    """``A MAR S A PAR-BUR`` (``to`` given) or hold support ``A MUN S A BER`` (``to`` is ``None``).

    ``of`` is where the supported unit stands; ``of_power`` a nationality, if one was written (a wrong one is ignored,
    DATC 4.C.6).
    """

    type: UnitType | None
    at: str
    of_type: UnitType | None
    of: str
    to: str | None = None
    of_power: str | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """``F ENG C A LON-BRE``: ``of`` is the army's province, ``to`` its destination."""

    type: UnitType | None
    at: str
    of: str
    to: str


@dataclass(frozen=True, slots=True)
class Disband:
    """``A SER D``: disband instead of retreating, or remove in the adjustments."""

    type: UnitType | None
    at: str


@dataclass(frozen=True, slots=True)
class Build:
    """``A PAR B``, ``F STP/SC B``. ``type`` is ``None`` if no letter was written (DATC 4.C.3)."""

    type: UnitType | None
    at: str


@dataclass(frozen=True, slots=True)
class Waive:
    """``WAIVE``: give up one build."""


Order: TypeAlias = Hold | Move | Support | Convoy | Disband | Build | Waive
