"""Own lines of talk that change what the orders beside them mean: "Please cancel:", "instead of", "Germany said".

In one line with an order such words are seen by whoever reads the order; above or below it they stand alone. An order that
such a line casts doubt on is not taken but asked about, as a wrong order costs more than a question. A line of talk without
such words (a greeting, "I think this is best") changes nothing, nor does one that takes back what was sent before.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from judge.notation.canonical import write
from judge.notation.ranked import holds_no_order
from judge.notation.reading import Context, Problem, Reading
from judge.notation.text import fold
from judge.variants.names import load_names
from judge.variants.words import load_words

#: longer lines are prose
_LONGEST = 90
#: lines of talk of one mail that are looked at
_MOST = 60
_COLON = re.compile(r"[:：][\s\"'*_]*\Z")
_LABEL = re.compile(r"[:：]\s*[^\W_]")
_ENDS = re.compile(r"(?:[.!?。！？…]\W*|[:;]-?[()DP]+)\Z")
_ASKS = re.compile(r"[?？]\W*\Z")
_UP = re.compile(r"\s*[\^↑⬆]")
_NO_WORD = re.compile(r"[^\w']+|_")
_WORD = re.compile(r"[a-z0-9]+")
#: what stands beside the powers in a line that says to whom something is
_TO = re.compile(r"(?:to|for|an|a|para|per|pour|and|und|et|y|e|dear|message|致|给|へ|に|宛|宛て|和|と|的|の|信|\s)*")
#: what is said of the orders below, by the table's names
_BELOW = ("off", "undo", "old", "choice", "said", "later", "new")
#: kinds whose orders below are not taken
_BAD = frozenset(_BELOW) - {"new"}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a line of talk says of the orders beside it. ``below``: ``new`` (they count), another kind of the table (they are
    asked about), or nothing. ``above``: those right above it are asked about; ``far``: all above it, a blank between or not;
    ``one``: only the last of them. ``either``: those below if they follow at once, else those above. ``colon``: it
    introduces what stands below, a blank between or not."""

    below: str = ""
    above: bool = False
    either: bool = False
    far: bool = False
    one: bool = False
    colon: bool = False


def apply(texts: Sequence[str], readings: list[Reading], context: Context) -> None:
    """Ask about the orders that a line of talk beside them casts doubt on, in place."""
    if not any(reading.legal for reading in readings):
        return
    doubtful: set[int] = set()
    looked_at = 0
    for at, reading in enumerate(readings):
        if not _talks(texts[at], reading) or looked_at >= _MOST or not _beside_orders(at, texts, readings):
            continue
        looked_at += 1
        effect = effect_of(texts[at], context)
        follows = at + 1 < len(readings) and bool(readings[at + 1].legal)
        # "if he moves, F Bre - ENG" says it of the order that it holds itself
        if holds_no_order(texts[at]):
            effect = replace(effect, below="choice")
        elif reading.mentions and not effect.colon:
            effect = replace(effect, below="")
        if effect.below in _BAD:
            doubtful.update(_below(at, effect, texts, readings, context))
        if effect.above or (effect.either and not follows):
            doubtful.update(_above(at, effect, texts, readings))
    for at in doubtful:
        readings[at] = _asked(readings[at])


def effect_of(line: str, context: Context) -> Effect:
    """What a line that is no order says of the orders beside it."""
    short = unicodedata.normalize("NFKC", line.strip())
    if not short or len(short) > _LONGEST:
        return Effect()
    return _effect_of(line, short, context.names.board.name, context.power, context.position.phase.season)


# a line is asked about once for each run of orders that it may belong to
@lru_cache(maxsize=1024)
def _effect_of(line: str, short: str, board: str, power: str | None, season: str) -> Effect:
    plain = _plain(short)
    colon, asks = _COLON.search(short) is not None, _ASKS.search(short) is not None
    powers = _powers(board)
    named = _named(powers, plain)
    others = bool(named) and power is not None and power not in named
    said = [table.effect(plain, others, asks) for table in _tables()]
    kinds = [one.below for one in said if one.below]
    above, far, either = (any(getattr(one, name) for one in said) for name in ("above", "far", "either"))
    below = "new" if "new" in kinds else kinds[0] if kinds else ""
    seasons = _named(_seasons(), plain)
    if (seasons and season not in seasons) or (colon and others and _addressed(plain, powers)):
        below = "later"
    if below in _BAD and not colon and _ENDS.search(short) and not (below != "said" and _points_down(plain)):
        below = ""  # a sentence for itself
    if below in _BAD and colon:
        above = far = either = False
    if not colon and _LABEL.search(short):
        below = ""  # "wrong: A Par - Bur" says it of what stands behind it
    up = _UP.match(line) is not None
    return Effect(
        below if not up else "", above or (up and below in _BAD), either and below != "new", far and not up, up, colon
    )


def _talks(text: str, reading: Reading) -> bool:
    return bool(text.strip()) and reading.kind == "not-an-order" and not reading.heading and len(text) <= 2 * _LONGEST


def _beside_orders(at: int, texts: Sequence[str], readings: Sequence[Reading]) -> bool:
    """Whether any order stands above or below, in this paragraph or the next one."""
    return any(reading.legal for reading in readings[max(0, at - 40) : at + 12])


def _below(at: int, effect: Effect, texts: Sequence[str], readings: Sequence[Reading], context: Context) -> Iterator[int]:
    """The lines with orders below that a line of talk speaks about: up to a blank line behind orders, a heading, or other
    talk that says what follows."""
    seen = False
    for n in range(at + 1, len(readings)):
        text, reading = texts[n], readings[n]
        if reading.legal:
            seen = True
            yield n
        elif not text.strip():
            if seen or not effect.colon:
                return
        elif reading.heading:
            return
        elif _talks(text, reading):
            more = effect_of(text, context)
            if more.below or (more.colon and seen):
                return
            if more.above:
                return


def _above(at: int, effect: Effect, texts: Sequence[str], readings: Sequence[Reading]) -> Iterator[int]:
    """The lines with orders above that a line of talk speaks about."""
    for n in range(at - 1, -1, -1):
        if readings[n].legal:
            yield n
            if effect.one:
                return
        elif not effect.far:
            return


def _asked(reading: Reading) -> Reading:
    """A reading of which nothing is taken, and everything offered."""
    offers = dict.fromkeys([*map(write, reading.legal), *reading.suggestions])
    return replace(
        reading,
        kind="ambiguous",
        orders=(),
        legal=(),
        problems=(*reading.problems, Problem("read.beside")),
        suggestions=tuple(offers),
        rest=False,
    )


class _Table:
    """The phrases of one language, each kind as patterns: those that begin a line, and those that stand anywhere."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self.skip = _pattern(words.get("skip", ()))
        self.first = {kind: _pattern([p for p in words[kind] if p[0] in "^="]) for kind in words}
        self.anywhere = {kind: _pattern([p for p in words[kind] if p[0] not in "^="]) for kind in words if kind != "skip"}
        #: the first word of a phrase in Latin letters, or a whole phrase in others -> the kinds that may be found with it
        self.by_word: dict[str, set[str]] = defaultdict(set)
        self.by_text: dict[str, set[str]] = defaultdict(set)
        for kind, phrases in words.items():
            for text in (_plain(phrase.lstrip("^=")) for phrase in phrases):
                word = _WORD.search(text) if text.isascii() else None
                (self.by_text[text] if word is None else self.by_word[word[0]]).add(kind)

    def effect(self, plain: str, others: bool, asks: bool) -> Effect:
        """What a line's plain text says in this language; ``others``: it names another power, ``asks``: it is a question."""
        hits = self.hits(plain)
        kinds = {hit.kind for hit in hits}
        if "undo" in kinds and not self.undoes(plain, kinds):
            hits = [hit for hit in hits if hit.kind != "undo"]
        if not (others or "they" in kinds):
            hits = [hit for hit in hits if hit.kind != "said"]
        below = ""
        for hit in hits:
            # "these replace my old orders": what follows was said to count
            if hit.kind in _BELOW and not (hit.kind in ("later", "old") and below == "new"):
                below = hit.kind
        if "earlier" in kinds and "above" not in kinds:
            hits = [hit for hit in hits if hit.kind != "off-above"]  # what was sent before is taken back
        kinds = {hit.kind for hit in hits}
        far = "undo" in kinds and "above" in kinds
        above = far or bool(kinds & {"off-above", "or"}) or (asks and "asks" in kinds)
        if "or" in kinds or ("asks" in kinds and not asks and not below):
            below = "choice"
        return Effect("" if far and below == "undo" else below, above, below in ("undo", "off"), far)

    def hits(self, plain: str) -> list[_Hit]:
        """The phrases of a line in their order, without those inside longer ones."""
        begin = self.begins(plain)
        likely = self.likely(plain)
        found = [
            _Hit(m.start(), m.end(), kind) for kind, p in self.anywhere.items() if kind in likely for m in p.finditer(plain)
        ]
        found += [
            _Hit(m.start(), m.end(), kind)
            for kind, p in self.first.items()
            if kind in likely
            for at in {0, begin}
            if (m := p.match(plain, at)) is not None
        ]
        return sorted(hit for hit in found if not any(other.covers(hit) for other in found))

    def likely(self, plain: str) -> set[str]:
        """The kinds of which a phrase may stand in a line: to look for the others is most of the work."""
        kinds = {kind for word in _WORD.findall(plain) for kind in self.by_word.get(word, ())}
        return kinds.union(*(found for text, found in self.by_text.items() if text in plain))

    def begins(self, plain: str) -> int:
        """Where a line begins behind words that say nothing."""
        at = 0
        while (found := self.skip.match(plain, at)) is not None:
            at = found.end() + (plain[found.end() : found.end() + 1] == " ")
        return at if at < len(plain) else 0

    def undoes(self, plain: str, kinds: Collection[str]) -> bool:
        """Whether words that take back are about orders of this mail: they name them, or nothing at all."""
        if "this" in kinds or "above" in kinds:
            return "earlier" not in kinds or "this" in kinds
        if "earlier" in kinds:
            return False
        return not self.skip.sub("", self.anywhere["undo"].sub("", plain)).strip()


@dataclass(frozen=True, slots=True, order=True)
class _Hit:
    """A phrase of a kind, from and to which character."""

    start: int
    end: int
    kind: str

    def covers(self, other: _Hit) -> bool:
        """Whether a phrase that decides holds another one within it."""
        inside = self.start <= other.start and other.end <= self.end and self.end - self.start > other.end - other.start
        decides = self.kind in _BELOW or (self.kind == "off-above" and other.kind != "undo")
        return inside and decides and (other.kind in _BELOW or other.kind == "off-above")


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """One pattern for phrases, the longest first."""
    parts = sorted(map(_phrase, phrases), key=len, reverse=True)
    return re.compile("|".join(parts) if parts else r"(?!)")


def _phrase(phrase: str) -> str:
    text = _plain(phrase.lstrip("^="))
    # in East Asian writing no blank shows where a word ends
    before, after = ("(?<![a-z0-9])", "(?![a-z0-9])") if text.isascii() else ("", "")
    return f"{before}{re.escape(text)}{chr(92) + 'Z' if phrase[0] == '=' else after}"


def _plain(text: str) -> str:
    """Small letters without accents, signs as blanks."""
    return " ".join(_NO_WORD.sub(" ", fold(unicodedata.normalize("NFKC", text).replace("’", "'"))).split())


@cache
def _tables() -> tuple[_Table, ...]:
    """The table of every language."""
    return tuple(
        _Table({kind.removeprefix("LINE:"): spellings for kind, spellings in table.items() if kind.startswith("LINE:")})
        for table in load_words().values()
    )


def _points_down(plain: str) -> bool:
    """Whether a line names what stands beside it."""
    return any(table.anywhere["this"].search(plain) for table in _tables())


#: what stands before a season that orders are for
_FOR_TURN = r"(?:\A|(?<![a-z])(?:in|for|im|fur|en|au|al|a|per|para|de|du)(?: (?:the|den|el|la|le|next))? (?:l'|dell')?)"


@cache
def _seasons() -> Mapping[str, re.Pattern[str]]:
    """Season -> its words in all languages, where a line may be about orders for it."""
    found: dict[str, list[str]] = {}
    for table in load_words().values():
        for season in "SFW":
            found.setdefault(season, []).extend(
                w for w in table.get(f"SEASON:{season}", ()) if not w.isascii() or len(w) > 3
            )
    return {season: re.compile(f"{_FOR_TURN}(?:{_pattern(words).pattern})") for season, words in found.items()}


@cache
def _powers(board: str) -> Mapping[str, re.Pattern[str]]:
    """Power -> its names in all languages; none of a letter alone."""
    found: dict[str, list[str]] = {}
    for table in load_names(board).powers.values():
        for power, spellings in table.items():
            found.setdefault(power, []).extend(s for s in spellings if len(s) > 2 or (len(s) == 2 and not s.isascii()))
    return {power: _pattern(spellings) for power, spellings in found.items()}


def _named(patterns: Mapping[str, re.Pattern[str]], plain: str) -> set[str]:
    return {name for name, pattern in patterns.items() if pattern.search(plain)}


def _addressed(plain: str, powers: Mapping[str, re.Pattern[str]]) -> bool:
    """Whether a line names powers and, but for a word for "to", nothing else."""
    rest = plain
    for pattern in powers.values():
        rest = pattern.sub("", rest)
    return _TO.fullmatch(rest) is not None
