"""House rules in plain words: a sentence for every key and value, so that what the players read is what the game obeys.

The sentences stand in one table, by key and value; a key whose value is a number, a turn or an instant has a sentence
with that in it. A key that means nothing beside another (what is counted after a last turn, where there is none) is left
out. A test asks for a sentence of every value that a key may have, and that no two values sound alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.render.catalogue import N_
from judge.render.rulesentences import SENTENCES
from judge.render.words import Words
from judge.rules.board import Board
from judge.rules.houserules import HouseRules, Key, keys

_UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One house rule as a sentence. ``special``: it is another than in the standard rules."""

    key: str
    text: str
    special: bool


@dataclass(frozen=True, slots=True)
class RuleSection:
    """The rules of one matter under its title."""

    title: str
    lines: tuple[RuleLine, ...]


#: title -> the sections of keys (the part before the first dot) that stand below it, in this order
_SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N_("How the game ends"), ("victory", "draw")),
    (N_("Powers and players"), ("powers", "entry", "press", "nmr", "clock")),
    (N_("Writing orders"), ("orders", "turn", "units")),
    (N_("Coasts"), ("coast",)),
    (N_("Moves and supports"), ("move", "support")),
    (N_("Convoys"), ("convoy",)),
    (N_("Retreats and adjustments"), ("retreat", "ownership", "builds", "removal")),
)


def sections(rules: HouseRules, board: Board, words: Words) -> tuple[RuleSection, ...]:
    """All house rules in the reader's words, by matter."""
    found = []
    for title, parts in _SECTIONS:
        lines = [
            _line(key, rules, board, words)
            for part in parts
            for key in keys().values()
            if key.name.partition(".")[0] == part and matters(key, rules)
        ]
        found.append(RuleSection(words.translate(title), tuple(lines)))
    return tuple(found)


def _line(key: Key, rules: HouseRules, board: Board, words: Words) -> RuleLine:
    text = sentence(key, rules, board, words)
    if getattr(rules, key.field) == key.default:
        return RuleLine(key.name, text, False)
    # two values may be the same on this board: 18 centres, and the number that the board says
    return RuleLine(key.name, text, text != sentence(key, replace(rules, **{key.field: key.default}), board, words))


def special_lines(rules: HouseRules, board: Board, words: Words) -> tuple[RuleLine, ...]:
    """The rules that are another than in the standard ones, with those of the end of the game before them."""
    return tuple(
        line for section in sections(rules, board, words) for line in section.lines if line.special or "victory" in line.key
    )


def matters(key: Key, rules: HouseRules) -> bool:
    """Whether a key says anything beside the others."""
    if key.name == "press.phases":
        return rules.press_kinds != "none"
    if key.name == "draw.votes":
        return rules.draw_kind != "none" or rules.draw_concede == "yes"
    if key.name == "victory.tie":
        return rules.victory_centres != "none"
    if key.name == "victory.end.counts":
        return bool(rules.victory_end_turn)
    if key.name == "victory.end.when":
        return rules.victory_end_turn.startswith("F")
    if key.name == "victory.clock.counts":
        return bool(rules.victory_clock_at or rules.victory_clock_after)
    if key.name == "entry.newcomers":
        return rules.entry_reliability != "none"
    if key.name == "powers.clash":
        return rules.powers_assign == "preference"
    if key.name in ("victory.clock.at", "victory.clock.after"):
        # one of them at most is set; where neither is, one sentence is enough
        return bool(getattr(rules, key.field)) or (key.name == "victory.clock.at" and not rules.victory_clock_after)
    return True


def sentence(key: Key, rules: HouseRules, board: Board, words: Words) -> str:
    """What the rules say in one key, as a sentence."""
    value = getattr(rules, key.field)
    if key.name == "victory.centres" and value == "board":
        value = board.victory_centres
    by_value = SENTENCES[key.name]
    text = str(value).lower() if isinstance(value, bool) else "" if value == () else str(value)
    if text in by_value:
        return words.translate(by_value[text])
    if "*" not in by_value:  # stored by a later version: better said as it is than no mail at all
        return f"{key.name} = {text}"
    return words.translate(by_value["*"]) % {"value": _value(key, rules, value, words)}


def changed_sentence(key: str, value: object, rules: HouseRules, board: Board, words: Words) -> str:
    """The sentence of one key as it reads with another ``value`` (a table or list may be as JSON has it)."""
    known = keys()[key]
    if isinstance(value, Mapping):
        value = tuple(sorted(value.items()))
    elif isinstance(value, list):
        value = tuple(value)
    changes: dict[str, Any] = {known.field: value}
    return sentence(known, replace(rules, **changes), board, words)


def _value(key: Key, rules: HouseRules, value: object, words: Words) -> str:
    """A number, turn, instant, coast or list of powers in the reader's words."""
    if key.kind == "list" and isinstance(value, tuple):
        return words.listing(map(words.power, value))
    if key.name == "victory.end.turn":
        return words.last_turn(str(value))
    if key.name == "victory.clock.at":
        return words.instant(datetime.fromisoformat(str(value)))
    if key.name == "victory.clock.after":
        return words.span(_duration(str(value)))
    if key.name == "clock.absence":
        return words.span(_duration(str(value)))
    if key.name == "coast.aliases":
        return words.listing(_aliases(rules, words))
    return words.number(value) if isinstance(value, int) else str(value)


def _duration(text: str) -> timedelta:
    """``"90 min"``, ``"2 h"``, ``"30 d"``."""
    number = "".join(c for c in text if c.isdigit())
    return int(number) * _UNITS[text.removeprefix(number).strip()]


def _aliases(rules: HouseRules, words: Words) -> Iterator[str]:
    message = words.translate(N_("the %(coast)s of %(province)s is called its %(other)s"))
    for alias, real in rules.coast_aliases:
        # both by what the letters say, whatever this game calls them
        coasts = {name: words.coast("/" + at.partition("/")[2]) for name, at in (("coast", real), ("other", alias))}
        yield message % {"province": words.province(real), **coasts}
