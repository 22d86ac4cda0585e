"""``judge demo``: a game by mail between real servers on loopback, and what it says when something is not as recorded."""

from __future__ import annotations

import gzip
import json
import mailbox
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.cli.demo.cast import PLAYERS
from judge.mail.identity import TOKEN_LENGTH, Keys
from judge.resources import data_dir
from judge.settings import load, load_key

#: many mails a test: among the slow ones
pytestmark = pytest.mark.slow

RECORDING = data_dir("games") / "examples" / "game-to-1910.jsonl.gz"


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def phases() -> list[dict[str, object]]:
    return [json.loads(line) for line in gzip.decompress(RECORDING.read_bytes()).splitlines()]


def _file(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def first_year(tmp_path_factory: pytest.TempPathFactory, phases: list[dict[str, object]]) -> tuple[Path, Result]:
    """1901 by mail, kept."""
    folder = tmp_path_factory.mktemp("demo")
    recording = _file(folder / "1901.jsonl", phases[:3])
    return folder / "kept", _run("demo", "--keep", folder / "kept", "--recording", recording)


def test_a_year_by_mail_comes_out_as_recorded(first_year: tuple[Path, Result]) -> None:
    _, result = first_year
    assert result.exit_code == 0, result.output
    assert re.search(r"^France +6 +6$", result.stdout, re.MULTILINE)
    assert "checked     3 positions as recorded, 21 results" in result.stdout


def test_each_player_has_a_maildir_with_every_result_once(first_year: tuple[Path, Result]) -> None:
    folder, result = first_year
    for power in PLAYERS:
        assert str(folder / "players" / power) in result.stdout
        box = mailbox.Maildir(folder / "players" / power, factory=None, create=False)
        events = Counter(str(mail["Message-ID"]).split(".")[3] for mail in box)
        assert (events["start"], events["result"]) == (1, 3)
        assert len({mail["Message-ID"] for mail in box}) == len(box)
        assert len(box.get_folder("Sent")) >= 1


def test_what_is_kept_is_a_whole_judge(first_year: tuple[Path, Result]) -> None:
    folder, _ = first_year
    shown = _run("--home", folder / "judge", "game", "show", "demo", "--json")
    view = json.loads(shown.stdout)
    assert (view["state"], view["phase"], len(view["seats"])) == ("running", "S1902M", 7)
    verified = _run("--home", folder / "judge", "game", "verify", "demo")
    assert verified.exit_code == 0, verified.output
    status = json.loads(_run("--home", folder / "judge", "status", "--json").stdout)
    assert (status["inbox"]["waiting"], status["outbox"]["waiting"], status["outbox"]["parked"]) == (0, 0, 0)


def test_no_stored_byte_holds_a_live_token(first_year: tuple[Path, Result]) -> None:
    home = first_year[0] / "judge"
    keys = Keys(load_key(load(home, {})))
    stored = b"".join(path.read_bytes() for path in home.iterdir() if path.name != "judge.key").lower()
    wire = b"".join(path.read_bytes() for path in (first_year[0] / "players").rglob("new/*"))
    for power in PLAYERS:
        token = keys.token("demo", power).encode()
        assert len(token) == TOKEN_LENGTH
        assert token in wire, "the players' own mails carry it"
        assert token not in stored


def test_the_log_holds_no_address_and_no_token(first_year: tuple[Path, Result]) -> None:
    log = (first_year[0] / "judge" / "judge.log").read_text(encoding="utf-8")
    assert '"event": "mail-kept"' in log
    assert "@" not in log


def _altered(phases: list[dict[str, object]]) -> list[dict[str, object]]:
    """The recording with one order that was not given so: A PAR-GAS becomes A PAR-PIC."""
    first = json.loads(json.dumps(phases[0]))
    (order,) = [order for order in first["orders"] if order["text"] == "A PAR-GAS"]
    order["text"] = "A PAR-PIC"
    return [first, *phases[1:]]


def test_one_altered_order_is_found_and_named(tmp_path: Path, phases: list[dict[str, object]]) -> None:
    result = _run("demo", "--recording", _file(tmp_path / "altered.jsonl", _altered(phases)))
    assert result.exit_code == 1
    faults = [line for line in result.stderr.splitlines() if line.startswith("S1901M:")]
    assert faults == ["S1901M: no France A gas", "S1901M: France A pic is one too many"]
    assert "2 faults" in result.stdout


def test_a_recording_that_skips_a_phase_is_found(tmp_path: Path, phases: list[dict[str, object]]) -> None:
    result = _run("demo", "--recording", _file(tmp_path / "skips.jsonl", [phases[0], phases[2]]))
    assert result.exit_code == 1
    assert "W1901A: the judge has F1901M here" in result.stderr


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious", encoding="utf-8")
    result = _run("demo", "--keep", tmp_path)
    assert result.exit_code == 1
    assert "not empty" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_bad_recording_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}", encoding="utf-8")
    result = _run("demo", "--recording", tmp_path / "bad.jsonl")
    assert result.exit_code == 1
    assert "bad.jsonl:1: " in result.stderr


def test_the_help_shows_an_example() -> None:
    result = _run("demo", "--help")
    assert result.exit_code == 0
    assert "judge demo --keep demo" in result.stdout


# ---- the whole game --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1910", "3"])
def test_the_whole_game_is_won_by_france_in_1910(tmp_path: Path, seed: str) -> None:
    result = _run("demo", "--keep", tmp_path / "kept", "--seed", seed)
    assert result.exit_code == 0, result.output
    assert "won by France with 15" in result.stdout
    assert "checked     44 positions as recorded, 308 results" in result.stdout
    assert re.search(r"^France( +\d+){10} +15$", result.stdout, re.MULTILINE)
    verified = _run("--home", tmp_path / "kept" / "judge", "game", "verify", "demo")
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_the_same_seed_tells_the_same_story(tmp_path: Path, phases: list[dict[str, object]]) -> None:
    recording = _file(tmp_path / "two-years.jsonl", phases[:7])
    runs = [_run("demo", "--seed", "5", "--recording", recording, "--keep", tmp_path / name) for name in ("one", "two")]
    assert {run.exit_code for run in runs} == {0}
    assert runs[0].stdout.replace(str(tmp_path / "one"), "") == runs[1].stdout.replace(str(tmp_path / "two"), "")
    mails = [sorted(path.read_bytes() for path in (tmp_path / name).rglob("players/*/new/*")) for name in ("one", "two")]
    assert mails[0] == mails[1]
