"""WHY: the arithmetic and the rule behind what came of a unit's order, in any phase that has been played.

All that it tells was published with the phase's results: the orders, what came of them, the rules that they were played by.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import PHASE, Role
from judge.notation import Context, read_line
from judge.play.onfile import given_orders, proxies_of
from judge.play.verbs import played
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import Played, of_act, rules_args
from judge.render.commonfacts import Answer
from judge.rules.adjustments import account
from judge.rules.arithmetic import Contest, contests
from judge.rules.board import province_of
from judge.rules.orders import Move, Waive
from judge.rules.outcome import Outcome, Result
from judge.store import Store, codec
from judge.store.games import Game
from judge.variants.names import load_names

_PHASE_BEHIND = re.compile(rf"\A(?P<unit>.*?),?\s*(?:in\s+)?(?P<phase>{PHASE})\Z", re.IGNORECASE)


def why(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to WHY A VIE [F1901M]."""
    if not command.argument:
        raise NotDone("why.which")
    return [why_of(act.judge.store, of_act(act), command.argument)]


def why_of(store: Store, game: Game, text: str) -> Answer:
    """Why the unit that ``text`` names fared as it did: in the phase that stands behind it, or in the last one in which it
    had an order.

    :raises NotDone: no phase has been played, or not that one; no such unit had an order in it.
    """
    known = played.rows(store, game)
    if not known:
        raise NotDone("history.nothing-yet")
    said = text.strip().rstrip("?？").strip()
    found = _PHASE_BEHIND.match(said)
    if found is None or not found["unit"].strip():
        return _latest(store, game, said)
    phase = played.phase_named(found["phase"], game, codec.position_from_text(known[-1].position).phase)
    row = next((row for row in known if row.name == str(phase)), None)
    if row is None:
        raise NotDone("history.none-there", first_phase=known[0].name, last_phase=known[-1].name)
    there = played.played(game, row)
    place = _place(found["unit"], there)
    outcomes = _about(there, place)
    if not outcomes:
        raise NotDone("why.no-unit-then", place=place, phase=there.name)
    return _told(store, there, place, outcomes)


def _latest(store: Store, game: Game, text: str) -> Answer:
    """Of the phases back to the last movement the latest in which the unit that stood there, or went there, had an order."""
    back: list[Played] = []
    for one in played.latest_first(store, game):
        back.append(one)
        if one.table.position.phase.kind == "M":
            break
    place = ""
    for one in back:
        place = _place(text, one)
        outcomes = _about(one, place)
        if outcomes:
            return _told(store, one, place, outcomes)
    raise NotDone("why.no-unit-then", place=place, phase=back[-1].name)


def _place(text: str, there: Played) -> str:
    """The province that the name of a unit or a place means.

    :raises NotDone: it means none, or may mean several.
    """
    table = there.table
    context = Context(table.board, load_names(table.board.name), table.position, None, table.rules)
    reading = read_line(f"{text.strip()} H", context)
    places = {province_of(order.at) for order in reading.orders if not isinstance(order, Waive)}
    if len(places) != 1:
        raise NotDone("why.no-place", text=text[:60])
    return places.pop()


def _about(there: Played, place: str) -> list[Outcome]:
    """What came of the orders for the unit that stood in ``place``, the one that counted first; if none stood there, of the
    unit that went there."""
    outcomes = [*there.adjudication.outcomes, *there.adjudication.aftermath]
    found = [one for one in outcomes if _stood(one) == place]
    if not found:
        found = [
            one
            for one in outcomes
            if isinstance(one.order, Move) and one.result is Result.SUCCEEDS and province_of(one.order.to) == place
        ]
    return sorted(found, key=lambda one: (one.result is Result.VOID, one.unit is None or one.unit.power != one.power))


def _stood(outcome: Outcome) -> str:
    if outcome.unit is not None:
        return outcome.unit.province
    return "" if outcome.order is None or isinstance(outcome.order, Waive) else province_of(outcome.order.at)


def _told(store: Store, there: Played, place: str, outcomes: Sequence[Outcome]) -> Answer:
    table, first = there.table, outcomes[0]
    home = _stood(first) or place
    fought: Sequence[Contest] = ()
    if table.position.phase.kind == "M":
        orders = given_orders(store, table)
        fought = contests(table.board, table.position, orders, table.rules, home)
    rules = {one.reason.rule for one in outcomes} | {
        backer.why.rule for contest in fought for force in contest.forces for backer in force.backers
    }
    proxy = proxies_of(store, table).get(home, "")
    args: dict[str, Any] = {
        "phase": there.name,
        "outcomes": [codec.outcome_out(one) for one in outcomes[:6]],
        "units": [codec.unit_out(unit) for unit in table.position.units],
        "contests": [_contest(contest) for contest in fought],
        "rules": rules_args(table, rules),
        "by": proxy,
        **_of_the_phase(there, home, first),
    }
    return Answer("why", args)


def _of_the_phase(there: Played, home: str, outcome: Outcome) -> dict[str, Any]:
    """What besides the orders decided in a phase of retreats or adjustments."""
    table = there.table
    if table.position.phase.kind == "R":
        fallen = next((one for one in table.position.dislodged if one.unit.province == home), None)
        if fallen is not None:
            return {"retreat": {"from": fallen.attacked_from, "open": list(fallen.retreats)}}
    if table.position.phase.kind == "A":
        due = account(table.board, table.position, outcome.power, table.rules)
        centres = len(table.position.centres(outcome.power))
        return {"due": {"centres": centres, "units": len(due.units), "builds": due.builds, "removals": due.removals}}
    return {}


def _contest(contest: Contest) -> Mapping[str, Any]:
    return {
        "place": contest.place,
        "forces": [
            {
                "unit": codec.unit_out(force.unit),
                "role": force.role,
                "strength": force.strength,
                "note": force.note,
                "backers": [
                    {"unit": codec.unit_out(one.unit), "counts": one.counts, "why": codec.reason_out(one.why)}
                    for one in force.backers
                ],
            }
            for force in contest.forces
        ],
    }


DOERS: Mapping[tuple[str, Role], Doer] = {("WHY", "player"): why, ("WHY", "master"): why}
