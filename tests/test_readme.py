"""Every command in the README is run, as it stands there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
DEMO, TESTS, *REST = BLOCKS
COMMANDS = [c for block in REST for c in block.replace("\\\n", " ").strip().splitlines()]

LETTER = """\
From: Camille <camille@example.org>
To: spring42 <spring42@judge.example.org>
Subject: orders
Date: Tue, 01 Dec 2026 12:00:00 +0000
Message-ID: <1@example.org>

A Par - Bur
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with a letter in it, and `judge` on the PATH."""
    made = tmp_path_factory.mktemp("readme")
    (made / "letter.eml").write_text(LETTER)
    (made / "bin").mkdir()
    script = made / "bin" / "judge"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from judge.cli import main; main()' \"$@\"\n")
    script.chmod(0o755)
    return made


def run(command: str, folder: Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=timeout)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def test_the_readme_has_the_commands_that_this_test_knows() -> None:
    assert DEMO.strip().endswith("judge demo") and TESTS.strip().endswith("pytest -q -n 2")
    assert DEMO.count("\n") == TESTS.count("\n") == 1, "each of the two is a single line"
    firsts = [c.split(" judge ")[-1].removeprefix("judge ").removeprefix("--home here ").split()[0] for c in COMMANDS]
    assert {"init", "serve", "status", "game", "adjudicate", "parse", "read"} <= set(firsts)


@pytest.mark.slow
def test_the_commands_run_one_after_another(folder: Path) -> None:
    """In the order that a reader needs: init first, the server last; the ports are free ones here."""
    known = {c for c in COMMANDS if " serve" not in c}
    first = [c for c in COMMANDS if c.startswith("judge init")]
    for command in first + [c for c in COMMANDS if c in known and c not in first]:
        done = run(command.replace("127.0.0.1:2525", f"127.0.0.1:{free_port()}"), folder)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout.strip(), f"{command} says nothing"


def test_serve_runs_until_it_is_told_to_stop(folder: Path, tmp_path: Path) -> None:
    (serve,) = [c for c in COMMANDS if " serve" in c]
    port = free_port()
    shutil.copytree(folder / "bin", tmp_path / "bin")
    init = f"judge init here --domain judge.example.org --listen 127.0.0.1:{port} --relay 127.0.0.1:9"
    made = run(init, tmp_path)
    assert made.returncode == 0, made.stderr
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    server = subprocess.Popen(["bash", "-c", f"exec {serve}"], cwd=tmp_path, env=env, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as sock:
                if sock.connect_ex(("127.0.0.1", port)) == 0:
                    assert sock.recv(3) == b"220"
                    break
            time.sleep(0.1)
        else:
            raise AssertionError("nobody listens")
    finally:
        server.send_signal(signal.SIGTERM)
    assert server.wait(60) == 0


@pytest.mark.slow
def test_the_first_line_plays_a_whole_game_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", DEMO], cwd=clone, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1910" in done.stdout


@pytest.mark.slow
def test_the_wheel_runs_everything_from_an_empty_folder(tmp_path: Path) -> None:
    """Nothing of the checkout is needed: templates and games travel in the wheel."""
    venv, wheels, empty = tmp_path / "venv", tmp_path / "wheels", tmp_path / "empty"
    empty.mkdir()
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    subprocess.run([venv / "bin/pip", "-q", "wheel", "--no-deps", "-w", str(wheels), str(ROOT)], check=True)
    (wheel,) = wheels.glob("judge-*.whl")
    subprocess.run([venv / "bin/pip", "-q", "install", str(wheel)], check=True)
    (empty / "bin").mkdir()
    (empty / "bin" / "judge").symlink_to(venv / "bin/judge")
    (empty / "letter.eml").write_text(LETTER)
    init = "judge init here --domain judge.example.org --listen 127.0.0.1:0 --relay 127.0.0.1:9"
    for command in [init, *(c for c in COMMANDS if " serve" not in c and not c.startswith("judge init"))]:
        done = run(command, empty)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
