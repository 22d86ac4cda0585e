"""The master's verbs about who plays, at the shell: the same functions as by mail, each told to those whom it concerns."""

from __future__ import annotations

import json
import shlex
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.cli.gameseats import COMMANDS
from judge.store import Store, people, standby

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
    run(home, "game", "new", "spring42", *seats, "--set", "clock.absence=7 d", "--start")
    return home


def seat(home: Path, power: str) -> dict[str, Any]:
    view = json.loads(run(home, "game", "show", "spring42", "--json").output)
    return next(one for one in view["seats"] if one["power"] == power)


def mails(home: Path) -> list[tuple[str, str]]:
    """Event and address of each mail that waits to be written, the oldest first."""
    with sqlite3.connect(next(home.rglob("*.db"))) as database:
        return database.execute("SELECT event, address FROM outbox ORDER BY id").fetchall()


def test_a_seat_is_given_and_opened(home: Path) -> None:
    before = len(mails(home))
    args = ("game", "replace", "spring42", "fra", "nils@example.net", "--why", "no orders for a month")
    assert "France is played by nils@example.net" in run(home, *args).output
    assert seat(home, "France")["address"] == "nils@example.net"
    told = mails(home)[before:]
    assert ("start", "nils@example.net") in told and ("notice", "france@example.org") in told
    assert len(told) == len({address for _, address in told}) == 8
    assert "plays France already" in run(home, *args, code=1).stderr or "already" in run(home, *args, code=1).stderr
    assert len(mails(home)) == before + 8
    assert "the seat of France is open" in run(home, "game", "replace", "spring42", "France").output
    assert seat(home, "France")["address"] is None
    assert "Nobody plays France" in run(home, "game", "replace", "spring42", "France", code=1).stderr


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("Spain", "nils@example.net"), "no power of this board"),
        (("France", "nils"), "no mail address"),
        (("France", "spring42@judge.example.org"), "an address of this judge"),
        (("France", "italy@example.org"), "Italy"),
    ],
    ids=["no power", "no address", "our address", "plays another"],
)
def test_who_cannot_be_given_a_seat(home: Path, args: tuple[str, ...], why: str) -> None:
    assert why in run(home, "game", "replace", "spring42", *args, code=1).stderr
    assert seat(home, "France")["address"] == "france@example.org"


def test_a_player_is_ejected_once(home: Path) -> None:
    run(home, "game", "eject", "spring42", "France", "--why", "wrote in my name")
    assert seat(home, "France")["address"] is None
    count = len(mails(home))
    assert "Nobody plays France" in run(home, "game", "eject", "spring42", "France", code=1).stderr
    assert len(mails(home)) == count


def stands_ready(home: Path, address: str) -> None:
    """Somebody whom the judge knows, and who waits for a power of any game."""
    at, store = datetime.now(UTC), Store.open(next(home.rglob("*.db")))
    with store.transaction():
        person = people.add(store, address, address, language="en", timezone="UTC", state="confirmed", now=at)
        standby.add(store, person.id, None, at)
    store.close()


def test_a_free_power_is_offered_to_whoever_stands_ready(home: Path) -> None:
    args = ("game", "offer", "spring42", "fra")
    assert "France" in run(home, *args, code=1).stderr
    run(home, "game", "eject", "spring42", "France")
    nobody = run(home, *args, code=1).stderr
    assert "France" in nobody and "stand" in nobody
    stands_ready(home, "nils@example.net")
    before = len(mails(home))
    assert "France is offered to somebody who stands ready, until " in run(home, *args).output
    assert mails(home)[before:] == [("ask", "nils@example.net")]
    assert "France is being offered already, until " in run(home, *args).output
    assert len(mails(home)) == before + 1
    log = run(home, "game", "log", "spring42").output
    assert "offered" in log and "nils" not in log and "operator" in next(x for x in log.splitlines() if "offered" in x)


def test_orders_are_filed_for_a_power_and_verify(home: Path) -> None:
    before = len(mails(home))
    result = run(home, "game", "order", "spring42", "France", "A PAR-BUR", "A MAR-MOS", "RESIGN YES")
    assert result.stdout == "spring42: on file for France: A PAR-BUR\n"
    assert "not used: A MAR-MOS: " in result.stderr and "not used: RESIGN YES" in result.stderr
    assert mails(home)[before:] == [("receipt", "france@example.org")]
    again = run(home, "game", "order", "spring42", "France", "--file", "-", stdin="Paris to Burgundy\n")
    assert again.stdout == "spring42: on file for France, as before: A PAR-BUR\n"
    assert len(mails(home)) == before + 1
    run(home, "game", "order", "spring42", "France", "nonsense", code=1)
    assert "no orders are given" in run(home, "game", "order", "spring42", "France", code=1).stderr
    log = run(home, "game", "log", "spring42").output
    assert "BUR" not in log.upper().replace("SPRING42", "")
    run(home, "game", "process", "spring42", "--phase", "S1901M")
    assert "bur" in json.dumps(json.loads(run(home, "game", "show", "spring42", "--json").output)["units"])
    run(home, "game", "verify", "spring42")


def test_an_absence_is_written_down_told_and_taken_back(home: Path) -> None:
    days = "2030-01-01..2030-01-05"
    args = ("game", "absence", "spring42", "France")
    assert "away at no time" in run(home, *args).output
    far = run(home, *args, days, code=1).stderr
    assert "days" in far or "year" in far
    start = json.loads(run(home, "game", "show", "spring42", "--json").output)["deadline"][:10]
    year, month, day = map(int, start.split("-"))
    soon = f"{year}-{month:02}-{day:02}"
    assert f"written down: away {soon}..{soon}" in run(home, *args, f"{soon}..{soon}").output
    assert "written down before" in run(home, *args, f"{soon}..{soon}").output
    assert f"as it is: away {soon}..{soon}" in run(home, *args).output
    assert "taken back: away at no time" in run(home, *args, "OFF").output
    assert "as it is: away at no time" in run(home, *args, "off").output
    assert "names no days" in run(home, *args, "soon", code=1).stderr
    run(home, "game", "eject", "spring42", "France")
    assert "Nobody plays France" in run(home, *args, soon, code=1).stderr


def test_motions_are_told(home: Path) -> None:
    assert run(home, "game", "motions", "spring42").output == "no motion is open in spring42\n"
    assert run(home, "game", "motions", "spring42", "--json").output == ""


def test_the_record_of_the_players(home: Path) -> None:
    run(home, "game", "order", "spring42", "France", "A PAR-BUR")
    run(home, "game", "process", "spring42", "--phase", "S1901M")
    told = run(home, "game", "record", "spring42").output
    assert all(power in told for power in POWERS) and "@" not in told


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
def test_each_help_has_an_example_that_can_be_pasted(home: Path, command: click.Command) -> None:
    text = run(home, "game", str(command.name), "--help").output
    examples = [line.strip() for line in text.splitlines() if line.strip().startswith("judge --home here game ")]
    assert examples
    args = shlex.split(examples[0])[3:]
    assert args[:2] == ["game", command.name]
    if command.name == "offer":
        run(home, "game", "eject", "spring42", "France")
        stands_ready(home, "nils@example.net")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judge.play.verbs.absent.FARTHEST", __import__("datetime").timedelta(days=20_000))
        patch.setattr("judge.cli.gameseats.now", lambda: __import__("datetime").datetime.fromisoformat("2026-12-01T12:00Z"))
        run(home, *args)
