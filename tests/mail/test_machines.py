"""Machines that answer mail, of kinds and languages that the handed mails do not have; and people who sound like them."""

from __future__ import annotations

import base64
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.mail.reading import read

DATA = Path(__file__).parent / "data"
CASES: dict[str, dict[str, Any]] = {
    name: case
    for file in ("machines.toml", "notices.toml")
    for name, case in tomllib.loads((DATA / file).read_text(encoding="utf-8")).items()
}
SENT = DATA / "sent" / "FRANCE.txt"


def mail_of(case: dict[str, Any]) -> bytes:
    """The mail as it travels: the body in its charset, base64 if that is not UTF-8; headers as they are given."""
    headers = case.get("headers", "")
    text = case["body"].lstrip("\n")
    if case.get("quotes"):
        text += "\n" + SENT.read_text(encoding="utf-8")
    charset = case.get("charset", "utf-8")
    head = [f"From: Camille <{case.get('from', 'camille@example.org')}>", "To: spring42@judge.example.org"]
    head += ["Return-Path: <>"] if case.get("envelope") == "" else []
    subject = case.get("subject", "Re: [spring42] Spring 1901")
    head.append(f"Subject: =?utf-8?B?{base64.b64encode(subject.encode()).decode()}?=")
    head += [*headers.splitlines(), "MIME-Version: 1.0"]
    if "content-type" not in headers.lower():
        head += [f"Content-Type: text/plain; charset={charset}", "Content-Transfer-Encoding: base64"]
        body = base64.encodebytes(text.encode(charset))
    else:
        body = text.encode(charset)
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body.replace(b"\n", b"\r\n")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What ``judge read`` says of each."""
    folder = tmp_path_factory.mktemp("machines")
    files = []
    for name, case in CASES.items():
        files.append(str(folder / f"{name}.eml"))
        Path(files[-1]).write_bytes(mail_of(case))
    options = ["--game", "spring42", "--power", "France", "--address", "spring42@judge.example.org", "--sent", str(SENT)]
    done = CliRunner().invoke(main, ["read", *files, *options])
    assert done.exit_code == 0, done.output
    return dict(zip(CASES, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_its_kind_and_orders(name: str, answers: dict[str, dict[str, Any]]) -> None:
    case, found = CASES[name], answers[name]
    assert found["kind"] == case["kind"]
    assert found["orders"] == case.get("orders", [])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "bounced" in case])
def test_whom_it_did_not_reach_and_why(name: str) -> None:
    incoming = read(mail_of(CASES[name]), sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert [[b.address, b.status, b.late] for b in incoming.bounced] == CASES[name]["bounced"]
