"""DKIM (RFC 6376, with Ed25519 keys RFC 8463): whether a mail's From domain has signed it, and how much of it. For a judge
without a mail server in front that would say so.

The keys stand in DNS, which is asked through an argument. Whatever a mail, a signature or a key holds, nothing is raised,
and the work is bounded: what is larger or stranger than people's mail counts as not signed.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Collection

import dkim

from judge.mail.authres import vouches
from judge.mail.hashing import HEADER_OCTETS, header_fields, split_message
from judge.mail.mime import Part, parse
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
#: A body in which no letter begins a tag, an encoded letter or another charset.
_UNCODED = re.compile(rb"[\t\r\n !-*,-;>-}]*+\Z")
#: What one reader takes for the end of a header, or of all of them, and another does not.
_LONE_LINE_END = re.compile(rb"\r(?!\n)|(?<!\r)\n")
#: What must be signed, where it is there, and must not be there twice: else a signed mail could be sent to us with another
#: text in these, or as the answer to another mail of ours.
_GUARDED = (b"from", b"to", b"cc", b"subject", b"date", b"in-reply-to", b"references")
#: What says how a body is read. Not every service signs these, see :func:`_text_is_fixed`; twice they must not be there.
_READ_BY = (b"content-type", b"content-transfer-encoding", b"content-disposition")
_ONCE = (*_GUARDED, *_READ_BY)
#: The forms that every mail program gives a text in two: each part says itself how it is read.
_TWO_FORMS = ["text/plain", "text/html"]
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
    if any(names[name.decode()] > 1 for name in _ONCE):
        return ()
    found: list[str] = []
    asked = 0
    for index in range(min(names["dkim-signature"], _MOST_LOOKED_AT)):
        # fresh for each: the library keeps the last key
        mail = dkim.DKIM(raw, logger=_SILENT, minkey=_SMALLEST_KEY)
        signer = _worth_asking(mail, raw, index, domain, names)
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


def _worth_asking(mail: dkim.DKIM, raw: bytes, index: int, domain: str, names: Counter[str]) -> str | None:
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
    guarded = all(name in signed for name in _GUARDED if names[name.decode()]) and _text_is_fixed(raw, signed)
    return signer if guarded and b"from" in signed and vouches(signer, domain) else None


def _text_is_fixed(raw: bytes, signed: Collection[bytes]) -> bool:
    """Whether a body that is signed can be read in one way only. By another Content-Type or transfer encoding, put above the
    same body, the words that a player quotes come out as a text of their own.

    Signed headers fix it (also one that is not there: then none can be added). Some large services sign no Content-Type
    (Gmail, Yahoo, Proton): of theirs, a mail is fixed that says itself how it is read: text and HTML as the two parts of a
    ``multipart/alternative``, whose delimiter is the body's first line and last. Their other mails, of one part or with a
    file, are not proved by a signature. Where there is no Content-Type, as one may have been taken out, plain words are
    fixed, without anything that stands for something else in HTML, a transfer encoding or a charset.
    """
    head, body = split_message(raw)
    names = {name for name, _ in header_fields(head)}
    if _LONE_LINE_END.search(raw[: len(head) + 2]) or (
        "content-disposition" in names and b"content-disposition" not in signed
    ):
        return False
    root = parse(raw).root
    if not names & {"content-type", "content-transfer-encoding"} and _UNCODED.match(body) and b"\n--" not in b"\n" + body:
        return True
    if b"content-type" not in signed:
        return root.type == "multipart/alternative" and _speaks_for_itself(root, body)
    if root.type.startswith("multipart/") or b"content-transfer-encoding" in signed:
        return True
    # none is there: with or without the one that was taken out, this is read the same
    return "content-transfer-encoding" not in names and b"=" not in body


def _speaks_for_itself(root: Part, body: bytes) -> bool:
    """Whether no boundary but the one given divides a body into its parts, and each part names its type."""
    delimiter = b"--" + root.params.get("boundary", "").encode("latin-1", "replace")
    lines = body.rstrip(b"\r\n").split(b"\r\n" if b"\r\n" in body else b"\n")
    if len(delimiter) < 3 or len(lines) < 5 or lines[0] != delimiter or lines[-1] != delimiter + b"--":
        return False
    if not lines[1].lower().startswith(b"content-"):
        return False
    forms = [part.type for part in root.children if any(name == "content-type" for name, _ in part.fields)]
    return forms == _TWO_FORMS and len(root.children) == 2 and not any(part.disposition for part in root.children)


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
    """Whether every signature of a mail that may speak for ``domain`` is over all of its text and of its guarded headers,
    and its text can be read in one way: what another server found to be signed may else have got a subject, a recipient,
    more lines or other quotes since. Nothing is checked here but what the signatures say of themselves. ``True`` of a mail
    without such a signature."""
    fields = header_fields(split_message(raw)[0][:HEADER_OCTETS])
    names = Counter(name for name, _ in fields)
    there = [name for name in _GUARDED if names[name.decode()]]
    for tags in (_tags(value) for name, value in fields if name == "dkim-signature"):
        if not vouches(tags.get(b"d", b"").decode("latin-1"), domain):
            continue
        signed = _listed(tags.get(b"h", b""))
        if b"l" in tags or not set(there) <= set(signed) or any(names[name.decode()] > 1 for name in _ONCE):
            return False
        if not _text_is_fixed(raw, signed):
            return False
    return True
