"""Commitments: each receipt bears a hash of the orders on file, so that nobody can say later that the judge changed them.

The text that is hashed is UTF-8, each line ended by one line feed (0A), the last one too, and nothing else::

    judge commitment 1
    game spring42
    phase S1901M
    attempt 1
    power France
    receipt 3
    nonce 0f8a4c1e9b27d35560417a2b9c8d7e6f
    A MAR S A PAR-BUR
    A PAR-BUR
    F BRE-MAO

``attempt`` counts how often the phase was begun (one that was taken back is played again under the next number), ``power``
is written as the board's data writes it, ``receipt`` is the number in the foot of the receipt. ``nonce`` is 32 hex digits,
small letters. Below it stand the power's orders on file after the receipt's mail, those it gave for units in its hands too,
in canonical form, sorted by their bytes (``LC_ALL=C sort``); none, if there were none. The commitment is the SHA-256 of the
text in hex, of which mails show the first 32 digits. With the text in a file, anybody finds it again by ``sha256sum FILE``.

A commitment binds the judge: it cannot find other orders that lead to the same one, short of about 2^64 trials with a text
of its own making. It tells nobody anything before the nonce is known: the nonce is made from the judge's secret, which lies
outside of the database, so that a copy of that does not give it either. Only its owner gets it, and not before the phase has
been processed: until then a receipt proves nothing to a third party (CN-19). No randomness is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from judge.play.judge import Judge, Table
from judge.store import commitments, orders
from judge.store.commitments import Commitment
from judge.store.games import PhaseRow


def commit(judge: Judge, table: Table, power: str, number: int, now: datetime) -> str:
    """Write the commitment of a receipt down, inside its transaction. Returns its hash, 64 hex digits."""
    on_file = sorted((held.text for held in orders.held(judge.store, table.phase.id, power)), key=str.encode)
    made = text(judge, table.game.name, table.phase, power, number, on_file)
    one = Commitment(table.phase.id, power, number, tuple(on_file), digest(made), now)
    commitments.add(judge.store, one)
    return one.hash


def text(judge: Judge, game: str, phase: PhaseRow, power: str, number: int, on_file: Sequence[str]) -> str:
    """The text whose hash is the commitment: its exact form stands in the docstring of this module."""
    lines = [
        "judge commitment 1",
        f"game {game}",
        f"phase {phase.name}",
        f"attempt {phase.attempt}",
        f"power {power}",
        f"receipt {number}",
        f"nonce {nonce(judge, game, phase, power, number)}",
        *on_file,
    ]
    return "".join(f"{line}\n" for line in lines)


def nonce(judge: Judge, game: str, phase: PhaseRow, power: str, number: int) -> str:
    """The nonce of a receipt's commitment, 32 hex digits. It goes to nobody but the receipt's owner, and to them when the
    phase has been processed."""
    return judge.keys.nonce(game, phase.name, str(phase.attempt), power, str(number))


def text_of(judge: Judge, game: str, phase: PhaseRow, one: Commitment) -> str:
    """The text of a commitment that is stored."""
    return text(judge, game, phase, one.power, one.number, one.orders)


def digest(made: str) -> str:
    """The commitment of a text: hex SHA-256."""
    return hashlib.sha256(made.encode()).hexdigest()
