"""Words that are nearly a known one: slips of a finger, letters that changed places. They are asked about, never taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from judge.notation.combine import ASKED
from judge.notation.lexicon import MIN_PREFIX, Edge, Lexicon, PlaceName, letter_bits
from judge.notation.text import Atom

#: Characters that look like a dash and are not, by a slip of the converter: the kana long mark, the numeral one.
_DASH_LIKE = {"ー", "一", "丨", "―"}
#: Lines with more unknown words than this are talk, not slips.
_MOST_UNKNOWN = 3
#: The same of East Asian characters, of which a name with a slip may have two.
_MOST_UNKNOWN_CHARACTERS = 16
#: Longest run of atoms that is tried as one name.
_LONGEST = 4


def distance(a: str, b: str, limit: int) -> int:
    """Letters to change, drop, add or swap with a neighbour to make ``b`` of ``a``; ``limit + 1`` if it is more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before2, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before2[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def tolerance(word: str) -> int:
    """How many slips a word may have and still be taken for another: one in a short word, two in a longer one."""
    return 1 if len(word) < 6 else 2


def near_edges(line: Sequence[Atom], words: Sequence[Sequence[Edge]], lexicon: Lexicon) -> list[list[Edge]] | None:
    """The words of a line with those added that its unknown ones may have been meant as; ``None`` if it is no slip."""
    unknown = unknown_atoms(line, words)
    latin = [at for at in unknown if line[at].kind == "w"]
    if len(latin) > _MOST_UNKNOWN or sum(line[at].kind == "c" for at in unknown) > _MOST_UNKNOWN_CHARACTERS:
        return None
    more: list[list[Edge]] = [list(edges) for edges in words]
    added = False
    for at, atom in enumerate(line):
        found: list[Edge] = []
        if atom.text in _DASH_LIKE:
            found.append(Edge("ARROW", at + 1, "-", ASKED))
        if atom.kind == "w" and at in unknown and len(atom.text) < 4 and at and (atom.group or line[at - 1].text == "/"):
            found += [Edge("COAST", at + 1, coast, ASKED) for coast in sorted(set(lexicon.coasts.values()))]
        if atom.kind == "w":
            found += _latin(line, at, unknown, words, lexicon)
        elif atom.kind == "c":
            found += _asian(line, at, unknown, lexicon)
        more[at] += found
        added = added or bool(found)
    return more if added else None


def slips(line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> int:
    """How many words :func:`near_edges` will look for something near to: what it costs, at most."""
    unknown = unknown_atoms(line, words)
    latin = sum(line[at].kind == "w" for at in unknown)
    characters = sum(line[at].kind == "c" for at in unknown)
    if latin > _MOST_UNKNOWN or characters > _MOST_UNKNOWN_CHARACTERS:
        return 0
    weak = sum(
        atom.kind == "w" and len(atom.text) > 1 and (_weak(edges) or name_expected(line, at, words))
        for at, (atom, edges) in enumerate(zip(line, words, strict=True))
    )
    # each unknown word also at the end of longer names, each unknown character inside names that begin before it
    return latin * _LONGEST + characters * 2 + weak


#: What follows the place of a unit.
_AFTER_A_UNIT = frozenset(("ARROW", "TO", "SUP", "CON", "HOLD", "MOVE", "RET", "DIS", "SLASH"))


def name_expected(line: Sequence[Atom], at: int, words: Sequence[Sequence[Edge]]) -> bool:
    """Whether a word that means something else stands where only a name can: ``A May supports``, ``A Ser - Ger``.

    It stands behind a unit letter in capitals and before a sign or verb, or behind an arrow and at the end.
    """
    if not at or line[at].kind != "w" or any(edge.kind == "PLACE" for edge in words[at]):
        return False
    after = line[at + 1].text if at + 1 < len(line) else ""
    if line[at - 1].text in ("-", ">"):
        return len(line[at].text) == MIN_PREFIX and after in ("", ".", ",", ";")
    if line[at - 1].raw not in ("A", "F"):
        return False
    return not after or any(edge.kind in _AFTER_A_UNIT for edge in words[at + 1])


def _weak(edges: Sequence[Edge]) -> bool:
    return all(edge.kind in _WEAK for edge in edges)


def unknown_atoms(line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> set[int]:
    """The atoms that no known word covers."""
    covered: set[int] = set()
    for at, edges in enumerate(words):
        covered.update(range(at, max((edge.end for edge in edges), default=at)))
    return {at for at, atom in enumerate(line) if at not in covered and atom.kind != "p"}


def partless(line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> bool:
    """Whether some word can have no part in any order: it is unknown, or one that orders do not have.

    Numbers and single letters may have one (list numbers, turns, coasts), so they are not asked.
    """
    reached = 0
    for at, (atom, edges) in enumerate(zip(line, words, strict=True)):
        reached = max([reached, *(edge.end for edge in edges if edge.kind != "TALK")])
        if reached <= at and (atom.kind == "c" or (atom.kind == "w" and len(atom.text) > 1)):
            return True
    return False


#: Words of these kinds say little: a name may have been meant where one stands.
_WEAK = frozenset((
    "HEAD", "TURN", "GREET", "PLEASE", "ALSO", "ONE", "TWO", "THREE", "NOUN", "ALL", "REST", "DET", "INF", "OF",
    "PART", "SEASON", "TAIL", "WITH", "ONTO", "OR", "TALK",
))  # fmt: skip


def _latin(
    line: Sequence[Atom], at: int, unknown: set[int], words: Sequence[Sequence[Edge]], lexicon: Lexicon
) -> Iterator[Edge]:
    """Names and verbs that one Latin word, or several of which one is unknown, may have been meant as."""
    word = line[at].text
    if len(word) >= 2 and (at in unknown or _weak(words[at]) or name_expected(line, at, words)):
        yield from _near_word(word, at + 1, lexicon)
    glued = word
    for end in range(at + 1, min(at + _LONGEST, len(line))):
        if line[end].kind != "w":
            if line[end].text in (".", "-", "'") and not line[end].spaced:
                continue
            break
        glued += line[end].text
        if len(glued) >= 7 and any(i in unknown for i in range(at, end + 1)):
            place = near_place(glued, lexicon)
            if place:
                yield Edge("PLACE", end + 1, place, ASKED)


def _near_word(word: str, end: int, lexicon: Lexicon) -> Iterator[Edge]:
    place = near_place(word, lexicon) if len(word) >= MIN_PREFIX else lexicon.beginning(word)
    if place:
        yield Edge("PLACE", end, place, ASKED)
    for coast in (c for c in lexicon.coasts if len(c) == 2 and word.endswith(c) and len(word) > 5):
        place = near_place(word[:-2], lexicon)
        if place:
            yield Edge("PLACE", end, PlaceName(place.sure, coast=lexicon.coasts[coast]), ASKED)
    if len(word) > 3:
        for spelling in _near_verbs(word, lexicon):
            for kind, value in lexicon.verbs[spelling]:
                yield Edge(kind, end, value, ASKED)


@lru_cache(maxsize=2048)
def _near_verbs(word: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The verbs and other words of orders that begin as ``word`` does and are nearly it."""
    found = []
    mine = letter_bits(word)
    for spelling, letters in lexicon.verbs_by_letter.get(word[0], ()):
        limit = 1 if len(spelling) < 6 else 2
        if (mine ^ letters).bit_count() <= 2 * limit and distance(word, spelling, limit) <= limit:
            found.append(spelling)
    return tuple(found)


def near_place(word: str, lexicon: Lexicon) -> PlaceName | None:
    """The provinces whose names are nearest to a Latin word, then those a letter farther; ``None``: none is near."""
    sure, also = _near_provinces(word, lexicon)
    return PlaceName(sure, also) if sure else None


@lru_cache(maxsize=2048)
def _near_provinces(word: str, lexicon: Lexicon) -> tuple[tuple[str, ...], tuple[str, ...]]:
    candidates: list[tuple[str, str, int]] = []
    limit = tolerance(word)
    mine = letter_bits(word)
    for size in range(len(word) - limit, len(word) + limit + 1):
        # in short codes every letter counts: two slips make any code of any other
        bound = min(limit, 1 if size < 5 else 2)
        if abs(size - len(word)) > bound:
            continue
        for spelling, letters, province in lexicon.latin_by_length.get(size, ()):
            if (mine ^ letters).bit_count() <= 2 * bound:
                candidates.append((spelling, province, bound))
    best: dict[str, int] = {}
    for spelling, province, bound in sorted(candidates):
        steps = distance(word, spelling, bound)
        if steps <= bound and steps < best.get(province, 9):
            best[province] = steps
    if not best:
        return (), ()
    least = min(best.values())
    return tuple(p for p, s in best.items() if s == least), tuple(p for p, s in best.items() if s > least)


def _asian(line: Sequence[Atom], at: int, unknown: set[int], lexicon: Lexicon) -> Iterator[Edge]:
    """Names that a run of East Asian characters with an unknown one in it may have been meant as."""
    run = at
    while run < len(line) and line[run].kind == "c" and run - at < 14:
        run += 1
    reachable = [i for i in unknown if at <= i < run]
    if not reachable:
        return
    found: dict[int, list[str]] = {}
    text = "".join(atom.text for atom in line[at:run])
    nearly = {**lexicon.asian_by_end.get(text[:1], {})}
    for last in set(text):
        nearly.update(lexicon.asian_by_end.get(f"…{last}", {}))
    for spelling, province in nearly.items():
        limit = 1 if len(spelling) < 6 else 2
        for size in range(len(spelling) - 1, len(spelling) + 2):
            said = text[:size]
            if len(said) != size or not any(i < at + size for i in reachable) or said == spelling:
                continue
            if (said[0] == spelling[0] or said[-1] == spelling[-1]) and distance(said, spelling, limit) <= limit:
                found.setdefault(at + size, []).append(province)
    for end, provinces in found.items():
        yield Edge("PLACE", end, PlaceName(tuple(dict.fromkeys(provinces))), ASKED)


def any_place(line: Sequence[Atom], words: Sequence[Sequence[Edge]]) -> list[list[Edge]] | None:
    """The words of a line with its one unknown run of one or two words read as some place; ``None`` if there are more."""
    unknown = sorted(unknown_atoms(line, words))
    if not unknown or unknown[-1] - unknown[0] > 1 or any(line[i].kind != "w" for i in unknown):
        return None
    more: list[list[Edge]] = [list(edges) for edges in words]
    said = " ".join(line[i].raw for i in unknown)
    more[unknown[0]].append(Edge("PLACE", unknown[-1] + 1, PlaceName((), closed=f"?{said}"), ASKED))
    return more
