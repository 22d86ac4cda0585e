"""Mails to a seat that did not arrive, as its signed envelope address or our own relay told; and when that is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Store, instant, instant_or_none, stamp
from judge.store.games import Seat

ToldBy = Literal["bounce", "relay"]

#: So many mails that are only late mean as much as one that is lost.
MANY_LATE = 3
#: Of the failures in a row, lost and late ones each, so many are kept: whoever knows a seat's envelope address may send any
#: number of reports to it.
MOST_KEPT = 100
#: of a seat's present player; the state is said in the words of the index
_OF_SEAT = "FROM failed_mails WHERE game_id = ? AND power = ? AND generation = ? AND state != 'told'"


@dataclass(frozen=True, slots=True)
class Failing:
    """How mails to a seat fail. ``since``: the first that did; ``status``: what was said of the latest lost one, else of
    the latest (``5.1.1``); ``lost`` and ``late``: how many, up to :data:`MOST_KEPT` (late: still tried when that was told).
    ``over_at``: when a mail of the player came after all, ``None`` while none has."""

    since: datetime
    status: str
    lost: int
    late: int
    over_at: datetime | None = None

    @property
    def unreachable(self) -> bool:
        """Whether the player cannot be reached, as far as is known."""
        return self.over_at is None and (self.lost > 0 or self.late >= MANY_LATE)


def add(store: Store, seat: Seat, *, status: str, late: bool, told_by: ToldBy, mail: int, now: datetime) -> None:
    """Count a failure. ``mail``: the number of the mail that told (``bounce``), or of ours that was refused (``relay``). Of
    more than :data:`MOST_KEPT` the first ones and the latest are kept: they say since when, and why."""
    latest = store.run(
        "INSERT INTO failed_mails (game_id, power, generation, at, status, late, told_by, mail) VALUES (?,?,?,?,?,?,?,?)",
        seat.game_id, seat.power, seat.generation, stamp(now), status, int(late), told_by, mail,
    )  # fmt: skip
    of_kind = f"{_OF_SEAT} AND state = 'counted' AND late = ?"
    named = (seat.game_id, seat.power, seat.generation, int(late))
    found = store.row(f"SELECT count(*) AS n {of_kind}", *named)
    if found is not None and found["n"] > MOST_KEPT:
        before = store.row(f"SELECT max(id) AS id {of_kind} AND id < ?", *named, latest)
        store.run("DELETE FROM failed_mails WHERE id = ?", before and before["id"])


def over(store: Store, seat: Seat, at: datetime) -> int:
    """counted -> over: a mail of the seat's present player has come. Returns how many failures that ends. Those of whoever
    had the seat before stay as they are: they tell of another address."""
    return store.changed(
        "UPDATE failed_mails SET state = 'over', over_at = ?"
        " WHERE game_id = ? AND power = ? AND generation = ? AND state = 'counted' AND state != 'told'",
        stamp(at), seat.game_id, seat.power, seat.generation,
    )  # fmt: skip


def told(store: Store, game_id: int) -> None:
    """over -> told: the game's master reads that they are over."""
    store.run("UPDATE failed_mails SET state = 'told' WHERE game_id = ? AND state = 'over' AND state != 'told'", game_id)


def failing(store: Store, seat: Seat) -> Failing | None:
    """The failures of mail to the seat's present player that are not told to be over, or ``None``. While some go on, those
    that ended before are left out."""
    return _failing(store, seat, "counted") or _failing(store, seat, "over")


def _failing(store: Store, seat: Seat, state: str) -> Failing | None:
    of_seat = f"{_OF_SEAT} AND state = ?"
    named = (seat.game_id, seat.power, seat.generation, state)
    what = "count(*) AS n, min(at) AS since, sum(late) AS late, max(over_at) AS over_at, max(id) AS latest"
    found = store.row(f"SELECT {what} {of_seat}", *named)
    if found is None or not found["n"]:
        return None
    lost = store.row(f"SELECT max(id) AS latest {of_seat} AND late = 0", *named)
    why = store.row("SELECT status FROM failed_mails WHERE id = ?", (lost and lost["latest"]) or found["latest"])
    assert why is not None
    return Failing(
        since=instant(found["since"]),
        status=why["status"],
        lost=found["n"] - found["late"],
        late=found["late"],
        over_at=instant_or_none(found["over_at"]),
    )
