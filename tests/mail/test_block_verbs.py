"""Verbs that take the lines below them: what opens a block, and that no orders vanish in one."""

from __future__ import annotations

import pytest

from judge.mail.commands import parse
from judge.mail.reading import Incoming, read


def reading(body: str) -> Incoming:
    head = "From: france@example.org\r\nTo: spring42+x@judge.example.org\r\nSubject: x\r\nContent-Type: text/plain\r\n\r\n"
    return read((head + body).encode(), sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")


HEADS = [
    "preview my orders:", "PREVIEW F1901M", "Preview for Fall 1901", "Preview of the moves for France, please",
    "preview A Par-Bur",
    "プレビュー お願いします", "试算一下", "預演 1901年秋",
]  # fmt: skip
SENTENCES = [
    "Predict trouble for me", "Preview trouble for me", "Predict orders for France", "Preview is fine",
    "Preview a big problem",
    "Preview of my orders is what I would like to have some day", "预演成功了", "試算は難しい", "Statement of intent",
    "Statement: I am out", "Order as you like",
]  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_words_of_orders_may_stand_beside_preview(head: str) -> None:
    found = reading(f"{head}\nA Par-Bur\n")
    assert [one.name for one in found.blocks] == ["PREVIEW"] and "A Par-Bur" not in found.own_lines


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_opens_no_block(line: str) -> None:
    found = reading(f"{line}\nA Par-Bur\n")
    assert found.blocks == () and found.own_lines == (line, "A Par-Bur")


@pytest.mark.parametrize("head", ["STATEMENT", "Order as France", "最終声明"])
def test_orders_in_a_block_without_end_are_asked_about(head: str) -> None:
    found = reading(f"{head}\nThank you all.\nA Par-Bur\n")
    assert len(found.blocks) == 1 and ("A Par-Bur", "unclosed-block") in found.doubtful
    assert "Thank you all." not in dict(found.doubtful)
    closed = reading(f"{head}\nA Par-Bur\nEND\nA Mar-Spa")
    assert closed.doubtful == () and closed.own_lines == ("A Mar-Spa",)


#: lines of 500 characters that could be taken apart in many ways, or nearly so
ENDLESS = {
    "powers that are joined": "draw " + "Aと" * 240 + "?x",
    "powers and blanks": "DRAW " + "AND " * 120 + "?",
    "powers in a row": "draw " + "仏と" * 240 + "?",
    "names with dashes": "why A " + "AB-" * 160 + "?",
    "names with small letters": "why A Aa" + "-Aa" * 160 + "?",
    "phases": "history 1901" + " 1901" * 90 + "?",
    "orders to try": "preview " + "の移動" * 150 + "?",
    "marks": "a" + "*" * 490 + "a",
}


@pytest.mark.parametrize("line", ENDLESS.values(), ids=ENDLESS)
def test_endless_lines_are_no_command(line: str) -> None:
    """Tried in every way, the first of these would take years."""
    assert parse(line) is None


POWERS = [
    "draw France and Germany", "draw FranceとGermany", "引き分け フランスとドイツ", "Draw England, Italy & Turkey",
    "平局 法国和德国",
    "draw Austria-Hungary", "DRAW AUSTRIA AND ITALY",
]  # fmt: skip


@pytest.mark.parametrize("line", POWERS)
def test_powers_of_a_draw(line: str) -> None:
    found = parse(line)
    assert found is not None and found.name == "DRAW"
