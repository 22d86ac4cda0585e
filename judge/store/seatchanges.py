"""What became of the seats of a game: who gave one up, from whom one was taken, who came. The legal kinds stand in
:mod:`judge.store.states`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.store.db import Row, Store, instant, stamp

#: ``resigned``, ``ejected``, ``opened`` (the master says that nobody plays it), ``replaced``: somebody left; ``taken``:
#: somebody came.
SeatChange = Literal["resigned", "ejected", "opened", "replaced", "taken"]
LEFT: tuple[SeatChange, ...] = ("resigned", "ejected", "opened", "replaced")


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change: ``mailbox`` is whose who left or came; ``put_off``: the phase's deadline was put off for it."""

    id: int
    game_id: int
    phase_id: int
    power: str
    kind: SeatChange
    mailbox: str
    put_off: bool
    at: datetime


def add(
    store: Store,
    game_id: int,
    phase_id: int,
    power: str,
    kind: SeatChange,
    mailbox: str,
    now: datetime,
    *,
    put_off: bool = False,
) -> None:
    """Write down what became of a seat."""
    store.run(
        "INSERT INTO seat_changes (game_id, phase_id, power, kind, mailbox, put_off, at) VALUES (?,?,?,?,?,?,?)",
        game_id, phase_id, power, kind, mailbox, int(put_off), stamp(now),
    )  # fmt: skip


def of_game(store: Store, game_id: int) -> list[ChangeRow]:
    """All changes of a game's seats, the oldest first."""
    return [_change(row) for row in store.rows("SELECT * FROM seat_changes WHERE game_id = ? ORDER BY id", game_id)]


def of_mailbox(store: Store, mailbox: str) -> list[ChangeRow]:
    """What somebody did with seats, in all games, the oldest first."""
    return [_change(row) for row in store.rows("SELECT * FROM seat_changes WHERE mailbox = ? ORDER BY id", mailbox)]


def last(store: Store, game_id: int, power: str) -> ChangeRow | None:
    """What became of a seat last, or ``None``: it has whoever had it at the start."""
    row = store.row("SELECT * FROM seat_changes WHERE game_id = ? AND power = ? ORDER BY id DESC LIMIT 1", game_id, power)
    return None if row is None else _change(row)


def put_off_before(store: Store, phase_id: int, power: str) -> bool:
    """Whether a phase's deadline was put off already because that seat got a player."""
    found = store.row("SELECT 1 FROM seat_changes WHERE phase_id = ? AND power = ? AND put_off = 1", phase_id, power)
    return found is not None


def put_off(store: Store, phase_id: int, deadline: datetime) -> None:
    """Another deadline for an open phase."""
    at = stamp(deadline)
    store.run("UPDATE phases SET deadline = ?, run_at = ? WHERE id = ? AND state = 'open'", at, at, phase_id)


def forget_what_was_private(store: Store, game_id: int, power: str, now: datetime) -> None:
    """Of a player who leaves: what they wrote for later phases is not needed, mails that wait for their word are dropped."""
    store.run(
        "UPDATE later_orders SET state = 'not-needed' WHERE game_id = ? AND power = ? AND state = 'kept'", game_id, power
    )
    store.run(
        "UPDATE held_mails SET state = 'dropped', decided_at = ? WHERE game_id = ? AND power = ? AND state = 'held'",
        stamp(now), game_id, power,
    )  # fmt: skip


def _change(row: Row) -> ChangeRow:
    return ChangeRow(
        id=row["id"],
        game_id=row["game_id"],
        phase_id=row["phase_id"],
        power=row["power"],
        kind=row["kind"],
        mailbox=row["mailbox"],
        put_off=bool(row["put_off"]),
        at=instant(row["at"]),
    )
