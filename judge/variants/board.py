"""``games/NAME/variant.toml`` -> a checked :class:`~judge.rules.board.Board`.

A board is data: the file says who may go where, and everything it says is checked, so that no game starts on a board with a
one-way border or a fleet inland. Faults name file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from judge.errors import BadInput, NotFound
from judge.resources import data_dir
from judge.rules.board import Board, Province, ProvinceKind, Unit, UnitType, province_of
from judge.variants.tomlfile import TomlFile, allowed

_TOP = {"extends", "name", "title", "first_year", "victory_centres", "powers", "provinces"}
_PROVINCE = {"name", "kind", "centre", "home", "army", "fleet"}
_POWER = {"start"}
_ID = re.compile(r"[a-z][a-z0-9]*\Z")
_BOARD_NAME = re.compile(r"[a-z0-9-]+\Z")


def board_names() -> tuple[str, ...]:
    """The boards that ``games/`` holds, by name."""
    return tuple(sorted(path.parent.name for path in data_dir("games").glob("*/variant.toml")))


@cache
def load_board(name: str = "standard") -> Board:
    """Return the board ``games/NAME/variant.toml``.

    :raises NotFound: there is no such board; the message names those that there are.
    :raises BadInput: its data is faulty; ``where`` is ``FILE:LINE``.
    """
    path = data_dir("games") / name / "variant.toml"
    if not _BOARD_NAME.match(name) or not path.is_file():
        raise NotFound(f"there is no board {name!r}. {allowed(name, board_names())}")
    board = read_board(path)
    if board.name != name:  # names and stored games find a board by its folder
        raise TomlFile.read(path).fault(["name"], f"the name is that of the folder, {name!r}, not {board.name!r}")
    return board


def read_board(path: Path) -> Board:
    """Read and check one ``variant.toml``. What it ``extends`` is looked up in the folder beside its own.

    :raises BadInput: faulty data; ``where`` is ``FILE:LINE``.
    """
    return _Reader(path).board()


class _Reader:
    """One file (over the one it extends) on its way to a board."""

    def __init__(self, path: Path, seen: tuple[Path, ...] = ()) -> None:
        self.file = TomlFile.read(path)
        self.parent: _Reader | None = None
        self._check_shape()
        extends = self.file.data.get("extends")
        if extends is not None:
            beside = path.parent.parent / extends / "variant.toml"
            if not beside.is_file():
                raise self.file.fault(["extends"], f"there is no board {extends!r} to extend ({beside})")
            if path in seen:
                raise self.file.fault(["extends"], "the boards extend each other in a circle")
            self.parent = _Reader(beside, (*seen, path))
        self.data: dict[str, Any] = _merged(self.parent.data if self.parent else {}, self.file.data)

    def fault(self, keys: list[str], message: str) -> BadInput:
        """The fault at ``keys``, in the file of the chain that says so."""
        holder: _Reader = self
        while holder.parent and not _holds(holder.file.data, keys) and _holds(holder.parent.data, keys):
            holder = holder.parent
        return holder.file.fault(keys, message)

    def _check_shape(self) -> None:
        """Keys and types of this file alone."""
        data = self.file.data
        self._check_keys([], data, _TOP)
        self._check_types([], data, {"extends": str, "name": str, "title": str, "first_year": int, "victory_centres": int})
        for section in ("powers", "provinces"):
            if not isinstance(data.get(section, {}), dict):
                raise self.file.fault([section], f"{section} is a table")
        for power, entry in data.get("powers", {}).items():
            self._check_keys(["powers", power], entry, _POWER)
            start = entry.get("start", [])
            if not isinstance(start, list) or not all(isinstance(unit, str) for unit in start):
                raise self.file.fault(["powers", power, "start"], 'start is a list of units: ["A bud", "F tri"]')
        for province, entry in data.get("provinces", {}).items():
            keys = ["provinces", province]
            self._check_keys(keys, entry, _PROVINCE)
            self._check_types(keys, entry, {"name": str, "kind": str, "centre": bool, "home": str, "army": str})
            fleet = entry.get("fleet", "")
            by_coast = list(fleet.values()) if isinstance(fleet, dict) else [fleet]
            if not all(isinstance(targets, str) for targets in by_coast):
                raise self.file.fault([*keys, "fleet"], 'fleet is "eng nth", or by coast { nc = "bar", sc = "bot" }')

    def _check_keys(self, keys: list[str], entry: Any, known: set[str]) -> None:
        if not isinstance(entry, dict):
            raise self.file.fault(keys, f"{'.'.join(keys)} is a table of {', '.join(sorted(known))}")
        for key in entry:
            if key not in known:
                raise self.file.fault([*keys, key], f"unknown key {key!r}: {allowed(key, known)}")

    def _check_types(self, keys: list[str], entry: Mapping[str, Any], types: Mapping[str, type]) -> None:
        for key, wanted in types.items():
            if key in entry and type(entry[key]) is not wanted:
                kind = {str: "a text", int: "a whole number", bool: "true or false"}[wanted]
                raise self.file.fault([*keys, key], f"{key} is {kind}, not {entry[key]!r}")

    def board(self) -> Board:
        """Check the whole and build the board."""
        for key in ("name", "first_year", "victory_centres", "powers", "provinces"):
            if key not in self.data:
                raise self.fault([], f"the board does not say its {key}")
        provinces = {pid: self._province(pid, entry) for pid, entry in self.data["provinces"].items()}
        army = {pid: frozenset(self.data["provinces"][pid].get("army", "").split()) for pid in provinces}
        fleet = dict(self._fleet(provinces))
        self._check_borders(provinces, army, fleet)
        powers = tuple(self.data["powers"])
        centres = sum(p.supply_centre for p in provinces.values())
        if not 1 <= self.data["victory_centres"] <= centres:
            raise self.fault(["victory_centres"], f"victory_centres is 1 to {centres}, the centres of the board")
        if self.data["first_year"] < 1:
            raise self.fault(["first_year"], "first_year is 1 or later")
        fleet_provinces = {
            pid: frozenset(
                province_of(to) for coast in (p.coasts or ("",)) for to in fleet.get(f"{pid}/{coast}" if coast else pid, ())
            )
            for pid, p in provinces.items()
        }
        start = tuple(self._start(provinces, fleet))
        return Board(
            name=self.data["name"],
            provinces=provinces,
            army=army,
            fleet=fleet,
            powers=powers,
            start=start,
            victory_centres=self.data["victory_centres"],
            first_year=self.data["first_year"],
            fleet_provinces=fleet_provinces,
        )

    def _province(self, pid: str, entry: Mapping[str, Any]) -> Province:
        keys = ["provinces", pid]
        if not _ID.match(pid):
            raise self.fault(keys, f"the province id {pid!r} is not lower-case letters and digits, a letter first")
        kind = entry.get("kind")
        if kind not in ("sea", "coastal", "inland"):
            raise self.fault([*keys, "kind"], f"kind of {pid} is sea, coastal or inland, not {kind!r}")
        home = entry.get("home")
        if home is not None and home not in self.data["powers"]:
            raise self.fault([*keys, "home"], f"unknown power {home!r}: {allowed(home, self.data['powers'])}")
        if home is not None and not entry.get("centre"):
            raise self.fault([*keys, "home"], f"{pid} is a home centre but no supply centre (centre = true)")
        fleet = entry.get("fleet", "")
        coasts = tuple(fleet) if isinstance(fleet, dict) else ()
        if coasts and (kind != "coastal" or len(coasts) < 2):
            raise self.fault([*keys, "fleet"], f"split coasts are two or more, of a coastal province; {pid} is {kind}")
        if kind == "inland" and fleet:
            raise self.fault([*keys, "fleet"], f"{pid} is inland: no fleet sails there")
        if kind == "sea" and entry.get("army"):
            raise self.fault([*keys, "army"], f"{pid} is a sea: no army walks there")
        return Province(pid, entry.get("name", pid), cast(ProvinceKind, kind), bool(entry.get("centre")), home, coasts)

    def _fleet(self, provinces: Mapping[str, Province]) -> Iterator[tuple[str, frozenset[str]]]:
        """Every location of a fleet with what it may reach."""
        for pid in provinces:
            fleet = self.data["provinces"][pid].get("fleet", "")
            if isinstance(fleet, dict):
                for coast, targets in fleet.items():
                    yield f"{pid}/{coast}", frozenset(targets.split())
            elif fleet:
                yield pid, frozenset(fleet.split())

    def _check_borders(
        self,
        provinces: Mapping[str, Province],
        army: Mapping[str, frozenset[str]],
        fleet: Mapping[str, frozenset[str]],
    ) -> None:
        """Every border leads somewhere a unit of its kind may stand, and leads back."""
        for pid, targets in army.items():
            keys = ["provinces", pid, "army"]
            for to in sorted(targets):
                if to not in provinces or provinces[to].kind == "sea":
                    raise self.fault(keys, f"an army in {pid} cannot walk to {to!r}: {allowed(to, _land(provinces))}")
                if pid not in army[to] or to == pid:
                    raise self.fault(keys, f"the border {pid} - {to} is not written on both sides")
        for at, targets in fleet.items():
            keys = ["provinces", province_of(at), "fleet"]
            for to in sorted(targets):
                if to not in fleet:
                    raise self.fault(keys, f"a fleet in {at} cannot sail to {to!r}: {allowed(to, fleet)}")
                if at not in fleet[to] or province_of(to) == province_of(at):
                    raise self.fault(keys, f"the border {at} - {to} is not written on both sides")

    def _start(self, provinces: Mapping[str, Province], fleet: Mapping[str, frozenset[str]]) -> Iterator[Unit]:
        taken: dict[str, str] = {}
        for power, entry in self.data["powers"].items():
            for text in entry.get("start", ()):
                keys = ["powers", power, "start"]
                type_, _, at = text.partition(" ")
                standable = {"A": _land(provinces), "F": set(fleet)}.get(type_)
                if standable is None:
                    raise self.fault(keys, f"{text!r} is no unit: A or F, a space, a location (F stp/sc)")
                if at not in standable:
                    raise self.fault(keys, f"{text!r} cannot stand there: {allowed(at, standable)}")
                if province_of(at) in taken:
                    raise self.fault(keys, f"{text!r} stands where {taken[province_of(at)]} already stands")
                taken[province_of(at)] = f"{power}'s {text}"
                yield Unit(power, cast(UnitType, type_), at)


def _land(provinces: Mapping[str, Province]) -> set[str]:
    return {pid for pid, province in provinces.items() if province.kind != "sea"}


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """``above`` over ``below``, table by table."""
    merged = dict(below)
    for key, value in above.items():
        both_tables = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both_tables else value
    return merged


def _holds(data: Any, keys: list[str]) -> bool:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True
