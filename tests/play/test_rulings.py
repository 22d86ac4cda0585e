"""A master changes house rules: checked, logged, mailed with old and new value, in force from the next phase."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.errors import Refused
from judge.play import rulings, setup, turn, verify
from judge.play.judge import lay_out
from judge.store import games
from judge.store import rulings as stored
from judge.variants import load_rules

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def change(desk: Desk, *texts: str, **more: Any) -> list[rulings.Change]:
    settings = [(key, value) for key, _, value in (text.partition("=") for text in texts)]
    made = rulings.change_rules(desk.judge, "spring42", settings, who="Ana", now=desk.now, **more)
    desk.work()
    return made


def rules_of_phases(desk: Desk, field: str) -> dict[str, Any]:
    game = games.get(desk.judge.store, "spring42")
    return {p.name: getattr(lay_out(game, p).rules, field) for p in games.phases(desk.judge.store, game.id)}


def test_a_change_holds_from_the_next_phase_on(desk: Desk) -> None:
    change(desk, "convoy.disruption=any-route")
    desk.pass_time(hours=23)
    desk.pass_time(hours=25)
    found = rules_of_phases(desk, "convoy_disruption")
    assert list(found.values()) == ["all-routes", "any-route", "any-route"]


def test_all_players_are_told_old_and_new_value_and_the_rule_in_words(desk: Desk) -> None:
    change(desk, "convoy.disruption=any-route", why="as voted")
    told = desk.receive()
    assert sorted(m["To"] for m in told) == [f"{p.lower()}@example.org" for p in POWERS]
    text = text_of(told[0])
    assert "convoy.disruption: was “all-routes”, from the next phase on it is “any-route”." in text
    assert "A convoy with several routes fails if any of them is broken." in text
    assert "Changed by Ana: “as voted”" in text
    assert len({m["Message-ID"] for m in told}) == 7


def test_it_is_logged_with_who_and_when(desk: Desk) -> None:
    change(desk, "nmr=postpone", why="holidays")
    row = desk.judge.store.row("SELECT * FROM log WHERE what = 'rule-changed'")
    assert row["who"] == "Ana" and row["at"].startswith(f"{desk.now:%Y-%m-%dT%H:%M}")
    facts = json.loads(row["facts"])
    assert (facts["key"], facts["old"], facts["new"], facts["why"]) == ("nmr", "hold", "postpone", "holidays")


def test_several_keys_are_changed_together_or_not_at_all(desk: Desk) -> None:
    with pytest.raises(rulings.RulesRefused):
        change(desk, "nmr=postpone", "victory.centres=many")
    assert stored.changes(desk.judge.store, 1) == [] and desk.receive() == []
    assert [c.key for c in change(desk, "nmr=postpone", "victory.centres=20")] == ["victory.centres", "nmr"]
    assert len(desk.receive()) == 7


def test_the_same_value_is_no_change(desk: Desk) -> None:
    assert change(desk, "nmr=hold") == []
    assert desk.receive() == []


def test_a_second_change_of_a_key_takes_the_place_of_the_first(desk: Desk) -> None:
    change(desk, "nmr=postpone")
    (again,) = change(desk, "nmr=civil-disorder")
    assert (again.old, again.new) == ("postpone", "civil-disorder")
    desk.pass_time(hours=23)
    assert rules_of_phases(desk, "nmr") == {"S1901M": "hold", "F1901M": "civil-disorder"}
    assert [c.state for c in stored.changes(desk.judge.store, 1)] == ["dropped", "in-force"]


def test_a_change_that_was_taken_back_leaves_the_rules_as_they_were(desk: Desk) -> None:
    change(desk, "nmr=postpone")
    change(desk, "nmr=hold")
    desk.pass_time(hours=23)
    assert rules_of_phases(desk, "nmr") == {"S1901M": "hold", "F1901M": "hold"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("victory.end.turn=S1901", "S1901 is under way"),
        ("victory.end.turn=F1900", "cannot end with F1900"),
        ("powers.assign=random", "the powers have been given out"),
        ("powers.clash=pool", "the powers have been given out"),
        ("powers.addresses=shown", "the first mail"),
        ("victory.clock.at=2026-12-02T11:00Z", "under way"),
        ("victory.clock.at=2026-11-01T11:00Z", "under way"),
        ("victory.clock.after=12 h", "under way"),
        ("victory.centres=3", "Austria has 3 supply centres already"),
        ("victory.centres=4", "Russia has 4 supply centres already"),
    ],
)
def test_what_would_alter_the_phase_under_way_is_refused_with_the_reason(desk: Desk, text: str, why: str) -> None:
    with pytest.raises(rulings.RulesRefused, match=why):
        change(desk, text)
    assert desk.receive() == [] and stored.changes(desk.judge.store, 1) == []


def test_the_end_that_is_under_way_cannot_be_moved(desk: Desk) -> None:
    change(desk, "victory.end.turn=F1901")
    desk.pass_time(hours=23)
    for text in ("victory.end.turn=F1902", "victory.end.turn=", "victory.end.counts=units"):
        with pytest.raises(Refused, match="F1901 is the last turn by the rules in force"):
            change(desk, text)
    change(desk, "convoy.disruption=any-route")
    desk.pass_time(hours=25)
    assert (desk.show()["state"], desk.show()["ended_by"]) == ("ended", "victory.end.turn")
    with pytest.raises(Refused, match="is over"):
        change(desk, "nmr=postpone")


@pytest.mark.parametrize(("phases", "following"), [(0, "F1901M"), (1, "S1902M")])
def test_rules_that_span_a_turn_wait_for_the_next_movement(desk: Desk, phases: int, following: str) -> None:
    """Who owns what is decided once a turn: a change between the movement and the retreats must not skip it."""
    for _ in range(phases):
        desk.pass_time(hours=25)
    made = change(desk, "ownership.when=before-retreats", "builds.where=any-owned")
    assert {c.key: c.from_phase for c in made} == {"ownership.when": following, "builds.where": None}
    while desk.show()["phase"] != "F1902M":
        desk.pass_time(hours=25)
    found = rules_of_phases(desk, "ownership_when")
    by_new_rules = [name for name, value in found.items() if value == "before-retreats"]
    assert by_new_rules == list(found)[list(found).index(following) :]


def test_a_change_in_the_movement_reaches_the_retreats_unless_it_spans_the_turn(desk: Desk) -> None:
    desk.mail("Austria", "A Vie - Tyr")
    desk.mail("Italy", "A Ven H\nA Rom H")
    desk.pass_time(hours=23)
    desk.mail("Austria", "A Tyr - Ven\nF Tri S A Tyr - Ven")
    change(desk, "retreat.into_standoff=true", "removal.order=older")
    desk.pass_time(hours=25)
    assert desk.show()["phase"] == "F1901R"
    assert rules_of_phases(desk, "retreat_into_standoff")["F1901R"] is False
    assert rules_of_phases(desk, "removal_order")["F1901R"] == "older"
    desk.mail("Italy", "A Ven - Tus")
    while desk.show()["phase"] != "S1902M":
        desk.pass_time(hours=25)
    assert rules_of_phases(desk, "retreat_into_standoff")["S1902M"] is True
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_before_the_start_the_rules_are_simply_those(desk: Desk) -> None:
    setup.create_game(desk.judge, "later", rules=load_rules("standard"), players={"France": "f@example.org"}, now=desk.now)
    rulings.change_rules(desk.judge, "later", [("victory.end.turn", "S1901")], who="Ana", now=desk.now)
    desk.work()
    assert desk.receive() == []
    setup.start_game(desk.judge, "later", desk.now)
    desk.work()
    (start,) = desk.receive()
    assert "The last turn is Spring 1901, if nobody has won before." in text_of(start)


def test_each_phase_is_adjudicated_and_verified_by_its_own_rules(desk: Desk) -> None:
    """JP-24 as a change in a running game: one of two routes is broken, and the army stays in London."""
    turns = (
        {"England": "A Lvp - Yor\nF Lon - Eng\nF Edi - Nth", "France": "F Bre - MAO\nA Mar - Spa"},
        {"England": "A Yor - Lon"},
        {"France": "build F Bre"},
        {
            "England": "A Lon - Bel via Nth\nF Nth C A Lon - Bel\nF Eng C A Lon - Bel",
            "France": "F MAO - Eng\nF Bre S F MAO - Eng",
        },
    )
    for number, bodies in enumerate(turns):
        for power, body in bodies.items():
            desk.mail(power, body)
        if number == 2:
            change(desk, "convoy.disruption=any-route")
        desk.pass_time(hours=25)
    assert {"power": "England", "type": "A", "at": "lon"} in desk.show()["units"]
    game = games.get(desk.judge.store, "spring42")
    assert verify.verify_game(desk.judge, game) == []
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE phases SET rules = NULL WHERE name = 'S1902M'")
    faults = [str(one) for one in verify.verify_game(desk.judge, game)]
    assert faults == [
        "bytes: S1902M: what is stored of it (phases) is not what it was processed with: hash differs",
        "bytes: S1902M: adjudicated today: A LON-NTH-BEL of England: today succeeds, then no-convoy",
    ]


def test_rules_by_mail_brings_all_of_them_and_what_is_to_come(desk: Desk) -> None:
    change(desk, "convoy.disruption=any-route", "retreat.into_standoff=yes")
    desk.receive()
    answer = desk.mail("France", "RULES")
    assert desk.outcome == "command"
    assert answer["Subject"] == "[spring42] Spring 1901: the house rules"
    assert answer["In-Reply-To"].endswith("france@example.org>")
    text = text_of(answer)
    assert "A convoy with several routes fails only if all of them are broken." in text
    assert "convoy.disruption: was “all-routes”, from the next phase on it is “any-route”." in text
    assert "retreat.into_standoff: was “false”, from Fall 1901 on it is “true”." in text
    desk.pass_time(hours=23)
    desk.receive()
    text = text_of(desk.mail("France", "ハウスルール"))
    assert "A convoy with several routes fails if any of them is broken." in text and "was “" not in text


def test_rules_beside_orders_does_both(desk: Desk) -> None:
    desk.deliver(*desk.write("France", "RULES\nA Par - Bur"))
    desk.work()
    events = sorted(m["Message-ID"].split(".")[3] for m in desk.receive())
    assert len(events) == 2
    assert desk.held("France") == ["A PAR-BUR"]


def test_a_clock_ends_the_game_with_the_phase_that_runs_then(desk: Desk) -> None:
    """CN-1 c: 2 h after a deadline; the phase that is running counts in full."""
    over = desk.now + timedelta(hours=25)
    change(desk, f"victory.clock.at={over.isoformat()}")
    desk.pass_time(hours=23)
    assert desk.show()["state"] == "running"
    desk.mail("France", "A Mar - Spa")
    desk.pass_time(hours=25)
    view = desk.show()
    assert (view["state"], view["ended_by"]) == ("ended", "victory.clock")
    assert "France" in view["winners"] and "Russia" in view["winners"]
    assert {"power": "France", "type": "A", "at": "spa"} in view["units"]
    assert verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


def test_a_clock_waits_for_the_retreats_that_are_due(desk: Desk) -> None:
    change(desk, "victory.clock.after=26 h")
    desk.mail("Austria", "A Vie - Tyr")
    desk.pass_time(hours=23)
    desk.mail("Austria", "A Tyr - Ven\nF Tri S A Tyr - Ven")
    desk.pass_time(hours=25)
    assert (desk.show()["state"], desk.show()["phase"]) == ("running", "F1901R")
    desk.mail("Italy", "A Ven - Tus")
    turn.run_phase(desk.judge, "spring42", desk.now)
    view = desk.show()
    assert (view["state"], view["ended_by"], view["winners"]) == ("ended", "victory.clock", ["Austria", "Russia"])


def test_rules_can_be_asked_for_when_the_game_is_over(desk: Desk) -> None:
    change(desk, "victory.end.turn=F1901")
    desk.pass_time(hours=23)
    desk.pass_time(hours=25)
    desk.receive()
    assert "The last turn is Fall 1901" in text_of(desk.mail("France", "RULES"))


def test_what_waits_at_the_end_never_comes_into_force(desk: Desk) -> None:
    change(desk, "victory.end.turn=F1901")
    desk.pass_time(hours=24)
    change(desk, "victory.centres=20")
    desk.pass_time(hours=24)
    assert desk.show()["state"] == "ended"
    assert [(c.key, c.state) for c in stored.changes(desk.judge.store, 1)] == [
        ("victory.end.turn", "in-force"),
        ("victory.centres", "dropped"),
    ]


COMING = [
    (["nmr=civil-disorder", "nmr=hold"], None),
    (["nmr=civil-disorder", "nmr=postpone"], "nmr: was “hold”, from the next phase on it is “postpone”"),
    (["victory.end.turn=F1903", "victory.end.turn=F1904", "victory.end.turn="], None),
    (
        ["victory.end.turn=F1903", "victory.end.turn=F1904"],
        "victory.end.turn: was not set, from Fall 1901 on it is “F1904”",
    ),
    (["powers.unplayed=", "coast.aliases=bul/nc=bul/ec", "coast.aliases="], None),
]


@pytest.mark.parametrize(("settings", "said"), COMING, ids=[" ".join(row[0]) for row in COMING])
def test_what_comes_is_told_against_what_is_in_force(desk: Desk, settings: list[str], said: str | None) -> None:
    """Not against another change that never was in force; and what was put back is no change."""
    for setting in settings:
        change(desk, setting)
    text = text_of(desk.mail("France", "RULES"))
    agreed = text.partition("AGREED FOR LATER")[2]
    assert bool(agreed) is (said is not None)
    assert (said or "") in agreed and agreed.count(": was ") == bool(said)
