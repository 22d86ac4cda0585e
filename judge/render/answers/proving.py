"""Answers about fairness: the commitments of a phase, and signs of cheating for the master."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Head, Items, Piece, Quoted, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import grouped, one_line
from judge.render.words import Words

#: finds the hash of a block of an answer again, quoted or not
_COMMAND = "sed 's/^> //' FILE | sha256sum"


def commitments(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``phase``, whether it is ``over``; ``rows``: (power, number of the receipt, hash), ``more`` earlier ones that are not
    told; ``texts``: (number, what the reader's commitment was made from)."""
    phase = words.phase(args["phase"])
    pieces: list[Piece] = [
        Says(
            words.translate(
                N_(
                    "Each receipt bears a commitment: the first 32 of the 64 digits of a hash (SHA-256) of the orders on"
                    " file then. Nobody can read the orders out of it; and once it has been sent, not even the judge can"
                    " find other orders that lead to it."
                )
            )
        )
    ]
    if args["rows"]:
        pieces.append(
            Rows(tuple((words.power(power), _row(number, digits, words)) for power, number, digits in args["rows"]))
        )
    else:
        pieces.append(Says(words.translate(N_("There are none to be told."))))
    if args["more"]:
        many = words.catalogue.ngettext("%(n)s earlier one is left out.", "%(n)s earlier ones are left out.", args["more"])
        pieces.append(Says(many % {"n": args["more"]}))
    if not args["over"]:
        pieces.append(
            Says(
                words.translate(
                    N_(
                        "The phase is open: those of the others, and what yours are made from, are told when it is over."
                        " Until then a receipt proves nothing to anybody else."
                    )
                )
            )
        )
    if args["texts"]:
        pieces += _texts(args, words)
    title = words.translate(N_("The commitments of %(phase)s")) % {"phase": phase}
    return Section(title, tuple(pieces), words.translate(N_("the commitments of %(phase)s")) % {"phase": phase})


def _row(number: int, digits: str, words: Words) -> str:
    return words.translate(N_("%(number)s: %(hash)s")) % {"number": number, "hash": grouped(digits)}


def _texts(args: Mapping[str, Any], words: Words) -> list[Piece]:
    pieces: list[Piece] = [
        Head(words.translate(N_("What yours were made from"))),
        Says(
            words.translate(
                N_(
                    "To check one, put the lines of its block into a file, each with a line end and nothing else. This"
                    " command then gives the hash, which must begin with the digits above. Whoever you give the block to can"
                    " do the same."
                )
            )
        ),
        Quoted(_COMMAND),
    ]
    for number, text in args["texts"]:
        pieces += [Head(words.translate(N_("Receipt %(number)s")) % {"number": number}), Quoted(text.rstrip("\n"))]
    return pieces


# signs


_SIGNS: Mapping[str, str] = {
    "same-mailbox": N_("%(powers)s: registered with one mailbox, %(mailbox)s."),
    "same-origin": N_("%(powers)s: %(mails)s mails say that they were written at one internet address, %(origin)s."),
    "same-machine": N_("%(powers)s: the Message-IDs of %(mails)s mails were made by one machine, %(host)s."),
    "same-minute": N_(
        "%(powers)s: mails came from the relay %(relay)s within one minute, %(times)s times; first %(first)s, last %(last)s."
    ),
}


def signs(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``signs``: each ``code`` with its ``args``, as ``judge.play.signs`` names them; ``most``: no more are told."""
    pieces: list[Piece] = [
        Says(
            words.translate(
                N_(
                    "These are facts of the mails as they came, and prove nothing. Thousands share a provider's relay, and a"
                    " household, a school or a company one connection; friends may sit in one room. Ask before you judge,"
                    " and keep this to yourself: no player is told of it."
                )
            )
        )
    ]
    told = tuple(_sign(sign, words) for sign in args["signs"] if sign["code"] in _SIGNS)
    pieces.append(Items(told) if told else Says(words.translate(N_("There are no such signs in this game."))))
    if len(args["signs"]) >= args["most"]:
        pieces.append(Says(words.translate(N_("There may be more; these are the strongest."))))
    return Section(words.translate(N_("Signs, and no verdict")), tuple(pieces), words.translate(N_("signs, and no verdict")))


def _sign(sign: Mapping[str, Any], words: Words) -> str:
    said: dict[str, Any] = {}
    for name, value in sign["args"].items():
        if name == "powers":
            said[name] = words.listing(map(words.power, value))
        elif name in ("first", "last"):
            said[name] = words.instant(value)
        else:
            said[name] = one_line(value, 100) if isinstance(value, str) else words.number(value)
    zone = sign["args"].get("zone")
    more = words.translate(N_("All of them have the time zone %(zone)s.")) % {"zone": zone} if zone else ""
    return words.sentences([words.translate(_SIGNS[sign["code"]]) % said, more])


WRITERS: Mapping[str, Writer] = {"commitments": commitments, "signs": signs}
