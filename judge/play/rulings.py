"""The master changes a house rule of a running game: checked, logged, told to all players, in force from the next phase.

No change touches the phase under way: it is played to its end by the rules that it was opened with, and those are stored
with it. What could only be done by touching it is refused. Rules that span the phases of one turn (who owns what when,
where a dislodged unit may go) wait for the next movement, or one turn would be played by two books.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.errors import Refused
from judge.play.ending import clock_instant
from judge.play.judge import Judge, Table, open_table, rules_of
from judge.play.posting import write_to_seat
from judge.rules.board import Board
from judge.rules.houserules import HouseRules, keys
from judge.rules.position import Phase
from judge.rules.victory import turn_is_over
from judge.store import Store, codec, games, rulings
from judge.store.games import Game
from judge.store.rulings import RuleChange, WaitsFor
from judge.variants import load_board, with_key
from judge.variants.keytext import differences, plain

#: decided once, before the first phase
_BEFORE_THE_START = {
    "powers.assign": "the powers have been given out",
    "powers.clash": "the powers have been given out",
    "powers.addresses": "the first mail has told the players what they know of each other's addresses",
}
#: rules that span the phases of one turn
_SPANNING = ("ownership.", "retreat.", "victory.end.")


@dataclass(frozen=True, slots=True)
class Change:
    """One key that was changed: values as text, and from when on (``from_phase``: the name of a phase, or ``None``: the
    next one, whichever that will be)."""

    key: str
    old: str
    new: str
    from_phase: str | None


def set_keys(rules: HouseRules, settings: Sequence[tuple[str, str]], board: Board) -> HouseRules:
    """``rules`` with the keys set as a person typed them, one after the other.

    :raises BadHouseRules: an unknown key, a value that is not allowed, or a contradiction.
    """
    for key, text in settings:
        rules = with_key(rules, key, text, board)
    return rules


def change_rules(
    judge: Judge, name: str, settings: Sequence[tuple[str, str]], *, who: str, why: str | None = None, now: datetime
) -> list[Change]:
    """Change house rules of a game, all of the settings or none. Returns what changed (nothing, if all is so already).

    ``who`` goes into the log and into the players' mail, ``why`` is their reason in their own words. Before the start the
    rules are simply those; the first mail tells them.

    :raises BadHouseRules: a key or value that cannot be used; what is allowed is said.
    :raises Refused: the game is over, or the phase under way would be altered.
    """
    with judge.store.transaction():
        game = games.get(judge.store, name)
        if game.state == "ended":
            raise Refused(f"the game {name} is over; its rules stay as they were")
        board = load_board(game.variant)
        table = open_table(judge.store, game)
        old = agreed_rules(judge.store, game, table)
        new = set_keys(old, settings, board)
        if table is None:
            games.set_rules(judge.store, game.id, codec.rules_to_text(new))
            made = [Change(d.key, d.old, d.new, None) for d in differences(old, new)]
        else:
            made = _change_running(judge, table, old, new, who, why, now)
        for change in made:
            facts = {"key": change.key, "old": change.old, "new": change.new, "why": why, "from_phase": change.from_phase}
            games.log(judge.store, game.id, who, "rule-changed", facts, now)
    return made


def agreed_rules(store: Store, game: Game, table: Table | None) -> HouseRules:
    """The rules by which the next phase will be played, as far as is agreed now."""
    rules = table.rules if table else rules_of(game)
    return _with_changes(rules, rulings.pending(store, game.id))


def rules_for_next(store: Store, table: Table, following: Phase) -> str | None:
    """The rules of the phase that follows on the table's, as stored with it; what waited for it is in force from now on.

    ``None``: those that the game was made with.
    """
    due = [c for c in rulings.pending(store, table.game.id) if c.waits_for == "phase" or following.kind == "M"]
    for change in due:
        rulings.in_force(store, change.id, str(following))
    rules = codec.rules_to_text(_with_changes(table.rules, due))
    return None if codec.rules_from_text(table.game.rules) == codec.rules_from_text(rules) else rules


def waits_until(change: RuleChange, table: Table) -> str | None:
    """The first phase that will be played by a change that waits, as far as it is known now; ``None``: the next one."""
    return str(_next_movement(table.position.phase)) if change.waits_for == "movement" else None


def _with_changes(rules: HouseRules, changes: Sequence[RuleChange]) -> HouseRules:
    for change in changes:
        rules = replace(rules, **{keys()[change.key].field: value_in(json.loads(change.new))})
    return rules


def value_in(data: Any) -> Any:
    """A value of a key out of JSON (a table is an object)."""
    return tuple(sorted(data.items())) if isinstance(data, dict) else data


def _change_running(
    judge: Judge, table: Table, old: HouseRules, new: HouseRules, who: str, why: str | None, now: datetime
) -> list[Change]:
    changed = differences(old, new)
    for difference in changed:
        reason = _why_not(difference.key, table, old, new, now)
        if reason is not None:
            raise Refused(f"{difference.key} stays as it is: {reason}")
    made, told = [], []
    for difference in changed:
        key = keys()[difference.key]
        waits_for: WaitsFor = "movement" if key.name.startswith(_SPANNING) else "phase"
        before, value = plain(getattr(old, key.field)), plain(getattr(new, key.field))
        rulings.add_change(
            judge.store,
            game_id=table.game.id,
            phase_id=table.phase.id,
            key=key.name,
            old=json.dumps(before),
            new=json.dumps(value),
            waits_for=waits_for,
            who=who,
            why=why,
            now=now,
        )
        from_phase = str(_next_movement(table.position.phase)) if waits_for == "movement" else None
        made.append(Change(key.name, difference.old, difference.new, from_phase))
        told.append(
            {"key": key.name, "old": difference.old, "new": difference.new, "value": value, "from_phase": from_phase}
        )
    if told:
        number = len(rulings.changes(judge.store, table.game.id))
        args = {"code": "rules-changed", "args": {"changes": told}, "by": who, "why": why}
        for seat in games.seats(judge.store, table.game.id):
            write_to_seat(judge, table, seat, "notice", args, now, extra=f"rules {number}")
    return made


def _why_not(key: str, table: Table, old: HouseRules, new: HouseRules, now: datetime) -> str | None:
    """Why a change would alter the phase under way, or comes too late; ``None`` if it may be made."""
    if key in _BEFORE_THE_START:
        return _BEFORE_THE_START[key]
    phase = table.position.phase
    turn = f"{phase.season if phase.season != 'W' else 'F'}{phase.year}"
    if key.startswith("victory.end."):
        if old.victory_end_turn and turn_is_over(phase, old.victory_end_turn):
            return f"{old.victory_end_turn} is the last turn by the rules in force, and it is under way"
        if new.victory_end_turn and turn_is_over(phase, new.victory_end_turn):
            first = _next_movement(phase)
            return f"{turn} is under way and would become the last; the earliest last turn is {first.season}{first.year}"
    if key.startswith("victory.clock."):
        return _why_not_clock(table, old, new, now)
    return None


def _why_not_clock(table: Table, old: HouseRules, new: HouseRules, now: datetime) -> str | None:
    until = max(now, table.phase.deadline or now)
    ends, would_end = (clock_instant(rules, table.game.started_at) for rules in (old, new))
    if ends is not None and ends <= until:
        return f"by the rules in force the game ends with {table.phase.name}, which is under way"
    if would_end is not None and would_end <= until:
        return (
            f"{would_end:%Y-%m-%d %H:%M %Z} would make {table.phase.name}, which is under way, the last phase;"
            f" the earliest is after its deadline, {until:%Y-%m-%d %H:%M %Z}"
        )
    return None


def _next_movement(phase: Phase) -> Phase:
    """The movement of the turn after the one that ``phase`` belongs to."""
    return Phase("F", phase.year, "M") if phase.season == "S" else Phase("S", phase.year + 1, "M")
