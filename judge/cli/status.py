"""``judge status``: what waits, what is stuck, what is due."""

from __future__ import annotations

import json

import click

from judge.cli.opening import open_judge
from judge.play import views


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show what waits to be read or sent, how many games run, when the next phase is due.

    \b
    Example:
      judge --home here status
    """
    with open_judge(ctx) as judge:
        view = views.status_view(judge)
    if as_json:
        click.echo(json.dumps(view, ensure_ascii=False))
        return
    inbox, outbox, games = view["inbox"], view["outbox"], view["games"]
    click.echo(f"mails in    {inbox['waiting']} waiting, {inbox['set_aside']} set aside, {inbox['handled']} handled")
    click.echo(f"mails out   {outbox['waiting']} waiting, {outbox['parked']} parked, {outbox['sent']} sent")
    click.echo("games       " + (", ".join(f"{n} {state}" for state, n in sorted(games.items())) or "none"))
    for seat in view["unreachable"]:
        click.echo(f"unreachable {seat['power']} of {seat['game']} since {seat['since']} ({seat['status']})")
    click.echo(f"next due    {view['next_due'] or 'nothing'}")
    click.echo(f"last error  {view['last_error'] or 'none'}")
