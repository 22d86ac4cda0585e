"""A chapter of the manual: its verbs, as the reader may say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render import rulesentences
from judge.render.answers.pieces import Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.verbwords import TOPICS, WORDS
from judge.render.words import Words


def chapter(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``topic``; ``verbs`` of it that ``role`` may say; ``others``: the other chapters that have any."""
    told = [verb for verb in args["verbs"] if means_something(verb, common)]
    pieces: list[Piece] = [Rows(tuple((WORDS[verb].form, words.translate(WORDS[verb].of(args["role"]))) for verb in told))]
    if args["topic"] == "talk":
        pieces += [Says(one) for one in _talk(args["role"], words, common)]
    if args["others"]:
        more = words.translate(N_("Other chapters: %(chapters)s."))
        pieces.append(Says(more % {"chapters": words.listing(f"HELP {topic.upper()}" for topic in args["others"])}))
    return Section(words.translate(TOPICS[args["topic"]]), tuple(pieces), words.translate(N_("the manual")))


def _talk(role: str, words: Words, common: Common | None) -> list[str]:
    """How press is written, as the house rules have it (``press.kinds``). The master's own press is always passed on, and
    so is what is for the master alone."""
    kinds = common.rules.press_kinds if common is not None else "both"
    said = []
    if kinds != "none" or role == "master":
        to_players = N_(
            "To write to other players through the judge, put a line “PRESS TO FRANCE RUSSIA”, or “BROADCAST” for all of"
            " them, above your words and a line “END” below them."
        )
        said.append(to_players)
    if role == "player" and kinds == "both":
        said.append(N_("Press is signed with your power. With “GREY PRESS TO” or “GREY BROADCAST” it goes without a name."))
    elif role == "player":
        said.append(rulesentences.SENTENCES["press.kinds"][kinds])
    if role == "player":
        to_master = N_(
            "What stands below a line “PRESS TO MASTER” goes to the game master alone, in every game that has one."
        )
        said.append(to_master)
    return [words.translate(one) for one in said]


def means_something(verb: str, common: Common | None) -> bool:
    """Whether a verb does anything in the reader's game: READY and WAIT are about running before the deadline."""
    return verb not in ("READY", "WAIT") or common is None or common.early


WRITERS: Mapping[str, Writer] = {"chapter": chapter}
