"""Who sent a mail: what is believed, what is held and asked about, what the answer does, and what nobody can do."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.play import confirming, setup, writing
from judge.render.facts import ConfirmFacts
from judge.store import games, inbox, outbox
from judge.store import press as stored_press
from judge.store.db import stamp
from judge.variants import load_rules

Desk = Any
GAME = "spring42@judge.example.org"


def text_of(message: Message) -> str:
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]
    raise AssertionError("no text part")


def only(mails: list[Message]) -> Message:
    (mail,) = mails
    return mail


# held, asked, answered


def asked(desk: Desk, body: str = "A Par - Bur", **more: Any) -> Message:
    """Somebody writes in France's name to the open address; the question to France."""
    question = only(desk.post(body, **{"to": GAME, **more}))
    assert desk.outcome == "held" and desk.held("France") == []
    assert question["To"] == "france@example.org"
    return question


def test_the_question_says_what_came_and_by_when_it_can_be_answered(desk: Desk) -> None:
    question = asked(desk, "Dear judge,\nA Par - Bur\n<b>bold</b>\n" + "\n".join(f"line {n}" for n in range(20)))
    assert question["Subject"] == "[spring42] Spring 1901: is mail 1 from you?"
    assert desk.reply_to("France") in question["Reply-To"]
    text = text_of(question)
    for said in ("came on Tue 1 Dec, 13:00 UTC", "france@example.org", "> A Par - Bur", "“YES”", "by Wed 2 Dec, 12:00 UTC"):
        assert said in text, said
    assert "line 4" in text and "line 6" not in text
    html = next(p for p in question.walk() if p.get_content_type() == "text/html").get_payload(decode=True).decode()  # type: ignore[union-attr]
    assert "&lt;b&gt;bold&lt;/b&gt;" in html and "<b>bold" not in html


YESES = [
    "YES",
    "yes.",
    "Ok",
    "はい",
    "是",
    "確認",
    "YES 1",
    "Yes, it is mine.",
    "ＹＥＳ　１",
    "YES\n\nCamille\n-- \nby phone",
]


@pytest.mark.parametrize("yes", YESES)
def test_a_yes_takes_the_mail_in_as_of_when_it_came(desk: Desk, yes: str) -> None:
    question = asked(desk)
    came = desk.now
    desk.now += timedelta(hours=3)
    receipt = only(desk.post(yes, answering=question))
    assert desk.outcome == "confirmation" and desk.held("France") == ["A PAR-BUR"]
    assert receipt["To"] == "france@example.org" and "receipt" in receipt["Message-ID"]
    first = desk.judge.store.row("SELECT inbox.* FROM inbox JOIN held_mails ON held_mails.inbox_id = inbox.id")
    assert (first["outcome"], first["power"]) == ("orders", "France")
    assert inbox.load(desk.judge.store, first["id"]).received_at == came


NOT_YES = {"quoted": "> YES", "with a number that is none": "YES 7"}


@pytest.mark.parametrize("name", NOT_YES)
def test_what_is_no_answer_confirms_nothing(desk: Desk, name: str) -> None:
    desk.post(NOT_YES[name], answering=asked(desk))
    assert desk.held("France") == [] and desk.outcome != "confirmation"


def test_a_yes_from_elsewhere_confirms_nothing(desk: Desk) -> None:
    question = asked(desk)
    for power, sender in (("Germany", "germany@example.org"), ("France", "mallory@evil.example")):
        desk.post("YES 1", power=power, sender=sender, answering=question)
    desk.post("YES 1", answering=question, to=GAME)
    assert desk.held("France") == []


def test_a_no_drops_it_and_a_yes_afterwards_changes_nothing(desk: Desk) -> None:
    question = asked(desk)
    answer = only(desk.post("NO", answering=question))
    assert answer["Subject"].startswith("Re: ") and "Mail 1 is dropped: nothing in it is used." in text_of(answer)
    answer = only(desk.post("YES", answering=question))
    assert "had been dropped before" in text_of(answer) and desk.held("France") == []


def test_a_second_yes_changes_nothing(desk: Desk) -> None:
    question = asked(desk)
    desk.post("YES", answering=question)
    desk.mail("France", "A Par - Pic")
    answer = only(desk.post("YES", answering=question))
    assert "nothing has changed" in text_of(answer) and desk.held("France") == ["A PAR-PIC"]


def test_yes_and_no_at_once_do_nothing(desk: Desk) -> None:
    question = asked(desk)
    answer = only(desk.post("YES\nNO", answering=question))
    assert "both yes and no" in text_of(answer) and desk.held("France") == []
    desk.post("YES", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


@pytest.mark.parametrize("date", [True, False], ids=["dated", "without a Date"])
def test_what_came_before_newer_orders_stays_the_older(desk: Desk, date: bool) -> None:
    question = asked(desk, headers={} if date else {"Date": "nonsense"})
    desk.now += timedelta(hours=1)
    desk.mail("France", "A Par - Pic")
    desk.now += timedelta(hours=1)
    desk.post("YES", answering=question)
    assert desk.held("France") == ["A PAR-PIC"]


def test_orders_beside_the_yes_are_newer(desk: Desk) -> None:
    question = asked(desk, "A Par - Bur\nA Mar S A Par - Bur")
    desk.now += timedelta(hours=1)
    receipts = desk.post("YES\nA Par - Pic", answering=question)
    assert desk.held("France") == ["A MAR S A PAR-BUR", "A PAR-PIC"] and len(receipts) == 2
    assert desk.outcome == "orders"


def test_confirmed_after_the_deadline_but_before_processing_it_counts(desk: Desk) -> None:
    question = asked(desk)
    desk.now += timedelta(hours=23, minutes=1)
    desk.post("YES", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


def test_confirmed_after_processing_it_is_late(desk: Desk) -> None:
    question = asked(desk)
    assert desk.pass_time(hours=24) == ["spring42"]
    desk.receive()
    receipt = only(desk.post("YES", answering=question))
    assert desk.held("France") == [] and "Spring 1901" in receipt["Subject"] and "too late" in receipt["Subject"]


def test_a_program_that_keeps_only_the_subject(desk: Desk) -> None:
    question = asked(desk)
    desk.post("YES", subject=f"Re: {question['Subject']}")
    assert desk.held("France") == ["A PAR-BUR"]


def test_press_in_a_held_mail_goes_out_with_the_yes(desk: Desk) -> None:
    question = asked(desk, "PRESS TO GERMANY\nShall we?\nEND\nA Par - Bur")
    assert stored_press.of_game(desk.judge.store, 1) == []
    mails = desk.post("YES", answering=question)
    assert sorted(m["To"] for m in mails) == ["france@example.org", "germany@example.org"]


# nobody floods a player through us


def test_one_question_a_day_names_what_came_since(desk: Desk) -> None:
    asked(desk, "A Par - Bur")
    assert [desk.post(f"A Par - Pic\n{n}", to=GAME) for n in range(12)] == [[]] * 12
    desk.now += timedelta(hours=25)
    question = only(desk.post("A Par - Gas", to=GAME))
    text = text_of(question)
    assert question["Subject"].endswith("are these 10 mails from you?")
    assert "Mail 2 came" in text and "Mail 11 came" in text and "Mail 12 came" not in text


def test_the_next_answer_names_them_too(desk: Desk) -> None:
    question = asked(desk, "A Par - Bur")
    assert desk.post("A Mar - Spa", to=GAME) == []
    receipt, second = desk.post("YES", answering=question)
    assert "receipt" in receipt["Message-ID"] and "Mail 2 came" in text_of(second)
    desk.post("YES 2", answering=receipt)
    assert desk.held("France") == ["A PAR-BUR", "A MAR-SPA"]


def test_a_yes_without_a_number_to_several_is_asked_back(desk: Desk) -> None:
    question = asked(desk, "A Par - Bur")
    desk.post("A Mar - Spa", to=GAME)
    desk.post("F Bre - MAO", to=GAME)
    _, second = desk.post("YES", answering=question)
    answer = only(desk.post("YES", answering=second))
    assert "doesn't say which" in text_of(answer) and desk.held("France") == ["A PAR-BUR"]
    desk.post("YES 3\nNO 2", answering=answer)
    assert desk.held("France") == ["A PAR-BUR", "F BRE-MAO"]


def test_what_could_not_be_asked_is_asked_in_time(desk: Desk) -> None:
    asked(desk, "A Par - Bur")
    desk.post("A Mar - Spa", to=GAME)
    assert confirming.ask_again(desk.judge, desk.now) == 0
    assert confirming.next_question(desk.judge, desk.now) == desk.now + timedelta(hours=17), "six hours before the deadline"
    desk.now += timedelta(hours=24)
    assert confirming.next_question(desk.judge, desk.now) == desk.now
    assert confirming.ask_again(desk.judge, desk.now) == 1
    assert confirming.next_question(desk.judge, desk.now) is None
    desk.work()
    assert "is mail 2 from you?" in only(desk.receive())["Subject"]
    assert confirming.ask_again(desk.judge, desk.now) == 0


def test_before_a_deadline_it_is_asked_once_more(desk: Desk) -> None:
    """Somebody has used up the day's question; the player's own mail from the phone is not missed without one."""
    desk.post("x", sender="mallory@evil.example")
    assert [desk.post(f"y {n}", sender="mallory@evil.example") for n in range(5)] == [[]] * 5
    desk.now += timedelta(hours=10)
    assert desk.post("A Par - Bur", sender="camille@phone.example") == []
    desk.now += timedelta(hours=6, minutes=59)
    assert confirming.ask_again(desk.judge, desk.now) == 0
    assert confirming.next_question(desk.judge, desk.now) == desk.now + timedelta(minutes=1)
    desk.now += timedelta(minutes=2)
    assert confirming.ask_again(desk.judge, desk.now) == 1
    desk.work()
    question = only(desk.receive())
    assert "Mail 7 came" in text_of(question) and "by Wed 2 Dec, 12:00 UTC" in text_of(question)
    assert [desk.post(f"z {n}", sender="mallory@evil.example") for n in range(5)] == [[]] * 5
    assert confirming.ask_again(desk.judge, desk.now) == 0
    assert confirming.next_question(desk.judge, desk.now) == desk.now + timedelta(hours=24), "no third one in this phase"
    desk.post("YES 7", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


def test_short_phases_make_few_questions_a_day(desk: Desk) -> None:
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE games SET schedule = 'every 1 h'")
        desk.judge.store.run("UPDATE phases SET deadline = ?", stamp(desk.now + timedelta(hours=1)))
    questions = 0
    for n in range(48):
        questions += sum("from you?" in str(m["Subject"]) for m in desk.post(f"x {n}", sender="mallory@evil.example"))
        desk.pass_time(minutes=30)
        desk.receive()
    assert 2 <= questions <= confirming.MOST_QUESTIONS


@pytest.mark.parametrize("passed", [True, False], ids=["passed", "none"])
def test_without_a_deadline_ahead_the_question_says_before_what(desk: Desk, passed: bool) -> None:
    raw, to, sender = desk.write("France", "A Par - Bur", to=GAME)
    desk.deliver(raw, to, sender)
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE phases SET deadline = ?", stamp(desk.now + timedelta(minutes=1)) if passed else None)
    desk.now += timedelta(hours=2)
    desk.work()
    assert "counts for this turn if your answer is here before the turn is run" in text_of(only(desk.receive()))


def test_what_came_after_the_deadline_is_not_said_to_count(desk: Desk) -> None:
    desk.now += timedelta(hours=24)
    question = asked(desk)
    assert "counts for this turn" not in text_of(question)
    receipt = only(desk.post("YES", answering=question))
    assert "late" in str(receipt["Subject"]) and desk.held("France") == []


@pytest.mark.slow
def test_many_strange_mails_flood_neither_their_owner_nor_their_writer(desk: Desk) -> None:
    """The signed address leaked: a thousand mails make one question, and nothing at all for whoever they name."""
    mails = []
    for n in range(200):
        sender = f"stranger{n}@evil.example"
        mails += desk.post(f"A Par - Bur\n{n}", sender=sender, headers={"Reply-To": f"victim{n}@example.net"})
    assert [mail["To"] for mail in mails] == ["france@example.org"]
    mails = [mail for n in range(200) for mail in desk.post(f"hello {n}", to=GAME, sender="france@example.org")]
    assert mails == []


def test_machines_are_not_asked_about(desk: Desk) -> None:
    for headers in ({"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk", "X-Autoreply": "yes"}):
        assert desk.post("I am away", to=GAME, headers=headers) == []
        assert desk.post("I am away", sender="france@phone.example", headers=headers) == []
    body = "I am out of the office until Monday and will answer your mail when I am back."
    assert desk.post(body, subject="Out of office", sender="france@phone.example") == []
    assert desk.judge.store.rows("SELECT 1 FROM held_mails") == []


# the signed address from elsewhere


@pytest.mark.parametrize(
    "body",
    ["A Par - Bur", "CLEAR", "1", "PRESS TO ALL\nI give up\nEND", "NEW ADDRESS", "READY", "Hello?"],
    ids=["orders", "a command", "an answer", "press", "a new address", "ready", "talk"],
)
def test_from_another_address_nothing_is_done_but_asked(desk: Desk, body: str) -> None:
    desk.mail("France", "A Par - Pic")
    before = desk.show()["seats"]
    question = only(desk.post(body, sender="mallory@evil.example"))
    assert desk.outcome == "held" and question["To"] == "france@example.org"
    assert desk.show()["seats"] == before and stored_press.of_game(desk.judge.store, 1) == []
    text = text_of(question)
    assert "from mallory@evil.example, not from the address" in text and "NEW ADDRESS" in text
    assert desk.deliver(*desk.write("France", "STATUS")) is not None


def test_the_owner_confirms_their_other_address(desk: Desk) -> None:
    question = only(desk.post("A Par - Bur", sender="camille@phone.example"))
    desk.post("YES", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


SAME = {
    "in capitals": {"From": "FRANCE@Example.ORG"},
    "with a tag": {"From": "Camille <france+dip@example.org>"},
    "with a name": {"From": '"Mallory <mallory@evil.example>" <france@example.org>'},
    "an encoded name": {"From": "=?utf-8?b?44Kr44Of44O844Om?= <france@example.org>"},
    "sent for it by another": {"From": "france@example.org", "Sender": "office@example.net"},
    "a comment": {"From": "france@example.org (Camille)"},
}


@pytest.mark.parametrize("headers", SAME.values(), ids=SAME)
def test_the_same_mailbox_written_otherwise(desk: Desk, headers: dict[str, str]) -> None:
    desk.post("A Par - Bur", headers=headers, envelope="bounces@example.net")
    assert (desk.outcome, desk.held("France")) == ("orders", ["A PAR-BUR"])


NOT_BY_FROM = {
    "the envelope alone": {"From": "mallory@evil.example"},
    "the envelope, and a From without an address": {"From": "Camille"},
    "a Sender": {"From": "mallory@evil.example", "Sender": "france@example.org"},
    "a Sender and a Reply-To": {"From": "x@evil.example", "Sender": "france@example.org", "Reply-To": "france@example.org"},
    "a list that writes its own From": {"From": "Camille via Club <club@lists.example>", "Sender": "france@example.org"},
}


@pytest.mark.parametrize("headers", NOT_BY_FROM.values(), ids=NOT_BY_FROM)
def test_from_decides_and_nothing_else(desk: Desk, headers: dict[str, str]) -> None:
    question = only(desk.post("A Par - Bur", headers=headers, envelope="france@example.org"))
    assert desk.outcome == "held" and desk.held("France") == []
    assert "from france@example.org" not in text_of(question)
    desk.post("YES", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


WHOLE = {
    "two lines": (b"From: france@example.org\r\nFrom: m@evil.example", "> france@example.org / m@evil.example"),
    "two addresses": (b"From: m@evil.example, france@example.org", "> m@evil.example, france@example.org"),
    "a group": (b"From: france@example.org: m@evil.example;", "> france@example.org: m@evil.example;"),
    "a route": (b"From: <@evil.example:france@example.org>", "> <@evil.example:france@example.org>"),
    "an order": (b"From: A Par - Bur", "> A Par - Bur"),
}


@pytest.mark.parametrize("to", ["", GAME], ids=["signed", "open"])
@pytest.mark.parametrize("name", WHOLE)
def test_the_question_shows_all_that_an_unclear_from_says(desk: Desk, name: str, to: str) -> None:
    line, shown = WHOLE[name]
    if to and name == "an order":
        return  # names nobody: a stranger's
    raw, address, sender = desk.write("France", "A Par - Bur", **({"to": to} if to else {}))
    head, _, rest = raw.partition(b"From: France <france@example.org>")
    question = only(desk.hand_in(head + line + rest, address, sender))
    assert desk.outcome == "held" and desk.held("France") == []
    text = text_of(question)
    assert shown in text and "sender can't be told" in text and "came on Tue 1 Dec, 13:00 UTC" in text
    assert "from france@example.org" not in text and "not from the address" not in text


def test_what_a_from_says_is_shown_within_bounds(desk: Desk) -> None:
    headers = {"From": "<b>, " + "x" * 60 + "@a.example, " + "y" * 900 + "@b.example"}
    question = only(desk.post("A Par - Bur", headers=headers))
    assert "> <b>," in text_of(question) and text_of(question).count("yyyyy") < 30


STRANGE = {
    "the address as a name": {"From": '"france@example.org" <mallory@evil.example>'},
    "the address as a bare name": {"From": "france@example.org <mallory@evil.example>"},
    "two addresses": {"From": "france@example.org, mallory@evil.example"},
    "a group": {"From": "players: france@example.org;"},
    "a forged Reply-To": {"From": "mallory@evil.example", "Reply-To": "france@example.org"},
    "an encoded address": {"From": "=?utf-8?q?france=40example=2Eorg?= <mallory@evil.example>"},
    "encoded as a whole": {"From": "=?utf-8?q?france=40example=2Eorg?="},
    "an encoded line end": {"From": "=?utf-8?q?x=0D=0AFrom=3A_france=40example=2Eorg?= <mallory@evil.example>"},
    "the domain goes on": {"From": "france@example.org.evil.example"},
    "no address": {"From": "Camille"},
    "a comment as address": {"From": "mallory@evil.example (france@example.org)"},
}


@pytest.mark.parametrize("headers", STRANGE.values(), ids=STRANGE)
def test_a_sender_that_only_looks_like_the_player(desk: Desk, headers: dict[str, str]) -> None:
    question = only(desk.post("A Par - Bur", headers=headers, envelope="bounces@evil.example"))
    assert desk.outcome == "held" and desk.held("France") == []
    assert question["To"] == "france@example.org"
    # nothing of it makes a header of ours
    assert all(len(question.get_all(name, [])) == 1 for name in ("From", "To", "Reply-To", "Subject"))
    assert "mallory" not in str(question["Subject"]) + str(question["From"])


def test_gmail_is_one_mailbox(desk: Desk) -> None:
    game = games.get(desk.judge.store, "spring42")
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, game.id, "France", "Camille.Dupont@googlemail.com")
    for n, sender in enumerate(("camilledupont@gmail.com", "camille.dupont+dip@gmail.com"), 1):
        desk.post(f"A Par - {['Bur', 'Pic'][n - 1]}", sender=sender)
        assert desk.outcome == "orders"
    desk.post("A Par - Gas", sender="camille.dupond@gmail.com")
    assert desk.outcome == "held"


def test_before_the_start_nothing_is_asked(desk: Desk) -> None:
    setup.create_game(
        desk.judge, "later", rules=load_rules("standard"), players={"France": "france@example.org"}, now=desk.now
    )
    to = desk.reply_to("France", "later")
    assert desk.post("A Par - Bur", to=to, sender="mallory@evil.example") == []
    assert desk.outcome == "too-early"
    assert desk.post("A Par - Bur", to="later@judge.example.org") == []


def test_a_master_is_asked_before_the_start_too(desk: Desk) -> None:
    setup.create_game(
        desk.judge, "later", rules=load_rules("standard"), players={"France": "france@example.org"}, now=desk.now
    )
    setup.set_master(desk.judge, "later", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    to = desk.reply_to("master", "later")
    question = only(desk.post("SET nmr=postpone", "master", to=to, sender="mallory@evil.example"))
    assert question["To"] == "ana@example.org" and "SET nmr" in text_of(question)
    (answer,) = desk.post("YES", "master", to=to, sender="ana@example.org", answering=question)
    assert "1 house rule changed" in answer["Subject"]


def test_after_the_end_it_is_held_all_the_same(desk: Desk) -> None:
    with desk.judge.store.transaction():
        desk.judge.store.run("UPDATE phases SET state = 'processed'")
    question = only(desk.post("PRESS TO ALL\nWell played\nEND", sender="mallory@evil.example"))
    assert desk.outcome == "held" and "counts for this turn" not in text_of(question)


# a new address


@pytest.mark.parametrize("words", ["NEW ADDRESS", "new key", "新しいアドレス", "新地址", "新位址"])
def test_a_new_address_ends_the_old_one(desk: Desk, words: str) -> None:
    old = desk.reply_to("France")
    answer = only(desk.post(words))
    new = desk.reply_to("France")
    assert new != old and new in answer["Reply-To"] and answer["To"] == "france@example.org"
    assert "new reply address" in answer["Subject"] and "refused from now on" in text_of(answer)
    assert desk.outcome == "command"
    assert desk.deliver(*desk.write("France", "A Par - Bur", to=old)) is None
    desk.post("A Par - Bur")
    assert desk.held("France") == ["A PAR-BUR"]


def test_orders_beside_it_are_taken_and_answered_to_the_new_address(desk: Desk) -> None:
    mails = desk.post("NEW ADDRESS\nA Par - Bur")
    assert desk.held("France") == ["A PAR-BUR"] and len(mails) == 2
    assert all(desk.reply_to("France") in mail["Reply-To"] for mail in mails)


def test_mails_under_way_get_the_new_address(desk: Desk) -> None:
    desk.deliver(*desk.write("France", "A Par - Bur"))
    desk.work()  # rendered, not yet delivered
    desk.deliver(*desk.write("France", "NEW ADDRESS"))
    desk.work()
    assert all(desk.reply_to("France") in mail["Reply-To"] for mail in desk.receive())
    log = desk.judge.store.row("SELECT who, what, facts FROM log WHERE what = 'new-address'")
    assert (log["who"], log["facts"]) == ("France", '{"generation": 1}')


def test_a_master_gets_a_new_address_too(desk: Desk) -> None:
    setup.set_master(desk.judge, "spring42", "ana@example.org", who="operator", now=desk.now)
    desk.work()
    desk.receive()
    old = desk.reply_to("master")
    answer = only(desk.post("NEW ADDRESS", "master", sender="ana@example.org"))
    assert desk.reply_to("master") in answer["Reply-To"] and "As the game master" in text_of(answer)
    assert desk.deliver(*desk.write("master", "HELP", to=old, sender="ana@example.org")) is None


# faults


def test_a_fault_while_taking_a_confirmed_mail_in_leaves_all_as_it_was(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked(desk)
    with monkeypatch.context() as patched:
        patched.setattr("judge.play.seatmail.file_orders", lambda *a: 1 / 0)
        desk.deliver(*desk.write("France", "YES", answering=question))
        with pytest.raises(ZeroDivisionError):
            desk.work()
    assert desk.judge.store.row("SELECT state FROM held_mails")["state"] == "held"
    desk.now += timedelta(minutes=2)
    desk.work()
    assert desk.held("France") == ["A PAR-BUR"]


def test_no_token_is_in_what_is_kept_or_asked(desk: Desk) -> None:
    token = desk.reply_to("France").partition("+")[2].partition("@")[0]
    question = only(desk.post(f"write me at spring42+{token}@judge.example.org", sender="mallory@evil.example"))
    line = outbox.load(desk.judge.store, desk.judge.store.row("SELECT max(id) AS id FROM outbox")["id"])
    assert token not in text_of(question) and token.encode() not in (line.frozen or b"")
    assert token not in desk.judge.store.row("SELECT words FROM held_mails")["words"]
    facts = writing.facts_for(desk.judge, line)
    assert isinstance(facts, ConfirmFacts) and facts.asked[0].why == "strange-address"
