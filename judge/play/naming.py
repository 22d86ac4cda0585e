"""What a person may be called (NAME): what makes a name, and whether another player of a game goes by it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from judge.mail.commands import misused, parse
from judge.notation import Context, read_line
from judge.notation.recipients import read_recipients
from judge.play.judge import Judge, rules_of
from judge.play.knowing import name_of, names_told, same
from judge.play.people import seats_of
from judge.rules.houserules import HouseRules
from judge.rules.position import Phase, Position, starting_position
from judge.store import games
from judge.store.games import MASTER
from judge.store.people import Person
from judge.variants import load_board
from judge.variants.names import load_names

#: characters of a name; it stands beside a power in a narrow table
LONGEST = 40
_WORD = r"[^\W\d_]+(?:['’・·-][^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_WORD}(?:\s{_WORD}){{0,3}}\Z")


def taken_in(judge: Judge, person: Person, name: str) -> str | None:
    """A game that a person plays and in which another player goes by a name, as far as the players may know; or ``None``."""
    for game, own in seats_of(judge, person.mailbox):
        if own.power == MASTER or not names_told(rules_of(game), over=game.state == "ended"):
            continue
        for seat in games.seats(judge.store, game.id):
            other = name_of(judge.store, seat.address)
            if other and other.casefold() == name.casefold() and not same(seat.address, person.address):
                return game.name
    return None


def clean_name(text: str) -> str | None:
    """A name as it is kept, or ``None``: it cannot be shown.

    Letters of any script, one to four words; nothing that a mail program makes a link of, that the judge would read when a
    mail of ours is quoted to it, or that is the name of a power, of the judge or of a part in the game.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if len(name) > LONGEST or not _NAME.match(name) or any(unicodedata.category(c) in ("Cf", "Cc") for c in name):
        return None
    if name.casefold() in _PARTS or parse(name) is not None or misused(name) is not None:
        return None
    board = load_board()
    named = read_recipients(name, board, suggest=False)
    if named.powers or named.master or named.everybody:
        return None
    for context in _contexts():
        for line in (name, f"{context.power} {name}", f"{context.power}: {name}"):
            reading = read_line(line, context)
            if reading.legal or reading.suggestions or reading.kind != "not-an-order":
                return None
    return name


_PARTS = frozenset(
    ("end", "judge", "the judge", "master", "the master", "game master", "the game master", "gm", "moderator", "operator",
     "postmaster", "admin", "administrator", "observer", "nobody", "everybody", "anybody", "you",
     "主持人", "裁判", "审判", "審判", "ジャッジ", "マスター", "ゲームマスター", "運営", "管理人", "管理员", "管理員",
     "なし", "無し", "无", "無")
)  # fmt: skip


@cache
def _contexts() -> tuple[Context, ...]:
    """A phase of each kind, in which much could be an order."""
    board = load_board()
    start = starting_position(board)
    builds = Position(Phase.parse("W1901A"), tuple(u for u in start.units if u.power != "France"), start.owners)
    return tuple(
        Context(board, load_names(), position, power, HouseRules())
        for position in (start, builds)
        for power in ("Austria", "France")
    )
