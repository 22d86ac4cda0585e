"""``judge game deadline | extend | pause | resume | rollback | accept | correct | comment | end | log``: what a master does
by mail, done at the shell by the same functions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from judge.cli.opening import now, open_judge
from judge.errors import BadInput, Refused
from judge.mail.instants import read_instant, read_span
from judge.play import accepting, auditing, commenting, concluding, correcting, extending, hurrying, pausing, rollback, setup
from judge.play.announcing import Doer
from judge.play.judge import Judge, Table, open_table
from judge.store import games
from judge.store.games import Game

WHO = "operator"
_FORMS = '"2026-12-05 21:00", "Sat 21:00" and "2026-12-05T21:00Z" are'
why_option = click.option("--why", default=None, help="The reason, as the players will read it.")
zone_option = click.option(
    "--timezone", default=None, help="The zone of the instant; the master's, or UTC, if it is not said."
)


@contextmanager
def at_work(ctx: click.Context, name: str) -> Iterator[tuple[Judge, Game]]:
    """A judge inside one transaction, and the game."""
    with open_judge(ctx) as judge, judge.store.transaction():
        yield judge, games.get(judge.store, name)


def table_of(judge: Judge, game: Game) -> Table:
    """The open phase's table.

    :raises Refused: no phase is open.
    """
    table = open_table(judge.store, game)
    if table is None:
        raise Refused(f"the game {game.name} has no open phase: it is {game.state}")
    return table


def _zone(judge: Judge, game: Game, timezone: str | None) -> tzinfo:
    own = games.master(judge.store, game.id)
    name = timezone or (own.timezone if own else "UTC")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"{name!r} is no time zone; Europe/Berlin and Asia/Tokyo are") from None


def _instant(judge: Judge, game: Game, words: Sequence[str], timezone: str | None) -> datetime:
    zone = _zone(judge, game, timezone)
    phase = games.open_phase(judge.store, game.id)
    clock = time(0, 0)
    if phase is not None and phase.deadline is not None:
        clock = phase.deadline.astimezone(zone).time().replace(second=0, microsecond=0)
    text = " ".join(words)
    found = read_instant(text, zone, now(), clock)
    if found is None:
        raise BadInput(f"{text!r} is no instant; {_FORMS}")
    return found


def iso(at: datetime | None) -> str:
    """An instant as the shell prints it; ``none`` if there is none."""
    return "none" if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


@click.command("deadline")
@click.argument("name")
@click.argument("instant", nargs=-1, required=True)
@zone_option
@why_option
@click.pass_context
def deadline(ctx: click.Context, name: str, instant: Sequence[str], timezone: str | None, why: str | None) -> None:
    """Set the deadline of the open phase of the game NAME; everybody is told.

    \b
    Example:
      judge --home here game deadline spring42 2026-12-05 21:00 --timezone Europe/Paris
    """
    with at_work(ctx, name) as (judge, game):
        new = _instant(judge, game, instant, timezone)
        old = extending.set_deadline(judge, table_of(judge, game), new, Doer(WHO, why), now())
    click.echo(f"{name}: deadline {iso(new)}, was {iso(old)}")


@click.command("extend")
@click.argument("name")
@click.argument("span", nargs=-1, required=True)
@zone_option
@why_option
@click.pass_context
def extend(ctx: click.Context, name: str, span: Sequence[str], timezone: str | None, why: str | None) -> None:
    """Put the deadline of the open phase of the game NAME off, by a SPAN or until an instant; everybody is told.

    \b
    Example:
      judge --home here game extend spring42 48 h --why holidays
      judge --home here game extend spring42 until Sat 21:00
    """
    with at_work(ctx, name) as (judge, game):
        by = read_span(" ".join(span))
        words = span[1:] if span[0].lower() == "until" else span
        until = None if by is not None else _instant(judge, game, words, timezone)
        old, new = extending.extend(
            judge, table_of(judge, game), Doer(WHO, why), now(), by=by, until=until, known_since=now()
        )
    click.echo(f"{name}: deadline {iso(new)}, was {iso(old)}")


@click.command("pause")
@click.argument("name")
@click.option("--until", default=None, help="When it goes on by itself; else with `game resume`.")
@zone_option
@why_option
@click.pass_context
def pause(ctx: click.Context, name: str, until: str | None, timezone: str | None, why: str | None) -> None:
    """Pause the game NAME: orders are taken and kept, and no deadline runs. Everybody is told.

    \b
    Example:
      judge --home here game pause spring42 --until 2027-01-03 --why "happy new year"
    """
    with at_work(ctx, name) as (judge, game):
        at = None
        if until is not None:
            at = read_instant(until, _zone(judge, game, timezone), now())
            if at is None:
                raise BadInput(f"--until {until!r} is no instant; {_FORMS}")
        pausing.pause(judge, table_of(judge, game), Doer(WHO, why), now(), until=at)
    click.echo(f"{name}: paused" + (f" until {iso(at)}" if at else ""))


@click.command("resume")
@click.argument("name")
@why_option
@click.pass_context
def resume(ctx: click.Context, name: str, why: str | None) -> None:
    """Let the paused game NAME go on, with as much time as was left, and never less than a day; everybody is told.

    \b
    Example:
      judge --home here game resume spring42
    """
    with at_work(ctx, name) as (judge, game):
        new = pausing.resume(judge, table_of(judge, game), Doer(WHO, why), now())
    click.echo(f"{name}: deadline {iso(new)}")


@click.command("rollback")
@click.argument("name")
@click.argument("phase")
@why_option
@click.pass_context
def roll_back(ctx: click.Context, name: str, phase: str, why: str | None) -> None:
    """Go back to a PHASE of the game NAME that was played; its orders are on file again. Everybody is told.

    What came after is kept, and marked as undone.

    \b
    Example:
      judge --home here game rollback spring42 S1901M --why "a fault of the judge"
    """
    with at_work(ctx, name) as (judge, game):
        went = rollback.roll_back(judge, game, hurrying.phase_named(phase) or phase, Doer(WHO, why), now())
    click.echo(
        f"{name}: {went.table.phase.name}, deadline {iso(went.table.phase.deadline)}; undone: {', '.join(went.undone)}"
    )


@click.command("accept")
@click.argument("name")
@click.argument("power")
@why_option
@click.pass_context
def accept(ctx: click.Context, name: str, power: str, why: str | None) -> None:
    """Take the orders of POWER in the game NAME that came late. The phase is run again with them, if it has been run, and
    with the orders of all others as they were; everybody is told.

    \b
    Example:
      judge --home here game accept spring42 France --why "the mail server was down"
    """
    with at_work(ctx, name) as (judge, game):
        table = table_of(judge, game)
        power = setup.board_power(table.board.powers, power)
        done = accepting.accept_late(judge, table, power, Doer(WHO, why), now())
    click.echo(f"{name}: {done.phase}, taken of {power}: {', '.join(done.orders)}")
    if done.again:
        after = done.table
        click.echo(
            f"{name}: run again; " + (f"open: {after.phase.name}, deadline {iso(after.phase.deadline)}" if after else "over")
        )


@click.command("correct")
@click.argument("name")
@click.argument("lines", nargs=-1, required=True, metavar="LINE...")
@click.option("--why", required=True, help="The reason, as the players will read it.")
@click.pass_context
def correct(ctx: click.Context, name: str, lines: Sequence[str], why: str) -> None:
    """Correct the position of the open phase of the game NAME: all of the LINES or, if one cannot be, none.

    \b
    Example:
      judge --home here game correct spring42 "REMOVE A PAR" "F BRE FRANCE" "OWNER BEL ENGLAND" --why "a slip of mine"
    """
    with at_work(ctx, name) as (judge, game):
        table = table_of(judge, game)
        changes = correcting.read_changes(table, lines)
        correcting.correct(judge, table, changes, Doer(WHO, why), now())
    for said in correcting.in_words(changes):
        click.echo(f"{name}: {said}")


@click.command("comment")
@click.argument("name")
@click.argument("text", default="-")
@click.option("--off", is_flag=True, help="Take the note off.")
@click.pass_context
def comment(ctx: click.Context, name: str, text: str, off: bool) -> None:
    """Set the note on the game NAME that everybody reads with its state; from standard input, if TEXT is not given.

    \b
    Example:
      judge --home here game comment spring42 "Holidays from 24 December on."
    """
    said = "" if off else sys.stdin.read() if text == "-" else text
    if not off and not said.strip():
        raise BadInput("a note needs words; --off takes it off")
    with at_work(ctx, name) as (judge, game):
        commenting.set_comment(judge, game, said, Doer(WHO), now())
    click.echo(f"{name}: the note is {'off' if off else 'set'}")


@click.command("end")
@click.argument("name")
@click.option("--draw", is_flag=True, help="Those who are left share a draw; else the game has no result.")
@why_option
@click.pass_context
def end_game(ctx: click.Context, name: str, draw: bool, why: str | None) -> None:
    """End the running game NAME now; orders on file are not carried out. Everybody gets the final standing.

    \b
    Example:
      judge --home here game end spring42 --draw --why "as all agreed"
    """
    with at_work(ctx, name) as (judge, game):
        table = table_of(judge, game)
        end = concluding.end_by_word(table, "master", concluding.left_to_share(table) if draw else ())
        told = {"by": WHO, "why": why}
        concluding.end_game(judge, table, end, now(), who=WHO, facts={"why": why}, told=told)
    click.echo(f"{name}: ended, " + (f"a draw of {', '.join(end.winners)}" if draw else "without a result"))


@click.command("log")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_context
def log(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show what was done to the game NAME, when and by whom, newest first: what its players read with LOG.

    \b
    Example:
      judge --home here game log spring42
    """
    with open_judge(ctx) as judge:
        told = auditing.log_answer(judge, games.get(judge.store, name))
    for row in told.args["rows"]:
        facts = {key: _plain(value) for key, value in row["facts"].items() if value not in (None, [], "")}
        if as_json:
            line = {"at": iso(row["at"]), "who": row["who"], "what": row["what"], "facts": facts}
            click.echo(json.dumps(line, ensure_ascii=False))
        else:
            more = ", ".join(f"{key} {value}" for key, value in facts.items())
            click.echo(f"{iso(row['at'])}  {row['who']:10}  {row['what']:17}  {more}".rstrip())


def _plain(value: Any) -> Any:
    return iso(value) if isinstance(value, datetime) else value


COMMANDS: tuple[click.Command, ...] = (
    deadline, extend, pause, resume, roll_back, accept, correct, comment, end_game, log,
)  # fmt: skip
