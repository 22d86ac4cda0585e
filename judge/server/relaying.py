"""One connection to the relay, and what an answer of it means for a mail: sent, later, or never."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from aiosmtplib import SMTP, SMTPException, SMTPHeloError, SMTPResponseException

from judge.server.blame import recipients_status
from judge.settings import Settings

#: Seconds for one whole mail, however slowly the relay takes it; many times the time for one answer.
MAIL_TIMEOUT_FACTOR = 10
#: A connection that was not used for so long is not trusted to be open still.
IDLE_SECONDS = 15.0

_ADDRESS = re.compile(r"<?[^\s<>]*@[^\s<>]*>?")
_TOKEN = re.compile(r"(?<![A-Za-z0-9])[a-z2-7]{16}(?![A-Za-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one attempt.

    ``relay``: the fault is the relay's as a whole (no connection, no sender taken, 421), not this mail's, so that the
    others need not try now. ``text`` is fit for storing: no address and no token is in it. ``status``: a code of RFC 3463
    if the mail is refused for its recipient's sake (at RCPT, or when it was seen whole), else empty.
    """

    kind: Literal["sent", "later", "never"]
    text: str
    relay: bool = False
    status: str = ""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One mail to hand over: its envelope, and how to get its bytes once it is known whether the relay takes 8 bits."""

    sender: str
    recipient: str
    content: Callable[[bool], Awaitable[bytes]]


class RelayConnection:
    """A connection to the relay that is kept between mails."""

    def __init__(self, settings: Settings, password: str | None, tls: ssl.SSLContext | None = None) -> None:
        self._settings = settings
        self._password = password
        self._tls = tls
        self._smtp: SMTP | None = None
        self._used_at = 0.0

    async def send(self, parcel: Parcel) -> Outcome:
        """Try once to hand a mail over. Never raises for anything the relay does.

        A connection that was kept and is found dead before the mail's content was sent is opened anew, once: relays
        close idle connections, and those with many mails, without meaning anything by it.
        """
        seconds = self._settings.relay.timeout * MAIL_TIMEOUT_FACTOR
        try:
            async with asyncio.timeout(seconds):
                reused = await self._connected()
                outcome, begun = await self._attempt(parcel)
                if outcome.relay and reused and not begun:
                    self._drop()
                    await self._connected()
                    outcome, _ = await self._attempt(parcel)
        except (SMTPException, OSError, ssl.SSLError, TimeoutError) as error:
            outcome = _of_connecting(error)
        except asyncio.CancelledError:
            self._drop()
            raise
        if outcome.relay:
            self._drop()
        return outcome

    async def _connected(self) -> bool:
        """See that there is a connection. Returns whether it was there before."""
        clock = asyncio.get_running_loop().time
        if self._smtp is not None and self._smtp.is_connected and clock() - self._used_at < IDLE_SECONDS:
            self._used_at = clock()
            return True
        await self.close()
        relay = self._settings.relay
        self._smtp = SMTP(
            hostname=relay.host,
            port=relay.port,
            local_hostname=self._settings.domain,  # else a look-up of our own name
            timeout=relay.timeout,
            start_tls={"never": False, "offered": None, "always": True}[relay.starttls],
            # "offered" protects from listeners alone, so a relay's self-made certificate is good enough for it
            validate_certs=relay.starttls == "always",
            tls_context=self._tls,
            username=relay.user or None,
            password=self._password,
        )
        await self._smtp.connect()
        if self._smtp.is_ehlo_or_helo_needed:
            try:
                await self._smtp.ehlo()
            except SMTPHeloError:
                await self._smtp.helo()
        self._used_at = clock()
        return False

    async def _attempt(self, parcel: Parcel) -> tuple[Outcome, bool]:
        """Return the outcome, and whether the content had begun to go out."""
        smtp = self._smtp
        assert smtp is not None
        eight_bit = smtp.supports_extension("8bitmime")
        content = await parcel.content(eight_bit)
        options = ["BODY=8BITMIME"] if eight_bit and not content.isascii() else []
        if smtp.supports_extension("size"):
            options.append(f"SIZE={len(content)}")
        encoding = "ascii"
        if not (parcel.sender + parcel.recipient).isascii():
            if not smtp.supports_extension("smtputf8"):
                return Outcome("never", "the relay takes no address that is not ASCII", status="5.6.7"), False
            options.append("SMTPUTF8")
            encoding = "utf-8"
        stage = "MAIL"
        try:
            await smtp.mail(parcel.sender, options=options, encoding=encoding)
            stage = "RCPT"
            await smtp.rcpt(parcel.recipient, encoding=encoding)
            stage = "DATA"
            # RFC 5321 4.5.3.2.6: the answer to a whole mail may take long, and not waiting for it makes duplicates
            reply = await smtp.data(content, timeout=self._settings.relay.timeout * MAIL_TIMEOUT_FACTOR)
        except SMTPResponseException as error:
            outcome = _of_reply(stage, error.code, error.message)
            if not outcome.relay:
                await self._reset()
            return outcome, stage == "DATA"
        except (SMTPException, OSError, TimeoutError) as error:
            return Outcome("later", f"{stage}: {type(error).__name__}", relay=True), stage == "DATA"
        return Outcome("sent", told(reply.code, reply.message)), True

    async def _reset(self) -> None:
        """Take back a refused mail, so that the connection can be used for the next."""
        try:
            assert self._smtp is not None
            await self._smtp.rset()
        except (SMTPException, OSError, TimeoutError):
            self._drop()

    async def close(self) -> None:
        """Take leave of the relay."""
        smtp, self._smtp = self._smtp, None
        if smtp is None:
            return
        try:
            if smtp.is_connected:
                await smtp.quit(timeout=2)
        except (SMTPException, OSError, TimeoutError):
            pass
        finally:
            smtp.close()

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()


def _of_reply(stage: str, code: int, message: str) -> Outcome:
    """What a refusal at ``stage`` means.

    At RCPT and DATA it is this mail's, and perhaps for its recipient's sake (:mod:`judge.server.blame`); at MAIL it meets
    every mail of ours alike (but a mail that is too large, or whose parameters are not taken, is refused there too). 421 is
    a relay that goes away.
    """
    text = f"{stage}: {told(code, message)}"
    if code == 421 or code < 400:
        return Outcome("later", text, relay=True)
    if stage == "MAIL" and code not in (452, 552, 555):
        return Outcome("later", text, relay=True)
    status = "" if stage == "MAIL" else recipients_status(code, message)
    return Outcome("never" if code >= 500 else "later", text, status=status)


def _of_connecting(error: Exception) -> Outcome:
    text = type(error).__name__
    if isinstance(error, SMTPResponseException):
        text += f" {told(error.code, error.message)}"
    return Outcome("later", f"no connection: {text}", relay=True)


def told(code: int, message: str) -> str:
    """A relay's answer with everything cut out that may be an address or a token, on one line."""
    text = _TOKEN.sub("<token>", _ADDRESS.sub("<address>", " ".join(message.split())))
    return f"{code} {text}"[:200]
