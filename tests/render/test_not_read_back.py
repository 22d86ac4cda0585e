"""Nothing in our mails reads as an order: a player who quotes all of it, in any phase, orders nothing by it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from judge.notation import Context, parse_canonical, read_line
from judge.play.later import split
from judge.render.facts import Common, Facts, ReceiptFacts, ResultFacts
from judge.render.mails import render
from judge.resources import data_dir
from judge.rules import adjudicate
from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.outcome import GivenOrder
from judge.rules.position import Dislodged, Phase, Position, starting_position
from judge.variants.names import load_names

BLOCKS = {"div", "p", "li", "ul", "td", "th", "tr", "h1", "h2", "table"}


class Blocks(HTMLParser):
    """The lines that a mail program makes of the HTML when it quotes it: a line a block or table cell."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("style", "title")
        if tag in BLOCKS:
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "title")
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.lines[-1] += data


def of_html(html: str) -> list[str]:
    blocks = Blocks()
    blocks.feed(html)
    return [line for line in (" ".join(raw.split()) for raw in blocks.lines) if line]


@pytest.fixture(scope="module")
def contexts(board: Board) -> list[Context]:
    """Positions of every kind of phase in which as much as possible could be an order of France."""
    power = "France"
    start = starting_position(board)
    standing = [Unit(power, "F" if province.kind == "sea" else "A", province.id) for province in board.provinces.values()]
    driven = tuple(
        Dislodged(unit, "tyr", retreats=tuple(sorted(board.army[unit.at]))) for unit in standing if unit.type == "A"
    )
    owners = {centre: power for centre in board.supply_centres()}
    positions = [
        start,
        Position(Phase.parse("F1903M"), tuple(standing), owners),
        Position(Phase.parse("S1902R"), (), owners, driven),
        Position(Phase.parse("W1901A"), tuple(u for u in start.units if u.power != power), owners),
        Position(Phase.parse("W1902A"), tuple(standing), {}),
    ]
    return [Context(board, load_names(), position, power, HouseRules()) for position in positions]


def taken(lines: Iterable[str], contexts: list[Context]) -> list[tuple[str, str]]:
    """The lines that would be taken as orders, or asked about, with the phase."""
    found = []
    for line in dict.fromkeys(lines):
        for context in contexts:
            reading = read_line(line, context)
            if reading.kind != "not-an-order" or reading.orders:
                found.append((str(context.position.phase), line))
    return found


@pytest.mark.slow
def test_no_text_gives_an_order(mails: dict[str, Facts], contexts: list[Context]) -> None:
    made = [render(facts, timezone="Europe/Paris").text for facts in mails.values()]
    assert taken([line for text in made for line in text.split("\n")], contexts) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ja", "zh-Hans", "zh-Hant"])
def test_no_text_in_another_language_gives_an_order(language: str, mails: dict[str, Facts], contexts: list[Context]) -> None:
    made = [render(facts, language, "Asia/Tokyo").text for facts in mails.values()]
    assert taken([line for text in made for line in text.split("\n")], contexts) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja", "zh-Hans", "zh-Hant"])
def test_no_html_gives_an_order(language: str, mails: dict[str, Facts], contexts: list[Context]) -> None:
    made = [render(facts, language, "Asia/Tokyo").html for facts in mails.values()]
    assert taken([line for html in made for line in of_html(html)], contexts) == []


@pytest.mark.parametrize(
    "line",
    ["A Paris - Burgundy", "[held]  A Paris - Burgundy", "F Mid-Atlantic Ocean S F WES - SPA/SC", "build A Paris"],
)
def test_the_reader_would_notice(line: str, contexts: list[Context]) -> None:
    """The tests above bite: a bare order is found, one behind our mark is not."""
    assert bool(taken([line], contexts)) == (not line.startswith("["))


def read_ahead(lines: Iterable[str], context: Context) -> list[str]:
    """The lines that would begin a section for a later phase, stand in one, or drop what is kept for one."""
    table = SimpleNamespace(board=context.board, position=context.position, rules=context.rules)
    return [line for line in dict.fromkeys(lines) if split([line, "A Par - Bur"], table, "France")]  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja", "zh-Hans", "zh-Hant"])
def test_nothing_is_kept_for_a_later_phase(language: str, mails: dict[str, Facts], contexts: list[Context]) -> None:
    """A heading of ours, quoted without a mark, would take the orders below it out of the turn that they are for."""
    for facts in mails.values():
        made = render(facts, language, "Asia/Tokyo")
        assert read_ahead([*made.text.split("\n"), *of_html(made.html)], contexts[0]) == []


def test_the_reader_would_notice_a_heading(contexts: list[Context]) -> None:
    assert read_ahead(["Fall 1901", "CLEAR LATER", "greetings"], contexts[0]) == ["Fall 1901", "CLEAR LATER"]


@pytest.mark.parametrize("mark", ["> ", ">", "| ", "\t", ">> "])
def test_quoted_in_the_way_of_any_program(mark: str, mails: dict[str, Facts], contexts: list[Context]) -> None:
    receipt = mails["receipt"]
    assert isinstance(receipt, ReceiptFacts)
    assert taken([mark + line for line in render(receipt).text.split("\n")], contexts[:1]) == []


@pytest.mark.slow
def test_no_result_of_a_whole_game_gives_an_order(board: Board, contexts: list[Context]) -> None:
    rules = HouseRules(victory_end_turn="F1910", victory_end_counts="units")
    position = starting_position(board)
    now = datetime(2026, 12, 1, tzinfo=UTC)
    lines: dict[str, None] = {}
    with gzip.open(data_dir("games") / "examples" / "game-to-1910.jsonl.gz", "rt", encoding="utf-8") as phases:
        for phase in phases:
            orders = [GivenOrder(o["power"], parse_canonical(o["text"], board)) for o in json.loads(phase)["orders"]]
            adjudication = adjudicate(board, position, orders, rules)
            address = "spring42+abcdefghijklmnop@judge.example"
            common = Common("spring42", str(position.phase), "France", "judge.example", address, now, now, board, rules)
            lines.update(dict.fromkeys(render(ResultFacts(common, position, adjudication)).text.split("\n")))
            if adjudication.end:
                break
            position = adjudication.position
    assert len(lines) > 500
    assert taken(lines, contexts[1:4]) == []
