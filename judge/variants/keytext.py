"""House rules as text that a person can type back: values, whole files, what differs, and the table of all keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.rules.houserules import STANDARD, HouseRules, Key, keys


@dataclass(frozen=True, slots=True)
class Difference:
    """One key in which two sets of house rules differ, with both values as text."""

    key: str
    old: str
    new: str


def typed(value: Any) -> str:
    """A value as it is typed after ``--set KEY=``: ``F1910``, ``true``, ``bul/nc=bul/ec``, ``Italy,Germany``; nothing for an
    empty one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(one if isinstance(one, str) else "=".join(one) for one in value)
    return str(value)


def toml(value: Any, key: Key) -> str:
    """A value of ``key`` as it stands in a house-rules file."""
    if isinstance(value, bool | int):
        return typed(value)
    if key.kind == "list":
        return json.dumps(list(value), ensure_ascii=False)
    if isinstance(value, tuple):
        inside = ", ".join(f"{json.dumps(name)} = {json.dumps(meant)}" for name, meant in value)
        return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value, ensure_ascii=False)


def plain(value: Any, key: Key) -> Any:
    """A value of ``key`` as JSON has it: a table is an object, a list an array."""
    if key.kind == "list":
        return list(value)
    return dict(value) if isinstance(value, tuple) else value


def allowed_values(key: Key) -> str:
    """What may stand there: ``draw, most``; ``a number, board, none``; ``true, false``; the form of a text."""
    if key.kind == "flag":
        return "true, false"
    if key.kind == "table":
        return '{ "bul/nc" = "bul/ec" }'
    if key.kind == "list":
        return 'a list of powers (["Italy", "Germany"])'
    if key.kind == "text":
        return _FORMS.get(key.name, "a text")
    words = ", ".join(key.values)
    return f"a number, {words}" if key.kind == "number-or-word" else words


_FORMS = {
    "victory.end.turn": "a turn (F1910, 10-F)",
    "victory.clock.at": "an instant (2026-03-01T20:00Z)",
    "victory.clock.after": "a duration (2 h, 30 d)",
}


_EXAMPLES = {
    "victory.end.turn": "F1910",
    "victory.clock.at": "2027-03-01T20:00Z",
    "victory.clock.after": "30 d",
    "coast.aliases": "bul/nc=bul/ec",
}


def example(key: Key) -> str:
    """A value of a key as somebody would type it."""
    return _EXAMPLES.get(key.name) or (key.values[0] if key.values else typed(key.default))


def differences(old: HouseRules, new: HouseRules) -> list[Difference]:
    """The keys in which two sets of rules differ, in the order of the type."""
    return [
        Difference(key.name, typed(getattr(old, key.field)), typed(getattr(new, key.field)))
        for key in keys().values()
        if getattr(old, key.field) != getattr(new, key.field)
    ]


# ---------------------------------------------------------------------- the table of all keys

_HEAD = """\
# House rules

Every game is played under house rules: the keys below. A file here is a preset, a file of your own works the same way; it
says only what differs from the preset that it `extends`:

```toml
extends = "japan-1910"
[victory.end]
turn = "F1905"
```

A bare name after `extends` is always a preset; a file is named with its ending, by its path from the file that extends it
(`extends = "club.toml"`). Players are told the `title` as the name of the rules, or the file's name if it has none.

    judge rules list                       # the presets
    judge rules show japan-1910            # every key with its value and what it means
    judge rules check mine.toml            # faults with file and line, before a game starts with them
    judge rules diff standard mine.toml
    judge rules words mine.toml            # what the players will be told, in plain words
    judge game new spring42 --rules mine.toml --set victory.end.turn=F1907

Rows `JP-n` and `CN-n` are the rules of the two rule books behind `japan-1910` and `china`; `4.A.1` is an issue of chapter
4 of the DATC. *Used by*: the engine (`judge adjudicate` obeys it), play (the running of a game), mail (how lines are read
and printed).

The rest of this page is generated: `judge rules table > games/houserules/README.md`.
"""


def table(presets: Mapping[str, HouseRules]) -> str:
    """``games/houserules/README.md``: a table of all keys, by section, with default, values, DATC number and the presets
    (name -> rules) that set it."""
    lines = [_HEAD]
    section = ""
    for key in keys().values():
        if key.name.partition(".")[0] != section:
            section = key.name.partition(".")[0]
            lines.append(f"\n## {section}\n")
            lines.append("| key | default | values | what it says | DATC | rows | used by | set by |")
            lines.append("|---|---|---|---|---|---|---|---|")
        lines.append(_row(key, presets))
    return "\n".join(lines) + "\n"


def _row(key: Key, presets: Mapping[str, HouseRules]) -> str:
    cells = [
        f"`{key.name}`",
        _code(toml(key.default, key)),
        _values(key),
        key.doc,
        ", ".join(key.datc),
        ", ".join(key.rows),
        key.used_by,
        ", ".join(_set_by(key, presets)),
    ]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _code(text: str) -> str:
    return f"`{text}`"


def _values(key: Key) -> str:
    if key.kind in ("word", "number-or-word"):
        number = ["a number"] if key.kind == "number-or-word" else []
        return ", ".join([*number, *map(_code, key.values)])
    return allowed_values(key) if key.kind in ("text", "list") else ", ".join(map(_code, _choices(key)))


def _choices(key: Key) -> Sequence[str]:
    return ("true", "false") if key.kind == "flag" else (allowed_values(key),)


def _set_by(key: Key, presets: Mapping[str, HouseRules]) -> Iterator[str]:
    """The presets whose value is another than the default."""
    for name, rules in presets.items():
        value = getattr(rules, key.field)
        if value != getattr(STANDARD, key.field):
            yield f"{name} (`{toml(value, key)}`)"
