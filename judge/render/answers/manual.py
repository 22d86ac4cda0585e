"""A chapter of the manual: its verbs, as the reader may say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.verbwords import TOPICS, WORDS
from judge.render.words import Words


def chapter(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``topic``; ``verbs`` of it that ``role`` may say; ``others``: the other chapters that have any."""
    told = [verb for verb in args["verbs"] if means_something(verb, common)]
    pieces: list[Piece] = [Rows(tuple((WORDS[verb].form, words.translate(WORDS[verb].of(args["role"]))) for verb in told))]
    if args["others"]:
        more = words.translate(N_("Other chapters: %(chapters)s."))
        pieces.append(Says(more % {"chapters": words.listing(f"HELP {topic.upper()}" for topic in args["others"])}))
    return Section(words.translate(TOPICS[args["topic"]]), tuple(pieces), words.translate(N_("the manual")))


def means_something(verb: str, common: Common | None) -> bool:
    """Whether a verb does anything in the reader's game: READY and WAIT are about running before the deadline."""
    return verb not in ("READY", "WAIT") or common is None or common.early


WRITERS: Mapping[str, Writer] = {"chapter": chapter}
