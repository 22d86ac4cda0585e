"""The answer to LOG: what was done to a game, when and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judge.render.answers.directing import changes_in_words
from judge.render.answers.pieces import Items, Piece, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.words import Words

_WHO: Mapping[str, str] = {
    "master": N_("the game master"),
    "operator": N_("the operator"),
    "players": N_("a vote of the players"),
    "clock": N_("the judge"),
    "judge": N_("the judge"),
}
#: what was done -> the sentence; another for facts that are missing
_SENTENCES: Mapping[str, str] = {
    "created": N_("made the game (%(rules)s; %(schedule)s)"),
    "started": N_("started the game, with %(phase)s"),
    "drawn": N_("drew the powers"),
    "master": N_("gave the game a master"),
    "processed": N_("ran %(phase)s"),
    "resigned": N_("gave up %(power)s"),
    "ejected": N_("took %(power)s away from its player"),
    "opened": N_("declared that nobody plays %(power)s"),
    "replaced": N_("took %(power)s away from its player, for another one"),
    "offered": N_("offered %(power)s to somebody who stands ready"),
    "hurried": N_("asked for %(phase)s to be run at once"),
    "postponed": N_("put the deadline of %(phase)s off, as orders were missing: it was %(old)s, and is %(new)s"),
    "deadline-changed": N_("moved the deadline of %(phase)s: it was %(old)s, and is %(new)s"),
    "deadline-changed, new": N_("set the deadline of %(phase)s: %(new)s"),
    "paused": N_("paused the game"),
    "paused, until": N_("paused the game until %(until)s"),
    "resumed": N_("let the game go on; the deadline of %(phase)s is %(new)s"),
    "rolled-back": N_("went back from %(from)s to %(phase)s"),
    "late-accepted": N_("took orders of %(power)s for %(phase)s that came late"),
    "corrected": N_("corrected the position of %(phase)s: %(changes)s"),
    "ended": N_("ended the game without a result"),
    "ended, drawn": N_("ended the game as a draw of %(winners)s"),
    "comment": N_("changed the note on the game"),
    "comment, off": N_("took the note on the game off"),
    "rule-changed": N_("changed the house rule %(key)s: it was %(old)s, and is %(new)s"),
}


def log(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``rows``: ``{"at", "who", "what", "facts"}``, newest first; ``more``: there are older ones."""
    texts = tuple(_row(row, words, common) for row in args["rows"] if row["what"] in _SENTENCES)
    pieces: list[Piece] = [Items(texts) if texts else Says(words.translate(N_("Nothing has been done yet.")))]
    if args["more"]:
        pieces.append(Says(words.translate(N_("What was done before these is kept, and not shown here."))))
    return Section(words.translate(N_("What was done to the game")), tuple(pieces), words.translate(N_("the log")))


def _row(row: Mapping[str, Any], words: Words, common: Common | None) -> str:
    what = words.translate(_SENTENCES[_case(row["what"], row["facts"])]) % {
        name: _said(row["what"], name, value, words) for name, value in row["facts"].items()
    }
    said = words.translate(N_("%(when)s: %(who)s %(what)s."))
    why = row["facts"].get("why")
    if why:
        said = words.translate(N_("%(when)s: %(who)s %(what)s (“%(why)s”)."))
    values = {"when": words.instant(row["at"]), "who": _who(row["who"], words, common), "what": what}
    return said % (values | {"why": one_line(why or "", 200)})


def _case(what: str, facts: Mapping[str, Any]) -> str:
    if what == "deadline-changed" and not facts["old"]:
        return "deadline-changed, new"
    if what == "paused" and facts["until"]:
        return "paused, until"
    if what == "ended" and facts["winners"]:
        return "ended, drawn"
    return "comment, off" if what == "comment" and facts["off"] else what


def _who(who: str, words: Words, common: Common | None) -> str:
    if who in _WHO:
        return words.translate(_WHO[who])
    if common is not None and who in common.board.powers:
        return words.power(who)
    return one_line(who, 60)


def _said(what: str, name: str, value: Any, words: Words) -> str:
    if isinstance(value, datetime):
        return words.instant(value)
    if name in ("phase", "from") and value:
        return words.phase(value)
    if name == "power":
        return words.power(value)
    if name == "winners":
        return words.listing(map(words.power, value))
    if name == "changes":
        return words.sentences(changes_in_words(value, words))
    if what == "rule-changed" and name in ("old", "new") and not value:
        return words.translate(N_("nothing"))
    return one_line(str(value), 100)


WRITERS: Mapping[str, Writer] = {"log": log}
