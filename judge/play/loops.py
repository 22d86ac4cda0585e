"""When nobody waits for an answer: two machines that answer each other would never stop.

Most machines say that they are one, in headers or by their words (:mod:`judge.mail.kinds`). What is left are broken ones. A
mail that says nothing for the judge is therefore answered once; not again if it says the same, answers our answer, or comes
hard upon it; and three such mails a day never bring three answers. A line that has the look of an order is always answered,
one that speaks of places and of what units do once in a phase. While a question waits for its answer, short mails are
answered too, as whoever wrote one may believe to have answered it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import datetime, timedelta
from itertools import pairwise

from judge.mail.kinds import strip_prefixes
from judge.mail.reading import Incoming
from judge.store import Store, inbox, outbox
from judge.store.inbox import StoredMail

#: So long a mail that said nothing is remembered.
DAY = timedelta(days=1)
#: No person reads an answer, thinks, and writes that a second time has nothing for the judge so soon.
AT_ONCE = timedelta(minutes=10)
#: So many mails without anything for the judge are answered in a day, whatever they say.
MOST_A_DAY = 2
#: ... and so many that speak of orders without being any.
MOST_OF_ORDERS = 12
#: A mail of so many letters may be somebody's answer to a question.
SHORT = 120
#: So many mails with the same words in a row, each so soon after the one before, are a machine's, orders or not.
SPINNING = 5
SPINNING_WITHIN = timedelta(minutes=2)
#: Outcomes of mails that said nothing for the judge, and were answered.
_IDLE = ("nothing", "empty")
_IDLE_OVER = (*_IDLE, "over")
#: a word that a machine makes anew each time; the number of a choice is none
_VARIES = re.compile(r"\d\D?\d\D?\d|@|://")


def words_key(incoming: Incoming) -> str:
    """What tells that two mails say the same words, without keeping them twice: numbers, dates, addresses and the subject
    aside, as machines put in what they answer, when, and a number of their own."""
    text = _folded(incoming.player_text)
    subject = _folded(strip_prefixes(incoming.subject)[0])
    if len(subject) > 3:
        text = text.replace(subject, " ")
    words = ["#" if _VARIES.search(word) else word.strip(".,;:!?()[]<>\"'“”") for word in text.split()]
    return hashlib.sha256(" ".join(words).encode("utf-8", "replace")).hexdigest()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def nobody_waits(
    store: Store,
    mail: StoredMail,
    incoming: Incoming,
    *,
    over: bool = False,
    concerns_orders: datetime | None = None,
    asked: bool = False,
) -> bool:
    """Whether a mail that says nothing for the judge needs no answer: it is a machine's by its words, or by what came from
    its seat before. ``over``: the game has ended, and every mail is answered with how it did. ``concerns_orders``: it speaks
    of them after all, or something in it could not be used; whoever wrote so waits to be told, unless that was told of the
    same words since then (when the phase began). ``asked``: the seat has been asked something that it has not answered yet,
    and the few words of a short mail may have been meant as the answer."""
    if incoming.automatic:
        return True
    day_ago = mail.received_at - DAY
    if asked and len(incoming.player_text) <= SHORT:
        return len(inbox.outcomes_since(store, mail, _IDLE, day_ago)) >= MOST_OF_ORDERS
    since = day_ago if concerns_orders is None else max(day_ago, concerns_orders)
    if incoming.player_text.split() and inbox.said_before(store, mail, words_key(incoming), since):
        return True
    before = inbox.outcomes_since(store, mail, _IDLE_OVER if over else _IDLE, day_ago)
    if concerns_orders is not None:
        return len(before) >= MOST_OF_ORDERS
    if len(before) >= MOST_A_DAY:
        return True
    if not over and any(mail.received_at - one.received_at < AT_ONCE for one in before):
        return True
    answers = outbox.answers_to(store, mail.recipient.game or "", [one.message_id for one in before if one.message_id])
    named = {incoming.in_reply_to, *incoming.references[-1:], _folded(strip_prefixes(incoming.subject)[0])}
    return any(answer in named or _folded(subject) in named for answer, subject in answers)


def answered_today(store: Store, mail: StoredMail) -> bool:
    """Whether a seat's mail that said nothing for sure was answered within the day."""
    return bool(inbox.outcomes_since(store, mail, _IDLE, mail.received_at - DAY))


def spinning(store: Store, mail: StoredMail, incoming: Incoming) -> bool:
    """Whether a seat sends the same words again and again, faster than anybody writes: what they say is done, and not
    answered any more."""
    if incoming.press:
        return False  # so much of it a day is passed on, and it is told what was not
    last = inbox.last_of_seat(store, mail, SPINNING - 1)
    times = [mail.received_at, *(one.received_at for one in last)]
    return (
        len(last) == SPINNING - 1
        and all(one.words == words_key(incoming) for one in last)
        and all(later - earlier < SPINNING_WITHIN for later, earlier in pairwise(times))
    )
