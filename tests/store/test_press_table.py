"""The table of press: what is kept of a message, and that a database from before it gets the table."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.errors import NotFound
from judge.store import Store, games, press

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "judge.db"


def with_a_mail(store: Store) -> dict[str, Any]:
    """A game, an open phase and a mail that press can belong to."""
    game = games.create(
        store, name="spring42", variant="standard", rules="{}", rules_name="standard", schedule="24 h", early=True, now=NOON
    )
    phase = games.open_phase_row(
        store, game_id=game, number=1, attempt=1, name="S1901M", position="{}", now=NOON, deadline=None
    )
    raw = store.run(
        "INSERT INTO raws (bytes, content_hash, envelope_from, peer, received_at) VALUES (x'00', 'h', 'f', 'p', 'now')"
    )
    mail = store.run(
        "INSERT INTO inbox (raw_id, kind, local, received_at, same_as) VALUES (?, 'seat', 'spring42', 'now', 's')", raw
    )
    return {"game_id": game, "phase_id": phase, "inbox_id": mail, "now": NOON}


def test_a_message_comes_back_as_it_was_written(path: Path) -> None:
    store = Store.open(path)
    words = "Grüße — 你好\n> 'quoted' \\ % _ {}"
    with store.transaction():
        about = with_a_mail(store)
        one = press.add(
            store, sender="France", kind="grey", recipients=["Russia", "master"], everybody=False, text=words, **about
        )
        two = press.add(
            store, sender="France", kind="white", recipients=[], everybody=True, text="x", why="press.closed", **about
        )
    found = press.load(store, one)
    assert (found.sender, found.kind, found.recipients, found.text) == ("France", "grey", ("Russia", "master"), words)
    assert (found.state, found.why, found.at, found.everybody) == ("passed-on", None, NOON, False)
    assert press.of_game(store, about["game_id"]) == [found, press.load(store, two)]
    assert replace(press.load(store, two), id=one).state == "refused" and press.load(store, two).why == "press.closed"
    with pytest.raises(NotFound):
        press.load(store, two + 1)


@pytest.mark.parametrize(
    "change",
    ["kind = 'black'", "state = 'lost'", "why = 'x'", "state = 'refused'", "inbox_id = 99", "phase_id = 99", "text = NULL"],
)
def test_what_makes_no_sense_is_not_kept(change: str, path: Path) -> None:
    store = Store.open(path)
    with store.transaction():
        press.add(
            store, sender="France", kind="white", recipients=["Italy"], everybody=False, text="x", **with_a_mail(store)
        )
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.run(f"UPDATE press SET {change}")  # noqa: S608 - the changes stand above


def test_a_database_from_before_press_gets_its_table(path: Path) -> None:
    store = Store.open(path)
    with store.transaction():
        with_a_mail(store)
        store.run("DROP TABLE press")
        store.run("DELETE FROM _sqlite_migrations WHERE migration_set = 'judge' AND name = 'press'")
    store.close()
    again = Store.open(path)
    game = games.find(again, "spring42")
    assert game is not None and press.of_game(again, game.id) == []
    plan = again._db.execute("EXPLAIN QUERY PLAN SELECT * FROM press WHERE game_id = 1 ORDER BY id").fetchall()
    assert "press_game" in str(plan) and "TEMP B-TREE" not in str(plan)
