"""No token that lets anybody order is in the mails as they are kept, whichever game it belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from judge.play import setup
from judge.store import people
from judge.variants import load_rules


@pytest.fixture
def two(desk: Any) -> Any:
    """France of spring42 and Italy of fall7 are one player, of whom there is no person row."""
    players = {"Italy": "france@example.org", "England": "e@example.org"}
    setup.create_game(desk.judge, "fall7", rules=load_rules("standard"), players=players, now=desk.now)
    setup.start_game(desk.judge, "fall7", desk.now)
    desk.work()
    desk.receive()
    assert people.of_mailbox(desk.judge.store, "france@example.org") is None
    return desk


def token(desk: Any, power: str, game: str) -> str:
    return str(desk.reply_to(power, game).partition("@")[0][-16:])


def stored(desk: Any) -> bytes:
    return bytes(desk.judge.store.row("SELECT bytes FROM raws ORDER BY id DESC LIMIT 1")["bytes"])


@pytest.mark.parametrize(
    ("to", "envelope"),
    [
        ("spring42's seat", "france@example.org"),
        ("spring42's seat", "relay@forwarder.example"),
        ("spring42's seat", ""),
        ("spring42@judge.example.org", "france@example.org"),
        ("judge@judge.example.org", "france@example.org"),
        ("judge@judge.example.org", "FRANCE@example.org"),
        ("postmaster@judge.example.org", "france@example.org"),
    ],
)
def test_the_token_of_another_game_of_the_writer(two: Any, to: str, envelope: str) -> None:
    """As an address, in the subject, and by itself."""
    secret, own = token(two, "Italy", "fall7"), token(two, "France", "spring42")
    there = two.reply_to("Italy", "fall7")
    body = f"A Par - Bur\n\n> write to {there}\n> To: <{there.upper()}>\nIts code is {secret}, or so.\n"
    raw, place, _ = two.write("France", body, to=None if to == "spring42's seat" else to, subject=f"Re: {there}")
    assert two.deliver(raw, place, envelope) is not None
    assert secret.encode() not in stored(two).lower()
    if to == "spring42's seat":
        assert own.encode() not in stored(two).lower()
