"""The game master orders for a power, and makes somebody else the master."""

from __future__ import annotations

import re
from email.message import Message
from typing import Any

import pytest

from judge.play import door, setup
from judge.store import games

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any


def text(message: Message) -> str:
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


def to(mails: list[Message], who: str) -> list[Message]:
    return [one for one in mails if one["To"].startswith(who)]


@pytest.fixture
def mastered(desk: Desk) -> Desk:
    setup.set_master(desk.judge, "spring42", "master@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    return desk


def test_the_master_orders_for_a_power(mastered: Desk) -> None:
    mastered.mail("France", "A PAR - PIC\nREADY")
    mails = mastered.post("ORDER AS France\nA PAR - BUR\nA MAR - MOS\nRESIGN YES\nEND\nSTATUS", "master")
    assert mastered.held("France") == ["A PAR-BUR"]
    (receipt,) = to(mails, "france")
    assert "The game master has ordered for" in text(receipt) and "A Paris - Burgundy" in text(receipt)
    assert receipt["In-Reply-To"] is None
    (answer,) = to(mails, "master")
    assert "1 order was put on file for France" in text(answer) and "A MAR - MOS" in text(answer)
    assert "RESIGN YES" in text(answer)
    assert len(mails) == 2
    assert games.seat(mastered.judge.store, games.get(mastered.judge.store, "spring42").id, "France").address


def test_the_log_does_not_tell_the_orders(mastered: Desk) -> None:
    mastered.post("ORDER AS France\nA PAR - BUR\nEND", "master")
    rows = [str(dict(row)) for row in mastered.judge.store.rows("SELECT * FROM log WHERE what = 'ordered-for'")]
    assert len(rows) == 1 and "BUR" not in rows[0].upper()


def test_a_power_that_nobody_plays_is_ordered_for(mastered: Desk) -> None:
    mastered.post("EJECT France", "master")
    mails = mastered.post("ORDER AS France\nA PAR - BUR\nEND", "master")
    assert mastered.held("France") == ["A PAR-BUR"]
    assert len(mails) == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param("ORDER AS France\nEND", "orders are missing", id="no-lines"),
        pytest.param("ORDER AS Spain\nA PAR - BUR\nEND", "names no power", id="no-power"),
    ],
)
def test_what_cannot_be_ordered(mastered: Desk, body: str, told: str) -> None:
    (answer,) = mastered.post(body, "master")
    assert told in text(answer)
    assert mastered.held("France") == []


def test_who_plays_orders_for_nobody_else(desk: Desk) -> None:
    setup.set_master(desk.judge, "spring42", "italy@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    (answer,) = desk.post("ORDER AS France\nA PAR - BUR\nEND", "master")
    assert "plays a power" in text(answer)
    assert desk.held("France") == []


def test_the_master_makes_somebody_else_the_master(mastered: Desk) -> None:
    old = mastered.reply_to("master")
    mails = mastered.post("PROMOTE ana@example.org", "master")
    assert len(to(mails, "ana")) == 1
    assert len(to(mails, "master")) == 1 and "is the game master" in text(to(mails, "master")[0])
    others = [one for one in mails if not one["To"].startswith(("ana", "master"))]
    assert len(others) == 7 and all("another game master" in text(one) for one in others)
    assert not any("ana@" in text(one) for one in others)
    assert door.recipient(mastered.judge, old) is None
    answers = mastered.post("STATUS", "master", to=mastered.reply_to("master"))
    assert len(to(answers, "ana")) == 1
    (again,) = mastered.post("PROMOTE Ana@example.org", "master")
    assert "already" in text(again)
