"""The end by an agreed time (``victory.clock``): the one end of a game that depends on when a phase is run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Adjudication
from judge.rules.victory import end_by_clock

_UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def clock_instant(rules: HouseRules, started_at: datetime | None) -> datetime | None:
    """The instant at which the agreed time is over, or ``None`` if none is agreed (or the game has not started)."""
    if rules.victory_clock_at:
        return datetime.fromisoformat(rules.victory_clock_at)
    if rules.victory_clock_after and started_at is not None:
        number = "".join(c for c in rules.victory_clock_after if c.isdigit())
        return started_at + int(number) * _UNITS[rules.victory_clock_after.removeprefix(number).strip()]
    return None


def with_clock(
    board: Board,
    rules: HouseRules,
    started_at: datetime | None,
    adjudication: Adjudication,
    run_at: datetime,
    deadline: datetime | None = None,
) -> Adjudication:
    """What a phase that was run at ``run_at`` led to: the end of the game, if the agreed time is over (CN-1 c).

    A phase runs until its ``deadline`` at the latest: one that a judge who was down ran afterwards had ended by then. The
    phase that was running at that instant counts in full, and so do the retreats that it made necessary; owners and units
    are those of then. Any other end comes first.
    """
    over = clock_instant(rules, started_at)
    ran_until = run_at if deadline is None else min(run_at, deadline)
    if adjudication.end is not None or over is None or ran_until < over or adjudication.position.phase.kind == "R":
        return adjudication
    after = adjudication.position
    return replace(adjudication, end=end_by_clock(board, after.owners, after.units, rules))
