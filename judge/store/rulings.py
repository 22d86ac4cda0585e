"""Changes of a game's house rules that wait for their phase, the players' wishes, and the draw of powers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from judge.errors import Refused
from judge.store.db import Row, Store, instant, stamp

#: what a change waits for: the next phase of any kind, or the next movement (for rules that span the phases of a turn)
WaitsFor = Literal["phase", "movement"]
#: where the seed of a draw is from: chance at the start, or somebody who chose it
SeedFrom = Literal["chance", "chosen"]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One key changed. ``old`` and ``new`` are JSON of the values; ``phase_id`` is the phase that was open then,
    ``from_phase`` the name of the first one played by it (``None``: not yet)."""

    id: int
    phase_id: int
    key: str
    old: str
    new: str
    waits_for: WaitsFor
    who: str
    why: str | None
    made_at: datetime
    state: Literal["pending", "in-force", "dropped"]
    from_phase: str | None


@dataclass(frozen=True, slots=True)
class Wish:
    """A player without a power yet. ``number`` counts the players in the order they came; ``powers``: best first."""

    number: int
    address: str
    powers: tuple[str, ...]
    language: str
    timezone: str


@dataclass(frozen=True, slots=True)
class DrawRow:
    """How the powers of a game were given out: all that is needed to do it again, and what came of it (as JSON).
    ``seed_from`` is ``None`` where it was not stored."""

    method: str
    clash: str
    powers: tuple[str, ...]
    seed: str
    given: str
    drawn_at: datetime
    seed_from: SeedFrom | None


# changes


def add_change(
    store: Store,
    *,
    game_id: int,
    phase_id: int,
    key: str,
    old: str,
    new: str,
    waits_for: WaitsFor,
    who: str,
    why: str | None,
    now: datetime,
) -> None:
    """Write a change; one of the same key that still waits gives way to it."""
    store.run("UPDATE rule_changes SET state = 'dropped' WHERE game_id = ? AND key = ? AND state = 'pending'", game_id, key)
    store.run(
        "INSERT INTO rule_changes (game_id, phase_id, key, old, new, waits_for, who, why, made_at)"
        " VALUES (?,?,?,?,?,?,?,?,?)",
        game_id, phase_id, key, old, new, waits_for, who, why, stamp(now),
    )  # fmt: skip


def changes(store: Store, game_id: int) -> list[RuleChange]:
    """All changes of a game's rules, the oldest first."""
    return [_change(r) for r in store.rows("SELECT * FROM rule_changes WHERE game_id = ? ORDER BY id", game_id)]


def pending(store: Store, game_id: int) -> list[RuleChange]:
    """Those that wait for their phase."""
    rows = store.rows("SELECT * FROM rule_changes WHERE game_id = ? AND state = 'pending' ORDER BY id", game_id)
    return [_change(r) for r in rows]


def in_force(store: Store, change_id: int, phase: str) -> None:
    """pending -> in-force, from ``phase`` on."""
    store.run("UPDATE rule_changes SET state = 'in-force', from_phase = ? WHERE id = ?", phase, change_id)


def drop_pending(store: Store, game_id: int) -> None:
    """pending -> dropped: the game is over, and no phase of it will be played any more."""
    store.run("UPDATE rule_changes SET state = 'dropped' WHERE game_id = ? AND state = 'pending'", game_id)


# wishes and the draw


def add_wish(store: Store, game_id: int, address: str, powers: Sequence[str], now: datetime) -> int:
    """Write a player who wants to join, with the powers wished for, best first. Returns the player's number.

    :raises Refused: that address is in already.
    """
    if store.row("SELECT 1 FROM wishes WHERE game_id = ? AND address = ? COLLATE NOCASE", game_id, address):
        raise Refused(f"{address} is in the game already")
    row = store.row("SELECT max(number) AS last FROM wishes WHERE game_id = ?", game_id)
    number = 1 + int((row and row["last"]) or 0)
    store.run(
        "INSERT INTO wishes (game_id, number, address, powers, made_at) VALUES (?,?,?,?,?)",
        game_id, number, address, json.dumps(list(powers)), stamp(now),
    )  # fmt: skip
    return number


def change_wish(store: Store, game_id: int, number: int, powers: Sequence[str]) -> None:
    """A player who waits wishes for other powers."""
    store.run("UPDATE wishes SET powers = ? WHERE game_id = ? AND number = ?", json.dumps(list(powers)), game_id, number)


def move_wish(store: Store, game_id: int, number: int, address: str) -> None:
    """A player who waits has another address."""
    store.run("UPDATE wishes SET address = ? WHERE game_id = ? AND number = ?", address, game_id, number)


def drop_wish(store: Store, game_id: int, number: int) -> None:
    """A player who waited waits no more; those who came later move up, so that the draw's players have no gap."""
    store.run("DELETE FROM wishes WHERE game_id = ? AND number = ?", game_id, number)
    for row in store.rows("SELECT number FROM wishes WHERE game_id = ? AND number > ? ORDER BY number", game_id, number):
        store.run("UPDATE wishes SET number = number - 1 WHERE game_id = ? AND number = ?", game_id, row["number"])


def wishes(store: Store, game_id: int) -> list[Wish]:
    """The players who have been waiting for the draw, by number."""
    rows = store.rows("SELECT * FROM wishes WHERE game_id = ? ORDER BY number", game_id)
    return [Wish(r["number"], r["address"], tuple(json.loads(r["powers"])), r["language"], r["timezone"]) for r in rows]


def keep_draw(store: Store, game_id: int, row: DrawRow) -> None:
    """Write how the powers fell."""
    store.run(
        "INSERT INTO draws (game_id, method, clash, powers, seed, given, drawn_at, seed_from) VALUES (?,?,?,?,?,?,?,?)",
        game_id, row.method, row.clash, json.dumps(list(row.powers)), row.seed, row.given, stamp(row.drawn_at),
        row.seed_from,
    )  # fmt: skip


def draw_of(store: Store, game_id: int) -> DrawRow | None:
    """How the powers fell, or ``None``: nothing was drawn."""
    row = store.row("SELECT * FROM draws WHERE game_id = ?", game_id)
    if row is None:
        return None
    powers = tuple(json.loads(row["powers"]))
    drawn_at, seed_from = instant(row["drawn_at"]), row["seed_from"]
    return DrawRow(row["method"], row["clash"], powers, row["seed"], row["given"], drawn_at, seed_from)


def _change(row: Row) -> RuleChange:
    made: Any = row["waits_for"]
    return RuleChange(
        id=row["id"],
        phase_id=row["phase_id"],
        key=row["key"],
        old=row["old"],
        new=row["new"],
        waits_for=made,
        who=row["who"],
        why=row["why"],
        made_at=instant(row["made_at"]),
        state=row["state"],
        from_phase=row["from_phase"],
    )
