"""HISTORY: the results of phases that have been played, as they were mailed, with the press to all that the reader got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play.onfile import proxies_of
from judge.play.verbs import played
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import Played, of_act
from judge.render.commonfacts import Answer
from judge.rules.outcome import Outcome
from judge.rules.position import Phase
from judge.store import Store, codec, press
from judge.store.games import Game

#: What one answer may hold, in bytes of its mail: the latest phases that fit. An order takes about as many as
#: :data:`_ORDER`, in text and HTML together, a message thrice its own and as many as :data:`_MESSAGE` besides.
ROOM = 64_000
_ORDER = 280
_MESSAGE = 500
#: Characters of one message that are told; the rest stands in the mail that brought it.
MOST_OF_A_MESSAGE = 4_000


def history(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to HISTORY [FROM phase] [TO phase]."""
    assert act.seat is not None  # a seat's verb
    return [history_of(act.judge.store, of_act(act), command.argument, reader=act.seat.power)]


def history_of(store: Store, game: Game, text: str = "", *, reader: str | None = None) -> Answer:
    """The results of the phases that ``text`` names, the latest if they are too many. ``reader``: the power (or the master's
    seat) that reads it, which sees the press to all that it sent or got; ``None``: somebody who sees none.

    :raises NotDone: no phase has been played, or none of those it names.
    """
    known = played.rows(store, game, called_off=True)
    if not known:
        raise NotDone("history.nothing-yet")
    first, last = played.span(text, game, known)
    names = [row.name for row in known]
    wanted = known[names.index(first) : names.index(last) + 1]
    messages = _messages(store, game, reader)
    told: list[dict[str, Any]] = []
    room = ROOM
    for row in reversed(wanted):
        one = _phase(store, played.played(game, row), messages.get(row.id, ()))
        size = _size(one)
        if told and size > room:
            break
        room -= size
        told.insert(0, one)
    left = [row.name for row in wanted[: len(wanted) - len(told)]]
    return Answer(
        "history",
        {"game": game.name, "phases": told, "left": [left[0], left[-1]] if left else [], "all": [names[0], names[-1]]},
    )


def _size(phase: Mapping[str, Any]) -> int:
    orders = len(phase["outcomes"]) + len(phase["aftermath"]) + 4
    return orders * _ORDER + sum(3 * len(one["text"].encode()) + _MESSAGE for one in phase["press"])


def _phase(store: Store, one: Played, messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    table, adjudication = one.table, one.adjudication
    after = adjudication.position
    year_over = bool(after.owners != table.position.owners) or Phase.parse(one.name).kind == "A"
    return {
        "phase": one.name,
        "units": [codec.unit_out(unit) for unit in (*table.position.units, *(d.unit for d in table.position.dislodged))],
        "outcomes": [_brief(outcome) for outcome in adjudication.outcomes],
        "aftermath": [_brief(outcome) for outcome in adjudication.aftermath],
        "destroyed": [one.unit.province for one in adjudication.dislodged if not one.retreats],
        "by": proxies_of(store, table),
        "centres": {power: len(after.centres(power)) for power in table.board.powers} if year_over else {},
        "press": list(messages),
        "called_off": table.phase.called_off,
    }


def _brief(outcome: Outcome) -> dict[str, Any]:
    """An outcome without its reason: WHY tells that."""
    told = codec.outcome_out(outcome)
    told["reason"] = {"code": outcome.reason.code, "args": {}, "rule": None}
    return told


def _messages(store: Store, game: Game, reader: str | None) -> dict[int | None, list[dict[str, Any]]]:
    """Phase -> the press to all that the reader sent or got in it."""
    found: dict[int | None, list[dict[str, Any]]] = {}
    for row in press.of_game(store, game.id) if reader is not None else ():
        if row.state != "passed-on" or not row.everybody or reader not in (row.sender, *row.recipients):
            continue
        # of a grey message nobody is told who wrote it, in history neither
        sender = row.sender if row.kind == "white" else None
        text = row.text[:MOST_OF_A_MESSAGE] + ("…" if len(row.text) > MOST_OF_A_MESSAGE else "")
        found.setdefault(row.phase_id, []).append(
            {"sender": sender, "own": row.sender == reader, "at": row.at, "text": text}
        )
    return found


DOERS: Mapping[tuple[str, Role], Doer] = {("HISTORY", "player"): history, ("HISTORY", "master"): history}
