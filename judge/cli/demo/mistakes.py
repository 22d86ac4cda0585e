"""What players get wrong: orders that they think better of, lines that cannot be used, units that they forget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from judge.cli.demo.recording import RecordedPhase
from judge.cli.demo.spelling import Writer
from judge.notation import parse_canonical
from judge.rules import adjudicate
from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.houserules import HouseRules
from judge.rules.orders import Build, Disband, Hold, Move, Order
from judge.rules.outcome import GivenOrder
from judge.rules.position import Phase, Position

# ---- units that get no order -----------------------------------------------------------------------------------------


def forgotten(
    recorded: RecordedPhase, board: Board, rules: HouseRules, random: Random, most: int
) -> frozenset[tuple[str, str]]:
    """Orders (power, text) of a phase, ``most`` at most, that may be left out without changing what comes of it.

    A unit without an order holds (a dislodged one disbands), so these are holds, orders that come to nothing, and
    disbandments. Whether they matter is asked of the engine.
    """
    if recorded.kind == "A":
        return frozenset()
    if recorded.kind == "R":
        disbanding = [(power, text) for power, text in recorded.orders if text.endswith(" D")]
        return frozenset(disbanding[:most])
    position = movement_position(recorded)
    given = {order: GivenOrder(order[0], parse_canonical(order[1], board)) for order in recorded.orders}
    due = adjudicate(board, position, list(given.values()), rules).position
    candidates = list(recorded.orders)
    random.shuffle(candidates)
    # holds first: of the others most matter, and asking costs an adjudication
    candidates.sort(key=lambda order: not order[1].endswith(" H"))
    left_out: set[tuple[str, str]] = set()
    for order in candidates[: 3 * most]:
        if len(left_out) == most:
            break
        rest = [g for key, g in given.items() if key not in left_out and key != order]
        if adjudicate(board, position, rest, rules).position == due:
            left_out.add(order)
    return frozenset(left_out)


def movement_position(recorded: RecordedPhase) -> Position:
    """The position before a recorded movement."""
    return Position(Phase.parse(recorded.phase), tuple(units_of(recorded)), recorded.before.owners)


def units_of(recorded: RecordedPhase) -> list[Unit]:
    """The units that stand before a recorded phase, dislodged ones not among them, in a steady order."""
    units = []
    for text in sorted(recorded.before.units):
        power, kind, at = text.split()
        units.append(Unit(power, _unit_type(kind), at))
    return units


def _unit_type(letter: str) -> UnitType:
    return "A" if letter == "A" else "F"


# ---- orders that are corrected later ---------------------------------------------------------------------------------


def another_order(order: Order, power: str, recorded: RecordedPhase, board: Board, random: Random) -> Order | None:
    """A legal order that is not ``order`` and stands in its place, so that ``order`` given later replaces it."""
    choices = {"M": _another_move, "R": _another_retreat, "A": _another_adjustment}[recorded.kind]
    found = [one for one in choices(order, power, recorded, board) if one != order]
    return random.choice(found) if found else None


def _another_move(order: Order, power: str, recorded: RecordedPhase, board: Board) -> list[Order]:
    unit = next((u for u in units_of(recorded) if u.province == province_of(getattr(order, "at", ""))), None)
    if unit is None:
        return []
    targets = board.army[unit.at] if unit.type == "A" else board.fleet[unit.at]
    moves: list[Order] = [Move(unit.type, unit.at, to) for to in sorted(targets)]
    said = getattr(order, "to", None)
    return [Hold(unit.type, unit.at)] + [m for m in moves if getattr(m, "to", None) != said]


def _another_retreat(order: Order, power: str, recorded: RecordedPhase, board: Board) -> list[Order]:
    for text, options in recorded.before.dislodged.items():
        owner, kind, at = text.split()
        if owner == power and province_of(at) == province_of(getattr(order, "at", "")):
            letter = _unit_type(kind)
            return [Disband(letter, at), *(Move(letter, at, to) for to in options)]
    return []


def _another_adjustment(order: Order, power: str, recorded: RecordedPhase, board: Board) -> list[Order]:
    if isinstance(order, Build):
        province = board.provinces[province_of(order.at)]
        if province.kind == "inland" or province.coasts:
            return []
        return [replace(order, type="F" if order.type == "A" else "A")]
    if isinstance(order, Disband):
        going = {text.split()[1].lower() for text in recorded.orders_of(power)}
        return [Disband(u.type, u.at) for u in units_of(recorded) if u.power == power and u.at not in going]
    return []


# ---- lines that cannot be used ---------------------------------------------------------------------------------------

Fault = Callable[[RecordedPhase, str, Board, Writer, Random], "str | None"]


def faulty_line(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    """A line that a player may well write and that cannot be used, or ``None`` if none of the kinds fits."""
    kinds = list(FAULTS[recorded.kind])
    random.shuffle(kinds)
    for kind in kinds:
        line = kind(recorded, power, board, writer, random)
        if line is not None:
            return line
    return None


def _no_such_place(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    own = _own_units(recorded, power)
    name = random.choice(("Atlantis", "Lyonesse", "Avalon", "Bohemian Sea"))
    return f"{writer.unit(own[0].type, own[0].at)} - {name}" if own else None


def _foreign_unit(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    foreign = [u for u in units_of(recorded) if u.power != power]
    if not foreign:
        return None
    unit = random.choice(foreign)
    return writer.write(Hold(unit.type, unit.at))


def _nobody_there(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    taken = {u.province for u in units_of(recorded)}
    free = [p.id for p in board.provinces.values() if p.kind == "inland" and p.id not in taken]
    if not free:
        return None
    at = random.choice(free)
    return writer.write(Move("A", at, sorted(board.army[at])[0]))


def _too_far(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    armies = [u for u in _own_units(recorded, power) if u.type == "A"]
    if not armies:
        return None
    unit = random.choice(armies)
    far = [p.id for p in board.provinces.values() if p.kind == "inland" and p.id not in board.army[unit.at]]
    return writer.write(Move("A", unit.at, random.choice([p for p in far if p != unit.at])))


def _a_choice(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    for unit in _own_units(recorded, power):
        targets = sorted(t for t in (board.army if unit.type == "A" else board.fleet)[unit.at] if "/" not in t)
        if len(targets) > 1:
            one, other = random.sample(targets, 2)
            return f"{writer.write(Move(unit.type, unit.at, one))} or {writer.place(other)}"
    return None


def _half_an_order(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    own = _own_units(recorded, power)
    return f"{writer.unit(own[-1].type, own[-1].at)} supports" if own else None


def _foreign_build(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    homes = [p for other in board.powers if other != power for p in board.home_centres(other)]
    return writer.write(Build("A", random.choice(homes)))


def _retreat_too_far(recorded: RecordedPhase, power: str, board: Board, writer: Writer, random: Random) -> str | None:
    own = [text.split() for text in recorded.before.dislodged if text.split()[0] == power]
    if not own:
        return None
    _, kind, at = own[0]
    targets = board.army[at] if kind == "A" else board.fleet[at]
    near = {province_of(at), *map(province_of, targets)}
    # a fleet far inland would be another fault than a place out of reach
    far = [p.id for p in board.provinces.values() if p.kind == "coastal" and not p.coasts and p.id not in near]
    return writer.write(Move(_unit_type(kind), at, random.choice(far)), retreat=True)


def _own_units(recorded: RecordedPhase, power: str) -> Sequence[Unit]:
    return [u for u in units_of(recorded) if u.power == power]


#: kind of phase -> the faults that are made in it
FAULTS: Mapping[str, tuple[Fault, ...]] = {
    "M": (_no_such_place, _foreign_unit, _nobody_there, _too_far, _a_choice, _half_an_order),
    "R": (_retreat_too_far,),
    "A": (_foreign_build,),
}


def misspelt(line: str, writer: Writer, at: str, random: Random) -> str | None:
    """``line`` with two letters of the name of ``at`` changed about, if that name is long enough to be known still."""
    name = writer.place(province_of(at))
    if len(name) < 6 or name not in line or " " in name:
        return None
    middle = random.randrange(1, len(name) - 2)
    if name[middle] == name[middle + 1]:
        return None
    turned = name[:middle] + name[middle + 1] + name[middle] + name[middle + 2 :]
    return line.replace(name, turned, 1)
