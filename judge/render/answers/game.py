"""Answers about a game as a whole: how it stands and what is agreed (SHOW), all its house rules, the manual's chapters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.render.answers import stored
from judge.render.answers.manual import means_something
from judge.render.answers.pieces import Head, Items, Piece, Quoted, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.ruleswords import sections
from judge.render.timetablewords import timetable
from judge.render.verbwords import TOPICS, WORDS
from judge.render.words import Words

_STATES: Mapping[str, str] = {
    "forming": N_("it has not begun"),
    "running": N_("it is being played"),
    "ended": N_("it is over"),
}
_WHO: Mapping[str, str] = {
    "played": N_("has a player"),
    "open": N_("has no player"),
    "nobody": N_("is left out: nobody plays it"),
}
PRESS: Mapping[str, str] = {
    "none": N_("no press"),
    "white": N_("signed letters"),
    "grey": N_("unsigned letters"),
    "both": N_("letters, signed or unsigned"),
}


def show(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """Arguments as ``judge.play.verbs.showing`` makes them."""
    pieces: list[Piece] = [Rows(tuple(_facts(args, words))), Head(words.translate(N_("The powers")))]
    pieces.append(Rows(tuple((words.power(seat["power"]), _seat(seat, args, words)) for seat in args["seats"])))
    if args["waiting"]:
        many = words.catalogue.ngettext(
            "%(n)s player waits for a power to be given out at the start.",
            "%(n)s players wait for their powers to be given out at the start.",
            args["waiting"],
        )
        pieces.append(Says(many % {"n": args["waiting"]}))
    if args.get("comment"):
        pieces += [Head(words.translate(N_("The note on the game"))), Quoted(args["comment"])]
    title = words.translate(N_("The game %(game)s")) % {"game": args["game"]}
    return Section(title, tuple(pieces), words.translate(N_("how it stands")))


def _facts(args: Mapping[str, Any], words: Words) -> Iterator[tuple[str, str]]:
    state = words.translate(_STATES[args["state"]]) if args["state"] in _STATES else args["state"]
    if args["phase"]:
        values = {"state": state, "phase": words.phase(args["phase"])}
        state = words.translate(N_("%(state)s, %(phase)s")) % values
    yield words.translate(N_("State")), state
    if args["winners"] is not None:
        powers = words.listing(map(words.power, args["winners"])) or words.translate(N_("nobody"))
        label = N_("A draw of") if len(args["winners"]) > 1 else N_("Won by")
        yield words.translate(label), powers
    if args["deadline"] is not None:
        yield words.translate(N_("Next deadline")), words.when(args["deadline"])
    if args["state"] != "ended":
        early = words.translate(N_("A phase runs earlier when all orders are in.")) if args["early"] else ""
        yield words.translate(N_("Schedule")), words.sentences([timetable(args["schedule"], words), early])
    yield (
        words.translate(N_("House rules")),
        words.translate(N_("%(name)s; RULES brings all of them")) % {"name": args["rules_name"]},
    )
    kinds, phases = args["press"]
    said = words.translate(PRESS[kinds]) if kinds in PRESS else kinds
    if kinds != "none" and phases == "movement":
        said = words.translate(N_("%(kinds)s, while moves are ordered alone")) % {"kinds": said}
    yield words.translate(N_("Letters between players")), said
    if args["variant"] != "standard":
        yield words.translate(N_("Board")), args["variant"]
    yield words.translate(N_("Game master")), words.translate(N_("there is one") if args["master"] else N_("there is none"))


def _seat(seat: Mapping[str, Any], args: Mapping[str, Any], words: Words) -> str:
    who = words.translate(N_("you")) if seat["you"] else words.translate(_WHO[seat["who"]])
    if not seat["you"] and (seat.get("name") or seat["address"]):
        name, address = one_line(seat.get("name") or "", 60), one_line(seat["address"] or "", 60)
        who = f"{name} <{address}>" if name and address else name or address
    if args["state"] == "forming":
        return who
    values = {
        "who": who,
        "centres": words.catalogue.ngettext("%(n)s centre", "%(n)s centres", seat["centres"]) % {"n": seat["centres"]},
        "units": words.catalogue.ngettext("%(n)s unit", "%(n)s units", seat["units"]) % {"n": seat["units"]},
    }
    return words.translate(N_("%(who)s; %(centres)s, %(units)s")) % values


def rules(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``rules``: all house rules of ``game``, by field as a game stores them."""
    assert words.board is not None  # answers of a game have its board
    pieces: list[Piece] = []
    for section in sections(stored.all_rules(args["rules"]), words.board, words):
        pieces += [Head(section.title), Items(tuple(line.text for line in section.lines))]
    title = words.translate(N_("The house rules of %(game)s")) % {"game": args["game"]}
    return Section(title, tuple(pieces), words.translate(N_("the house rules")))


def chapters(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``chapters``: each ``topic`` with the ``verbs`` of it that ``role`` may say."""
    pieces: list[Piece] = [Says(words.translate(N_("A line with one of these words alone is a command.")))]
    for chapter in args["chapters"]:
        told = [verb for verb in chapter["verbs"] if means_something(verb, common)]
        heading = words.translate(N_("%(title)s: HELP %(topic)s"))
        values = {"title": words.translate(TOPICS[chapter["topic"]]), "topic": chapter["topic"].upper()}
        pieces.append(Head(heading % values))
        pieces.append(Rows(tuple((WORDS[verb].form, words.translate(WORDS[verb].of(args["role"]))) for verb in told)))
    return Section(words.translate(N_("The manual")), tuple(pieces), words.translate(N_("the manual")))


WRITERS: Mapping[str, Writer] = {"show": show, "rules": rules, "chapters": chapters}
