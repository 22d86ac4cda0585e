"""Which words can begin at a place of a line, and what each of them may be: the known spellings, all languages at once.

Players mix languages and scripts, so nothing is guessed about the language of a line; every spelling is looked up, every
meaning is kept, and the grammar decides which of them make an order out of the whole line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from judge.notation.text import Atom, atoms, letters
from judge.variants.names import Names
from judge.variants.words import load_words

#: A name may be written with one of these between its words (N.Sea, Mid-Atlantic, St-Pétersbourg, L'pool).
_GAPS = {".", "-", "'", "・", "·", ",", "="}
#: The shortest beginning of a name that is read as that name.
MIN_PREFIX = 3
#: Words that begin the names of several seas: by themselves they are no beginning of one.
_GENERIC = frozenset((
    "mer", "mar", "mare", "golf", "golfe", "golfo", "gulf", "canal", "canale", "bahia", "baie", "baia", "ocean",
    "oceano", "mid", "the", "la", "le", "les", "north", "nord", "norte", "east", "west",
))  # fmt: skip


#: A listed spelling of a sea (of the Gulf of Bothnia) that is an everyday word as well.
_BOTH = ("both",)


@dataclass(frozen=True, slots=True)
class PlaceName:
    """What a spelling of a place may mean.

    ``sure``: the provinces it stands for (several: none more than another, as ``liv``); ``also``: those people
    sometimes mean by it, asked about when the sure one is out of reach (``nor``, ``tyr``). ``closed``: it names what
    nobody may enter. ``coast``: a coast that is part of the spelling (``SpaSC``).
    """

    sure: tuple[str, ...]
    also: tuple[str, ...] = ()
    closed: str = ""
    coast: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A known word from one place of the line to another: its kind and value.

    ``cost`` counts what makes the reading less likely.
    """

    kind: str
    end: int
    value: object = None
    cost: int = 0


@dataclass(slots=True)
class _Entry:
    """One spelling: its atoms' texts, and what it means."""

    words: tuple[str, ...]
    kind: str
    value: object
    case: str = ""


@dataclass(eq=False)
class Lexicon:
    """All spellings of one board's names and of the words of orders. Made once a board by :func:`lexicon`."""

    names: Names
    #: first word -> entries, the longest first
    entries: dict[str, list[_Entry]] = field(default_factory=lambda: defaultdict(list))
    #: (glued small letters, province, letters of the first word), sorted: for beginnings and near misses of Latin names
    latin: list[tuple[str, str, int]] = field(default_factory=list)
    #: length -> (spelling, its letters as bits, province)
    latin_by_length: dict[int, list[tuple[str, int, str]]] = field(default_factory=lambda: defaultdict(list))
    #: spelling in East Asian characters -> province
    asian: dict[str, str] = field(default_factory=dict)
    #: the same (three characters or more) by first character, and by last one after "…"
    asian_by_end: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    #: Latin words of orders and powers, for near misses: spelling -> (kind, value)
    verbs: dict[str, list[tuple[str, object]]] = field(default_factory=lambda: defaultdict(list))
    #: first letter -> (spelling of more than three letters, its letters as bits)
    verbs_by_letter: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    coasts: dict[str, str] = field(default_factory=dict)
    #: their spellings of two letters or more, which may be glued to a place
    coast_ends: tuple[str, ...] = ()
    places: dict[str, PlaceName] = field(default_factory=dict)
    #: all Latin spellings of one word
    whole: set[str] = field(default_factory=set)
    #: words for army and fleet in the languages in which "a" means "to"
    romance: set[str] = field(default_factory=set)

    # filling

    def add(self, spelling: str, kind: str, value: object) -> None:
        """Add one spelling (``^`` before it: in capitals only, ``_``: in small letters only)."""
        case = spelling[0] if spelling[:1] in "^_" and len(spelling) > 1 else ""
        for variant in _transcriptions(spelling.removeprefix(case)):
            words = tuple(a.text for a in _spelling_atoms(variant))
            for glued in _gluings(words) if kind == "PLACE" else (words,):
                self._enter(_Entry(glued, kind, value, case))

    def _enter(self, entry: _Entry) -> None:
        same = self.entries[entry.words[0]]
        if any(
            e.words == entry.words and e.kind == entry.kind and e.value == entry.value and e.case == entry.case for e in same
        ):
            return
        same.append(entry)
        if len(entry.words) == 1:
            self.whole.add(entry.words[0])

    def finish(self) -> None:
        """Sort what was added."""
        for entries in self.entries.values():
            entries.sort(key=lambda e: -len(e.words))
        self.latin = sorted(set(self.latin))
        self.coast_ends = tuple(coast for coast in self.coasts if len(coast) > 1)
        for spelling, province, _ in self.latin:
            self.latin_by_length[len(spelling)].append((spelling, letter_bits(spelling), province))
        for spelling in self.verbs:
            if len(spelling) > 3:
                self.verbs_by_letter[spelling[0]].append((spelling, letter_bits(spelling)))
        for spelling, province in self.asian.items():
            if len(spelling) > 2:
                self.asian_by_end[spelling[0]][spelling] = province
                self.asian_by_end["…" + spelling[-1]][spelling] = province

    # looking up

    def edges(self, line: Sequence[Atom]) -> list[list[Edge]]:
        """Every known word that begins at each of the atoms of a line."""
        shouted = self._shouted(line)
        return [list(self._edges_at(line, at, shouted)) for at in range(len(line))]

    def _edges_at(self, line: Sequence[Atom], start: int, shouted: bool) -> Iterator[Edge]:
        atom = line[start]
        for entry in self.entries.get(atom.text, ()):
            end = 0 if entry.case and not _fits(entry, atom.raw, shouted) else _match(entry, line, start)
            if end and not (entry.kind == "PLACE" and entry.words == _BOTH and _both_of_them(line, start)):
                yield Edge(entry.kind, end, entry.value)
        if atom.kind == "w":
            yield from self._glued(atom, line, start)

    def _shouted(self, line: Sequence[Atom]) -> bool:
        """Whether a line is all in capitals and has a Romance word for a unit: its A is no unit letter but a preposition
        (EJÉRCITO MARSELLA A ESPAÑA)."""
        words = [atom for atom in line if atom.kind == "w"]
        return any(atom.text in self.romance for atom in words) and all(atom.raw.isupper() for atom in words)

    def _glued(self, atom: Atom, line: Sequence[Atom], start: int) -> Iterator[Edge]:
        """Beginnings of names, and two words written as one, where the whole word is unknown."""
        word = atom.text
        known = self.whole & {word}
        if not known and len(word) >= MIN_PREFIX:
            place = self.beginning(word)
            if place:
                yield Edge("PLACE", start + 1, place)
        if not known and len(word) > 3 and word.endswith(self.coast_ends):
            for coast, name in self.coasts.items():
                if word.endswith(coast) and len(coast) > 1:
                    place = self.places.get(word[: -len(coast)])
                    if place and not place.closed:
                        yield Edge("PLACE", start + 1, PlaceName(place.sure, place.also, coast=name))

    def unglued(self, line: tuple[Atom, ...]) -> tuple[Atom, ...]:
        """The line with unit letters cut off the places that they were written to (``APar``, ``FBre``)."""
        if not any(atom.kind == "w" and self._letter_on(atom.text) for atom in line):
            return line
        found: list[Atom] = []
        for atom in line:
            if atom.kind == "w" and self._letter_on(atom.text):
                cut = atom.start + 1
                found.append(atom._replace(text=atom.text[0], raw=atom.raw[0], end=cut))
                found.append(atom._replace(text=atom.text[1:], raw=atom.raw[1:], start=cut, spaced=False))
            else:
                found.append(atom)
        return tuple(found)

    def _letter_on(self, word: str) -> bool:
        known = word in self.whole or len(word) <= MIN_PREFIX or word[0] not in "af"
        return not known and word[1:] in self.places and not self.places[word[1:]].closed and not self.beginning(word)

    def beginning(self, word: str) -> PlaceName | None:
        """The provinces with a Latin name that begins with ``word``.

        A beginning that goes on into the second word must have three letters of it (MidAtl, but not MarB).
        """
        if word in _GENERIC:
            return None
        found: list[str] = []
        index = bisect_left(self.latin, (word, "", 0))
        while index < len(self.latin) and self.latin[index][0].startswith(word):
            _, province, first = self.latin[index]
            if province not in found and not first < len(word) < first + MIN_PREFIX:
                found.append(province)
            index += 1
        return PlaceName(tuple(found)) if found else None


def _fits(entry: _Entry, raw: str, shouted: bool) -> bool:
    """Whether a word for capitals or small letters only is written so."""
    if entry.case == "^" or raw.islower():
        return raw.isupper() == (entry.case == "^")
    return shouted


def letter_bits(word: str) -> int:
    """The letters of a word as bits of a number (letters that are alike modulo 61 share one): words that differ in more of
    them than slips could change need no closer look."""
    found = 0
    for letter in word:
        found |= 1 << ord(letter) % 61
    return found


def _spelling_atoms(spelling: str) -> tuple[Atom, ...]:
    """The atoms of a listed spelling; signs that only part its words are left out, as they may be in a line."""
    found = atoms(letters(spelling))
    return tuple(a for a in found if a.kind != "p" or a.text in "'+&") or found


def _both_of_them(line: Sequence[Atom], start: int) -> bool:
    """Whether "both" speaks of two units (Both hold) and is not the sea (F Both - Swe, Bal-Both)."""
    after = line[start + 1] if start + 1 < len(line) else None
    begins = start == 0 or line[start - 1].text in (",", ";", ".", "and")
    return begins and after is not None and after.kind == "w"


def _transcriptions(spelling: str) -> Iterator[str]:
    """The spelling, and with ä ö ü written out as German typewriters do."""
    yield spelling
    plain = spelling.lower()
    written = plain.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    if written != plain:
        yield written


def _gluings(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """All ways to write neighbouring words of a Latin name as one (NorwegianSea)."""
    if len(words) < 2 or len(words) > 5 or not all(w.isascii() and w.isalnum() for w in words):
        return (words,)
    ways: list[tuple[str, ...]] = [(words[0],)]
    for word in words[1:]:
        ways = [way for head in ways for way in ((*head, word), (*head[:-1], head[-1] + word))]
    return ways


def _match(entry: _Entry, line: Sequence[Atom], start: int) -> int:
    """The atom after ``entry`` if it stands at ``start``, else 0. Between the words of a name gaps may stand."""
    at = start + 1
    for word in entry.words[1:]:
        at = _skip_gaps(line, at, word)
        if at >= len(line) or not _same(line[at], word):
            return 0
        if line[at].group and line[at].group != line[start].group:
            return 0
        at += 1
    return at


def _same(atom: Atom, word: str) -> bool:
    # the long mark of katakana typed as a dash, as on keyboards without it
    return atom.text == word or (word == "ー" and atom.text == "-" and not atom.spaced)


def _skip_gaps(line: Sequence[Atom], at: int, word: str) -> int:
    """Pass over one or two gap signs, unless the word itself is such a sign; a dash with blanks round it is no gap."""
    passed = 0
    while at < len(line) and passed < 2 and line[at].text in _GAPS and line[at].text != word:
        sign = line[at]
        loose = sign.spaced or (at + 1 < len(line) and line[at + 1].spaced)
        if word == "ー" or (sign.text in "-,=" and (loose or sign.text != "-")):
            break
        at += 1
        passed += 1
    return at


# ── building ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_LEXICONS: WeakKeyDictionary[Names, Lexicon] = WeakKeyDictionary()

_SIGNS = {
    "-": "ARROW", ">": "ARROW", "~": "ARROW", ",": "COMMA", ";": "SEMI", ".": "DOT", ":": "COLON", "/": "SLASH",
    "!": "DOT", "・": "COMMA", "…": "DOT", "&": "AND", "+": "PLUS", "=": "EQUALS", "'": "POSS",
    "@": "AT",
}  # fmt: skip


def lexicon(names: Names) -> Lexicon:
    """The lexicon of a board's names."""
    found = _LEXICONS.get(names)
    if found is None:
        found = _LEXICONS[names] = _build(names)
    return found


def _build(names: Names) -> Lexicon:
    lex = Lexicon(names)
    for place in _place_names(names).items():
        _add_place(lex, *place)
    for table in names.closed.values():
        for name, spellings in table.items():
            for spelling in spellings:
                _add_place(lex, spelling, PlaceName((), closed=name))
    for table in names.coasts.values():
        for coast, spellings in table.items():
            for spelling in spellings:
                lex.add(spelling, "COAST", coast)
                lex.coasts.setdefault(_glue(spelling), coast)
    _add_powers(lex, names)
    _add_words(lex)
    for sign, kind in _SIGNS.items():
        lex.entries[sign].append(_Entry((sign,), kind, sign))
    lex.entries["・"].append(_Entry(("・",), "POINT", "・"))
    lex.finish()
    return lex


def _place_names(names: Names) -> dict[str, PlaceName]:
    """Spelling -> what it may mean; the lists of doubtful ones go before the plain tables."""
    found: dict[str, PlaceName] = {}
    for table in names.provinces.values():
        for province, spellings in table.items():
            for spelling in spellings:
                found[spelling] = PlaceName((province,))
    for province in names.board.provinces:
        found.setdefault(province, PlaceName((province,)))
    doubtful = {_glue(s): PlaceName(p) for s, p in names.either.items()}
    doubtful |= {_glue(s): PlaceName(p[:1], p[1:]) for s, p in names.asked.items()}
    found = {spelling: doubtful.get(_glue(spelling), place) for spelling, place in found.items()}
    for spelling in (*names.either, *names.asked):
        found[spelling] = doubtful[_glue(spelling)]
    return found


def _add_place(lex: Lexicon, spelling: str, place: PlaceName) -> None:
    lex.add(spelling, "PLACE", place)
    glued = _glue(spelling)
    if glued.isascii():
        lex.places.setdefault(glued, place)
        if len(place.sure) == 1 and not place.also:
            for variant in _transcriptions(spelling):
                words = [atom.text for atom in _spelling_atoms(variant)]
                # initials (G of B, N Sea) are no beginnings of longer names
                if len(words[0]) >= MIN_PREFIX or words[0] == "st":
                    lex.latin.append((_glue(variant), place.sure[0], len(words[0])))
    elif place.sure:
        lex.asian.setdefault(glued, place.sure[0])


def _add_powers(lex: Lexicon, names: Names) -> None:
    for table in names.powers.values():
        for power, spellings in table.items():
            for spelling in spellings:
                lex.add(spelling, "POWER", power)
                lex.verbs[_glue(spelling)].append(("POWER", power))
    initials: Mapping[str, str] = {power[0].lower(): power for power in names.board.powers}
    for initial, power in initials.items():
        if sum(p[0].lower() == initial for p in names.board.powers) == 1:
            lex.add(initial, "INITIAL", power)


def _add_words(lex: Lexicon) -> None:
    for language, table in load_words().items():
        for kind, spellings in table.items():
            name, _, value = kind.partition(":")
            if name == "LINE":
                continue  # no words of orders
            if name == "UNIT" and language in ("fr", "es", "it"):
                lex.romance |= {_glue(spelling) for spelling in spellings if len(spelling) > 3}
            for spelling in spellings:
                lex.add(spelling, name, value or name)
                if name in _NEAR_KINDS:
                    lex.verbs[_glue(spelling.lstrip("^_"))].append((name, value or name))


#: Kinds of words that are looked for when a word is unknown but nearly one of them.
_NEAR_KINDS = frozenset(["UNIT", "MOVE", "HOLD", "SUP", "CON", "BYCON", "RET", "DIS", "BUILD", "WAIVE"])


def _glue(spelling: str) -> str:
    return "".join(a.text for a in _spelling_atoms(spelling))
