"""No token of a seat reaches other players in press, however the writer's program wrote it."""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest

from judge.mail.identity import MASK
from judge.play import setup
from judge.variants import load_rules

Desk = Any
PRESS = "PRESS TO GERMANY\r\nwrite me at {} now\r\nEND\r\n"


def html(text: str) -> bytes:
    return ("<p>" + PRESS.format(text).replace("\r\n", "<br>")).encode()


def forms(token: str) -> Iterator[tuple[str, str, bytes, str]]:
    """Name, Content-Type, body and its encoding, of mails whose reader sees the token."""
    address, head, tail = f"spring42+{token}@judge.example.org", token[:8], token[8:]
    plain, wide = "text/plain; charset=utf-8", "".join(chr(ord(letter) + 0xFEE0) for letter in token)
    seven = base64.b64encode(token.encode("utf-16-be")).decode().rstrip("=")
    whole = base64.b64encode(PRESS.format(token).encode())
    yield "an address", plain, PRESS.format(address).encode(), "8bit"
    yield "alone", plain, PRESS.format(token).encode(), "8bit"
    yield "in capitals", plain, PRESS.format(token.upper()).encode(), "8bit"
    yield "wrapped", plain, PRESS.format(f"{head}\r\n{tail}").encode(), "8bit"
    yield "flowed", f"{plain}; format=flowed; delsp=yes", PRESS.format(f"{head} \r\n{tail}").encode(), "8bit"
    yield "base64", plain, base64.encodebytes(PRESS.format(address).encode()).replace(b"\n", b"\r\n"), "base64"
    yield "base64 in odd lines", plain, b"\r\n".join(whole[i : i + 7] for i in range(0, 200, 7)), "base64"
    hexes = "".join(f"={ord(letter):02X}" for letter in token)
    yield "quoted-printable", plain, PRESS.format(hexes).encode(), "quoted-printable"
    yield "a soft break", plain, PRESS.format(f"{head}=\r\n{tail}").encode(), "quoted-printable"
    yield "UTF-16", "text/plain; charset=utf-16", PRESS.format(address).encode("utf-16"), "8bit"
    yield "UTF-7", "text/plain; charset=utf-7", PRESS.format(f"+{seven}-").encode(), "8bit"
    yield "full width", plain, PRESS.format(wide).encode(), "8bit"
    yield "a joiner", plain, PRESS.format(f"{head}\u2060{tail}").encode(), "8bit"
    yield "an empty tag", "text/html", html(f"spring42+{head}<b></b>{tail}@judge.example.org"), "8bit"
    yield "half of it in bold", "text/html", html(f"{head}<b>{tail}</b>"), "8bit"
    yield "a comment of HTML", "text/html", html(f"{head}<!-- x -->{tail}"), "8bit"
    yield "a place to break", "text/html", html(f"{head}<wbr>{tail}"), "8bit"
    yield "entities", "text/html", html("".join(f"&#{ord(letter)};" for letter in token)), "8bit"
    yield "entities without an end", "text/html", html("".join(f"&#{ord(letter)}" for letter in token)), "8bit"
    yield "percent signs", plain, PRESS.format("".join(f"%{ord(letter):02x}" for letter in token)).encode(), "8bit"


FORMS = [name for name, *_ in forms("a" * 16)]


@pytest.mark.parametrize("number", range(len(FORMS)), ids=FORMS)
def test_a_token_in_press_is_cut(desk: Desk, number: int) -> None:
    token = desk.reply_to("France").partition("+")[2].partition("@")[0]
    _, kind, body, encoding = list(forms(token))[number]
    raw, to, sender = desk.write("France", "")
    head = raw.partition(b"MIME-Version")[0]
    mime = f"MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    mails = desk.hand_in(head + mime + body, to, sender)
    (press,) = [mail for mail in mails if mail["To"] == "germany@example.org"]
    texts = [part.get_payload(decode=True).decode() for part in press.walk() if part.get_content_maintype() == "text"]
    assert any("write me at" in text for text in texts)
    texts += [row["text"] for row in desk.judge.store.rows("SELECT text FROM press")]
    for text in texts:
        folded = re.sub(r"%([0-9a-f]{2})", lambda hexes: chr(int(hexes[1], 16)), unicodedata.normalize("NFKC", text).lower())
        assert token not in re.sub(r"[^a-z0-9]", "", folded)


def test_the_token_of_another_game_of_theirs_is_cut_too(desk: Desk) -> None:
    setup.create_game(
        desk.judge, "autumn7", rules=load_rules("standard"), players={"Italy": "France@example.org"}, now=desk.now
    )
    token = desk.reply_to("Italy", "autumn7").partition("+")[2].partition("@")[0]
    desk.post(f"PRESS TO GERMANY\nit is {token}\nEND")
    # cut out at the door already
    assert [row["text"] for row in desk.judge.store.rows("SELECT text FROM press")] == [f"it is {MASK}"]


def test_what_is_refused_keeps_none_either(desk: Desk) -> None:
    token = desk.reply_to("France").partition("+")[2].partition("@")[0]
    desk.post(f"PRESS TO NOBODYLAND\nit is {token[:8]}\u2060{token[8:]}\nEND")
    assert [row["text"] for row in desk.judge.store.rows("SELECT text FROM press")] == ["it is […]"]
