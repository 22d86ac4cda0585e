"""Seals: a hash of what will never change again, taken in the transaction that makes it final, each chained to the last.

A byte that changes afterwards, a row that goes, a seal that goes: all are found (:func:`broken`, :func:`broken_chain`).
Seals keep nobody out who can write the database and knows how they are made; against that stand the mails that the players
have, with every commitment in them. They find what disks, restored backups and hands at the wrong table do.

A seal's ``hash`` is a JSON object: table -> hex SHA-256, cut to 32 digits, of the values of its sealed columns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from judge.store.db import Store

What = Literal["mail", "phase", "sent", "log", "end"]

#: What is sealed together, and what of it: table -> the query for the id that the seal is of. Columns that still change
#: after their seal are not among them.
PARTS: Mapping[What, Mapping[str, str]] = {
    # when a mail to a seat was taken in
    "mail": {
        "inbox": "SELECT id, raw_id, kind, game, power, local, received_at, outcome, handled_at, words, same_as"
        " FROM inbox WHERE id = ?",
        "raws": "SELECT bytes_hash, content_hash, message_id, envelope_from, peer, received_at, signed_by FROM raws"
        " WHERE id = (SELECT raw_id FROM inbox WHERE id = ?)",
        "readings": "SELECT inbox_id, phase_id, power, sent_up_to, lent, lines, version FROM readings WHERE inbox_id = ?"
        " ORDER BY phase_id",
        "questions": "SELECT id, phase_id, power, code, first, choices, asked_at FROM questions WHERE inbox_id = ?"
        " ORDER BY id",
        "press": "SELECT id, game_id, phase_id, sender, kind, recipients, everybody, text, at, state, why, address"
        " FROM press WHERE inbox_id = ? ORDER BY id",
        "later_orders": "SELECT id, game_id, power, phase, lines, at FROM later_orders WHERE inbox_id = ? ORDER BY id",
        "held_mails": "SELECT id, game_id, phase_id, power, number, sender, why, words, held_at FROM held_mails"
        " WHERE inbox_id = ? ORDER BY id",
        "orders": "SELECT id, phase_id, power, slot, text, set_at FROM orders WHERE inbox_id = ? AND state = 'late'"
        " ORDER BY id",
    },
    # when a phase was processed
    "phase": {
        "phases": "SELECT id, game_id, number, attempt, name, position, opened_at, deadline, run_at, processed_at, result,"
        " rules, called_off FROM phases WHERE id = ?",
        "games": "SELECT id, name, variant, rules, rules_name, created_at, started_at FROM games"
        " WHERE id = (SELECT game_id FROM phases WHERE id = ?)",
        "orders": "SELECT id, power, slot, text, inbox_id, set_at, state FROM orders WHERE phase_id = ? AND state != 'late'"
        " ORDER BY id",
        "standings": "SELECT power, ready, wait, orders_date FROM standings WHERE phase_id = ? ORDER BY power",
        "proxies": "SELECT id, power, place, proxy, inbox_id, at, state, back_at FROM proxies WHERE phase_id = ?"
        " ORDER BY id",
        "votes": "SELECT id, power, kind, powers, inbox_id, at, state, settled_at FROM votes WHERE phase_id = ? ORDER BY id",
        "draws": "SELECT game_id, method, clash, powers, seed, seed_from, given, drawn_at FROM draws"
        " WHERE game_id = (SELECT game_id FROM phases WHERE id = ?)",
        "corrections": "SELECT id, changes, before, who, why, at FROM corrections WHERE phase_id = ? ORDER BY id",
        "commitments": "SELECT id, power, number, orders, hash, at FROM commitments WHERE phase_id = ? ORDER BY id",
    },
    # when the bytes of a mail of ours were frozen
    "sent": {
        "outbox": "SELECT id, event, args, game_id, phase_id, power, language, timezone, message_id, in_reply_to, refs,"
        " created_at, frozen, subject, body FROM outbox WHERE id = ?",
    },
    "log": {"log": "SELECT id, at, game_id, who, what, facts FROM log WHERE id = ?"},
    # when a game ended
    "end": {"games": "SELECT id, ended_at, ending FROM games WHERE id = ?"},
}


@dataclass(frozen=True, slots=True)
class Broken:
    """What is not any more as it was sealed: the rows of ``tables`` that belong to ``what`` ``ref``; ``gone``: the row
    itself."""

    what: str
    ref: int
    tables: tuple[str, ...]
    gone: bool = False


def seal(store: Store, game_id: int, what: What, ref: int) -> None:
    """Seal what belongs to ``what`` ``ref``, inside the transaction that makes it final. Sealed again, the last time counts:
    so does whoever may change it after all."""
    now = json.dumps(_hashes(store, what, ref), separators=(",", ":"))
    before = store.row("SELECT chain FROM seals WHERE game_id = ? ORDER BY id DESC LIMIT 1", game_id)
    chain = _chain(before["chain"] if before else "", what, ref, now)
    store.run("INSERT INTO seals (game_id, what, ref, hash, chain) VALUES (?,?,?,?,?)", game_id, what, ref, now, chain)


def sealed(store: Store, what: What, ref: int) -> bool:
    """Whether there is a seal of it."""
    return store.row("SELECT 1 FROM seals WHERE what = ? AND ref = ? LIMIT 1", what, ref) is not None


def intact(store: Store, what: What, ref: int) -> bool:
    """Whether there is a seal of it, and it is as it was sealed."""
    row = store.row("SELECT hash FROM seals WHERE what = ? AND ref = ? ORDER BY id DESC LIMIT 1", what, ref)
    return row is not None and _object(row["hash"]) == _hashes(store, what, ref)


def broken(store: Store, game_id: int) -> list[Broken]:
    """What of a game has changed since it was sealed, and which rows are gone."""
    found = []
    over = store.row("SELECT 1 FROM games WHERE id = ? AND state = 'ended'", game_id) is not None
    for (what, ref), then in _latest(store, game_id).items():
        if what == "end" and not over:
            continue  # a game that was taken back goes on
        now = _hashes(store, what, ref)
        main = next(iter(PARTS[what]))
        gone = not store.rows(PARTS[what][main], ref)
        tables = tuple(table for table in PARTS[what] if now[table] != then.get(table))
        if tables:
            found.append(Broken(what, ref, tables, gone))
    return found


def broken_chain(store: Store, game_id: int) -> int | None:
    """The first seal of a game that does not follow from the one before it (one is gone, or was changed), or ``None``."""
    before = ""
    for row in store.rows("SELECT * FROM seals WHERE game_id = ? ORDER BY id", game_id):
        if row["chain"] != _chain(before, row["what"], row["ref"], row["hash"]):
            return int(row["id"])
        before = row["chain"]
    return None


def cut_off(store: Store) -> bool:
    """Whether the latest seals of the database are gone: it counts them, and a count that is not reached tells."""
    given = store.row("SELECT seq FROM sqlite_sequence WHERE name = 'seals'")
    last = store.row("SELECT max(id) AS id FROM seals")
    return given is not None and int(given["seq"]) != int((last and last["id"]) or 0)


#: rows that ought to have a seal: those that are later than the first one that has
_UNSEALED: Mapping[What, str] = {
    "mail": "SELECT inbox.id AS id FROM inbox JOIN games ON games.name = inbox.game WHERE games.id = ?"
    " AND inbox.kind = 'seat' AND inbox.state = 'handled'",
    "phase": "SELECT id FROM phases WHERE game_id = ? AND result IS NOT NULL",
    "sent": "SELECT id FROM outbox WHERE game_id = ? AND frozen IS NOT NULL",
    "log": "SELECT id FROM log WHERE game_id = ?",
}


def without(store: Store, game_id: int) -> tuple[list[tuple[What, int]], int]:
    """Rows of a game that ought to have a seal and have none; and how many have none because they are older than seals."""
    missing: list[tuple[What, int]] = []
    older = 0
    for what, sql in _UNSEALED.items():
        have = {ref for kind, ref in _latest(store, game_id) if kind == what}
        for row in store.rows(sql, game_id):
            if row["id"] in have:
                continue
            if have and row["id"] > min(have):
                missing.append((what, row["id"]))
            else:
                older += 1
    return missing, older


def _latest(store: Store, game_id: int) -> dict[tuple[What, int], dict[str, str]]:
    """The last seal of everything sealed in a game, in the order of the first."""
    rows = store.rows("SELECT what, ref, hash FROM seals WHERE game_id = ? ORDER BY id", game_id)
    return {(row["what"], row["ref"]): _object(row["hash"]) for row in rows if row["what"] in PARTS}


def _object(text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _hashes(store: Store, what: What, ref: int) -> dict[str, str]:
    return {table: _hash(store.rows(sql, ref)) for table, sql in PARTS[what].items()}


def _hash(rows: list[dict[str, Any]]) -> str:
    """Of the rows as JSON, bytes as their own SHA-256: values of one type and another never hash alike."""
    values = [{name: _value(value) for name, value in row.items()} for row in rows]
    return hashlib.sha256(json.dumps(values, ensure_ascii=True).encode()).hexdigest()[:32]


def _value(value: Any) -> Any:
    return {"bytes": hashlib.sha256(value).hexdigest()} if isinstance(value, bytes) else value


def _chain(before: str, what: str, ref: int, hashes: str) -> str:
    return hashlib.sha256(json.dumps([before, what, ref, hashes]).encode()).hexdigest()
