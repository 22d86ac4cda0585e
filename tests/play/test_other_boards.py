"""The seam for boards: whole games by mail on boards that are data alone, in two languages, and on one made up here."""

from __future__ import annotations

import ast
import shlex
import shutil
from collections.abc import Iterator, Mapping
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.errors import BadInput
from judge.play import seating, setup, verify
from judge.resources import data_dir
from judge.store import games
from judge.variants import board as board_module
from judge.variants import board_names, load_board, load_rules, with_key
from judge.variants import names as names_module

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

Desk = Any


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def subject_of(message: Message) -> str:
    return str(make_header(decode_header(message["Subject"])))


class Table:
    """A game on another board, all its powers played; ``languages`` of those that do not read English."""

    def __init__(
        self, desk: Desk, variant: str, settings: Mapping[str, str] = {}, languages: Mapping[str, str] = {}
    ) -> None:
        self.desk = desk
        self.board = load_board(variant)
        rules = load_rules("standard", self.board)
        for key, value in settings.items():
            rules = with_key(rules, key, value, self.board)
        players = {power: f"{power.lower()}@example.net" for power in self.board.powers}
        setup.create_game(desk.judge, "other", rules=rules, variant=variant, players=players, now=desk.now)
        for power, language in languages.items():
            setup.set_reader(desk.judge, "other", power, language=language, timezone=None, who="operator", now=desk.now)
        setup.start_game(desk.judge, "other", desk.now)
        self.starts = self.collect()

    def collect(self) -> dict[str, Message]:
        self.desk.work()
        mails = (m for m in self.desk.receive() if m["To"].endswith("@example.net"))
        return {m["To"].partition("@")[0].title(): m for m in mails}

    def write(self, power: str, body: str) -> str:
        to = self.desk.reply_to(power, "other")
        answer = self.desk.mail(power, body, to=to, sender=f"{power.lower()}@example.net")
        assert self.desk.outcome == "orders", text_of(answer)
        return text_of(answer)

    def run(self) -> dict[str, Message]:
        self.desk.pass_time(hours=25)
        return self.collect()

    def show(self) -> dict[str, Any]:
        view: dict[str, Any] = self.desk.show("other")
        return view

    def verify(self) -> list[str]:
        return verify.verify_game(self.desk.judge, games.get(self.desk.judge.store, "other"))


# ---------------------------------------------------------------------- pure

#: a whole game: in every turn some write, the others' armies hold; France takes Berlin, Vienna and Rome with help
PURE: tuple[Mapping[str, str], ...] = (
    {
        "France": "A Par - Ber",
        "England": "A London S A Paris - Berlin",
        "Russia": "A Moskau - Ankara",
        "Italy": "A ローマ H",
    },
    {"France": "A Ber H", "Germany": "A BER D"},  # a retreat, of the only army that Germany has
    {"France": "A Ber H", "Russia": "A Mos H"},
    {"France": "build A Paris"},
    {"France": "A Ber - Vie\nA Par S A Ber - Vie", "Austria": "A Vie - Ber"},
    {"France": "A Par - Ber", "Turkey": "A Ankara - Moscow", "Russia": "A Moscow - Ankara"},
)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_pure_a_whole_short_game_to_its_agreed_end(desk: Desk, language: str) -> None:
    """Seven players, one of them in another language; two years, and whoever owns the most centres then."""
    game = Table(desk, "pure", {"victory.end.turn": "F1902"}, {"Italy": language})
    assert set(game.starts) == set(game.board.powers)
    first = text_of(game.starts["Italy"])
    assert ("Whoever holds 4 supply centres" in first) == (language == "en")
    assert ("補給都市を4個" in first.replace(" ", "")) == (language == "ja")
    phases = [game.show()["phase"]]
    orders = list(PURE)
    results: dict[str, Message] = {}
    while game.show()["state"] == "running":
        phase = game.show()["phase"]
        for power, body in _orders_for(phase, orders).items():
            game.write(power, body)
        results = game.run()
        assert set(results) == set(game.board.powers)
        phases.append(game.show()["phase"])
        assert len(phases) < 12
    view = game.show()
    assert (view["winners"], view["ended_by"]) == (["France"], "victory.end.turn")
    assert view["centres"]["France"] == ["ber", "par", "vie"]
    assert "F1902M" in phases and "W1901A" in phases
    said = {"en": "France wins", "ja": "フランスの勝利"}[language]
    assert said in subject_of(results["Italy"]) + text_of(results["Italy"])
    assert "France wins" in text_of(results["Turkey"])
    assert game.verify() == []


def _orders_for(phase: str, orders: list[Mapping[str, str]]) -> Mapping[str, str]:
    """The next orders of the story that belong to a phase of this kind."""
    kinds = {"S1901M": 0, "S1901R": 1, "F1901M": 2, "W1901A": 3, "S1902M": 4, "F1902M": 5}
    found = orders[kinds[phase]] if phase in kinds else {}
    return found


# ---------------------------------------------------------------------- fleet-rome

ROME = {
    "en": ("F Rome - TYS\nF Nap - Ion\nA Ven H", "F Rome - Tyrrhenian Sea", "went in"),
    "ja": (
        "ローマ海軍 - ティレニア海\nナポリ海軍 - イオニア海\nヴェネツィア陸軍 維持",
        "F ローマ - ティレニア海",
        "移動成功",
    ),
}


@pytest.mark.parametrize("language", ROME)
def test_fleet_rome_sails_from_order_mail_to_result(desk: Desk, language: str) -> None:
    body, order, word = ROME[language]
    game = Table(desk, "fleet-rome", languages={"Italy": language})
    assert ("Fleet Rome" if language == "en" else "ローマ") in text_of(game.starts["Italy"]).replace(
        "fleet in Rome", "Fleet Rome"
    )
    assert order in game.write("Italy", body)
    assert {"power": "Italy", "type": "F", "at": "rom"} in game.show()["units"]
    results = game.run()
    assert f"{order} {word}" in text_of(results["Italy"])
    assert "F Rome - Tyrrhenian Sea" in text_of(results["France"])
    units = [(u["type"], u["at"]) for u in game.show()["units"] if u["power"] == "Italy"]
    assert sorted(units) == [("A", "ven"), ("F", "ion"), ("F", "tys")]
    assert game.verify() == []


# ---------------------------------------------------------------------- no code knows them


def test_no_code_names_a_board_or_asks_for_its_name() -> None:
    """Code knows the default board's name alone, and never compares with a board's name."""
    others = set(board_names()) - {load_board().name}
    assert {"fleet-rome", "pure"} <= others
    words = others | {name.replace("-", "_") for name in others}
    for path in Path(board_module.__file__).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in words, f"{path}:{node.lineno} names the board {node.value}"
            if isinstance(node, ast.Compare):
                sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
                asks = [s for s in sides if s.endswith(("variant", "board.name", "board_name"))]
                named = [s for s in node.comparators if isinstance(s, ast.Constant) and isinstance(s.value, str)]
                assert not (asks and named), f"{path}:{node.lineno} asks which board it is"


# ---------------------------------------------------------------------- a board of one's own

ISLANDS = """\
name = "islands"
title = "Three islands"
first_year = 1600
victory_centres = 3

[powers]
Red = { start = ["F rum/ec", "A rig"] }
Blue = { start = ["F blu", "A bay"] }
Green = { start = ["A gro"] }

[provinces]
rum = { name = "Rumholm", kind = "coastal", centre = true, home = "Red", army = "rig", fleet = { ec = "mid", wc = "out" } }
rig = { name = "Rigg", kind = "inland", army = "rum" }
blu = { name = "Blueness", kind = "coastal", centre = true, home = "Blue", army = "bay", fleet = "bay mid" }
bay = { name = "Bayton", kind = "coastal", centre = true, army = "blu", fleet = "blu mid out" }
gro = { name = "Groen", kind = "coastal", centre = true, home = "Green", fleet = "mid out" }
mid = { name = "Middle Sound", kind = "sea", fleet = "bay blu gro out rum/ec" }
out = { name = "Outer Sea", kind = "sea", fleet = "bay gro mid rum/wc" }
"""


@pytest.fixture
def islands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A third board beside the others in ``games/``: one file, in English, and nothing else."""
    shutil.copytree(data_dir("games"), tmp_path / "games")
    (tmp_path / "games" / "islands").mkdir()
    (tmp_path / "games" / "islands" / "variant.toml").write_text(ISLANDS, encoding="utf-8")
    for module in (board_module, names_module):
        monkeypatch.setattr(module, "data_dir", lambda name: tmp_path / name)
    yield "islands"
    load_board.cache_clear()
    names_module.load_names.cache_clear()


def test_a_board_of_ones_own_is_played_from_one_file(desk: Desk, islands: str) -> None:
    game = Table(desk, islands, {"powers.unplayed": ""}, {"Green": "ja"})
    assert "Spring 1600" in subject_of(game.starts["Red"])
    assert "Whoever holds 3 supply centres" in text_of(game.starts["Red"])
    assert "F Rumholm (east coast) - Middle Sound" in game.write("Red", "F Rumholm - Middle Sound\nA Rigg - Rumholm")
    game.write("Blue", "F Blueness - Mid\nA Bay H")
    results = game.run()
    assert "bounced" in text_of(results["Blue"])
    game.write("Red", "F Rum - Mid\nA Rigg H")
    game.write("Blue", "A Bay - Blu\nF Blu - Bay")  # a swap on land bounces
    results = game.run()
    assert {"power": "Red", "type": "F", "at": "mid"} in game.show()["units"]
    assert game.show()["centres"]["Blue"] == ["bay", "blu"]
    assert game.show()["phase"] == "W1600A"
    game.write("Red", "remove A Rigg")
    game.run()
    assert game.show()["phase"] == "S1601M"
    assert not any(unit["at"] == "rig" for unit in game.show()["units"])
    assert game.verify() == []


def test_powers_of_such_a_board_are_drawn_and_drawn_again(desk: Desk, islands: str) -> None:
    rules = with_key(load_rules("standard"), "powers.assign", "preference", load_board(islands))
    wishes = [("a@example.net", ["Red"]), ("b@example.net", ["Red"]), ("c@example.net", [])]
    setup.create_game(desk.judge, "other", rules=rules, variant=islands, wishes=wishes, now=desk.now)
    setup.start_game(desk.judge, "other", desk.now, "5f0c")
    drawn = seating.drawn(desk.judge, games.get(desk.judge.store, "other"))
    assert drawn is not None
    again = CliRunner().invoke(main, shlex.split(drawn.command())[1:])
    assert again.exit_code == 0, again.output
    assert [line.split()[1] for line in again.output.splitlines()] == [given.power for given in drawn.given]


def test_a_boards_name_is_that_of_its_folder(islands: str) -> None:
    folder = vars(board_module)["data_dir"]("games") / islands
    (folder / "variant.toml").write_text(ISLANDS.replace('name = "islands"', 'name = "isles"'), encoding="utf-8")
    with pytest.raises(BadInput, match=r"variant.toml:1: the name is that of the folder, 'islands', not 'isles'"):
        load_board(islands)
