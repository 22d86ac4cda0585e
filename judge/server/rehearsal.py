"""A whole judge rehearsed on one machine: the real service, a relay that files what it is given, and senders of real mail.

The clock is moved by hand, everything else is as in ``judge serve``: mail comes in by SMTP through the door, deadlines fire
in the service's own clock task, mail goes out to the relay by SMTP. What happens is told by a script: a generator that
yields one step after another and is handed what came of each.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from aiosmtpd.smtp import SMTP as SMTPServer
from aiosmtplib import SMTP, SMTPRecipientsRefused, SMTPResponseException, SMTPServerDisconnected

from judge.server.clock import VirtualClock
from judge.server.service import Service
from judge.settings import Settings

HOST = "127.0.0.1"
#: Seconds to wait for one answer of the door or of the relay.
TIMEOUT = 30.0
#: Largest mail that the relay takes, in octets.
LARGEST = 20_000_000


class Reply(NamedTuple):
    """What the door answered to a mail: 250, or the code it was refused with."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Send:
    """Step: hand a mail to the judge's door. The script gets the `Reply`."""

    sender: str
    recipient: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Step: move the clock to an instant, and let the judge do all that is due by then."""

    instant: datetime


@dataclass(frozen=True, slots=True)
class Settle:
    """Step: let the judge do all that there is to do now."""


Step: TypeAlias = Send | MoveTo | Settle
T = TypeVar("T")
Script: TypeAlias = Generator[Step, Reply | None, T]


class PostOffice(Protocol):
    """The world outside: what the judge's relay delivers to."""

    def accept(self, recipient: str) -> str | None:
        """Whether a mail for ``recipient`` may come: ``None``, or the SMTP reply that puts it off or refuses it."""
        ...

    def deliver(self, recipient: str, raw: bytes) -> None:
        """Put a mail into the recipient's mailbox."""
        ...


def rehearse(
    post: PostOffice,
    prepare: Callable[[int], tuple[Settings, bytes]],
    script: Callable[[], Script[T]],
    *,
    start: datetime,
    random: Callable[[], float],
) -> T:
    """Run ``script`` against a judge and return what it returns.

    :param prepare: is given the port of the relay on loopback; makes the judge's home and returns its settings and key.
    :param start: where the clock stands at first, UTC.
    :param random: numbers from 0 to 1, for the spread of retries.
    """
    return asyncio.run(_rehearse(post, prepare, script, VirtualClock(start), random))


async def _rehearse(
    post: PostOffice,
    prepare: Callable[[int], tuple[Settings, bytes]],
    script: Callable[[], Script[T]],
    clock: VirtualClock,
    random: Callable[[], float],
) -> T:
    loop = asyncio.get_running_loop()
    relay = await loop.create_server(lambda: _relay_session(post), HOST, 0)
    try:
        settings, key = prepare(relay.sockets[0].getsockname()[1])
        async with Service(settings, key, clock=clock, random=random) as service, _Senders(service.smtp_port) as senders:
            return await _follow(script(), service, clock, senders)
    finally:
        relay.close()
        await relay.wait_closed()


async def _follow(script: Script[T], service: Service, clock: VirtualClock, senders: _Senders) -> T:
    """Take the steps of the script one after another."""
    answer: Reply | None = None
    while True:
        try:
            step = script.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        answer = None
        if isinstance(step, Send):
            answer = await senders.send(step)
        else:
            if isinstance(step, MoveTo):
                clock.move_to(step.instant)
            await service.idle()


class _Senders:
    """The senders' mail programs: one SMTP connection a sender, kept for the next mail."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connections: dict[str, SMTP] = {}

    async def __aenter__(self) -> _Senders:
        return self

    async def __aexit__(self, *error: object) -> None:
        for connection in self._connections.values():
            with contextlib.suppress(Exception):
                await connection.quit()

    async def send(self, mail: Send) -> Reply:
        """Hand over one mail.

        A refusal is an answer too; anything else that goes wrong is raised.
        """
        try:
            return await self._send(mail)
        except SMTPServerDisconnected:
            # the door hangs up on who is silent for too long; a mail that it took without saying so is known again
            return await self._send(mail)

    async def _send(self, mail: Send) -> Reply:
        smtp = self._connections.get(mail.sender)
        if smtp is None or not smtp.is_connected:
            smtp = SMTP(hostname=HOST, port=self._port, timeout=TIMEOUT, start_tls=False, local_hostname="players.example")
            await smtp.connect()
            self._connections[mail.sender] = smtp
        try:
            _, text = await smtp.sendmail(mail.sender, [mail.recipient], mail.raw)
        except SMTPRecipientsRefused as refused:
            return Reply(refused.recipients[0].code, refused.recipients[0].message)
        except SMTPResponseException as refused:
            return Reply(refused.code, refused.message)
        return Reply(250, text)


class _Relay:
    """aiosmtpd's handler: asks the post office at RCPT, hands the mail over after DATA."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        """Answer RCPT TO."""
        refusal = self._post.accept(address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Deliver to each recipient."""
        for address in envelope.rcpt_tos:
            self._post.deliver(address, bytes(envelope.original_content))
        return "250 delivered"


def _relay_session(post: PostOffice) -> SMTPServer:
    # a name of its own, because the default asks the resolver for one at every connection
    return SMTPServer(_Relay(post), hostname="relay.example", enable_SMTPUTF8=True, data_size_limit=LARGEST)
