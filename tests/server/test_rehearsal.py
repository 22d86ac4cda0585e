"""A rehearsal: scripted steps against the real service, its relay and senders on loopback, under a clock moved by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge import settings
from judge.server.rehearsal import HOST, MoveTo, Reply, Script, Send, Settle, rehearse
from judge.settings import HostPort, Settings

START = datetime(2026, 3, 2, 20, tzinfo=UTC)
HELP = b"From: anna@example.org\r\nTo: judge@judge.example\r\nSubject: hello\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


class Post:
    """Puts the first ``refusals`` mails off, then takes them."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.asked: list[str] = []
        self.delivered: list[tuple[str, bytes]] = []

    def accept(self, recipient: str) -> str | None:
        self.asked.append(recipient)
        return "451 4.7.1 later" if len(self.asked) <= self.refusals else None

    def deliver(self, recipient: str, raw: bytes) -> None:
        self.delivered.append((recipient, raw))


Prepare = Callable[[int], tuple[Settings, bytes]]


@pytest.fixture
def prepare(tmp_path: Path) -> Prepare:
    def make(relay_port: int) -> tuple[Settings, bytes]:
        text = settings.example("judge.example", HostPort(HOST, 0), HostPort(HOST, relay_port))
        settings.write_home(tmp_path / "home", text, bytes(range(32)))
        chosen = settings.load(tmp_path / "home", {})
        return chosen, settings.load_key(chosen)

    return make


def _rehearse(post: Post, prepare: Prepare, script: Callable[[], Script[list[object]]]) -> list[object]:
    return rehearse(post, prepare, script, start=START, random=lambda: 0.5)


def test_a_sender_is_told_what_the_door_answered(prepare: Prepare) -> None:
    def script() -> Script[list[object]]:
        replies: list[object] = []
        for recipient in ("nobody@judge.example", "judge@judge.example", "judge@elsewhere.example"):
            reply = yield Send("anna@example.org", recipient, HELP)
            assert isinstance(reply, Reply)
            replies.append(reply.code)
        return replies

    assert _rehearse(Post(), prepare, script) == [550, 250, 550]


def test_a_mail_that_is_put_off_comes_when_the_clock_is_moved_and_only_once(prepare: Prepare) -> None:
    post = Post(refusals=1)

    def script() -> Script[list[object]]:
        yield Send("anna@example.org", "judge@judge.example", HELP)
        yield Send("anna@example.org", "judge@judge.example", HELP)
        yield Settle()
        seen: list[object] = [len(post.asked), len(post.delivered)]
        yield MoveTo(START + timedelta(seconds=10))
        seen.append(len(post.delivered))
        yield MoveTo(START + timedelta(minutes=1))
        seen.append(len(post.delivered))
        yield MoveTo(START + timedelta(days=9))
        return [*seen, len(post.delivered)]

    assert _rehearse(post, prepare, script) == [1, 0, 0, 1, 1]
    ((recipient, raw),) = post.delivered
    assert recipient == "anna@example.org"
    assert b"In-Reply-To: <1@example.org>" in raw


def test_what_goes_wrong_in_the_script_comes_out(prepare: Prepare) -> None:
    def script() -> Script[list[object]]:
        yield Settle()
        raise LookupError("no such mail")

    with pytest.raises(LookupError, match="no such mail"):
        _rehearse(Post(), prepare, script)
