"""A recorded game as data: of every phase the position before, the orders, and what they led to."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.errors import BadInput
from judge.rules.position import Phase, Position


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What stands on the board, as texts that can be compared and shown.

    ``units``: ``"France A par"``; ``dislodged``: the same -> the locations it may retreat to, sorted; ``owners``: centre ->
    power; ``contested``: provinces left empty by a stand-off.
    """

    units: frozenset[str]
    owners: Mapping[str, str]
    dislodged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contested: frozenset[str] = frozenset()

    def centres(self, power: str) -> int:
        """How many centres ``power`` owns."""
        return sum(owner == power for owner in self.owners.values())


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """One phase of the recording. ``orders``: (power, canonical order), as they were given."""

    phase: str
    orders: tuple[tuple[str, str], ...]
    before: Snapshot
    after: Snapshot

    @property
    def kind(self) -> str:
        """``M``, ``R`` or ``A``."""
        return self.phase[-1]

    def orders_of(self, power: str) -> tuple[str, ...]:
        """The orders that ``power`` gave."""
        return tuple(text for giver, text in self.orders if giver == power)


def load(path: Path) -> tuple[RecordedPhase, ...]:
    """Read a recording: JSON Lines, a line a phase, packed by gzip or not.

    :raises BadInput: a line that is no phase, with file and line.
    """
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read ({type(error).__name__}): JSON Lines in UTF-8, plain or gzip", str(path)) from None
    phases = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            phases.append(_phase(line, f"{path}:{number}"))
    if not phases:
        raise BadInput("holds no phase", str(path))
    return tuple(phases)


def _phase(line: str, where: str) -> RecordedPhase:
    try:
        data = json.loads(line)
        results = data["results"]
        owners = _owners(data["centres"])
        return RecordedPhase(
            phase=str(Phase.parse(data["phase"])),
            orders=tuple((o["power"], o["text"]) for o in data["orders"]),
            before=Snapshot(_units(data["units"]) - _units(data["dislodged"]), owners, _dislodged(data["dislodged"])),
            after=Snapshot(
                _units(results["positions_after"]),
                _owners(results["centres_after"]) if "centres_after" in results else owners,
                _dislodged(results.get("dislodged", ())),
                frozenset(results.get("contested", ())),
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"no phase of a recording ({type(error).__name__}: {error}); one has phase, units, centres, dislodged, orders"
            " and results",
            where,
        ) from None


def _units(units: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(f"{u['power']} {u['type']} {u['at']}" for u in units)


def _dislodged(units: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    return {f"{u['power']} {u['type']} {u['at']}": tuple(sorted(u["options"])) for u in units}


def _owners(centres: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {centre: power for power, owned in centres.items() for centre in owned}


def snapshot(position: Position) -> Snapshot:
    """A position of the engine in the same form."""
    return Snapshot(
        units=frozenset(f"{u.power} {u.type} {u.at}" for u in position.units),
        owners=dict(position.owners),
        dislodged={f"{d.unit.power} {d.unit.type} {d.unit.at}": tuple(sorted(d.retreats)) for d in position.dislodged},
        contested=position.contested,
    )


def differences(recorded: RecordedPhase, played: Snapshot) -> list[str]:
    """In what the position that was played differs from the recorded one, a text a fault; empty: in nothing.

    A unit that is dislodged and may go nowhere is destroyed at once, so it need not be there any more. Stand-offs matter
    for retreats alone, so they are compared when there are any.
    """
    want = recorded.after
    faults = [f"no {unit}" for unit in sorted(want.units - played.units)]
    faults += [f"{unit} is one too many" for unit in sorted(played.units - want.units)]
    for unit in sorted(want.dislodged.keys() | played.dislodged.keys()):
        wanted, found = want.dislodged.get(unit), played.dislodged.get(unit)
        if (wanted or None) != (found or None):
            faults.append(f"{unit} dislodged: {_retreats(found)}, recorded {_retreats(wanted)}")
    for centre in sorted(want.owners.keys() | played.owners.keys()):
        if want.owners.get(centre) != played.owners.get(centre):
            faults.append(
                f"{centre} belongs to {played.owners.get(centre) or 'nobody'},"
                f" recorded {want.owners.get(centre) or 'nobody'}"
            )
    if any(want.dislodged.values()) and want.contested != played.contested:
        faults.append(f"stand-offs in {sorted(played.contested)}, recorded {sorted(want.contested)}")
    return faults


def _retreats(options: tuple[str, ...] | None) -> str:
    return "not" if options is None else f"may go to {', '.join(options) or 'nowhere'}"
