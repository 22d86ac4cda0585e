"""What a line says before the position is looked at: an order whose places may still mean several provinces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.notation.lexicon import PlaceName
from judge.rules.board import UnitType

#: Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive; a Unit alone; a choice (X) between several
SketchKind = Literal["H", "M", "S", "C", "R", "D", "B", "W", "U", "X"]


@dataclass(frozen=True, slots=True)
class PlaceSaid:
    """A place as it was written, with its coast if one was."""

    name: PlaceName
    coast: str | None = None


@dataclass(frozen=True, slots=True)
class UnitSaid:
    """A unit as it was written: its place, and letter and nationality if they were. ``type`` ``"*"``: "the unit in"."""

    place: PlaceSaid
    type: UnitType | Literal["*"] | None = None
    power: str | None = None

    @property
    def letter(self) -> UnitType | None:
        """The letter, if one was written."""
        return None if self.type == "*" else self.type


@dataclass(frozen=True, slots=True)
class Target:
    """Where a unit goes: the last place, those on the way, and whether "by convoy" was said."""

    to: PlaceSaid
    route: tuple[PlaceSaid, ...] = ()
    via: bool = False


@dataclass(frozen=True, slots=True)
class Sketch:
    """One order as it was written.

    ``unit``: the ordered unit; or all units, all armies, all fleets, all that the line says nothing else about. A hold with
    a ``target`` names where the unit stays.
    ``of``: the unit supported or convoyed. ``count``: how many builds are waived (0: all).
    ``options``: the orders that are left open (kind ``X``).
    """

    kind: SketchKind
    unit: UnitSaid | Literal["all", "armies", "fleets", "rest"] | None = None
    target: Target | None = None
    of: UnitSaid | None = None
    count: int = 1
    options: tuple[Sketch, ...] = ()
