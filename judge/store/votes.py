"""Votes of the players for a draw, and concessions: each counts while the phase is open that it was said in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from judge.store.db import Row, Store, stamp

Kind = Literal["draw", "concede"]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one power has said. ``powers``: those that share the draw it votes for (empty: all who are left), or the one
    that it concedes the game to."""

    power: str
    kind: Kind
    powers: tuple[str, ...]


def cast(store: Store, phase_id: int, power: str, kind: Kind, powers: Sequence[str], inbox_id: int, now: datetime) -> None:
    """(no row) -> standing; an earlier vote of that kind gives way to it."""
    _settle(store, phase_id, power, kind, "replaced", now)
    store.run(
        "INSERT INTO votes (phase_id, power, kind, powers, inbox_id, at, state) VALUES (?,?,?,?,?,?,'standing')",
        phase_id, power, kind, json.dumps(list(powers), ensure_ascii=False), inbox_id, stamp(now),
    )  # fmt: skip


def take_back(store: Store, phase_id: int, power: str, kind: Kind, now: datetime) -> bool:
    """standing -> taken-back. Returns whether there was one."""
    return bool(_settle(store, phase_id, power, kind, "taken-back", now))


def standing(store: Store, phase_id: int, kind: Kind | None = None) -> list[Vote]:
    """The votes that stand in a phase (of one kind), in the order in which they were cast."""
    rows = store.rows(
        "SELECT * FROM votes WHERE phase_id = ? AND state = 'standing' AND (? IS NULL OR kind = ?) ORDER BY id",
        phase_id, kind, kind,
    )  # fmt: skip
    return [_vote(row) for row in rows]


def carried(store: Store, phase_id: int, kind: Kind, now: datetime) -> None:
    """standing -> carried: the game has ended by them."""
    store.run(
        "UPDATE votes SET state = 'carried', settled_at = ? WHERE phase_id = ? AND kind = ? AND state = 'standing'",
        stamp(now), phase_id, kind,
    )  # fmt: skip


def lapse(store: Store, game_id: int, power: str) -> None:
    """standing -> lapsed: another player has the seat, who has said nothing yet."""
    store.run(
        "UPDATE votes SET state = 'lapsed' WHERE power = ? AND state = 'standing'"
        " AND phase_id IN (SELECT id FROM phases WHERE game_id = ? AND state = 'open')",
        power, game_id,
    )  # fmt: skip


def _settle(
    store: Store, phase_id: int, power: str, kind: Kind, state: Literal["replaced", "taken-back"], now: datetime
) -> int:
    return store.changed(
        "UPDATE votes SET state = ?, settled_at = ?"
        " WHERE phase_id = ? AND power = ? AND kind = ? AND state = 'standing'",
        state, stamp(now), phase_id, power, kind,
    )  # fmt: skip


def _vote(row: Row) -> Vote:
    kind: Any = row["kind"]
    return Vote(row["power"], kind, tuple(json.loads(row["powers"])))
