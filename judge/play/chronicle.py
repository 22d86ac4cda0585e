"""What a game was like, out of its stored phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge.render.facts import Year
from judge.rules.position import Phase
from judge.store import Store, codec, games
from judge.store.games import Game
from judge.variants import load_board


def years(store: Store, game: Game) -> Iterator[Year]:
    """Centres and units of each power at the end of each year of a game whose centres have changed hands, oldest first."""
    board = load_board(game.variant)
    last = {Phase.parse(one.name).year: one.result for one in games.phases(store, game.id) if one.result is not None}
    for year, result in sorted(last.items()):
        position = codec.adjudication_from_text(result, board).position
        if position.phase.year == year and position.phase.kind != "A":
            continue  # before that a year's centres are those of the year before
        centres = Counter(position.owners.values())
        units = Counter(unit.power for unit in position.units)
        yield Year(year, dict(centres), dict(units))
