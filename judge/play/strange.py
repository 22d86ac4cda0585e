"""Lines that were meant as commands and are none, told in the answer to their mail with what may have been meant."""

from __future__ import annotations

from collections.abc import Sequence

from judge.mail.commands import misused, parse
from judge.mail.nearest import nearest
from judge.render.commonfacts import Answer
from judge.render.verbwords import forms

#: so many lines of a mail are told
_MOST = 5


def told(lines: Sequence[str], *, outside: bool = False) -> list[Answer]:
    """An answer a line. ``outside``: in a mail to the judge itself, where more follows some verbs."""
    found: list[Answer] = []
    for line in dict.fromkeys(line.strip() for line in lines):
        if len(found) == _MOST:
            break
        known = None if parse(line, outside=outside) else misused(line)
        verbs = (known,) if known is not None else nearest(line)
        if verbs:
            found.append(Answer("strange", {"line": line[:200], "forms": forms(verb.name for verb in verbs)}))
    return found


def without_words(answer: Answer) -> Answer:
    """The same without the line, for an address that nothing was proved of."""
    return Answer("strange", {**answer.args, "line": None})
