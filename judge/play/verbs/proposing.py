"""Motions and ballots: in a game without a master players say the master's words of the clock and the seats, and vote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.commands import parse as parse_command
from judge.mail.instants import read_span
from judge.mail.verbs import Role
from judge.play import motions
from judge.play.judge import Table, lay_out
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.agreeing import voice
from judge.play.verbs.directing import instant_of
from judge.play.verbs.replacing import power_in, reason_in
from judge.render.commonfacts import Answer
from judge.store import games
from judge.store import motions as store_motions
from judge.store.db import stamp
from judge.store.motions import Kind, Motion

#: What a motion may be, as it is written.
EXAMPLES = ("EXTEND 48 h", "PAUSE UNTIL 3 Jan", "RESUME", "REPLACE ITALY")
_A = re.compile(r"\A(?:to\s+|an?\s+|the\s+)+|[をに]\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}")


def propose(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to PROPOSE EXTEND 48 h and the like: what EXTEND 48 h alone is answered."""
    inner = parse_command(_A.sub("", command.argument))
    if inner is None or inner.name not in _PROPOSED:
        raise NotDone("motion.what", values=list(EXAMPLES))
    return _PROPOSED[inner.name](act, Command(inner.name, inner.argument, command.line))


def extend(act: Act, command: Command) -> Sequence[Answer]:
    """EXTEND 48 h, EXTEND UNTIL Sat 21:00, said by a player."""
    table = _table(act)
    span = read_span(re.sub(r"\Aby\s+", "", command.argument, flags=re.IGNORECASE))
    if span is None:
        until = instant_of(act, command.argument, at_the_same_time=True)
        span = until - (table.phase.deadline or act.now)
    return _propose(act, "extend", {"seconds": round(span.total_seconds())})


def pause(act: Act, command: Command) -> Sequence[Answer]:
    """PAUSE UNTIL 3 Jan, said by a player: a voted pause has an end."""
    if not command.argument:
        _may_decide(act, command.name)
        raise NotDone("motion.pause-until", example=EXAMPLES[1])
    return _propose(act, "pause", {"until": stamp(instant_of(act, command.argument))})


def resume(act: Act, _: Command) -> Sequence[Answer]:
    """RESUME, said by a player."""
    return _propose(act, "resume", {})


def replace(act: Act, command: Command) -> Sequence[Answer]:
    """REPLACE POWER, said by a player: the seat is declared open."""
    text, _ = reason_in(command.argument)
    if "@" in text:
        _may_decide(act, command.name)
        raise NotDone("motion.replace-open", example=EXAMPLES[3])
    table = _table(act)
    power = power_in(text, table)
    if act.seat is not None and act.seat.power == power:
        raise NotDone("motion.your-own", example="RESIGN")
    return _propose(act, "replace", {"power": power})


def aye(act: Act, command: Command) -> Sequence[Answer]:
    """AYE 3."""
    return _ballot(act, command, True)


def nay(act: Act, command: Command) -> Sequence[Answer]:
    """NAY 3."""
    return _ballot(act, command, False)


def _table(act: Act) -> Table:
    """The open phase as it is now: an earlier line of the mail may have changed it."""
    assert act.table is not None and act.game is not None  # a verb of running games
    phase = games.phase(act.judge.store, act.table.phase.id)
    return lay_out(games.by_id(act.judge.store, act.game.id), phase)


def _may_decide(act: Act, verb: str) -> None:
    """Whether the players decide in this game.

    :raises NotDone: it has a master.
    """
    assert act.game is not None
    if motions.has_master(act.judge.store, act.game):
        raise NotDone("motion.master", verb=verb, example="PRESS TO MASTER")


def _propose(act: Act, kind: Kind, args: Mapping[str, Any]) -> Sequence[Answer]:
    assert act.seat is not None
    _may_decide(act, kind.upper())
    voice(act)
    table = _table(act)
    known = [one.number for one in store_motions.open_ones(act.judge.store, table.phase.id)]
    before = {one.number: store_motions.ballots(act.judge.store, one.id) for one in _open(act, table)}
    motion, outcome = motions.propose(act.judge, table, act.seat, kind, args, act.mail.id, act.now)
    again = motion.number in known and before[motion.number].get(act.seat.power) is True
    how = "again" if again else "aye" if motion.number in known else "proposed"
    return [_told(act, table, motion, how, outcome)]


def _ballot(act: Act, command: Command, for_it: bool) -> Sequence[Answer]:
    assert act.seat is not None
    _may_decide(act, command.name)
    voice(act)
    table = _table(act)
    motion = _meant(act, table, command)
    changed, outcome = motions.ballot(act.judge, table, act.seat, motion, for_it, act.mail.id, act.now)
    how = ("aye" if for_it else "nay") if changed else "again"
    return [_told(act, table, motion, how, outcome)]


def _meant(act: Act, table: Table, command: Command) -> Motion:
    """The motion that a ballot is about: the one with its number, or the only one that is open.

    :raises NotDone: there is none, or it is decided, or its time is up.
    """
    found = _NUMBER.search(command.argument)
    if found is None:
        those = _open(act, table)
        if not those:
            raise NotDone("motion.none-open")
        if len(those) > 1:
            raise NotDone("motion.which", values=[f"{command.name} {one.number}" for one in those])
        return those[0]
    motion = store_motions.numbered(act.judge.store, table.game.id, int(found[0]))
    if motion is None:
        raise NotDone("motion.unknown", count=int(found[0]))
    if motion not in _open(act, table):
        raise NotDone("motion.decided", count=motion.number)
    return motion


def _open(act: Act, table: Table) -> list[Motion]:
    """The motions on which the act's mail may vote: those whose time was not up when it came."""
    those = store_motions.open_ones(act.judge.store, table.phase.id)
    return [one for one in those if act.mail.received_at <= one.expires_at]


def _told(act: Act, table: Table, motion: Motion, how: str, outcome: str) -> Answer:
    args = motions.told(act.judge.store, table, motion)
    return Answer("motion", args | {"how": how, "outcome": outcome, "own": act.seat and motion.proposer == act.seat.power})


_PROPOSED: Mapping[str, Doer] = {"EXTEND": extend, "PAUSE": pause, "RESUME": resume, "REPLACE": replace}

DOERS: Mapping[tuple[str, Role], Doer] = {
    **{(verb, "player"): doer for verb, doer in _PROPOSED.items()},
    ("PROPOSE", "player"): propose,
    ("AYE", "player"): aye,
    ("NAY", "player"): nay,
}
