"""Two machines that answer each other stop after at most one mail: broken auto-responders, desks, and the judge itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import Message
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, mastermail, setup
from judge.store import Store, games
from judge.variants import load_rules

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

#: words that no table knows to be a machine's, in ten languages: ``{n}`` is another at each answer
STRANGE = {
    "en": "Hello, this is Camille's assistant. Your note number {n} is on my desk.",
    "de": "Hier spricht der Anrufbeantworter von Camille, Vorgang {n}. Danke.",
    "fr": "Ici le répondeur de Camille, dossier {n}. Bonne journée.",
    "es": "Aquí el contestador de Camille, nota {n}. Un saludo.",
    "it": "Qui la segreteria di Camille, nota {n}. Saluti.",
    "nl": "Dit is het antwoordapparaat van Camille, nummer {n}. Groeten.",
    "pt": "Aqui fala o atendedor da Camille, nota {n}. Saudações.",
    "ru": "Говорит автоответчик Камиллы, номер {n}. Всего доброго.",
    "ja": "カミーユの秘書です。番号{n}をお預かりしました。よろしくお願いいたします。",
    "zh": "这里是卡米耶的助理，编号{n}。祝好。",
    "zh-Hant": "這裡是卡米耶的助理，編號{n}。順頌時祺。",
}


@dataclass
class Machine:
    """It answers every mail that reaches it, at once."""

    desk: Any
    says: Callable[[int, Message], str]
    address: str = "france@example.org"
    headers: dict[str, str] = field(default_factory=dict)
    threads: bool = True
    quotes: str = ""
    subject: Callable[[Message], str] = lambda mail: f"Re: {mail['Subject']}"
    seconds: int = 2
    got: int = 0

    def answer(self, mail: Message) -> None:
        self.got += 1
        words = self.says(self.got, mail)
        if self.quotes is not None and self.quotes != "":
            text = next(p for p in mail.walk() if p.get_content_type() == "text/plain").get_payload(decode=True).decode()  # type: ignore[union-attr]
            words += "\n\n" + "\n".join(self.quotes.strip("|") + line for line in text.splitlines())
        self.desk.now += timedelta(seconds=self.seconds)
        self.desk.deliver(
            *self.desk.write(
                "France",
                words,
                answering=mail if self.threads else None,
                subject=self.subject(mail),
                to=str(mail["Reply-To"]),
                headers=self.headers,
                sender=self.address,
            )
        )


def run(desk: Any, machine: Machine, first: Message, most: int = 12) -> int:
    """Let the machine answer a first mail, and all that it brings. Returns how many mails of ours that were."""
    machine.answer(first)
    ours = 0
    for _ in range(most):
        desk.work()
        mails = [mail for mail in desk.receive() if mail["To"] == machine.address]
        if not mails:
            break
        ours += len(mails)
        for mail in mails:
            machine.answer(mail)
    return ours


def first_mail(desk: Any) -> Message:
    return next(m for m in desk.sent if m["To"] == "france@example.org")


@pytest.mark.parametrize("quotes", ["", "> ", "|"], ids=["quoting nothing", "quoting", "quoting without marks"])
@pytest.mark.parametrize("threads", [True, False], ids=["in the thread", "beside it"])
@pytest.mark.parametrize("language", STRANGE)
def test_a_broken_auto_responder(desk: Any, language: str, threads: bool, quotes: str) -> None:
    """No header of RFC 3834, a new Message-ID and another number at each answer."""
    machine = Machine(desk, lambda n, _: STRANGE[language].format(n=4711 + n), threads=threads, quotes=quotes)
    assert run(desk, machine, first_mail(desk)) == 1
    assert desk.held("France") == []


BROKEN: dict[str, dict[str, Any]] = {
    "that says something else each time": {"says": lambda n, _: ["Yes.", "Indeed so", "Who knows", "Ha", "Well"][n % 5]},
    "that says something else each time, hours later, in the thread": {
        "says": lambda n, _: ["Yes.", "Indeed so", "Who knows", "Ha", "Well"][n % 5],
        "seconds": 3 * 3600,
    },
    "with the subject in its words": {"says": lambda n, mail: f"About “{mail['Subject']}”: it lies here.", "threads": False},
    "with its own subject": {"says": lambda n, _: "It lies here.", "subject": lambda _: "It lies here", "threads": False},
    "that says nothing": {"says": lambda n, _: ""},
    "that says nothing, beside the thread": {"says": lambda n, _: "", "threads": False, "subject": lambda _: "x"},
    "that greets us by the day": {"says": lambda n, _: f"It is the {n}. of June 2026, 12:0{n}.", "threads": False},
    "with a ticket number in front": {"says": lambda n, _: "Noted.", "subject": lambda m: f"[T-{m['Subject'][:3]}] noted"},
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_machine(desk: Any, case: str) -> None:
    assert run(desk, Machine(desk, **BROKEN[case]), first_mail(desk)) == 1


def test_one_that_varies_all_and_takes_its_time_gets_two_mails_a_day(desk: Any) -> None:
    words = ["Yes.", "Indeed so", "Who knows", "Ha", "Well"]
    machine = Machine(desk, lambda n, _: words[n % 5], threads=False, subject=lambda _: "x", seconds=3600)
    assert run(desk, machine, first_mail(desk)) == 2


@pytest.mark.parametrize(
    "headers",
    [{"Auto-Submitted": "auto-replied"}, {"Precedence": "auto_reply"}, {"X-Autoreply": "yes"}, {"Return-Path": "<>"}],
    ids=lambda headers: next(iter(headers)),
)
def test_a_machine_that_says_so_gets_none(desk: Any, headers: dict[str, str]) -> None:
    assert run(desk, Machine(desk, lambda n, _: f"A Par - Bur\n{n}", headers=headers), first_mail(desk)) == 0
    assert desk.held("France") == []


@pytest.mark.parametrize("text", ["A Par - Bur", "STATUS", "HELP", "A Pars - Bur"])
def test_a_machine_that_orders_stops_as_well(desk: Any, text: str) -> None:
    """Whatever it says counts, and is answered as a person's would be, until it comes faster than anybody writes."""
    assert run(desk, Machine(desk, lambda n, _: text), first_mail(desk), most=30) == 4


NOTICE = "Thank you for your email. Your ticket number is [Ticket#2026113010000{n}].\n\nYou wrote:\n\nA Par - Bur"


@pytest.mark.parametrize("threads", [True, False], ids=["in the thread", "beside it"])
def test_a_desk_without_headers_that_sends_orders_back_is_asked_once(desk: Any, threads: bool) -> None:
    machine = Machine(desk, lambda n, _: NOTICE.replace("{n}", str(n)), threads=threads)
    assert run(desk, machine, first_mail(desk)) == 1
    assert desk.held("France") == []


def test_a_desk_by_its_subject_that_sends_orders_back_gets_none(desk: Any) -> None:
    machine = Machine(desk, lambda n, _: NOTICE.replace("{n}", str(n)), subject=lambda m: f"[Ticket#12345] {m['Subject']}")
    assert run(desk, machine, first_mail(desk)) == 0
    assert desk.held("France") == []


def test_a_person_who_writes_as_desks_do_is_asked(desk: Any) -> None:
    desk.mail("France", "A Par - Pic")
    question = desk.mail("France", "Your message was received.\n\nA Par - Bur", subject="Re: spring42")
    assert question is not None and desk.held("France") == ["A PAR-PIC"]
    desk.mail("France", "1", answering=question)
    assert desk.held("France") == ["A PAR-BUR"]


def test_a_person_who_sends_the_same_orders_often_is_always_answered(desk: Any) -> None:
    for _ in range(8):
        desk.now += timedelta(minutes=3)
        assert desk.mail("France", "A Par - Bur") is not None


def test_a_person_who_talks_and_then_orders_is_answered(desk: Any) -> None:
    first = desk.mail("France", "Good evening! Is this thing on?")
    assert first is not None
    assert desk.mail("France", "Ah, I see.", answering=first) is None
    assert desk.mail("France", "A Par - Bur", answering=first) is not None
    assert desk.mail("France", "Paris to Burgundy", answering=first) is not None
    assert desk.mail("France", "HELP", answering=first) is not None
    desk.now += timedelta(hours=13)
    assert desk.mail("France", "Who plays Turkey, by the way?", subject="a question") is not None


#: that speak of orders, though none can be read in them
SPEAKING = {
    "an order that is offered": "same as last turn please, but Paris holds",
    "the order turned round": "Ruhr please, from Burgundy",
    "a unit without a place to go": "Please move my army from Paris.",
    "Japanese, an unknown unit": "一個師団をブルゴーニュへ",
    "Japanese, from a place to one": "私の部隊はパリからブルゴーニュへ",
    "Japanese, with a request": "パリの部隊はブルゴーニュへ行ってください",
    "Chinese, an unknown unit": "一个师到勃艮第",
    "Chinese, in a wish": "我想让巴黎的部队去勃艮第",
    "a unit nobody knows": "A Pars - Bur",
}


@pytest.mark.parametrize("threads", [True, False], ids=["in the thread", "beside it"])
@pytest.mark.parametrize("case", SPEAKING)
def test_a_line_that_speaks_of_orders_is_answered_whatever_came_before(desk: Any, case: str, threads: bool) -> None:
    """Soon after two mails that said nothing, in answer to what they brought: no order is missed without a word."""
    first = desk.mail("France", "Hi, am I in?")
    assert first is not None
    desk.now += timedelta(minutes=2)
    assert desk.mail("France", "And who else?", answering=first) is None
    desk.now += timedelta(minutes=2)
    assert desk.mail("France", SPEAKING[case], answering=first if threads else None) is not None
    assert desk.outcome not in ("again", "auto-reply")


def test_it_is_answered_again_in_the_next_phase(desk: Any) -> None:
    words = "Please move my army from Paris."
    assert desk.mail("France", words) is not None
    desk.now += timedelta(minutes=2)
    assert desk.mail("France", words) is None, "it was told so"
    desk.pass_time(hours=22, minutes=58)
    desk.receive()
    assert desk.mail("France", words) is not None


def test_lines_for_a_game_that_cannot_take_them_are_answered(desk: Any) -> None:
    make(desk, "fall7", {"Italy": "italy@example.org", "England": "e@example.org"})
    desk.work()
    desk.receive()
    assert desk.mail("France", "Hi, am I in?") is not None
    desk.now += timedelta(minutes=2)
    assert desk.mail("France", "Game: fall7\nA Ven - Tri") is not None


@pytest.mark.parametrize("varies", [False, True], ids=["the same words", "another number"])
@pytest.mark.parametrize("threads", [True, False], ids=["in the thread", "beside it"])
def test_a_machine_whose_words_have_places_in_them_stops(desk: Any, varies: bool, threads: bool) -> None:
    words = "This is the desk of Camille in Paris, note {n}. We support London as well."
    machine = Machine(desk, lambda n, _: words.format(n=4711 + n if varies else 4711), threads=threads)
    assert run(desk, machine, first_mail(desk)) == 1


def test_a_machine_that_speaks_of_other_places_each_time_stops_as_well(desk: Any) -> None:
    places = ("Paris", "Brest", "Burgundy", "Picardy", "Gascony", "Spain", "Munich", "Ruhr", "Belgium", "London", "Wales")
    machine = Machine(desk, lambda n, _: f"I move from {places[n % 11]} in week {places[(n // 11) % 11]}.", threads=False)
    assert run(desk, machine, first_mail(desk), most=30) == 12


def test_the_next_day_it_is_answered_again(desk: Any) -> None:
    assert desk.mail("France", "It lies here.") is not None
    desk.now += timedelta(hours=22)
    assert desk.mail("France", "It lies here.") is None
    desk.pass_time(hours=3)
    desk.receive()
    assert desk.mail("France", "It lies here.") is None, "the latest was within the day"
    desk.now += timedelta(hours=25)
    assert desk.mail("France", "It lies here.") is not None


@pytest.mark.parametrize(
    "says",
    [lambda n, _: f"Ana's desk, note {n}.", lambda n, _: ["Yes.", "Indeed so", "Who knows"][n % 3]],
    ids=["the same words", "other words"],
)
def test_a_masters_machine(desk: Any, says: Callable[[int, Message], str]) -> None:
    with desk.judge.store.transaction():
        mastermail.appoint(desk.judge, games.get(desk.judge.store, "spring42"), "ana@example.org", "operator", desk.now)
    desk.work()
    letter = next(m for m in desk.receive() if m["To"] == "ana@example.org")
    assert run(desk, Machine(desk, says, address="ana@example.org"), letter) == 1


def strangers_loop(desk: Any, address: Callable[[int], str], *, threads: bool) -> int:
    """A machine that writes to judge@, and answers all that it gets, from an address that may be another each time."""
    ours: list[Message] = []
    for n in range(8):
        desk.now += timedelta(seconds=5)
        answering = ours[-1] if ours and threads else None
        desk.deliver(*desk.write("x", f"Note {n}.", to="judge@judge.example.org", sender=address(n), answering=answering))
        desk.work()
        got = desk.receive()
        ours += got
        if not got:
            break
    return len(ours)


@pytest.mark.parametrize("threads", [True, False], ids=["in the thread", "beside it"])
@pytest.mark.parametrize(
    "address",
    [
        lambda n: "desk@example.com",
        lambda n: f"desk+{n}@example.com",
        lambda n: f"case-{4711 + n}@example.com",
        lambda n: f"bounce-{n:08x}@example.com",
        lambda n: f"case-{n:08x}.reply@example.com",
        lambda n: f"{4711 + n}-case@example.com",
        lambda n: f"3f2a9c{n:02x}-7d6e-4f5a-8b9c-0d1e2f3a4b5c@example.com",
    ],
    ids=["one address", "a detail", "a number", "a hash", "a hash between", "a number in front", "a UUID"],
)
def test_a_strangers_machine(desk: Any, address: Callable[[int], str], threads: bool) -> None:
    assert strangers_loop(desk, address, threads=threads) == 1


@pytest.mark.parametrize(
    "addresses",
    [
        ["12345678@qq.example", "87654321@qq.example"],
        ["anna1985@example.com", "anna1990@example.com"],
        ["anna.1985@example.com", "anna.1990@example.com"],
        ["1985anna@example.com", "1990anna@example.com"],
        ["deadbeef@example.com", "cafebabe@example.com"],
        ["a1b2c3d4e5@example.com", "b1b2c3d4e5@example.com"],
        ["wang-xiaoming@example.com", "wang-xiaohong@example.com"],
    ],
    ids=lambda addresses: addresses[0].partition("@")[0],
)
def test_two_people_whose_addresses_differ_by_a_number_both_get_the_manual(desk: Any, addresses: list[str]) -> None:
    for n, address in enumerate(addresses):
        desk.now += timedelta(minutes=1)
        desk.deliver(*desk.write("x", f"How do I join, please? {n}", to="judge@judge.example.org", sender=address))
        desk.work()
        assert [mail["To"] for mail in desk.receive()] == [address]


def test_a_strangers_machine_with_other_names_stops_in_its_thread(desk: Any) -> None:
    names = ("anna", "berta", "carla", "dora", "emma", "fay", "gina", "hanna")
    assert strangers_loop(desk, lambda n: f"{names[n]}@example.com", threads=True) == 1
    assert strangers_loop(desk, lambda n: f"{names[n]}@example.net", threads=False) == 8, "eight people"


# ── the judge against itself ─────────────────────────────────────────────────────────────────────────────────────────


def judge_of(tmp_path: Any, domain: str) -> Judge:
    return Judge(Store.open(tmp_path / f"{domain}.db"), Keys(domain.encode() * 3), domain)


class World:
    """Desks whose mail goes to each other: by the recipient's domain."""

    def __init__(self, *desks: Any) -> None:
        self.desks = {desk.judge.domain: desk for desk in desks}
        self.carried = 0

    def run(self, rounds: int = 12) -> int:
        """Carry mails until none is left. Returns how many went from a judge to a judge."""
        self.carried = 0
        for _ in range(rounds):
            mails = [(desk, mail) for desk in self.desks.values() for mail in self._made(desk)]
            if not mails:
                return self.carried
            for desk, mail in mails:
                self._carry(desk, mail)
        raise AssertionError("they never stop")

    def _made(self, desk: Any) -> list[Message]:
        desk.work()
        return [m for m in desk.receive() if str(m["To"]).partition("@")[2].rstrip(">") in self.desks]

    def _carry(self, desk: Any, mail: Message) -> None:
        to = str(mail["To"]).strip("<>")
        there = self.desks[to.partition("@")[2]]
        there.now = max(there.now, desk.now) + timedelta(seconds=1)
        desk.now = there.now
        if there.deliver(mail.as_bytes(), to, str(mail["Reply-To"] or "")) is not None:
            self.carried += 1


@pytest.fixture
def other(desk: Any, tmp_path: Any) -> Any:
    """Another judge, whose game is not made yet."""
    return type(desk)(judge_of(tmp_path, "judge.example.net"), now=desk.now)


def seat_player(desk: Any, power: str, address: str, game: str = "spring42") -> None:
    with desk.judge.store.transaction():
        games.set_player(desk.judge.store, games.get(desk.judge.store, game).id, power, address)


def make(desk: Any, name: str, players: dict[str, str]) -> None:
    setup.create_game(desk.judge, name, rules=load_rules("standard"), players=players, now=desk.now)
    setup.start_game(desk.judge, name, desk.now)


def test_two_judges_whose_players_are_each_others_seats(desk: Any, other: Any) -> None:
    make(other, "fall7", {"France": "someone@example.org", "England": "e@example.org"})
    seat_player(other, "France", desk.reply_to("France"), "fall7")
    seat_player(desk, "France", other.reply_to("France", "fall7"))
    # a mail to each seat, so that both have something to answer
    desk.pass_time(hours=23)
    other.now = desk.now
    other.pass_time(hours=1)
    carried = World(desk, other).run()
    assert 0 < carried <= 2, "each one's result, and no answer to it"
    assert desk.held("France") == []


@pytest.mark.parametrize("keeps_headers", [True, False], ids=["as it is", "without its headers of a machine"])
def test_a_seat_whose_player_is_a_seat_of_the_same_judge(desk: Any, keeps_headers: bool) -> None:
    """France's registered address is Italy's signed one: also through a forwarder that takes the headers away."""
    seat_player(desk, "France", desk.reply_to("Italy"))
    desk.pass_time(hours=23)
    ours = 0
    for _ in range(12):
        desk.work()
        mails = [m for m in desk.receive() if m["To"] == desk.reply_to("Italy")]
        for mail in mails:
            ours += 1
            if not keeps_headers:
                for name in ("Auto-Submitted", "List-Id", "X-Auto-Response-Suppress", "Precedence"):
                    del mail[name]
            desk.now += timedelta(seconds=1)
            desk.deliver(mail.as_bytes(), desk.reply_to("Italy"), "italy@example.org")
        if not mails:
            break
    assert ours == 1, "the result itself"
    assert desk.held("Italy") == []


@pytest.mark.parametrize(
    ("to", "mails"), [("judge@judge.example.net", 2), ("fall7@judge.example.net", 2), ("postmaster@judge.example.net", 0)]
)
def test_judge_to_judge(desk: Any, other: Any, to: str, mails: int) -> None:
    """Mails under three names of the other judge bring so many, and those bring none."""
    make(other, "fall7", {"France": "someone@example.org", "England": "e@example.org"})
    other.receive()
    for sender in ("judge@judge.example.org", "spring42@judge.example.org", desk.reply_to("France")):
        raw = f"From: {sender}\r\nTo: {to}\r\nReply-To: {sender}\r\nSubject: hello\r\nMessage-ID: <{sender}>\r\n\r\nHELP\r\n"
        assert other.deliver(raw.encode(), to, sender) is not None
    assert World(desk, other).run() == mails


@pytest.mark.parametrize(
    "to", ["judge@judge.example.org", "spring42@judge.example.org", "the same seat", "another seat", "another game"]
)
def test_our_own_mail_that_comes_back_brings_nothing(desk: Any, to: str) -> None:
    make(desk, "fall7", {"Italy": "italy@example.org", "England": "e@example.org"})
    desk.work()
    desk.receive()
    places = {
        "the same seat": desk.reply_to("France"),
        "another seat": desk.reply_to("Italy"),
        "another game": desk.reply_to("Italy", "fall7"),
    }
    mail = first_mail(desk)
    assert desk.deliver(mail.as_bytes(), places.get(to, to), "france@example.org") is not None
    desk.work()
    assert desk.receive() == []
