"""Press in the mails of programs that write HTML: its blank lines are the player's own."""

from __future__ import annotations

import pytest

from judge.mail.reading import Incoming, read
from judge.mail.sections import split

HEAD = (
    b"From: a@example.org\r\nTo: spring42@judge.example.org\r\nSubject: x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
)


@pytest.mark.parametrize(
    "html",
    [
        "<div>PRESS TO ENGLAND<br>Hello <b>there</b><br><br>one<br>two<br>END<br></div>",
        "<div>PRESS TO ENGLAND</div><div>Hello there</div><div><br></div><div>one</div><div>two</div><div>END</div>",
        "PRESS TO ENGLAND<br>\nHello there<br>\n<br>\none<br>\ntwo<br>\nEND<br>\n",
        "<pre>PRESS TO ENGLAND\nHello there\n\none\ntwo\nEND</pre>",
    ],
)
def test_lines_and_blank_lines_are_those_that_the_player_saw(html: str) -> None:
    found = read(HEAD + html.encode(), sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert [press.text for press in found.press] == ["Hello there\n\none\ntwo"]


@pytest.mark.parametrize("blank", [" ", "\u3000", "\t ", "\u00a0"])
@pytest.mark.parametrize(
    "line", ["press to{blanks}:", "press{blanks}to france:", "press to{blanks}x{blanks}: y", "{blanks}press to x"]
)
def test_no_run_of_blanks_makes_a_heading_slow(line: str, blank: str) -> None:
    """A line of a megabyte is looked at as far as a heading may go; with the blanks as they stand it would take hours."""
    long = line.format(blanks=blank * 500_000)
    found = split([long, "A PAR-BUR"], ["spring42"])
    assert "A PAR-BUR" in found.lines or found.press


def test_words_on_the_line_of_the_heading_are_kept_as_they_are() -> None:
    (found,) = split(["PRESS  TO   France Russia :  Two   blanks:  here", "END"], ["spring42"]).press
    assert (found.to, found.text) == ("France Russia", "Two   blanks:  here")


def mail(subject: str, body: str, *files: str) -> Incoming:
    """What is read of a mail to spring42 with text files attached."""
    head = f"From: a@example.org\r\nTo: spring42@judge.example.org\r\nSubject: {subject}\r\n"
    plain = "Content-Type: text/plain; charset=utf-8\r\n"
    parts = [f"{plain}\r\n{body}\r\n"]
    parts += [
        f'{plain}Content-Disposition: attachment; filename="{n}.txt"\r\n\r\n{text}\r\n' for n, text in enumerate(files)
    ]
    text = "".join(f"--b\r\n{part}" for part in parts)
    raw = f'{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n{text}--b--\r\n'
    return read(raw.encode(), sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")


TEXT = "Hello there\nlet us talk\nEND\nA PAR-BUR"
HEADINGS = {
    "PRESS TO FRANCE": ("FRANCE", ""),
    "Press to France and Italy": ("France and Italy", ""),
    "[spring42] press to all": ("all", ""),
    "spring42: PRESS TO ALL": ("ALL", ""),
    "grey press to all": ("all", "grey"),
    "Press grey to France": ("France", "grey"),
    "Message to France": ("France", ""),
    "BROADCAST": ("", ""),
    "外交文書 ドイツ宛": ("ドイツ宛", ""),
    "匿名プレス フランス": ("フランス", "grey"),
    "全体プレス": ("", ""),
    "伝言 フランス": ("フランス", ""),
    "フランスへの伝言：": ("フランス", ""),
    "フランスへ伝言": ("フランス", ""),
    "フランスにメッセージ": ("フランス", ""),
    "新闻 致法国": ("致法国", ""),
    "外交信函 致德國": ("致德國", ""),
}
TITLES = [
    "Re: PRESS TO FRANCE",
    "Fwd: PRESS TO FRANCE",
    "AW: Press to France",
    "Press",
    "Press: my view of things",
    "hello",
    "Message: orders",
    "Pressing on to Paris",
    "express to France",
    "To France",
    "Orders and press to France",
    "新闻",
]


@pytest.mark.parametrize(("subject", "head"), HEADINGS.items())
def test_a_subject_may_be_the_heading(subject: str, head: tuple[str, str]) -> None:
    found = mail(subject, TEXT)
    assert [(one.to, one.kind, one.text, one.ended) for one in found.press] == [(*head, "Hello there\nlet us talk", True)]
    assert found.own_lines == ("A PAR-BUR",)
    assert found.press[0].broadcast == (head[0] == "")


@pytest.mark.parametrize("subject", TITLES)
def test_a_title_is_no_heading(subject: str) -> None:
    found = mail(subject, "Hello there\nA PAR-BUR")
    assert found.press == () and found.own_lines == ("Hello there", "A PAR-BUR")


def test_the_text_under_a_subject_ends_with_the_mail_and_its_orders_are_asked_about() -> None:
    found = mail("PRESS TO FRANCE", "Hello there\nA PAR-BUR")
    assert [(one.text, one.ended) for one in found.press] == [("Hello there\nA PAR-BUR", False)]
    assert found.own_lines == () and ("A PAR-BUR", "unclosed-press") in found.doubtful


def test_with_headings_of_its_own_the_text_needs_none() -> None:
    """The subject says what the mail holds; only a text that ends before them is its own."""
    found = mail("PRESS TO FRANCE", "PRESS TO ITALY\nciao\nEND\nA PAR-BUR")
    assert [(one.to, one.text) for one in found.press] == [("ITALY", "ciao")] and found.own_lines == ("A PAR-BUR",)
    found = mail("PRESS TO FRANCE", "salut\nEND\nPRESS TO ITALY\nciao\nEND\nA PAR-BUR")
    assert [(one.to, one.text) for one in found.press] == [("FRANCE", "salut"), ("ITALY", "ciao")]


def test_the_first_words_may_stand_in_the_subject_too() -> None:
    assert [one.text for one in mail("PRESS TO FRANCE: hello", "there\nEND").press] == ["hello\nthere"]
    assert [(one.text, one.ended) for one in mail("PRESS TO FRANCE: hello", "").press] == [("hello", False)]


def test_press_in_a_file() -> None:
    found = mail("x", "A PAR-BUR", "PRESS TO FRANCE\nsalut\nEND\nA MAR-SPA")
    assert [(one.to, one.text, one.ended) for one in found.press] == [("FRANCE", "salut", True)]
    # orders of a file count only where the body has none
    assert found.own_lines == ("A PAR-BUR",)
    assert mail("x", "see the file", "PRESS TO FRANCE\nsalut\nEND\nA MAR-SPA").own_lines[-1] == "A MAR-SPA"


def test_each_file_is_read_for_itself() -> None:
    found = mail("x", "see the files", "PRESS TO FRANCE\nsalut", "PRESS TO ITALY\nciao\nEND", "F BRE-MAO")
    assert [(one.to, one.text, one.ended) for one in found.press] == [("FRANCE", "salut", False), ("ITALY", "ciao", True)]
    assert "F BRE-MAO" in found.own_lines and ("salut", "unclosed-press") in found.doubtful


def test_the_same_press_in_the_body_and_in_a_file_is_one() -> None:
    text = "PRESS TO FRANCE\nsalut\nEND"
    assert len(mail("x", text, text, text).press) == 1
    assert len(mail("x", text, text.replace("salut", "bonjour")).press) == 2


def test_press_for_another_game_in_a_file_stays_there() -> None:
    found = mail("x", "see the file", "GAME autumn7\nPRESS TO ITALY\nciao\nEND")
    assert [(one.game, one.to) for one in found.press] == [("autumn7", "ITALY")]
    assert found.other_games == (("autumn7", ()),)
