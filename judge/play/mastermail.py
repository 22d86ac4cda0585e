"""A mail of the game master to their own signed address: rules are set, rules and state are told, in one answer.

Who writes is known by the address alone, as with a player's seat. A line that cannot be used never harms the others; every
change is checked, logged and told to the players by :mod:`judge.play.rulings`, exactly as when it is made in the shell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from judge.mail.commands import find_commands, misused
from judge.mail.message_ids import message_id
from judge.mail.nearest import nearest
from judge.mail.reading import Incoming
from judge.mail.rulelines import Setting, find_settings, looks_like_a_command, looks_like_a_setting
from judge.play import knowing, loops, press, views
from judge.play.answering import stored
from judge.play.judge import Judge, lay_out, open_table, rules_of
from judge.play.lateness import meant_for_another
from judge.play.masterreasons import Said, does, sort_out
from judge.play.oldhands import taught
from judge.play.rulings import Change, RulesRefused, change_what_can_be
from judge.play.seatmail import any_table
from judge.play.severalgames import own_part
from judge.play.verbs import built_in, carry_out
from judge.play.verbs.acting import Act
from judge.render.commonfacts import Answer
from judge.render.verbwords import WORDS, forms
from judge.rules.houserules import keys
from judge.store import failedmails, games, inbox, outbox
from judge.store.db import stamp
from judge.store.failedmails import Failing
from judge.store.games import MASTER, Game, Seat
from judge.store.inbox import StoredMail
from judge.variants.keytext import example

#: How the master is named in the log and to the players.
WHO = MASTER
#: What the answer shows as an example of a setting; no line of ours reads as one, since it stands in a sentence.
EXAMPLE = "SET victory.end.turn=F1908"
#: kinds of keys that have an empty value, which unsets them
_MAY_BE_EMPTY = ("text", "list", "table")
#: So many lines that are not understood are told of, of one mail.
_MOST_TOLD = 20
#: Where an address would stand that its reader is not told.
_SOMEBODY = "…"
#: So many rules one mail may set: each is checked, and a misspelt one compared with all keys, while nobody else can write.
MOST_SETTINGS = 100


def appoint(
    judge: Judge,
    game: Game,
    address: str,
    who: str,
    now: datetime,
    *,
    language: str = "en",
    timezone: str = "UTC",
    letter: bool = True,
) -> Seat:
    """Give the master's seat of a game to somebody, and write them the letter with what they can do. ``language`` and
    ``timezone`` are those of a game's first master; one who follows reads as the one before did.
    Without ``letter`` word of the start is the first they hear.

    Inside the caller's transaction. Whoever had it before cannot use the old address any more.
    """
    before = games.master(judge.store, game.id)
    if before is None:
        games.add_seat(judge.store, game.id, MASTER, address, language, timezone)
    else:
        games.set_player(judge.store, game.id, MASTER, address)
    seat = games.seat(judge.store, game.id, MASTER)
    games.log(judge.store, game.id, who, "master", {"generation": seat.generation}, now)
    if letter:
        write_letter(judge, game, seat, now)
    return seat


def write_letter(judge: Judge, game: Game, seat: Seat, now: datetime) -> None:
    """The first mail to a game master: what can be done by answering it."""
    state = _state(judge, game, seat)
    _write(judge, game, seat, {"kind": "letter", "help": True, **state}, now, extra=f"letter {seat.generation}")


def write_of_start(judge: Judge, game: Game, now: datetime) -> None:
    """Tell the master, if there is one, that the game has started: who plays, and by when orders are due. It is the letter
    too for a master who has had none, because the game was made and started at once."""
    seat = games.master(judge.store, game.id)
    if seat is not None and seat.address:
        first = outbox.first_of_event(judge.store, game.id, MASTER, "master") is None
        args = {"kind": "started", "help": first, **_state(judge, game, seat)}
        _write(judge, game, seat, args, now, extra="started")


def write_of_unreachable(judge: Judge, game: Game, seat: Seat, now: datetime) -> None:
    """Tell the master, if there is one who is not that player, that mails do not reach a seat's player; once a phase."""
    master = games.master(judge.store, game.id)
    if master is None or not master.address or _same(master.address, seat.address):
        return
    seats = [one for one in _state(judge, game, master)["seats"] if one["power"] == seat.power]
    heard = inbox.last_heard(judge.store, game.name, seat.power)
    args = {
        "kind": "unreachable",
        "unreachable": seat.power,
        "heard": None if heard is None else stamp(heard),
        "seats": seats,
    }
    _write(judge, game, master, args, now, extra=f"unreachable {seat.power} {seat.generation}")


def handle(judge: Judge, mail: StoredMail, incoming: Incoming, now: datetime) -> str:
    """Do what a master's mail says and write the answer, inside the caller's transaction. Returns the outcome: ``master``,
    ``nothing`` (no line of it could be used), ``auto-reply`` or ``again`` (no answer: nobody waits for one)."""
    game = games.get(judge.store, mail.recipient.game or "")
    seat = games.seat(judge.store, game.id, MASTER)
    elsewhere, incoming = incoming.other_games, own_part(incoming)
    said = sort_out(incoming, any_table(judge, game))
    commands, lines = said.commands, said.lines
    found = find_settings(lines, keys())
    if not (commands or found.settings or incoming.press or incoming.old):
        strange = any(_meant(line) for line in lines)
        if not strange and loops.nobody_waits(judge.store, mail, incoming):
            return "auto-reply" if incoming.automatic else "again"
    args = _obey(judge, game, seat, said, now, writes_press=bool(incoming.press or incoming.old))
    args["refused"] += [
        _told(" / ".join(theirs) or name, RulesRefused("master.other-game", game=name))
        for name, theirs in elsewhere[:_MOST_TOLD]
    ]
    table = any_table(judge, game)
    late = table is not None and table.phase.state == "open" and meant_for_another(judge, mail, incoming, table, MASTER)
    act = Act(
        judge, "master", mail, incoming, now, game, table, seat, out_of_turn=bool(late), why=said.sole, whys=said.reasons
    )
    answers = [*carry_out(act, commands), *taught(incoming)]
    args["answers"] = stored(answers)
    game = games.by_id(judge.store, game.id)
    args["press"] = _pass_on(judge, game, seat, mail, incoming, now)
    outcome = "master" if commands or found.settings or incoming.press or incoming.old else "nothing"
    if loops.spinning(judge.store, mail, incoming) or _answered_by_the_result(answers, args):
        return outcome
    number = games.next_receipt(judge.store, seat.id)
    _write(
        judge,
        game,
        seat,
        {"kind": "answer", "subject": incoming.subject, **args},
        now,
        extra=str(number),
        in_reply_to=incoming.message_id,
        references=incoming.references,
    )
    if any(command.name == "STATUS" for command in commands):
        failedmails.told(judge.store, game.id)  # whose mails arrive again is told once, and this mail tells it
    return outcome


def _answered_by_the_result(answers: Sequence[Answer], args: Mapping[str, Any]) -> bool:
    """Whether a mail said nothing but PROCESS: its answer is the result, which comes at once."""
    more = any(args.get(name) for name in ("changes", "same", "refused", "help", "rules", "seats", "press"))
    return bool(answers) and not more and all(answer.code == "hurried" for answer in answers)


def _pass_on(
    judge: Judge, game: Game, seat: Seat, mail: StoredMail, incoming: Incoming, now: datetime
) -> list[dict[str, Any]]:
    """Pass on the master's press, as the house rules allow; before the start there is nobody to pass it on to."""
    table = any_table(judge, game)
    if table is None:
        return press.too_early(incoming)
    lines = press.open_lines(incoming)
    meant = bool(find_commands(lines)[0]) or any(looks_like_a_setting(line) for line in lines)
    sender = press.Sender(seat, mail, incoming, over=game.state == "ended")
    return press.pass_on(judge, table, sender, now, orders_in_open=meant)


def _obey(
    judge: Judge,
    game: Game,
    seat: Seat,
    said: Said,
    now: datetime,
    *,
    writes_press: bool,
) -> dict[str, Any]:
    """Set what is to be set and gather what is asked for: the answer's arguments, as they are stored."""
    commands, lines = said.commands, said.lines
    found = find_settings(lines, keys())
    settings, beyond = found.settings[:MOST_SETTINGS], found.settings[MOST_SETTINGS:]
    usable, refused = _sifted(settings)
    if beyond:
        too_many = RulesRefused("master.too-many", most=MOST_SETTINGS, more=len(beyond) - 1)
        refused.append(_told(beyond[0].line, too_many))
    places = {line.strip()[:200]: place for place, line in enumerate(lines)}
    changes, cannot = _change(judge, game, usable, said, now)
    refused += [_told(one.line, refusal) for one, refusal in cannot]
    names = {command.name for command in commands if built_in(command)}
    understood = bool(found.settings or commands or writes_press)
    strange = [line for line in found.rest if line.strip() and (_meant(line) or not understood)]
    refused += [_told(line, _strange(line)) for line in strange[:_MOST_TOLD]]
    if found.why and not (found.settings or any(map(does, commands))):
        refused.append(_told(found.why, RulesRefused("master.no-reason")))
    refused.sort(key=lambda told: places.get(told["line"], 0))
    changed = {change.key for change in changes}
    failed = {one.key for one, _ in cannot}
    reasons = dict.fromkeys(filter(None, (said.why(one.line) for one in usable if one.key in changed)))
    same = dict.fromkeys(one.key for one in usable if one.key not in changed | failed)
    return {
        "changes": list(map(asdict, changes)),
        "why": " / ".join(reasons) or said.sole,
        "same": list(same),
        "refused": refused,
        "help": "HELP" in names or not understood,
        "rules": "RULES" in names,
        **(_state(judge, game, seat) if "STATUS" in names else {}),
    }


def _change(
    judge: Judge, game: Game, settings: Sequence[Setting], said: Said, now: datetime
) -> tuple[list[Change], list[tuple[Setting, RulesRefused]]]:
    """Change what can be changed, those with the same reason together; gives what changed, and what did not."""
    changes: list[Change] = []
    cannot: list[tuple[Setting, RulesRefused]] = []
    for why in dict.fromkeys(said.why(one.line) for one in settings) or [None]:
        same = [one for one in settings if said.why(one.line) == why]
        pairs = [(one.key, one.value or "") for one in same]
        made, refused = change_what_can_be(judge, game.name, pairs, who=WHO, why=why, now=now, quiet_for=MASTER)
        changes += made
        cannot += [(same[number], refusal) for number, refusal in refused]
    return changes, cannot


def _sifted(settings: Sequence[Setting]) -> tuple[list[Setting], list[dict[str, Any]]]:
    """The settings that can be tried, one a key (the last line counts), and what is told of the others."""
    usable, refused = [], []
    for one in settings:
        if one.value is None or (not one.value and one.key in keys() and keys()[one.key].kind not in _MAY_BE_EMPTY):
            refused.append(_told(one.line, _no_value(one)))
        else:
            usable.append(one)
    last = {one.key: one for one in usable}
    refused += [
        _told(one.line, RulesRefused("master.gave-way", key=one.key)) for one in usable if one.value != last[one.key].value
    ]
    return list(last.values()), refused


def _meant(line: str) -> bool:
    return looks_like_a_setting(line) or looks_like_a_command(line) or misused(line) is not None or bool(nearest(line))


def _strange(line: str) -> RulesRefused:
    verb = misused(line)
    if verb is None and (verbs := nearest(line)):
        return RulesRefused("master.no-command", forms=forms(verb.name for verb in verbs))
    if verb is None:
        return RulesRefused("master.not-understood", example=EXAMPLE)
    return RulesRefused("master.command-form", example=WORDS[verb.name].form)


def _no_value(setting: Setting) -> RulesRefused:
    if setting.key not in keys():
        return RulesRefused("rules.unknown-key", key=setting.key)
    return RulesRefused("rules.no-value", key=setting.key, example=f"SET {setting.key}={example(keys()[setting.key])}")


def _told(line: str, refusal: RulesRefused) -> dict[str, Any]:
    arguments = {name: stamp(at) if isinstance(at, datetime) else at for name, at in refusal.arguments.items()}
    return {"line": line.strip()[:200], "code": refusal.code, "args": arguments}


def _state(judge: Judge, game: Game, seat: Seat) -> dict[str, Any]:
    """Who plays what, and how far the orders are. Of a master who plays too the state of the others stays hidden, and who
    they are where players are not told."""
    phase = games.open_phase(judge.store, game.id)
    knows = knowing.master_knows(judge.store, game, lay_out(game, phase).rules if phase else rules_of(game))
    running = open_table(judge.store, game) is not None
    seats = {one.power: one for one in games.seats(judge.store, game.id)}
    own = {power for power, one in seats.items() if _same(one.address, seat.address)}
    return {
        "seats": [
            {
                "power": one["power"],
                "address": one["address"] if knows or not one["address"] or one["power"] in own else _SOMEBODY,
                "orders": one["status"] if running and (not own or one["power"] in own) else None,
                "failing": _failing(failedmails.failing(judge.store, seats[one["power"]])),
            }
            for one in views.game_view(judge, game)["seats"]
        ]
    }


def _failing(failing: Failing | None) -> dict[str, Any] | None:
    return (
        None
        if failing is None
        else {
            "since": stamp(failing.since),
            "status": failing.status,
            "lost": failing.lost,
            "late": failing.late,
            "over_at": None if failing.over_at is None else stamp(failing.over_at),
        }
    )


def _same(one: str | None, other: str | None) -> bool:
    return bool(one and other and one.casefold() == other.casefold())


def _write(
    judge: Judge,
    game: Game,
    seat: Seat,
    args: Mapping[str, Any],
    now: datetime,
    *,
    extra: str,
    in_reply_to: str | None = None,
    references: tuple[str, ...] = (),
) -> None:
    """Put a mail to the master into the outbox: about the open phase if there is one, else about the game alone."""
    phase = games.open_phase(judge.store, game.id) or games.last_processed(judge.store, game.id)
    name, attempt = (phase.name, phase.attempt) if phase else ("", 1)
    unique = judge.keys.digest("master", game.name, str(phase.id if phase else 0), MASTER, extra)
    first = outbox.first_of_event(judge.store, game.id, MASTER, "master")
    outbox.add(
        judge.store,
        event="master",
        args={**args, "state": game.state},  # as it is now: the mail may be written when it is another
        address=seat.address or "",
        message_id=message_id(game.name, name, attempt, "master", unique, judge.domain),
        now=now,
        game_id=game.id,
        phase_id=phase.id if phase else None,
        power=MASTER,
        generation=seat.generation,
        language=seat.language,
        timezone=seat.timezone,
        in_reply_to=in_reply_to,
        references=(*((first,) if first else ()), *references),
    )
