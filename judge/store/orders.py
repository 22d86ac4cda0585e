"""Orders held for a phase, what replaced them, questions that were asked, and each power's READY and WAIT."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.store.db import Row, Store, instant, instant_or_none, stamp


@dataclass(frozen=True, slots=True)
class HeldOrder:
    """An order on file. ``slot`` is what it is for: a unit's province, a build's province, ``waive 1`` ..."""

    id: int
    power: str
    slot: str
    text: str
    inbox_id: int | None
    set_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a power is in a phase. ``orders_date``: the Date of the mail that set the orders held."""

    ready: bool = False
    wait: bool = False
    orders_date: datetime | None = None


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with numbered choices, each a tuple of canonical orders (empty: leave everything as it is).

    ``first`` is the number of the first choice; numbers never repeat for a power in a phase, so that an answer to an
    older receipt means what that receipt said.
    """

    id: int
    code: str
    first: int
    choices: tuple[tuple[str, ...], ...]
    inbox_id: int


def held(store: Store, phase_id: int, power: str | None = None) -> list[HeldOrder]:
    """The orders that would be used now, of one power or of all, in the order they were given."""
    if power is None:
        rows = store.rows("SELECT * FROM orders WHERE phase_id = ? AND state = 'held' ORDER BY id", phase_id)
    else:
        rows = store.rows(
            "SELECT * FROM orders WHERE phase_id = ? AND power = ? AND state = 'held' ORDER BY id", phase_id, power
        )
    return [_held(r) for r in rows]


#: Which phases of a game have orders on file for which slots.
ORDERED_BEFORE = (
    "SELECT DISTINCT orders.slot AS slot, phases.number AS number FROM phases JOIN orders ON orders.phase_id = phases.id"
    " WHERE phases.game_id = ? AND phases.number < ? AND phases.attempt <= ? AND orders.state = 'held'"
)


def ordered_before(store: Store, game_id: int, number: int, attempt: int) -> dict[str, list[int]]:
    """Slot -> the numbers of the phases before ``number`` with an order on file for it, by whomever, the latest first."""
    found: dict[str, list[int]] = {}
    for row in store.rows(ORDERED_BEFORE, game_id, number, attempt):
        found.setdefault(row["slot"], []).append(row["number"])
    return {slot: sorted(numbers, reverse=True) for slot, numbers in found.items()}


def hold(
    store: Store, phase_id: int, power: str, slot: str, text: str, inbox_id: int | None, now: datetime
) -> HeldOrder | None:
    """Put an order on file; returns the one it replaces, if any. The old one stays stored as ``replaced``."""
    row = store.row(
        "SELECT * FROM orders WHERE phase_id = ? AND power = ? AND slot = ? AND state = 'held'", phase_id, power, slot
    )
    if row:
        store.run("UPDATE orders SET state = 'replaced' WHERE id = ?", row["id"])
    store.run(
        "INSERT INTO orders (phase_id, power, slot, text, inbox_id, set_at, state) VALUES (?,?,?,?,?,?,'held')",
        phase_id, power, slot, text, inbox_id, stamp(now),
    )  # fmt: skip
    return _held(row) if row else None


def drop(store: Store, phase_id: int, power: str, slot: str | None = None) -> int:
    """Take all orders of a power off (or that of one slot); they stay stored as ``cleared``. Returns how many."""
    sql = "UPDATE orders SET state = 'cleared' WHERE phase_id = ? AND power = ? AND state = 'held'"
    if slot is None:
        return store.changed(sql, phase_id, power)
    return store.changed(sql + " AND slot = ?", phase_id, power, slot)


def cancel(store: Store, phase_id: int, power: str, slot: str, text: str, inbox_id: int | None, now: datetime) -> None:
    """Keep an order that cancels out with the one on file for its slot: both stay stored as ``replaced``, by nothing."""
    hold(store, phase_id, power, slot, text, inbox_id, now)
    store.run(
        "UPDATE orders SET state = 'replaced' WHERE phase_id = ? AND power = ? AND slot = ? AND state = 'held'",
        phase_id, power, slot,
    )  # fmt: skip


def cancelled(store: Store, phase_id: int, power: str) -> list[HeldOrder]:
    """Orders that cancelled out: those of slots that have none on file, since the slot was last cleared."""
    rows = store.rows(
        "SELECT * FROM orders AS o WHERE phase_id = ? AND power = ? AND state = 'replaced' AND NOT EXISTS"
        " (SELECT 1 FROM orders AS x WHERE x.phase_id = o.phase_id AND x.power = o.power AND x.slot = o.slot"
        " AND (x.state = 'held' OR (x.state = 'cleared' AND x.id >= o.id))) ORDER BY id",
        phase_id, power,
    )  # fmt: skip
    return [_held(r) for r in rows]


def forget_cancelled(store: Store, phase_id: int, power: str) -> None:
    """replaced -> cleared, where nothing is on file any more: a power has said CLEAR."""
    for order in cancelled(store, phase_id, power):
        store.run("UPDATE orders SET state = 'cleared' WHERE id = ?", order.id)


def push_out(store: Store, order_id: int) -> None:
    """held -> replaced: orders for other slots took the place of this one."""
    store.run("UPDATE orders SET state = 'replaced' WHERE id = ? AND state = 'held'", order_id)


def keep_late(store: Store, phase_id: int, power: str, texts: Sequence[str], inbox_id: int, now: datetime) -> None:
    """Keep for the record orders that came too late for their phase."""
    for number, text in enumerate(texts):
        store.run(
            "INSERT INTO orders (phase_id, power, slot, text, inbox_id, set_at, state) VALUES (?,?,?,?,?,?,'late')",
            phase_id, power, f"late {number}", text, inbox_id, stamp(now),
        )  # fmt: skip


def late(store: Store, game_id: int, number: int, power: str) -> list[HeldOrder]:
    """The orders of a power that came too late for a phase of a game, whichever time it was played, as they came."""
    rows = store.rows(
        "SELECT o.* FROM phases AS p JOIN orders AS o ON o.phase_id = p.id"
        " WHERE p.game_id = ? AND p.number = ? AND o.power = ? AND o.state = 'late' ORDER BY o.id",
        game_id, number, power,
    )  # fmt: skip
    return [_held(r) for r in rows]


def standing(store: Store, phase_id: int, power: str) -> Standing:
    """READY, WAIT and the Date of the orders held."""
    row = store.row("SELECT * FROM standings WHERE phase_id = ? AND power = ?", phase_id, power)
    if row is None:
        return Standing()
    return Standing(bool(row["ready"]), bool(row["wait"]), instant_or_none(row["orders_date"]))


def set_standing(store: Store, phase_id: int, power: str, standing: Standing) -> None:
    """Write a power's READY, WAIT and orders' Date."""
    date = None if standing.orders_date is None else stamp(standing.orders_date)
    store.run(
        "INSERT INTO standings (phase_id, power, ready, wait, orders_date) VALUES (?,?,?,?,?)"
        " ON CONFLICT (phase_id, power) DO UPDATE SET ready = excluded.ready, wait = excluded.wait,"
        " orders_date = excluded.orders_date",
        phase_id, power, int(standing.ready), int(standing.wait), date,
    )  # fmt: skip


def ask(
    store: Store,
    phase_id: int,
    power: str,
    inbox_id: int,
    code: str,
    choices: Sequence[Sequence[str]],
    now: datetime,
) -> int:
    """Write down a question that a receipt asks. Returns the number of its first choice."""
    asked = store.rows("SELECT first, choices FROM questions WHERE phase_id = ? AND power = ?", phase_id, power)
    first = max((row["first"] + len(json.loads(row["choices"])) for row in asked), default=1)
    store.run(
        "INSERT INTO questions (phase_id, power, inbox_id, code, first, choices, asked_at) VALUES (?,?,?,?,?,?,?)",
        phase_id, power, inbox_id, code, first, json.dumps([list(c) for c in choices]), stamp(now),
    )  # fmt: skip
    return first


def open_questions(store: Store, phase_id: int, power: str, code: str | None = None) -> list[AskedQuestion]:
    """The questions that wait for this power's answer, in the order they were asked; with ``code`` those of that kind."""
    rows = store.rows(
        "SELECT * FROM questions WHERE phase_id = ? AND power = ? AND state = 'asked' ORDER BY id", phase_id, power
    )
    return [_question(row) for row in rows if code in (None, row["code"])]


def _question(row: Row) -> AskedQuestion:
    choices = tuple(tuple(choice) for choice in json.loads(row["choices"]))
    return AskedQuestion(row["id"], row["code"], row["first"], choices, row["inbox_id"])


def answer(store: Store, question_id: int, choice: int) -> None:
    """asked -> answered; ``choice`` counts from 0."""
    store.run("UPDATE questions SET state = 'answered', answered = ? WHERE id = ?", choice, question_id)


def drop_questions(store: Store, phase_id: int, power: str) -> None:
    """asked -> dropped: a later mail of the power settles what was asked."""
    store.run("UPDATE questions SET state = 'dropped' WHERE phase_id = ? AND power = ? AND state = 'asked'", phase_id, power)


def drop_question(store: Store, question_id: int) -> None:
    """asked -> dropped: what was asked about can no longer be answered."""
    store.run("UPDATE questions SET state = 'dropped' WHERE id = ? AND state = 'asked'", question_id)


def _held(row: Row) -> HeldOrder:
    return HeldOrder(row["id"], row["power"], row["slot"], row["text"], row["inbox_id"], instant(row["set_at"]))
