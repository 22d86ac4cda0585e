"""What a game looks like from the operator's shell: ``game show``, ``game list``, ``status``. Reads only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from judge.notation import write_unit
from judge.play.disorder import in_disorder
from judge.play.filing import FileState, file_state
from judge.play.judge import Judge, Table, lay_out, open_table, rules_of
from judge.rules.position import Position
from judge.store import codec, failedmails, games, inbox, mastering, outbox
from judge.store.games import Game


def game_view(judge: Judge, game: Game) -> dict[str, Any]:
    """The shape of ``judge game show --json``.

    ``{"game", "phase", "deadline", "state", "rules", "units", "centres", "seats": [{"power", "address", "reply_to",
    "orders", "missing", "status", "unreachable"}]}``; a game that has ended shows its last position, and ``winners`` and
    ``ended_by``.
    ``paused``: ``{"since", "until"}`` or ``None``; ``comment``: the master's note.
    ``status``: see :func:`_status`, and ``civil-disorder`` for a power that is in it.
    """
    table = open_table(judge.store, game)
    position = table.position if table else _last_position(judge, game)
    absent = in_disorder(judge.store, table) if table else frozenset()
    view: dict[str, Any] = {
        "game": game.name,
        "phase": table.phase.name if table else (None if position is None else str(position.phase)),
        "deadline": _iso(table.phase.deadline) if table else None,
        "state": game.state,
        "paused": None if game.paused_at is None else {"since": _iso(game.paused_at), "until": _iso(game.paused_until)},
        "comment": game.comment,
        "rules": game.rules_name,
        "variant": game.variant,
        "schedule": game.schedule,
        "early": game.early,
        "unplayed": list((table.rules if table else rules_of(game)).powers_unplayed),
        "units": [] if position is None else [codec.unit_out(u) for u in position.units],
        "dislodged": [] if position is None else [_dislodged(d) for d in position.dislodged],
        "centres": {} if position is None else _centres(position),
        "winners": None,
        "ended_by": None,
        "seats": [_seat_view(judge, game, table, seat, absent) for seat in games.seats(judge.store, game.id)],
    }
    own = games.master(judge.store, game.id)
    view["master"] = own and {
        "address": own.address,
        "reply_to": judge.reply_address(game.name, own),
        "unreachable": _unreachable(judge, own),
    }
    if game.ending:
        end = codec.end_from_text(game.ending)
        view.update(winners=list(end.winners), ended_by=end.ended_by)
        view["phase"] = games.phases(judge.store, game.id)[-1].name
    return view


def _last_position(judge: Judge, game: Game) -> Position | None:
    last = games.last_processed(judge.store, game.id)
    if last is None or last.result is None:
        return None
    return codec.adjudication_from_text(last.result, lay_out(game, last).board).position


def _seat_view(judge: Judge, game: Game, table: Table | None, seat: games.Seat, absent: Collection[str]) -> dict[str, Any]:
    state = file_state(judge.store, table, seat.power) if table else None
    return {
        "power": seat.power,
        "address": seat.address,
        "reply_to": judge.reply_address(game.name, seat),
        "orders": [h.text for h in state.held] if state else [],
        "missing": _missing(table, seat.power, state) if table and state else [],
        "status": "civil-disorder" if seat.power in absent else _status(seat, state),
        "unreachable": _unreachable(judge, seat),
    }


def _unreachable(judge: Judge, seat: games.Seat) -> dict[str, Any] | None:
    """``{"since", "status", "lost", "late"}`` if mails do not reach the seat's player, else ``None``; ``status`` is why, a
    code of RFC 3463."""
    failing = failedmails.failing(judge.store, seat)
    if failing is None or not failing.unreachable:
        return None
    return {"since": _iso(failing.since), "status": failing.status, "lost": failing.lost, "late": failing.late}


def _missing(table: Table, power: str, state: FileState) -> list[str]:
    """``["A MAR"]``; in an adjustment ``["build"]`` or ``["remove"]``, one for each that nothing was said about."""
    # also another power's unit that is in this one's hands, by its province
    standing = {at: unit for unit in table.position.units for at in (unit.at, unit.province)}
    standing |= {at: d.unit for d in table.position.dislodged for at in (d.unit.at, d.unit.province)}
    units = [write_unit(standing[at]) for at in state.missing]
    word = "build" if state.owed and state.owed.builds else "remove"
    return units + [word] * state.open_count


def _status(seat: games.Seat, state: FileState | None) -> str:
    """``nobody`` plays it, nothing is ``not-needed``; else how far the orders are: ``none``, ``partial``, ``complete``."""
    if state is None or state.owed is None:
        return "not-needed" if seat.address else "nobody"
    if state.complete:
        return "complete"
    if state.held:
        return "partial"
    return "none" if seat.address else "nobody"


def _centres(position: Position) -> dict[str, list[str]]:
    centres: dict[str, list[str]] = {}
    for centre, power in sorted(position.owners.items()):
        centres.setdefault(power, []).append(centre)
    return centres


def _dislodged(dislodged: Any) -> dict[str, Any]:
    return {
        **codec.unit_out(dislodged.unit),
        "attacked_from": dislodged.attacked_from,
        "retreats": list(dislodged.retreats),
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")


def orders_view(judge: Judge, game: Game) -> Mapping[str, list[dict[str, Any]]]:
    """What is on file for the open phase, by power: ``{"France": [{"text", "set_at", "mail"}]}``."""
    table = open_table(judge.store, game)
    if table is None:
        return {}
    return {
        power: [
            {"text": h.text, "set_at": _iso(h.set_at), "mail": h.inbox_id}
            for h in file_state(judge.store, table, power).held
        ]
        for power in table.board.powers
    }


def status_view(judge: Judge) -> dict[str, Any]:
    """The shape of ``judge status --json``."""
    counts = inbox.counts(judge.store)
    next_run = min(filter(None, (games.next_run(judge.store), mastering.next_resume(judge.store))), default=None)
    return {
        "inbox": {"waiting": counts["waiting"], "set_aside": counts["set_aside"], "handled": counts["handled"]},
        "outbox": outbox.counts(judge.store),
        "games": games.counts(judge.store),
        "unreachable": [
            {"game": game.name, "power": seat.power, **unreachable}
            for game in games.all_games(judge.store)
            if game.state != "ended"
            for seat in games.signed_seats(judge.store, game.id)
            if (unreachable := _unreachable(judge, seat))
        ],
        "next_due": _iso(next_run),
        "last_error": games.last_failure(judge.store) or outbox.last_error(judge.store) or inbox.last_error(judge.store),
    }
