"""Faults that other mail software had, shown not to be in what the judge does with a mail (ids as in
``tests/mail/data/reported.json``)."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

Desk = Any


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def test_mail18_a_sender_line_that_names_nobody_is_answered_to_the_registered_address(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur", headers={"From": "undisclosed"})
    assert desk.deliver(raw, to, sender) is not None
    desk.work()
    assert [m["To"] for m in desk.receive()] == ["france@example.org"]
    assert desk.held("France") == ["A PAR-BUR"]


def test_mail28_what_fails_in_a_mail_stops_nothing_else_and_is_listed(desk: Desk) -> None:
    answer = desk.mail("France", "CREATE autumn7\nA Par - Bur\nA Mar - London\nF Bre - Mao")
    assert desk.held("France") == ["A PAR-BUR", "F BRE-MAO"]
    told = text_of(answer)
    assert "A Mar - London" in told
    assert "2 of 3 orders are in" in told


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
