"""Finds stretches of text that the judge itself sent, however a mail program wrapped or re-marked them.

A line alone proves nothing: a player may type the very order that an old mail of ours holds. What is looked for is a
stretch in the order of one of our mails, anchored at a line that nobody would type (``Orders held for you now:``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

#: characters of sent mails that are compared with; the first ones given count
MAX_SENT = 150_000
#: characters (without blanks) from which on a line can anchor a stretch
ANCHOR = 12
#: places that are compared in one body: an honest quote needs one or two a line
MAX_TRIES = 4000
#: typed lines that may stand inside a quoted stretch
_GAP = 12
#: characters of a sent mail that may be missing at its end for it to count as quoted whole (its signature)
_TAIL = 160

#: characters at the beginning of a sent mail that may be missing for it to count as quoted whole
_LEAD = 40
#: lines in quotes that are looked at for changes; a quote has a few of the look of orders
_MOST_CHANGED = 60

#: characters of a line that are compared
_LINE = 2000
_BLANK = re.compile(r"\s+")
_DEPTH = re.compile(r"(?:[\s>＞》]|&gt;){1,40}")
_NO_LETTER = re.compile(r"[\W_]+")
#: quote marks, list marks: whatever punctuation a program sets before a line
_QUOTE_MARK = re.compile(r"\A(?:&gt;|[^\w\[(]|_)+")
_DASHES = re.compile(r"[‐-―−﹘﹣－]")
_UNIT = (
    "a|f|ar|fl|army|armies|fleet|armée|armee|flotte|armada|esercito|flotta|ejército|ejercito|flota|exército|frota"
    "|build|remove|waive|retreat|disband|hold|support|convoy"
)
_ORDER_LIKE = re.compile(
    # a unit or a verb first, after a list mark and a power's name at most
    rf"\W*(?:\[\w{{1,12}}\]\W*)?(?:(?:[^\W\d_]{{3,20}}|[1-9]\d?)\W{{1,3}})?(?:{_UNIT})(?![^\W\d_])"
    # two names with an arrow, a dash or a verb between them
    r"|.{0,24}[^\W\d_]{2,}+[.)]?\s*(?:[-–—=]*[>→➔⇒]|[-–—]|\s(?:to|s|c|nach|à|a|vers|hold|holds|h)\s)\s*(?:[^\W\d_]{2,}|\Z)"
    r"|.{0,24}[^\W\d_]{3,}+\s+(?:h|holds?|d|disbands?|b)\W*\Z"
    # a master's house rule: SET nmr=hold, victory.end.turn = F1908
    r"|\W*(?:set|設定|设置|設置|设定)\s+[a-z][\w.]*[\s=:]|\W*[a-z]+(?:[._][a-z]+)+\s*="
    r"|\W*[af](?=[\u3040-\u9fff])|.{0,16}(?:陸軍|海軍|艦隊|陆军|海军|舰队|軍|军|支援|輸送|運送|移動|移动|維持|維持|待機|防守|驻守)",
    re.IGNORECASE,
)
#: a longer line is a sentence, whatever stands in it
_ORDER_LENGTH = 90


def line_key(text: str) -> str:
    """What of a line is compared: no blanks, no marks before it, one form of every letter and dash."""
    return _QUOTE_MARK.sub("", _fold(text[:_LINE])).rstrip("*_")


def _fold(text: str) -> str:
    return _BLANK.sub("", _DASHES.sub("-", unicodedata.normalize("NFKC", text))).casefold()


def _letters(text: str) -> str:
    """What is left of a line, however a program sets it: tables become lines, bold becomes stars."""
    return _NO_LETTER.sub("", text)


def _depth(text: str) -> int:
    """How many quote marks stand before a line."""
    marks = _DEPTH.match(text)
    return 0 if marks is None else len(re.findall(r"[>＞》]|&gt;", marks[0]))


def _word_starts(line: str, length: int) -> list[int]:
    """Where the words of a line begin in its key of ``length`` characters, each after the punctuation before it."""
    words = [_fold(word) for word in line[:_LINE].split()]
    whole = "".join(words)
    lead = len(whole) - len(_QUOTE_MARK.sub("", whole))
    found, at = [], 0
    for word in words:
        start = at + len(word) - len(_QUOTE_MARK.sub("", word)) - lead
        if 0 <= start < length:
            found.append(start)
        at += len(word)
    return found


@lru_cache(maxsize=4096)
def order_like(text: str) -> bool:
    """Whether a line has the look of an order: such a line anchors nothing. Generous on purpose."""
    folded = unicodedata.normalize("NFKC", text[:200]).strip()
    return len(folded) <= _ORDER_LENGTH and _ORDER_LIKE.match(folded) is not None


@lru_cache(maxsize=512)
def _folded(text: str) -> tuple[str, bytes]:
    """A sent mail as it is compared, and for each character of that whether a word (1) or a line (2) begins there.

    Remembered: all mails of a player are looked for the same texts. A program wraps at any word, so stretches may begin
    at each.
    """
    parts: list[str] = []
    begins = bytearray()
    for line in text.splitlines():
        key = line_key(line)
        marks = bytearray(len(key))
        for offset in _word_starts(line, len(key)):
            marks[offset] = 1
        if key:
            marks[0] = 2
        parts.append(key)
        begins += marks
    return "".join(parts) + "\n", bytes(begins) + b"\0"


@dataclass(slots=True)
class Cover:
    """What of a body are words of ours.

    ``ours``: a flag a line. ``whole_end``: the index after the last line of a mail of ours that is quoted whole, or 0.
    ``answers``: lines that stand between the lines of a mail of ours of which nothing is missing, so that somebody must
    have put them there. ``changed``: lines with the look of orders that stand beside lines of a mail of ours and are not
    in that mail.
    """

    ours: list[bool]
    whole_end: int = 0
    answers: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A stretch of lines, the first and last of which are ours, and where it stands in the sent texts."""

    first: int
    last: int
    begin: int
    end: int


class SentMails:
    """The texts of mails that the judge sent in a game, ready to be looked for.

    :param texts: newest first; at most ``MAX_SENT`` characters are used.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._tries = 0
        self._bounds: list[tuple[int, int]] = []
        room = MAX_SENT
        wholes: list[str] = []
        starts: list[bytes] = []
        at = 0
        for text in texts:
            if room <= 0:
                break
            whole, begins = _folded(text[:room])
            wholes.append(whole)
            starts.append(begins)
            self._bounds.append((at, at + len(whole)))
            at += len(whole)
            room -= len(text)
        self._whole = "".join(wholes)
        #: a byte a character of ``_whole``: 1 where a word begins, 2 where a line does
        self._begins = b"".join(starts)

    def cover(self, lines: Sequence[str], marked: Sequence[bool]) -> Cover:
        """Which of ``lines`` are our own text.

        :param marked: lines that carry a quote mark anyway. A typed order between them is never taken for ours, though
            it may equal the next line of the quoted mail.
        """
        keys = [line_key(text) for text in lines]
        cover = Cover([False] * len(lines))
        claims: list[_Claim] = []
        self._tries = 0
        for i, key in enumerate(keys):
            if not cover.ours[i] and len(key) >= ANCHOR and not order_like(lines[i]):
                best = self._longest(keys, i)
                if best:
                    claim = self._claim(lines, keys, marked, cover.ours, i, best)
                    claims.append(claim)
                    start, stop = self._bound(claim.end)
                    if stop - claim.end <= min(_TAIL, (stop - start) // 4) and claim.begin - start <= _LEAD:
                        cover.whole_end = max(cover.whole_end, claim.last + 1)
                        cover.answers |= {n for n in range(claim.first, claim.last) if keys[n] and not cover.ours[n]}
        self._find_changed(lines, keys, claims, cover)
        return cover

    def _bound(self, at: int) -> tuple[int, int]:
        """Where the sent mail around ``at`` begins and ends."""
        return next((start, stop) for start, stop in self._bounds if start <= at <= stop)

    def _find_changed(self, lines: Sequence[str], keys: Sequence[str], claims: Sequence[_Claim], cover: Cover) -> None:
        """Below a line of ours, up to the next: what of it is not in our mail, however a program set it."""
        # of all mails of ours that stand here: they share lines, so a stretch may be taken for one of another
        mails = sorted({self._bound(claim.end) for claim in claims})
        words = "\n".join(_letters(self._whole[start:stop]) for start, stop in mails)
        looked = 0
        for n, claim in enumerate(claims):
            until = claims[n + 1].first if n + 1 < len(claims) else min(claim.last + 2, len(lines))
            for i in range(claim.first, min(until, claim.last + _GAP)):
                if cover.ours[i] or not keys[i] or looked >= _MOST_CHANGED or not order_like(lines[i]):
                    continue
                if _depth(lines[i]) > _depth(lines[claim.first]):
                    continue  # a mail quoted in ours: press, which is not kept with what we sent
                looked += 1
                if _letters(_fold(lines[i])) not in words:
                    cover.changed.add(i)

    def holds(self, text: str) -> bool:
        """Whether ``text``, of some length, stands anywhere in what we sent."""
        key = line_key(text)
        return len(key) >= ANCHOR and key in self._whole

    def _longest(self, keys: Sequence[str], i: int) -> int | None:
        """The position + 1 in the sent text where line ``i`` and most of the next lines stand."""
        best, best_length = None, 0
        for position in self._places(keys[i][:ANCHOR]):
            self._tries += 1
            if self._tries > MAX_TRIES:
                return None
            if not self._whole.startswith(keys[i], position):
                continue
            at, length = position + len(keys[i]), len(keys[i])
            for key in [k for k in keys[i + 1 : i + 12] if k][:6]:
                if self._whole.startswith(key, at):
                    at += len(key)
                    length += len(key)
            # a short line alone may be typed (``GAME spring42``): more of our mail must follow or go before it
            alone = length < 2 * ANCHOR and not self._goes_before(keys, i, position)
            if length > best_length and not alone:
                best, best_length = position + 1, length
        return best

    def _places(self, anchor: str) -> Iterator[int]:
        """Where ``anchor`` stands in the sent text from the beginning of a word on, 50 places at most."""
        position, left = -1, 50
        while left and self._tries <= MAX_TRIES:
            position = self._whole.find(anchor, position + 1)
            if position < 0:
                # a search through all of it costs as much as a comparison
                self._tries += 1
                return
            if self._begins[position]:
                left -= 1
                yield position

    def _behind_marks(self, at: int) -> int:
        """``at``, or behind the dashes and dots there: what a program wraps before them looks as if they were its marks."""
        lead = _QUOTE_MARK.match(self._whole[at : at + 4])
        return at if lead is None else at + lead.end()

    def _goes_before(self, keys: Sequence[str], i: int, position: int) -> bool:
        before = next((key for key in reversed(keys[:i]) if key), "")
        return bool(before) and self._whole[max(0, position - len(before)) : position] == before

    def _claim(
        self, lines: Sequence[str], keys: Sequence[str], marked: Sequence[bool], ours: list[bool], i: int, best: int
    ) -> _Claim:
        """Flag the stretch around line ``i``, and say where it is."""
        position = best - 1
        free = not marked[i]

        def may(n: int) -> bool:
            return marked[n] or free or not order_like(lines[n])

        ours[i] = True
        first, at, j = i, position, i - 1
        while j >= 0 and not ours[j]:
            if keys[j]:
                if not may(j) or at < len(keys[j]) or self._whole[at - len(keys[j]) : at] != keys[j]:
                    break
                at -= len(keys[j])
                ours[j] = True
                first = j
            j -= 1
        begin = at
        at, last, gap, j = position + len(keys[i]), i, 0, i + 1
        while j < len(lines) and gap <= _GAP:
            if keys[j] and not ours[j]:
                wrapped = gap == 0 and self._begins[at] != 2
                start = at if self._whole.startswith(keys[j], at) else self._behind_marks(at)
                if self._whole.startswith(keys[j], start) and (wrapped or may(j)):
                    at = start + len(keys[j])
                    ours[j] = True
                    last, gap = j, 0
                else:
                    gap += 1
            j += 1
        return _Claim(first, last, begin, at)
