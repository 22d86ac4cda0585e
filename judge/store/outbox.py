"""Mails that go out: written as event and arguments, frozen once, delivered until the relay says yes or no for good."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.errors import NotFound
from judge.store import seals
from judge.store.db import Row, Store, instant_or_none, stamp

#: A line whose rendering failed so often is parked for a person.
MAX_RENDER_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One mail to one recipient. ``frozen`` holds the bytes with a placeholder where the token goes; ``generation`` says
    which of the seat's (or the ``person``'s) tokens that is: a mail to a former player never carries the token of the next
    one."""

    id: int
    event: str
    args: Mapping[str, Any]
    game_id: int | None
    phase_id: int | None
    power: str | None
    generation: int
    address: str
    language: str
    timezone: str
    message_id: str
    in_reply_to: str | None
    references: tuple[str, ...]
    created_at: str
    state: str
    attempts: int
    next_attempt: datetime | None
    frozen: bytes | None
    subject: str | None
    person: int | None = None


def add(
    store: Store,
    *,
    event: str,
    args: Mapping[str, Any],
    address: str,
    message_id: str,
    now: datetime,
    game_id: int | None = None,
    phase_id: int | None = None,
    power: str | None = None,
    generation: int = 0,
    language: str = "en",
    timezone: str = "UTC",
    in_reply_to: str | None = None,
    references: tuple[str, ...] = (),
    person: int | None = None,
) -> int:
    """Write a line, inside the transaction of its event. A Message-ID that exists already is left as it is.

    Returns the id of the line.
    """
    known = store.row("SELECT id FROM outbox WHERE message_id = ?", message_id)
    if known:
        return int(known["id"])
    return store.run(
        "INSERT INTO outbox (event, args, game_id, phase_id, power, generation, address, language, timezone,"
        " message_id, in_reply_to, refs, created_at, person) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        event, json.dumps(args, ensure_ascii=False), game_id, phase_id, power, generation, address, language, timezone,
        message_id, in_reply_to, " ".join(references) or None, stamp(now), person,
    )  # fmt: skip


NEXT_NEW = "SELECT * FROM outbox WHERE state = 'new' ORDER BY attempts, id LIMIT 1"


def next_new(store: Store) -> Line | None:
    """The oldest line that is not yet rendered, or ``None``."""
    row = store.row(NEXT_NEW)
    return None if row is None else _line(row)


def load(store: Store, line_id: int) -> Line:
    """The line with that id.

    :raises NotFound: there is none.
    """
    row = store.row("SELECT * FROM outbox WHERE id = ?", line_id)
    if row is None:
        raise NotFound(f"there is no outgoing mail {line_id}")
    return _line(row)


def freeze(store: Store, line_id: int, raw: bytes, *, subject: str, body: str, now: datetime) -> None:
    """new -> ready. ``body`` is the text part, kept so that quotes of it are known again."""
    with store.transaction():
        store.run(
            "UPDATE outbox SET state = 'ready', frozen = ?, subject = ?, body = ?, attempts = 0, next_attempt = ?"
            " WHERE id = ? AND state = 'new'",
            raw, subject, body, stamp(now), line_id,
        )  # fmt: skip
        line = store.row("SELECT game_id FROM outbox WHERE id = ? AND frozen IS NOT NULL", line_id)
        if line is not None and line["game_id"] is not None and not seals.sealed(store, "sent", line_id):
            seals.seal(store, line["game_id"], "sent", line_id)


def render_failed(store: Store, line_id: int, error: str) -> bool:
    """Count a failure of rendering; the third parks the line. Returns whether it was parked."""
    with store.transaction():
        row = store.row("SELECT attempts FROM outbox WHERE id = ?", line_id)
        attempts = (row["attempts"] if row else 0) + 1
        state = "parked" if attempts >= MAX_RENDER_ATTEMPTS else "new"
        store.run("UPDATE outbox SET attempts = ?, state = ?, error = ? WHERE id = ?", attempts, state, error, line_id)
    return state == "parked"


DUE = "SELECT * FROM outbox WHERE state = 'ready' AND next_attempt <= ? ORDER BY next_attempt, id LIMIT ?"


def due(store: Store, now: datetime, limit: int = 50) -> list[Line]:
    """Lines that are ready and whose next attempt is not later than ``now``, the longest waiting first."""
    return [_line(row) for row in store.rows(DUE, stamp(now), limit)]


def next_due(store: Store) -> datetime | None:
    """When the next line is due, or ``None`` if none is ready."""
    row = store.row("SELECT min(next_attempt) AS at FROM outbox WHERE state = 'ready'")
    return instant_or_none(row["at"]) if row else None


def sent(store: Store, line_id: int, at: datetime, reply: str) -> None:
    """ready -> sent: the relay took it. ``reply`` is its answer."""
    with store.transaction():
        store.run(
            "UPDATE outbox SET state = 'sent', sent_at = ?, reply = ?, attempts = attempts + 1, error = NULL"
            " WHERE id = ? AND state = 'ready'",
            stamp(at), reply[:200], line_id,
        )  # fmt: skip


def deferred(store: Store, line_id: int, until: datetime, error: str) -> None:
    """ready -> ready, later."""
    with store.transaction():
        store.run(
            "UPDATE outbox SET next_attempt = ?, attempts = attempts + 1, error = ? WHERE id = ? AND state = 'ready'",
            stamp(until), error[:200], line_id,
        )  # fmt: skip


def parked(store: Store, line_id: int, at: datetime, error: str) -> None:
    """ready -> parked: refused for good, or tried for too long."""
    with store.transaction():
        store.run(
            "UPDATE outbox SET state = 'parked', sent_at = ?, error = ?, attempts = attempts + 1"
            " WHERE id = ? AND state = 'ready'",
            stamp(at), error[:200], line_id,
        )  # fmt: skip


def retry_parked(store: Store, line_id: int, now: datetime) -> None:
    """parked -> ready (or new, if it never was rendered): a person asks for another try."""
    with store.transaction():
        store.run(
            "UPDATE outbox SET state = CASE WHEN frozen IS NULL THEN 'new' ELSE 'ready' END, attempts = 0,"
            " next_attempt = ? WHERE id = ? AND state = 'parked'",
            stamp(now), line_id,
        )  # fmt: skip


def sent_texts(store: Store, game_id: int, power: str, limit: int = 60, *, up_to: int | None = None) -> list[str]:
    """The text parts of the latest mails to that seat, newest first: what a reply may quote. ``up_to``: the latest that
    there was."""
    rows = store.rows(
        "SELECT body FROM outbox WHERE game_id = ? AND power = ? AND body IS NOT NULL AND (? IS NULL OR id <= ?)"
        " ORDER BY id DESC LIMIT ?",
        game_id, power, up_to, up_to, limit,
    )  # fmt: skip
    return [str(r["body"]) for r in rows]


def sent_texts_to_person(store: Store, person: int, limit: int = 30) -> list[str]:
    """The text parts of the latest mails to a person outside of any game, newest first."""
    rows = store.rows(
        "SELECT body FROM outbox WHERE person = ? AND body IS NOT NULL ORDER BY id DESC LIMIT ?", person, limit
    )
    return [str(r["body"]) for r in rows]


def latest_text(store: Store, game: str, power: str) -> int:
    """The id of the latest mail to a seat that has been written, 0 if none has."""
    row = store.row(
        "SELECT max(outbox.id) AS id FROM outbox JOIN games ON games.id = outbox.game_id"
        " WHERE games.name = ? AND power = ? AND body IS NOT NULL",
        game, power,
    )  # fmt: skip
    return int((row and row["id"]) or 0)


def first_of_event(store: Store, game_id: int, power: str, event: str) -> str | None:
    """The Message-ID of the first mail of that event to a seat, or ``None``."""
    row = store.row(
        "SELECT message_id FROM outbox WHERE game_id = ? AND power = ? AND event = ? ORDER BY id LIMIT 1",
        game_id, power, event,
    )  # fmt: skip
    return None if row is None else str(row["message_id"])


def last_of_event(store: Store, game_id: int, power: str, event: str) -> str | None:
    """The Message-ID of the latest mail of that event to a seat, or ``None``."""
    row = store.row(
        "SELECT message_id FROM outbox WHERE game_id = ? AND power = ? AND event = ? ORDER BY id DESC LIMIT 1",
        game_id, power, event,
    )  # fmt: skip
    return None if row is None else str(row["message_id"])


def answers_to(store: Store, game: str, message_ids: Sequence[str]) -> list[tuple[str, str]]:
    """Message-ID and subject of our answers to mails with these Message-IDs, in a game."""
    rows = store.rows(
        "SELECT outbox.message_id, subject FROM outbox JOIN games ON games.id = outbox.game_id"
        " WHERE games.name = ? AND in_reply_to IN (SELECT value FROM json_each(?))",
        game, json.dumps(list(message_ids)),
    )  # fmt: skip
    return [(str(row["message_id"]), row["subject"] or "") for row in rows]


def id_of_subject(store: Store, game_id: int, power: str, subject: str) -> str | None:
    """The Message-ID of the latest mail to a seat with that subject (blanks folded), or ``None``."""
    wanted = " ".join(subject.split())
    rows = store.rows(
        "SELECT message_id, subject FROM outbox WHERE game_id = ? AND power = ? AND subject IS NOT NULL ORDER BY id DESC"
        " LIMIT 200",
        game_id, power,
    )  # fmt: skip
    return next((str(r["message_id"]) for r in rows if " ".join(r["subject"].split()) == wanted), None)


def newest_of(store: Store, game_id: int, power: str, message_ids: Sequence[str]) -> datetime | None:
    """When the newest of those mails to a power was written (not sent), ``None`` if none of them is one."""
    row = store.row(
        "SELECT max(created_at) AS at FROM outbox WHERE game_id = ? AND power = ?"
        " AND message_id IN (SELECT value FROM json_each(?))",
        game_id, power, json.dumps(list(message_ids)),
    )  # fmt: skip
    return None if row is None else instant_or_none(row["at"])


def last_to(store: Store, address: str, event: str) -> datetime | None:
    """When a mail of that event was last written to the address; keeps us from answering a stranger again and again."""
    row = store.row(
        "SELECT max(created_at) AS at FROM outbox WHERE address = ? COLLATE NOCASE AND event = ?", address, event
    )
    return instant_or_none(row["at"]) if row else None


def addresses_since(store: Store, event: str, ending: str, since: datetime) -> list[str]:
    """The addresses with that ending to which mails of that event were written since then; the latest 200 mails."""
    rows = store.rows(
        "SELECT address FROM outbox WHERE event = ? AND created_at >= ? AND lower(substr(address, -length(?))) = lower(?)"
        " ORDER BY created_at DESC LIMIT 200",
        event, stamp(since), ending, ending,
    )  # fmt: skip
    return [str(row["address"]) for row in rows]


def event_of(store: Store, message_id: str) -> str | None:
    """The event of our mail with that Message-ID, ``None`` if there is none."""
    row = store.row("SELECT event FROM outbox WHERE message_id = ?", message_id)
    return None if row is None else str(row["event"])


def args_of(store: Store, game_id: int, power: str, message_id: str) -> dict[str, Any]:
    """The arguments of our mail to a seat with that Message-ID, empty if there is none."""
    row = store.row("SELECT args FROM outbox WHERE game_id = ? AND power = ? AND message_id = ?", game_id, power, message_id)
    return {} if row is None else dict(json.loads(row["args"]))


def count_since(store: Store, address: str, event: str, since: datetime) -> int:
    """How many mails of that event were written to the address since then."""
    row = store.row(
        "SELECT count(*) AS n FROM outbox WHERE address = ? COLLATE NOCASE AND event = ? AND created_at >= ?",
        address, event, stamp(since),
    )  # fmt: skip
    return int(row["n"]) if row else 0


#: Answers to mails that counted for nothing. (The second: an event of earlier versions; questions are asked in its place.)
TO_STRANGERS = frozenset({"help", "answer", "links", "ask", "watched", "not-accepted"})
#: What may be deleted at all: these, and what went on to the operator.
PASSING = TO_STRANGERS | {"forward"}


def purge(store: Store, events: Collection[str], before: datetime) -> int:
    """Delete delivered (or parked) mails of these events, written before ``before``. Returns how many.

    :raises ValueError: an event of a game, whose mails are kept.
    """
    if not PASSING.issuperset(events):
        raise ValueError(f"mails of {', '.join(sorted(set(events) - PASSING))} are kept")
    with store.transaction():
        return sum(
            store.changed(
                "DELETE FROM outbox WHERE event = ? AND state IN ('sent','parked') AND created_at < ?", event, stamp(before)
            )
            for event in events
        )


def counts(store: Store) -> dict[str, int]:
    """``{"waiting", "parked", "sent"}``; waiting are those not yet rendered and those not yet delivered."""
    found = {r["state"]: r["n"] for r in store.rows("SELECT state, count(*) AS n FROM outbox GROUP BY state")}
    return {
        "waiting": found.get("new", 0) + found.get("ready", 0),
        "parked": found.get("parked", 0),
        "sent": found.get("sent", 0),
    }


def last_error(store: Store) -> str | None:
    """The latest fault of delivery that is not made good, or ``None``."""
    row = store.row("SELECT error FROM outbox WHERE error IS NOT NULL AND state != 'sent' ORDER BY id DESC LIMIT 1")
    return None if row is None else str(row["error"])


def _line(row: Row) -> Line:
    return Line(
        id=row["id"],
        event=row["event"],
        args=json.loads(row["args"]),
        game_id=row["game_id"],
        phase_id=row["phase_id"],
        power=row["power"],
        generation=row["generation"],
        address=row["address"],
        language=row["language"],
        timezone=row["timezone"],
        message_id=row["message_id"],
        in_reply_to=row["in_reply_to"],
        references=tuple((row["refs"] or "").split()),
        created_at=row["created_at"],
        state=row["state"],
        attempts=row["attempts"],
        next_attempt=instant_or_none(row["next_attempt"]),
        frozen=None if row["frozen"] is None else bytes(row["frozen"]),
        subject=row["subject"],
        person=row["person"],
    )
