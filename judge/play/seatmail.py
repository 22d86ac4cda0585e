"""A mail to a seat's signed address: commands and orders for the open phase, and the receipt that answers it.

What it may not do: apply orders that answer an earlier phase's mail, orders that came after the deadline, or orders written
before those that are held. Such orders are kept for the record, and the receipt says why they were not used, or asks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.mail.commands import Command, find_commands
from judge.mail.kinds import strip_prefixes
from judge.mail.message_ids import Answered, find_answered
from judge.mail.reading import Incoming
from judge.mail.sentmail import order_like
from judge.notation import Context, Reading, parse_canonical, read_lines, write
from judge.play.duplicates import settle
from judge.play.filing import FileState, file_orders, file_state, set_run_at, slot_of
from judge.play.judge import Judge, Table, lay_out, open_table
from judge.play.posting import thread, write_to_seat
from judge.play.receipts import Draft, Why, late_args
from judge.render.facts import CommandDone
from judge.rules.orders import Order
from judge.store import codec, games, inbox, orders, outbox
from judge.store.db import stamp
from judge.store.games import Game, PhaseRow, Seat
from judge.store.inbox import StoredMail
from judge.store.orders import HeldOrder
from judge.variants.names import load_names

#: So many doubtful lines of one mail are looked at.
_MOST_DOUBTS = 50
_NUMBER = re.compile(r"[\s>*.#(\[]*(\d{1,2})[\s.)\]!]*\Z")


def handle(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """Do what a seat's mail says and write its receipt, inside the caller's transaction. Returns the outcome:
    ``orders``, ``command``, ``answer``, ``late``, ``asked``, ``empty``, ``nothing``, ``over``, ``too-early``."""
    game = games.get(judge.store, mail.recipient.game or "")
    seat = games.seat(judge.store, game.id, mail.recipient.power or "")
    table = open_table(judge.store, game)
    if table is None:
        return _no_phase(judge, game, seat, mail, incoming, now)
    return _SeatMail(judge, mail, incoming, now, table, seat).handle()


def words_key(words: Sequence[str]) -> str:
    """What tells that two mails say the same words, without keeping them twice."""
    return hashlib.sha256(" ".join(words).casefold().encode("utf-8", "replace")).hexdigest()


def any_table(judge: Judge, game: Game) -> Table | None:
    """The open phase's table, or that of the last one of a game that has ended; ``None`` before the start."""
    phase = games.open_phase(judge.store, game.id) or games.last_processed(judge.store, game.id)
    return None if phase is None else lay_out(game, phase)


def _no_phase(judge: Judge, game: Game, seat: Seat, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """The game has ended (the answer is its final standing), or not begun (nothing to say yet: the start mail comes)."""
    table = any_table(judge, game)
    if table is None:
        return "too-early"
    commands, _ = find_commands(incoming.own_lines)
    if any(command.name == "RULES" for command in commands):
        write_to_seat(judge, table, seat, "rules", {}, now, extra=str(mail.id), **_threading(judge, game, seat, incoming))
        return "over"
    write_to_seat(judge, table, seat, "end", {}, now, extra=str(mail.id), **_threading(judge, game, seat, incoming))
    return "over"


def _threading(judge: Judge, game: Game, seat: Seat, incoming: Incoming) -> dict[str, Any]:
    """In-Reply-To and References of the answer to a mail."""
    return {
        "in_reply_to": incoming.message_id,
        "references": (*thread(judge, game, seat), *incoming.references),
    }


class _SeatMail:
    """One mail on its way to orders and a receipt."""

    def __init__(self, judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime, table: Table, seat: Seat) -> None:
        self.judge, self.store = judge, judge.store
        self.mail, self.incoming, self.now = mail, incoming, now
        self.table, self.seat, self.power = table, seat, seat.power
        self.draft = Draft(subject=incoming.subject)
        self.voided: set[str] = set()
        self.gave_way: list[tuple[str, str]] = []
        self.before = file_state(self.store, table, self.power)

    def handle(self) -> str:
        """Read all of it first; then commands, answers and orders in turn; at the end one receipt for all of it."""
        commands, lines = find_commands(self.incoming.own_lines)
        numbers, lines = self.numbers(lines)
        readings = read_lines(lines, self.context(self.table))
        meant = any(reading.kind != "not-an-order" for reading in readings)
        if not (commands or numbers or meant) and self.nobody_waits_for_an_answer():
            return "auto-reply" if self.incoming.automatic else "again"
        # CLEAR is about what was held before this mail, READY and WAIT about what is held after it
        self.obey([c for c in commands if c.name == "CLEAR"])
        self.answers(numbers)
        outcome = self.orders(lines, readings)
        self.obey([c for c in commands if c.name != "CLEAR"])
        self.note_what_was_left()
        if outcome == "nothing":
            outcome = "command" if commands else "answer" if numbers else "nothing"
            self.draft.empty = not (commands or numbers or self.draft.not_used or self.draft.questions)
            outcome = "empty" if self.draft.empty else outcome
        set_run_at(self.store, self.table, self.now)
        if any(command.name == "RULES" for command in commands):
            self.answer("rules", {}, str(self.mail.id))
        if outcome != "command" or any(command.name != "RULES" for command in commands) or self.draft.not_used:
            self.write_receipt()
        return outcome

    def nobody_waits_for_an_answer(self) -> bool:
        """A machine by its wording, or somebody (a machine, most likely) who says the very same words again."""
        words = self.incoming.player_text.split()
        return self.incoming.automatic or (bool(words) and inbox.said_before(self.store, self.mail, words_key(words)))

    # commands

    def obey(self, commands: Sequence[Command]) -> None:
        """Carry out the commands of the mail, in order."""
        for command in commands:
            self.draft.commands.append(self._obey(command.name))

    def _obey(self, name: str) -> CommandDone:
        standing = orders.standing(self.store, self.table.phase.id, self.power)
        if name == "CLEAR":
            if self.too_late() is not None:
                return CommandDone("CLEAR", "refused")
            count = orders.drop(self.store, self.table.phase.id, self.power)
            orders.drop_questions(self.store, self.table.phase.id, self.power)
            orders.set_standing(self.store, self.table.phase.id, self.power, orders.Standing(wait=standing.wait))
            self.before = file_state(self.store, self.table, self.power)
            return CommandDone("CLEAR", "done" if count else "nothing", count)
        if name in ("READY", "WAIT"):
            wanted = replace(standing, ready=name == "READY", wait=name == "WAIT")
            if wanted == standing:
                return CommandDone(name, "nothing")
            orders.set_standing(self.store, self.table.phase.id, self.power, wanted)
        return CommandDone(name)

    # answers to questions

    def numbers(self, lines: Sequence[str]) -> tuple[list[int], list[str]]:
        """The lines that are the number of an open choice, and the others."""
        choices = self.open_choices()
        numbers: list[int] = []
        rest: list[str] = []
        for line in lines:
            found = _NUMBER.match(line)
            if found and int(found[1]) in choices:
                numbers.append(int(found[1]))
            else:
                rest.append(line)
        return numbers, rest

    def answers(self, numbers: Sequence[int]) -> None:
        """Do what was chosen. A second number for a question that is answered already changes nothing."""
        for number in numbers:
            choice = self.open_choices().get(number)
            if choice is None:
                continue
            question_id, index, texts = choice
            if self.too_late() is not None:
                return
            orders.answer(self.store, question_id, index)
            if texts:
                self.file([parse_canonical(text, self.table.board) for text in texts], list(texts))

    def open_choices(self) -> dict[int, tuple[int, int, tuple[str, ...]]]:
        """Number -> (question, index of the choice, its orders). Numbers never repeat in a phase."""
        return {
            question.first + index: (question.id, index, texts)
            for question in orders.open_questions(self.store, self.table.phase.id, self.power)
            for index, texts in enumerate(question.choices)
        }

    # orders

    def orders(self, lines: Sequence[str], readings: Sequence[Reading]) -> str:
        """File the good orders among the readings, or say why not. Returns the outcome."""
        good = self.sort_out(readings)
        late = self.too_late()
        if late is not None:
            return self.keep_late(late, lines) if good or self.draft.not_used or self.draft.questions else "nothing"
        if not good and not self.voided:
            return "asked" if self.draft.questions else "nothing"
        texts = [write(order) for order in good]
        held_since = orders.standing(self.store, self.table.phase.id, self.power).orders_date
        if held_since and self.incoming.date and self.incoming.date < held_since:
            self.ask_about_older(texts, held_since)
            return "asked"
        self.drop_unsaid(good)
        self.draft.replaced += self.gave_way
        self.file(good, texts)
        self.remember_date()
        return "orders"

    def context(self, table: Table) -> Context:
        return Context(table.board, load_names(table.board.name), table.position, self.power, table.rules)

    def sort_out(self, readings: Sequence[Reading]) -> list[Order]:
        """The good orders, of several for one unit those that count; problems and questions go into the receipt."""
        for reading in readings:
            self.note_problems(reading)
        given = [(reading.line, order) for reading in readings for order in reading.legal]
        settled = settle(given, self.table, self.power)
        self.gave_way = [(write(old), write(new)) for old, new in settled.replaced]
        for line, _, reason in settled.lost:
            self.draft.not_used.append((line, [Why(reason.code, reason.args, reason.rule)], []))
        self.voided = settled.voided
        return settled.kept

    def drop_unsaid(self, good: Sequence[Order]) -> None:
        """Take off what this mail takes off without saying so: the earlier order of a unit that it gives two orders which
        cancel out, and (``orders.sets = replace``) everything that it does not say again."""
        said = {write(order) for order in good}
        slots = {slot_of(order) for order in good}
        for held in orders.held(self.store, self.table.phase.id, self.power):
            unsaid = self.table.rules.orders_sets == "replace" and held.text not in said
            if held.slot in self.voided or unsaid:
                orders.drop(self.store, self.table.phase.id, self.power, held.slot)
                if held.slot in slots:
                    continue
                self.draft.not_used.append((held.text, [Why("note.not-said-again")], []))

    def note_problems(self, reading: Reading) -> None:
        problems = [Why(p.code, p.args, p.rule) for p in reading.problems]
        if reading.kind == "ambiguous" and reading.suggestions:
            self.draft.questions.append((reading.line, list(reading.suggestions), problems))
        elif not problems and reading.kind == "not-an-order" and order_like(reading.line):
            self.draft.not_used.append((reading.line, [Why("read.no-order")], []))
        elif problems:
            self.draft.not_used.append((reading.line, problems, list(reading.suggestions)))

    def note_what_was_left(self) -> None:
        """Lines that are perhaps the player's: asked about if they read as orders that are not held. Press and orders
        for other games: said not to have been used, so that nothing is lost in silence."""
        held = {h.text for h in orders.held(self.store, self.table.phase.id, self.power)}
        for line, _why in self.incoming.doubtful[:_MOST_DOUBTS]:
            for reading in read_lines([line], self.context(self.table)):
                texts = [write(order) for order in reading.legal]
                if texts and not set(texts) <= held and self.too_late() is None:
                    self.draft.questions.append((line, texts, [Why("note.perhaps-quoted")]))
        for press in self.incoming.press:
            self.draft.not_used.append((press.text[:200], [Why("note.press-not-passed-on")], []))
        for game, lines in self.incoming.other_games:
            self.draft.not_used.append((" / ".join(lines)[:200], [Why("note.other-game", {"game": game})], []))
        for name in self.incoming.unread_attachments:
            self.draft.not_used.append((name[:100], [Why("note.attachment-not-read")], []))

    def file(self, good: Sequence[Order], texts: Sequence[str]) -> None:
        new = {t: t for t in texts}
        replaced = file_orders(self.store, self.table, self.power, good, texts, self.mail.id, self.now)
        now_held = {h.slot: h.text for h in orders.held(self.store, self.table.phase.id, self.power)}
        self.draft.replaced += [(old.text, now_held[old.slot]) for old in replaced if old.slot in now_held]
        self.draft.said += list(new)

    def remember_date(self) -> None:
        standing = orders.standing(self.store, self.table.phase.id, self.power)
        date = max(filter(None, [standing.orders_date, self.incoming.date]), default=None)
        orders.set_standing(self.store, self.table.phase.id, self.power, replace(standing, orders_date=date, ready=False))

    # orders that are not applied

    def too_late(self) -> PhaseRow | None:
        """The phase that this mail is too late for, or ``None`` if it counts for the open one."""
        answered = self.answered_phase()
        if answered is not None and answered.id != self.table.phase.id:
            return answered
        deadline = self.table.phase.deadline
        if deadline is not None and self.mail.received_at > deadline:
            return self.table.phase
        return None

    def answered_phase(self) -> PhaseRow | None:
        """The phase whose mail this one answers, as far as it says so and there is such a phase."""
        answered = self.answered()
        if answered is None or answered.game != self.table.game.name:
            return None
        if self.is_named(self.table.phase, answered):
            return self.table.phase
        fitting = [p for p in games.phases(self.store, self.table.game.id) if self.is_named(p, answered)]
        return fitting[-1] if fitting else None

    def answered(self) -> Answered | None:
        """What is answered: by In-Reply-To and References; by a subject line of ours, which some programs alone keep (a
        result's names the phase that is over and asks for the next, so the mail is looked up); else by what it says."""
        domain = self.judge.domain
        by_header = find_answered(self.incoming.in_reply_to, self.incoming.references, "", domain=domain)
        if by_header is not None:
            return by_header
        text = strip_prefixes(self.incoming.subject)[0]
        sent = outbox.id_of_subject(self.store, self.table.game.id, self.power, text) if text else None
        if sent is not None:
            return find_answered(sent, (), "", domain=domain)
        return find_answered(None, (), self.incoming.subject, domain=domain)

    @staticmethod
    def is_named(phase: PhaseRow, answered: Answered) -> bool:
        """Whether ``answered`` names ``phase``: a subject line names neither attempt nor always the kind of phase."""
        partly = len(answered.phase) < len(phase.name) and phase.name.startswith(answered.phase)
        named = partly or phase.name == answered.phase
        return named and answered.attempt in (0, phase.attempt)

    def keep_late(self, phase: PhaseRow, lines: Sequence[str]) -> str:
        """Keep the orders for the record under the phase they were meant for; ask, if all of them would be good now."""
        then = lay_out(self.table.game, phase)
        readings = read_lines(lines, self.context(then))
        texts = [write(o) for r in readings for o in r.legal]
        orders.keep_late(self.store, phase.id, self.power, texts, self.mail.id, self.now)
        if phase.id == self.table.phase.id:
            self.late("after-deadline", phase.name, phase.deadline, texts)
            self.draft.not_used.clear()
            self.draft.questions.clear()
            return "late"
        now = read_lines(lines, self.context(self.table))
        now_good = [write(o) for r in now for o in r.orders if r.kind == "order"]
        fits = bool(now_good) and not self.draft.not_used and not self.draft.questions
        shown = now_good if fits else texts
        self.late("earlier-phase", phase.name, phase.processed_at, shown, fits=fits)
        self.draft.not_used.clear()
        self.draft.questions.clear()
        if fits:
            self.ask_whole(now_good)
        return "late"

    def late(
        self,
        kind: str,
        phase: str,
        at: datetime | None,
        texts: Sequence[str],
        *,
        fits: bool = False,
        held_since: datetime | None = None,
    ) -> None:
        """Note for the receipt why the orders of this mail were not applied."""
        self.draft.late = late_args(kind, phase, at, held_since, texts, fits, self.mail.received_at)

    def ask_about_older(self, texts: Sequence[str], held_since: datetime) -> None:
        self.late("older-date", self.table.phase.name, self.incoming.date, texts, fits=True, held_since=held_since)
        self.ask_whole(texts)

    def ask_whole(self, texts: Sequence[str]) -> None:
        """Ask whether all these orders shall be used after all: the first number is yes, the second no."""
        first = orders.ask(
            self.store, self.table.phase.id, self.power, self.mail.id, "use-these", [list(texts), []], self.now
        )
        if self.draft.late is not None:
            self.draft.late["first"] = first

    # the receipt

    def write_receipt(self) -> None:
        questions = [
            {
                "line": line,
                "choices": list(choices),
                "problems": _whys(problems),
                "first": orders.ask(
                    self.store,
                    self.table.phase.id,
                    self.power,
                    self.mail.id,
                    "which",
                    [[choice] for choice in choices],
                    self.now,
                ),
            }
            for line, choices, problems in self.draft.questions
        ]
        state = file_state(self.store, self.table, self.power)
        standing = orders.standing(self.store, self.table.phase.id, self.power)
        number = games.next_receipt(self.store, self.seat.id)
        args: dict[str, Any] = {
            "number": number,
            "subject": self.draft.subject,
            "held": [self.held_args(h, state) for h in state.held],
            "missing": list(state.missing),
            "open_count": state.open_count,
            "complete": state.complete,
            "ready": standing.ready,
            "waiting": standing.wait,
            "not_used": [
                {"line": line, "problems": _whys(problems), "suggestions": list(suggestions)}
                for line, problems, suggestions in self.draft.not_used
            ],
            "questions": questions,
            "replaced": self.draft.replaced,
            "commands": [{"name": c.name, "result": c.result, "count": c.count} for c in self.draft.commands],
            "late": self.draft.late,
            "empty": self.draft.empty,
            "standings": self.standings() if any(c.name == "STATUS" for c in self.draft.commands) else [],
        }
        self.answer("receipt", args, str(number))

    def answer(self, event: str, args: dict[str, Any], extra: str) -> None:
        """Put a mail that answers this one into the outbox."""
        threading = _threading(self.judge, self.table.game, self.seat, self.incoming)
        write_to_seat(self.judge, self.table, self.seat, event, args, self.now, extra=extra, **threading)

    def held_args(self, held: HeldOrder, state: FileState) -> dict[str, Any]:
        """One order on file: since when, unless this mail set it; and whether this mail only said it again."""
        mine = held.inbox_id == self.mail.id
        before = {h.text: h for h in self.before.held}
        known = before.get(held.text)
        since = inbox.load(self.store, held.inbox_id).received_at if held.inbox_id and not mine else None
        return {
            "text": held.text,
            "since": None if since is None else stamp(since),
            "repeated": mine and known is not None,
        }

    def standings(self) -> list[dict[str, Any]]:
        """Centres and units of all powers; of orders only the reader's own state, since that of others is theirs."""
        position = self.table.position
        own = file_state(self.store, self.table, self.power)
        word = "not-needed" if own.owed is None else "complete" if own.complete else "partial" if own.held else "none"
        return [
            {
                "power": power,
                "centres": len(position.centres(power)),
                "units": len(position.units_of(power)) + sum(d.unit.power == power for d in position.dislodged),
                "orders": word if power == self.power else None,
            }
            for power in self.table.board.powers
        ]


def _whys(problems: Sequence[Why]) -> list[dict[str, Any]]:
    return [{"code": w.code, "args": {k: codec.arg_out(v) for k, v in w.args.items()}, "rule": w.rule} for w in problems]
