"""House-rules files: presets, extending, and every fault with file, line and what is allowed."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import BadHouseRules, NotFound
from judge.rules.houserules import STANDARD, HouseRules, Key, keys
from judge.variants import load_board, load_rules, preset_names, read_rules, with_key

BOARD = load_board()


def test_the_presets() -> None:
    assert set(preset_names()) >= {"standard", "japan-1910", "china", "rulebook-2000", "rulebook-1982", "webdiplomacy"}
    assert load_rules("standard", BOARD) == STANDARD
    for name in preset_names():
        assert load_rules(name, BOARD).name == name


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        (
            "japan-1910",
            {
                "victory.centres": 18,
                "victory.end.turn": "F1910",
                "victory.end.counts": "units",
                "powers.assign": "preference",
                "powers.addresses": "shown",
                "coast.aliases": (("bul/nc", "bul/ec"),),
                "support.own_dislodge": "becomes-hold",
                "retreat.into_standoff": True,
                "retreat.to_convoy_origin": False,
                "convoy.disruption": "any-route",
            },
        ),
        (
            "china",
            {
                "victory.centres": 18,
                "victory.end.when": "before-adjustments",
                "turn.notation": "01-S",
                "coast.unspecified": "void",
                "retreat.to_convoy_origin": False,
                "press.phases": "movement",
                "convoy.route": "counts",
                "convoy.disruption": "any-fleet",
                "convoy.needless": "carries",
                "convoy.own_dislodge": "void",
                "orders.secrecy": "sealed",
            },
        ),
        ("webdiplomacy", {"convoy.adjacent": "explicit", "removal.order": "older", "draw.votes": "open"}),
        ("rulebook-2000", {"convoy.paradox": "2000", "convoy.fallback": "unordered", "removal.order": "older"}),
    ],
)
def test_what_a_preset_changes(preset: str, changed: dict[str, object]) -> None:
    rules = load_rules(preset)
    assert {k.name: getattr(rules, k.field) for k in keys().values() if getattr(rules, k.field) != k.default} == changed


def test_every_field_is_a_documented_key() -> None:
    assert {key.field for key in keys().values()} | {"name"} == {entry.name for entry in fields(HouseRules)}
    for key in keys().values():
        assert key.doc.endswith("."), key.name
        assert key.used_by in ("engine", "play", "mail")
        assert key.kind in ("flag", "text", "table", "list") or key.default in key.values
        assert getattr(STANDARD, key.field) == key.default


_SAMPLES = {"victory.end.turn": "F1910", "victory.clock.at": "2030-01-01T00:00Z", "victory.clock.after": "2 h"}


def _values(key: Key) -> list[object]:
    if key.kind == "flag":
        return [True, False]
    if key.kind == "text":
        return [_SAMPLES[key.name]]
    return list(key.values)


@pytest.mark.parametrize("name", [name for name, key in keys().items() if key.kind not in ("table", "list")])
def test_every_value_of_every_key_is_read_and_set(name: str) -> None:
    """From a file and from what a person types; the two agree."""
    section, _, last = name.rpartition(".")
    key = keys()[name]
    for value in _values(key):
        written = str(value).lower() if key.kind == "flag" else f'"{value}"'
        rules = read_rules((f"[{section}]\n" if section else "") + f"{last} = {written}\n", "ours.toml", BOARD)
        assert getattr(rules, key.field) == value
        assert with_key(STANDARD, name, str(value), BOARD) == replace(rules, name="standard")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[convoy]\ndisrupton = "any-route"', 2, "'convoy.disrupton': did you mean convoy.disruption? Allowed: "),
        ('\n\n[convoy]\n\ndisruption = "any"', 5, "'any' is no value of it. Allowed: all-routes, any-fleet, any-route"),
        ("[convoy]\ndisruption = 1", 2, "Allowed: all-routes, any-fleet, any-route"),
        ("surprise = 1", 1, "unknown key 'surprise'"),
        ('[surprise]\nx = "y"', 1, "unknown key 'surprise'"),
        ('[victory.end]\ntern = "F1910"', 2, "did you mean victory.end.turn"),
        ('[victory.end]\nturn = "1910"', 2, "is no turn. Allowed: F1910, S1905, 05-F"),
        ('[victory.end]\nturn = "F1890"', 2, "the game starts in 1901; it cannot end with F1890"),
        ("[victory.end]\nturn = 1910", 2, "a text, not 1910"),
        ('[victory]\nend = "F1910"', 2, "victory.end is a section. Its keys: "),
        ("convoy = 3", 1, "convoy is a section"),
        ("[victory]\ncentres = 35", 2, "1 to 34"),
        ("[victory]\ncentres = 0", 2, "1 to 34"),
        ("[victory]\ncentres = true", 2, "Allowed: a number, board, none"),
        ('[victory]\ncentres = "all"', 2, "a number, "),
        ('[victory.clock]\nat = "tomorrow"', 2, "is no instant"),
        ('[victory.clock]\nat = "2030-01-01T12:00"', 2, "does not say its offset from UTC"),
        ('[victory.clock]\nafter = "2 weeks"', 2, "is no duration"),
        ('[victory.clock]\nat = "2030-01-01T12:00Z"\nafter = "2 h"', 3, "one of them only"),
        ('nmr = "civil-disorder"\n[orders]\nperpetual = "yes"', 3, "One of them only"),
        ('[orders]\nperpetual = "always"', 2, "'always' is no value of it. Allowed: no, yes"),
        ('[orders]\n\nundated = "later"', 3, "Allowed: arrival, combine, void"),
        ('[orders]\nreading = "set"', 2, "Allowed: as-set, singly"),
        ('[removal]\nsurplus = "now"', 2, "Allowed: at-once, next-adjustments"),
        ('[units]\nwrong_nationality = "yield"', 2, "did you mean yields? Allowed: ignored, void, yields"),
        ('[units]\nmissing_nationality = "ignored"', 2, "Allowed: valid, void, yields"),
        ('[coast]\naliases = { "bul/nc" = "bul/xx" }', 2, "'bul/xx' is no coast of this board. did you mean bul/sc"),
        ('[coast]\naliases = "bul/nc"', 2, "a table of coasts"),
        ('[support]\ncut_by_own = "yes"', 2, "true or false, not 'yes'"),
        ('extends = "standrd"', 1, "did you mean standard?"),
        ("extends = 3", 1, "extends is the name of a preset"),
        ("[convoy\n", 1, "no TOML"),
        ('[convoy]\nroute = "counts"\nroute = "ignored"', 3, "no TOML"),
    ],
)
def test_a_fault_is_told_with_file_line_and_what_is_allowed(text: str, line: int, message: str) -> None:
    with pytest.raises(BadHouseRules) as caught:
        read_rules(text, "ours.toml", BOARD)
    assert caught.value.where == f"ours.toml:{line}"
    assert message in caught.value.message


def test_a_file_extends_a_preset_or_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('extends = "japan-1910"\n[victory.end]\nturn = "10-F"\n', encoding="utf-8")
    (tmp_path / "spring.toml").write_text('extends = "club.toml"\n[convoy]\ndisruption = "all-routes"\n', encoding="utf-8")
    rules = load_rules(str(tmp_path / "spring.toml"), BOARD)
    japan = load_rules("japan-1910")
    assert rules == replace(japan, name="spring", convoy_disruption="all-routes")
    assert rules.victory_end_turn == "F1910"


def test_files_that_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('extends = "two.toml"\n', encoding="utf-8")
    (tmp_path / "two.toml").write_text('extends = "one.toml"\n', encoding="utf-8")
    with pytest.raises(BadHouseRules, match="in a circle"):
        load_rules(str(tmp_path / "one.toml"))


def test_what_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="did you mean japan-1910"):
        load_rules("japan1910")
    with pytest.raises(BadHouseRules, match="cannot be read"):
        load_rules(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(BadHouseRules, match="UTF-8"):
        load_rules(str(tmp_path / "latin.toml"))


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("victory.end.tern", "F1910", "did you mean victory.end.turn"),
        ("victory.end.turn", "F1800", "it cannot end with F1800"),
        ("support.cut_by_own", "perhaps", "true or false"),
        ("victory.centres", "99", "1 to 34"),
    ],
)
def test_a_key_typed_wrongly_is_refused(key: str, text: str, message: str) -> None:
    with pytest.raises(BadHouseRules, match=message):
        with_key(STANDARD, key, text, BOARD)


@given(st.text(max_size=200))
def test_no_text_at_all_brings_anything_but_rules_or_a_told_fault(text: str) -> None:
    try:
        rules = read_rules(text, "ours.toml", BOARD)
    except BadHouseRules as fault:
        assert fault.where.startswith("ours.toml:")
    else:
        assert isinstance(rules, HouseRules)
