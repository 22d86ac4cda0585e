"""Lines that were meant as commands and are none: the nearest verbs, to be told and never to be done.

A line in small letters is talk unless all of it, but for a slip or two, is a command. In capitals a few words are enough.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from judge.mail.commands import fits, misused, parse, plain
from judge.mail.verbs import VERBS, Verb
from judge.notation.lexicon import letter_bits
from judge.notation.near import distance

#: characters and words of a line that is looked at, and so many verbs are told
_LONGEST, _MOST_WORDS, _MOST = 60, 6, 3
#: what begins other lines that the judge understands, or heads orders: no slip of a verb
_OTHER_HEADS = frozenset((
    "press", "broadcast", "message", "white", "grey", "gray", "game", "later", "if", "builds", "build", "remove",
    "removals", "retreat", "retreats", "end", "endpress", "proxy", "set", "order", "orders", "move", "moves",
    "hold", "holds", "support", "convoy", "army", "fleet", "waive", "disband", "unit", "units", "phase", "year",
    "spring", "summer", "fall", "autumn", "winter", "yes", "no", "ok", "from", "to", "dear", "hello", "thanks",
    "regards", "best", "cheers", "sent", "subject", "date", "re", "fwd", "signon", "signoff", "please", "sorry",
    "great", "nice", "good",
))  # fmt: skip
#: a command begins with one of these and a word; what they begin besides is an unknown one
_COMMANDING = frozenset({"set", "show", "list", "get", "vote", "cancel", "change"})
#: verb, one of its spellings, of how many words (0: in Japanese or Chinese), and its letters
_SPELLINGS = tuple(
    (verb, folded, folded.count(" ") + 1 if folded.isascii() else 0, letter_bits(folded))
    for verb in VERBS
    for folded in dict.fromkeys(unicodedata.normalize("NFKC", one).casefold().rstrip(":?") for one in verb.spellings)
    if len(folded) > 2
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'+-]*\??")


def nearest(line: str) -> tuple[Verb, ...]:
    """The verbs that a line may have been meant as which is no command, the nearest first, three at most; none for talk,
    for orders, and for a known verb with words that it does not take (:func:`judge.mail.commands.misused`)."""
    text = plain(line[: _LONGEST * 2])
    if not text or len(text) > _LONGEST or len(text.split()) > _MOST_WORDS:
        return ()
    if parse(line) is not None or parse(line, outside=True) is not None or misused(line) is not None:
        return ()
    return _near(text)


@lru_cache(maxsize=2000)
def _near(text: str) -> tuple[Verb, ...]:
    steps: dict[str, tuple[int, int]] = {}
    words = text.split()
    heads = [" ".join(words[:count]).rstrip(":?").casefold() for count in range(_MOST_WORDS + 1)]
    heads[0] = text.partition(" ")[0].rstrip(":").casefold()  # of a script without blanks
    bits = [letter_bits(head) for head in heads]
    for verb, spelling, count, letters in _SPELLINGS:
        # what differs in more letters than slips make is left out before it is measured
        if abs(len(heads[count]) - len(spelling)) <= 2 and (bits[count] ^ letters).bit_count() <= 4:
            found = _latin(words, spelling, verb) if count else _asian(text, spelling, verb)
            if found is not None:
                rank = (found, abs(len(text) - len(spelling)))
                steps[verb.name] = min(rank, steps.get(verb.name, rank))
    if not steps and words[0].isupper() and words[0].casefold() in _COMMANDING and 1 < len(words) < 4:
        steps = _same_head(words)
    names = sorted(steps, key=lambda name: steps[name])[:_MOST]
    return tuple(verb for name in names for verb in VERBS if verb.name == name)


def _latin(words: list[str], spelling: str, verb: Verb) -> int | None:
    """How many slips make the first words of a line a spelling; ``None``: it was not meant as one."""
    count = spelling.count(" ") + 1
    head, rest = " ".join(words[:count]).rstrip(":?"), " ".join(words[count:])
    key = head.casefold()
    if len(spelling) < 4 or words[0].casefold().rstrip(":") in _OTHER_HEADS or not all(map(_WORD.fullmatch, head.split())):
        return None
    if rest and spelling != verb.spellings[0]:
        return None
    loud = head.isupper()
    found = distance(key, spelling, 2)
    if found > (2 if len(spelling) > (5 if loud else 8) else 1) or not _alike(key, spelling, found):
        return None
    whole = fits(rest, verb)
    if loud:
        # a sentence in capitals is talk, and so is a short word that only looks like a verb
        shouted = rest.isupper() and len(rest.split()) > 2 and not re.search(r"\d", rest)
        return found if whole or (len(spelling) > 4 and not shouted) else None
    strict = not rest or re.search(r"\d|@|/", rest) is not None
    return found if whole and strict and len(spelling) > 4 else None


def _alike(key: str, spelling: str, slips: int) -> bool:
    """Whether a word with so many slips still looks like a spelling: both begin alike, or end so where one slip is all; of
    four letters all are there."""
    if len(spelling) == 4:
        return sorted(key) == sorted(spelling)
    return key[0] == spelling[0] or (slips == 1 and key[-1] == spelling[-1])


def _same_head(words: list[str]) -> dict[str, tuple[int, int]]:
    """The verbs that have a spelling which begins with the first word of an unknown command, the likest first."""
    key = " ".join(words).casefold()
    return {
        verb.name: (min(likes), 0)
        for verb in VERBS
        if (likes := [distance(key, one, 20) for one in verb.spellings if one.startswith(words[0].casefold() + " ")])
    }


def _asian(text: str, spelling: str, verb: Verb) -> int | None:
    """The same of a spelling in Japanese or Chinese: one character too many, too few or changed places with its neighbour,
    of five and more also a wrong one; what stands behind a blank has to be what the verb takes."""
    head, _, rest = text.partition(" ")
    head = head.rstrip(":").casefold()
    if len(spelling) < 3 or head.isascii() or distance(head, spelling, 1) != 1 or not fits(rest, verb):
        return None
    if rest:
        return 1 if re.search(r"\d", rest) else None
    wrong = len(head) == len(spelling) and sorted(head) != sorted(spelling)
    return 1 if len(spelling) > (4 if wrong else 3) else None
