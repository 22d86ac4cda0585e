"""What goes into reading a line, and what comes out: values only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, overload

from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import HouseRules
from judge.rules.orders import Order
from judge.rules.outcome import Arg
from judge.rules.position import Dislodged, Position
from judge.variants.names import Names

#: ``order``: all of it legal here. ``illegal``: read, and at least one order is void here. ``ambiguous``: the player is
#: asked; only the good part of the line is in ``orders``. ``not-an-order``: nothing is taken.
Kind = Literal["order", "illegal", "ambiguous", "not-an-order"]


@dataclass(frozen=True)
class Context:
    """What a line is read against. ``power`` ``None``: whose unit it is is not asked."""

    board: Board
    names: Names
    position: Position
    power: str | None
    rules: HouseRules

    @cached_property
    def standing(self) -> Mapping[str, Unit]:
        """Province -> the unit that stands there."""
        return {province_of(unit.at): unit for unit in self.position.units}

    @cached_property
    def fallen(self) -> Mapping[str, Dislodged]:
        """Province -> the unit that was driven out of it and has to retreat."""
        return {province_of(d.unit.at): d for d in self.position.dislodged}

    def ordered(self, province: str) -> Unit | None:
        """The unit in ``province`` that orders of this phase are about: the dislodged one, if it is a retreat phase."""
        if self.position.phase.kind == "R" and province in self.fallen:
            return self.fallen[province].unit
        return self.standing.get(province)

    @cached_property
    def own_units(self) -> tuple[Unit, ...]:
        """The units that the reader's power orders in this phase, in the position's order."""
        units = [d.unit for d in self.position.dislodged] if self.position.phase.kind == "R" else self.position.units
        return tuple(unit for unit in units if self.power is None or unit.power == self.power)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line, or a part of it, was not taken as it stands: a code and its arguments.

    Codes that begin with ``read.`` are this room's and listed in ``judge.render.problems``, which has their sentences; any
    other is the code of a reason of the rules (``judge.rules.reasons``), and ``rule`` the house rule that decided.
    ``span``: where in the line it lies, as (first, behind last) character of the plain text, if it is a part of it.
    """

    code: str
    args: Mapping[str, Arg] = field(default_factory=dict)
    span: tuple[int, int] | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was made of one line.

    ``orders``: what was read, in the line's order; of an ``illegal`` line also the void ones. ``legal``: those of them
    that are legal here. ``suggestions``: canonical texts of what may have been meant. ``heading``: the line is nothing
    but a heading (a power, a turn, "Builds:"). ``rest``: it speaks of "the rest" of the units. ``mentions``: the line has
    to do with orders, so that a player may want to know that it was not taken; a greeting has not.
    """

    kind: Kind
    line: str
    orders: tuple[Order, ...] = ()
    legal: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()
    suggestions: tuple[str, ...] = ()
    heading: bool = False
    rest: bool = False
    mentions: bool = False


class Readings(Sequence[Reading]):
    """The readings of a mail's lines, one a line, and the orders that count after all of them."""

    def __init__(
        self, readings: Sequence[Reading], orders: Sequence[Order], replaced: Sequence[tuple[Order, Order]]
    ) -> None:
        self._readings = tuple(readings)
        #: the last legal order for each unit, in the order of the lines
        self.orders = tuple(orders)
        #: (earlier, later) where a later line ordered the same unit otherwise
        self.replaced = tuple(replaced)

    @overload
    def __getitem__(self, index: int) -> Reading: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Reading, ...]: ...
    def __getitem__(self, index: int | slice) -> Reading | tuple[Reading, ...]:
        return self._readings[index]

    def __len__(self) -> int:
        return len(self._readings)

    def __iter__(self) -> Iterator[Reading]:
        return iter(self._readings)
