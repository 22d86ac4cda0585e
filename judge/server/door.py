"""The door: where SMTP and LMTP are listened to, what its connections share, and how a mail is kept before 250 is said."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from judge.errors import BadSettings
from judge.server import dialogue, logs
from judge.server.clock import Clock
from judge.server.dialogue import Dialogue, Hooks, LmtpDialogue, SmtpDialogue
from judge.server.limits import Buckets, Crowd, Memory
from judge.settings import HostPort, Settings
from judge.store.inbox import Kept, Recipient

#: Octets of mails that sessions may hold at once (or four of the largest mails, if that is more).
MEMORY = 40_000_000
#: Seconds that sessions get to end when the door closes while they save a mail.
GRACE = 20.0


class Keeper(Protocol):
    """Who knows the addresses and keeps the mails."""

    async def recipient(self, address: str) -> Recipient | None:
        """Who ``address`` is, or ``None``: refused with 550."""
        ...

    async def keep(self, raw: bytes, *, envelope_from: str, recipients: Sequence[Recipient], peer: str) -> Sequence[Kept]:
        """Commit the mail, one entry a recipient; when this returns, 250 is said."""
        ...


class Door:
    """Listens for SMTP, and for LMTP if the settings name a place for it."""

    def __init__(self, settings: Settings, keeper: Keeper, clock: Clock, tls: ssl.SSLContext | None = None) -> None:
        self.settings = settings
        self.keeper = keeper
        self.tls = tls
        self.hooks = Hooks()
        self.memory = Memory(max(MEMORY, 4 * settings.limits.mail_bytes))
        self._clock = clock
        self._crowd = Crowd(settings.limits.connections, settings.limits.connections_per_peer)
        rates = settings.rates
        self._seats, self._senders, self._games = (
            Buckets(rates.seat_per_hour),
            Buckets(rates.sender_per_hour),
            Buckets(rates.game_per_hour),
        )
        self._sessions: set[Dialogue] = set()
        self._saves: set[asyncio.Task[Sequence[Kept]]] = set()
        self._servers: list[asyncio.Server] = []
        self.smtp_port = 0
        self.lmtp_port = 0

    # ---- opening and closing -----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Begin to listen.

        :raises BadSettings: a port or a socket cannot be had.
        """
        logs.silence_libraries()  # aiosmtpd would log every address and token
        listen = self.settings.listen
        smtp = await self._listen(SmtpDialogue, HostPort(listen.host, listen.port))
        self.smtp_port = smtp.sockets[0].getsockname()[1]
        place = self.settings.lmtp
        if place is not None:
            lmtp = await self._listen(LmtpDialogue, place)
            if isinstance(place, HostPort):
                self.lmtp_port = lmtp.sockets[0].getsockname()[1]

    async def _listen(self, kind: type[Dialogue], place: HostPort | Path) -> asyncio.Server:
        loop = asyncio.get_running_loop()

        def connection() -> Dialogue:
            return kind(self, loop)

        try:
            if isinstance(place, HostPort):
                server = await loop.create_server(connection, place.host, place.port, backlog=256)
            else:
                server = await loop.create_unix_server(connection, str(place), backlog=256)
        except OSError as error:
            where = f"{place.host}:{place.port}" if isinstance(place, HostPort) else str(place)
            raise BadSettings(f"cannot listen there: {error.strerror or error}", where) from None
        self._servers.append(server)
        return server

    async def close(self) -> None:
        """Stop listening, tell the sessions so, and wait until every mail that is being saved is answered."""
        for server in self._servers:
            server.close()
        deadline = asyncio.get_running_loop().time() + GRACE
        while self._sessions and asyncio.get_running_loop().time() < deadline:
            for session in list(self._sessions):
                if not session.saving:
                    session.hang_up(dialogue.GOING_DOWN)
            await asyncio.sleep(0.01)
        if self._saves:
            await asyncio.wait(self._saves)
        for session in list(self._sessions):
            if isinstance(session.transport, asyncio.Transport):
                session.transport.abort()

    async def settled(self) -> None:
        """Return when every mail that is being kept now is committed (or has failed)."""
        if self._saves:
            await asyncio.wait(set(self._saves))

    # ---- what connections ask ----------------------------------------------------------------------------------------

    def enter(self, session: Dialogue, peer: str) -> bool:
        """Count a new connection; ``False``: one too many."""
        trusted = session.trusted_protocol or peer in self.settings.listen.relays
        if not self._crowd.enter(peer, trusted=trusted):
            logs.event("connection-refused", open=self._crowd.total)
            return False
        self._sessions.add(session)
        return True

    def leave(self, session: Dialogue, peer: str) -> None:
        """A connection is gone."""
        self._sessions.discard(session)
        self._crowd.leave(peer)

    def may_send(self, sender: str, recipients: Iterable[Recipient]) -> bool:
        """Whether the rates let ``sender`` send one more mail to all of ``recipients``; takes nothing."""
        now = self._clock.now()
        return all(buckets.has(key, now) for r in recipients for buckets, key in self._counted(sender, r))

    def _counted(self, sender: str, recipient: Recipient) -> list[tuple[Buckets, tuple[str, ...]]]:
        """What a mail is counted against.

        A seat's signed address is counted by itself alone, so that a stranger who floods the game's open address, even
        in a player's name, never holds up that player's orders. Behind a relay the peer says nothing, so it counts nothing.
        """
        who = (recipient.kind, recipient.game or "", recipient.power or "")
        if recipient.kind in ("seat", "bounce"):
            return [(self._seats, who)]
        return [(self._senders, (sender.lower(),)), (self._games, who)]

    async def save(
        self, session: Dialogue, raw: bytes, sender: str, recipients: Sequence[Recipient], peer: str
    ) -> list[str]:
        """Keep a mail and return the reply for each recipient. It is kept even if the client hangs up meanwhile.

        SMTP has one reply for all recipients, so there all or none are taken; LMTP tells each its own.
        """
        unique = list(dict.fromkeys(recipients))
        taken = [r for r in unique if self.may_send(sender, [r])]
        if not taken or (len(taken) < len(unique) and not session.trusted_protocol):
            logs.event("mail-put-off", octets=len(raw))
            return [dialogue.TOO_OFTEN] * len(recipients)
        now = self._clock.now()
        for recipient in taken:
            for buckets, key in self._counted(sender, recipient):
                buckets.take(key, now)
        work = asyncio.ensure_future(self._keep(raw, sender, taken, peer))
        self._saves.add(work)
        work.add_done_callback(self._saves.discard)
        kept = await asyncio.shield(work)
        reply = dict(zip(taken, (f"250 2.0.0 kept as {k.id}" for k in kept), strict=True))
        return [reply.get(r, dialogue.TOO_OFTEN) for r in recipients]

    async def _keep(self, raw: bytes, sender: str, recipients: Sequence[Recipient], peer: str) -> Sequence[Kept]:
        kept = await self.keeper.keep(raw, envelope_from=sender, recipients=recipients, peer=peer)
        for one, recipient in zip(kept, recipients, strict=True):
            logs.event("mail-kept", inbox=one.id, duplicate=one.duplicate, kind=recipient.kind, octets=len(raw))
        return kept


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """The context for STARTTLS, or ``None`` if no certificate is set.

    :raises BadSettings: certificate or key cannot be read, or do not fit.
    """
    listen = settings.listen
    if not listen.certificate:
        return None
    certificate = settings.home / listen.certificate
    key = settings.home / listen.certificate_key if listen.certificate_key else None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise BadSettings(f"no certificate with its key can be read ({type(error).__name__})", str(certificate)) from None
    with contextlib.suppress(ValueError):
        # mail between servers is opportunistic: refusing an old client would only make it send in the clear
        context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
