"""Faults that other mail servers had at the door, as their users reported them: each is shown not to be here (ids as in
``tests/mail/data/reported.json``)."""

from __future__ import annotations

import asyncio

import pytest

from judge.server.limits import Memory

SEAT = "spring42+abcdefghijklmnop@judge.example.org"
MAIL = b"From: camille@example.org\r\n\r\nA PAR-BUR\r\n"


async def test_mail01_an_exception_is_a_pause_and_tells_nothing(open_door):
    async with open_door() as it, it.client() as client:
        await client.begin()
        await client.send(b"Subject: BOOM\r\n\r\n.\r\n")
        reply = await client.reply()
        assert reply.startswith("451 4.3.0")
        assert "secret" not in reply
        assert (await client.say("NOOP")).startswith("250")


@pytest.mark.parametrize("end", [b"\n.\r\n", b"\n.\n", b"\r.\r\n", b"\r\n.\r", b"\r\n.\n"], ids=repr)
async def test_mail03_only_a_whole_line_end_around_the_dot_ends_a_mail(open_door, end):
    inner = b"MAIL FROM:<evil@example.org>\r\nRCPT TO:<" + SEAT.encode() + b">\r\nDATA\r\n\r\nA PAR-PIC\r\n"
    async with open_door() as it, it.client() as client:
        await client.begin()
        await client.send(b"From: a@example.org\r\n\r\nhi" + end + inner + b".\r\n")
        assert (await client.reply())[:3] in ("250", "554", "550")
        assert (await client.say("NOOP")).startswith("250")
        assert len(it.keeper.mails) <= 1
        assert all(inner in raw for raw, _, _ in it.keeper.mails)


async def test_mail05_a_mail_too_large_gets_one_refusal_and_is_not_kept(open_door):
    async with open_door(limits={"mail_bytes": 20_000}) as it, it.client() as client:
        await client.begin()
        await client.send(b"".join(b"line %d " % n + b"x" * 9000 + b"\r\n" for n in range(5)) + b".\r\n")
        assert (await client.reply()).startswith("552")
        assert (await client.say("NOOP")).startswith("250")
        assert it.keeper.mails == []


@pytest.mark.parametrize("octets", [998, 1001, 1500, 15_000])
async def test_mail06_a_line_of_any_length_is_taken(open_door, octets):
    content = b"From: a@example.org\r\n\r\n" + b"a" * octets + b"\r\n"
    async with open_door() as it, it.client() as client:
        await client.begin()
        await client.send(content + b".\r\n")
        assert (await client.reply()).startswith("250")
        assert [raw for raw, _, _ in it.keeper.mails] == [content]


async def test_mail08_neither_silence_nor_chatter_holds_a_place(open_door):
    limits = {"idle_seconds": 0.2, "session_seconds": 5.0, "commands": 5, "connections_per_peer": 2}
    async with open_door(limits=limits, listen={"relays": ()}) as it:
        async with it.client() as silent, it.client() as chatter, it.client() as third:
            await silent.reply()
            await chatter.reply()
            assert (await third.reply()).startswith("421 4.7.0")
            assert [(await chatter.say("NOOP"))[:3] for _ in range(6)] == ["250"] * 5 + ["421"]
            assert (await silent.reply()).startswith("421 4.4.2")
        while it.door._sessions:
            await asyncio.sleep(0.001)
        async with it.client() as client:
            assert (await client.reply()).startswith("220")


async def test_mail10_mails_that_come_at_once_share_a_bounded_memory_and_others_are_served(open_door):
    """A size said to be too large is refused at MAIL; of several large ones under way, those without room come again."""
    async with open_door(limits={"mail_bytes": 20_000}) as it:
        it.keeper.gate = asyncio.Event()
        it.door.memory = Memory(40_000)
        big = b"Subject: x\r\n\r\n" + b"a" * 15_000 + b"\r\n.\r\n"
        async with it.client() as first, it.client() as second, it.client() as third, it.client() as idle:
            for client in (first, second, third):
                await client.begin()
                await client.send(big)
            assert (await third.reply()).startswith("452 4.3.1")
            assert (await idle.reply()).startswith("220")
            assert (await idle.say("EHLO client.example")).startswith("250")
            assert (await idle.say("MAIL FROM:<a@example.org> SIZE=20000000")).startswith("552")
            it.keeper.gate.set()
            assert [(await client.reply())[:3] for client in (first, second)] == ["250", "250"]


async def test_mail11_a_client_that_is_gone_before_the_reply_has_left_its_mail(open_door):
    async with open_door() as it:
        it.keeper.gate = asyncio.Event()
        async with it.client() as client:
            await client.begin()
            await client.send(MAIL + b".\r\n")
            await it.keeper.saving.wait()
        while it.door._sessions:
            await asyncio.sleep(0.001)
        it.keeper.gate.set()
        await it.door.settled()
        assert [raw for raw, _, _ in it.keeper.mails] == [MAIL]


async def test_mail13_eight_bit_bodies_are_kept_as_bytes(open_door):
    content = b"From: a@example.org\r\n\r\n\xe9\xff\x80 caf\xc3\xa9 \xa4\r\n"
    async with open_door() as it, it.client() as client:
        await client.begin()
        await client.send(content + b".\r\n")
        assert (await client.reply()).startswith("250")
        assert it.keeper.mails[0][0] == content


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
async def test_mail15_trouble_of_our_own_is_never_a_refusal_for_good(open_door, protocol):
    """At RCPT (the store), at the end of DATA (the disk), and when the door closes: a relay keeps the mail each time."""
    async with open_door() as it, it.client(protocol) as client, it.client(protocol) as idle:
        await client.reply()
        await idle.reply()
        assert (await client.say("LHLO x" if protocol == "lmtp" else "EHLO x")).startswith("250")
        assert (await client.say("MAIL FROM:<a@example.org>")).startswith("250")
        assert (await client.say("RCPT TO:<boom@judge.example.org>")).startswith("451")
        assert (await client.say(f"RCPT TO:<{SEAT}>")).startswith("250")
        assert (await client.say("DATA")).startswith("354")
        await client.send(b"Subject: BOOM\r\n\r\n.\r\n")
        assert (await client.reply()).startswith("451")
        await it.door.close()
        assert (await idle.reply()).startswith("421")
