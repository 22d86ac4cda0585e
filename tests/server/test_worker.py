"""The door's keeper on a real store: what takes long holds nothing else up, and what fails is told."""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import UTC, datetime

import pytest

from judge.mail.identity import MASK, Keys
from judge.play import Judge, door, setup
from judge.server.clock import VirtualClock
from judge.server.worker import SMALL, StoreKeeper, Worker
from judge.store import Store, games, inbox
from judge.store.inbox import Recipient
from judge.variants import load_rules

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SEAT = Recipient("seat", "spring42", "France", "spring42")
GAME = Recipient("game", "spring42", None, "spring42")


@pytest.fixture
def judge(tmp_path):
    """A judge with a game, over a connection of the test's own."""
    judge = Judge(Store.open(tmp_path / "judge.db"), Keys(b"k" * 32), "judge.example.org")
    players = {power: f"{power.lower()}@example.org" for power in POWERS}
    setup.create_game(judge, "spring42", rules=load_rules("standard"), schedule="every 24 h", players=players, now=NOON)
    yield judge
    judge.store.close()


@pytest.fixture
async def keeper(tmp_path, judge):
    worker = Worker(lambda: Judge(Store.open(tmp_path / "judge.db"), judge.keys, judge.domain), "door")
    await worker.open()
    yield StoreKeeper(worker, VirtualClock(NOON), lambda: None)
    await worker.close()


def mail(number, filler=0):
    return b"Message-ID: <%d@example.org>\r\n\r\nA PAR-BUR\r\n" % number + b"x" * filler


def keep(keeper, raw):
    return asyncio.ensure_future(keeper.keep(raw, envelope_from="a@example.org", recipients=[SEAT], peer="127.0.0.1"))


@pytest.mark.parametrize("filler", [0, SMALL], ids=["small", "large"])
async def test_a_kept_mail_has_no_live_token(keeper, judge, filler):
    seat = games.seat(judge.store, games.get(judge.store, "spring42").id, "France")
    token = judge.keys.token("spring42", "France", seat.generation).encode()
    [kept] = await keep(keeper, mail(1, filler) + token)
    raw = inbox.load(judge.store, kept.id).raw
    assert token not in raw
    assert raw.endswith(MASK.encode())


async def test_while_a_large_mail_is_made_ready_others_come_in(keeper, judge, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()
    prepare = door.prepare

    def slowly(raw, *args, **kwargs):
        if len(raw) > SMALL:
            begun.set()
            assert go_on.wait(20)
        return prepare(raw, *args, **kwargs)

    monkeypatch.setattr(door, "prepare", slowly)
    large = keep(keeper, mail(1, SMALL))
    try:
        assert await asyncio.to_thread(begun.wait, 20)
        async with asyncio.timeout(20):
            assert await keeper.recipient("spring42@judge.example.org") == GAME
            assert len(await keep(keeper, mail(2))) == 1
        with judge.store.transaction():  # and no transaction is open meanwhile
            assert inbox.counts(judge.store)["waiting"] == 1
        assert not large.done()
    finally:
        go_on.set()
    await large
    assert inbox.counts(judge.store)["waiting"] == 2


async def test_mails_are_made_ready_outside_of_the_transaction(keeper, judge, monkeypatch):
    prepare, inside = door.prepare, []

    def watched(*args, **kwargs):
        inside.append(keeper._worker._judge.store._db.conn.in_transaction)
        return prepare(*args, **kwargs)

    monkeypatch.setattr(door, "prepare", watched)
    await asyncio.gather(*(keep(keeper, mail(n)) for n in range(5)))
    assert inside == [False] * 5
    assert inbox.counts(judge.store)["waiting"] == 5


@pytest.mark.parametrize("stage", ["prepare", "keep_prepared"])
async def test_a_mail_that_cannot_be_kept_harms_no_other_of_its_batch(keeper, judge, monkeypatch, caplog, stage):
    real = getattr(door, stage)

    def failing(*args, **kwargs):
        if any(b"<3@example.org>" in (getattr(arg, "raw", arg) if not isinstance(arg, Judge) else b"") for arg in args[:2]):
            raise OSError("secret")
        return real(*args, **kwargs)

    monkeypatch.setattr(door, stage, failing)
    with caplog.at_level(logging.INFO, "judge.server"):
        results = await asyncio.gather(*(keep(keeper, mail(n)) for n in range(5)), return_exceptions=True)
    assert [isinstance(result, OSError) for result in results] == [False, False, False, True, False]
    assert inbox.counts(judge.store)["waiting"] == 4
    logged = [record for record in caplog.records if record.msg == "batch-not-kept"]
    assert len(logged) == (stage == "keep_prepared")
    assert all("secret" not in str(record.facts) for record in logged)
