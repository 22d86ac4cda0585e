"""NAME, and what the players of a game are told of each other (powers.names, powers.addresses)."""

from __future__ import annotations

from dataclasses import replace
from email.message import Message
from typing import Any

import pytest

from judge.play import concluding, knowing, naming, rulings, seats, setup
from judge.play.judge import open_table
from judge.play.rulings import RulesRefused
from judge.rules.houserules import HouseRules
from judge.store import codec, games, people
from judge.variants import load_rules

#: stories of many mails
pytestmark = pytest.mark.slow

Desk = Any


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def under(desk: Desk, **keys: str) -> Desk:
    """The running game by rules that are settled before the start."""
    rules = codec.rules_to_text(replace(load_rules("standard"), **keys))  # type: ignore[arg-type]
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE games SET rules = ?", rules)
        desk.judge.store.run("UPDATE phases SET rules = NULL")
    return desk


def name(desk: Desk, power: str) -> str | None:
    return knowing.name_of(desk.judge.store, f"{power.lower()}@example.org")


def end(desk: Desk) -> list[Message]:
    with desk.judge.store.transaction():
        table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
        concluding.end_game(
            desk.judge, table, concluding.end_by_word(table, "master", ()), desk.now, who="operator", facts={}
        )
    desk.work()
    return desk.receive()  # type: ignore[no-any-return]


# NAME


def test_a_name_is_given_once_and_told_to_the_others(desk: Desk) -> None:
    first = text_of(desk.mail("France", "NAME Camille Durand"))
    assert "You go by the name of “Camille Durand” from now on. In spring42 the other players are told your name." in first
    assert "already" in text_of(desk.mail("France", "call me Camille Durand"))
    assert "You go by the name of “Camille Durand”." in text_of(desk.mail("France", "NAME"))
    shown = text_of(desk.mail("England", "SHOW"))
    assert "France Camille Durand; 3 centres, 3 units" in shown and "camille" not in shown.replace("Camille", "")
    assert "You have no name here any more." in text_of(desk.mail("France", "NAME OFF"))
    assert "You have no name here: “NAME Anna”" in text_of(desk.mail("France", "NAME off"))
    assert "Camille" not in text_of(desk.mail("England", "SHOW"))


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("NAME アンナ", "アンナ"),
        ("名前 山田太郎", "山田太郎"),
        ("我的名字 王小明", "王小明"),
        ("My name is Zoë O'Neil", "Zoë O'Neil"),
        ("NAME Ｊｅａｎ-Luc", "Jean-Luc"),
        ("NAME France", None),
        ("NAME Fleet Brest", None),
        ("NAME Waive", None),
        ("NAME The Judge", None),
        ("NAME anna@example.org", None),
        ("NAME Evil.com", None),
        ("NAME An\u202ena", None),
        ("NAME " + "Anna" * 11, None),
        ("Name: Anna Meier", None),
        ("Name the price of it", None),
        ("call me when you can", None),
    ],
)
def test_what_is_a_name(desk: Desk, line: str, kept: str | None) -> None:
    desk.mail("France", line)
    assert name(desk, "France") == kept


def test_what_cannot_be_a_name_is_told(desk: Desk) -> None:
    assert "That cannot be shown as a name." in text_of(desk.mail("France", "NAME Germany"))
    assert "Write “NAME Anna Meier”" in text_of(desk.mail("France", "Name: Anna Meier"))


def test_nobody_takes_the_name_of_another_player_unless_that_would_tell_it(desk: Desk) -> None:
    desk.mail("France", "NAME Anna")
    assert "Somebody goes by that name in spring42" in text_of(desk.mail("England", "NAME anna".replace("a", "A", 1)))
    assert name(desk, "England") is None
    under(desk, powers_names="never")
    assert "from now on" in text_of(desk.mail("England", "NAME Anna"))


def test_a_name_is_in_the_export_and_goes_with_the_person(desk: Desk) -> None:
    desk.mail("France", "NAME Camille")
    person = people.of_mailbox(desk.judge.store, "france@example.org")
    assert person is not None and naming.clean_name(person.name) == "Camille"
    with desk.judge.store.transaction():
        people.move(desk.judge.store, person.id, "c@example.net", "c@example.net")
        people.forget(desk.judge.store, person.id, "player-1")
    assert people.load(desk.judge.store, person.id).name == ""


def test_a_mail_that_proves_nothing_names_nobody(desk: Desk) -> None:
    desk.post("NAME Mallory", "France", to="judge@judge.example.org", sender="france@example.org")
    assert name(desk, "France") is None


# powers.names


@pytest.mark.parametrize(
    ("names", "while_played", "when_over"), [("open", True, True), ("end", False, True), ("never", False, False)]
)
def test_names_are_told_when_the_rules_say_so(desk: Desk, names: str, while_played: bool, when_over: bool) -> None:
    under(desk, powers_names=names)
    desk.mail("France", "NAME Camille Durand")
    assert ("Camille" in text_of(desk.mail("England", "SHOW"))) is while_played
    mails = end(desk)
    assert len(mails) == 7
    for mail in mails:
        if mail["To"] != "france@example.org":
            assert ("Camille Durand" in text_of(mail)) is when_over
    assert ("Camille" in text_of(desk.mail("England", "SHOW"))) is when_over


@pytest.mark.parametrize(
    ("names", "over", "told"),
    [("open", False, True), ("end", False, False), ("end", True, True), ("never", False, False), ("never", True, False)],
)
def test_addresses_are_told_only_where_names_are(names: str, over: bool, told: bool) -> None:
    rules = replace(HouseRules(), powers_addresses="shown", powers_names=names)  # type: ignore[arg-type]
    assert knowing.addresses_told(rules, over=over) is told
    assert not knowing.addresses_told(replace(rules, powers_addresses="hidden"), over=over)


@pytest.mark.parametrize("names", ["open", "never"])
def test_the_first_mail_tells_names_where_it_may(desk: Desk, names: str) -> None:
    desk.mail("France", "NAME Camille Durand")
    rules = rulings.set_keys(load_rules("standard"), [("powers.names", names)], setup.load_board())
    seated = {"France": "france@example.org", "England": "england@example.org"}
    setup.create_game(desk.judge, "autumn", rules=rules, players=seated, now=desk.now)
    setup.start_game(desk.judge, "autumn", desk.now)
    desk.work()
    mails = {mail["To"]: text_of(mail) for mail in desk.receive()}
    assert ("Camille Durand" in mails["england@example.org"]) is (names == "open")


def test_who_is_told_names_is_settled_before_the_start(desk: Desk) -> None:
    with pytest.raises(RulesRefused, match="count on what they were told"):
        rulings.change_rules(desk.judge, "spring42", [("powers.names", "never")], who="Ana", now=desk.now)


def test_the_name_below_a_letter_goes_where_nobody_is_told_it(desk: Desk) -> None:
    under(desk, powers_names="end")
    desk.mail("France", "NAME Camille Durand")
    desk.mail("France", "PRESS TO ENGLAND\nLet us take Belgium.\n\nCamille\nEND")
    letter = next(mail for mail in desk.sent if mail["To"] == "england@example.org" and "Belgium" in text_of(mail))
    assert "Camille" not in letter.as_string()


@pytest.mark.parametrize(("names", "knows"), [("open", True), ("never", False)])
def test_a_master_who_plays_is_told_no_more_than_the_others(desk: Desk, names: str, knows: bool) -> None:
    under(desk, powers_names=names)
    setup.set_master(desk.judge, "spring42", "france@example.org", who="operator", now=desk.now)
    desk.work()
    told = [text_of(mail) for mail in desk.receive()]
    for line in ("SHOW", "STATUS"):
        mails = desk.post(line, "master", to=desk.reply_to("master"), sender="france@example.org")
        told += [text_of(mail) for mail in mails]
    assert len(told) == 3
    for text in told:
        assert ("england@example.org" in text) is knows
    under(desk, powers_names="never")
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    assert "england@example.org" in text_of(desk.receive()[-1])


def test_who_comes_does_not_read_as_who_left(desk: Desk) -> None:
    setup.set_reader(desk.judge, "spring42", "France", language="ja", timezone="Asia/Tokyo", who="operator", now=desk.now)
    with desk.judge.store.transaction():
        table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
        seat = seats.replace(desk.judge, table, "France", "new@example.net", who="operator", why=None, now=desk.now)
    assert (seat.language, seat.timezone) == ("en", "UTC")
