"""Mail that no seat is known to have written: the manual, or answers to what anybody may ask of ``judge@DOMAIN``.

Nothing is known of the sender but what the mail says, so that an answer tells only what everybody may know, holds no word of
the mail, and goes out so often a day and no more: whoever forges an address cannot flood it through us.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from judge.mail.compose import wire_address
from judge.mail.learned import language_of, zone_of
from judge.mail.reading import Incoming
from judge.mail.senders import mailbox_key
from judge.play import callers
from judge.play.judge import Judge
from judge.play.posting import write_to_stranger
from judge.store import outbox
from judge.store.db import stamp
from judge.store.inbox import StoredMail

#: The manual goes to an address once in this time.
MANUAL_EVERY = timedelta(hours=24)
#: What a machine makes anew in its address for each mail: a detail, a number or a hash beside a name. What is an address by
#: itself (12345678@), or is glued to a name (anna1985@), tells people apart.
_VARIES = re.compile(
    r"[+=].*|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?<=[-_])\d{3,}(?=[-_.]|\Z)|\A\d{3,}(?=[-_])"
    r"|(?:(?<=[-_.])(?=[a-f]{0,64}\d)[0-9a-f]{8,64}(?=[-_.]|\Z)|\A(?=[a-f]{0,64}\d)[0-9a-f]{8,64}(?=[-_.]))"
)


def answer(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """Answer a mail of no known seat, inside the caller's transaction; never one of a machine, or of ourselves. Returns the
    outcome: ``command``, ``asked`` or ``unconfirmed``."""
    address = answer_address(judge, incoming)
    if address is None or incoming.automatic:
        return "unconfirmed"
    if mail.recipient.kind == "judge":
        outcome = callers.answer(judge, mail, incoming, address, now)
        if outcome is not None:
            return outcome
    if not (_told_lately(judge, address, "help", now) or _answers_a_manual(judge, incoming)):
        args = {"game": mail.recipient.game, "subject": incoming.subject}
        language = language_of(mail.raw, "\n".join((incoming.subject_text, incoming.player_text)))
        reader = {"language": language, "timezone": zone_of(mail.raw, language)}
        write_to_stranger(judge, address, "help", args, now, extra=stamp(now), in_reply_to=incoming.message_id, **reader)
    return "unconfirmed"


def answer_address(judge: Judge, incoming: Incoming) -> str | None:
    """Where an answer to a mail without a seat may go: its sender, if that is one whole address, mail can be sent to it
    and it is none of ours. Never its Reply-To: that may name anybody, whom we would then write to."""
    try:
        address = wire_address(incoming.sender or "")
    except ValueError:
        return None
    return None if address.lower().endswith("@" + judge.domain.lower()) else address


def _told_lately(judge: Judge, address: str, event: str, now: datetime) -> bool:
    """Whether a mail of that event went within the day to the address, or to one that differs from it by a number: some
    machines have an address for each mail that they answer."""
    last = outbox.last_to(judge.store, address, event)
    if last is not None and now - last < MANUAL_EVERY:
        return True
    told = outbox.addresses_since(judge.store, event, "@" + address.rpartition("@")[2], now - MANUAL_EVERY)
    return _stem(address) in map(_stem, told)


def _stem(address: str) -> str:
    address = mailbox_key(address) or address
    local, _, domain = address.lower().rpartition("@")
    return f"{_VARIES.sub('#', local)}@{domain}" if _VARIES.search(local) else address.lower()


def _answers_a_manual(judge: Judge, incoming: Incoming) -> bool:
    """Whether a mail answers a manual that we sent: the writer, if a person, has it."""
    names = [name for name in (incoming.in_reply_to, *incoming.references[-5:]) if name]
    return any(outbox.event_of(judge.store, name) == "help" for name in names)
