"""The manual is true in the game that it is sent in: under every value of every house rule, on every board, in every
language, its examples are good orders, and it names nothing that does nothing there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from judge.notation import Context, read_line
from judge.render.catalogue import load
from judge.render.facts import CommandDone, Common, Due, Facts, Held, HelpFacts, ReceiptFacts, StartFacts
from judge.render.mails import Rendered, render
from judge.render.manual import examples
from judge.render.words import Words
from judge.resources import data_dir
from judge.rules import owing
from judge.rules.board import Board, Unit
from judge.rules.houserules import STANDARD, HouseRules, keys
from judge.rules.orders import Build, Hold
from judge.rules.position import Dislodged, Phase, Position, starting_position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")
BOARDS = ("standard", "fleet-rome", "pure")
PRESETS = ("standard", "japan-1910", "china", "rulebook-1982")
#: what a key without a list of values is tried with
OTHERS: dict[str, tuple[Any, ...]] = {
    "powers.unplayed": (("Italy",),),
    "coast.aliases": ((("bul/nc", "bul/ec"),), (("spa/nc", "spa/sc"),)),
    "victory.end.turn": ("F1910",),
    "victory.clock.at": ("2027-03-01T20:00Z",),
    "victory.clock.after": ("30 d",),
    "victory.centres": (10,),
}


def every_value() -> Iterator[Any]:
    """Every key with every value that it can have, beside the standard rules; the presets; and what asks for most."""
    for key in keys().values():
        values: tuple[Any, ...] = (True, False) if key.kind == "flag" else key.values
        for value in (*values, *OTHERS.get(key.name, ())):
            yield pytest.param(replace(STANDARD, **{key.field: value}), id=f"{key.name}={value}")
    for name in PRESETS:
        yield pytest.param(load_rules(name), id=name)
    strict = {
        key.field: "void" for key in keys().values() if "void" in key.values and key.name.startswith(("units", "coast"))
    }
    most: Any = {**strict, "convoy_route": "required", "builds_waive": "forbidden", "coast_support": "required"}
    yield pytest.param(replace(STANDARD, **most), id="all that an order can be void for")


EVERY = list(every_value())
#: (rules, board, language): every value on the usual board in English; presets and the strictest rules everywhere
EVERYWHERE = [
    pytest.param(param.values[0], board, language, id=f"{param.id}-{board}-{language}")
    for param in EVERY
    for board in BOARDS
    for language in LANGUAGES
    if (board, language) == ("standard", "en") or "=" not in str(param.id)
]


def test_no_key_is_left_out() -> None:
    tried = {param.id.partition("=")[0] for param in EVERY}
    assert set(keys()) <= tried


def the_words(common: Common, language: str) -> Words:
    catalogue = load(language, (data_dir("templates") / "locale",))
    names = load_names(common.board.name)
    return Words(catalogue, "UTC", common.now, common.board, names, common.rules)


def positions(board: Board) -> list[Position]:
    """Where the examples make sense: a movement, retreats, builds and removals; of France's, as the reader plays France."""
    first = starting_position(board)
    if "bur" not in board.provinces:
        mine = first.units_of("France")[0]
        fallen = Dislodged(mine, "ber", retreats=("ank", "rom"))
        elsewhere = tuple(u for u in first.units if u != mine)
        return [
            first,
            Position(Phase("F", 1901, "R"), elsewhere, first.owners, (fallen,)),
            Position(Phase("W", 1901, "A"), elsewhere, first.owners),
            Position(Phase("W", 1901, "A"), first.units, {k: v for k, v in first.owners.items() if v != "France"}),
        ]
    places = ("A par", "A bur", "A mar", "F eng", "A lon", "F mao")
    mine_all = tuple(Unit("France", place[0], place[2:]) for place in places)  # type: ignore[arg-type]
    germans = (Unit("Germany", "A", "mun"),)
    attacked = Dislodged(Unit("France", "A", "mun"), "ber", retreats=("sil", "tyr"))
    home = {"par": "France", "bre": "France", "mar": "France"}
    return [
        Position(Phase("S", 1902, "M"), (*mine_all, *germans), first.owners),
        Position(Phase("S", 1902, "R"), mine_all, first.owners, (attacked,)),
        Position(Phase("W", 1901, "A"), (), home),
        Position(Phase("W", 1901, "A"), (*mine_all, Unit("France", "F", "bre")), {"par": "France"}),
    ]


def is_good(text: str, board: Board, at: Position, rules: HouseRules) -> bool:
    reading = read_line(text, Context(board, load_names(board.name), at, "France", rules))
    return reading.kind == "order" and bool(reading.legal) and not reading.problems


@pytest.mark.parametrize(("rules", "game", "language"), EVERYWHERE)
def test_every_example_is_a_good_order(rules: HouseRules, game: str, language: str, common: Any) -> None:
    on = load_board(game)
    told = replace(common(rules=rules), board=on)
    found = examples(told, the_words(told, language))
    assert len(found) >= 5
    where = positions(on)
    bad = [text for one in found for text in one.texts if not any(is_good(text, on, at, rules) for at in where)]
    assert bad == []


QUOTED = re.compile(r"[“「]([^”」]*)[”」]")
#: what DO NOW quotes besides orders, or as part of one
NO_ORDER = {"remove", "除去", "解散", "waive", "見送り", "放弃生产", "放棄生產"}


@pytest.mark.parametrize(("rules", "game", "language"), EVERYWHERE)
def test_what_do_now_shows_is_a_good_order(rules: HouseRules, game: str, language: str, common: Any) -> None:
    """Of the first turn, of retreats and of builds: each order that the box quotes."""
    on = load_board(game)
    retreats, builds = positions(on)[1:3]
    shown = 0
    for at in (starting_position(on), retreats, builds):
        owed = owing(on, at, rules).get("France")
        if owed is None:  # builds.where may leave nowhere to build
            continue
        due = Due(
            str(at.phase),
            None,
            units=at.units_of("France") if at.phase.kind == "M" else (),
            retreats=at.dislodged if at.phase.kind == "R" else (),
            builds=owed.builds,
            build_sites=owed.build_sites,
        )
        facts = StartFacts(replace(common(phase=str(at.phase), rules=rules), board=on), (), due)
        box = render(facts, language).text.split("\n\n")[1]
        for quoted in QUOTED.findall(" ".join(box.split())):
            if quoted not in NO_ORDER:
                shown += 1
                assert is_good(quoted, on, at, rules), quoted
    assert shown >= 2


#: what a manual may name -> when it does something in a game
NAMED: dict[str, Any] = {
    "READY": lambda c: c.early,
    "WAIT": lambda c: c.early,
    "PRESS TO": lambda c: c.rules.press_kinds != "none",
    "GREY": lambda c: c.rules.press_kinds == "both",
    "PROXY": lambda c: c.rules.orders_proxy == "yes",
    "waive": lambda c: c.rules.builds_waive == "allowed",
    "last good one for a unit counts": lambda c: c.rules.orders_sets == "combine" and c.rules.orders_duplicate == "last",
    "changes the units that it orders, and no others": lambda c: c.rules.orders_sets == "combine",
    "takes the place of all that you ordered": lambda c: c.rules.orders_sets == "replace",
    "Your first mail with orders counts": lambda c: c.rules.orders_sets == "first",
    "as often as you like": lambda c: c.rules.orders_sets != "first",
    "a later mail always replaces": lambda c: False,
    "only while orders for movement are awaited": lambda c: (
        c.rules.press_phases == "movement" and c.rules.press_kinds != "none"
    ),
    "every order now held": lambda c: c.rules.orders_secrecy != "sealed",
    "as soon as all powers' orders are complete": lambda c: c.early,
}
#: those that say something which no rule may leave unsaid
ALWAYS = {"READY", "WAIT", "PRESS TO", "GREY", "PROXY", "waive", "every order now held"}


def plain(mail: Rendered) -> str:
    return " ".join(mail.text.split())


@pytest.mark.parametrize("early", [True, False], ids=["early", "no-early"])
@pytest.mark.parametrize("rules", EVERY)
def test_the_manual_names_what_does_something(rules: HouseRules, early: bool, common: Any, board: Board) -> None:
    told = common(rules=rules, early=early)
    start = starting_position(board)
    due = Due("S1901M", None, units=start.units_of("France"))
    first = plain(render(StartFacts(told, (), due)))
    first = first.partition("HOW TO ANSWER")[2].partition("THE POWERS")[0]
    asked = ReceiptFacts(told, 3, start, due, missing=("par", "mar", "bre"), commands=(CommandDone("HELP"),))
    helped = plain(render(asked)).partition("THE MANUAL")[2]
    for manual in (first, helped):
        for named, does_something in NAMED.items():
            assert named not in manual or does_something(told), named
            assert named in manual or named not in ALWAYS or not does_something(told), named


def test_help_outside_of_a_game_says_that_games_differ(mails: dict[str, Facts]) -> None:
    facts = next(facts for facts in mails.values() if isinstance(facts, HelpFacts))
    assert "The house rules of a game may change some of this" in plain(render(facts))


RECEIPTS = [
    ("combine", "orders_sets", "Send new ones as often as you like."),
    ("replace", "orders_sets", "A new mail with orders takes the place of all of these."),
    ("first", "orders_sets", "To change them, write CLEAR and all your orders in one mail."),
    (
        "yes",
        "orders_implicit",
        "A Marseilles has no order yet: it will hold, or do what your own support or convoy says of it",
    ),
    ("no", "orders_implicit", "A Marseilles has no order yet: it will hold F"),
]


@pytest.mark.parametrize(("value", "field", "said"), RECEIPTS, ids=[f"{row[1]}={row[0]}" for row in RECEIPTS])
def test_a_receipt_says_what_holds(value: str, field: str, said: str, common: Any, board: Board) -> None:
    rules: Any = replace(STANDARD, **{field: value})  # type: ignore[arg-type]
    start = starting_position(board)
    due = Due("S1901M", None, units=start.units_of("France"))
    told = ReceiptFacts(common(rules=rules), 1, start, due, held=(Held(Hold("A", "par")),), missing=("mar", "bre"))
    others = [row[2] for row in RECEIPTS if row[1] == field and row[0] != value]
    text = plain(render(told)).replace("[none] ", "")
    assert said in text
    assert not [other for other in others if other in text]


BUILDS = [
    ("allowed", "hold", False, "1 build has no order yet and will be waived"),
    ("forbidden", "hold", False, "1 build has no order yet: the rules will raise an army"),
    ("forbidden", "civil-disorder", False, "1 build has no order yet and will not be made"),
    ("forbidden", "civil-disorder", True, "1 build has no order yet: the rules will raise an army"),
]


@pytest.mark.parametrize(("waive", "nmr", "one_held", "said"), BUILDS)
def test_what_becomes_of_a_build_without_an_order(
    waive: Any, nmr: Any, one_held: bool, said: str, common: Any, board: Board
) -> None:
    rules = replace(STANDARD, builds_waive=waive, nmr=nmr)
    at = Position(Phase("W", 1901, "A"), (), {"par": "France", "mar": "France"})
    due = Due("W1901A", None, builds=1 + one_held, build_sites=("mar", "par"))
    held = (Held(Build("A", "par")),) if one_held else ()
    text = plain(render(ReceiptFacts(common(phase="W1901A", rules=rules), 1, at, due, held=held, unused_builds=1)))
    assert said in text
    assert ("waived" in text) is (waive == "allowed")


@pytest.mark.parametrize("name", ["READY", "WAIT"])
def test_ready_and_wait_where_nothing_runs_early(name: str, common: Any, board: Board) -> None:
    start = starting_position(board)
    due = Due("S1901M", None, units=start.units_of("France"))
    told = ReceiptFacts(common(early=False), 1, start, due, ready=name == "READY", commands=(CommandDone(name),))
    text = plain(render(told))
    assert f"{name} changes nothing in this game: the phase runs at the deadline and not before." in text
    assert "nobody needs to wait for you" not in text and "READY takes it back" not in text
    assert "ready: " not in text and "asked to wait" not in text


@pytest.mark.parametrize(("rule", "needs"), [("void", True), ("default-coast", False)])
def test_do_now_asks_for_a_coast_where_one_is_needed(rule: Any, needs: bool, common: Any) -> None:
    due = Due("W1901A", None, builds=1, build_sites=("stp/nc", "stp/sc", "stp"))
    facts = StartFacts(common(phase="W1901A", power="Russia", rules=replace(STANDARD, coast_build=rule)), (), due)
    assert ("needs its coast" in plain(render(facts))) is needs


@pytest.mark.parametrize(("rule", "letters"), [("valid", False), ("void", True), ("yields", True)])
def test_do_now_asks_for_letters_where_they_are_needed(rule: Any, letters: bool, common: Any, board: Board) -> None:
    due = Due("W1901A", None, units=starting_position(board).units_of("France"), removals=1)
    facts = StartFacts(common(phase="W1901A", rules=replace(STANDARD, units_missing_type=rule)), (), due)
    assert ("write “remove”, A or F, and where the unit stands" in plain(render(facts))) is letters
