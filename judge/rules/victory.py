"""Who owns what, and when a game is over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from judge.rules.board import Board, Unit
from judge.rules.houserules import HouseRules
from judge.rules.outcome import GameEnd
from judge.rules.position import Phase


def owners_after(board: Board, owners: Mapping[str, str], units: Iterable[Unit]) -> dict[str, str]:
    """Ownership after a year: who stands on a centre owns it, all others stay with whom they were (JP-25, CN-20)."""
    changed = dict(owners)
    for unit in units:
        if board.provinces[unit.province].supply_centre:
            changed[unit.province] = unit.power
    return changed


def counts(
    board: Board, owners: Mapping[str, str], units: Iterable[Unit], what: Literal["centres", "units"]
) -> dict[str, int]:
    """Centres or units of each power, in the board's order; powers without any count 0."""
    held = [unit.power for unit in units] if what == "units" else list(owners.values())
    powers = (*board.powers, *sorted(set(held) - set(board.powers)))
    return {power: held.count(power) for power in powers}


def end_by_centres(board: Board, owners: Mapping[str, str], rules: HouseRules) -> GameEnd | None:
    """The end by ``victory.centres``, asked at the moment when ownership has changed and no retreat can change it."""
    needed = rules.victory_centres
    if needed == "none":
        return None
    if needed == "board":
        needed = board.victory_centres
    centres = counts(board, owners, (), "centres")
    winners = [power for power in players(centres, rules) if centres[power] >= needed]
    if not winners:
        return None
    if rules.victory_tie == "most":
        winners = most(centres, winners)
    return GameEnd("victory.centres", tuple(winners), centres)


def end_by_turn(
    board: Board, phase: Phase, owners: Mapping[str, str], units: Iterable[Unit], rules: HouseRules
) -> GameEnd | None:
    """The end by ``victory.end``, asked when all of a turn up to the moment of counting is done.

    ``phase`` is any phase of the turn that was played last.
    """
    if not rules.victory_end_turn or not turn_is_over(phase, rules.victory_end_turn):
        return None
    return _end_by_most("victory.end.turn", board, owners, tuple(units), rules.victory_end_counts, rules)


def end_by_clock(board: Board, owners: Mapping[str, str], units: Iterable[Unit], rules: HouseRules) -> GameEnd:
    """The end by ``victory.clock``: the agreed time is over. Owners and units as of now."""
    return _end_by_most("victory.clock", board, owners, tuple(units), rules.victory_clock_counts, rules)


def _end_by_most(
    ended_by: Literal["victory.end.turn", "victory.clock"],
    board: Board,
    owners: Mapping[str, str],
    units: tuple[Unit, ...],
    what: Literal["centres", "units"],
    rules: HouseRules,
) -> GameEnd:
    """Whoever has the most of what is counted wins, and equal counts share. A power without unit and centre is out of the
    game and shares nothing, even where all that are left have 0 of what is counted."""
    held = counts(board, owners, units, what)
    left = {*owners.values(), *(unit.power for unit in units)}
    return GameEnd(ended_by, tuple(most(held, (power for power in players(held, rules) if power in left))), held)


def players(held: Iterable[str], rules: HouseRules) -> list[str]:
    """Those of the powers that can win: a power that nobody plays cannot (``powers.unplayed``)."""
    return [power for power in held if power not in rules.powers_unplayed]


def most(held: Mapping[str, int], among: Iterable[str]) -> list[str]:
    """Those of ``among`` who have the most; several share."""
    candidates = list(among)
    best = max((held[power] for power in candidates), default=0)
    return [power for power in candidates if held[power] == best]


def turn_is_over(phase: Phase, turn: str) -> bool:
    """Whether ``phase`` belongs to the agreed last ``turn`` (``"F1910"``) or a later one; winter belongs to its fall."""
    season, year = turn[0], int(turn[1:])
    return (phase.year, phase.season != "S") >= (year, season != "S")
