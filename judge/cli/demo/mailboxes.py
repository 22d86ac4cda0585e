"""The players' mailboxes: a Maildir each, as any mail program opens them, and what a player reads in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import Path

from judge.cli.demo.cast import Player
from judge.mail.message_ids import parse_message_id

#: every so many mails, the post office of a player puts one off, as greylisting ones do; the judge sends it again later
PUT_OFF_EVERY = 23


@dataclass(frozen=True, slots=True)
class Received:
    """A mail of the judge in a player's mailbox. ``event`` and ``phase`` are what its Message-ID says."""

    message_id: str
    event: str
    phase: str
    in_reply_to: str | None
    references: tuple[str, ...]
    sender: tuple[str, str]
    reply_to: str
    subject: str
    date: datetime
    text: str


def read_mail(raw: bytes) -> Received:
    """What a player sees of a mail."""
    message = message_from_bytes(raw)
    name = parse_message_id(message["Message-ID"] or "")
    return Received(
        message_id=(message["Message-ID"] or "").strip(),
        event=name.event if name else "",
        phase=name.phase if name else "",
        in_reply_to=(message["In-Reply-To"] or "").strip() or None,
        references=tuple((message["References"] or "").split()),
        sender=getaddresses([_text_of(message["From"])])[0],
        reply_to=getaddresses([_text_of(message["Reply-To"]) or _text_of(message["From"])])[0][1],
        subject=_text_of(message["Subject"]),
        date=parsedate_to_datetime(message["Date"]).astimezone(UTC),
        text=_plain_text(message),
    )


def _text_of(header: str | None) -> str:
    return " ".join(str(make_header(decode_header(header or ""))).split())


def _plain_text(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content.decode(part.get_content_charset() or "ascii").replace("\r\n", "\n")
    return ""


class Maildir:
    """A Maildir to file mails into, as any mail program opens it (``mutt -f``)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._count = 0
        for part in ("tmp", "new", "cur"):
            (path / part).mkdir(parents=True)

    def file(self, raw: bytes, *, seen: bool = False) -> Path:
        """File a mail, whole or not at all: written in ``tmp``, then moved. Not forced to the disk as a mail server's would
        be: these are the mails of a game that can be played again."""
        self._count += 1
        name = f"{self._count:05}.judge-demo.localhost"
        draft = self.path / "tmp" / name
        draft.write_bytes(raw.replace(b"\r\n", b"\n"))
        return draft.rename(self.path / "cur" / f"{name}:2,S" if seen else self.path / "new" / name)


class Mailboxes:
    """All players' Maildirs in one folder, with what they sent in a folder ``.Sent`` of each.

    It is the post office that the judge's relay hands mail to (`judge.server.rehearsal.PostOffice`).
    """

    def __init__(self, folder: Path, players: Iterable[Player]) -> None:
        self.folder = folder
        self.received: dict[str, list[Received]] = {}
        self.put_off = 0
        self.strays: list[str] = []
        self._powers: dict[str, str] = {}
        self._asked: Counter[str] = Counter()
        self._boxes: dict[str, Maildir] = {}
        self._sent: dict[str, Maildir] = {}
        for player in players:
            self._boxes[player.power] = Maildir(self.path(player.power))
            self._sent[player.power] = Maildir(self.path(player.power) / ".Sent")
            (self.path(player.power) / ".Sent" / "maildirfolder").touch()
            self._powers[player.address.lower()] = player.power
            self.received[player.power] = []

    def path(self, power: str) -> Path:
        """The Maildir of a power's player."""
        return self.folder / power

    # ---- the post office ---------------------------------------------------------------------------------------------

    def accept(self, recipient: str) -> str | None:
        """Put off now and then; refuse whom nobody knows."""
        power = self._powers.get(recipient.lower())
        if power is None:
            self.strays.append(recipient)
            return "550 5.1.1 nobody of that name here"
        self._asked[power] += 1
        if self._asked[power] % PUT_OFF_EVERY == PUT_OFF_EVERY // 2:
            self.put_off += 1
            return "451 4.7.1 please try again later"
        return None

    def deliver(self, recipient: str, raw: bytes) -> None:
        """File a mail into its recipient's Maildir."""
        power = self._powers[recipient.lower()]
        self.received[power].append(read_mail(self._boxes[power].file(raw).read_bytes()))

    # ---- the players -------------------------------------------------------------------------------------------------

    def keep_sent(self, power: str, raw: bytes) -> None:
        """File a mail that a player sent, as their program does."""
        self._sent[power].file(raw, seen=True)

    def about(self, power: str, phase: str) -> Received | None:
        """The mail that asked for the orders of ``phase``: the start of the game, or the result of the phase before."""
        for mail in self.received[power]:
            if mail.phase == phase and mail.event in ("start", "result"):
                return mail
        return None

    def answer_to(self, power: str, message_id: str) -> Received | None:
        """The judge's answer to a mail of the player."""
        for mail in reversed(self.received[power]):
            if mail.in_reply_to == message_id:
                return mail
        return None
