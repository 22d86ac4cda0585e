"""Commitments: each receipt bears the hash of what is on file; who has the nonce, which comes when the phase is over, finds
it again with a shell's own tools, and nobody else can."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import commitments
from judge.store import commitments as committed
from judge.store import games

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
_SHOWN = re.compile(r"Commitment ((?:[0-9a-f]{4} ?){8})")
#: text of 2026-12 -> its hash: the exact bytes may never change, or nobody could check an old receipt
KNOWN = (
    "judge commitment 1\ngame spring42\nphase S1901M\nattempt 1\npower France\nreceipt 1\n"
    "nonce 1ec4416c37f1f2e6c0e80cbc9dd5e7c2\nA MAR S A PAR-BUR\nA PAR-BUR\nF BRE-MAO\n"
)


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode().replace("\r\n", "\n")  # type: ignore[union-attr]
    raise AssertionError("no text part")


def shown(receipt: Message | None) -> str:
    """The digits that a receipt shows."""
    (found,) = _SHOWN.findall(" ".join(text_of(receipt).split()))
    return str(found).replace(" ", "")


def results(desk: Desk, power: str) -> str:
    desk.pass_time(hours=25)
    return next(text_of(m) for m in desk.receive() if m["To"].startswith(power.lower()))


def blocks(answer: str) -> list[str]:
    """What an answer to COMMITMENTS quotes, as it stands in the mail."""
    found = re.findall(r"(?:^> .*\n)+", answer, re.MULTILINE)
    return [block for block in found if "judge commitment 1" in block]


def test_a_player_checks_a_receipt_with_sha256sum(desk: Desk, tmp_path: Path) -> None:
    first = shown(desk.mail("France", "A PAR-BUR\nF BRE-MAO"))
    second = shown(desk.mail("France", "A MAR S A PAR-BUR"))
    assert first != second
    desk.mail("Austria", "A VIE-GAL")
    assert "Austria" in (result := results(desk, "France")) and first not in result.replace(" ", "")
    assert second in result.replace(" ", "")
    answer = text_of(desk.mail("France", "COMMITMENTS S1901M"))
    command = next(line.removeprefix("> ") for line in answer.split("\n") if "sha256sum" in line)
    for block, digits in zip(blocks(answer), (first, second), strict=True):
        (tmp_path / "FILE").write_text(block)
        out = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        assert out.startswith(digits)
    assert blocks(answer)[1].endswith("> A MAR S A PAR-BUR\n> A PAR-BUR\n> F BRE-MAO\n")


def test_the_exact_bytes_stay(desk: Desk) -> None:
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "spring42").id)
    texts = ("A MAR S A PAR-BUR", "A PAR-BUR", "F BRE-MAO")
    made = commitments.text(desk.judge, "spring42", phase, "France", 1, texts)
    assert (
        made.replace(commitments.nonce(desk.judge, "spring42", phase, "France", 1), "1ec4416c37f1f2e6c0e80cbc9dd5e7c2")
        == KNOWN
    )
    assert commitments.digest(KNOWN) == hashlib.sha256(KNOWN.encode()).hexdigest()


def test_a_nonce_depends_on_the_secret_and_on_every_fact(desk: Desk) -> None:
    facts = ["spring42", "S1901M", "1", "France", "1"]
    known = {Keys(b"k" * 32).nonce(*facts), Keys(b"l" * 32).nonce(*facts)}
    known |= {Keys(b"k" * 32).nonce(*facts[:n], "2", *facts[n + 1 :]) for n in range(5)}
    assert len(known) == 7 and all(re.fullmatch("[0-9a-f]{32}", nonce) for nonce in known)


@pytest.mark.parametrize("asks", ["", "COMMITMENTS\n", "COMMITMENTS S1901M\n", "PROOF\nSTATUS\n"])
def test_before_the_results_no_mail_holds_a_nonce_nor_the_commitments_of_others(desk: Desk, asks: str) -> None:
    desk.mail("Austria", "A VIE-GAL")
    desk.mail("France", "A PAR-BUR")
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "spring42").id)
    austria, france = committed.of_phase(desk.judge.store, phase.id)
    secret = commitments.nonce(desk.judge, "spring42", phase, "France", 1)
    said = text_of(desk.mail("France", f"F BRE-MAO\n{asks}")).replace(" ", "").replace("\n", "")
    assert secret not in said and austria.hash[:32] not in said
    assert (france.hash[:32] in said) is bool(asks)
    kept = str(desk.judge.store.rows("SELECT args, body FROM outbox")) + str(
        desk.judge.store.rows("SELECT * FROM commitments")
    )
    assert secret not in kept.replace(" ", "")


def test_of_a_phase_that_is_over_all_are_told_and_only_ones_own_are_opened(desk: Desk) -> None:
    desk.mail("Austria", "A VIE-GAL")
    desk.mail("France", "A PAR-BUR")
    desk.pass_time(hours=25)
    desk.receive()
    answer = text_of(desk.mail("Austria", "PROOF Spring 1901"))
    phase = games.phases(desk.judge.store, games.get(desk.judge.store, "spring42").id)[0]
    for one in committed.of_phase(desk.judge.store, phase.id):
        assert one.hash[:32] in answer.replace(" ", "")
    assert len(blocks(answer)) == 1 and "> power Austria" in blocks(answer)[0]
    assert commitments.nonce(desk.judge, "spring42", phase, "France", 1) not in answer
    again = text_of(desk.mail("Austria", "PROOF Spring 1901", subject="once more"))
    assert blocks(again) == blocks(answer)


def test_nothing_on_file_has_a_commitment_too(desk: Desk) -> None:
    desk.mail("France", "A PAR-BUR")
    assert shown(desk.mail("France", "CLEAR"))
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "spring42").id)
    assert [one.orders for one in committed.of_phase(desk.judge.store, phase.id)] == [("A PAR-BUR",), ()]


@pytest.mark.parametrize("named", ["F1910M", "S1902"])
def test_a_phase_that_there_is_not_is_refused(desk: Desk, named: str) -> None:
    desk.pass_time(hours=25)
    assert "No such phase" in text_of(desk.mail("France", f"COMMITMENTS {named}"))


def test_sealed_receipts_bear_one_and_give_nothing_away(under: Callable[..., Desk]) -> None:
    desk = under("orders.secrecy=sealed")
    desk.now += timedelta(minutes=5)
    receipt = text_of(desk.mail("France", "A MAR H"))
    assert _SHOWN.search(" ".join(receipt.split())) and "Marseilles: an order is on file" in receipt
    assert "nonce" not in receipt
