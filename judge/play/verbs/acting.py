"""Who asks for what: the act that a command is, what it may answer, and how answers are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from judge.store.db import instant, stamp
from judge.store.games import Game, Seat
from judge.store.inbox import StoredMail

#: marks an instant among stored arguments
_INSTANT = "$at"


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
    ``address``. ``table``: the open phase, or the last one of a game that has ended; ``None`` before the start and outside
    of any game. ``out_of_turn``: the mail answers another phase than the one that is open, or came too late.
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

    @property
    def state(self) -> str:
        """The state of the game, ``""`` outside of any."""
        return self.game.state if self.game else ""


#: Carries a command out, inside the caller's transaction; gives what its writer is answered.
Doer = Callable[[Act, Command], Sequence[Answer]]


def refused(command: Command, why: NotDone) -> Answer:
    """The answer to a command that was not carried out."""
    return Answer("refused", {"line": command.line[:200], "code": why.code, "args": why.arguments})


def stored(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Answers as they lie in the outbox."""
    return [{"code": one.code, "args": _out(one.args)} for one in answers]


def of_stored(lying: Sequence[Mapping[str, Any]]) -> tuple[Answer, ...]:
    """Answers out of an outbox line."""
    return tuple(Answer(one["code"], _in(one["args"])) for one in lying)


def _out(value: Any) -> Any:
    if isinstance(value, datetime):
        return {_INSTANT: stamp(value)}
    if isinstance(value, Mapping):
        return {key: _out(one) for key, one in value.items()}
    return [_out(one) for one in value] if isinstance(value, list | tuple) else value


def _in(value: Any) -> Any:
    if isinstance(value, Mapping):
        return instant(value[_INSTANT]) if value.keys() == {_INSTANT} else {key: _in(one) for key, one in value.items()}
    return [_in(one) for one in value] if isinstance(value, list) else value
