"""Proxy orders where somebody is careless, hostile or late: what goes out, what is held and asked, and when a phase runs."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from typing import Any

import pytest

from judge.play import proxy, rulings, seatmail
from judge.store import games

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
Story = Callable[..., Desk]


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def proxies(desk: Desk) -> Desk:
    """A game whose Fall is played with proxies."""
    rulings.change_rules(desk.judge, "spring42", [("orders.proxy", "yes")], who="Ana", now=desk.now)
    desk.pass_time(hours=23)
    desk.receive()
    return desk


def sent_by(desk: Desk, power: str, body: str) -> list[Message]:
    """All mails that one mail makes."""
    before = len(desk.sent)
    desk.mail(power, body)
    return list(desk.sent[before:])


def told(mails: list[Message], power: str, words: str) -> int:
    return sum(mail["To"].startswith(power.lower()) and words in mail["Subject"] for mail in mails)


def late(desk: Desk, power: str) -> list[str]:
    sql = "SELECT text FROM orders WHERE power = ? AND state = 'late'"
    rows = desk.judge.store.rows(sql, power)
    return [row["text"] for row in rows]


# what one mail makes the judge write


TO_AND_FRO = ["PROXY A MAR TO ENGLAND", "PROXY A MAR TO GERMANY"]


@pytest.mark.parametrize(
    ("before", "body", "given", "taken"),
    [
        ("", "\n".join(TO_AND_FRO * 25), {"GERMANY": 1}, {}),
        ("", "\n".join(TO_AND_FRO * 100), {"GERMANY": 1}, {}),
        ("PROXY A MAR TO ENGLAND", "\n".join(TO_AND_FRO * 25), {"GERMANY": 1}, {"ENGLAND": 1}),
        ("PROXY A MAR TO ENGLAND", "PROXY A MAR OFF\nPROXY A MAR TO ENGLAND", {}, {}),
        ("", "PROXY A MAR TO ENGLAND\nPROXY A MAR OFF", {}, {}),
        ("", "PROXY A MAR TO ENGLAND\nPROXY A PAR TO ENGLAND\nPROXY F BRE TO GERMANY", {"ENGLAND": 1, "GERMANY": 1}, {}),
        ("PROXY ALL TO ENGLAND", "PROXY A MAR OFF\nPROXY A PAR OFF\nPROXY F BRE TO ITALY", {"ITALY": 1}, {"ENGLAND": 1}),
        ("PROXY ALL TO ENGLAND", "CLEAR\nPROXY OFF\nPROXY ALL TO ENGLAND", {"ENGLAND": 1}, {"ENGLAND": 1}),
    ],
    ids=["to and fro", "to and fro, too often", "from one to another", "off and on", "on and off", "two units to one",
         "two back and one on", "clear"],
)  # fmt: skip
def test_one_mail_makes_one_notice_of_each_kind_for_a_power(
    proxies: Desk, before: str, body: str, given: dict[str, int], taken: dict[str, int]
) -> None:
    if before:
        proxies.mail("France", before)
    mails = sent_by(proxies, "France", body)
    others = ("ENGLAND", "GERMANY", "ITALY")
    counts = {power: told(mails, power, "in your hands") for power in others}
    assert {power: count for power, count in counts.items() if count} == given
    counts = {power: told(mails, power, "itself again") for power in others}
    assert {power: count for power, count in counts.items() if count} == taken
    assert len(mails) == 1 + sum(given.values()) + sum(taken.values())


def test_of_too_many_lines_the_rest_is_told(proxies: Desk) -> None:
    """The lines beyond the limit change nothing, and one sentence says so."""
    body = "\n".join([*(["PROXY A MAR TO ENGLAND"] * proxy.MOST_LINES), *(["PROXY A MAR TO GERMANY"] * 50)])
    text = text_of(proxies.mail("France", body))
    assert "One line I could not use" in text
    assert f"one mail may have {proxy.MOST_LINES} lines with PROXY" in text
    assert "in the hands of England" in text


def test_off_and_on_keeps_what_was_ordered(proxies: Desk) -> None:
    """The last word counts: the unit never left the other's hands."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    proxies.mail("England", "A Mar - Spa")
    proxies.mail("France", "PROXY OFF\nPROXY A MAR TO ENGLAND")
    assert proxies.held("England") == ["A MAR-SPA"]


# orders for units that are no longer in these hands


def test_taken_back_while_the_mail_was_read(proxies: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """France takes its army back after England's mail was read and before it is taken in."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    read_ahead = seatmail.read_ahead

    def slow(judge: Any, mail: Any, incoming: Any) -> Any:
        found = read_ahead(judge, mail, incoming)
        game = games.get(judge.store, "spring42")
        table = seatmail.open_table(judge.store, game)
        with judge.store.transaction():
            proxy.take_all_back(judge, table, "France", mail, proxies.now)
        return found

    monkeypatch.setattr(seatmail, "read_ahead", slow)
    text = text_of(proxies.mail("England", "A Mar - Spa\nF Lon H"))
    assert "belongs to another power" in text
    assert proxies.held("England") == ["F LON H"]


def test_the_answer_to_a_question_about_a_unit_taken_back(proxies: Desk) -> None:
    """The question goes with the unit, so that its number orders nothing."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    text = text_of(proxies.mail("England", "A Mar - Spian"))
    assert "One question" in text
    proxies.mail("France", "PROXY OFF")
    assert "no question with this number is open" in text_of(proxies.mail("England", "1"))
    assert proxies.held("England") == []


def test_the_answer_to_a_question_about_other_units_too(proxies: Desk) -> None:
    """Orders of an earlier phase's mail that would fit now: those for England's own units are used, and France's is told."""
    spring = next(m for m in proxies.sent if m["To"].startswith("england"))
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    text = text_of(proxies.mail("England", "A Mar - Spa\nF Lon - Nth", answering=spring))
    assert "use these orders now" in text
    proxies.mail("France", "PROXY OFF")
    text = text_of(proxies.mail("England", "1"))
    assert "belongs to another power" in text
    assert proxies.held("England") == ["F LON-NTH"]


# orders for lent units that are misspelt, left out or late


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("A Mar - Spian", "A MAR-SPA"),
        ("A Par - Burgndy", "A PAR-BUR"),
        ("Army Pariss - Picardy", "A PAR-PIC"),
        ("A Marseiles - Spain", "A MAR-SPA"),
        ("A Par - Bugundy", "A PAR-BUR"),
        ("F Brest - English Chanel", "F BRE-ENG"),
    ],
)
def test_a_misspelt_order_for_a_lent_unit_is_asked_about(proxies: Desk, line: str, meant: str) -> None:
    """As the owner would be."""
    proxies.mail("France", "PROXY ALL TO ENGLAND")
    text = text_of(proxies.mail("England", line))
    if "One question" in text:
        proxies.mail("England", "1")
    assert proxies.held("England") == [meant]


def test_only_units_in_these_hands_are_suggested(proxies: Desk) -> None:
    """Paris stays with France, whatever a misspelt line may have meant."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    text = text_of(proxies.mail("England", "A Pariss - Picardy"))
    assert "One question" not in text
    assert proxies.held("England") == []


def test_an_order_for_a_lent_unit_that_was_left_out_is_asked_about(proxies: Desk) -> None:
    """In a message to others that no END closes: the line may be meant for the judge."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    text = text_of(proxies.mail("England", "F Lon H\nPRESS TO FRANCE\nHello\n\nA Mar - Spa"))
    assert proxies.held("England") == ["F LON H"]
    assert "this may be a quote" in text


def test_a_late_order_for_a_lent_unit_is_kept_for_the_record(proxies: Desk) -> None:
    """It is read by the hands of its own phase."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    fall = next(m for m in reversed(proxies.sent) if m["To"].startswith("england"))
    proxies.pass_time(hours=25)
    text = text_of(proxies.mail("England", "A Mar - Spa\nF Lon - Nth", answering=fall))
    assert "belongs to another power" not in text
    assert sorted(late(proxies, "England")) == ["A MAR-SPA", "F LON-NTH"]


def test_a_mail_is_read_once(proxies: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its transaction, also where units are lent: once for the writer, and once for the units' owner."""
    proxies.mail("France", "PROXY A MAR TO ENGLAND")
    reads: list[bool] = []
    read_all = proxy.read_all

    def counting(table: Any, power: str, lines: Any, *more: Any) -> Any:
        if lines:
            reads.append(True)
        return read_all(table, power, lines, *more)

    monkeypatch.setattr(proxy, "read_all", counting)
    proxies.mail("England", "A Mar - Spa\nF Lon H")
    assert sorted(proxies.held("England")) == ["A MAR-SPA", "F LON H"]
    assert len(reads) == 1


# when a phase runs


def test_taking_units_back_leaves_time_to_think(proxies: Desk) -> None:
    """France's old order counts again; the phase does not run the moment that it does."""
    game = games.get(proxies.judge.store, "spring42")
    for seat in proxies.show()["seats"]:
        proxies.mail(seat["power"], "\n".join(f"{unit} H" for unit in seat["missing"]))
        if seat["power"] == "France":
            proxies.mail("France", "PROXY A MAR TO ENGLAND")
    assert [s["missing"] for s in proxies.show()["seats"] if s["missing"]] in ([], [["A MAR"]])
    phase = games.open_phase(proxies.judge.store, game.id)
    assert phase is not None
    proxies.pass_time(hours=3)
    assert games.open_phase(proxies.judge.store, game.id).id == phase.id  # type: ignore[union-attr]
    proxies.mail("France", "PROXY OFF")
    run_at = games.phase(proxies.judge.store, phase.id).run_at
    assert run_at is not None and run_at > proxies.now
    assert run_at < phase.deadline


# what is said


def test_the_receipt_does_not_count_units_in_other_hands(proxies: Desk) -> None:
    text = text_of(proxies.mail("France", "A Par H\nF Bre H\nPROXY A MAR TO ENGLAND"))
    assert "all 2 orders are in. 1 unit of yours is in other hands." in text
    text = text_of(proxies.mail("France", "PROXY ALL TO ENGLAND"))
    assert "all that you would decide in" in text and "nothing to decide" not in text


@pytest.mark.parametrize("known", [True, False], ids=["yes", "no"])
def test_the_manual_tells_of_proxies_where_there_are_any(desk: Desk, known: bool) -> None:
    if known:
        rulings.change_rules(desk.judge, "spring42", [("orders.proxy", "yes")], who="Ana", now=desk.now)
        desk.pass_time(hours=23)
        desk.receive()
    text = text_of(desk.mail("France", "HELP"))
    assert ("PROXY ALL TO ENGLAND" in text) is known


@pytest.mark.parametrize("language", ["en", "ja", "zh-Hans", "zh-Hant"])
def test_no_line_of_ours_about_proxies_reads_as_one(proxies: Desk, language: str) -> None:
    """The manual and the receipt, in every language: quoted in an answer, they hand over nothing."""
    store = proxies.judge.store
    with store.transaction():
        games.set_reader(store, games.get(store, "spring42").id, "France", language, "UTC")
    mails = sent_by(proxies, "France", "HELP\nPROXY A MAR TO ENGLAND")
    mails += sent_by(proxies, "France", "PROXY ALL TO ENGLAND\nRULES")
    plain = [part for mail in mails for part in mail.walk() if part.get_content_type() == "text/plain"]
    lines = [line for part in plain for line in part.get_payload(decode=True).decode().splitlines()]  # type: ignore[union-attr]
    assert "PROXY ALL TO ENGLAND" in " ".join(" ".join(lines).split())
    assert not [line for line in lines if proxy.parse(line)]


@pytest.mark.parametrize(
    ("own", "told", "not_told"),
    [
        ("", "CLEAR: 2 units of yours are out of other hands again", "no orders to drop"),
        ("F Bre H", "CLEAR: 1 order dropped. CLEAR: 2 units of yours are out of other hands again", "no orders to drop"),
        (None, "CLEAR: 1 order dropped.", "other hands"),
    ],
)
def test_clear_tells_the_owner_what_it_takes_back(proxies: Desk, own: str | None, told: str, not_told: str) -> None:
    """Also that the other power's orders for these units are dropped."""
    proxies.mail("France", "A Par H" if own is None else f"PROXY A PAR TO ENGLAND\nPROXY A MAR TO ENGLAND\n{own}")
    proxies.mail("England", "A Par - Bur")
    text = text_of(proxies.mail("France", "CLEAR"))
    assert told in text and not_told not in text
    assert proxies.held("England") == [] and proxies.held("France") == []


def test_a_lent_unit_without_an_order_is_not_said_to_hold(proxies: Desk) -> None:
    """Its owner's own order is on file, and counts as long as none comes from where it is."""
    proxies.mail("France", "PROXY A PAR TO ENGLAND\nA Par - Bur")
    text = text_of(proxies.mail("England", "F Lon - NTH"))
    assert "A Paris has no order of yours yet: if none comes, the order of its owner counts" in text
    assert "A Paris has no order yet" not in text and "F Edinburgh has no order yet: it will hold" in text
