"""Press as its readers see it, in every language; and no line of any of our mails begins press when it is quoted."""

from __future__ import annotations

import re

import pytest

from judge.mail.sections import heading
from judge.render.facts import Facts
from judge.render.layout import behind_marks, width
from judge.render.mails import render
from judge.variants.names import load_names

LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_mail_begins_press(language: str, mails: dict[str, Facts]) -> None:
    for name, facts in mails.items():
        made = render(facts, language)
        blocks = re.sub(r"<[^>]*>", "\n", made.html)
        lines = [*made.text.split("\n"), *blocks.split("\n"), made.subject]
        assert [line for line in lines if heading(line.strip()) and heading(line.strip()).to] == [], name  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("language", "subject", "said"),
    [
        ("en", "[spring42] Spring 1901: press from England", "England writes to you and Russia and the game master:"),
        ("ja", "[spring42] 1901年春：イギリスからの外交文書", "イギリスからあなたとロシア、ゲームマスターへ："),
        ("zh-Hans", "[spring42] 1901年春季：英国的外交信", "英国致您和俄罗斯和主持人："),
        ("zh-Hant", "[spring42] 1901年春季：英國的外交信函", "英國致您和俄羅斯和主持人："),
    ],
)
def test_signed_press_says_who_speaks_and_to_whom(language: str, subject: str, said: str, mails: dict[str, Facts]) -> None:
    made = render(mails["press, signed"], language)
    assert made.subject == subject
    assert made.text.startswith(said)
    assert said in made.html


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["press, grey", "press, grey to all"])
def test_grey_press_names_no_power_but_the_readers(language: str, name: str, mails: dict[str, Facts]) -> None:
    facts = mails[name]
    made = render(facts, language)
    own = re.sub(r"(?m)^>.*$", "", made.text)
    names = {load_names().power(power, language) for power in facts.common.board.powers if power != "France"}  # type: ignore[union-attr]
    assert [power for power in names if power in own or power in made.subject] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_reason_of_its_own_and_gives_the_words_back(language: str, mails: dict[str, Facts]) -> None:
    refused = {name: render(facts, language) for name, facts in mails.items() if name.startswith("press, refused")}
    said = set()
    for name, made in refused.items():
        assert "press." not in re.sub(r"press\.(kinds|phases)", "", made.text), name
        assert "> A Par - Bur\n> F Bre - Mao\n" in made.text
        said.add(re.sub(r"(?m)^>.*$", "", made.text))
    assert len(said) == len(refused) >= 15


def test_words_are_shown_as_they_were_written_and_are_no_markup(mails: dict[str, Facts]) -> None:
    made = render(mails["press, signed"])
    assert "> Eng   3   A" in made.text and "&lt;b&gt;bold&lt;/b&gt; &amp; {{ 7*7 }} %(n)s" in made.html
    assert "<b>bold" not in made.html
    assert made.html.count('<div style="white-space:pre-wrap;">') == 11


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("a\n\n  b\tc ", 70, ["> a", ">", ">   b c"]),
        ("x" * 30, 20, ["> " + "x" * 20, "> " + "x" * 10]),
        ("one two three", 8, ["> one two", "> three"]),
        ("one two three", 0, ["> one two three"]),
        ("bell\x07 \u202eevil\u2028A Par - Bur", 70, ["> bell evilA Par - Bur"]),
    ],
)
def test_behind_marks(text: str, columns: int, lines: list[str]) -> None:
    assert behind_marks(text, columns) == lines
    assert all(width(line) <= columns + 2 for line in lines) or not columns
