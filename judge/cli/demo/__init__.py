"""``judge demo``: a whole recorded game played by mail, on this machine alone."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from judge.errors import BadInput

RECORDING = "game-to-1910.jsonl.gz"


@click.command()
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the mailboxes (a Maildir a player) and the judge's own folder in DIR, which is made.",
)
@click.option("--seed", type=int, default=1910, show_default=True, help="Who writes when and what goes wrong; any number.")
@click.option(
    "--recording",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Another recorded game (JSON Lines, a line a phase).",
)
def demo(keep: Path | None, seed: int, recording: Path | None) -> None:
    """Play a whole game by mail on this machine, from Spring 1901 to the end after Fall 1910.

    Seven players send their orders by SMTP to a real judge, each from their own mail programs, with everything that goes
    wrong in a real game; the judge mails the results back into a Maildir a player. Every position is compared with the
    recorded one, every result is counted; exit code 1 if anything differs.

    \b
    Example:
      judge demo --keep demo
      mutt -f demo/players/France
      judge --home demo/judge game show demo
    """
    # the server and the mail libraries are loaded here, so that the other commands start quickly
    from judge.cli.demo import performance, report
    from judge.resources import data_dir

    begun = time.monotonic()
    with _folder(keep) as folder, _Bar() as bar:
        facts = performance.perform(
            folder, recording or data_dir("games") / "examples" / RECORDING, seed, kept=keep is not None, progress=bar.show
        )
    for line in report.report(facts):
        click.echo(line)
    click.echo(f"took {time.monotonic() - begun:.1f} s", err=True)
    for fault in facts.faults:
        click.echo(fault, err=True)
    if facts.faults:
        raise SystemExit(1)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """The folder to keep, new or empty, or one that is removed afterwards."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="judge-demo-") as name:
            yield Path(name)
        return
    if keep.exists() and any(keep.iterdir()):
        raise BadInput("is there and not empty; name a new folder", str(keep))
    keep.mkdir(parents=True, exist_ok=True)
    yield keep


class _Bar:
    """A progress bar on standard error; nothing where that is no terminal."""

    WIDTH = 40

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *error: object) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, what: str, share: float) -> None:
        """``share``: how much is done, from 0 to 1."""
        if sys.stderr.isatty():
            done = round(self.WIDTH * share)
            sys.stderr.write(f"\r\x1b[K[{'#' * done}{'.' * (self.WIDTH - done)}] {what}")
            sys.stderr.flush()
