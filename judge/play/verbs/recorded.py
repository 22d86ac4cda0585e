"""RECORD: how often orders came in time, in all games: of oneself, or for the game master of all players of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from judge.mail.commands import Command
from judge.mail.senders import box_of
from judge.mail.verbs import Role
from judge.play import reliability
from judge.play.verbs.acting import Act, Doer
from judge.play.verbs.played import of_act
from judge.render.commonfacts import Answer
from judge.store import Store, duties, games
from judge.store.games import Game


def record(act: Act, _: Command) -> Sequence[Answer]:
    """The answer to RECORD."""
    assert act.seat is not None
    if act.role == "player":
        row = _row(act.judge.store, act.seat.power, act.seat.address)
        return [Answer("record", {"rows": [row], "own": True})]
    return [record_of(act.judge.store, of_act(act))]


def record_of(store: Store, game: Game) -> Answer:
    """How often the players of a game sent orders in time, in all their games."""
    seats = games.seats(store, game.id)
    return Answer("record", {"rows": [_row(store, one.power, one.address) for one in seats if one.address], "own": False})


def _row(store: Store, power: str, address: str | None) -> dict[str, Any]:
    counts = duties.counts(store, box_of(address))
    return {"power": power, "share": reliability.share(counts), **asdict(counts)}


DOERS: Mapping[tuple[str, Role], Doer] = {("RECORD", "player"): record, ("RECORD", "master"): record}
