"""The game master orders for a power: the lines are read as its player's would be, filed, and the player gets a receipt that
says who did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.notation import Reading, write
from judge.play import commitments, proxy
from judge.play.duplicates import settle
from judge.play.filing import file_orders, file_state, set_run_at
from judge.play.judge import Judge, Table
from judge.play.orderlines import order_lines
from judge.play.posting import write_to_seat
from judge.play.receipts import Draft, Why
from judge.play.receiptwriting import receipt_args
from judge.render.commonfacts import Answer
from judge.store import games, orders
from judge.store.inbox import StoredMail
from judge.store.orders import Standing


@dataclass(frozen=True, slots=True)
class Ordered:
    """What came of the lines: the orders put on file, the readings of lines that were not used, legal orders that gave way
    to another line with the reason, and lines that were not read as orders at all."""

    filed: tuple[str, ...]
    strange: tuple[Reading, ...]
    lost: tuple[tuple[str, Why], ...]
    unread: tuple[str, ...]


def order_for(
    judge: Judge, table: Table, power: str, lines: Sequence[str], mail: StoredMail | None, now: datetime, *, who: str
) -> Ordered:
    """Put orders of ``lines`` on file for a power, inside the caller's transaction, as if its player had mailed them.
    Commands among them are not obeyed; where all is on file already, nothing is written. ``mail``: the one they stand in;
    ``None``: they were given at the shell. The log has how many there were and not which: players may read it before the
    deadline."""
    store, phase = judge.store, table.phase
    read = order_lines(lines)
    readings = proxy.read_all(table, power, read, proxy.lent(store, table, power))
    settled = settle([(one.line, order) for one in readings for order in one.legal], table, power)
    kept = [order for order in settled.kept if proxy.others_unit(store, table, power, order) is None]
    texts = [write(order) for order in kept]
    before = file_state(store, table, power)
    if kept and not set(texts) <= {held.text for held in before.held}:
        replaced = file_orders(store, table, power, kept, texts, mail.id if mail else None, now)
        orders.drop_questions(store, phase.id, power)
        standing = orders.standing(store, phase.id, power)
        orders.set_standing(store, phase.id, power, Standing(False, standing.wait, now))
        set_run_at(store, table, now)
        games.log(store, table.game.id, who, "ordered-for", {"power": power, "phase": phase.name, "orders": len(kept)}, now)
        seat = games.seat(store, table.game.id, power)
        if seat.address:
            held = {one.slot: one.text for one in orders.held(store, phase.id, power)}
            draft = Draft(subject="", answers=[Answer("ordered-by-master", {"power": power, "by": who})])
            draft.replaced += [(old.text, held[old.slot]) for old in replaced if old.slot in held]
            args = receipt_args(store, table, seat, mail, draft, before, now)
            args["commitment"] = commitments.commit(judge, table, power, args["number"], now)
            write_to_seat(judge, table, seat, "receipt", args, now, extra=str(args["number"]))
    return Ordered(
        tuple(texts),
        tuple(one for one in readings if not one.legal),
        tuple((line, Why(reason.code, reason.args, reason.rule)) for line, _, reason in settled.lost),
        tuple(line for line in lines if line.strip() and line not in read),
    )
