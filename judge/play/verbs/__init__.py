"""What the verbs of :mod:`judge.mail.verbs` do: who may say one, when, and the function that carries it out.

A verb about the orders on file is carried out where the mail is taken in; every other one is a function here: an
:class:`~judge.play.verbs.acting.Act` in, answers out, inside the transaction of its mail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from judge.errors import Refused
from judge.mail.commands import Command, verb_of
from judge.mail.verbs import Role
from judge.play.rulings import RulesRefused
from judge.play.verbs import (
    absent,
    agreeing,
    choosing,
    directing,
    forgetting,
    history,
    joining,
    listing,
    making,
    manual,
    mastering,
    moving,
    personal,
    previewing,
    proposing,
    proving,
    recorded,
    replacing,
    resigning,
    showing,
    standing,
    stating,
    telling,
    why,
)
from judge.play.verbs.acting import Act, Doer, NotDone, refused
from judge.render.commonfacts import Answer
from judge.store import games

#: Carried out by :mod:`judge.play.seatmail`, :mod:`judge.play.mastermail` and :mod:`judge.play.confirming` themselves.
BUILT_IN = frozenset({"CLEAR", "STATUS", "READY", "WAIT", "RULES", "HELP", "NEW ADDRESS"})

#: (verb, who says it) -> what carries it out
DOERS: Mapping[tuple[str, Role], Doer] = {
    **agreeing.DOERS,
    **history.DOERS,
    **joining.DOERS,
    **listing.DOERS,
    **making.DOERS,
    **manual.DOERS,
    **choosing.DOERS,
    **directing.DOERS,
    **forgetting.DOERS,
    **moving.DOERS,
    **personal.DOERS,
    **previewing.DOERS,
    **proposing.DOERS,
    **proving.DOERS,
    **showing.DOERS,
    **standing.DOERS,
    **stating.DOERS,
    **replacing.DOERS,
    **resigning.DOERS,
    **mastering.DOERS,
    **absent.DOERS,
    **recorded.DOERS,
    **telling.DOERS,
    **why.DOERS,
}


def built_in(command: Command, role: Role = "player") -> bool:
    """Whether a command is carried out where its mail is taken in. HELP with a chapter is an answer like others; outside of
    any game so is everything but HELP."""
    return (
        command.name in BUILT_IN
        and (role != "anyone" or command.name == "HELP")
        and not (command.name == "HELP" and command.argument)
    )


def carry_out(act: Act, commands: Sequence[Command]) -> list[Answer]:
    """Do what a mail asks for but for what is built in, in its order, and gather the answers. One command that cannot be
    done never harms the others."""
    asked = [command for command in commands if not built_in(command, act.role)]
    return list(chain.from_iterable(_carry_out(act, command) for command in _few(asked))) + _beyond(act, asked)


def carry_out_all(act: Act, commands: Sequence[Command]) -> list[Answer]:
    """The same where no phase is open: what is built in is answered too, since there are no orders that it could be about.
    NEW ADDRESS has been seen to by then."""
    asked = [command for command in commands if command.name != "NEW ADDRESS"]
    return list(chain.from_iterable(_carry_out(act, command) for command in _few(asked))) + _beyond(act, asked)


def _few(commands: Sequence[Command]) -> Iterator[Command]:
    """Each command once, and none oftener than a mail may say it."""
    said: Counter[str] = Counter()
    for command in dict.fromkeys(commands):
        said[command.name] += 1
        if said[command.name] <= verb_of(command).most:
            yield command


def _beyond(act: Act, commands: Sequence[Command]) -> list[Answer]:
    """What is told of the commands that were said oftener than a mail may: of each verb once."""
    said: Counter[str] = Counter()
    told = []
    for command in dict.fromkeys(commands):
        said[command.name] += 1
        if said[command.name] == verb_of(command).most + 1:
            told.append(refused(command, NotDone("verb.too-often", verb=command.name, most=verb_of(command).most)))
    return told


def _carry_out(act: Act, command: Command) -> Sequence[Answer]:
    try:
        check(act, command)
        doer = showing.without_a_phase if built_in(command, act.role) else DOERS[command.name, act.role]
        # what finds out late that it cannot be done leaves nothing half done
        with act.judge.store.step():
            return doer(act.of(command), command)
    except NotDone as why:
        return [refused(command, why)]
    except RulesRefused as why:
        return [refused(command, NotDone(why.code, **why.arguments))]
    except Refused as why:
        # a rule of the game's clock or seats that speaks plain English only
        return [refused(command, NotDone("verb.refused", text=str(why)))]


def check(act: Act, command: Command) -> None:
    """Whether a command may be said by who says it, and now.

    :raises NotDone: it may not, and why.
    """
    verb = verb_of(command)
    if act.role not in verb.who:
        who = "master" if "master" in verb.who else "player" if "player" in verb.who else "anyone"
        raise NotDone(f"verb.{who}-only", verb=verb.name)
    # a command before it in the same mail may have ended the game, or the phase
    state = games.by_id(act.judge.store, act.game.id).state if act.game is not None else ""
    if act.game is not None and state not in verb.when:
        raise NotDone(f"verb.not-{state}", verb=verb.name)
    if verb.phase_bound and (act.out_of_turn or _phase_has_gone(act)):
        raise NotDone("verb.out-of-turn", verb=verb.name)


def _phase_has_gone(act: Act) -> bool:
    """Whether the phase that was open when the mail was begun is so no more."""
    return act.table is not None and games.phase(act.judge.store, act.table.phase.id).state != "open"
