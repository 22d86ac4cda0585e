"""Boards and house rules: the data under ``games/``, checked, as the values of ``judge.rules``."""

from judge.variants.board import board_names, load_board, read_board
from judge.variants.houserules import load_rules, preset_names, read_rules, with_key

__all__ = ["board_names", "load_board", "load_rules", "preset_names", "read_board", "read_rules", "with_key"]
