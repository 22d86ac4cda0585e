"""Press: what a player's mail says to others is passed on as the house rules allow (JP-4, CN-14), in the mail's transaction.

Each message goes whole to all it names or to nobody: one that a rule forbids, or that names somebody unknown, is kept, and
the receipt gives it back with the reason, so that it can be sent again. Of a grey message no mail says who wrote it; who
did is stored, and read by nobody but the operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from judge.mail import sections
from judge.mail.commands import parse as parse_command
from judge.mail.reading import Incoming
from judge.mail.sections import Press
from judge.mail.texttokens import cut_tokens
from judge.notation import Context, read_lines
from judge.notation.recipients import Recipients, read_recipients
from judge.play import knowing
from judge.play.judge import Judge, Table
from judge.play.posting import write_to_seat
from judge.render.facts import Common, PressFacts
from judge.rules.houserules import HouseRules
from judge.store import games
from judge.store import press as stored
from judge.store.games import MASTER, Seat
from judge.store.inbox import StoredMail
from judge.store.outbox import Line

#: Characters of one message.
MOST_CHARACTERS = 20_000
#: Messages of one mail.
MOST_BLOCKS = 20
#: Messages of one seat that are passed on within a day: each may become a mail to every other player.
MOST_A_DAY = 100
#: Lines of a message that are looked at for the heading of another one in it.
_LINES_LOOKED_AT = 500
#: Characters of refused press that one receipt gives back; the rest stands in the player's own mail.
MOST_GIVEN_BACK = 20_000
#: Names of recipients that a receipt asks about.
_MOST_UNKNOWN = 5

_SIGNATURE = re.compile(r"\n?^-- ?$.*", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"[\s>*.#(\[]*(\d{1,2})[\s.)\]!]*\Z")
#: What stands in place of an address that nobody may see.
_CUT = "[…]"


@dataclass(frozen=True)
class Sender:
    """Who writes press, and with which mail. ``over``: the game has ended, and no phase is open any more."""

    seat: Seat
    mail: StoredMail
    incoming: Incoming
    over: bool = False


@dataclass
class _Block:
    """One message on its way: to whom it goes, or the code that says why to nobody."""

    press: Press
    kind: Literal["white", "grey"]
    seats: list[Seat] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    everybody: bool = False
    why: str | None = None
    args: dict[str, Any] = field(default_factory=dict)

    def refuse(self, why: str, **args: Any) -> _Block:
        self.why, self.args, self.seats = why, args, []
        return self


def holds_orders(lines: Sequence[str], context: Context) -> bool:
    """Whether a line of an unclosed message may have been meant for the judge: an order, a command, an answer's number."""
    if any(parse_command(line) is not None or _NUMBER.match(line) for line in lines):
        return True
    return any(reading.kind != "not-an-order" for reading in read_lines(lines, context))


def open_lines(incoming: Incoming) -> list[str]:
    """The lines of the message that no END closes, if there is one: it is the mail's last."""
    return [line for press in incoming.press if not press.ended for line in press.text.splitlines() if line.strip()]


def pass_on(judge: Judge, table: Table, sender: Sender, now: datetime, *, orders_in_open: bool) -> list[dict[str, Any]]:
    """Pass on all press of a mail, inside the caller's transaction: a row each, and a mail to each recipient.

    ``orders_in_open``: what :func:`holds_orders` says of the message without END. Returns what the receipt tells of each,
    as :class:`judge.render.facts.PressDone` has it.
    """
    told: list[dict[str, Any]] = []
    room = MOST_GIVEN_BACK
    tokens = _tokens(judge, table, sender)
    today = stored.passed_on_since(judge.store, table.game.id, sender.seat.power, now - timedelta(days=1))
    for press in _few(sender.incoming.press):
        block = _Block(press, _kind(press, table.rules))
        if len(told) == MOST_BLOCKS:
            block.refuse("press.too-many", most=MOST_BLOCKS, count=len(sender.incoming.press) - MOST_BLOCKS)
        elif today >= MOST_A_DAY:
            block.refuse("press.too-often", most=MOST_A_DAY)
        else:
            _decide(judge, table, sender, block, orders_in_open)
        today += block.why is None
        text = cut_tokens(press.text, tokens, _CUT)
        text = _clean(judge, text, table, sender, block.kind) if block.why is None else text
        if block.why is None and not text:
            block.refuse("press.empty")
        press_id = stored.add(
            judge.store,
            game_id=table.game.id,
            phase_id=table.phase.id,
            sender=sender.seat.power,
            kind=block.kind,
            recipients=[seat.power for seat in block.seats],
            everybody=block.everybody,
            text=text,
            inbox_id=sender.mail.id,
            now=now,
            why=block.why,
            address=sender.seat.address if _shows_address(table.rules, sender, block.kind) else None,
        )
        for seat in block.seats:
            write_to_seat(judge, table, seat, "press", {"press": press_id}, now, extra=str(press_id))
        told.append(_told(block, press, text, room))
        room -= 0 if block.why is None else len(told[-1]["text"])
    return told


def too_early(incoming: Incoming) -> list[dict[str, Any]]:
    """What a mail to a game that has not begun is told of its press: nothing can be passed on yet."""
    told = []
    room = MOST_GIVEN_BACK
    for press in _few(incoming.press):
        told.append(_told(_Block(press, "white").refuse("press.too-early"), press, press.text, room))
        room -= len(told[-1]["text"])
    return told


def _few(messages: Sequence[Press]) -> list[Press]:
    """The messages of a mail; those beyond the most as one, since they share their fate."""
    few, beyond = list(messages[:MOST_BLOCKS]), messages[MOST_BLOCKS:]
    return [*few, Press("", "\n\n".join(press.text for press in beyond))] if beyond else few


def _told(block: _Block, press: Press, text: str, room: int) -> dict[str, Any]:
    shown = text[: max(room, 0)] if block.why is not None else text[:200]
    return {
        "to": [seat.power for seat in block.seats],
        "absent": block.absent,
        "everybody": block.everybody,
        "grey": block.kind == "grey",
        "named": press.to,
        "why": block.why,
        "args": block.args,
        "text": shown,
        "whole": len(shown) == len(text),
    }


def facts_of(judge: Judge, line: Line, common: Common) -> PressFacts:
    """What the mail of one message says to one of its recipients.

    Whom else a grey message went to is not told: who is missing among them may be the one who wrote it.
    """
    row = stored.load(judge.store, line.args["press"])
    if row.kind == "grey":
        return PressFacts(common, row.text, everybody=row.everybody)
    return PressFacts(common, row.text, row.sender, row.address, row.recipients, row.everybody, row.statement)


def _shows_address(rules: HouseRules, sender: Sender, kind: Literal["white", "grey"]) -> bool:
    """Whether the mails of a message show where its writer can be written to directly: as it is when it is passed on."""
    told = knowing.addresses_told(rules, over=sender.over)
    return kind == "white" and told and sender.seat.power != MASTER


# whether it may go, and to whom


def _decide(judge: Judge, table: Table, sender: Sender, block: _Block, orders_in_open: bool) -> _Block:
    """Whom a message goes to, or why to nobody: first what the rules say, then what its form says, then its recipients."""
    rules, press = table.rules, block.press
    if len(press.text) > MOST_CHARACTERS:
        return block.refuse("press.too-long", length=len(press.text), most=MOST_CHARACTERS)
    free = _with_the_master(table, sender, press)
    if rules.press_kinds == "none" and not free:
        return block.refuse("press.none")
    if rules.press_phases == "movement" and table.position.phase.kind != "M" and not (free or sender.over):
        return block.refuse("press.closed", phase=_next_movement(table))
    if free:
        block.kind = "white"
    elif press.kind == "grey" and rules.press_kinds == "white":
        return block.refuse("press.white-only")
    elif press.kind == "white" and rules.press_kinds == "grey":
        return block.refuse("press.grey-only")
    if not press.ended and orders_in_open:
        return block.refuse("press.unclosed")
    if any(_opens_another(line, table) for line in press.text.splitlines()[:_LINES_LOOKED_AT]):
        return block.refuse("press.another-inside")
    if not press.text.strip():
        return block.refuse("press.empty")
    return _address(judge, table, sender, block)


def _with_the_master(table: Table, sender: Sender, press: Press) -> bool:
    """Whether a message is the game master's, or for the master alone: no negotiation, so no rule about press forbids it."""
    if sender.seat.power == MASTER:
        return True
    named = read_recipients(press.to, table.board, suggest=False)
    return named.master and not (named.powers or named.everybody or named.unknown or press.broadcast)


def _kind(press: Press, rules: HouseRules) -> Literal["white", "grey"]:
    """Signed or not; where all press is grey, also that which does not ask for it: nobody's name is told."""
    return "grey" if press.kind == "grey" or (rules.press_kinds == "grey" and press.kind != "white") else "white"


def _next_movement(table: Table) -> str:
    """The name of the movement phase that comes after a phase of retreats or adjustments."""
    phase = table.position.phase
    return f"F{phase.year}M" if phase.season == "S" else f"S{phase.year + 1}M"


def _opens_another(line: str, table: Table) -> bool:
    """Whether a line inside a message begins another: the END of the first was forgotten, and what is meant for one
    power would go to the other."""
    head = sections.heading(line)
    if head is None:
        return False
    named = read_recipients(head.to, table.board, suggest=False)
    return head.broadcast or bool(named.powers or named.everybody or named.master)


def _address(judge: Judge, table: Table, sender: Sender, block: _Block) -> _Block:
    """Find the seats of a message's recipients. Whoever writes to all, or names their own power too, gets no copy."""
    press = block.press
    named = read_recipients(press.to, table.board)
    if press.broadcast and not press.to:
        named = Recipients(table.board.powers, everybody=True)
    if named.unknown:
        words = [[word, list(meant)] for word, meant in named.unknown[:_MOST_UNKNOWN]]
        return block.refuse("press.unknown", words=words)
    if named.nobody:
        return block.refuse("press.nobody-named")
    master = games.master(judge.store, table.game.id) if named.master else None
    if named.master and (master is None or not master.address):
        return block.refuse("press.no-master")
    wanted = [seat for seat in games.seats(judge.store, table.game.id) if seat.power in named.powers]
    if master is not None:
        wanted.append(master)
    others = [seat for seat in wanted if seat.power != sender.seat.power]
    if not others:
        return block.refuse("press.only-yourself")
    block.everybody = named.everybody
    block.seats = [seat for seat in others if seat.address]
    block.absent = [seat.power for seat in others if not seat.address]
    return block if block.seats else block.refuse("press.nobody-there")


# what of it is passed on


def _tokens(judge: Judge, table: Table, sender: Sender) -> frozenset[str]:
    """The live tokens that could get into a message: of the game's seats, and of what else its writer plays."""
    seats = [(table.game.name, seat) for seat in games.signed_seats(judge.store, table.game.id)]
    if sender.seat.address:
        seats += games.seats_played_by(judge.store, sender.seat.address)
    makers = (judge.keys.token, judge.keys.bounce_token)
    return frozenset(make(game, seat.power, seat.generation) for game, seat in seats for make in makers)


def cleaned(judge: Judge, table: Table, sender: Sender, text: str) -> str:
    """A text as it may be passed on with its writer's power: no live token in it, no signature, and no address where the
    game hides it."""
    return _clean(judge, cut_tokens(text, _tokens(judge, table, sender), _CUT), table, sender, "white")


def _clean(judge: Judge, text: str, table: Table, sender: Sender, kind: Literal["white", "grey"]) -> str:
    """The text without its writer's signature, and without their address where the game hides it.

    Of a grey message, and where players are not told who they are, the writer's name in a last line of its own goes too:
    many programs and people end a mail so.
    """
    text = _SIGNATURE.sub("", text)
    unknown = sender.seat.power != MASTER and not knowing.names_told(table.rules, over=sender.over)
    if kind == "grey" or unknown:
        for name in (sender.incoming.sender_name, knowing.name_of(judge.store, sender.seat.address)):
            text = _without_name(text, name or "")
    if kind == "grey" or not knowing.addresses_told(table.rules, over=sender.over):
        text = _without(text, (sender.seat.address, sender.incoming.sender, sender.incoming.reply_to))
    # a signed reply address lets whoever has it order; its token is masked by now, and the rest is nobody's business
    ours = rf"{re.escape(table.game.name)}[^\w\s@](?:b-)?[a-z2-7]{{16}}@[\w.-]+"
    others = rf"[a-z0-9-]{{1,20}}[^\w\s@](?:b-)?[a-z2-7]{{16}}@{re.escape(judge.domain)}"
    text = re.sub(rf"\b(?:{ours}|{others})", _CUT, text, flags=re.IGNORECASE)
    return text.rstrip().strip("\n")


def _without(text: str, addresses: Iterable[str | None]) -> str:
    for address in addresses:
        if address:
            text = re.sub(rf"(?<![\w.+-]){re.escape(address)}(?![\w-])", _CUT, text, flags=re.IGNORECASE)
    return text


def _without_name(text: str, name: str) -> str:
    """Without last lines that are nothing but the writer's name, or the first or last word of it."""
    words = name.casefold().split()
    names = {" ".join(words), *words[:1], *words[-1:]} - {""}
    lines = text.rstrip().split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].casefold().strip(" \t-–—~*_.,!") in names):
        lines.pop()
    return "\n".join(lines)
