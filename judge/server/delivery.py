"""Delivery: what is due in the outbox goes to the relay, a bounded number at once, until the relay says yes or no for good.

Nothing is sent twice but after a crash between the relay's 250 and our commit (or a relay that takes a mail and closes
without an answer), and then with the same Message-ID.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Protocol

from judge.server import logs
from judge.server.clock import Clock
from judge.server.relaying import IDLE_SECONDS, Outcome, Parcel, RelayConnection
from judge.store.db import instant
from judge.store.outbox import Line

#: Lines that are fetched from the store at once.
BATCH = 32
#: Seconds (of the machine) before a commit that failed is tried again.
RETRY_COMMIT = 1.0
#: Seconds that mails under way get when the server stops.
GRACE = 20.0


class Outbox(Protocol):
    """The store's outbox, as delivery needs it."""

    async def due(self, now: datetime, limit: int) -> list[Line]:
        """Lines that may be tried now, the longest waiting first."""
        ...

    async def next_due(self) -> datetime | None:
        """When the next line may be tried."""
        ...

    async def parcel(self, line: Line) -> Parcel:
        """The line's envelope and a way to its bytes."""
        ...

    async def sent(self, line: Line, at: datetime, reply: str) -> None:
        """Commit that the relay took it."""
        ...

    async def deferred(self, line: Line, until: datetime, error: str) -> None:
        """Commit that it is to be tried again."""
        ...

    async def parked(self, line: Line, at: datetime, error: str, status: str) -> None:
        """Commit that it is not to be tried again. ``status``: why its recipient does not get it, a code of RFC 3463; empty
        if that is not the recipient's fault."""
        ...


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait after a failure: doubling from ``first`` up to ``most``; given up at the age ``give_up``.

    The usual values wait 30 s, 1, 2, 4 ... 240 minutes and give up after five days, as mail servers do (RFC 5321,
    4.5.4.1).
    """

    first: timedelta = timedelta(seconds=30)
    most: timedelta = timedelta(hours=4)
    give_up: timedelta = timedelta(days=5)

    def wait(self, failures: int, chance: float) -> timedelta:
        """The wait after the ``failures``-th failure in a row; ``chance`` (0 to 1) spreads it by a quarter either way."""
        seconds = min(self.first.total_seconds() * 2 ** min(failures - 1, 40), self.most.total_seconds())
        return timedelta(seconds=seconds * (0.75 + 0.5 * chance))


#: How long a relay that cannot be reached is left alone.
RELAY_BACKOFF = Backoff(first=timedelta(seconds=5), most=timedelta(minutes=5))


class Delivery:
    """Takes due lines out of the outbox and hands them to the relay over a few connections."""

    def __init__(
        self,
        outbox: Outbox,
        connect: Callable[[], RelayConnection],
        clock: Clock,
        random: Callable[[], float],
        *,
        connections: int,
        backoff: Backoff | None = None,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        self._outbox = outbox
        self._connect = connect
        self._clock = clock
        self._random = random
        self._connections = connections
        self._backoff = backoff or Backoff()
        self._progress = progress
        self.wake = asyncio.Event()
        self._queue: asyncio.Queue[Line] = asyncio.Queue(maxsize=connections)
        self._under_way: set[int] = set()
        self._relay_failures = 0
        self._relay_rests_until: datetime | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = False

    def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.ensure_future(self._deal_out())]
        self._tasks += [asyncio.ensure_future(self._carry()) for _ in range(self._connections)]

    async def stop(self) -> None:
        """Begin nothing new, wait for the mails that are under way (for a while), and end."""
        self._stopping = True
        carriers = self._tasks[1:]
        for dealer in self._tasks[:1]:
            dealer.cancel()
        while not self._queue.empty():
            self._under_way.discard(self._queue.get_nowait().id)
        end = asyncio.get_running_loop().time() + GRACE
        while self._under_way and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        for carrier in carriers:
            carrier.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def resting(self, now: datetime) -> bool:
        """Whether the relay is left alone at present, so that nothing can be delivered."""
        return self._relay_rests_until is not None and now < self._relay_rests_until

    # ---- which mail next ---------------------------------------------------------------------------------------------

    async def _deal_out(self) -> None:
        """Hand due lines to the carriers, for ever."""
        while True:
            self.wake.clear()
            try:
                until = await self._deal_out_due()
            except Exception as error:
                logs.failure("outbox-not-read", error)
                await asyncio.sleep(RETRY_COMMIT)
                continue
            await self._clock.sleep_until(until, self.wake)

    async def _deal_out_due(self) -> datetime | None:
        """Hand out what is due; returns when to look again (``None``: when woken)."""
        while True:
            now = self._clock.now()
            if self.resting(now):
                return self._relay_rests_until
            # a relay that failed is tried with one mail, not with all
            batch = BATCH if not self._relay_failures else 1
            if self._relay_failures and self._under_way:
                return None  # the one that tries it wakes us when it is done
            lines = await self._outbox.due(now, batch + len(self._under_way))
            fresh = [line for line in lines if line.id not in self._under_way][:batch]
            if not fresh:
                next_due = await self._outbox.next_due()
                return next_due if next_due is not None and next_due > now else None
            for line in in_turn(fresh):
                self._under_way.add(line.id)
                try:
                    await self._queue.put(line)
                except asyncio.CancelledError:
                    self._under_way.discard(line.id)  # nobody carries it: stopping must not wait for it
                    raise

    # ---- one mail ----------------------------------------------------------------------------------------------------

    async def _carry(self) -> None:
        """Deliver line after line over one connection, for ever."""
        connection = self._connect()
        try:
            while True:
                try:
                    async with asyncio.timeout(IDLE_SECONDS):
                        line = await self._queue.get()
                except TimeoutError:
                    await connection.close()
                    continue
                try:
                    await self._deliver(connection, line)
                finally:
                    self._under_way.discard(line.id)
                    self.wake.set()
                    self._progress()
        finally:
            with contextlib.suppress(Exception):
                await asyncio.shield(connection.close())

    async def _deliver(self, connection: RelayConnection, line: Line) -> None:
        if self._stopping or self.resting(self._clock.now()):
            return  # it stays ready in the store
        try:
            outcome = await connection.send(await self._outbox.parcel(line))
            self._note_relay(outcome)
        except Exception as error:
            # not the relay's doing: the mail cannot be made ready for the wire; it tells nothing of how the relay is
            logs.failure("mail-not-sendable", error, outbox=line.id)
            outcome = Outcome("later", f"not sendable: {type(error).__name__}")
        while not await self._commit(line, outcome):
            # it must not go out again because the disk was full for a moment, so it stays under way until that is written
            await asyncio.sleep(RETRY_COMMIT)

    def _note_relay(self, outcome: Outcome) -> None:
        if not outcome.relay:
            self._relay_failures = 0
            self._relay_rests_until = None
            return
        now = self._clock.now()
        if self._relay_rests_until is None or now >= self._relay_rests_until:  # one failure for all carriers at once
            self._relay_failures += 1
            self._relay_rests_until = now + RELAY_BACKOFF.wait(self._relay_failures, self._random())
            logs.event("relay-rests", failures=self._relay_failures, code=_code(outcome.text))

    async def _commit(self, line: Line, outcome: Outcome) -> bool:
        """Write down what became of a line; returns whether that could be written."""
        now = self._clock.now()
        failures = line.attempts + 1
        try:
            if outcome.kind == "sent":
                await self._outbox.sent(line, now, outcome.text)
                logs.event("mail-sent", outbox=line.id, attempts=failures)
            elif outcome.kind == "never" or now - instant(line.created_at) >= self._backoff.give_up:
                await self._outbox.parked(line, now, outcome.text, outcome.status)
                logs.event("mail-parked", outbox=line.id, attempts=failures, code=_code(outcome.text))
            else:
                until = now + self._backoff.wait(failures, self._random())
                if outcome.relay and self._relay_rests_until is not None:
                    until = self._relay_rests_until
                await self._outbox.deferred(line, until, outcome.text)
                logs.event("mail-deferred", outbox=line.id, attempts=failures, code=_code(outcome.text))
        except Exception as error:
            logs.failure("outcome-not-written", error, outbox=line.id, kind=outcome.kind)
            return False
        return True


def in_turn(lines: list[Line]) -> list[Line]:
    """The lines, one of each game in turn, so that a large game's mails do not hold up the others'."""
    games: dict[int | None, list[Line]] = {}
    for line in lines:
        games.setdefault(line.game_id, []).append(line)
    return [line for row in zip_longest(*games.values()) for line in row if line is not None]


def _code(text: str) -> str:
    """The stage and code of a relay's answer, without its words: ``RCPT: 550``."""
    return " ".join(text.split()[:2])
