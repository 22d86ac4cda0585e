"""DKIM (RFC 6376, with Ed25519 keys RFC 8463): whether a mail's From domain has signed it, and how much of it. For a judge
without a mail server in front that would say so.

The keys stand in DNS, which is asked through an argument. Whatever a mail, a signature or a key holds, nothing is raised,
and the work is bounded: what is larger or stranger than people's mail counts as not signed.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable

import dkim

from judge.mail.authres import vouches
from judge.mail.hashing import HEADER_OCTETS, header_fields, split_message
from judge.mail.senders import sole_sender

#: The text of a name in DNS (all strings of its TXT record together), or ``None``: there is none, or it can't be had.
Txt = Callable[[str], bytes | None]

#: Octets of a mail, and of its headers, that are looked at: the library's time grows with their square.
LARGEST, LONGEST_HEAD = 256_000, 40_000
#: A longer run of blanks (its time grows with that too).
LONGEST_BLANK = 200
#: Octets of a key's record: a key of 4096 bits has 740. The time to check a signature grows with its cube.
LONGEST_KEY = 1000
#: Signatures whose key is asked for: one with RSA and one with Ed25519, of a domain and of the one above it.
MOST_ASKED = 4
_MOST_LOOKED_AT = 10
_SMALLEST_KEY = 1024
#: What must be signed, where it is there, and must not be there twice: else a signed mail could be sent to us with another
#: text in these.
_GUARDED = (b"from", b"to", b"cc", b"subject", b"date")
#: algorithm -> the kind of its key
_ALGORITHMS = {b"rsa-sha256": b"rsa", b"ed25519-sha256": b"ed25519"}

# the library would log headers and keys
_SILENT = logging.Logger("dkim", logging.CRITICAL + 1)


def signers(raw: bytes, txt: Txt) -> tuple[str, ...]:
    """The domains, lower case, that have signed a mail and may speak for its one From address (none where it has several).

    ``raw`` as it came: one changed octet breaks a signature.
    """
    sender = sole_sender(raw)
    head, body = split_message(raw)
    blank = b" " * LONGEST_BLANK
    if sender is None or len(raw) > LARGEST or len(head) > LONGEST_HEAD or blank in body.replace(b"\t", b" "):
        return ()
    try:
        return _signers(raw, sender.rpartition("@")[2], Counter(name for name, _ in header_fields(head)), txt)
    except Exception:
        # the promise to the door: a mail can't make it fail. What can't be checked is not signed
        return ()


def _signers(raw: bytes, domain: str, names: Counter[str], txt: Txt) -> tuple[str, ...]:
    if any(names[name.decode()] > 1 for name in _GUARDED):
        return ()
    found: list[str] = []
    asked = 0
    for index in range(min(names["dkim-signature"], _MOST_LOOKED_AT)):
        # fresh for each: the library keeps the last key
        mail = dkim.DKIM(raw, logger=_SILENT, minkey=_SMALLEST_KEY)
        signer = _worth_asking(mail, index, domain, names)
        if signer is None or signer in found or asked >= MOST_ASKED:
            continue
        asked += 1
        try:
            good = mail.verify(index, dnsfunc=lambda name, timeout=0: _key(name, txt))
        except Exception:
            continue
        if good and mail.ktag == _ALGORITHMS[mail.signature_fields[b"a"]]:
            found.append(signer)
    return tuple(found)


def _worth_asking(mail: dkim.DKIM, index: int, domain: str, names: Counter[str]) -> str | None:
    """The domain of a signature that would prove the sender, if it is good; else ``None``."""
    try:
        if not mail.verify_headerprep(index):
            return None
    except Exception:
        return None
    fields = mail.signature_fields
    signer = fields[b"d"].decode("latin-1").strip().lower()
    signed = set(mail.include_headers)
    # of a signature with l= the rest of the body may be anybody's
    if b"l" in fields or fields[b"a"] not in _ALGORITHMS or not re.fullmatch(rb"[A-Za-z0-9_.-]{1,200}", fields[b"s"]):
        return None
    guarded = all(name in signed for name in _GUARDED if names[name.decode()])
    return signer if guarded and b"from" in signed and vouches(signer, domain) else None


def _key(name: bytes | str, txt: Txt) -> bytes | None:
    """The record of a key, unless it is one that proves nothing: of a domain that only tries signing out (``t=y``: its mail
    is to be taken as if it were not signed, RFC 6376 3.6.1), or not for the hash that we know (``h=``)."""
    text = txt(name.decode("ascii") if isinstance(name, bytes) else name)
    if text is None or len(text) > LONGEST_KEY:
        return None
    tags = _tags(text)
    flags, hashes = (_listed(tags.get(name, b"")) for name in (b"t", b"h"))
    return None if b"y" in flags or (hashes and b"sha256" not in hashes) else text


def _tags(text: bytes) -> dict[bytes, bytes]:
    """The tags of a signature or a key's record; of one that stands twice, the last. Folding blanks are taken out."""
    pairs = (tag.partition(b"=") for tag in text.split(b";"))
    return {name.strip(): b"".join(value.split()) for name, _, value in pairs}


def _listed(value: bytes) -> list[bytes]:
    return [one.lower() for one in value.split(b":") if one]


def covered(raw: bytes, domain: str) -> bool:
    """Whether every signature of a mail that may speak for ``domain`` is over all of its text and of its guarded headers:
    what another server found to be signed may else have got a subject, a recipient or more lines since. Nothing is checked
    here but what the signatures say of themselves. ``True`` of a mail without such a signature."""
    fields = header_fields(split_message(raw)[0][:HEADER_OCTETS])
    names = Counter(name for name, _ in fields)
    there = [name for name in _GUARDED if names[name.decode()]]
    for tags in (_tags(value) for name, value in fields if name == "dkim-signature"):
        if not vouches(tags.get(b"d", b"").decode("latin-1"), domain):
            continue
        signed = _listed(tags.get(b"h", b""))
        if b"l" in tags or not set(there) <= set(signed) or any(names[name.decode()] > 1 for name in there):
            return False
    return True
