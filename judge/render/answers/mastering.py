"""What the game master is told who orders for a power or makes somebody else the master, and what the players are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.render.answers import stored
from judge.render.answers.pieces import Head, Items, Piece, Quoted, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.words import Words


def ordered_as(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``; ``filed``: how many orders were put on file; ``held``: all that are now; ``units`` of the board; lines that
    are ``strange``, with the ``rules`` that decided; whether END stood below (``ended``)."""
    assert words.board is not None  # a game's mail
    power, board = words.power(args["power"]), words.board
    pieces: list[Piece] = []
    if args["filed"]:
        text = words.catalogue.ngettext(
            "%(n)s order was put on file for %(power)s, as if its player had sent it; the player is told.",
            "%(n)s orders were put on file for %(power)s, as if its player had sent them; the player is told.",
            args["filed"],
        )
        pieces.append(Says(text % {"n": args["filed"], "power": power}))
    else:
        pieces.append(Says(words.translate(N_("Nothing of it could be put on file for %(power)s.")) % {"power": power}))
    if not args["ended"]:
        pieces.append(
            Says(words.translate(N_("No END stood below it, so everything to the end of your mail was taken for it.")))
        )
    if args["strange"]:
        pieces += [Head(words.translate(N_("Lines that I could not use"))), Items(tuple(_strange(args, words)))]
    orders = [stored.order(text, board) for text in args["held"]]
    units = stored.units(args["units"])
    if orders:
        pieces.append(Head(words.translate(N_("On file for %(power)s")) % {"power": power}))
        pieces.append(Quoted("\n".join(words.order(order, units) for order in orders if order is not None)))
    return Section(words.translate(N_("Ordered for %(power)s")) % {"power": power}, tuple(pieces))


def _strange(args: Mapping[str, Any], words: Words) -> Iterator[str]:
    assert words.board is not None
    rules, units = stored.rules(args["rules"]), stored.units(args["units"])
    for one in args["strange"]:
        said = [words.translate(N_("You wrote “%(line)s”.")) % {"line": one_line(one["line"], 200)}]
        for why in one["problems"]:
            values = {name: stored.argument(value) for name, value in why["args"].items()}
            said.append(stored.sentence(stored.Why(why["code"], values, why["rule"]), words, rules))
        if not one["problems"]:
            said.append(words.translate(N_("It is no order.")))
        orders = [stored.order(text, words.board) for text in one["suggestions"]]
        if orders:
            meant = words.alternatives(f"“{words.order(order, units)}”" for order in orders if order is not None)
            said.append(words.translate(N_("Did you mean %(what)s?")) % {"what": meant})
        yield words.sentences(said)


def ordered_by_master(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To the player of ``power``; ``by``: ``master``, or ``operator`` at the shell."""
    values = {"power": words.power(args["power"])}
    if args.get("by") == "operator":
        text = words.translate(
            N_("The operator of this judge has ordered for %(power)s; what is on file now stands here. You may change it.")
        )
        title = words.translate(N_("The operator of this judge has ordered for you"))
        return Section(title, (Says(text % values),), words.translate(N_("the operator has ordered for you")))
    text = words.translate(
        N_("The game master has ordered for %(power)s; what is on file now stands here. You may change it.")
    )
    title = words.translate(N_("The game master has ordered for you"))
    return Section(title, (Says(text % values),), words.translate(N_("the game master has ordered for you")))


def promoted(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To who was the master of ``game``: ``address`` is."""
    values = {"address": one_line(args["address"], 100), "game": args["game"]}
    texts = (
        N_("%(address)s is the game master of %(game)s now, and is written what there is to do; the players are told."),
        N_("You are not any more: the address that you wrote to is refused."),
    )
    title = words.translate(N_("Another game master"))
    return Section(title, tuple(Says(words.translate(text) % values) for text in texts))


def master_changed(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To everybody else."""
    text = words.translate(N_("The game has another game master. What is agreed and on file stays as it is."))
    title = words.translate(N_("Another game master"))
    return Section(title, (Says(text),))


WRITERS: Mapping[str, Writer] = {
    "ordered-as": ordered_as,
    "ordered-by-master": ordered_by_master,
    "promoted": promoted,
    "master-changed": master_changed,
}
