"""A result mail says what was true when its phase ran, whenever it is made, and also from a line that an earlier version
wrote, which stored less."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import setup, turn
from judge.store import games
from judge.variants import load_board, load_rules, with_key

Desk = Any
PLAYED = ("England", "France", "Germany")
STORED = ("missed", "disorder", "repeated")


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def begin(desk: Desk, key: str, value: str) -> None:
    rules = with_key(load_rules("standard"), key, value, load_board())
    players = {power: f"{power.lower()}@example.net" for power in PLAYED}
    setup.create_game(desk.judge, "club", rules=rules, players=players, now=desk.now)
    setup.start_game(desk.judge, "club", desk.now)
    for power, body in {"England": "F Lon - Nth", "France": "F Bre H\nA Mar - Spa", "Germany": "F Kie H"}.items():
        write(desk, power, body)
    run(desk)
    desk.work()
    desk.receive()


def write(desk: Desk, power: str, body: str) -> None:
    desk.mail(power, body, to=desk.reply_to(power, "club"), sender=f"{power.lower()}@example.net")


def run(desk: Desk) -> None:
    """The deadline passes; no mail is made yet."""
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "club").id)
    desk.now = phase.deadline + timedelta(minutes=1)
    turn.run_phase(desk.judge, "club", desk.now)


def results(desk: Desk) -> dict[str, str]:
    desk.work()
    return {m["To"]: text_of(m) for m in desk.receive() if m["To"].endswith("@example.net")}


def stored(desk: Desk) -> list[Mapping[str, Any]]:
    rows = desk.judge.store.rows("SELECT id, args FROM outbox WHERE event = 'result' AND state = 'new' ORDER BY id")
    return [{"id": row["id"], **json.loads(row["args"])} for row in rows]


RULES = [("nmr", "civil-disorder"), ("orders.perpetual", "yes"), ("nmr", "hold")]


@pytest.mark.parametrize(("key", "value"), RULES, ids=["disorder", "perpetual", "hold"])
def test_a_line_of_an_earlier_version_says_the_same(desk: Desk, key: str, value: str) -> None:
    begin(desk, key, value)
    write(desk, "England", "F Nth - Nwy")
    write(desk, "France", "A Spa - Por")
    run(desk)
    lines = stored(desk)
    assert len(lines) == 3 and all(line.keys() >= set(STORED) for line in lines)
    assert "Germany" in lines[0]["missed"] and "France" not in lines[0]["missed"]
    assert lines[0]["disorder"] == ({"Germany": "began"} if value == "civil-disorder" else {})
    assert ("kie" in lines[0]["repeated"]) is (key == "orders.perpetual")
    with desk.judge.store.transaction():
        for line in lines[:1]:  # England's as it was written before; the others' as it is now
            kept = {name: said for name, said in line.items() if name not in (*STORED, "id")}
            desk.judge.store.run("UPDATE outbox SET args = ? WHERE id = ?", json.dumps(kept), line["id"])
    told = results(desk)
    assert len(told) == 3
    for text in told.values():
        assert ("Germany sent no orders and is in civil" in text or "You sent no orders for" in text) is bool(
            lines[0]["disorder"]
        )
        assert ("Repeated from an earlier turn." in text) is bool(lines[0]["repeated"])


def test_a_seat_that_changes_hands_before_the_mail_is_made_changes_nothing_in_it(desk: Desk) -> None:
    """Germany was silent, and has lost its player when the results are written: they still say what the phase did."""
    begin(desk, "nmr", "civil-disorder")
    write(desk, "France", "A Spa - Por")
    write(desk, "England", "F Nth - Nwy")
    run(desk)
    game = games.get(desk.judge.store, "club")
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, game.id, "Germany", None)
    told = results(desk)
    assert "Germany sent no orders and is in civil disorder." in told["france@example.net"]
