"""Tokens cut out of text as its reader sees it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.texttokens import cut_tokens

TOKEN = "ygzfmiejc4g6fnm6"
OTHER = "aaaabbbbccccdddd"
WRITTEN = {
    "as it is": TOKEN,
    "in capitals": TOKEN.upper(),
    "wrapped": "ygzfmiej\nc4g6fnm6",
    "wrapped in a quote": "ygzfmiej\n> c4g6fnm6",
    "spelled out": " ".join(TOKEN),
    "with dashes": "ygzf-miej-c4g6-fnm6",
    "of full width": "".join(chr(ord(letter) + 0xFEE0) for letter in TOKEN),
    "with a joiner": "ygzfmiej\u200dc4g6fnm6",
    "with a word joiner": "ygzfmiej\u2060c4g6fnm6",
    "with a soft hyphen": "ygzfmiej\u00adc4g6fnm6",
    "with a direction": "\u202eygzfmiej\u202cc4g6fnm6",
    "in bold letters": "".join(chr(0x1D41A + ord(c) - ord("a")) if c.isalpha() else c for c in TOKEN),
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_however_it_is_written(written: str) -> None:
    assert cut_tokens(f"write me at {written} now", {TOKEN, OTHER}, "[…]").replace("\u202e", "") == "write me at […] now"


def test_each_one_and_nothing_else() -> None:
    text = f"spring42+{TOKEN}@judge.example.org, {OTHER}\nand {TOKEN}"
    assert cut_tokens(text, {TOKEN, OTHER}, "#") == "spring42+#@judge.example.org, #\nand #"
    assert cut_tokens("ygzfmiejc4g6fnm7", {TOKEN}, "#") == "ygzfmiejc4g6fnm7"
    assert cut_tokens("ygzfmiej and c4g6fnm6", {TOKEN}, "#") == "ygzfmiej and c4g6fnm6"
    assert cut_tokens("", {TOKEN}, "#") == "" and cut_tokens("x" * 99, (), "#") == "x" * 99


def test_one_that_begins_in_another() -> None:
    assert cut_tokens("a" * 20, {"a" * 16}, "#") == "#"


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert cut_tokens(text, {TOKEN}, "#") == text


def steps(length: int) -> int:
    """How many lines of code are run for a text of that length which is one beginning of a token after the other."""
    count = 0

    def step(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        cut_tokens("a" * length, {"a" * 15 + "b", "a" * 16, TOKEN}, "#")
    finally:
        sys.settrace(before)
    return count


def test_a_text_four_times_as_long_is_four_times_the_work() -> None:
    few, many = steps(2_000), steps(8_000)
    assert few > 2_000 and many < few * 4.5
