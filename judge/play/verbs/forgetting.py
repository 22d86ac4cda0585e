"""FORGET: a person is forgotten, when they say YES to it at their own address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from judge.mail.commands import Command
from judge.mail.verbs import Role
from judge.play import forgetting
from judge.play.answering import stored
from judge.play.people import person_of
from judge.play.posting import person_message_id, write_to_person
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import people, redacting
from judge.store.people import Person

#: What stands behind the verb when it was confirmed; nobody can write it, since the verb takes no argument.
CONFIRMED = "YES"
#: So many questions one person gets a day.
MOST_QUESTIONS = 3
_DAY = timedelta(days=1)


def forget(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to FORGET: a question, to the registered address; and to YES there: that it is done."""
    person = person_of(act)
    wished = any(one.person_id == person.id for one in redacting.wished(act.judge.store))
    if wished or command.argument == CONFIRMED:
        return _wish(act, person)
    playing = forgetting.plays_in(act.judge, person.mailbox)
    if playing:
        raise NotDone("forget.plays", game=", ".join(playing))
    waiting = [one for one in people.asks(act.judge.store, person.id) if _asks(one.commands) and one.state == "asked"]
    if waiting:
        return [Answer("forget-asked", {"again": True})]
    if people.asked_since(act.judge.store, person.id, act.now - _DAY) >= MOST_QUESTIONS:
        raise NotDone("forget.too-often", most=MOST_QUESTIONS)
    return _ask(act, person)


def _asks(commands: Sequence[tuple[str, str]]) -> bool:
    return any(name == "FORGET" for name, _ in commands)


def _wish(act: Act, person: Person) -> Sequence[Answer]:
    try:
        forgetting.wish(act.judge, person, act.now)
    except forgetting.StillPlays as why:
        raise NotDone("forget.plays", game=", ".join(why.games)) from None
    return [Answer("forgotten", {})]


def _ask(act: Act, person: Person) -> Sequence[Answer]:
    """Outside of any game the answer is the question; a seat's mail may be answered to another spelling of the address than
    the registered one, so that the question goes out by itself."""
    number = people.ask(act.judge.store, person.id, [("FORGET", CONFIRMED)], act.now)
    question = Answer("ask-forget", {"number": number})
    if act.seat is None:
        people.asked_in(act.judge.store, number, person_message_id(act.judge, person, "answer", str(act.mail.id)))
        return [question]
    name = write_to_person(act.judge, person, "ask", {"answers": stored([question])}, act.now, extra=f"forget {number}")
    people.asked_in(act.judge.store, number, name)
    return [Answer("forget-asked", {"again": False})]


def _never_unproved(_: Act, __: Command) -> str:
    raise NotDone("address.from-your-own")


_ROLES: tuple[Role, ...] = ("anyone", "player", "master")
DOERS: Mapping[tuple[str, Role], Doer] = {("FORGET", role): forget for role in _ROLES}
CHECKS: Mapping[str, Callable[[Act, Command], str]] = {"FORGET": _never_unproved}
