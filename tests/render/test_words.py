"""Dates, spans, lists, phases and orders as one reader sees them, in English."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.render.catalogue import load
from judge.render.words import Words, by_province
from judge.rules.board import Board, Unit
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.position import Dislodged, Phase, Position

NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)


def english(board: Board | None = None, timezone: str = "UTC", rules: HouseRules = STANDARD) -> Words:
    return Words(load("en", ()), timezone, NOW, board, None, rules)


INSTANTS = [
    ("2026-12-03T20:00", "UTC", "Thu 3 Dec, 20:00 UTC", "Thu 20:00 UTC"),
    ("2026-12-03T20:00", "Europe/Paris", "Thu 3 Dec, 21:00 (Paris; 20:00 UTC)", "Thu 21:00"),
    ("2026-12-03T20:00", "Asia/Tokyo", "Fri 4 Dec, 05:00 (Tokyo; Thu 3 Dec, 20:00 UTC)", "Fri 05:00"),
    ("2026-12-03T02:00", "America/New_York", "Wed 2 Dec, 21:00 (New York; Thu 3 Dec, 02:00 UTC)", "Wed 21:00"),
    ("2027-01-02T12:00", "UTC", "Sat 2 Jan 2027, 12:00 UTC", "Sat 2 Jan 2027 12:00 UTC"),
    ("2026-12-31T23:30", "Europe/Paris", "Fri 1 Jan 2027, 00:30 (Paris; Thu 31 Dec, 23:30 UTC)", "Fri 1 Jan 2027 00:30"),
    ("2026-12-09T20:00", "UTC", "Wed 9 Dec, 20:00 UTC", "Wed 9 Dec 20:00 UTC"),
    ("2026-12-03T20:00", "Not/AZone", "Thu 3 Dec, 20:00 UTC", "Thu 20:00 UTC"),
    ("2026-12-03T20:00", "../../etc/passwd", "Thu 3 Dec, 20:00 UTC", "Thu 20:00 UTC"),
]


@pytest.mark.parametrize(("at", "zone", "full", "soon"), INSTANTS, ids=[f"{i[0]} {i[1]}" for i in INSTANTS])
def test_instants(at: str, zone: str, full: str, soon: str) -> None:
    words = english(timezone=zone)
    instant = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert words.instant(instant) == full
    assert words.soon(instant) == soon


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(days=2, hours=4, minutes=59), "2 days 4 hours from now"),
        (timedelta(days=1), "1 day from now"),
        (timedelta(days=1, minutes=20), "1 day from now"),
        (timedelta(hours=3, minutes=20), "3 hours 20 minutes from now"),
        (timedelta(minutes=1), "1 minute from now"),
        (timedelta(seconds=20), "less than a minute from now"),
        (timedelta(0), ""),
        (timedelta(days=-1), ""),
    ],
)
def test_from_now(length: timedelta, text: str) -> None:
    assert english().from_now(NOW + length) == text


@pytest.mark.parametrize(
    ("items", "listing", "alternatives", "chain"),
    [
        ([], "", "", ""),
        (["a"], "a", "a", "a"),
        (["a", "b"], "a and b", "a or b", "a, b"),
        (["a", "b", "c"], "a, b and c", "a, b or c", "a, b, c"),
    ],
)
def test_lists(items: list[str], listing: str, alternatives: str, chain: str) -> None:
    words = english()
    assert (words.listing(items), words.alternatives(items), words.chain(items)) == (listing, alternatives, chain)


@pytest.mark.parametrize(
    ("phase", "long", "short", "turn"),
    [
        ("S1901M", "Spring 1901", "01-S", "Spring 1901"),
        ("S1901R", "Spring 1901 retreats", "01-S retreats", "Spring 1901"),
        ("F1905M", "Fall 1905", "05-F", "Fall 1905"),
        ("F1905R", "Fall 1905 retreats", "05-F retreats", "Fall 1905"),
        ("W1910A", "Winter 1910 adjustments", "10-F adjustments", "Fall 1910"),
    ],
)
def test_phases(phase: str, long: str, short: str, turn: str) -> None:
    assert english().phase(phase) == long
    assert english().turn(phase) == turn
    assert english(rules=replace(STANDARD, turn_notation="01-S")).phase(phase) == short


@pytest.mark.parametrize("text", ["F1910", "f1910", "10-F", "F1910M", "W1910"])
def test_last_turn_of_the_house_rules(text: str, board: Board) -> None:
    assert english(board).last_turn(text) == "Fall 1910"


def test_last_turn_that_is_none_stays() -> None:
    assert english().last_turn("one day") == "one day"


ORDERS: list[tuple[Order, str]] = [
    (Hold("A", "par"), "A Paris holds"),
    (Move("A", "par", "bur"), "A Paris - Burgundy"),
    (Move(None, "par", "bur"), "A Paris - Burgundy"),
    (Move("A", "lon", "bre", via=True), "A London - Brest by convoy"),
    (Move("A", "lon", "bre", route=("eng",)), "A London - English Channel - Brest"),
    (Move("F", "mao", "spa/nc"), "F Mid-Atlantic Ocean - Spain (north coast)"),
    (Move("F", "stp", "bot"), "F St Petersburg (south coast) - Gulf of Bothnia"),
    (Support("A", "mar", None, "par", "bur"), "A Marseilles S A Paris - Burgundy"),
    (Support("A", "mar", "A", "par"), "A Marseilles S A Paris"),
    (Convoy("F", "eng", "lon", "bre"), "F English Channel C A London - Brest"),
    (Disband("A", "par"), "A Paris disbands"),
    (Build("F", "stp/nc"), "build F St Petersburg (north coast)"),
    (Build(None, "par"), "build Paris"),
    (Waive(), "waive one build"),
    (Support("F", "mao", "F", "wes", "spa/sc"), "F Mid-Atlantic Ocean S F WES - SPA/SC"),
    (Move("A", "lon", "tun", route=("eng", "mao", "wes")), "A London - ENG - MAO - WES - TUN"),
]


@pytest.mark.parametrize(("order", "text"), ORDERS, ids=[text for _, text in ORDERS])
def test_orders(order: Order, text: str, board: Board) -> None:
    units = {
        u.province: u
        for u in (
            Unit("France", "A", "par"),
            Unit("Russia", "F", "stp/sc"),
            Unit("France", "A", "mar"),
            Unit("England", "A", "lon"),
        )
    }
    assert english(board).order(order, units) == text


def test_a_removal_is_called_so(board: Board) -> None:
    assert english(board).order(Disband("A", "par"), {}, Phase.parse("W1901A")) == "remove A Paris"


def test_coasts_by_the_names_of_the_house_rules(board: Board) -> None:
    words = english(board, rules=replace(STANDARD, coast_aliases=(("bul/nc", "bul/ec"),)))
    assert words.place("bul/ec") == "Bulgaria (north coast)"
    assert words.place("bul/sc") == "Bulgaria (south coast)"


def test_a_retreat_order_is_the_dislodged_units() -> None:
    came, driven = Unit("Italy", "A", "ser"), Unit("Austria", "F", "ser")
    position = Position(Phase.parse("F1901R"), (came,), {}, (Dislodged(driven, "bul"),))
    assert by_province(position)["ser"] == driven
