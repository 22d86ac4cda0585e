"""A game that somebody makes by mail, the invitation into it, and what comes of that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render import refusals
from judge.render.answers.game import PRESS
from judge.render.answers.joining import many
from judge.render.answers.pieces import Items, Piece, Quoted, Rows, Says, Section, Writer
from judge.render.catalogue import N_, NN_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.timetablewords import timetable
from judge.render.words import Words


def made(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To who made a game: ``friends`` who are invited, its ``rules``, ``press`` and ``schedule``; whether they are its
    ``master``, whether it is ``open`` to anybody; players that are ``left`` to come. ``how``: ``again`` if it was before."""
    said = {"game": args["game"]}
    title, news = words.translate(N_("A new game")), words.translate(N_("the new game %(game)s")) % said
    if args["how"] == "again":
        text = words.translate(N_("You have made the game %(game)s already: nothing has changed.")) % said
        return Section(title, (Says(text), Says(words.translate(_MORE) % said)), news)
    pieces: list[Piece] = [Says(words.translate(N_("The game %(game)s is made.")) % said)]
    if args["friends"]:
        pieces.append(Says(words.translate(N_("An invitation goes to each of these addresses:"))))
        pieces.append(Quoted("\n".join(one_line(one, 100) for one in args["friends"])))
    pieces.append(Rows(tuple(_agreed(args, words))))
    how = _MASTERED if args["master"] else _STARTS
    pieces.append(Says(words.translate(how) % said))
    if args["left"]:
        pieces.append(Says(many(words, NN_("%(n)s more player is needed.", "%(n)s more players are needed."), args["left"])))
    who = (
        N_("Anybody may join it: “LIST” shows it to all.")
        if args["open"]
        else N_("Nobody else is told that there is such a game.")
    )
    pieces += [Says(words.translate(who)), Says(words.translate(_MORE) % said)]
    if not args["master"]:
        pieces.append(
            Says(words.translate(N_("“JOIN %(game)s” with powers, the best first, says which you would like.")) % said)
        )
    return Section(title, tuple(pieces), news)


_MORE = N_("“INVITE %(game)s” and an address invites one more, “SHOW %(game)s” tells how it stands.")
_STARTS = N_("It starts as soon as nobody is missing.")
_MASTERED = N_(
    "You are its master, and got a mail with what you can do; it starts when nobody is missing, or by your START."
)


def _agreed(args: Mapping[str, Any], words: Words) -> list[tuple[str, str]]:
    return [
        (words.translate(N_("House rules")), args["rules"]),
        (words.translate(N_("Schedule")), timetable(args["schedule"], words)),
        (words.translate(N_("Letters between players")), words.translate(PRESS[args["press"]])),
    ]


def faults(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``faults``: [number of the line (0: all of them), line, code, arguments]; ``lines``: the whole, to be mended."""
    texts = []
    for number, line, code, values in args["faults"]:
        sentence = refusals.sentence(code, values, words)
        if number:
            said = {"number": number, "line": one_line(line, 80), "sentence": sentence}
            texts.append(words.translate(N_("Line %(number)s, “%(line)s”: %(sentence)s")) % said)
        elif line:
            texts.append(
                words.translate(N_("“%(line)s”: %(sentence)s")) % {"line": one_line(line, 80), "sentence": sentence}
            )
        else:
            texts.append(sentence)
    if args["more"]:
        texts.append(many(words, NN_("There is %(n)s more fault.", "There are %(n)s more faults."), args["more"]))
    lead = words.translate(N_("The game %(game)s was not made, and nobody was written to:")) % {"game": args["game"]}
    back = words.translate(N_("Here is what you wrote, to be mended and sent again:"))
    quoted = "\n".join(one_line(line, 300) for line in args["lines"])
    pieces: tuple[Piece, ...] = (Says(lead), Items(tuple(texts)), Says(back), Quoted(quoted))
    return Section(words.translate(N_("Not done")), pieces, words.translate(N_("not done")))


_WISHES: Mapping[str, str] = {
    "ranked": N_("Or answer with the powers that you would like, the best first, like “France, Turkey, England”."),
    "one": N_("Or answer with the power that you would like, like “France”."),
    "none": N_("The powers are drawn by lot."),
}


def invitation(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To somebody who may never have heard of us: ``by`` whom, which ``game`` with what ``rules``, ``press``, ``schedule``;
    ``wishes``: ``ranked``, ``one`` or ``none``; ``number`` of the question; ``until`` when it can be answered."""
    values = {
        "by": one_line(args["by"], 100),
        "game": args["game"],
        "number": args["number"],
        "until": words.instant(args["until"]),
    }
    lead = N_("%(by)s invites you to play Diplomacy by mail, in a game with the name %(game)s.")
    what = N_(
        "Diplomacy is a board game for up to seven: each plays a power of Europe in 1901, all send their orders in secret,"
        " and who persuades the others best wins. I am the judge, a program: you send me your orders by mail, I move all"
        " at once and write to everybody what came of it. It costs nothing, and needs no account, password or web page."
    )
    yes = N_("Answer this mail with “YES” to play (“YES %(number)s”, if more than one thing waits for your answer).")
    no = N_("With “NO” you say that you do not want to. With “NO MORE” you never get an invitation from this judge again.")
    end = N_(
        "If you do not answer by %(until)s, it is over, and nothing more comes. “RULES %(game)s” brings all house rules."
    )
    shown = N_("Who invites you is told if you decline.")
    texts = (lead, what)
    pieces: list[Piece] = [Says(words.translate(text) % values) for text in texts]
    pieces.append(Rows(tuple(_agreed(args, words))))
    pieces += [Says(words.translate(text) % values) for text in (yes, _WISHES[args["wishes"]], no, end, shown)]
    title = words.translate(N_("You are invited"))
    return Section(title, tuple(pieces), words.translate(N_("%(by)s invites you to a game of Diplomacy")) % values)


_TOLD: Mapping[str, str] = {
    "now-declined": N_("You have declined the invitation into %(game)s. If you change your mind, answer “YES”."),
    "declined": N_("You had declined the invitation into %(game)s before: nothing has changed."),
    "is-in": N_("You are in the game %(game)s; “LEAVE %(game)s” takes that back as long as it has not started."),
    "never": N_("No invitation goes to your address from this judge any more."),
    "never-again": N_("No invitation goes to your address from this judge, as you had asked before: nothing has changed."),
}


def told(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """What came of an answer to an invitation: ``game`` and ``result``."""
    text = words.translate(_TOLD[args["result"]]) % {"game": args["game"]}
    return Section(words.translate(N_("Your answer")), (Says(text),), words.translate(N_("what came of your answer")))


def declined(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To who made the game: ``address`` does not play; ``left`` places have nobody, ``open`` invitations wait."""
    said = {"game": args["game"], "address": one_line(args["address"], 100)}
    pieces: list[Piece] = [Says(words.translate(N_("%(address)s does not want to play in %(game)s.")) % said)]
    if args["left"]:
        pieces.append(Says(many(words, NN_("%(n)s more player is needed.", "%(n)s more players are needed."), args["left"])))
    if args["open"]:
        waits = NN_("%(n)s invitation waits for its answer.", "%(n)s invitations wait for their answers.")
        pieces.append(Says(many(words, waits, args["open"])))
    pieces.append(Says(words.translate(_MORE) % said))
    title = words.translate(N_("An invitation is declined"))
    return Section(title, tuple(pieces), words.translate(N_("%(address)s does not play in %(game)s")) % said)


_INVITED: Mapping[str, str] = {
    "invited": N_("An invitation into %(game)s goes to %(address)s."),
    "again": N_("%(address)s was invited into %(game)s before: nobody is invited twice, and nothing has changed."),
}


def invited(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """The answer to INVITE: ``how`` it went, for ``game`` and ``address``."""
    said = {"game": args["game"], "address": one_line(args["address"], 100)}
    text = words.translate(_INVITED[args["how"]]) % said
    return Section(words.translate(N_("An invitation")), (Says(text),), words.translate(N_("an invitation")))


WRITERS: Mapping[str, Writer] = {
    "new": made,
    "new-faults": faults,
    "invitation": invitation,
    "invitation-told": told,
    "invitation-declined": declined,
    "invited": invited,
}
