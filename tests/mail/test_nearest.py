"""Lines that are nearly commands: told with what was meant, never taken for one, and never for an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.mail.commands import VERBS, find_commands, misused, parse
from judge.mail.nearest import nearest
from judge.mail.reading import read
from judge.notation import Context, read_lines
from judge.rules.board import Unit
from judge.rules.position import Phase, Position
from judge.variants import load_board, load_rules
from judge.variants.names import load_names

DATA = Path(__file__).parent / "data"
MEANT = {
    "STAUS": "STATUS",
    "SUMARY": "SUMMARY",
    "DEADLNE 2026-12-05 21:00": "DEADLINE",
    "DEADLNE tomorrow": "DEADLINE",
    "> STATSU": "STATUS",
    "REDY": "READY",
    "WIAT": "WAIT",
    "DARW": "DRAW",
    "NODRAW": "NO DRAW",
    "CLAER": "CLEAR",
    "HLEP": "HELP",
    "HISTROY S1901M": "HISTORY",
    "PROCES NOW": "PROCESS",
    "PUASE": "PAUSE",
    "ROLBACK S1901M": "ROLLBACK",
    "VOTE FOR DRAW": "DRAW",
    "JION spring42 France": "JOIN",
    "LANGAUGE german": "LANGUAGE",
    "SET NO COMENT": "SET NO COMMENT",
    "staus": "STATUS",
    "Extned 2 days": "EXTEND",
    "adress ana@example.org": "ADDRESS",
    "命令取消し": "CLEAR",
    "準備完": "READY",
    "ステータ": "STATUS",
    "引き分け取り消": "NO DRAW",
    "清除全部指令": "CLEAR",
    "取消平局。。": None,
    "准备好": "READY",
    "取消所有命": "CLEAR",
    "準備完畢了": "READY",
}
TALK = [
    "Wait for me", "Want", "Last", "like", "Dear all", "DEAR ALL", "THANKS", "FRANCE", "FRANCE:", "BUILDS", "MOVES",
    "ORDERS", "MY ORDERS", "SPRING 1901", "PRESS TO NOBODY", "BROADCAST", "Results", "The drew", "Name: Camille",
    "Game 42", "GAME", "READ THIS FIRST PLEASE", "A PAR - BUR", "F BRE H", "Paris - Burgundy", "SPAIN", "SERBIA",
    "Camille", "CAMILLE", "KANAL", "CENTRE ATLANTIQUE", "PORT", "HELG", "命令一式", "命令です",
    "よろしくお願いします", "了解", "状況は良いです", "你好", "谢谢", "命令如下", "命令：", "法国", "以上です",
    "-END-", "",
]  # fmt: skip


@pytest.mark.parametrize(("line", "verb"), MEANT.items(), ids=MEANT)
def test_a_line_that_is_nearly_a_command(line: str, verb: str | None) -> None:
    found = nearest(line)
    if verb is None:
        assert parse(line) is not None and not found
    else:
        assert found[0].name == verb and len(found) <= 3
        assert not find_commands([line])[0] and misused(line) is None


@pytest.mark.parametrize("line", TALK)
def test_talk_headings_and_orders_are_not(line: str) -> None:
    assert nearest(line) == ()


@pytest.mark.slow
def test_nobody_is_told_of_what_the_corpus_of_mails_says() -> None:
    looked_at, told = 0, []
    for path in sorted(DATA.rglob("*.eml")):
        found = read(path.read_bytes(), sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
        looked_at += len(found.own_lines)
        told += [(path.name, line) for line in found.own_lines if nearest(line)]
    assert looked_at > 2000 and told == []


@pytest.mark.slow
def test_no_name_of_a_place_or_power_is_nearly_a_command() -> None:
    tables = [table for names in (load_names().provinces, load_names().powers) for table in names.values()]
    forms = {form for table in tables for of_one in table.values() for form in of_one}
    assert len(forms) > 1000
    told = {form for form in forms for said in (form, form.upper(), f"{form.upper()} H") if nearest(said)}
    assert told <= {"Gales"}  # Wales, for which the notation gives its own answer


def _slips(word: str) -> list[str]:
    """A letter left out, doubled, or changed places with the next, at each place of a word."""
    cut = [word[:at] + word[at + 1 :] for at in range(1, len(word))]
    double = [word[:at] + word[at - 1 :] for at in range(1, len(word))]
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]
    return [one for one in dict.fromkeys(cut + double + swapped) if one != word]


@pytest.mark.parametrize("phase", ["S1901M", "W1901A"])
def test_no_slip_of_a_verb_is_an_order(phase: str) -> None:
    units = () if phase == "W1901A" else (Unit("France", "A", "par"), Unit("France", "A", "spa"), Unit("France", "F", "bre"))
    position = Position(Phase.parse(phase), units, {"par": "France", "mar": "France", "bre": "France"})
    context = Context(load_board("standard"), load_names(), position, "France", load_rules("standard"))
    lines = [slip for verb in VERBS for slip in _slips(verb.spellings[0].upper()) if nearest(slip)]
    assert len(lines) > 300
    readings = read_lines(lines[::9], context)
    assert [one.line for one in readings if one.legal] == []
