"""COMMITMENTS: the hashes that receipts bore, and what one's own were made from. SIGNS: what the master may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play import commitments, signs
from judge.play.judge import Judge
from judge.play.verbs import played
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import of_act
from judge.play.verbs.previewing import plays
from judge.render.commonfacts import Answer
from judge.rules.position import Phase
from judge.store import commitments as committed
from judge.store import games
from judge.store.games import Game, PhaseRow

#: What so many of one's receipts were made from is told at once, the latest.
MOST_TEXTS = 6
#: So many commitments are told at once, the latest: seven powers with a dozen receipts each.
MOST_ROWS = 84


def tell_commitments(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to COMMITMENTS [phase]."""
    assert act.seat is not None  # a seat's verb
    power = act.seat.power if act.role == "player" else None
    return [commitments_of(act.judge, of_act(act), command.argument, power=power)]


def commitments_of(judge: Judge, game: Game, text: str = "", *, power: str | None = None) -> Answer:
    """The commitments of the phase that ``text`` names, or of the last one that was played (the open one, if none was). Of
    the open phase ``power`` is told its own alone, and what they are made from of no phase but one that is over; ``None``,
    for the master: of the open phase none.

    :raises NotDone: the text names no phase of the game.
    """
    known = played.rows(judge.store, game)
    phase = _phase(judge, game, text, known)
    over = phase.state != "open"
    rows = committed.of_phase(judge.store, phase.id, None if over else power or "")
    own = [one for one in rows if over and one.power == power]
    return Answer(
        "commitments",
        {
            "phase": phase.name,
            "over": over,
            "rows": [[one.power, one.number, one.hash] for one in rows[-MOST_ROWS:]],
            "more": max(len(rows) - MOST_ROWS, 0),
            "texts": [[one.number, commitments.text_of(judge, game.name, phase, one)] for one in own[-MOST_TEXTS:]],
        },
    )


def _phase(judge: Judge, game: Game, text: str, known: Sequence[PhaseRow]) -> PhaseRow:
    now = games.open_phase(judge.store, game.id)
    there = [*known, *([now] if now else [])]
    if not there:
        raise NotDone("history.nothing-yet")
    if not text:
        return known[-1] if known else there[-1]
    meant = played.phase_named(text, game, Phase.parse(there[-1].name))
    found = next((row for row in there if meant is not None and row.name == str(meant)), None)
    if meant is None:
        raise NotDone("history.no-phase", text=text[:40])
    if found is None:
        raise NotDone("history.none-there", first_phase=there[0].name, last_phase=there[-1].name)
    return found


def tell_signs(act: Act, _: Command) -> Sequence[Answer]:
    """The answer to SIGNS. A master who plays is told none: they are about the other players too."""
    assert act.seat is not None and act.table is not None  # the verb is for games that have begun
    if plays(act.judge, act.table, act.seat.address):
        raise NotDone("signs.master-plays")
    return [signs_of(act.judge, of_act(act))]


def signs_of(judge: Judge, game: Game) -> Answer:
    """The signs of cheating in a game, for its master or the operator."""
    told: list[dict[str, Any]] = [{"code": sign.code, "args": dict(sign.args)} for sign in signs.signs(judge, game)]
    return Answer("signs", {"signs": told, "most": signs.MOST_SIGNS})


DOERS: Mapping[tuple[str, Role], Doer] = {
    ("COMMITMENTS", "player"): tell_commitments,
    ("COMMITMENTS", "master"): tell_commitments,
    ("SIGNS", "master"): tell_signs,
}
