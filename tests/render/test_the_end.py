"""The last mail of a game: which condition ended it, the count that decided, and how all seven powers stand."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from judge.play.ending import with_clock
from judge.render.facts import EndFacts, ResultFacts, Year
from judge.render.mails import Rendered, render
from judge.rules import adjudicate
from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.orders import Disband, Move, Order, Support
from judge.rules.outcome import GivenOrder
from judge.rules.position import Dislodged, Phase, Position
from judge.variants import load_rules, with_key

LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")
ARTEFACTS = Path(__file__).parents[2] / ".artefacts" / "ends"


@dataclass(frozen=True)
class End:
    """A game at its last phase: centres and units of each power as counts, and what its players must read."""

    preset: str
    phase: str
    centres: Mapping[str, int]
    units: Mapping[str, int]
    settings: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    #: what stands in the English text, in this order
    said: tuple[str, ...] = ()
    clock: bool = False
    retreat: bool = False
    years: tuple[Year, ...] = ()


GONE = (
    Year(1903, {"Italy": 4, "Turkey": 2}, {"Italy": 4, "Turkey": 2}),
    Year(1904, {"Italy": 6}, {"Italy": 5, "Turkey": 1}),
    Year(1905, {"Italy": 6}, {"Italy": 6}),
    Year(1906, {"Italy": 6}, {"Italy": 6}),
)
ENDS: dict[str, End] = {
    "solo": End(
        "standard", "F1907M", {"France": 19, "Russia": 9, "Italy": 6}, {"France": 17, "Russia": 9, "Italy": 6},
        winners=("France",), years=GONE,
        said=(
            "France wins: 19 centres after Fall 1907.",
            "Whoever holds 18 supply centres when centres change hands wins at once.",
            "THE FINAL STANDING",
            "France 19 17 winner", "Russia 9 9", "Italy 6 6", "Turkey 0 0 out since 1905",
            "THE BOARD AT THE END",
        ),
    ),
    "units with a tie": End(
        "japan-1910", "W1910A", {"France": 12, "England": 10, "Turkey": 8, "Russia": 4},
        {"France": 10, "England": 10, "Turkey": 8, "Russia": 4}, winners=("England", "France"),
        said=(
            "England and France share a draw: Fall 1910 was the agreed last turn, and they are level with 10 units each.",
            "The count is taken when the adjustments of that Fall are done.",
            "France 12 10 shares the draw", "England 10 10 shares the draw", "Turkey 8 8", "Russia 4 4", "Italy 0 0 out",
        ),
    ),
    "units, fewer centres": End(
        "japan-1910", "W1910A", {"France": 10, "England": 9, "Turkey": 15},
        {"France": 10, "England": 9, "Turkey": 8}, winners=("France",),
        said=(
            "France wins: Fall 1910 was the agreed last turn, and nobody has more than 10 units.",
            "France 10 10 winner", "England 9 9", "Turkey 15 8",
        ),
    ),
    "10 centres": End(
        "china", "F1904M", {"France": 11, "Russia": 10, "Italy": 9, "Turkey": 4},
        {"France": 9, "Russia": 9, "Italy": 9, "Turkey": 4},
        ("victory.centres=10", "victory.end.turn=05-F"), ("France", "Russia"),
        said=(
            "France and Russia share a draw: France with 11 centres and Russia with 10 centres after 04-F.",
            "Whoever holds 10 supply centres when centres change hands wins at once.",
            "Several powers that reach this number together share a draw.",
            "France 11", "shares the draw", "Russia 10", "shares the draw", "Italy 9", "Turkey 4",
        ),
    ),
    "10 centres, the most": End(
        "china", "F1904M", {"France": 11, "Russia": 10, "Italy": 9, "Turkey": 4},
        {"France": 9, "Russia": 9, "Italy": 9, "Turkey": 4},
        ("victory.centres=10", "victory.tie=most"), ("France",),
        said=(
            "France wins: 11 centres after 04-F.",
            "Of several powers that reach this number together the one with the most wins; equal counts share.",
        ),
    ),
    "05-F": End(
        "china", "F1905M", {"France": 9, "Russia": 9, "Italy": 8, "Turkey": 8},
        {"France": 9, "Russia": 8, "Italy": 8, "Turkey": 8},
        ("victory.centres=10", "victory.end.turn=05-F"), ("France", "Russia"),
        said=(
            "France and Russia share a draw: 05-F was the agreed last turn, and they are level with 9 centres each.",
            "The count is taken before the adjustments of that Fall.",
        ),
    ),
    "clock": End(
        "china", "S1903M", {"France": 9, "Russia": 8, "Italy": 8, "Turkey": 9},
        {"France": 9, "Russia": 8, "Italy": 8, "Turkey": 9}, ("victory.clock.after=2 h",), ("France", "Turkey"), clock=True,
        said=(
            "France and Turkey share a draw: the agreed time is over, and they are level with 9 centres each.",
            "The game ends with the phase that is running 2 hours after its start",
            "France 9 9 shares the draw", "Turkey 9 9 shares the draw", "Russia 8 8",
        ),
    ),
    "clock, a date, units": End(
        "standard", "S1903M", {"France": 9, "Russia": 8}, {"France": 7, "Russia": 8},
        ("victory.clock.at=2026-11-30T20:00Z", "victory.clock.counts=units"), ("Russia",), clock=True,
        said=(
            "Russia wins: the agreed time is over, and nobody has more than 8 units.",
            "The game ends with the phase that is running on Mon 30 Nov, 20:00 UTC",
            "Russia 8 8 winner", "France 9 7",
        ),
    ),
    "after the retreats of a Spring": End(
        "standard", "S1905R", {"France": 9, "Russia": 8}, {"France": 8, "Russia": 8},
        ("victory.end.turn=S1905",), ("France",), retreat=True,
        said=("France wins: Spring 1905 was the agreed last turn, and nobody has more than 9 centres.", "France 9 8 winner"),
    ),
}  # fmt: skip


def position_of(board: Board, end: End) -> Position:
    """So many centres and units for each power; nobody stands on a centre, so that no ownership changes."""
    centres = sorted(board.supply_centres())
    owners = {}
    for power, count in end.centres.items():
        for _ in range(count):
            owners[centres.pop()] = power
    free = [p.id for p in board.provinces.values() if p.kind != "sea" and not p.supply_centre]
    seas = [p.id for p in board.provinces.values() if p.kind == "sea"]
    places = [("A", at) for at in free] + [("F", at) for at in seas]
    units = []
    for power, count in end.units.items():
        for _ in range(count):
            kind, at = places.pop(0)
            units.append(Unit(power, "A" if kind == "A" else "F", at))
    driven: tuple[Dislodged, ...] = ()
    if end.retreat:
        taken = {unit.province for unit in units}
        where = next(at for at in ("gas", "bur", "pic") if at in taken)
        to = tuple(sorted(at for at in board.army[where] if at not in taken))
        driven = (Dislodged(Unit("Russia", "A", where), "par", retreats=to),)
    return Position(Phase.parse(end.phase), tuple(units), owners, driven)


def rules_of(end: End, board: Board) -> HouseRules:
    rules = load_rules(end.preset)
    for text in end.settings:
        key, _, value = text.partition("=")
        rules = with_key(rules, key, value, board)
    return rules


def result_of(name: str, board: Board, common: Any, power: str = "France") -> ResultFacts:
    """The result of the last phase, from the engine: nobody orders anything, but for the retreat."""
    end = ENDS[name]
    rules, before = rules_of(end, board), position_of(board, end)
    orders = [GivenOrder("Russia", Disband("A", d.unit.at)) for d in before.dislodged]
    adjudication = adjudicate(board, before, orders, rules)
    if end.clock:
        made = common(end.phase)
        adjudication = with_clock(board, rules, made.now.replace(year=2025), adjudication, made.now)
    assert adjudication.end is not None and set(adjudication.end.winners) == set(end.winners)
    made = common(end.phase, power=power, rules=rules, deadline=None)
    return ResultFacts(made, before, adjudication, None, years=end.years)


def plain(text: str) -> str:
    return " ".join(text.split())


def table_of(mail: Rendered) -> str:
    """The final standing of an English text part."""
    return mail.text.partition("THE FINAL STANDING\n\n")[2].partition("\n\n")[0]


def seen(page: str) -> str:
    """HTML as its reader sees it."""
    return plain(html.unescape(re.sub(r"<[^>]*>", " ", page)))


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("name", ENDS)
def test_the_text_says_what_decided_and_how_all_stand(name: str, board: Board, common: Any) -> None:
    mail = render(result_of(name, board, common))
    text = plain(mail.text)
    at = 0
    for said in ENDS[name].said:
        assert plain(said) in text[at:], said
        at = text.index(plain(said), at)
    standing = plain(table_of(mail))
    assert all(re.search(rf"\b{power} \d", standing) for power in board.powers)
    assert "builds" not in standing and "removes" not in standing
    assert "the game is over" in mail.subject


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ENDS)
def test_text_and_html_say_the_same_in_every_language(name: str, language: str, board: Board, common: Any) -> None:
    mail = render(result_of(name, board, common), language, "Asia/Tokyo")
    lead, _, rest = mail.text.partition("\n\n")[2].partition("\n\n")
    assert bare(lead) in bare(seen(mail.html))
    # the table: seven powers with centres, units and what became of them, in both forms alike
    rows = [line.split() for line in rest.partition("\n\n")[2].partition("\n\n")[0].splitlines()[1:]]
    table = re.findall(r"<tr>(.*?)</tr>", mail.html.partition("<h2")[2].partition("</table>")[0], re.DOTALL)[1:]
    assert len(rows) == len(table) == 7
    for words, row in zip(rows, map(seen, table), strict=True):
        # in the text the two numbers stand before what became of the power, in the HTML behind
        assert [word for word in words if word.isdigit()][:2] == row.split()[-2:]
        assert all(bare(word) in bare(row) for word in words)
    if language != "en":
        sentences = [said for said in ENDS[name].said if said.endswith(".")]
        assert not [said for said in sentences if said in plain(mail.text)]


@pytest.mark.parametrize("name", ENDS)
def test_every_player_gets_the_same_standing(name: str, board: Board, common: Any) -> None:
    """Also one who has been out for years, and one who lost everything in this very phase."""
    mails = [render(result_of(name, board, common, power)) for power in board.powers]
    assert len({table_of(mail) for mail in mails}) == 1
    assert len(plain(table_of(mails[0])).split("centres units")[1]) > 50


def test_the_later_answer_says_the_same(board: Board, common: Any) -> None:
    """Who writes after the end gets the mail that tells of it: same rule, same count, same standing."""
    facts = result_of("units with a tie", board, common)
    assert facts.adjudication.end is not None
    end = EndFacts(facts.common, facts.adjudication.end, facts.adjudication.position, GONE)
    text = plain(render(end).text)
    for said in ENDS["units with a tie"].said[:2]:
        assert said in text
    assert "France 12 centres, 10 units, shares the draw" in text
    assert "Turkey 8 centres, 8 units" in text and "Austria 0 centres, 0 units, out since 1903" in text


def test_no_end_is_declared_before_the_retreats_of_its_last_turn(board: Board) -> None:
    """A Spring's last turn with a unit driven out: the game goes on to the retreats, and ends with them."""
    rules = with_key(load_rules("standard"), "victory.end.turn", "S1905", board)
    units = (Unit("France", "A", "bur"), Unit("France", "A", "mar"), Unit("Russia", "A", "gas"))
    orders: list[Order] = [Move("A", "bur", "gas"), Support("A", "mar", "A", "bur", "gas")]
    position = Position(Phase.parse("S1905M"), units, {"par": "France", "mos": "Russia"})
    spring = adjudicate(board, position, [GivenOrder("France", order) for order in orders], rules)
    assert spring.end is None and str(spring.position.phase) == "S1905R"
    retreats = adjudicate(board, spring.position, [GivenOrder("Russia", Move("A", "gas", "spa"))], rules)
    assert retreats.end is not None and retreats.end.ended_by == "victory.end.turn"
    assert set(retreats.end.winners) == {"France", "Russia"}


def test_the_count_of_a_power_that_is_out_is_not_guessed(board: Board, common: Any) -> None:
    facts = replace(result_of("solo", board, common), years=())
    standing = plain(table_of(render(facts)))
    assert "since" not in standing and "Turkey 0 0 out" in standing


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("width", [360, 1000])
def test_pictures_of_the_ends(width: int, board: Board, common: Any, tmp_path: Path) -> None:
    """To look at, in ``.artefacts/ends``."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(ENDS):
        page = tmp_path / f"{number}.html"
        mail = render(result_of(name, board, common), LANGUAGES[number % 4], "Asia/Tokyo")
        frame = f'<iframe style="border:0;width:{width}px;height:1900px" srcdoc="{html.escape(mail.html)}"></iframe>'
        page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">{frame}', encoding="utf-8")
        picture = ARTEFACTS / f"{number}-{width}.png"
        picture.unlink(missing_ok=True)
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--incognito"]
        command += [f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={max(width, 500)},1900"]
        subprocess.run([*command, f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=120, check=True)
        assert picture.stat().st_size > 20_000
