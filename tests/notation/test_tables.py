"""The tables of lines: what each is read as, of which kind it is, and what is offered where the judge asks.

``data/lines.jsonl`` is the handed table. ``data/more.LANG.txt`` has our own lines, one a row, as ``SITUATION | LINE ==>
EXPECTED``. EXPECTED is the orders read, ``!`` before illegal ones, ``-`` for no order, ``?`` before what is asked
(``?A PAR-BUR; A PAR-PIC``: offered, nothing is taken), ``~`` before the good part of a line that is asked about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.notation import Context, read_line, write

DATA = Path(__file__).parent / "data"


def handed() -> Iterator[Any]:
    for text in (DATA / "lines.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        yield pytest.param(row, id=f"{row['id']}-{row['lang']}")


@pytest.mark.parametrize("row", list(handed()))
def test_handed_line(row: dict[str, Any], context_of: Callable[[Any], Context]) -> None:
    reading = read_line(row["line"], context_of(row))
    read_as = [write(order) for order in reading.orders]
    assert read_as == row["read_as"] or read_as in row.get("also_ok", [])
    if read_as == row["read_as"]:
        assert reading.kind in (row["kind"], *row.get("kind_also", ()))
    if reading.kind == row["kind"] == "ambiguous":
        assert set(row["suggestion"] or ()) <= set(reading.suggestions)


def ours() -> Iterator[Any]:
    for path in sorted(DATA.glob("more.*.txt")):
        language = path.name.split(".")[1]
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if " ==> " in text:
                yield pytest.param(text, id=f"{language}-{number}")


def expected(text: str) -> tuple[str, list[str], list[str]]:
    """The kind, the orders and the offers that a row asks for."""
    marks = {"-": "not-an-order", "!": "illegal", "?": "ambiguous", "~": "ambiguous"}
    kind = marks.get(text[0], "order")
    rest = text[1:] if text[0] in marks else text
    good, _, offers = rest.partition("?") if text[0] == "~" else ("", "", rest) if text[0] == "?" else (rest, "", "")
    return kind, [o.strip() for o in good.split(";") if o.strip()], [o.strip() for o in offers.split(";") if o.strip()]


@pytest.mark.parametrize("row", list(ours()))
def test_our_line(row: str, situations: dict[str, Context]) -> None:
    before, _, after = row.rpartition(" ==> ")
    name, _, line = before.partition(" | ")
    kind, orders, offers = expected(after.strip())
    reading = read_line(line, situations[name.strip()])
    assert [write(order) for order in reading.orders] == orders
    assert reading.kind == kind
    assert set(offers) <= set(reading.suggestions)
    assert reading.problems or kind in ("order", "not-an-order")
    assert [write(order) for order in reading.legal] == ([] if kind == "illegal" and len(orders) == 1 else orders)
