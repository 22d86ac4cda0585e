"""How orders are written, by examples that are good in the game that they are shown in.

The house rules decide what an order must say (unit letters, a nationality, a convoy's route) and what there is to order at
all (a build that is given up). A test reads every example under every value of every key. On a board without the places
of the usual examples they are made of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.render.catalogue import N_, NP_
from judge.render.commonfacts import Common
from judge.render.words import Words
from judge.rules.board import Board
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.orders import Build, Disband, Hold, Move
from judge.rules.position import Phase


@dataclass(frozen=True, slots=True)
class Example:
    """How one kind of order is written; ``texts``: one or several orders, in the reader's words."""

    what: str
    texts: tuple[str, ...]


#: a text as it may be written, and with all its unit letters
Written = tuple[tuple[str, str], tuple[str, str]]

#: the places of the usual examples
_PLACES = frozenset({"par", "bur", "mar", "eng", "lon", "bre", "mao", "spa", "mun", "tyr"})
_MOVE = (NP_("example", "Paris - Burgundy"), NP_("example", "A Paris - Burgundy"))
_HOLD = (NP_("example", "Paris hold"), NP_("example", "A Paris hold"))
_SUPPORT = (NP_("example", "Marseilles S Paris - Burgundy"), NP_("example", "A Marseilles S A Paris - Burgundy"))
_SUPPORT_HOLD = (NP_("example", "Burgundy S Paris"), NP_("example", "A Burgundy S A Paris"))
#: where a support must say whose unit it is for: with all that it may need
_SUPPORT_OTHER = (NP_("example", "A Marseilles S Germany A Munich - Burgundy"),) * 2
_CONVOY = (NP_("example", "English Channel C London - Brest"), NP_("example", "F English Channel C A London - Brest"))
_BY_CONVOY = (NP_("example", "London - Brest via convoy"), NP_("example", "A London - Brest via convoy"))
_BY_ROUTE = (NP_("example", "London - English Channel - Brest"), NP_("example", "A London - English Channel - Brest"))
_COASTS = (NP_("example", "Mid-Atlantic - Spain (north coast)"), NP_("example", "F Mid-Atlantic - Spain (north coast)"))
_RETREAT = (NP_("example", "Munich - Tyrolia"), NP_("example", "A Munich - Tyrolia"))
_DISBAND = (NP_("example", "Munich disband"), NP_("example", "A Munich disband"))
_BUILD = (NP_("example", "build army Paris"),) * 2
_REMOVE = (NP_("example", "remove Brest"), NP_("example", "remove F Brest"))
_WAIVE = (NP_("example", "waive"),) * 2


def letters_needed(rules: HouseRules) -> bool:
    """Whether an order is worth more with its unit letters than without."""
    return rules.units_missing_type != "valid"


def examples(common: Common | None, words: Words) -> list[Example]:
    """Examples of every kind of order that a game knows; ``common`` ``None``: of no game, so by the standard rules."""
    rules = common.rules if common else STANDARD
    if common is not None and not common.board.provinces.keys() >= _PLACES:
        return list(_of_board(common.board, common.power, rules, words))
    return [
        Example(words.translate(what), tuple(words.catalogue.pgettext(*one[letters_needed(rules)]) for one in texts))
        for what, texts in _usual(rules)
    ]


def _usual(rules: HouseRules) -> Iterator[tuple[str, tuple[Written, ...]]]:
    yield N_("move"), (_MOVE,)
    yield N_("hold"), (_HOLD,)
    yield N_("support a move"), (_SUPPORT,)
    yield N_("support a hold"), (_SUPPORT_HOLD,)
    if rules.units_missing_nationality != "valid":
        yield N_("support another power"), (_SUPPORT_OTHER,)
    yield N_("convoy, the fleet"), (_CONVOY,)
    yield N_("convoy, the army"), (_BY_ROUTE if rules.convoy_route == "required" else _BY_CONVOY,)
    yield N_("two coasts"), (_COASTS,)
    yield N_("retreat, or disband"), (_RETREAT, _DISBAND)
    yield N_("build, or remove"), (_BUILD, _REMOVE, *((_WAIVE,) if rules.builds_waive == "allowed" else ()))


def _of_board(board: Board, power: str, rules: HouseRules, words: Words) -> Iterator[Example]:
    """Of a unit that the reader begins with (anybody, who plays none) and of one beside it, on the board's own places."""
    units = sorted(board.start, key=lambda unit: (unit.power != power, board.powers.index(unit.power)))
    ways = {unit: (board.army if unit.type == "A" else board.fleet)[unit.at] for unit in units}
    mine = next((unit for unit in units if ways[unit]), None)
    if mine is None:
        return  # a board on which nobody can go anywhere
    reach = ways[mine]
    to = sorted(set(reach) - {unit.at for unit in units} or reach)[0]
    kind = mine.type if letters_needed(rules) else None
    move, hold = Move(kind, mine.at, to), Hold(kind, mine.at)
    gone = Disband(kind, mine.at)
    yield Example(words.translate(N_("move")), (words.order(move),))
    yield Example(words.translate(N_("hold")), (words.order(hold),))
    for other in units[1:]:
        common = sorted({*(board.army if other.type == "A" else board.fleet)[other.at]} & {*reach} - {mine.at})
        if not common or (rules.units_missing_nationality == "valid" and other.at not in reach):
            continue
        of = f"{words.power(other.power)} {words.unit(other)}" if other.power != mine.power else words.unit(other)
        values = {"unit": words.unit_at(kind, mine.at), "other": of, "to": words.place(common[0])}
        text = words.catalogue.pgettext("order", "%(unit)s S %(other)s - %(to)s") % values
        yield Example(words.translate(N_("support a move")), (text,))
        break
    yield Example(words.translate(N_("retreat, or disband")), (words.order(move), words.order(gone)))
    build = words.order(Build(mine.type, mine.at))
    waive = (words.catalogue.pgettext(*_WAIVE[0]),) if rules.builds_waive == "allowed" else ()
    remove = words.order(gone, phase=Phase("W", board.first_year, "A"))
    yield Example(words.translate(N_("build, or remove")), (build, remove, *waive))
