"""A judge with one running game, and a pen to write mails to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, door, intake, outgoing, rulings, setup, turn, views, writing
from judge.store import Store, games, inbox, outbox
from judge.variants import load_rules

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


@dataclass
class Desk:
    """The judge's side and the players' side of the mail, without a network between them."""

    judge: Judge
    now: datetime = NOON
    count: int = 0
    read_up_to: int = 0
    sent: list[Message] = field(default_factory=list)
    kept: int = 0
    outcome: str | None = None

    def reply_to(self, power: str, game: str = "spring42") -> str:
        found = games.get(self.judge.store, game)
        return self.judge.reply_address(game, games.seat(self.judge.store, found.id, power))

    def deliver(self, raw: bytes, to: str, sender: str = "someone@example.org") -> inbox.Kept | None:
        """What the door does with a mail; ``None``: refused at RCPT."""
        recipient = door.recipient(self.judge, to)
        if recipient is None:
            return None
        return door.keep(self.judge, raw, envelope_from=sender, recipients=[recipient], peer="127.0.0.1", now=self.now)[0]

    def address_of(self, power: str, to: str) -> str:
        """The registered address of a seat in the game that a mail goes to."""
        game = games.find(self.judge.store, to.partition("@")[0].partition("+")[0])
        seats = games.signed_seats(self.judge.store, game.id) if game else []
        found = next((seat.address for seat in seats if seat.power == power), None)
        return found or f"{power.lower()}@example.org"

    def write(
        self,
        power: str,
        body: str,
        *,
        answering: Message | None = None,
        subject: str | None = None,
        date: datetime | None = None,
        to: str | None = None,
        headers: Mapping[str, str] = {},
        sender: str | None = None,
    ) -> tuple[bytes, str, str]:
        self.count += 1
        to = to or self.reply_to(power)
        address = sender or self.address_of(power, to)
        lines = {
            "From": f"{power} <{address}>",
            "To": to,
            "Subject": subject or (f"Re: {answering['Subject']}" if answering else "orders"),
            "Date": format_datetime(date or self.now),
            "Message-ID": f"<{self.count}.{power.lower()}@example.org>",
        }
        if answering is not None:
            lines["In-Reply-To"] = answering["Message-ID"]
            lines["References"] = f"{answering.get('References', '')} {answering['Message-ID']}".strip()
        lines.update(headers)
        head = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in lines.items())
        mime = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
        text = body.replace("\n", "\r\n")
        return f"{head}{mime}\r\n{text}\r\n".encode(), to, address

    def mail(self, power: str, body: str, **kwargs: Any) -> Message | None:
        """A player writes, the judge takes it in; returns the answer to that player, if there was one."""
        kept = self.deliver(*self.write(power, body, **kwargs))
        assert kept is not None
        self.work()
        self.outcome = inbox.load(self.judge.store, kept.id).outcome
        received = self.receive()
        answers = [m for m in received if m["To"].startswith(power.lower())]
        return answers[-1] if answers else None

    def post(self, body: str, power: str = "France", *, results: str = "", **more: Any) -> list[Message]:
        """Somebody writes, with ``results`` as the topmost Authentication-Results, and perhaps another ``envelope``; returns
        all mails that go out because of it. ``outcome`` is what the judge made of the mail, ``kept`` its number."""
        envelope = more.pop("envelope", None)
        raw, to, sender = self.write(power, body, **more)
        raw = (f"Authentication-Results: {results}\r\n" if results else "").encode() + raw
        return self.hand_in(raw, to, envelope or sender)

    def hand_in(self, raw: bytes, to: str, sender: str) -> list[Message]:
        """A mail comes as these bytes and is taken in; returns all mails that go out because of it."""
        kept = self.deliver(raw, to, sender)
        assert kept is not None
        self.kept = kept.id
        self.work()
        self.outcome = inbox.load(self.judge.store, kept.id).outcome
        return self.receive()

    def work(self) -> None:
        while (taken := intake.step(self.judge, self.now)) is not None:
            if taken.fault is not None:
                raise taken.fault
        while (frozen := writing.freeze_next(self.judge, self.now)) is not None:
            if frozen.fault is not None:
                raise frozen.fault

    def receive(self) -> list[Message]:
        """What the relay gets since it was asked last."""
        new = []
        for line in outbox.due(self.judge.store, self.now + timedelta(days=1), 1000):
            raw = outgoing.wire_bytes(self.judge, line, eight_bit=True)
            outbox.sent(self.judge.store, line.id, self.now, "250 ok")
            new.append(message_from_bytes(raw))
        self.sent += new
        return new

    def pass_time(self, **kwargs: float) -> list[str]:
        self.now += timedelta(**kwargs)
        ran = turn.process_due(self.judge, self.now)
        for one in ran:
            if one.fault is not None:
                raise one.fault
        self.work()
        return [one.game for one in ran]

    def show(self, game: str = "spring42") -> dict[str, Any]:
        return views.game_view(self.judge, games.get(self.judge.store, game))

    def held(self, power: str) -> list[str]:
        return next(s["orders"] for s in self.show()["seats"] if s["power"] == power)


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode()  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Message]]:
    """The database of a game that has just started, closed, and the mails that this made: made once, for all tests."""
    path = tmp_path_factory.mktemp("started") / "judge.db"
    desk = Desk(Judge(Store.open(path), Keys(b"k" * 32), "judge.example.org"))
    setup.create_game(
        desk.judge,
        "spring42",
        rules=load_rules("standard"),
        players={p: f"{p.lower()}@example.org" for p in POWERS},
        now=NOON,
    )
    setup.start_game(desk.judge, "spring42", NOON)
    desk.work()
    desk.receive()
    desk.judge.store.close()
    return path, desk.sent


@pytest.fixture
def desk(tmp_path: Path, started: tuple[Path, list[Message]]) -> Desk:
    """A judge with one running game, an hour after its start; its own copy of the database."""
    path, sent = started
    shutil.copy(path, tmp_path / "judge.db")
    judge = Judge(Store.open(tmp_path / "judge.db"), Keys(b"k" * 32), "judge.example.org")
    return Desk(judge, now=NOON + timedelta(hours=1), sent=list(sent))


@pytest.fixture
def under(desk: Desk) -> Callable[..., Desk]:
    """``under("orders.duplicate=first")``: the game under rules of its own, changed in Spring, so that the Fall is played by
    them."""

    def play(*texts: str) -> Desk:
        settings = [(key, value) for key, _, value in (text.partition("=") for text in texts)]
        rulings.change_rules(desk.judge, "spring42", settings, who="Ana", now=desk.now)
        desk.pass_time(hours=23)
        desk.receive()
        return desk

    return play


@pytest.fixture(scope="session")
def desk_class() -> type[Desk]:
    """For a desk of a module's own, around a judge that the module makes."""
    return Desk
