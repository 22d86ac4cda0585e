"""Press by mail: who gets it, what the house rules forbid, and that nothing of a grey message tells who wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, intake, press, setup, turn
from judge.rules.board import Unit
from judge.rules.position import Dislodged, Phase, Position
from judge.store import Store, codec, games, inbox
from judge.store import press as stored
from judge.store.games import MASTER
from judge.variants import load_board, load_rules
from judge.variants.houserules import with_key

Desk = Any
PRESETS = ("standard", "japan-1910", "china")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
RETREATS = (
    "S1902R",
    "France A mar, Germany A bur",
    (Dislodged(Unit("France", "A", "bur"), "mun", retreats=("gas", "pic")),),
)
ADJUSTMENTS = ("W1901A", "France A par, France A mar, France F bre", ())


@pytest.fixture
def new_game(desk: Desk, tmp_path: Path) -> Callable[..., Desk]:
    """``new_game(preset, key=value)``: a judge of its own with one game, and the pen to write to it."""
    count = iter(range(1000))

    def begin(preset: str = "standard", *, start: bool = True, nobody: tuple[str, ...] = (), **changes: str) -> Desk:
        judge = Judge(Store.open(tmp_path / f"judge{next(count)}.db"), Keys(b"k" * 32), "judge.example.org")
        rules = load_rules(preset)
        for key, value in changes.items():
            rules = with_key(rules, key.replace("__", "."), value, load_board())
        made = type(desk)(judge, now=desk.now)
        players = {power: f"{power.lower()}@example.org" for power in POWERS if power not in nobody}
        setup.create_game(judge, "spring42", rules=rules, players=players, now=made.now)
        if start:
            setup.start_game(judge, "spring42", made.now)
        made.work()
        made.receive()
        made.now += timedelta(hours=1)
        return made

    return begin


def at_phase(desk: Desk, phase: str, units: str, dislodged: tuple[Dislodged, ...]) -> Desk:
    """The same game in another position: ``units`` as ``"Germany A mun, France F bre"``."""
    standing = tuple(Unit(*one.split()) for one in units.split(", "))  # type: ignore[arg-type]
    position = Position(Phase.parse(phase), standing, {"par": "France"}, dislodged)
    store = desk.judge.store
    game = games.get(store, "spring42")
    with store.transaction():
        was = games.open_phase(store, game.id)
        assert was is not None
        games.processed(store, was.id, desk.now, "{}")
        turn.open_phase_at(
            store, game, number=was.number + 1, attempt=1, position_text=codec.position_to_text(position), name=phase,
            now=desk.now, deadline=desk.now + timedelta(hours=24),
        )  # fmt: skip
    return desk


def part(message: Message, kind: str) -> str:
    for one in message.walk():
        if one.get_content_type() == f"text/{kind}":
            return one.get_payload(decode=True).decode()  # type: ignore[union-attr]
    raise AssertionError(f"no text/{kind}")


def text_of(message: Message) -> str:
    """The text part in one line: where it is wrapped makes no difference."""
    return " ".join(part(message, "plain").split())


def subject_of(message: Message) -> str:
    return str(make_header(decode_header(message["Subject"])))


def everything(message: Message) -> str:
    """All headers, decoded, and all parts."""
    heads = [f"{name}: {make_header(decode_header(value))}" for name, value in message.items()]
    html = part(message, "html")
    return "\n".join([*heads, part(message, "plain"), html, unescape(re.sub(r"<[^>]*>", "", html))])


def write(desk: Desk, power: str, body: str, **kwargs: Any) -> tuple[Any, dict[str, Message]]:
    """A player writes: the answer, and the press that others got, by power."""
    desk.sent.clear()
    answer = desk.mail(power, body, **kwargs)
    return answer, got(desk)


def got(desk: Desk) -> dict[str, Message]:
    found = {}
    for message in desk.sent:
        if ".press." in message["Message-ID"]:
            who = message["To"].partition("@")[0].capitalize()
            assert who not in found, "two mails for one message"
            found[who] = message
    return found


def rows(desk: Desk) -> list[stored.PressRow]:
    return stored.of_game(desk.judge.store, games.get(desk.judge.store, "spring42").id)


# ── white press ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_white_press_goes_to_those_named_signed_with_the_power(new_game: Any) -> None:
    desk = new_game()
    answer, press = write(desk, "England", "PRESS TO FRANCE RUSSIA\nShall we leave the\nChannel empty?\nEND\n")
    assert set(press) == {"France", "Russia"}
    mail = press["France"]
    assert subject_of(mail) == "[spring42] Spring 1901: press from England"
    assert mail["From"] == '"England (spring42)" <spring42@judge.example.org>'
    assert "England writes to you and Russia:" in text_of(mail)
    assert "> Shall we leave the\n> Channel empty?\n" in part(mail, "plain").replace("\r\n", "\n")
    assert "“PRESS TO ENGLAND”" in text_of(mail) and "england@example.org" not in everything(mail)
    assert mail["Reply-To"].endswith(f"<{desk.reply_to('France')}>") or desk.reply_to("France") in mail["Reply-To"]
    assert "“Shall we leave the…” went to France and Russia, signed with your power." in text_of(answer)
    assert "press passed on" in subject_of(answer) and desk.outcome == "press"
    (row,) = rows(desk)
    assert (row.sender, row.kind, row.recipients, row.state) == ("England", "white", ("France", "Russia"), "passed-on")
    assert row.text == "Shall we leave the\nChannel empty?" and not row.everybody


@pytest.mark.parametrize(
    ("heading", "to"),
    [
        ("PRESS TO F R", {"France", "Russia"}),
        ("press to fra, rus:", {"France", "Russia"}),
        ("Press to the French and the Russians", {"France", "Russia"}),
        ("PRESS TO Frankreich, Russie", {"France", "Russia"}),
        ("プレス フランス・ロシア宛", {"France", "Russia"}),
        ("外交信函 致法國和俄國", {"France", "Russia"}),
        ("外交信：法国、俄国", {"France", "Russia"}),
        ("BROADCAST", set(POWERS) - {"England"}),
        ("Broadcast:", set(POWERS) - {"England"}),
        ("PRESS TO ALL", set(POWERS) - {"England"}),
        ("PRESS TO EVERYBODY BUT TURKEY", set(POWERS) - {"England", "Turkey"}),
        ("全体宛", set(POWERS) - {"England"}),
        ("外交信 全员", set(POWERS) - {"England"}),
        ("公開信", set(POWERS) - {"England"}),
        ("PRESS TO ENGLAND, FRANCE", {"France"}),
    ],
)
def test_recipients_are_read_in_every_language(heading: str, to: set[str], desk: Desk) -> None:
    _, press = write(desk, "England", f"{heading}\nhello\nEND\n")
    assert set(press) == to


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("PRESS TO FRNACE RUSSIA", "Nobody in this game is called “FRNACE”. Did you mean “France”?"),
        ("PRESS TO IT", "Nobody in this game is called “IT”."),
        ("PRESS TO FRANCE, THE PRESS", "Nobody in this game is called “PRESS”."),
        ("プレス フランスロリア", "Nobody in this game is called “フランスロリア”."),
        ("PRESS TO FRANCE BUT RUSSIA", "Nobody in this game is called “but”."),
        ("PRESS", "It does not say to whom it goes"),
        ("PRESS TO ENGLAND", "It names nobody but yourself."),
        ("PRESS TO MASTER", "This game has no game master."),
    ],
)
def test_press_to_somebody_unknown_goes_to_nobody_and_is_given_back(heading: str, said: str, desk: Desk) -> None:
    answer, press = write(desk, "England", f"{heading}\nTurkey must be stopped.\nEND\n")
    assert press == {} and said in text_of(answer)
    assert "was not passed on" in text_of(answer) and "> Turkey must be stopped." in part(answer, "plain")
    assert "press not passed on" in subject_of(answer)
    assert [row.state for row in rows(desk)] == ["refused"]


def test_nobody_plays_there(new_game: Any) -> None:
    desk = new_game(nobody=("Italy", "Turkey"))
    answer, press = write(desk, "England", "PRESS TO FRANCE, ITALY\nhello\nEND\nPRESS TO TURKEY\nhi\nEND\n")
    assert set(press) == {"France"}
    assert "Nobody plays Italy at present, so no mail went there." in text_of(answer)
    assert "Your press to “TURKEY” was not passed on. Nobody plays there at present." in text_of(answer)
    assert "1 of 2 messages passed on" in subject_of(answer)


def with_master(desk: Desk) -> Desk:
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="t", now=desk.now)
    desk.work()
    desk.receive()
    return desk


def test_press_reaches_the_game_master(desk: Desk) -> None:
    with_master(desk)
    answer, press = write(desk, "England", "PRESS TO MASTER\nMay I have a day more?\nEND\n")
    assert set(press) == {"Ana"} and "> May I have a day more?" in part(press["Ana"], "plain")
    assert "you are the game master" in text_of(press["Ana"])
    assert "went to the game master" in text_of(answer)
    assert rows(desk)[0].recipients == (MASTER,)


@pytest.mark.parametrize(("preset", "changes"), [("standard", {"press__kinds": "none"}), ("china", {}), ("standard", {})])
def test_the_master_can_be_written_to_under_all_rules(preset: str, changes: dict[str, str], new_game: Any) -> None:
    """It is no negotiation: also where there is no press between players, and while it is closed."""
    desk = with_master(at_phase(new_game(preset, **changes), *RETREATS))
    _, press = write(desk, "France", "GREY PRESS TO MASTER\nMay I have a day more?\nEND\n")
    assert "May I have a day more?" in text_of(press["Ana"]) and "France" in text_of(press["Ana"])
    _, press = write(desk, MASTER, "BROADCAST\nA day more for everybody.\nEND\n", sender="ana@example.org")
    assert len(press) == 7
    _, press = write(desk, "France", "PRESS TO MASTER GERMANY\nhello\nEND\n")
    assert ("Germany" in press) == (preset == "standard" and not changes)


def test_the_master_writes_press_too(desk: Desk) -> None:
    with_master(desk)
    body = "PRESS TO ENGLAND\nYou may.\nEND\nPRESS TO ATLANTIS\nhello\nEND\n"
    answer, press = write(desk, MASTER, body, sender="ana@example.org")
    assert answer is None and set(press) == {"England"}
    assert "The game master writes to you:" in text_of(press["England"]) and "“PRESS TO MASTER”" in text_of(press["England"])
    (told,) = [m for m in desk.sent if m["To"].startswith("ana")]
    assert "went to England, signed as the game master." in text_of(told)
    assert "Nobody in this game is called “ATLANTIS”." in text_of(told)
    assert "1 of 2 messages passed on" in subject_of(told) and desk.outcome == "master"


@pytest.mark.parametrize(("shown", "there"), [("shown", True), ("hidden", False)])
def test_an_address_is_text_where_the_game_shows_it_and_nowhere_else(shown: str, there: bool, new_game: Any) -> None:
    desk = new_game(powers__addresses=shown)
    body = "PRESS TO FRANCE\nWrite to England@Example.org!\nEND\n"
    _, press = write(desk, "England", body)
    mail = press["France"]
    assert ("england@example.org" in text_of(mail)) == there
    assert ("> Write to England@Example.org!" in text_of(mail)) == there
    assert ("> Write to […]!" in text_of(mail)) != there
    assert not any("england@" in f"{value}".lower() for value in mail.values())


# ── grey press ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_grey_press_tells_nothing_of_its_sender(desk: Desk) -> None:
    before = desk.mail("Russia", "A War - Gal")
    body = "GREY PRESS TO FRANCE AUSTRIA\nItaly is coming. Ask ines or russia@example.org\n\nRurik\nEND\n"
    answer, press = write(
        desk, "Russia", body, answering=before,
        headers={"From": "Rurik Petrov <russia@example.org>", "Date": "Tue, 01 Dec 2026 16:00:00 +0300",
                 "Organization": "Petrograd", "X-Mailer": "Samovar 1.0"},
    )  # fmt: skip
    assert set(press) == {"France", "Austria"}
    for mail in press.values():
        said = everything(mail)
        assert "> Italy is coming. Ask ines or […]\n" in part(mail, "plain").replace("\r\n", "\n")
        for leak in (
            "russia",
            "rurik",
            "petrov",
            "+0300",
            "samovar",
            "petrograd",
            before["Message-ID"].lower(),
            "press to a",
        ):
            assert leak not in said.lower(), leak
        assert subject_of(mail) == "[spring42] Spring 1901: press without a name"
        assert mail["Date"].endswith("+0000") and mail["In-Reply-To"] is None
        assert mail["From"] == "spring42 <spring42@judge.example.org>"
    assert "went to Austria and France without saying who wrote it" in text_of(answer)
    (row,) = rows(desk)
    assert (row.sender, row.kind) == ("Russia", "grey")


def test_grey_press_to_all_does_not_betray_its_sender_by_who_got_it(desk: Desk) -> None:
    _, press = write(desk, "Russia", "anonymous broadcast\nhello\nEND\n")
    assert set(press) == set(POWERS) - {"Russia"}
    bodies = {re.sub(r"you play \w+", "", text_of(mail)) for mail in press.values()}
    assert len(bodies) == 1 and "Somebody writes to everybody, without a name:" in bodies.pop()


def test_two_grey_messages_of_one_sender_have_nothing_in_common(desk: Desk) -> None:
    _, one = write(desk, "Russia", "GREY PRESS TO FRANCE\nhello\nEND\n")
    _, other = write(desk, "Russia", "GREY PRESS TO FRANCE\nhello\nEND\n", subject="again")
    ids = [m["France"]["Message-ID"].partition(".press.")[2].partition("@")[0] for m in (one, other)]
    assert ids[0] != ids[1] and ids[0][:6] != ids[1][:6]


def test_the_senders_own_signed_address_goes_nowhere(desk: Desk) -> None:
    _, press = write(desk, "Russia", f"PRESS TO FRANCE\nwrite to {desk.reply_to('Russia')} now\nEND\n")
    assert "> write to […] now" in part(press["France"], "plain")


@pytest.mark.parametrize("mark", ["-- ", "--"])
def test_the_senders_signature_stays_behind(mark: str, desk: Desk) -> None:
    _, press = write(desk, "Russia", f"GREY PRESS TO FRANCE\nhello\n{mark}\nRurik\nDuma, Nevsky 1\n")
    assert set(press) == {"France"} and "Nevsky" not in everything(press["France"])
    assert rows(desk)[0].text == "hello"


# ── press.kinds ──────────────────────────────────────────────────────────────────────────────────────────────────────

WHITE, GREY, PLAIN = "WHITE PRESS TO FRANCE", "GREY PRESS TO FRANCE", "PRESS TO FRANCE"


@pytest.mark.parametrize(
    ("kinds", "heading", "sent_as", "said"),
    [
        ("both", WHITE, "white", "signed with your power"),
        ("both", PLAIN, "white", "signed with your power"),
        ("both", GREY, "grey", "without saying who wrote it"),
        ("white", WHITE, "white", "signed with your power"),
        ("white", PLAIN, "white", "signed with your power"),
        ("white", GREY, None, "In this game all press is signed (press.kinds = white)"),
        ("grey", WHITE, None, "In this game no press is signed (press.kinds = grey)"),
        ("grey", PLAIN, "grey", "without saying who wrote it"),
        ("grey", GREY, "grey", "without saying who wrote it"),
        ("none", WHITE, None, "In this game the judge passes on no press between players (press.kinds = none)"),
        ("none", PLAIN, None, "In this game the judge passes on no press between players (press.kinds = none)"),
        ("none", GREY, None, "In this game the judge passes on no press between players (press.kinds = none)"),
    ],
)
def test_the_kinds_of_press(kinds: str, heading: str, sent_as: str | None, said: str, new_game: Any) -> None:
    desk = new_game(press__kinds=kinds)
    answer, press = write(desk, "England", f"{heading}\nhello\nEND\n")
    assert said in text_of(answer)
    assert set(press) == ({"France"} if sent_as else set())
    assert ("England" in everything(press["France"])) == (sent_as == "white") if sent_as else "> hello" in text_of(answer)


# ── press.phases ─────────────────────────────────────────────────────────────────────────────────────────────────────


def passed_on(desk: Desk) -> bool:
    return bool(write(desk, "Germany", "PRESS TO FRANCE\nWhere will you go?\nEND\n", subject=f"{desk.count}")[1])


@pytest.mark.parametrize("at", [RETREATS, ADJUSTMENTS], ids=["retreats", "adjustments"])
@pytest.mark.parametrize(("preset", "open_"), [("standard", True), ("japan-1910", True), ("china", False)])
def test_cn_14_retreats_and_adjustments_are_written_without_negotiation(
    preset: str, open_: bool, at: Any, new_game: Any
) -> None:
    assert passed_on(at_phase(new_game(preset), *at)) == open_
    # the row bites: with press.phases alone turned, the very same mail in the very same phase fares otherwise
    turned = "movement" if open_ else "all"
    assert passed_on(at_phase(new_game(preset, press__phases=turned), *at)) != open_


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_14_press_is_open_while_movement_orders_are_awaited(preset: str, new_game: Any) -> None:
    assert passed_on(new_game(preset))


@pytest.mark.parametrize(("at", "opens"), [(RETREATS, "Fall 1902"), (ADJUSTMENTS, "Spring 1902")])
def test_cn_14_who_is_refused_is_told_when_press_opens_again(at: Any, opens: str, new_game: Any) -> None:
    desk = at_phase(new_game(press__phases="movement"), *at)
    answer, press = write(desk, "Germany", "BROADCAST\nWhere will you go?\nEND\n")
    assert press == {} and f"(press.phases = movement). It opens again with {opens}" in text_of(answer)
    assert "> Where will you go?" in part(answer, "plain")
    # and the same words go when it is
    desk.pass_time(hours=25)
    desk.receive()
    while desk.show()["phase"][-1] != "M":
        desk.pass_time(hours=25)
    assert len(write(desk, "Germany", "BROADCAST\nWhere will you go?\nEND\n")[1]) == 6


def test_cn_14_from_the_result_on_also_for_what_was_written_before_it(new_game: Any) -> None:
    desk = new_game("china")
    start = write(desk, "Germany", "STATUS")[0]
    at_phase(desk, *RETREATS)
    _, press = write(desk, "Germany", "PRESS TO FRANCE\nGood luck\nEND\n", answering=start)
    assert press == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_jp_4_talk_is_free_before_orders_and_the_text_is_silent_on_the_rest(preset: str, new_game: Any) -> None:
    desk = new_game(preset)
    assert passed_on(desk)
    _, press = write(desk, "Germany", "GREY PRESS TO FRANCE\nhello\nEND\n")
    assert set(press) == {"France"}
    # silent on retreats and adjustments: as standard, open
    assert passed_on(at_phase(new_game(preset), *RETREATS)) == (preset != "china")
    # turned: without press nothing is passed on, before orders or after
    assert not passed_on(new_game(preset, press__kinds="none"))


# ── press and orders in one mail ─────────────────────────────────────────────────────────────────────────────────────


def test_orders_around_press_are_taken_and_those_inside_never(desk: Desk) -> None:
    body = "A Par - Bur\nPRESS TO GERMANY\nI could do this:\nA Mar - Bur\nREADY\n1\nEND\nF Bre - Mao\n"
    answer, press = write(desk, "France", body)
    assert set(desk.held("France")) == {"A PAR-BUR", "F BRE-MAO"}
    assert "> A Mar - Bur" in part(press["Germany"], "plain")
    assert "2 of 3 orders in, press passed on" in subject_of(answer)
    assert "READY: nobody" not in text_of(answer) and "ready: no" in text_of(answer)
    assert desk.outcome == "orders"


def test_press_leaves_ready_and_wait_as_they_were(desk: Desk) -> None:
    desk.mail("France", "A Par - Bur\nA Mar - Spa\nF Bre - Mao\nREADY\n")
    before = desk.judge.store.rows("SELECT * FROM phases")[0]["run_at"]
    answer, _ = write(desk, "France", "PRESS TO GERMANY\nhello\nEND\n")
    assert "ready: yes" in text_of(answer)
    assert desk.judge.store.rows("SELECT * FROM phases")[0]["run_at"] == before


def test_unclosed_press_without_orders_is_press_to_the_end(desk: Desk) -> None:
    _, press = write(desk, "France", "A Par - Bur\nPRESS TO GERMANY\nI go to Burgundy.\nPlease do not mind.\n")
    assert "> Please do not mind." in part(press["Germany"], "plain")
    assert desk.held("France") == ["A PAR-BUR"]


def test_the_words_may_begin_beside_the_names(desk: Desk) -> None:
    body = "PRESS TO GERMANY: I go to Burgundy.\nPlease: do not mind.\nEND\nA Par - Bur\ngrey press to Italy: boo!\n"
    _, press = write(desk, "France", body)
    assert "> I go to Burgundy.\n> Please: do not mind." in part(press["Germany"], "plain").replace("\r\n", "\n")
    assert "> boo!" in part(press["Italy"], "plain") and desk.held("France") == ["A PAR-BUR"]


@pytest.mark.parametrize("last", ["F Bre - Mao", "READY", "1", "F Brest - Mid-Atlantik"])
def test_unclosed_press_with_what_may_be_meant_for_the_judge_is_asked_about(last: str, desk: Desk) -> None:
    answer, press = write(desk, "France", f"A Par - Bur\nPRESS TO GERMANY\nhello\n{last}\n")
    assert press == {} and desk.held("France") == ["A PAR-BUR"]
    assert "No line “END” closes it" in text_of(answer) and f"> {last}" in part(answer, "plain")
    if last == "F Bre - Mao":
        assert "1 if you mean" in text_of(answer)


def test_a_message_that_begins_inside_another_goes_to_neither(desk: Desk) -> None:
    """The END of the first was forgotten: what is for Russia must not reach Germany."""
    body = "PRESS TO GERMANY\nRussia is mine\nPRESS TO RUSSIA\nGermany is yours\nEND\n"
    answer, press = write(desk, "France", body)
    assert press == {} and "Another message begins inside it." in text_of(answer)


def test_late_orders_are_left_and_their_press_is_passed_on(desk: Desk) -> None:
    start = desk.mail("France", "STATUS")
    desk.pass_time(hours=23)
    answer, press = write(desk, "France", "A Par - Bur\nPRESS TO GERMANY\nhello\nEND\n", answering=start)
    assert set(press) == {"Germany"} and desk.held("France") == []
    assert "too late" in subject_of(answer) and "press passed on" in subject_of(answer)


def test_the_same_mail_twice_passes_on_once(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "PRESS TO GERMANY\nhello\nEND\n")
    for _ in range(2):
        desk.deliver(raw, to, sender)
        desk.work()
    desk.receive()
    assert len([m for m in desk.sent if ".press." in m["Message-ID"]]) == 1 and len(rows(desk)) == 1


def test_a_crash_in_the_middle_passes_on_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = desk.deliver(*desk.write("France", "PRESS TO GERMANY\nhello\nEND\n"))
    monkeypatch.setattr(inbox, "done", lambda *a, **k: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        desk.work()
    assert rows(desk) == [] and kept is not None
    assert desk.receive() == []


# ── before the start and after the end ───────────────────────────────────────────────────────────────────────────────


def test_before_the_start_press_is_refused_kindly(new_game: Any) -> None:
    desk = new_game(start=False)
    answer, press = write(desk, "France", "PRESS TO GERMANY\nhello\nEND\n")
    assert press == {} and "The game has not started yet." in text_of(answer) and "> hello" in text_of(answer)
    assert "press not passed on" in subject_of(answer)


@pytest.mark.parametrize(("preset", "kinds", "goes"), [("china", "both", True), ("standard", "none", False)])
def test_after_the_end_press_is_open(preset: str, kinds: str, goes: bool, new_game: Any) -> None:
    desk = new_game(preset, press__kinds=kinds, victory__end__turn="S1901", victory__end__counts="centres")
    while desk.show()["state"] != "ended":
        desk.pass_time(hours=25)
    desk.receive()
    answer, press = write(desk, "France", "BROADCAST\nWell played! A Par - Bur was a joke.\nA Par - Bur\n")
    assert len(press) == (6 if goes else 0)
    assert ("went to all other powers" in text_of(answer)) == goes
    assert ("press.kinds = none" in text_of(answer)) != goes


# ── the same words again ─────────────────────────────────────────────────────────────────────────────────────────────

LETTER = """Dear neighbour,
the fleet in the Channel is yours to keep, if you leave Belgium to me this year.
Shall we agree on that before the Spring orders are due?
Yours in friendship, and for a long time to come."""


def test_words_that_were_given_back_go_whole_when_they_are_sent_again(desk: Desk) -> None:
    answer, _ = write(desk, "England", f"PRESS TO FRNACE\n{LETTER}\nEND\n")
    assert "> Shall we agree on that before the Spring orders are due?" in part(answer, "plain")
    write(desk, "England", f"PRESS TO FRANCE\n{LETTER}\nEND\n", answering=answer)
    write(desk, "England", f"PRESS TO GERMANY\n{LETTER}\nEND\n", answering=answer)
    assert [row.text for row in rows(desk)] == [LETTER] * 3


def test_what_somebody_wrote_can_be_told_to_another(desk: Desk) -> None:
    _, press = write(desk, "England", f"PRESS TO FRANCE\n{LETTER}\nEND\n")
    write(desk, "France", f"PRESS TO GERMANY\nEngland wrote:\n{LETTER}\nEND\n", answering=press["France"])
    assert rows(desk)[-1].text == f"England wrote:\n{LETTER}"


@pytest.mark.parametrize(
    "line", ["Shall we leave the Channel empty?", "我们把英吉利海峡空出来好不好，请你今天回答我", "yes"]
)
def test_one_line_can_be_said_to_one_after_another(line: str, desk: Desk) -> None:
    for power in ("FRANCE", "GERMANY"):
        write(desk, "England", f"PRESS TO {power}\n{line}\nEND\n")
    assert [(row.text, row.state) for row in rows(desk)] == [(line, "passed-on")] * 2


# ── bounds, and hostile words ────────────────────────────────────────────────────────────────────────────────────────


def test_too_long_a_message_is_refused_with_the_figure(desk: Desk) -> None:
    line = "the quick brown fox jumps over the lazy dog 0123456789\n"
    answer, press = write(desk, "France", f"PRESS TO GERMANY\n{line * 400}END\n")
    assert press == {} and "It has 21999 characters; the most is 20000." in text_of(answer)
    assert "Your words begin so; your own mail holds all of them:" in text_of(answer)
    answer, press = write(desk, "France", f"PRESS TO GERMANY\n{line * 360}END\n")
    assert set(press) == {"Germany"}, text_of(answer)


def test_no_more_than_twenty_messages_a_mail(desk: Desk) -> None:
    answer = desk.mail("France", "".join(f"PRESS TO GERMANY\nmessage {n}\nEND\n" for n in range(23)))
    assert "20 of 23 messages passed on" in subject_of(answer)
    assert "One mail may hold 20 messages at most." in text_of(answer) and "> message 22" in text_of(answer)
    assert [row.state for row in rows(desk)] == ["passed-on"] * 20 + ["refused"]


def test_words_are_no_markup_and_no_header(desk: Desk) -> None:
    words = "<script>alert(1)</script> <img src=x> {{ 7*7 }} %(who)s & co\nBcc: eve@example.org"
    _, press = write(desk, "France", f"PRESS TO GERMANY\n{words}\nEND\n")
    html = part(press["Germany"], "html")
    assert "<script" not in html and "<img" not in html and "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "{{ 7*7 }} %(who)s &amp; co" in html and press["Germany"]["Bcc"] is None


def test_a_table_stays_a_table_and_long_lines_are_wrapped_behind_their_mark(desk: Desk) -> None:
    long = "word " * 40
    _, press = write(desk, "France", f"PRESS TO GERMANY\nEng   3   A\nFra   4   B\n{long}\nEND\n")
    lines = part(press["Germany"], "plain").splitlines()
    assert "> Eng   3   A" in lines and max(map(len, lines)) <= 72
    assert sum(line.startswith("> word") for line in lines) == 3


@pytest.mark.parametrize("quote", ["marks", "bare", "html"])
def test_an_answer_that_quotes_press_takes_none_of_its_lines(quote: str, desk: Desk) -> None:
    """Lines like orders of the reader's own units, and END and PRESS lines, in press: an answer quotes them all."""
    evil = "A Par - Bur\n  F Bre - Mao\nFrance: A Mar - Spa\n1\nCLEAR\nPRESS TO THE LIMIT\nI give up"
    body = f"PRESS TO FRANCE\n{evil}\nEND\n"
    _, press = write(desk, "Germany", body)
    sent = part(press["France"], "plain").replace("\r\n", "\n")
    kwargs: dict[str, Any] = {"answering": press["France"]}
    if quote == "marks":
        text = "No.\n\nOn Tue, 1 Dec 2026, Germany wrote:\n" + "\n".join("> " + line for line in sent.splitlines())
    elif quote == "bare":
        text = "No.\n\n-----Original Message-----\nFrom: Germany (spring42) <spring42@judge.example.org>\n\n" + sent
    else:
        text = "<p>No.</p>" + part(press["France"], "html")
        kwargs["headers"] = {"Content-Type": "text/html; charset=utf-8"}
    answer, onward = write(desk, "France", text, **kwargs)
    assert desk.held("France") == [] and onward == {}
    assert "question" not in subject_of(answer) and "not used" not in subject_of(answer)


@pytest.mark.slow
def test_a_player_cannot_flood_the_others(desk: Desk) -> None:
    """So many messages a day are passed on, and what is beyond them is given back."""
    for _ in range(6):
        answer = desk.mail("France", "\n".join(f"PRESS TO ITALY\nmessage {n}\nEND" for n in range(20)))
    assert sum(row.state == "passed-on" for row in rows(desk)) == press.MOST_A_DAY
    assert "100 messages of one player a day at most" in text_of(answer)
    desk.now += timedelta(hours=25)
    desk.mail("France", "PRESS TO ITALY\nthe next day\nEND")
    assert rows(desk)[-1].state == "passed-on"


def test_a_message_of_nothing_but_headings_is_not_looked_at_for_ever(desk: Desk) -> None:
    """No word of it is compared with all names of the board, and one that is too long is not read at all."""
    body = "PRESS TO ITALY\n" + "press to anbody xcept trky\n" * 1500 + "END\nA PAR-BUR"
    answer = desk.mail("France", body)
    assert answer is not None and "the most is 20" in text_of(answer)
    assert desk.held("France") == ["A PAR-BUR"]


def test_the_address_under_signed_press_is_the_writers_own(desk: Desk) -> None:
    """Also if the seat has changed hands before the mail was made."""
    game = games.get(desk.judge.store, "spring42")
    with desk.judge.store.transaction():
        shown = load_rules("standard")
        desk.judge.store.run("UPDATE games SET rules = ?", codec.rules_to_text(replace(shown, powers_addresses="shown")))
    desk.deliver(*desk.write("France", "PRESS TO ITALY\nhello\nEND"))
    taken = intake.step(desk.judge, desk.now)
    assert taken is not None and taken.fault is None
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, game.id, "France", "newcomer@example.org")
    desk.work()
    (to_italy,) = [m for m in desk.receive() if m["To"] == "italy@example.org"]
    assert "france@example.org" in text_of(to_italy) and "newcomer" not in text_of(to_italy)
