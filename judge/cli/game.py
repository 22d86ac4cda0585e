"""``judge game``: make, list, show, start, run and check games."""

from __future__ import annotations

import json
import secrets
from typing import Any

import click

from judge.cli import gamechecks, gameclock, gamerules, gameseats, gametelling
from judge.cli.opening import now, open_judge
from judge.errors import BadInput
from judge.play import rulings, setup, turn, views
from judge.store import games
from judge.store.rulings import SeedFrom
from judge.variants import load_board, load_rules


@click.group()
def game() -> None:
    """Make, show, run and check games.

    \b
    Example:
      judge --home here game new spring42 --rules standard --schedule "every 24 h" \\
          --seat France=camille@example.org --seat England=anna@example.org --start
      judge --home here game show spring42
    """


@game.command()
@click.argument("name")
@click.option("--rules", default="standard", show_default=True, help="A preset, or a house-rules file.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A house rule of this game; once for each.")
@click.option("--variant", default="standard", show_default=True, help="The board.")
@click.option(
    "--schedule", default="every 24 h", show_default=True, help='When phases are due: "48 h", "Mon Thu 19:00 Europe/Berlin".'
)
@click.option("--seat", "seats", multiple=True, metavar="POWER=ADDRESS", help="Who plays a power; once for each.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="ADDRESS[=POWER,...]",
    help="Who gets a power at the start by the house rules (powers.assign), with the powers wished for; once for each.",
)
@click.option("--master", default=None, metavar="ADDRESS", help="Who masters the game by mail; none, if it is not said.")
@click.option("--language", default="en", show_default=True, help="What its mails are written in: en, ja, zh-Hans, zh-Hant.")
@click.option("--timezone", default="UTC", show_default=True, help="The time zone of its mails, like Asia/Tokyo.")
@click.option(
    "--seed", default=None, help="What powers are drawn with (the players are told that it was chosen); else chance."
)
@click.option("--early/--no-early", default=True, show_default=True, help="May a phase run as soon as all orders are in?")
@click.option("--start", is_flag=True, help="Start at once: the players get their first mail.")
@click.option("--json", "as_json", is_flag=True, help="Print the game as JSON.")
@click.pass_context
def new(
    ctx: click.Context,
    name: str,
    rules: str,
    settings: tuple[str, ...],
    variant: str,
    schedule: str,
    seats: tuple[str, ...],
    players: tuple[str, ...],
    master: str | None,
    language: str,
    timezone: str,
    seed: str | None,
    early: bool,
    start: bool,
    as_json: bool,
) -> None:
    """Make the game NAME (a-z, digits, dashes; at most 20), and start it with --start.

    \b
    Example:
      judge --home here game new spring42 --rules japan-1910 --schedule "every 24 h" \\
          --seat France=camille@example.org --start --json
      judge --home here game new autumn --rules japan-1910 --set victory.end.turn=F1907 \\
          --player ada@example.org=France --player ben@example.org=France --player cem@example.org --start
    """
    if seed is not None and not start:
        raise BadInput("--seed goes with --start: the powers are drawn when the game starts")
    board = load_board(variant)
    chosen = rulings.set_keys(load_rules(rules, board), gamerules.settings(settings), board)
    pairs = [_seat(text) for text in seats]
    seated = dict(pairs)
    twice = sorted({power for power, _ in pairs if sum(power.lower() == other.lower() for other, _ in pairs) > 1})
    if twice:
        raise BadInput(f"--seat names {', '.join(twice)} more than once; a power has one player")
    wishes = [gamerules.player(text) for text in players]
    with open_judge(ctx) as judge:
        with judge.store.transaction():
            made = setup.create_game(
                judge,
                name,
                rules=chosen,
                variant=variant,
                schedule=schedule,
                early=early,
                players=seated,
                wishes=wishes,
                master=master,
                language=language,
                timezone=timezone,
                at_once=start,
                now=now(),
            )
            if start:
                setup.start_game(judge, made.name, now(), *_seed(seed))
        view = views.game_view(judge, games.get(judge.store, name))
    _warn_of_empty_seats(view)
    _show(view, as_json)


def _warn_of_empty_seats(view: dict[str, Any]) -> None:
    """On standard error: a game can be played so, but nobody should find out by the first result."""
    unplayed = view["unplayed"]
    empty = [seat["power"] for seat in view["seats"] if not seat["address"] and seat["power"] not in unplayed]
    if empty and view["state"] == "running":
        click.echo(
            f"{view['game']}: nobody plays {', '.join(empty)}; the units hold. The players are told so if the game is made"
            f" with --set powers.unplayed={','.join([*unplayed, *empty])}",
            err=True,
        )


def _seed(chosen: str | None) -> tuple[str, SeedFrom]:
    """The seed of a draw, and whether somebody chose it."""
    return (chosen, "chosen") if chosen else (secrets.token_hex(8), "chance")


def _seat(text: str) -> tuple[str, str]:
    power, found, address = text.partition("=")
    if not found or not power.strip() or not address.strip():
        raise BadInput(f"--seat {text!r}: write POWER=ADDRESS, like France=camille@example.org")
    return power.strip(), address.strip()


@game.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_context
def list_games(ctx: click.Context, as_json: bool) -> None:
    """List all games: state, phase, deadline.

    \b
    Example:
      judge --home here game list
    """
    with open_judge(ctx) as judge:
        for one in games.all_games(judge.store):
            view = views.game_view(judge, one)
            if as_json:
                row = {key: view[key] for key in ("game", "state", "phase", "deadline", "rules", "winners")}
                click.echo(json.dumps(row, ensure_ascii=False))
            else:
                click.echo(f"{one.name:20}  {one.state:8}  {view['phase'] or '-':7}  {view['deadline'] or '-'}")


@game.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the game NAME: phase, deadline, units, centres, and each seat with its signed reply address and orders.

    \b
    Example:
      judge --home here game show spring42
    """
    with open_judge(ctx) as judge:
        _show(views.game_view(judge, games.get(judge.store, name)), as_json)


def _show(view: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(view, ensure_ascii=False))
        return
    click.echo(f"{view['game']}: {view['state']}, {view['phase'] or 'not started'}, rules {view['rules']}")
    if view["deadline"]:
        click.echo(f"deadline {view['deadline']} ({view['schedule']}{', early when all are in' if view['early'] else ''})")
    if view["paused"]:
        click.echo(
            f"paused since {view['paused']['since']}" + (f" until {until}" if (until := view["paused"]["until"]) else "")
        )
    if view["comment"]:
        click.echo("note: " + view["comment"].replace("\n", "\n      "))
    if view["winners"] is not None:
        how = "a draw of" if len(view["winners"]) > 1 else "won by"
        click.echo(f"{how} {', '.join(view['winners']) or 'nobody'} ({view['ended_by']})")
    if view["master"]:
        click.echo(f"master: {view['master']['address']}\n  reply to {view['master']['reply_to']}")
        _show_unreachable(view["master"]["unreachable"])
    for seat in view["seats"]:
        units = [f"{u['type']} {u['at'].upper()}" for u in view["units"] if u["power"] == seat["power"]]
        click.echo(f"\n{seat['power']}: {seat['address'] or 'nobody'}  [{seat['status']}]")
        click.echo(f"  reply to {seat['reply_to']}")
        _show_unreachable(seat["unreachable"])
        click.echo(f"  {len(view['centres'].get(seat['power'], []))} centres, units: {', '.join(units) or 'none'}")
        for order in seat["orders"]:
            click.echo(f"  on file: {order}")
        if seat["missing"]:
            click.echo(f"  missing: {', '.join(seat['missing'])}")


def _show_unreachable(failing: dict[str, Any] | None) -> None:
    """A line if mails do not reach a seat's player."""
    if failing is not None:
        count = failing["lost"] + failing["late"]
        click.echo(f"  cannot be reached since {failing['since']}: {count} mails failed ({failing['status']})")


@game.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def orders(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the orders on file for the open phase of the game NAME.

    \b
    Example:
      judge --home here game orders spring42
    """
    with open_judge(ctx) as judge:
        view = views.orders_view(judge, games.get(judge.store, name))
    if as_json:
        click.echo(json.dumps(view, ensure_ascii=False))
        return
    lines = [f"{power}: {o['text']}  (mail {o['mail']}, {o['set_at']})" for power, held in view.items() for o in held]
    for line in lines or [f"no orders are on file for {name}"]:
        click.echo(line)


@game.command()
@click.argument("name")
@click.option("--seed", default=None, help="What powers are drawn with; chance, if it is not said.")
@click.pass_context
def start(ctx: click.Context, name: str, seed: str | None) -> None:
    """Start the game NAME: its first phase opens and the players get their first mail.

    \b
    Example:
      judge --home here game start spring42
    """
    with open_judge(ctx) as judge:
        table = setup.start_game(judge, name, now(), *_seed(seed))
        view = views.game_view(judge, games.get(judge.store, name))
    _warn_of_empty_seats(view)
    click.echo(f"{name} has started: {table.phase.name}")


@game.command()
@click.argument("name")
@click.option("--phase", default=None, help="Only if this phase is the open one (S1901M): guards against racing the clock.")
@click.pass_context
def process(ctx: click.Context, name: str, phase: str | None) -> None:
    """Run the open phase of the game NAME now, with the orders on file.

    \b
    Example:
      judge --home here game process spring42 --phase S1901M
    """
    with open_judge(ctx) as judge:
        turn.run_phase(judge, name, now(), who="operator", only=phase)
        view = views.game_view(judge, games.get(judge.store, name))
    click.echo(f"{name}: {view['state']}, {view['phase']}, deadline {view['deadline'] or '-'}")


@game.command("seat")
@click.argument("name")
@click.argument("power")
@click.option("--language", default=None, help="en, ja, zh-Hans or zh-Hant.")
@click.option("--timezone", default=None, help="Like Asia/Tokyo.")
@click.pass_context
def seat_command(ctx: click.Context, name: str, power: str, language: str | None, timezone: str | None) -> None:
    """Say in which language and time zone the player of POWER (or the `master`) of the game NAME reads.

    \b
    Example:
      judge --home here game seat spring42 France --language ja --timezone Asia/Tokyo
    """
    with open_judge(ctx) as judge:
        seat = setup.set_reader(judge, name, power, language=language, timezone=timezone, who="operator", now=now())
    click.echo(f"{name}: {seat.power} reads {seat.language}, {seat.timezone}")


@game.command("master")
@click.argument("name")
@click.argument("address")
@click.pass_context
def master_command(ctx: click.Context, name: str, address: str) -> None:
    """Make ADDRESS the game master of the game NAME: they get a mail that says what can be done by answering it.

    Whoever was master before cannot do anything any more by answering old mails.

    \b
    Example:
      judge --home here game master spring42 ana@example.org
    """
    with open_judge(ctx) as judge:
        seat = setup.set_master(judge, name, address, who="operator", now=now())
    click.echo(f"{name}: {seat.address} is the game master")


_MORE = (
    gamerules.set_rules,
    gamerules.show_rules,
    gamerules.show_draw,
    *gametelling.COMMANDS,
    *gamechecks.COMMANDS,
    *gameclock.COMMANDS,
    *gameseats.COMMANDS,
)
for _command in _MORE:
    game.add_command(_command)
