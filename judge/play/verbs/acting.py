"""Who asks for what: the act that a command is, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.errors import Refused
from judge.mail.commands import Command
from judge.mail.reading import Incoming
from judge.mail.verbs import Role
from judge.play.judge import Judge, Table
from judge.render import refusals
from judge.render.commonfacts import Answer
from judge.store.games import Game, Seat
from judge.store.inbox import StoredMail
from judge.store.people import Person


class NotDone(Refused):
    """A command that is not carried out. ``code`` and ``args`` say why (:mod:`judge.render.refusals` has the sentence); as
    an exception it reads in plain English. Nothing may have been written when it is raised."""

    def __init__(self, code: str, **args: Any) -> None:
        super().__init__(refusals.english(code, args))
        self.code = code
        self.arguments: dict[str, Any] = args


@dataclass(frozen=True)
class Act:
    """One mail's wish to do something, by somebody whose identity is beyond doubt.

    ``seat`` is the power's (or the master's) that the mail was proved to be from, ``None`` for ``anyone``, who writes from
    ``address``, and is ``person`` if that is proved. ``table``: the open phase, or the last one of a game that has ended;
    ``None`` before the start and outside of any game. ``out_of_turn``: the mail answers another phase than the one that is
    open, or came too late.
    """

    judge: Judge
    role: Role
    mail: StoredMail
    incoming: Incoming
    now: datetime
    game: Game | None = None
    table: Table | None = None
    seat: Seat | None = None
    address: str = ""
    out_of_turn: bool = False
    person: Person | None = None

    @property
    def state(self) -> str:
        """The state of the game, ``""`` outside of any."""
        return self.game.state if self.game else ""


#: Carries a command out, inside the caller's transaction; gives what its writer is answered.
Doer = Callable[[Act, Command], Sequence[Answer]]


def refused(command: Command, why: NotDone) -> Answer:
    """The answer to a command that was not carried out."""
    return Answer("refused", {"line": command.line[:200], "verb": command.name, "code": why.code, "args": why.arguments})
