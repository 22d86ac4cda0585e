"""Opening the database, transactions, and the small helpers that every other module of the store uses."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from judge.errors import StoreError
from judge.store.migrations import migrations

Row = dict[str, Any]


class Store:
    """One connection to the judge's database. Used by one thread at a time; processes and threads open their own.

    Every write happens inside :meth:`transaction`; outside of it only reads are allowed.
    """

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self.path = path

    @classmethod
    def open(cls, path: Path | str, *, timeout: float = 30.0) -> Store:
        """Open or create the database at ``path`` and bring its schema up to date.

        ``timeout``: seconds a writer waits for another. WAL with ``synchronous=FULL``: a committed transaction survives a
        power cut. Foreign keys are enforced. A new file is its owner's alone, and so are those that SQLite puts beside it.

        :raises StoreError: it cannot be opened, or was written by a later version.
        """
        _make_private(path)
        try:
            connection = sqlite3.connect(str(path), timeout=timeout, check_same_thread=False)
            db = Database(connection)
            db.enable_wal()
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            # what is deleted or written over leaves no bytes behind in the file
            db.execute("PRAGMA secure_delete=ON")
            store = cls(db, Path(path))
            pending = {one.name for one in migrations.pending(db)}
            if "forgettings" in pending and "first" not in pending:
                db.execute("VACUUM")  # nor does what was deleted before that was so
            if pending:
                with store.transaction():
                    migrations.apply(db)
            store._refuse_later_version()
        except sqlite3.Error as error:
            raise StoreError(f"the database {path} cannot be opened: {error}") from error
        return store

    def _refuse_later_version(self) -> None:
        known = {m.name for m in migrations._migrations}
        later = {m.name for m in migrations.applied(self._db)} - known
        if later:
            raise StoreError(f"the database comes from a later version of the judge (has {', '.join(sorted(later))})")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """``BEGIN IMMEDIATE`` ... commit, or roll back on any exception.

        Immediate, because a deferred transaction that reads and then writes fails at once when another process has written
        in between; this way it waits its turn instead. A transaction inside a transaction joins it: the outer one commits.
        """
        if self._db.conn.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.rollback()
            raise
        else:
            self._db.commit()

    @contextmanager
    def step(self) -> Iterator[None]:
        """A part of the transaction that is open: if it raises, nothing that it wrote stays, and the rest does."""
        self._must_be_in_transaction()
        self._db.execute("SAVEPOINT step")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK TO step")
            raise
        finally:
            self._db.execute("RELEASE step")

    def rows(self, sql: str, *params: Any) -> list[Row]:
        """All rows of a query, as dicts."""
        return list(self._db.query(sql, params)) if sql.lstrip()[:6].upper() == "SELECT" else self._returning(sql, params)

    def _returning(self, sql: str, params: Sequence[Any]) -> list[Row]:
        self._must_be_in_transaction()
        cursor = self._db.execute(sql, params)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def named(self, sql: str, values: Mapping[str, Any]) -> list[Row]:
        """All rows of a query with ``:names`` in it, as dicts."""
        return list(self._db.query(sql, dict(values)))

    def row(self, sql: str, *params: Any) -> Row | None:
        """The first row of a query, or ``None``."""
        found = self.rows(sql, *params)
        return found[0] if found else None

    def run(self, sql: str, *params: Any) -> int:
        """Write, inside a transaction. Returns the row id of an INSERT."""
        self._must_be_in_transaction()
        return int(self._db.execute(sql, params).lastrowid or 0)

    def changed(self, sql: str, *params: Any) -> int:
        """Write, inside a transaction. Returns how many rows it changed."""
        self._must_be_in_transaction()
        return int(self._db.execute(sql, params).rowcount)

    def _must_be_in_transaction(self) -> None:
        if not self._db.conn.in_transaction:
            raise StoreError("a write outside of a transaction")

    def data_version(self) -> int:
        """A number that changes when *another* connection has committed something."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def integrity(self) -> str:
        """``"ok"``, or what SQLite found broken."""
        return str(self._db.execute("PRAGMA integrity_check").fetchone()[0])

    def settle(self) -> bool:
        """Bring all that was committed into the database's own file, and empty the one beside it (WAL), so that nothing of
        earlier versions of a row is left on the disk. Returns whether it was done: others may be reading."""
        return int(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0

    def backup(self, to: Path) -> None:
        """Copy the whole database, while it is in use, to the file ``to``."""
        _make_private(to)
        with sqlite3.connect(str(to)) as target:
            self._db.conn.backup(target)
        target.close()

    def close(self) -> None:
        """Close the connection; an open transaction is rolled back."""
        self._db.close()


def _make_private(path: Path | str) -> None:
    """Make the file that a database will be in, readable by its owner alone, if it is not there yet.

    One that is there is not even opened: closing it would take away the locks of this process's other connections.
    """
    with suppress(OSError):  # SQLite says better what is wrong
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def stamp(at: datetime) -> str:
    """An aware datetime -> ISO 8601 UTC text of fixed width, so that text order is time order."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def instant(text: str) -> datetime:
    """What :func:`stamp` wrote -> aware UTC datetime."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


def instant_or_none(text: str | None) -> datetime | None:
    """:func:`instant` of a column that may be NULL."""
    return instant(text) if text else None
