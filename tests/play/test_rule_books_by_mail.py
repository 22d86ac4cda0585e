"""What the two rule books say of reading and printing, as the players meet it in their mails."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, setup, turn
from judge.rules import retreats
from judge.rules.board import Unit
from judge.rules.position import Dislodged, Phase, Position
from judge.store import Store, codec, games
from judge.variants import load_board, load_rules

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

Desk = Any
PRESETS = ("standard", "japan-1910", "china")


def text_of(message: Message | None) -> str:
    """The text part in one line: where it is wrapped makes no difference."""
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def book(desk: Desk, tmp_path: Path) -> Callable[..., Desk]:
    """``book(preset, phase, units, dislodged)``: a game that plays by a preset, in a position of one's own.

    ``units``: ``"Turkey F con, Russia F bul/ec"``; ``dislodged``: the same, with where the attacker came from after it.
    """

    count = itertools.count()

    def begin(preset: str, phase: str = "S1901M", units: str = "", dislodged: str = "", language: str = "en") -> Desk:
        judge = Judge(Store.open(tmp_path / f"{next(count)}.db"), Keys(b"k" * 32), "judge.example.org")
        made = type(desk)(judge, now=desk.now)
        rules, board = load_rules(preset), load_board()
        players = {power: f"{power.lower()}@example.org" for power in board.powers}
        setup.create_game(judge, "spring42", rules=rules, players=players, now=made.now)
        for power in players:
            setup.set_reader(judge, "spring42", power, language=language, timezone="UTC", who="t", now=made.now)
        setup.start_game(judge, "spring42", made.now)
        standing = tuple(Unit(*one.split()) for one in units.split(", ") if one)  # type: ignore[arg-type]
        occupied = {unit.province for unit in standing}
        out = []
        for power, type_, at, origin in (one.split() for one in dislodged.split(", ") if one):
            unit = Unit(power, type_, at)  # type: ignore[arg-type]
            out.append(Dislodged(unit, origin, False, retreats.options(board, unit, origin, False, occupied, (), rules)))
        position = Position(Phase.parse(phase), standing, {"con": "Turkey"}, tuple(out))
        game = games.get(judge.store, "spring42")
        with judge.store.transaction():
            was = games.open_phase(judge.store, game.id)
            assert was is not None
            games.processed(judge.store, was.id, made.now, "{}")
            turn.open_phase_at(
                judge.store, game, number=was.number + 1, attempt=1, position_text=codec.position_to_text(position),
                name=phase, now=made.now, deadline=made.now + timedelta(hours=24),
            )  # fmt: skip
        made.work()
        made.receive()
        return made

    return begin


def result_for(desk: Desk, power: str) -> str:
    """The phase runs; what its result says to ``power``, with its subject."""
    desk.pass_time(hours=25)
    found = [m for m in desk.receive() if m["To"].startswith(power.lower())]
    return f"{make_header(decode_header(found[-1]['Subject']))} {text_of(found[-1])}"


# ── JP-7: both coasts of Bulgaria are called North and South ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("preset", "language", "written", "printed", "never"),
    [
        ("japan-1910", "en", "F CON-BUL/NC", "Bulgaria (north coast)", "east coast"),
        ("japan-1910", "en", "F CON-BUL/EC", "Bulgaria (north coast)", "east coast"),
        ("japan-1910", "ja", "F Con - Bul(nc)", "ブルガリア（北岸）", "東岸"),
        ("japan-1910", "zh-Hans", "F Constantinople - Bulgaria north coast", "保加利亚（北岸）", "东岸"),
        ("standard", "en", "F CON-BUL/EC", "Bulgaria (east coast)", "north coast"),
        ("standard", "ja", "F CON-BUL/EC", "ブルガリア（東岸）", "北岸"),
    ],
)
def test_jp_7_the_north_coast_of_bulgaria_is_read_and_printed(
    book: Any, preset: str, language: str, written: str, printed: str, never: str
) -> None:
    desk = book(preset, "S1902M", "Turkey F con", language=language)
    receipt = text_of(desk.mail("Turkey", written))
    assert desk.held("Turkey") == ["F CON-BUL/EC"]
    result = result_for(desk, "turkey")
    for said in (receipt, result):
        assert printed.replace(" ", "") in said.replace(" ", "")  # a line may be wrapped anywhere in Chinese and Japanese
        assert never not in said


def test_jp_7_a_fleet_on_it_is_ordered_by_either_name(book: Any) -> None:
    for text in ("F BUL/NC-RUM", "F BUL/EC-RUM", "F BUL-RUM"):
        desk = book("japan-1910", "S1902M", "Turkey F bul/ec")
        desk.mail("Turkey", text)
        assert desk.held("Turkey") == ["F BUL/EC-RUM"]


@pytest.mark.parametrize(
    ("preset", "choices"),
    [
        ("standard", ["Bulgaria (east coast)", "Bulgaria (south coast)"]),
        ("japan-1910", ["Bulgaria (north coast)", "Bulgaria (south coast)"]),
    ],
)
def test_jp_7_a_missing_coast_is_asked_in_the_words_of_the_board(book: Any, preset: str, choices: list[str]) -> None:
    desk = book(preset, "S1902M", "Turkey F con")
    receipt = text_of(desk.mail("Turkey", "F CON-BUL"))
    for number, coast in enumerate(choices, 1):
        assert f"{number} if you mean “F Constantinople - {coast}”" in receipt
    assert desk.held("Turkey") == []
    desk.mail("Turkey", "1", answering=desk.sent[-1])
    assert desk.held("Turkey") == ["F CON-BUL/EC"]


# ── CN-13: a fleet that retreats names its coast ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("preset", "line", "held", "asked"),
    [
        ("standard", "F MAR-SPA", ["F MAR-SPA/SC"], False),
        ("japan-1910", "F MAR-SPA", ["F MAR-SPA/SC"], False),
        ("china", "F MAR-SPA", [], True),
        ("china", "F MAR-SPA/SC", ["F MAR-SPA/SC"], False),
        ("china", "F Marseilles-Spain(sc)", ["F MAR-SPA/SC"], False),
    ],
)
def test_cn_13_the_receipt_asks_for_the_coast_of_a_retreat(
    book: Any, preset: str, line: str, held: list[str], asked: bool
) -> None:
    desk = book(preset, "S1902R", "", "Italy F mar pie")
    receipt = text_of(desk.mail("Italy", line))
    assert desk.held("Italy") == held
    assert ("Which coast of Spain is meant? 1 if you mean “F Marseilles - Spain (south coast)”" in receipt) == asked
    result = result_for(desk, "italy")
    assert ("destroyed" in result) == asked  # still missing: disbanded
    assert [u["at"] for u in desk.show()["units"]] == ([] if asked else ["spa/sc"])


def test_cn_13_the_answer_counts(book: Any) -> None:
    desk = book("china", "S1902R", "", "Italy F mar pie")
    desk.mail("Italy", "F MAR-SPA")
    desk.mail("Italy", "1", answering=desk.sent[-1])
    assert desk.held("Italy") == ["F MAR-SPA/SC"]


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_13_of_two_coasts_one_is_asked_under_every_preset(book: Any, preset: str) -> None:
    desk = book(preset, "S1902R", "", "Turkey F con smy")
    assert "Which coast of Bulgaria is meant?" in text_of(desk.mail("Turkey", "F CON-BUL"))
    assert desk.held("Turkey") == []


@pytest.mark.parametrize(
    ("preset", "held"), [("standard", ["F GAS-SPA/NC"]), ("japan-1910", ["F GAS-SPA/NC"]), ("china", [])]
)
def test_cn_5_a_move_without_its_coast_is_told_to_be_void(book: Any, preset: str, held: list[str]) -> None:
    desk = book(preset, "S1902M", "France F gas")
    receipt = text_of(desk.mail("France", "F GAS-SPA"))
    assert desk.held("France") == held
    assert ("The order must say which coast: Spain (north coast). (House rule: coast.unspecified = void.)" in receipt) == (
        not held
    )


# ── CN-2: turns are read as 05-F under every preset ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("head", ["05-F", "Fall 1905"])
def test_cn_2_both_ways_to_write_a_turn_are_read(book: Any, preset: str, head: str) -> None:
    desk = book(preset, "F1905M", "France A par")
    desk.mail("France", f"{head}\nA PAR-BUR")
    assert desk.held("France") == ["A PAR-BUR"]
    desk.mail("France", f"{head}: A PAR-GAS")
    assert desk.held("France") == ["A PAR-GAS"]


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_orders_under_another_turn_are_not_used(book: Any, preset: str) -> None:
    desk = book(preset, "S1905M", "France A par")
    desk.mail("France", "05-F\nA PAR-BUR")
    assert desk.held("France") == []


@pytest.mark.parametrize(
    ("preset", "turn", "never"),
    [("standard", "Fall 1905", "05-F"), ("japan-1910", "Fall 1905", "05-F"), ("china", "05-F", "1905")],
)
def test_cn_2_the_form_that_is_printed(book: Any, preset: str, turn: str, never: str) -> None:
    desk = book(preset, "F1905M", "France A par")
    said = text_of(desk.mail("France", "A PAR-BUR")) + result_for(desk, "france")
    said = re.sub(r"\b(?:[0-9a-f]{4}[\s>]+)+[0-9a-f]{4}\b", "", said)  # the digits of commitments are any
    assert turn in said and never not in said
