"""People: who has a signed address of their own outside of any game, what they asked for before they were known, and whose
games they watch. The legal states stand in :mod:`judge.store.states`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from judge.errors import NotFound
from judge.store import mailboxes
from judge.store.db import Row, Store, instant, instant_or_none, stamp

PersonState = Literal["asked", "confirmed", "forgotten"]
AskState = Literal["asked", "done", "dropped"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a mail address. ``mailbox`` is what is the same for all spellings of it; ``generation`` counts the
    tokens of the person's own address; ``state`` is ``asked`` until they have answered a first mail of ours. ``name``: what
    they chose to be called, or nothing."""

    id: int
    address: str
    mailbox: str
    language: str
    timezone: str
    generation: int
    state: PersonState
    made_at: datetime
    confirmed_at: datetime | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a person (or somebody in their name) asked for and has not confirmed yet: ``commands`` as pairs of verb and
    argument. ``mover``: the person whose games move to the address of the one who is asked; then there are no commands."""

    id: int
    person_id: int
    commands: tuple[tuple[str, str], ...]
    mover: int | None
    asked_in: str | None
    made_at: datetime
    state: AskState


# persons


def add(
    store: Store, address: str, mailbox: str, *, language: str, timezone: str, state: PersonState, now: datetime
) -> Person:
    """(no row) -> asked or confirmed. One row a mailbox."""
    confirmed = stamp(now) if state == "confirmed" else None
    row_id = store.run(
        "INSERT INTO persons (address, mailbox, language, timezone, state, made_at, confirmed_at) VALUES (?,?,?,?,?,?,?)",
        address, mailbox, language, timezone, state, stamp(now), confirmed,
    )  # fmt: skip
    return load(store, row_id)


def find(store: Store, person_id: int) -> Person | None:
    """The person with that id, or ``None``."""
    row = store.row("SELECT * FROM persons WHERE id = ?", person_id)
    return None if row is None else _person(row)


def load(store: Store, person_id: int) -> Person:
    """The person with that id.

    :raises NotFound: there is none.
    """
    found = find(store, person_id)
    if found is None:
        raise NotFound(f"there is no person {person_id}")
    return found


def of_mailbox(store: Store, mailbox: str) -> Person | None:
    """Whose mailbox it is, confirmed or not, or ``None``."""
    row = store.row("SELECT * FROM persons WHERE mailbox = ? AND state != 'forgotten'", mailbox)
    return None if row is None else _person(row)


def addresses_like(store: Store, mailbox: str) -> list[str]:
    """The addresses of seats that may be a spelling of a mailbox: all at its domain."""
    domain = mailbox.rpartition("@")[2]
    domains = (domain, "googlemail.com") if domain == "gmail.com" else (domain,)
    rows = store.rows(
        "SELECT DISTINCT address FROM seats WHERE address IS NOT NULL"
        " AND lower(substr(address, instr(address, '@') + 1)) IN (SELECT value FROM json_each(?))",
        json.dumps(domains),
    )
    return [str(row["address"]) for row in rows]


def confirm(store: Store, person_id: int, now: datetime) -> None:
    """asked -> confirmed."""
    store.run(
        "UPDATE persons SET state = 'confirmed', confirmed_at = ? WHERE id = ? AND state = 'asked'", stamp(now), person_id
    )


def set_reader(store: Store, person_id: int, language: str, timezone: str) -> None:
    """The language and time zone that the person is written in."""
    store.run("UPDATE persons SET language = ?, timezone = ? WHERE id = ?", language, timezone, person_id)


def set_name(store: Store, person_id: int, name: str) -> None:
    """What the person is called from now on; empty: they have no name."""
    store.run("UPDATE persons SET name = ? WHERE id = ?", name, person_id)


def move(store: Store, person_id: int, address: str, mailbox: str) -> None:
    """Give the person another address, and a new token with it."""
    mailboxes.rename(store, load(store, person_id).mailbox, mailbox)
    store.run(
        "UPDATE persons SET address = ?, mailbox = ?, generation = generation + 1 WHERE id = ?", address, mailbox, person_id
    )


def forget(store: Store, person_id: int, pseudonym: str) -> None:
    """confirmed -> forgotten: nothing of the person is left but a pseudonym; the token is refused from now on."""
    mailboxes.rename(store, load(store, person_id).mailbox, pseudonym)
    store.run(
        "UPDATE persons SET address = ?, mailbox = ?, name = '', state = 'forgotten', generation = generation + 1"
        " WHERE id = ?",
        pseudonym, pseudonym, person_id,
    )  # fmt: skip
    store.run("DELETE FROM asks WHERE person_id = ?", person_id)
    store.run("UPDATE asks SET mover = NULL WHERE mover = ?", person_id)
    store.run("DELETE FROM observers WHERE person_id = ?", person_id)
    store.run("DELETE FROM standbys WHERE person_id = ?", person_id)
    store.run(
        "UPDATE invitations SET state = 'declined', decided_at = made_at WHERE person_id = ? AND state = 'open'", person_id
    )


def last_export(store: Store, person_id: int) -> datetime | None:
    """When all that is kept about a person last went out to them."""
    row = store.row("SELECT exported_at AS at FROM persons WHERE id = ?", person_id)
    return instant_or_none(row["at"]) if row else None


def exported(store: Store, person_id: int, now: datetime) -> None:
    """All that is kept about a person goes out to them now."""
    store.run("UPDATE persons SET exported_at = ? WHERE id = ?", stamp(now), person_id)


def absorb(store: Store, person_id: int, old: int) -> None:
    """Two persons become one: what ``old`` watches and stands ready for is the other's, and so is the name if the other has
    none; ``old`` is there no more."""
    store.run("UPDATE persons SET name = (SELECT name FROM persons WHERE id = ?) WHERE id = ? AND name = ''", old, person_id)
    store.run("UPDATE OR IGNORE standbys SET person_id = ? WHERE person_id = ?", person_id, old)
    store.run("UPDATE OR IGNORE observers SET person_id = ? WHERE person_id = ?", person_id, old)
    store.run("UPDATE makers SET person_id = ? WHERE person_id = ?", person_id, old)
    store.run("UPDATE invitations SET made_by = ? WHERE made_by = ?", person_id, old)
    forget(store, old, f"moved-{old}")


# what was asked


def ask(
    store: Store, person_id: int, commands: Sequence[tuple[str, str]], now: datetime, *, mover: int | None = None
) -> int:
    """(no row) -> asked. Returns the number by which it can be answered."""
    return store.run(
        "INSERT INTO asks (person_id, commands, mover, made_at) VALUES (?,?,?,?)",
        person_id, json.dumps([list(one) for one in commands], ensure_ascii=False), mover, stamp(now),
    )  # fmt: skip


def asked_in(store: Store, ask_id: int, message_id: str) -> None:
    """The mail that asks about it."""
    store.run("UPDATE asks SET asked_in = ? WHERE id = ?", message_id, ask_id)


def asks(store: Store, person_id: int) -> list[Ask]:
    """All that was asked in a person's name, the oldest first."""
    return [_ask(row) for row in store.rows("SELECT * FROM asks WHERE person_id = ? ORDER BY id", person_id)]


def decide(store: Store, ask_id: int, state: Literal["done", "dropped"], now: datetime) -> None:
    """asked -> done or dropped."""
    store.run("UPDATE asks SET state = ?, decided_at = ? WHERE id = ? AND state = 'asked'", state, stamp(now), ask_id)


def asked_since(store: Store, person_id: int, since: datetime, *, as_mover: bool = False) -> int:
    """How many questions went to a person (or, ``as_mover``, were caused by one) since then. Invitations have a measure of
    their own: nobody shall be kept from answering for themselves by those that others send them."""
    column = "mover" if as_mover else "person_id"
    row = store.row(
        f"SELECT count(*) AS n FROM asks WHERE {column} = ? AND made_at >= ?"  # noqa: S608
        " AND NOT EXISTS (SELECT 1 FROM invitations WHERE invitations.ask_id = asks.id)",
        person_id, stamp(since),
    )  # fmt: skip
    return int(row["n"]) if row else 0


def purge(store: Store, before: datetime) -> int:
    """Delete what was asked and not confirmed, or is done with, when its time is over, and with it everybody who never
    confirmed a mail; an invitation waits longer. Returns how many persons went."""
    at = stamp(before)
    store.run(
        "DELETE FROM asks WHERE made_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM invitations WHERE invitations.ask_id = asks.id AND invitations.state = 'open')",
        at,
    )
    return store.changed(
        "DELETE FROM persons WHERE state = 'asked' AND made_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM asks WHERE asks.person_id = persons.id)"
        " AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.person = persons.id)",
        at,
    )


# whose games they watch


def observe(store: Store, game_id: int, person_id: int, now: datetime) -> bool:
    """(no row) -> watching. Returns whether that is new."""
    return bool(
        store.changed(
            "INSERT INTO observers (game_id, person_id, since) VALUES (?,?,?) ON CONFLICT DO NOTHING",
            game_id,
            person_id,
            stamp(now),
        )
    )


def stop_observing(store: Store, game_id: int, person_id: int) -> bool:
    """watching -> (no row). Returns whether they watched."""
    return bool(store.changed("DELETE FROM observers WHERE game_id = ? AND person_id = ?", game_id, person_id))


def observers(store: Store, game_id: int) -> list[Person]:
    """Who watches a game, in the order in which they came."""
    rows = store.rows(
        "SELECT persons.* FROM persons JOIN observers ON observers.person_id = persons.id"
        " WHERE game_id = ? AND state = 'confirmed' ORDER BY observers.rowid",
        game_id,
    )
    return [_person(row) for row in rows]


def observed(store: Store, person_id: int) -> list[int]:
    """The ids of the games that a person watches."""
    return [int(r["game_id"]) for r in store.rows("SELECT game_id FROM observers WHERE person_id = ?", person_id)]


def _person(row: Row) -> Person:
    return Person(
        id=row["id"],
        address=row["address"],
        mailbox=row["mailbox"],
        language=row["language"],
        timezone=row["timezone"],
        generation=row["generation"],
        state=row["state"],
        made_at=instant(row["made_at"]),
        confirmed_at=instant_or_none(row["confirmed_at"]),
        name=row["name"],
    )


def _ask(row: dict[str, Any]) -> Ask:
    return Ask(
        id=row["id"],
        person_id=row["person_id"],
        commands=tuple((name, argument) for name, argument in json.loads(row["commands"])),
        mover=row["mover"],
        asked_in=row["asked_in"],
        made_at=instant(row["made_at"]),
        state=row["state"],
    )
