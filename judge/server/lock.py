"""One server a database: two would deliver the same mails, each once."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from judge.errors import StoreError


class Lock:
    """A lock beside the database that the system takes back when the process ends, however it ends."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._descriptor: int | None = None

    def take(self) -> None:
        """Take the lock.

        :raises StoreError: another server has it, or the folder cannot be written to.
        """
        try:
            self._descriptor = os.open(f"{self._database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.give_back()
            raise StoreError(f"another server is at work on {self._database}") from None
        except OSError as error:
            self.give_back()
            raise StoreError(f"cannot write beside {self._database}: {error.strerror}") from None

    def give_back(self) -> None:
        """Let others have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
