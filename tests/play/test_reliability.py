"""How often orders came in time: counted from what is stored, told by RECORD, asked for at the entry."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import Message
from typing import Any

import pytest

from judge.play import reliability, seats, setup
from judge.play.rulings import RulesRefused
from judge.store import duties, games
from judge.store.duties import Counts
from judge.variants import load_rules

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any


def text(message: Message) -> str:
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


def counts(desk: Desk, who: str) -> Counts:
    return duties.counts(desk.judge.store, f"{who}@example.org")


def owe(desk: Desk, who: str, phases: int, in_time: int) -> None:
    """So many phases of a game of its own that somebody owed orders for, as they would be stored."""
    store = desk.judge.store
    with store.transaction():
        game = games.create(
            store,
            name=f"past-{who}",
            variant="standard",
            rules="{}",
            rules_name="",
            schedule="1 d",
            early=True,
            now=desk.now,
        )
        for number in range(phases):
            phase = games.open_phase_row(
                store, game_id=game, number=number, attempt=1, name="S1901M", position="{}", now=desk.now, deadline=None
            )
            games.processed(store, phase, desk.now, "{}")
            duties.add(store, phase, {"France": f"{who}@example.org"})
            if number < in_time:
                store.run("INSERT INTO standings (phase_id, power, ready, wait) VALUES (?, 'France', 1, 0)", phase)


def test_in_time_late_and_missed(desk: Desk) -> None:
    raw, to, sender = desk.write("Germany", "A BER - KIE", date=desk.now)
    desk.post("A PAR - BUR", "France")
    desk.pass_time(hours=23)
    desk.now = desk.now.replace(minute=5)
    desk.deliver(raw, to, sender)
    assert counts(desk, "france") == Counts(1, 1, 0, 0, 0, 0)
    assert counts(desk, "italy") == Counts(1, 0, 0, 1, 0, 0)


def test_orders_that_came_too_late_are_no_silence(desk: Desk) -> None:
    start = next(one for one in desk.sent if one["To"].startswith("germany"))
    desk.pass_time(hours=23)
    desk.post("A BER - KIE", "Germany", answering=start)
    assert counts(desk, "germany") == Counts(1, 0, 1, 0, 0, 0)


def test_who_owes_nothing_has_missed_nothing(desk: Desk) -> None:
    desk.pass_time(hours=23)
    desk.pass_time(hours=24)
    # nobody moved: there is nothing to build or to retreat from, and the Spring is open
    assert counts(desk, "france").owed == 2


def test_powers_given_up_are_told(desk: Desk) -> None:
    desk.post("RESIGN YES", "France")
    assert counts(desk, "france") == Counts(0, 0, 0, 0, 1, 0)


def test_record_tells_a_player_their_own_and_the_master_all(desk: Desk) -> None:
    desk.post("A PAR - BUR", "France")
    desk.pass_time(hours=23)
    setup.set_master(desk.judge, "spring42", "master@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    (own,) = desk.post("RECORD", "France")
    assert "1 of 1 phases in time" in text(own) and "Italy" not in text(own)
    (answer,) = desk.post("RECORD", "master")
    assert text(answer).count("phases in time") == 7 and "0 of 1 phases in time, 0 late, 1 missed" in text(answer)


@pytest.mark.parametrize(
    ("owed", "in_time", "newcomers", "code"),
    [
        pytest.param(10, 9, "yes", None, id="as-reliable-as-asked"),
        pytest.param(10, 8, "yes", "entry.unreliable", id="less"),
        pytest.param(9, 0, "yes", None, id="newcomers-may"),
        pytest.param(9, 9, "no", "entry.newcomer", id="newcomers-may-not"),
    ],
)
def test_who_may_come_into_a_game(desk: Desk, owed: int, in_time: int, newcomers: str, code: str | None) -> None:
    owe(desk, "nils", owed, in_time)
    rules = replace(load_rules("standard"), entry_reliability="90 %", entry_newcomers=newcomers)  # type: ignore[arg-type]
    if code is None:
        reliability.check(desk.judge, rules, "nils@example.org")
        return
    with pytest.raises(RulesRefused) as refused:
        reliability.check(desk.judge, rules, "nils+games@example.org")
    assert refused.value.code == code


def test_an_open_seat_asks_too_and_the_master_does_not(under: Any) -> None:
    desk = under("entry.reliability=90 %", "entry.newcomers=no")
    desk.post("RESIGN YES", "France")
    game = games.get(desk.judge.store, "spring42")
    store = desk.judge.store
    with store.transaction(), pytest.raises(RulesRefused):
        seats.take_over(desk.judge, game, "France", "nils@example.org", "en", "UTC", "France", desk.now)
    setup.set_master(desk.judge, "spring42", "master@example.org", who="operator", now=desk.now)
    desk.post("REPLACE France nils@example.org", "master")
    assert games.seat(store, game.id, "France").address == "nils@example.org"
