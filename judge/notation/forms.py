"""The forms of orders: every order of words in which players write a move, a support, a convoy and the rest.

An order is a subject (one unit or several), a pause, and a predicate; or a verb first and its unit after it. Optional words
stand where languages put them. A form accounts for all words from its first to its last: nothing is skipped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judge.notation.combine import ASKED, Costly, Keep, Maybe, NotSo, Or, Parser, Scan, Seq, Silent, Some, Word
from judge.notation.lexicon import Edge
from judge.notation.phrases import (
    ARROWS,
    BARE_STEPS,
    MARKED_UNIT,
    ONTO_STEPS,
    STEP,
    STEPS,
    THE_PLACE,
    TYPE,
    UNIT,
    VIA,
    target,
)
from judge.notation.sketch import Sketch, Target, UnitSaid


def _opt(*kinds: str) -> Parser:
    return Maybe(Silent(Word(*kinds)))


def _some(*kinds: str, most: int = 4) -> Parser:
    return Some(Silent(Word(*kinds)), 0, most)


def _verb(*kinds: str) -> Parser:
    """A verb with what may stand before it (to, 请) and after it (する)."""
    return Silent(Seq(_some("INF", "PLEASE", "PRE", most=2), Word(*kinds), _some("TAIL", most=3)))


#: between what an order is about and what it says of it: は 、 : or nothing
PAUSE = _PAUSE = _some("TOPIC", "COMMA", "COLON", "EQUALS", "DOT", most=2)
#: what makes a noun of a movement that is supported: のを, の移動を, 的进攻
_THAT = _some("THAT", "OF2", "TOPIC", "TAIL", "POSS")
_JOIN = _some("TOPIC", "OF2", "COMMA", "POSS", most=2)
_PART = _opt("PART")

_DASH = Maybe(Silent(ARROWS))
MOVING = _verb("MOVE")
#: a dash before or after a letter is none that leads anywhere: A Mar - S - A Par-Bur
SUPPORTING, CONVOYING = (Silent(Seq(_DASH, _verb(kind), _DASH)) for kind in ("SUP", "CON"))
RETREATING, DISBANDING = (Silent(Seq(_DASH, _verb(kind))) for kind in ("RET", "DIS"))
BUILDING = _verb("BUILD")


def _no_plus(scan: Scan, at: int, edge: Edge) -> bool:
    """A plus stands before what is built: "A Par + A Mar" builds nothing."""
    return scan.line[at].text != "+"


_BUILT = Silent(Seq(_some("INF", "PLEASE", "PRE", most=2), Word("BUILD", test=_no_plus), _some("TAIL", most=3)))
HOLDING = Seq(Maybe(Silent(ARROWS)), _verb("HOLD", "STAY"))
HOLD_FIRST = _verb("HOLD")
#: disbanded, off the board
_GONE = Seq(Maybe(Silent(Or(ARROWS, Word("TO")))), Or(DISBANDING, _verb("OTB")))


def sketch(kind: Any, target_: Target | None = None, of: UnitSaid | None = None) -> Sketch:
    """A predicate: an order whose unit is not known yet."""
    return Sketch(kind, None, target_, of)


# ── moves and retreats ───────────────────────────────────────────────────────────────────────────────────────────────

_ANY_STEPS = Or(STEPS, BARE_STEPS, ONTO_STEPS)
#: from a unit to where it goes: "- Bur", "moves to Bur via convoy", "へ移動", 进入
GOING = Or(
    Seq(Keep(VIA), Maybe(MOVING), Keep(VIA), Keep(STEPS), Keep(VIA), Maybe(MOVING), _PART, make=target),
    Seq(Keep(VIA), MOVING, _PAUSE, Keep(VIA), Keep(Or(BARE_STEPS, ONTO_STEPS)), Keep(VIA), _PART, make=target),
)
_MOVE = Seq(Keep(GOING), make=lambda going: sketch("M", going))
#: a word between unit and target that is missing: "A Par Bur"
_ARROW_MISSING = Costly(ASKED)
_RETREAT = Or(
    Seq(RETREATING, PAUSE, Keep(_ANY_STEPS), _PART, make=lambda steps: sketch("R", target(None, None, steps, None))),
    Seq(Keep(STEPS), RETREATING, _PART, make=lambda steps: sketch("R", target(None, None, steps, None))),
    Seq(RETREATING, _PART, make=lambda: sketch("R")),
    Seq(RETREATING, _GONE, make=lambda: sketch("D")),
)

# ── supports ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _supported(unit: UnitSaid, going: Target | None = None) -> Sketch:
    return sketch("S", going, unit)


def _from_to(steps: Any, place: Any) -> Sketch:
    """ "move to Burgundy from Paris": the target stands before the place of the unit."""
    return sketch("S", steps if isinstance(steps, Target) else Target(steps), UnitSaid(place))


_OF = _some("OF", "INF", "AT", "POSS", "COLON", "TO", most=2)
#: what follows the verb "supports"
SUPPORTED = Or(
    Seq(_OF, Keep(UNIT), make=_supported),
    Seq(_OF, Keep(UNIT), _JOIN, _opt("AT"), _opt("DET"), Keep(GOING), _THAT, make=_supported),
    Seq(_OF, Keep(UNIT), _ARROW_MISSING, Keep(THE_PLACE), make=lambda unit, to: _supported(unit, Target(to))),
    Seq(_OF, Keep(UNIT), _JOIN, Keep(BARE_STEPS), MOVING, _THAT, make=lambda u, s: _supported(u, _to(s))),
    Seq(_OF, Keep(UNIT), _JOIN, Silent(_opt("AT")), HOLDING, _THAT, make=_supported),
    Seq(_OF, HOLD_FIRST, _opt("OF"), Keep(UNIT), make=_supported),
    Seq(_OF, _opt("DET"), MOVING, _opt("OF", "FROM"), Keep(UNIT), Keep(GOING), make=_supported),
    Seq(_OF, _opt("DET"), MOVING, _opt("OF", "FROM"), Keep(UNIT), Keep(ONTO_STEPS), make=lambda u, s: _supported(u, _to(s))),
    Seq(
        _some("DET", most=1),
        MOVING,
        Keep(Or(STEP, Seq(Word("ONTO"), Keep(THE_PLACE)))),
        Word("FROM"),
        Keep(THE_PLACE),
        make=_from_to,
    ),
    Seq(_opt("DET"), Keep(STEP), Word("FROM"), Keep(THE_PLACE), make=_from_to),
    Seq(HOLD_FIRST, Keep(STEP), make=lambda place: sketch("S", None, UnitSaid(place))),
    Seq(Keep(UNIT), Keep(STEPS), Word("OF2", "POSS"), Keep(TYPE), make=lambda u, steps, t: _typed(u, steps, t)),
)


def _typed(unit: UnitSaid, steps: Any, type_: Any) -> Any:
    """从巴黎到勃艮第的陆军: the kind of unit stands last."""
    return NotSo if unit.type else _supported(UnitSaid(unit.place, type_, unit.power), target(None, None, steps, None))


#: what stands before the verb "supports" where the verb comes last
_SUPPORTED_BEFORE = Or(
    Seq(Keep(UNIT), _THAT, make=_supported),
    Seq(Keep(UNIT), _JOIN, Keep(GOING), _THAT, make=_supported),
    Seq(Keep(UNIT), _JOIN, Keep(BARE_STEPS), _some("OF2"), MOVING, _THAT, make=lambda u, s: _supported(u, _to(s))),
    Seq(Keep(UNIT), _JOIN, Keep(STEPS), _some("OF2"), MOVING, _THAT, make=lambda u, s: _supported(u, _to(s))),
    Seq(Keep(UNIT), _JOIN, HOLD_FIRST, _THAT, make=_supported),
    Seq(Keep(STEP), MOVING, Keep(UNIT), _THAT, make=lambda place, unit: _supported(unit, Target(place))),
    Seq(Keep(STEP), Keep(UNIT), _some("OF2"), MOVING, _THAT, make=lambda place, unit: _supported(unit, Target(place))),
)


def _to(steps: Any) -> Any:
    return target(None, None, steps, None)


_SUPPORT = Or(
    Seq(SUPPORTING, PAUSE, Keep(SUPPORTED), _PART),
    Seq(Keep(_SUPPORTED_BEFORE), SUPPORTING),
)

# ── convoys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _carried(unit: UnitSaid, going: Any) -> Sketch:
    return sketch("C", going if isinstance(going, Target) else _to(going), unit)


#: what follows the verb "convoys"
CARRIED = Or(
    Seq(_OF, Keep(UNIT), _JOIN, Keep(GOING), _THAT, make=_carried),
    Seq(_OF, _opt("DET"), MOVING, _opt("OF", "FROM"), Keep(UNIT), Keep(GOING), make=_carried),
    Seq(_OF, Keep(UNIT), _ARROW_MISSING, Keep(THE_PLACE), make=lambda unit, to: _carried(unit, (to,))),
    Seq(Maybe(MOVING), Keep(STEP), Word("FROM"), Keep(THE_PLACE), make=lambda to, place: _carried(UnitSaid(place), (to,))),
    Seq(Keep(UNIT), Keep(STEPS), Word("OF2", "POSS"), Keep(TYPE), make=lambda u, s, t: _typed_army(u, s, t)),
)


def _typed_army(unit: UnitSaid, steps: Any, type_: Any) -> Any:
    return NotSo if unit.type else _carried(UnitSaid(unit.place, type_, unit.power), steps)


_CARRIED_BEFORE = Or(
    Seq(Keep(UNIT), _JOIN, Keep(Or(STEPS, Seq(Keep(BARE_STEPS), _some("OF2"), MOVING))), _opt("MOVE"), _THAT, make=_carried),
    Seq(Keep(UNIT), Word("OF2"), Keep(BARE_STEPS), _THAT, make=_carried),
    Seq(Keep(STEPS), _JOIN, Maybe(MOVING), Keep(UNIT), _THAT, make=lambda steps, unit: _carried(unit, steps)),
)
_CONVOY = Or(
    Seq(CONVOYING, PAUSE, Keep(CARRIED), _PART),
    Seq(Keep(_CARRIED_BEFORE), CONVOYING),
    # 将伦敦陆军运输到布雷斯特: the verb stands between the army and its target
    Seq(Keep(UNIT), _JOIN, CONVOYING, Keep(_ANY_STEPS), make=_carried),
)

# ── the rest, and subjects ───────────────────────────────────────────────────────────────────────────────────────────

_HOLD = Or(
    Seq(HOLDING, make=lambda: sketch("H")),
    # stays in Marseilles: the target must be where it is
    Seq(HOLDING, _opt("AT"), Keep(THE_PLACE), make=lambda place: sketch("H", Target(place))),
    Seq(Keep(THE_PLACE), Some(Silent(Word("TOPOST", "TOPIC")), 1, 2), HOLDING, make=lambda p: sketch("H", Target(p))),
)
_DISBAND = Seq(Or(_GONE, Seq(DISBANDING, _PART)), make=lambda: sketch("D"))
_BUILD = Seq(_BUILT, make=lambda: sketch("B"))

#: what may be said of several units at once, and what only of one
SHARED = Or(_HOLD, _DISBAND, _BUILD, _SUPPORT, Seq(RETREATING, make=lambda: sketch("R")))
_DEED = Or(_MOVE, _HOLD, _RETREAT, _DISBAND, _BUILD)
_SERVICE = Or(_SUPPORT, _CONVOY)
PREDICATE = Or(_DEED, _SERVICE)
#: the pause before a service: never を, which marks the unit that is served
_DOER_PAUSE = _some("SUBJECT", "COMMA", "COLON", "EQUALS", "DOT", most=2)

AND_SIGN = Some(Silent(Word("COMMA", "AND", "PLUS", "SEMI", "SLASH")), 1, 2)
_UNITS = Seq(Keep(UNIT), Keep(Some(Seq(AND_SIGN, Keep(UNIT)), 1, 16)), make=lambda first, more: (first, *more))
_OBJECTS = Seq(Keep(UNIT), Keep(Some(Seq(AND_SIGN, Keep(UNIT)), 0, 16)), make=lambda first, more: (first, *more))
_EVERY = Or(
    Seq(Word("ALL"), make=lambda: "all"),
    Seq(Word("REST"), make=lambda: "rest"),
    Seq(Word("ALL", "TWO", "THREE"), _opt("DET", "OF"), Keep(Word("UNIT")), make=lambda type_: _every(type_)),
)


_DOER = _some("COMMA", most=1)
_DOES = Silent(Word("SUBJECT"))


def _every(type_: Any) -> Any:
    """All armies, all fleets."""
    return {"A": "armies", "F": "fleets", "*": "all"}[type_]


def _said(units: Any, predicate: Sketch) -> tuple[Sketch, ...]:
    """The predicate said of each of the units."""
    units = units if isinstance(units, tuple) else (units,)
    return tuple(Sketch(predicate.kind, unit, predicate.target, predicate.of) for unit in units)


_SUBJECT_FIRST = Or(
    Seq(Keep(UNIT), PAUSE, Keep(_DEED), make=_said),
    Seq(Keep(UNIT), _DOER_PAUSE, Keep(_SERVICE), make=_said),
    Seq(Keep(_UNITS), PAUSE, _opt("TWO"), Keep(SHARED), make=_said),
    Seq(Keep(_EVERY), PAUSE, Keep(Or(_HOLD, _DISBAND)), make=_said),
    # パリ陸軍のブルゴーニュへの移動
    Seq(Keep(UNIT), Word("OF2"), Keep(STEPS), MOVING, make=lambda unit, s: _said(unit, sketch("M", _to(s)))),
    # パリ陸軍のブルゴーニュへの移動をマルセイユ陸軍が支援: what is done to comes first, marked as such
    Seq(Keep(_SUPPORTED_BEFORE), _DOER, Keep(UNIT), _DOES, SUPPORTING, make=lambda s, unit: _said(unit, s)),
    Seq(Keep(_CARRIED_BEFORE), _DOER, Keep(UNIT), _DOES, CONVOYING, make=lambda s, unit: _said(unit, s)),
    # ヨークシャー陸軍を北海海軍でノルウェーへ輸送
    Seq(
        Keep(UNIT), Word("OBJECT"), Keep(UNIT), _DOES, Keep(STEPS), CONVOYING, make=lambda a, f, s: _said(f, _carried(a, s))
    ),
)


def _typed_move(type_: Any, place: Any, steps: Any) -> tuple[Sketch, ...]:
    """The army moves from Paris to Burgundy."""
    return _said(UnitSaid(place, type_), sketch("M", _to(steps)))


def _of_one_kind(units: tuple[UnitSaid, ...]) -> tuple[UnitSaid, ...]:
    """Armies in Paris and Marseilles: the kind that was said first holds for those without one."""
    found: list[UnitSaid] = []
    for unit in units:
        found.append(unit if unit.type or not found else replace(unit, type=found[-1].type))
    return tuple(found)


def _counted(count: int, type_: Any, units: tuple[UnitSaid, ...]) -> Any:
    """As many builds as were said, of the kind that was said for all of them."""
    if len(units) != count:
        return NotSo
    kinds = tuple(unit if unit.type or not type_ else replace(unit, type=type_) for unit in units)
    return _said(_of_one_kind(kinds), sketch("B"))


def _first(kind: Any) -> Any:
    return lambda units: _said(units, sketch(kind))


_SEVERAL = Or(Seq(Word("TWO"), make=lambda: 2), Seq(Word("THREE"), make=lambda: 3))

_VERB_FIRST = Or(
    Seq(MOVING, PAUSE, Keep(UNIT), PAUSE, Keep(GOING), make=lambda unit, going: _said(unit, sketch("M", going))),
    Seq(Keep(TYPE), MOVING, Word("FROM"), Keep(THE_PLACE), Keep(STEPS), make=lambda t, p, s: _typed_move(t, p, s)),
    Seq(Keep(MARKED_UNIT), _ARROW_MISSING, Keep(THE_PLACE), make=lambda unit, to: _said(unit, sketch("M", Target(to)))),
    # 陸軍をパリからブルゴーニュへ
    Seq(
        Keep(TYPE),
        PAUSE,
        Keep(THE_PLACE),
        Word("FROMPOST"),
        Keep(STEPS),
        Maybe(MOVING),
        make=lambda t, p, s: _typed_move(t, p, s),
    ),
    Seq(RETREATING, PAUSE, Keep(UNIT), PAUSE, Keep(STEPS), make=lambda unit, s: _said(unit, sketch("R", _to(s)))),
    Seq(HOLD_FIRST, PAUSE, Keep(Or(_OBJECTS, _EVERY)), make=_first("H")),
    Seq(DISBANDING, PAUSE, Keep(_OBJECTS), _PART, make=_first("D")),
    Seq(BUILDING, PAUSE, _opt("AT"), Keep(_OBJECTS), make=lambda units: _said(_of_one_kind(units), sketch("B"))),
    # build 2 armies: Paris, Marseilles
    Seq(BUILDING, Keep(_SEVERAL), Keep(Maybe(TYPE)), _some("NOUN"), Word("COLON", "AT"), Keep(_OBJECTS), make=_counted),
    Seq(SUPPORTING, PAUSE, Keep(SUPPORTED), Word("WITH"), Keep(UNIT), make=lambda s, unit: _said(unit, s)),
    Seq(CONVOYING, PAUSE, Keep(CARRIED), Word("WITH"), Keep(UNIT), make=lambda s, unit: _said(unit, s)),
    # ブルゴーニュへパリ陸軍を移動
    Seq(Keep(STEP), Keep(UNIT), PAUSE, MOVING, make=lambda place, unit: _said(unit, sketch("M", Target(place)))),
)


def _built(place: Any, type_: Any) -> tuple[Sketch, ...]:
    return (Sketch("B", UnitSaid(place, type_)),)


_AT = _opt("AT", "FROM", "COLON")
_PLACED = Seq(_AT, Keep(THE_PLACE), Some(Silent(Word("TOPOST", "TOPIC", "COLON")), 1, 2), Keep(TYPE), make=UnitSaid)
_PLACED_TYPES = Seq(
    Keep(_PLACED), Keep(Some(Seq(PAUSE, Maybe(AND_SIGN), Keep(_PLACED)), 1, 8)), make=lambda first, more: (first, *more)
)
_COUNTER = _some("ONE", "NOUN", most=2)
_BUILD_PLACE_FIRST = Or(
    # パリに陸軍を増強
    Seq(_AT, Keep(THE_PLACE), PAUSE, _some("TOPOST"), Keep(TYPE), PAUSE, _COUNTER, _BUILT, make=_built),
    # 陸軍をパリに増強
    Seq(Keep(TYPE), _COUNTER, PAUSE, Keep(THE_PLACE), PAUSE, _some("TOPOST"), _BUILT, make=lambda t, p: _built(p, t)),
    # 増強はパリに陸軍、ブレストに海軍
    Seq(BUILDING, PAUSE, Keep(_PLACED_TYPES), make=lambda units: _said(units, sketch("B"))),
    # 在巴黎生产陆军; Paris: build army
    Seq(_AT, Keep(THE_PLACE), PAUSE, _some("TOPOST"), _BUILT, PAUSE, Keep(TYPE), make=_built),
    # パリに陸軍、ブレストに海軍を増強
    Seq(Keep(_PLACED_TYPES), PAUSE, BUILDING, make=lambda units: _said(units, sketch("B"))),
    # build in Paris an army
    Seq(BUILDING, PAUSE, _AT, Keep(THE_PLACE), PAUSE, _some("TOPOST"), Keep(TYPE), PAUSE, make=_built),
)


def _outside(scan: Scan, at: int, edge: Edge) -> bool:
    """A number in brackets is a list number and counts nothing."""
    return not scan.line[at].group


_HOW_MANY = Or(
    Seq(Word("ONE", test=_outside), make=lambda: 1),
    Seq(Word("TWO", test=_outside), make=lambda: 2),
    Seq(Word("THREE", test=_outside), make=lambda: 3),
    Seq(Word("ALL"), make=lambda: 0),
)
_COUNTED = Seq(_some("DET", most=1), Keep(Maybe(_HOW_MANY, 1)), _some("OF", "DET", most=2), _some("NOUN", most=2))


def _waived(before: Any, after: Any) -> Any:
    counts = {count for count in (before, after) if count != 1} or {1}
    return (Sketch("W", count=counts.pop()),) if len(counts) == 1 else NotSo


_WAIVE = Seq(
    _some("NOUN", most=1), Keep(_COUNTED), _some("TOPIC", "COLON", most=1), _verb("WAIVE"), Keep(_COUNTED), make=_waived
)

# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_OR = Seq(_opt("COMMA"), Silent(Word("OR")))
_OR_ELSE = Or(_OR, Word("SLASH"))


def _choice(first: Any, others: Any) -> Any:
    """Two or more orders of which one is meant, or one order with several targets."""
    if len(first) != 1:
        return NotSo
    options: list[Sketch] = list(first)
    for other in others:
        if isinstance(other, tuple):
            options += other
        elif isinstance(other, UnitSaid):
            options.append(Sketch(first[0].kind, other, first[0].target, first[0].of))
        elif isinstance(other, Sketch):
            options.append(Sketch(other.kind, first[0].unit, other.target, other.of))
        elif first[0].target is None:
            return NotSo
        else:
            options.append(Sketch(first[0].kind, first[0].unit, Target(other), first[0].of))
    return (Sketch("X", options=tuple(options)),)


_CLEAR = Or(_SUBJECT_FIRST, _VERB_FIRST, _BUILD_PLACE_FIRST, _WAIVE)
_CHOICE = Seq(
    Keep(_CLEAR),
    Keep(Some(Or(Seq(_OR, Keep(Or(_CLEAR, PREDICATE, MARKED_UNIT))), Seq(_OR_ELSE, Keep(Or(THE_PLACE, STEP)))), 1, 4)),
    make=_choice,
)

#: one order, or several said with one verb: a tuple of sketches
ORDER = Or(_CLEAR, _CHOICE)
#: a unit by itself
ALONE = Seq(Keep(Or(MARKED_UNIT, _PLACED)), make=lambda unit: (Sketch("U", unit),))
