"""Comments: what stands in brackets or behind ``//`` and ``#``, unless it is a piece of the order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations

from judge.notation.lexicon import Edge
from judge.notation.text import Atom, Tidy

#: A comment that begins so takes the order back or makes it depend on something.
_DOUBT = re.compile(
    r"\W*(?:but |and |aber |mais |pero |ma |only |nur |seulement |solo |und |et |e |y )?"
    r"(?:if|unless|only if|or|maybe|perhaps|cancel\w*|withdrawn|held|void|ignore|draft|tbd|optional|possibly|whether|"
    r"in case|not (?:sure|yet|final|certain|decided|this|if|really)|no\W*\Z|not\W*\Z|when|once|until|except|provided|"
    r"instead of|depending|conditional|alternativ\w*|either|bounced|failed|fails|succeeded|succeeds|cut|dislodged|"
    r"wenn|falls|oder|vielleicht|nicht (?:sicher|final)|außer|si|sauf|ou|peut-être|annul\w*|o|quizá\w*|tal vez|salvo|"
    r"a menos que|se|forse|oppure|なら|もし|または|か|取消|取り消し|中止|保留|未定|仮|如果|若|除非|或|不要|取消|"
    r"暂定|暫定|也许|也許|可能|作废|作廢)"
    r"(?:\b|(?=[^\x00-\x7f])|\Z)",
    re.I,
)

#: Lines with more brackets are read as they stand.
_MOST_BRACKETS = 5
_BARE = ("PLACE", "ARROW", "COMMA", "SLASH", "DET", "AND", "COAST")

Words = Callable[[Sequence[Atom]], list[list[Edge]]]


def versions(tidy: Tidy, whole: tuple[Atom, ...], words: Words) -> list[tuple[tuple[Atom, ...], bool]]:
    """The line with all that its brackets hold, then without some of it, the most first.

    A bracket is a comment if the line is no order with it. Second of each: whether what was left out casts doubt on the
    order. ``words`` finds the words of a piece.
    """
    groups = sorted({atom.group for atom in whole if atom.group})
    behind = bool(tidy.comment and _DOUBT.match(tidy.comment))
    found = [(whole, behind)]
    if not 0 < len(groups) <= _MOST_BRACKETS:
        return found
    doubt = {group: _doubtful(tidy, tuple(a for a in whole if a.group == group), words) for group in groups}
    for count in range(1, len(groups) + 1):
        for dropped in combinations(groups, count):
            kept = tuple(atom for atom in whole if atom.group not in dropped)
            if kept:
                found.append((kept, behind or any(doubt[group] for group in dropped)))
    return found


def _doubtful(tidy: Tidy, inside: tuple[Atom, ...], words: Words) -> bool:
    """Whether a comment takes back what it stands behind, or names another place without a word to say why."""
    if _DOUBT.match(tidy.text[inside[0].start : inside[-1].end]):
        return True
    found = words(inside)
    kinds: set[str] = set()
    at = 0
    while at < len(inside):
        ends = [edge.end for edge in found[at] if edge.kind in _BARE]
        if not ends:
            return False
        kinds |= {edge.kind for edge in found[at]}
        at = max(ends)
    return bool(kinds & {"PLACE", "COAST"})
