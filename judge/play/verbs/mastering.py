"""ORDER AS a power, and PROMOTE: the game master orders for a power, or makes somebody else the master."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.senders import same_mailbox
from judge.mail.verbs import Role
from judge.play import seats
from judge.play.ordering import order_for
from judge.play.receipts import Why
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import rules_args
from judge.play.verbs.previewing import MOST_LINES, MOST_TOLD, plays
from judge.play.verbs.replacing import address_in, power_in, table_of
from judge.render.commonfacts import Answer
from judge.store import codec, orders
from judge.store.games import MASTER


def order_as(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to ORDER AS POWER with orders below it, to END. Who plays a power orders for no other."""
    table = table_of(act)
    assert act.seat is not None
    if plays(act.judge, table, act.seat.address):
        raise NotDone("order-as.master-plays")
    power = power_in(command.argument.rstrip(":："), table)
    lines = [line for line in command.lines if line.strip()][:MOST_LINES]
    if not lines:
        raise NotDone("order-as.no-lines", example=f"ORDER AS {power.upper()}")
    done = order_for(act.judge, table, power, lines, act.mail, act.now, who=MASTER)
    strange: list[dict[str, Any]] = [
        _told(one.line, [Why(p.code, p.args, p.rule) for p in one.problems], one.suggestions) for one in done.strange
    ]
    strange += [_told(line, [why]) for line, why in done.lost]
    strange += [_told(line, []) for line in done.unread]
    rules = {problem["rule"] for one in strange for problem in one["problems"]}
    args = {
        "power": power,
        "filed": len(done.filed),
        "held": [held.text for held in orders.held(act.judge.store, table.phase.id, power)],
        "units": [codec.unit_out(unit) for unit in table.position.units]
        + [codec.unit_out(fallen.unit) for fallen in table.position.dislodged],
        "strange": strange[:MOST_TOLD],
        "rules": rules_args(table, rules),
        "ended": command.ended,
    }
    return [Answer("ordered-as", args)]


def _told(line: str, whys: Sequence[Why], suggestions: Sequence[str] = ()) -> dict[str, Any]:
    problems = [
        {"code": one.code, "args": {name: codec.arg_out(value) for name, value in one.args.items()}, "rule": one.rule}
        for one in whys
    ]
    return {"line": line.strip()[:200], "problems": problems, "suggestions": list(suggestions[:4])}


def promote(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to PROMOTE ADDRESS."""
    from judge.play import mastermail  # it takes in the mail that this verb stands in

    assert act.seat is not None and act.game is not None
    address = address_in(act, command.argument.strip("<>"))
    if act.seat.address and same_mailbox(address, act.seat.address):
        raise NotDone("promote.already")
    mastermail.appoint(act.judge, act.game, address, MASTER, act.now)
    if act.table is not None:
        generation = f"master {act.mail.id}"
        seats.tell(act.judge, act.table, [Answer("master-changed", {})], act.now, extra=generation, but=[MASTER])
    return [Answer("promoted", {"address": address, "game": act.game.name})]


DOERS: Mapping[tuple[str, Role], Doer] = {("ORDER AS", "master"): order_as, ("PROMOTE", "master"): promote}
