"""The master's verbs at the shell: the same functions as by mail, each told to everybody."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.store import Store
from judge.store.db import stamp

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def run(home: Path, *args: str, code: int = 0, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["--home", str(home), *args], input=stdin)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    run(tmp_path, "init", str(home), "--domain", "judge.example.org")
    seats = [word for power in POWERS for word in ("--seat", f"{power}={power.lower()}@example.org")]
    run(home, "game", "new", "spring42", *seats, "--start")
    return home


def show(home: Path) -> dict[str, Any]:
    return json.loads(run(home, "game", "show", "spring42", "--json").output)  # type: ignore[no-any-return]


def test_a_deadline_is_set_and_extended(home: Path) -> None:
    run(home, "game", "deadline", "spring42", "tomorrow", "23:59", "--timezone", "UTC", "--why", "a holiday")
    before = show(home)["deadline"]
    assert before.endswith("T23:59:00Z")
    run(home, "game", "extend", "spring42", "48", "h")
    once = show(home)["deadline"]
    run(home, "game", "extend", "spring42", "48", "h")
    assert before < once < show(home)["deadline"]
    result = run(home, "game", "deadline", "spring42", "2001-01-01", "12:00", code=1)
    assert "is past already" in result.stderr
    assert "is no instant" in run(home, "game", "deadline", "spring42", "soon", code=1).stderr


def test_a_game_is_paused_and_resumed(home: Path) -> None:
    run(home, "game", "pause", "spring42", "--why", "a holiday")
    assert show(home)["deadline"] is None and show(home)["paused"]["until"] is None
    assert "paused since" in run(home, "game", "show", "spring42").output
    assert "RESUME" in run(home, "game", "process", "spring42", code=1).stderr
    assert "paused already" in run(home, "game", "pause", "spring42", code=1).stderr
    run(home, "game", "resume", "spring42")
    assert show(home)["deadline"] is not None and show(home)["paused"] is None
    assert "not paused" in run(home, "game", "resume", "spring42", code=1).stderr


def test_late_orders_are_taken_and_the_phase_is_run_again(home: Path) -> None:
    args = ("game", "accept", "spring42", "fra", "--why", "the line was down")
    run(home, "game", "process", "spring42", "--phase", "S1901M")
    assert "No orders of France came late for" in run(home, *args, code=1).stderr
    store = Store.open(next(home.rglob("*.db")))
    with store.transaction():
        for text in ("A PAR-BUR", "F BRE-MAO"):
            store.run(
                "INSERT INTO orders (phase_id, power, slot, text, set_at, state) VALUES (1, 'France', 'late', ?, ?, 'late')",
                text, stamp(datetime.now(UTC)),
            )  # fmt: skip
    store.close()
    told = run(home, *args).output
    assert "S1901M, taken of France: A PAR-BUR, F BRE-MAO" in told and "run again; open: F1901M, deadline " in told
    units = {one["at"] for one in show(home)["units"] if one["power"] == "France"}
    assert units == {"bur", "mar", "mao"}
    assert "on file already" in run(home, *args, code=1).stderr
    assert "the line was down" in run(home, "game", "log", "spring42").output
    assert "no power" in run(home, "game", "accept", "spring42", "Spain", code=1).stderr


def test_a_game_goes_back_and_verifies(home: Path) -> None:
    run(home, "game", "process", "spring42", "--phase", "S1901M")
    result = run(home, "game", "rollback", "spring42", "s1901m", "--why", "a fault of the judge")
    assert "undone: S1901M, F1901M" in result.output and show(home)["phase"] == "S1901M"
    assert "is open now" in run(home, "game", "rollback", "spring42", "S1901M", code=1).stderr
    assert "3 phases" in run(home, "game", "verify", "spring42").output


def test_a_position_is_corrected(home: Path) -> None:
    args = ("game", "correct", "spring42", "REMOVE A PAR", "OWNER BEL ENGLAND")
    run(home, *args, code=2)  # no reason
    result = run(home, *args, "--why", "a slip of mine")
    assert "A PAR (France) is taken off" in result.output and "bel belongs to England" in result.output
    assert "bel" in show(home)["centres"]["England"]
    assert "is no correction" in run(home, "game", "correct", "spring42", "nonsense", "--why", "x", code=1).stderr
    run(home, "game", "verify", "spring42")


def test_a_note_is_set_and_taken_off(home: Path) -> None:
    run(home, "game", "comment", "spring42", "-", stdin="Holidays.\n")
    assert show(home)["comment"] == "Holidays." and "note: Holidays." in run(home, "game", "show", "spring42").output
    run(home, "game", "comment", "spring42", "--off")
    assert show(home)["comment"] == ""


@pytest.mark.parametrize(("args", "winners"), [((), []), (("--draw",), list(POWERS))], ids=["no result", "draw"])
def test_a_game_is_ended(home: Path, args: tuple[str, ...], winners: list[str]) -> None:
    run(home, "game", "end", "spring42", *args, "--why", "as all agreed")
    assert show(home)["state"] == "ended" and show(home)["winners"] == winners
    assert "no open phase" in run(home, "game", "end", "spring42", code=1).stderr
    run(home, "game", "verify", "spring42")


def test_the_log_is_told_newest_first(home: Path) -> None:
    run(home, "game", "pause", "spring42", "--why", "a holiday")
    rows = [json.loads(line) for line in run(home, "game", "log", "spring42", "--json").output.splitlines()]
    assert [row["what"] for row in rows] == ["paused", "started", "created"]
    assert rows[0]["facts"]["why"] == "a holiday" and rows[0]["who"] == "operator"
    assert "a holiday" in run(home, "game", "log", "spring42").output
