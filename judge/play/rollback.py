"""The game goes back to a phase that was played: it opens anew, with the orders that were on file for it.

Nothing is deleted. The phases from there on are kept and marked as undone; the one that opens is a new attempt of the same
phase, so that its mails have names of their own, and an answer to a mail from before is known as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.notation.turns import order_of
from judge.play.announcing import Doer, announce
from judge.play.judge import Judge, Table, open_table
from judge.play.notdone import NotDone
from judge.play.opening import open_phase_at
from judge.play.placing import on_file_answers, position_answer
from judge.play.schedule import kind_of, read
from judge.rules.position import Phase
from judge.store import games, mastering
from judge.store.db import stamp
from judge.store.games import Game, PhaseRow

#: So many phases are named to whoever asks for one that there is not.
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class WentBack:
    """What going back led to: the phase that is open, and the names of those that are undone, the open one among them."""

    table: Table
    undone: tuple[str, ...]


def played(judge: Judge, game: Game) -> list[PhaseRow]:
    """The phases that a game can go back to, in order: those that were played and count."""
    return [phase for phase in games.phases(judge.store, game.id) if phase.state == "processed"]


def roll_back(judge: Judge, game: Game, name: str, doer: Doer, now: datetime) -> WentBack:
    """Go back to the phase ``name`` (``S1901M``), inside the caller's transaction. A game that has ended goes on.

    Its orders are on file again, and units in other hands too; READY and WAIT are not, and it does not run early before
    those who owe orders have said something. Everybody is told the position, their own orders and the deadline, a whole
    phase from now; of a paused game there is none.

    :raises NotDone: the phase is open now, or was not played.
    """
    store = judge.store
    target = _target(judge, game, name)
    undone = [phase for phase in games.phases(store, game.id) if phase.number >= target.number]
    before = open_table(store, game)
    deadline = None if game.paused_at is not None else read(game.schedule).fresh(now, kind_of(name))
    table = go_back(judge, game, target, deadline, now)
    facts = {
        "phase": target.name,
        "from": before.phase.name if before else undone[-1].name,
        "attempt": table.phase.attempt,
        "was_over": game.state == "ended",
        "new": None if deadline is None else stamp(deadline),
        "why": doer.why,
    }
    number = games.log(store, game.id, doer.who, "rolled-back", facts, now)
    names = tuple(phase.name for phase in undone)
    args = {"phase": target.name, "undone": list(names), "new": deadline, "was_over": game.state == "ended"}
    own = {power: [one] for power, one in on_file_answers(judge, table).items()}
    announce(judge, table, "rolled-back", args, doer, now, number=number, answers=[position_answer(table)], own=own)
    return WentBack(table, names)


def go_back(
    judge: Judge, game: Game, target: PhaseRow, deadline: datetime | None, now: datetime, *, put_off: bool = True
) -> Table:
    """Open a phase that was played anew with its orders, inside the caller's transaction; nobody is told, nothing is logged.
    ``put_off``: whether absences put its deadline off. Returns its table."""
    store = judge.store
    mastering.undo(store, game.id, target.number, now)
    if game.state == "ended":
        mastering.reopen(store, game.id)
    table = open_phase_at(
        store,
        games.by_id(store, game.id),
        number=target.number,
        attempt=mastering.latest_attempt(store, game.id) + 1,
        position_text=target.position,
        name=target.name,
        now=now,
        deadline=deadline,
        rules_text=target.rules,
        put_off=put_off,
    )
    mastering.copy_orders(store, target.id, table.phase.id)
    _wait_again(judge, game, target)
    return table


def _target(judge: Judge, game: Game, name: str) -> PhaseRow:
    there = played(judge, game)
    found = next((phase for phase in there if phase.name == name), None)
    if found is not None:
        return found
    phase = games.open_phase(judge.store, game.id)
    if phase is not None and phase.name == name:
        raise NotDone("rollback.open", phase=name)
    raise _unknown(there, name)


def _unknown(there: Sequence[PhaseRow], name: str) -> NotDone:
    if not there:
        return NotDone("rollback.nothing")
    return NotDone("rollback.not-played", phase=name, phases=[phase.name for phase in there[-_MOST_NAMED:]])


def which(judge: Judge, game: Game) -> NotDone:
    """What is said to whoever names no phase to go back to."""
    there = played(judge, game)
    if not there:
        return NotDone("rollback.nothing")
    names = [phase.name for phase in there[-_MOST_NAMED:]]
    return NotDone("rollback.which", phases=names, example=f"ROLLBACK {names[-1]}")


def _wait_again(judge: Judge, game: Game, target: PhaseRow) -> None:
    """What came into force, or was read, with the phases that are undone waits for them again."""
    start = order_of(Phase.parse(target.name))
    later = {phase.name for phase in games.all_phases(judge.store, game.id)}
    later |= mastering.later_lines(judge.store, game.id)
    after = {name for name in later if order_of(Phase.parse(name)) > start}
    mastering.changes_wait_again(judge.store, game.id, after)
    mastering.keep_later_lines_again(judge.store, game.id, after)
