"""The door's dialogues: a command, the reply to it, and what was kept; out of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass
class Case:
    """One dialogue."""

    id: str
    protocol: str
    kept: int
    steps: list[tuple[str, str]] = field(default_factory=list)


def read_cases() -> Iterator[Case]:
    """The cases of the table."""
    case: Case | None = None
    for line in (Path(__file__).parent / "data" / "dialogues.txt").read_text(encoding="utf-8").splitlines():
        if head := re.match(r"== (.*) \((smtp|lmtp)\) kept=(\d+)$", line):
            if case:
                yield case
            case = Case(head[1], head[2], int(head[3]))
        elif case and (step := re.match(r"(C\||C|S!|S) ?(.*)$", line)):
            case.steps.append((step[1], step[2]))
        else:
            assert not line or line.startswith("#"), line
    if case:
        yield case


def to_bytes(text: str) -> bytes:
    """Python's escapes, and ``{text*N}`` for a text N times."""
    repeated = re.sub(r"\{(.*?)\*(\d+)\}", lambda m: m[1] * int(m[2]), text)
    return repeated.encode("latin-1").decode("unicode_escape").encode("latin-1")


@pytest.mark.parametrize("case", list(read_cases()), ids=lambda case: case.id)
async def test_dialogue(open_door, case):
    async with open_door(limits={"recipients": 3}) as it, it.client(case.protocol) as client:
        for kind, text in case.steps:
            if kind == "C":
                await client.send(to_bytes(text) + b"\r\n")
            elif kind == "C|":
                await client.send(to_bytes(text))
            elif kind == "S!":
                assert await client.reply() == ""
            else:
                reply = await client.reply()
                assert reply.startswith(to_bytes(text).decode()), f"{reply!r} instead of {text!r}"
                assert "secret" not in reply
        assert len(it.keeper.mails) == case.kept
