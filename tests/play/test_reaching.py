"""Mails that come back or are refused: counted against the right seat, told to the master in time, over with a mail."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.play import mastermail, reaching
from judge.store import failedmails, games, inbox, outbox

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

NO_MAILBOX = ("5.1.1", "550 5.1.1 <france@example.org>: no such user")


def text_of(message: Message) -> str:
    return next(p for p in message.walk() if p.get_content_type() == "text/plain").get_payload(decode=True).decode()  # type: ignore[union-attr]


@pytest.fixture
def mastered(desk: Any) -> Any:
    """The game with Ana as its master, who has read her letter."""
    with desk.judge.store.transaction():
        mastermail.appoint(desk.judge, games.get(desk.judge.store, "spring42"), "ana@example.org", "operator", desk.now)
    desk.work()
    desk.receive()
    return desk


def report(
    address: str = "france@example.org",
    status: str = "5.1.1",
    action: str = "failed",
    said: str = "550 5.1.1 no such user",
    number: int = 1,
) -> bytes:
    """A report of RFC 3464, as Postfix writes it."""
    return (
        f"From: MAILER-DAEMON@mx.example.org\r\nTo: x\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        f"Message-ID: <{number}@mx.example.org>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you.\r\nA Par - Bur\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; {said}\r\n\r\n"
        "--b--\r\n"
    ).encode()


def envelope_of(desk: Any, power: str = "France") -> str:
    store = desk.judge.store
    return str(desk.judge.bounce_address("spring42", games.seat(store, games.get(store, "spring42").id, power)))


def came_back(desk: Any, raw: bytes, to: str | None = None, sender: str = "") -> str | None:
    kept = desk.deliver(raw, to or envelope_of(desk), sender)
    assert kept is not None
    desk.work()
    return inbox.load(desk.judge.store, kept.id).outcome


def seat_view(desk: Any, power: str = "France") -> Any:
    return next(seat for seat in desk.show()["seats"] if seat["power"] == power)["unreachable"]


def to_ana(mails: list[Message]) -> list[Message]:
    return [mail for mail in mails if mail["To"] == "ana@example.org"]


def test_the_master_is_told_at_once_and_once_a_phase(mastered: Any) -> None:
    assert came_back(mastered, report()) == "unreachable"
    (word,) = mastered.receive()
    assert (word["To"], word["Subject"]) == ("ana@example.org", "[spring42] mails do not reach France")
    told = " ".join(text_of(word).split())
    assert "5.1.1: there is no such mailbox" in told
    assert "the deadline is" in told
    assert "house rule nmr decides: The units of a power without orders at the deadline hold." in told
    assert "No mail of theirs has come to the judge yet" in told
    assert "SET nmr=postpone" in told
    assert [came_back(mastered, report(number=n)) for n in (2, 3)] == ["bounce", "bounce"]
    assert mastered.receive() == []
    mastered.pass_time(hours=23)
    assert len(to_ana(mastered.receive())) == 1, "the result of the phase, and no more before a mail fails again"
    assert came_back(mastered, report(number=4)) == "bounce"
    (word,) = mastered.receive()
    assert word["Subject"] == "[spring42] mails do not reach France"
    assert "lost since" in " ".join(text_of(word).split()) and ": 4 (5.1.1" in " ".join(text_of(word).split())


def test_the_next_mail_of_the_player_ends_it_and_the_master_reads_so_once(mastered: Any) -> None:
    came_back(mastered, report())
    mastered.receive()
    assert seat_view(mastered) == {"since": "2026-12-01T13:00:00Z", "status": "5.1.1", "lost": 1, "late": 0}
    first = mastered.mail("master", "STATUS", sender="ana@example.org")
    assert first is None  # the Desk looks for mails to a power; Ana's is among those that were sent
    assert "there is no such mailbox" in " ".join(text_of(mastered.sent[-1]).split())
    mastered.mail("France", "A Par - Bur")
    assert mastered.outcome == "orders"
    assert seat_view(mastered) is None
    mastered.mail("master", "STATUS", sender="ana@example.org", subject="two")
    assert "and a mail of theirs came" in " ".join(text_of(mastered.sent[-1]).split())
    mastered.mail("master", "STATUS", sender="ana@example.org", subject="three")
    assert "mail of theirs" not in " ".join(text_of(mastered.sent[-1]).split())
    assert came_back(mastered, report(number=9)) == "unreachable"


def test_a_status_that_is_not_answered_tells_nothing(mastered: Any) -> None:
    """The fifth of the same words within minutes gets no answer; what it would have told is in the next one."""
    came_back(mastered, report())
    for _ in range(4):
        mastered.now += timedelta(minutes=1)
        mastered.mail("master", "STATUS", sender="ana@example.org")
    mastered.mail("France", "A Par - Bur")
    mastered.receive()
    mastered.now += timedelta(minutes=1)
    assert to_ana(mastered.post("STATUS", "master", sender="ana@example.org")) == []
    mastered.now += timedelta(minutes=5)
    (told,) = to_ana(mastered.post("STATUS", "master", sender="ana@example.org"))
    assert "and a mail of theirs came" in " ".join(text_of(told).split())
    mastered.now += timedelta(minutes=5)
    (told,) = to_ana(mastered.post("STATUS", "master", sender="ana@example.org"))
    assert "mail of theirs" not in " ".join(text_of(told).split())


def test_an_absence_note_is_no_sign_of_life(mastered: Any) -> None:
    came_back(mastered, report())
    for headers in ({"Auto-Submitted": "auto-replied"}, {}):
        mastered.mail("France", "I am out of the office until 12 June and will reply when I return.", headers=headers)
        assert mastered.outcome == "auto-reply"
    assert seat_view(mastered)["lost"] == 1


#: what comes to the seat's signed envelope address -> its outcome, and what is counted (lost, late)
COMES_BACK: dict[str, tuple[bytes, str, str, tuple[int, int] | None]] = {
    "of an address that the player's mail is sent on to": (report("c@elsewhere.example"), "", "unreachable", (1, 0)),
    "4.4.7, tried until patience ended": (report(status="4.4.7"), "", "unreachable", (1, 0)),
    "5.2.2, the mailbox is full": (report(status="5.2.2"), "", "unreachable", (1, 0)),
    "delayed": (report(status="4.4.1", action="delayed"), "", "bounce", None),
    "delivered": (report(status="2.0.0", action="delivered"), "", "ignored", None),
    "an absence note": (
        b"From: france@example.org\r\nSubject: Re: x\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n",
        "",
        "auto-reply",
        None,
    ),
    "an absence note by its words": (
        b"From: france@example.org\r\nSubject: Re: x\r\n\r\nI am out of the office until Monday.\r\n",
        "france@example.org",
        "auto-reply",
        None,
    ),
    "a person's words": (
        b"From: france@example.org\r\nSubject: Re: x\r\n\r\nA Par - Bur\r\n",
        "france@example.org",
        "ignored",
        None,
    ),
    "the player's own address, from nobody, in words that are not known": (
        b"From: france@example.org\r\nSubject: x\r\n\r\nZzz.\r\n",
        "",
        "ignored",
        None,
    ),
    "nobody's, in words that are not known": (b"From: x@mx.example.org\r\nSubject: x\r\n\r\nZzz.\r\n", "", "bounce", None),
    "a bounce in words alone": (
        b"From: MAILER-DAEMON@x.example\r\nSubject: failure notice\r\n\r\n<france@example.org>:\r\nSorry, no mailbox here "
        b"by that name. (#5.1.1)\r\n",
        "",
        "unreachable",
        (1, 0),
    ),
}


def test_the_words_are_looked_through_before_the_transaction(mastered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a mail of anybody says may take a while, and nobody else can write then."""
    looked: list[bool] = []

    def status(text: str, *, permanent: bool = True) -> str:
        looked.append(mastered.judge.store._db.conn.in_transaction)
        return "4.0.0"

    monkeypatch.setattr("judge.play.reaching.status_in", status)
    raw = COMES_BACK["nobody's, in words that are not known"][0]
    assert came_back(mastered, raw) == "bounce" and looked == [False]


@pytest.mark.parametrize("case", COMES_BACK)
def test_what_comes_to_the_envelope_address(mastered: Any, case: str) -> None:
    raw, sender, outcome, counted = COMES_BACK[case]
    assert came_back(mastered, raw, sender=sender) == outcome
    view = seat_view(mastered)
    assert (view and (view["lost"], view["late"])) == counted
    assert len(mastered.receive()) == (1 if counted else 0), "word to the master, and nothing to anybody else"
    assert mastered.held("France") == []


def test_many_late_ones_are_as_good_as_a_lost_one(mastered: Any) -> None:
    late = [came_back(mastered, report(status="4.4.1", action="delayed", number=n)) for n in range(3)]
    assert late == ["bounce", "bounce", "unreachable"]
    (word,) = mastered.receive()
    assert "late since" in " ".join(text_of(word).split())


#: addresses of ours that are not the envelope address of France's mails: whoever writes a bounce to them can be anybody
ELSEWHERE: dict[str, Callable[[Any], str]] = {
    "the signed reply address": lambda desk: desk.reply_to("France"),
    "the game": lambda desk: "spring42@judge.example.org",
    "the judge": lambda desk: "judge@judge.example.org",
    "postmaster": lambda desk: "postmaster@judge.example.org",
}


@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_bounce_to_another_address_counts_for_nothing(mastered: Any, place: str) -> None:
    assert came_back(mastered, report(), ELSEWHERE[place](mastered)) == "bounce"
    assert seat_view(mastered) is None
    assert mastered.receive() == []


def test_the_envelope_address_of_another_seat_counts_against_that_one(mastered: Any) -> None:
    came_back(mastered, report(), envelope_of(mastered, "Italy"))
    assert seat_view(mastered) is None
    assert seat_view(mastered, "Italy")["lost"] == 1


def test_a_made_up_envelope_address_is_refused_at_the_door(mastered: Any) -> None:
    address = envelope_of(mastered)
    assert mastered.deliver(report(), address.replace("+b-", "+b-a")) is None


def refuse(desk: Any, status: str, text: str) -> bool:
    """The relay refuses the first mail that waits for France."""
    line = next(one for one in outbox.due(desk.judge.store, desk.now, 99) if one.power == "France")
    return reaching.refused(desk.judge, line, desk.now, text, status)


def test_what_the_relay_refuses_is_counted_the_same(mastered: Any) -> None:
    mastered.deliver(*mastered.write("France", "A Par - Bur"))
    mastered.work()
    assert refuse(mastered, *NO_MAILBOX)
    mastered.work()
    (word,) = to_ana(mastered.receive())
    assert "5.1.1: there is no such mailbox" in " ".join(text_of(word).split())
    assert "Their last mail to the judge came" in text_of(word)
    assert outbox.counts(mastered.judge.store)["parked"] == 1


def test_what_the_relay_refuses_for_its_own_sake_is_not_counted(mastered: Any) -> None:
    mastered.deliver(*mastered.write("France", "A Par - Bur"))
    mastered.work()
    assert not refuse(mastered, "", "MAIL: 552 too large")
    assert seat_view(mastered) is None


def test_a_mail_to_who_had_the_seat_before_is_not_counted(mastered: Any) -> None:
    mastered.deliver(*mastered.write("France", "A Par - Bur"))
    mastered.work()
    with mastered.judge.store.transaction():
        game = games.get(mastered.judge.store, "spring42")
        games.set_player(mastered.judge.store, game.id, "France", "new@example.org")
    assert not refuse(mastered, *NO_MAILBOX)
    assert seat_view(mastered) is None


def test_a_new_player_begins_without_the_failures_of_the_one_before(mastered: Any) -> None:
    came_back(mastered, report())
    with mastered.judge.store.transaction():
        game = games.get(mastered.judge.store, "spring42")
        games.set_player(mastered.judge.store, game.id, "France", "new@example.org")
    assert seat_view(mastered) is None


def test_a_master_who_is_that_player_gets_no_mail_about_it(desk: Any) -> None:
    with desk.judge.store.transaction():
        mastermail.appoint(desk.judge, games.get(desk.judge.store, "spring42"), "France@example.org", "operator", desk.now)
    desk.work()
    desk.receive()
    assert came_back(desk, report()) == "unreachable"
    assert desk.receive() == []


def test_a_master_who_plays_reads_nothing_of_how_far_the_orders_of_others_are(desk: Any) -> None:
    with desk.judge.store.transaction():
        mastermail.appoint(desk.judge, games.get(desk.judge.store, "spring42"), "italy@example.org", "operator", desk.now)
    desk.mail("France", "A Par - Bur")
    desk.receive()
    came_back(desk, report())
    (word,) = desk.receive()
    assert "all orders are in" not in text_of(word) and "some orders are missing" not in text_of(word)


def test_a_master_who_cannot_be_reached_is_shown_and_nobody_is_written_to(mastered: Any) -> None:
    assert came_back(mastered, report("ana@example.org"), envelope_of(mastered, "master")) == "unreachable"
    assert mastered.receive() == []
    assert mastered.show()["master"]["unreachable"]["status"] == "5.1.1"


def test_without_a_master_the_operator_sees_it(desk: Any, tmp_path: Any) -> None:
    assert came_back(desk, report()) == "unreachable"
    assert desk.receive() == []
    home = tmp_path / "home"
    assert CliRunner().invoke(main, ["init", str(home), "--domain", "judge.example.org"]).exit_code == 0
    desk.judge.store.backup(home / "judge.db")
    status = CliRunner().invoke(main, ["--home", str(home), "status", "--json"])
    (seat,) = json.loads(status.output)["unreachable"]
    assert (seat["game"], seat["power"], seat["status"]) == ("spring42", "France", "5.1.1")
    for command, line in (
        (["status"], "unreachable France of spring42"),
        (["game", "show", "spring42"], "cannot be reached"),
    ):
        said = CliRunner().invoke(main, ["--home", str(home), *command])
        assert line in said.output


def test_word_and_count_are_one_transaction(mastered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(mastermail, "write_of_unreachable", fails)
    kept = mastered.deliver(report(), envelope_of(mastered), "")
    with pytest.raises(ZeroDivisionError):
        mastered.work()
    store = mastered.judge.store
    assert inbox.load(store, kept.id).state == "waiting"
    assert failedmails.failing(store, games.seat(store, games.get(store, "spring42").id, "France")) is None
