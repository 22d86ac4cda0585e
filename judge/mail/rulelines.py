"""House rules set by mail: lines such as ``SET victory.end.turn=F1908``, and the reason that goes with them.

Read generously, since a phone writes capitals, curly quotes and full-width signs by itself; but only what looks like a key
with a value is a setting, so that a greeting or a sentence never is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

#: Longest line that is looked at, in characters.
_LINE_LIMIT = 400
#: Longest reason that is kept, in characters.
WHY_LIMIT = 500

_SET = r"(?:please\s+)?(?:set|change|rule|設定|設定変更|ルール変更|设置|设定|設置|修改|改為|改为)"
_KEY = r"[a-z][a-z0-9_-]{0,30}(?:\.[a-z][a-z0-9_-]{0,30}){0,3}"
_SIGN = r"\s*(?:=|:|:=|->|→|＝)\s*|\s+(?:to\s+|is\s+)?"
#: ``SET key = value``, ``set key value``, ``SET key to value``
_COMMANDED = re.compile(rf"{_SET}[\s:]+(?P<key>{_KEY})(?:(?P<sign>{_SIGN})(?P<value>\S.*|))?\Z", re.IGNORECASE)
#: ``key = value`` alone
_BARE = re.compile(rf"(?P<key>{_KEY})\s*[=＝]\s*(?P<value>.*)\Z", re.IGNORECASE)
_WHY = re.compile(
    r"(?:why|reason|because|理由|原因)\s*[:：=]?\s+(?P<why>\S.*)\Z|(?:理由|原因)\s*[:：]\s*(?P<cjk>\S.*)\Z", re.IGNORECASE
)
_CAPITALS = re.compile(r"[A-Z]{3,}(?:\s|\Z)")
_VERB = re.compile(
    r"(?:start|process|adjudicate|extend|deadline|pause|resume|postpone|end|stop|abort|delete|replace|eject|kick|seat|promote"
    r"|undo|roll\s?back|draw|announce|broadcast|order|accept|締切|延長|開始|終了|交代|处理|處理|延期|暂停|暫停|开始|結束|结束"
    r")(?:\s+\S+){0,6}\Z",
    re.IGNORECASE,
)
_DECORATION = " \t>*•·-–—「」『』"
_QUOTES = "\"'“”‘’„«»「」『』`"


@dataclass(frozen=True, slots=True)
class Setting:
    """One house rule to set: the key in lower case, the value as typed (``""``: the empty one, ``KEY=`` with nothing after
    it, too; ``None``: none was, and no sign), and the line."""

    key: str
    value: str | None
    line: str


@dataclass(frozen=True, slots=True)
class RuleLines:
    """What the lines of a master's mail set. ``rest``: the lines that are neither a setting nor the reason."""

    settings: tuple[Setting, ...]
    why: str | None
    rest: tuple[str, ...]


def find_settings(lines: Sequence[str], known: Collection[str]) -> RuleLines:
    """The settings among a mail's own lines, and the reason in the writer's words. ``known``: the keys that there are; a
    word that is none of them is taken for a misspelt one only where a dot or an equals sign says that a key is meant."""
    settings: list[Setting] = []
    reasons: list[str] = []
    rest: list[str] = []
    for line in lines:
        text = _folded(line)
        why = _WHY.match(text)
        found = _COMMANDED.match(text) or _BARE.match(text)
        if found is not None and not ("." in found["key"] or "=" in text or found["key"].lower() in known):
            found = None
        if len(line) > _LINE_LIMIT or (why is None and found is None):
            rest.append(line)
        elif found is not None:
            value = _value(found["value"])
            if value is None and text.endswith("="):
                value = ""
            settings.append(Setting(found["key"].lower(), value, line.strip()))
        elif why is not None:
            reasons.append(why["why"] or why["cjk"])
    return RuleLines(tuple(settings), " ".join(reasons)[:WHY_LIMIT] or None, tuple(rest))


def is_setting(line: str, known: Collection[str]) -> bool:
    """Whether a line of somebody who is not the master sets a house rule: it names one of the ``known`` keys, or begins as
    a command that sets something."""
    found = find_settings([line], known).settings
    return any(one.key in known or _COMMANDED.match(_folded(line)) for one in found)


def looks_like_a_setting(line: str) -> bool:
    """Whether a line that is none was perhaps meant as one: it begins like a command, or has an equals sign."""
    text = _folded(line[:_LINE_LIMIT])
    return bool(re.match(rf"{_SET}(?![a-z])", text, re.IGNORECASE)) or "=" in text


def looks_like_a_command(line: str) -> bool:
    """Whether a line was perhaps meant as an order to the judge: its first word stands in capitals (``EXTEND 24h``), or it
    is short and begins with what a game master does."""
    text = _folded(line[:_LINE_LIMIT])
    return bool(_CAPITALS.match(text) or (len(text) <= 60 and _VERB.match(text)))


def _folded(line: str) -> str:
    """Full-width letters and signs made plain, list marks and blanks at the ends taken off."""
    return unicodedata.normalize("NFKC", line[: _LINE_LIMIT + 1]).strip(_DECORATION).replace("\u00a0", " ")


def _value(text: str | None) -> str | None:
    """A value without its quotes and the full stop of a sentence; ``""`` and the word "nothing" are the empty value."""
    if text is None or not text.strip():
        return None
    bare = text.strip().rstrip(".。;；,")
    stripped = bare.strip(_QUOTES).strip()
    if not stripped and bare:
        return ""
    return "" if stripped.lower() in ("nothing", "none at all", "empty") else stripped
