"""What somebody who is invited into a game answers: YES, the powers that they would like, NO, or NO MORE."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.mail.commands import Command
from judge.mail.confirmations import NO, YES
from judge.mail.reading import Incoming
from judge.notation.recipients import read_powers
from judge.play import inviting
from judge.play.judge import Judge
from judge.play.verbs import carry_out
from judge.play.verbs.acting import Act
from judge.render.commonfacts import Answer
from judge.store import games, invitations, people
from judge.store.games import Game
from judge.store.invitations import Invitation
from judge.store.people import Ask, Person
from judge.variants import load_board

#: no invitation ever again: compared without case
NO_MORE = frozenset({
    "no more", "nomore", "no more invitations", "never again", "stop", "unsubscribe",
    "もう不要", "今後不要", "招待不要", "今後招待しないでください", "不要再邀请", "不再邀请", "不要再邀請", "不再邀請",
})  # fmt: skip
_ENDS = re.compile(r"\A[\s>*_\-–—•・「『\"'“‘]+|[\s*_.!。！，,\"'”’」』]+\Z")
_JOIN = re.compile(r"(?:join|参加|加入|报名|報名)[\s:：]+([a-z0-9-]{1,20})(?![a-z0-9-])[\s:,、，]*(.*)\Z", re.IGNORECASE)
#: Longest line that is looked at, in characters; and so many lines of a mail.
_LONGEST, _MOST_LINES = 200, 40


@dataclass(frozen=True, slots=True)
class Reply:
    """What a mail says to an invitation: yes with powers (perhaps none), or that none shall come again."""

    ask: Ask
    invitation: Invitation
    powers: tuple[str, ...] = ()
    never: bool = False


def find(judge: Judge, person: Person, incoming: Incoming) -> Reply | None:
    """What a mail that is proved to be a person's says to an invitation besides a plain YES or NO, or ``None``."""
    asks = people.asks(judge.store, person.id)
    invited = {ask.id: one for ask in asks if (one := invitations.of_ask(judge.store, ask.id)) is not None}
    names = {incoming.in_reply_to, *incoming.references[-1:]}
    waiting = [ask for ask in asks if ask.state == "asked"]
    meant = [ask for ask in asks if ask.asked_in in names] or (waiting if len(waiting) == 1 else [])
    if len(meant) != 1 or meant[0].id not in invited:
        return None
    ask, one = meant[0], invited[meant[0].id]
    game = games.by_id(judge.store, one.game_id)
    found: Reply | None = None
    for line in incoming.own_lines[:_MOST_LINES]:
        said = _ENDS.sub("", unicodedata.normalize("NFKC", line[:_LONGEST]))
        if said.casefold() in NO_MORE:
            return Reply(ask, one, never=True)
        if said.casefold() in NO:
            return None
        powers = _powers(said, game)
        if powers is not None and found is None:
            found = Reply(ask, one, powers)
    return found


def _powers(line: str, game: Game) -> tuple[str, ...] | None:
    """The powers that a line wishes for, with a YES or a JOIN before them or without; ``None``: it is no such line."""
    join = _JOIN.match(line)
    if join is not None:
        if join[1].lower() != game.name:
            return None
        line = join[2]
        if not line:
            return ()
    else:
        first, _, rest = line.partition(" ")
        if rest and _ENDS.sub("", first).rstrip(":：").casefold() in YES:
            line = rest
        if len(line.strip()) < 2:
            return None  # an initial below a mail
    powers, unknown = read_powers(line, load_board(game.variant))
    return powers if powers and not unknown else None


def is_join(command: Command, reply: Reply, game: str) -> bool:
    """Whether a command of the mail is the answer itself."""
    return command.name == "JOIN" and command.argument.lower().startswith(game) and not reply.never


def answer(act: Act, person: Person, ask: Ask, one: Invitation, *, yes: bool, powers: Sequence[str] = ()) -> list[Answer]:
    """What comes of an answer to an invitation, inside the caller's transaction."""
    judge, store = act.judge, act.judge.store
    game = games.by_id(store, one.game_id)
    told = {"game": game.name, "never": False}
    if not yes:
        if one.state == "declined":
            return [Answer("invitation-told", {**told, "result": "declined"})]
        if one.state == "accepted":
            return [Answer("invitation-told", {**told, "result": "is-in"})]
        people.decide(store, ask.id, "dropped", act.now)
        invitations.decide(store, one.id, "declined", act.now)
        inviting.tell_maker(judge, game, person.address, act.now, number=ask.id)
        return [Answer("invitation-told", {**told, "result": "now-declined"})]
    answers = []
    if person.state == "asked":
        people.confirm(store, person.id, act.now)
        answers.append(Answer("welcome", {"language": person.language, "timezone": person.timezone}))
    people.decide(store, ask.id, "done", act.now)
    known_now = replace(act, person=people.load(store, person.id))
    wished = " ".join((game.name, *(power.replace(" ", "-") for power in powers)))
    return answers + carry_out(known_now, [Command("JOIN", wished, f"JOIN {wished}")])


def never_again(act: Act, person: Person, reply: Reply) -> list[Answer]:
    """NO MORE: the invitation is declined, and no other goes to that mailbox, whatever else is kept of it or not."""
    store = act.judge.store
    own = inviting.digest(act.judge, person.mailbox)
    before = invitations.wants_none(store, own)
    invitations.never(store, own, act.now)
    game = games.by_id(store, reply.invitation.game_id)
    if reply.invitation.state == "open":
        answer(act, person, reply.ask, reply.invitation, yes=False)
    return [Answer("invitation-told", {"game": game.name, "never": True, "result": "never-again" if before else "never"})]
