"""Orders that units repeat when nothing is ordered for them (``orders.perpetual``, DATC 4.E.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message
from typing import Any

import pytest

from judge.notation import write
from judge.play import rulings, setup
from judge.play.judge import open_table
from judge.play.onfile import repeated
from judge.play.verify import verify_game
from judge.store import games
from judge.variants import load_rules, with_key

Desk = Any
Story = Callable[[str], Desk]


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def repeats(desk: Desk, power: str) -> list[str]:
    """What the units of a power would repeat now."""
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    assert table is not None
    return [write(order) for order in repeated(desk.judge.store, table, power)]


def stands(desk: Desk, at: str) -> bool:
    return any(unit["at"] == at for unit in desk.show()["units"])


@pytest.fixture
def fall(desk: Desk) -> Story:
    """Fall 1901 under a value: in Spring A MAR and A VEN met over Piedmont, A PAR went to Burgundy, F BRE held."""

    def play(value: str) -> Desk:
        rulings.change_rules(desk.judge, "spring42", [("orders.perpetual", value)], who="Ana", now=desk.now)
        desk.mail("France", "A Mar - Pie\nA Par - Bur\nF Bre H")
        desk.mail("Italy", "A Ven - Pie")
        desk.mail("Russia", "F Sev - Bla\nA Mos S F Sev\nA War - Gal")
        desk.pass_time(hours=23)
        desk.receive()
        return desk

    return play


def test_without_an_order_a_unit_holds(fall: Story) -> None:
    desk = fall("no")
    receipt = desk.mail("France", "A Bur H")
    assert repeats(desk, "France") == []
    assert receipt is not None and "Marseilles" in text_of(receipt) and "earlier turn" not in text_of(receipt)
    assert next(s["missing"] for s in desk.show()["seats"] if s["power"] == "France") == ["F BRE", "A MAR"]
    desk.mail("Italy", "A Ven H")
    desk.pass_time(hours=25)
    assert stands(desk, "mar") and not stands(desk, "pie")


def test_without_an_order_a_unit_repeats_its_last(fall: Story) -> None:
    """The unit that moved has nothing to repeat; receipt and result say what is repeated; a verified game comes out so."""
    desk = fall("yes")
    assert repeats(desk, "France") == ["F BRE H", "A MAR-PIE"]
    assert next(s["missing"] for s in desk.show()["seats"] if s["power"] == "France") == ["A BUR"]
    receipt = desk.mail("France", "A Bur H")
    assert receipt is not None
    text = text_of(receipt)
    assert "A Marseilles - Piedmont (as in an earlier turn, since nothing was ordered for it)" in text
    assert "F Brest holds (as in an earlier turn" in text and "A Burgundy holds (as in" not in text
    assert desk.show()["seats"][2]["status"] == "complete"
    desk.mail("Italy", "A Ven H")
    desk.pass_time(hours=25)
    assert stands(desk, "pie") and not stands(desk, "mar")
    results = [text_of(m) for m in desk.receive()]
    assert results and all("Repeated from an earlier turn." in text for text in results)
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_an_order_for_the_unit_takes_its_place(fall: Story) -> None:
    """What is ordered counts; CLEAR takes it off again, and the unit repeats."""
    desk = fall("yes")
    desk.mail("France", "A Mar H")
    assert repeats(desk, "France") == ["F BRE H"]
    desk.mail("France", "CLEAR")
    assert repeats(desk, "France") == ["F BRE H", "A MAR-PIE"]


def test_what_is_no_longer_legal_is_not_repeated(fall: Story) -> None:
    """Moscow supported the fleet in Sevastopol, which has left: there is nobody to support."""
    desk = fall("yes")
    assert repeats(desk, "Russia") == []
    missing = next(s["missing"] for s in desk.show()["seats"] if s["power"] == "Russia")
    assert set(missing) == {"A GAL", "A MOS", "F BLA", "F STP/SC"}


@pytest.mark.slow
def test_it_goes_on_turn_after_turn_until_the_unit_moves(fall: Story) -> None:
    """An order given once stands for all turns; one that was carried out is over."""
    desk = fall("yes")
    desk.mail("Italy", "A Rom S A Ven")
    for phase in ("S1902M", "F1902M"):
        while desk.show()["phase"] != phase:
            desk.pass_time(hours=25)
        # Venice and Marseilles meet over Piedmont every turn, and nobody has written again
        assert repeats(desk, "Italy") == ["A ROM S A VEN", "A VEN-PIE"]
        assert repeats(desk, "France") == ["F BRE H", "A MAR-PIE"]
    desk.mail("Italy", "A Ven H")
    desk.pass_time(hours=25)
    assert stands(desk, "pie")
    while desk.show()["phase"] != "S1903M":
        desk.pass_time(hours=25)
    assert repeats(desk, "France") == ["F BRE H"]
    assert repeats(desk, "Italy") == ["A ROM S A VEN", "A VEN H"]
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_nothing_runs_early_on_what_is_only_repeated(desk: Desk) -> None:
    """A game that runs as soon as all orders are there waits for its players, unless they said READY."""
    rules = with_key(load_rules("standard"), "orders.perpetual", "yes")
    players = {power: f"{power.lower()}@example.org" for power in ("England", "France")}
    setup.create_game(desk.judge, "quick", rules=rules, players=players, now=desk.now, early=True)
    setup.start_game(desk.judge, "quick", desk.now)
    first = {"England": "F Lon H\nF Edi H\nA Lvp H", "France": "A Par H\nA Mar H\nF Bre H"}
    for power, body in first.items():
        desk.mail(power, body + "\nREADY", to=desk.reply_to(power, "quick"))
    desk.pass_time(minutes=1)
    assert desk.show("quick")["phase"] == "F1901M"
    desk.pass_time(hours=2)
    assert desk.show("quick")["phase"] == "F1901M"
    for power in first:
        desk.mail(power, "READY", to=desk.reply_to(power, "quick"))
    desk.pass_time(minutes=1)
    assert desk.show("quick")["phase"] != "F1901M"


@pytest.mark.parametrize("nmr", ["hold", "postpone"])
def test_who_sends_nothing_is_told_so_although_its_units_repeat(fall: Story, nmr: str) -> None:
    """What nmr says is about what a power sends: Italy's unit repeats, and everybody reads that Italy sent no orders."""
    desk = fall("yes")
    rulings.change_rules(desk.judge, "spring42", [("nmr", nmr)], who="Ana", now=desk.now)
    while desk.show()["phase"] != "S1902M":
        desk.pass_time(hours=25)
    desk.mail("France", "A Mar - Pie")
    desk.receive()
    while desk.show()["phase"] == "S1902M":
        desk.pass_time(hours=25)
    results = {m["To"].partition("@")[0]: text_of(m) for m in desk.receive() if "1902" in m["Subject"]}
    assert re.search(r"italy\W+sent no orders", results["france"], re.IGNORECASE)
    assert not re.search(r"france\W+sent no orders", results["italy"], re.IGNORECASE)
    assert "A Venice - Piedmont" in results["france"] and "Repeated from an earlier turn." in results["france"]
