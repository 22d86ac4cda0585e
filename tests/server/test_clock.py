"""Clocks: sleeping until an instant or a wake, and a clock that only moves when told."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from judge.server.clock import SystemClock, VirtualClock

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_a_virtual_clock_wakes_those_whose_instant_has_come_and_no_other():
    clock, early, late = VirtualClock(NOON), asyncio.Event(), asyncio.Event()
    first = asyncio.ensure_future(clock.sleep_until(NOON + timedelta(hours=1), early))
    second = asyncio.ensure_future(clock.sleep_until(NOON + timedelta(hours=2), late))
    await asyncio.sleep(0)
    assert clock.next_waking == NOON + timedelta(hours=1)
    clock.advance(timedelta(minutes=59))
    await asyncio.sleep(0)
    assert not first.done()
    clock.advance(timedelta(minutes=1))
    await first
    assert not second.done()
    late.set()
    await second
    assert clock.next_waking is None


async def test_a_virtual_clock_never_goes_back():
    clock = VirtualClock(NOON)
    clock.move_to(NOON - timedelta(hours=1))
    assert clock.now() == NOON
    await clock.sleep_until(NOON, asyncio.Event())


async def test_the_system_clock_sleeps_until_an_instant_or_a_wake():
    clock, wake = SystemClock(), asyncio.Event()
    assert clock.now().tzinfo is UTC
    instant = clock.now() + timedelta(seconds=0.05)
    await clock.sleep_until(instant, wake)
    assert clock.now() >= instant
    await clock.sleep_until(clock.now() - timedelta(days=1), wake)
    sleeping = asyncio.ensure_future(clock.sleep_until(clock.now() + timedelta(days=1), wake))
    for_ever = asyncio.ensure_future(clock.sleep_until(None, wake))
    await asyncio.sleep(0.01)
    assert not sleeping.done() and not for_ever.done()
    wake.set()
    await sleeping
    await for_ever


async def test_a_system_clock_that_jumps_is_noticed(monkeypatch):
    """A suspended laptop: the wall clock is past the instant though the machine slept all the while."""
    monkeypatch.setattr("judge.server.clock.LONGEST_NAP", 0.02)

    class Jumping(SystemClock):
        ahead = timedelta()

        def now(self):
            return super().now() + self.ahead

    clock = Jumping()
    sleeping = asyncio.ensure_future(clock.sleep_until(clock.now() + timedelta(days=1), asyncio.Event()))
    await asyncio.sleep(0.01)
    assert not sleeping.done()
    clock.ahead = timedelta(days=2)
    async with asyncio.timeout(10):
        await sleeping
