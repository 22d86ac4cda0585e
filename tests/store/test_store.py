"""The database: durable settings, transactions, migrations, refusal of what comes from a later version."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.store import Store
from judge.store.db import instant, stamp


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "judge.db")


def pragma(store: Store, name: str) -> object:
    return store._db.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
def test_a_commit_survives_a_power_cut_and_keys_are_checked(store: Store, name: str, value: object) -> None:
    assert pragma(store, name) == value


def test_every_table_is_strict(store: Store) -> None:
    tables = {t.name: t.schema for t in store._db.tables if not t.name.startswith(("sqlite_", "_sqlite"))}
    assert len(tables) >= 9
    assert [name for name, schema in tables.items() if not schema.rstrip().endswith("STRICT")] == []


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'clock', 'x', '{}')")
        raise ZeroDivisionError
    assert store.rows("SELECT * FROM log") == []


def test_an_inner_transaction_joins_the_outer(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction():
        with store.transaction():
            store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'clock', 'x', '{}')")
        raise ZeroDivisionError
    assert store.rows("SELECT * FROM log") == []


def test_a_write_outside_a_transaction_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'clock', 'x', '{}')")


def test_foreign_keys_hold(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.run("INSERT INTO seats (game_id, power) VALUES (99, 'France')")


def test_a_database_of_a_later_version_is_refused(tmp_path: Path, store: Store) -> None:
    with store.transaction():
        store.run(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('judge', 'of_the_future', 'now')"
        )
    store.close()
    with pytest.raises(StoreError, match="of_the_future"):
        Store.open(tmp_path / "judge.db")


def test_opening_again_changes_nothing(tmp_path: Path, store: Store) -> None:
    before = store._db.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    store.close()
    again = Store.open(tmp_path / "judge.db")
    assert again._db.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before
    assert again.integrity() == "ok"


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "judge.db").write_text("this is a letter, not a database, and long enough to be seen as one " * 20)
    with pytest.raises(StoreError):
        Store.open(tmp_path / "judge.db")


def test_two_processes_open_a_new_database_at_once(tmp_path: Path) -> None:
    code = "import sys; from judge.store import Store; Store.open(sys.argv[1]).close()"
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "judge.db")]) for _ in range(4)]
    assert [p.wait() for p in running] == [0, 0, 0, 0]


def test_read_then_write_waits_its_turn(tmp_path: Path, store: Store) -> None:
    """A deferred transaction would fail at once here: it read, another committed, it writes."""
    other = Store.open(tmp_path / "judge.db")

    def add() -> None:
        with other.transaction():
            other.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'other', 'x', '{}')")

    with store.transaction():
        assert store.rows("SELECT * FROM log") == []
        thread = threading.Thread(target=add)
        thread.start()
        store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'first', 'x', '{}')")
    thread.join()
    assert [r["who"] for r in store.rows("SELECT who FROM log ORDER BY id")] == ["first", "other"]


def test_data_version_tells_what_others_commit(tmp_path: Path, store: Store) -> None:
    other = Store.open(tmp_path / "judge.db")
    before = store.data_version()
    with store.transaction():
        store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'self', 'x', '{}')")
    assert store.data_version() == before
    with other.transaction():
        other.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'other', 'x', '{}')")
    assert store.data_version() != before


def test_a_backup_holds_what_was_committed(tmp_path: Path, store: Store) -> None:
    with store.transaction():
        store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'self', 'x', '{}')")
    store.backup(tmp_path / "copy.db")
    copy = Store.open(tmp_path / "copy.db")
    assert copy.integrity() == "ok"
    assert len(copy.rows("SELECT * FROM log")) == 1


def test_the_database_and_all_beside_it_and_its_backups_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = Store.open(tmp_path / "new.db")
        with store.transaction():
            store.run("INSERT INTO log (at, who, what, facts) VALUES ('', 'self', 'x', '{}')")
        store.backup(tmp_path / "copy.db")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert {"new.db", "new.db-wal", "new.db-shm", "copy.db"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_opening_it_again_keeps_the_permissions_that_its_owner_gave(tmp_path: Path) -> None:
    Store.open(tmp_path / "judge.db").close()
    (tmp_path / "judge.db").chmod(0o640)
    Store.open(tmp_path / "judge.db").close()
    assert stat.S_IMODE((tmp_path / "judge.db").stat().st_mode) == 0o640


def test_stamps_are_utc_and_sort_as_time_does() -> None:
    early = instant("2026-12-01T20:00:00.000000Z")
    assert stamp(early) == "2026-12-01T20:00:00.000000Z"
    assert stamp(early.astimezone()) == stamp(early)
    assert stamp(early) < stamp(early.replace(microsecond=1))
    assert instant(stamp(early.replace(year=500))) == early.replace(year=500)


def test_mail48_a_library_that_commits_by_itself_cannot_do_so_within_a_transaction(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction():
        store._db["log"].insert({"at": "", "who": "clock", "what": "x", "facts": "{}"})
        raise ZeroDivisionError
    assert store.rows("SELECT * FROM log") == []


def test_mail50_every_connection_is_told_to_sync_fully(tmp_path: Path, store: Store) -> None:
    stated = {"synchronous": 2, "foreign_keys": 1, "journal_mode": "wal"}
    for one in (store, Store.open(tmp_path / "judge.db"), Store.open(tmp_path / "other.db")):
        assert {name: pragma(one, name) for name in stated} == stated
        assert int(str(pragma(one, "busy_timeout"))) >= 5000
