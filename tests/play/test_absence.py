"""``nmr``: a power without orders at the deadline; the deadline is put off once, and never for ever."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import setup, turn, verify
from judge.store import games
from judge.variants import load_board, load_rules, with_key

Desk = Any


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def duel(desk: Desk) -> Any:
    """France and England by ``nmr``; the rest is played by nobody."""

    def begin(nmr: str) -> Desk:
        setup.create_game(
            desk.judge,
            "duel",
            rules=with_key(load_rules("standard"), "nmr", nmr, load_board()),
            players={"France": "france@example.net", "England": "england@example.net"},
            now=desk.now,
        )
        setup.start_game(desk.judge, "duel", desk.now)
        desk.work()
        desk.receive()
        return desk

    return begin


def write(desk: Desk, power: str, body: str) -> None:
    desk.mail(power, body, to=desk.reply_to(power, "duel"), sender=f"{power.lower()}@example.net")


def phase_of(desk: Desk) -> Any:
    return games.open_phase(desk.judge.store, games.get(desk.judge.store, "duel").id)


def mails(desk: Desk) -> list[Message]:
    return [m for m in desk.receive() if m["To"].endswith("@example.net")]


def test_it_is_put_off_once_and_everybody_is_told(duel: Any) -> None:
    desk = duel("postpone")
    write(desk, "France", "A Par - Bur")
    before = phase_of(desk)
    desk.pass_time(hours=24)
    after = phase_of(desk)
    assert (after.name, after.deadline) == ("S1901M", before.deadline + timedelta(hours=24))
    told = mails(desk)
    assert sorted(m["To"] for m in told) == ["england@example.net", "france@example.net"]
    for mail in told:
        notice = text_of(mail).partition("duel ·")[0]
        assert "Not every player has sent orders. The deadline is put off once" in notice
        assert "England" not in notice and "France" not in notice
    assert next(s["orders"] for s in desk.show("duel")["seats"] if s["power"] == "France") == ["A PAR-BUR"]
    desk.pass_time(hours=24)
    assert phase_of(desk).name == "F1901M"
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "duel")) == []


def test_orders_within_the_longer_time_count(duel: Any) -> None:
    desk = duel("postpone")
    desk.pass_time(hours=24)
    desk.now += timedelta(hours=1)
    write(desk, "England", "F Lon - Nth")
    assert desk.outcome == "orders"
    desk.pass_time(hours=24)
    assert {"power": "England", "type": "F", "at": "nth"} in desk.show("duel")["units"]


def test_nothing_is_put_off_when_all_players_have_written_or_nobody_plays_the_power(duel: Any) -> None:
    desk = duel("postpone")
    write(desk, "France", "A Par - Bur")
    write(desk, "England", "F Lon - Nth")
    desk.pass_time(hours=24)
    assert phase_of(desk).name == "F1901M"


@pytest.mark.parametrize("nmr", ["hold", "civil-disorder"])
def test_otherwise_the_phase_runs_and_units_hold(duel: Any, nmr: str) -> None:
    desk = duel(nmr)
    desk.pass_time(hours=24)
    assert phase_of(desk).name == "F1901M"
    assert {"power": "France", "type": "A", "at": "par"} in desk.show("duel")["units"]


def test_who_runs_the_phase_by_hand_waits_for_nobody(duel: Any) -> None:
    desk = duel("postpone")
    turn.run_phase(desk.judge, "duel", desk.now, who="operator")
    assert phase_of(desk).name == "F1901M"


def test_each_phase_is_put_off_for_itself(duel: Any) -> None:
    desk = duel("postpone")
    names = []
    for _ in range(4):
        desk.pass_time(hours=24)
        names.append(phase_of(desk).name)
    assert names == ["S1901M", "F1901M", "F1901M", "S1902M"]
