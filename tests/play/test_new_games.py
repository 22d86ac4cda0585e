"""One mail starts a game with friends: NEW, the invitations, and what is answered to them."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.play import export, forgetting, inviting, upkeep
from judge.settings import Games
from judge.store import games, invitations, people, rulings

#: stories of many mails
pytestmark = pytest.mark.slow

Desk = Any
JUDGE = "judge@judge.example.org"
FRIENDS = ("anna", "ben", "cem", "dora", "emil", "fay")
ADDRESSES = " ".join(f"{name}@example.org" for name in FRIENDS)


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


def confirmed(desk: Desk, name: str = "mia") -> str:
    """Somebody is known: their own signed address."""
    (asked,) = write(desk, "GAMES", f"{name}@example.org")
    (done,) = answer(desk, asked, "YES")
    return str(done["Reply-To"])


def makes(desk: Desk, body: str, name: str = "mia", own: str = "") -> list[Message]:
    return write(desk, body, f"{name}@example.org", to=own or confirmed(desk, name))


def wishes(desk: Desk, game: str = "autumn7") -> dict[str, list[str]]:
    found = games.get(desk.judge.store, game)
    return {one.address: list(one.powers) for one in rulings.wishes(desk.judge.store, found.id)}


def states(desk: Desk) -> list[str]:
    return [row["state"] for row in desk.judge.store.rows("SELECT state FROM invitations ORDER BY id")]


# the whole of it


def test_a_stranger_makes_a_game_with_six_friends_who_answer_and_it_starts(desk: Desk) -> None:
    mails = write(desk, f"NEW autumn7\n{ADDRESSES}\nEND", "mia@example.org")
    assert [one["To"] for one in mails] == ["mia@example.org"]  # nobody else hears of it before she has confirmed
    assert games.find(desk.judge.store, "autumn7") is None
    mails = answer(desk, mails[0], "YES")
    (made,) = to(mails, "mia")
    assert "The game autumn7 is made" in said(made) and "6 more players are needed" in said(made)
    invited = {name: to(mails, name) for name in FRIENDS}
    assert all(len(one) == 1 for one in invited.values())
    words = said(invited["anna"][0])
    assert "mia@example.org invites you" in words and "NO MORE" in words and "A phase every" in words
    for name, body in zip(
        FRIENDS, ("YES", "France, Turkey", "Yes.\n\nItaly", "JOIN autumn7 Russia", "yes england", "はい"), strict=True
    ):
        assert games.get(desk.judge.store, "autumn7").state == "forming"
        mails = answer(desk, invited[name][0], body)
    assert games.get(desk.judge.store, "autumn7").state == "running"
    game = games.get(desk.judge.store, "autumn7")
    seats = {seat.address: seat.power for seat in games.seats(desk.judge.store, game.id)}
    given = {name: seats[f"{name}@example.org"] for name in ("ben", "cem", "dora", "emil")}
    assert given == {"ben": "France", "cem": "Italy", "dora": "Russia", "emil": "England"}
    assert all(to(mails, name) for name in (*FRIENDS, "mia"))  # the first mail of the game
    assert states(desk) == ["accepted"] * 6


def test_the_second_time_changes_nothing(desk: Desk) -> None:
    own = confirmed(desk)
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own)
    again = makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own)
    assert len(mails) == 7 and len(again) == 1 and "nothing has changed" in said(again[0])
    (anna,) = to(mails, "anna")
    answer(desk, anna, "France")
    (second,) = answer(desk, anna, "France")
    assert "nothing has changed" in said(second)
    answer(desk, anna, "Germany France")
    assert wishes(desk)["anna@example.org"] == ["Germany", "France"]
    (no,) = answer(desk, anna, "NO")
    assert "LEAVE autumn7" in said(no) and "anna@example.org" in wishes(desk)


def test_the_subject_may_head_the_lines(desk: Desk) -> None:
    own = confirmed(desk)
    mails = write(desk, ADDRESSES.replace(" ", ",\n"), "mia@example.org", to=own, subject="NEW autumn7")
    assert len(mails) == 7


def test_everything_may_be_said(desk: Desk) -> None:
    lines = "anna@example.org\nrules japan-1910\nschedule every 3 days\nset press.kinds=grey\nmaster me"
    lines += "\nlanguage 日本語\ntimezone Tokyo\nEND"
    mails = makes(desk, f"NEW autumn7\n{lines}")
    (anna,) = to(mails, "anna")
    assert "招待" in said(anna) and "autumn7" in said(anna)
    game = games.get(desk.judge.store, "autumn7")
    assert (game.rules_name, game.schedule) == ("japan-1910", "every 3 days")
    master = games.master(desk.judge.store, game.id)
    assert wishes(desk) == {} and master is not None and master.address == "mia@example.org"


def test_what_is_confirmed_is_what_was_said(desk: Desk) -> None:
    lines = "anna@example.org\nrules japan-1910\nschedule every 3 days; retreats 24 h\nset press.kinds=grey"
    lines += "\nopen\nlanguage ja\nEND"
    (asked,) = write(desk, f"NEW autumn7\n{lines}", "mia@example.org")
    assert "press.kinds=grey" in said(asked)
    mails = answer(desk, asked, "YES")
    game = games.get(desk.judge.store, "autumn7")
    assert (game.rules_name, game.schedule) == ("japan-1910", "every 3 days; retreats 24 h")
    assert len(to(mails, "anna")) == 1
    assert "autumn7" in said(write(desk, "LIST", "eve@example.org")[0])


def test_nobody_else_can_tell_that_it_is_there(desk: Desk) -> None:
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}")
    assert "There is no game of that name" in said(write(desk, "SHOW autumn7", "eve@example.org")[0])
    assert "has not begun" in said(write(desk, "SHOW autumn7", "anna@example.org")[0])
    (anna,) = to(mails, "anna")
    (rules,) = answer(desk, anna, "RULES autumn7")
    assert "no game" not in said(rules)


# faults

FAULTS = {
    "line": ("hello there", "I do not understand this line"),
    "address": ("anna@", "no mail can be sent"),
    "rules": ("rules nosuch", "no house rules of that name"),
    "path": ("rules ../judge.toml", "no house rules of that name"),
    "schedule": ("schedule sometimes", "That is no schedule"),
    "key": ("set nosuch.key=1", "no house rule nosuch.key"),
    "value": ("set press.kinds=loud", "no value of press.kinds"),
    "language": ("language Klingon", "language"),
    "zone": ("timezone Atlantis", "time zone"),
    "master": ("master fred@example.org", "master me"),
    "by the master": ("set powers.assign=master", "given out by the judge"),
    "own address": ("mia@example.org", "your own address"),
    "ours": ("judge@judge.example.org", "No invitation can go"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_with_its_line_and_nothing_is_made(desk: Desk, case: str) -> None:
    line, why = FAULTS[case]
    (told,) = makes(desk, f"NEW autumn7\n{ADDRESSES.replace(' fay@example.org', '')}\n{line}\nEND")
    assert why in said(told) and f"| {line}" in said(told).replace("> ", "| ") and "was not made" in said(told)
    assert games.find(desk.judge.store, "autumn7") is None and states(desk) == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("NEW autumn7\nanna@example.org", "That makes 2 players"),
        (f"NEW autumn7\n{ADDRESSES} gus@example.org", "That makes 8 players"),
        ("NEW autumn7\n", "Nobody is invited"),
        ("NEW games\nanna@example.org", "cannot name a game"),
        ("NEW spring42\nanna@example.org", "There is a game of the name spring42"),
    ],
    ids=("few", "many", "none", "name", "taken"),
)
def test_a_game_that_cannot_be(desk: Desk, body: str, why: str) -> None:
    (told,) = makes(desk, body)
    assert why in said(told) and states(desk) == []


# answers to an invitation


def test_no_is_told_to_who_invites_who_invites_another(desk: Desk) -> None:
    own = confirmed(desk)
    (anna,) = to(makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own), "anna")
    mails = answer(desk, anna, "NO")
    assert "declined" in said(to(mails, "anna")[0])
    (told,) = to(mails, "mia")
    assert "anna@example.org does not want to play" in said(told) and "5 invitations wait" in said(told)
    (again,) = answer(desk, anna, "NO")
    assert "nothing has changed" in said(again)
    (refused,) = makes(desk, "INVITE autumn7 anna@example.org", own=own)
    assert "nobody is invited twice" in said(refused)
    mails = makes(desk, "INVITE autumn7 gus@example.org", own=own)
    assert len(to(mails, "gus")) == 1 and "goes to gus@example.org" in said(to(mails, "mia")[0])
    (full,) = makes(desk, "INVITE autumn7 hal@example.org", own=own)
    assert "no place left" in said(full)
    answer(desk, anna, "YES")  # who changes their mind is welcome
    assert "anna@example.org" in wishes(desk)


def test_nobody_else_invites(desk: Desk) -> None:
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}\nopen")
    (eve,) = makes(desk, "INVITE autumn7 gus@example.org", "eve")
    assert "Only who made the game" in said(eve)
    (anna,) = to(mails, "anna")
    answer(desk, anna, "YES")
    (refused,) = answer(desk, anna, "INVITE autumn7 gus@example.org")
    assert "Only who made the game" in said(refused)


def test_no_more_holds_for_ever(desk: Desk) -> None:
    own = confirmed(desk)
    (anna,) = to(makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own), "anna")
    mails = answer(desk, anna, "NO MORE")
    assert "No invitation goes to your address" in said(to(mails, "anna")[0]) and len(to(mails, "mia")) == 1
    (again,) = answer(desk, anna, "no more.")
    assert "nothing has changed" in said(again)
    desk.now += timedelta(days=30)
    upkeep.purge(desk.judge, desk.now)
    upkeep.purge(desk.judge, desk.now)
    assert people.of_mailbox(desk.judge.store, "anna@example.org") is None
    (told,) = makes(desk, "NEW winter8\nAnna@Example.org\nmaster me", own=own)
    assert "No invitation can go to Anna@example.org" in said(told)


def test_who_is_forgotten_is_not_invited_again_into_the_same_game_nor_ever_if_they_said_so(desk: Desk) -> None:
    own = confirmed(desk)
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own)
    answer(desk, to(mails, "anna")[0], "NO MORE")
    answer(desk, to(mails, "ben")[0], "NO")
    for name in ("anna", "ben"):
        person = people.of_mailbox(desk.judge.store, f"{name}@example.org")
        assert person is not None
        forgetting.forget(desk.judge, person, desk.now)
    rows = desk.judge.store.rows("SELECT args FROM outbox") + desk.judge.store.rows("SELECT commands AS args FROM asks")
    assert not any("anna@example.org" in row["args"] for row in rows)
    assert "nobody is invited twice" in said(makes(desk, "INVITE autumn7 ben@example.org", own=own)[0])
    (told,) = makes(desk, "NEW winter8\nanna@example.org\nmaster me", own=own)
    assert "No invitation can go" in said(told)


def test_an_invitation_waits_two_weeks(desk: Desk) -> None:
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}")
    desk.now += timedelta(days=10)
    upkeep.purge(desk.judge, desk.now)
    (anna,), (ben,) = to(mails, "anna"), to(mails, "ben")
    answer(desk, anna, "YES")
    assert "anna@example.org" in wishes(desk)
    desk.now += timedelta(days=5)
    upkeep.purge(desk.judge, desk.now)
    upkeep.purge(desk.judge, desk.now)
    assert states(desk) == ["accepted", *["lapsed"] * 5]
    assert people.of_mailbox(desk.judge.store, "ben@example.org") is None
    assert desk.deliver(*desk.write("Ben", "YES", to=ben["Reply-To"], sender="ben@example.org")) is None


def test_somebody_else_cannot_answer_it(desk: Desk) -> None:
    (anna,) = to(makes(desk, f"NEW autumn7\n{ADDRESSES}"), "anna")
    write(desk, "YES", "eve@example.org", to=anna["Reply-To"])
    write(desk, "YES", "anna@example.org")
    assert list(wishes(desk)) == ["mia@example.org"] and states(desk) == ["open"] * 6


def test_invitations_do_not_keep_anybody_from_asking_for_themselves(desk: Desk) -> None:
    own = confirmed(desk)
    for name in ("autumn7", "winter8", "winter9"):
        makes(desk, f"NEW {name}\nanna@example.org\nmaster me", own=own)
    assert states(desk) == ["open"] * 3
    (asked,) = write(desk, "GAMES", "anna@example.org")
    assert desk.outcome == "asked" and "please confirm" in asked["Subject"]


# caps and the operator's setting


def under(desk: Desk, **settings: Any) -> None:
    desk.judge = replace(desk.judge, making=Games(**settings))


def test_so_many_games_wait_at_once(desk: Desk) -> None:
    own = confirmed(desk)
    for number in range(3):
        makes(desk, f"NEW autumn{number}\nf{number}@example.org\nmaster me", own=own)
    (told,) = makes(desk, "NEW autumn9\ngus@example.org\nmaster me", own=own)
    assert "3 games that wait" in said(told) and len(states(desk)) == 3


def test_so_many_invitations_a_day(desk: Desk) -> None:
    under(desk, invitations_per_day=6)
    own = confirmed(desk)
    makes(desk, f"NEW autumn7\n{ADDRESSES}", own=own)
    (told,) = makes(desk, "NEW autumn9\ngus@example.org\nmaster me", own=own)
    assert "No more than 6 invitations" in said(told)
    desk.now += timedelta(days=2)
    assert len(makes(desk, "NEW autumn9\ngus@example.org\nmaster me", own=own)) == 3  # answer, master's letter, invitation


def test_so_many_invitations_to_one_address_whoever_sends_them(desk: Desk) -> None:
    for number in range(3):
        assert len(to(makes(desk, f"NEW autumn{number}\nanna@example.org\nmaster me", f"m{number}"), "anna")) == 1
    mails = makes(desk, "NEW autumn9\nANNA@example.org\nmaster me", "m9")
    assert to(mails, "anna") == [] and "No invitation can go" in said(mails[0])


@pytest.mark.parametrize(
    ("create", "may"),
    [(("shell",), False), (("nils@example.org",), False), (("Mia@example.org", "nils@example.org"), True)],
    ids=("shell", "others", "listed"),
)
def test_who_may_is_the_operators_setting(desk: Desk, create: tuple[str, ...], may: bool) -> None:
    under(desk, create=create)
    mails = makes(desk, f"NEW autumn7\n{ADDRESSES}")
    assert (games.find(desk.judge.store, "autumn7") is not None) is may
    assert may or "made by who runs it" in said(mails[0])
    under(desk, create=create)
    (stranger,) = write(desk, f"NEW winter8\n{ADDRESSES}", "eve@example.org")
    assert "made by who runs it" in said(stranger) and desk.outcome == "command"


def test_in_a_games_mail_its_lines_are_no_block_and_swallow_no_orders(desk: Desk) -> None:
    desk.post("new orders\nA PAR - BUR\nF BRE - MAO", "France")
    assert len(desk.held("France")) == 2
    desk.post("NEW winter8\nA MAR - SPA\nEND", "France")
    assert any("SPA" in one.upper() for one in desk.held("France")) and games.find(desk.judge.store, "winter8") is None


def test_who_made_games_and_who_was_invited_gets_that_by_export(desk: Desk) -> None:
    answer(desk, to(makes(desk, f"NEW autumn7\n{ADDRESSES}"), "anna")[0], "NO")
    kept = {}
    for name in ("mia", "anna"):
        person = people.of_mailbox(desk.judge.store, f"{name}@example.org")
        assert person is not None
        kept[name] = export.of_person(desk.judge, person)
    assert [one["game"] for one in kept["mia"]["games_made"]] == ["autumn7"]
    assert len(kept["mia"]["invitations_sent"]) == 6 and not kept["mia"]["invited"]
    (one,) = kept["anna"]["invited"]
    assert (one["game"], one["state"]) == ("autumn7", "declined") and one["decided_at"]


def test_who_made_it_is_known_by_no_other_name(desk: Desk) -> None:
    makes(desk, f"NEW autumn7\n{ADDRESSES}")
    game = games.get(desk.judge.store, "autumn7")
    maker = people.load(desk.judge.store, invitations.maker(desk.judge.store, game.id) or 0)
    assert maker.mailbox == "mia@example.org"
    assert inviting.digest(desk.judge, "anna@example.org") != inviting.digest(desk.judge, "ben@example.org")


def test_the_example_of_the_readme_starts_a_game(desk: Desk) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    example = readme[readme.index("    NEW autumn7\n") :]
    example = textwrap.dedent(example[: example.index("END\n") + 4])
    invitations_out = [one for one in makes(desk, example) if "mia@" not in one["To"]]
    assert sorted(one["To"] for one in invitations_out) == ["anna@example.org", "ben@example.net", "cem@example.org"]
    for one in invitations_out:
        answer(desk, one, "YES")
    assert games.get(desk.judge.store, "autumn7").state == "running"
