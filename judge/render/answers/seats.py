"""What is told of seats that change hands: to who asked for it, to who leaves, to who comes, and to everybody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers import stored
from judge.render.answers.pieces import Head, Piece, Says, Section, Stands, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.standings import standing
from judge.render.words import Words

#: what becomes of the units of a power that nobody plays
_UNITS: Mapping[str, str] = {
    "hold": N_("The orders on file for the phase that is open count; after it the units hold until somebody takes over."),
    "civil-disorder": N_(
        "The orders on file for the phase that is open count; after it the units hold, and those dislodged disband, until"
        " somebody takes over."
    ),
}
_OPEN: Mapping[str, tuple[str, str]] = {
    "resigned": (N_("%(power)s has no player any more"), N_("The player of %(power)s has resigned.")),
    "ejected": (N_("%(power)s has no player any more"), N_("The game master has taken %(power)s away from its player.")),
    "opened": (N_("%(power)s has no player any more"), N_("The game master has declared that nobody plays %(power)s.")),
}
_LOST: Mapping[str, str] = {
    "ejected": N_("The game master has taken %(power)s away from you."),
    "opened": N_("The game master has declared that nobody plays %(power)s any more."),
    "replaced": N_("The game master has given %(power)s to another player."),
}


def resign_asked(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``, ``game``, ``nmr``; ``yes``: what confirms it."""
    values = {"power": words.power(args["power"]), "game": args["game"], "yes": args["yes"]}
    texts = (
        N_("You still play %(power)s: a resignation is final, so I ask once whether you mean it."),
        N_("If you do, you play no part in %(game)s any more, and this address is refused from then on. All are told that"
           " %(power)s has no player; anybody may take it over."),
        _UNITS.get(args["nmr"], _UNITS["hold"]),
        N_("To resign, answer this mail with “YES”, or write “%(yes)s”."),
    )  # fmt: skip
    said = tuple(Says(words.translate(text) % values) for text in texts)
    return Section(words.translate(N_("Do you want to resign?")), said, words.translate(N_("do you want to resign?")))


def resigned(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``, ``game``."""
    values = {"power": words.power(args["power"]), "game": args["game"]}
    texts = (
        N_("You have resigned: you do not play %(power)s in %(game)s any more, and get no more mails about it."),
        N_("The orders that you have on file for the phase that is open still count."),
    )
    title = words.translate(N_("You have resigned"))
    return Section(title, tuple(Says(words.translate(text) % values) for text in texts))


def seat_open(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``, ``how`` it came to have no player, ``game``; ``join``: whether whoever asks first gets it."""
    title, said = _OPEN[args["how"]]
    values = {"power": words.power(args["power"]), "game": args["game"]}
    pieces = [
        Says(words.translate(said) % values),
        Says(words.translate(N_("Orders on file for it count. Until somebody takes it over, no orders come.")) % values),
        Says(
            _join(args, words)
            if args["join"]
            else words.translate(N_("The game master gives it to somebody; do you know who would play it? Say so."))
        ),
    ]
    return Section(words.translate(title) % values, tuple(pieces))


def _join(args: Mapping[str, Any], words: Words) -> str:
    text = N_("Whoever wants to play it writes “%(join)s” to the judge; do you know somebody?")
    return words.translate(text) % {"join": f"JOIN {args['game']} {args['power']}"}


def seat_opened(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """The same to the master, whose doing it is."""
    values = {"power": words.power(args["power"])}
    said = words.translate(N_("%(power)s has no player any more; player and others are told.")) % values
    title = words.translate(N_("%(power)s has no player any more")) % values
    return Section(title, (Says(said), Says(_join(args, words))))


def seat_given(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To the master: ``power`` is played by ``address``."""
    values = {"power": words.power(args["power"]), "address": one_line(args["address"], 100)}
    said = words.translate(N_("%(power)s is played by %(address)s, who is written how it stands; the others are told."))
    return Section(words.translate(N_("%(power)s has a new player")) % values, (Says(said % values),))


def seat_lost(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To a player whose seat is taken away: ``power``, ``how``, ``game``."""
    values = {"power": words.power(args["power"]), "game": args["game"]}
    end = words.translate(N_("You get no more mails about %(game)s, and your address for it is refused.")) % values
    title = words.translate(N_("You do not play %(power)s any more")) % values
    return Section(title, (Says(words.translate(_LOST[args["how"]]) % values), Says(end)))


def seat_taken(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``; ``old`` and ``new``: the deadline, if it was put off for it."""
    values = {"power": words.power(args["power"])}
    pieces: list[Piece] = [Says(words.translate(N_("%(power)s has a new player.")) % values)]
    if args["new"] is not None:
        text = N_("So that the new player has a whole phase, the deadline is put off: it is %(new)s, and was %(old)s.")
        pieces.append(Says(words.translate(text) % {"new": words.when(args["new"]), "old": words.instant(args["old"])}))
    return Section(words.translate(N_("%(power)s has a new player")) % values, tuple(pieces))


def taken_over(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """To the newcomer: ``phase``, ``position``, how many orders are ``on_file`` from whoever played before."""
    assert words.board is not None  # a game's mail
    position = stored.position(args["position"])
    texts = [words.translate(N_("You take this power over from somebody else, as it stands in %(phase)s."))]
    if args["on_file"]:
        texts.append(
            words.catalogue.ngettext(
                "%(n)s order of the player before you is on file, and counts until you send another; STATUS brings it.",
                "%(n)s orders of the player before you are on file, and count until you send others; STATUS brings them.",
                args["on_file"],
            )
        )
    said = Says(words.sentences(texts) % {"phase": words.phase(args["phase"]), "n": args["on_file"]})
    pieces: list[Piece] = [said, Head(words.translate(N_("The board"))), Stands(standing(words.board, position, words))]
    return Section(words.translate(N_("How it stands")), tuple(pieces))


WRITERS: Mapping[str, Writer] = {
    "resign-asked": resign_asked,
    "resigned": resigned,
    "seat-open": seat_open,
    "seat-opened": seat_opened,
    "seat-given": seat_given,
    "seat-lost": seat_lost,
    "seat-taken": seat_taken,
    "taken-over": taken_over,
}
