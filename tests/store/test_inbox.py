"""Mails that came in: the same mail is taken once, a mail that fails cannot hold others up, nothing is lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.store import Store, inbox
from judge.store.inbox import Recipient

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
FRANCE = Recipient("seat", "spring42", "France", "spring42")
ENGLAND = Recipient("seat", "spring42", "England", "spring42")
PLAIN = Recipient("game", "spring42", None, "spring42")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "judge.db")


def keep(
    store: Store,
    *recipients: Recipient,
    message_id: str | None = "<1@x>",
    content: str = "aa",
    at: datetime = NOON,
    sender: str = "c@example.org",
) -> list[inbox.Kept]:
    return inbox.keep(
        store,
        raw=b"raw bytes",
        envelope_from=sender,
        recipients=recipients or [FRANCE],
        received_at=at,
        content_hash=content,
        message_id=message_id,
        peer="127.0.0.1",
    )


@pytest.mark.parametrize(
    ("second", "duplicate"),
    [
        ({}, True),
        ({"at": NOON + timedelta(days=9)}, True),
        ({"content": "bb"}, False),
        ({"message_id": "<2@x>"}, False),
        ({"sender": "another@example.org"}, True),
    ],
    ids=["same", "same days later", "other content", "other Message-ID", "other envelope sender, same seat"],
)
def test_the_same_mail_is_taken_once(store: Store, second: dict[str, object], duplicate: bool) -> None:
    keep(store)
    assert keep(store, **second)[0].duplicate is duplicate  # type: ignore[arg-type]
    assert inbox.counts(store)["waiting"] == (1 if duplicate else 2)


@pytest.mark.parametrize(
    ("later", "duplicate"),
    [(timedelta(minutes=59), True), (timedelta(minutes=61), False)],
    ids=["within the hour", "after the hour"],
)
def test_without_a_message_id_the_hour_counts(store: Store, later: timedelta, duplicate: bool) -> None:
    keep(store, message_id=None)
    assert keep(store, message_id=None, at=NOON + later)[0].duplicate is duplicate


def test_the_same_mail_to_another_seat_is_another(store: Store) -> None:
    keep(store, FRANCE)
    assert [k.duplicate for k in keep(store, FRANCE, ENGLAND)] == [True, False]


def test_strangers_to_a_plain_address_are_told_apart(store: Store) -> None:
    keep(store, PLAIN)
    assert keep(store, PLAIN, sender="another@example.org")[0].duplicate is False


def test_what_was_kept_is_what_is_loaded(store: Store) -> None:
    kept = keep(store)[0]
    mail = inbox.load(store, kept.id)
    assert (mail.raw, mail.recipient, mail.received_at, mail.state) == (b"raw bytes", FRANCE, NOON, "waiting")


def test_a_mail_that_fails_waits_behind_the_others_and_is_set_aside_at_last(store: Store) -> None:
    bad = keep(store, message_id="<1@x>")[0].id
    good = keep(store, message_id="<2@x>")[0].id
    assert inbox.next_waiting(store) == bad
    assert inbox.failed(store, bad, "ValueError", NOON) is False
    assert inbox.next_waiting(store) == good
    assert inbox.failed(store, bad, "ValueError", NOON) is False
    assert inbox.failed(store, bad, "ValueError", NOON) is True
    assert inbox.counts(store) == {"waiting": 1, "set_aside": 1, "handled": 0}
    assert inbox.load(store, bad).raw == b"raw bytes"


def test_only_what_arrived_by_the_instant_counts_for_it(store: Store) -> None:
    early = keep(store, message_id="<1@x>", at=NOON)[0].id
    keep(store, message_id="<2@x>", at=NOON + timedelta(microseconds=1))
    assert inbox.waiting_before(store, "spring42", NOON) == [inbox.Waiting(early, None)]


def test_what_nothing_is_left_to_do_with_goes_by_kind_and_age(store: Store) -> None:
    done, waiting, seats = (keep(store, who, message_id=f"<{n}@x>")[0].id for n, who in enumerate((PLAIN, PLAIN, FRANCE)))
    keep(store, PLAIN, FRANCE, message_id="<both@x>")
    with store.transaction():
        for inbox_id in (done, seats):
            inbox.done(store, inbox_id, "whatever", NOON)
    assert inbox.purge(store, ["game"], NOON) == 0
    assert inbox.purge(store, ["judge", "operator"], NOON + timedelta(days=7)) == 0
    assert inbox.purge(store, ["game"], NOON + timedelta(days=7)) == 1
    assert len(store.rows("SELECT id FROM raws")) == 3
    assert (inbox.load(store, seats).state, inbox.load(store, waiting).state) == ("handled", "waiting")
