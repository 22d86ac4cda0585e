"""Players without a power wish for one, and the draw gives the powers out when the game starts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, cast, get_args

from judge.errors import BadInput, NotFound, Refused
from judge.mail.senders import mailbox_key
from judge.play.assigning import Clash, Given, Method, draw
from judge.play.judge import Judge, rules_of
from judge.rules.houserules import HouseRules
from judge.store import games, people, rulings
from judge.store.games import Game
from judge.store.rulings import DrawRow, SeedFrom, Wish
from judge.variants import load_board


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw with all that is needed to repeat it: ``wishes[0]`` are those of player 1, for ``powers`` of ``board``.
    ``seed_from``: whether somebody chose the seed, who may have known the wishes (``None``: not known)."""

    method: Method
    clash: Clash
    powers: tuple[str, ...]
    wishes: tuple[tuple[str, ...], ...]
    seed: str
    given: tuple[Given, ...]
    board: str = "standard"
    seed_from: SeedFrom | None = None

    def again(self) -> tuple[Given, ...]:
        """What the same wishes and the same seed lead to."""
        return draw(self.method, self.clash, self.powers, self.wishes, self.seed)

    def command(self) -> str:
        """The shell command by which anybody can draw again."""
        rule = self.method + ("-from-pool" if self.method == "preference" and self.clash == "pool" else "")
        short = _shortest(self.powers)
        lists = [",".join(short[power] for power in wish if power in short) or "-" for wish in self.wishes]
        board = load_board(self.board)
        left = [] if self.powers == board.powers else ["--powers", ",".join(self.powers)]
        on = [] if board.name == load_board().name else ["--variant", self.board]
        return " ".join(["judge draw", rule, "--seed", shlex.quote(self.seed), *on, *left, *lists])


def check_method(rules: HouseRules, players: int) -> None:
    """Players who wish for a power need rules that give powers out.

    :raises BadInput: ``powers.assign = master``, so that the master must say who plays what.
    """
    if players and rules.powers_assign not in get_args(Method):
        raise BadInput(
            "by these rules the game master says who plays what (powers.assign = master): name each player's power, or set"
            f" powers.assign to {', '.join(get_args(Method))}"
        )


def check_wishes(rules: HouseRules, address: str, powers: Sequence[str]) -> None:
    """Nobody wishes for what the rules would pass over in silence.

    :raises BadInput: several wishes where each player has one, or one where all draw.
    """
    if rules.powers_assign == "preference" and len(powers) > 1:
        raise BadInput(
            f"{address} wishes for {', '.join(powers)}: by these rules each player has one wish (powers.assign ="
            " preference); ranked lists go with powers.assign = best-ranks or first-come"
        )
    if rules.powers_assign == "random" and powers:
        raise BadInput(
            f"{address} wishes for {', '.join(powers)}: by these rules all draw, and nobody wishes (powers.assign = random)"
        )


def check_unplayed(rules: HouseRules, named: Iterable[str]) -> None:
    """Nobody can have a power that nobody plays.

    :raises BadInput: one of the powers ``named`` is left out by ``powers.unplayed``.
    """
    for power in named:
        if power in rules.powers_unplayed:
            raise BadInput(f"nobody plays {power} in this game (powers.unplayed = {','.join(rules.powers_unplayed)})")


def free_powers(judge: Judge, game: Game) -> tuple[str, ...]:
    """The powers that have no player and may have one, in the board's order."""
    left_out = rules_of(game).powers_unplayed
    seats = games.seats(judge.store, game.id)
    return tuple(seat.power for seat in seats if seat.address is None and seat.power not in left_out)


def free_without_a_wish(judge: Judge, game: Game) -> int:
    """How many players are missing before every power has one."""
    return len(free_powers(judge, game)) - len(rulings.wishes(judge.store, game.id))


def wish(judge: Judge, game: Game, address: str, powers: Sequence[str], now: datetime) -> int:
    """Take a player in who will get a power when the game starts. ``powers``: those wished for, best first; may be empty.
    Returns the player's number.

    :raises Refused: the game has started, is full, or the address is in already.
    :raises BadInput: the rules leave it to the master, a power is named twice, or nobody plays it.
    """
    if game.state != "forming":
        raise Refused(f"the game {game.name} has started already")
    check_method(rules_of(game), 1)
    if len(set(powers)) < len(powers):
        raise BadInput(f"{address} names a power twice: {', '.join(powers)}")
    check_wishes(rules_of(game), address, powers)
    check_unplayed(rules_of(game), powers)
    seats = games.seats(judge.store, game.id)
    if any(seat.address and seat.address.lower() == address.lower() for seat in seats):
        raise Refused(f"{address} is in the game already")
    if len(rulings.wishes(judge.store, game.id)) >= len(free_powers(judge, game)):
        raise Refused(f"the game {game.name} is full: there is no power left for {address}")
    return rulings.add_wish(judge.store, game.id, address, powers, now)


def give_out(judge: Judge, game: Game, seed: str | None, seed_from: SeedFrom, now: datetime) -> Draw | None:
    """Draw the powers for all who wait for one, and seat them. ``None``: nobody waits.

    Powers that the master gave out before are not drawn.

    :raises BadInput: there is something to draw, and no ``seed``.
    """
    waiting = rulings.wishes(judge.store, game.id)
    if not waiting:
        return None
    if not seed:
        raise BadInput("a draw needs a seed")
    rules = rules_of(game)
    check_method(rules, len(waiting))
    for one in waiting:
        check_wishes(rules, one.address, one.powers)
    free = free_powers(judge, game)
    if len(waiting) > len(free):
        raise BadInput(f"{len(waiting)} players wait for a power, and {len(free)} are free: {', '.join(free) or 'none'}")
    method = cast(Method, rules.powers_assign)
    done = Draw(method, rules.powers_clash, free, tuple(one.powers for one in waiting), seed, (), game.variant, seed_from)
    done = replace(done, given=done.again())
    for one, given in zip(waiting, done.given, strict=True):
        games.set_player(judge.store, game.id, given.power, one.address)
        person = people.of_mailbox(judge.store, mailbox_key(one.address) or "")
        if person is not None and person.state == "confirmed":
            games.set_reader(judge.store, game.id, given.power, person.language, person.timezone)
    stored = json.dumps([asdict(given) for given in done.given])
    rulings.keep_draw(judge.store, game.id, DrawRow(method, rules.powers_clash, free, seed, stored, now, seed_from))
    facts = {"method": method, "seed": seed, "seed_from": seed_from, "given": {str(g.player): g.power for g in done.given}}
    games.log(judge.store, game.id, "judge", "drawn", facts, now)
    return done


def drawn(judge: Judge, game: Game) -> Draw | None:
    """The draw of a game as stored, or ``None``: nothing was drawn."""
    row = rulings.draw_of(judge.store, game.id)
    if row is None:
        return None
    given = tuple(Given(**{**one, "wishes": tuple(one["wishes"])}) for one in json.loads(row.given))
    wishes = tuple(one.powers for one in rulings.wishes(judge.store, game.id))
    return Draw(
        cast(Method, row.method), cast(Clash, row.clash), row.powers, wishes, row.seed, given, game.variant, row.seed_from
    )


def draw_view(judge: Judge, game: Game) -> dict[str, Any]:
    """The draw drawn again, for ``judge game draw --json``: ``{"method", "clash", "seed", "seed_from", "powers", "players":
    [{"player", "address", "wishes", "power", "how", "among", "rank"}], "command", "as_stored"}``.

    :raises NotFound: nothing was drawn in this game.
    """
    done = drawn(judge, game)
    if done is None:
        raise NotFound(f"no powers were drawn in {game.name}")
    again = done.again()
    waited: dict[int, Wish] = {one.number: one for one in rulings.wishes(judge.store, game.id)}
    return {
        "method": done.method,
        "clash": done.clash,
        "seed": done.seed,
        "seed_from": done.seed_from,
        "powers": list(done.powers),
        "players": [
            {
                "player": given.player,
                "address": waited[given.player].address,
                "wishes": list(given.wishes),
                "power": given.power,
                "how": given.how,
                "among": given.among,
                "rank": given.rank,
            }
            for given in again
        ],
        "command": done.command(),
        "as_stored": again == done.given,
    }


def _shortest(powers: Sequence[str]) -> dict[str, str]:
    """Each power's shortest beginning that no other shares."""
    short = {}
    for power in powers:
        beginnings = (power[:n] for n in range(1, len(power)))
        unshared = (b for b in beginnings if sum(other.lower().startswith(b.lower()) for other in powers) == 1)
        short[power] = next(unshared, power)
    return short
