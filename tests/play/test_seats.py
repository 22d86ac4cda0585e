"""Seats that change hands: a player resigns, the master takes seats away and gives them, a newcomer takes one over."""

from __future__ import annotations

import re
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

import pytest

from judge.play import door, seats, setup
from judge.store import games, orders, seatchanges

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
NILS = "nils@example.org"


def text(message: Message) -> str:
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


def to(mails: list[Message], who: str) -> list[Message]:
    return [one for one in mails if one["To"].lower().startswith(who.lower())]


def resign(desk: Desk, power: str = "France") -> list[Message]:
    return list(desk.post("RESIGN YES", power))


def take_over(desk: Desk, power: str = "France", address: str = NILS) -> list[Message]:
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        seats.take_over(desk.judge, game, power, address, "en", "UTC", "player", desk.now)
    desk.work()
    return list(desk.receive())


def seat(desk: Desk, power: str = "France") -> games.Seat:
    return games.seat(desk.judge.store, games.get(desk.judge.store, "spring42").id, power)


@pytest.fixture
def mastered(desk: Desk) -> Desk:
    setup.set_master(desk.judge, "spring42", "master@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    return desk


# RESIGN


def test_a_resignation_is_asked_about_once(desk: Desk) -> None:
    (asked,) = desk.post("RESIGN", "France")
    assert "final" in text(asked) and "RESIGN YES" in text(asked)
    assert seat(desk).address == "france@example.org"
    (again,) = desk.post("RESIGN\n", "France")
    assert "final" in text(again)


def test_yes_in_answer_to_the_question_does_it(desk: Desk) -> None:
    (asked,) = desk.post("RESIGN", "France")
    mails = desk.post("Yes", "France", answering=asked)
    assert seat(desk).address is None
    (farewell,) = to(mails, "france")
    assert "You have resigned" in text(farewell)
    assert farewell["Reply-To"] is None


@pytest.mark.parametrize("said", ["Yes", "No", "YES\nNO"])
def test_yes_to_anything_else_resigns_nobody(desk: Desk, said: str) -> None:
    (asked,) = desk.post("RESIGN", "France")
    other = desk.post("STATUS", "France")[0]
    desk.post(said, "France", answering=other)
    if said != "Yes":
        desk.post(said, "France", answering=asked)
    assert seat(desk).address == "france@example.org"


def test_all_others_are_told_once_and_the_old_address_is_refused(desk: Desk) -> None:
    old = desk.reply_to("France")
    mails = resign(desk)
    assert len(mails) == 7
    others = [one for one in mails if not one["To"].startswith("france")]
    assert all("JOIN spring42 France" in text(one) for one in others)
    assert not any("@example.org" in text(one) for one in others)
    assert door.recipient(desk.judge, old) is None


def test_orders_on_file_stay_and_nobody_waits_for_the_power(desk: Desk) -> None:
    desk.post("A PAR - BUR\nWAIT", "France")
    resign(desk)
    phase = games.open_phase(desk.judge.store, seat(desk).game_id)
    assert phase is not None
    assert [one.text for one in orders.held(desk.judge.store, phase.id, "France")] == ["A PAR-BUR"]
    assert not orders.standing(desk.judge.store, phase.id, "France").wait
    desk.pass_time(hours=23)
    assert desk.show()["phase"] == "F1901M"


def test_a_mail_on_its_way_when_the_seat_changed_hands_is_nobodys(desk: Desk) -> None:
    raw, address, sender = desk.write("France", "A PAR - PIC")
    desk.deliver(*desk.write("France", "RESIGN YES"))
    desk.now += timedelta(seconds=1)
    desk.deliver(raw, address, sender)
    desk.now += timedelta(seconds=1)
    desk.work()
    take_over(desk)
    assert desk.held("France") == []
    assert not any(NILS in one["To"] and "PIC" in text(one) for one in desk.sent)


# a newcomer


def test_a_newcomer_gets_the_position_and_a_whole_phase(desk: Desk) -> None:
    desk.post("A PAR - BUR", "France")
    resign(desk)
    mails = take_over(desk)
    (start,) = to(mails, "nils")
    assert "You play France" in text(start) and "Edinburgh" in text(start)
    assert "1 order of the player before you is on file" in text(start)
    others = [one for one in mails if one is not start]
    assert len(others) == 6 and all("France has a new player" in text(one) and "put off" in text(one) for one in others)
    assert not any(NILS in text(one) for one in others)
    assert desk.show()["deadline"].startswith("2026-12-03T12:00")
    desk.post("A PAR - PIC", "France")
    assert desk.held("France") == ["A PAR-PIC"]


def test_a_newcomer_who_has_nothing_to_order_is_told_so(desk: Desk) -> None:
    desk.post("A PAR-BUR\nA MAR-SPA\nF BRE-MAO", "France")
    desk.pass_time(hours=24)
    desk.pass_time(hours=24)
    desk.receive()
    assert desk.show()["phase"] == "W1901A"
    desk.deliver(*desk.write("Italy", "RESIGN YES"))
    desk.work()
    desk.receive()
    (start,) = to(take_over(desk, "Italy"), "nils")
    words, subject = text(start), str(make_header(decode_header(start["Subject"])))
    assert "order 0" not in words
    assert subject.endswith("you play Italy · nothing to order")
    assert "DO NOW nothing to order" in words and "to answer, reply" not in words and "YOUR UNITS" not in words


def test_the_deadline_is_put_off_once_a_seat_and_not_for_ever(desk: Desk) -> None:
    resign(desk)
    take_over(desk)
    assert desk.show()["deadline"].startswith("2026-12-03T12")
    desk.now += timedelta(hours=24)
    resign(desk, "France")
    take_over(desk, address="olga@example.org")
    assert desk.show()["deadline"].startswith("2026-12-03T12")
    resign(desk, "Italy")
    take_over(desk, "Italy", "pia@example.org")
    assert desk.show()["deadline"].startswith("2026-12-04T12")
    desk.now += timedelta(hours=24)
    resign(desk, "Russia")
    take_over(desk, "Russia", "rolf@example.org")
    assert desk.show()["deadline"].startswith("2026-12-04T12")


@pytest.mark.parametrize(
    ("power", "address", "code"),
    [
        pytest.param("Italy", NILS, "seat.has-player", id="has-a-player"),
        pytest.param("France", "italy@example.org", "seat.another", id="plays-another"),
        pytest.param("France", "France+x@example.org", "seat.left-before", id="resigned-from-it"),
    ],
)
def test_who_cannot_take_a_seat_over(desk: Desk, power: str, address: str, code: str) -> None:
    resign(desk)
    with pytest.raises(seats.SeatRefused) as refused:
        take_over(desk, power, address)
    assert refused.value.code == code


def test_open_seats_are_those_that_somebody_may_take(desk: Desk) -> None:
    game = games.get(desk.judge.store, "spring42")
    assert seats.open_seats(desk.judge, game) == ()
    resign(desk)
    assert seats.open_seats(desk.judge, game) == ("France",)


# REPLACE and EJECT


def test_the_master_gives_a_seat_to_somebody_else(mastered: Desk) -> None:
    mails = mastered.post("REPLACE France nils@example.org BECAUSE he is ill", "master")
    assert seat(mastered).address == NILS
    (lost,) = to(mails, "france")
    assert "given France to another player" in text(lost) and "he is ill" in text(lost)
    assert "HELP brings" not in text(lost) and "you play France" not in text(lost)
    (shown,) = [one for one in lost.walk() if one.get_content_type() == "text/html"]
    page = shown.get_payload(decode=True).decode()  # type: ignore[union-attr]
    assert "you play France" not in page and "HELP in a reply" not in page
    (answer,) = to(mails, "master")
    assert NILS in text(answer)
    assert len(to(mails, "nils")) == 1
    others = [
        one for one in mails if one["To"].split("@")[0] in ("italy", "russia", "turkey", "austria", "england", "germany")
    ]
    assert len(others) == 6 and all("France has a new player" in text(one) for one in others)
    assert not any(NILS in text(one) or "ill" in text(one).split() for one in others)
    (again,) = mastered.post("REPLACE France nils@example.org", "master")
    assert "played from that address already" in text(again)


def test_the_master_takes_a_seat_away(mastered: Desk) -> None:
    mails = mastered.post("EJECT France BECAUSE no orders came", "master")
    assert seat(mastered).address is None
    (lost,) = to(mails, "france")
    assert "taken France away from you" in text(lost) and "no orders came" in text(lost)
    (again,) = mastered.post("EJECT France", "master")
    assert "Nobody plays France" in text(again)
    kinds = [row.kind for row in seatchanges.of_game(mastered.judge.store, seat(mastered).game_id)]
    assert kinds == ["ejected"]


def test_the_master_declares_a_seat_open_and_seats_a_player_who_left(mastered: Desk) -> None:
    mastered.post("REPLACE France", "master")
    assert seat(mastered).address is None
    mails = mastered.post("REPLACE France france@example.org", "master")
    assert seat(mastered).address == "france@example.org"
    assert "Edinburgh" in text(to(mails, "france")[0])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("REPLACE Spain nils@example.org", "names no power", id="no-power"),
        pytest.param("REPLACE France judge@judge.example.org", "address of the judge itself", id="our-address"),
        pytest.param("REPLACE France italy@example.org", "Italy is played", id="plays-another"),
    ],
)
def test_what_the_master_cannot_have(mastered: Desk, line: str, told: str) -> None:
    (answer,) = mastered.post(line, "master")
    assert told in text(answer)
    assert seat(mastered).address == "france@example.org"
