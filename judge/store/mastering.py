"""What a game's master did to it and its clock: pauses, deadlines, phases undone and corrected, the log read again."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.store.db import Store, instant, instant_or_none, stamp

# the clock


def pause(store: Store, game_id: int, at: datetime, until: datetime | None, left: int | None) -> None:
    """Mark a game as paused. ``left``: how many seconds its deadline lay ahead, ``None``: there was none."""
    store.run(
        "UPDATE games SET paused_at = ?, paused_until = ?, paused_left = ? WHERE id = ?",
        stamp(at), None if until is None else stamp(until), left, game_id,
    )  # fmt: skip


def pause_until(store: Store, game_id: int, until: datetime | None) -> None:
    """Change when a paused game goes on by itself (``None``: it does not)."""
    store.run("UPDATE games SET paused_until = ? WHERE id = ?", None if until is None else stamp(until), game_id)


def resume(store: Store, game_id: int) -> None:
    """Take the mark of a pause off."""
    store.run("UPDATE games SET paused_at = NULL, paused_until = NULL, paused_left = NULL WHERE id = ?", game_id)


def next_resume(store: Store) -> datetime | None:
    """When the next paused game goes on by itself, or ``None``."""
    row = store.row("SELECT min(paused_until) AS at FROM games WHERE paused_until IS NOT NULL")
    return instant_or_none(row["at"]) if row else None


def resumed_by(store: Store, now: datetime) -> list[str]:
    """The names of the paused games that go on by themselves at ``now``, the longest waiting first."""
    rows = store.rows("SELECT name FROM games WHERE paused_until <= ? ORDER BY paused_until, id", stamp(now))
    return [str(row["name"]) for row in rows]


def set_deadline(store: Store, phase_id: int, deadline: datetime | None) -> None:
    """The deadline of an open phase (``None``: none runs); that it was asked to run at once is over."""
    at = None if deadline is None else stamp(deadline)
    store.run(
        "UPDATE phases SET deadline = ?, run_at = ?, hurried_at = NULL, hurried_by = NULL WHERE id = ?", at, at, phase_id
    )


def hurry(store: Store, phase_id: int, at: datetime, who: str) -> None:
    """An open phase is due at ``at``, whatever its deadline is: ``who`` asked for it."""
    store.run(
        "UPDATE phases SET hurried_at = ?, hurried_by = ?, run_at = ? WHERE id = ?", stamp(at), who, stamp(at), phase_id
    )


# going back


def undo(store: Store, game_id: int, number: int, now: datetime) -> None:
    """The phases that count from ``number`` on count no more; one that is open is closed without a result."""
    store.run(
        "UPDATE phases SET undone_at = ?, state = 'processed' WHERE game_id = ? AND number >= ? AND undone_at IS NULL",
        stamp(now), game_id, number,
    )  # fmt: skip


def latest_attempt(store: Store, game_id: int) -> int:
    """The highest attempt of any phase of a game."""
    row = store.row("SELECT max(attempt) AS n FROM phases WHERE game_id = ?", game_id)
    return int((row and row["n"]) or 1)


def reopen(store: Store, game_id: int) -> None:
    """ended -> running."""
    store.run("UPDATE games SET state = 'running', ended_at = NULL, ending = NULL WHERE id = ?", game_id)


def copy_orders(store: Store, from_phase: int, to_phase: int) -> None:
    """Put on file for a phase what was on file for another: orders, the Date of the mails that gave them, and units in
    other hands. READY and WAIT were said of the first alone."""
    store.run(
        "INSERT INTO orders (phase_id, power, slot, text, inbox_id, set_at, state)"
        " SELECT ?, power, slot, text, inbox_id, set_at, state FROM orders"
        " WHERE phase_id = ? AND state = 'held' ORDER BY id",
        to_phase, from_phase,
    )  # fmt: skip
    store.run(
        "INSERT INTO standings (phase_id, power, orders_date)"
        " SELECT ?, power, orders_date FROM standings WHERE phase_id = ?",
        to_phase, from_phase,
    )  # fmt: skip
    store.run(
        "INSERT INTO proxies (phase_id, power, place, proxy, inbox_id, at, state)"
        " SELECT ?, power, place, proxy, inbox_id, at, state FROM proxies"
        " WHERE phase_id = ? AND state = 'handed' ORDER BY id",
        to_phase, from_phase,
    )  # fmt: skip


def changes_wait_again(store: Store, game_id: int, phases: Collection[str]) -> None:
    """in-force -> pending, of changes of the rules that came into force with one of these phases."""
    store.run(
        "UPDATE rule_changes SET state = 'pending', from_phase = NULL WHERE game_id = ? AND state = 'in-force'"
        " AND from_phase IN (SELECT value FROM json_each(?))",
        game_id, json.dumps(sorted(phases)),
    )  # fmt: skip


def later_lines(store: Store, game_id: int) -> set[str]:
    """The phases that players have written ahead for, and whose lines were read or not needed."""
    rows = store.rows(
        "SELECT DISTINCT phase FROM later_orders WHERE game_id = ? AND state IN ('read','not-needed')", game_id
    )
    return {str(row["phase"]) for row in rows}


def keep_later_lines_again(store: Store, game_id: int, phases: Collection[str]) -> None:
    """read, not-needed -> kept, of the lines for these phases."""
    store.run(
        "UPDATE later_orders SET state = 'kept' WHERE game_id = ? AND state IN ('read','not-needed')"
        " AND phase IN (SELECT value FROM json_each(?))",
        game_id, json.dumps(sorted(phases)),
    )  # fmt: skip


# what was done to a phase


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a phase's position: its changes (:mod:`judge.play.correcting`), and the position as it was before."""

    changes: list[Mapping[str, Any]]
    before: str
    at: datetime


def keep_correction(
    store: Store, phase_id: int, changes: Sequence[Mapping[str, Any]], before: str, who: str, why: str, now: datetime
) -> None:
    """Keep what of a phase's position was corrected."""
    store.run(
        "INSERT INTO corrections (phase_id, changes, before, who, why, at) VALUES (?,?,?,?,?,?)",
        phase_id, json.dumps([dict(one) for one in changes]), before, who, why, stamp(now),
    )  # fmt: skip


def corrections(store: Store, phase_id: int) -> list[Correction]:
    """The corrections of a phase's position, in order."""
    rows = store.rows("SELECT changes, before, at FROM corrections WHERE phase_id = ? ORDER BY id", phase_id)
    return [Correction(json.loads(row["changes"]), row["before"], instant(row["at"])) for row in rows]


def set_position(store: Store, phase_id: int, position: str) -> None:
    """The position that an open phase begins with, corrected."""
    store.run("UPDATE phases SET position = ? WHERE id = ? AND state = 'open'", position, phase_id)


# the note, the log


def set_comment(store: Store, game_id: int, text: str) -> None:
    """The master's note."""
    store.run("UPDATE games SET comment = ? WHERE id = ?", text, game_id)


@dataclass(frozen=True, slots=True)
class Logged:
    """One line of a game's log."""

    id: int
    at: datetime
    who: str
    what: str
    facts: Mapping[str, Any]


def logged(store: Store, game_id: int, kinds: Collection[str], limit: int) -> list[Logged]:
    """The newest lines of a game's log of these kinds, newest first."""
    rows = store.rows(
        "SELECT * FROM log WHERE game_id = ? AND what IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?",
        game_id, json.dumps(sorted(kinds)), limit,
    )  # fmt: skip
    return [Logged(r["id"], instant(r["at"]), r["who"], r["what"], json.loads(r["facts"])) for r in rows]
