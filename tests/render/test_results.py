"""Results of a whole game, adjudicated by the engine: every phase, for every power, says what happened and what is due."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from judge.notation import parse_canonical
from judge.render.facts import Common, Due, ResultFacts
from judge.render.layout import width
from judge.render.mails import HTML_LIMIT, render
from judge.render.standings import CentreRow
from judge.resources import data_dir
from judge.rules import adjudicate, owing
from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Adjudication, GivenOrder, Result
from judge.rules.position import Position, starting_position

RULES = HouseRules(victory_end_turn="F1910", victory_end_counts="units")
NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
DEADLINE = NOW + timedelta(days=2)


@pytest.fixture(scope="module")
def game(board: Board) -> list[tuple[Position, Adjudication]]:
    """Each phase of the example game: the position it began with, and what came of it."""
    position = starting_position(board)
    played = []
    with gzip.open(data_dir("games") / "examples" / "game-to-1910.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            orders = [GivenOrder(o["power"], parse_canonical(o["text"], board)) for o in json.loads(line)["orders"]]
            adjudication = adjudicate(board, position, orders, RULES)
            played.append((position, adjudication))
            if adjudication.end:
                break
            position = adjudication.position
    assert len(played) > 25 and played[-1][1].end
    return played


def facts_of(board: Board, before: Position, adjudication: Adjudication, power: str) -> ResultFacts:
    after, over = adjudication.position, adjudication.end is not None
    owed = owing(board, after, RULES).get(power)
    due = None
    if owed and not over:
        retreating = after.phase.kind == "R"
        due = Due(
            str(after.phase),
            DEADLINE,
            () if retreating else tuple(u for u in after.units if u.at in owed.units and u.power == power),
            tuple(d for d in after.dislodged if d.unit.at in owed.units and d.unit.power == power) if retreating else (),
            owed.builds,
            owed.build_sites,
            owed.removals,
        )
    common = Common(
        "spring42", str(before.phase), power, "judge.example", "spring42+abcdefghijklmnop@judge.example", NOW,
        None if over else DEADLINE, board, RULES,
    )  # fmt: skip
    return ResultFacts(common, before, adjudication, due)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def check(board: Board, before: Position, adjudication: Adjudication, power: str) -> None:
    facts = facts_of(board, before, adjudication, power)
    made = render(facts, timezone="Europe/Paris")
    text = squeezed(made.text)
    assert max(map(width, made.text.split("\n"))) <= 72
    assert len(made.html.encode()) < HTML_LIMIT
    assert len(made.subject) <= 125 and "…" not in made.subject
    for name in {o.power for o in adjudication.outcomes} - {power}:
        assert name.upper() in text
    for driven in adjudication.dislodged:
        place = board.provinces[driven.unit.province].name
        assert f"{driven.unit.power}: {driven.unit.type} {place}" in text
        assert ("had nowhere to go" in text) or driven.retreats
    if facts.due:
        assert "DO NOW" in text and "3 Dec, 17:00 (Paris; 16:00 UTC)" in text
        assert "Thu 17:00" in made.subject
    for name in adjudication.skipped:
        assert f"{name[1:5]}" in text and "passed over" in text
    counts = CentreRow(power, len(adjudication.position.centres(power)), 0, 0).now
    if counts:
        assert f"You hold {counts} centre" in text
    failed = [o for o in adjudication.outcomes if o.result in (Result.BOUNCES, Result.CUT, Result.NO_CONVOY, Result.VOID)]
    reasons = ("came with", "cut by", "convoy", "did not leave", "met ", "destroyed", "There is", "order", "reach")
    assert not failed or any(word in text for word in reasons)


def test_every_phase_as_one_power_reads_it(board: Board, game: list[tuple[Position, Adjudication]]) -> None:
    for index, (before, adjudication) in enumerate(game):
        check(board, before, adjudication, board.powers[index % len(board.powers)])


@pytest.mark.slow
def test_every_phase_as_every_power_reads_it(board: Board, game: list[tuple[Position, Adjudication]]) -> None:
    for before, adjudication in game:
        for power in board.powers:
            check(board, before, adjudication, power)


def test_the_last_phase_tells_who_won(board: Board, game: list[tuple[Position, Adjudication]]) -> None:
    before, adjudication = game[-1]
    assert adjudication.end is not None
    winner = adjudication.end.winners[0]
    won = render(facts_of(board, before, adjudication, winner))
    lost = render(facts_of(board, before, adjudication, next(p for p in board.powers if p != winner)))
    assert "the game is over, you win" in won.subject
    assert f"the game is over, {winner} wins" in lost.subject
    count = adjudication.end.counts[winner]
    told = f"{winner} wins: Fall 1910 was the agreed last turn, and nobody has more than {count} units."
    assert told in squeezed(lost.text)
    assert "DO NOW" not in won.text


CHANGES: list[tuple[str, str, list[str]]] = [
    ("result", "[spring42] Spring 1901: 1 of 2 moves went in", ["sent no orders", "No order was given."]),
    (
        "result, Fall",
        "[spring42] Fall 1901: F Brest destroyed, took Belgium and Spain, lost Brest · build 2 units by Thu 20:00 UTC",
        ["France 4 3 +1 2 builds 2", "free and yours: Marseilles and Paris", "Fall 1901 retreats: nobody has anything"],
    ),
    (
        "result, retreats",
        "[spring42] Fall 1902 retreats: A Burgundy has retreated to Gascony, A Ruhr destroyed",
        ["A Burgundy - Gascony got away", "A Ruhr was disbanded"],
    ),
    (
        "result, adjustments",
        "[spring42] Winter 1902 adjustments: F Brest was built · order 2 units by Thu 20:00 UTC",
        ["F Brest was built", "A Kiel was removed"],
    ),
    (
        "result, game over",
        "[spring42] Fall 1910: the game is over, Russia wins",
        ["Russia wins: 18 centres after Fall 1910"],
    ),
]


@pytest.mark.parametrize(("name", "subject", "said"), CHANGES, ids=[c[0] for c in CHANGES])
def test_what_a_result_says(name: str, subject: str, said: list[str], mails: dict[str, Any]) -> None:
    made = render(mails[name])
    assert made.subject == subject
    text = squeezed(made.text)
    assert [part for part in said if part not in text] == []


@pytest.mark.slow
def test_a_power_that_is_out_hears_so_once(board: Board, game: list[tuple[Position, Adjudication]]) -> None:
    told = [
        render(facts_of(board, before, adjudication, power)).subject
        for power in board.powers
        for before, adjudication in game
    ]
    out = [subject for subject in told if "is out of the game" in subject]
    gone = [p for p in board.powers if not game[-1][1].position.units_of(p) and not game[-1][1].position.centres(p)]
    assert len(out) == len(gone) > 0
