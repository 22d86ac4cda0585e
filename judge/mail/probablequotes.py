"""Quotes that show by their shape alone: nobody can be sure of them, so an order in one is asked about.

A bare "Original message", "X wrote:" without a date or address, a line that a program broke off a quoted one, lines behind a
mark that hardly any program sets; and, sure enough, the headers of a quoted mail in a language that is in no table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.sentmail import order_like
from judge.mail.verdicts import OwnNames
from judge.mail.wordings import BARE_SEPARATOR, has_moment, says_wrote

#: marks that set the direction of writing, which programs put around addresses
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: how GroupWise heads its quote: ``>>> name <address> date >>>``
GROUPWISE = re.compile(r"\s*>>>+\s?[^>\s].{0,150}\S\s?>>>\s*\Z")
_LABELLED = re.compile(r"[\s*_>]*[^\W\d_][^\d:：@<>]{0,30}?\s?[:：][*_]{0,2}(?:\s+(?P<value>\S.*)|\s*)\Z")
_FRAME = re.compile(r"\s*[-_=*—–─━]{2,}")
#: words of a line that says who wrote, and its length in characters
_MOST_WORDS, _LONGEST = 8, 90
#: columns that hardly any program wraps before
_WIDE = 70
_GOES_ON = re.compile(r"(?:,|[-–—]|\b(?:and|or|the|to|of|und|oder|et|ou|y|o|e|a))\s*\Z", re.IGNORECASE)
_ODD = re.compile(r"\s{0,4}([:}%])\s")


def header_shape(texts: Sequence[str], i: int, own: OwnNames) -> int:
    """How many lines from ``i`` are the headers of a quoted mail, in whatever language: three or more short labels with what
    they label, among the first two our address, or an address somewhere and a date."""
    values: list[str] = []
    for text in texts[i : i + 8]:
        found = _LABELLED.match(text[:300])
        if found is None:
            break
        values.append(found["value"] or "")
    if len(values) < 3:
        return 0
    ours = any(own.has_address(value) for value in values[:2])
    made = any("@" in value for value in values) and any(has_moment(value) for value in values)
    return len(values) if ours or made else 0


def perhaps_head(text: str, own: OwnNames) -> bool:
    """Whether a line may be the head of a quote, though it has neither our address nor a date."""
    if BARE_SEPARATOR.match(text):
        return True
    bare = text.rstrip("*_=-—–─━:： \xa0")
    tail = text[len(bare) :]
    # a sentence about what somebody wrote goes on behind the word
    if len(text) > _LONGEST or not (":" in tail or "：" in tail) or not says_wrote(" ".join(bare.split()[-2:])):
        return False
    framed = _FRAME.match(text) is not None and len(tail.strip()) > 2
    return (framed or own.is_named(text)) and len(re.findall(r"[^\W\d_]+", text)) <= _MOST_WORDS


def indented_below(texts: Sequence[str], i: int) -> bool:
    """Whether what stands below line ``i`` is set off by blanks before it."""
    below = next((text for text in texts[i + 1 : i + 4] if text.strip()), "")
    return below.startswith(("  ", "\t", "\u3000"))


def broken_off(texts: Sequence[str], quoted: Sequence[bool], ours: Sequence[bool], i: int) -> bool:
    """Whether line ``i`` may be the end of a quoted line that some program wrapped: it stands between quoted lines, and the
    one above is long, or unfinished, and none that we wrote so."""
    if not (0 < i < len(texts) - 1 and quoted[i - 1] and quoted[i + 1]) or ours[i - 1] or not texts[i].strip():
        return False
    return len(texts[i - 1].rstrip()) >= _WIDE or _GOES_ON.search(texts[i - 1]) is not None


def oddly_marked(texts: Sequence[str], quoted: Sequence[bool]) -> set[int]:
    """Lines behind a mark such as ``:`` where other orders stand without it."""
    found: dict[str, set[int]] = {}
    plain = False
    for n, text in enumerate(texts):
        mark = _ODD.match(text) if not quoted[n] else None
        if mark is not None:
            found.setdefault(mark[1], set()).add(n)
        else:
            plain = plain or (not quoted[n] and order_like(text))
    return {n for lines in found.values() if plain and len(lines) > 1 for n in lines}
