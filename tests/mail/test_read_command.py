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
    assert {"line": "A Par - Bur", "kept": True, "why": "typed by the sender", "then": "order A PAR-BUR"} in explained
    assert any(not line["kept"] and line["why"] == "carries a quote mark" for line in explained)


@pytest.mark.parametrize(
    ("name", "line", "kept", "why", "then"),
    [
        ("handed/39-two-games-and-press", "A Mun - Tyr", True, "typed by the sender", "for the game autumn7"),
        (
            "handed/39-two-games-and-press",
            "Shall we leave the Channel empty?",
            True,
            "typed by the sender",
            "press to ENGLAND",
        ),
        ("handed/01-gmail-web-en-top", "Camille", True, "typed by the sender", "no order"),
        ("more/265-command-clear", "clear", True, "typed by the sender", "command CLEAR"),
        (
            "handed/25-orders-in-attachment-rfc2231",
            "A Par - Bur",
            True,
            "stands in an attached text file",
            "order A PAR-BUR",
        ),
        ("more/222-two-forms-differ", "A Bud - Rum", False, "stands in only one form of the mail (text or HTML)", None),
        ("handed/35-bounce-qmail", "", False, "the whole mail: it comes from a mail server", None),
        ("more/641-ticket-echo-above-line", "", False, "the whole mail: it comes from a ticket system", None),
        ("more/585-ooo-en-plain", "", False, "the whole mail: no order stands in it, and its words", None),
    ],
)
def test_explain_tells_what_became_of_a_line(name: str, line: str, kept: bool, why: str, then: str | None) -> None:
    rows = [r for r in of_case(name, "--explain")["explain"] if r["line"].strip().lower() == line.lower()]
    assert any(r["kept"] == kept and r["why"].startswith(why) and r.get("then") == then for r in rows), rows


def test_explain_shows_a_table_to_people() -> None:
    mail = DATA / "handed" / "01-gmail-web-en-top.eml"
    done = CliRunner().invoke(read, [str(mail), "--game", "spring42", "--power", "France", "--explain"])
    assert len(done.stdout.splitlines()) == 1
    shown = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert "+ F Bre - Mao typed by the sender => order F BRE-MAO" in shown
    assert "- > A PAR-PIC carries a quote mark" in shown


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
