"""Answers to commands: each has an example (data/answers/*.json), which the tests of all mails render in every language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.mail.verbs import VERBS
from judge.render import answers, verbwords
from judge.render.layout import WIDTH, grid, width

EXAMPLES = [
    row for file in (Path(__file__).parent / "data/answers").glob("*.json") for row in json.loads(file.read_text("utf-8"))
]


@pytest.mark.parametrize("code", answers.WRITERS)
def test_every_answer_has_an_example(code: str) -> None:
    assert any(row["code"] == code for row in EXAMPLES)


def test_every_verb_is_in_the_manual() -> None:
    assert set(verbwords.WORDS) == {verb.name for verb in VERBS}


@pytest.mark.parametrize("role", ["player", "master", "anyone"])
def test_the_chapters_of_the_manual_are_those_that_have_verbs(role: str) -> None:
    there = {verb.topic for verb in VERBS if role in verb.who}
    assert verbwords.CHAPTERS[role] == tuple(topic for topic in verbwords.TOPICS if topic in there)


def test_a_wide_table_goes_on_below() -> None:
    head = ["", *map(str, range(1901, 1921))]
    lines = grid(head, [["Österreich", *map(str, range(20))], ["日本", *["·"] * 20]])
    assert max(map(width, lines)) <= WIDTH
    assert lines.count("") == 1
    assert "\n".join(lines).count("Österreich") == 2
    assert "1901" in lines[0] and "1920" in lines[4]
