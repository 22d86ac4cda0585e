"""Whose a mail is: the signed address names the seat, and the sender has to be who plays it; to a game's open address the
sender alone can name the seat, and has to be proved.

Whoever is not known for certain is not believed and not refused: the mail is held, and the player asked
(:mod:`judge.play.confirming`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.mail.addresses import domain_key
from judge.mail.authres import trusted, vouches
from judge.mail.reading import date_of
from judge.mail.senders import named_recipients, named_senders, same_address, same_mailbox, sole_sender
from judge.mail.signatures import covered
from judge.play.judge import Judge
from judge.play.lateness import usable
from judge.store import games, seatchanges
from judge.store.games import MASTER, Seat
from judge.store.heldmail import Why
from judge.store.inbox import StoredMail


@dataclass(frozen=True, slots=True)
class Whose:
    """``mail`` is addressed to the seat whose it is, if that is known or claimed. ``seats`` are those that may have written
    it (none: a stranger's, or no seat is meant); ``doubt``: why it is not certain, ``None`` if it is."""

    mail: StoredMail
    seats: tuple[Seat, ...] = ()
    doubt: Why | None = None


def whose(judge: Judge, mail: StoredMail) -> Whose:
    """Whose a mail is, by its addresses and by what is known of its sender. Reads no text of it."""
    to = mail.recipient
    game = games.find(judge.store, to.game or "") if to.kind in ("seat", "game") else None
    if game is None:
        return Whose(mail)
    if to.kind == "seat":
        seat = games.seat(judge.store, game.id, to.power or "")
        change = seatchanges.last(judge.store, game.id, seat.power)
        if change is not None and mail.received_at < change.at:
            return Whose(mail)  # it came before the seat changed hands: its writer does not play any more
        return Whose(mail, (seat,), None if _by_player(mail, seat) else "strange-address")
    named = named_senders(mail.raw)
    seats = [
        seat
        for seat in games.signed_seats(judge.store, game.id)
        if seat.address and any(same_mailbox(seat.address, address) for address in named)
    ]
    # a master who plays writes to the game as its player, unless it is the master's own address that is used
    seats = [seat for seat in seats if seat.power != MASTER] or seats
    if not seats:
        return Whose(mail)
    certain = len(seats) == 1 and _proved(judge, mail, seats[0])
    meant = replace(mail, recipient=replace(to, kind="seat", power=seats[0].power))
    return Whose(meant, tuple(seats), None if certain else "not-proved")


def _by_player(mail: StoredMail, seat: Seat) -> bool:
    """Whether a mail to a seat's signed address comes from the registered address: that is what From says, and nothing else
    (somebody who forges it must have the player's signed address besides). Sender or envelope speak for whoever sent it on,
    and From is what its reader is shown. Of a mail that was held, the one is asked that vouches for it. A seat without a
    player has nobody to compare with."""
    if not seat.address:
        return True
    while mail.vouched_by is not None:
        mail = mail.vouched_by
    sender = sole_sender(mail.raw)
    return sender is not None and same_mailbox(seat.address, sender)


def _proved(judge: Judge, mail: StoredMail, seat: Seat) -> bool:
    """Whether a mail without a signed address is proved to be the player's, and of this phase."""
    if not seat.address or not vouched_for(judge, mail, seat.address, f"{mail.recipient.game}@{judge.domain}"):
        return False
    return not _from_before(judge, mail, seat)


def vouched_for(judge: Judge, mail: StoredMail, address: str, ours: str) -> bool:
    """Whether a mail without a signed address is proved to be from ``address``: it is its one From, and the relay, or the
    signature seen at the door, speaks for its domain. ``ours``: the address of ours that it has to be addressed to.
    When it was written, its caller has to ask: a signature stays good for ever."""
    sender = sole_sender(mail.raw)
    if sender is None or not same_address(sender, address):
        return False
    # who got a signed mail of the player's could send it on to us: it has to be addressed to the game
    local, _, domain = ours.rpartition("@")
    if f"{local}@{domain_key(domain)}" not in named_recipients(mail.raw):
        return False
    domain = sender.rpartition("@")[2]
    if judge.trust_authserv:
        # a mail that did not come through the relay bears what its sender wrote into it; a local socket has no peer
        found = trusted(mail.raw, judge.trust_authserv) if mail.peer in ("", *judge.relays) else None
        # a good signature proves no more than it covers: who sends a signed mail on may change the rest
        return found is not None and found.proves(sender) and (found.delivered_by(sender) or covered(mail.raw, domain))
    return any(vouches(signer, domain) for signer in mail.signed_by)


def _from_before(judge: Judge, mail: StoredMail, seat: Seat) -> bool:
    """Whether a mail was written before the phase began in which it came, or doesn't say when: a signature stays good for
    ever, and who has a copy of a signed mail could hand it in again, in another turn."""
    phase = games.open_phase(judge.store, seat.game_id) or games.last_processed(judge.store, seat.game_id)
    if phase is None or mail.received_at < phase.opened_at:
        return False  # it can't be meant for a later phase; what it is late for is told by its receipt
    written = usable(date_of(mail.raw), mail.received_at)
    # a Date has whole seconds
    return written is None or written < phase.opened_at.replace(microsecond=0)
