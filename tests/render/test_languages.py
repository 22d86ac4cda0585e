"""Japanese and Chinese, whole: every message there with its placeholders, and no English left in a mail."""

from __future__ import annotations

import re

import pytest

from judge.render import verbwords
from judge.render.catalogue import CONTEXT, entries, load
from judge.render.facts import Facts
from judge.render.layout import width
from judge.render.mails import render
from judge.resources import data_dir

LANGUAGES = ("ja", "zh-Hans", "zh-Hant")
ZONES = {"ja": "Asia/Tokyo", "zh-Hans": "Asia/Shanghai", "zh-Hant": "Asia/Taipei"}

#: what stays in Latin letters: unit letters and orders' signs, commands, and what people or operators named
CODES = frozenset(
    re.findall(
        r"\w+", "A F S C H M UTC Re OFF PRESS TO BROADCAST GREY MASTER FRANCE RUSSIA PROXY GAME LATER YES NO END judge"
    )
) | {
    word
    for said in (*verbwords.WORDS, *(one.form for one in verbwords.WORDS.values()), *map(str.upper, verbwords.TOPICS))
    for word in re.findall(r"\w+", said)
}
NAMES = frozenset(re.findall(r"\w+", "spring Camille Player Ana Tokyo Shanghai Taipei example org standard"))
#: commands of a game master, and keys in them
MASTERS = set(re.findall(r"\w+", "SET WHY victory end turn counts when T Z"))
#: examples in which a mail names its sender so
HELD = (
    "is this mail from elsewhere yours",
    "are these mails yours",
    "is this mail the master's",
    "answers about held mails",
)
#: example -> words that somebody wrote
#: mails with words of a game master
CORRECTING = {"REMOVE", "OWNER", "nobody"}
BY_MASTER = (
    "notice, back from the end", "notice, back while paused", "notice, corrected", "end, by the master", "receipt, paused",
    "master, paused",
)  # fmt: skip
TYPED: dict[str, set[str]] = {
    "notice, announcement": {"Welcome", "to", "the", "tournament"},
    "notice, rule": {"nmr"},
    "master, letter": MASTERS,
    "master, answer": MASTERS
    | CORRECTING
    | {"as", "voted", "a", "word", "of", "theirs", "nmr", "x", "y", "Q", "units", "centres"},
    "master, before the start": {"nmr", "press", "kinds"},
    **{
        f"master, unreachable, {name}": {"nmr", "postpone", "SET"}
        for name in ("lost", "late", "of a reason that nobody knows")
    },
    "master, only bad values": MASTERS | {"x", "y", "Q", "min", "h", "d", "true", "false"},
    "mail for the operator": {"Hello"},
    **{name: {"my", "mistake", "as", "all", "agreed", "A", "word", "to"} for name in BY_MASTER},
    # values of house rules
    "receipt, sealed": {"arrival"},
    "press, refused, none": {"none"},
    # names of games
    "receipt, written ahead": {"autumn", "fall"},
    "receipt, written ahead and sealed": {"autumn", "fall"},
    **{name: {"Par", "Bur"} for name in HELD},
}


def messages(language: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    path = data_dir("templates") / "locale" / f"{language.replace('-', '_')}.po"
    return {key: (plural, forms) for key, plural, forms in entries(path.read_text(encoding="utf-8"), path.name)}


def wanted() -> dict[str, str]:
    pot = data_dir("templates") / "locale" / "judge.pot"
    return {key: plural for key, plural, _ in entries(pot.read_text(encoding="utf-8"), pot.name) if key}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)s", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_there_and_none_besides(language: str) -> None:
    found = {key for key, (_, forms) in messages(language).items() if key and all(forms)}
    assert sorted(set(wanted()) - found) == []
    assert sorted(found - set(wanted())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_placeholder_is_there_and_none_besides(language: str) -> None:
    for key, (plural, forms) in messages(language).items():
        english = placeholders(plural or key.rpartition(CONTEXT)[2])
        if key:
            assert [form for form in forms if placeholders(form) != english] == [], key
            assert [form for form in forms if form.count("%") != len(re.findall(r"%\(\w+\)s", form))] == [], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_one_form_for_every_number(language: str) -> None:
    catalogue = load(language, (data_dir("templates") / "locale",))
    assert catalogue.ngettext("%(n)s day", "%(n)s days", 1) == catalogue.ngettext("%(n)s day", "%(n)s days", 7)
    assert catalogue.ngettext("%(n)s day", "%(n)s days", 7) != "%(n)s days"


def latin(text: str) -> set[str]:
    """The Latin words of a mail, but addresses, what stands in quotation marks or behind marks, keys of house rules and
    shell lines."""
    text = re.sub(r"(?m)^>.*$", "", text)
    text = re.sub(r"\n +judge draw (?:.|\n )*", "", text)
    # the seed of a draw: hexadecimal digits
    text = re.sub(r"\b(?=\w*\d)[0-9a-f]+\b", "", text)
    text = re.sub(
        r"[\w.+-]+@[\w.-]+|「[^」]*」|“(?:JOIN|NEW|INVITE|NO MORE|rules|schedule|master|set|open)\b[^”]*”", "", text
    )
    text = re.sub(r"\b[a-z]+(?:[._-][a-z0-9_]+)+\b|\b[a-z]{3}/[nsew]c\b|\b\d\d-[SF]\b|\b[SFW]\d{4}[MRA]?\b", "", text)
    return set(re.findall(r"[A-Za-z]+", text))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_word_is_left(language: str, mails: dict[str, Facts], typed_in_answers: dict[str, set[str]]) -> None:
    left: dict[str, set[str]] = {}
    for name, facts in mails.items():
        made = render(facts, language, ZONES[language])
        seats = set(facts.common.board.powers) if hasattr(facts, "common") else set()
        typed = TYPED.get(name, set()) | typed_in_answers.get(name, set())
        words = latin(made.subject + "\n" + made.text) - CODES - NAMES - seats - typed
        if words:
            left[name] = words
    assert left == {}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_wide_text_fits_72_columns(language: str, mails: dict[str, Facts]) -> None:
    for name, facts in mails.items():
        lines = render(facts, language, ZONES[language]).text.split("\n")
        assert [line for line in lines if width(line) > 72] == [], name


@pytest.mark.parametrize(
    ("language", "subject", "said"),
    [
        ("ja", "[spring42] 1901年春：2件の移動のうち1件が成功", "A パリ - ブルゴーニュ スタンドオフ"),
        ("zh-Hans", "[spring42] 1901年春季：2 次移动成功 1 次", "A 巴黎 - 勃艮第 对峙"),
        ("zh-Hant", "[spring42] 1901年春季：2 次移動成功 1 次", "A 巴黎 - 勃艮第 對峙"),
    ],
)
def test_a_result(language: str, subject: str, said: str, mails: dict[str, Facts]) -> None:
    made = render(mails["result"], language, ZONES[language])
    assert made.subject == subject
    assert said in " ".join(made.text.split())
    assert f'<html lang="{language}">' in made.html


def test_dates_as_each_language_writes_them(mails: dict[str, Facts]) -> None:
    at = {language: render(mails["start"], language, ZONES[language]).text for language in LANGUAGES}
    assert "12月4日（金）05:00" in at["ja"]
    assert "12月4日（周五）04:00" in at["zh-Hans"]
    assert "12月4日（週五）04:00" in at["zh-Hant"]


def test_a_language_without_catalogue_is_english(mails: dict[str, Facts]) -> None:
    assert render(mails["result"], "xx").text == render(mails["result"], "en").text
