"""Row CN-2: under ``turn.notation = 01-S`` every mail prints turns so, elsewhere in words; both are read everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest

from judge.mail.message_ids import find_answered
from judge.render.facts import Facts, NoticeFacts, RuleChange
from judge.render.mails import Rendered, render
from judge.rules.houserules import STANDARD, HouseRules
from judge.rules.position import Phase
from judge.variants import load_board, load_rules, with_key

#: together they take a minute: the fast set stays under five
pytestmark = pytest.mark.slow

LANGUAGES = ("en", "ja", "zh-Hans", "zh-Hant")
PRESETS = {"china": "01-S", "standard": "S1901M", "japan-1910": "S1901M"}

SHORT = re.compile(r"(?<![\w-])\d\d-[SFW](?![\w-])")
IN_WORDS = re.compile(r"\b(?:Spring|Fall|Autumn|Winter) 1[89]\d\d|1[89]\d\d ?年?[春秋冬]")
CODE = re.compile(r"(?<![\w.])[SFW]1[89]\d\d[MRA]?\b")
FORMS = {"01-S": SHORT, "S1901M": IN_WORDS}
#: answers that show what a person types, or the text that a commitment is the hash of: codes, which are read in every game
TYPED = ("master, answer", "answer, log", "answer, chapters", "answer, commitments")


def said(mail: Rendered, sentence: str) -> str:
    """All of a mail, hidden parts and links too; without what a person wrote, and without the sentence of the rule itself,
    which speaks of the other form."""
    html = unescape(mail.html)
    text = "\n".join((mail.subject, mail.text, html, unquote(html), re.sub(r"<[^>]*>", "", html)))
    text = re.sub(r"[“「][^”」]{0,60}[”」]", "", text)
    text = re.sub(r"\s+", " ", text).replace(sentence, "")
    return re.sub(r"F1910\W+(?:\w+ )?10-F|victory\.end\.turn ?= ?F1908", "", text)  # how a master may type a turn


def sentence_of(language: str) -> str:
    """The sentence of ``turn.notation = S1901M``, however it stands in a mail: its one short form is taken out."""
    return {"en": "01-S is read too", "ja": "01-S", "zh-Hans": "01-S", "zh-Hant": "01-S"}[language]


def under(facts: Facts, rules: HouseRules) -> Facts:
    """The same mail in a game with another notation of turns."""
    common: Any = facts.common  # type: ignore[union-attr]
    notation = rules.turn_notation
    changed: Any = replace(facts, common=replace(common, rules=replace(common.rules, turn_notation=notation)))
    return changed  # type: ignore[no-any-return]


def of_a_game(facts: Facts) -> bool:
    return getattr(facts, "common", None) is not None


def faults(facts: Facts, rules: HouseRules, form: str, language: str) -> Iterator[str]:
    """Where a mail prints turns in another form than ``form``."""
    mail = render(under(facts, rules), language, "UTC")
    for other, pattern in FORMS.items():
        if other != form:
            yield from pattern.findall(said(mail, sentence_of(language) if form == "S1901M" else ""))
    yield from CODE.findall(said(mail, ""))
    phase = facts.common.phase  # type: ignore[union-attr]
    if phase and re.match(r"(?:Re: )?\[spring42\]", mail.subject):
        named = [part for part in (mail.subject, mail.text) if FORMS[form].search(re.sub(r"\s+", " ", part))]
        yield from [] if named else ["no turn at all"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_every_mail_prints_turns_in_the_games_form(preset: str, language: str, mails: dict[str, Facts]) -> None:
    rules = load_rules(preset)
    assert rules.turn_notation == PRESETS[preset]
    chosen = {name: facts for name, facts in mails.items() if of_a_game(facts) and name not in TYPED}
    assert len(chosen) > 40
    assert {n: f for n in chosen if (f := list(faults(chosen[n], rules, PRESETS[preset], language)))} == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_2_bites_with_the_key_alone_turned(preset: str, mails: dict[str, Facts]) -> None:
    other = {"01-S": "S1901M", "S1901M": "01-S"}[PRESETS[preset]]
    rules = with_key(load_rules(preset), "turn.notation", other, load_board())
    wrong = [n for n, facts in mails.items() if of_a_game(facts) and list(faults(facts, rules, PRESETS[preset], "en"))]
    assert {"start", "receipt", "result", "end", "notice, rolled back"} <= set(wrong)


@pytest.mark.parametrize(("preset", "printed"), [("china", "“08-F”"), ("standard", "“F1908”"), ("japan-1910", "“F1908”")])
def test_cn_2_the_old_and_new_value_of_a_rule(preset: str, printed: str, common: Any) -> None:
    change = RuleChange("victory.end.turn", "F1905", "F1908", "F1908", "F1902M")
    facts = NoticeFacts(common(rules=load_rules(preset)), "rules-changed", {"changes": (change,)}, None, None)
    text = " ".join(render(facts).text.split())
    assert f"it is {printed}" in text
    assert ("Fall 1908" in text) == (preset != "china") == ("Fall 1902" in text)


@pytest.mark.parametrize("written", ["F1905", "05-F", "05-f", "f1905"])
def test_cn_2_both_forms_are_read_in_a_rule(written: str) -> None:
    for preset in PRESETS:
        assert with_key(load_rules(preset), "victory.end.turn", written, load_board()).victory_end_turn == "F1905"


@pytest.mark.parametrize(
    ("written", "phase"),
    [("01-S", "S1901M"), ("05-F", "F1905M"), ("10-f", "F1910M"), ("S1901", "S1901M"), ("F1905R", "F1905R")],
)
def test_cn_2_both_forms_are_read_as_a_phase(written: str, phase: str) -> None:
    assert str(Phase.parse(written)) == phase


@pytest.mark.parametrize("written", ["01-W", "1-S", "001-S", "01-SM", "S01", "W1901", "01S", "2001-S"])
def test_cn_2_what_is_no_turn_is_no_phase(written: str) -> None:
    with pytest.raises(ValueError, match="no phase"):
        Phase.parse(written)


PHASES = ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "F1910M", "W1912A")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("notation", PRESETS.values())
def test_cn_2_an_answers_subject_names_its_phase(notation: str, language: str, phase: str, common: Any) -> None:
    """Some programs keep nothing but the subject: whichever form it is in, it is known which phase is answered."""
    rules = with_key(STANDARD, "turn.notation", notation, load_board())
    facts = NoticeFacts(common(phase, rules=rules), "paused", {}, None, None)
    answered = find_answered(None, (), "Re: " + render(facts, language).subject)
    assert answered is not None and answered.game == "spring42"
    # the words of a season alone leave movement or retreats open
    assert phase.startswith(answered.phase) and len(answered.phase) >= 5
