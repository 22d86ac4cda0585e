"""Why each line of a mail was kept or dropped, and what became of it: ``judge read --explain``, for operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judge.mail.commands import Command
from judge.mail.reading import Incoming
from judge.mail.verdicts import REASONS
from judge.notation import Reading, write

#: why a whole mail is not read; what is not among them is the name of a header
_WHOLE = {
    "auto-submitted": "the header Auto-Submitted says that a machine sent it",
    "autoresponder": "a header says that a machine sent it",
    "bounce-wording": "it comes from a mail server and says that a mail was not delivered",
    "calendar": "it is a calendar's answer to an invitation",
    "complaint": "it is a report of abuse",
    "delivery-status": "it is a mail server's report on a delivery",
    "exchange-agent": "a header says that a rule of the mail server sent it",
    "forged-sender": "it names two senders",
    "internal": "the judge failed to read it; this is a fault of the judge",
    "no-headers": "it has no headers",
    "null-return-path": "its return path is empty, which only machines send",
    "precedence": "the header Precedence says that a machine sent it",
    "reaction": "it is a reaction (a thumb, a heart) to a mail",
    "read-receipt": "it is a mail program's receipt",
    "size": "it is larger than the judge takes in",
    "subject": "its subject is one that only machines write",
    "ticket": "it comes from a ticket system: all below its line is a copy of a mail of the judge",
    "too-deep": "its parts are nested too deep",
}
_BY_WORDS = "no order stands in it, and its words or its subject are those of a machine"
_BESIDE = {"subject": "stands in the subject, as the body holds no order", "attachment": "stands in an attached text file"}
#: characters of a line that the table shows
_WIDTH = 50


def explain(incoming: Incoming, kind: str, commands: Sequence[Command], readings: Iterable[Reading]) -> list[dict[str, Any]]:
    """A row for each line with something on it: ``line``, ``kept``, ``why``, and for a kept one ``then``: what became of it.

    Why a mail was not read at all is a row without a line.
    """
    rows: list[dict[str, Any]] = []
    if incoming.kind != "text":
        why = _WHOLE.get(incoming.why, f"the header {incoming.why} says that a machine sent it")
        rows.append({"line": "", "kept": False, "why": f"the whole mail: {why}"})
    elif kind == "auto-reply":
        rows.append({"line": "", "kept": False, "why": f"the whole mail: {_BY_WORDS}"})
    became = _became(incoming, commands, readings)
    shown = set()
    for verdict in incoming.verdicts:
        text = verdict.text.strip()
        if text:
            shown.add(text)
            row = {"line": verdict.text, "kept": verdict.kept, "why": REASONS.get(verdict.why, verdict.why)}
            rows.append({**row, "then": became[text]} if verdict.kept and text in became else row)
    rows += [
        {"line": line, "kept": False, "why": "stands in only one form of the mail (text or HTML)"}
        for line, why in incoming.doubtful
        if why == "differs" and line.strip() not in shown
    ]
    if incoming.orders_in in _BESIDE:
        rows += [
            {"line": line, "kept": True, "why": _BESIDE[incoming.orders_in], "then": became[line.strip()]}
            for line in incoming.own_lines
            if line.strip() in became and line.strip() not in shown
        ]
    return rows


def _became(incoming: Incoming, commands: Sequence[Command], readings: Iterable[Reading]) -> dict[str, str]:
    """Line -> what was made of it."""
    found: dict[str, str] = {}
    for press in incoming.press:
        found.update({line.strip(): f"press to {press.to}" for line in press.text.splitlines()})
    for game, lines in incoming.other_games:
        found.update({line.strip(): f"for the game {game}" for line in lines})
    for reading in readings:
        found[reading.line.strip()] = _of_reading(reading)
    found.update({command.line.strip(): f"command {command}" for command in commands})
    return found


def _of_reading(reading: Reading) -> str:
    good = ", ".join(write(order) for order in reading.legal)
    if reading.kind == "order":
        return f"order {good}"
    if reading.kind == "not-an-order" and not reading.mentions:
        return "no order"
    return "; ".join(filter(None, [good and f"order {good}", "told or asked about in the receipt"]))


def table(rows: Iterable[dict[str, Any]]) -> str:
    """The rows for a person's eyes: ``+`` kept, ``-`` dropped."""
    return "\n".join(
        f"{'+' if row['kept'] else '-'} {_cut(row['line']):{_WIDTH}}  {row['why']}"
        + (f" => {row['then']}" if "then" in row else "")
        for row in rows
    )


def _cut(line: str) -> str:
    text = "".join(c if c.isprintable() else " " for c in line.strip())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
