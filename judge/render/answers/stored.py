"""What answers hold of the game, as stored values -> units, reasons, orders with their outcomes, house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from judge.notation import parse_canonical
from judge.render import problems, reasons
from judge.render.words import Words
from judge.rules.board import Board, Unit
from judge.rules.houserules import STANDARD, HouseRules, keys
from judge.rules.orders import Order
from judge.rules.outcome import Outcome, Reason, Result
from judge.rules.position import Dislodged, Phase, Position


@dataclass(frozen=True, slots=True)
class Why:
    """A code with its arguments, and the house rule that decided."""

    code: str
    args: Mapping[str, Any]
    rule: str | None = None


def unit(data: Mapping[str, str]) -> Unit:
    """``{"power", "type", "at"}`` -> a unit."""
    return Unit(data["power"], data["type"], data["at"])  # type: ignore[arg-type]


def argument(data: Any) -> Any:
    """A reason's argument."""
    if isinstance(data, Mapping):
        return unit(data)
    return tuple(map(argument, data)) if isinstance(data, list | tuple) else data


def reason(data: Mapping[str, Any]) -> Reason:
    """``{"code", "args", "rule"}`` -> a reason."""
    return Reason(data["code"], {name: argument(value) for name, value in data["args"].items()}, data["rule"])


def order(text: str | None, board: Board) -> Order | None:
    """Canonical text -> an order."""
    return None if text is None else parse_canonical(text, board)


def outcome(data: Mapping[str, Any], board: Board) -> Outcome:
    """What came of an order."""
    return Outcome(
        data["power"],
        order(data["order"], board),
        None if data["unit"] is None else unit(data["unit"]),
        Result(data["result"]),
        reason(data["reason"]),
        data["dislodged"],
        data["filled_in"],
    )


def position(data: Mapping[str, Any]) -> Position:
    """What stands where, as a game stores it."""
    fallen = (Dislodged(unit(d), d["attacked_from"], d["by_convoy"], tuple(d["retreats"])) for d in data["dislodged"])
    units = tuple(map(unit, data["units"]))
    return Position(Phase.parse(data["phase"]), units, dict(data["owners"]), tuple(fallen), frozenset(data["contested"]))


def units(rows: Sequence[Mapping[str, str]]) -> dict[str, Unit]:
    """Units by the province that they stand in; of two the later."""
    return {one.province: one for one in map(unit, rows)}


def rules(values: Mapping[str, Any]) -> HouseRules:
    """The standard rules with these values, by key."""
    changes: dict[str, Any] = {keys()[key].field: tuples(value) for key, value in values.items() if key in keys()}
    return replace(STANDARD, **changes)


def all_rules(values: Mapping[str, Any]) -> HouseRules:
    """House rules as a game stores them, by field; what this version does not know is left out."""
    known = {field.name for field in fields(HouseRules)}
    return HouseRules(**{name: tuples(value) for name, value in values.items() if name in known})


def tuples(value: Any) -> Any:
    """Lists as tuples, inner ones too."""
    return tuple(map(tuples, value)) if isinstance(value, list | tuple) else value


def sentence(why: Reason | Why, words: Words, by: HouseRules) -> str:
    """The sentence of a reason or of a reading problem; a code that a later version stored is said as it is."""
    if why.code not in reasons.SENTENCES and why.code not in problems.SENTENCES:
        return why.code
    return problems.sentence(why, words, by)
