"""Somebody is forgotten: a pseudonym takes the place of their addresses, their names and the heads of their mails, wherever
they are stored. Orders, results and what they wrote stay.

They wish it by mail and say YES at their own address; what is still on its way to them goes first, so that the judge's last
word reaches them (:func:`forget_who_wished_it`). The operator may do it at once (:func:`forget`). It is refused while they
have a seat in a game that is not over.

What was sealed is sealed again in the same transaction, if it was as it had been sealed, and a line of each game's log says
what was redacted: :mod:`judge.play.verify` tells it from a change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from judge.errors import Refused
from judge.mail.reading import Incoming, read
from judge.mail.senders import mailbox_key, same_mailbox, written_by
from judge.mail.veil import Veil, veiled_mail
from judge.play import rereading
from judge.play.judge import Judge
from judge.play.people import known, seats_of, sendable, wishes_of
from judge.play.tenure import tenures
from judge.store import games, inbox, keptmail, outbox, people, readings, redacting, rulings, seals
from judge.store.games import Game, Seat
from judge.store.inbox import StoredMail
from judge.store.people import Person
from judge.store.redacting import Forgetting, Value
from judge.variants.names import load_names

#: So long what is on its way to somebody may keep them from being forgotten: a mailbox that takes no mail shall not.
LONGEST_WAIT = timedelta(days=1)


class StillPlays(Refused):
    """Somebody has a seat in a game that is not over. ``games``: which."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__(f"they have a seat in {', '.join(games)}, which is not over")
        self.games = list(games)


@dataclass(frozen=True)
class Forgotten:
    """What came of it: the ``pseudonym``, and how many mails of theirs and of ours lost their heads."""

    pseudonym: str
    mails: int
    sent: int
    games: tuple[str, ...]


@dataclass
class _Theirs:
    """What belongs to somebody: their ``addresses`` and ``names``, the ``raws`` (bytes of mails) that they sent, the
    ``sent`` lines of the outbox that went to them, the ``forwards`` of their mails to the operator, and their ``seats``."""

    addresses: set[str]
    names: set[str] = field(default_factory=set)
    raws: dict[int, list[int]] = field(default_factory=dict)
    sent: set[int] = field(default_factory=set)
    forwards: set[int] = field(default_factory=set)
    seats: list[tuple[Game, Seat]] = field(default_factory=list)


def plays_in(judge: Judge, mailbox: str) -> list[str]:
    """The games that are not over in which a mailbox has a seat."""
    return list(dict.fromkeys(game.name for game, _ in seats_of(judge, mailbox) if game.state != "ended"))


def wish(judge: Judge, person: Person, now: datetime) -> None:
    """A person wishes to be forgotten, inside the caller's transaction.

    :raises StillPlays: they have a seat in a game that is not over.
    """
    playing = plays_in(judge, person.mailbox)
    if playing:
        raise StillPlays(playing)
    redacting.wish(judge.store, person.id, now)


def forget_who_wished_it(judge: Judge, now: datetime) -> int:
    """Forget everybody who wished it and to whom nothing is on its way any more. Returns how many. A wish of somebody who
    has a seat again lapses.

    A transaction each; if the file beside the database could not be emptied, the next call does it.
    """
    done = 0
    for one in redacting.wished(judge.store):
        person = people.load(judge.store, one.person_id)
        if _waits(judge, one, person, now):
            continue
        try:
            forget(judge, person, now)
            done += 1
        except StillPlays:
            with judge.store.transaction():
                redacting.decide(judge.store, person.id, "dropped", now)
    return done


def _waits(judge: Judge, one: Forgetting, person: Person, now: datetime) -> bool:
    return now - one.wished_at < LONGEST_WAIT and redacting.on_its_way(judge.store, person.id, person.address)


def person_at(judge: Judge, address: str, now: datetime) -> Person | None:
    """The person with an address, inside the caller's transaction; who has a seat and never wrote is made one. ``None``:
    nobody has it."""
    found = known(judge, address)
    if found is not None:
        return found
    key = mailbox_key(address)
    usable = sendable(address)
    if key is None or usable is None or not (seats_of(judge, key) or any(True for _ in wishes_of(judge, key))):
        return None
    return people.add(judge.store, usable, key, language="en", timezone="UTC", state="confirmed", now=now)


def forget(judge: Judge, person: Person, now: datetime) -> Forgotten:
    """Forget a person at once, in a transaction of its own: what they are looked for in takes long to read, and is read
    before it.

    :raises StillPlays: they have a seat in a game that is not over.
    """
    store = judge.store
    playing = plays_in(judge, person.mailbox)
    if playing:
        raise StillPlays(playing)
    pseudonym = f"forgotten-{person.id}"
    theirs = _what_is_theirs(judge, person)
    veil = Veil(theirs.addresses, theirs.names, pseudonym, _words_of_boards(judge))

    def cover(value: Value, names: bool) -> Value:
        return veil.over(value, names=names)

    cells = redacting.cells(store, cover)
    with store.transaction():
        if plays_in(judge, person.mailbox):
            raise StillPlays(plays_in(judge, person.mailbox))
        told = [one for cell in cells for one in redacting.seals_of(store, cell.table, cell.row)]
        told += [("mail", number) for mails in theirs.raws.values() for number in mails]
        told += [("sent", number) for number in (*theirs.sent, *theirs.forwards)]
        sealed = redacting.intact(store, told)
        _leave(judge, person, theirs, now)
        before = {number: _readings(judge, number) for what, number in sealed if what == "mail"}
        for number in theirs.sent:
            redacting.unname_sent(store, number, pseudonym, judge.domain)
        for number in theirs.forwards:
            redacting.empty_forward(store, number, pseudonym)
        rebuilt = {raw_id: _rebuilt(judge, mails, veil) for raw_id, mails in theirs.raws.items()}
        redacting.cover_cells(store, cells, cover)
        unread = set()
        for raw_id, candidates in rebuilt.items():
            unread |= _replace(judge, raw_id, theirs.raws[raw_id], candidates, before)
            redacting.unname_mail(store, raw_id, pseudonym)
        unread |= {number for number in before if before[number] != _readings(judge, number)}
        people.forget(store, person.id, pseudonym)
        people.set_reader(store, person.id, "en", "UTC")
        redacting.decide(store, person.id, "done", now)
        found = _seal_again(judge, sealed, unread, pseudonym, theirs, now)
    store.settle()
    return Forgotten(pseudonym, len(theirs.raws), len(theirs.sent), found)


# what is theirs


def _what_is_theirs(judge: Judge, person: Person) -> _Theirs:
    store = judge.store
    theirs = _Theirs({person.address, person.mailbox}, {person.name}, seats=seats_of(judge, person.mailbox))
    theirs.addresses |= {one.address for _, one in wishes_of(judge, person.mailbox)}
    raws = set(redacting.of_person(store, person.id))
    for one in tenures(judge, person.mailbox):
        span = (one.power, one.since, one.until)
        raws |= {redacting.raw_of(store, number) for number in redacting.seat_mails(store, one.game.name, *span)}
        for number, address in redacting.sent_to_seat(store, one.game.id, *span):
            theirs.sent.add(number)
            theirs.addresses.add(address)
        theirs.addresses |= set(redacting.confirmed_senders(store, one.game.id, *span))
    theirs.addresses = {one for one in theirs.addresses if mailbox_key(one) is not None and not _ours(judge, one)}
    for raw_id, head, envelope in redacting.heads(store):
        senders = {*written_by(head), envelope}
        own = {one for one in senders if any(same_mailbox(one, address) for address in theirs.addresses)}
        if own:
            raws.add(raw_id)
            theirs.addresses |= {one for one in own if mailbox_key(one) is not None}
    theirs.raws = {raw_id: redacting.mails_of_raw(store, raw_id) for raw_id in sorted(raws)}
    for mails in theirs.raws.values():
        for number in mails[:1]:
            theirs.names.add(_read(judge, inbox.load(store, number)).sender_name)
    theirs.sent |= set(redacting.sent_to(store, person.id, theirs.addresses))
    theirs.forwards = set(redacting.forwards_of(store, [one for mails in theirs.raws.values() for one in mails]))
    theirs.sent -= theirs.forwards
    return theirs


def _ours(judge: Judge, address: str) -> bool:
    return address.lower().endswith(f"@{judge.domain.lower()}")


def _words_of_boards(judge: Judge) -> frozenset[str]:
    """Names of powers and places on all boards that are played on, in small letters."""
    words: set[str] = set()
    for variant in {game.variant for game in games.all_games(judge.store)}:
        names = load_names(variant)
        words |= {one.casefold() for one in (*names.board.powers, *names.board.provinces)}
        for table in (names.provinces, names.powers, names.coasts, names.closed):
            words |= {one.casefold() for by_id in table.values() for spellings in by_id.values() for one in spellings}
    return frozenset(words)


# what is done to it


def _leave(judge: Judge, person: Person, theirs: _Theirs, now: datetime) -> None:
    """Nobody plays the seats of games that are over; they wait for no game, nor does anything wait for them."""
    keptmail.forget(judge.store, person.mailbox)
    for game, seat in theirs.seats:
        games.set_player(judge.store, game.id, seat.power, None)
        games.set_reader(judge.store, game.id, seat.power, "en", "UTC")
    for game, _ in list(wishes_of(judge, person.mailbox)):
        # of one game there is one wish: by its number, since numbers move up
        for one in [w for g, w in wishes_of(judge, person.mailbox) if g.id == game.id]:
            rulings.drop_wish(judge.store, game.id, one.number)
            games.log(judge.store, game.id, "judge", "left", {"player": one.number}, now)


def _read(judge: Judge, mail: StoredMail, sent: Sequence[str] = ()) -> Incoming:
    own = [f"{mail.recipient.game}@{judge.domain}", f"judge@{judge.domain}"]
    return read(mail.raw, sent=sent, own_addresses=own, domain=judge.domain, sender_judged=True)


def _rebuilt(judge: Judge, mails: Sequence[int], veil: Veil) -> list[bytes]:
    """A mail as it may be kept: with its own words, or the lines of them that count, or nothing; the first that is read as
    the mail was is taken."""
    if not mails:
        return [f"From: {veil.pseudonym}\r\n\r\n".encode()]
    mail = inbox.load(judge.store, mails[0])
    game = games.find(judge.store, mail.recipient.game or "")
    sent = outbox.sent_texts(judge.store, game.id, mail.recipient.power or "") if game and mail.recipient.power else []
    incoming = _read(judge, mail, sent)
    texts = dict.fromkeys((incoming.player_text, "\n".join(incoming.own_lines), ""))
    return [veiled_mail(incoming, text, veil, judge.domain) for text in texts]


def _replace(
    judge: Judge, raw_id: int, mails: Sequence[int], candidates: Sequence[bytes], before: Mapping[int, Any]
) -> set[int]:
    """Put the first of the candidates that is read as the mail was in its place; none is: the last, and the mails are given
    that cannot be read again."""
    for candidate in candidates:
        redacting.set_bytes(judge.store, raw_id, candidate)
        if all(_readings(judge, one) == before[one] for one in mails if one in before):
            return set()
    return {one for one in mails if one in before}


def _readings(judge: Judge, inbox_id: int) -> list[bool]:
    """For each reading of a mail, whether it is read so today."""
    return [rereading.today(judge, then) == then.lines for then in readings.of_mail(judge.store, inbox_id)]


def _seal_again(
    judge: Judge,
    sealed: Sequence[redacting.Seal],
    unread: set[int],
    pseudonym: str,
    theirs: _Theirs,
    now: datetime,
) -> tuple[str, ...]:
    """Seal what was redacted, and write into each game's log what it was. Returns the names of the games."""
    powers = {game.id: seat.power for game, seat in theirs.seats}
    names = []
    for game_id, rows in redacting.games_of(judge.store, sealed).items():
        facts: dict[str, Any] = {"who": pseudonym}
        for what in ("mail", "sent", "log", "phase", "end"):
            facts[what] = sorted(ref for kind, ref in rows if kind == what)
        facts["unread"] = sorted(unread.intersection(facts["mail"]))
        for what, ref in rows:
            seals.seal(judge.store, game_id, what, ref)
        games.log(judge.store, game_id, powers.get(game_id, "judge"), "redacted", facts, now)
        names.append(games.by_id(judge.store, game_id).name)
    games.log(judge.store, None, "judge", "forgotten", {"who": pseudonym}, now)
    return tuple(names)
