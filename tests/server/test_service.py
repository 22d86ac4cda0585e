"""The whole server on a real store: mail in, receipts and results out, deadlines, changes by other processes."""

from __future__ import annotations

import asyncio
import contextlib
import email
import logging
import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from judge.errors import JudgeError
from judge.mail.identity import Keys
from judge.play import Judge, intake, mastermail, setup, turn, views
from judge.server.clock import VirtualClock
from judge.server.service import Service
from judge.store import Store, failedmails, games, inbox, outbox
from judge.variants import load_rules

KEY = b"k" * 32
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


class Running:
    """A service at work with its relay, and a second connection to its store, as the command line has."""

    def __init__(self, service, relay, clock, judge):
        self.service, self.relay, self.clock, self.judge = service, relay, clock, judge

    def new_game(self, name="spring42", schedule="every 24 h"):
        players = {power: f"{power.lower()}@example.org" for power in POWERS}
        rules = load_rules("standard")
        now = self.clock.now()
        setup.create_game(self.judge, name, rules=rules, schedule=schedule, players=players, now=now)
        setup.start_game(self.judge, name, now)

    def mails_to(self, power):
        """The mails that the relay has for a player, parsed, in order."""
        raws = [raw for _, to, raw in self.relay.mails if to == f"{power.lower()}@example.org"]
        return [email.message_from_bytes(raw) for raw in raws]

    async def received(self, power, count):
        """Wait until a player has so many mails; returns the last."""
        async with asyncio.timeout(30):
            while len(self.mails_to(power)) < count:
                await asyncio.sleep(0.01)
        return self.mails_to(power)[-1]

    async def send(self, answered, text, message_id, client=None):
        """Answer one of the judge's mails by SMTP; returns the server's reply."""
        to = re.search(r"[^\s<]+@[^\s>]+", answered["Reply-To"])[0]
        mail = (
            f"From: {answered['To']}\r\nTo: {to}\r\nSubject: Re: orders\r\nMessage-ID: <{message_id}@example.org>\r\n"
            f"In-Reply-To: {answered['Message-ID']}\r\n\r\n{text}\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", self.service.smtp_port)
        writer.write(
            f"EHLO a.example\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\n{mail}.\r\nQUIT\r\n".encode()
        )
        replies = (await reader.read()).decode().splitlines()
        writer.close()
        return replies[-2]


@pytest.fixture
def running(tmp_path, relay, settings_for):
    """``async with running() as it``: a service with a clock that stands still."""

    @contextlib.asynccontextmanager
    async def opened(clock=None):
        clock = clock or VirtualClock(datetime(2026, 11, 30, 12, tzinfo=UTC))
        settings = settings_for(relay={"port": relay.port, "starttls": "never"}, limits={"mail_bytes": 100_000})
        async with Service(settings, KEY, clock=clock, random=lambda: 0.5) as service:
            judge = Judge(Store.open(settings.database_path), Keys(KEY), settings.domain)
            yield Running(service, relay, clock, judge)
            judge.store.close()

    return opened


async def test_a_phase_by_mail(running, relay):
    """Start mails, orders by SMTP, a receipt, the deadline by the clock task, results to all: the main job."""
    async with running() as it:
        it.new_game()
        start = await it.received("France", 1)
        assert (await it.send(start, "A PAR-BUR", "first")).startswith("250 2.0.0 kept as")
        receipt = await it.received("France", 2)
        assert receipt["In-Reply-To"] == "<first@example.org>"
        await it.service.idle()
        assert {power: len(it.mails_to(power)) for power in POWERS} == dict.fromkeys(POWERS, 1) | {"France": 2}
        it.clock.advance(timedelta(hours=24))
        await it.service.idle()
        assert {power: len(it.mails_to(power)) for power in POWERS} == dict.fromkeys(POWERS, 2) | {"France": 3}
        assert inbox.counts(it.judge.store) == {"waiting": 0, "set_aside": 0, "handled": 1}
        assert outbox.counts(it.judge.store) == {"waiting": 0, "parked": 0, "sent": 15}
        ids = [mail["Message-ID"] for power in POWERS for mail in it.mails_to(power)]
        assert len(set(ids)) == len(ids) == 15


async def test_the_master_is_told_when_the_relay_refuses_a_players_mail(running, relay, caplog):
    """A 5xx at RCPT is as good as a bounce; the word to the master goes out by itself, and the log has numbers alone."""
    caplog.set_level("INFO", logger="judge.server")
    async with running() as it:
        it.new_game()
        with it.judge.store.transaction():
            game = games.get(it.judge.store, "spring42")
            mastermail.appoint(it.judge, game, "ana@example.org", "operator", it.clock.now())
        start = await it.received("France", 1)
        await it.service.idle()
        relay.answers = {"RCPT": ["550 5.1.1 <france@example.org>: no such user"]}
        await it.send(start, "A PAR-BUR", "first")
        word = await it.received("Ana", 2)
        assert word["Subject"] == "[spring42] mails do not reach France"
        await it.service.idle()
        assert outbox.counts(it.judge.store)["parked"] == 1
    (event,) = [record for record in caplog.records if record.msg == "seat-unreachable"]
    assert event.facts.keys() == {"outbox", "game", "status"} and event.facts["status"] == "5.1.1"
    assert "example.org" not in caplog.text


@pytest.mark.parametrize(
    "reply",
    [
        "554 5.7.1 <france@example.org>: Relay access denied",
        "550 relay not permitted",
        "530 5.7.0 Authentication required",
        "550 5.3.0 configuration error",
        "554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied",
    ],
)
async def test_a_relay_that_takes_nothing_of_ours_makes_nobody_unreachable(running, relay, caplog, reply):
    """Every mail is parked for the operator, who reads why; nobody is counted."""
    caplog.set_level("INFO", logger="judge.server")
    relay.answers = {"RCPT": [reply] * 1000}
    async with running() as it:
        it.new_game()
        await it.service.idle()
        assert outbox.counts(it.judge.store) == {"waiting": 0, "parked": 7, "sent": 0}
        view = views.status_view(it.judge)
        assert view["unreachable"] == []
        assert view["last_error"].startswith(f"RCPT: {reply[:3]}")
        assert failedmails.failing(it.judge.store, games.seat(it.judge.store, 1, "France")) is None
    assert [record for record in caplog.records if record.msg == "seat-unreachable"] == []


async def test_what_could_not_be_asked_is_asked_as_the_deadline_comes_near(running, monkeypatch):
    """In a phase of an hour, of which no hourly round need fall into the second half; and at that instant."""
    monkeypatch.setattr("judge.server.service.WATCH", 3600.0)  # by the clock alone
    async with running() as it:
        it.new_game(schedule="every 1 h")
        it.service.wake()
        await it.received("France", 1)
        head = f"To: france@example.org\nReply-To: spring42@{it.judge.domain}\nMessage-ID: <none@example.org>\n\n"
        place = email.message_from_string(head)
        it.clock.advance(timedelta(minutes=5))
        await it.send(place, "A PAR-BUR", "first")
        assert "is mail 1 from you?" in (await it.received("France", 2))["Subject"]
        it.clock.advance(timedelta(minutes=5))
        await it.send(place, "F BRE-MAO", "second")
        await it.service.idle()
        it.clock.advance(timedelta(minutes=19, seconds=59))
        await it.service.idle()
        assert len(it.mails_to("France")) == 2, "it is asked about when the half is over, and not before"
        it.clock.advance(timedelta(seconds=1))
        assert "is mail 2 from you?" in (await it.received("France", 3))["Subject"]
        await it.service.idle()
        assert it.clock.next_waking == it.clock.now() + timedelta(minutes=30), "the deadline"


async def test_a_mail_sent_twice_is_taken_once(running):
    async with running() as it:
        it.new_game()
        start = await it.received("France", 1)
        first = await it.send(start, "A PAR-BUR", "same")
        assert await it.send(start, "A PAR-BUR", "same") == first
        await it.service.idle()
        assert len(it.mails_to("France")) == 2
        assert inbox.counts(it.judge.store)["handled"] == 1


async def test_what_another_process_does_is_noticed_at_once(running):
    async with running() as it:
        it.new_game()
        await it.received("Italy", 1)
        turn.run_phase(it.judge, "spring42", it.clock.now())  # as `judge game process` does, over its own connection
        await it.received("Italy", 2)


async def test_a_deadline_that_passed_while_nobody_served_is_caught_up(running, relay):
    async with running() as it:
        it.new_game()
        await it.service.idle()
        clock = it.clock
    clock.advance(timedelta(days=9))
    async with running(clock) as it:
        await it.service.idle()
        assert len(it.mails_to("Turkey")) == 2
        await it.service.idle()
        assert len(it.mails_to("Turkey")) == 2, "one phase, not nine"


async def test_a_mail_answered_before_the_deadline_counts_even_if_not_yet_taken_in(running, monkeypatch):
    async with running() as it:
        it.new_game()
        start = await it.received("France", 1)
        await it.service.idle()
        monkeypatch.setattr(intake, "step", lambda judge, now: None)  # intake is busy elsewhere all the while
        it.clock.advance(timedelta(hours=23, minutes=59))
        assert (await it.send(start, "A PAR-BUR", "last minute")).startswith("250")
        it.clock.advance(timedelta(minutes=2))
        await it.received("France", 3)  # the start, the receipt, the result
        phases = it.judge.store.rows("SELECT position FROM phases ORDER BY number")
        assert '"bur"' in phases[1]["position"] and '"bur"' not in phases[0]["position"]


async def test_loops_outlive_exceptions_and_logs_tell_nothing(running, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    fails = {"step": 1, "process_due": 1}

    def failing(name, function):
        def call(*args, **kwargs):
            if fails[name]:
                fails[name] -= 1
                raise RuntimeError("secret camille@example.org A PAR-BUR")
            return function(*args, **kwargs)

        return call

    monkeypatch.setattr(intake, "step", failing("step", intake.step))
    monkeypatch.setattr(turn, "process_due", failing("process_due", turn.process_due))
    async with running() as it:
        it.new_game()
        start = await it.received("France", 1)
        await it.send(start, "A PAR-BUR", "first")
        await it.received("France", 2)
        it.clock.advance(timedelta(hours=24))
        await it.received("France", 3)
    assert fails == {"step": 0, "process_due": 0}
    said = caplog.text
    assert said.count("loop-failed") == 2
    everything = said + repr([getattr(r, "facts", None) for r in caplog.records])
    for secret in ("camille", "PAR", "example.org", "secret"):
        assert secret not in everything


async def test_a_service_that_cannot_begin_leaves_nothing_open(running, settings_for):
    async with running() as it:
        taken = settings_for(listen={"port": it.service.smtp_port})
        for settings, said in (
            (taken, "another server is at work"),
            (msgspec.structs.replace(taken, database="other.db"), "cannot listen there"),
        ):
            with pytest.raises(JudgeError, match=said):
                async with Service(settings, KEY, clock=it.clock, random=lambda: 0.5):
                    pass
        free = msgspec.structs.replace(settings_for(), database="other.db")
        async with Service(free, KEY, clock=it.clock, random=lambda: 0.5) as other:
            assert other.smtp_port not in (0, it.service.smtp_port)


async def test_mail36_the_answer_does_not_wait_for_the_work(running, monkeypatch):
    async with running() as it:
        it.new_game()
        start = await it.received("France", 1)
        await it.service.idle()
        monkeypatch.setattr(intake, "step", lambda judge, now: None)  # nothing is worked at all
        assert (await it.send(start, "A PAR-BUR", "first")).startswith("250 2.0.0 kept as")
        assert inbox.counts(it.judge.store) == {"waiting": 1, "set_aside": 0, "handled": 0}
