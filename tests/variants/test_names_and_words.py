"""The tables of names and of words: what is faulty in them is told with file and line."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.errors import BadInput
from judge.resources import data_dir
from judge.variants import names as names_module
from judge.variants import words as words_module
from judge.variants.names import load_names, spelling_key
from judge.variants.words import KINDS, load_words


def test_printed_names() -> None:
    names = load_names("standard")
    assert names.location("stp/sc") == "St Petersburg (north coast)".replace("north", "south")
    assert names.province("bur", "ja") == "ブルゴーニュ"
    assert names.province("ruh", "ja") == "ルール地方"
    assert names.power("Austria", "zh-Hant") == "奧匈帝國"
    assert names.province("bur", "xx") == "Burgundy"


@pytest.mark.parametrize(
    ("a", "b"),
    [("São", "sao"), ("Mid-Atlantic", "MIDATLANTIC"), ("Ｐａｒ", "par"), ("N. Sea", "nsea"), ("München", "Munchen")],
)
def test_spellings_that_are_the_same(a: str, b: str) -> None:
    assert spelling_key(a) == spelling_key(b)


def test_marks_of_kana_are_letters() -> None:
    assert spelling_key("ガ") != spelling_key("カ")


def test_every_language_has_the_words_of_every_kind_of_order() -> None:
    for language, table in load_words().items():
        kinds = {kind.partition(":")[0] for kind in table}
        assert {"UNIT", "MOVE", "HOLD", "SUP", "CON", "RET", "DIS", "BUILD", "WAIVE", "BYCON", "OR"} <= kinds <= KINDS, (
            language
        )


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of ``games/`` to spoil."""
    copy = tmp_path / "games"
    for part in ("standard", "words"):
        shutil.copytree(data_dir("games") / part, copy / part)
    monkeypatch.setattr(names_module, "data_dir", lambda name: tmp_path / name)
    monkeypatch.setattr(words_module, "data_dir", lambda name: tmp_path / name)
    load_names.cache_clear()
    load_words.cache_clear()
    yield copy
    load_names.cache_clear()
    load_words.cache_clear()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('bre = ["Brest"', 'brs = ["Brest"', "brs"),
        ('bre = ["Brest"', 'bre = ["Paris"', "Paris"),
        ('bre = ["Brest"', 'bre = ["Brest", 3', "list of spellings"),
        ("[closed]", "[closde]", "closed"),
    ],
)
def test_faults_of_names_are_told_with_file_and_line(games: Path, old: str, new: str, told: str) -> None:
    path = games / "standard" / "names.en.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_names("standard")
    assert told in str(caught.value)
    assert "names.en.toml:" in caught.value.where


def test_a_fault_of_words_is_told_with_file_and_line(games: Path) -> None:
    path = games / "words" / "en.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("HOLD = [", "HOLT = [", 1), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        load_words()
    assert "HOLD" in str(caught.value) and "en.toml:" in caught.value.where


def test_a_board_that_extends_another_has_its_names(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board without tables of its own is read by those that it extends, and by its own ids."""
    other = games / "other"
    other.mkdir()
    (other / "variant.toml").write_text('extends = "standard"\nname = "other"\n', encoding="utf-8")
    board = names_module.load_board("standard")
    monkeypatch.setattr(names_module, "load_board", lambda name: board)
    (other / "names.en.toml").write_text('[provinces]\nrom = ["Roma Aeterna", "Rome"]\n', encoding="utf-8")
    names = load_names("other")
    assert names.province("rom") == "Roma Aeterna"
    assert names.provinces["en"]["rom"] == ("Roma Aeterna", "Rome", "rom")
    assert names.province("bur", "de") == "Burgund"
