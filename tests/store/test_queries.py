"""The queries that the loops ask again and again: each is answered from an index, and sorts nothing."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.store import Store, failedmails, games, heldmail, inbox, orders, outbox
from judge.store.db import stamp
from judge.store.games import Seat

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


STRANGER = inbox.Recipient("judge", None, None, "judge")
SEAT = inbox.Recipient("seat", "a", "France", "a")
AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


def _mail(to: inbox.Recipient) -> inbox.StoredMail:
    return inbox.StoredMail(9, to, b"", "a@example.org", "", "<9@x>", AT, "waiting", 0, None)


#: what is asked of the store with every mail, by the functions that ask it
PER_MAIL: dict[str, Callable[[Store], object]] = {
    "same words": lambda store: inbox.said_before(store, _mail(SEAT), "x", AT),
    "mails that said nothing": lambda store: inbox.outcomes_since(store, _mail(SEAT), ("nothing",), AT),
    "the latest of a seat": lambda store: inbox.last_of_seat(store, _mail(SEAT), 4),
    "when a seat was heard last": lambda store: inbox.last_heard(store, "a", "France"),
    "the same mail at the judge's address": lambda store: inbox.judge_had(store, "<1@x>", 2),
    "mails that wait for a deadline": lambda store: inbox.waiting_before(store, "a", AT),
    "our answers": lambda store: outbox.answers_to(store, "a", ["<1@x>"]),
    "manuals of the day": lambda store: outbox.addresses_since(store, "help", "@example.org", AT),
    "the last manual": lambda store: outbox.last_to(store, "a@example.org", "help"),
    "how many": lambda store: outbox.count_since(store, "a@example.org", "help", AT),
    "what a seat was sent": lambda store: outbox.sent_texts(store, 1, "France"),
    "what a person was sent": lambda store: outbox.sent_texts_to_person(store, 1),
    "the latest to a seat": lambda store: outbox.latest_text(store, "a", "France"),
    "the first of an event": lambda store: outbox.first_of_event(store, 1, "France", "start"),
    "a mail by its subject": lambda store: outbox.id_of_subject(store, 1, "France", "x"),
    "the newest of some": lambda store: outbox.newest_of(store, 1, "France", ["<1@x>"]),
    "the event of a mail": lambda store: outbox.event_of(store, "<1@x>"),
    "whose seats": lambda store: games.seats_played_by(store, "a@example.org"),
    "questions": lambda store: orders.open_questions(store, 1, "France"),
    "a further question": lambda store: orders.ask(
        store, phase_id=1, power="France", inbox_id=1, code="x", choices=[["A PAR H"]], now=AT
    ),
    "failures": lambda store: failedmails.failing(store, Seat(1, 1, "France", "a@example.org", "en", "UTC", 0, 0)),
    "held mails": lambda store: heldmail.unasked(store, 1, "France"),
    "seats to ask": lambda store: heldmail.seats_to_ask(store),
    "questions about held mails": lambda store: heldmail.questions_since(store, 1, "France", AT),
}


@pytest.mark.parametrize("case", PER_MAIL)
def test_what_is_asked_with_every_mail_reads_no_whole_table(
    store: Store, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the plan of each statement that the function sends: nor all mails of a game, or all that came to one address."""
    said: list[tuple[str, tuple[object, ...]]] = []
    ask = Store.rows

    def rows(self: Store, sql: str, *params: object) -> object:
        said.append((sql, params))
        return ask(self, sql, *params)

    def row(self: Store, sql: str, *params: object) -> object:
        found: Any = rows(self, sql, *params)
        return found[0] if found else None

    monkeypatch.setattr(Store, "rows", rows)
    monkeypatch.setattr(Store, "row", row)
    with contextlib.suppress(sqlite3.IntegrityError), store.transaction():  # nobody has the number of the new question
        PER_MAIL[case](store)
    assert said
    for sql, params in said:
        plan = [step[3] for step in store._db.execute(f"EXPLAIN QUERY PLAN {sql}", params).fetchall()]
        assert not [step for step in plan if re.match(r"SCAN (?!json_each|inbox USING INDEX inbox_waiting)", step)], plan
        mails = [
            step
            for step in plan
            if re.match(r"SEARCH (inbox|outbox|raws) USING (COVERING )?INDEX \w+ \((game|game_id|kind)=\?\)", step)
        ]
        assert not mails, plan
