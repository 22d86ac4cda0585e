"""Every listed spelling means its province and no other, and every legal order reads back however it is spelled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from judge.notation import Context, parse_canonical, read_line, write
from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import STANDARD
from judge.rules.legality import check
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support
from judge.rules.position import Dislodged, Phase, Position
from judge.variants import load_board
from judge.variants.names import load_names, spelling_key

BOARD: Board = load_board("standard")
NAMES = load_names("standard")
LANGUAGES = sorted(NAMES.provinces)
DOUBTFUL = {spelling_key(spelling) for spelling in (*NAMES.either, *NAMES.asked)}


def holding(province: str) -> Context:
    """A position with one unit, in ``province``."""
    kind = BOARD.provinces[province].kind
    at = BOARD.locations(province)[0] if kind == "sea" else province
    units = (Unit("France", "F" if kind == "sea" else "A", at),)
    return Context(BOARD, NAMES, Position(Phase("S", 1901, "M"), units), "France", STANDARD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_province_has_a_name_in_every_language(language: str) -> None:
    assert set(NAMES.provinces[language]) == set(BOARD.provinces)
    assert set(NAMES.powers[language]) == set(BOARD.powers)


def test_no_two_provinces_share_a_spelling() -> None:
    owner: dict[str, str] = {}
    for table in NAMES.provinces.values():
        for province, spellings in table.items():
            for spelling in spellings:
                assert owner.setdefault(spelling_key(spelling), province) == province, spelling


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_spelling_reads_back(language: str) -> None:
    for province, spellings in NAMES.provinces[language].items():
        context = holding(province)
        letter = context.position.units[0].type
        for spelling in spellings:
            for line in (f"{letter} {spelling} H", f"{letter} {spelling.upper()} - H", f"{spelling.lower()}: H"):
                reading = read_line(line, context)
                assert [write(o) for o in reading.orders] == [f"{letter} {province.upper()} H"], line


@pytest.mark.parametrize("spelling", sorted({*NAMES.either, *NAMES.asked}))
def test_doubtful_spellings_mean_what_is_possible(spelling: str) -> None:
    meant = NAMES.either.get(spelling) or NAMES.asked[spelling]
    for province in meant:
        reading = read_line(f"{spelling} H", holding(province))
        texts = [write(o) for o in reading.orders] or list(reading.suggestions)
        assert texts == [f"{'F' if BOARD.provinces[province].kind == 'sea' else 'A'} {province.upper()} H"]


# ── random positions, orders and spellings ───────────────────────────────────────────────────────────────────────────

PROVINCES = sorted(BOARD.provinces)
DASHES = (" - ", "-", " -> ", "→", " – ", " —", "＞", " => ", " ⇒ ", "-->", " to ", " moves to ", " - > ")
HOLDS = (" H", " holds", " - hold", " 維持", " 固守", " hält", " tient", " mantiene", " tiene", ": H", " stands", ". H")
SUPPORTS = (" S ", " supports ", " s ", " supp. ", " 支援 ", "支援", " unterstützt ", " soutient ", " apoya ", " supporta ")
CONVOYS = (" C ", " convoys ", " c ", " 輸送 ", " 运输 ", " convoie ", " convoya ", " convoglia ", " transports ")
COASTS = ("/{}", "({})", " ({})", " {}", "/{}", " [{}]")


@st.composite
def positions(draw: st.DrawFn) -> tuple[Unit, ...]:
    """Up to ten units of several powers, where they can stand."""
    places = draw(st.lists(st.sampled_from(PROVINCES), min_size=2, max_size=10, unique=True))
    units = []
    for place in places:
        province = BOARD.provinces[place]
        types = {"sea": ("F",), "inland": ("A",), "coastal": ("A", "F")}[province.kind]
        type_ = draw(st.sampled_from(types))
        at = draw(st.sampled_from(BOARD.locations(place))) if type_ == "F" else place
        units.append(Unit(draw(st.sampled_from(BOARD.powers)), type_, at))
    return tuple(units)


def spelled(draw: st.DrawFn, location: str) -> str:
    """A location in one of its listed spellings, whole or begun, a coast in one of its forms."""
    province, _, coast = location.partition("/")
    table = NAMES.provinces[draw(st.sampled_from(LANGUAGES))]
    said = draw(st.sampled_from([s for s in (*table[province], province) if spelling_key(s) not in DOUBTFUL]))
    said = draw(st.sampled_from([said, said.upper(), said.lower(), said]))
    return said + draw(st.sampled_from(COASTS)).format(coast) if coast else said


def unit_said(draw: st.DrawFn, type_: str | None, location: str) -> str:
    letters = {
        "A": ("A ", "a ", "Army ", "army in ", "陸軍 ", ""),
        "F": ("F ", "f ", "Fleet ", "fleet ", "海軍 ", ""),
        None: ("",),
    }
    place = location if draw(st.booleans()) else province_of(location)
    return draw(st.sampled_from(letters[type_])) + spelled(draw, place)


@st.composite
def written(draw: st.DrawFn, units: tuple[Unit, ...]) -> tuple[Unit, Order, str]:
    """One of the units, a legal order for it, and a line that gives it."""
    unit = draw(st.sampled_from(units))
    context = Context(BOARD, NAMES, Position(Phase("S", 1901, "M"), units), unit.power, STANDARD)
    order = draw(st.sampled_from(legal_orders(unit, context)))
    ordered = unit_said(draw, unit.type, unit.at)
    types = {u.province: u for u in units}
    if isinstance(order, Hold):
        return unit, order, ordered + draw(st.sampled_from(HOLDS))
    if isinstance(order, Move):
        return unit, order, ordered + draw(st.sampled_from(DASHES)) + spelled(draw, order.to)
    of = types[province_of(order.of)]  # type: ignore[union-attr]
    nation = draw(st.sampled_from(["", "", f"{of.power} "]))
    supported = nation + unit_said(draw, of.type, of.province)
    if isinstance(order, Convoy):
        tail = draw(st.sampled_from(DASHES)) + spelled(draw, order.to)
        return unit, order, ordered + draw(st.sampled_from(CONVOYS)) + supported + tail
    assert isinstance(order, Support)
    line = ordered + draw(st.sampled_from(SUPPORTS)) + supported
    return unit, order, line + (draw(st.sampled_from(DASHES)) + spelled(draw, order.to) if order.to else "")


def legal_orders(unit: Unit, context: Context) -> list[Order]:
    """Orders of every kind that the unit may be given, not all of them."""
    board, found = context.board, [Hold(unit.type, unit.at)]
    near = board.army[unit.at] if unit.type == "A" else board.fleet[unit.at]
    tried: list[Order] = [Move(unit.type, unit.at, to) for to in sorted(near)]
    for other in context.position.units:
        if other is unit:
            continue
        tried.append(Support(unit.type, unit.at, other.type, other.province))
        onward = board.army[other.at] if other.type == "A" else board.fleet[other.at]
        for to in sorted(onward):
            tried.append(Support(unit.type, unit.at, other.type, other.province, to))
        if unit.type == "F" and other.type == "A":
            tried += [Convoy(unit.type, unit.at, other.at, p) for p in PROVINCES if board.provinces[p].kind == "coastal"]
    legal = [o for o in tried if check(board, context.position, unit.power, o, context.rules) is None]
    return [*found, *legal]


@settings(max_examples=250)
@given(st.data())
def test_every_legal_order_reads_back_in_every_spelling(data: st.DataObject) -> None:
    units = data.draw(positions())
    unit, order, line = data.draw(written(units))
    context = Context(BOARD, NAMES, Position(Phase("S", 1901, "M"), units), unit.power, STANDARD)
    reading = read_line(line, context)
    assert reading.kind == "order", line
    assert [write(o) for o in reading.orders] == [write(order)], line


@settings(max_examples=120)
@given(st.data())
def test_a_list_reads_as_its_orders(data: st.DataObject) -> None:
    """Several orders on one line, with any sign between them, read as each of them alone."""
    units = tuple(Unit("France", unit.type, unit.at) for unit in data.draw(positions()))
    lines: list[str] = []
    texts: list[str] = []
    seen: set[str] = set()
    for _ in range(3):
        unit, order, line = data.draw(written(units))
        if unit.at not in seen:
            seen.add(unit.at)
            lines.append(line)
            texts.append(write(order))
    context = Context(BOARD, NAMES, Position(Phase("S", 1901, "M"), units), "France", STANDARD)
    joined = data.draw(st.sampled_from(["; ", ", ", ". ", " and ", " / ", "、", "；"])).join(lines)
    reading = read_line(joined, context)
    assert [write(o) for o in reading.orders] == texts, joined


@given(st.sampled_from(PROVINCES), st.data())
def test_retreats_read_back(place: str, data: st.DataObject) -> None:
    kind = BOARD.provinces[place].kind
    at = data.draw(st.sampled_from(BOARD.locations(place))) if kind == "sea" else place
    type_: Any = "F" if kind == "sea" else "A"
    near = sorted(BOARD.fleet[at] if type_ == "F" else BOARD.army[at])
    attacker = data.draw(st.sampled_from(near))
    options = tuple(to for to in near if province_of(to) != province_of(attacker))
    fallen = Dislodged(Unit("Italy", type_, at), province_of(attacker), False, options)
    context = Context(BOARD, NAMES, Position(Phase("F", 1902, "R"), (), {}, (fallen,)), "Italy", STANDARD)
    orders: list[Order] = [Disband(type_, at), *(Move(type_, at, to) for to in options)]
    order = data.draw(st.sampled_from(orders))
    ordered = unit_said(data.draw, type_, at)
    ways = (
        (" D", " disbands", " 解散", " off the board", ": D")
        if isinstance(order, Disband)
        else (" - ", " R ", " retreats to ", " → ", " falls back to ")
    )
    line = ordered + data.draw(st.sampled_from(ways)) + (spelled(data.draw, order.to) if isinstance(order, Move) else "")
    reading = read_line(line, context)
    assert [write(o) for o in reading.orders] == [write(order)], line


@given(st.sampled_from(BOARD.powers), st.data())
def test_builds_read_back(power: str, data: st.DataObject) -> None:
    homes = BOARD.home_centres(power)
    context = Context(BOARD, NAMES, Position(Phase("W", 1901, "A"), (), {h: power for h in homes}), power, STANDARD)
    home = data.draw(st.sampled_from(homes))
    type_: Any = data.draw(st.sampled_from(("A",) if BOARD.provinces[home].kind == "inland" else ("A", "F")))
    at = data.draw(st.sampled_from(BOARD.locations(home))) if type_ == "F" else home
    letter = {"A": "A ", "F": "F "}[type_]
    line = data.draw(st.sampled_from(("Build {}", "{} B", "build: {}", "{} build", "生産 {}", "{} 増強", "Bau {}")))
    line = line.format(letter + spelled(data.draw, at))
    reading = read_line(line, context)
    assert [write(o) for o in reading.orders] == [write(Build(type_, at))], line


# ── canonical text ───────────────────────────────────────────────────────────────────────────────────────────────────

LOCATIONS = sorted({*BOARD.provinces, *BOARD.fleet})
UNIT_TYPES = st.sampled_from(["A", "F", None])
PLACES = st.sampled_from(LOCATIONS)
SEAS = st.sampled_from([p for p in PROVINCES if BOARD.provinces[p].kind == "sea"])
ORDERS = st.one_of(
    st.builds(Hold, UNIT_TYPES, PLACES),
    st.builds(Move, UNIT_TYPES, PLACES, PLACES, st.booleans(), st.lists(SEAS, max_size=4).map(tuple)),
    st.builds(Support, UNIT_TYPES, PLACES, UNIT_TYPES, PLACES, st.none() | PLACES),
    st.builds(Convoy, UNIT_TYPES, PLACES, PLACES, PLACES),
    st.builds(Disband, UNIT_TYPES, PLACES),
    st.builds(Build, UNIT_TYPES, PLACES),
)


@given(ORDERS)
def test_canonical_text_round_trips(order: Order) -> None:
    assert parse_canonical(write(order), BOARD) == order


@given(st.text(max_size=40))
@example("A PAR-BUR ")
@example("A PAR-XYZ")
@example("a par-bur")
@example("A PAR H H")
@example("F STP/XC B")
def test_what_is_not_canonical_is_refused(text: str) -> None:
    try:
        order = parse_canonical(text, BOARD)
    except ValueError:
        return
    assume(text != "WAIVE")
    assert write(order) == text


def test_a_presets_own_coasts_are_written() -> None:
    order = parse_canonical("F BLA-BUL/EC", BOARD)
    assert write(order, {"bul/ec": "nc"}) == "F BLA-BUL/NC"
    assert write(order) == "F BLA-BUL/EC"
