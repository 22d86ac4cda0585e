"""What is true of every mail: columns, completeness of both parts, nothing fetched, nothing secret, nothing unsafe."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser
from typing import Any

import pytest

from judge.render.facts import (
    AnswerFacts,
    Common,
    ConfirmFacts,
    Facts,
    HelpFacts,
    MasterFacts,
    NoticeFacts,
    NotUsed,
    ReceiptFacts,
    ResultFacts,
    RuleChange,
    StartFacts,
    TooEarlyFacts,
)
from judge.render.layout import width
from judge.render.mails import HTML_LIMIT, SUBJECT_LIMIT, render

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Reader(HTMLParser):
    """Collects the text of an HTML part and every attribute, and checks that the tags close as they opened."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title"):
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def test_every_kind_of_mail_has_an_example(mails: dict[str, Facts], names_of_mails: tuple[str, ...]) -> None:
    assert sorted(mails) == sorted(names_of_mails)
    assert {type(facts) for facts in mails.values()} == set(Facts.__args__)


def test_text_fits_72_columns(mail: Facts) -> None:
    text = render(mail, timezone="America/Argentina/Buenos_Aires").text
    assert [line for line in text.split("\n") if width(line) > 72 or line != line.rstrip()] == []
    assert "\n\n\n" not in text
    assert text.endswith("\n") and not text.startswith("\n")


def _answers(mail: Facts) -> bool:
    """Whether a mail answers one of the reader's."""
    if isinstance(mail, MasterFacts):
        return not (mail.letter or mail.started or mail.unreachable)
    if isinstance(mail, ConfirmFacts):
        return bool(mail.told) or mail.renewed
    return isinstance(mail, ReceiptFacts | HelpFacts | TooEarlyFacts | AnswerFacts)


def test_subject_is_one_line_of_news(mail: Facts) -> None:
    subject = render(mail).subject
    assert "\n" not in subject and 0 < len(subject) <= SUBJECT_LIMIT
    assert subject.count("Re:") == (1 if _answers(mail) else 0)
    if hasattr(mail, "common"):
        assert "[spring42] " in subject
    if hasattr(mail, "common") and not isinstance(mail, MasterFacts):
        assert any(season in subject for season in ("Spring 19", "Fall 19", "Winter 19"))


def test_html_is_whole_small_and_fetches_nothing(mail: Facts) -> None:
    html = render(mail).html
    reader = read(html)
    assert len(html.encode()) < HTML_LIMIT
    names = {name for _, name, _ in reader.attributes}
    assert not names & {"src", "srcset", "background", "onclick", "onload"}
    links = [value for _, name, value in reader.attributes if name == "href"]
    assert all(link.startswith("mailto:") for link in links)
    assert "url(" not in html and "@import" not in html and "http" not in html.replace("http-equiv", "")
    assert not {tag for tag, _, _ in reader.attributes} & {"script", "iframe", "form", "object", "link", "base"}


def test_token_stands_in_mailto_links_alone(mail: Facts, placeholder: str) -> None:
    made = render(mail)
    assert placeholder not in made.subject and placeholder not in made.text
    reader = read(made.html)
    holding = [(name, value) for _, name, value in reader.attributes if placeholder in value]
    assert all(name == "href" and value.startswith(f"mailto:spring42%2B{placeholder}@") for name, value in holding)
    assert made.html.count(placeholder) == len(holding)


def test_both_parts_say_the_same(mail: Facts) -> None:
    """Every number and every name of a place or power in the text stands in the HTML too."""
    made = render(mail)
    html = read(made.html).words.lower()
    words = {w.strip(".,;:()“”[]·?<>+-") for w in made.text.lower().split()}
    wanted = {w for w in words if w.isdigit() or w in {p.name.lower() for p in _board(mail)}}
    assert {w for w in wanted if w not in html} == set()


def _board(facts: Facts) -> list[Any]:
    return list(facts.common.board.provinces.values()) if hasattr(facts, "common") else []


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}{% raw %}",
    "a\r\nBcc: victim@example.org",
    "\u202egnp.exe\u2066",
    "&lt;b&gt; %(game)s %s %",
    "x" * 5000,
    "<!-- --><![endif]-->",
    "\x00\x07\x1b[31m",
    "\ud800",
]


@pytest.mark.parametrize("evil", HOSTILE, ids=[f"{n}" for n in range(len(HOSTILE))])
def test_what_people_typed_stays_text(evil: str, mails: dict[str, Facts], common: Any) -> None:
    receipt, start = mails["receipt"], mails["start"]
    assert isinstance(receipt, ReceiptFacts) and isinstance(start, StartFacts)
    question = dataclasses.replace(receipt.questions[0], line=evil)
    cases: list[Facts] = [
        dataclasses.replace(receipt, not_used=(NotUsed(evil, (), (evil,)),), questions=(question,)),
        dataclasses.replace(start, seats=tuple(dataclasses.replace(s, player=evil, address=evil) for s in start.seats)),
        dataclasses.replace(start, common=common(player=evil)),
        NoticeFacts(common(), "announcement", {"text": evil}, by=evil, why=evil),
        NoticeFacts(common(), "rules-changed", {"changes": (RuleChange("nmr", evil, evil, "hold", "S1901M"),)}),
        dataclasses.replace(start, common=common(game=evil)),
        dataclasses.replace(mails["mail for the operator"], sender=evil, subject=evil),
    ]
    plain = [read(render(case).html) for case in (receipt, start)]
    tags = {tag for reader in plain for tag, _, _ in reader.attributes}
    for case in cases:
        made = render(case)
        made.subject.encode(), made.text.encode(), made.html.encode()
        assert "\n" not in made.subject and "\r" not in made.subject + made.text
        assert not set(made.text) & set("\x00\x07\x1b\u202e\u2066")
        assert max(width(line) for line in made.text.split("\n")) <= 72
        reader = read(made.html)
        assert {tag for tag, _, _ in reader.attributes} <= tags
        assert not {name for _, name, _ in reader.attributes} & {"src", "onerror"}
        assert "49" not in reader.words.replace("{{ 7*7 }}", "")


def test_operators_template_lies_over_ours(tmp_path: Any, mails: dict[str, Facts]) -> None:
    (tmp_path / "notice.txt.j2").write_text("Club of {{ c.game }}\n", encoding="utf-8")
    made = render(mails["notice, paused"], own_templates=tmp_path)
    assert made.text == "Club of spring42\n"
    assert made.subject == render(mails["notice, paused"]).subject


@pytest.mark.parametrize(
    "attempt",
    ["{{ c.__class__.__mro__ }}", "{{ ''.__class__ }}", "{{ w.zone.__init__.__globals__ }}", "{{ say._names }}"],
)
def test_operators_template_runs_in_the_sandbox(attempt: str, tmp_path: Any, mails: dict[str, Facts]) -> None:
    from jinja2 import TemplateError

    (tmp_path / "notice.txt.j2").write_text(attempt, encoding="utf-8")
    with pytest.raises(TemplateError):
        render(mails["notice, paused"], own_templates=tmp_path)


def test_operators_catalogue_lies_over_ours(tmp_path: Any, mails: dict[str, Facts]) -> None:
    (tmp_path / "locale").mkdir()
    (tmp_path / "locale" / "en.po").write_text('msgid "the game is paused"\nmsgstr "we rest"\n', encoding="utf-8")
    assert "we rest" in render(mails["notice, paused"], own_templates=tmp_path).subject


def test_a_game_on_a_board_that_is_not_ours(mails: dict[str, Facts]) -> None:
    """A board without names in ``games/`` is printed by what the board itself says."""
    result = mails["result"]
    assert isinstance(result, ResultFacts)
    common: Common = dataclasses.replace(result.common, board=dataclasses.replace(result.common.board, name="no-such-board"))
    assert "A Paris - Burgundy" in render(dataclasses.replace(result, common=common)).text
