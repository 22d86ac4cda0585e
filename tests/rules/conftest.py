"""What the tests of the rules share: a bench on which a position with orders is adjudicated in one line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.notation import parse_canonical
from judge.rules import adjudicate, retreats
from judge.rules.board import Board, Unit
from judge.rules.houserules import STANDARD, HouseRules, keys
from judge.rules.outcome import Adjudication, GivenOrder
from judge.rules.position import Dislodged, Phase, Position
from judge.variants import load_board, load_rules

_DATA = Path(__file__).parent / "data"


class Bench:
    """A board, and short ways to write what stands on it and what is ordered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.powers = {power[:3]: power for power in board.powers} | {power.lower(): power for power in board.powers}

    def unit(self, data: Mapping[str, Any]) -> Unit:
        """``{"power", "type", "at"}`` -> unit"""
        return Unit(self.powers[data["power"].lower()], data["type"], data["at"].lower())

    def position(self, row: Mapping[str, Any], rules: HouseRules = STANDARD) -> Position:
        """A row in the shape of ``judge adjudicate`` -> position, with the retreats that the rules give."""
        units = tuple(self.unit(u) for u in row["units"])
        owners = {c: self.powers[p.lower()] for p, centres in (row.get("centres") or {}).items() for c in centres}
        contested = frozenset(row.get("contested") or ())
        occupied = {unit.province for unit in units}
        dislodged = []
        for data in row.get("dislodged") or ():
            unit, origin = self.unit(data), data.get("attacked_from") or ""
            options = retreats.options(self.board, unit, origin, not origin, occupied, contested, rules)
            dislodged.append(Dislodged(unit, origin, not origin, options))
        return Position(Phase.parse(row["phase"]), units, owners, tuple(dislodged), contested)

    def parse(self, text: str) -> Any:
        """Canonical text -> order"""
        return parse_canonical(text, self.board)

    def run(self, row: Mapping[str, Any], rules: HouseRules = STANDARD) -> Adjudication:
        """Adjudicate a row."""
        given = [GivenOrder(self.powers[o["power"].lower()], parse_canonical(o["text"], self.board)) for o in row["orders"]]
        return adjudicate(self.board, self.position(row, rules), given, rules)

    def fight(
        self, orders: Mapping[str, str], rules: HouseRules = STANDARD, phase: str = "S1901M", silent: str = ""
    ) -> Adjudication:
        """Adjudicate a movement written as ``{"Ger": "A MUN-BUR, A BER S A SIL-MUN"}``.

        The units are those that are ordered, besides ``silent`` ones (``"Fra A BUR"``).
        """
        given = [
            GivenOrder(self.powers[power], parse_canonical(text.strip(), self.board))
            for power, texts in orders.items()
            for text in texts.split(",")
            if text.strip()
        ]
        units: dict[str, Unit] = {}
        for entry in given:
            order: Any = entry.order
            unit = Unit(entry.power, order.type, order.at)
            units.setdefault(unit.province, unit)
        for text in filter(None, silent.split(", ")):
            power, type_, at = text.split()
            silent_unit = Unit(self.powers[power], type_, at.lower())  # type: ignore[arg-type]
            units[silent_unit.province] = silent_unit
        position = Position(Phase.parse(phase), tuple(units.values()))
        return adjudicate(self.board, position, given, rules)

    @staticmethod
    def told(result: Adjudication) -> str:
        """``"Eng A lon, Fra F eng / Eng F eng > iri wal"``: who stands where, and who was driven out and may go where."""
        units = ", ".join(sorted(f"{u.power[:3]} {u.type} {u.at}" for u in result.units))
        out = ", ".join(
            f"{d.unit.power[:3]} {d.unit.type} {d.unit.at}" + (f" > {' '.join(d.retreats)}" if d.retreats else "")
            for d in result.dislodged
        )
        return f"{units} / {out}" if out else units

    @staticmethod
    def turned(rules: HouseRules, key: str, value: Any) -> HouseRules:
        """The rules with one key (by its dotted name) turned."""
        return replace(rules, **{keys()[key].field: value})

    def preset(self, name: str, **changes: Any) -> HouseRules:
        """A preset, with some fields changed."""
        return replace(load_rules(name, self.board), **changes)


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench(load_board())


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The rows of ``data/NAME.jsonl.gz``."""
    with gzip.open(_DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a case, named by it: a DATC case, a recorded phase, a bug report."""
    if "datc" in metafunc.fixturenames:
        cases = json.loads((_DATA / "datc.json").read_text(encoding="utf-8"))["cases"]
        ids = [f"{case['id']}-{'+'.join(case['versions'])}-{number}" for number, case in enumerate(cases, 1)]
        metafunc.parametrize("datc", cases, ids=ids)
    if "recorded" in metafunc.fixturenames:
        found: list[dict[str, Any]] = [*rows("real"), *rows("selfplay")]
        ids = [f"{row['game']}-{row['phase']}-{number}" for number, row in enumerate(found, 1)]
        metafunc.parametrize("recorded", found, ids=ids)
    if "bug" in metafunc.fixturenames:
        lines = (_DATA / "adjudication_bugs.jsonl").read_text(encoding="utf-8").splitlines()
        bugs = [bug for bug in map(json.loads, lines) if isinstance(bug.get("orders"), dict)]
        metafunc.parametrize("bug", bugs, ids=[bug["id"] for bug in bugs])


@pytest.fixture(scope="session")
def datc_cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((_DATA / "datc.json").read_text(encoding="utf-8"))["cases"]
    return cases


@pytest.fixture(scope="session")
def recorded_games() -> list[dict[str, Any]]:
    """The phases of all recorded games."""
    return [*rows("real"), *rows("selfplay")]
