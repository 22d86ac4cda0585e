"""Orders that came too late are taken after all, by the game master's word.

What is on file for the phase that is open is simply joined by them. The phase before it is run again at once: with the
orders of all others as they were, which nobody may change who has seen the result, and only the late ones added. So nobody
has to send that phase's orders again; what was ordered since, from a position that may not be the same, does not count any
more. It is one event: everybody gets the result, and it says why, and when the late mail had come.

Whoever's orders are taken has sent them in time as far as :mod:`judge.play.reliability` is concerned: a master who takes
them has found that it was not the player's fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from judge.notation import write
from judge.play import proxy
from judge.play.announcing import Doer, powers_of_master
from judge.play.answering import stored
from judge.play.duplicates import settle
from judge.play.filing import file_orders, set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.notdone import NotDone
from judge.play.onfile import stored_order
from judge.play.placing import on_file_answers
from judge.play.posting import write_to_seat
from judge.play.rollback import go_back, played
from judge.rules.legality import check
from judge.rules.orders import Order
from judge.store import games, mastering, orders
from judge.store.db import stamp
from judge.store.games import MASTER, PhaseRow
from judge.store.orders import HeldOrder, Standing


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was taken: the orders of ``power`` on file now, for ``phase``; ``came``: when the last mail of them was stored.
    ``again``: the phase had been run, and was run again; ``table``: of the phase open now, ``None``: the game is over."""

    power: str
    phase: str
    came: datetime
    again: bool
    orders: tuple[str, ...]
    table: Table | None


def accept_late(judge: Judge, table: Table, power: str, doer: Doer, now: datetime) -> Accepted:
    """Take the late orders of ``power``, inside the caller's transaction: those for the open phase, or else those for the
    one before it, which is run again then. Everybody whom it concerns is told.

    :raises NotDone: nothing came late, or all of it is on file already; nothing of it can be used; the master plays; the
        game is paused; or the open position was corrected, which would be lost.
    """
    store, game = judge.store, games.by_id(judge.store, table.game.id)
    if doer.who == MASTER and powers_of_master(judge, game):
        raise NotDone("accept.master-plays")
    if game.paused_at is not None:
        raise NotDone("clock.paused", verb="ACCEPT")
    there = [one for one in played(judge, game) if one.number < table.phase.number]
    found = [(row, orders.late(store, game.id, row.number, power)) for row in (table.phase, *there[-1:])]
    known = [(row, late) for row, late in found if late]
    if not known:
        raise NotDone("accept.nothing", power=power, phases=[row.name for row, _ in reversed(found)])
    row, late = next(((row, late) for row, late in known if not _on_file(judge, row, power, late)), (None, ()))
    if row is None:
        raise NotDone("accept.already", power=power, phase=known[0][0].name)
    then = table if row.id == table.phase.id else lay_out(game, row)
    mails = _usable(judge, then, power, late)
    if not mails:
        raise NotDone("accept.useless", power=power, phase=row.name)
    if row.id == table.phase.id:
        return _join(judge, table, power, mails, doer, now)
    if mastering.corrections(store, table.phase.id):
        raise NotDone("accept.corrected", phase=row.name, open=table.phase.name)
    return _run_again(judge, table, row, power, mails, doer, now)


#: The good orders of each late mail, with when it came and which it is, in the order in which the mails came.
Mails = Sequence[tuple[int | None, datetime, list[Order]]]


def _on_file(judge: Judge, row: PhaseRow, power: str, late: Sequence[HeldOrder]) -> bool:
    """Whether the newest late mail of a phase is on file for it already."""
    held = {one.text for one in orders.held(judge.store, row.id, power)}
    return {one.text for one in late if one.inbox_id == late[-1].inbox_id} <= held


def _usable(judge: Judge, table: Table, power: str, late: Sequence[HeldOrder]) -> Mails:
    """Of each late mail the orders that are legal in the phase: it may have been read for the one after it."""
    mails = []
    for number, rows in groupby(late, lambda one: one.inbox_id):
        of_mail = list(rows)
        legal = [(row.text, order) for row in of_mail if (order := _legal(judge, table, power, row.text)) is not None]
        kept = settle(legal, table, power).kept
        if kept:
            mails.append((number, of_mail[-1].set_at, kept))
    return mails


def _legal(judge: Judge, table: Table, power: str, text: str) -> Order | None:
    try:
        order = stored_order(text, table)
    except ValueError:
        return None
    if proxy.others_unit(judge.store, table, power, order) is not None:
        return None
    return order if check(table.board, table.position, power, order, table.rules) is None else None


def _file(judge: Judge, table: Table, power: str, mails: Mails, now: datetime) -> tuple[str, ...]:
    """Put the orders on file, those of a later mail in the place of an earlier one's. Returns all that are then."""
    store, phase = judge.store, table.phase
    for number, _, given in mails:
        file_orders(store, table, power, given, [write(order) for order in given], number, now)
    orders.drop_questions(store, phase.id, power)
    orders.set_standing(store, phase.id, power, Standing(False, orders.standing(store, phase.id, power).wait, now))
    return tuple(held.text for held in orders.held(store, phase.id, power))


def _join(judge: Judge, table: Table, power: str, mails: Mails, doer: Doer, now: datetime) -> Accepted:
    """Late orders for the phase that is open: on file, and their player is told."""
    on_file = _file(judge, table, power, mails, now)
    set_run_at(judge.store, table, now)
    number = _log(judge, table, power, table.phase.name, False, doer, now)
    done = Accepted(power, table.phase.name, mails[-1][1], False, on_file, table)
    seat = games.seat(judge.store, table.game.id, power)
    if seat.address:
        notice = {
            "code": "late-accepted",
            "args": {"phase": table.phase.name},
            "by": doer.shown,
            "why": doer.why,
            "answers": stored([on_file_answers(judge, table)[power]]),
        }
        write_to_seat(judge, table, seat, "notice", notice, now, extra=f"late-accepted {number}")
    return done


def _run_again(judge: Judge, table: Table, row: PhaseRow, power: str, mails: Mails, doer: Doer, now: datetime) -> Accepted:
    """The phase ``row`` once more, and what follows from it, with the late orders."""
    from judge.play.turn import run_again  # which takes in the mail that this may stand in

    # it ended when it was run, or at its deadline: what depends on the clock is as it was
    ended = min(at for at in (row.deadline, row.processed_at) if at is not None)
    again = go_back(judge, table.game, row, ended, now, put_off=False)
    on_file = _file(judge, again, power, mails, now)
    _log(judge, again, power, row.name, True, doer, now)
    came = mails[-1][1]
    told = {
        "power": power,
        "came": stamp(came),
        "ran": stamp(row.processed_at) if row.processed_at else None,
        "open": table.phase.name,
        "by": doer.shown,
        "why": doer.why,
    }
    after = run_again(judge, again, now, who=doer.who, told=told, not_before=table.phase.deadline)
    return Accepted(power, row.name, came, True, on_file, after)


def _log(judge: Judge, table: Table, power: str, phase: str, again: bool, doer: Doer, now: datetime) -> int:
    facts = {"power": power, "phase": phase, "again": again, "why": doer.why}
    return games.log(judge.store, table.game.id, doer.who, "late-accepted", facts, now)
