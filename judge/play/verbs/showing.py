"""SHOW: how a game stands and what is agreed in it, as far as who asks may know; and what RULES and HELP are answered where
no phase is open or nobody's seat is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import VERBS, Role
from judge.play import knowing
from judge.play.judge import lay_out, rules_of
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.manual import topics_for
from judge.play.verbs.played import of_act
from judge.render.commonfacts import Answer
from judge.rules.houserules import HouseRules
from judge.rules.position import Position, starting_position
from judge.store import Store, codec, games, rulings
from judge.store.games import Game
from judge.variants import load_board


def show(act: Act, _: Command) -> Sequence[Answer]:
    """The answer to SHOW."""
    return [show_of(act, of_act(act))]


def show_of(act: Act, game: Game) -> Answer:
    """How a game stands, to whoever asks: a stranger reads only what everybody may know, a player who plays what as far as
    the house rules say, the master all of it."""
    store = act.judge.store
    phase = games.open_phase(store, game.id)
    rules = lay_out(game, phase).rules if phase else rules_of(game)
    position = position_of(store, game)
    seated = act.game is not None and act.game.id == game.id and act.seat is not None
    named, addressed = _sees(act, game, rules) if seated else (False, False)
    rows = []
    for seat in games.seats(store, game.id):
        own = seated and act.role == "player" and act.seat is not None and seat.power == act.seat.power
        row: dict[str, Any] = {
            "power": seat.power,
            "who": "nobody" if seat.power in rules.powers_unplayed else "played" if seat.address else "open",
            "name": knowing.name_of(store, seat.address) if named else None,
            "address": seat.address if addressed else None,
            "you": own,
            "centres": len(position.centres(seat.power)),
            "units": len(position.units_of(seat.power)) + sum(d.unit.power == seat.power for d in position.dislodged),
        }
        rows.append(row)
    end = codec.end_from_text(game.ending) if game.ending else None
    return Answer(
        "show",
        {
            "game": game.name,
            "variant": game.variant,
            "state": game.state,
            "phase": phase.name if phase else None,
            "deadline": phase.deadline if phase else None,
            "early": game.early,
            "schedule": game.schedule,
            "rules_name": game.rules_name,
            "press": [rules.press_kinds, rules.press_phases],
            "waiting": 0 if game.state != "forming" else _without_power(store, game),
            "master": _has_master(store, game),
            "seats": rows,
            "winners": list(end.winners) if end else None,
            # the master wrote it for those who are in the game
            "comment": game.comment if seated else "",
        },
    )


def _sees(act: Act, game: Game, rules: HouseRules) -> tuple[bool, bool]:
    """Whether who asks may know who the players are, and where they can be written to."""
    if act.role == "master":
        knows = knowing.master_knows(act.judge.store, game, rules)
        return knows, knows
    over = game.state == "ended"
    return knowing.names_told(rules, over=over), knowing.addresses_told(rules, over=over)


def _has_master(store: Store, game: Game) -> bool:
    master = games.master(store, game.id)
    return master is not None and bool(master.address)


def _without_power(store: Store, game: Game) -> int:
    """How many players wait for their powers to be given out."""
    return len(rulings.wishes(store, game.id))


def position_of(store: Store, game: Game) -> Position:
    """What is on the board: in the open phase, at the end, or at the start of a game that has not begun."""
    phase = games.open_phase(store, game.id)
    if phase is not None:
        return codec.position_from_text(phase.position)
    board = load_board(game.variant)
    last = games.last_processed(store, game.id)
    if last is None or last.result is None:
        return starting_position(board)
    return codec.adjudication_from_text(last.result, board).position


def rules_answer(store: Store, game: Game) -> Answer:
    """All house rules of a game, by which its open phase (or the next one) is played."""
    phase = games.open_phase(store, game.id)
    text = (phase.rules if phase else None) or game.rules
    return Answer("rules", {"game": game.name, "variant": game.variant, "rules": json.loads(text)})


def chapters(act: Act) -> Answer:
    """The chapters of the manual that have something for who asks, with the verbs of each."""
    told = [
        {"topic": topic, "verbs": [verb.name for verb in VERBS if verb.topic == topic and act.role in verb.who]}
        for topic in topics_for(act.role)
    ]
    return Answer("chapters", {"role": act.role, "chapters": told})


def without_a_phase(act: Act, command: Command) -> Sequence[Answer]:
    """What a command is answered that is carried out with the orders of a phase, where none is open: before the start, or
    after the end."""
    game = of_act(act)
    if command.name == "STATUS":
        return [show_of(act, game)]
    if command.name == "RULES":
        return [rules_answer(act.judge.store, game)]
    if command.name == "HELP":
        return [chapters(act)]
    raise NotDone(f"verb.not-{act.state}", verb=command.name)


DOERS: Mapping[tuple[str, Role], Doer] = {("SHOW", "player"): show, ("SHOW", "master"): show}
