"""What an address of ours means: a seat, a game, the judge itself, the operator, or the way back of a failed mail."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from judge.mail.identity import TOKEN_LENGTH

DestinationKind = Literal["seat", "game", "judge", "operator", "bounce"]

#: longest local part (RFC 5321, 4.5.3.1.1) in octets
LOCAL_LIMIT = 64
#: longest whole address (RFC 5321, 4.5.3.1.3 less the angle brackets) in octets
ADDRESS_LIMIT = 254

#: local parts that go to the operator (RFC 2142); the first two are required
OPERATOR_NAMES = frozenset({"postmaster", "abuse", "operator", "hostmaster", "webmaster", "security", "root"})
#: local parts that are the judge itself, outside any game
JUDGE_NAMES = frozenset({"judge"})
#: no game may be called so: they mean something else in mail, or would mislead players
RESERVED_NAMES = (
    OPERATOR_NAMES
    | JUDGE_NAMES
    | {"admin", "administrator", "all", "anonymous", "bounce", "bounces", "confirm", "daemon", "devnull", "everyone"}
    | {"game", "games", "help", "info", "list", "listserv", "mail", "mailer-daemon", "mailman", "majordomo", "master"}
    | {"nobody", "no-reply", "noc", "none", "noreply", "null", "observer", "observers", "owner", "press", "request"}
    | {"server", "spam", "subscribe", "support", "system", "unsubscribe", "user", "www"}
)

#: letters of their own in the domains of today (IDNA 2008, RFC 5894 7.2), which Python's codec (IDNA 2003) would take for
#: others, or for nothing: ``straße.example`` is not ``strasse.example``
_OWN_LETTERS = re.compile("[ßς\u200c\u200d]")
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_GAME = re.compile(r"[a-z0-9-]{1,20}\Z")
_TOKEN = re.compile(rf"[a-z2-7]{{{TOKEN_LENGTH}}}\Z")
_PERSON = re.compile(
    rf"judge(?P<separator>\D+?)(?P<person>\d{{1,9}})\.(?P<bounce>b-)?(?P<token>[a-z2-7]{{{TOKEN_LENGTH}}})\Z", re.ASCII
)
_ENDS_LIKE_A_TOKEN = re.compile(rf"-(?:b-)?[a-z2-7]{{{TOKEN_LENGTH}}}\Z")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an address leads; ``game`` and ``token`` are empty where the kind has none."""

    kind: DestinationKind
    game: str = ""
    token: str = ""
    person: int | None = None


def is_game_name(name: str) -> bool:
    """Whether a game may be called ``name``: ``[a-z0-9-]{1,20}``, not reserved, and readable in every address form."""
    return bool(
        _GAME.match(name)
        and name not in RESERVED_NAMES
        and not name.startswith("-")
        and not name.endswith("-")
        and not _ENDS_LIKE_A_TOKEN.search(name)
    )


def split(address: str) -> tuple[str, str] | None:
    """``"<Spring42+AB@Judge.Example.ORG.>"`` -> (local part, domain), both lower case; ``None`` if it is no address."""
    text = address.strip()
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1].strip()
    if len(text.encode("utf-8", "replace")) > ADDRESS_LIMIT or any(ch < " " or ch == "\x7f" for ch in text):
        return None
    local, at, domain = text.rpartition("@")
    if not at or not local or not domain or len(local.encode("utf-8", "replace")) > LOCAL_LIMIT:
        return None
    if len(local) > 2 and local[0] == local[-1] == '"':
        local = re.sub(r"\\(.)", r"\1", local[1:-1])
    return local.lower(), domain_key(domain)


def domain_key(domain: str) -> str:
    """A domain in the form to compare by: lower case, ASCII (IDNA), no final dot. Never raises."""
    name = domain.strip().rstrip(".").lower()
    if name.isascii():
        return name
    try:
        if not _OWN_LETTERS.search(name):
            return name.encode("idna").decode("ascii")
        labels = [
            label.encode("idna").decode("ascii") if not _OWN_LETTERS.search(label) else f"xn--{_punycode(label)}"
            for label in re.split("[.\u3002\uff0e\uff61]", name)
        ]
    except UnicodeError:
        return name
    return ".".join(labels) if all(len(label) <= 63 for label in labels) else name


def _punycode(label: str) -> str:
    return unicodedata.normalize("NFKC", label).encode("punycode").decode("ascii")


def lower_ascii(text: str) -> str:
    """``text`` with A to Z in lower case and nothing else: the local part ``marK`` with a Kelvin sign is not ``mark``."""
    return text.translate(_LOWER)


def parse(address: str, domain: str, separator: str = "+", mailbox: str | None = None) -> Destination | None:
    """What ``address`` means at this judge, or ``None``: nobody here.

    Case does not count. It says what is meant, not whether the game exists or the token is right.
    ``mailbox``: the local part of the mailbox that mail is fetched from, if it is (``me+GAME.TOKEN@DOMAIN``).
    """
    parts = split(address)
    if parts is None or parts[1] != domain_key(domain):
        return None
    local = parts[0]
    if mailbox is not None:
        own = mailbox.lower()
        if local != own and not local.startswith(own + separator):
            return Destination("operator") if local in OPERATOR_NAMES else None
        rest = local[len(own) + len(separator) :]
        if not rest or rest in JUDGE_NAMES:
            return Destination("judge")
        local, separator = rest, "."
    if local in OPERATOR_NAMES:
        return Destination("operator")
    if local in JUDGE_NAMES:
        return Destination("judge")
    return _person_address(local, separator) or _game_address(local, separator)


def _person_address(local: str, separator: str) -> Destination | None:
    """``judge+17.TOKEN`` or ``judge+17.b-TOKEN``: a person's own address, and where failed mails to them come back to."""
    found = _PERSON.match(local)
    if found is None or found["separator"] != separator:
        return None
    return Destination("bounce" if found["bounce"] else "judge", token=found["token"], person=int(found["person"]))


def _game_address(local: str, separator: str) -> Destination | None:
    """``GAME``, ``GAME+TOKEN`` or ``GAME+b-TOKEN``; the token has a fixed length, so any separator can be told."""
    token = local[-TOKEN_LENGTH:]
    head = local[: -len(token)]
    if _TOKEN.match(token):
        for mark, kind in ((f"{separator}b-", "bounce"), (separator, "seat")):
            game = head.removesuffix(mark)
            if game != head and is_game_name(game):
                return Destination(kind, game, token)  # type: ignore[arg-type]
    return Destination("game", local) if is_game_name(local) else None
