"""A place and a power in somebody's own words, in any language that the board has names in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from judge.play.judge import Table
from judge.variants.names import load_names, spelling_key

#: What stands for no power at all.
_NOBODY = frozenset(map(spelling_key, ("nobody", "none", "neutral", "no one", "なし", "中立", "无", "無", "没有")))
#: a beginning of a power's name has as many letters at least
_SHORTEST = 3
_COAST = re.compile(r"(?P<place>[^/(]+?)\s*(?:/\s*(?P<slash>\w+)|[(（]\s*(?P<inside>[^)）]+)[)）])\Z")


def place_and_power(table: Table, words: Sequence[str]) -> tuple[str | None, str | None]:
    """The location (``"stp/sc"``) and the power that ``words`` name, in this order; the power may be left out (``None``), or
    be nobody (``""``). Two ``None``: they name something else, or what may be two places."""
    for count in range(len(words), 0, -1):
        place = _location(table, " ".join(words[:count]))
        if place is None:
            continue
        rest = spelling_key(" ".join(words[count:]))
        if not rest:
            return place, None
        if rest in _NOBODY:
            return place, ""
        power = _power(table, rest)
        if power is not None:
            return place, power
    return None, None


def _power(table: Table, key: str) -> str | None:
    """The power that a spelling is of, or that alone begins with it."""
    known = _powers(table.board.name)
    begins = {power for spelling, power in known.items() if len(key) >= _SHORTEST and spelling.startswith(key)}
    return known.get(key) or (begins.pop() if len(begins) == 1 else None)


def _location(table: Table, text: str) -> str | None:
    provinces, coasts = _places(table.board.name), _coasts(table.board.name)
    plain = provinces.get(spelling_key(text))
    if plain is not None:
        return plain
    found = _COAST.match(text)
    pairs = [(found["place"], found["slash"] or found["inside"])] if found else []
    words = text.split()
    pairs += [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    for place, coast in pairs:
        province, side = provinces.get(spelling_key(place)), coasts.get(spelling_key(coast))
        if province is not None and side in table.board.provinces[province].coasts:
            return f"{province}/{side}"
    return None


@cache
def _places(board: str) -> Mapping[str, str]:
    """Spelling -> province, without what may be two of them."""
    names = load_names(board)
    found = {spelling_key(one): place for table in names.provinces.values() for place, all_ in table.items() for one in all_}
    for doubtful in (*names.either, *names.asked):
        found.pop(spelling_key(doubtful), None)
    return found | {place: place for place in names.board.provinces}


@cache
def _coasts(board: str) -> Mapping[str, str]:
    names = load_names(board)
    found = {spelling_key(one): coast for table in names.coasts.values() for coast, all_ in table.items() for one in all_}
    return found | {coast: coast for province in names.board.provinces.values() for coast in province.coasts}


@cache
def _powers(board: str) -> Mapping[str, str]:
    names = load_names(board)
    found = {spelling_key(one): power for table in names.powers.values() for power, all_ in table.items() for one in all_}
    return found | {spelling_key(power): power for power in names.board.powers}
