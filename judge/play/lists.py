"""Ranked lists for retreats and adjustments to come: kept with the orders for later phases, and used where their power is
silent. When the phase opens, of every list the first orders that are possible are put on file; whatever else is on file
for a unit beats them, and so does any mail of the phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from judge.notation import Context, parse_canonical, read_line, write
from judge.notation.combine import BUDGET, Purse
from judge.notation.ranked import Ranked, of_stored, order_at
from judge.notation.turns import order_of
from judge.play.filing import file_orders, slot_of
from judge.play.judge import Table
from judge.play.receipts import Why
from judge.rules import owing
from judge.rules.board import Unit, province_of
from judge.rules.orders import Disband, Move, Order, Waive
from judge.rules.position import Phase, PhaseKind
from judge.store import Store, laterorders, orders
from judge.store.laterorders import KeptLines
from judge.variants.names import load_names

#: What is told of an order of a list: the line, why it was not used.
Tell = Callable[[str, Sequence[Why]], None]


def listed(rows: Iterable[KeptLines]) -> list[tuple[KeptLines, Ranked]]:
    """The rows that are lists, with them."""
    return [(row, ranked) for row in rows if (ranked := of_stored(row.lines)) is not None]


def stands_always(row: KeptLines) -> bool:
    """Whether a row is a list for all phases of its kind to come."""
    ranked = of_stored(row.lines)
    return ranked is not None and ranked.always


def replace_same(store: Store, rows: Sequence[KeptLines], phase: str, ranked: Ranked) -> None:
    """kept -> cleared, of the lists that a new one takes the place of: of the same unit (or builds, or removals), for the
    same phase, or for all of them as it is itself."""
    for row, other in listed(rows):
        if other.key == ranked.key and (ranked.always or row.phase == phase):
            laterorders.settle(store, row, "cleared")


def has_same(rows: Sequence[KeptLines], phase: str, ranked: Ranked) -> bool:
    """Whether a list is kept that a new one would take the place of."""
    return any(other.key == ranked.key and (ranked.always or row.phase == phase) for row, other in listed(rows))


def due(rows: Iterable[KeptLines], phase: Phase) -> list[tuple[KeptLines, Ranked]]:
    """The lists that are for a phase which has opened: its own first, then those for all of its kind."""
    found = [
        (row, ranked)
        for row, ranked in listed(rows)
        if row.phase == str(phase) or (ranked.always and _kind(ranked) == phase.kind and _begun(row, phase))
    ]
    return sorted(found, key=lambda one: one[1].always)


def _kind(ranked: Ranked) -> PhaseKind:
    return "R" if ranked.kind == "retreat" else "A"


def _begun(row: KeptLines, phase: Phase) -> bool:
    return order_of(Phase.parse(row.phase)) <= order_of(phase)


def use(store: Store, table: Table, power: str, rows: Sequence[tuple[KeptLines, Ranked]], tell: Tell, now: datetime) -> None:
    """Put on file what the lists of a power come to in the phase that has opened, beside what is on file already."""
    context = Context(table.board, load_names(table.board.name), table.position, power, table.rules)
    reader = _Reader(store, table, power, context, tell, now)
    for row, ranked in rows:
        if ranked.kind == "retreat":
            reader.retreat(row, ranked)
        else:
            reader.adjust(row, ranked)


class _Reader:
    """Goes through a power's lists: what one of them has put on file is there for the next."""

    def __init__(self, store: Store, table: Table, power: str, context: Context, tell: Tell, now: datetime) -> None:
        self.store, self.table, self.power = store, table, power
        self.context, self.tell, self.now = context, tell, now
        self.purse = Purse(BUDGET)
        self.owed = owing(table.board, table.position, table.rules).get(power)

    def on_file(self) -> list[Order]:
        held = orders.held(self.store, self.table.phase.id, self.power)
        return [parse_canonical(one.text, self.table.board) for one in held]

    def file(self, row: KeptLines, order: Order) -> None:
        file_orders(self.store, self.table, self.power, [order], [write(order)], row.inbox_id, self.now)

    def retreat(self, row: KeptLines, ranked: Ranked) -> None:
        """The first retreat that is possible, and that no other unit of the power goes to."""
        unit = self.fallen(ranked)
        there = self.on_file()
        if unit is None or any(not isinstance(one, Waive) and province_of(one.at) == unit.province for one in there):
            return
        taken = {province_of(one.to) for one in there if isinstance(one, Move)}
        unused: list[tuple[str, Sequence[Why]]] = []
        for text in ranked.orders:
            order, whys = self.possible(order_at(text, unit, self.table.board))
            if isinstance(order, Move) and province_of(order.to) in taken:
                order, whys = None, [Why("note.list-same-place")]
            if order is not None:
                self.file(row, order)
                break
            unused.append((text, whys))
        for text, whys in unused:
            self.tell(text, whys)

    def fallen(self, ranked: Ranked) -> Unit | None:
        """The dislodged unit that a list of retreats is about."""
        kind, at = ranked.unit.split(" ")
        units = [one.unit for one in self.table.position.dislodged if one.unit.power == self.power]
        return next((u for u in units if u.type == kind and u.province == province_of(at.lower())), None)

    def adjust(self, row: KeptLines, ranked: Ranked) -> None:
        """So many of the builds or removals that are possible as the power still may or must make."""
        due_here = (self.owed.builds if ranked.kind == "builds" else self.owed.removals) if self.owed is not None else 0
        if not due_here:
            return
        there = self.on_file()
        slots = {slot_of(one) for one in there if not isinstance(one, Waive)}
        chosen: list[Order] = []
        for text in ranked.orders:
            if len(there) + len(chosen) >= due_here:
                break
            given: Order | None = parse_canonical(text, self.table.board)
            if isinstance(given, Disband):
                unit = next((u for u in self.table.position.units_of(self.power) if _is(u, given)), None)
                if unit is None:
                    self.tell(text, [Why("note.list-no-unit")])
                    continue
                given = order_at(text, unit, self.table.board)
            if given is None or (not isinstance(given, Waive) and slot_of(given) in slots):
                continue
            order, whys = self.possible(given)
            if order is None:
                self.tell(text, whys)
                continue
            chosen.append(order)
            if not isinstance(order, Waive):
                slots.add(slot_of(order))
        if chosen:
            # waived builds are numbered within what is filed at once: those of an earlier list are filed with them
            before = [one for one in there if isinstance(one, Waive)]
            filed = [*before, *chosen]
            texts = [write(order) for order in filed]
            file_orders(self.store, self.table, self.power, filed, texts, row.inbox_id, self.now)

    def possible(self, order: Order) -> tuple[Order | None, Sequence[Why]]:
        """The order as it is possible on the real board, or why it is not."""
        if self.purse.left <= 0:
            return None, [Why("read.mail-too-long")]
        reading = read_line(write(order), self.context, purse=self.purse)
        if reading.kind == "order" and len(reading.legal) == 1:
            return reading.legal[0], []
        return None, [Why(p.code, p.args, p.rule) for p in reading.problems] or [Why("read.no-order")]


def _is(unit: Unit, order: Disband) -> bool:
    return unit.province == province_of(order.at) and order.type in (None, unit.type)


def by_list(store: Store, table: Table, power: str) -> set[int]:
    """The orders on file of a power for the open phase (their ids) that its lists put there: any mail of the phase beats
    them, and they are no mail of it."""
    held = orders.held(store, table.phase.id, power)
    mails = {one.inbox_id for one in held if one.inbox_id is not None}
    lists = [(row, ranked) for mail in sorted(mails) for row, ranked in listed(laterorders.of_mail(store, mail, power))]
    phase = table.position.phase
    said = {
        (row.inbox_id, _what(parse_canonical(text, table.board)))
        for row, ranked in lists
        if row.phase == str(phase) or (ranked.always and _kind(ranked) == phase.kind and _begun(row, phase))
        for text in ranked.orders
    }
    return {one.id for one in held if (one.inbox_id, _what(parse_canonical(one.text, table.board))) in said}


def _what(order: Order) -> tuple[str, str]:
    """What an order does, but for the coast that a fleet stands at."""
    if isinstance(order, Waive):
        return "waive", ""
    return province_of(order.at), f"{type(order).__name__} {order.to if isinstance(order, Move) else ''}"


def told(rows: Sequence[KeptLines]) -> list[dict[str, Any]]:
    """What a receipt says of lists: by phase, those for all phases of a kind last."""
    groups: dict[tuple[bool, str], list[Ranked]] = {}
    for row, ranked in listed(rows):
        name = _kind(ranked) if ranked.always else row.phase
        groups.setdefault((ranked.always, name), []).append(ranked)
    return [
        {
            "phase": "" if always else name,
            "lines": [],
            "count": sum(len(one.orders) for one in lists),
            "always": name if always else "",
            "lists": [{"kind": one.kind, "unit": one.unit, "orders": list(one.orders)} for one in lists],
        }
        for (always, name), lists in sorted(groups.items(), key=lambda item: _place(*item[0]))
    ]


def _place(always: bool, name: str) -> tuple[bool, object]:
    return (True, name) if always else (False, order_of(Phase.parse(name)))
