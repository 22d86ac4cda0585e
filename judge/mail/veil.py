"""Putting a pseudonym in the place of somebody's addresses and names, in texts and in bytes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from email.utils import format_datetime

from judge.mail.compose import clean
from judge.mail.reading import Incoming

#: Names that are words of the judge's own, and so are nobody's.
_OURS = frozenset({"master", "game master", "judge", "operator", "clock", "players", "postmaster", "mail", "press"})
#: Characters of a name that is looked for.
_SHORTEST, _LONGEST = 2, 80
_SUBJECT = 200


class Veil:
    """``pseudonym`` in the place of ``addresses``, in any case of letters, and of ``names``.

    An address is found where it stands for itself, and not as the end of a longer one. A name counts as it is written, with
    any blanks between its words. Words that the game is written in (``not_names``, in small letters: powers, places) are
    left alone, whoever is called so.
    """

    def __init__(self, addresses: Iterable[str], names: Iterable[str], pseudonym: str, not_names: Collection[str]) -> None:
        self.pseudonym = pseudonym
        told = {name for name in (" ".join(one.split()) for one in names) if _is_a_name(name, not_names)}
        where = "|".join(re.escape(one) for one in sorted(set(addresses), key=len, reverse=True))
        who = "|".join(r"\s+".join(map(re.escape, one.split())) for one in sorted(told, key=len, reverse=True))
        self._address = rf"(?<![\w.+-])(?:{where})(?![\w-]|\.\w)" if where else None
        # letters of other scripts stand close together: there a name has no end that could be seen
        self._name = rf"(?<![A-Za-z0-9_/.@+-])(?:{who})(?![A-Za-z0-9_@-])" if who else None

    def over(self, value: str | bytes, *, names: bool) -> str | bytes:
        """The value with the pseudonym in it; without ``names`` for addresses alone."""
        for pattern, flags in ((self._address, re.IGNORECASE), (self._name if names else None, 0)):
            if pattern is None:
                continue
            if isinstance(value, bytes):
                value = re.sub(pattern.encode(), self.pseudonym.encode(), value, flags=flags)
            else:
                value = re.sub(pattern, self.pseudonym, value, flags=flags)
        return value

    def text(self, value: str) -> str:
        """A text with the pseudonym in it."""
        found = self.over(value, names=True)
        assert isinstance(found, str)
        return found


def _is_a_name(name: str, not_names: Collection[str]) -> bool:
    folded = name.casefold()
    if not _SHORTEST <= len(name) <= _LONGEST or "@" in name or folded in not_names or folded in _OURS:
        return False
    # codes and words of ours are in small letters: a name that looks like one is not told from it
    return " " in name or not (name.isnumeric() or (name.isascii() and name == name.lower()))


def veiled_mail(incoming: Incoming, text: str, veil: Veil, domain: str) -> bytes:
    """A mail as it is kept of somebody who is forgotten: the words ``text`` under a head that says nothing of them. When it
    was written and which mails of ours (at ``domain``) it answers stay, since its reading may hang on that."""
    ours = [one for one in incoming.references if one.rstrip(">").endswith(f"@{domain}")]
    head = [f"From: {veil.pseudonym}"]
    if incoming.date is not None:
        head.append(f"Date: {format_datetime(incoming.date)}")
    if incoming.subject:
        head.append(f"Subject: {clean(veil.text(incoming.subject), _SUBJECT)}")
    if incoming.in_reply_to is not None and incoming.in_reply_to.rstrip(">").endswith(f"@{domain}"):
        head.append(f"In-Reply-To: {incoming.in_reply_to}")
    if ours:
        head.append(f"References: {' '.join(ours)}")
    head += [
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        veil.text(text).replace("\r\n", "\n").replace("\n", "\r\n"),
    ]
    return ("\r\n".join(head) + "\r\n").encode("utf-8", "replace")
