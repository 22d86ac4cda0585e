"""`judge read`: what the judge makes of a mail, with nothing stored; also the operator's tool when a player asks why."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from judge.cli.explain import explain as explained
from judge.cli.explain import table
from judge.errors import BadInput, JudgeError
from judge.mail import addresses
from judge.mail.authres import trusted
from judge.mail.bodies import bodies_of
from judge.mail.commands import Command, find_commands
from judge.mail.kinds import settle
from judge.mail.message_ids import find_answered
from judge.mail.mime import parse
from judge.mail.reading import DOOR_LIMIT, Incoming, recipients
from judge.mail.reading import read as read_mail
from judge.notation import Context, Problem, Reading, read_apart, read_lines, write
from judge.notation.combine import Purse
from judge.notation.mail import MAIL_BUDGET
from judge.play.listlines import Found, sort_out
from judge.play.receipts import Why
from judge.render import notes
from judge.render.problems import sentence
from judge.rules.board import Board
from judge.rules.orders import Order
from judge.rules.position import Phase, Position, starting_position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

#: why a line was not taken though it reads as an order: the judge asks about it in its receipt
DOUBTS = {
    "differs": "only one form of the mail (text or HTML) has this line",
    "unclosed-press": "it follows PRESS without an END, so it may belong to the press",
    "unclosed-block": "it follows a command that takes lines, without an END, so it may belong to those",
    "own-mail": "it is quoted, perhaps from an older mail of the sender, who gives no orders in this one",
    "perhaps-quote": "it stands in what looks like a quote, by its shape alone",
    "in-quote": "it stands inside a quoted mail of the judge",
    "changed": "it stands inside a quoted mail of the judge, which held something else",
    "indented": "it stands in a block that may be a quote",
    "signature": "it stands in a signature",
    "signature-container": "it stands in the mail program's signature",
    "footer": "it stands where mail programs put their footers",
    "disclaimer": "it stands in a text that a gateway added",
    "struck": "it is struck out",
    "echo": "it stands below a machine's notice that it took a mail of the judge",
    "other-part": "the other form of the mail shows it as quoted",
    "too-long": "the mail is longer than what is read",
}


#: what some readers take for the end of a line: one object a line is the promise
_BREAKS = re.compile("[\x85\u2028\u2029]")


@dataclass(frozen=True)
class _Options:
    """What the command was told, for all files."""

    context: Context
    sent: tuple[str, ...]
    game: str | None
    address: str | None
    trust: str | None
    explain: bool


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--variant", default="standard", show_default=True, help="The board.")
@click.option("--phase", default=None, help="The phase the mail is for, like F1903M; S1901M if nothing says otherwise.")
@click.option("--power", default=None, help="Whose mail it is; without it, every unit is read without asking whose it is.")
@click.option("--rules", default="standard", show_default=True, help="House rules: a name or a file.")
@click.option("--position", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A position (JSON).")
@click.option("--game", default=None, help="The game's name: sections for other games are set apart.")
@click.option("--address", default=None, help="The judge's own reply address, to know quotes of its mails by.")
@click.option("--sent", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="The text of a mail that the judge sent before; may be given again.")  # fmt: skip
@click.option("--trust", default=None, help="The server whose Authentication-Results count.")
@click.option(
    "--explain",
    is_flag=True,
    help="Say of each line why it was kept or dropped and what became of it, also as a table on standard error.",
)
def read(
    files: tuple[Path, ...],
    variant: str,
    phase: str | None,
    power: str | None,
    rules: str,
    position: Path | None,
    game: str | None,
    address: str | None,
    sent: tuple[Path, ...],
    trust: str | None,
    explain: bool,
) -> None:
    """Show what the judge makes of each mail: its kind, the player's own words, orders, commands, problems.

    One JSON object a file, a line each. No bytes make it fail.

    \b
    Example:
      judge read reply.eml --game spring42 --power France --sent last-mail.txt --explain
    """
    board = load_board(variant)
    context = Context(
        board, load_names(board.name), _position(board, phase, position), _power(board, power), load_rules(rules, board)
    )
    options = _Options(context, tuple(_sent_text(path) for path in sent), game, address, trust, explain)
    for path in files:
        answer = examine(_bytes(path), options)
        click.echo(_BREAKS.sub(lambda hit: f"\\u{ord(hit[0]):04x}", json.dumps(answer, ensure_ascii=False)))
        if explain:
            click.echo(f"{path}: {answer['kind']}\n{table(answer['explain'])}", err=True)


def examine(raw: bytes, options: _Options) -> dict[str, Any]:
    """The JSON object of one mail."""
    own, domain = _own_addresses(raw, options)
    incoming = read_mail(raw, sent=options.sent, own_addresses=own, domain=domain, power=options.context.power or "")
    commands, lines = find_commands(incoming.own_lines) if incoming.kind == "text" else ([], [])
    commands = [*incoming.blocks, *commands]
    purse = Purse(MAIL_BUDGET)
    lines, lists = sort_out(lines, options.context)
    readings = read_lines(lines, options.context, purse)
    orders = readings.orders
    problems = [p for reading in readings for p in _problems(reading)] + _not_listed(lists)
    problems += _doubts(incoming, orders, options.context) if incoming.kind == "text" else []
    meant = bool(orders) or any(r.kind in ("illegal", "ambiguous") for r in readings)
    kind = settle(
        incoming.kind,
        automatic=incoming.automatic,
        orders=meant,
        commands=bool(commands or incoming.old),
        own_text=bool(incoming.player_text.strip() or lines or incoming.attachments or problems),
    )
    answer: dict[str, Any] = {
        "kind": kind,
        "player_text": incoming.player_text,
        "orders": [write(order) for order in orders] if kind == "orders" else [],
        "commands": [str(command) for command in commands],
        "problems": problems,
    }
    if lists.lists:
        answer["lists"] = [
            {"phase": phase, "always": one.always, "kind": one.kind, "unit": one.unit, "orders": list(one.orders)}
            for phase, one in lists.lists
        ]
    answer.update(_besides(raw, incoming, commands, options, purse))
    if options.explain:
        answer["explain"] = explained(incoming, kind, commands, readings)
    return answer


def _besides(raw: bytes, incoming: Incoming, commands: Sequence[Command], options: _Options, purse: Purse) -> dict[str, Any]:
    """What else was found; keys that say nothing are left out. ``purse``: what is left for the orders of other games."""
    answered = find_answered(incoming.in_reply_to, incoming.references, incoming.subject)
    found = trusted(raw, options.trust) if options.trust else None
    more: dict[str, Any] = {
        "why": incoming.why,
        "sender": incoming.sender,
        "old_style": list(incoming.old),
        "orders_in": incoming.orders_in if incoming.orders_in not in ("", "body") else None,
        "orders_other": {name: _other_orders(lines, options.context, purse) for name, lines in incoming.other_games},
        "press": [{"to": press.to, "text": press.text} for press in incoming.press],
        "answers": {"game": answered.game, "phase": answered.phase, "attempt": answered.attempt} if answered else None,
        "bounced": [{"address": b.address, "permanent": b.permanent} for b in incoming.bounced if b.address],
        "complaint": incoming.complaint,
        "not_read": list(incoming.unread_attachments),
        "faults": sorted(incoming.faults),
        "authentication": {**found.results, **found.properties} if found else None,
    }
    return {key: value for key, value in more.items() if value}


def _problems(reading: Reading) -> list[dict[str, Any]]:
    """What was not taken of a line that speaks of units or places; a greeting is no problem."""
    if reading.kind == "not-an-order" and not reading.mentions:
        return []
    suggestion = "; ".join(reading.suggestions)
    return [
        {"line": reading.line.strip(), "why": sentence(problem), "suggestion": suggestion} for problem in reading.problems
    ]


def _not_listed(lists: Found) -> list[dict[str, Any]]:
    """What was not taken of ranked lists for later phases, and of what stands below an IF."""
    refused = [*lists.unclear, *((line, whys, texts) for line, texts, whys in lists.asked)]
    return [
        {"line": line.strip(), "why": "; ".join(map(_why, whys)), "suggestion": "; ".join(texts)}
        for line, whys, texts in refused
    ]


def _why(why: Why) -> str:
    """A note of the receipts, or a problem of reading, in English."""
    if why.code in notes.SENTENCES:
        return notes.SENTENCES[why.code] % why.args if why.args else notes.SENTENCES[why.code]
    return sentence(Problem(why.code, why.args, rule=why.rule))


def _doubts(incoming: Incoming, orders: Sequence[Order], context: Context) -> list[dict[str, Any]]:
    """Lines that read as orders, but perhaps are not the player's."""
    taken = {write(order) for order in orders}
    found = []
    doubtful = list(dict.fromkeys(incoming.doubtful[:200]))
    for (line, why), reading in zip(doubtful, read_apart([line for line, _ in doubtful], context), strict=True):
        texts = [write(order) for order in reading.legal]
        if why == "differs" and not texts:
            texts = list(reading.suggestions)  # neither form is taken, so that nothing of it may be lost in silence
        if (texts and not set(texts) <= taken) or (why == "differs" and not texts):
            found.append({"line": line, "why": DOUBTS.get(why, why), "suggestion": "; ".join(texts)})
    return found


def _other_orders(lines: Sequence[str], context: Context, purse: Purse) -> list[str]:
    """Orders for a game whose position is not known here: read on the board alone."""
    bare = Context(context.board, context.names, starting_position(context.board), None, context.rules)
    return [write(order) for reading in read_lines(lines, bare, purse) for order in reading.orders]


# --- the options -------------------------------------------------------------------------------------------------------


def _bytes(path: Path) -> bytes:
    """The file's bytes; of one beyond the door's limit only so many that it is seen to be beyond it."""
    with path.open("rb") as file:
        return file.read(DOOR_LIMIT + 1)


def _sent_text(path: Path) -> str:
    """The text of a mail that was sent: a text file, or the mail itself (``.eml``)."""
    raw = path.read_bytes()[:DOOR_LIMIT]
    if path.suffix.lower() == ".eml":
        return "\n".join(line.text for line in bodies_of(parse(raw)).plain)
    return raw.decode("utf-8", "replace")


def _own_addresses(raw: bytes, options: _Options) -> tuple[list[str], str]:
    """The judge's addresses and domain: as told, else the recipient that begins with the game's name, else any."""
    told = addresses.split(options.address) if options.address else None
    if told is not None:
        return [f"{told[0]}@{told[1]}"], told[1]
    parts = [split for one in recipients(raw) if (split := addresses.split(one)) is not None]
    if options.game:
        name = options.game.lower()
        ours = [(local, domain) for local, domain in parts if local == name or local.startswith(f"{name}+")]
    else:
        ours = [(local, domain) for local, domain in parts if "+" in local] or parts[:1]
    games = [f"{options.game.lower()}@{ours[0][1] if ours else 'localhost'}"] if options.game else []
    return [*games, *(f"{local}@{domain}" for local, domain in ours)], ours[0][1] if ours else ""


def _power(board: Board, name: str | None) -> str | None:
    if name is None:
        return None
    for power in board.powers:
        if power.lower() == name.strip().lower():
            return power
    raise BadInput(f"no power {name!r} on this board; there are {', '.join(board.powers)}", "--power")


def _position(board: Board, phase: str | None, path: Path | None) -> Position:
    """The position the mail is read in: from the file, else the start, in the phase named."""
    position = starting_position(board) if path is None else read_position_file(path, board)
    if phase is None:
        return position
    try:
        wanted = Phase.parse(phase)
    except ValueError as error:
        raise BadInput(str(error), "--phase") from None
    return Position(wanted, position.units, position.owners, position.dislodged, position.contested)


def read_position_file(path: Path, board: Board) -> Position:
    """A position as `judge adjudicate` takes it."""
    from judge.cli.adjudicate import _DECODE, Desk

    desk = Desk(board, "standard")
    try:
        return desk.position(_DECODE(path.read_bytes()), desk.rules("standard"))
    except (ValueError, JudgeError) as error:
        raise BadInput(f"no position as `judge adjudicate` takes it: {error}", f"{path}:1") from None
