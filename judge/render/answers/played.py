"""Answers that tell what came of orders: HISTORY of phases that were played, PREVIEW of one that might be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.render.answers import stored
from judge.render.answers.pieces import Grid, Head, Items, Orders, Piece, Quoted, Says, Section, Stands, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.resultwords import outcome as outcome_word
from judge.render.standings import standing
from judge.render.view import Row, order_row
from judge.render.words import Words
from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Outcome, Result
from judge.rules.position import Dislodged, Phase, Position


def _board(words: Words) -> Board:
    assert words.board is not None  # answers of a game have its board
    return words.board


# history


def history(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """Arguments as ``judge.play.verbs.history`` makes them: ``phases`` in order, ``left``: the first and the last of those
    that were asked for and did not fit, ``all``: of those that there are."""
    pieces: list[Piece] = []
    if args["left"]:
        first, last = args["left"]
        values = {"first": words.phase(first), "last": words.phase(last), "line": f"HISTORY {first}..{last}"}
        pieces.append(
            Says(words.translate(N_("Too long for one mail: %(first)s to %(last)s come with “%(line)s”.")) % values)
        )
    for phase in args["phases"]:
        pieces.append(Head(words.translate(N_("What came of %(phase)s")) % {"phase": words.phase(phase["phase"])}))
        if phase.get("called_off"):
            pieces.append(Says(words.translate(N_("The game was ended while this phase was open; it never ran."))))
        else:
            pieces.append(Quoted("\n".join(_lines(phase, words))))
        pieces += _letters(phase["press"], words)
    names = [phase["phase"] for phase in args["phases"]]
    title = words.translate(N_("What has been played"))
    if names[0] != names[-1]:
        news = words.translate(N_("the results of %(first)s to %(last)s"))
        return Section(title, tuple(pieces), news % {"first": words.phase(names[0]), "last": words.phase(names[-1])})
    return Section(title, tuple(pieces), words.translate(N_("the result of %(phase)s")) % {"phase": words.phase(names[0])})


def _lines(phase: Mapping[str, Any], words: Words) -> Iterator[str]:
    """A phase's orders by power, with what came of each; then the centres, if they changed owners."""
    board = _board(words)
    when = Phase.parse(phase["phase"])
    units = stored.units(phase["units"])
    fate = {place: Dislodged(units[place], "") for place in phase["destroyed"] if place in units}
    outcomes = [stored.outcome(one, board) for one in phase["outcomes"]]
    for power in (*board.powers, *sorted({one.power for one in outcomes} - set(board.powers))):
        own = [one for one in outcomes if one.power == power]
        if own:
            yield words.power(power)
        for one in own:
            said = _in_words(one, when, words, order_row(one, when, units, fate, words, lambda _: ""), units)
            by = phase["by"].get(one.unit.province) if one.unit else None
            ordered = words.translate(N_("Ordered by %(power)s.")) % {"power": words.power(by)} if by else ""
            yield "  " + words.sentences([said, ordered])
    winter = Phase("W", when.year, "A")
    later = [stored.outcome(one, board) for one in phase["aftermath"]]
    for one in later:
        if one.unit is not None and one.unit.province not in phase["destroyed"]:
            row = order_row(one, winter, {one.unit.province: one.unit}, {}, words, lambda _: "")
            yield f"{words.power(one.power)}: {words.unit(one.unit)}: {outcome_word(row, words)}"
    counts = phase["centres"]
    if counts:
        pairs = (f"{words.power(power)} {words.number(n)}" for power, n in counts.items() if n)
        yield words.translate(N_("Centres: %(counts)s")) % {"counts": words.chain(pairs)}


def _in_words(outcome: Outcome, phase: Phase, words: Words, row: Row, units: Mapping[str, Any]) -> str:
    """``A Paris - Burgundy: bounced``"""
    order = (
        words.order(outcome.order, units, phase) if outcome.order else words.translate(N_("(a line that could not be read)"))
    )
    said = words.translate(N_("%(order)s: %(result)s")) % {"order": order, "result": outcome_word(row, words)}
    return words.translate(N_("%(text)s (no order)")) % {"text": said} if outcome.filled_in else said


def _letters(letters: Sequence[Mapping[str, Any]], words: Words) -> Iterator[Piece]:
    for letter in letters:
        sender = letter["sender"]
        if sender == "master":
            head = words.translate(N_("The game master to all, %(when)s"))
        elif sender is None:
            head = words.translate(N_("To all, unsigned, %(when)s"))
        else:
            head = words.translate(N_("%(power)s to all, %(when)s"))
        yield Head(head % {"power": words.power(sender or ""), "when": words.instant(letter["at"])})
        yield Quoted(letter["text"])


# preview


def preview(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """Arguments as ``judge.play.verbs.previewing`` makes them."""
    board, phase = _board(words), Phase.parse(args["phase"])
    rules = stored.rules(args["rules"])
    pieces: list[Piece] = [Says(words.sentences(_lead(args, phase, words)))]
    if args["strange"] or args["left"]:
        pieces += [Head(words.translate(N_("Lines that I could not use"))), Items(tuple(_strange(args, words, rules)))]
    pieces += _of_powers(args, phase, words, rules)
    after = _position(args["after"])
    if args["driven_out"]:
        pieces += [Head(words.translate(N_("Driven out"))), Items(tuple(_fallen(one, words) for one in args["driven_out"]))]
    if args["aftermath"]:
        pieces += [Head(words.translate(N_("Without a choice"))), Items(tuple(_aftermath(args, phase, words, rules)))]
    now = {power: len(after.centres(power)) for power in board.powers}
    if now != args["centres"]:
        was = words.catalogue.pgettext("centres before", "was")
        head = ("", words.translate(N_("centres")), was, words.translate(N_("units")))
        rows = tuple(_power_row(power, args["centres"][power], after, words) for power in board.powers)
        pieces += [Head(words.translate(N_("Centres and units"))), Grid(head, rows)]
    pieces += [Head(words.translate(N_("The board then"))), Stands(standing(board, after, words))]
    pieces.append(Says(_next(args, after, words)))
    title = words.translate(N_("A preview of %(phase)s")) % {"phase": words.phase(str(phase))}
    return Section(title, tuple(pieces), words.translate(N_("a preview")))


def _power_row(power: str, was: int, after: Position, words: Words) -> tuple[str, ...]:
    counts = (len(after.centres(power)), was, len(after.units_of(power)))
    return (words.power(power), *map(words.number, counts))


def _lead(args: Mapping[str, Any], phase: Phase, words: Words) -> Iterator[str]:
    if args["on_file"]:
        yield words.translate(N_("This would come of the orders that are on file now; nothing has been run."))
    else:
        yield words.translate(
            N_("This would come of the orders that you wrote. None of them is on file, and nobody else sees them.")
        )
        if phase.kind == "M":
            yield words.translate(N_("Units without an order here hold."))
    if not args["ended"]:
        yield words.translate(
            N_(
                "No END stood below them, so everything to the end of your mail was taken for this preview, and for nothing"
                " else."
            )
        )


def _strange(args: Mapping[str, Any], words: Words, rules: HouseRules) -> Iterator[str]:
    board = _board(words)
    units = {**stored.units(args["units"]), **stored.units(args["fallen"])}
    for one in args["strange"]:
        line = words.translate(N_("You wrote “%(line)s”.")) % {"line": one_line(one["line"], 200)}
        whys = (stored.sentence(stored.Why(w["code"], _args(w), w["rule"]), words, rules) for w in one["problems"])
        said = [line, *whys]
        orders = [stored.order(text, board) for text in one["suggestions"]]
        if orders:
            meant = words.alternatives(f"“{words.order(order, units)}”" for order in orders if order is not None)
            said.append(words.translate(N_("Did you mean %(what)s?")) % {"what": meant})
        yield words.sentences(said)
    if args["left"]:
        yield words.catalogue.ngettext("%(n)s more line was not read.", "%(n)s more lines were not read.", args["left"]) % {
            "n": args["left"]
        }


def _args(why: Mapping[str, Any]) -> dict[str, Any]:
    return {name: stored.argument(value) for name, value in why["args"].items()}


def _of_powers(args: Mapping[str, Any], phase: Phase, words: Words, rules: HouseRules) -> Iterator[Piece]:
    """What came of each power's orders, and of the units that were driven out."""
    board = _board(words)
    units = {**stored.units(args["units"]), **stored.units(args["fallen"])}
    fate = {
        one.unit.province: one
        for one in (Dislodged(stored.unit(d), d["from"], False, tuple(d["retreats"])) for d in args["driven_out"])
    }
    outcomes = [stored.outcome(one, board) for one in args["outcomes"]]
    for power in board.powers:
        own = [one for one in outcomes if one.power == power]
        # a unit that holds because nobody said otherwise is told of for all of them at once
        shown = [one for one in own if one.dislodged or not one.filled_in or one.result is not Result.HOLDS]
        if shown:
            rows = (order_row(one, phase, units, fate, words, lambda w: stored.sentence(w, words, rules)) for one in shown)  # type: ignore[arg-type]
            yield Head(words.translate(N_("%(power)s, what would come of it")) % {"power": words.power(power)})
            yield Orders(tuple(rows))


def _fallen(one: Mapping[str, Any], words: Words) -> str:
    unit = stored.unit(one)
    values = {"power": words.power(unit.power), "unit": words.unit(unit), "origin": words.place(one["from"])}
    if not one["retreats"]:
        said = N_("%(power)s: %(unit)s, attacked from %(origin)s, had nowhere to go and was destroyed")
        return words.translate(said) % values
    values["places"] = words.alternatives(map(words.place, one["retreats"]))
    return words.translate(N_("%(power)s: %(unit)s, attacked from %(origin)s, may go to %(places)s")) % values


def _aftermath(args: Mapping[str, Any], phase: Phase, words: Words, rules: HouseRules) -> Iterator[str]:
    winter = Phase("W", phase.year, "A")
    for one in (stored.outcome(data, _board(words)) for data in args["aftermath"]):
        if one.unit is not None:
            row = order_row(one, winter, {}, {}, words, lambda _: "")
            said = f"{words.power(one.power)}: {words.unit(one.unit)}: {outcome_word(row, words)}."
            yield words.sentences([said, stored.sentence(one.reason, words, rules)])


def _next(args: Mapping[str, Any], after: Position, words: Words) -> str:
    if args["winners"] is None:
        return words.translate(N_("Next would be %(phase)s.")) % {"phase": words.phase(str(after.phase))}
    if not args["winners"]:
        return words.translate(N_("The game would be over, and nobody would win."))
    powers = words.listing(map(words.power, args["winners"]))
    if len(args["winners"]) > 1:
        return words.translate(N_("The game would be over, with a draw of %(powers)s.")) % {"powers": powers}
    return words.translate(N_("The game would be over, and %(power)s would win.")) % {"power": powers}


def _position(data: Mapping[str, Any]) -> Position:
    fallen = tuple(
        Dislodged(stored.unit(one), one["attacked_from"], one["by_convoy"], tuple(one["retreats"]))
        for one in data["dislodged"]
    )
    units = tuple(map(stored.unit, data["units"]))
    return Position(Phase.parse(data["phase"]), units, dict(data["owners"]), fallen, frozenset(data["contested"]))


WRITERS: Mapping[str, Writer] = {"history": history, "preview": preview}
