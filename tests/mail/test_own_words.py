"""Hazards of telling typed lines from quoted ones: what must not cut, what must not stay, what must be asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge.mail.quotemarks import bare
from judge.mail.reading import Incoming, read

SENT = """Game spring42, Spring 1901 movement. You play France.

Orders held for you now:
  A PAR-PIC
  A MAR H
  F BRE H

Deadline: Fri 5 Jun 2026 20:00 UTC. Answer this mail with new orders
to replace them.
"""
HEAD = "From: camille.roux@example.org\nTo: Spring42 Judge <spring42+abc@judge.example.org>\nSubject: {subject}\n"


def incoming(
    body: str, subject: str = "orders", kind: str = "text/plain; charset=utf-8", game: str = "spring42"
) -> Incoming:
    raw = f"{HEAD.format(subject=subject)}Content-Type: {kind}\n\n{body}".encode()
    return read(raw, sent=[SENT], own_addresses=[f"{game}@judge.example.org"], domain="judge.example.org")


def own(body: str, **more: str) -> list[str]:
    return [line.strip() for line in incoming(body, **more).own_lines if line.strip()]


ORDERS = ["A Par - Bur", "A Mar - Spa", "F Bre - Mao"]
TYPED = "\n".join(ORDERS)

NOT_CUT = {
    "headers typed by hand": "To: Judge\nFrom: France\nSubject: Spring 1901 orders\n",
    "a greeting with our name": "Dear Spring42 Judge:\n",
    "our name, a date and a colon": "Judge, for the deadline of 5 Jun 2026 20:00:\n",
    "our name and the year of the game": "Judge, my Spring 1901 orders are:\n",
    "somebody wrote": "As England wrote to me, I will be careful:\n",
    "a rule of dashes": "------------\n",
    "stars": "***\n",
    "Notice:": "Please note:\n",
    "a title": "=== ORDERS ===\n",
    "an underscore rule": "____________________\n",
    "a power's heading": "FRANCE:\n",
    "a time": "20:00\n",
}


@pytest.mark.parametrize("name", NOT_CUT)
def test_typed_lines_that_must_not_cut(name: str) -> None:
    lines = own(NOT_CUT[name] + TYPED + "\n")
    assert lines[-3:] == ORDERS


@pytest.mark.parametrize("mark", ["***", "===", "---", "~~~", "___", "--"])
def test_orders_below_a_drawn_line_are_taken_or_asked_about(mark: str) -> None:
    found = incoming(f"A Par - Bur\n{mark}\nF Bre - Mao\n")
    assert "F Bre - Mao" in found.own_lines or "F Bre - Mao" in [line for line, _ in found.doubtful]


def test_below_a_true_signature_mark_nothing_is_taken() -> None:
    found = incoming(f"{TYPED}\n-- \nCamille | A MAR - SPA is a state of mind\n")
    assert [line for line in found.own_lines if line.strip()] == ORDERS
    assert not found.doubtful


def test_the_typed_copy_of_a_held_order_stays() -> None:
    assert own(f"A PAR-PIC\nA MAR H\nF BRE H\n\nOn 3 Jun 2026, Spring42 Judge wrote:\n\n{SENT}") == [
        "A PAR-PIC",
        "A MAR H",
        "F BRE H",
    ]


def test_a_typed_order_between_quoted_lines_that_equals_the_next_one_stays() -> None:
    body = "> Orders held for you now:\n>   A PAR-PIC\nA MAR H\n>   A MAR H\n>   F BRE H\n"
    assert own(body) == ["A MAR H"]


OUTLOOK = "see below\n\nFrom: Spring42 Judge <spring42+abc@judge.example.org>\nSent: 3 June 2026 20:00\nSubject: x\n\n"


def test_lines_typed_into_an_unmarked_quote_of_which_nothing_is_missing_are_taken() -> None:
    found = incoming(OUTLOOK + SENT.replace("  A MAR H\n", "  A MAR H\nA Mar - Spa\n"))
    assert [line for line in found.own_lines if line] == ["see below", "A Mar - Spa"]
    assert not found.doubtful


def test_they_are_asked_about_where_lines_are_missing() -> None:
    quoted = SENT.replace("  A MAR H\n", "A Mar - Spa\n")
    found = incoming(OUTLOOK + quoted)
    assert found.doubtful == (("A Mar - Spa", "changed"),)
    assert not any("PIC" in line or "Spa" in line for line in found.own_lines)


def test_they_are_asked_about_where_an_older_mail_may_have_held_them() -> None:
    older = "A Par - Gas\nFrom: Spring42 Judge <spring42+abc@judge.example.org>\nSent: 3 June 2026 20:00\nSubject: x\n\n"
    head = "From: Camille <c@example.org>\nSent: 3 June 2026 20:00\nTo: Spring42 Judge <spring42+abc@judge.example.org>\n"
    found = incoming(f"oops\n\n{head}\n{older}" + SENT.replace("  A MAR H\n", "  A MAR H\nA Mar - Spa\n"))
    assert [line for line in found.own_lines if line] == ["oops"]
    assert ("A Mar - Spa", "changed") in found.doubtful


@pytest.mark.parametrize("mark", ["> ", ">", "| ", "JW> ", "Spring42>"])
@pytest.mark.parametrize("held", ["", "[held]  "])
def test_a_quoted_order_that_was_changed_is_asked_about(mark: str, held: str) -> None:
    sent = SENT.replace("  A ", f"  {held}A ")
    lines = sent.replace("A MAR H", "A MAR - SPA").splitlines()
    body = "On 3 Jun 2026, Spring42 Judge <spring42+abc@judge.example.org> wrote:\n" + "\n".join(mark + x for x in lines)
    raw = f"{HEAD.format(subject='Re: x')}Content-Type: text/plain; charset=utf-8\n\n{body}\n".encode()
    found = read(raw, sent=[sent], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert found.doubtful == (("A MAR - SPA", "changed"),)
    assert not any(found.own_lines)


@pytest.mark.parametrize(
    "catalog", sorted((Path(__file__).parents[2] / "templates" / "locale").glob("*.po")), ids=lambda p: p.stem
)
def test_the_mark_of_held_orders_is_known_in_every_language(catalog: Path) -> None:
    entry = re.compile(r'msgctxt "mark of an order that will be used"\nmsgid "([^"]*)"\nmsgstr "([^"]*)"')
    for pair in entry.findall(catalog.read_text(encoding="utf-8")):
        assert [bare(f"> {mark}  A Paris - Burgundy") for mark in pair] == ["A Paris - Burgundy"] * 2


@pytest.mark.parametrize("name", ["JW>", "Spring42>", "  sj>"])
def test_answers_between_lines_quoted_with_a_name_are_typed(name: str) -> None:
    body = "On 3 Jun 2026, Spring42 Judge wrote:\n" + "".join(
        f"{name} {line}\n" + ("A Mar - Spa\n" if "MAR" in line else "") for line in SENT.splitlines()
    )
    assert own(body) == ["A Mar - Spa"]


def test_items_of_a_list_may_be_paragraphs() -> None:
    body = "<ol><li><p>A Par - Bur</p></li><li><div>A Mar - Spa</div></li><li></li></ol><p>F Bre - Mao</p>"
    assert own(body, kind="text/html; charset=utf-8") == ["- A Par - Bur", "- A Mar - Spa", "F Bre - Mao"]


def test_what_a_gateway_wrapped_out_of_the_quote_is_not_typed() -> None:
    sent = SENT.replace("A PAR-PIC", "A Paris - Picardy")
    body = "thanks\n\nOn 3 Jun 2026, Spring42 Judge wrote:\n" + "".join(f"> {x}\n" for x in sent.splitlines())
    raw = f"{HEAD.format(subject='Re: x')}\n{body.replace('Paris - Picardy', 'Paris' + chr(10) + '- Picardy')}".encode()
    found = read(raw, sent=[sent], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
    assert [line for line in found.own_lines if line] == ["thanks"]


def test_an_indented_block_of_ones_own_is_kept_above_a_quote() -> None:
    html = (
        '<div>My orders:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px">'
        + "".join(f"<div>{line}</div>" for line in ORDERS)
        + '</blockquote><div class="gmail_quote"><div class="gmail_attr">'
        + "On Wed, Jun 3, 2026 at 8:00 PM Spring42 Judge &lt;spring42+abc@judge.example.org&gt; wrote:</div>"
        + f'<blockquote class="gmail_quote">{SENT.replace(chr(10), "<br>")}</blockquote></div>'
    )
    assert own(html, kind="text/html; charset=utf-8") == ["My orders:", *ORDERS]


def test_a_bare_blockquote_that_nobody_can_tell_is_asked_about() -> None:
    found = incoming("<p>ok</p><blockquote>A Par - Bur</blockquote>", kind="text/html; charset=utf-8")
    assert found.doubtful == (("A Par - Bur", "indented"),)


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        ("spring42: A Par-Bur; F Bre-Mao", ["A Par-Bur; F Bre-Mao"]),
        ("Re: A Par-Bur", ["A Par-Bur"]),
        ("RE: AW: Re: orders: A Par-Bur", ["A Par-Bur"]),
        ("[spring42] CLEAR", ["CLEAR"]),
        ("Fwd: A Par-Bur", []),
        ("WG: A Par-Bur", []),
        ("Re: spring42: Spring 1901 movement", []),
        ("hello", []),
    ],
)
def test_what_of_a_subject_is_read(subject: str, lines: list[str]) -> None:
    assert own("\n", subject=subject) == lines


def test_a_subject_is_not_read_when_the_body_holds_orders() -> None:
    assert own(TYPED, subject="A Par-Pic") == ORDERS


def test_the_games_name_is_no_turn() -> None:
    assert own("Spring42 orders:\nspring42: A Par - Bur\n") == ["orders:", "A Par - Bur"]


@pytest.mark.parametrize(
    "press",
    [
        "PRESS TO ENGLAND\nF Bre - Eng!\nEND PRESS\n",
        "press to england russia:\nF Bre - Eng\nendpress\n",
        "BROADCAST\nF Bre - Eng\nEND\n",
    ],
)
def test_orders_inside_press_are_never_taken_and_those_after_it_are(press: str) -> None:
    found = incoming(f"A Par - Bur\n{press}F Bre - Mao\n")
    assert [line for line in found.own_lines if line.strip()] == ["A Par - Bur", "F Bre - Mao"]
    assert "F Bre - Eng" in found.press[0].text


def test_press_without_an_end_swallows_no_order_silently() -> None:
    found = incoming("A Par - Bur\nPRESS TO ENGLAND\nhello\nF Bre - Mao\n")
    assert ("F Bre - Mao", "unclosed-press") in found.doubtful


def test_struck_out_lines_are_asked_about() -> None:
    found = incoming("<p>A Par - Bur</p><p><s>A Mar - Spa</s></p>", kind="text/html; charset=utf-8")
    assert [line for line in found.own_lines if line] == ["A Par - Bur"]
    assert found.doubtful == (("A Mar - Spa", "struck"),)


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">F Bre H</div>',
        "<div hidden>F Bre H</div>",
        '<span style="font-size:0">F Bre H</span>',
        '<div style="mso-hide:all">F Bre H</div>',
        "<title>F Bre H</title>",
        "<!-- F Bre H -->",
        "<script>F Bre H</script>",
    ],
)
def test_hidden_text_is_not_read(hidden: str) -> None:
    found = incoming(f"<div>A Par - Bur</div>{hidden}<div>A Mar - Spa</div>", kind="text/html; charset=utf-8")
    assert [line for line in found.own_lines if line] == ["A Par - Bur", "A Mar - Spa"]
    assert not any("Bre" in line for line, _ in found.doubtful)


def test_orders_below_a_signature_are_asked_about_and_below_a_drawn_line_taken() -> None:
    head = b"From: a@example.org\r\nTo: spring42+x@judge.example.org\r\nSubject: x\r\n\r\n"

    def found(body: bytes) -> Incoming:
        return read(head + body, sent=[], own_addresses=["spring42@judge.example.org"], domain="judge.example.org")

    below = found(b"-- \r\nCamille\r\n\r\nA Par - Bur\r\n")
    assert (below.own_lines, below.doubtful) == ((), (("A Par - Bur", "signature"),))
    drawn = found(b"Here we go\r\n--\r\nA Par - Bur\r\n")
    assert "A Par - Bur" in drawn.own_lines
    assert found(b"A Par - Bur\r\n--\r\nA Great Day - Ltd\r\n").own_lines == ("A Par - Bur",)


ME = "Camille Roux <camille.roux@example.org>"
AGAIN = {
    "forwarded": f"My orders again\n\n---------- Forwarded message ---------\nFrom: {ME}\nDate: Mon, 1 Jun 2026\n"
    f"Subject: x\nTo: Spring42 Judge <spring42+abc@judge.example.org>\n\n\n{TYPED}\n",
    "forwarded by Thunderbird": "Nochmal\n\n-------- Weitergeleitete Nachricht --------\nBetreff: \tx\n"
    f"Datum: \tMon, 1 Jun 2026\nVon: \t{ME}\nAn: \tSpring42 Judge <spring42+abc@judge.example.org>\n\n\n{TYPED}\n",
    "quoted": f"These again\n\nOn 1 Jun 2026, {ME} wrote:\n" + "".join(f"> {line}\n" for line in ORDERS),
    "quoted with ours": f"These again\n\nOn 1 Jun 2026, {ME} wrote:\n"
    + "".join(f"> {line}\n" for line in [*ORDERS, "", "On 1 Jun, Spring42 Judge <spring42+abc@judge.example.org> wrote:"])
    + "".join(f">> {line}\n" for line in SENT.splitlines()),
}


@pytest.mark.parametrize("name", AGAIN)
def test_orders_in_an_older_mail_of_the_sender_are_asked_about(name: str) -> None:
    found = incoming(AGAIN[name])
    assert found.doubtful == tuple((line, "own-mail") for line in ORDERS)
    assert not any(" - " in line for line in found.own_lines)


@pytest.mark.parametrize("name", AGAIN)
def test_they_are_not_where_there_are_newer_ones_or_another_wrote_them(name: str) -> None:
    assert not incoming(f"A Par - Pic\n{AGAIN[name]}").doubtful
    assert not incoming(AGAIN[name].replace("camille.roux@", "edwin@")).doubtful


def test_orders_with_quote_marks_and_nothing_else_of_a_quote_are_asked_about() -> None:
    found = incoming("".join(f"> {line}\n" for line in ORDERS))
    assert found.doubtful == tuple((line, "own-mail") for line in ORDERS)
    assert not any(found.own_lines)


def test_an_arrow_set_as_a_picture_is_one() -> None:
    html = '<div>A Par <img src="x" alt="➡️"> Bur</div><div>F Bre - Mao <img alt="logo A Mar - Spa"></div>'
    assert own(html, kind="text/html; charset=utf-8") == ["A Par ➡️ Bur", "F Bre - Mao"]


TRANSFER = {
    "base64 in name only": ("base64", TYPED),
    "quoted-printable without a name": ("8bit", TYPED.replace("-", "=E2=80=93") + "=20\n=E2=80=93=\n"),
    "uuencode": ("x-uuencode", 'begin 644 orders\nD02!087(@+2!"=7(*02!-87(@+2!3<&$*1B!"<F4@+2!-86\\*\n`\nend\n'),
}


@pytest.mark.parametrize("name", TRANSFER)
def test_transfer_encodings_that_are_rare_or_wrong(name: str) -> None:
    encoding, body = TRANSFER[name]
    kind = f"text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}"
    lines = own(body, kind=kind)
    assert [line.replace("–", "-") for line in lines[:3]] == ORDERS
