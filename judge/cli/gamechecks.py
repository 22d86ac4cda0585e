"""``judge game verify | signs | commitments``: whether all is as it was, from the mails that came in to those that went
out, and whether all is fair."""

from __future__ import annotations

import json

import click

from judge.cli.gametelling import print_answer
from judge.cli.opening import open_judge
from judge.errors import BadInput
from judge.play import verify
from judge.play.verbs import proving
from judge.store import games


@click.command("verify")
@click.argument("name")
@click.option(
    "--reader-may-change",
    is_flag=True,
    help="Tell how mails are read otherwise today, and call it no fault: after a new version of the judge.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a fault.")
@click.pass_context
def verify_game(ctx: click.Context, name: str, reader_may_change: bool, as_json: bool) -> None:
    """Read the mails of the game NAME again, adjudicate it again, and compare with all that was stored and mailed.

    Tells a changed byte (bytes), mails that are read otherwise today (reader), and orders that lead elsewhere today (rules)
    apart, one line each, and then exits with 1.

    \b
    Example:
      judge --home here game verify spring42
    """
    with open_judge(ctx) as judge:
        try:
            game = games.get(judge.store, name)
        except ValueError:
            raise BadInput(f"{name}: what is stored of the game itself makes no sense") from None
        faults = verify.verify_game(judge, game)
        older = verify.older_than_seals(judge, game)
        redacted = [] if faults else verify.redactions(judge, game)
        count = 0 if faults else len(games.all_phases(judge.store, game.id))
    for fault in faults:
        if as_json:
            click.echo(json.dumps({"game": name, "kind": fault.kind, "text": fault.text}, ensure_ascii=False))
        else:
            click.echo(f"{name}: {fault}", err=True)
    for line in redacted:
        click.echo(f"{name}: {line}", err=True)
    if older:
        click.echo(f"{name}: {older} rows are older than seals; whether a byte of them has changed is not known", err=True)
    if any(fault.kind != "reader" or not reader_may_change for fault in faults):
        raise SystemExit(1)
    if not (faults or as_json):
        click.echo(f"{name}: {count} phases, all as stored")


@click.command("signs")
@click.argument("name")
@click.pass_context
def signs_command(ctx: click.Context, name: str) -> None:
    """Tell signs that two powers of the game NAME may be played by one person: facts of their mails, and no verdict.

    For the operator; the game master, who plays no power, may ask for the same by mail (SIGNS). No player is told.

    \b
    Example:
      judge --home here game signs spring42
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, proving.signs_of(judge, game))


@click.command("commitments")
@click.argument("name")
@click.argument("phase", required=False, default="")
@click.pass_context
def commitments_command(ctx: click.Context, name: str, phase: str) -> None:
    """Tell the commitments of the receipts of PHASE in the game NAME, or of its last phase that is over.

    \b
    Example:
      judge --home here game commitments spring42 S1901M
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, proving.commitments_of(judge, game, phase))


COMMANDS = (verify_game, signs_command, commitments_command)
