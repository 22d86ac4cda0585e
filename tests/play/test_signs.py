"""Signs of cheating: facts of the mails as they came, for a master who does not play and for the operator."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import door, setup, signs
from judge.store import games

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
GAME = "spring42"


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def come(desk: Desk, power: str, *, peer: str = "127.0.0.1", after: float = 0, **headers: str) -> None:
    """A mail of a power comes in from ``peer``, so many seconds after the one before."""
    desk.now += timedelta(seconds=after)
    said = {
        name.replace("_", "-").title().replace("-Id", "-ID"): value for name, value in headers.items() if name != "received"
    }
    raw, to, sender = desk.write(power, "STATUS", headers=said)
    if "received" in headers:
        raw = f"Received: {headers['received']}\r\n".encode() + raw
    recipient = door.recipient(desk.judge, to)
    door.keep(desk.judge, raw, envelope_from=sender, recipients=[recipient], peer=peer, now=desk.now)
    desk.work()


def found(desk: Desk) -> list[tuple[str, dict[str, Any]]]:
    return [(sign.code, dict(sign.args)) for sign in signs.signs(desk.judge, games.get(desk.judge.store, GAME))]


def codes(desk: Desk) -> list[str]:
    return [code for code, _ in found(desk)]


def test_two_powers_from_one_relay_within_a_minute(desk: Desk) -> None:
    come(desk, "France", peer="192.0.2.7")
    come(desk, "Italy", peer="192.0.2.7", after=40)
    come(desk, "Turkey", peer="192.0.2.8", after=5)
    come(desk, "France", peer="192.0.2.7", after=600)
    come(desk, "Italy", peer="192.0.2.7", after=59)
    ((_, args),) = [one for one in found(desk) if one[0] == "same-minute"]
    assert args["powers"] == ["France", "Italy"] and args["relay"] == "192.0.2.7" and args["times"] == 2
    assert args["zone"] == "+0000"


SAID = {
    "from a minute later": ([("France", "192.0.2.7", 0), ("Italy", "192.0.2.7", 61)], []),
    "of one power": ([("France", "192.0.2.7", 0), ("France", "192.0.2.7", 10)], []),
    "through the judge's own relay": ([("France", "127.0.0.1", 0), ("Italy", "127.0.0.1", 1)], []),
    "from other relays": ([("France", "192.0.2.7", 0), ("Italy", "192.0.2.8", 1)], []),
    "together": ([("France", "192.0.2.7", 0), ("Italy", "192.0.2.7", 60)], ["same-minute"]),
}


@pytest.mark.parametrize("what", SAID)
def test_what_is_a_sign(desk: Desk, what: str) -> None:
    mails, wanted = SAID[what]
    for power, peer, after in mails:
        come(desk, power, peer=peer, after=after)
    assert codes(desk) == wanted


def test_of_the_judges_own_relay_its_received_line_counts(desk: Desk) -> None:
    for power in ("France", "Italy"):
        come(
            desk,
            power,
            received="from mx (mx.example.net [198.51.100.4]) by judge.example.org; Tue, 1 Dec 2026 13:00:00 +0000",
        )
    assert [args["relay"] for code, args in found(desk) if code == "same-minute"] == ["198.51.100.4"]


HEADS = {
    "one internet address": ({"x_originating_ip": "[203.0.113.9]"}, ["same-origin"]),
    "one machine": ({"message_id": "<{}@anna-laptop.lan.example.net>"}, ["same-machine"]),
    "one provider": ({"message_id": "<{}@mail.gmail.com>"}, []),
    "the sender's own provider": ({"message_id": "<{}@smtp.example.org>"}, []),
}


@pytest.mark.parametrize("what", HEADS)
def test_what_heads_tell(desk: Desk, what: str) -> None:
    headers, wanted = HEADS[what]
    for power in ("France", "Italy"):
        come(desk, power, after=300, **{name: value.format(power) for name, value in headers.items()})
    assert codes(desk) == wanted


def test_one_mailbox_in_two_seats(desk: Desk) -> None:
    game = games.get(desk.judge.store, GAME)
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, game.id, "France", "p.mueller+f@gmail.com")
        games.set_player(desk.judge.store, game.id, "Italy", "PMueller@googlemail.com")
    assert found(desk) == [("same-mailbox", {"powers": ["France", "Italy"], "mailbox": "pmueller@gmail.com"})]


def test_the_master_asks_and_no_player_is_told(desk: Desk) -> None:
    setup.set_master(desk.judge, GAME, "ana@example.org", who="operator", now=desk.now)
    come(desk, "France", peer="192.0.2.7")
    come(desk, "Italy", peer="192.0.2.7", after=20)
    desk.receive()
    desk.deliver(*desk.write("master", "SIGNS", to=desk.reply_to("master"), sender="ana@example.org"))
    desk.work()
    (answer,) = desk.receive()
    assert answer["To"] == "ana@example.org"
    said = text_of(answer)
    assert "prove nothing" in said and "France and Italy: mails came from the relay 192.0.2.7 within one minute" in said
    refused = text_of(desk.mail("France", "SIGNS"))
    assert "SIGNS is for the game master." in refused and "192.0.2.7" not in refused


def test_a_master_who_plays_is_not_told(desk: Desk) -> None:
    setup.set_master(desk.judge, GAME, "france@example.org", who="operator", now=desk.now)
    come(desk, "Italy", peer="192.0.2.7")
    come(desk, "Turkey", peer="192.0.2.7", after=20)
    desk.receive()
    desk.deliver(*desk.write("master", "SIGNS", to=desk.reply_to("master"), sender="france@example.org"))
    desk.work()
    (answer,) = desk.receive()
    assert "192.0.2.7" not in text_of(answer) and "the operator can see the signs" in text_of(answer)
