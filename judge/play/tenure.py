"""Which seats somebody has had, and from when to when: what was done at one before or after is not theirs."""

from __future__ import annotations

from dataclasses import dataclass

from judge.play.judge import Judge
from judge.play.people import seats_of
from judge.store import games, seatchanges
from judge.store.db import stamp
from judge.store.games import Game


@dataclass(frozen=True, slots=True)
class Tenure:
    """A seat of a game from ``since`` (empty: from the beginning) until ``until`` (``None``: still), as stamps."""

    game: Game
    power: str
    since: str
    until: str | None


def tenures(judge: Judge, mailbox: str) -> list[Tenure]:
    """All seats that a mailbox has or has had, a row for each time; by the age of the seat, first those that it has."""
    store = judge.store
    places = {(game.id, seat.power): True for game, seat in seats_of(judge, mailbox)}
    for change in seatchanges.of_mailbox(store, mailbox):
        places.setdefault((change.game_id, change.power), False)
    found = []
    for (game_id, power), still in places.items():
        game, since = games.by_id(store, game_id), ""
        for change in seatchanges.of_game(store, game_id):
            if change.power != power:
                continue
            if change.kind == "taken":
                since = stamp(change.at)
            elif change.mailbox == mailbox:
                found.append(Tenure(game, power, since, stamp(change.at)))
        if still:
            found.append(Tenure(game, power, since, None))
    return found
