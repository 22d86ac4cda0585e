"""Mails that came back: what is lost, what is only late, and what is no failure though a daemon is named above it."""

from __future__ import annotations

import pytest

from judge.mail.failures import says_late
from judge.mail.reading import Incoming, read


def reading(
    text: str, sender: str = "MAILER-DAEMON@mx.example.org", subject: str = "failure notice", more: str = ""
) -> Incoming:
    head = (
        f"From: {sender}\r\nTo: spring42+x@judge.example.org\r\nSubject: {subject}\r\n{more}Content-Type: text/plain\r\n\r\n"
    )
    raw = (head + text.replace("\n", "\r\n")).encode()
    return read(raw, sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")


LOST = {
    "qmail": "I'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've"
    " given up. Sorry it didn't work out.\n\n<france@example.org>:\nThe message was delayed for 5 days.\n",
    "a code": "Your message was delayed for 3 days.\n\n<france@example.org>: 5.1.1 unknown user\n",
    "gave up": "The message to france@example.org is still being retried no more: we gave up after a delay of 4 days.\n",
    "no more attempts": "Delayed mail for <france@example.org>. No further attempts will be made.\n",
    "not retried": "Delivery to <france@example.org> has been delayed. It will not be retried.\n",
    "Japanese": "遅延しておりましたが、再送は行いません。\n<france@example.org>\n",
}
LATE = {
    "Postfix": "THIS IS A WARNING ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.\n\n<france@example.org>: 4.4.1 timed out\n",
    "Exim": "A message that you sent has not yet been delivered to france@example.org. Delivery attempts will continue for"
    " some time. Eventually the mail delivery software will give up, and the message will be returned to you.\n",
    "sendmail": "Warning: could not send message for past 4 hours to <france@example.org>\nWill keep trying until message is"
    " 5 days old, before giving up.\n",
}


@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_what_is_given_up_is_not_late(text: str) -> None:
    found = reading(text)
    assert found.kind == "bounce" and found.bounced
    assert all(not one.late and one.status.startswith("5") for one in found.bounced)
    assert not says_late(text)


@pytest.mark.parametrize("text", LATE.values(), ids=LATE)
def test_what_is_still_tried_is_late(text: str) -> None:
    found = reading(text)
    assert found.kind == "bounce" and found.bounced
    assert all(one.late and not one.permanent for one in found.bounced)


@pytest.mark.parametrize("local", ["mailerdaemon", "mailer-daemon", "mail-daemon", "Mail.Daemon"])
def test_a_name_alone_makes_no_failure(local: str) -> None:
    found = reading("A Par - Bur\n", f"{local}@example.org", "orders")
    assert found.kind == "text" and found.own_lines == ("A Par - Bur",)
    # what is no order either is a machine's: nobody waits for an answer
    assert reading("hello\n", f"{local}@example.org", "hello").automatic


FAILURES = {
    "null path": ("hello", "hello", "Return-Path: <>\r\n"),
    "subject": ("hello", "Undelivered Mail Returned to Sender", ""),
    "words": ("Your message could not be delivered.", "hello", ""),
    "code": ("<france@example.org>: host mx said: 550 5.1.1 no such user", "hello", ""),
}


@pytest.mark.parametrize(("text", "subject", "more"), FAILURES.values(), ids=FAILURES)
def test_a_daemon_that_tells_of_a_failure(text: str, subject: str, more: str) -> None:
    assert reading(text, subject=subject, more=more).kind in ("bounce", "auto-reply")
    assert reading(text, subject=subject).kind == "bounce" or more
