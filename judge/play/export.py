"""All that is kept about a person, as the JSON that EXPORT brings them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from judge.mail.senders import mailbox_key, same_mailbox, written_by
from judge.play import reliability
from judge.play.judge import Judge
from judge.play.people import wishes_of
from judge.play.tenure import Tenure, tenures
from judge.store import duties, games, inbox, people, personal
from judge.store.db import stamp
from judge.store.games import Game
from judge.store.people import Person
from judge.store.rulings import Wish

#: characters of mails that one export holds; of longer ones only when they came is told
MOST_TEXT = 4_000_000


def of_person(judge: Judge, person: Person) -> dict[str, Any]:
    """What is kept about a person: who they are, what they asked for, the seats that they have and had with all that was
    done there while they were theirs, how reliable they were, and the mails they sent and got. Mails stand as they are
    stored, without any token."""
    room = [MOST_TEXT]
    last = people.last_export(judge.store, person.id)
    return {
        "address": person.address,
        "name": person.name or None,
        "mailbox": person.mailbox,
        "language": person.language,
        "timezone": person.timezone,
        "state": person.state,
        "made_at": stamp(person.made_at),
        "confirmed_at": stamp(person.confirmed_at) if person.confirmed_at else None,
        "last_export": stamp(last) if last else None,
        **{name: _unpacked(rows) for name, rows in personal.of_person(judge.store, person.id).items()},
        **{name: _unpacked(rows) for name, rows in personal.of_mailbox(judge.store, person.mailbox).items()},
        "reliability": _reliability(judge, person),
        "waiting_for_a_power": [_wish(game, wish) for game, wish in wishes_of(judge, person.mailbox)],
        "seats": [_seat(judge, one, person, room) for one in tenures(judge, person.mailbox)],
        "mails_outside_of_games": [
            _mail(judge, one, room) for one in personal.mails_outside(judge.store) if _wrote(judge, one, person)
        ],
        "answers": personal.mails_to(judge.store, person.address),
    }


def _reliability(judge: Judge, person: Person) -> dict[str, int | None]:
    counts = duties.counts(judge.store, person.mailbox)
    return {**asdict(counts), "percent": reliability.share(counts)}


def _wish(game: Game, wish: Wish) -> dict[str, Any]:
    said = {"number": wish.number, "address": wish.address, "language": wish.language, "timezone": wish.timezone}
    return {"game": game.name, "powers": list(wish.powers), **said}


def _seat(judge: Judge, one: Tenure, person: Person, room: list[int]) -> dict[str, Any]:
    span = (one.power, one.since, one.until)
    mails = personal.mails_of_seat(judge.store, one.game.name, *span)
    seat = games.seat(judge.store, one.game.id, one.power)
    still = one.until is None
    done = personal.of_seat(judge.store, one.game.id, *span)
    for told in done["mails_to_you"]:
        if room[0] < len(told["body"] or ""):
            told["body"] = None
        room[0] -= len(told["body"] or "")
    return {
        "game": one.game.name,
        "power": one.power,
        "address": seat.address if still else None,
        "since": one.since or None,
        "until": one.until,
        "language": seat.language if still else None,
        "timezone": seat.timezone if still else None,
        "receipts": seat.receipts if still else None,
        **{name: _unpacked(rows) for name, rows in done.items()},
        # one that nothing proved and they did not confirm is somebody else's
        "mails": [_mail(judge, number, room) for number in mails if _theirs(judge, number, person)],
    }


#: what is stored as JSON in a column of these names
_JSON = frozenset({"choices", "recipients", "powers", "lines", "lent", "args", "facts", "commands"})


def _unpacked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: json.loads(value) if name in _JSON and value else value for name, value in row.items()} for row in rows]


def _theirs(judge: Judge, inbox_id: int, person: Person) -> bool:
    return inbox.load(judge.store, inbox_id).outcome != "held" or _wrote(judge, inbox_id, person)


def _wrote(judge: Judge, inbox_id: int, person: Person) -> bool:
    mail = inbox.load(judge.store, inbox_id)
    senders = (*written_by(mail.raw), mail.envelope_from)
    return mail.recipient.person == person.id or any(same_mailbox(person.address, one) for one in senders)


def _mail(judge: Judge, inbox_id: int, room: list[int]) -> dict[str, Any]:
    mail = inbox.load(judge.store, inbox_id)
    told: dict[str, Any] = {
        "at": stamp(mail.received_at),
        "to": mail.recipient.local,
        "outcome": mail.outcome,
        "octets": len(mail.raw),
        "message_id": mail.message_id,
        "envelope_from": mail.envelope_from,
        "from_host": mail.peer,
        "signed_by": list(mail.signed_by),
    }
    if len(mail.raw) <= room[0]:
        room[0] -= len(mail.raw)
        told["mail"] = mail.raw.decode("utf-8", "replace")
    return told


def as_json(judge: Judge, person_id: int) -> bytes:
    """The file that goes out."""
    person = people.load(judge.store, person_id)
    assert mailbox_key(person.address) is not None
    return json.dumps(of_person(judge, person), ensure_ascii=False, indent=1).encode()
