"""Answers that are tables of a game: centres by year."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Grid, Piece, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words


def summary(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``years`` (numbers), ``rows``: a power with its centres at the end of each; ``now``: with its centres and units as it
    stands, which is told where no year has anything to tell."""
    title = words.translate(N_("Centres by year"))
    piece: Piece
    if args["years"]:
        head = ("", *(words.number(year) for year in args["years"]))
        rows = ((words.power(power), *(words.number(n) if n else "·" for n in counts)) for power, counts in args["rows"])
        piece = Grid(head, tuple(rows))
    else:
        piece = Says(words.translate(N_("No year is over yet.")))
        if args.get("now"):
            head = ("", words.translate(N_("centres")), words.translate(N_("units")))
            rows = ((words.power(power), words.number(n), words.number(units)) for power, n, units in args["now"])
            return Section(title, (piece, Grid(head, tuple(rows))))
    return Section(title, (piece,))


WRITERS: Mapping[str, Writer] = {"summary": summary}
