"""The door's two questions: is this an address of ours, and keep this mail. Nothing of a mail is understood here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.mail import addresses
from judge.mail.addresses import Destination
from judge.mail.hashing import HEADER_OCTETS, content_hash, header_fields, split_message
from judge.mail.masking import mask
from judge.mail.senders import mailbox_key
from judge.play.judge import Judge
from judge.store import games, inbox, people
from judge.store.games import Seat
from judge.store.inbox import Kept, Recipient


def recipient(judge: Judge, address: str) -> Recipient | None:
    """Whom an address stands for, or ``None``: nobody here (550 at RCPT).

    Every seat of the game is compared, each in constant time, so that the answer's delay tells nothing about a token.
    """
    meant = addresses.parse(address, judge.domain, judge.separator)
    if meant is None:
        return None
    if meant.person is not None:
        return _person(judge, meant)
    if meant.kind in ("judge", "operator"):
        return Recipient(meant.kind, None, None, meant.kind)
    game = games.find(judge.store, meant.game)
    if game is None:
        return None
    if meant.kind == "game":
        return Recipient("game", game.name, None, game.name)
    check = judge.keys.check if meant.kind == "seat" else judge.keys.check_bounce
    fitting = [
        seat.power
        for seat in games.signed_seats(judge.store, game.id)
        if check(meant.token, game.name, seat.power, seat.generation)
    ]
    return Recipient(meant.kind, game.name, fitting[0], game.name) if fitting else None


def _person(judge: Judge, meant: Destination) -> Recipient | None:
    """Whose own address it is: one comparison, whether there is such a person or not."""
    person = people.find(judge.store, meant.person or 0)
    check = judge.keys.check_person if meant.kind == "judge" else judge.keys.check_person_bounce
    fits = check(meant.token, meant.person or 0, person.generation if person else 0)
    if person is None or not fits:
        return None
    return Recipient(meant.kind, None, None, f"judge {person.id}", person.id)


def keep(
    judge: Judge, raw: bytes, *, envelope_from: str, recipients: Sequence[Recipient], peer: str, now: datetime
) -> list[Kept]:
    """Commit a mail for its recipients; when this returns, 250 may be said. ``now`` is the instant of its arrival.

    What is stored has every token cut out, so that a copy of the database lets nobody order.
    """
    tokens = live_tokens(judge, recipients, envelope_from)
    mail = prepare(raw, tokens, judge.domain, envelope_from=envelope_from, recipients=recipients, peer=peer, now=now)
    return keep_prepared(judge, mail)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A mail as it will be stored: no live token is in it any more."""

    raw: bytes
    envelope_from: str
    recipients: tuple[Recipient, ...]
    peer: str
    received_at: datetime
    content_hash: str
    message_id: str | None
    signed_by: tuple[str, ...] = ()


def prepare(
    raw: bytes,
    tokens: Collection[str],
    domain: str,
    *,
    envelope_from: str,
    recipients: Sequence[Recipient],
    peer: str,
    now: datetime,
    signed_by: tuple[str, ...] = (),
) -> Prepared:
    """Make a mail ready to be kept. The long part of keeping it, and it needs no store: for any thread, outside of any
    transaction. ``tokens``: the `live_tokens` of its recipients and sender, asked for after the mail has come in whole.
    ``signed_by``: the domains whose signature it bears, found before its bytes are changed here.
    """
    masked = mask(raw, tokens, domain=domain)
    sender = mask(envelope_from.encode("utf-8", "surrogateescape"), tokens, domain=domain)
    return Prepared(
        raw=masked,
        envelope_from=sender.decode("utf-8", "replace"),
        recipients=tuple(recipients),
        peer=peer,
        received_at=now,
        content_hash=content_hash(masked),
        message_id=_message_id(masked),
        signed_by=signed_by,
    )


def keep_prepared(judge: Judge, mail: Prepared) -> list[Kept]:
    """Commit a prepared mail for its recipients, in one transaction or as a part of the one that is open."""
    return inbox.keep(
        judge.store,
        raw=mail.raw,
        envelope_from=mail.envelope_from,
        recipients=mail.recipients,
        received_at=mail.received_at,
        content_hash=mail.content_hash,
        message_id=mail.message_id,
        peer=mail.peer,
        signed_by=mail.signed_by,
    )


def live_tokens(judge: Judge, recipients: Iterable[Recipient], envelope_from: str = "") -> frozenset[str]:
    """The tokens that may stand in a mail, those of reply addresses and those of envelope addresses: of all seats of its
    recipients' games; and of whoever may have written it, all their seats in any game and their own address. That is the
    person or the seat's player written to, by the registered address, and who the envelope says."""
    recipients = tuple(recipients)
    named = {to.game for to in recipients if to.game}
    seats: dict[int, tuple[str, Seat]] = {}
    for there in filter(None, (games.find(judge.store, name) for name in named)):
        seats |= {seat.id: (there.name, seat) for seat in games.signed_seats(judge.store, there.id)}
    written_to = {(to.game, to.power) for to in recipients}
    writers = {seat.address for game, seat in seats.values() if (game, seat.power) in written_to and seat.address}
    writers.add(envelope_from)
    found = [people.find(judge.store, to.person) for to in recipients if to.person is not None]
    found += [people.of_mailbox(judge.store, mailbox_key(address) or "") for address in writers]
    persons = {person.id: person for person in found if person is not None}
    for address in writers | {person.address for person in persons.values()}:
        if address:
            seats |= {seat.id: (game, seat) for game, seat in games.seats_played_by(judge.store, address)}
    tokens: set[str] = set()
    for game, seat in seats.values():
        tokens.add(judge.keys.token(game, seat.power, seat.generation))
        tokens.add(judge.keys.bounce_token(game, seat.power, seat.generation))
    for person in persons.values():
        tokens.add(judge.keys.person_token(person.id, person.generation))
        tokens.add(judge.keys.person_bounce_token(person.id, person.generation))
    return frozenset(tokens)


def _message_id(raw: bytes) -> str | None:
    """The mail's own Message-ID, if it has one of sane length."""
    for name, value in header_fields(split_message(raw)[0][:HEADER_OCTETS]):
        if name == "message-id" and 0 < len(value) <= 998:
            return value.decode("utf-8", "replace")
    return None
