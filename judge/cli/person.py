"""``judge person show | forget``: what is kept about somebody, and taking it out."""

from __future__ import annotations

import json
from datetime import datetime

import click

from judge.cli.opening import now, open_judge
from judge.errors import BadInput
from judge.play import Judge, export, forgetting
from judge.play.people import known, seats_of
from judge.store.people import Person


@click.group()
def person() -> None:
    """Show what is kept about somebody, and forget them."""


@person.command("show")
@click.argument("address")
@click.option("--json", "as_json", is_flag=True, help="Print all that is kept, as EXPORT by mail has it.")
@click.pass_context
def show(ctx: click.Context, address: str, as_json: bool) -> None:
    """Show who has ADDRESS: how they are written to, and their seats.

    \b
    Example:
      judge --home here person show camille@example.org
    """
    with open_judge(ctx) as judge, judge.store.transaction():
        found = _found(judge, address, now())
        if as_json:
            click.echo(json.dumps(export.of_person(judge, found), ensure_ascii=False, indent=1))
            return
        seats = seats_of(judge, found.mailbox)
    click.echo(f"address   {found.address} ({found.state})")
    click.echo(f"language  {found.language}, {found.timezone}")
    for game, seat in seats:
        click.echo(f"seat      {seat.power} in {game.name} ({game.state})")


@person.command("forget")
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def forget(ctx: click.Context, address: str, yes: bool) -> None:
    """Forget who has ADDRESS: a pseudonym takes the place of their addresses, names and the heads of their mails.

    Orders, results and press stay, and the games can be verified as before. Refused while they have a seat in a game that is
    not over. Backups of the database, and a relay's own logs, are not touched.

    \b
    Example:
      judge --home here person forget camille@example.org
    """
    with open_judge(ctx) as judge:
        at = now()
        with judge.store.transaction():
            found = _found(judge, address, at)
        if not yes:
            click.confirm(f"Forget {found.address} for ever?", abort=True, err=True)
        done = forgetting.forget(judge, found, at)
    where = f", in {', '.join(done.games)}" if done.games else ""
    click.echo(f"forgotten: {done.pseudonym} in {done.mails} mails that came and {done.sent} that went out{where}")


def _found(judge: Judge, address: str, at: datetime) -> Person:
    found = known(judge, address) or forgetting.person_at(judge, address, at)
    if found is None:
        raise BadInput(f"nobody is known by the address {address}")
    return found
