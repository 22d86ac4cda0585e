"""STANDBY: somebody stands ready to take over a power that has lost its player; what they say to an offer of one; and OFFER
SEAT, by which the game master has one offered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from judge.mail.commands import Command
from judge.mail.identity import address as reply_address
from judge.mail.identity import placeholder
from judge.mail.verbs import Role
from judge.play import offering, seats
from judge.play.people import person_of
from judge.play.rulings import RulesRefused
from judge.play.verbs.acting import Act, Doer, NotDone, refused
from judge.play.verbs.replacing import power_in, table_of
from judge.render.commonfacts import Answer
from judge.store import games, people, standby
from judge.store.games import MASTER, Game
from judge.store.people import Ask, Person
from judge.store.standby import Offer

#: For so many games somebody may stand ready, besides for any.
MOST = 20
_OFF = re.compile(r"(?:off|取消|取り消し|取消し|解除)(?![a-z0-9-])\s*", re.IGNORECASE)


def stand_by(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to STANDBY [GAME | OFF [GAME]]."""
    person, store = person_of(act), act.judge.store
    off, game = _read(act, command)
    if off:
        kind = "off" if standby.drop(store, person.id, game.id if game else None) else "off-again"
    else:
        if standby.count(store, person.id) > MOST:
            raise NotDone("standby.too-many", most=MOST)
        kind = "on" if standby.add(store, person.id, game.id if game else None, act.now) else "on-again"
    if kind == "on":
        open_now = [game.id] if game else standby.games_with_room(store, offering.MOST_GAMES)
        for number in open_now:
            offering.offer_open_seats(act.judge, games.by_id(store, number), act.now)
    names = standby.of_person(store, person.id)
    return [Answer("standby", {"kind": kind, "any": None in names, "games": [name for name in names if name]})]


def check_stand_by(act: Act, command: Command) -> str:
    """STANDBY as the judge writes it."""
    off, game = _read(act, command)
    return " ".join(filter(None, ("OFF" if off else "", game.name if game else "")))


def _read(act: Act, command: Command) -> tuple[bool, Game | None]:
    """Whether it takes STANDBY back, and the one game that it is about.

    :raises NotDone: there is no such game, or it is over.
    """
    said = command.argument.strip()
    off = _OFF.match(said)
    name = said[off.end() :] if off else said
    if not name:
        return bool(off), None
    game = games.find(act.judge.store, name.lower())
    if game is None:
        raise NotDone("join.no-game")
    if game.state == "ended" and not off:
        raise NotDone("join.over", game=game.name)
    return bool(off), game


def answer_offer(act: Act, person: Person, ask: Ask, made: Offer, *, yes: bool) -> Sequence[Answer]:
    """What somebody says to an offer that was made to them, inside the caller's transaction."""
    judge, now = act.judge, act.now
    game = games.by_id(judge.store, made.game_id)
    told = {"game": game.name, "variant": game.variant, "power": made.power}
    if made.state != "open":
        return [Answer("offer-told", {**told, "result": made.state})]
    people.decide(judge.store, ask.id, "done" if yes else "dropped", now)
    if not yes:
        standby.decide(judge.store, made.id, "declined", now)
        offering.go_on(judge, game, made, now)
        return [Answer("offer-told", {**told, "result": "now-declined"})]
    reader = (person.language, person.timezone)
    try:
        with judge.store.step():
            seat = seats.take_over(judge, game, made.power, person.address, *reader, made.power, now)
    except RulesRefused as why:
        standby.decide(judge.store, made.id, "gone", now)
        offering.go_on(judge, game, made, now)
        line = f"JOIN {game.name} {made.power}"
        return [refused(Command("JOIN", line.partition(" ")[2], line), NotDone(why.code, **why.arguments))]
    link = reply_address(game.name, placeholder(seat.id), judge.domain, judge.separator)
    from_seat = [[seat.id, game.name, made.power, seat.generation]]
    args = {"game": game.name, "how": "taken", "variant": game.variant, "powers": [made.power], "links": from_seat}
    return [Answer("join", {**args, "address": link})]


def offer_seat(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to OFFER SEAT POWER: a seat without a player goes to those who stand ready."""
    table = table_of(act)
    power = power_in(command.argument, table)
    made, again = offering.offer_by_word(act.judge, table, power, act.now, who=MASTER)
    return [Answer("seat-offered", {"power": power, "kind": "again" if again else "offered", "until": made.expires_at})]


DOERS: Mapping[tuple[str, Role], Doer] = {("STANDBY", "anyone"): stand_by, ("OFFER SEAT", "master"): offer_seat}
CHECKS: Mapping[str, Callable[[Act, Command], str]] = {"STANDBY": check_stand_by}
