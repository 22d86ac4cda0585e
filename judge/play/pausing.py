"""A game is paused, and goes on: meanwhile orders are taken and kept, and no deadline runs."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.play import away
from judge.play.announcing import Doer, announce
from judge.play.filing import set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.notdone import NotDone
from judge.play.schedule import kind_of, read
from judge.store import games, mastering
from judge.store.db import stamp
from judge.store.games import Game

#: So much time is left at least when a game goes on; of a game whose phases are shorter, a whole phase.
LEAST_LEFT = timedelta(hours=24)
#: So far ahead a deadline may lie, or the end of a pause.
FARTHEST = timedelta(days=366)


def pause(judge: Judge, table: Table, doer: Doer, now: datetime, *, until: datetime | None = None) -> None:
    """Pause the game (``until``: it goes on by itself then), or say of one that is paused until when. Inside the caller's
    transaction; everybody is told.

    :raises NotDone: it is so already, or ``until`` is past or too far ahead.
    """
    game = games.by_id(judge.store, table.game.id)
    _check(until, now)
    if game.paused_at is not None and until in (None, game.paused_until):
        if game.paused_until is None:
            raise NotDone("pause.already")
        raise NotDone("pause.already-until", at=game.paused_until)
    if game.paused_at is None:
        deadline = games.phase(judge.store, table.phase.id).deadline
        left = None if deadline is None else max(0, round((deadline - now).total_seconds()))
        mastering.pause(judge.store, game.id, now, until, left)
        mastering.set_deadline(judge.store, table.phase.id, None)
    else:
        deadline = None
        mastering.pause_until(judge.store, game.id, until)
    facts = {"phase": table.phase.name, "until": _stamp(until), "deadline": _stamp(deadline), "why": doer.why}
    number = games.log(judge.store, game.id, doer.who, "paused", facts, now)
    announce(judge, _as_it_is(judge, table), "paused", {"until": until}, doer, now, number=number)


def resume(judge: Judge, table: Table, doer: Doer, now: datetime) -> datetime:
    """Let a paused game go on: the deadline is as far ahead as it was, but never nearer than :data:`LEAST_LEFT`, and
    put off for those who are away then. Inside the caller's transaction; everybody is told. Returns the deadline.

    :raises NotDone: it is not paused.
    """
    game = games.by_id(judge.store, table.game.id)
    if game.paused_at is None:
        raise NotDone("pause.none")
    deadline = read(game.schedule).again(kind_of(table.phase.name), now + left_after(game))
    mastering.resume(judge.store, game.id)
    mastering.set_deadline(judge.store, table.phase.id, deadline)
    after = _as_it_is(judge, table)
    set_run_at(judge.store, after, now)
    # nobody counts on this deadline yet: those who are away then put it off as they do a new phase's
    after = away.heed(judge.store, after, now)
    deadline = after.phase.deadline or deadline
    facts = {"phase": table.phase.name, "paused_at": stamp(game.paused_at), "new": stamp(deadline), "why": doer.why}
    number = games.log(judge.store, game.id, doer.who, "resumed", facts, now)
    announce(judge, after, "resumed", {"new": deadline}, doer, now, number=number)
    return deadline


def left_after(game: Game) -> timedelta:
    """How far ahead the deadline of a paused game lies when it goes on."""
    interval = read(game.schedule).whole("M")
    left = interval if game.paused_left is None else timedelta(seconds=game.paused_left)
    return max(left, min(LEAST_LEFT, interval))


def resume_due(judge: Judge, now: datetime) -> list[str]:
    """Let every game go on whose pause is over, each in its own transaction. Returns their names."""
    names = mastering.resumed_by(judge.store, now)
    for name in names:
        with judge.store.transaction():
            game = games.get(judge.store, name)
            phase = games.open_phase(judge.store, game.id)
            if phase is None or game.paused_until is None or game.paused_until > now:
                continue  # somebody was faster
            resume(judge, lay_out(game, phase), Doer("clock"), now)
    return names


def _check(until: datetime | None, now: datetime) -> None:
    if until is not None and until <= now:
        raise NotDone("clock.past", at=until)
    if until is not None and until > now + FARTHEST:
        raise NotDone("clock.too-far", at=until, days=FARTHEST.days)


def _as_it_is(judge: Judge, table: Table) -> Table:
    return lay_out(games.by_id(judge.store, table.game.id), games.phase(judge.store, table.phase.id))


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)
