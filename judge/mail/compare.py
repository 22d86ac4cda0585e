"""The two forms of one mail, text and HTML, put together: where they agree all is well, where they differ one asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from judge.mail.commands import parse as parse_command
from judge.mail.sentmail import line_key, order_like
from judge.mail.verdicts import Verdict
from judge.mail.wordings import STUB

_DECORATION = re.compile(r"[*_|•·~`#]|(?<!\w)(?:https?://|mailto:)\S+|\A(?:[-–—+]|\d{1,2}[.)])(?=[^\d])")
_ARROWS = re.compile(r"[-=]*[>→➔➜⇒➝]|à")


@lru_cache(maxsize=8192)
def _key(text: str) -> str:
    """What of a line is compared between the forms: no list marks, no bold marks, one form of arrow."""
    return _DECORATION.sub("", _ARROWS.sub("-", line_key(_DECORATION.sub("", text.strip()))))


def merge(plain: Sequence[Verdict], html: Sequence[Verdict]) -> tuple[list[Verdict], list[str]]:
    """The verdicts to go by, and the orders (by their look) and commands that only one form has.

    The text form is the base, as it has no styles to hide in. What the HTML form shows as quoted is quoted in both;
    what one form has and the other has not at all is taken out and returned, to be asked about.
    """
    kept_plain = [v for v in plain if v.kept and _key(v.text)]
    kept_html = [v for v in html if v.kept and _key(v.text)]
    if not kept_plain or (_is_stub(kept_plain) and kept_html):
        return list(html), []
    if not kept_html:
        return _drop_quoted(list(plain), html, [_key(v.text) for v in kept_plain])
    whole_plain = "".join(_key(v.text) for v in kept_plain)
    whole_html = "".join(_key(v.text) for v in kept_html)
    if whole_plain == whole_html:
        return list(plain), []
    left = Counter(_key(v.text) for v in kept_html)
    only_plain = []
    for verdict in kept_plain:
        key = _key(verdict.text)
        if left[key] > 0:
            left[key] -= 1
        elif len(key) < 20 or key not in whole_html:  # a long line that is only wrapped otherwise is the same
            only_plain.append(key)
    only_html = [
        v.text for v in kept_html if left[_key(v.text)] > 0 and not (len(_key(v.text)) >= 20 and _key(v.text) in whole_plain)
    ]
    merged, differing = _drop_quoted(list(plain), html, only_plain)
    dropped_plain = "".join(_key(v.text) for v in plain if not v.kept)
    differing += [text for text in only_html if _does_something(text) and _key(text) not in dropped_plain]
    return merged, differing


def _does_something(text: str) -> bool:
    """Whether a line is an order by its look, or a command."""
    return order_like(text) or parse_command(text) is not None


def _is_stub(kept: Sequence[Verdict]) -> bool:
    text = " ".join(v.text for v in kept)
    return len(text) < 600 and STUB.search(text) is not None and not any(order_like(v.text) for v in kept)


def _drop_quoted(plain: list[Verdict], html: Sequence[Verdict], keys: Sequence[str]) -> tuple[list[Verdict], list[str]]:
    """``plain`` without the lines of ``keys`` that the HTML shows as quoted, or does not show (if it does anything)."""
    dropped_html = [(v, _key(v.text)) for v in html if not v.kept]
    whole_dropped = "".join(key for _, key in dropped_html)
    differing: list[str] = []
    todo = Counter(keys)
    # from below, as quotes stand below what was typed: of two equal lines the upper one is the player's
    for n in range(len(plain) - 1, -1, -1):
        verdict = plain[n]
        key = _key(verdict.text)
        if not verdict.kept or not key or todo[key] <= 0:
            continue
        todo[key] -= 1
        if key in whole_dropped:
            sure = any(v.sure and key in k for v, k in dropped_html) or not _does_something(verdict.text)
            plain[n] = Verdict(verdict.text, False, "other-part", sure=sure)
        elif _does_something(verdict.text):
            plain[n] = Verdict(verdict.text, False, "other-part")
            differing.insert(0, verdict.text)
    return plain, differing
