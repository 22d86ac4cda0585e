"""The clock that everything below is given its time from: the system's, or one that a demo and a test move by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol

#: A sleep looks at the wall clock again after at most this many seconds: it may jump (NTP, a suspended laptop).
LONGEST_NAP = 20.0


class Clock(Protocol):
    """Tells the time, and lets a task sleep until an instant or until it is woken."""

    def now(self) -> datetime:
        """The present instant, aware, UTC."""
        ...

    async def sleep_until(self, instant: datetime | None, wake: asyncio.Event) -> None:
        """Return when ``instant`` has come (``None``: never does) or ``wake`` is set, whichever is first."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present instant, aware, UTC."""
        return datetime.now(UTC)

    async def sleep_until(self, instant: datetime | None, wake: asyncio.Event) -> None:
        """Return when ``instant`` has come (``None``: never does) or ``wake`` is set, whichever is first."""
        if instant is None:
            await wake.wait()
            return
        while not wake.is_set() and (left := (instant - self.now()).total_seconds()) > 0:
            try:
                async with asyncio.timeout(min(left, LONGEST_NAP)):
                    await wake.wait()
            except TimeoutError:
                continue


class VirtualClock:
    """A clock that stands still until it is moved. Moving it wakes everyone whose instant has come."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, asyncio.Event]] = []

    def now(self) -> datetime:
        """The instant it was moved to last, aware, UTC."""
        return self._now

    async def sleep_until(self, instant: datetime | None, wake: asyncio.Event) -> None:
        """Return when the clock was moved to ``instant`` (``None``: never is) or ``wake`` is set."""
        if instant is None:
            await wake.wait()
        elif instant > self._now:
            sleeper = (instant, wake)
            self._sleepers.append(sleeper)
            try:
                await wake.wait()
            finally:
                self._sleepers.remove(sleeper)

    def move_to(self, instant: datetime) -> None:
        """Move forward to ``instant``; a clock never goes back."""
        self._now = max(self._now, instant)
        for due, wake in self._sleepers:
            if due <= self._now:
                wake.set()

    def advance(self, by: timedelta) -> None:
        """Move forward by a span."""
        self.move_to(self._now + by)

    @property
    def next_waking(self) -> datetime | None:
        """The earliest instant that somebody sleeps for, or ``None``."""
        return min((due for due, _ in self._sleepers), default=None)
