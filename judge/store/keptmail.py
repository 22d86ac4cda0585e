"""Which mails people want at once (MAIL), and what waits for those who want some of them later. The legal states stand in
:mod:`judge.store.states`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from judge.store.db import Row, Store, instant, stamp

#: ``all``: every mail at once; ``results``: press and news wait for the next result; ``digest``: they come once a day.
Choice = Literal["all", "results", "digest"]
#: stands for all games for which nothing else was said
EVERYWHERE = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """What waits for somebody at a seat: the ``event`` and the arguments that its mail would have had."""

    id: int
    game_id: int
    power: str
    mailbox: str
    event: Literal["press", "notice"]
    args: Mapping[str, Any]
    at: datetime


def choice(store: Store, mailbox: str, game_id: int) -> Choice:
    """Which mails somebody wants at once from a game (:data:`EVERYWHERE`: from any other)."""
    row = store.row(
        "SELECT choice FROM mail_choices WHERE mailbox = ? AND game_id IN (?, 0) ORDER BY game_id DESC LIMIT 1",
        mailbox, game_id,
    )  # fmt: skip
    found: Choice = row["choice"] if row else "all"
    return found


def choose(store: Store, mailbox: str, game_id: int, wanted: Choice, now: datetime) -> None:
    """What somebody wants from a game on; for :data:`EVERYWHERE` it replaces what was said of single games."""
    if game_id == EVERYWHERE:
        store.run("DELETE FROM mail_choices WHERE mailbox = ?", mailbox)
    store.run(
        "INSERT OR REPLACE INTO mail_choices (mailbox, game_id, choice, at) VALUES (?,?,?,?)",
        mailbox, game_id, wanted, stamp(now),
    )  # fmt: skip


def differing(store: Store, mailbox: str) -> list[int]:
    """The games for which somebody said something of their own."""
    rows = store.rows("SELECT game_id FROM mail_choices WHERE mailbox = ? AND game_id != 0", mailbox)
    return [int(row["game_id"]) for row in rows]


def keep(
    store: Store,
    *,
    game_id: int,
    phase_id: int,
    power: str,
    mailbox: str,
    event: str,
    args: Mapping[str, Any],
    now: datetime,
) -> None:
    """(no row) -> kept."""
    store.run(
        "INSERT INTO kept_mails (game_id, phase_id, power, mailbox, event, args, at, state) VALUES (?,?,?,?,?,?,?,'kept')",
        game_id, phase_id, power, mailbox, event, json.dumps(args, ensure_ascii=False), stamp(now),
    )  # fmt: skip


def waiting(store: Store, game_id: int, power: str, mailbox: str, limit: int) -> list[Kept]:
    """What waits for somebody at a seat, the oldest first."""
    rows = store.rows(
        "SELECT * FROM kept_mails WHERE game_id = ? AND power = ? AND mailbox = ? AND state = 'kept' ORDER BY id LIMIT ?",
        game_id, power, mailbox, limit,
    )  # fmt: skip
    return [_kept(row) for row in rows]


def count(store: Store, game_id: int, power: str, mailbox: str) -> int:
    """How much waits for somebody at a seat."""
    row = store.row(
        "SELECT count(*) AS n FROM kept_mails WHERE game_id = ? AND power = ? AND mailbox = ? AND state = 'kept'",
        game_id, power, mailbox,
    )  # fmt: skip
    return int(row["n"]) if row else 0


def told(store: Store, kept_id: int, now: datetime) -> None:
    """kept -> told: it goes out in a mail that is written in the same transaction."""
    store.run("UPDATE kept_mails SET state = 'told', told_at = ? WHERE id = ? AND state = 'kept'", stamp(now), kept_id)


OLDEST = (
    "SELECT game_id, power, mailbox, min(at) AS at FROM kept_mails WHERE state = 'kept'"
    " GROUP BY game_id, power, mailbox ORDER BY at"
)


def oldest(store: Store) -> list[tuple[int, str, str, datetime]]:
    """The seats for which something waits: game, power, mailbox, and since when."""
    return [(r["game_id"], r["power"], r["mailbox"], instant(r["at"])) for r in store.rows(OLDEST)]


def forget(store: Store, mailbox: str) -> None:
    """Nothing of what somebody chose is kept, nor what waited for them."""
    store.run("DELETE FROM mail_choices WHERE mailbox = ?", mailbox)
    store.run("DELETE FROM kept_mails WHERE mailbox = ?", mailbox)


def _kept(row: Row) -> Kept:
    return Kept(
        id=row["id"],
        game_id=row["game_id"],
        power=row["power"],
        mailbox=row["mailbox"],
        event=row["event"],
        args=json.loads(row["args"]),
        at=instant(row["at"]),
    )
