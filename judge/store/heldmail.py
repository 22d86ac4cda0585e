"""Mails that name a player, or carry a player's address, without its being certain that the player wrote them: they wait for
the player's word. The legal states stand in :mod:`judge.store.states`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Row, Store, instant, instant_or_none, stamp

#: ``not-proved``: to the game's open address, from the registered address as far as the mail says; ``strange-address``: to
#: the seat's signed address, from another one.
Why = Literal["not-proved", "strange-address"]


@dataclass(frozen=True, slots=True)
class HeldMail:
    """One mail that waits. ``number`` counts the seat's held mails from 1; ``sender`` is what the mail says of itself;
    ``words`` are the first of its own words; ``until`` the deadline that ran when it was held; ``asked_in`` the Message-ID
    of the question that named it, if one did."""

    id: int
    inbox_id: int
    game_id: int
    phase_id: int | None
    power: str
    number: int
    sender: str
    why: Why
    words: str
    held_at: datetime
    until: datetime | None
    asked_at: datetime | None
    asked_in: str | None
    state: Literal["held", "confirmed", "dropped"]
    received_at: datetime


_SELECT = "SELECT held_mails.*, inbox.received_at FROM held_mails JOIN inbox ON inbox.id = held_mails.inbox_id"


def hold(
    store: Store,
    *,
    inbox_id: int,
    game_id: int,
    phase_id: int | None,
    power: str,
    sender: str,
    why: Why,
    words: str,
    until: datetime | None,
    now: datetime,
) -> HeldMail:
    """(no row) -> held, inside the transaction that hands the mail's inbox row off. Returns the row with its number."""
    row_id = store.run(
        "INSERT INTO held_mails (inbox_id, game_id, phase_id, power, number, sender, why, words, held_at, until)"
        " VALUES (?,?,?,?, (SELECT coalesce(max(number), 0) + 1 FROM held_mails WHERE game_id = ? AND power = ?),"
        " ?,?,?,?,?)",
        inbox_id, game_id, phase_id, power, game_id, power, sender, why, words, stamp(now),
        None if until is None else stamp(until),
    )  # fmt: skip
    return next(_held(row) for row in store.rows(f"{_SELECT} WHERE held_mails.id = ?", row_id))


def asked(store: Store, rows: Sequence[HeldMail], message_id: str, now: datetime) -> None:
    """The player has been asked about these mails, by the mail with that Message-ID. The latest question counts."""
    for row in rows:
        store.run("UPDATE held_mails SET asked_at = ?, asked_in = ? WHERE id = ?", stamp(now), message_id, row.id)


def decide(store: Store, row: HeldMail, state: Literal["confirmed", "dropped"], now: datetime) -> bool:
    """held -> confirmed or dropped; whoever else is said to have written a confirmed mail did not. ``False``: it was decided
    before, and nothing changes."""
    changed = store.changed(
        "UPDATE held_mails SET state = ?, decided_at = ? WHERE id = ? AND state = 'held'", state, stamp(now), row.id
    )
    if changed and state == "confirmed":
        store.run(
            "UPDATE held_mails SET state = 'dropped', decided_at = ? WHERE inbox_id = ? AND id != ? AND state = 'held'",
            stamp(now), row.inbox_id, row.id,
        )  # fmt: skip
    return bool(changed)


def numbered(store: Store, game_id: int, power: str, number: int) -> HeldMail | None:
    """The seat's held mail of that number, in whatever state, or ``None``."""
    rows = store.rows(
        f"{_SELECT} WHERE held_mails.game_id = ? AND held_mails.power = ? AND number = ?", game_id, power, number
    )
    return next((_held(row) for row in rows), None)


def asked_about(store: Store, game_id: int, power: str, message_ids: Collection[str]) -> list[HeldMail]:
    """The seat's mails that these mails of ours asked about, in whatever state, oldest first."""
    marks = ",".join("?" * len(message_ids))
    rows = store.rows(
        f"{_SELECT} WHERE asked_in IN ({marks}) AND held_mails.game_id = ? AND held_mails.power = ? ORDER BY number",
        *message_ids, game_id, power,
    )  # fmt: skip
    return [_held(row) for row in rows]


def unasked(store: Store, game_id: int, power: str) -> list[HeldMail]:
    """The seat's mails that wait and of which no question has told, oldest first."""
    rows = store.rows(
        f"{_SELECT} WHERE held_mails.game_id = ? AND held_mails.power = ? AND held_mails.state = 'held'"
        " AND asked_in IS NULL ORDER BY number",
        game_id, power,
    )  # fmt: skip
    return [_held(row) for row in rows]


def waiting(store: Store, game_id: int, power: str) -> list[HeldMail]:
    """The seat's mails that wait and of which a question has told, oldest first."""
    rows = store.rows(
        f"{_SELECT} WHERE held_mails.game_id = ? AND held_mails.power = ? AND held_mails.state = 'held'"
        " AND asked_in IS NOT NULL ORDER BY number",
        game_id, power,
    )  # fmt: skip
    return [_held(row) for row in rows]


def seats_to_ask(store: Store) -> list[tuple[int, str]]:
    """Game and power of each seat that has a mail which waits and of which no question has told."""
    rows = store.rows("SELECT DISTINCT game_id, power FROM held_mails WHERE state = 'held' AND asked_in IS NULL")
    return [(int(row["game_id"]), str(row["power"])) for row in rows]


def questions_since(store: Store, game_id: int, power: str, since: datetime) -> list[datetime]:
    """When questions went to the seat, oldest first, after ``since``; as far as they are the latest about some mail."""
    rows = store.rows(
        "SELECT DISTINCT asked_in, asked_at FROM held_mails WHERE game_id = ? AND power = ? AND asked_at > ?"
        " ORDER BY asked_at",
        game_id, power, stamp(since),
    )  # fmt: skip
    return [instant(row["asked_at"]) for row in rows]


def forget(store: Store, before: datetime) -> None:
    """Delete the rows of mails to a game's open address that nobody confirmed, came before ``before``, and whose phase is
    over; the mails themselves are then a stranger's like any other."""
    store.run(
        "DELETE FROM held_mails WHERE state != 'confirmed'"
        " AND inbox_id IN (SELECT id FROM inbox WHERE kind = 'game' AND received_at < ?)"
        " AND NOT EXISTS (SELECT 1 FROM phases WHERE phases.id = held_mails.phase_id AND phases.state = 'open')",
        stamp(before),
    )


def _held(row: Row) -> HeldMail:
    return HeldMail(
        id=row["id"],
        inbox_id=row["inbox_id"],
        game_id=row["game_id"],
        phase_id=row["phase_id"],
        power=row["power"],
        number=row["number"],
        sender=row["sender"],
        why=row["why"],
        words=row["words"],
        held_at=instant(row["held_at"]),
        until=instant_or_none(row["until"]),
        asked_at=instant_or_none(row["asked_at"]),
        asked_in=row["asked_in"],
        state=row["state"],
        received_at=instant(row["received_at"]),
    )
