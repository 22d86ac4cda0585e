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
