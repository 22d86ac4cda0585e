"""``nmr = civil-disorder`` as its players live it, and the same mails under the other two values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import setup, verify
from judge.rules.board import Unit
from judge.rules.houserules import HouseRules
from judge.rules.position import Dislodged, Phase, Position
from judge.store import codec, games, outbox
from judge.variants import load_board, load_rules, with_key

#: stories of many mails
pytestmark = pytest.mark.slow

Desk = Any
PLAYED = ("England", "France", "Germany")


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


class Table:
    """A game of three players under rules with ``settings``; nobody plays the other four powers."""

    def __init__(self, desk: Desk, settings: Mapping[str, str]) -> None:
        self.desk = desk
        rules = load_rules("standard")
        for key, value in settings.items():
            rules = with_key(rules, key, value, load_board())
        self.rules: HouseRules = rules
        players = {power: f"{power.lower()}@example.net" for power in PLAYED}
        setup.create_game(desk.judge, "club", rules=rules, players=players, now=desk.now)
        setup.start_game(desk.judge, "club", desk.now)
        self.collect()

    def collect(self) -> dict[str, Message]:
        self.desk.work()
        return {m["To"].partition("@")[0]: m for m in self.desk.receive() if m["To"].endswith("@example.net")}

    def write(self, power: str, body: str) -> None:
        self.desk.mail(power, body, to=self.desk.reply_to(power, "club"), sender=f"{power.lower()}@example.net")

    def run(self) -> dict[str, str]:
        """The deadline passes; the results by power."""
        self.desk.now = max(self.desk.now, self.phase().deadline) + timedelta(minutes=1)
        self.desk.pass_time(minutes=0)
        return {power: text_of(mail) for power, mail in self.collect().items()}

    def phase(self) -> Any:
        return games.open_phase(self.desk.judge.store, games.get(self.desk.judge.store, "club").id)

    def put(self, position: Position) -> None:
        """Set the open phase on another position, as if the game had led there."""
        store, phase = self.desk.judge.store, self.phase()
        with store.transaction():
            store.run(
                "UPDATE phases SET name = ?, position = ? WHERE id = ?",
                str(position.phase),
                codec.position_to_text(position),
                phase.id,
            )

    def seat(self, power: str) -> dict[str, Any]:
        return next(s for s in self.desk.show("club")["seats"] if s["power"] == power)

    def stands(self, power: str, kind: str, at: str) -> bool:
        return {"power": power, "type": kind, "at": at} in self.desk.show("club")["units"]

    def verify(self) -> list[str]:
        return verify.verify_game(self.desk.judge, games.get(self.desk.judge.store, "club"))


@pytest.fixture
def club(desk: Desk) -> Any:
    return lambda **settings: Table(desk, {key.replace("__", "."): value for key, value in settings.items()})


MOVES = {"England": "F Lon - Nth\nF Edi - Nrg\nA Lvp - Yor", "France": "A Par - Bur\nA Mar - Spa\nF Bre - Mao"}
MORE = {"England": "F Nth - Nwy\nF Nrg - Bar\nA Yor - Lon", "France": "A Bur - Bel\nA Spa - Por\nF Mao - Iri"}


def test_a_power_that_sends_nothing_is_told_of_and_not_waited_for_until_it_is_back(club: Any) -> None:
    table = club(nmr="civil-disorder")
    for power, body in MOVES.items():
        table.write(power, body)
    results = table.run()
    assert table.phase().name == "F1901M"
    assert "Germany sent no orders and is in civil disorder." in results["england"]
    assert "Germany sent no orders and is in civil disorder." in results["france"]
    own = results["germany"]
    assert "You sent no orders for Spring 1901" in own and "Germany is in civil disorder." in own
    assert "To come back, send orders" in own
    assert "Austria" in own and "Austria sent no orders and is" not in own  # nobody plays it: it cannot be absent
    assert table.seat("Germany")["status"] == "civil-disorder"
    assert table.seat("Austria")["status"] == "nobody"
    assert table.seat("France")["status"] == "none"

    # the others' orders are complete: the phase runs early, without Germany
    for power, body in MORE.items():
        table.write(power, f"{body}\nREADY")
    assert table.phase().run_at <= table.desk.now < table.phase().deadline
    table.desk.pass_time(minutes=1)
    results = {power: text_of(mail) for power, mail in table.collect().items()}
    assert table.phase().name == "W1901A"
    assert "Germany is still in civil disorder." in results["france"]
    assert "Germany is still in civil disorder." in results["germany"] and "To come back" in results["germany"]
    assert all(table.stands("Germany", kind, at) for kind, at in (("A", "ber"), ("A", "mun"), ("F", "kie")))

    table.run()  # the winter: France and England do not build
    assert {table.seat(power)["status"] for power in PLAYED} == {"civil-disorder"}
    table.write("Germany", "A Mun - Bur")
    assert table.seat("Germany")["status"] == "partial"
    results = table.run()
    for power in ("france", "germany"):
        assert "Germany is back, and no longer in civil disorder." in results[power]
    assert "To come back" not in results["germany"]
    assert table.stands("Germany", "A", "bur")
    assert table.seat("Germany")["status"] == "none"
    assert table.verify() == []


def test_the_same_mails_under_all_three_values(desk: Desk) -> None:
    """Germany is silent in the first Spring."""
    seen = {}
    for number, nmr in enumerate(("hold", "civil-disorder", "postpone")):
        players = {power: f"{power.lower()}.{number}@example.net" for power in PLAYED}
        name = f"club{number}"
        setup.create_game(
            desk.judge, name, rules=with_key(load_rules("standard"), "nmr", nmr), players=players, now=desk.now
        )
        setup.start_game(desk.judge, name, desk.now)
        seen[nmr] = (name, number)
    desk.work()
    desk.receive()
    start = desk.now

    def write(texts: Mapping[str, str], nmr: str) -> None:
        name, number = seen[nmr]
        for power, body in texts.items():
            desk.mail(power, body, to=desk.reply_to(power, name), sender=f"{power.lower()}.{number}@example.net")

    def phase(nmr: str) -> Any:
        return games.open_phase(desk.judge.store, games.get(desk.judge.store, seen[nmr][0]).id)

    for nmr in seen:
        write(MOVES, nmr)
    desk.now = start + timedelta(hours=24)
    desk.pass_time(minutes=1)
    told = {m["To"]: text_of(m) for m in desk.receive()}
    assert {nmr: phase(nmr).name for nmr in seen} == {"hold": "F1901M", "civil-disorder": "F1901M", "postpone": "S1901M"}
    hold = told["france.0@example.net"]
    assert re.search(r"germany\W+sent no orders", hold, re.IGNORECASE) and "Germany is in civil" not in hold
    assert "sent no orders and is in civil disorder" not in hold
    assert "Germany sent no orders and is in civil disorder." in told["france.1@example.net"]
    assert "The deadline is put off once" in told["france.2@example.net"]

    # after its one postponement the third game does as the first
    desk.now = start + timedelta(hours=48)
    desk.pass_time(minutes=1)
    desk.receive()
    assert phase("postpone").name == "F1901M"
    units = desk.show(seen["postpone"][0])["units"]
    assert {"power": "Germany", "type": "A", "at": "mun"} in units


@pytest.mark.parametrize(("nmr", "waits"), [("hold", True), ("civil-disorder", False), ("postpone", True)])
def test_only_a_power_in_civil_disorder_is_not_waited_for(club: Any, nmr: str, waits: bool) -> None:
    table = club(nmr=nmr)
    for power, body in MOVES.items():
        table.write(power, body)
    table.run()
    if nmr == "postpone":
        table.run()
    assert table.phase().name == "F1901M"
    for power, body in MORE.items():
        table.write(power, f"{body}\nREADY")
    assert (table.phase().run_at == table.phase().deadline) is waits


def test_when_all_players_are_gone_the_clock_goes_on(club: Any) -> None:
    """Nobody is waited for, and still the game does not race through the years."""
    table = club(nmr="civil-disorder")
    for name in ("S1901M", "F1901M", "S1902M"):
        assert table.phase().name == name
        assert table.phase().run_at == table.phase().deadline
        table.run()


def test_orders_that_were_cleared_are_none(club: Any) -> None:
    table = club(nmr="civil-disorder")
    for power, body in MOVES.items():
        table.write(power, body)
    table.write("Germany", "A Mun - Bur")
    table.write("Germany", "CLEAR")
    assert "Germany sent no orders and is in civil disorder." in table.run()["france"]


def test_a_void_order_is_an_order(club: Any) -> None:
    """Who writes something that cannot be done has not gone away."""
    table = club(nmr="civil-disorder")
    table.write("Germany", "A Mun S A Par - Bur")
    table.run()
    assert table.seat("Germany")["status"] == "none"
    assert table.seat("France")["status"] == "civil-disorder"


def _fallen(*extra: Unit) -> Position:
    """France has driven England out of Belgium; England may still retreat."""
    owners = {"lon": "England", "par": "France", "ber": "Germany", "bel": "France"}
    units = (Unit("France", "A", "bel"), Unit("England", "F", "lon"), *extra)
    fallen = Dislodged(Unit("England", "F", "bel"), "pic", False, ("eng", "nth"))
    return Position(Phase("S", 1901, "R"), units, owners, (fallen,))


def test_dislodged_units_of_a_power_in_disorder_disband(club: Any) -> None:
    table = club(nmr="civil-disorder")
    table.put(_fallen())
    results = table.run()
    assert "England sent no orders and is in civil disorder." in results["france"]
    assert not any(u["power"] == "England" and u["at"] != "lon" for u in table.desk.show("club")["units"])


@pytest.mark.parametrize(("nmr", "where"), [("hold", ["bud", "tri"]), ("civil-disorder", []), ("postpone", ["bud", "tri"])])
def test_where_no_build_may_be_waived_a_power_in_disorder_builds_nothing(club: Any, nmr: str, where: list[str]) -> None:
    """``builds.waive = forbidden`` raises armies for who is silent, but not for who is gone."""
    table = club(nmr=nmr, builds__waive="forbidden")
    owners = {"ber": "Germany", "mun": "Germany", "kie": "Germany", "par": "France", "lon": "England"}
    units = (Unit("Germany", "A", "ruh"), Unit("France", "A", "par"), Unit("England", "F", "lon"))
    table.put(Position(Phase("W", 1901, "A"), units, owners))
    table.run()
    if nmr == "postpone":
        table.run()
    raised = [u["at"] for u in table.desk.show("club")["units"] if u["power"] == "Germany" and u["at"] != "ruh"]
    assert len(raised) == len(where)


def test_removals_go_by_their_rule(club: Any) -> None:
    table = club(nmr="civil-disorder")
    germany = (Unit("Germany", "A", "ber"), Unit("Germany", "A", "ukr"))
    units = (*germany, Unit("France", "A", "par"), Unit("England", "F", "lon"))
    owners = {"ber": "Germany", "par": "France", "lon": "England"}
    table.put(Position(Phase("W", 1901, "A"), units, owners))
    results = table.run()
    assert table.stands("Germany", "A", "ber") and not table.stands("Germany", "A", "ukr")
    assert "Germany sent no orders and is in civil disorder." in results["france"]


@pytest.mark.parametrize(("support", "holds"), [("given", True), ("void", False)])
def test_its_units_may_be_supported_as_far_as_the_rules_say(club: Any, support: str, holds: bool) -> None:
    table = club(nmr="civil-disorder", support__civil_disorder=support)
    units = (
        Unit("Germany", "A", "mun"),
        Unit("England", "A", "kie"),
        Unit("France", "A", "bur"),
        Unit("France", "A", "tyr"),
    )
    table.put(Position(Phase("S", 1901, "M"), units, {"lon": "England", "par": "France", "mun": "Germany"}))
    table.write("England", "A Kie S A Mun")
    table.write("France", "A Bur - Mun\nA Tyr S A Bur - Mun")
    table.run()
    assert table.stands("Germany", "A", "mun") is holds


@pytest.mark.parametrize("body", ["WAIT", "F Kie - Spa"])
def test_who_asks_for_time_or_is_asked_something_is_waited_for(club: Any, body: str) -> None:
    """Germany is absent, writes WAIT or a line that must be asked about, and gets the time till the deadline."""
    table = club(nmr="civil-disorder")
    table.run()  # all three are silent
    units = (Unit("Germany", "F", "mao"), Unit("France", "A", "par"), Unit("England", "F", "lon"))
    table.put(Position(Phase("F", 1901, "M"), units, {"lon": "England", "par": "France", "ber": "Germany"}))
    table.write("Germany", body.replace("Kie", "Mao"))
    assert table.seat("Germany")["status"] == "civil-disorder"
    table.write("France", "A Par H\nREADY")
    table.write("England", "F Lon H\nREADY")
    assert table.phase().run_at == table.phase().deadline


@pytest.mark.parametrize(("nmr", "phase"), [("civil-disorder", "F1901M"), ("postpone", "F1901M")])
def test_who_puts_units_into_other_hands_is_not_gone(club: Any, nmr: str, phase: str) -> None:
    """``orders.proxy``: Germany has no order on file, but has said who gives them."""
    table = club(nmr=nmr, orders__proxy="yes")
    for power, body in MOVES.items():
        table.write(power, body)
    table.write("Germany", "PROXY ALL TO FRANCE")
    table.run()
    assert table.phase().name == phase
    assert table.seat("Germany")["status"] == "none"


def test_an_end_of_the_rule_ends_the_disorder(club: Any) -> None:
    from judge.play import rulings

    table = club(nmr="civil-disorder")
    table.run()
    assert table.seat("Germany")["status"] == "civil-disorder"
    rulings.change_rules(table.desk.judge, "club", [("nmr", "hold")], who="the game master", now=table.desk.now)
    assert table.seat("Germany")["status"] == "civil-disorder"  # this phase is under way
    table.run()
    assert table.seat("Germany")["status"] == "none"


def test_a_player_in_disorder_gets_every_mail(club: Any) -> None:
    table = club(nmr="civil-disorder")
    for _ in range(3):
        assert set(table.run()) == {"england", "france", "germany"}
    assert outbox.counts(table.desk.judge.store)["waiting"] == 0
