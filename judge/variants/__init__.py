"""Boards and house rules: the data under ``games/``, checked, as the values of ``judge.rules``."""

from judge.variants.board import board_names, load_board, read_board

__all__ = ["board_names", "load_board", "read_board"]
