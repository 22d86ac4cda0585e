"""``judge game why | history | preview | summary``: what players are answered by mail, in the shell and in English."""

from __future__ import annotations

from typing import IO

import click

from judge.cli.opening import now, open_judge
from judge.errors import Refused
from judge.play import Judge
from judge.play.judge import open_table
from judge.play.verbs import history, previewing, telling, why
from judge.render.facts import Answer, AnswerFacts
from judge.render.mails import render
from judge.store import games
from judge.store.games import Game
from judge.variants import load_board


@click.command("why")
@click.argument("name")
@click.argument("unit", nargs=-1, required=True)
@click.pass_context
def why_command(ctx: click.Context, name: str, unit: tuple[str, ...]) -> None:
    """Tell why UNIT fared as it did in the game NAME: in the phase behind it, or the last one in which it had an order.

    \b
    Example:
      judge --home here game why spring42 A VIE F1901M
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, why.why_of(judge.store, game, " ".join(unit)))


@click.command("history")
@click.argument("name")
@click.argument("phases", nargs=-1)
@click.pass_context
def history_command(ctx: click.Context, name: str, phases: tuple[str, ...]) -> None:
    """Tell the results of the game NAME: of PHASES (one, or F1901M..S1903M), or the latest that fit a mail.

    \b
    Example:
      judge --home here game history spring42 S1901M..F1902M
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, history.history_of(judge.store, game, " ".join(phases)))


@click.command("preview")
@click.argument("name")
@click.argument("file", type=click.File("r", encoding="utf-8"), required=False)
@click.pass_context
def preview_command(ctx: click.Context, name: str, file: IO[str] | None) -> None:
    """Tell what would come of the open phase of the game NAME: with the orders on file or, with FILE, with those in it.

    Nothing is run, and nothing is kept.

    \b
    Example:
      judge --home here game preview spring42
      printf 'FRANCE:\\nA PAR-BUR\\n' | judge --home here game preview spring42 -
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        table = open_table(judge.store, game)
        if table is None:
            raise Refused(f"the game {name} has no phase that could be previewed: it is {game.state}")
        answer = previewing.on_file(judge, table)
        if file is not None:
            answer = previewing.of_lines(table, file.read(1_000_000).splitlines(), None)
        print_answer(judge, game, answer)


@click.command("summary")
@click.argument("name")
@click.pass_context
def summary_command(ctx: click.Context, name: str) -> None:
    """Tell the supply centres of each power in the game NAME, year by year.

    \b
    Example:
      judge --home here game summary spring42
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, telling.summary_of(judge.store, game))


def print_answer(judge: Judge, game: Game, answer: Answer) -> None:
    """An answer as its mail would say it."""
    facts = AnswerFacts(judge.domain, now(), load_board(game.variant), (answer,))
    click.echo(render(facts).text.rstrip("\n"))


COMMANDS = (why_command, history_command, preview_command, summary_command)
