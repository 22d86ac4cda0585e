"""PREVIEW: what would come of orders that are not given, for all powers or one's own. Nothing of them is kept as orders.

A player's preview knows the board and the lines of the mail and nothing else, so that it tells nobody's real orders; the
master's, without lines, is of what is on file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.notation import Context, Reading, read_lines
from judge.notation.combine import Purse
from judge.notation.lines import heading_of
from judge.notation.mail import MAIL_BUDGET
from judge.play.judge import Judge, Table
from judge.play.onfile import given_orders
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import phase_named, rules_args
from judge.render.commonfacts import Answer
from judge.rules import adjudicate
from judge.rules.board import province_of
from judge.rules.orders import Build, Order, Waive
from judge.rules.outcome import GivenOrder
from judge.store import codec, games
from judge.variants.names import load_names

#: So many lines of one preview are read: more than all units of a board, with headings.
MOST_LINES = 150
#: What reading all of them may cost, in the reader's measure: lines are read as one's own and as anybody's.
BUDGET = 2 * MAIL_BUDGET
#: So many lines that could not be read are told of.
MOST_TOLD = 12


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines under one heading; ``power``: the one that it names."""

    power: str | None
    lines: list[str]


def preview(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to PREVIEW."""
    assert act.table is not None  # the verb is for running games
    _check_phase(act, command, act.table)
    if any(line.strip() for line in command.lines):
        power = act.seat.power if act.role == "player" and act.seat is not None else None
        return [of_lines(act.table, command.lines, power, ended=command.ended)]
    if act.role != "master":
        raise NotDone("preview.no-lines")
    if act.seat is not None and plays(act.judge, act.table, act.seat.address):
        raise NotDone("preview.master-plays")
    return [on_file(act.judge, act.table)]


def plays(judge: Judge, table: Table, address: str | None) -> bool:
    """Whether somebody has a power in the game: then the orders of others are not theirs to see."""
    own = (address or "").casefold()
    return any((seat.address or "").casefold() == own for seat in games.seats(judge.store, table.game.id)) if own else False


def on_file(judge: Judge, table: Table) -> Answer:
    """What would come of the orders that are on file now."""
    return _answer(table, given_orders(judge.store, table), [], on_file=True, ended=True, left=0)


def of_lines(table: Table, lines: Sequence[str], power: str | None, *, ended: bool = True) -> Answer:
    """What would come of the orders in ``lines``: those of ``power`` unless they say otherwise. ``ended``: an END closed
    them."""
    written = [line for line in lines if line.strip()]
    given: list[GivenOrder] = []
    strange: list[Reading] = []
    for reading, under in _read(table, written[:MOST_LINES], power):
        whole = reading.kind in ("order", "illegal")
        given += [GivenOrder(_whose(table, one, under), one) for one in (reading.orders if whole else reading.legal)]
        if not (whole or reading.heading):
            strange.append(reading)
    left = max(len(written) - MOST_LINES, 0)
    return _answer(table, given, strange, on_file=False, ended=ended, left=left)


def _check_phase(act: Act, command: Command, table: Table) -> None:
    """A phase behind the word must be the one that is open."""
    named = phase_named(command.argument.rstrip(":： "), table.game, table.position.phase) if command.argument else None
    if named is not None and named != table.position.phase:
        raise NotDone("preview.other-phase", phase=table.phase.name)


def _read(table: Table, lines: Sequence[str], power: str | None) -> Iterator[tuple[Reading, str | None]]:
    """Each line, with the power under whose heading it stands (or who writes): as that power would mean it or, where this
    makes no order of it, as anybody may."""
    purse = Purse(BUDGET)
    names = load_names(table.board.name)
    anybody = Context(table.board, names, table.position, None, table.rules)
    for part in _parts(lines, anybody, purse, power):
        readings: Sequence[Reading] = read_lines(part.lines, anybody, purse)
        if part.power is not None:
            own = read_lines(part.lines, Context(table.board, names, table.position, part.power, table.rules), purse)
            readings = [mine if mine.kind == "order" else all_ for mine, all_ in zip(own, readings, strict=True)]
        yield from ((reading, part.power) for reading in readings)


def _parts(lines: Iterable[str], context: Context, purse: Purse, power: str | None) -> Iterator[_Lines]:
    part = _Lines(power, [])
    for line in lines:
        head = heading_of(line, context, purse)
        if head is not None and head.power is not None:
            if part.lines:
                yield part
            part = _Lines(head.power, [])
        part.lines.append(line)
    if part.lines:
        yield part


def _whose(table: Table, order: Order, power: str | None) -> str:
    """The power that an order is of: its unit's; of a build that of the centre's owner."""
    if isinstance(order, Waive):
        return power or table.board.powers[0]
    place = province_of(order.at)
    if isinstance(order, Build):
        return table.position.owners.get(place) or power or table.board.powers[0]
    fallen = {one.unit.province: one.unit for one in table.position.dislodged}
    standing = {unit.province: unit for unit in table.position.units}
    unit = fallen.get(place) or standing.get(place)
    return unit.power if unit is not None else power or table.board.powers[0]


def _answer(
    table: Table, given: Sequence[GivenOrder], strange: Sequence[Reading], *, on_file: bool, ended: bool, left: int
) -> Answer:
    adjudication = adjudicate(table.board, table.position, given, table.rules)
    args: dict[str, Any] = {
        "phase": table.phase.name,
        "on_file": on_file,
        "ended": ended,
        "units": [codec.unit_out(unit) for unit in table.position.units],
        "fallen": [codec.unit_out(one.unit) for one in table.position.dislodged],
        "outcomes": [codec.outcome_out(one) for one in adjudication.outcomes],
        "aftermath": [codec.outcome_out(one) for one in adjudication.aftermath],
        "driven_out": [
            {**codec.unit_out(one.unit), "from": one.attacked_from, "retreats": list(one.retreats)}
            for one in adjudication.dislodged
        ],
        "after": codec.position_out(adjudication.position),
        "centres": {power: len(table.position.centres(power)) for power in table.board.powers},
        "winners": None if adjudication.end is None else list(adjudication.end.winners),
        "strange": [_strange(one) for one in strange if one.mentions][:MOST_TOLD],
        "left": left,
    }
    keys = {one.reason.rule for one in (*adjudication.outcomes, *adjudication.aftermath)}
    args["rules"] = rules_args(table, keys | {p.rule for one in strange for p in one.problems})
    return Answer("preview", args)


def _strange(reading: Reading) -> dict[str, Any]:
    problems = [
        {"code": one.code, "args": {name: codec.arg_out(value) for name, value in one.args.items()}, "rule": one.rule}
        for one in reading.problems
    ]
    return {"line": reading.line.strip()[:200], "problems": problems, "suggestions": list(reading.suggestions[:4])}


DOERS: Mapping[tuple[str, Role], Doer] = {("PREVIEW", "player"): preview, ("PREVIEW", "master"): preview}
