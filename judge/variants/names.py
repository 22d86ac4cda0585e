"""``games/NAME/names.LANG.toml`` -> :class:`Names`: how people write provinces, coasts and powers, in all languages.

A board that ``extends`` another takes over that one's spellings for the provinces they share. A province without a
table entry is still read and printed by the name and the id that the board gives it.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from judge.errors import BadInput
from judge.resources import data_dir
from judge.rules.board import Board
from judge.variants.board import load_board
from judge.variants.tomlfile import TomlFile, allowed

_TABLES = ("provinces", "either", "asked", "closed", "coasts", "coast_aliases", "powers")
Spellings = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Names:
    """All spellings of one board. In every tuple the first spelling is the one to print, the rest are only read.

    ``provinces``, ``coasts``, ``powers``: language -> id -> spellings.
    ``closed``: language -> English name -> spellings of what is drawn on the board but cannot be entered (Switzerland).
    ``either``: spelling -> the provinces it may mean, none of them more than another (``liv``).
    ``asked``: spelling -> the province it is listed for, then others that people also mean by it (``nor``, ``tyr``).
    ``coast_aliases``: ``"bul/nc"`` -> the location it means.
    """

    board: Board
    provinces: Mapping[str, Spellings]
    coasts: Mapping[str, Spellings]
    powers: Mapping[str, Spellings]
    closed: Mapping[str, Spellings]
    either: Mapping[str, tuple[str, ...]]
    asked: Mapping[str, tuple[str, ...]]
    coast_aliases: Mapping[str, str]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that have a table (``en``, ``ja``, ``zh-Hans``, ...), sorted."""
        return tuple(sorted(self.provinces))

    def province(self, province: str, language: str = "en") -> str:
        """The name to print for a province; in English, or as the board has it, where the language has none."""
        for table in (self.provinces.get(language), self.provinces.get("en")):
            if table and table.get(province):
                return table[province][0]
        return self.board.provinces[province].name

    def location(self, location: str, language: str = "en") -> str:
        """The name to print for a location: ``"stp/sc"`` -> ``"St Petersburg (south coast)"``."""
        province, _, coast = location.partition("/")
        name = self.province(province, language)
        return f"{name} ({self.coast(coast, language)})" if coast else name

    def coast(self, coast: str, language: str = "en") -> str:
        """The name to print for a coast (``"nc"``)."""
        for table in (self.coasts.get(language), self.coasts.get("en")):
            if table and table.get(coast):
                return table[coast][0]
        return coast

    def power(self, power: str, language: str = "en") -> str:
        """The name to print for a power."""
        for table in (self.powers.get(language), self.powers.get("en")):
            if table and table.get(power):
                return table[power][0]
        return power


def spelling_key(spelling: str) -> str:
    """What two spellings must have in common to be the same: letters and digits, without case, accents, blanks and signs.

    The marks of kana (が against か) are not accents and stay.
    """
    letters: list[str] = []
    for char in unicodedata.normalize("NFKC", spelling).casefold():
        base = unicodedata.normalize("NFD", char)
        letters.append(base[0] if len(base) > 1 and base[0].isascii() else char)
    return "".join(c for c in letters if unicodedata.category(c)[0] in "LN")


@cache
def load_names(board_name: str = "standard") -> Names:
    """Return all spellings of the board ``games/BOARD_NAME``.

    :raises NotFound: there is no such board.
    :raises BadInput: a table is faulty (unknown province, a spelling of two provinces); ``where`` is ``FILE:LINE``.
    """
    board = load_board(board_name)
    merged: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {table: {} for table in _TABLES}
    for folder in _folders(board_name):
        for path in sorted(folder.glob("names.*.toml")):
            language = path.name[len("names.") : -len(".toml")]
            for table, key, spellings in _entries(path, board, inherited=folder.name != board_name):
                merged[table].setdefault(language, {})[key] = spellings
    _fill_in(board, merged["provinces"].setdefault("en", {}), merged["powers"].setdefault("en", {}))
    return Names(
        board=board,
        provinces=merged["provinces"],
        coasts=merged["coasts"],
        powers=merged["powers"],
        closed=merged["closed"],
        either=_flat(merged["either"]),
        asked=_flat(merged["asked"]),
        coast_aliases={alias: location for alias, (location, *_) in _flat(merged["coast_aliases"]).items()},
    )


def _fill_in(board: Board, provinces: dict[str, tuple[str, ...]], powers: dict[str, tuple[str, ...]]) -> None:
    """What no table says, the board itself does: names and ids in the English tables."""
    for province in board.provinces.values():
        spellings = provinces.get(province.id) or (province.name,)
        provinces[province.id] = spellings if province.id in spellings else (*spellings, province.id)
    for power in board.powers:
        powers.setdefault(power, (power,))


def _folders(board_name: str) -> Iterator[Path]:
    """The folders of the board and of those it extends, the farthest first, so that nearer tables overwrite."""
    chain: list[Path] = []
    name: str | None = board_name
    while name is not None and len(chain) < 10:
        folder = data_dir("games") / name
        chain.insert(0, folder)
        name = tomllib.loads((folder / "variant.toml").read_text(encoding="utf-8")).get("extends")
    yield from chain


def _entries(path: Path, board: Board, *, inherited: bool) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every (table, key, spellings) of one file. ``inherited`` tables may speak of provinces that this board lacks."""
    file = TomlFile.read(path)
    owner: dict[str, str] = {}
    for table, entries in file.data.items():
        if table not in _TABLES or not isinstance(entries, dict):
            raise file.fault([table], f"unknown table {table!r}: {allowed(table, _TABLES)}")
        for key, value in entries.items():
            place = [table, key]
            if not isinstance(value, list) or not value or not all(isinstance(v, str) and v for v in value):
                raise file.fault(place, f"{key} is a list of spellings")
            known = _known(table, board)
            unknown = [w for w in ([key] if table in ("provinces", "powers") else value) if known and w not in known]
            if unknown and not inherited:
                raise file.fault(place, f"the board has no {unknown[0]!r}: {allowed(unknown[0], known)}")
            if unknown:
                continue
            if table == "provinces":
                _check_unshared(file, place, value, owner)
            yield table, key, tuple(value)


def _known(table: str, board: Board) -> tuple[str, ...]:
    """The words that a table may be about, empty if anything goes."""
    if table in ("provinces", "either", "asked"):
        return tuple(board.provinces)
    if table == "coast_aliases":
        return tuple(board.fleet)
    return board.powers if table == "powers" else ()


def _check_unshared(file: TomlFile, place: list[str], spellings: list[Any], owner: dict[str, str]) -> None:
    for spelling in spellings:
        other = owner.setdefault(spelling_key(spelling), place[1])
        if other != place[1]:
            raise file.fault(place, f"{spelling!r} already stands for {other}; put it into [either] or [asked]")


def _flat(by_language: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    return {key: value for table in by_language.values() for key, value in table.items()}


__all__ = ["BadInput", "Names", "load_names", "spelling_key"]
