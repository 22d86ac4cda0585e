"""Lines that players wrote ahead, for phases that are not open yet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Row, Store, stamp


@dataclass(frozen=True, slots=True)
class KeptLines:
    """What one mail holds for one later phase (``"F1903M"``): the lines as written, with their headings; or one list of it
    (:mod:`judge.notation.ranked`), which is its head and canonical orders. A list for all phases of a kind has the first."""

    id: int
    power: str
    phase: str
    lines: tuple[str, ...]
    inbox_id: int


def keep(store: Store, game_id: int, power: str, phase: str, lines: Sequence[str], inbox_id: int, now: datetime) -> None:
    """(no row) -> kept."""
    store.run(
        "INSERT INTO later_orders (game_id, power, phase, lines, inbox_id, at, state) VALUES (?,?,?,?,?,?,'kept')",
        game_id, power, phase, json.dumps(list(lines), ensure_ascii=False), inbox_id, stamp(now),
    )  # fmt: skip


def kept(store: Store, game_id: int, power: str | None = None) -> list[KeptLines]:
    """What is kept in a game (of one power), in the order in which the mails arrived."""
    rows = store.rows(
        "SELECT later_orders.* FROM later_orders JOIN inbox ON inbox.id = later_orders.inbox_id"
        " WHERE later_orders.game_id = ? AND later_orders.state = 'kept' AND (? IS NULL OR later_orders.power = ?)"
        " ORDER BY inbox.received_at, later_orders.id",
        game_id, power, power,
    )  # fmt: skip
    return [_kept(row) for row in rows]


def of_mail(store: Store, inbox_id: int, power: str) -> list[KeptLines]:
    """What one mail held for later phases for a power, whatever came of it."""
    rows = store.rows("SELECT * FROM later_orders WHERE inbox_id = ? AND power = ? ORDER BY id", inbox_id, power)
    return [_kept(row) for row in rows]


def settle(store: Store, one: KeptLines, state: Literal["read", "not-needed", "cleared"]) -> None:
    """kept -> ``state``."""
    store.run("UPDATE later_orders SET state = ? WHERE id = ? AND state = 'kept'", state, one.id)


def _kept(row: Row) -> KeptLines:
    return KeptLines(row["id"], row["power"], row["phase"], tuple(json.loads(row["lines"])), row["inbox_id"])
