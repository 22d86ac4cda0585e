"""Held mails: their states, their numbers, and what is forgotten of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.store import Store, games, heldmail, inbox
from judge.store.inbox import Recipient

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
GAME = Recipient("game", "spring42", None, "spring42")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "judge.db")
    with store.transaction():
        games.create(
            store, name="spring42", variant="standard", rules="{}", rules_name="x", schedule="", early=True, now=NOON
        )
        games.open_phase_row(
            store, game_id=1, number=1, attempt=1, name="S1901M", position="{}", now=NOON, deadline=NOON + timedelta(days=1)
        )
    return store


def mail(store: Store, number: int, to: Recipient = GAME) -> int:
    kept = inbox.keep(
        store, raw=b"x%d" % number, envelope_from="a@example.org", recipients=[to], received_at=NOON,
        content_hash=str(number), message_id=f"<{number}@example.org>", peer="",
    )  # fmt: skip
    return kept[0].id


def hold(store: Store, inbox_id: int, power: str = "France", **more: Any) -> heldmail.HeldMail:
    facts: dict[str, Any] = {
        "game_id": 1, "phase_id": 1, "sender": "a@example.org", "why": "not-proved", "words": "A Par - Bur",
        "until": NOON + timedelta(days=1), "now": NOON, **more,
    }  # fmt: skip
    with store.transaction():
        row = heldmail.hold(store, inbox_id=inbox_id, power=power, **facts)
        inbox.done(store, inbox_id, "held", NOON)
    return row


def test_each_seat_counts_its_own(store: Store) -> None:
    rows = [hold(store, mail(store, n), power) for n, power in enumerate(("France", "Italy", "France"))]
    assert [(row.power, row.number, row.state) for row in rows] == [
        ("France", 1, "held"), ("Italy", 1, "held"), ("France", 2, "held"),
    ]  # fmt: skip
    found = heldmail.numbered(store, 1, "France", 2)
    assert found == rows[2] and found.received_at == NOON
    assert heldmail.numbered(store, 1, "France", 3) is None and heldmail.numbered(store, 1, "Turkey", 1) is None


@pytest.mark.parametrize("first", ["confirmed", "dropped"])
@pytest.mark.parametrize("then", ["confirmed", "dropped"])
def test_what_is_decided_stays(store: Store, first: Any, then: Any) -> None:
    row = hold(store, mail(store, 1))
    with store.transaction():
        assert heldmail.decide(store, row, first, NOON)
        assert not heldmail.decide(store, row, then, NOON)
    found = heldmail.numbered(store, 1, "France", 1)
    assert found is not None and found.state == first


def test_a_mail_is_one_seats(store: Store) -> None:
    inbox_id = mail(store, 1)
    ours, theirs = hold(store, inbox_id), hold(store, inbox_id, "Italy")
    with store.transaction():
        assert heldmail.decide(store, theirs, "confirmed", NOON)
        assert not heldmail.decide(store, ours, "confirmed", NOON)


def test_who_was_asked_about_what(store: Store) -> None:
    one, two, other = hold(store, mail(store, 1)), hold(store, mail(store, 2)), hold(store, mail(store, 3), "Italy")
    assert heldmail.seats_to_ask(store) == [(1, "France"), (1, "Italy")]
    with store.transaction():
        heldmail.asked(store, [one, two], "<q1@x>", NOON)
        heldmail.asked(store, [other], "<q2@x>", NOON + timedelta(hours=1))
        heldmail.asked(store, [two], "<q3@x>", NOON + timedelta(hours=2))
    assert heldmail.seats_to_ask(store) == [] and heldmail.unasked(store, 1, "France") == []
    assert [row.number for row in heldmail.asked_about(store, 1, "France", ["<q1@x>", "<q2@x>"])] == [1]
    assert [row.number for row in heldmail.asked_about(store, 1, "France", ["<q3@x>"])] == [2]
    assert heldmail.asked_about(store, 1, "France", []) == []
    assert heldmail.questions_since(store, 1, "France", NOON)[-1] == NOON + timedelta(hours=2)
    assert heldmail.questions_since(store, 1, "France", NOON + timedelta(hours=2)) == []
    assert heldmail.questions_since(store, 1, "Turkey", NOON) == []


def test_what_is_forgotten(store: Store) -> None:
    """Not while the phase is open, not what was confirmed, not what came to a signed address."""
    forgotten, confirmed = hold(store, mail(store, 1)), hold(store, mail(store, 2))
    seats = hold(store, mail(store, 3, Recipient("seat", "spring42", "France", "spring42")), why="strange-address")
    with store.transaction():
        heldmail.decide(store, confirmed, "confirmed", NOON)
        inbox.give_to_seat(store, inbox.load(store, confirmed.inbox_id), "France")
    later = NOON + timedelta(days=30)

    def purge() -> int:
        with store.transaction():
            heldmail.forget(store, later)
            return inbox.purge(store, ["game"], later)

    assert purge() == 0
    with store.transaction():
        games.processed(store, 1, NOON, "{}")
    assert purge() == 1
    assert heldmail.numbered(store, 1, "France", forgotten.number) is None
    assert heldmail.numbered(store, 1, "France", confirmed.number) is not None
    assert heldmail.numbered(store, 1, "France", seats.number) is not None
    # a number is not given twice while a later one stands
    assert hold(store, mail(store, 4)).number == 4


def test_a_new_token_goes_with_what_has_not_gone_yet(store: Store) -> None:
    with store.transaction():
        games.add_seat(store, 1, "France", "a@example.org", "en", "UTC")
        for state in ("new", "ready", "sent", "parked"):
            store.run(
                "INSERT INTO outbox (event, args, game_id, power, address, message_id, created_at, state)"
                " VALUES ('receipt', '{}', 1, 'France', 'a@example.org', ?, '', ?)",
                state, state,
            )  # fmt: skip
        games.renew_token(store, 1, "France")
    rows = {row["state"]: row["generation"] for row in store.rows("SELECT state, generation FROM outbox")}
    assert rows == {"new": 1, "ready": 1, "sent": 0, "parked": 1}
    assert games.seat(store, 1, "France").generation == 1


def test_the_domains_that_signed_are_kept(store: Store) -> None:
    kept = inbox.keep(
        store, raw=b"x", envelope_from="", recipients=[GAME], received_at=NOON, content_hash="x", message_id=None, peer="",
        signed_by=("example.org", "mail.example.org"),
    )  # fmt: skip
    found = inbox.load(store, kept[0].id)
    assert found.signed_by == ("example.org", "mail.example.org") and found.received_at == NOON
