"""Lines that were meant as commands and are none."""

from __future__ import annotations

import pytest

from judge.mail.commands import VERBS, misused, parse

MEANT = {
    "EXTEND forever": "EXTEND",
    "ABSENCE tomorrow": "ABSENCE",
    "ABSENCE 20 Dec - 27 Dec": "ABSENCE",
    "absence tomorrow": "ABSENCE",
    "Absence 20 Dec - 27 Dec": "ABSENCE",
    "> EXTEND because my mother is ill and I need a lot more time for it.": "EXTEND",
    "EXTEND: FOR AS LONG AS YOU CAN": "EXTEND",
    "extend forever": "EXTEND",
    "Deadline someday": "DEADLINE",
    "DEADLINE": "DEADLINE",
    "READY for the fight": "READY",
    "DRAW between us two": "DRAW",
    "NO DRAW for you": "NO DRAW",
    "PAUSE for a while": "PAUSE",
    "SET NO COMMENT please": "SET NO COMMENT",
}
TALK = [
    "draw your own conclusions",
    "Draw your own conclusions",
    "DRAW YOUR OWN CONCLUSIONS",
    "Show me what you have",
    "Wait for me",
    "Start without me",
    "Extend my greetings to everybody there",
    "Absence makes the heart grow fonder",
    "The deadline is near",
    "Ready or not, here I come",
    "ABSENCES 1",
    "A PAR - BUR",
    "F BRE H",
    "Paris - Burgundy",
    "HELP in a reply brings the manual",
    "EXTEND " + "and on " * 40,
    "",
]


@pytest.mark.parametrize(("line", "verb"), MEANT.items(), ids=MEANT)
def test_a_line_that_was_meant_as_a_command(line: str, verb: str) -> None:
    found = misused(line)
    assert found is not None and found.name == verb


@pytest.mark.parametrize("line", TALK)
def test_talk_and_orders_were_not(line: str) -> None:
    assert misused(line) is None


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb.name != "HELP"], ids=lambda verb: verb.name)
def test_every_verb_with_words_it_does_not_take_was_meant(verb) -> None:  # type: ignore[no-untyped-def]
    line = f"{verb.spellings[0].upper()} ~ like that, please"
    assert parse(line) is not None or misused(line) == verb
