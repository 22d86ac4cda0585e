"""A mail is taken in: who wrote, for which phase, what they themselves wrote; orders filed and a receipt written, in one
transaction. Reading the mail (which can take a while) happens before the transaction begins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.mail.reading import Incoming, read
from judge.play import seatmail
from judge.play.judge import Judge
from judge.play.posting import write_to_seat, write_to_stranger
from judge.store import games, inbox, outbox
from judge.store.db import stamp
from judge.store.inbox import StoredMail

#: A stranger's mails are answered once in this time: whoever forges their address cannot flood them through us.
STRANGER_EVERY = timedelta(hours=24)

#: Kinds of mail that no machine answers, or two of them would never stop.
SILENT = frozenset({"auto-reply", "bounce", "ignored", "too-large"})


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a mail: its outcome (``orders``, ``late``, ``auto-reply`` ...), or the fault that stopped it."""

    inbox_id: int
    outcome: str | None
    fault: Exception | None = None


def step(judge: Judge, now: datetime) -> Taken | None:
    """Take in the mail that waits longest; ``None`` if none waits."""
    inbox_id = inbox.next_waiting(judge.store)
    return None if inbox_id is None else take_in_or_set_aside(judge, inbox_id, now)


def take_in_or_set_aside(judge: Judge, inbox_id: int, now: datetime) -> Taken:
    """Take a mail in; a fault is counted, and at the third the mail is set aside for a person. Never raises for a mail."""
    try:
        return Taken(inbox_id, take_in(judge, inbox_id, now))
    except Exception as fault:
        inbox.failed(judge.store, inbox_id, type(fault).__name__)
        return Taken(inbox_id, None, fault)


def take_in(judge: Judge, inbox_id: int, now: datetime) -> str:
    """Take in one mail: orders, receipt and the mail's state in one transaction. Returns the outcome.

    A mail that has been taken in already is left as it is.

    :raises NotFound: there is no such mail.
    """
    mail = inbox.load(judge.store, inbox_id)
    if mail.state != "waiting":
        return mail.outcome or mail.state
    incoming = _read(judge, mail)
    with judge.store.transaction():
        if inbox.load(judge.store, inbox_id).state != "waiting":
            return "elsewhere"
        outcome = _handle(judge, mail, incoming, now)
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


def _handle(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    kind = mail.recipient.kind
    if kind == "bounce" or incoming.kind == "bounce":
        return _count_bounce(judge, mail)
    if kind == "operator":
        return _to_operator(judge, mail, now)
    if incoming.kind in SILENT:
        return incoming.kind
    if kind == "seat":
        return seatmail.handle(judge, mail, incoming, now)
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
    """Postmaster's mail goes on to the operator, whole; without one it is kept for ``judge mail``."""
    if judge.operator:
        write_to_stranger(judge, judge.operator, "forward", {"inbox": mail.id}, now, extra=str(mail.id))
    return "operator"


def _without_token(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """A mail to ``GAME@DOMAIN``: nothing of it counts. A player of the game is told so at the registered address, with
    the right one to answer to; anybody else gets the manual."""
    game = games.get(judge.store, mail.recipient.game or "")
    sender = _answer_address(judge, incoming)
    for seat in games.seats(judge.store, game.id):
        if sender and seat.address and seat.address.lower() == sender.lower():
            table = seatmail.any_table(judge, game)
            if table is not None:
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
    last = outbox.last_to(judge.store, address, "help")
    if last is None or now - last >= STRANGER_EVERY:
        args = {"game": game, "subject": incoming.subject}
        write_to_stranger(judge, address, "help", args, now, extra=stamp(now), in_reply_to=incoming.message_id)
    return "unconfirmed"


def _answer_address(judge: Judge, incoming: Incoming) -> str | None:
    """Where an answer to a mail without a seat may go: its sender, if that is one whole address and none of ours."""
    address = incoming.reply_to or incoming.sender
    if not address or address.lower().endswith("@" + judge.domain.lower()):
        return None
    return address
