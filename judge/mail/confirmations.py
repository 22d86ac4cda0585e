"""YES and NO: what a player answers to the question whether a mail is theirs: as a whole line, or, in a short mail that says
nothing else, as a sentence."""

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


#: a mail of so many words may be an answer in a sentence
_MOST_WORDS = 16
_MOST_LETTERS = 90
_SAYS_YES = re.compile(
    r"(?:yes|yep|yeah|sure|correct|right|indeed|ja|jawohl|genau|stimmt|oui|si|sí|sì|sim|да|是的|是|对|對)(?![^\W\d_])"
    r"|はい|ええ|そうです",
    re.IGNORECASE,
)
_SAYS_NO = re.compile(r"(?:no|nope|nein|non|não|nee|нет)(?![^\W\d_])|いいえ|いや|不是|没有|沒有|否", re.IGNORECASE)
#: that the writer wrote it
_MINE = re.compile(
    r"\b(?:(?:that|it|this)\s+(?:really\s+|indeed\s+)?(?:was|is|were)\s+(?:really\s+|indeed\s+)?(?:me|i|mine|from\s+me)"
    r"|(?:that|it)['’]?s\s+(?:me|mine|from\s+me)|(?:mail|message|it|that)\s+(?:is|was)\s+(?:mine|from\s+me)"
    r"|i\s+(?:sent|wrote|did\s+(?:send|write))\b"
    r"|c['’]\s?(?:est|était)\s+(?:bien\s+)?(?:moi|le\s+mien|de\s+moi)|das\s+(?:war|bin)\s+ich|(?:ist|war|kam)\s+von\s+mir"
    r"|(?:fui|soy|era)\s+yo|es\s+m[ií]o|(?:sono|ero)\s+(?:stat[oa]\s+)?io|è\s+mi[oa]|(?:fui|sou)\s+eu|é\s+meu"
    r"|это\s+(?:был\w?\s+)?я)\b"
    r"|(?:私|わたし|僕)(?:です|が(?:送|書|出))|是我|我(?:发|發|写|寫|寄)的",
    re.IGNORECASE,
)
_NOT_MINE = re.compile(
    r"\b(?:(?:not|never)\s+(?:me|mine|from\s+me|written\s+by\s+me|sent|send|wrote|write)"
    r"|pas\s+(?:de\s+)?moi|nicht\s+(?:ich|von\s+mir)|ich\s+nicht|no\s+(?:fui|soy|era)\s+yo|non\s+(?:sono|ero)\s+(?:stat[oa]\s+)?io"
    r"|não\s+(?:fui|sou)\s+eu|не\s+я)\b|n['’]t\s+(?:me|mine|from\s+me|written\s+by\s+me|send|write)\b"
    r"|(?:私|わたし|僕)(?:では|じゃ)|送って(?:い)?ません|不是我|我没|我沒",
    re.IGNORECASE,
)
#: what takes an answer back, or leaves it open
_OPEN = re.compile(
    r"[?？]|\b(?:i\s+think|i\s+guess|i\s+believe|maybe|perhaps|probably|not\s+sure|unsure|don['’]t\s+know|but|if|unless|except"
    r"|only|instead|both|no\s+(?:problem|problems|doubt|worries|question|idea|clue|matter|need)|glaube|vielleicht|wahrscheinlich"
    r"|aber|wenn|falls|außer|nur|kein(?:e|en)?\s+(?:problem|ahnung)|crois|peut-être|mais|sauf|creo|quizás?|tal\s+vez|pero|salvo"
    r"|credo|forse|però|acho|talvez|mas)\b|たぶん|多分|かも|と思|ただし|でも|也许|也許|可能|大概|但是?",
    re.IGNORECASE,
)
#: what a yes may agree to besides: that the mail is somebody else's, or is to be dropped
_AGAINST = re.compile(
    r"\b(?:not|never|drop|dropped|delete|discard|ignore|cancel|reject|refuse|remove|throw|fake|faked|forged|forgery|spam|scam"
    r"|wrong|mistake|somebody|someone|another|else|other|nicht|kein\w*|löschen|verwerfen|ignorieren|falsch|fälschung|jemand"
    r"|pas|faux|effacer|supprimer|ignorer|annuler|autre|borrar|falso|falsa|otro|otra|ignorar|cancelar|descartar|cancella\w*"
    r"|ignora\w*|altro|altra|outro|outra|не)\b|n['’]t\b|ない|ません|削除|破棄|無視|偽|取り消|不|没|沒|删|刪|丢|丟|假|伪|偽",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a short mail says in a sentence. ``yes``: ``None`` if it says yes or no, but not which for sure; ``plain``: it
    says whose the mail is, and does not just agree to something."""

    yes: bool | None
    plain: bool = False


def sentence(lines: Sequence[str]) -> Sentence | None:
    """The answer that the sentence of a short mail gives; ``None``: it gives none."""
    text = " ".join(unicodedata.normalize("NFKC", " ".join(lines)).split())
    if len(text) > _MOST_LETTERS or len(text.split()) > _MOST_WORDS or re.search(r"\d|->|→", text):
        return None
    start = _ENDS.sub("", text)
    no, disowns = _SAYS_NO.match(start), _NOT_MINE.search(text)
    yes, owns = _SAYS_YES.match(start), None if disowns else _MINE.search(text)
    if not (yes or no or owns or disowns):
        return None
    if _OPEN.search(text) or ((yes or owns) and (no or disowns)):
        return Sentence(None)
    if (yes or owns) and _AGAINST.search(text):
        return Sentence(None)
    return Sentence(bool(yes or owns), bool(owns or disowns))


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
