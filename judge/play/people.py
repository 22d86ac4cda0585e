"""Who somebody is across all games: their seats, their wishes for one, their language, their address."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from judge.mail.compose import wire_address
from judge.mail.senders import mailbox_key
from judge.play.judge import Judge
from judge.store import games, inbox, people, rulings
from judge.store.games import Game, Seat
from judge.store.people import Person
from judge.store.rulings import Wish

if TYPE_CHECKING:  # the verbs ask here whose seats are whose
    from judge.play.verbs.acting import Act

#: A signed mail to the judge's open address counts so long after it was written.
FRESH = timedelta(days=2)


def known(judge: Judge, address: str) -> Person | None:
    """Whose address it is, confirmed or not yet, in whatever spelling."""
    key = mailbox_key(address)
    return None if key is None else people.of_mailbox(judge.store, key)


def person_of(act: Act) -> Person:
    """The person who asks, inside the caller's transaction. Who proves to be a seat's player is known from then on: there
    is nothing left that a question could confirm."""
    if act.person is not None:
        return act.person
    seat = act.seat
    assert seat is not None and seat.address is not None  # a mail that is proved to be from the seat's player
    found = known(act.judge, seat.address)
    if found is None:
        return people.add(
            act.judge.store,
            seat.address,
            mailbox_key(seat.address) or seat.address,
            language=seat.language,
            timezone=seat.timezone,
            state="confirmed",
            now=act.now,
        )
    people.confirm(act.judge.store, found.id, act.now)
    return people.load(act.judge.store, found.id)


def seats_of(judge: Judge, mailbox: str) -> list[tuple[Game, Seat]]:
    """All seats that a mailbox holds, powers' and masters', by the age of their games."""
    addresses = [one for one in people.addresses_like(judge.store, mailbox) if mailbox_key(one) == mailbox]
    seats = chain.from_iterable(games.seats_played_by(judge.store, one) for one in addresses)
    found = {seat.id: (games.get(judge.store, name), seat) for name, seat in seats}
    return [found[number] for number in sorted(found)]


def wishes_of(judge: Judge, mailbox: str) -> Iterator[tuple[Game, Wish]]:
    """The games that have not begun in which a mailbox waits for a power."""
    for game in games.all_games(judge.store):
        if game.state == "forming":
            waiting = rulings.wishes(judge.store, game.id)
            yield from ((game, one) for one in waiting if mailbox_key(one.address) == mailbox)


def set_reader(
    judge: Judge, person: Person, *, language: str | None = None, timezone: str | None = None, now: datetime
) -> bool:
    """In which language and time zone a person reads, in all their games; ``None`` leaves it as it is. Inside the caller's
    transaction. Returns whether anything has changed."""
    person = people.load(judge.store, person.id)  # an earlier line of the same mail may have set the other
    wanted = (language or person.language, timezone or person.timezone)
    changed = wanted != (person.language, person.timezone)
    people.set_reader(judge.store, person.id, *wanted)
    for game, seat in seats_of(judge, person.mailbox):
        here = (language or seat.language, timezone or seat.timezone)
        if here != (seat.language, seat.timezone):
            changed = True
            games.set_reader(judge.store, game.id, seat.power, *here)
            facts = {"power": seat.power, "language": here[0], "timezone": here[1]}
            games.log(judge.store, game.id, seat.power, "reader", facts, now)
    return changed


def sent_before(judge: Judge, inbox_id: int, message_id: str | None) -> bool:
    """Whether a mail with this Message-ID was taken in before by the judge's open address: a copy of a signed mail is as
    good as the mail, so that it counts once."""
    return message_id is None or inbox.judge_had(judge.store, message_id, inbox_id)


def sendable(address: str) -> str | None:
    """An address as mail can be sent to it, or ``None``."""
    try:
        return wire_address(address.strip())
    except ValueError:
        return None
