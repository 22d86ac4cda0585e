"""Whether our mails reach a seat's player. What comes back to the seat's signed envelope address, or what our own relay
refuses, is counted; the game's master hears of it at once, once a phase; the next mail of the player ends it.

Whoever knows a seat's envelope address has had a mail to that seat in hands: its player, or a server on the way. A bounce to
any other address of ours, a signed reply address too, may be anybody's and counts for nothing.
"""

from __future__ import annotations

from datetime import datetime

from judge.mail.failures import Bounced, status_in
from judge.mail.reading import Incoming
from judge.mail.senders import same_mailbox
from judge.play import mastermail
from judge.play.judge import Judge
from judge.store import failedmails, games, invitations, outbox, people
from judge.store.failedmails import ToldBy
from judge.store.games import MASTER, Game, Seat
from judge.store.inbox import StoredMail
from judge.store.outbox import Line

#: Outcomes of a mail to a seat that tell nothing of whether its player reads ours.
NOT_HEARD = frozenset({"auto-reply", "again"})


def said_without_a_report(incoming: Incoming) -> str:
    """The status code in the words of a mail that is no bounce by its form, for :func:`came_back`. Reads the mail's text, so
    it is worked out before the transaction."""
    return status_in(incoming.player_text, permanent=False)


def came_back(judge: Judge, mail: StoredMail, incoming: Incoming, said: str, now: datetime) -> str:
    """A mail came to a seat's signed envelope address, inside the caller's transaction; ``said``: the code in its words, see
    :func:`said_without_a_report`. Returns the outcome: ``unreachable``
    (the failure that makes its seat so), ``bounce`` (counted), or for what is no failure ``auto-reply`` or ``ignored``:
    absence notes are sent there too (RFC 3834, 4)."""
    if mail.recipient.person is not None:
        return _from_a_person(judge, mail, incoming, now)
    game = games.get(judge.store, mail.recipient.game or "")
    seat = games.seat(judge.store, game.id, mail.recipient.power or "")
    if incoming.kind != "bounce":
        if incoming.kind == "auto-reply" or incoming.automatic:
            return "auto-reply"
        own = seat.address and incoming.sender and same_mailbox(incoming.sender, seat.address)
        if own or mail.envelope_from:
            return "ignored"
        # from nobody (RFC 5321, 4.5.5) and in words that are not known: a failure of some kind
        failure: Bounced | None = Bounced("", False, True, said)
    else:
        failure = _worst(incoming.bounced, seat)
    if failure is None:
        return "ignored"
    status = failure.status or ("5.0.0" if failure.permanent else "4.0.0")
    newly = _count(judge, game, seat, status, failure.late, "bounce", mail.id, now)
    return "unreachable" if newly else "bounce"


def _from_a_person(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """A mail to a person outside of any game came back. What was asked of somebody whom no mail reaches, and who is not
    known yet, is dropped: nobody will confirm it. Of who is known nothing is changed; their seats count for themselves."""
    if incoming.kind != "bounce":
        return "auto-reply" if incoming.kind == "auto-reply" or incoming.automatic else "ignored"
    person = people.find(judge.store, mail.recipient.person or 0)
    if person is not None and person.state == "asked":
        for one in people.asks(judge.store, person.id):
            people.decide(judge.store, one.id, "dropped", now)
            if (invited := invitations.of_ask(judge.store, one.id)) is not None:
                invitations.decide(judge.store, invited.id, "lapsed", now)
    return "bounce"


def _worst(bounced: tuple[Bounced, ...], seat: Seat) -> Bounced | None:
    """What a bounce says of the seat's address; of another one, if that is where the player's mail is sent on to. ``None``:
    it names nobody whom it did not reach (a report that a mail was delivered)."""
    own = [one for one in bounced if seat.address and same_mailbox(one.address, seat.address)]
    return min(own or bounced, key=lambda one: (one.late, not one.permanent), default=None)


def refused(judge: Judge, line: Line, at: datetime, error: str, status: str) -> bool:
    """The relay refused a mail for good, or it was tried for too long: it is parked, and with a ``status`` (the recipient's
    fault, not the relay's or ours) counted against its seat. Returns whether that makes the seat unreachable."""
    with judge.store.transaction():
        outbox.parked(judge.store, line.id, at, error)
        if not status or line.game_id is None or not line.power:
            return False
        game, seat = games.by_id(judge.store, line.game_id), games.seat(judge.store, line.game_id, line.power)
        if seat.generation != line.generation or seat.address != line.address:
            return False  # it went to who had the seat before
        return _count(judge, game, seat, status, False, "relay", line.id, at)


def _count(
    judge: Judge, game: Game, seat: Seat, status: str, late: bool, told_by: ToldBy, number: int, now: datetime
) -> bool:
    """Count a failure and tell the master. Returns whether it is the one that makes the seat unreachable."""
    before = failedmails.failing(judge.store, seat)
    failedmails.add(judge.store, seat, status=status, late=late, told_by=told_by, mail=number, now=now)
    after = failedmails.failing(judge.store, seat)
    if after is None or not after.unreachable or game.state == "ended":
        return False
    newly = before is None or not before.unreachable
    if newly:
        facts = {"power": seat.power, "status": after.status, "told_by": told_by, "mail": number}
        games.log(judge.store, game.id, "judge", "unreachable", facts, now)
    if seat.power != MASTER:
        mastermail.write_of_unreachable(judge, game, seat, now)
    return newly


def heard_from(judge: Judge, mail: StoredMail, outcome: str, now: datetime) -> None:
    """A mail of a seat's player was taken in: if mails to them failed, that is over. Inside the caller's transaction."""
    if outcome in NOT_HEARD:
        return
    game = games.get(judge.store, mail.recipient.game or "")
    if failedmails.over(judge.store, games.seat(judge.store, game.id, mail.recipient.power or ""), now):
        games.log(judge.store, game.id, "judge", "heard-from", {"power": mail.recipient.power, "mail": mail.id}, now)
