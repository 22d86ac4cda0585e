"""Who stands ready to take a power over, and the offer of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers import stored
from judge.render.answers.joining import power_names
from judge.render.answers.pieces import Head, Piece, Rows, Says, Section, Stands, Writer
from judge.render.catalogue import N_, NN_
from judge.render.commonfacts import Common
from judge.render.standings import standing
from judge.render.words import Words

_KINDS: Mapping[str, str] = {
    "on": N_("You stand ready to take over a power that loses its player."),
    "on-again": N_("You stand ready already: nothing has changed."),
    "off": N_("You do not stand ready any more, as you asked."),
    "off-again": N_("You did not stand ready: nothing has changed."),
}


def standing_by(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``kind``: what came of STANDBY; what the reader stands ready for now: ``any`` game, ``games``."""
    pieces: list[Piece] = [Says(words.translate(_KINDS[args["kind"]]))]
    if args["any"]:
        pieces.append(Says(words.translate(N_("You stand ready for any game."))))
    elif args["games"]:
        text = words.translate(N_("You stand ready for %(games)s."))
        pieces.append(Says(text % {"games": words.listing(args["games"])}))
    if args["any"] or args["games"]:
        texts = (
            N_("When a power is free, it is offered to one after the other, whoever waits longest first; you answer YES or"
               " NO. Whoever lets an offer pass without an answer does not stand ready any more."),
            N_("“STANDBY OFF” takes it back."),
        )  # fmt: skip
        pieces += [Says(words.translate(text)) for text in texts]
    return Section(words.translate(N_("Standing ready")), tuple(pieces), words.translate(N_("standing ready")))


def offer(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``game``, ``power`` and its ``position`` in ``phase``; ``deadline``; ``until``: when the offer lapses;
    ``number``: of the question; how many orders are ``on_file``."""
    assert words.board is not None  # the mail has the game's board
    position = stored.position(args["position"])
    (power,) = power_names(args["variant"], [args["power"]], words)
    values = {"power": power, "game": args["game"], "number": args["number"], "until": words.when(args["until"])}
    lead = words.translate(N_("%(power)s in the game %(game)s has no player, and you stand ready to play. Do you want it?"))
    how = words.translate(
        N_("Answer this mail with “YES” or “NO” (“YES %(number)s”, if more than one thing waits for your answer).")
    )
    rows = [
        (words.translate(N_("Offered to you until")), values["until"]),
        (words.translate(N_("Phase")), words.translate(N_("%(phase)s is open")) % {"phase": words.phase(args["phase"])}),
    ]
    if args["deadline"]:
        rows.append((words.translate(N_("Next deadline")), words.when(args["deadline"])))
    units = sum(unit.power == args["power"] for unit in position.units)
    rows += [
        (words.translate(N_("Supply centres")), words.number(len(position.centres(args["power"])))),
        (words.translate(N_("Units")), words.number(units)),
    ]
    after = words.translate(
        N_("With a YES you play it at once; if the deadline is nearer than a whole phase, it is put off once. With a NO, or"
           " without an answer, it is offered to the next; “JOIN” gets it only if the rules let anybody take it.")
    )  # fmt: skip
    pieces: list[Piece] = [Says(lead % values), Says(how % values), Rows(tuple(rows))]
    if args["on_file"]:
        pieces.append(Says(words.catalogue.ngettext(*_ON_FILE, args["on_file"]) % {"n": args["on_file"]}))
    pieces += [Says(after), Head(words.translate(N_("The board"))), Stands(standing(words.board, position, words))]
    title = words.translate(N_("A power is offered to you"))
    return Section(title, tuple(pieces), words.translate(N_("%(power)s in %(game)s is offered to you")) % values)


_ON_FILE = NN_(
    "%(n)s order of the player before is on file, and counts until you send another.",
    "%(n)s orders of the player before are on file, and count until you send others.",
)
_RESULTS: Mapping[str, str] = {
    "now-declined": N_("You have declined %(power)s in %(game)s: it is offered to the next, and others to you again."),
    "declined": N_("You had declined %(power)s in %(game)s before: nothing has changed."),
    "accepted": N_("You had taken %(power)s in %(game)s over before: nothing has changed."),
    "lapsed": N_(
        "The time to answer was over, and %(power)s in %(game)s is not offered to you any more. If you still stand ready to"
        " play, write “STANDBY”; “LIST” shows which powers are free."
    ),
    "gone": N_("%(power)s in %(game)s is not free any more. Thank you all the same for standing ready."),
}  # fmt: skip


def offer_told(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """What came of an answer to an offer: ``game``, ``power``, ``result``."""
    (power,) = power_names(args["variant"], [args["power"]], words)
    text = words.translate(_RESULTS[args["result"]]) % {"power": power, "game": args["game"]}
    return Section(words.translate(N_("Your answer")), (Says(text),), words.translate(N_("what came of your answer")))


_OFFERED: Mapping[str, str] = {
    "offered": N_("%(power)s is offered to somebody who stands ready, until %(until)s; then to the next."),
    "again": N_("%(power)s is being offered already, until %(until)s: nothing has changed."),
}


def seat_offered(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To the master: ``power`` is offered ``until``; ``kind``: whether it was before."""
    values = {"power": words.power(args["power"]), "until": words.instant(args["until"])}
    title = words.translate(N_("%(power)s is offered")) % values
    return Section(title, (Says(words.translate(_OFFERED[args["kind"]]) % values),))


WRITERS: Mapping[str, Writer] = {
    "standby": standing_by,
    "offer": offer,
    "offer-told": offer_told,
    "seat-offered": seat_offered,
}
