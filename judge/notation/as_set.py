"""The lines of a mail read as a set (``orders.reading = as-set``, DATC 4.E.2): an order that can be meant in several ways
is taken in the one that the rest of the list makes sense of; where more than one does, or none, it is asked about as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation.canonical import parse_canonical
from judge.notation.reading import Context, Reading
from judge.rules.board import Board, province_of
from judge.rules.orders import Build, Convoy, Hold, Move, Order, Support, Waive

#: What a line leaves open when only its place or its coast may be meant in several ways. (A slip of the finger, a unit of
#: another power, a choice that was written down: these are for the player to say, whatever the other lines are.)
_TWO_WAYS = frozenset({"read.which", "read.coast-open"})


def read_as_set(readings: Sequence[Reading], context: Context) -> list[Reading]:
    """The readings with those settled that the others settle. What is settled may settle others in turn."""
    settled = list(readings)
    while True:
        fresh = {at: found for at in range(len(settled)) if (found := _settled(settled, at, context.board)) is not None}
        if not fresh:
            return settled
        for at, order in fresh.items():
            settled[at] = replace(settled[at], kind="order", orders=(order,), legal=(order,), problems=(), suggestions=())


def _settled(readings: Sequence[Reading], at: int, board: Board) -> Order | None:
    """The one way to read a line that goes with the other lines, if there is exactly one."""
    reading = readings[at]
    # one problem and nothing good: the line is this one order and no more
    codes = [problem.code for problem in reading.problems]
    if reading.kind != "ambiguous" or reading.legal or len(codes) != 1 or codes[0] not in _TWO_WAYS:
        return None
    ways = [parse_canonical(text, board) for text in reading.suggestions]
    # what "the rest" does is known only when all else is
    others = [order for number, other in enumerate(readings) if number != at and not other.rest for order in other.legal]
    # a unit that another line orders, a centre that another line builds in, is not the one that is meant here
    taken = {_slot(order) for order in others}
    ways = [way for way in ways if _slot(way) not in taken] or ways
    if len(ways) == 1:
        return ways[0]
    fitting = [way for way in ways if any(_go_together(way, other) for other in others)]
    return fitting[0] if len(fitting) == 1 else None


def _slot(order: Order) -> str:
    return "" if isinstance(order, Waive) else province_of(order.at)


def _go_together(one: Order, other: Order) -> bool:
    """Whether one of two orders supports or convoys exactly what the other one does."""
    return _backs(one, other) or _backs(other, one)


def _backs(order: Order, backed: Order) -> bool:
    """Whether ``order`` is the support or convoy of ``backed``. A coast that one of them names is the other's too."""
    if isinstance(backed, Build | Waive) or not isinstance(order, Support | Convoy):
        return False
    if province_of(order.of) != province_of(backed.at):
        return False
    if not isinstance(backed, Move):
        return isinstance(order, Support) and order.to is None and isinstance(backed, Hold | Support | Convoy)
    if order.to is None:
        return False
    return order.to == backed.to or (isinstance(order, Convoy) and province_of(order.to) == province_of(backed.to))
