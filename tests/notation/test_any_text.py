"""No text makes the reader raise or run away; nothing but whole orders is ever taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.notation import Context, normalise, read_line, read_lines, write
from judge.notation.lines import MAX_ATOMS
from judge.notation.near import distance
from judge.notation.text import MAX_LINE, atoms, tidy
from judge.rules.legality import check

DATA = Path(__file__).parent / "data"
LINES = [
    row.rpartition(" ==> ")[0].partition(" | ")[2]
    for path in sorted(DATA.glob("more.*.txt"))
    for row in path.read_text(encoding="utf-8").split("\n")
    if " ==> " in row
]
WORDS = sorted({word for line in LINES for word in line.split()})


def assert_sound(line: str, context: Context) -> None:
    """What was taken is legal, is of the reader's power, and reads back from its canonical text."""
    reading = read_line(line, context)
    for order in reading.legal:
        assert check(context.board, context.position, context.power, order, context.rules) is None
        assert [write(o) for o in read_line(write(order), context).orders] == [write(order)]
    if reading.kind == "not-an-order":
        assert not reading.orders


@settings(max_examples=200)
@given(text=st.text(max_size=60))
def test_any_text_is_read(text: str, situations: dict[str, Context]) -> None:
    assert_sound(text, situations["fra"])


@settings(max_examples=150)
@given(words=st.lists(st.sampled_from(WORDS), max_size=14), name=st.sampled_from(["fra", "eng2", "ausR", "fraW", "rus2"]))
def test_any_words_are_read(words: list[str], name: str, situations: dict[str, Context]) -> None:
    assert_sound(" ".join(words), situations[name])


@settings(max_examples=150)
@given(data=st.data())
def test_lines_with_damage_are_read(data: st.DataObject, situations: dict[str, Context]) -> None:
    line = data.draw(st.sampled_from(LINES))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line)))
        line = line[:at] + data.draw(st.text(max_size=2)) + line[at + data.draw(st.integers(0, 3)) :]
    assert_sound(line, situations["fra"])


HOSTILE = {
    "one letter a hundred thousand times": "x" * 100_000,
    "ten thousand dashes": "-" * 10_000,
    "dashes with blanks": "- " * 1_400,
    "units without end": "A Par, " * 400,
    "orders without end": "A Par-Bur, A Mar-Spa " * 140,
    "a route without end": "A Par" + "-Bur" * 700,
    "supports of supports": "A Mar S " * 350,
    "brackets in brackets": "(" * 1_000 + "A Par-Bur?" + ")" * 1_000,
    "many brackets": "A (Par) (x)" * 150,
    "open tags": "<a " * 900,
    "entities": "&lt;" * 700,
    "choices": "A Par-Bur or " * 200,
    "heads": "France: Spring 1901: " * 120,
    "kana": "パリ" * 1_400,
    "particles": "の" * 2_900,
    "unknown characters": "勃" * 2_900,
    "unknown words": "parr burr " * 290,
    "accents": "é" * 2_900,
    "marks on marks": "a" + "\u0301" * 2_900,
    "joiners": "\u200d" * 2_900,
    "verbs": "holds supports moves " * 140,
    "the unit letters": "a f " * 700,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lines_end(name: str, situations: dict[str, Context]) -> None:
    reading = read_line(HOSTILE[name], situations["fra"])
    assert reading.kind in ("not-an-order", "ambiguous")
    assert not reading.orders


def test_longest_line_that_is_read(situations: dict[str, Context]) -> None:
    """All units of a winning power fit on one line, names in full."""
    full = ", ".join(["Army Paris supports Army Marseilles moves to Burgundy"] * 17)
    assert len(full) < MAX_LINE and len(atoms(tidy(full).text)) < MAX_ATOMS
    assert [write(o) for o in read_line(full, situations["fra"]).orders] == ["A PAR S A MAR-BUR"]


@given(st.text(max_size=200))
def test_plain_text_is_plain(text: str) -> None:
    plain = normalise(text)
    assert normalise(plain) == plain or "#" in text or "//" in text or ")" in text
    assert plain == " ".join(plain.split())


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6), st.integers(1, 3))
def test_distance_is_a_distance(a: str, b: str, limit: int) -> None:
    steps = distance(a, b, limit)
    assert steps == distance(b, a, limit)
    assert (steps == 0) == (a == b)
    assert steps <= limit + 1 and (steps > limit or abs(len(a) - len(b)) <= steps)


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [("par", "pra", 1), ("bur", "but", 1), ("pars", "par", 1), ("munhci", "munhic", 1), ("munhic", "munich", 2)],
)
def test_distance_counts_slips(a: str, b: str, steps: int) -> None:
    assert distance(a, b, 2) == steps


@settings(max_examples=60)
@given(lines=st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=12))
def test_any_mail_is_read(lines: list[str], situations: dict[str, Context]) -> None:
    readings = read_lines(lines, situations["fra"])
    assert len(readings) == len(lines)
    assert [reading.line for reading in readings] == lines
    assert set(readings.orders) <= {order for reading in readings for order in reading.legal}
