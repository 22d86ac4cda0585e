"""What the reader made of each mail with orders when it was taken in: with it, whoever verifies a game can tell a reader
that has changed since then from bytes that have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from judge.store.db import Row, Store

#: One line that is an order, or nearly one: the line, how it was read (``order``, ``illegal`` ...), its good orders.
Line = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A mail as it was read for a phase. ``sent_up_to``: the latest mail to the seat that its writer may have quoted;
    ``lent``: the units of others in the writer's hands then, as (owner, place, proxy); ``version``: of the reader."""

    inbox_id: int
    phase_id: int
    power: str
    sent_up_to: int
    lent: tuple[tuple[str, str, str], ...]
    lines: tuple[Line, ...]
    version: str


def keep(store: Store, one: StoredReading) -> None:
    """Write a reading down, inside the transaction of its mail; of a mail that is taken in twice for a phase the last."""
    store.run(
        "INSERT OR REPLACE INTO readings (inbox_id, phase_id, power, sent_up_to, lent, lines, version)"
        " VALUES (?,?,?,?,?,?,?)",
        one.inbox_id, one.phase_id, one.power, one.sent_up_to, _text(one.lent), _text(one.lines), one.version,
    )  # fmt: skip


def of_phase(store: Store, phase_id: int) -> list[StoredReading]:
    """The readings of a phase's mails, in the order the mails came."""
    return [_reading(row) for row in store.rows("SELECT * FROM readings WHERE phase_id = ? ORDER BY inbox_id", phase_id)]


def of_mail(store: Store, inbox_id: int) -> list[StoredReading]:
    """The readings of one mail: one a phase (it may hold orders for several games)."""
    return [_reading(row) for row in store.rows("SELECT * FROM readings WHERE inbox_id = ?", inbox_id)]


def _text(value: Sequence[object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _reading(row: Row) -> StoredReading:
    return StoredReading(
        row["inbox_id"],
        row["phase_id"],
        row["power"],
        row["sent_up_to"],
        tuple((owner, place, proxy) for owner, place, proxy in json.loads(row["lent"])),
        tuple((line, kind, tuple(texts)) for line, kind, texts in json.loads(row["lines"])),
        row["version"],
    )


def choices(store: Store, game_id: int) -> dict[str, set[str]]:
    """Power -> every order that a question of the game offered it: an answer puts one on file that no line had said."""
    found: dict[str, set[str]] = {}
    for row in store.rows(
        "SELECT questions.power, questions.choices FROM questions JOIN phases ON phases.id = questions.phase_id"
        " WHERE phases.game_id = ?",
        game_id,
    ):
        found.setdefault(row["power"], set()).update(text for choice in json.loads(row["choices"]) for text in choice)
    return found


def orders_by_mail(store: Store, game_id: int) -> list[tuple[int, str, str, int]]:
    """(phase, power, order, mail) of the orders of a game that are or were on file because a mail said so for the open
    phase; not those that were written ahead, which are read when their phase opens, nor those that came late for it and were
    taken after all: what they were read as is sealed with their mail, as late orders."""
    rows = store.rows(
        "SELECT orders.phase_id, orders.power, orders.text, orders.inbox_id FROM orders"
        " JOIN phases ON phases.id = orders.phase_id WHERE phases.game_id = ? AND orders.state != 'late'"
        " AND orders.inbox_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM later_orders AS ahead WHERE ahead.inbox_id = orders.inbox_id"
        " AND ahead.power = orders.power AND (ahead.phase = phases.name OR (substr(ahead.lines, 3, 8) = '§ always'"
        " AND substr(ahead.phase, -1) = substr(phases.name, -1))))"
        " AND NOT EXISTS (SELECT 1 FROM orders AS late JOIN phases AS meant ON meant.id = late.phase_id"
        " WHERE late.inbox_id = orders.inbox_id AND late.state = 'late' AND late.power = orders.power"
        " AND late.text = orders.text AND meant.game_id = phases.game_id AND meant.number = phases.number)"
        " ORDER BY orders.id",
        game_id,
    )
    return [(row["phase_id"], row["power"], row["text"], row["inbox_id"]) for row in rows]
