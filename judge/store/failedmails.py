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


@dataclass(frozen=True, slots=True)
class Failing:
    """How mails to a seat fail. ``since``: the first that did; ``status``: what was said of the latest lost one, else of
    the latest (``5.1.1``); ``lost`` and ``late``: how many (late: still tried when that was told). ``over_at``: when
    a mail of the player came after all, ``None`` while none has."""

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
    """Count a failure. ``mail``: the number of the mail that told (``bounce``), or of ours that was refused (``relay``)."""
    store.run(
        "INSERT INTO failed_mails (game_id, power, generation, at, status, late, told_by, mail) VALUES (?,?,?,?,?,?,?,?)",
        seat.game_id, seat.power, seat.generation, stamp(now), status, int(late), told_by, mail,
    )  # fmt: skip


def over(store: Store, game_id: int, power: str, at: datetime) -> int:
    """counted -> over: a mail of the seat's player has come. Returns how many failures that ends."""
    return store.changed(
        "UPDATE failed_mails SET state = 'over', over_at = ? WHERE game_id = ? AND power = ? AND state = 'counted'",
        stamp(at), game_id, power,
    )  # fmt: skip


def told(store: Store, game_id: int) -> None:
    """over -> told: the game's master reads that they are over."""
    store.run("UPDATE failed_mails SET state = 'told' WHERE game_id = ? AND state = 'over'", game_id)


def failing(store: Store, seat: Seat) -> Failing | None:
    """The failures of mail to the seat's present player that are not told to be over, or ``None``. While some go on, those
    that ended before are left out."""
    rows = store.rows(
        "SELECT at, status, late, state, over_at FROM failed_mails"
        " WHERE game_id = ? AND power = ? AND generation = ? AND state != 'told' ORDER BY id",
        seat.game_id, seat.power, seat.generation,
    )  # fmt: skip
    rows = [row for row in rows if row["state"] == "counted"] or rows
    if not rows:
        return None
    lost = [row for row in rows if not row["late"]]
    return Failing(
        since=instant(rows[0]["at"]),
        status=(lost or rows)[-1]["status"],
        lost=len(lost),
        late=len(rows) - len(lost),
        over_at=instant_or_none(rows[-1]["over_at"]),
    )
