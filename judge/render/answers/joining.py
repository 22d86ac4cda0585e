"""The games that there are, and who comes into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge.render.answers.game import PRESS
from judge.render.answers.pieces import Head, Link, Links, Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_, NN_
from judge.render.commonfacts import Common
from judge.render.words import Words
from judge.variants.names import load_names


def power_names(variant: str, powers: Iterable[str], words: Words) -> list[str]:
    """Powers of a board in the reader's language, whatever board the mail is about."""
    names = load_names(variant)
    return [names.power(power, words.language) for power in powers]


def many(words: Words, texts: tuple[str, str], n: int) -> str:
    """A sentence with a number in it."""
    return words.catalogue.ngettext(*texts, n) % {"n": n}


def listing(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``games``: rows with ``state``, ``free`` powers, ``deadline`` ..., those with room first; ``more`` and ``ended`` are
    counts."""
    pieces: list[Piece] = []
    for row in args["games"]:
        pieces += [Head(row["game"]), Rows(tuple(_game(row, words)))]
    if not args["games"]:
        pieces.append(Says(words.translate(N_("There is no game that is open or played at the moment."))))
    if args["more"]:
        pieces.append(
            Says(many(words, NN_("%(n)s more game is not listed.", "%(n)s more games are not listed."), args["more"]))
        )
    if args["ended"]:
        pieces.append(Says(many(words, NN_("%(n)s game is over.", "%(n)s games are over."), args["ended"])))
    if any(row["free"] for row in args["games"]):
        how = N_("To play, write JOIN, the game and the powers that you would like, the best first: “JOIN %(game)s”.")
        game = next(row["game"] for row in args["games"] if row["free"])
        pieces.append(Says(words.translate(how) % {"game": game}))
    return Section(words.translate(N_("Games")), tuple(pieces), words.translate(N_("the games")))


def _game(row: Mapping[str, Any], words: Words) -> Iterable[tuple[str, str]]:
    state = words.translate(N_("waits for players")) if row["state"] == "forming" else words.translate(N_("is played"))
    yield words.translate(N_("State")), state
    if row["free"]:
        free = words.listing(power_names(row["variant"], row["free"], words))
        yield words.translate(N_("Free")), free
    if row["waiting"]:
        yield (
            words.translate(N_("Players")),
            many(words, NN_("%(n)s waits for a power", "%(n)s wait for a power"), row["waiting"]),
        )
    if row["phase"]:
        yield words.translate(N_("Phase")), words.translate(N_("%(phase)s is open")) % {"phase": words.phase(row["phase"])}
    if row["deadline"]:
        yield words.translate(N_("Next deadline")), words.when(row["deadline"])
    if row["variant"] != "standard":
        yield words.translate(N_("Board")), row["variant"]
    yield words.translate(N_("House rules")), row["rules"]
    yield words.translate(N_("Letters between players")), words.translate(PRESS[row["press"]])


_JOINED: Mapping[str, str] = {
    "waits": N_("You are in the game %(game)s. Powers are given out when it starts; then you get its first mail."),
    "changed": N_("Your wishes for the game %(game)s are changed."),
    "again": N_("You are in the game %(game)s already, with the same wishes: nothing has changed."),
    "seated": N_("You play %(power)s in %(game)s already: nothing has changed."),
    "taken": N_(
        "You play %(power)s in %(game)s from now on. Write to this address for it; STATUS tells you what is on the board."
    ),
}


def joined(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``how``: what came of a JOIN; ``powers`` wished for, or the one that is played; ``left``: free places."""
    powers = power_names(args["variant"], args["powers"], words)
    said = {"game": args["game"], "power": powers[0] if powers else ""}
    pieces: list[Piece] = [Says(words.translate(_JOINED[args["how"]]) % said)]
    if args["how"] in ("waits", "changed", "again"):
        wish = N_("Powers that you would like, the best first: %(powers)s.") if powers else N_("You have named no power.")
        pieces.append(Says(words.translate(wish) % {"powers": words.chain(powers)}))
        if args.get("left"):
            pieces.append(
                Says(many(words, NN_("%(n)s more player is needed.", "%(n)s more players are needed."), args["left"]))
            )
        pieces.append(
            Says(words.translate(N_("“LEAVE %(game)s” takes it back as long as the game has not started.")) % said)
        )
    if args["how"] == "taken":
        label = words.translate(N_("%(power)s in %(game)s")) % said
        pieces.append(Links((Link(label, args["address"], f"[{args['game']}]", "STATUS"),)))
    return Section(words.translate(N_("Joining a game")), tuple(pieces), words.translate(N_("joining %(game)s")) % said)


def left(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """A JOIN was taken back."""
    text = words.translate(N_("You are not in the game %(game)s any more.")) % {"game": args["game"]}
    news = words.translate(N_("leaving %(game)s")) % {"game": args["game"]}
    return Section(words.translate(N_("Leaving a game")), (Says(text),), news)


_WATCHED: Mapping[str, str] = {
    "watches": N_("You get the results of %(game)s from now on, and no press. “STOP OBSERVING %(game)s” ends it."),
    "again": N_("You watch %(game)s already: nothing has changed."),
    "stopped": N_("You get no more results of %(game)s."),
}


def watched(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``how``: what came of OBSERVE or STOP OBSERVING."""
    text = words.translate(_WATCHED[args["how"]]) % {"game": args["game"]}
    news = words.translate(N_("watching %(game)s")) % {"game": args["game"]}
    return Section(words.translate(N_("Watching a game")), (Says(text),), news)


WRITERS: Mapping[str, Writer] = {"list": listing, "join": joined, "leave": left, "observe": watched}
