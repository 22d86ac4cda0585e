"""Putting a mail to a player into the outbox: its Message-ID, its thread, its recipient as they are at that moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from judge.mail.message_ids import message_id
from judge.mail.senders import mailbox_key
from judge.play.judge import Judge, Table
from judge.play.keeping import keeps, with_what_waited
from judge.store import games, outbox, people
from judge.store.games import Game, Seat
from judge.store.people import Person


def event_message_id(judge: Judge, table: Table, seat: Seat, event: str, extra: str = "") -> str:
    """The Message-ID of an event for one recipient: the same event never makes two of them.

    The phase it names is the one that an answer to this mail is about; of a result that is the phase that follows, which
    the mail asks orders for.
    """
    name, attempt = table.phase.name, table.phase.attempt
    if event == "result":
        following = games.open_phase(judge.store, table.game.id)
        name, attempt = (following.name, following.attempt) if following else (name, attempt)
    unique = judge.keys.digest(event, table.game.name, str(table.phase.id), seat.power, extra)
    return message_id(table.game.name, name, attempt, event, unique, judge.domain)


def thread(judge: Judge, game: Game, seat: Seat) -> tuple[str, ...]:
    """What a mail to this seat refers to, so that all mails of one game stand in one thread: the mail that began it for the
    player who has the seat now."""
    first = outbox.last_of_event(judge.store, game.id, seat.power, "start")
    return (first,) if first else ()


def write_to_seat(
    judge: Judge,
    table: Table,
    seat: Seat,
    event: str,
    args: Mapping[str, Any],
    now: datetime,
    *,
    extra: str = "",
    in_reply_to: str | None = None,
    references: tuple[str, ...] = (),
) -> str | None:
    """Put a mail about the table's phase to a seat's player into the outbox; nobody plays the seat, or its player wants such
    mails later: no mail. Returns its Message-ID. A result brings what waited.

    ``extra`` tells apart mails of one event and phase to one seat (a receipt's number).
    """
    if not seat.address or keeps(judge, table.game, table.phase.id, seat, event, args, now):
        return None
    if event in ("result", "end"):
        args = with_what_waited(judge, table.game, seat, args, now)
    name = event_message_id(judge, table, seat, event, extra)
    outbox.add(
        judge.store,
        event=event,
        args=args,
        address=seat.address,
        message_id=name,
        now=now,
        game_id=table.game.id,
        phase_id=table.phase.id,
        power=seat.power,
        generation=seat.generation,
        language=seat.language,
        timezone=seat.timezone,
        in_reply_to=in_reply_to,
        references=references or (() if event == "start" else thread(judge, table.game, seat)),
    )
    return name


def write_before_start(
    judge: Judge,
    game: Game,
    seat: Seat,
    event: str,
    args: Mapping[str, Any],
    now: datetime,
    *,
    extra: str,
    in_reply_to: str | None = None,
) -> str | None:
    """Put a mail to a seat of a game that has no phase yet into the outbox; nobody plays the seat: no mail. Returns its
    Message-ID."""
    if not seat.address:
        return None
    name = message_id(game.name, "", 1, event, judge.keys.digest(event, game.name, "", seat.power, extra), judge.domain)
    outbox.add(
        judge.store,
        event=event,
        args=args,
        address=seat.address,
        message_id=name,
        now=now,
        game_id=game.id,
        power=seat.power,
        generation=seat.generation,
        language=seat.language,
        timezone=seat.timezone,
        in_reply_to=in_reply_to,
    )
    return name


def person_message_id(judge: Judge, person: Person, event: str, extra: str) -> str:
    """The Message-ID of an event for a person outside of any game."""
    unique = judge.keys.digest(event, "person", str(person.id), extra)
    return message_id("judge", "", 0, event, unique, judge.domain)


def write_to_person(
    judge: Judge,
    person: Person,
    event: str,
    args: Mapping[str, Any],
    now: datetime,
    *,
    extra: str,
    in_reply_to: str | None = None,
    references: tuple[str, ...] = (),
) -> str:
    """Put a mail to a person outside of any game into the outbox, which an answer to their signed address goes back from.
    Returns its Message-ID."""
    name = person_message_id(judge, person, event, extra)
    outbox.add(
        judge.store,
        event=event,
        args=args,
        address=person.address,
        message_id=name,
        now=now,
        generation=person.generation,
        language=person.language,
        timezone=person.timezone,
        in_reply_to=in_reply_to,
        references=references,
        person=person.id,
    )
    return name


def write_to_observers(judge: Judge, table: Table, now: datetime) -> None:
    """Put the results of a phase into the outbox for everybody who watches the game: what HISTORY tells anybody of it."""
    seated = {mailbox_key(seat.address) for seat in games.signed_seats(judge.store, table.game.id) if seat.address}
    for person in people.observers(judge.store, table.game.id):
        if person.mailbox not in seated:
            args = {"game": table.game.name, "phase": table.phase.name, "variant": table.game.variant}
            write_to_person(judge, person, "watched", args, now, extra=str(table.phase.id))


def write_to_stranger(
    judge: Judge,
    address: str,
    event: str,
    args: Mapping[str, Any],
    now: datetime,
    *,
    extra: str,
    in_reply_to: str | None = None,
    language: str = "en",
    timezone: str = "UTC",
) -> None:
    """Put a mail to an address that plays no seat into the outbox. ``extra`` tells mails of one event apart."""
    unique = judge.keys.digest(event, address.lower(), extra)
    outbox.add(
        judge.store,
        event=event,
        args=args,
        address=address,
        message_id=message_id("judge", "", 0, event, unique, judge.domain),
        now=now,
        language=language,
        timezone=timezone,
        in_reply_to=in_reply_to,
    )
