"""Press whose heading is the mail's subject, or that stands in a text attachment: passed on, and told in the receipt."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

Desk = Any


def text_of(message: Message) -> str:
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


def by_player(mails: list[Message]) -> dict[str, Message]:
    return {str(mail["To"]).partition("@")[0]: mail for mail in mails}


def test_a_subject_that_is_a_heading(desk: Desk) -> None:
    mails = by_player(desk.post("Shall we?\n\nYours\nEND\nA Par - Bur", subject="PRESS TO GERMANY"))
    assert set(mails) == {"france", "germany"} and desk.held("France") == ["A PAR-BUR"]
    assert "Shall we?" in text_of(mails["germany"]) and "A Par - Bur" not in text_of(mails["germany"])
    assert "to Germany, signed with your power" in text_of(mails["france"])


@pytest.mark.parametrize("subject", ["BROADCAST", "[spring42] press to all", "全体プレス"])
def test_to_all_of_them(desk: Desk, subject: str) -> None:
    mails = by_player(desk.post("Peace in our time", subject=subject))
    assert len(mails) == 7
    assert all("Peace in our time" in text_of(mail) for mail in mails.values())


def test_orders_under_it_without_an_end_reach_nobody(desk: Desk) -> None:
    mails = by_player(desk.post("Shall we?\nA Par - Bur", subject="PRESS TO GERMANY"))
    assert set(mails) == {"france"} and desk.held("France") == []
    assert "END" in text_of(mails["france"]) and "A Par - Bur" in text_of(mails["france"])


def test_nobody_of_that_name(desk: Desk) -> None:
    mails = by_player(desk.post("Shall we?", subject="PRESS TO GERMONY"))
    assert set(mails) == {"france"} and "Germany" in text_of(mails["france"])


def test_an_answer_with_that_subject_is_none(desk: Desk) -> None:
    first = by_player(desk.post("Shall we?\nEND\nA Par - Bur", subject="PRESS TO GERMANY"))["france"]
    mails = by_player(desk.post("A Par - Pic", answering=first, subject="Re: PRESS TO GERMANY"))
    assert set(mails) == {"france"} and desk.held("France") == ["A PAR-PIC"]


def test_an_answer_to_the_receipt_of_it_is_none(desk: Desk) -> None:
    """Some programs leave the answered subject as it is."""
    first = by_player(desk.post("Shall we?\nEND", subject="PRESS TO GERMANY"))["france"]
    mails = by_player(desk.post("A Par - Pic", answering=first, subject=str(first["Subject"])))
    assert set(mails) == {"france"} and desk.held("France") == ["A PAR-PIC"]


def attach(desk: Desk, body: str, text: str) -> tuple[bytes, str, str]:
    raw, to, sender = desk.write("France", "")
    head = raw.partition(b"MIME-Version")[0].decode()
    plain = "Content-Type: text/plain; charset=utf-8\r\n"
    file = f'{plain}Content-Disposition: attachment; filename="press.txt"\r\n\r\n{text}\r\n'
    mixed = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n'
    return f"{head}{mixed}\r\n--b\r\n{plain}\r\n{body}\r\n--b\r\n{file}--b--\r\n".encode(), to, sender


def test_press_in_a_file_beside_orders(desk: Desk) -> None:
    mails = by_player(desk.hand_in(*attach(desk, "A Par - Bur", "PRESS TO GERMANY\nShall we?\nEND")))
    assert set(mails) == {"france", "germany"} and desk.held("France") == ["A PAR-BUR"]
    assert "to Germany, signed with your power" in text_of(mails["france"])


def test_press_and_orders_in_a_file(desk: Desk) -> None:
    mails = by_player(desk.hand_in(*attach(desk, "In the file.", "PRESS TO GERMANY\nShall we?\nEND\nA Par - Bur")))
    assert set(mails) == {"france", "germany"} and desk.held("France") == ["A PAR-BUR"]


def test_open_press_in_a_file_with_orders_reaches_nobody(desk: Desk) -> None:
    mails = by_player(desk.hand_in(*attach(desk, "In the file.", "PRESS TO GERMANY\nShall we?\nA Par - Bur")))
    assert set(mails) == {"france"} and desk.held("France") == []


def test_a_file_from_elsewhere_is_held_with_its_mail(desk: Desk) -> None:
    raw, to, _ = attach(desk, "In the file.", "PRESS TO GERMANY\nShall we?\nEND")
    raw = raw.replace(b"<france@example.org>", b"<mallory@evil.example>")
    mails = by_player(desk.hand_in(raw, to, "mallory@evil.example"))
    assert set(mails) == {"france"} and desk.outcome == "held"
    assert set(by_player(desk.post("YES", answering=mails["france"]))) == {"france", "germany"}
