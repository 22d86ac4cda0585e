"""Proxy orders (``orders.proxy``, DATC 4.E.5): a player lets another power order a unit for the open phase.

``PROXY A MAR TO ENGLAND`` hands one unit over, ``PROXY ALL TO ENGLAND`` all of them, ``PROXY A MAR OFF`` and ``PROXY OFF``
take them back. What the other power orders for the unit counts; the owner's own order for it stays on file and counts only
where none comes from there. Whoever holds a unit orders it as one of the own, and cannot hand it on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.notation import Context, Reading, parse_canonical, read_line, read_lines
from judge.notation.recipients import read_recipients
from judge.play.judge import Judge, Table
from judge.play.onfile import handed
from judge.play.posting import write_to_seat
from judge.play.receipts import Why
from judge.rules.board import province_of
from judge.rules.orders import Waive
from judge.store import Store, games, orders, proxies
from judge.store.inbox import StoredMail
from judge.store.proxies import Handed
from judge.variants.names import load_names

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


def read_all(store: Store, table: Table, power: str, lines: Sequence[str]) -> Sequence[Reading]:
    """The lines of a mail of ``power`` read as orders for its own units and for those that are in its hands.

    A line that orders nothing of its own is read as its owner would write it, for each owner of such a unit.
    """
    names = load_names(table.board.name)
    own = read_lines(lines, Context(table.board, names, table.position, power, table.rules))
    readings = list(own)
    lent = [one for one in handed(store, table) if one.proxy == power]
    for owner in dict.fromkeys(one.power for one in lent):
        places = {one.place for one in lent if one.power == owner}
        theirs = read_lines(lines, Context(table.board, names, table.position, owner, table.rules))
        for at, reading in enumerate(theirs):
            said = reading.orders or [parse_canonical(text, table.board) for text in reading.suggestions]
            about = {"" if isinstance(order, Waive) else province_of(order.at) for order in said}
            own_says = readings[at].legal or (readings[at].kind == "ambiguous" and not reading.legal)
            if about and about <= places and not own_says:
                readings[at] = reading
    return readings if lent else own


def obey(
    judge: Judge, table: Table, power: str, mail: StoredMail, lines: Sequence[ProxyLine], now: datetime
) -> list[tuple[str, list[Why], list[str]]]:
    """Do what proxy lines say, in order, and tell the other powers. Returns the lines that could not be obeyed, and why."""
    refused: list[tuple[str, list[Why], list[str]]] = []
    for number, said in enumerate(lines):
        why = _obey(judge, table, power, mail, said, now, str(number))
        if why is not None:
            refused.append((said.line, [Why(why)], []))
    return refused


def _obey(
    judge: Judge, table: Table, power: str, mail: StoredMail, said: ProxyLine, now: datetime, extra: str
) -> str | None:
    """Obey one line, or say why not (a code of ``judge.render.notes``)."""
    if table.rules.orders_proxy == "no":
        return "note.no-proxies"
    if table.position.phase.kind == "A":
        return "note.proxy-units-only"
    places = _places(table, power, said.unit)
    if not places:
        return "note.proxy-unclear"
    if not said.power:
        back = take_back(judge, table, power, places, mail, now, extra)
        return None if back else "note.proxy-not-handed"
    to = read_recipients(said.power, table.board)
    if len(to.powers) != 1 or to.everybody or to.unknown or to.powers[0] == power:
        return "note.proxy-unclear"
    seat = games.seat(judge.store, table.game.id, to.powers[0])
    if not seat.address:
        return "note.proxy-nobody"
    take_back(judge, table, power, places, mail, now, extra, but=seat.power)
    known = {one.place for one in handed(judge.store, table) if one.power == power}
    fresh = [place for place in places if place not in known]
    for place in fresh:
        proxies.hand_over(judge.store, table.phase.id, Handed(power, place, seat.power), mail.id, now)
    _tell(judge, table, "proxy-given", power, seat.power, fresh, mail, now, extra)
    return None


def _places(table: Table, power: str, unit: str) -> list[str]:
    """The provinces of the units that a line names; empty: it names none, or not clearly one."""
    if not unit:
        standing = table.position.units_of(power)
        fallen = tuple(d.unit for d in table.position.dislodged if d.unit.power == power)
        return [one.province for one in (fallen if table.position.phase.kind == "R" else standing)]
    verb = "D" if table.position.phase.kind == "R" else "H"
    context = Context(table.board, load_names(table.board.name), table.position, power, table.rules)
    reading = read_line(f"{unit} {verb}", context)
    if reading.kind != "order" or len(reading.legal) != 1 or isinstance(reading.legal[0], Waive):
        return []
    return [province_of(reading.legal[0].at)]


def take_back(
    judge: Judge,
    table: Table,
    power: str,
    places: Sequence[str],
    mail: StoredMail,
    now: datetime,
    extra: str = "",
    but: str | None = None,
) -> bool:
    """Take units out of other hands (but for those of ``but``), with what was ordered for them there. Returns whether any
    was in any."""
    wanted = [one.place for one in handed(judge.store, table) if one.place in places and one.proxy != but]
    back = proxies.take_back(judge.store, table.phase.id, power, wanted)
    for one in back:
        orders.drop(judge.store, table.phase.id, one.proxy, one.place)
    for proxy in dict.fromkeys(one.proxy for one in back):
        mine = [one.place for one in back if one.proxy == proxy]
        _tell(judge, table, "proxy-taken", power, proxy, mine, mail, now, extra)
    return bool(back)


def take_all_back(judge: Judge, table: Table, power: str, mail: StoredMail, now: datetime) -> None:
    """CLEAR: all units of ``power`` are its own to order again."""
    mine = [one.place for one in handed(judge.store, table) if one.power == power]
    take_back(judge, table, power, mine, mail, now, "clear")


def _tell(
    judge: Judge,
    table: Table,
    code: str,
    owner: str,
    proxy: str,
    places: Sequence[str],
    mail: StoredMail,
    now: datetime,
    extra: str,
) -> None:
    """A notice to the power whose hands units came into, or were taken out of."""
    if places:
        args = {"code": code, "args": {"power": owner, "places": list(places)}, "by": None, "why": None}
        seat = games.seat(judge.store, table.game.id, proxy)
        write_to_seat(judge, table, seat, "notice", args, now, extra=f"{code} {mail.id} {extra}")


def told(store: Store, table: Table, power: str) -> list[list[str]]:
    """What a receipt says of units in other hands: (province, owner, who orders it), of those of ``power`` and with it."""
    return [[one.place, one.power, one.proxy] for one in handed(store, table) if power in (one.power, one.proxy)]
