"""The end of a game by somebody's word: the phase that is open is called off, and all get the final standing in one mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judge.play.judge import Judge, Table
from judge.play.laterreading import not_needed_any_more
from judge.play.posting import write_to_seat
from judge.rules.outcome import Adjudication, GameEnd
from judge.store import codec, games, rulings


def end_by_word(table: Table, ended_by: str, winners: tuple[str, ...]) -> GameEnd:
    """An end that no count of the rules brought about (``ended_by``: ``draw.vote``, ``draw.concede``, ``master``), with the
    centres as they stand."""
    centres = {power: len(table.position.centres(power)) for power in table.board.powers}
    return GameEnd(ended_by, winners, centres)


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
) -> None:
    """End a running game at once, inside the caller's transaction. The orders of the open phase are not carried out.

    ``who`` and ``facts`` go into the log. Everybody gets one mail with the final standing, but for the seat ``quiet_for``
    (a power or ``master``), whose own mail this answers: the caller writes it.

    :raises Refused: the phase is not open any more.
    """
    store, game, phase = judge.store, table.game, table.phase
    games.processed(store, phase.id, now, codec.adjudication_to_text(called_off(table, end)), called_off=True)
    games.ended(store, game.id, now, codec.end_to_text(end))
    rulings.drop_pending(store, game.id)
    not_needed_any_more(store, game.id)
    for seat in games.readers(store, game.id):
        if seat.power != quiet_for:
            write_to_seat(judge, table, seat, "end", {}, now)
    told = {"phase": phase.name, "ended_by": end.ended_by, "winners": list(end.winners), **(facts or {})}
    games.log(store, game.id, who, "ended", told, now)
