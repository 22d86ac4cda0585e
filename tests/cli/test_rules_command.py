"""``judge rules`` and ``judge draw`` from the shell: what is printed, and how faults are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.rules.houserules import keys
from judge.variants import preset_names


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def home(tmp_path: Path) -> str:
    assert run("init", str(tmp_path / "home"), "--domain", "judge.example.org").exit_code == 0
    return str(tmp_path / "home")


def test_list_names_every_preset() -> None:
    lines = run("rules", "list").output.splitlines()
    assert [line.split()[0] for line in lines] == list(preset_names())
    rows = [json.loads(line) for line in run("rules", "list", "--json").output.splitlines()]
    assert {r["name"]: r["changed"] for r in rows}["standard"] == 0


@pytest.mark.parametrize("name", preset_names())
def test_show_prints_every_key_with_value_default_meaning_and_sources(name: str) -> None:
    shown = run("rules", "show", name).output
    for key in keys().values():
        assert f"\n{key.name} = " in shown
        assert all(number in shown for number in key.datc) and all(row in shown for row in key.rows)
    data = json.loads(run("rules", "show", name, "--json").output)
    assert set(data["keys"]) == set(keys())
    assert data["keys"]["convoy.disruption"]["doc"] == keys()["convoy.disruption"].doc


def test_show_what_is_changed_alone() -> None:
    data = json.loads(run("rules", "show", "japan-1910", "--changed", "--json").output)["keys"]
    assert data["victory.end.turn"]["value"] == "F1910" and data["coast.aliases"]["value"] == {"bul/nc": "bul/ec"}
    assert all(entry["value"] != entry["default"] for entry in data.values())


FAULTS = {
    "misspelt key": ('extends = "standard"\n\n[convoy]\ndisrupton = "any-route"\n', 4, "convoy.disruption"),
    "misspelt section": ("[convoi]\nroute = 1\n", 1, "convoy"),
    "wrong word": ("[nmr]\n", 1, "hold"),
    "wrong value": ('[support]\nown_dislodge = "hold"\n', 2, "becomes-hold"),
    "wrong type": ("[retreat]\ninto_standoff = 1\n", 2, "true or false"),
    "too many centres": ("[victory]\ncentres = 35\n", 2, "1 to 34"),
    "no turn": ('[victory.end]\nturn = "autumn"\n', 2, "F1910"),
    "the end before the start": ('title = "x"\n[victory]\nend = { turn = "F1900", counts = "units" }\n', 3, "1901"),
    "two clocks": ('[victory.clock]\nafter = "2 h"\nat = "2026-03-01T20:00Z"\n', 2, "one of them"),
    "an instant without its offset": ('[victory.clock]\nat = "2026-03-01T20:00"\n', 2, "offset"),
    "no such coast": ('[coast]\naliases = { "bul/nc" = "bul/xx" }\n', 2, "bul/ec"),
    "no such preset": ('extends = "japan"\n', 1, "japan-1910"),
    "no TOML": ("[victory\ncentres = 3\n", 1, "TOML"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_check_names_file_line_and_what_is_allowed(name: str, tmp_path: Path) -> None:
    text, line, said = FAULTS[name]
    path = tmp_path / "mine.toml"
    path.write_text(text)
    result = run("rules", "check", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:{line}: ") and said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_check_tells_every_fault_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[convoy]\ndisrupton = "any-route"\nroute = "maybe"\n[victory]\ncentres = 35\nend = "F1905"\n')
    result = run("rules", "check", str(path))
    assert result.exit_code == 1
    assert [line.removeprefix(f"{path}:").partition(":")[0] for line in result.stderr.splitlines()] == ["2", "3", "5", "6"]


def test_a_good_file_beside_a_bad_one(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text('extends = "china"\n[victory]\ncentres = 10\n')
    (tmp_path / "bad.toml").write_text("nrm = 1\n")
    result = run("rules", "check", str(tmp_path / "good.toml"), str(tmp_path / "bad.toml"), "japan-1910")
    assert result.exit_code == 1
    assert "good.toml: good; " in result.stdout and "japan-1910: good" in result.stdout
    assert "bad.toml:1: unknown key 'nrm': did you mean nmr?" in result.stderr


def test_diff_of_a_preset_and_a_masters_own_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "japan-1910"\n[victory.end]\nturn = "F1905"\n[move]\nconvoy_swap = false\n')
    assert run("rules", "diff", "japan-1910", str(path)).output.splitlines() == [
        'victory.end.turn  "F1910" -> "F1905"',
        "move.convoy_swap  true -> false",
    ]
    data = json.loads(run("rules", "diff", "japan-1910", str(path), "--json").output)["keys"]
    assert data["victory.end.turn"] == {"first": "F1910", "second": "F1905"}
    assert "say the same" in run("rules", "diff", "china", "china").output


def test_words_says_them_as_the_players_read_them() -> None:
    said = run("rules", "words", "japan-1910").output
    assert "* A convoy with several routes fails if any of them is broken." in said
    assert "- A build may be given up" in said


def test_no_game_starts_with_faulty_rules(home: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[victory.end]\nturn = "F1899"\n')
    result = run("--home", home, "game", "new", "autumn", "--rules", str(path), "--seat", "France=a@example.org", "--start")
    assert result.exit_code == 1 and f"{path}:2" in result.stderr
    for setting in ("victory.end.turn=F1899", "victory.end=F1905", "nmr", "convoy.route=maybe"):
        assert run("--home", home, "game", "new", "autumn", "--set", setting).exit_code == 1
    seat = run("--home", home, "game", "new", "autumn", "--seat", "Atlantis=a@example.org")
    assert seat.exit_code == 1 and "Austria, England" in seat.stderr
    assert run("--home", home, "game", "list").output == ""


def test_a_game_with_rules_of_its_own_from_making_to_changing(home: str) -> None:
    made = run(
        "--home", home, "game", "new", "autumn", "--rules", "japan-1910",
        "--set", "victory.end.turn=F1907", "--set", "victory.end.counts=centres",
        "--player", "ada@example.org=France", "--player", "ben@example.org=France", "--player", "cem@example.org",
        "--start", "--seed", "5f0c", "--json",
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    fell = {seat["address"]: seat["power"] for seat in json.loads(made.stdout)["seats"] if seat["address"]}
    assert "nobody plays" in made.stderr and "powers.unplayed=" in made.stderr
    assert set(fell) == {"ada@example.org", "ben@example.org", "cem@example.org"} and "France" in fell.values()
    drawn = json.loads(run("--home", home, "game", "draw", "autumn", "--json").output)
    assert drawn["as_stored"] and drawn["seed"] == "5f0c"
    assert {p["address"]: p["power"] for p in drawn["players"]} == fell
    special = json.loads(run("--home", home, "game", "rules", "autumn", "--json").output)["special"]
    assert special["victory.end.turn"] == "F1907" and "victory.end.counts" not in special
    changed = run("--home", home, "game", "set", "autumn", "victory.end.turn=F1905", "--why", "as voted")
    assert changed.output == "victory.end.turn: F1907 -> F1905, from F1901M on\n"
    refused = run("--home", home, "game", "set", "autumn", "victory.end.turn=S1901")
    assert refused.exit_code == 1 and "under way" in refused.stderr
    run("--home", home, "game", "process", "autumn")
    (change,) = json.loads(run("--home", home, "game", "rules", "autumn", "--json").output)["changes"]
    assert (change["new"], change["state"], change["from_phase"], change["why"]) == (
        "F1905",
        "in-force",
        "F1901M",
        "as voted",
    )
    assert run("--home", home, "game", "verify", "autumn").exit_code == 0


def test_draw_from_the_shell() -> None:
    line = ["draw", "preference", "--seed", "5f0c", "France", "France", "-", "England", "Germany", "Russia", "Turkey"]
    first, second = run(*line), run(*line)
    assert first.exit_code == 0 and first.output == second.output
    rows = [json.loads(row) for row in run(*line, "--json").output.splitlines()]
    assert [row["power"] for row in rows[3:]] == ["England", "Germany", "Russia", "Turkey"]
    assert run("draw", "random", "--seed", "1", *["-"] * 8).exit_code == 1
    assert run("draw", "random", "--seed", "1", "Narnia").exit_code == 1
    assert run("draw", "by-height", "--seed", "1", "-").exit_code == 2


def test_show_says_what_each_word_means() -> None:
    shown = " ".join(run("rules", "show", "japan-1910").output.split())
    assert "any-route A convoy with several routes fails if any of them is broken." in shown
    assert "01-S Turns are written 01-S and 01-F." in shown
    data = json.loads(run("rules", "show", "japan-1910", "--json").output)["keys"]
    for name, key in keys().items():
        words = ["true", "false"] if key.kind == "flag" else list(key.values)
        assert list(data[name]["meanings"]) == words
        assert all(meaning.endswith(".") for meaning in data[name]["meanings"].values())
