"""Commitments: what was on file when a receipt was written, and the hash of it that the receipt bears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.store.db import Row, Store, instant, stamp


@dataclass(frozen=True, slots=True)
class Commitment:
    """The commitment of one receipt: ``orders`` are the canonical orders on file after its mail, sorted; ``hash`` is hex."""

    phase_id: int
    power: str
    number: int
    orders: tuple[str, ...]
    hash: str
    at: datetime


def add(store: Store, one: Commitment) -> None:
    """(no row) -> committed, inside the receipt's transaction. It is never changed."""
    store.run(
        "INSERT INTO commitments (phase_id, power, number, orders, hash, at) VALUES (?,?,?,?,?,?)",
        one.phase_id, one.power, one.number, "\n".join(one.orders), one.hash, stamp(one.at),
    )  # fmt: skip


def of_phase(store: Store, phase_id: int, power: str | None = None) -> list[Commitment]:
    """The commitments of a phase, of one power or of all, in the order their receipts were written."""
    rows = store.rows(
        "SELECT * FROM commitments WHERE phase_id = ? AND (? IS NULL OR power = ?) ORDER BY id", phase_id, power, power
    )
    return [_commitment(row) for row in rows]


def last_of_phase(store: Store, phase_id: int, powers: Sequence[str]) -> list[Commitment]:
    """Of each of ``powers`` that had a receipt in the phase the last one's commitment, in that order."""
    latest = {one.power: one for one in of_phase(store, phase_id)}
    return [latest[power] for power in powers if power in latest]


def mailed(store: Store, game_id: int) -> dict[tuple[int, str, int], str]:
    """(phase, power, receipt) -> the commitment that the receipt's mail was written with."""
    rows = store.rows(
        "SELECT phase_id, power, json_extract(args, '$.number') AS number, json_extract(args, '$.commitment') AS hash"
        " FROM outbox WHERE game_id = ? AND event = 'receipt' AND json_extract(args, '$.commitment') IS NOT NULL",
        game_id,
    )
    return {(row["phase_id"], row["power"], row["number"]): row["hash"] for row in rows}


def _commitment(row: Row) -> Commitment:
    orders = tuple(row["orders"].split("\n")) if row["orders"] else ()
    return Commitment(row["phase_id"], row["power"], row["number"], orders, row["hash"], instant(row["at"]))
