"""Press in the mails of programs that write HTML: its blank lines are the player's own."""

from __future__ import annotations

import pytest

from judge.mail.reading import read
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
