"""The answer to a command that was not carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render import refusals
from judge.render.answers.pieces import Items, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.words import Words


def refused(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``line`` as it was written, ``code`` and ``args`` of :mod:`judge.render.refusals`."""
    line = words.translate(N_("You wrote “%(line)s”.")) % {"line": one_line(args["line"], 200)}
    return Section(
        words.translate(N_("Not done")),
        (Says(line), Items((refusals.sentence(args["code"], args["args"], words),))),
        words.translate(N_("not done")),
    )


WRITERS: Mapping[str, Writer] = {"refused": refused}
