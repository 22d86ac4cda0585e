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
    r"(?:my |the |an? |this (?:is|was) )?(?:"
    r"if|unless|only if|or|maybe|perhaps|cancel\w*|withdrawn|held|void|ignore|draft|tbd|optional|possibly|whether|"
    r"in case|not (?:sure|yet|final|certain|decided|this|if|really)|no\W*\Z|not\W*\Z|when|once|until|except|"
    r"instead of|provided|depending|conditional|alternativ\w*|either|bounced|bounces?\W*\Z|failed|fails|succeeded|"
    r"succeeds|cut\W*\Z|dislodged|do(?: not|n'?t) (?:do|use|move|process|order|count)|old|previous|earlier|last|next|"
    r"tentativ\w*|provisional\w*|preliminary|vorläufig\w*|provisoire\w*|provvisori\w*|backup|"
    r"scratch|strike|forget|never ?mind|nope|just kidding|jk\b|kidding|undo|retract\w*|oops|drop(?:ped)?\W*\Z|"
    r"vergiss|doch nicht|storniert|gestrichen|oublie\w*|olvida\w*|dimentica\w*|cancel+a\w*|算了|忘|忽略|やっぱり|なし|"
    r"later|deleted?|no longer|wrong|should|wenn|falls|oder|vielleicht|nicht (?:sicher|final)|außer|si|sauf|ou|"
    r"peut-être|annul\w*|o|quizá\w*|tal vez|salvo|a menos que|se|forse|oppure|または|か|取り消し|中止|未定|仮|或|"
    r"不要|暂定|暫定|也許|作廢"
    r")(?:\b|(?=[^\x00-\x7f])|\Z)",
    re.I,
)

#: The same in languages that put such words at the end or in the middle.
_DOUBT_ANYWHERE = re.compile(
    r"なければ|れば|なら|たら\b|場合|もし|失敗|成功|前回|次回|来期|予定(?!通|どおり|とおり)|\A案\Z|第.案|かも|検討|保留|取り?消"
    r"|\b(?:unless|only if|provided that|es sei denn|à moins|a menos|a meno)\b|\?"
    r"|如果|假如|若|除非|失败|成功|上回合|下回合|上一|下一|备选|備選|待定|可能|也许|取消|作废|要是|万一"
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
    behind = _takes_back(tidy.comment)
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


def _takes_back(comment: str) -> bool:
    return bool(comment) and bool(_DOUBT.match(comment) or _DOUBT_ANYWHERE.search(comment))


def _doubtful(tidy: Tidy, inside: tuple[Atom, ...], words: Words) -> bool:
    """Whether a comment takes back what it stands behind, or names another place without a word to say why."""
    if _takes_back(tidy.text[inside[0].start : inside[-1].end]):
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
