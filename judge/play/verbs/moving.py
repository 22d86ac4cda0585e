"""ADDRESS: a person moves to another mail address, when both the old one and the new one say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from judge.mail.commands import Command
from judge.mail.senders import mailbox_key, same_address
from judge.mail.verbs import Role
from judge.play.answering import stored
from judge.play.judge import Judge
from judge.play.people import known, person_of, seats_of, sendable, wishes_of
from judge.play.posting import write_to_person, write_to_stranger
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import games, people, rulings
from judge.store.people import Person

#: So many moves one person may ask for a day, and so many questions one address gets.
MOST_MOVES = 3
_DAY = timedelta(days=1)


def move(act: Act, command: Command) -> Sequence[Answer]:
    """Ask the new address whether it is the person's; nothing moves before it says YES."""
    person = person_of(act)
    new = sendable(command.argument)
    if new is None or new.lower().endswith("@" + act.judge.domain.lower()):
        raise NotDone("address.unusable")
    if same_address(new, person.address):
        raise NotDone("address.same")
    since = act.now - _DAY
    if people.asked_since(act.judge.store, person.id, since, as_mover=True) >= MOST_MOVES:
        raise NotDone("address.too-often", most=MOST_MOVES)
    asked = known(act.judge, new)
    if asked is None or asked.id == person.id:
        # another spelling of the same mailbox is asked too: mail may not reach it
        asked = asked or people.add(
            act.judge.store, new, mailbox_key(new) or new,
            language=person.language, timezone=person.timezone, state="asked", now=act.now,
        )  # fmt: skip
    if people.asked_since(act.judge.store, asked.id, since) < MOST_MOVES:
        number = people.ask(act.judge.store, asked.id, [("ADDRESS", new)], act.now, mover=person.id)
        answers = [Answer("ask-move", {"number": number})]
        at = Person(**{name: getattr(asked, name) for name in Person.__slots__} | {"address": new})
        name = write_to_person(act.judge, at, "ask", {"answers": stored(answers)}, act.now, extra=f"move {number}")
        people.asked_in(act.judge.store, number, name)
    # the same whether the address is known here or not, and whether a question went out
    return [Answer("address-asked", {"address": new})]


def arrive(act: Act, person: Person, mover: int, new: str) -> list[Answer]:
    """The new address has said YES: all that the mover has is at ``person``'s address from now on, with new reply
    addresses. The old address is told."""
    judge = act.judge
    old = people.find(judge.store, mover)
    if old is None or old.state != "confirmed":
        return [Answer("ask-told", {"number": 0, "result": "too-late"})]
    before = old.address
    for game, seat in seats_of(judge, old.mailbox):
        games.set_player(judge.store, game.id, seat.power, new)
        games.log(judge.store, game.id, seat.power, "moved", {"generation": seat.generation + 1}, act.now)
    for game, one in list(wishes_of(judge, old.mailbox)):
        _move_wish(judge, game.id, one, new, mailbox_key(new) or new)
    if person.id == old.id:
        people.move(judge.store, old.id, new, old.mailbox)
    else:
        people.absorb(judge.store, person.id, old.id)
        people.move(judge.store, person.id, new, person.mailbox)
        people.set_reader(judge.store, person.id, old.language, old.timezone)
    reader = {"language": old.language, "timezone": old.timezone}
    told = stored([Answer("address-left", {"domain": judge.domain})])
    write_to_stranger(judge, before, "links", {"answers": told}, act.now, extra=f"left {act.mail.id}", **reader)
    return [Answer("address-moved", {})]


def _move_wish(judge: Judge, game_id: int, one: rulings.Wish, new: str, mailbox: str) -> None:
    """A wish for a power moves along, unless the new address has one of its own in the game."""
    if any(
        mailbox_key(other.address) == mailbox and other.number != one.number
        for other in rulings.wishes(judge.store, game_id)
    ):
        rulings.drop_wish(judge.store, game_id, one.number)
    else:
        rulings.move_wish(judge.store, game_id, one.number, new)


def _never_unproved(_: Act, __: Command) -> str:
    raise NotDone("address.from-your-own")


_ROLES: tuple[Role, ...] = ("anyone", "player", "master")
DOERS: Mapping[tuple[str, Role], Doer] = {("ADDRESS", role): move for role in _ROLES}
CHECKS: Mapping[str, Callable[[Act, Command], str]] = {"ADDRESS": _never_unproved}
