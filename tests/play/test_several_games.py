"""Orders for several games in one mail: those below ``GAME name`` are taken in as if they had been mailed to that game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import intake, setup, turn
from judge.store import games, inbox, laterorders
from judge.variants import load_rules

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
#: in the second game the players of spring42 play other powers
SWAPPED = {power: f"{other.lower()}@example.org" for power, other in zip(POWERS, POWERS[1:] + POWERS[:1], strict=True)}
#: whoever plays France in spring42 plays England in autumn7
BODY = "A Par-Bur\n\nGAME autumn7\nF Lon-Nth\nA Lvp-Yor"


def text_of(message: Message | None) -> str:
    assert message is not None
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


def second_game(desk: Desk, players: Mapping[str, str] = SWAPPED, name: str = "autumn7") -> None:
    setup.create_game(desk.judge, name, rules=load_rules("standard"), players=dict(players), now=desk.now)
    setup.start_game(desk.judge, name, desk.now)
    desk.work()
    desk.receive()


def send(desk: Desk, body: str = BODY, **kwargs: Any) -> dict[str, Message]:
    """France writes to spring42; returns the receipts that come of it, by game."""
    kept = desk.deliver(*desk.write("France", body, **kwargs))
    desk.work()
    desk.outcome = inbox.load(desk.judge.store, kept.id).outcome
    return {m["Message-ID"][1:].partition(".")[0]: m for m in desk.receive() if m["To"].startswith("france")}


def held(desk: Desk, power: str, game: str) -> list[str]:
    return sorted(next(s["orders"] for s in desk.show(game)["seats"] if s["power"] == power))


def test_both_games_take_their_lines(desk: Desk) -> None:
    second_game(desk)
    receipts = send(desk)
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["A LVP-YOR", "F LON-NTH"]
    assert set(receipts) == {"spring42", "autumn7"}
    assert "What your mail says for autumn7 was taken in there" in text_of(receipts["spring42"])
    assert "line not used" not in str(receipts["spring42"]["Subject"])
    assert "2 of 3 orders are in" in text_of(receipts["autumn7"])


def test_the_other_receipt_stands_in_the_other_games_thread(desk: Desk) -> None:
    second_game(desk)
    receipt = send(desk)["autumn7"]
    assert "autumn7" in receipt["References"]
    assert "spring42" not in receipt["References"]
    assert receipt["In-Reply-To"] is None or "autumn7" in receipt["In-Reply-To"]
    assert "autumn7" in receipt["Reply-To"]


def test_the_orders_keep_the_one_mail_of_the_inbox(desk: Desk) -> None:
    second_game(desk)
    send(desk)
    store = desk.judge.store
    assert {row["inbox_id"] for row in store.rows("SELECT inbox_id FROM orders")} == {1}
    assert len(store.rows("SELECT id FROM inbox")) == 1


def test_a_mail_with_lines_for_the_other_game_alone(desk: Desk) -> None:
    second_game(desk)
    receipts = send(desk, "GAME autumn7\nF Lon-Nth")
    assert held(desk, "England", "autumn7") == ["F LON-NTH"]
    assert desk.outcome == "elsewhere"
    assert "held no orders" not in str(receipts["spring42"]["Subject"])


def test_commands_and_press_go_there_too(desk: Desk) -> None:
    second_game(desk)
    desk.deliver(*desk.write("France", "A Par-Bur\nGAME autumn7\nF Lon-Nth\nWAIT\nPRESS TO ITALY\nHello Rome\nEND"))
    desk.work()
    mails = desk.receive()
    press = [m for m in mails if "Hello Rome" in text_of(m) and not m["To"].startswith("france")]
    assert [m["To"] for m in press] == [SWAPPED["Italy"]]
    assert "autumn7" in press[0]["Message-ID"]
    waiting = {row["game_id"] for row in desk.judge.store.rows(
        "SELECT game_id FROM standings JOIN phases ON phases.id = phase_id WHERE wait = 1")}  # fmt: skip
    assert waiting == {games.get(desk.judge.store, "autumn7").id}


def test_back_to_the_first_game_by_its_own_heading(desk: Desk) -> None:
    second_game(desk)
    send(desk, "GAME autumn7\nF Lon-Nth\nGAME spring42\nA Par-Bur")
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["F LON-NTH"]


NOT_TAKEN = {
    "no-such-game": ({}, "answer a mail of that game"),
    "no-seat-there": ({power: f"{power.lower()}@example.com" for power in POWERS}, "answer a mail of that game"),
    "two-seats-there": (
        {**SWAPPED, "Italy": "france@example.org"},
        "you play several powers in the game autumn7: write to each of them",
    ),
}


@pytest.mark.parametrize(("players", "why"), NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_what_cannot_be_taken_there_is_told(desk: Desk, players: dict[str, str], why: str) -> None:
    if players:
        second_game(desk, players)
    receipts = send(desk)
    assert set(receipts) == {"spring42"}
    assert why in text_of(receipts["spring42"])
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    if players:
        assert all(seat["orders"] == [] for seat in desk.show("autumn7")["seats"])


def test_a_strange_sender_orders_nowhere(desk: Desk) -> None:
    second_game(desk)
    send(desk, sender="thief@example.net")
    assert desk.outcome == "held"
    assert held(desk, "England", "autumn7") == []


def test_each_game_has_its_own_deadline(desk: Desk) -> None:
    """Late for the one, in time for the other."""
    desk.now += timedelta(hours=10)
    second_game(desk)
    desk.now += timedelta(hours=13, minutes=30)
    receipts = send(desk)
    assert held(desk, "England", "autumn7") == ["A LVP-YOR", "F LON-NTH"]
    assert held(desk, "France", "spring42") == []
    assert "came too late" in text_of(receipts["spring42"]) or "the deadline was" in text_of(receipts["spring42"])


def test_a_deadline_waits_for_a_mail_to_another_game(desk: Desk) -> None:
    """It arrived in time, and is not taken in yet when the other game's phase is run."""
    second_game(desk)
    desk.now += timedelta(hours=2)
    assert desk.deliver(*desk.write("France", BODY)) is not None
    turn.run_phase(desk.judge, "autumn7", desk.now)
    assert intake.step(desk.judge, desk.now) is None
    assert {str(o) for o in _outcomes(desk, "autumn7", "England")} >= {"F LON-NTH", "A LVP-YOR"}


def _outcomes(desk: Desk, game: str, power: str) -> list[str]:
    first = games.phases(desk.judge.store, games.get(desk.judge.store, game).id)[0]
    rows = desk.judge.store.rows("SELECT text FROM orders WHERE phase_id = ? AND power = ?", first.id, power)
    return [row["text"] for row in rows]


def test_said_again_it_changes_nothing(desk: Desk) -> None:
    second_game(desk)
    send(desk)
    send(desk)
    assert held(desk, "England", "autumn7") == ["A LVP-YOR", "F LON-NTH"]


# ── together with what there was before, and with orders for later phases ────────────────────────────────────────────


def kept(desk: Desk, game: str, power: str) -> dict[str, tuple[str, ...]]:
    found = laterorders.kept(desk.judge.store, games.get(desk.judge.store, game).id, power)
    return {one.phase: one.lines for one in found}


def test_later_phases_of_both_games(desk: Desk) -> None:
    second_game(desk)
    send(desk, "A Par-Bur\nF1901\nA Bur-Mun\nGAME autumn7\nF Lon-Nth\nLATER F1901M F Nth-Nwy")
    assert kept(desk, "spring42", "France") == {"F1901M": ("F1901", "A Bur-Mun")}
    assert kept(desk, "autumn7", "England") == {"F1901M": ("F Nth-Nwy",)}


def test_own_orders_in_the_subject_and_others_in_the_body(desk: Desk) -> None:
    second_game(desk)
    send(desk, "GAME autumn7\nF Lon-Nth", subject="A Par-Bur")
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["F LON-NTH"]


def test_both_games_in_a_text_attachment(desk: Desk) -> None:
    second_game(desk)
    raw, to, sender = desk.write("France", "")
    head = raw.partition(b"MIME-Version")[0]
    plain = b"Content-Type: text/plain; charset=utf-8\r\n"
    body = (
        b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\n" + plain + b"\r\nMy orders are in the file.\r\n"
        b"--b\r\n" + plain + b'Content-Disposition: attachment; filename="orders.txt"\r\n\r\n'
        b"A Par-Bur\r\nF1901\r\nA Bur-Mun\r\nGAME autumn7\r\nF Lon-Nth\r\nF1901\r\nF Nth-Nwy\r\n--b--\r\n"
    )
    assert desk.deliver(head + body, to, sender) is not None
    desk.work()
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["F LON-NTH"]
    assert kept(desk, "spring42", "France") == {"F1901M": ("F1901", "A Bur-Mun")}
    assert kept(desk, "autumn7", "England") == {"F1901M": ("F1901", "F Nth-Nwy")}


def test_press_for_a_game_without_a_seat_reaches_nobody(desk: Desk) -> None:
    """It stands in that game's section: the players of the first game must not get it."""
    desk.deliver(*desk.write("France", "A Par-Bur\nGAME autumn7\nF Lon-Nth\nPRESS TO ITALY\nHello Rome\nEND"))
    desk.work()
    told = [m for m in desk.receive() if "Hello Rome" in text_of(m)]
    assert {m["To"] for m in told} == {"france@example.org"}


def test_a_master_is_told_that_other_games_are_for_their_own_mails(desk: Desk) -> None:
    second_game(desk)
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    body = "STATUS\nGAME autumn7\nF Lon-Nth\nPRESS TO ITALY\nHello Rome\nEND"
    to = desk.reply_to("master")
    assert desk.deliver(*desk.write("master", body, to=to, sender="ana@example.org")) is not None
    desk.work()
    mails = desk.receive()
    assert {m["To"] for m in mails} == {"ana@example.org"}
    assert "This is for the game autumn7" in text_of(mails[0])


# ── in a mail that was held until its player said YES ────────────────────────────────────────────────────────────────


def question(desk: Desk, body: str = BODY, **kwargs: Any) -> Message:
    """A mail comes to France's signed address from elsewhere, or in France's name to the open one: France is asked."""
    desk.deliver(*desk.write("France", body, **{"sender": "camille@phone.example", **kwargs}))
    desk.work()
    (asked,) = desk.receive()
    assert asked["To"] == "france@example.org" and held(desk, "England", "autumn7") == []
    return asked


FROM = {
    "another address": {"sender": "camille@phone.example"},
    "the open address": {"sender": "france@example.org", "to": "spring42@judge.example.org"},
}


@pytest.mark.parametrize("more", FROM.values(), ids=FROM)
def test_a_yes_takes_all_its_sections(desk: Desk, more: dict[str, str]) -> None:
    second_game(desk)
    asked = question(desk, **more)
    assert "autumn7" in text_of(asked) and "F Lon-Nth" in text_of(asked)
    desk.now += timedelta(hours=1)
    receipts = send(desk, "YES", answering=asked)
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["A LVP-YOR", "F LON-NTH"]
    assert set(receipts) == {"spring42", "autumn7"}
    assert "was taken in there" in text_of(receipts["spring42"])


def test_a_no_takes_none(desk: Desk) -> None:
    second_game(desk)
    send(desk, "NO", answering=question(desk))
    assert held(desk, "France", "spring42") == held(desk, "England", "autumn7") == []


def test_a_yes_counts_in_the_other_game_as_of_when_the_mail_came(desk: Desk) -> None:
    """Orders sent since to the other game are newer."""
    second_game(desk)
    asked = question(desk)
    desk.now += timedelta(hours=1)
    desk.deliver(*desk.write("England", "F Lon-Eng", to=desk.reply_to("England", "autumn7"), sender="france@example.org"))
    desk.work()
    desk.now += timedelta(hours=1)
    send(desk, "YES", answering=asked)
    assert "F LON-ENG" in held(desk, "England", "autumn7") and "F LON-NTH" not in held(desk, "England", "autumn7")


def test_a_yes_after_the_other_game_went_on_is_late_there(desk: Desk) -> None:
    second_game(desk)
    asked = question(desk)
    desk.now += timedelta(hours=1)
    turn.run_phase(desk.judge, "autumn7", desk.now)
    desk.work()
    desk.receive()
    receipts = send(desk, "YES", answering=asked)
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == []
    assert "too late" in str(receipts["autumn7"]["Subject"])


def test_a_yes_gives_nothing_of_a_game_where_the_player_has_no_seat(desk: Desk) -> None:
    second_game(desk, {power: f"{power.lower()}@example.com" for power in POWERS})
    receipts = send(desk, "YES", answering=question(desk))
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert "answer a mail of that game" in text_of(receipts["spring42"])
    assert all(seat["orders"] == [] for seat in desk.show("autumn7")["seats"])


def test_a_yes_that_was_held_itself_vouches_for_what_it_confirms(desk: Desk) -> None:
    """The player answers from the phone as well: that YES is held, and the one for it confirms both."""
    second_game(desk)
    asked = question(desk)
    desk.deliver(*desk.write("France", "YES 1", answering=asked, sender="camille@phone.example"))
    desk.work()
    assert desk.receive() == []
    send(desk, "YES 2", answering=asked)
    assert held(desk, "France", "spring42") == ["A PAR-BUR"]
    assert held(desk, "England", "autumn7") == ["A LVP-YOR", "F LON-NTH"]


@pytest.mark.slow
def test_no_chain_of_held_answers_makes_the_players_own_fail(desk: Desk) -> None:
    for number in range(1, 300):
        desk.deliver(*desk.write("France", f"YES {number - 1}\nA Par-Bur", sender="mallory@evil.example"))
    desk.work()
    (asked,) = desk.receive()
    send(desk, "YES 299", answering=asked)
    assert desk.outcome == "confirmation" and held(desk, "France", "spring42") == ["A PAR-BUR"]
    confirmed = desk.judge.store.rows("SELECT number FROM held_mails WHERE state = 'confirmed'")
    assert len(confirmed) <= 4
