"""Seats of a running game change hands: a player resigns, the master takes a seat away or gives it to somebody, a newcomer
takes one over.

Each is one event inside the caller's transaction: the seat's token is renewed, so that the address of whoever left is
refused; what was private to them goes; orders on file stay and count. Everybody is told in one mail, and nobody by it who
plays what: it names powers alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Literal

from judge.mail.reading import Incoming
from judge.mail.senders import box_of
from judge.play import keeping, reliability
from judge.play.answering import stored
from judge.play.filing import set_run_at
from judge.play.judge import Judge, Table, lay_out, open_table
from judge.play.posting import write_to_seat, write_to_stranger
from judge.play.rulings import RulesRefused
from judge.play.schedule import full_phase
from judge.render.commonfacts import Answer
from judge.store import codec, games, orders, people, seatchanges
from judge.store.games import MASTER, Game, Seat
from judge.store.orders import Standing
from judge.store.seatchanges import LEFT

#: How a player leaves a seat.
Leaving = Literal["resigned", "ejected", "opened", "replaced"]


class SeatRefused(RulesRefused):
    """A seat that cannot change hands so; ``code`` and ``args`` say why."""


def open_seats(judge: Judge, game: Game) -> tuple[str, ...]:
    """The powers of a running game that nobody plays and that somebody may take over: those with anything left on the
    board, in its order."""
    table = open_table(judge.store, game)
    if table is None:
        return ()
    return tuple(
        seat.power for seat in games.seats(judge.store, game.id) if not seat.address and _has_a_future(table, seat.power)
    )


def anyone_may(judge: Judge, table: Table) -> bool:
    """Whether whoever asks first gets a seat without a player (``powers.takeover``); where nobody could give it, too."""
    master = games.master(judge.store, table.game.id)
    return table.rules.powers_takeover == "open" or master is None or not master.address


def resign(judge: Judge, table: Table, power: str, now: datetime) -> None:
    """A player gives up a seat, inside the caller's transaction. All others are told."""
    _leave(judge, table, power, "resigned", power, now)
    told = [_seat_open(judge, table, power, "resigned")]
    tell(judge, table, told, now, extra=f"open {_generation(judge, table, power)}")
    _offer(judge, table, power, now)


def take_away(
    judge: Judge,
    table: Table,
    power: str,
    how: Literal["ejected", "opened"],
    *,
    who: str,
    why: str | None,
    now: datetime,
    but: Collection[str] = (),
) -> None:
    """Take a seat away from its player, inside the caller's transaction. The player is told, with the reason, and all
    others; but not the master, if it is ``who``, and not the powers ``but``.

    :raises SeatRefused: nobody plays it.
    """
    seat = games.seat(judge.store, table.game.id, power)
    if not seat.address:
        raise SeatRefused("seat.no-player", power=power)
    _say_goodbye(judge, table, seat, how, who, why, now)
    _leave(judge, table, power, how, who, now, why=why)
    told = [_seat_open(judge, table, power, how)]
    extra = f"open {_generation(judge, table, power)}"
    tell(judge, table, told, now, extra=extra, by=who, but=[who, *but])
    _offer(judge, table, power, now)


def replace(judge: Judge, table: Table, power: str, address: str, *, who: str, why: str | None, now: datetime) -> Seat:
    """Give a seat to somebody, whether it has a player or not, inside the caller's transaction. Returns the seat. A player
    who had it is told, with the reason.

    :raises SeatRefused: nobody can play that power, or they play it already, or another one of the game.
    """
    seat = games.seat(judge.store, table.game.id, power)
    _check_newcomer(judge, table, seat, address)
    if seat.address:
        _say_goodbye(judge, table, seat, "replaced", who, why, now)
        _leave(judge, table, power, "replaced", who, now, why=why)
    # what the seat's player before them reads says something of that player, so it is not handed on
    known = people.of_mailbox(judge.store, box_of(address)) or games.master(judge.store, table.game.id)
    reader = (known.language, known.timezone) if known else ("en", "UTC")
    return _come(judge, table, power, address, *reader, who, now, but=[who])


def _offer(judge: Judge, table: Table, power: str, now: datetime) -> None:
    """Offer a seat that has just lost its player to those who stand ready."""
    from judge.play import offering  # which asks here who may come

    offering.offer(judge, table, power, now)


def _seat_open(judge: Judge, table: Table, power: str, how: Leaving) -> Answer:
    args = {"power": power, "how": how, "game": table.game.name, "join": anyone_may(judge, table)}
    return Answer("seat-open", args)


def take_over(
    judge: Judge, game: Game, power: str, address: str, language: str, timezone: str, who: str, now: datetime
) -> Seat:
    """Somebody takes over a seat that nobody plays, inside the caller's transaction. Returns it.

    They get a mail as at the start, with the position; the others one that says so, and the new deadline if it is put off:
    once a phase and seat, to leave them at least a whole phase.

    :raises SeatRefused: the game is not being played, the seat is not open, they play another power of it, or they gave up
        a seat of it before.
    :raises RulesRefused: the house rules ask for somebody more reliable.
    """
    table = open_table(judge.store, game)
    if table is None:
        raise SeatRefused("seat.not-running", game=game.name)
    seat = games.seat(judge.store, game.id, power)
    if seat.address:
        raise SeatRefused("seat.has-player", power=power)
    _check_newcomer(judge, table, seat, address)
    reliability.check(judge, table.rules, address)
    box = box_of(address)
    if any(row.kind in LEFT and row.mailbox == box for row in seatchanges.of_game(judge.store, game.id)):
        raise SeatRefused("seat.left-before", game=game.name)
    return _come(judge, table, power, address, language, timezone, who, now)


def has_left(judge: Judge, seat: Seat) -> bool:
    """Whether the player who had a seat as it is here has left it since."""
    now = games.seat(judge.store, seat.game_id, seat.power)
    return bool(seat.address) and now.generation != seat.generation and now.address != seat.address


def write_farewell(
    judge: Judge, table: Table, seat: Seat, incoming: Incoming, answers: Sequence[Answer], now: datetime
) -> None:
    """Answer a mail by which a player has left: outside of the game, since no reply to it would be taken."""
    args = {"answers": stored(answers), "subject": incoming.subject, "variant": table.game.variant}
    write_to_stranger(
        judge,
        seat.address or "",
        "answer",
        args,
        now,
        extra=f"left {seat.game_id} {seat.power} {seat.generation}",
        in_reply_to=incoming.message_id,
        language=seat.language,
        timezone=seat.timezone,
    )


def tell(
    judge: Judge,
    table: Table,
    answers: Sequence[Answer],
    now: datetime,
    *,
    extra: str,
    by: str | None = None,
    why: str | None = None,
    but: Collection[str] = (),
) -> None:
    """Tell everybody in the game, in one mail a person, but for the seats ``but`` (powers or ``master``). ``by`` is told if
    it is the master's doing."""
    args: dict[str, Any] = {"code": "told", "args": {}, "by": by, "why": why, "answers": stored(answers)}
    seats = games.readers(judge.store, table.game.id)
    reached = {box_of(seat.address) for seat in seats if seat.address and seat.power in but}
    master = games.master(judge.store, table.game.id)
    if master is not None and master.address and MASTER in but:
        reached.add(box_of(master.address))  # a master who plays reads it in the answer
    for seat in seats:
        if seat.address and box_of(seat.address) not in reached:
            reached.add(box_of(seat.address))
            write_to_seat(judge, table, seat, "notice", args, now, extra=extra)


def _check_newcomer(judge: Judge, table: Table, seat: Seat, address: str) -> None:
    if seat.power in table.rules.powers_unplayed:
        raise SeatRefused("seat.unplayed", power=seat.power)
    if not _has_a_future(table, seat.power):
        raise SeatRefused("seat.eliminated", power=seat.power)
    box = box_of(address)
    own = [one.power for one in games.seats(judge.store, table.game.id) if one.address and box_of(one.address) == box]
    if seat.power in own:
        raise SeatRefused("seat.theirs", power=seat.power)
    if own:
        raise SeatRefused("seat.another", power=own[0])


def _has_a_future(table: Table, power: str) -> bool:
    position = table.position
    units = (*position.units, *(fallen.unit for fallen in position.dislodged))
    return power not in table.rules.powers_unplayed and bool(position.centres(power) or any(u.power == power for u in units))


def _leave(judge: Judge, table: Table, power: str, how: Leaving, who: str, now: datetime, *, why: str | None = None) -> None:
    store, game, phase = judge.store, table.game, table.phase
    seat = games.seat(store, game.id, power)
    seatchanges.add(store, game.id, phase.id, power, how, box_of(seat.address or ""), now)
    seatchanges.forget_what_was_private(store, game.id, power, now)
    orders.drop_questions(store, phase.id, power)
    orders.set_standing(store, phase.id, power, Standing())
    games.set_player(store, game.id, power, None)
    games.log(store, game.id, who, how, {"power": power, "phase": phase.name, "why": why}, now)
    set_run_at(store, table, now)


def _say_goodbye(judge: Judge, table: Table, seat: Seat, how: Leaving, who: str, why: str | None, now: datetime) -> None:
    """The last mail to a player whose seat is taken away; it is written before that, to the address that they have."""
    answers = [Answer("seat-lost", {"power": seat.power, "how": how, "game": table.game.name})]
    answers += keeping.take(judge, table.game, seat, now)
    args: dict[str, Any] = {"code": "told", "args": {}, "by": who, "why": why, "answers": stored(answers)}
    write_to_seat(judge, table, seat, "notice", args, now, extra=f"lost {seat.generation}")


def _come(
    judge: Judge,
    table: Table,
    power: str,
    address: str,
    language: str,
    timezone: str,
    who: str,
    now: datetime,
    *,
    but: Sequence[str] = (),
) -> Seat:
    """Seat a newcomer, put the deadline off if they would have less than a phase, and write to everybody."""
    store, game = judge.store, table.game
    from judge.play import offering  # which asks here who may come

    games.set_player(store, game.id, power, address)
    games.set_reader(store, game.id, power, language, timezone)
    offering.settled(judge, game, power, address, now)
    new = _later(judge, table, power, address, now)
    seatchanges.add(store, game.id, table.phase.id, power, "taken", box_of(address), now, put_off=new is not None)
    if new is not None:
        seatchanges.put_off(store, table.phase.id, new)
    old = table.phase.deadline
    facts: dict[str, Any] = {"power": power, "phase": table.phase.name}
    if new is not None and old is not None:
        facts |= {"old": old.isoformat(), "new": new.isoformat()}
    games.log(store, game.id, who, "taken", facts, now)
    after = lay_out(game, games.phase(store, table.phase.id))
    set_run_at(store, after, now)
    seat = games.seat(store, game.id, power)
    write_to_seat(judge, after, seat, "start", {"answers": stored([_position(after, seat, judge)])}, now, extra=_extra(seat))
    told = Answer("seat-taken", {"power": power, "old": old if new else None, "new": new})
    by = who if who == MASTER else None
    tell(judge, after, [told], now, extra=f"taken {seat.generation}", by=by, but=[power, *but])
    return seat


def _later(judge: Judge, table: Table, power: str, address: str, now: datetime) -> datetime | None:
    """The deadline that leaves a newcomer a whole phase, or ``None``: it stays as it is. Who comes back to a power that they
    left is no newcomer: nobody puts a deadline off by leaving and coming back."""
    phase = table.phase
    box = box_of(address)
    if any(
        row.power == power and row.kind in LEFT and row.mailbox == box
        for row in seatchanges.of_game(judge.store, table.game.id)
    ):
        return None
    if phase.deadline is None or seatchanges.put_off_before(judge.store, phase.id, power):
        return None
    return full_phase(table.game.schedule, phase.name, phase.opened_at, phase.deadline, now)


def _position(table: Table, seat: Seat, judge: Judge) -> Answer:
    """What a newcomer is told besides what everybody is at the start."""
    held = orders.held(judge.store, table.phase.id, seat.power)
    return Answer(
        "taken-over",
        {
            "phase": table.phase.name,
            "position": codec.position_out(table.position),
            "on_file": len(held),
        },
    )


def _extra(seat: Seat) -> str:
    return f"taken {seat.generation}"


def _generation(judge: Judge, table: Table, power: str) -> int:
    return games.seat(judge.store, table.game.id, power).generation
