"""Setting up a game in the shell: rules set twice, where a draw's seed is from, wishes that count for nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import main


@pytest.fixture
def home(tmp_path: Path) -> Path:
    run(tmp_path, "init", str(tmp_path / "home"), "--domain", "judge.example.org")
    return tmp_path / "home"


def run(home: Path, *args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["--home", str(home), *args])
    assert result.exit_code == code, result.output
    return result


def new(home: Path, *args: str, code: int = 0) -> Result:
    return run(home, "game", "new", "autumn", "--rules", "japan-1910", *args, code=code)


@pytest.mark.parametrize("second", ["victory.centres=11", "Victory.Centres = 10"])
def test_a_key_set_twice_is_refused(home: Path, second: str) -> None:
    result = new(home, "--set", "victory.centres=10", "--set", second, code=1)
    assert "is set more than once; which one counts?" in result.stderr and "victory.centres" in result.stderr.lower()
    assert run(home, "game", "list").output == ""
    new(home)
    result = run(home, "game", "set", "autumn", "nmr=hold", "victory.centres=10", second, code=1)
    assert "is set more than once" in result.stderr
    assert json.loads(run(home, "game", "rules", "autumn", "--json").output)["special"]["victory.centres"] == "18"


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("seed", "origin"), [(("--seed", "abc"), "chosen"), ((), "chance")])
def test_where_the_seed_of_a_draw_is_from(home: Path, at_once: bool, seed: tuple[str, ...], origin: str) -> None:
    players = ("--player", "ada@example.org=France", "--player", "ben@example.org=France")
    if at_once:
        new(home, *players, *seed, "--start")
    else:
        new(home, *players)
        run(home, "game", "start", "autumn", *seed)
    view = json.loads(run(home, "game", "draw", "autumn", "--json").output)
    assert view["seed_from"] == origin and view["as_stored"]
    words = {"chosen": "seed abc, chosen by whoever made the game", "chance": ", drawn by chance"}[origin]
    assert words in run(home, "game", "draw", "autumn").output


def test_a_second_wish_is_refused_where_each_has_one(home: Path) -> None:
    result = new(home, "--player", "ada@example.org=France,Italy", code=1)
    assert "ada@example.org wishes for France, Italy: by these rules each player has one wish" in result.stderr
    assert run(home, "game", "list").output == ""


def test_a_file_called_like_a_preset_does_not_pass_for_it(home: Path) -> None:
    (home / "standard.toml").write_text("[victory]\ncentres = 5\n")
    made = run(home, "game", "new", "autumn", "--rules", str(home / "standard.toml"), "--json")
    assert json.loads(made.output)["rules"] == "standard (standard.toml)"
    titled = home / "five.toml"
    titled.write_text('title = "Quick game"\n[victory]\ncentres = 5\n')
    made = run(home, "game", "new", "winter", "--rules", str(titled), "--json")
    assert json.loads(made.output)["rules"] == "Quick game"


def test_a_game_that_would_be_over_at_once_is_not_made(home: Path) -> None:
    result = new(home, "--set", "victory.clock.at=2020-01-01T00:00Z", "--start", code=1)
    assert "victory.clock.at: the game would end at 2020-01-01 00:00 UTC, with its very first phase" in result.stderr
    assert run(home, "game", "list").output == ""


@pytest.mark.parametrize("mastered", [True, False], ids=["with a master", "without one"])
def test_who_changed_a_rule_at_the_shell(home: Path, mastered: bool) -> None:
    new(home, "--player", "ada@example.org=France", "--start")
    if mastered:
        run(home, "game", "master", "autumn", "ana@example.org")
    run(home, "game", "set", "autumn", "victory.end.turn=F1905")
    rows = [json.loads(line) for line in run(home, "game", "log", "autumn", "--json").output.splitlines()]
    (who,) = [row["who"] for row in rows if row["what"] == "rule-changed"]
    assert who == ("master" if mastered else "operator")
