"""``judge adjudicate``: positions with their orders in, outcomes out, one JSON object a line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import IO, Any

import click
import msgspec

from judge.errors import BadPosition, JudgeError
from judge.notation import Context, Reading, parse_canonical, read_line, write
from judge.render.problems import sentence as problem_sentence
from judge.render.reasons import sentence
from judge.rules import adjudicate as adjudicate_phase
from judge.rules import retreats
from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.houserules import HouseRules
from judge.rules.orders import Order, Support, Waive
from judge.rules.outcome import Adjudication, GivenOrder, Outcome, Reason
from judge.rules.position import Dislodged, Phase, Position, check_position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names


class _Unit(msgspec.Struct):
    power: str
    type: UnitType
    at: str


class _Dislodged(_Unit):
    attacked_from: str | None = None


class _Order(msgspec.Struct):
    power: str
    text: str


class _Line(msgspec.Struct):
    """One line of input; keys that a phase does not use may be absent."""

    phase: str
    id: Any = None
    rules: str | None = None
    units: list[_Unit] = []
    centres: dict[str, list[str]] = {}
    dislodged: list[_Dislodged] = []
    contested: list[str] = []
    orders: list[_Order] = []


class _Id(msgspec.Struct):
    """What is wanted of a line that is no position: its name."""

    id: Any = None


_DECODE = msgspec.json.Decoder(_Line).decode
_DECODE_ID = msgspec.json.Decoder(_Id).decode
_ENCODE = msgspec.json.Encoder().encode


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--rules", "rules_name", default="standard", help="A preset's name or a house-rules file.", show_default=True)
@click.option("--variant", default="standard", help="The board.", show_default=True)
def adjudicate(file: IO[bytes], rules_name: str, variant: str) -> None:
    """Adjudicate positions with their orders: JSON Lines in, JSON Lines out.

    \b
    echo '{"phase": "S1901M", "units": [{"power": "France", "type": "A", "at": "par"}],
           "orders": [{"power": "France", "text": "A PAR-BUR"}]}' | tr -d '\\n' | judge adjudicate

    A line may name its own "rules". A line that is no position gives {"id", "error"}; the others go on, and the exit
    code is 1 at the end.
    """
    desk = Desk(load_board(variant), rules_name)
    out = sys.stdout.buffer
    failed = False
    for answer in desk.answers(file):
        if "error" in answer:
            failed = True
            # the same on standard error, FILE:LINE, for whoever reads along
            click.echo(f"{getattr(file, 'name', '-')}:{answer['error'].removeprefix('line ')}", err=True)
        out.write(_ENCODE(answer) + b"\n")
        out.flush()
    if failed:
        sys.exit(1)


class _Said(msgspec.Struct):
    """One order as it came: its text, what it says if it was canonical already, and why it could not be read."""

    text: str
    canonical: Order | None
    fault: str


_NOTHING = _Said("", None, "")


class Desk:
    """A board and the house rules met so far; answers line by line."""

    def __init__(self, board: Board, rules_name: str) -> None:
        self.board = board
        self.names = load_names(board.name)
        self.powers = {name: power for power in board.powers for name in (power, power.lower())}
        self.rules_name = rules_name
        self._rules: dict[str, HouseRules] = {}
        self.rules(rules_name)

    def rules(self, name: str) -> HouseRules:
        """The house rules of that name or file, read once."""
        if name not in self._rules:
            self._rules[name] = load_rules(name, self.board)
        return self._rules[name]

    def answers(self, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        """An answer for each line that is not blank."""
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield self.answer(_DECODE(line))
                except (msgspec.DecodeError, JudgeError, ValueError) as error:
                    yield {"id": _id_of(line), "error": f"line {number}: {error}"}

    def answer(self, line: _Line) -> dict[str, Any]:
        """Adjudicate one line."""
        rules = self.rules(self.rules_name if line.rules is None else line.rules)
        position = self.position(line, rules)
        given: list[GivenOrder] = []
        said: list[_Said] = []
        for entry in line.orders:
            power = self.powers.get(entry.power) or self.power(entry.power)
            orders, plain, fault = self.read(entry.text, position, power, rules)
            for order in orders or (None,):
                given.append(GivenOrder(power, order))
                said.append(_Said(entry.text, order if plain else None, fault))
        adjudication = adjudicate_phase(self.board, position, given, rules)
        return self.told(line, position, said, adjudication, rules)

    def power(self, name: str) -> str:
        """A power's name in any case, as the board writes it."""
        power = self.powers.get(name.lower())
        if power is None:
            raise BadPosition(f"the board has no power {name!r}; it has {', '.join(self.board.powers)}")
        return power

    def unit(self, unit: _Unit) -> Unit:
        """A unit as the line writes it, with the board's names."""
        return Unit(self.powers.get(unit.power) or self.power(unit.power), unit.type, unit.at.lower())

    def position(self, line: _Line, rules: HouseRules) -> Position:
        """The position that a line describes.

        :raises BadPosition: the board does not bear it.
        """
        units = tuple(self.unit(u) for u in line.units)
        owners: dict[str, str] = {}
        for name, centres in line.centres.items():
            power = self.power(name)
            for centre in centres:
                if owners.setdefault(centre.lower(), power) != power:
                    raise BadPosition(f"{centre} has two owners: {owners[centre.lower()]} and {power}")
        contested = frozenset(place.lower() for place in line.contested)
        fallen = tuple(Dislodged(self.unit(d), (d.attacked_from or "").lower(), not d.attacked_from) for d in line.dislodged)
        position = Position(Phase.parse(line.phase), units, owners, fallen, contested)
        check_position(self.board, position)
        if not fallen:
            return position
        occupied = {unit.province for unit in units}
        return replace(
            position,
            dislodged=tuple(
                replace(
                    d,
                    retreats=retreats.options(
                        self.board, d.unit, province_of(d.attacked_from), d.by_convoy, occupied, contested, rules
                    ),
                )
                for d in fallen
            ),
        )

    def read(self, text: str, position: Position, power: str, rules: HouseRules) -> tuple[tuple[Order, ...], bool, str]:
        """The orders of a line; whether it was canonical text, which needs no reader; if there are none, why."""
        if not any(alias in text.lower() for alias, _ in rules.coast_aliases):
            try:
                return (parse_canonical(text, self.board),), True, ""
            except ValueError:
                pass
        reading = read_line(text, Context(self.board, self.names, position, power, rules))
        return reading.orders, False, "" if reading.orders else _why_unread(reading, rules)

    def told(
        self, line: _Line, position: Position, said: list[_Said], adjudication: Adjudication, rules: HouseRules
    ) -> dict[str, Any]:
        """The answer in the shape of the contract."""
        after = adjudication.position
        centres: dict[str, list[str]] = {}
        for centre in sorted(after.owners):
            centres.setdefault(after.owners[centre], []).append(centre)
        end = adjudication.end
        types = {province_of(unit.at): unit.type for unit in position.units}
        types.update((d.unit.province, d.unit.type) for d in position.dislodged)
        unsaid = repeat(_NOTHING, len(adjudication.outcomes) - len(said))
        return {
            "id": line.id,
            "phase": str(position.phase),
            "orders": [_order(o, s, types, rules) for o, s in zip(adjudication.outcomes, chain(said, unsaid), strict=True)],
            "units": [_unit(unit) for unit in adjudication.units],
            "dislodged": [_dislodged(d, rules) for d in adjudication.dislodged],
            "contested": sorted(adjudication.contested),
            "centres": {power: centres[power] for power in self.board.powers if power in centres},
            "next": str(after.phase),
            "winner": None if end is None else list(end.winners),
            "ended_by": None if end is None else end.ended_by,
        }


def _unit(unit: Unit) -> dict[str, Any]:
    return {"power": unit.power, "type": unit.type, "at": unit.at}


def _dislodged(dislodged: Dislodged, rules: HouseRules) -> dict[str, Any]:
    """``attacked_from`` is null where the attacker came by convoy and so bars no retreat (4.A.5)."""
    barred = not (dislodged.by_convoy and rules.retreat_to_convoy_origin)
    return {
        **_unit(dislodged.unit),
        "attacked_from": dislodged.attacked_from if barred else None,
        "retreats": list(dislodged.retreats),
    }


def _order(outcome: Outcome, said: _Said, types: dict[str, UnitType], rules: HouseRules) -> dict[str, Any]:
    read_as = _read_as(outcome, said, types)
    told: dict[str, Any] = {
        "power": outcome.power,
        "text": said.text or read_as,
        "read_as": read_as,
        "result": outcome.result,
        "reason": said.fault or sentence(outcome.reason, rules=rules),
    }
    if outcome.dislodged:
        told["dislodged"] = True
    return told


def _read_as(outcome: Outcome, said: _Said, types: dict[str, UnitType]) -> str | None:
    """The order in canonical text: the very text, if it was that and nothing had to be filled in."""
    if outcome.order is None:
        return None
    meant = _with_letters(outcome.order, types)
    return said.text if meant is said.canonical else write(meant)


def _with_letters(order: Order, types: dict[str, UnitType]) -> Order:
    """The order with the letters of the units that stand there; wrong and missing ones are ignored (DATC 4.C)."""
    if isinstance(order, Waive):
        return order
    type_ = types.get(province_of(order.at), order.type)
    if type_ != order.type:
        order = replace(order, type=type_)
    if isinstance(order, Support):
        of_type = types.get(province_of(order.of), order.of_type)
        if of_type != order.of_type:
            order = replace(order, of_type=of_type)
    return order


def _why_unread(reading: Reading, rules: HouseRules) -> str:
    if reading.problems:
        return problem_sentence(reading.problems[0], rules=rules)
    return sentence(Reason("unreadable"))


def _id_of(line: bytes) -> Any:
    try:
        return _DECODE_ID(line).id
    except msgspec.DecodeError:
        return None
