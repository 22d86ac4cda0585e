"""Boards that are data alone, from the order mail to the result: a fleet in Rome, and seven centres that all touch."""

from __future__ import annotations

from email.header import decode_header, make_header
from email.message import Message
from typing import Any

import pytest

from judge.errors import BadHouseRules
from judge.play import setup, verify
from judge.store import games
from judge.variants import board_names, load_board, load_rules
from judge.variants.names import load_names

#: many mails a test: among the slow ones
pytestmark = pytest.mark.slow

Desk = Any


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def table(desk: Desk) -> Any:
    """A game on another board: ``write(power, body)`` is a mail and its receipt, ``run()`` the results by power."""

    class Table:
        def __init__(self, variant: str, *powers: str, rules: str = "standard") -> None:
            players = {power: f"{power.lower()}@example.net" for power in powers}
            board = load_board(variant)
            setup.create_game(
                desk.judge, "other", rules=load_rules(rules, board), variant=variant, players=players, now=desk.now
            )
            setup.start_game(desk.judge, "other", desk.now)
            self.starts = self.collect()

        def collect(self) -> dict[str, Message]:
            desk.work()
            return {m["To"].partition("@")[0]: m for m in desk.receive() if m["To"].endswith("@example.net")}

        def write(self, power: str, body: str) -> str:
            to = desk.reply_to(power, "other")
            answer = desk.mail(power, body, to=to, sender=f"{power.lower()}@example.net")
            assert desk.outcome == "orders", text_of(answer)
            return text_of(answer)

        def run(self) -> dict[str, str]:
            desk.pass_time(hours=25)
            return {power: text_of(mail) for power, mail in self.collect().items()}

        def show(self) -> dict[str, Any]:
            view: dict[str, Any] = desk.show("other")
            return view

        def verify(self) -> list[str]:
            return verify.verify_game(desk.judge, games.get(desk.judge.store, "other"))

    return Table


def test_the_boards_are_there_with_names_in_all_languages() -> None:
    assert {"standard", "fleet-rome", "pure"} <= set(board_names())
    for name in board_names():
        names = load_names(name)
        assert set(load_names().languages) <= set(names.languages)
        board = load_board(name)
        printed = {lang: {names.province(p, lang) for p in board.provinces} for lang in names.languages}
        assert all(len(words) == len(board.provinces) for words in printed.values())


def test_fleet_rome_differs_in_one_unit() -> None:
    standard, other = load_board(), load_board("fleet-rome")
    assert set(other.start) - set(standard.start) == {u for u in other.start if (u.type, u.at) == ("F", "rom")}
    assert len(other.start) == len(standard.start) == 22
    assert (other.army, other.fleet, other.powers) == (standard.army, standard.fleet, standard.powers)


def test_fleet_rome_from_order_mail_to_result(table: Any) -> None:
    game = table("fleet-rome", "Italy", "France")
    units = text_of(game.starts["italy"]).partition("YOUR UNITS")[2].partition("HOW TO ANSWER")[0]
    assert units.lower().count("fleet") == 2 and "Rome" in units
    receipt = game.write("Italy", "F Rome - Tyrrhenian Sea\nF Nap - Ion\nA Ven H")
    assert "F Rome - Tyrrhenian Sea" in receipt
    results = game.run()
    assert "F Rome - Tyrrhenian Sea" in results["italy"] and "F Rome - Tyrrhenian Sea" in results["france"]
    game.write("Italy", "F Tys - Tunis\nF Ion - Tys\nA Ven - Rom")
    results = game.run()
    assert "Tunis" in results["italy"]
    assert "tun" in game.show()["centres"]["Italy"]
    game.write("Italy", "build F Ven")
    game.run()
    assert {"power": "Italy", "type": "F", "at": "ven"} in game.show()["units"]
    assert game.verify() == []


def test_pure_every_centre_touches_every_other() -> None:
    board = load_board("pure")
    assert len(board.provinces) == len(board.supply_centres()) == len(board.powers) == 7
    assert all(board.army[p] == frozenset(board.provinces) - {p} for p in board.provinces)
    assert board.victory_centres == 4


def test_pure_from_order_mail_to_victory(table: Any) -> None:
    """France, with England's help at first, takes one centre a year; four of seven win."""
    game = table("pure", "France", "England")
    assert "Whoever holds 4 supply centres" in text_of(game.starts["france"])
    turns = (
        {"France": "A Par - Ber", "England": "A London S A Paris - Berlin"},
        {"France": "A Ber H", "England": "A Lon H"},
        {"France": "build A Paris"},
        {"France": "A Ber - Vie\nA Par S A Ber - Vie"},
        {"France": "A Par - Ber\nA Vie H"},
        {"France": "build A Par"},
        {"France": "A Ber - Rom\nA Vie S A Ber - Rom"},
        {"France": "A Rom H\nA Par - Ber"},
    )
    results: dict[str, str] = {}
    for bodies in turns:
        for power, body in bodies.items():
            game.write(power, body)
        results = game.run()
        assert set(results) == {"france", "england"}
    view = game.show()
    assert (view["state"], view["winners"], view["ended_by"]) == ("ended", ["France"], "victory.centres")
    assert "4" in results["england"] and "France" in results["england"]
    assert game.verify() == []


def test_pure_tells_what_is_wrong_in_the_boards_own_names(table: Any, desk: Desk) -> None:
    game = table("pure", "France")
    to = desk.reply_to("France", "other")
    answer = desk.mail("France", "A Par - Bur\nF Par - Lon", to=to, sender="france@example.net")
    assert "A Par - Bur" in text_of(answer)
    assert "Burgundy" not in text_of(answer)
    assert game.show()["game"] == "other"


def test_pure_in_japanese(table: Any) -> None:
    game = table("pure", "France")
    receipt = game.write("France", "パリ陸軍 - ベルリン")
    assert "A Paris - Berlin" in receipt
    assert str(make_header(decode_header(game.starts["france"]["Subject"]))).startswith(
        "[other] Spring 1901: you play France"
    )


def test_rules_that_a_board_cannot_bear_start_no_game() -> None:
    with pytest.raises(BadHouseRules, match=r"japan-1910.toml:\d+: .*1 to 7"):
        load_rules("japan-1910", load_board("pure"))
