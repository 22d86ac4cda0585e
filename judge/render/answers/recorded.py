"""How often somebody's orders came in time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words


def record(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``rows``: a ``power`` each, with its player's counts over all games; ``own``: it is the reader's alone."""
    title = N_("Your record, over all your games") if args["own"] else N_("The players' records, over all their games")
    pieces: list[Piece] = [Rows(tuple((words.power(row["power"]), _counts(row, words)) for row in args["rows"]))]
    if not args["rows"]:
        pieces = [Says(words.translate(N_("Nobody plays.")))]
    pieces.append(
        Says(
            words.translate(
                N_("A phase counts if orders were owed when it ran: in time if any were on file, late if they came after.")
            )
        )
    )
    return Section(words.translate(title), tuple(pieces), words.translate(N_("the record")))


def _counts(row: Mapping[str, Any], words: Words) -> str:
    values = {name: words.number(row[name]) for name in ("owed", "on_time", "late", "missed", "resigned", "ejected")}
    said = words.translate(N_("%(on_time)s of %(owed)s phases in time, %(late)s late, %(missed)s missed.")) % values
    left = words.translate(N_("Powers given up: %(resigned)s, taken away: %(ejected)s.")) % values
    share = (
        words.translate(N_("Reliability: %(share)s per cent.")) % {"share": row["share"]} if row["share"] is not None else ""
    )
    return words.sentences([said, left, share])


WRITERS: Mapping[str, Writer] = {"record": record}
