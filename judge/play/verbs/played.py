"""The phases of a game that have been played, as commands name them: one, or from one to another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from judge.notation import Context
from judge.notation.lines import heading_of
from judge.notation.turns import order_of, phase_of
from judge.play.judge import Table, lay_out
from judge.play.verbs.acting import Act, NotDone
from judge.rules.houserules import keys
from judge.rules.outcome import Adjudication
from judge.rules.position import Phase, Position
from judge.store import Store, codec, games
from judge.store.games import Game, PhaseRow
from judge.variants import load_board
from judge.variants.names import load_names

_YEAR = re.compile(r"\d{4}\Z")


@dataclass(frozen=True, slots=True)
class Played:
    """A phase that has been played: its table, and what came of it."""

    table: Table
    adjudication: Adjudication

    @property
    def name(self) -> str:
        """``"F1901M"``"""
        return self.table.phase.name


def rows(store: Store, game: Game, *, called_off: bool = False) -> list[PhaseRow]:
    """The phases that led to where the game is, in the order they were played: of one that was played more than once the
    last time alone. ``called_off``: also the one that was open when the game was ended, and never ran."""
    last = games.last_processed(store, game.id)
    now = games.open_phase(store, game.id) or last
    if now is None or last is None:
        return []
    latest: dict[int, PhaseRow] = {}
    for phase in games.phases(store, game.id):
        before = phase.number < now.number or phase.id == now.id
        if phase.state == "processed" and phase.called_off <= called_off and before and phase.attempt <= now.attempt:
            latest[phase.number] = phase
    return [latest[number] for number in sorted(latest)]


def played(game: Game, row: PhaseRow) -> Played:
    """A processed phase with its result."""
    table = lay_out(game, row)
    return Played(table, codec.adjudication_from_text(row.result or "", table.board))


def latest_first(store: Store, game: Game) -> Iterator[Played]:
    """The phases that were played, the latest first, each read when it is asked for."""
    return (played(game, row) for row in reversed(rows(store, game)))


def phase_named(text: str, game: Game, after: Phase) -> Phase | None:
    """The phase that words name (``F1901M``, ``Fall 1901 retreats``, ``1901年秋``), or ``None``. ``after``: a phase of the
    game's, for turns without a year."""
    board = load_board(game.variant)
    context = Context(board, load_names(board.name), Position(after, ()), None, codec.rules_from_text(game.rules))
    head = heading_of(text.strip(), context)
    return None if head is None else phase_of(text, head, after, onwards=False)


def span(text: str, game: Game, known: Sequence[PhaseRow]) -> tuple[str, str]:
    """The first and the last of ``known`` that a command names: ``FROM S1901M TO F1902M``, ``1902``, ``F1901M..S1903M``,
    one phase, or (empty, or ALL) all of them.

    :raises NotDone: none of the phases it names has been played.
    """
    text = re.sub(r"から|まで", " ", re.sub(r"\A(?:from|since)\b", "", text.strip(), flags=re.IGNORECASE)).strip()
    if not text or text.casefold() == "all":
        return known[0].name, known[-1].name
    until = re.match(r"(?:to|until|till)\s+(.*)\Z", text, re.IGNORECASE)
    if until or text.endswith("まで"):
        ends = ["", until[1] if until else text]
    else:
        ends = _two(text, game, Phase.parse(known[-1].name))
    first, last = ends[0], ends[-1]
    names = [row.name for row in known]
    low = order_of(_end(first, game, names, last=False)) if first else (0, 0, 0)
    high = order_of(_end(last, game, names, last=True)) if last else (99999, 0, 0)
    inside = [name for name in names if low <= order_of(Phase.parse(name)) <= high]
    if not inside:
        raise NotDone("history.none-there", first_phase=names[0], last_phase=names[-1])
    return inside[0], inside[-1]


def _two(text: str, game: Game, after: Phase) -> list[str]:
    """The two ends of a span: where the text can be cut such that either side names a phase or a year; else the text."""
    for found in re.finditer(r"\s*(?:\bto\b|\buntil\b|\btill\b|\.\.|-|–|~|到|至|\s)\s*", text, re.IGNORECASE):
        sides = [text[: found.start()].strip(), text[found.end() :].strip()]
        if all(_YEAR.match(side) or phase_named(side, game, after) for side in sides):
            return sides
    return [text]


def _end(text: str, game: Game, names: Sequence[str], *, last: bool) -> Phase:
    if _YEAR.match(text):
        return Phase("W", int(text), "A") if last else Phase("S", int(text), "M")
    phase = phase_named(text, game, Phase.parse(names[-1]))
    if phase is None:
        raise NotDone("history.no-phase", text=text[:40])
    # a turn without more is all of its phases
    whole = last and phase.kind == "M" and not re.search(r"M\Z|mov|移", text, re.IGNORECASE)
    return Phase(phase.season, phase.year, "R") if whole else phase


def rules_args(table: Table, wanted: Iterable[str | None]) -> dict[str, Any]:
    """The values of house rules, by key, as an answer holds them."""
    return {key: getattr(table.rules, keys()[key].field) for key in sorted(filter(None, set(wanted))) if key in keys()}


def of_act(act: Act) -> Game:
    """The game of a seat's command."""
    assert act.game is not None
    return act.game
