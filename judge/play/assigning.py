"""Who plays whom: wishes and a seed become an assignment of powers. A pure function; anybody can draw again.

A lot is a hash, so that no program but one that has SHA-256 is needed to check a draw: the lot of player 3 in the draw
for France, with the seed ``5f0c``, is the hash of the text ``5f0c:France:3``; of several lots the smallest wins. Players
are numbered from 1 in the order in which they joined, so that a draw can be shown without their addresses.

The house rules say how (``powers.assign``):

``preference``   one wish each (JP-1): wishes that do not clash are granted; a power wanted by several is drawn among
                 those (``powers.clash = claimants``), and who lost or named none draws from what is left. With ``pool``
                 everything that is not granted outright is drawn by all of these from one pool.
``best-ranks``   ranked lists: the sum of ranks is as small as it can be; of several such assignments the lots choose.
``first-come``   each in turn gets the best of their list that is still free; the others draw from what is left.
``random``       all draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Method = Literal["preference", "best-ranks", "first-come", "random"]
Clash = Literal["claimants", "pool"]

#: How a player came to a power: ``granted`` (nobody else could claim it), ``won`` (drawn among those who wanted it),
#: ``left`` (drawn from what was left), ``ranked`` (by the best sum of ranks), ``came-first``, ``drawn`` (all drew).
How = Literal["granted", "won", "left", "ranked", "came-first", "drawn"]

#: every lot is a whole number below this
_LOTS = 1 << 256


@dataclass(frozen=True, slots=True)
class Given:
    """What one player got. ``wishes``: what they wanted, best first; ``among``: how many drew for this power (1: nobody
    else); ``rank``: the place of the power on their list, from 1, or ``None`` if it is not on it."""

    player: int
    power: str
    wishes: tuple[str, ...]
    how: How
    among: int = 1

    @property
    def rank(self) -> int | None:
        """The place of the power on the player's list, from 1."""
        return self.wishes.index(self.power) + 1 if self.power in self.wishes else None


def draw(
    method: Method, clash: Clash, powers: Sequence[str], wishes: Sequence[Sequence[str]], seed: str
) -> tuple[Given, ...]:
    """Give each player one of ``powers``; ``wishes[0]`` are those of player 1, best first (wishes for other powers count
    for nothing). The same arguments always give the same result, on any machine.

    :raises ValueError: more players than powers.
    """
    if len(wishes) > len(powers):
        raise ValueError(f"{len(wishes)} players, but {len(powers)} powers to give")
    if method == "best-ranks":
        given = _best_ranks(powers, wishes, seed)
    else:
        given = {"preference": _preference, "first-come": _first_come, "random": _random}[method](
            powers, wishes, seed, clash
        )
    return tuple(sorted(given, key=lambda one: one.player))


def lot(seed: str, what: str, player: int | str) -> int:
    """The lot of a player in the draw for ``what``: the hash of ``SEED:WHAT:PLAYER`` as a number."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{what}:{player}".encode()).digest())


def _preference(powers: Sequence[str], wishes: Sequence[Sequence[str]], seed: str, clash: Clash) -> list[Given]:
    wanted: dict[str, list[int]] = {}
    for player, wish in enumerate(wishes, 1):
        first = next((power for power in wish if power in powers), None)
        if first is not None:
            wanted.setdefault(first, []).append(player)
    given = []
    for power, players in wanted.items():
        if len(players) == 1:
            given.append(Given(players[0], power, tuple(wishes[players[0] - 1]), "granted"))
        elif clash == "claimants":
            winner = min(players, key=lambda player: lot(seed, power, player))
            given.append(Given(winner, power, tuple(wishes[winner - 1]), "won", len(players)))
    return given + _rest(powers, wishes, given, seed, "left")


def _first_come(powers: Sequence[str], wishes: Sequence[Sequence[str]], seed: str, _: Clash) -> list[Given]:
    given: list[Given] = []
    for player, wish in enumerate(wishes, 1):
        taken = {one.power for one in given}
        best = next((power for power in wish if power in powers and power not in taken), None)
        if best is not None:
            given.append(Given(player, best, tuple(wish), "came-first"))
    return given + _rest(powers, wishes, given, seed, "left")


def _random(powers: Sequence[str], wishes: Sequence[Sequence[str]], seed: str, _: Clash) -> list[Given]:
    return _rest(powers, wishes, [], seed, "drawn")


def _rest(
    powers: Sequence[str], wishes: Sequence[Sequence[str]], given: Sequence[Given], seed: str, how: How
) -> list[Given]:
    """Who has nothing yet draws from what is left: the powers in the board's order, each to the smallest lot."""
    players = [p for p in range(1, len(wishes) + 1) if all(one.player != p for one in given)]
    left = [power for power in powers if all(one.power != power for one in given)]
    # with fewer players than powers, which of them are played is drawn too
    left = sorted(sorted(left, key=lambda power: lot(seed, "played", power))[: len(players)], key=list(powers).index)
    drawn = []
    among = len(players)
    for power in left:
        winner = min(players, key=lambda player: lot(seed, power, player))
        players.remove(winner)
        drawn.append(Given(winner, power, tuple(wishes[winner - 1]), how, among))
    return drawn


# ---------------------------------------------------------------------- the best sum of ranks


def _best_ranks(powers: Sequence[str], wishes: Sequence[Sequence[str]], seed: str) -> list[Given]:
    """The exact optimum; ties are broken by the lots, which are too small to outweigh half a rank."""
    unit = _LOTS * (len(powers) + 1)
    costs = [
        [_cost(powers, wish, power) * unit + lot(seed, power, player) for power in powers]
        for player, wish in enumerate(wishes, 1)
    ]
    # an empty chair for each power that nobody plays
    costs += [[lot(seed, power, f"nobody {chair}") for power in powers] for chair in range(len(powers) - len(wishes))]
    chosen = assignment(costs)
    return [Given(p, powers[chosen[p - 1]], tuple(wish), "ranked") for p, wish in enumerate(wishes, 1)]


def _cost(powers: Sequence[str], wish: Sequence[str], power: str) -> int:
    """Twice the rank of ``power`` on the list, so that the mean of the ranks left open is whole."""
    listed = [p for p in dict.fromkeys(wish) if p in powers]
    return 2 * (listed.index(power) + 1) if power in listed else len(listed) + 1 + len(powers)


def assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """The columns that the rows get, each another, at the smallest sum of costs (square, whole numbers, exact).

    The Hungarian method with potentials (Kuhn 1955, Munkres 1957): rows come in one by one, and each is let in along
    the cheapest chain of changes, found as a shortest path. O(n**3).
    """
    size = len(costs)
    over_row, over_column = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)  # column -> row, from 1; column 0 holds the row that comes in
    for row in range(1, size + 1):
        row_of[0] = row
        column, came_from = 0, [0] * (size + 1)
        least: list[int | None] = [None] * (size + 1)
        seen = [False] * (size + 1)
        while row_of[column]:
            seen[column] = True
            here, delta, following = row_of[column], None, 0
            for other in range(1, size + 1):
                if seen[other]:
                    continue
                reduced = costs[here - 1][other - 1] - over_row[here] - over_column[other]
                best = least[other]
                if best is None or reduced < best:
                    least[other], came_from[other] = reduced, column
                    best = reduced
                if delta is None or best < delta:
                    delta, following = best, other
            step = delta or 0
            for other in range(size + 1):
                if seen[other]:
                    over_row[row_of[other]] += step
                    over_column[other] -= step
                elif (best := least[other]) is not None:
                    least[other] = best - step
            column = following
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = [0] * size
    for column in range(1, size + 1):
        columns[row_of[column] - 1] = column - 1
    return columns
