"""Answers to commands: stored code and arguments -> a section of a mail in the reader's words.

One module a matter, each with its ``WRITERS``. Whoever adds a command adds a code here, and its sentences to the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from judge.render.answers import (
    absent,
    agreed,
    directing,
    game,
    inviting,
    joining,
    kept,
    log,
    manual,
    mastering,
    motions,
    oldstyle,
    people,
    played,
    proving,
    recorded,
    refused,
    seats,
    standby,
    tables,
    why,
)
from judge.render.answers.pieces import Section, Writer
from judge.render.commonfacts import Common
from judge.render.words import Words

#: every answer there is, by its code
WRITERS: Mapping[str, Writer] = {
    **agreed.WRITERS,
    **motions.WRITERS,
    **oldstyle.WRITERS,
    **game.WRITERS,
    **inviting.WRITERS,
    **joining.WRITERS,
    **kept.WRITERS,
    **log.WRITERS,
    **manual.WRITERS,
    **directing.WRITERS,
    **people.WRITERS,
    **played.WRITERS,
    **proving.WRITERS,
    **refused.WRITERS,
    **seats.WRITERS,
    **standby.WRITERS,
    **mastering.WRITERS,
    **absent.WRITERS,
    **recorded.WRITERS,
    **tables.WRITERS,
    **why.WRITERS,
}


class Answered(Protocol):
    """An answer as it was stored."""

    @property
    def code(self) -> str: ...

    @property
    def args(self) -> Mapping[str, Any]: ...


def sections(answers: Sequence[Answered], words: Words, common: Common | None) -> tuple[Section, ...]:
    """The sections of a mail's answers, in their order.

    A code that this version does not know (a later one stored it) is left out: better no answer than no mail.
    """
    return tuple(WRITERS[one.code](one.args, words, common) for one in answers if one.code in WRITERS)
