"""The answer to WHY: the order and what came of it, the reason, the rule that decided, and what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.render.answers import stored
from judge.render.answers.pieces import Head, Items, Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.resultwords import outcome as outcome_word
from judge.render.ruleswords import changed_sentence
from judge.render.view import order_row
from judge.render.words import Words
from judge.rules.board import Unit
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Outcome
from judge.rules.position import Phase

#: role -> what a unit does in a contest, without and with ``units`` whose support counts
_ROLES: Mapping[str, tuple[str, str]] = {
    "attack": (
        N_("It attacks with strength %(strength)s; no support counts for it."),
        N_("With the support of %(units)s it attacks with strength %(strength)s."),
    ),
    "prevent": (
        N_("It is bound for the same place with strength %(strength)s; no support counts for it."),
        N_("With the support of %(units)s it is bound for the same place with strength %(strength)s."),
    ),
    "hold": (
        N_("It stands there with strength %(strength)s; no support counts for it."),
        N_("With the support of %(units)s it stands there with strength %(strength)s."),
    ),
    "defend": (
        N_("It comes the other way with strength %(strength)s; no support counts for it."),
        N_("With the support of %(units)s it comes the other way with strength %(strength)s."),
    ),
}
_NOTES: Mapping[str, str] = {
    "left": N_("It went away, so it stood in nobody's way."),
    "to-move": N_("It was ordered to move and did not get away, so it takes no support for holding."),
    "own-unit": N_("A unit of its own power stays there, and nobody drives that out: its strength against it is 0."),
    "no-convoy": N_("Its convoy failed, so it did not come and its strength is 0."),
    "beaten": N_("The unit from that place drove it out, so it keeps nobody out of there: its strength is 0."),
}
_UNCOUNTED = N_("The support of %(unit)s does not count. %(why)s")


def why(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """Arguments as ``judge.play.verbs.why`` makes them: ``phase``, ``outcomes`` (the one that counted first), ``units`` of
    the phase, ``contests``, values of ``rules`` by key, ``by`` whom it was ordered for the owner, ``retreat``, ``due``."""
    board = words.board
    assert board is not None
    rules, phase = stored.rules(args["rules"]), Phase.parse(args["phase"])
    outcomes = [stored.outcome(one, board) for one in args["outcomes"]]
    standing = stored.units(args["units"])
    first = outcomes[0]
    pieces: list[Piece] = [Says(_fate(first, phase, standing, words, rules))]
    if args["by"]:
        pieces.append(Says(words.translate(N_("Ordered by %(power)s.")) % {"power": words.power(args["by"])}))
    pieces += _of_the_phase(args, words)
    for contest in args["contests"]:
        pieces.append(Head(words.translate(N_("What was counted in %(place)s")) % {"place": words.place(contest["place"])}))
        pieces.append(Rows(tuple(_force(force, words, rules) for force in contest["forces"])))
    others = tuple(_fate(one, phase, standing, words, rules) for one in outcomes[1:])
    if others:
        pieces += [Head(words.translate(N_("Other orders for it"))), Items(others)]
    if args["rules"]:
        said = (changed_sentence(key, value, rules, board, words) for key, value in args["rules"].items())
        pieces += [Head(words.translate(N_("The house rules that decided, in words"))), Items(tuple(said))]
    title = words.translate(N_("Why: %(unit)s in %(phase)s")) % {
        "unit": _name(first, words),
        "phase": words.phase(str(phase)),
    }
    news = words.translate(N_("why %(unit)s fared so")) % {"unit": _name(first, words)}
    return Section(title, tuple(pieces), news)


def _name(outcome: Outcome, words: Words) -> str:
    if outcome.unit is not None:
        return words.unit(outcome.unit)
    order = outcome.order
    return words.place(order.at) if order is not None and hasattr(order, "at") else words.power(outcome.power)


def _fate(outcome: Outcome, phase: Phase, standing: Mapping[str, Unit], words: Words, rules: HouseRules) -> str:
    """``Austria, “A Vienna - Trieste”: bounced. It came with strength ...``"""
    row = order_row(outcome, phase, standing, {}, words, lambda why: stored.sentence(why, words, rules))  # type: ignore[arg-type]
    told = words.order(outcome.order, standing, phase) if outcome.order is not None else ""
    values = {"power": words.power(outcome.power), "order": told, "result": outcome_word(row, words)}
    if outcome.filled_in or not told:
        said = words.translate(N_("%(power)s gave no order: %(result)s.")) % values
    else:
        said = words.translate(N_("%(power)s ordered “%(order)s”: %(result)s.")) % values
    return words.sentences([said, stored.sentence(outcome.reason, words, rules)])


def _force(force: Mapping[str, Any], words: Words, rules: HouseRules) -> tuple[str, str]:
    unit = stored.unit(force["unit"])
    label = words.translate(N_("the unit %(unit)s (%(power)s)")) % {
        "unit": words.unit(unit),
        "power": words.power(unit.power),
    }
    return label, words.sentences(_counted(force, words, rules))


def _counted(force: Mapping[str, Any], words: Words, rules: HouseRules) -> Iterator[str]:
    """How strong a unit was and why, in sentences."""
    note, counting = force["note"], [one for one in force["backers"] if one["counts"]]
    if note:
        yield words.translate(_NOTES[note])
    if note in ("", "to-move"):
        units = words.listing(words.unit(stored.unit(one["unit"])) for one in counting)
        said = words.translate(_ROLES[force["role"]][bool(counting)])
        yield said % {"strength": words.number(force["strength"]), "units": units}
    for one in force["backers"]:
        if not one["counts"]:
            said = stored.sentence(stored.reason(one["why"]), words, rules)
            yield words.translate(_UNCOUNTED) % {"unit": words.unit(stored.unit(one["unit"])), "why": said}


def _of_the_phase(args: Mapping[str, Any], words: Words) -> Iterator[Piece]:
    """What decided in a phase of retreats or adjustments besides the orders."""
    if retreat := args.get("retreat"):
        values = {
            "origin": words.place(retreat["from"]),
            "places": words.listed([words.place(place) for place in retreat["open"]]),
        }
        yield Says(words.translate(N_("It had been attacked from %(origin)s. Open to it were: %(places)s.")) % values)
    if due := args.get("due"):
        values = {name: words.number(due[name]) for name in ("centres", "units", "builds", "removals")}
        yield Says(
            words.translate(
                N_("Centres: %(centres)s. Units: %(units)s. To be built: %(builds)s. To be removed: %(removals)s.")
            )
            % values
        )


WRITERS: Mapping[str, Writer] = {"why": why}
