"""Logs: a JSON object a line, no address, token or text of a mail in any of them."""

from __future__ import annotations

import io
import json
import logging

import pytest

from judge.server import logs


@pytest.fixture
def stream():
    """Where the logs go, as text; the logging module is left as it was."""
    root, mine = logging.getLogger(), logs.log
    before = root.level, mine.level
    text = io.StringIO()
    handler = logs.to_stream(text)
    yield text
    root.removeHandler(handler)
    root.setLevel(before[0])
    mine.setLevel(before[1])


def test_an_event_is_one_json_object(stream):
    logs.event("mail-kept", inbox=17, duplicate=False, kind="seat")
    line = json.loads(stream.getvalue())
    assert line.pop("at").endswith("+00:00")
    assert line == {"level": "info", "event": "mail-kept", "inbox": 17, "duplicate": False, "kind": "seat"}


def test_a_failure_is_told_by_class_and_place_alone(stream):
    def inner():
        raise ValueError("A PAR-BUR from camille@example.org abcdefghijklmnop")

    try:
        inner()
    except ValueError as error:
        logs.failure("loop-failed", error, loop="take_in")
    line = json.loads(stream.getvalue())
    assert (line["level"], line["error"], line["loop"]) == ("error", "ValueError", "take_in")
    assert "test_logs.py:" in line["places"]
    assert "PAR" not in stream.getvalue() and "camille" not in stream.getvalue()


def test_libraries_are_heard_without_their_words(stream):
    logging.getLogger("asyncio").error("Task exception: %s", "camille@example.org")
    logging.getLogger("mail.log").critical("MAIL FROM:<camille@example.org>")
    logging.getLogger("mail.log").debug("DATA readline: A PAR-BUR")
    try:
        raise KeyError("camille@example.org")
    except KeyError:
        logging.getLogger("any").exception("camille@example.org")
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["logger"]) == ("library", "asyncio")
    assert second["error"] == "KeyError"
    assert "camille" not in stream.getvalue()
