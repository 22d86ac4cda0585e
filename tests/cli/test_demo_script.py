"""The script of the demonstration: the same for the same seed, everything that goes wrong is in it, nothing counts twice."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import get_args

import pytest

from judge.cli.demo.cast import PLAYERS
from judge.cli.demo.letters import OUTCOMES, REFUSED, Kind, Turn
from judge.cli.demo.recording import RecordedPhase, load
from judge.cli.demo.rules import house_rules
from judge.cli.demo.script import DAY, write_script
from judge.cli.demo.shapes import SHAPES
from judge.resources import data_dir
from judge.variants import load_board

RULES = house_rules()
SEEDS = (0, 1, 1910, 77777)


@pytest.fixture(scope="module")
def recorded() -> tuple[RecordedPhase, ...]:
    return load(data_dir("games") / "examples" / "game-to-1910.jsonl.gz")


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed-{seed}")
def turns(request: pytest.FixtureRequest, recorded: tuple[RecordedPhase, ...]) -> tuple[Turn, ...]:
    return write_script(recorded, load_board(), RULES, request.param)


def test_the_same_seed_gives_the_same_letters(recorded: tuple[RecordedPhase, ...]) -> None:
    board = load_board()
    assert write_script(recorded, board, RULES, 7) == write_script(recorded, board, RULES, 7)
    assert write_script(recorded, board, RULES, 7) != write_script(recorded, board, RULES, 8)


def test_everything_that_can_happen_happens(turns: tuple[Turn, ...]) -> None:
    letters = [letter for turn in turns for letter in turn.letters]
    kinds = Counter(letter.kind for letter in letters)
    assert set(kinds) == set(get_args(Kind)), "a kind of letter never came up"
    assert {letter.program for letter in letters if letter.kind not in REFUSED} == set(SHAPES)
    assert {letter.power for letter in letters} == set(PLAYERS)
    assert any(letter.copies == 2 for letter in letters)
    assert sum(len(turn.missing) for turn in turns) > 5
    assert kinds["faulty"] > 20 and kinds["correction"] > 20 and kinds["late"] > 10
    assert any(turn.phase.endswith("R") and turn.letters for turn in turns)
    assert any(turn.phase.endswith("A") and turn.letters for turn in turns)


def test_each_kind_of_letter_has_its_outcome() -> None:
    assert set(get_args(Kind)) == set(OUTCOMES) | REFUSED


def test_letters_are_sent_in_order_and_before_the_deadline(turns: tuple[Turn, ...]) -> None:
    for turn in turns:
        moments = [letter.at for letter in turn.letters]
        assert moments == sorted(moments)
        assert all(timedelta() < at < DAY for at in moments)


def test_a_late_letter_answers_an_earlier_phase_and_says_so(turns: tuple[Turn, ...]) -> None:
    late = [(turn, letter) for turn in turns for letter in turn.letters if letter.kind in ("late", "over")]
    assert late
    for turn, letter in late:
        assert letter.about != turn.phase
        assert letter.program != "The Bat!", "that program names no mail that it answers"


def test_no_two_letters_of_a_player_are_written_at_once(turns: tuple[Turn, ...]) -> None:
    # of two mails with one Date the judge could not tell which is newer
    for turn in turns:
        counts = Counter((letter.power, letter.at - letter.written_before) for letter in turn.letters)
        assert set(counts.values()) <= {1}


def test_no_power_sends_orders_that_has_none_to_send(turns: tuple[Turn, ...], recorded: tuple[RecordedPhase, ...]) -> None:
    for turn, phase in zip(turns, recorded, strict=False):
        senders = {letter.power for letter in turn.letters if letter.kind not in ("late", "over")}
        assert senders <= {power for power, _ in phase.orders}
