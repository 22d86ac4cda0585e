"""One example of every mail, built by hand: ``mails["result"]``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.render import refusals
from judge.render.facts import (
    Answer,
    AnswerFacts,
    CommandDone,
    Common,
    ConfirmFacts,
    Drawn,
    Due,
    EndFacts,
    Facts,
    ForwardFacts,
    Held,
    HelpFacts,
    Late,
    LaterLines,
    MailFailing,
    MasterFacts,
    NotDone,
    NoticeFacts,
    NotUsed,
    OnFile,
    PowerDraw,
    PressDone,
    PressFacts,
    Question,
    ReceiptFacts,
    Replaced,
    ResultFacts,
    RuleChange,
    RulesFacts,
    RunAgain,
    Seat,
    SeatState,
    Standing,
    StartFacts,
    TooEarlyFacts,
    Year,
)
from judge.render.heldfacts import Decided, HeldLetter
from judge.rules.board import Board, Unit, province_of
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Support, Waive
from judge.rules.outcome import Adjudication, GameEnd, Outcome, Reason, Result
from judge.rules.position import Dislodged, Phase, Position, starting_position
from judge.variants.board import load_board

NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 12, 3, 20, 0, tzinfo=UTC)
PLACEHOLDER = "abcdefghijklmnop"
#: every argument that a refused house rule can have
REFUSED: dict[str, Any] = {
    "key": "victory.end.turn",
    "value": "Q1908",
    "near": ["victory.end.when", "victory.end.counts"],
    "values": ["units", "centres"],
    "form": "turn",
    "turn": "F1901",
    "first": "S1902",
    "phase": "F1901M",
    "first_phase": "S1901M",
    "last_phase": "W1901A",
    "place": "vie",
    "power": "Italy",
    "open": "F1901R",
    "phases": ["S1901M", "F1901M"],
    "days": 366,
    "at": NOW,
    "earliest": DEADLINE,
    "game": "spring42",
    "most": 34,
    "more": 7,
    "count": 3,
    "year": 1901,
    "example": "SET victory.end.turn=F1908",
    "forms": "STATUS / SUMMARY",
    "verb": "SUMMARY",
    "percent": 80,
    "has": 60,
    "text": "a word of theirs",
    "chapters": ["HELP ORDERS", "HELP ME"],
    "powers": ["Italy", "Turkey"],
    "address": "x",
    "examples": ["24 h", "48 h"],
    "lines": 60,
    "presets": ["standard"],
}
SEALED = replace(STANDARD, orders_secrecy="sealed")


#: rows of data/answers/*.json: an answer to a command, as it is stored
ANSWERS: dict[str, dict[str, Any]] = {
    f"answer, {row['name']}": row
    for file in sorted((Path(__file__).parent / "data" / "answers").glob("*.json"))
    for row in json.loads(file.read_text("utf-8"))
}


def _with_instants(value: Any) -> Any:
    """Stored arguments with their instants, as the judge hands them to whoever renders."""
    if isinstance(value, dict):
        return (
            datetime.fromisoformat(value["$at"])
            if value.keys() == {"$at"}
            else {k: _with_instants(v) for k, v in value.items()}
        )
    return [_with_instants(one) for one in value] if isinstance(value, list) else value


def _stored(*names: str) -> tuple[Answer, ...]:
    """Examples of answers by their names."""
    rows = (ANSWERS[f"answer, {name}"] for name in names)
    return tuple(Answer(row["code"], _with_instants(row["args"])) for row in rows)


def _answers(board: Board, common: Any, receipt: ReceiptFacts) -> dict[str, Facts]:
    """Each answer alone to somebody who has no seat, and in a receipt; a row with ``"in": "game"`` needs a game."""
    made: dict[str, Facts] = {}
    for name, row in ANSWERS.items():
        answer = Answer(row["code"], _with_instants(row["args"]))
        alone = AnswerFacts("judge.example.org", NOW, board, (answer,), "a question")
        made[name] = replace(receipt, answers=(answer,)) if row.get("in") == "game" else alone
    some = tuple(Answer(row["code"], _with_instants(row["args"])) for row in list(ANSWERS.values())[:3])
    made["receipt, answers"] = replace(receipt, answers=some)
    made["too early, answers"] = TooEarlyFacts(common(), answers=some)
    return made


@dataclass(frozen=True)
class Stored:
    """A problem as it comes back from the store."""

    code: str
    args: dict[str, Any]


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board()


@pytest.fixture(scope="session")
def placeholder() -> str:
    return PLACEHOLDER


@pytest.fixture(scope="session")
def common(board: Board) -> Any:
    """``common(phase=..., power=..., ...)``: what every mail knows."""

    def make(phase: str = "S1901M", power: str = "France", rules: HouseRules = STANDARD, **more: Any) -> Common:
        values: dict[str, Any] = {"deadline": DEADLINE, "player": "Camille", **more}
        address = f"spring42+{PLACEHOLDER}@judge.example.org"
        values = {"game": "spring42", "domain": "judge.example.org", "reply_to": address, "now": NOW, **values}
        return Common(phase=phase, power=power, board=board, rules=rules, **values)

    return make


def _outcome(position: Position, power: str, order: Order, result: Result, reason: Reason, **more: Any) -> Outcome:
    at = province_of(getattr(order, "at", ""))
    units = [*position.units, *(d.unit for d in position.dislodged)]
    unit = next((u for u in units if u.province == at and u.power == power), None)
    return Outcome(power, order, unit, result, reason, **more)


@pytest.fixture(scope="session")
def outcome() -> Any:
    return _outcome


@pytest.fixture(scope="session")
def mails(board: Board, common: Any) -> dict[str, Facts]:
    """Name -> facts, at least one of every kind and of every part that a kind can have."""
    start = starting_position(board)
    mine = start.units_of("France")
    due = Due("S1901M", DEADLINE, units=mine)
    seats = tuple(Seat(p, f"Player {p}", f"{p.lower()}@example.org") for p in board.powers)
    held = (
        Held(Move("A", "par", "bur")),
        Held(Support("A", "mar", "A", "par", "bur")),
        Held(Move("F", "bre", "mao"), since=NOW - timedelta(hours=6)),
    )
    complete = ReceiptFacts(common(), 18, start, due, held=held, complete=True)
    return {
        "start": StartFacts(common(), seats, due),
        "start, addresses hidden": StartFacts(common(player=None, early=False), tuple(map(Seat, board.powers)), due),
        "start of a game to 1910": StartFacts(
            common(rules=replace(STANDARD, victory_end_turn="F1910", victory_end_counts="units")), seats, due
        ),
        "start of a game for six": StartFacts(
            common(rules=replace(STANDARD, powers_unplayed=("Austria",), nmr="civil-disorder")), seats, due
        ),
        **{f"start, power {how}": _drawn(common, seats, due, how) for how in HOWS},
        "receipt": replace(
            complete,
            held=held[:2],
            complete=False,
            missing=("bre",),
            not_used=(NotUsed("A Pars H", (Stored("read.unknown-place", {"word": "Pars"}),), ("A PAR H",)),),
            questions=(Question("f mid-spain", (Move("F", "mao", "spa/nc"), Move("F", "mao", "spa/sc")), first=2),),
            replaced=(Replaced(Move("A", "par", "pic"), Move("A", "par", "bur")),),
            commands=(CommandDone("READY", "refused"),),
        ),
        "receipt, complete": complete,
        "receipt, commitment": replace(complete, commitment="17fee1a5d64f1771" * 4),
        "receipt, ready": replace(complete, ready=True, commands=(CommandDone("READY"),)),
        "receipt, waiting": replace(complete, waiting=True, commands=(CommandDone("WAIT"),)),
        "receipt, sealed": replace(
            complete,
            common=common(rules=SEALED),
            held=(),
            sealed=True,
            on_file=(OnFile("par"), OnFile("mar", NOW - timedelta(hours=6)), OnFile(None)),
            gave_way=("par", None),
            taken_off=("bre", None),
            cancelled=("mar", None),
            late=Late("after-deadline", "S1901M", DEADLINE - timedelta(days=3), count=2, arrived=DEADLINE),
        ),
        "receipt, other hands": replace(
            complete,
            held=(complete.held[0], *(replace(held, since=NOW, again=True) for held in complete.held[1:])),
            hands=(("mar", "France", "England"), ("mun", "Germany", "France")),
            commands=(CommandDone("PROXY"),),
        ),
        "receipt, cleared": ReceiptFacts(
            common(), 3, start, due, missing=("bre", "mar", "par"), commands=(CommandDone("CLEAR", count=3),)
        ),
        "receipt, help and status": replace(
            complete,
            commands=(CommandDone("HELP"), CommandDone("STATUS")),
            standings=tuple(Standing(p, 3, 3, "partial" if p == "France" else None) for p in board.powers),
        ),
        "receipt, after the deadline": replace(
            complete,
            late=Late(
                "after-deadline",
                "S1901M",
                DEADLINE - timedelta(days=3),
                orders=(Move("A", "par", "gas"),),
                arrived=DEADLINE - timedelta(days=2),
            ),
        ),
        "receipt, earlier phase": replace(
            complete,
            common=common("F1901M"),
            late=Late("earlier-phase", "S1901M", orders=(Move("A", "par", "gas"),), fits=True, first=4),
        ),
        "receipt, older date": replace(
            complete,
            late=Late("older-date", "S1901M", NOW - timedelta(days=1), NOW - timedelta(hours=2), fits=True, first=1),
        ),
        "receipt, empty": ReceiptFacts(common(), 4, start, due, missing=("bre", "mar", "par"), empty=True),
        "receipt, builds": ReceiptFacts(
            common("W1901A"),
            9,
            Position(Phase.parse("W1901A"), mine[:1], start.owners),
            Due("W1901A", DEADLINE, builds=2, build_sites=("mar", "par")),
            held=(Held(Build("A", "par")),),
            unused_builds=1,
        ),
        "receipt, waive": ReceiptFacts(
            common("W1901A"),
            9,
            Position(Phase.parse("W1901A"), mine[:1], start.owners),
            Due("W1901A", DEADLINE, builds=2, build_sites=("mar", "par")),
            held=(Held(Build("A", "par")), Held(Waive())),
            complete=True,
        ),
        "receipt, removal": ReceiptFacts(
            common("W1901A"),
            9,
            Position(Phase.parse("W1901A"), mine, {"par": "France", "bre": "France"}),
            Due("W1901A", DEADLINE, removals=1),
            unused_builds=1,
        ),
        "receipt, nothing due": ReceiptFacts(common("S1901R"), 9, start, None),
        **_ahead(board, common, start, due, held),
        "result": _spring(board, common, start),
        "result, commitments": replace(
            _spring(board, common, start),
            commitments=(("Austria", 1, "687b026995da9e2d" * 4), ("France", 12, "507c7bbcf9f52fe0" * 4)),
            nonce="7788fd86c34d1272fa350493ca1e85e6",
        ),
        "result, other hands": replace(
            _spring(board, common, start), repeated=("bre",), proxies={"mar": "England", "mun": "France"}
        ),
        "result, reader in disorder": replace(
            _spring(board, common, start), disorder={"Austria": "over", "France": "began", "Turkey": "goes-on"}
        ),
        "result, others in disorder": replace(
            _spring(board, common, start), disorder={"Austria": "began", "France": "over", "Turkey": "began"}
        ),
        "result, reader still in disorder": replace(_spring(board, common, start), disorder={"France": "goes-on"}),
        "result, Austria unplayed": _unplayed(board, common, start),
        "result, Fall": _fall(common, start),
        "result, retreats": _retreats(common),
        "result, adjustments": _adjustments(common),
        "result, game over": _over(common, start),
        "result, game over, who played": replace(_over(common, start), seats=seats),
        "result, every outcome": _every(common, "F1903M"),
        "result, every retreat": _every(common, "F1903R"),
        "result, every adjustment": _every(common, "W1903A"),
        "end": EndFacts(
            common("W1910A", deadline=None),
            GameEnd("victory.centres", ("France",), {"France": 18, "Russia": 9}),
            start,
            tuple(Year(1900 + i, {p: i % 4 for p in board.powers}) for i in range(11)),
            seats,
        ),
        "end, draw": EndFacts(
            common("W1910A", deadline=None, rules=replace(STANDARD, victory_end_turn="F1910")),
            GameEnd("victory.end", ("France", "Turkey"), {"France": 9, "Turkey": 9}),
            start,
            (),
        ),
        "notice, deadline": NoticeFacts(
            common(), "deadline-changed", {"old": DEADLINE, "new": DEADLINE + timedelta(days=2)}, "Ana", "Christmas"
        ),
        "notice, no deadline": NoticeFacts(common(), "deadline-changed", {"old": DEADLINE, "new": None}),
        "notice, proxy": NoticeFacts(common(), "proxy-given", {"power": "Germany", "places": ["mun", "kie"]}),
        "notice, proxy over": NoticeFacts(common(), "proxy-taken", {"power": "Germany", "places": ["mun"]}),
        "notice, postponed": NoticeFacts(common(), "postponed", {"old": DEADLINE - timedelta(days=1), "new": DEADLINE}),
        "notice, rule": NoticeFacts(
            common(), "rules-changed", {"changes": (RuleChange("nmr", "hold", "postpone", "postpone", "F1901M"),)}, "Ana"
        ),
        "notice, rules": NoticeFacts(
            common(),
            "rules-changed",
            {
                "changes": (
                    RuleChange("victory.end.turn", "", "F1908", "F1908", "F1901M"),
                    RuleChange("coast.aliases", "", "bul/nc=bul/ec", {"bul/nc": "bul/ec"}),
                )
            },
            "Ana",
        ),
        "rules": RulesFacts(common()),
        "rules, one to come": RulesFacts(common(), (RuleChange("move.convoy_swap", "true", "false", False),)),
        "master, letter": MasterFacts(
            replace(common(), power="master", phase="", deadline=None),
            "forming",
            letter=True,
            help=True,
            seats=(SeatState("France", "camille@example.org"), SeatState("Italy", None)),
        ),
        "master, started": MasterFacts(
            replace(common(), power="master"),
            "running",
            started=True,
            seats=tuple(
                SeatState("France", "camille@example.org", state)
                for state in ("complete", "partial", "none", "not-needed", "civil-disorder", None)
            ),
        ),
        "master, answer": MasterFacts(
            replace(common(), power="master"),
            "running",
            changes=(
                RuleChange("victory.end.turn", "F1910", "F1908", "F1908", "F1901M"),
                RuleChange("victory.clock.after", "", "30 d", "30 d"),
            ),
            why="as voted",
            same=("nmr",),
            not_done=tuple(NotDone("SET x=y", code, REFUSED) for code in refusals.SENTENCES),
            rules=True,
            coming=(RuleChange("move.convoy_swap", "true", "false", False),),
            help=True,
        ),
        "master, before the start": MasterFacts(
            replace(common(), power="master", phase="", deadline=None),
            "forming",
            changes=(RuleChange("nmr", "hold", "postpone", "postpone"),),
            same=("press.kinds",),
        ),
        "master, only bad values": MasterFacts(
            replace(common(), power="master"),
            "ended",
            not_done=tuple(NotDone("SET x=y", "rules.bad-form", {**REFUSED, "form": form}) for form in refusals.FORMS),
            seats=(SeatState("France", None),),
        ),
        **{
            f"master, unreachable, {name}": MasterFacts(
                replace(common("S1901M" if heard else "F1901R"), power="master"),
                "running",
                unreachable="France",
                heard=heard,
                seats=(SeatState("France", "camille@example.org", "none", failing),),
            )
            for name, heard, failing in (
                ("lost", NOW, MailFailing(NOW, "5.1.1", 2, 1)),
                ("late", None, MailFailing(NOW, "4.4.7", 0, 3)),
                ("of a reason that nobody knows", NOW, MailFailing(NOW, "5.0.0", 1, 0)),
            )
        },
        "master, reached again": MasterFacts(
            replace(common(), power="master"),
            "running",
            seats=(SeatState("France", "camille@example.org", "none", MailFailing(NOW, "5.1.1", 1, 0, DEADLINE)),),
        ),
        "notice, paused": NoticeFacts(common(), "paused", why="holidays"),
        "notice, resumed": NoticeFacts(common(), "resumed", {"new": DEADLINE}),
        "notice, seat": NoticeFacts(common(), "seat-changed", {"power": "Italy"}),
        "notice, paused until": NoticeFacts(common(deadline=None), "paused", {"until": DEADLINE}, "operator"),
        "notice, rolled back": NoticeFacts(common(), "rolled-back", {"phase": "S1901M"}),
        "notice, back from the end": NoticeFacts(
            common(),
            "rolled-back",
            {"phase": "S1901M", "undone": ["S1901M", "F1901M"], "new": DEADLINE, "was_over": True},
            "master",
            "my mistake",
            _stored("on file", "position"),
        ),
        "notice, back while paused": NoticeFacts(
            replace(common(deadline=None), paused=True, paused_until=DEADLINE),
            "rolled-back",
            {"phase": "S1901M", "undone": ["S1901M"], "new": None, "was_over": False},
            "master",
        ),
        "notice, late orders": NoticeFacts(
            common(), "late-accepted", {"phase": "S1901M"}, "master", "my mistake", _stored("on file")
        ),
        "notice, corrected": NoticeFacts(
            common(),
            "corrected",
            {"changes": ANSWERS["answer, corrected"]["args"]["changes"]},
            "master",
            "my mistake",
            _stored("cleared", "position"),
        ),
        "receipt, paused": replace(
            complete,
            common=replace(common(deadline=None), paused=True, comment="A word to all"),
            standings=tuple(Standing(power, 3, 3, None) for power in board.powers),
        ),
        "result, run again": replace(
            _spring(board, common, start), again=RunAgain("France", NOW, DEADLINE, "F1901M", "master", "my mistake")
        ),
        "result, run again at the shell": replace(
            _spring(board, common, start), again=RunAgain("France", NOW, None, "F1901R", "operator")
        ),
        "result, run by the master": replace(_spring(board, common, start), ran_early=True, run_by="master"),
        "result, run by a master who plays": replace(_spring(board, common, start), ran_early=True, run_by="master-plays"),
        "result, run at the shell": replace(_spring(board, common, start), ran_early=True, run_by="operator"),
        "master, paused": MasterFacts(
            replace(common(deadline=None), power="master", paused=True, paused_until=DEADLINE, comment="A word to all"),
            "running",
            seats=(SeatState("France", "camille@example.org", "none"),),
        ),
        "end, by the master": EndFacts(
            common("F1905M", deadline=None),
            GameEnd("master", ("France", "Russia"), {"France": 6, "Russia": 9}),
            start,
            (),
            by="master",
            why="as all agreed",
        ),
        "end, without a result": EndFacts(
            common("F1905M", deadline=None), GameEnd("master", (), {"France": 6}), start, (), by="operator"
        ),
        "notice, announcement": NoticeFacts(common(), "announcement", {"text": "Welcome to the tournament"}),
        **_press(common, start, due, held),
        **_votes(common, start),
        "help": HelpFacts("judge.example.org", NOW),
        **_answers(board, common, complete),
        "help of a game": HelpFacts("judge.example.org", NOW, "spring42"),
        **_held_mails(common),
        "mail for the operator": ForwardFacts("judge.example.org", NOW, 7, "Ana <ana@example.org>", "Hello", NOW),
        "mail for the operator, bare": ForwardFacts("judge.example.org", NOW, 8, "", "", NOW),
    }


def _ahead(board: Board, common: Any, start: Position, due: Due, held: tuple[Held, ...]) -> dict[str, Facts]:
    """What is kept for later phases and for other games, and what came of it when the phase opened."""
    lines = ("Fall 1901", "A Par - Bur", "build A Paris", "LATER F1903M", "陸軍 パリ→ブルゴーニュ")
    kept = (LaterLines("F1901M", lines, 5), LaterLines("W1901A", ("Builds:", "A Par"), 2))
    counted = tuple(replace(one, lines=()) for one in kept)
    commands = (CommandDone("CLEAR LATER", count=3), CommandDone("CLEAR LATER", "nothing"))
    receipt = ReceiptFacts(common(), 7, start, due, held, elsewhere=("autumn7", "fall1901"), later=kept)
    spring = _spring(board, common, start)
    result = replace(
        spring,
        due=replace(due, phase=str(spring.adjudication.position.phase)),
        held=(Move("A", "bur", "mun"), Build("A", "par"), Waive()),
        not_used=(NotUsed("A Ruh - Kie", (Reason("no-unit", {"at": "ruh"}),), ("A BUR-MUN",)),),
        not_needed=("S1901R", "F1901R"),
    )
    return {
        "receipt, written ahead": receipt,
        "receipt, written ahead and dropped": replace(receipt, commands=commands, elsewhere=(), later=()),
        "receipt, written ahead and sealed": replace(receipt, held=(), sealed=True, on_file=(OnFile("par"),), later=counted),
        "result, written ahead": result,
        "result, written ahead and sealed": replace(result, held=(), on_file=("bur", None)),
    }


def _held_mails(common: Any) -> dict[str, Facts]:
    """Questions whether a mail is the reader's, and what is said of the answers. The words are orders, as most will be."""
    words = "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO\nYES\nNEW ADDRESS\nGreetings, " + "x" * 150 + "…"
    named = HeldLetter(3, NOW, "camille@example.org", "not-proved", words)
    strange = HeldLetter(4, NOW, "A Par - Bur", "strange-address", "build A Paris")
    empty = HeldLetter(5, NOW, "", "strange-address", "")
    elsewhere = HeldLetter(6, NOW, "camille@phone.example", "strange-address", "build A Paris")
    unclear = HeldLetter(7, NOW, "build A Paris, x@example.org", "not-proved", "build A Paris")
    results = ("confirmed", "dropped", "already-confirmed", "already-dropped", "unclear")
    told = (
        *(Decided(number, result) for number, result in enumerate(results, 1)),
        Decided(None, "which"),
        Decided(None, "not-clear"),
    )
    master = replace(common(), power="master")
    return {
        "is this mail yours": ConfirmFacts(common(), (named,), by=DEADLINE),
        "is this mail from elsewhere yours": ConfirmFacts(common(), (strange,), by=DEADLINE),
        "are these mails yours": ConfirmFacts(common(), (named, strange, empty, elsewhere, unclear), by=DEADLINE),
        "is this mail yours, after the deadline": ConfirmFacts(common(), (named,), before_run=True),
        "is this mail yours, after the end": ConfirmFacts(common(deadline=None), (empty,)),
        "is this mail the master's": ConfirmFacts(master, (strange,), by=DEADLINE),
        "answers about held mails": ConfirmFacts(common(), (named, strange), told, by=DEADLINE),
        "one held mail is dropped": ConfirmFacts(common(), (), told[1:2]),
        "a new address": ConfirmFacts(common(), renewed=True),
        "a new address of the master": ConfirmFacts(master, renewed=True),
    }


HOWS = ("granted", "won", "left", "left without a wish", "ranked", "ranked but not wished", "came-first", "drawn")


def _drawn(common: Any, seats: tuple[Seat, ...], due: Due, how: str) -> StartFacts:
    """The reader got France in that way, the others drew."""
    by_how = {"won": ("France",), "left": ("Italy",), "granted": ("France",), "came-first": ("England", "France")}
    wishes = by_how.get(how, ())
    wishes = ("Italy", "England", "France") if how == "ranked" else ("Italy",) if how.startswith("ranked") else wishes
    mine = Drawn(2, "France", wishes, how.split()[0], 2, wishes.index("France") + 1 if "France" in wishes else None)
    others = tuple(Drawn(n, p) for n, p in ((1, "Austria"), (3, "Turkey")))
    draw = PowerDraw("5f0c", "judge draw preference --seed 5f0c - F -", (others[0], mine, others[1]))
    return StartFacts(common(), seats, due, draw)


def _spring(board: Board, common: Any, start: Position) -> ResultFacts:
    """France moves, one bounces, one unit has no order; Turkey sent nothing; Vienna is lost to a supported attack."""
    trieste = Unit("Italy", "A", "vie")
    driven = (Dislodged(Unit("Austria", "A", "vie"), "tyr", retreats=("boh", "gal")),)
    after = Position(
        Phase.parse("S1901R"),
        (*(u for u in start.units if u.at not in ("vie", "ven")), trieste),
        start.owners,
        driven,
    )
    munich, paris = Unit("Germany", "A", "mun"), Unit("France", "A", "par")
    outcomes = (
        _outcome(
            start,
            "France",
            Move("A", "par", "bur"),
            Result.BOUNCES,
            Reason("bounced", {"attack": 1, "rivals": (munich,), "strengths": ("1",)}),
        ),
        _outcome(start, "France", Move("F", "bre", "mao"), Result.SUCCEEDS, Reason("moved")),
        _outcome(start, "France", Hold("A", "mar"), Result.HOLDS, Reason("no-order"), filled_in=True),
        _outcome(
            start,
            "Germany",
            Move("A", "mun", "bur"),
            Result.BOUNCES,
            Reason("bounced", {"attack": 1, "rivals": (paris,), "strengths": ("1",)}),
        ),
        _outcome(start, "England", Convoy("F", "lon", "yor", "nwy"), Result.VOID, Reason("convoy-no-army", {"at": "yor"})),
        Outcome("England", None, None, Result.VOID, Reason("unreadable")),
        _outcome(
            start,
            "Austria",
            Hold("A", "vie"),
            Result.HOLDS,
            Reason("dislodged", {"strength": 1, "by": (trieste,), "attack": 2}),
            dislodged=True,
        ),
    )
    played = Adjudication(outcomes, after, units=after.units, dislodged=driven)
    return ResultFacts(common(), start, played, None, missed=("Turkey",))


def _unplayed(board: Board, common: Any, start: Position) -> ResultFacts:
    """The same where nobody plays Austria: its dislodged unit has disbanded."""
    spring = _spring(board, common, start)
    six = replace(spring.common, rules=replace(STANDARD, powers_unplayed=("Austria",)))
    return replace(spring, common=six)


def _fall(common: Any, start: Position) -> ResultFacts:
    """France takes Belgium and Spain, loses Brest with the fleet in it, and builds."""
    before = Position(
        Phase.parse("F1901M"),
        (Unit("France", "A", "pic"), Unit("France", "A", "gas"), Unit("France", "F", "bre"), Unit("England", "F", "eng")),
        start.owners,
    )
    owners = {**start.owners, "bel": "France", "spa": "France", "bre": "England"}
    after = Position(
        Phase.parse("W1901A"),
        (Unit("France", "A", "bel"), Unit("France", "A", "spa"), Unit("England", "F", "bre")),
        owners,
    )
    driven = (Dislodged(Unit("France", "F", "bre"), "eng"),)
    outcomes = (
        _outcome(before, "France", Move("A", "pic", "bel"), Result.SUCCEEDS, Reason("moved")),
        _outcome(before, "France", Move("A", "gas", "spa"), Result.SUCCEEDS, Reason("moved")),
        _outcome(
            before,
            "France",
            Hold("F", "bre"),
            Result.HOLDS,
            Reason("dislodged", {"strength": 1, "by": (Unit("England", "F", "eng"),), "attack": 2}),
            dislodged=True,
        ),
        _outcome(before, "England", Move("F", "eng", "bre"), Result.SUCCEEDS, Reason("moved")),
    )
    due = Due("W1901A", DEADLINE, builds=2, build_sites=("mar", "par"))
    aftermath = (
        Outcome(
            "France",
            Disband("F", "bre"),
            Unit("France", "F", "bre"),
            Result.SUCCEEDS,
            Reason("no-retreat-possible"),
            filled_in=True,
        ),
    )
    played = Adjudication(outcomes, after, ("F1901R",), units=after.units, dislodged=driven, aftermath=aftermath)
    return ResultFacts(common("F1901M"), before, played, due)


def _retreats(common: Any) -> ResultFacts:
    before = Position(
        Phase.parse("F1902R"),
        (Unit("Germany", "A", "bur"),),
        {"par": "France", "mun": "Germany"},
        (
            Dislodged(Unit("France", "A", "bur"), "mun", retreats=("gas", "pic")),
            Dislodged(Unit("France", "A", "ruh"), "mun", retreats=("hol",)),
        ),
    )
    after = Position(
        Phase.parse("W1902A"),
        (Unit("Germany", "A", "bur"), Unit("France", "A", "gas")),
        {"par": "France", "mun": "Germany"},
    )
    outcomes = (
        _outcome(before, "France", Move("A", "bur", "gas"), Result.SUCCEEDS, Reason("retreated")),
        _outcome(before, "France", Disband("A", "ruh"), Result.SUCCEEDS, Reason("disbanded")),
    )
    return ResultFacts(common("F1902R"), before, Adjudication(outcomes, after), None)


def _adjustments(common: Any) -> ResultFacts:
    before = Position(
        Phase.parse("W1902A"), (Unit("France", "A", "gas"), Unit("Germany", "A", "kie")), {"par": "France", "bre": "France"}
    )
    after = Position(
        Phase.parse("S1903M"), (Unit("France", "A", "gas"), Unit("France", "F", "bre")), {"par": "France", "bre": "France"}
    )
    outcomes = (
        _outcome(before, "France", Build("F", "bre"), Result.SUCCEEDS, Reason("built")),
        _outcome(before, "Germany", Disband("A", "kie"), Result.SUCCEEDS, Reason("removed")),
    )
    due = Due("S1903M", DEADLINE, units=after.units_of("France"))
    return ResultFacts(common("W1902A"), before, Adjudication(outcomes, after), due)


def _every(common: Any, phase: str) -> ResultFacts:
    """Every kind of order with every result it can have, given by France and by others."""
    kinds: dict[str, dict[Order, list[Result]]] = {
        "M": {
            Move("A", "par", "bur"): [Result.SUCCEEDS, Result.BOUNCES, Result.NO_CONVOY, Result.VOID],
            Move("A", "bre", "lon", via=True): [Result.SUCCEEDS, Result.BOUNCES, Result.NO_CONVOY, Result.VOID],
            Support("A", "mar", "A", "par", "bur"): [Result.GIVEN, Result.CUT, Result.UNMATCHED, Result.VOID],
            Support("F", "mao", "F", "spa/sc"): [Result.GIVEN, Result.CUT, Result.UNMATCHED, Result.VOID],
            Convoy("F", "eng", "bre", "lon"): [Result.GIVEN, Result.UNMATCHED, Result.DISRUPTED, Result.VOID],
            Hold("A", "gas"): [Result.HOLDS, Result.VOID],
        },
        "R": {
            Move("A", "par", "bur"): [Result.SUCCEEDS, Result.BOUNCES, Result.VOID],
            Disband("A", "par"): [Result.SUCCEEDS, Result.VOID],
        },
        "A": {
            Build("A", "par"): [Result.SUCCEEDS, Result.VOID],
            Build("F", "stp/nc"): [Result.SUCCEEDS, Result.VOID],
            Disband("A", "par"): [Result.SUCCEEDS, Result.VOID],
            Waive(): [Result.SUCCEEDS, Result.VOID],
        },
    }
    places = ("par", "mar", "mao", "eng", "gas", "bre")
    units = tuple(Unit("France", "F" if at in ("mao", "eng") else "A", at) for at in places)
    before = Position(Phase.parse(phase), units, {"par": "France", "bre": "France", "mar": "France"})
    outcomes = [
        _outcome(before, power, order, result, Reason("holds"), dislodged=dislodged)
        for order, results in kinds[phase[-1]].items()
        for result in results
        for power in ("France", "Italy")
        for dislodged in ((False, True) if phase[-1] == "M" else (False,))
    ]
    driven = (Dislodged(units[0], "bur", retreats=("pic", "gas")),) if phase[-1] == "M" else ()
    after = Position(Phase.parse("S1904M"), units, before.owners)
    played = Adjudication(tuple(outcomes), after, units=units, dislodged=driven)
    return ResultFacts(common(phase), before, played, Due("S1904M", DEADLINE, units=units))


#: orders and commands of the reader's own, a line as long as no screen, a table: none of it may come back as an order
LETTER = (
    "A Par - Bur\nF Bre - Mao\nbuild A Paris\nwaive\n1\nCLEAR\nEND\n\nA Par - Bur, F Bre - Mao, A Mar S A Par - Bur, and so"
    " on to the end of a long line\nEng   3   A\n<b>bold</b> & {{ 7*7 }} %(n)s " + "x" * 200
)
REFUSALS: dict[str, dict[str, Any]] = {
    "none": {},
    "closed": {"phase": "S1902M"},
    "white-only": {},
    "grey-only": {},
    "unclosed": {},
    "another-inside": {},
    "unknown": {"words": [["Frnace", ["France"]], ["Atlantis", []]]},
    "nobody-named": {},
    "no-master": {},
    "only-yourself": {},
    "nobody-there": {},
    "empty": {},
    "too-long": {"length": 20001, "most": 20000},
    "too-many": {"most": 20},
    "too-early": {},
}
PRESS = (
    "a statement", "a statement of the master",
    "signed", "to one", "to all", "from the master", "with an address", "grey", "grey to all", "passed on", "after the end",
    "before the start", *(f"refused, {why}" for why in REFUSALS),
)  # fmt: skip


#: kind, whose it is (none: only the number is told), whom it names, whether it is taken back
VOTES: dict[str, tuple[str, str | None, list[str], bool]] = {
    "for a draw": ("draw", "Italy", [], False),
    "for a draw of some": ("draw", "Italy", ["England", "France"], False),
    "for a draw, counted": ("draw", None, [], False),
    "for a draw, taken back": ("draw", "Italy", [], True),
    "for a draw, taken back, counted": ("draw", None, [], True),
    "concession": ("concede", "Italy", ["France"], False),
    "concession, counted": ("concede", None, ["France"], False),
    "concession taken back": ("concede", "Italy", ["France"], True),
    "concession taken back, counted": ("concede", None, ["France"], True),
}
#: what has become of a motion of each kind
MOTIONS: dict[str, dict[str, Any]] = {
    f"{what} {kind}": {
        "what": what, "kind": kind, "number": 3, "proposer": "Italy", "ayes": 2, "nays": 1, "of": 7,
        "expires": "2026-12-16T20:00:00.000000Z",
        "seconds": 172800 if kind == "extend" else None,
        "until": "2026-12-24T20:00:00.000000Z" if kind == "pause" else None,
        "power": "Turkey" if kind == "replace" else None,
    }
    for what, kind in (
        ("opened", "extend"), ("opened", "pause"), ("opened", "resume"), ("opened", "replace"), ("failed", "extend"),
        ("not-done", "replace"),
    )
}  # fmt: skip
ENDS_BY_VOTE = ("end, by a vote", "end, by a vote for some", "end, by concession", "end, to the master")


def _votes(common: Any, start: Position) -> dict[str, Facts]:
    """Word of votes that are not secret, and the last mail of a game that was ended by them."""
    made: dict[str, Facts] = {}
    for name, (kind, power, powers, back) in VOTES.items():
        args = {"kind": kind, "power": power, "powers": powers, "back": back, "have": 2, "of": 5}
        made[f"notice, vote {name}"] = NoticeFacts(common(), "vote", args)
    for name, motion in MOTIONS.items():
        made[f"notice, motion {name}"] = NoticeFacts(common(), "motion", motion)
    counts = {"England": 3, "France": 12, "Italy": 9}
    lists = common("F1905R", deadline=None, rules=replace(STANDARD, draw_kind="lists"))
    ends = (
        (common("F1905M", deadline=None), "draw.vote", ("England", "France", "Italy")),
        (lists, "draw.vote", ("France", "Italy")),
        (common("F1905M", deadline=None), "draw.concede", ("France",)),
        (common("F1905M", power="master", deadline=None), "draw.vote", ("France", "Italy")),
    )
    for name, (where, ended_by, winners) in zip(ENDS_BY_VOTE, ends, strict=True):
        made[name] = EndFacts(where, GameEnd(ended_by, winners, counts), start, (), called_off=True)
    return made


def _press(common: Any, start: Position, due: Due, held: tuple[Held, ...]) -> dict[str, Facts]:
    """Press as its readers get it, and what its writer is told of it."""
    receipt = ReceiptFacts(common(), 7, start, due, held=held, complete=True)
    done = PressDone(("England", "master"), "England", ("Italy",), text="A Par - Bur\nF Bre - Mao")
    grey = PressDone(("England",), everybody=True, grey=True, text="A Par - Bur")
    end = GameEnd("victory.centres", ("France",), {"France": 18, "Russia": 9})
    early = PressDone((), "F", why="press.too-early", text=LETTER)
    return {
        "press, signed": PressFacts(common(), LETTER, "England", to=("France", "Russia", "master")),
        "press, to one": PressFacts(common(), LETTER, "England", to=("France",)),
        "press, to all": PressFacts(common(), LETTER, "England", to=("France", "Russia"), everybody=True),
        "press, from the master": PressFacts(common(), LETTER, "master", to=("France",)),
        "press, with an address": PressFacts(common(), LETTER, "England", "edith@example.org", ("France",)),
        "press, a statement": PressFacts(common("W1910A", deadline=None), LETTER, "England", everybody=True, statement=True),
        "press, a statement of the master": PressFacts(
            common("W1910A", deadline=None), LETTER, "master", everybody=True, statement=True
        ),
        "press, grey": PressFacts(common(), LETTER),
        "press, grey to all": PressFacts(common(), LETTER, everybody=True),
        "press, passed on": replace(receipt, press=(done, grey)),
        "press, after the end": EndFacts(common("W1910A", deadline=None), end, start, (), press=(done, early)),
        "press, before the start": TooEarlyFacts(common(deadline=None), (early, early)),
        **{
            f"press, refused, {why}": replace(
                receipt,
                press=(PressDone((), "F", why=f"press.{why}", args=args, text=LETTER, whole=why != "too-long"), done),
            )
            for why, args in REFUSALS.items()
        },
    }


def _over(common: Any, start: Position) -> ResultFacts:
    before = Position(Phase.parse("F1910M"), start.units, start.owners)
    after = Position(Phase.parse("W1910A"), start.units, start.owners)
    outcomes = (_outcome(before, "France", Hold("A", "par"), Result.HOLDS, Reason("holds")),)
    end = GameEnd("victory.centres", ("Russia",), {"Russia": 18, "France": 3})
    return ResultFacts(common("F1910M", deadline=None), before, Adjudication(outcomes, after, end=end), None)


@pytest.fixture(scope="session")
def names_of_mails() -> tuple[str, ...]:
    return NAMES


#: every key of ``mails``, so that each is a test of its own
NAMES = (
    "start",
    "master, letter",
    "master, started",
    "master, answer",
    "master, before the start",
    "master, only bad values",
    "master, unreachable, lost",
    "master, unreachable, late",
    "master, unreachable, of a reason that nobody knows",
    "master, reached again",
    "start, addresses hidden",
    "start of a game to 1910",
    "start of a game for six",
    *(f"start, power {how}" for how in HOWS),
    "receipt",
    "receipt, complete",
    "receipt, commitment",
    "receipt, ready",
    "receipt, waiting",
    "receipt, sealed",
    "receipt, other hands",
    "receipt, cleared",
    "receipt, help and status",
    "receipt, after the deadline",
    "receipt, earlier phase",
    "receipt, older date",
    "receipt, empty",
    "receipt, builds",
    "receipt, waive",
    "receipt, removal",
    "receipt, nothing due",
    "receipt, written ahead",
    "receipt, written ahead and dropped",
    "receipt, written ahead and sealed",
    "result, written ahead",
    "result, written ahead and sealed",
    "result",
    "result, commitments",
    "result, other hands",
    "result, reader in disorder",
    "result, others in disorder",
    "result, reader still in disorder",
    "result, Austria unplayed",
    "result, Fall",
    "result, retreats",
    "result, adjustments",
    "result, game over",
    "result, game over, who played",
    "result, every outcome",
    "result, every retreat",
    "result, every adjustment",
    "end",
    "end, draw",
    "notice, deadline",
    "notice, no deadline",
    "notice, proxy",
    "notice, proxy over",
    "notice, postponed",
    "notice, rule",
    "notice, rules",
    "rules",
    "rules, one to come",
    "notice, paused",
    "notice, resumed",
    "notice, seat",
    "notice, rolled back",
    "notice, paused until",
    "notice, back from the end",
    "notice, back while paused",
    "notice, late orders",
    "notice, corrected",
    "receipt, paused",
    "master, paused",
    "end, by the master",
    "end, without a result",
    "result, run again",
    "result, run again at the shell",
    "result, run by the master",
    "result, run by a master who plays",
    "result, run at the shell",
    "notice, announcement",
    *(f"notice, vote {what}" for what in VOTES),
    *(f"notice, motion {what}" for what in MOTIONS),
    *ENDS_BY_VOTE,
    *(f"press, {what}" for what in PRESS),
    "help",
    "help of a game",
    *ANSWERS,
    "receipt, answers",
    "too early, answers",
    "is this mail yours",
    "is this mail from elsewhere yours",
    "are these mails yours",
    "is this mail yours, after the deadline",
    "is this mail yours, after the end",
    "is this mail the master's",
    "answers about held mails",
    "one held mail is dropped",
    "a new address",
    "a new address of the master",
    "mail for the operator",
    "mail for the operator, bare",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``mail`` runs once for every example."""
    if "mail" in metafunc.fixturenames:
        metafunc.parametrize("mail", NAMES, indirect=True)


@pytest.fixture
def typed_in_answers() -> dict[str, set[str]]:
    """Example -> the words in it that somebody wrote."""
    return {name: set(re.findall(r"\w+", row.get("typed", ""))) for name, row in ANSWERS.items()}


@pytest.fixture
def mail(request: pytest.FixtureRequest, mails: dict[str, Facts]) -> Facts:
    """One example; its test's id is its name."""
    return mails[request.param]
