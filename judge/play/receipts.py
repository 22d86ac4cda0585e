"""A receipt as stored facts: what the event's transaction writes into the outbox, and what the mail is made of later.

Stored are canonical order texts, codes with arguments and instants: everything that was true at that moment, so that the
receipt says it even if it is rendered after the next mail came in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from judge.notation import parse_canonical, write
from judge.play.answering import of_stored
from judge.play.judge import Table
from judge.render.facts import (
    Answer,
    CommandDone,
    Common,
    Due,
    Held,
    KeptList,
    Late,
    LaterLines,
    NotUsed,
    OnFile,
    PressDone,
    Question,
    ReceiptFacts,
    Replaced,
    Standing,
)
from judge.rules.board import Board, province_of
from judge.rules.orders import Order, Waive
from judge.rules.outcome import Arg
from judge.store import codec
from judge.store.db import instant, instant_or_none, stamp

#: The code of an order on file that a mail took off by not saying it again; its line is the order, not the player's.
NOT_SAID_AGAIN = "note.not-said-again"
#: That of an order, on file or new, that cancelled out with one of a mail that may have been written later or earlier.
CANNOT_TELL = "note.cannot-tell"
#: good orders that do not count because of another one of the same power: by elimination they would tell which that is
_BESIDE_ANOTHER = frozenset(
    {"first-counts", "contradictory", "type-yields", "nationality-yields", "site-twice", "too-many-builds"}
    | {"too-many-removals", "note.first-mail"}
)


@dataclass(frozen=True, slots=True)
class Why:
    """Why a line was not used: a code with arguments, and the house rule that decided, if one did."""

    code: str
    args: Mapping[str, Arg] = field(default_factory=dict)
    rule: str | None = None


@dataclass
class Draft:
    """A receipt while its mail is being taken in: what is found is added as it is found."""

    subject: str
    #: lines that could not be used: (line, why, suggestions)
    not_used: list[tuple[str, list[Why], Sequence[str]]] = field(default_factory=list)
    #: questions: (line, choices as canonical orders, why)
    questions: list[tuple[str, Sequence[str], list[Why]]] = field(default_factory=list)
    #: (old, new) canonical texts
    replaced: list[tuple[str, str]] = field(default_factory=list)
    commands: list[CommandDone] = field(default_factory=list)
    late: dict[str, Any] | None = None
    empty: bool = False
    #: what became of each message to other players, as judge.play.press tells it
    press: list[dict[str, Any]] = field(default_factory=list)
    #: whether to say what is kept for later phases
    later: bool = False
    #: other games that lines of the mail were taken in for
    elsewhere: list[str] = field(default_factory=list)
    #: the answers to commands
    answers: list[Answer] = field(default_factory=list)


def late_args(
    kind: str,
    phase: str,
    at: datetime | None,
    held_since: datetime | None,
    texts: Sequence[str],
    fits: bool,
    arrived: datetime,
) -> dict[str, Any]:
    """Why a mail's orders were not applied, as stored."""
    return {
        "kind": kind,
        "phase": phase,
        "instant": None if at is None else stamp(at),
        "held_since": None if held_since is None else stamp(held_since),
        "orders": list(texts),
        "count": len(texts),
        "fits": fits,
        "arrived": stamp(arrived),
    }


def again(order: Order, now: datetime) -> dict[str, Any]:
    """An order that a unit repeats (``orders.perpetual``) among those held: not by this mail, whenever it was."""
    return {"text": write(order), "since": stamp(now), "repeated": False, "again": True}


def place_of(text: str, table: Table) -> str | None:
    """All that a sealed receipt says of an order on file: the province of its unit; in adjustments nothing."""
    order = parse_canonical(text, table.board)
    return None if table.position.phase.kind == "A" or isinstance(order, Waive) else province_of(order.at)


def whys_args(problems: Sequence[Why]) -> list[dict[str, Any]]:
    """Reasons as stored."""
    return [{"code": w.code, "args": {k: codec.arg_out(v) for k, v in w.args.items()}, "rule": w.rule} for w in problems]


def not_used_of(stored: Sequence[Mapping[str, Any]]) -> tuple[NotUsed, ...]:
    """Lines that could not be used, out of stored arguments."""
    return tuple(NotUsed(one["line"], _whys(one["problems"]), tuple(one["suggestions"])) for one in stored)


def seal(args: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """The same receipt without any order that is or was on file, or that was meant to be (``orders.secrecy``, CN-19).

    What is left says which units have an order and which have none. In adjustments not even that: a removal's unit, and
    where something is built, is the order itself. An order that is repeated (``orders.perpetual``) was published when it was
    given, so that nothing may tell it from one that this mail gave.

    Of orders that gave way to another one of the same power only the number is told: who lists all that could be ordered
    would have the one that counts proved to them by elimination.

    Lines that were not used for themselves stay quoted, since they must be mended. That proves nothing to whoever is shown
    the receipt: such a line is anything that its writer cared to type, it orders no unit, and the good line for the same
    unit, beside it or in the next mail, is not shown. So do the choices of a question, which are the reader's and not the
    writer's; which one was taken is never said.
    """

    def place(text: str) -> str | None:
        return place_of(text, table)

    def places(code: str) -> list[str | None]:
        """Of the orders that are told of with ``code``: each province once. (In adjustments none is named.)"""
        return list(dict.fromkeys(place(entry["line"]) for entry in args["not_used"] if says(entry, code)))

    def says(entry: Mapping[str, Any], code: str) -> bool:
        return any(problem["code"] == code for problem in entry["problems"])

    def beside_another(entry: Mapping[str, Any]) -> bool:
        return any(problem["code"] in _BESIDE_ANOTHER for problem in entry["problems"])

    late = args["late"]
    gave_way = [place(old) for old, _ in args["replaced"]]
    return {
        **args,
        "sealed": True,
        "subject": "",
        "held": [],
        "replaced": [],
        "on_file": [
            {"at": place(held["text"]), "since": None if held.get("again") else held["since"]} for held in args["held"]
        ],
        "gave_way": gave_way + [None for entry in args["not_used"] if beside_another(entry)],
        "taken_off": places(NOT_SAID_AGAIN),
        "cancelled": places(CANNOT_TELL),
        "not_used": [
            one
            for one in args["not_used"]
            if not (says(one, NOT_SAID_AGAIN) or says(one, CANNOT_TELL) or beside_another(one))
        ],
        "late": None if late is None else {**late, "orders": []},
        "later": [{**kept, "lines": [], "lists": []} for kept in args["later"]],
    }


def facts_of(args: Mapping[str, Any], common: Common, table: Table, due: Due | None) -> ReceiptFacts:
    """The stored arguments of a receipt -> what the mail is rendered from."""
    board = table.board
    return ReceiptFacts(
        common=common,
        number=args["number"],
        position=table.position,
        due=_by_hands(due, args, common, table),
        held=tuple(
            Held(
                order=parse_canonical(h["text"], board),
                since=instant_or_none(h["since"]),
                repeated=h["repeated"],
                again=h.get("again", False),
                listed=h.get("listed", False),
            )
            for h in args["held"]
        ),
        missing=tuple(args["missing"]),
        unused_builds=args["open_count"],
        complete=args["complete"],
        ready=args["ready"],
        waiting=args["waiting"],
        not_used=not_used_of(args["not_used"]),
        questions=tuple(
            Question(
                q["line"],
                tuple(parse_canonical(c, board) for c in q["choices"]),
                _whys(q["problems"]),
                q["first"],
            )
            for q in args["questions"]
        ),
        replaced=tuple(Replaced(parse_canonical(old, board), parse_canonical(new, board)) for old, new in args["replaced"]),
        commands=tuple(CommandDone(c["name"], c["result"], c["count"]) for c in args["commands"]),
        late=None if args["late"] is None else _late(args["late"], board),
        empty=args["empty"],
        standings=tuple(Standing(**s) for s in args["standings"]),
        in_reply_subject=args["subject"],
        press=press_of(args),
        sealed=args.get("sealed", False),
        on_file=tuple(OnFile(one["at"], instant_or_none(one["since"])) for one in args.get("on_file", ())),
        gave_way=tuple(args.get("gave_way", ())),
        taken_off=tuple(args.get("taken_off", ())),
        cancelled=tuple(args.get("cancelled", ())),
        hands=tuple((place, owner, proxy) for place, owner, proxy in args.get("hands", ())),
        later=tuple(_later(kept, board) for kept in args.get("later", ())),
        elsewhere=tuple(args.get("elsewhere", ())),
        answers=of_stored(args.get("answers", ())),
        commitment=args.get("commitment", ""),
    )


def _later(kept: Mapping[str, Any], board: Board) -> LaterLines:
    lists = tuple(
        KeptList(one["kind"], one["unit"], tuple(parse_canonical(text, board) for text in one["orders"]))
        for one in kept.get("lists", ())
    )
    return LaterLines(kept["phase"], tuple(kept["lines"]), kept["count"], kept.get("always", ""), lists)


def _by_hands(due: Due | None, args: Mapping[str, Any], common: Common, table: Table) -> Due | None:
    """What the reader owes: the orders of the units that are in the reader's hands too, and not of those in others'."""
    lent = {place for place, _, proxy in args.get("hands", ()) if proxy == common.power}
    away = {place for place, owner, _ in args.get("hands", ()) if owner == common.power}
    if due is not None and away:
        own = tuple(u for u in due.units if u.province not in away)
        due = replace(due, units=own, retreats=tuple(d for d in due.retreats if d.unit.province not in away))
    if not lent:
        return due
    due = due or Due(table.phase.name, table.phase.deadline)
    units = tuple(u for u in table.position.units if u.province in lent and table.position.phase.kind == "M")
    fallen = tuple(d for d in table.position.dislodged if d.unit.province in lent)
    return replace(due, units=(*due.units, *units), retreats=(*due.retreats, *fallen))


def press_of(args: Mapping[str, Any]) -> tuple[PressDone, ...]:
    """What became of the press in a mail, out of the stored arguments of its answer."""
    return tuple(
        PressDone(
            to=tuple(told["to"]),
            absent=tuple(told["absent"]),
            everybody=told["everybody"],
            grey=told["grey"],
            named=told["named"],
            why=told["why"],
            args=told["args"],
            text=told["text"],
            whole=told["whole"],
        )
        for told in args.get("press", ())
    )


def _late(late: Mapping[str, Any], board: Board) -> Late:
    return Late(
        kind=late["kind"],
        phase=late["phase"],
        instant=None if late["instant"] is None else instant(late["instant"]),
        held_since=None if late["held_since"] is None else instant(late["held_since"]),
        orders=tuple(parse_canonical(text, board) for text in late["orders"]),
        fits=late["fits"],
        first=late.get("first", 0),
        count=late.get("count", len(late["orders"])),
        arrived=instant(late["arrived"]),
    )


def _whys(stored: Sequence[Mapping[str, Any]]) -> tuple[Why, ...]:
    return tuple(Why(w["code"], {key: codec.arg_in(value) for key, value in w["args"].items()}, w["rule"]) for w in stored)
