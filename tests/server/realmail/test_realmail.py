"""A game through Debian's own Postfix and Dovecot, set up as deploy/ says: SMTP, LMTP to the judge, SMTP, LMTP, IMAP."""

from __future__ import annotations

import json
import re
import time

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.needs("postfix", "dovecot")]


def test_a_phase_through_postfix_and_dovecot(mail_system):
    """Every player's start mail, orders by mail with a receipt, and the result, each read by IMAP."""
    it = mail_system
    it.init()
    it.start_judge()
    seats = [word for power in it.powers for word in ("--seat", f"{power}={power}@players.example.org")]
    it.judge("game", "new", "spring42", "--schedule", "every 24 h", *seats, "--start")
    starts = {power: it.mail(power, 1) for power in it.powers}
    assert len({mail["Reply-To"] for mail in starts.values()}) == 7

    reply = it.answer(starts["france"], "france", "A PAR-BUR\nF BRE-MAO")
    it.send(reply)
    receipt = it.mail("france", 2)
    assert receipt["In-Reply-To"] == reply["Message-ID"]
    assert receipt["Auto-Submitted"] == "auto-replied"

    it.judge("game", "process", "spring42")
    results = {power: it.mail(power, 3 if power == "france" else 2) for power in it.powers}
    assert "Burgundy" in results["italy"].get_body(("plain",)).get_content()
    assert {mail["Auto-Submitted"] for mail in results.values()} == {"auto-generated"}
    assert len({mail["Message-ID"] for mail in results.values()}) == 7


def test_an_address_that_nobody_has_is_refused_at_rcpt_and_a_judge_that_is_down_loses_nothing(mail_system):
    it = mail_system
    it.init()
    it.start_judge()
    it.judge("game", "new", "spring42", "--seat", "France=france@players.example.org", "--start")
    start = it.mail("france", 1)
    seat = re.search(r"[^\s<]+@[^\s>]+", start["Reply-To"])[0]
    wrong = re.sub(r"\+.", "+z" if "+a" in seat else "+a", seat)
    assert it.rcpt(wrong)[0] == 550
    assert it.rcpt("nogame@judge.example.org")[0] == 550
    assert it.rcpt(seat)[0] == 250
    it.stop_judge()
    # Postfix remembers that the address is good, takes the mail, and hands it over when the judge is back
    it.send(it.answer(start, "france", "A PAR-BUR"))
    assert it.rcpt("othergame@judge.example.org")[0] == 450, "not known whether it is good: try later"
    it.start_judge()
    it.run("postqueue", "-c", str(it.etc), "-f")
    assert it.mail("france", 2)["In-Reply-To"]


@pytest.mark.needs("sievec")
@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("I am out of the office until Monday.", False),
        ("I am out of the office until Monday.", True),
        ("Hello, this is the desk of France. Your note lies here.", True),
    ],
    ids=["as it should be", "that answers everything", "that answers everything in words that nobody knows"],
)
def test_a_vacation_program_and_the_judge_stop(mail_system, text, broken):
    """Every mail that reaches France is answered by a real vacation program; the judge's mails to it are counted."""
    it = mail_system
    it.vacation("france", text, broken=broken)
    it.init()
    it.start_judge()
    seats = [word for power in it.powers[:3] for word in ("--seat", f"{power}={power}@players.example.org")]
    it.judge("game", "new", "spring42", "--schedule", "every 24 h", *seats, "--start")
    start = it.mail("france", 1)
    it.judge("game", "process", "spring42")
    it.mail("france", 2)
    # the program answers the envelope's sender; its text is sent to the signed reply address too, as broken ones do
    note = it.answer(start, "france", text)
    it.send(note)
    expected = 3 if broken and "desk" in text else 2
    if expected == 3:
        it.mail("france", 3)
    if broken:
        it.until("answers of the program", lambda: it.sent_to("spring42+b-") >= expected)
    # the last thing that happens is a mail of ours to somebody else, so that what could still come has come
    it.judge("game", "process", "spring42")
    it.mail("austria", 3)
    it.mail("france", expected + 1)
    it.until("an empty queue", lambda: "is empty" in it.run("postqueue", "-c", str(it.etc), "-p"))
    time.sleep(1)
    assert len(it.mails("france")) == expected + 1, "start, two results, and at most one answer"
    assert it.sent_to("spring42+b-") == (expected + 1 if broken else 0)
    seen = json.loads(it.judge("game", "show", "spring42", "--json"))
    france = next(seat for seat in seen["seats"] if seat["power"] == "France")
    assert (france["orders"], france["unreachable"]) == ([], None)
