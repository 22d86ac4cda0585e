"""Outbox lines become mails: facts out of the store, rendered in the reader's language, composed, frozen. Outside of the
event's transaction, so that a slow or failing template never holds a deadline up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.mail.compose import Attachment, Mailbox, Outgoing, compose
from judge.mail.hashing import header_fields, split_message
from judge.mail.identity import PLACEHOLDER, address, person_address
from judge.notation import parse_canonical
from judge.play import confirming, export, knowing, press, receipts, results, rulings, seating
from judge.play.answering import of_stored, within
from judge.play.chronicle import years
from judge.play.commitments import nonce
from judge.play.judge import Judge, Table, lay_out, rules_of
from judge.play.onfile import proxies_of
from judge.play.verbs.history import history_of
from judge.render.facts import (
    Answer,
    AnswerFacts,
    Common,
    Drawn,
    Due,
    EndFacts,
    Facts,
    ForwardFacts,
    HelpFacts,
    MailFailing,
    MasterFacts,
    NotDone,
    NoticeFacts,
    PowerDraw,
    PressFacts,
    ResultFacts,
    RuleChange,
    RulesFacts,
    RunAgain,
    Seat,
    SeatState,
    StartFacts,
    TooEarlyFacts,
)
from judge.render.mails import render
from judge.rules import owing
from judge.rules.houserules import keys
from judge.rules.position import starting_position
from judge.store import codec, games, inbox, outbox
from judge.store import rulings as store_rulings
from judge.store.commitments import last_of_phase
from judge.store.db import instant, instant_or_none
from judge.store.games import Game
from judge.store.outbox import Line
from judge.variants import load_board
from judge.variants.keytext import typed
from judge.variants.names import load_names


@dataclass(frozen=True, slots=True)
class Frozen:
    """A line was rendered and frozen, or the fault that stopped it."""

    line_id: int
    fault: Exception | None = None


def freeze_next(judge: Judge, now: datetime) -> Frozen | None:
    """Render and freeze the oldest line that waits for it; ``None`` if none does.

    A line that cannot be rendered is counted as failed, waits behind the others, and is parked at the third time; its
    fault is returned, for the log.
    """
    line = outbox.next_new(judge.store)
    if line is None:
        return None
    try:
        raw, subject, body = write_mail(judge, line)
    except Exception as error:
        outbox.render_failed(judge.store, line.id, type(error).__name__)
        return Frozen(line.id, error)
    outbox.freeze(judge.store, line.id, raw, subject=subject, body=body, now=now)
    return Frozen(line.id)


def write_mail(judge: Judge, line: Line) -> tuple[bytes, str, str]:
    """The frozen bytes of a line, with its subject and its own words: what an answer may quote."""
    facts = facts_for(judge, line)
    rendered = render(facts, line.language, line.timezone)
    game = games.by_id(judge.store, line.game_id) if line.game_id is not None else None
    sender = f"{game.name}@{judge.domain}" if game else f"judge@{judge.domain}"
    mail = Outgoing(
        message_id=line.message_id,
        date=instant(line.created_at),
        sender=Mailbox(sender, _sender_name(facts, game, line.language) if game else "judge"),
        to=Mailbox(line.address),
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        reply_to=_reply_to(judge, line, game),
        in_reply_to=line.in_reply_to,
        references=line.references,
        auto_submitted="auto-replied" if line.in_reply_to else "auto-generated",
        list_id=f"{game.name}.{judge.domain}" if game else None,
        language=line.language,
        attachments=_attachments(judge, line),
    )
    return compose(mail), rendered.subject, _own_words(rendered.text)


def _reply_to(judge: Judge, line: Line, game: Game | None) -> Mailbox | None:
    """The reader's signed address: of the seat, or outside of any game of the person. ``None``: the reader has none."""
    if game is not None and line.power:
        return Mailbox(address(game.name, PLACEHOLDER, judge.domain, judge.separator))
    if line.person is not None:
        return Mailbox(person_address(line.person, PLACEHOLDER, judge.domain, judge.separator))
    return None


def _own_words(text: str) -> str:
    """A text part without the lines that it gives back behind marks: those are a player's, who may say them again, and
    their mark tells that they are quoted."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(">"))


def _sender_name(facts: Facts, game: Game, language: str) -> str:
    """The name beside the game's address: the game's own, and before it the power that a signed message comes from."""
    if isinstance(facts, PressFacts) and facts.sender in facts.common.board.powers:
        return f"{load_names(game.variant).power(facts.sender or '', language)} ({game.name})"
    return game.name


def facts_for(judge: Judge, line: Line) -> Facts:
    """What the mail of an outbox line says, out of the store.

    :raises LookupError: an event that this version does not know.
    """
    if line.event == "help":
        return HelpFacts(judge.domain, instant(line.created_at), line.args.get("game"), line.args.get("subject", ""))
    if line.event in ("answer", "links", "ask", "watched"):
        board = load_board(line.args.get("variant", "standard"))
        answers = _watched(judge, line) if line.event == "watched" else _answers(line)
        at, unasked = instant(line.created_at), line.in_reply_to is None
        return AnswerFacts(judge.domain, at, board, answers, line.args.get("subject", ""), unasked)
    if line.event == "forward":
        return _forward(judge, line)
    if line.event == "master":
        return _master(judge, line)
    if line.event == "too-early":
        return TooEarlyFacts(_before_start(judge, line), receipts.press_of(line.args), _answers(line))
    if line.event == "confirm" and line.phase_id is None:
        return confirming.facts_of(line, _before_start(judge, line))
    table = _table(judge, line)
    if line.event == "confirm":
        return confirming.facts_of(line, _common(judge, line, table))
    if line.event == "receipt":
        return receipts.facts_of(line.args, _common(judge, line, table), table, _due(table, line.power or ""))
    if line.event == "start":
        due = _due(table, line.power or "") or _nothing(table)
        drawn = None if line.args.get("answers") else _draw(judge, table)  # of no concern to who comes later
        return StartFacts(_common(judge, line, table), _seats(judge, table), due, drawn, _answers(line))
    if line.event == "rules":
        return RulesFacts(_common(judge, line, table), _coming(judge, table))
    if line.event == "notice":
        return _notice(line, _common(judge, line, table))
    if line.event == "result":
        return _result(judge, line, table)
    if line.event == "end":
        return _end(judge, line, table)
    if line.event == "press":
        return press.facts_of(judge, line, _common(judge, line, table))
    raise LookupError(f"no mail is known for the event {line.event!r}")


def _watched(judge: Judge, line: Line) -> tuple[Answer, ...]:
    """The results of a phase as anybody may have them."""
    return (history_of(judge.store, games.get(judge.store, line.args["game"]), line.args["phase"]),)


def _answers(line: Line) -> tuple[Answer, ...]:
    return of_stored(line.args.get("answers", ()))


def _master(judge: Judge, line: Line) -> MasterFacts:
    """To the game master; before the start there is no phase, and the rules are those that the game was made with."""
    game = games.by_id(judge.store, line.game_id or 0)
    table = _table(judge, line) if line.phase_id is not None else None
    common = Common(
        game=game.name,
        phase=table.phase.name if table else "",
        power=line.power or "",
        domain=judge.domain,
        reply_to=address(game.name, PLACEHOLDER, judge.domain, judge.separator),
        now=instant(line.created_at),
        deadline=table.phase.deadline if table and table.phase.state == "open" else None,
        board=load_board(game.variant),
        rules=table.rules if table else rules_of(game),
        early=game.early,
        paused=game.paused_at is not None,
        paused_until=game.paused_until,
        comment=game.comment,
    )
    args = line.args
    return MasterFacts(
        common,
        args["state"],
        letter=args["kind"] == "letter",
        started=args["kind"] == "started",
        unreachable=args.get("unreachable"),
        heard=instant_or_none(args.get("heard")),
        changes=tuple(RuleChange(**change) for change in args.get("changes", ())),
        why=args.get("why"),
        same=tuple(args.get("same", ())),
        not_done=tuple(_not_done(one) for one in args.get("refused", ())),
        help=args.get("help", False),
        rules=args.get("rules", False),
        coming=_coming(judge, table) if table else (),
        seats=tuple(_seat_state(one) for one in args.get("seats", ())),
        in_reply_subject=args.get("subject") or "",
        press=receipts.press_of(args),
        answers=_answers(line),
    )


def _seat_state(told: Mapping[str, Any]) -> SeatState:
    failing = told.get("failing")
    if failing is not None:
        failing = MailFailing(
            instant(failing["since"]),
            failing["status"],
            failing["lost"],
            failing["late"],
            instant_or_none(failing["over_at"]),
        )
    return SeatState(told["power"], told["address"], told["orders"], failing)


def _not_done(told: Mapping[str, Any]) -> NotDone:
    args = {name: instant(value) if name in ("at", "earliest") else value for name, value in told["args"].items()}
    return NotDone(told["line"], told["code"], args)


def _forward(judge: Judge, line: Line) -> ForwardFacts:
    mail = inbox.load(judge.store, line.args["inbox"])
    head = dict(header_fields(split_message(mail.raw)[0]))
    said = {name: head.get(name, b"").decode("utf-8", "replace") for name in ("from", "subject")}
    return ForwardFacts(
        judge.domain,
        instant(line.created_at),
        mail.id,
        said["from"],
        said["subject"],
        mail.received_at,
        set_aside=bool(line.args.get("set_aside")),
    )


def _attachments(judge: Judge, line: Line) -> tuple[Attachment, ...]:
    """All that is kept about the reader, if they asked for it; or the whole mail that is forwarded. That not as
    message/rfc822: it may not be encoded, and its bytes may be anything. A mail that was set aside stays where it is: it
    may hold a player's orders."""
    exports = [one["args"]["person"] for one in line.args.get("answers", ()) if one["code"] == "export"]
    if exports:
        return (Attachment("about-you.json", "application/json", export.as_json(judge, exports[0])),)
    if line.event != "forward" or line.args.get("set_aside"):
        return ()
    mail = inbox.load(judge.store, line.args["inbox"])
    return (Attachment(f"mail-{mail.id}.eml", "application/octet-stream", mail.raw),)


def _table(judge: Judge, line: Line) -> Table:
    return lay_out(games.by_id(judge.store, line.game_id or 0), games.phase(judge.store, line.phase_id or 0))


def _common(judge: Judge, line: Line, table: Table, deadline: datetime | None = None) -> Common:
    return Common(
        game=table.game.name,
        phase=table.phase.name,
        power=line.power or "",
        domain=judge.domain,
        reply_to=address(table.game.name, PLACEHOLDER, judge.domain, judge.separator),
        now=instant(line.created_at),
        deadline=deadline or table.phase.deadline,
        board=table.board,
        rules=table.rules,
        early=table.game.early,
        paused=table.game.paused_at is not None and table.phase.state == "open",
        paused_until=table.game.paused_until,
        comment=table.game.comment,
    )


def _before_start(judge: Judge, line: Line) -> Common:
    """What a mail of a game that has not begun knows: the phase is the one that it will begin with."""
    game = games.by_id(judge.store, line.game_id or 0)
    board = load_board(game.variant)
    return Common(
        game=game.name,
        phase=str(starting_position(board).phase),
        power=line.power or "",
        domain=judge.domain,
        reply_to=address(game.name, PLACEHOLDER, judge.domain, judge.separator),
        now=instant(line.created_at),
        deadline=None,
        board=board,
        rules=rules_of(game),
        early=game.early,
        paused=game.paused_at is not None,
        paused_until=game.paused_until,
        comment=game.comment,
    )


def _due(table: Table, power: str) -> Due | None:
    """What ``power`` must decide in the table's phase, or ``None``."""
    owed = owing(table.board, table.position, table.rules).get(power)
    if owed is None:
        return None
    wanted = set(owed.units)
    retreating = table.position.phase.kind == "R"
    return Due(
        phase=table.phase.name,
        deadline=table.phase.deadline,
        units=() if retreating else tuple(u for u in table.position.units if u.at in wanted and u.power == power),
        retreats=tuple(d for d in table.position.dislodged if d.unit.at in wanted and d.unit.power == power)
        if retreating
        else (),
        builds=owed.builds,
        build_sites=owed.build_sites,
        removals=owed.removals,
    )


def _nothing(table: Table) -> Due:
    return Due(table.phase.name, table.phase.deadline)


def _seats(judge: Judge, table: Table) -> tuple[Seat, ...]:
    """The powers as their players may see each other: with names and addresses only as the house rules say."""
    over = table.game.state == "ended"
    named, addressed = knowing.names_told(table.rules, over=over), knowing.addresses_told(table.rules, over=over)
    return tuple(
        Seat(
            seat.power,
            knowing.name_of(judge.store, seat.address) if named else None,
            seat.address if addressed else None,
        )
        for seat in games.seats(judge.store, table.game.id)
    )


def _draw(judge: Judge, table: Table) -> PowerDraw | None:
    """How the powers fell: players by number, never by name."""
    done = seating.drawn(judge, table.game)
    if done is None:
        return None
    given = tuple(Drawn(g.player, g.power, g.wishes, g.how, g.among, g.rank) for g in done.given)
    return PowerDraw(done.seed, done.command(), given, done.seed_from)


def _coming(judge: Judge, table: Table) -> tuple[RuleChange, ...]:
    """Changes of the rules that wait for their phase, against the rules in force: what is as it was again is no change."""
    coming = []
    for one in store_rulings.pending(judge.store, table.game.id):
        now, new = getattr(table.rules, keys()[one.key].field), rulings.value_in(json.loads(one.new))
        if now != new:
            coming.append(RuleChange(one.key, typed(now), typed(new), new, rulings.waits_until(one, table)))
    return tuple(coming)


def _notice(line: Line, common: Common) -> NoticeFacts:
    args = dict(line.args["args"])
    if line.args["code"] == "rules-changed":
        args = {"changes": tuple(RuleChange(**change) for change in args["changes"])}
    elif line.args["code"] in ("postponed", "mail-set-aside"):
        args = {name: instant(at) for name, at in args.items()}
    else:
        args = within(args)
    return NoticeFacts(common, line.args["code"], args, line.args["by"], line.args["why"], _answers(line))


def _result(judge: Judge, line: Line, table: Table) -> ResultFacts:
    adjudication = codec.adjudication_from_text(table.phase.result or "", table.board)
    following = _following(judge, table)
    told = results.told_of(judge.store, table, line.args)
    committed = last_of_phase(judge.store, table.phase.id, table.board.powers)
    own = [nonce(judge, table.game.name, table.phase, o.power, o.number) for o in committed if o.power == line.power]
    return ResultFacts(
        common=_common(judge, line, table, following.phase.deadline if following else None),
        before=table.position,
        adjudication=adjudication,
        due=_due(following, line.power or "") if following else None,
        missed=told.missed,
        ran_early=_ran_early(table),
        run_by=line.args.get("run_by"),
        again=_again(line.args.get("again")),
        years=tuple(years(judge.store, table.game)) if adjudication.end else (),
        seats=_seats(judge, table) if adjudication.end else (),
        disorder=told.disorder,
        repeated=told.repeated,
        proxies=proxies_of(judge.store, table),
        held=tuple(parse_canonical(text, table.board) for text in line.args.get("held", ())),
        on_file=tuple(line.args.get("on_file", ())),
        not_used=receipts.not_used_of(line.args.get("not_used", ())),
        not_needed=tuple(line.args.get("not_needed", ())),
        commitments=tuple((one.power, one.number, one.hash) for one in committed),
        nonce=own[0] if own else "",
        answers=_answers(line),
    )


def _again(args: Mapping[str, Any] | None) -> RunAgain | None:
    return None if args is None else RunAgain(**{**args, "came": instant(args["came"]), "ran": instant_or_none(args["ran"])})


def _end(judge: Judge, line: Line, table: Table) -> EndFacts:
    """How the game ended, for whoever writes to it afterwards."""
    if table.game.ending is None:
        raise LookupError(f"the game {table.game.name} has not ended")
    adjudication = codec.adjudication_from_text(table.phase.result or "", table.board)
    return EndFacts(
        _common(judge, line, table),
        codec.end_from_text(table.game.ending),
        adjudication.position,
        tuple(years(judge.store, table.game)),
        _seats(judge, table),
        receipts.press_of(line.args),
        _answers(line),
        table.phase.called_off,
        line.args.get("by"),
        line.args.get("why"),
    )


def _following(judge: Judge, table: Table) -> Table | None:
    """The phase that this one led to, if the game went on."""
    phase = games.phase_numbered(judge.store, table.game.id, table.phase.number + 1, table.phase.attempt)
    return None if phase is None else lay_out(table.game, phase)


def _ran_early(table: Table) -> bool:
    phase = table.phase
    return phase.deadline is not None and phase.processed_at is not None and phase.processed_at < phase.deadline
