"""What lies in the store about one person, read for EXPORT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.store.db import Store

#: what a seat's mails brought about, but for the mails themselves: name -> query for the id of the mail
_BY_MAIL: Mapping[str, str] = {
    "orders": "SELECT phases.name AS phase, orders.text, orders.set_at AS at, orders.state FROM orders"
    " JOIN phases ON phases.id = orders.phase_id WHERE orders.inbox_id = ? ORDER BY orders.id",
    "later_orders": "SELECT phase, lines, at, state FROM later_orders WHERE inbox_id = ? ORDER BY id",
    "press": "SELECT at, kind, recipients, text, state FROM press WHERE inbox_id = ? ORDER BY id",
    "votes": "SELECT kind, powers, at, state FROM votes WHERE inbox_id = ? ORDER BY id",
}


def brought_about(store: Store, inbox_ids: Sequence[int]) -> dict[str, list[dict[str, Any]]]:
    """Orders, lines for later phases, press and votes that came by these mails."""
    return {name: [row for one in inbox_ids for row in store.rows(sql, one)] for name, sql in _BY_MAIL.items()}


def failures(store: Store, game_id: int, power: str, generation: int) -> list[dict[str, Any]]:
    """Mails that did not reach a seat's player."""
    return store.rows(
        "SELECT at, status, told_by FROM failed_mails WHERE game_id = ? AND power = ? AND generation = ? ORDER BY id",
        game_id, power, generation,
    )  # fmt: skip


def mails_of_seat(store: Store, game: str, power: str) -> list[int]:
    """The ids of all mails to a seat's signed address."""
    rows = store.rows("SELECT id FROM inbox WHERE game = ? AND power = ? AND kind = 'seat' ORDER BY id", game, power)
    return [int(row["id"]) for row in rows]


def mails_to_the_judge(store: Store) -> list[int]:
    """The ids of all mails to the judge itself that are still kept."""
    return [int(row["id"]) for row in store.rows("SELECT id FROM inbox WHERE kind = 'judge' ORDER BY id")]


def mails_to(store: Store, address: str) -> list[dict[str, Any]]:
    """What was written to an address: when, about what, and in how many words."""
    return store.rows(
        "SELECT created_at AS at, event, subject, sent_at FROM outbox WHERE address = ? COLLATE NOCASE ORDER BY id", address
    )
