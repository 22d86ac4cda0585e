"""Answers to what a game's master does to it and its clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge.notation import parse_canonical
from judge.render.answers.pieces import Items, Piece, Quoted, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.words import Words

_TOLD = N_("Everybody in the game is told by mail.")
#: (what is done, kind of unit) -> the sentence of a change of the position
_CHANGES: Mapping[tuple[str, str], str] = {
    ("put", "A"): N_("%(power)s has an army in %(place)s now."),
    ("put", "F"): N_("%(power)s has a fleet in %(place)s now."),
    ("remove", "A"): N_("The army of %(power)s in %(place)s is taken off the board."),
    ("remove", "F"): N_("The fleet of %(power)s in %(place)s is taken off the board."),
}


def started(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``phase``, ``deadline``; ``empty``: powers that nobody plays."""
    said = words.translate(
        N_("The game has started with %(phase)s; the deadline is %(when)s. Every player has the first mail.")
    )
    pieces: list[Piece] = [Says(said % {"phase": words.phase(args["phase"]), "when": words.when(args["deadline"])})]
    if args["empty"]:
        nobody = words.translate(N_("Nobody plays %(powers)s: the units there hold."))
        pieces.append(Says(nobody % {"powers": words.listing(map(words.power, args["empty"]))}))
    return Section(words.translate(N_("The game has started")), tuple(pieces), words.translate(N_("the game has started")))


def deadline(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``old`` (or ``None``), ``new``."""
    new, old = args["new"], args["old"]
    if old is None:
        said = words.translate(N_("The deadline is %(when)s.")) % {"when": words.when(new)}
    else:
        said = words.translate(N_("The new deadline is %(new)s. It was %(old)s."))
        said %= {"new": words.when(new), "old": words.instant(old)}
    news = words.translate(N_("new deadline %(when)s")) % {"when": words.soon(new)}
    return Section(words.translate(N_("The deadline")), (Says(words.sentences([said, words.translate(_TOLD)])),), news)


def paused(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``until`` (or ``None``)."""
    news = words.translate(N_("the game is paused"))
    more = words.translate(N_("RESUME lets it go on."))
    said = words.sentences([paused_sentence(args["until"], words), more, words.translate(_TOLD)])
    return Section(words.translate(N_("The game is paused")), (Says(said),), news)


def paused_sentence(until: Any, words: Words) -> str:
    """That no deadline runs, and until when."""
    if until is None:
        return words.translate(N_("The game is paused: no deadline runs. Orders can be sent all the same."))
    said = N_(
        "The game is paused until %(when)s, and goes on by itself then. No deadline runs; orders can be sent all the same."
    )
    return words.translate(said) % {"when": words.when(until)}


def resumed(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``new``."""
    said = words.translate(N_("The game goes on; the deadline is %(when)s.")) % {"when": words.when(args["new"])}
    text = words.sentences([said, words.translate(_TOLD)])
    return Section(words.translate(N_("The game goes on")), (Says(text),), words.translate(N_("the game goes on")))


def hurried(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``phase``."""
    said = words.translate(N_("%(phase)s is run now; the result comes in a mail of its own."))
    news = words.translate(N_("run now: %(phase)s")) % {"phase": words.phase(args["phase"])}
    return Section(words.translate(N_("The phase is run")), (Says(said % {"phase": words.phase(args["phase"])}),), news)


def rolled_back(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``phase``, ``undone``: names of phases, ``new``: the deadline or ``None``."""
    phase = words.phase(args["phase"])
    said = [
        words.translate(N_("The game is back at %(phase)s, with the orders that were on file for it.")) % {"phase": phase},
        words.translate(N_("Undone: %(phases)s.")) % {"phases": words.listing(map(words.phase, args["undone"]))},
        words.translate(N_("The deadline is %(when)s.")) % {"when": words.when(args["new"])} if args["new"] else "",
        words.translate(_TOLD),
    ]
    news = words.translate(N_("back to %(phase)s")) % {"phase": phase}
    return Section(words.translate(N_("The game goes back")), (Says(words.sentences(said)),), news)


def late_accepted(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``power``, ``phase``, ``came``: when their mail was sent in, ``again``: whether the phase was run again."""
    power, phase, came = words.power(args["power"]), words.phase(args["phase"]), words.instant(args["came"])
    values = {"power": power, "phase": phase, "came": came}
    said = [words.translate(N_("The orders of %(power)s for %(phase)s that came late, on %(came)s, count now.")) % values]
    if args["again"]:
        said.append(words.translate(N_("%(phase)s has been run again with them; the result comes in a mail of its own.")))
        said[1] %= values
    else:
        said.append(words.translate(N_("The player of %(power)s is told.")) % values)
    title, news = words.translate(N_("Late orders are taken")), words.translate(N_("late orders are taken"))
    return Section(title, (Says(words.sentences(said)),), news)


def changes_in_words(changes: Iterable[Mapping[str, Any]], words: Words) -> tuple[str, ...]:
    """Changes of a position, a sentence each: ``{"do", "power", "type", "at"}``; ``do``: ``put``, ``remove``, ``owner``."""
    said = []
    for one in changes:
        if one["do"] == "owner" and one["power"] is None:
            text = words.translate(N_("%(place)s belongs to nobody now."))
        elif one["do"] == "owner":
            text = words.translate(N_("%(place)s belongs to %(power)s now."))
        else:
            text = words.translate(_CHANGES[one["do"], one["type"]])
        said.append(text % {"place": words.place(one["at"]), "power": words.power(one["power"]) if one["power"] else ""})
    return tuple(said)


def corrected(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``changes``, ``why``."""
    reason = words.translate(N_("The reason, as the players read it: “%(why)s”")) % {"why": one_line(args["why"], 600)}
    pieces = (Items(changes_in_words(args["changes"], words)), Says(reason), Says(words.translate(_TOLD)))
    return Section(
        words.translate(N_("The position is corrected")), pieces, words.translate(N_("the position is corrected"))
    )


def comment(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``text``, empty if the note was taken off."""
    title, news = words.translate(N_("The note on the game")), words.translate(N_("the note on the game"))
    if not args["text"]:
        return Section(title, (Says(words.translate(N_("The note is taken off."))),), news)
    lead = words.translate(N_("Everybody who asks for the state of the game reads this from now on; nobody is mailed."))
    return Section(title, (Says(lead), Quoted(args["text"])), news)


def ended(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``drawn``, ``winners``: those who share the draw."""
    said, news = (
        words.translate(N_("The game is over, without a result.")),
        words.translate(N_("the game is over, nobody wins")),
    )
    if args["drawn"]:
        powers = words.listing(map(words.power, args["winners"]))
        said = words.translate(N_("The game is over: a draw of %(powers)s.")) % {"powers": powers}
        news = words.translate(N_("the game is over, a draw of %(powers)s")) % {"powers": powers}
    told = words.translate(N_("Everybody gets the final standing."))
    return Section(words.translate(N_("The game is over")), (Says(words.sentences([said, told])),), news)


def position(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``phase``; ``powers``: ``{"power", "units": [[type, at]], "dislodged": [[type, at]], "centres"}``."""
    rows = tuple((words.power(one["power"]), _of_power(one, words)) for one in args["powers"])
    title = words.translate(N_("The position of %(phase)s")) % {"phase": words.phase(args["phase"])}
    return Section(title, (Rows(rows),), words.translate(N_("the position")))


def _of_power(one: Mapping[str, Any], words: Words) -> str:
    said = [_standing(one["units"], words)]
    if one["dislodged"]:
        places = words.listing(words.place(at) for _, at in one["dislodged"])
        said.append(words.translate(N_("driven out of %(places)s")) % {"places": places})
    if one["centres"]:
        centres = words.translate(N_("centres: %(places)s")) % {"places": words.listing(map(words.province, one["centres"]))}
        said.append(centres)
    return words.examples(said)


def _standing(units: Iterable[tuple[str, str]], words: Words) -> str:
    """``armies stand in Paris and Marseilles; fleet stands in Brest``."""
    by_kind = {kind: sorted(words.place(at) for found, at in units if found == kind) for kind in "AF"}
    ngettext = words.catalogue.ngettext
    armies, fleets = len(by_kind["A"]), len(by_kind["F"])
    said = [
        ngettext("army stands in %(places)s", "armies stand in %(places)s", armies) if armies else "",
        ngettext("fleet stands in %(places)s", "fleets stand in %(places)s", fleets) if fleets else "",
    ]
    return words.examples(
        text % {"places": words.listing(by_kind[kind])} for kind, text in zip("AF", said, strict=True) if text
    )


def on_file(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``phase``, ``orders`` (canonical texts); where receipts are sealed ``places`` instead, ``None`` in adjustments."""
    title = words.translate(N_("Your orders on file for %(phase)s")) % {"phase": words.phase(args["phase"])}
    piece = _orders(args, words, common) or Says(words.translate(N_("No orders of yours are on file.")))
    return Section(title, (piece,))


def cleared(args: Mapping[str, Any], words: Words, common: Common | None) -> Section:
    """``orders`` that can no longer be given, or their ``places``."""
    lead = words.translate(N_("These orders of yours do not fit the position any more, and are off the file. Send others."))
    piece = _orders(args, words, common)
    return Section(words.translate(N_("Orders taken off")), (Says(lead), *((piece,) if piece else ())))


def _orders(args: Mapping[str, Any], words: Words, common: Common | None) -> Piece | None:
    places = [place for place in args["places"] if place]
    if places:
        said = words.translate(N_("In: %(places)s.")) % {"places": words.listing(map(words.province, places))}
        return Says(said)
    if args["places"]:
        return Says(words.translate(N_("Orders on file: %(n)s.")) % {"n": words.number(len(args["places"]))})
    if not args["orders"]:
        return None
    board = common.board if common else words.board
    assert board is not None  # an order is a game's
    return Quoted("\n".join(words.order(parse_canonical(text, board)) for text in args["orders"]))


def note(text: str, words: Words) -> Section:
    """The master's note on a game, with its state."""
    return Section(words.translate(N_("From the game master")), (Quoted(text),))


WRITERS: Mapping[str, Writer] = {
    "started": started,
    "deadline": deadline,
    "paused": paused,
    "resumed": resumed,
    "hurried": hurried,
    "rolled-back": rolled_back,
    "late-accepted": late_accepted,
    "corrected": corrected,
    "comment": comment,
    "ended": ended,
    "position": position,
    "on-file": on_file,
    "cleared": cleared,
}
