"""Who owed orders for which phase when it ran. What came of it is counted from the orders, not kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.store.db import Store


@dataclass(frozen=True, slots=True)
class Counts:
    """Of somebody, in all games: phases that they ``owed`` orders for; those with any on file ``on_time``, or that came
    ``late``; those ``missed``; and powers that they gave up, or that a master took from them."""

    owed: int
    on_time: int
    late: int
    missed: int
    resigned: int
    ejected: int


def add(store: Store, phase_id: int, owed_by: Mapping[str, str]) -> None:
    """Write down who owed orders for a phase that runs: power -> mailbox."""
    for power, mailbox in owed_by.items():
        store.run("INSERT INTO duties (phase_id, power, mailbox) VALUES (?,?,?)", phase_id, power, mailbox)


#: Each duty that stands, with whether orders were on file, or units in other hands, or READY said of what repeats; and
#: whether any came late. A phase that was rolled back is played again, and counts by its last time.
_DUTIES = """
SELECT
    EXISTS (SELECT 1 FROM orders o WHERE o.phase_id = d.phase_id AND o.power = d.power AND o.state = 'held')
    OR EXISTS (SELECT 1 FROM proxies x WHERE x.phase_id = d.phase_id AND x.power = d.power AND x.state = 'handed')
    OR EXISTS (SELECT 1 FROM standings s WHERE s.phase_id = d.phase_id AND s.power = d.power AND s.ready = 1) AS in_time,
    EXISTS (SELECT 1 FROM orders o WHERE o.phase_id = d.phase_id AND o.power = d.power AND o.state = 'late') AS late
FROM duties d JOIN phases p ON p.id = d.phase_id
WHERE d.mailbox = ? AND NOT EXISTS (
    SELECT 1 FROM phases again
    WHERE again.game_id = p.game_id AND again.number <= p.number AND again.attempt > p.attempt
)
"""


def counts(store: Store, mailbox: str) -> Counts:
    """What somebody has done in all games."""
    rows = store.rows(_DUTIES, mailbox)
    on_time = sum(bool(row["in_time"]) for row in rows)
    late = sum(bool(row["late"]) and not row["in_time"] for row in rows)
    left = store.rows("SELECT kind, count(*) AS n FROM seat_changes WHERE mailbox = ? GROUP BY kind", mailbox)
    changes = {str(row["kind"]): int(row["n"]) for row in left}
    owed = len(rows)
    return Counts(owed, on_time, late, owed - on_time - late, changes.get("resigned", 0), changes.get("ejected", 0))
