"""Our own mails that come back whole, without a mark of quoting, hold no order: neither as text nor as HTML."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import mastermail
from judge.store import games, outbox

#: what France orders in each phase, so that results, builds and receipts are among the mails
ORDERS = {
    "S1901M": "A Par - Bur\nA Mar - Spa\nF Bre - MAO",
    "F1901M": "F MAO - Por\nA Bur - Bel\nA Spa H",
    "W1901A": "Build F Bre\nBuild A Par\nBuild A Mar",
    "S1902M": "A Par - Pic\nF Bre - Eng\nF Por - MAO",
}


def part(mail: Message, kind: str) -> bytes:
    return next(p for p in mail.walk() if p.get_content_type() == kind).get_payload(decode=True)  # type: ignore[return-value]


def come_back(desk: Any, mail: Message, kind: str, above: str, number: int) -> None:
    """France's program sends a whole mail of ours back below its own words."""
    head = (
        f"From: france@example.org\r\nTo: {desk.reply_to('France')}\r\nSubject: Re: {mail['Subject']}\r\n"
        f"Message-ID: <back{number}@example.org>\r\nIn-Reply-To: {mail['Message-ID']}\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: {kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    gap = "<br><br>" if kind == "text/html" else "\r\n\r\n"
    raw = head.encode() + (above + gap).encode() + part(mail, kind).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    desk.now += timedelta(minutes=1)
    desk.hand_in(raw, desk.reply_to("France"), "france@example.org")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
@pytest.mark.parametrize("above", ["", "Thanks, I have read it."], ids=["nothing above", "words above"])
def test_no_line_of_ours_is_an_order(desk: Any, kind: str, above: str) -> None:
    with desk.judge.store.transaction():
        mastermail.appoint(desk.judge, games.get(desk.judge.store, "spring42"), "ana@example.org", "operator", desk.now)
    desk.work()
    desk.receive()
    number = 0
    events: set[str] = set()
    for phase, orders in ORDERS.items():
        assert desk.show()["phase"] == phase
        desk.mail("France", orders.splitlines()[0])
        desk.mail("France", "CLEAR\nSTATUS\nHELP")
        desk.mail("Italy", "PRESS TO FRANCE\nI was built for peace.\nEND")
        desk.mail("France", "A Pars - Bur")
        ours = [mail for mail in desk.sent if mail["To"] == "france@example.org"]
        for mail in ours[-8:]:
            number += 1
            events.add(str(outbox.event_of(desk.judge.store, mail["Message-ID"])))
            come_back(desk, mail, kind, above, number)
            assert desk.held("France") == [], (mail["Subject"], desk.outcome)
        desk.mail("France", orders)
        assert len(desk.held("France")) == 3 or phase == "S1902M"
        desk.pass_time(hours=24)
        desk.receive()
    assert {"start", "receipt", "result"} <= events
