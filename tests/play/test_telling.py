"""WHY, PREVIEW, HISTORY, SHOW and SUMMARY by mail, and what is answered before the start and after the end: they tell, each
only what its reader may know, and change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.mail.commands import parse as parse_command
from judge.mail.identity import Keys
from judge.play import Judge, rulings, setup, turn
from judge.play.verbs import history, previewing
from judge.store import Store, games, outbox
from judge.variants import load_rules

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
#: Spring 1901: France gets into Burgundy, Austria and Russia meet in Galicia
SPRING = {
    "France": "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao",
    "Germany": "A Mun-Bur\nF Kie-Den\nA Ber-Kie",
    "Austria": "A Vie-Gal\nA Bud-Ser\nF Tri-Alb",
    "Russia": "A War-Gal\nF Sev-Bla",
    "Italy": "A Ven-Tyr",
}


def text_of(message: Message | None) -> str:
    assert message is not None
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


@pytest.fixture
def fall(desk: Desk) -> Desk:
    """The Fall of 1901 after SPRING."""
    for power, orders in SPRING.items():
        desk.mail(power, orders)
    desk.pass_time(hours=24)
    desk.receive()
    return desk


@pytest.fixture
def forming(desk: Desk, tmp_path: Path) -> Desk:
    """A game that has not begun."""
    made = type(desk)(Judge(Store.open(tmp_path / "forming.db"), Keys(b"k" * 32), "judge.example.org"), now=desk.now)
    players = {p: f"{p.lower()}@example.org" for p in POWERS if p != "Turkey"}
    setup.create_game(
        made.judge, "spring42", rules=load_rules("standard"), players=players, master="ana@example.org", now=made.now
    )
    made.work()
    made.receive()
    return made


@pytest.fixture
def over(fall: Desk) -> Desk:
    rulings.change_rules(fall.judge, "spring42", [("victory.end.turn", "S1902")], who="Ana", now=fall.now)
    for _ in range(4):
        if games.get(fall.judge.store, "spring42").state == "running":
            turn.run_phase(fall.judge, "spring42", fall.now)
    fall.work()
    fall.receive()
    return fall


def until(desk: Desk, phase: str) -> None:
    """Let the deadlines pass until that phase is open."""
    for _ in range(12):
        if desk.show()["phase"] == phase:
            break
        desk.pass_time(hours=24)
    desk.receive()
    assert desk.show()["phase"] == phase


def ask(desk: Desk, body: str, power: str = "France", **more: Any) -> str:
    return text_of(desk.mail(power, body, **more))


# ── WHY ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

WHYS = [
    ("WHY A PAR", ["“A Paris - Burgundy”: went in", "With the support of A Marseilles it attacks with strength 2."]),
    ("Why Paris?", ["“A Paris - Burgundy”: went in"]),
    # where it stands now
    ("WHY A BUR", ["“A Paris - Burgundy”: went in"]),
    ("WHY A VIE S1901M", ["“A Vienna - Galicia”: bounced", "A Warsaw (Russia) It is bound for the same place"]),
    ("why vienna spring 1901", ["“A Vienna - Galicia”: bounced"]),
    ("なぜ ウィーン陸軍", ["“A Vienna - Galicia”: bounced"]),
    ("为什么 A 维也纳 1901年春", ["“A Vienna - Galicia”: bounced"]),
    ("為什麼 A 維也納 1901年春", ["“A Vienna - Galicia”: bounced"]),
    ("WHY F LON", ["England gave no order: held."]),
    ("WHY A MAR", ["“A Marseilles S A Paris - Burgundy”: given. The support counted."]),
    ("WHY A GAL", ["No order was about a unit in Galicia in Spring 1901."]),
    ("WHY A XYZ", ["“A XYZ” names no place of the board"]),
    ("WHY A PAR F1901M", ["No such phase has been played; those from Spring 1901 to Spring 1901 have been."]),
    ("WHY", ["Which unit is meant?"]),
]


@pytest.mark.parametrize(("line", "told"), WHYS, ids=[line for line, _ in WHYS])
def test_why(fall: Desk, line: str, told: list[str]) -> None:
    answer = ask(fall, line)
    assert [words for words in told if words not in answer] == []


def test_why_before_anything_was_played(desk: Desk) -> None:
    assert "No phase has been played yet." in ask(desk, "WHY A PAR")


def test_why_names_the_house_rule_that_decided(under: Callable[..., Desk]) -> None:
    """JP-15: a support against a unit of the own power, which was to leave and did not, became one of its holding."""
    desk = under("support.own_dislodge=becomes-hold")
    desk.mail("France", "A Par-Bur")
    desk.mail("Germany", "A Mun-Ruh\nA Ber-Mun")
    until(desk, "S1902M")
    desk.mail("Germany", "A Mun-Bur\nA Ruh S French A Bur-Mun")
    desk.mail("France", "A Bur-Mun\nA Mar-Bur")
    until(desk, "F1902M")
    answer = ask(desk, "WHY A RUH")
    assert "(House rule: support.own_dislodge = becomes-hold.)" in answer
    assert "The house rules that decided, in words" in answer


def test_why_of_a_driven_out_unit_tells_where_it_could_go(fall: Desk) -> None:
    fall.mail("France", "A Bur-Mun\nF Mao-Por")
    fall.mail("Italy", "A Tyr S French A Bur-Mun")
    until(fall, "F1901R")
    fall.mail("Germany", "A Mun-Sil")
    until(fall, "W1901A")
    fall.mail("France", "build F Brest")
    until(fall, "S1902M")
    answer = ask(fall, "WHY A MUN F1901R\nWHY A MUN F1901M\nWHY BRE W1901A", "Germany")
    assert "“A Munich - Silesia”: got away." in answer
    assert "It had been attacked from Burgundy. Open to it were:" in answer
    assert "With the support of A Tyrolia it attacks with strength 2." in answer
    assert "Centres: 5. Units: 3." in answer or "To be built: " in answer


def test_why_so_often_a_mail(fall: Desk) -> None:
    places = ["PAR", "MAR", "BRE", "MUN", "BER", "KIE", "VIE", "BUD", "TRI", "WAR", "SEV", "MOS", "LON", "EDI", "LVP"]
    answer = ask(fall, "\n".join(f"WHY {place}" for place in places))
    assert answer.count("WHY: ") == 12 and "Of WHY one mail may hold 12; the rest was not answered." in answer


# ── PREVIEW ──────────────────────────────────────────────────────────────────────────────────────────────────────────

LINES = """PREVIEW
A Bur-Mun
A Mar S A Bur-Mun
GERMANY:
A Mun-Bur
F Den-Swe
Austria: A Ser S Russia A War-Gal, A Vie-Gal
A Pars-Pic
END
"""


def test_a_preview_tells_outcomes_and_board_and_keeps_nothing(fall: Desk) -> None:
    fall.mail("France", "A Bur H")
    answer = ask(fall, LINES)
    for words in (
        "A PREVIEW OF FALL 1901",
        "None of them is on file, and nobody else sees them. Units without an order here hold.",
        "You wrote “A Pars-Pic”.",
        "A Burgundy - Munich bounced",
        "F Denmark - Sweden went in",
        "Germany armies stand in Kiel and Munich; fleet stands in Sweden",
        "Next would be Winter 1901 adjustments.",
    ):
        assert words in answer
    assert fall.held("France") == ["A BUR H"] and not fall.held("Germany") and not fall.held("Austria")


def test_orders_beside_a_preview_are_taken(fall: Desk) -> None:
    answer = ask(fall, "A Mar-Spa\n" + LINES + "F Mao-Por")
    assert fall.held("France") == ["A MAR-SPA", "F MAO-POR"] and "A PREVIEW OF FALL 1901" in answer


def test_without_end_all_to_the_end_of_the_mail_is_the_preview(fall: Desk) -> None:
    answer = ask(fall, "PREVIEW\nA Bur-Mun\n\nF Mao-Por\nREADY\nSTATUS")
    assert fall.held("France") == [] and "No END stood below them" in answer and "F Mid-Atlantic Ocean - Portugal" in answer


HEADS = [
    "preview:",
    "Preview of my orders:",
    "PREVIEW F1901M",
    "*PREVIEW*",
    "プレビュー",
    "試算：",
    "预演：",
    "试算",
    "推演",
    "Predict:",
]


@pytest.mark.parametrize("head", HEADS)
def test_whatever_stands_beside_the_word_nothing_below_is_an_order(fall: Desk, head: str) -> None:
    assert "A PREVIEW OF FALL 1901" in ask(fall, f"{head}\nA Bur-Mun\nF Mao-Por")
    assert fall.held("France") == []


@pytest.mark.parametrize("subject", ["PREVIEW", "[spring42] preview", "spring42: PREVIEW:"])
def test_a_subject_heads_the_lines_of_its_mail(fall: Desk, subject: str) -> None:
    assert "A PREVIEW OF FALL 1901" in ask(fall, "A Bur-Mun\nF Mao-Por\n", subject=subject)
    assert fall.held("France") == []


def test_a_preview_of_another_phase_is_refused(fall: Desk) -> None:
    assert "A preview is of the phase that is open, Fall 1901." in ask(fall, "PREVIEW S1903M\nA Bur-Mun\nEND")
    assert fall.held("France") == []


def test_a_preview_tells_nothing_of_what_the_others_have_sent(fall: Desk) -> None:
    """The same mail, before and after the others' orders came, is answered the same."""
    before = previewed(fall, "France", LINES)
    fall.mail("Germany", "A Mun-Tyr\nF Den-Nth\nA Kie-Ruh\nREADY")
    fall.mail("Russia", "A War-Sil\nF Bla-Rum\nWAIT")
    assert previewed(fall, "France", LINES) == before


def previewed(desk: Desk, who: str, body: str) -> list[Any]:
    seen = {line.id for line in due(desk)}
    desk.mail(who, body, to=desk.reply_to(who))
    new = [line for line in due(desk, sent=True) if line.id not in seen and line.power == who]
    return [one["args"] for line in new for one in line.args.get("answers", ()) if one["code"] == "preview"]


def due(desk: Desk, sent: bool = False) -> list[Any]:
    rows = desk.judge.store.rows("SELECT id FROM outbox ORDER BY id")
    return [outbox.load(desk.judge.store, row["id"]) for row in rows]


def test_a_player_without_lines_is_told_how(fall: Desk) -> None:
    assert "The orders to try out are missing" in ask(fall, "PREVIEW")


def test_the_master_sees_what_is_on_file_unless_they_play(fall: Desk) -> None:
    fall.mail("Germany", "A Mun-Bur\nF Den-Swe")
    setup.set_master(fall.judge, "spring42", "ana@example.org", who="operator", now=fall.now)
    answer = text_of(of_master(fall, "PREVIEW"))
    assert "This would come of the orders that are on file now" in answer and "F Denmark - Sweden went in" in answer
    assert "A Munich - Silesia went in" in text_of(of_master(fall, "PREVIEW\nA Mun-Sil\nEND"))
    setup.set_master(fall.judge, "spring42", "germany@example.org", who="operator", now=fall.now)
    answer = text_of(of_master(fall, "PREVIEW"))
    assert "does not see what is on file for the others" in answer and "Sweden" not in answer


def of_master(desk: Desk, body: str) -> Message | None:
    desk.work()
    desk.receive()
    desk.deliver(*desk.write("master", body))
    desk.work()
    return next(iter(desk.receive()), None)


def test_a_preview_of_retreats_and_builds(fall: Desk) -> None:
    fall.mail("Germany", "F Den-Swe")
    fall.mail("France", "F Mao-Spa/sc")
    fall.pass_time(hours=24)
    fall.receive()
    assert fall.show()["phase"] == "W1901A"
    answer = ask(fall, "PREVIEW\nbuild F Brest\nGERMANY:\nA Mun B\nwaive\nEND")
    assert "F Brest was built" in answer and "A Munich" in answer and fall.held("France") == []


def test_a_preview_of_endless_lines_is_bounded(fall: Desk) -> None:
    table: Any = previewing_table(fall)
    answer = previewing.of_lines(table, [f"A Bur - Mun and perhaps {n} A Pic S A Bel" for n in range(5000)], "France")
    assert answer.args["left"] == 5000 - previewing.MOST_LINES and len(answer.args["strange"]) <= previewing.MOST_TOLD


def previewing_table(desk: Desk) -> Any:
    from judge.play.judge import open_table

    return open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))


# ── HISTORY ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def long(fall: Desk) -> Desk:
    """Played to Spring 1903, with press that not everybody got."""
    fall.mail("Italy", "PRESS TO ALL\nTyrol is mine, says Italy.\nEND")
    fall.mail("Italy", "PRESS TO FRANCE\nA secret of two.\nEND")
    fall.mail("Germany", "GREY PRESS TO ALL\nNobody knows me.\nEND")
    until(fall, "S1903M")
    return fall


def phases_told(answer: str) -> list[str]:
    return [words.split(" >")[0] for words in answer.split("What came of ")[1:]]


SPANS = [
    ("HISTORY", ["Spring 1901", "Fall 1901", "Spring 1902", "Fall 1902"]),
    ("HISTORY S1902M", ["Spring 1902"]),
    ("HISTORY FROM F1901M TO S1902M", ["Fall 1901", "Spring 1902"]),
    ("HISTORY F1901M..S1902M", ["Fall 1901", "Spring 1902"]),
    ("history 1902", ["Spring 1902", "Fall 1902"]),
    ("HISTORY TO F1901", ["Spring 1901", "Fall 1901"]),
    ("履歴 1901年秋から1902年春まで", ["Fall 1901", "Spring 1902"]),
    ("历史 1902年秋", ["Fall 1902"]),
]


@pytest.mark.parametrize(("line", "names"), SPANS, ids=[line for line, _ in SPANS])
def test_history(long: Desk, line: str, names: list[str]) -> None:
    told = phases_told(ask(long, line))
    assert [name for name in told if "adjustments" not in name] == names


def test_history_of_what_was_not_played(long: Desk) -> None:
    assert "No such phase has been played" in ask(long, "HISTORY F1909M")
    assert "names no phase" not in ask(long, "HISTORY 1899")


def test_history_shows_press_to_all_to_those_who_got_it_and_no_other(long: Desk) -> None:
    answer = ask(long, "HISTORY")
    assert "Tyrol is mine, says Italy." in answer and "A secret of two." not in answer
    assert "To all, unsigned," in answer and "Nobody knows me." in answer and "Germany to all" not in answer
    store, game = long.judge.store, games.get(long.judge.store, "spring42")
    assert all(not phase["press"] for phase in history.history_of(store, game).args["phases"])
    assert all(not phase["press"] for phase in history.history_of(store, game, reader="master").args["phases"])


def test_a_mail_holds_one_history(long: Desk) -> None:
    answer = ask(long, "HISTORY S1901M\nHISTORY F1901M")
    assert phases_told(answer) == ["Spring 1901"] and "Of HISTORY one mail may hold 1" in answer


def test_a_long_history_is_cut_to_the_latest_and_says_how_to_get_the_rest(long: Desk, monkeypatch: Any) -> None:
    monkeypatch.setattr(history, "ROOM", 12_000)
    answer = ask(long, "HISTORY")
    assert "Fall 1902" in phases_told(answer) and "Spring 1901" not in phases_told(answer)
    monkeypatch.undo()
    line = answer.split("come with “")[1].split("”")[0]
    assert parse_command(line) is not None and phases_told(ask(long, line))[0] == "Spring 1901"


@pytest.mark.slow
def test_no_mail_with_a_history_is_larger_than_the_room_for_one(fall: Desk) -> None:
    """Eight seasons in each language, with long press: under 100 kB."""
    words = "ながい手紙を書きます。" * 400
    for season in range(8):
        for power in POWERS[:2]:
            fall.mail(power, f"PRESS TO ALL\n{season} {words}\nEND")
        fall.pass_time(hours=24)
        fall.receive()
    for language in ("en", "ja", "zh-Hans", "zh-Hant"):
        setup.set_reader(fall.judge, "spring42", "France", language=language, timezone="UTC", who="t", now=fall.now)
        answer = fall.mail("France", "HISTORY")
        assert answer is not None and len(answer.as_bytes()) < 100_000


# ── SHOW, SUMMARY, and words that are about orders where there are none ──────────────────────────────────────────────


def test_show_tells_a_player_no_address_unless_the_rules_show_them(desk: Desk, under: Callable[..., Desk]) -> None:
    answer = ask(desk, "SHOW")
    assert "France you; 3 centres, 3 units" in answer and "Germany has a player; 3 centres, 3 units" in answer
    assert "@example.org" not in answer.replace("judge.example.org", "")


def test_show_tells_the_master_who_plays(desk: Desk) -> None:
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    assert "Germany germany@example.org; 3 centres, 3 units" in text_of(of_master(desk, "SHOW"))


def test_a_summary_before_anything_was_played_is_the_board_as_it_stands(desk: Desk) -> None:
    assert "No year is over yet. centres units Austria 3 3" in ask(desk, "SUMMARY")


EARLY = [
    ("STATUS", "THE GAME SPRING42 State it has not begun"),
    ("SHOW", "Turkey has no player"),
    ("RULES", "THE HOUSE RULES OF SPRING42"),
    ("HELP", "THE MANUAL A line with one of these words alone is a command."),
    ("READY", "READY has no meaning before the game has started."),
    ("CLEAR", "CLEAR has no meaning before the game has started."),
    ("PREVIEW\nA Par-Bur", "PREVIEW has no meaning before the game has started."),
]


@pytest.mark.parametrize("said", ["HELP ME", "help me", "Help me!"])
def test_help_me_is_a_chapter(desk: Desk, said: str) -> None:
    answer = ask(desk, said)
    assert "YOUR ADDRESS AND YOU" in answer and "NEW ADDRESS" in answer


@pytest.mark.parametrize(("said", "told"), EARLY, ids=[said.split("\n")[0] for said, _ in EARLY])
def test_before_the_start_every_word_is_answered(forming: Desk, said: str, told: str) -> None:
    assert told in ask(forming, said) and forming.outcome == "command"


LATE = [
    ("STATUS", "The board at the end"),
    ("HELP", "THE MANUAL"),
    ("WAIT", "WAIT has no meaning any more: the game is over."),
    ("WHY A PAR S1901M", "“A Paris - Burgundy”: went in"),
    ("HISTORY", "What came of Spring 1901"),
    ("RULES\nSUMMARY", "CENTRES BY YEAR"),
    ("PREVIEW\nA Par-Bur", "PREVIEW has no meaning any more: the game is over."),
]


@pytest.mark.parametrize(("said", "told"), LATE, ids=[said.split("\n")[0] for said, _ in LATE])
def test_after_the_end_every_word_is_answered(over: Desk, said: str, told: str) -> None:
    assert told.casefold() in ask(over, said).casefold()


# ── nothing is changed, and a second time tells the same ─────────────────────────────────────────────────────────────


def stored(desk: Desk) -> Iterator[tuple[str, list[Any]]]:
    rows = desk.judge.store.rows
    for name in ("games", "phases", "orders", "press", "log", "questions", "standings"):
        if rows("SELECT 1 FROM sqlite_master WHERE name = ?", name):
            yield name, [tuple(row.values()) for row in rows("SELECT * FROM " + name)]  # noqa: S608 (our own names)


@pytest.mark.parametrize("said", ["WHY A PAR", "HISTORY", "SHOW", "SUMMARY", LINES], ids=lambda said: said.split("\n")[0])
def test_asked_twice_it_tells_the_same_and_changes_nothing(fall: Desk, said: str) -> None:
    before = dict(stored(fall))
    first = ask(fall, said).split("YOUR ORDERS")[0]
    assert ask(fall, said).split("YOUR ORDERS")[0] == first
    assert dict(stored(fall)) == before and len(before) >= 5


def test_a_sentence_that_begins_like_a_preview_takes_no_orders(fall: Desk) -> None:
    ask(fall, "Predict trouble for me\nA Bur-Mun\nF Mao-Por")
    assert fall.held("France") == ["A BUR-MUN", "F MAO-POR"]


def test_orders_below_a_statement_that_nobody_closed_are_asked_about(fall: Desk) -> None:
    answer = ask(fall, "STATEMENT\nThank you all.\nA Bur-Mun")
    assert fall.held("France") == [] and "A Burgundy - Munich" in answer and "Thank you" not in answer
