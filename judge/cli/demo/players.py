"""A letter becomes a mail: the player answers the mail that lies in their mailbox, with their own program."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random

from judge.cli.demo.cast import Player
from judge.cli.demo.letters import Letter
from judge.cli.demo.mailboxes import Received
from judge.cli.demo.shapes import SHAPES, Quoted, Typed, out_of_office

#: a mail is written so long before it is handed over
BEFORE = timedelta(seconds=20)
_TOKEN_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail on its way: envelope and bytes."""

    sender: str
    recipient: str
    message_id: str
    raw: bytes


def write_mail(letter: Letter, player: Player, answered: Received, number: int, now: datetime, random: Random) -> Mail:
    """The mail that ``player`` makes of a letter as an answer to ``answered``. ``number`` makes its Message-ID unique."""
    zone = timezone(timedelta(hours=player.zone))
    recipient = _recipient(letter, answered, random)
    message_id = f"<{number:04}.{random.getrandbits(64):016x}@{player.address.partition('@')[2]}>"
    typed = Typed(
        name=player.name,
        address=player.address,
        to_name=answered.sender[0],
        to_address=recipient,
        subject=_subject(letter, answered),
        message_id=message_id,
        date=(now - BEFORE - letter.written_before).astimezone(zone),
        lines=letter.lines,
        in_reply_to=answered.message_id,
        references=(*answered.references, answered.message_id),
        quoted=Quoted(
            name=answered.sender[0],
            address=recipient,
            date=answered.date.astimezone(zone),
            subject=answered.subject,
            text=answered.text.rstrip("\n"),
        ),
    )
    shape = out_of_office if letter.kind == "away" else SHAPES[letter.program]
    return Mail(player.address, recipient, message_id, shape(typed))


def _recipient(letter: Letter, answered: Received, random: Random) -> str:
    """Where the letter goes: the Reply-To of the mail that it answers, or an address that somebody tries."""
    local, _, domain = answered.reply_to.partition("@")
    made_up = "".join(random.choices(_TOKEN_LETTERS, k=16))
    if letter.kind == "no-token":
        return answered.sender[1]
    if letter.kind == "forged":
        return f"{local[: -len(made_up)]}{made_up}@{domain}"
    if letter.kind == "unknown":
        return f"another-game{local[-len(made_up) - 1 :]}@{domain}"
    return answered.reply_to


def _subject(letter: Letter, answered: Received) -> str:
    if letter.kind == "away":
        return f"Automatic reply: {answered.subject}"
    if letter.program == "The Bat!":
        return "my orders"
    if answered.subject.lower().startswith("re:"):
        return answered.subject
    return ("RE: " if letter.program in ("Outlook", "Hotmail") else "Re: ") + answered.subject
