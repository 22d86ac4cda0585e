"""What a game's master does to it and its clock; and LOG, by which everybody reads that it was done.

Each verb is a function of :mod:`judge.play` that the shell calls too; here its words are read, and it is answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from judge.mail.commands import Command
from judge.mail.instants import read_instant, read_span
from judge.mail.message_ids import ids_in
from judge.mail.rulelines import find_settings
from judge.mail.verbs import Role
from judge.play import accepting, auditing, commenting, concluding, correcting, extending, hurrying, pausing, rollback
from judge.play.announcing import Doer as By
from judge.play.announcing import powers_of_master
from judge.play.judge import Table, lay_out
from judge.play.placing import on_file_answers, position_answer
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.play.verbs.played import phase_named
from judge.play.verbs.replacing import power_in, reason_in
from judge.render.commonfacts import Answer
from judge.store import games, outbox
from judge.store.games import MASTER, Game

_UNTIL = re.compile(r"\A(?:(?:until|till|to|is)\s+|[到至]\s*)|\s*まで\Z", re.IGNORECASE)


def start(act: Act, _: Command) -> Sequence[Answer]:
    """START: the game begins; the answer says who has no player."""
    from judge.play import setup  # which makes masters, and so knows of this room

    game = _game(act)
    # nobody can know before what this makes, not even who sends the mail: the key is the judge's own
    seed = act.judge.keys.digest("start", game.name, str(act.mail.id), str(act.incoming.message_id))
    table = setup.start_game(act.judge, game.name, act.now, seed, "chance", who=MASTER, quiet=MASTER)
    left_out = table.rules.powers_unplayed
    empty = [s.power for s in games.seats(act.judge.store, game.id) if not s.address and s.power not in left_out]
    return [Answer("started", {"phase": table.phase.name, "deadline": table.phase.deadline, "empty": empty})]


def deadline(act: Act, command: Command) -> Sequence[Answer]:
    """DEADLINE Sat 21:00."""
    new = instant_of(act, command.argument, at_the_same_time=True)
    old = extending.set_deadline(act.judge, _table(act), new, _by(act), act.now)
    return [Answer("deadline", {"old": old, "new": new})]


def extend(act: Act, command: Command) -> Sequence[Answer]:
    """EXTEND 48 h, EXTEND UNTIL Sat 21:00."""
    span = read_span(re.sub(r"\Aby\s+", "", command.argument, flags=re.IGNORECASE))
    until = None if span is not None else instant_of(act, command.argument, at_the_same_time=True)
    old, new = extending.extend(
        act.judge, _table(act), _by(act), act.now, by=span, until=until, known_since=_newest_read(act)
    )
    return [Answer("deadline", {"old": old, "new": new})]


def pause(act: Act, command: Command) -> Sequence[Answer]:
    """PAUSE, PAUSE UNTIL 3 Jan."""
    until = instant_of(act, command.argument) if command.argument else None
    pausing.pause(act.judge, _table(act), _by(act), act.now, until=until)
    return [Answer("paused", {"until": until})]


def resume(act: Act, _: Command) -> Sequence[Answer]:
    """RESUME."""
    new = pausing.resume(act.judge, _table(act), _by(act), act.now)
    return [Answer("resumed", {"new": new})]


def process(act: Act, command: Command) -> Sequence[Answer]:
    """PROCESS, PROCESS S1901M, PROCESS NOW. Without the phase's name the mail must answer one about the open phase."""
    words = command.argument.lower()
    at_once = words.endswith("now")
    named = words.removesuffix("now").strip(" ,")
    if not named and act.out_of_turn:
        raise NotDone("verb.out-of-turn", verb=command.name)
    table = _table(act)
    phase = _phase(act, named) if named else None
    hurrying.hurry(act.judge, table, phase=phase, at_once=at_once, who=MASTER, now=act.now)
    return [Answer("hurried", {"phase": table.phase.name})]


def roll_back(act: Act, command: Command) -> Sequence[Answer]:
    """ROLLBACK S1901M."""
    game = _game(act)
    named = re.sub(r"\Ato\s+", "", command.argument, flags=re.IGNORECASE)
    if not named:
        raise rollback.which(act.judge, game)
    went = rollback.roll_back(act.judge, game, _phase(act, named), _by(act), act.now)
    told = Answer(
        "rolled-back",
        {"phase": went.table.phase.name, "undone": list(went.undone), "new": went.table.phase.deadline},
    )
    own = on_file_answers(act.judge, went.table)
    return [told, *(own[power] for power in powers_of_master(act.judge, game)), position_answer(went.table)]


def accept(act: Act, command: Command) -> Sequence[Answer]:
    """ACCEPT POWER [BECAUSE ...]: orders that came late."""
    table = _table(act)
    text, why = reason_in(command.argument)
    done = accepting.accept_late(act.judge, table, power_in(text, table), _by(act, why), act.now)
    return [Answer("late-accepted", {"power": done.power, "phase": done.phase, "came": done.came, "again": done.again})]


def correct(act: Act, command: Command) -> Sequence[Answer]:
    """CORRECT POSITION, with a block of lines; its reason stands on a WHY line in the block or elsewhere in the mail."""
    found = find_settings(command.lines, ())
    table = _table(act)
    changes = correcting.read_changes(table, found.rest)
    after = correcting.correct(act.judge, table, changes, _by(act, found.why), act.now)
    return [
        Answer("corrected", {"changes": [dict(one) for one in changes], "why": found.why or act.why}),
        position_answer(after),
    ]


def comment(act: Act, command: Command) -> Sequence[Answer]:
    """SET COMMENT, with a block of lines."""
    text = "\n".join(command.lines).strip()
    if not text:
        raise NotDone("comment.empty", example="SET NO COMMENT")
    commenting.set_comment(act.judge, _game(act), text, _by(act), act.now)
    return [Answer("comment", {"text": text})]


def no_comment(act: Act, _: Command) -> Sequence[Answer]:
    """SET NO COMMENT."""
    commenting.set_comment(act.judge, _game(act), "", _by(act), act.now)
    return [Answer("comment", {"text": ""})]


def end_game(act: Act, command: Command) -> Sequence[Answer]:
    """END GAME (without a result), END GAME DRAW."""
    drawn = bool(re.search(r"draw|引き分け|和局|平局", command.argument, re.IGNORECASE))
    table = _table(act)
    end = concluding.end_by_word(table, "master", concluding.left_to_share(table) if drawn else ())
    by = _by(act)
    concluding.end_game(
        act.judge,
        table,
        end,
        act.now,
        who=MASTER,
        facts={"why": by.why},
        quiet_at=act.seat.address if act.seat else None,
        told={"by": by.shown, "why": by.why},
    )
    return [Answer("ended", {"winners": list(end.winners), "drawn": drawn}), position_answer(table)]


def log(act: Act, _: Command) -> Sequence[Answer]:
    """LOG: what was done to the game."""
    return [auditing.log_answer(act.judge, _game(act))]


# what they share


def _game(act: Act) -> Game:
    assert act.game is not None  # a seat's verb
    return games.by_id(act.judge.store, act.game.id)  # an earlier line of the mail may have changed it


def _table(act: Act) -> Table:
    """The open phase as it is now.

    :raises NotDone: an earlier line of the mail ended the game.
    """
    game = _game(act)
    phase = games.open_phase(act.judge.store, game.id)
    if phase is None:
        raise NotDone("verb.over")
    return lay_out(game, phase)


def _phase(act: Act, words: str) -> str:
    """The phase that the words of a command name; what names none stays as it is."""
    assert act.table is not None  # a verb of a game that has started
    found = phase_named(words, _game(act), act.table.position.phase)
    return words.upper() if found is None else str(found)


def _by(act: Act, why: str | None = None) -> By:
    return By(MASTER, why or act.why, act.seat)


def _zone(act: Act) -> tzinfo:
    try:
        return ZoneInfo(act.seat.timezone) if act.seat else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def instant_of(act: Act, words: str, *, at_the_same_time: bool = False) -> datetime:
    """The instant that the words of a command name, in the master's time zone; ``at_the_same_time``: a day alone means the
    time of day that the deadline has now.

    :raises NotDone: there is no such day or time.
    """
    zone = _zone(act)
    clock = time(0, 0)
    phase = games.open_phase(act.judge.store, _game(act).id)
    if at_the_same_time and phase is not None and phase.deadline is not None:
        clock = phase.deadline.astimezone(zone).time().replace(second=0, microsecond=0)
    found = read_instant(_UNTIL.sub("", words, count=1), zone, act.now, clock)
    if found is None:
        raise NotDone("clock.no-instant", text=words[:60])
    return found


def _newest_read(act: Act) -> datetime | None:
    """When the newest of our mails was written that the master's mail answers; ``None``: it answers none."""
    said = (act.incoming.in_reply_to or "", *act.incoming.references)
    ids = [one for text in said for one in ids_in(text)]
    return outbox.newest_of(act.judge.store, _game(act).id, MASTER, ids) if ids else None


_MASTERS: Mapping[str, Callable[[Act, Command], Sequence[Answer]]] = {
    "START": start,
    "DEADLINE": deadline,
    "EXTEND": extend,
    "PAUSE": pause,
    "RESUME": resume,
    "PROCESS": process,
    "ROLLBACK": roll_back,
    "ACCEPT": accept,
    "CORRECT POSITION": correct,
    "SET COMMENT": comment,
    "SET NO COMMENT": no_comment,
    "END GAME": end_game,
}

DOERS: Mapping[tuple[str, Role], Doer] = {
    **{(verb, "master"): doer for verb, doer in _MASTERS.items()},
    ("LOG", "master"): log,
    ("LOG", "player"): log,
}
