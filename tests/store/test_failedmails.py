"""Mails to a seat that did not arrive: counted within bounds, and over for the player whose mails they were."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.store import Store, failedmails, games
from judge.store.games import Seat

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "judge.db")
    with store.transaction():
        game = games.create(
            store, name="a", variant="standard", rules="{}", rules_name="x", schedule="1 h", early=True, now=NOON
        )
        games.add_seat(store, game, "France", "france@example.org", "en", "UTC")
    return store


def france(store: Store) -> Seat:
    return games.seat(store, 1, "France")


def fail(store: Store, number: int, *, late: bool = False, status: str = "5.1.1") -> None:
    with store.transaction():
        failedmails.add(
            store,
            france(store),
            status=status,
            late=late,
            told_by="bounce",
            mail=number,
            now=NOON + timedelta(seconds=number),
        )


def test_many_reports_make_few_rows(store: Store) -> None:
    for number in range(1200):
        fail(store, number, late=number % 3 == 0, status=f"5.1.{number % 7}")
    row = store.row("SELECT count(*) AS n FROM failed_mails")
    assert row is not None and row["n"] == 2 * failedmails.MOST_KEPT
    found = failedmails.failing(store, france(store))
    assert found is not None
    assert (found.since, found.status) == (NOON, f"5.1.{1199 % 7}"), "the first, and why the latest was lost"
    assert (found.lost, found.late) == (failedmails.MOST_KEPT, failedmails.MOST_KEPT)


def test_the_reason_is_of_the_latest_that_was_lost(store: Store) -> None:
    fail(store, 1, status="5.1.1")
    fail(store, 2, status="5.2.2")
    fail(store, 3, late=True, status="4.4.1")
    found = failedmails.failing(store, france(store))
    assert found is not None
    assert (found.status, found.lost, found.late, found.over_at) == ("5.2.2", 2, 1, None)


def test_those_of_a_former_player_are_not_over_with_a_mail_of_the_next(store: Store) -> None:
    fail(store, 1)
    before = france(store)
    with store.transaction():
        games.set_player(store, 1, "France", "new@example.org")
    fail(store, 2)
    with store.transaction():
        assert failedmails.over(store, france(store), NOON + timedelta(hours=1)) == 1
    found = failedmails.failing(store, france(store))
    assert found is not None and found.over_at == NOON + timedelta(hours=1)
    left = failedmails.failing(store, before)
    assert left is not None and left.unreachable, "it stays as it was told"


def test_while_some_go_on_those_that_are_over_are_left_out(store: Store) -> None:
    fail(store, 1)
    with store.transaction():
        failedmails.over(store, france(store), NOON + timedelta(minutes=1))
    fail(store, 100, status="5.2.1")
    found = failedmails.failing(store, france(store))
    assert found is not None
    assert (found.since, found.status, found.lost, found.over_at) == (NOON + timedelta(seconds=100), "5.2.1", 1, None)
    with store.transaction():
        failedmails.over(store, france(store), NOON + timedelta(minutes=9))
        failedmails.told(store, 1)
    assert failedmails.failing(store, france(store)) is None
