"""Quotes that no mark and no table of words shows: by their shape, and by the containers and styles of HTML."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from judge.mail.reading import Incoming, read

TABLE = tomllib.loads((Path(__file__).parent / "data" / "quotes.toml").read_text(encoding="utf-8"))
CASES = [(kind, name) for kind, rows in TABLE.items() for name in rows]


def incoming(kind: str, body: str) -> Incoming:
    head = "From: camille.roux@example.org\nTo: spring42+abc@judge.example.org\nSubject: orders\n"
    raw = f"{head}Content-Type: text/{kind}; charset=utf-8\n\n{body}\n".encode()
    return read(raw, sent=[], own_addresses=["spring42+abc@judge.example.org"], domain="judge.example.org")


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_lines_of_one_who_quotes(kind: str, name: str) -> None:
    row = TABLE[kind][name]
    found = incoming(kind, row["text"])
    assert [line.strip() for line in found.own_lines if line.strip()] == row["own"]
    assert [line.strip() for line, _ in found.doubtful if " - " in line and len(line) < 40] == row["asked"]


FORMS = {
    "commands": ("CLEAR", "READY", [], ["CLEAR", "READY"]),
    "a command beside orders": ("A Par - Bur\nCLEAR", "A Par - Bur", ["A Par - Bur"], ["CLEAR"]),
    "orders with a word more": ("A Par - Bur x", "A Par - Pic y", [], ["A Par - Bur x", "A Par - Pic y"]),
    "the same command": ("READY", "READY", ["READY"], []),
}


@pytest.mark.parametrize("name", FORMS)
def test_what_only_one_form_says_is_not_done(name: str) -> None:
    plain, html, own, differing = FORMS[name]
    rows = "".join(f"<p>{line}</p>" for line in html.split("\n"))
    raw = (
        "From: camille.roux@example.org\nTo: spring42+abc@judge.example.org\nSubject: x\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n{plain}\n"
        f"--b\nContent-Type: text/html\n\n{rows}\n--b--\n"
    )
    found = read(raw.encode(), sent=[], own_addresses=["spring42+abc@judge.example.org"], domain="judge.example.org")
    assert [line for line in found.own_lines if line.strip()] == own
    assert [line for line, why in found.doubtful if why == "differs"] == differing


def test_windows_japanese_under_the_label_of_mails() -> None:
    """Half-width kana have a byte each, so that no pair of bytes tells them from other charsets."""
    text = "陸軍 ﾊﾟﾘ→ﾌﾞﾙｺﾞｰﾆｭ"
    head = "From: camille.roux@example.org\nTo: spring42+abc@judge.example.org\nSubject: x\n"
    raw = f"{head}Content-Type: text/plain; charset=iso-2022-jp\n\n".encode() + text.encode("cp932") + b"\n"
    found = read(raw, sent=[], own_addresses=["spring42+abc@judge.example.org"], domain="judge.example.org")
    assert found.own_lines == (text,)
