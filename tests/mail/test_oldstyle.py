"""Mail in the classic judge's style: what is read in the place of each old command, and what the receipt teaches of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.mail.commands import find_commands
from judge.mail.oldstyle import ROWS, without_passwords
from judge.mail.reading import Incoming, read

CASES = json.loads((Path(__file__).parent / "data" / "oldstyle.json").read_text(encoding="utf-8"))
ARRIVED = datetime(2026, 12, 1, 12, tzinfo=UTC)


def incoming(case: dict[str, Any], subject: str = "moves") -> Incoming:
    to = f"{case.get('to', 'spring42')}@judge.example.org"
    body = "\r\n".join(case["body"])
    raw = f"From: jo@example.org\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n{body}\r\n".encode()
    power = case.get("power", "France")
    return read(raw, sent=[], own_addresses=[to], domain="judge.example.org", power=power, arrived=ARRIVED)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_old_hands_mail(case: dict[str, Any]) -> None:
    got = incoming(case)
    commands, others = find_commands(got.own_lines, outside="to" in case)
    said = {
        "commands": [str(one) for one in [*got.blocks, *commands]],
        "others": [line for line in others if line.strip()],
        "press": [[one.to or ("*" if one.broadcast else ""), one.text] for one in got.press],
        "doubtful": [line for line, _ in got.doubtful],
        "inside": [list(one.lines) for one in got.blocks],
        "teaches": list(got.old),
        "elsewhere": list(got.other_games),
    }
    empty: dict[str, Any] = {"press": [], "doubtful": [], "inside": [], "elsewhere": []}
    assert said == {**empty, **{name: value for name, value in case.items() if name in said}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_no_password_is_left_in_what_is_used(case: dict[str, Any]) -> None:
    got = incoming(case, subject="SIGNON Fspring42 hunter2")
    used = [got.subject, *got.own_lines, *got.old, *(one.text for one in got.press), *(line for line, _ in got.doubtful)]
    used += [line for one in got.blocks for line in (one.line, *one.lines)]
    assert "hunter" not in "\n".join(used) + without_passwords(got.player_text)


def test_every_row_has_a_mail() -> None:
    taught = {code for case in CASES for code in case["teaches"]}
    assert {row.teaches for row in ROWS} <= taught
