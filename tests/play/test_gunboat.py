"""A whole anonymous game, with players who differ in everything: no mail tells any of them a thing of the others.

Names, addresses, display names, signatures, mail programs, languages and zones are distinctive; every byte of every mail to
everybody is searched for those of everybody else.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from email.utils import format_datetime
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, rulings, seats, setup, turn
from judge.play.judge import open_table
from judge.store import Store, games
from judge.variants import load_board, load_rules

pytestmark = pytest.mark.slow

Desk = Any
GAME = "nightly"


@dataclass(frozen=True)
class Person:
    """One who plays: ``name`` was chosen here, ``shown`` stands in their From, ``signed`` at the foot of their mails."""

    power: str
    address: str
    name: str
    shown: str
    language: str
    zone: str
    offset: str
    program: str

    def traces(self) -> tuple[str, ...]:
        """What gives them away."""
        local, _, domain = self.address.partition("@")
        return (self.address, local, domain, self.name, self.shown, self.zone, self.program, *self.shown.split())


PEOPLE = (
    Person("Austria", "quixotl@zamboni-post.example", "Ottilie", "Xavl Quixotl", "en", "Pacific/Chatham", "+1345", "Mulby"),
    Person("England", "wuthering@heathcliff.example", "Heather", "Bronty Wuther", "en", "America/Havana", "-0500", "Pine"),
    Person("France", "escargotier@limacon.example", "Gaspardine", "Bern Escarg", "en", "Indian/Reunion", "+0400", "Sylph"),
    Person("Germany", "suzukaze@kamogawa.example", "ハナビ", "鈴風 ハナビ", "ja", "Asia/Tokyo", "+0900", "Becquimail"),
    Person("Italy", "zhuque@qinhuai.example", "朱雀桥", "朱雀 秦淮", "zh-Hans", "Asia/Urumqi", "+0600", "Foxymail"),
    Person("Russia", "yushan@alishan.example", "玉山客", "玉山 阿里", "zh-Hant", "Asia/Taipei", "+0800", "Dashingmail"),
    Person("Turkey", "lokumcu@galata.example", "Nasreddin", "Zübeyde Lokumcu", "en", "Asia/Kathmandu", "+0545", "Gnusemail"),
)  # fmt: skip
NEWCOMER = Person(
    "England", "penumbral@eclipsing.example", "Umbra", "Penumbral Vesper", "ja", "Antarctica/Troll", "+0000", "Thunderowl"
)
MASTER = "warden@keeper.example"
ORDERS = {
    "France": "A PAR-BUR",
    "Germany": "A MUN-RUH",
    "England": "F LON-NTH",
    "Austria": "A VIE-GAL",
    "Italy": "A ROM-APU",
}
#: what all who play may say at any time, and are answered
ASKED = (
    "SHOW",
    "STATUS",
    "LOG",
    "RECORD",
    "HISTORY",
    "SUMMARY",
    "RULES",
    "GAMES",
    "LINK",
    "NAME",
    "COMMITMENTS",
    "WHY A PAR",
)


class Night:
    """A game without names, and all the mails of it, by who got them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.got: dict[str, list[Message]] = {}

    def write(self, person: Person, body: str, *, to: str | None = None, subject: str = "moves") -> None:
        desk = self.desk
        headers = {
            "From": f"{person.shown} <{person.address}>",
            "Date": format_datetime(desk.now.astimezone(ZoneInfo(person.zone))),
            "X-Mailer": person.program,
            "User-Agent": person.program,
            "Organization": f"{person.shown} Ltd",
            "Content-Language": person.language,
        }
        signed = f"{body}\n\n{person.shown.split()[0]}\n-- \n{person.shown}\n{person.address}"
        raw, where, sender = desk.write(
            person.power, signed, to=to or desk.reply_to(person.power, GAME), sender=person.address, subject=subject,
            headers=headers,
        )  # fmt: skip
        desk.now += timedelta(minutes=1)
        self.collect(desk.hand_in(raw, where, sender))

    def collect(self, mails: list[Message]) -> None:
        for mail in mails:
            self.got.setdefault(str(mail["To"]), []).append(mail)

    def run(self) -> None:
        desk = self.desk
        desk.now = games.open_phase(desk.judge.store, games.get(desk.judge.store, GAME).id).deadline + timedelta(seconds=5)
        turn.process_due(desk.judge, desk.now)
        desk.work()
        self.collect(desk.receive())


def everything(mail: Message) -> str:
    """All that stands in a mail: as it came, its headers decoded, each part decoded, links and entities undone."""
    told = [mail.as_string(), *(str(make_header(decode_header(str(value)))) for value in mail.values())]
    for part in mail.walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            text = payload.decode("utf-8", "replace")
            told += [text, unescape(text), unquote(unescape(text)), *re.findall(r'"mail": "(.*?)"', text)]
    return "\n".join(told)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, desk_class: Any) -> Night:
    path = tmp_path_factory.mktemp("night") / "judge.db"
    night = Night(desk_class(Judge(Store.open(Path(path)), Keys(b"k" * 32), "judge.example.org")))
    desk = night.desk
    keys = [("powers.names", "never"), ("powers.takeover", "open"), ("clock.absence", "7 d"), ("draw.votes", "open")]
    rules = rulings.set_keys(load_rules("standard"), keys, load_board())
    players = {one.power: one.address for one in PEOPLE}
    setup.create_game(desk.judge, GAME, rules=rules, players=players, master=MASTER, now=desk.now)
    for one in PEOPLE:
        setup.set_reader(desk.judge, GAME, one.power, language=one.language, timezone=one.zone, who="operator", now=desk.now)
    setup.start_game(desk.judge, GAME, desk.now)
    desk.work()
    night.collect(desk.receive())
    _first_year(night)
    _seats_change(night)
    _to_the_end(night)
    return night


def _first_year(night: Night) -> None:
    for one in PEOPLE:
        night.write(one, f"NAME {one.name}")
        night.write(one, ORDERS.get(one.power, "READY"))
        night.write(one, f"PRESS TO ALL\nGood luck to you from {one.power}.\n\n{one.name}\nEND")
        night.write(one, "PRESS TO ENGLAND\nShall we be friends?\nEND" if one.power != "England" else "DRAW")
    for one in PEOPLE:
        for line in ASKED:
            night.write(one, line)
    france = next(one for one in PEOPLE if one.power == "France")
    day = (night.desk.now + timedelta(days=1)).date()
    night.write(france, f"ABSENCE {day}..{day}")
    night.write(france, "EXPORT")
    night.run()
    night.run()


def _seats_change(night: Night) -> None:
    desk = night.desk
    england = next(one for one in PEOPLE if one.power == "England")
    night.write(england, "RESIGN YES")
    night.write(NEWCOMER, f"JOIN {GAME} England", to="judge@judge.example.org")
    with desk.judge.store.transaction():
        table = open_table(desk.judge.store, games.get(desk.judge.store, GAME))
        if not games.seat(desk.judge.store, table.game.id, "England").address:
            seats.take_over(desk.judge, table.game, "England", NEWCOMER.address, "ja", NEWCOMER.zone, "England", desk.now)
    desk.work()
    night.collect(desk.receive())
    night.write(NEWCOMER, f"NAME {NEWCOMER.name}")
    for line in ("SHOW", "LOG", "HISTORY", "EXPORT", "RECORD"):
        night.write(NEWCOMER, line)


def _to_the_end(night: Night) -> None:
    desk = night.desk
    raw, to, sender = desk.write("master", "BROADCAST\nThe last year.\nEND", to=desk.reply_to("master", GAME), sender=MASTER)
    night.collect(desk.hand_in(raw, to, sender))
    night.run()
    raw, to, sender = desk.write("master", "END GAME DRAW", to=desk.reply_to("master", GAME), sender=MASTER)
    night.collect(desk.hand_in(raw, to, sender))
    for one in (*PEOPLE[:1], *PEOPLE[2:], NEWCOMER):
        night.write(one, f"STATEMENT\nIt was a pleasure.\n{one.shown.split()[0]}\nEND")
        night.write(one, "SHOW")
        night.write(one, "LOG")


@pytest.mark.parametrize("reader", [*PEOPLE, NEWCOMER], ids=lambda one: f"{one.power}-{one.language}")
def test_no_mail_has_a_trace_of_another_player(night: Night, reader: Person) -> None:
    mails = night.got[reader.address]
    assert len(mails) > 10
    found = set()
    for mail in mails:
        text = everything(mail)
        for other in (*PEOPLE, NEWCOMER):
            own = set(reader.traces())
            if other is not reader:
                found |= {
                    (mail["Subject"], other.power, trace) for trace in other.traces() if trace not in own and trace in text
                }
    assert not found


def test_the_others_are_really_written_to_and_heard(night: Night) -> None:
    """The search is worth something only where there was something to find."""
    for one in PEOPLE:
        texts = [everything(mail) for mail in night.got[one.address]]
        others = [other.power for other in PEOPLE if other is not one]
        assert all(any(f"Good luck to you from {power}." in text for text in texts) for power in others)
    warden = "\n".join(everything(mail) for mail in night.got[MASTER])
    assert all(one.address in warden for one in PEOPLE)  # who does not play is told


def test_an_export_holds_ones_own_alone(night: Night) -> None:
    exports = [
        json.loads(part.get_payload(decode=True))
        for mail in night.got["escargotier@limacon.example"]
        for part in mail.walk()
        if part.get_filename() == "about-you.json"
    ]
    assert len(exports) == 1 and exports[0]["name"] == "Gaspardine"
    assert {seat["power"] for seat in exports[0]["seats"]} == {"France"}


def test_zones_of_others_are_in_no_date(night: Night) -> None:
    for person, mails in night.got.items():
        offsets = {one.offset for one in (*PEOPLE, NEWCOMER) if one.address != person and one.offset != "+0000"}
        for mail in mails:
            assert not any(str(mail["Date"]).endswith(offset) for offset in offsets)


def test_every_mail_goes_to_one_person_and_names_no_thread_of_another(night: Night) -> None:
    owner = {mail["Message-ID"]: person for person, mails in night.got.items() for mail in mails}
    for person, mails in night.got.items():
        for mail in mails:
            assert not mail["Cc"] and not mail["Bcc"] and str(mail["To"]).count("@") == 1
            for reference in f"{mail['In-Reply-To'] or ''} {mail['References'] or ''}".split():
                assert owner.get(reference, person) == person
                # a mail of the reader's own, or one of ours to them
                assert reference in owner or _wrote(reference, person)


def _wrote(message_id: str, person: str) -> bool:
    powers = {one.power.lower() for one in (*PEOPLE, NEWCOMER) if one.address == person} | (
        {"master"} if person == MASTER else set()
    )
    return any(message_id.endswith(f".{power}@example.org>") for power in powers)
