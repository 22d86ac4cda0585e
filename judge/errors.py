"""Errors of the judge: one base, a leaf for each way a caller reacts.

::

    JudgeError
    ├── BadInput            what a person gave cannot be used; the text says what, where, what would be right
    │   ├── BadSettings     judge.toml: file and line
    │   ├── BadHouseRules   a house-rules file: file and line
    │   └── BadPosition     a position that the board does not bear
    ├── NotFound            no such game, seat, mail or phase
    ├── Refused             understood, but not allowed now (a game that has ended, a phase already processed)
    │   └── RulesRefused    (judge.play.rulings) a house rule cannot be set so: the key, and why as a code
    └── StoreError          the database cannot be opened, is of a later version, or is not whole
"""

from __future__ import annotations


class JudgeError(Exception):
    """Base of all errors that the judge raises on purpose."""


class BadInput(JudgeError):
    """Input of a person that cannot be used.

    ``where`` names the place (``FILE:LINE`` or empty); the message says what is wrong and what is allowed.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class BadSettings(BadInput):
    """The settings file cannot be used."""


class BadHouseRules(BadInput):
    """A house-rules file cannot be used; no game starts with it.

    ``sort`` tells what is wrong with a single key that a person set: ``unknown-key``, ``bad-value``, ``contradiction``;
    empty for a file.
    """

    def __init__(self, message: str, where: str = "", sort: str = "") -> None:
        super().__init__(message, where)
        self.sort = sort


class BadPosition(BadInput):
    """A position that the board does not bear (no such province, two units in one)."""


class NotFound(JudgeError):
    """There is no such game, seat, mail or phase."""


class Refused(JudgeError):
    """The request is understood but not allowed in the present state."""


class StoreError(JudgeError):
    """The database cannot be opened, comes from a later version, or is not whole."""
