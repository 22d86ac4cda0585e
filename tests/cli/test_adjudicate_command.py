"""``judge adjudicate``: the shapes of the contract, faults line by line, the reader of orders behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli.adjudicate import adjudicate


def run(*rows: Any, args: tuple[str, ...] = (), code: int = 0) -> list[dict[str, Any]]:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    result = CliRunner().invoke(adjudicate, list(args), input=text)
    assert result.exit_code == code, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def unit(power: str, type_: str, at: str) -> dict[str, str]:
    return {"power": power, "type": type_, "at": at}


MOVEMENT = {
    "id": "m1",
    "phase": "F1901M",
    "units": [
        unit("england", "F", "nth"),
        unit("Germany", "A", "mun"),
        unit("France", "A", "par"),
        unit("Italy", "F", "gas"),
    ],
    "centres": {"Germany": ["mun"]},
    "orders": [
        {"power": "GERMANY", "text": "A MUN-BUR"},
        {"power": "France", "text": "Army Paris moves to Burgundy"},
        {"power": "Italy", "text": "f gas - spain"},
        {"power": "Italy", "text": "what a day"},
    ],
}


def test_a_movement_in_the_contracts_shape() -> None:
    (answer,) = run(MOVEMENT)
    assert answer["id"] == "m1"
    assert answer["phase"] == "F1901M"
    assert [(o["power"], o["text"], o["read_as"], o["result"]) for o in answer["orders"]] == [
        ("Germany", "A MUN-BUR", "A MUN-BUR", "bounces"),
        ("France", "Army Paris moves to Burgundy", "A PAR-BUR", "bounces"),
        ("Italy", "f gas - spain", "F GAS-SPA/NC", "succeeds"),
        ("Italy", "what a day", None, "void"),
        ("England", "F NTH H", "F NTH H", "holds"),
    ]
    assert answer["orders"][0]["reason"] == "It came with strength 1 and met others bound for the same place: A PAR with 1."
    assert answer["units"] == [
        unit("England", "F", "nth"),
        unit("Germany", "A", "mun"),
        unit("France", "A", "par"),
        unit("Italy", "F", "spa/nc"),
    ]
    assert answer["contested"] == ["bur"]
    assert answer["centres"] == {"France": ["par"], "Germany": ["mun"], "Italy": ["spa"]}
    assert (answer["next"], answer["winner"], answer["ended_by"]) == ("S1902M", None, None)


def test_a_dislodged_unit_is_told_with_its_retreats() -> None:
    row = {
        "phase": "S1901M",
        "units": [unit("Austria", "A", "ser"), unit("Turkey", "A", "bul"), unit("Turkey", "A", "rum")],
        "orders": [{"power": "Turkey", "text": "A BUL-SER"}, {"power": "Turkey", "text": "A RUM S A BUL-SER"}],
    }
    (answer,) = run(row)
    assert answer["dislodged"] == [
        {**unit("Austria", "A", "ser"), "attacked_from": "bul", "retreats": ["alb", "bud", "gre", "tri"]}
    ]
    assert answer["next"] == "S1901R"
    assert answer["orders"][2]["dislodged"] is True
    assert "dislodged" not in answer["orders"][0]
    retreat = {**row, "phase": "S1901R", "units": answer["units"], "dislodged": answer["dislodged"]}
    (after,) = run({**retreat, "orders": [{"power": "Austria", "text": "A SER-GRE"}]})
    assert unit("Austria", "A", "gre") in after["units"]
    (gone,) = run({**retreat, "orders": [{"power": "Austria", "text": "A SER-BUL"}]})
    assert [(o["read_as"], o["result"]) for o in gone["orders"]] == [("A SER-BUL", "void"), ("A SER D", "succeeds")]
    assert gone["orders"][0]["reason"] == "No retreat to BUL: the attack came from there."


def test_a_unit_with_nowhere_to_go_is_told_though_the_retreats_are_passed_over() -> None:
    row = {
        "phase": "S1901M",
        "units": [unit("France", "F", "spa/sc"), unit("France", "F", "mao"), unit("England", "F", "por")],
        "orders": [{"power": "France", "text": "F SPA/SC-POR"}, {"power": "France", "text": "F MAO S F SPA/SC-POR"}],
    }
    (answer,) = run(row)
    assert answer["dislodged"] == [{**unit("England", "F", "por"), "attacked_from": "spa", "retreats": []}]
    assert answer["next"] == "F1901M"


def test_an_attacker_by_convoy_bars_nothing_so_the_retreats_come_out_alike_again() -> None:
    row = {
        "phase": "S1901M",
        "units": [unit("France", "A", "gas"), unit("France", "A", "bur"), unit("Italy", "A", "mar")]
        + [unit("France", "F", at) for at in ("mao", "wes", "lyo")],
        "orders": [{"power": "France", "text": text} for text in ("A GAS-MAR VIA", "A BUR S A GAS-MAR")]
        + [{"power": "France", "text": f"F {at} C A GAS-MAR"} for at in ("MAO", "WES", "LYO")],
    }
    for rules, origin in (("standard", None), ("japan-1910", "gas")):
        (answer,) = run(row, args=("--rules", rules))
        (fallen,) = answer["dislodged"]
        assert fallen["attacked_from"] == origin
        again = {**row, "phase": "S1901R", "units": answer["units"], "dislodged": answer["dislodged"]}
        (after,) = run({**again, "orders": [{"power": "Italy", "text": "A MAR-GAS"}]}, args=("--rules", rules))
        assert (unit("Italy", "A", "gas") in after["units"]) == (origin is None)


def test_rules_of_the_line_beat_those_of_the_command(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text('extends = "china"\n[victory]\ncentres = 10\n', encoding="utf-8")
    row = {
        "phase": "S1901M",
        "units": [unit("France", "F", "gas")],
        "orders": [{"power": "France", "text": "F GAS-SPA"}],
    }
    answers = run(row, {**row, "rules": "standard"}, {**row, "rules": str(own)}, args=("--rules", "china"))
    assert [a["orders"][0]["result"] for a in answers] == ["void", "succeeds", "void"]
    assert answers[0]["orders"][0]["reason"] == (
        "The order must say which coast: SPA/NC. (House rule: coast.unspecified = void.)"
    )


def test_the_winner_and_what_ended_the_game() -> None:
    row = {"phase": "F1905R", "rules": "china", "centres": {"France": ["par", "bre"], "Russia": ["mos", "sev"]}}
    (going,) = run(row)
    assert (going["winner"], going["ended_by"]) == (None, None)
    centres = [
        "par",
        "bre",
        "mar",
        "spa",
        "por",
        "bel",
        "hol",
        "lon",
        "edi",
        "lvp",
        "nwy",
        "swe",
        "den",
        "kie",
        "ber",
        "mun",
    ]
    (won,) = run({**row, "centres": {"France": [*centres, "ven", "rom"]}})
    assert (won["winner"], won["ended_by"]) == (["France"], "victory.centres")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "line 1: "),
        ("[1, 2]", "line 1: Expected `object`, got `array`"),
        ('{"id": "x"}', "line 1: Object missing required field `phase`"),
        ('{"id": "x", "phase": "S1901A"}', "line 1: 'S1901A' is no phase"),
        ('{"id": "x", "phase": "S1901M", "units": [{"power": "Franse", "type": "A", "at": "par"}]}', "no power 'Franse'"),
        (
            '{"id": "x", "phase": "S1901M", "units": [{"power": "France", "type": "A", "at": "nth"}]}',
            "no army stands in nth",
        ),
        (
            '{"id": "x", "phase": "S1901M", "units": [{"power": "France", "type": "F", "at": "spa"}]}',
            "spa/nc, spa/sc are its",
        ),
        (
            '{"id": "x", "phase": "S1901M", "units": [{"power": "France", "type": "A", "at": "xyz"}]}',
            "the board has no 'xyz'",
        ),
        ('{"id": "x", "phase": "S1901M", "rules": "standart"}', "did you mean standard?"),
        ('{"id": "x", "phase": "S1901M", "centres": {"France": ["bur"]}}', "bur is no supply centre"),
        ('{"id": "x", "phase": "S1901M", "centres": {"France": ["par"], "Italy": ["par"]}}', "par has two owners"),
    ],
)
def test_a_line_that_is_no_position_is_told_and_the_others_go_on(line: str, error: str) -> None:
    answers = run(line, MOVEMENT, code=1)
    assert answers[0]["id"] == ("x" if '"x"' in line else None)
    assert error in answers[0]["error"]
    assert answers[1]["id"] == "m1"


def test_two_units_in_one_province_are_no_position() -> None:
    twice = {"phase": "S1901M", "units": [unit("Russia", "F", "stp/sc"), unit("France", "A", "stp")]}
    (answer,) = run(twice, code=1)
    assert "two units in stp" in answer["error"]


def test_an_unknown_preset_on_the_command_line_is_refused() -> None:
    result = CliRunner().invoke(adjudicate, ["--rules", "japan"], input="")
    assert result.exit_code == 1
    assert "japan-1910" in str(result.exception)


@pytest.mark.parametrize("preset", ["standard", "japan-1910"])
def test_a_presets_own_coast_names_are_read(preset: str) -> None:
    row = {
        "phase": "S1901M",
        "rules": preset,
        "units": [unit("Turkey", "F", "bla")],
        "orders": [{"power": "Turkey", "text": "F BLA-BUL/NC"}],
    }
    (answer,) = run(row)
    assert answer["orders"][0]["read_as"] == "F BLA-BUL/EC"  # standard: a coast that Bulgaria has not is ignored (4.B.6)
    assert answer["orders"][0]["result"] == "succeeds"
