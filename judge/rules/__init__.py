"""The board game alone: pure functions of values, no I/O, no clock, no randomness.

``adjudicate`` is the whole game in one function; ``owing`` says what it waits for. ``board``, ``orders``, ``position``,
``houserules`` and ``outcome`` are the values that go in and come out. Inside, the way of a movement is ``legality`` (which
orders may be given) → ``choosing`` (one a unit) → ``field`` (who supports and carries whom) → ``resolve`` (with
``strength`` and ``convoy``) → ``explain``.
"""

from judge.rules.turn import Owed, adjudicate, owing

__all__ = ["Owed", "adjudicate", "owing"]
