"""Press in the mails of programs that write HTML: its blank lines are the player's own."""

from __future__ import annotations

import pytest

from judge.mail.reading import read

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
