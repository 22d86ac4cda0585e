"""Positions, results and house rules come back from their stored text as they were."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from judge.notation import parse_canonical
from judge.resources import data_dir
from judge.rules import adjudicate
from judge.rules.board import Unit
from judge.rules.outcome import GivenOrder
from judge.rules.position import Dislodged, Phase, Position
from judge.store import codec
from judge.variants import load_board, load_rules, preset_names

RECORDING = Path(data_dir("games")) / "examples" / "game-to-1910.jsonl.gz"
PHASES = [json.loads(line) for line in gzip.decompress(RECORDING.read_bytes()).splitlines()]
BOARD = load_board("standard")


def position_of(phase: dict) -> Position:  # type: ignore[type-arg]
    return Position(
        phase=Phase.parse(phase["phase"]),
        units=tuple(Unit(u["power"], u["type"], u["at"]) for u in phase["units"]),
        owners={centre: power for power, centres in phase["centres"].items() for centre in centres},
        dislodged=tuple(
            Dislodged(Unit(d["power"], d["type"], d["at"]), d.get("attacked_from", ""), False, tuple(d.get("options", ())))
            for d in phase["dislodged"]
        ),
        contested=frozenset(phase.get("contested", ())),
    )


@pytest.mark.parametrize("phase", PHASES, ids=lambda p: p["phase"])
def test_positions_and_results_come_back(phase: dict) -> None:  # type: ignore[type-arg]
    position = position_of(phase)
    assert codec.position_from_text(codec.position_to_text(position)) == position
    given = [GivenOrder(o["power"], parse_canonical(o["text"], BOARD)) for o in phase["orders"]]
    result = adjudicate(BOARD, position, given, load_rules("standard"))
    assert codec.adjudication_from_text(codec.adjudication_to_text(result), BOARD) == result


@pytest.mark.parametrize("preset", preset_names())
def test_house_rules_come_back(preset: str) -> None:
    rules = load_rules(preset)
    assert codec.rules_from_text(codec.rules_to_text(rules)) == rules


def test_a_key_younger_than_the_game_has_its_default() -> None:
    stored = json.loads(codec.rules_to_text(load_rules("japan-1910")))
    del stored["convoy_route"]
    stored["no_longer_known"] = 1
    assert codec.rules_from_text(json.dumps(stored)) == load_rules("japan-1910")
