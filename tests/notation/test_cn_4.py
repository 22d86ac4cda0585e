"""Row CN-4: the spellings of the Chinese rule book, every order that it writes down, and first letters with their clashes.

``data/cn-4.txt`` has the orders. What depends on the preset is marked there: a missing coast alone (CN-5).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.notation import Context, read_lines, write
from judge.rules import adjudicate
from judge.rules.board import Board, Unit
from judge.rules.outcome import GivenOrder, Result
from judge.rules.position import Phase, Position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

PRESETS = ("china", "standard", "japan-1910")
BOARD: Board = load_board("standard")
DATA = Path(__file__).parent / "data" / "cn-4.txt"
#: the dashes that Chinese texts write: full-width, long, minus
DASHES = ("－", "—", "–", "−", " - ", " － ")


def context(units: tuple[Unit, ...], preset: str) -> Context:
    return Context(BOARD, load_names(), Position(Phase("S", 1901, "M"), units), "France", load_rules(preset))


def placed(text: str) -> tuple[Unit, ...]:
    """``"A mar, F spa/nc"`` -> units of one power."""
    words = [unit.split() for unit in text.split(", ")]
    return tuple(Unit("France", "A" if kind == "A" else "F", at) for kind, at in words)


def read(line: str, units: tuple[Unit, ...], preset: str) -> str:
    """What a line reads as, in the shape of the table."""
    (reading,) = read_lines([line], context(units, preset))
    orders, codes = "; ".join(map(write, reading.orders)), [problem.code for problem in reading.problems]
    if reading.kind == "illegal":
        return f"!{orders} ({codes[0]})"
    if reading.kind == "ambiguous":
        return "?" + "; ".join(reading.suggestions)
    return orders if reading.kind == "order" else f"- ({codes[0]})" if codes else "-"


def rows() -> Iterator[Any]:
    for number, text in enumerate(DATA.read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith("#"):
            continue
        before, _, expected = text.rpartition(" ==> ")
        units, _, line = before.partition(" | ")
        named, _, rest = expected.partition("] ")
        for preset in [named[1:]] if rest else PRESETS:
            yield pytest.param(units, line, rest or expected, preset, id=f"{number}-{preset}")


ROWS = list(rows())


@pytest.mark.parametrize(("units", "line", "expected", "preset"), ROWS)
def test_cn_4_an_order_of_the_text(units: str, line: str, expected: str, preset: str) -> None:
    assert read(line, placed(units), preset) == expected


@pytest.mark.parametrize("dash", DASHES)
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_4_with_any_dash_and_wide_letters(preset: str, dash: str) -> None:
    """Orders with a dash, none of them left out, read the same with each dash, and with full-width letters and digits."""
    wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
    tried = 0
    for row in ROWS:
        units, line, expected, of = row.values
        if of == preset and "-" in str(line) and str(line).isascii():
            tried += 1
            for written in (str(line).replace("-", dash), str(line).replace("-", dash).translate(wide)):
                assert read(written, placed(str(units)), preset) == expected, written
    assert tried > 50


# ── the first three letters ──────────────────────────────────────────────────────────────────────────────────────────

#: first three letters that several names begin with, and the ids that part them: the text's own table is not in the text
CLASHES = {
    "gul": {"bot": "bot", "lyo": "lyo gol"},
    "liv": {"lvn": "lvn", "lvp": "lvp"},
    "nor": {"naf": "naf", "nao": "nao nat", "nth": "nth", "nwg": "nwg nrg", "nwy": "nwy"},
    "tyr": {"tyr": "tyr tyl", "tys": "tys tyn"},
}
LETTERS = {province.id: province.name[:3].strip().lower() for province in BOARD.provinces.values()}


def alone(province: str) -> tuple[Unit, ...]:
    kind = "F" if BOARD.provinces[province].kind == "sea" else "A"
    return (Unit("France", kind, BOARD.locations(province)[0] if kind == "F" else province),)  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("province", [p for p, letters in LETTERS.items() if letters not in CLASHES and len(letters) == 3])
def test_cn_4_three_letters(province: str, preset: str) -> None:
    letters = LETTERS[province]
    unit = alone(province)[0]
    for text in (letters, letters.upper(), letters.capitalize(), province):
        assert read(f"{unit.type} {text} H", alone(province), preset) == f"{unit.type} {province.upper()} H"


def test_cn_4_the_clashes_are_all_of_them() -> None:
    shared: dict[str, set[str]] = {}
    for province, letters in LETTERS.items():
        shared.setdefault(letters, set()).add(province)
    assert {letters: set(table) for letters, table in CLASHES.items()} == {k: v for k, v in shared.items() if len(v) > 1}
    # the one name whose first three letters are no three letters
    assert [p for p, letters in LETTERS.items() if len(letters) < 3] == ["stp"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("letters", "province"), [(c, p) for c, table in CLASHES.items() for p in table])
def test_cn_4_the_letters_that_part_a_clash(letters: str, province: str, preset: str) -> None:
    unit = alone(province)[0]
    order = f"{unit.type} {province.upper()} H"
    for written in CLASHES[letters][province].split():
        assert read(f"{unit.type} {written.capitalize()} H", alone(province), preset) == order
    # the three letters alone: the place, a question that offers it, or a place where no unit is; never another order
    told = read(f"{unit.type} {letters.capitalize()} H", alone(province), preset)
    assert told in (order, f"?{order}") or told.startswith(("!", "?"))


# ── no order, and what depends on the preset ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_4_a_unit_without_an_order_holds(preset: str) -> None:
    """The text has no written hold; ours is read all the same, and does nothing else."""
    units = placed("A bur, A mar")
    rules = load_rules(preset)
    position = Position(Phase("S", 1901, "M"), (*units, Unit("Germany", "A", "mun")))
    orders = [GivenOrder("Germany", read_lines(["A Mun-Bur"], context(alone("mun"), preset))[0].orders[0])]
    silent = adjudicate(BOARD, position, orders, rules)
    written = read_lines(["A Bur H", "A Mar H"], context(units, preset)).orders
    spoken = adjudicate(BOARD, position, [*orders, *(GivenOrder("France", order) for order in written)], rules)
    assert set(silent.units) == set(spoken.units) == set(position.units)
    held = [o for o in silent.outcomes if o.power == "France"]
    assert [(o.result, o.filled_in) for o in held] == [(Result.HOLDS, True)] * 2


COASTS = {
    # line: what china, standard and japan-1910 make of it
    "F Con-Bulgaria(ec)": ("F CON-BUL/EC", "F CON-BUL/EC", "F CON-BUL/EC"),
    # read so on this board whatever the game calls it: there is no other coast it could mean (printed only by JP-7)
    "F Con-Bulgaria(nc)": ("F CON-BUL/EC", "F CON-BUL/EC", "F CON-BUL/EC"),
    "F Con-Bulgaria": (
        "!F CON-BUL (coast-missing)",
        "?F CON-BUL/EC; F CON-BUL/SC",
        "?F CON-BUL/EC; F CON-BUL/SC",
    ),
}


@pytest.mark.parametrize("line", COASTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_4_what_depends_on_the_preset(preset: str, line: str) -> None:
    assert read(line, placed("F con"), preset) == COASTS[line][PRESETS.index(preset)]
