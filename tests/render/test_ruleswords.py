"""House rules in plain words: every key and value has its sentence, no two values sound alike, nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.render.catalogue import load
from judge.render.rulesentences import SENTENCES
from judge.render.ruleswords import matters, sections, sentence, special_lines
from judge.render.words import Words
from judge.resources import data_dir
from judge.rules.houserules import STANDARD, HouseRules, Key, keys
from judge.variants import load_board, load_rules, preset_names
from judge.variants.names import load_names

NOW = datetime(2026, 12, 1, 16, tzinfo=UTC)

#: values of keys that have no list of them
OTHERS: dict[str, tuple[Any, ...]] = {
    "victory.centres": (10, 17),
    "victory.end.turn": ("", "F1905", "S1910"),
    "victory.clock.at": ("", "2026-12-24T20:00:00+00:00", "2027-03-01T20:00:00+09:00"),
    "victory.clock.after": ("", "2 h", "90 min", "30 d"),
    "coast.aliases": ((), (("bul/nc", "bul/ec"),), (("bul/nc", "bul/ec"), ("stp/wc", "stp/sc"))),
    "powers.unplayed": ((), ("Italy",), ("Germany", "Italy")),
}
#: what must be said besides, so that a key means something
BESIDE: dict[str, dict[str, Any]] = {
    "entry.newcomers": {"entry_reliability": "90 %"},
    "victory.end.counts": {"victory_end_turn": "F1905"},
    "victory.end.when": {"victory_end_turn": "F1905"},
    "victory.clock.counts": {"victory_clock_after": "2 h"},
    "powers.clash": {"powers_assign": "preference"},
}


def values(key: Key) -> Iterator[Any]:
    if key.kind == "flag":
        yield from (True, False)
    yield from key.values
    yield from OTHERS.get(key.name, ())


def with_value(key: Key, value: Any) -> HouseRules:
    return replace(STANDARD, **BESIDE.get(key.name, {}), **{key.field: value})


def words_for(rules: HouseRules) -> Words:
    return Words(load("en", ()), "Europe/Paris", NOW, load_board(), load_names(), rules)


def said(rules: HouseRules) -> dict[str, str]:
    return {line.key: line.text for section in sections(rules, load_board(), words_for(rules)) for line in section.lines}


@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_every_value_has_a_sentence_of_its_own(key: Key) -> None:
    all_said = {}
    for value in values(key):
        rules = with_value(key, value)
        all_said[str(value)] = sentence(key, rules, load_board(), words_for(rules))
        assert all_said[str(value)].endswith(".") and all_said[str(value)][0].isupper()
        assert "%(" not in all_said[str(value)]
    assert len(all_said) >= 2

    assert len(set(all_said.values())) == len(all_said), all_said


@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_a_change_of_a_key_changes_what_the_players_read(key: Key) -> None:
    for one, other in combinations(values(key), 2):
        assert said(with_value(key, one)) != said(with_value(key, other))


LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")
CATALOGUES = {language: load(language, (data_dir("templates") / "locale",)) for language in LANGUAGES}


@st.composite
def agreements(draw: st.DrawFn) -> HouseRules:
    """Any house rules that can be agreed on."""
    changes = {key.field: draw(st.sampled_from(list(values(key)))) for key in keys().values()}
    if changes["victory_clock_at"]:
        changes["victory_clock_after"] = ""
    return replace(STANDARD, **changes)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(agreements(), st.sampled_from(list(keys().values())), st.data())
def test_the_words_cannot_lie(rules: HouseRules, key: Key, data: st.DataObject) -> None:
    """Whatever else is agreed: another value of any key that means something beside the others is read otherwise, in every
    language; and what is marked as special is what is not as in the standard rules."""
    other = replace(rules, **{key.field: data.draw(st.sampled_from(list(values(key))), "another value")})
    if other == rules or not (matters(key, rules) or matters(key, other)):
        return
    for language in LANGUAGES:
        told = []
        for agreed in (rules, other):
            words = Words(CATALOGUES[language], "Europe/Paris", NOW, load_board(), load_names(), agreed)
            told.append([line.text for section in sections(agreed, load_board(), words) for line in section.lines])
        assert told[0] != told[1], f"{key.name} in {language}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", keys().values(), ids=lambda key: key.name)
def test_no_two_values_sound_alike_in_any_language(key: Key, language: str) -> None:
    found = {}
    for value in values(key):
        rules = with_value(key, value)
        words = Words(CATALOGUES[language], "Europe/Paris", NOW, load_board(), load_names(), rules)
        found[str(value)] = sentence(key, rules, load_board(), words)
    assert len(set(found.values())) == len(found)
    if language != "en":
        assert all(not text.isascii() for text in found.values()), "a sentence without a translation"


def test_the_table_speaks_of_the_keys_that_there_are() -> None:
    assert set(SENTENCES) == set(keys())
    for name, by_value in SENTENCES.items():
        key = keys()[name]
        known = {str(v).lower() if isinstance(v, bool) else "" if v == () else str(v) for v in values(key)} | {"*"}
        assert set(by_value) <= known, name


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_said_whole(name: str) -> None:
    rules = load_rules(name)
    assert set(said(rules)) == {key.name for key in keys().values() if matters(key, rules)}
    changed = {key.name for key in keys().values() if getattr(rules, key.field) != key.default and matters(key, rules)}
    special = special_lines(rules, load_board(), words_for(rules))
    # 18 centres are the standard board's own number, so that nothing is special about saying so
    assert {line.key for line in special if line.special} == changed - {"victory.centres"}


def test_japan_1910_as_its_players_read_it() -> None:
    lines = {
        line.key: line.text
        for line in special_lines(load_rules("japan-1910"), load_board(), words_for(load_rules("japan-1910")))
    }
    assert lines["victory.end.turn"] == "The last turn is Fall 1910, if nobody has won before."
    assert lines["coast.aliases"] == "In this game, the east coast of Bulgaria is called its north coast."
    assert lines["convoy.disruption"] == "A convoy with several routes fails if any of them is broken."


def test_a_board_with_fewer_centres_names_its_own_number() -> None:
    board = load_board("pure")
    words = Words(load("en", ()), "UTC", NOW, board, load_names("pure"), STANDARD)
    text = sentence(keys()["victory.centres"], STANDARD, board, words)
    assert text == "Whoever holds 4 supply centres when centres change hands wins at once."


def test_times_are_the_readers_own() -> None:
    rules = replace(STANDARD, victory_clock_at="2026-12-24T20:00:00+00:00")
    text = said(rules)["victory.clock.at"]
    assert "Thu 24 Dec, 21:00 (Paris; 20:00 UTC)" in text
