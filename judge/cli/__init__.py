"""The command line: one module a group of commands, loaded when it is asked for, so that ``judge --help`` is quick."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import click

from judge import __version__
from judge.errors import BadInput, JudgeError

#: command -> (module, function, one line for the list of commands)
COMMANDS = {
    "demo": ("judge.cli.demo", "demo", "Play a whole game by mail on this machine, to see how it goes."),
    "init": ("judge.cli.init", "init", "Set up a judge's folder: settings and key."),
    "serve": ("judge.cli.serve", "serve", "Take mail in, keep the deadlines, send results; until it is stopped."),
    "game": ("judge.cli.game", "game", "Make, show, run and check games."),
    "draw": ("judge.cli.gamerules", "draw_powers", "Give powers out by wish or lot, or check how they fell."),
    "person": ("judge.cli.person", "person", "Show what is kept about somebody, and forget them."),
    "rules": ("judge.cli.rules", "rules", "List, show, check and compare house rules."),
    "status": ("judge.cli.status", "status", "What waits, what is stuck, what is due."),
    "adjudicate": ("judge.cli.adjudicate", "adjudicate", "Adjudicate positions with their orders (JSON Lines)."),
    "parse": ("judge.cli.parse", "parse", "Read single order lines (JSON Lines)."),
    "read": ("judge.cli.read", "read", "Show what the judge makes of a mail."),
}


class _Commands(click.Group):
    """A group that knows its commands by name and imports one only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a fault that we know is told in one line on standard error, and the exit code is 1."""
        try:
            return super().invoke(ctx)
        except BadInput as error:
            click.echo(str(error), err=True)
            sys.exit(1)
        except JudgeError as error:
            click.echo(f"judge: {error}", err=True)
            sys.exit(1)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="JUDGE_HOME",
    help="The judge's folder (made by `judge init`); also JUDGE_HOME.",
)
@click.version_option(__version__, prog_name="judge")
@click.pass_context
def main(ctx: click.Context, home: Path | None) -> None:
    """A play-by-mail Diplomacy judge.

    \b
    See a whole game played by mail:     judge demo
    Set one up and run it:               judge init here --domain judge.example.org
                                         judge --home here serve
    Start a game:                        judge --home here game new spring42 --seat France=camille@example.org --start
    """
    ctx.obj = home
