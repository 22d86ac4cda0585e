"""The game master moves the clock by mail: deadlines, pauses, a phase run now. Everybody is told once, in their language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import mastermail, turn
from judge.play.notdone import NotDone
from judge.store import games, inbox

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
#: what the open phase of the game wants of France
FRENCH = "A PAR-BUR\nA MAR-SPA\nF BRE-MAO"


def text_of(message: Message) -> str:
    (part,) = [one for one in message.walk() if one.get_content_type() == "text/plain"]
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


@pytest.fixture
def ana(desk: Desk) -> Desk:
    """The running game with a master in Tokyo, who reads English; France reads Japanese, England lives in Paris."""
    with desk.judge.store.transaction():
        game = games.get(desk.judge.store, "spring42")
        mastermail.appoint(desk.judge, game, "ana@example.org", "operator", desk.now, timezone="Asia/Tokyo")
        games.set_reader(desk.judge.store, game.id, "France", "ja", "Asia/Tokyo")
        games.set_reader(desk.judge.store, game.id, "England", "en", "Europe/Paris")
    desk.work()
    desk.receive()
    desk.now += timedelta(minutes=1)
    return desk


def say(desk: Desk, body: str, **more: Any) -> tuple[Message | None, dict[str, str]]:
    """The master writes; the answer, and what each power is mailed because of it."""
    more["to"] = more.get("to") or desk.reply_to("master")
    received: list[Message] = desk.post(body, "master", sender="ana@example.org", **more)
    answers = [mail for mail in received if mail["To"].startswith("ana")]
    told: dict[str, str] = {}
    for power in POWERS:
        mails = [mail for mail in received if mail["To"].startswith(power.lower())]
        assert len(mails) <= 1, f"{power} got {len(mails)} mails of one event"
        told |= {mail["To"].partition("@")[0].title(): " ".join(text_of(mail).split()) for mail in mails}
    assert len(answers) <= 1
    return (answers[0] if answers else None), told


def words(mail: Message | None) -> str:
    assert mail is not None
    return " ".join(text_of(mail).split())


def deadline(desk: Desk) -> datetime | None:
    found = desk.show()["deadline"]
    return None if found is None else datetime.fromisoformat(found)


def logged(desk: Desk) -> list[str]:
    return [row["what"] for row in desk.judge.store.rows("SELECT what FROM log ORDER BY id")]


INSTANTS = [
    ("2026-12-05 21:00", datetime(2026, 12, 5, 12, tzinfo=UTC)),
    ("Sat 21:00", datetime(2026, 12, 5, 12, tzinfo=UTC)),
    ("2026-12-05T21:00+01:00", datetime(2026, 12, 5, 20, tzinfo=UTC)),
    ("Sat 21:00 Europe/Paris", datetime(2026, 12, 5, 20, tzinfo=UTC)),
    ("土曜 21:00", datetime(2026, 12, 5, 12, tzinfo=UTC)),
    # a day alone keeps the time of day: 12:00 UTC is 21:00 in Tokyo
    ("5 Dec", datetime(2026, 12, 5, 12, tzinfo=UTC)),
]


@pytest.mark.parametrize(("written", "meant"), INSTANTS, ids=[one[0] for one in INSTANTS])
def test_a_deadline_is_set_in_the_masters_zone(ana: Desk, written: str, meant: datetime) -> None:
    answer, told = say(ana, f"DEADLINE {written}\nWHY Christmas is near")
    assert deadline(ana) == meant
    assert "The new deadline is" in words(answer) and set(told) == set(POWERS)
    assert "Christmas is near" in told["Turkey"] and "the game master" in told["Turkey"]
    assert logged(ana)[-1] == "deadline-changed"
    _, again = say(ana, f"DEADLINE {written}")
    assert not again and deadline(ana) == meant


def test_every_reader_has_the_deadline_in_their_own_time(ana: Desk) -> None:
    answer, told = say(ana, "DEADLINE 2026-12-05 21:00")
    assert "Sat 5 Dec, 21:00 (Tokyo; 12:00 UTC)" in words(answer)
    assert "Sat 5 Dec, 13:00 (Paris; 12:00 UTC)" in told["England"]
    assert "Sat 5 Dec, 12:00 UTC" in told["Austria"]
    assert "新しい締切" in told["France"] and "21:00" in told["France"]


REFUSED = [
    ("DEADLINE 2026-11-01 21:00", "is past already"),
    ("DEADLINE 2029-01-01 21:00", "too far ahead"),
    ("DEADLINE 2026-12-02 21:00", "already"),
    ("DEADLINE 2026-02-31 21:00", "cannot read"),
    ("DEADLINE Fri 5 Dec 21:00", "cannot read"),
    ("EXTEND UNTIL 2026-12-01 23:00", "is later already"),
    ("EXTEND 900 days", "too far ahead"),
    ("RESUME", "not paused"),
    ("PAUSE UNTIL 2026-11-01", "is past already"),
    ("PROCESS F1901M", "is not open now"),
    ("PROCESS", "PROCESS NOW"),
]


@pytest.mark.parametrize(("line", "reason"), REFUSED, ids=[one[0] for one in REFUSED])
def test_what_cannot_be_done_is_said_and_changes_nothing(ana: Desk, line: str, reason: str) -> None:
    before = ana.show() | {"seats": None}
    answer, told = say(ana, line)
    assert reason in words(answer) and not told
    assert ana.show() | {"seats": None} == before


def test_an_extension_said_twice_puts_off_once(ana: Desk) -> None:
    start = next(mail for mail in ana.sent if mail["To"].startswith("ana"))
    _, told = say(ana, "EXTEND 48 h", answering=start)
    assert deadline(ana) == NOON + timedelta(hours=72) and set(told) == set(POWERS)
    second, told = say(ana, "EXTEND 48 h", answering=start)
    assert deadline(ana) == NOON + timedelta(hours=72) and not told
    assert "put off by as much already" in words(second)
    third, _ = say(ana, "EXTEND 48 h", answering=second)
    assert deadline(ana) == NOON + timedelta(hours=120)
    assert "The new deadline is" in words(third)


def test_a_new_mail_with_the_same_words_asks_too(ana: Desk) -> None:
    say(ana, "EXTEND 2 days")
    answer, told = say(ana, "please see below\n\nEXTEND 48 h")
    assert "put off by as much already" in words(answer) and not told
    answer, told = say(ana, "EXTEND UNTIL 2026-12-06 21:00")
    assert deadline(ana) == datetime(2026, 12, 6, 12, tzinfo=UTC) and set(told) == set(POWERS)


def test_an_extension_in_answer_to_an_earlier_phase_is_not_for_this_one(ana: Desk) -> None:
    start = next(mail for mail in ana.sent if mail["To"].startswith("ana"))
    ana.pass_time(hours=24)
    ana.receive()
    before = deadline(ana)
    answer, told = say(ana, "EXTEND 48 h", answering=start)
    assert deadline(ana) == before and not told
    assert "answers another one" in words(answer)


@pytest.mark.parametrize("line", ["EXTEND 48 h", "PAUSE", "DEADLINE 2026-12-05 21:00"])
def test_what_came_before_the_deadline_counts_though_it_is_read_at_it(ana: Desk, line: str) -> None:
    raw, to, sender = ana.write("master", line, to=ana.reply_to("master"), sender="ana@example.org")
    ana.now = NOON + timedelta(hours=24) - timedelta(seconds=1)
    kept = ana.deliver(raw, to, sender)
    ana.now = NOON + timedelta(hours=24, seconds=1)
    assert turn.process_due(ana.judge, ana.now) == []
    assert inbox.load(ana.judge.store, kept.id).state == "handled"
    assert ana.show()["phase"] == "S1901M"
    assert deadline(ana) != NOON + timedelta(hours=24)


def test_a_pause_stops_the_clock_and_orders_are_taken(ana: Desk) -> None:
    answer, told = say(ana, "PAUSE\nWHY a death in the family")
    assert deadline(ana) is None and set(told) == set(POWERS)
    assert "The game is paused" in words(answer)
    assert "a death in the family" in told["Italy"] and "ゲームを中断しています" in told["France"]
    _, again = say(ana, "PAUSE")
    assert not again
    receipt = ana.mail("England", "F EDI-NTH\nF LON-ENG\nA LVP-YOR")
    assert "The game is paused" in words(receipt) and len(ana.held("England")) == 3
    assert ana.pass_time(days=30) == []
    assert ana.show()["phase"] == "S1901M"
    # 23 hours were left when it was paused, and a day is the least
    answer, told = say(ana, "RESUME")
    assert deadline(ana) == ana.now + timedelta(hours=24) and set(told) == set(POWERS)
    assert len(ana.held("England")) == 3
    answer, told = say(ana, "RESUME")
    assert "not paused" in words(answer) and not told


def test_a_resumed_game_has_as_much_time_as_it_had(ana: Desk) -> None:
    say(ana, "EXTEND 3 days")
    left = deadline(ana) - ana.now
    say(ana, "PAUSE")
    ana.pass_time(days=10)
    say(ana, "RESUME")
    assert deadline(ana) == ana.now + left


def test_a_pause_until_a_day_ends_by_itself(ana: Desk) -> None:
    answer, told = say(ana, "PAUSE UNTIL 2027-01-03")
    until = datetime(2027, 1, 2, 15, tzinfo=UTC)
    assert "goes on by itself" in told["Russia"] and "goes on by itself" in words(answer)
    assert turn.next_due(ana.judge.store) == until
    ana.pass_time(days=20)
    assert ana.receive() == []
    ana.now = until
    ana.pass_time(seconds=0)
    received = ana.receive()
    assert deadline(ana) == until + timedelta(hours=24)
    assert sorted(mail["To"].split("@")[0] for mail in received) == sorted(["ana", *map(str.lower, POWERS)])
    ana.pass_time(hours=24)
    assert ana.show()["phase"] == "F1901M"


def test_the_day_of_a_pause_can_be_changed(ana: Desk) -> None:
    say(ana, "PAUSE")
    answer, told = say(ana, "PAUSE UNTIL 2027-01-03 12:00")
    assert set(told) == set(POWERS) and "goes on by itself" in words(answer)
    answer, told = say(ana, "PAUSE UNTIL 2027-01-03 12:00")
    assert not told and "paused already, until" in words(answer)


@pytest.mark.parametrize("line", ["DEADLINE Sat 21:00", "EXTEND 48 h", "PROCESS NOW"])
def test_the_clock_of_a_paused_game_is_not_moved(ana: Desk, line: str) -> None:
    say(ana, "PAUSE")
    answer, told = say(ana, line)
    assert "RESUME lets it go on" in words(answer) and not told
    assert deadline(ana) is None


def test_a_paused_game_is_not_run_at_the_shell(ana: Desk) -> None:
    say(ana, "PAUSE")
    with pytest.raises(NotDone):
        turn.run_phase(ana.judge, "spring42", ana.now, who="operator")


def test_short_phases_resume_with_a_whole_one(ana: Desk) -> None:
    with ana.judge.store.transaction():
        ana.judge.store.run("UPDATE games SET schedule = 'every 15 min'")
    ana.now = NOON + timedelta(hours=23, minutes=58)
    say(ana, "PAUSE")
    ana.now += timedelta(hours=2)
    say(ana, "RESUME")
    assert deadline(ana) == ana.now + timedelta(minutes=15)


def test_a_phase_is_run_now_and_its_result_is_the_answer(ana: Desk) -> None:
    ana.mail("France", FRENCH)
    ana.receive()
    answer, told = say(ana, "PROCESS")
    assert "PROCESS NOW" in words(answer) and not told and ana.show()["phase"] == "S1901M"
    answer, told = say(ana, "PROCESS S1901M NOW")
    assert answer is None and not told
    assert turn.next_due(ana.judge.store) == ana.now
    ana.pass_time(seconds=1)
    received = ana.receive()
    assert ana.show()["phase"] == "F1901M"
    assert sorted(mail["To"].split("@")[0] for mail in received) == sorted(["ana", *map(str.lower, POWERS)])
    (turkish,) = [mail for mail in received if mail["To"].startswith("turkey")]
    assert "The game master had this phase run before its deadline" in words(turkish)
    assert ("master", "processed") in {
        (row["who"], row["what"]) for row in ana.judge.store.rows("SELECT who, what FROM log")
    }


def test_a_phase_named_guards_against_racing_the_clock(ana: Desk) -> None:
    say(ana, "PROCESS S1901M NOW")
    ana.pass_time(seconds=1)
    ana.receive()
    answer, told = say(ana, "PROCESS S1901M NOW")
    assert "is not open now" in words(answer) and not told
    ana.pass_time(seconds=1)
    assert ana.show()["phase"] == "F1901M"


def test_process_in_answer_to_the_phase_before_runs_nothing(ana: Desk) -> None:
    start = next(mail for mail in ana.sent if mail["To"].startswith("ana"))
    ana.pass_time(hours=24)
    ana.receive()
    answer, _ = say(ana, "PROCESS NOW", answering=start)
    assert "answers another one" in words(answer)
    ana.pass_time(seconds=1)
    assert ana.show()["phase"] == "F1901M"


def test_mails_that_came_before_a_phase_is_run_are_taken_in(ana: Desk) -> None:
    say(ana, "PROCESS NOW")
    ana.deliver(*ana.write("France", FRENCH))
    ana.now += timedelta(seconds=1)
    assert [ran.game for ran in turn.process_due(ana.judge, ana.now)] == ["spring42"]
    assert {unit["at"] for unit in ana.show()["units"] if unit["power"] == "France"} == {"bur", "spa", "mao"}


def test_a_later_word_takes_process_back(ana: Desk) -> None:
    say(ana, "PROCESS NOW\nEXTEND 24 h")
    assert ana.pass_time(seconds=1) == []
    assert ana.show()["phase"] == "S1901M" and deadline(ana) == NOON + timedelta(hours=48)


@pytest.fixture
def playing(ana: Desk) -> Desk:
    """The master plays Turkey too."""
    with ana.judge.store.transaction():
        game = games.get(ana.judge.store, "spring42")
        games.set_player(ana.judge.store, game.id, "Turkey", "ana@example.org")
    return ana


def test_a_master_who_plays_learns_nothing_by_process(playing: Desk) -> None:
    answer, _ = say(playing, "PROCESS")
    first = words(answer)
    for power in POWERS[:6]:
        for unit in playing.show()["units"]:
            if unit["power"] == power:
                playing.mail(power, f"{unit['type']} {unit['at']} H", sender=f"{power.lower()}@example.org")
    playing.receive()
    answer, _ = say(playing, "PROCESS")
    assert "You play in this game" in first and "You play in this game" in words(answer)
    say(playing, "PROCESS NOW")
    playing.pass_time(seconds=1)
    (french,) = [mail for mail in playing.receive() if mail["To"].startswith("france")]
    assert "このゲームのプレイヤーでもあるゲームマスターの指示で" in text_of(french).replace("\n", "")


def test_a_master_who_plays_gets_one_mail_of_their_own_act(playing: Desk) -> None:
    received: Sequence[Message] = playing.post(
        "EXTEND 24 h", "master", sender="ana@example.org", to=playing.reply_to("master")
    )
    assert sum(mail["To"].startswith("ana") for mail in received) == 1


def test_players_cannot_move_the_clock(ana: Desk) -> None:
    before = deadline(ana)
    for line in ("EXTEND 48 h", "PAUSE", "DEADLINE Sat 21:00", "PROCESS NOW", "END GAME", "ROLLBACK S1901M"):
        answer = ana.mail("England", line)
        mine = "This game has a master who decides that" if line in ("EXTEND 48 h", "PAUSE") else "is for the game master"
        assert mine in words(answer)
    assert deadline(ana) == before and ana.show()["state"] == "running"


def test_the_log_is_read_by_players_newest_first(ana: Desk) -> None:
    say(ana, "EXTEND 48 h\nWHY holidays")
    say(ana, "PAUSE")
    ana.mail("France", FRENCH)
    answer = ana.mail("England", "LOG")
    said = words(answer)
    assert said.index("paused the game") < said.index("moved the deadline of Spring 1901") < said.index("started the game")
    assert "holidays" in said and "@" not in said.split("What was done to the game".upper())[-1].split("spring42 ·")[0]
    assert "Burgundy" not in said
    japanese = ana.mail("France", "ログ")
    assert "ゲームマスターがゲームを中断しました" in "".join(text_of(japanese).split())


def test_a_sentence_is_no_command(ana: Desk) -> None:
    before = ana.show() | {"seats": None}
    say(ana, "I will extend by 48 h if you like.\nCan we pause until Monday?\nThe deadline is Saturday evening.")
    assert ana.show() | {"seats": None} == before
