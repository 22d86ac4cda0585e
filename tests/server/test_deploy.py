"""What deploy/ ships: the unit is well-formed and hardened, the guide names only commands and options that exist."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main

DEPLOY = Path(__file__).parents[2] / "deploy"

#: As systemd itself rates it: 0 is locked in a box, 10 is unprotected.
MOST_EXPOSURE = 2.0


@pytest.fixture
def unit(tmp_path):
    """The unit with a program that is installed in place of ours."""
    text = (DEPLOY / "systemd/judge.service").read_text()
    assert "/opt/judge/bin/judge serve" in text
    path = tmp_path / "judge.service"
    path.write_text(text.replace("/opt/judge/bin/judge", "/bin/true"))
    return path


@pytest.mark.slow
@pytest.mark.needs("systemd-analyze")
def test_systemd_finds_nothing_to_say_about_the_unit(unit):
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.needs("systemd-analyze")
def test_the_unit_is_hardened(unit):
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    exposure = re.search(r"Overall exposure level for judge\.service: ([0-9.]+)", done.stdout)
    assert exposure and float(exposure[1]) <= MOST_EXPOSURE, done.stdout[-500:]


def judge_commands():
    """Every call of the judge in the guide and the unit, as a list of words."""
    for path in (DEPLOY / "README.md", DEPLOY / "systemd/judge.service"):
        text = path.read_text().replace("\\\n", " ")
        for line in re.findall(r"^(?:    |ExecStart=)(.*\bjudge (?:--home|init|serve).*)$", text, re.MULTILINE):
            yield re.sub(r"^.*?\bjudge (?=--home|init|serve)", "", line.split("#")[0]).split()


@pytest.mark.parametrize("words", list(judge_commands()), ids=" ".join)
def test_the_guides_commands_exist_with_their_options(words):
    if words[0] == "--home":
        words = words[2:]
    said = CliRunner().invoke(main, [words[0], "--help"])
    assert said.exit_code == 0
    for option in [word for word in words if word.startswith("--")]:
        assert re.search(rf"{option}\b", said.output), f"{words[0]} has no {option}"


def test_the_set_up_script_is_one_that_a_shell_reads():
    script = DEPLOY / "postfix/setup.sh"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", script], check=False).returncode == 0
    told = subprocess.run([script], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "usage: setup.sh DOMAIN" in told.stderr


def test_mail43_the_guide_names_what_other_servers_ask_for():
    guide = (DEPLOY / "README.md").read_text(encoding="utf-8")
    for record in ("MX", "SPF", "DKIM", "DMARC", "PTR"):
        assert record in guide
