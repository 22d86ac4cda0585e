"""Once a day what waits for somebody who wants it so (MAIL DIGEST), at a fixed hour of their time zone: a mail a game, since
an answer to it goes to the seat."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from judge.mail.senders import box_of
from judge.play import keeping
from judge.play.answering import stored
from judge.play.judge import Judge, lay_out
from judge.play.posting import write_to_seat
from judge.store import games, keptmail
from judge.store.games import Game, Seat

#: The hour at which it comes.
HOUR = 8
#: So many are written in one transaction.
MOST = 50


def due_after(at: datetime, zone: str) -> datetime:
    """The first instant after ``at`` at which it is :data:`HOUR` o'clock in a time zone."""
    local = at.astimezone(ZoneInfo(zone))
    day = local.date() if local.hour < HOUR else local.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, HOUR, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _waiting(judge: Judge) -> list[tuple[datetime, Game, Seat]]:
    """The seats for which something waits that comes once a day, with when it is due, the earliest first."""
    found = []
    for game_id, power, mailbox, since in keptmail.oldest(judge.store):
        seat = games.seat(judge.store, game_id, power)
        if seat.address and box_of(seat.address) == mailbox and keptmail.choice(judge.store, mailbox, game_id) == "digest":
            found.append((due_after(since, seat.timezone), games.by_id(judge.store, game_id), seat))
    return sorted(found, key=lambda one: (one[0], one[2].id))


def next_due(judge: Judge) -> datetime | None:
    """When the next such mail is due; ``None``: nothing waits for one."""
    return next((at for at, _, _ in _waiting(judge)), None)


def write_due(judge: Judge, now: datetime) -> int:
    """Write all that are due at ``now``, in one transaction: what they bring waits no more, so that none is written twice.
    Returns how many."""
    with judge.store.transaction():
        due = [(game, seat) for at, game, seat in _waiting(judge) if at <= now]
        return sum(write(judge, game, seat, now) for game, seat in islice(due, MOST))


def write(judge: Judge, game: Game, seat: Seat, now: datetime) -> bool:
    """Write what waits for a seat's player, inside the caller's transaction. Returns whether there was anything."""
    phase = games.open_phase(judge.store, game.id) or games.last_processed(judge.store, game.id)
    waiting = keptmail.waiting(judge.store, game.id, seat.power, box_of(seat.address), 1)
    if phase is None or not waiting:
        return False
    answers = keeping.take(judge, game, seat, now)
    args: dict[str, Any] = {"code": "told", "args": {}, "by": None, "why": None, "answers": stored(answers)}
    write_to_seat(judge, lay_out(game, phase), seat, "notice", args, now, extra=f"kept {waiting[0].id}")
    return True
