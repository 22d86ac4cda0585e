"""Press: what players write to each other through the judge, with who got it, or why nobody did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.errors import NotFound
from judge.store.db import Row, Store, instant, stamp

Kind = Literal["white", "grey"]


@dataclass(frozen=True, slots=True)
class PressRow:
    """One message. ``sender`` is a power (or the master's seat), also where ``kind`` is ``grey`` and nobody is told;
    ``recipients`` are the seats that it went to, ``everybody`` if it was for all. ``text`` is what was passed on, or,
    ``state`` being ``refused``, what was not, with the code ``why``. ``address``: the writer's, where the mails show it.
    ``statement``: it was said of a game that was over."""

    id: int
    game_id: int
    phase_id: int | None
    sender: str
    kind: Kind
    recipients: tuple[str, ...]
    everybody: bool
    text: str
    inbox_id: int
    at: datetime
    state: Literal["passed-on", "refused"]
    why: str | None
    address: str | None
    statement: bool = False


def add(
    store: Store,
    *,
    game_id: int,
    phase_id: int | None,
    sender: str,
    kind: Kind,
    recipients: Sequence[str],
    everybody: bool,
    text: str,
    inbox_id: int,
    now: datetime,
    why: str | None = None,
    address: str | None = None,
    statement: bool = False,
) -> int:
    """Write a message inside the transaction of its mail: passed on, or refused if it says ``why``. Returns its id."""
    return store.run(
        "INSERT INTO press (game_id, phase_id, sender, kind, recipients, everybody, text, inbox_id, at, state, why, address,"
        " statement) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        game_id, phase_id, sender, kind, json.dumps(list(recipients)), int(everybody), text, inbox_id, stamp(now),
        "passed-on" if why is None else "refused", why, address, int(statement),
    )  # fmt: skip


def load(store: Store, press_id: int) -> PressRow:
    """The message with that id.

    :raises NotFound: there is none.
    """
    row = store.row("SELECT * FROM press WHERE id = ?", press_id)
    if row is None:
        raise NotFound(f"there is no press {press_id}")
    return _press(row)


def of_game(store: Store, game_id: int) -> list[PressRow]:
    """All messages of a game, the refused ones too, oldest first."""
    return [_press(row) for row in store.rows("SELECT * FROM press WHERE game_id = ? ORDER BY id", game_id)]


def passed_on_since(store: Store, game_id: int, sender: str, since: datetime) -> int:
    """How many messages of a seat have been passed on since an instant."""
    row = store.row(
        "SELECT count(*) AS n FROM press WHERE game_id = ? AND sender = ? AND at >= ? AND state = 'passed-on'",
        game_id, sender, stamp(since),
    )  # fmt: skip
    return int(row["n"]) if row else 0


def _press(row: Row) -> PressRow:
    return PressRow(
        id=row["id"],
        game_id=row["game_id"],
        phase_id=row["phase_id"],
        sender=row["sender"],
        kind=row["kind"],
        recipients=tuple(json.loads(row["recipients"])),
        everybody=bool(row["everybody"]),
        text=row["text"],
        inbox_id=row["inbox_id"],
        at=instant(row["at"]),
        state=row["state"],
        why=row["why"],
        address=row["address"],
        statement=bool(row["statement"]),
    )
