"""Votes for a draw and concessions: what ends the game, who is told what, and that nothing else is changed by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from typing import Any

import pytest

from judge.mail.commands import parse
from judge.play import mastermail, voting
from judge.store import codec, games, votes
from judge.store.votes import Vote

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
THREE = ("England", "France", "Italy")


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            body = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
            return " ".join(body.replace("\u00a0", " ").split())
    raise AssertionError("no text part")


def leave(desk: Desk, powers: tuple[str, ...], game: str = "spring42") -> None:
    """Take everything of the other powers off the board."""
    store = desk.judge.store
    phase = games.open_phase(store, games.get(store, game).id)
    assert phase is not None
    before = codec.position_from_text(phase.position)
    owners = {at: power for at, power in before.owners.items() if power in powers}
    after = replace(before, units=tuple(u for u in before.units if u.power in powers), owners=owners)
    with store.transaction():
        store.run("UPDATE phases SET position = ? WHERE id = ?", codec.position_to_text(after), phase.id)


def play_with(desk: Desk, powers: tuple[str, ...], **rules: Any) -> Desk:
    """The game with these powers alone on the board, by such rules."""
    store = desk.judge.store
    game = games.get(store, "spring42")
    text = codec.rules_to_text(replace(codec.rules_from_text(game.rules), **rules))
    with store.transaction():
        store.run("UPDATE games SET rules = ? WHERE id = ?", text, game.id)
        store.run("UPDATE phases SET rules = ? WHERE game_id = ? AND state = 'open'", text, game.id)
    leave(desk, powers)
    return desk


def say(desk: Desk, power: str, body: str, **more: Any) -> list[Message]:
    """Somebody writes; all mails that go out because of it."""
    return list(desk.post(body, power, **more))


def to(mails: list[Message], power: str) -> list[Message]:
    return [mail for mail in mails if mail["To"] == f"{power.lower()}@example.org"]


def states(desk: Desk) -> list[str]:
    return [row["state"] for row in desk.judge.store.rows("SELECT state FROM votes ORDER BY id")]


def with_master(desk: Desk) -> None:
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.net", who="operator", now=desk.now, letter=False)


# how it ends


def test_a_draw_of_all_ends_the_game_at_once_with_one_mail_a_person(desk: Desk) -> None:
    with_master(desk)
    desk.mail("France", "A PAR - BUR")
    for power in POWERS[:-1]:
        mails = say(desk, power, "DRAW")
        assert [mail["To"] for mail in mails] == [f"{power.lower()}@example.org"]
        assert "You vote for a draw of all who are left." in text_of(mails[0])
        assert "Nobody is told of it" in text_of(mails[0])
    before = desk.show()
    mails = say(desk, "Turkey", "F ANK - BLA\nDRAW\n\nPRESS TO FRANCE\nFarewell.\nEND\n")
    ends = [mail for mail in mails if "share a draw" in mail["Subject"] or "the game is over" in mail["Subject"]]
    assert sorted(mail["To"] for mail in ends) == sorted(
        ["ana@example.net", *(f"{power.lower()}@example.org" for power in POWERS)]
    )
    assert len(mails) == len(ends) + 1 and len(to(mails, "Turkey")) == 1
    last = text_of(to(mails, "Turkey")[0])
    assert "share a draw: all who were left have voted for it." in last
    assert "“Farewell.” went to France" in last
    assert "Spring 1901 was open then: the orders for it are not carried out any more." in last
    assert to(mails, "Turkey")[0]["In-Reply-To"] is not None
    after = desk.show()
    assert (after["state"], after["ended_by"], tuple(after["winners"])) == ("ended", "draw.vote", POWERS)
    assert (after["units"], after["centres"]) == (before["units"], before["centres"])
    assert set(states(desk)) == {"carried"}
    assert desk.pass_time(days=3) == [] and desk.receive() == []
    assert "share a draw" in text_of(desk.mail("France", "STATUS"))


def test_the_game_master_reads_the_end_as_its_master(desk: Desk) -> None:
    with_master(desk)
    play_with(desk, THREE)
    for power in THREE:
        mails = say(desk, power, "DRAW")
    (mail,) = [mail for mail in mails if mail["To"] == "ana@example.net"]
    assert "Thank you for looking after this game." in text_of(mail)
    assert "you were the game master" in text_of(mail) and "you played" not in text_of(mail)


def test_whom_the_others_concede_to_has_won(desk: Desk) -> None:
    play_with(desk, THREE)
    assert "You concede the game to Italy." in text_of(to(say(desk, "France", "CONCEDE ITALY"), "France")[0])
    mails = say(desk, "England", "I concede to Italy.")
    assert len(mails) == 7
    assert "Italy wins: all the others have conceded the game." in text_of(to(mails, "Italy")[0])
    shown = desk.show()
    assert (shown["ended_by"], shown["winners"]) == ("draw.concede", ["Italy"])


def test_a_bare_concession_is_to_the_largest(desk: Desk) -> None:
    play_with(desk, ("England", "Russia", "Turkey"))
    say(desk, "England", "CONCEDE")
    say(desk, "Turkey", "投了")
    assert desk.show()["winners"] == ["Russia"]


def test_concessions_to_two_powers_end_nothing(desk: Desk) -> None:
    play_with(desk, THREE)
    say(desk, "France", "CONCEDE ITALY")
    say(desk, "England", "CONCEDE FRANCE")
    assert desk.show()["state"] == "running"
    say(desk, "England", "CONCEDE ITALY")
    assert desk.show()["winners"] == ["Italy"]
    assert states(desk) == ["carried", "replaced", "carried"]


def test_lists_end_with_the_draw_that_all_accept(desk: Desk) -> None:
    play_with(desk, THREE, draw_kind="lists")
    say(desk, "France", "DRAW")
    say(desk, "England", "DRAW FRANCE ENGLAND")
    assert desk.show()["state"] == "running"
    say(desk, "Italy", "DRAW France, England")
    shown = desk.show()
    assert (shown["ended_by"], shown["winners"]) == ("draw.vote", ["England", "France"])


@pytest.mark.parametrize(
    ("cast", "shared"),
    [
        pytest.param({"A": "", "B": "", "C": ""}, "ABC", id="all for all"),
        pytest.param({"A": "AB", "B": "AB", "C": "AB"}, "AB", id="one gives way"),
        pytest.param({"A": "AB", "B": "", "C": "AB"}, "AB", id="who names nobody accepts less"),
        pytest.param({"A": "AB", "B": "AB", "C": ""}, "", id="who would share is not left out"),
        pytest.param({"A": "AB", "B": "BC", "C": "AC"}, "", id="a circle"),
        pytest.param({"A": "AB", "B": "ABC", "C": "AB"}, "AB", id="a longer list accepts a shorter"),
        pytest.param({"A": "BC", "B": "BC", "C": "ABC"}, "BC", id="one gives way to two"),
        pytest.param({"A": "B", "B": "B", "C": "B"}, "", id="a draw of one is none"),
    ],
)
def test_which_draw_votes_come_to(cast: dict[str, str], shared: str) -> None:
    given = [Vote(power, "draw", tuple(powers)) for power, powers in cast.items()]
    assert voting.accepted_by_all(given, ("A", "B", "C")) == tuple(shared)


# who has a vote


def test_nobody_waits_for_a_power_without_a_player(desk: Desk) -> None:
    play_with(desk, THREE)
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, games.get(desk.judge.store, "spring42").id, "Italy", None)
    say(desk, "France", "DRAW")
    say(desk, "England", "DRAW")
    assert desk.show()["winners"] == ["England", "France"]


def test_nobody_waits_for_a_power_in_civil_disorder_but_it_has_its_share(desk: Desk) -> None:
    play_with(desk, THREE, nmr="civil-disorder")
    say(desk, "France", "A PAR - BUR")
    say(desk, "England", "F LON - NTH")
    desk.pass_time(hours=23)
    say(desk, "France", "DRAW")
    say(desk, "England", "DRAW")
    assert desk.show()["winners"] == list(THREE)


def test_a_vote_goes_with_the_player_who_gave_it(desk: Desk) -> None:
    play_with(desk, THREE)
    say(desk, "France", "DRAW")
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, games.get(desk.judge.store, "spring42").id, "France", "france@example.net")
    say(desk, "England", "DRAW")
    say(desk, "Italy", "DRAW")
    assert desk.show()["state"] == "running" and states(desk)[0] == "lapsed"
    say(desk, "France", "DRAW", to=desk.reply_to("France"))
    assert desk.show()["state"] == "ended"


def test_who_is_out_has_no_vote(desk: Desk) -> None:
    play_with(desk, THREE)
    (mail,) = say(desk, "Turkey", "DRAW")
    assert "Turkey has nothing left on the board, and no vote any more." in text_of(mail)
    (mail,) = say(desk, "France", "CONCEDE TURKEY")
    assert "Turkey has nothing left on the board, or no player." in text_of(mail)
    assert states(desk) == []


# what a vote does not do


def test_a_secret_vote_is_told_to_nobody_and_stands_in_no_log(desk: Desk) -> None:
    with_master(desk)
    mails = say(desk, "France", "DRAW\nCONCEDE ITALY")
    assert [mail["To"] for mail in mails] == ["france@example.org"]
    assert not [row for row in desk.judge.store.rows("SELECT what FROM log") if "vote" in row["what"]]
    for power in ("England", "master"):
        (mail,) = say(desk, power, "STATUS", to=desk.reply_to(power))
        assert "vote" not in text_of(mail).lower().replace("a vote for a draw, or of", "")


def test_said_twice_it_is_said_once(desk: Desk) -> None:
    say(desk, "France", "DRAW")
    (mail,) = say(desk, "France", "DRAW")
    assert "You had said so already, and it stands." in text_of(mail)
    assert states(desk) == ["standing"]
    (mail,) = say(desk, "France", "NO DRAW")
    assert "Your vote for a draw is taken back." in text_of(mail)
    (mail,) = say(desk, "France", "NO DRAW")
    assert "You had not voted for a draw in this phase." in text_of(mail)
    assert states(desk) == ["taken-back"]


def test_a_vote_taken_back_is_missing(desk: Desk) -> None:
    play_with(desk, THREE)
    for power, line in (("France", "DRAW"), ("England", "DRAW"), ("France", "NO DRAW"), ("Italy", "DRAW")):
        say(desk, power, line)
    assert desk.show()["state"] == "running"
    say(desk, "France", "DRAW")
    assert desk.show()["state"] == "ended"


def test_votes_lapse_with_their_phase(desk: Desk) -> None:
    play_with(desk, THREE)
    say(desk, "France", "DRAW")
    say(desk, "England", "DRAW")
    desk.pass_time(hours=23)
    desk.receive()
    say(desk, "Italy", "DRAW")
    assert desk.show()["state"] == "running"


def test_a_vote_in_answer_to_an_older_phase_is_none(desk: Desk) -> None:
    play_with(desk, THREE)
    (old,) = say(desk, "France", "STATUS")
    desk.pass_time(hours=23)
    desk.receive()
    (mail,) = say(desk, "France", "DRAW", answering=old)
    assert "DRAW is about the phase that is open, and your mail answers another one" in text_of(mail)
    assert states(desk) == []


def test_what_follows_in_the_mail_that_ends_the_game_is_not_done(desk: Desk) -> None:
    play_with(desk, THREE)
    say(desk, "France", "DRAW")
    say(desk, "England", "DRAW")
    (mail,) = to(say(desk, "Italy", "DRAW\nCONCEDE FRANCE"), "Italy")
    assert "CONCEDE has no meaning any more: the game is over." in text_of(mail)
    assert desk.show()["winners"] == list(THREE)


# what the rules say


@pytest.mark.parametrize(
    ("rules", "line", "said"),
    [
        ({"draw_kind": "none"}, "DRAW", "nobody can vote for a draw (draw.kind)"),
        ({}, "DRAW FRANCE ITALY", "a draw is shared by all who are left (draw.kind)"),
        ({"draw_kind": "lists"}, "DRAW ITALY", "A draw is shared by two at least; write “CONCEDE ITALY”."),
        ({"draw_kind": "lists"}, "DRAW ITALY TURKEY", "Turkey has nothing left on the board"),
        ({"draw_kind": "lists"}, "DRAW Italy Ruritania", "does not name powers of this board"),
        ({"draw_concede": "no"}, "CONCEDE ITALY", "nobody can concede it (draw.concede)"),
        ({}, "CONCEDE", "Several powers have the most centres"),
        ({}, "CONCEDE FRANCE", "You cannot concede the game to yourself."),
    ],
)
def test_what_the_rules_refuse(desk: Desk, rules: dict[str, Any], line: str, said: str) -> None:
    play_with(desk, THREE, **rules)
    (mail,) = say(desk, "France", line)
    assert said in text_of(mail)
    assert states(desk) == []


@pytest.mark.parametrize(
    ("told", "line", "said", "unsaid"),
    [
        (
            "open",
            "DRAW",
            "France votes for a draw of all who are left. 1 of the 3 votes that it takes are there.",
            "Somebody",
        ),
        ("counts", "DRAW", "Somebody votes for a draw. 1 of the 3 votes that it takes are there.", "France votes"),
        ("open", "CONCEDE ITALY", "France concedes the game to Italy. 1 of the 2 votes", "Somebody"),
        ("counts", "CONCEDE ITALY", "Somebody concedes the game to Italy. 1 of the 2 votes", "France concedes"),
    ],
)
def test_what_all_are_told_of_an_open_vote(desk: Desk, told: str, line: str, said: str, unsaid: str) -> None:
    play_with(desk, THREE, draw_votes=told)
    mails = say(desk, "France", line)
    assert len(mails) == 7 and len(to(mails, "France")) == 1
    for power in POWERS:
        if power != "France":
            (mail,) = to(mails, power)
            assert said in text_of(mail) and unsaid not in text_of(mail)
    assert len(say(desk, "France", line)) == 1
    back = say(desk, "France", f"NO {line.split()[0]}")
    assert len(back) == 7 and "0 of the" in text_of(to(back, "Italy")[0])


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("Draw.", "DRAW", ""),
        ("draw france, italy", "DRAW", "france, italy"),
        ("DRAW ENGLAND and FRANCE", "DRAW", "ENGLAND and FRANCE"),
        ("引き分け", "DRAW", ""),
        ("引き分け フランス、イタリア", "DRAW", "フランス、イタリア"),
        ("同意平局", "DRAW", ""),
        ("平局 法国和意大利", "DRAW", "法国和意大利"),
        ("撤回和局", "NO DRAW", ""),
        ("引き分け取り消し", "NO DRAW", ""),
        ("投了します", "CONCEDE", ""),
        ("投了 ロシア", "CONCEDE", "ロシア"),
        ("认输给俄国", "CONCEDE", "俄国"),
        ("認輸", "CONCEDE", ""),
        ("I concede to France", "CONCEDE", "France"),
        ("NO CONCEDE", "NO CONCEDE", ""),
        ("draw your own conclusions", None, ""),
        ("Draw a line under it", None, ""),
        ("I would like a draw", None, ""),
        ("引き分けの提案について", None, ""),
        ("平局怎么样", None, ""),
        ("concede nothing", None, ""),
    ],
)
def test_how_votes_are_written(line: str, name: str | None, argument: str) -> None:
    found = parse(line)
    assert (found and found.name) == name
    assert found is None or found.argument == argument


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ja", "残っていた全員が引き分けに投票したためです"),
        ("zh-Hans", "所有尚存的国家都投了赞成票"),
        ("zh-Hant", "所有尚存的國家都投了贊成票"),
    ],
)
def test_the_end_is_told_in_the_readers_language(desk: Desk, language: str, said: str) -> None:
    play_with(desk, THREE)
    with desk.judge.store.transaction():
        games.set_reader(desk.judge.store, games.get(desk.judge.store, "spring42").id, "France", language, "Asia/Tokyo")
    for power in THREE:
        mails = say(desk, power, "DRAW")
    assert said in text_of(to(mails, "France")[0]).replace(" ", "")


def test_a_game_ended_by_a_vote_is_verified(desk: Desk, verified: Callable[[Desk], list[str]]) -> None:
    play_with(desk, POWERS)
    say(desk, "France", "A PAR - BUR")
    desk.pass_time(hours=23)
    for power in POWERS:
        say(desk, power, "DRAW")
    assert desk.show()["state"] == "ended"
    assert verified(desk) == []
    phase = games.phases(desk.judge.store, games.get(desk.judge.store, "spring42").id)[-1]
    assert phase.called_off and votes.standing(desk.judge.store, phase.id) == []


@pytest.fixture
def verified() -> Callable[[Desk], list[str]]:
    from judge.play.verify import verify_game

    return lambda desk: verify_game(desk.judge, games.get(desk.judge.store, "spring42"))
