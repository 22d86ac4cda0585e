"""Who is who: which names and addresses of the players are told, and to whom (``powers.names``, ``powers.addresses``).

A name is one that a person chose (NAME) and never made of an address. What is not told in a game is told nowhere in it: not
by SHOW, not in a first mail or a final standing, not below press.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.mail.senders import box_of
from judge.rules.houserules import HouseRules
from judge.store import Store, games, people
from judge.store.games import Game, Seat

# what the house rules say


def names_told(rules: HouseRules, *, over: bool) -> bool:
    """Whether the players of a game are told each other's names; ``over``: it has ended."""
    return rules.powers_names == "open" or (rules.powers_names == "end" and over)


def addresses_told(rules: HouseRules, *, over: bool) -> bool:
    """Whether they are told each other's addresses: never where their names are not."""
    return rules.powers_addresses == "shown" and names_told(rules, over=over)


def master_knows(store: Store, game: Game, rules: HouseRules) -> bool:
    """Whether the game master is told who plays what: always, unless they play too and the players are not told."""
    master = games.master(store, game.id)
    plays = master is not None and any(same(seat.address, master.address) for seat in games.seats(store, game.id))
    return not plays or names_told(rules, over=game.state == "ended")


def same(one: str | None, other: str | None) -> bool:
    """Whether two addresses are one mailbox."""
    return bool(one and other) and box_of(one or "") == box_of(other or "")


# whose name it is


def name_of(store: Store, address: str | None) -> str | None:
    """The name that whoever has an address chose, or ``None``."""
    person = people.of_mailbox(store, box_of(address)) if address else None
    return (person.name or None) if person is not None and person.state == "confirmed" else None


def names_of(store: Store, seats: Iterable[Seat]) -> Mapping[str, str | None]:
    """Power -> its player's name."""
    return {seat.power: name_of(store, seat.address) for seat in seats}
