"""The log of a game as everybody in it may read it: who did what when. Nothing of orders, votes, addresses or mails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.play.judge import Judge
from judge.render.commonfacts import Answer
from judge.store import mastering
from judge.store.db import instant
from judge.store.games import Game

#: So many lines at most; the newest.
MOST_LINES = 40

#: what is told -> the facts of it that are. What is not here is nobody's business but the operator's.
TOLD: Mapping[str, tuple[str, ...]] = {
    "created": ("rules", "schedule"),
    "started": ("phase",),
    "drawn": ("method",),
    "master": (),
    "processed": ("phase",),
    "hurried": ("phase",),
    "resigned": ("power",),
    "ejected": ("power", "why"),
    "opened": ("power", "why"),
    "replaced": ("power", "why"),
    "offered": ("power",),
    "postponed": ("phase", "old", "new"),
    "deadline-changed": ("phase", "old", "new", "why"),
    "paused": ("phase", "until", "why"),
    "resumed": ("phase", "new", "why"),
    "rolled-back": ("phase", "from", "why"),
    "late-accepted": ("power", "phase", "why"),
    "corrected": ("phase", "changes", "why"),
    "ended": ("phase", "ended_by", "winners", "why"),
    "comment": ("off",),
    "rule-changed": ("key", "old", "new", "why"),
}
#: facts that are instants
_INSTANTS = frozenset({"new", "old", "until"})
#: what is told of with values of another sort under these names
_VALUES = frozenset({"rule-changed"})


def log_answer(judge: Judge, game: Game) -> Answer:
    """The newest lines of the log, newest first. ``more``: there are older ones."""
    lines = mastering.logged(judge.store, game.id, TOLD, MOST_LINES + 1)
    rows = [
        {"at": line.at, "who": line.who, "what": line.what, "facts": _facts(line.what, line.facts)}
        for line in lines[:MOST_LINES]
    ]
    return Answer("log", {"rows": rows, "more": len(lines) > MOST_LINES})


def _facts(what: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: facts.get(name) for name in TOLD[what]}
    if what in _VALUES:
        return told
    return {name: instant(value) if name in _INSTANTS and value else value for name, value in told.items()}
