"""Row CN-2 in a game that is played: turns in the game's own form in every mail, both forms read in every mail."""

from __future__ import annotations

import re
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

import pytest

from judge.play import rulings, setup, turn
from judge.play.judge import lay_out
from judge.store import games
from judge.variants import load_board, load_rules, with_key

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

Desk = Any
PRESETS = ("china", "standard", "japan-1910")

SHORT = re.compile(r"(?<![\w-])\d\d-[SFW](?![\w-])")
IN_WORDS = re.compile(r"\b(?:Spring|Fall|Winter) 1[89]\d\d")


def all_of(message: Message) -> str:
    """Subject, text and HTML, without what the player wrote and without the rule that names the other form."""
    said = [str(make_header(decode_header(message["Subject"])))]
    said += [p.get_payload(decode=True).decode() for p in message.walk() if p.get_content_maintype() == "text"]  # type: ignore[union-attr]
    text = re.sub(r"\s+", " ", " ".join(said)).replace("the form 01-S is read too", "")
    return re.sub(r"“[^”]{0,60}”", "", text)


@pytest.fixture
def begin(desk: Desk) -> Any:
    """``begin(preset)``: the game "other" of France and England under a preset, with everything that was sent."""

    def make(preset: str) -> Desk:
        players = {"France": "france@example.net", "England": "england@example.net"}
        rules = with_key(load_rules(preset), "victory.end.turn", "F1901", load_board())
        setup.create_game(desk.judge, "other", rules=rules, players=players, now=desk.now)
        setup.start_game(desk.judge, "other", desk.now)
        desk.work()
        desk.sent = []
        desk.receive()
        return desk

    return make


def write(desk: Desk, body: str, **more: Any) -> str:
    mail = desk.mail("France", body, to=desk.reply_to("France", "other"), sender="france@example.net", **more)
    return all_of(mail) if mail is not None else ""


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_a_whole_game_in_one_form(preset: str, begin: Any) -> None:
    desk = begin(preset)
    receipt = write(desk, "A Par-Bur\nFall 1901: F Bre-Mao\n02-S: A Mar-Spa\nSTATUS\nHELP\nRULES")
    later = ("01-F", "02-S") if preset == "china" else ("Fall 1901", "Spring 1902")
    assert all(f"for {turn}, to be read when it opens" in receipt for turn in later), receipt
    change = [("victory.end.turn", "02-F")]
    rulings.change_rules(desk.judge, "other", change, who="Ana", now=desk.now)
    rulings.change_rules(desk.judge, "other", [("victory.end.turn", "F1901")], who="Ana", now=desk.now)
    desk.pass_time(hours=25)
    write(desk, "F Bre-Mao", subject=f"Re: [other] {'01-S' if preset == 'china' else 'Spring 1901'}: orders")
    assert desk.outcome == "late"
    desk.pass_time(hours=25)
    write(desk, "hello again")
    desk.receive()
    mails = [m for m in desk.sent if m["To"].endswith("@example.net")]
    assert games.get(desk.judge.store, "other").state == "ended"
    events = {re.search(r"\.([a-z-]+)\.[a-z0-9-]+@", m["Message-ID"])[1] for m in mails}  # type: ignore[index]
    assert events >= {"start", "receipt", "result", "notice", "rules", "end"}
    own, other = (SHORT, IN_WORDS) if preset == "china" else (IN_WORDS, SHORT)
    for mail in mails:
        assert other.findall(all_of(mail)) == [], mail["Subject"]
        assert own.search(all_of(mail)), mail["Subject"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("written", ["02-F", "F1902"])
def test_cn_2_a_rule_is_set_in_either_form(written: str, preset: str, begin: Any) -> None:
    desk = begin(preset)
    rulings.change_rules(desk.judge, "other", [("victory.end.turn", written)], who="Ana", now=desk.now)
    desk.pass_time(hours=25)
    game = games.get(desk.judge.store, "other")
    phase = games.open_phase(desk.judge.store, game.id)
    assert phase is not None and lay_out(game, phase).rules.victory_end_turn == "F1902"


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_the_phase_to_run_is_named_in_either_form(preset: str, begin: Any) -> None:
    desk = begin(preset)
    for named, phase in (("01-S", "F1901M"), ("F1901M", "")):
        assert turn.run_phase(desk.judge, "other", desk.now, only=named)
        found = games.open_phase(desk.judge.store, games.get(desk.judge.store, "other").id)
        assert (found.name if found else "") == phase


@pytest.mark.parametrize("heading", ["01-S", "01-S:", "S1901M", "Spring 1901", "1901年春", "01-S France", "法国 01-S"])
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_a_heading_in_either_form_is_for_this_turn(preset: str, heading: str, begin: Any) -> None:
    desk = begin(preset)
    write(desk, f"{heading}\nA Par-Bur\n\n01-F\nA Mar-Spa\n\nFall 1901\nF Bre-Mao")
    seats = desk.show("other")["seats"]
    assert next(s["orders"] for s in seats if s["power"] == "France") == ["A PAR-BUR"]
