"""``judge game verify | signs | commitments`` from the shell: what is printed, and with what they end."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.play import verify


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def home(tmp_path: Path) -> str:
    """A judge with a game whose first phase is over."""
    home = str(tmp_path / "home")
    assert run("init", home, "--domain", "judge.example.org").exit_code == 0
    seats = ("--seat", "France=camille@example.org", "--seat", "Italy=camille@example.org")
    assert run("--home", home, "game", "new", "spring42", *seats, "--start").exit_code == 0
    assert run("--home", home, "game", "process", "spring42").exit_code == 0
    return home


def change(home: str, sql: str) -> None:
    (path,) = Path(home).rglob("*.db")
    with sqlite3.connect(path) as other:
        assert other.execute(sql).rowcount == 1
    other.close()


def test_verify_ends_well(home: str) -> None:
    done = run("--home", home, "game", "verify", "spring42")
    assert (done.exit_code, done.output) == (0, "spring42: 2 phases, all as stored\n")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE phases SET result = replace(result, 'holds', 'holdt') WHERE state = 'processed'",
        "UPDATE phases SET opened_at = '2026' WHERE state = 'processed'",
        "UPDATE games SET started_at = 'x'",
        "DELETE FROM log WHERE id = 1",
    ],
)
def test_verify_fails_for_what_was_changed_and_never_breaks(home: str, sql: str) -> None:
    change(home, sql)
    plain = run("--home", home, "game", "verify", "spring42")
    assert plain.exit_code == 1 and plain.stderr.startswith("spring42: ") and "Traceback" not in plain.output
    rows = [json.loads(row) for row in run("--home", home, "game", "verify", "spring42", "--json").stdout.splitlines()]
    assert all(row["kind"] == "bytes" for row in rows)


def test_a_changed_reader_may_be_let_pass(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "verify_game", lambda judge, game: [verify.Fault("reader", "mail 1: read otherwise")])
    assert run("--home", home, "game", "verify", "spring42").exit_code == 1
    passed = run("--home", home, "game", "verify", "spring42", "--reader-may-change")
    assert passed.exit_code == 0 and "reader: mail 1" in passed.stderr


def test_signs_are_told_without_a_verdict(home: str) -> None:
    told = " ".join(run("--home", home, "game", "signs", "spring42").output.split())
    assert "prove nothing" in told and "France and Italy: registered with one mailbox, camille@example.org." in told


def test_commitments_of_a_phase_without_receipts(home: str) -> None:
    assert "THE COMMITMENTS OF SPRING 1901" in run("--home", home, "game", "commitments", "spring42", "S1901M").output
    assert run("--home", home, "game", "commitments", "spring42", "F1950M").exit_code == 1
