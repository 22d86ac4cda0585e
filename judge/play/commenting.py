"""The master's note on a game: everybody reads it with the state of the game, and nobody is mailed because of it."""

from __future__ import annotations

from datetime import datetime

from judge.play.announcing import Doer
from judge.play.judge import Judge
from judge.play.notdone import NotDone
from judge.store import games, mastering
from judge.store.games import Game

#: Characters of a note.
LONGEST = 1500


def set_comment(judge: Judge, game: Game, text: str, doer: Doer, now: datetime) -> None:
    """Set the note (empty: take it off), inside the caller's transaction.

    :raises NotDone: it is that already, or too long.
    """
    text = "\n".join(line.rstrip() for line in text.strip().split("\n"))
    if len(text) > LONGEST:
        raise NotDone("comment.too-long", most=LONGEST)
    if text == games.by_id(judge.store, game.id).comment:
        raise NotDone("comment.same")
    mastering.set_comment(judge.store, game.id, text)
    games.log(judge.store, game.id, doer.who, "comment", {"off": not text}, now)
