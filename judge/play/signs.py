"""Signs that two powers may be played by one person, or from one desk: facts of the mails as they came, for the master and
the operator alone. They prove nothing: relays are shared by thousands, and families by a few.

Signs are (``code``, ``args``), the strongest first:

- ``same-mailbox`` (``powers``, ``mailbox``): one registered mailbox has several seats.
- ``same-origin`` (``powers``, ``origin``, ``mails``): mails of both say that they were written at one address
  (``X-Originating-IP``).
- ``same-machine`` (``powers``, ``host``, ``mails``): the Message-IDs of both were made by one machine that is neither a big
  provider's nor the sender's provider's.
- ``same-minute`` (``powers``, ``relay``, ``times``, ``first``, ``last``, ``zone``): mails of both came from one relay within
  a minute; ``zone`` if all of these mails' Dates have one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.mail.hashing import HEADER_OCTETS, header_fields, split_message
from judge.mail.senders import mailbox_key, sole_sender
from judge.play.judge import Judge
from judge.store import games, inbox
from judge.store.games import MASTER, Game

#: What counts as the same minute.
TOGETHER = timedelta(minutes=1)
#: Of a game's mails the latest so many are looked at, and so many signs told.
MOST_MAILS = 3000
MOST_SIGNS = 40

#: makers of Message-IDs for the mails of very many people
_PROVIDERS = (
    "gmail.com", "googlemail.com", "google.com", "outlook.com", "hotmail.com", "office365.com", "yahoo.com", "yahoo.co.jp",
    "icloud.com", "apple.com", "me.com", "protonmail.com", "proton.me", "messagingengine.com", "fastmail.com", "gmx.net",
    "gmx.com", "web.de", "aol.com", "zoho.com", "yandex.ru", "mail.ru", "qq.com", "foxmail.com", "163.com", "126.com",
    "sina.com", "naver.com", "docomo.ne.jp", "ezweb.ne.jp", "amazonses.com", "localhost", "localdomain",
)  # fmt: skip
_ORIGIN = re.compile(r"\[?([0-9A-Fa-f:.]{3,45})\]?\Z")
_ID_HOST = re.compile(r"@([A-Za-z0-9_.-]{3,200})>?\s*\Z")
_ZONE = re.compile(r"([+-]\d{4})\s*(?:\(.{0,40}\)\s*)?\Z")
_RECEIVED_FROM = re.compile(r"\Afrom\s.{0,300}?[\[(](?:IPv6:)?([0-9A-Fa-f:.]{3,45})[\])]", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign: its code and what it says."""

    code: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the stored head of one mail tells of where it was written."""

    power: str
    at: datetime
    relay: str
    origin: str
    machine: str
    zone: str


def signs(judge: Judge, game: Game) -> list[Sign]:
    """All signs in a game, the strongest first. Only mails that are known to be their players' are looked at."""
    seen = [_seen(judge, mail) for mail in inbox.heads_of_seats(judge.store, game.name, MOST_MAILS) if mail.power != MASTER]
    found = [*_mailboxes(judge, game)]
    found += _shared("same-origin", "origin", [(one.origin, one.power) for one in seen])
    found += _shared("same-machine", "host", [(one.machine, one.power) for one in seen])
    found += sorted(_minutes(seen), key=lambda sign: -sign.args["times"])
    return found[:MOST_SIGNS]


def _mailboxes(judge: Judge, game: Game) -> Iterator[Sign]:
    by_mailbox: dict[str, list[str]] = defaultdict(list)
    for seat in games.seats(judge.store, game.id):
        key = mailbox_key(seat.address) if seat.address else None
        if key:
            by_mailbox[key].append(seat.power)
    for mailbox, powers in by_mailbox.items():
        if len(powers) > 1:
            yield Sign("same-mailbox", {"powers": powers, "mailbox": mailbox})


def _shared(code: str, name: str, pairs: Sequence[tuple[str, str]]) -> Iterator[Sign]:
    """One sign a value that mails of several powers share; ``mails``: of how many mails it was read."""
    powers: dict[str, dict[str, int]] = defaultdict(dict)
    for value, power in pairs:
        if value:
            powers[value][power] = powers[value].get(power, 0) + 1
    for value, counts in powers.items():
        if len(counts) > 1:
            yield Sign(code, {"powers": list(counts), name: value, "mails": sum(counts.values())})


def _minutes(seen: Sequence[_Seen]) -> Iterator[Sign]:
    """One sign a pair of powers and relay: how often mails of both came from there within a minute."""
    times: dict[tuple[str, str, str], list[tuple[_Seen, _Seen]]] = defaultdict(list)
    by_relay: dict[str, list[_Seen]] = defaultdict(list)
    for one in sorted(seen, key=lambda mail: mail.at):
        if one.relay:
            by_relay[one.relay].append(one)
    for relay, mails in by_relay.items():
        for number, one in enumerate(mails):
            for other in mails[number + 1 : number + 40]:
                if other.at - one.at > TOGETHER:
                    break
                if one.power != other.power:
                    first, second = sorted((one.power, other.power))
                    times[first, second, relay].append((one, other))
    for (first, second, relay), met in times.items():
        zones = {mail.zone for pair in met for mail in pair}
        yield Sign(
            "same-minute",
            {
                "powers": [first, second],
                "relay": relay,
                "times": len(met),
                "first": met[0][0].at,
                "last": met[-1][0].at,
                "zone": zones.pop() if len(zones) == 1 else "",
            },
        )


def _seen(judge: Judge, mail: inbox.Head) -> _Seen:
    head = [
        (name, value.decode("utf-8", "replace"))
        for name, value in header_fields(split_message(mail.head)[0][:HEADER_OCTETS])
    ]

    def first(name: str) -> str:
        return next((value.strip() for found, value in head if found == name), "")

    origin = _ORIGIN.match(first("x-originating-ip"))
    host = _ID_HOST.search(first("message-id"))
    zone = _ZONE.search(first("date"))
    return _Seen(
        power=mail.power,
        at=mail.received_at,
        relay=_relay(judge, mail.peer, first("received")),
        origin=origin[1].lower() if origin else "",
        machine=_machine(host[1].lower() if host else "", sole_sender(mail.head) or ""),
        zone=zone[1] if zone else "",
    )


def _relay(judge: Judge, peer: str, received: str) -> str:
    """The machine that a mail came from: who was at the door or, of a relay of our own, what that wrote into its topmost
    Received (what stands below is its sender's word)."""
    if peer not in ("", *judge.relays):
        return peer.lower()
    found = _RECEIVED_FROM.match(received)
    return found[1].lower() if found and found[1] not in judge.relays else ""


def _machine(host: str, sender: str) -> str:
    """The host of a Message-ID, if it may be somebody's own: not of the sender's domain, nor of a big provider."""
    domain = sender.rpartition("@")[2]
    parents = (domain, *_PROVIDERS)
    shared = any(parent and (host == parent or host.endswith(f".{parent}")) for parent in parents)
    return "" if shared or domain.endswith(f".{host}") else host
