"""Places, units and targets: the phrases that all orders are made of, in whatever order a language puts their words."""

from __future__ import annotations

from typing import Any

from judge.notation.combine import Answer, Keep, Maybe, NotSo, Or, Parser, Scan, Seq, Silent, Some, Word
from judge.notation.lexicon import Edge, PlaceName
from judge.notation.sketch import PlaceSaid, Target, UnitSaid

_COAST_LETTERS = {"n": "nc", "s": "sc", "e": "ec", "w": "wc"}


def _opt(*kinds: str) -> Parser:
    return Maybe(Silent(Word(*kinds)))


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _no_arrow(scan: Scan, at: int, edge: Edge) -> bool:
    """A dash that is no arrow: what follows it is a coast and no place (Spa-sc, but not Mid-West)."""
    return edge.value == "-" and not scan.edges(edge.end, "PLACE")


class _CoastLetter(Parser):
    """``n``, ``s``, ``e``, ``w`` for a coast: only in brackets or behind a slash, where nothing else is meant."""

    def find(self, scan: Scan, at: int) -> list[Answer]:
        if at >= len(scan.line) or scan.line[at].text not in _COAST_LETTERS:
            return []
        alone = scan.line[at].group and scan.line[at - 1].group != scan.line[at].group
        if alone or (at and scan.line[at - 1].text == "/"):
            return [(at + 1, _COAST_LETTERS[scan.line[at].text], 0)]
        return []


class _Gloss(Parser):
    """The same place once more in brackets: ``Par (Paris)``, ``パリ(Paris)``."""

    def find(self, scan: Scan, at: int) -> list[Answer]:
        if not 0 < at < len(scan.line) or not scan.line[at].group or scan.line[at - 1].group == scan.line[at].group:
            return []
        before = {v.sure for start in range(max(0, at - 12), at) for v in _places_ending(scan, start, at)}
        return [
            (edge.end, None, 0)
            for edge in scan.edges(at, "PLACE")
            if isinstance(edge.value, PlaceName) and edge.value.sure in before and _closes(scan, at, edge.end)
        ]


def _places_ending(scan: Scan, start: int, end: int) -> list[PlaceName]:
    return [e.value for e in scan.edges(start, "PLACE") if e.end == end and isinstance(e.value, PlaceName)]


def _closes(scan: Scan, at: int, end: int) -> bool:
    return end == len(scan.line) or scan.line[end].group != scan.line[at].group


def _spelled_out(scan: Scan, at: int, edge: Edge) -> bool:
    """Not only a direction: "north coast", "Nordküste"."""
    return edge.end > at + 1 or len(scan.line[at].text) > 6


def _same_brackets(scan: Scan, at: int, edge: Edge) -> bool:
    """What follows stands in the same brackets, or outside as this does: "Spa(nc) Mar" names no coast of Marseilles."""
    return edge.end < len(scan.line) and scan.line[edge.end].group == scan.line[edge.end - 1].group


COAST = Or(Word("COAST"), _CoastLetter())


def _full_stop(scan: Scan, at: int, edge: Edge) -> bool:
    """The dot of an abbreviation: right behind the word."""
    return not scan.line[at].spaced


_STOP = Maybe(Silent(Word("DOT", test=_full_stop)))
_COAST_AFTER = Seq(
    Maybe(Silent(Or(Word("SLASH", "DOT", "OF2", "COMMA", "COLON"), Word("ARROW", test=_no_arrow)))),
    Keep(COAST),
)
_COAST_WITH_WORDS = Seq(Word("AT", "VIA", "ONTO", "TO"), _opt("DET"), Keep(Word("COAST", test=_spelled_out)))
_COAST_POSSESSED = Seq(Word("POSS", "OF2"), Keep(COAST))


def _place(name: PlaceName, coast: str | None) -> Any:
    if name.coast and coast:
        return NotSo
    return PlaceSaid(name, coast or name.coast)


PLACE = Or(
    Seq(
        Keep(Word("PLACE")),
        _STOP,
        Maybe(_Gloss()),
        Keep(Maybe(Or(_COAST_AFTER, _COAST_WITH_WORDS, _COAST_POSSESSED))),
        Maybe(_Gloss()),
        make=_place,
    ),
    Seq(
        Keep(Word("COAST", test=_same_brackets)),
        _opt("AT", "OF", "OF2"),
        _opt("DET"),
        Keep(Word("PLACE")),
        make=lambda c, n: _place(n, c),
    ),
)
THE_PLACE = Seq(_opt("DET"), Keep(PLACE))

# ── units ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _in_brackets(scan: Scan, at: int, edge: Edge) -> bool:
    return bool(scan.line[at].group)


def _unit(power: Any, type_: Any, power2: Any, place: Any, power3: Any) -> Any:
    powers = {p for p in (power, power2, power3) if p}
    if len(powers) > 1:
        return NotSo
    return UnitSaid(place, type_, powers.pop() if powers else None)


def _unit_after(power: Any, place: Any, coast: Any, type_: Any, coast2: Any) -> Any:
    if sum(c is not None for c in (place.coast, coast, coast2)) > 1:
        return NotSo
    coast = coast or coast2
    return UnitSaid(PlaceSaid(place.name, coast) if coast else place, type_, power)


def _stays_a_power(scan: Scan, at: int, edge: Edge) -> bool:
    """Not a place that something goes from: ``F English-Mid.Atlantic`` is no English fleet (CN-4)."""
    return not scan.edges(edge.end, "ARROW") or all(place.end != edge.end for place in scan.edges(at, "PLACE"))


def _army(scan: Scan, at: int, edge: Edge) -> bool:
    """陸 may stand behind its place; 海 may not, where it is the end of a sea's name."""
    return edge.value == "A"


_OWNS = Maybe(Silent(Word("POSS", "OF2", "DET", "DOT", "COLON")))
POWER = Seq(Keep(Word("POWER")), _OWNS)
TYPE = Seq(_opt("ART"), Keep(Word("UNIT")))
_LEAD = Seq(Some(Silent(Word("PRE", "PLEASE", "DET")), 0, 3))
_POWER_OF = Seq(
    Maybe(Silent(Word("AT", "OF", "OF2"))), _opt("DET"), Keep(Seq(Keep(Word("POWER", test=_stays_a_power)), _OWNS))
)
_POWER_INSIDE = Word("POWER", test=_in_brackets)
_JOIN = Maybe(Silent(Or(Word("COLON", "DOT", "OF2", "SLASH", "POINT", "ARROW"), Seq(Word("AT", "FROM"), _opt("DET")))))

#: A unit with the word for its kind before or after its place, or its place alone.
UNIT = Or(
    Seq(
        _LEAD,
        Keep(Maybe(POWER)),
        Keep(Or(TYPE, Word("UNITPRE"))),
        Keep(Maybe(_POWER_OF)),
        _JOIN,
        Keep(THE_PLACE),
        Keep(Maybe(_POWER_INSIDE)),
        make=_unit,
    ),
    Seq(
        _LEAD,
        Keep(Maybe(POWER)),
        _opt("AT", "FROM"),
        Keep(THE_PLACE),
        Maybe(Silent(Word("OF2", "POSS", "FROMPOST", "POINT"))),
        Keep(Maybe(COAST)),
        _opt("PRE", "OF2"),
        Keep(Or(TYPE, Word("UNITPRE", test=_army))),
        Keep(Maybe(COAST)),
        make=_unit_after,
    ),
    Seq(
        _LEAD,
        Keep(Maybe(POWER)),
        _opt("FROM"),
        Keep(THE_PLACE),
        Keep(Maybe(_POWER_INSIDE)),
        _opt("FROMPOST"),
        make=lambda power, place, power2: _unit(power, None, None, place, power2),
    ),
    # the power of Chinese and French: 法国舰队 布列斯特 is the first form; la flotte de Brest (France) the third
)
#: A unit that says which kind it is: what may stand alone in the adjustments.
MARKED_UNIT = Seq(Keep(UNIT), make=lambda unit: unit if unit.type else NotSo)

# ── targets ──────────────────────────────────────────────────────────────────────────────────────────────────────────

ARROWS = Some(Silent(Word("ARROW")), 1, 3)
_TO_WORD = Seq(Maybe(Silent(Word("ARROW"))), Word("TO"))
#: "to Burgundy", "-> Bur", ブルゴーニュへ
STEP = Or(
    Seq(Or(ARROWS, _TO_WORD), Keep(THE_PLACE), _opt("TOPOST")),
    Seq(Keep(THE_PLACE), Some(Silent(Word("TOPOST")), 1, 2)),
)
_NEXT = Seq(ARROWS, Keep(THE_PLACE))
_ROUTE_SIGN = Some(Silent(Word("COMMA", "AND", "ARROW", "SLASH", "TOPIC")), 1, 2)

_VIA = Or(
    Seq(Word("BYCON"), Maybe(Silent(Word("TAIL"))), make=lambda: True),
    Seq(
        Word("VIA"),
        Keep(Seq(Keep(THE_PLACE), Keep(Some(Seq(_ROUTE_SIGN, Keep(THE_PLACE)), 0, 6)), make=lambda p, more: (p, *more))),
    ),
    Seq(
        Keep(Seq(Keep(THE_PLACE), Keep(Some(Seq(_ROUTE_SIGN, Keep(THE_PLACE)), 0, 6)), make=lambda p, more: (p, *more))),
        Word("VIAPOST"),
    ),
    Seq(Word("VIA"), Keep(MARKED_UNIT), make=lambda unit: (unit.place,)),
    Seq(Word("WITH"), Keep(UNIT), Word("CON"), make=lambda unit: (unit.place,)),
    # convoyed by F Nth; 北海海軍により輸送
    Seq(Word("BYCON"), Word("WITH"), Keep(UNIT), make=lambda unit: (unit.place,)),
    Seq(Keep(UNIT), Word("WITH"), Word("CON"), make=lambda unit: (unit.place,)),
)
#: "via convoy" (``True``) or a route (its places)
VIA = Maybe(Seq(Maybe(Silent(Word("COMMA"))), Keep(_VIA)))


def target(via: Any, via2: Any, steps: tuple[PlaceSaid, ...], via3: Any) -> Any:
    """The target of a chain of places and what was said of the way there, at most one of it."""
    ways = [v for v in (via, via2, via3) if v]
    routes = [v for v in ways if v is not True]
    if len(routes) > 1 or (routes and len(steps) > 1):
        return NotSo
    route = routes[0] if routes else steps[:-1]
    return Target(steps[-1], tuple(route), via=bool(ways) and not route)


#: One step or several: "- Eng - Bre"
STEPS = Seq(Keep(STEP), Keep(Some(_NEXT, 0, 8)), make=lambda first, more: (first, *more))
#: A place after a verb that needs no "to": "enters Bur", 移动 勃艮第; and the places after it
BARE_STEPS = Seq(Keep(THE_PLACE), Keep(Some(_NEXT, 0, 8)), make=lambda first, more: (first, *more))
ONTO_STEPS = Seq(Word("ONTO"), Keep(BARE_STEPS))
