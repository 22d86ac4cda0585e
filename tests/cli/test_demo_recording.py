"""The recorded game of the demonstration: it is whole, it is what the engine makes of it, and any difference is named."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from judge.cli.demo.recording import RecordedPhase, Snapshot, differences, load, snapshot
from judge.cli.demo.rules import house_rules
from judge.errors import BadInput
from judge.notation import parse_canonical
from judge.resources import data_dir
from judge.rules import adjudicate
from judge.rules.houserules import HouseRules
from judge.rules.outcome import GameEnd, GivenOrder
from judge.rules.position import Position, starting_position
from judge.variants import load_board, load_rules

RECORDING = data_dir("games") / "examples" / "game-to-1910.jsonl.gz"


@pytest.fixture(scope="module")
def recorded() -> tuple[RecordedPhase, ...]:
    return load(RECORDING)


def _play(recorded: tuple[RecordedPhase, ...], rules: HouseRules) -> tuple[list[str], GameEnd | None]:
    """The faults of playing a recording through the engine, and how it ended."""
    board = load_board()
    position: Position = starting_position(board)
    faults: list[str] = []
    end = None
    for one in recorded:
        if str(position.phase) != one.phase:
            return [*faults, f"{position.phase} instead of {one.phase}"], end
        given = [GivenOrder(power, parse_canonical(text, board)) for power, text in one.orders]
        result = adjudicate(board, position, given, rules)
        position, end = result.position, result.end
        faults += [f"{one.phase}: {fault}" for fault in differences(one, snapshot(position))]
    return faults, end


def test_the_engine_plays_the_game_as_recorded_and_it_ends_in_1910(recorded: tuple[RecordedPhase, ...]) -> None:
    faults, end = _play(recorded, house_rules())
    assert faults == []
    assert end is not None
    assert (end.winners, end.counts["France"]) == (("France",), 15)


def test_the_game_is_played_by_the_standard_rules_to_the_end_of_japan_1910() -> None:
    rules, standard, japan = house_rules(), load_rules("standard"), load_rules("japan-1910")
    keys = [key.name for key in dataclasses.fields(rules) if key.name != "name"]
    for key in keys:
        assert getattr(rules, key) == getattr(japan if key.startswith("victory_") else standard, key), key
    assert (rules.victory_end_turn, rules.victory_end_counts) == ("F1910", "units")


def test_under_the_rest_of_japan_1910_it_comes_out_otherwise_so_the_standard_rules_are_played(
    recorded: tuple[RecordedPhase, ...],
) -> None:
    # JP-21: retreats into provinces left empty by a stand-off are allowed there; the recorded players were not offered them
    faults, _ = _play(recorded, load_rules("japan-1910"))
    assert "S1908M: Germany F den dislodged: may go to hel, swe, recorded may go to hel" in faults


BEFORE = Snapshot(frozenset({"France A par"}), {"par": "France"})
AFTER = Snapshot(
    frozenset({"France A bur", "Italy A ven"}),
    {"par": "France", "ven": "Italy"},
    {"Austria A tri": ("alb", "vie")},
    frozenset({"tyr"}),
)
PHASE = RecordedPhase("S1902M", (("France", "A PAR-BUR"),), BEFORE, AFTER)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param({}, [], id="the-same"),
        pytest.param({"units": frozenset({"France A bur"})}, ["no Italy A ven"], id="a-unit-is-missing"),
        pytest.param({"units": AFTER.units | {"France F bre"}}, ["France F bre is one too many"], id="a-unit-too-many"),
        pytest.param(
            {"units": frozenset({"France F bur", "Italy A ven"})},
            ["no France A bur", "France F bur is one too many"],
            id="another-kind-of-unit",
        ),
        pytest.param({"dislodged": {}}, ["Austria A tri dislodged: not, recorded may go to alb, vie"], id="not-dislodged"),
        pytest.param(
            {"dislodged": {"Austria A tri": ("vie",)}},
            ["Austria A tri dislodged: may go to vie, recorded may go to alb, vie"],
            id="another-retreat",
        ),
        pytest.param(
            {"owners": {"par": "France", "ven": "France"}}, ["ven belongs to France, recorded Italy"], id="another-owner"
        ),
        pytest.param({"owners": {"par": "France"}}, ["ven belongs to nobody, recorded Italy"], id="no-owner"),
        pytest.param({"contested": frozenset()}, ["stand-offs in [], recorded ['tyr']"], id="no-stand-off"),
    ],
)
def test_what_differs_is_named(change: dict[str, object], fault: list[str]) -> None:
    assert differences(PHASE, dataclasses.replace(AFTER, **change)) == fault  # type: ignore[arg-type]


def test_a_unit_that_may_go_nowhere_need_not_be_there_any_more() -> None:
    doomed = dataclasses.replace(AFTER, dislodged={"Austria A tri": ()}, contested=frozenset({"tyr"}))
    played = dataclasses.replace(AFTER, dislodged={}, contested=frozenset())
    assert differences(dataclasses.replace(PHASE, after=doomed), played) == []


GOOD = {
    "phase": "S1901M",
    "units": [{"power": "France", "type": "A", "at": "par"}],
    "centres": {"France": ["par"]},
    "dislodged": [],
    "orders": [{"power": "France", "text": "A PAR-BUR"}],
    "results": {"positions_after": [{"power": "France", "type": "A", "at": "bur"}]},
}


def test_a_plain_file_is_read_like_a_packed_one(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(GOOD) + "\n\n", encoding="utf-8")
    (one,) = load(file)
    assert (one.phase, one.orders_of("France"), one.after.units) == ("S1901M", ("A PAR-BUR",), {"France A bur"})


@pytest.mark.parametrize(
    ("text", "where"),
    [
        pytest.param("", "game.jsonl: holds no phase", id="empty"),
        pytest.param("{", "game.jsonl:1: ", id="no-json"),
        pytest.param(json.dumps(GOOD) + "\n[]", "game.jsonl:2: ", id="no-object"),
        pytest.param(json.dumps(GOOD | {"phase": "X1"}), "game.jsonl:1: ", id="no-phase"),
        pytest.param(json.dumps({k: v for k, v in GOOD.items() if k != "orders"}), "game.jsonl:1: ", id="no-orders"),
    ],
)
def test_a_bad_recording_is_named_by_file_and_line(tmp_path: Path, text: str, where: str) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=where.replace(".", r"\.")):
        load(file)


def test_a_broken_archive_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl.gz"
    file.write_bytes(RECORDING.read_bytes()[:2000])
    with pytest.raises(BadInput, match="cannot be read"):
        load(file)
