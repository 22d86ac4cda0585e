"""A power without a player is offered to those who stand ready (STANDBY): one after the other, whoever waits longest first.

An offer is a question to a person's own address, with a time in which to answer; nobody is offered the same seat twice. A
YES takes the seat over like JOIN does, and so is refused if somebody was faster. Whoever got an offer waits behind all
others from then on, and whoever lets one lapse does not stand ready any more: a seat must not go round among people who do
not read their mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from judge.mail.senders import box_of
from judge.play import reliability, seats
from judge.play.answering import stored
from judge.play.judge import Judge, Table, open_table
from judge.play.notdone import NotDone
from judge.play.posting import write_to_person
from judge.play.rulings import RulesRefused
from judge.play.schedule import kind_of, read
from judge.render.commonfacts import Answer
from judge.store import codec, games, orders, people, seatchanges, standby
from judge.store.games import Game
from judge.store.people import Person
from judge.store.seatchanges import LEFT
from judge.store.standby import Offer

#: So many offers a person gets a day.
MOST_OFFERS = 3
#: So many games are looked at when somebody begins to stand ready.
MOST_GAMES = 20
_DAY = timedelta(days=1)


def offer_open_seats(judge: Judge, game: Game, now: datetime) -> None:
    """Offer every power of a running game that has no player, and that anybody may take over, inside the caller's
    transaction. A power whose offer waits for its answer stays with it."""
    table = open_table(judge.store, game)
    if table is None or games.by_id(judge.store, game.id).state != "running":
        return
    for power in seats.open_seats(judge, game):
        offer(judge, table, power, now)


def offer(
    judge: Judge, table: Table, power: str, now: datetime, *, by_master: bool = False, who: str = "judge"
) -> Offer | None:
    """Offer a power without a player to who waits longest of those who may have it, inside the caller's transaction.
    Returns the offer that waits for its answer now, ``None``: there is none, since nobody may have it any more, or the
    house rules let nobody (``by_master``: the master wants it, whatever they say). ``who``: as the log has it.
    """
    store, game = judge.store, table.game
    there = standby.open_for(store, game.id, power)
    if there is not None:
        return there
    hours = _hours(table)
    if hours is None or not (by_master or seats.anyone_may(judge, table)) or power not in seats.open_seats(judge, game):
        return None
    seat = games.seat(store, game.id, power)
    person = next(_candidates(judge, table, power, seat.generation, now), None)
    if person is None:
        return None
    until = now + min(hours, read(game.schedule).whole(kind_of(table.phase.name)) / 2)
    number = people.ask(store, person.id, [("JOIN", f"{game.name} {power.replace(' ', '-')}")], now)
    standby.offer(store, game.id, power, seat.generation, person.id, number, by_master=by_master, now=now, expires_at=until)
    standby.to_the_end(store, person.id, now)
    args = {"answers": stored([_said(judge, table, power, number, until)]), "variant": game.variant}
    people.asked_in(store, number, write_to_person(judge, person, "ask", args, now, extra=f"offer {number}"))
    games.log(store, game.id, who, "offered", {"power": power, "phase": table.phase.name}, now)
    return standby.of_ask(store, number)


def offer_by_word(judge: Judge, table: Table, power: str, now: datetime, *, who: str) -> tuple[Offer, bool]:
    """Offer a power without a player since the master (or the operator) wants it, inside the caller's transaction. Returns
    the offer that waits for its answer, and whether it did before.

    :raises NotDone: the power has a player, the house rules let no power be offered, or nobody may have it.
    """
    if games.seat(judge.store, table.game.id, power).address:
        raise NotDone("seat.has-player", power=power)
    there = standby.open_for(judge.store, table.game.id, power)
    made = there or offer(judge, table, power, now, by_master=True, who=who)
    if made is None:
        raise NotDone("offer.never" if table.rules.powers_offers == "none" else "offer.nobody", power=power)
    return made, there is not None


def _hours(table: Table) -> timedelta | None:
    said = table.rules.powers_offers
    return None if said == "none" else timedelta(hours=int(said.split()[0]))


def _candidates(judge: Judge, table: Table, power: str, generation: int, now: datetime) -> Iterator[Person]:
    """Who may be offered a seat, whoever waits longest first: not who plays or masters the game, watches it, or has left
    it; not whom its rules keep out; and nobody to whom it was offered, or who has another offer to answer."""
    store, game = judge.store, table.game
    inside = {box_of(seat.address) for seat in games.signed_seats(store, game.id) if seat.address}
    inside |= {row.mailbox for row in seatchanges.of_game(store, game.id) if row.kind in LEFT}
    inside |= {person.mailbox for person in people.observers(store, game.id)}
    before = standby.offered(store, game.id, power, generation)
    for one in standby.waiting(store, game.id):
        if one.mailbox in inside or one.person_id in before:
            continue
        lately, waits = standby.offers_since(store, one.person_id, now - _DAY)
        if waits or lately >= MOST_OFFERS:
            continue
        try:
            reliability.check(judge, table.rules, one.address)
        except RulesRefused:
            continue
        yield people.load(store, one.person_id)


def _said(judge: Judge, table: Table, power: str, number: int, until: datetime) -> Answer:
    """The offer as its mail tells it: what anybody may know of the power, and how many orders are on file for it."""
    args: dict[str, Any] = {
        "number": number,
        "game": table.game.name,
        "variant": table.game.variant,
        "power": power,
        "until": until,
        "phase": table.phase.name,
        "deadline": table.phase.deadline,
        "position": codec.position_out(table.position),
        "on_file": len(orders.held(judge.store, table.phase.id, power)),
    }
    return Answer("offer", args)


# what becomes of one


def go_on(judge: Judge, game: Game, made: Offer, now: datetime) -> None:
    """The same seat to the next one, as long as nobody has it."""
    table = open_table(judge.store, games.by_id(judge.store, game.id))
    if table is not None:
        offer(judge, table, made.power, now, by_master=made.by_master)


def settled(judge: Judge, game: Game, power: str, address: str, now: datetime) -> None:
    """A seat has a player: what was offered of it is taken by who was offered it, or gone for them."""
    made = standby.open_for(judge.store, game.id, power)
    if made is not None:
        person = people.load(judge.store, made.person_id)
        own = box_of(address) == person.mailbox
        standby.decide(judge.store, made.id, "accepted" if own else "gone", now)


def lapse_due(judge: Judge, now: datetime) -> None:
    """Offers whose time is up go to the next one, each in its own transaction."""
    for one in standby.due(judge.store, now):
        with judge.store.transaction():
            made = standby.of_ask(judge.store, one.ask_id)
            if made is None or made.state != "open":
                continue  # somebody was faster
            people.decide(judge.store, made.ask_id, "dropped", now)
            game = games.by_id(judge.store, made.game_id)
            seat = games.seat(judge.store, game.id, made.power)
            if seat.generation != made.generation or made.power not in seats.open_seats(judge, game):
                standby.decide(judge.store, made.id, "gone", now)
                continue  # nobody could have taken it: that is no one's fault
            standby.decide(judge.store, made.id, "lapsed", now)
            standby.drop(judge.store, made.person_id)
            go_on(judge, game, made, now)
