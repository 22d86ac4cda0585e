"""Boards: the standard one is what everybody knows, and a faulty file is told with file and line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from judge.errors import BadInput, NotFound
from judge.resources import data_dir
from judge.variants import board_names, load_board, read_board

STANDARD = (data_dir("games") / "standard" / "variant.toml").read_text(encoding="utf-8")


def test_the_standard_board() -> None:
    board = load_board()
    kinds = [province.kind for province in board.provinces.values()]
    assert (len(kinds), kinds.count("sea"), kinds.count("inland"), kinds.count("coastal")) == (75, 19, 14, 42)
    assert len(board.supply_centres()) == 34
    assert {power: len(board.home_centres(power)) for power in board.powers} == {
        "Austria": 3,
        "England": 3,
        "France": 3,
        "Germany": 3,
        "Italy": 3,
        "Russia": 4,
        "Turkey": 3,
    }
    assert len(board.start) == 22
    assert sum(map(len, board.army.values())) == 222
    assert sum(map(len, board.fleet.values())) == 282
    assert {p.id: p.coasts for p in board.provinces.values() if p.coasts} == {
        "bul": ("ec", "sc"),
        "spa": ("nc", "sc"),
        "stp": ("nc", "sc"),
    }


@pytest.mark.parametrize(
    ("kind", "one", "other", "touch"),
    [
        ("fleet", "bal", "kie", True),
        ("fleet", "eas", "ion", True),
        ("fleet", "nwy", "stp/nc", True),
        ("fleet", "nao", "lvp", True),
        ("fleet", "swe", "den", True),
        ("army", "swe", "den", True),
        ("army", "nwy", "stp", True),
        ("army", "syr", "mos", False),
        ("army", "spa", "naf", False),
        ("fleet", "iri", "cly", False),
        ("fleet", "rom", "ven", False),
        ("fleet", "spa/nc", "mar", False),
        ("fleet", "gas", "spa/sc", False),
    ],
)
def test_borders_that_people_ask_about(kind: str, one: str, other: str, touch: bool) -> None:
    borders = getattr(load_board(), kind)
    assert (other in borders[one], one in borders[other]) == (touch, touch)


@pytest.mark.parametrize("name", board_names())
def test_every_board_of_the_games_folder_is_sound(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert load_board(name) is board
    assert all(unit.power in board.powers for unit in board.start)
    assert board.start


def test_seas_as_bits_say_what_the_map_says() -> None:
    board = load_board()
    for sea, bit in board.sea_bit.items():
        near = {other for other, other_bit in board.sea_bit.items() if board.sea_near[bit] & other_bit}
        assert near == {to for to in board.fleet[sea] if to in board.sea_bit}
    assert board.shore["lon"] == board.sea_bit["eng"] | board.sea_bit["nth"]
    assert "mos" not in board.shore
    assert board.reach["spa/nc"] == {"gas", "mao", "por"}
    assert board.locations("stp") == ("stp/nc", "stp/sc")
    assert board.locations("par") == ("par",)


def test_an_unknown_board_is_told_with_those_that_there_are() -> None:
    for name in ("standart", "../standard", ""):
        with pytest.raises(NotFound, match=r"Allowed: .*standard"):
            load_board(name)


def _broken(tmp_path: Path, old: str, new: str) -> BadInput:
    assert STANDARD.count(old) == 1, old
    folder = tmp_path / hashlib.sha256(new.encode()).hexdigest()[:8]
    folder.mkdir()
    path = folder / "variant.toml"
    path.write_text(STANDARD.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_board(path)
    line = next(n for n, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if new.splitlines()[-1] in text)
    assert caught.value.where == f"{path}:{line}", caught.value
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Adriatic Sea", kind = "sea"', '"Adriatic Sea", kind = "see"', "sea, coastal or inland"),
        ('fleet = "alb apu ion tri ven"', 'fleet = "alb apu ion tri ven xyz"', "cannot sail to 'xyz'"),
        ('fleet = "alb apu ion tri ven"', 'flet = "alb apu ion tri ven"', "did you mean fleet"),
        ('army = "gal mun sil tyr vie" }', 'army = "gal mun sil tyr vie", fleet = "adr" }', "no fleet sails there"),
        ('fleet = "alb apu ion tri ven"', 'army = "ven", fleet = "alb apu ion tri ven"', "no army walks there"),
        ('army = "gal mun sil tyr vie"', 'army = "gal mun sil tyr vie adr"', "cannot walk to 'adr'"),
        ('centre = true, home = "Turkey", army = "arm con', 'home = "Turkey", army = "arm con', "no supply centre"),
        ('home = "Turkey", army = "arm con smy"', 'home = "Turkei", army = "arm con smy"', "did you mean Turkey"),
        ('start = ["A bud", "A vie", "F tri"]', 'start = ["A bud", "A bud", "F tri"]', "already stands"),
        ('start = ["A bud", "A vie", "F tri"]', 'start = ["A bud", "A vie", "F vie"]', "cannot stand there"),
        ('start = ["A bud", "A vie", "F tri"]', 'start = ["X bud"]', "is no unit"),
        ('"F stp/sc"]', '"F stp"]', "cannot stand there: did you mean"),
        ("victory_centres = 18", "victory_centres = 35", "1 to 34"),
        ("victory_centres = 18", 'victory_centres = "18"', "a whole number"),
        ("first_year = 1901", "first_year = 0", "1 or later"),
        ("first_year = 1901", "first_jear = 1901", "did you mean first_year"),
        ("first_year = 1901", "first_year = ", "no TOML"),
        ('name = "standard"', 'extends = "nowhere"\nname = "standard"', "no board 'nowhere'"),
    ],
)
def test_a_fault_is_told_with_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    if new.startswith("extends"):
        new = "\n".join(reversed(new.splitlines()))
    assert message in str(_broken(tmp_path, old, new))


def test_a_border_is_written_on_both_sides(tmp_path: Path) -> None:
    """It is told at the province that still says it."""
    path = tmp_path / "variant.toml"
    path.write_text(STANDARD.replace("alb apu ion tri ven", "alb apu ion tri"), encoding="utf-8")
    line = next(n for n, text in enumerate(STANDARD.splitlines(), 1) if text.startswith("ven = "))
    with pytest.raises(BadInput, match=f"{path}:{line}: the border ven - adr is not written on both sides"):
        read_board(path)


def test_boards_that_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "variant.toml").write_text(f'extends = "{other}"\nname = "{name}"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="in a circle"):
        read_board(tmp_path / "one" / "variant.toml")


def test_a_fault_in_what_is_extended_is_told_there(tmp_path: Path) -> None:
    texts = {"below": STANDARD.replace("alb apu ion tri ven", "alb"), "above": 'extends = "below"\nname = "above"\n'}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "variant.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"below/variant.toml:\d+: "):
        read_board(tmp_path / "above" / "variant.toml")
