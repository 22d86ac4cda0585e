"""A thread that owns one connection to the store, so that nothing SQLite does ever holds the event loop up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from judge.play import Judge, door
from judge.play.door import Prepared
from judge.server import logs
from judge.server.clock import Clock
from judge.server.signatures import SignatureCheck
from judge.store.inbox import Kept, Recipient

P = ParamSpec("P")
T = TypeVar("T")

#: Mails that are committed together at most; and their octets.
BATCH = 64
BATCH_OCTETS = 16_000_000
#: Octets up to which a mail is made ready in the store's own thread, just before its transaction. That takes a millisecond;
#: a larger one may take a second, and is made ready in another thread.
SMALL = 32_000


class Worker:
    """Runs functions of `judge.play` and `judge.store` one after another in a thread of its own."""

    def __init__(self, open_judge: Callable[[], Judge], name: str) -> None:
        self._open_judge = open_judge
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._judge: Judge | None = None

    async def open(self) -> None:
        """Open the store in the thread.

        :raises StoreError: it cannot be opened.
        """

        def opening() -> None:
            self._judge = self._open_judge()

        await asyncio.get_running_loop().run_in_executor(self._threads, opening)

    async def run(self, function: Callable[Concatenate[Judge, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call ``function(judge, ...)`` in the thread. It runs to its end even if the caller is cancelled meanwhile."""

        def call() -> T:
            assert self._judge is not None, "the worker is not open"
            return function(self._judge, *args, **kwargs)

        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._threads, call))

    async def close(self) -> None:
        """Let what was begun end, then close the store."""

        def closing() -> None:
            if self._judge is not None:
                self._judge.store.close()
                self._judge = None

        await asyncio.get_running_loop().run_in_executor(self._threads, closing)
        self._threads.shutdown(wait=True)


class _Mail:
    """A mail that waits to be committed; a large one is ready by then."""

    def __init__(self, raw: bytes, arguments: dict[str, Any]) -> None:
        self.raw = raw
        self.arguments = arguments
        self.ready: Prepared | None = None
        self.kept: asyncio.Future[list[Kept]] = asyncio.get_running_loop().create_future()


class StoreKeeper:
    """The door's keeper: a thread and a connection of its own, so that adjudicating never delays a 250.

    Mails that come while others are being committed are committed together: one wait for the disk, and each is durable
    before its own 250. Cutting the tokens out of a large mail takes long; meanwhile nothing else waits, but for other large
    mails: those are made ready one at a time.
    """

    def __init__(
        self, worker: Worker, clock: Clock, kept: Callable[[], None], signatures: SignatureCheck | None = None
    ) -> None:
        self._worker = worker
        self._signatures = signatures
        self._clock = clock
        self._tell = kept
        self._one_large = asyncio.Lock()
        self._waiting: list[_Mail] = []
        self._writer: asyncio.Task[None] | None = None

    async def recipient(self, address: str) -> Recipient | None:
        """Who ``address`` is, or ``None``."""
        return await self._worker.run(door.recipient, address)

    async def keep(self, raw: bytes, *, envelope_from: str, recipients: Sequence[Recipient], peer: str) -> Sequence[Kept]:
        """Commit the mail; it is durable when this returns."""
        arguments: dict[str, Any] = {
            "envelope_from": envelope_from,
            "recipients": recipients,
            "peer": peer,
            "now": self._clock.now(),
        }
        if self._signatures is not None:
            arguments["signed_by"] = await self._signatures.signers(raw, recipients)
        mail = _Mail(raw, arguments)
        if len(raw) > SMALL:
            async with self._one_large:
                tokens, domain = await self._worker.run(
                    lambda judge: (door.live_tokens(judge, recipients, envelope_from), judge.domain)
                )
                mail.ready = await asyncio.to_thread(door.prepare, raw, tokens, domain, **arguments)
        self._waiting.append(mail)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.ensure_future(self._write())
        return await mail.kept

    async def _write(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                results = await self._worker.run(_keep_together, batch)
            except Exception as error:
                logs.failure("batch-not-kept", error, mails=len(batch))
                results = [error] * len(batch)
            for mail, result in zip(batch, results, strict=True):
                if mail.kept.done():
                    continue
                if isinstance(result, BaseException):
                    mail.kept.set_exception(result)
                else:
                    mail.kept.set_result(result)
            self._tell()

    def _next_batch(self) -> list[_Mail]:
        batch: list[_Mail] = []
        octets = 0
        while self._waiting and len(batch) < BATCH and (not batch or octets + len(self._waiting[0].raw) <= BATCH_OCTETS):
            batch.append(self._waiting.pop(0))
            octets += len(batch[-1].raw)
        return batch


def _keep_together(judge: Judge, batch: Sequence[_Mail]) -> list[list[Kept] | BaseException]:
    """Commit a batch in one transaction; if that fails, each mail in one of its own, so that a bad one harms no other."""
    ready = [_prepared(judge, mail) for mail in batch]  # before the transaction: nobody else can write during one
    good = [mail for mail in ready if isinstance(mail, Prepared)]
    kept: list[list[Kept] | BaseException] = []
    if len(good) > 1:
        try:
            with judge.store.transaction():
                kept = [door.keep_prepared(judge, mail) for mail in good]
        except Exception as error:
            # rolled back: nothing of it is there, and nobody was told 250
            logs.failure("batch-not-kept", error, mails=len(good))
            kept = []
    if not kept:
        kept = [_kept_alone(judge, mail) for mail in good]
    results = iter(kept)
    return [next(results) if isinstance(mail, Prepared) else mail for mail in ready]


def _prepared(judge: Judge, mail: _Mail) -> Prepared | Exception:
    if mail.ready is not None:
        return mail.ready
    try:
        tokens = door.live_tokens(judge, mail.arguments["recipients"], mail.arguments["envelope_from"])
        return door.prepare(mail.raw, tokens, judge.domain, **mail.arguments)
    except Exception as error:
        return error


def _kept_alone(judge: Judge, mail: Prepared) -> list[Kept] | BaseException:
    try:
        return door.keep_prepared(judge, mail)
    except Exception as error:
        return error
