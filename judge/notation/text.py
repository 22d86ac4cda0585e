"""One shape for everything that players type: which dash, which arrow, which blank, which bracket makes no difference.

:func:`tidy` turns a line into plain text and notes the marks that decide by themselves (a quote, a struck line, a question);
:func:`atoms` cuts the plain text into words, numbers, single East Asian characters and signs.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from judge.notation.fold import FOLD

#: Longer lines are not read: a line with an order for each of 34 units, names in full, has 1,500 characters.
MAX_LINE = 3000

_ARROWS = "→⇒➔➜➝➞➡⟶⟹⟾↦↣↠➙➛➤►▶▷▸⇨⮕⇾⇢➢➣➧➨↪⤷›"
_QUOTES = '"“”„‟«»‹「」『』〝〞〟`´″*_^¨'
_OPEN, _CLOSE = "([{《〈【〔〖⟨", ")]}》〉】〕〗⟩"
_DOTS = "•‣◦●○◎■□◆◇★☆▪▫◼◾⁃∙⦁✦❖"
_AGAINST = "❌🚫✖✗✘⛔☒🛑👎"
_TAG = re.compile(r"</?(?P<name>[a-z][a-z0-9]{0,9})(?:\s[^<>]{0,300})?/?>", re.I)
_STRUCK_TAGS = {"s", "del", "strike"}
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});", re.I)
_ARROW = re.compile(r"[-=~]{1,4} ?>+|>+")
#: ``:)`` ``;-)`` and their like, which say nothing
_SMILE = re.compile(r"(?<!\S)[:;=8]['o-]?[)(DPpO|](?!\S)")
#: a quote mark at the beginning, also behind a bullet or quotation mark; not the point of an arrow (-> A Par - Bur)
_QUOTED = re.compile(r"[\s\ufeff\u200b*•·・\"'“「_]*(?:[-–] +)?[\s\ufeff\u200b*\"'“「_]*[>|]")
_QUOTED_BY_ANGLE = re.compile(r"[\s\ufeff]*[»›]")
#: ``b)`` ``iv.`` before an order; never ``A)`` or ``F)``, which are units
_LETTERED = re.compile(r"\s*(?:[b-eg-z]\)|i{1,3}[.)]|iv[.)]|vi{0,3}[.)]|ix[.)]|x[.)])\s+", re.I)
#: ``o`` as mail programs write the bullets of a list without pictures: with a gap behind it, as the word "or" has none
_O_BULLET = re.compile(r"\s*o(?:\t| {2,})\s*(?=\S)")
#: a coast as ``n/c``
_SLASHED_COAST = re.compile(r"\b([nsew])/(c)\b", re.I)
#: a code with dots: M.A.O.
_DOTTED = re.compile(r"\b([A-Z])\.([A-Z])\.([A-Z])\b\.?")
#: ``b)`` before an order of a line that began with ``a)``
_LETTERED_ON = re.compile(r"(?<=[\s;,.])\(?[b-eg-z]\)\s+(?=[AF]\b)", re.I)
_COMMENT = re.compile(r"//|#|※")
_TOKEN = re.compile(r"[A-Za-z]+|\d+|\S")


#: letters that are two in other alphabets, and those of other alphabets that look the same and come from their keyboards
_LETTERS: dict[int, str] = {
    ord(letter): plain
    for letter, plain in {
        "ß": "ss",
        "ẞ": "SS",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "ı": "i",
    }.items()
}

_LETTERS |= {ord(a): b for a, b in zip("АВЕКМНОРСТХаеорсухіΑΒΕΗΙΚΜΝΟΡΤΧ", "ABEKMHOPCTXaeopcyxiABEHIKMNOPTX", strict=True)}


def _translation() -> dict[int, str]:
    """What one character becomes, whatever stands around it."""
    table = dict(_LETTERS)
    table |= {ord(c): ">" for c in _ARROWS}
    table |= {ord(c): " " for c in _QUOTES}
    table |= {ord(c): "(" for c in _OPEN} | {ord(c): ")" for c in _CLOSE}
    table |= {ord(c): "," for c in "、،﹐︐"} | {ord(c): "." for c in "。｡․"}
    table |= {ord(c): ";" for c in "|¦؛"} | {ord(c): "?" for c in "❓❔⁇⁈⁉؟¿"}
    table |= {ord(c): "'" for c in "’‘ʼ‛′ʹ＇"} | {ord(c): "-" for c in "−─━╌┄⎯"} | {ord("〜"): "~", ord("\\"): "/"}
    return table


_TABLE = _translation()


@dataclass(frozen=True, slots=True)
class Tidy:
    """A line made plain. ``text`` has only what was meant; the flags say what its marks said.

    ``quoted``: it is quoted from another mail. ``struck``: crossed out. ``question``: a question mark stood in it.
    ``comment``: what stood behind ``//``, ``#`` or ``※``.
    """

    text: str
    quoted: bool = False
    struck: bool = False
    question: bool = False
    comment: str = ""


class Atom(NamedTuple):
    """A piece of plain text. ``kind``: ``w`` a Latin word, ``d`` digits, ``c`` one other letter, ``p`` a sign.

    ``text`` is folded (small letters, no accents, Simplified characters, large kana), ``raw`` as it stood.
    ``spaced``: a blank or bracket stands before it. ``group``: the number of the brackets that it stood in, 0 for none.
    """

    text: str
    raw: str
    kind: str
    start: int
    end: int
    spaced: bool
    group: int = 0


def letters(spelling: str) -> str:
    """A listed spelling as :func:`tidy` would leave its letters; signs stay."""
    return unicodedata.normalize("NFKC", spelling).translate(_LETTERS)


def normalise(line: str) -> str:
    """The plain text of a line: NFKC, one kind of dash, arrow, blank, bracket; no tags, quotes, bullets, comments."""
    return tidy(line).text


@lru_cache(maxsize=4096)
def tidy(line: str) -> Tidy:
    """Make a line plain and note its marks. Bounded work for any text; lines over ``MAX_LINE`` are cut there."""
    line = unicodedata.normalize("NFKC", line[:MAX_LINE])
    struck = "\u0336" in line or "~~" in line or any(c in line for c in _AGAINST)
    if "<" in line:
        struck = struck or any(t["name"].lower() in _STRUCK_TAGS for t in _TAG.finditer(line))
        line = _TAG.sub(" ", line)
    if "&" in line:
        line = unicodedata.normalize("NFKC", _ENTITY.sub(_unescaped, line))
    line = _SMILE.sub(" ", line)
    quoted = bool(_QUOTED.match(line)) or (_QUOTED_BY_ANGLE.match(line) is not None and not {"«", "‹"} & set(line))
    if line.lstrip(" (").startswith("a)"):
        line = _LETTERED_ON.sub("; ", line)
    lettered = _LETTERED.match(line) or _O_BULLET.match(line)
    line = _plain_signs(line[lettered.end() if lettered else 0 :].translate(_TABLE))
    line = _DOTTED.sub(r"\1\2\3", _SLASHED_COAST.sub(r"\1\2", _apostrophes(line)))
    line, comment = _cut_comment(line)
    question = "?" in line
    line = _ARROW.sub(" > ", line.replace("?", " "))
    return Tidy(_strip_bullets(" ".join(line.split())), quoted, struck, question, comment)


def _unescaped(found: re.Match[str]) -> str:
    """The character that an HTML entity stands for, also where its name was made capital."""
    plain = html.unescape(found[0])
    return plain if plain != found[0] else html.unescape(found[0].lower())


def _plain_signs(line: str) -> str:
    """Every dash to ``-``; blanks, controls, marks and pictures to blanks or to nothing."""
    if line.isascii() and line.isprintable():
        return line
    out: list[str] = []
    for char in line:
        if char.isascii():
            out.append(char if char.isprintable() else " ")
            continue
        category = unicodedata.category(char)
        if category == "Pd":
            out.append("-")
        elif category in ("Cf", "Me") or "\ufe00" <= char <= "\ufe0f" or char in ("\u0336", "\u200b"):
            # a hyphen that only shows at a line's end (soft hyphen), joiners, the variants of emoji
            continue
        elif category[0] in "ZC" or category in ("So", "Sk", "Sm") or char in _DOTS:
            out.append(" ")
        else:
            out.append(char)
    return "".join(out)


def _apostrophes(line: str) -> str:
    """Only an apostrophe between two letters is one; the others are quotation marks."""
    if "'" not in line:
        return line
    return re.sub(r"(?<![^\W\d_])'|'(?![^\W\d_])", " ", line)


def _cut_comment(line: str) -> tuple[str, str]:
    """Cut what stands behind ``//``, ``#`` or ``※``; ``#`` before a number at the beginning is a list number."""
    for found in _COMMENT.finditer(line):
        before, after = line[: found.start()], line[found.end() :]
        if found[0] == "#" and not before.strip() and after[:1].isdigit():
            continue
        if found[0] == "//" and before.endswith(":"):
            continue
        return before, after.strip()
    return line.replace("#", " "), ""


def _strip_bullets(line: str) -> str:
    """Drop what stands before the first letter, number or bracket of a list's line."""
    start = 0
    while start < len(line) and line[start] in "-.>・·:;,/~=! ":
        start += 1
    return line[start:]


def fold(text: str) -> str:
    """Small letters without accents; Traditional and Japanese characters as Simplified ones, small kana as large.

    One character for one, so that places in the text keep their numbers. The marks of kana (が against か) are part of the
    letter and stay.
    """
    return text.lower() if text.isascii() else "".join(map(_fold_char, text))


@lru_cache(maxsize=8192)
def _fold_char(char: str) -> str:
    char = char.casefold()[:1] or char
    base = unicodedata.normalize("NFD", char)
    if len(base) > 1 and base[0].isascii():
        return base[0]
    return FOLD.get(char, char)


@lru_cache(maxsize=256)
def atoms(text: str) -> tuple[Atom, ...]:
    """Cut plain text into atoms. Brackets are not atoms: what they hold has the number of its ``group``."""
    folded = fold(text)
    found: list[Atom] = []
    depth = groups = end = 0
    for token in _TOKEN.finditer(folded):
        word, start = token[0], token.start()
        if word == "(":
            groups += depth == 0
            depth += 1
        elif word == ")":
            depth = max(0, depth - 1)
        else:
            raw = text[start : token.end()]
            found.append(Atom(word, raw, _kind(word), start, token.end(), start > end, groups if depth else 0))
            end = token.end()
    return tuple(found)


def _kind(word: str) -> str:
    if word[0].isascii():
        return "w" if word[0].isalpha() else "d" if word[0].isdigit() else "p"
    return "c" if word.isalpha() else "p"
