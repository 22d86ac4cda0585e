"""DRAW and CONCEDE, and what takes them back: votes about the phase that is open, of which nobody is told more than the
house rules say (``draw.votes``). For that reason they do not stand in the game's log; the store keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.notation.recipients import read_recipients
from judge.play import voting
from judge.play.judge import Table
from judge.play.posting import write_to_seat
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import games, votes
from judge.store.votes import Kind


def draw(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to DRAW: a draw of all who are left, or (``draw.kind = lists``) of the powers named."""
    table, power = _table(act), voice(act)
    if table.rules.draw_kind == "none":
        raise NotDone("draw.none")
    playing = voting.in_play(act.judge.store, table)
    if len(playing) < 2:
        raise NotDone("draw.alone")
    named = _named(command.argument, table, playing) if command.argument else ()
    if set(named) == set(playing):
        named = ()
    if named and table.rules.draw_kind == "dias":
        raise NotDone("draw.of-all")
    if len(named) == 1:
        raise NotDone("draw.of-one", example=f"CONCEDE {named[0].upper()}" if named[0] != power else "DRAW")
    return _cast(act, "draw", named)


def concede(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to CONCEDE: the game to the power named, or to the one that has more centres than any other."""
    table, power = _table(act), voice(act)
    if table.rules.draw_concede == "no":
        raise NotDone("concede.none")
    playing = voting.in_play(act.judge.store, table)
    if command.argument:
        named = _named(command.argument, table, playing)
        if len(named) != 1:
            raise NotDone("concede.one")
        winner = named[0]
    else:
        winner = _largest(table, playing)
    if winner == power:
        raise NotDone("concede.yourself")
    return _cast(act, "concede", (winner,))


def _largest(table: Table, playing: Sequence[str]) -> str:
    """The power with more centres than any other.

    :raises NotDone: there are several, so one must be named.
    """
    sizes = {power: len(table.position.centres(power)) for power in playing}
    best = [power for power in playing if sizes[power] == max(sizes.values())]
    if len(best) != 1:
        raise NotDone("concede.which")
    return best[0]


def no_draw(act: Act, _: Command) -> Sequence[Answer]:
    """The answer to NO DRAW."""
    return _take_back(act, "draw")


def no_concede(act: Act, _: Command) -> Sequence[Answer]:
    """The answer to NO CONCEDE."""
    return _take_back(act, "concede")


def _table(act: Act) -> Table:
    assert act.table is not None  # a verb of running games
    return act.table


def voice(act: Act) -> str:
    """The power that votes.

    :raises NotDone: it has nothing left on the board.
    """
    assert act.seat is not None  # a seat's verb
    if act.seat.power not in voting.in_play(act.judge.store, _table(act)):
        raise NotDone("vote.eliminated", power=act.seat.power)
    return act.seat.power


def _named(text: str, table: Table, playing: Sequence[str]) -> tuple[str, ...]:
    """The powers that a command names, in the board's order.

    :raises NotDone: one is no power, or not in play.
    """
    named = read_recipients(text, table.board)
    if named.unknown or named.master or named.nobody:
        raise NotDone("vote.unknown", text=text[:60])
    if named.everybody:
        return tuple(playing)
    gone = [power for power in named.powers if power not in playing]
    if gone:
        raise NotDone("vote.not-in-play", power=gone[0])
    return named.powers


def _cast(act: Act, kind: Kind, powers: tuple[str, ...]) -> Sequence[Answer]:
    """Let a vote stand; end the game if it was the last one that it takes."""
    store, table, power = act.judge.store, _table(act), voice(act)
    before = {vote.power: vote.powers for vote in votes.standing(store, table.phase.id, kind)}
    again = before.get(power) == powers
    if not again:
        votes.cast(store, table.phase.id, power, kind, powers, act.mail.id, act.now)
    if voting.conclude(act.judge, table, power, act.now):
        return []  # the final standing is the answer
    if not again:
        _tell(act, kind, powers)
    args = {"kind": kind, "powers": list(powers), "again": again, "votes": table.rules.draw_votes, "phase": table.phase.name}
    return [Answer("voted", args)]


def _take_back(act: Act, kind: Kind) -> Sequence[Answer]:
    store, table, power = act.judge.store, _table(act), voice(act)
    before = {vote.power: vote.powers for vote in votes.standing(store, table.phase.id, kind)}
    done = votes.take_back(store, table.phase.id, power, kind, act.now)
    if done:
        _tell(act, kind, before[power], back=True)
    return [Answer("vote-taken-back", {"kind": kind, "done": done})]


def _tell(act: Act, kind: Kind, powers: tuple[str, ...], *, back: bool = False) -> None:
    """Tell all others of a vote, as far as the house rules say: of a secret one nobody is told, by no number either."""
    table, power = _table(act), voice(act)
    told = table.rules.draw_votes
    if told == "secret":
        return
    have, of = voting.count(act.judge.store, table, kind, powers[0] if kind == "concede" else None)
    args: dict[str, Any] = {
        "kind": kind,
        "powers": list(powers),
        "power": power if told == "open" else None,
        "back": back,
        "have": have,
        "of": of,
    }
    if told == "counts" and kind == "draw":
        args["powers"] = []  # whom somebody would share with says who it is
    notice = {"code": "vote", "args": args, "by": None, "why": None}
    for seat in games.readers(act.judge.store, table.game.id):
        if seat.power != power:
            write_to_seat(act.judge, table, seat, "notice", notice, act.now, extra=f"{kind} {act.mail.id} {back}")


DOERS: Mapping[tuple[str, Role], Doer] = {
    ("DRAW", "player"): draw,
    ("NO DRAW", "player"): no_draw,
    ("CONCEDE", "player"): concede,
    ("NO CONCEDE", "player"): no_concede,
}
