"""Who asks for what: the act that a command is, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.mail.commands import Command
from judge.mail.reading import Incoming
from judge.mail.verbs import Role
from judge.play.answering import of_stored as of_stored
from judge.play.answering import stored as stored
from judge.play.judge import Judge, Table
from judge.play.notdone import NotDone as NotDone
from judge.render.commonfacts import Answer
from judge.store.games import Game, Seat
from judge.store.inbox import StoredMail
from judge.store.people import Person


@dataclass(frozen=True)
class Act:
    """One mail's wish to do something, by somebody whose identity is beyond doubt.

    ``seat`` is the power's (or the master's) that the mail was proved to be from, ``None`` for ``anyone``, who writes from
    ``address``, and is ``person`` if that is proved. ``table``: the open phase, or the last one of a game that has ended;
    ``None`` before the start and outside of any game. ``out_of_turn``: the mail answers another phase than the one that is
    open, or came too late. ``why``: the reason that a master's mail gives, in its words; where it gives several, ``whys``
    has them by the line of the command.
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
    why: str | None = None
    whys: Mapping[str, str] = field(default_factory=dict)

    def of(self, command: Command) -> Act:
        """The same for one command of the mail, with the reason that is given for it."""
        return replace(self, why=self.whys.get(command.line.strip()) or self.why)

    @property
    def state(self) -> str:
        """The state of the game, ``""`` outside of any."""
        return self.game.state if self.game else ""


#: Carries a command out, inside the caller's transaction; gives what its writer is answered.
Doer = Callable[[Act, Command], Sequence[Answer]]


def refused(command: Command, why: NotDone) -> Answer:
    """The answer to a command that was not carried out."""
    return Answer("refused", {"line": command.line[:200], "verb": command.name, "code": why.code, "args": why.arguments})
