"""Positions to read lines in: from the rows of the handed table, and by name from ``data/situations.json``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.notation import Context
from judge.rules import retreats
from judge.rules.board import Board, Unit, province_of
from judge.rules.position import Dislodged, Phase, Position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

DATA = Path(__file__).parent / "data"
Row = Mapping[str, Any]


def _units(rows: Iterable[Row]) -> tuple[Unit, ...]:
    return tuple(Unit(row["power"], row["type"], row["at"]) for row in rows)


def _context(row: Row) -> Context:
    """The context of a row in the shape of ``judge parse``."""
    board: Board = load_board("standard")
    rules = load_rules(row.get("rules") or "standard", board)
    units = _units(row["units"])
    owners = {centre: power for power, centres in row.get("centres", {}).items() for centre in centres}
    contested = frozenset(row.get("contested", ()))
    occupied = {unit.province for unit in units}
    fallen = []
    for entry in row.get("dislodged", ()):
        unit = Unit(entry["power"], entry["type"], entry["at"])
        options = retreats.options(board, unit, province_of(entry["attacked_from"]), False, occupied, contested, rules)
        fallen.append(Dislodged(unit, entry["attacked_from"], False, options))
    position = Position(Phase.parse(row["phase"]), units, owners, tuple(fallen), contested)
    return Context(board, load_names("standard"), position, row["power"], rules)


def _listed(text: str) -> list[dict[str, str]]:
    """``"France: F bre, A mar < bur; Germany: A mun"`` -> rows of units."""
    rows = []
    for part in filter(None, text.split(";")):
        power, _, units = part.partition(":")
        for unit in units.split(","):
            unit, _, attacker = unit.partition("<")
            type_, at = unit.split()
            rows.append({"power": power.strip(), "type": type_, "at": at, "attacked_from": attacker.strip()})
    return rows


@pytest.fixture(scope="session")
def context_of() -> Callable[[Row], Context]:
    """Row of a table -> the context to read its line in."""
    return _context


@pytest.fixture(scope="session")
def situations() -> dict[str, Context]:
    """Name -> context, for all of ``data/situations.json``."""
    named = json.loads((DATA / "situations.json").read_text(encoding="utf-8"))
    return {
        name: _context({**row, "units": _listed(row["units"]), "dislodged": _listed(row.get("dislodged", ""))})
        for name, row in named.items()
    }


@pytest.fixture(scope="session")
def everywhere(situations: dict[str, Context]) -> Context:
    """A movement in which nobody asks whose unit it is."""
    return replace(situations["fra"], power=None)
