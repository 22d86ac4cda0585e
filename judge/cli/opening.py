"""Opening the judge that a command works on: settings, key and database of the folder named by ``--home``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from judge import settings
from judge.mail.identity import Keys
from judge.play import Judge
from judge.play.judge import judge_of
from judge.store import Store


def home_of(ctx: click.Context) -> Path:
    """The folder given by ``--home`` or ``JUDGE_HOME``.

    :raises click.UsageError: neither was given.
    """
    root = ctx.find_root().obj
    if root is None:
        raise click.UsageError("which judge? Say --home DIR (before the command), or set JUDGE_HOME", ctx)
    return Path(root)


@contextmanager
def open_judge(ctx: click.Context) -> Iterator[Judge]:
    """The judge in the home folder, its store open; it is closed afterwards.

    :raises BadSettings: there is no judge in that folder, or its settings cannot be used.
    """
    chosen = settings.load(home_of(ctx), os.environ)
    keys = Keys(settings.load_key(chosen))
    store = Store.open(chosen.database_path)
    try:
        yield judge_of(store, keys, chosen)
    finally:
        store.close()


def now() -> datetime:
    """The instant, for commands: the only other place that reads the clock is the server."""
    return datetime.now(UTC)
