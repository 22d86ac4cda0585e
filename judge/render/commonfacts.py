"""What all mails of a game know, and what a reader owes: parts of the facts of the single kinds of mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.position import Dislodged


class Why(Protocol):
    """A code with arguments that has a sentence: a ``Reason`` of the rules, or a reading problem of ``notation``."""

    @property
    def code(self) -> str: ...

    @property
    def args(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command: a code of :mod:`judge.render.answers` with its arguments."""

    code: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Common:
    """What every mail of a game to one seat knows.

    ``phase`` is the phase that the mail is about (``"S1901M"``): in a result the one adjudicated, else the one now
    open. ``deadline`` is that of the phase now open, ``None`` if none runs. ``reply_to`` is the seat's reply address
    with the placeholder token in it; it is put into ``mailto:`` links and never shown as text. ``early``: the phase
    may run before its deadline, as soon as every power that owes orders has a complete set and none waits.
    ``paused``: no deadline runs, since the game is paused; by itself it goes on at ``paused_until``, if that is known.
    ``comment``: the game master's note on the game.
    ``player`` is the reader's own name, if known.
    """

    game: str
    phase: str
    power: str
    domain: str
    reply_to: str
    now: datetime
    deadline: datetime | None
    board: Board
    rules: HouseRules
    player: str | None = None
    early: bool = True
    paused: bool = False
    paused_until: datetime | None = None
    comment: str = ""

    @property
    def master(self) -> bool:
        """Whether the reader is the game master, who has no power (``power`` is ``"master"``)."""
        return self.power == "master"


@dataclass(frozen=True, slots=True)
class Due:
    """What the reader must decide in the phase now open, and by when.

    ``units``: movement, the units that take an order; a removal, those to choose from. ``retreats``: dislodged units
    with somewhere to go. ``builds`` and ``removals`` are counts; ``build_sites`` the free places as locations
    (``"par"``, ``"stp/sc"``: a fleet's coast).
    """

    phase: str
    deadline: datetime | None
    units: tuple[Unit, ...] = ()
    retreats: tuple[Dislodged, ...] = ()
    builds: int = 0
    build_sites: tuple[str, ...] = ()
    removals: int = 0

    @property
    def decides(self) -> bool:
        """Whether there is anything to order."""
        return bool(self.units or self.retreats or self.builds or self.removals)
