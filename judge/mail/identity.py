"""Who a reply address stands for: keyed tokens, one a seat, made from a secret that lies outside the database.

A token is the first 80 bits of HMAC-SHA256 over purpose, game, seat and generation, written as 16 lower-case base32
characters: mail software may change the case of a local part, and base32 survives that. Whoever holds a copy of the
database alone can make none. A new generation makes the old token worthless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from functools import lru_cache

#: characters in a token
TOKEN_LENGTH = 16
#: the shape of a token, in any letter case
TOKEN = re.compile(rf"[A-Za-z2-7]{{{TOKEN_LENGTH}}}")
#: stands in frozen outgoing bytes where the token will stand on the wire; token-shaped, so that lengths do not change
PLACEHOLDER = "tokenplaceholder"
#: beginning of what stands in frozen bytes where tokens of other addresses will stand
_NUMBERED = "tokenplac"
#: what numbers are written with behind it; without e and r, so that none of them is PLACEHOLDER
_LETTERS = "abcdfghijklmnopqstuvwxyz"
#: stands where a token was cut out of stored bytes
MASK = "x" * TOKEN_LENGTH

_MINIMUM_SECRET = 16


class Keys:
    """Makes and checks the tokens of one judge.

    :param secret: at least 16 random bytes, kept outside the database.
    :raises ValueError: the secret is too short to be one.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < _MINIMUM_SECRET:
            raise ValueError(f"a secret of {len(secret)} bytes is too short; at least {_MINIMUM_SECRET} are needed")
        self._secret = bytes(secret)
        # the door asks for the same seats' tokens at every RCPT
        self._make = lru_cache(maxsize=65536)(self._compute)

    def __repr__(self) -> str:
        # a secret must not reach a log through a traceback or an f-string
        return "Keys(...)"

    def token(self, game: str, seat: str, generation: int = 0) -> str:
        """The token of a seat (its power's name) in a game."""
        return self._make("seat", game, seat, generation)

    def check(self, token: str, game: str, seat: str, generation: int = 0) -> bool:
        """Whether ``token``, in any letter case, is the seat's; takes the same time right or wrong."""
        return self._same(token, self.token(game, seat, generation))

    def bounce_token(self, game: str, seat: str, generation: int = 0) -> str:
        """The token of the envelope address that failures of mail to this seat come back to; it gives no orders."""
        return self._make("bounce", game, seat, generation)

    def check_bounce(self, token: str, game: str, seat: str, generation: int = 0) -> bool:
        """Whether ``token`` is the seat's bounce token; constant time."""
        return self._same(token, self.bounce_token(game, seat, generation))

    def person_token(self, person: int, generation: int = 0) -> str:
        """The token of a person's own address, which stands outside of any game."""
        return self._make("person", person, generation)

    def check_person(self, token: str, person: int, generation: int = 0) -> bool:
        """Whether ``token`` is that of the person's address; constant time."""
        return self._same(token, self.person_token(person, generation))

    def person_bounce_token(self, person: int, generation: int = 0) -> str:
        """The token of the envelope address that failures of mail to a person come back to."""
        return self._make("person-bounce", person, generation)

    def check_person_bounce(self, token: str, person: int, generation: int = 0) -> bool:
        """Whether ``token`` is the person's bounce token; constant time."""
        return self._same(token, self.person_bounce_token(person, generation))

    def digest(self, *facts: str) -> str:
        """A keyed fingerprint of any facts, 17 characters: for names that must be steady, unique and tell nothing.

        The dash sets it apart from a token, so that cutting tokens out of what is stored leaves our Message-IDs whole.
        """
        made = self._make("digest", *facts)
        return f"{made[:8]}-{made[8:]}"

    def nonce(self, *facts: str) -> str:
        """128 bits that facts always lead to and nobody can find without the secret, as 32 hex digits: what a commitment is
        hashed with."""
        return hmac.digest(self._secret, _message("commitment", *facts), hashlib.sha256)[:16].hex()

    def _compute(self, purpose: str, *facts: str | int) -> str:
        return base64.b32encode(hmac.digest(self._secret, _message(purpose, *facts), hashlib.sha256)[:10]).decode().lower()

    @staticmethod
    def _same(given: str, right: str) -> bool:
        return hmac.compare_digest(given.lower().encode("utf-8", "replace"), right.encode())


def _message(purpose: str, *facts: str | int) -> bytes:
    """What is keyed: each fact with its length, so that ("ab", "c") and ("a", "bc") differ."""
    return b"".join(len(raw).to_bytes(4, "big") + raw for raw in (str(fact).encode() for fact in (purpose, *facts)))


def address(game: str, token: str, domain: str, separator: str = "+", mailbox: str | None = None) -> str:
    """The reply address of a seat: ``spring42+TOKEN@judge.example.org``.

    With ``mailbox`` (mail is fetched from ``me@DOMAIN``) it is ``me+spring42.TOKEN@DOMAIN``.
    """
    if mailbox is not None:
        return f"{mailbox}{separator}{game}.{token}@{domain}"
    return f"{game}{separator}{token}@{domain}"


def placeholder(number: int) -> str:
    """What stands in frozen bytes for the token of another seat than the reader's own: the seat with this number.

    :raises ValueError: a number that is too large, or negative.
    """
    written, rest = "", number
    for _ in range(TOKEN_LENGTH - len(_NUMBERED)):
        rest, digit = divmod(rest, len(_LETTERS))
        written = _LETTERS[digit] + written
    if rest:
        raise ValueError(f"there is no seat {number}")
    return _NUMBERED + written


def person_address(person: int, token: str, domain: str, separator: str = "+", mailbox: str | None = None) -> str:
    """A person's own address, outside of any game: ``judge+17.TOKEN@judge.example.org``."""
    return address("judge", f"{person}.{token}", domain, separator, mailbox)


def bounce_address(game: str, token: str, domain: str, separator: str = "+", mailbox: str | None = None) -> str:
    """The envelope sender of mail to one seat: ``spring42+b-TOKEN@judge.example.org`` (``token``: a bounce token)."""
    return address(game, f"b-{token}", domain, separator, mailbox)
