"""A game is made, its seats are filled, it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import available_timezones

from judge.errors import BadInput, Refused
from judge.mail.addresses import is_game_name
from judge.mail.compose import wire_address
from judge.play import mastermail, seating
from judge.play.judge import Judge, Table, rules_of
from judge.play.opening import open_phase_at
from judge.play.posting import write_to_seat
from judge.play.rulings import RulesRefused
from judge.play.schedule import first_deadline, read
from judge.rules.houserules import HouseRules
from judge.rules.position import starting_position
from judge.store import codec, games
from judge.store.games import Game
from judge.store.rulings import SeedFrom
from judge.variants import load_board

#: Languages that our mails are written in.
LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")


def create_game(
    judge: Judge,
    name: str,
    *,
    rules: HouseRules,
    variant: str = "standard",
    schedule: str = "every 24 h",
    early: bool = True,
    players: Mapping[str, str] | None = None,
    wishes: Sequence[tuple[str, Sequence[str]]] = (),
    master: str | None = None,
    language: str = "en",
    timezone: str = "UTC",
    at_once: bool = False,
    who: str = "operator",
    now: datetime,
) -> Game:
    """Make a game with its seats (``players``: power -> mail address), not yet started. ``master``: the game master's mail
    address; they are written what they can do by mail. ``language`` and ``timezone`` are what everybody of this game reads
    in, until it is set otherwise for a seat. ``at_once``: the caller starts the game in the same transaction.
    ``who`` makes it, for the log.

    ``wishes``: players who get their power when the game starts, each a mail address with the powers wished for, best
    first; the house rules must give powers out (``powers.assign``).

    :raises BadInput: a name, power, address or schedule that cannot be used.
    :raises Refused: there is a game of that name.
    """
    if not is_game_name(name):
        raise BadInput(f"{name!r} cannot name a game: 1 to 20 letters a-z, digits and dashes, and no reserved word")
    read(schedule)
    _check_reader(language, timezone)
    board = load_board(variant)
    master = None if master is None else _address(master)
    seated = {board_power(board.powers, power): _address(address) for power, address in (players or {}).items()}
    seating.check_unplayed(rules, seated)
    with judge.store.transaction():
        game_id = games.create(
            judge.store,
            name=name,
            variant=variant,
            rules=codec.rules_to_text(rules),
            rules_name=rules.name,
            schedule=schedule,
            early=early,
            now=now,
        )
        for power in board.powers:
            games.add_seat(judge.store, game_id, power, seated.get(power), language, timezone)
        games.log(judge.store, game_id, who, "created", {"rules": rules.name, "schedule": schedule}, now)
        game = games.by_id(judge.store, game_id)
        for address, powers in wishes:
            seating.wish(judge, game, _address(address), [board_power(board.powers, power) for power in powers], now)
        if master is not None:
            reader = {"language": language, "timezone": timezone}
            mastermail.appoint(judge, game, master, who, now, **reader, letter=not at_once)
        return game


def set_master(judge: Judge, name: str, address: str, *, who: str, now: datetime) -> games.Seat:
    """Make somebody the game master: they get a letter with their signed address; that of a master before is refused from
    now on. Returns the master's seat.

    :raises BadInput: no mail address.
    :raises NotFound: no such game.
    :raises Refused: they are the master already, or the game is over.
    """
    to = _address(address)
    with judge.store.transaction():
        game = games.get(judge.store, name)
        before = games.master(judge.store, game.id)
        if game.state == "ended":
            raise Refused(f"the game {name} is over")
        if before is not None and (before.address or "").casefold() == to.casefold():
            raise Refused(f"{to} is the master of {name} already")
        return mastermail.appoint(judge, game, to, who, now)


def start_game(
    judge: Judge,
    name: str,
    now: datetime,
    seed: str | None = None,
    seed_from: SeedFrom = "chosen",
    *,
    who: str = "operator",
    quiet: str | None = None,
) -> Table:
    """Start a game: give the powers out, open its first phase, write every player a mail with their units and the deadline.

    ``seed`` is what the powers are drawn with, if players wait for one: chance, or a text that somebody chose; which of the
    two (``seed_from``) the players are told, since who chooses a seed may have tried what comes of it.
    Seats without a player are played by nobody: their units hold. ``who`` starts it, for the log; ``quiet``: ``master``, if
    the master is told in the answer to their own mail.

    :raises Refused: it has started already; or the instant at which it ends by its rules is not after the first deadline.
    :raises BadInput: powers are to be drawn, and there is no seed.
    """
    with judge.store.transaction():
        game = games.get(judge.store, name)
        if game.state != "forming":
            raise Refused(f"the game {name} has started already")
        first = first_deadline(game.schedule, now)
        _refuse_an_early_end(rules_of(game), first)
        seating.give_out(judge, game, seed, seed_from, now)
        games.started(judge.store, game.id, now)
        board = load_board(game.variant)
        position = starting_position(board)
        table = open_phase_at(
            judge.store,
            games.by_id(judge.store, game.id),
            number=1,
            attempt=1,
            position_text=codec.position_to_text(position),
            name=str(position.phase),
            now=now,
            deadline=first,
        )
        for seat in games.seats(judge.store, game.id):
            write_to_seat(judge, table, seat, "start", {}, now)
        if quiet != games.MASTER:
            mastermail.write_of_start(judge, table.game, now)
        games.log(judge.store, game.id, who, "started", {"phase": table.phase.name}, now)
    return table


def _refuse_an_early_end(rules: HouseRules, first: datetime | None) -> None:
    """Refuse to start a game that ends by an agreed instant with its very first phase, as a running game refuses it.

    :raises RulesRefused: it does.
    """
    if rules.victory_clock_at and first is not None:
        over = datetime.fromisoformat(rules.victory_clock_at)
        if over <= first:
            at, earliest = over.astimezone(UTC), first.astimezone(UTC)
            raise RulesRefused("rules.clock-before-first", key="victory.clock.at", at=at, earliest=earliest)


def set_reader(
    judge: Judge, name: str, power: str, *, language: str | None, timezone: str | None, who: str, now: datetime
) -> games.Seat:
    """In which language and time zone the holder of a seat reads (``power``: a power, or ``master``); ``None`` leaves it as
    it is. Returns the seat.

    :raises BadInput: no such power, language or time zone.
    :raises NotFound: no such game.
    """
    _check_reader(language, timezone)
    with judge.store.transaction():
        game = games.get(judge.store, name)
        found = games.MASTER if power.strip().lower() == games.MASTER else None
        seat = games.seat(judge.store, game.id, found or board_power(load_board(game.variant).powers, power))
        wanted = (language or seat.language, timezone or seat.timezone)
        games.set_reader(judge.store, game.id, seat.power, *wanted)
        facts = {"power": seat.power, "language": wanted[0], "timezone": wanted[1]}
        games.log(judge.store, game.id, who, "reader", facts, now)
        return games.seat(judge.store, game.id, seat.power)


def _check_reader(language: str | None, timezone: str | None) -> None:
    if language is not None and language not in LANGUAGES:
        raise BadInput(f"{language!r} is no language of the mails; they are {', '.join(LANGUAGES)}")
    if timezone is not None and timezone not in available_timezones():
        raise BadInput(f"{timezone!r} is no time zone; Europe/Berlin and Asia/Tokyo are")


def board_power(powers: Sequence[str], written: str) -> str:
    """A power's name in any case, or the start of it that fits one alone -> as the board writes it.

    :raises BadInput: no such power; the text names those that there are.
    """
    fitting = [p for p in powers if p.lower() == written.strip().lower()]
    fitting = fitting or [p for p in powers if written.strip() and p.lower().startswith(written.strip().lower())]
    if len(fitting) != 1:
        raise BadInput(f"{written!r} is no power of this board; its powers are {', '.join(powers)}")
    return fitting[0]


def _address(written: str) -> str:
    """A player's mail address, checked for shape alone."""
    text = written.strip()
    try:
        wire_address(text)  # else no mail to this player could ever be sent
    except ValueError:
        raise BadInput(
            f"{written!r} is no mail address that mail can be sent to; camille@example.org is one, without a name or <>"
        ) from None
    return text
