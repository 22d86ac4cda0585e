"""YES and NO: what a player answers to the question whether a mail is theirs. Only as a whole line, never in a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

#: spellings, compared without case: in the languages that the judge writes, and in some more
YES = frozenset({
    "yes", "y", "ok", "okay", "confirm", "confirmed", "i confirm", "yes it is", "yes, it is mine", "it is mine",
    "はい", "ハイ", "確認", "確認します", "確認しました", "承認", "イエス",
    "是", "是的", "对", "對", "确认", "確認無誤", "好", "好的", "是我", "是我的",
    "ja", "oui", "si", "sí", "sì",
})  # fmt: skip
NO = frozenset({
    "no", "n", "no, it is not mine", "it is not mine", "not mine", "nope",
    "いいえ", "いや", "違います", "違う", "ノー",
    "否", "不", "不是", "不是我", "不是我的", "nein", "non",
})  # fmt: skip
_LINE = re.compile(r"(?P<word>[^\d#]{1,40}?)\s*(?P<numbers>(?:[#\s,、，]*\d{1,6}(?!\d))*)\s*\Z")
_ENDS = re.compile(r"\A[\s>*_\-–—•・「『\"'“‘]+|[\s*_.!。！，,\"'”’」』]+\Z")


@dataclass(frozen=True, slots=True)
class Confirmation:
    """One line: yes or no, to which held mails (none: to those that the answered question names)."""

    yes: bool
    numbers: tuple[int, ...] = ()


def parse(line: str) -> Confirmation | None:
    """What a whole line answers, or ``None``."""
    if len(line) > 100:
        return None
    folded = _ENDS.sub("", unicodedata.normalize("NFKC", line)).casefold()
    found = _LINE.match(folded)
    if found is None:
        return None
    word = " ".join(_ENDS.sub("", found["word"]).split())
    if word not in YES and word not in NO:
        return None
    return Confirmation(word in YES, tuple(dict.fromkeys(map(int, re.findall(r"\d+", found["numbers"])))))


def find(lines: Sequence[str]) -> tuple[list[Confirmation], list[str]]:
    """The answers among ``lines``, in order, and the lines that are none."""
    answers, rest = [], []
    for line in lines:
        answer = parse(line)
        if answer is None:
            rest.append(line)
        else:
            answers.append(answer)
    return answers, rest
