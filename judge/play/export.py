"""All that is kept about a person, as the JSON that EXPORT brings them."""

from __future__ import annotations

import json
from typing import Any

from judge.mail.senders import mailbox_key, same_mailbox, written_by
from judge.play.judge import Judge
from judge.play.people import seats_of, wishes_of
from judge.store import inbox, people, personal
from judge.store.db import stamp
from judge.store.games import Seat
from judge.store.people import Person

#: characters of mails that one export holds; of longer ones only when they came is told
MOST_TEXT = 4_000_000


def of_person(judge: Judge, person: Person) -> dict[str, Any]:
    """What is kept about a person: who they are, what they asked for, their seats with all that was done at them, and the
    mails they sent and got. Mails stand as they are stored, without any token."""
    room = [MOST_TEXT]
    return {
        "address": person.address,
        "language": person.language,
        "timezone": person.timezone,
        "confirmed_at": stamp(person.confirmed_at) if person.confirmed_at else None,
        "asked": [
            {"at": stamp(one.made_at), "lines": [" ".join(pair).strip() for pair in one.commands], "state": one.state}
            for one in people.asks(judge.store, person.id)
        ],
        "waiting_for_a_power": [
            {"game": game.name, "powers": list(wish.powers)} for game, wish in wishes_of(judge, person.mailbox)
        ],
        "seats": [_seat(judge, game.name, seat, person, room) for game, seat in seats_of(judge, person.mailbox)],
        "mails_outside_of_games": [
            _mail(judge, one, room) for one in personal.mails_to_the_judge(judge.store) if _wrote(judge, one, person)
        ],
        "answers": personal.mails_to(judge.store, person.address),
    }


def _seat(judge: Judge, game: str, seat: Seat, person: Person, room: list[int]) -> dict[str, Any]:
    # a seat may have had another player before: only what came from this address is theirs
    mails = [one for one in personal.mails_of_seat(judge.store, game, seat.power) if _wrote(judge, one, person)]
    return {
        "game": game,
        "power": seat.power,
        "language": seat.language,
        "timezone": seat.timezone,
        **personal.brought_about(judge.store, mails),
        "mails_that_failed": personal.failures(judge.store, seat.game_id, seat.power, seat.generation),
        "mails": [_mail(judge, one, room) for one in mails],
    }


def _wrote(judge: Judge, inbox_id: int, person: Person) -> bool:
    mail = inbox.load(judge.store, inbox_id)
    senders = (*written_by(mail.raw), mail.envelope_from)
    return mail.recipient.person == person.id or any(same_mailbox(person.address, one) for one in senders)


def _mail(judge: Judge, inbox_id: int, room: list[int]) -> dict[str, Any]:
    mail = inbox.load(judge.store, inbox_id)
    told: dict[str, Any] = {"at": stamp(mail.received_at), "outcome": mail.outcome, "octets": len(mail.raw)}
    if len(mail.raw) <= room[0]:
        room[0] -= len(mail.raw)
        told["mail"] = mail.raw.decode("utf-8", "replace")
    return told


def as_json(judge: Judge, person_id: int) -> bytes:
    """The file that goes out."""
    person = people.load(judge.store, person_id)
    assert mailbox_key(person.address) is not None
    return json.dumps(of_person(judge, person), ensure_ascii=False, indent=1).encode()
