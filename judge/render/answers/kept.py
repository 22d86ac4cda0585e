"""Which mails somebody wants at once, and what had waited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.joining import many
from judge.render.answers.pieces import Head, Piece, Quoted, Says, Section, Writer
from judge.render.catalogue import N_, NN_
from judge.render.commonfacts import Common
from judge.render.words import Words

_CHOICES: Mapping[str, str] = {
    "all": N_("Every mail comes at once."),
    "results": N_(
        "Results, deadlines, answers to your mails and what asks for your decision come at once. Press of other players, and"
        " news that ask for nothing, wait and come with the next result."
    ),
    "digest": N_(
        "Results, deadlines, answers to your mails and what asks for your decision come at once. Press of other players, and"
        " news that ask for nothing, come once a day, at %(hour)s:00 (%(zone)s), or with a result before that."
    ),
}


def choice(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``choice`` and for which ``game`` (``None``: all); ``changed`` (``None``: it was only asked); ``hour``."""
    where = (
        words.translate(N_("So it is for %(game)s.")) % {"game": args["game"]}
        if args["game"]
        else words.translate(N_("So it is for all your games."))
    )
    values = {"hour": args["hour"], "zone": words.zone_name}
    pieces: list[Piece] = [Says(words.sentences([words.translate(_CHOICES[args["choice"]]) % values, where]))]
    if args["changed"] is False:
        pieces.append(Says(words.translate(N_("It was so already."))))
    pieces.append(
        Says(words.translate(N_("“MAIL ALL”, “MAIL RESULTS” and “MAIL DIGEST” change it; “MAIL” brings what waits.")))
    )
    return Section(words.translate(N_("Your mails")), tuple(pieces), words.translate(N_("your mails")))


def press(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``messages``: each with ``at``, ``sender``, ``address``, ``to``, ``everybody`` and ``text``; ``left``: so much still
    waits."""
    pieces: list[Piece] = []
    for one in args["messages"]:
        pieces += [Head(_lead(one, words)), Quoted(one["text"])]
        if one["address"]:
            pieces.append(Says(words.translate(N_("Their address: %(address)s")) % {"address": one["address"]}))
    if args["left"]:
        pieces.append(Says(many(words, NN_("%(n)s more waits: “MAIL” brings it.", "%(n)s more wait: “MAIL” brings them."),
                                args["left"])))  # fmt: skip
    return Section(words.translate(N_("Press that waited")), tuple(pieces), words.translate(N_("press that waited")))


def _lead(one: Mapping[str, Any], words: Words) -> str:
    values = {"when": words.instant(one["at"]), "who": _party(one["sender"], words) if one["sender"] else ""}
    if not one["sender"]:
        text = N_("%(when)s, to everybody, without a name") if one["everybody"] else N_("%(when)s, without a name")
    elif one["everybody"]:
        text = N_("%(when)s, %(who)s to everybody")
    else:
        text = N_("%(when)s, %(who)s to %(others)s")
        values["others"] = words.listing([_party(power, words) for power in one["to"]])
    return words.translate(text) % values


def _party(name: str, words: Words) -> str:
    return words.translate(N_("the game master")) if name == "master" else words.power(name)


WRITERS: Mapping[str, Writer] = {"mail-choice": choice, "kept-press": press}
