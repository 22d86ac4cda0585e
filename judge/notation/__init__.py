"""Reading and writing orders: a line of a player -> an order, or a problem with a suggestion; an order -> its text."""

from judge.notation.canonical import parse_canonical, write, write_unit
from judge.notation.lines import read_line
from judge.notation.mail import read_apart, read_lines
from judge.notation.reading import Context, Problem, Reading, Readings
from judge.notation.text import normalise

__all__ = [
    "Context",
    "Problem",
    "Reading",
    "Readings",
    "normalise",
    "parse_canonical",
    "read_apart",
    "read_line",
    "read_lines",
    "write",
    "write_unit",
]
