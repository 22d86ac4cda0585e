"""Proxy orders: a player lets another power order a unit for the open phase (``orders.proxy``, DATC 4.E.5)."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from typing import Any

import pytest

from judge.play import proxy
from judge.play.verify import verify_game
from judge.store import games

Desk = Any
Story = Callable[..., Desk]


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def stands(desk: Desk, at: str) -> bool:
    return any(unit["at"] == at for unit in desk.show()["units"])


def missing(desk: Desk, power: str) -> list[str]:
    return next(s["missing"] for s in desk.show()["seats"] if s["power"] == power)


@pytest.mark.parametrize(
    ("line", "unit", "power"),
    [
        ("PROXY A MAR TO ENGLAND", "A MAR", "ENGLAND"),
        ("proxy army marseilles to england.", "army marseilles", "england"),
        ("> Proxy A Mar -> England", "A Mar", "England"),
        ("PROXY ALL TO GERMANY", "", "GERMANY"),
        ("PROXY A MAR OFF", "A MAR", ""),
        ("PROXY OFF", "", ""),
        ("PROXY ALL OFF", "", ""),
        ("委任 陸軍マルセイユ を イギリス に", "陸軍マルセイユ", "イギリス"),
        ("委任 陸軍マルセイユをイギリスに", "陸軍マルセイユ", "イギリス"),
        ("委任 陸軍マルセイユ 取消", "陸軍マルセイユ", ""),
        ("委任 全て を イギリス に", "", "イギリス"),
        ("代理 马赛陆军 给 英国", "马赛陆军", "英国"),
        ("代理 馬賽陸軍 交給 英國", "馬賽陸軍", "英國"),
        ("代理 全部 收回", "", ""),
    ],
)
def test_a_proxy_line(line: str, unit: str, power: str) -> None:
    said = proxy.parse(line)
    assert said is not None and (said.unit, said.power) == (unit, power)


@pytest.mark.parametrize(
    "line",
    ["A Mar - Bur", "My proxy goes to England", "PROXY", "PROXY: done.", "proxy A Mar", "The proxy is off", "x" * 300],
)
def test_no_proxy_line(line: str) -> None:
    assert proxy.parse(line) is None


def test_where_the_rules_know_none_it_is_told(desk: Desk) -> None:
    """And England cannot order the unit."""
    text = text_of(desk.mail("France", "PROXY A MAR TO ENGLAND"))
    assert "in this game every player orders the units of its own power alone" in text
    desk.receive()
    text = text_of(desk.mail("England", "A Mar - Spa"))
    assert "belongs to another power" in text
    assert desk.held("England") == []


def test_the_other_power_orders_the_unit(under: Story) -> None:
    """Its order counts, the owner's gives way unseen, and the result says who ordered it."""
    desk = under("orders.proxy=yes")
    receipt = text_of(desk.mail("France", "A Mar - Pie\nA Par - Bur\nPROXY A MAR TO ENGLAND"))
    assert "Your unit in Marseilles is in the hands of England for this turn" in receipt
    notice = next(m for m in desk.sent if m["To"].startswith("england") and "in your hands" in m["Subject"])
    assert "France lets you order its units for this turn, in: Marseilles" in text_of(notice)
    assert missing(desk, "France") == ["F BRE"] and "A MAR" in missing(desk, "England")
    text = text_of(desk.mail("England", "A Mar - Spa\nF Lon H\nF Edi H\nA Lvp H"))
    assert "The unit of France in Marseilles is in your hands" in text and "A Marseilles - Spain" in text
    assert missing(desk, "England") == []
    assert "Spain" not in text_of(desk.mail("France", "STATUS"))
    desk.pass_time(hours=25)
    assert stands(desk, "spa") and not stands(desk, "pie")
    results = [text_of(m) for m in desk.receive()]
    assert results and all("Ordered by England." in text for text in results)
    desk.mail("France", "RULES")
    plain = [part for m in desk.sent for part in m.walk() if part.get_content_type() == "text/plain"]
    lines = [line for part in plain for line in part.get_payload(decode=True).decode().splitlines()]  # type: ignore[union-attr]
    assert len(lines) > 100 and not [line for line in lines if proxy.parse(line)]
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_where_no_order_comes_the_owners_own_counts(under: Story) -> None:
    desk = under("orders.proxy=yes")
    desk.mail("France", "A Mar - Pie\nPROXY A MAR TO ENGLAND")
    desk.mail("England", "F Lon H")
    desk.pass_time(hours=25)
    assert stands(desk, "pie")


@pytest.mark.parametrize("back", ["PROXY A MAR OFF", "PROXY OFF", "CLEAR", "PROXY A MAR TO GERMANY"])
def test_taken_back(under: Story, back: str) -> None:
    """What had been ordered for the unit is dropped, and who held it is told and cannot order it any more."""
    desk = under("orders.proxy=yes")
    desk.mail("France", "PROXY A MAR TO ENGLAND")
    desk.mail("England", "A Mar - Spa\nF Lon H")
    receipt = text_of(desk.mail("France", back))
    assert "in the hands of England" not in receipt
    assert any(m["To"].startswith("england") and "orders its units itself again" in m["Subject"] for m in desk.sent)
    assert desk.held("England") == ["F LON H"]
    assert "belongs to another power" in text_of(desk.mail("England", "A Mar - Spa"))
    desk.mail("France", "A Mar - Pie")
    desk.pass_time(hours=25)
    assert stands(desk, "pie") and not stands(desk, "spa")


def test_all_units_and_the_way_they_are_written(under: Story) -> None:
    """All of them; lines that name the owner; two orders for one unit; a coast that is asked about."""
    desk = under("orders.proxy=yes")
    desk.mail("France", "PROXY ALL TO ENGLAND")
    assert set(missing(desk, "England")) >= {"A PAR", "A MAR", "F BRE"} and missing(desk, "France") == []
    desk.mail("England", "French A Par - Bur\nA Mar - Pie\nA Mar S A Par - Bur\nFrance: F Bre - MAO")
    assert sorted(desk.held("England")) == ["A MAR S A PAR-BUR", "A PAR-BUR", "F BRE-MAO"]
    desk.pass_time(hours=25)
    assert stands(desk, "bur") and stands(desk, "mao")
    # for one turn only
    assert "A BUR" in missing(desk, "France") or desk.show()["phase"].endswith("A")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("PROXY A MAR TO FRANCE", "say which of your units"),
        ("PROXY A MAR TO NOWHERE", "say which of your units"),
        ("PROXY A MUN TO ENGLAND", "say which of your units"),
        ("PROXY A MAR OFF", "in nobody else's hands"),
    ],
)
def test_what_cannot_be_done_is_told(under: Story, line: str, why: str) -> None:
    desk = under("orders.proxy=yes")
    assert why in text_of(desk.mail("France", line))
    assert "A MAR" not in missing(desk, "England")


def test_a_unit_cannot_be_handed_on(under: Story) -> None:
    desk = under("orders.proxy=yes")
    desk.mail("France", "PROXY A MAR TO ENGLAND")
    assert "say which of your units" in text_of(desk.mail("England", "PROXY A MAR TO GERMANY"))


@pytest.mark.slow
def test_proxies_and_perpetual_orders(under: Story) -> None:
    """What a unit was last given is what it was given by whoever ordered it."""
    desk = under("orders.proxy=yes", "orders.perpetual=yes")
    desk.mail("France", "A Mar H\nPROXY A MAR TO ENGLAND")
    desk.mail("England", "A Mar - Pie")
    desk.mail("Italy", "A Ven - Pie")
    while desk.show()["phase"] != "S1902M":
        desk.pass_time(hours=25)
    desk.mail("Italy", "A Ven H")
    desk.pass_time(hours=25)
    assert stands(desk, "pie")
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


@pytest.mark.slow
def test_a_retreat_in_other_hands(under: Story) -> None:
    """Italy's army is driven out of Venice in Fall, and France says where it goes."""
    desk = under("orders.proxy=yes")
    # the rules hold from Fall 1901; a year on, Austria drives Venice out
    desk.mail("Austria", "A Vie - Tyr\nF Tri H")
    desk.pass_time(hours=25)
    while not desk.show()["phase"].endswith("M"):
        desk.pass_time(hours=25)
    desk.mail("Austria", "A Tyr - Ven\nF Tri S A Tyr - Ven")
    desk.pass_time(hours=25)
    assert desk.show()["phase"].endswith("R")
    desk.mail("Italy", "PROXY A VEN TO FRANCE\nA Ven D")
    assert missing(desk, "France") == ["A VEN"] and missing(desk, "Italy") == []
    assert "The unit of Italy in Venice is in your hands" in text_of(desk.mail("France", "A Ven - Apu"))
    assert missing(desk, "France") == []
    desk.pass_time(hours=25)
    assert stands(desk, "apu")
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []
