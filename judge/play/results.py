"""What a phase's result mails say of who sent orders, as stored facts: written in the transaction that runs the phase, so
that a mail that is made later says what was true then, whoever plays a seat by then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.play import disorder
from judge.play.disorder import Disorder
from judge.play.judge import Table
from judge.play.onfile import all_repeated
from judge.rules.board import province_of
from judge.rules.orders import Order, Waive
from judge.store import Store


@dataclass(frozen=True, slots=True)
class Told:
    """``missed``: the powers that owed orders and sent none. ``disorder``: what the phase did to whom (``nmr``).
    ``repeated``: the provinces of the units that repeated an earlier order."""

    missed: tuple[str, ...]
    disorder: Mapping[str, Disorder]
    repeated: tuple[str, ...]


def told_args(store: Store, table: Table, repeats: Mapping[str, tuple[Order, ...]]) -> dict[str, Any]:
    """What is stored with each result of the table's phase. ``repeats``: the orders that were repeated, by power."""
    return {
        "missed": list(disorder.sent_nothing(store, table)),
        "disorder": disorder.changes(store, table),
        "repeated": [
            province_of(order.at)
            for power in table.board.powers
            for order in repeats.get(power, ())
            if not isinstance(order, Waive)
        ],
    }


def told_of(store: Store, table: Table, args: Mapping[str, Any]) -> Told:
    """The same out of a line's arguments. A line written by a version that stored nothing of it is told what follows from
    the orders that were on file."""
    if "missed" not in args:
        args = told_args(store, table, all_repeated(store, table))
    return Told(tuple(args["missed"]), dict(args["disorder"]), tuple(args["repeated"]))
