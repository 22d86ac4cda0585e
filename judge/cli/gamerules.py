"""``judge game set | rules | draw``: the house rules of a game and how its powers were given out; ``judge draw``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import click

from judge.cli.opening import now, open_judge
from judge.errors import BadInput
from judge.play import rulings, seating, setup
from judge.play.assigning import Given, Method, draw
from judge.play.judge import Judge, open_table, rules_of
from judge.rules.houserules import STANDARD
from judge.store import games
from judge.store import rulings as stored
from judge.variants import load_board
from judge.variants.keytext import differences, typed

_RULES = ("preference", "preference-from-pool", "best-ranks", "first-come", "random")


def settings(texts: Sequence[str]) -> list[tuple[str, str]]:
    """``["victory.end.turn=F1910"]`` -> ``[("victory.end.turn", "F1910")]``.

    :raises BadInput: a text without ``=``, or a key that is set twice.
    """
    found: list[tuple[str, str]] = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{text!r}: write KEY=VALUE, like victory.end.turn=F1910")
        if key.strip().lower() in (other.lower() for other, _ in found):
            raise BadInput(f"{key.strip()} is set more than once; which one counts? Set it once")
        found.append((key.strip(), value.strip()))
    return found


def player(text: str) -> tuple[str, list[str]]:
    """``"ada@example.org=France,Italy"`` -> the address and the powers wished for, best first.

    :raises BadInput: no address.
    """
    address, _, wishes = text.partition("=")
    if "@" not in address:
        raise BadInput(f"{text!r}: write ADDRESS or ADDRESS=POWER,POWER, like ada@example.org=France,Italy")
    return address.strip(), [word.strip() for word in wishes.split(",") if word.strip(" -")]


def _whose_act(judge: Judge, name: str) -> str:
    """As whose act a change at the shell is told: the game master's where there is one."""
    master = games.master(judge.store, games.get(judge.store, name).id)
    return "master" if master is not None and master.address else "operator"


@click.command("set")
@click.argument("name")
@click.argument("texts", nargs=-1, required=True, metavar="KEY=VALUE...")
@click.option("--why", default=None, help="The reason, as the players will read it.")
@click.option(
    "--who",
    default=None,
    show_default="the game master; in a game without one, who runs the judge",
    help="Who changes it, as the players will read it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a changed key.")
@click.pass_context
def set_rules(ctx: click.Context, name: str, texts: Sequence[str], why: str | None, who: str | None, as_json: bool) -> None:
    """Change house rules of the game NAME: all of them or, if one cannot be, none.

    They hold from the next phase on; the players are told old and new value by mail. What would alter the phase under way is
    refused.

    \b
    Example:
      judge --home here game set spring42 victory.end.turn=F1908 victory.end.counts=units --why "as voted"
    """
    with open_judge(ctx) as judge:
        who = who or _whose_act(judge, name)
        made = rulings.change_rules(judge, name, settings(texts), who=who, why=why, now=now())
        running = games.get(judge.store, name).state == "running"
    for change in made:
        if as_json:
            row = {"key": change.key, "old": change.old, "new": change.new, "from_phase": change.from_phase}
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            since = f"from {change.from_phase or 'the next phase'} on" if running else "from the start"
            click.echo(f"{change.key}: {change.old or 'nothing'} -> {change.new or 'nothing'}, {since}")
    if not made and not as_json:
        click.echo("nothing to change: it is so already")


_STATES = {
    "pending": "waits for its phase",
    "dropped": "never in force: another change came first, or the end of the game",
    "in-force": "in force",
}


@click.command("rules")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show_rules(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the house rules of the game NAME: what is another than in the standard rules, and every change.

    \b
    Example:
      judge --home here game rules spring42
    """
    with open_judge(ctx) as judge:
        game = games.get(judge.store, name)
        table = open_table(judge.store, game)
        now_in_force = table.rules if table else rules_of(game)
        changes = stored.changes(judge.store, game.id)
    special = differences(STANDARD, now_in_force)
    if as_json:
        view: dict[str, Any] = {
            "rules": game.rules_name,
            "special": {d.key: d.new for d in special},
            "changes": [
                {
                    "key": c.key,
                    "old": json.loads(c.old),
                    "new": json.loads(c.new),
                    "who": c.who,
                    "why": c.why,
                    "made_at": c.made_at.isoformat().replace("+00:00", "Z"),
                    "state": c.state,
                    "from_phase": c.from_phase,
                }
                for c in changes
            ],
        }
        click.echo(json.dumps(view, ensure_ascii=False))
        return
    click.echo(f"{name}: house rules {game.rules_name}; other than standard: {'' if special else 'nothing'}".rstrip())
    for difference in special:
        click.echo(f"  {difference.key} = {difference.new or 'nothing'}")
    for change in changes:
        state = f"from {change.from_phase} on" if change.from_phase else _STATES[change.state]
        old, new = (typed(rulings.value_in(json.loads(text))) or "nothing" for text in (change.old, change.new))
        click.echo(f"{change.made_at:%Y-%m-%d %H:%M} UTC  {change.key}: {old} -> {new}, {state} ({change.who})")


@click.command("draw")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def show_draw(ctx: click.Context, name: str, as_json: bool) -> None:
    """Draw the powers of the game NAME again from its seed, and compare with what was given out.

    \b
    Example:
      judge --home here game draw spring42
    """
    with open_judge(ctx) as judge:
        view = seating.draw_view(judge, games.get(judge.store, name))
    if as_json:
        click.echo(json.dumps(view, ensure_ascii=False))
    else:
        origin = {"chosen": ", chosen by whoever made the game", "chance": ", drawn by chance", None: ""}[view["seed_from"]]
        click.echo(f"{name}: {view['method']}, seed {view['seed']}{origin}")
        for one in view["players"]:
            wished = ", ".join(one["wishes"]) or "nothing"
            click.echo(
                f"  {one['player']}  {one['address']:30}  wished {wished}; {one['power']} ({_how(one['how'], one['among'])})"
            )
        click.echo(f"again: {view['command']}")
        click.echo("as stored" if view["as_stored"] else "NOT as stored")
    if not view["as_stored"]:
        raise SystemExit(1)


def _how(how: str, among: int) -> str:
    return {
        "granted": "nobody else wished for it",
        "won": f"drawn among the {among} who wished for it",
        "left": f"drawn among the {among} who were left",
        "ranked": "by the best sum of ranks",
        "came-first": "first come",
        "drawn": "drawn",
    }[how]


@click.command("draw")
@click.argument("rule", type=click.Choice(_RULES))
@click.argument("wishes", nargs=-1, required=True, metavar="WISHES...")
@click.option("--seed", required=True, help="The seed, as the first mail of the game says it.")
@click.option(
    "--powers", default="", help="The powers that are given out, with commas; all of the board, if none are named."
)
@click.option("--variant", default="standard", show_default=True, help="The board.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a player.")
def draw_powers(rule: str, wishes: Sequence[str], seed: str, powers: str, variant: str, as_json: bool) -> None:
    """Give powers out to players, and so check how they fell in a game.

    WISHES are the powers that each player wished for, best first, with commas between; - for none. The beginning of a
    power's name will do. The same wishes and the same seed always give the same result.

    \b
    Example:
      judge draw preference --seed 5f0c France France - England Germany Russia Turkey
    """
    board = load_board(variant).powers
    given_out = [setup.board_power(board, word) for word in powers.split(",")] if powers else list(board)
    lists = [[setup.board_power(given_out, word) for word in text.split(",") if word.strip(" -")] for text in wishes]
    method, pool, _ = rule.partition("-from-pool")
    try:
        drawn = draw(cast(Method, method), "pool" if pool else "claimants", given_out, lists, seed)
    except ValueError as fault:
        raise BadInput(str(fault)) from None
    for one in drawn:
        click.echo(_line(one, as_json))


def _line(one: Given, as_json: bool) -> str:
    if as_json:
        row = {"player": one.player, "power": one.power, "how": one.how, "among": one.among, "rank": one.rank}
        return json.dumps(row, ensure_ascii=False)
    return f"{one.player}  {one.power} ({_how(one.how, one.among)})"
