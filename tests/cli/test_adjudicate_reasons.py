"""What `judge adjudicate` says: reasons that name the right place and a house rule only where it decided; lines in error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import main

PRESETS = ("standard", "japan-1910", "china")


def run(row: dict[str, Any], code: int = 0, command: Sequence[str] = ("adjudicate",)) -> dict[str, Any]:
    result = CliRunner().invoke(main, list(command), input=json.dumps(row) + "\n")
    assert result.exit_code == code, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def position(phase: str, orders: Sequence[str], **more: Any) -> dict[str, Any]:
    """Orders such as ``"Germany A MUN-BUR"``; each unit stands where its order begins."""
    split = [text.split(maxsplit=3) for text in orders]
    units = [{"power": power, "type": type_, "at": rest.partition("-")[0].lower()} for power, type_, rest, *_ in split]
    return {
        "phase": phase,
        "units": units,
        "orders": [{"power": text.partition(" ")[0], "text": text.partition(" ")[2]} for text in orders],
        **more,
    }


def reasons(answer: dict[str, Any]) -> dict[str, str]:
    return {order["text"]: order["reason"] for order in answer["orders"]}


#: JP-15: Munich was to leave, and Berlin's support of the attack on it turns to its holding
TURNED = ("Germany A MUN-BUR", "Germany A BER S A SIL-MUN", "Russia A SIL-MUN", "Italy A TYR S A SIL-MUN", "France A BUR H")


@pytest.mark.parametrize(
    ("more", "order", "named"),
    [
        ((), "A SIL-MUN", True),  # 2 against 2, and 2 against 1 without the support that turned
        (("Austria A RUH-MUN",), "A RUH-MUN", False),  # 1 never gets in
        (("Austria A RUH-MUN",), "A SIL-MUN", True),
        (("Austria A RUH-MUN", "Austria A KIE S A RUH-MUN"), "A SIL-MUN", False),  # 2 others stop it as well
    ],
    ids=["decided", "too weak anyway", "decided beside a weak one", "others stop it too"],
)
def test_support_own_dislodge_is_named_only_where_it_decided(more: tuple[str, ...], order: str, named: bool) -> None:
    told = reasons(run({**position("S1905M", (*TURNED, *more)), "rules": "japan-1910"}))
    assert ("support.own_dislodge" in told[order]) is named, told


@pytest.mark.parametrize("rules", PRESETS)
def test_a_move_that_bounces_under_every_preset_names_no_house_rule(rules: str) -> None:
    told = run({**position("S1905M", (*TURNED, "Austria A RUH-MUN")), "rules": rules})
    (ruhr,) = [order for order in told["orders"] if order["text"] == "A RUH-MUN"]
    assert ruhr["result"] == "bounces" and "House rule" not in ruhr["reason"]


def test_units_that_retreat_to_two_coasts_of_a_province_collide_in_the_province() -> None:
    fallen = [
        {"power": "France", "type": "F", "at": "mao", "attacked_from": "nao"},
        {"power": "Italy", "type": "F", "at": "lyo", "attacked_from": "tys"},
    ]
    orders = [{"power": "France", "text": "F MAO-SPA/NC"}, {"power": "Italy", "text": "F LYO-SPA/SC"}]
    told = reasons(run({"phase": "S1905R", "units": [], "dislodged": fallen, "orders": orders}))
    assert told == {
        "F MAO-SPA/NC": "Others retreated to SPA too, so all of them are destroyed: F LYO.",
        "F LYO-SPA/SC": "Others retreated to SPA too, so all of them are destroyed: F MAO.",
    }


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("F BLA-BUL", "The order must say which coast: BUL/EC."),
        ("F BLA-BUL/NC", "There is no coast BUL/NC; the order must name one that there is: BUL/EC."),
    ],
)
def test_a_coast_that_there_is_not_is_told_as_such(order: str, reason: str) -> None:
    told = run({**position("S1905M", (f"Turkey {order}",)), "rules": "china"})["orders"][0]
    assert (told["result"], told["reason"]) == ("void", f"{reason} (House rule: coast.unspecified = void.)")


def test_a_retreat_and_a_build_to_a_coast_that_there_is_not() -> None:
    fallen = [{"power": "Turkey", "type": "F", "at": "bla", "attacked_from": "sev"}]
    orders = [{"power": "Turkey", "text": "F BLA-BUL/NC"}]
    row = {"phase": "S1905R", "rules": "china", "units": [], "dislodged": fallen, "orders": orders}
    assert run(row)["orders"][0]["reason"].startswith("There is no coast BUL/NC; ")


@pytest.mark.parametrize(
    ("orders", "centres", "words"),
    [
        (("Italy A VEN",), ("ven",), "distance 1."),
        (("Italy A VEN",), ("ven", "rom"), "centres 2, units 2."),
    ],
)
def test_no_sentence_has_a_number_with_the_wrong_noun(orders: Sequence[str], centres: Sequence[str], words: str) -> None:
    units = [{"power": "Italy", "type": "A", "at": at} for at in ("ven", "tus")]
    row = {"phase": "W1905A", "units": units, "centres": {"Italy": list(centres)}, "orders": []}
    if len(centres) == 2:
        row["orders"] = [{"power": "Italy", "text": "Build A ROM"}]
    told = " ".join(reasons(run(row)).values())
    assert words in told and "1 provinces" not in told


@pytest.mark.parametrize("command", [("adjudicate",), ("parse",)])
def test_an_empty_name_of_rules_is_an_error_of_its_line(command: Sequence[str]) -> None:
    row = {**position("S1905M", ("France A PAR-BUR",)), "rules": ""}
    if command == ("parse",):
        row = {**row, "power": "France", "line": "A PAR-BUR"}
        row.pop("orders")
    assert "there are no house rules ''" in run(row, 1, command)["error"]
    assert "error" not in run({**row, "rules": None}, 0, command)
