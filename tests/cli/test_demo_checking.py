"""What the demonstration checks at its end: every way in which mailboxes can be wrong is found and named."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from judge.cli.demo.checking import check_mailboxes, check_outcomes
from judge.cli.demo.conduct import Sent
from judge.cli.demo.letters import Kind, Letter
from judge.cli.demo.mailboxes import Received
from judge.cli.demo.players import Mail
from judge.cli.demo.recording import Snapshot
from judge.cli.demo.report import Facts, centre_table, report
from judge.rules.outcome import GameEnd

PHASES = ("S1901M", "F1901M", "W1901A")


def _mail(event: str, phase: str, unique: str = "1", in_reply_to: str | None = None, text: str = "") -> Received:
    return Received(
        message_id=f"<demo.{phase}.1.{event}.{unique}@judge.example>",
        event=event,
        phase=phase,
        in_reply_to=in_reply_to,
        references=(),
        sender=("demo", "demo@judge.example"),
        reply_to="demo+abc@judge.example",
        subject=f"[demo] {phase}",
        date=datetime(2026, 3, 2, tzinfo=UTC),
        text=text,
    )


def _sent(kind: Kind, number: int, *, faults: tuple[str, ...] = (), codes: tuple[int, ...] = (250,)) -> Sent:
    letter = Letter("France", kind, timedelta(hours=1), "S1901M", ("A PAR-BUR",), "Mutt", faults=faults)
    return Sent(letter, Mail("c@players.example", "demo+abc@judge.example", f"<{number}@players.example>", b""), codes)


SENT = (
    _sent("orders", 1, codes=(250, 250)),
    _sent("faulty", 2, faults=("A Pairs - Burgundy",)),
    _sent("away", 3),
    _sent("no-token", 4),
    _sent("forged", 5, codes=(550,)),
)
BOX = (
    _mail("start", "S1901M"),
    _mail("result", "F1901M"),
    _mail("result", "W1901A"),
    _mail("result", "W1901A", "2"),
    _mail("receipt", "S1901M", "1", "<1@players.example>"),
    _mail("receipt", "S1901M", "2", "<2@players.example>", 'I could not use "A Pairs -\n   Burgundy".'),
    _mail("confirm", "S1901M"),
)
TOO_FEW = "W1901A: France got 1 mails of the kind result that ask for it, 2 are due"
Box = list[Received]


def _without(index: int) -> Callable[[Box], Box]:
    return lambda box: box[:index] + box[index + 1 :]


def _and(mail: Received) -> Callable[[Box], Box]:
    return lambda box: [*box, mail]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        pytest.param(lambda box: box, [], id="as-it-should-be"),
        pytest.param(_without(3), [TOO_FEW], id="a-result-is-missing"),
        pytest.param(
            _and(_mail("result", "F1901M")),
            [
                "France: <demo.F1901M.1.result.1@judge.example> came 2 times",
                "F1901M: France got 2 mails of the kind result that ask for it, 1 are due",
            ],
            id="a-result-came-twice",
        ),
        pytest.param(
            _and(_mail("result", "F1901M", "other")),
            ["F1901M: France got 2 mails of the kind result that ask for it, 1 are due"],
            id="two-results-of-one-phase",
        ),
        pytest.param(
            _and(_mail("result", "S1902M")),
            ["S1902M: France got 1 mails of the kind result that ask for it, 0 are due"],
            id="a-result-of-no-phase",
        ),
        pytest.param(_without(4), ["S1901M: France's letter (orders) got 0 answers, 1 are due"], id="a-receipt-is-missing"),
        pytest.param(
            _and(_mail("receipt", "S1901M", "9", "<1@players.example>")),
            ["S1901M: France's letter (orders) got 2 answers, 1 are due"],
            id="two-receipts-for-one-letter",
        ),
        pytest.param(
            _and(_mail("receipt", "S1901M", "9", "<3@players.example>")),
            ["S1901M: France's letter (away) got 1 answers, 0 are due"],
            id="a-machine-was-answered",
        ),
        pytest.param(
            _and(_mail("receipt", "S1901M", "9", "<5@players.example>")),
            ["S1901M: France's letter (forged) got 1 answers, 0 are due"],
            id="a-forged-letter-was-answered",
        ),
        pytest.param(
            lambda box: [*box[:5], dataclasses.replace(box[5], text="all is well"), box[6]],
            ["S1901M: the receipt to France does not tell of the line 'A Pairs - Burgundy'"],
            id="a-fault-is-not-told",
        ),
        pytest.param(
            _without(6),
            ["France was asked 0 times whether a mail to the open address is theirs, 1 are due"],
            id="no-notice",
        ),
        pytest.param(
            _and(_mail("help", "S1901M")),
            ["France got a mail that nothing called for: '[demo] S1901M'"],
            id="a-mail-for-nothing",
        ),
    ],
)
def test_what_is_wrong_in_a_mailbox_is_named(change: Callable[[Box], Box], faults: list[str]) -> None:
    assert check_mailboxes({"France": change(list(BOX))}, PHASES, PHASES[-1], SENT) == faults


def test_each_mailbox_is_looked_at() -> None:
    assert check_mailboxes({"France": BOX, "Turkey": BOX[:3]}, PHASES, PHASES[-1], SENT) == [
        TOO_FEW.replace("France", "Turkey")
    ]


def test_what_the_judge_made_of_mails_is_compared() -> None:
    good = {"orders": 2, "auto-reply": 1, "held": 1}
    assert check_outcomes(SENT, good) == []
    assert check_outcomes(SENT, {**good, "orders": 1, "late": 1}) == [
        "the judge took 1 mails as late, 0 were sent",
        "the judge took 1 mails as orders, 2 were sent",
    ]


PLAYED = (
    ("S1901M", Snapshot(frozenset({"France A bur"}), {"par": "France", "mun": "Germany"})),
    ("W1901A", Snapshot(frozenset({"France A bur", "France A mun"}), {"par": "France", "mun": "France"})),
    ("S1902M", Snapshot(frozenset({"France A bur"}), {"par": "France", "mun": "France"})),
)


def test_the_table_shows_the_last_position_of_each_year() -> None:
    assert centre_table(("France", "Germany"), PLAYED) == [
        "centres  1901  1902   units",
        "France      2     2       1",
        "Germany     -     -       -",
    ]


def test_nothing_played_is_said_so() -> None:
    assert centre_table(("France",), ()) == ["no phase was played"]


def test_the_report_counts_mails_both_ways() -> None:
    facts = Facts(
        powers=("France", "Germany"),
        played=PLAYED,
        end=GameEnd("victory.end.turn", ("France",), {"France": 1}),
        sent=SENT,
        received={"France": BOX},
        put_off=3,
        forgotten=2,
        game="demo",
        folder=None,
        faults=(),
    )
    text = "\n".join(report(facts))
    for line in (
        "won by France with 1 (victory.end.turn)",
        "mails in    4 taken, 1 of them handed over twice and taken once",
        "refused   1 at the door: 1 made-up tokens, 0 games that do not exist",
        "faulty    1 with a line that could not be used",
        "mails out   7: 1 starts, 3 results, 2 receipts, 1 others; 3 put off by the other side and sent again",
        "checked     3 positions as recorded, 3 results and 2 answers once each",
    ):
        assert line in text
