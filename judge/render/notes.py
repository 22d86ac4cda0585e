"""Sentences for what a receipt says of lines that are no orders of this game: codes of ``judge.play``."""

from __future__ import annotations

from collections.abc import Mapping

from judge.render.catalogue import N_
from judge.render.words import Words

SENTENCES = {
    "note.perhaps-quoted": N_("this may be a quote; say the number if you mean it"),
    "note.forms-differ": N_("the text of your mail and its HTML form say different things here, so neither was taken"),
    "note.out-of-turn": N_("this mail comes out of turn, so this changed nothing; say it again if you mean it now"),
    "note.no-such-question": N_("no question with this number is open"),
    "note.other-game": N_("this is for the game %(game)s: answer a mail of that game"),
    "note.other-game-several": N_(
        "you play several powers in the game %(game)s: write to each of them, in answer to its own mails"
    ),
    "note.later-orders-only": N_("only orders can be kept for a later phase: send this when the phase is open"),
    "note.later-too-many": N_(
        "this and what stands below it would be too much for one phase: %(most)s lines are kept; CLEAR LATER makes room"
    ),
    "note.if-other": N_(
        "only “if dislodged” can be said ahead, for retreats: this condition is not kept, nor what stands below it"
    ),
    "note.list-below": N_(
        "this stands below a line with “if”, before END and the next heading, and is no retreat of that list"
    ),
    "note.list-or-now": N_("right below a list for a later phase: say the number if you mean it for now"),
    "note.list-empty": N_("no place to retreat to follows"),
    "note.list-unit": N_("say which unit of yours, with its kind and its place"),
    "note.list-now": N_("this unit is dislodged now: say where it retreats without “if”"),
    "note.list-phase": N_("units retreat in spring and fall"),
    "note.list-too-long": N_("a list has at most %(most)s orders; those behind them are not kept"),
    "note.list-too-many": N_("one mail may have %(most)s such lists; this one and those below it are not kept"),
    "note.list-same-place": N_("another unit of yours retreats there"),
    "note.list-no-unit": N_("you have no such unit there"),
    "note.not-said-again": N_("this was held, and your new mail takes it off"),
    "note.cannot-tell": N_(
        "two of your mails say different things here, and nobody can tell which you wrote later, so neither counts; "
        "say it again in answer to this mail"
    ),
    "note.rules-by-master": N_("only the game master sets house rules, from the master's own address"),
    "note.command-form": N_("these words after a command are not understood; it is written “%(form)s”"),
    "note.no-command": N_("this is no command; you may mean “%(forms)s”"),
    "note.first-mail": N_("your first mail with orders counts in this game; CLEAR takes it off"),
    "note.no-proxies": N_("in this game every player orders the units of its own power alone"),
    "note.proxy-units-only": N_("builds and removals cannot be put into other hands"),
    "note.proxy-unclear": N_("say which of your units, and into the hands of which other power"),
    "note.proxy-not-handed": N_("this unit is in nobody else's hands"),
    "note.proxy-too-many": N_("one mail may have %(most)s lines with PROXY; this one and those below it changed nothing"),
    "note.proxy-nobody": N_("nobody plays that power"),
    "note.attachment-not-read": N_("this attachment could not be read: write orders as text"),
}


def sentence(code: str, args: Mapping[str, object], words: Words) -> str:
    """The sentence of a note, in the reader's language."""
    text = words.catalogue.gettext(SENTENCES[code])
    return text % args if args else text
