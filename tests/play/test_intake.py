"""What a mail to a seat does: orders filed by unit, faults told, nothing late applied, one receipt for each mail."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from email.utils import format_datetime
from typing import Any

import pytest

from judge.play import turn, upkeep
from judge.store import games, inbox, orders, outbox

Desk = Any


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode()  # type: ignore[union-attr]
    raise AssertionError("no text part")


def header_text(message: Message) -> str:
    return " ".join(str(make_header(decode_header(message["Subject"]))).split())


def test_orders_are_held_and_answered_by_one_receipt(desk: Desk) -> None:
    receipt = desk.mail("France", "A Par - Bur\nA Mar S A Par-Bur\nF Bre-MAO")
    assert desk.held("France") == ["A PAR-BUR", "A MAR S A PAR-BUR", "F BRE-MAO"]
    assert desk.outcome == "orders"
    assert receipt["In-Reply-To"] == "<1.france@example.org>"
    assert receipt["Auto-Submitted"] == "auto-replied"
    assert "Paris" in text_of(receipt)


def test_the_last_valid_order_of_a_unit_wins_and_a_faulty_line_harms_nothing(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur\nA Mar - Spa")
    receipt = desk.mail("France", "A Par - Gas\nA Mar - Lon\nF Xyz - Qqq")
    assert desk.held("France") == ["A MAR-SPA", "A PAR-GAS"]
    assert "Lon" in text_of(receipt)
    assert "Xyz" in text_of(receipt)


def test_the_receipt_names_units_without_orders(desk: Desk) -> None:
    receipt = desk.mail("France", "A Par - Bur")
    seat = next(s for s in desk.show()["seats"] if s["power"] == "France")
    assert (seat["missing"], seat["status"]) == (["F BRE", "A MAR"], "partial")
    assert "Marseilles" in text_of(receipt) and "Brest" in text_of(receipt)


@pytest.mark.parametrize(
    "line",
    ["A Mun - Bur", "A Ukr - Rum", "A Par - Mos", "F Bre - Par", "A Par S A Mun - Ber", "build A Par", "A Par D"],
    ids=[
        "another power's unit",
        "no such unit",
        "too far",
        "fleet inland",
        "support out of reach",
        "a build in spring",
        "disband",
    ],
)
def test_what_may_not_be_ordered_is_told_and_not_held(desk: Desk, line: str) -> None:
    receipt = desk.mail("France", f"F Bre-MAO\n{line}")
    assert desk.held("France") == ["F BRE-MAO"]
    assert line in " ".join(text_of(receipt).split())


def test_a_power_neither_orders_nor_sees_anothers_units(desk: Desk) -> None:
    desk.mail("Germany", "A Mun - Bur")
    receipt = desk.mail("France", "STATUS")
    assert desk.held("Germany") == ["A MUN-BUR"]
    assert "MUN" not in text_of(receipt).upper().replace("COMMUN", "")


def test_clear_drops_what_is_held(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur\nF Bre - MAO")
    receipt = desk.mail("France", "CLEAR")
    assert desk.held("France") == []
    assert desk.outcome == "command"
    assert receipt is not None


def test_clear_and_new_orders_in_one_mail(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur\nF Bre - MAO")
    desk.mail("France", "CLEAR\nA Mar - Spa")
    assert desk.held("France") == ["A MAR-SPA"]


def test_an_answer_to_an_earlier_phase_is_never_applied(desk: Desk) -> None:
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    assert desk.pass_time(hours=24) == ["spring42"]
    desk.receive()
    receipt = desk.mail("France", "F Bre - MAO\nA Par - Bur", answering=start)
    assert desk.held("France") == []
    assert desk.outcome == "late"
    choices = re.findall(r"(?m)^\s+(\d+)\s", text_of(receipt))
    assert choices[:2] == ["1", "2"]
    desk.mail("France", "1")
    assert desk.held("France") == ["F BRE-MAO", "A PAR-BUR"]


def test_a_late_answer_that_does_not_fit_now_is_told_so_and_kept_for_the_record(desk: Desk) -> None:
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.mail("France", "F Bre - MAO")
    desk.pass_time(hours=24)
    desk.receive()
    desk.mail("France", "F Bre - Eng", answering=start)
    assert desk.held("France") == []
    rows = desk.judge.store.rows("SELECT text, state FROM orders WHERE state = 'late'")
    assert [r["text"] for r in rows] == ["F BRE-ENG"]


def test_a_program_that_keeps_the_subject_alone_answers_the_right_phase(desk: Desk) -> None:
    """A result's subject names the phase that is over, but it asks for the orders of the next."""
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.pass_time(hours=24)
    result = next(m for m in desk.receive() if m["To"].startswith("france"))
    desk.mail("France", "F Bre - Gas", subject=f"Re: {header_text(result)}")
    assert (desk.outcome, desk.held("France")) == ("orders", ["F BRE-GAS"])
    desk.mail("France", "F Bre - MAO", subject=f"AW: {header_text(start)}")
    assert (desk.outcome, desk.held("France")) == ("late", ["F BRE-GAS"])


def test_a_late_mail_is_told_of_line_by_line(desk: Desk) -> None:
    """Lines that were good then, lines that are good now, and one that never was: each is in the receipt."""
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.mail("France", "F Bre - MAO\nA Mar - Spa\nA Par H")
    desk.pass_time(hours=24)
    desk.receive()
    lines = ["A Par - Bur", "F MAO - Por", "A Spa H", "A Foo - Bar", "Army Spian - Gascony"]
    told = " ".join(text_of(desk.mail("France", "\n".join(lines), answering=start)).split())
    assert desk.outcome == "late" and desk.held("France") == []
    for part in ("Paris - Burgundy", "Mid-Atlantic Ocean - Portugal", "Spain holds", "A Foo - Bar", "Army Spian"):
        assert part in told, told


def test_no_phase_runs_early_while_somebody_is_asked_whether_to_use_orders(desk: Desk) -> None:
    for power in ("Austria", "England", "Germany", "Italy", "Russia", "Turkey"):
        units = [u for u in desk.show()["units"] if u["power"] == power]
        desk.mail(power, "\n".join(f"{u['type']} {u['at']} H" for u in units) + "\nREADY")
    desk.mail("France", "A Par H\nA Mar H\nF Bre H", date=desk.now)
    desk.mail("France", "A Par - Bur", date=desk.now - timedelta(minutes=5), subject="older")
    desk.mail("France", "READY")
    assert desk.pass_time(hours=1) == []
    desk.mail("France", "2")
    desk.mail("France", "READY")
    assert desk.pass_time() == ["spring42"]


def test_the_other_order_of_arrival_applies_both(desk: Desk) -> None:
    """The answer to the new phase's mail arrives first, then the straggler: the straggler changes nothing."""
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.pass_time(hours=24)
    result = next(m for m in desk.receive() if m["To"].startswith("france"))
    desk.mail("France", "F Bre - Gas", answering=result)
    desk.mail("France", "F Bre - MAO", answering=start)
    assert desk.held("France") == ["F BRE-GAS"]


def test_a_mail_written_before_the_one_that_set_the_orders_is_asked_about(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur", date=desk.now)
    receipt = desk.mail("France", "A Par - Gas", date=desk.now - timedelta(minutes=5))
    assert desk.held("France") == ["A PAR-BUR"]
    assert desk.outcome == "asked"
    desk.mail("France", "2", answering=receipt)
    assert desk.held("France") == ["A PAR-BUR"]
    desk.mail("France", "A Par - Gas", date=desk.now - timedelta(minutes=5), subject="again")
    desk.mail("France", "3")
    assert desk.held("France") == ["A PAR-GAS"]


@pytest.mark.parametrize("word", ["CLEAR", "READY", "WAIT"])
def test_a_command_out_of_turn_changes_nothing(desk: Desk, word: str) -> None:
    """In answer to an earlier phase, and written before the orders held."""
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.pass_time(hours=24)
    desk.receive()
    desk.mail("France", "A Par - Bur", date=desk.now)
    told = desk.mail("France", word, answering=start)
    older = desk.mail("France", word, date=desk.now - timedelta(minutes=55), subject="older")
    phase = games.open_phase(desk.judge.store, 1)
    standing = orders.standing(desk.judge.store, phase.id, "France")
    assert (standing.ready, standing.wait, desk.held("France")) == (False, False, ["A PAR-BUR"])
    assert all("out of turn" in " ".join(text_of(m).split()) for m in (told, older))


def test_orders_written_before_a_clear_are_asked_about(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur", date=desk.now - timedelta(minutes=50))
    desk.mail("France", "CLEAR", date=desk.now - timedelta(minutes=10))
    desk.mail("France", "A Par - Pic", date=desk.now - timedelta(minutes=30))
    assert (desk.outcome, desk.held("France")) == ("asked", [])


@pytest.mark.parametrize("days", [400, -400000], ids=["next year", "before there was mail"])
def test_a_clock_set_wrong_stops_nobody(desk: Desk, days: int) -> None:
    wrong = "Tue, 1 Jan 0500 00:00:00 +0000" if days < 0 else format_datetime(desk.now + timedelta(days=days))
    desk.mail("France", "A Par - Bur", headers={"Date": wrong})
    desk.now += timedelta(minutes=1)
    desk.mail("France", "A Par - Pic")
    assert (desk.outcome, desk.held("France")) == ("orders", ["A PAR-PIC"])


def test_a_number_that_comes_too_late_is_told(desk: Desk) -> None:
    desk.mail("France", "A Mar - Spa\nF Bre - Spa\nA Pars H")
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.now += timedelta(hours=23, seconds=1)
    receipt = desk.mail("France", "1", answering=start)
    assert "1" in text_of(receipt) and "out of turn" in " ".join(text_of(receipt).split())
    assert desk.held("France") == ["A MAR-SPA"]


def test_two_orders_for_one_unit_out_of_turn_are_settled_before_they_are_offered(desk: Desk) -> None:
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    desk.pass_time(hours=24)
    desk.receive()
    desk.mail("France", "A Par - Bur\nA Par - Pic", answering=start)
    desk.mail("France", "1")
    assert desk.held("France") == ["A PAR-PIC"]


def test_a_number_that_answers_nothing_is_told_each_time(desk: Desk) -> None:
    for number in range(2):
        receipt = desk.mail("France", "7", subject=str(number))
        assert "no question with this number" in " ".join(text_of(receipt).split())


def test_a_chosen_order_takes_ready_back(desk: Desk) -> None:
    desk.mail("France", "A Pars - Bur\nREADY")
    phase = games.open_phase(desk.judge.store, 1)
    assert orders.standing(desk.judge.store, phase.id, "France").ready is True
    desk.mail("France", "1")
    assert orders.standing(desk.judge.store, phase.id, "France").ready is False


def test_the_same_faulty_line_again_is_told_again(desk: Desk) -> None:
    for number in range(3):
        assert desk.mail("France", "A Xyz - Qqqq", subject=str(number)) is not None


def test_the_same_chatter_again_is_answered_once(desk: Desk) -> None:
    answers = [desk.mail("France", "Good evening to you all", subject=str(n)) for n in range(3)]
    assert [a is not None for a in answers] == [True, False, False]


def test_in_the_right_order_nothing_is_asked(desk: Desk) -> None:
    desk.mail("France", "A Par - Gas", date=desk.now - timedelta(minutes=5))
    desk.mail("France", "A Par - Bur", date=desk.now)
    assert desk.held("France") == ["A PAR-BUR"]


def test_a_mail_after_the_deadline_is_told_so_and_kept(desk: Desk) -> None:
    desk.now += timedelta(hours=23, seconds=1)
    receipt = desk.mail("France", "A Par - Bur")
    assert desk.held("France") == []
    assert desk.outcome == "late"
    assert receipt is not None
    assert desk.judge.store.rows("SELECT text FROM orders WHERE state = 'late'")[0]["text"] == "A PAR-BUR"


def test_what_arrived_before_the_instant_counts_though_it_is_read_after(desk: Desk) -> None:
    deadline = desk.now + timedelta(hours=23)
    desk.now = deadline
    kept = desk.deliver(*desk.write("France", "A Par - Bur"))
    desk.now = deadline + timedelta(seconds=5)
    desk.pass_time()
    assert inbox.load(desk.judge.store, kept.id).outcome == "orders"
    assert {"power": "France", "type": "A", "at": "bur"} in desk.show()["units"]


def test_what_arrived_after_the_instant_and_is_read_after_the_run_is_not_for_the_next_phase(desk: Desk) -> None:
    desk.now += timedelta(hours=23, seconds=1)
    kept = desk.deliver(*desk.write("France", "A Par - Bur"))
    desk.now += timedelta(seconds=1)
    turn.process_due(desk.judge, desk.now)
    desk.work()
    assert inbox.load(desk.judge.store, kept.id).outcome == "late"
    assert desk.held("France") == []


def test_a_mail_sent_twice_is_taken_once(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur")
    first = desk.deliver(raw, to, sender)
    again = desk.deliver(b"Received: from elsewhere by here; Tue, 1 Dec 2026 13:00:01 +0000\r\n" + raw, to, sender)
    assert (first.duplicate, again.duplicate) == (False, True)
    desk.work()
    assert len(desk.receive()) == 1


@pytest.mark.parametrize(
    "headers",
    [{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk", "X-Autoreply": "yes"}],
    ids=["RFC 3834", "older"],
)
def test_a_machine_gets_no_answer(desk: Desk, headers: dict[str, str]) -> None:
    answer = desk.mail("France", "I am away until Monday.\nA Par - Bur", headers=headers)
    assert answer is None
    assert desk.held("France") == []


def test_a_mail_without_a_word_is_answered(desk: Desk) -> None:
    assert desk.mail("France", "") is not None
    assert desk.outcome == "empty"


def test_a_stranger_is_helped_once_a_day(desk: Desk) -> None:
    def ask() -> int:
        desk.deliver(*desk.write("Stranger", "HELP", to="judge@judge.example.org"))
        desk.work()
        return len(desk.receive())

    assert [ask(), ask()] == [1, 0]
    desk.now += timedelta(hours=25)
    assert ask() == 1


def test_a_players_mail_without_the_token_counts_for_nothing_and_only_the_player_is_told(desk: Desk) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur", to="spring42@judge.example.org"))
    desk.work()
    (told,) = desk.receive()
    assert told["To"] == "france@example.org"
    assert desk.held("France") == []
    assert told["Reply-To"].endswith(desk.reply_to("France") + ">") or told["Reply-To"] == desk.reply_to("France")


@pytest.mark.parametrize(
    "to",
    [
        "nobody@judge.example.org",
        "spring42+aaaaaaaaaaaaaaaa@judge.example.org",
        "spring43@judge.example.org",
        "judge@else.org",
    ],
    ids=["no such address", "wrong token", "no such game", "another domain"],
)
def test_unknown_addresses_are_nobody(desk: Desk, to: str) -> None:
    assert desk.deliver(*desk.write("France", "A Par - Bur", to=to)) is None


def test_a_token_in_capitals_is_the_token(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur")
    assert desk.deliver(raw, to.upper(), sender) is not None


def test_a_new_player_of_a_seat_has_a_new_token(desk: Desk) -> None:
    old = desk.reply_to("France")
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        games.set_player(desk.judge.store, game.id, "France", "other@example.org")
    assert desk.deliver(*desk.write("France", "A Par - Bur", to=old)) is None
    assert desk.reply_to("France") != old


def test_no_stored_byte_holds_a_live_token(desk: Desk, tmp_path: Any) -> None:
    start = next(m for m in desk.sent if m["To"].startswith("france"))
    body = f"A Par - Bur\n\n> write to {desk.reply_to('France')}\n> or mailto:{desk.reply_to('France').replace('+', '%2B')}"
    desk.mail("France", body, answering=start)
    desk.pass_time(hours=24)
    desk.receive()
    assert start["Message-ID"] in desk.judge.store.rows("SELECT bytes FROM raws")[0]["bytes"].decode()
    reply_to = desk.reply_to("France")
    assert desk.deliver(*desk.write("France", "A Par - Pic", sender=reply_to)[:2], reply_to) is not None
    desk.judge.store.backup(tmp_path / "backup.db")
    files = [tmp_path / "judge.db", tmp_path / "judge.db-wal", tmp_path / "backup.db"]
    stored = b"".join(f.read_bytes() for f in files if f.exists()).lower()
    assert b"par-bur" in stored
    for seat in desk.show()["seats"]:
        token = seat["reply_to"].partition("+")[2].partition("@")[0]
        assert len(token) == 16
        assert token.encode() not in stored


def test_an_exception_sets_a_mail_aside_at_the_third_time_and_loses_nothing(desk: Desk, monkeypatch: Any) -> None:
    from judge.play import intake

    kept = desk.deliver(*desk.write("France", "A Par - Bur"))
    monkeypatch.setattr(intake, "_handle", lambda *_: 1 / 0)
    for _ in range(3):
        taken = intake.step(desk.judge, desk.now)
        assert taken is not None and isinstance(taken.fault, ZeroDivisionError)
        desk.now += timedelta(minutes=5)  # it rests after a fault
    assert intake.step(desk.judge, desk.now) is None
    assert inbox.counts(desk.judge.store)["set_aside"] == 1
    assert b"A Par - Bur" in inbox.load(desk.judge.store, kept.id).raw


def test_a_failure_half_way_leaves_no_half(desk: Desk, monkeypatch: Any) -> None:
    from judge.play import intake, seatmail

    desk.deliver(*desk.write("France", "A Par - Bur"))
    monkeypatch.setattr(seatmail._SeatMail, "write_receipt", lambda self: 1 / 0)
    intake.step(desk.judge, desk.now)
    assert desk.judge.store.rows("SELECT * FROM orders") == []
    assert desk.held("France") == []
    assert orders.held(desk.judge.store, 1) == []
    assert outbox.counts(desk.judge.store)["waiting"] == 0


def test_a_strangers_mail_is_forgotten_after_seven_days_and_a_players_never(desk: Desk) -> None:
    desk.deliver(*desk.write("Stranger", "HELP", to="judge@judge.example.org"))
    desk.mail("France", "A Par - Bur")
    assert upkeep.purge(desk.judge, desk.now + timedelta(days=6)) == 0
    assert upkeep.purge(desk.judge, desk.now + timedelta(days=7, seconds=1)) == 1
    kept = desk.judge.store.rows("SELECT bytes FROM raws")
    assert len(kept) == 1 and b"A Par - Bur" in kept[0]["bytes"]
    assert desk.judge.store.rows("SELECT id FROM outbox WHERE address LIKE 'stranger%'") == []


@pytest.mark.parametrize("to", ["postmaster@judge.example.org", "abuse@judge.example.org"])
def test_mail_to_the_operator_goes_on_whole(desk: Desk, to: str) -> None:
    desk.judge = replace(desk.judge, operator="op@example.org")
    raw, _, sender = desk.write("Stranger", "something is wrong", to=to, subject="=?utf-8?q?h=C3=A9lp?=")
    desk.deliver(raw, to, sender)
    desk.work()
    (forwarded,) = desk.receive()
    assert forwarded["To"] == "op@example.org"
    (attached,) = [p for p in forwarded.walk() if p.get_filename()]
    assert b"something is wrong" in attached.get_payload(decode=True)
    desk.deliver(*desk.write("Stranger", "again", to=to, headers={"Auto-Submitted": "auto-replied"}))
    desk.work()
    assert desk.receive() == [], "what a machine wrote is kept only: it may be the operator's own mailbox that answers"


def test_a_mail_in_rich_text_alone_is_told_that_it_was_not_read(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "eJ8+Ig==")
    rich = raw.replace(b"text/plain; charset=utf-8", b"application/ms-tnef").replace(b": 8bit", b": base64")
    assert desk.deliver(rich, to, sender) is not None
    desk.work()
    (answer,) = desk.receive()
    told = answer.get_payload()[0].get_payload(decode=True).decode()
    assert "winmail.dat" in told
    assert "this attachment could not be read: write orders as" in told


SETTINGS = [
    "SET nmr=hold",
    "set nmr to civil-disorder",
    "nmr = hold",
    "SET victory.end.turn=F1903",
    "SET nrm=hold",
    "設定 nmr=hold",
]


@pytest.mark.parametrize("line", SETTINGS)
@pytest.mark.parametrize("beside", ["A Par - Bur\n", ""], ids=["beside orders", "alone"])
def test_a_player_who_sets_a_house_rule_is_told_who_may(desk: Desk, line: str, beside: str) -> None:
    answer = desk.mail("France", f"{beside}{line}")
    assert answer is not None
    text = " ".join(text_of(answer).split())
    assert f"you wrote “{line}”" in text.replace("\u00a0", " ")
    assert "only the game master sets house rules, from the master's own address" in text
    assert desk.held("France") == (["A PAR-BUR"] if beside else [])


@pytest.mark.parametrize("line", ["set sail, my friend", "I set you an example", "A Par - Bur", "ready = set", "ルール"])
def test_what_sets_no_house_rule_is_not_told_so(desk: Desk, line: str) -> None:
    answer = desk.mail("France", f"{line}\nA Mar H")
    assert answer is not None and "only the game master" not in text_of(answer)
