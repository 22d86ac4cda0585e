"""The names of our own mails: a Message-ID tells game, phase and attempt, and so does any answer that refers to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.mail.addresses import domain_key

#: longest Message-ID that is copied into a mail of ours (a header line ends at 998 octets)
ID_LIMIT = 250
#: References of one mail: more are cut out of the middle, the first and the newest stay (RFC 5537, 3.4.4)
REFERENCES_LIMIT = 12

_OURS = re.compile(
    r"(?P<game>[a-z0-9-]{1,20})\.(?P<phase>[SFW]\d{1,5}[MRA]|-)\.(?P<attempt>\d{1,4})\.(?P<event>[a-z][a-z0-9-]{0,30})"
    r"\.(?P<unique>[a-z0-9-]{1,64})@(?P<domain>[a-z0-9.-]{1,200})\Z",
    re.IGNORECASE,
)
_HALF = rf"[^<>\s@]{{1,{ID_LIMIT}}}"
_ID = re.compile(f"<({_HALF}@{_HALF})>")
_BARE_ID = re.compile(f"({_HALF}@{_HALF})\\Z")
_CODE = re.compile(r"(?<![A-Za-z0-9])([SFW]\d{4}[MRA])(?![A-Za-z0-9])")
_GAME = re.compile(r"\[([a-z0-9-]{1,20})\]", re.IGNORECASE)
#: a turn as a game with ``turn.notation = 01-S`` writes it
_SHORT = re.compile(r"(?<![A-Za-z0-9-])(\d\d)-([SFW])(?![A-Za-z0-9-])")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|2[01]\d\d)(?!\d)")
_SEASONS = {
    "S": re.compile(r"\bspring\b|春", re.IGNORECASE),
    "F": re.compile(r"\b(?:fall|autumn)\b|秋", re.IGNORECASE),
    "W": re.compile(r"\bwinter\b|冬", re.IGNORECASE),
}
_RETREATS = re.compile(r"retreat|退却|撤退", re.IGNORECASE)
_ADJUSTMENTS = re.compile(r"adjustment|調整|调整|調兵", re.IGNORECASE)


class MessageName(NamedTuple):
    """What a Message-ID of ours says. ``phase`` is empty for a mail outside any phase."""

    game: str
    phase: str
    attempt: int
    event: str
    unique: str


class Answered(NamedTuple):
    """Which of our mails is answered. ``phase`` is ``"F1903M"``, or ``"F1903"`` when only a subject line names it."""

    game: str
    phase: str
    attempt: int


def message_id(game: str, phase: str, attempt: int, event: str, unique: str, domain: str) -> str:
    """The Message-ID (with its brackets) of one mail: the same facts give the same id, so a second delivery is known.

    :param phase: the phase that an answer to the mail is meant for (``"S1901M"``), empty for none.
    :param attempt: how often the phase was begun again (roll-backs).
    :param unique: what sets recipient and occasion apart: ``Keys.digest(...)``, never an address or a token.
    :raises ValueError: a part that would not read back.
    """
    text = f"{game}.{phase or '-'}.{attempt}.{event}.{unique}@{domain_key(domain)}"
    if not _OURS.match(text):
        raise ValueError(f"{text!r} would not read back as a Message-ID of ours")
    return f"<{text}>"


def parse_message_id(text: str, domain: str | None = None) -> MessageName | None:
    """What ``<...>`` says, if it is one of ours (of ``domain``, if given)."""
    found = _OURS.match(text.strip().removeprefix("<").removesuffix(">"))
    if found is None or (domain is not None and found["domain"].lower() != domain_key(domain)):
        return None
    phase = "" if found["phase"] == "-" else found["phase"].upper()
    return MessageName(found["game"].lower(), phase, int(found["attempt"]), found["event"].lower(), found["unique"])


def ids_in(text: str, limit: int = 100) -> tuple[str, ...]:
    """The Message-IDs in a header's text, each with its brackets, in order, none twice."""
    found: dict[str, None] = {}
    for one in _ID.finditer(text[: limit * ID_LIMIT]):
        found.setdefault(f"<{one[1]}>")
        if len(found) >= limit:
            break
    if not found:
        # some programs leave the brackets out
        found = {f"<{word}>": None for word in text[:1000].split()[:1] if _BARE_ID.match(word)}
    return tuple(found)


def bounded_references(references: Sequence[str], in_reply_to: str | None = None) -> tuple[str, ...]:
    """A References chain for an answer: valid ids only, no repeats, the answered one last, the middle cut if it is long."""
    chain = [one for text in (*references, in_reply_to or "") for one in ids_in(text)]
    kept = [one for n, one in enumerate(chain) if one not in chain[n + 1 :] and len(one) <= ID_LIMIT]
    return tuple(kept if len(kept) <= REFERENCES_LIMIT else [kept[0], *kept[1 - REFERENCES_LIMIT :]])


def find_answered(
    in_reply_to: str | None, references: Sequence[str], subject: str, *, domain: str | None = None
) -> Answered | None:
    """Which mail of ours is answered: by In-Reply-To, else the newest of the References, else what the subject says.

    A mail of ours without a phase (a notice) says nothing; an older one in the chain does.
    """
    for text in (in_reply_to or "", *reversed(list(references))):
        for one in reversed(ids_in(text)):
            name = parse_message_id(one, domain)
            if name and name.phase:
                return Answered(name.game, name.phase, name.attempt)
    return _by_subject(subject)


def _by_subject(subject: str) -> Answered | None:
    """``Re: [spring42] Fall 1903: ...`` or ``... 03-F: ...``, in the languages that we write; a turn alone leaves the kind
    open."""
    text = subject[:300]
    game = _GAME.search(text)
    if game is None:
        return None
    code = _CODE.search(text)
    if code is not None:
        return Answered(game[1].lower(), code[1], 0)
    turn = _turn(text)
    if turn is None:
        return None
    season, year = turn
    if season == "W" or _ADJUSTMENTS.search(text):
        return Answered(game[1].lower(), f"W{year}A", 0)
    return Answered(game[1].lower(), f"{season}{year}{'R' if _RETREATS.search(text) else ''}", 0)


def _turn(text: str) -> tuple[str, str] | None:
    """``("F", "1903")``: the first ``03-F`` (a subject may name two turns), else one year and season in words."""
    short = _SHORT.search(text)
    if short is not None:
        return short[2], f"19{short[1]}"
    year = _YEAR.search(text)
    seasons = [letter for letter, words in _SEASONS.items() if words.search(text)]
    return (seasons[0], year[1]) if year is not None and len(seasons) == 1 else None
