"""A mail is taken in: who wrote, for which phase, what they themselves wrote; orders filed and a receipt written, in one
transaction. Reading the mail (which can take a while) happens before the transaction begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.mail.hashing import header_fields, split_message
from judge.mail.reading import Incoming, read
from judge.mail.rulelines import looks_like_a_setting
from judge.mail.sentmail import order_like
from judge.play import confirming, loops, mastermail, reaching, seatmail, strangers
from judge.play.confirming import NO_ANSWERS, Answers
from judge.play.judge import Judge
from judge.play.lateness import usable
from judge.play.posting import write_to_seat, write_to_stranger
from judge.play.whose import Whose, whose
from judge.store import games, inbox, outbox
from judge.store.db import stamp
from judge.store.heldmail import HeldMail
from judge.store.inbox import StoredMail

#: So many mails a day go on to the operator; what comes beyond them is kept.
MOST_FORWARDS = 50

#: A YES may itself stand in a mail that was held; so many deep, and no chain of them that somebody makes.
_MOST_VOUCHED_THROUGH = 3

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
    table = None if game is None else seatmail.any_table(judge, game)
    to = whose(judge, mail)
    if table is not None and to.seats and to.doubt is None:
        (seat,) = to.seats
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
    found = whose(judge, mail)
    letter = _open(judge, found.mail)
    known = {row.id: _open_held(judge, row, letter.mail) for row in letter.answers.yes} if found.doubt is None else {}
    with judge.store.transaction():
        if inbox.load(judge.store, inbox_id).state != "waiting":
            return "elsewhere"
        outcome = _handle(judge, mail, found, letter, known, now)
        # what is only held has not been said yet: said again when it is confirmed, it is no repetition
        words = None if outcome == "held" else loops.words_key(letter.incoming)
        inbox.done(judge.store, inbox_id, outcome, now, words=words)
    return outcome


@dataclass(frozen=True)
class _Letter:
    """A mail that has been read, and what can be known of it before its transaction. ``mail`` is addressed to its seat;
    ``incoming`` has no line any more that asks for a new address or answers a question whether a mail is the player's."""

    mail: StoredMail
    incoming: Incoming
    ahead: seatmail.Ahead | None = None
    renews: bool = False
    answers: Answers = NO_ANSWERS
    #: of a mail to the address that failures go to, the status code in its words
    status: str = ""


def _open(judge: Judge, mail: StoredMail) -> _Letter:
    """Read a mail. This may take a while, so it happens outside of the transaction."""
    incoming = _read(judge, mail)
    if mail.recipient.kind == "bounce":
        return _Letter(mail, incoming, status=reaching.said_without_a_report(incoming))
    if incoming.kind in SILENT or mail.recipient.kind != "seat":
        return _Letter(mail, incoming)
    renews, lines = confirming.wants_new_address(incoming)
    answers = Answers(rest=lines)
    if _vouched_through(mail) < _MOST_VOUCHED_THROUGH:
        answers = confirming.answers_in(judge, mail, replace(incoming, own_lines=lines))
    incoming = replace(incoming, own_lines=answers.rest)
    ahead = seatmail.read_ahead(judge, mail, incoming) if mail.recipient.power != games.MASTER else None
    return _Letter(mail, incoming, ahead, renews, answers)


def _vouched_through(mail: StoredMail) -> int:
    """How many mails stand between this one and the one that is known to be the player's."""
    count = 0
    while mail.vouched_by is not None:
        mail, count = mail.vouched_by, count + 1
    return count


def _open_held(judge: Judge, row: HeldMail, answer: StoredMail) -> _Letter:
    """Read a mail that was held, as one to the seat whose player wrote it and says so in ``answer``, and written no later
    than it arrived: what the player sent since then stays the newer."""
    mail = inbox.load(judge.store, row.inbox_id)
    mail = replace(mail, recipient=replace(mail.recipient, kind="seat", power=row.power), vouched_by=answer)
    letter = _open(judge, mail)
    date = usable(letter.incoming.date, mail.received_at) or mail.received_at
    return replace(letter, incoming=replace(letter.incoming, date=date))


def _read(judge: Judge, mail: StoredMail) -> Incoming:
    """The mail understood, as far as its own words go; the texts that its writer may be quoting come from the outbox."""
    to = mail.recipient
    sent: list[str] = []
    game = games.find(judge.store, to.game) if to.game else None
    if game and to.power:
        sent = outbox.sent_texts(judge.store, game.id, to.power)
    elif to.person is not None:
        sent = outbox.sent_texts_to_person(judge.store, to.person)
    own = [f"{to.game or 'judge'}@{judge.domain}", f"judge@{judge.domain}"]
    # whose mail it is, `whose` has decided, if it names a seat at all
    return read(
        mail.raw,
        sent=sent,
        own_addresses=own,
        domain=judge.domain,
        sender_judged=to.kind == "seat",
        power=to.power or "",
        arrived=mail.received_at,
    )


def _handle(
    judge: Judge, mail: StoredMail, found: Whose, letter: _Letter, known: Mapping[int, _Letter], now: datetime
) -> str:
    """``mail`` is as it came; ``known`` has the held mails that it may confirm, by their row."""
    kind, incoming = mail.recipient.kind, letter.incoming
    if kind == "bounce":
        return reaching.came_back(judge, mail, incoming, letter.status, now)
    if incoming.kind == "bounce":
        return "bounce"  # not to the address that failures go to: anybody may have written it
    if kind == "operator":
        return _to_operator(judge, mail, now)
    if incoming.kind in SILENT:
        return incoming.kind
    if not found.seats:
        return strangers.answer(judge, mail, incoming, now)
    if kind == "game" and any(inbox.seat_has_it(judge.store, mail, seat.power) for seat in found.seats):
        return "again"  # it went to the signed address as well, or somebody sends it a second time
    if found.doubt is not None:
        # an absence note without the headers of one, from wherever it is: nobody waits for an answer
        machine = incoming.automatic and not (incoming.press or any(map(order_like, incoming.own_lines)))
        return "auto-reply" if machine else confirming.hold(judge, found, incoming, now)
    return _from_seat(judge, letter, known, now)


def _from_seat(judge: Judge, letter: _Letter, known: Mapping[int, _Letter], now: datetime) -> str:
    """Do all that a mail says that is known to be its seat's player's."""
    mail, incoming = letter.mail, letter.incoming
    inbox.give_to_seat(judge.store, mail, mail.recipient.power or "")

    def take(row: HeldMail) -> str:
        confirmed = known.get(row.id) or _open_held(judge, row, mail)
        outcome = _from_seat(judge, confirmed, {}, now)
        words = loops.words_key(confirmed.incoming)
        inbox.done(judge.store, row.inbox_id, outcome, now, words=words)
        return outcome

    if letter.renews:
        confirming.renew(judge, mail, incoming, now)
    if letter.answers:
        confirming.settle(judge, mail, incoming, letter.answers, take, now)
    if (letter.renews or letter.answers) and not _says_more(letter):
        outcome = "confirmation" if letter.answers else "command"
    elif mail.recipient.power == games.MASTER:
        outcome = mastermail.handle(judge, mail, incoming, now)
    else:
        outcome = seatmail.handle(judge, mail, incoming, letter.ahead, now)
    reaching.heard_from(judge, mail, outcome, now)
    return outcome


def _says_more(letter: _Letter) -> bool:
    """Whether a mail says something besides its answers and its wish for a new address: a greeting is nothing to answer."""
    incoming, ahead = letter.incoming, letter.ahead
    if incoming.press or seatmail.says_something(incoming):
        return True
    if ahead is not None:
        return ahead.says_something
    return any(order_like(line) or looks_like_a_setting(line) for line in incoming.own_lines)


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
