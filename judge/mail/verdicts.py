"""What is said of a line of a mail, with its reason; and the judge's own names, which give away the head of a quote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line: kept or not, why (a code of ``REASONS``), and whether a drop is beyond doubt."""

    text: str
    kept: bool
    why: str
    sure: bool = True


#: the codes of ``Verdict.why``, in words for ``judge read --explain``
REASONS = {
    "typed": "typed by the sender",
    "below-quote": "typed below the quoted mail",
    "quote-mark": "carries a quote mark",
    "quote-container": "stands in the mail program's quote",
    "indented": "stands in an indented block that may be a quote",
    "head": "head of a quote",
    "header-block": "headers of a quoted mail",
    "separator": "line above a quoted mail",
    "quoted": "follows the head of a quote",
    "own-mail": "quoted, perhaps from an older mail of the sender, who gives no orders in this one",
    "perhaps-quote": "stands in what looks like a quote, by its shape alone",
    "in-quote": "stands inside a quoted mail of the judge, but not in the mail as it was sent",
    "answer": "typed between the lines of a quoted mail of the judge",
    "changed": "stands in a quoted mail of the judge, where the mail as it was sent has something else or nothing",
    "ours": "stands in a mail that the judge sent",
    "signature": "signature",
    "signature-container": "stands in the mail program's signature",
    "footer": "added by the mail program",
    "disclaimer": "added by a gateway or a list",
    "hidden": "not visible in the mail",
    "struck": "struck out",
    "pgp": "part of a PGP signature",
    "encrypted": "encrypted",
    "echo": "stands below a machine's notice that it took a mail of the judge",
    "notice": "stands in a mail that a machine seems to have written",
    "other-part": "the other form of the mail shows it as quoted",
    "too-long": "beyond the length that is read",
}


class OwnNames:
    """The judge's own addresses, domain and names: what gives away the head of a quote.

    :param names: display names and words for the judge (``"Spring42 Judge"``, ``"judge"``).
    :param player: the address of the mail's writer, whose older mails may be quoted too.
    """

    def __init__(self, addresses: Sequence[str], domain: str, names: Sequence[str], player: str | None = None) -> None:
        self._player = (player or "").lower()
        self._locals = tuple(
            {a.partition("@")[0].partition("+")[0].lower() for a in addresses if len(a.partition("@")[0]) > 2}
        )
        marks = {a.strip().lower() for a in addresses if "@" in a}
        if domain:
            marks.add(f"@{domain.lower()}")
        self._addresses = tuple(sorted(marks))
        words = [re.escape(unicodedata.normalize("NFKC", n.strip())) for n in names if len(n.strip()) >= 3]
        self._names = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(words)})(?![^\W\d_])", re.IGNORECASE) if words else None

    def has_address(self, text: str) -> bool:
        """Whether one of our addresses stands in ``text``."""
        low = text.lower()
        return any(mark in low for mark in self._addresses)

    def is_named(self, text: str) -> bool:
        """Whether one of our names, or of our addresses without its domain, stands in ``text``."""
        words = re.findall(r"[\w-]+", text.lower())
        return self.has_name(text) or any(name in words for name in self._locals)

    def has_player(self, text: str) -> bool:
        """Whether the address of the mail's writer stands in ``text``."""
        return bool(self._player) and self._player in text.lower()

    def without(self, text: str) -> str:
        """``text`` without our names and any mail addresses."""
        bare = re.sub(r"<?[^\s<>]{1,64}@[^\s<>]{1,255}>?", " ", text)
        return bare if self._names is None else self._names.sub(" ", bare)

    def has_name(self, text: str) -> bool:
        """Whether one of our names stands in ``text``."""
        return self._names is not None and self._names.search(text) is not None
