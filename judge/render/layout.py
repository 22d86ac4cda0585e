"""Plain text as it stands on a screen: width in columns, padding and wrapping that know East Asian characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

#: columns of a text part: fits a quoted reply in an 80-column terminal
WIDTH = 72

#: characters that may not begin a line of Japanese or Chinese (the common part of JIS X 4051 and GB/T 15834)
_NOT_FIRST = "、。，．・：；？！）］｝」』】〉》〕”’ーゝ々％,.:;?!)]}"
#: characters that may not end one
_NOT_LAST = "（［｛「『【〈《〔“‘([{"
#: a space at which no line is broken
NO_BREAK = "\u00a0"
#: quotation marks that our sentences use, in the languages they are written in
_QUOTES = {"“": "”", "「": "」", "『": "』"}
#: line ends, controls, and the marks that turn the direction of what follows
_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]+"
)


def width(text: str) -> int:
    """The columns that ``text`` takes in a terminal: 2 for wide characters, 0 for combining ones."""
    columns = 0
    for character in text:
        if character < "\u0300":
            columns += 1
        elif unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        else:
            columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """``text`` filled up with spaces to ``columns``; to the right edge if ``right`` (numbers)."""
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def one_line(text: str, columns: int = 60) -> str:
    """What a person typed, made safe to show inside a sentence.

    No line ends, no control or direction marks, inner space single, cut with ``…`` to ``columns``.
    """
    text = " ".join(_HARMFUL.sub(" ", text).split())
    if width(text) <= columns:
        return text
    kept, used = [], 0
    for character in text:
        used += width(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def harmless(text: str) -> str:
    """``text`` with its line ends, and without control and direction marks and broken surrogates."""
    return "\n".join(_HARMFUL.sub("", line) for line in text.split("\n"))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """``text`` in the smallest pieces that stay together: ``(piece, a space stood before it)``.

    What stands in quotation marks stays together with the word before it: an order that we quote must never come to
    stand in a line alone, where it would read as an order.
    """
    pieces: list[tuple[str, bool]] = []
    for word in _words(text):
        start = True
        current = ""
        closing = ""
        for index, character in enumerate(word):
            wide = unicodedata.east_asian_width(character) in "WF"
            before = word[index - 1] if index else ""
            was_wide = bool(before) and unicodedata.east_asian_width(before) in "WF"
            free = character not in _NOT_FIRST and before not in _NOT_LAST and character not in _QUOTES
            if current and (wide or was_wide) and free and not closing:
                pieces.append((current, start))
                current, start = "", False
            if not closing:
                closing = _QUOTES.get(character, "")
            elif character == closing:
                closing = ""
            current += character
        pieces.append((current, start))
    return pieces


def _words(text: str) -> Iterator[str]:
    """``text`` at its spaces, but not at those inside quotation marks nor at the one before them."""
    words = [word for word in text.split(" ") if word]
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        while index < len(words) and (_open(word) or words[index][0] in _QUOTES):
            word += " " + words[index]
            index += 1
        yield word


def _open(word: str) -> bool:
    """Whether a quotation begins in ``word`` and does not end in it."""
    closing = ""
    for character in word:
        if not closing:
            closing = _QUOTES.get(character, "")
        elif character == closing:
            closing = ""
    return bool(closing)


def _cut(piece: str, columns: int) -> Iterator[str]:
    """A piece too long for any line (a long quotation, an endless word) in parts of at most ``columns``, at its spaces
    where it has any."""
    part = ""
    for word in piece.split(" "):
        if part and width(part) + 1 + width(word) <= columns:
            part += " " + word
            continue
        if part:
            yield part
        part = ""
        for character in word:
            if part and width(part) + width(character) > columns:
                yield part
                part = ""
            part += character
    yield part


def wrap(text: str, columns: int = WIDTH, first: str = "", rest: str | None = None) -> list[str]:
    """``text`` in lines of at most ``columns``: the first begins with ``first``, the others with ``rest``.

    ``rest`` is by default as many spaces as ``first`` is wide.
    """
    rest = " " * width(first) if rest is None else rest
    lines: list[str] = []
    line, empty = first, True
    for piece, spaced in _pieces(text):
        glue = " " if spaced and not empty else ""
        if not empty and width(line) + len(glue) + width(piece) > columns:
            lines.append(line)
            line, empty, glue = rest, True, ""
        if width(line) + width(piece) > columns:
            *whole, piece = _cut(piece, max(8, columns - width(rest)))
            for part in whole:
                if not empty or width(line) + width(part) > columns:
                    lines.append(line)
                    line = rest
                lines.append(line + part)
                line = rest
        line += glue + piece
        empty = False
    if not empty or not lines:
        lines.append(line)
    return [ready.rstrip() for ready in lines]


def behind_marks(text: str, columns: int = WIDTH - 2) -> list[str]:
    """What a person wrote, line by line as they did, each behind ``> ``: no line of it can be taken for an order.

    Only lines of more than ``columns`` are broken, and inner blanks stay, so that tables stay tables. In HTML, where the
    screen breaks lines, ``columns`` is 0 and nothing is broken.
    """
    lines: list[str] = []
    for raw in text.split("\n"):
        line = _HARMFUL.sub("", raw.expandtabs(4)).rstrip()
        lines += [line] if not columns or width(line) <= columns else wrap(line.lstrip(), columns)
    return ["> " + line if line else ">" for line in lines]


def grouped(digits: str, shown: int = 32) -> str:
    """The first ``shown`` hex digits of a hash or nonce in groups of four, so that two of them can be compared by eye."""
    return " ".join(digits[at : at + 4] for at in range(0, min(len(digits), shown), 4))


def full_end(text: str, columns: int = 30) -> str:
    """``text`` such that :func:`wrap` leaves no short last line: a place alone in a line could be taken for more."""
    words = text.split(" ")
    tail = words.pop()
    while words and width(tail) < columns:
        tail = words.pop() + NO_BREAK + tail
    return " ".join([*words, tail])


def tidy(text: str, columns: int = WIDTH) -> str:
    """A rendered text part: no space at line ends, at most one blank line together, no line over ``columns``."""
    lines: list[str] = []
    for raw in harmless(text).replace(NO_BREAK, " ").strip("\n").split("\n"):
        line = raw.rstrip()
        if width(line) > columns:
            indent = line[: len(line) - len(line.lstrip())]
            lines.extend(wrap(line.lstrip(), columns, indent))
        elif line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


def beside(left: str, right: str, indent: int = 2, column: int = 36) -> str:
    """Two texts as a table row: ``right`` begins at ``column``, or behind a longer ``left`` if the line holds both, or in
    lines of its own below."""
    right = right.strip()
    if not right:
        return "\n".join(wrap(left, first=" " * indent))
    if indent + width(left) + 2 <= column:
        return "\n".join(wrap(right, first=pad(" " * indent + left, column), rest=" " * column))
    if indent + width(left) + 2 + width(right) <= WIDTH:
        return f"{' ' * indent}{left}  {right}"
    below = " " * (indent + 4)
    return "\n".join([*wrap(left, first=" " * indent), *wrap(right, first=below, rest=below)])


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """A table in lines of at most ``WIDTH`` columns: the first column left, the others right. What is too wide goes on
    below, in bands that each begin with the first column again."""
    table = [tuple(map(one_line, row)) for row in (head, *rows)]
    widths = [max(width(row[n]) if n < len(row) else 0 for row in table) for n in range(len(head))]
    bands: list[list[int]] = [[]]
    room = free = WIDTH - width(indent) - widths[0]
    for column in range(1, len(head)):
        if bands[-1] and widths[column] + 2 > free:
            bands.append([])
            free = room
        bands[-1].append(column)
        free -= widths[column] + 2
    lines: list[str] = []
    for number, band in enumerate(bands):
        lines += [""] if number else []
        for row in table:
            cells = "".join("  " + pad(row[n] if n < len(row) else "", widths[n], right=True) for n in band)
            lines.append((indent + pad(row[0], widths[0]) + cells).rstrip())
    return lines
