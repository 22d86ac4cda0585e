"""Ranked lists for retreats and adjustments to come: read out of a mail, kept, and used when their power is silent."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.notation import Context, read_lines, write
from judge.notation.ranked import of_stored
from judge.play.judge import open_table
from judge.play.later import split, split_in
from judge.play.verify import verify_game
from judge.rules.position import starting_position
from judge.store import games, laterorders
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

Desk = Any
ROWS: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "data" / "lists.toml").read_text("utf-8"))


def text_of(message: Message | None) -> str:
    assert message is not None
    (part,) = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    return re.sub(r"\s+", " ", part.get_payload(decode=True).decode())  # type: ignore[union-attr]


def austria() -> Context:
    """Austria in Spring 1901."""
    board = load_board("standard")
    return Context(board, load_names("standard"), starting_position(board), "Austria", load_rules("standard", board))


def kept(desk: Desk, power: str = "Austria") -> list[str]:
    rows = laterorders.kept(desk.judge.store, games.get(desk.judge.store, "spring42").id, power)
    return [f"{row.phase} {row.lines[0][2:]}: {', '.join(row.lines[1:])}" for row in rows if of_stored(row.lines)]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_lines_come_to(row: Mapping[str, Any]) -> None:
    found = split_in(row["lines"], austria())
    lists = [f"{phase} {one.stored()[0][2:]}: {', '.join(one.orders)}" for phase, one in found.listed.lists]
    unclear = [f"{line}: {' '.join(why.code for why in whys)}" for line, whys, _ in found.listed.unclear]
    assert found.now == row.get("now", [])
    assert found.sections == row.get("later", {})
    assert lists == row.get("lists", [])
    assert unclear == row.get("unclear", [])
    assert [", ".join(orders) for _, orders, _ in found.listed.asked] == row.get("asked", [])


# ── no order below an IF is one for now ──────────────────────────────────────────────────────────────────────────────

IFS = [
    "IF A VIE DISLODGED", "if A VIE is dislodged:", "IF DISLODGED", "If my army in Vienna gets dislodged then",
    "IF A BUD DISLODGED",
    "IF FRANCE A BUR", "IF NOT F ENG THEN", "If a gal then:", "ELSE", "ALWAYS IF A VIE DISLODGED",
    "F1902R IF A VIE DISLODGED",
    "A ウィーンが撃退されたら", "もし陸軍ウィーンが撃退された場合は：", "如果 A 维也纳 被击退",
    "若维也纳被击退，则：", "如果 A 維也納 被擊退：",
    "Wenn A WIE vertrieben wird", "Si A VIE est délogée :",
]  # fmt: skip
ORDERS = [
    "A VIE - BOH", "A Vienna-Tyrolia", "A VIE H", "A BUD S A VIE", "F TRI - ADR", "A BUD-SER", "VIE BOH",
    "A ウィーン→ボヘミア",
    "A 维也纳-波希米亚", "A VIE D", "the rest hold",
]  # fmt: skip
BETWEEN = ["", "READY", "thanks", "  "]


@pytest.mark.slow
@given(
    head=st.sampled_from(IFS),
    below=st.lists(st.sampled_from(ORDERS + BETWEEN), min_size=1, max_size=5),
    mark=st.sampled_from(["", " ", "- ", "* ", "\t"]),
    case=st.sampled_from([str, str.lower, str.upper]),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_nothing_below_an_if_is_an_order_for_now(head: str, below: list[str], mark: str, case: Any) -> None:
    context = austria()
    for lines in ([mark + case(head), *below], ["A SER H", mark + case(head), *below, "END"]):
        found = split_in(lines, context)
        assert [write(order) for order in read_lines(found.now, context).orders] == []


@given(head=st.sampled_from(IFS), order=st.sampled_from(ORDERS))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_nor_does_a_plain_reader_take_it(head: str, order: str) -> None:
    context = austria()
    assert not read_lines([head, order], context).orders


# ── a story: Vienna falls in Fall 1901, its player is silent ─────────────────────────────────────────────────────────


def vienna_falls(desk: Desk, *mails: str, fall: str = "A VIE H\nA BUD H\nF TRI H") -> Any:
    """Austria says what it says in Spring; in Fall 1901 Italy and Russia drive it out of Vienna. The result for Austria."""
    for mail in mails:
        desk.mail("Austria", mail)
    desk.mail("Austria", "A VIE H\nA BUD H\nF TRI H")
    desk.mail("Russia", "A WAR-GAL")
    desk.mail("Italy", "A VEN-TYR")
    desk.pass_time(hours=24)
    desk.receive()
    desk.mail("Austria", fall)
    desk.mail("Russia", "A GAL S A TYR-VIE")
    desk.mail("Italy", "A TYR-VIE")
    desk.pass_time(hours=24)
    mails_out = [m for m in desk.receive() if m["To"].startswith("austria") and ".result." in m["Message-ID"]]
    return mails_out[-1]


@pytest.mark.slow
def test_the_first_possible_retreat_is_on_file_when_the_phase_opens(desk: Desk) -> None:
    result = text_of(vienna_falls(desk, "F1901M\nIF A VIE DISLODGED: TYR, BOH, D"))
    assert desk.held("Austria") == ["A VIE-BOH"]
    assert "On file for it already" in result and "Vienna - Bohemia" in result
    assert "you wrote “A VIE-TYR”" in result  # where the attacker came from
    assert kept(desk) == []


@pytest.mark.slow
def test_silence_is_filled_and_the_game_verifies(desk: Desk) -> None:
    vienna_falls(desk, "F1901M\nIF A VIE DISLODGED: TYR, BOH, D", fall="A VIE H\nIF A BUD DISLODGED: GAL")
    desk.pass_time(hours=24)
    desk.receive()
    game = games.get(desk.judge.store, "spring42")
    table = open_table(desk.judge.store, game)
    assert table is not None
    assert [u.at for u in table.position.units_of("Austria") if u.at in ("vie", "boh")] == ["boh"]
    assert verify_game(desk.judge, game) == []


@pytest.mark.slow
def test_a_mail_of_the_phase_beats_the_list(desk: Desk) -> None:
    vienna_falls(desk, "F1901M\nIF A VIE DISLODGED: BOH, D")
    status = text_of(desk.mail("Austria", "STATUS"))
    assert "from the list that you wrote ahead" in status
    receipt = text_of(desk.mail("Austria", "A VIE D"))
    assert desk.held("Austria") == ["A VIE D"]
    assert "gave way to" in receipt and "Bohemia" in receipt


@pytest.mark.slow
def test_what_was_written_ahead_for_the_phase_beats_the_list(desk: Desk) -> None:
    vienna_falls(desk, "F1901M\nIF A VIE DISLODGED: BOH, D", "F1901R\nA VIE D")
    assert desk.held("Austria") == ["A VIE D"]


@pytest.mark.slow
def test_a_list_of_the_phase_comes_before_one_for_all(desk: Desk) -> None:
    vienna_falls(desk, "ALWAYS RETREAT A VIE D", "F1901R RETREAT A VIE BOH")
    assert desk.held("Austria") == ["A VIE-BOH"]
    assert kept(desk) == ["S1901R always retreat A VIE: A VIE D"]


@pytest.mark.slow
def test_a_list_for_all_phases_stays_and_verifies(desk: Desk) -> None:
    vienna_falls(desk, "ALWAYS IF A VIE DISLODGED: TYR, BOH")
    assert desk.held("Austria") == ["A VIE-BOH"]
    assert kept(desk) == ["S1901R always retreat A VIE: A VIE-TYR, A VIE-BOH"]
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


@pytest.mark.slow
def test_none_possible_is_told(desk: Desk) -> None:
    result = text_of(vienna_falls(desk, "F1901R RETREAT A VIE TYR TRI"))
    assert desk.held("Austria") == []
    assert "you wrote “A VIE-TYR”" in result and "you wrote “A VIE-TRI”" in result


@pytest.mark.slow
@pytest.mark.parametrize("sets", ["first", "replace", "combine"])
def test_a_mail_beats_it_whatever_the_rule_of_sets(desk: Desk, under: Any, sets: str) -> None:
    for power, orders in (
        ("Austria", "A VIE H\nALWAYS IF A VIE DISLODGED: BOH"),
        ("Russia", "A WAR-GAL"),
        ("Italy", "A VEN-TYR"),
    ):
        desk.mail(power, orders)
    under(f"orders.sets={sets}")
    desk.mail("Russia", "A GAL S A TYR-VIE")
    desk.mail("Italy", "A TYR-VIE")
    desk.pass_time(hours=24)
    assert desk.held("Austria") == ["A VIE-BOH"]
    desk.mail("Austria", "A VIE D", headers={"Date": "garbage"})
    assert desk.held("Austria") == ["A VIE D"]


# ── builds and removals ──────────────────────────────────────────────────────────────────────────────────────────────


def france_grows(desk: Desk, *mails: str) -> Any:
    """France takes Spain and Portugal in 1901, and may build two. The result that opens the winter, for France."""
    for mail in mails:
        desk.mail("France", mail)
    desk.mail("France", "A MAR-SPA\nF BRE-MAO\nA PAR-GAS")
    desk.pass_time(hours=24)
    desk.mail("France", "F MAO-POR\nA SPA H\nA GAS-MAR")
    desk.receive()
    desk.pass_time(hours=24)
    return [m for m in desk.receive() if m["To"].startswith("france") and ".result." in m["Message-ID"]][-1]


@pytest.mark.slow
def test_as_many_builds_as_are_possible(desk: Desk) -> None:
    result = text_of(france_grows(desk, "BUILDS A MAR, A PAR, F BRE, A BRE"))
    assert desk.held("France") == ["A PAR B", "F BRE B"]
    assert "you wrote “A MAR B”" in result
    assert text_of(desk.mail("France", "STATUS")).count("from the list that you wrote ahead") == 2


@pytest.mark.slow
def test_builds_of_a_mail_push_those_of_the_list_out(desk: Desk) -> None:
    france_grows(desk, "ALWAYS BUILDS F BRE, A PAR")
    desk.mail("France", "build A PAR\nbuild A BRE")
    assert sorted(desk.held("France")) == ["A BRE B", "A PAR B"]
    assert kept(desk, "France") == ["W1901A always builds: F BRE B, A PAR B"]
    assert verify_game(desk.judge, games.get(desk.judge.store, "spring42")) == []


@pytest.mark.slow
def test_a_waived_build_and_a_list_for_all_fill_up_what_is_open(desk: Desk) -> None:
    france_grows(desk, "W1901A\nBUILDS waive", "ALWAYS BUILDS F BRE, A PAR")
    assert sorted(desk.held("France")) == ["F BRE B", "WAIVE"]


@pytest.mark.slow
def test_removals_as_many_as_are_due(desk: Desk) -> None:
    desk.mail("Austria", "REMOVALS A MUN, A BUD, F TRI\nBUILDS A VIE")
    vienna_falls(desk, "F1901R RETREAT A VIE BOH")
    desk.pass_time(hours=24)
    desk.receive()
    assert desk.show()["phase"] == "W1901A"
    assert desk.held("Austria") == ["A BUD D"]


# ── keeping and dropping ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_receipt_and_status_say_what_is_kept(desk: Desk) -> None:
    receipt = text_of(desk.mail("Austria", "IF A VIE DISLODGED: BOH, D\nALWAYS REMOVALS A BUD, F TRI\nBUILDS A VIE"))
    for text in (receipt, text_of(desk.mail("Austria", "STATUS"))):
        assert "For A VIE, if it is dislodged: “A Vienna - Bohemia”, then “A Vienna disbands”" in text
        assert "As many of these builds as you may make: “build A Vienna”" in text
        assert "Kept for all adjustments to come" in text and "“remove A Budapest”, then “remove F Trieste”" in text
    assert desk.held("Austria") == []
    assert desk.outcome == "command"


@pytest.mark.slow
def test_a_later_list_replaces_the_one_of_its_unit_alone(desk: Desk) -> None:
    desk.mail("Austria", "IF A VIE DISLODGED: BOH\nIF A BUD DISLODGED: SER\nBUILDS A VIE")
    desk.mail("Austria", "IF A VIE DISLODGED: TYR, D\nBUILDS F TRI")
    assert kept(desk) == [
        "S1901R once retreat A BUD: A BUD-SER", "S1901R once retreat A VIE: A VIE-TYR, A VIE D",
        "W1901A once builds: F TRI B",
    ]  # fmt: skip


CLEARS = {
    "builds": ("CLEAR BUILDS", ["S1901R once retreat A VIE: A VIE-BOH", "S1901R always retreat F TRI: F TRI-ADR"]),
    "unit": ("CLEAR RETREAT A VIE", ["S1901R always retreat F TRI: F TRI-ADR", "W1901A once builds: A VIE B"]),
    "retreats": ("CLEAR RETREATS", ["W1901A once builds: A VIE B"]),
    "lists": ("CLEAR LISTS", []),
    "later": ("CLEAR LATER", []),
    "phase": ("CLEAR S1901R", ["S1901R always retreat F TRI: F TRI-ADR", "W1901A once builds: A VIE B"]),
    "japanese": ("増強を取消", ["S1901R once retreat A VIE: A VIE-BOH", "S1901R always retreat F TRI: F TRI-ADR"]),
    "chinese": ("取消 撤退", ["W1901A once builds: A VIE B"]),
}


@pytest.mark.slow
@pytest.mark.parametrize(("line", "left"), CLEARS.values(), ids=CLEARS)
def test_what_is_dropped_by_name(desk: Desk, line: str, left: list[str]) -> None:
    desk.mail("Austria", "A VIE-TYR\nIF A VIE DISLODGED: BOH\n\nALWAYS RETREAT F TRI ADR\nBUILDS A VIE")
    desk.mail("Austria", line)
    assert kept(desk) == left
    assert desk.held("Austria") == ["A VIE-TYR"]


@pytest.mark.slow
def test_what_stands_below_an_if_is_asked_about(desk: Desk) -> None:
    receipt = text_of(desk.mail("Austria", "IF A VIE DISLODGED\nBOH\nA BUD-SER"))
    assert desk.held("Austria") == []
    assert "you wrote “A BUD-SER”" in receipt
    desk.mail("Austria", "1")
    assert desk.held("Austria") == ["A BUD-SER"]


@pytest.mark.slow
def test_a_power_that_is_not_dislodged_is_told_in_one_sentence(desk: Desk) -> None:
    desk.mail("Austria", "IF A VIE DISLODGED: BOH")
    desk.pass_time(hours=24)
    (result,) = [m for m in desk.receive() if m["To"].startswith("austria") and ".result." in m["Message-ID"]]
    assert "was not needed" in text_of(result)
    assert kept(desk) == []


@pytest.mark.slow
def test_lists_of_one_mail_are_bounded(desk: Desk) -> None:
    places = ["VIE", "BUD", "TRI", "BOH", "GAL", "TYR", "VEN", "ROM", "NAP", "APU", "PIE", "MUN", "BER", "KIE", "RUH", "SIL"]
    body = "\n".join(
        f"IF A {place} DISLODGED: D"
        for place in (*places, "PRU", "WAR", "MOS", "UKR", "SEV", "RUM", "SER", "BUL", "GRE", "ALB")
    )
    receipt = text_of(desk.mail("Austria", body))
    assert len(kept(desk)) == 24
    assert "one mail may have 24 such lists" in receipt


@pytest.mark.slow
def test_nobody_else_sees_them(desk: Desk) -> None:
    desk.mail("Austria", "IF A VIE DISLODGED: BOH")
    desk.mail("Italy", "STATUS")
    assert not any("if it is dislodged" in text_of(m) for m in desk.sent if not m["To"].startswith("austria"))


@pytest.mark.slow
def test_a_receipt_that_comes_back_is_no_list(desk: Desk) -> None:
    receipt = desk.mail("Austria", "IF A VIE DISLODGED: BOH, D\nALWAYS BUILDS A VIE, F TRI\nREMOVALS A BUD")
    assert receipt is not None
    (part,) = [p for p in receipt.walk() if p.get_content_type() == "text/plain"]
    lines = part.get_payload(decode=True).decode().split("\n")
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    assert table is not None
    found = split(lines, table, "Austria").listed
    assert found.lists == []
    assert found.asked == []
