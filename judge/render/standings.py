"""Who stands where: the table of centres after a phase, what is on the board, and the final standing when a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.render.facts import EndFacts, Year
from judge.render.words import Words
from judge.rules.board import Board
from judge.rules.outcome import GameEnd
from judge.rules.position import Position

#: what stands where, in words: ``(power, places of its armies, places of its fleets)``
Standing = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class CentreRow:
    """One power in the table of centres: ``adjust`` is how many units it must build (+) or remove (-) now.

    When the game is over nothing is built any more; ``shares``: it won, or has its part in the draw; ``out_since``: the year
    in which it lost the last of its centres and units, as far as that is known.
    """

    power: str
    now: int
    was: int
    units: int
    adjust: int = 0
    shares: bool = False
    out_since: int | None = None

    @property
    def change(self) -> int:
        """Centres won (+) or lost (-)."""
        return self.now - self.was

    @property
    def out(self) -> bool:
        """The power has neither centres nor units left."""
        return not self.now and not self.units


def centre_table(
    board: Board, before: Position, after: Position, end: GameEnd | None = None, years: Sequence[Year] = ()
) -> tuple[CentreRow, ...]:
    """Centres and units of each power, the largest first; units include dislodged ones that may still retreat.

    With an ``end`` it is the final standing: those who won or share the draw first, then by what was counted.
    """
    rows = []
    for power in board.powers:
        units = len(after.units_of(power)) + sum(d.unit.power == power and bool(d.retreats) for d in after.dislodged)
        now, was = len(after.centres(power)), len(before.centres(power))
        adjust = now - units if after.phase.kind == "A" and end is None else 0
        shares = end is not None and power in end.winners
        rows.append(CentreRow(power, now, was, units, adjust, shares, out_since(power, years)))
    counts = end.counts if end else {}
    return tuple(sorted(rows, key=lambda row: (not row.shares, -counts.get(row.power, 0), -row.now, -row.units)))


def out_since(power: str, years: Sequence[Year]) -> int | None:
    """The first of the years at whose end ``power`` had nothing left, up to the last; ``None``: it had, or nobody knows."""
    since = None
    for year in reversed(years):
        if year.counts.get(power, 0) or year.units.get(power, 0):
            break
        since = year.year
    return since


def standing(board: Board, position: Position, words: Words) -> Standing:
    """What stands where, in words."""
    rows = []
    for power in board.powers:
        units = position.units_of(power)
        armies = tuple(sorted(words.place(u.at) for u in units if u.type == "A"))
        fleets = tuple(sorted(words.place(u.at) for u in units if u.type == "F"))
        if units:
            rows.append((power, armies, fleets))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class FinalRow:
    """One power when all is over; ``shares`` and ``out_since`` as in :class:`CentreRow`."""

    power: str
    centres: int
    units: int
    shares: bool
    out_since: int | None = None
    player: str | None = None


@dataclass(frozen=True)
class EndView:
    """The end of a game as its template shows it; ``chart``: each power's centres in each of ``years``."""

    rows: tuple[FinalRow, ...]
    i_won: bool
    years: tuple[int, ...]
    chart: tuple[tuple[str, tuple[int, ...]], ...]
    standing: Standing


def end_view(facts: EndFacts, words: Words) -> EndView:
    """Work out the end of a game."""
    board, position, end = facts.common.board, facts.position, facts.end
    players = {seat.power: seat.player for seat in facts.seats}
    table = centre_table(board, position, position, end, facts.years)
    rows = tuple(FinalRow(r.power, r.now, r.units, r.shares, r.out_since, players.get(r.power)) for r in table)
    return EndView(
        rows=rows,
        i_won=facts.common.power in end.winners,
        years=tuple(year.year for year in facts.years),
        chart=tuple((row.power, tuple(year.counts.get(row.power, 0) for year in facts.years)) for row in rows),
        standing=standing(board, position, words),
    )
