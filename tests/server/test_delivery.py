"""Delivery against a relay that behaves well, badly, slowly, or not at all; on a real store."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import pytest

from judge.server.clock import VirtualClock
from judge.server.delivery import RELAY_BACKOFF, Backoff, Delivery, in_turn
from judge.server.relaying import Parcel, RelayConnection, told
from judge.store import Store, outbox

SENDER = "spring42+b-abcdefghijklmnop@judge.example.org"


class Outbox:
    """The store's outbox without a thread."""

    def __init__(self, store, content=b"Subject: x\r\n\r\nhello\r\n"):
        self.store, self.content, self.fail_commits, self.fail_content = store, content, 0, False
        self.statuses = {}

    async def due(self, now, limit):
        return outbox.due(self.store, now, limit)

    async def next_due(self):
        return outbox.next_due(self.store)

    async def parcel(self, line):
        async def content(eight_bit):
            if self.fail_content:
                raise LookupError("secret: camille@example.org")
            return self.content if not callable(self.content) else self.content(eight_bit)

        return Parcel(SENDER, line.address, content)

    async def sent(self, line, at, reply):
        if self.fail_commits:
            self.fail_commits -= 1
            raise OSError("disk full")
        outbox.sent(self.store, line.id, at, reply)

    async def deferred(self, line, until, error):
        outbox.deferred(self.store, line.id, until, error)

    async def parked(self, line, at, error, status):
        outbox.parked(self.store, line.id, at, error)
        self.statuses[line.id] = status


class Mailroom:
    """A delivery under test with everything around it."""

    def __init__(self, tmp_path, relay, settings, clock):
        self.store = Store.open(tmp_path / "judge.db")
        self.outbox, self.relay, self.clock = Outbox(self.store), relay, clock
        self.progress = asyncio.Event()
        self.delivery = Delivery(
            self.outbox,
            lambda: RelayConnection(settings, None),
            clock,
            lambda: 0.5,
            connections=settings.relay.connections,
            progress=self.progress.set,
        )

    def add(self, *addresses):
        """Ready lines to ``addresses``; returns their ids."""
        ids = []
        for address in addresses:
            now = self.clock.now()
            with self.store.transaction():
                number = self.store.row("SELECT count(*) AS n FROM outbox")["n"]
                added = outbox.add(self.store, event="help", args={}, address=address, message_id=f"<{number}@x>", now=now)
            outbox.freeze(self.store, added, b"frozen", subject="x", body="x", now=now)
            ids.append(added)
        self.delivery.wake.set()
        return ids

    def line(self, line_id):
        """A line as stored, with its error and reply."""
        return self.store.row("SELECT * FROM outbox WHERE id = ?", line_id)

    async def until(self, condition):
        """Wait until something is so."""
        async with asyncio.timeout(20):
            while not condition():
                self.progress.clear()
                if not condition():
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.05):
                            await self.progress.wait()

    async def settled(self, *ids):
        """Wait until each of the lines had another attempt."""
        before = {i: self.line(i)["attempts"] for i in ids}
        self.delivery.wake.set()
        await self.until(lambda: all(self.line(i)["attempts"] > before[i] for i in ids))


@pytest.fixture
def mailroom(tmp_path, relay, settings_for):
    """``async with mailroom(connections=1, timeout=0.3) as it``"""

    @contextlib.asynccontextmanager
    async def opened(**keys):
        clock = VirtualClock(datetime(2026, 11, 30, 12, tzinfo=UTC))
        keys = {"port": relay.port, "connections": 1, "starttls": "offered", "timeout": 10.0} | keys
        it = Mailroom(tmp_path, relay, settings_for(relay=keys), clock)
        it.delivery.start()
        try:
            yield it
        finally:
            await it.delivery.stop()
            it.store.close()

    return opened


async def test_what_is_due_is_sent_over_one_connection(mailroom, relay):
    async with mailroom() as it:
        ids = it.add("a@example.org", "b@example.org", "c@example.org")
        await it.until(lambda: all(it.line(i)["state"] == "sent" for i in ids))
        assert [(sender, to) for sender, to, _ in relay.mails] == [
            (SENDER, "a@example.org"), (SENDER, "b@example.org"), (SENDER, "c@example.org"),
        ]  # fmt: skip
        assert relay.connections == 1
        assert it.line(ids[0])["reply"] == "250 2.0.0 queued"


async def test_connections_are_bounded(mailroom, relay):
    async with mailroom(connections=3) as it:
        ids = it.add(*(f"p{n}@example.org" for n in range(40)))
        await it.until(lambda: all(it.line(i)["state"] == "sent" for i in ids))
        assert relay.most_open <= 3
        assert sorted(to for _, to, _ in relay.mails) == sorted(f"p{n}@example.org" for n in range(40))


@pytest.mark.parametrize(
    ("verb", "reply", "state", "error"),
    [
        ("RCPT", "550 5.1.1 no such user <a@example.org>", "parked", "RCPT: 550 5.1.1 no such user <address>"),
        ("RCPT", "450 4.2.1 mailbox busy", "ready", "RCPT: 450 4.2.1 mailbox busy"),
        ("RCPT", "452 4.2.2 mailbox full", "ready", "RCPT: 452 4.2.2 mailbox full"),
        ("DATA", "451 4.7.1 greylisted", "ready", "DATA: 451 4.7.1 greylisted"),
        ("DATA", "554 5.7.1 no", "parked", "DATA: 554 5.7.1 no"),
        ("END", "451 4.3.0 later", "ready", "DATA: 451 4.3.0 later"),
        ("END", "554 5.7.1 spam", "parked", "DATA: 554 5.7.1 spam"),
        ("END", "552 5.3.4 too large", "parked", "DATA: 552 5.3.4 too large"),
        ("MAIL", "552 5.3.4 too large", "parked", "MAIL: 552 5.3.4 too large"),
        ("MAIL", "452 4.3.1 full", "ready", "MAIL: 452 4.3.1 full"),
    ],
)
async def test_a_fault_of_one_mail_is_that_mails_alone(mailroom, relay, verb, reply, state, error):
    relay.answers = {verb: [reply]}
    async with mailroom() as it:
        bad, good = it.add("a@example.org", "b@example.org")
        await it.until(lambda: it.line(good)["state"] == "sent" and it.line(bad)["attempts"])
        assert (it.line(bad)["state"], it.line(bad)["error"]) == (state, error)
        assert relay.connections == 1
        if state == "ready":
            it.clock.advance(timedelta(seconds=29))
            it.add("c@example.org")
            await it.until(lambda: len(relay.mails) == 2)
            assert it.line(bad)["state"] == "ready"
            it.clock.advance(timedelta(seconds=2))
            await it.until(lambda: it.line(bad)["state"] == "sent")
        else:
            it.clock.advance(timedelta(days=30))
            it.add("c@example.org")
            await it.until(lambda: len(relay.mails) == 2)
            assert it.line(bad)["state"] == "parked"
            # why its recipient does not get it, if it is refused for the recipient's sake
            assert it.outbox.statuses == {bad: "5.1.1" if "5.1.1" in reply else ""}


RELAY_FAULTS = {
    "greets with 554": {"CONNECT": ["554 no"]},
    "greets with 421": {"CONNECT": ["421 busy"]},
    "closes at once": {"CONNECT": ["close"]},
    "says nothing": {"CONNECT": ["hang"]},
    "refuses EHLO": {"EHLO": ["550 no"], "HELO": ["550 no"]},
    "closes at EHLO": {"EHLO": ["close"]},
    "takes no sender": {"MAIL": ["550 5.7.1 not from you"]},
    "puts off every sender": {"MAIL": ["450 4.7.1 too fast"]},
    "closes at MAIL": {"MAIL": ["close"]},
    "goes away at RCPT": {"RCPT": ["421 4.3.2 going"]},
    "closes at RCPT": {"RCPT": ["close"]},
    "hangs at RCPT": {"RCPT": ["hang"]},
    "closes half-way": {"DATA": ["cut"]},
    "closes after the mail": {"END": ["close"]},
    "hangs after the mail": {"END": ["hang"]},
    "answers no SMTP": {"CONNECT": ["HTTP/1.1 400 Bad Request"]},
    "answers 250 to DATA": {"DATA": ["250 ok"]},
    "answers 354 to MAIL": {"MAIL": ["354 go on"]},
}


@pytest.mark.parametrize("fault", RELAY_FAULTS)
async def test_a_fault_of_the_relay_rests_all_mails_and_loses_none(mailroom, relay, fault):
    relay.answers = {verb: list(replies) for verb, replies in RELAY_FAULTS[fault].items()}
    # a relay that hangs is waited for in real time; only those cases need a short patience
    hangs = any("hang" in replies for replies in RELAY_FAULTS[fault].values())
    async with mailroom(timeout=0.4 if hangs else 10.0) as it:
        ids = it.add("a@example.org", "b@example.org")
        await it.until(lambda: it.line(ids[0])["attempts"] == 1)
        assert [it.line(i)["state"] for i in ids] == ["ready", "ready"]
        assert it.line(ids[1])["attempts"] == 0, "the relay rests, so the second was not tried"
        assert relay.mails == []
        # what relays say has no address in it, and tokens neither
        assert "example.org" not in it.line(ids[0])["error"]
        it.clock.advance(timedelta(seconds=7))
        await it.until(lambda: [it.line(i)["state"] for i in ids] == ["sent", "sent"])
        assert len(relay.mails) == 2


async def test_nobody_listens_for_hours_and_then_everything_arrives_once(mailroom, relay):
    await relay.stop()
    async with mailroom() as it:
        ids = it.add(*(f"p{n}@example.org" for n in range(6)))
        waits = []
        for _ in range(30):
            await it.until(lambda: it.clock.next_waking is not None)
            waits.append((it.clock.next_waking - it.clock.now()).total_seconds())
            tried = sum(it.line(i)["attempts"] for i in ids)
            it.clock.move_to(it.clock.next_waking)
            await it.until(lambda tried=tried: sum(it.line(i)["attempts"] for i in ids) > tried)
        assert waits[:4] == [5, 10, 20, 40]
        assert max(waits) <= RELAY_BACKOFF.most.total_seconds()
        await relay.start(relay.port)
        while any(it.line(i)["state"] != "sent" for i in ids):
            it.clock.advance(timedelta(minutes=10))
            it.delivery.wake.set()
            await asyncio.sleep(0.01)
        assert sorted(to for _, to, _ in relay.mails) == [f"p{n}@example.org" for n in range(6)]


async def test_a_kept_connection_that_the_relay_has_closed_is_opened_anew_at_once(mailroom, relay):
    async with mailroom() as it:
        (first,) = it.add("a@example.org")
        await it.until(lambda: it.line(first)["state"] == "sent")
        relay.answers = {"MAIL": ["421 4.7.0 enough mails for one connection"]}
        (second,) = it.add("b@example.org")
        await it.until(lambda: it.line(second)["state"] == "sent")
        relay.answers = {"MAIL": ["close"]}
        (third,) = it.add("c@example.org")
        await it.until(lambda: it.line(third)["state"] == "sent")
        assert [it.line(i)["attempts"] for i in (first, second, third)] == [1, 1, 1]
        assert relay.connections == 3


async def test_a_mail_that_is_put_off_is_tried_ever_more_rarely_and_parked_after_days(mailroom, relay):
    relay.answers = {"RCPT": ["450 4.2.1 not now"] * 1000}
    async with mailroom() as it:
        (line,) = it.add("a@example.org")
        begun, waits = it.clock.now(), []
        await it.until(lambda: it.line(line)["attempts"] == 1)
        while it.line(line)["state"] == "ready":
            tried = it.line(line)["attempts"]
            await it.until(lambda: it.clock.next_waking is not None)
            waits.append(it.clock.next_waking - it.clock.now())
            it.clock.move_to(it.clock.next_waking)
            await it.until(lambda tried=tried: it.line(line)["attempts"] > tried)
        assert it.line(line)["state"] == "parked"
        assert it.outbox.statuses == {line: "4.2.1"}
        assert waits[:4] == [timedelta(seconds=30 * 2**n) for n in range(4)]
        assert max(waits) == timedelta(hours=4)
        assert timedelta(days=5) <= it.clock.now() - begun < timedelta(days=5, hours=5)
        assert relay.mails == []


async def test_an_outcome_that_cannot_be_written_is_never_sent_again(mailroom, relay):
    async with mailroom() as it:
        it.outbox.fail_commits = 1
        (line,) = it.add("a@example.org")
        await it.until(lambda: len(relay.mails) == 1)
        for _ in range(20):
            it.clock.advance(timedelta(hours=1))
            it.delivery.wake.set()
            await asyncio.sleep(0.01)
        await it.until(lambda: it.line(line)["state"] == "sent")
        assert len(relay.mails) == 1


async def test_a_mail_that_cannot_be_made_ready_harms_no_other_and_leaks_nothing(mailroom, relay, caplog):
    async with mailroom() as it:
        it.outbox.fail_content = True
        (bad,) = it.add("a@example.org")
        await it.until(lambda: it.line(bad)["attempts"] == 1)
        it.outbox.fail_content = False
        (good,) = it.add("b@example.org")
        await it.until(lambda: it.line(good)["state"] == "sent")
        assert it.line(bad)["error"] == "not sendable: LookupError"
        assert "camille" not in caplog.text


async def test_what_the_relay_can_decides_what_it_is_given(mailroom, relay):
    asked = []

    def content(eight_bit):
        asked.append(eight_bit)
        return "Subject: x\r\n\r\n受付\r\n".encode() if eight_bit else b"Subject: x\r\n\r\n=E5=8F=97\r\n"

    async with mailroom() as it:
        it.outbox.content = content
        (first,) = it.add("受付@example.org")
        await it.until(lambda: it.line(first)["state"] == "sent")
        assert "MAIL FROM:<" + SENDER + "> BODY=8BITMIME SIZE=22 SMTPUTF8" in relay.commands
        relay.extensions = []
        relay.answers = {"MAIL": ["close"]}  # so that it is greeted anew
        second, third = it.add("a@example.org", "受付@example.org")
        await it.until(lambda: it.line(third)["state"] == "parked")
        assert it.line(second)["state"] == "sent"
        assert relay.commands[-1] != "SMTPUTF8" and asked[0] and not asked[-1]
        assert relay.mails[-1][2].isascii()


async def test_the_null_sender_goes_out_as_such(relay, settings_for):
    async def content(eight_bit):
        return b"Subject: x\r\n\r\n.dot\r\n"

    connection = RelayConnection(settings_for(relay={"port": relay.port}), None)
    assert (await connection.send(Parcel("", "a@example.org", content))).kind == "sent"
    await connection.close()
    assert relay.mails == [("", "a@example.org", b"Subject: x\r\n\r\n.dot\r\n")]


async def test_no_password_goes_out_in_the_clear(relay, settings_for):
    async def content(eight_bit):
        return b"\r\n"

    wanted = settings_for(relay={"port": relay.port, "starttls": "always", "user": "judge", "password_file": "x"})
    outcome = await RelayConnection(wanted, "secret").send(Parcel("", "a@example.org", content))
    assert (outcome.kind, outcome.relay) == ("later", True)
    assert not any(command.startswith(("AUTH", "MAIL")) for command in relay.commands)


async def test_stopping_waits_for_the_mail_under_way(mailroom, relay):
    async with mailroom() as it:
        (line,) = it.add("a@example.org")
        gate = asyncio.Event()
        asked = asyncio.Event()
        parcel_of = it.outbox.parcel

        async def slow(line):
            parcel = await parcel_of(line)

            async def content(eight_bit):
                asked.set()
                await gate.wait()
                return await parcel.content(eight_bit)

            return replace(parcel, content=content)

        it.outbox.parcel = slow
        await asked.wait()
        later = it.add("b@example.org")
        stopping = asyncio.ensure_future(it.delivery.stop())
        await asyncio.sleep(0.02)
        assert not stopping.done()
        gate.set()
        await stopping
        assert it.line(line)["state"] == "sent"
        assert it.line(later[0])["state"] == "ready"
        assert len(relay.mails) == 1


def test_games_take_turns():
    class Line:
        def __init__(self, id, game_id):
            self.id, self.game_id = id, game_id

    lines = [Line(n, game) for n, game in enumerate([1, 1, 1, 1, 2, 2, None, 3])]
    assert [line.id for line in in_turn(lines)] == [0, 4, 6, 7, 1, 5, 2, 3]


def test_the_spread_of_waits():
    backoff = Backoff()
    assert backoff.wait(1, 0.0) == timedelta(seconds=22.5)
    assert backoff.wait(1, 1.0) == timedelta(seconds=37.5)
    assert backoff.wait(10**9, 0.5) == timedelta(hours=4)


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("no such user camille@example.org here", "550 no such user <address> here"),
        ("<spring42+b-abcdefghijklmnop@judge.example.org>: bad\nsecond", "550 <address>: bad second"),
        ("token ABCDEFGHIJKLMNOP unknown", "550 token <token> unknown"),
        ("x" * 500, "550 " + "x" * 196),
    ],
    ids=["an address", "a reply address", "a bare token", "very long"],
)
def test_what_is_told_of_a_reply_has_no_address_and_no_token(message, kept):
    assert told(550, message) == kept


async def test_stopping_does_not_wait_for_a_mail_that_no_carrier_has(mailroom, relay):
    """More is due than the queue holds; the dealer waits to hand the next one out when it is stopped."""
    async with mailroom(connections=1) as it:
        relay.answers["DATA"] = ["hang"]
        it.add(*(f"p{n}@example.org" for n in range(6)))
        await it.until(lambda: len(it.delivery._under_way) == 3)  # one carried, one in the queue, one in the dealer's hand
        stopping = asyncio.ensure_future(it.delivery.stop())
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(it.delivery._under_way) == 1
        it.delivery._under_way.clear()  # the relay never answers; the test need not wait for it
        await stopping


async def test_a_mail_that_cannot_be_made_ready_says_nothing_of_the_relay(mailroom, relay):
    async with mailroom() as it:
        relay.answers["CONNECT"] = ["421 4.3.2 not now"]
        [first] = it.add("a@example.org")
        await it.settled(first)
        assert it.delivery._relay_failures == 1
        it.outbox.fail_content = True
        it.clock.advance(RELAY_BACKOFF.most)
        await it.settled(first)
        assert it.line(first)["error"] == "not sendable: LookupError"
        assert it.delivery._relay_failures == 1
        it.outbox.fail_content = False
        it.clock.advance(Backoff().most)
        await it.until(lambda: it.line(first)["state"] == "sent")
        assert it.delivery._relay_failures == 0


async def test_mail35_a_lost_answer_is_written_down_and_the_same_mail_is_sent_again(mailroom, relay):
    """The relay has it, but its answer never came: nobody can know. The second copy has the same bytes and Message-ID."""
    relay.answers = {"END": ["close"]}
    async with mailroom() as it:
        it.outbox.content = b"Message-ID: <1@judge.example.org>\r\nSubject: x\r\n\r\nhello\r\n"
        (line,) = it.add("a@example.org")
        await it.until(lambda: it.line(line)["attempts"] == 1)
        assert it.line(line)["state"] == "ready"
        assert it.line(line)["error"]
        before = it.line(line)["message_id"]
        it.clock.advance(timedelta(hours=1))
        it.delivery.wake.set()
        await it.until(lambda: it.line(line)["state"] == "sent")
        assert [raw for _, _, raw in relay.mails] == [it.outbox.content]
        assert it.line(line)["message_id"] == before


def test_mail41_the_client_is_one_whose_starttls_takes_no_injected_replies():
    declared = Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8")
    assert '"aiosmtplib>=5.1.2"' in declared
    assert tuple(map(int, version("aiosmtplib").split(".")[:3])) >= (5, 1, 2)


@pytest.mark.parametrize("address", ["æøå@example.org", "a b@example.org", "@", "a@example.org\r\nRCPT TO:<b@example.org>"])
async def test_mail51_an_address_that_cannot_be_sent_to_holds_no_other_up(mailroom, relay, address):
    relay.extensions = ["8BITMIME"]
    relay.answers = {"RCPT": ["553 5.1.3 bad address"]}
    async with mailroom() as it:
        bad, good = it.add(address, "b@example.org")
        await it.until(lambda: it.line(bad)["attempts"] > 0)
        relay.answers = {}
        it.clock.advance(timedelta(hours=1))
        it.delivery.wake.set()
        await it.until(lambda: it.line(good)["state"] == "sent")
        assert [to for _, to, _ in relay.mails] == ["b@example.org"]
        assert it.line(bad)["state"] != "sent" and it.line(bad)["error"]
