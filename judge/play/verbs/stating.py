"""STATEMENT: what a player, or the master, has to say of a game that is over, to all who were in it and all who watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play import press
from judge.play.answering import stored
from judge.play.posting import write_to_person, write_to_seat
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import games, people
from judge.store import press as letters

#: How long after the end statements are taken.
OPEN_FOR = timedelta(days=14)
#: Statements of one seat: each is a mail to everybody.
MOST = 3


def statement(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to STATEMENT. It goes to everybody signed with the power, whatever the rules of the game say of press:
    they are about talk while it is played."""
    game, table, seat = act.game, act.table, act.seat
    assert game is not None and table is not None and seat is not None and game.ended_at is not None  # when a game is over
    if act.mail.received_at > game.ended_at + OPEN_FOR:
        raise NotDone("statement.too-late", at=game.ended_at + OPEN_FOR)
    text = "\n".join(command.lines).strip("\n")
    if len(text) > press.MOST_CHARACTERS:
        raise NotDone("statement.too-long", most=press.MOST_CHARACTERS)
    sender = press.Sender(seat, act.mail, act.incoming, over=True)
    text = press.cleaned(act.judge, table, sender, text)
    if not text:
        raise NotDone("statement.empty", example="STATEMENT")
    before = [row for row in letters.of_game(act.judge.store, game.id) if row.statement and row.sender == seat.power]
    if any(row.text == text for row in before):
        return [Answer("statement-sent", {"again": True, "seats": 0, "observers": 0})]
    if len(before) >= MOST:
        raise NotDone("statement.enough", most=MOST)
    return [_send(act, text)]


def _send(act: Act, text: str) -> Answer:
    game, table, seat, store = act.game, act.table, act.seat, act.judge.store
    assert game is not None and table is not None and seat is not None
    others = [one for one in games.readers(store, game.id) if one.address and one.power != seat.power]
    row = letters.add(
        store,
        game_id=game.id,
        phase_id=table.phase.id,
        sender=seat.power,
        kind="white",
        recipients=[one.power for one in others],
        everybody=True,
        text=text,
        inbox_id=act.mail.id,
        now=act.now,
        statement=True,
    )
    for one in others:
        write_to_seat(act.judge, table, one, "press", {"press": row}, act.now, extra=str(row))
    watching = people.observers(store, game.id)
    told = Answer("statement", {"game": game.name, "power": seat.power, "text": text})
    for person in watching:
        args = {"answers": stored([told]), "variant": game.variant}
        write_to_person(act.judge, person, "answer", args, act.now, extra=f"statement {row}")
    return Answer("statement-sent", {"again": False, "seats": len(others), "observers": len(watching)})


DOERS: Mapping[tuple[str, Role], Doer] = {("STATEMENT", "player"): statement, ("STATEMENT", "master"): statement}
