"""The door's two questions: is this an address of ours, and keep this mail. Nothing of a mail is understood here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from judge.mail import addresses
from judge.mail.hashing import content_hash, header_fields, split_message
from judge.mail.masking import mask
from judge.play.judge import Judge
from judge.store import games, inbox
from judge.store.inbox import Kept, Recipient


def recipient(judge: Judge, address: str) -> Recipient | None:
    """Whom an address stands for, or ``None``: nobody here (550 at RCPT).

    Every seat of the game is compared, each in constant time, so that the answer's delay tells nothing about a token.
    """
    meant = addresses.parse(address, judge.domain, judge.separator)
    if meant is None:
        return None
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
        for seat in games.seats(judge.store, game.id)
        if check(meant.token, game.name, seat.power, seat.generation)
    ]
    return Recipient(meant.kind, game.name, fitting[0], game.name) if fitting else None


def keep(
    judge: Judge, raw: bytes, *, envelope_from: str, recipients: Sequence[Recipient], peer: str, now: datetime
) -> list[Kept]:
    """Commit a mail for its recipients; when this returns, 250 may be said. ``now`` is the instant of its arrival.

    What is stored has every token cut out, so that a copy of the database lets nobody order.
    """
    live = live_tokens(judge, {to.game for to in recipients if to.game})
    masked = mask(raw, live.__contains__, domain=judge.domain)
    sender = mask(envelope_from.encode("utf-8", "surrogateescape"), live.__contains__, domain=judge.domain)
    return inbox.keep(
        judge.store,
        raw=masked,
        envelope_from=sender.decode("utf-8", "replace"),
        recipients=recipients,
        received_at=now,
        content_hash=content_hash(masked),
        message_id=_message_id(masked),
        peer=peer,
    )


def live_tokens(judge: Judge, names: Iterable[str]) -> frozenset[str]:
    """The tokens of all seats of these games, those of reply addresses and those of envelope addresses."""
    tokens: set[str] = set()
    for name in names:
        game = games.find(judge.store, name)
        for seat in games.seats(judge.store, game.id) if game else ():
            tokens.add(judge.keys.token(name, seat.power, seat.generation))
            tokens.add(judge.keys.bounce_token(name, seat.power, seat.generation))
    return frozenset(tokens)


def _message_id(raw: bytes) -> str | None:
    """The mail's own Message-ID, if it has one of sane length."""
    for name, value in header_fields(split_message(raw)[0]):
        if name == "message-id" and 0 < len(value) <= 998:
            return value.decode("utf-8", "replace")
    return None
