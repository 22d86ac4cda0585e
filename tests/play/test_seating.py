"""Players wish, the start draws: seats, the first mail, what is stored, and that anybody can draw again."""

from __future__ import annotations

import shlex
from email.message import Message
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.errors import BadInput, Refused
from judge.play import rulings, seating, setup
from judge.store import games
from judge.variants import load_rules

Desk = Any
WISHES = (["France"], ["France"], [], ["England"], ["Germany"], ["Russia"], ["Turkey"])
PLAYERS = tuple(f"p{number}@example.org" for number in range(1, 8))


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def begin(
    desk: Desk, rules: str = "japan-1910", seed: str = "5f0c", wishes: Any = WISHES, **more: Any
) -> dict[str, Message]:
    """Start a game; returns the first mails by address."""
    wanted = [(address, wish) for address, wish in zip(PLAYERS, wishes, strict=False)]
    setup.create_game(desk.judge, "autumn", rules=load_rules(rules), wishes=wanted, now=desk.now, **more)
    setup.start_game(desk.judge, "autumn", desk.now, seed)
    desk.work()
    return {m["To"]: m for m in desk.receive()}


def seats(desk: Desk) -> dict[str, str]:
    return {seat["address"]: seat["power"] for seat in desk.show("autumn")["seats"] if seat["address"]}


def test_jp_1_the_table_of_wishes_as_a_game(desk: Desk) -> None:
    mails = begin(desk)
    fell = seats(desk)
    assert [fell[p] for p in PLAYERS[3:]] == ["England", "Germany", "Russia", "Turkey"]
    assert "France" in (fell[PLAYERS[0]], fell[PLAYERS[1]])
    assert {fell[p] for p in PLAYERS[:3]} == {"France", "Austria", "Italy"}
    assert set(mails) == set(PLAYERS)
    for address, mail in mails.items():
        assert text_of(mail).startswith(f"You play {fell[address]} in autumn")


def test_the_first_mail_says_how_the_draw_fell_and_how_to_draw_again(desk: Desk) -> None:
    mails = begin(desk)
    fell = seats(desk)
    winner, loser = sorted(PLAYERS[:2], key=lambda p: fell[p] != "France")
    assert "You wished for France, as did 2 players in all; the lot fell to you." in text_of(mails[winner])
    assert f"You wished for France, and it did not fall to you; {fell[loser]} was drawn for you" in text_of(mails[loser])
    assert f"You wished for no power; {fell[PLAYERS[2]]} was drawn for you" in text_of(mails[PLAYERS[2]])
    assert "You wished for England, and nobody else did: it is yours." in text_of(mails[PLAYERS[3]])
    assert "judge draw preference --seed 5f0c F F - E G R T" in text_of(mails[winner])


@pytest.mark.parametrize("seed", ["5f0c", "a seed that all agreed on", "0"])
def test_the_command_in_the_mail_draws_the_same(desk: Desk, seed: str) -> None:
    begin(desk, seed=seed)
    game = games.get(desk.judge.store, "autumn")
    view = seating.draw_view(desk.judge, game)
    assert view["as_stored"] and view["command"].startswith("judge draw preference --seed ")
    result = CliRunner().invoke(main, shlex.split(view["command"])[1:])
    assert result.exit_code == 0
    drawn = {line.split()[0]: line.split()[1] for line in result.output.splitlines()}
    fell = seats(desk)
    assert drawn == {str(number): fell[address] for number, address in enumerate(PLAYERS, 1)}


def test_a_draw_that_was_changed_is_found(desk: Desk) -> None:
    begin(desk)
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE draws SET seed = '5f0d'")
    changed = [seating.draw_view(desk.judge, games.get(desk.judge.store, "autumn"))["as_stored"]]
    for seed in ("1", "2", "3", "4", "5", "6"):
        with desk.judge.store.transaction():
            desk.judge.store.run("UPDATE draws SET seed = ?", seed)
        changed.append(seating.draw_view(desk.judge, games.get(desk.judge.store, "autumn"))["as_stored"])
    assert False in changed


def test_ranked_lists_and_who_is_seated_by_the_master(desk: Desk) -> None:
    rules = rulings.set_keys(load_rules("standard"), [("powers.assign", "best-ranks")], setup.load_board())
    setup.create_game(
        desk.judge,
        "autumn",
        rules=rules,
        players={"Turkey": "sultan@example.org"},
        wishes=[
            ("p1@example.org", ["France", "Italy"]),
            ("p2@example.org", ["France", "Russia"]),
            ("p3@example.org", ["Turkey"]),
        ],
        now=desk.now,
    )
    setup.start_game(desk.judge, "autumn", desk.now, "7")
    fell = seats(desk)
    assert fell["sultan@example.org"] == "Turkey"
    assert (fell["p1@example.org"], fell["p2@example.org"]) in (("France", "Russia"), ("Italy", "France"))
    desk.work()
    command = seating.draw_view(desk.judge, games.get(desk.judge.store, "autumn"))["command"]
    assert "--powers Austria,England,France,Germany,Italy,Russia F,I F,R -" in command


@pytest.mark.parametrize(
    ("wishes", "error", "why"),
    [
        ([("nobody", ["France"])], BadInput, "no mail address"),
        ([("a@example.org", ["Atlantis"])], BadInput, "no power of this board; its powers are Austria"),
        ([("a@example.org", ["France", "Fra"])], BadInput, "twice"),
        ([("a@example.org", []), ("A@example.org", [])], Refused, "in the game already"),
        ([(f"p{n}@example.org", []) for n in range(8)], Refused, "full"),
        ([("a@example.org", ["France", "Italy"])], BadInput, r"one wish \(powers.assign = preference\); ranked lists go"),
    ],
    ids=["no address", "no such power", "one power twice", "one player twice", "too many", "two wishes where one counts"],
)
def test_wishes_that_cannot_be(desk: Desk, wishes: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        setup.create_game(desk.judge, "autumn", rules=load_rules("japan-1910"), wishes=wishes, now=desk.now)
    assert games.find(desk.judge.store, "autumn") is None


def test_rules_that_leave_it_to_the_master_draw_nothing(desk: Desk) -> None:
    with pytest.raises(BadInput, match="the game master says who plays what"):
        begin(desk, rules="standard")


def test_no_seed_no_draw(desk: Desk) -> None:
    wanted = [("a@example.org", [])]
    setup.create_game(desk.judge, "autumn", rules=load_rules("japan-1910"), wishes=wanted, now=desk.now)
    with pytest.raises(BadInput, match="seed"):
        setup.start_game(desk.judge, "autumn", desk.now)
    assert desk.show("autumn")["state"] == "forming"


@pytest.mark.parametrize(("rules", "shown"), [("japan-1910", True), ("standard", False)])
def test_jp_4_addresses_are_shown_as_the_rules_say(desk: Desk, rules: str, shown: bool) -> None:
    players = {"France": "camille@example.org", "England": "anna@example.org"}
    setup.create_game(desk.judge, "autumn", rules=load_rules(rules), players=players, now=desk.now)
    setup.start_game(desk.judge, "autumn", desk.now)
    desk.work()
    mails = {m["To"]: m for m in desk.receive()}
    for address, other in (("camille@example.org", "anna@example.org"), ("anna@example.org", "camille@example.org")):
        everything = mails[address].as_bytes().decode()
        assert (other in everything) is shown
        assert ("Players are told each other's mail addresses." in text_of(mails[address])) is shown
        assert ("Write to each other as you like" in text_of(mails[address])) is shown


def test_the_draw_never_names_players(desk: Desk) -> None:
    rules = rulings.set_keys(load_rules("japan-1910"), [("powers.addresses", "hidden")], setup.load_board())
    wanted = list(zip(PLAYERS, WISHES, strict=True))
    setup.create_game(desk.judge, "autumn", rules=rules, wishes=wanted, now=desk.now)
    setup.start_game(desk.judge, "autumn", desk.now, "5f0c")
    desk.work()
    for mail in desk.receive():
        others = [address for address in PLAYERS if address != mail["To"]]
        assert not any(address in mail.as_bytes().decode() for address in others)


def test_where_all_draw_nobody_wishes(desk: Desk) -> None:
    rules = rulings.set_keys(load_rules("japan-1910"), [("powers.assign", "random")], setup.load_board())
    wishes = [("a@example.org", ["France"])]
    with pytest.raises(BadInput, match="all draw, and nobody wishes"):
        setup.create_game(desk.judge, "autumn", rules=rules, wishes=wishes, now=desk.now)


def test_rules_that_change_before_the_start_pass_over_no_wish(desk: Desk) -> None:
    rules = rulings.set_keys(load_rules("japan-1910"), [("powers.assign", "best-ranks")], setup.load_board())
    wishes = [("a@example.org", ["France", "Italy"])]
    setup.create_game(desk.judge, "autumn", rules=rules, wishes=wishes, now=desk.now)
    rulings.change_rules(desk.judge, "autumn", [("powers.assign", "preference")], who="Ana", now=desk.now)
    with pytest.raises(BadInput, match="wishes for France, Italy: by these rules"):
        setup.start_game(desk.judge, "autumn", desk.now, "7")
    assert desk.show("autumn")["state"] == "forming"


@pytest.mark.parametrize(
    ("seed_from", "said"),
    [("chosen", "which was chosen by whoever made the game"), ("chance", "which was drawn by chance as the game started")],
)
def test_the_first_mail_says_where_the_seed_is_from(desk: Desk, seed_from: Any, said: str) -> None:
    wanted = list(zip(PLAYERS, WISHES, strict=True))
    setup.create_game(desk.judge, "autumn", rules=load_rules("japan-1910"), wishes=wanted, now=desk.now)
    setup.start_game(desk.judge, "autumn", desk.now, "5f0c", seed_from)
    desk.work()
    mails = desk.receive()
    assert len(mails) == 7 and all(f"The lots come from the seed 5f0c, {said}." in text_of(mail) for mail in mails)
    assert seating.draw_view(desk.judge, games.get(desk.judge.store, "autumn"))["seed_from"] == seed_from
