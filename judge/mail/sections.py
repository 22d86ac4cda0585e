"""Several things in one mail: orders of other games under ``GAME name``, and press between ``PRESS TO ...`` and ``END``.

The heading of press may be the mail's subject: its text is then the mail's, up to ``END``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from judge.mail.oldstyle import OldHand

_GAME = re.compile(
    r"\W{0,3}(?:(?:game|partie|spiel|partida|partita)(?=[\s:：#\[])|ゲーム|对局|對局|游戏|遊戲)\s*[:：#]?\s*\[?(?P<name>[a-z0-9][a-z0-9-]{0,19})\]?\s*[:：.]?\s*\Z",
    re.IGNORECASE,
)
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
    r" to (?P<to>\S.{0,100})\Z",
    re.IGNORECASE,
)
_COLON = re.compile(r"[:：]")
#: characters of a line in which the colon behind the recipients is looked for
_HEAD = 200
_PRESS_CJK = re.compile(
    r"\s{0,3}(?P<kind>匿名)?[のな的]?(?P<verb>外交文書|プレス|伝言|メッセージ|新闻|新聞|外交信函|外交信|外交通信|外交通訊|外交)(?P<kind2>(?!))?"
    # a sentence about press begins with the same word: the name stands apart, or behind a word for "to"
    r"(?:(?:\s+|\s*[:：]\s*|(?=[致给給发發写寫]))(?P<to>[^\s。．！？!?][^。．！？!?]{0,60}?))?\s*[:：]?\s*\Z"
)
#: in Japanese the recipients stand first: ドイツへの伝言
_PRESS_JA = re.compile(
    r"\s{0,3}(?P<kind>匿名で?)?(?P<kind2>(?!))?(?P<to>[^\s。．！？!?を]{1,40}?)(?:へ|に|宛て?)の?(?P<verb>外交文書|プレス|伝言|メッセージ)"
    r"\s*[:：]?\s*\Z"
)
_BROADCAST_CJK = re.compile(
    r"\s{0,3}(?P<kind>匿名)?[のな的]?(?P<verb>全体プレス|全体への?伝言|全体メッセージ|全体宛て?|全体への外交文書|公开信|公開信|广播|廣播)(?P<kind2>(?!))?(?P<to>)"
    r"\s*[:：]?\s*\Z"
)
#: what makes a subject a heading, and no title ("Press: my view of things"): it says to whom
_SAYS_TO = re.compile(
    rf"\W{{0,3}}(?:(?:{_KIND})\s+)?(?:(?:press|message)(?:\s+(?:{_KIND}))?\s+to\s|broadcast\b|\S*[^\x00-\u2fff])",
    re.IGNORECASE,
)
_END = re.compile(
    r"\W{0,3}(?:end|end\s*press|endpress|end\s+(?:of\s+)?(?:press|message)|endbroadcast|以上|終わり|おわり|プレス終わり|伝言終わり|メッセージ終わり|结束|結束)\W{0,3}\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Press:
    """A message to other players. ``ended``: it was closed by ``END``; without, it runs to the end of the mail.

    ``to``: the recipients as written; ``broadcast``: all the others. ``kind``: ``white`` (signed) or ``grey`` (without the
    sender's name), if the heading says so. ``game``: the other game in whose section it stands, and whose it is.
    """

    to: str
    text: str
    ended: bool = True
    kind: Literal["", "white", "grey"] = ""
    broadcast: bool = False
    game: str = ""


@dataclass(slots=True)
class Sections:
    """The player's lines sorted: those of this game, those of others, and press. ``unclosed``: lines in open press."""

    lines: list[str] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    press: list[Press] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)


def split(lines: Sequence[str], games: Sequence[str], hand: OldHand | None = None) -> Sections:
    """Sort a player's lines.

    :param games: the names of the game (or games) that the mail was addressed to. Empty: every game's lines are taken.
    :param hand: puts old commands into ours, and notes what there is to teach.
    """
    hand = OldHand(games) if hand is None else hand
    own = {name.lower() for name in games}
    found = Sections()
    target, elsewhere = found.lines, ""
    ends = [n for n, line in enumerate(lines) if _END.match(line)]
    i = 0
    while i < len(lines):
        line = lines[i]
        head = _GAME.match(line) or _TAG.match(line)
        press = heading(line)
        signs_on = hand.signs_on(line)
        passed = hand.passes_over(lines, i) if line.strip() else None
        if signs_on is not None:
            elsewhere, target = "", [] if hand.refused else found.lines
            target += signs_on
        elif head is not None and len(line) < 100:
            name = head["name"].lower()
            hand.refused = False
            elsewhere = "" if not own or name in own else name
            target = found.others.setdefault(name, []) if elsewhere else found.lines
        elif passed is not None:
            behind, closed = passed
            if not (closed or hand.refused or elsewhere):
                found.unclosed += [one for one in lines[i + 1 : behind] if one.strip()]
            i = behind - 1
        elif press is not None and (press.to or press.broadcast or (ends and ends[-1] > i)):
            end = next((n for n in ends if n > i), None)
            press = replace(press, to=hand.recipients(press.to, "" if end is None else lines[end]))
            i = _take_press(lines, i, end, press, Sections() if hand.refused else found, elsewhere)
        else:
            target += hand.says(line)
        i += 1
    target += hand.rest()
    return found


def heading(line: str) -> Press | None:
    """The press that begins with ``line``, with those words of it that stand there; ``None``: it is no heading of press."""
    # blanks are folded first: the patterns would try every way of sharing out a long run of them
    short = " ".join(line.split()) if len(line) < 140 else ""
    found = (
        _PRESS.match(short) or _BROADCAST_CJK.match(short) or _PRESS_CJK.match(short) or _PRESS_JA.match(short)
        if short
        else None
    )
    first = ""
    if found is None:
        colon = _COLON.search(line[:_HEAD])
        found = colon and _PRESS_LINE.match(" ".join(line[: colon.start()].split()))
        first = line[colon.end() :].strip() if colon and found else ""
        found = found if first else None
    if found is None:
        return None
    word = (found["kind"] or found["kind2"] or "").lower()
    kind: Literal["", "white", "grey"] = "" if not word else "white" if word in ("white", "signed") else "grey"
    verb = found["verb"].lower()
    broadcast = verb == "broadcast" or found.re is _BROADCAST_CJK
    return Press((found["to"] or "").strip(), first, kind=kind, broadcast=broadcast)


def heads(subject: str, lines: Sequence[str]) -> bool:
    """Whether a subject is the heading of press whose text is the mail's: it says to whom, and no heading of the text's own
    comes before its END."""
    head = heading(subject)
    if head is None or not (head.to or head.broadcast) or not _SAYS_TO.match(subject):
        return False
    for line in lines:
        if _END.match(line):
            return True
        own = heading(line)
        if own is not None and (own.to or own.broadcast):
            return False
    return True


def _take_press(lines: Sequence[str], i: int, end: int | None, head: Press, found: Sections, elsewhere: str) -> int:
    """Take the press that begins at line ``i`` and is closed at ``end``, in the section of the game ``elsewhere`` if it
    stands in one; the index of its last line."""
    text = [*([head.text] if head.text else []), *lines[i + 1 : end]]
    press = replace(head, text="\n".join(text).strip("\n"), ended=end is not None, game=elsewhere)
    found.press.append(press)
    if end is None:
        # nobody can say where it stops: an order in it is asked about, not taken
        if not elsewhere:
            found.unclosed += [line for line in text if line.strip()]
        return len(lines)
    return end
