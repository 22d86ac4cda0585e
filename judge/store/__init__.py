"""SQLite lives here alone: open and migrate, the inbox, games, orders, questions, the outbox."""

from judge.store.db import Store

__all__ = ["Store"]
