"""What a template needs to know, worked out of the facts: rows, counts and flags. No sentence is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from judge.render.facts import (
    Common,
    Due,
    Held,
    MasterFacts,
    NotUsed,
    OnFile,
    Question,
    ReceiptFacts,
    ResultFacts,
    RulesFacts,
    StartFacts,
    Why,
)
from judge.render.ruleswords import RuleSection, sections, special_lines
from judge.render.standings import CentreRow, centre_table, standing
from judge.render.words import Words, by_province
from judge.rules.board import Board, Unit, province_of
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.outcome import Outcome, Result
from judge.rules.position import Dislodged, Phase, Position

#: says why, in the reader's language: a reason of the rules or a reading problem
Sentence = Callable[[Why], str]
#: puts the canonical text of a suggestion into the reader's words
Suggest = Callable[[str], str]


def kind_of(order: Order | None, phase: Phase) -> str:
    """What an order does, in one word: ``move``, ``retreat``, ``remove`` and so on; ``unread`` for no order at all."""
    if order is None:
        return "unread"
    if isinstance(order, Move):
        return "retreat" if phase.kind == "R" else "move"
    if isinstance(order, Disband):
        return "disband" if phase.kind == "R" else "remove"
    words = {Hold: "hold", Support: "support", Convoy: "convoy", Build: "build", Waive: "waive"}
    return words[type(order)]


def example_move(common: Common, due: Due) -> Move | None:
    """A move that one of the reader's own units could make, to show how an order is written; the first of the board's
    first turn alone: later it would be in the way."""
    board = common.board
    if common.phase != f"S{board.first_year}M":
        return None
    for unit in due.units:
        reach = board.army.get(unit.at) if unit.type == "A" else board.fleet.get(unit.at)
        free = sorted(set(reach or ()) - {other.at for other in due.units})
        if free:
            return Move(unit.type, unit.at, free[0])
    return None


# ---------------------------------------------------------------------- the first mail


@dataclass(frozen=True, slots=True)
class StartView:
    """What the first mail says of the house rules: how the game ends, what else is not as in the standard rules, and all
    of them by matter."""

    ends: tuple[str, ...]
    special: tuple[str, ...]
    sections: tuple[RuleSection, ...]


@dataclass(frozen=True, slots=True)
class RulesView:
    """All house rules by matter."""

    sections: tuple[RuleSection, ...]


def rules_view(facts: RulesFacts | MasterFacts, words: Words) -> RulesView:
    """Work out the answer to RULES."""
    return RulesView(sections(facts.common.rules, facts.common.board, words))


def start_view(facts: StartFacts, words: Words) -> StartView:
    """Work out the beginning of a game."""
    lines = special_lines(facts.common.rules, facts.common.board, words)
    # of the ways to end a game only those that this one has
    ends = [x for x in lines if x.key.startswith("victory") and (x.special or x.key in ("victory.centres", "victory.tie"))]
    others = [x for x in lines if x.special and not x.key.startswith("victory")]
    every = sections(facts.common.rules, facts.common.board, words)
    return StartView(tuple(x.text for x in ends), tuple(x.text for x in others), every)


# ---------------------------------------------------------------------- results

#: reasons that say no more than the word of the result: nothing stood in the way, or nobody wrote an order
_SAYS_ALL = frozenset(
    {"moved", "given", "carried", "holds", "no-order", "retreated", "disbanded", "no-retreat-order", "built", "removed"}
    | {"waived", "waived-silently"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """One order of a result: its text, what kind it is, what came of it and why.

    ``good``: it did what it said, and its unit was not driven out. ``destroyed``: it was, and had nowhere to go.
    ``filled_in``: nobody wrote it; ``repeated``: nobody wrote it for this turn;
    ``by``: the power that ordered it for the owner. ``why`` is empty where the result says it all.
    """

    order: str
    kind: str
    result: str
    why: str
    good: bool
    dislodged: bool = False
    destroyed: bool = False
    filled_in: bool = False
    repeated: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True)
class PowerRows:
    """All orders of one power."""

    power: str
    rows: tuple[Row, ...]
    missed: bool = False


@dataclass(frozen=True)
class ResultView:
    """A result as its template shows it. Lists of places and units are already in the reader's words."""

    mine: PowerRows | None
    others: tuple[PowerRows, ...]
    centres: tuple[CentreRow, ...]
    my_centres: CentreRow
    ownership_changed: bool
    took: tuple[str, ...]
    lost: tuple[str, ...]
    moves: int
    moves_in: int
    driven_out: tuple[str, ...]
    destroyed: tuple[str, ...]
    retreated: tuple[tuple[str, str], ...]
    built: tuple[str, ...]
    removed: tuple[str, ...]
    dislodged: tuple[Dislodged, ...]
    aftermath: tuple[PowerRows, ...]
    movement: bool
    retreat_phase: bool
    adjustments: bool
    went_out: bool
    standing: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    held: tuple[HeldRow, ...] = ()
    not_used: tuple[NotUsedRow, ...] = ()


def result_view(facts: ResultFacts, words: Words, sentence: Sentence, suggest: Suggest) -> ResultView:
    """Work out a result. ``suggest``: as for a receipt, of the phase that follows."""
    board, power = facts.common.board, facts.common.power
    phase, before, after = Phase.parse(facts.common.phase), facts.before, facts.adjudication.position
    rows = _rows(facts, phase, words, sentence)
    powers = tuple(
        PowerRows(name, tuple(rows.get(name, ())), name in facts.missed)
        for name in _in_order(board, before, rows)
        if rows.get(name) or name in facts.missed
    )
    mine = next((p for p in powers if p.power == power), None)
    table = centre_table(board, before, after, facts.adjudication.end, facts.years)
    my_row = next((r for r in table if r.power == power), CentreRow(power, 0, 0, 0))
    done = [o for o in facts.adjudication.outcomes if o.power == power and o.result is Result.SUCCEEDS]
    my_moves = [r for r in (mine.rows if mine else ()) if r.kind == "move"]
    out = [d for d in facts.adjudication.dislodged if d.unit.power == power]
    lost_retreating = _lost_retreating(facts, power) if phase.kind == "R" else []
    return ResultView(
        mine=mine,
        others=tuple(p for p in powers if p.power != power),
        centres=table,
        my_centres=my_row,
        ownership_changed=dict(before.owners) != dict(after.owners),
        took=_gained(before, after, power, words),
        lost=_gained(after, before, power, words),
        moves=len(my_moves),
        moves_in=sum(r.good or r.result == Result.SUCCEEDS for r in my_moves),
        driven_out=tuple(words.unit(d.unit) for d in out if d.retreats),
        destroyed=tuple(words.unit(d.unit) for d in out if not d.retreats) + tuple(map(words.unit, lost_retreating)),
        retreated=tuple(
            (words.unit(o.unit), words.place(o.order.to))
            for o in done
            if phase.kind == "R" and isinstance(o.order, Move) and o.unit
        ),
        built=tuple(words.unit_at(o.order.type, o.order.at) for o in done if isinstance(o.order, Build)),
        removed=tuple(words.unit(o.unit) for o in done if phase.kind != "R" and isinstance(o.order, Disband) and o.unit),
        dislodged=facts.adjudication.dislodged,
        aftermath=_aftermath(facts, words, sentence),
        held=_held_ahead(facts, words),
        not_used=tuple(_not_used(line, sentence, suggest) for line in facts.not_used),
        movement=phase.kind == "M",
        retreat_phase=phase.kind == "R",
        adjustments=phase.kind == "A",
        went_out=my_row.out and _was_in(before, power),
        standing=standing(board, after, words),
    )


def _was_in(position: Position, power: str) -> bool:
    """Whether ``power`` had anything left when the phase began."""
    units = (*position.units, *(d.unit for d in position.dislodged))
    return power in position.owners.values() or any(unit.power == power for unit in units)


def _in_order(board: Board, position: Position, rows: Mapping[str, object]) -> list[str]:
    """The powers in the board's order; any other that has orders after them."""
    return [*board.powers, *sorted(set(rows) - set(board.powers))]


def _rows(facts: ResultFacts, phase: Phase, words: Words, sentence: Sentence) -> dict[str, list[Row]]:
    """Each power's orders in the order they were given, those nobody wrote after them."""
    units = by_province(facts.before)
    fate = {d.unit.province: d for d in facts.adjudication.dislodged}
    rows: dict[str, list[Row]] = {}
    for outcome in facts.adjudication.outcomes:
        if outcome.filled_in and outcome.power in facts.missed:
            # said once for the whole power
            outcome = msgspec.structs.replace(outcome, filled_in=False)
        row = order_row(outcome, phase, units, fate, words, sentence)
        at = outcome.unit.province if outcome.unit else ""
        row = replace(row, repeated=at in facts.repeated, by=facts.proxies.get(at, ""))
        rows.setdefault(outcome.power, []).append(row)
    return rows


def order_row(
    outcome: Outcome,
    phase: Phase,
    units: Mapping[str, Unit],
    fate: Mapping[str, Dislodged],
    words: Words,
    sentence: Sentence,
) -> Row:
    """One order with what came of it. ``units``: those that stood there, by province; ``fate``: those driven out."""
    driven = fate.get(outcome.unit.province) if outcome.dislodged and outcome.unit else None
    good = outcome.result in (Result.SUCCEEDS, Result.GIVEN, Result.HOLDS) and not outcome.dislodged
    return Row(
        order=_text(outcome, phase, units, words),
        kind=kind_of(outcome.order, phase),
        result=outcome.result.value,
        why="" if outcome.reason.code in _SAYS_ALL and not outcome.dislodged else sentence(outcome.reason),
        good=good,
        dislodged=outcome.dislodged,
        destroyed=outcome.dislodged and driven is not None and not driven.retreats,
        filled_in=outcome.filled_in,
    )


def _text(outcome: Outcome, phase: Phase, units: Mapping[str, Unit], words: Words) -> str:
    """The order in words; of a build or removal that was made the unit alone, beside which the result says the rest."""
    order = outcome.order
    if order is None:
        return ""
    if outcome.result is Result.SUCCEEDS and isinstance(order, Build):
        return words.unit_at(order.type, order.at)
    if outcome.result is Result.SUCCEEDS and isinstance(order, Disband) and outcome.unit:
        return words.unit(outcome.unit)
    return words.order(order, units, phase)


def _aftermath(facts: ResultFacts, words: Words, sentence: Sentence) -> tuple[PowerRows, ...]:
    """What happened in the phases passed over, but for the dislodged units that had nowhere to go, or that nobody plays:
    those are told as such."""
    rows: dict[str, list[Row]] = {}
    winter = Phase("W", Phase.parse(facts.common.phase).year, "A")
    told = {d.unit for d in facts.adjudication.dislodged if d.unit.power in facts.common.rules.powers_unplayed}
    for outcome in facts.adjudication.aftermath:
        if outcome.reason.code != "no-retreat-possible" and outcome.unit not in told:
            units = {outcome.unit.province: outcome.unit} if outcome.unit else {}
            row = order_row(outcome, winter, units, {}, words, sentence)
            rows.setdefault(outcome.power, []).append(replace(row, filled_in=False))
    return tuple(PowerRows(power, tuple(found)) for power, found in rows.items())


def _gained(before: Position, after: Position, power: str, words: Words) -> tuple[str, ...]:
    """The centres that ``power`` owns in ``after`` and not in ``before``, named and sorted by name."""
    gained = {c for c, p in after.owners.items() if p == power} - {c for c, p in before.owners.items() if p == power}
    return tuple(sorted(map(words.province, gained)))


def _lost_retreating(facts: ResultFacts, power: str) -> list[Unit]:
    """The dislodged units of ``power`` that did not get away."""
    got_away = {
        o.unit.province
        for o in facts.adjudication.outcomes
        if o.power == power and o.unit and isinstance(o.order, Move) and o.result is Result.SUCCEEDS
    }
    return [d.unit for d in facts.before.dislodged if d.unit.power == power and d.unit.province not in got_away]


# ---------------------------------------------------------------------- receipts


@dataclass(frozen=True, slots=True)
class HeldRow:
    """An order that will be used, in words; ``since`` as in the facts. In a sealed receipt there is only its ``unit``, and
    not even that in adjustments."""

    order: str
    held: Held | OnFile
    unit: str = ""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question with its numbered answers."""

    line: str
    why: tuple[str, ...]
    choices: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class NotUsedRow:
    """A line that could not be used, why, and what may have been meant."""

    line: str
    why: tuple[str, ...]
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """A receipt as its template shows it."""

    held: tuple[HeldRow, ...]
    missing: tuple[str, ...]
    questions: tuple[QuestionRow, ...]
    not_used: tuple[NotUsedRow, ...]
    replaced: tuple[tuple[str, str], ...]
    gave_way: tuple[str, ...]
    taken_off: tuple[str, ...]
    cancelled: tuple[str, ...]
    late_orders: tuple[str, ...]
    needed: int
    given: int
    movement: bool
    retreat_phase: bool
    adjustments: bool
    only_command: str
    only_press: bool = False
    only_answers: bool = False
    #: how many units of the reader's are in other hands
    away: int = 0
    #: those of ``missing`` that are other powers', in the reader's hands
    missing_lent: tuple[str, ...] = ()


def needed(due: Due | None) -> int:
    """How many orders a power owes in all."""
    if due is None:
        return 0
    kind = Phase.parse(due.phase).kind
    if kind == "M":
        return len(due.units)
    return len(due.retreats) if kind == "R" else due.builds + due.removals


def receipt_view(facts: ReceiptFacts, words: Words, sentence: Sentence, suggest: Suggest) -> ReceiptView:
    """Work out a receipt. ``suggest`` turns a canonical suggestion into the reader's words."""
    units = by_province(facts.position)
    phase = Phase.parse(facts.common.phase)
    total = needed(facts.due)
    open_ = len(facts.missing) + facts.unused_builds
    told = (facts.not_used, facts.questions, facts.replaced, facts.gave_way, facts.taken_off, facts.cancelled, facts.late)
    orders_touched = any(told) or None in {*(h.since for h in facts.held), *(o.since for o in facts.on_file)}
    besides = facts.press or facts.answers

    lent = {place for place, _, proxy in facts.hands if proxy == facts.common.power}

    def unit(province: str | None) -> str:
        return next(_missing([province], units, words)) if province else ""

    return ReceiptView(
        held=(
            *(HeldRow(words.order(held.order, units, phase), held) for held in facts.held),
            *(HeldRow("", one, unit(one.at)) for one in facts.on_file),
        ),
        missing=tuple(_missing(facts.missing, units, words)),
        questions=tuple(_question(q, units, words, sentence) for q in facts.questions),
        not_used=tuple(_not_used(line, sentence, suggest) for line in facts.not_used),
        replaced=tuple((words.order(r.old, units, phase), words.order(r.new, units, phase)) for r in facts.replaced),
        gave_way=tuple(map(unit, facts.gave_way)),
        taken_off=tuple(map(unit, facts.taken_off)),
        cancelled=tuple(map(unit, facts.cancelled)),
        late_orders=tuple(words.order(order, units, phase) for order in facts.late.orders) if facts.late else (),
        needed=total,
        given=max(0, total - open_),
        movement=phase.kind == "M",
        retreat_phase=phase.kind == "R",
        adjustments=phase.kind == "A",
        only_command=facts.commands[0].name if len(facts.commands) == 1 and not (orders_touched or besides) else "",
        only_press=bool(facts.press) and not (orders_touched or facts.commands or facts.answers),
        only_answers=bool(facts.answers) and not (orders_touched or facts.press or facts.commands),
        away=sum(owner == facts.common.power for _, owner, _ in facts.hands),
        missing_lent=tuple(_missing([at for at in facts.missing if province_of(at) in lent], units, words)),
    )


def _held_ahead(facts: ResultFacts, words: Words) -> tuple[HeldRow, ...]:
    """The orders on file for the phase that opens, out of what was written ahead."""
    after = facts.adjudication.position
    units = by_province(after)
    return (
        *(HeldRow(words.order(order, units, after.phase), Held(order)) for order in facts.held),
        *(HeldRow("", OnFile(place), next(_missing([place], units, words)) if place else "") for place in facts.on_file),
    )


def _missing(places: Sequence[str], units: Mapping[str, Unit], words: Words) -> Iterator[str]:
    for place in places:
        unit = units.get(province_of(place))
        yield words.unit(unit) if unit else words.place(place)


def _question(question: Question, units: Mapping[str, Unit], words: Words, sentence: Sentence) -> QuestionRow:
    choices = tuple((number, words.order(order, units)) for number, order in enumerate(question.choices, question.first))
    return QuestionRow(question.line, tuple(sentence(p) for p in question.problems), choices)


def _not_used(line: NotUsed, sentence: Sentence, suggest: Suggest) -> NotUsedRow:
    return NotUsedRow(line.line, tuple(sentence(p) for p in line.problems), tuple(map(suggest, line.suggestions)))
