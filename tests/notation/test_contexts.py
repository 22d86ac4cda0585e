"""Own lines of talk above and below orders: those that cast doubt on them, and those that must not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from judge.notation import Context, read_lines, write

TABLE = tomllib.loads((Path(__file__).parent / "data" / "contexts.toml").read_text(encoding="utf-8"))


def held(lines: list[str], context: Context) -> list[str]:
    return [write(order) for order in read_lines(lines, context).orders]


def asked(lines: list[str], context: Context) -> list[str]:
    """What is offered of lines of which nothing is taken."""
    return [text for r in read_lines(lines, context) if r.kind == "ambiguous" and not r.legal for text in r.suggestions]


@pytest.mark.parametrize("talk", TABLE["fine"])
def test_greetings_and_comments_change_nothing(talk: str, situations: dict[str, Context]) -> None:
    orders = ["A Par - Bur", "F Bre - MAO"]
    for lines in ([talk, *orders], [talk, "", *orders], [*orders, talk], [*orders, "", talk]):
        assert held(lines, situations["fra"]) == ["A PAR-BUR", "F BRE-MAO"], lines


@pytest.mark.parametrize("talk", TABLE["below"])
def test_what_follows_is_asked_about(talk: str, situations: dict[str, Context]) -> None:
    assert held([talk, "A Par - Bur"], situations["fra"]) == []
    assert asked([talk, "A Par - Bur"], situations["fra"]) == ["A PAR-BUR"]
    assert held(["F Bre - MAO", "", talk, "A Par - Bur"], situations["fra"]) == ["F BRE-MAO"]


@pytest.mark.parametrize("talk", TABLE["above"])
def test_what_stands_above_is_asked_about(talk: str, situations: dict[str, Context]) -> None:
    assert held(["A Par - Bur", talk], situations["fra"]) == []
    assert asked(["A Par - Bur", talk], situations["fra"]) == ["A PAR-BUR"]


@pytest.mark.parametrize("name", TABLE["mails"])
def test_whole_texts(name: str, situations: dict[str, Context]) -> None:
    row = TABLE["mails"][name]
    lines = row["text"].split("\n")
    assert held(lines, situations["fra"]) == row["orders"]
    assert asked(lines, situations["fra"]) == row["asked"]


@pytest.mark.parametrize("line", ["# A Par - Bur", "// A Par - Bur", "#" * 40 + " A Par - Bur", "※ A Par - Bur"])
def test_an_order_in_a_comment_is_told(line: str, situations: dict[str, Context]) -> None:
    found = read_lines([line], situations["fra"])[0]
    assert ([p.code for p in found.problems], found.suggestions) == (["read.comment"], ("A PAR-BUR",))


@pytest.mark.parametrize("line", ["# thanks", "//", "####", "#1", "# " * 1400 + "A Par - Bur?"])
def test_other_comments_are_none(line: str, situations: dict[str, Context]) -> None:
    assert not read_lines([line], situations["fra"]).orders


PAIRS = {
    "German": ("Falsch: A Par - Bur", "Richtig: A Mar - Bur"),
    "French": ("Faux : A Par - Bur", "Correct : A Mar - Bur"),
    "Spanish": ("Incorrecto: A Par - Bur", "Correcto: A Mar - Bur"),
    "Italian": ("Sbagliato: A Par - Bur", "Giusto: A Mar - Bur"),
    "Japanese": ("誤：陸軍パリ→ブルゴーニュ", "正：陸軍マルセイユ→ブルゴーニュ"),
    "Chinese": ("错误：A巴黎-勃艮第", "正确：A马赛-勃艮第"),
    "English": ("wrong: A Par - Bur", "right: A Mar - Bur"),
}


@pytest.mark.parametrize("language", PAIRS)
def test_of_wrong_and_right_the_right_one_counts(language: str, situations: dict[str, Context]) -> None:
    readings = read_lines(PAIRS[language], situations["fra"])
    assert [write(order) for order in readings.orders] == ["A MAR-BUR"]
    assert "A PAR-BUR" in readings[0].suggestions
    assert readings[0].problems


@pytest.mark.parametrize("line", ["A Par: Bur", "A Par/Bur", "A Par = Bur", "A Bur ← Par", "A Bur <- A Par"])
def test_another_sign_for_the_arrow_is_offered(line: str, situations: dict[str, Context]) -> None:
    found = read_lines([line], situations["fra"])[0]
    assert (found.legal, found.suggestions) == ((), ("A PAR-BUR",))
    assert [problem.code for problem in found.problems] == ["read.no-order"]
    assert found.kind == ("ambiguous" if "←" in line else "not-an-order")


@pytest.mark.parametrize("turn", ["Fall 1900", "Spring 1899:", "S1900M", "1900年秋", "Herbst 1900"])
def test_a_turn_before_the_first_is_none_of_this_game(turn: str, situations: dict[str, Context]) -> None:
    found = read_lines([turn, "A Par - Bur"], situations["fra"])
    assert not found.orders
    assert found[1].suggestions == ("A PAR-BUR",)


@pytest.mark.parametrize("line", ["A Par - Bur (scratch that)", "A Par - Bur (doch nicht)", "A Par - Bur (算了)"])
def test_a_bracket_that_takes_back(line: str, situations: dict[str, Context]) -> None:
    assert not read_lines([line], situations["fra"]).orders
