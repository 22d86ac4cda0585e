"""Faults that other mail software had, shown not to be in what the judge does with a mail (ids as in
``tests/mail/data/reported.json``)."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.store import games

Desk = Any


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def test_mail11_the_retry_of_a_mail_whose_answer_was_lost_is_known(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur")
    first, second = desk.deliver(raw, to, sender), desk.deliver(b"Received: from elsewhere\r\n" + raw, to, sender)
    assert (first.id, first.duplicate, second.id, second.duplicate) == (first.id, False, first.id, True)
    desk.work()
    assert len(desk.receive()) == 1


@pytest.mark.parametrize("date", ["x" * 184, "", "Wed, 99 Foo 99999 99:99", "Mon, 1 Jan 0001 00:00:00 +9999"])
def test_mail16_a_mail_is_as_old_as_its_arrival(desk: Desk, date: str) -> None:
    desk.mail("France", "A Par - Bur")
    desk.now += timedelta(minutes=5)
    desk.mail("France", "A Par - Pic", headers={"Date": date})
    assert desk.held("France") == ["A PAR-PIC"]
    desk.now += timedelta(hours=30)
    answer = desk.mail("France", "A Par - Gas", headers={"Date": date})
    assert desk.outcome == "late" and "too late" in answer["Subject"]


def test_mail18_a_sender_line_that_names_nobody_is_answered_to_the_registered_address(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur", headers={"From": "undisclosed"})
    assert desk.deliver(raw, to, sender) is not None
    desk.work()
    (question,) = desk.receive()
    assert question["To"] == "france@example.org" and desk.held("France") == []
    desk.mail("France", "YES", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


def test_mail26_subjects_do_not_grow(desk: Desk) -> None:
    subject = "RE: Re: AW: my orders"
    lengths = []
    for number in range(4):
        answer = desk.mail("France", f"A Par - {('Bur', 'Pic', 'Gas', 'Bre')[number]}", subject=subject)
        subject = f"RE: AW: {answer['Subject']}"
        lengths.append(len(answer["Subject"]))
        assert answer["Subject"].casefold().count("re: ") <= 1 and "AW:" not in answer["Subject"]
    assert lengths[1:] == [lengths[1]] * 3


def test_mail28_what_fails_in_a_mail_stops_nothing_else_and_is_listed(desk: Desk) -> None:
    answer = desk.mail("France", "CREATE autumn7\nA Par - Bur\nA Mar - London\nF Bre - Mao")
    assert desk.held("France") == ["A PAR-BUR", "F BRE-MAO"]
    told = text_of(answer)
    assert "A Mar - London" in told
    assert "2 of 3 orders are in" in told


def test_mail30_a_failure_is_counted_against_its_player_and_never_answered(desk: Desk) -> None:
    game = games.get(desk.judge.store, "spring42")
    seat = games.seat(desk.judge.store, game.id, "France")
    to = f"spring42+b-{desk.judge.keys.bounce_token('spring42', 'France', seat.generation)}@judge.example.org"
    report = (
        "From: MAILER-DAEMON@example.org\r\nTo: {}\r\nSubject: Undeliverable: [#7253] Undeliverable: x\r\n"
        "Message-ID: <{}@example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\n\r\nIt failed.\r\nA Par - Bur\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; france@example.org\r\nAction: failed\r\n"
        "Status: 5.1.1\r\n\r\n--b--\r\n"
    )
    for number, outcome in enumerate(("unreachable", "bounce", "bounce")):
        assert desk.hand_in(report.format(to, number).encode(), to, "") == []
        assert desk.outcome == outcome and desk.held("France") == []


def test_mail31_an_answer_without_marks_from_a_machine_ends_after_one_mail(desk: Desk) -> None:
    """A vacation program that says nothing of itself in its headers and answers each mail: one answer at most."""
    note, count = "Thank you for your mail. Jane will be back in some days and read it then.", 0
    answer = desk.mail("France", note)
    while answer is not None and count < 10:
        count += 1
        answer = desk.mail("France", note, answering=answer)
    assert count <= 1


def test_mail33_the_same_mail_without_message_id_does_nothing_new(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur")
    bare = b"".join(line for line in raw.splitlines(keepends=True) if not line.startswith(b"Message-ID"))
    kept = [desk.deliver(bare, to, sender) for _ in range(2)]
    desk.work()
    assert [one.duplicate for one in kept if one] == [False, True]
    assert len(desk.receive()) == 1


def test_mail43_all_mails_of_a_game_come_from_one_address(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur")
    desk.pass_time(hours=24)
    desk.receive()
    senders = {m["From"].rpartition("<")[2].strip(">") for m in desk.sent}
    assert senders == {"spring42@judge.example.org"}


def test_mail45_a_senders_name_gives_no_right_to_order(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur", to="spring42@judge.example.org", sender="france@example.org")
    assert desk.held("France") == []
    desk.mail("Germany", "A Par - Bur", sender="france@example.org")
    assert desk.held("France") == []


@pytest.mark.parametrize("template", ["{{7*191}}", "{{ cycler.__init__.__globals__ }}", "{% raise %}", "%(x)s", "{0}"])
def test_mail46_what_players_write_is_never_a_template(desk: Desk, template: str) -> None:
    answer = desk.mail("France", f"A Par - {template}", subject=f"Re: {template}")
    assert f"A Par - {template}" in text_of(answer)
    assert "1337" not in answer.as_string()


@pytest.mark.parametrize("template", ["{{7*191}}", "{{ cycler.__init__.__globals__ }}", "{% raise %}", "%(game)s"])
def test_mail46_nor_is_what_they_write_to_each_other(desk: Desk, template: str) -> None:
    mails = desk.post(f"PRESS TO GERMANY\nsee {template}\nEND")
    (press,) = [mail for mail in mails if mail["To"] == "germany@example.org"]
    assert f"see {template}" in text_of(press) and "1337" not in press.as_string()


def test_mail40_no_line_of_a_mail_is_wider_than_78(desk: Desk) -> None:
    """Else a program on the way may wrap it, and a table is no table any more. Links are left whole."""
    desk.mail("France", "A Par - Bur\nA Mar - London\nPRESS TO GERMANY\n" + "word " * 60 + "\nEND")
    desk.pass_time(hours=24)
    desk.receive()
    assert len(desk.sent) > 14
    for mail in desk.sent:
        wide = [line for line in text_of(mail).splitlines() if len(line) > 78 and "://" not in line and "@" not in line]
        assert wide == [] or "word word" in wide[0], wide
