"""The door beyond single dialogues: bytes kept as sent, clients that hang up, caps, rates, time-outs, TLS, closing."""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.errors import BadSettings
from judge.server.door import tls_context
from judge.server.limits import Buckets, Crowd, Memory

SEAT = "spring42+abcdefghijklmnop@judge.example.org"
MAIL = b"From: camille@example.org\r\n\r\nA PAR-BUR\r\n"


def stuffed(content: bytes) -> bytes:
    """A mail as it goes over the wire, with its end (RFC 5321 4.5.2)."""
    lines = content.split(b"\r\n")
    return b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines) + b".\r\n"


lines = st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([b".", b"..", b"", b".\r", b"\n.", b"\r"])), max_size=8)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=lines, cuts=st.lists(st.integers(1, 200), max_size=4))
@example(body=[b".", b"..", b"x"], cuts=[1, 2, 3])
@example(body=[b"a" * 70_000, b".", b"b" * 70_000], cuts=[])
@example(body=[b"a" * (65536 - 14), b".b"], cuts=[])
def test_a_mail_is_kept_byte_for_byte(open_door, body, cuts):
    """Whatever bytes a body has and however they are cut into packets, the mail kept is the mail sent."""
    body = [line.replace(b"\r\n", b"") for line in body]
    body = [line[:-1] if line.endswith(b"\r") else line for line in body]
    body = [line[1:] if line.startswith(b"\n") else line for line in body]
    content = b"Subject: x\r\n\r\n" + b"".join(line + b"\r\n" for line in body)

    async def scenario():
        async with open_door(limits={"mail_bytes": 200_000}) as it, it.client() as client:
            await client.begin()
            wire, at = stuffed(content), 0
            for cut in cuts:
                await client.send(wire[at : at + cut])
                await asyncio.sleep(0)
                at += cut
            await client.send(wire[at:])
            assert (await client.reply()).startswith("250")
            assert it.keeper.mails[0][0] == content
            assert it.door.memory.held == 0

    asyncio.run(scenario())


async def test_a_mail_of_exactly_the_limit_is_taken_and_one_octet_more_is_not(open_door):
    async with open_door(limits={"mail_bytes": 20_000}) as it, it.client() as client:
        head = b"Subject: x\r\n\r\n"
        for octets, reply in ((20_000, "250"), (20_001, "552")):
            if octets == 20_000:
                await client.begin()
            else:
                await client.say("MAIL FROM:<a@example.org>")
                await client.say(f"RCPT TO:<{SEAT}>")
                await client.say("DATA")
            content = head + b"a" * (octets - len(head) - 2) + b"\r\n"
            await client.send(content + b".\r\n")
            assert (await client.reply()).startswith(reply)
        assert [len(raw) for raw, _, _ in it.keeper.mails] == [20_000]


async def test_a_client_that_hangs_up_in_the_middle_of_data_leaves_nothing(open_door):
    async with open_door() as it:
        async with it.client() as client:
            await client.begin()
            await client.send(MAIL)
        async with it.client() as client:
            assert (await client.reply()).startswith("220")
        assert it.keeper.mails == []
        assert it.door.memory.held == 0


async def test_a_client_that_hangs_up_while_its_mail_is_saved_loses_nothing(open_door):
    async with open_door() as it:
        it.keeper.gate = asyncio.Event()
        async with it.client() as client:
            await client.begin()
            await client.send(MAIL + b".\r\n")
            await it.keeper.saving.wait()
        while it.door._sessions:  # the door has noticed that the client is gone
            await asyncio.sleep(0.001)
        it.keeper.gate.set()
        await it.door.settled()
        assert [raw for raw, _, _ in it.keeper.mails] == [MAIL]


async def test_a_closing_door_answers_the_mail_that_it_is_saving(open_door):
    async with open_door() as it:
        it.keeper.gate = asyncio.Event()
        async with it.client() as client, it.client() as idle:
            await client.begin()
            await idle.reply()
            await client.send(MAIL + b".\r\n")
            await it.keeper.saving.wait()
            closing = asyncio.ensure_future(it.door.close())
            assert (await idle.reply()).startswith("421 4.3.2")
            assert not closing.done()
            it.keeper.gate.set()
            assert (await client.reply()).startswith("250")
            assert (await client.reply()).startswith("421 4.3.2")
            await closing
        assert len(it.keeper.mails) == 1


@pytest.mark.parametrize(
    ("limits", "relays", "taken"),
    [({"connections": 3}, ("127.0.0.1",), 3), ({"connections_per_peer": 2}, (), 2)],
    ids=["in all", "a peer"],
)
async def test_connections_are_capped_and_freed(open_door, limits, relays, taken):
    async with open_door(limits=limits, listen={"relays": relays}) as it:
        for _ in range(2):  # the second round finds that the first has freed its places
            clients = [it.client() for _ in range(taken + 1)]
            opened = [await client.__aenter__() for client in clients]
            replies = [(await client.reply())[:9] for client in opened]
            assert replies[:-1] == ["220 judge"] * taken
            assert replies[-1] == "421 4.7.0"
            assert await opened[-1].reply() == ""
            for client in clients:
                await client.__aexit__(None, None, None)
            while it.door._sessions:
                await asyncio.sleep(0.001)


async def test_a_relay_of_ours_and_lmtp_have_no_cap_a_peer(open_door):
    async with (
        open_door(limits={"connections_per_peer": 1}) as it,
        it.client() as first,
        it.client() as second,
        it.client("lmtp") as third,
        it.client("lmtp") as fourth,
    ):
        for client in (first, second, third, fourth):
            assert (await client.reply()).startswith("220")


async def test_a_silent_client_is_told_and_dropped(open_door):
    async with open_door(limits={"idle_seconds": 0.2}) as it, it.client() as client:
        assert (await client.reply()).startswith("220")
        assert (await client.reply()).startswith("421 4.4.2")
        assert await client.reply() == ""


async def test_a_client_that_falls_silent_in_the_middle_of_a_mail_is_told_and_leaves_nothing(open_door):
    async with open_door() as it, it.client() as client:
        await client.begin()
        await client.send(MAIL)
        (session,) = it.door._sessions
        session._timeout_cb()
        assert (await client.reply()).startswith("421 4.4.2")
        assert await client.reply() == ""
        assert it.keeper.mails == []


async def test_a_session_ends_though_the_client_keeps_talking(open_door):
    async with open_door(limits={"session_seconds": 0.3}) as it, it.client() as client:
        await client.reply()
        replies = []
        while not replies or replies[-1].startswith("250"):
            await asyncio.sleep(0.01)
            replies.append(await client.say("NOOP"))
        assert replies[-1].startswith("421 4.4.2")


async def test_a_save_outlasts_both_time_limits(open_door):
    async with open_door() as it:
        it.keeper.gate = asyncio.Event()
        async with it.client() as client:
            await client.begin()
            await client.send(MAIL + b".\r\n")
            await it.keeper.saving.wait()
            (session,) = it.door._sessions
            session._timeout_cb()
            session._end_session()
            it.keeper.gate.set()
            assert (await client.reply()).startswith("250")


async def test_commands_are_capped(open_door):
    async with open_door(limits={"commands": 5}) as it, it.client() as client:
        await client.reply()
        replies = [await client.say("NOOP") for _ in range(6)]
        assert [r[:3] for r in replies] == ["250"] * 5 + ["421"]
        assert await client.reply() == ""


async def test_guessing_addresses_ends_the_session_but_not_a_relays(open_door):
    async with open_door() as it:
        for protocol, last in (("smtp", "421"), ("lmtp", "550")):
            async with it.client(protocol) as client:
                await client.reply()
                await client.say("EHLO a.example" if protocol == "smtp" else "LHLO a.example")
                await client.say("MAIL FROM:<a@example.org>")
                for number in range(21):
                    reply = await client.say(f"RCPT TO:<guess{number}@judge.example.org>")
                assert reply.startswith(last)


# ---- rates -----------------------------------------------------------------------------------------------------------


async def send(client, sender, to, first=False):
    """One mail; returns the replies to RCPT and, if that was taken, to the mail."""
    await client.say(f"MAIL FROM:<{sender}>")
    reply = await client.say(f"RCPT TO:<{to}>")
    if not reply.startswith("250"):
        await client.say("RSET")
        return reply
    await client.say("DATA")
    await client.send(MAIL + b".\r\n")
    return await client.reply()


async def test_rates_count_by_seat_sender_and_game_and_fill_again_with_time(open_door):
    rates = {"seat_per_hour": 2, "sender_per_hour": 3, "game_per_hour": 4}
    async with open_door(rates=rates) as it, it.client() as client:
        await client.reply()
        await client.say("EHLO relay.example")
        seat, other, game = SEAT, "spring42+ponmlkjihgfedcba@judge.example.org", "spring42@judge.example.org"
        # a stranger floods the game's open address in a player's name, then under many names
        flood = [(await send(client, "camille@example.org", game))[:9] for _ in range(4)]
        assert flood == ["250 2.0.0"] * 3 + ["450 4.7.1"]
        more = [(await send(client, f"x{n}@example.org", game))[:9] for n in range(3)]
        assert more == ["250 2.0.0", "450 4.7.1", "450 4.7.1"]
        # the player's own address is not touched by that, and has its own measure
        own = [(await send(client, "camille@example.org", seat))[:9] for _ in range(3)]
        assert own == ["250 2.0.0"] * 2 + ["450 4.7.1"]
        assert (await send(client, "camille@example.org", other)).startswith("250")
        it.clock.advance(timedelta(minutes=29))
        assert (await send(client, "camille@example.org", seat)).startswith("450")
        it.clock.advance(timedelta(minutes=2))
        assert (await send(client, "camille@example.org", seat)).startswith("250")
        assert (await send(client, "camille@example.org", seat)).startswith("450")


async def test_a_probe_costs_nothing(open_door):
    async with open_door(rates={"seat_per_hour": 1}) as it, it.client("lmtp") as client:
        await client.reply()
        await client.say("LHLO relay.example")
        for _ in range(5):
            await client.say("MAIL FROM:<>")
            assert (await client.say(f"RCPT TO:<{SEAT}>")).startswith("250")
            await client.say("RSET")


async def test_in_lmtp_each_recipient_has_its_own_measure(open_door):
    async with open_door(rates={"seat_per_hour": 1}) as it, it.client("lmtp") as client:
        await client.reply()
        await client.say("LHLO relay.example")
        await client.say("MAIL FROM:<a@example.org>")
        await client.say(f"RCPT TO:<{SEAT}>")
        await client.say("RCPT TO:<judge@judge.example.org>")
        async with it.client() as meanwhile:
            await meanwhile.begin()
            await meanwhile.send(MAIL + b".\r\n")
            assert (await meanwhile.reply()).startswith("250")
        await client.say("DATA")
        await client.send(MAIL + b".\r\n")
        assert [(await client.reply())[:3] for _ in range(2)] == ["450", "250"]


def test_a_bucket_map_forgets_the_longest_untouched():
    buckets, now = Buckets(1, most=2), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    assert [buckets.take(key, now) for key in "abaca"] == [True, True, False, True, False]
    assert buckets.take("b", now)  # forgotten, so full again; and "c" is forgotten now


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4000)), max_size=60), st.integers(1, 50))
def test_a_bucket_never_gives_more_than_it_holds_and_fills(steps, per_hour):
    buckets, start = Buckets(per_hour), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    taken, seconds = {}, 0
    for key, wait in steps:
        seconds += wait
        if buckets.take(key, start + timedelta(seconds=seconds)):
            taken[key] = taken.get(key, 0) + 1
    assert all(count <= per_hour + seconds * per_hour / 3600 + 1e-6 for count in taken.values())


def test_a_clock_that_was_set_back_gives_nothing_away():
    buckets, now = Buckets(1), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    assert buckets.take("a", now)
    assert not buckets.take("a", now - timedelta(days=1))
    assert not buckets.take("a", now - timedelta(days=1, seconds=-60))


def test_a_crowd_counts_by_peer_and_frees():
    crowd = Crowd(3, 1)
    assert crowd.enter("a", trusted=False)
    assert not crowd.enter("a", trusted=False)
    assert crowd.enter("a", trusted=True)
    assert crowd.enter("b", trusted=False)
    assert not crowd.enter("c", trusted=True)
    crowd.leave("a")
    crowd.leave("a")
    assert crowd.enter("a", trusted=False)


async def test_mails_under_way_share_a_bounded_memory(open_door):
    async with open_door() as it:
        it.keeper.gate = asyncio.Event()
        async with it.client() as first, it.client() as second:
            await first.begin()
            await second.begin()
            big = b"Subject: x\r\n\r\n" + b"a" * 15_000 + b"\r\n.\r\n"
            it.door.memory = Memory(20_000)
            await first.send(big)
            await it.keeper.saving.wait()
            await second.send(big)
            assert (await second.reply()).startswith("452 4.3.1")
            it.keeper.gate.set()
            assert (await first.reply()).startswith("250")
            assert it.door.memory.held == 0


# ---- TLS, sockets ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for the judge with its key, made for the test."""
    folder = tmp_path_factory.mktemp("tls")
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=judge.example.org", "-addext", "subjectAltName=DNS:judge.example.org",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr.decode()
    return folder


@pytest.mark.needs("openssl")
async def test_starttls_is_offered_and_forgets_what_was_said_before(open_door, settings_for, certificate):
    listen = {"certificate": str(certificate / "cert.pem"), "certificate_key": str(certificate / "key.pem")}
    context = tls_context(settings_for(listen=listen))
    trust = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    async with open_door(tls=context) as it, it.client() as client:
        await client.reply()
        assert "250-STARTTLS" in (await client.say("EHLO a.example")).splitlines()
        await client.say("MAIL FROM:<injected@example.org>")
        # what an attacker put behind STARTTLS in the clear is thrown away (CVE-2024-34083)
        await client.send(b"STARTTLS\r\nMAIL FROM:<injected@example.org>\r\n")
        assert (await client.reply()).startswith("220")
        await client.writer.start_tls(trust, server_hostname="judge.example.org")
        assert (await client.say("MAIL FROM:<a@example.org>")).startswith("503 5.5.1 send EHLO")
        assert "250-STARTTLS" not in (await client.say("EHLO a.example")).splitlines()
        assert (await client.say("MAIL FROM:<a@example.org>")).startswith("250")
        assert (await client.say(f"RCPT TO:<{SEAT}>")).startswith("250")
        assert (await client.say("DATA")).startswith("354")
        await client.send(MAIL + b".\r\n")
        assert (await client.reply()).startswith("250")
        assert [sender for _, sender, _ in it.keeper.mails] == ["a@example.org"]
    assert not it.door._sessions


@pytest.mark.needs("openssl")
async def test_a_failed_handshake_frees_its_place(open_door, settings_for, certificate):
    listen = {"certificate": str(certificate / "cert.pem"), "certificate_key": str(certificate / "key.pem")}
    async with open_door(tls=tls_context(settings_for(listen=listen))) as it:
        async with it.client() as client:
            await client.reply()
            await client.say("EHLO a.example")
            await client.say("STARTTLS")
            await client.send(b"this is no TLS at all, not a bit of it\r\n")
            assert await client.reader.read() is not None
        while it.door._sessions:
            await asyncio.sleep(0.001)


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("fault", ["absent", "not a certificate", "another's key"])
def test_a_certificate_that_cannot_be_used_is_refused_at_the_start(settings_for, certificate, tmp_path, fault):
    listen = {"certificate": str(certificate / "cert.pem"), "certificate_key": str(certificate / "key.pem")}
    bad = tmp_path / "bad.pem"
    if fault == "not a certificate":
        bad.write_text("hello")
    if fault == "another's key":
        subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", bad], check=True)
        listen["certificate_key"] = str(bad)
    else:
        listen["certificate"] = str(bad)
    with pytest.raises(BadSettings):
        tls_context(settings_for(listen=listen))


async def test_lmtp_on_a_socket(open_door, tmp_path):
    path = tmp_path / "lmtp.sock"
    for _ in range(2):  # the second time the first one's socket lies about
        async with open_door(listen={"lmtp": str(path)}):
            reader, writer = await asyncio.open_unix_connection(str(path))
            assert (await reader.readline()).startswith(b"220")
            writer.close()
        assert Path(path).is_socket() or not path.exists()


async def test_a_port_in_use_is_told(open_door):
    async with open_door() as it:
        with pytest.raises(BadSettings, match=f"127.0.0.1:{it.door.smtp_port}: cannot listen there"):
            async with open_door(listen={"port": it.door.smtp_port}):
                pass
