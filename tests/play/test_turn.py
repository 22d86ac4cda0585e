"""Deadlines: each phase runs once, every player gets its result once, early only when all is in and nobody waits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.errors import BadInput, Refused
from judge.play import Judge, setup, turn, verify, views
from judge.play.schedule import COOLING, next_deadline
from judge.store import Store, games
from judge.variants import load_rules

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
HOLDS = {
    "Austria": "A Bud H\nA Vie H\nF Tri H",
    "England": "F Edi H\nF Lon H\nA Lvp H",
    "France": "F Bre H\nA Mar H\nA Par H",
    "Germany": "A Ber H\nA Mun H\nF Kie H",
    "Italy": "F Nap H\nA Rom H\nA Ven H",
    "Russia": "A Mos H\nF Sev H\nF Stp/sc H\nA War H",
    "Turkey": "F Ank H\nA Con H\nA Smy H",
}


def text_of(message: Message) -> str:
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def test_a_phase_runs_at_its_deadline_and_not_before(desk: Desk) -> None:
    assert desk.pass_time(hours=22, minutes=59) == []
    assert desk.pass_time(minutes=1) == ["spring42"]
    assert desk.show()["phase"] == "F1901M"
    assert desk.pass_time() == []


def test_every_player_gets_the_result_once(desk: Desk) -> None:
    desk.pass_time(hours=23)
    results = [m for m in desk.receive() if "result" in m["Message-ID"]]
    assert Counter(m["To"] for m in results) == Counter({f"{p.lower()}@example.org": 1 for p in POWERS})
    assert len({m["Message-ID"] for m in results}) == 7
    assert all(m["Auto-Submitted"] == "auto-generated" for m in results)
    assert all(m["References"] for m in results)


def test_the_result_names_the_phase_that_an_answer_is_for(desk: Desk) -> None:
    desk.pass_time(hours=23)
    result = next(m for m in desk.receive() if m["To"].startswith("france"))
    assert ".F1901M." in result["Message-ID"]
    desk.mail("France", "A Par - Bur", answering=result)
    assert desk.held("France") == ["A PAR-BUR"]


def test_two_servers_on_one_database_run_a_phase_once(desk: Desk, tmp_path: Path) -> None:
    other = Judge(Store.open(tmp_path / "judge.db"), desk.judge.keys, desk.judge.domain)
    desk.now += timedelta(hours=23)
    assert turn.process_due(desk.judge, desk.now) == [turn.Ran("spring42")]
    assert turn.process_due(other, desk.now) == []
    assert turn.run_phase(other, "spring42", desk.now, due_only=True) is False
    assert desk.show()["phase"] == "F1901M"


def test_a_game_that_cannot_be_run_holds_no_other_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    setup.create_game(desk.judge, "other", rules=load_rules("standard"), players={"France": "f@example.org"}, now=desk.now)
    setup.start_game(desk.judge, "other", desk.now - timedelta(hours=2))
    real = turn._run

    def run(judge: Judge, table: Any, now: Any, who: str) -> None:
        if table.game.name == "other":
            raise ZeroDivisionError
        real(judge, table, now, who)

    monkeypatch.setattr(turn, "_run", run)
    desk.now += timedelta(hours=23)
    first, second = turn.process_due(desk.judge, desk.now)
    assert (first.game, type(first.fault), second) == ("other", ZeroDivisionError, turn.Ran("spring42"))
    assert turn.process_due(desk.judge, desk.now) == []
    assert views.status_view(desk.judge)["last_error"] == "other S1901M: ZeroDivisionError"
    monkeypatch.undo()
    assert desk.pass_time(minutes=6) == ["other"]
    assert views.status_view(desk.judge)["last_error"] is None


def test_after_an_outage_one_phase_runs_and_the_next_gets_its_time(desk: Desk) -> None:
    assert desk.pass_time(days=9) == ["spring42"]
    phase = games.open_phase(desk.judge.store, 1)
    assert phase.deadline == desk.now + timedelta(hours=23), "on the grid, and at least half a phase"


def test_when_all_orders_are_in_it_runs_early_after_the_cooling_time(desk: Desk) -> None:
    for power in POWERS:
        desk.mail(power, HOLDS[power])
    assert turn.next_due(desk.judge.store) == desk.now + COOLING
    assert desk.pass_time(minutes=31) == ["spring42"]


def test_ready_from_all_runs_at_once(desk: Desk) -> None:
    for power in POWERS:
        desk.mail(power, HOLDS[power] + "\nREADY")
    assert desk.pass_time() == ["spring42"]


def test_wait_holds_it_and_stays_secret(desk: Desk) -> None:
    for power in POWERS:
        desk.mail(power, HOLDS[power] + ("\nWAIT" if power == "Italy" else "\nREADY"))
    assert desk.pass_time(hours=2) == []
    desk.mail("Italy", "READY")
    assert desk.pass_time() == ["spring42"]


def test_a_later_change_of_mind_takes_the_early_run_back(desk: Desk) -> None:
    for power in POWERS:
        desk.mail(power, HOLDS[power])
    desk.mail("France", "CLEAR")
    assert desk.pass_time(hours=1) == []


def test_without_early_runs_the_deadline_alone_counts(desk: Desk) -> None:
    game = setup.create_game(
        desk.judge, "slow", rules=load_rules("standard"), early=False, players={"France": "f@example.org"}, now=desk.now
    )
    setup.start_game(desk.judge, game.name, desk.now)
    assert games.open_phase(desk.judge.store, game.id).run_at == desk.now + timedelta(hours=24)


@pytest.mark.slow
def test_a_year_is_played_with_retreat_and_builds(desk: Desk) -> None:
    desk.mail("Germany", "A Mun - Bur\nA Ber - Mun\nF Kie - Den")
    desk.mail("France", "A Mar - Spa\nA Par - Pic\nF Bre - MAO")
    desk.pass_time(hours=23)
    desk.mail("Germany", "A Bur - Mar\nF Den H\nA Mun - Bur")
    desk.mail("France", "A Pic - Bel\nF MAO - Por\nA Spa H")
    desk.pass_time(hours=25)
    assert desk.show()["phase"] == "W1901A"
    receipt = desk.mail("Germany", "build F Kie\nbuild A Ber")
    assert receipt is not None
    assert set(desk.held("Germany")) == {"F KIE B", "A BER B"}
    told = desk.mail("Germany", "waive")
    assert len(desk.held("Germany")) == 2 and "takes it off" in " ".join(text_of(told).split())
    desk.mail("Germany", "build F Kie\nbuild A Ber")
    desk.mail("Germany", "build A Kie")
    assert "A KIE B" in desk.held("Germany") and len(desk.held("Germany")) == 2
    desk.pass_time(hours=25)
    assert desk.show()["phase"] == "S1902M"
    assert {"power": "Germany", "type": "A", "at": "kie"} in desk.show()["units"]
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_verify_sees_one_changed_order(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur")
    desk.pass_time(hours=23)
    game = games.get(desk.judge.store, "spring42")
    assert verify.verify_game(desk.judge, game) == []
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE orders SET text = 'A PAR-PIC' WHERE text = 'A PAR-BUR'")
    assert verify.verify_game(desk.judge, game) != []


@pytest.mark.slow
def test_a_game_to_the_last_turn_ends_and_says_so(desk: Desk) -> None:
    setup.create_game(
        desk.judge,
        "short",
        rules=replace(load_rules("japan-1910"), victory_end_turn="F1902"),
        players={p: f"{p.lower()}@example.net" for p in POWERS},
        now=desk.now,
    )
    setup.start_game(desk.judge, "short", desk.now)
    desk.mail("Russia", "A War - Gal\nA Mos - Ukr\nF Sev - Rum\nF Stp/sc - Bot", to=desk.reply_to("Russia", "short"))
    for _ in range(12):
        desk.pass_time(hours=24)
        if desk.show("short")["state"] == "ended":
            break
        if desk.show("short")["phase"] == "F1901M":
            desk.mail("Russia", "F Rum H", to=desk.reply_to("Russia", "short"))
        if desk.show("short")["phase"] == "W1901A":
            desk.mail("Russia", "F Sev B", to=desk.reply_to("Russia", "short"))
    view = desk.show("short")
    assert (view["state"], view["winners"], view["ended_by"]) == ("ended", ["Russia"], "victory.end.turn")
    last = [m for m in desk.sent + desk.receive() if m["To"].endswith("@example.net") and ".result." in m["Message-ID"]]
    assert len(last[-7:]) == 7
    answer = desk.mail("Russia", "A Ukr H", to=desk.reply_to("Russia", "short"))
    assert desk.outcome == "over"
    assert answer is not None
    again = [desk.mail("Russia", "Thanks all, good game", to=desk.reply_to("Russia", "short")) for _ in range(3)]
    assert [mail is not None for mail in again] == [True, False, False], "two machines would never stop"


def test_the_next_deadline_keeps_the_grid_and_gives_time(desk: Desk) -> None:
    at = desk.now
    day = timedelta(hours=24)
    assert next_deadline("every 24 h", "F1901M", at, at + timedelta(minutes=1)) == at + day
    assert next_deadline("every 24 h", "F1901M", at, at - timedelta(hours=5)) == at + day
    assert next_deadline("every 24 h", "F1901M", at, at - timedelta(hours=13)) == at
    assert next_deadline("every 24 h", "F1901M", at, at + timedelta(hours=13)) == at + 2 * day
    assert next_deadline("every 24 h", "F1901M", None, at) == at + day


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"name": "Spring 42"}, BadInput),
        ({"name": "judge"}, BadInput),
        ({"name": "x" * 21}, BadInput),
        ({"name": "spring42"}, Refused),
        ({"players": {"Prussia": "a@example.org"}}, BadInput),
        ({"players": {"France": "no address"}}, BadInput),
        ({"players": {"France": "a@example.org\r\nBcc: b@example.org"}}, BadInput),
        ({"schedule": "sometimes"}, BadInput),
    ],
)
def test_a_game_that_cannot_be_made_is_not(desk: Desk, change: dict[str, Any], error: type[Exception]) -> None:
    wanted = {"name": "other", "rules": load_rules("standard"), "now": desk.now} | change
    name = wanted.pop("name")
    with pytest.raises(error):
        setup.create_game(desk.judge, name, **wanted)
    assert games.find(desk.judge.store, "other") is None


def test_process_with_a_phase_named_guards_against_the_clock(desk: Desk) -> None:
    with pytest.raises(Refused):
        turn.run_phase(desk.judge, "spring42", desk.now, only="F1901M")
    assert turn.run_phase(desk.judge, "spring42", desk.now, only="S1901M") is True


def test_a_player_reads_in_their_language_and_time(desk: Desk) -> None:
    setup.set_reader(desk.judge, "spring42", "france", language="ja", timezone="Asia/Tokyo", who="operator", now=desk.now)
    receipt = desk.mail("France", "陸軍 パリ→ブルゴーニュ")
    assert desk.held("France") == ["A PAR-BUR"]
    assert "ブルゴーニュ" in text_of(receipt) and "21:00" in text_of(receipt)


@pytest.mark.parametrize("wrong", [{"language": "klingon"}, {"timezone": "Mars/Olympus"}, {"power": "Prussia"}])
def test_a_reader_that_cannot_be_is_refused(desk: Desk, wrong: dict[str, str]) -> None:
    wanted: dict[str, Any] = {"power": "France", "language": None, "timezone": None} | wrong
    with pytest.raises(BadInput):
        setup.set_reader(desk.judge, "spring42", wanted.pop("power"), who="operator", now=desk.now, **wanted)
