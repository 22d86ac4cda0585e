"""Checks who signed a mail to a game's open address, before its bytes are changed; in threads, and not for long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import dns.exception
import dns.resolver

from judge.mail.signatures import LARGEST, Txt, signers
from judge.server import logs
from judge.settings import Settings
from judge.store.inbox import Recipient

#: Mails checked at once. More than that wait, as long as the time for one lasts.
THREADS = 2


class SignatureCheck:
    """Finds the signers of mails to a game's open address. One that can't be checked in time is one that nobody signed."""

    def __init__(self, txt: Txt, seconds: float) -> None:
        self._txt = txt
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="signatures")

    async def signers(self, raw: bytes, recipients: Sequence[Recipient]) -> tuple[str, ...]:
        """The domains that signed the mail and may speak for its sender. Never raises."""
        wanted = any(recipient.kind == "game" for recipient in recipients)
        if not wanted or len(raw) > LARGEST or b"dkim-signature" not in raw.lower():
            return ()
        work = asyncio.get_running_loop().run_in_executor(self._threads, signers, raw, self._txt)
        try:
            return await asyncio.wait_for(work, self._seconds)
        except TimeoutError:
            logs.event("signature-not-checked")
            return ()

    def close(self) -> None:
        """Begin no more checks."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def check_of(settings: Settings, txt: Txt | None = None) -> SignatureCheck | None:
    """The check that the settings want; ``None``: a mail server in front does it, or nobody. ``txt`` stands in for DNS."""
    wanted = settings.senders
    if wanted.trust_authserv or not wanted.check_dkim:
        return None
    return SignatureCheck(txt or dns_txt(wanted.dns_seconds), wanted.dns_seconds)


def dns_txt(seconds: float) -> Txt:
    """Asks the name servers of this machine."""

    def txt(name: str) -> bytes | None:
        try:
            answer = dns.resolver.resolve(name, "TXT", lifetime=seconds, search=False)
        except (dns.exception.DNSException, OSError, ValueError, UnicodeError):
            return None
        return b"".join(answer[0].strings) if len(answer) == 1 else None

    return txt
