"""``powers.unplayed`` as a game lives it: seats, the draw, the first mail, results, and changes by the master."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest

from judge.errors import BadHouseRules, BadInput, Refused
from judge.play import rulings, seating, setup, verify
from judge.store import games
from judge.variants import load_board, load_rules, with_key

Desk = Any
SIX = ("Austria", "England", "France", "Germany", "Russia", "Turkey")


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def rules(unplayed: str = "Italy", **more: str) -> Any:
    found = with_key(load_rules("standard"), "powers.unplayed", unplayed, load_board())
    for key, value in more.items():
        found = with_key(found, key.replace("__", "."), value, load_board())
    return found


def new(desk: Desk, name: str = "six", start: bool = True, found: Any = None, **more: Any) -> dict[str, Message]:
    players = more.pop("players", {power: f"{power.lower()}@example.net" for power in SIX})
    setup.create_game(desk.judge, name, rules=found or rules(), players=players, now=desk.now, **more)
    if start:
        setup.start_game(desk.judge, name, desk.now, "5f0c")
    return collect(desk)


def collect(desk: Desk) -> dict[str, Message]:
    desk.work()
    return {m["To"].partition("@")[0]: m for m in desk.receive() if m["To"].endswith("@example.net")}


def write(desk: Desk, power: str, body: str) -> None:
    desk.mail(power, body, to=desk.reply_to(power, "six"), sender=f"{power.lower()}@example.net")


def status(desk: Desk, power: str) -> str:
    return next(seat["status"] for seat in desk.show("six")["seats"] if seat["power"] == power)


def test_the_first_mail_says_who_is_not_played(desk: Desk) -> None:
    text = text_of(new(desk)["france"])
    assert "Nobody plays Italy: units there hold and can be supported" in text
    assert "played by nobody" in text.partition("THE POWERS")[2].partition("THE GAME")[0]


def test_a_game_for_six_from_order_mail_to_result(desk: Desk) -> None:
    new(desk)
    assert status(desk, "Italy") == "nobody"
    for power, body in {
        "Austria": "A Vie - Tyr\nF Tri H\nA Bud H",
        "France": "A Par - Bur\nA Mar - Pie\nF Bre - Mao",
        "England": "F Lon H\nF Edi H\nA Lvp H",
        "Germany": "A Ber H\nA Mun H\nF Kie H",
        "Russia": "A Mos H\nA War H\nF Sev H\nF Stp/sc H",
        "Turkey": "A Con H\nA Smy H\nF Ank H",
    }.items():
        write(desk, power, f"{body}\nREADY")
    phase: Any = games.open_phase(desk.judge.store, games.get(desk.judge.store, "six").id)
    assert phase.run_at < phase.deadline  # nobody waits for Italy
    desk.pass_time(minutes=1)
    text = text_of(collect(desk)["france"])
    italy = text.partition("ITALY")[2].partition("RUSSIA")[0]
    assert italy and "sent no orders" not in italy and "civil disorder" not in text
    write(desk, "Austria", "A Tyr - Ven\nA Bud H\nF Tri S A Tyr - Ven")
    write(desk, "France", "A Pie S A Tyr - Ven\nA Bur H\nF Mao H")
    desk.pass_time(hours=24)
    text = text_of(collect(desk)["austria"])
    assert "Venice, attacked from Tyrolia, was disbanded: nobody plays this power" in text
    show = desk.show("six")
    assert show["phase"] == "W1901A" and "ven" in show["centres"]["Austria"]
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "six")) == []


def test_a_seat_that_nobody_plays_cannot_be_filled(desk: Desk) -> None:
    with pytest.raises(BadInput, match=r"nobody plays Italy in this game \(powers.unplayed = Italy\)"):
        new(desk, players={"Italy": "italy@example.net"})
    assert games.find(desk.judge.store, "six") is None


def test_nor_wished_for_nor_drawn(desk: Desk) -> None:
    found = rules("Italy,Germany", powers__assign="preference")
    with pytest.raises(BadInput, match="nobody plays Germany"):
        new(desk, players={}, found=found, wishes=[("p1@example.net", ["Germany"])])
    with pytest.raises(Refused, match="no power left for p6"):
        new(desk, players={}, found=found, wishes=[(f"p{n}@example.net", []) for n in range(1, 7)])
    new(desk, players={}, found=found, wishes=[(f"p{n}@example.net", []) for n in range(1, 6)])
    drawn = seating.drawn(desk.judge, games.get(desk.judge.store, "six"))
    assert drawn is not None and set(drawn.powers) == {"Austria", "England", "France", "Russia", "Turkey"}
    assert "--powers Austria,England,France,Russia,Turkey" in drawn.command()
    seats = {seat["power"]: seat["address"] for seat in desk.show("six")["seats"]}
    assert seats["Italy"] is None and seats["Germany"] is None and all(seats[power] for power in drawn.powers)


def test_more_players_than_powers_after_a_change_start_no_game(desk: Desk) -> None:
    found = rules("Italy", powers__assign="random")
    wishes: Any = [(f"p{n}@example.net", []) for n in range(1, 7)]
    new(desk, start=False, players={}, found=found, wishes=wishes)
    rulings.change_rules(desk.judge, "six", [("powers.unplayed", "Italy,Germany")], who="operator", now=desk.now)
    with pytest.raises(BadInput, match="6 players wait for a power, and 5 are free"):
        setup.start_game(desk.judge, "six", desk.now, "5f0c")
    assert desk.show("six")["state"] == "forming"


@pytest.mark.parametrize("start", [False, True])
def test_a_power_that_somebody_plays_cannot_be_left_out(desk: Desk, start: bool) -> None:
    new(desk, start=start)
    with pytest.raises(Refused, match=r"powers.unplayed stays as it is: France has a player"):
        rulings.change_rules(desk.judge, "six", [("powers.unplayed", "Italy,France")], who="operator", now=desk.now)


def test_the_master_may_open_a_power_for_the_next_phase(desk: Desk) -> None:
    new(desk)
    (change,) = rulings.change_rules(desk.judge, "six", [("powers.unplayed", "")], who="operator", now=desk.now)
    assert (change.old, change.new) == ("Italy", "")
    assert "No power is left out of the game." in text_of(collect(desk)["france"])
    desk.pass_time(hours=24)
    from judge.play.judge import open_table

    table = open_table(desk.judge.store, games.get(desk.judge.store, "six"))
    assert table is not None and table.rules.powers_unplayed == ()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Spain", "'Spain' is no power of this board. Allowed: Austria, England, France, Germany, Italy, Russia, Turkey"),
        ("Itly", "did you mean Italy"),
        ("Italy,italy", "Italy more than once"),
        ("Austria,England,France,Germany,Italy,Russia,Turkey", "somebody must play"),
    ],
)
def test_what_cannot_be_left_out(written: str, told: str) -> None:
    with pytest.raises(BadHouseRules, match=told):
        rules(written)


def test_powers_are_written_as_the_board_does_in_its_order() -> None:
    assert rules(" turkey, ITALY ").powers_unplayed == ("Italy", "Turkey")
