"""Ranked lists for retreats and adjustments to come: ``IF A VIE DISLODGED: BOH, TYR, D``, ``RETREAT A VIE BOH TYR``,
``BUILDS A PAR, F BRE``, ``REMOVALS A RUH, F NTH``.

What a list says is read on the board alone, as nobody knows yet what will stand where: each of its orders is one that could
be possible. Which of them is possible is found out when its phase opens (``judge.play.lists``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from judge.notation.canonical import parse_canonical, write, write_unit
from judge.notation.combine import Purse
from judge.notation.lines import read_line
from judge.notation.reading import Context, Problem, Reading
from judge.rules.board import Board, Unit, UnitType, province_of
from judge.rules.orders import Build, Disband, Move, Order, Waive
from judge.rules.position import Dislodged, Phase, Position

#: So many orders stand in one list.
MOST_ORDERS = 12
#: Longer lines are no lists.
LONGEST = 240
Kind = Literal["retreat", "builds", "removals"]
#: ``if-dislodged`` and ``retreat`` are both of kind ``retreat``; ``if-other``: a condition of another kind, not kept
Opens = Literal["if-dislodged", "retreat", "builds", "removals", "if-other", "always"]

_KINDS: tuple[UnitType, ...] = ("A", "F")
_MARK = "§"
_IF = r"(?:if|in\s+case|wenn|falls|si)"
_BE = r"(?:(?:is|are|gets?|got|was|be|has\s+been|wird|est|sera)\s+)?"
_DISLODGED = r"(?:dislodged|driven\s+out|vertrieben|verdrängt|délogée?s?|delogee?s?)"
_DISLODGED_IF = (
    re.compile(
        rf"{_IF}\b\s*(?:my\s+|the\s+|any\s+unit\s+|meine?\s+|ma\s+|mon\s+)?(?P<unit>[^,;:]{{0,40}}?)\s*\b{_BE}{_DISLODGED}\b"
        r"(?:\s+(?:wird|werden))?\s*(?:then\b|dann\b|alors\b)?\s*[:,\-–—>]*\s*(?P<rest>.*)\Z",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:もし\s*)?(?P<unit>[^、,:]{0,30}?)\s*[がは]?\s*(?:撃退|撃破|駆逐)さ(?:れ|せられ)(?:たら|たなら|た場合|たとき|た時|れば)(?:には|は|に)?"
        r"\s*[、,:]*\s*(?P<rest>.*)\Z"
    ),
    re.compile(
        r"(?:如果|若是?|如|倘若|要是|假如|当|當)\s*(?P<unit>[^,、:]{0,30}?)\s*(?:被|遭到?)\s*(?:击退|擊退|驱逐|驅逐)"
        r"(?:了|时|時|的话|的話|后|後)?\s*[,、:]*\s*(?:则|則|就|那么|那麼)?\s*(?P<rest>.*)\Z"
    ),
)
#: who stands where, who owns what: "IF FRANCE A BUR", "IF NOT F ENG THEN"; a sentence about people ends otherwise
_OTHER_IF = re.compile(
    rf"{_IF}\s+(?:not\s+)?\(?(?:[^\W\d_]+\s+)?(?:not\s+)?(?-i:A|F|ARMY|FLEET)\s+[^\W\d_].{{0,80}}?(?<![.!?])\Z"
    rf"|{_IF}\s+(?:not\s+)?(?:[^\W\d_]+\s+)?(?:a|f|army|fleet)\s+[a-z]{{3}}\s*:?\Z"
    # the word alone may be the end of a sentence that a mail program has wrapped
    rf"|else\s*if\b.{{0,80}}\Z|(?:else|otherwise|sonst|sinon|それ以外|さもなければ|否则|否則)\s*[:,]\Z"
    rf"|(?-i:ELSE|OTHERWISE|SONST|SINON)\Z|(?:それ以外|さもなければ|否则|否則)\Z"
    rf"|{_IF}\b.{{0,80}}\bthen\s*:?\Z",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"(?:always|every\s+time|毎回|常に|いつも|总是|總是|每次|始终|始終)\s*[:,、]*\s*(?P<rest>.*)\Z", re.IGNORECASE
)
_LISTS: tuple[tuple[Opens, re.Pattern[str]], ...] = (
    ("retreat", re.compile(r"(?:retreats?(?:\s+list)?(?![a-z])|撤退先?|後退先)\s*[:]?\s*(?P<rest>\S.*)\Z", re.IGNORECASE)),
    (
        "builds",
        re.compile(r"(?:(?:new\s+)?builds(?:\s+list)?|build\s+list)(?![a-z])\s*:?\s*(?P<rest>.*)\Z", re.IGNORECASE),
    ),
    ("builds", re.compile(r"(?:増強|増設|建造|生产|生產|生産|增建)(?:\s*:\s*(?P<rest>.*)|\s+(?P<several>.*[,、;].*))?\Z")),
    (
        "removals",
        re.compile(r"(?:removals(?:\s+list)?|removal\s+list|disbands)(?![a-z])\s*:?\s*(?P<rest>.*)\Z", re.IGNORECASE),
    ),
    ("removals", re.compile(r"(?:除去|削減|移除|裁撤|裁减|裁減)(?:\s*:\s*(?P<rest>.*)|\s+(?P<several>.*[,、;].*))?\Z")),
)
#: one order alone is written with these words too (増強 A パリ): a list has a colon, several orders, or "always"
_ORDER_WORD = re.compile(r"\A(増強|増設|建造|生产|生產|生産|增建|除去|削減|移除|裁撤|裁减|裁減)\s+(?=[^\s:])")
_END = re.compile(r"\W*(?:end(?:\s*if)?|endif|fi|以上|終わり|おわり|结束|結束)\W*\Z", re.IGNORECASE)
_FRONT = " \t*•·‣▪–—-"
_BETWEEN = re.compile(
    r"\s*(?:[,;、]|(?<![-=])>|\b(?:or|then|oder|ou|dann)\b|または|それから|次に|或者?|然后|然後|再)\s*",
    re.IGNORECASE,
)
_TO = re.compile(r"(?:\s*(?:->|→|=>|[-–—>:,、])\s*|\s*(?:\bto\b|\bnach\b)\s*)+", re.IGNORECASE)
_AWAY = re.compile(r"(?:d|r\s*d|disband(?:s|ed)?|off|otb|destroy(?:ed)?|auflösen|dissoudre|解散|解体|全滅)\Z", re.IGNORECASE)
_RANK = re.compile(r"\(?\d{1,2}[.):]\s*")


@dataclass(frozen=True, slots=True)
class Head:
    """A line that begins a list: what kind, the words for its unit, and the orders that follow on the line (``rest``)."""

    opens: Opens
    unit: str = ""
    rest: str = ""
    always: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A list: canonical orders, the first that is possible first. ``unit``: whose retreats they are (``A VIE``), ``always``:
    it stands for all such phases to come. A fleet's coast is not part of what makes its unit known."""

    kind: Kind
    orders: tuple[str, ...]
    unit: str = ""
    always: bool = False

    @property
    def key(self) -> tuple[str, str, bool]:
        """What a later list of the same key takes the place of."""
        return self.kind, self.unit.partition("/")[0], self.always

    def stored(self) -> list[str]:
        """The list as kept lines."""
        return [f"{_MARK} {'always' if self.always else 'once'} {self.kind} {self.unit}".rstrip(), *self.orders]


def of_stored(lines: Sequence[str]) -> Ranked | None:
    """The list that kept lines are, or ``None``: they are lines as written."""
    if not lines or not lines[0].startswith(_MARK):
        return None
    _, how, kind, *unit = lines[0].split(" ", 3)
    return Ranked(kind, tuple(lines[1:]), unit[0] if unit else "", how == "always")  # type: ignore[arg-type]


def as_written(line: str) -> str:
    """A line to be kept as written, so that it is never taken for the head of a list."""
    return line.lstrip(_MARK) if line.startswith(_MARK) else line


def head_of(line: str) -> Head | None:
    """The list that a line begins, by its words alone; ``None``: it begins none."""
    plain = _plain(line)
    if plain is None:
        return None
    always = _ALWAYS.match(plain)
    if always is not None:
        plain = always["rest"].strip()
        if not plain:
            return Head("always", always=True)
        plain = _ORDER_WORD.sub(r"\1:", plain)
    for pattern in _DISLODGED_IF:
        found = pattern.match(plain)
        if found is not None:
            return Head("if-dislodged", found["unit"].strip(" ,:"), found["rest"].strip(" ,:、"), always is not None)
    if _OTHER_IF.match(plain):
        return Head("if-other")
    for opens, pattern in _LISTS:
        found = pattern.match(plain)
        if found is not None:
            words = found.groupdict()
            return Head(opens, "", (words["rest"] or words.get("several") or "").strip(), always is not None)
    return None


def holds_no_order(line: str) -> bool:
    """Whether a line is a condition whose orders can only stand below it, perhaps behind a turn: they are not for now."""
    if len(line) > LONGEST:
        return False
    for begin in (0, *(blank.end() for blank in islice(re.finditer(r"[\s:：]+", line), 4))):
        head = head_of(line[begin:])
        if head is not None and head.opens in ("if-dislodged", "if-other") and not head.rest:
            return True
    return False


def ends(line: str) -> bool:
    """Whether a line closes a list: ``END``, ``ENDIF``."""
    return len(line) < 40 and _END.match(line) is not None


def _plain(line: str) -> str | None:
    if len(line) > LONGEST:
        return None
    return " ".join(unicodedata.normalize("NFKC", line).split()).strip(_FRONT).rstrip(".;。 ") or None


@dataclass(frozen=True, slots=True)
class Item:
    """One order of a list as it was read: ``order`` (canonical), or why there is none (``problems``, ``suggestions``)."""

    words: str
    order: str = ""
    problems: tuple[Problem, ...] = ()
    suggestions: tuple[str, ...] = ()


class Lists:
    """Reads the words of lists for one power. Everything that one instance reads is paid out of one purse."""

    def __init__(self, context: Context, purse: Purse) -> None:
        self.context, self.purse = context, purse
        self.power = context.power or ""

    # units

    def unit(self, words: str) -> Unit | None:
        """The unit that words name, wherever the power's units stand; ``None``: they name none, or not which kind."""
        text = words.strip(" :,-、")
        if not text or len(text) > 60:
            return None
        # a build is the one order that says kind, place and coast of a unit that need not stand anywhere
        reading = self._read(f"build {text}", "A", owner=True)
        said = [order for order in reading.orders if isinstance(order, Build)]
        if len(said) == 1 and said[0].type is not None:
            return self._as_it_stands(self._checked(said[0].type, said[0].at), text)
        places = _places(reading, self.context.board)
        maybe = [one for one in self._own() if one.province in set(map(province_of, places))]
        kinds = [kind for kind in _KINDS if any(at in self.context.board.standing[kind] for at in places)]
        if len(set(map(province_of, places))) != 1 or reading.orders:
            return None
        if maybe and maybe[0].type in kinds:
            return maybe[0]
        return (
            self._checked(kinds[0], next(at for at in places if at in self.context.board.standing[kinds[0]]))
            if (len(kinds) == 1)
            else None
        )

    def _checked(self, kind: UnitType, at: str) -> Unit | None:
        return Unit(self.power, kind, at) if at in self.context.board.standing[kind] else None

    def _as_it_stands(self, unit: Unit | None, text: str) -> Unit | None:
        """A fleet at the coast where it stands now, if the words name none."""
        same = [one for one in self._own() if unit is not None and one.province == unit.province and one.type == unit.type]
        return same[0] if same and "/" not in text else unit

    def _own(self) -> list[Unit]:
        position = self.context.position
        return [u for u in (*position.units, *(d.unit for d in position.dislodged)) if u.power == self.power]

    def unit_in_front(self, words: str) -> tuple[Unit, str] | None:
        """The unit that words begin with, and the words behind it."""
        text = words.strip()
        apart = _TO.search(text)
        cut = apart.start() if apart else -1
        tokens = [hit.end() for hit in re.finditer(r"\S+", text[:80])][:6]
        for end in sorted({*tokens, *([cut] if 0 < cut < 60 else [])}, reverse=True):
            if cut >= 0 and end > cut:
                continue
            unit = self.unit(text[:end])
            if unit is not None:
                return unit, text[end:].strip()
        return None

    # orders

    def retreats(self, unit: Unit, words: str) -> list[Item]:
        """The retreats of a unit that words name, in their order."""
        return [item for part in self._parts(words) for item in self._retreats_of(unit, part)]

    def _retreats_of(self, unit: Unit, part: str) -> Iterator[Item]:
        item = self._retreat(unit, part)
        tokens = part.split(" ")
        if item.order or len(tokens) == 1 or len(tokens) > MOST_ORDERS:
            yield item
            return
        several = []
        while tokens:  # places side by side, each of as many words as it takes
            for count in range(min(3, len(tokens)), 0, -1):
                one = self._retreat(unit, " ".join(tokens[:count]), forms=1)
                if one.order:
                    break
            else:
                yield item
                return
            several.append(one)
            del tokens[:count]
        yield from several

    def _retreat(self, unit: Unit, words: str, forms: int = 3) -> Item:
        """One retreat: a word for its end, a place, a whole order of the unit, or what stands behind the unit in one; the
        first ``forms`` of these are tried."""
        text, place = write_unit(unit), _TO.sub("", words, count=1) if _TO.match(words) else words
        if _AWAY.match(words):
            return Item(words, write(Disband(unit.type, unit.at)))
        first = None
        for said in (f"{text} - {place}", words, f"{text} {words}")[:forms]:
            reading = self._read(said, "R", unit)
            item = self._item(words, reading)
            ours = reading.legal[0] if item.order else None
            if ours is not None and not isinstance(ours, Waive) and province_of(ours.at) == unit.province:
                return item
            if first is None or (not first.suggestions and reading.kind != "not-an-order"):
                first = replace(item, order="")
        return first or Item(words)

    def builds(self, words: str) -> list[Item]:
        """The builds that words name, in their order."""
        return [self._build(part) for part in self._parts(words)]

    def _build(self, words: str) -> Item:
        """One build: a unit and its place alone, or a whole order."""
        plain = self._item(words, self._read(words, "A", owner=True))
        return plain if plain.order else self._item(words, self._read(f"build {words}", "A", owner=True))

    def removals(self, words: str) -> list[Item]:
        """The units to be removed that words name, in their order."""
        found = []
        for part in self._parts(words):
            unit = self.unit(re.sub(r"\s+(?:d|disbands?|解散)\Z", "", part, flags=re.IGNORECASE))
            problems = () if unit else (Problem("read.no-order"),)
            found.append(Item(part, write(Disband(unit.type, unit.at)) if unit else "", problems))
        return found

    def _parts(self, words: str) -> list[str]:
        parts = [_RANK.sub("", part, count=1).strip(" .:") for part in _BETWEEN.split(words) if part]
        return [part for part in parts if part][: MOST_ORDERS + 1]

    def _item(self, words: str, reading: Reading) -> Item:
        if reading.kind == "order" and len(reading.legal) == 1:
            return Item(words, write(reading.legal[0]))
        return Item(words, "", reading.problems or (Problem("read.no-order"),), reading.suggestions)

    def _read(self, text: str, kind: Literal["R", "A"], fallen: Unit | None = None, owner: bool = False) -> Reading:
        """Read words on a board where nobody stands in the way: ``fallen`` dislodged and every way open to it, every centre
        the power's (``owner``)."""
        here = self.context.position.phase
        phase = Phase("W" if kind == "A" else "S", here.year, kind)
        board = self.context.board
        owners = dict.fromkeys(board.supply_centres(), self.power) if owner else {}
        dislodged = () if fallen is None else (Dislodged(fallen, "", False, _ways(board, fallen)),)
        position = Position(phase, (), owners, dislodged)
        return read_line(text, replace(self.context, position=position), purse=self.purse)


def _ways(board: Board, unit: Unit) -> tuple[str, ...]:
    """Where a unit could go if nobody stood anywhere; a fleet from any coast of its province, as it may come to another."""
    reach = board.army if unit.type == "A" else board.fleet
    coasts = [unit.at] if unit.type == "A" else [at for at in board.locations(unit.province) if at in reach]
    return tuple(sorted({to for at in coasts for to in reach.get(at, ())}))


def _places(reading: Reading, board: Board) -> list[str]:
    """The places between which words leave open where a unit is built."""
    codes = {problem.code: problem for problem in reading.problems}
    if "read.place-open" in codes:
        places = codes["read.place-open"].args.get("places", ())
        return [str(at) for at in places] if isinstance(places, tuple) else []
    if not codes.keys() & {"read.which", "read.coast-open"}:
        return []
    return [order.at for order in (parse_canonical(text, board) for text in reading.suggestions) if isinstance(order, Build)]


def order_at(text: str, unit: Unit, board: Board) -> Order:
    """An order of a list as an order of the unit that really stands there (a fleet may be at another coast)."""
    order = parse_canonical(text, board)
    if isinstance(order, Build | Waive):
        return order
    if isinstance(order, Move):
        return Move(unit.type, unit.at, order.to)
    return Disband(unit.type, unit.at)
