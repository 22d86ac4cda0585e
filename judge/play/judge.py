"""What every event is handed: the store, the keys, and the few settings that the play of a game depends on."""

from __future__ import annotations

from dataclasses import dataclass, field

from judge.mail.identity import Keys, address, bounce_address, person_address
from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.rules.position import Position
from judge.settings import Games, Settings
from judge.store import Store, codec, games
from judge.store.games import Game, PhaseRow, Seat
from judge.store.people import Person
from judge.variants import load_board


@dataclass(frozen=True)
class Judge:
    """One judge at work. ``operator`` is the address that postmaster's mail goes on to, if there is one. What the server
    ``trust_authserv`` wrote into ``Authentication-Results`` counts, in mails that came from one of ``relays``. ``making``:
    who may make games by mail."""

    store: Store
    keys: Keys
    domain: str
    separator: str = "+"
    operator: str | None = None
    trust_authserv: str = ""
    relays: tuple[str, ...] = ("127.0.0.1", "::1")
    making: Games = field(default_factory=Games)

    def reply_address(self, game: str, seat: Seat) -> str:
        """The signed reply address of a seat, token and all: for the wire and the operator's shell, never for storing."""
        return address(game, self.keys.token(game, seat.power, seat.generation), self.domain, self.separator)

    def bounce_address(self, game: str, seat: Seat) -> str:
        """The envelope sender of mails to a seat: what comes back there is a failure, never an order."""
        return bounce_address(game, self.keys.bounce_token(game, seat.power, seat.generation), self.domain, self.separator)

    def person_address(self, person: Person) -> str:
        """The signed address of a person outside of any game: for the wire, never for storing."""
        token = self.keys.person_token(person.id, person.generation)
        return person_address(person.id, token, self.domain, self.separator)


def judge_of(store: Store, keys: Keys, settings: Settings) -> Judge:
    """The judge that these settings describe."""
    return Judge(
        store,
        keys,
        settings.domain,
        settings.separator,
        settings.operator or None,
        settings.senders.trust_authserv,
        settings.listen.relays,
        settings.games,
    )


@dataclass(frozen=True)
class Table:
    """A running game laid out: what is needed to read orders for its open phase."""

    game: Game
    board: Board
    rules: HouseRules
    phase: PhaseRow
    position: Position


def lay_out(game: Game, phase: PhaseRow) -> Table:
    """The table of ``game`` as it stood when ``phase`` began, with the rules that this phase is played by."""
    rules = codec.rules_from_text(phase.rules or game.rules)
    return Table(game, load_board(game.variant), rules, phase, codec.position_from_text(phase.position))


def open_table(store: Store, game: Game) -> Table | None:
    """The table of the phase that takes orders now, or ``None`` if the game has none."""
    phase = games.open_phase(store, game.id)
    return None if phase is None else lay_out(game, phase)


def rules_of(game: Game) -> HouseRules:
    """The house rules that this game was made with. A phase of it may have others: see :func:`lay_out`."""
    return codec.rules_from_text(game.rules)
