"""All lines of a mail together: headings, prefixes, the last order that counts, the rest of the units."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.notation import Context, read_lines, write
from judge.notation.combine import Purse
from judge.notation.mail import MAIL_BUDGET


def held(text: str, context: Context) -> list[str]:
    """The canonical texts of the orders that count after a mail."""
    return [write(order) for order in read_lines(text.strip("\n").split("\n"), context).orders]


MAILS = {
    "plain": ("fra", "Hi judge,\n\nA Par-Bur\nF Bre-Mao\nA Mar H\n\nCamille", ["A PAR-BUR", "F BRE-MAO", "A MAR H"]),
    "numbers": ("fra", "1. A Par-Bur\n2. F Bre-Mao", ["A PAR-BUR", "F BRE-MAO"]),
    "heading": ("fra", "France:\nA Par-Bur\nF Bre-Mao", ["A PAR-BUR", "F BRE-MAO"]),
    "heading with turn": ("fra", "Spring 1901, France\n- A Par-Bur\n- F Bre-Mao", ["A PAR-BUR", "F BRE-MAO"]),
    "the last counts": ("fra", "A Par-Bur\nF Bre-Mao\nA Par-Pic", ["F BRE-MAO", "A PAR-PIC"]),
    "a bad line harms none": ("fra", "A Par-Bur\nA Mar-Mun\nA Mar-Xyz\nF Bre-Mao", ["A PAR-BUR", "F BRE-MAO"]),
    "builds": ("fraW", "Builds:\nA Paris\nF Brest", ["A PAR B", "F BRE B"]),
    "builds in Japanese": ("fraW", "増強：\n陸軍 パリ\n海軍 ブレスト", ["A PAR B", "F BRE B"]),
    "removals": ("engW", "Remove:\n- F Nth\n- A Yor", ["F NTH D", "A YOR D"]),
    "holds": ("fra", "Hold:\nA Par\nA Mar\n\nF Bre-Mao", ["A PAR H", "A MAR H", "F BRE-MAO"]),
    "the rest": ("fra", "F Bre-Mao\nRest hold", ["F BRE-MAO", "A MAR H", "A PAR H"]),
    "the rest first": ("fra", "All others hold\nA Par-Bur", ["F BRE H", "A MAR H", "A PAR-BUR"]),
    "the rest in Chinese": ("fra", "巴黎陆军到勃艮第\n其余固守", ["A PAR-BUR", "F BRE H", "A MAR H"]),
    "two waives": ("fraW", "waive\nwaive", ["WAIVE", "WAIVE"]),
    "later turn": ("fra", "A Par-Bur\n\nFall 1901:\nA Bur-Mun\nF Mao-Spa/sc", ["A PAR-BUR"]),
    "another power's part": ("fra", "France:\nA Par-Bur\n\nGermany:\nA Mar-Spa", ["A PAR-BUR"]),
    "several on a line": ("fra", "A Par-Bur, A Mar S A Par-Bur\nF Bre H", ["A PAR-BUR", "A MAR S A PAR-BUR", "F BRE H"]),
    "talk between orders": (
        "fra",
        "A Par-Bur\nI promised Germany A Mar-Spa, but no.\nIf he moves, F Bre-Eng\nF Bre-Mao",
        ["A PAR-BUR", "F BRE-MAO"],
    ),
    "nothing": ("fra", "See you at the convention!\n\nCamille", []),
}


@pytest.mark.parametrize("name", MAILS)
def test_orders_that_count(name: str, situations: dict[str, Context]) -> None:
    situation, text, orders = MAILS[name]
    assert held(text, situations[situation]) == orders


def test_what_was_replaced_is_told(situations: dict[str, Context]) -> None:
    readings = read_lines(["A Par-Bur", "A Par-Bur", "A Par-Pic"], situations["fra"])
    assert [(write(old), write(new)) for old, new in readings.replaced] == [("A PAR-BUR", "A PAR-PIC")]


def test_headings_and_greetings_are_no_faults(situations: dict[str, Context]) -> None:
    """Lines that concern no orders have no problem to tell; headings say that they are headings."""
    lines = ["Hi judge,", "France:", "Spring 1901", "A Par-Bur", "Thanks a lot!", "Camille", "--"]
    readings = read_lines(lines, situations["fra"])
    assert [r.heading for r in readings[:4]] == [False, True, True, False] or readings[0].heading
    assert all(not r.problems for r in readings)
    assert [r.mentions for r in readings] == [False, False, False, True, False, False, False]


def test_lines_that_fail_say_why(situations: dict[str, Context]) -> None:
    lines = ["A Par-Mun", "A Par-But", "A Par-Bur or Pic", "I promised A Par-Bur", "A Par-Bur?", "> A Par-Bur"]
    readings = read_lines(lines, situations["fra"])
    codes = [[p.code for p in r.problems] for r in readings]
    assert codes == [["not-adjacent"], ["read.slip"], ["read.choice"], ["read.talk"], ["read.question"], ["read.quoted"]]


def test_without_a_power_no_line_is_somebody_elses(situations: dict[str, Context]) -> None:
    anyone = replace(situations["fra"], power=None)
    text = "France: A Par-Bur\nGermany: A Mun-Ruh\nEngland:\nF Lon-Nth"
    assert held(text, anyone) == ["A PAR-BUR", "A MUN-RUH", "F LON-NTH"]


def test_a_long_mail_in_the_language_dearest_to_read_is_read_to_its_end(situations: dict[str, Context]) -> None:
    lines = [f"{n}. マルセイユ陸軍、パリ陸軍のブルゴーニュへの移動を支援" for n in range(1, 35)]
    found = read_lines([*lines, "パリ陸軍、ブルゴーニュへ移動"], situations["fra"])
    assert all(reading.legal for reading in found)


def test_a_look_for_a_heading_is_paid_for(situations: dict[str, Context]) -> None:
    """Equal lines are read once; looking at each whether it is a heading costs all the same."""
    found = list(read_lines(["Army in Paris moves to Burgundy"] * 16_000, situations["fra"]))
    unread = [n for n, reading in enumerate(found) if any(p.code == "read.mail-too-long" for p in reading.problems)]
    assert len(found) == 16_000 and len(unread) == 1 and unread[0] < 4_000


DEAR = {
    "talk": lambda n: f"A Par Bur Mar Spa Gas Bre S A Par Mar to Bur {n} Lon Eng Nth " * 5,
    "headings": lambda n: f"S01 F02 01-S France: Fall 1902 England Winter 03 {n} moves orders: builds: retreats: Austria,",
    "slips": lambda n: f"A Parus - Burgundi S A Munihc {n}",
    "fresh slips": lambda n: "A {} - {}".format(*(f"mar{chr(97 + n % 26)}{chr(97 + n // 26)}{end}lles" for end in "st")),
    "brackets": lambda n: f"A Par (x Bur to Mar) S (A Mar S A Gas - Bur) (F Bre C A Par - Lon) F Mao (C Spa - Por) (F {n})",
    "choices": lambda n: f"A Par - Bur or Pic or Gas or Bre or Mar S A Mar or A Spa - Gas / Bur / Mar {n}",
    "kana": lambda n: "パリ陸軍のブルゴーニュへの移動をマルセイユ陸軍が支援する、" * 12 + f"か{n}",
    "dots": lambda n: "A . P . A . R . - . B . U . R " * 15 + str(n),
    "long": lambda n: "Burgundy " * 300 + str(n),
    "the rest": lambda n: f"the rest holds, all others hold {n}",
    "orders": lambda n: f"Army in Paris supports the army from Burgundy to Marseilles {n}",
}


@pytest.mark.parametrize("name", DEAR)
def test_a_mail_made_to_be_dear_is_cut_off_and_says_so(name: str, situations: dict[str, Context]) -> None:
    """What a mail costs is bounded by its purse; the first line that is not read says so for all below it."""
    lines = [DEAR[name](n) for n in range(2000)]
    purse = Purse(MAIL_BUDGET)
    readings = read_lines([*lines, "A Par-Bur"], situations["fra"], purse)
    assert len(readings) == 2001
    # no line is begun without means, and none spends more than what is left, but for the look at it
    assert -1_000 < purse.left <= 0
    codes = [[problem.code for problem in reading.problems] for reading in readings]
    first = codes.index(["read.mail-too-long"])
    assert first < 1_500
    assert all(not found for found in codes[first + 1 :])
    assert not readings[2000].legal


def test_what_stands_above_a_dear_mail_is_read(situations: dict[str, Context]) -> None:
    lines = [DEAR["talk"](n) for n in range(400)]
    assert len(read_lines(["A Par-Bur", *lines], situations["fra"]).orders) == 1
