"""Lines of a mail that are perhaps the player's: in what may be a quote, below what seems to be a machine's notice, or where
the two forms of the mail differ."""

from __future__ import annotations

from dataclasses import dataclass

from judge.mail.reading import Incoming
from judge.notation import read_apart, write
from judge.play import proxy
from judge.play.judge import Table
from judge.store import Store, orders

#: So many doubtful lines of one mail are looked at.
_MOST_DOUBTS = 50


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubtful lines of a seat's mail. ``echo``: with those of our mail that a desk sends back, and those below what
    seems to be a machine's notice; ``only``: those that are doubtful for this reason."""

    store: Store
    table: Table
    power: str
    incoming: Incoming

    def lines(self, *, echo: bool = True, only: str = "") -> list[str]:
        """The lines, whatever they say."""
        doubts = self.incoming.doubtful[:_MOST_DOUBTS]
        return [line for line, why in doubts if (why == only if only else echo or why not in ("echo", "notice"))]

    def orders(self, *, echo: bool = True, only: str = "") -> list[tuple[str, list[str]]]:
        """Those of them that read as orders which are not held, and the orders; without any where a mail's forms differ."""
        held = {h.text for h in orders.held(self.store, self.table.phase.id, self.power)}
        lent = proxy.lent(self.store, self.table, self.power)
        differing = {line for line, why in self.incoming.doubtful if why == "differs"}
        found: dict[str, list[str]] = {}
        for one in proxy.read_all(self.table, self.power, self.lines(echo=echo, only=only), lent, read_apart):
            texts = [*map(write, one.legal)] or [*(one.suggestions if one.line in differing else ())]
            if not set(texts) <= held or (one.line in differing and not texts):
                found[one.line] = texts
        return list(found.items())
