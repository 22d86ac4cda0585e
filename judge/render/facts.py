"""What a mail says: one frozen dataclass a kind of mail, plain data without a database behind it.

``judge.play`` builds these from the store; ``judge.render.mails.render`` makes subject, text and HTML of them in the
reader's language. Whatever a person typed (a line, a name, a reason) is kept as they typed it; everything else is a
code with arguments or a value of ``judge.rules``. All datetimes are aware UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.orders import Order
from judge.rules.outcome import Adjudication, GameEnd
from judge.rules.position import Dislodged, Position


class Why(Protocol):
    """A code with arguments that has a sentence: a ``Reason`` of the rules, or a reading problem of ``notation``."""

    @property
    def code(self) -> str: ...

    @property
    def args(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class Common:
    """What every mail of a game to one seat knows.

    ``phase`` is the phase that the mail is about (``"S1901M"``): in a result the one adjudicated, else the one now
    open. ``deadline`` is that of the phase now open, ``None`` if none runs. ``reply_to`` is the seat's reply address
    with the placeholder token in it; it is put into ``mailto:`` links and never shown as text. ``early``: the phase
    may run before its deadline, as soon as every power that owes orders has a complete set and none waits.
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


@dataclass(frozen=True, slots=True)
class Seat:
    """One power as the others may see it. ``player`` and ``address`` are ``None`` where the house rules hide them."""

    power: str
    player: str | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one player got in the draw of powers; players are numbered as they came, and stay without a name.

    ``wishes``: best first; ``how``: as in ``judge.play.assigning`` (``granted``, ``won``, ``left``, ``ranked``,
    ``came-first``, ``drawn``); ``among``: how many drew for the power; ``rank``: its place on the list, from 1.
    """

    player: int
    power: str
    wishes: tuple[str, ...] = ()
    how: str = "drawn"
    among: int = 1
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class PowerDraw:
    """How the powers were given out. ``command`` is the shell command by which anybody can draw again."""

    seed: str
    command: str
    given: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class StartFacts:
    """A game begins. ``due.units`` are the reader's units; ``seats`` all powers in the board's order; ``draw`` is how the
    powers fell, if they were drawn."""

    common: Common
    seats: tuple[Seat, ...]
    due: Due
    draw: PowerDraw | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """An order that will be used at the deadline.

    ``since`` is when an earlier mail set it; ``None``: this mail did. ``repeated``: this mail said again what was held
    already. ``again``: the unit repeats the order that it had before (``orders.perpetual``).
    """

    order: Order
    since: datetime | None = None
    repeated: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class OnFile:
    """An order that will be used and that a sealed receipt does not show (CN-19); ``since`` as in :class:`Held`.

    ``at`` is the province of its unit; ``None`` in adjustments, where the place would be the order.
    """

    at: str | None
    since: datetime | None = None
    again: bool = False


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
    ``count``: how many orders a CLEAR dropped.
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
class PressFacts:
    """A message from another player, to be read by ``common.power``.

    ``sender``: the power (or ``"master"``) that signs it, ``None`` if it is grey; ``address``: where its player may be
    written to, if the house rules show addresses. ``to``: all that it went to, empty where that would tell who wrote it.
    """

    common: Common
    text: str
    sender: str | None = None
    address: str | None = None
    to: tuple[str, ...] = ()
    everybody: bool = False


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The answer to one mail of a player: everything now held, and everything that could not be used.

    ``number`` counts the seat's receipts. ``position`` is the one now ordered for. ``due`` says what the reader owes
    in all (``None``: nothing in this phase); ``missing`` the locations of ``due`` that still have no order,
    ``unused_builds`` how many builds (removals) have none. ``complete``: nothing is missing. A HELP among ``commands``
    adds the short manual, ``standings`` is the table of a STATUS. ``empty``: the mail held no line of the player's own.
    ``in_reply_subject`` is the subject of the player's mail.

    ``sealed`` (``orders.secrecy``): no order is shown. ``on_file`` stands for ``held``, ``gave_way`` for ``replaced``, and
    ``taken_off`` names what this mail took off; the last two by province, ``None`` in adjustments. ``hands``: units in
    other hands (``orders.proxy``), as (province, owner, who orders it), of the reader's or with the reader.
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
    hands: tuple[tuple[str, str, str], ...] = ()
    press: tuple[PressDone, ...] = ()

    @property
    def asked_for_help(self) -> bool:
        """Whether the mail asked for HELP."""
        return any(command.name == "HELP" for command in self.commands)


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A phase has been adjudicated.

    ``before`` is the position it began with, ``adjudication.position`` the one that follows. ``due`` is what the reader
    owes next (``None``: nothing); ``common.phase`` the phase adjudicated, ``common.deadline`` that of the next one.
    ``missed``: powers that gave no orders although they owed some. ``disorder``: the powers whose civil disorder began
    with this phase, goes on, or is over. ``repeated``: provinces of units that repeated an earlier order, since nothing was
    ordered for them (``orders.perpetual``); ``proxies``: province -> who ordered its unit for the owner.
    ``adjudication.end`` set: the game is over, and ``years`` are as in :class:`EndFacts`.
    """

    common: Common
    before: Position
    adjudication: Adjudication
    due: Due | None = None
    missed: tuple[str, ...] = ()
    ran_early: bool = False
    disorder: Mapping[str, Literal["began", "goes-on", "over"]] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()
    proxies: Mapping[str, str] = field(default_factory=dict)
    years: tuple[Year, ...] = ()


@dataclass(frozen=True, slots=True)
class Year:
    """The supply centres (``counts``) and units (``units``) of each power when ``year`` was over."""

    year: int
    counts: Mapping[str, int]
    units: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The game is over: who won by which rule, the final standing, the centres by year (oldest first)."""

    common: Common
    end: GameEnd
    position: Position
    years: tuple[Year, ...]
    seats: tuple[Seat, ...] = ()
    press: tuple[PressDone, ...] = ()


@dataclass(frozen=True, slots=True)
class TooEarlyFacts:
    """The answer to press for a game that has not begun: it went to nobody, and is given back."""

    common: Common
    press: tuple[PressDone, ...]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One house rule changed: old and new value as text, the new one as a value of the type, and the first phase that is
    played by it (``None``: the next one, whichever that will be)."""

    key: str
    old: str
    new: str
    value: object
    from_phase: str | None = None


@dataclass(frozen=True, slots=True)
class RulesFacts:
    """The answer to RULES: all house rules in plain words; ``coming`` are changes that wait for their phase."""

    common: Common
    coming: tuple[RuleChange, ...] = ()


@dataclass(frozen=True, slots=True)
class NotDone:
    """A line of a master's mail that changed nothing: the line as written, and why, as a code of
    :mod:`judge.render.refusals` with its arguments."""

    line: str
    code: str
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatState:
    """A power as its game master sees it: who plays it (``None``: nobody), and how far its orders are: ``complete``,
    ``partial``, ``none``, ``not-needed``, ``civil-disorder``, ``nobody``; ``None``: nothing is awaited, or the master plays
    and may not know."""

    power: str
    address: str | None
    orders: str | None = None


@dataclass(frozen=True, slots=True)
class MasterFacts:
    """To the game master: the letter that makes them master (``letter``), word that the game has started (``started``), or
    the answer to a mail of theirs.

    ``common.power`` is ``"master"``, and ``common.phase`` empty before the game has started. ``changes``: the rules set by
    the mail, ``why`` with its reason; ``same``: keys whose value is so already; ``not_done``: lines that changed nothing.
    ``rules``: all house rules are asked for, ``coming`` are the changes that wait; ``help``: the manual is; ``seats`` is
    the table of a STATUS. ``state`` is the game's: ``forming``, ``running``, ``ended``.
    """

    common: Common
    state: str
    letter: bool = False
    started: bool = False
    changes: tuple[RuleChange, ...] = ()
    why: str | None = None
    same: tuple[str, ...] = ()
    not_done: tuple[NotDone, ...] = ()
    help: bool = False
    rules: bool = False
    coming: tuple[RuleChange, ...] = ()
    seats: tuple[SeatState, ...] = ()
    in_reply_subject: str = ""
    press: tuple[PressDone, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """Something about the game changed that was no player's order.

    ``code`` and ``args``: ``deadline-changed`` (``old``, ``new``: datetime | None), ``postponed`` (``old``, ``new``),
    ``rules-changed`` (``changes``: a tuple of :class:`RuleChange`), ``paused``, ``resumed`` (``new``), ``seat-changed``
    (``power``), ``rolled-back`` (``phase``), ``announcement`` (``text``), ``mail-set-aside`` (``arrived``: the reader's own
    mail, which could not be taken in). ``by`` names who did it as they may be shown, ``why`` is their own words.
    """

    common: Common
    code: str
    args: Mapping[str, object] = field(default_factory=dict)
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class HelpFacts:
    """The short manual, sent by ``judge@DOMAIN`` or to a mail that held nothing; ``game`` if it concerned one."""

    domain: str
    now: datetime
    game: str | None = None
    in_reply_subject: str = ""


@dataclass(frozen=True, slots=True)
class NotAcceptedFacts:
    """A mail came to ``GAME@DOMAIN`` without a seat's token; told to the address that is registered, and to no other.

    The mail goes out with the seat's Reply-To, so that the player has the right address in hand.
    """

    common: Common
    arrived: datetime


@dataclass(frozen=True, slots=True)
class ForwardFacts:
    """A mail to the operator's addresses goes on to the operator, whole, as an attachment.

    ``sender`` and ``subject`` are what the mail says of itself; ``number`` is its number in the inbox. ``set_aside``: it is
    told of only, since it could not be taken in.
    """

    domain: str
    now: datetime
    number: int
    sender: str
    subject: str
    arrived: datetime
    set_aside: bool = False


Facts = (
    StartFacts
    | ReceiptFacts
    | ResultFacts
    | EndFacts
    | PressFacts
    | TooEarlyFacts
    | NoticeFacts
    | RulesFacts
    | MasterFacts
    | HelpFacts
    | NotAcceptedFacts
    | ForwardFacts
)
