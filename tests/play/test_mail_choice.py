"""MAIL: what may wait for the next result or the day's mail, what may not, and that nothing of it is lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import digests, extending, forgetting, seats, turn, verify
from judge.play.announcing import Doer
from judge.play.judge import open_table
from judge.store import games, keptmail, people

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
JUDGE = "judge@judge.example.org"


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


def html_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/html")
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def press(desk: Desk, text: str, to: str = "FRANCE", power: str = "England", **more: Any) -> list[Message]:
    """Somebody writes press; what France gets of it."""
    sent = desk.post(f"PRESS TO {to}\n{text}\nEND", power, **more)
    return [one for one in sent if one["To"] == "france@example.org"]


def run(desk: Desk) -> dict[str, Message]:
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, "spring42").id)
    desk.now = phase.deadline + timedelta(minutes=1)
    turn.run_phase(desk.judge, "spring42", desk.now)
    desk.work()
    return {one["To"].partition("@")[0]: one for one in desk.receive()}


def waiting(desk: Desk) -> list[tuple[int, str, str, datetime]]:
    return keptmail.oldest(desk.judge.store)


def test_press_waits_for_the_next_result_and_comes_whole(desk: Desk) -> None:
    chosen = desk.mail("France", "MAIL RESULTS")
    assert "wait and come with the next result" in text_of(chosen) and "spring42" in text_of(chosen)
    again = desk.mail("France", "mail results")
    assert "It was so already" in text_of(again)
    assert press(desk, "Shall we take Burgundy?") == []
    assert press(desk, "Trust nobody.", power="Germany", to="FRANCE ITALY") == []
    assert press(desk, "To all of you.", power="Russia", to="ALL") == []
    got = run(desk)
    for text in ("Shall we take Burgundy?", "Trust nobody.", "To all of you.", "England to France", "to everybody"):
        assert text in text_of(got["france"])
        assert text in " ".join(html_of(got["france"]).split()) or " to " in text
    assert "Shall we" not in text_of(got["england"])
    assert waiting(desk) == []
    assert "Shall we" not in text_of(run(desk)["france"])
    assert [str(one) for one in verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42"))] == []


def test_others_get_it_at_once(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    sent = desk.post("PRESS TO FRANCE ITALY\nHello.\nEND", "England")
    assert sorted(one["To"] for one in sent) == ["england@example.org", "italy@example.org"]


@pytest.mark.parametrize("choice", ["RESULTS", "DIGEST"])
def test_what_moves_the_clock_or_asks_for_a_decision_comes_at_once(desk: Desk, choice: str) -> None:
    desk.mail("France", f"MAIL {choice}")
    receipt = desk.mail("France", "A PAR-BUR")
    assert receipt is not None and waiting(desk) == []
    voted = desk.post("PROPOSE EXTEND 24 h", "England")
    assert "france@example.org" in [one["To"] for one in voted]
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    with desk.judge.store.transaction():
        extending.set_deadline(desk.judge, table, table.phase.deadline + timedelta(days=2), Doer("operator"), desk.now)
    desk.work()
    assert "france@example.org" in [one["To"] for one in desk.receive()] and waiting(desk) == []


def test_news_that_ask_for_nothing_wait(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    left = desk.post("RESIGN YES", "Italy")
    assert "france@example.org" not in [one["To"] for one in left] and "england@example.org" in [one["To"] for one in left]
    assert "Italy" in text_of(run(desk)["france"]) and waiting(desk) == []


def test_mail_alone_brings_what_waits_and_mail_all_ends_it(desk: Desk) -> None:
    desk.mail("France", "MAIL DIGEST")
    press(desk, "First word.")
    brought = desk.mail("France", "MAIL")
    assert "First word." in text_of(brought) and waiting(desk) == []
    press(desk, "Second word.")
    back = desk.mail("France", "MAIL ALL")
    assert "Second word." in text_of(back) and "First word." not in text_of(back) and waiting(desk) == []
    (at_once,) = press(desk, "Third word.")
    assert "Third word." in text_of(at_once)


def test_of_a_grey_message_nothing_more_is_told(under: Any) -> None:
    desk = under("press.kinds=both")
    desk.mail("France", "MAIL RESULTS")
    desk.post("GREY PRESS TO FRANCE\nBeware of Italy.\nEND", "England")
    told = text_of(desk.mail("France", "MAIL"))
    assert "without a name" in told and "Beware of Italy." in told and "England" not in told.partition("Beware")[0][-60:]


# once a day


def test_once_a_day_at_the_hour_of_the_readers_zone_and_once_only(desk: Desk) -> None:
    desk.mail("France", "TIMEZONE Tokyo\nMAIL DIGEST")
    press(desk, "Good morning.")
    press(desk, "And good night.", power="Germany")
    due = digests.next_due(desk.judge)
    assert due == datetime(2026, 12, 1, 23, tzinfo=UTC)  # eight o'clock in Tokyo
    assert digests.write_due(desk.judge, due - timedelta(seconds=1)) == 0
    assert digests.write_due(desk.judge, due) == 1
    assert digests.write_due(desk.judge, due) == 0 and digests.next_due(desk.judge) is None
    desk.work()
    (mail,) = desk.receive()
    assert mail["To"] == "france@example.org" and "Good morning." in text_of(mail) and "And good night." in text_of(mail)
    assert mail["Subject"].startswith("[spring42]") and "press that waited" in mail["Subject"]
    answer = desk.mail("France", "PRESS TO ENGLAND\nSo be it.\nEND", answering=mail)
    assert answer is not None


def test_a_result_before_that_brings_it(desk: Desk) -> None:
    desk.mail("France", "MAIL DIGEST")
    press(desk, "Good morning.")
    assert "Good morning." in text_of(run(desk)["france"])
    assert digests.next_due(desk.judge) is None


DAYS = {
    "before the hour": ("2026-12-01T06:59", "UTC", "2026-12-01T08:00"),
    "at the hour": ("2026-12-01T08:00", "UTC", "2026-12-02T08:00"),
    "after it": ("2026-12-01T20:00", "UTC", "2026-12-02T08:00"),
    "east": ("2026-12-01T13:00", "Asia/Tokyo", "2026-12-01T23:00"),
    "the day the clocks change": ("2027-03-27T12:00", "Europe/Paris", "2027-03-28T06:00"),
}


@pytest.mark.parametrize("case", DAYS)
def test_when_it_is_due(case: str) -> None:
    at, zone, due = DAYS[case]
    assert digests.due_after(datetime.fromisoformat(f"{at}+00:00"), zone) == datetime.fromisoformat(f"{due}+00:00")


# nothing is lost


def test_who_leaves_takes_it_along_and_who_comes_gets_none(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    press(desk, "Our secret.")
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    with desk.judge.store.transaction():
        seats.replace(desk.judge, table, "France", "zoe@example.com", who="operator", why=None, now=desk.now)
    desk.work()
    sent = {one["To"]: text_of(one) for one in desk.receive()}
    assert "Our secret." in sent["france@example.org"] and "Our secret." not in sent["zoe@example.com"]
    (at_once,) = [one for one in desk.post("PRESS TO FRANCE\nWelcome.\nEND", "England") if one["To"] == "zoe@example.com"]
    assert "Welcome." in text_of(at_once)


def test_who_resigns_reads_it_in_the_answer(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    press(desk, "Our secret.")
    (farewell,) = [one for one in desk.post("RESIGN YES") if one["To"] == "france@example.org"]
    assert "Our secret." in text_of(farewell)


def test_the_end_brings_it(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    press(desk, "Our secret.")
    for power in ("Austria", "England", "Germany", "Italy", "Russia", "Turkey"):
        desk.mail(power, "DRAW")
    sent = [one for one in desk.post("DRAW") if one["To"] == "france@example.org"]
    assert games.get(desk.judge.store, "spring42").state == "ended"
    assert any("Our secret." in text_of(one) for one in sent) and waiting(desk) == []
    (statement,) = [one for one in desk.post("STATEMENT\nWell played.\nEND", "England") if one["To"] == "france@example.org"]
    assert "Well played." in text_of(statement)


def test_it_moves_along_and_goes_with_who_is_forgotten(desk: Desk) -> None:
    desk.mail("France", "MAIL RESULTS")
    press(desk, "Our secret.")
    desk.mail("France", "NEW ADDRESS")
    assert "Our secret." in text_of(desk.mail("France", "MAIL"))
    desk.mail("France", "RESIGN YES")
    with desk.judge.store.transaction():
        person = people.of_mailbox(desk.judge.store, "france@example.org") or people.add(
            desk.judge.store, "france@example.org", "france@example.org", language="en", timezone="UTC", state="confirmed",
            now=desk.now,
        )  # fmt: skip
    forgetting.forget(desk.judge, person, desk.now)
    assert desk.judge.store.rows("SELECT * FROM mail_choices") == desk.judge.store.rows("SELECT * FROM kept_mails") == []


# for all games


def test_at_the_judges_own_address_for_all_games(desk: Desk) -> None:
    (asked,) = desk.post("MAIL RESULTS", to=JUDGE)
    assert "MAIL RESULTS" in text_of(asked) and keptmail.choice(desk.judge.store, "france@example.org", 0) == "all"
    (done,) = desk.post("YES", to=asked["Reply-To"], answering=asked)
    assert "for all your games" in text_of(done)
    assert press(desk, "Wait for it.") == []
    desk.mail("France", "MAIL DIGEST")
    (same,) = desk.post("MAIL RESULTS", to=asked["Reply-To"], answering=asked)
    assert "already" not in text_of(same)  # what was said of one game gave way
    (same,) = desk.post("MAIL RESULTS", to=asked["Reply-To"], answering=asked)
    assert "It was so already" in text_of(same)
    sent = desk.post("MAIL ALL", to=asked["Reply-To"], answering=asked)
    assert sorted("Wait for it." in text_of(one) for one in sent) == [False, True]
    assert len(press(desk, "No more waiting.")) == 1
