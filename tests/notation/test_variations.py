"""The handed lines in other clothes: dashes, bullets, quotes, wide letters change nothing; talk round an order undoes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.notation import Context, read_line, write

DATA = Path(__file__).parent / "data"
ROWS = [json.loads(line) for line in (DATA / "lines.jsonl").read_text(encoding="utf-8").splitlines()]
READ = [row for row in ROWS if row["kind"] in ("order", "illegal")]
NOT_READ = [row for row in ROWS if not row["read_as"] and not row.get("also_ok")]
#: rows whose end is a comment: what is said behind it is part of the comment
PLAIN = [row for row in READ if "//" not in row["line"] and "#" not in row["line"]]


def wide(line: str) -> str:
    """Full-width letters and blanks."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in line)


CLOTHES: dict[str, Callable[[str], str]] = {
    "capitals": str.upper,
    "small letters": str.lower,
    "en dashes": lambda line: re.sub(r"(?<=\S) - (?=\S)", " – ", line),
    "arrows": lambda line: re.sub(r"(?<=[A-Za-z)]) - (?=[A-Z])", " → ", line),
    "full stop": "{}.".format,
    "exclamation mark": "{} !".format,
    "semicolon": "{};".format,
    "list number": "3. {}".format,
    "list number in brackets": "(3) {}".format,
    "star": "* {}".format,
    "dash before": "- {}".format,
    "middle dot": "・{}".format,
    "no-break blanks": lambda line: line.replace(" ", "\u00a0"),
    "tabs": lambda line: "\t" + line.replace(" ", "\t") + "  ",
    "byte order mark": "\ufeff{}".format,
    "carriage return": "{}\r".format,
    "double blanks": lambda line: line.replace(" ", "  "),
    "wide letters": wide,
    "quotation marks": "“{}”".format,
    "Japanese quotation marks": "「{}」".format,
    "bold": "**{}**".format,
    "HTML": "<p>{}</p>".format,
    "comment": "{} // see my letter".format,
    "remark": "{} (sorry!)".format,
    "Japanese remark": "{}（よろしく）".format,
    "thanks": "{}, thanks".format,
}

TALK = (DATA / "talk.txt").read_text(encoding="utf-8").splitlines()


def read_as(line: str, context: Context) -> list[str]:
    return [write(order) for order in read_line(line, context).orders]


@settings(max_examples=150)
@given(row=st.sampled_from(READ), clothes=st.sampled_from(sorted(CLOTHES)))
def test_clothes_change_nothing(row: dict[str, Any], clothes: str, context_of: Callable[[Any], Context]) -> None:
    context = context_of(row)
    line = CLOTHES[clothes](row["line"])
    assert read_as(line, context) == read_as(row["line"], context), line


@settings(max_examples=250)
@given(row=st.sampled_from(PLAIN), talk=st.sampled_from(TALK))
def test_talk_takes_nothing(row: dict[str, Any], talk: str, context_of: Callable[[Any], Context]) -> None:
    line = talk.format(row["line"])
    assert not read_line(line, context_of(row)).orders, line


@pytest.mark.slow
@pytest.mark.parametrize("clothes", CLOTHES)
def test_clothes_change_nothing_anywhere(clothes: str, context_of: Callable[[Any], Context]) -> None:
    for row in READ:
        context = context_of(row)
        line = CLOTHES[clothes](row["line"])
        assert read_as(line, context) == read_as(row["line"], context), line


@pytest.mark.slow
@pytest.mark.parametrize("clothes", CLOTHES)
def test_clothes_make_no_order(clothes: str, context_of: Callable[[Any], Context]) -> None:
    for row in NOT_READ:
        assert not read_as(CLOTHES[clothes](row["line"]), context_of(row)), row["line"]


@pytest.mark.slow
@pytest.mark.parametrize("talk", TALK)
def test_talk_takes_nothing_anywhere(talk: str, context_of: Callable[[Any], Context]) -> None:
    for row in PLAIN:
        line = talk.format(row["line"])
        assert not read_line(line, context_of(row)).orders, line
