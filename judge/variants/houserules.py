"""``games/houserules/NAME.toml`` -> :class:`~judge.rules.houserules.HouseRules`, every key and value checked.

A file says what differs from the preset that it ``extends``::

    extends = "standard"
    [victory.end]
    turn = "F1910"
    counts = "units"

The keys, their types and defaults are those of ``judge.rules.houserules``; this module only reads. Whatever is not
understood is an error that names file, line and what is allowed: no game plays on by default.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from judge.errors import BadHouseRules, BadInput, NotFound
from judge.resources import data_dir
from judge.rules.board import Board, province_of
from judge.rules.houserules import STANDARD, HouseRules, Key, keys
from judge.variants.tomlfile import TomlFile, allowed

#: More faults of one file are not told.
_MOST_FAULTS = 50

#: So many files extend each other at most, one after the other.
_MOST_EXTENDED = 20

#: Longest title of a file, in characters: it stands in mails as the name of the rules.
_LONGEST_TITLE = 60

#: keys of a file that are not house rules
_ABOUT = ("extends", "title")

_TURN = re.compile(r"(?P<season>[SF])(?P<year>\d{4})\Z|(?P<short>\d{2}|\d{4})-(?P<season_after>[SF])\Z")
_DURATION = re.compile(r"0*[1-9]\d{0,3} ?(min|h|d)\Z")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")


def preset_names() -> tuple[str, ...]:
    """The presets that ``games/houserules`` holds, by name."""
    return tuple(sorted(path.stem for path in (data_dir("games") / "houserules").glob("*.toml")))


def load_rules(name_or_path: str, board: Board | None = None) -> HouseRules:
    """Return a preset by its name, or the rules of a file (a path with a ``/`` or ending in ``.toml``).

    With a ``board`` it is also checked that the rules can be played on it.

    :raises NotFound: there is no preset of that name; the message names those that there are.
    :raises BadHouseRules: the file cannot be used; its text has a line for each fault, ``FILE:LINE: what, and what is
        allowed``, and ``where`` is that of the first.
    """
    if _is_file(name_or_path):
        path = Path(name_or_path)
    else:
        path = data_dir("games") / "houserules" / f"{name_or_path}.toml"
        if not _NAME.match(name_or_path) or not path.is_file():
            raise NotFound(f"there are no house rules {name_or_path!r}. {allowed(name_or_path, preset_names())}")
    file = TomlFile.read(path, BadHouseRules)
    return _all_or_faults(file, _name_of(path, file), board, (path.resolve(),), path.parent)


def _is_file(name_or_path: str) -> bool:
    """Whether a file is meant, and no preset."""
    return "/" in name_or_path or name_or_path.endswith(".toml")


def _name_of(path: Path, file: TomlFile) -> str:
    """How the rules of a file are called to players: a preset by its name, any other file by its title, or else its name;
    never by the name or title of a preset, which it is not."""
    presets = data_dir("games") / "houserules"
    if path.resolve().parent == presets.resolve():
        return path.stem
    title = file.data.get("title")
    name = " ".join(title.split()) if isinstance(title, str) and title.strip() else path.stem
    titles = (
        str(TomlFile.read(presets / f"{preset}.toml", BadHouseRules).data.get("title", "")) for preset in preset_names()
    )
    taken = {one.casefold() for one in (*preset_names(), *titles)}
    return f"{name} ({path.name})" if name.casefold() in taken else name


def read_rules(text: str, name: str, board: Board | None = None) -> HouseRules:
    """The rules that ``text`` states; ``name`` is how the file is called in faults (and the rules, without its ending).

    :raises BadHouseRules: the text cannot be used.
    """
    return _all_or_faults(TomlFile.parse(text, name, BadHouseRules), Path(name).stem, board, ())


def _all_or_faults(
    file: TomlFile, name: str, board: Board | None, seen: tuple[Path, ...], folder: Path | None = None
) -> HouseRules:
    """The rules of ``file``, or one error that tells its faults (up to 50), a line each, in the order of its lines."""
    found: list[BadHouseRules] = []

    def report(fault: BadHouseRules) -> None:
        found.append(fault)
        if len(found) > _MOST_FAULTS:
            raise BadHouseRules("and more faults", found.pop().where)

    try:
        rules = _apply(file, name, board, seen, folder, report)
    except BadHouseRules as fault:
        found.append(fault)
    if not found:
        return rules
    first, *others = sorted(found, key=_line_of)
    raise BadHouseRules("\n".join([first.message, *map(str, others)]), first.where)


def _line_of(fault: BadHouseRules) -> int:
    line = fault.where.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def with_key(rules: HouseRules, key: str, text: str, board: Board | None = None) -> HouseRules:
    """``rules`` with one key set from what a person typed (``victory.end.turn``, ``F1910``).

    :raises BadHouseRules: no such key, or not a value of it.
    """
    known = keys()
    if key not in known:
        raise BadHouseRules(f"unknown key {key!r}: {allowed(key, known)}", sort="unknown-key")
    value = _typed(known[key], text.strip())
    fault, value = _checked(known[key], value, board)
    if fault:
        raise BadHouseRules(f"{key}: {fault}", sort="bad-value")
    changed: HouseRules = replace(rules, **{known[key].field: value})
    for _, fault in contradictions(changed, board):
        raise BadHouseRules(f"{key}: {fault}", sort="contradiction")
    return changed


def _typed(key: Key, text: str) -> Any:
    """The text as the type that the key has."""
    if key.kind == "flag":
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text.lower(), text)
    if key.kind == "number-or-word" and text.isdigit():
        return int(text)
    as_file = _as_in_a_file(text)
    if key.kind == "table":
        if isinstance(as_file, dict):
            return as_file
        pairs = (pair.split("=", 1) for pair in text.strip("{} ").replace(" ", "").split(",") if "=" in pair)
        return {name.strip(_QUOTES): meant.strip(_QUOTES) for name, meant in pairs}
    if key.kind == "list":
        if isinstance(as_file, list):
            return as_file
        return [word.strip(f" {_QUOTES}") for word in text.strip("[]").split(",") if word.strip()]
    return as_file if isinstance(as_file, str) else text


_QUOTES = "\"'“”"


def _as_in_a_file(text: str) -> Any:
    """The value that a text is in a file (``"F1910"``, ``["Italy"]``, ``{ "bul/nc" = "bul/ec" }``); ``None``: none."""
    try:
        return tomllib.loads(f"value = {text}").get("value")
    except (ValueError, RecursionError):
        return None


def _read(path: Path, board: Board | None, seen: tuple[Path, ...]) -> HouseRules:
    return _apply(TomlFile.read(path, BadHouseRules), path.stem, board, (*seen, path.resolve()), path.parent)


def _raise(fault: BadInput) -> None:
    raise fault


def _apply(
    file: TomlFile,
    name: str,
    board: Board | None,
    seen: tuple[Path, ...],
    folder: Path | None = None,
    report: Callable[[Any], None] = _raise,
) -> HouseRules:
    """The rules of ``file`` over those that it extends. Each faulty key is given to ``report`` and left out."""
    known = keys()
    if not file.data:
        raise file.fault([], f'says nothing. Allowed: extends = "standard" (or another preset), title, {", ".join(known)}')
    title = file.data.get("title", "")
    if not isinstance(title, str):
        report(file.fault(["title"], f"title: a text, not {title!r}"))
    elif len(title) > _LONGEST_TITLE or not title.isprintable():
        report(file.fault(["title"], f"title: one line; allowed: {_LONGEST_TITLE} characters at most"))
    try:
        base = _extended(file, seen, folder)
    except BadHouseRules as bad:
        report(bad)
        base = STANDARD
    changes: dict[str, Any] = {}
    for path, value in _entries(file, known, report):
        key = known[".".join(path)]
        fault, value = _checked(key, value, board)
        if fault:
            report(file.fault(path, f"{key.name}: {fault}"))
            continue
        changes[key.field] = value
    if board is not None:
        base = replace(base, powers_unplayed=_board_powers(base.powers_unplayed, board))
    rules: HouseRules = replace(base, name=name, **changes)
    for name_of_key, fault in contradictions(rules, board):
        own = known[name_of_key].field in changes
        where = name_of_key.split(".") if own else ["extends"]  # what is inherited is told where it is inherited
        report(file.fault(where, fault if own else f"{name_of_key}: {fault}"))
    return rules


def _extended(file: TomlFile, seen: tuple[Path, ...], folder: Path | None) -> HouseRules:
    """What the file extends: a preset by its name, or a file by its path from this one's folder; a bare name is never that
    of a file, so a file beside it cannot take a preset's place."""
    wanted = file.data.get("extends")
    if wanted is None:
        return STANDARD
    if not isinstance(wanted, str):
        names = ", ".join(preset_names())
        raise file.fault(["extends"], f"extends is the name of a preset, or of a file (ours.toml). Allowed: {names}")
    if not _is_file(wanted):
        path = data_dir("games") / "houserules" / f"{wanted}.toml"
        if not _NAME.match(wanted) or not path.is_file():
            beside = folder is not None and _NAME.match(wanted) and (folder / f"{wanted}.toml").is_file()
            hint = f"a file is named with its ending, {wanted}.toml. " if beside else ""
            raise file.fault(
                ["extends"], f"there are no house rules {wanted!r} to extend. {hint}{allowed(wanted, preset_names())}"
            )
    else:
        path = (folder or Path()) / wanted
    if path.resolve() in seen:
        names = " -> ".join(one.name for one in (*seen, path.resolve()))
        raise file.fault(["extends"], f"house rules extend each other in a circle ({names}); allowed: a preset")
    if len(seen) >= _MOST_EXTENDED:
        raise file.fault(
            ["extends"], f"too many files extend each other, one after the other; allowed: {_MOST_EXTENDED} at most"
        )
    if not path.is_file():
        raise file.fault(["extends"], f"there is no file {str(path)!r} to extend. {allowed(wanted, preset_names())}")
    return _read(path, None, seen)


def _entries(file: TomlFile, known: Mapping[str, Key], report: Callable[[Any], None]) -> Iterator[tuple[list[str], Any]]:
    """Every key of the file with its path; keys and sections that there are not are reported."""
    sections = {".".join(name.split(".")[:depth]) for name in known for depth in range(1, name.count(".") + 1)}

    def walk(table: Mapping[str, Any], above: list[str]) -> Iterator[tuple[list[str], Any]]:
        for word, value in table.items():
            path = [*above, word]
            name = ".".join(path)
            if name in known:
                yield path, value
            elif name in sections:
                if not isinstance(value, dict):
                    inside = sorted(key for key in known if key.startswith(f"{name}."))
                    report(file.fault(path, f"{name} is a section. Its keys: {', '.join(inside)}"))
                    continue
                yield from walk(value, path)
            elif above or word not in _ABOUT:
                inside = [key for key in known if above and key.startswith(".".join(above) + ".")]
                report(file.fault(path, f"unknown key {name!r}: {allowed(name, inside or [*known, *_ABOUT])}"))

    yield from walk(file.data, [])


def _checked(key: Key, value: Any, board: Board | None) -> tuple[str, Any]:
    """What is wrong with a value (empty: nothing), and the value as the type holds it."""
    if key.kind == "flag":
        return ("" if isinstance(value, bool) else f"true or false, not {_told(value)}"), value
    if key.kind == "table":
        return _checked_aliases(value, board)
    if key.kind == "list":
        return _checked_powers(value, board)
    if key.kind == "text":
        return _checked_text(key, value, board)
    if key.kind == "number-or-word" and type(value) is int:
        most = len(board.supply_centres()) if board is not None else None
        if value < 1 or (most is not None and value > most):
            return f"1 to {most or 'the number of centres'}, or {', '.join(key.values)}; not {value}", value
        return "", value
    if value not in key.values or not isinstance(value, str):
        if key.kind == "number-or-word":
            hint = f" Write the number without quotes: {value.strip()}." if _is_number(value) else ""
            return f"{_told(value)} is no value of it.{hint} Allowed: a number, {', '.join(key.values)}", value
        return f"{_told(value)} is no value of it. {allowed(str(value), key.values)}", value
    return "", value


def _told(value: Any) -> str:
    """A value as the file has it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.strip().isdecimal()


def _checked_aliases(value: Any, board: Board | None) -> tuple[str, Any]:
    example = '{ "bul/nc" = "bul/ec" }'
    if not isinstance(value, dict) or not all(isinstance(v, str) and "/" in v and "/" in k for k, v in value.items()):
        return f"a table of coasts, as {example}", value
    pairs = tuple(sorted((k.lower(), v.lower()) for k, v in value.items()))
    for alias, coast in pairs:
        fault = _alias_fault(alias, coast, board) if board is not None else ""
        if fault:
            return fault, value
    return "", pairs


def _alias_fault(alias: str, coast: str, board: Board) -> str:
    """Why a coast cannot be called ``alias`` on the board; empty: it can."""
    coasts = [at for at in board.fleet if "/" in at]
    if not coasts:
        return f"{coast!r} is no coast of this board, which has none that is split"
    if coast not in coasts:
        return f"{coast!r} is no coast of this board. {allowed(coast, coasts)}"
    if alias in coasts:
        return f"{alias!r} is a coast of this board itself; another name is one that it does not have ({', '.join(coasts)})"
    if province_of(alias) != province_of(coast):
        return f"{alias!r} and {coast!r} lie in two provinces; allowed: {province_of(coast)}/..., as {province_of(coast)}/nc"
    return ""


def _checked_powers(value: Any, board: Board | None) -> tuple[str, Any]:
    if not isinstance(value, list) or not all(isinstance(power, str) and power.strip() for power in value):
        return f'a list of powers, as ["Italy", "Germany"], not {_told(value)}', value
    powers = _board_powers(value, board)
    for power in powers:
        if board is not None and power not in board.powers:
            return f"{power!r} is no power of this board. {allowed(power, board.powers)}", value
    twice = sorted({power for power in powers if powers.count(power) > 1})
    return (f"{', '.join(twice)} more than once" if twice else ""), powers


def _board_powers(written: Sequence[str], board: Board | None) -> tuple[str, ...]:
    """Powers in any case as the board writes them, in its order; those that it does not have as they are, at the end."""
    names = {power.casefold(): power for power in board.powers} if board is not None else {}
    order = list(names.values())
    found = [names.get(power.strip().casefold(), power.strip()) for power in written]
    return tuple(sorted(found, key=lambda power: order.index(power) if power in order else len(order)))


def _checked_text(key: Key, value: Any, board: Board | None) -> tuple[str, Any]:
    if not isinstance(value, str):
        return f"a text, not {_told(value)}", value
    value = value.strip()
    if not value:
        return "", value
    if key.name == "victory.end.turn":
        found = _TURN.match(value.upper())
        if not found:
            return f"{_told(value)} is no turn. Allowed: F1910, S1905, 05-F", value
        year = int(found["year"] or found["short"])
        if year < 100:
            year += (board.first_year if board is not None else 1900) // 100 * 100
        return "", f"{found['season'] or found['season_after']}{year:04}"
    if key.name == "victory.clock.after" and not _DURATION.match(value):
        return f"{_told(value)} is no duration. Allowed: 90 min, 2 h, 30 d", value
    if key.name == "victory.clock.at":
        return _checked_instant(value)
    return "", value


def _checked_instant(value: str) -> tuple[str, str]:
    example = "Allowed: 2026-03-01T20:00Z, 2026-03-01T20:00+09:00"
    try:
        instant = datetime.fromisoformat(value)
    except ValueError:
        return f"{_told(value)} is no instant. {example}", value
    return ("" if instant.tzinfo is not None else f"{_told(value)} does not say its offset from UTC. {example}"), value


def contradictions(rules: HouseRules, board: Board | None) -> Iterator[tuple[str, str]]:
    """Each key that cannot go with the others or with the board, and why; none if all is well."""
    if board is not None:
        yield from _misfits(rules, board)
    if rules.victory_clock_at and rules.victory_clock_after:
        yield "victory.clock.after", "an agreed instant (victory.clock.at) and a duration: one of them only"
    if rules.orders_perpetual == "yes" and rules.nmr == "civil-disorder":
        yield "orders.perpetual", "in civil disorder (nmr) units hold; with perpetual orders they repeat. One of them only"


def _misfits(rules: HouseRules, board: Board) -> Iterator[tuple[str, str]]:
    """Each key that cannot go with the board."""
    turn, centres = rules.victory_end_turn, len(board.supply_centres())
    if turn and int(turn[1:]) < board.first_year:
        yield "victory.end.turn", f"the game starts in {board.first_year}; it cannot end with {turn}"
    if type(rules.victory_centres) is int and rules.victory_centres > centres:
        yield "victory.centres", f"this board has {centres} centres, not {rules.victory_centres}. Allowed: 1 to {centres}"
    for alias, coast in rules.coast_aliases:
        fault = _alias_fault(alias, coast, board)
        if fault:
            yield "coast.aliases", fault
            break
    for power in rules.powers_unplayed:
        if power not in board.powers:
            yield "powers.unplayed", f"{power!r} is no power of this board. {allowed(power, board.powers)}"
    if set(rules.powers_unplayed) >= set(board.powers):
        yield "powers.unplayed", "all powers of the board are left out; somebody must play"
