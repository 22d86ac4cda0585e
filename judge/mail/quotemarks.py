"""The marks that mail programs set before quoted lines: ``>`` everywhere, bars and initials (``SJ>``) in a few."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.sentmail import SentMails
from judge.mail.verdicts import OwnNames
from judge.mail.wordings import says_wrote

_QUOTED = re.compile(r"[ \t\xa0\u3000]{0,8}(?:[>＞》]|&gt;)")
#: marks of rare programs, which people use as well
_ODD_QUOTED = re.compile(r"[ \t]{0,4}([|｜:}#%])(?:\s|\Z)")
#: a short name before the mark: Supercite, TRN, The Bat!, Becky!
_NAMED = re.compile(r"[ \t]{0,4}([^\W\d_][\w.-]{0,15}[>＞|])")
#: so many lines must carry the same name
_LEAST_NAMED = 3
#: what our mails set before the orders they hold, in every language that they are written in
_HELD = r"\[[^\W\d_]{1,12}\]|held(?=\s)|受付済|已收到"
_MARKS = re.compile(rf"\A(?:[ \t]{{0,4}}[^\W\d_][\w.-]{{0,15}}[>＞|](?!\w))?(?:[\s>＞》|:}}#%]|&gt;)*(?:(?:{_HELD})\s*)?")


def quoted_lines(texts: Sequence[str]) -> list[bool]:
    """Which lines carry the mark that everybody knows."""
    return [bool(_QUOTED.match(text)) for text in texts]


def bare(text: str) -> str:
    """A line of a quote without its marks and without ours (``> [held]  A Paris - Burgundy``)."""
    return _MARKS.sub("", text, count=1)


def take_names_off(texts: list[str], own: OwnNames, sent: SentMails | None, quoted: list[bool]) -> None:
    """Where lines are quoted with a name before the mark, note that they are, and leave the words alone in ``texts``.

    A player may write ``Note>``: it is a quote where a head stands above the first such line, or our own words behind two.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    for n, text in enumerate(texts):
        mark = _NAMED.match(text)
        if mark is not None:
            found.setdefault(mark[1], []).append((n, mark.end()))
    for places in found.values():
        if len(places) < _LEAST_NAMED:
            continue
        ours = sent is not None and sum(sent.holds(texts[n][end:]) for n, end in places[:40]) >= 2
        if ours or _headed(texts, places[0][0], own):
            for n, end in places:
                texts[n], quoted[n] = texts[n][end:], True


def add_odd_marks(texts: Sequence[str], ours: Sequence[bool], own: OwnNames, quoted: list[bool]) -> None:
    """Bars, colons and the like are quote marks where our own words stand behind them, or a head above them."""
    n = 0
    while n < len(texts):
        mark = _ODD_QUOTED.match(texts[n])
        end = n + 1
        if mark is not None:
            while end < len(texts) and (more := _ODD_QUOTED.match(texts[end])) is not None and more[1] == mark[1]:
                end += 1
            if sum(ours[n:end]) >= 2 or (end - n >= 3 and _headed(texts, n, own)):
                quoted[n:end] = [True] * (end - n)
        n = end


def _headed(texts: Sequence[str], n: int, own: OwnNames) -> bool:
    above = next((text for text in reversed(texts[max(0, n - 3) : n]) if text.strip()), "")
    return says_wrote(above) or own.has_address(above)
