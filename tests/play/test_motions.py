"""Motions in games without a master: what passes when, that the silent neither carry nor stop anything, and who is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.commands import parse
from judge.play import mastermail
from judge.store import codec, games

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
#: the first phase's deadline, in the fixture's game
DEADLINE = datetime(2026, 12, 2, 12, tzinfo=UTC)


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            body = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
            return " ".join(body.replace("\u00a0", " ").split())
    raise AssertionError("no text part")


def to(mails: list[Message], power: str) -> list[Message]:
    return [mail for mail in mails if mail["To"] == f"{power.lower()}@example.org"]


def one_a_person(mails: list[Message], count: int = 7) -> bool:
    return len(mails) == count and len({mail["To"] for mail in mails}) == count


def deadline(desk: Desk) -> datetime | None:
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "spring42").id)
    assert phase is not None
    return phase.deadline


def states(desk: Desk) -> list[str]:
    return [row["state"] for row in desk.judge.store.rows("SELECT state FROM motions ORDER BY number")]


def say(desk: Desk, said: dict[str, str]) -> list[Message]:
    """Several players write in turn; what goes out because of the last."""
    mails: list[Message] = []
    for power, line in said.items():
        mails = desk.post(line, power)
    return mails


# what passes


def test_a_motion_of_more_than_half_passes_at_once(desk: Desk) -> None:
    mails = desk.post("EXTEND 48 h", "France")
    assert one_a_person(mails)
    assert "France proposes (motion 1): The deadline is put off by 2 days." in text_of(to(mails, "Italy")[0])
    assert "Answer with a line “AYE 1” or “NAY 1”." in text_of(to(mails, "Italy")[0])
    assert "You propose it, and so you are for it." in text_of(to(mails, "France")[0])
    for power in ("England", "Germany"):
        mails = desk.post("AYE 1", power)
        assert one_a_person(mails, 1) and "You are for it." in text_of(mails[0])
    assert deadline(desk) == DEADLINE
    mails = desk.post("AYE 1", "Italy")
    assert one_a_person(mails)
    assert "It has passed." in text_of(to(mails, "Italy")[0])
    assert "new deadline" in to(mails, "Turkey")[0]["Subject"]
    assert "a vote of the players" in text_of(to(mails, "Turkey")[0])
    assert deadline(desk) == DEADLINE + timedelta(hours=48)
    assert states(desk) == ["passed"]


def test_the_silent_do_not_stop_a_motion_whose_time_is_up(desk: Desk) -> None:
    say(desk, {"France": "PROPOSE EXTEND 24 h", "England": "AYE 1", "Italy": "NAY 1"})
    assert desk.pass_time(hours=23) == []
    assert deadline(desk) == DEADLINE + timedelta(hours=24)
    assert one_a_person(desk.receive())
    assert states(desk) == ["passed"]


@pytest.mark.parametrize(
    "said",
    [
        {"France": "EXTEND 24 h"},
        {"France": "EXTEND 24 h", "England": "AYE 1", "Italy": "NAY 1", "Turkey": "NAY"},
    ],
    ids=["one alone", "as many against it"],
)
def test_what_too_few_are_for_fails_when_its_time_is_up(desk: Desk, said: dict[str, str]) -> None:
    say(desk, said)
    assert desk.pass_time(hours=23) == ["spring42"]
    assert states(desk) == ["failed"]
    mails = desk.receive()
    assert any("motion 1 has failed" in mail["Subject"] for mail in to(mails, "Germany"))


def test_what_more_than_half_are_against_fails_at_once(desk: Desk) -> None:
    mails = say(desk, {"France": "EXTEND 24 h", **{power: "NAY 1" for power in ("Austria", "England", "Germany", "Italy")}})
    assert one_a_person(mails)
    assert "has failed, with 1 for it and 4 against it: The deadline is put off by 1 day." in text_of(to(mails, "Turkey")[0])
    assert "It has failed: more than half are against it." in text_of(to(mails, "Italy")[0])
    assert states(desk) == ["failed"] and deadline(desk) == DEADLINE


def test_a_pause_and_its_end(desk: Desk) -> None:
    say(desk, {"France": "PAUSE UNTIL 20 Dec", **{power: "AYE" for power in ("Austria", "England", "Germany")}})
    assert games.get(desk.judge.store, "spring42").paused_at is not None and deadline(desk) is None
    assert desk.pass_time(days=3) == []
    desk.receive()
    mails = say(desk, {"Turkey": "RESUME", **{power: "AYE 2" for power in ("Austria", "England", "Germany")}})
    assert one_a_person(mails)
    assert games.get(desk.judge.store, "spring42").paused_at is None
    assert deadline(desk) is not None and deadline(desk) >= desk.now + timedelta(hours=23)


def test_a_seat_is_declared_open(desk: Desk) -> None:
    said = {"France": "REPLACE ITALY", **{power: "AYE 1" for power in ("Austria", "England", "Germany")}}
    mails = say(desk, said)
    assert one_a_person(mails)
    seats = {seat["power"]: seat["address"] for seat in desk.show()["seats"]}
    assert seats["Italy"] is None and seats["France"] == "france@example.org"


# bounds


def test_three_extensions_a_phase_and_fourteen_days(desk: Desk) -> None:
    voters = ("Austria", "England", "Germany")
    (mail,) = desk.post("EXTEND 15 days", "France")
    assert "from an hour to 14 days in a phase" in text_of(mail)
    for number in (1, 2, 3):
        say(desk, {"France": "EXTEND 2 days", **{power: f"AYE {number}" for power in voters}})
        assert deadline(desk) == DEADLINE + timedelta(days=2 * number)
    (mail,) = desk.post("EXTEND 2 days", "France")
    assert "The deadline of a phase is put off by vote 3 times at most." in text_of(mail)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("PAUSE", "A pause that is voted has an end: “PAUSE UNTIL 3 Jan”."),
        ("PAUSE UNTIL 20 Dec 2027", "for 60 days at most"),
        ("RESUME", "is not paused"),
        ("REPLACE FRANCE", "“RESIGN”"),
        ("REPLACE ITALY WITH ivo@example.org", "“REPLACE ITALY”"),
        ("PROPOSE EXTEND the war", "EXTEND 48 h"),
        ("AYE", "No motion is open."),
        ("AYE 7", "There is no motion 7."),
    ],
)
def test_what_cannot_be_put_to_the_vote(desk: Desk, line: str, said: str) -> None:
    (mail,) = desk.post(line, "France")
    assert said in text_of(mail)
    assert states(desk) == []


@pytest.mark.parametrize("line", ["EXTEND 48 h", "PAUSE", "RESUME", "REPLACE ITALY", "PROPOSE EXTEND 48 h", "AYE 1"])
def test_where_a_master_decides_players_are_told_to_write_there(desk: Desk, line: str) -> None:
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.net", who="operator", now=desk.now, letter=False)
    (mail,) = desk.post(line, "France")
    assert "This game has a master who decides that: write to the master with “PRESS TO MASTER”." in text_of(mail)
    assert states(desk) == []


def test_one_motion_of_a_kind_is_open(desk: Desk) -> None:
    desk.post("EXTEND 48 h", "France")
    (mail,) = desk.post("EXTEND 24 h", "England")
    assert "Another motion of this kind is open: “AYE 1”" in text_of(mail)
    assert states(desk) == ["open"]


def test_the_same_motion_again_is_an_aye(desk: Desk) -> None:
    desk.post("EXTEND 48 h", "France")
    (mail,) = desk.post("EXTEND 48 h", "England")
    assert "You are for it. " in text_of(mail) and "For it: 2, against it: 0, of 7." in text_of(mail)
    (mail,) = desk.post("EXTEND 48 h", "France")
    assert "You had said so already." in text_of(mail)
    assert states(desk) == ["open"]


def test_said_twice_it_is_said_once_and_changed_it_counts_once(desk: Desk) -> None:
    desk.post("EXTEND 48 h", "France")
    desk.post("AYE 1", "England")
    (mail,) = desk.post("AYE 1", "England")
    assert "You had said so already." in text_of(mail) and "For it: 2" in text_of(mail)
    (mail,) = desk.post("NAY 1", "England")
    assert "You are against it." in text_of(mail) and "For it: 1, against it: 1" in text_of(mail)


def test_a_motion_lapses_with_its_phase(desk: Desk) -> None:
    desk.post("PAUSE UNTIL 20 Dec", "France")
    desk.post("REPLACE ITALY", "England")
    desk.pass_time(hours=23)
    desk.receive()
    assert "open" not in states(desk)
    (mail,) = desk.post("AYE 1", "England")
    assert "Motion 1 is decided, or its time is up." in text_of(mail)


def test_a_ballot_that_came_when_time_was_up_is_none(desk: Desk) -> None:
    desk.post("EXTEND 48 h", "France")
    desk.now = DEADLINE + timedelta(seconds=5)
    (mail,) = desk.post("AYE 1", "England")
    assert "You are for it." not in text_of(mail)
    assert desk.judge.store.rows("SELECT power FROM ballots") == [{"power": "France"}]


def test_a_ballot_in_answer_to_an_older_phase_is_none(desk: Desk) -> None:
    (old,) = desk.post("STATUS", "England")
    desk.pass_time(hours=23)
    desk.receive()
    desk.post("EXTEND 48 h", "France")
    (mail,) = desk.post("AYE 1", "England", answering=old)
    assert "AYE is about the phase that is open, and your mail answers another one" in text_of(mail)


def test_who_is_out_has_no_voice(desk: Desk) -> None:
    store = desk.judge.store
    phase = games.open_phase(store, games.get(store, "spring42").id)
    assert phase is not None
    before = codec.position_from_text(phase.position)
    owners = {at: power for at, power in before.owners.items() if power != "Turkey"}
    after = replace(before, units=tuple(u for u in before.units if u.power != "Turkey"), owners=owners)
    with store.transaction():
        store.run("UPDATE phases SET position = ? WHERE id = ?", codec.position_to_text(after), phase.id)
    for line in ("EXTEND 48 h", "AYE 1"):
        (mail,) = desk.post(line, "Turkey")
        assert "Turkey has nothing left on the board, and no vote any more." in text_of(mail)
    assert states(desk) == []


def test_a_ballot_goes_with_the_player_who_gave_it(desk: Desk) -> None:
    say(desk, {"France": "EXTEND 48 h", "England": "AYE 1"})
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, games.get(desk.judge.store, "spring42").id, "England", "eve@example.net")
    (mail,) = desk.post("AYE 1", "Germany")
    assert "For it: 2, against it: 0, of 7." in text_of(mail)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("aye 3", "AYE"),
        ("Nay #3", "NAY"),
        ("賛成 3", "AYE"),
        ("反対3", "NAY"),
        ("同意", "AYE"),
        ("赞成 第3号", "AYE"),
        ("反對 3", "NAY"),
        ("Propose an extension of 48 h", "PROPOSE"),
        ("propose to pause until 3 Jan", "PROPOSE"),
        ("提案 延長 48時間", "PROPOSE"),
        ("I propose we attack Italy", None),
        ("propose peace", None),
        ("aye aye captain", None),
        ("賛成です、フランスと組みましょう", None),
    ],
)
def test_how_motions_are_written(line: str, name: str | None) -> None:
    found = parse(line)
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("language", "said"),
    [("ja", "フランスの提案"), ("zh-Hans", "法国提议"), ("zh-Hant", "法國提議")],
)
def test_a_motion_is_told_in_the_readers_language(desk: Desk, language: str, said: str) -> None:
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        games.set_reader(desk.judge.store, game.id, "Italy", language, "Asia/Tokyo")
    mails = desk.post("EXTEND 48 h", "France")
    assert said in text_of(to(mails, "Italy")[0]).replace(" ", "")
