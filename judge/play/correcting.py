"""The position of the open phase is corrected by the master, with a reason that everybody reads.

A correction is kept as a fact of its phase, in values of the board, so that a game can be verified with it: the position
that the phase before led to, corrected in the same way, is the one that the phase begins with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.errors import BadPosition
from judge.mail.positionlines import PositionLine, read_position_lines
from judge.notation import write_unit
from judge.play.announcing import Doer, announce
from judge.play.filing import set_run_at
from judge.play.judge import Judge, Table, lay_out
from judge.play.notdone import NotDone
from judge.play.onfile import stored_order
from judge.play.placing import position_answer
from judge.play.receipts import place_of
from judge.play.spelling import place_and_power
from judge.render.commonfacts import Answer
from judge.rules import owing
from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.legality import check
from judge.rules.position import Position, check_position
from judge.rules.retreats import options
from judge.store import codec, games, mastering, orders, proxies

#: So many lines one correction may have.
MOST_LINES = 100

#: One change, as stored: ``{"do": "put" | "remove", "power", "type", "at"}`` or ``{"do": "owner", "at", "power" | None}``.
Change = Mapping[str, Any]


def read_changes(table: Table, lines: Sequence[str]) -> list[Change]:
    """What lines such as ``A PAR FRANCE``, ``REMOVE A PAR`` and ``OWNER BEL ENGLAND`` change in the table's position, each
    seen after those before it.

    :raises NotDone: there is none, or one that cannot be understood or carried out.
    """
    found, strange = read_position_lines(lines)
    if strange:
        raise NotDone("correct.line", text=strange[0][:100])
    if not found:
        raise NotDone("correct.empty")
    if len(found) > MOST_LINES:
        raise NotDone("correct.too-many", most=MOST_LINES)
    position, changes = table.position, []
    for line in found:
        change = _change(table, position, line)
        try:
            position = changed(table.board, position, [change], table.rules)
        except BadPosition as fault:
            raise NotDone(_why_not(table.board, change), text=line.line[:100]) from fault
        changes.append(change)
    return changes


def _why_not(board: Board, change: Change) -> str:
    """The code that says why the board does not bear a change."""
    if change["do"] == "owner":
        return "correct.no-centre"
    if change["at"] not in board.standing[change["type"]]:
        return "correct.no-place-for-it"
    return "correct.occupied"


def _change(table: Table, position: Position, line: PositionLine) -> Change:
    place, power = place_and_power(table, line.words)
    if place is None or (power is None and line.do != "remove"):
        raise NotDone("correct.line", text=line.line[:100])
    if line.do == "owner":
        return {"do": "owner", "at": place.partition("/")[0], "power": power or None}
    if line.do == "put":
        if not power:
            raise NotDone("correct.line", text=line.line[:100])
        return {"do": "put", "power": power, "type": line.type, "at": place}
    return _removal(position, line, place, power)


def _removal(position: Position, line: PositionLine, place: str, power: str | None) -> Change:
    """The one unit that a line with REMOVE means: standing or dislodged."""
    there = (*position.units, *(fallen.unit for fallen in position.dislodged))
    fitting = [
        unit
        for unit in there
        if place in (unit.at, unit.province) and line.type in ("", unit.type) and power in (None, unit.power)
    ]
    if not fitting:
        raise NotDone("correct.no-unit", text=line.line[:100])
    if len(fitting) > 1:
        raise NotDone("correct.which-unit", text=line.line[:100])
    return {"do": "remove", **codec.unit_out(fitting[0])}


def changed(board: Board, position: Position, changes: Sequence[Change], rules: HouseRules) -> Position:
    """A position with changes made one after the other; where dislodged units may go is found anew.

    :raises BadPosition: the board does not bear it, or a unit that is to go is not there.
    """
    for change in changes:
        position = _with(position, change)
        check_position(board, position)
    fallen = []
    occupied = {unit.province for unit in position.units}
    for one in position.dislodged:
        unit, origin = one.unit, one.attacked_from
        may = options(board, unit, origin, one.by_convoy, occupied, position.contested, rules)
        fallen.append(replace(one, retreats=may))
    return replace(position, dislodged=tuple(fallen))


def _with(position: Position, change: Change) -> Position:
    if change["do"] == "owner":
        owners = {place: power for place, power in position.owners.items() if place != change["at"]}
        if change["power"] is not None:
            owners[change["at"]] = change["power"]
        return replace(position, owners=owners)
    unit = Unit(change["power"], change["type"], change["at"])
    if change["do"] == "put":
        contested = position.contested - {unit.province}
        return replace(position, units=(*position.units, unit), contested=contested)
    if unit in position.units:
        return replace(position, units=tuple(one for one in position.units if one != unit))
    if all(one.unit != unit for one in position.dislodged):
        raise BadPosition(f"no {unit.type} {unit.at} of {unit.power} is there")
    return replace(position, dislodged=tuple(one for one in position.dislodged if one.unit != unit))


def correct(judge: Judge, table: Table, changes: Sequence[Change], doer: Doer, now: datetime) -> Table:
    """Correct the position of the open phase, inside the caller's transaction. Orders that it makes illegal are cleared, and
    units that are no longer there taken out of other hands; everybody is told. Returns the table as it is then.

    :raises NotDone: there is no reason, or nothing would be changed.
    :raises BadPosition: these are changes of another position.
    """
    if not doer.why:
        raise NotDone("correct.no-reason", example="WHY")
    position = changed(table.board, table.position, changes, table.rules)
    text = codec.position_to_text(position)
    if text == codec.position_to_text(table.position) or position == table.position:
        raise NotDone("correct.same")
    store, phase = judge.store, table.phase
    mastering.set_position(store, phase.id, text)
    mastering.keep_correction(store, phase.id, changes, phase.position, doer.who, doer.why, now)
    after = lay_out(table.game, games.phase(store, phase.id))
    cleared = _clear_what_is_illegal(judge, table, after, now)
    set_run_at(store, after, now)
    made = [dict(change) for change in changes]
    facts = {"phase": phase.name, "changes": made, "why": doer.why}
    number = games.log(store, table.game.id, doer.who, "corrected", facts, now)
    own = {power: [cleared_answer(after, power, texts)] for power, texts in cleared.items() if texts}
    announce(
        judge, after, "corrected", {"changes": made}, doer, now, number=number, answers=[position_answer(after)], own=own
    )
    return after


def cleared_answer(table: Table, power: str, texts: Sequence[str]) -> Answer:
    """What a power is told of its orders that a correction cleared."""
    sealed = table.rules.orders_secrecy == "sealed"
    places = [place_of(text, table) for text in texts] if sealed else []
    return Answer("cleared", {"power": power, "orders": [] if sealed else list(texts), "places": places})


def _clear_what_is_illegal(judge: Judge, before: Table, after: Table, now: datetime) -> dict[str, list[str]]:
    """Take off file what can no longer be ordered: power -> the orders."""
    store, phase_id, position = judge.store, after.phase.id, after.position
    there = {unit.province: unit.power for unit in position.units}
    for one in proxies.handed(store, phase_id):
        if there.get(one.place) != one.power:
            proxies.take_back(store, phase_id, one.power, [one.place], now)
    hands = {(one.proxy, one.place): one.power for one in proxies.handed(store, phase_id)}
    owed_then, owed_now = (owing(table.board, table.position, table.rules) for table in (before, after))
    cleared: dict[str, list[str]] = {}
    for held in orders.held(store, phase_id):
        owner = hands.get((held.power, held.slot), held.power)
        order = stored_order(held.text, after)
        recounted = position.phase.kind == "A" and owed_then.get(held.power) != owed_now.get(held.power)
        if recounted or check(after.board, position, owner, order, after.rules) is not None:
            orders.drop(store, phase_id, held.power, held.slot)
            cleared.setdefault(held.power, []).append(held.text)
    return cleared


def in_words(changes: Sequence[Change]) -> list[str]:
    """The changes in plain English, for a shell."""
    said = []
    for one in changes:
        if one["do"] == "owner":
            said.append(f"{one['at']} belongs to {one['power'] or 'nobody'}")
        else:
            unit = write_unit(Unit(one["power"], one["type"], one["at"]))
            said.append(f"{unit} ({one['power']}) is {'put there' if one['do'] == 'put' else 'taken off'}")
    return said
