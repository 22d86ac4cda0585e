"""A game through Debian's own Postfix and Dovecot, set up as deploy/ says: SMTP, LMTP to the judge, SMTP, LMTP, IMAP."""

from __future__ import annotations

import contextlib
import email
import email.policy
import imaplib
import json
import os
import pwd
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DEPLOY = HERE.parents[1] / "deploy"
COMMAND = [sys.executable, "-c", "from judge.cli import main; main()"]
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PATIENCE = 90

pytestmark = [pytest.mark.slow, pytest.mark.needs("postfix", "dovecot")]


def run(*command, **options):
    """Run a command that must succeed; returns what it printed."""
    with tempfile.TemporaryFile("w+") as said:  # not a pipe: a daemon that it starts would keep that open
        code = subprocess.run(command, stdout=said, stderr=said, timeout=PATIENCE, check=False, **options).returncode
        said.seek(0)
        text = said.read()
    assert code == 0, f"{command}: {text}"
    return text


def until(what, found, *logs):
    """Ask until the answer is true; returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError, imaplib.IMAP4.error):
            if answer := found():
                return answer
        time.sleep(0.1)
    told = "\n".join(f"{log}:\n{log.read_text()[-3000:]}" for log in logs if log.exists())
    raise AssertionError(f"not seen: {what}\n{told}")


class MailSystem:
    """Postfix and Dovecot in a folder of their own, and a judge behind them."""

    def __init__(self, folder):
        self.folder = folder
        with contextlib.ExitStack() as held:
            sockets = [held.enter_context(socket.socket()) for _ in range(5)]
            for one in sockets:
                one.bind(("127.0.0.1", 0))
            names = ("SMTP", "DOVECOT_LMTP", "IMAP", "JUDGE_LMTP", "JUDGE_SMTP")
            self.ports = {name: one.getsockname()[1] for name, one in zip(names, sockets, strict=True)}
        self.etc = folder / "postfix/etc"
        self.log = folder / "postfix/log/mail.log"
        self.home = folder / "judge"
        self.judge_log = folder / "judge.log"
        self.serving = None

    def set_up(self):
        """Write both servers' settings, start them, put the judge behind Postfix."""
        owner = pwd.getpwnam("nobody")
        folders = {"postfix": ("etc", "spool", "log", "data"), "dovecot": ("run", "state", "mail")}
        for server, names in folders.items():
            for name in names:
                (self.folder / server / name).mkdir(parents=True)
        shutil.chown(self.folder / "postfix/data", "postfix")
        shutil.chown(self.folder / "dovecot/mail", owner.pw_uid, owner.pw_gid)
        self.fill("main.cf", self.etc / "main.cf")
        self.fill("master.cf", self.etc / "master.cf")
        self.fill("dovecot.conf", self.folder / "dovecot/dovecot.conf")
        (self.etc / "dynamicmaps.cf").touch()
        boxes = [f"{power}@players.example.org" for power in POWERS]
        (self.etc / "mailboxes").write_text("".join(f"{box} x/\n" for box in boxes))
        users = self.folder / "dovecot/users"
        users.write_text("".join(f"{box}:{{PLAIN}}secret\n" for box in boxes))
        users.chmod(0o640)
        shutil.chown(users, group="dovecot")
        environ = os.environ | {"MAIL_CONFIG": str(self.etc)}
        setup = [str(DEPLOY / "postfix/setup.sh"), "judge.example.org", f"inet:127.0.0.1:{self.ports['JUDGE_LMTP']}"]
        run(*setup, env=environ)
        before = (self.etc / "main.cf").read_text()
        run(*setup, env=environ)
        assert (self.etc / "main.cf").read_text() == before, "set up twice is set up once"
        run("postfix", "-c", str(self.etc), "start")
        run("dovecot", "-c", str(self.folder / "dovecot/dovecot.conf"))

    def fill(self, name, to):
        """Write a settings file out of its template."""
        owner = pwd.getpwnam("nobody")
        values = {"D": self.folder, "VUID": owner.pw_uid, "VGID": owner.pw_gid} | self.ports
        text = (HERE / "data/realmail" / f"{name}.in").read_text()
        to.write_text(re.sub(r"@([A-Z_]+)@", lambda found: str(values[found[1]]), text))

    def stop(self):
        """End the servers, by the process ids that they wrote down."""
        self.stop_judge()
        for name in ("dovecot/run/master.pid", "postfix/spool/pid/master.pid"):
            with contextlib.suppress(OSError, ValueError):
                pid = int((self.folder / name).read_text())
                os.kill(pid, signal.SIGTERM)
                for _ in range(100):
                    os.kill(pid, 0)
                    time.sleep(0.1)

    def judge(self, *arguments):
        """Run a command of the judge."""
        return run(*COMMAND, "--home", str(self.home), *arguments)

    def vacation(self, power, text, *, broken):
        """Let Dovecot's vacation program answer a player's mail: as RFC 5230 says, or every mail and at once, in a mail
        system that takes away the headers by which machines know each other."""
        conf = self.folder / "dovecot/dovecot.conf"
        lines = (
            "protocol lmtp {",
            "  mail_plugins = $mail_plugins sieve",
            "}",
            f"submission_host = 127.0.0.1:{self.ports['SMTP']}",
            "plugin {",
            f"  sieve = file:{self.folder}/dovecot/mail/%d/%n/active.sieve",
            "  sieve_extensions = +vacation-seconds",
            "  sieve_vacation_min_period = 0",
            "  sieve_vacation_send_from_recipient = yes",
            "}",
        )
        conf.write_text(conf.read_text() + "\n".join(lines) + "\n")
        home = self.folder / f"dovecot/mail/players.example.org/{power}"
        home.mkdir(parents=True, exist_ok=True)
        wanted = ":seconds 0" if broken else ":days 1"
        extension = '"vacation-seconds"' if broken else '"vacation"'
        script = (
            f'require [{extension}];\nvacation {wanted} :addresses ["{power}@players.example.org"] text:\n{text}\n.\n;\n'
        )
        (home / "active.sieve").write_text(script)
        owner = pwd.getpwnam("nobody")
        for path in (home.parent, home, home / "active.sieve"):
            shutil.chown(path, owner.pw_uid, owner.pw_gid)
        run("doveadm", "-c", str(conf), "reload")
        if broken:
            checks = self.etc / "header_checks"
            checks.write_text("/^(Auto-Submitted|List-|Precedence|X-Auto-Response-Suppress)/ IGNORE\n")
            run("postconf", "-c", str(self.etc), "-e", f"header_checks=regexp:{checks}")
            run("postfix", "-c", str(self.etc), "reload")

    def sent_to(self, address):
        """How many mails Postfix handed over to addresses that begin so."""
        return len(re.findall(rf"to=<{re.escape(address)}[^>]*>.*status=sent", self.log.read_text()))

    def start_judge(self):
        """Serve."""
        command = [*COMMAND, "--home", str(self.home), "serve", "--lmtp", f"127.0.0.1:{self.ports['JUDGE_LMTP']}"]
        with self.judge_log.open("ab") as log:
            self.serving = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.serving.stdout.readline().startswith("serving judge.example.org")

    def stop_judge(self):
        """Tell it to stop."""
        if self.serving is not None:
            self.serving.send_signal(signal.SIGTERM)
            assert self.serving.wait(PATIENCE) == 0
            self.serving.stdout.close()
            self.serving = None

    def mails(self, power):
        """What is in a player's mailbox, fetched by IMAP, oldest first."""
        with imaplib.IMAP4("127.0.0.1", self.ports["IMAP"], timeout=PATIENCE) as box:
            box.login(f"{power}@players.example.org", "secret")
            box.select(readonly=True)
            numbers = box.search(None, "ALL")[1][0].split()
            raws = [box.fetch(number, "(RFC822)")[1][0][1] for number in numbers]
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in raws]

    def mail(self, power, count):
        """Wait until a player has ``count`` mails; returns the last."""
        return until(f"mail {count} of {power}", lambda: self.mails(power)[count - 1 : count], self.log, self.judge_log)[0]

    def send(self, mail):
        """Send a player's mail to Postfix."""
        with smtplib.SMTP("127.0.0.1", self.ports["SMTP"], timeout=PATIENCE) as client:
            client.send_message(mail)

    def rcpt(self, address):
        """Postfix's answer to a recipient."""
        with smtplib.SMTP("127.0.0.1", self.ports["SMTP"], timeout=PATIENCE) as client:
            client.ehlo()
            client.mail("stranger@players.example.org")
            return client.rcpt(address)


@pytest.fixture
def mail_system():
    """A mail system that runs, with an empty judge."""
    if os.geteuid() != 0 and os.environ.get("CI") != "true":
        pytest.skip("Postfix begins as root")
    folder = Path(tempfile.mkdtemp(prefix="realmail"))
    folder.chmod(0o755)  # Postfix's processes of lesser rights must get in
    system = MailSystem(folder)
    try:
        system.set_up()
        yield system
    finally:
        system.stop()
        shutil.rmtree(folder, ignore_errors=True)


def answer(mail, power, text):
    """A player's reply to a mail of the judge."""
    reply = EmailMessage()
    reply["From"] = f"{power}@players.example.org"
    reply["To"] = mail["Reply-To"]
    reply["Subject"] = f"Re: {mail['Subject']}"
    reply["Message-ID"] = f"<{time.time_ns()}@players.example.org>"
    reply["In-Reply-To"] = mail["Message-ID"]
    reply.set_content(text + "\n")
    return reply


def test_a_phase_through_postfix_and_dovecot(mail_system):
    """Every player's start mail, orders by mail with a receipt, and the result, each read by IMAP."""
    it = mail_system
    smtp = f"127.0.0.1:{it.ports['SMTP']}"
    run(*COMMAND, "init", str(it.home), "--domain", "judge.example.org", "--listen", f"127.0.0.1:{it.ports['JUDGE_SMTP']}",
        "--relay", smtp)  # fmt: skip
    it.start_judge()
    seats = [word for power in POWERS for word in ("--seat", f"{power}={power}@players.example.org")]
    it.judge("game", "new", "spring42", "--schedule", "every 24 h", *seats, "--start")
    starts = {power: it.mail(power, 1) for power in POWERS}
    assert len({mail["Reply-To"] for mail in starts.values()}) == 7

    reply = answer(starts["france"], "france", "A PAR-BUR\nF BRE-MAO")
    it.send(reply)
    receipt = it.mail("france", 2)
    assert receipt["In-Reply-To"] == reply["Message-ID"]
    assert receipt["Auto-Submitted"] == "auto-replied"

    it.judge("game", "process", "spring42")
    results = {power: it.mail(power, 3 if power == "france" else 2) for power in POWERS}
    assert "Burgundy" in results["italy"].get_body(("plain",)).get_content()
    assert {mail["Auto-Submitted"] for mail in results.values()} == {"auto-generated"}
    assert len({mail["Message-ID"] for mail in results.values()}) == 7


def test_an_address_that_nobody_has_is_refused_at_rcpt_and_a_judge_that_is_down_loses_nothing(mail_system):
    it = mail_system
    run(*COMMAND, "init", str(it.home), "--domain", "judge.example.org", "--listen", f"127.0.0.1:{it.ports['JUDGE_SMTP']}",
        "--relay", f"127.0.0.1:{it.ports['SMTP']}")  # fmt: skip
    it.start_judge()
    it.judge("game", "new", "spring42", "--seat", "France=france@players.example.org", "--start")
    start = it.mail("france", 1)
    seat = re.search(r"[^\s<]+@[^\s>]+", start["Reply-To"])[0]
    wrong = re.sub(r"\+.", "+z" if "+a" in seat else "+a", seat)
    assert it.rcpt(wrong)[0] == 550
    assert it.rcpt("nogame@judge.example.org")[0] == 550
    assert it.rcpt(seat)[0] == 250
    it.stop_judge()
    # Postfix remembers that the address is good, takes the mail, and hands it over when the judge is back
    it.send(answer(start, "france", "A PAR-BUR"))
    assert it.rcpt("othergame@judge.example.org")[0] == 450, "not known whether it is good: try later"
    it.start_judge()
    run("postqueue", "-c", str(it.etc), "-f")
    assert it.mail("france", 2)["In-Reply-To"]


@pytest.mark.needs("sievec")
@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("I am out of the office until Monday.", False),
        ("I am out of the office until Monday.", True),
        ("Hello, this is the desk of France. Your note lies here.", True),
    ],
    ids=["as it should be", "that answers everything", "that answers everything in words that nobody knows"],
)
def test_a_vacation_program_and_the_judge_stop(mail_system, text, broken):
    """Every mail that reaches France is answered by a real vacation program; the judge's mails to it are counted."""
    it = mail_system
    it.vacation("france", text, broken=broken)
    run(*COMMAND, "init", str(it.home), "--domain", "judge.example.org", "--listen", f"127.0.0.1:{it.ports['JUDGE_SMTP']}",
        "--relay", f"127.0.0.1:{it.ports['SMTP']}")  # fmt: skip
    it.start_judge()
    seats = [word for power in POWERS[:3] for word in ("--seat", f"{power}={power}@players.example.org")]
    it.judge("game", "new", "spring42", "--schedule", "every 24 h", *seats, "--start")
    start = it.mail("france", 1)
    it.judge("game", "process", "spring42")
    it.mail("france", 2)
    # the program answers the envelope's sender; its text is sent to the signed reply address too, as broken ones do
    note = answer(start, "france", text)
    it.send(note)
    expected = 3 if broken and "desk" in text else 2
    if expected == 3:
        it.mail("france", 3)
    if broken:
        until("answers of the program", lambda: it.sent_to("spring42+b-") >= expected, it.log)
    # the last thing that happens is a mail of ours to somebody else, so that what could still come has come
    it.judge("game", "process", "spring42")
    it.mail("austria", 3)
    it.mail("france", expected + 1)
    until("an empty queue", lambda: "is empty" in run("postqueue", "-c", str(it.etc), "-p"))
    time.sleep(1)
    assert len(it.mails("france")) == expected + 1, "start, two results, and at most one answer"
    assert it.sent_to("spring42+b-") == (expected + 1 if broken else 0)
    seen = json.loads(it.judge("game", "show", "spring42", "--json"))
    france = next(seat for seat in seen["seats"] if seat["power"] == "France")
    assert (france["orders"], france["unreachable"]) == ([], None)
