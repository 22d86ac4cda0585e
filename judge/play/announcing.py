"""Word to everybody in a game of what was done to it: one notice a person, and none to whoever is answered anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.play.answering import out, stored
from judge.play.judge import Judge, Table
from judge.play.posting import write_to_seat
from judge.render.commonfacts import Answer
from judge.store import games
from judge.store.games import Game, Seat


@dataclass(frozen=True, slots=True)
class Doer:
    """Who does something to a game, and why. ``who`` goes into the log: ``master``, ``operator`` (at the shell), ``clock``.

    ``answered``: the seat that is told in the answer to its own mail, and gets no notice besides.
    """

    who: str
    why: str | None = None
    answered: Seat | None = None

    @property
    def shown(self) -> str | None:
        """As the players read it; the clock does nothing of its own will."""
        return None if self.who == "clock" else self.who


def same_mailbox(one: str | None, other: str | None) -> bool:
    """Whether two addresses are one, as far as can be said."""
    return bool(one and other and one.casefold() == other.casefold())


def powers_of_master(judge: Judge, game: Game) -> list[str]:
    """The powers that the game master plays."""
    own = games.master(judge.store, game.id)
    seats = games.seats(judge.store, game.id)
    return [seat.power for seat in seats if own is not None and same_mailbox(seat.address, own.address)]


def announce(
    judge: Judge,
    table: Table,
    code: str,
    args: Mapping[str, Any],
    doer: Doer,
    now: datetime,
    *,
    number: int,
    answers: Sequence[Answer] = (),
    own: Mapping[str, Sequence[Answer]] | None = None,
) -> None:
    """Put a notice to everybody who reads the game into the outbox, inside the caller's transaction.

    ``code`` and ``args``: see :class:`judge.render.facts.NoticeFacts`. ``number``: of the log's line, since a phase may see
    the same thing done to it twice. ``answers``: sections that stand below the notice, ``own`` those of one power alone.
    """
    for seat in games.readers(judge.store, table.game.id):
        if doer.answered is not None and same_mailbox(seat.address, doer.answered.address):
            continue
        sections = [*(own or {}).get(seat.power, ()), *answers]
        said = {
            "code": code,
            "args": out(dict(args)),
            "by": doer.shown,
            "why": doer.why,
            "answers": stored(sections),
        }
        write_to_seat(judge, table, seat, "notice", said, now, extra=f"{code} {number}")
