"""A phase opens: what its players wrote ahead for it is read, the good orders are held, and the result mail tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judge.notation import Context, Reading, read_lines, write
from judge.notation.combine import BUDGET, Purse
from judge.notation.ranked import of_stored
from judge.notation.turns import order_of
from judge.play import lists
from judge.play.duplicates import settle
from judge.play.filing import file_orders, set_run_at
from judge.play.judge import Table
from judge.play.receipts import Why, place_of, whys_args
from judge.rules import owing
from judge.rules.orders import Order
from judge.rules.position import Phase
from judge.store import Store, laterorders, orders
from judge.store.laterorders import KeptLines
from judge.variants.names import load_names


@dataclass
class _Told:
    """What a power's result mail tells: lines that could not be used, and phases that lines were not needed for."""

    not_used: list[dict[str, Any]] = field(default_factory=list)
    not_needed: list[str] = field(default_factory=list)

    def line(self, text: str, problems: Sequence[Why], suggestions: Sequence[str] = ()) -> None:
        """A line that could not be used, and why."""
        self.not_used.append({"line": text, "problems": whys_args(problems), "suggestions": list(suggestions)})


def read_kept(store: Store, table: Table, now: datetime) -> dict[str, dict[str, Any]]:
    """Read what is kept for the phase that has just opened (``table``), inside the caller's transaction: power -> the
    arguments of its result mail that tell of it. What was kept for a phase that was passed over is settled too. Takes
    bounded time: so many lines are kept for a phase, and all of a power's may cost what one line may."""
    rows = laterorders.kept(store, table.game.id)
    if not rows:
        return {}
    owed = owing(table.board, table.position, table.rules)
    opened = order_of(table.position.phase)
    told: dict[str, _Told] = {}
    for power in dict.fromkeys(row.power for row in rows):
        due = [row for row in rows if row.power == power and order_of(Phase.parse(row.phase)) <= opened]
        mine = [row for row in due if row.phase == table.phase.name and power in owed and of_stored(row.lines) is None]
        lists_here = lists.due(due, table.position.phase) if power in owed else []
        used = [row for row, _ in lists_here]
        told_here = told.setdefault(power, _Told())
        told_here.not_needed += _drop(store, [row for row in due if row not in mine and row not in used])
        _read(store, table, power, mine, told_here, now)
        lists.use(store, table, power, lists_here, told_here.line, now)
        for row, ranked in lists_here:
            if not ranked.always:
                laterorders.settle(store, row, "read")
    set_run_at(store, table, now)
    return {power: _args(store, table, power, one) for power, one in told.items()}


def not_needed_any_more(store: Store, game_id: int) -> dict[str, dict[str, Any]]:
    """The game has ended: what is kept is settled. Power -> the arguments of its result mail that tell of it."""
    rows = laterorders.kept(store, game_id)
    powers = dict.fromkeys(row.power for row in rows)
    return {power: {"not_needed": _drop(store, [row for row in rows if row.power == power], end=True)} for power in powers}


def _drop(store: Store, rows: Sequence[KeptLines], end: bool = False) -> list[str]:
    """kept -> not-needed; the phases that it was for. A list for all phases to come stays, but at the game's end."""
    passed = [row for row in rows if not lists.stands_always(row)]
    for row in rows if end else passed:
        laterorders.settle(store, row, "not-needed")
    return sorted(dict.fromkeys(row.phase for row in passed), key=lambda name: order_of(Phase.parse(name)))


def _read(store: Store, table: Table, power: str, rows: Sequence[KeptLines], told: _Told, now: datetime) -> None:
    """File the good orders of the mails, oldest first: a later one replaces an earlier one unit by unit, or as a whole, or
    not at all, as the house rules say (``orders.sets``)."""
    context = Context(table.board, load_names(table.board.name), table.position, power, table.rules)
    purse = Purse(BUDGET)
    first = True
    for row in rows:
        laterorders.settle(store, row, "read")
        good = _good(read_lines(row.lines, context, purse), table, power, told)
        if good and not first and table.rules.orders_sets == "first":
            for order in good:
                told.line(write(order), [Why("note.first-mail")])
            continue
        if good and table.rules.orders_sets == "replace":
            orders.drop(store, table.phase.id, power)
        if good:
            file_orders(store, table, power, good, [write(order) for order in good], row.inbox_id, now)
            first = False


def _good(readings: Sequence[Reading], table: Table, power: str, told: _Told) -> list[Order]:
    """The orders of one mail that count; of every line that gave none it is told why."""
    for reading in readings:
        problems = [Why(p.code, p.args, p.rule) for p in reading.problems]
        if problems:
            told.line(reading.line, problems, reading.suggestions)
        elif not reading.legal and not reading.heading:
            told.line(reading.line, [Why("read.no-order")], reading.suggestions)
    settled = settle([(reading.line, order) for reading in readings for order in reading.legal], table, power)
    for line, _, reason in settled.lost:
        told.line(line, [Why(reason.code, reason.args, reason.rule)])
    return settled.kept


def _args(store: Store, table: Table, power: str, told: _Told) -> dict[str, Any]:
    texts = [held.text for held in orders.held(store, table.phase.id, power)]
    sealed = table.rules.orders_secrecy == "sealed"
    return {
        "held": [] if sealed else texts,
        "on_file": [place_of(text, table) for text in texts] if sealed else [],
        "not_used": told.not_used,
        "not_needed": told.not_needed,
    }
