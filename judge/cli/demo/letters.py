"""What a player means to send: one value a letter, before any mail program makes a mail of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

Kind = Literal[
    "orders",  # all of a power's orders, or a part of them
    "wrong",  # orders that a later letter corrects
    "correction",
    "cleared",  # CLEAR, then everything anew
    "faulty",  # good orders with a line among them that cannot be used
    "late",  # after the deadline
    "over",  # after the end of the game
    "overtaken",  # written before the orders that are held, but slower on its way
    "command",
    "no-token",  # to the game's open address
    "away",  # a mailbox that answers by itself
    "forged",  # to an address with a made-up token
    "unknown",  # to a game that there is not
]

#: what the judge makes of a letter of each kind (the outcome of its mail); the rest are refused at the door
OUTCOMES = {
    "orders": "orders",
    "wrong": "orders",
    "correction": "orders",
    "cleared": "orders",
    "faulty": "orders",
    "late": "late",
    "over": "over",
    "overtaken": "asked",
    "command": "command",
    "no-token": "held",
    "away": "auto-reply",
}
#: letters that the door refuses: they go to nobody
REFUSED = frozenset({"forged", "unknown"})
#: letters that no answer comes to
SILENT = REFUSED | {"away"}


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter. ``at``: when it is sent, from the opening of the phase that it is planned in; ``written_before``: how
    much earlier its Date says it was written. ``about``: the phase whose mail it answers; ``answers``: that mail, the
    receipt of the player's letter before it, or nothing. ``faults``: lines in it that cannot be used. ``copies``: how often
    the same mail is handed over.
    """

    power: str
    kind: Kind
    at: timedelta
    about: str
    lines: tuple[str, ...]
    program: str
    answers: Literal["turn", "receipt", "nothing"] = "turn"
    faults: tuple[str, ...] = ()
    copies: int = 1
    written_before: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class Turn:
    """The letters of one phase in the order they are sent. ``missing``: units left without an order on purpose."""

    phase: str
    letters: tuple[Letter, ...]
    missing: tuple[str, ...] = ()
