"""Logs: one JSON object a line an event, with the ids that follow a mail; never an address, a token or a text of a mail."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

log = logging.getLogger("judge.server")

#: Libraries that log what people send (commands with addresses and tokens, even lines of mails).
TALKATIVE = ("mail.log", "mail.debug", "aiosmtplib")

_PACKAGE = Path(__file__).parents[1]


def event(name: str, /, *, level: int = logging.INFO, **facts: int | float | str | bool | None) -> None:
    """Log an event with facts: ids, counts, codes. No text of a stranger belongs into ``facts``."""
    log.log(level, name, extra={"facts": facts})


def failure(name: str, error: BaseException, /, **facts: int | float | str | bool | None) -> None:
    """Log an exception by its class and the places it came through.

    Its text is left out: it may quote what somebody wrote (``ValueError: 'A PAR-BUR'``).
    """
    event(name, level=logging.ERROR, error=type(error).__name__, places=places(error), **facts)


def places(error: BaseException) -> str:
    """The lines of code an exception came through, innermost last: ``play/intake.py:88 store/db.py:70``."""
    frames = traceback.extract_tb(error.__traceback__)
    return " ".join(f"{_short(frame.filename)}:{frame.lineno}" for frame in frames[-8:])


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(_PACKAGE)) if path.is_relative_to(_PACKAGE) else path.name


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object. Of a record that is not one of our events, the text is left out."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for ``record``."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        facts = getattr(record, "facts", None)
        if isinstance(facts, Mapping):
            line |= {"event": record.msg, **facts}
        else:
            line |= {"event": "library", "logger": record.name, "place": f"{record.module}:{record.lineno}"}
            if record.exc_info and record.exc_info[1]:
                line |= {"error": type(record.exc_info[1]).__name__, "places": places(record.exc_info[1])}
        return json.dumps(line, ensure_ascii=False, default=str)


def silence_libraries() -> None:
    """Stop the mail libraries from logging at all: what they would say, our own events say without the addresses."""
    for name in TALKATIVE:
        library = logging.getLogger(name)
        library.setLevel(logging.CRITICAL + 1)
        library.propagate = False


def to_stream(stream: TextIO, level: int = logging.INFO) -> logging.Handler:
    """Send all logs as JSON lines to ``stream``; returns the handler, so that it can be taken away again."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    log.setLevel(level)
    silence_libraries()
    return handler
