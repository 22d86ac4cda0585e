"""Senders who are not who they say, over SMTP to `judge serve` as it runs: what is held, answered, logged and stored."""

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
GAME = "spring42@judge.example.org"
SECRET = "an order nobody may read in a log"


class Served:
    """A judge that serves a game, the mails that its relay got, and a client that speaks bytes."""

    def __init__(self, home, relay):
        self.home, self.relay, self.sent = home, relay, 0
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        self.process = None
        self.port = 0
        self.number = 0

    async def run(self, *arguments):
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=self.environ
        )
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return out.decode()

    async def judge(self, *arguments):
        return await self.run("--home", str(self.home), *arguments)

    async def start(self):
        relay = f"127.0.0.1:{self.relay.port}"
        await self.run("init", str(self.home), "--domain", "judge.example.org", "--listen", "127.0.0.1:0", "--relay", relay)
        seats = [f"--seat={power}={power.lower()}@example.org" for power in ("France", "Germany", "Italy")]
        made = await self.judge("game", "new", "spring42", "--schedule", "every 9 days", *seats, "--start", "--json")
        self.seats = {seat["power"]: seat["reply_to"] for seat in json.loads(made)["seats"] if seat.get("reply_to")}
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

    async def talk(self, *pieces):
        """Send bytes, wait for what comes back until the server closes; all replies."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"".join(pieces))
        async with asyncio.timeout(PATIENCE):
            said = await reader.read()
        writer.close()
        return said.decode()

    async def send(self, raw, to, envelope="bounces@evil.example"):
        """Hand in a mail; the code of the reply to its end, or to RCPT if that was refused."""
        envelope_lines = f"EHLO a.example\r\nMAIL FROM:<{envelope}>\r\nRCPT TO:<{to}>\r\nDATA\r\n"
        said = await self.talk(envelope_lines.encode(), raw, b"\r\n.\r\nQUIT\r\n")
        return [line for line in said.splitlines() if re.match(r"\d\d\d ", line)][-2]

    def mail(self, text, *, sender="france@example.org", to=GAME, head=""):
        self.number += 1
        return (
            f"From: {sender}\r\nTo: {to}\r\nSubject: orders\r\nDate: Mon, 30 Nov 2026 12:00:00 +0000\r\n"
            f"Message-ID: <{self.number}@evil.example>\r\n{head}\r\n{text}\r\n"
        ).encode()

    def rows(self, query):
        store = sqlite3.connect(f"file:{self.home / 'judge.db'}?mode=ro", uri=True)
        try:
            return store.execute(query).fetchall()
        finally:
            store.close()

    async def quiet(self):
        """Wait until every mail is handled and every answer is out; the mails that the relay got since last asked."""
        async with asyncio.timeout(PATIENCE):
            while True:
                inbox = self.rows("SELECT count(*) FROM inbox WHERE state = 'waiting'")
                outbox = self.rows("SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'parked')")
                if inbox == outbox == [(0,)]:
                    break
                await asyncio.sleep(0.05)
        new = self.relay.mails[self.sent :]
        self.sent = len(self.relay.mails)
        return [(to, message_from_bytes(raw)) for _, to, raw in new]

    async def orders(self, power="France"):
        shown = json.loads(await self.judge("game", "show", "spring42", "--json"))
        return next(seat["orders"] for seat in shown["seats"] if seat["power"] == power)


@pytest.fixture
async def served(tmp_path, relay):
    it = Served(tmp_path / "home", relay)
    await it.start()
    await it.quiet()
    yield it
    await it.end()


SMUGGLED = [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r\n", b"\r\n.\r", b"\r.\r", b"\n.\r", b"\r\n\x00.\r\n", b"\r\n.\r\r\n"]


async def test_no_second_mail_rides_in_a_first(served):
    for number, end in enumerate(SMUGGLED):
        inner = served.mail("A Par - Pic", to=served.seats["France"])
        inside = f"MAIL FROM:<france@example.org>\r\nRCPT TO:<{served.seats['France']}>\r\nDATA\r\n".encode() + inner
        # to Germany's address, from a stranger: whatever rides in it would be for France
        raw = served.mail(f"hello {number}", sender="x@evil.example", to=served.seats["Germany"]) + end + inside
        reply = await served.send(raw, served.seats["Germany"])
        assert reply[:3] in ("250", "550", "554"), (end, reply)
    await served.quiet()
    assert served.rows("SELECT count(*) FROM inbox WHERE power = 'France'") == [(0,)]
    assert await served.orders() == []


async def test_commands_in_one_packet_are_one_conversation(served):
    """RSET, a second MAIL, DATA without a recipient, and text that looks like commands: nothing of one mail's envelope
    is left for the next."""
    to = served.seats["Germany"].encode()
    said = await served.talk(
        b"EHLO a\r\nMAIL FROM:<x@evil.example>\r\nRCPT TO:<" + served.seats["France"].encode() + b">\r\nRSET\r\nDATA\r\n"
        b"MAIL FROM:<x@evil.example>\r\nMAIL FROM:<france@example.org>\r\nRCPT TO:<" + to + b">\r\nDATA\r\n"
        b"From: x@evil.example\r\n\r\nhello\r\n..\r\nRCPT TO:<" + served.seats["France"].encode() + b">\r\n.\r\n"
        b"BDAT 5 LAST\r\nDATA\r\nQUIT\r\n"
    )
    assert len(re.findall(r"^250 2\.0\.0 kept as", said, re.MULTILINE)) == 1
    assert len(re.findall(r"^503 ", said, re.MULTILINE)) >= 3, said
    await served.quiet()
    assert served.rows("SELECT power FROM inbox") == [("Germany",)]


FORGED = {
    "just the name": ("", {}),
    "results that it brings itself": ("Authentication-Results: judge.example.org; dkim=pass header.d=example.org\r\n", {}),
    "a signature that is none": ("DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=x; h=from; bh=x; b=x\r\n", {}),
    "a second From": ("From: x@evil.example\r\n", {}),
    "a Reply-To and a Sender": ("Reply-To: france@example.org\r\nSender: france@example.org\r\n", {}),
    "sent on": ("Resent-From: france@example.org\r\n", {"sender": "x@evil.example"}),
    "a long header": ("X-Long: " + "a" * 200_000 + "\r\n", {}),
    "NUL in headers": ("X-Nul: a\0b\r\nFrom\0: x@evil.example\r\n", {}),
    "an encoded line end": ("", {"sender": "=?utf-8?q?x=0D=0ATo=3A_y=40z=2Eexample?= <france@example.org>"}),
    "two addresses": ("", {"sender": "france@example.org, x@evil.example"}),
}


async def test_nobody_orders_for_france_by_its_name_and_nobody_is_flooded(served):
    for head, more in FORGED.values():
        raw = served.mail("A Par - Bur", head=head, **more)
        assert (await served.send(raw, GAME, envelope="france@example.org"))[:3] == "250"
    for number in range(30):
        raw = served.mail(f"A Par - Bur\r\nand {number}", sender=f"x{number}@evil.example", to=served.seats["France"])
        await served.send(raw, served.seats["France"])
    mails = await served.quiet()
    assert await served.orders() == []
    assert [to for to, _ in mails].count("france@example.org") == 1
    # the address that only claims to be sent on gets the short manual, once; nobody else anything
    assert {to for to, _ in mails} <= {"france@example.org", "x@evil.example"} and len(mails) <= 2
    (question,) = [mail for to, mail in mails if to == "france@example.org"]
    assert len(question.get_all("To")) == len(question.get_all("Subject")) == 1
    assert "is mail 1 from you?" in question["Subject"]
    answer = f"In-Reply-To: {question['Message-ID']}\r\n"
    await served.send(
        served.mail("YES 1", sender="x@evil.example", to=served.seats["France"], head=answer), served.seats["France"]
    )
    await served.send(served.mail("YES 1", to=served.seats["Germany"], head=answer), served.seats["Germany"])
    await served.send(served.mail("YES 1", head=answer), GAME)
    await served.quiet()
    assert await served.orders() == []
    raw = served.mail("YES 1", to=served.seats["France"], head=answer)
    assert (await served.send(raw, served.seats["France"], envelope="france@example.org"))[:3] == "250"
    await served.quiet()
    assert await served.orders() == ["A PAR-BUR"]


async def test_tokens_are_neither_guessed_nor_kept_nor_logged(served):
    token = served.seats["France"].partition("+")[2].partition("@")[0]
    wrong = [f"spring42+{token[:-1]}{letter}@judge.example.org" for letter in "abcdefgh" if letter != token[-1]]
    wrong += [served.seats["France"].replace("spring42", "autumn7"), f"spring42+b-{token}@judge.example.org"]
    rcpt = "".join(f"RCPT TO:<{address}>\r\n" for address in wrong * 20)
    said = await served.talk(f"EHLO a\r\nMAIL FROM:<x@evil.example>\r\n{rcpt}QUIT\r\n".encode())
    replies = said.splitlines()
    assert not any(line.startswith("250 2.1.5") for line in replies)
    # all of them alike, and after a few the connection is over
    assert {line for line in replies if line.startswith("550")} == {next(line for line in replies if line.startswith("550"))}
    assert sum(line.startswith("550") for line in replies) <= 25 and replies[-1].startswith("421")
    for text in (
        f"{SECRET} {token}",
        f"{SECRET} {token.upper()}",
        f"see spring42%2B{token}@judge.example.org",
        "A Par - Bur",
    ):
        raw = served.mail(text, to=served.seats["France"], head=f"X-Token: {token}\r\nSubject: {token}\r\n")
        await served.send(raw, served.seats["France"], envelope=served.seats["France"])
    await served.send(
        served.mail("NEW ADDRESS", to=served.seats["France"]), served.seats["France"], envelope="france@example.org"
    )
    await served.quiet()
    said = await served.talk(f"EHLO a\r\nMAIL FROM:<x@b.example>\r\nRCPT TO:<{served.seats['France']}>\r\nQUIT\r\n".encode())
    assert re.search(r"^550 ", said, re.MULTILINE)
    await served.end()
    log = (served.home / "log").read_text()
    for secret in (token, SECRET, "evil.example", "france@example.org", "Par - Bur"):
        assert secret.lower() not in log.lower(), secret
    assert all(json.loads(line) for line in log.splitlines())
    kept = b"".join(path.read_bytes() for path in served.home.glob("judge.db*")).lower()
    assert SECRET.encode() in kept and token.encode() not in kept
