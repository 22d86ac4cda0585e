"""Who is away: what they are answered, and what the others are told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from judge.render.answers.pieces import Items, Piece, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words

_LEAD: Mapping[str, str] = {
    "added": N_("I know that you are away, for all your games:"),
    "again": N_("I knew already that you are away, for all your games:"),
    "list": N_("As far as I know you are away:"),
    "off": N_("Your absences are taken back. Deadlines that were put off for them stay as they are."),
    "none": N_("I know of no absence of yours."),
}


def absence(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``kind`` (``added``, ``again``, ``list``, ``off``), ``spans``: first and last day of each, ``moved``: games with their
    ``old`` and ``new`` deadline, ``room``: by how much deadlines of this game may be put off for one player."""
    kind = "none" if args["kind"] == "list" and not args["spans"] else args["kind"]
    pieces: list[Piece] = [Says(words.translate(_LEAD[kind]))]
    if args["spans"]:
        days = (words.translate(N_("from %(first)s to %(last)s")) % {"first": a, "last": b} for a, b in args["spans"])
        pieces.append(Items(tuple(days)))
    if args["moved"]:
        text = words.translate(N_("%(game)s: the deadline is put off to %(new)s; it was %(old)s. The others are told."))
        pieces.append(
            Items(
                tuple(
                    text % {"game": one["game"], "new": words.when(one["new"]), "old": words.instant(one["old"])}
                    for one in args["moved"]
                )
            )
        )
    if kind in ("added", "again"):
        pieces.append(Says(_what_it_does(args["room"], words)))
    return Section(words.translate(N_("When you are away")), tuple(pieces))


def _what_it_does(room: str | None, words: Words) -> str:
    if room == "none":
        return words.translate(N_("By the rules of this game no deadline is put off for it."))
    general = N_(
        "A deadline that falls into it, in a phase that you owe orders in, is put off to the first day after it; one that is"
        " nearer than a day stays. Nobody is told that it is you."
    )
    if room is None:
        return words.translate(general)
    most = words.translate(N_("In this game that may come to %(span)s in all."))
    return words.sentences([words.translate(general), most % {"span": words.span(timedelta(days=int(room.split()[0])))}])


def away_deadline(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``old`` and ``new``."""
    text = words.translate(
        N_("Somebody who owes orders is away, so the deadline is put off: it is %(new)s, and was %(old)s.")
    )
    values = {"new": words.when(args["new"]), "old": words.instant(args["old"])}
    news = words.translate(N_("the deadline is put off to %(when)s")) % {"when": words.soon(args["new"])}
    return Section(words.translate(N_("The deadline is put off")), (Says(text % values),), news)


WRITERS: Mapping[str, Writer] = {"absence": absence, "away-deadline": away_deadline}
