"""A mail to a seat's signed address: commands and orders for the open phase, and the receipt that answers it.

What it may not do: apply orders that answer an earlier phase's mail, orders that came after the deadline, or orders written
before those that are held. Such orders are kept for the record, and the receipt says why they were not used, or asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.mail.commands import Command, find_commands, misused
from judge.mail.nearest import nearest
from judge.mail.reading import Incoming
from judge.mail.rulelines import is_setting
from judge.notation import Context, Reading, parse_canonical, write
from judge.play import commitments, confirming, doubtful, later, loops, press, proxy, rereading, seats, strange
from judge.play.answering import stored
from judge.play.duplicates import settle
from judge.play.filing import file_orders, file_state, set_run_at, slot_of
from judge.play.judge import Judge, Table, lay_out, open_table
from judge.play.lateness import out_of_turn, written_at
from judge.play.leaving import Said, leave
from judge.play.oldhands import taught
from judge.play.orderlines import NUMBER, order_lines
from judge.play.posting import thread, write_before_start, write_to_seat
from judge.play.receipts import CANNOT_TELL, NOT_SAID_AGAIN, Draft, Why
from judge.play.receiptwriting import receipt_args
from judge.play.severalgames import Part, own_part, parts
from judge.play.undated import Merged, cancels_out, merge
from judge.play.verbs import asking, built_in, carry_out, carry_out_all
from judge.play.verbs.acting import Act
from judge.render.facts import CommandDone
from judge.render.verbwords import WORDS, forms
from judge.rules.houserules import keys
from judge.rules.orders import Order
from judge.store import games, orders
from judge.store.games import Game, Seat
from judge.store.inbox import StoredMail
from judge.store.proxies import Handed
from judge.variants.names import load_names

#: Commands that change what is on file.
_CHANGING = frozenset({"CLEAR", "READY", "WAIT"})
#: A line that was meant as an order, though no place in it is known: a unit first, an arrow, or two words with a dash; in
#: Japanese something that goes somewhere, without a verb.
_SHAPED = re.compile(
    r"\W*(?:\d{1,2}\W+)?(?:[af]|army|fleet)\s+\w|.{0,40}\w\s*(?:->|→|=>)\s*\w|\W*\w{3,20}\s?[-–]\s?\w{3,20}\W*\Z"
    r"|[^、。]{1,20}(?:(?:を|は|から)[^、。]{1,20}へ|を[^、。]{1,20}に)\W*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ahead:
    """The lines of a mail read as orders for the phase that was open at that moment; ``open_press``: whether there are any
    in the press that it does not close. ``later``: its lines sorted by phase; ``others``: the same of what it says for
    other games; ``hands``: the units of others that were in the writer's hands."""

    phase_id: int
    lines: tuple[str, ...]
    readings: Sequence[Reading]
    open_press: bool
    later: later.Split
    others: Mapping[str, Ahead]
    hands: tuple[Handed, ...]

    @property
    def says_something(self) -> bool:
        """Whether there are orders, for now, for later or for another game."""
        return bool(self.later or self.others) or any(reading.kind != "not-an-order" for reading in self.readings)


def read_ahead(judge: Judge, mail: StoredMail, incoming: Incoming) -> Ahead | None:
    """Read a seat's mail before its transaction begins: reading may take seconds, and nobody could write meanwhile."""
    game = games.find(judge.store, mail.recipient.game or "") if mail.recipient.kind == "seat" else None
    table = open_table(judge.store, game) if game else None
    power = mail.recipient.power
    if table is None or power is None:
        return None
    split = later.split(incoming.own_lines, table, power)
    lines = order_lines(split.now)
    in_press = press.holds_orders(press.open_lines(own_part(incoming)), _context(table, power))
    elsewhere = ((part.game, read_ahead(judge, part.mail, part.incoming)) for part in _taken(judge, mail, incoming))
    others = {name: ahead for name, ahead in elsewhere if ahead is not None}
    hands = proxy.lent(judge.store, table, power)
    readings = proxy.read_all(table, power, lines, hands)
    return Ahead(table.phase.id, tuple(lines), readings, in_press, split, others, hands)


def _taken(judge: Judge, mail: StoredMail, incoming: Incoming) -> list[Part]:
    return [part for part in parts(judge, mail, incoming) if part.why is None]


def says_something(incoming: Incoming) -> bool:
    """Whether there is a command, an answer's number or a proxy line among a mail's own lines."""
    return bool(incoming.blocks or incoming.old) or any(
        NUMBER.match(line) or proxy.parse(line) or find_commands([line])[0] for line in incoming.own_lines
    )


def _context(table: Table, power: str) -> Context:
    return Context(table.board, load_names(table.board.name), table.position, power, table.rules)


def handle(judge: Judge, mail: StoredMail, incoming: Incoming, ahead: Ahead | None, now: datetime) -> str:
    """Do what a seat's mail says and write its receipt, inside the caller's transaction. Returns the outcome:
    ``orders``, ``command``, ``answer``, ``late``, ``asked``, ``press``, ``ahead`` (orders for later phases alone),
    ``elsewhere`` (for other games alone), ``empty``, ``nothing``, ``over``, ``too-early``, ``again``, ``auto-reply``."""
    game = games.get(judge.store, mail.recipient.game or "")
    seat = games.seat(judge.store, game.id, mail.recipient.power or "")
    table = open_table(judge.store, game)
    own = own_part(incoming)
    letter = _SeatMail(judge, mail, own, now, table, seat) if table is not None else None
    taken, refused = [], []
    for part in parts(judge, mail, incoming):
        known = ahead.others.get(part.game) if ahead is not None else None
        if part.why is not None:
            refused.append(part)
        elif handle(judge, part.mail, part.incoming, known, now) not in confirming.UNANSWERED:
            taken.append(part.game)
    if letter is None:
        return _no_phase(judge, game, seat, mail, own, now)
    return letter.handle(ahead, taken, refused)


def any_table(judge: Judge, game: Game) -> Table | None:
    """The open phase's table, or that of the last one of a game that has ended; ``None`` before the start."""
    phase = games.open_phase(judge.store, game.id) or games.last_processed(judge.store, game.id)
    return None if phase is None else lay_out(game, phase)


def _no_phase(judge: Judge, game: Game, seat: Seat, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """The game has ended (the answer is its final standing), or not begun (nothing to say yet: the start mail comes)."""
    table = any_table(judge, game)
    commands = [*incoming.blocks, *find_commands(incoming.own_lines)[0]]
    act = Act(judge, "player", mail, incoming, now, game, table, seat)
    if table is None:
        answers = [*carry_out_all(act, commands), *strange.told(incoming.own_lines), *taught(incoming)]
        if incoming.press or answers:
            args = {"press": press.too_early(incoming), "answers": stored(answers)}
            write_before_start(
                judge, game, seat, "too-early", args, now, extra=str(mail.id), in_reply_to=incoming.message_id
            )
        return "command" if answers else "too-early"
    said = commands or incoming.press or incoming.old or strange.told(incoming.own_lines)
    if not said and loops.nobody_waits(judge.store, mail, incoming, over=True):
        return "auto-reply" if incoming.automatic else "again"
    if any(command.name == "RULES" for command in commands):
        write_to_seat(judge, table, seat, "rules", {}, now, extra=str(mail.id), **_threading(judge, game, seat, incoming))
        commands = [command for command in commands if command.name != "RULES"]
        if not (incoming.press or commands or incoming.old):
            return "over"
    sender = press.Sender(seat, mail, incoming, over=True)
    told = press.pass_on(judge, table, sender, now, orders_in_open=False)
    # the mail tells how it ended, which is what STATUS asks for
    answers = carry_out_all(act, [command for command in commands if command.name != "STATUS"])
    answers += strange.told(incoming.own_lines) + taught(incoming)
    args = {"press": told, "answers": stored(answers)}
    write_to_seat(judge, table, seat, "end", args, now, extra=str(mail.id), **_threading(judge, game, seat, incoming))
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
        self.out_of_turn = out_of_turn(judge, mail, incoming, table, self.power)

    def handle(self, ahead: Ahead | None, elsewhere: Sequence[str], refused: Sequence[Part]) -> str:
        """Commands, answers and orders in turn; at the end one receipt for all of it. ``elsewhere``: other games that lines
        of the mail were taken in for; ``refused``: what could not be taken in there."""
        ahead = ahead if ahead is not None and ahead.phase_id == self.table.phase.id else None
        ahead_of_phase = ahead.later if ahead is not None else later.split(self.incoming.own_lines, self.table, self.power)
        self.incoming = replace(self.incoming, own_lines=tuple(ahead_of_phase.now))
        self.draft.elsewhere += elsewhere
        commands = [*self.incoming.blocks, *find_commands(self.incoming.own_lines)[0]]
        commands += asking.confirmed(self.store, self.seat, self.incoming)
        numbers = [int(found[1]) for found in map(NUMBER.match, self.incoming.own_lines) if found]
        lines = order_lines(self.incoming.own_lines)
        lent = proxy.lent(self.store, self.table, self.power)  # units may have come, or been taken back, since
        known = ahead is not None and (ahead.lines, ahead.hands) == (tuple(lines), lent)
        readings = ahead.readings if ahead is not None and known else proxy.read_all(self.table, self.power, lines, lent)
        rereading.remember(self.judge, self.table, self.mail, self.power, readings, lent, ahead_of_phase.listed)
        hands = [said for said in map(proxy.parse, self.incoming.own_lines) if said]
        meant = bool(hands or ahead_of_phase or elsewhere) or any(reading.kind != "not-an-order" for reading in readings)
        said = commands or numbers or meant or self.incoming.press or self.incoming.old
        if not said and self.nobody_waits_for_an_answer(readings, refused):
            return "auto-reply" if self.incoming.automatic else "again"
        # CLEAR is about what was held before this mail, READY and WAIT about what is held after it
        self.obey([c for c in commands if c.name == "CLEAR"])
        self.hand_over(hands)
        self.answers(numbers)
        outcome = self.orders(lines, readings)
        self.obey([c for c in commands if c.name != "CLEAR" and built_in(c)])
        self.draft.later = bool(ahead_of_phase)
        late = self.out_of_turn is not None
        later.obey(self.store, self.table, self.mail, ahead_of_phase, self.draft, late, self.now)
        self.note_what_was_left(refused)
        in_press = ahead.open_press if ahead is not None and known else self.orders_in_open_press()
        sender = press.Sender(self.seat, self.mail, self.incoming)
        self.draft.press = press.pass_on(self.judge, self.table, sender, self.now, orders_in_open=in_press)
        if outcome == "nothing":
            outcome = self.what_else(bool(commands or hands or self.incoming.old), bool(numbers), bool(ahead_of_phase))
            self.draft.empty = outcome == "nothing" and not (self.draft.not_used or self.draft.questions)
            outcome = "empty" if self.draft.empty else outcome
        set_run_at(self.store, self.table, self.now)
        self.draft.answers += carry_out(self.act(), commands) + taught(self.incoming)
        if seats.has_left(self.judge, self.seat) and outcome == "command":
            seats.write_farewell(self.judge, self.table, self.seat, self.incoming, self.draft.answers, self.now)
            return outcome
        if games.by_id(self.store, self.table.game.id).state == "ended":
            # a vote of this mail has ended the game: the final standing is its answer, with what else it asked for
            self.answer("end", {"press": self.draft.press, "answers": stored(self.draft.answers)}, "")
            return outcome
        if self.phase_is_over() and outcome == "command":
            return outcome  # what the command brought about has been mailed to everybody, the writer too
        if any(command.name == "RULES" for command in commands):
            self.answer("rules", {}, str(self.mail.id))
        more = hands or self.incoming.old or self.draft.not_used or self.draft.press or ahead_of_phase or elsewhere
        if outcome != "command" or any(command.name != "RULES" for command in commands) or more:
            self.write_receipt()
        return outcome

    def act(self) -> Act:
        """What the verbs of the mail are handed."""
        game, late = self.table.game, self.out_of_turn is not None
        return Act(self.judge, "player", self.mail, self.incoming, self.now, game, self.table, self.seat, out_of_turn=late)

    def phase_is_over(self) -> bool:
        """Whether a command of the mail ended the phase (or the game) that it was about."""
        return games.phase(self.store, self.table.phase.id).state != "open"

    def what_else(self, commands: bool, numbers: bool, ahead: bool) -> str:
        """The outcome of a mail without orders for the phase that is open."""
        if commands:
            return "command"
        if numbers:
            return "answer"
        if self.draft.press:
            return "press"
        return "ahead" if ahead else "elsewhere" if self.draft.elsewhere else "nothing"

    def nobody_waits_for_an_answer(self, readings: Sequence[Reading], refused: Sequence[Part]) -> bool:
        """See :func:`judge.play.loops.nobody_waits`. Never where a line has the look of an order, or the judge made out what
        it may order, as whoever wrote it waits to be told; not counting the copy of our mail that a desk sends. What else
        the receipt would tell of (a line with places and what units do, orders for a game that could not take them, an
        attachment that was not read) is answered once in a phase."""
        doubts = doubtful.Doubts(self.store, self.table, self.power, self.incoming)
        if self.incoming.automatic and doubts.orders(only="notice"):
            # a person may write as machines do: they are asked, once
            return loops.answered_today(self.store, self.mail)
        lines = [*self.incoming.own_lines, *doubts.lines(echo=False)]
        if any(_SHAPED.match(line[:200]) for line in lines):
            return False
        if not self.incoming.automatic and (
            any(misused(reading.line) or nearest(reading.line) for reading in readings)
            or any(reading.suggestions for reading in readings)
            or any(t for _, t in doubts.orders(echo=False))
        ):
            return False
        concerns = bool(refused or self.incoming.unread_attachments) or any(reading.mentions for reading in readings)
        since = self.table.phase.opened_at if concerns else None
        asked = confirming.is_asked(self.judge, self.table, self.power)
        return loops.nobody_waits(self.store, self.mail, self.incoming, concerns_orders=since, asked=asked)

    # commands

    def obey(self, commands: Sequence[Command]) -> None:
        """Carry out the commands of the mail, in order. Out of turn, those that would change something are only told."""
        for command in commands:
            if command.name in _CHANGING and self.out_of_turn is not None:
                self.draft.not_used.append((command.line, [Why("note.out-of-turn")], []))
            else:
                self.draft.commands.append(self._obey(command.name))

    def _obey(self, name: str) -> CommandDone:
        phase_id = self.table.phase.id
        standing = orders.standing(self.store, phase_id, self.power)
        if name == "CLEAR":
            count = orders.drop(self.store, phase_id, self.power)
            orders.drop_questions(self.store, phase_id, self.power)
            orders.forget_cancelled(self.store, phase_id, self.power)
            back = proxy.take_all_back(self.judge, self.table, self.power, self.mail, self.now)
            self.remember_change()
            self.before = file_state(self.store, self.table, self.power)
            if back and count:
                self.draft.commands.append(CommandDone("CLEAR", "done", count))
            if back:
                return CommandDone("CLEAR PROXY", "done", back)
            return CommandDone("CLEAR", "done" if count else "nothing", count)
        if name in ("READY", "WAIT"):
            wanted = replace(standing, ready=name == "READY", wait=name == "WAIT")
            if wanted == standing:
                return CommandDone(name, "nothing")
            orders.set_standing(self.store, phase_id, self.power, wanted)
        return CommandDone(name)

    def hand_over(self, lines: Sequence[proxy.ProxyLine]) -> None:
        """Put units into other hands, or take them back; what could not be done is told."""
        if self.out_of_turn is not None:
            self.draft.not_used += [(said.line, [Why("note.out-of-turn")], []) for said in lines]
            return
        refused, obeyed = proxy.obey(self.judge, self.table, self.power, self.mail, lines, self.now)
        self.draft.not_used += refused
        if obeyed:
            self.draft.commands.append(CommandDone("PROXY"))
            self.remember_change()

    # answers to questions

    def answers(self, numbers: Sequence[int]) -> None:
        """Do what was chosen. A second number for a question that is answered already changes nothing."""
        for number in numbers:
            choice = self.open_choices().get(number)
            if self.out_of_turn is not None:
                self.draft.not_used.append((str(number), [Why("note.out-of-turn")], []))
            elif choice is None:
                self.draft.not_used.append((str(number), [Why("note.no-such-question")], []))
            else:
                question_id, index, texts = choice
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
        told = len(self.draft.not_used)
        good = self.sort_out(readings)
        texts = [write(order) for order in good]
        if self.out_of_turn is not None:
            said = texts or self.draft.questions or len(self.draft.not_used) > told or self.voided
            if not said:
                return "nothing"
            late = Said(lines, readings, texts, bool(self.voided), told)
            return leave(self.store, self.table, self.mail, self.incoming, self.out_of_turn, late, self.draft, self.now)
        if not good and not self.voided:
            return "asked" if self.draft.questions else "nothing"
        merged = self.beside_other_mails(good)
        self.drop_unsaid(good, merged.rivals)
        self.draft.replaced += self.gave_way
        self.file(merged.kept, [write(order) for order in merged.kept])
        return "orders"

    def beside_other_mails(self, good: Sequence[Order]) -> Merged:
        """What counts of this mail's orders beside those of mails that may have been written later."""
        phase_id = self.table.phase.id
        merged = merge(self.judge, self.table, self.power, self.mail, self.incoming, good)
        for order, reason in merged.lost:
            self.draft.not_used.append((write(order), [Why(reason.code, reason.args, reason.rule)], []))
        kept = {slot_of(order) for order in merged.kept}
        on_file = {held.id for held in orders.held(self.store, phase_id, self.power)}
        for order in merged.cancelled:
            orders.cancel(self.store, phase_id, self.power, slot_of(order), write(order), self.mail.id, self.now)
            self.draft.not_used.append((write(order), [Why(CANNOT_TELL, rule="orders.undated")], []))
        for rival, reason in merged.off:
            if rival.slot not in kept and rival.id in on_file:
                orders.push_out(self.store, rival.id)
                why = Why(CANNOT_TELL, rule="orders.undated") if cancels_out(reason) else Why(NOT_SAID_AGAIN)
                self.draft.not_used.append((rival.text, [why], []))
        return merged

    def context(self, table: Table) -> Context:
        return _context(table, self.power)

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

    def drop_unsaid(self, good: Sequence[Order], rivals: Collection[str]) -> None:
        """Take off what this mail takes off without saying so: the earlier order of a unit that it gives two orders which
        cancel out, and (``orders.sets = replace``) everything that it does not say again."""
        said = {write(order) for order in good}
        slots = {slot_of(order) for order in good}
        for held in orders.held(self.store, self.table.phase.id, self.power):
            unsaid = self.table.rules.orders_sets == "replace" and held.text not in said and held.slot not in rivals
            if (held.slot in self.voided and self.table.rules.orders_sets != "first") or unsaid:
                orders.drop(self.store, self.table.phase.id, self.power, held.slot)
                if held.slot in slots:
                    continue
                self.draft.not_used.append((held.text, [Why(NOT_SAID_AGAIN)], []))

    def note_problems(self, reading: Reading) -> None:
        problems = [Why(p.code, p.args, p.rule) for p in reading.problems]
        if not reading.legal and is_setting(reading.line, keys()):
            self.draft.not_used.append((reading.line, [Why("note.rules-by-master")], []))
        elif reading.kind == "ambiguous" and reading.suggestions:
            self.draft.questions.append((reading.line, list(reading.suggestions), problems))
        elif not reading.legal and (verb := misused(reading.line)) is not None:
            self.draft.not_used.append((reading.line, [Why("note.command-form", {"form": WORDS[verb.name].form})], []))
        elif not reading.legal and not problems and (verbs := nearest(reading.line)):
            self.draft.not_used.append(
                (reading.line, [Why("note.no-command", {"forms": forms(verb.name for verb in verbs)})], [])
            )
        elif not problems and reading.kind == "not-an-order" and _SHAPED.match(reading.line[:200]):
            self.draft.not_used.append((reading.line, [Why("read.no-order")], []))
        elif problems:
            self.draft.not_used.append((reading.line, problems, list(reading.suggestions)))

    def note_what_was_left(self, refused: Sequence[Part]) -> None:
        """Lines that are perhaps the player's: asked about if they read as orders that are not held. Orders for other
        games: said not to have been used, so that nothing is lost in silence."""
        if self.out_of_turn is None:
            for line, texts in doubtful.Doubts(self.store, self.table, self.power, self.incoming).orders():
                if texts:
                    self.draft.questions.append((line, texts, [Why("note.perhaps-quoted")]))
                else:
                    self.draft.not_used.append((line, [Why("note.forms-differ")], []))
        for part in refused:
            said = " / ".join([*part.incoming.own_lines, *(one.text for one in part.incoming.press)])[:200]
            self.draft.not_used.append((said, [Why(part.why or "note.other-game", {"game": part.game})], []))
        for name in self.incoming.unread_attachments:
            self.draft.not_used.append((name[:100], [Why("note.attachment-not-read")], []))

    def orders_in_open_press(self) -> bool:
        """Whether press without END holds a line that may be meant for the judge."""
        return press.holds_orders(press.open_lines(self.incoming), self.context(self.table))

    def file(self, good: Sequence[Order], texts: Sequence[str]) -> None:
        """Put orders on file, and note what they took the place of; those for units that are no longer in these hands are
        told."""
        ours = []
        for order, text in zip(good, texts, strict=True):
            unit = proxy.others_unit(self.store, self.table, self.power, order)
            if unit is None:
                ours.append((order, text))
            else:
                self.draft.not_used.append((text, [Why("not-yours", {"unit": unit})], []))
        if good and not ours:
            return
        good, texts = [order for order, _ in ours], [text for _, text in ours]
        replaced = file_orders(self.store, self.table, self.power, good, texts, self.mail.id, self.now)
        now_held = {h.slot: h.text for h in orders.held(self.store, self.table.phase.id, self.power)}
        for old in replaced:
            if old.slot in now_held:
                self.draft.replaced.append((old.text, now_held[old.slot]))
            else:
                # a build that a later mail's builds left no room for
                self.draft.not_used.append((old.text, [Why(NOT_SAID_AGAIN)], []))
        self.remember_change()

    def remember_change(self) -> None:
        """What is held has changed: READY was said of something else, and mail written before this one is asked about."""
        standing = orders.standing(self.store, self.table.phase.id, self.power)
        dates = [date for date in (standing.orders_date, written_at(self.mail, self.incoming)) if date is not None]
        changed = replace(standing, orders_date=max(dates, default=None), ready=False)
        orders.set_standing(self.store, self.table.phase.id, self.power, changed)

    # the receipt

    def write_receipt(self) -> None:
        """Put the answer to all that was found into the outbox; none to what comes faster than anybody writes."""
        if loops.spinning(self.store, self.mail, self.incoming):
            return
        args = receipt_args(self.store, self.table, self.seat, self.mail, self.draft, self.before, self.now)
        if not self.phase_is_over():
            args["commitment"] = commitments.commit(self.judge, self.table, self.power, args["number"], self.now)
        self.answer("receipt", args, str(args["number"]))

    def answer(self, event: str, args: dict[str, Any], extra: str) -> None:
        """Put a mail that answers this one into the outbox."""
        threading = _threading(self.judge, self.table.game, self.seat, self.incoming)
        write_to_seat(self.judge, self.table, self.seat, event, args, self.now, extra=extra, **threading)
