"""Faults that pass and faults that stay: no mail that had its 250 is passed over in silence, no phase runs without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from judge.errors import Refused
from judge.notation import parse_canonical
from judge.play import filing, intake, outgoing, seatmail, setup, turn, writing
from judge.play.judge import lay_out
from judge.rules.board import Unit
from judge.rules.position import Phase
from judge.store import games, inbox, outbox
from judge.variants import load_board, load_rules, with_key

Desk = Any
MINUTE = timedelta(minutes=1)


def phase_of(desk: Desk, game: str = "spring42") -> Any:
    return games.open_phase(desk.judge.store, games.get(desk.judge.store, game).id)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Taking mails of seats in fails so many times."""

    def begin(times: int) -> None:
        real, left = seatmail.handle, [times]

        def handle(*args: Any) -> str:
            if left[0]:
                left[0] -= 1
                raise ZeroDivisionError
            return real(*args)

        monkeypatch.setattr(seatmail, "handle", handle)

    return begin


def run(desk: Desk, **later: float) -> list[turn.Ran]:
    desk.now += timedelta(**later)
    return turn.process_due(desk.judge, desk.now)


def test_a_phase_waits_for_a_mail_whose_fault_passes(desk: Desk, broken: Any) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur"))
    broken(1)
    (ran,) = run(desk, hours=23)
    assert isinstance(ran.fault, ZeroDivisionError)
    assert phase_of(desk).name == "S1901M"
    assert run(desk, minutes=4) == []
    assert run(desk, minutes=1) == [turn.Ran("spring42")]
    assert '"bur"' in phase_of(desk).position


def test_a_phase_does_not_wait_for_ever_and_the_player_is_told(desk: Desk, broken: Any) -> None:
    desk.judge = replace(desk.judge, operator="operator@example.com")
    desk.deliver(*desk.write("France", "A Par - Bur"))
    broken(99)
    faults = [type(run(desk, **later)[0].fault) for later in ({"hours": 23}, {"minutes": 5}, {"minutes": 5})]
    assert faults == [ZeroDivisionError, ZeroDivisionError, type(None)]
    assert phase_of(desk).name == "F1901M"
    desk.work()
    received = desk.receive()
    told = [m for m in received if "notice" in m["Message-ID"]]
    assert [m["To"] for m in told] == ["france@example.org"]
    (line,) = [m for m in received if m["To"] == "operator@example.com"]
    parts = [part.get_content_type() for part in line.walk()]
    assert "application/octet-stream" not in parts  # a player's orders are no business of the operator's
    assert "A Par" not in str(line)


def test_a_mail_rests_after_a_fault_and_holds_no_other_up(desk: Desk, broken: Any) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur"))
    desk.deliver(*desk.write("Italy", "A Ven - Tri"))
    broken(1)
    assert isinstance(intake.step(desk.judge, desk.now).fault, ZeroDivisionError)
    assert intake.step(desk.judge, desk.now).outcome == "orders"
    assert intake.step(desk.judge, desk.now) is None
    assert inbox.next_retry(desk.judge.store, desk.now) == desk.now + MINUTE
    assert intake.step(desk.judge, desk.now + MINUTE).outcome == "orders"


def test_a_phase_run_by_hand_waits_too(desk: Desk, broken: Any) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur"))
    broken(1)
    with pytest.raises(Refused, match="came in time"):
        turn.run_phase(desk.judge, "spring42", desk.now)
    with pytest.raises(Refused, match="came in time"):
        turn.run_phase(desk.judge, "spring42", desk.now)  # it rests
    assert turn.run_phase(desk.judge, "spring42", desk.now + MINUTE)


def test_mails_do_not_bring_a_failed_run_forward(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(turn, "_run", fail)
    assert [type(r.fault) for r in run(desk, hours=23)] == [ZeroDivisionError]
    monkeypatch.undo()
    desk.mail("France", "A Par - Bur")
    assert turn.next_due(desk.judge.store) == desk.now + 5 * MINUTE
    assert run(desk, minutes=4) == []
    assert run(desk, minutes=1) == [turn.Ran("spring42")]


def test_a_line_that_cannot_be_rendered_is_told_of_and_holds_no_other_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.write_mail

    def write_mail(judge: Any, line: Any) -> Any:
        if line.power == "France":
            raise ZeroDivisionError
        return real(judge, line)

    run(desk, hours=23)
    monkeypatch.setattr(writing, "write_mail", write_mail)
    frozen = []
    while (one := writing.freeze_next(desk.judge, desk.now)) is not None:
        frozen.append(type(one.fault))
    assert (frozen.count(type(None)), frozen.count(ZeroDivisionError)) == (6, 3)
    assert outbox.counts(desk.judge.store)["parked"] == 1


def test_envelope_and_token_are_of_the_same_player(desk: Desk) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur"))
    desk.work()
    (line,) = outbox.due(desk.judge.store, desk.now, 9)
    before = outgoing.envelope(desk.judge, line)
    game = games.get(desk.judge.store, "spring42")
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, game.id, "France", "other@example.org")
    assert outgoing.envelope(desk.judge, line) == before
    seat = games.seat(desk.judge.store, game.id, "France")
    assert before[0] != desk.judge.bounce_address("spring42", seat)


# seats that nobody plays, and deadlines that may be put off


def duel(desk: Desk, nmr: str = "hold") -> None:
    setup.create_game(
        desk.judge,
        "duel",
        rules=with_key(load_rules("standard"), "nmr", nmr, load_board()),
        players={"France": "france@example.net", "England": "england@example.net"},
        now=desk.now,
    )
    setup.start_game(desk.judge, "duel", desk.now)
    desk.work()
    desk.receive()


def say(desk: Desk, power: str, body: str) -> None:
    desk.mail(power, body, to=desk.reply_to(power, "duel"), sender=f"{power.lower()}@example.net")


def test_an_empty_seat_is_not_waited_for(desk: Desk) -> None:
    duel(desk)
    say(desk, "France", "A Par H\nA Mar H\nF Bre H\nREADY")
    assert phase_of(desk, "duel").run_at > desk.now
    say(desk, "England", "A Lvp H\nF Lon H\nF Edi H\nREADY")
    assert phase_of(desk, "duel").run_at == desk.now
    assert run(desk) == [turn.Ran("duel")]


def test_a_game_without_players_keeps_its_deadlines(desk: Desk) -> None:
    setup.create_game(desk.judge, "empty", rules=load_rules("standard"), now=desk.now)
    setup.start_game(desk.judge, "empty", desk.now)
    assert phase_of(desk, "empty").run_at == desk.now + timedelta(hours=24)


def test_a_mail_after_a_deadline_that_is_put_off_is_not_late(desk: Desk) -> None:
    duel(desk, "postpone")
    desk.now += timedelta(hours=24, seconds=1)
    say(desk, "France", "A Par - Bur")  # before the clock's loop came to the phase
    assert desk.outcome is None
    desk.pass_time()
    assert (phase_of(desk, "duel").name, phase_of(desk, "duel").postponed) == ("S1901M", 1)
    held = desk.judge.store.rows("SELECT text, state FROM orders WHERE power = 'France'")
    assert held == [{"text": "A PAR-BUR", "state": "held"}]


def test_a_mail_before_such_a_deadline_is_taken_in(desk: Desk) -> None:
    duel(desk, "postpone")
    desk.deliver(*desk.write("France", "A Par - Bur", to=desk.reply_to("France", "duel")))
    desk.now += timedelta(hours=24, seconds=1)
    assert intake.step(desk.judge, desk.now).outcome == "orders"


def test_a_build_that_gives_way_to_another_was_replaced_not_cleared(desk: Desk) -> None:
    """One build to make, written in two mails for two places: the first is kept as ``replaced``."""
    store = desk.judge.store
    table = lay_out(games.get(store, "spring42"), phase_of(desk))
    owners = {**table.position.owners, "spa": "France"}
    units = tuple(unit for unit in table.position.units if unit.at not in ("par", "mar"))
    winter = replace(table.position, phase=Phase.parse("W1901A"), owners=owners, units=units)
    table = replace(table, position=replace(winter, units=(*units, Unit("France", "A", "spa"), Unit("France", "A", "gas"))))
    with store.transaction():
        for text in ("A PAR B", "A MAR B"):
            order = parse_canonical(text, table.board)
            gone = filing.file_orders(store, table, "France", [order], [text], None, desk.now)
    assert [held.text for held in gone] == ["A PAR B"]
    rows = store.rows("SELECT text, state FROM orders WHERE power = 'France' ORDER BY id")
    assert [(r["text"], r["state"]) for r in rows] == [("A PAR B", "replaced"), ("A MAR B", "held")]
