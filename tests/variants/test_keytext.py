"""Values as text and back, differences, and that the page of all keys is what the code says."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from judge.resources import data_dir
from judge.rules.houserules import STANDARD, HouseRules, Key, keys
from judge.variants import load_board, load_rules, preset_names, with_key
from judge.variants.keytext import allowed_values, differences, plain, table, toml, typed

BOARD = load_board()
PAGE = data_dir("games") / "houserules" / "README.md"
TEXTS: dict[str, tuple[Any, ...]] = {
    "victory.centres": (1, 18, 34),
    "victory.end.turn": ("", "F1905", "S1910"),
    "victory.clock.at": ("", "2026-12-24T20:00:00+00:00"),
    "victory.clock.after": ("", "2 h", "90 min"),
    "coast.aliases": ((), (("bul/nc", "bul/ec"), ("stp/wc", "stp/sc"))),
    "powers.unplayed": ((), ("Italy",), ("Germany", "Italy")),
}


def values(key: Key) -> list[Any]:
    return [*((True, False) if key.kind == "flag" else ()), *key.values, *TEXTS.get(key.name, ())]


def presets() -> dict[str, HouseRules]:
    return {name: load_rules(name) for name in preset_names()}


def test_the_page_of_all_keys_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == table(presets()), "judge rules table > games/houserules/README.md"


def test_the_page_is_linked_from_the_readme_and_names_its_sections() -> None:
    readme = (data_dir("games").parent / "README.md").read_text(encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    assert "](games/houserules/README.md)" in readme
    for anchor in re.findall(r"\(games/houserules/README\.md#([^)]*)\)", readme):
        assert f"\n## {anchor}\n" in page
    for name in set(re.findall(r"`([a-z]+(?:\.[a-z_]+)+)`", readme)) & {key for key in keys() if "." in key}:
        assert f"| `{name}` |" in page


@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_every_key_has_its_row(key: Key) -> None:
    (row,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{key.name}` |")]
    cells = [cell.strip() for cell in row.strip("|").split(" | ")]
    assert cells[1] == f"`{toml(key.default, key)}`"
    assert all(f"`{value}`" in cells[2] for value in key.values)
    assert cells[4] == ", ".join(key.datc) and cells[5] == ", ".join(key.rows)
    setters = {name for name, rules in presets().items() if getattr(rules, key.field) != key.default}
    assert set(re.findall(r"([a-z0-9-]+) \(`", cells[7] if len(cells) > 7 else "")) == setters


@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_what_is_printed_can_be_typed_back(key: Key) -> None:
    for value in values(key):
        if value != "board" or key.name == "victory.centres":
            rules = with_key(STANDARD, key.name, typed(value))
            assert getattr(rules, key.field) == value


@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_what_is_printed_can_stand_in_a_file(key: Key) -> None:
    for value in values(key):
        assert tomllib.loads(f"x = {toml(value, key)}")["x"] == plain(value, key)
    assert allowed_values(key)


def test_differences_are_named_once_with_both_values() -> None:
    japan = load_rules("japan-1910")
    changed = {d.key: (d.old, d.new) for d in differences(STANDARD, japan)}
    assert changed["victory.end.turn"] == ("", "F1910")
    assert changed["retreat.into_standoff"] == ("false", "true")
    assert changed["coast.aliases"] == ("", "bul/nc=bul/ec")
    assert {d.key: (d.new, d.old) for d in differences(japan, STANDARD)} == changed
    assert differences(japan, japan) == []


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("coast.aliases", '{ "bul/nc" = "bul/ec" }', (("bul/nc", "bul/ec"),)),
        ("coast.aliases", "{bul/nc=bul/ec}", (("bul/nc", "bul/ec"),)),
        ("coast.aliases", "{ “bul/nc” = “bul/ec” }", (("bul/nc", "bul/ec"),)),
        ("coast.aliases", "{}", ()),
        ("powers.unplayed", '["Italy"]', ("Italy",)),
        ("powers.unplayed", "['italy', 'Germany']", ("Germany", "Italy")),
        ("powers.unplayed", "[“Italy”, Germany]", ("Germany", "Italy")),
        ("powers.unplayed", "[]", ()),
        ("victory.end.turn", '"F1910"', "F1910"),
        ("victory.end.turn", '""', ""),
        ("nmr", '"postpone"', "postpone"),
    ],
)
def test_a_value_is_read_as_a_file_writes_it(key: str, text: str, value: object) -> None:
    assert getattr(with_key(STANDARD, key, text, BOARD), keys()[key].field) == value


@pytest.mark.parametrize("name", keys())
def test_every_value_of_the_presets_is_read_back_as_it_is_shown(name: str) -> None:
    key = keys()[name]
    for preset in preset_names():
        rules = load_rules(preset, BOARD)
        assert with_key(rules, name, toml(getattr(rules, key.field), key), BOARD) == rules
