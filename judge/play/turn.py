"""A deadline passes: the phase is adjudicated, the next one opens, every player's result is written to the outbox.

All of it is one transaction a game. The result mails are rendered later, from what is stored here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.errors import Refused
from judge.play import intake, offering, reliability
from judge.play.absence import postponed
from judge.play.ending import with_clock
from judge.play.hurrying import run_by
from judge.play.judge import Judge, Table, lay_out, open_table
from judge.play.laterreading import not_needed_any_more, read_kept
from judge.play.motions import settle_due
from judge.play.notdone import NotDone
from judge.play.onfile import all_repeated, given_orders
from judge.play.opening import open_phase_at
from judge.play.pausing import resume_due
from judge.play.posting import write_to_observers, write_to_seat
from judge.play.results import told_args
from judge.play.rulings import rules_for_next
from judge.play.schedule import next_deadline
from judge.rules import adjudicate
from judge.rules.outcome import Adjudication
from judge.rules.position import Phase
from judge.store import Store, codec, games, inbox, mastering, motions, rulings, standby

#: Mails that fail again and again cannot hold a deadline up for ever.
_MOST_ROUNDS = 50


def next_due(store: Store) -> datetime | None:
    """When the next phase of any game is due, or something else has its time: a pause, a motion, an offer (UTC); ``None``:
    nothing lies ahead."""
    nexts = (games.next_run(store), mastering.next_resume(store), motions.next_expiry(store), standby.next_expiry(store))
    return min(filter(None, nexts), default=None)


#: A game whose phase cannot be run is tried again after this time; the others do not wait for it.
_TRY_AGAIN = timedelta(minutes=5)


class _NotYet(Refused):
    """A mail that came in time could not be taken in yet: without its orders the phase must not run."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A game whose phase was due: it ran, or the fault that stopped it (nothing of the phase was written then)."""

    game: str
    fault: Exception | None = None


def process_due(judge: Judge, now: datetime) -> list[Ran]:
    """Run every phase that is due, each in its own transaction, the longest waiting first.

    After an outage this catches up: one phase a game and call, since the next phase's deadline is set from ``now``. A game
    that cannot be run is put off for a while and returned with its fault, for the log. Games whose pause is over go on.
    """
    resume_due(judge, now)
    _settle_motions(judge, now)
    offering.lapse_due(judge, now)
    ran = []
    for phase in games.due_phases(judge.store, now):
        game = games.by_id(judge.store, phase.game_id)
        try:
            if run_phase(judge, game.name, now, due_only=True):
                ran.append(Ran(game.name))
        except Exception as fault:
            fault = fault.__cause__ if isinstance(fault, _NotYet) and isinstance(fault.__cause__, Exception) else fault
            with judge.store.transaction():
                games.put_off(judge.store, phase.id, now + _TRY_AGAIN)
                games.log(judge.store, game.id, "clock", "failed", {"phase": phase.name, "why": type(fault).__name__}, now)
            ran.append(Ran(game.name, fault))
    return ran


def _settle_motions(judge: Judge, now: datetime) -> None:
    """Decide the motions whose time is up, each in its own transaction: before the phases that are due, since one of them
    may put a deadline off. Ballots that came in time, but are not yet taken in, count; while they cannot be, it waits."""
    for motion in motions.due(judge.store, now):
        try:
            _take_in_waiting(judge, games.by_id(judge.store, motion.game_id).name, now)
        except _NotYet:
            continue
        with judge.store.transaction():
            settle_due(judge, motion, now)


def run_phase(
    judge: Judge, name: str, now: datetime, *, due_only: bool = False, only: str | None = None, who: str = "clock"
) -> bool:
    """Run the open phase of a game. With ``due_only`` nothing happens unless it is due (another server was faster);
    with ``only`` (``"S1901M"``) unless it is that phase.

    Mails that arrived before the instant, but are not yet taken in, count: they are taken in first. While one of them
    cannot be, but is not set aside yet, the phase does not run: its orders had their 250.

    :raises NotFound: there is no such game.
    :raises Refused: the game has no open phase, or another than ``only``; it is paused; or such a mail waits.
    """
    for _ in range(_MOST_ROUNDS):
        if not _take_in_waiting(judge, name, now):
            break
    with judge.store.transaction():
        game = games.get(judge.store, name)
        phase = games.open_phase(judge.store, game.id)
        if phase is None:
            if due_only:
                return False
            raise Refused(f"the game {name} has no phase to run: it is {game.state}")
        if due_only and (not phase.is_due(now)):
            return False
        if game.paused_at is not None:
            raise NotDone("clock.paused", verb="PROCESS")
        if due_only and postponed(judge, lay_out(game, phase), now):
            return False
        if only is not None and phase.name != _phase_named(only):
            raise Refused(f"the open phase of {name} is {phase.name}, not {only}; nothing was done")
        _run(judge, lay_out(game, phase), now, phase.hurried_by or who)
    return True


def _phase_named(text: str) -> str:
    """``s1901m``, ``S1901`` and ``01-S`` -> ``S1901M``; what names no phase stays as it is."""
    try:
        return str(Phase.parse(text))
    except ValueError:
        return text


def _take_in_waiting(judge: Judge, name: str, now: datetime) -> bool:
    """Take in what arrived by the instant that counts: the deadline if it has passed, else now. Returns whether there was
    anything.

    :raises _NotYet: one of these mails could not be taken in, and is not set aside yet.
    """
    game = games.get(judge.store, name)
    phase = games.open_phase(judge.store, game.id)
    until = now if phase is None or phase.deadline is None else min(phase.deadline, now)
    waiting = inbox.waiting_before(judge.store, name, until)
    resting = [mail for mail in waiting if mail.retry_at is not None and mail.retry_at > now]
    taken = [intake.take_in_or_set_aside(judge, mail.id, now) for mail in waiting if mail not in resting]
    faults = [one.fault for one in taken if one.fault is not None and not one.set_aside]
    if resting or faults:
        raise _NotYet(
            f"{name}: a mail that came in time could not be taken in yet; it is tried again, and then the phase runs"
        ) from next(iter(faults), None)
    return bool(waiting)


def run_again(
    judge: Judge, table: Table, now: datetime, *, who: str, told: Mapping[str, Any], not_before: datetime | None
) -> Table | None:
    """Run an open phase that had been run before, inside the caller's transaction. ``told``: why, as everybody reads it with
    the result (:class:`judge.render.facts.RunAgain`); ``not_before``: the deadline that the phase after it had, and has at
    least. Returns the table of the phase that opens; ``None``: the game is over."""
    _run(judge, table, now, who, again=told, not_before=not_before)
    return open_table(judge.store, games.by_id(judge.store, table.game.id))


def _run(
    judge: Judge,
    table: Table,
    now: datetime,
    who: str,
    again: Mapping[str, Any] | None = None,
    not_before: datetime | None = None,
) -> None:
    store, game, phase = judge.store, table.game, table.phase
    repeats = all_repeated(store, table)
    adjudication = adjudicate(table.board, table.position, given_orders(store, table, repeats), table.rules)
    adjudication = with_clock(table.board, table.rules, game.started_at, adjudication, now, phase.deadline)
    reliability.note(store, table)
    games.processed(store, phase.id, now, codec.adjudication_to_text(adjudication))
    motions.drop(store, phase.id, now)
    if adjudication.end is not None:
        games.ended(store, game.id, now, codec.end_to_text(adjudication.end))
        rulings.drop_pending(store, game.id)
        written_ahead = not_needed_any_more(store, game.id)
    else:
        written_ahead = read_kept(store, _open_next(judge, table, adjudication, now, not_before), now)
    told = told_args(store, table, repeats) | ({"again": dict(again)} if again else {"run_by": run_by(judge, game, who)})
    for seat in games.readers(store, game.id):
        write_to_seat(judge, table, seat, "result", told | written_ahead.get(seat.power, {}), now)
    write_to_observers(judge, table, now)
    games.log(store, game.id, who, "processed", {"phase": phase.name, "attempt": phase.attempt}, now)
    offering.offer_open_seats(judge, game, now)


def _open_next(
    judge: Judge, table: Table, adjudication: Adjudication, now: datetime, not_before: datetime | None = None
) -> Table:
    opens = str(adjudication.position.phase)
    deadline = next_deadline(table.game.schedule, opens, table.phase.deadline, now)
    return open_phase_at(
        judge.store,
        table.game,
        number=table.phase.number + 1,
        attempt=table.phase.attempt,
        position_text=codec.position_to_text(adjudication.position),
        name=opens,
        now=now,
        deadline=max(deadline, not_before or deadline),
        rules_text=rules_for_next(judge.store, table, adjudication.position.phase),
    )
