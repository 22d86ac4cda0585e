"""Units that a power has put into another power's hands for a phase (``orders.proxy``, DATC 4.E.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.store.db import Row, Store, instant, stamp


@dataclass(frozen=True, slots=True)
class Handed:
    """The unit in the province ``place``, which ``power`` owns, is ordered by ``proxy``."""

    power: str
    place: str
    proxy: str


def handed(store: Store, phase_id: int) -> list[Handed]:
    """All units that are in another power's hands, in the order they were handed over."""
    rows = store.rows("SELECT * FROM proxies WHERE phase_id = ? AND state = 'handed' ORDER BY id", phase_id)
    return [_handed(row) for row in rows]


def hand_over(store: Store, phase_id: int, one: Handed, inbox_id: int, now: datetime) -> None:
    """(no row) -> handed. Who had the unit before has it no longer."""
    take_back(store, phase_id, one.power, [one.place], now)
    store.run(
        "INSERT INTO proxies (phase_id, power, place, proxy, inbox_id, at, state) VALUES (?,?,?,?,?,?,'handed')",
        phase_id, one.power, one.place, one.proxy, inbox_id, stamp(now),
    )  # fmt: skip


def take_back(store: Store, phase_id: int, power: str, places: Sequence[str], now: datetime) -> list[Handed]:
    """handed -> taken-back, of the units of ``power`` in ``places``. Returns those that were in another's hands."""
    found = [one for one in handed(store, phase_id) if one.power == power and one.place in places]
    for one in found:
        store.run(
            "UPDATE proxies SET state = 'taken-back', back_at = ?"
            " WHERE phase_id = ? AND power = ? AND place = ? AND state = 'handed'",
            stamp(now), phase_id, power, one.place,
        )  # fmt: skip
    return found


def changed_at(store: Store, phase_id: int) -> datetime | None:
    """When a unit last came into other hands in the phase, or was taken out of them; ``None``: never."""
    rows = store.rows("SELECT at, back_at FROM proxies WHERE phase_id = ?", phase_id)
    return max((instant(at) for row in rows for at in (row["at"], row["back_at"]) if at is not None), default=None)


def _handed(row: Row) -> Handed:
    return Handed(row["power"], row["place"], row["proxy"])
