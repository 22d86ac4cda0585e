"""``judge game replace | eject | offer | order | absence | motions | record``: what a master does by mail about who plays,
done at the shell by the same functions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import IO, Any

import click

from judge.cli.gameclock import WHO, at_work, iso, table_of, why_option
from judge.cli.gametelling import print_answer
from judge.cli.opening import now, open_judge
from judge.errors import BadInput
from judge.mail.addresses import domain_key
from judge.mail.compose import wire_address
from judge.play import Judge, motions, offering, seats
from judge.play.judge import open_table
from judge.play.ordering import order_for
from judge.play.setup import board_power
from judge.play.verbs import absent, recorded
from judge.render.problems import sentence
from judge.store import games, orders
from judge.store import motions as store_motions
from judge.store.db import instant
from judge.store.games import Game
from judge.variants import load_board


def _power(game: Game, written: str) -> str:
    return board_power(load_board(game.variant).powers, written)


def _address(judge: Judge, text: str) -> str:
    try:
        address = wire_address(text.strip())
    except ValueError:
        raise BadInput(f"{text!r} is no mail address that mail can be sent to; camille@example.org is one") from None
    if domain_key(address.rpartition("@")[2]) == domain_key(judge.domain):
        raise BadInput(f"{text!r} is an address of this judge, and nobody's who plays")
    return address


@click.command("replace")
@click.argument("name")
@click.argument("power")
@click.argument("address", required=False)
@why_option
@click.pass_context
def replace(ctx: click.Context, name: str, power: str, address: str | None, why: str | None) -> None:
    """Give the POWER of the game NAME to ADDRESS; without one, declare its seat open. All who play are told, without names.

    \b
    Example:
      judge --home here game replace spring42 France nils@example.org --why "no orders for a month"
      judge --home here game replace spring42 France
    """
    with at_work(ctx, name) as (judge, game):
        table, power = table_of(judge, game), _power(game, power)
        if address is None:
            seats.take_away(judge, table, power, "opened", who=WHO, why=why, now=now())
        else:
            seats.replace(judge, table, power, _address(judge, address), who=WHO, why=why, now=now())
    click.echo(f"{name}: {power} is played by {address}" if address else f"{name}: the seat of {power} is open")


@click.command("eject")
@click.argument("name")
@click.argument("power")
@why_option
@click.pass_context
def eject(ctx: click.Context, name: str, power: str, why: str | None) -> None:
    """Take the POWER of the game NAME away from its player, who is told why; so are all others, without names.

    \b
    Example:
      judge --home here game eject spring42 France --why "wrote to others in my name"
    """
    with at_work(ctx, name) as (judge, game):
        power = _power(game, power)
        seats.take_away(judge, table_of(judge, game), power, "ejected", who=WHO, why=why, now=now())
    click.echo(f"{name}: the player of {power} is out, and the seat is open")


@click.command("offer")
@click.argument("name")
@click.argument("power")
@click.pass_context
def offer(ctx: click.Context, name: str, power: str) -> None:
    """Offer the POWER of the game NAME, which has no player, to those who stand ready (STANDBY), one after the other.

    \b
    Example:
      judge --home here game offer spring42 France
    """
    with at_work(ctx, name) as (judge, game):
        made, again = offering.offer_by_word(judge, table_of(judge, game), _power(game, power), now(), who=WHO)
    told = "is being offered already" if again else "is offered to somebody who stands ready"
    click.echo(f"{name}: {made.power} {told}, until {iso(made.expires_at)}")


@click.command("order")
@click.argument("name")
@click.argument("power")
@click.argument("lines", nargs=-1, metavar="[LINE...]")
@click.option(
    "--file", "file", type=click.File("r", encoding="utf-8"), help="Read the lines from FILE; - is standard input."
)
@click.pass_context
def order(ctx: click.Context, name: str, power: str, lines: Sequence[str], file: IO[str] | None) -> None:
    """Put orders on file for the POWER of the game NAME, as if its player had sent them; the player is told.

    Lines that cannot be used are told on standard error, and the exit code is 1 if none could be.

    \b
    Example:
      judge --home here game order spring42 France "A PAR-BUR" "F BRE-MAO"
      printf 'A PAR-BUR\\nF BRE-MAO\\n' | judge --home here game order spring42 France --file -
    """
    said = [line for line in (*lines, *(file.read(100_000).splitlines() if file else ())) if line.strip()]
    if not said:
        raise BadInput('no orders are given; "A PAR-BUR" is one')
    with at_work(ctx, name) as (judge, game):
        table, power = table_of(judge, game), _power(game, power)
        before = {one.text for one in orders.held(judge.store, table.phase.id, power)}
        done = order_for(judge, table, power, said[:_MOST_LINES], None, now(), who=WHO)
        held = [one.text for one in orders.held(judge.store, table.phase.id, power)]
    for reading in done.strange:
        why = "; ".join(sentence(problem, rules=table.rules) for problem in reading.problems) or "this is no order"
        click.echo(f"not used: {reading.line.strip()}: {why}", err=True)
    for line in [*(line for line, _ in done.lost), *done.unread, *said[_MOST_LINES:]]:
        click.echo(f"not used: {line.strip()}", err=True)
    same = bool(done.filed) and set(held) == before
    click.echo(f"{name}: on file for {power}{', as before' if same else ''}: {', '.join(held) or 'nothing'}")
    if not done.filed:
        raise SystemExit(1)


#: as many as one mail may say
_MOST_LINES = 200


@click.command("absence")
@click.argument("name")
@click.argument("power")
@click.argument("days", required=False, default="")
@click.pass_context
def absence(ctx: click.Context, name: str, power: str, days: str) -> None:
    """Write down that the player of POWER in the game NAME is away from one day to another, in all their games; `off` takes
    it back, and without DAYS it is told. Deadlines are put off as the house rules let them, and all who play are told.

    \b
    Example:
      judge --home here game absence spring42 France 2026-12-20..2026-12-27
      judge --home here game absence spring42 France off
    """
    with at_work(ctx, name) as (judge, game):
        seat = games.seat(judge.store, game.id, _power(game, power))
        table, at = open_table(judge.store, game), now()
        if days and not (days.lower() == "off" or any(letter.isdigit() for letter in days)):
            raise BadInput(f"{days!r} names no days; 2026-12-20..2026-12-27 does, and off takes them back")
        answer = absent.absence_of(judge, seat, table, days, at, extra=f"away {at.timestamp()}", quiet=False)
    told = {"added": "written down", "again": "written down before", "off": "taken back", "list": "as it is"}
    spans = ", ".join(f"{first}..{last}" for first, last in answer.args["spans"])
    click.echo(f"{name}: {seat.power}, {told[answer.args['kind']]}: away {spans or 'at no time'}")
    for moved in answer.args["moved"]:
        click.echo(f"{moved['game']}: deadline {iso(moved['new'])}, was {iso(moved['old'])}")


@click.command("motions")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_context
def motions_command(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the motions of the players of the game NAME that are open, with the votes as they stand.

    \b
    Example:
      judge --home here game motions spring42
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        table = open_table(judge.store, game)
        there = store_motions.open_ones(judge.store, table.phase.id) if table else []
        rows = [motions.told(judge.store, table, one) for one in there] if table else []
    for row in rows:
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else _motion(row))
    if not rows and not as_json:
        click.echo(f"no motion is open in {name}")


def _motion(row: dict[str, Any]) -> str:
    span = timedelta(seconds=row["seconds"]) if row["seconds"] else None
    until = f"until {iso(instant(row['until']))}" if row["until"] else None
    wanted = " ".join(str(part) for part in (row["kind"], row["power"], span and f"by {span}", until) if part)
    votes = f"{row['ayes']} for, {row['nays']} against, of {row['of']}"
    return f"{row['number']}: {wanted}, proposed by {row['proposer']}: {votes}; open until {iso(instant(row['expires']))}"


@click.command("record")
@click.argument("name")
@click.pass_context
def record(ctx: click.Context, name: str) -> None:
    """Tell how often the players of the game NAME sent orders in time, in all their games.

    \b
    Example:
      judge --home here game record spring42
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        print_answer(judge, game, recorded.record_of(judge.store, game))


COMMANDS: tuple[click.Command, ...] = (replace, eject, offer, order, absence, motions_command, record)
