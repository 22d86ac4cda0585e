"""Final statements: who gets them, how long they are taken, and that they are cleaned as press is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.store import codec, games, people

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            body = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
            return " ".join(body.replace("\u00a0", " ").split())
    raise AssertionError("no text part")


@pytest.fixture
def over(desk: Desk) -> Desk:
    """A game that has been drawn."""
    for power in POWERS:
        desk.post("DRAW", power)
    assert desk.show()["state"] == "ended"
    return desk


def to(mails: list[Message], power: str) -> list[Message]:
    return [mail for mail in mails if mail["To"] == f"{power.lower()}@example.org"]


def observer(desk: Desk, address: str) -> None:
    store = desk.judge.store
    with store.transaction():
        person = people.add(store, address, address, language="ja", timezone="Asia/Tokyo", state="confirmed", now=desk.now)
        people.observe(store, games.get(store, "spring42").id, person.id, desk.now)


def test_a_statement_goes_to_all_who_played_and_all_who_watched_in_one_mail(over: Desk) -> None:
    observer(over, "kiku@example.jp")
    mails = over.post("STATEMENT\nWell played, Italy.\n\nIt was close.\nEND\n", "France")
    assert len(mails) == 8 and len({mail["To"] for mail in mails}) == 8
    (mail,) = to(mails, "Italy")
    assert "final statement of France" in mail["Subject"]
    assert "France says to all, now that the game is over: > Well played, Italy. > > It was close." in text_of(mail)
    assert "a line “STATEMENT” above your words" in text_of(mail)
    (mail,) = [mail for mail in mails if mail["To"] == "kiku@example.jp"]
    assert "フランス" in text_of(mail) and "> Well played, Italy." in text_of(mail)
    (mail,) = to(mails, "France")
    assert "It went to 6 others who were in the game. 1 observer got it too." in text_of(mail)
    history = text_of(over.post("HISTORY", "England")[0])
    assert "Well played, Italy." in history
    assert "The game was ended while this phase was open; it never ran." in history


def test_the_same_again_goes_to_nobody(over: Desk) -> None:
    over.post("STATEMENT\nWell played.\nEND", "France")
    mails = over.post("STATEMENT\nWell played.\nEND", "France")
    assert len(mails) == 1 and "You had said the same already; nothing was sent." in text_of(mails[0])


def test_three_are_enough(over: Desk) -> None:
    for number in range(3):
        assert len(over.post(f"STATEMENT\nWell played {number}.\nEND", "France")) == 7
    mails = over.post("STATEMENT\nOne more.\nEND", "France")
    assert len(mails) == 1 and "Of one player 3 statements are passed on." in text_of(mails[0])


def test_no_press_while_it_was_played_does_not_forbid_a_statement(over: Desk) -> None:
    store = over.judge.store
    game = games.get(store, "spring42")
    text = codec.rules_to_text(replace(codec.rules_from_text(game.rules), press_kinds="none"))
    with store.transaction():
        store.run("UPDATE games SET rules = ?", text)
        store.run("UPDATE phases SET rules = ?", text)
    assert len(over.post("STATEMENT\nWell played.\nEND", "France")) == 7


@pytest.mark.parametrize(
    ("body", "days", "said"),
    [
        ("STATEMENT\nWell played.\nEND", 15, "Final statements were passed on until"),
        ("STATEMENT\n\nEND", 0, "Write what you have to say below the line “STATEMENT”"),
        ("STATEMENT\n" + "Well played. " * 1600 + "\nEND", 0, "A statement has 20000 characters at most."),
    ],
    ids=["too late", "nothing", "too long"],
)
def test_what_is_not_passed_on(over: Desk, body: str, days: int, said: str) -> None:
    over.now += timedelta(days=days)
    mails = over.post(body, "France")
    assert len(mails) == 1 and said in text_of(mails[0])


def test_while_the_game_is_played_there_is_none(desk: Desk) -> None:
    mails = desk.post("STATEMENT\nI will attack Italy.\nEND", "France")
    assert len(mails) == 1 and "STATEMENT has no meaning while the game is played." in text_of(mails[0])
    assert not desk.judge.store.rows("SELECT * FROM press")


def test_what_press_may_not_hold_a_statement_does_not_hold(over: Desk) -> None:
    token = over.reply_to("France")
    mails = over.post(f"STATEMENT\nWrite to {token} or france@example.org.\nEND", "France")
    said = text_of(to(mails, "Italy")[0])
    assert "> Write to […] or […]." in said and token not in said
