"""A mail is taken in: who wrote, for which phase, what they themselves wrote; orders filed and a receipt written, in one
transaction. Reading the mail (which can take a while) happens before the transaction begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.mail.compose import wire_address
from judge.mail.hashing import header_fields, split_message
from judge.mail.reading import Incoming, read
from judge.play import mastermail, seatmail
from judge.play.judge import Judge
from judge.play.posting import write_to_seat, write_to_stranger
from judge.store import games, inbox, outbox
from judge.store.db import stamp
from judge.store.inbox import StoredMail

#: Mails without a token are answered once in this time: whoever forges an address cannot flood it through us.
STRANGER_EVERY = timedelta(hours=24)

#: So many mails a day go on to the operator; what comes beyond them is kept.
MOST_FORWARDS = 50

#: Kinds of mail that no machine answers, or two of them would never stop.
SILENT = frozenset({"auto-reply", "bounce", "ignored", "too-large"})


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a mail: its outcome (``orders``, ``late``, ``auto-reply`` ...), or the fault that stopped it; after the
    third it is ``set_aside``."""

    inbox_id: int
    outcome: str | None
    fault: Exception | None = None
    set_aside: bool = False


def step(judge: Judge, now: datetime) -> Taken | None:
    """Take in the mail that waits longest; ``None`` if none waits that can be taken in now.

    After a fault a mail rests for a while, and one that came after a deadline which may be put off waits for that.
    """
    inbox_id = inbox.next_waiting(judge.store, now)
    return None if inbox_id is None else take_in_or_set_aside(judge, inbox_id, now)


def take_in_or_set_aside(judge: Judge, inbox_id: int, now: datetime) -> Taken:
    """Take a mail in; a fault is counted, and at the third the mail is set aside for a person. Never raises for a mail.

    Who had their 250 for a mail that is set aside is told that nothing of it was used; so is the operator.
    """
    try:
        return Taken(inbox_id, take_in(judge, inbox_id, now))
    except Exception as fault:
        with judge.store.transaction():
            set_aside = inbox.failed(judge.store, inbox_id, type(fault).__name__, now)
            if set_aside:
                _tell_of_set_aside(judge, inbox.load(judge.store, inbox_id), now)
        return Taken(inbox_id, None, fault, set_aside)


def _tell_of_set_aside(judge: Judge, mail: StoredMail, now: datetime) -> None:
    """A notice to the seat's player, and a line to the operator. Nothing of the mail is read: that is what failed."""
    _forward(judge, mail, now, set_aside=True)
    game = games.find(judge.store, mail.recipient.game or "")
    table = None if game is None or mail.recipient.kind != "seat" else seatmail.any_table(judge, game)
    if table is not None:
        seat = games.seat(judge.store, table.game.id, mail.recipient.power or "")
        args = {"code": "mail-set-aside", "args": {"arrived": stamp(mail.received_at)}, "by": None, "why": None}
        write_to_seat(judge, table, seat, "notice", args, now, extra=f"set-aside {mail.id}")


def take_in(judge: Judge, inbox_id: int, now: datetime) -> str:
    """Take in one mail: orders, receipt and the mail's state in one transaction. Returns the outcome.

    A mail that has been taken in already is left as it is.

    :raises NotFound: there is no such mail.
    """
    mail = inbox.load(judge.store, inbox_id)
    if mail.state != "waiting":
        return mail.outcome or mail.state
    incoming = _read(judge, mail)
    by_a_player = incoming.kind not in SILENT and mail.recipient.power != games.MASTER
    ahead = seatmail.read_ahead(judge, mail, incoming) if by_a_player else None
    with judge.store.transaction():
        if inbox.load(judge.store, inbox_id).state != "waiting":
            return "elsewhere"
        outcome = _handle(judge, mail, incoming, ahead, now)
        inbox.done(judge.store, inbox_id, outcome, now, words=seatmail.words_key(incoming.player_text.split()))
    return outcome


def _read(judge: Judge, mail: StoredMail) -> Incoming:
    """The mail understood, as far as its own words go; the texts that its writer may be quoting come from the outbox."""
    to = mail.recipient
    sent: list[str] = []
    game = games.find(judge.store, to.game) if to.game else None
    if game and to.power:
        sent = outbox.sent_texts(judge.store, game.id, to.power)
    own = [f"{to.game or 'judge'}@{judge.domain}", f"judge@{judge.domain}"]
    return read(mail.raw, sent=sent, own_addresses=own, domain=judge.domain)


def _handle(judge: Judge, mail: StoredMail, incoming: Incoming, ahead: seatmail.Ahead | None, now: datetime) -> str:
    kind = mail.recipient.kind
    if kind == "bounce" or incoming.kind == "bounce":
        return _count_bounce(judge, mail)
    if kind == "operator":
        return _to_operator(judge, mail, now)
    if incoming.kind in SILENT:
        return incoming.kind
    if kind == "seat" and mail.recipient.power == games.MASTER:
        return mastermail.handle(judge, mail, incoming, now)
    if kind == "seat":
        return seatmail.handle(judge, mail, incoming, ahead, now)
    if kind == "game":
        return _without_token(judge, mail, incoming, now)
    return _to_the_judge(judge, mail, incoming, now)


def _count_bounce(judge: Judge, mail: StoredMail) -> str:
    """A mail of ours came back: counted against the seat."""
    if mail.recipient.game and mail.recipient.power:
        game = games.get(judge.store, mail.recipient.game)
        games.count_bounce(judge.store, games.seat(judge.store, game.id, mail.recipient.power).id)
    return "bounce"


def _to_operator(judge: Judge, mail: StoredMail, now: datetime) -> str:
    """Postmaster's mail goes on to the operator, whole; without one it is only kept.

    Mail of machines and our own is only kept too: the operator's mailbox may answer by itself, or lead back here.
    """
    if _by_machine(judge, mail):
        return "auto-reply"
    return "operator" if _forward(judge, mail, now, set_aside=False) else "operator-kept"


def _forward(judge: Judge, mail: StoredMail, now: datetime, *, set_aside: bool) -> bool:
    """A mail to the operator about a mail, so many a day and no more. Returns whether it was written."""
    if not judge.operator:
        return False
    since = now - timedelta(days=1)
    if outbox.count_since(judge.store, judge.operator, "forward", since) >= MOST_FORWARDS:
        return False
    args = {"inbox": mail.id, "set_aside": set_aside}
    write_to_stranger(judge, judge.operator, "forward", args, now, extra=f"{mail.id} {set_aside}")
    return True


def _by_machine(judge: Judge, mail: StoredMail) -> bool:
    """Whether a mail says that no person wrote it (RFC 3834), or was one of ours before it came here."""
    domain = judge.domain.lower()
    for name, value in header_fields(split_message(mail.raw)[0]):
        said = value.decode("latin-1").strip().lower()
        if name == "auto-submitted" and said.split(";")[0].split("(")[0].strip() != "no":
            return True
        if name == "list-id" and re.search(rf"[.<@]{re.escape(domain)}>?\Z", said):
            return True
        if name == "message-id" and said.strip("<> ").endswith("@" + domain):
            return True
    return False


def _without_token(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """A mail to ``GAME@DOMAIN``: nothing of it counts. A player of the game is told so at the registered address, with
    the right one to answer to; anybody else gets the manual."""
    game = games.get(judge.store, mail.recipient.game or "")
    sender = _answer_address(judge, incoming)
    for seat in games.seats(judge.store, game.id):
        if sender and seat.address and _same_address(seat.address, sender):
            table = seatmail.any_table(judge, game)
            if table is not None and not _told_lately(judge, seat.address, "not-accepted", now):
                args = {"arrived": stamp(mail.received_at)}
                write_to_seat(judge, table, seat, "not-accepted", args, now, extra=str(mail.id))
            return "no-token"
    return _help(judge, incoming, now, game.name)


def _to_the_judge(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    return _help(judge, incoming, now, None)


def _help(judge: Judge, incoming: Incoming, now: datetime, game: str | None) -> str:
    """The short manual to a stranger: once a day an address, and never to a machine or to ourselves."""
    address = _answer_address(judge, incoming)
    if address is None or incoming.kind in SILENT:
        return "unconfirmed"
    if not _told_lately(judge, address, "help", now):
        args = {"game": game, "subject": incoming.subject}
        write_to_stranger(judge, address, "help", args, now, extra=stamp(now), in_reply_to=incoming.message_id)
    return "unconfirmed"


def _answer_address(judge: Judge, incoming: Incoming) -> str | None:
    """Where an answer to a mail without a seat may go: its sender, if that is one whole address, mail can be sent to it
    and it is none of ours. Never its Reply-To: that may name anybody, whom we would then write to."""
    try:
        address = wire_address(incoming.sender or "")
    except ValueError:
        return None
    return None if address.lower().endswith("@" + judge.domain.lower()) else address


def _same_address(one: str, other: str) -> bool:
    try:
        return wire_address(one).lower() == wire_address(other).lower()
    except ValueError:
        return False


def _told_lately(judge: Judge, address: str, event: str, now: datetime) -> bool:
    """Whether a mail of that event went to the address within the day."""
    last = outbox.last_to(judge.store, address, event)
    return last is not None and now - last < STRANGER_EVERY
