"""A position: the phase, the units, who owns what, and what a movement left behind for the retreats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from judge.errors import BadPosition
from judge.rules.board import Board, Unit, province_of

Season = Literal["S", "F", "W"]
PhaseKind = Literal["M", "R", "A"]

_PHASE = re.compile(r"([SFW])(\d{1,5})([MRA])\Z")
#: a turn alone: ``F1901``, ``01-F``
_TURN = re.compile(r"(?:([SF])(\d{4})|(\d\d)-([SF]))\Z")


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase, written ``S1901M``: season, year, kind (movement, retreats, adjustments)."""

    season: Season
    year: int
    kind: PhaseKind

    @classmethod
    def parse(cls, text: str) -> Phase:
        """``"F1901R"`` -> Phase; a turn alone (``"F1901"``, ``"01-F"``: CN-2, the years 19..) -> its movement.

        :raises ValueError: not a phase (movement and retreats are in S or F, adjustments in W).
        """
        turn = _TURN.match(text.strip().upper())
        if turn:
            return cls(turn[1] or turn[4], int(turn[2] or f"19{turn[3]}"), "M")  # type: ignore[arg-type]
        found = _PHASE.match(text.strip().upper())
        if not found or (found[1] == "W") != (found[3] == "A"):
            raise ValueError(f"{text!r} is no phase; S1901M, S1901R, F1901M, F1901R, W1901A are")
        return cls(found[1], int(found[2]), found[3])  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.kind}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit driven out: where its attacker came from (a province) and where it may go.

    ``attacked_from`` is the province the attacker started from, ``by_convoy`` whether it came over sea (DATC 4.A.5).
    ``retreats`` are locations (``"bul/sc"``), sorted; empty: it will be destroyed.
    """

    unit: Unit
    attacked_from: str
    by_convoy: bool = False
    retreats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Position:
    """What is on the board when a phase begins.

    ``units`` leaves out dislodged ones (they are in ``dislodged``). ``owners``: supply centre -> power; a centre nobody
    owns is not in it. ``contested``: provinces left empty by a stand-off of the movement before.
    """

    phase: Phase
    units: tuple[Unit, ...]
    owners: Mapping[str, str] = field(default_factory=dict)
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[str] = frozenset()

    def centres(self, power: str) -> tuple[str, ...]:
        """The centres ``power`` owns, sorted."""
        return tuple(sorted(c for c, p in self.owners.items() if p == power))

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """The undislodged units of ``power``."""
        return tuple(u for u in self.units if u.power == power)


def starting_position(board: Board) -> Position:
    """The position of the first movement, every home centre owned by its power (``CN-20``)."""
    owners = {p.id: p.home for p in board.provinces.values() if p.home and p.supply_centre}
    return Position(Phase("S", board.first_year, "M"), board.start, owners)


def check_position(board: Board, position: Position) -> None:
    """Check that the board bears the position.

    :raises BadPosition: a place or power that the board does not have, a unit where none of its kind stands, two units
        in one province, a dislodged unit of another phase than the retreats.
    """
    standing, powers = board.standing, board.powers
    taken: dict[str, Unit] = {}
    for unit in position.units:
        if unit.at not in standing[unit.type] or unit.power not in powers:
            _check_unit(board, unit)
        place = province_of(unit.at)
        if place in taken:
            raise BadPosition(f"two units in {place}: {taken[place].type} and {unit.type}")
        taken[place] = unit
    if position.dislodged and position.phase.kind != "R":
        raise BadPosition(f"dislodged units belong to a retreat phase, not to {position.phase}")
    fallen: set[str] = set()
    for dislodged in position.dislodged:
        _check_unit(board, dislodged.unit)
        if dislodged.unit.province in fallen:
            raise BadPosition(f"two dislodged units in {dislodged.unit.province}")
        fallen.add(dislodged.unit.province)
        if dislodged.attacked_from and dislodged.attacked_from not in board.provinces:
            raise BadPosition(f"attacked_from: the board has no {dislodged.attacked_from!r}")
    for place in (*position.contested, *position.owners):
        if place not in board.provinces:
            raise BadPosition(f"the board has no {place!r}")
    for place, owner in position.owners.items():
        if not board.provinces[place].supply_centre:
            raise BadPosition(f"{place} is no supply centre")
        if owner not in board.powers:
            raise BadPosition(f"the board has no power {owner!r}")


def _check_unit(board: Board, unit: Unit) -> None:
    if unit.power not in board.powers:
        raise BadPosition(f"the board has no power {unit.power!r}; it has {', '.join(board.powers)}")
    province = board.provinces.get(province_of(unit.at))
    if province is None:
        raise BadPosition(f"the board has no {unit.at!r}")
    if unit.type == "A" and (province.kind == "sea" or "/" in unit.at):
        raise BadPosition(f"no army stands in {unit.at}")
    if unit.type == "F" and unit.at not in board.fleet:
        coasts = ", ".join(board.locations(province.id))
        raise BadPosition(f"no fleet stands in {unit.at}" + (f"; {coasts} are its coasts" if province.coasts else ""))
