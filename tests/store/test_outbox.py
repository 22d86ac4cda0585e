"""Mails that go out: one line an event and recipient, frozen once, in the state that the last commit left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.store import Store, outbox

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "judge.db")


def add(store: Store, message_id: str = "<1@judge>") -> int:
    with store.transaction():
        return outbox.add(
            store, event="help", args={"n": 1}, address="c@example.org", message_id=message_id, now=NOON, references=("<a>",)
        )


def test_the_same_event_makes_one_line(store: Store) -> None:
    assert add(store) == add(store)
    assert outbox.counts(store) == {"waiting": 1, "parked": 0, "sent": 0}


def test_a_line_goes_from_new_over_ready_to_sent(store: Store) -> None:
    line_id = add(store)
    assert outbox.due(store, NOON) == []
    outbox.freeze(store, line_id, b"frozen", subject="S", body="B", now=NOON)
    assert outbox.next_new(store) is None
    assert [(line.id, line.frozen, line.references) for line in outbox.due(store, NOON)] == [(line_id, b"frozen", ("<a>",))]
    outbox.sent(store, line_id, NOON, "250 ok")
    assert outbox.due(store, NOON + timedelta(days=1)) == []
    assert outbox.counts(store) == {"waiting": 0, "parked": 0, "sent": 1}


def test_frozen_bytes_never_change(store: Store) -> None:
    line_id = add(store)
    outbox.freeze(store, line_id, b"first", subject="S", body="B", now=NOON)
    outbox.freeze(store, line_id, b"second", subject="S", body="B", now=NOON)
    assert outbox.load(store, line_id).frozen == b"first"


def test_a_deferred_line_comes_again_at_its_time(store: Store) -> None:
    line_id = add(store)
    outbox.freeze(store, line_id, b"frozen", subject="S", body="B", now=NOON)
    later = NOON + timedelta(minutes=5)
    outbox.deferred(store, line_id, later, "451 later")
    assert (outbox.due(store, NOON), outbox.next_due(store)) == ([], later)
    assert [line.id for line in outbox.due(store, later)] == [line_id]
    assert outbox.last_error(store) == "451 later"


def test_a_parked_line_waits_for_a_person(store: Store) -> None:
    line_id = add(store)
    outbox.freeze(store, line_id, b"frozen", subject="S", body="B", now=NOON)
    outbox.parked(store, line_id, NOON, "550 no such user")
    assert outbox.due(store, NOON + timedelta(days=9)) == []
    outbox.retry_parked(store, line_id, NOON)
    assert [line.id for line in outbox.due(store, NOON)] == [line_id]


def test_rendering_that_fails_is_parked_at_the_third_time_and_holds_nobody_up(store: Store) -> None:
    bad, good = add(store, "<1@judge>"), add(store, "<2@judge>")
    assert outbox.render_failed(store, bad, "KeyError") is False
    line = outbox.next_new(store)
    assert line is not None and line.id == good
    assert [outbox.render_failed(store, bad, "KeyError") for _ in range(2)] == [False, True]
    assert outbox.counts(store)["parked"] == 1
