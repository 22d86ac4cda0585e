"""How people write orders: one order, many spellings. Each style is a row of a table, not code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from judge.rules.board import Board, UnitType, province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive

COASTS = {"nc": "north coast", "sc": "south coast", "ec": "east coast", "wc": "west coast"}

#: "English A Lon": how a foreign unit is named
ADJECTIVES = {
    "Austria": "Austrian",
    "England": "English",
    "France": "French",
    "Germany": "German",
    "Italy": "Italian",
    "Russia": "Russian",
    "Turkey": "Turkish",
}


@dataclass(frozen=True, slots=True)
class Style:
    """One hand. ``place`` writes a province (id, English name); ``coast`` what follows it for a coast (id, words).

    ``army`` and ``fleet`` come before a place. The others are forms: ``{unit}``, ``{to}`` a place, ``{of}`` the unit that
    is supported or convoyed, ``{way}`` the fleets of a route.
    """

    name: str
    place: Callable[[str, str], str]
    coast: Callable[[str, str], str]
    army: str = "A "
    fleet: str = "F "
    move: str = "{unit} - {to}"
    via: str = "{unit} - {to} via convoy"
    hold: str = "{unit} H"
    support: str = "{unit} S {of}"
    convoy: str = "{unit} C {of} - {to}"
    retreat: str = "{unit} - {to}"
    disband: str = "{unit} disband"
    build: str = "Build {unit}"
    remove: str = "Remove {unit}"
    waive: str = "waive"


STYLES: tuple[Style, ...] = (
    Style(
        "canonical",
        lambda place, name: place.upper(),
        lambda coast, words: f"/{coast.upper()}",
        move="{unit}-{to}",
        via="{unit}-{to} VIA",
        convoy="{unit} C {of}-{to}",
        retreat="{unit}-{to}",
        disband="{unit} D",
        build="{unit} B",
        remove="{unit} D",
        waive="WAIVE",
    ),
    Style(
        "short",
        lambda place, name: place.capitalize(),
        lambda coast, words: f"({coast})",
        hold="{unit} holds",
        retreat="{unit} R {to}",
    ),
    Style(
        "names",
        lambda place, name: name,
        lambda coast, words: f" ({words})",
        hold="{unit} hold",
        via="{unit} - {to} (by convoy)",
        retreat="{unit} retreats to {to}",
        disband="{unit} disbands",
    ),
    Style(
        "in words",
        lambda place, name: name,
        lambda coast, words: f" ({words})",
        army="Army ",
        fleet="Fleet ",
        move="{unit} to {to}",
        via="{unit} to {to} via convoy",
        hold="{unit} holds",
        support="{unit} supports {of}",
        convoy="{unit} convoys {of} to {to}",
        retreat="{unit} retreats to {to}",
        build="Build {unit}",
        remove="Remove {unit}",
    ),
    Style(
        "small letters",
        lambda place, name: place,
        lambda coast, words: f"/{coast}",
        army="a ",
        fleet="f ",
        move="{unit}-{to}",
        via="{unit}-{to} via convoy",
        hold="{unit} h",
        support="{unit} s {of}",
        convoy="{unit} c {of}-{to}",
        retreat="{unit}-{to}",
        build="build {unit}",
        remove="remove {unit}",
    ),
    Style(
        "arrows",
        lambda place, name: name,
        lambda coast, words: f"/{coast}",
        move="{unit} → {to}",
        via="{unit} → {to} via convoy",
        convoy="{unit} C {of} → {to}",
        retreat="{unit} → {to}",
    ),
    Style(
        "arrows in ASCII",
        lambda place, name: place.capitalize(),
        lambda coast, words: f" {coast}",
        move="{unit} -> {to}",
        via="{unit} -> {to} via convoy",
        hold="{unit} hold",
        convoy="{unit} C {of} -> {to}",
        retreat="{unit} -> {to}",
    ),
    Style(
        "typographer's dashes",
        lambda place, name: place.capitalize(),
        lambda coast, words: f"/{coast}",
        move="{unit} – {to}",
        via="{unit} – {to} via convoy",
        hold="{unit} holds",
        convoy="{unit} C {of} – {to}",
        retreat="{unit} – {to}",
    ),
    Style(
        "moves to",
        lambda place, name: name,
        lambda coast, words: f" {words}",
        army="A ",
        fleet="F ",
        move="{unit} moves to {to}",
        via="{unit} moves to {to} via convoy",
        hold="{unit} holds",
        support="{unit} supports {of}",
        convoy="{unit} convoys {of} - {to}",
        retreat="{unit} retreats to {to}",
        disband="Disband {unit}",
    ),
)

BY_NAME = {style.name: style for style in STYLES}

#: what may stand before an order in a list; ``{}`` is its number
LISTS = ("", "", "", "{}. ", "{}) ", "- ", "* ")


class Writer:
    """Writes orders in one style on one board.

    ``whose``: location -> power, to name the nationality of foreign units (left out where it is not known).
    """

    def __init__(self, board: Board, style: Style, power: str, whose: dict[str, str] | None = None) -> None:
        self._board = board
        self._style = style
        self._power = power
        self._whose = {} if whose is None else whose

    def place(self, location: str) -> str:
        """A location with its coast."""
        province, _, coast = location.partition("/")
        text = self._style.place(province, self._board.provinces[province].name)
        return text + (self._style.coast(coast, COASTS[coast]) if coast else "")

    def unit(self, kind: UnitType | None, location: str, *, foreign: bool = False) -> str:
        """A unit; ``foreign`` puts a nationality before it if it is another power's."""
        letter = {"A": self._style.army, "F": self._style.fleet, None: ""}[kind]
        owner = self._whose.get(province_of(location), self._power) if foreign else self._power
        nation = f"{ADJECTIVES[owner]} " if owner != self._power and owner in ADJECTIVES else ""
        return nation + letter + self.place(location)

    def write(self, order: Order, *, retreat: bool = False, remove: bool = False, nation: bool = False) -> str:
        """The order as this hand writes it. ``retreat``, ``remove``: which phase it is for (a movement else)."""
        style = self._style
        match order:
            case Hold():
                return style.hold.format(unit=self.unit(order.type, order.at))
            case Move():
                form = style.retreat if retreat else style.via if order.via else style.move
                return form.format(unit=self.unit(order.type, order.at), to=self.place(order.to))
            case Support():
                of = self.unit(order.of_type, order.of, foreign=nation)
                if order.to is not None:
                    of = style.move.format(unit=of, to=self.place(order.to))
                    of = of.replace(" moves to ", " to ")
                return style.support.format(unit=self.unit(order.type, order.at), of=of)
            case Convoy():
                of = self.unit("A", order.of, foreign=nation)
                return style.convoy.format(unit=self.unit(order.type, order.at), of=of, to=self.place(order.to))
            case Disband():
                form = style.remove if remove else style.disband
                return form.format(unit=self.unit(order.type, order.at))
            case Build():
                return style.build.format(unit=self.unit(order.type, order.at))
            case Waive():
                return style.waive


def arrange(lines: Sequence[str], power: str, random: Random, *, one_line: bool = False) -> list[str]:
    """Orders as they stand in a mail: a list with numbers or bullets, under a heading, or several on a line."""
    if one_line and len(lines) > 1:
        middle = (len(lines) + 1) // 2
        mark = random.choice(("; ", ", "))
        return [mark.join(lines[:middle]), mark.join(lines[middle:])]
    form = random.choice(LISTS)
    listed = [form.format(number) + line for number, line in enumerate(lines, 1)]
    heading = random.choice(("", "", "", f"{power}:"))
    return [heading, *listed] if heading else listed
