"""Where everything stands, as answers and notices tell it: the position, and what is on file for a power."""

from __future__ import annotations

from judge.play.judge import Judge, Table
from judge.play.receipts import place_of
from judge.render.commonfacts import Answer
from judge.rules.position import Position
from judge.store import orders


def position_answer(table: Table) -> Answer:
    """The position that a phase begins with: units, dislodged ones and centres of each power that has any."""
    return Answer("position", {"phase": table.phase.name, "powers": _powers(table, table.position)})


def _powers(table: Table, position: Position) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for power in table.board.powers:
        units = [[unit.type, unit.at] for unit in position.units_of(power)]
        fallen = [[one.unit.type, one.unit.at] for one in position.dislodged if one.unit.power == power]
        centres = list(position.centres(power))
        if units or fallen or centres:
            rows.append({"power": power, "units": units, "dislodged": fallen, "centres": centres})
    return rows


def on_file_answers(judge: Judge, table: Table) -> dict[str, Answer]:
    """Power -> the orders of its own that are on file for the open phase; where receipts are sealed only what for."""
    sealed = table.rules.orders_secrecy == "sealed"
    found = {}
    for power in table.board.powers:
        texts = [held.text for held in orders.held(judge.store, table.phase.id, power)]
        said = {"phase": table.phase.name, "orders": [] if sealed else texts}
        found[power] = Answer("on-file", said | {"places": [place_of(text, table) for text in texts] if sealed else []})
    return found
