"""People who write to the judge itself: who is believed, what is asked first, and that nobody is flooded or told on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.identity import MASK
from judge.play import outgoing, setup, upkeep
from judge.play.callers import MOST_QUESTIONS
from judge.store import games, outbox, people, rulings
from judge.variants import load_rules

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
JUDGE = "judge@judge.example.org"
OWN = "judge+"


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


@pytest.fixture
def club(desk: Desk) -> Desk:
    """A judge with the running game and one that waits for players, who rank the powers."""
    rules = replace(load_rules("standard"), powers_assign="best-ranks")
    setup.create_game(desk.judge, "autumn7", rules=rules, now=desk.now)
    return desk


def said(message: Message) -> str:
    """The text of a mail without its line breaks."""
    return " ".join(text_of(message).split())


def write(desk: Desk, body: str, *, sender: str = "mia@example.org", to: str = JUDGE, **more: Any) -> list[Message]:
    """Somebody writes to the judge; all mails that go out because of it."""
    return desk.post(body, "Mia", sender=sender, to=to, **more)


def answer(desk: Desk, mail: Message, body: str, *, sender: str | None = None, **more: Any) -> list[Message]:
    """Whoever a mail went to answers it, to where it says."""
    return write(desk, body, sender=sender or mail["To"], to=mail["Reply-To"], answering=mail, **more)


def known(desk: Desk, sender: str = "mia@example.org", **more: Any) -> Message:
    """Somebody becomes known by asking for their games and saying YES; the mail that welcomes them."""
    (asked,) = write(desk, "GAMES", sender=sender, **more)
    (welcome,) = answer(desk, asked, "YES")
    assert "WELCOME" in text_of(welcome) or "ようこそ" in text_of(welcome)
    return welcome


def wishes(desk: Desk, game: str = "autumn7") -> list[tuple[str, tuple[str, ...]]]:
    found = rulings.wishes(desk.judge.store, games.get(desk.judge.store, game).id)
    return [(one.address, one.powers) for one in found]


# the first mail


def test_a_first_mail_is_confirmed_before_anything_is_done(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7 Turkey, France")
    assert club.outcome == "asked" and wishes(club) == []
    assert asked["To"] == "mia@example.org" and asked["Reply-To"].startswith(OWN)
    assert "JOIN autumn7 Turkey France" in said(asked) and "YES" in text_of(asked)
    (done,) = answer(club, asked, "Yes!")
    assert wishes(club) == [("mia@example.org", ("Turkey", "France"))]
    assert "autumn7" in text_of(done) and "WELCOME" in text_of(done)
    (again,) = answer(club, asked, "YES")
    assert "nothing has changed" in said(again)
    assert len(wishes(club)) == 1


def test_no_keeps_nothing(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7")
    (told,) = answer(club, asked, "No")
    assert "Nothing is done" in said(told)
    (later,) = answer(club, asked, "YES")
    assert "dropped before" in said(later)
    assert wishes(club) == []


def test_who_does_not_answer_is_forgotten(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7")
    club.now += timedelta(days=8)
    upkeep.purge(club.judge, club.now)
    assert club.judge.store.rows("SELECT * FROM persons") == []
    assert club.deliver(*club.write("Mia", "YES", to=asked["Reply-To"])) is None


def test_yes_from_elsewhere_is_no_answer(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7")
    answer(club, asked, "YES", sender="eve@example.net")
    assert wishes(club) == []


def test_no_guess_opens_the_door(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7")
    real = asked["Reply-To"]
    token = re.search(r"\.([a-z2-7]{16})@", real)[1]  # type: ignore[index]
    assert club.deliver(*club.write("Mia", "YES", to=real.replace(token, "a" * 16))) is None
    number = re.search(r"\+(\d+)\.", real)[1]  # type: ignore[index]
    assert club.deliver(*club.write("Mia", "YES", to=real.replace(f"+{number}.", f"+{int(number) + 1}."))) is None
    bounce = real.replace(".", ".b-", 1)
    assert club.deliver(*club.write("Mia", "YES", to=bounce)) is None


def test_the_language_and_the_zone_are_learned_from_the_first_mail(club: Desk) -> None:
    headers = {"Date": "Tue, 01 Dec 2026 22:00:00 +0900"}
    (asked,) = write(club, "参加 autumn7 フランス、トルコ", headers=headers)
    assert asked["Content-Language"] == "ja"
    assert "JOIN autumn7 France Turkey" in said(asked)
    answer(club, asked, "はい")
    person = people.of_mailbox(club.judge.store, "mia@example.org")
    assert (person.language, person.timezone, person.state) == ("ja", "Asia/Tokyo", "confirmed")


# nobody is flooded, nothing leaks


def test_a_forged_sender_is_asked_so_often_a_day(club: Desk) -> None:
    sent = [
        len(write(club, f"JOIN autumn7 {power}", sender="victim@example.org"))
        for power in ("France", "Italy", "Russia", "Turkey")
    ]
    assert sent == [1] * MOST_QUESTIONS + [0]
    assert wishes(club) == []


@pytest.mark.parametrize(
    "body",
    [
        "HELP buy-pills-at spam.example",
        "SHOW buy-pills",
        "JOIN autumn7 buy pills now",
        "LANGUAGE buypills",
        "JOIN buy-pills",
    ],
)
def test_no_word_of_a_forged_mail_reaches_its_victim(club: Desk, body: str) -> None:
    (told,) = write(club, body, sender="victim@example.org", subject="Buy pills")
    assert "pills" not in text_of(told).lower() and "pills" not in told["Subject"].lower()
    assert "pills" not in told.as_string().lower()


def test_what_is_asked_again_and_again_is_told_twenty_times_a_day(club: Desk) -> None:
    assert [len(write(club, "LIST")) for _ in range(22)] == [1] * 20 + [0, 0]


def test_links_go_to_the_registered_address_alone(club: Desk) -> None:
    france, other = "france@example.org", "nobody@example.net"
    to_player = write(club, f"LINK {france}", sender="eve@example.net")
    to_nobody = write(club, f"LINK {other}", sender="ada@example.net")
    eve = next(mail for mail in to_player if mail["To"] == "eve@example.net")
    (ada,) = to_nobody
    assert text_of(eve) == text_of(ada)
    (links,) = [mail for mail in to_player if mail["To"] == france]
    assert club.reply_to("France") in text_of(links)
    assert [mail["To"] for mail in write(club, f"LINK {france}", sender="eve@example.net")] == ["eve@example.net"]


def test_a_player_who_lost_the_address_writes_link(club: Desk) -> None:
    (links,) = write(club, "LINK", sender="FRANCE@example.org")
    assert links["To"] == "france@example.org"
    assert club.reply_to("France") in text_of(links)
    (none,) = write(club, "LINK", sender="stranger@example.org")
    assert "Nobody plays here" in said(none)


def test_no_token_is_stored(club: Desk) -> None:
    welcome = known(club, "france@example.org")
    (mine,) = answer(club, welcome, "GAMES\nLINK")
    tokens = set(re.findall(r"[+.]([a-z2-7]{16})@", mine.as_string()))
    assert len(tokens) == 2
    answer(club, mine, "GAMES\n\n> " + text_of(mine).replace("\n", "\n> "))
    for table in ("raws", "outbox", "persons", "asks", "inbox"):
        for row in club.judge.store.rows("SELECT * FROM " + table):  # noqa: S608 (our own)
            for value in row.values():
                assert not any(token in str(value) for token in tokens)
    assert MASK in str(club.judge.store.rows("SELECT bytes FROM raws ORDER BY id DESC LIMIT 1"))


# who is known


def test_a_known_persons_mail_to_the_open_address_is_asked_about_unless_it_is_proved(club: Desk) -> None:
    known(club)
    (asked,) = write(club, "JOIN autumn7")
    assert "nothing in it proves" in said(asked) and wishes(club) == []
    club.judge = replace(club.judge, trust_authserv="mx.example.org")
    results = "mx.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"
    raw, to, sender = club.write("Mia", "JOIN autumn7 Italy", to=JUDGE, sender="mia@example.org")
    raw = f"Authentication-Results: {results}\r\n".encode() + raw
    club.hand_in(raw, to, sender)
    proved = wishes(club)
    assert proved == [("mia@example.org", ("Italy",))]
    # the same mail once more, through another hand, is a copy
    club.hand_in(raw, to, "eve@example.net")
    assert wishes(club) == proved


def test_games_tells_all_seats_in_one_mail(club: Desk) -> None:
    welcome = known(club, "france@example.org")
    text = text_of(welcome)
    assert "France in spring42" in text and "3 are missing" in text
    assert club.reply_to("France") in text
    html = next(part for part in welcome.walk() if part.get_content_type() == "text/html")
    assert "mailto:spring42%2B" in html.get_payload(decode=True).decode()  # type: ignore[union-attr]


def test_a_players_seat_is_proof_enough(club: Desk) -> None:
    mail = club.mail("France", "GAMES")
    assert "France in spring42" in said(mail)
    person = people.of_mailbox(club.judge.store, "france@example.org")
    assert person.state == "confirmed"


# what everybody may know


def test_list_tells_which_games_have_room(club: Desk) -> None:
    (told,) = write(club, "LIST")
    text = text_of(told)
    assert text.index("autumn7") < text.index("spring42")
    assert "waits for players" in text and "“JOIN autumn7”" in text
    assert club.judge.store.rows("SELECT * FROM persons") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("SHOW spring42", "Fall 1901"),
        ("RULES spring42", "18"),
        ("SUMMARY spring42", "Turkey"),
        ("HISTORY spring42 S1901M", "Bohemia"),
        ("规则 spring42", "18"),
        ("HISTORY autumn7", "no meaning before the game has started"),
        ("SHOW autumn9", "no game of that name"),
        ("SHOW", "Say which game"),
        ("CLEAR", "for the players"),
    ],
)
def test_everybody_is_told_of_a_game(club: Desk, line: str, words: str) -> None:
    club.mail("Germany", "A Mun - Boh")
    club.pass_time(hours=24)
    club.receive()
    (told,) = write(club, line, headers={"Content-Language": "en"})
    assert words in text_of(told)
    assert "example.org>" not in text_of(told) and "france@" not in text_of(told)


def test_two_games_on_two_boards_are_told_in_one_mail(club: Desk) -> None:
    setup.create_game(club.judge, "wide", rules=load_rules("standard"), variant="standard", now=club.now)
    (told,) = write(club, "SHOW spring42\nSHOW wide\nSHOW autumn7\nRULES wide")
    assert all(name in text_of(told).lower() for name in ("spring42", "wide", "autumn7"))


# coming and going


def test_a_game_starts_by_itself_when_it_is_full(club: Desk) -> None:
    rules = replace(load_rules("standard"), powers_assign="best-ranks", powers_start="full")
    rules = replace(rules, powers_unplayed=("Austria", "England", "Germany", "Italy", "Turkey"))
    setup.create_game(club.judge, "duel", rules=rules, now=club.now)
    answer(club, known(club, "mia@example.org", headers={"Content-Language": "ja"}), "JOIN duel France")
    (full,) = answer(club, known(club, "leo@example.org"), "SHOW duel")
    assert "has not begun" in said(full)
    mails = answer(club, full, "JOIN duel Russia")
    assert sorted(mail["To"] for mail in mails) == ["leo@example.org", "mia@example.org"]
    assert games.get(club.judge.store, "duel").state == "running"
    france = games.seat(club.judge.store, games.get(club.judge.store, "duel").id, "France")
    assert (france.address, france.language) == ("mia@example.org", "ja")
    (late,) = answer(club, known(club, "zoe@example.org"), "JOIN duel")
    assert "No power is free" in said(late)


def test_a_wish_can_be_changed_and_taken_back(club: Desk) -> None:
    mia, leo = known(club, "mia@example.org"), known(club, "leo@example.org")
    answer(club, mia, "JOIN autumn7 France")
    answer(club, leo, "JOIN autumn7 France")
    (same,) = answer(club, mia, "JOIN autumn7 France")
    assert "nothing has changed" in said(same)
    answer(club, leo, "JOIN autumn7 Italy > Turkey")
    assert wishes(club) == [("mia@example.org", ("France",)), ("leo@example.org", ("Italy", "Turkey"))]
    answer(club, mia, "LEAVE autumn7")
    (again,) = answer(club, mia, "LEAVE autumn7")
    assert "You are not in the game" in said(again)
    assert wishes(club) == [("leo@example.org", ("Italy", "Turkey"))]
    (mine,) = answer(club, leo, "GAMES")
    assert "Italy, Turkey" in said(mine)


@pytest.mark.parametrize("open_to_all", [True, False])
def test_a_power_without_a_player_is_taken_over_where_the_rules_say_so(club: Desk, open_to_all: bool) -> None:
    rules = replace(load_rules("standard"), powers_takeover="open" if open_to_all else "master")
    players = {"France": "camille@example.org"}
    setup.create_game(club.judge, "lost", rules=rules, players=players, master="ana@example.org", now=club.now)
    setup.start_game(club.judge, "lost", club.now)
    club.work()
    club.receive()
    mia = known(club)
    (told,) = answer(club, mia, "JOIN lost France, Turkey")
    mails = answer(club, mia, "JOIN lost Turkey")
    told = next(mail for mail in mails if mail["To"] == "mia@example.org" and mail["Subject"].startswith("Re:"))
    turkey = games.seat(club.judge.store, games.get(club.judge.store, "lost").id, "Turkey")
    if not open_to_all:
        assert "only the game master" in " ".join(text_of(told).split())
        assert turkey.address is None
        return
    assert turkey.address == "mia@example.org"
    assert club.reply_to("Turkey", "lost") in text_of(told)
    assert sorted(mail["To"] for mail in mails) == [
        "ana@example.org", "camille@example.org", "mia@example.org", "mia@example.org"
    ]  # fmt: skip
    (again,) = answer(club, mia, "JOIN lost Turkey")
    assert "already" in text_of(again)


def test_a_person_moves_when_both_addresses_say_so(club: Desk) -> None:
    before = club.reply_to("France")
    mine = known(club, "france@example.org")
    mails = answer(club, mine, "ADDRESS france@example.net")
    new = next(mail for mail in mails if mail["To"] == "france@example.net")
    assert next(mail for mail in mails if mail["To"] == "france@example.org")
    assert "france@example.org" not in new.as_string()
    game = games.get(club.judge.store, "spring42")
    assert games.seat(club.judge.store, game.id, "France").address == "france@example.org"
    answer(club, new, "YES", sender="france@example.org")
    assert games.seat(club.judge.store, game.id, "France").address == "france@example.org"
    moved = answer(club, new, "YES")
    assert sorted(mail["To"] for mail in moved) == ["france@example.net", "france@example.org"]
    seat = games.seat(club.judge.store, game.id, "France")
    assert seat.address == "france@example.net"
    assert club.deliver(*club.write("France", "A Par - Bur", to=before)) is None
    (games_now,) = answer(club, moved[0] if moved[0]["To"] == "france@example.net" else moved[1], "GAMES")
    assert club.reply_to("France") in text_of(games_now)
    # the old address is nobody's any more
    assert club.deliver(*club.write("France", "GAMES", to=mine["Reply-To"])) is None


def test_nobody_is_moved_by_a_mail_that_proves_nothing(club: Desk) -> None:
    (told,) = write(club, "ADDRESS eve@example.net", sender="france@example.org")
    assert "from your own address" in said(told) and "eve" not in text_of(told)


def test_language_and_time_zone_are_set_for_all_games(club: Desk) -> None:
    mail = club.mail("France", "LANGUAGE 日本語\nTIMEZONE Tokyo")
    assert "日本語" in text_of(mail)
    seat = games.seat(club.judge.store, games.get(club.judge.store, "spring42").id, "France")
    assert (seat.language, seat.timezone) == ("ja", "Asia/Tokyo")
    again = club.mail("France", "LANGUAGE Japanese")
    assert "すでに" in text_of(again)
    (both,) = answer(club, known(club, headers={"Content-Language": "ja"}), "言語 中文\n时区 上海")
    assert both["Content-Language"] == "zh-Hans" and "时区" in text_of(both)
    person = people.of_mailbox(club.judge.store, "mia@example.org")
    assert (person.language, person.timezone) == ("zh-Hans", "Asia/Shanghai")


# what is kept


def exported(mail: Message) -> dict[str, Any]:
    part = next(part for part in mail.walk() if part.get_filename() == "about-you.json")
    found: dict[str, Any] = json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
    return found


def test_everybody_gets_all_that_is_kept_about_them_and_nobody_elses(club: Desk) -> None:
    club.mail("France", "A Par - Bur\nGreetings, Camille")
    club.mail("Italy", "A Ven - Tri")
    mine = known(club, "france@example.org")
    (mail,) = answer(club, mine, "EXPORT")
    kept = exported(mail)
    (seat,) = kept["seats"]
    assert (kept["address"], seat["game"], seat["power"]) == ("france@example.org", "spring42", "France")
    assert [one["text"] for one in seat["orders"]] == ["A PAR-BUR"]
    assert "Camille" in seat["mails"][0]["mail"]
    assert len(kept["mails_outside_of_games"]) == 3
    whole = json.dumps(kept)
    assert "VEN" not in whole and "italy@" not in whole
    assert not re.search(r"[+.](?!x{16}|tokenplac)[a-z2-7]{16}@", whole)
    (again,) = answer(club, mine, "EXPORT")
    assert "half a day" in said(again)
    (by_seat,) = [
        one
        for one in club.post("EXPORT", "Italy")
        if one.get_content_maintype() == "multipart" and "about-you" in one.as_string()
    ]
    assert exported(by_seat)["seats"][0]["power"] == "Italy"


def test_a_mail_that_proves_nothing_exports_nothing(club: Desk) -> None:
    (asked,) = write(club, "EXPORT", sender="france@example.org")
    assert "YES" in text_of(asked) and "about-you" not in asked.as_string()


def test_what_comes_back_from_an_unknown_address_drops_what_was_asked(club: Desk) -> None:
    (asked,) = write(club, "JOIN autumn7")
    (line,) = club.judge.store.rows("SELECT id FROM outbox WHERE person IS NOT NULL")
    sender, _ = outgoing.envelope(club.judge, outbox.load(club.judge.store, line["id"]))
    assert re.fullmatch(r"judge\+\d+\.b-[a-z2-7]{16}@judge\.example\.org", sender)
    raw = (
        b"From: MAILER-DAEMON@mx.example.org\r\nTo: " + sender.encode() + b"\r\nSubject: Undelivered Mail\r\n"
        b"Message-ID: <b1@mx.example.org>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\n\r\nNo such user\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        b"Final-Recipient: rfc822; mia@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n"
    )
    assert club.hand_in(raw, sender, "") == []
    assert club.outcome == "bounce"
    assert [row["state"] for row in club.judge.store.rows("SELECT state FROM asks")] == ["dropped"]
    (told,) = answer(club, asked, "YES")
    assert "dropped before" in said(told) and wishes(club) == []


# watching


def test_who_watches_a_game_gets_its_results_until_they_stop(club: Desk) -> None:
    (asked,) = write(club, "観戦 spring42", headers={"Content-Language": "ja"})
    (told,) = answer(club, asked, "はい")
    assert "観戦" in text_of(told)
    (again,) = answer(club, told, "OBSERVE spring42")
    assert "すでに" in text_of(again)
    club.mail("France", "A Par - Bur\n\nPRESS TO ALL\nHello, world\nEND")
    club.receive()
    club.pass_time(hours=24)
    (result,) = [mail for mail in club.receive() if mail["To"] == "mia@example.org"]
    assert "ブルゴーニュ" in text_of(result) and "Hello" not in text_of(result)
    assert result["Reply-To"] == told["Reply-To"] and result["Auto-Submitted"] == "auto-generated"
    answer(club, result, "STOP OBSERVING spring42")
    club.pass_time(hours=24)
    assert [mail for mail in club.receive() if mail["To"] == "mia@example.org"] == []
    (not_any_more,) = answer(club, result, "STOP OBSERVING spring42")
    assert "観戦していません" in text_of(not_any_more)
