"""Which lines of a master's mail set a house rule, and which never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.rulelines import find_settings, looks_like_a_command, looks_like_a_setting
from judge.rules.houserules import keys

SETTINGS = [
    ("SET victory.end.turn=F1908", "victory.end.turn", "F1908"),
    ("set Victory.End.Turn to F1908", "victory.end.turn", "F1908"),
    ("Please set victory.end.turn: F1908.", "victory.end.turn", "F1908"),
    ("victory.end.turn = 'F1908'", "victory.end.turn", "F1908"),
    ("victory.end.turn＝Ｆ１９０８", "victory.end.turn", "F1908"),
    ("* change nmr -> postpone", "nmr", "postpone"),
    ("SET nmr hold", "nmr", "hold"),
    ("SET nmr", "nmr", None),
    ("nmr=", "nmr", ""),
    ("SET victory.end.turn =", "victory.end.turn", ""),
    ("SET victory.end.turn＝", "victory.end.turn", ""),
    ("SET victory.end.turn", "victory.end.turn", None),
    ('SET powers.unplayed = ["Italy"]', "powers.unplayed", '["Italy"]'),
    ('coast.aliases = { "bul/nc" = "bul/ec" }', "coast.aliases", '{ "bul/nc" = "bul/ec" }'),
    ("SET victory.end.turn=“”", "victory.end.turn", ""),
    ("set victory.end.turn to nothing", "victory.end.turn", ""),
    ("ルール変更 nmr=hold", "nmr", "hold"),
    ("設定 nmr：hold", "nmr", "hold"),
    ("设置 nmr＝hold。", "nmr", "hold"),
    ("SET coast.aliases=bul/nc=bul/ec", "coast.aliases", "bul/nc=bul/ec"),
    ("set victory.clock.at = 2027-03-01T20:00Z", "victory.clock.at", "2027-03-01T20:00Z"),
    ("SET victory.end.trun F1908", "victory.end.trun", "F1908"),
    ("SET nrm=hold", "nrm", "hold"),
]

NONE = [
    "Hello judge,",
    "Please set it up as we agreed",
    "change of plans",
    "I set the clock to nine",
    "A PAR-BUR",
    "The rules are fine.",
    "victory.end.turn: was “F1910”, from Fall 1901 on it is “F1908”.",
    "set up",
    "",
    "SET",
]


@pytest.mark.parametrize(("line", "key", "value"), SETTINGS, ids=[row[0] for row in SETTINGS])
def test_a_line_sets_a_rule(line: str, key: str, value: str | None) -> None:
    found = find_settings(["Hello,", line, "Ana"], keys())
    assert [(one.key, one.value, one.line) for one in found.settings] == [(key, value, line.strip())]
    assert found.rest == ("Hello,", "Ana") and found.why is None


@pytest.mark.parametrize("line", NONE, ids=[line or "empty" for line in NONE])
def test_a_line_sets_nothing(line: str) -> None:
    found = find_settings([line], keys())
    assert found.settings == () and found.rest == (line,)


@pytest.mark.parametrize("line", ["WHY as voted", "Reason: as voted", "理由：as voted", "why: as voted"])
def test_the_reason(line: str) -> None:
    assert find_settings([line], keys()).why == "as voted"


@pytest.mark.parametrize(
    ("line", "meant"), [("set up the end = 1908", True), ("SET end 1908", True), ("settle down", False), ("Ana", False)]
)
def test_what_was_perhaps_meant_as_a_setting(line: str, meant: bool) -> None:
    assert looks_like_a_setting(line) is meant


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("DEADLINE +24h", True),
        ("PROCESS", True),
        ("extend 24 h", True),
        ("End game", True),
        ("REPLACE Turkey zed@example.org", True),
        ("延期 24 h", True),
        ("Ana", False),
        ("I will extend the deadline when somebody asks me to do so, which nobody did", False),
        ("Thanks a lot!", False),
        ("", False),
    ],
)
def test_what_was_perhaps_meant_as_a_command(line: str, meant: bool) -> None:
    assert looks_like_a_command(line) is meant


@given(st.lists(st.text(max_size=300), max_size=8))
def test_nothing_makes_it_raise_and_no_line_is_lost(lines: list[str]) -> None:
    found = find_settings(lines, keys())
    reasons = len(lines) - len(found.settings) - len(found.rest)
    assert reasons >= 0 and (found.why is not None) >= (reasons > 0 and found.why != "")
    assert set(found.rest) <= set(lines)


@given(
    st.sampled_from(sorted(keys())), st.sampled_from(["F1908", "true", "hold", "30 d"]), st.sampled_from(["=", " = ", ": "])
)
def test_every_key_can_be_set(key: str, value: str, sign: str) -> None:
    (one,) = find_settings([f"SET {key}{sign}{value}"], keys()).settings
    assert (one.key, one.value) == (key, value)
