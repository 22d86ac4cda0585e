"""Whether a mail comes out of turn: after the deadline, in answer to an earlier phase, or written before what is held.

Such a mail changes nothing by itself; the receipt says so, and asks where its orders would still make sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from judge.mail.kinds import strip_prefixes
from judge.mail.message_ids import Answered, find_answered
from judge.mail.reading import Incoming
from judge.play.judge import Judge, Table
from judge.store import games, orders, outbox
from judge.store.games import PhaseRow
from judge.store.inbox import StoredMail

#: No mail is older than mail itself: an earlier Date says nothing.
_FIRST_MAIL = datetime(1971, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """Why a mail changes nothing. ``phase`` is the one it was meant for; ``held_since`` the Date of what it would undo."""

    kind: Literal["after-deadline", "earlier-phase", "older-date"]
    phase: PhaseRow
    held_since: datetime | None = None


def meant_for_another(judge: Judge, mail: StoredMail, incoming: Incoming, table: Table, power: str) -> PhaseRow | None:
    """The phase that this mail of ``power`` (or the master) is about, if it is another than the open one."""
    answered = _answered_phase(judge, incoming, table, power)
    if answered is None and mail.received_at < table.phase.opened_at:
        # it came before this phase began and was read after: whatever it says was meant for the one open then
        answered = games.open_at(judge.store, table.game.id, mail.received_at)
    return None if answered is None or answered.id == table.phase.id else answered


def out_of_turn(judge: Judge, mail: StoredMail, incoming: Incoming, table: Table, power: str) -> OutOfTurn | None:
    """Why this mail of ``power`` comes out of turn, or ``None`` if it counts for the open phase."""
    other = meant_for_another(judge, mail, incoming, table, power)
    if other is not None:
        return OutOfTurn("earlier-phase", other)
    deadline = table.phase.deadline
    if deadline is not None and mail.received_at > deadline:
        return OutOfTurn("after-deadline", table.phase)
    held_since = orders.standing(judge.store, table.phase.id, power).orders_date
    written = written_at(mail, incoming)
    if held_since is not None and written is not None and written < held_since:
        return OutOfTurn("older-date", table.phase, held_since)
    return None


def written_at(mail: StoredMail, incoming: Incoming) -> datetime | None:
    """When the mail was written, by its Date: never after it arrived (a phone's clock may be set to next year)."""
    return usable(incoming.date, mail.received_at)


def usable(date: datetime | None, received_at: datetime) -> datetime | None:
    """A mail's Date, if it says anything, and never after the mail arrived."""
    return None if date is None or date < _FIRST_MAIL else min(date, received_at)


def _answered_phase(judge: Judge, incoming: Incoming, table: Table, power: str) -> PhaseRow | None:
    """The phase whose mail is answered, as far as the mail says so and there is such a phase."""
    answered = _answered(judge, incoming, table, power)
    if answered is None or answered.game != table.game.name:
        return None
    if _is_named(table.phase, answered):
        return table.phase
    fitting = [phase for phase in games.all_phases(judge.store, table.game.id) if _is_named(phase, answered)]
    return fitting[-1] if fitting else None


def _answered(judge: Judge, incoming: Incoming, table: Table, power: str) -> Answered | None:
    """What is answered: by In-Reply-To and References; by a subject line of ours, which some programs alone keep (a
    result's names the phase that is over and asks for the next, so the mail is looked up); else by what it says."""
    by_header = find_answered(incoming.in_reply_to, incoming.references, "", domain=judge.domain)
    if by_header is not None:
        return by_header
    text = strip_prefixes(incoming.subject)[0]
    sent = outbox.id_of_subject(judge.store, table.game.id, power, text) if text else None
    if sent is not None:
        return find_answered(sent, (), "", domain=judge.domain)
    return find_answered(None, (), incoming.subject, domain=judge.domain)


def _is_named(phase: PhaseRow, answered: Answered) -> bool:
    """Whether ``answered`` names ``phase``: a subject line names neither attempt nor always the kind of phase."""
    partly = len(answered.phase) < len(phase.name) and phase.name.startswith(answered.phase)
    named = partly or phase.name == answered.phase
    return named and answered.attempt in (0, phase.attempt)
