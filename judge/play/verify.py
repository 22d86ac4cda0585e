"""Verify a game: read its stored mails again, adjudicate it again from the beginning, and compare with what was stored and
mailed, byte by byte.

What differs is told by what has changed: the stored bytes (``bytes``), the reader of mails (``reader``: the bytes are as
they came, and are read otherwise today), or the rules (``rules``: the orders are as they were, and lead elsewhere today).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from judge import __version__
from judge.errors import BadPosition, NotFound
from judge.play import commitments, correcting, rereading, seating
from judge.play.concluding import called_off, end_by_word
from judge.play.ending import with_clock
from judge.play.judge import Judge, Table, lay_out
from judge.play.onfile import given_orders
from judge.rules import adjudicate
from judge.rules.outcome import Adjudication
from judge.rules.position import starting_position
from judge.store import codec, games, inbox, mastering, readings, seals
from judge.store import commitments as committed
from judge.store.games import Game, PhaseRow
from judge.store.readings import Line, StoredReading
from judge.store.seals import Broken

Kind = Literal["bytes", "reader", "rules"]

#: So many differences of one result are told of.
_MOST_TOLD = 3

#: What is stored and has no seal, and why: a column, or ``table.*``. Every other column of text or bytes is covered, and a
#: test changes a byte of each.
NOT_COVERED: Mapping[str, str] = {
    "asks.*": "what people asked for outside of any game",
    "persons.*": "people outside of any game, who may change all of it",
    "standbys.*": "who stands ready for a seat decides nothing",
    "offers.*": "that a seat was offered is in the log; whose offer it was is forgotten when they wish it",
    "invitations.*": "that somebody was invited is in the log; who it was is forgotten when they wish it",
    "uninvited.*": "who wants no invitation decides nothing",
    "observers.*": "who watches decides nothing",
    "seats.*": "who plays may change at any time, and is forgotten when they wish it; each change is in the log",
    "seat_changes.*": "each change of a seat is in the log; whose mailbox it was is forgotten when they wish it",
    "absences.*": "what they did to a deadline is in the log; whose they are is forgotten when they wish it",
    "absence_moves.*": "each deadline that was put off is in the log; for whom is forgotten when they wish it",
    "forgettings.*": "who wishes to be forgotten decides nothing; what was redacted then is in the log",
    "kept_mails.*": "press is sealed with the mail that it came in, and what waited with the mail that brings it",
    "mail_choices.*": "who wants which mails when decides nothing",
    "duties.*": "whose duty a phase was is forgotten when they wish it; the orders are sealed with the phase",
    "motions.*": "what players decided is in the log, and the mails that asked and voted are sealed",
    "ballots.*": "as motions",
    "wishes.*": "they count once, when the powers are drawn, and the draw is made again from its own row",
    "failed_mails.*": "mails of ours that came back decide nothing",
    "rule_changes.*": "the rules that each phase was played by are sealed with the phase, and each change is in the log",
    "games.schedule": "may be changed at any time; each phase's deadline is sealed with it",
    "games.paused_at": "while it is paused no deadline is told, and each pause is in the log",
    "games.paused_until": "while it is paused no deadline is told, and each pause is in the log",
    "games.comment": "may be changed at any time, and decides nothing",
    "phases.hurried_at": "who had the phase run is in the log and in the results as mailed",
    "phases.hurried_by": "who had the phase run is in the log and in the results as mailed",
    "phases.undone_at": "which phases are undone follows from their numbers and attempts, and is in the log",
    "games.state": "one of a few words, which follows from the phases",
    "inbox.state": "one of a few words; a mail that is not handled has no seal yet",
    "inbox.error": "the kind of a fault before the mail was handled",
    "inbox.retry_at": "when a mail that failed may be tried again",
    "phases.state": "one of a few words, which follows from the result",
    "phases.retry_at": "when a phase that failed may be tried again",
    "held_mails.until": "when its question lapses; what was decided is in the mail that decided it",
    "held_mails.asked_at": "as held_mails.until",
    "held_mails.asked_in": "as held_mails.until",
    "held_mails.state": "as held_mails.until",
    "held_mails.decided_at": "as held_mails.until",
    "later_orders.state": "one of a few words; what came of the lines is on file",
    "questions.state": "one of a few words; what was chosen is on file",
    "outbox.address": "the frozen bytes name it; who is forgotten loses it",
    "outbox.state": "how far the delivery is",
    "outbox.next_attempt": "how far the delivery is",
    "outbox.sent_at": "how far the delivery is",
    "outbox.reply": "what the relay said",
    "outbox.error": "what the relay said",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it was: what has changed, and the sentence that names it, in English for the operator."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def verify_game(judge: Judge, game: Game) -> list[Fault]:
    """All that differs; empty: every mail is read as it was, every phase leads where it led, every byte is as it was.

    Never raises for what is stored: bytes that nothing can be made of are a fault like others.
    """
    changed = seals.broken(judge.store, game.id)
    faults = [Fault("bytes", _told(judge, game, one)) for one in changed]
    steps: list[tuple[str, Callable[[], Iterable[Fault]]]] = [
        ("the seals", lambda: _seals(judge, game)),
        ("the mails that came in", lambda: _mails(judge, game)),
        ("the commitments", lambda: _commitments(judge, game)),
        ("the draw of powers", lambda: _draw(judge, game)),
        ("the phases", lambda: _phases(judge, game, {one.ref for one in changed if one.what == "phase"})),
        ("the orders on file", lambda: _origins(judge, game)),
        ("how the mails were read", lambda: _readings(judge, game)),
    ]
    for what, step in steps:
        try:
            faults += step()
        except Exception as fault:  # any byte may have been changed, so anything may come of it
            faults.append(Fault("bytes", f"{what}: what is stored makes no sense ({type(fault).__name__})"))
    return faults


def older_than_seals(judge: Judge, game: Game) -> int:
    """How many rows of a game have no seal because they were written before there were any: of their bytes nothing is
    known."""
    return seals.without(judge.store, game.id)[1]


def redactions(judge: Judge, game: Game) -> list[str]:
    """What of a game was redacted when, since a player wished to be forgotten; it is no fault, and sealed as it is since."""
    told = []
    for line in mastering.logged(judge.store, game.id, ("redacted",), _MOST_REDACTIONS):
        counts = [f"{len(line.facts[what])} {word}" for what, word in _REDACTED.items() if line.facts[what]]
        unread = line.facts["unread"]
        kept = f"; of {len(unread)} of them no word could be kept, and they are not read again" if unread else ""
        told.append(f"redacted at the player's wish ({line.facts['who']}, {line.at:%Y-%m-%d}): {', '.join(counts)}{kept}")
    return told


_REDACTED = {
    "mail": "mails that came in",
    "sent": "outgoing mails",
    "log": "lines of the log",
    "phase": "phases",
    "end": "end of the game",
}
#: each player of a game, and each who watched it, may wish it once
_MOST_REDACTIONS = 1000


def _unread(judge: Judge, game: Game) -> frozenset[int]:
    """Mails of which nothing is left that could be read again."""
    lines = mastering.logged(judge.store, game.id, ("redacted",), _MOST_REDACTIONS)
    return frozenset(number for line in lines for number in line.facts["unread"])


# what was changed


def _told(judge: Judge, game: Game, one: Broken) -> str:
    tables = ", ".join(one.tables)
    if one.gone:
        return f"{_name_of(judge, one)} is gone"
    if one.what == "mail":
        return f"mail {one.ref}: what is stored of it ({tables}) is not what was stored when it was taken in: hash differs"
    if one.what == "phase":
        return f"{_name_of(judge, one)}: what is stored of it ({tables}) is not what it was processed with: hash differs"
    if one.what == "sent":
        return f"{_name_of(judge, one)}: what is stored of it is not what was frozen and mailed: hash differs"
    if one.what == "end":
        return f"how {game.name} ended is not stored as it was: hash differs"
    return f"{_name_of(judge, one)} is not as it was written: hash differs"


def _name_of(judge: Judge, one: Broken) -> str:
    if one.what == "phase" and not one.gone:
        try:
            return _named(games.phase(judge.store, one.ref))
        except ValueError:
            return f"phase {one.ref}"
    words = {"mail": "mail", "phase": "phase", "sent": "outgoing mail", "log": "line {} of the log", "end": "the game"}
    word = words[one.what]
    return word.format(one.ref) if "{}" in word else f"{word} {one.ref}"


def _named(phase: PhaseRow) -> str:
    return phase.name if phase.attempt == 1 else f"{phase.name} (attempt {phase.attempt})"


def _seals(judge: Judge, game: Game) -> Iterator[Fault]:
    broken = seals.broken_chain(judge.store, game.id)
    if broken is not None:
        yield Fault("bytes", f"seal {broken} does not follow from the one before it: a seal was changed, or one is gone")
    if seals.cut_off(judge.store):
        yield Fault("bytes", "the latest seals of the database are gone")
    for what, ref in seals.without(judge.store, game.id)[0]:
        yield Fault("bytes", f"{what} {ref} has no seal, though earlier ones have: its seal is gone, or it was put in")


def _mails(judge: Judge, game: Game) -> Iterator[Fault]:
    for number in inbox.ids_of_game(judge.store, game.name):
        if inbox.changed_bytes(judge.store, number):
            yield Fault("bytes", f"the stored bytes of mail {number} are not those that came: hash differs")


def _commitments(judge: Judge, game: Game) -> Iterator[Fault]:
    mailed = committed.mailed(judge.store, game.id)
    for phase in games.all_phases(judge.store, game.id):
        for one in committed.of_phase(judge.store, phase.id):
            whose = f"{_named(phase)}: the commitment of receipt {one.number} of {one.power}"
            if commitments.digest(commitments.text_of(judge, game.name, phase, one)) != one.hash:
                yield Fault("bytes", f"{whose} is not the hash of the orders that are stored with it")
            if mailed.pop((phase.id, one.power, one.number), one.hash) != one.hash:
                yield Fault("bytes", f"{whose} is not the one that was mailed")
    for _, power, number in mailed:
        yield Fault("bytes", f"the commitment of receipt {number} of {power} was mailed and is not stored")


def _draw(judge: Judge, game: Game) -> Iterator[Fault]:
    try:
        drawn = seating.draw_view(judge, game)
    except NotFound:
        return
    if not drawn["as_stored"]:
        yield Fault("bytes", "the powers, drawn again with the stored seed and wishes, fall otherwise than stored")


# the rules


def _phases(judge: Judge, game: Game, changed: set[int]) -> Iterator[Fault]:
    """Each phase must begin with the position that the one before it led to, and its orders must lead to its result; so must
    those that were undone."""
    end: str | None = None
    seen: dict[tuple[int, int], PhaseRow] = {}
    for phase in games.all_phases(judge.store, game.id):
        if phase.position != _position_at_first(judge, game, phase, seen):
            yield Fault("bytes", f"{_named(phase)}: does not begin with the position that the phase before it led to")
        seen[phase.number, phase.attempt] = phase
        if phase.result is None:
            continue
        again = _again(judge, game, phase)
        if codec.adjudication_to_text(again) != phase.result:
            what = _differences(json.loads(phase.result), json.loads(codec.adjudication_to_text(again)))
            yield Fault("bytes" if phase.id in changed else "rules", f"{_named(phase)}: {what}")
        if phase.undone_at is None:
            stored = codec.adjudication_from_text(phase.result, lay_out(game, phase).board).end
            end = None if stored is None else codec.end_to_text(stored)
    if game.state == "ended" and game.ending != end:
        yield Fault("bytes", f"{game.name} is stored as ended otherwise than its last phase says")


def _position_at_first(judge: Judge, game: Game, phase: PhaseRow, seen: Mapping[tuple[int, int], PhaseRow]) -> str | None:
    """The position that a phase must begin with: the one that the phase before led to, or that it began with before it was
    played anew, corrected as its master did; ``None``: nothing leads to it. ``seen``: the phases opened before, by number
    and attempt."""
    before = seen.get((phase.number - 1, phase.attempt))
    earlier = [seen[key] for key in sorted(seen) if key[0] == phase.number and key[1] < phase.attempt]
    table = lay_out(game, phase)
    if before is not None and before.result is not None:
        position = codec.adjudication_from_text(before.result, table.board).position
    elif before is None and earlier:
        position = codec.position_from_text(earlier[-1].position)
    elif before is None and phase.number == 1:
        position = starting_position(table.board)
    else:
        return None
    try:
        for one in mastering.corrections(judge.store, phase.id):
            position = correcting.changed(table.board, position, one.changes, table.rules)
    except BadPosition:
        return None
    return codec.position_to_text(position)


def _again(judge: Judge, game: Game, phase: PhaseRow) -> Adjudication:
    """What comes of a phase today, by the orders that are stored."""
    table = lay_out(game, phase)
    if phase.called_off:
        return _called_off_again(table, phase)
    adjudication = adjudicate(table.board, table.position, given_orders(judge.store, table), table.rules)
    if phase.processed_at is not None:
        ran = (phase.processed_at, phase.deadline)
        adjudication = with_clock(table.board, table.rules, game.started_at, adjudication, *ran)
    return adjudication


def _called_off_again(table: Table, phase: PhaseRow) -> Adjudication:
    """The end alone, with the centres as they stood: who won was somebody's word, and is in the log."""
    end = codec.adjudication_from_text(phase.result or "", table.board).end
    assert end is not None  # else nothing had called the phase off
    return called_off(table, end_by_word(table, end.ended_by, end.winners))


def _differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What came of the orders today and then, as far as it differs."""
    before, after = (
        {(one["power"], one["order"], _at(one)): one["result"] for one in result["outcomes"]} for result in (then, now)
    )
    told = [
        f"{order or at} of {power}: today {after.get((power, order, at), 'nothing')},"
        f" then {before.get((power, order, at), 'nothing')}"
        for power, order, at in dict.fromkeys([*before, *after])
        if before.get((power, order, at)) != after.get((power, order, at))
    ]
    more = f" and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
    if not told:
        parts = [name for name in now if now[name] != then.get(name)]
        return f"adjudicated today it leads elsewhere than then: {', '.join(parts) or 'in other bytes'}"
    return f"adjudicated today: {'; '.join(told[:_MOST_TOLD])}{more}"


def _at(outcome: Mapping[str, Any]) -> str:
    return "" if outcome["unit"] is None else str(outcome["unit"]["at"])


# the reader


def _origins(judge: Judge, game: Game) -> Iterator[Fault]:
    """Each order on file must be one that its mail was read as, or the choice of a question that its power was asked."""
    asked = readings.choices(judge.store, game.id)
    said: dict[int, set[str]] = {}
    for phase_id, power, text, mail in readings.orders_by_mail(judge.store, game.id):
        if mail not in said:
            said[mail] = {one for read in readings.of_mail(judge.store, mail) for line in read.lines for one in line[2]}
        if readings.of_mail(judge.store, mail) and not (text in said[mail] or text in asked.get(power, ())):
            name = _named(games.phase(judge.store, phase_id))
            yield Fault("bytes", f"{name}: {text} of {power} is stored as an order of mail {mail}, which did not say so")


def _readings(judge: Judge, game: Game) -> Iterator[Fault]:
    unread = _unread(judge, game)
    for phase in games.all_phases(judge.store, game.id):
        for then in readings.of_phase(judge.store, phase.id):
            if then.inbox_id not in unread and not inbox.changed_bytes(judge.store, then.inbox_id):
                yield from _reading(judge, phase, then)


def _reading(judge: Judge, phase: PhaseRow, then: StoredReading) -> Iterator[Fault]:
    today = rereading.today(judge, then)
    if today != then.lines:
        versions = "" if then.version == __version__ else f" (the judge was {then.version}, and is {__version__})"
        said = f"read today as {_said(today, then.lines)}, then as {_said(then.lines, today)}"
        yield Fault("reader", f"mail {then.inbox_id} ({then.power}, {_named(phase)}): {said}{versions}")


def _said(lines: Iterable[Line], other: Iterable[Line]) -> str:
    """The orders of the lines that are read in one way and not in the other."""
    known = set(other)
    told = [", ".join(texts) or f"no order ({kind})" for line, kind, texts in lines if (line, kind, texts) not in known]
    return "; ".join(told[:_MOST_TOLD]) or "nothing more"
