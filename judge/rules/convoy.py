"""Routes over sea: which seas lead from a shore to another, as sets of bits, and which fleets a route needs.

A *route* is a chain of touching seas, the first at the army's province, the last at its destination, each with a fleet
that carries. Seas are bits of a whole number (``Board.sea_bit``), so that a flood fill is a handful of operations and
nothing here ever lists routes one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.board import Board

#: Steps that the search for a needed fleet may take. On the standard board it ends after a few dozen; on a board with a
#: labyrinth of seas the search gives up and the fleet counts as needed, which harms nobody.
_MOST_STEPS = 4000


def connected(board: Board, seas: int, origin: str, target: str) -> bool:
    """Whether fleets in ``seas`` make a complete route from ``origin`` to ``target`` (coastal provinces)."""
    shore = board.shore
    reached = shore.get(origin, 0) & seas
    goal = shore.get(target, 0) & seas
    if not reached or not goal:
        return False
    near, fresh = board.sea_near, reached
    while not reached & goal:
        spread = 0
        for bit in bits(fresh):
            spread |= near[bit]
        fresh = spread & seas & ~reached
        if not fresh:
            return False
        reached |= fresh
    return True


def needed(board: Board, seas: int, sea: int, origin: str, target: str) -> bool:
    """Whether a route over ``seas`` exists that could not do without ``sea`` (one bit): DATC 4.E.1, 6.G.19.

    Such a route is a chain in which only the first sea touches the origin, only the last the target, and no sea touches
    another than the one before and after it.
    """
    start, goal = board.shore.get(origin, 0) & seas, board.shore.get(target, 0) & seas
    if sea & start & goal:
        return True
    if not connected(board, seas, origin, target):
        return False
    near = board.sea_near
    #: (the chain's end, whether it holds ``sea``, the seas it may still go on to)
    chains = [(first, first == sea, seas & ~start) for first in bits(start & ~goal)]
    for _ in range(_MOST_STEPS):
        if not chains:
            return False
        end, holds, free = chains.pop()
        left = free & ~near[end]
        for following in bits(near[end] & free):
            now_holds = holds or following == sea
            if following & goal:
                if now_holds:
                    return True
            elif now_holds or sea & left:
                chains.append((following, now_holds, left))
    return True


def on_routes(board: Board, seas: int, origin: str, target: str) -> int:
    """Those of ``seas`` that are part of a complete route; a stray fleet on none is left out (JP-24)."""
    return sum(bit for bit in bits(seas) if needed(board, seas, bit, origin, target))


def bits(number: int) -> Iterator[int]:
    """The single bits of ``number``, lowest first."""
    while number:
        bit = number & -number
        yield bit
        number ^= bit
