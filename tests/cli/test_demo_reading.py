"""What the players of the demonstration write is what the judge reads: every style, every list, every letter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from judge.cli.demo.letters import Letter
from judge.cli.demo.mistakes import units_of
from judge.cli.demo.recording import RecordedPhase, load
from judge.cli.demo.rules import house_rules
from judge.cli.demo.script import write_script
from judge.cli.demo.spelling import BY_NAME, STYLES, Style, Writer
from judge.mail.commands import find_commands
from judge.notation import Context, Reading, parse_canonical, read_lines, write
from judge.resources import data_dir
from judge.rules import adjudicate
from judge.rules.outcome import GivenOrder
from judge.rules.position import Position, starting_position
from judge.variants import load_board
from judge.variants.names import load_names

#: so many orders of the game are written in each style, spread over all of it
SAMPLE = 40


@cache
def recorded() -> tuple[RecordedPhase, ...]:
    return load(data_dir("games") / "examples" / "game-to-1910.jsonl.gz")


@cache
def positions() -> Mapping[str, Position]:
    board, rules = load_board(), house_rules()
    position = starting_position(board)
    found = {}
    for phase in recorded():
        found[phase.phase] = position
        given = [GivenOrder(power, parse_canonical(text, board)) for power, text in phase.orders]
        position = adjudicate(board, position, given, rules).position
    return found


def _read(lines: list[str], phase: str, power: str) -> list[Reading]:
    board = load_board()
    return list(read_lines(lines, Context(board, load_names(board.name), positions()[phase], power, house_rules())))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name.replace(" ", "-"))
def test_orders_in_every_style_read_as_they_were_meant(style: Style) -> None:
    board = load_board()
    everything = [(phase, power, text) for phase in recorded() for power, text in phase.orders]
    # all that is rare, and some of what is not
    rare = [one for one in everything if one[0].kind != "M" or " C " in one[2] or "VIA" in one[2] or "/" in one[2]]
    step = max(1, len(rare) // SAMPLE)
    chosen = [*rare[::step], *everything[:: len(everything) // SAMPLE]]
    for phase, power, text in chosen:
        writer = Writer(board, style, power, {u.province: u.power for u in units_of(phase)})
        kind = phase.kind
        for nation in (False, True):
            line = writer.write(parse_canonical(text, board), retreat=kind == "R", remove=kind == "A", nation=nation)
            (reading,) = _read([line], phase.phase, power)
            assert (reading.kind, [_loose(write(o)) for o in reading.orders]) == ("order", [_loose(text)]), line


def _loose(text: str) -> str:
    """Canonical text without what need not be written: the coast of a unit that stands there, or is supported there."""
    unit, _, rest = text.partition("-") if " S " not in text else (text, "", "")
    return unit.replace("/NC", "").replace("/SC", "").replace("/EC", "") + ("-" + rest if rest else "")


@pytest.mark.parametrize("form", ["{}. ", "{}) ", "- ", "* "])
@pytest.mark.parametrize("number", [1, 2, 9, 10, 11, 14, 17])
def test_an_order_in_a_list_is_read_whatever_its_number(form: str, number: int) -> None:
    (reading,) = _read([form.format(number) + "A Par -> Gas"], "S1901M", "France")
    assert [write(order) for order in reading.orders] == ["A PAR-GAS"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1910, 3, 4])
def test_the_letters_of_a_whole_game_lead_to_the_recorded_orders(seed: int) -> None:
    """The last order of each unit over all letters in time is the recorded one; faults are told, nothing else is."""
    script = write_script(recorded(), load_board(), house_rules(), seed)
    for turn, phase in zip(script, recorded(), strict=False):
        held: dict[tuple[str, str], str] = {}
        for letter in turn.letters:
            if letter.about == turn.phase and letter.kind in ("orders", "wrong", "correction", "cleared", "faulty"):
                _file(letter, held)
        wanted = {(power, text) for power, text in phase.orders if text not in turn.missing}
        if phase.kind != "A":
            assert {(power, _loose(text)) for (power, _), text in held.items()} == {(p, _loose(t)) for p, t in wanted}
        else:
            assert {(power, text) for (power, _), text in held.items()} >= wanted


def _file(letter: Letter, held: dict[tuple[str, str], str]) -> None:
    commands, lines = find_commands(letter.lines)
    if any(command.name == "CLEAR" for command in commands):
        for key in [key for key in held if key[0] == letter.power]:
            del held[key]
    told = []
    for reading in _read(list(lines), letter.about, letter.power):
        if reading.problems:
            told.append(reading.line.strip())
            continue
        for order in reading.orders:
            text = write(order)
            held[letter.power, text.split()[1].split("-")[0].split("/")[0]] = text
    assert told == list(letter.faults), letter


def test_every_player_writes_in_styles_that_there_are() -> None:
    assert {style.name for style in STYLES} == set(BY_NAME)
