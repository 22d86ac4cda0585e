"""Signatures (DKIM) at the door: a mail to a game's open address that its player's domain signed is the player's."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from datetime import UTC, datetime

import dkim
import pytest

from judge.mail.identity import Keys
from judge.play import Judge, setup
from judge.server.clock import VirtualClock
from judge.server.service import Service
from judge.server.signatures import SignatureCheck, check_of
from judge.settings import Senders
from judge.store import Store, inbox
from judge.store.inbox import Recipient
from judge.variants import load_rules

GAME = Recipient("game", "spring42", None, "spring42")
SEAT = Recipient("seat", "spring42", "France", "spring42")
KEY = b"k" * 32

#: the key that the players' domain signs with
key = {}


@pytest.fixture(scope="module", autouse=True)
def made_key(dkim_key):
    key["good"] = dkim_key(4)


def mail(text: str = "A Par - Bur", number: int = 1) -> bytes:
    return (
        f"From: Camille <france@example.org>\r\nTo: spring42@judge.example.org\r\nSubject: orders\r\n"
        f"Date: Mon, 30 Nov 2026 12:00:00 +0000\r\nMessage-ID: <{number}@example.org>\r\n\r\n{text}\r\n"
    ).encode()


def signed(raw: bytes, domain: bytes = b"example.org") -> bytes:
    headers = [b"from", b"to", b"subject", b"date", b"message-id"]
    return dkim.sign(raw, b"s1", domain, key["good"].pem, include_headers=headers) + raw


@contextlib.asynccontextmanager
async def serving(settings, txt):
    """A service with a game, and a way to hand it mails to the open address."""
    clock = VirtualClock(datetime(2026, 11, 30, 12, tzinfo=UTC))
    async with Service(settings, KEY, clock=clock, random=lambda: 0.5, txt=txt) as service:
        judge = Judge(Store.open(settings.database_path), Keys(KEY), settings.domain)
        players = {"France": "france@example.org", "Italy": "italy@example.org"}
        setup.create_game(judge, "spring42", rules=load_rules("standard"), players=players, now=clock.now())
        setup.start_game(judge, "spring42", clock.now())

        async def send(raw, envelope="bounces@example.net"):
            reader, writer = await asyncio.open_connection("127.0.0.1", service.smtp_port)
            to = "spring42@judge.example.org"
            writer.write(f"EHLO a.example\r\nMAIL FROM:<{envelope}>\r\nRCPT TO:<{to}>\r\nDATA\r\n".encode())
            writer.write(raw + b".\r\nQUIT\r\n")
            reply = (await reader.read()).decode().splitlines()[-2]
            writer.close()
            assert reply.startswith("250 2.0.0 kept as "), reply
            await service.idle()
            return inbox.load(judge.store, int(reply.rpartition(" ")[2]))

        yield send
        judge.store.close()


async def test_a_signed_mail_is_its_players(relay, settings_for):
    asked = []

    def txt(name):
        asked.append(name)
        return key["good"].record

    settings = settings_for(relay={"port": relay.port, "starttls": "never"})
    async with serving(settings, txt) as send:
        taken = await send(signed(mail()))
        assert (taken.outcome, taken.signed_by, taken.recipient.power) == ("orders", ("example.org",), "France")
        for raw in (mail(number=2), signed(mail(number=3)).replace(b"A Par - Bur", b"A Par - Pic")):
            assert (await send(raw)).outcome == "held"
        assert (await send(signed(mail(number=4), b"evil.example"))).outcome == "held"
        assert set(asked) == {"s1._domainkey.example.org."}, "who is no player's domain is not asked for a key"


@pytest.mark.parametrize(
    "senders", [Senders(check_dkim=False), Senders(trust_authserv="mx.example")], ids=["off", "a relay does"]
)
async def test_nothing_is_asked_where_the_settings_say_so(relay, settings_for, senders):
    settings = settings_for(relay={"port": relay.port, "starttls": "never"})
    settings = type(settings)(
        **{name: getattr(settings, name) for name in settings.__struct_fields__} | {"senders": senders}
    )

    def txt(name):
        raise AssertionError("asked")

    assert check_of(settings, txt) is None
    async with serving(settings, txt) as send:
        kept = await send(signed(mail()))
        assert (kept.outcome, kept.signed_by) == ("held", ())


async def test_only_mail_to_the_open_address_is_looked_at():
    check = SignatureCheck(lambda name: key["good"].record, 20.0)
    assert await check.signers(signed(mail()), [SEAT]) == ()
    assert await check.signers(signed(mail()), [SEAT, GAME]) == ("example.org",)
    check.close()


async def test_a_name_server_that_does_not_answer_holds_nothing_up():
    never = threading.Event()

    def txt(name):
        never.wait(60)
        return key["good"].record

    check = SignatureCheck(txt, 0.05)
    results = await asyncio.gather(*(check.signers(signed(mail(number=n)), [GAME]) for n in range(6)))
    assert results == [()] * 6
    never.set()
    check.close()


async def test_a_fault_in_dns_is_no_fault_at_the_door(relay, settings_for):
    def txt(name):
        raise OSError("no network")

    settings = settings_for(relay={"port": relay.port, "starttls": "never"})
    async with serving(settings, txt) as send:
        assert (await send(signed(mail()))).outcome == "held"
