"""What was asked, in the judge's own words: of a mail that proves nothing, none may reach the address that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from judge.mail.commands import Command
from judge.play.verbs import choosing, forgetting, joining, making, moving, personal, standing
from judge.play.verbs.acting import Act
from judge.render.commonfacts import Answer

#: verb -> its argument as the judge writes it; raises NotDone where it can be known that nothing will come of it
_CHECKS: Mapping[str, Callable[[Act, Command], str]] = {
    **joining.CHECKS,
    **making.CHECKS,
    **personal.CHECKS,
    **moving.CHECKS,
    **forgetting.CHECKS,
    **choosing.CHECKS,
    **standing.CHECKS,
}
#: codes of refusals whose sentence holds words of the mail -> what is said instead
_WITHOUT = {"help.no-chapter": "help.no-such-chapter"}


def argument(act: Act, command: Command) -> str:
    """The argument of a command that has to be confirmed, written anew from what was understood.

    :raises NotDone: it cannot be done, whoever asks.
    """
    check = _CHECKS.get(command.name)
    return check(act, command) if check is not None else ""


def lines(commands: Sequence[tuple[str, str]]) -> list[str]:
    """Commands as lines."""
    return [f"{name} {argument}".strip() for name, argument in commands]


def without_words(answer: Answer) -> Answer:
    """A refusal without the line that was refused."""
    if answer.code != "refused":
        return answer
    args = dict(answer.args)
    args["line"] = args["verb"]
    args["code"] = _WITHOUT.get(args["code"], args["code"])
    args["args"] = {name: value for name, value in args["args"].items() if name != "text"}
    return Answer("refused", args)
