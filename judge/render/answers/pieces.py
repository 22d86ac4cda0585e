"""What an answer to a command is made of: sections with a title, and in them sentences, rows, tables, quoted lines.

Every piece holds text in the reader's language; the macros ``answered`` of ``parts.txt.j2`` and ``parts.html.j2`` draw each
kind once, for every answer there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from judge.render.commonfacts import Common
from judge.render.standings import Standing
from judge.render.view import Row
from judge.render.words import Words


@dataclass(frozen=True, slots=True)
class Says:
    """A paragraph."""

    kind: ClassVar[str] = "says"
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    kind: ClassVar[str] = "items"
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Labels and what belongs to them."""

    kind: ClassVar[str] = "rows"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of short cells: its head, and rows of as many cells. The first column is a label, the others are numbers or
    words of few letters; one wider than a line goes on below."""

    kind: ClassVar[str] = "grid"
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines that must not be read as orders when they come back, each behind a mark: a person's words, or orders."""

    kind: ClassVar[str] = "quoted"
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """An address of ours that the reader may write to, with the subject and text that such a mail begins with."""

    label: str
    address: str
    subject: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses to write to, each beneath what it is for."""

    kind: ClassVar[str] = "links"
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """A title within a section."""

    kind: ClassVar[str] = "head"
    text: str


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders with what came of each and why, as in the mail of a result."""

    kind: ClassVar[str] = "orders"
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Stands:
    """What stands where on the board."""

    kind: ClassVar[str] = "stands"
    standing: Standing


Piece = Says | Items | Rows | Grid | Quoted | Head | Orders | Stands | Links


@dataclass(frozen=True, slots=True)
class Section:
    """One answer. ``news`` is what the mail's subject says of it if it is the only one (empty: the title)."""

    title: str
    pieces: tuple[Piece, ...]
    news: str = ""


#: Stored arguments of an answer -> the section, in the reader's words. ``Common`` is ``None`` outside of any game.
Writer = Callable[[Mapping[str, Any], Words, Common | None], Section]
