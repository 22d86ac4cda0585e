"""Orders for phases that are not open yet: lines below the heading of a later turn, or behind ``LATER F1903M``.

They are kept as written and read when their phase opens, when the board is known: the good ones are held then as if they
had just been sent, and the result mail that opens the phase tells of the others. ``CLEAR F1903M`` drops what is kept for a
phase, ``CLEAR LATER`` all of it.

Ranked lists for retreats and adjustments to come (``IF A VIE DISLODGED: BOH, D``, ``BUILDS A PAR, F BRE``) are kept with
them, one row a list: :mod:`judge.play.listlines` takes them out of a mail, :mod:`judge.play.lists` uses them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice

from judge.mail.commands import VERBS
from judge.mail.commands import parse as parse_command
from judge.notation import Context, read_lines
from judge.notation.clauses import Head
from judge.notation.combine import Purse
from judge.notation.lines import heading_of
from judge.notation.mail import MAIL_BUDGET
from judge.notation.ranked import LONGEST, Ranked, as_written, head_of, of_stored
from judge.notation.turns import TURN_LIKE, order_of, part_of_turn, phase_of, turn_before
from judge.play import lists, proxy
from judge.play.judge import Table
from judge.play.listlines import Found, ListLines, unit_text
from judge.play.receipts import Draft, Why
from judge.render.facts import CommandDone
from judge.rules.position import Phase
from judge.store import Store, laterorders
from judge.store.inbox import StoredMail
from judge.variants.names import load_names

#: So many lines of a power are kept for one phase, and for all of them together.
MOST_LINES = 60
MOST_IN_ALL = 600
#: So many lines of a mail are looked at for a turn, and so many for one in front of an order, which is dearer; people write
#: fewer. What follows stays with the lines above it.
_MOST_LOOKED_AT = 400
_MOST_TURNS = 150
#: Phases further ahead than this are a slip of the finger.
_MOST_YEARS = 20
_WORDS = r"later|ahead|後で|将来|以后|以後|之后|之後|稍后|稍後|将来|將來"
_LATER = re.compile(rf"\W{{0,3}}(?:{_WORDS})\b\s*[:：]?\s*(?P<rest>\S.*)\Z", re.IGNORECASE)
_ALL = re.compile(rf"(?:the\s+)?(?:{_WORDS})(?:\s*の?(?:orders?|命令|命令))?\Z", re.IGNORECASE)
#: how the lists are named behind CLEAR
_LISTS = {
    "retreat": {
        "retreat",
        "retreats",
        "retreat list",
        "retreat lists",
        "if",
        "撤退",
        "撤退リスト",
        "撤退先",
        "撤退列表",
        "撤退清单",
        "撤退清單",
    },
    "builds": {"build", "builds", "build list", "増強", "増設", "建造", "生产", "生產", "增建"},
    "removals": {"removal", "removals", "removal list", "disbands", "除去", "削減", "移除", "裁撤", "裁减", "裁減"},
    "": {"list", "lists", "the lists", "all lists", "リスト", "列表", "清单", "清單"},
}
_UNIT_LIST = re.compile(
    r"(?:retreats?(?:\s+of|\s+for)?|if|撤退)\s+(?P<unit>\S.{0,30}?)(?:\s+dislodged)?\Z|(?P<unit2>\S.{0,20}?)\s*[の的]?撤退\Z"
)
_CLEAR = next(verb.spellings for verb in VERBS if verb.name == "CLEAR")
#: lines below the heading that have nothing to do with orders are left out; whatever has this look is kept all the same
_SHAPED = re.compile(r"\W*(?:[af]|army|fleet)\s+\w|.{0,40}\w\s*(?:->|→|=>|[-–—])\s*\w", re.IGNORECASE)


@dataclass
class Split:
    """A mail's own lines: those for now, those for later phases (``"F1903M"`` -> lines), what is to be dropped (the line,
    and the phase; ``None``: everything; ``§`` and a kind and unit: lists), lines that cannot be kept (line, code of
    ``judge.render.notes``), and the ranked lists."""

    now: list[str] = field(default_factory=list)
    sections: dict[str, list[str]] = field(default_factory=dict)
    clears: list[tuple[str, str | None]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    listed: Found = field(default_factory=Found)

    def __bool__(self) -> bool:
        return bool(self.sections or self.clears or self.refused or self.listed)


def split(lines: Sequence[str], table: Table, power: str) -> Split:
    """Sort a mail's own lines by the phase that they are for. Takes bounded time on any text."""
    return split_in(lines, _context(table, power))


def split_in(lines: Sequence[str], context: Context) -> Split:
    """As :func:`split`, of what the context's power writes in its position."""
    splitter = _Splitter(context)
    for line in lines:
        splitter.take(line)
    splitter.lists.close()
    found = splitter.found
    purse = Purse(MAIL_BUDGET)
    for name, section in list(found.sections.items()):
        found.sections[name] = _worth_keeping(section, name, context, purse)
        if not found.sections[name]:
            del found.sections[name]
    return found


def _context(table: Table, power: str) -> Context:
    return Context(table.board, load_names(table.board.name), table.position, power, table.rules)


class _Splitter:
    """Goes down the lines; ``section`` is the later phase that the lines here are for, ``None``: they are for now."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.open = context.position.phase
        self.found = Split()
        self.section: Phase | None = None
        self.looked_at = self.turns = 0
        self.lists = ListLines(context)
        self.found.listed = self.lists.found

    def take(self, line: str) -> None:
        """Sort one line in."""
        if not line.strip():
            self.lists.blank()
        elif self.looked_at >= _MOST_LOOKED_AT and self.lists.over(line):
            return
        if not line.strip() or self.looked_at >= _MOST_LOOKED_AT:
            (self.found.now.append if self.section is None else partial(self.keep, self.section))(line)
            return
        self.looked_at += 1
        if self.cleared(line):
            return
        said = _LATER.match(line) if len(line) < 400 else None
        rest = said["rest"] if said else line
        if self.lists.take(rest, self.section, lambda: self.is_heading(rest)):
            return
        if self.list_behind_a_turn(rest):
            return
        phase = self.named(rest)
        if phase is not None:
            self.begin(phase, rest)
            return
        ahead = self.turn_in_front(rest)
        if ahead is not None and ahead[1].power in (None, self.context.power):
            phase = phase_of(ahead[0], ahead[1], self.open, onwards=False)
            if phase is not None and self.is_later(phase):
                self.keep(phase, ahead[2])
                return
            line = rest  # of the phase now open, or an earlier one: whatever LATER said, it is a line like others
        if self.section is None:
            self.found.now.append(line)
        elif proxy.parse(line) is not None:
            self.found.refused.append((line, "note.later-orders-only"))
        elif parse_command(line) is not None or re.fullmatch(r"\W*\d{1,2}\W*", line):
            self.found.now.append(line)  # READY, STATUS, the number of an answer: they are not about a phase's orders
        else:
            self.keep(self.section, line)

    def turn_in_front(self, line: str) -> tuple[str, Head, str] | None:
        """As ``turn_before``, for so many lines."""
        if self.turns >= _MOST_TURNS or not TURN_LIKE.search(line[:40]):
            return None
        self.turns += 1
        return turn_before(line, self.context)

    def named(self, line: str) -> Phase | None:
        """The phase that a line names which is nothing but a heading."""
        head = heading_of(line, self.context)
        if head is None or head.power not in (None, self.context.power):
            return None
        if head.season is None and head.year is None and self.section is not None:
            return part_of_turn(line, self.section)
        return phase_of(line, head, self.section or self.open, onwards=self.section is not None)

    def is_heading(self, line: str) -> bool:
        """Whether a line names a phase, alone or in front of an order: a list above it has ended."""
        return self.named(line) is not None or self.turn_in_front(line) is not None

    def list_behind_a_turn(self, line: str) -> bool:
        """Whether a line is a turn and, behind it, a list: ``F1901R RETREAT A VIE BOH TYR``."""
        if len(line) > LONGEST:
            return False
        for blank in islice(re.finditer(r"[\s:：]+", line), 4):
            if blank.start() == 0 or head_of(line[blank.end() :]) is None:
                continue
            head = heading_of(line[: blank.start()], self.context)
            phase = None
            if head is not None and head.power in (None, self.context.power) and (head.season or head.year):
                phase = phase_of(line[: blank.start()], head, self.open, onwards=False)
            if phase is not None and self.is_later(phase):
                return self.lists.take(line[blank.end() :], phase, lambda: False)
        return False

    def is_later(self, phase: Phase) -> bool:
        return order_of(phase) > order_of(self.open) and phase.year <= self.open.year + _MOST_YEARS

    def begin(self, phase: Phase, line: str) -> None:
        """A heading: the lines below it are for this phase; the heading stays above them, as it may say "Builds:"."""
        self.section = phase if self.is_later(phase) else None
        if self.section is None:
            self.found.now.append(line)
        else:
            self.keep(phase, line)

    def keep(self, phase: Phase, line: str) -> None:
        self.found.sections.setdefault(str(phase), []).append(as_written(line))

    def cleared(self, line: str) -> bool:
        """Whether a line drops what is kept; below a later heading CLEAR alone means that phase, and nothing of now."""
        command = parse_command(line)
        if command is not None and command.name == "CLEAR" and self.section is not None:
            self.found.clears.append((line, str(self.section)))
            return True
        plain = " ".join(unicodedata.normalize("NFKC", line[:120]).casefold().split()).rstrip(".!。 ")
        for spelling in _CLEAR:
            # in Japanese the verb stands last
            behind = not spelling.isascii() and plain.endswith(spelling)
            if (behind or plain.startswith(spelling)) and len(plain) > len(spelling):
                rest = (plain[: -len(spelling)].rstrip("をの") if behind else plain[len(spelling) :]).strip(" :")
                named = self.named_list(rest)
                if named is not None:
                    self.found.clears.append((line, named))
                    return True
                phase = self.only_turn(rest)
                if phase == self.open:
                    self.found.now.append(spelling)
                    return True
                if _ALL.fullmatch(rest) or phase is not None:
                    self.found.clears.append((line, None if phase is None else str(phase)))
                    return True
        return False

    def named_list(self, text: str) -> str | None:
        """The lists that a text names: ``§`` and their kind, ``§retreat A VIE`` those of a unit, ``§`` all of them."""
        for kind, words in _LISTS.items():
            if text in words:
                return f"§{kind}"
        front = _UNIT_LIST.match(text)
        unit = self.lists.reader.unit(front["unit"] or front["unit2"]) if front is not None else None
        return None if unit is None else f"§retreat {unit_text(unit).partition('/')[0]}"

    def only_turn(self, text: str) -> Phase | None:
        """The phase that a text is: a later one, or the one now open."""
        head = heading_of(text, self.context) if text else None
        phase = phase_of(text, head, self.open, onwards=False) if head is not None and head.power is None else None
        return phase if phase is not None and (phase == self.open or self.is_later(phase)) else None


def _worth_keeping(lines: Sequence[str], name: str, context: Context, purse: Purse) -> list[str]:
    """A section without what has nothing to do with orders (a greeting, a name); nothing, if only headings are left."""
    if len(lines) > 3 * MOST_LINES:
        return list(lines)  # too many in any case: no need to read them
    there = replace(context.position, phase=Phase.parse(name))
    readings = read_lines(lines, replace(context, position=there), purse)
    kept = [
        (line, reading.heading)
        for line, reading in zip(lines, readings, strict=True)
        if line.strip() and (reading.heading or reading.mentions or _SHAPED.match(line[:200]))
    ]
    return [line for line, _ in kept] if any(not heading for _, heading in kept) else []


def obey(store: Store, table: Table, mail: StoredMail, found: Split, draft: Draft, late: bool, now: datetime) -> None:
    """Drop and keep what a mail says of later phases, inside the caller's transaction. What is dropped is what was kept
    before this mail; a mail out of turn (``late``) drops nothing."""
    power = mail.recipient.power or ""
    for line, phase in found.clears:
        if late:
            draft.not_used.append((line, [Why("note.out-of-turn")], []))
        else:
            count = _clear(store, table, power, phase)
            draft.commands.append(CommandDone("CLEAR LATER", "done" if count else "nothing", count))
    for line, code in found.refused:
        draft.not_used.append((line, [Why(code)], []))
    draft.not_used += found.listed.unclear
    for line, choices, whys in found.listed.asked:
        if late:
            draft.not_used.append((line, whys, []))
        else:
            draft.questions.append((line, choices, whys))
    for phase, lines in found.sections.items():
        if len(lines) > _room(store, table, power, phase):
            draft.not_used.append((lines[0], [Why("note.later-too-many", {"most": MOST_LINES})], []))
        else:
            laterorders.keep(store, table.game.id, power, phase, lines, mail.id, now)
    for phase, ranked in found.listed.lists:
        _keep_list(store, table, mail, phase, ranked, draft, late, now)


def _keep_list(
    store: Store, table: Table, mail: StoredMail, phase: str, ranked: Ranked, draft: Draft, late: bool, now: datetime
) -> None:
    """Keep a list in the place of the one before it; out of turn only where there is none."""
    power = mail.recipient.power or ""
    rows = laterorders.kept(store, table.game.id, power)
    lines = ranked.stored()
    if late and lists.has_same(rows, phase, ranked):
        draft.not_used.append((ranked.orders[0], [Why("note.out-of-turn")], []))
        return
    lists.replace_same(store, rows, phase, ranked)
    if len(lines) > _room(store, table, power, phase):
        draft.not_used.append((ranked.orders[0], [Why("note.later-too-many", {"most": MOST_LINES})], []))
    else:
        laterorders.keep(store, table.game.id, power, phase, lines, mail.id, now)


def _clear(store: Store, table: Table, power: str, phase: str | None) -> int:
    """Drop what is kept for a phase, or for all of them. Returns how many lines that were."""
    rows = [one for one in laterorders.kept(store, table.game.id, power) if _dropped(one, phase)]
    for one in rows:
        laterorders.settle(store, one, "cleared")
    return sum(len(one.lines) - (of_stored(one.lines) is not None) for one in rows)


def _dropped(one: laterorders.KeptLines, what: str | None) -> bool:
    """Whether CLEAR means what is kept in a row: ``what`` as in :class:`Split`."""
    ranked = of_stored(one.lines)
    if what is None or not what.startswith("§"):
        return what is None or (what == one.phase and not lists.stands_always(one))
    kind, _, unit = what[1:].partition(" ")
    return ranked is not None and kind in ("", ranked.kind) and unit in ("", ranked.key[1])


def _room(store: Store, table: Table, power: str, phase: str) -> int:
    """How many more lines may be kept for a phase."""
    rows = laterorders.kept(store, table.game.id, power)
    here = sum(len(one.lines) for one in rows if one.phase == phase)
    return min(MOST_LINES - here, MOST_IN_ALL - sum(len(one.lines) for one in rows))


def told(store: Store, table: Table, power: str) -> list[dict[str, object]]:
    """What is kept, by phase in the order they are played; a phase's lines in the order in which they will be read."""
    by_phase: dict[str, list[str]] = {}
    rows = laterorders.kept(store, table.game.id, power)
    for one in rows:
        if of_stored(one.lines) is not None:
            continue
        by_phase.setdefault(one.phase, []).extend(one.lines)
    names = sorted(by_phase, key=lambda name: order_of(Phase.parse(name)))
    plain: list[dict[str, object]] = [{"phase": n, "lines": by_phase[n], "count": len(by_phase[n])} for n in names]
    return [*plain, *lists.told(rows)]
