"""Whose a mail is, said in the player's own words: what counts as a yes or a no, and what is asked about again."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.confirmations import Sentence, sentence
from judge.play.orderlines import NUMBER

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
GAME = "spring42@judge.example.org"
UNSURE = "I am not sure that what you wrote is an answer"


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


def asked(desk: Desk, body: str = "A Par - Bur") -> Message:
    """Somebody writes in France's name to the open address; the question to France."""
    question: Message
    (question,) = desk.post(body, to=GAME)
    assert desk.outcome == "held"
    return question


SAID = {
    "Yes, that was me.": Sentence(True, True),
    "Yes it's me": Sentence(True, True),
    "I sent it from my phone": Sentence(True, True),
    "Oui, c'est bien moi": Sentence(True, True),
    "Ja, das war ich": Sentence(True, True),
    "はい、私です": Sentence(True, True),
    "是的，是我": Sentence(True, True),
    "Yes please": Sentence(True),
    "Sure, go ahead": Sentence(True),
    "No, that wasn't me": Sentence(False, True),
    "I never sent that": Sentence(False, True),
    "Nein, die war nicht von mir": Sentence(False, True),
    "いいえ、私ではありません": Sentence(False, True),
    "不是我": Sentence(False, True),
    "No way!": Sentence(False),
    "Yes, I think that was me": Sentence(None),
    "Yes, but not the second one": Sentence(None),
    "Yes, drop it": Sentence(None),
    "Yes, it was somebody else": Sentence(None),
    "No problem": Sentence(None),
    "No, it was me": Sentence(None),
    "是的，删掉": Sentence(None),
    "See you in Vienna": None,
    "Nobody knows": None,
    "Yes, army Paris -> Burgundy": None,
    "No 4": None,
    "Yes, " + "and so on " * 10: None,
}


@pytest.mark.parametrize("text", SAID)
def test_a_short_sentence_says_whose_a_mail_is(text: str) -> None:
    assert sentence([text]) == SAID[text]


NUMBERS = [
    "4",
    "Yes, number 4 please",
    "I mean number 4",
    "Nummer 4 bitte",
    "4番でお願いします",
    "选4",
    "第4",
    "option 4, thanks",
]


@pytest.mark.parametrize("text", NUMBERS)
def test_the_number_of_a_choice_may_stand_in_polite_words(text: str) -> None:
    found = NUMBER.match(text)
    assert found is not None and found[1] == "4"


@pytest.mark.parametrize("text", ["No 4", "4 Par - Bur", "I have 4 units", "YES 44444", "4 or 5"])
def test_other_lines_with_a_number_choose_nothing(text: str) -> None:
    assert NUMBER.match(text) is None


@pytest.mark.parametrize("words", ["Yes, that was me.", "Sure, go ahead", "Oui, c'était moi", "はい、私です"])
def test_a_yes_in_a_sentence_takes_the_mail_in(desk: Desk, words: str) -> None:
    question = asked(desk)
    desk.post(words, answering=question)
    assert desk.outcome == "confirmation" and desk.held("France") == ["A PAR-BUR"]


@pytest.mark.parametrize("words", ["No, that wasn't me!", "I never wrote that.", "いいえ、私ではありません"])
def test_a_no_in_a_sentence_drops_it(desk: Desk, words: str) -> None:
    question = asked(desk)
    (answer,) = desk.post(words, answering=question)
    assert "Mail 1 is dropped" in text_of(answer)
    desk.post("YES", answering=question)
    assert desk.held("France") == []


@pytest.mark.parametrize("words", ["Yes, I think that was me", "Yes, drop it", "No problem"])
def test_an_unclear_sentence_takes_nothing_and_is_told_what_waits(desk: Desk, words: str) -> None:
    question = asked(desk)
    (answer,) = desk.post(words, answering=question)
    assert UNSURE in text_of(answer) and "A Par - Bur" in text_of(answer) and desk.held("France") == []
    desk.now += timedelta(minutes=2)
    desk.post("YES", answering=answer)
    assert desk.held("France") == ["A PAR-BUR"]


@pytest.mark.parametrize("words", ["YES", "Yes, that was me"])
def test_it_counts_in_a_mail_of_its_own_if_nothing_else_is_asked(desk: Desk, words: str) -> None:
    asked(desk)
    desk.post(words)
    assert desk.held("France") == ["A PAR-BUR"]


@pytest.mark.parametrize("words", ["OK\nA Mar S A Par - Gas", "Sure, see you", "yes\nREADY"])
def test_elsewhere_agreement_with_something_else_confirms_nothing(desk: Desk, words: str) -> None:
    asked(desk)
    mails = desk.post(words)
    assert any(UNSURE in text_of(mail) for mail in mails)
    assert "A PAR-BUR" not in desk.held("France")


def test_of_two_mails_a_sentence_means_neither_for_sure(desk: Desk) -> None:
    question = asked(desk)
    desk.post("A Par - Pic", to=GAME)
    (both,) = desk.post("Yes, perhaps", answering=question)
    assert "A Par - Bur" in text_of(both) and "A Par - Pic" in text_of(both)
    (answer,) = desk.post("Yes, that was me", answering=both)
    assert "doesn't say which it means" in text_of(answer) and desk.held("France") == []


def test_where_nothing_waits_a_sentence_is_talk(desk: Desk) -> None:
    desk.post("Yes, that was me")
    assert desk.outcome == "empty" and desk.held("France") == []


def test_a_machine_that_always_agrees_is_told_six_times_a_day(desk: Desk) -> None:
    question = asked(desk)
    told = 0
    for _ in range(20):
        desk.now += timedelta(minutes=15)
        told += sum(UNSURE in text_of(mail) for mail in desk.post("Yes, perhaps", answering=question))
    assert 1 < told <= 6 and desk.held("France") == []


def test_short_mails_are_answered_while_a_question_waits(desk: Desk) -> None:
    asked(desk)
    for words in ("hm, what now", "I do not understand", "anybody there", "hm, what now"):
        desk.now += timedelta(minutes=1)
        assert desk.post(words), words
        assert desk.outcome in ("nothing", "empty")


def test_but_not_without_end(desk: Desk) -> None:
    asked(desk)
    answered = 0
    for _ in range(20):
        desk.now += timedelta(minutes=5)
        answered += bool(desk.post("the secretary has it"))
    assert answered == 12
