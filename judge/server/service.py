"""The judge at work: the door, its loops (taking in, deadlines, writing, delivery, tidying), and the store between them.

A loop does one item at a time and never dies: an exception is logged and the loop goes on. Each loop sleeps until it is
woken by the one before it, by its next instant, or because another process (the command line) has changed the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import ssl
from collections.abc import Awaitable, Callable
from datetime import datetime
from types import TracebackType
from typing import Self

from judge.mail.identity import Keys
from judge.mail.signatures import Txt
from judge.play import Judge, confirming, digests, forgetting, intake, outgoing, reaching, turn, upkeep, writing
from judge.play.judge import judge_of
from judge.server import logs, notify
from judge.server.clock import Clock
from judge.server.delivery import Backoff, Delivery
from judge.server.door import Door, tls_context
from judge.server.lock import Lock
from judge.server.relaying import Parcel, RelayConnection
from judge.server.signatures import check_of
from judge.server.worker import StoreKeeper, Worker
from judge.settings import Settings
from judge.store import Store, inbox, outbox
from judge.store.outbox import Line

#: Seconds between looks at whether another process has changed the store.
WATCH = 0.25
#: Seconds between looks for strangers' mail that is to be forgotten.
TIDY = 3600.0
#: Seconds that a loop rests after an exception, doubling up to the second figure while they go on.
REST, LONGEST_REST = 0.5, 60.0


class Service:
    """A whole judge inside an asyncio program: ``async with Service(...) as service:``.

    ``random`` gives numbers from 0 to 1, for the spread of retries. ``tls`` is for the relay's certificate, and ``txt``
    stands in for DNS, in tests.
    """

    def __init__(
        self,
        settings: Settings,
        key: bytes,
        *,
        clock: Clock,
        random: Callable[[], float],
        password: str | None = None,
        backoff: Backoff | None = None,
        tls: ssl.SSLContext | None = None,
        txt: Txt | None = None,
    ) -> None:
        self._settings = settings
        self._key = key
        self._clock = clock
        self._lock = Lock(settings.database_path)
        self._play = Worker(self._open_judge, "play")
        self._front = Worker(self._open_judge, "door")
        self._signatures = check_of(settings, txt)
        keeper = StoreKeeper(self._front, clock, self._mail_kept, self._signatures)
        self._door = Door(settings, keeper, clock, tls_context(settings))
        self._delivery = Delivery(
            _StoreOutbox(self._play, lambda: self._line_added.set()),
            lambda: RelayConnection(settings, password, tls),
            clock,
            random,
            connections=settings.relay.connections,
            backoff=backoff,
            progress=self._made_progress,
        )
        self._mail_came = asyncio.Event()
        self._game_changed = asyncio.Event()
        self._mail_held = asyncio.Event()
        self._digest_changed = asyncio.Event()
        self._line_added = asyncio.Event()
        self._progress = asyncio.Event()
        self._loops: list[asyncio.Task[None]] = []
        self._version: int | None = None

    def _open_judge(self) -> Judge:
        store = Store.open(self._settings.database_path)
        return judge_of(store, Keys(self._key), self._settings)

    # ---- beginning and ending ----------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Open the store and the door, catch up with what waits, and begin.

        :raises StoreError: the database cannot be opened, or another server works on it.
        :raises BadSettings: a port cannot be had.
        """
        self._lock.take()
        try:
            await self._play.open()  # makes or migrates the database, so it goes first
            await self._front.open()
            await self._door.open()
        except BaseException:
            await self._close()
            raise
        self._delivery.start()
        steps = (self._take_in, self._keep_deadlines, self._ask, self._digest, self._write_mails, self._watch, self._tidy)
        self._loops = [asyncio.ensure_future(_for_ever(step)) for step in steps]
        logs.event("serving", smtp=self.smtp_port, lmtp=self.lmtp_port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End: the door first, then what is under way is finished and committed."""
        await self._close()
        logs.event("stopped")

    async def _close(self) -> None:
        await self._door.close()
        if self._signatures is not None:
            self._signatures.close()
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self._delivery.stop()
        await self._front.close()
        await self._play.close()
        self._lock.give_back()

    @property
    def smtp_port(self) -> int:
        """The port that SMTP is listened to on."""
        return self._door.smtp_port

    @property
    def lmtp_port(self) -> int:
        """The port that LMTP is listened to on, or 0."""
        return self._door.lmtp_port

    async def idle(self) -> None:
        """Return when nothing is left to do at the present instant: the inbox is empty, no phase is due, every mail that
        can be delivered now is delivered. Mails whose next attempt lies ahead are not waited for."""
        while True:
            self._progress.clear()
            now = self._clock.now()
            if await self._play.run(_nothing_to_do, now, deliverable=not self._delivery.resting(now)):
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WATCH):
                    await self._progress.wait()

    def wake(self) -> None:
        """Make every loop look at the store again."""
        self._mail_came.set()
        self._game_changed.set()
        self._mail_held.set()
        self._digest_changed.set()
        self._line_added.set()
        self._delivery.wake.set()
        self._made_progress()

    def _mail_kept(self) -> None:
        self._mail_came.set()

    def _made_progress(self) -> None:
        self._progress.set()

    # ---- the loops ---------------------------------------------------------------------------------------------------

    async def _take_in(self) -> None:
        """Take in the mails that wait, then sleep until one comes."""
        self._mail_came.clear()
        while (taken := await self._play.run(intake.step, self._clock.now())) is not None:
            if taken.fault is None:
                logs.event("mail-taken-in", inbox=taken.inbox_id, outcome=taken.outcome)
            else:
                logs.failure("mail-not-taken-in", taken.fault, inbox=taken.inbox_id)
                await asyncio.sleep(REST)  # the mail itself rests for longer; at the third time it is set aside
            self._line_added.set()
            self._game_changed.set()  # the last orders may have made a phase due at once
            self._mail_held.set()  # it may be one that its player is to be asked about, later
            self._digest_changed.set()
            self._made_progress()
        retry = await self._play.run(_next_retry, self._clock.now())
        await self._clock.sleep_until(retry, self._mail_came)

    async def _keep_deadlines(self) -> None:
        """Run the phases that are due, then sleep until the next is."""
        self._game_changed.clear()
        due = await self._play.run(_next_phase)
        now = self._clock.now()
        if due is not None and due <= now:
            # a mail that is just being committed came before the deadline, so it is waited for
            await self._door.settled()
            games = await self._play.run(turn.process_due, now)
            logs.event("phases-run", games=sum(ran.fault is None for ran in games))
            for ran in games:
                if ran.fault is not None:
                    logs.failure("phase-failed", ran.fault, game=ran.game)
            self._line_added.set()
            self._mail_came.set()  # mails that came after the deadline may have waited for it
            self._mail_held.set()  # another deadline, another instant to ask before it
            self._digest_changed.set()
            self._made_progress()
            due = await self._play.run(_next_phase)
            if not games and due is not None and due <= now:
                # due, but not run: a fault that is waited out, not run against
                raise RuntimeError("a phase is due and was not run")
        await self._clock.sleep_until(due, self._game_changed)

    async def _write_mails(self) -> None:
        """Render the mails that wait for it, then sleep until there is one."""
        self._line_added.clear()
        while (frozen := await self._play.run(writing.freeze_next, self._clock.now())) is not None:
            if frozen.fault is not None:
                logs.failure("mail-not-written", frozen.fault, line=frozen.line_id)
                await asyncio.sleep(REST)  # it waits behind the others; at the third time it is parked
            self._delivery.wake.set()
            self._made_progress()
        await self._line_added.wait()

    async def _ask(self) -> None:
        """Ask about held mails that could not be asked about before, each at its time."""
        self._mail_held.clear()
        now = self._clock.now()
        due = await self._play.run(confirming.next_question, now)
        if due is not None and due <= now:
            asked = await self._play.run(confirming.ask_again, now)
            self._line_added.set()
            self._made_progress()
            due = await self._play.run(confirming.next_question, now)
            if not asked and due is not None and due <= now:
                raise RuntimeError("a question is due and was not asked")
        await self._clock.sleep_until(due, self._mail_held)

    async def _digest(self) -> None:
        """Write the mails that people want once a day, each at its time."""
        self._digest_changed.clear()
        now = self._clock.now()
        due = await self._play.run(digests.next_due)
        if due is not None and due <= now:
            written = await self._play.run(digests.write_due, now)
            self._line_added.set()
            self._made_progress()
            due = await self._play.run(digests.next_due)
            if not written and due is not None and due <= now:
                raise RuntimeError("a mail of the day is due and was not written")
        await self._clock.sleep_until(due, self._digest_changed)

    async def _tidy(self) -> None:
        """Forget strangers' mail in time: once when the judge begins, then every hour by this process's own count."""
        gone = await self._play.run(upkeep.purge, self._clock.now())
        if gone:
            logs.event("strangers-forgotten", mails=gone)
        forgotten = await self._play.run(forgetting.forget_who_wished_it, self._clock.now())
        if forgotten:
            logs.event("people-forgotten", people=forgotten)
        await asyncio.sleep(TIDY)

    async def _watch(self) -> None:
        """Wake all loops when another connection (the door's, or another process's) has changed the store."""
        version = await self._play.run(_data_version)
        if version != self._version:  # true at the first look too: who knows what happened since the loops looked
            self._version = version
            self.wake()
        await asyncio.sleep(WATCH)


async def _for_ever(step: Callable[[], Awaitable[None]]) -> None:
    """Do ``step`` again and again; after an exception rest, longer while they go on, and go on."""
    rest = REST
    loop = asyncio.get_running_loop()
    while True:
        begun = loop.time()
        try:
            await step()
            rest = REST
        except Exception as error:
            logs.failure("loop-failed", error, loop=getattr(step, "__name__", "?").strip("_"))
            rest = REST if loop.time() - begun > LONGEST_REST else rest
            await asyncio.sleep(rest)
            rest = min(rest * 2, LONGEST_REST)


def _next_phase(judge: Judge) -> datetime | None:
    return turn.next_due(judge.store)


def _next_retry(judge: Judge, now: datetime) -> datetime | None:
    return inbox.next_retry(judge.store, now)


def _data_version(judge: Judge) -> int:
    return judge.store.data_version()


def _nothing_to_do(judge: Judge, now: datetime, *, deliverable: bool) -> bool:
    phase = turn.next_due(judge.store)
    question = confirming.next_question(judge, now)
    return (
        inbox.next_waiting(judge.store, now) is None
        and outbox.next_new(judge.store) is None
        and not (deliverable and outbox.due(judge.store, now, 1))
        and (phase is None or phase > now)
        and (question is None or question > now)
    )


class _StoreOutbox:
    """The store's outbox, through the worker that owns the connection."""

    def __init__(self, worker: Worker, line_added: Callable[[], None]) -> None:
        self._worker = worker
        self._line_added = line_added  # a mail that is given up may make another: word to the master

    async def due(self, now: datetime, limit: int) -> list[Line]:
        return await self._worker.run(lambda judge: outbox.due(judge.store, now, limit))

    async def next_due(self) -> datetime | None:
        return await self._worker.run(lambda judge: outbox.next_due(judge.store))

    async def parcel(self, line: Line) -> Parcel:
        sender, recipient = await self._worker.run(outgoing.envelope, line)

        async def content(eight_bit: bool) -> bytes:
            return await self._worker.run(outgoing.wire_bytes, line, eight_bit=eight_bit)

        return Parcel(sender, recipient, content)

    async def sent(self, line: Line, at: datetime, reply: str) -> None:
        await self._worker.run(lambda judge: outbox.sent(judge.store, line.id, at, reply))

    async def deferred(self, line: Line, until: datetime, error: str) -> None:
        await self._worker.run(lambda judge: outbox.deferred(judge.store, line.id, until, error))

    async def parked(self, line: Line, at: datetime, error: str, status: str) -> None:
        if await self._worker.run(reaching.refused, line, at, error, status):
            logs.event("seat-unreachable", outbox=line.id, game=line.game_id, status=status)
        self._line_added()


def run(
    settings: Settings,
    key: bytes,
    *,
    clock: Clock,
    random: Callable[[], float],
    password: str | None = None,
    ready: Callable[[Service], None] = lambda service: None,
) -> None:
    """Serve until SIGTERM or SIGINT; then end with nothing lost. ``ready`` is called once mail is taken.

    :raises JudgeError: it cannot begin.
    """

    async def serving() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.set_exception_handler(_log_stray)
        async with Service(settings, key, clock=clock, random=random, password=password) as service:
            ready(service)
            notify.tell("READY=1")
            await stop.wait()
            notify.tell("STOPPING=1")

    asyncio.run(serving())


def _log_stray(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log what asyncio would write with the text of exceptions in it."""
    error = context.get("exception")
    if isinstance(error, BaseException) and not isinstance(error, ConnectionError):  # clients come and go
        logs.failure("stray-exception", error)
