"""What waits for those who want few mails (MAIL): press, and news that ask for nothing. It comes with the next result of the
game, once a day in a mail of its own (:mod:`judge.play.digests`), or when they ask for it; and nothing of it is lost when
they change their mind, or leave.

At once comes what asks for a decision or moves the clock, what anybody gives a reason for, every answer, and what the game
master writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judge.mail.senders import box_of
from judge.play.answering import of_stored, stored
from judge.play.judge import Judge
from judge.render.commonfacts import Answer
from judge.store import games, keptmail
from judge.store import press as pressed
from judge.store.games import MASTER, Game, Seat
from judge.store.keptmail import Kept

#: News that can wait: sections of a notice that asks for nothing.
CAN_WAIT = frozenset({"seat-open", "seat-taken", "master-changed"})
#: So many things, and characters of them, one mail brings; the others come with the next one, or for MAIL.
MOST = 100
MOST_CHARACTERS = 200_000


def keeps(judge: Judge, game: Game, phase_id: int, seat: Seat, event: str, args: Mapping[str, Any], now: datetime) -> bool:
    """Keep a mail for later if it can wait and its reader wants it so, inside the caller's transaction. Returns whether it
    was kept."""
    if not _can_wait(judge, game, event, args):
        return False
    if keptmail.choice(judge.store, box_of(seat.address), game.id) == "all":
        return False
    keptmail.keep(
        judge.store,
        game_id=game.id,
        phase_id=phase_id,
        power=seat.power,
        mailbox=box_of(seat.address),
        event=event,
        args=args,
        now=now,
    )
    return True


def _can_wait(judge: Judge, game: Game, event: str, args: Mapping[str, Any]) -> bool:
    # of a game that is over no result comes any more
    if event not in ("press", "notice") or games.by_id(judge.store, game.id).state != "running":
        return False
    if event == "press":
        return pressed.load(judge.store, args["press"]).sender != MASTER
    answers = args.get("answers", ())
    return (
        args["code"] == "told"
        and not args.get("why")
        and bool(answers)
        and all(one["code"] in CAN_WAIT and not one["args"].get("new") for one in answers)
    )


def take(judge: Judge, game: Game, seat: Seat, now: datetime) -> list[Answer]:
    """What waits for a seat's player, as sections of a mail that is written in the same transaction: it waits no more."""
    rows = keptmail.waiting(judge.store, game.id, seat.power, box_of(seat.address), MOST)
    messages: list[dict[str, Any]] = []
    news: list[Answer] = []
    room = MOST_CHARACTERS
    for row in rows:
        if row.event == "notice":
            news += of_stored(row.args["answers"])
        else:
            message = _message(judge, row)
            room -= len(message["text"])
            if messages and room < 0:
                break
            messages.append(message)
        keptmail.told(judge.store, row.id, now)
    if messages:
        left = keptmail.count(judge.store, game.id, seat.power, box_of(seat.address))
        news.append(Answer("kept-press", {"messages": messages, "left": left}))
    return news


def with_what_waited(judge: Judge, game: Game, seat: Seat, args: Mapping[str, Any], now: datetime) -> Mapping[str, Any]:
    """The arguments of a result, with the sections of what waits for its reader."""
    kept = take(judge, game, seat, now)
    return {**args, "answers": [*args.get("answers", ()), *stored(kept)]} if kept else args


def _message(judge: Judge, row: Kept) -> dict[str, Any]:
    """A message as its own mail would have told of it: of a grey one not who wrote it, nor to whom else it went."""
    one = pressed.load(judge.store, row.args["press"])
    grey = one.kind == "grey"
    return {
        "at": row.at,
        "sender": None if grey else one.sender,
        "address": None if grey else one.address,
        "to": [] if grey else list(one.recipients),
        "everybody": one.everybody,
        "text": one.text,
    }
