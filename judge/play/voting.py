"""Votes for a draw and concessions: who has one, and what the votes that stand come to.

Nobody can be waited for who is not there: a power without a player has neither a vote nor a share, and one in civil
disorder is not asked, though what it says counts and a draw of all who are left is its own too.
"""

from __future__ import annotations

from datetime import datetime

from judge.play.concluding import end_by_word, end_game
from judge.play.disorder import in_disorder
from judge.play.judge import Judge, Table
from judge.rules.outcome import GameEnd
from judge.rules.position import Position
from judge.store import Store, games, votes
from judge.store.votes import Kind, Vote


def survivors(position: Position) -> frozenset[str]:
    """The powers that have a unit or a centre left."""
    units = {unit.power for unit in position.units} | {fallen.unit.power for fallen in position.dislodged}
    return frozenset(units | set(position.owners.values()))


def in_play(store: Store, table: Table) -> tuple[str, ...]:
    """The powers that are left and have a player, in the board's order: those who have a vote, and a share in a draw."""
    left = survivors(table.position) - set(table.rules.powers_unplayed)
    return tuple(seat.power for seat in games.seats(store, table.game.id) if seat.address and seat.power in left)


def needed(store: Store, table: Table, kind: Kind, to: str | None = None) -> frozenset[str]:
    """The powers whose vote it takes: all in play that are not in civil disorder, and of a concession not the one that is
    conceded ``to``."""
    absent = in_disorder(store, table)
    return frozenset(power for power in in_play(store, table) if power not in absent and (kind == "draw" or power != to))


def count(store: Store, table: Table, kind: Kind, to: str | None = None) -> tuple[int, int]:
    """How many of the votes that it takes stand, and how many it takes."""
    wanted = needed(store, table, kind, to)
    standing = votes.standing(store, table.phase.id, kind)
    have = {vote.power for vote in standing if kind == "draw" or vote.powers == (to,)}
    return len(have & wanted), len(wanted)


def verdict(store: Store, table: Table) -> tuple[Kind, GameEnd] | None:
    """The end that the votes standing in the open phase come to, or ``None``: one is missing, or they do not agree."""
    shared = _draw(store, table)
    if shared:
        return "draw", end_by_word(table, "draw.vote", shared)
    winner = _concession(store, table)
    return ("concede", end_by_word(table, "draw.concede", (winner,))) if winner else None


def _draw(store: Store, table: Table) -> tuple[str, ...]:
    if table.rules.draw_kind == "none":
        return ()
    playing = in_play(store, table)
    cast = [vote for vote in votes.standing(store, table.phase.id, "draw") if vote.power in playing]
    wanted = needed(store, table, "draw")
    if len(playing) < 2 or not wanted or not wanted <= {vote.power for vote in cast}:
        return ()
    return accepted_by_all(cast, playing)


def accepted_by_all(cast: list[Vote], playing: tuple[str, ...]) -> tuple[str, ...]:
    """The largest draw that every one of these votes accepts, or none.

    A vote accepts any draw among the powers that it names (a vote without names: all who are ``playing``); but who names
    their own power accepts only one that they have a share in. A draw is shared by two at least.
    """
    shared = set(playing)
    for vote in cast:
        shared &= set(vote.powers or playing)
    in_it = {vote.power for vote in cast if vote.power in (vote.powers or playing)}
    return tuple(power for power in playing if power in shared) if in_it <= shared and len(shared) > 1 else ()


def _concession(store: Store, table: Table) -> str | None:
    if table.rules.draw_concede == "no":
        return None
    for winner in in_play(store, table):
        have, of = count(store, table, "concede", winner)
        if have and have == of:
            return winner
    return None


def conclude(judge: Judge, table: Table, power: str, now: datetime) -> bool:
    """End the game if the votes that stand come to that, inside the caller's transaction; the seat ``power``, whose mail
    brought the last of them, is answered by the caller. Returns whether it has ended."""
    found = verdict(judge.store, table)
    if found is None:
        return False
    kind, end = found
    votes.carried(judge.store, table.phase.id, kind, now)
    end_game(judge, table, end, now, who="players", facts={"vote": kind}, quiet_for=power)
    return True
