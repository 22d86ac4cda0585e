"""When people are away, and by how much deadlines were put off for it. The legal states stand in
:mod:`judge.store.states`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.store.db import Row, Store, instant, stamp


@dataclass(frozen=True, slots=True)
class Absence:
    """From an instant to another (not any more): whole days where the person lives. ``first`` and ``last`` name the days
    (``2026-12-20``)."""

    id: int
    mailbox: str
    first: str
    last: str
    starts_at: datetime
    ends_at: datetime


def add(store: Store, mailbox: str, first: str, last: str, starts_at: datetime, ends_at: datetime, now: datetime) -> None:
    """(no row) -> told."""
    store.run(
        "INSERT INTO absences (mailbox, first, last, starts_at, ends_at, made_at) VALUES (?,?,?,?,?,?)",
        mailbox, first, last, stamp(starts_at), stamp(ends_at), stamp(now),
    )  # fmt: skip


def take_back(store: Store, mailbox: str, now: datetime) -> int:
    """told -> taken-back, for all that are not over. Returns how many there were."""
    return store.changed(
        "UPDATE absences SET state = 'taken-back', back_at = ? WHERE mailbox = ? AND state = 'told' AND ends_at > ?",
        stamp(now), mailbox, stamp(now),
    )  # fmt: skip


def ahead(store: Store, now: datetime, mailbox: str | None = None) -> list[Absence]:
    """The absences that are not over, of everybody or of one mailbox, the earliest first."""
    rows = store.rows(
        "SELECT * FROM absences WHERE state = 'told' AND ends_at > ? AND coalesce(?, mailbox) = mailbox"
        " ORDER BY starts_at, id",
        stamp(now), mailbox,
    )  # fmt: skip
    return [_absence(row) for row in rows]


def moved(store: Store, phase_id: int, mailbox: str, by: timedelta, now: datetime) -> None:
    """Write down that a phase's deadline was put off for somebody."""
    store.run(
        "INSERT INTO absence_moves (phase_id, mailbox, seconds, at) VALUES (?,?,?,?)",
        phase_id, mailbox, int(by.total_seconds()), stamp(now),
    )  # fmt: skip


def used(store: Store, game_id: int, mailbox: str) -> timedelta:
    """By how much the deadlines of a game were put off for somebody in all."""
    row = store.row(
        "SELECT coalesce(sum(seconds), 0) AS n FROM absence_moves JOIN phases ON phases.id = absence_moves.phase_id"
        " WHERE phases.game_id = ? AND mailbox = ?",
        game_id, mailbox,
    )  # fmt: skip
    return timedelta(seconds=int(row["n"]) if row else 0)


def _absence(row: Row) -> Absence:
    return Absence(row["id"], row["mailbox"], row["first"], row["last"], instant(row["starts_at"]), instant(row["ends_at"]))
