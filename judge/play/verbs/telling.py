"""Verbs that only tell what is known: nothing of the game is changed by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play.chronicle import years
from judge.play.verbs.acting import Act, Doer
from judge.play.verbs.showing import position_of
from judge.render.commonfacts import Answer
from judge.store import Store
from judge.store.games import Game
from judge.variants import load_board


def summary(act: Act, _: Command) -> Sequence[Answer]:
    """The supply centres of each power by year."""
    assert act.game is not None  # a seat's verb
    return [summary_of(act.judge.store, act.game)]


def summary_of(store: Store, game: Game) -> Answer:
    """The answer to SUMMARY, of any game."""
    board = load_board(game.variant)
    told = list(years(store, game))
    now = position_of(store, game)
    return Answer(
        "summary",
        {
            "game": game.name,
            "state": game.state,
            "years": [year.year for year in told],
            "rows": [[power, [year.counts.get(power, 0) for year in told]] for power in board.powers],
            "now": [[power, len(now.centres(power)), len(now.units_of(power))] for power in board.powers],
        },
    )


DOERS: Mapping[tuple[str, Role], Doer] = {("SUMMARY", "player"): summary, ("SUMMARY", "master"): summary}
