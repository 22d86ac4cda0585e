"""Adjudicate a game again from what was stored, and compare."""

from __future__ import annotations

from judge.play.concluding import called_off, end_by_word
from judge.play.ending import with_clock
from judge.play.judge import Judge, Table, lay_out
from judge.play.onfile import given_orders
from judge.rules import adjudicate
from judge.rules.position import starting_position
from judge.store import codec, games
from judge.store.games import Game, PhaseRow


def verify_game(judge: Judge, game: Game) -> list[str]:
    """Play all stored orders through the engine again. Returns what differs, a text a fault; empty: all is as stored.

    Each phase must begin with the position that the one before it led to, and its orders must lead to its stored result.
    """
    faults: list[str] = []
    expected: str | None = None
    phases = games.phases(judge.store, game.id)
    for phase in phases:
        if expected is None:
            expected = codec.position_to_text(starting_position(lay_out(game, phase).board))
        if phase.position != expected:
            faults.append(f"{phase.name}: does not begin with the position that the phase before it led to")
        if phase.state == "processed":
            faults += _verify_phase(judge, game, phase)
            expected = _position_after(game, phase)
    return faults


def _verify_phase(judge: Judge, game: Game, phase: PhaseRow) -> list[str]:
    table = lay_out(game, phase)
    if phase.called_off:
        return _verify_called_off(table, game)
    adjudication = adjudicate(table.board, table.position, given_orders(judge.store, table), table.rules)
    if phase.processed_at is not None:
        ran = (phase.processed_at, phase.deadline)
        adjudication = with_clock(table.board, table.rules, game.started_at, adjudication, *ran)
    again = codec.adjudication_to_text(adjudication)
    return [] if again == phase.result else [f"{phase.name}: the stored orders lead to another result than the stored one"]


def _verify_called_off(table: Table, game: Game) -> list[str]:
    """Of a phase that was open when the game was ended by somebody's word: nothing ran, and the end is the game's."""
    if game.ending:
        end = codec.end_from_text(game.ending)
        again = called_off(table, end_by_word(table, end.ended_by, end.winners))
        if codec.adjudication_to_text(again) == table.phase.result:
            return []
    return [f"{table.phase.name}: it was called off, and its stored result is not the end of the game alone"]


def _position_after(game: Game, phase: PhaseRow) -> str:
    board = lay_out(game, phase).board
    return codec.position_to_text(codec.adjudication_from_text(phase.result or "", board).position)
