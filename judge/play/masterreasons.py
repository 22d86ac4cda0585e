"""Which reason of a game master's mail goes with which of its acts.

A line WHY belongs to the act right above it, one that stands above all acts to those below it; the only reason of a mail
is that of all it does. A WHY that asks about a unit or a place of the board is a question and no reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from judge.mail.commands import Command, parse, verb_of
from judge.mail.reading import Incoming
from judge.mail.rulelines import WHY_LIMIT, find_settings
from judge.mail.verbs import PHASE
from judge.notation import Context, read_line
from judge.play.judge import Table
from judge.rules.houserules import keys
from judge.rules.orders import Waive
from judge.variants.names import load_names

#: Chapters of the manual whose verbs the master says with a reason.
WITH_A_REASON = frozenset({"clock", "master"})
_PHASE_BEHIND = re.compile(rf",?\s*(?:in\s+)?{PHASE}\Z", re.IGNORECASE)
_UNIT = re.compile(r"[AF] [A-Z]{3}(?:/[A-Z]{2})?\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """A master's mail sorted: its commands, its other lines (reasons among them), and for what it does, by the line that
    says it, the reason; ``sole``: the reason of everything, if there is but one."""

    commands: list[Command]
    lines: list[str]
    reasons: Mapping[str, str] = field(default_factory=dict)
    sole: str | None = None

    def why(self, line: str) -> str | None:
        """The reason of the act that a line is."""
        return self.reasons.get(line.strip(), self.sole)


def does(command: Command) -> bool:
    """Whether a command is an act that has a reason."""
    return verb_of(command).topic in WITH_A_REASON


def sort_out(incoming: Incoming, table: Table | None) -> Said:
    """Commands, lines and reasons of a mail. ``table``: the game's, whose board the questions are about; ``None`` before
    the start, when nobody can ask about a unit."""
    found = [(line, parse(line)) for line in incoming.own_lines]
    acts = any(does(one) for one in incoming.blocks) or any(one is not None and does(one) for _, one in found)
    if acts or find_settings(incoming.own_lines, keys()).settings:
        found = [(line, None if one is not None and _gives_a_reason(one, table) else one) for line, one in found]
    commands = [*incoming.blocks, *(one for _, one in found if one is not None)]
    lines = [line for line, one in found if one is None]
    return Said(commands, lines, *_reasons(list(_told(incoming, found))))


def _gives_a_reason(command: Command, table: Table | None) -> bool:
    return command.name == "WHY" and bool(command.argument) and not (table and _asks(command.argument, table))


def _asks(text: str, table: Table) -> bool:
    """Whether what stands behind WHY is a unit with its letter, or a place of the board; perhaps with a phase."""
    said = _PHASE_BEHIND.sub("", text.strip().rstrip("?？").strip())
    if _UNIT.match(said):
        return True
    context = Context(table.board, load_names(table.board.name), table.position, None, table.rules)
    reading = read_line(f"{said} H", context)
    return any(not isinstance(order, Waive) for order in reading.orders)


def _told(incoming: Incoming, found: Sequence[tuple[str, Command | None]]) -> Iterator[tuple[str, str]]:
    """The acts and reasons of a mail in its order: ``("act", line)``, ``("set", line)`` or ``("why", words)``."""
    places = _places(incoming)
    for place, (line, command) in enumerate(found):
        yield from (("act", block.line.strip()) for block, at in places if at == place and does(block))
        if command is not None:
            if does(command):
                yield "act", line.strip()
            continue
        one = find_settings([line], keys())
        if one.settings:
            yield "set", line.strip()
        elif one.why:
            yield "why", one.why
    yield from (("act", block.line.strip()) for block, at in places if at >= len(found) and does(block))


def _places(incoming: Incoming) -> list[tuple[Command, int]]:
    """Before which of the own lines each block stands. (Of one in the subject or a file: before the first.)"""
    places, at, inside = {}, 0, 0
    heads = {block.line.strip(): block for block in incoming.blocks}
    for verdict in incoming.lines:
        text = verdict.text.strip()
        if inside:
            inside -= 1
        elif text in heads and text not in places:
            places[text], inside = at, len(heads[text].lines)
        elif at < len(incoming.own_lines) and text == incoming.own_lines[at].strip():
            at += 1
    return [(block, places.get(block.line.strip(), 0)) for block in incoming.blocks]


def _reasons(told: Sequence[tuple[str, str]]) -> tuple[dict[str, str], str | None]:
    """The reason of each act, and that of all if there is but one. Settings in a row are one act; lines of reasons in a
    row are one reason."""
    groups: list[tuple[list[str], list[str]]] = [([], [])]
    before = ""
    for kind, text in told:
        if kind == "why":
            groups[-1][1].append(text)
        elif kind == "set" and before == "set":
            groups[-1][0].append(text)
        else:
            groups.append(([text], []))
        before = kind
    given = [" ".join(words)[:WHY_LIMIT] for _, words in groups if words]
    if len(given) < 2:
        return {}, given[0] if given else None
    first = " ".join(groups[0][1])[:WHY_LIMIT]
    return {line: " ".join(words)[:WHY_LIMIT] or first for lines, words in reversed(groups) for line in lines}, None
