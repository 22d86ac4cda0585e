"""The sentences of reading problems: English messages by code, said in the reader's language with the reader's names.

Codes beginning with ``read.`` come from ``judge.notation``; an illegal order's problem carries the code of a reason of the
rules, whose sentence is in ``judge.render.reasons``. What was suggested is shown by the template beside the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from judge.render import reasons
from judge.render.catalogue import N_
from judge.render.reasons import PLAIN, Speaker
from judge.rules.houserules import HouseRules
from judge.rules.outcome import Arg, Reason

#: code -> message. Arguments: ``place`` a province, ``places`` and ``coasts`` locations, ``order`` and ``orders`` canonical
#: texts, ``power`` a power, ``word`` what was typed, ``turn`` a turn (``F1902``), ``most`` a number.
SENTENCES: Mapping[str, str] = {
    # no order at all
    "read.no-order": N_("This is no order that the judge can read."),
    "read.talk": N_("This speaks about an order and does not give one."),
    "read.question": N_("This is a question, so nothing of it was taken."),
    "read.doubt": N_("What is added to the order makes it doubtful, so nothing of it was taken."),
    "read.comment": N_("This line is marked as a comment, so nothing of it was taken."),
    "read.quoted": N_("This line is quoted from another mail."),
    "read.struck": N_("This line is crossed out."),
    "read.no-action": N_("A unit is named, but not what it shall do."),
    "read.other-power": N_("This stands under the name of another power: %(power)s."),
    "read.other-turn": N_("This is for another turn: %(turn)s."),
    "read.too-long": N_("The line is too long to be read; the most is %(most)s characters."),
    "read.too-much": N_("The line can be read in too many ways. Write one order a line."),
    "read.mail-too-long": N_(
        "There is more in this mail than the judge reads at once: this line and those below it were not read. "
        "Send what counts in a mail of its own."
    ),
    # the judge asks
    "read.beside": N_("What is written above or below this line leaves open whether it is an order for now."),
    "read.slip": N_("A word is not spelled as any that the judge knows. It may have been meant so:"),
    "read.unclear": N_("A word is not spelled as any that the judge knows, and what it may have been makes no order here."),
    "read.unknown-place": N_("The board has no place called “%(word)s”."),
    "read.closed": N_("Nobody may enter %(name)s."),
    "read.coast-open": N_("Which coast of %(place)s is meant?"),
    "read.place-open": N_("The place may be any of these, and none can be reached: %(places)s."),
    "read.which": N_("This may mean several orders. Which one?"),
    "read.two-ways": N_("This can be read in two ways. Which one is meant?"),
    "read.is-it": N_("What is written is out of reach. Is this meant?"),
    "read.stays-elsewhere": N_("The unit cannot stay where it is not."),
    "read.choice": N_("This leaves open which order is meant."),
    "read.two-orders": N_("The line gives two orders for one unit."),
    "read.retreat-open": N_("This does not say where the unit retreats to."),
    "read.no-retreats": N_("Nothing retreats in this phase. Is a move meant?"),
    "read.other-owner": N_("The unit there is not one of this power: %(power)s."),
    "read.route": N_("A fleet, or an army that does not go over sea, has no route: %(places)s."),
}


class Problem(Protocol):
    """A code with arguments: a ``Problem`` of ``judge.notation`` or one read back from the store."""

    @property
    def code(self) -> str: ...

    @property
    def args(self) -> Mapping[str, Arg]: ...


def sentence(problem: Problem, speaker: Speaker = PLAIN, rules: HouseRules | None = None) -> str:
    """The sentence of a problem; of an illegal order, the reason of the rules."""
    message = SENTENCES.get(problem.code)
    if message is None:
        reason = Reason(problem.code, problem.args, getattr(problem, "rule", None))
        return reasons.sentence(reason, speaker, rules)
    said = speaker.translate(message)
    return said % {name: _said(name, value, speaker) for name, value in problem.args.items()} if problem.args else said


def _said(name: str, value: Arg, speaker: Speaker) -> str:
    if isinstance(value, tuple):
        return speaker.listing([speaker.place(str(item)) if name in ("places", "coasts") else str(item) for item in value])
    if name == "place":
        return speaker.place(str(value))
    if name == "turn":
        return speaker.last_turn(str(value))
    return speaker.power(str(value)) if name == "power" else str(value)
