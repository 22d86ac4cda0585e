"""Two mails of which nobody can tell which was written later (``orders.undated``, DATC 4.D.2)."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.store import inbox

Desk = Any

#: no usable Date
NO_DATE = {"Date": "some day"}


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


_FIRST, _SECOND = "A Par - Bur\nF Bre - MAO", "A Par - Pic\nA Mar H"
#: power -> which of its two mails has no Date; ``None``: both have the same
_DATES = {"France": (0,), "Germany": (1,), "Italy": (0, 1), "Austria": None}
_ORDERS = {
    "France": (_FIRST, _SECOND),
    "Germany": ("A Mun - Bur\nF Kie - Den", "A Mun - Ruh\nA Ber H"),
    "Italy": ("A Ven - Pie\nF Nap - Ion", "A Ven - Tus\nA Rom H"),
    "Austria": ("A Vie - Gal\nF Tri - Alb", "A Vie - Boh\nA Bud H"),
}
_CASES = [
    # settings, which of the two orders for one unit is held in the end
    (["orders.undated=arrival"], 1),
    (["orders.undated=arrival", "orders.duplicate=first"], 1),
    (["orders.undated=combine"], 1),
    (["orders.undated=combine", "orders.duplicate=first"], 0),
    (["orders.undated=combine", "orders.duplicate=void"], None),
    (["orders.undated=void"], None),
    (["orders.undated=void", "orders.duplicate=first"], None),
]


@pytest.mark.parametrize(("settings", "which"), _CASES, ids=["+".join(s) for s, _ in _CASES])
def test_two_mails_in_unknown_order(under: Any, settings: list[str], which: int | None) -> None:
    """Either mail or both without a Date, or both with the same; what only one of them orders counts in any case."""
    desk = under(*settings)
    instant = desk.now
    for number in (0, 1):
        for power, undated in _DATES.items():
            headers = NO_DATE if undated is not None and number in undated else {}
            date = instant if undated is None else desk.now
            desk.mail(power, _ORDERS[power][number], date=date, headers=headers)
        desk.now += timedelta(hours=1)
    held = {power: set(desk.held(power)) for power in _DATES}
    both = {"France": {"F BRE-MAO", "A MAR H"}, "Germany": {"F KIE-DEN", "A BER H"}}
    both |= {"Italy": {"F NAP-ION", "A ROM H"}, "Austria": {"F TRI-ALB", "A BUD H"}}
    disputed = {"France": ("A PAR-BUR", "A PAR-PIC"), "Germany": ("A MUN-BUR", "A MUN-RUH")}
    disputed |= {"Italy": ("A VEN-PIE", "A VEN-TUS"), "Austria": ("A VIE-GAL", "A VIE-BOH")}
    for power in _DATES:
        assert held[power] == both[power] | (set() if which is None else {disputed[power][which]}), power


@pytest.mark.parametrize("settings", [s for s, _ in _CASES[3:6]], ids=["+".join(s) for s, _ in _CASES[3:6]])
def test_known_order_is_never_touched(under: Any, settings: list[str]) -> None:
    """By the Dates, or because the second mail answers what the first one led to: a later mail replaces."""
    desk = under(*settings)
    desk.mail("France", _FIRST)
    desk.now += timedelta(hours=1)
    desk.mail("France", _SECOND)
    assert sorted(desk.held("France")) == ["A MAR H", "A PAR-PIC", "F BRE-MAO"]
    receipt = desk.mail("England", "F Edi - NTH", headers=NO_DATE)
    desk.mail("England", "F Edi - NWG", headers=NO_DATE, answering=receipt)
    assert desk.held("England") == ["F EDI-NWG"]


def test_what_is_void_is_told_and_its_unit_holds(under: Any) -> None:
    desk = under("orders.undated=void")
    desk.mail("France", _FIRST, headers=NO_DATE)
    receipt = desk.mail("France", _SECOND, headers=NO_DATE)
    text = text_of(receipt)
    assert "A PAR-BUR" in text and "A PAR-PIC" in text
    assert "nobody can tell which you wrote later, so neither counts" in text
    desk.pass_time(hours=25)
    assert {"power": "France", "type": "A", "at": "par"} in desk.show()["units"]


def test_a_third_mail_in_unknown_order_counts_no_more_than_the_second(under: Any) -> None:
    """What cancelled out stays so for such a mail, whichever of the two it repeats; but not after CLEAR, and not for a mail
    that was surely written later."""
    desk = under("orders.undated=void")
    desk.mail("France", _FIRST, headers=NO_DATE)
    desk.mail("France", _SECOND, headers=NO_DATE)
    receipt = desk.mail("France", "A Par - Bur", headers=NO_DATE)
    assert sorted(desk.held("France")) == ["A MAR H", "F BRE-MAO"]
    desk.mail("France", "A Par - Gas", headers=NO_DATE, answering=receipt)
    assert "A PAR-GAS" in desk.held("France")
    desk.mail("England", "F Edi - NTH", headers=NO_DATE)
    desk.mail("England", "F Edi - NWG", headers=NO_DATE)
    assert desk.held("England") == []
    desk.mail("England", "CLEAR\nF Edi - NWG", headers=NO_DATE)
    assert desk.held("England") == ["F EDI-NWG"]


def test_the_same_twice_is_once(under: Any) -> None:
    desk = under("orders.undated=void")
    desk.mail("France", _FIRST, headers=NO_DATE)
    desk.mail("France", _FIRST + "\nA Mar H", headers=NO_DATE)
    assert sorted(desk.held("France")) == ["A MAR H", "A PAR-BUR", "F BRE-MAO"]


def test_of_two_whole_sets_neither_takes_the_other_off(under: Any) -> None:
    """``orders.sets = replace`` is about a later mail; here both are one list."""
    desk = under("orders.undated=combine", "orders.sets=replace")
    desk.mail("France", _FIRST, headers=NO_DATE)
    desk.mail("France", "A Mar H", headers=NO_DATE)
    assert sorted(desk.held("France")) == ["A MAR H", "A PAR-BUR", "F BRE-MAO"]


def test_a_support_that_had_to_name_the_power_counts_when_it_did(under: Any) -> None:
    """4.C.5: an order's text on file names no power; whether it had to was settled when its mail came in."""
    desk = under("units.missing_nationality=void", "orders.undated=combine")
    desk.mail("France", "A Mar S Italian A Ven - Pie")
    receipt = desk.mail("Germany", "A Mun S A Ven - Tyr")
    assert desk.held("Germany") == [] and "must say whose unit A Venice is" in text_of(receipt)
    assert desk.held("France") == ["A MAR S A VEN-PIE"]
    desk.mail("Italy", "A Ven - Pie")
    desk.pass_time(hours=25)
    result = text_of(desk.receive()[0])
    assert "must say whose unit" not in result


def test_the_first_mail_counts(under: Any) -> None:
    """DATC 4.D.1: a later mail is not used, whatever it orders, until CLEAR."""
    desk = under("orders.sets=first", "orders.duplicate=void")
    desk.mail("France", _FIRST)
    receipt = desk.mail("France", _SECOND)
    assert sorted(desk.held("France")) == ["A PAR-BUR", "F BRE-MAO"]
    text = text_of(receipt)
    assert "your first mail with orders counts in this game" in text
    desk.mail("France", "A Par - Pic\nA Par - Gas")
    assert sorted(desk.held("France")) == ["A PAR-BUR", "F BRE-MAO"]
    desk.mail("France", "CLEAR\n" + _SECOND)
    assert sorted(desk.held("France")) == ["A MAR H", "A PAR-PIC"]


@pytest.mark.parametrize(
    ("value", "held"),
    [
        ("combine", ["A MAR H", "A PAR-PIC", "F BRE-MAO"]),
        ("replace", ["A MAR H", "A PAR-PIC"]),
        ("first", ["A PAR-BUR", "F BRE-MAO"]),
    ],
)
def test_two_mails_in_known_order(under: Any, value: str, held: list[str]) -> None:
    """DATC 4.D.1: the three ways to take a second mail."""
    desk = under(f"orders.sets={value}")
    desk.mail("France", _FIRST)
    desk.now += timedelta(hours=1)
    desk.mail("France", _SECOND)
    assert sorted(desk.held("France")) == held


def test_a_sealed_receipt_shows_none_of_it(under: Any) -> None:
    """CN-19: which units lost their orders, and not what these were; nor what the unit repeats."""
    desk = under("orders.undated=void", "orders.secrecy=sealed", "orders.perpetual=yes")
    desk.mail("France", _FIRST, headers=NO_DATE)
    text = text_of(desk.mail("France", _SECOND, headers=NO_DATE))
    assert "Burgundy" not in text and "Picardy" not in text and "A Paris" in text
    while desk.show()["phase"] != "S1902M":
        desk.pass_time(hours=25)
    desk.receive()
    text = text_of(desk.mail("France", "A Par - Gas"))
    assert "A Marseilles: an order is on file" in text and "as in an earlier turn" not in text
    assert "Gascony" not in text and "holds" not in text


@pytest.mark.parametrize(("headers", "times"), [({}, 1), (NO_DATE, 0)], ids=["same-date", "no-date"])
def test_a_mail_is_loaded_once_for_all_its_orders(
    under: Any, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], times: int
) -> None:
    """It may be one of ten megabytes; and where the new mail has no Date, its own does not matter."""
    desk = under("orders.undated=combine")
    instant, loaded, load = desk.now, [], inbox.load
    kept = desk.deliver(*desk.write("France", "A Par - Bur\nF Bre - MAO\nA Mar H", date=instant))
    desk.work()
    desk.now += timedelta(hours=1)

    def counted(store: Any, inbox_id: int) -> inbox.StoredMail:
        loaded.append(inbox_id)
        return load(store, inbox_id)

    second = desk.deliver(*desk.write("France", "A Par - Pic\nF Bre - ENG\nA Mar - Spa", date=instant, headers=headers))
    monkeypatch.setattr(inbox, "load", counted)
    desk.work()
    assert loaded.count(kept.id) == times
    assert second.id in loaded


def test_a_sealed_receipt_says_once_what_cancels_out_and_by_which_rule(under: Any) -> None:
    """Not that an order was on file where none was: of three mails of one instant the second cancels out, and the third
    finds nothing."""
    desk = under("orders.undated=void", "orders.secrecy=sealed")
    for number, body in enumerate(["A Par - Bur", "A Par - Pic", "A Par - Gas"]):
        text = text_of(desk.mail("France", body, date=desk.now))
        assert text.count("A Paris: two of your mails say different things") == (number > 0)
        assert ("(House rule: orders.undated = void.)" in text) is (number > 0)
        assert "takes it off" not in text and not {"Burgundy", "Picardy", "Gascony"} & set(text.split())
    assert desk.held("France") == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            ["orders.undated=void"],
            "neither counts; say it again in answer to this mail. (House rule: orders.undated = void.)",
        ),
        (["orders.sets=first"], "CLEAR takes it off. (House rule: orders.sets = first.)"),
    ],
)
def test_a_receipt_names_the_rule_that_decided_between_mails(under: Any, settings: list[str], said: str) -> None:
    desk = under(*settings)
    desk.mail("France", "A Par - Bur", date=desk.now)
    assert said in text_of(desk.mail("France", "A Par - Pic", date=desk.now)).replace("\u00a0", " ")
