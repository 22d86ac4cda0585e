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


def strange(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``line`` as it was written, which is no command (``None``: a mail that proved nothing said it), and ``forms`` of the
    commands that it may have been meant as."""
    line = args["line"]
    said = (Says(words.translate(N_("You wrote “%(line)s”.")) % {"line": one_line(line, 200)}),) if line else ()
    told = words.translate(N_("This is no command; you may mean “%(forms)s”.")) % {"forms": args["forms"]}
    if not line:
        told = words.translate(N_("A line of your mail is no command; you may mean “%(forms)s”.")) % {"forms": args["forms"]}
    return Section(words.translate(N_("Not done")), (*said, Items((told,))), words.translate(N_("not done")))


WRITERS: Mapping[str, Writer] = {"refused": refused, "strange": strange}
