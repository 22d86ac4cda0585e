"""The board: provinces, coasts, who may go where, home centres and starting units. Values; built by ``variants``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

ProvinceKind = Literal["sea", "coastal", "inland"]
UnitType = Literal["A", "F"]


@lru_cache(maxsize=4096)
def province_of(location: str) -> str:
    """``"stp/sc"`` and ``"stp"`` -> ``"stp"``: supports, conflicts and ownership are about provinces, never coasts."""
    return location.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Province:
    """One area. ``coasts`` holds the names of split coasts (``("nc", "sc")``), empty for everything else."""

    id: str
    name: str
    kind: ProvinceKind
    supply_centre: bool
    home: str | None
    coasts: tuple[str, ...] = ()


class Unit(msgspec.Struct, frozen=True):
    """An army or fleet on the board; ``at`` is a location (``"par"``, a fleet's ``"stp/sc"``).

    (A struct is what a frozen dataclass is, made in a tenth of the time; an adjudication makes hundreds.)
    """

    power: str
    type: UnitType
    at: str

    @property
    def province(self) -> str:
        """The province the unit stands in, without a coast."""
        return province_of(self.at)


def moved(unit: Unit, to: str) -> Unit:
    """The unit in another location."""
    return Unit(unit.power, unit.type, to)


@dataclass(frozen=True, eq=False)
class Board:
    """A checked map. All ids are lower case.

    ``army``: province -> provinces an army can walk to.
    ``fleet``: location (``"stp/sc"``, ``"nth"``) -> locations a fleet can sail to.
    ``powers``: in the board's own order; ``start``: the units of the first turn.
    """

    name: str
    provinces: Mapping[str, Province]
    army: Mapping[str, frozenset[str]]
    fleet: Mapping[str, frozenset[str]]
    powers: tuple[str, ...]
    start: tuple[Unit, ...]
    victory_centres: int
    first_year: int = 1901
    #: province -> all provinces a fleet there (on any coast) may reach, coasts dropped; for quick tests
    fleet_provinces: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def home_centres(self, power: str) -> tuple[str, ...]:
        """The provinces that ``power`` may build in, in the board's order."""
        return tuple(p.id for p in self.provinces.values() if p.home == power and p.supply_centre)

    def supply_centres(self) -> tuple[str, ...]:
        """All supply centres, in the board's order."""
        return self._centres

    @cached_property
    def _centres(self) -> tuple[str, ...]:
        return tuple(p.id for p in self.provinces.values() if p.supply_centre)

    @cached_property
    def reach(self) -> Mapping[str, frozenset[str]]:
        """Location of a fleet -> provinces that it can sail to (and so support into), coasts dropped."""
        return {at: frozenset(map(province_of, targets)) for at, targets in self.fleet.items()}

    @cached_property
    def standing(self) -> Mapping[str, frozenset[str]]:
        """Kind of unit -> all locations where one may stand."""
        land = frozenset(p.id for p in self.provinces.values() if p.kind != "sea")
        return {"A": land, "F": frozenset(self.fleet)}

    @cached_property
    def sea_bit(self) -> Mapping[str, int]:
        """Sea province -> its own bit: a set of seas is one whole number."""
        seas = [p.id for p in self.provinces.values() if p.kind == "sea"]
        return {sea: 1 << index for index, sea in enumerate(seas)}

    @cached_property
    def sea_near(self) -> Mapping[int, int]:
        """A sea's bit -> the seas that touch it, as a set of bits."""
        return {
            bit: sum(self.sea_bit[to] for to in self.fleet_provinces[sea] if to in self.sea_bit)
            for sea, bit in self.sea_bit.items()
        }

    @cached_property
    def shore(self) -> Mapping[str, int]:
        """Coastal province -> the seas at any of its coasts, as a set of bits."""
        return {
            p.id: sum(self.sea_bit[to] for to in self.fleet_provinces[p.id] if to in self.sea_bit)
            for p in self.provinces.values()
            if p.kind == "coastal"
        }

    def locations(self, province: str) -> tuple[str, ...]:
        """Where in ``province`` a fleet can stand: its split coasts, or the province itself."""
        coasts = self.provinces[province].coasts
        return tuple(f"{province}/{coast}" for coast in coasts) or (province,)
