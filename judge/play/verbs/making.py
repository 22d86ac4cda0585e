"""NEW: one mail makes a game and invites friends into it; INVITE: one more of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from judge.errors import BadInput
from judge.mail.addresses import is_game_name
from judge.mail.commands import Command
from judge.mail.senders import mailbox_key
from judge.mail.verbs import Role
from judge.play import inviting, rulings, seating
from judge.play import schedule as timetables
from judge.play.assigning import Method
from judge.play.people import person_of, sendable
from judge.play.rulings import RulesRefused
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.joining import named_game
from judge.play.verbs.personal import language_named, zone_named
from judge.render.commonfacts import Answer
from judge.rules.houserules import HouseRules
from judge.store import games, invitations, people
from judge.store.games import Game
from judge.variants import load_board, load_rules
from judge.variants.houserules import preset_names

#: So many lines of a mail are looked at, so long each, and so many friends are invited by it.
MOST_LINES, LONGEST_LINE, MOST_FRIENDS = 60, 1000, 20
#: So many faults are told of.
MOST_FAULTS = 12
#: How long a phase lasts where nothing is said.
USUAL_SCHEDULE = "every 24 h"
_NAME = re.compile(r"([a-z0-9-]{1,20})(?![a-z0-9-])\s*[:：;；,，|｜]?\s*(.*)\Z", re.IGNORECASE | re.DOTALL)
_BREAKS = re.compile(r"[\s,;、，；<>()]+")
#: what a line may begin with -> what it sets
_HEADS: Mapping[str, str] = {
    **dict.fromkeys(("rules", "house rules", "ルール", "規則", "规则"), "rules"),
    **dict.fromkeys(("schedule", "deadlines", "deadline", "締切", "日程", "截止", "时间表", "時間表"), "schedule"),
    **dict.fromkeys(("set", "設定", "设置", "設置"), "set"),
    **dict.fromkeys(("master", "game master", "gm", "マスター", "主持人"), "master"),
    **dict.fromkeys(("language", "言語", "语言", "語言"), "language"),
    **dict.fromkeys(("timezone", "time zone", "タイムゾーン", "时区", "時區"), "timezone"),
}
_HEAD = re.compile(
    rf"(?P<head>{'|'.join(sorted(map(re.escape, _HEADS), key=len, reverse=True))})(?:\s*[:：=]\s*|\s+)(?P<value>\S.*)\Z",
    re.IGNORECASE,
)
_OPEN = frozenset({"open", "public", "公開", "公开", "誰でも", "任何人"})
_ME = frozenset({"me", "i", "myself", "私", "我", "自分"})
_NONE = frozenset({"none", "nobody", "no", "off", "なし", "无", "無"})


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line: its number (0: with all of them), the line, the code and arguments of the sentence."""

    number: int
    line: str
    code: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """The game that a NEW asks for. ``settings``: house rules besides the preset's; ``faults``: why it can't be made."""

    name: str
    friends: tuple[str, ...] = ()
    preset: str = "standard"
    settings: tuple[tuple[str, str], ...] = ()
    schedule: str = USUAL_SCHEDULE
    master: bool = False
    opened: bool = False
    language: str | None = None
    timezone: str | None = None
    faults: tuple[Fault, ...] = ()

    def __str__(self) -> str:
        """As one line, which is read back as the same plan."""
        parts = [" ".join(self.friends)] if self.friends else []
        parts += [f"rules {self.preset}"] if self.preset != "standard" else []
        parts += [f"schedule {self.schedule}"] if self.schedule != USUAL_SCHEDULE else []
        parts += [f"set {key}={value}" for key, value in self.settings]
        parts += ["master me"] if self.master else []
        parts += ["open"] if self.opened else []
        parts += [f"language {self.language}"] if self.language else []
        parts += [f"timezone {self.timezone}"] if self.timezone else []
        return " | ".join((self.name, *parts))


def read(command: Command) -> Plan:
    """What a NEW says, with the faults that its lines have by themselves.

    :raises NotDone: it names no game.
    """
    found = _NAME.match(command.argument.strip())
    if found is None:
        raise NotDone("new.form")
    name = found[1].lower()
    if not is_game_name(name):
        raise NotDone("new.name", game=name)
    plan = Plan(name)
    lines = [line for line in (found[2], *command.lines) if line.strip()]
    for number, line in enumerate(lines[:MOST_LINES], 0 if found[2].strip() else 1):
        for part in re.split(r"[|｜]", line[:LONGEST_LINE]):
            text = unicodedata.normalize("NFKC", part).strip(" \t>*•·")
            try:
                plan = _with_line(plan, text) if text else plan
            except NotDone as why:
                plan = replace(plan, faults=(*plan.faults, Fault(number, text, why.code, why.arguments)))
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        too_long = Fault(0, "", "new.too-long", {"lines": MOST_LINES, "most": LONGEST_LINE})
        plan = replace(plan, faults=(*plan.faults, too_long))
    return plan


def _with_line(plan: Plan, line: str) -> Plan:
    """The plan with one line more.

    :raises NotDone: what is wrong with it.
    """
    if line.casefold().strip(" .。!") in _OPEN:
        return replace(plan, opened=True)
    head = _HEAD.match(line)
    if head is None:
        return _with_friends(plan, line)
    what, value = _HEADS[head["head"].casefold()], head["value"].strip()
    if what == "rules":
        if value.casefold() not in preset_names():
            raise NotDone("new.no-rules", presets=list(preset_names()))
        return replace(plan, preset=value.casefold())
    if what == "schedule":
        try:
            timetables.read(value)
        except BadInput:
            raise NotDone("new.schedule", examples=["every 24 h", "every 3 days"]) from None
        return replace(plan, schedule=value)
    if what == "set":
        key, found, text = value.partition("=")
        if not found:
            raise NotDone("new.set", example="set press.kinds=white")
        return replace(plan, settings=(*plan.settings, (key.strip().casefold(), text.strip())))
    if what == "master":
        if value.casefold() in _NONE:
            return replace(plan, master=False)
        if value.casefold() not in _ME:
            raise NotDone("new.master")
        return replace(plan, master=True)
    return _with_reader(plan, what, value)


def _with_reader(plan: Plan, what: str, value: str) -> Plan:
    if what == "language":
        language = language_named(value)
        if language is None:
            raise NotDone("language.unknown")
        return replace(plan, language=language)
    zone = zone_named(value)
    if zone is None:
        raise NotDone("timezone.unknown")
    return replace(plan, timezone=zone)


def _with_friends(plan: Plan, line: str) -> Plan:
    known = {mailbox_key(one) for one in plan.friends}
    friends = list(plan.friends)
    words = [word for word in _BREAKS.split(line) if word]
    addresses = [word for word in words if "@" in word]
    # "Anna Berg <anna@example.org>" names one; a sentence with an address in it may mean anything
    if not addresses or len(words) > 6 * len(addresses):
        raise NotDone("new.line")
    for word in addresses:
        address = sendable(word.rstrip("."))
        key = mailbox_key(address or "")
        if address is None or key is None:
            raise NotDone("new.no-address")
        if key not in known:
            known.add(key)
            friends.append(address)
    if len(friends) > MOST_FRIENDS:
        raise NotDone("new.too-many-friends", most=MOST_FRIENDS)
    return replace(plan, friends=tuple(friends))


def rules_of_plan(plan: Plan) -> tuple[HouseRules, list[Fault]]:
    """The house rules of the game: the preset's, those that are set, and what goes without saying for a game of friends;
    and what is wrong with those that are set."""
    board = load_board()
    rules = load_rules(plan.preset, board)
    usual = [("entry.private", "no" if plan.opened else "yes"), ("powers.start", "full")]
    if rules.powers_assign not in get_args(Method):
        usual.append(("powers.assign", "best-ranks"))
    rules = rulings.set_keys(rules, usual, board)
    faults = []
    for key, value in plan.settings:
        try:
            rules = rulings.set_key(rules, key, value, board)
        except RulesRefused as why:
            faults.append(Fault(0, f"set {key}={value}", why.code, why.arguments))
    if rules.powers_assign not in get_args(Method) and not faults:
        faults.append(Fault(0, "set powers.assign=master", "new.by-master"))
    return rules, faults


def _checked(act: Act, plan: Plan, maker: str) -> tuple[Fault, ...]:
    """All faults of a plan, as far as they can be known before it is done; ``maker``: the address of who asks."""
    rules, wrong = rules_of_plan(plan)
    faults = [*plan.faults, *wrong]
    own = mailbox_key(maker)
    for address in plan.friends:
        if mailbox_key(address) == own:
            faults.append(Fault(0, address, "new.yourself"))
        elif inviting.uninvitable(act.judge, address, act.now):
            faults.append(Fault(0, address, "invite.cannot", {"address": address}))
    players = len(plan.friends) + (not plan.master)
    seats = len(load_board().powers) - len(rules.powers_unplayed)
    if not plan.friends and not plan.opened and not faults:
        faults.append(Fault(0, "", "new.no-friends"))
    elif players > seats:
        faults.append(Fault(0, "", "new.too-many-players", {"count": players, "most": seats}))
    elif players < seats and not (plan.opened or plan.master) and not faults:
        faults.append(Fault(0, "", "new.too-few", {"count": players, "most": seats}))
    return tuple(faults)


def new(act: Act, command: Command) -> Sequence[Answer]:
    """A game is made, and everybody who is named is invited; with a fault nothing is made, and all of them are told."""
    person, store = person_of(act), act.judge.store
    plan = read(command)
    there = games.find(store, plan.name)
    if there is not None:
        if invitations.maker(store, there.id) == person.id:
            return [Answer("new", {"how": "again", "game": there.name, "variant": there.variant})]
        raise NotDone("new.taken", game=plan.name)
    inviting.check_maker(act.judge, person)
    faults = _checked(act, plan, person.address)
    if faults:
        return [_told(command, plan, faults)]
    inviting.check_number(act.judge, person, len(plan.friends), act.now)
    person = people.load(store, person.id)  # an earlier line of the mail may have set how they read
    reader = {"language": plan.language or person.language, "timezone": plan.timezone or person.timezone}
    rules, _ = rules_of_plan(plan)
    agreed: dict[str, Any] = {"rules": rules, "schedule": plan.schedule, "master": plan.master, **reader}
    game = inviting.make(act.judge, plan.name, person, plan.friends, **agreed, now=act.now)
    return [Answer("new", _made(act, game, plan, rules))]


def _made(act: Act, game: Game, plan: Plan, rules: HouseRules) -> dict[str, Any]:
    return {
        "how": "made",
        "game": game.name,
        "variant": game.variant,
        "friends": list(plan.friends),
        "master": plan.master,
        "open": plan.opened,
        "rules": plan.preset,
        "press": rules.press_kinds,
        "schedule": game.schedule,
        "left": max(0, seating.free_without_a_wish(act.judge, game)),
    }


def _told(command: Command, plan: Plan, faults: Sequence[Fault]) -> Answer:
    shown = [[one.number, one.line[:300], one.code, dict(one.args)] for one in faults[:MOST_FAULTS]]
    lines = command.lines[:MOST_LINES] or tuple(str(plan).split(" | ")[1:])
    back = [f"NEW {plan.name}", *(line.strip()[:300] for line in lines if line.strip())]
    return Answer("new-faults", {"game": plan.name, "faults": shown, "more": len(faults) - len(shown), "lines": back})


def check_new(act: Act, command: Command) -> str:
    """NEW as the judge writes it, if it could be done; of its faults the first is told, without any words of the mail."""
    plan = read(command)
    if not inviting.may_make(act.judge, act.address):
        raise NotDone("new.not-by-mail")
    if games.find(act.judge.store, plan.name) is not None:
        raise NotDone("new.taken", game=plan.name)
    faults = _checked(act, plan, act.address)
    if faults:
        raise NotDone("new.faults", count=len(faults))
    return str(plan)


# INVITE


def _read_invite(act: Act, command: Command) -> tuple[Game, str]:
    found = _NAME.match(command.argument.strip())
    address = sendable(found[2].strip("<> ")) if found else None
    if found is None or address is None or mailbox_key(address) is None:
        raise NotDone("new.no-address")
    game = named_game(act, found[1])
    if game.state != "forming":
        raise NotDone("invite.started", game=game.name)
    return game, address


def check_invite(act: Act, command: Command) -> str:
    """INVITE as the judge writes it."""
    game, address = _read_invite(act, command)
    return f"{game.name} {address}"


def invite(act: Act, command: Command) -> Sequence[Answer]:
    """One more is invited into a game by who made it."""
    person, judge = person_of(act), act.judge
    game, address = _read_invite(act, command)
    if invitations.maker(judge.store, game.id) != person.id:
        raise NotDone("invite.not-yours", game=game.name)
    told = {"game": game.name, "address": address}
    if mailbox_key(address) == person.mailbox:
        raise NotDone("new.yourself")
    before = invitations.of_digest(judge.store, game.id, inviting.digest(judge, mailbox_key(address) or ""))
    if before is not None:
        return [Answer("invited", {**told, "how": "again"})]
    if inviting.uninvitable(judge, address, act.now):
        raise NotDone("invite.cannot", address=address)
    waiting = invitations.states(judge.store, game.id).get("open", 0)
    if seating.free_without_a_wish(judge, game) - waiting < 1:
        raise NotDone("invite.full", game=game.name)
    inviting.check_number(judge, person, 1, act.now)
    person = people.load(judge.store, person.id)
    inviting.invite(judge, game, person, address, language=person.language, timezone=person.timezone, now=act.now)
    return [Answer("invited", {**told, "how": "invited"})]


DOERS: Mapping[tuple[str, Role], Doer] = {("NEW", "anyone"): new, ("INVITE", "anyone"): invite}
CHECKS: Mapping[str, Callable[[Act, Command], str]] = {"NEW": check_new, "INVITE": check_invite}
