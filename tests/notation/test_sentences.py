"""Every problem that the reader can report has a sentence, and ``judge parse`` says it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import judge.notation
from judge.cli import main
from judge.notation import Problem
from judge.render.problems import SENTENCES, sentence

ROW = {
    "id": 7,
    "phase": "S1901M",
    "power": "France",
    "units": [{"power": "France", "type": "A", "at": "par"}, {"power": "Germany", "type": "A", "at": "mun"}],
}
SOURCES = sorted(Path(judge.notation.__file__).parent.glob("*.py"))
CODES = sorted({code for path in SOURCES for code in re.findall(r'"(read\.[a-z-]+)"', path.read_text(encoding="utf-8"))})
ARGS: dict[str, Any] = {
    "place": "spa",
    "places": ("lvp", "lvn"),
    "coasts": ("spa/nc", "spa/sc"),
    "order": "A PAR-BUR",
    "orders": ("A PAR-BUR", "A PAR-PIC"),
    "power": "Germany",
    "word": "Xyz",
    "name": "Switzerland",
    "turn": "F1902",
    "most": 3000,
}


def test_codes_and_sentences_are_the_same_set() -> None:
    assert sorted(SENTENCES) == CODES


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_whole_sentence(code: str) -> None:
    named = re.findall(r"%\((\w+)\)s", SENTENCES[code])
    said = sentence(Problem(code, {name: ARGS[name] for name in named}))
    assert said[0].isupper() and said[-1] in ".?:" and "%" not in said


def parse(*rows: dict[str, Any] | str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and answers of ``judge parse``."""
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    result = CliRunner().invoke(main, ["parse"], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_parse_answers_in_the_shape_of_the_contract() -> None:
    code, answers = parse({**ROW, "line": "Army Paris to Burgundy"}, {**ROW, "line": "A Par-But"}, {**ROW, "line": "hello"})
    assert code == 0
    assert answers[0] == {"id": 7, "kind": "order", "read_as": ["A PAR-BUR"], "why": "", "suggestion": None}
    assert answers[1]["kind"] == "ambiguous" and answers[1]["suggestion"] == ["A PAR-BUR"] and answers[1]["why"]
    assert answers[2] == {"id": 7, "kind": "not-an-order", "read_as": [], "why": "", "suggestion": None}


def test_parse_says_why_an_order_is_void() -> None:
    _, (answer,) = parse({**ROW, "line": "A Par - Mun"})
    assert (answer["kind"], answer["read_as"]) == ("illegal", ["A PAR-MUN"])
    assert answer["why"].endswith(".")


def test_parse_goes_on_after_a_line_that_is_no_position() -> None:
    code, answers = parse("{", {"id": "x", "phase": "S1901X", "line": ""}, {**ROW, "line": "A Par H"})
    assert code == 1
    assert [("error" in a, a["id"]) for a in answers] == [(True, None), (True, "x"), (False, 7)]


def test_parse_takes_a_power_in_any_case_and_rules_by_name() -> None:
    fleet = {"power": "Turkey", "type": "F", "at": "bla"}
    row = {"id": 1, "phase": "F1902M", "power": "TURKEY", "rules": "japan-1910", "units": [fleet], "line": "F BLA-BUL/NC"}
    _, (answer,) = parse(row)
    assert answer["read_as"] == ["F BLA-BUL/EC"]
