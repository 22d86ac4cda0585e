"""A phase opens: its row, and when it is due."""

from __future__ import annotations

from datetime import datetime

from judge.play import away
from judge.play.filing import set_run_at
from judge.play.judge import Table, lay_out
from judge.store import Store, games
from judge.store.games import Game


def open_phase_at(
    store: Store,
    game: Game,
    *,
    number: int,
    attempt: int,
    position_text: str,
    name: str,
    now: datetime,
    deadline: datetime | None,
    rules_text: str | None = None,
    put_off: bool = True,
) -> Table:
    """Open a phase and set when it is due. Returns its table. ``rules_text``: its house rules, if they are not those that
    the game was made with. ``put_off``: whether absences put its deadline off (not that of one that is run again)."""
    phase_id = games.open_phase_row(
        store,
        game_id=game.id,
        number=number,
        attempt=attempt,
        name=name,
        position=position_text,
        now=now,
        deadline=deadline,
        rules=rules_text,
    )
    table = lay_out(game, games.phase(store, phase_id))
    set_run_at(store, table, now)
    return away.heed(store, table, now) if put_off else table
