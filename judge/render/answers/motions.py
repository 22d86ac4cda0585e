"""Answers to motions and ballots; notices of motions say the same sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from judge.render.answers.pieces import Items, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words

#: what a motion wants
_WHAT: Mapping[str, str] = {
    "extend": N_("The deadline is put off by %(span)s."),
    "pause": N_("The game is paused until %(when)s."),
    "resume": N_("The game goes on."),
    "replace": N_("The seat of %(power)s is declared open, and somebody else may take it."),
}
_SAID: Mapping[str, str] = {
    "proposed": N_("You propose it, and so you are for it."),
    "aye": N_("You are for it."),
    "nay": N_("You are against it."),
    "again": N_("You had said so already."),
}
_OUTCOMES: Mapping[str, str] = {
    "passed": N_("It has passed."),
    "failed": N_("It has failed: more than half are against it."),
    "not-done": N_("It has passed, but it cannot be done any more as things stand."),
}


def what(args: Mapping[str, Any], words: Words) -> str:
    """What a motion wants, as a sentence: ``kind``, and ``seconds``, ``until`` or ``power``."""
    values = {
        "span": words.span(timedelta(seconds=args["seconds"])) if args.get("seconds") else "",
        "when": words.instant(_instant(args["until"])) if args.get("until") else "",
        "power": words.power(args["power"]) if args.get("power") else "",
    }
    return words.translate(_WHAT[args["kind"]]) % values


def how_it_goes(args: Mapping[str, Any], words: Words) -> str:
    """How many are for it and against it, and until when it is open."""
    values = {"ayes": args["ayes"], "nays": args["nays"], "of": args["of"], "when": words.instant(_instant(args["expires"]))}
    return words.translate(N_("For it: %(ayes)s, against it: %(nays)s, of %(of)s. It is open until %(when)s.")) % values


def rule(words: Words) -> str:
    """When a motion passes."""
    return words.translate(
        N_(
            "It passes as soon as more than half of all are for it, and at the end of its time if more are for it than"
            " against it, and two at least; who says nothing does not hold it up."
        )
    )


def motion(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``number``, ``kind`` and what it wants; ``how`` the reader has voted, what ``outcome`` it has, the tally."""
    title = words.translate(N_("Motion %(number)s")) % {"number": args["number"]}
    said = words.sentences([what(args, words), words.translate(_SAID[args["how"]])])
    if args["outcome"] == "open":
        return Section(title, (Items((said, how_it_goes(args, words), rule(words))),))
    outcome = words.translate(_OUTCOMES[args["outcome"]])
    return Section(title, (Items((said, outcome)),))


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


WRITERS: Mapping[str, Writer] = {"motion": motion}
