"""JOIN and LEAVE, OBSERVE and STOP OBSERVING: who comes into a game, plays it or watches it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from judge.mail.commands import Command
from judge.mail.identity import address, placeholder
from judge.mail.senders import mailbox_key
from judge.mail.verbs import Role
from judge.notation.recipients import read_powers
from judge.play import inviting, reliability, seating, seats
from judge.play.assigning import Method
from judge.play.judge import Judge, lay_out, open_table, rules_of
from judge.play.people import person_of, seats_of
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.rules.houserules import HouseRules
from judge.store import games, invitations, people, rulings
from judge.store.games import Game
from judge.store.people import Person
from judge.variants import load_board

_NAME = re.compile(r"([a-z0-9-]{1,20})(?![a-z0-9-])\s*[:,、，]?\s*(.*)\Z", re.IGNORECASE | re.DOTALL)


#: So many games somebody may watch at a time.
MOST_WATCHED = 20


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a JOIN says: a game, and the powers wished for, best first."""

    game: Game
    powers: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.game.name, *(power.replace(" ", "-") for power in self.powers)))


def named_game(act: Act, argument: str) -> Game:
    """The game that a command names.

    :raises NotDone: it names none, or none of ours.
    """
    found = _NAME.match(argument.strip())
    if found is None:
        raise NotDone("join.which")
    game = games.find(act.judge.store, found[1].lower())
    if game is None or not is_told_of(act, game):
        raise NotDone("join.no-game")
    return game


def is_told_of(act: Act, game: Game) -> bool:
    """Whether who asks may know that there is such a game (``entry.private``). Of a mail that proves nothing the address
    that it names counts: the answer goes there and nowhere else."""
    if rules_in_force(act.judge, game).entry_private == "no":
        return True
    mailbox = act.person.mailbox if act.person is not None else mailbox_key(act.address)
    if mailbox is None:
        return False
    store = act.judge.store
    if invitations.of_digest(store, game.id, inviting.digest(act.judge, mailbox)) is not None:
        return True
    maker = people.find(store, invitations.maker(store, game.id) or 0)
    if maker is not None and maker.mailbox == mailbox:
        return True
    inside = [seat.address for seat in games.signed_seats(store, game.id)]
    inside += [wish.address for wish in rulings.wishes(store, game.id)]
    inside += [person.address for person in people.observers(store, game.id)]
    return any(mailbox_key(one) == mailbox for one in inside if one)


def free_seats(judge: Judge, game: Game) -> tuple[str, ...]:
    """The powers that somebody who writes now may get, in the board's order: all that nobody has or waits for before the
    start, and in a running game those without a player if its rules let people take them over."""
    if game.state == "ended":
        return ()
    rules = rules_in_force(judge, game)
    free = tuple(
        seat.power
        for seat in games.seats(judge.store, game.id)
        if not seat.address and seat.power not in rules.powers_unplayed
    )
    if game.state == "running":
        table = open_table(judge.store, game)
        return seats.open_seats(judge, game) if table is not None and seats.anyone_may(judge, table) else ()
    if rules.powers_assign not in get_args(Method) or len(rulings.wishes(judge.store, game.id)) >= len(free):
        return ()
    return free


def rules_in_force(judge: Judge, game: Game) -> HouseRules:
    """The rules of the open phase, or those that the game was made with."""
    phase = games.open_phase(judge.store, game.id)
    return lay_out(game, phase).rules if phase is not None else rules_of(game)


def _read(act: Act, command: Command) -> _Wish:
    """What a JOIN wishes for, as far as it can be had by anybody.

    :raises NotDone: it cannot.
    """
    game = named_game(act, command.argument)
    found = _NAME.match(command.argument.strip())
    powers, unknown = read_powers(found[2] if found else "", load_board(game.variant))
    if unknown:
        raise NotDone("join.no-power", powers=list(load_board(game.variant).powers))
    rules = rules_in_force(act.judge, game)
    if game.state == "ended":
        raise NotDone("join.over", game=game.name)
    if game.state == "running":
        table = open_table(act.judge.store, game)
        if table is None or not seats.anyone_may(act.judge, table):
            raise NotDone("join.running", game=game.name)
    elif rules.powers_assign not in get_args(Method):
        raise NotDone("join.by-master", game=game.name)
    free = free_seats(act.judge, game)
    if not free:
        raise NotDone("join.full", game=game.name)
    gone = [power for power in powers if power not in free]
    if gone and (game.state == "running" or set(gone) & set(rules.powers_unplayed) or len(gone) == len(powers)):
        raise NotDone("join.not-free", game=game.name, powers=list(free))
    if game.state == "forming" and rules.powers_assign == "random" and powers:
        raise NotDone("join.by-lot", game=game.name)
    if game.state == "forming" and rules.powers_assign == "preference" and len(powers) > 1:
        raise NotDone("join.one-wish", game=game.name)
    return _Wish(game, tuple(powers))


def check_join(act: Act, command: Command) -> str:
    """JOIN as the judge writes it, if anybody could have what it wishes for."""
    return str(_read(act, command))


def join(act: Act, command: Command) -> Sequence[Answer]:
    """The wish for a power in a game that forms; a power without a player in one that runs."""
    person = person_of(act)
    game = named_game(act, command.argument)
    held = [
        seat for there, seat in seats_of(act.judge, person.mailbox) if there.id == game.id and seat.power != games.MASTER
    ]
    if held:
        return [Answer("join", {"game": game.name, "how": "seated", "variant": game.variant, "powers": [held[0].power]})]
    if game.state == "forming" and (waiting := _wish_of(act.judge, game, person)) is not None:
        powers = _read_again(act, command, game)
        same = tuple(waiting.powers) == powers
        if not same:
            rulings.change_wish(act.judge.store, game.id, waiting.number, powers)
        how = "again" if same else "changed"
        return [Answer("join", {"game": game.name, "how": how, "variant": game.variant, "powers": list(powers)})]
    wish = _read(act, command)
    if game.state == "running":
        return [_take_over(act, person, wish)]
    reliability.check(act.judge, rules_in_force(act.judge, game), person.address)
    number = seating.wish(act.judge, game, person.address, wish.powers, act.now)
    games.log(act.judge.store, game.id, "judge", "joined", {"player": number}, act.now)
    inviting.joined(act.judge, game, person, act.now)
    left = seating.free_without_a_wish(act.judge, game)
    args = {"game": game.name, "how": "waits", "variant": game.variant, "powers": list(wish.powers), "left": left}
    return [Answer("join", args)]


def _read_again(act: Act, command: Command, game: Game) -> tuple[str, ...]:
    """The powers of a JOIN from somebody who is in already: that the game is full is nothing to them."""
    try:
        return _read(act, command).powers
    except NotDone as why:
        if why.code != "join.full":
            raise
    found = _NAME.match(command.argument.strip())
    return read_powers(found[2] if found else "", load_board(game.variant))[0]


def _wish_of(judge: Judge, game: Game, person: Person) -> rulings.Wish | None:
    waiting = rulings.wishes(judge.store, game.id)
    return next((one for one in waiting if mailbox_key(one.address) == person.mailbox), None)


def _take_over(act: Act, person: Person, wish: _Wish) -> Answer:
    """A power without a player gets one. The mail of its turn goes out besides: it has the address to answer to."""
    game = wish.game
    power = wish.powers[0] if wish.powers else free_seats(act.judge, game)[0]
    seat = seats.take_over(act.judge, game, power, person.address, person.language, person.timezone, power, act.now)
    from_seat = [[seat.id, game.name, power, seat.generation]]
    args = {"game": game.name, "how": "taken", "variant": game.variant, "powers": [power], "links": from_seat}
    args["address"] = address(game.name, placeholder(seat.id), act.judge.domain, act.judge.separator)
    return Answer("join", args)


def leave(act: Act, command: Command) -> Sequence[Answer]:
    """Withdraw a JOIN before the game starts."""
    person = person_of(act)
    game = named_game(act, command.argument)
    waiting = _wish_of(act.judge, game, person) if game.state == "forming" else None
    if waiting is None:
        raise NotDone("leave.not-in" if game.state == "forming" else "leave.started", game=game.name)
    rulings.drop_wish(act.judge.store, game.id, waiting.number)
    games.log(act.judge.store, game.id, "judge", "left", {"player": waiting.number}, act.now)
    return [Answer("leave", {"game": game.name})]


def check_leave(act: Act, command: Command) -> str:
    """LEAVE as the judge writes it."""
    game = named_game(act, command.argument)
    if game.state != "forming":
        raise NotDone("leave.started", game=game.name)
    return game.name


def check_observe(act: Act, command: Command) -> str:
    """OBSERVE as the judge writes it."""
    game = named_game(act, command.argument)
    if game.state == "ended":
        raise NotDone("join.over", game=game.name)
    return game.name


def observe(act: Act, command: Command) -> Sequence[Answer]:
    """The results of a game from now on, to somebody who does not play it."""
    person = person_of(act)
    game = games.get(act.judge.store, check_observe(act, command))
    if any(there.id == game.id for there, _ in seats_of(act.judge, person.mailbox)):
        raise NotDone("observe.plays", game=game.name)
    if len(people.observed(act.judge.store, person.id)) >= MOST_WATCHED:
        raise NotDone("observe.too-many", most=MOST_WATCHED)
    new = people.observe(act.judge.store, game.id, person.id, act.now)
    return [Answer("observe", {"game": game.name, "how": "watches" if new else "again"})]


def stop_observing(act: Act, command: Command) -> Sequence[Answer]:
    """No results of that game any more."""
    game = named_game(act, command.argument)
    if not people.stop_observing(act.judge.store, game.id, person_of(act).id):
        raise NotDone("observe.not", game=game.name)
    return [Answer("observe", {"game": game.name, "how": "stopped"})]


DOERS: Mapping[tuple[str, Role], Doer] = {
    ("JOIN", "anyone"): join,
    ("LEAVE", "anyone"): leave,
    ("OBSERVE", "anyone"): observe,
    ("STOP OBSERVING", "anyone"): stop_observing,
}
CHECKS = {
    "JOIN": check_join,
    "LEAVE": check_leave,
    "OBSERVE": check_observe,
    "STOP OBSERVING": lambda act, command: named_game(act, command.argument).name,
}
