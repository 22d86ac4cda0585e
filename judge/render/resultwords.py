"""What came of one order in one or two words: ``went in``, ``was cut``, ``destroyed``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from judge.render.catalogue import N_, NP_
from judge.render.words import Words

#: (result, kind of order) -> the word; kind ``""``: any other
_WORDS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("succeeds", "move"): NP_("result of a move", "went in"),
    ("succeeds", "retreat"): NP_("result of a retreat", "got away"),
    ("succeeds", "build"): NP_("result of a build", "was built"),
    ("succeeds", "remove"): NP_("result of a removal", "was removed"),
    ("succeeds", "waive"): NP_("result of a waive", "was given up"),
    ("succeeds", ""): NP_("result of a disband", "was disbanded"),
    ("bounces", "retreat"): NP_("result of a retreat", "destroyed"),
    ("bounces", ""): NP_("result of a move", "bounced"),
    ("no-convoy", ""): NP_("result of a move", "no convoy"),
    ("given", "convoy"): NP_("result of a convoy", "carried"),
    ("given", ""): NP_("result of a support", "given"),
    ("cut", ""): NP_("result of a support", "was cut"),
    ("unmatched", ""): NP_("result of a support or convoy", "no match"),
    ("disrupted", ""): NP_("result of a convoy", "broken"),
    ("holds", ""): NP_("result of a hold", "held"),
}
_VOID = NP_("result of an order", "void")
_DESTROYED = N_("destroyed")
_DRIVEN_OUT = N_("was driven out")


class OrderRow(Protocol):
    """An order with its result, as :class:`judge.render.view.Row` is one."""

    @property
    def kind(self) -> str: ...

    @property
    def result(self) -> str: ...

    @property
    def dislodged(self) -> bool: ...

    @property
    def destroyed(self) -> bool: ...


def outcome(row: OrderRow, words: Words) -> str:
    """What came of an order and its unit."""
    if row.destroyed:
        return words.translate(_DESTROYED)
    return words.translate(_DRIVEN_OUT) if row.dislodged else result(row, words)


def result(row: OrderRow, words: Words) -> str:
    """What came of an order alone."""
    said = _WORDS.get((row.result, row.kind)) or _WORDS.get((row.result, "")) or _VOID
    return words.catalogue.pgettext(*said)
