"""Why a mail did not arrive, in the reader's words: by the status code (RFC 3463) alone, as what a foreign server writes may
be anything."""

from __future__ import annotations

from collections.abc import Mapping

from judge.render.catalogue import N_
from judge.render.words import Words

#: second and third figure of a code, or the second alone -> what it says
REASONS: Mapping[str, str] = {
    "1": N_("the address is not good"),
    "1.1": N_("there is no such mailbox"),
    "1.2": N_("the domain of the address takes no mail"),
    "1.10": N_("the domain of the address takes no mail"),
    "2": N_("the mailbox takes no mail"),
    "2.1": N_("the mailbox is closed"),
    "2.2": N_("the mailbox is full"),
    "2.3": N_("the mail is too large for the mailbox"),
    "3": N_("the other server can take no mail"),
    "3.4": N_("the mail is too large for the other server"),
    "4": N_("the other server could not be reached"),
    "4.7": N_("the other server could not be reached in time"),
    "6": N_("the other server does not take this kind of mail"),
    "7": N_("the other server refuses mails of this judge"),
}
UNKNOWN = N_("the other server gave no reason")


def reason(status: str, words: Words) -> str:
    """What a status code says: ``5.1.1: there is no such mailbox``."""
    _, _, rest = status.partition(".")
    said = REASONS.get(rest) or REASONS.get(rest.partition(".")[0]) or UNKNOWN
    return words.translate(N_("%(code)s: %(reason)s")) % {"code": status, "reason": words.translate(said)}
