"""Games, their seats and their phases, and the log of what was done to them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.errors import NotFound, Refused
from judge.store import motions, seals, votes
from judge.store.db import Row, Store, instant, instant_or_none, stamp


@dataclass(frozen=True, slots=True)
class Game:
    """A game as stored. ``rules`` is the JSON of its house rules, ``ending`` of its GameEnd.

    A paused game has ``paused_at``; ``paused_left``: the seconds that its deadline lay ahead then, ``paused_until``: when it
    goes on by itself. ``comment``: the master's note that everybody reads.
    """

    id: int
    name: str
    variant: str
    rules: str
    rules_name: str
    schedule: str
    early: bool
    state: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    ending: str | None
    paused_at: datetime | None
    paused_until: datetime | None
    paused_left: int | None
    comment: str


#: What stands in place of a power's name for the game master's seat.
MASTER = "master"


@dataclass(frozen=True, slots=True)
class Seat:
    """A power in a game and who plays it (``address`` is ``None``: nobody); or the game master's seat, whose ``power`` is
    :data:`MASTER`. ``generation`` counts its tokens."""

    id: int
    game_id: int
    power: str
    address: str | None
    language: str
    timezone: str
    generation: int
    receipts: int


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase of a game. ``position``, ``result`` and ``rules`` are texts for :mod:`judge.store.codec`; ``rules`` is
    ``None`` while the game is played by those that it was made with. ``retry_at``: not before, because of a fault.
    ``hurried_at``: somebody (``hurried_by``) asked for it to run then. ``undone_at``: the game went back to a phase before
    it; one that was open then has no result.
    ``called_off``: the game was ended while it was open, and it never ran; ``result`` holds the end alone."""

    id: int
    game_id: int
    number: int
    attempt: int
    name: str
    position: str
    opened_at: datetime
    deadline: datetime | None
    run_at: datetime | None
    state: str
    processed_at: datetime | None
    result: str | None
    rules: str | None
    postponed: int
    retry_at: datetime | None
    hurried_at: datetime | None
    hurried_by: str | None
    undone_at: datetime | None
    called_off: bool = False

    def is_due(self, now: datetime) -> bool:
        """Whether it is to run at ``now``."""
        return self.run_at is not None and self.run_at <= now and (self.retry_at is None or self.retry_at <= now)


# games


def create(
    store: Store, *, name: str, variant: str, rules: str, rules_name: str, schedule: str, early: bool, now: datetime
) -> int:
    """Write a new game in state ``forming``.

    :raises Refused: there is a game of that name.
    """
    if store.row("SELECT 1 FROM games WHERE name = ?", name):
        raise Refused(f"there is a game {name!r} already")
    return store.run(
        "INSERT INTO games (name, variant, rules, rules_name, schedule, early, created_at) VALUES (?,?,?,?,?,?,?)",
        name, variant, rules, rules_name, schedule, int(early), stamp(now),
    )  # fmt: skip


def find(store: Store, name: str) -> Game | None:
    """The game of that name, or ``None``."""
    row = store.row("SELECT * FROM games WHERE name = ?", name)
    return None if row is None else _game(row)


def get(store: Store, name: str) -> Game:
    """The game of that name.

    :raises NotFound: there is none.
    """
    game = find(store, name)
    if game is None:
        raise NotFound(f"there is no game {name!r}")
    return game


def by_id(store: Store, game_id: int) -> Game:
    """The game with that id.

    :raises NotFound: there is none.
    """
    row = store.row("SELECT * FROM games WHERE id = ?", game_id)
    if row is None:
        raise NotFound(f"there is no game with the id {game_id}")
    return _game(row)


def all_games(store: Store) -> list[Game]:
    """All games, by name."""
    return [_game(r) for r in store.rows("SELECT * FROM games ORDER BY name")]


def started(store: Store, game_id: int, now: datetime) -> None:
    """forming -> running."""
    store.run("UPDATE games SET state = 'running', started_at = ? WHERE id = ?", stamp(now), game_id)


def ended(store: Store, game_id: int, now: datetime, ending: str) -> None:
    """running -> ended."""
    store.run("UPDATE games SET state = 'ended', ended_at = ?, ending = ? WHERE id = ?", stamp(now), ending, game_id)
    seals.seal(store, game_id, "end", game_id)


def set_rules(store: Store, game_id: int, rules: str) -> None:
    """The house rules of a game that has not started."""
    store.run("UPDATE games SET rules = ? WHERE id = ? AND state = 'forming'", rules, game_id)


def counts(store: Store) -> dict[str, int]:
    """How many games are in which state."""
    return {r["state"]: r["n"] for r in store.rows("SELECT state, count(*) AS n FROM games GROUP BY state")}


# seats


def add_seat(store: Store, game_id: int, power: str, address: str | None, language: str, timezone: str) -> int:
    """Write a power of a game, with or without a player; or the master's seat, if ``power`` is :data:`MASTER`."""
    role = "master" if power == MASTER else "power"
    return store.run(
        "INSERT INTO seats (game_id, power, address, language, timezone, role) VALUES (?,?,?,?,?,?)",
        game_id, power, address, language, timezone, role,
    )  # fmt: skip


def set_player(store: Store, game_id: int, power: str, address: str | None) -> None:
    """Give a seat to a player, or take it away; a seat that changes hands gets a new token."""
    store.run(
        "UPDATE seats SET address = ?, generation = generation + 1 WHERE game_id = ? AND power = ?",
        address, game_id, power,
    )  # fmt: skip
    votes.lapse(store, game_id, power)
    motions.lapse(store, game_id, power)


def renew_token(store: Store, game_id: int, power: str) -> None:
    """Give a seat's player a new token, inside the caller's transaction: the one before is refused from now on. Mails to the
    player that have not gone yet go with the new one."""
    store.run("UPDATE seats SET generation = generation + 1 WHERE game_id = ? AND power = ?", game_id, power)
    store.run(
        "UPDATE outbox SET generation = generation + 1 WHERE game_id = ? AND power = ? AND state != 'sent'"
        " AND generation + 1 = (SELECT generation FROM seats WHERE seats.game_id = ? AND seats.power = ?)",
        game_id, power, game_id, power,
    )  # fmt: skip


def set_reader(store: Store, game_id: int, power: str, language: str, timezone: str) -> None:
    """The language and time zone that the seat's mails are written in from now on."""
    store.run(
        "UPDATE seats SET language = ?, timezone = ? WHERE game_id = ? AND power = ?", language, timezone, game_id, power
    )


def seats(store: Store, game_id: int) -> list[Seat]:
    """The powers' seats of a game, in the order they were made (the board's)."""
    rows = store.rows("SELECT * FROM seats WHERE game_id = ? AND role = 'power' ORDER BY id", game_id)
    return [_seat(r) for r in rows]


def master(store: Store, game_id: int) -> Seat | None:
    """The game master's seat, or ``None``: the game has none."""
    row = store.row("SELECT * FROM seats WHERE game_id = ? AND role = 'master'", game_id)
    return None if row is None else _seat(row)


def signed_seats(store: Store, game_id: int) -> list[Seat]:
    """All seats that have a signed address: the powers' and the master's."""
    return [_seat(r) for r in store.rows("SELECT * FROM seats WHERE game_id = ? ORDER BY id", game_id)]


def seats_played_by(store: Store, address: str) -> list[tuple[str, Seat]]:
    """All seats of an address, each with its game's name."""
    rows = store.rows(
        "SELECT seats.*, games.name AS game FROM seats JOIN games ON games.id = seats.game_id"
        " WHERE seats.address = ? COLLATE NOCASE ORDER BY seats.id",
        address,
    )
    return [(str(row["game"]), _seat(row)) for row in rows]


def readers(store: Store, game_id: int) -> list[Seat]:
    """The seats whose holders read what happens in the game: the powers', then the master's, unless the master plays and
    reads it at a power's seat already."""
    found = seats(store, game_id)
    own = master(store, game_id)
    addresses = {seat.address.casefold() for seat in found if seat.address}
    if own is not None and own.address and own.address.casefold() not in addresses:
        found.append(own)
    return found


def seat(store: Store, game_id: int, power: str) -> Seat:
    """The seat of ``power`` (or :data:`MASTER`).

    :raises NotFound: the game has no such power.
    """
    row = store.row("SELECT * FROM seats WHERE game_id = ? AND power = ?", game_id, power)
    if row is None:
        raise NotFound(f"the game has no power {power!r}")
    return _seat(row)


def next_receipt(store: Store, seat_id: int) -> int:
    """Count one more receipt of the seat and return its number."""
    store.run("UPDATE seats SET receipts = receipts + 1 WHERE id = ?", seat_id)
    row = store.row("SELECT receipts FROM seats WHERE id = ?", seat_id)
    return int(row["receipts"]) if row else 0


# phases


def open_phase_row(
    store: Store,
    *,
    game_id: int,
    number: int,
    attempt: int,
    name: str,
    position: str,
    now: datetime,
    deadline: datetime | None,
    rules: str | None = None,
) -> int:
    """Open the next phase of a game. ``run_at`` begins as the deadline."""
    at = None if deadline is None else stamp(deadline)
    return store.run(
        "INSERT INTO phases (game_id, number, attempt, name, position, opened_at, deadline, run_at, rules)"
        " VALUES (?,?,?,?,?,?,?,?,?)",
        game_id, number, attempt, name, position, stamp(now), at, at, rules,
    )  # fmt: skip


def open_phase(store: Store, game_id: int) -> PhaseRow | None:
    """The phase that takes orders now, or ``None``."""
    row = store.row("SELECT * FROM phases WHERE game_id = ? AND state = 'open'", game_id)
    return None if row is None else _phase(row)


def phase(store: Store, phase_id: int) -> PhaseRow:
    """The phase with that id.

    :raises NotFound: there is none.
    """
    row = store.row("SELECT * FROM phases WHERE id = ?", phase_id)
    if row is None:
        raise NotFound(f"there is no phase with the id {phase_id}")
    return _phase(row)


def phases(store: Store, game_id: int) -> list[PhaseRow]:
    """The phases of a game that count, in the order they were played: without those that were undone."""
    rows = store.rows("SELECT * FROM phases WHERE game_id = ? AND undone_at IS NULL ORDER BY number", game_id)
    return [_phase(r) for r in rows]


def all_phases(store: Store, game_id: int) -> list[PhaseRow]:
    """All phases of a game in the order they were opened, with those that were undone."""
    return [_phase(r) for r in store.rows("SELECT * FROM phases WHERE game_id = ? ORDER BY id", game_id)]


def open_at(store: Store, game_id: int, at: datetime) -> PhaseRow | None:
    """The phase that was open at that instant, or ``None``: the game had not begun."""
    row = store.row(
        "SELECT * FROM phases WHERE game_id = ? AND opened_at <= ? ORDER BY opened_at DESC, id DESC LIMIT 1",
        game_id, stamp(at),
    )  # fmt: skip
    return None if row is None else _phase(row)


#: Of a phase played more than once the last time counts.
PHASE_BEFORE = (
    "SELECT * FROM phases WHERE game_id = ? AND number < ? AND attempt <= ? AND state = 'processed'"
    " ORDER BY number DESC, attempt DESC LIMIT 1"
)


def phase_before(store: Store, game_id: int, number: int, attempt: int) -> PhaseRow | None:
    """The phase processed last of those before ``number`` that led to a phase with ``attempt``, or ``None``."""
    row = store.row(PHASE_BEFORE, game_id, number, attempt)
    return None if row is None else _phase(row)


def last_processed(store: Store, game_id: int) -> PhaseRow | None:
    """The phase processed last of those that count, or ``None``."""
    row = store.row(
        "SELECT * FROM phases WHERE game_id = ? AND state = 'processed' AND undone_at IS NULL ORDER BY number DESC LIMIT 1",
        game_id,
    )
    return None if row is None else _phase(row)


def phase_numbered(store: Store, game_id: int, number: int, attempt: int) -> PhaseRow | None:
    """The phase with that number and attempt, or ``None``."""
    row = store.row("SELECT * FROM phases WHERE game_id = ? AND number = ? AND attempt = ?", game_id, number, attempt)
    return None if row is None else _phase(row)


def processed(store: Store, phase_id: int, now: datetime, result: str, *, called_off: bool = False) -> None:
    """open -> processed; ``called_off``: without having run.

    :raises Refused: somebody else has processed it.
    """
    changed = store.changed(
        "UPDATE phases SET state = 'processed', processed_at = ?, result = ?, called_off = ?"
        " WHERE id = ? AND state = 'open'",
        stamp(now), result, int(called_off), phase_id,
    )  # fmt: skip
    if changed != 1:
        raise Refused("this phase has been processed already")
    seals.seal(store, phase(store, phase_id).game_id, "phase", phase_id)


def set_run_at(store: Store, phase_id: int, run_at: datetime | None) -> None:
    """When the phase is due to run: its deadline, or earlier."""
    store.run("UPDATE phases SET run_at = ? WHERE id = ?", None if run_at is None else stamp(run_at), phase_id)


def put_off(store: Store, phase_id: int, until: datetime) -> None:
    """A phase could not be run: not again before ``until``, whatever mails come meanwhile. The deadline stays."""
    store.run("UPDATE phases SET retry_at = ? WHERE id = ?", stamp(until), phase_id)


def postpone(store: Store, phase_id: int, deadline: datetime) -> None:
    """Put the deadline of an open phase off."""
    at = stamp(deadline)
    store.run("UPDATE phases SET deadline = ?, run_at = ?, postponed = postponed + 1 WHERE id = ?", at, at, phase_id)


DUE_PHASES = (
    "SELECT * FROM phases WHERE state = 'open' AND run_at <= ? AND (retry_at IS NULL OR retry_at <= ?) ORDER BY run_at, id"
)


def due_phases(store: Store, now: datetime) -> list[PhaseRow]:
    """Open phases that are due, the longest waiting first."""
    at = stamp(now)
    return [_phase(r) for r in store.rows(DUE_PHASES, at, at)]


def next_run(store: Store) -> datetime | None:
    """When the next phase of any game is due, or ``None``."""
    row = store.row("SELECT min(max(run_at, coalesce(retry_at, run_at))) AS at FROM phases WHERE state = 'open'")
    return instant_or_none(row["at"]) if row else None


# log


def log(store: Store, game_id: int | None, who: str, what: str, facts: Mapping[str, Any], now: datetime) -> int:
    """Write down what was done to a game, by whom (a power, ``master``, ``operator``, ``clock``). Returns its number."""
    line = store.run(
        "INSERT INTO log (at, game_id, who, what, facts) VALUES (?,?,?,?,?)",
        stamp(now), game_id, who, what, json.dumps(facts, ensure_ascii=False),
    )  # fmt: skip
    if game_id is not None:
        seals.seal(store, game_id, "log", line)
    return line


def last_failure(store: Store) -> str | None:
    """The latest open phase that could not be run (``"spring42 S1901M: ZeroDivisionError"``), or ``None``."""
    row = store.row(
        "SELECT games.name AS game, phases.name AS phase, log.facts AS facts FROM log JOIN games ON games.id = log.game_id"
        " JOIN phases ON phases.game_id = games.id AND phases.state = 'open'"
        " AND json_extract(log.facts, '$.phase') = phases.name WHERE log.what = 'failed' ORDER BY log.id DESC LIMIT 1"
    )
    return None if row is None else f"{row['game']} {row['phase']}: {json.loads(row['facts'])['why']}"


def _game(row: Row) -> Game:
    return Game(
        id=row["id"],
        name=row["name"],
        variant=row["variant"],
        rules=row["rules"],
        rules_name=row["rules_name"],
        schedule=row["schedule"],
        early=bool(row["early"]),
        state=row["state"],
        created_at=instant(row["created_at"]),
        started_at=instant_or_none(row["started_at"]),
        ended_at=instant_or_none(row["ended_at"]),
        ending=row["ending"],
        paused_at=instant_or_none(row["paused_at"]),
        paused_until=instant_or_none(row["paused_until"]),
        paused_left=row["paused_left"],
        comment=row["comment"],
    )


def _seat(row: Row) -> Seat:
    return Seat(
        id=row["id"],
        game_id=row["game_id"],
        power=row["power"],
        address=row["address"],
        language=row["language"],
        timezone=row["timezone"],
        generation=row["generation"],
        receipts=row["receipts"],
    )


def _phase(row: Row) -> PhaseRow:
    return PhaseRow(
        id=row["id"],
        game_id=row["game_id"],
        number=row["number"],
        attempt=row["attempt"],
        name=row["name"],
        position=row["position"],
        opened_at=instant(row["opened_at"]),
        deadline=instant_or_none(row["deadline"]),
        run_at=instant_or_none(row["run_at"]),
        state=row["state"],
        processed_at=instant_or_none(row["processed_at"]),
        result=row["result"],
        rules=row["rules"],
        postponed=row["postponed"],
        retry_at=instant_or_none(row["retry_at"]),
        hurried_at=instant_or_none(row["hurried_at"]),
        hurried_by=row["hurried_by"],
        undone_at=instant_or_none(row["undone_at"]),
        called_off=bool(row["called_off"]),
    )
