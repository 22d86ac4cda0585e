"""A game of seven mailboxes and a game master, played through Postfix and Dovecot from its first mail to its last: press, an
absence, a seat that changes hands, a rollback, and an end by vote."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.needs("postfix", "dovecot")]

ORDERS = {
    "S1901M": {
        "austria": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
        "england": "F Lon - NTH\nF Edi - NWG\nA Lvp - Yor",
        "france": "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO",
        "germany": "A Mun - Bur\nA Ber - Kie\nF Kie - Den",
        "italy": "A Ven H\nA Rom - Apu\nF Nap - ION",
        "russia": "A War - Gal\nA Mos - Ukr\nF Sev - BLA\nF StP(sc) - BOT",
        "turkey": "A Con - Bul\nA Smy - Con\nF Ank - BLA",
    },
    "F1901M": {
        "austria": "A Ser - Gre\nF Alb S A Ser - Gre\nA Vie H",
        "england": "F NTH C A Yor - Nwy\nA Yor - Nwy\nF NWG S A Yor - Nwy",
        "france": "A Bur - Bel\nA Mar - Spa\nF MAO - Por",
        "germany": "A Kie - Hol\nF Den H\nA Mun H",
        "italy": "A Apu - Tun\nF ION C A Apu - Tun\nA Ven H",
        "russia": "F BOT - Swe\nA Ukr - Rum\nF Sev S A Ukr - Rum\nA War H",
        "turkey": "A Bul H\nA Con H\nF Ank - Con",
    },
}


class Players:
    """Everybody at their mail program: who has read how many mails, and the last mail of the game to each."""

    def __init__(self, system):
        self.system = system
        self.read = {}
        self.last = {}

    def next(self, who):
        """Read the next mail of somebody's box: its text."""
        self.read[who] = self.read.get(who, 0) + 1
        mail = self.system.mail(who, self.read[who])
        if "Reply-To" in mail:
            self.last[who] = mail
        return mail.get_body(("plain",)).get_content()

    def everybody(self, people):
        """The next mail of each."""
        return {who: self.next(who) for who in people}

    def say(self, who, text):
        """Answer the last mail; gives the text of the judge's answer."""
        self.system.send(self.system.answer(self.last[who], who, text))
        return self.next(who)

    def order(self, phase, people):
        """All send their orders of a phase, each answered with a receipt that misses nothing."""
        for who, seat in people.items():
            receipt = self.say(who, ORDERS[phase][seat])
            assert re.search(r"all \d orders are in", receipt), receipt


def test_a_game_of_seven_mailboxes(mail_system):
    it = mail_system
    it.init()
    it.start_judge()
    seats = [word for power in it.powers for word in ("--seat", f"{power}={power}@players.example.org")]
    options = ["--master", "ana@players.example.org", "--set", "clock.absence=15 d"]
    it.judge("game", "new", "spring42", "--schedule", "every 72 h", *seats, *options, "--start")
    powers, players = it.powers, Players(it)
    players.everybody((*powers, "ana"))

    # Spring 1901: press in confidence and to all, orders, an absence that puts the deadline off; the master runs the phase
    receipt = players.say("france", "PRESS TO ENGLAND\nThe Channel stays empty?\nEND\n" + ORDERS["S1901M"]["france"])
    assert "all 3 orders are in" in receipt
    assert "The Channel stays empty?" in players.next("england")
    players.say("russia", "BROADCAST\nGood luck, all of you!\nEND")
    got = players.everybody(sorted(set(powers) - {"russia"}))
    assert all("Good luck, all of you!" in text and "Channel" not in text for text in got.values())
    players.order("S1901M", {who: who for who in powers if who != "france"})
    day = datetime.now(UTC) + timedelta(days=2)
    back = day + timedelta(days=4)
    away = players.say("turkey", f"ABSENCE {day:%Y-%m-%d}..{back - timedelta(days=1):%Y-%m-%d}")
    assert f"{day:%Y-%m-%d} to {back - timedelta(days=1):%Y-%m-%d}" in away
    assert it.deadline("spring42")[:10] == f"{back:%Y-%m-%d}"
    told = players.everybody([who for who in powers if who != "turkey"]) | {"ana": players.next("ana")}
    assert all("Turkey" not in text.split("spring42 ·")[0] for text in told.values()), "nobody is told whose absence it is"
    assert "Russia leads with 4 centres" in players.say("ana", "PROCESS S1901M")
    results = players.everybody(powers)
    assert all("Burgundy" in text for text in results.values())

    # Fall 1901: Austria goes, and its seat is given to somebody else, who orders for it
    others = [who for who in powers if who != "austria"]
    assert "YES" in players.say("austria", "RESIGN")
    players.say("austria", "YES")
    for text in players.everybody([*others, "ana"]).values():
        assert "The player of Austria has resigned." in text
    players.say("ana", "REPLACE AUSTRIA nils@players.example.org")
    assert "you play Austria" in players.next("nils")
    players.everybody(others)
    seated = {("nils" if who == "austria" else who): who for who in powers}
    players.order("F1901M", seated)
    players.say("ana", "PROCESS")
    assert all("Greece" in text for text in players.everybody(seated).values())

    # the master goes back to Fall: everybody's orders are on file again, and Italy writes another
    players.say("ana", "ROLLBACK F1901M\nWHY Italy's mail had come in time")
    for text in players.everybody(seated).values():
        assert "The game goes back to Fall 1901" in text and "Italy's mail had come in time" in text
    assert "gave way to" in players.say("italy", "A Ven - Tri")
    players.say("ana", "PROCESS F1901M")
    results = players.everybody(seated)
    assert all(re.search(r"Italy\s+armies stand in Trieste and\s+Tunis", text) for text in results.values())

    # winter passes without builds, and all agree to a draw
    players.say("ana", "PROCESS NOW")
    players.everybody(seated)
    for who in seated:
        said = players.say(who, "DRAW")
    assert "share a\ndraw" in said.replace("\r", "")
    ends = players.everybody((set(seated) - {who}) | {"ana"})
    assert all("share a\ndraw" in text.replace("\r", "") for text in ends.values())

    # nobody has a mail that was not expected, or one of them twice, and every byte is as stored
    assert {who: len(it.mails(who)) for who in it.people} == players.read
    identifiers = [mail["Message-ID"] for who in it.people for mail in it.mails(who)]
    assert len(identifiers) == len(set(identifiers))
    assert "all as stored" in it.judge("game", "verify", "spring42")
