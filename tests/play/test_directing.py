"""The game master starts a game, goes back in it, corrects its position, notes something on it, ends it: by mail."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.message_ids import parse_message_id
from judge.play import mastermail, rollback, rulings, setup, verify
from judge.play.announcing import Doer
from judge.store import games, orders
from judge.variants import load_board, load_rules

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
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
    """The running game with a master; France reads Japanese."""
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.org", "operator", desk.now, timezone="Asia/Tokyo")
        games.set_reader(desk.judge.store, game.id, "France", "ja", "Asia/Tokyo")
    desk.work()
    desk.receive()
    desk.now += timedelta(minutes=1)
    return desk


def say(desk: Desk, body: str, **more: Any) -> tuple[Message | None, dict[str, Message]]:
    """The master writes; the answer, and what each power is mailed because of it: one mail at most."""
    more["to"] = more.get("to") or desk.reply_to("master")
    received: list[Message] = desk.post(body, "master", sender="ana@example.org", **more)
    told: dict[str, Message] = {}
    for power in POWERS:
        mails = [mail for mail in received if mail["To"].startswith(power.lower())]
        assert len(mails) <= 1, f"{power} got {len(mails)} mails of one event"
        told |= {mail["To"].partition("@")[0].title(): mail for mail in mails}
    answers = [mail for mail in received if mail["To"].startswith("ana")]
    assert len(answers) <= 1
    return (answers[0] if answers else None), told


def play(desk: Desk, **sent: str) -> None:
    """A phase to its deadline, with these orders."""
    for power, body in sent.items():
        desk.mail(power, body)
    desk.pass_time(hours=24)
    desk.receive()


def faults(desk: Desk) -> list[str]:
    return [str(one) for one in verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42"))]


def units(desk: Desk, power: str) -> set[str]:
    return {unit["at"] for unit in desk.show()["units"] if unit["power"] == power}


# going back


def test_the_game_goes_back_with_its_orders(ana: Desk) -> None:
    play(ana, France=FRENCH)
    play(ana, France="A BUR-BEL\nA SPA-POR\nF MAO H")
    assert ana.show()["phase"] == "W1901A"
    answer, told = say(ana, "ROLLBACK S1901M\nWHY the judge was down")
    assert ana.show()["phase"] == "S1901M" and ana.show()["state"] == "running"
    assert ana.held("France") == ["A PAR-BUR", "A MAR-SPA", "F BRE-MAO"]
    assert datetime.fromisoformat(ana.show()["deadline"]) == ana.now + timedelta(hours=24)
    assert set(told) == set(POWERS)
    french = words(told["France"])
    assert "1901年春" in french and "F ブレスト - 中大西洋" in french and "the judge was down" in french
    assert "A Paris" not in words(told["Turkey"]) and "No orders of yours are on file" in words(told["Turkey"])
    assert "Undone: Spring 1901, Fall 1901 and Winter 1901 adjustments" in words(answer)
    assert faults(ana) == []
    # what is on file counts without another word
    play(ana)
    assert units(ana, "France") == {"bur", "spa", "mao"} and ana.show()["phase"] == "F1901M"
    assert faults(ana) == []


def test_undone_results_are_kept_and_marked(ana: Desk) -> None:
    play(ana, France=FRENCH)
    say(ana, "ROLLBACK S1901M")
    rows = ana.judge.store.rows("SELECT name, attempt, state, result, undone_at FROM phases ORDER BY id")
    assert [(row["name"], row["attempt"], row["undone_at"] is not None) for row in rows] == [
        ("S1901M", 1, True), ("F1901M", 1, True), ("S1901M", 2, False),
    ]  # fmt: skip
    assert rows[0]["result"] is not None and rows[1]["result"] is None


def test_a_rollback_said_twice_goes_back_once(ana: Desk) -> None:
    play(ana, France=FRENCH)
    say(ana, "ROLLBACK S1901M")
    answer, told = say(ana, "ROLLBACK S1901M")
    assert "is open now" in words(answer) and not told
    assert len(games.all_phases(ana.judge.store, games.get(ana.judge.store, "spring42").id)) == 3


NOT_THERE = [
    ("ROLLBACK", "Say to which phase"),
    ("ROLLBACK F1905M", "has not been played"),
    ("ROLLBACK F1901M", "is open now"),
]


@pytest.mark.parametrize(("line", "reason"), NOT_THERE, ids=[one[0] for one in NOT_THERE])
def test_where_the_game_cannot_go_back_to_is_said(ana: Desk, line: str, reason: str) -> None:
    play(ana)
    answer, told = say(ana, line)
    assert reason in words(answer) and not told and ana.show()["phase"] == "F1901M"


@pytest.mark.parametrize("written", ["s1901m", "S1901", "01-S", "to S1901M", "Spring 1901", "1901年春"])
def test_a_phase_is_named_in_many_ways(ana: Desk, written: str) -> None:
    play(ana)
    say(ana, f"ROLLBACK {written}")
    assert ana.show()["phase"] == "S1901M"


def test_before_the_first_phase_was_played_there_is_nothing_to_go_back_to(ana: Desk) -> None:
    answer, _ = say(ana, "ROLLBACK")
    assert "nothing to go back to" in words(answer)


def test_ready_is_not_carried_back_and_nothing_runs_early(ana: Desk) -> None:
    for power in POWERS:
        held = [f"{unit['type']} {unit['at']} H" for unit in ana.show()["units"] if unit["power"] == power]
        ana.mail(power, "\n".join([*held, "READY"]))
    ana.pass_time(seconds=1)
    assert ana.show()["phase"] == "F1901M"
    ana.receive()
    say(ana, "ROLLBACK S1901M")
    assert ana.pass_time(hours=2) == []
    assert ana.show()["phase"] == "S1901M"
    for power in POWERS:
        ana.mail(power, "READY")
    ana.pass_time(seconds=1)
    assert ana.show()["phase"] == "F1901M"


def test_answers_to_mails_from_before_are_known_as_such(ana: Desk) -> None:
    play(ana, France=FRENCH)
    result = next(mail for mail in reversed(ana.sent) if mail["To"].startswith("england"))
    _, told = say(ana, "ROLLBACK S1901M")
    ana.mail("England", "F LON-ENG", answering=result)
    assert ana.held("England") == []
    assert parse_message_id(told["England"]["Message-ID"]).attempt == 2
    ana.mail("England", "F LON-ENG", answering=told["England"])
    assert ana.held("England") == ["F LON-ENG"]


def test_a_mail_sent_before_the_game_went_back_is_not_for_the_phase_that_opens(ana: Desk) -> None:
    play(ana)
    raw, to, sender = ana.write("England", "F LON-ENG")
    ana.deliver(raw, to, sender)
    ana.now += timedelta(minutes=1)
    with ana.judge.store.transaction():
        rollback.roll_back(ana.judge, games.get(ana.judge.store, "spring42"), "S1901M", Doer("operator"), ana.now)
    ana.work()
    assert ana.held("England") == []


def test_a_game_that_has_ended_goes_on(ana: Desk) -> None:
    rulings.change_rules(ana.judge, "spring42", [("victory.end.turn", "F1901")], who="master", now=ana.now)
    play(ana, France=FRENCH)
    play(ana)
    while ana.show()["state"] == "running":
        play(ana)
    _, told = say(ana, "ROLLBACK F1901M")
    assert ana.show()["state"] == "running" and ana.show()["phase"] == "F1901M" and ana.show()["winners"] is None
    assert "The game is not over" in words(told["Italy"]) and faults(ana) == []
    play(ana)
    assert faults(ana) == []


def test_back_twice_and_on(ana: Desk) -> None:
    for _ in range(4):
        play(ana)
    say(ana, "ROLLBACK F1901M")
    play(ana, France="A PAR-PIC")
    say(ana, "ROLLBACK S1901M")
    play(ana, France=FRENCH)
    assert ana.show()["phase"] == "F1901M" and units(ana, "France") == {"bur", "spa", "mao"}
    assert faults(ana) == []
    summary = words(ana.mail("England", "SUMMARY"))
    assert "1901" in summary and "1902" not in summary.split("spring42")[0]


def test_a_rule_agreed_for_a_phase_that_is_undone_waits_for_it_again(ana: Desk) -> None:
    rulings.change_rules(ana.judge, "spring42", [("nmr", "postpone")], who="master", now=ana.now)
    play(ana)
    say(ana, "ROLLBACK S1901M")
    play(ana)
    row = ana.judge.store.row("SELECT rules FROM phases WHERE state = 'open'")
    assert '"nmr": "postpone"' in row["rules"]


def test_orders_written_ahead_are_read_again(ana: Desk) -> None:
    ana.mail("France", f"{FRENCH}\n\nF1901M\nA BUR-BEL")
    ana.pass_time(hours=24)
    assert ana.held("France") == ["A BUR-BEL"]
    ana.receive()
    say(ana, "ROLLBACK S1901M")
    ana.pass_time(hours=24)
    assert ana.held("France") == ["A BUR-BEL"]


def test_a_paused_game_stays_paused_when_it_goes_back(ana: Desk) -> None:
    play(ana)
    say(ana, "PAUSE")
    _, told = say(ana, "ROLLBACK S1901M")
    assert ana.show()["deadline"] is None and "The game is paused" in words(told["Italy"])
    say(ana, "RESUME")
    assert ana.show()["deadline"] is not None


# correcting


def test_a_position_is_corrected_with_a_reason(ana: Desk) -> None:
    ana.mail("France", FRENCH)
    ana.mail("Germany", "A MUN-BUR\nA BER-KIE\nF KIE-DEN")
    body = "CORRECT POSITION\nREMOVE A PAR\nF PIC FRANCE\nOWNER BEL ENGLAND\nWHY a slip of mine\nEND"
    answer, told = say(ana, body)
    assert units(ana, "France") == {"mar", "bre", "pic"}
    assert "bel" in ana.show()["centres"]["England"]
    assert "The army of France in Paris is taken off the board" in words(answer)
    assert set(told) == set(POWERS) and "a slip of mine" in words(told["Italy"])
    french = words(told["France"])
    assert "A パリ - ブルゴーニュ" in french and ana.held("France") == ["A MAR-SPA", "F BRE-MAO"]
    assert "A Paris" not in words(told["Italy"]) and len(ana.held("Germany")) == 3
    assert faults(ana) == []
    play(ana)
    assert faults(ana) == []
    answer, told = say(ana, "ROLLBACK S1901M")
    assert units(ana, "France") == {"mar", "bre", "pic"} and faults(ana) == []


def test_a_changed_correction_is_found_when_the_game_is_verified(ana: Desk) -> None:
    say(ana, "CORRECT POSITION\nOWNER BEL ENGLAND\nWHY a slip\nEND")
    with ana.judge.store.transaction():
        ana.judge.store.run("UPDATE corrections SET changes = replace(changes, 'England', 'France')")
    assert faults(ana) == ["bytes: S1901M: does not begin with the position that the phase before it led to"]


NOT_CORRECT = [
    ("OWNER BEL ENGLAND", "needs a reason"),
    ("A PAR FRANCE\nWHY x", "stands there already"),
    ("A NTH ENGLAND\nWHY x", "no such unit can stand there"),
    ("REMOVE A LON\nWHY x", "there is no such unit"),
    ("A XYZ FRANCE\nWHY x", "is no correction"),
    ("OWNER BUR FRANCE\nWHY x", "only a supply centre"),
    ("OWNER PAR FRANCE\nWHY x", "is so already"),
    ("OWNER BEL ENGLAND\nFrance is too strong\nWHY x", "is no correction"),
    ("F STP RUSSIA\nWHY x", "no such unit can stand there"),
    ("WHY x", "nothing to correct"),
]


@pytest.mark.parametrize(("lines", "reason"), NOT_CORRECT, ids=[one[0].replace("\n", "/") for one in NOT_CORRECT])
def test_what_is_no_correction_changes_nothing(ana: Desk, lines: str, reason: str) -> None:
    before = ana.show()
    answer, told = say(ana, f"CORRECT POSITION\n{lines}\nEND")
    assert reason in words(answer) and not told and ana.show() == before


def test_a_correction_said_twice_is_made_once(ana: Desk) -> None:
    say(ana, "CORRECT POSITION\nOWNER BEL ENGLAND\nEND\nWHY a slip")
    answer, told = say(ana, "CORRECT POSITION\nOWNER BEL ENGLAND\nEND\nWHY a slip")
    assert "is so already" in words(answer) and not told


WRITTEN = [
    ("REMOVE PAR", {"mar", "bre"}),
    ("除去 陸軍 パリ", {"mar", "bre"}),
    ("REMOVE A PAR FRANCE", {"mar", "bre"}),
    ("A Burgundy FRA", {"mar", "bre", "par", "bur"}),
    ("F SPA/SC FRANCE", {"mar", "bre", "par", "spa/sc"}),
    ("Fleet Spain (south coast) France", {"mar", "bre", "par", "spa/sc"}),
    ("A 勃艮第 法国", {"mar", "bre", "par", "bur"}),
]


@pytest.mark.parametrize(("line", "then"), WRITTEN, ids=[one[0] for one in WRITTEN])
def test_corrections_are_read_in_many_words(ana: Desk, line: str, then: set[str]) -> None:
    say(ana, f"CORRECT POSITION\n{line}\nWHY a slip\nEND")
    assert units(ana, "France") == then


def test_builds_on_file_are_cleared_where_the_count_changes(ana: Desk) -> None:
    play(ana, France=FRENCH)
    play(ana, France="A SPA H\nF MAO-POR")
    ana.mail("France", "BUILD A PAR")
    assert ana.show()["phase"] == "W1901A" and ana.held("France") == ["A PAR B"]
    ana.receive()
    _, told = say(ana, "CORRECT POSITION\nOWNER SPA NOBODY\nOWNER POR NOBODY\nWHY a slip\nEND")
    assert ana.held("France") == [] and faults(ana) == []
    assert "A パリ" in words(told["France"])


# the end


def test_a_game_is_ended_without_a_result(ana: Desk) -> None:
    play(ana, France=FRENCH)
    answer, told = say(ana, "END GAME\nWHY we lost three players")
    assert ana.show()["state"] == "ended" and ana.show()["winners"] == []
    assert "without a result" in words(answer) and set(told) == set(POWERS)
    assert "ended without a winner" in words(told["Italy"]) and "we lost three players" in words(told["Italy"])
    assert "勝者" in words(told["France"])
    assert faults(ana) == []
    assert ana.pass_time(days=3) == []
    answer, told = say(ana, "END GAME")
    assert "the game is over" in words(answer) and not told


def test_a_game_is_ended_as_a_draw_of_those_who_are_left(ana: Desk) -> None:
    say(ana, "CORRECT POSITION\n" + "\n".join(
        [f"REMOVE {at}" for at in ("VIE", "BUD", "TRI")] + [f"OWNER {at} NOBODY" for at in ("VIE", "BUD", "TRI")]
    ) + "\nWHY to see one out\nEND")  # fmt: skip
    say(ana, "END GAME DRAW")
    assert ana.show()["winners"] == [power for power in POWERS if power != "Austria"]
    assert ana.show()["ended_by"] == "master" and faults(ana) == []


@pytest.mark.parametrize("line", ["END", "end of game", "The end of the game is near.", "STOP", "GAME OVER"])
def test_only_the_exact_words_end_a_game(ana: Desk, line: str) -> None:
    say(ana, line)
    assert ana.show()["state"] == "running"


def test_a_game_ended_by_mistake_is_taken_back(ana: Desk) -> None:
    ana.mail("France", FRENCH)
    say(ana, "END GAME DRAW")
    _, told = say(ana, "ROLLBACK S1901M")
    assert ana.show()["state"] == "running" and len(ana.held("France")) == 3
    assert "The game is not over" in words(told["Italy"]) and faults(ana) == []
    play(ana)
    assert units(ana, "France") == {"bur", "spa", "mao"} and faults(ana) == []


# the note


def test_a_note_is_read_by_all_with_status(ana: Desk) -> None:
    answer, told = say(ana, "SET COMMENT\nHolidays from 24 December on.\nA PAR-BUR\nEND")
    assert "Holidays from 24 December on." in words(answer) and not told
    status = ana.mail("Turkey", "STATUS")
    assert "Holidays from 24 December on." in words(status)
    japanese = ana.mail("France", "STATUS")
    assert "ゲームマスターより".upper() in words(japanese) and ana.held("France") == []
    answer, told = say(ana, "SET COMMENT\nHolidays from 24 December on.\nA PAR-BUR\nEND")
    assert "so already" in words(answer)
    answer, _ = say(ana, "STATUS")
    assert "Holidays" in words(answer)
    assert "THE NOTE ON THE GAME" in (shown := words(ana.mail("Turkey", "SHOW"))).upper() and "Holidays" in shown
    (stranger,) = ana.post("SHOW spring42", sender="new@example.org", to="judge@judge.example.org")
    assert "SPRING42" in words(stranger) and "Holidays" not in words(stranger)
    say(ana, "SET NO COMMENT")
    assert "Holidays" not in words(ana.mail("Turkey", "STATUS")) + words(ana.mail("Turkey", "SHOW"))


# the start


@pytest.fixture
def forming(desk: Desk) -> Desk:
    """A game that waits for its master's word; Italy and Turkey have no player."""
    setup.create_game(
        desk.judge,
        "autumn",
        rules=load_rules("standard"),
        players={power: f"{power.lower()}@example.org" for power in POWERS if power not in ("Italy", "Turkey")},
        master="ana@example.org",
        now=desk.now,
    )
    desk.work()
    desk.receive()
    return desk


def test_a_game_is_started_by_mail(forming: Desk) -> None:
    to = forming.reply_to("master", "autumn")
    answer, told = say(forming, "START", to=to)
    assert forming.show("autumn")["state"] == "running"
    assert "Nobody plays Italy and Turkey" in words(answer) and set(told) == set(POWERS) - {"Italy", "Turkey"}
    answer, told = say(forming, "START", to=to)
    assert "no meaning while the game is played" in words(answer) and not told


def test_powers_are_drawn_at_a_start_by_mail(desk: Desk) -> None:
    setup.create_game(
        desk.judge,
        "autumn",
        rules=rulings.set_keys(load_rules("standard"), [("powers.assign", "random")], load_board()),
        wishes=[(f"player{n}@example.org", ()) for n in range(7)],
        master="ana@example.org",
        now=desk.now,
    )
    desk.work()
    desk.receive()
    say(desk, "START", to=desk.reply_to("master", "autumn"))
    assert all(seat["address"] for seat in desk.show("autumn")["seats"])
    row = desk.judge.store.row("SELECT seed_from FROM draws")
    assert row["seed_from"] == "chance"


def test_orders_are_never_in_the_log(ana: Desk) -> None:
    ana.mail("France", FRENCH)
    say(ana, "CORRECT POSITION\nREMOVE A PAR\nWHY a slip\nEND")
    said = words(ana.mail("England", "LOG"))
    assert "corrected the position of Spring 1901" in said and "Burgundy" not in said
    phase = games.open_phase(ana.judge.store, games.get(ana.judge.store, "spring42").id)
    assert [held.text for held in orders.held(ana.judge.store, phase.id, "France")] == ["A MAR-SPA", "F BRE-MAO"]
