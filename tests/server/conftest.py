"""What the tests of the server share: a keeper in memory, a client that speaks bytes, a relay that misbehaves as told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from email.utils import formatdate
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

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


# ---- a judge that serves, as a whole ---------------------------------------------------------------------------------


COMMAND = [sys.executable, "-c", "from judge.cli import main; main()"]
#: seconds that a whole server may take on a machine with other work
STEADY = 60.0


class Post:
    """A judge that serves, the relay that has its mails, and a client that hands mails in."""

    def __init__(self, home: Path, relay: TestRelay) -> None:
        self.home, self.relay, self.sent, self.number, self.port = home, relay, 0, 0, 0
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        self.process: asyncio.subprocess.Process | None = None

    async def run(self, *arguments: str) -> str:
        """Run a command of the judge."""
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=self.environ
        )
        async with asyncio.timeout(STEADY):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return out.decode()

    async def start(self, *new: str) -> None:
        """Set up a judge with a game, and serve."""
        relay = f"127.0.0.1:{self.relay.port}"
        await self.run("init", str(self.home), "--domain", "judge.example.org", "--listen", "127.0.0.1:0", "--relay", relay)
        await self.run("--home", str(self.home), "game", "new", *new)
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND, "--home", str(self.home), "serve",
            stdout=asyncio.subprocess.PIPE, stderr=(self.home / "log").open("ab"), env=self.environ,
        )  # fmt: skip
        async with asyncio.timeout(STEADY):
            assert self.process.stdout is not None
            line = (await self.process.stdout.readline()).decode()
        found = re.match(r"serving judge\.example\.org: SMTP on 127\.0\.0\.1:(\d+)", line)
        assert found is not None, line
        self.port = int(found[1])

    async def end(self) -> None:
        """Tell it to stop."""
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(STEADY):
                await self.process.wait()

    async def write(
        self,
        text: str,
        *,
        sender: str = "mia@example.net",
        to: str = "judge@judge.example.org",
        answering: Message | None = None,
    ) -> tuple[str, list[tuple[str, Message]]]:
        """Hand in a mail; the answers of the server to RCPT and to the end, and all mails that go out because of it."""
        self.number += 1
        head = [f"From: Mia <{sender}>", f"To: {to}", "Subject: hello", f"Date: {formatdate()}"]
        head += [f"Message-ID: <{self.number}@example.net>", "Content-Type: text/plain; charset=utf-8"]
        head += [f"In-Reply-To: {answering['Message-ID']}"] if answering else []
        envelope = f"EHLO a.example\r\nMAIL FROM:<{sender}>\r\nRCPT TO:<{to}>\r\nDATA\r\n"
        mail = "\r\n".join([*head, "", text, ".", "QUIT", ""])
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(envelope.encode() + mail.encode())
        async with asyncio.timeout(STEADY):
            replies = (await reader.read()).decode()
        writer.close()
        return replies, await self.quiet()

    @staticmethod
    def text_of(message: Message) -> str:
        """The plain text of a mail."""
        part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database has, read beside the server."""
        store = sqlite3.connect(f"file:{self.home / 'judge.db'}?mode=ro", uri=True)
        try:
            return store.execute(query).fetchall()
        finally:
            store.close()

    async def quiet(self) -> list[tuple[str, Message]]:
        """Wait until every mail is read and every answer delivered; the mails that went out since the last time."""
        async with asyncio.timeout(STEADY):
            while True:
                waiting = self.rows("SELECT count(*) FROM inbox WHERE state = 'waiting'")
                if waiting == self.rows("SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'parked')") == [(0,)]:
                    break
                await asyncio.sleep(0.05)
        new = self.relay.mails[self.sent :]
        self.sent = len(self.relay.mails)
        return [(envelope, message_from_bytes(raw)) for envelope, _, raw in new]


@pytest.fixture
async def post(tmp_path: Path, relay: TestRelay) -> AsyncIterator[Post]:
    """A judge that serves once it is told to start."""
    it = Post(tmp_path / "home", relay)
    yield it
    await it.end()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def post_of_all(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Post]:
    """The same for all tests of a module, which share its event loop."""
    relay = TestRelay()
    await relay.start()
    it = Post(tmp_path_factory.mktemp("post") / "home", relay)
    yield it
    await it.end()
    await relay.stop()
