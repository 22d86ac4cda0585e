"""Row CN-19: before the results are out no mail tells a player anything of another's orders, and under ``orders.secrecy =
sealed`` not even one's own receipts say what was ordered, so that there is nothing to show around.

Every test plays the same mails under the presets; where two worlds are compared, they differ in nothing but in what the
others have sent, so any difference in a mail is a leak.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from email.message import Message
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from judge.mail.identity import Keys
from judge.notation import parse_canonical
from judge.play import Judge, setup, turn
from judge.render.catalogue import load
from judge.render.words import Words, by_province
from judge.resources import data_dir
from judge.rules.board import Unit
from judge.rules.orders import Move, Support
from judge.rules.position import Dislodged, Phase, Position, starting_position
from judge.store import Store, codec, games
from judge.variants import load_board, load_rules, with_key
from judge.variants.names import load_names

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PRESETS = ("china", "standard", "japan-1910")
#: who reads in which language
READERS = {"France": "en", "Germany": "ja", "England": "zh-Hans", "Russia": "zh-Hant"}
#: what they order: in the spelling of their mail, and as it is on file. None of it stands in the manual's examples.
ORDERS = {
    "France": (
        "A Paris - Gascony\nF Bre-MAO\nMarseilles S Paris - Gascony",
        ["A PAR-GAS", "F BRE-MAO", "A MAR S A PAR-GAS"],
    ),
    "Germany": ("A ミュンヘン-ルール\nF Kie-Den\nA Ber-Kie", ["A MUN-RUH", "F KIE-DEN", "A BER-KIE"]),
    "England": ("A 利物浦 - 约克\nF 伦敦 - 北海\nF Edi-Nwg", ["A LVP-YOR", "F LON-NTH", "F EDI-NWG"]),
    "Russia": ("A War-Gal\nF Sev-Bla", ["A WAR-GAL", "F SEV-BLA"]),
}
#: who watches: in the middle of all of them, with orders of their own on file
WATCHER = "Austria"


@pytest.fixture
def new_game(desk: Desk, tmp_path: Path) -> Callable[..., Desk]:
    """``new_game(preset, key=value)``: a judge of its own with one game that has started, and the pen to write to it."""
    count = iter(range(1000))

    def begin(preset: str, language: str | None = None, **changes: str) -> Desk:
        judge = Judge(Store.open(tmp_path / f"judge{next(count)}.db"), Keys(b"k" * 32), "judge.example.org")
        rules = load_rules(preset)
        for key, value in changes.items():
            rules = with_key(rules, key.replace("__", "."), value, load_board())
        made = type(desk)(judge, now=desk.now)
        players = {power: f"{power.lower()}@example.org" for power in load_board().powers}
        setup.create_game(judge, "spring42", rules=rules, players=players, now=made.now)
        for power in players:
            reads = language or READERS.get(power, "en")
            setup.set_reader(judge, "spring42", power, language=reads, timezone="UTC", who="t", now=made.now)
        setup.start_game(judge, "spring42", made.now)
        made.work()
        made.receive()
        made.now += timedelta(hours=1)
        return made

    return begin


# ── what a mail says, in every corner of it ──────────────────────────────────────────────────────────────────────────


def everything(message: Message) -> str:
    """Subject, text and HTML with its tags, hidden parts and links: all that is there to be read."""
    said = [str(make_header(decode_header(message["Subject"])))]
    for part in message.walk():
        if part.get_content_maintype() == "text":
            content = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
            said.append(content)
            if part.get_content_type() == "text/html":
                said += [unquote(unescape(content)), unescape(re.sub(r"<[^>]*>", "", content))]
    return "\n".join(said)


def bare(text: str) -> str:
    """Without blanks and line ends (long lines are wrapped), letters large, all dashes alike."""
    return re.sub(r"[\s ]", "", re.sub(r"[–—－−]", "-", text)).upper()


@cache
def spellings(canonical: str) -> frozenset[str]:
    """An order as our mails may write it: canonical, with and without its letters, and in words in every language."""
    return frozenset(_spellings(canonical))


def _spellings(canonical: str) -> Iterator[str]:
    board, start = load_board(), starting_position(load_board())
    order = parse_canonical(canonical, board)
    for text in (canonical, canonical.lower(), re.sub(r"\b[AF] ", "", canonical)):
        yield bare(text)
    for language in ("en", "ja", "zh-Hans", "zh-Hant"):
        catalogue = load(language, (data_dir("templates") / "locale",))
        words = Words(catalogue, "UTC", NOON, board, load_names())
        for units in ({}, by_province(start)):
            yield bare(words.order(order, units))
        if isinstance(order, Move | Support) and order.to:
            yield bare(f"{words.place(order.at)}-{words.place(order.to)}")


def written(power: str) -> Iterator[str]:
    """The lines of a power's own mail."""
    return map(bare, ORDERS[power][0].splitlines())


def found(messages: Iterable[Message], power: str) -> set[str]:
    """Which orders of a power stand anywhere in some mails, in whatever spelling."""
    texts = [bare(everything(message)) for message in messages]
    hits = {c for c in ORDERS[power][1] if any(s in text for s in spellings(c) for text in texts)}
    return hits | {line for line in written(power) if any(line in text for text in texts)}


def send_all(desk: Desk) -> dict[str, list[Message]]:
    """Everybody orders, and writes again in other words; returns their receipts."""
    got: dict[str, list[Message]] = {}
    for power, (body, canonical) in ORDERS.items():
        first = desk.mail(power, body)
        assert sorted(desk.held(power)) == sorted(canonical), power
        again = desk.mail(power, "\n".join([canonical[0].lower(), "STATUS"]))
        got[power] = [first, again]
    return got


# ── the row ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def check_own_receipts(desk: Desk) -> None:
    """What ``sealed`` promises; ``AssertionError`` if a receipt shows an order."""
    for power, receipts in send_all(desk).items():
        assert found(receipts, power) == set(), power


@pytest.mark.parametrize("language", ["en", "ja", "zh-Hans", "zh-Hant"])
def test_cn_19_china_own_receipts_show_no_order(language: str, new_game: Any) -> None:
    check_own_receipts(new_game("china", language))


@pytest.mark.slow
def test_cn_19_bites_with_the_key_alone_turned(new_game: Any) -> None:
    with pytest.raises(AssertionError, match="France"):
        check_own_receipts(new_game("china", orders__secrecy="open-receipts"))
    check_own_receipts(new_game("standard", orders__secrecy="sealed"))


@pytest.mark.parametrize("preset", ["standard", "japan-1910"])
def test_cn_19_elsewhere_own_receipts_show_every_order(preset: str, new_game: Any) -> None:
    for power, receipts in send_all(new_game(preset)).items():
        assert set(ORDERS[power][1]) <= found(receipts, power)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_no_mail_to_others_holds_an_order_before_the_results(preset: str, new_game: Any) -> None:
    desk = new_game(preset)
    send_all(desk)
    desk.mail("Germany", "CLEAR")
    desk.mail("Germany", ORDERS["Germany"][0])
    for power in load_board().powers:
        desk.mail(power, "STATUS\nHELP\nRULES")
    for power in ORDERS:
        to_others = [m for m in desk.sent if not m["To"].startswith(power.lower())]
        assert len(to_others) > 15
        assert found(to_others, power) == set()
    before = len(desk.sent)
    desk.pass_time(hours=24)
    desk.receive()
    results = desk.sent[before:]
    for power in ORDERS:
        # the results show everything, under every preset; so the search above would have found it
        to_others = [m for m in results if not m["To"].startswith(power.lower())]
        assert set(ORDERS[power][1]) <= found(to_others, power)


# ── whether others have ordered: two worlds ──────────────────────────────────────────────────────────────────────────

#: what the watcher tries, by name: a body; ``to`` another address
PROBES: dict[str, tuple[str, str | None]] = {
    "status": ("STATUS", None),
    "help": ("HELP", None),
    "rules": ("RULES", None),
    "several": ("STATUS\nHELP\nRULES\nREADY\nWAIT", None),
    "a number": ("1", None),
    "numbers": ("1\n2\n3\n17", None),
    "clear": ("CLEAR", None),
    "support of a move that another ordered": ("A Bud S A War-Gal", None),
    "support of a move that nobody ordered": ("A Vie S A War-Ukr", None),
    "support to hold of one that moves": ("A Vie S A Mun", None),
    "support into a place it cannot reach": ("A Vie S A Par-Gas", None),
    "convoy of another's army": ("F Tri C A Ven-Alb", None),
    "order for another's unit": ("A War-Gal", None),
    "move against another's move": ("A Vie-Gal", None),
    "unknown lines": ("A Xyz-Gal\nF Tri-Nowhere\nwhat did Russia order?", None),
    "unknown command": ("SHOW RUSSIA\nORDERS\nLIST ORDERS", None),
    "what Russia would write": ("A War-Gal\nF Sev-Bla\nSTATUS", None),
    "a unit into another's hands": ("PROXY A VIE TO RUSSIA\nSTATUS", None),
    "another's unit into one's own": ("PROXY A WAR TO AUSTRIA\nSTATUS", None),
    "out of all hands": ("PROXY OFF\nSTATUS", None),
    "to the game without a token": ("STATUS", "spring42@judge.example.org"),
    "to the judge": ("STATUS\nGAMES\nspring42", "judge@judge.example.org"),
}


def readable(message: Message | None) -> str:
    """All of a mail but its identifiers, which name the mail that it answers."""
    if message is None:
        return "no mail"
    kept = [f"{name}: {value}" for name, value in message.items() if name not in ("Message-ID", "Content-Type")]
    return "\n".join(sorted(kept)) + everything(message)


def watch(desk: Desk, others: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What the watcher's probes bring when ``others`` have ordered: probe -> (outcome, the mail)."""
    desk.mail(WATCHER, "A Bud-Ser\nF Tri-Alb")
    for power in others:
        desk.mail(power, ORDERS[power][0] + "\nREADY")
    told: dict[str, tuple[str, str]] = {}
    for name, (body, to) in PROBES.items():
        desk.count = 100 + len(told)  # the same Message-ID for the same mail, whatever came before
        before = len(desk.sent)
        answer = desk.mail(WATCHER, body, **({"to": to} if to else {}))
        mine = [m for m in desk.sent[before:] if m["To"].startswith(WATCHER.lower())]
        told[name] = (desk.outcome, "\n".join(map(readable, mine)) if mine else readable(answer))
    return told


#: presets, with what they say nothing of: units that repeat their orders, units in other hands
WORLDS: list[tuple[str, dict[str, str]]] = [
    *((preset, {}) for preset in PRESETS),
    *((preset, {key: "yes"}) for preset in ("china", "standard") for key in ("orders__perpetual", "orders__proxy")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "changes"), WORLDS, ids=["+".join([preset, *more]) for preset, more in WORLDS])
def test_cn_19_nothing_tells_whether_others_have_ordered(preset: str, changes: dict[str, str], new_game: Any) -> None:
    nobody, some, more = (watch(new_game(preset, **changes), who) for who in ((), ("Russia",), tuple(ORDERS)))
    assert [name for name in PROBES if nobody[name] != some[name]] == []
    assert [name for name in PROBES if nobody[name] != more[name]] == []
    # the comparison would feel a difference: the probes bring different mails, and most of them one
    assert len({mail for _, mail in nobody.values()}) > 12
    assert nobody["status"][1].count("Russia") >= 2


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_who_is_waited_for_is_told_to_nobody(preset: str, new_game: Any) -> None:
    """One power is missing, once this one and once that one: nobody else's mails differ, nor does when they come."""
    complete = {p: "\n".join(f"{u.type} {u.at.split('/')[0]} H" for u in starting_position(load_board()).units_of(p))
                for p in load_board().powers}  # fmt: skip
    seen = {}
    for missing in ("Italy", "Turkey"):
        desk = new_game(preset)
        for power in load_board().powers:
            if power != missing:
                desk.mail(power, complete[power] + "\nREADY\nSTATUS")
        game = games.get(desk.judge.store, "spring42")
        phase = games.open_phase(desk.judge.store, game.id)
        assert phase is not None and phase.run_at == phase.deadline, "it must wait for the one that is missing"
        desk.count = 100
        probe = desk.mail("France", "STATUS\nHELP")
        assert desk.pass_time(hours=5) == [] and desk.receive() == []
        seen[missing] = readable(probe)
    assert seen["Italy"] == seen["Turkey"]


def test_cn_19_a_deadline_put_off_does_not_say_for_whom(new_game: Any) -> None:
    """``nmr = postpone`` must say that somebody is missing; not who."""
    told = {}
    for missing in ("Italy", "Turkey"):
        desk = new_game("china", nmr="postpone")
        for power in load_board().powers:
            if power != missing:
                desk.mail(power, "A Mar H" if power == "France" else ORDERS.get(power, ("", []))[0] or _hold_one(power))
        before = len(desk.sent)
        assert desk.pass_time(hours=24) == []
        desk.receive()
        told[missing] = {m["To"]: everything(m) for m in desk.sent[before:]}
        assert len(told[missing]) == 7
    assert told["Italy"] == told["Turkey"]


def _hold_one(power: str) -> str:
    unit = starting_position(load_board()).units_of(power)[0]
    return f"{unit.type} {unit.at.split('/')[0]} H"


# ── what a sealed receipt does say ───────────────────────────────────────────────────────────────────────────────────


def text_of(message: Message | None) -> str:
    assert message is not None
    return everything(message).replace("\r", "")


def receipt_args(desk: Desk) -> str:
    """The newest line of the outbox as it is stored."""
    row = desk.judge.store.row("SELECT args FROM outbox WHERE event = 'receipt' ORDER BY id DESC LIMIT 1")
    return str(row["args"])


def test_cn_19_a_sealed_receipt_names_the_units_with_and_without_orders(new_game: Any) -> None:
    desk = new_game("china")
    text = text_of(desk.mail("France", "A Par-Pic\nF Bre-Mao"))
    assert "2 of 3 orders" in text
    assert "[held]  A Paris: an order is on file" in text and "[held]  F Brest: an order is on file" in text
    assert "A Marseilles has no order yet" in text
    assert "Orders are sealed in this game" in text
    done = text_of(desk.mail("France", "A Mar H\nREADY"))
    assert "all 3 orders are in" in done and "A Marseilles: an order is on file" in done
    assert "holds" not in done.split("<!DOCTYPE")[0]


CORRECTIONS = {
    "said again": ("A Par-Pic", "A Paris: an order is on file", False),
    "replaced by another": ("A Par-Gas", "A Paris: an order gave way to the one on file", False),
    "two in one mail": ("A Par-Gas\nA Par-Bur", "A Paris: an order gave way to the one on file", False),
    "illegal": ("A Par-Rom", "you wrote “A Par-Rom”", True),
    "misspelt": ("A Par-Picrdy", "A Par-Picrdy", True),
    "cleared": ("CLEAR", "CLEAR: 1 order dropped", False),
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_cn_19_a_correction_shows_what_was_wrong_and_nothing_else(name: str, new_game: Any) -> None:
    desk = new_game("china")
    desk.mail("France", "A Par-Pic")
    body, said, quoted = CORRECTIONS[name]
    text = text_of(desk.mail("France", body))
    assert said in text
    shown = {
        s for s in ("PAR-PIC", "PAR-GAS", "PAR-BUR", "PARIS-PICARDY", "PARIS-GASCONY", "PARIS-BURGUNDY") if s in bare(text)
    }
    assert not shown or quoted, shown


@pytest.mark.parametrize("line", ["F Edi-No", "A Lvp-Wa or Yor"])
def test_cn_19_choices_are_shown_and_not_which_was_taken(line: str, new_game: Any) -> None:
    desk = new_game("china", "en")
    asked = text_of(desk.mail("England", line))
    choices = re.findall(r"\n +(\d)  if you mean “(.*?)”", asked)
    assert desk.outcome == "asked" and [number for number, _ in choices] == ["1", "2"]
    answered = bare(text_of(desk.mail("England", "2")))
    assert len(desk.held("England")) == 1 and "ANORDERISONFILE" in answered
    assert not [order for _, order in choices if bare(order) in answered]
    assert not any(s in answered for s in spellings(desk.held("England")[0]))


def test_cn_19_a_mail_that_was_delayed_is_not_shown(new_game: Any) -> None:
    desk = new_game("china")
    desk.mail("France", "A Par-Pic")
    late = desk.mail("France", "A Par-Gas\nA Mar-Spa", date=desk.now - timedelta(hours=1))
    text = text_of(late)
    assert desk.outcome == "asked" and "use these orders now" in text
    assert not {s for s in ("GASCONY", "SPAIN", "PAR-GAS", "MAR-SPA") if s in bare(text)}
    used = text_of(desk.mail("France", "1"))
    assert sorted(desk.held("France")) == ["A MAR-SPA", "A PAR-GAS"]
    assert "GASCONY" not in bare(used) and "SPAIN" not in bare(used)


def test_cn_19_a_mail_after_the_deadline_is_only_counted(new_game: Any) -> None:
    desk = new_game("china")
    desk.now += timedelta(hours=23, seconds=30)
    late = desk.mail("France", "A Par-Gas\nA Mar-Spa")
    text = text_of(late)
    assert desk.outcome == "late" and "2 orders were in it." in text
    assert "GASCONY" not in bare(text) and "SPAIN" not in bare(text)


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_what_the_outbox_keeps_of_a_receipt(preset: str, new_game: Any) -> None:
    desk = new_game(preset)
    sealed = preset == "china"
    for body in ("A Par-Pic\nF Bre-MAO", "A Par-Gas", "A Mar-Xyz"):
        desk.mail("France", body, subject="A Par-Pic")
        kept = receipt_args(desk)
        assert ("PAR-" in kept.upper() or "BRE-" in kept.upper()) != sealed
    assert '"sealed":true' in receipt_args(desk).replace(" ", "") or not sealed


# ── retreats and adjustments ─────────────────────────────────────────────────────────────────────────────────────────


def at_phase(desk: Desk, phase: str, units: str, owners: dict[str, str], dislodged: tuple[Dislodged, ...] = ()) -> Desk:
    """The same game in another position: ``units`` as ``"Germany A mun, France F bre"``."""
    words = [one.split() for one in units.split(", ")]
    standing = tuple(Unit(power, "A" if kind == "A" else "F", at) for power, kind, at in words)
    position = Position(Phase.parse(phase), standing, owners, dislodged)
    store = desk.judge.store
    game = games.get(store, "spring42")
    with store.transaction():
        was = games.open_phase(store, game.id)
        assert was is not None
        games.processed(store, was.id, desk.now, "{}")
        deadline = desk.now + timedelta(hours=24)
        turn.open_phase_at(
            store, game, number=was.number + 1, attempt=1, position_text=codec.position_to_text(position), name=phase,
            now=desk.now, deadline=deadline,
        )  # fmt: skip
    return desk


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_a_removal_on_file_does_not_name_its_unit(preset: str, new_game: Any) -> None:
    """Which unit has an order is the whole order here, so a sealed receipt counts."""
    desk = at_phase(new_game(preset, "en"), "W1901A", "France A par, France A mar, France F bre", {"par": "France"})
    receipts = [desk.mail("France", "remove A Mar"), desk.mail("France", "remove F Bre\nSTATUS")]
    receipts.append(desk.mail("France", "remove A Mar\nremove A Par"))
    assert sorted(desk.held("France")) == ["A MAR D", "A PAR D"]
    named = {name for name in ("MARSEILLES", "PARIS", "BREST") for m in receipts if name in bare(everything(m))}
    assert named == (set() if preset == "china" else {"MARSEILLES", "PARIS", "BREST"})
    if preset == "china":
        assert "2 of 2" in text_of(receipts[1]) or "all 2 orders are in" in text_of(receipts[1])
        assert text_of(receipts[2]).count("[held]  an order is on file") == 2
        assert "an order was on file, and your new mail takes it off" in " ".join(text_of(receipts[2]).split())


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_a_build_on_file_does_not_name_its_place(preset: str, new_game: Any) -> None:
    owners = {centre: "France" for centre in ("par", "mar", "bre", "spa", "por")}
    desk = at_phase(new_game(preset, "en"), "W1901A", "France A bel, France A pic, France A gas", owners)
    receipts = [desk.mail("France", "build A Paris"), desk.mail("France", "build F Mar\nwaive")]
    assert sorted(desk.held("France")) == ["F MAR B", "WAIVE"]
    said = bare("".join(map(everything, receipts)))
    named = {name for name in ("BUILDAPARIS", "BUILDFMARSEILLES", "WAIVEONEBUILD") if name in said}
    assert named == (set() if preset == "china" else {"BUILDAPARIS", "BUILDFMARSEILLES", "WAIVEONEBUILD"})
    if preset == "china":
        assert text_of(receipts[0]).count("[held]  an order is on file") == 1
        assert text_of(receipts[1]).count("[held]  an order is on file") == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_a_retreat_on_file_names_its_unit_and_not_where_it_goes(preset: str, new_game: Any) -> None:
    driven = Dislodged(Unit("France", "A", "bur"), "mun", retreats=("gas", "pic"))
    desk = at_phase(new_game(preset, "en"), "S1902R", "Germany A bur, France A mar", {}, (driven,))
    shown = bare("".join(everything(desk.mail("France", body)) for body in ("A Bur-Gas", "A Bur D", "A Bur-Pic")))
    assert desk.held("France") == ["A BUR-PIC"]
    named = {name for name in ("BURGUNDY-GASCONY", "BURGUNDYDISBANDS", "BURGUNDY-PICARDY") if name in shown}
    assert (named, "ABURGUNDY:ANORDERISONFILE" in shown) == ((set(), True) if preset == "china" else (
        {"BURGUNDY-GASCONY", "BURGUNDYDISBANDS", "BURGUNDY-PICARDY"}, False))  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_cn_19_who_lends_a_unit_is_not_told_whether_it_is_ordered(preset: str, new_game: Any) -> None:
    """``orders.proxy``: the order is the other power's until the results are out."""
    seen = []
    for order in ("", "A Mar-Pie", "A Mar-Bur"):
        desk = new_game(preset, orders__proxy="yes")
        desk.mail("France", "PROXY A MAR TO ENGLAND\nF Bre-MAO")
        if order:
            desk.mail("England", order)
            assert desk.outcome == "orders"
        desk.count = 100
        seen.append(readable(desk.mail("France", "A Par-Gas\nSTATUS")))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(
    ("phase", "units", "centres", "lines", "counts"),
    [
        ("W1902A", "France A mun", ("par", "mar"), "build F mar\nbuild A mar\nbuild A par\nwaive", 3),
        ("W1902A", "France A gas, France A par, France A mun", ("par", "mar"), "A gas D\nA par D\nA mun D", 2),
    ],
)
def test_cn_19_nothing_can_be_proved_by_elimination(
    phase: str, units: str, centres: tuple[str, ...], lines: str, counts: int, new_game: Any
) -> None:
    """Whoever writes every order there is, the true one first, gets back only how many did not count."""
    for orders in (lines, "\n".join(reversed(lines.split("\n")))):
        desk = at_phase(new_game("china", "en"), phase, units, dict.fromkeys(centres, "France"))
        text = " ".join(text_of(desk.mail("France", orders)).split())
        assert text.count("an order gave way to one on file") == counts
        assert not any(line in text for line in orders.split("\n") if line != "waive")


@pytest.mark.parametrize("duplicate", ["first", "last"])
def test_cn_19_of_many_orders_for_one_unit_only_the_number_is_told(duplicate: str, new_game: Any) -> None:
    desk = new_game("china", "en", orders__duplicate=duplicate)
    lines = ["A par-bur", "A par-pic", "A par-bre", "A par-gas", "A par H"]
    text = " ".join(text_of(desk.mail("France", "\n".join(lines))).split())
    assert "gave way to" in text and not any(line in text for line in lines)


#: mails of the Fall -> those that say all of it, and those that leave it to the units to repeat what they were ordered
REPEATS = {
    "at once": (["A Par H\nF Bre H\nA Mar-Pie"], ["A Par H"]),
    "by and by": (["A Par H", "F Bre H\nA Mar-Pie\nSTATUS"], ["A Par H", "STATUS"]),
    "nothing new": (["F Bre H\nA Mar-Pie\nA Par H\nSTATUS"], ["A Par H\nSTATUS"]),
}


def in_the_fall(desk: Desk, mails: list[str]) -> Message:
    """The last receipt: in Spring A MAR and A VEN have met over Piedmont, and F BRE held; everybody has read it."""
    desk.mail("France", "A Mar-Pie\nF Bre H\nA Par-Pic\n")
    desk.mail("Italy", "A Ven-Pie")
    desk.mail("Germany", "A Mun-Bur")
    desk.pass_time(hours=24)
    desk.receive()
    for number, body in enumerate(mails):
        desk.now += timedelta(minutes=10)
        desk.count = 100 + number
        receipt = desk.mail("France", body.replace("A Par H", "A Pic H"))
    assert receipt is not None
    return receipt


@pytest.mark.parametrize("name", REPEATS)
def test_cn_19_a_repeated_order_is_not_told_from_one_that_was_given(name: str, new_game: Any) -> None:
    """What a unit repeats has been published with the results: to say that it repeats would be to say the order."""
    said, left = (in_the_fall(new_game("china", "en", orders__perpetual="yes"), mails) for mails in REPEATS[name])
    text = text_of(left)
    assert "A Marseilles: an order is on file" in text and "F Brest: an order is on file" in text
    assert "earlier turn" not in text
    # (the commitment is a hash with a nonce that nobody has yet: it tells nothing of what it is made from)
    shown = [re.sub(r"Commitment(?: [0-9a-f]{4}){8}", "Commitment", readable(one)) for one in (said, left)]
    assert sorted(shown[0].split("\n")) == sorted(shown[1].split("\n"))
