"""Orders of a mail out of turn: nothing of them is applied; they are kept for the record, and asked about where they fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.mail.reading import Incoming
from judge.notation import Reading, write
from judge.play import proxy
from judge.play.judge import Table, lay_out
from judge.play.lateness import OutOfTurn
from judge.play.receipts import Draft, late_args
from judge.store import Store, orders
from judge.store.games import PhaseRow
from judge.store.inbox import StoredMail


@dataclass(frozen=True, slots=True)
class Said:
    """The order lines of a mail out of turn, as read for the open phase: ``texts`` are the good orders, ``voided`` whether
    some cancelled each other out. ``told``: how many lines the receipt had noted before these were read."""

    lines: Sequence[str]
    readings: Sequence[Reading]
    texts: Sequence[str]
    voided: bool
    told: int


def leave(
    store: Store, table: Table, mail: StoredMail, incoming: Incoming, why: OutOfTurn, said: Said, draft: Draft, now: datetime
) -> str:
    """Apply nothing of a mail out of turn: keep its orders for the record under the phase they were meant for, and ask if
    all of them would be good now. Returns the mail's outcome."""
    power, told, texts = mail.recipient.power or "", said.told, said.texts
    read_then: frozenset[str] = frozenset()
    whole = bool(texts) and not draft.questions and not said.voided and len(draft.not_used) == told
    fits = whole and why.kind != "after-deadline"
    if why.kind == "earlier-phase" and not fits:
        texts, read_then = _read_for(store, why.phase, table, power, said)
    told_of = [entry for entry in draft.not_used[told:] if entry[0] not in read_then]
    if why.kind != "older-date":
        orders.keep_late(store, why.phase.id, power, texts, mail.id, now)
    at = {
        "after-deadline": why.phase.deadline,
        "earlier-phase": why.phase.processed_at,
        "older-date": incoming.date,
    }[why.kind]
    draft.late = late_args(why.kind, why.phase.name, at, why.held_since, texts, fits, mail.received_at)
    # a line that made sense for its own phase is shown among the orders, every other is told of as ever
    draft.not_used[told:] = [] if fits else told_of
    if why.kind != "older-date":
        for line, choices, problems in draft.questions:
            if line not in read_then:
                draft.not_used.append((line, problems, list(choices)))
    if why.kind != "older-date" or fits:
        draft.questions.clear()
    if fits:
        # the first number is yes, the second no
        either = [list(texts), []]
        draft.late["first"] = orders.ask(store, table.phase.id, power, mail.id, "use-these", either, now)
    return "asked" if why.kind == "older-date" and fits else "late"


def _read_for(store: Store, phase: PhaseRow, table: Table, power: str, said: Said) -> tuple[list[str], frozenset[str]]:
    """The good orders of these lines in an earlier phase, for the units that the power ordered then, and where a line has
    none there, those it has now; and the lines that made sense in one of the two."""
    texts: list[str] = []
    sensible = set()
    earlier = lay_out(table.game, phase)
    then = proxy.read_all(earlier, power, said.lines, proxy.lent(store, earlier, power))
    for before, now in zip(then, said.readings, strict=True):
        if before.legal or now.legal:
            sensible.add(before.line)
        texts += [write(order) for order in before.legal or now.legal]
    return texts, frozenset(sensible)
