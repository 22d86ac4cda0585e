"""What the demonstration prints at its end: centres by year, mails counted, and where everything lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.cli.demo.conduct import Sent
from judge.cli.demo.letters import REFUSED
from judge.cli.demo.mailboxes import Received
from judge.cli.demo.recording import Snapshot
from judge.rules.outcome import GameEnd


@dataclass(frozen=True)
class Facts:
    """Everything that the report tells. ``played``: the position after each phase; ``forgotten``: units without an order;
    ``folder``: where the mailboxes and the judge's folder lie, if they are kept."""

    powers: Sequence[str]
    played: Sequence[tuple[str, Snapshot]]
    end: GameEnd | None
    sent: Sequence[Sent]
    received: Mapping[str, Sequence[Received]]
    put_off: int
    forgotten: int
    game: str
    folder: Path | None
    faults: Sequence[str]


def report(facts: Facts) -> list[str]:
    """The lines of the report."""
    lines = [*centre_table(facts.powers, facts.played), ""]
    if facts.end is not None:
        won = ", ".join(f"{power} with {facts.end.counts.get(power, 0)}" for power in facts.end.winners)
        lines += [f"won by {won or 'nobody'} ({facts.end.ended_by})", ""]
    lines += [*_mails_in(facts.sent, facts.forgotten), *_mails_out(facts.received, facts.put_off), ""]
    lines += _places(facts)
    return lines


def centre_table(powers: Sequence[str], played: Sequence[tuple[str, Snapshot]]) -> list[str]:
    """Centres by year, and the units that stand at the end: ``France   6  6  7 ...``."""
    years: dict[str, Snapshot] = {phase[1:-1]: position for phase, position in played}
    if not years:
        return ["no phase was played"]
    last = list(years.values())[-1]
    width = max(len(power) for power in powers)
    lines = [f"{'centres':{width}}  " + "  ".join(years) + "   units"]
    for power in powers:
        counts = "  ".join(f"{position.centres(power) or '-':>4}" for position in years.values())
        units = sum(unit.startswith(power + " ") for unit in last.units)
        lines.append(f"{power:{width}}  {counts}   {units or '-':>5}")
    return lines


def _mails_in(sent: Sequence[Sent], forgotten: int) -> list[str]:
    taken = [one for one in sent if one.taken]
    kinds = Counter(one.letter.kind for one in taken)
    twice = sum(len(one.codes) > 1 for one in taken)
    faulty = sum(bool(one.letter.faults) for one in taken)
    refused = Counter(one.letter.kind for one in sent if one.letter.kind in REFUSED and not one.taken)
    programs = Counter(one.letter.program for one in taken)
    return [
        f"mails in    {len(taken)} taken, {twice} of them handed over twice and taken once",
        f"  refused   {sum(refused.values())} at the door: {refused['forged']} made-up tokens,"
        f" {refused['unknown']} games that do not exist",
        f"  faulty    {faulty} with a line that could not be used",
        f"  corrected {kinds['correction'] + kinds['cleared']} by a later mail, {kinds['cleared']} of these with CLEAR",
        f"  late      {kinds['late'] + kinds['over']} after the deadline, {kinds['overtaken']} overtaken by a later mail",
        f"  other     {kinds['away']} out of office, {kinds['no-token']} without a token, {kinds['command']} commands",
        f"  missing   {forgotten} units without an order",
        "  from      " + ", ".join(f"{name} {count}" for name, count in programs.most_common()),
    ]


def _mails_out(received: Mapping[str, Sequence[Received]], put_off: int) -> list[str]:
    events = Counter(mail.event for mails in received.values() for mail in mails)
    known = ("start", "result", "receipt")
    other = sum(count for event, count in events.items() if event not in known)
    return [
        f"mails out   {sum(events.values())}: {events['start']} starts, {events['result']} results, {events['receipt']}"
        f" receipts, {other} others; {put_off} put off by the other side and sent again"
    ]


def _places(facts: Facts) -> list[str]:
    answers = sum(mail.in_reply_to is not None for mails in facts.received.values() for mail in mails)
    results = sum(mail.event == "result" for mails in facts.received.values() for mail in mails)
    if facts.faults:
        checked = [f"checked     {len(facts.faults)} faults, told on standard error"]
    else:
        checked = [
            f"checked     {len(facts.played)} positions as recorded, {results} results and {answers} answers once each"
        ]
    if facts.folder is None:
        return [*checked, "mailboxes   removed; `judge demo --keep DIR` keeps them, and the judge's own folder"]
    boxes, home = facts.folder / "players", facts.folder / "judge"
    return [
        *checked,
        "mailboxes   " + ", ".join(str(boxes / power) for power in facts.powers),
        f"            look into one: mutt -f {boxes / facts.powers[0]}",
        f"judge       judge --home {home} game show {facts.game}",
    ]
