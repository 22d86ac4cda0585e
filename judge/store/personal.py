"""What lies in the store about one person, read for EXPORT."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge.store.db import Store

_IN_SPAN = re.compile(r"IN_SPAN\(([\w.]+)\)")


def _whole(sql: str) -> str:
    """A query with its short forms written out: ``PHASE_OF``, the phase's columns; ``IN_SPAN(column)``: the column lies in
    the span that the seat was somebody's."""
    sql = sql.replace("PHASE_OF", "phases.name AS phase, phases.attempt")
    return _IN_SPAN.sub(r"\1 >= :since AND (:until IS NULL OR \1 <= :until)", sql)


def _by_phase(table: str, columns: str, at: str, whose: str = "TABLE.power = :power") -> str:
    """Rows of a table that belong to phases of the game, written while the seat was somebody's."""
    sql = (
        "SELECT PHASE_OF, COLUMNS FROM phases JOIN TABLE ON TABLE.phase_id = phases.id"
        " WHERE phases.game_id = :game AND WHOSE AND IN_SPAN(WHEN) ORDER BY TABLE.rowid"
    )
    return sql.replace("COLUMNS", columns).replace("WHOSE", whose).replace("WHEN", at).replace("TABLE", table)


#: What was done at a seat while it was somebody's: name -> query. ``:game``, ``:power``, ``:since``, ``:until``.
_OF_SEAT: Mapping[str, str] = {
    # what others order for a unit in their hands is told when the phase is over
    "orders": _by_phase(
        "orders",
        "orders.slot, orders.text, orders.set_at AS at, orders.state",
        "orders.set_at",
        "TABLE.power = :power AND (phases.state != 'open' OR EXISTS (SELECT 1 FROM inbox WHERE inbox.id = TABLE.inbox_id"
        " AND inbox.power = :power))",
    ),
    "ready_and_wait": _by_phase(
        "standings", "standings.ready, standings.wait, standings.orders_date AS orders_written_at", "phases.opened_at"
    ),
    "questions": _by_phase(
        "questions",
        "questions.code, questions.first, questions.choices, questions.asked_at AS at, questions.answered, questions.state",
        "questions.asked_at",
    ),
    "commitments": _by_phase(
        "commitments",
        "commitments.number, commitments.orders, commitments.hash, commitments.at",
        "commitments.at",
    ),
    "units_in_other_hands": _by_phase(
        "proxies",
        "proxies.power, proxies.place, proxies.proxy, proxies.at, proxies.state, proxies.back_at",
        "proxies.at",
        "(TABLE.power = :power OR TABLE.proxy = :power)",
    ),
    "votes": _by_phase("votes", "votes.kind, votes.powers, votes.at, votes.state, votes.settled_at", "votes.at"),
    "later_orders": "SELECT phase, lines, at, state FROM later_orders WHERE game_id = :game AND power = :power"
    " AND IN_SPAN(at) ORDER BY id",
    "motions": "SELECT PHASE_OF, motions.number, motions.kind, motions.args, motions.made_at AS at, motions.expires_at,"
    " motions.state, motions.decided_at FROM motions JOIN phases ON phases.id = motions.phase_id"
    " WHERE motions.game_id = :game AND motions.proposer = :power"
    " AND IN_SPAN(motions.made_at) ORDER BY motions.id",
    "ballots": "SELECT motions.number AS motion, ballots.aye, ballots.at, ballots.state FROM motions"
    " JOIN ballots ON ballots.motion_id = motions.id WHERE motions.game_id = :game AND ballots.power = :power"
    " AND IN_SPAN(ballots.at) ORDER BY ballots.id",
    "press_sent": "SELECT at, kind, recipients, everybody, text, state, why, address AS address_shown, statement FROM press"
    " WHERE game_id = :game AND sender = :power AND IN_SPAN(at) ORDER BY id",
    # of a grey message nobody is told who wrote it, nor to whom else it went
    "press_received": "SELECT at, kind, CASE kind WHEN 'white' THEN sender END AS sender,"
    " CASE kind WHEN 'white' THEN recipients END AS recipients, text FROM press WHERE game_id = :game"
    " AND state = 'passed-on' AND EXISTS (SELECT 1 FROM json_each(press.recipients) WHERE value = :power)"
    " AND IN_SPAN(at) ORDER BY id",
    "held_mails": "SELECT number, sender, why, words, held_at AS at, asked_at, until, state, decided_at FROM held_mails"
    " WHERE game_id = :game AND power = :power AND IN_SPAN(held_at) ORDER BY id",
    "readings": "SELECT PHASE_OF, readings.lines, readings.lent, inbox.received_at AS at, readings.version FROM phases"
    " JOIN readings ON readings.phase_id = phases.id JOIN inbox ON inbox.id = readings.inbox_id"
    " WHERE phases.game_id = :game AND readings.power = :power"
    " AND IN_SPAN(inbox.received_at) ORDER BY inbox.id",
    "mails_that_failed": "SELECT at, status, late, told_by, state, over_at FROM failed_mails WHERE game_id = :game"
    " AND power = :power AND IN_SPAN(at) ORDER BY id",
    "done": "SELECT at, what, facts FROM log WHERE game_id = :game AND who = :power"
    " AND IN_SPAN(at) ORDER BY id",
    "mails_to_you": "SELECT created_at AS at, event, subject, body, sent_at, state FROM outbox WHERE game_id = :game"
    " AND power = :power AND IN_SPAN(created_at) ORDER BY id",
}  # fmt: skip

#: What is kept under somebody's mailbox: name -> query
_OF_MAILBOX: Mapping[str, str] = {
    "seats_given_up_and_taken": "SELECT games.name AS game, PHASE_OF, seat_changes.power, seat_changes.kind,"
    " seat_changes.put_off AS deadline_put_off, seat_changes.at FROM seat_changes"
    " JOIN games ON games.id = seat_changes.game_id JOIN phases ON phases.id = seat_changes.phase_id"
    " WHERE seat_changes.mailbox = :mailbox ORDER BY seat_changes.id",
    "absences": "SELECT first, last, starts_at, ends_at, made_at AS at, state, back_at FROM absences"
    " WHERE mailbox = :mailbox ORDER BY id",
    "deadlines_put_off_for_an_absence": "SELECT games.name AS game, PHASE_OF, absence_moves.seconds, absence_moves.at"
    " FROM absence_moves JOIN phases ON phases.id = absence_moves.phase_id JOIN games ON games.id = phases.game_id"
    " WHERE absence_moves.mailbox = :mailbox ORDER BY absence_moves.id",
    "mails_wanted": "SELECT games.name AS game, mail_choices.choice, mail_choices.at FROM mail_choices"
    " LEFT JOIN games ON games.id = mail_choices.game_id WHERE mail_choices.mailbox = :mailbox"
    " ORDER BY mail_choices.game_id",
    "kept_for_later": "SELECT games.name AS game, PHASE_OF, kept_mails.power, kept_mails.event, kept_mails.at,"
    " kept_mails.state, kept_mails.told_at FROM kept_mails JOIN phases ON phases.id = kept_mails.phase_id"
    " JOIN games ON games.id = kept_mails.game_id WHERE kept_mails.mailbox = :mailbox ORDER BY kept_mails.id",
    "orders_owed": "SELECT games.name AS game, PHASE_OF, duties.power FROM duties"
    " JOIN phases ON phases.id = duties.phase_id JOIN games ON games.id = phases.game_id"
    " WHERE duties.mailbox = :mailbox ORDER BY phases.id",
}

#: What is kept of a person: name -> query
_OF_PERSON: Mapping[str, str] = {
    "asked": "SELECT made_at AS at, commands, state, decided_at FROM asks WHERE person_id = :person ORDER BY id",
    "moves_asked_for": "SELECT made_at AS at, commands, state, decided_at FROM asks WHERE mover = :person ORDER BY id",
    "watched": "SELECT games.name AS game, observers.since FROM observers JOIN games ON games.id = observers.game_id"
    " WHERE person_id = :person ORDER BY observers.rowid",
    "stands_ready_for": "SELECT games.name AS game, standbys.since FROM standbys"
    " LEFT JOIN games ON games.id = standbys.game_id WHERE person_id = :person ORDER BY standbys.id",
    "offered": "SELECT games.name AS game, offers.power, offers.made_at AS at, offers.expires_at, offers.state,"
    " offers.decided_at FROM offers JOIN games ON games.id = offers.game_id WHERE person_id = :person ORDER BY offers.id",
    "games_made": "SELECT games.name AS game FROM makers JOIN games ON games.id = makers.game_id WHERE person_id = :person"
    " ORDER BY games.id",
    "invited": "SELECT games.name AS game, invitations.made_at AS at, invitations.state, invitations.decided_at"
    " FROM invitations JOIN games ON games.id = invitations.game_id WHERE person_id = :person ORDER BY invitations.id",
    "invitations_sent": "SELECT games.name AS game, invitations.made_at AS at, invitations.state FROM invitations"
    " JOIN games ON games.id = invitations.game_id WHERE made_by = :person ORDER BY invitations.id",
    "wishes_to_be_forgotten": "SELECT wished_at AS at, state, decided_at FROM forgettings WHERE person_id = :person"
    " ORDER BY id",
}


def _all(store: Store, queries: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    return {name: store.named(_whole(sql), values) for name, sql in queries.items()}


def of_seat(store: Store, game_id: int, power: str, since: str, until: str | None) -> dict[str, list[dict[str, Any]]]:
    """All that was done at a seat in a span of time, by name."""
    return _all(store, _OF_SEAT, {"game": game_id, "power": power, "since": since, "until": until})


def of_mailbox(store: Store, mailbox: str) -> dict[str, list[dict[str, Any]]]:
    """What is kept under a mailbox, by name."""
    return _all(store, _OF_MAILBOX, {"mailbox": mailbox})


def of_person(store: Store, person_id: int) -> dict[str, list[dict[str, Any]]]:
    """What is kept of a person besides, by name."""
    return _all(store, _OF_PERSON, {"person": person_id})


def mails_of_seat(store: Store, game: str, power: str, since: str, until: str | None) -> list[int]:
    """The ids of the mails to a seat's signed address in a span of time."""
    rows = store.rows(
        "SELECT id FROM inbox WHERE game = ? AND power = ? AND kind = 'seat' AND received_at >= ?"
        " AND (? IS NULL OR received_at <= ?) ORDER BY id",
        game, power, since, until, until,
    )  # fmt: skip
    return [int(row["id"]) for row in rows]


def mails_outside(store: Store) -> list[int]:
    """The ids of all mails to the judge itself, to a game and to the operator that are still kept."""
    rows = store.rows("SELECT id FROM inbox WHERE kind IN ('judge','game','operator') ORDER BY id")
    return [int(row["id"]) for row in rows]


def mails_to(store: Store, address: str) -> list[dict[str, Any]]:
    """What was written to an address outside of any game."""
    return store.rows(
        "SELECT created_at AS at, event, subject, body, sent_at, state FROM outbox WHERE address = ? COLLATE NOCASE"
        " AND game_id IS NULL ORDER BY id",
        address,
    )
