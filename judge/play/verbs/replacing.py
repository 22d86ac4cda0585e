"""REPLACE and EJECT: the game master gives a seat to somebody, declares it open, or takes it away from a player."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from judge.mail.addresses import domain_key
from judge.mail.commands import Command
from judge.mail.compose import wire_address
from judge.mail.verbs import Role
from judge.notation.recipients import read_recipients
from judge.play import seats
from judge.play.judge import Table
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store.games import MASTER

_WHY = re.compile(
    r"\s*[,、，;；]?\s*(?:\b(?:because|why|reason)\b|理由|原因|因为|因為)\s*[:：]?\s*(?P<why>\S.*)\Z", re.IGNORECASE
)
_ADDRESS = re.compile(r"<?(?P<address>[^\s<>@]+@[^\s<>@]+)>?\Z")
_JOINT = re.compile(r"(?:\s+(?:with|by|to|to be played by)|[をに与與给給为為])\Z", re.IGNORECASE)


def replace(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to REPLACE POWER [ADDRESS] [BECAUSE ...]."""
    table = table_of(act)
    text, why = reason_in(command.argument)
    found = _ADDRESS.search(text)
    power = power_in(text[: found.start()] if found else text, table)
    if found is None:
        seats.take_away(act.judge, table, power, "opened", who=MASTER, why=why, now=act.now)
        return [Answer("seat-opened", {"power": power, "how": "opened", "game": table.game.name})]
    address = address_in(act, found["address"])
    seats.replace(act.judge, table, power, address, who=MASTER, why=why, now=act.now)
    return [Answer("seat-given", {"power": power, "address": address})]


def eject(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to EJECT POWER [BECAUSE ...]."""
    table = table_of(act)
    text, why = reason_in(command.argument)
    power = power_in(text, table)
    seats.take_away(act.judge, table, power, "ejected", who=MASTER, why=why, now=act.now)
    return [Answer("seat-opened", {"power": power, "how": "ejected", "game": table.game.name})]


def table_of(act: Act) -> Table:
    """The open phase's table: for verbs of running games."""
    assert act.table is not None
    return act.table


def reason_in(text: str) -> tuple[str, str | None]:
    """What stands before the reason, and the reason in the writer's words, if there is one."""
    found = _WHY.search(text)
    return (text[: found.start()], found["why"][:500]) if found else (text, None)


def power_in(text: str, table: Table) -> str:
    """The one power that a command names.

    :raises NotDone: none, or several.
    """
    said = _JOINT.sub("", text.strip())
    named = read_recipients(said, table.board)
    if len(named.powers) != 1 or named.unknown or named.master or named.everybody:
        raise NotDone("seat.no-power", text=text.strip()[:60], powers=list(table.board.powers))
    return named.powers[0]


def address_in(act: Act, text: str) -> str:
    """The mail address that a command names.

    :raises NotDone: mail cannot be sent there, or it is one of ours.
    """
    try:
        wire_address(text)
    except ValueError:
        raise NotDone("seat.no-address", text=text[:100]) from None
    if domain_key(text.rpartition("@")[2]) == domain_key(act.judge.domain):
        raise NotDone("seat.our-address", text=text[:100])
    return text


DOERS: Mapping[tuple[str, Role], Doer] = {("REPLACE", "master"): replace, ("EJECT", "master"): eject}
