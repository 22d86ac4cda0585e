"""Taking what is stored about somebody out of every table, and sealing again what was sealed.

What is found broken before stays broken: only what was as it was sealed gets a new seal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store import seals
from judge.store.db import Row, Store, instant, stamp
from judge.store.inbox import hash_of
from judge.store.seals import What

Value = str | bytes
#: A value of a cell, and whether names are looked for in it -> the value as it may be kept.
Cover = Callable[[Value, bool], Value]
Seal = tuple[What, int]

#: Tables with nothing of anybody, and the seals themselves, which are made anew.
FREE = frozenset({"_sqlite_migrations", "sqlite_sequence", "seals"})
#: Columns with words that people wrote: there a name is looked for too, elsewhere an address alone.
WORDS = frozenset(
    {
        "raws.bytes", "outbox.args", "outbox.frozen", "outbox.subject", "outbox.body", "press.text", "held_mails.sender",
        "held_mails.words", "log.facts", "readings.lines", "later_orders.lines", "games.comment", "corrections.why",
        "rule_changes.why", "motions.args",
    }
)  # fmt: skip
_BY_PHASE: tuple[What, str] = ("phase", "SELECT phase_id AS id FROM {} WHERE rowid = ?")
_BY_MAIL: tuple[What, str] = ("mail", "SELECT inbox_id AS id FROM {} WHERE rowid = ?")
_ITSELF = "SELECT rowid AS id FROM {} WHERE rowid = ?"
#: table -> what its rows are sealed with, and the query for which one
SEALED_WITH: Mapping[str, tuple[tuple[What, str], ...]] = {
    "inbox": (("mail", _ITSELF),),
    "raws": (("mail", "SELECT id FROM inbox WHERE raw_id = ?"),),
    "readings": (_BY_MAIL,),
    "questions": (_BY_MAIL,),
    "press": (_BY_MAIL,),
    "later_orders": (_BY_MAIL,),
    "held_mails": (_BY_MAIL,),
    "orders": (_BY_PHASE, _BY_MAIL),
    "standings": (_BY_PHASE,),
    "proxies": (_BY_PHASE,),
    "votes": (_BY_PHASE,),
    "corrections": (_BY_PHASE,),
    "commitments": (_BY_PHASE,),
    "draws": (("phase", "SELECT id FROM phases WHERE game_id = (SELECT game_id FROM draws WHERE rowid = ?)"),),
    "games": (("phase", "SELECT id FROM phases WHERE game_id = ?"), ("end", "SELECT id FROM games WHERE id = ?")),
    "phases": (("phase", _ITSELF),),
    "outbox": (("sent", _ITSELF),),
    "log": (("log", _ITSELF),),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a value stands."""

    table: str
    column: str
    row: int


def cells(store: Store, cover: Cover) -> list[Cell]:
    """Every cell of text or bytes that holds something to cover. It reads the whole database: outside of a transaction."""
    return [
        Cell(table, column, row["id"])
        for table, column in _columns(store)
        for row in _rows(store, table, column)
        if cover(row["value"], f"{table}.{column}" in WORDS) != row["value"]
    ]


def _columns(store: Store) -> Iterator[tuple[str, str]]:
    for row in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
        if row["name"] not in FREE:
            for column in store.rows("SELECT name, type FROM pragma_table_info(?)", row["name"]):
                if column["type"] in ("TEXT", "BLOB"):
                    yield row["name"], column["name"]


def _rows(store: Store, table: str, column: str) -> Iterator[Row]:
    """A column in pieces, so that no large database is in memory at once."""
    last = -1
    while True:
        found = store.rows(
            f"SELECT rowid AS id, {column} AS value FROM {table}"  # noqa: S608 (names out of the schema)
            f" WHERE rowid > ? AND {column} IS NOT NULL ORDER BY rowid LIMIT 200",
            last,
        )
        yield from found
        if len(found) < 200:
            return
        last = found[-1]["id"]


def seals_of(store: Store, table: str, row: int) -> list[Seal]:
    """What a row is sealed with."""
    return [
        (what, int(found["id"]))
        for what, sql in SEALED_WITH.get(table, ())
        for found in store.rows(sql.format(table), row)
        if found["id"] is not None
    ]


def intact(store: Store, wanted: Iterable[Seal]) -> list[Seal]:
    """Those that have a seal and are as they were sealed, each once."""
    return [one for one in dict.fromkeys(wanted) if seals.intact(store, *one)]


def cover_cells(store: Store, found: Sequence[Cell], cover: Cover) -> None:
    """Put what may be kept in the place of what is there. The hash of a mail's bytes goes along, if they were those that
    came."""
    for one in found:
        where = f"{one.table} WHERE rowid = ?"
        row = store.row(f"SELECT {one.column} AS value FROM {where}", one.row)  # noqa: S608 (names out of the schema)
        if row is None or row["value"] is None:
            continue
        value = cover(row["value"], f"{one.table}.{one.column}" in WORDS)
        if (one.table, one.column) == ("raws", "bytes"):
            set_bytes(store, one.row, bytes(value))  # type: ignore[arg-type]
        elif (one.table, one.column) == ("outbox", "address"):
            store.run("UPDATE outbox SET address = ? WHERE id = ?", value, one.row)
        else:
            store.run(f"UPDATE {one.table} SET {one.column} = ? WHERE rowid = ?", value, one.row)  # noqa: S608


def set_bytes(store: Store, raw_id: int, raw: bytes) -> None:
    """Other bytes for a stored mail. If those before were not the ones that came, that stays to be seen."""
    row = store.row("SELECT bytes, bytes_hash FROM raws WHERE id = ?", raw_id)
    if row is None:
        return
    as_it_came = row["bytes_hash"] is not None and hash_of(bytes(row["bytes"])) == row["bytes_hash"]
    then = hash_of(raw) if as_it_came else row["bytes_hash"]
    store.run("UPDATE raws SET bytes = ?, bytes_hash = ? WHERE id = ?", raw, then, raw_id)


# mails that came from somebody, and that went to them


def raw_of(store: Store, inbox_id: int) -> int:
    """Where the bytes of a mail lie."""
    row = store.row("SELECT raw_id FROM inbox WHERE id = ?", inbox_id)
    return int(row["raw_id"]) if row else 0


def seat_mails(store: Store, game: str, power: str, since: str, until: str | None) -> list[int]:
    """The mails that came to a seat's signed address in a span."""
    rows = store.rows(
        "SELECT id FROM inbox WHERE game = ? AND power = ? AND kind = 'seat' AND received_at >= ?"
        " AND (? IS NULL OR received_at <= ?) ORDER BY id",
        game, power, since, until, until,
    )  # fmt: skip
    return [int(row["id"]) for row in rows]


def mails_of_raw(store: Store, raw_id: int) -> list[int]:
    """The mails, one a recipient, whose bytes lie there."""
    return [int(row["id"]) for row in store.rows("SELECT id FROM inbox WHERE raw_id = ? ORDER BY id", raw_id)]


def heads(store: Store) -> Iterator[tuple[int, bytes, str]]:
    """The beginning of every mail that is kept, with its envelope's sender; by the id of its bytes."""
    last = 0
    while True:
        rows = store.rows(
            "SELECT id, substr(bytes, 1, 65536) AS head, envelope_from FROM raws WHERE id > ? ORDER BY id LIMIT 200", last
        )
        yield from ((row["id"], bytes(row["head"]), row["envelope_from"]) for row in rows)
        if len(rows) < 200:
            return
        last = rows[-1]["id"]


def of_person(store: Store, person_id: int) -> list[int]:
    """The bytes of the mails to a person's own address."""
    return [int(r["raw_id"]) for r in store.rows("SELECT raw_id FROM inbox WHERE person = ?", person_id)]


def unname_mail(store: Store, raw_id: int, pseudonym: str) -> None:
    """Of a mail that came: where it came from, and by what name."""
    name = f"<{raw_id}@{pseudonym}>"
    store.run(
        "UPDATE raws SET message_id = CASE WHEN message_id IS NULL THEN NULL ELSE ? END, envelope_from = ?, peer = '',"
        " signed_by = NULL WHERE id = ?",
        name, pseudonym, raw_id,
    )  # fmt: skip
    store.run(
        "UPDATE inbox SET error = NULL, same_as = kind || '|' || coalesce(game, '') || '|' || coalesce(power, '') || '|'"
        " || ? || '|' || (SELECT content_hash FROM raws WHERE raws.id = raw_id) WHERE raw_id = ?",
        name, raw_id,
    )  # fmt: skip
    store.run(
        "UPDATE held_mails SET sender = ? WHERE inbox_id IN (SELECT id FROM inbox WHERE raw_id = ?)", pseudonym, raw_id
    )


def confirmed_senders(store: Store, game_id: int, power: str, since: str, until: str | None) -> list[str]:
    """Who mails that a seat's player said were theirs, in a span, came from."""
    rows = store.rows(
        "SELECT DISTINCT sender FROM held_mails WHERE game_id = ? AND power = ? AND state = 'confirmed'"
        " AND held_at >= ? AND (? IS NULL OR held_at <= ?)",
        game_id, power, since, until, until,
    )  # fmt: skip
    return [str(row["sender"]) for row in rows]


def sent_to_seat(store: Store, game_id: int, power: str, since: str, until: str | None) -> list[tuple[int, str]]:
    """Mails of ours to a seat in a span: the id, and the address they went to."""
    rows = store.rows(
        "SELECT id, address FROM outbox WHERE game_id = ? AND power = ? AND created_at >= ?"
        " AND (? IS NULL OR created_at < ?) ORDER BY id",
        game_id, power, since, until, until,
    )  # fmt: skip
    return [(int(row["id"]), str(row["address"])) for row in rows]


def sent_to(store: Store, person_id: int | None, addresses: Iterable[str]) -> list[int]:
    """Mails of ours to a person, or to one of these addresses."""
    rows = store.rows(
        "SELECT id FROM outbox WHERE person = ? UNION SELECT id FROM outbox"
        " WHERE address COLLATE NOCASE IN (SELECT value FROM json_each(?)) ORDER BY id",
        person_id, json.dumps(list(addresses)),
    )  # fmt: skip
    return [int(row["id"]) for row in rows]


def forwards_of(store: Store, inbox_ids: Iterable[int]) -> list[int]:
    """The copies of mails that went on to the operator."""
    rows = store.rows(
        "SELECT id FROM outbox WHERE event = 'forward' AND json_extract(args, '$.inbox') IN"
        " (SELECT value FROM json_each(?)) ORDER BY id",
        json.dumps(list(inbox_ids)),
    )
    return [int(row["id"]) for row in rows]


def unname_sent(store: Store, line_id: int, pseudonym: str, domain: str) -> None:
    """Of a mail of ours: its head, with the address that it went to, and its other forms; its text stays. One that has not
    gone does not go any more."""
    row = store.row("SELECT frozen, body, refs, in_reply_to FROM outbox WHERE id = ?", line_id)
    if row is None:
        return
    refs = [one for one in (row["refs"] or "").split() if one.rstrip(">").endswith(f"@{domain}")]
    answers = row["in_reply_to"] if (row["in_reply_to"] or "").rstrip(">").endswith(f"@{domain}") else None
    frozen = None if row["frozen"] is None else f"To: {pseudonym}\r\n\r\n{row['body'] or ''}".encode()
    store.run(
        "UPDATE outbox SET address = ?, frozen = ?, refs = ?, in_reply_to = ?, reply = NULL, error = NULL,"
        " sent_at = CASE WHEN state = 'sent' THEN sent_at ELSE NULL END, state = 'sent', next_attempt = NULL WHERE id = ?",
        pseudonym, frozen, " ".join(refs) or None, answers, line_id,
    )  # fmt: skip


def empty_forward(store: Store, line_id: int, pseudonym: str) -> None:
    """Of a copy that went to the operator: the mail that it brought."""
    store.run(
        "UPDATE outbox SET frozen = CASE WHEN frozen IS NULL THEN NULL ELSE ? END, body = CASE WHEN body IS NULL THEN NULL"
        " ELSE '' END, subject = CASE WHEN subject IS NULL THEN NULL ELSE ? END, state = 'sent' WHERE id = ?",
        f"About: {pseudonym}\r\n".encode(), pseudonym, line_id,
    )  # fmt: skip


def on_its_way(store: Store, person_id: int, address: str) -> bool:
    """Whether a mail to somebody has not been delivered yet, or one of theirs not been taken in."""
    going = "SELECT 1 FROM outbox WHERE {} AND state IN ('new','ready') LIMIT 1"
    return (
        store.row(going.format("person = ?"), person_id) is not None
        or store.row(going.format("address = ? COLLATE NOCASE"), address) is not None
        or store.row("SELECT 1 FROM inbox WHERE person = ? AND state = 'waiting' LIMIT 1", person_id) is not None
    )


def games_of(store: Store, wanted: Iterable[Seal]) -> dict[int, list[Seal]]:
    """Game -> what of it has a seal and is among these."""
    found: dict[int, list[Seal]] = {}
    for what, ref in wanted:
        row = store.row("SELECT game_id FROM seals WHERE what = ? AND ref = ? ORDER BY id DESC LIMIT 1", what, ref)
        if row is not None:
            found.setdefault(int(row["game_id"]), []).append((what, ref))
    return found


# the wish


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Somebody's wish to be forgotten."""

    id: int
    person_id: int
    wished_at: datetime


def wish(store: Store, person_id: int, now: datetime) -> None:
    """(no row) -> wished; a wish that stands already is the same."""
    if store.row("SELECT 1 FROM forgettings WHERE person_id = ? AND state = 'wished'", person_id) is None:
        store.run("INSERT INTO forgettings (person_id, wished_at, state) VALUES (?,?,'wished')", person_id, stamp(now))


def wished(store: Store) -> list[Forgetting]:
    """The wishes that stand, the oldest first."""
    rows = store.rows("SELECT id, person_id, wished_at FROM forgettings WHERE state = 'wished' ORDER BY id")
    return [Forgetting(row["id"], row["person_id"], instant(row["wished_at"])) for row in rows]


def decide(store: Store, person_id: int, state: Literal["done", "dropped"], now: datetime) -> None:
    """wished -> done or dropped."""
    store.run(
        "UPDATE forgettings SET state = ?, decided_at = ? WHERE person_id = ? AND state = 'wished'",
        state, stamp(now), person_id,
    )  # fmt: skip
