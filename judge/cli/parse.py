"""``judge parse``: single order lines, each with the position it is meant for, one JSON object a line."""

from __future__ import annotations

import sys
from typing import IO, Any

import click
import msgspec

from judge.cli.adjudicate import Desk
from judge.cli.adjudicate import _Line as Situation
from judge.errors import BadInput, JudgeError
from judge.notation import Context, Reading, read_line, write
from judge.render.problems import sentence
from judge.rules.houserules import HouseRules
from judge.variants import load_board


class _Row(Situation):
    """A position with a line of ``power`` in it."""

    power: str | None = None
    line: str = ""


_DECODE = msgspec.json.Decoder(_Row).decode
_DECODE_ANY = msgspec.json.Decoder(dict[str, Any]).decode
_ENCODE = msgspec.json.Encoder().encode


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--rules", "rules_name", default="standard", help="A preset's name or a house-rules file.", show_default=True)
@click.option("--variant", default="standard", help="The board.", show_default=True)
def parse(file: IO[bytes], rules_name: str, variant: str) -> None:
    """Read single order lines, each in a position: JSON Lines in, JSON Lines out.

    \b
    echo '{"id": 1, "phase": "S1901M", "power": "France", "line": "Army Paris to Burgundy",
           "units": [{"power": "France", "type": "A", "at": "par"}]}' | tr -d '\\n' | judge parse

    kind is order (all of it legal), illegal (read, and void), ambiguous (asked; only the good part of it is in read_as)
    or not-an-order. A line that is no position gives {"id", "error"}; the others go on, and the exit code is 1 at the end.
    """
    desk = Desk(load_board(variant), rules_name)
    failed = False
    for number, text in enumerate(file, 1):
        if not text.strip():
            continue
        answer = _answer(desk, text, number)
        if "error" in answer:
            failed = True
            click.echo(f"{getattr(file, 'name', '-')}:{answer['error'].removeprefix('line ')}", err=True)
        sys.stdout.buffer.write(_ENCODE(answer) + b"\n")
        sys.stdout.buffer.flush()
    if failed:
        sys.exit(1)


def _answer(desk: Desk, text: bytes, number: int) -> dict[str, Any]:
    try:
        row = _DECODE(text)
        rules = desk.rules(desk.rules_name if row.rules is None else row.rules)
        position = desk.position(row, rules)
        power = desk.power(row.power) if row.power else None
        reading = read_line(row.line, Context(desk.board, desk.names, position, power, rules))
    except (msgspec.DecodeError, JudgeError, ValueError) as error:
        message = error.message if isinstance(error, BadInput) else str(error)
        return {"id": _id_of(text), "error": f"line {number}: {message}"}
    return {"id": row.id, **_told(reading, rules)}


def _told(reading: Reading, rules: HouseRules) -> dict[str, Any]:
    """The answer in the shape of the contract."""
    return {
        "kind": reading.kind,
        "read_as": [write(order) for order in reading.orders],
        "why": " ".join(dict.fromkeys(sentence(problem, rules=rules) for problem in reading.problems)),
        "suggestion": list(reading.suggestions) or None,
    }


def _id_of(text: bytes) -> Any:
    try:
        return _DECODE_ANY(text).get("id")
    except msgspec.DecodeError:
        return None
