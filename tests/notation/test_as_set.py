"""Lines that can be read in two ways, singly and as a set (``orders.reading``, DATC 4.E.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.notation import Context, read_lines, write
from judge.rules.board import Unit
from judge.rules.houserules import STANDARD
from judge.rules.position import Phase, Position
from judge.variants import load_board
from judge.variants.names import load_names

BOARD = load_board()
NAMES = load_names(BOARD.name)

#: id -> (units of France, lines, what the first line is as part of the set; None: asked about under both values)
CASES: dict[str, tuple[str, list[str], str | None]] = {
    "support-names-the-coast": (
        "F MAO, F WES, A GAS",
        ["F MAO-SPA", "F WES S F MAO-SPA/SC", "A GAS H"],
        "F MAO-SPA/SC",
    ),
    "the-other-coast": ("F CON, F AEG", ["F CON-BUL", "F AEG S F CON-BUL/SC"], "F CON-BUL/SC"),
    "support-without-a-coast-settles-nothing": ("F MAO, A GAS", ["F MAO-SPA", "A GAS S F MAO-SPA"], None),
    "no-other-order-speaks-of-it": ("F MAO, F WES, A GAS", ["F MAO-SPA", "F WES H", "A GAS H"], None),
    "two-supports-that-differ": (
        "F MAO, F WES, F POR",
        ["F MAO-SPA", "F WES S F MAO-SPA/SC", "F POR S F MAO-SPA/NC"],
        None,
    ),
    "support-of-another-unit": ("F MAO, F LYO, F WES", ["F MAO-SPA", "F WES S F LYO-SPA/SC", "F LYO H"], None),
    "name-of-two-seas": ("F EDI, F NWG", ["F EDI-nor", "F NWG S F EDI-NTH"], "F EDI-NTH"),
    "name-of-two-seas-the-other-way": ("F EDI, F BAR", ["F EDI-nor", "F BAR S F EDI-NWG"], "F EDI-NWG"),
    "support-of-the-unit-that-stays": (
        "F NTH, F NWG, F EDI",
        ["F EDI S nor", "F NTH H", "F NWG-NAO"],
        "F EDI S F NTH",
    ),
    "both-units-stay": ("F NTH, F NWG, F EDI", ["F EDI S nor", "F NTH H", "F NWG H"], None),
    "the-unit-without-an-order": ("F NTH, F NWG, A PAR", ["F nor H", "F NTH H"], "F NWG H"),
    "neither-has-an-order": ("F NTH, F NWG, A PAR", ["F nor H", "A PAR H"], None),
    "settled-by-what-is-settled": (
        "F EDI, F NTH, F NWG, F BAR",
        ["F nor S F EDI-nor", "F EDI-NWG", "F NWG-NAO"],
        "F NTH S F EDI-NWG",
    ),
    "a-slip-is-asked-about": ("A RUH, A RUM, A MAR", ["A Ru H", "A RUH-KIE"], None),
    "two-orders-on-the-line": ("F MAO, F CON, F WES", ["F MAO-SPA, F CON-BUL", "F WES S F MAO-SPA/SC"], None),
}


def _read(units: str, lines: list[str], reading: str, phase: str = "S1903M") -> list[tuple[str, list[str]]]:
    stand = tuple(Unit("France", text[0], text[2:].lower()) for text in units.split(", "))  # type: ignore[arg-type]
    rules = replace(STANDARD, orders_reading=reading)  # type: ignore[arg-type]
    context = Context(BOARD, NAMES, Position(Phase.parse(phase), stand), "France", rules)
    return [(r.kind, [write(order) for order in r.legal]) for r in read_lines(lines, context)]


@pytest.mark.parametrize("name", CASES)
def test_an_order_that_can_be_read_in_two_ways(name: str) -> None:
    """Singly it is asked about; as a set it is what goes with the other lines, and asked about where that is open."""
    units, lines, meant = CASES[name]
    singly, as_set = _read(units, lines, "singly"), _read(units, lines, "as-set")
    assert singly[0] == ("ambiguous", [])
    assert as_set[0] == (("ambiguous", []) if meant is None else ("order", [meant]))


@pytest.mark.parametrize("name", CASES)
def test_good_lines_stay_as_they_are(name: str) -> None:
    """What was read by itself is never read otherwise because of other lines."""
    units, lines, _ = CASES[name]
    singly, as_set = _read(units, lines, "singly"), _read(units, lines, "as-set")
    for alone, together in zip(singly, as_set, strict=True):
        assert alone == together or alone[0] == "ambiguous"


def test_where_lines_stand_does_not_matter() -> None:
    """The list is a set: an order may be settled by one above it or below it."""
    units, lines, meant = CASES["support-names-the-coast"]
    assert ("order", [meant]) in _read(units, lines[::-1], "as-set")


def test_the_rest_knows_what_was_settled() -> None:
    """ "The rest hold" leaves out a unit that only the set could name."""
    read = _read("F NTH, F NWG, A PAR", ["F nor - EDI", "F NTH-SKA", "the rest hold"], "as-set")
    assert read == [("order", ["F NWG-EDI"]), ("order", ["F NTH-SKA"]), ("order", ["A PAR H"])]
