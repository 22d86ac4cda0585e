"""Somebody unknown becomes a player by mail alone, over SMTP to `judge serve` as it runs."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import sys
from email import message_from_bytes

import pytest

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from judge.cli import main; main()"]
PATIENCE = 60
JUDGE = "judge@judge.example.org"


class Post:
    """A judge that serves, the relay that has its mails, and a client that hands mails in."""

    def __init__(self, home, relay):
        self.home, self.relay, self.sent, self.number = home, relay, 0, 0
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        self.process = None

    async def run(self, *arguments):
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=self.environ
        )
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return out.decode()

    async def start(self, *new):
        relay = f"127.0.0.1:{self.relay.port}"
        await self.run("init", str(self.home), "--domain", "judge.example.org", "--listen", "127.0.0.1:0", "--relay", relay)
        await self.run("--home", str(self.home), "game", "new", *new)
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND, "--home", str(self.home), "serve",
            stdout=asyncio.subprocess.PIPE, stderr=(self.home / "log").open("ab"), env=self.environ,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            line = (await self.process.stdout.readline()).decode()
        self.port = int(re.match(r"serving judge\.example\.org: SMTP on 127\.0\.0\.1:(\d+)", line)[1])

    async def end(self):
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                await self.process.wait()

    async def write(self, text, *, sender="mia@example.net", to=JUDGE, answering=None):
        """Hand in a mail; the answers of the server to RCPT and to the end, and all mails that go out because of it."""
        self.number += 1
        head = [f"From: Mia <{sender}>", f"To: {to}", "Subject: hello", "Date: Mon, 30 Nov 2026 21:00:00 +0900"]
        head += [f"Message-ID: <{self.number}@example.net>", "Content-Type: text/plain; charset=utf-8"]
        head += [f"In-Reply-To: {answering['Message-ID']}"] if answering else []
        envelope = f"EHLO a.example\r\nMAIL FROM:<{sender}>\r\nRCPT TO:<{to}>\r\nDATA\r\n"
        mail = "\r\n".join([*head, "", text, ".", "QUIT", ""])
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(envelope.encode() + mail.encode())
        async with asyncio.timeout(PATIENCE):
            replies = (await reader.read()).decode()
        writer.close()
        return replies, await self.quiet()

    def rows(self, query):
        store = sqlite3.connect(f"file:{self.home / 'judge.db'}?mode=ro", uri=True)
        try:
            return store.execute(query).fetchall()
        finally:
            store.close()

    async def quiet(self):
        async with asyncio.timeout(PATIENCE):
            while True:
                waiting = self.rows("SELECT count(*) FROM inbox WHERE state = 'waiting'")
                if waiting == self.rows("SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'parked')") == [(0,)]:
                    break
                await asyncio.sleep(0.05)
        new = self.relay.mails[self.sent :]
        self.sent = len(self.relay.mails)
        return [(envelope, message_from_bytes(raw)) for envelope, _, raw in new]


@pytest.fixture
async def post(tmp_path, relay):
    it = Post(tmp_path / "home", relay)
    yield it
    await it.end()


def text_of(message):
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()


async def test_an_unknown_person_joins_a_game_by_mail_alone(post):
    await post.start("autumn7", "--set", "powers.assign=best-ranks")
    _, [(_, listed)] = await post.write("LIST")
    assert "autumn7" in text_of(listed)
    _, [(envelope, asked)] = await post.write("参加 autumn7 フランス")
    assert post.rows("SELECT count(*) FROM wishes") == [(0,)]
    assert re.fullmatch(r"judge\+1\.b-[a-z2-7]{16}@judge\.example\.org", envelope)
    own = asked["Reply-To"]
    assert re.fullmatch(r"judge\+1\.[a-z2-7]{16}@judge\.example\.org", own)
    assert "参加" in text_of(asked) or "YES" in text_of(asked)
    refused, none = await post.write("YES", to=own.replace(own[8], "a" if own[8] != "a" else "b", 1), answering=asked)
    assert "550" in refused and none == []
    _, [(_, done)] = await post.write("はい", to=own, answering=asked)
    assert "フランス" in text_of(done)
    assert post.rows("SELECT address, powers FROM wishes") == [("mia@example.net", '["France"]')]
    token = re.search(r"\.([a-z2-7]{16})@", own)[1]
    log = (post.home / "log").read_text()
    assert token not in log and "mia@" not in log
    assert all(token.encode() not in row[0] for row in post.rows("SELECT bytes FROM raws"))


async def test_a_player_gets_the_lost_address_back_and_orders_by_it(post):
    seats = ["--seat=France=mia@example.net", "--seat=Italy=leo@example.net"]
    await post.start("spring42", "--schedule", "every 9 days", *seats, "--start", "--json")
    await post.quiet()
    _, got = await post.write("LINK mia@example.net", sender="eve@evil.example")
    links = next(mail for _, mail in got if mail["To"] == "mia@example.net")
    eve = next(mail for _, mail in got if mail["To"] == "eve@evil.example")
    assert "+" not in text_of(eve).replace("UTC+9", "")
    seat = re.search(r"spring42\+[a-z2-7]{16}@judge\.example\.org", text_of(links))[0]
    _, [(_, receipt)] = await post.write("A Par - Bur", to=seat)
    assert "PAR" in text_of(receipt).upper()
    shown = json.loads(await post.run("--home", str(post.home), "game", "show", "spring42", "--json"))
    assert next(one["orders"] for one in shown["seats"] if one["power"] == "France") == ["A PAR-BUR"]
