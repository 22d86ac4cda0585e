"""The table of orders written ahead: what is kept, in which order it is read, and that an older database gets the table."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.store import Store, games, laterorders

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "judge.db")


def with_mails(store: Store) -> tuple[int, list[int]]:
    """A game, and two mails of which the second in the inbox arrived first."""
    game = games.create(
        store, name="spring42", variant="standard", rules="{}", rules_name="standard", schedule="24 h", early=True, now=NOON
    )
    raw = store.run(
        "INSERT INTO raws (bytes, content_hash, envelope_from, peer, received_at) VALUES (x'00', 'h', 'f', 'p', 'now')"
    )
    mails = [
        store.run(
            "INSERT INTO inbox (raw_id, kind, local, received_at, same_as) VALUES (?, 'seat', 'spring42', ?, ?)", raw, at, at
        )
        for at in ("2026-12-01T13:00:00Z", "2026-12-01T12:00:00Z")
    ]
    return game, mails


def test_lines_come_back_in_the_order_in_which_the_mails_arrived(store: Store) -> None:
    with store.transaction():
        game, (later, earlier) = with_mails(store)
        laterorders.keep(store, game, "France", "F1901M", ["陸軍 パリ→ブルゴーニュ"], later, NOON)
        laterorders.keep(store, game, "France", "F1901M", ["F1901", 'A "Par"-Bur'], earlier, NOON)
        laterorders.keep(store, game, "Germany", "F1901M", ["A Mun-Bur"], later, NOON)
    found = laterorders.kept(store, game, "France")
    assert [one.lines for one in found] == [("F1901", 'A "Par"-Bur'), ("陸軍 パリ→ブルゴーニュ",)]
    assert len(laterorders.kept(store, game)) == 3


@pytest.mark.parametrize("state", ["read", "not-needed", "cleared"])
def test_what_is_settled_is_kept_no_longer(store: Store, state: str) -> None:
    with store.transaction():
        game, mails = with_mails(store)
        laterorders.keep(store, game, "France", "F1901M", ["A Par-Bur"], mails[0], NOON)
        (row,) = laterorders.kept(store, game)
        laterorders.settle(store, row, state)  # type: ignore[arg-type]
        laterorders.settle(store, row, "cleared")
    assert laterorders.kept(store, game) == []
    assert [r["state"] for r in store.rows("SELECT state FROM later_orders")] == [state]


def test_a_state_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        game, mails = with_mails(store)
        laterorders.keep(store, game, "France", "F1901M", ["A Par-Bur"], mails[0], NOON)
        store.run("UPDATE later_orders SET state = 'lost'")


def test_a_database_from_before_gets_the_table(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "judge.db")
    with store.transaction():
        game, _ = with_mails(store)
        store.run("DROP TABLE later_orders")
        store.run("DELETE FROM _sqlite_migrations WHERE migration_set = 'judge' AND name = 'later_orders'")
    store.close()
    again = Store.open(tmp_path / "judge.db")
    assert laterorders.kept(again, game) == []
    plan = again._db.execute(
        "EXPLAIN QUERY PLAN SELECT * FROM later_orders WHERE game_id = 1 AND power = 'France' AND state = 'kept'"
    ).fetchall()
    assert "later_orders_kept" in str(plan)
