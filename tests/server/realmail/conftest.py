"""A mail system of its own for tests: Debian's Postfix and Dovecot on loopback, set up as deploy/ says, a judge behind them,
and mailboxes that are read by IMAP."""

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
DEPLOY = HERE.parents[2] / "deploy"
COMMAND = [sys.executable, "-c", "from judge.cli import main; main()"]
#: everybody who has a mailbox: a player a power, a game master, and somebody who may take a seat over
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PEOPLE = (*POWERS, "ana", "nils")
PATIENCE = 90


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

    powers = POWERS
    people = PEOPLE

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
        boxes = [f"{power}@players.example.org" for power in PEOPLE]
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
        text = (HERE / "data" / f"{name}.in").read_text()
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

    def init(self):
        """Set up the judge's folder, with this Postfix for a relay."""
        listen, relay = (f"127.0.0.1:{self.ports[name]}" for name in ("JUDGE_SMTP", "SMTP"))
        run(*COMMAND, "init", str(self.home), "--domain", "judge.example.org", "--listen", listen, "--relay", relay)

    def judge(self, *arguments):
        """Run a command of the judge."""
        return run(*COMMAND, "--home", str(self.home), *arguments)

    def deadline(self, game):
        """When the open phase of a game ends: UTC, ISO 8601."""
        return json.loads(self.judge("game", "show", game, "--json"))["deadline"]

    def run(self, *command):
        """Run any other command that must succeed; returns what it printed."""
        return run(*command)

    def until(self, what, found):
        """Ask until the answer is true; returns it."""
        return until(what, found, self.log, self.judge_log)

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
        return self.until(f"mail {count} of {power}", lambda: self.mails(power)[count - 1 : count])[0]

    @staticmethod
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
