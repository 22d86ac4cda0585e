"""Motions: what the players of a game without a master put to the vote, and the ballots on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from judge.store.db import Row, Store, instant, instant_or_none, stamp

Kind = Literal["extend", "pause", "resume", "replace"]
#: How a motion may end: carried out; not enough were for it; its phase was over before; it could not be done any more.
Ended = Literal["passed", "failed", "dropped", "not-done"]


@dataclass(frozen=True, slots=True)
class Motion:
    """One motion about the phase that was open when it was made. ``number`` counts the game's motions; ``args``:
    ``{"seconds"}`` of an extension, ``{"until"}`` (a stamp) of a pause, ``{"power"}`` of a seat."""

    id: int
    game_id: int
    phase_id: int
    number: int
    kind: Kind
    args: Mapping[str, Any]
    proposer: str
    made_at: datetime
    expires_at: datetime
    state: str
    decided_at: datetime | None


def add(
    store: Store,
    *,
    game_id: int,
    phase_id: int,
    kind: Kind,
    args: Mapping[str, Any],
    proposer: str,
    inbox_id: int,
    now: datetime,
    expires_at: datetime,
) -> Motion:
    """(no row) -> open."""
    row = store.row("SELECT max(number) AS last FROM motions WHERE game_id = ?", game_id)
    number = 1 + int((row and row["last"]) or 0)
    motion_id = store.run(
        "INSERT INTO motions (game_id, phase_id, number, kind, args, proposer, inbox_id, made_at, expires_at, state)"
        " VALUES (?,?,?,?,?,?,?,?,?,'open')",
        game_id, phase_id, number, kind, json.dumps(dict(args)), proposer, inbox_id, stamp(now), stamp(expires_at),
    )  # fmt: skip
    return load(store, motion_id)


def load(store: Store, motion_id: int) -> Motion:
    """The motion with that id, which there is."""
    (row,) = store.rows("SELECT * FROM motions WHERE id = ?", motion_id)
    return _motion(row)


def numbered(store: Store, game_id: int, number: int) -> Motion | None:
    """The motion of a game with that number, or ``None``."""
    row = store.row("SELECT * FROM motions WHERE game_id = ? AND number = ?", game_id, number)
    return None if row is None else _motion(row)


def open_ones(store: Store, phase_id: int) -> list[Motion]:
    """The motions about a phase that are open, by number."""
    rows = store.rows("SELECT * FROM motions WHERE phase_id = ? AND state = 'open' ORDER BY number", phase_id)
    return [_motion(row) for row in rows]


def passed(store: Store, phase_id: int, kind: Kind) -> list[Motion]:
    """The motions of one kind about a phase that were carried out."""
    rows = store.rows(
        "SELECT * FROM motions WHERE phase_id = ? AND kind = ? AND state = 'passed' ORDER BY number", phase_id, kind
    )
    return [_motion(row) for row in rows]


def made_by(store: Store, phase_id: int, proposer: str) -> int:
    """How many motions about a phase a power has made."""
    row = store.row("SELECT count(*) AS n FROM motions WHERE phase_id = ? AND proposer = ?", phase_id, proposer)
    return int(row["n"]) if row else 0


def decide(store: Store, motion_id: int, state: Ended, now: datetime) -> None:
    """open -> ``state``."""
    store.run("UPDATE motions SET state = ?, decided_at = ? WHERE id = ? AND state = 'open'", state, stamp(now), motion_id)


def drop(store: Store, phase_id: int, now: datetime) -> None:
    """open -> dropped, all of a phase that is over."""
    store.run(
        "UPDATE motions SET state = 'dropped', decided_at = ? WHERE phase_id = ? AND state = 'open'", stamp(now), phase_id
    )


def due(store: Store, now: datetime) -> list[Motion]:
    """The open motions whose time is up, or whose phase is over, the longest waiting first."""
    rows = store.rows(
        "SELECT motions.* FROM motions JOIN phases ON phases.id = motions.phase_id WHERE motions.state = 'open'"
        " AND (motions.expires_at <= ? OR phases.state != 'open') ORDER BY motions.expires_at, motions.id",
        stamp(now),
    )
    return [_motion(row) for row in rows]


def next_expiry(store: Store) -> datetime | None:
    """When the time of an open motion is up next, or ``None``."""
    row = store.row("SELECT min(expires_at) AS at FROM motions WHERE state = 'open'")
    return instant_or_none(row["at"]) if row else None


# ballots


def cast(store: Store, motion_id: int, power: str, aye: bool, inbox_id: int, now: datetime) -> bool:
    """(no row) -> counted; an earlier ballot of the power gives way to it. Returns whether this is another than before."""
    if ballots(store, motion_id).get(power) is aye:
        return False
    store.run(
        "UPDATE ballots SET state = 'replaced' WHERE motion_id = ? AND power = ? AND state = 'counted'", motion_id, power
    )
    store.run(
        "INSERT INTO ballots (motion_id, power, aye, inbox_id, at, state) VALUES (?,?,?,?,?,'counted')",
        motion_id, power, int(aye), inbox_id, stamp(now),
    )  # fmt: skip
    return True


def ballots(store: Store, motion_id: int) -> dict[str, bool]:
    """Power -> whether it is for a motion, of those that have said so."""
    rows = store.rows("SELECT power, aye FROM ballots WHERE motion_id = ? AND state = 'counted' ORDER BY id", motion_id)
    return {row["power"]: bool(row["aye"]) for row in rows}


def lapse(store: Store, game_id: int, power: str) -> None:
    """counted -> lapsed: another player has the seat, who has said nothing yet."""
    store.run(
        "UPDATE ballots SET state = 'lapsed' WHERE power = ? AND state = 'counted'"
        " AND motion_id IN (SELECT id FROM motions WHERE game_id = ? AND state = 'open')",
        power, game_id,
    )  # fmt: skip


def _motion(row: Row) -> Motion:
    kind: Any = row["kind"]
    return Motion(
        id=row["id"],
        game_id=row["game_id"],
        phase_id=row["phase_id"],
        number=row["number"],
        kind=kind,
        args=json.loads(row["args"]),
        proposer=row["proposer"],
        made_at=instant(row["made_at"]),
        expires_at=instant(row["expires_at"]),
        state=row["state"],
        decided_at=instant_or_none(row["decided_at"]),
    )
