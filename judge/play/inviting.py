"""Games that people make by mail, and the invitations into them.

Nobody can be spammed through it: an address is invited into a game once, whoever asks and however often; it gets so many
invitations a day and no more, and none ever again if it says so; a person makes so many games and causes so many
invitations. The mail holds no words of who invites, but their address.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from judge.mail.senders import mailbox_key, same_mailbox
from judge.play import seating
from judge.play.answering import stored
from judge.play.judge import Judge, rules_of
from judge.play.notdone import NotDone
from judge.play.posting import write_to_person
from judge.play.upkeep import INVITATIONS_OPEN
from judge.render.commonfacts import Answer
from judge.rules.houserules import HouseRules
from judge.store import games, invitations, people
from judge.store.games import Game
from judge.store.people import Person

_DAY = timedelta(days=1)


def digest(judge: Judge, mailbox: str) -> str:
    """What a mailbox is known by where nothing else of its owner is kept: only who has the key can make it."""
    return judge.keys.digest("invited", mailbox)


def may_make(judge: Judge, address: str) -> bool:
    """Whether somebody may make games by mail (the operator's setting)."""
    allowed = judge.making.create
    return allowed == ("anyone",) or any("@" in one and same_mailbox(one, address) for one in allowed)


def check_maker(judge: Judge, person: Person) -> None:
    """Whether somebody may make one more game.

    :raises NotDone: they may not, or have as many that wait for players as they may.
    """
    if not may_make(judge, person.address):
        raise NotDone("new.not-by-mail")
    if invitations.forming(judge.store, person.id) >= judge.making.forming_per_person:
        raise NotDone("new.too-many", most=judge.making.forming_per_person)


def uninvitable(judge: Judge, address: str, now: datetime) -> bool:
    """Whether no invitation goes to an address, now or ever: who asks is not told which."""
    own = digest(judge, mailbox_key(address) or "")
    if invitations.wants_none(judge.store, own) or address.lower().endswith(f"@{judge.domain.lower()}"):
        return True
    return invitations.got_since(judge.store, own, now - _DAY) >= judge.making.invitations_to_one_per_day


def check_number(judge: Judge, person: Person, count: int, now: datetime) -> None:
    """Whether somebody may cause so many more invitations today.

    :raises NotDone: they may not.
    """
    most = judge.making.invitations_per_day
    if invitations.sent_since(judge.store, person.id, now - _DAY) + count > most:
        raise NotDone("invite.too-many", most=most)


def make(
    judge: Judge, name: str, person: Person, friends: Sequence[str], *, rules: HouseRules, schedule: str, master: bool,
    language: str, timezone: str, now: datetime,
) -> Game:  # fmt: skip
    """Make a game for a person, who plays it or is its ``master``, and invite the others; inside the caller's
    transaction."""
    from judge.play import setup  # which makes masters, and so knows of the verbs

    game = setup.create_game(
        judge,
        name,
        rules=rules,
        schedule=schedule,
        wishes=() if master else [(person.address, ())],
        master=person.address if master else None,
        language=language,
        timezone=timezone,
        who="judge",
        now=now,
    )
    invitations.made(judge.store, game.id, person.id)
    for address in friends:
        invite(judge, game, person, address, language=language, timezone=timezone, now=now)
    return game


def invite(
    judge: Judge, game: Game, by: Person, address: str, *, language: str, timezone: str, now: datetime
) -> bool:  # fmt: skip
    """Invite an address into a game, inside the caller's transaction; who has never written reads ``language``. Returns
    whether that is new: nobody is invited into a game twice."""
    store = judge.store
    mailbox = mailbox_key(address) or address
    if invitations.of_digest(store, game.id, digest(judge, mailbox)) is not None:
        return False
    person = people.of_mailbox(store, mailbox)
    if person is None:
        reader = {"language": language, "timezone": timezone}
        person = people.add(store, address, mailbox, **reader, state="asked", now=now)
    number = people.ask(store, person.id, [("JOIN", game.name)], now)
    invitations.invite(store, game.id, person.id, number, by.id, digest(judge, mailbox), now)
    args = {"answers": stored([_said(game, by, number, now)]), "variant": game.variant}
    people.asked_in(store, number, write_to_person(judge, person, "ask", args, now, extra=f"invitation {number}"))
    games.log(store, game.id, "judge", "invited", {}, now)
    return True


def _said(game: Game, by: Person, number: int, now: datetime) -> Answer:
    """The invitation as its mail tells it."""
    rules = rules_of(game)
    args: dict[str, Any] = {
        "number": number,
        "game": game.name,
        "variant": game.variant,
        "by": by.address,
        "rules": game.rules_name,
        "press": rules.press_kinds,
        "schedule": game.schedule,
        "wishes": {"random": "none", "preference": "one"}.get(rules.powers_assign, "ranked"),
        "names": rules.powers_names,
        "until": now + INVITATIONS_OPEN,
    }
    return Answer("invitation", args)


# what becomes of one


def joined(judge: Judge, game: Game, person: Person, now: datetime) -> None:
    """Somebody has come into a game, by whatever way: the invitation into it is answered."""
    invited = invitations.of_digest(judge.store, game.id, digest(judge, person.mailbox))
    if invited is not None:
        people.decide(judge.store, invited.ask_id, "done", now)
        invitations.accept(judge.store, invited.id, now)


def tell_maker(judge: Judge, game: Game, address: str, now: datetime, *, number: int) -> None:
    """Word to who made a game that somebody does not play: one mail."""
    maker = people.find(judge.store, invitations.maker(judge.store, game.id) or 0)
    if maker is None or maker.state != "confirmed" or game.state != "forming":
        return
    args = {
        "game": game.name,
        "address": address,
        "left": max(0, seating.free_without_a_wish(judge, game)),
        "open": invitations.states(judge.store, game.id).get("open", 0),
    }
    answers = {"answers": stored([Answer("invitation-declined", args)]), "variant": game.variant}
    write_to_person(judge, maker, "ask", answers, now, extra=f"declined {number}")
