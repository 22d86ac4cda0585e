"""Several mails of one seat with orders: the first of them alone (``orders.sets = first``, DATC 4.D.1), and two of which
nobody can tell which was written later (``orders.undated``, 4.D.2).

It cannot be told if one of them has no usable Date, or both have the same. It can if the newer one answers a mail of ours
that was written when the older one had been taken in: then its writer knew what was on file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.mail.reading import Incoming, date_of
from judge.play import lists
from judge.play.duplicates import losers
from judge.play.filing import slot_of
from judge.play.judge import Judge, Table
from judge.play.lateness import usable, written_at
from judge.play.onfile import stored_order
from judge.rules.orders import Order
from judge.rules.outcome import Reason
from judge.store import inbox, orders, outbox
from judge.store.inbox import StoredMail
from judge.store.orders import HeldOrder


@dataclass
class Merged:
    """A mail's orders beside those of the mails that may be the later ones.

    ``kept``: its orders that count. ``lost``: those that do not, and why. ``off``: what was weighed and no longer counts,
    and why; ``cancelled``: those of its orders that cancelled out, so that no order is left for their slots.
    ``rivals``: slots of the orders on file that were weighed; nothing takes these off unsaid.
    """

    kept: list[Order]
    lost: list[tuple[Order, Reason]] = field(default_factory=list)
    off: list[tuple[HeldOrder, Reason]] = field(default_factory=list)
    cancelled: list[Order] = field(default_factory=list)
    rivals: frozenset[str] = frozenset()


def merge(judge: Judge, table: Table, power: str, mail: StoredMail, incoming: Incoming, good: Sequence[Order]) -> Merged:
    """Weigh a mail's good orders against those on file that may have been written later.

    ``combine``: both mails are one list, as they arrived, and ``orders.duplicate`` and its like decide; ``void``: what they
    say differently cancels out. ``arrival``: the later to arrive is the later one.
    """
    listed = lists.by_list(judge.store, table, power)
    if table.rules.orders_sets == "first":
        held = orders.held(judge.store, table.phase.id, power)
        earlier = [order for order in held if order.inbox_id != mail.id and order.id not in listed]
        if earlier:
            why = Reason("note.first-mail", {}, "orders.sets")
            return Merged([], [(order, why) for order in good], rivals=frozenset(order.slot for order in earlier))
    rule = table.rules.orders_undated
    rivals = [] if rule == "arrival" else _rivals(judge, table, power, mail, incoming)
    rivals = [rival for rival in rivals if rival.id not in listed]  # what a list says is for who says nothing
    if not rivals or not good:
        return Merged(list(good), rivals=frozenset(rival.slot for rival in rivals))
    if rule == "void":
        strict = replace(
            table.rules,
            orders_duplicate="void",
            orders_same_site="none",
            orders_too_many_builds="none",
            orders_too_many_removals="automatic",
        )
        table = replace(table, rules=strict)
    whole = [*(stored_order(rival.text, table) for rival in rivals), *good]
    lost = losers(whole, table, power)
    merged = Merged([], rivals=frozenset(rival.slot for rival in rivals))
    merged.off = [(rival, lost[number]) for number, rival in enumerate(rivals) if number in lost]
    winners = {slot_of(order) for number, order in enumerate(whole) if number not in lost}
    for number, order in enumerate(good, len(rivals)):
        reason = lost.get(number)
        if reason is None:
            merged.kept.append(order)
        elif cancels_out(reason) and slot_of(order) not in winners:
            merged.cancelled.append(order)
        elif reason.code != "repeated":
            merged.lost.append((order, Reason(reason.code, reason.args, "orders.undated") if rule == "void" else reason))
    return merged


def cancels_out(reason: Reason) -> bool:
    """Whether an order was lost because another one says something else, and not because there are too many."""
    return reason.code in ("contradictory", "site-twice")


def _rivals(judge: Judge, table: Table, power: str, mail: StoredMail, incoming: Incoming) -> list[HeldOrder]:
    """The orders on file that may have been written later than this mail, and those that cancelled out with another."""
    on_file = orders.held(judge.store, table.phase.id, power)
    if table.position.phase.kind != "A":
        on_file = sorted((*on_file, *orders.cancelled(judge.store, table.phase.id, power)), key=lambda order: order.id)
    answered = outbox.newest_of(
        judge.store, table.game.id, power, [i for i in (incoming.in_reply_to, *incoming.references) if i]
    )
    written = written_at(mail, incoming)
    unsure = [order for order in on_file if _may_be_later(order, mail, answered)]
    if written is None:
        return unsure  # whatever the others say of when they were written
    dates = {inbox_id: _written(judge, inbox_id) for inbox_id in {order.inbox_id for order in unsure} - {None}}
    return [order for order in unsure if dates[order.inbox_id] in (None, written)]


def _may_be_later(order: HeldOrder, mail: StoredMail, answered: datetime | None) -> bool:
    """Whether the mail that gave ``order`` is another one than this, and this one does not answer what was said after it."""
    return order.inbox_id not in (None, mail.id) and (answered is None or answered < order.set_at)


def _written(judge: Judge, inbox_id: int | None) -> datetime | None:
    """When a mail that was taken in was written. It may be large, so it is loaded once for all its orders."""
    other = inbox.load(judge.store, inbox_id or 0)
    return usable(date_of(other.raw), other.received_at)
