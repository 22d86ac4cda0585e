"""`judge serve` as a process: killed at any moment, it has every mail that it answered with 250; told to stop, it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import sys
from collections import Counter
from datetime import UTC, datetime

import pytest

from judge import settings
from judge.mail.identity import Keys
from judge.play import Judge, setup
from judge.settings import HostPort
from judge.store import Store, games, inbox
from judge.variants import load_rules

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from judge.cli import main; main()"]
KEY = b"s" * 32
PATIENCE = 60


class Home:
    """A judge's folder with one running game, and the process that serves it."""

    def __init__(self, path, relay_port):
        self.path = path
        text = settings.example("judge.example.org", HostPort("127.0.0.1", 0), HostPort("127.0.0.1", relay_port))
        text = re.sub(r"(seat_per_hour) = \d+", r"\1 = 0", text)
        settings.write_home(path, text, KEY)
        self.settings = settings.load(path, {})
        with self.judge() as judge:
            now = datetime.now(UTC)
            players = {"France": "camille@example.org", "Italy": "italo@example.org"}
            rules = load_rules("standard")
            setup.create_game(judge, "spring42", rules=rules, schedule="every 9 days", players=players, now=now)
            setup.start_game(judge, "spring42", now)
            game = games.get(judge.store, "spring42")
            self.seat = judge.reply_address("spring42", games.seat(judge.store, game.id, "France"))
        self.process = None
        self.port = 0

    @contextlib.contextmanager
    def judge(self):
        """A connection to the store of its own."""
        store = Store.open(self.settings.database_path)
        try:
            yield Judge(store, Keys(KEY), "judge.example.org")
        finally:
            store.close()

    async def start(self, *arguments):
        """Start serving; returns when mail is taken."""
        environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND, "--home", str(self.path), "serve", *arguments,
            stdout=asyncio.subprocess.PIPE, stderr=(self.path / "log").open("ab"), env=environ,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            line = (await self.process.stdout.readline()).decode()
        found = re.match(r"serving judge\.example\.org: SMTP on 127\.0\.0\.1:(\d+)", line)
        assert found, f"{line!r}, {(self.path / 'log').read_text()}"
        self.port = int(found[1])
        return line

    async def end(self, number):
        """Send a signal and wait for the end; returns the exit code."""
        self.process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    def message_ids(self):
        """How often each Message-ID is in the inbox."""
        with self.judge() as judge:
            return Counter(
                row["message_id"]
                for row in judge.store.rows("SELECT message_id FROM inbox JOIN raws ON raws.id = inbox.raw_id")
            )

    async def handled(self):
        """Wait until no mail waits."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with self.judge() as judge:
                    if not inbox.counts(judge.store)["waiting"]:
                        return inbox.counts(judge.store)
                await asyncio.sleep(0.05)


@pytest.fixture
async def home(tmp_path, relay):
    """A judge that is not yet served."""
    it = Home(tmp_path / "home", relay.port)
    yield it
    if it.process is not None and it.process.returncode is None:
        await it.end(signal.SIGKILL)


async def pour(home, name, answered, enough):
    """Send mails over one connection until it breaks; ``answered`` gets the ids of those that 250 was said for."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", home.port)
        await reader.readline()
        writer.write(b"HELO a.example\r\n")
        await reader.readline()
        for number in range(10_000):
            mail_id = f"<{name}-{number}@example.org>"
            mail = f"From: camille@example.org\r\nMessage-ID: {mail_id}\r\n\r\nA PAR-BUR\r\n"
            writer.write(f"MAIL FROM:<camille@example.org>\r\nRCPT TO:<{home.seat}>\r\nDATA\r\n{mail}.\r\n".encode())
            for _ in range(3):
                await reader.readline()
            if (await reader.readline()).startswith(b"250 "):
                answered.append(mail_id)
                enough(len(answered))
            elif reader.at_eof():
                return
    except ConnectionError:
        return


async def kill_while_pouring(home, seed, number):
    """Start, pour mails over four connections, send ``number`` after some were answered; returns ids and exit code."""
    chance = random.Random(seed)
    after = chance.randint(1, 40)
    answered, reached = [], asyncio.Event()

    def enough(count):
        if count >= after:
            reached.set()

    await home.start()
    pouring = [asyncio.ensure_future(pour(home, f"{seed}-{n}", answered, enough)) for n in range(4)]
    async with asyncio.timeout(PATIENCE):
        await reached.wait()
    code = await home.end(number)
    await asyncio.gather(*pouring)
    return answered, code


def check_nothing_lost(home, answered):
    """Every mail that was answered with 250 is there, once, and the database is whole."""
    there = home.message_ids()
    assert [mail_id for mail_id in answered if there[mail_id] != 1] == []
    assert max(there.values()) == 1
    with home.judge() as judge:
        assert judge.store.integrity() == "ok"


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 13))])
async def test_what_was_answered_with_250_survives_kill_9(home, relay, seed):
    answered, code = await kill_while_pouring(home, seed, signal.SIGKILL)
    assert code == -signal.SIGKILL
    check_nothing_lost(home, answered)
    again, _ = await kill_while_pouring(home, seed + 1000, signal.SIGKILL)
    check_nothing_lost(home, answered + again)
    # served again, the rest is taken in, and each mail of ours goes out once, or after a kill twice with one Message-ID
    await home.start()
    counts = await home.handled()
    assert counts["set_aside"] == 0
    assert counts["handled"] == len(home.message_ids())
    assert await home.end(signal.SIGTERM) == 0
    sent = Counter(re.search(rb"(?im)^message-id:\s*(\S+)", raw)[1] for _, _, raw in relay.mails)
    connections = home.settings.relay.connections
    assert sum(count - 1 for count in sent.values()) <= 2 * connections


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_told_to_stop_it_ends_well_and_loses_nothing(home, relay, number):
    answered, code = await kill_while_pouring(home, int(number), number)
    assert code == 0
    check_nothing_lost(home, answered)
    events = [json.loads(line) for line in (home.path / "log").read_text().splitlines()]
    assert events[-1]["event"] == "stopped"
    assert not [e for e in events if e["level"] == "error"]
    text = (home.path / "log").read_text()
    for secret in ("camille", home.seat.split("@")[0], "PAR", "italo"):
        assert secret not in text
    sent = Counter(re.search(rb"(?im)^message-id:\s*(\S+)", raw)[1] for _, _, raw in relay.mails)
    assert set(sent.values()) <= {1}


async def test_lmtp_by_a_socket_and_systemd_is_told(home, tmp_path, monkeypatch):
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.bind(str(tmp_path / "notify"))
        notices.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        line = await home.start("--lmtp", str(tmp_path / "lmtp"))
        assert f"LMTP on {tmp_path / 'lmtp'}" in line
        assert notices.recv(100) == b"READY=1"
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "lmtp"))
        assert (await reader.readline()).startswith(b"220 judge.example.org")
        writer.close()
        assert await home.end(signal.SIGTERM) == 0
        assert notices.recv(100) == b"STOPPING=1"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"JUDGE_DATABASE": "other.db"}, "127.0.0.1:{port}: cannot listen there: "),
        ({"JUDGE_LISTEN__PORT": "0"}, "judge: another server is at work on {home}/judge.db"),
    ],
    ids=["the same port", "the same database"],
)
async def test_a_second_server_is_refused(home, environ, said):
    await home.start()
    environ = os.environ | {"JUDGE_LISTEN__PORT": str(home.port)} | environ
    second = await asyncio.create_subprocess_exec(
        *COMMAND, "--home", str(home.path), "serve", env=environ, stderr=asyncio.subprocess.PIPE
    )
    _, told = await asyncio.wait_for(second.communicate(), PATIENCE)
    assert second.returncode == 1
    assert told.decode().splitlines()[-1].startswith(said.format(port=home.port, home=home.path))
