"""Two orders for one unit: within a mail as the house rules say, and a later mail always replaces."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

from judge.play import rulings

Desk = Any


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def test_the_last_counts_and_the_receipt_says_what_it_replaced(desk: Desk) -> None:
    receipt = desk.mail("France", "A Par - Bur\nF Bre - MAO\nA Par - Pic")
    assert desk.held("France") == ["F BRE-MAO", "A PAR-PIC"]
    text = text_of(receipt)
    assert "A Paris - Burgundy" in text and "A Paris - Picardy" in text


def test_the_first_counts(under: Any) -> None:
    desk = under("orders.duplicate=first")
    receipt = desk.mail("France", "A Par - Bur\nF Bre - MAO\nA Par - Pic")
    assert desk.held("France") == ["A PAR-BUR", "F BRE-MAO"]
    text = text_of(receipt)
    assert "A Par - Pic" in text and "An earlier order for A Paris counts instead" in text
    assert "orders.duplicate" in text


def test_both_are_void(under: Any) -> None:
    """DATC 4.D.3: the unit holds."""
    desk = under("orders.duplicate=void")
    receipt = desk.mail("France", "A Par - Bur\nF Bre - MAO\nA Par - Pic")
    assert desk.held("France") == ["F BRE-MAO"]
    assert "There are two different orders for A Paris, so neither counts" in text_of(receipt)
    desk.pass_time(hours=25)
    assert {"power": "France", "type": "A", "at": "par"} in desk.show()["units"]


def test_void_orders_take_an_earlier_one_off(under: Any) -> None:
    """A later mail always replaces, also with nothing."""
    desk = under("orders.duplicate=void")
    desk.mail("France", "A Par - Gas")
    receipt = desk.mail("France", "A Par - Bur\nA Par - Pic")
    assert desk.held("France") == []
    assert "A PAR-GAS" in text_of(receipt)
    assert desk.outcome == "orders"


@pytest.mark.parametrize("rule", ["last", "first", "void"])
def test_a_later_mail_replaces_whatever_holds_within_one(under: Any, rule: str) -> None:
    desk = under(f"orders.duplicate={rule}")
    desk.mail("France", "A Par - Bur")
    receipt = desk.mail("France", "A Par - Pic")
    assert desk.held("France") == ["A PAR-PIC"]
    assert "A Paris - Burgundy" in text_of(receipt)


@pytest.mark.parametrize("rule", ["last", "first", "void"])
def test_the_same_order_twice_is_one_order(under: Any, rule: str) -> None:
    desk = under(f"orders.duplicate={rule}")
    desk.mail("France", "A Par - Bur\nF Bre - MAO\nA Paris - Burgundy")
    assert sorted(desk.held("France")) == ["A PAR-BUR", "F BRE-MAO"]


@pytest.mark.parametrize(("rule", "kept"), [("last", "A PAR-PIC"), ("first", "A PAR-PIC"), ("void", "A PAR-PIC")])
def test_an_order_that_cannot_be_is_no_rival(under: Any, rule: str, kept: str) -> None:
    desk = under(f"orders.duplicate={rule}")
    desk.mail("France", "A Par - Mos\nA Par - Pic\nA Par - Lon")
    assert desk.held("France") == [kept]


def test_a_later_mail_changes_only_what_it_names(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur\nF Bre - MAO")
    desk.mail("France", "A Mar - Spa")
    assert len(desk.held("France")) == 3


def test_a_later_mail_replaces_the_whole_set_where_the_rules_say_so(under: Any) -> None:
    desk = under("orders.sets=replace")
    desk.mail("France", "A Par - Bur\nF Bre - MAO")
    receipt = desk.mail("France", "A Mar - Spa\nA Par - Bur")
    assert sorted(desk.held("France")) == ["A MAR-SPA", "A PAR-BUR"]
    assert "F BRE-MAO" in text_of(receipt)
    desk.mail("France", "Thank you, all is well.")
    assert sorted(desk.held("France")) == ["A MAR-SPA", "A PAR-BUR"]


@pytest.fixture
def winter(desk: Desk) -> Any:
    """Germany may build two in Kiel, Berlin or Munich."""

    def play(*texts: str) -> Desk:
        desk.mail("Germany", "F Kie - Den\nA Ber - Kie\nA Mun - Ruh")
        desk.pass_time(hours=25)
        desk.mail("Germany", "A Kie - Hol\nA Ruh H")
        settings = [(key, value) for key, _, value in (text.partition("=") for text in texts)]
        if settings:
            rulings.change_rules(desk.judge, "spring42", settings, who="Ana", now=desk.now)
        desk.pass_time(hours=25)
        assert desk.show()["phase"] == "W1901A"
        desk.receive()
        return desk

    return play


@pytest.mark.parametrize(
    ("rule", "held"),
    [("first", ["A BER B", "F KIE B"]), ("last", ["F KIE B", "A MUN B"]), ("none", [])],
)
def test_more_builds_than_are_due(winter: Any, rule: str, held: list[str]) -> None:
    desk = winter(f"orders.too_many_builds={rule}")
    receipt = desk.mail("Germany", "build A Ber\nbuild F Kie\nbuild A Mun")
    assert desk.held("Germany") == held
    assert "not used" in receipt["Subject"]


@pytest.mark.parametrize(("rule", "held"), [("first", ["F KIE B"]), ("last", ["A KIE B"]), ("none", [])])
def test_two_builds_in_one_centre(winter: Any, rule: str, held: list[str]) -> None:
    desk = winter(f"orders.same_site={rule}")
    receipt = desk.mail("Germany", "build F Kie\nbuild A Kie")
    assert desk.held("Germany") == held
    assert "Kie" in text_of(receipt)


def test_a_later_build_takes_the_site_whatever_the_rule(winter: Any) -> None:
    desk = winter()
    desk.mail("Germany", "build F Kie\nbuild A Ber")
    desk.mail("Germany", "build A Kie")
    assert set(desk.held("Germany")) == {"A KIE B", "A BER B"}
