"""Whom a message is for: ``FRANCE RUSSIA``, ``F, R``, ``all but Turkey``, ``法国和俄国``, ``フランス・ロシア宛``.

A name that nobody has is never guessed: a message that reaches the wrong power can't be taken back. It is told, with the
powers that may have been meant. For the same reason letters are not read out of a word (``IT`` is no Italy and Turkey).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from judge.notation.fold import FOLD
from judge.rules.board import Board
from judge.variants.names import Names, load_names, spelling_key

#: What the two that are no powers stand as among the values of the table.
_EVERYBODY, _MASTER, _BUT = "*everybody", "*master", "*but"

_WORDS: Mapping[str, str] = {
    _EVERYBODY: """all|everybody|everyone|all players|all powers|all other powers|every power|every player|all the others
        |all others|the others|others|world|broadcast|tous|toutes|tout le monde|alle|an alle|todos|todas|todo el mundo|tutti
        |全体|全員|皆|皆様|皆さん|みんな|全国|各国|全プレイヤー|全プレーヤー|すべての国|全体宛|全員宛|各位
        |全体玩家|所有人|所有玩家|所有国家|大家|各位玩家|全部|全體|全员|各國""",
    _MASTER: """master|gm|game master|gamemaster|the master|moderator|spielleiter|maître du jeu|meneur de jeu|director
        |ゲームマスター|マスター|管理人|主持人|裁判""",
    _BUT: "but|except|except for|without|but not|sauf|außer|salvo|excepto|tranne",
}
#: Words that may stand between names and say nothing.
_FILLERS = frozenset(
    {"the", "to", "and", "und", "et", "plus", "as", "well", "la", "le", "les", "l", "der", "die", "an", "à"}
)
#: Letters that mean "and" between two names, in Italian, Spanish and Polish; a power's letter where letters stand alone.
_AND_LETTERS = frozenset("eyi")
_BREAKS = re.compile(r"[,;+&/、，；＆＋／|]+|\s+(?:and|und|et)\s+", re.IGNORECASE)
#: what people write between the powers of a ranked list besides commas
_RANKS = re.compile(r"[>→・]|(?<!\w)\d{1,2}[.)]|\b(?:or|then)\b", re.IGNORECASE)
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_BEFORE = re.compile(r"\A(?:发给|發給|写给|寫給|致|给|給)\s*")
_AFTER = re.compile(r"\s*(?:宛て?|へ|御中|様|さん|殿|各位)\Z")
_JOINING = "和与與及跟と"
_LONGEST = 4


@dataclass(frozen=True, slots=True)
class Recipients:
    """Whom a message is for. ``powers``: named ones in the board's order, with ``everybody`` all of them (less those that
    were excepted); ``unknown``: words that name nobody, each with the powers perhaps meant. Nobody named: all are empty."""

    powers: tuple[str, ...] = ()
    everybody: bool = False
    master: bool = False
    unknown: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def nobody(self) -> bool:
        """Whether no recipient is named at all."""
        return not (self.powers or self.everybody or self.master or self.unknown)


def read_recipients(text: str, board: Board, *, suggest: bool = True) -> Recipients:
    """Read the recipients that a heading names; ``text`` is what stands behind ``PRESS TO``. Without ``suggest`` nothing is
    looked for that unknown words may have meant, which is what costs most."""
    table = _table(board.name)
    found: list[str] = []
    unknown: list[str] = []
    text = unicodedata.normalize("NFKC", text).strip(" \t.:!。")
    items = [item.split() for item in _BREAKS.split(text) if item.strip()]
    letters_alone = all(len(word) == 1 for words in items for word in words)
    for words in items:
        for value, word in _values(words, table, letters_alone):
            if value is None:
                unknown.append(word)
            else:
                found.append(value)
    return _settle(found, unknown, board, table, suggest)


def read_powers(text: str, board: Board) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The powers that a list names, in its order, none twice; and the words that are no power of the board."""
    table = _table(board.name)
    text = _RANKS.sub(",", unicodedata.normalize("NFKC", text)).strip(" \t.:!。")
    items = [item.split() for item in _BREAKS.split(text) if item.strip()]
    letters_alone = all(len(word) == 1 for words in items for word in words)
    named = [pair for words in items for pair in _values(words, table, letters_alone)]
    powers = dict.fromkeys(value for value, _ in named if value in board.powers)
    return tuple(power for power in powers if power), tuple(word for value, word in named if value not in board.powers)


def _settle(
    found: Sequence[str], unknown: Sequence[str], board: Board, table: Mapping[str, str], suggest: bool
) -> Recipients:
    excepted: set[str] = set()
    if _BUT in found:
        cut = found.index(_BUT)
        excepted, found = set(found[cut + 1 :]), found[:cut]
        if _EVERYBODY not in found or not excepted or excepted & {_BUT, _EVERYBODY}:
            # "France but not Russia" says nothing that is not said without it; nobody can tell what is meant
            unknown = [*unknown, "but"]
    everybody = _EVERYBODY in found
    named = set(board.powers) - excepted if everybody else set(found)
    return Recipients(
        tuple(power for power in board.powers if power in named),
        everybody and not excepted,
        _MASTER in found,
        tuple((word, _suggestions(word, table, board) if suggest else ()) for word in dict.fromkeys(unknown)),
    )


def _values(words: Sequence[str], table: Mapping[str, str], letters_alone: bool) -> Iterator[tuple[str | None, str]]:
    """Each name among the words of one item, the longest first: ``(value, as written)``, the value ``None`` if unknown."""
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _LONGEST), at, -1):
            joined = " ".join(words[at:end])
            value = table.get(_key(joined))
            if value is not None and (len(joined) > 1 or letters_alone or len(words) == 1 or _EAST_ASIAN.match(joined)):
                yield value, joined
                at = end
                break
        else:
            word = words[at]
            inner = 0 < at < len(words) - 1
            if _EAST_ASIAN.search(word):
                yield from _run_together(word, table)
            elif not (_key(word) in _FILLERS or not _key(word) or (inner and word.casefold() in _AND_LETTERS)):
                yield None, word
            at += 1


def _run_together(word: str, table: Mapping[str, str]) -> Iterator[tuple[str | None, str]]:
    """The names of a Japanese or Chinese word that is nothing but names, perhaps joined by 和 or と."""
    bare = _AFTER.sub("", _BEFORE.sub("", word))
    rest, found = _key(bare), []
    while rest:
        name = next((rest[:n] for n in range(len(rest), 0, -1) if rest[:n] in table), None)
        if name is not None:
            found.append(table[name])
            rest = rest[len(name) :]
        elif found and rest[0] in _JOINING and len(rest) > 1:
            rest = rest[1:]
        else:
            yield None, word
            return
    for value in found:
        yield value, word


def _suggestions(word: str, table: Mapping[str, str], board: Board) -> tuple[str, ...]:
    """The powers whose names are spelled nearly like ``word``, the nearest first."""
    near = difflib.get_close_matches(_key(word)[:40], [key for key in table if len(key) > 1], n=8, cutoff=0.6)
    return tuple(dict.fromkeys(table[key] for key in near if table[key] in board.powers))[:3]


def _key(text: str) -> str:
    return "".join(FOLD.get(letter, letter) for letter in spelling_key(text))


@cache
def _table(board_name: str) -> dict[str, str]:
    """Every spelling of a recipient, in all languages: its key -> the power, or one of the words above."""
    names: Names = load_names(board_name)
    table: dict[str, str] = {}
    shared: set[str] = set()

    def add(spelling: str, value: str) -> None:
        key = _key(spelling)
        if key and table.setdefault(key, value) != value:
            shared.add(key)

    for value, spellings in _WORDS.items():
        for spelling in spellings.split("|"):
            add(spelling.strip(), value)
    fixed = set(table)
    for powers in names.powers.values():
        for power, known in powers.items():
            for spelling in known:
                # "ALL" is everybody, though it is Allemagne too
                if _key(spelling) not in fixed:
                    add(spelling, power)
    for length in (1, 3):
        starts = [power[:length].casefold() for power in names.board.powers]
        for power, start in zip(names.board.powers, starts, strict=True):
            if starts.count(start) == 1 and start not in table:
                add(start, power)
    table.setdefault("m", _MASTER)
    return {key: value for key, value in table.items() if key not in shared}
