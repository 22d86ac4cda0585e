"""Who a mail says it is from, for deciding whether to believe it: read strictly, so that no trick of names or quotes makes
it another than what mail programs show. Whatever is not plainly one address is none.
"""

from __future__ import annotations

import re
from email.utils import getaddresses

from judge.mail.addresses import lower_ascii
from judge.mail.compose import clean, wire_address
from judge.mail.hashing import HEADER_OCTETS, header_fields, split_message

#: a name in quotes; one that goes on behind them (``"x"camille@example.org``) is none
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"(?=[\s<(]|\Z)')
#: after quoted names are taken out: words, then one address in angle brackets; or an address alone
_NAMED = re.compile(r"[^<>@,;:\"()\\]*<\s*([^\s<>\",;:()\\]{1,254})\s*>\s*\Z")
_BARE = re.compile(r"\s*([^\s<>\",;:()\\]{1,254})\s*\Z")
_LOOSE = re.compile(r"[^\s<>\",;:()\\]{1,64}@[^\s<>\",;:()\\]{1,255}")
_COMMENT = re.compile(r"\([^()\\]*\)")
_LONGEST = 2000
#: mailboxes that have two names, and take dots in the local part for nothing
_GMAIL = frozenset({"gmail.com", "googlemail.com"})


def sole_sender(raw: bytes) -> str | None:
    """The address of a mail that has just one From with just one address in it, lower case; ``None`` of any other.

    Encoded words stay encoded: what they hide (a comma, an address) is a name and no more.
    """
    return _only(raw, "from")


def written_by(raw: bytes) -> frozenset[str]:
    """The addresses that a mail plainly has in From and Sender: at most one of each, lower case."""
    return frozenset(address for address in (_only(raw, "from"), _only(raw, "sender")) if address)


def sender_lines(raw: bytes, limit: int) -> str:
    """What a mail's From says, all of it and as it stands, to show it to a person: at most ``limit`` characters, several
    lines of it with a stroke between. Empty: there is none."""
    values = [value.decode("utf-8", "replace")[:_LONGEST] for value in _values(raw, "from")[:5]]
    return clean(" / ".join(values), limit)


def named_senders(raw: bytes) -> frozenset[str]:
    """Every address that any reader might find in a mail's From lines, lower case: what it claims, never what it proves."""
    return _addresses(_values(raw, "from"))


def named_recipients(raw: bytes) -> frozenset[str]:
    """Every address in To and Cc, lower case."""
    return _addresses([*_values(raw, "to"), *_values(raw, "cc")])


def _addresses(fields: list[bytes]) -> frozenset[str]:
    values = [value.decode("utf-8", "replace")[:_LONGEST] for value in fields[:5]]
    try:
        pairs = getaddresses(values)[:20]
    except (RecursionError, IndexError, ValueError):
        pairs = []
    loose = [found for value in values for found in _LOOSE.findall(value)[:20]]
    return frozenset(address.strip().lower() for address in [*(address for _, address in pairs), *loose] if "@" in address)


def _folded(address: str) -> str:
    """An address without what differs in its spelling alone: the case of A to Z, and the form of its domain.

    :raises ValueError: it is none.
    """
    return lower_ascii(wire_address(address))


def mailbox_key(address: str) -> str | None:
    """What is the same for all ways to write one mailbox: case, IDNA, a ``+tag``, and Gmail's two domains and its dots.

    ``None``: it is no address.
    """
    try:
        local, _, domain = _folded(address).rpartition("@")
    except ValueError:
        return None
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local, domain = local.replace(".", "") or local, "gmail.com"
    return f"{local}@{domain}"


def same_address(one: str, other: str) -> bool:
    """Whether two addresses are the same but for letter case and the spelling of the domain."""
    try:
        return _folded(one) == _folded(other)
    except ValueError:
        return False


def box_of(address: str | None) -> str:
    """Under what facts about the owner of an address are kept: its :func:`mailbox_key`, or if it is none, as it stands."""
    return mailbox_key(address or "") or (address or "").casefold()


def same_mailbox(one: str, other: str) -> bool:
    """Whether two addresses lead to one mailbox (:func:`mailbox_key`)."""
    key = mailbox_key(one)
    return key is not None and key == mailbox_key(other)


def _values(raw: bytes, name: str) -> list[bytes]:
    return [value for found, value in header_fields(split_message(raw)[0][:HEADER_OCTETS]) if found == name]


def _only(raw: bytes, name: str) -> str | None:
    values = _values(raw, name)
    if len(values) != 1 or len(values[0]) > _LONGEST:
        return None
    text = _COMMENT.sub(" ", _QUOTED.sub(" ", values[0].decode("utf-8", "replace")))
    found = _NAMED.match(text) or _BARE.match(text)
    if found is None:
        return None
    try:
        return _folded(found[1])
    except ValueError:
        return None
