"""Who made a game by mail, whom they invited into it, and who wants no invitation ever. The legal states stand in
:mod:`judge.store.states`.

An address is known here by a keyed digest of its mailbox: what was said once (one invitation a game, never one again) holds
on when nothing else is kept of who said it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Row, Store, instant, stamp

InvitationState = Literal["open", "accepted", "declined", "lapsed"]
Fate = Literal["declined", "lapsed"]


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody is invited into a game. ``ask_id``: what they answer; ``made_by``: the person who invites; ``digest``: of the
    mailbox."""

    id: int
    game_id: int
    person_id: int
    ask_id: int
    made_by: int
    digest: str
    made_at: datetime
    state: InvitationState


# who made a game


def made(store: Store, game_id: int, person_id: int) -> None:
    """(no row) -> the game's maker."""
    store.run("INSERT INTO makers (game_id, person_id) VALUES (?,?)", game_id, person_id)


def maker(store: Store, game_id: int) -> int | None:
    """The id of the person who made a game by mail, or ``None``: nobody did."""
    row = store.row("SELECT person_id FROM makers WHERE game_id = ?", game_id)
    return None if row is None else int(row["person_id"])


def forming(store: Store, person_id: int) -> int:
    """How many games that a person made have not started."""
    row = store.row(
        "SELECT count(*) AS n FROM makers JOIN games ON games.id = makers.game_id"
        " WHERE person_id = ? AND games.state = 'forming'",
        person_id,
    )
    return int(row["n"]) if row else 0


# invitations


def invite(
    store: Store, game_id: int, person_id: int, ask_id: int, made_by: int, digest: str, now: datetime
) -> int:  # fmt: skip
    """(no row) -> open. Returns its id."""
    return store.run(
        "INSERT INTO invitations (game_id, person_id, ask_id, made_by, digest, made_at) VALUES (?,?,?,?,?,?)",
        game_id, person_id, ask_id, made_by, digest, stamp(now),
    )  # fmt: skip


def decide(store: Store, invitation_id: int, fate: Fate, now: datetime) -> None:
    """open -> declined or lapsed."""
    store.run(
        "UPDATE invitations SET state = ?, decided_at = ? WHERE id = ? AND state = 'open'", fate, stamp(now), invitation_id
    )


def accept(store: Store, invitation_id: int, now: datetime) -> None:
    """open, declined or lapsed -> accepted: who comes into the game after all is welcome as long as there is room."""
    store.run(
        "UPDATE invitations SET state = 'accepted', decided_at = ? WHERE id = ? AND state != 'accepted'",
        stamp(now), invitation_id,
    )  # fmt: skip


def of_ask(store: Store, ask_id: int) -> Invitation | None:
    """The invitation that a question is, or ``None``."""
    row = store.row("SELECT * FROM invitations WHERE ask_id = ?", ask_id)
    return None if row is None else _invitation(row)


def of_digest(store: Store, game_id: int, digest: str) -> Invitation | None:
    """The invitation of a mailbox into a game, whatever came of it, or ``None``."""
    row = store.row("SELECT * FROM invitations WHERE game_id = ? AND digest = ?", game_id, digest)
    return None if row is None else _invitation(row)


def states(store: Store, game_id: int) -> dict[str, int]:
    """How many were invited into a game, by what came of it."""
    rows = store.rows("SELECT state, count(*) AS n FROM invitations WHERE game_id = ? GROUP BY state", game_id)
    return {row["state"]: int(row["n"]) for row in rows}


def sent_since(store: Store, person_id: int, since: datetime) -> int:
    """How many invitations a person has caused since then."""
    row = store.row("SELECT count(*) AS n FROM invitations WHERE made_by = ? AND made_at >= ?", person_id, stamp(since))
    return int(row["n"]) if row else 0


def got_since(store: Store, digest: str, since: datetime) -> int:
    """How many invitations went to a mailbox since then."""
    row = store.row("SELECT count(*) AS n FROM invitations WHERE digest = ? AND made_at >= ?", digest, stamp(since))
    return int(row["n"]) if row else 0


def lapse(store: Store, before: datetime, now: datetime) -> None:
    """open -> lapsed: of all that were made before then."""
    store.run(
        "UPDATE invitations SET state = 'lapsed', decided_at = ? WHERE state = 'open' AND made_at < ?",
        stamp(now), stamp(before),
    )  # fmt: skip


# who wants none


def never(store: Store, digest: str, now: datetime) -> None:
    """(no row) -> no invitation goes to that mailbox ever again."""
    store.run("INSERT INTO uninvited (digest, at) VALUES (?,?) ON CONFLICT DO NOTHING", digest, stamp(now))


def wants_none(store: Store, digest: str) -> bool:
    """Whether a mailbox wants no invitation."""
    return store.row("SELECT 1 AS found FROM uninvited WHERE digest = ?", digest) is not None


def _invitation(row: Row) -> Invitation:
    return Invitation(
        id=row["id"],
        game_id=row["game_id"],
        person_id=row["person_id"],
        ask_id=row["ask_id"],
        made_by=row["made_by"],
        digest=row["digest"],
        made_at=instant(row["made_at"]),
        state=row["state"],
    )
