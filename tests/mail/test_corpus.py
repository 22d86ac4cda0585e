"""Mail as it really comes in: 45 messages in the shapes of 30 programs and of machines that answer, and 701 more.

``data/handed`` came with its sidecars; ``data/more`` was written in the shapes of other programs, languages and machines.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.mail.kinds import settle
from judge.mail.reading import Incoming, read

DATA = Path(__file__).parent / "data"
CASES: dict[str, dict[str, Any]] = {
    f"{folder}/{name}": case
    for folder in ("handed", "more")
    for name, case in json.loads((DATA / f"{folder}.json").read_text(encoding="utf-8")).items()
}
#: what each expected kind may be called here; whatever a machine sent must only not be read
KINDS = {
    "orders": {"text"},
    "press": {"text"},
    "command": {"text"},
    "empty": {"text"},
    "auto-reply": {"auto-reply", "ignored", "text"},
    "bounce": {"bounce"},
    "spam/ignore": {"ignored", "auto-reply"},
    "malformed": {"malformed"},
}


def incoming(name: str, *, with_sent: bool = True) -> Incoming:
    sent = [(DATA / "sent" / f"{CASES[name]['power']}.txt").read_text(encoding="utf-8")] if with_sent else []
    raw = (DATA / f"{name}.eml").read_bytes()
    return read(raw, sent=sent, own_addresses=["spring42@judge.example.org"], domain="judge.example.org")


def folded(text: str) -> list[str]:
    lines = (re.sub(r"\s+", " ", line.replace("\u00a0", " ").replace("\u3000", " ")).strip() for line in text.splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize("name", CASES)
def test_kind(name: str) -> None:
    expect = CASES[name]["expect"]
    found = incoming(name)
    assert found.kind in KINDS[expect["kind"]]
    if expect["kind"] == "auto-reply" and found.kind == "text":
        # told by wording alone: automatic, once it is sure that nothing in it is an order (test_read_command)
        kind = settle(found.kind, automatic=found.automatic, orders=False, commands=False, own_text=True)
        assert kind == "auto-reply"


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c["expect"]["kind"] in ("orders", "press")])
def test_own_words(name: str) -> None:
    expect = CASES[name]["expect"]
    wanted = [folded(text) for text in (expect["player_text"], *expect.get("player_text_alt", []))]
    assert folded(incoming(name).player_text) in wanted


#: these quote our mail with no mark at all: without the texts of sent mails nobody could tell
NEED_SENT = ("wrapped-quote", "no-head-quote", "quote-above-unmarked", "unmarked-bottom", "typed-into-quote")


@pytest.mark.parametrize(
    "name", [n for n, c in CASES.items() if c["expect"]["kind"] in ("orders", "press") and not n.endswith(NEED_SENT)]
)
def test_own_words_without_knowing_what_was_sent(name: str) -> None:
    expect = CASES[name]["expect"]
    wanted = [folded(text) for text in (expect["player_text"], *expect.get("player_text_alt", []))]
    assert folded(incoming(name, with_sent=False).player_text) in wanted


def test_bounces_name_the_address_that_failed() -> None:
    postfix, qmail = incoming("handed/34-dsn-rfc3464-postfix"), incoming("handed/35-bounce-qmail")
    assert [(b.address, b.permanent) for b in postfix.bounced] == [("livia.c@example.com", True)]
    assert [(b.address, b.permanent) for b in qmail.bounced] == [("kenzo.m@example.net", True)]
    (delay,) = (incoming(n) for n in CASES if n.endswith("auto-bounce-delay"))
    assert [(b.address, b.permanent) for b in delay.bounced] == [("edwin.harlow@example.com", False)]


def test_a_complaint_names_who_complained() -> None:
    assert incoming("handed/36-arf-feedback").complaint == "daria.o@example.org"


def test_identity_is_the_sender_never_reply_to() -> None:
    found = incoming("handed/38-orders-in-subject-empty-body")
    assert found.sender == "daria.o@example.org"
    assert found.orders_in == "subject"


def test_other_games_and_press_are_set_apart() -> None:
    found = incoming("handed/39-two-games-and-press")
    assert dict(found.other_games).keys() == {"autumn7"}
    assert [(p.to, p.text) for p in found.press] == [("ENGLAND", "Shall we leave the Channel empty?")]
    assert not any("Tyr" in line or "Channel" in line for line in found.own_lines)


def test_a_line_only_one_form_has_is_asked_about() -> None:
    (name,) = (n for n in CASES if n.endswith("two-forms-differ"))
    found = incoming(name)
    assert ("A Bud - Rum", "differs") in found.doubtful
    assert not any("Bud" in line for line in found.own_lines)


def test_every_drop_has_a_reason_in_words() -> None:
    from judge.mail.verdicts import REASONS

    assert {v.why for name in CASES for v in incoming(name).verdicts} <= REASONS.keys()
