"""Orders written ahead: kept under the phase that a heading names, and read when that phase opens."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.notation import Context, read_line
from judge.play import setup
from judge.play.judge import open_table
from judge.play.later import MOST_LINES, split
from judge.store import games, laterorders
from judge.variants import load_rules
from judge.variants.names import load_names

Desk = Any


def text_of(message: Message | None) -> str:
    assert message is not None
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    return part.get_payload(decode=True).decode()  # type: ignore[union-attr]


def flat(message: Message | None) -> str:
    return re.sub(r"\s+", " ", text_of(message))


def kept(desk: Desk, power: str = "France", game: str = "spring42") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in laterorders.kept(desk.judge.store, games.get(desk.judge.store, game).id, power):
        found.setdefault(one.phase, []).extend(one.lines)
    return found


def result_of(desk: Desk, power: str, game: str = "spring42") -> Message:
    """The result mail that a power gets when the deadline passes."""
    desk.pass_time(hours=24)
    mails = [m for m in desk.receive() if m["To"].startswith(power.lower()) and f"{game}." in m["Message-ID"]]
    return next(m for m in mails if ".result." in m["Message-ID"])


# ── where a line belongs ─────────────────────────────────────────────────────────────────────────────────────────────

PAR = "A PAR-BUR"
SPLITS = {
    "turn-code": (f"F1901\n{PAR}", [], {"F1901M": ["F1901", PAR]}),
    "phase-code": (f"F1903M\n{PAR}", [], {"F1903M": ["F1903M", PAR]}),
    "retreats-code": (f"F1901R\n{PAR}", [], {"F1901R": ["F1901R", PAR]}),
    "words": (f"Fall 1901\n{PAR}", [], {"F1901M": ["Fall 1901", PAR]}),
    "year-first": (f"05-F\n{PAR}", [], {"F1905M": ["05-F", PAR]}),
    "retreats-in-words": (f"Autumn 1901 retreats\n{PAR}", [], {"F1901R": ["Autumn 1901 retreats", PAR]}),
    "winter": ("Winter 1901\nA PAR", [], {"W1901A": ["Winter 1901", "A PAR"]}),
    "japanese": ("1901年秋\n陸軍 パリ→ブルゴーニュ", [], {"F1901M": ["1901年秋", "陸軍 パリ→ブルゴーニュ"]}),
    "chinese": ("1901年秋季\nA巴黎-勃艮第", [], {"F1901M": ["1901年秋季", "A巴黎-勃艮第"]}),
    "chinese-retreats": ("1901年秋季撤退\nA巴黎-勃艮第", [], {"F1901R": ["1901年秋季撤退", "A巴黎-勃艮第"]}),
    "german": (f"Herbst 1901\n{PAR}", [], {"F1901M": ["Herbst 1901", PAR]}),
    "season-alone": (f"Fall:\n{PAR}", [], {"F1901M": ["Fall:", PAR]}),
    "later-on-one-line": (f"LATER F1903M {PAR}\nA MAR-SPA", ["A MAR-SPA"], {"F1903M": [PAR]}),
    "later-heading": (f"LATER F1903M\n{PAR}\nA MAR-SPA", [], {"F1903M": ["F1903M", PAR, "A MAR-SPA"]}),
    "turn-before-the-order": (f"Fall 1901: {PAR}\nA MAR-SPA", ["A MAR-SPA"], {"F1901M": [PAR]}),
    "now-first": (f"A MAR-SPA\nF1901\n{PAR}", ["A MAR-SPA"], {"F1901M": ["F1901", PAR]}),
    "back-to-now": (f"F1901\n{PAR}\nS1901M\nA MAR-SPA", ["S1901M", "A MAR-SPA"], {"F1901M": ["F1901", PAR]}),
    "blank-lines-do-not-end-it": (f"F1901\n\n{PAR}\n\nA MAR-SPA", [], {"F1901M": ["F1901", PAR, "A MAR-SPA"]}),
    "a-greeting-is-not-kept": (f"F1901\n{PAR}\nCheers, Pierre", [], {"F1901M": ["F1901", PAR]}),
    "a-heading-alone-is-nothing": ("F1901\nsee you", [], {}),
    "the-phase-now-open": (f"S1901M\n{PAR}", ["S1901M", PAR], {}),
    "an-earlier-turn": (f"F1900\n{PAR}", ["F1900", PAR], {}),
    "a-year-alone-names-no-phase": (f"1902\n{PAR}", ["1902", PAR], {}),
    "another-power": (f"Germany F1901:\n{PAR}", ["Germany F1901:", PAR], {}),
    "far-away": (f"F1991\n{PAR}", ["F1991", PAR], {}),
    "commands-stay-now": (f"F1901\n{PAR}\nREADY\n2", ["READY", "2"], {"F1901M": ["F1901", PAR]}),
    "a-sentence-with-a-turn": ("I will be away in fall 1901: sorry", ["I will be away in fall 1901: sorry"], {}),
    "a-whole-year": (
        f"{PAR}\nFall 1901\nA BUR-MUN\nRetreats:\nA BUR-PIC\nBuilds:\nA PAR\nSpring 1902\nA MUN-RUH\nFall\nA RUH-HOL",
        [PAR],
        {
            "F1901M": ["Fall 1901", "A BUR-MUN"],
            "F1901R": ["Retreats:", "A BUR-PIC"],
            "W1901A": ["Builds:", "A PAR"],
            "S1902M": ["Spring 1902", "A MUN-RUH"],
            "F1902M": ["Fall", "A RUH-HOL"],
        },
    ),
}


@pytest.mark.parametrize(("text", "now", "later"), SPLITS.values(), ids=SPLITS)
def test_where_a_line_belongs(desk: Desk, text: str, now: list[str], later: dict[str, list[str]]) -> None:
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    found = split(text.split("\n"), table, "France")
    assert (found.now, found.sections) == (now, later)


CLEARS = {
    "one-phase": ("CLEAR F1903M", "F1903M"),
    "in-words": ("clear fall 1903", "F1903M"),
    "all": ("CLEAR LATER", None),
    "chinese": ("取消 1903年秋季", "F1903M"),
    "japanese": ("1903年秋の命令を取消", "F1903M"),
}


@pytest.mark.parametrize(("line", "phase"), CLEARS.values(), ids=CLEARS)
def test_what_drops_kept_lines(desk: Desk, line: str, phase: str | None) -> None:
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    found = split([line], table, "France")
    assert (found.clears, found.now) == ([(line, phase)], [])


def test_clear_below_a_later_heading_is_about_that_phase(desk: Desk) -> None:
    desk.mail("France", "A Par-Bur")
    desk.mail("France", f"F1901\n{PAR}")
    desk.mail("France", "F1901\nCLEAR\nA Mar-Spa")
    assert desk.held("France") == ["A PAR-BUR"]
    assert kept(desk) == {"F1901M": ["F1901", "A Mar-Spa"]}


# ── keeping and telling ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_receipt_says_what_is_kept_for_which_phase(desk: Desk) -> None:
    answer = flat(desk.mail("France", "A Par-Bur\nF1901\nA Bur-Mun\nF1903M: F Bre-Eng"))
    assert "Kept for Fall 1901, to be read when it opens: you wrote “F1901” you wrote “A Bur-Mun”" in answer
    assert "Kept for Fall 1903, to be read when it opens: you wrote “F Bre-Eng”" in answer
    assert desk.held("France") == ["A PAR-BUR"]
    assert desk.outcome == "orders"


def test_orders_for_later_alone_are_an_outcome_of_their_own(desk: Desk) -> None:
    answer = flat(desk.mail("France", "LATER F1903M A Par-Bur"))
    assert desk.outcome == "ahead"
    assert "could not use" not in answer
    assert desk.held("France") == []


def test_status_shows_what_is_kept_and_other_receipts_do_not(desk: Desk) -> None:
    desk.mail("France", "F1901\nA Bur-Mun")
    assert "A Bur-Mun" not in text_of(desk.mail("France", "A Par-Bur"))
    assert "you wrote “A Bur-Mun”" in text_of(desk.mail("France", "STATUS"))
    assert "A Bur-Mun" not in text_of(desk.mail("Germany", "STATUS"))


def test_clear_later_drops_all_and_clear_alone_nothing_of_it(desk: Desk) -> None:
    desk.mail("France", "F1901\nA Bur-Mun\nF1903M\nA Par-Bur")
    desk.mail("France", "CLEAR")
    assert set(kept(desk)) == {"F1901M", "F1903M"}
    desk.mail("France", "CLEAR F1903M")
    assert set(kept(desk)) == {"F1901M"}
    assert "2 lines that were kept for later are dropped" in flat(desk.mail("France", "CLEAR LATER"))
    assert kept(desk) == {}
    assert "nothing was kept" in flat(desk.mail("France", "CLEAR LATER"))


def test_too_many_lines_for_a_phase_are_told_and_not_kept(desk: Desk) -> None:
    answer = flat(desk.mail("France", "F1901\n" + "\n".join(["A Bur-Mun"] * MOST_LINES)))
    assert kept(desk) == {}
    assert f"{MOST_LINES} lines are kept" in answer


def test_a_proxy_line_for_later_is_told(desk: Desk) -> None:
    answer = flat(desk.mail("France", "F1901\nA Bur-Mun\nPROXY A MAR TO ENGLAND"))
    assert "only orders can be kept for a later phase" in answer


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_they_are_read_when_the_phase_opens(desk: Desk) -> None:
    desk.mail("France", "A Par-Bur\nF1901\nA Bur-Mun\nA Ruhr-Kiel")
    result = result_of(desk, "France")
    assert desk.show()["phase"] == "F1901M"
    assert desk.held("France") == ["A BUR-MUN"]
    text = flat(result)
    assert "On file for it already, as you wrote ahead: [held] A Burgundy - Munich" in text
    assert "One line that you wrote ahead could not be used: you wrote “A Ruhr-Kiel”" in text
    assert kept(desk) == {}


def test_nobody_else_sees_them(desk: Desk) -> None:
    desk.mail("France", "A Par-Bur\nF1901\nA Bur-Mun")
    desk.pass_time(hours=24)
    for mail in desk.receive():
        assert ("wrote ahead" in text_of(mail)) == mail["To"].startswith("france")


def test_a_later_mail_replaces_unit_by_unit(desk: Desk) -> None:
    desk.mail("France", "F1901\nA Par-Bur\nA Mar-Spa")
    desk.mail("France", "F1901\nA Par-Pic")
    desk.pass_time(hours=24)
    assert desk.held("France") == ["A MAR-SPA", "A PAR-PIC"]


@pytest.mark.parametrize(
    ("rule", "held"),
    [("replace", ["A PAR-PIC"]), ("first", ["A PAR-BUR", "A MAR-SPA"])],
    ids=["replace", "first"],
)
def test_whole_sets_as_the_house_rules_say(desk: Desk, rule: str, held: list[str]) -> None:
    rules = replace(load_rules("standard"), orders_sets=rule)
    started(desk, "sets", rules)
    for body in ("F1901\nA Par-Bur\nA Mar-Spa", "F1901\nA Par-Pic"):
        desk.mail("France", body, to=desk.reply_to("France", "sets"))
    desk.pass_time(hours=24)
    assert next(s["orders"] for s in desk.show("sets")["seats"] if s["power"] == "France") == held


def test_orders_of_the_open_phase_replace_what_was_written_ahead(desk: Desk) -> None:
    desk.mail("France", "F1901\nA Par-Bur")
    result = result_of(desk, "France")
    desk.mail("France", "A Par-Pic", answering=result)
    assert desk.held("France") == ["A PAR-PIC"]


def test_a_phase_that_never_comes_is_told_in_one_sentence(desk: Desk) -> None:
    desk.mail("France", "S1901R\nA Par-Bur")
    text = flat(result_of(desk, "France"))
    assert re.search(r"What you wrote ahead for Spring 1901[^.]{0,12} was not needed\.", text)
    assert kept(desk) == {}
    assert "was not needed" not in flat(result_of(desk, "France"))


def test_a_year_played_out_of_one_mail(desk: Desk) -> None:
    desk.mail("France", "A Mar-Spa\nA Par-Bur\nF Bre-Mao\nFall 1901\nF Mao-Por\nRetreats:\nA Bur-Par\nBuilds:\nA Par\nF Bre")
    desk.pass_time(hours=24)
    assert desk.held("France") == ["F MAO-POR"]
    desk.pass_time(hours=24)
    assert desk.show()["phase"] == "W1901A"
    assert desk.held("France") == ["A PAR B", "F BRE B"]
    desk.pass_time(hours=24)
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    assert {f"{u.type} {u.at}" for u in table.position.units_of("France")} >= {"A par", "F bre"}


def test_a_mail_after_the_deadline_is_kept_for_its_later_phase(desk: Desk) -> None:
    desk.now += timedelta(hours=24)
    desk.mail("France", "A Par-Bur\nF1902\nA Par-Bur")
    assert kept(desk) == {"F1902M": ["F1902", "A Par-Bur"]}


def started(desk: Desk, name: str, rules: Any) -> None:
    players = {s.power: f"{s.power.lower()}@example.org" for s in games.seats(desk.judge.store, 1)}
    setup.create_game(desk.judge, name, rules=rules, players=players, now=desk.now)
    setup.start_game(desk.judge, name, desk.now)
    desk.work()
    desk.receive()


def test_a_sealed_game_shows_neither_kept_nor_held_orders(desk: Desk) -> None:
    started(desk, "seals", replace(load_rules("standard"), orders_secrecy="sealed"))
    answer = flat(desk.mail("France", "F1901\nA Par-Bur", to=desk.reply_to("France", "seals")))
    assert "2 lines are kept for Fall 1901, to be read" in answer
    assert "Par-Bur" not in answer
    text = flat(result_of(desk, "France", "seals"))
    assert "A Paris: an order is on file" in text
    assert "Burgundy" not in text.partition("YOUR UNITS")[0]


# ── together with what there was before ──────────────────────────────────────────────────────────────────────────────


def test_in_the_subject(desk: Desk) -> None:
    desk.mail("France", "", subject="F1901: A Par-Bur")
    assert kept(desk) == {"F1901M": ["A Par-Bur"]}
    assert desk.held("France") == []


def test_in_a_text_attachment(desk: Desk) -> None:
    raw, to, sender = desk.write("France", "")
    head = raw.partition(b"MIME-Version")[0]
    plain = b"Content-Type: text/plain; charset=utf-8\r\n"
    body = (
        b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\n" + plain + b"\r\nMy orders are in the file.\r\n"
        b"--b\r\n" + plain + b'Content-Disposition: attachment; filename="orders.txt"\r\n\r\n'
        b"A Par-Bur\r\nF1901\r\nA Bur-Mun\r\n--b--\r\n"
    )
    assert desk.deliver(head + body, to, sender) is not None
    desk.work()
    assert desk.held("France") == ["A PAR-BUR"]
    assert kept(desk) == {"F1901M": ["F1901", "A Bur-Mun"]}


def test_no_line_of_a_mail_of_ours_is_kept_as_an_order(desk: Desk) -> None:
    """Whatever comes back quoted without marks, a line of ours starts no section and drops nothing."""
    mails = [desk.mail("France", "A Par-Bur\nF1901\nA Bur-Mun\nA Ruh-Kie\nHELP\nSTATUS"), result_of(desk, "France")]
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    context = Context(table.board, load_names(table.board.name), table.position, "France", table.rules)
    for mail in mails:
        for line in text_of(mail).splitlines():
            found = split([line], table, "France")
            assert not found, line
            assert read_line(line, context).kind == "not-an-order" or not line.strip(), line
