"""Mail to a game's open address: what proves whose it is, and what nobody gets by with. What is not proved is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import door, upkeep
from judge.store import games, inbox

Desk = Any
GAME = "spring42@judge.example.org"
RELAY = "mx.judge.example.org"
PROVED = f"{RELAY}; dkim=pass header.d=example.org; spf=none; dmarc=none"


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def only(mails: list[Message]) -> Message:
    (mail,) = mails
    return mail


@pytest.fixture
def behind(desk: Desk) -> Desk:
    """The judge trusts the relay in front of it."""
    desk.judge = replace(desk.judge, trust_authserv=RELAY)
    return desk


def test_a_proved_mail_to_the_game_is_the_seats(behind: Desk) -> None:
    receipt = only(behind.post("A Par - Bur", to=GAME, results=PROVED))
    assert behind.outcome == "orders" and behind.held("France") == ["A PAR-BUR"]
    assert receipt["To"] == "france@example.org" and behind.reply_to("France") in receipt["Reply-To"]
    mail = inbox.load(behind.judge.store, behind.kept)
    assert (mail.recipient.kind, mail.recipient.power) == ("seat", "France")
    behind.now += timedelta(days=400)
    upkeep.purge(behind.judge, behind.now)
    assert inbox.load(behind.judge.store, behind.kept).outcome == "orders"


def test_a_proved_mail_after_the_deadline_is_late(behind: Desk) -> None:
    behind.now += timedelta(hours=24)
    receipt = only(behind.post("A Par - Bur", to=GAME, results=PROVED))
    assert behind.outcome == "late" and "the deadline was Wed 2 Dec, 12:00 UTC" in text_of(receipt)


UNPROVED = {
    "nothing": ("", {}),
    "another server's results": ("mx.evil.example; dkim=pass header.d=example.org", {}),
    "a signature of another domain": (f"{RELAY}; dkim=pass header.d=evil.example", {}),
    "a signature from below the domain": (f"{RELAY}; dkim=pass header.d=mail.example.org", {}),
    "a signature of the top level": (f"{RELAY}; dkim=pass header.d=org", {}),
    "a signature that fails": (f"{RELAY}; dkim=fail header.d=example.org", {}),
    "an envelope of another domain": (f"{RELAY}; spf=pass smtp.mailfrom=france@evil.example", {}),
    "DMARC for another domain": (f"{RELAY}; dmarc=pass header.from=evil.example", {}),
    "the good results lower down": ("mx.evil.example; none", {"Authentication-Results": PROVED}),
    "two senders": (PROVED, {"From": "france@example.org, mallory@example.org"}),
    "a sender in a name": (PROVED, {"From": '"france@example.org" <mallory@example.org>'}),
    "an encoded comma": (PROVED, {"From": "=?utf-8?q?france=40example.org=2C?= <mallory@example.org>"}),
    "a tagged address": (PROVED, {"From": "france+x@example.org"}),
}


@pytest.mark.parametrize(("results", "headers"), UNPROVED.values(), ids=UNPROVED)
def test_nothing_else_to_the_game_counts(behind: Desk, results: str, headers: dict[str, str]) -> None:
    mails = behind.post("A Par - Bur", to=GAME, results=results, headers=headers)
    assert behind.held("France") == []
    assert behind.outcome in ("held", "unconfirmed", "ignored")
    # whoever is named in From is told; nobody else learns anything of the game
    assert {m["To"] for m in mails} <= {"france@example.org", "mallory@example.org"}
    assert all("BUR" not in text_of(m) for m in mails if m["To"] != "france@example.org")


def test_two_from_lines_prove_nobody(behind: Desk) -> None:
    raw, to, sender = behind.write("France", "A Par - Bur", to=GAME)
    for second in (b"From: mallory@example.org\r\n", b"from : mallory@example.org\r\n"):
        for both in (second + raw, raw.replace(b"To:", second + b"To:", 1)):
            mail = b"Authentication-Results: " + PROVED.encode() + b"\r\n" + both
            behind.hand_in(mail.replace(b"<1.", b"<%d." % hash(mail)), to, sender)
            assert behind.outcome == "held"
    assert behind.held("France") == []


def test_results_count_only_if_the_relay_brought_them(behind: Desk) -> None:
    behind.judge = replace(behind.judge, relays=("192.0.2.1",))
    behind.post("A Par - Bur", to=GAME, results=PROVED)
    assert behind.outcome == "held"


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n\t"], ids=["bare CR", "bare LF", "folded"])
def test_no_line_end_smuggles_a_header_in(behind: Desk, end: bytes) -> None:
    raw, to, sender = behind.write("Mallory", "A Par - Bur", to=GAME, sender="mallory@evil.example")
    raw = raw.replace(b"Subject: orders", b"Subject: orders" + end + b"From: france@example.org", 1)
    kept = behind.deliver(b"Authentication-Results: " + PROVED.encode() + b"\r\n" + raw, to, sender)
    behind.work()
    assert inbox.load(behind.judge.store, kept.id).outcome in ("held", "unconfirmed")
    assert behind.held("France") == []


def test_two_seats_of_one_player_are_both_asked(behind: Desk) -> None:
    game = games.get(behind.judge.store, "spring42")
    with behind.judge.store.transaction():
        games.set_player(behind.judge.store, game.id, "Italy", "france@example.org")
    questions = behind.post("A Par - Bur", to=GAME, results=PROVED)
    assert behind.outcome == "held" and len(questions) == 2
    first = next(m for m in questions if behind.reply_to("France") in m["Reply-To"])
    other = next(m for m in questions if behind.reply_to("Italy") in m["Reply-To"])
    behind.post("YES", answering=first)
    assert behind.held("France") == ["A PAR-BUR"]
    (answer,) = behind.post("YES", power="Italy", answering=other, sender="france@example.org")
    assert "had been dropped before" in text_of(answer) and behind.held("Italy") == []


def test_a_copy_to_the_open_address_is_not_asked_about(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur")
    for address in (to, GAME):
        desk.deliver(raw, address, sender)
    desk.work()
    assert [m["To"] for m in desk.receive()] == ["france@example.org"] and desk.held("France") == ["A PAR-BUR"]


def test_a_proved_mail_that_was_written_to_somebody_else_is_not_taken(behind: Desk) -> None:
    """Who got a signed mail of a player's could send it on."""
    behind.post("A Par - Bur", to=GAME, results=PROVED, headers={"To": "mallory@evil.example"})
    assert behind.outcome == "held"


def test_a_signature_seen_at_the_door_proves_the_sender(desk: Desk) -> None:
    recipient = door.recipient(desk.judge, GAME)
    assert recipient is not None
    for n, (signer, made) in enumerate((("example.org", "orders"), ("evil.example", "held"), ("org", "held"))):
        raw, _, sender = desk.write("France", f"A Par - {('Bur', 'Pic', 'Gas')[n]}", to=GAME)
        mail = door.prepare(
            raw, (), desk.judge.domain, envelope_from=sender, recipients=[recipient], peer="192.0.2.7", now=desk.now,
            signed_by=(signer,),
        )  # fmt: skip
        desk.kept = door.keep_prepared(desk.judge, mail)[0].id
        desk.work()
        assert inbox.load(desk.judge.store, desk.kept).outcome == made
    assert desk.held("France") == ["A PAR-BUR"]


def test_a_proved_mail_that_is_sent_again_does_nothing(behind: Desk) -> None:
    """Whoever got a copy of it has all that proves it, and could hand it in anew in a later turn."""
    raw, to, sender = behind.write("France", "A Mar - Spa", to=GAME)
    raw = b"Authentication-Results: " + PROVED.encode() + b"\r\n" + raw
    behind.deliver(raw, to, sender)
    behind.work()
    assert behind.held("France") == ["A MAR-SPA"]
    behind.pass_time(hours=24)
    behind.receive()
    for received in (b"", b"Received: by mx.evil.example\r\n"):
        kept = behind.deliver(received + raw, to, f"mallory{len(received)}@evil.example")
        behind.work()
        assert inbox.load(behind.judge.store, kept.id).outcome == "again"
    assert behind.held("France") == [] and behind.receive() == []


def test_a_mail_from_an_earlier_phase_is_not_taken_as_a_new_one(behind: Desk) -> None:
    """Its signature stays good for ever, whatever is written above what it covers."""
    raw, to, _ = behind.write("France", "A Mar - Spa", to=GAME)
    behind.pass_time(hours=24)
    behind.receive()
    results = b"Authentication-Results: " + PROVED.encode() + b"\r\n"
    for n, head in enumerate((b"", b"Message-ID: <other@evil.example>\r\nReferences: <x@evil.example>\r\n")):
        behind.hand_in(results + head + raw, to, f"mallory{n}@evil.example")
        assert behind.outcome == "held", head
    assert behind.held("France") == []


def test_a_mail_that_says_not_when_it_was_written_is_not_taken(behind: Desk) -> None:
    for n, date in enumerate(("nonsense", "", "Mon, 1 Jan 0001 00:00:00 +0000")):
        behind.post(f"A Par - {('Bur', 'Pic', 'Gas')[n]}", to=GAME, results=PROVED, headers={"Date": date})
        assert behind.outcome == "held"
    assert behind.held("France") == []


def test_a_mail_that_was_on_its_way_when_the_phase_was_run_is_late(behind: Desk) -> None:
    """It is told so: it came before the phase began, and nobody could mean the next one with it."""
    raw, to, sender = behind.write("France", "A Mar - Spa", to=GAME)
    kept = behind.deliver(b"Authentication-Results: " + PROVED.encode() + b"\r\n" + raw, to, sender)
    with behind.judge.store.transaction():
        behind.judge.store.run("UPDATE inbox SET state = 'handled' WHERE id = ?", kept.id)
    behind.pass_time(hours=24)
    with behind.judge.store.transaction():
        behind.judge.store.run("UPDATE inbox SET state = 'waiting' WHERE id = ?", kept.id)
    behind.work()
    assert inbox.load(behind.judge.store, kept.id).outcome == "late"


SIGNATURE = "v=1; a=rsa-sha256; d=example.org; s=s1; bh=x; b=y; h={}"
PARTLY = {
    "all of it": (SIGNATURE.format("from:to:subject:date:content-type:content-transfer-encoding"), "orders"),
    "not what the text is": (SIGNATURE.format("from:to:subject:date"), "held"),
    "not the subject": (SIGNATURE.format("from:to:date:content-type:content-transfer-encoding"), "held"),
    "not the recipient": (SIGNATURE.format("from:subject:date:content-type:content-transfer-encoding"), "held"),
    "not the date": (SIGNATURE.format("from:to:subject:content-type:content-transfer-encoding"), "held"),
    "the beginning of the text": (
        SIGNATURE.format("from:to:subject:date:content-type:content-transfer-encoding; l=10"),
        "held",
    ),
    "another domain's, not the subject": (SIGNATURE.format("from").replace("d=example.org", "d=list.example"), "orders"),
}


@pytest.mark.parametrize(("signature", "made"), PARTLY.values(), ids=PARTLY)
def test_a_good_signature_over_a_part_proves_nothing_of_the_rest(behind: Desk, signature: str, made: str) -> None:
    """Who has a signed mail of the player's could write another subject over it, or add lines, and the relay would say
    ``dkim=pass`` and ``dmarc=pass`` all the same."""
    results = f"{RELAY}; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"
    behind.post("A Par - Bur", to=GAME, results=results, headers={"DKIM-Signature": signature})
    assert behind.outcome == made
    results += "; spf=pass smtp.mailfrom=france@example.org"
    behind.post("A Par - Pic", to=GAME, results=results, headers={"DKIM-Signature": signature})
    assert behind.outcome == "orders", "its own server handed it in"


def test_a_mailbox_that_only_looks_alike_is_nobodys(behind: Desk) -> None:
    game = games.get(behind.judge.store, "spring42")
    with behind.judge.store.transaction():
        games.set_player(behind.judge.store, game.id, "France", "mark@strasse.example")
    results = f"{RELAY}; dmarc=pass header.from={{}}; dkim=pass header.d={{}}; spf=pass smtp.mailfrom=x@{{}}"
    for sender in (
        "mar\u212a@strasse.example",
        "mark@straße.example",
        "mark@xn--strae-oqa.example",
        "mark@str\u0430sse.example",
    ):
        proved = results.replace("{}", sender.partition("@")[2])
        behind.post("A Par - Bur", to=GAME, results=proved, headers={"From": sender}, envelope="x@evil.example")
        assert behind.held("France") == [], sender
        behind.post("A Par - Bur", to=behind.reply_to("France"), headers={"From": sender}, envelope="x@evil.example")
        assert behind.held("France") == [], sender
    behind.post(
        "A Par - Bur", to=GAME, results=results.replace("{}", "strasse.example"), headers={"From": "Mark@Strasse.Example"}
    )
    assert behind.held("France") == ["A PAR-BUR"]


def tagged(number: int) -> str:
    return f"victim+{number}@example.com"


def dotted(number: int) -> str:
    """Gmail takes no notice of dots."""
    return "".join(letter + "." * (number >> place & 1) for place, letter in enumerate("victimvic")) + "m@gmail.com"


def in_capitals(number: int) -> str:
    name = "".join(c.upper() if number >> place & 1 else c for place, c in enumerate("victimvic"))
    return f"{name}@example.com"


@pytest.mark.parametrize("spell", [tagged, dotted, in_capitals])
@pytest.mark.parametrize("to", [GAME, "judge@judge.example.org"])
def test_a_forged_sender_is_not_flooded_in_any_spelling(desk: Desk, to: str, spell: Callable[[int], str]) -> None:
    mails = []
    for number in range(1, 60):
        mails += desk.post(f"hello {number}", to=to, sender=spell(number))
        mails += desk.post("HELP orders", to=to, sender=spell(number))
    assert len(mails) <= 21
