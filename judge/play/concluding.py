"""The end of a game by somebody's word: the phase that is open is called off, and all get the final standing in one mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judge.play.announcing import same_mailbox
from judge.play.judge import Judge, Table
from judge.play.laterreading import not_needed_any_more
from judge.play.posting import write_to_seat
from judge.rules.outcome import Adjudication, GameEnd
from judge.rules.victory import players
from judge.store import codec, games, mastering, motions, rulings


def end_by_word(table: Table, ended_by: str, winners: tuple[str, ...]) -> GameEnd:
    """An end that no count of the rules brought about (``ended_by``: ``draw.vote``, ``draw.concede``, ``master``), with the
    centres as they stand."""
    centres = {power: len(table.position.centres(power)) for power in table.board.powers}
    return GameEnd(ended_by, winners, centres)


def left_to_share(table: Table) -> tuple[str, ...]:
    """The powers that share a draw of all who are left: they have a unit or a centre, and somebody may play them
    (``powers.unplayed``)."""
    position = table.position
    units = (*position.units, *(fallen.unit for fallen in position.dislodged))
    left = {*position.owners.values(), *(unit.power for unit in units)}
    return tuple(power for power in players(table.board.powers, table.rules) if power in left)


def called_off(table: Table, end: GameEnd) -> Adjudication:
    """What is stored as the result of a phase that never ran: no order has an outcome, and all stands where it did."""
    position = table.position
    return Adjudication((), position, (), end, position.units, position.dislodged, position.contested)


def end_game(
    judge: Judge,
    table: Table,
    end: GameEnd,
    now: datetime,
    *,
    who: str,
    facts: Mapping[str, Any] | None = None,
    quiet_for: str | None = None,
    quiet_at: str | None = None,
    told: Mapping[str, Any] | None = None,
) -> None:
    """End a running game at once, inside the caller's transaction. The orders of the open phase are not carried out.

    ``who`` and ``facts`` go into the log. Everybody gets one mail with the final standing, but for the seat ``quiet_for``
    (a power or ``master``), whose own mail this answers: the caller writes it; nor do the seats of the address ``quiet_at``.
    ``told``: ``{"by", "why"}``, who ended it and why, as all may read it. A pause is over with the game.

    :raises Refused: the phase is not open any more.
    """
    store, game, phase = judge.store, table.game, table.phase
    games.processed(store, phase.id, now, codec.adjudication_to_text(called_off(table, end)), called_off=True)
    games.ended(store, game.id, now, codec.end_to_text(end))
    mastering.resume(store, game.id)
    rulings.drop_pending(store, game.id)
    motions.drop(store, phase.id, now)
    not_needed_any_more(store, game.id)
    for seat in games.readers(store, game.id):
        if seat.power != quiet_for and not same_mailbox(seat.address, quiet_at):
            write_to_seat(judge, table, seat, "end", dict(told or {}), now)
    logged = {"phase": phase.name, "ended_by": end.ended_by, "winners": list(end.winners), **(facts or {})}
    games.log(store, game.id, who, "ended", logged, now)
