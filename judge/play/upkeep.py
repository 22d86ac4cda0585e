"""What is done now and then, whatever comes in: mail of strangers that nothing came of is not kept for ever."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.play.judge import Judge
from judge.store import heldmail, inbox, invitations, outbox, people

#: Mail to ``judge@`` and ``GAME@``, and mail of ours that came back: nothing of it counts.
STRANGERS_KEPT = timedelta(days=7)
#: Mail to postmaster and its like, and the copies that went on to the operator.
OPERATORS_KEPT = timedelta(days=90)
#: So long an invitation into a game waits for its answer.
INVITATIONS_OPEN = timedelta(days=14)


def purge(judge: Judge, now: datetime) -> int:
    """Delete mail that belongs to no seat when its time is over, and our answers to it. Returns how many mails went.

    Nothing that belongs to a seat is ever deleted, and nothing that still waits.
    """
    with judge.store.transaction():
        heldmail.forget(judge.store, now - STRANGERS_KEPT)
        gone = inbox.purge(judge.store, ("game", "judge", "bounce"), now - STRANGERS_KEPT)
        gone += inbox.purge(judge.store, ("operator",), now - OPERATORS_KEPT)
        outbox.purge(judge.store, outbox.TO_STRANGERS, now - STRANGERS_KEPT)
        invitations.lapse(judge.store, now - INVITATIONS_OPEN, now)
        people.purge(judge.store, now - STRANGERS_KEPT)
        outbox.purge(judge.store, ("forward",), now - OPERATORS_KEPT)
    return gone
