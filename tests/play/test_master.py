"""A game master by mail: rules set, refused, told; known by the signed address alone."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.errors import BadInput, Refused
from judge.play import setup
from judge.play.judge import lay_out, rules_of
from judge.store import games, outbox
from judge.store import rulings as stored
from judge.variants import load_rules

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def ana(desk: Desk) -> Desk:
    """The game has a master, who has read the letter."""
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    (desk.letter,) = desk.receive()
    return desk


def write(desk: Desk, body: str, **more: Any) -> Message | None:
    """The master answers; returns the answer to the master. ``desk.told``: what the others got."""
    to = more.pop("to", None) or desk.reply_to("master")
    more = {"sender": "ana@example.org", "answering": desk.letter, **more}
    assert desk.deliver(*desk.write("master", body, to=to, **more)) is not None
    desk.work()
    received = desk.receive()
    desk.told = [m for m in received if not m["To"].startswith("ana@")]
    own = [m for m in received if m["To"].startswith("ana@")]
    assert len(own) <= 1
    return own[0] if own else None


def test_the_letter_says_what_can_be_done_by_answering_it(ana: Desk) -> None:
    letter = ana.letter
    assert letter["Subject"] == "[spring42] you are the game master"
    assert ana.reply_to("master") in letter["Reply-To"]
    text = text_of(letter)
    for word in ("You are the game master of spring42", "WHY", "RULES", "STATUS", "SET victory.end.turn=F1908"):
        assert word in text
    assert "you play" not in text


@pytest.mark.parametrize(
    "line",
    [
        "SET victory.end.turn=F1908",
        "victory.end.turn = F1908",
        "Set victory.end.turn to F1908.",
        "set Victory.end.turn: “F1908”",
        "> no quote of ours\nSET　victory.end.turn＝Ｆ１９０８",
        "設定 victory.end.turn = F1908",
        "設置 victory.end.turn＝08-F",
        "- SET victory.end.turn = 'f1908'",
    ],
)
def test_a_rule_is_set_in_many_spellings(ana: Desk, line: str) -> None:
    answer = write(ana, f"{line}\nWHY as voted\n\nAna")
    assert answer is not None and answer["Subject"] == "Re: [spring42] 1 house rule changed"
    text = text_of(answer)
    assert "victory.end.turn: was not set, from Fall 1901 on it is “F1908”" in text
    assert "every player is told so" in text and "as voted" in text
    assert sorted(m["To"] for m in ana.told) == [f"{p.lower()}@example.org" for p in POWERS]
    for mail in ana.told:
        assert "Changed by the game master: “as voted”" in text_of(mail)
    (change,) = stored.changes(ana.judge.store, 1)
    assert (change.key, change.new, change.who, change.why) == ("victory.end.turn", '"F1908"', "master", "as voted")


def test_it_takes_effect_with_the_next_phase(ana: Desk) -> None:
    write(ana, "SET nmr=postpone")
    ana.pass_time(hours=24)
    game = games.get(ana.judge.store, "spring42")
    rules = {p.name: lay_out(game, p).rules.nmr for p in games.phases(ana.judge.store, game.id)}
    assert rules == {"S1901M": "hold", "F1901M": "postpone"}


def test_a_bad_line_never_harms_a_good_one(ana: Desk) -> None:
    body = """Hello judge,
SET victory.end.trun=F1908
SET victory.end.counts=Units
SET nmr=sleep
SET victory.end.turn=S1901
SET powers.clash=pool
set press.kinds
SET convoy.disruption any-route
make it shorter = please
Thanks, Ana"""
    answer = write(ana, body)
    assert answer is not None and answer["Subject"] == "Re: [spring42] rules changed: 2, lines not used: 6"
    text = text_of(answer)
    assert "There is no house rule victory.end.trun; perhaps victory.end.turn" in text
    assert "sleep is no value of nmr; allowed: hold, civil-disorder or postpone." in text
    assert "Spring 1901 is under way and would become the last; the earliest last turn is Fall 1901." in text
    assert "powers.clash stays as it is: the powers have been given out." in text
    assert "press.kinds has no value here" in text
    assert "You wrote “make it shorter = please”" in text
    assert "Hello" not in text and "Thanks" not in text
    assert {c.key for c in stored.changes(ana.judge.store, 1)} == {"victory.end.counts", "convoy.disruption"}
    assert len(ana.told) == 7  # one mail each for both


def test_rules_that_only_go_together_are_set_together(ana: Desk) -> None:
    write(ana, "SET victory.clock.after=30 d")
    write(ana, "SET victory.clock.at=2027-03-01T20:00Z\nSET victory.clock.after=nothing")
    assert [c.key for c in stored.pending(ana.judge.store, 1)] == ["victory.clock.at", "victory.clock.after"]
    answer = write(ana, "SET victory.clock.after=2 h")
    assert answer is not None and "not both; set the other to nothing" in text_of(answer)


def test_the_same_again_changes_nothing_and_tells_nobody(ana: Desk) -> None:
    write(ana, "SET nmr=postpone")
    answer = write(ana, "SET nmr=postpone", answering=None)
    assert answer is not None and answer["Subject"] == "Re: [spring42] it is so already"
    assert "nmr is so already." in text_of(answer) and ana.told == []


def test_before_the_start_the_rules_are_simply_set(desk: Desk) -> None:
    players = {p: f"{p.lower()}@example.org" for p in POWERS}
    setup.create_game(
        desk.judge, "autumn", rules=load_rules("standard"), players=players, master="ana@example.org", now=desk.now
    )
    desk.work()
    (desk.letter,) = desk.receive()
    assert "has not started yet" in text_of(desk.letter)
    answer = write(desk, "SET victory.end.turn=F1905\nSTATUS\nRULES", to=desk.reply_to("master", "autumn"))
    assert answer is not None and desk.told == []
    text = text_of(answer)
    assert "victory.end.turn: was not set, is now “F1905”" in text
    assert "camille" not in text and "france@example.org" in text
    assert "The game ends after Fall 1905" in text or "Fall 1905" in text
    game = games.get(desk.judge.store, "autumn")
    assert rules_of(game).victory_end_turn == "F1905"
    setup.start_game(desk.judge, "autumn", desk.now)
    desk.work()
    started = desk.receive()
    (own,) = [m for m in started if m["To"] == "ana@example.org"]
    assert own["Subject"] == "[autumn] the game has started" and "Spring 1901 is open" in text_of(own)
    assert all("Fall 1905" in text_of(m) for m in started if m is not own)


def test_who_is_master_from_the_start_gets_one_mail(desk: Desk) -> None:
    """Made and started at once: the letter and word of the start are one mail."""
    players = {p: f"{p.lower()}@example.org" for p in POWERS}
    with desk.judge.store.transaction():
        setup.create_game(
            desk.judge,
            "autumn",
            rules=load_rules("standard"),
            players=players,
            master="ana@example.org",
            at_once=True,
            now=desk.now,
        )
        setup.start_game(desk.judge, "autumn", desk.now)
    desk.work()
    (mail,) = [m for m in desk.receive() if m["To"] == "ana@example.org"]
    text = text_of(mail)
    assert "autumn has started" in text and "SET victory.end.turn=F1908" in text and "austria@example.org" in text


def test_a_letter_that_is_written_after_the_start_says_how_it_was(desk: Desk) -> None:
    """Game, master and start in one transaction, as in the shell: both mails are rendered later."""
    players = {p: f"{p.lower()}@example.org" for p in POWERS}
    with desk.judge.store.transaction():
        setup.create_game(
            desk.judge, "autumn", rules=load_rules("china"), players=players, master="ana@example.org", now=desk.now
        )
        setup.start_game(desk.judge, "autumn", desk.now)
    desk.work()
    letter, started = [m for m in desk.receive() if m["To"] == "ana@example.org"]
    assert "has not started yet" in text_of(letter) and "01-S" not in text_of(letter)
    assert "autumn has started" in text_of(started) and "01-S" in text_of(started)


def test_status_tells_who_is_late_but_no_order(ana: Desk) -> None:
    ana.mail("France", "A PAR-BUR\nA MAR H\nF BRE-MAO")
    ana.mail("Italy", "A VEN H")
    answer = write(ana, "status")
    assert answer is not None
    text = text_of(answer)
    assert "france@example.org, all orders are in" in text and "italy@example.org, some orders are missing" in text
    assert "turkey@example.org, no orders yet" in text
    assert "Burgundy" not in text and "BUR" not in text


def test_a_master_who_plays_does_not_see_how_far_the_others_are(desk: Desk) -> None:
    setup.set_master(desk.judge, "spring42", "Italy@example.org", who="operator", now=desk.now)
    desk.work()
    (desk.letter,) = desk.receive()
    desk.mail("France", "A PAR-BUR\nA MAR H\nF BRE-MAO")
    assert desk.deliver(*desk.write("master", "STATUS", to=desk.reply_to("master"), sender="italy@example.org")) is not None
    desk.work()
    text = text_of(desk.receive()[-1])
    assert "all orders are in" not in text and text.count("no orders yet") == 1
    desk.pass_time(hours=24)
    to_italy = [m for m in desk.receive() if m["To"].lower() == "italy@example.org"]
    assert len(to_italy) == 1  # one event, one mail a person


def test_only_the_signed_address_makes_a_master(ana: Desk) -> None:
    """The master's name on a mail to the game, to the judge or to a player's seat sets nothing."""
    for to in ("spring42@judge.example.org", "judge@judge.example.org", ana.reply_to("France")):
        assert ana.deliver(*ana.write("master", "SET nmr=postpone", to=to, sender="ana@example.org")) is not None
        ana.work()
        ana.receive()
    assert ana.deliver(*ana.write("master", "SET nmr=postpone", to="spring42+aaaaaaaaaaaaaaaa@judge.example.org")) is None
    assert stored.changes(ana.judge.store, 1) == []
    # who has the address, but writes from another, is asked about at the registered one
    ana.now += timedelta(hours=25)
    question = write(ana, "SET nmr=postpone", sender="ana@other.example.org")
    assert question is not None and stored.changes(ana.judge.store, 1) == []
    write(ana, "YES", answering=question)
    assert [c.key for c in stored.changes(ana.judge.store, 1)] == ["nmr"]


def test_a_new_master_ends_the_old_ones_address(ana: Desk) -> None:
    old = ana.reply_to("master")
    setup.set_master(ana.judge, "spring42", "ben@example.org", who="operator", now=ana.now)
    ana.work()
    (letter,) = ana.receive()
    assert letter["To"] == "ben@example.org"
    assert ana.deliver(*ana.write("master", "SET nmr=postpone", to=old)) is None
    with pytest.raises(Refused):
        setup.set_master(ana.judge, "spring42", "ben@example.org", who="operator", now=ana.now)
    with pytest.raises(BadInput):
        setup.set_master(ana.judge, "spring42", "ben", who="operator", now=ana.now)


def test_machines_and_repeated_words_get_no_answer(ana: Desk) -> None:
    assert write(ana, "I am out of office until Monday.", headers={"Auto-Submitted": "auto-replied"}) is None
    first = write(ana, "what can I do?", answering=None)
    assert first is not None and "SET" in text_of(first)
    assert write(ana, "what can I do?", answering=None) is None


def test_a_quoted_letter_sets_nothing(ana: Desk) -> None:
    quoted = "\n".join(f"> {line}" for line in text_of(ana.letter).split(". "))
    write(ana, f"STATUS\n\nOn Tuesday the judge wrote:\n{quoted}")
    assert stored.changes(ana.judge.store, 1) == []


def test_the_master_reads_results_and_notices_and_orders_nothing(ana: Desk) -> None:
    ana.pass_time(hours=24)
    received = ana.receive()
    (result,) = [m for m in received if m["To"] == "ana@example.org"]
    assert "you are the game master" in text_of(result) and "DO NOW" not in text_of(result)
    answer = write(ana, "A PAR-BUR")
    assert answer is not None and ana.told == []
    assert ana.held("France") == []


def test_after_the_end_nothing_can_be_set(ana: Desk) -> None:
    write(ana, "SET victory.end.turn=F1901")
    ana.pass_time(hours=24)
    ana.pass_time(hours=24)
    assert ana.show()["state"] == "ended"
    ana.receive()
    answer = write(ana, "SET nmr=postpone", answering=None)
    assert answer is not None and "is over; its rules stay as they were" in text_of(answer)


def test_the_letter_reads_in_every_language(ana: Desk) -> None:
    for language, words in (("ja", "ゲームマスター"), ("zh-Hans", "主持人"), ("zh-Hant", "主持人")):
        setup.set_reader(ana.judge, "spring42", "master", language=language, timezone=None, who="x", now=ana.now)
        answer = write(ana, f"STATUS\nHELP\nRULES\nSET nmr={'hold' if language != 'ja' else 'x'}", answering=None)
        assert answer is not None and words in text_of(answer)
        ana.now += timedelta(minutes=1)


def test_the_master_is_shown_in_the_shell(ana: Desk) -> None:
    view = ana.show()
    assert view["master"] == {"address": "ana@example.org", "reply_to": ana.reply_to("master"), "unreachable": None}
    assert len(view["seats"]) == 7


def test_no_stored_byte_holds_the_masters_token(ana: Desk) -> None:
    write(ana, f"SET nmr=postpone\nWHY my address is {ana.reply_to('master')}")
    token = ana.reply_to("master").split("+")[1].split("@")[0]
    store = ana.judge.store
    assert token.encode() not in store.path.read_bytes()
    assert all(token not in str(row) for row in store.rows("SELECT * FROM outbox") + store.rows("SELECT * FROM raws"))
    assert outbox.counts(store)["parked"] == 0


def test_a_heap_of_settings_is_cut(ana: Desk) -> None:
    """The most that one mail may set are looked at; the rest is told of as one."""
    answer = write(ana, "\n".join(f"SET nmrx{n}=hold" for n in range(1500)) + "\nSET nmr=postpone")
    assert answer is not None
    text = text_of(answer)
    assert "One mail may set 100 rules at most; this line and 1400 more were not read." in text
    assert stored.changes(ana.judge.store, 1) == []


def test_repeated_orders_and_civil_disorder_exclude_each_other(ana: Desk) -> None:
    write(ana, "SET nmr=civil-disorder")
    answer = write(ana, "SET orders.perpetual=yes")
    assert answer is not None and "units hold, and with orders.perpetual they repeat; not both" in text_of(answer)
    assert [c.key for c in stored.changes(ana.judge.store, 1)] == ["nmr"]


def test_what_a_master_cannot_do_by_mail_is_said(ana: Desk) -> None:
    """A line that was meant as a command never vanishes: who wrote it would think that it was done."""
    answer = write(ana, "SET nmr=postpone\nFREEZE 24h\nSACK Turkey zed@example.org\nThanks, Ana")
    assert answer is not None
    text = text_of(answer)
    assert "You wrote “FREEZE 24h”" in text and "You wrote “SACK Turkey zed@example.org”" in text
    assert "Thanks" not in text
    assert answer["Subject"] == "Re: [spring42] rules changed: 1, lines not used: 2"


def test_of_two_lines_for_one_rule_the_last_counts_and_the_other_is_told(ana: Desk) -> None:
    answer = text_of(write(ana, "SET victory.centres=10\nSET nmr=postpone\nSET victory.centres=11"))
    assert "SET victory.centres=10" in answer
    assert "A later line of this mail sets victory.centres too, and counts instead of this one." in answer
    assert [(c.key, c.new) for c in stored.pending(ana.judge.store, 1)] == [("victory.centres", "11"), ("nmr", '"postpone"')]
    again = text_of(write(ana, "SET victory.centres=12\nSET victory.centres=12"))
    assert "A later line" not in again


@pytest.mark.parametrize("line", ["SET victory.end.turn=", "victory.end.turn =", 'SET victory.end.turn=""'])
def test_a_sign_with_nothing_after_it_unsets(ana: Desk, line: str) -> None:
    write(ana, "SET victory.end.turn=F1910")
    write(ana, line)
    assert [c.new for c in stored.changes(ana.judge.store, 1)][-1] == '""'


def test_what_has_no_empty_value_is_not_unset(ana: Desk) -> None:
    answer = text_of(write(ana, "SET nmr="))
    assert "nmr has no value here; write it as SET nmr=" in answer
    assert stored.changes(ana.judge.store, 1) == []


def test_values_as_a_file_writes_them(ana: Desk) -> None:
    write(ana, 'SET coast.aliases={ "bul/nc" = "bul/ec" }\nnmr = "postpone"')
    assert {c.key: c.new for c in stored.pending(ana.judge.store, 1)} == {
        "coast.aliases": '{"bul/nc": "bul/ec"}',
        "nmr": '"postpone"',
    }
    answer = text_of(write(ana, "SET powers.unplayed=Italy, Italy"))
    assert "a power is there more than once" in answer
