"""ABSENCE: a player says when they are away, for all their games at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judge.mail.commands import Command
from judge.mail.senders import mailbox_key
from judge.mail.verbs import Role
from judge.play import away
from judge.play.judge import Judge, Table, open_table
from judge.play.people import seats_of
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import absences
from judge.store.games import MASTER, Seat

#: So many absences that are not over may be told.
MOST = 3
#: How far ahead one may begin, and how long it may be.
FARTHEST = timedelta(days=366)
_DAY = re.compile(r"(\d{4})\D{1,2}?(\d{1,2})\D{1,2}?(\d{1,2})")


def absence(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to ABSENCE [first..last | OFF]: absences that are not over, and deadlines that were put off."""
    assert act.seat is not None
    return [absence_of(act.judge, act.seat, act.table, command.argument, act.now, extra=f"away {act.mail.id}", quiet=True)]


def absence_of(
    judge: Judge, seat: Seat, table: Table | None, words: str, now: datetime, *, extra: str, quiet: bool
) -> Answer:
    """Write down (``first..last``), take back (``OFF``) or just tell (nothing) when a seat's player is away, inside the
    caller's transaction. Deadlines that are put off are told to all; but to the player only if not ``quiet``, since they
    are answered. ``extra`` tells the mails of one such event apart.

    :raises NotDone: nobody plays the seat, or they cannot be away so.
    """
    if not seat.address:
        raise NotDone("seat.no-player", power=seat.power)
    box = mailbox_key(seat.address) or seat.address.casefold()
    moved: list[dict[str, Any]] = []
    kind = "list"
    if words and not any(letter.isdigit() for letter in words):
        kind = "off" if absences.take_back(judge.store, box, now) else "list"
    elif words:
        first, last = _days(words)
        kind = _add(judge, seat, box, first, last, now)
        moved = _heed(judge, box, now, extra, quiet=quiet) if kind == "added" else []
    spans = [[one.first, one.last] for one in absences.ahead(judge.store, now, box)]
    room = table.rules.clock_absence if table is not None else None
    return Answer("absence", {"kind": kind, "spans": spans, "moved": moved, "room": room})


def _days(text: str) -> tuple[date, date]:
    try:
        days = [date(*map(int, found.groups())) for found in _DAY.finditer(text)]
        first, last = days[0], days[-1]
    except (ValueError, IndexError):
        raise NotDone("absence.no-date", text=text[:60]) from None
    if last < first:
        raise NotDone("absence.backwards", text=text[:60])
    return first, last


def _add(judge: Judge, seat: Seat, box: str, first: date, last: date, now: datetime) -> str:
    there = absences.ahead(judge.store, now, box)
    if any((one.first, one.last) == (str(first), str(last)) for one in there):
        return "again"
    zone = ZoneInfo(seat.timezone)
    starts = datetime.combine(first, time(), zone)
    ends = datetime.combine(last + timedelta(days=1), time(), zone)
    if ends <= now:
        raise NotDone("absence.past")
    if starts > now + FARTHEST or ends - starts > FARTHEST:
        raise NotDone("absence.too-far")
    if len(there) >= MOST:
        raise NotDone("absence.too-many", most=MOST)
    absences.add(judge.store, box, str(first), str(last), starts, ends, now)
    return "added"


def _heed(judge: Judge, box: str, now: datetime, extra: str, *, quiet: bool) -> list[dict[str, Any]]:
    """Put the deadlines that are known already off, in all games of the person."""
    told: list[dict[str, Any]] = []
    own: dict[int, list[str]] = {}
    found = seats_of(judge, box)
    for game, seat in found:
        own.setdefault(game.id, []).append(seat.power)
    for game in {game.id: game for game, seat in found if seat.power != MASTER}.values():
        table = open_table(judge.store, game)
        if table is None or game.state != "running":
            continue
        after = away.heed_and_tell(judge, table, now, extra=extra, but=own[game.id] if quiet else ())
        if after.phase.deadline != table.phase.deadline:
            told.append({"game": game.name, "old": table.phase.deadline, "new": after.phase.deadline})
    return told


DOERS: Mapping[tuple[str, Role], Doer] = {("ABSENCE", "player"): absence}
