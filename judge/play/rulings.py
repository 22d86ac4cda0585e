"""The master changes a house rule of a running game: checked, logged, told to all players, in force from the next phase.

No change touches the phase under way: it is played to its end by the rules that it was opened with, and those are stored
with it. What could only be done by touching it is refused. Rules that span the phases of one turn (who owns what when,
where a dislodged unit may go) wait for the next movement, or one turn would be played by two books.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

from judge.errors import BadHouseRules, Refused
from judge.play.ending import clock_instant
from judge.play.judge import Judge, Table, open_table, rules_of
from judge.play.posting import write_to_seat
from judge.render import refusals
from judge.rules.board import Board
from judge.rules.houserules import HouseRules, Key, keys
from judge.rules.position import Phase
from judge.rules.victory import turn_is_over
from judge.store import Store, codec, games, rulings
from judge.store.games import Game
from judge.store.rulings import RuleChange, WaitsFor
from judge.variants import load_board, with_key
from judge.variants.keytext import Difference, differences, plain

#: decided once, before the first phase: key -> why it stays, a code of judge.render.refusals
_BEFORE_THE_START = {
    "powers.assign": "rules.given-out",
    "powers.clash": "rules.given-out",
    "powers.addresses": "rules.addresses-told",
    "powers.names": "rules.names-told",
}
#: rules that span the phases of one turn
_SPANNING = ("ownership.", "retreat.", "victory.end.")


class RulesRefused(Refused):
    """A house rule that cannot be set so. ``code`` and ``args`` say why (:mod:`judge.render.refusals` has the sentence); as
    an exception it reads in plain English."""

    def __init__(self, code: str, **args: Any) -> None:
        super().__init__(refusals.english(code, args))
        self.code = code
        self.arguments: dict[str, Any] = args


@dataclass(frozen=True, slots=True)
class Change:
    """One key that was changed: values as text, the new one as JSON has it, and from when on (``from_phase``: the name of a
    phase, or ``None``: the next one, whichever that will be)."""

    key: str
    old: str
    new: str
    value: Any
    from_phase: str | None


def set_keys(rules: HouseRules, settings: Sequence[tuple[str, str]], board: Board) -> HouseRules:
    """``rules`` with the keys set as a person typed them, one after the other.

    :raises RulesRefused: an unknown key, a value that is not allowed, or a contradiction.
    """
    for key, text in settings:
        rules = set_key(rules, key, text, board)
    return rules


def set_key(rules: HouseRules, key: str, text: str, board: Board) -> HouseRules:
    """``rules`` with one key set; the case of letters does not count, in the key and in a value that is a word.

    :raises RulesRefused: an unknown key, a value that is not allowed, or a contradiction.
    """
    name = key.strip().lower()
    known = keys().get(name)
    word = text.strip()
    if known is not None and word.lower() in known.values:
        word = word.lower()
    try:
        return with_key(rules, name, word, board)
    except BadHouseRules as fault:
        if known is None:
            near = get_close_matches(name, keys(), n=3, cutoff=0.6)
            code = "rules.unknown-key-near" if near else "rules.unknown-key"
            raise RulesRefused(code, key=name, **({"near": near} if near else {})) from fault
        if fault.sort == "contradiction":
            raise _contradiction(known, word, board) from fault
        raise _bad_value(known, word, board) from fault


def _contradiction(key: Key, text: str, board: Board) -> RulesRefused:
    """Why a value that is one of the key's cannot be had on this board, or beside the game's other rules."""
    if key.name == "victory.end.turn":
        return RulesRefused("rules.before-the-start", key=key.name, year=board.first_year, turn=text)
    if key.name.startswith("victory.clock."):
        return RulesRefused("rules.two-clocks", key=key.name)
    if key.name == "powers.unplayed":
        return RulesRefused("rules.nobody-left", key=key.name)
    if key.name in ("orders.perpetual", "nmr"):
        return RulesRefused("rules.repeat-or-hold", key=key.name)
    return _bad_value(key, text, board)


def _bad_value(key: Key, text: str, board: Board) -> RulesRefused:
    if key.kind == "list":
        named = [word.strip(" []\"'“”").casefold() for word in text.split(",")]
        if len(set(named)) < len(named):
            return RulesRefused("rules.twice-in-list", key=key.name, value=text)
        return RulesRefused("rules.bad-word", key=key.name, value=text, values=list(board.powers))
    if key.kind == "word":
        return RulesRefused("rules.bad-word", key=key.name, value=text, values=list(key.values))
    if key.kind == "number-or-word":
        most = len(board.supply_centres())
        return RulesRefused("rules.bad-number", key=key.name, value=text, most=most, values=list(key.values))
    form = {"victory.end.turn": "turn", "victory.clock.at": "instant", "victory.clock.after": "duration"}
    return RulesRefused("rules.bad-form", key=key.name, value=text, form=form.get(key.name, key.kind))


def change_rules(
    judge: Judge, name: str, settings: Sequence[tuple[str, str]], *, who: str, why: str | None = None, now: datetime
) -> list[Change]:
    """Change house rules of a game, all of the settings or none. Returns what changed (nothing, if all is so already).

    ``who`` goes into the log and into the mail to players and master (``master`` stands for the game master), ``why`` is
    their reason in their own words. Before the start the rules are simply those; the first mail tells them.

    :raises RulesRefused: a key or value that cannot be used, the game is over, or the phase under way would be altered.
    """
    with judge.store.transaction():
        made, refused = change_what_can_be(judge, name, settings, who=who, why=why, now=now)
        for _, refusal in refused:
            raise refusal  # and so takes back what was changed
    return made


def change_what_can_be(
    judge: Judge,
    name: str,
    settings: Sequence[tuple[str, str]],
    *,
    who: str,
    why: str | None = None,
    now: datetime,
    quiet_for: str | None = None,
) -> tuple[list[Change], list[tuple[int, RulesRefused]]]:
    """Change those of the settings that can be, together, inside the caller's transaction; the players get one notice.

    ``quiet_for``: the power (or ``master``) whose own mail this answers, and who is told there instead. Returns what
    changed, and the numbers (from 0) of the settings that were refused with the reason of each.
    """
    game = games.get(judge.store, name)
    if game.state == "ended":
        return [], [(number, RulesRefused("rules.over", game=name)) for number, _ in enumerate(settings)]
    board = load_board(game.variant)
    table = open_table(judge.store, game)
    old = agreed_rules(judge.store, game, table)
    played = [seat.power for seat in games.seats(judge.store, game.id) if seat.address]
    new, refused = _sift(table, old, settings, board, played, now)
    if table is None:
        games.set_rules(judge.store, game.id, codec.rules_to_text(new))
        made = [_change(d, new, None) for d in differences(old, new)]
    else:
        made = _change_running(judge, table, old, new, who, why, now, quiet_for)
    for change in made:
        facts = {"key": change.key, "old": change.old, "new": change.new, "why": why, "from_phase": change.from_phase}
        games.log(judge.store, game.id, who, "rule-changed", facts, now)
    return made, refused


def _sift(
    table: Table | None,
    old: HouseRules,
    settings: Sequence[tuple[str, str]],
    board: Board,
    played: Sequence[str],
    now: datetime,
) -> tuple[HouseRules, list[tuple[int, RulesRefused]]]:
    """The rules with every setting that can be made. One that contradicts the rules as they stand is tried again after the
    others: it may go with them."""
    rules, waiting = old, list(enumerate(settings))
    while True:
        refused: list[tuple[int, RulesRefused]] = []
        for number, (key, text) in waiting:
            try:
                candidate = set_key(rules, key, text, board)
                _refuse_to_leave_out(played, candidate)
                if table is not None and candidate != rules:
                    _refuse_what_alters(keys()[key.strip().lower()].name, table, old, candidate, now)
                rules = candidate
            except RulesRefused as refusal:
                refused.append((number, refusal))
        if not refused or len(refused) == len(waiting):
            return rules, refused
        waiting = [(number, settings[number]) for number, _ in refused]


def _change(difference: Difference, new: HouseRules, from_phase: str | None) -> Change:
    key = keys()[difference.key]
    value = plain(getattr(new, key.field), key)
    return Change(difference.key, difference.old, difference.new, value, from_phase)


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
    """A value of a key out of JSON (a table is an object, a list an array)."""
    if isinstance(data, dict):
        return tuple(sorted(data.items()))
    return tuple(data) if isinstance(data, list) else data


def _change_running(
    judge: Judge,
    table: Table,
    old: HouseRules,
    new: HouseRules,
    who: str,
    why: str | None,
    now: datetime,
    quiet_for: str | None,
) -> list[Change]:
    made = []
    for difference in differences(old, new):
        key = keys()[difference.key]
        waits_for: WaitsFor = "movement" if key.name.startswith(_SPANNING) else "phase"
        from_phase = str(_next_movement(table.position.phase)) if waits_for == "movement" else None
        change = _change(difference, new, from_phase)
        rulings.add_change(
            judge.store,
            game_id=table.game.id,
            phase_id=table.phase.id,
            key=key.name,
            old=json.dumps(plain(getattr(old, key.field), key)),
            new=json.dumps(change.value),
            waits_for=waits_for,
            who=who,
            why=why,
            now=now,
        )
        made.append(change)
    if made:
        number = len(rulings.changes(judge.store, table.game.id))
        args = {"code": "rules-changed", "args": {"changes": list(map(asdict, made))}, "by": who, "why": why}
        for seat in games.readers(judge.store, table.game.id):
            if seat.power != quiet_for:
                write_to_seat(judge, table, seat, "notice", args, now, extra=f"rules {number}")
    return made


def _refuse_to_leave_out(played: Sequence[str], new: HouseRules) -> None:
    """Refuse rules by which nobody plays a power that somebody has.

    :raises RulesRefused: they would be.
    """
    for power in played:
        if power in new.powers_unplayed:
            raise RulesRefused("rules.is-played", key="powers.unplayed", power=power)


def _refuse_what_alters(key: str, table: Table, old: HouseRules, new: HouseRules, now: datetime) -> None:
    """Refuse a change that would alter the phase under way, or comes too late.

    :raises RulesRefused: it would.
    """
    if key in _BEFORE_THE_START:
        raise RulesRefused(_BEFORE_THE_START[key], key=key)
    phase = table.position.phase
    turn = f"{phase.season if phase.season != 'W' else 'F'}{phase.year}"
    if key.startswith("victory.end."):
        if old.victory_end_turn and turn_is_over(phase, old.victory_end_turn):
            raise RulesRefused("rules.last-turn", key=key, turn=old.victory_end_turn)
        if new.victory_end_turn and turn_is_over(phase, new.victory_end_turn):
            first = _next_movement(phase)
            raise RulesRefused("rules.would-be-last", key=key, turn=turn, first=f"{first.season}{first.year}")
    if key == "victory.centres" and new.victory_centres != "none":
        _refuse_what_is_reached(key, table, new)
    if key.startswith("victory.clock."):
        _refuse_what_alters_the_clock(key, table, old, new, now)


def _refuse_what_is_reached(key: str, table: Table, new: HouseRules) -> None:
    """A number of centres that somebody has already would end the game at the next count, whatever is played until then."""
    wins = table.board.victory_centres if new.victory_centres == "board" else new.victory_centres
    for power in table.board.powers:
        count = len(table.position.centres(power))
        if count >= int(wins):
            raise RulesRefused("rules.reached", key=key, power=power, count=count)


def _refuse_what_alters_the_clock(key: str, table: Table, old: HouseRules, new: HouseRules, now: datetime) -> None:
    until = max(now, table.phase.deadline or now)
    ends, would_end = (clock_instant(rules, table.game.started_at) for rules in (old, new))
    if ends is not None and ends <= until:
        raise RulesRefused("rules.ends-now", key=key, phase=table.phase.name)
    if would_end is not None and would_end <= until:
        at, earliest = would_end.astimezone(UTC), until.astimezone(UTC)
        raise RulesRefused("rules.clock-too-early", key=key, at=at, phase=table.phase.name, earliest=earliest)


def _next_movement(phase: Phase) -> Phase:
    """The movement of the turn after the one that ``phase`` belongs to."""
    return Phase("F", phase.year, "M") if phase.season == "S" else Phase("S", phase.year + 1, "M")
