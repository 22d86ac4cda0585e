"""The end by an agreed time: which phase was running then, and times that have passed before they can count."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from judge.errors import Refused
from judge.play import rulings, setup, turn, verify
from judge.store import games
from judge.variants import load_board, load_rules

#: stories of many mails
pytestmark = pytest.mark.slow

Desk = Any


def agree(desk: Desk, *texts: str, name: str = "autumn", start: bool = True) -> None:
    """Start another game, one player a power, phases of 24 h."""
    board = load_board()
    settings = [(key, value) for key, _, value in (text.partition("=") for text in texts)]
    rules = rulings.set_keys(load_rules("standard"), settings, board)
    players = {power: f"{power.lower()}@example.org" for power in board.powers}
    setup.create_game(desk.judge, name, rules=rules, players=players, now=desk.now)
    if start:
        setup.start_game(desk.judge, name, desk.now)
        desk.work()


@pytest.mark.parametrize("down", [False, True])
def test_the_deadline_decides_which_phase_was_running_not_an_outage(desk: Desk, down: bool) -> None:
    """Phases of 24 h and an end after 30 h: it is F1901M that runs then, whether or not the judge was down at hour 24."""
    agree(desk, "victory.clock.after=30 h")
    desk.pass_time(hours=40 if down else 24)
    assert (desk.show("autumn")["state"], desk.show("autumn")["phase"]) == ("running", "F1901M")
    desk.pass_time(hours=48)
    view = desk.show("autumn")
    assert (view["state"], view["ended_by"]) == ("ended", "victory.clock")
    assert [p.name for p in games.phases(desk.judge.store, games.get(desk.judge.store, "autumn").id)] == ["S1901M", "F1901M"]
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "autumn")) == []


@pytest.mark.parametrize("at", ["2020-01-01T00:00Z", "2026-12-02T12:00Z"])
def test_a_game_does_not_start_if_it_would_end_with_its_first_phase(desk: Desk, at: str) -> None:
    agree(desk, f"victory.clock.at={at}", start=False)
    with pytest.raises(Refused, match=r"victory\.clock\.at: the game would end at .*, with its very first phase") as refused:
        setup.start_game(desk.judge, "autumn", desk.now)
    assert "2026-12-02 13:00 UTC" in str(refused.value)
    assert games.get(desk.judge.store, "autumn").state == "forming"
    rulings.change_rules(desk.judge, "autumn", [("victory.clock.at", "2026-12-02T13:01Z")], who="Ana", now=desk.now)
    setup.start_game(desk.judge, "autumn", desk.now)


@pytest.mark.parametrize("text", ["0 h", "0 min", "000 d"])
def test_no_time_is_no_duration(desk: Desk, text: str) -> None:
    with pytest.raises(rulings.RulesRefused, match="a duration, like"):
        agree(desk, f"victory.clock.after={text}")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "if that has passed when this rule comes into force, with the first phase that is played by it."),
        ("ja", "この規則が有効になる時にすでに過ぎていれば、有効になって最初のフェイズで終了します。"),
        ("zh-Hans", "若本规则生效时该时刻已过，则以适用本规则的第一个阶段终局。"),
        ("zh-Hant", "若本規則生效時該時刻已過，則以適用本規則的第一個階段終局。"),
    ],
    ids=["en", "ja", "zh-Hans", "zh-Hant"],
)
def test_an_agreed_time_that_a_postponed_deadline_has_overtaken(desk: Desk, language: str, words: str) -> None:
    """The change holds from the next phase, which then is the last one, and the notice has said so."""
    agree(desk, "nmr=postpone")
    game = games.get(desk.judge.store, "autumn")
    for seat in games.seats(desk.judge.store, game.id):
        setup.set_reader(desk.judge, "autumn", seat.power, language=language, timezone="UTC", who="op", now=desk.now)
    desk.receive()
    rulings.change_rules(desk.judge, "autumn", [("victory.clock.after", "25 h")], who="Ana", now=desk.now)
    desk.work()
    told = desk.receive()
    squeezed = {
        "".join(part.get_payload(decode=True).decode().split())
        for m in told
        for part in m.walk()
        if part.get_payload(decode=True)
    }
    assert len(told) == 7 and all("".join(words.split()) in text for text in squeezed)
    desk.pass_time(hours=24)
    assert desk.show("autumn")["phase"] == "S1901M"  # put off to hour 48
    turn.run_phase(desk.judge, "autumn", desk.now + timedelta(hours=2))
    assert (desk.show("autumn")["state"], desk.show("autumn")["phase"]) == ("running", "F1901M")
    turn.run_phase(desk.judge, "autumn", desk.now + timedelta(hours=3))
    assert (desk.show("autumn")["state"], desk.show("autumn")["ended_by"]) == ("ended", "victory.clock")
