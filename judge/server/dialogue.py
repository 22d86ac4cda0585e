"""What is said at the door: SMTP and LMTP over aiosmtpd's connection handling, every reply from one table.

aiosmtpd reads command lines, counts them, greets and does STARTTLS. MAIL, RCPT and DATA are ours, because theirs would
answer an exception with 500 and its text, hold no limit on recipients, answer LMTP once for all recipients, read every
line of a large mail by itself, and let a bare LF make a second header out of one.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import SMTP, Envelope, syntax

from judge.server import logs

if TYPE_CHECKING:
    from judge.server.door import Door
    from judge.store.inbox import Recipient

GREETING_IDENT = "judge"

OK = "250 2.0.0 ok"
SENDER_OK = "250 2.1.0 sender ok"
RECIPIENT_OK = "250 2.1.5 recipient ok"
TRY_LATER = "451 4.3.0 not taken now, try again later"
NOBODY_HERE = "550 5.1.1 no such address here"
TOO_LARGE = "552 5.3.4 the mail is too large"
TOO_BUSY = "452 4.3.1 too many mails at once, try again later"
TOO_MANY_RECIPIENTS = "452 4.5.3 too many recipients"
TOO_OFTEN = "450 4.7.1 too many mails, try again later"
TOO_MANY_CONNECTIONS = "421 4.7.0 too many connections, try again later"
TOO_MANY_UNKNOWN = "421 4.7.0 too many unknown recipients"
TOO_SLOW = "421 4.4.2 nothing came for too long"
TOO_LONG = "421 4.4.2 the session has lasted too long"
GOING_DOWN = "421 4.3.2 going down, try again later"
BARE_LINE_ENDS = "554 5.6.0 a bare CR or LF in the header"
LOOPING = "554 5.4.6 this mail has been through too many servers"
BAD_SENDER = "553 5.1.7 not a sender's address"
BAD_RECIPIENT = "553 5.1.3 not a recipient's address"
NOT_ASCII = "553 5.6.7 an address that is not ASCII needs SMTPUTF8"
BAD_PARAMETER = "555 5.5.4 parameter not known here"
BAD_SYNTAX = "501 5.5.4 syntax: "
NO_SENDER = "503 5.5.1 MAIL comes first"
NO_RECIPIENT = "503 5.5.1 RCPT comes first"
NESTED = "503 5.5.1 there is a sender already"
CANNOT_SAY = "252 2.0.0 send mail and see"
NOT_HERE = "502 5.5.1 not done here"
SEND_DATA = "354 end with <CR><LF>.<CR><LF>"

#: Chunk in which a mail is read, and the longest command line that is looked at before it is refused, in octets.
CHUNK = 65536
#: Longest command line that is obeyed, in octets; RFC 5321 asks for 512 and more with extensions.
COMMAND_LIMIT = 2048
#: A client that goes on sending so many times the largest mail is cut off.
DRAIN = 4
#: Refused recipients in one SMTP session before it is ended: somebody guesses. A relay's LMTP probes are not counted.
MOST_UNKNOWN = 20
#: Seconds that a closed connection gets to take our last reply.
LINGER = 5.0
#: RFC 5321, 6.3: more than so many Received lines is a loop.
MOST_HOPS = 100

_END = b"\r\n.\r\n"
_BARE = re.compile(rb"(?<!\r)\n|\r(?!\n)")
_HOP = re.compile(rb"^received[ \t]*:", re.IGNORECASE | re.MULTILINE)
# RFC 5321 4.1.2: a path, with the source route that is to be ignored; angle brackets may be missing in old scripts
_PATH = re.compile(r"<(?:@[^:<>\s]+:)?((?:\"(?:[^\"\\]|\\.)*\"|[^<>\"\s])*)>(?:\s+(\S.*))?\Z|([^<>\"\s]+)(?:\s+(\S.*))?\Z")


class MailEnvelope(Envelope):
    """One mail's sender and recipients, as far as they have been said."""

    def __init__(self) -> None:
        super().__init__()
        #: envelope sender; empty for the null sender of bounces, ``None`` before MAIL
        self.sender: str | None = None
        #: who each accepted RCPT meant, in order
        self.recipients: list[Recipient] = []


class Hooks:
    """What aiosmtpd asks of its handler: only what to do when something raised, and what EHLO offers."""

    async def handle_exception(self, error: Exception) -> str:
        """451 for whatever happened, and nothing that tells what."""
        if not isinstance(error, ConnectionError):  # a client that is gone is no fault of ours
            logs.failure("dialogue-failed", error)
        return TRY_LATER

    async def handle_EHLO(
        self, server: Dialogue, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """aiosmtpd's offers without AUTH (nobody logs in here), with what we can do besides."""
        session.host_name = hostname
        offers = [line[4:] for line in responses if not line[4:].startswith(("AUTH", "HELP"))]
        offers += ["PIPELINING", "ENHANCEDSTATUSCODES", "HELP"]
        return [f"250-{offer}" for offer in offers[:-1]] + [f"250 {offers[-1]}"]


class Dialogue(SMTP):
    """One connection. Everything that connections share is the `Door`'s."""

    line_length_limit = CHUNK
    command_size_limit = COMMAND_LIMIT
    trusted_protocol = False
    greeting = "EHLO"
    envelope: MailEnvelope

    def __init__(self, door: Door, loop: asyncio.AbstractEventLoop) -> None:
        # aiosmtpd shares one dict among all connections and lets EHLO grow it
        self.command_size_limits = defaultdict(lambda: COMMAND_LIMIT)
        limits = door.settings.limits
        super().__init__(
            door.hooks,
            data_size_limit=limits.mail_bytes,
            enable_SMTPUTF8=True,
            hostname=door.settings.domain,  # else a blocking look-up for every connection
            ident=GREETING_IDENT,
            tls_context=door.tls,
            timeout=limits.idle_seconds,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
            command_call_limit={"*": limits.commands},
            loop=loop,
        )
        self._door = door
        self._peer: str | None = None
        self._unknown = 0
        self._session_end: asyncio.TimerHandle | None = None
        #: a mail is being saved: nothing may cut the connection now but the peer
        self.saving = False

    # ---- the connection ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet, or turn away a connection too many. (Called again after STARTTLS, for the same connection.)"""
        if self._peer is None:
            name = transport.get_extra_info("peername")
            peer = str(name[0]) if isinstance(name, tuple) else ""
            if not self._door.enter(self, peer):
                assert isinstance(transport, asyncio.Transport)
                transport.write(TOO_MANY_CONNECTIONS.encode() + b"\r\n")
                transport.close()
                return
            self._peer = peer
            seconds = self._door.settings.limits.session_seconds
            self._session_end = self.loop.call_later(seconds, self._end_session)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count the connection as gone, once."""
        if self._peer is None:
            return
        self._door.leave(self, self._peer)
        self._peer = None
        if self._session_end is not None:
            self._session_end.cancel()
        super().connection_lost(error)

    def eof_received(self) -> bool | None:
        """The client said that it will say no more."""
        return super().eof_received() if self._peer is not None else None

    def data_received(self, data: bytes) -> None:
        """Bytes came; those of a connection that was turned away are dropped."""
        if self._peer is not None:
            super().data_received(data)

    def hang_up(self, reply: str) -> None:
        """Say why and close; a client that does not read even that is cut off."""
        if isinstance(self.transport, asyncio.Transport):
            if not self.transport.is_closing():
                self.transport.write(reply.encode() + b"\r\n")
                self.transport.close()
            self.loop.call_later(LINGER, self.transport.abort)
        elif isinstance(self._original_transport, asyncio.Transport):  # in the middle of a TLS handshake
            self._original_transport.abort()

    def _timeout_cb(self) -> None:
        if self.saving:
            self._reset_timeout()
        else:
            self.hang_up(TOO_SLOW)

    def _end_session(self) -> None:
        if self.saving:
            self._session_end = self.loop.call_later(1, self._end_session)
        else:
            self.hang_up(TOO_LONG)

    def _create_envelope(self) -> MailEnvelope:
        return MailEnvelope()

    # ---- commands ----------------------------------------------------------------------------------------------------

    async def check_helo_needed(self, helo: str = "") -> bool:
        """Whether the client has yet to greet; tells it so."""
        if self.session is not None and self.session.host_name:
            return False
        await self.push(f"503 5.5.1 send {self.greeting} first")
        return True

    @syntax("EHLO hostname")
    async def smtp_EHLO(self, hostname: str) -> None:
        """Greeting with extensions; forgets what earlier ones added to the limits."""
        self.command_size_limits.clear()
        await super().smtp_EHLO(hostname)

    @syntax("MAIL FROM: <address>", extended=" [SIZE=n] [BODY=8BITMIME] [SMTPUTF8]")
    async def smtp_MAIL(self, arg: str | None) -> None:
        """The sender, with SIZE, BODY and SMTPUTF8."""
        if await self.check_helo_needed():
            return
        if self.envelope.sender is not None:
            await self.push(NESTED)
            return
        path = _path(arg, "FROM:")
        if path is None:
            await self.push(BAD_SYNTAX + "MAIL FROM:<address>")
            return
        address, parameters = path
        refusal, utf8 = self._mail_parameters(parameters)
        if refusal is None and (not _sendable(address) or (address and "@" not in address)):
            refusal = BAD_SENDER
        if refusal is None and not address.isascii() and not utf8:
            refusal = NOT_ASCII
        if refusal is None:
            self.envelope.sender = self.envelope.mail_from = address
            self.envelope.smtp_utf8 = utf8
        await self.push(refusal or SENDER_OK)

    def _mail_parameters(self, parameters: str) -> tuple[str | None, bool]:
        """Return a refusal or ``None``, and whether SMTPUTF8 was said."""
        utf8 = False
        for parameter in parameters.upper().split():
            name, _, value = parameter.partition("=")
            if name == "SIZE" and value.isascii() and value.isdigit() and len(value) <= 20:
                if int(value) > self._door.settings.limits.mail_bytes:
                    return TOO_LARGE, utf8
            elif parameter == "SMTPUTF8":
                utf8 = True
            elif parameter not in ("BODY=7BIT", "BODY=8BITMIME"):
                return BAD_PARAMETER, utf8
        return None, utf8

    @syntax("RCPT TO: <address>")
    async def smtp_RCPT(self, arg: str | None) -> None:
        """A recipient: one that nobody knows is refused here, so that no bounce has to be written later."""
        if await self.check_helo_needed():
            return
        if self.envelope.sender is None:
            await self.push(NO_SENDER)
            return
        path = _path(arg, "TO:")
        if path is None:
            await self.push(BAD_SYNTAX + "RCPT TO:<address>")
            return
        address, parameters = path
        if parameters:
            await self.push(BAD_PARAMETER)
        elif not address or not _sendable(address):
            await self.push(BAD_RECIPIENT)
        elif len(self.envelope.recipients) >= self._door.settings.limits.recipients:
            await self.push(TOO_MANY_RECIPIENTS)
        else:
            await self._recipient(address)

    async def _recipient(self, address: str) -> None:
        if address.lower() == "postmaster":  # RFC 5321 4.5.1: without a domain too
            address += f"@{self._door.settings.domain}"
        envelope = self.envelope
        found = await self._door.keeper.recipient(address)
        if found is None:
            self._unknown += 1
            logs.event("recipient-refused")
            if self._unknown > MOST_UNKNOWN and not self.trusted_protocol:
                self.hang_up(TOO_MANY_UNKNOWN)
            else:
                await self.push(NOBODY_HERE)
        elif not self._door.may_send(envelope.sender or "", [found]):
            logs.event("recipient-put-off", kind=found.kind)
            await self.push(TOO_OFTEN)
        else:
            envelope.recipients.append(found)
            envelope.rcpt_tos.append(address)
            await self.push(RECIPIENT_OK)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:
        """The mail itself: read, checked, committed, and only then 250."""
        if await self.check_helo_needed():
            return
        if not self.envelope.recipients:
            await self.push(NO_RECIPIENT)
            return
        if arg:
            await self.push(BAD_SYNTAX + "DATA")
            return
        await self.push(SEND_DATA)
        envelope = self.envelope
        claimed = [0]
        try:
            raw = await self._read_mail(claimed)
            replies = [raw] if isinstance(raw, str) else await self._save(raw, envelope)
        finally:
            self._door.memory.give_back(claimed[0])
        self.envelope = self._create_envelope()
        await self._push_replies(replies, len(envelope.recipients))

    async def _push_replies(self, replies: Sequence[str], recipients: int) -> None:
        """Send what became of a mail: one reply for all, or (LMTP) one a recipient."""
        await self.push(replies[0])

    async def _read_mail(self, claimed: list[int]) -> bytes | str:
        """Return the mail's bytes with the dots taken out, or the reply that refuses it once it has been sent whole.

        ``claimed[0]`` is what it holds of the door's memory when this returns, by an exception too.
        """
        reader = self._reader
        # the end of the mail is looked for with the line end before it; an empty mail has that in the line "DATA"
        reader._buffer[0:0] = b"\r\n"  # type: ignore[attr-defined]
        limit = self._door.settings.limits.mail_bytes
        parts: list[bytes] = []
        size = 0
        refusal: str | None = None
        whole = False
        while not whole:
            try:
                part = await reader.readuntil(_END)
                whole = True
            except asyncio.LimitOverrunError as overrun:
                part = await reader.read(overrun.consumed)
            self._reset_timeout()
            size += len(part)
            # the line end put before it, and the dot with its own, are no part of the mail
            if refusal is None and size > limit + len(_END):
                refusal = TOO_LARGE
            elif refusal is None and not self._door.memory.claim(len(part)):
                refusal = TOO_BUSY
            elif refusal is None:
                claimed[0] += len(part)
                parts.append(part)
                continue
            parts.clear()
            self._door.memory.give_back(claimed[0])
            claimed[0] = 0
            if size > DRAIN * limit:
                self.hang_up(TOO_LARGE)
                raise asyncio.CancelledError  # as when the client is gone
        if refusal is not None:
            logs.event("mail-refused", octets=size, code=refusal[:9])
            return refusal
        return b"".join(parts)[:-3].replace(b"\r\n.", b"\r\n")[2:]

    async def _save(self, raw: bytes, envelope: MailEnvelope) -> list[str]:
        """Keep a mail for the recipients that may have it; returns a reply a recipient."""
        refusal = _header_fault(raw)
        if refusal is not None:
            logs.event("mail-refused", octets=len(raw), code=refusal[:9])
            return [refusal] * len(envelope.recipients)
        self.saving = True
        try:
            return await self._door.save(self, raw, envelope.sender or "", envelope.recipients, self._peer or "")
        except Exception as error:
            logs.failure("mail-not-kept", error, octets=len(raw))
            return [TRY_LATER] * len(envelope.recipients)
        finally:
            self.saving = False

    @syntax("VRFY <address>")
    async def smtp_VRFY(self, arg: str | None) -> None:
        """Tells nothing."""
        await self.push(CANNOT_SAY)

    async def smtp_EXPN(self, arg: str | None) -> None:
        """Nothing to expand."""
        await self.push(NOT_HERE)

    async def smtp_AUTH(self, arg: str | None) -> None:
        """Nobody logs in here."""
        await self.push(NOT_HERE)


class SmtpDialogue(Dialogue):
    """SMTP: one reply a mail."""


class LmtpDialogue(Dialogue):
    """LMTP (RFC 2033): LHLO, and one reply a recipient. The peer is our own mail server."""

    trusted_protocol = True
    greeting = "LHLO"

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:
        """LMTP's greeting."""
        await Dialogue.smtp_EHLO(self, arg)

    async def smtp_EHLO(self, arg: str) -> None:
        """Not in LMTP."""
        await self.push("500 5.5.1 this is LMTP: LHLO")

    async def smtp_HELO(self, arg: str) -> None:
        """Not in LMTP."""
        await self.push("500 5.5.1 this is LMTP: LHLO")

    async def _push_replies(self, replies: Sequence[str], recipients: int) -> None:
        each = list(replies) if len(replies) == recipients else [replies[0]] * recipients
        await self.push("\r\n".join(each))


def _path(arg: str | None, keyword: str) -> tuple[str, str] | None:
    """``FROM:<address> parameters`` -> (address, parameters); ``None`` if it is not so."""
    if arg is None or arg[: len(keyword)].upper() != keyword:
        return None
    match = _PATH.match(arg[len(keyword) :].strip())
    if match is None:
        return None
    if match[1] is None:
        return match[3], match[4] or ""
    return match[1], match[2] or ""


def _sendable(address: str) -> bool:
    """Whether an address can be written into a command again: UTF-8, no control characters, of a bearable length."""
    try:
        octets = len(address.encode("utf-8"))
    except UnicodeEncodeError:
        return False
    return octets <= 320 and address.isprintable()


def _header_fault(raw: bytes) -> str | None:
    """The refusal of a mail whose header would be read in two ways, or that goes round in circles; else ``None``."""
    end = raw.find(b"\r\n\r\n")
    header = raw if end < 0 else raw[:end]
    if _BARE.search(header):
        return BARE_LINE_ENDS
    if len(_HOP.findall(header)) > MOST_HOPS:
        return LOOPING
    return None
