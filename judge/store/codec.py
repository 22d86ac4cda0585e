"""Positions and results as stored text: JSON a person can read, in the shapes of ``judge adjudicate``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from judge.notation import parse_canonical, write
from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Adjudication, Arg, GameEnd, Outcome, Reason, Result
from judge.rules.position import Dislodged, Phase, Position


def position_to_text(position: Position) -> str:
    """A position -> JSON."""
    return json.dumps(position_out(position), ensure_ascii=False, separators=(",", ":"))


def position_from_text(text: str) -> Position:
    """What :func:`position_to_text` wrote -> the position."""
    return _position_in(json.loads(text))


def adjudication_to_text(adjudication: Adjudication) -> str:
    """A whole result -> JSON; reasons as codes with arguments, orders in canonical form."""
    data = {
        "outcomes": [outcome_out(o) for o in adjudication.outcomes],
        "position": position_out(adjudication.position),
        "skipped": list(adjudication.skipped),
        "units": [unit_out(u) for u in adjudication.units],
        "dislodged": [_dislodged_out(d) for d in adjudication.dislodged],
        "contested": sorted(adjudication.contested),
        "aftermath": [outcome_out(o) for o in adjudication.aftermath],
        "end": None if adjudication.end is None else _end_out(adjudication.end),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def adjudication_from_text(text: str, board: Board) -> Adjudication:
    """What :func:`adjudication_to_text` wrote -> the result."""
    data = json.loads(text)
    return Adjudication(
        outcomes=tuple(outcome_in(o, board) for o in data["outcomes"]),
        position=_position_in(data["position"]),
        skipped=tuple(data["skipped"]),
        end=None if data["end"] is None else end_from_dict(data["end"]),
        units=tuple(_unit_in(u) for u in data["units"]),
        dislodged=tuple(_dislodged_in(d) for d in data["dislodged"]),
        contested=frozenset(data["contested"]),
        aftermath=tuple(outcome_in(o, board) for o in data["aftermath"]),
    )


def rules_to_text(rules: HouseRules) -> str:
    """House rules -> JSON of every key: a game plays on by the rules it was made with, whatever the presets become."""
    return json.dumps(asdict(rules), ensure_ascii=False)


def rules_from_text(text: str) -> HouseRules:
    """What :func:`rules_to_text` wrote -> the house rules; a key that is younger than the game has its default."""
    known = {f.name for f in fields(HouseRules)}
    return HouseRules(**{key: _tuples(value) for key, value in json.loads(text).items() if key in known})


def _tuples(data: Any) -> Any:
    return tuple(_tuples(d) for d in data) if isinstance(data, list) else data


def end_to_text(end: GameEnd) -> str:
    """How a game ended -> JSON."""
    return json.dumps(_end_out(end), ensure_ascii=False)


def end_from_text(text: str) -> GameEnd:
    """What :func:`end_to_text` wrote -> GameEnd."""
    return end_from_dict(json.loads(text))


def end_from_dict(data: Mapping[str, Any]) -> GameEnd:
    """The dict of :func:`end_to_text` -> GameEnd."""
    return GameEnd(data["ended_by"], tuple(data["winners"]), dict(data["counts"]))


def _end_out(end: GameEnd) -> dict[str, Any]:
    return {"ended_by": end.ended_by, "winners": list(end.winners), "counts": dict(end.counts)}


def unit_out(unit: Unit) -> dict[str, str]:
    """``{"power", "type", "at"}``, as in ``judge adjudicate``."""
    return {"power": unit.power, "type": unit.type, "at": unit.at}


def _unit_in(data: Mapping[str, Any]) -> Unit:
    return Unit(data["power"], data["type"], data["at"])


def position_out(position: Position) -> dict[str, Any]:
    """A position -> JSON values."""
    return {
        "phase": str(position.phase),
        "units": [unit_out(u) for u in position.units],
        "owners": dict(position.owners),
        "dislodged": [_dislodged_out(d) for d in position.dislodged],
        "contested": sorted(position.contested),
    }


def _position_in(data: Mapping[str, Any]) -> Position:
    return Position(
        phase=Phase.parse(data["phase"]),
        units=tuple(_unit_in(u) for u in data["units"]),
        owners=dict(data["owners"]),
        dislodged=tuple(_dislodged_in(d) for d in data["dislodged"]),
        contested=frozenset(data["contested"]),
    )


def _dislodged_out(dislodged: Dislodged) -> dict[str, Any]:
    return {
        **unit_out(dislodged.unit),
        "attacked_from": dislodged.attacked_from,
        "by_convoy": dislodged.by_convoy,
        "retreats": list(dislodged.retreats),
    }


def _dislodged_in(data: Mapping[str, Any]) -> Dislodged:
    return Dislodged(_unit_in(data), data["attacked_from"], data["by_convoy"], tuple(data["retreats"]))


def reason_out(reason: Reason) -> dict[str, Any]:
    """A reason -> ``{"code", "args", "rule"}``."""
    return {"code": reason.code, "args": {k: arg_out(v) for k, v in reason.args.items()}, "rule": reason.rule}


def outcome_out(outcome: Outcome) -> dict[str, Any]:
    """What came of an order -> JSON values; the order in canonical form."""
    return {
        "power": outcome.power,
        "order": None if outcome.order is None else write(outcome.order),
        "unit": None if outcome.unit is None else unit_out(outcome.unit),
        "result": str(outcome.result),
        "reason": reason_out(outcome.reason),
        "dislodged": outcome.dislodged,
        "filled_in": outcome.filled_in,
    }


def outcome_in(data: Mapping[str, Any], board: Board) -> Outcome:
    """What :func:`outcome_out` made -> the outcome."""
    reason = data["reason"]
    return Outcome(
        power=data["power"],
        order=None if data["order"] is None else parse_canonical(data["order"], board),
        unit=None if data["unit"] is None else _unit_in(data["unit"]),
        result=Result(data["result"]),
        reason=Reason(reason["code"], {k: arg_in(v) for k, v in reason["args"].items()}, reason["rule"]),
        dislodged=data["dislodged"],
        filled_in=data["filled_in"],
    )


def arg_out(arg: Arg) -> Any:
    """An argument of a reason -> what JSON can hold."""
    if isinstance(arg, Unit):
        return unit_out(arg)
    if isinstance(arg, tuple):
        return [arg_out(a) for a in arg]
    return arg


def arg_in(data: Any) -> Any:
    """What :func:`arg_out` made -> the argument."""
    if isinstance(data, dict):
        return _unit_in(data)
    if isinstance(data, list):
        return tuple(arg_in(d) for d in data)
    return data
