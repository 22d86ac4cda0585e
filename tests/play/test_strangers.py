"""Mail without a seat's address: who is answered and how often, what goes on to the operator, what is forgotten when."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from judge.errors import BadInput
from judge.play import intake, setup, upkeep
from judge.play.intake import MOST_FORWARDS
from judge.store import inbox
from judge.variants import load_rules

Desk = Any
OPERATOR = "operator@example.com"


@pytest.fixture
def staffed(desk: Desk) -> Desk:
    desk.judge = replace(desk.judge, operator=OPERATOR)
    return desk


def ask(desk: Desk, to: str = "judge@judge.example.org", **kwargs: Any) -> list[str]:
    """Somebody writes; who is written to because of it."""
    kept = desk.deliver(*desk.write("Stranger", "Hello?", to=to, **kwargs))
    desk.work()
    desk.outcome = inbox.load(desk.judge.store, kept.id).outcome
    return [m["To"] for m in desk.receive()]


# answers


def test_a_forged_sender_floods_no_player(desk: Desk) -> None:
    def forged() -> list[str]:
        return ask(desk, "spring42@judge.example.org", sender="FRANCE@example.org")

    assert [forged(), forged(), forged()] == [["france@example.org"], [], []]
    desk.now += timedelta(hours=25)
    assert forged() == ["france@example.org"]


def test_no_answer_goes_where_the_mail_points(desk: Desk) -> None:
    assert ask(desk, sender="s@example.net", headers={"Reply-To": "victim@example.com"}) == ["s@example.net"]


@pytest.mark.parametrize(
    "sender", ["x@foo_bar.org", "x@judge.example.org", "nobody"], ids=["no host", "our own", "no address"]
)
def test_where_no_mail_can_go_none_is_written(desk: Desk, sender: str) -> None:
    assert ask(desk, sender=sender) == []
    assert desk.outcome == "unconfirmed"


@pytest.mark.parametrize("address", ["x@foo_bar.org", "Camille <c@example.org>", "c@", "a b@example.org"])
def test_no_player_is_seated_whom_no_mail_can_reach(desk: Desk, address: str) -> None:
    with pytest.raises(BadInput, match=r"camille@example\.org"):
        setup.create_game(desk.judge, "other", rules=load_rules("standard"), players={"France": address}, now=desk.now)


# the operator

LOOPS = {
    "answered by a machine": {"Auto-Submitted": "auto-replied"},
    "made by a machine": {"Auto-Submitted": "auto-generated (report)"},
    "of our own list": {"List-Id": "<spring42.judge.example.org>"},
    "our own mail again": {"Message-ID": "<judge.-.0.forward.abc@judge.example.org>"},
}


@pytest.mark.parametrize("headers", LOOPS.values(), ids=LOOPS)
def test_no_mail_goes_round_and_round(staffed: Desk, headers: dict[str, str]) -> None:
    assert ask(staffed, "postmaster@judge.example.org", headers=headers) == []


def test_a_persons_mail_goes_on_to_the_operator(staffed: Desk) -> None:
    headers = {"Auto-Submitted": "no", "List-Id": "<players.example.org>"}
    assert ask(staffed, "postmaster@judge.example.org", headers=headers) == [OPERATOR]
    assert staffed.outcome == "operator"


def test_the_operator_gets_so_many_a_day(staffed: Desk) -> None:
    got = [ask(staffed, "postmaster@judge.example.org", sender=f"s{n}@example.org") for n in range(MOST_FORWARDS + 2)]
    assert got == [[OPERATOR]] * MOST_FORWARDS + [[], []]
    assert staffed.outcome == "operator-kept"
    staffed.now += timedelta(hours=25)
    assert ask(staffed, "postmaster@judge.example.org") == [OPERATOR]


# what is forgotten


def kinds(desk: Desk) -> set[str]:
    return {r["kind"] for r in desk.judge.store.rows("SELECT DISTINCT kind FROM inbox")}


def events(desk: Desk) -> set[str]:
    return {r["event"] for r in desk.judge.store.rows("SELECT DISTINCT event FROM outbox")}


def test_what_belongs_to_no_seat_is_forgotten_in_time(staffed: Desk) -> None:
    desk = staffed
    desk.mail("France", "A Par - Bur")
    ask(desk)
    ask(desk, "spring42@judge.example.org", sender="france@example.org")
    ask(desk, "spring42@judge.example.org", headers={"Auto-Submitted": "auto-replied"})
    ask(desk, "postmaster@judge.example.org")
    aside = desk.deliver(*desk.write("Stranger", "set aside", to="judge@judge.example.org"))
    for _ in range(3):
        inbox.failed(desk.judge.store, aside.id, "ValueError", desk.now)
    desk.now += timedelta(days=6)
    assert upkeep.purge(desk.judge, desk.now) == 0
    desk.deliver(*desk.write("Stranger", "waits", to="judge@judge.example.org"))
    desk.now += timedelta(days=2)
    # what names a player may still be confirmed while its phase is open
    assert upkeep.purge(desk.judge, desk.now) == 3
    assert kinds(desk) == {"seat", "game", "operator", "judge"}
    desk.pass_time()
    assert upkeep.purge(desk.judge, desk.now) == 1
    assert kinds(desk) == {"seat", "operator", "judge"}
    assert events(desk) == {"start", "receipt", "confirm", "forward", "result", "help"}
    desk.receive()
    desk.now += timedelta(days=90)
    assert upkeep.purge(desk.judge, desk.now) == 2
    assert (kinds(desk), events(desk)) == ({"seat"}, {"start", "receipt", "confirm", "result"})
    assert len(desk.judge.store.rows("SELECT id FROM raws")) == 1
    assert intake.step(desk.judge, desk.now) is None


def test_mail_of_seats_is_never_forgotten(desk: Desk) -> None:
    with pytest.raises(ValueError, match="never deleted"):
        inbox.purge(desk.judge.store, ["seat"], desk.now)
