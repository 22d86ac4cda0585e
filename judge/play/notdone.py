"""What somebody asked for and does not get, with the reason as a code."""

from __future__ import annotations

from typing import Any

from judge.errors import Refused
from judge.render import refusals


class NotDone(Refused):
    """A command that is not carried out. ``code`` and ``args`` say why (:mod:`judge.render.refusals` has the sentence); as
    an exception it reads in plain English. Nothing may have been written when it is raised."""

    def __init__(self, code: str, **args: Any) -> None:
        super().__init__(refusals.english(code, args))
        self.code = code
        self.arguments: dict[str, Any] = args
