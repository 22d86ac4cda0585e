"""One mail with orders for several games: lines below ``GAME name`` are taken in there, as if they had been mailed there.

They are the sender's own there too: the seat of the other game is found by the registered address of the seat that the mail
is from, and what guards identity is asked about that seat as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.mail.commands import swallowed, take_blocks
from judge.mail.reading import Incoming
from judge.mail.sections import Press
from judge.mail.senders import same_mailbox
from judge.mail.sentmail import order_like
from judge.play.judge import Judge
from judge.play.whose import whose
from judge.store import games
from judge.store.games import Seat
from judge.store.inbox import Recipient, StoredMail


@dataclass(frozen=True, slots=True)
class Part:
    """What a mail says for another game, as a mail to the sender's seat there; or ``why`` it can't be taken there, as a code
    of ``judge.render.notes`` (the mail is then as it was)."""

    game: str
    mail: StoredMail
    incoming: Incoming
    why: str | None = None


def parts(judge: Judge, mail: StoredMail, incoming: Incoming) -> list[Part]:
    """What a seat's mail says for other games, one part a game, in the order of the mail."""
    return [
        _part(judge, mail, incoming, name, lines, tuple(replace(one, game="") for one in incoming.press if one.game == name))
        for name, lines in incoming.other_games
    ]


def own_part(incoming: Incoming) -> Incoming:
    """What a mail says for the game that it was sent to."""
    return replace(incoming, press=tuple(one for one in incoming.press if not one.game), other_games=())


def _part(
    judge: Judge, mail: StoredMail, incoming: Incoming, name: str, lines: tuple[str, ...], press: tuple[Press, ...]
) -> Part:
    said = _as_mailed(incoming, lines, press)
    seat_there = _seat(judge, mail, name)
    if seat_there is None or isinstance(seat_there, str):
        return Part(name, mail, said, seat_there or "note.other-game")
    there = replace(mail, recipient=Recipient("seat", name, seat_there.power, mail.recipient.local))
    if whose(judge, there).doubt is not None:
        return Part(name, mail, said, "note.other-game")
    return Part(name, there, said)


def _seat(judge: Judge, mail: StoredMail, name: str) -> Seat | str | None:
    """The seat of the mail's player in a running game: ``None`` if there is none, a code if there are several."""
    here = games.get(judge.store, mail.recipient.game or "")
    address = games.seat(judge.store, here.id, mail.recipient.power or "").address
    game = games.find(judge.store, name)
    if address is None or game is None or games.open_phase(judge.store, game.id) is None:
        return None
    own = [s for s in games.seats(judge.store, game.id) if s.address and same_mailbox(s.address, address)]
    return own[0] if len(own) == 1 else "note.other-game-several" if own else None


def _as_mailed(incoming: Incoming, lines: tuple[str, ...], press: tuple[Press, ...]) -> Incoming:
    """The mail as it would have been without what it says for other games, and as the first mail of a thread: what it
    answers belongs to the game that it was sent to."""
    blocks, lines_left = take_blocks(lines)
    unclosed = (line for one in press if not one.ended for line in one.text.splitlines() if line.strip())
    return replace(
        incoming,
        own_lines=tuple(lines_left),
        press=press,
        blocks=tuple(blocks),
        old=(),
        other_games=(),
        doubtful=(
            *((line, "unclosed-press") for line in unclosed),
            *((line, "unclosed-block") for line in swallowed(blocks) if order_like(line)),
        ),
        unread_attachments=(),
        player_text="\n".join([*lines, *(one.text for one in press)]),
        subject="",
        message_id=None,
        in_reply_to=None,
        references=(),
    )
