"""A phase is run before its deadline because somebody says so: PROCESS.

Nothing runs in the transaction of the mail that asks for it: the phase is marked as due at once, and runs as any phase that
is due, so that mails which came before are taken in first.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from judge.play.announcing import powers_of_master
from judge.play.filing import awaited
from judge.play.judge import Judge, Table
from judge.play.notdone import NotDone
from judge.rules.position import Phase
from judge.store import games, mastering, orders
from judge.store.games import MASTER, Game

#: Who had a phase run early, as the result mails tell it.
RunBy = Literal["master", "master-plays", "operator"]


def hurry(judge: Judge, table: Table, *, phase: str | None, at_once: bool, who: str, now: datetime) -> None:
    """Mark the open phase as due now, inside the caller's transaction.

    ``phase``: only if it is this one, which guards against racing the clock. Orders that are missing, or a power that asked
    to wait, need ``at_once`` (the words PROCESS NOW). A master who plays needs it always: whether all is in would tell them
    something of the others.

    :raises NotDone: the game is paused, another phase is open, it is asked for already, or ``at_once`` is needed.
    """
    game = games.by_id(judge.store, table.game.id)
    row = games.phase(judge.store, table.phase.id)
    if game.paused_at is not None:
        raise NotDone("clock.paused", verb="PROCESS")
    if phase is not None and phase != row.name:
        raise NotDone("clock.other-phase", phase=phase, open=row.name)
    if row.hurried_at is not None:
        raise NotDone("clock.runs-already", phase=row.name)
    if not at_once and who == MASTER:
        if powers_of_master(judge, game):
            raise NotDone("clock.master-plays", verb="PROCESS NOW")
        if _somebody_is_waited_for(judge, table):
            raise NotDone("clock.orders-missing", phase=row.name, verb="PROCESS NOW")
    mastering.hurry(judge.store, row.id, now, who)
    games.log(judge.store, game.id, who, "hurried", {"phase": row.name, "deadline": _iso(row.deadline)}, now)


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _somebody_is_waited_for(judge: Judge, table: Table) -> bool:
    waited_for = awaited(judge.store, table)
    return any(
        not state.complete or orders.standing(judge.store, table.phase.id, power).wait for power, state in waited_for.items()
    )


def run_by(judge: Judge, game: Game, who: str) -> RunBy | None:
    """Who had the phase run that has just been run by ``who``, as everybody is told; ``None``: nobody, it was due."""
    if who == MASTER:
        return "master-plays" if powers_of_master(judge, game) else "master"
    return "operator" if who == "operator" else None


def phase_named(text: str) -> str | None:
    """``s1901m``, ``S1901`` and ``01-S`` -> ``S1901M``; ``None``: it names no phase."""
    try:
        return str(Phase.parse(text))
    except ValueError:
        return None
