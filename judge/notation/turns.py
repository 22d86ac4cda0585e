"""Which phase a heading names, and which of two phases comes first."""

from __future__ import annotations

import re
import unicodedata

from judge.notation.clauses import Head
from judge.notation.lines import heading_of
from judge.notation.reading import Context
from judge.rules.position import Phase

_SEASONS = "SFW"
#: ``F1901R``: the letter behind the year says what the turn's phase is
_LETTER = re.compile(r"(?<![a-z0-9])[sfw]\s?(?:\d{4}|\d{2})([mra])(?![a-z0-9])")
_RETREATS = re.compile(r"retreat|retrait|rückz|retirad|ritirat|撤退|退却|敗走")
_ADJUSTMENTS = re.compile(
    r"build|adjust|remov|aufbau|ajust|construc|costruz|増設|増減|増強|建設|調整|调整|建造|生产|生產|增建|增减|增減"
)
#: what a turn with its year cannot do without
TURN_LIKE = re.compile(r"\d{4}|[sfwSFW]\s?\d{2}|\d{2}\s?-\s?[sfwSFW]|\d{2}\s?[年春秋冬夏]|[０-９]{2}")
#: a turn before its order on one line: as many words of it at most
_WORDS_OF_A_TURN = 3


def _plain(line: str) -> str:
    return unicodedata.normalize("NFKC", line[:200]).casefold()


def order_of(phase: Phase) -> tuple[int, int, int]:
    """A key by which phases sort in the order they are played."""
    return (phase.year, _SEASONS.index(phase.season), "MRA".index(phase.kind))


def phase_of(line: str, head: Head, after: Phase, *, onwards: bool) -> Phase | None:
    """The phase that a heading names. Without a year it is that of its season in the year of ``after``, or (``onwards``) the
    first one that does not come before ``after``'s turn. ``None``: the heading names no season."""
    if head.season is None:
        return None
    year = head.year
    if year is None:
        year = after.year + (onwards and _SEASONS.index(head.season) < _SEASONS.index(after.season))
    said = _plain(line)
    letter = _LETTER.search(said)
    if head.season == "W" or (letter and letter[1] == "a") or (head.season == "F" and _ADJUSTMENTS.search(said)):
        return Phase("W", year, "A")
    retreats = letter[1] == "r" if letter else bool(_RETREATS.search(said))
    return Phase(head.season, year, "R" if retreats else "M")  # type: ignore[arg-type]


def part_of_turn(line: str, turn: Phase) -> Phase | None:
    """The phase of ``turn``'s year that "Retreats:" or "Builds:" means below a heading of that turn; ``None``: the line
    names neither."""
    if _RETREATS.search(_plain(line)) and turn.season != "W":
        return Phase(turn.season, turn.year, "R")
    return Phase("W", turn.year, "A") if _ADJUSTMENTS.search(_plain(line)) else None


def turn_before(line: str, context: Context) -> tuple[str, Head, str] | None:
    """A turn with its year in front of something else on one line, as ``F1903M A PAR-BUR`` or ``Fall 1903: A Par-Bur``: the
    words of the turn, what they say, and the rest."""
    if len(line) > 400 or not TURN_LIKE.search(line[:40]):
        return None
    found = re.match(r"([^:：]{2,40})[:：]\s*(\S.*)\Z", line.strip())
    pieces = [(found[1], found[2])] if found else []
    words = line.split(None, _WORDS_OF_A_TURN)
    pieces += [(" ".join(words[:n]), " ".join(words[n:])) for n in range(min(len(words) - 1, _WORDS_OF_A_TURN), 0, -1)]
    for turn, rest in pieces:
        head = heading_of(turn, context) if any(ch.isdigit() for ch in turn) else None
        if head is not None and head.season and head.year and heading_of(rest, context) is None:
            return turn, head, rest
    return None
