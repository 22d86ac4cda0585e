"""Columns, wrapping and tidying, in scripts of one and of two columns a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.render.layout import beside, full_end, harmless, one_line, pad, tidy, width, wrap

TEXT = st.text(st.sampled_from("ab -A.,()“”。、）（海軍パリ山ー１\u0301é"), max_size=300)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Paris", 5), ("パリ", 4), ("e\u0301", 1), ("“x”", 3), ("", 0), ("ﾊﾟﾘ", 3), ("Ａ", 2)],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_pad() -> None:
    assert pad("パリ", 6) == "パリ  "
    assert pad("12", 5, right=True) == "   12"
    assert pad("longer", 3) == "longer"


@given(TEXT, st.integers(20, 90), st.integers(0, 10))
def test_no_line_is_wider_and_nothing_is_lost(text: str, columns: int, indent: int) -> None:
    lines = wrap(text, columns, " " * indent)
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXT)
def test_tidy_twice_is_tidy_once(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once
    assert all(width(line) <= 72 for line in once.split("\n"))


@given(st.text(max_size=200), st.integers(10, 80))
def test_one_line_is_one_safe_line(text: str, columns: int) -> None:
    line = one_line(text, columns)
    assert width(line) <= columns
    assert line.splitlines() in ([line], [])
    line.encode()
    assert one_line(line, columns) == line


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("これは、とても長い文です。", ["これは、とても", "長い文です。"]),
        ("「括弧」の前では折る", ["「括弧」の前で", "は折る"]),
        ("A パリ - ブルゴーニュ", ["A パリ - ブル", "ゴーニュ"]),
    ],
    ids=["full stop stays", "bracket stays", "long mark stays"],
)
def test_east_asian_lines_break_where_they_may(text: str, lines: list[str]) -> None:
    assert wrap(text, 14) == lines


def test_hanging() -> None:
    assert wrap("one two three", 10, "- ") == ["- one two", "  three"]
    assert wrap("one two three", 12, "  ", "      ") == ["  one two", "      three"]


def test_a_word_without_end_is_cut() -> None:
    assert wrap("x" * 25, 10, "  ") == ["  " + "x" * 8, "  " + "x" * 8, "  " + "x" * 8, "  x"]


@pytest.mark.parametrize("columns", range(24, 60))
def test_a_quotation_stays_with_the_word_before_it(columns: int) -> None:
    text = "to answer, you write “Paris - Burgundy” or “Paris hold”, as you like; 例えば「パリ - ピカルディ」と書く"
    for line in wrap(text, columns):
        assert line.count("“") == line.count("”") and line.count("「") == line.count("」")
        assert not line.startswith(("“", "「"))


def test_no_short_last_line() -> None:
    text = "armies stand in Brest, Belgium, Burgundy, Gascony, Picardy, Spain and Mid-Atlantic Ocean"
    assert wrap(text, 72)[-1] == "Mid-Atlantic Ocean"
    whole = tidy("\n".join(wrap(full_end(text), 72)))
    assert whole.split("\n")[1] == "Picardy, Spain and Mid-Atlantic Ocean"
    assert full_end("short") == "short"


def test_beside() -> None:
    assert beside("A Paris - Burgundy", "went in") == "  A Paris - Burgundy                went in"
    assert beside("A Marseilles S A Paris - Burgundy by", "given") == "  A Marseilles S A Paris - Burgundy by  given"
    long = beside("A Marseilles S A Paris - Burgundy by", "given by somebody who wrote a long sentence")
    assert long == "  A Marseilles S A Paris - Burgundy by\n      given by somebody who wrote a long sentence"
    assert beside("alone", "") == "  alone"


def test_harmless_keeps_lines() -> None:
    assert harmless("a\x00b\nc\u202ed\r\n") == "ab\ncd\n"
