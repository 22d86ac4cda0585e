"""Whose fault it is that our own relay refuses a mail at RCPT or DATA: its recipient's, or the relay's and ours.

A relay that does not take our mails at all (it does not know us, wants a password, is short of disk) says so at RCPT, for
every recipient alike: were that counted against them, no player of any game could be reached. RFC 3463 has subjects for
it: x.3 (the system), x.5 (the protocol) and x.7 (security and policy); but many servers use those of a mailbox as well, and
many have no such code.
"""

from __future__ import annotations

import re

from judge.mail.failures import status_in

#: of a relay's answer, what is looked at
_LOOK = 1_000
#: Replies that are about the session alone (RFC 5321, 4954): no command of ours is known, or it wants a password.
_OF_THE_SESSION = frozenset({454, 500, 502, 503, 504, 530, 534, 535, 538})
#: words about who sends, not about whom it goes to
_ABOUT_US = re.compile(
    r"\brelay(?:ing)?\b|rcpthosts|authenti(?:cat|fi)|log\s?in\b|starttls|\b(?:tls|encryption)\s+(?:is\s+)?required"
    r"|\b(?:client|helo|ehlo|sender|return|reverse|envelope|from)\b.{0,40}\b(?:reject|denied|blocked|refused|invalid|not\s+found"
    r"|not\s+(?:allowed|permitted|authori[sz]ed)|does\s+not\s+exist|cannot\s+find)"
    r"|\b(?:your|this)\s+(?:ip|host|server|client|system|network|domain)\b|\b(?:ip|connecting)\s+address"
    r"|black\s*list|block\s*list|\b(?:rbl|dnsbl|spf|dkim|dmarc|ptr)\b|reverse\s+dns|reputation"
    r"|(?:daily|hourly|sending|send|message|outgoing)\s+(?:\w{1,20}\s+)?(?:quota|limit|rate)|rate\s+limit|too\s+many|too\s+fast"
    r"|permissions?\s+to\s+send|not\s+(?:allowed|permitted|authori[sz]ed)\s+to\s+(?:send|relay|use)|\bspam\b"
    r"|insufficient\s+system\s+(?:storage|resources)|system\s+(?:storage|not\s+accepting)|queue\s+(?:file|full)",
    re.IGNORECASE,
)
#: words about whom it goes to, whatever the code
_ABOUT_THEM = re.compile(
    r"\b(?:recipient|addressee|user|mailbox|account|inbox)\b|no\s+such|not\s+a\s+valid|unknown|empfänger|destinat",
    re.IGNORECASE,
)
#: subjects of RFC 3463 that tell nothing of a recipient by themselves
_SUBJECTS_OF_OURS = frozenset({"3", "5", "7"})
#: codes of a recipient's address (1.7 and 1.8 are of the sender's) and mailbox
_OF_A_MAILBOX = re.compile(r"[45]\.(?:1\.(?![78]\Z)|2\.)")
#: Postfix: a rule about the recipient, or what the next server said of them ...
_REJECTED = re.compile(r"\brecipient address rejected\b", re.IGNORECASE)
#: ... unless that is that it does not relay
_NO_RELAYING = re.compile(
    r"\brelay(?:ing)?\s+(?:access\s+)?(?:is\s+)?(?:denied|not|prohibited)|unable\s+to\s+relay", re.IGNORECASE
)
_ADDRESS = re.compile(r"<[^\s<>]{0,300}>|[^\s<>@]{1,100}@[^\s<>@]{1,255}")


def recipients_status(code: int, message: str) -> str:
    """The code of RFC 3463 (``5.1.1``) of a refusal for its recipient's sake, which may be counted against them; empty if it
    is not for that.

    :param code: the reply's code, ``554``.
    :param message: its words.
    """
    text = " ".join(_ADDRESS.sub(" ", message[:_LOOK]).split())
    status = status_in(f"{code} {text}", permanent=code >= 500)
    return status if _is_recipients(code, text, status) else ""


def _is_recipients(code: int, text: str, status: str) -> bool:
    if code in _OF_THE_SESSION or _NO_RELAYING.search(text):
        return False
    if status in text and _OF_A_MAILBOX.match(status):
        return True
    if _REJECTED.search(text):
        return True
    if _ABOUT_US.search(text):
        return False
    return status[2:3] not in _SUBJECTS_OF_OURS or _ABOUT_THEM.search(text) is not None
