"""An old hand writes in the classic judge's style: it is understood, the receipt teaches the short way, and a password is
told to nobody."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

SECRET = "hunter2"


def words(message: Message | None) -> str:
    assert message is not None
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return " ".join(payload.decode().split())


def nowhere(desk: Any, secret: str = SECRET) -> None:
    """The secret is in no mail that went out, and in no table but that of the raw mails."""
    for sent in desk.sent:
        assert secret not in sent.as_string() + words(sent)
    store = desk.judge.store  # every table, whatever it is called
    for named in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"):
        table = named["name"]
        rows = store.rows(f'SELECT * FROM "{table}"') if table not in ("inbox", "raws") else []  # noqa: S608 - our own tables
        assert not [row for row in rows if secret in repr(row)], table


def test_orders_press_and_votes_in_the_old_style(desk: Any) -> None:
    body = (
        f"SIGNON Fspring42 {SECRET}\nA Par - Bur\nA Mar - Spa\nF Bre - Mao\nSET WAIT\n"
        "PRESS TO EG\nShall we?\nENDPRESS\nPHASE F1901M\nA Bur - Mun\nSIGNOFF"
    )
    sent = desk.post(body, subject=f"SIGNON Fspring42 {SECRET}")
    assert desk.held("France") == ["A PAR-BUR", "A MAR-SPA", "F BRE-MAO"]
    by_reader = {one["To"].partition("@")[0]: one for one in sent}
    assert set(by_reader) == {"france", "england", "germany"}
    receipt = words(by_reader["france"])
    for sentence in (
        "You need no SIGNON and no password: your reply address says who you are.",
        "For “SET WAIT” it is enough to write “WAIT”.",
        "For “ENDPRESS” it is enough to write “END”.",
        "For “PHASE …” it is enough to write “LATER …”.",
        "You need no SIGNOFF",
    ):
        assert sentence in receipt
    assert "Shall we?" in words(by_reader["england"])
    assert "F1901M" in receipt or "1901" in receipt
    nowhere(desk)


@pytest.mark.parametrize("signon", ["SIGNON Espring42", "SIGNON Fautumn7", "SIGNON Mspring42"])
def test_a_signon_for_somebody_else_is_refused(desk: Any, signon: str) -> None:
    (receipt,) = desk.post(
        f"A Mar - Spa\n{signon} {SECRET}\nA Par - Bur\nF Lon - Nth\nSET WAIT\nPRESS TO E\nHi\nENDPRESS\nSIGNOFF"
    )
    assert desk.held("France") == ["A MAR-SPA"]
    assert desk.held("England") == []
    assert "The SIGNON in your mail names another game or another power" in words(receipt)
    nowhere(desk)


def test_nothing_but_signing_on_is_answered(desk: Any) -> None:
    (receipt,) = desk.post(f"SIGNON Fspring42 {SECRET}\nSIGNOFF")
    assert "You need no SIGNON" in words(receipt)
    assert desk.outcome == "command"


def test_a_password_in_a_mail_that_is_held_is_in_no_question(desk: Any) -> None:
    desk.post(
        f"SIGNON Fspring42 {SECRET}\nA Par - Bur\nSIGNOFF", sender="mallory@example.com", envelope="mallory@example.com"
    )
    assert desk.outcome == "held"
    assert desk.held("France") == []
    nowhere(desk)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (f"SIGNON ?spring42 {SECRET}\nSET PREFERENCE E[FGR]", "A game is joined with “JOIN spring42”"),
        (f"SIGNON Fspring42 {SECRET}\nA Par - Bur", "send orders and press in answer to a mail of the game"),
        (f"OBSERVE spring42 {SECRET}", "For “OBSERVE spring42 …” it is enough to write “OBSERVE spring42”."),
        ("LIST FULL", "For “LIST FULL” it is enough to write “LIST”."),
        (f"CREATE ?new {SECRET}", "Games are not made with CREATE here"),
    ],
)
def test_at_the_judges_own_address(desk: Any, body: str, told: str) -> None:
    sent = desk.post(body, power="Newcomer", to="judge@judge.example.org")
    assert told in " ".join(map(words, sent))
    nowhere(desk)
