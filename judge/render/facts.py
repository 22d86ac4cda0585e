"""What a mail says: one frozen dataclass a kind of mail, plain data without a database behind it.

``judge.play`` builds these from the store; ``judge.render.mails.render`` makes subject, text and HTML of them in the
reader's language. Whatever a person typed (a line, a name, a reason) is kept as they typed it; everything else is a
code with arguments or a value of ``judge.rules``. All datetimes are aware UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from judge.render.commonfacts import Answer as Answer
from judge.render.commonfacts import Common as Common
from judge.render.commonfacts import Due as Due
from judge.render.commonfacts import Why as Why
from judge.render.heldfacts import Decided, HeldLetter
from judge.render.receiptfacts import CommandDone as CommandDone
from judge.render.receiptfacts import Held as Held
from judge.render.receiptfacts import KeptList as KeptList
from judge.render.receiptfacts import Late as Late
from judge.render.receiptfacts import LaterLines as LaterLines
from judge.render.receiptfacts import NotUsed as NotUsed
from judge.render.receiptfacts import OnFile as OnFile
from judge.render.receiptfacts import PressDone as PressDone
from judge.render.receiptfacts import Question as Question
from judge.render.receiptfacts import ReceiptFacts as ReceiptFacts
from judge.render.receiptfacts import Replaced as Replaced
from judge.render.receiptfacts import Standing as Standing
from judge.rules.board import Board
from judge.rules.orders import Order
from judge.rules.outcome import Adjudication, GameEnd
from judge.rules.position import Position


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
    """How the powers were given out. ``command`` is the shell command by which anybody can draw again; ``seed_from``:
    ``chance``, ``chosen`` (by whoever made the game), or ``None`` where it is not known."""

    seed: str
    command: str
    given: tuple[Drawn, ...]
    seed_from: str | None = None


@dataclass(frozen=True, slots=True)
class StartFacts:
    """A game begins. ``due.units`` are the reader's units; ``seats`` all powers in the board's order; ``draw`` is how the
    powers fell, if they were drawn; ``answers``: what somebody who takes a power over is told of how it stands."""

    common: Common
    seats: tuple[Seat, ...]
    due: Due
    draw: PowerDraw | None = None
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class PressFacts:
    """A message from another player, to be read by ``common.power``.

    ``sender``: the power (or ``"master"``) that signs it, ``None`` if it is grey; ``address``: where its player may be
    written to, if the house rules show addresses. ``to``: all that it went to, empty where that would tell who wrote it.
    ``statement``: it is said to all of a game that is over.
    """

    common: Common
    text: str
    sender: str | None = None
    address: str | None = None
    to: tuple[str, ...] = ()
    everybody: bool = False
    statement: bool = False


@dataclass(frozen=True, slots=True)
class RunAgain:
    """A phase was run again, since orders of ``power`` that ``came`` after it ``ran`` were accepted ``by`` the ``master`` or
    the ``operator``; ``why`` in their own words. ``open``: the phase that was open by then, whose orders do not count."""

    power: str
    came: datetime
    ran: datetime | None
    open: str
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A phase has been adjudicated.

    ``before`` is the position it began with, ``adjudication.position`` the one that follows. ``due`` is what the reader
    owes next (``None``: nothing); ``common.phase`` the phase adjudicated, ``common.deadline`` that of the next one.
    ``run_by``: who had the phase run before its deadline (``master``, ``master-plays``: one who plays too, ``operator``).
    ``again``: why it was run a second time.
    ``missed``: powers that gave no orders although they owed some. ``disorder``: the powers whose civil disorder began
    with this phase, goes on, or is over. ``repeated``: provinces of units that repeated an earlier order, since nothing was
    ordered for them (``orders.perpetual``); ``proxies``: province -> who ordered its unit for the owner.
    ``adjudication.end`` set: the game is over, and ``years`` and ``seats`` are as in :class:`EndFacts`.

    Of the orders that the reader wrote ahead, for the phase that opens: ``held`` are the good ones, which are on file
    (``on_file`` instead where receipts are sealed: provinces, ``None`` in adjustments), ``not_used`` the others;
    ``not_needed`` the phases that lines had been kept for and that did not come, or in which the reader owes nothing.

    ``commitments``: of each power that had a receipt in the phase the last one's, as (power, number, hash); ``nonce``: that
    of the reader's.
    """

    common: Common
    before: Position
    adjudication: Adjudication
    due: Due | None = None
    missed: tuple[str, ...] = ()
    ran_early: bool = False
    run_by: str | None = None
    again: RunAgain | None = None
    disorder: Mapping[str, Literal["began", "goes-on", "over"]] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()
    proxies: Mapping[str, str] = field(default_factory=dict)
    years: tuple[Year, ...] = ()
    seats: tuple[Seat, ...] = ()
    held: tuple[Order, ...] = ()
    on_file: tuple[str | None, ...] = ()
    not_used: tuple[NotUsed, ...] = ()
    not_needed: tuple[str, ...] = ()
    commitments: tuple[tuple[str, int, str], ...] = ()
    nonce: str = ""
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Year:
    """The supply centres (``counts``) and units (``units``) of each power when ``year`` was over."""

    year: int
    counts: Mapping[str, int]
    units: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The game is over: who won by which rule, the final standing, the centres by year (oldest first). ``called_off``: the
    phase that was open then never ran. ``by`` and ``why``: who ended it, if somebody did, and their own words."""

    common: Common
    end: GameEnd
    position: Position
    years: tuple[Year, ...]
    seats: tuple[Seat, ...] = ()
    press: tuple[PressDone, ...] = ()
    answers: tuple[Answer, ...] = ()
    called_off: bool = False
    by: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class TooEarlyFacts:
    """The answer to a player's mail for a game that has not begun: press went to nobody and is given back, commands have
    their answers."""

    common: Common
    press: tuple[PressDone, ...] = ()
    answers: tuple[Answer, ...] = ()


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
class MailFailing:
    """Mails to a player did not arrive: since when, how many were lost and how many late, and the status code (RFC 3463) of
    why. ``over_at``: when a mail of theirs came after all."""

    since: datetime
    status: str
    lost: int
    late: int
    over_at: datetime | None = None

    @property
    def mails(self) -> int:
        """How many mails."""
        return self.lost + self.late


@dataclass(frozen=True, slots=True)
class SeatState:
    """A power as its game master sees it: who plays it (``None``: nobody), and how far its orders are: ``complete``,
    ``partial``, ``none``, ``not-needed``, ``civil-disorder``, ``nobody``; ``None``: nothing is awaited, or the master plays
    and may not know."""

    power: str
    address: str | None
    orders: str | None = None
    failing: MailFailing | None = None


@dataclass(frozen=True, slots=True)
class MasterFacts:
    """To the game master: the letter that makes them master (``letter``), word that the game has started (``started``), or
    the answer to a mail of theirs.

    ``common.power`` is ``"master"``, and ``common.phase`` empty before the game has started. ``changes``: the rules set by
    the mail, ``why`` with its reason; ``same``: keys whose value is so already; ``not_done``: lines that changed nothing.
    ``rules``: all house rules are asked for, ``coming`` are the changes that wait; ``help``: the manual is; ``seats`` is
    the table of a STATUS. ``state`` is the game's: ``forming``, ``running``, ``ended``.

    ``unreachable``: word that mails do not reach the player of that power (its row is in ``seats``); ``heard``: when their
    last mail came, ``None`` if none has.
    """

    common: Common
    state: str
    letter: bool = False
    started: bool = False
    unreachable: str | None = None
    heard: datetime | None = None
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
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """Something about the game changed that was no player's order.

    ``code`` and ``args``: ``deadline-changed`` (``old``, ``new``: datetime | None), ``postponed`` (``old``, ``new``),
    ``rules-changed`` (``changes``: a tuple of :class:`RuleChange`), ``paused`` (``until``), ``resumed`` (``new``),
    ``seat-changed`` (``power``), ``rolled-back`` (``phase``, ``undone``: names of phases, ``new``, ``was_over``),
    ``late-accepted`` (``phase``: the reader's late orders count), ``announcement`` (``text``),
    ``corrected`` (``changes``: as of :mod:`judge.render.answers.directing`),
    ``mail-set-aside`` (``arrived``: the reader's own mail, which could not be taken in), ``vote`` (``kind``: ``draw``,
    ``concede``; ``powers``, ``power`` | None, ``back``, ``have``, ``of``: votes that stand, and that it takes). ``by`` names
    who did it as they may be shown (``master``, ``operator`` stand for these), ``why`` is their own words. ``answers``:
    sections below it; with ``told`` it is those that say it.
    """

    common: Common
    code: str
    args: Mapping[str, object] = field(default_factory=dict)
    by: str | None = None
    why: str | None = None
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class HelpFacts:
    """The short manual, sent by ``judge@DOMAIN`` or to a mail that held nothing; ``game`` if it concerned one."""

    domain: str
    now: datetime
    game: str | None = None
    in_reply_subject: str = ""


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The answer to a mail to the judge itself, outside of any game, or what somebody gets without one (``unasked``).
    ``board``: the one whose places and powers it names."""

    domain: str
    now: datetime
    board: Board
    answers: tuple[Answer, ...]
    in_reply_subject: str = ""
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmFacts:
    """To the registered address: mails held until the player says YES, ``by`` when, or ``before_run``: before the phase is
    run, at no certain time; what came of it; a new reply address."""

    common: Common
    asked: tuple[HeldLetter, ...] = ()
    told: tuple[Decided, ...] = ()
    renewed: bool = False
    by: datetime | None = None
    before_run: bool = False


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
    | AnswerFacts
    | ConfirmFacts
    | ForwardFacts
)
