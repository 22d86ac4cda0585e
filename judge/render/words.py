"""Names, units, orders, phases, dates, numbers and lists, as the reader's language writes them.

Everything that differs between languages beyond a sentence goes through one :class:`Words`, made for one reader. The
patterns are messages of the catalogue, so that a language can put year before month, or unit after place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from judge.render.catalogue import N_, NP_, Catalogue
from judge.render.layout import width
from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support
from judge.rules.position import Phase, Position
from judge.variants.names import Names

_WEEKDAYS = (
    NP_("weekday", "Mon"),
    NP_("weekday", "Tue"),
    NP_("weekday", "Wed"),
    NP_("weekday", "Thu"),
    NP_("weekday", "Fri"),
    NP_("weekday", "Sat"),
    NP_("weekday", "Sun"),
)
_MONTHS = (
    NP_("month", "Jan"),
    NP_("month", "Feb"),
    NP_("month", "Mar"),
    NP_("month", "Apr"),
    NP_("month", "May"),
    NP_("month", "Jun"),
    NP_("month", "Jul"),
    NP_("month", "Aug"),
    NP_("month", "Sep"),
    NP_("month", "Oct"),
    NP_("month", "Nov"),
    NP_("month", "Dec"),
)
_PHASES = {
    "SM": N_("Spring %(year)s"),
    "SR": N_("Spring %(year)s retreats"),
    "FM": N_("Fall %(year)s"),
    "FR": N_("Fall %(year)s retreats"),
    "WA": N_("Winter %(year)s adjustments"),
}
#: the turns of a game that writes them ``01-S`` (house rule turn.notation)
_SHORT_PHASES = {
    "M": N_("%(turn)s"),
    "R": N_("%(turn)s retreats"),
    "A": N_("%(turn)s adjustments"),
}
_COASTS = {
    "nc": NP_("coast", "north coast"),
    "sc": NP_("coast", "south coast"),
    "ec": NP_("coast", "east coast"),
    "wc": NP_("coast", "west coast"),
}
_UNITS = {"A": NP_("unit", "army"), "F": NP_("unit", "fleet")}


#: columns of an order in words: with its indent and the longest word for a result it fits a line
ORDER_WIDTH = 48

_TURN = re.compile(r"(?:([SFW])(\d{4})[MRA]?|(\d{2})-([SFW]))\Z")


def zone(name: str) -> ZoneInfo | None:
    """The time zone ``"Europe/Paris"``; ``None`` for UTC and for a name that the zone data does not know."""
    if name.upper() in ("UTC", "ETC/UTC", ""):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _zone_name(timezone: str) -> str:
    """``Europe/Paris`` -> ``Paris``; ``Etc/GMT-9``, whose sign counts to the west, -> ``UTC+9``."""
    name = timezone.rpartition("/")[2].replace("_", " ")
    fixed = re.fullmatch(r"GMT([+-])(\d{1,2})", name)
    return f"UTC{'-' if fixed[1] == '+' else '+'}{fixed[2]}" if fixed else name


class Words:
    """The words of one reader: a language, a time zone, a board and the instant at which the mail is written.

    ``names`` has the board's names in this language; without them the board's own are printed.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        timezone: str,
        now: datetime,
        board: Board | None = None,
        names: Names | None = None,
        rules: HouseRules = STANDARD,
    ) -> None:
        self.catalogue = catalogue
        self.zone = zone(timezone)
        self.zone_name = _zone_name(timezone)
        self.now = now
        self.board = board
        self.names = names
        self.language = catalogue.language
        self.short_turns = rules.turn_notation == "01-S"
        #: coasts that this game prints under another name: real location -> the name's coast
        self.coast_names = {real: alias.partition("/")[2] for alias, real in rules.coast_aliases}

    # ------------------------------------------------------------------ translation

    def translate(self, message: str) -> str:
        """The message in the reader's language."""
        return self.catalogue.gettext(message)

    def _in_context(self, marked: tuple[str, str]) -> str:
        return self.catalogue.pgettext(*marked)

    def _many(self, singular: str, plural: str, n: int) -> str:
        return self.catalogue.ngettext(singular, plural, n) % {"n": n}

    @staticmethod
    def zone_label(timezone: str) -> str:
        """A time zone as it is named beside the times in it."""
        return _zone_name(timezone)

    # ------------------------------------------------------------------ the board

    def power(self, name: str) -> str:
        """A power's name."""
        return self.names.power(name, self.language) if self.names else name

    def province(self, location: str) -> str:
        """``"stp/sc"`` -> ``"St Petersburg"``: the name without a coast."""
        province = province_of(location)
        if self.board is None or province not in self.board.provinces:
            return province.upper()
        return self.names.province(province, self.language) if self.names else self.board.provinces[province].name

    def coast(self, location: str) -> str:
        """``"stp/sc"`` -> ``"south coast"``; empty where no coast is named."""
        coast = self.coast_names.get(location, location.partition("/")[2])
        printed = self.names.coast(coast, self.language) if self.names and coast else coast
        if printed == coast and coast in _COASTS:  # a board without words of its own for its coasts
            return self._in_context(_COASTS[coast])
        return printed

    def place(self, location: str) -> str:
        """``"stp/sc"`` -> ``"St Petersburg (south coast)"``."""
        coast = self.coast(location)
        if not coast:
            return self.province(location)
        values = {"province": self.province(location), "coast": coast}
        return self.catalogue.pgettext("place", "%(province)s (%(coast)s)") % values

    def unit(self, unit: Unit) -> str:
        """``A Paris``, ``F St Petersburg (south coast)``."""
        return self.unit_at(unit.type, unit.at)

    def unit_in_full(self, unit: Unit) -> str:
        """``your army in Paris``: in words, for the reader's own units."""
        values = {"unit": self._in_context(_UNITS[unit.type]), "place": self.place(unit.at)}
        return self.catalogue.pgettext("unit in full", "your %(unit)s in %(place)s") % values

    def unit_at(self, kind: str | None, at: str) -> str:
        """A unit that an order names: ``A Paris``, or the place alone where no letter was written."""
        return f"{kind} {self.place(at)}" if kind else self.place(at)

    def phase(self, text: str) -> str:
        """``"F1903R"`` -> ``"Fall 1903 retreats"``."""
        phase = Phase.parse(text)
        if self.short_turns:
            return self.translate(_SHORT_PHASES[phase.kind]) % {"turn": self.turn(text)}
        return self.translate(_PHASES[phase.season + phase.kind]) % {"year": phase.year}

    def turn(self, text: str) -> str:
        """``"F1903R"`` -> ``"Fall 1903"``: the season and year alone; adjustments belong to their Fall."""
        phase = Phase.parse(text)
        season = "F" if phase.kind == "A" else phase.season
        if self.short_turns:
            return f"{phase.year % 100:02d}-{season}"
        return self.translate(_PHASES[season + "M"]) % {"year": phase.year}

    def last_turn(self, text: str) -> str:
        """A house rule's turn, ``"F1910"`` or ``"10-F"``, as :meth:`turn` writes it; what is neither stays as it is."""
        found = _TURN.match(text.strip().upper())
        if not found:
            return text
        season = found[1] or found[4]
        year = found[2] or f"{19 if not self.board else self.board.first_year // 100}{found[3]}"
        return self.turn(f"{season}{year}{'A' if season == 'W' else 'M'}")

    # ------------------------------------------------------------------ orders

    def order(self, order: Order, units: Mapping[str, Unit] | None = None, phase: Phase | None = None) -> str:
        """An order as players read it: ``A Marseilles S A Paris - Burgundy``.

        ``units`` (:func:`by_province`) fills in unit letters and the coast of a fleet that the order does not name.
        ``phase``: in adjustments a unit is removed, elsewhere it disbands. An order that would not stand in a line of
        text beside its result names all but the ordered unit by its letters (``F Norwegian Sea S F BAR - STP/NC``).
        """
        text = self._order(order, units or {}, phase, self.place)
        if width(text) <= ORDER_WIDTH:
            return text
        return self._order(order, units or {}, phase, str.upper)

    def ranked(self, order: Order, kind: str) -> str:
        """An order of a ranked list of a kind (``retreat``, ``builds``, ``removals``), for a phase that is to come."""
        return self.order(order, None, None if kind == "retreat" else Phase("W", 1, "A"))

    def _order(self, order: Order, units: Mapping[str, Unit], phase: Phase | None, place: Callable[[str], str]) -> str:
        pgettext = self.catalogue.pgettext
        if isinstance(order, Build):
            return pgettext("order", "build %(unit)s") % {"unit": self.unit_at(order.type, order.at)}
        if not isinstance(order, (Hold, Move, Support, Convoy, Disband)):
            return pgettext("order", "waive one build")
        values = {"unit": self._ordered(order.type, order.at, units, self.place)}
        if isinstance(order, Hold):
            return pgettext("order", "%(unit)s holds") % values
        if isinstance(order, Disband) and phase is not None and phase.kind != "R":
            return pgettext("order", "remove %(unit)s") % values
        if isinstance(order, Disband):
            return pgettext("order", "%(unit)s disbands") % values
        if isinstance(order, Move):
            values["to"] = " - ".join(map(place, (*order.route, order.to)))
            plain, by_convoy = pgettext("order", "%(unit)s - %(to)s"), pgettext("order", "%(unit)s - %(to)s by convoy")
            return (by_convoy if order.via else plain) % values
        kind = order.of_type if isinstance(order, Support) else "A"
        values["other"] = self._ordered(kind, order.of, units, place)
        values["to"] = place(order.to) if order.to else ""
        if isinstance(order, Convoy):
            return pgettext("order", "%(unit)s C %(other)s - %(to)s") % values
        if order.to:
            return pgettext("order", "%(unit)s S %(other)s - %(to)s") % values
        return pgettext("order", "%(unit)s S %(other)s") % values

    def _ordered(self, kind: str | None, at: str, units: Mapping[str, Unit], place: Callable[[str], str]) -> str:
        """The unit that an order names, as it stands on the board."""
        unit = units.get(province_of(at))
        if unit and (kind is None or kind == unit.type):
            return f"{unit.type} {place(unit.at)}"
        return f"{kind} {place(at)}" if kind else place(at)

    # ------------------------------------------------------------------ numbers, lists, times

    def number(self, value: int) -> str:
        """A count in digits."""
        return str(value)

    def change(self, value: int) -> str:
        """``+2``, ``-1``, and nothing for no change."""
        return f"{value:+d}" if value else ""

    def listing(self, items: Iterable[str]) -> str:
        """``a, b and c``."""
        *before, last = list(items) or [""]
        if not before:
            return last
        return self.catalogue.pgettext("list", "%(before)s and %(last)s") % {
            "before": self._all_but_last(before),
            "last": last,
        }

    def listed(self, items: list[str]) -> str:
        """As :meth:`listing`, and a word for none at all: what :mod:`judge.render.reasons` asks for."""
        return self.listing(items) or self.catalogue.pgettext("list", "none")

    def sentences(self, items: Iterable[str]) -> str:
        """One sentence after the other; empty ones are left out."""
        return self._joined(items, self.catalogue.pgettext("sentences", "%(before)s %(next)s"))

    def chain(self, items: Iterable[str]) -> str:
        """``a, b, c``: pieces of news one after the other; empty ones are left out."""
        return self._joined(items, self.catalogue.pgettext("news", "%(before)s, %(next)s"))

    def examples(self, items: Iterable[str]) -> str:
        """``Munich - Tyrolia; Munich disband``: several orders that show how they are written."""
        return self._joined(items, self.catalogue.pgettext("example", "%(before)s; %(next)s"))

    def _joined(self, items: Iterable[str], pattern: str) -> str:
        text = ""
        for part in items:
            if part:
                text = pattern % {"before": text, "next": part} if text else part
        return text

    def _all_but_last(self, items: list[str]) -> str:
        return self._joined(items, self.catalogue.pgettext("list", "%(before)s, %(next)s"))

    def alternatives(self, items: Iterable[str]) -> str:
        """``a, b or c``."""
        *before, last = list(items) or [""]
        if not before:
            return last
        return self.catalogue.pgettext("list", "%(before)s or %(last)s") % {
            "before": self._all_but_last(before),
            "last": last,
        }

    def _local(self, instant: datetime) -> datetime:
        return instant.astimezone(self.zone or UTC)

    def _day(self, moment: datetime) -> str:
        values = {
            "weekday": self._in_context(_WEEKDAYS[moment.weekday()]),
            "day": moment.day,
            "month": self._in_context(_MONTHS[moment.month - 1]),
            "year": moment.year,
        }
        if moment.year == self._local(self.now).year:
            return self.catalogue.pgettext("date", "%(weekday)s %(day)s %(month)s") % values
        return self.catalogue.pgettext("date", "%(weekday)s %(day)s %(month)s %(year)s") % values

    def day(self, instant: datetime) -> str:
        """``Thu 3 Dec``, with the year when it is another than now."""
        return self._day(self._local(instant))

    def date(self, day: date) -> str:
        """``Thu 3 Dec`` of a day that is no instant."""
        return self._day(datetime.combine(day, time()))

    def weekday(self, number: int, at: time | None = None) -> str:
        """``Mon``, or ``Mon 19:00``; Monday is 0."""
        name = self._in_context(_WEEKDAYS[number])
        if at is None:
            return self.catalogue.pgettext("weekday alone", "%(weekday)s") % {"weekday": name}
        return self.catalogue.pgettext("instant", "%(weekday)s %(time)s") % {"weekday": name, "time": f"{at:%H:%M}"}

    def clock(self, instant: datetime) -> str:
        """``21:00``, the reader's time."""
        return self._local(instant).strftime("%H:%M")

    def instant(self, instant: datetime) -> str:
        """``Thu 3 Dec, 21:00 (Paris; 20:00 UTC)``: the reader's time and UTC, with the other day where they differ."""
        values = {"day": self.day(instant), "time": self.clock(instant), "zone": self.zone_name}
        if self.zone is None:
            return self.catalogue.pgettext("instant", "%(day)s, %(time)s UTC") % values
        world = instant.astimezone(UTC)
        values["utc"] = world.strftime("%H:%M")
        if world.date() == self._local(instant).date():
            return self.catalogue.pgettext("instant", "%(day)s, %(time)s (%(zone)s; %(utc)s UTC)") % values
        values["utc_day"] = self._day(world)
        return self.catalogue.pgettext("instant", "%(day)s, %(time)s (%(zone)s; %(utc_day)s, %(utc)s UTC)") % values

    def soon(self, instant: datetime) -> str:
        """``Thu 21:00`` within six days of now, else ``Thu 3 Dec 21:00``: for subject lines; UTC is named."""
        local, today = self._local(instant), self._local(self.now)
        values = {
            "weekday": self._in_context(_WEEKDAYS[local.weekday()]),
            "day": self.day(instant),
            "time": self.clock(instant) if self.zone else self.clock(instant) + " UTC",
        }
        if timedelta(0) <= local.date() - today.date() < timedelta(days=6):
            return self.catalogue.pgettext("instant", "%(weekday)s %(time)s") % values
        return self.catalogue.pgettext("instant", "%(day)s %(time)s") % values

    def span(self, length: timedelta) -> str:
        """``2 days 4 hours``: the two largest parts that are not nothing, never over-stated."""
        minutes = max(0, int(length.total_seconds()) // 60)
        days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
        parts = []
        if days:
            parts.append(self._many("%(n)s day", "%(n)s days", days))
        if hours:
            parts.append(self._many("%(n)s hour", "%(n)s hours", hours))
        if (minutes and not days) or not parts:
            parts.append(self._many("%(n)s minute", "%(n)s minutes", minutes))
        glue = self.catalogue.pgettext("span", "%(large)s %(small)s")
        return parts[0] if len(parts) == 1 else glue % {"large": parts[0], "small": parts[1]}

    def when(self, instant: datetime) -> str:
        """``Thu 3 Dec, 21:00 (Paris; 20:00 UTC), 2 days 4 hours from now``; without the span for what is past."""
        values = {"when": self.instant(instant), "span": self.from_now(instant)}
        if not values["span"]:
            return values["when"]
        return self.catalogue.pgettext("instant", "%(when)s, %(span)s") % values

    def from_now(self, instant: datetime) -> str:
        """``2 days 4 hours from now``; ``less than a minute from now``; empty for what is past."""
        length = instant - self.now
        if length <= timedelta(0):
            return ""
        if length < timedelta(minutes=1):
            return self.translate(N_("less than a minute from now"))
        return self.translate(N_("%(span)s from now")) % {"span": self.span(length)}


def by_province(position: Position) -> dict[str, Unit]:
    """The units that take orders in a position, by province: where a dislodged unit still stands beside the one that
    drove it out, the dislodged one."""
    return {**{u.province: u for u in position.units}, **{d.unit.province: d.unit for d in position.dislodged}}
