"""Did every player get what was due, once? Compared from what lies in the mailboxes, against what was sent and played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from judge.cli.demo.conduct import Sent
from judge.cli.demo.letters import OUTCOMES, SILENT
from judge.cli.demo.mailboxes import Received

#: So much of a faulty line (blanks left out) is looked for in its receipt.
_SHOWN = 32


def check_mailboxes(
    received: Mapping[str, Sequence[Received]], phases: Sequence[str], following: str, sent: Sequence[Sent]
) -> list[str]:
    """What is not as it should be in the players' mailboxes, a text a fault; empty: all is well.

    ``phases``: the names of those played; ``following``: the phase that the last result asks for, or, when the game is over
    and nothing is asked, that last phase itself.

    Each player has one mail for the start and one result for each phase (each names, in its Message-ID, the phase that
    follows, whose orders it asks for); each letter that calls for an answer has one; nothing came twice, nothing else came.
    """
    due = Counter([("start", phases[0]), *(("result", name) for name in (*phases[1:], following))])
    faults: list[str] = []
    for power, mails in received.items():
        faults += _twice(power, mails)
        faults += _results(power, mails, due)
        faults += _answers(power, mails, [one for one in sent if one.letter.power == power])
    return faults


def _twice(power: str, mails: Sequence[Received]) -> list[str]:
    counts = Counter(mail.message_id for mail in mails)
    return [f"{power}: {message_id} came {n} times" for message_id, n in counts.items() if n > 1]


def _results(power: str, mails: Sequence[Received], due: Counter[tuple[str, str]]) -> list[str]:
    found = Counter((mail.event, mail.phase) for mail in mails if mail.event in ("start", "result"))
    return [
        f"{phase}: {power} got {found[event, phase]} mails of the kind {event} that ask for it, {due[event, phase]} are due"
        for event, phase in sorted(due.keys() | found.keys())
        if due[event, phase] != found[event, phase]
    ]


def _answers(power: str, mails: Sequence[Received], sent: Sequence[Sent]) -> list[str]:
    """Each letter's answer: one, or none for what must not be answered; and no mail that nothing called for."""
    faults = []
    others = [mail for mail in mails if mail.event not in ("start", "result")]
    by_letter: dict[str | None, list[Received]] = {}
    for mail in others:
        by_letter.setdefault(mail.in_reply_to, []).append(mail)
    for one in sent:
        answers = by_letter.pop(one.mail.message_id, [])
        letter = one.letter
        due = letter.kind not in SILENT and letter.kind != "no-token"
        if len(answers) != due:
            faults.append(f"{letter.about}: {power}'s letter ({letter.kind}) got {len(answers)} answers, {int(due)} are due")
            continue
        for fault in letter.faults if due else ():
            # a receipt shows the beginning of a long line
            if _squeezed(fault)[:_SHOWN] not in _squeezed(answers[0].text):
                faults.append(f"{letter.about}: the receipt to {power} does not tell of the line {fault!r}")
    notices = [mail for mails in by_letter.values() for mail in mails if mail.event == "confirm"]
    wanted = sum(one.letter.kind == "no-token" for one in sent)
    if len(notices) != wanted:
        faults.append(
            f"{power} was asked {len(notices)} times whether a mail to the open address is theirs, {wanted} are due"
        )
    rest = [mail for mails in by_letter.values() for mail in mails if mail.event != "confirm"]
    return faults + [f"{power} got a mail that nothing called for: {mail.subject!r}" for mail in rest]


def _squeezed(text: str) -> str:
    return "".join(text.split()).lower()


def check_outcomes(sent: Sequence[Sent], outcomes: Mapping[str, int]) -> list[str]:
    """Whether the judge made of every mail what it should have; ``outcomes``: how many mails it handled how."""
    due = Counter(OUTCOMES[one.letter.kind] for one in sent if one.taken)
    return [
        f"the judge took {outcomes.get(name, 0)} mails as {name}, {due[name]} were sent"
        for name in sorted(due.keys() | outcomes.keys())
        if due[name] != outcomes.get(name, 0)
    ]
