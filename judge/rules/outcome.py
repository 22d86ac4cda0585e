"""What came of the orders: a result word and a reason for each, and the position that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import msgspec

from judge.rules.board import Unit
from judge.rules.orders import Order
from judge.rules.position import Dislodged, Position


class Result(StrEnum):
    """The one-word result of an order (the words of ``judge adjudicate``)."""

    SUCCEEDS = "succeeds"
    #: a move that met equal or greater strength, or whose target did not leave; a retreat that met another
    BOUNCES = "bounces"
    #: a move by convoy with no complete route, or whose route was broken
    NO_CONVOY = "no-convoy"
    #: support or convoy that did what it said
    GIVEN = "given"
    CUT = "cut"
    #: the supported or convoyed unit was not ordered so
    UNMATCHED = "unmatched"
    #: the convoying fleet was driven out
    DISRUPTED = "disrupted"
    HOLDS = "holds"
    #: illegal, or could not be read
    VOID = "void"


Arg: TypeAlias = str | int | Unit | tuple[str, ...] | tuple[int, ...] | tuple[Unit, ...]


class Reason(msgspec.Struct, frozen=True):
    """Why: a code and its arguments; the sentence is made by ``judge.render.reasons`` in the reader's language.

    ``rule`` names the house-rule key that decided, if one did (``"convoy.disruption"``). Codes and their arguments are
    listed in ``judge.rules.reasons``.
    """

    code: str
    args: Mapping[str, Arg] = msgspec.field(default_factory=dict)
    rule: str | None = None


class GivenOrder(msgspec.Struct, frozen=True):
    """One order as handed in. ``order`` is ``None`` for a line that could not be read: it is void and harms nothing."""

    power: str
    order: Order | None


class Outcome(msgspec.Struct, frozen=True):
    """What came of one order.

    ``unit`` is the unit as it stood before, if the order names one. ``dislodged``: it was driven out (movement).
    ``filled_in``: nobody gave this order: the hold (disband, removal, waived build) of who had none.
    """

    power: str
    order: Order | None
    unit: Unit | None
    result: Result
    reason: Reason
    dislodged: bool = False
    filled_in: bool = False


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended: the key of the rule (``"victory.centres"``), who won or shares the draw, each power's count."""

    ended_by: str
    winners: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A phase adjudicated.

    ``outcomes``: one for every given order, in order, then the filled-in ones.
    ``position``: the next position; its ``phase`` is the next one that needs anybody's orders (phases with nothing to
    decide are passed over, and named in ``skipped``). After the last phase of a finished game it still names the phase
    that would have come.
    ``end``: set when this phase ended the game.

    ``units``, ``dislodged`` and ``contested`` are the board right after this very phase (``dislodged`` with the units
    that have nowhere to go). ``aftermath`` is what then happened in the ``skipped`` phases: units without a retreat
    destroyed, removals that leave no choice.
    """

    outcomes: tuple[Outcome, ...]
    position: Position
    skipped: tuple[str, ...] = ()
    end: GameEnd | None = None
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[str] = frozenset()
    aftermath: tuple[Outcome, ...] = ()
