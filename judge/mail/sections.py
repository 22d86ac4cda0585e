"""Several things in one mail: orders of other games under ``GAME name``, and press between ``PRESS TO ...`` and ``END``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

_GAME = re.compile(
    r"\W{0,3}(?:game|partie|spiel|partida|partita|ゲーム|对局|對局|游戏|遊戲)\s*[:：#]?\s*\[?(?P<name>[a-z0-9][a-z0-9-]{0,19})\]?\s*[:：.]?\s*\Z",
    re.IGNORECASE,
)
_SIGNON = re.compile(r"\W{0,3}signon\s+[a-z]?(?P<name>[a-z0-9][a-z0-9-]{0,19})\b.{0,60}\Z", re.IGNORECASE)
_TAG = re.compile(r"\s{0,3}\[(?P<name>[a-z0-9][a-z0-9-]{0,19})\]\s*:?\s*\Z", re.IGNORECASE)
_KIND = r"white|signed|gr[ea]y|anonymous"
_PRESS = re.compile(
    rf"\W{{0,3}}(?:(?P<kind>{_KIND})\s+)?(?P<verb>press|message|broadcast)(?:\s+(?P<kind2>{_KIND})\b)?"
    r"(?:\s+to\b|\s*:|\s*\Z)\s*(?P<to>[^:]{0,100}?)\s*:?\s*\Z",
    re.IGNORECASE,
)
#: with the first of its words on the same line
_PRESS_LINE = re.compile(
    rf"\W{{0,3}}(?:(?P<kind>{_KIND})\s+)?(?P<verb>press)(?:\s+(?P<kind2>{_KIND}))?"
    r"\s+to\s+(?P<to>[^:：]{1,100}?)\s*[:：]\s*(?P<first>\S.*)\Z",
    re.IGNORECASE,
)
_PRESS_CJK = re.compile(
    r"\s{0,3}(?P<kind>匿名)?[のな的]?(?P<verb>外交文書|プレス|新闻|新聞|外交信函|外交信|外交通信|外交通訊|外交)(?P<kind2>(?!))?"
    # a sentence about press begins with the same word: the name stands apart, or behind a word for "to"
    r"(?:(?:\s+|\s*[:：]\s*|(?=[致给給发發写寫]))(?P<to>[^\s。．！？!?][^。．！？!?]{0,60}?))?\s*[:：]?\s*\Z"
)
_BROADCAST_CJK = re.compile(
    r"\s{0,3}(?P<kind>匿名)?[のな的]?(?P<verb>全体プレス|全体宛て?|全体への外交文書|公开信|公開信|广播|廣播)(?P<kind2>(?!))?(?P<to>)"
    r"\s*[:：]?\s*\Z"
)
_END = re.compile(
    r"\W{0,3}(?:end|end\s*press|endpress|end\s+(?:of\s+)?(?:press|message)|endbroadcast|以上|プレス終わり|结束|結束)\W{0,3}\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Press:
    """A message to other players. ``ended``: it was closed by ``END``; without, it runs to the end of the mail.

    ``to``: the recipients as written; ``broadcast``: all the others. ``kind``: ``white`` (signed) or ``grey`` (without the
    sender's name), if the heading says so.
    """

    to: str
    text: str
    ended: bool = True
    kind: Literal["", "white", "grey"] = ""
    broadcast: bool = False


@dataclass(slots=True)
class Sections:
    """The player's lines sorted: those of this game, those of others, and press. ``unclosed``: lines in open press."""

    lines: list[str] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    press: list[Press] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)


def split(lines: Sequence[str], games: Sequence[str]) -> Sections:
    """Sort a player's lines.

    :param games: the names of the game (or games) that the mail was addressed to. Empty: every game's lines are taken.
    """
    own = {name.lower() for name in games}
    found = Sections()
    target = found.lines
    ends = [n for n, line in enumerate(lines) if _END.match(line)]
    i = 0
    while i < len(lines):
        line = lines[i]
        head = _GAME.match(line) or _SIGNON.match(line) or _TAG.match(line)
        press = heading(line)
        if head is not None and len(line) < 100:
            name = head["name"].lower()
            target = found.lines if not own or name in own else found.others.setdefault(name, [])
        elif press is not None and (press.to or press.broadcast or (ends and ends[-1] > i)):
            end = next((n for n in ends if n > i), None)
            i = _take_press(lines, i, end, press, found)
        else:
            target.append(line)
        i += 1
    return found


def heading(line: str) -> Press | None:
    """The press that begins with ``line``, with those words of it that stand there; ``None``: it is no heading of press."""
    found = _PRESS.match(line) or _BROADCAST_CJK.match(line) or _PRESS_CJK.match(line) if len(line) < 140 else None
    found = found or _PRESS_LINE.match(line)
    if found is None:
        return None
    word = (found["kind"] or found["kind2"] or "").lower()
    kind: Literal["", "white", "grey"] = "" if not word else "white" if word in ("white", "signed") else "grey"
    verb = found["verb"].lower()
    broadcast = verb == "broadcast" or _BROADCAST_CJK.match(line) is not None
    first = found.groupdict().get("first") or ""
    return Press((found["to"] or "").strip(), first, kind=kind, broadcast=broadcast)


def _take_press(lines: Sequence[str], i: int, end: int | None, head: Press, found: Sections) -> int:
    """Take the press that begins at line ``i`` and is closed at ``end``; the index of its last line."""
    text = [*([head.text] if head.text else []), *lines[i + 1 : end]]
    found.press.append(replace(head, text="\n".join(text).strip("\n"), ended=end is not None))
    if end is None:
        # nobody can say where it stops: an order in it is asked about, not taken
        found.unclosed += [line for line in text if line.strip()]
        return len(lines)
    return end
