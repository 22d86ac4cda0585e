"""A receipt is written when all that its mail says has been done: the file as it is now, and what was found on the way."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from judge.play import later, lists, proxy
from judge.play.answering import stored
from judge.play.filing import FileState, file_state
from judge.play.judge import Table
from judge.play.receipts import Draft, again, seal, whys_args
from judge.store import Store, games, inbox, orders
from judge.store.db import stamp
from judge.store.games import Seat
from judge.store.inbox import StoredMail
from judge.store.orders import HeldOrder


def receipt_args(
    store: Store, table: Table, seat: Seat, mail: StoredMail | None, draft: Draft, before: FileState, now: datetime
) -> dict[str, Any]:
    """The arguments of the receipt for ``mail``, with its ``number``; its questions are written down as asked. ``before``:
    what was on file when the mail came. ``None``: orders were given at the shell, which asks nothing."""
    phase_id, power = table.phase.id, seat.power
    questions = [
        {
            "line": line,
            "choices": list(choices),
            "problems": whys_args(problems),
            "first": orders.ask(store, phase_id, power, mail.id, "which", [[choice] for choice in choices], now),
        }
        for line, choices, problems in draft.questions
        if mail is not None
    ]
    state = file_state(store, table, power)
    standing = orders.standing(store, phase_id, power)
    known = {held.text for held in before.held}
    listed = lists.by_list(store, table, power)
    status = any(command.name == "STATUS" for command in draft.commands)
    args: dict[str, Any] = {
        "number": games.next_receipt(store, seat.id),
        "subject": draft.subject,
        "held": [
            *(_held_args(store, held, mail, held.text in known, held.id in listed) for held in state.held),
            *(again(order, now) for order in state.repeated),
        ],
        "missing": list(state.missing),
        "open_count": state.open_count,
        "complete": state.complete,
        "ready": standing.ready,
        "waiting": standing.wait,
        "not_used": [
            {"line": line, "problems": whys_args(problems), "suggestions": list(suggestions)}
            for line, problems, suggestions in draft.not_used
        ],
        "questions": questions,
        "replaced": draft.replaced,
        "commands": [{"name": c.name, "result": c.result, "count": c.count} for c in draft.commands],
        "late": draft.late,
        "empty": draft.empty,
        "press": draft.press,
        "hands": proxy.told(store, table, power),
        "standings": _standings(store, table, power) if status else [],
        "later": later.told(store, table, power) if status or draft.later else [],
        "elsewhere": draft.elsewhere,
        "answers": stored(draft.answers),
    }
    return seal(args, table) if table.rules.orders_secrecy == "sealed" else args


def _held_args(store: Store, held: HeldOrder, mail: StoredMail | None, known: bool, listed: bool) -> dict[str, Any]:
    """One order on file: since when, unless this mail set it; whether this mail only said it again, and whether a list that
    was written ahead put it there."""
    mine = held.inbox_id == (mail.id if mail else None)
    since = inbox.received_at(store, held.inbox_id) if held.inbox_id and not mine else None
    said = None if since is None else stamp(since)
    return {"text": held.text, "since": said, "repeated": mine and known, "listed": listed}


def _standings(store: Store, table: Table, power: str) -> list[dict[str, Any]]:
    """Centres and units of all powers; of orders only the reader's own state, since that of others is theirs."""
    position = table.position
    own = file_state(store, table, power)
    word = "not-needed" if own.owed is None else "complete" if own.complete else "partial" if own.held else "none"
    return [
        {
            "power": one,
            "centres": len(position.centres(one)),
            "units": len(position.units_of(one)) + sum(d.unit.power == one for d in position.dislodged),
            "orders": word if one == power else None,
        }
        for one in table.board.powers
    ]
