"""Cuts live tokens out of text that is passed on to others, as its reader would see it.

The bytes of a mail are masked before they are stored (:mod:`judge.mail.masking`), but reading a mail puts together what no
search of its bytes finds in one piece: letters with tags or invisible characters between them, lines that were wrapped,
letters of full width, any charset. So what leaves for other people is looked through once more, letter by letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import lru_cache

from judge.mail.identity import TOKEN_LENGTH


def cut_tokens(text: str, tokens: Collection[str], instead: str) -> str:
    """``text`` with ``instead`` for each of ``tokens`` (16 lower-case characters), whatever letter case or width its letters
    have and whatever stands between them that is no letter or digit of ASCII."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for letter in _letters(character):
            letters.append(letter)
            places.append(place)
    if len(letters) < TOKEN_LENGTH:
        return text
    folded = "".join(letters)
    spans: list[tuple[int, int]] = []
    for token in tokens:
        at = folded.find(token)
        while at >= 0:
            spans.append((places[at], places[at + len(token) - 1] + 1))
            at = folded.find(token, at + 1)
    out, done = [], 0
    for start, end in sorted(spans):
        if start >= done:
            out += [text[done:start], instead]
        done = max(done, end)
    return "".join([*out, text[done:]])


@lru_cache(maxsize=4096)
def _letters(character: str) -> str:
    """The letters and digits of ASCII that a character is another form of, in lower case."""
    folded = unicodedata.normalize("NFKC", character).lower()
    return "".join(one for one in folded if one.isascii() and one.isalnum())
