"""A power that loses its player is offered to those who stand ready: in a fair order, one at a time, with time to answer."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import offering, rulings, setup, turn
from judge.store import games, people, seatchanges, standby

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
JUDGE = "judge@judge.example.org"


def said(message: Message) -> str:
    """The text of a mail without its line breaks."""
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


def to(mails: list[Message], who: str) -> list[Message]:
    return [one for one in mails if one["To"].lower().startswith(who.lower())]


def write(desk: Desk, body: str, sender: str, **more: Any) -> list[Message]:
    return list(desk.post(body, "Somebody", sender=sender, to=more.pop("to", JUDGE), **more))


def answer(desk: Desk, mail: Message, body: str) -> list[Message]:
    return write(desk, body, mail["To"], to=mail["Reply-To"], answering=mail)


def stands_ready(desk: Desk, name: str, body: str = "STANDBY") -> Message:
    """Somebody stands ready who was not known before; the mail that says so."""
    (asked,) = to(write(desk, body, f"{name}@example.org"), name)
    mails = answer(desk, asked, "YES")
    desk.now += timedelta(minutes=1)
    return next(one for one in mails if "STANDING READY" in said(one))


def resign(desk: Desk, power: str = "France") -> list[Message]:
    return list(desk.post("RESIGN YES", power))


def seat(desk: Desk, power: str = "France") -> games.Seat:
    return games.seat(desk.judge.store, games.get(desk.judge.store, "spring42").id, power)


def states(desk: Desk) -> list[str]:
    return [row["state"] for row in desk.judge.store.rows("SELECT state FROM offers ORDER BY id")]


# STANDBY


def test_a_stranger_is_asked_first_and_the_second_time_changes_nothing(desk: Desk) -> None:
    (asked,) = write(desk, "STANDBY", "nils@example.org")
    assert desk.outcome == "asked" and "STANDBY" in said(asked)
    assert desk.judge.store.rows("SELECT * FROM standbys") == []
    (done,) = answer(desk, asked, "YES")
    assert "You stand ready for any game" in said(done)
    (again,) = write(desk, "STANDBY", "nils@example.org", to=done["Reply-To"])
    assert "nothing has changed" in said(again)
    assert len(desk.judge.store.rows("SELECT * FROM standbys")) == 1


def test_off_takes_it_back_for_one_game_or_for_all(desk: Desk) -> None:
    own = stands_ready(desk, "nils")["Reply-To"]
    (one,) = write(desk, "STANDBY spring42", "nils@example.org", to=own)
    assert "any game" in said(one)
    (off,) = write(desk, "STANDBY OFF spring42", "nils@example.org", to=own)
    assert "any game" in said(off)
    (off,) = write(desk, "STANDBY OFF", "nils@example.org", to=own)
    assert "not stand ready any more" in said(off)
    (again,) = write(desk, "STANDBY OFF", "nils@example.org", to=own)
    assert "nothing has changed" in said(again)
    assert desk.judge.store.rows("SELECT * FROM standbys") == []


def test_a_game_that_is_not_there_is_refused(desk: Desk) -> None:
    own = stands_ready(desk, "nils")["Reply-To"]
    (refused,) = write(desk, "STANDBY autumn9", "nils@example.org", to=own)
    assert "no game" in said(refused)


# offers


def test_who_waits_longest_is_offered_the_power_and_takes_it(desk: Desk) -> None:
    stands_ready(desk, "nils")
    stands_ready(desk, "mia")
    desk.post("A PAR - BUR", "France")
    mails = resign(desk)
    assert to(mails, "mia") == []
    (offer,) = to(mails, "nils")
    words = said(offer)
    assert "France in the game spring42" in words and "Paris" in words and "1 order of the player before" in words
    assert "BUR" not in words  # what is on file is the player's secret until somebody plays it
    mails = answer(desk, offer, "YES")
    assert seat(desk).address == "nils@example.org"
    assert any("You play France" in said(one) for one in to(mails, "nils"))
    assert desk.show()["deadline"].startswith("2026-12-03T12:00")  # a whole phase
    assert all(to(mails, power.lower()) for power in ("England", "Italy", "Turkey"))
    assert states(desk) == ["accepted"]
    (again,) = answer(desk, offer, "YES")
    assert "nothing has changed" in said(again)
    assert desk.show()["deadline"].startswith("2026-12-03T12:00")


def test_no_goes_to_the_next_and_nobody_is_asked_twice(desk: Desk) -> None:
    stands_ready(desk, "nils")
    stands_ready(desk, "mia")
    (offer,) = to(resign(desk), "nils")
    mails = answer(desk, offer, "NO")
    assert "declined" in said(to(mails, "nils")[0])
    (second,) = to(mails, "mia")
    (told,) = answer(desk, offer, "NO")
    assert "nothing has changed" in said(told)
    (told,) = answer(desk, second, "NO")
    assert states(desk) == ["declined", "declined"] and seat(desk).address is None
    (late,) = answer(desk, offer, "YES")
    assert "nothing has changed" in said(late) and seat(desk).address is None


def test_an_offer_lapses_and_goes_to_the_next(desk: Desk) -> None:
    stands_ready(desk, "nils")
    stands_ready(desk, "mia")
    (offer,) = to(resign(desk), "nils")
    due = turn.next_due(desk.judge.store)
    assert due == desk.now + timedelta(hours=12)  # half of a phase of 24 h
    desk.pass_time(hours=11)
    assert to(desk.receive(), "mia") == []
    desk.pass_time(hours=1)
    (second,) = to(desk.receive(), "mia")
    (late,) = answer(desk, offer, "YES")
    assert "The time to answer was over" in said(late) and seat(desk).address is None
    answer(desk, second, "Yes!")
    assert seat(desk).address == "mia@example.org"
    # whoever let it pass does not stand ready any more
    assert [one.address for one in standby.waiting(desk.judge.store, seat(desk).game_id)] == ["mia@example.org"]


def test_two_who_want_it_at_once_one_gets_it_the_other_a_friendly_word(desk: Desk) -> None:
    stands_ready(desk, "nils")
    (offer,) = to(resign(desk), "nils")
    (asked,) = write(desk, "JOIN spring42 France", "mia@example.org")
    answer(desk, asked, "YES")
    assert seat(desk).address == "mia@example.org" and states(desk) == ["gone"]
    (told,) = answer(desk, offer, "YES")
    assert "not free any more. Thank you" in said(told)
    assert seat(desk).address == "mia@example.org"


def test_join_by_who_was_offered_it_is_a_yes(desk: Desk) -> None:
    own = stands_ready(desk, "nils")["Reply-To"]
    resign(desk)
    write(desk, "JOIN spring42 France", "nils@example.org", to=own)
    assert seat(desk).address == "nils@example.org" and states(desk) == ["accepted"]


def test_who_plays_watches_or_has_left_the_game_is_not_asked(desk: Desk) -> None:
    for name in ("england", "france", "vera"):
        stands_ready(desk, name)
    vera = people.of_mailbox(desk.judge.store, "vera@example.org")
    assert vera is not None
    write(desk, "OBSERVE spring42", "vera@example.org", to=stands_ready(desk, "ulf")["Reply-To"])
    with desk.judge.store.transaction():
        people.observe(desk.judge.store, seat(desk).game_id, vera.id, desk.now)
        standby.drop(desk.judge.store, people.of_mailbox(desk.judge.store, "ulf@example.org").id)  # type: ignore[union-attr]
    resign(desk)
    assert states(desk) == []


def test_one_offer_at_a_time_and_few_a_day(desk: Desk) -> None:
    stands_ready(desk, "nils")
    resign(desk, "France")
    resign(desk, "Italy")
    assert states(desk) == ["open"]
    desk.pass_time(hours=1)
    assert states(desk) == ["open"]


def test_whom_the_rules_keep_out_is_not_asked(desk: Desk) -> None:
    rulings.change_rules(
        desk.judge, "spring42", [("entry.reliability", "80 %"), ("entry.newcomers", "no")], who="Ana", now=desk.now
    )
    desk.pass_time(hours=23)
    desk.receive()
    stands_ready(desk, "nils")
    resign(desk)
    assert states(desk) == []


def test_none_in_the_rules_offers_nothing(desk: Desk) -> None:
    rulings.change_rules(desk.judge, "spring42", [("powers.offers", "none")], who="Ana", now=desk.now)
    desk.pass_time(hours=23)
    stands_ready(desk, "nils")
    resign(desk)
    assert states(desk) == []


def test_who_begins_to_stand_ready_is_offered_what_is_free(desk: Desk) -> None:
    resign(desk)
    (asked,) = write(desk, "STANDBY spring42", "nils@example.org")
    mails = answer(desk, asked, "YES")
    assert len(mails) == 2 and any("A POWER IS OFFERED TO YOU" in said(one) for one in mails)
    assert states(desk) == ["open"]


def test_a_phase_that_opens_offers_it_again_to_whoever_came_since(desk: Desk) -> None:
    stands_ready(desk, "nils")
    (offer,) = to(resign(desk), "nils")
    answer(desk, offer, "NO")
    stands_ready(desk, "mia", "STANDBY spring42")
    assert states(desk) == ["declined", "open"]
    desk.pass_time(hours=12)
    desk.pass_time(hours=11)
    assert states(desk) == ["declined", "lapsed"]


def test_an_offer_of_a_game_that_ended_is_nobodys_fault(desk: Desk) -> None:
    stands_ready(desk, "nils")
    (offer,) = to(resign(desk), "nils")
    rulings.change_rules(desk.judge, "spring42", [("victory.end.turn", "F1901")], who="Ana", now=desk.now)
    for _ in range(4):
        if games.get(desk.judge.store, "spring42").state == "running":
            turn.run_phase(desk.judge, "spring42", desk.now)
    assert games.get(desk.judge.store, "spring42").state == "ended"
    offering.lapse_due(desk.judge, desk.now + timedelta(days=1))
    assert states(desk) == ["gone"] and len(desk.judge.store.rows("SELECT * FROM standbys")) == 1
    (told,) = to(answer(desk, offer, "YES"), "nils")
    assert "not free any more" in said(told)


# the master


@pytest.fixture
def mastered(desk: Desk) -> Desk:
    setup.set_master(desk.judge, "spring42", "master@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    return desk


def test_where_the_master_fills_seats_nothing_is_offered_before_the_master_says_so(mastered: Desk) -> None:
    stands_ready(mastered, "nils")
    stands_ready(mastered, "mia")
    resign(mastered)
    assert states(mastered) == []
    mails = mastered.post("OFFER SEAT France", "master")
    assert "France is offered" in said(to(mails, "master")[0])
    (offer,) = to(mails, "nils")
    mails = mastered.post("OFFER SEAT France", "master")
    assert "already" in said(to(mails, "master")[0]) and states(mastered) == ["open"]
    (second,) = to(answer(mastered, offer, "NO"), "mia")
    mails = answer(mastered, second, "YES")
    assert seat(mastered).address == "mia@example.org"
    assert "new player" in said(to(mails, "master")[0])
    log = mastered.post("LOG", "master")
    assert "offered France to somebody" in said(to(log, "master")[0]) and "mia@" not in said(log[0])


def test_a_seat_with_a_player_or_without_anybody_to_ask_is_not_offered(mastered: Desk) -> None:
    (told,) = to(mastered.post("OFFER SEAT England", "master"), "master")
    assert "England has a player" in said(told)
    mastered.post("EJECT France BECAUSE of a test", "master")
    (told,) = to(mastered.post("OFFER SEAT France", "master"), "master")
    assert "Nobody who stands ready" in said(told)


def test_a_master_who_is_ejecting_offers_at_once_where_anybody_may_come(mastered: Desk) -> None:
    rulings.change_rules(mastered.judge, "spring42", [("powers.takeover", "open")], who="Ana", now=mastered.now)
    mastered.pass_time(hours=23)
    stands_ready(mastered, "nils")
    mails = mastered.post("EJECT France BECAUSE of a test", "master")
    assert len(to(mails, "nils")) == 1 and states(mastered) == ["open"]


def test_who_comes_back_to_their_own_power_puts_nothing_off(mastered: Desk) -> None:
    resign(mastered)
    before = mastered.show()["deadline"]
    mastered.now += timedelta(hours=3)
    mastered.post("REPLACE France france@example.org", "master")
    assert seat(mastered).address == "france@example.org"
    assert mastered.show()["deadline"] == before
    changes = seatchanges.of_game(mastered.judge.store, seat(mastered).game_id)
    assert [one.put_off for one in changes if one.kind == "taken"] == [False]


# people


def test_who_is_forgotten_stands_ready_for_nothing(desk: Desk) -> None:
    stands_ready(desk, "nils")
    person = people.of_mailbox(desk.judge.store, "nils@example.org")
    assert person is not None
    with desk.judge.store.transaction():
        people.forget(desk.judge.store, person.id, "gone-1")
    assert desk.judge.store.rows("SELECT * FROM standbys") == []


def test_an_offer_stands_in_the_export(desk: Desk) -> None:
    own = stands_ready(desk, "nils")["Reply-To"]
    resign(desk)
    (brought,) = write(desk, "EXPORT", "nils@example.org", to=own)
    part = next(one for one in brought.walk() if one.get_content_type() == "application/json")
    data = json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
    assert [one["game"] for one in data["stands_ready_for"]] == [None]
    assert [(one["game"], one["power"], one["state"]) for one in data["offered"]] == [("spring42", "France", "open")]
