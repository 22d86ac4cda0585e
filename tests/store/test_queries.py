"""The queries that the loops ask again and again: each is answered from an index, and sorts nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.store import Store, games, inbox, outbox
from judge.store.db import stamp

NOON = stamp(datetime(2026, 12, 1, 12, tzinfo=UTC))
FIRST_WAITING = "SELECT id FROM inbox WHERE state = 'waiting' ORDER BY attempts, id LIMIT 1"

QUERIES = {
    "the next mail to take in": (inbox.NEXT_WAITING, (NOON, NOON), "inbox_waiting"),
    "whether any mail waits": (FIRST_WAITING, (), "inbox_waiting"),
    "the next mail to write": (outbox.NEXT_NEW, (), "outbox_new"),
    "the mails to deliver": (outbox.DUE, (NOON, 50), "outbox_ready"),
    "the phases to run": (games.DUE_PHASES, (NOON, NOON), "phases_due"),
    "forgetting mails": ("DELETE FROM inbox WHERE kind = ? AND received_at < ?", ("judge", NOON), "inbox_kind"),
    "forgetting bytes": (
        "DELETE FROM raws WHERE received_at < ? AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.raw_id = raws.id)",
        (NOON,),
        "raws_received",
    ),
    "the phase before another": (games.PHASE_BEFORE, (1, 9, 1), "sqlite_autoindex_phases_1"),
    "the phase with a number": (
        "SELECT * FROM phases WHERE game_id = ? AND number = ? AND attempt = ?",
        (1, 1, 1),
        "sqlite_autoindex_phases_1",
    ),
    "what a stranger was told": (
        "SELECT max(created_at) FROM outbox WHERE address = ? COLLATE NOCASE AND event = ?",
        ("s@example.org", "help"),
        "outbox_address",
    ),
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "judge.db")


@pytest.mark.parametrize(("sql", "params", "index"), QUERIES.values(), ids=QUERIES)
def test_a_query_of_the_loops_uses_its_index(store: Store, sql: str, params: tuple[object, ...], index: str) -> None:
    plan = [row[3] for row in store._db.execute(f"EXPLAIN QUERY PLAN {sql}", params).fetchall()]
    assert any(re.search(rf"USING (COVERING )?INDEX {index}\b", step) for step in plan), plan
    assert not any("TEMP B-TREE" in step for step in plan), plan
    assert not any(re.fullmatch(r"SCAN \w+", step) for step in plan), plan


@pytest.mark.parametrize("table", ["raws", "inbox", "outbox"])
def test_the_number_of_a_mail_is_never_given_again(store: Store, table: str) -> None:
    assert "AUTOINCREMENT" in store._db.table(table).schema


def test_a_phase_is_found_by_its_number(store: Store) -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    with store.transaction():
        game = games.create(
            store, name="a", variant="standard", rules="{}", rules_name="x", schedule="1 h", early=True, now=now
        )
        made = games.open_phase_row(
            store, game_id=game, number=3, attempt=2, name="W1901A", position="{}", now=now, deadline=None
        )
    found = games.phase_numbered(store, game, 3, 2)
    assert found is not None
    assert found.id == made
    assert games.phase_numbered(store, game, 3, 1) is None
