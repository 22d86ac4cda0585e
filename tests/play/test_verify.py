"""``judge game verify``: an untouched game is as stored; one byte changed in anything that is kept of it is named; and a
changed reader is told from changed rules."""

from __future__ import annotations

import dataclasses
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace

from judge.mail.identity import Keys
from judge.play import Judge, door, rereading, setup, turn, verify
from judge.rules import adjudicate
from judge.rules.outcome import Result
from judge.store import Store, games, seals
from judge.store.games import Game
from judge.variants import load_board, load_rules, with_key

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
NAME = "autumn"
PLAYED = ("England", "France", "Germany", "Russia")
#: rows that all tables have for themselves
FREE = frozenset({"_sqlite_migrations", "sqlite_sequence"})


def at(power: str) -> str:
    return f"{power.lower()}@example.net"


def play(desk: Desk) -> None:
    """A game with something in every table: two phases with orders, press, proxies, questions, votes, drawn powers."""
    board = load_board()
    rules = load_rules("standard")
    for key, value in (("orders.proxy", "yes"), ("powers.assign", "preference"), ("powers.addresses", "shown")):
        rules = with_key(rules, key, value, board)
    setup.create_game(desk.judge, NAME, rules=rules, players={power: at(power) for power in PLAYED}, now=desk.now,
                      wishes=[(at("Italy"), ["Italy"])], master="ana@example.net")  # fmt: skip
    setup.start_game(desk.judge, NAME, desk.now, "5f0c", "chosen")

    def write(power: str, body: str, **more: Any) -> None:
        desk.mail(power, body, to=desk.reply_to(power, NAME), **({"sender": at(power)} | more))

    write("France", "A PAR-BUR\nF BRE-MAO\nA MAR S A PAR-BUR")
    write("France", "A MAR-SPA\nA PRIS H\nREADY")
    write("England", "F LON-NTH\nPRESS TO FRANCE\nTogether?\nEND\nF1901M\nF NTH-NWY")
    write("Germany", "F KIE-DEN\nPROXY A MUN TO FRANCE\nPROXY A BER TO FRANCE\nDRAW")
    write("Germany", "PROXY A BER OFF\nNO DRAW\nPRESS TO GERMANY\nNobody else.\nEND")
    write("master", "SET victory.end.turn=F1901", sender="ana@example.net")
    write("master", "CORRECT POSITION\nOWNER TUN ITALY\nWHY a slip\nEND", sender="ana@example.net")
    raw, to, sender = desk.write("England", "F EDI-NWG", to=desk.reply_to("England", NAME), sender=at("England"))
    recipient = door.recipient(desk.judge, to)
    tokens = door.live_tokens(desk.judge, [recipient])
    signed = door.prepare(raw, tokens, "judge.example.org", envelope_from=sender, recipients=[recipient], peer="192.0.2.7",
                          now=desk.now, signed_by=("example.net",))  # fmt: skip
    door.keep_prepared(desk.judge, signed)
    desk.work()
    write("Russia", "A WAR-GAL", sender="sergei@elsewhere.example")
    run(desk)
    write("France", "A BUR-BEL")
    write("Germany", "Spring 1901\nA BER-KIE", answering=None)
    while games.get(desk.judge.store, NAME).state == "running":
        run(desk)
    write("England", "A WAR-GAL")


def run(desk: Desk) -> None:
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, NAME).id)
    desk.now = phase.deadline + timedelta(minutes=1)
    turn.run_phase(desk.judge, NAME, desk.now)
    desk.work()
    desk.receive()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, desk_class: Any) -> Path:
    """A game that was played, closed."""
    path = tmp_path_factory.mktemp("verified") / "judge.db"
    desk = desk_class(Judge(Store.open(path), Keys(b"k" * 32), "judge.example.org"))
    play(desk)
    desk.judge.store.close()
    return path


@pytest.fixture
def judge(database: Path, tmp_path: Path) -> Iterator[Judge]:
    shutil.copy(database, tmp_path / "judge.db")
    judge = Judge(Store.open(tmp_path / "judge.db"), Keys(b"k" * 32), "judge.example.org")
    yield judge
    judge.store.close()


def game_of(judge: Judge) -> Game:
    return games.get(judge.store, NAME)


def told(judge: Judge, game: Game) -> list[str]:
    return [str(fault) for fault in verify.verify_game(judge, game)]


def columns() -> list[tuple[str, str]]:
    """Every column of text or bytes of the schema."""
    with TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "judge.db")
        try:
            return _columns(store)
        finally:
            store.close()


def _columns(store: Store) -> list[tuple[str, str]]:
    tables = [row["name"] for row in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = []
    for table in tables:
        for row in store.rows("SELECT name, type FROM pragma_table_info(?)", table):
            if table not in FREE and row["type"] in ("TEXT", "BLOB"):
                found.append((table, row["name"]))
    return found


COLUMNS = columns()
COVERED = [
    (table, column)
    for table, column in COLUMNS
    if f"{table}.{column}" not in verify.NOT_COVERED and f"{table}.*" not in verify.NOT_COVERED
]


def flipped(value: str | bytes) -> str | bytes:
    """The value with one bit of one byte in the middle of it changed."""
    if isinstance(value, bytes):
        place = len(value) // 2
        return value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
    place = next(n for n in (*range(len(value) // 2, len(value)), *range(len(value))) if value[n].isascii())
    return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]


def tamper(path: Path, sql: str, *values: Any) -> None:
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA ignore_check_constraints = ON")
        assert other.execute(sql, values).rowcount == 1
    other.close()


def test_an_untouched_game_is_as_it_was(judge: Judge) -> None:
    assert told(judge, game_of(judge)) == []
    assert verify.older_than_seals(judge, game_of(judge)) == 0


def test_what_is_said_not_to_be_covered_is_there() -> None:
    named = {f"{table}.{column}" for table, column in COLUMNS} | {f"{table}.*" for table, _ in COLUMNS}
    assert set(verify.NOT_COVERED) <= named
    assert all(verify.NOT_COVERED.values())


@pytest.mark.slow  # two minutes in all
@pytest.mark.parametrize(("table", "column"), COVERED, ids=lambda value: value)
def test_one_changed_byte_is_named(judge: Judge, table: str, column: str) -> None:
    """Of the first and the last row that has a value, one byte is changed: the table, the mail or the phase is named."""
    game = game_of(judge)
    path = judge.store.path
    where = f"FROM {table} WHERE length({column}) > 0" + (" AND name = 'autumn'" if table == "games" else "")
    if table == "phases":
        where += " AND state = 'processed'"
    if table in ("orders", "standings", "proxies", "votes", "commitments"):
        where += " AND phase_id IN (SELECT id FROM phases WHERE state = 'processed')"
    rows = judge.store.rows(f"SELECT rowid AS id, {column} AS value {where} ORDER BY rowid")
    assert rows, "nothing of this column: seal it and play() something for it, or say in NOT_COVERED why it has no seal"
    for row in {rows[0]["id"]: rows[0], rows[-1]["id"]: rows[-1]}.values():
        tamper(path, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", flipped(row["value"]), row["id"])  # noqa: S608
        faults = told(judge, game)
        assert any(fault.startswith("bytes: ") for fault in faults), (row, faults)
        tamper(path, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", row["value"], row["id"])  # noqa: S608
    assert told(judge, game) == []


GONE = {
    "a line of the log": ("log", "DELETE FROM log WHERE id = (SELECT max(id) FROM log WHERE what = 'processed')"),
    "an order": ("orders", "DELETE FROM orders WHERE id = (SELECT min(id) FROM orders)"),
    "a commitment": ("commitments", "DELETE FROM commitments WHERE id = (SELECT min(id) FROM commitments)"),
    "a mail of ours": ("outgoing mail", "DELETE FROM outbox WHERE id = (SELECT max(id) FROM outbox WHERE event = 'result')"),
    "the first seal": ("seal", "DELETE FROM seals WHERE id = (SELECT min(id) FROM seals)"),
    "a seal": ("seal", "DELETE FROM seals WHERE id = (SELECT max(id) - 3 FROM seals)"),
    "the last seal": ("seal", "DELETE FROM seals WHERE id = (SELECT max(id) FROM seals)"),
}


@pytest.mark.parametrize("what", GONE)
def test_what_is_gone_is_missed(judge: Judge, what: str) -> None:
    named, sql = GONE[what]
    game = game_of(judge)
    tamper(judge.store.path, sql)
    assert any(named in fault for fault in told(judge, game))


def test_changed_bytes_of_a_mail_are_named_by_its_number(judge: Judge) -> None:
    game = game_of(judge)
    (row,) = judge.store.rows("SELECT raw_id, id FROM inbox WHERE kind = 'seat' ORDER BY id LIMIT 1")
    raw = judge.store.row("SELECT bytes FROM raws WHERE id = ?", row["raw_id"])
    assert raw is not None
    changed = raw["bytes"].replace(b"A PAR-BUR", b"A PAR-PIC", 1)
    tamper(judge.store.path, "UPDATE raws SET bytes = ? WHERE id = ?", changed, row["raw_id"])
    assert told(judge, game) == [
        f"bytes: the stored bytes of mail {row['id']} are not those that came: hash differs"
    ]  # and not that its reader has changed


def test_a_changed_reader_is_told_from_changed_bytes(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    read = rereading.read

    def otherwise(*args: Any, **more: Any) -> Any:
        found = read(*args, **more)
        return dataclasses.replace(found, own_lines=tuple(line.replace("BRE-MAO", "BRE-ENG") for line in found.own_lines))

    monkeypatch.setattr(rereading, "read", otherwise)
    (fault,) = verify.verify_game(judge, game_of(judge))
    assert fault.kind == "reader"
    assert "read today as F BRE-ENG, then as F BRE-MAO" in fault.text and "mail 1 (France, S1901M)" in fault.text


def test_changed_rules_are_told_from_changed_bytes(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    def otherwise(*args: Any) -> Any:
        found = adjudicate(*args)
        first = next(o for o in found.outcomes if o.result is Result.SUCCEEDS)
        outcomes = tuple(replace(o, result=Result.BOUNCES) if o is first else o for o in found.outcomes)
        return dataclasses.replace(found, outcomes=outcomes)

    monkeypatch.setattr(verify, "adjudicate", otherwise)
    faults = verify.verify_game(judge, game_of(judge))
    assert {fault.kind for fault in faults} == {"rules"}
    assert "S1901M: adjudicated today: " in faults[0].text and "today bounces, then succeeds" in faults[0].text


def test_changed_orders_and_their_seal_do_not_fit_the_mail(judge: Judge) -> None:
    """Who makes the seals anew as well is found out by the mails."""
    game = game_of(judge)
    row = judge.store.row("SELECT id, phase_id FROM orders WHERE text = 'F LON-NTH'")
    assert row is not None
    with judge.store.transaction():
        judge.store.run("UPDATE orders SET text = 'F LON-ENG' WHERE id = ?", row["id"])
        seals.seal(judge.store, game.id, "phase", row["phase_id"])
    assert any("F LON-ENG of England is stored as an order of mail" in fault for fault in told(judge, game))


def test_a_game_that_was_ended_by_votes_is_as_it_was(desk: Desk) -> None:
    for power in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"):
        desk.mail(power, "DRAW")
    game = games.get(desk.judge.store, "spring42")
    assert game.state == "ended"
    assert told(desk.judge, game) == []
