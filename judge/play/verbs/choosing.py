"""MAIL: which mails somebody wants at once, and which may wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from judge.mail.commands import Command
from judge.mail.senders import box_of
from judge.mail.verbs import Role
from judge.play import digests, keeping
from judge.play.judge import Judge
from judge.play.people import person_of, seats_of
from judge.play.verbs.acting import Act, Doer
from judge.render.commonfacts import Answer
from judge.store import games, keptmail
from judge.store.keptmail import EVERYWHERE, Choice

_CHOICES: Mapping[str, Choice] = {
    **dict.fromkeys(("all", "everything", "すべて", "全部", "即時", "全部邮件", "全部郵件"), "all"),
    **dict.fromkeys(("results", "result", "results only", "only results", "結果", "結果のみ", "仅结果", "只要结果", "僅結果",
                     "只要結果"), "results"),
    **dict.fromkeys(("digest", "daily", "once a day", "まとめ", "一日一回", "1日1回", "摘要", "每日", "每日摘要",
                     "每日一封"), "digest"),
}  # fmt: skip


def _wanted(command: Command) -> Choice | None:
    return _CHOICES.get(" ".join(command.argument.casefold().split()))


def choose(act: Act, command: Command) -> Sequence[Answer]:
    """The answer to MAIL [ALL, RESULTS or DIGEST]: at a seat for its game, elsewhere for all games. What waits and shall
    wait no more comes with it; MAIL alone brings it too."""
    wanted = _wanted(command)
    if act.game is not None and act.seat is not None:
        return _at_seat(act, wanted)
    person = person_of(act)
    before = keptmail.choice(act.judge.store, person.mailbox, EVERYWHERE)
    single = keptmail.differing(act.judge.store, person.mailbox)
    if wanted is not None:
        keptmail.choose(act.judge.store, person.mailbox, EVERYWHERE, wanted, act.now)
    if wanted in (None, "all"):
        _send_what_waits(act.judge, person.mailbox, act)
    changed = None if wanted is None else wanted != before or bool(single)
    return [Answer("mail-choice", {"choice": wanted or before, "changed": changed, "game": None, "hour": digests.HOUR})]


def _at_seat(act: Act, wanted: Choice | None) -> Sequence[Answer]:
    assert act.game is not None and act.seat is not None
    # an earlier command of this mail may have given the seat another address of its own
    seat = games.seat(act.judge.store, act.game.id, act.seat.power)
    mailbox = box_of(act.seat.address)
    before = keptmail.choice(act.judge.store, mailbox, act.game.id)
    if wanted is not None:
        keptmail.choose(act.judge.store, mailbox, act.game.id, wanted, act.now)
    changed = None if wanted is None else wanted != before
    args = {"choice": wanted or before, "changed": changed, "game": act.game.name, "hour": digests.HOUR}
    kept = keeping.take(act.judge, act.game, seat, act.now) if wanted in (None, "all") else []
    return [Answer("mail-choice", args), *kept]


def _send_what_waits(judge: Judge, mailbox: str, act: Act) -> None:
    """Of each game in a mail of its own: an answer to press goes to the seat."""
    for game, seat in seats_of(judge, mailbox):
        digests.write(judge, game, seat, act.now)


def _as_written(_: Act, command: Command) -> str:
    return (_wanted(command) or "").upper()


_ROLES: tuple[Role, ...] = ("anyone", "player", "master")
DOERS: Mapping[tuple[str, Role], Doer] = {("MAIL", role): choose for role in _ROLES}
CHECKS: Mapping[str, Callable[[Act, Command], str]] = {"MAIL": _as_written}
