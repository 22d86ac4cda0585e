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
from judge.play.judge import open_table
from judge.play.people import seats_of
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import absences
from judge.store.games import MASTER

#: So many absences that are not over may be told.
MOST = 3
#: How far ahead one may begin, and how long it may be.
FARTHEST = timedelta(days=366)
_DAY = re.compile(r"(\d{4})\D{1,2}?(\d{1,2})\D{1,2}?(\d{1,2})")


def absence(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to ABSENCE [first..last | OFF]: absences that are not over, and deadlines that were put off."""
    assert act.seat is not None and act.seat.address
    store, box = act.judge.store, mailbox_key(act.seat.address) or act.seat.address.casefold()
    moved: list[dict[str, Any]] = []
    kind = "list"
    if command.argument and not any(letter.isdigit() for letter in command.argument):
        kind = "off" if absences.take_back(store, box, act.now) else "list"
    elif command.argument:
        first, last = _days(command.argument)
        kind = _add(act, box, first, last)
        moved = _heed(act, box) if kind == "added" else []
    spans = [[one.first, one.last] for one in absences.ahead(store, act.now, box)]
    room = act.table.rules.clock_absence if act.table is not None else None
    return [Answer("absence", {"kind": kind, "spans": spans, "moved": moved, "room": room})]


def _days(text: str) -> tuple[date, date]:
    try:
        days = [date(*map(int, found.groups())) for found in _DAY.finditer(text)]
    except ValueError:
        raise NotDone("absence.no-date", text=text[:60]) from None
    first, last = days[0], days[-1]
    if last < first:
        raise NotDone("absence.backwards", text=text[:60])
    return first, last


def _add(act: Act, box: str, first: date, last: date) -> str:
    assert act.seat is not None
    there = absences.ahead(act.judge.store, act.now, box)
    if any((one.first, one.last) == (str(first), str(last)) for one in there):
        return "again"
    zone = ZoneInfo(act.seat.timezone)
    starts = datetime.combine(first, time(), zone)
    ends = datetime.combine(last + timedelta(days=1), time(), zone)
    if ends <= act.now:
        raise NotDone("absence.past")
    if starts > act.now + FARTHEST or ends - starts > FARTHEST:
        raise NotDone("absence.too-far")
    if len(there) >= MOST:
        raise NotDone("absence.too-many", most=MOST)
    absences.add(act.judge.store, box, str(first), str(last), starts, ends, act.now)
    return "added"


def _heed(act: Act, box: str) -> list[dict[str, Any]]:
    """Put the deadlines that are known already off, in all games of the person."""
    assert act.seat is not None
    told: list[dict[str, Any]] = []
    own: dict[int, list[str]] = {}
    found = seats_of(act.judge, box)
    for game, seat in found:
        own.setdefault(game.id, []).append(seat.power)
    for game in {game.id: game for game, seat in found if seat.power != MASTER}.values():
        table = open_table(act.judge.store, game)
        if table is None or game.state != "running":
            continue
        after = away.heed_and_tell(act.judge, table, act.now, extra=f"away {act.mail.id}", but=own[game.id])
        if after.phase.deadline != table.phase.deadline:
            told.append({"game": game.name, "old": table.phase.deadline, "new": after.phase.deadline})
    return told


DOERS: Mapping[tuple[str, Role], Doer] = {("ABSENCE", "player"): absence}
