"""What a mail says of other mails, which are held until their player says whose they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

_ADDRESS = re.compile(r"[^\s<>,;:\"()]+@[^\s<>,;:\"()@]+")


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A mail that is held until its player says that it is theirs. ``number`` counts those of the seat; ``sender`` is the
    address it says it is from, or all that its From says; ``why``: it came to ``GAME@`` in the player's name
    (``not-proved``), or with the seat's signed address from another one (``strange-address``); ``words`` are the first
    lines of it."""

    number: int
    arrived: datetime
    sender: str
    why: Literal["not-proved", "strange-address"]
    words: str

    @property
    def one_sender(self) -> bool:
        """Whether ``sender`` is one address; else it is all that the mail's From says."""
        return _ADDRESS.fullmatch(self.sender) is not None


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of the player's answer about a held mail. ``result``: ``confirmed``, ``dropped``; ``already-confirmed``,
    ``already-dropped`` (nothing changes); ``unclear`` (yes and no at once); ``which`` (no number, and several wait),
    ``not-clear`` (perhaps it was meant as an answer)."""

    number: int | None
    result: str
