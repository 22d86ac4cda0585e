"""Who stands ready to take over a power that has lost its player, and the offers that are made of one. The legal states
stand in :mod:`judge.store.states`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Row, Store, instant, instant_or_none, stamp

#: What becomes of an offer that was open.
Fate = Literal["accepted", "declined", "lapsed", "gone"]
OfferState = Literal["open", "accepted", "declined", "lapsed", "gone"]
#: So many of those who wait longest are looked at for one seat.
MOST_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who stands ready for any game (``game_id`` is ``None``) or for one."""

    person_id: int
    mailbox: str
    address: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat without a player, offered to a person until ``expires_at``. ``generation``: of the seat, so that an offer of a
    seat that has changed hands since is no offer; ``ask_id``: what the person answers; ``by_master``: the master had it
    offered, whatever the house rules say of taking over."""

    id: int
    game_id: int
    power: str
    generation: int
    person_id: int
    ask_id: int
    by_master: bool
    made_at: datetime
    expires_at: datetime
    state: OfferState
    decided_at: datetime | None


# who stands ready


def add(store: Store, person_id: int, game_id: int | None, now: datetime) -> bool:
    """(no row) -> stands ready. Returns whether that is new."""
    return bool(
        store.changed(
            "INSERT INTO standbys (person_id, game_id, since) VALUES (?,?,?) ON CONFLICT DO NOTHING",
            person_id, game_id, stamp(now),
        )
    )  # fmt: skip


def drop(store: Store, person_id: int, game_id: int | None = None) -> int:
    """Stands ready -> (no row): for one game, or for none at all any more. Returns how many rows that were."""
    if game_id is None:
        return store.changed("DELETE FROM standbys WHERE person_id = ?", person_id)
    return store.changed("DELETE FROM standbys WHERE person_id = ? AND game_id = ?", person_id, game_id)


def to_the_end(store: Store, person_id: int, now: datetime) -> None:
    """Whoever got an offer waits behind all others from then on."""
    store.run("UPDATE standbys SET since = ? WHERE person_id = ?", stamp(now), person_id)


def of_person(store: Store, person_id: int) -> list[str | None]:
    """What a person stands ready for: names of games, ``None`` for any."""
    rows = store.rows(
        "SELECT games.name AS name FROM standbys LEFT JOIN games ON games.id = standbys.game_id"
        " WHERE person_id = ? ORDER BY games.name",
        person_id,
    )
    return [row["name"] for row in rows]


def count(store: Store, person_id: int) -> int:
    """For how many games a person stands ready, any counted as one."""
    row = store.row("SELECT count(*) AS n FROM standbys WHERE person_id = ?", person_id)
    return int(row["n"]) if row else 0


def waiting(store: Store, game_id: int) -> list[Waiting]:
    """Who stands ready for a game, whoever waits longest first; each person once, at most :data:`MOST_LOOKED_AT`."""
    rows = store.rows(
        "SELECT persons.id AS id, persons.mailbox AS mailbox, persons.address AS address FROM standbys"
        " JOIN persons ON persons.id = standbys.person_id"
        " WHERE (game_id IS NULL OR game_id = ?) AND persons.state = 'confirmed' ORDER BY since, standbys.id LIMIT ?",
        game_id, MOST_LOOKED_AT,
    )  # fmt: skip
    found = {row["id"]: Waiting(row["id"], row["mailbox"], row["address"]) for row in reversed(rows)}
    return list(reversed(found.values()))


def games_with_room(store: Store, most: int) -> list[int]:
    """The ids of running games in which a power has no player, at most ``most``."""
    rows = store.rows(
        "SELECT DISTINCT games.id AS id FROM seats JOIN games ON games.id = seats.game_id"
        " WHERE seats.address IS NULL AND seats.role = 'power' AND games.state = 'running' ORDER BY games.id LIMIT ?",
        most,
    )
    return [int(row["id"]) for row in rows]


# offers


def offer(
    store: Store, game_id: int, power: str, generation: int, person_id: int, ask_id: int, *,
    by_master: bool, now: datetime, expires_at: datetime,
) -> int:  # fmt: skip
    """(no row) -> open. Returns its id."""
    return store.run(
        "INSERT INTO offers (game_id, power, generation, person_id, ask_id, by_master, made_at, expires_at)"
        " VALUES (?,?,?,?,?,?,?,?)",
        game_id, power, generation, person_id, ask_id, int(by_master), stamp(now), stamp(expires_at),
    )  # fmt: skip


def decide(store: Store, offer_id: int, fate: Fate, now: datetime) -> None:
    """open -> accepted, declined, lapsed or gone."""
    store.run(
        "UPDATE offers SET state = ?, decided_at = ? WHERE id = ? AND state = 'open'", fate, stamp(now), offer_id
    )  # fmt: skip


def of_ask(store: Store, ask_id: int) -> Offer | None:
    """The offer that a question is, or ``None``."""
    row = store.row("SELECT * FROM offers WHERE ask_id = ?", ask_id)
    return None if row is None else _offer(row)


def open_for(store: Store, game_id: int, power: str) -> Offer | None:
    """The offer of a seat that waits for its answer, or ``None``."""
    row = store.row("SELECT * FROM offers WHERE game_id = ? AND power = ? AND state = 'open'", game_id, power)
    return None if row is None else _offer(row)


def offered(store: Store, game_id: int, power: str, generation: int) -> set[int]:
    """The persons who were offered a seat as it is."""
    rows = store.rows(
        "SELECT person_id FROM offers WHERE game_id = ? AND power = ? AND generation = ?", game_id, power, generation
    )
    return {int(row["person_id"]) for row in rows}


def offers_since(store: Store, person_id: int, since: datetime) -> tuple[int, bool]:
    """How many offers a person got since then, and whether one waits for an answer."""
    row = store.row(
        "SELECT count(*) AS n, coalesce(max(state = 'open'), 0) AS waits FROM offers WHERE person_id = ? AND made_at >= ?",
        person_id, stamp(since),
    )  # fmt: skip
    return (int(row["n"]), bool(row["waits"])) if row else (0, False)


def due(store: Store, now: datetime) -> list[Offer]:
    """The open offers whose time is up, the oldest first."""
    rows = store.rows("SELECT * FROM offers WHERE state = 'open' AND expires_at <= ? ORDER BY expires_at, id", stamp(now))
    return [_offer(row) for row in rows]


def next_expiry(store: Store) -> datetime | None:
    """When the next open offer lapses, or ``None``."""
    row = store.row("SELECT min(expires_at) AS at FROM offers WHERE state = 'open'")
    return instant_or_none(row["at"]) if row else None


def _offer(row: Row) -> Offer:
    return Offer(
        id=row["id"],
        game_id=row["game_id"],
        power=row["power"],
        generation=row["generation"],
        person_id=row["person_id"],
        ask_id=row["ask_id"],
        by_master=bool(row["by_master"]),
        made_at=instant(row["made_at"]),
        expires_at=instant(row["expires_at"]),
        state=row["state"],
        decided_at=instant_or_none(row["decided_at"]),
    )
