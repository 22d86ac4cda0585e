"""Mails of which it is not certain that a player wrote them are held, and the player is asked; YES does all that such a mail
says, as of when it came, and NO drops it.

Nobody can flood a player through us: a seat is asked once a day, and what is held meanwhile is named in the next question,
in one more as the deadline comes near, or in the answer to the player's next YES or NO.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.mail import confirmations
from judge.mail.commands import find_commands
from judge.mail.compose import clean
from judge.mail.kinds import strip_prefixes
from judge.mail.oldstyle import without_passwords
from judge.mail.reading import Incoming
from judge.mail.senders import sender_lines, sole_sender
from judge.mail.sentmail import order_like
from judge.play.judge import Judge, Table, lay_out
from judge.play.posting import write_before_start, write_to_seat
from judge.play.whose import Whose
from judge.render.facts import Common, ConfirmFacts
from judge.render.heldfacts import Decided, HeldLetter
from judge.store import games, heldmail, orders, outbox
from judge.store.db import instant, instant_or_none, stamp
from judge.store.games import MASTER, Game, Seat
from judge.store.heldmail import HeldMail
from judge.store.inbox import StoredMail
from judge.store.outbox import Line

#: A seat is asked no oftener, ...
ASKED_EVERY = timedelta(hours=24)
#: ... but for once more in the last hours before a deadline (of a short phase, in its second half), so that no order is
#: missed without a question; and so many times in a day at most, where phases are short.
LAST_HOURS = timedelta(hours=6)
MOST_QUESTIONS = 4
#: So many mails of ours about held mails go to a seat in a day before an unclear answer brings none.
MOST_TOLD = 6
#: Held mails that one question names.
MOST_NAMED = 10
#: Lines of a held mail that the question shows, and characters of one.
MOST_LINES = 8
LONGEST_LINE = 160
#: ... and of its From.
LONGEST_SENDER = 200


# holding and asking


def hold(judge: Judge, found: Whose, incoming: Incoming, now: datetime) -> str:
    """Hold a mail for the seats that may have written it, inside the caller's transaction, and ask their players. Returns
    the outcome: ``held``, or ``too-early`` for a power's mail before its game has begun, which says nothing yet."""
    mail = found.mail
    game = games.get(judge.store, mail.recipient.game or "")
    phase = games.open_phase(judge.store, game.id)
    if game.state == "forming" and found.seats[0].power != MASTER:
        return "too-early"
    for seat in found.seats:
        heldmail.hold(
            judge.store,
            inbox_id=mail.id,
            game_id=game.id,
            phase_id=phase.id if phase else None,
            power=seat.power,
            sender=_sender(mail.raw),
            why=found.doubt or "not-proved",
            words=_beginning(without_passwords(incoming.player_text)),
            until=phase.deadline if phase else None,
            now=now,
        )
        _ask_if_due(judge, game, seat, now)
    return "held"


def ask_again(judge: Judge, now: datetime) -> int:
    """Ask every seat that has mails of which no question has told, and may be asked again. Returns how many were asked."""
    with judge.store.transaction():
        return sum(_ask_if_due(judge, game, seat, now) for game, seat in _to_ask(judge))


def next_question(judge: Judge, now: datetime) -> datetime | None:
    """The instant from which :func:`ask_again` has somebody to ask, as things are at ``now``, and not before; ``None``: all
    have been asked."""
    return min((max(now, _may_ask_from(judge, game, seat, now)) for game, seat in _to_ask(judge)), default=None)


def _to_ask(judge: Judge) -> list[tuple[Game, Seat]]:
    """The seats that have mails of which no question has told."""
    due = [(games.by_id(judge.store, game_id), power) for game_id, power in heldmail.seats_to_ask(judge.store)]
    return [(game, games.seat(judge.store, game.id, power)) for game, power in due]


def _ask_if_due(judge: Judge, game: Game, seat: Seat, now: datetime) -> bool:
    rows = heldmail.unasked(judge.store, game.id, seat.power)[:MOST_NAMED]
    if not rows or _may_ask_from(judge, game, seat, now) > now:
        return False
    _write(judge, game, seat, rows, (), now, extra=f"ask {rows[-1].number}")
    return True


def _may_ask_from(judge: Judge, game: Game, seat: Seat, now: datetime) -> datetime:
    """When a seat may be asked next, as things are at ``now``: a day after the last question, or as the deadline of the open
    phase comes near, if that is sooner."""
    asked = heldmail.questions_since(judge.store, game.id, seat.power, now - ASKED_EVERY)
    if not asked:
        return now
    a_day_after = asked[-1] + ASKED_EVERY
    phase = games.open_phase(judge.store, game.id)
    if phase is None or phase.deadline is None:
        return a_day_after
    near = phase.deadline - min(LAST_HOURS, (phase.deadline - phase.opened_at) / 2)
    if asked[-1] >= near:
        return a_day_after
    if len(asked) >= MOST_QUESTIONS:
        near = max(near, asked[-MOST_QUESTIONS] + ASKED_EVERY)
    return min(near, a_day_after) if max(near, now) < phase.deadline else a_day_after


def _sender(raw: bytes) -> str:
    """Who a mail says it is from, for a question: the one address, or else the whole of its From."""
    return clean(sole_sender(raw) or "", LONGEST_SENDER) or sender_lines(raw, LONGEST_SENDER)


def _beginning(text: str) -> str:
    """The first of a mail's own words, as much as a question shows of them."""
    lines = text.strip().splitlines()
    shown = [line[:LONGEST_LINE] + ("…" if len(line) > LONGEST_LINE else "") for line in lines[:MOST_LINES]]
    return "\n".join([*shown, "…"] if len(lines) > MOST_LINES else shown)


# answers


@dataclass(frozen=True)
class Answers:
    """What a player's mail says of held mails: what to decide, what to tell, and the lines that say something else."""

    yes: tuple[HeldMail, ...] = ()
    no: tuple[HeldMail, ...] = ()
    told: tuple[Decided, ...] = ()
    open: tuple[HeldMail, ...] = ()
    rest: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.yes or self.no or self.told)


NO_ANSWERS = Answers()


def answers_in(judge: Judge, mail: StoredMail, incoming: Incoming) -> Answers:
    """The answers of a seat's mail. A YES without a number counts in a reply to a question; elsewhere if one mail alone is
    asked about, and neither a question about orders nor orders or commands in the mail are what it may belong to. One with a
    number counts if there is a held mail of that number; any other is a line like all others. A short mail may say it in a
    sentence."""
    said, _ = confirmations.find(incoming.own_lines)
    sentence = None if said else confirmations.sentence(incoming.own_lines)
    game = games.find(judge.store, mail.recipient.game or "") if said or sentence else None
    if game is None:
        return Answers(rest=incoming.own_lines)
    power = mail.recipient.power or ""
    asked = _asked(judge, game, power, incoming)
    replied = bool(asked)
    if not replied and not _asked_else(judge, game, power, incoming):
        asked = heldmail.waiting(judge.store, game.id, power)
    if sentence is not None:
        return _in_a_sentence(judge, game, power, mail, incoming, sentence, asked, replied=replied)
    sure = replied or (len(asked) == 1 and not _questions(judge, game, power) and not _says_more(incoming))
    votes: dict[int, tuple[HeldMail, set[bool]]] = {}
    unclear = False
    rest = []
    for line in incoming.own_lines:
        one = confirmations.parse(line)
        rows = _meant(judge, game, power, one, asked, sure=sure) if one is not None else None
        if one is None or rows is None:
            rest.append(line)
            continue
        unclear = unclear or not rows
        for row in rows:
            votes.setdefault(row.number, (row, set()))[1].add(one.yes)
    waiting = tuple(row for row in asked if row.state == "held") if unclear else ()
    told = [Decided(None, "which" if len(waiting) > 1 else "not-clear")] if unclear else []
    yes: list[HeldMail] = []
    no: list[HeldMail] = []
    for row, both in votes.values():
        if len(both) == 2:
            told.append(Decided(row.number, "unclear"))
        elif row.state != "held":
            told.append(Decided(row.number, f"already-{row.state}"))
        else:
            (yes if True in both else no).append(row)
    return Answers(tuple(yes), tuple(no), tuple(told), waiting, tuple(rest))


def _asked(judge: Judge, game: Game, power: str, incoming: Incoming) -> list[HeldMail]:
    """The mails that the answered question names. By In-Reply-To; without one by the last of References, or, as some
    programs keep neither, by the subject: that of a question about one mail has its number in it."""
    name = incoming.in_reply_to or (incoming.references[-1] if incoming.references else None)
    if name is None:
        text = strip_prefixes(incoming.subject)[0]
        name = outbox.id_of_subject(judge.store, game.id, power, text) if text else None
    return heldmail.asked_about(judge.store, game.id, power, [name]) if name else []


def _meant(
    judge: Judge, game: Game, power: str, said: confirmations.Confirmation, asked: Sequence[HeldMail], *, sure: bool
) -> list[HeldMail] | None:
    """The held mails that a line means; none: it doesn't say which; ``None``: it is no answer. ``sure``: it is one, if any
    mail is asked about."""
    if said.numbers:
        found = [heldmail.numbered(judge.store, game.id, power, number) for number in said.numbers]
        return [row for row in found if row is not None] or None
    if not asked:
        return None
    if not sure:
        return []
    if len(asked) == 1 or not said.yes:
        return list(asked)
    return []


def _says_more(incoming: Incoming) -> bool:
    """Whether there are lines like orders, or commands, in a mail."""
    commands, _ = find_commands(incoming.own_lines)
    return bool(incoming.blocks or commands) or any(map(order_like, incoming.own_lines))


def _questions(judge: Judge, game: Game, power: str) -> bool:
    """Whether the receipt has asked the seat something that a number answers."""
    phase = games.open_phase(judge.store, game.id)
    return phase is not None and bool(orders.open_questions(judge.store, phase.id, power))


def is_asked(judge: Judge, table: Table, power: str) -> bool:
    """Whether the seat has been asked something that it has not answered: which order it means, or whether a mail is its."""
    return bool(
        orders.open_questions(judge.store, table.phase.id, power) or heldmail.waiting(judge.store, table.game.id, power)
    )


def _asked_else(judge: Judge, game: Game, power: str, incoming: Incoming) -> bool:
    """Whether a mail answers one of ours that asked for a YES to something else."""
    if incoming.in_reply_to is None:
        return False
    told = outbox.args_of(judge.store, game.id, power, incoming.in_reply_to).get("answers", ())
    return any("yes" in one.get("args", {}) for one in told)


def _in_a_sentence(
    judge: Judge,
    game: Game,
    power: str,
    mail: StoredMail,
    incoming: Incoming,
    said: confirmations.Sentence,
    asked: Sequence[HeldMail],
    *,
    replied: bool,
) -> Answers:
    """A sentence counts like the word, if one mail alone is asked about and it was that question's answer, or says whose the
    mail is; else whoever wrote it is told what waits. Where nothing waits, it is talk."""
    waiting = [row for row in asked if row.state == "held"]
    if not waiting:
        return Answers(rest=incoming.own_lines)
    sure = said.yes is not None and (replied or (said.plain and not _questions(judge, game, power)))
    if sure and (len(waiting) == 1 or (replied and not said.yes)):
        return Answers(yes=tuple(waiting)) if said.yes else Answers(no=tuple(waiting))
    seat = games.seat(judge.store, game.id, power)
    day_ago = mail.received_at - ASKED_EVERY
    if outbox.count_since(judge.store, seat.address or "", "confirm", day_ago) >= MOST_TOLD:
        return Answers(rest=incoming.own_lines)  # no person answers so often without a clear word
    result = "which" if len(waiting) > 1 else "not-clear"
    return Answers(told=(Decided(None, result),), open=tuple(waiting), rest=incoming.own_lines)


def settle(
    judge: Judge,
    mail: StoredMail,
    incoming: Incoming,
    answers: Answers,
    take: Callable[[HeldMail], str],
    now: datetime,
) -> None:
    """Do what the answers say, inside the caller's transaction. ``take`` does all that a confirmed mail says, and returns
    its outcome. What the mails about that do not tell, a mail of its own does."""
    game = games.get(judge.store, mail.recipient.game or "")
    told = list(answers.told)
    silent = False
    for row in answers.no:
        heldmail.decide(judge.store, row, "dropped", now)
        told.append(Decided(row.number, "dropped"))
    for row in answers.yes:
        # one mail may be held for two seats, and what an earlier answer of this mail did may have settled this one
        if not heldmail.decide(judge.store, row, "confirmed", now):
            told.append(Decided(row.number, "already-dropped"))
            continue
        outcome = take(row)
        silent = silent or outcome in UNANSWERED
        told.append(Decided(row.number, "confirmed"))
    seat = games.seat(judge.store, game.id, mail.recipient.power or "")
    named = [*answers.open, *heldmail.unasked(judge.store, game.id, seat.power)][:MOST_NAMED]
    if named or silent or any(one.result != "confirmed" for one in told):
        told.sort(key=lambda one: one.number or 0)
        _write(judge, game, seat, named, told, now, extra=f"answer {mail.id}", incoming=incoming)


#: Outcomes of a mail that no mail of ours answers.
UNANSWERED = frozenset({"again", "auto-reply", "too-early"})


# a new address


def wants_new_address(incoming: Incoming) -> tuple[bool, tuple[str, ...]]:
    """Whether a mail asks for a new reply address, and its own lines without that."""
    commands, _ = find_commands(incoming.own_lines)
    asking = {command.line for command in commands if command.name == "NEW ADDRESS"}
    return bool(asking), tuple(line for line in incoming.own_lines if line.strip() not in asking)


def renew(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> None:
    """Give the seat a new reply address, inside the caller's transaction: the old one is refused at once, and the registered
    address is told."""
    game = games.get(judge.store, mail.recipient.game or "")
    power = mail.recipient.power or ""
    games.renew_token(judge.store, game.id, power)
    seat = games.seat(judge.store, game.id, power)
    games.log(judge.store, game.id, power, "new-address", {"generation": seat.generation}, now)
    _write(judge, game, seat, (), (), now, extra=f"address {seat.generation}", incoming=incoming, renewed=True)


# the mail


def _write(
    judge: Judge,
    game: Game,
    seat: Seat,
    rows: Sequence[HeldMail],
    told: Sequence[Decided],
    now: datetime,
    *,
    extra: str,
    incoming: Incoming | None = None,
    renewed: bool = False,
) -> None:
    """Put the mail into the outbox: about the open phase, the last one, or the game alone."""
    args: dict[str, Any] = {
        "asked": [
            {
                "number": row.number,
                "arrived": stamp(row.received_at),
                "sender": row.sender,
                "why": row.why,
                "words": row.words,
            }
            for row in rows
        ],
        "told": [[one.number, one.result] for one in told],
        "renewed": renewed,
    }
    answering = incoming.message_id if incoming else None
    table = _table(judge, game)
    until = table.phase.deadline if table else None
    is_open = table is not None and table.phase.state == "open"
    ahead = is_open and until is not None and until > now
    args["by"] = stamp(until) if ahead and until is not None else None
    # the deadline may have passed, or there is none, and the phase not have been run yet
    args["before_run"] = is_open and not ahead and any(until is None or row.received_at <= until for row in rows)
    if table is None:
        name = write_before_start(judge, game, seat, "confirm", args, now, extra=extra, in_reply_to=answering)
    else:
        name = write_to_seat(judge, table, seat, "confirm", args, now, extra=extra, in_reply_to=answering)
    if rows and name is not None:
        heldmail.asked(judge.store, rows, name, now)


def _table(judge: Judge, game: Game) -> Table | None:
    phase = games.open_phase(judge.store, game.id) or games.last_processed(judge.store, game.id)
    return None if phase is None else lay_out(game, phase)


def facts_of(line: Line, common: Common) -> ConfirmFacts:
    """The stored arguments of the mail -> what it is rendered from."""
    args: Mapping[str, Any] = line.args
    return ConfirmFacts(
        common=common,
        asked=tuple(
            HeldLetter(one["number"], instant(one["arrived"]), one["sender"], one["why"], one["words"])
            for one in args["asked"]
        ),
        told=tuple(Decided(number, result) for number, result in args["told"]),
        renewed=args["renewed"],
        by=instant_or_none(args["by"]),
        before_run=args.get("before_run", False),
    )
