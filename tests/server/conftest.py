"""What the tests of the server share: a keeper in memory, a client that speaks bytes, a relay that misbehaves as told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.server.clock import VirtualClock
from judge.server.door import Door
from judge.settings import Limits, Listen, Rates, Relay, Settings
from judge.store.inbox import Kept, Recipient

DOMAIN = "judge.example.org"
TOKEN = "abcdefghijklmnop"
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PATIENCE = 20.0


@dataclass
class MemoryKeeper:
    """Keeps mails in a list; some addresses and texts make it fail, as a full disk would."""

    mails: list[tuple[bytes, str, tuple[Recipient, ...]]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    gate: asyncio.Event | None = None
    saving: asyncio.Event = field(default_factory=asyncio.Event)

    async def recipient(self, address: str) -> Recipient | None:
        self.asked.append(address)
        local, _, domain = address.lower().partition("@")
        if local == "boom":
            raise RuntimeError("secret path /var/lib/judge.db")
        if domain != DOMAIN:
            return None
        known = {
            f"spring42+{TOKEN}": Recipient("seat", "spring42", "France", "spring42"),
            "spring42+ponmlkjihgfedcba": Recipient("seat", "spring42", "Italy", "spring42"),
            "spring42": Recipient("game", "spring42", None, "spring42"),
            "judge": Recipient("judge", None, None, "judge"),
            "postmaster": Recipient("operator", None, None, "operator"),
        }
        return known.get(local)

    async def keep(self, raw: bytes, *, envelope_from: str, recipients: Sequence[Recipient], peer: str) -> Sequence[Kept]:
        self.saving.set()
        if self.gate is not None:
            await self.gate.wait()
        if b"BOOM" in raw:
            raise OSError("secret: disk full at /var/lib/judge.db")
        self.mails.append((raw, envelope_from, tuple(recipients)))
        return [Kept(len(self.mails), False) for _ in recipients]


def make_settings(home: Path, **tables: dict[str, Any]) -> Settings:
    """Settings for a door on free ports; ``tables`` changes single keys of listen, relay, limits, rates."""
    return Settings(
        domain=DOMAIN,
        home=home,
        listen=msgspec.structs.replace(Listen(port=0, lmtp="127.0.0.1:0"), **tables.get("listen", {})),
        relay=msgspec.structs.replace(Relay(timeout=5.0), **tables.get("relay", {})),
        limits=msgspec.structs.replace(Limits(mail_bytes=20_000), **tables.get("limits", {})),
        rates=msgspec.structs.replace(Rates(), **tables.get("rates", {})),
    )


class Client:
    """Speaks to a server in bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def reply(self) -> str:
        """The next whole reply, its lines joined by a line end; empty if the connection is closed."""
        lines: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    line = (await self.reader.readline()).decode().rstrip("\r\n")
                except ConnectionError:
                    line = ""
                if not line:
                    return "\n".join(lines)
                lines.append(line)
                if line[3:4] != "-":
                    return "\n".join(lines)

    async def say(self, text: str | bytes) -> str:
        """Send a line and return the reply."""
        await self.send((text.encode() if isinstance(text, str) else text) + b"\r\n")
        return await self.reply()

    async def send(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def begin(self, to: str = f"spring42+{TOKEN}@{DOMAIN}", greeting: str = "EHLO") -> None:
        """Greet, name sender and recipient, say DATA."""
        assert (await self.reply()).startswith("220 ")
        assert (await self.say(f"{greeting} client.example")).startswith("250")
        assert (await self.say("MAIL FROM:<camille@example.org>")).startswith("250")
        assert (await self.say(f"RCPT TO:<{to}>")).startswith("250")
        assert (await self.say("DATA")).startswith("354")

    def close(self) -> None:
        """Hang up."""
        self.writer.transport.abort()


@dataclass
class OpenDoor:
    """A door that listens, its keeper, its clock, and a way to connect."""

    door: Door
    keeper: MemoryKeeper
    clock: VirtualClock

    @contextlib.asynccontextmanager
    async def client(self, protocol: str = "smtp") -> AsyncIterator[Client]:
        port = self.door.smtp_port if protocol == "smtp" else self.door.lmtp_port
        client = Client(*await asyncio.open_connection("127.0.0.1", port))
        try:
            yield client
        finally:
            client.close()


OpenDoors = Callable[..., contextlib.AbstractAsyncContextManager[OpenDoor]]


@pytest.fixture
def open_door(tmp_path: Path) -> OpenDoors:
    """Open a door with a keeper in memory: ``async with open_door(limits={"recipients": 2}) as it``."""

    @contextlib.asynccontextmanager
    async def opened(tls: Any = None, **tables: dict[str, Any]) -> AsyncIterator[OpenDoor]:
        keeper, clock = MemoryKeeper(), VirtualClock(START)
        door = Door(make_settings(tmp_path, **tables), keeper, clock, tls)
        await door.open()
        try:
            yield OpenDoor(door, keeper, clock)
        finally:
            if keeper.gate is not None:
                keeper.gate.set()
            await door.close()

    return opened


@pytest.fixture
def settings_for(tmp_path: Path) -> Callable[..., Settings]:
    """``settings_for(relay={"port": 25})``: settings in a folder of their own."""
    return lambda **tables: make_settings(tmp_path, **tables)


# ---- a relay that behaves as it is told ------------------------------------------------------------------------------


class TestRelay:
    """A mail server that takes everything, but for the answers that ``answers`` gives to verbs.

    ``answers`` maps a verb (``CONNECT``, ``EHLO``, ``MAIL``, ``RCPT``, ``DATA``, ``END``) to a list of replies, used up one
    after another; ``"close"`` closes without a word, ``"hang"`` says nothing for ever, ``"cut"`` closes in the middle of
    reading the mail. After the last of the list it answers well.
    """

    __test__ = False

    def __init__(self, extensions: Sequence[str] = ("8BITMIME", "SIZE 1000000", "SMTPUTF8")) -> None:
        self.answers: dict[str, list[str]] = {}
        self.extensions = list(extensions)
        self.mails: list[tuple[str, str, bytes]] = []
        self.connections = 0
        self.open = 0
        self.most_open = 0
        self.commands: list[str] = []
        self.got = asyncio.Event()
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=2**24)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _answer(self, verb: str, otherwise: str) -> str:
        left = self.answers.get(verb)
        return left.pop(0) if left else otherwise

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(verb: str, otherwise: str) -> str:
            answer = self._answer(verb, otherwise)
            if answer == "hang":
                await asyncio.sleep(3600)
            if answer == "close":
                raise ConnectionResetError
            if answer != "cut":
                writer.write(answer.encode() + b"\r\n")
                await writer.drain()
            return answer

        await say("CONNECT", "220 relay.example ESMTP")
        sender = recipient = ""
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            self.commands.append(line)
            verb = line.split()[0].upper()
            if verb == "EHLO":
                lines = ["relay.example", *self.extensions]
                text = "\r\n".join(f"250-{x}" for x in lines[:-1]) + ("\r\n" if lines[1:] else "") + f"250 {lines[-1]}"
                await say("EHLO", text)
            elif verb == "MAIL":
                if (await say("MAIL", "250 2.1.0 ok"))[0] == "2":
                    sender = line[10:].split(">")[0].lstrip("<")
            elif verb == "RCPT":
                if (await say("RCPT", "250 2.1.5 ok"))[0] == "2":
                    recipient = line[8:].split(">")[0].lstrip("<")
            elif verb == "DATA":
                answer = await say("DATA", "354 go on")
                if answer == "cut":
                    writer.write(b"354 go on\r\n")
                    await reader.read(100)
                    raise ConnectionResetError
                if answer[0] == "3":
                    content = await reader.readuntil(b"\r\n.\r\n")
                    if (await say("END", "250 2.0.0 queued"))[0] == "2":
                        self.mails.append((sender, recipient, content[:-3].replace(b"\r\n..", b"\r\n.")))
                        self.got.set()
            elif verb == "QUIT":
                await say("QUIT", "221 bye")
                return
            else:
                await say(verb, "250 ok")


@pytest.fixture
async def relay() -> AsyncIterator[TestRelay]:
    """A relay that listens."""
    it = TestRelay()
    await it.start()
    yield it
    await it.stop()
