"""Players who are away: deadlines that fall into an absence are put off, as far as the house rules let them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.senders import mailbox_key
from judge.play import away, pausing, setup
from judge.play.announcing import Doer
from judge.play.judge import Table, open_table
from judge.store import absences, games, people

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
DAY = timedelta(days=1)


def at(day: int, hour: int = 12) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=UTC)


def text(message: Message) -> str:
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("schedule", "deadline", "spans", "room", "new"),
    [
        pytest.param("every 24 h", at(5), [], 15, at(5), id="nobody-away"),
        pytest.param("every 24 h", at(5), [(at(3, 0), at(8, 0))], 15, at(8), id="the-first-day-after-it"),
        pytest.param("every 24 h", at(8), [(at(3, 0), at(8, 0))], 15, at(8), id="its-end-is-no-part-of-it"),
        pytest.param("every 24 h", at(2), [(at(3, 0), at(8, 0))], 15, at(2), id="before-it"),
        pytest.param("every 3 days", at(5), [(at(3, 0), at(8, 0))], 15, at(8), id="by-days-not-by-phases"),
        pytest.param("every 24 h", at(5), [(at(3, 0), at(20, 0))], 4, at(9), id="no-farther-than-the-room"),
        pytest.param("every 24 h", at(5), [(at(3, 0), at(6, 0)), (at(6, 0), at(9, 0))], 15, at(9), id="one-after-the-other"),
        pytest.param("every 24 h", at(5), [(at(3, 0), at(8, 0))], 0, at(5), id="no-room"),
        pytest.param("Mon Thu 12:00", at(3), [(at(3, 0), at(8, 0))], 15, at(10), id="days-of-the-week-on-their-grid"),
        pytest.param("every 24 h; not 2026-12-08", at(5), [(at(3, 0), at(8, 0))], 15, at(9), id="no-day-left-out"),
        pytest.param("6 h", at(5), [(at(3, 0), at(5, 15))], 1, at(5, 18), id="a-quick-game-by-its-grid"),
    ],
)
def test_the_deadline_after_absences(
    schedule: str, deadline: datetime, spans: list[away.Span], room: int, new: datetime
) -> None:
    assert away.after_absences(schedule, "S1901M", deadline, spans, room * DAY) == new


def test_one_persons_end_may_lie_in_anothers_absence() -> None:
    spans = {"a": [(at(3, 0), at(8, 0)), (at(10, 0), at(12, 0))], "b": [(at(8, 0), at(10, 0))]}
    new, moved = away.settled("every 24 h", "S1901M", at(5), spans, {"a": 15 * DAY, "b": 15 * DAY})
    assert new == at(12)
    assert moved == {"a": 5 * DAY, "b": 2 * DAY}


def test_the_open_phase_waits_and_nobody_is_told_who_is_away(desk: Desk) -> None:
    desk.pass_time(hours=23)  # the Fall, to be run on the third
    desk.receive()
    mails = desk.post("ABSENCE 2026-12-03..2026-12-05", "France")
    assert desk.show()["deadline"].startswith("2026-12-06T12:00")
    (answer,) = [one for one in mails if one["To"].startswith("france")]
    assert "from 2026-12-03 to 2026-12-05" in text(answer) and "put off" in text(answer)
    others = [one for one in mails if one is not answer]
    assert len(others) == 6
    assert all("Somebody who owes orders is away" in text(one) and "France" not in one["Subject"] for one in others)
    (again,) = desk.post("ABSENCE 2026-12-03..2026-12-05", "France")
    assert "knew already" in text(again)
    assert desk.show()["deadline"].startswith("2026-12-06T12:00")
    (off,) = desk.post("ABSENCE OFF", "France")
    assert "taken back" in text(off)
    assert desk.show()["deadline"].startswith("2026-12-06T12:00")


def test_a_deadline_nearer_than_a_day_stays(desk: Desk) -> None:
    assert len(desk.post("ABSENCE 2026-12-02 to 2026-12-05", "France")) == 1
    assert desk.show()["deadline"].startswith("2026-12-02T12:00")
    desk.pass_time(hours=23)
    assert desk.show()["deadline"].startswith("2026-12-06T12:00")


def test_the_days_are_those_of_the_player(desk: Desk) -> None:
    where = {"language": None, "timezone": "Pacific/Kiritimati"}
    setup.set_reader(desk.judge, "spring42", "France", **where, who="operator", now=desk.now)
    desk.post("ABSENCE 2026年12月3日から2026年12月3日", "France")
    desk.pass_time(hours=23)
    # noon of the third in London is two in the night of the fourth there, and they are back
    assert desk.show()["deadline"].startswith("2026-12-03T12:00")


def test_a_player_has_so_much_in_all(desk: Desk) -> None:
    desk.post("ABSENCE 2026-12-03..2027-01-20", "France")
    desk.pass_time(hours=23)
    assert desk.show()["deadline"].startswith("2026-12-18T12:00")
    desk.pass_time(days=16)
    assert desk.show()["deadline"].startswith("2026-12-19T12:00")


def test_house_rules_may_say_that_nobody_is_waited_for(under: Any) -> None:
    desk = under("clock.absence=none")
    (answer,) = desk.post("ABSENCE 2026-12-03..2026-12-05", "France")
    assert "no deadline is put off" in text(answer)
    assert desk.show()["deadline"].startswith("2026-12-03T12:00")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("ABSENCE 2026-12-09..2026-12-05", "ends before it begins", id="backwards"),
        pytest.param("ABSENCE 2026-13-09..2026-13-10", "names no day", id="no-date"),
        pytest.param("ABSENCE 2025-12-01..2025-12-05", "over already", id="past"),
        pytest.param("ABSENCE 2029-12-01..2029-12-05", "more than a year", id="far"),
    ],
)
def test_what_is_no_absence(desk: Desk, line: str, told: str) -> None:
    (answer,) = desk.post(line, "France")
    assert told in text(answer)
    assert desk.judge.store.rows("SELECT * FROM absences") == []


def test_three_at_a_time(desk: Desk) -> None:
    for month in ("02", "03", "04"):
        desk.post(f"ABSENCE 2027-{month}-01..2027-{month}-03", "France")
    (answer,) = desk.post("ABSENCE 2027-05-01..2027-05-03", "France")
    assert "may be told" in text(answer)


def test_absences_go_along_to_a_new_address(desk: Desk) -> None:
    desk.post("ABSENCE 2027-02-01..2027-02-03", "France")
    store = desk.judge.store
    with store.transaction():
        box = mailbox_key("france@example.org") or ""
        one = people.of_mailbox(store, box) or people.add(
            store, "france@example.org", box, language="en", timezone="UTC", state="confirmed", now=desk.now
        )
        people.move(store, one.id, "f@example.net", "f@example.net")
    assert [row.mailbox for row in absences.ahead(store, desk.now)] == ["f@example.net"]
    with store.transaction():
        people.forget(store, one.id, "player-1")
    assert [row.mailbox for row in absences.ahead(store, desk.now)] == ["player-1"]


def any_table(desk: Desk) -> Table:
    game = games.get(desk.judge.store, "spring42")
    table = open_table(desk.judge.store, game)
    assert table is not None
    return table


def test_a_game_that_goes_on_waits_for_who_is_away_then(desk: Desk) -> None:
    table = any_table(desk)
    with desk.judge.store.transaction():
        pausing.pause(desk.judge, table, Doer("operator"), desk.now)
    desk.work()
    desk.receive()
    desk.post("ABSENCE 2026-12-02..2026-12-05", "France")
    desk.pass_time(hours=2)
    with desk.judge.store.transaction():
        new = pausing.resume(desk.judge, any_table(desk), Doer("operator"), desk.now)
    # a day ahead would be the second, in which France is away
    assert new.date() == date(2026, 12, 6) and desk.show()["deadline"].startswith("2026-12-06")
    desk.work()
    mails = desk.receive()
    assert len(mails) == 7 and all("6 Dec" in text(one) and "is away" not in text(one) for one in mails)
