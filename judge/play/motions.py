"""Motions of the players where no game master decides: an extension, a pause, its end, a seat that is declared open.

A motion passes at once when more than half of the powers in play are for it; when its time is up, if more are for it than
against it and two at least. So the silent can neither carry one nor hold it up. It lapses with its phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from judge.errors import Refused
from judge.play import extending, pausing, seats
from judge.play.announcing import Doer
from judge.play.judge import Judge, Table, lay_out
from judge.play.notdone import NotDone
from judge.play.posting import write_to_seat
from judge.play.voting import in_play
from judge.store import Store, games, motions
from judge.store.db import instant, stamp
from judge.store.games import Game, Seat
from judge.store.motions import Kind, Motion

#: How long a motion is open, unless the deadline comes before.
OPEN_FOR = timedelta(hours=48)
#: Extensions of one phase, and how long they may be together.
MOST_EXTENSIONS, MOST_EXTENDED = 3, timedelta(days=14)
#: How long a voted pause may be.
LONGEST_PAUSE = timedelta(days=60)
#: Motions of one power in a phase: each is a mail to everybody.
MOST_OF_ONE = 5
#: A motion with no more ayes than that does not pass when its time is up.
_TOO_FEW = 1
#: Who did it, in the log and in notices.
WHO = "players"

#: What has come of a motion by a ballot.
Outcome = Literal["open", "passed", "failed", "not-done"]


@dataclass(frozen=True, slots=True)
class Tally:
    """The ballots of powers in play, and how many powers that are."""

    ayes: int
    nays: int
    of: int

    @property
    def carried(self) -> bool:
        """More than half of all are for it."""
        return 2 * self.ayes > self.of

    @property
    def lost(self) -> bool:
        """So many are against it that more than half cannot be for it any more, and no other vote can change that."""
        return 2 * self.nays > self.of

    @property
    def carried_in_the_end(self) -> bool:
        """Of those who have spoken more are for it than against it, and two at least."""
        return self.ayes > self.nays and self.ayes > _TOO_FEW


def has_master(store: Store, game: Game) -> bool:
    """Whether somebody is there who decides."""
    master = games.master(store, game.id)
    return master is not None and bool(master.address)


def tally(store: Store, table: Table, motion: Motion) -> Tally:
    """Count the ballots of a motion; of a power that is out, or has no player any more, none counts."""
    playing = in_play(store, table)
    said = [aye for power, aye in motions.ballots(store, motion.id).items() if power in playing]
    return Tally(said.count(True), said.count(False), len(playing))


def check(judge: Judge, table: Table, kind: Kind, args: Mapping[str, Any], now: datetime) -> None:
    """Whether a motion could be carried out as things stand.

    :raises NotDone: it could not, or goes beyond what players may decide.
    """
    store = judge.store
    if kind == "extend":
        if table.phase.deadline is None:
            raise NotDone("motion.no-deadline")
        before = motions.passed(store, table.phase.id, "extend")
        used = timedelta(seconds=sum(motion.args["seconds"] for motion in before))
        if len(before) >= MOST_EXTENSIONS:
            raise NotDone("motion.extended-enough", most=MOST_EXTENSIONS)
        if not timedelta(hours=1) <= timedelta(seconds=args["seconds"]) <= MOST_EXTENDED - used:
            raise NotDone("motion.extension", days=MOST_EXTENDED.days)
    elif kind == "pause":
        if games.by_id(store, table.game.id).paused_at is not None:
            raise NotDone("pause.already")
        if not now < instant(args["until"]) <= now + LONGEST_PAUSE:
            raise NotDone("motion.pause", days=LONGEST_PAUSE.days)
    elif kind == "resume":
        if games.by_id(store, table.game.id).paused_at is None:
            raise NotDone("pause.none")
    elif not games.seat(store, table.game.id, args["power"]).address:
        raise NotDone("seat.no-player", power=args["power"])


def propose(
    judge: Judge, table: Table, seat: Seat, kind: Kind, args: Mapping[str, Any], inbox_id: int, now: datetime
) -> tuple[Motion, Outcome]:
    """Make a motion, inside the caller's transaction, or be for the same one that is open; all others are told, and whoever
    makes it is for it.

    :raises NotDone: it could not be carried out, or another one of its kind is open.
    """
    store = judge.store
    check(judge, table, kind, args, now)
    for motion in motions.open_ones(store, table.phase.id):
        if motion.kind == kind and motion.args == args:
            return motion, ballot(judge, table, seat, motion, True, inbox_id, now)[1]
        if motion.kind == kind and kind != "replace":
            raise NotDone("motion.one-is-open", example=f"AYE {motion.number}")
    if motions.made_by(store, table.phase.id, seat.power) >= MOST_OF_ONE:
        raise NotDone("motion.too-many", most=MOST_OF_ONE)
    expires = now + OPEN_FOR if table.phase.deadline is None else min(now + OPEN_FOR, table.phase.deadline)
    motion = motions.add(
        store,
        game_id=table.game.id,
        phase_id=table.phase.id,
        kind=kind,
        args=args,
        proposer=seat.power,
        inbox_id=inbox_id,
        now=now,
        expires_at=expires,
    )
    games.log(store, table.game.id, seat.power, "motion", _facts(motion), now)
    motions.cast(store, motion.id, seat.power, True, inbox_id, now)
    outcome = _settle(judge, table, motion, now, seat)
    if outcome == "open":
        _tell(judge, table, motion, "opened", now, seat)
    return motion, outcome


def ballot(
    judge: Judge, table: Table, seat: Seat, motion: Motion, aye: bool, inbox_id: int, now: datetime
) -> tuple[bool, Outcome]:
    """Say aye or nay to an open motion, inside the caller's transaction. Returns whether that is another word than before,
    and what has come of the motion."""
    changed = motions.cast(judge.store, motion.id, seat.power, aye, inbox_id, now)
    return changed, _settle(judge, table, motion, now, seat) if changed else "open"


def settle_due(judge: Judge, motion: Motion, now: datetime) -> None:
    """Decide a motion whose time is up, inside the caller's transaction; everybody is told. One whose phase is over lapses
    without a word: the mail of the result has told that."""
    phase = games.phase(judge.store, motion.phase_id)
    if motions.load(judge.store, motion.id).state != "open":
        return
    if phase.state != "open":
        motions.decide(judge.store, motion.id, "dropped", now)
        return
    table = lay_out(games.by_id(judge.store, motion.game_id), phase)
    if tally(judge.store, table, motion).carried_in_the_end:
        _carry_out(judge, table, motion, now, None)
    else:
        _end(judge, table, motion, "failed", now, None)


def _settle(judge: Judge, table: Table, motion: Motion, now: datetime, seat: Seat) -> Outcome:
    found = tally(judge.store, table, motion)
    if found.carried:
        return _carry_out(judge, table, motion, now, seat)
    if found.lost:
        return _end(judge, table, motion, "failed", now, seat)
    return "open"


def _carry_out(judge: Judge, table: Table, motion: Motion, now: datetime, seat: Seat | None) -> Outcome:
    """Do what has been voted, by the functions that a game master's verbs use: they tell everybody, but for ``seat``, whose
    mail brought the last ballot."""
    doer = Doer(WHO, None, seat)
    try:
        check(judge, table, motion.kind, motion.args, now)
        if motion.kind == "extend":
            deadline = (table.phase.deadline or now) + timedelta(seconds=motion.args["seconds"])
            extending.set_deadline(judge, table, deadline, doer, now, facts={"motion": motion.number})
        elif motion.kind == "pause":
            pausing.pause(judge, table, doer, now, until=instant(motion.args["until"]))
        elif motion.kind == "resume":
            pausing.resume(judge, table, doer, now)
        else:
            but = [seat.power] if seat is not None else []
            seats.take_away(judge, table, motion.args["power"], "opened", who=WHO, why=None, now=now, but=but)
    except Refused:
        return _end(judge, table, motion, "not-done", now, seat)
    motions.decide(judge.store, motion.id, "passed", now)
    games.log(judge.store, table.game.id, WHO, "motion-passed", _facts(motion), now)
    return "passed"


def _end(
    judge: Judge, table: Table, motion: Motion, how: Literal["failed", "not-done"], now: datetime, seat: Seat | None
) -> Outcome:
    motions.decide(judge.store, motion.id, how, now)
    games.log(judge.store, table.game.id, WHO, "motion-failed", _facts(motion), now)
    _tell(judge, table, motion, how, now, seat)
    return how


def _tell(judge: Judge, table: Table, motion: Motion, what: str, now: datetime, but: Seat | None) -> None:
    """Tell everybody of a motion, in one mail a seat, but for the seat that reads it in the answer to its own mail."""
    args = told(judge.store, table, motion) | {"what": what}
    notice = {"code": "motion", "args": args, "by": None, "why": None}
    for seat in games.readers(judge.store, table.game.id):
        if but is None or seat.power != but.power:
            write_to_seat(judge, table, seat, "notice", notice, now, extra=f"motion {motion.number} {what}")


def told(store: Store, table: Table, motion: Motion) -> dict[str, Any]:
    """What mails say of a motion; instants as stamps."""
    found = tally(store, table, motion)
    return {
        "number": motion.number,
        "kind": motion.kind,
        "proposer": motion.proposer,
        "seconds": motion.args.get("seconds"),
        "until": motion.args.get("until"),
        "power": motion.args.get("power"),
        "expires": stamp(motion.expires_at),
        "ayes": found.ayes,
        "nays": found.nays,
        "of": found.of,
    }


def _facts(motion: Motion) -> dict[str, Any]:
    return {"number": motion.number, "kind": motion.kind, **motion.args}
