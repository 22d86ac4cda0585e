"""`judge read`: the whole way from a mail's bytes to orders, as an operator and the checks from outside see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli.read import read

DATA = Path(__file__).parent / "data"
CASES: dict[str, dict[str, Any]] = {
    f"{folder}/{name}": case
    for folder in ("handed", "more")
    for name, case in json.loads((DATA / f"{folder}.json").read_text(encoding="utf-8")).items()
}
#: the kinds a mail may come out as
KINDS = {
    "spam/ignore": {"ignored", "auto-reply"},
    "malformed": {"malformed", "orders", "ignored", "empty"},
    "auto-reply": {"auto-reply", "ignored"},
}


def run(*arguments: str | Path) -> list[dict[str, Any]]:
    done = CliRunner().invoke(read, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def of_case(name: str, *more: str) -> dict[str, Any]:
    power = CASES[name]["power"]
    sent = DATA / "sent" / f"{power}.txt"
    (answer,) = run(DATA / f"{name}.eml", "--game", "spring42", "--power", power, "--sent", sent, *more)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_kind_and_orders(name: str) -> None:
    expect = CASES[name]["expect"]
    answer = of_case(name)
    assert answer["kind"] in KINDS.get(expect["kind"], {expect["kind"]})
    allowed = [sorted(expect["orders"])] + ([sorted(expect["orders_strict"])] if "orders_strict" in expect else [])
    assert sorted(answer["orders"]) in (allowed if expect["kind"] == "orders" else [[]])


def test_a_mail_beyond_the_doors_limit_is_not_read(tmp_path: Path) -> None:
    big = tmp_path / "big.eml"
    big.write_bytes(b"From: livia.c@example.com\r\n\r\nA Ven - Tri\r\n" + b"x" * 78 * 135_000)
    (answer,) = run(big)
    assert (answer["kind"], answer["orders"]) == ("too-large", [])


def test_differences_between_the_forms_are_problems() -> None:
    (name,) = (n for n in CASES if n.endswith("two-forms-differ"))
    problems = of_case(name)["problems"]
    assert {p["suggestion"] for p in problems} == {"A BUD-SER", "A BUD-RUM"}


def test_explain_gives_a_reason_for_each_line() -> None:
    explained = of_case("handed/01-gmail-web-en-top", "--explain")["explain"]
    assert {"line": "A Par - Bur", "kept": True, "why": "typed by the sender"} in explained
    assert any(not line["kept"] and line["why"] == "carries a quote mark" for line in explained)


def test_only_the_trusted_servers_results_are_told() -> None:
    trusting = of_case("handed/01-gmail-web-en-top", "--trust", "mx1.judge.example.org")
    assert trusting["authentication"]["dmarc"] == "pass"
    assert "authentication" not in of_case("handed/01-gmail-web-en-top", "--trust", "mx.elsewhere.example")
    assert "authentication" not in of_case("handed/01-gmail-web-en-top")


def test_a_position_and_a_phase_of_ones_own(tmp_path: Path) -> None:
    position = tmp_path / "position.json"
    position.write_text(
        json.dumps(
            {
                "phase": "F1903M",
                "units": [{"power": "France", "type": "A", "at": "mun"}, {"power": "Germany", "type": "A", "at": "ber"}],
                "centres": {"France": ["mun"], "Germany": ["ber"]},
            }
        )
    )
    mail = tmp_path / "mail.eml"
    mail.write_bytes(b"From: a@example.org\nTo: b@example.org\n\nA Mun - Tyr\nA Ber H\n")
    (answer,) = run(mail, "--power", "france", "--position", position)
    assert answer["orders"] == ["A MUN-TYR"]
    assert [p["line"] for p in answer["problems"]] == ["A Ber H"]


@pytest.mark.parametrize("raw", [b"", b"\0", b"\n\n\n", b"\xff" * 100, b"From: x\n" * 100, b"no header at all"], ids=repr)
def test_no_bytes_make_it_fail(raw: bytes, tmp_path: Path) -> None:
    mail = tmp_path / "x.eml"
    mail.write_bytes(raw)
    (answer,) = run(mail, "--power", "France")
    assert answer["orders"] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["--power", "Spain"], "Spain"), (["--phase", "X1901"], "X1901"), (["--rules", "nonesuch"], "nonesuch")],
)
def test_a_wrong_option_is_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    from judge.cli import main

    mail = tmp_path / "x.eml"
    mail.write_bytes(b"From: a@example.org\n\nx\n")
    done = CliRunner().invoke(main, ["read", str(mail), *arguments])
    assert done.exit_code == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
