"""Reading and writing orders: a line of a player -> an order, or a problem with a suggestion; an order -> its text."""

from judge.notation.canonical import parse_canonical, write, write_unit

__all__ = ["parse_canonical", "write", "write_unit"]
