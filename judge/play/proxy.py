"""Proxy orders (``orders.proxy``, DATC 4.E.5): a player lets another power order a unit for the open phase.

``PROXY A MAR TO ENGLAND`` hands one unit over, ``PROXY ALL TO ENGLAND`` all of them, ``PROXY A MAR OFF`` and ``PROXY OFF``
take them back. What the other power orders for the unit counts; the owner's own order for it stays on file and counts only
where none comes from there. Whoever holds a unit orders it as one of the own, and cannot hand it on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.notation import Context, Reading, parse_canonical, read_line, read_lines
from judge.notation.combine import Purse
from judge.notation.mail import MAIL_BUDGET
from judge.notation.recipients import read_recipients
from judge.play.judge import Judge, Table
from judge.play.onfile import handed
from judge.play.posting import write_to_seat
from judge.play.receipts import Why
from judge.rules.board import Unit, province_of
from judge.rules.orders import Build, Order, Waive
from judge.store import Store, games, orders, proxies
from judge.store.inbox import StoredMail
from judge.store.proxies import Handed
from judge.variants.names import load_names

Reader = Callable[[Sequence[str], Context], Sequence[Reading]]

#: So many proxy lines of one mail are obeyed: more than any power has units.
MOST_LINES = 60
_WORD = r"[\s>*_-]*(?:proxy|委任|代理|委託|委托)"
_LINE = re.compile(
    rf"{_WORD}\s+(?:(?P<unit>\S.{{0,60}}?)\s*(?:\bto\b|->|→|を|交給|交给|給|给)\s*(?P<power>\S.{{0,40}}?)\s*[にへ]?"
    rf"|(?:(?P<back>\S.{{0,60}}?)\s+)?(?:off|取り消し|取消|解除|撤回|收回))[\s.。!！]*\Z",
    re.IGNORECASE,
)
_ALL = frozenset(
    {"all", "all units", "all my units", "everything", "全て", "すべて", "全ユニット", "全部", "所有单位", "所有單位"}
)


@dataclass(frozen=True, slots=True)
class ProxyLine:
    """A line that hands units over, or takes them back (``power`` empty). ``unit`` as written; empty: all of them."""

    line: str
    unit: str
    power: str


def parse(line: str) -> ProxyLine | None:
    """The proxy line that a whole line is, or ``None``."""
    found = _LINE.match(unicodedata.normalize("NFKC", line[:200]).strip()) if len(line) <= 200 else None
    if found is None:
        return None
    unit = (found["unit"] or found["back"] or "").strip()
    return ProxyLine(line.strip(), "" if unit.casefold() in _ALL else unit, (found["power"] or "").strip())


def lent(store: Store, table: Table, power: str) -> tuple[Handed, ...]:
    """The units of others that are in the hands of ``power`` in the table's phase."""
    return tuple(one for one in handed(store, table) if one.proxy == power)


def read_all(
    table: Table, power: str, lines: Sequence[str], hands: Sequence[Handed], read: Reader = read_lines
) -> Sequence[Reading]:
    """The lines of a mail of ``power`` read as orders for its own units and for those in its hands (``hands``, as of
    :func:`lent`); ``read``: ``read_lines``, or ``read_apart`` for lines that have nothing to do with each other.

    A line that orders nothing of its own, and resembles no such order, is read as its owner would write it, for each owner
    of such a unit.
    """
    names = load_names(table.board.name)
    own = read(lines, Context(table.board, names, table.position, power, table.rules))
    readings = list(own)
    for owner in dict.fromkeys(one.power for one in hands):
        places = {one.place for one in hands if one.power == owner}
        theirs = read(lines, Context(table.board, names, table.position, owner, table.rules))
        for at, reading in enumerate(theirs):
            mine = readings[at]
            own_says = mine.legal or (mine.kind == "ambiguous" and mine.suggestions)
            about_them = None if own_says else _about(reading, places, table)
            readings[at] = about_them or mine
    return readings if hands else own


def _about(reading: Reading, places: Collection[str], table: Table) -> Reading | None:
    """A reading by the owner of units, if it is about those in ``places``, with no suggestion for any other unit."""

    def is_there(order: Order) -> bool:
        return not isinstance(order, Waive) and province_of(order.at) in places

    near = tuple(text for text in reading.suggestions if is_there(parse_canonical(text, table.board)))
    if not all(map(is_there, reading.orders)) or not (reading.orders or near):
        return None
    return replace(reading, suggestions=near)


def others_unit(store: Store, table: Table, power: str, order: Order) -> Unit | None:
    """The unit of an order, if it is another power's and not in the hands of ``power``."""
    if isinstance(order, Build | Waive):
        return None  # what is built is no unit yet
    place = province_of(order.at)
    fallen = [one.unit for one in table.position.dislodged]
    units = fallen if table.position.phase.kind == "R" else table.position.units
    unit = next((one for one in units if one.province == place and one.power != power), None)
    return None if any(one.place == place for one in lent(store, table, power)) else unit


def obey(
    judge: Judge, table: Table, power: str, mail: StoredMail, lines: Sequence[ProxyLine], now: datetime
) -> tuple[list[tuple[str, list[Why], list[str]]], int]:
    """Do what the proxy lines of a mail come to, the last word for each unit, and tell every other power at most once of
    what it was given, and once of what was taken. Returns the lines that could not be obeyed, and why; and how many
    were obeyed."""
    refused: list[tuple[str, list[Why], list[str]]] = []
    before = {one.place: one.proxy for one in handed(judge.store, table) if one.power == power}
    wanted = dict(before)
    purse = Purse(MAIL_BUDGET)
    for said in lines[:MOST_LINES]:
        why = _work_out(judge.store, table, power, said, before, wanted, purse)
        if why is not None:
            refused.append((said.line, [Why(why)], []))
    obeyed = len(lines[:MOST_LINES]) - len(refused)
    if len(lines) > MOST_LINES:
        refused.append((lines[MOST_LINES].line, [Why("note.proxy-too-many", {"most": MOST_LINES})], []))
    take_back(judge, table, power, [at for at, proxy in before.items() if wanted.get(at) != proxy], mail, now)
    fresh = {at: proxy for at, proxy in wanted.items() if before.get(at) != proxy}
    for at, proxy in fresh.items():
        proxies.hand_over(judge.store, table.phase.id, Handed(power, at, proxy), mail.id, now)
    for proxy in dict.fromkeys(fresh.values()):
        _tell(judge, table, "proxy-given", power, proxy, [at for at in fresh if fresh[at] == proxy], mail, now)
    return refused, obeyed


def _work_out(
    store: Store,
    table: Table,
    power: str,
    said: ProxyLine,
    before: Mapping[str, str],
    wanted: dict[str, str],
    purse: Purse,
) -> str | None:
    """Change ``wanted`` (province -> who shall have the unit there) as one line says, or say why not (a code of
    ``judge.render.notes``). ``before``: who had them when the mail came."""
    if table.rules.orders_proxy == "no":
        return "note.no-proxies"
    if table.position.phase.kind == "A":
        return "note.proxy-units-only"
    places = _places(table, power, said.unit, purse)
    if not places:
        return "note.proxy-unclear"
    if not said.power:
        away = [place for place in places if place in before or place in wanted]
        for place in away:
            wanted.pop(place, None)
        return None if away else "note.proxy-not-handed"
    to = read_recipients(said.power, table.board)
    if len(to.powers) != 1 or to.everybody or to.unknown or to.powers[0] == power:
        return "note.proxy-unclear"
    if not games.seat(store, table.game.id, to.powers[0]).address:
        return "note.proxy-nobody"
    wanted.update(dict.fromkeys(places, to.powers[0]))
    return None


def _places(table: Table, power: str, unit: str, purse: Purse) -> list[str]:
    """The provinces of the units that a line names; empty: it names none, or not clearly one."""
    if not unit:
        standing = table.position.units_of(power)
        fallen = tuple(d.unit for d in table.position.dislodged if d.unit.power == power)
        return [one.province for one in (fallen if table.position.phase.kind == "R" else standing)]
    verb = "D" if table.position.phase.kind == "R" else "H"
    context = Context(table.board, load_names(table.board.name), table.position, power, table.rules)
    reading = read_line(f"{unit} {verb}", context, purse=purse)
    if reading.kind != "order" or len(reading.legal) != 1 or isinstance(reading.legal[0], Waive):
        return []
    return [province_of(reading.legal[0].at)]


def take_back(
    judge: Judge, table: Table, power: str, places: Sequence[str], mail: StoredMail, now: datetime, extra: str = ""
) -> None:
    """Take units out of other hands, with what was ordered for them there and the questions about such orders."""
    back = proxies.take_back(judge.store, table.phase.id, power, places, now)
    for proxy in dict.fromkeys(one.proxy for one in back):
        mine = [one.place for one in back if one.proxy == proxy]
        for place in mine:
            orders.drop(judge.store, table.phase.id, proxy, place)
        _drop_questions(judge.store, table, proxy, mine)
        _tell(judge, table, "proxy-taken", power, proxy, mine, mail, now, extra)


def _drop_questions(store: Store, table: Table, proxy: str, places: Sequence[str]) -> None:
    """Drop what ``proxy`` was asked about orders for the units in ``places`` alone. (Of what is asked about other units as
    well, the answer counts for those.)"""
    for question in orders.open_questions(store, table.phase.id, proxy):
        asked = [parse_canonical(text, table.board) for texts in question.choices for text in texts]
        units = {None if isinstance(order, Build | Waive) else province_of(order.at) for order in asked}
        if units and units <= set(places):
            orders.drop_question(store, question.id)


def take_all_back(judge: Judge, table: Table, power: str, mail: StoredMail, now: datetime) -> int:
    """CLEAR: all units of ``power`` are its own to order again. Returns how many were in other hands."""
    mine = [one.place for one in handed(judge.store, table) if one.power == power]
    take_back(judge, table, power, mine, mail, now, "clear")
    return len(mine)


def _tell(
    judge: Judge,
    table: Table,
    code: str,
    owner: str,
    proxy: str,
    places: Sequence[str],
    mail: StoredMail,
    now: datetime,
    extra: str = "",
) -> None:
    """A notice to the power whose hands units came into, or were taken out of."""
    args = {"code": code, "args": {"power": owner, "places": list(places)}, "by": None, "why": None}
    seat = games.seat(judge.store, table.game.id, proxy)
    write_to_seat(judge, table, seat, "notice", args, now, extra=f"{code} {mail.id} {extra}")


def told(store: Store, table: Table, power: str) -> list[list[str]]:
    """What a receipt says of units in other hands: (province, owner, who orders it), of those of ``power`` and with it."""
    return [[one.place, one.power, one.proxy] for one in handed(store, table) if power in (one.power, one.proxy)]
