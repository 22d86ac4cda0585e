"""Mails that came in: kept before 250 is said, taken in one by one, never lost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.errors import NotFound
from judge.store import seals
from judge.store.db import Row, Store, instant, instant_or_none, stamp

#: A mail without a Message-ID is the same mail if the same bytes came within this time.
SAME_WITHIN = timedelta(hours=1)
#: After so many failures a mail is set aside for a person.
MAX_ATTEMPTS = 3
#: So long after the first and the second failure a mail is left alone: a fault that passes has passed by then.
RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=3))


@dataclass(frozen=True, slots=True)
class Recipient:
    """An address of ours, resolved at the door. ``local`` is its local part with the token cut out; ``person``: whose own
    address it is, outside of any game."""

    kind: str
    game: str | None
    power: str | None
    local: str
    person: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A mail kept for one recipient; ``duplicate``: the same mail had been kept before."""

    id: int
    duplicate: bool


@dataclass(frozen=True, slots=True)
class StoredMail:
    """One mail for one recipient, as kept. ``signed_by``: the domains whose DKIM signature it bore when it came, if the door
    looked. ``vouched_by``: of a mail that was held, the one in which its player said that it is theirs."""

    id: int
    recipient: Recipient
    raw: bytes
    envelope_from: str
    peer: str
    message_id: str | None
    received_at: datetime
    state: str
    attempts: int
    outcome: str | None
    signed_by: tuple[str, ...] = ()
    vouched_by: StoredMail | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail that waits; after a fault not to be tried before ``retry_at``."""

    id: int
    retry_at: datetime | None


def keep(
    store: Store,
    *,
    raw: bytes,
    envelope_from: str,
    recipients: Sequence[Recipient],
    received_at: datetime,
    content_hash: str,
    message_id: str | None,
    peer: str,
    signed_by: Sequence[str] = (),
) -> list[Kept]:
    """Commit a mail, one row a recipient, in one transaction. When this returns, 250 may be said.

    ``raw`` has no live token in it any more. The same mail (recipient, Message-ID and content; without a Message-ID the same
    content within an hour) is counted, not kept again.
    """
    with store.transaction():
        kept: list[Kept | None] = [None] * len(recipients)
        raw_id = 0
        for index, recipient in enumerate(recipients):
            same_as = _same_as(recipient, envelope_from, message_id, content_hash)
            since = None if message_id else stamp(received_at - SAME_WITHIN)
            known = store.row("SELECT id FROM inbox WHERE same_as = ? AND received_at >= ? LIMIT 1", same_as, since or "")
            if known:
                store.run("UPDATE inbox SET copies = copies + 1 WHERE id = ?", known["id"])
                kept[index] = Kept(known["id"], True)
                continue
            raw_id = raw_id or store.run(
                "INSERT INTO raws (bytes, bytes_hash, content_hash, message_id, envelope_from, peer, received_at, signed_by)"
                " VALUES (?,?,?,?,?,?,?,?)",
                raw, hash_of(raw), content_hash, message_id, envelope_from, peer, stamp(received_at),
                " ".join(signed_by) or None,
            )  # fmt: skip
            inbox_id = store.run(
                "INSERT INTO inbox (raw_id, kind, game, power, person, local, received_at, same_as)"
                " VALUES (?,?,?,?,?,?,?,?)",
                raw_id, recipient.kind, recipient.game, recipient.power, recipient.person, recipient.local,
                stamp(received_at), same_as,
            )  # fmt: skip
            kept[index] = Kept(inbox_id, False)
    return [k for k in kept if k is not None]


def hash_of(raw: bytes) -> str:
    """The hash by which it is known later that every stored byte of a mail is as it came: hex SHA-256."""
    return hashlib.sha256(raw).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a mail of a seat, with where it came from."""

    power: str
    head: bytes
    peer: str
    received_at: datetime


def heads_of_seats(store: Store, game: str, limit: int) -> list[Head]:
    """The latest ``limit`` mails to a game's seats that are known to be their players', without those of machines."""
    rows = store.rows(
        "SELECT inbox.power, substr(raws.bytes, 1, 65536) AS head, raws.peer, inbox.received_at FROM inbox"
        " JOIN raws ON raws.id = inbox.raw_id WHERE game = ? AND kind = 'seat' AND state = 'handled'"
        " AND outcome NOT IN ('auto-reply','again','bounce','ignored','held','too-large')"
        " ORDER BY inbox.id DESC LIMIT ?",
        game, limit,
    )  # fmt: skip
    return [Head(row["power"], bytes(row["head"]), row["peer"], instant(row["received_at"])) for row in rows]


def changed_bytes(store: Store, inbox_id: int) -> bool:
    """Whether the stored bytes of a mail are not those that came; mails from before hashes were kept cannot tell."""
    row = store.row("SELECT bytes, bytes_hash FROM raws WHERE id = (SELECT raw_id FROM inbox WHERE id = ?)", inbox_id)
    return row is not None and row["bytes_hash"] is not None and hash_of(bytes(row["bytes"])) != row["bytes_hash"]


def ids_of_game(store: Store, game: str) -> list[int]:
    """The mails to a game's seats that have been handled, in the order they came."""
    rows = store.rows("SELECT id FROM inbox WHERE game = ? AND kind = 'seat' AND state = 'handled' ORDER BY id", game)
    return [int(row["id"]) for row in rows]


def _same_as(recipient: Recipient, envelope_from: str, message_id: str | None, content_hash: str) -> str:
    """The key by which a mail that comes again is known. A seat is a sender; elsewhere the envelope sender counts too."""
    who = f"{recipient.kind}|{recipient.game}|{recipient.power}"
    if recipient.person is not None:
        who += f"|person {recipient.person}"
    if recipient.kind != "seat":
        who += f"|{envelope_from.lower()}"
    return f"{who}|{message_id or ''}|{content_hash}"


def seat_has_it(store: Store, mail: StoredMail, power: str) -> bool:
    """Whether the same mail came to the seat's signed address too, or was taken in as the seat's before: who got a copy of a
    mail to the game's open address could send it again, in another turn."""
    return store.row("SELECT 1 FROM inbox WHERE same_as = ? LIMIT 1", _as_the_seats(store, mail, power)) is not None


def _as_the_seats(store: Store, mail: StoredMail, power: str) -> str:
    """By what the mail would be known if it had come to the seat's signed address."""
    row = store.row("SELECT raws.content_hash FROM raws JOIN inbox ON inbox.raw_id = raws.id WHERE inbox.id = ?", mail.id)
    seat = Recipient("seat", mail.recipient.game, power, "")
    return _same_as(seat, mail.envelope_from, mail.message_id, row["content_hash"] if row else "")


#: Whether a mail came in time is not known yet while its game's deadline has passed and may still be put off.
NEXT_WAITING = (
    "SELECT id FROM inbox WHERE state = 'waiting' AND (retry_at IS NULL OR retry_at <= ?) AND NOT EXISTS ("
    "SELECT 1 FROM games JOIN phases ON phases.game_id = games.id AND phases.state = 'open'"
    " WHERE games.name = inbox.game AND inbox.kind IN ('seat','game')"
    " AND phases.deadline <= ? AND inbox.received_at > phases.deadline"
    " AND phases.postponed = 0 AND json_extract(coalesce(phases.rules, games.rules), '$.nmr') = 'postpone'"
    ") ORDER BY attempts, id LIMIT 1"
)


def next_waiting(store: Store, now: datetime | None = None) -> int | None:
    """The id of the oldest mail that waits and can be taken in at ``now`` (``None``: at some time), or ``None``.

    A mail that failed before comes after those that did not, so that it cannot hold them up. A mail that came after a
    deadline which may still be put off waits until the phase was run or put off.
    """
    if now is None:
        row = store.row("SELECT id FROM inbox WHERE state = 'waiting' ORDER BY attempts, id LIMIT 1")
    else:
        row = store.row(NEXT_WAITING, stamp(now), stamp(now))
    return None if row is None else int(row["id"])


def next_retry(store: Store, now: datetime) -> datetime | None:
    """When the next mail that failed may be tried again, if that is later than ``now``."""
    row = store.row("SELECT min(retry_at) AS at FROM inbox WHERE state = 'waiting' AND retry_at > ?", stamp(now))
    return instant_or_none(row["at"]) if row else None


def waiting_before(store: Store, game: str, at: datetime) -> list[Waiting]:
    """The mails that arrived not later than ``at``, still wait, and may hold orders for ``game``: they count for that
    deadline. These are its own, and those to other games of its players: a mail may hold orders for several games."""
    rows = store.rows(
        "SELECT id, retry_at FROM inbox WHERE state = 'waiting' AND received_at <= ? AND (game = ? OR EXISTS ("
        " SELECT 1 FROM games AS there JOIN seats AS sender ON sender.game_id = there.id"
        " JOIN seats AS also ON also.address = sender.address COLLATE NOCASE JOIN games AS here ON here.id = also.game_id"
        " WHERE there.name = inbox.game AND (inbox.power IS NULL OR sender.power = inbox.power) AND here.name = ?"
        ")) ORDER BY +inbox.id",  # few wait, of all that there are: not in the order of the table
        stamp(at), game, game,
    )  # fmt: skip
    return [Waiting(int(r["id"]), instant_or_none(r["retry_at"])) for r in rows]


def handled_at(store: Store, inbox_id: int) -> datetime | None:
    """When a mail was taken in, ``None``: it waits."""
    row = store.row("SELECT handled_at FROM inbox WHERE id = ?", inbox_id)
    return instant_or_none(row["handled_at"]) if row else None


def load(store: Store, inbox_id: int) -> StoredMail:
    """The mail with that id.

    :raises NotFound: there is none.
    """
    row = store.row(
        "SELECT inbox.*, raws.bytes, raws.message_id, raws.envelope_from, raws.peer, raws.signed_by"
        " FROM inbox JOIN raws ON raws.id = inbox.raw_id WHERE inbox.id = ?",
        inbox_id,
    )
    if row is None:
        raise NotFound(f"there is no mail {inbox_id}")
    return _mail(row)


def received_at(store: Store, inbox_id: int) -> datetime:
    """When the mail with that id came in; its bytes, which may be many, are not loaded.

    :raises NotFound: there is none.
    """
    row = store.row("SELECT received_at FROM inbox WHERE id = ?", inbox_id)
    if row is None:
        raise NotFound(f"there is no mail {inbox_id}")
    return instant(row["received_at"])


def _mail(row: Row) -> StoredMail:
    return StoredMail(
        id=row["id"],
        recipient=Recipient(row["kind"], row["game"], row["power"], row["local"], row["person"]),
        raw=bytes(row["bytes"]),
        envelope_from=row["envelope_from"],
        peer=row["peer"],
        message_id=row["message_id"],
        received_at=instant(row["received_at"]),
        state=row["state"],
        attempts=row["attempts"],
        outcome=row["outcome"],
        signed_by=tuple((row["signed_by"] or "").split()),
    )


def done(store: Store, inbox_id: int, outcome: str, at: datetime, *, words: str | None = None) -> None:
    """waiting -> handled, inside the transaction that did what the mail asked. ``words``: a hash of its own words."""
    store.run(
        "UPDATE inbox SET state = 'handled', outcome = ?, handled_at = ?, words = ? WHERE id = ?",
        outcome, stamp(at), words, inbox_id,
    )  # fmt: skip
    game = store.row(
        "SELECT games.id FROM inbox JOIN games ON games.name = inbox.game WHERE inbox.id = ? AND inbox.kind = 'seat'",
        inbox_id,
    )
    if game is not None:
        seals.seal(store, game["id"], "mail", inbox_id)


def judge_had(store: Store, message_id: str, inbox_id: int) -> bool:
    """Whether another mail with that Message-ID came to the judge's open address and was taken in."""
    row = store.row(
        "SELECT 1 FROM raws CROSS JOIN inbox ON inbox.raw_id = raws.id"  # in this order: few have that Message-ID
        " WHERE raws.message_id = ? AND inbox.kind = 'judge' AND inbox.state = 'handled' AND inbox.id != ? LIMIT 1",
        message_id, inbox_id,
    )  # fmt: skip
    return row is not None


def give_to_seat(store: Store, mail: StoredMail, power: str) -> None:
    """A mail to a game's open address that is known to be a seat's player's is the seat's from now on, and never deleted."""
    store.run(
        "UPDATE inbox SET kind = 'seat', power = ?, same_as = ? WHERE id = ? AND kind = 'game'",
        power, _as_the_seats(store, mail, power), mail.id,
    )  # fmt: skip


def said_before(store: Store, mail: StoredMail, words: str, since: datetime) -> bool:
    """Whether the same seat sent the same words since then, in a mail that has been handled."""
    to = mail.recipient
    row = store.row(
        "SELECT 1 FROM inbox WHERE game = ? AND power = ? AND kind = ? AND received_at >= ? AND words = ? LIMIT 1",
        to.game, to.power, to.kind, stamp(since), words,
    )  # fmt: skip
    return row is not None


@dataclass(frozen=True, slots=True)
class Earlier:
    """A mail that a seat sent before and that has been handled. ``words``: a hash of its own words."""

    received_at: datetime
    message_id: str | None
    words: str | None


def outcomes_since(store: Store, mail: StoredMail, outcomes: Collection[str], since: datetime) -> list[Earlier]:
    """The handled mails of the same seat with one of these outcomes, received since then and not after ``mail``."""
    to = mail.recipient
    rows = store.rows(
        "SELECT inbox.received_at, raws.message_id, inbox.words FROM inbox JOIN raws ON raws.id = inbox.raw_id"
        " WHERE game = ? AND power = ? AND kind = ? AND state = 'handled' AND inbox.received_at >= ? AND inbox.id < ?"
        " AND outcome IN (SELECT value FROM json_each(?)) ORDER BY inbox.id DESC LIMIT 20",
        to.game, to.power, to.kind, stamp(since), mail.id, json.dumps(list(outcomes)),
    )  # fmt: skip
    return [Earlier(instant(row["received_at"]), row["message_id"], row["words"]) for row in rows]


def last_of_seat(store: Store, mail: StoredMail, count: int) -> list[Earlier]:
    """The latest ``count`` mails of the same seat before ``mail``, newest first."""
    to = mail.recipient
    rows = store.rows(
        "SELECT received_at, words FROM inbox WHERE game = ? AND power = ? AND kind = ? AND id < ? ORDER BY id DESC LIMIT ?",
        to.game, to.power, to.kind, mail.id, count,
    )  # fmt: skip
    return [Earlier(instant(row["received_at"]), None, row["words"]) for row in rows]


def last_heard(store: Store, game: str, power: str) -> datetime | None:
    """When the latest mail of a seat's player came that was no machine's, or ``None``."""
    row = store.row(
        "SELECT received_at AS at FROM inbox WHERE game = ? AND power = ? AND kind = 'seat' AND state = 'handled'"
        " AND outcome NOT IN ('auto-reply','again','bounce','ignored','held','too-large') ORDER BY id DESC LIMIT 1",
        game, power,
    )  # fmt: skip
    return instant_or_none(row["at"]) if row else None


def failed(store: Store, inbox_id: int, error: str, now: datetime) -> bool:
    """Count a failure; the third sets the mail aside. ``error`` holds the kind of the fault, never text of the mail.

    Returns whether it was set aside.
    """
    with store.transaction():
        row = store.row("SELECT attempts FROM inbox WHERE id = ?", inbox_id)
        attempts = (row["attempts"] if row else 0) + 1
        state = "set-aside" if attempts >= MAX_ATTEMPTS else "waiting"
        retry = None if state == "set-aside" else stamp(now + RETRY_AFTER[attempts - 1])
        store.run(
            "UPDATE inbox SET attempts = ?, state = ?, error = ?, retry_at = ? WHERE id = ?",
            attempts, state, error, retry, inbox_id,
        )  # fmt: skip
    return state == "set-aside"


def counts(store: Store) -> dict[str, int]:
    """``{"waiting", "set_aside", "handled"}``."""
    found = {r["state"]: r["n"] for r in store.rows("SELECT state, count(*) AS n FROM inbox GROUP BY state")}
    return {"waiting": found.get("waiting", 0), "set_aside": found.get("set-aside", 0), "handled": found.get("handled", 0)}


def outcome_counts(store: Store) -> dict[str, int]:
    """How many handled mails had which outcome (``orders``, ``late``, ``auto-reply`` ...)."""
    return {
        r["outcome"]: r["n"]
        for r in store.rows("SELECT outcome, count(*) AS n FROM inbox WHERE state = 'handled' GROUP BY outcome")
    }


def last_error(store: Store) -> str | None:
    """The latest fault of a mail that waits or was set aside, or ``None``."""
    row = store.row("SELECT error FROM inbox WHERE error IS NOT NULL AND state != 'handled' ORDER BY id DESC LIMIT 1")
    return None if row is None else str(row["error"])


def purge(store: Store, kinds: Collection[str], before: datetime) -> int:
    """Delete the mails to addresses of these kinds that nothing is left to do with, received before ``before``.

    Returns how many mails went.

    :raises ValueError: mail of seats is never deleted.
    """
    if "seat" in kinds:
        raise ValueError("mail of seats is never deleted")
    gone = 0
    with store.transaction():
        for kind in kinds:
            gone += store.changed(
                "DELETE FROM inbox WHERE kind = ? AND received_at < ? AND state IN ('handled','set-aside')"
                " AND NOT EXISTS (SELECT 1 FROM held_mails WHERE held_mails.inbox_id = inbox.id)",
                kind, stamp(before),
            )  # fmt: skip
        store.run(
            "DELETE FROM raws WHERE received_at < ? AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.raw_id = raws.id)",
            stamp(before),
        )
    return gone
