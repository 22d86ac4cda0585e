"""What is done now and then, whatever comes in: mail of strangers that nothing came of is not kept for ever."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.play.judge import Judge
from judge.store import inbox, outbox

#: Mail that was never confirmed is kept for so long.
UNCONFIRMED_KEPT = timedelta(days=7)


def purge(judge: Judge, now: datetime) -> int:
    """Delete unconfirmed mail of strangers older than seven days, and our answers to it. Returns how many mails went.

    Nothing that belongs to a seat is ever deleted.
    """
    before = now - UNCONFIRMED_KEPT
    with judge.store.transaction():
        gone = inbox.purge_unconfirmed(judge.store, before)
        outbox.purge_strangers(judge.store, before)
    return gone
