"""Orders that a mail program wrapped, or that people broke after an arrow; and lines that must stay apart."""

from __future__ import annotations

import textwrap

import pytest

from judge.notation import Context, read_lines, write

PROSE = (
    "My orders are: fleet Brest moves to the English Channel, army Paris moves to Burgundy and army Marseilles moves to"
    " Spain."
)
WHOLE = ["F BRE-ENG", "A PAR-BUR", "A MAR-SPA"]


def orders(lines: list[str], context: Context) -> list[str]:
    return [write(order) for order in read_lines(lines, context).orders]


@pytest.mark.parametrize("width", [60, 65, 68, 70, 72, 74, 76, 78, 80])
def test_a_sentence_may_be_wrapped_anywhere(situations: dict[str, Context], width: int) -> None:
    readings = read_lines(textwrap.wrap(PROSE, width), situations["fra"])
    assert sorted(write(order) for order in readings.orders) == sorted(WHOLE)
    assert not any(reading.problems for reading in readings)


@pytest.mark.parametrize(
    "lines",
    [
        ["A Par -", "Bur"],
        ["A Par ->", "Bur"],
        ["Army Paris moves to the", "Burgundy"],
        ["A Paris to", "Burgundy"],
    ],
)
def test_a_line_that_goes_on_may_be_broken_by_hand(situations: dict[str, Context], lines: list[str]) -> None:
    assert orders(lines, situations["fra"]) == ["A PAR-BUR"]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["A Par -", "A Mar - Spa"], ["A MAR-SPA"]),
        (["A Par -", "", "Bur"], []),
        (["A Par to", "Burgundy, or perhaps not"], []),
        (["F Bre", "Mao"], []),
        (["A Mar S", "A Par - Bur"], ["A PAR-BUR"]),
        (["A Par -", "Bur", "A Mar - Spa"], ["A PAR-BUR", "A MAR-SPA"]),
    ],
)
def test_lines_that_say_something_by_themselves_stay_apart(
    situations: dict[str, Context], lines: list[str], wanted: list[str]
) -> None:
    assert orders(lines, situations["fra"]) == wanted
