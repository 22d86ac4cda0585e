"""A relay that takes nothing of ours is no fault of the players: which refusals count against whom they were written to."""

from __future__ import annotations

import pytest

from judge.server.blame import recipients_status

OURS = {
    "Postfix does not relay": "554 5.7.1 <france@example.org>: Relay access denied",
    "Postfix does not relay, another wording": "554 5.7.1 <a@b.example>: Recipient address rejected: Relay access denied",
    "Postfix does not know us": "554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied",
    "Postfix, our name": "504 5.5.2 <judge>: Helo command rejected: need fully-qualified hostname",
    "Postfix, our domain": "450 4.1.8 <judge@judge.example.org>: Sender address rejected: Domain not found",
    "Postfix, our address": "553 5.7.1 <judge@example.org>: Sender address rejected: not owned by user judge",
    "Postfix, a broken table": "451 4.3.0 <a@example.org>: Temporary lookup failure",
    "Postfix, no disk": "452 4.3.1 Insufficient system storage",
    "Postfix, a password": "530 5.7.0 Authentication required",
    "Exim does not relay": "550 relay not permitted",
    "Exim, a password": "550 authentication required",
    "sendmail does not relay": "550 5.7.1 <a@example.org>... Relaying denied. Proper authentication required.",
    "qmail does not relay": "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    "Exchange does not relay": "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
    "Exchange, no right": "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "Exchange, a password": "530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM",
    "STARTTLS first": "530 5.7.0 Must issue a STARTTLS command first",
    "a list": "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
    "a list that names the user": "550 5.7.1 Your IP 192.0.2.1 is on our blacklist; user rejected",
    "so many a day": "550 5.4.5 Daily user sending limit exceeded",
    "so many an hour": "450 4.7.1 Error: too many mails from 192.0.2.1",
    "SPF": "550 5.7.23 The message was rejected because of SPF validation",
    "content": "554 5.7.1 Message rejected as spam",
    "policy, no word of the recipient": "554 5.7.1 Rejected by policy",
    "no words": "554 5.7.1 no",
    "too large": "552 5.3.4 Message size exceeds fixed limit",
    "out of turn": "503 5.5.1 Error: need MAIL command",
}
THEIRS = {
    "no such user": "550 5.1.1 <a@example.org>: Recipient address rejected: User unknown in relay recipient table",
    "no such user, whose address has a word of ours": "550 5.0.0 <spam.relay@example.org>: nobody here",
    "no such user, Gmail": "550-5.1.1 The email account that you tried to reach does not exist.",
    "no such user, no code": "550 no such user here",
    "unrouteable": "550 Unrouteable address",
    "no such domain": "450 4.1.2 <a@nowhere.example>: Recipient address rejected: Domain not found",
    "full": "452 4.2.2 The recipient's inbox is out of storage space",
    "switched off": "550 5.2.1 mailbox disabled",
    "no route": "550 5.4.4 Host or domain name not found",
    "no answer there": "451 4.4.1 Connection timed out",
    "policy of the recipient": "554 5.7.1 <a@example.org>: Recipient address rejected: Access denied",
    "grey list": "450 4.7.1 <a@example.org>: Recipient address rejected: Greylisted",
    "an odd code": "550 5.5.0 Requested action not taken: mailbox unavailable",
    "no words": "550",
}


@pytest.mark.parametrize("case", OURS)
def test_a_refusal_that_is_about_the_relay_or_about_us(case: str) -> None:
    assert recipients_status(int(OURS[case][:3]), OURS[case][4:]) == ""


@pytest.mark.parametrize("case", THEIRS)
def test_a_refusal_for_its_recipients_sake(case: str) -> None:
    assert recipients_status(int(THEIRS[case][:3]), THEIRS[case][4:])[:1] == THEIRS[case][0]
