"""What the first mail of a game teaches, mailed back to the judge of that game: the order of DO NOW is held, and each word
of the list does what it says."""

from __future__ import annotations

import re
from email.message import Message
from typing import Any

import pytest

from judge.play import setup
from judge.store import games
from judge.variants import load_board, load_rules, with_key

Desk = Any
STRICT = ("units.missing_type=void", "coast.unspecified=void", "convoy.route=required", "units.missing_nationality=void")
GAMES = [
    ("standard", ()),
    ("china", ()),
    ("japan-1910", ("victory.end.turn=",)),
    ("standard", STRICT),
    ("standard", ("orders.sets=first",)),
    ("standard", ("orders.sets=replace", "orders.secrecy=sealed")),
    ("standard", ("orders.proxy=yes", "press.kinds=none")),
]


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode().replace("\u00a0", " ")  # type: ignore[union-attr]
    raise AssertionError("no text part")


def begin(desk: Desk, preset: str, settings: tuple[str, ...], early: bool) -> str:
    """Start a game with one player who reads; returns the first mail."""
    rules = load_rules(preset)
    for key, _, value in (text.partition("=") for text in settings):
        rules = with_key(rules, key, value, load_board())
    players = {"France": "france@example.net", "England": "england@example.net"}
    setup.create_game(desk.judge, "told", rules=rules, players=players, now=desk.now, early=early)
    setup.start_game(desk.judge, "told", desk.now, "5f0c")
    desk.work()
    return next(text_of(m) for m in desk.receive() if m["To"] == "france@example.net")


def say(desk: Desk, body: str) -> str:
    return " ".join(
        text_of(desk.mail("France", body, to=desk.reply_to("France", "told"), sender="france@example.net")).split()
    )


def held(desk: Desk) -> list[str]:
    return next(seat["orders"] for seat in desk.show("told")["seats"] if seat["power"] == "France")


def words_of(first: str) -> list[str]:
    """The list of words in a manual: those in capitals at the beginning of its lines."""
    listed = first.partition("A line with one of these words alone:")[2].partition("THE POWERS")[0]
    return re.findall(r"(?m)^  ([A-Z]+(?: [A-Z]+)?)  ", listed)


@pytest.mark.parametrize(("preset", "settings"), GAMES, ids=[" ".join((p, *s)) for p, s in GAMES])
def test_the_order_of_do_now_is_held(desk: Desk, preset: str, settings: tuple[str, ...]) -> None:
    first = " ".join(begin(desk, preset, settings, True).split())
    shown = re.search(r"for example “([^”]*)”", first)
    assert shown is not None
    answer = say(desk, shown[1])
    assert len(held(desk)) == 1 and "could not use" not in answer


@pytest.mark.parametrize("early", [True, False], ids=["early", "no-early"])
def test_each_word_of_the_list_does_something(desk: Desk, early: bool) -> None:
    listed = words_of(begin(desk, "standard", (), early))
    assert set(listed) >= {"CLEAR", "STATUS", "RULES", "HELP", "NEW ADDRESS"}
    assert ({"READY", "WAIT"} <= set(listed)) is early
    for word in listed:
        say(desk, "A Par - Bur\nF Bre H\nA Mar H\n\nSpring 1902\nA Bur - Mun\n")
        answer = say(desk, word)
        assert "nothing" not in answer.lower(), word
        assert (held(desk) == []) is (word == "CLEAR")


@pytest.mark.parametrize("word", ["READY", "WAIT"])
def test_ready_and_wait_are_answered_truly_where_nothing_runs_early(desk: Desk, word: str) -> None:
    begin(desk, "standard", (), False)
    answer = say(desk, f"A Par - Bur\nF Bre H\nA Mar H\n{word}")
    assert f"{word} changes nothing in this game: the phase runs at the deadline and not before." in answer
    phase: Any = games.open_phase(desk.judge.store, games.get(desk.judge.store, "told").id)
    assert phase.run_at == phase.deadline


def test_where_the_first_mail_counts_the_manual_s_way_to_change_it_works(desk: Desk) -> None:
    begin(desk, "standard", ("orders.sets=first",), True)
    say(desk, "A Par - Bur")
    assert "To change them, write CLEAR and all your orders in one mail." in say(desk, "A Par - Pic")
    assert held(desk) == ["A PAR-BUR"]
    say(desk, "CLEAR\nA Par - Pic\nF Bre H")
    assert held(desk) == ["A PAR-PIC", "F BRE H"]


def test_builds_that_may_not_be_given_up(desk: Desk) -> None:
    """Neither the box nor a receipt speaks of giving one up, and what becomes of it is as the receipt says."""
    begin(desk, "standard", ("builds.waive=forbidden",), True)
    say(desk, "F Bre - Mao")
    desk.pass_time(hours=24)
    say(desk, "F Mao - Por")
    desk.pass_time(hours=24)
    desk.work()
    result = next(text_of(m) for m in reversed(desk.receive()) if m["To"] == "france@example.net")
    box = " ".join(result.split()).partition("DO NOW")[2]
    assert "build army Brest”; no build may be given up" in box and "waive" not in result
    answer = say(desk, "waive")
    assert "Builds cannot be given up in this game." in answer and "will be waived" not in answer
    assert "1 build has no order yet: the rules will raise an army" in answer
    desk.pass_time(hours=24)
    assert {"power": "France", "type": "A", "at": "bre"} in desk.show("told")["units"]
