"""What the answer to a player's mail says: what is held now, what could not be used, what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from judge.render.commonfacts import Answer, Common, Due, Why
from judge.rules.orders import Order
from judge.rules.position import Position


@dataclass(frozen=True, slots=True)
class Held:
    """An order that will be used at the deadline.

    ``since`` is when an earlier mail set it; ``None``: this mail did. ``repeated``: this mail said again what was held
    already. ``again``: the unit repeats the order that it had before (``orders.perpetual``). ``listed``: a list that was
    written ahead put it there.
    """

    order: Order
    since: datetime | None = None
    repeated: bool = False
    again: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class OnFile:
    """An order that will be used and that a sealed receipt does not show (CN-19); ``since`` as in :class:`Held`.

    ``at`` is the province of its unit; ``None`` in adjustments, where the place would be the order. Whether the unit repeats
    an earlier order is not told: that one has been published.
    """

    at: str | None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotUsed:
    """A line that could not be used: as written, why, and canonical texts of what was perhaps meant."""

    line: str
    problems: tuple[Why, ...]
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A line that can mean several orders: numbered in this order; the answer is the number alone.

    ``first`` is the number of the first choice; it runs on over all questions of a phase, so that one number says which
    question it answers, whichever receipt is answered.
    """

    line: str
    choices: tuple[Order, ...]
    problems: tuple[Why, ...] = ()
    first: int = 1


@dataclass(frozen=True, slots=True)
class Replaced:
    """An order that a later line or mail took the place of: ``old`` gave way to ``new``."""

    old: Order
    new: Order


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A command that the mail gave, and what came of it.

    ``result``: ``done``; ``nothing`` (there was nothing to clear, it was so already); ``refused`` (READY without a
    complete set, a command that is not open now). ``name`` in capitals: CLEAR, READY, WAIT, STATUS, HELP.
    ``count``: how many orders a CLEAR dropped, units it took out of other hands (``CLEAR PROXY``), or lines a CLEAR LATER.
    """

    name: str
    result: Literal["done", "nothing", "refused"] = "done"
    count: int = 0


@dataclass(frozen=True, slots=True)
class Late:
    """Why the orders of this mail were not applied.

    ``after-deadline``: it came (``arrived``) after the deadline of the phase it answers (``phase``, ``instant`` = that
    deadline). ``earlier-phase``: it answers a mail about an earlier phase (``phase``); ``instant`` is when that one was
    processed, if known. ``older-date``: it was written (``instant``: its Date) before the mail that set the orders
    held (``held_since``). ``orders`` are the orders it would have given, ``fits``: all of them would be good now, so
    that the reader is asked: number ``first`` uses them after all, the next one leaves everything as it is. ``count``: how
    many there are; in a sealed receipt that is all it says of them.
    """

    kind: Literal["after-deadline", "earlier-phase", "older-date"]
    phase: str
    instant: datetime | None = None
    held_since: datetime | None = None
    orders: tuple[Order, ...] = ()
    fits: bool = False
    first: int = 0
    arrived: datetime | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """One power in a STATUS: its counts, and how far its orders are as far as the reader may know (else ``None``)."""

    power: str
    centres: int
    units: int
    orders: Literal["complete", "partial", "none", "not-needed"] | None = None


@dataclass(frozen=True, slots=True)
class KeptList:
    """A ranked list that is kept (``retreat``, ``builds``, ``removals``): its orders, the first that is possible first;
    ``unit``: whose retreats they are (``A VIE``)."""

    kind: str
    unit: str
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class LaterLines:
    """Lines that are kept for a phase which is not open yet (``"F1903M"``), as written and in the order in which they will
    be read; or ``lists`` for it, or for all retreats (``always``: ``R``) or adjustments (``A``) to come. In a sealed receipt
    only how many lines there are (``count``)."""

    phase: str
    lines: tuple[str, ...]
    count: int
    always: str = ""
    lists: tuple[KeptList, ...] = ()


@dataclass(frozen=True, slots=True)
class PressDone:
    """What became of one message to other players in a mail.

    ``to``: the powers that it went to (``"master"``: the game master), ``absent`` those that nobody plays, ``everybody`` if
    it was for all; ``grey``: without the sender's name. ``why``: the code that says why it went to nobody, with ``args``.
    ``named``: the recipients as written. ``text``: the first words of what was passed on, or what was refused, as far as
    there is room (``whole``: all of it).
    """

    to: tuple[str, ...]
    named: str = ""
    absent: tuple[str, ...] = ()
    everybody: bool = False
    grey: bool = False
    why: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The answer to one mail of a player: everything now held, and everything that could not be used.

    ``number`` counts the seat's receipts. ``position`` is the one now ordered for. ``due`` says what the reader owes
    in all (``None``: nothing in this phase); ``missing`` the locations of ``due`` that still have no order,
    ``unused_builds`` how many builds (removals) have none. ``complete``: nothing is missing. A HELP among ``commands``
    adds the short manual, ``standings`` is the table of a STATUS. ``empty``: the mail held no line of the player's own.
    ``in_reply_subject`` is the subject of the player's mail.

    ``sealed`` (``orders.secrecy``): no order is shown. ``on_file`` stands for ``held``, ``gave_way`` for ``replaced``, and
    ``taken_off`` names what this mail took off, ``cancelled`` what it and another mail say differently
    (``orders.undated``); the last three by province, ``None`` in adjustments. ``hands``: units in
    other hands (``orders.proxy``), as (province, owner, who orders it), of the reader's or with the reader.

    ``later``: what is kept for later phases, if the mail changed that or asked for it; ``elsewhere``: other games that it
    held orders for, which were taken in there. ``answers``: those to its commands. ``commitment``: the
    hash of the orders on file, 64 hex digits; empty, if none was made.
    """

    common: Common
    number: int
    position: Position
    due: Due | None
    held: tuple[Held, ...] = ()
    missing: tuple[str, ...] = ()
    unused_builds: int = 0
    complete: bool = False
    ready: bool = False
    waiting: bool = False
    not_used: tuple[NotUsed, ...] = ()
    questions: tuple[Question, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    commands: tuple[CommandDone, ...] = ()
    late: Late | None = None
    empty: bool = False
    standings: tuple[Standing, ...] = ()
    in_reply_subject: str = ""
    sealed: bool = False
    on_file: tuple[OnFile, ...] = ()
    gave_way: tuple[str | None, ...] = ()
    taken_off: tuple[str | None, ...] = ()
    cancelled: tuple[str | None, ...] = ()
    hands: tuple[tuple[str, str, str], ...] = ()
    press: tuple[PressDone, ...] = ()
    later: tuple[LaterLines, ...] = ()
    elsewhere: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    commitment: str = ""

    @property
    def asked_for_help(self) -> bool:
        """Whether the mail asked for HELP."""
        return any(command.name == "HELP" for command in self.commands)
