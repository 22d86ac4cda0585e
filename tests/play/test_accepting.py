"""Late orders are taken after all: what is on file is joined by them, or the phase is run again with no other change."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.senders import box_of
from judge.play import mastermail, rulings, turn, verify
from judge.store import duties, games, mastering

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
FRENCH = "A PAR-BUR\nA MAR-SPA\nF BRE-MAO"


def text_of(message: Message) -> str:
    (part,) = [one for one in message.walk() if one.get_content_type() == "text/plain"]
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def words(mail: Message | None) -> str:
    assert mail is not None
    return " ".join(text_of(mail).split())


@pytest.fixture
def ana(desk: Desk) -> Desk:
    """The running game with a master; Italy reads Japanese."""
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.org", "operator", desk.now, timezone="Asia/Tokyo")
        games.set_reader(desk.judge.store, game.id, "Italy", "ja", "Asia/Tokyo")
    desk.work()
    desk.receive()
    desk.now += timedelta(minutes=1)
    return desk


@pytest.fixture
def late(ana: Desk) -> Desk:
    """Spring was run without France, whose mail for it came an hour later; England has ordered for Fall."""
    ana.mail("Germany", "A MUN-BUR\nA BER-KIE\nF KIE-DEN")
    spring = next(mail for mail in ana.sent if mail["To"].startswith("france"))
    ana.pass_time(hours=24)
    ana.receive()
    assert units(ana, "France") == {"par", "mar", "bre"} and units(ana, "Germany") == {"bur", "kie", "den"}
    ana.mail("England", "F LON-ENG\nF EDI-NTH\nA LVP-YOR")
    ana.now += timedelta(hours=1)
    ana.mail("France", FRENCH, answering=spring)
    assert ana.outcome == "late"
    ana.now += timedelta(hours=1)
    return ana


def say(desk: Desk, body: str, sender: str = "ana@example.org") -> tuple[list[Message], dict[str, Message]]:
    """The master writes; what the master is mailed, and what each power is because of it: one mail at most."""
    received: list[Message] = desk.post(body, "master", sender=sender, to=desk.reply_to("master"))
    told: dict[str, Message] = {}
    for power in POWERS:
        mails = [mail for mail in received if mail["To"].startswith(power.lower())]
        assert len(mails) <= 1, f"{power} got {len(mails)} mails of one event"
        if mails:
            told[power] = mails[0]
    return [mail for mail in received if mail["To"].startswith("ana")], told


def answer(desk: Desk, body: str) -> str:
    """The answer to a master's mail that nobody else is told of."""
    mails, told = say(desk, body)
    assert len(mails) == 1 and not told
    return words(mails[0])


def units(desk: Desk, power: str) -> set[str]:
    return {unit["at"] for unit in desk.show()["units"] if unit["power"] == power}


def faults(desk: Desk) -> list[str]:
    return [str(one) for one in verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42"))]


def test_the_phase_is_run_again_with_the_late_orders_and_all_others_as_they_were(late: Desk) -> None:
    due = datetime.fromisoformat(late.show()["deadline"])
    mails, told = say(late, "ACCEPT FRANCE\nWHY the mail server was down")
    assert late.show()["phase"] == "F1901M"
    # both moves to Burgundy fail now, as they would have
    assert units(late, "France") == {"par", "spa", "mao"} and units(late, "Germany") == {"mun", "kie", "den"}
    assert set(told) == set(POWERS)
    english = words(told["England"])
    assert "Spring 1901 has been run again: the game master has taken orders of France that came late" in english
    assert "the orders of all others are the same as then" in english and "the mail server was down" in english
    assert "Fall 1901 begins anew" in english and late.held("England") == []
    assert "処理し直しました" in words(told["Italy"]) and "フランス" in words(told["Italy"])
    assert len(mails) == 2 and any("Spring 1901 has been run again with them" in words(mail) for mail in mails)
    assert datetime.fromisoformat(late.show()["deadline"]) >= due
    assert faults(late) == []
    assert "took orders of France for Spring 1901 that came late" in words(late.mail("Turkey", "LOG"))


def test_the_game_goes_on_from_there(late: Desk) -> None:
    _, told = say(late, "ACCEPT FRANCE")
    late.mail("France", "A PAR-GAS\nF MAO-POR\nA SPA H", answering=told["France"])
    late.pass_time(hours=24)
    assert late.show()["phase"] == "W1901A" and units(late, "France") == {"gas", "por", "spa"}
    assert faults(late) == []


def test_said_twice_it_changes_nothing(late: Desk) -> None:
    say(late, "ACCEPT FRANCE")
    rows = len(games.all_phases(late.judge.store, games.get(late.judge.store, "spring42").id))
    assert "on file already" in answer(late, "ACCEPT FRANCE")
    assert len(games.all_phases(late.judge.store, games.get(late.judge.store, "spring42").id)) == rows


def test_twice_in_one_mail_too(late: Desk) -> None:
    mails, told = say(late, "ACCEPT FRANCE\nACCEPT LATE ORDERS OF FRANCE")
    assert set(told) == set(POWERS) and any("on file already" in words(mail) for mail in mails)


def test_whose_orders_are_taken_has_sent_them_in_time(late: Desk) -> None:
    box = box_of("france@example.org")
    assert duties.counts(late.judge.store, box).late == 1
    say(late, "ACCEPT FRANCE")
    after = duties.counts(late.judge.store, box)
    assert (after.owed, after.on_time, after.late) == (1, 1, 0)


def test_the_newest_of_two_late_mails_counts(late: Desk) -> None:
    spring = next(mail for mail in late.sent if mail["To"].startswith("france"))
    late.mail("France", "A PAR-PIC", answering=spring)
    say(late, "ACCEPT FRANCE")
    assert units(late, "France") == {"pic", "spa", "mao"} and units(late, "Germany") == {"bur", "kie", "den"}
    assert "on file already" in answer(late, "ACCEPT FRANCE")
    assert faults(late) == []


def test_an_agreed_time_that_is_over_by_now_is_asked_of_when_the_phase_was_first_run(ana: Desk) -> None:
    over = ana.now + timedelta(hours=47, minutes=20)
    rulings.change_rules(ana.judge, "spring42", [("victory.clock.at", over.isoformat())], who="master", now=ana.now)
    ana.pass_time(hours=24)
    ana.receive()
    fall = next(mail for mail in reversed(ana.sent) if mail["To"].startswith("france"))
    ana.pass_time(hours=23)
    ana.receive()
    assert ana.show()["phase"] == "S1902M"
    ana.now += timedelta(hours=1)
    ana.mail("France", FRENCH, answering=fall)
    assert ana.outcome == "late" and ana.now > over
    say(ana, "ACCEPT FRANCE")
    assert ana.show()["state"] == "running" and units(ana, "France") == {"bur", "spa", "mao"}
    assert ana.show()["phase"] == "W1901A" and faults(ana) == []


def test_builds_that_came_late_are_built(ana: Desk) -> None:
    ana.mail("France", FRENCH)
    ana.pass_time(hours=24)
    ana.mail("France", "A SPA H\nF MAO-POR\nA BUR H")
    ana.pass_time(hours=24)
    ana.receive()
    assert ana.show()["phase"] == "W1901A"
    winter = next(mail for mail in reversed(ana.sent) if mail["To"].startswith("france"))
    ana.mail("France", "BUILD A PAR\nBUILD F BRE")
    ana.pass_time(hours=24)
    assert ana.show()["phase"] == "S1902M" and {"par", "bre"} <= units(ana, "France")
    ana.mail("France", "BUILD A MAR", answering=winter)
    assert ana.outcome == "late"
    say(ana, "ACCEPT FRANCE")
    # both are built that fit: the later mail's, and one of those before
    assert "mar" in units(ana, "France") and len(units(ana, "France")) == 5
    assert ana.show()["phase"] == "S1902M" and faults(ana) == []
    # an order that nobody sent is found
    with ana.judge.store.transaction():
        ana.judge.store.run("UPDATE orders SET text = 'F MAR B' WHERE text = 'A MAR B' AND state = 'held'")
    assert any("F MAR B of France" in fault for fault in faults(ana))


def test_a_phase_that_ran_early_is_run_again_and_nobody_has_less_time(ana: Desk) -> None:
    spring = next(mail for mail in ana.sent if mail["To"].startswith("france"))
    for power in POWERS:
        held = [f"{unit['type']} {unit['at']} H" for unit in ana.show()["units"] if unit["power"] == power]
        ana.mail(power, "\n".join([*held, "READY"]))
    ana.pass_time(seconds=1)
    ana.receive()
    assert ana.show()["phase"] == "F1901M"
    due = datetime.fromisoformat(ana.show()["deadline"])
    ana.now += timedelta(minutes=5)
    ana.mail("France", FRENCH, answering=spring)
    assert ana.outcome == "late"
    _, told = say(ana, "ACCEPT FRANCE")
    assert units(ana, "France") == {"bur", "spa", "mao"}
    assert "had this phase run before its deadline" not in words(told["England"])
    assert datetime.fromisoformat(ana.show()["deadline"]) >= due and faults(ana) == []


def test_orders_that_came_late_for_the_open_phase_are_on_file(ana: Desk) -> None:
    """The deadline has passed, and the phase has not been run yet."""
    ana.now += timedelta(hours=24, minutes=1)
    ana.mail("France", FRENCH)
    assert ana.outcome == "late" and ana.held("France") == []
    mails, told = say(ana, "ACCEPT FRANCE BECAUSE the line was down")
    assert ana.held("France") == FRENCH.splitlines() and set(told) == {"France"}
    french = words(told["France"])
    assert "that came late are on file now and count" in french and "the line was down" in french
    assert len(mails) == 1 and "The player of France is told" in words(mails[0])
    assert "on file already" in answer(ana, "ACCEPT FRANCE")
    ana.pass_time(seconds=1)
    assert units(ana, "France") == {"bur", "spa", "mao"} and faults(ana) == []


def test_late_orders_of_a_phase_that_the_game_went_back_to_are_on_file(late: Desk) -> None:
    say(late, "ROLLBACK S1901M")
    _, told = say(late, "ACCEPT FRANCE")
    assert late.held("France") == FRENCH.splitlines() and set(told) == {"France"}
    assert late.show()["phase"] == "S1901M" and faults(late) == []


REFUSED = {
    "nothing came late": ("ACCEPT TURKEY", "No orders of Turkey came late for Spring 1901"),
    "no power": ("ACCEPT NARNIA", "NARNIA"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_taken_is_refused_with_the_reason(late: Desk, case: str) -> None:
    line, reason = REFUSED[case]
    before = late.show()
    assert reason in answer(late, line)
    assert late.show() == before


def test_a_paused_game_runs_nothing_again(late: Desk) -> None:
    say(late, "PAUSE")
    assert "RESUME" in answer(late, "ACCEPT FRANCE") and late.show()["phase"] == "F1901M"
    assert units(late, "France") == {"par", "mar", "bre"}


def test_a_master_who_plays_takes_nobodys_late_orders(late: Desk) -> None:
    store = late.judge.store
    with store.transaction():
        seat = games.seat(store, games.get(store, "spring42").id, "Turkey")
        store.run("UPDATE seats SET address = 'ana@example.org' WHERE id = ?", seat.id)
    received = late.post("ACCEPT FRANCE", "master", sender="ana@example.org", to=late.reply_to("master"))
    assert len(received) == 1 and "You play in this game" in words(received[0])
    assert units(late, "France") == {"par", "mar", "bre"}


def test_a_player_takes_nobodys_late_orders(late: Desk) -> None:
    assert "game master" in words(late.mail("Germany", "ACCEPT FRANCE"))
    assert units(late, "France") == {"par", "mar", "bre"}


def test_a_corrected_position_is_not_lost_by_it(late: Desk) -> None:
    say(late, "CORRECT POSITION\nOWNER BEL ENGLAND\nWHY a slip of mine\nEND")
    assert "was corrected" in answer(late, "ACCEPT FRANCE")
    phase = games.open_phase(late.judge.store, games.get(late.judge.store, "spring42").id)
    assert phase is not None and len(mastering.corrections(late.judge.store, phase.id)) == 1


def test_late_orders_that_the_phase_cannot_use_change_nothing(ana: Desk) -> None:
    spring = next(mail for mail in ana.sent if mail["To"].startswith("france"))
    ana.mail("France", FRENCH)
    ana.pass_time(hours=24)
    ana.receive()
    # read for the units that France has now
    ana.mail("France", "A BUR-BEL\nA SPA-POR\nF MAO-NAO", answering=spring)
    assert ana.outcome == "late"
    assert "None of the late orders of France" in answer(ana, "ACCEPT FRANCE")
    assert ana.show()["phase"] == "F1901M"


def test_orders_written_ahead_are_read_again(late: Desk) -> None:
    late.mail("Russia", "F1901M\nA WAR-GAL")
    say(late, "ACCEPT FRANCE")
    late.mail("Russia", "A MOS-UKR")
    late.pass_time(hours=25)
    assert late.show()["phase"] != "F1901M" and faults(late) == []


def test_a_server_that_runs_what_is_due_runs_nothing_twice(late: Desk) -> None:
    say(late, "ACCEPT FRANCE")
    assert turn.process_due(late.judge, late.now) == []
