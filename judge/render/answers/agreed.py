"""Answers to votes for a draw, concessions, and final statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Items, Quoted, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words

#: who is told of a vote (``draw.votes``)
_TOLD: Mapping[str, str] = {
    "secret": N_("Nobody is told of it before the game has ended by it."),
    "counts": N_("The others are told how many have said so, but not that you have."),
    "open": N_("The others are told of it."),
}
_TITLES: Mapping[str, str] = {"draw": N_("Your vote for a draw"), "concede": N_("Your concession")}


def voted(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``kind``, ``powers`` (none: all who are left), ``votes`` (``draw.votes``), ``phase``; ``again``: it stood already."""
    powers = words.listing(map(words.power, args["powers"]))
    if args["kind"] == "concede":
        said = N_("You concede the game to %(powers)s.")
        over = N_("NO CONCEDE takes it back; when %(phase)s is over, it lapses.")
    else:
        said = N_("You vote for a draw of %(powers)s.") if powers else N_("You vote for a draw of all who are left.")
        over = N_("NO DRAW takes it back; when %(phase)s is over, it lapses.")
    first = words.translate(N_("You had said so already, and it stands.")) if args["again"] else ""
    what = words.sentences([words.translate(said) % {"powers": powers}, first])
    lines = (what, words.translate(_TOLD[args["votes"]]), words.translate(over) % {"phase": words.phase(args["phase"])})
    return Section(words.translate(_TITLES[args["kind"]]), (Items(lines),))


def taken_back(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``kind``; ``done``: there was one to take back."""
    if args["kind"] == "concede":
        done, nothing = N_("You do not concede the game any more."), N_("You had not conceded the game in this phase.")
    else:
        done, nothing = N_("Your vote for a draw is taken back."), N_("You had not voted for a draw in this phase.")
    return Section(
        words.translate(_TITLES[args["kind"]]),
        (Items((words.translate(done if args["done"] else nothing),)),),
        words.translate(N_("taken back") if args["done"] else N_("nothing to take back")),
    )


def statement(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """A statement as an observer reads it: ``game``, ``power`` (or ``master``), ``text``."""
    if args["power"] == "master":
        title = words.translate(N_("The game master of %(game)s says of the game that is over")) % {"game": args["game"]}
    else:
        title = words.translate(N_("%(power)s says of the game %(game)s, which is over"))
        title %= {"power": words.power(args["power"]), "game": args["game"]}
    return Section(title, (Quoted(args["text"]),), words.translate(N_("a final statement")))


def statement_sent(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To how many ``seats`` and ``observers`` the reader's own statement went; ``again``: it had gone before."""
    if args["again"]:
        said = words.translate(N_("You had said the same already; nothing was sent."))
    else:
        seats = words.catalogue.ngettext(
            "It went to %(n)s other who was in the game.", "It went to %(n)s others who were in the game.", args["seats"]
        )
        watching = words.catalogue.ngettext("%(n)s observer got it too.", "%(n)s observers got it too.", args["observers"])
        watched = watching % {"n": args["observers"]} if args["observers"] else ""
        said = words.sentences([seats % {"n": args["seats"]}, watched])
    return Section(words.translate(N_("Your final statement")), (Items((said,)),))


WRITERS: Mapping[str, Writer] = {
    "voted": voted,
    "vote-taken-back": taken_back,
    "statement": statement,
    "statement-sent": statement_sent,
}
