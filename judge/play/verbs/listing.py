"""What everybody may ask about the games: LIST, and SHOW, RULES, SUMMARY and HISTORY of one that is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play.judge import Judge
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.history import history_of
from judge.play.verbs.joining import free_seats, is_told_of, named_game, rules_in_force
from judge.play.verbs.showing import rules_answer, show_of
from judge.play.verbs.telling import summary_of
from judge.render.commonfacts import Answer
from judge.store import games, rulings
from judge.store.games import Game

#: So many games one mail tells of, those with room first.
MOST_LISTED = 60


def list_games(act: Act, _: Command) -> Sequence[Answer]:
    """Open games, seats to take over, and running ones; how many there are that are over."""
    found = [game for game in games.all_games(act.judge.store) if is_told_of(act, game)]
    rows = [_row(act.judge, game) for game in found if game.state != "ended"]
    rows.sort(key=lambda row: (not row["free"], row["state"] != "forming", row["game"]))
    ended = sum(game.state == "ended" for game in found)
    args = {"games": rows[:MOST_LISTED], "more": max(0, len(rows) - MOST_LISTED), "ended": ended}
    return [Answer("list", args)]


def _row(judge: Judge, game: Game) -> dict[str, Any]:
    phase = games.open_phase(judge.store, game.id)
    rules = rules_in_force(judge, game)
    free = free_seats(judge, game)
    return {
        "game": game.name,
        "variant": game.variant,
        "state": game.state,
        "rules": game.rules_name,
        "phase": phase.name if phase else None,
        "deadline": phase.deadline if phase else None,
        "schedule": game.schedule,
        "press": rules.press_kinds,
        "free": list(free),
        "waiting": len(rulings.wishes(judge.store, game.id)) if game.state == "forming" else 0,
    }


def show_one(act: Act, command: Command) -> Sequence[Answer]:
    """How a game stands, as far as everybody may know."""
    return [show_of(act, named_game(act, command.argument))]


def rules_of_one(act: Act, command: Command) -> Sequence[Answer]:
    """The house rules of a game."""
    return [rules_answer(act.judge.store, named_game(act, command.argument))]


def summary_of_one(act: Act, command: Command) -> Sequence[Answer]:
    """The centres of a game by year."""
    return [summary_of(act.judge.store, _started(act, command))]


def history_of_one(act: Act, command: Command) -> Sequence[Answer]:
    """The results of a game's phases; no press."""
    game = _started(act, command)
    phases = command.argument.strip()[len(game.name) :].strip(" :,、，")
    return [history_of(act.judge.store, game, phases)]


def _started(act: Act, command: Command) -> Game:
    """The game that a command names, which must have begun.

    :raises NotDone: it has not, or there is none.
    """
    game = named_game(act, command.argument)
    if game.state == "forming":
        raise NotDone("verb.not-forming", verb=command.name)
    return game


DOERS: Mapping[tuple[str, Role], Doer] = {
    ("LIST", "anyone"): list_games,
    ("SHOW", "anyone"): show_one,
    ("RULES", "anyone"): rules_of_one,
    ("SUMMARY", "anyone"): summary_of_one,
    ("HISTORY", "anyone"): history_of_one,
}
