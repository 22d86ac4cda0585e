"""Whom a message is for, in every language; and that nobody is ever guessed."""

from __future__ import annotations

import pytest

from judge.notation.recipients import Recipients, read_recipients
from judge.variants import load_board
from judge.variants.names import load_names

BOARD = load_board()
ALL = BOARD.powers

READ: dict[str, tuple[str, ...]] = {
    "FRANCE RUSSIA": ("France", "Russia"),
    "f r": ("France", "Russia"),
    "F, R": ("France", "Russia"),
    "E": ("England",),
    "A, E; I": ("Austria", "England", "Italy"),
    "France, E": ("England", "France"),
    "fra/rus + tur": ("France", "Russia", "Turkey"),
    "the French and the Germans": ("France", "Germany"),
    "Great Britain, Ottoman Empire": ("England", "Turkey"),
    "Austria-Hungary & ITA": ("Austria", "Italy"),
    "Francia e Russia": ("France", "Russia"),
    "Francia y Rusia": ("France", "Russia"),
    "Österreich und Türkei": ("Austria", "Turkey"),
    "France France FRANCE": ("France",),
    "法国和俄国": ("France", "Russia"),
    "致法國、義大利": ("France", "Italy"),
    "英仏": ("England", "France"),
    "フランス・ロシア宛": ("France", "Russia"),
    "オーストリア・ハンガリー": ("Austria",),
    "ドイツ、トルコ": ("Germany", "Turkey"),
    "ＦＲＡＮＣＥ": ("France",),
    "all but Turkey": tuple(p for p in ALL if p != "Turkey"),
    "everybody except Italy and Russia": tuple(p for p in ALL if p not in ("Italy", "Russia")),
}
EVERYBODY = ("ALL", "everyone", "all powers", "the others", "tous", "tutti", "全員", "全体", "所有人", "全员", "各國")
UNKNOWN: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "FRNACE": (("FRNACE", ("France",)),),
    "FR": (("FR", ()),),
    "France E": (("E", ()),),
    "France, Atlantis": (("Atlantis", ()),),
    "France but Russia": (("but", ()),),
    "all but": (("but", ()),),
    "all but all": (("but", ()),),
    "法国和火星": (("法国和火星", ()),),
}


@pytest.mark.parametrize("text", READ)
def test_names_are_read(text: str) -> None:
    found = read_recipients(text, BOARD)
    assert found == Recipients(READ[text])


@pytest.mark.parametrize("text", EVERYBODY)
def test_everybody(text: str) -> None:
    assert read_recipients(text, BOARD) == Recipients(ALL, everybody=True)


@pytest.mark.parametrize("text", ["MASTER", "gm", "m", "the game master", "主持人", "ゲームマスター"])
def test_the_game_master(text: str) -> None:
    assert read_recipients(text, BOARD) == Recipients((), master=True)


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_nobody_is_called_is_told_and_not_guessed(text: str) -> None:
    found = read_recipients(text, BOARD)
    assert tuple(word for word, _ in found.unknown) == tuple(word for word, _ in UNKNOWN[text])
    for (_, meant), (_, wanted) in zip(found.unknown, UNKNOWN[text], strict=True):
        assert set(wanted) <= set(meant)


@pytest.mark.parametrize("text", ["", " ", ":", "the", "..."])
def test_nobody_is_named(text: str) -> None:
    assert read_recipients(text, BOARD).nobody


@pytest.mark.parametrize("board", ["standard", "pure", "fleet-rome"])
def test_every_spelling_of_every_power_names_it_and_no_other(board: str) -> None:
    names, found = load_names(board), load_board(board)
    for table in names.powers.values():
        for power, spellings in table.items():
            for spelling in spellings:
                read = read_recipients(spelling, found)
                # "ALL", Allemagne, is everybody first of all
                assert read.powers == (power,) or spelling == "ALL", spelling
