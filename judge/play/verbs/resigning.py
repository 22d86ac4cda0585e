"""RESIGN: a player gives up a seat. It is final, so it is asked about once: RESIGN tells what would happen, RESIGN YES (or
YES in answer to that) does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play import keeping, seats
from judge.play.verbs.acting import Act, Doer
from judge.render.commonfacts import Answer


def resign(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to RESIGN [YES]."""
    assert act.seat is not None and act.table is not None  # a player's verb, in a running game
    power = act.seat.power
    if not command.argument:
        args = {"power": power, "game": act.table.game.name, "nmr": act.table.rules.nmr, "yes": "RESIGN YES"}
        return [Answer("resign-asked", args)]
    kept = keeping.take(act.judge, act.table.game, act.seat, act.now)
    seats.resign(act.judge, act.table, power, act.now)
    return [Answer("resigned", {"power": power, "game": act.table.game.name}), *kept]


DOERS: Mapping[tuple[str, Role], Doer] = {("RESIGN", "player"): resign}
