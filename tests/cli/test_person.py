"""What is kept about somebody, at the shell: told, and put out of the database once their games are over."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from judge.cli import main


def run(home: Path, *args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["--home", str(home), *args])
    assert result.exit_code == code, result.output
    return result


def test_a_person_is_shown_kept_while_they_play_and_forgotten_after_the_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    run(tmp_path, "init", str(home), "--domain", "judge.example.org")
    seats = ["--seat", "France=camille@example.org", "--seat", "Italy=ines@example.org"]
    run(home, "game", "new", "spring42", *seats, "--start")
    assert "nobody is known" in run(home, "person", "show", "nobody@example.org", code=1).stderr
    told = json.loads(run(home, "person", "show", "camille@example.org", "--json").output)
    assert [one["power"] for one in told["seats"]] == ["France"]
    assert "spring42" in run(home, "person", "forget", "camille@example.org", "--yes", code=1).stderr
    assert json.loads(run(home, "person", "show", "camille@example.org", "--json").output) == told
    run(home, "game", "end", "spring42")
    run(home, "person", "forget", "camille@example.org", "--yes")
    assert "nobody is known" in run(home, "person", "show", "camille@example.org", code=1).stderr
    assert all(b"camille@" not in file.read_bytes() for file in home.glob("judge.db*"))
    assert json.loads(run(home, "person", "show", "ines@example.org", "--json").output)["seats"]
    run(home, "game", "verify", "spring42")
