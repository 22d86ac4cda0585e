"""What is kept under somebody's mailbox besides their seats goes along when they move, and gets their pseudonym when they
are forgotten."""

from __future__ import annotations

from judge.store.db import Store

#: tables with a column ``mailbox`` that tells what somebody did
TABLES = ("seat_changes", "absences", "absence_moves", "duties", "kept_mails", "mail_choices")


def rename(store: Store, old: str, new: str) -> None:
    """Everything that is kept under ``old`` is kept under ``new`` from now on."""
    for table in TABLES:
        store.run(f"UPDATE OR REPLACE {table} SET mailbox = ? WHERE mailbox = ?", new, old)  # noqa: S608 (names of our own)
