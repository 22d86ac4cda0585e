"""Mail to the judge itself, outside of any game: who writes, what they may have at once, and what they have to confirm.

What everybody may know is told to everybody. What is about the sender is done only where it is certain who that is: a mail
from the registered address to the person's own signed address, or to the open one if the relay or a signature vouches for
it. Of any other mail nothing is done: the address that it names is asked, and YES from there does it. An address is written
to so often a day and no more, and reads no word of a mail that proved nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.mail import confirmations
from judge.mail.commands import Command, find_commands, verb_of
from judge.mail.learned import language_of, zone_of
from judge.mail.reading import Incoming, date_of
from judge.mail.senders import mailbox_key, same_mailbox, sole_sender
from judge.play import invited, seating, setup, strange
from judge.play.answering import stored
from judge.play.judge import Judge, rules_of
from judge.play.lateness import usable
from judge.play.oldhands import taught
from judge.play.people import FRESH, known, sent_before
from judge.play.posting import write_to_person, write_to_stranger
from judge.play.verbs import built_in, carry_out, moving, plain, standing
from judge.play.verbs.acting import Act, NotDone, refused
from judge.play.whose import vouched_for
from judge.render.commonfacts import Answer
from judge.store import games, invitations, outbox, people, standby
from judge.store.inbox import StoredMail
from judge.store.people import Ask, Person

#: So many answers go to an address a day that nothing was proved of, and to a person who is known.
MOST_ANSWERS = 20
MOST_ANSWERS_KNOWN = 200
#: So many questions go to an address a day.
MOST_QUESTIONS = 3
#: So many commands of one mail are looked at.
MOST_COMMANDS = 20
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Caller:
    """Who writes: ``person`` is who is known by the address, confirmed or not; ``proved``: it is certain that the mail is
    theirs. ``language`` and ``timezone``: how they are to be written to."""

    address: str
    person: Person | None
    proved: bool
    language: str
    timezone: str


def answer(judge: Judge, mail: StoredMail, incoming: Incoming, address: str, now: datetime) -> str | None:
    """Answer a mail to the judge itself, inside the caller's transaction. ``address``: its sender, as far as it says.
    Returns the outcome: ``command``, ``asked`` (nothing is done before somebody says YES), ``unconfirmed`` (so many answers
    have gone to the address today), or ``None``: it asks for nothing."""
    caller = _who(judge, mail, incoming, address)
    found = [*incoming.blocks, *find_commands(incoming.own_lines, outside=True)[0]]
    commands = [one for one in found if not built_in(one, "anyone")][:MOST_COMMANDS]
    votes = _votes(judge, caller, incoming)
    reply = invited.find(judge, caller.person, incoming) if caller.proved and caller.person is not None else None
    if reply is not None:
        votes = [(yes, asks) for yes, asks in votes if asks and reply.ask not in asks]
        commands = [one for one in commands if not invited.is_join(one, reply, reply.ask.commands[0][1])]
    # who asks for the manual and nothing else gets that
    old = bool(incoming.old) and not any(one.name == "HELP" for one in found)
    odd = [] if reply is not None else strange.told(incoming.own_lines, outside=True)
    if not (commands or votes or old or odd or reply):
        return None
    most = MOST_ANSWERS_KNOWN if caller.proved else MOST_ANSWERS
    if _answers_lately(judge, caller.address, now) >= most:
        return "unconfirmed"
    act = Act(judge, "anyone", mail, incoming, now, address=caller.address)
    answers = _settle(act, caller, votes)
    if reply is not None and caller.person is not None:
        answers += _invited(act, caller.person, reply)
    votes_too = bool(votes) or reply is not None
    person = caller.person if caller.proved and caller.person and (caller.person.state == "confirmed" or votes_too) else None
    if person is not None:
        person = people.load(judge.store, person.id)
    if person is not None and person.state == "confirmed":
        answers += carry_out(replace(act, person=person), commands) + odd + taught(incoming)
        _write(act, caller, person, _start_what_is_full(act, answers))
        return "command"
    at_once = [plain.without_words(one) for one in carry_out(act, [one for one in commands if not verb_of(one).personal])]
    personal = [one for one in commands if verb_of(one).personal]
    doable, not_doable = _sift(act, personal)
    answers += at_once + not_doable + [strange.without_words(one) for one in odd] + taught(incoming)
    asked, number = _question(judge, caller, doable, now) if doable else (None, 0)
    if asked is not None:
        answers.append(_as_question(asked, number, doable))
    name = _write(act, caller, asked or person, answers)
    if asked is not None and name is not None:
        people.asked_in(judge.store, number, name)
    return "asked" if asked is not None else "command" if answers or not doable else "unconfirmed"


# who it is


def _who(judge: Judge, mail: StoredMail, incoming: Incoming, address: str) -> _Caller:
    own = people.find(judge.store, mail.recipient.person) if mail.recipient.person is not None else None
    if own is not None and own.state != "forgotten":
        sender = sole_sender(mail.raw)
        if sender is not None and same_mailbox(own.address, sender):
            return _Caller(own.address, own, True, own.language, own.timezone)
    language = language_of(mail.raw, "\n".join((incoming.subject_text, incoming.player_text)))
    timezone = zone_of(mail.raw, language)
    person = known(judge, address)
    if person is None:
        return _Caller(address, None, False, language, timezone)
    proved = vouched_for(judge, mail, person.address, f"judge@{judge.domain}") and _fresh(judge, mail)
    return _Caller(person.address if proved else address, person, proved, language, timezone)


def _fresh(judge: Judge, mail: StoredMail) -> bool:
    """Whether a signed mail is no old one that somebody has a copy of, nor one that came before."""
    written = usable(date_of(mail.raw), mail.received_at)
    return written is not None and mail.received_at - written <= FRESH and not sent_before(judge, mail.id, mail.message_id)


def _answers_lately(judge: Judge, address: str, now: datetime) -> int:
    """How many answers went within the day to the mailbox: whoever forges senders could write it in a thousand ways."""
    domains = {"@" + one.rpartition("@")[2] for one in (address, mailbox_key(address) or address)}
    since = now - timedelta(days=1)
    told = [one for domain in domains for one in outbox.addresses_since(judge.store, "answer", domain, since)]
    return sum(same_mailbox(one, address) for one in told)


# what they say to our questions


def _votes(judge: Judge, caller: _Caller, incoming: Incoming) -> list[tuple[bool, tuple[Ask, ...]]]:
    """The answers of a mail to our questions: yes or no, and to which (none: it doesn't say)."""
    if not caller.proved or caller.person is None:
        return []
    asks = people.asks(judge.store, caller.person.id)
    if not asks:
        return []
    names = {incoming.in_reply_to, *incoming.references[-1:]}
    replied = tuple(one for one in asks if one.asked_in in names)
    waiting = tuple(one for one in asks if one.state == "asked")
    votes = []
    for said in confirmations.find(incoming.own_lines)[0]:
        if said.numbers:
            meant = tuple(one for one in asks if one.id in said.numbers)
        else:
            meant = _meant(said.yes, replied, waiting, asks)
        votes.append((said.yes, meant))
    return votes


def _meant(yes: bool, replied: tuple[Ask, ...], waiting: tuple[Ask, ...], asks: Sequence[Ask]) -> tuple[Ask, ...]:
    """What a word without a number is about: what the answered mail asked; else the one thing that waits (a NO: all that
    do); else, where nothing waits, what was asked last."""
    if replied:
        return replied
    if waiting:
        return waiting if len(waiting) == 1 or not yes else ()
    return tuple(asks[-1:])


def _settle(act: Act, caller: _Caller, votes: Sequence[tuple[bool, tuple[Ask, ...]]]) -> list[Answer]:
    """Do what the answers say; the first YES makes a person known."""
    answers: list[Answer] = []
    if caller.person is None:
        return answers
    both = {ask.id for yes, asks in votes if yes for ask in asks} & {
        ask.id for yes, asks in votes if not yes for ask in asks
    }
    for yes, asks in votes:
        if not asks:
            answers.append(_which(people.asks(act.judge.store, caller.person.id)))
        for ask in asks:
            if ask.id in both:
                answers.append(Answer("ask-told", {"number": ask.id, "result": "unclear"}))
            elif (made := standby.of_ask(act.judge.store, ask.id)) is not None:
                answers += standing.answer_offer(act, caller.person, ask, made, yes=yes)
            elif (invitation := invitations.of_ask(act.judge.store, ask.id)) is not None:
                answers += invited.answer(act, caller.person, ask, invitation, yes=yes)
            elif ask.state != "asked":
                answers.append(Answer("ask-told", {"number": ask.id, "result": f"already-{ask.state}"}))
            elif not yes:
                people.decide(act.judge.store, ask.id, "dropped", act.now)
                answers.append(Answer("ask-told", {"number": ask.id, "result": "dropped"}))
            else:
                answers += _do(act, caller.person, ask)
    return answers


def _invited(act: Act, person: Person, reply: invited.Reply) -> list[Answer]:
    """What comes of an answer to an invitation that is more than YES or NO."""
    person = people.load(act.judge.store, person.id)
    if reply.never:
        return invited.never_again(act, person, reply)
    return invited.answer(act, person, reply.ask, reply.invitation, yes=True, powers=reply.powers)


def _do(act: Act, person: Person, ask: Ask) -> list[Answer]:
    """What was asked is confirmed: it is done as if it had just been said."""
    store = act.judge.store
    people.decide(store, ask.id, "done", act.now)
    if ask.mover is not None:
        people.confirm(store, person.id, act.now)
        return moving.arrive(act, person, ask.mover, ask.commands[0][1])
    answers = []
    if person.state == "asked":
        people.confirm(store, person.id, act.now)
        answers.append(Answer("welcome", {"language": person.language, "timezone": person.timezone}))
    known_now = replace(act, person=people.load(store, person.id))
    commands = [Command(name, argument, f"{name} {argument}".strip()) for name, argument in ask.commands]
    return answers + carry_out(known_now, commands)


def _which(asks: Sequence[Ask]) -> Answer:
    waiting = [one for one in asks if one.state == "asked"]
    return Answer("ask-which", {"asks": [[one.id, plain.lines(one.commands)] for one in waiting]})


# what we ask


def _sift(act: Act, commands: Sequence[Command]) -> tuple[list[tuple[str, str]], list[Answer]]:
    """The commands that can be done, written in the judge's own words, and what is said of the others."""
    doable, not_doable = [], []
    for command in commands:
        try:
            doable.append((command.name, plain.argument(act, command)))
        except NotDone as why:
            not_doable.append(plain.without_words(refused(command, why)))
    return list(dict.fromkeys(doable)), not_doable


def _question(
    judge: Judge, caller: _Caller, commands: Sequence[tuple[str, str]], now: datetime
) -> tuple[Person | None, int]:
    """Write down what was asked, for whoever the address belongs to; nobody: they were asked often enough today."""
    person = caller.person
    if person is None:
        person = people.add(
            judge.store,
            caller.address,
            mailbox_key(caller.address) or caller.address,
            language=caller.language,
            timezone=caller.timezone,
            state="asked",
            now=now,
        )
    if people.asked_since(judge.store, person.id, now - _DAY) >= MOST_QUESTIONS:
        return None, 0
    return person, people.ask(judge.store, person.id, commands, now)


def _as_question(person: Person, number: int, commands: Sequence[tuple[str, str]]) -> Answer:
    args: dict[str, Any] = {"number": number, "lines": plain.lines(commands), "known": person.state == "confirmed"}
    return Answer("ask", args)


def _start_what_is_full(act: Act, answers: Sequence[Answer]) -> list[Answer]:
    """Start the games that somebody has just joined, if their rules let them start by themselves and nobody is missing.
    Gives the answers that are left: who has joined such a game hears of it by the mail that it begins with."""
    left = []
    for answer in answers:
        if answer.code == "join" and answer.args["how"] == "waits" and not answer.args["left"]:
            game = games.get(act.judge.store, answer.args["game"])
            if rules_of(game).powers_start == "full" and not seating.free_without_a_wish(act.judge, game):
                # a keyed digest: nobody but the judge can know it before, and it needs no chance at this moment
                seed = act.judge.keys.digest("draw", game.name, str(act.mail.id))
                setup.start_game(act.judge, game.name, act.now, seed, "chance")
                continue
        left.append(answer)
    return left


# the mail


def _write(act: Act, caller: _Caller, person: Person | None, answers: Sequence[Answer]) -> str | None:
    """Put the one mail into the outbox that answers all of a mail, if there is anything to say. Returns its Message-ID, if
    it goes to a ``person``."""
    if not answers:
        return None
    args: dict[str, Any] = {"answers": stored(answers), "subject": act.incoming.subject}
    args["variant"] = next((one.args["variant"] for one in answers if "variant" in one.args), "standard")
    found = people.find(act.judge.store, person.id) if person is not None else None
    extra, answering = str(act.mail.id), act.incoming.message_id
    if found is not None and found.state != "forgotten":
        return write_to_person(act.judge, found, "answer", args, act.now, extra=extra, in_reply_to=answering)
    reader = {"language": caller.language, "timezone": caller.timezone}
    write_to_stranger(act.judge, caller.address, "answer", args, act.now, extra=extra, in_reply_to=answering, **reader)
    return None
