"""Files that are no house rules: each says file, line, what is wrong and what is allowed, and nothing is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.variants import load_rules

END = '[victory.end]\nturn = "{}"\n'

#: name -> content of mine.toml, the line told (None: the file as a whole), what the line must say, board
FILES: dict[str, tuple[bytes, int | None, tuple[str, ...], str]] = {
    "misspelt key": (b'# ours\n\n[convoy]\ndisrupton = "any-route"\n', 4, ("did you mean convoy.disruption?",), "standard"),
    "misspelt key with dots": (b'victory.end.trun = "F1905"\n', 1, ("did you mean victory.end.turn?",), "standard"),
    "key in the wrong section": (b'[convoy]\nturn = "F1905"\n', 2, ("'convoy.turn'", "Allowed: convoy."), "standard"),
    "misspelt section": (b"[victroy]\ncentres = 10\n", 1, ("unknown key 'victroy'", "did you mean victory"), "standard"),
    "misspelt word": (b'nmr = "civil-disorde"\n', 1, ("did you mean civil-disorder? Allowed: ",), "standard"),
    "section as a value": (b"victory = 18\n", 1, ("victory is a section", "victory.centres"), "standard"),
    "key as a section": (b'[nmr]\nvalue = "hold"\n', 1, ("Allowed: civil-disorder, hold, postpone",), "standard"),
    "text for a flag": (b'[retreat]\ninto_standoff = "yes"\n', 2, ("true or false, not 'yes'",), "standard"),
    "number for a flag": (b"[retreat]\ninto_standoff = 1\n", 2, ("true or false, not 1",), "standard"),
    "flag for a word": (b"[builds]\nwaive = false\n", 2, ("false is no value of it", "allowed, forbidden"), "standard"),
    "list for a word": (b'[convoy]\nroute = ["counts"]\n', 2, ("Allowed: counts, ignored, required",), "standard"),
    "number as text": (b'[victory]\ncentres = "18"\n', 2, ("without quotes: 18", "Allowed: a number, "), "standard"),
    "number with a point": (b"[victory]\ncentres = 18.0\n", 2, ("18.0", "Allowed: a number, board, none"), "standard"),
    "year as a number": (b"[victory.end]\nturn = 1910\n", 2, ("a text, not 1910",), "standard"),
    "no centre": (b"[victory]\ncentres = 0\n", 2, ("1 to 34, or board, none; not 0",), "standard"),
    "35 centres": (b"[victory]\ncentres = 35\n", 2, ("1 to 34, or board, none; not 35",), "standard"),
    "18 centres on pure": (b"[victory]\ncentres = 18\n", 2, ("1 to 7, or board, none; not 18",), "pure"),
    "18 centres on pure, inherited": (
        b'title = "Ours"\nextends = "china"\n', 2, ("victory.centres: this board has 7 centres, not 18", "1 to 7"), "pure"
    ),
    "a coast of another board": (
        b'[coast]\naliases = { "bul/nc" = "bul/ec" }\n', 2, ("'bul/ec' is no coast of this board, which has none",), "pure"
    ),
    "no such coast": (b'[coast]\naliases = { "bul/nc" = "bul/xx" }\n', 2, ("'bul/xx'", "Allowed: bul/ec, "), "standard"),
    "alias of another province": (
        b'[coast]\naliases = { "rum/nc" = "bul/ec" }\n', 2, ("lie in two provinces; allowed: bul/",), "standard"
    ),
    "alias that is a coast itself": (
        b'[coast]\naliases = { "bul/sc" = "bul/ec" }\n', 2, ("'bul/sc' is a coast of this board itself",), "standard"
    ),
    "no such power": (b'[powers]\nunplayed = ["Spain"]\n', 2, ("'Spain' is no power", "Allowed: Austria"), "standard"),
    "powers as one text": (b'[powers]\nunplayed = "Italy"\n', 2, ('a list of powers, as ["Italy", "Germany"]',), "standard"),
    "end before the start": (END.format("F1900").encode(), 2, ("starts in 1901; it cannot end with F1900",), "standard"),
    "a year of five digits": (END.format("F19100").encode(), 2, ("'F19100' is no turn. Allowed: F1910",), "standard"),
    "a turn in words": (END.format("Autumn 1910").encode(), 2, ("is no turn. Allowed: F1910, S1905, 05-F",), "standard"),
    "a winter turn": (END.format("W1910").encode(), 2, ("is no turn",), "standard"),
    "both clocks": (
        b'[victory.clock]\nat = "2030-01-01T20:00Z"\nafter = "2 h"\n', 3, ("one of them only",), "standard"
    ),
    "a clock without offset": (b'[victory.clock]\nat = "2030-01-01T20:00"\n', 2, ("offset", "Allowed: 2026-"), "standard"),
    "a duration in weeks": (b'[victory.clock]\nafter = "2 weeks"\n', 2, ("is no duration. Allowed: 90 min",), "standard"),
    "the same key twice": (
        b'[convoy]\nroute = "counts"\nroute = "ignored"\n', 3,
        ("no TOML: the key convoy.route is there twice; allowed: once",), "standard",
    ),
    "the same key twice, over many lines": (
        b'[powers] # ours\nunplayed = ["Italy"]\nunplayed = [\n  "Italy",\n]\n', 5,
        ("the key powers.unplayed is there",), "standard"
    ),
    "the same key twice, dotted": (b'victory.tie = "draw"\nvictory.tie = "most"\n', 2, ("key victory.tie is",), "standard"),
    "the same section twice": (
        b"[victory]\ncentres = 3\n[victory] # again\ntie = 1\n", 3,
        ("the section [victory] is there twice; allowed:",), "standard"
    ),
    "no time at all": (b'[victory.clock]\nafter = "0 h"\n', 2, ("'0 h' is no duration",), "standard"),
    "a title of two lines": (b'title = "a\\nb"\n', 1, ("title: one line",), "standard"),
    "an open bracket": (b"\n[victory\ncentres = 3\n", 2, ("no TOML",), "standard"),
    "an open text": (b'title = "Ours\n', 1, ("no TOML",), "standard"),
    "no quotes": (b"nmr = hold\n", 1, ("no TOML",), "standard"),
    "an open list at the end": (b'[powers]\nunplayed = ["Italy",\n', 2, ("no TOML",), "standard"),
    "brackets without end": (b"x = " + b"[" * 5000, 1, ("no TOML",), "standard"),
    "a number without end": (b"[victory]\ncentres = " + b"9" * 5000, 2, ("no TOML",), "standard"),
    "title that is no text": (b"title = 3\n", 1, ("title: a text, not 3",), "standard"),
    "UTF-16": ('nmr = "hold"\n'.encode("utf-16"), 1, ("is no UTF-8 text; save the file as UTF-8",), "standard"),
    "Shift-JIS": ('nmr = "hold"\ntitle = "日本"\n'.encode("shift-jis"), 2, ("is no UTF-8 text",), "standard"),
    "Latin-1": ('title = "Österreich"\n'.encode("latin-1"), 1, ("is no UTF-8 text",), "standard"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", 1, ("is no UTF-8 text",), "standard"),
    "unknown preset": (b'extends = "japan"\n', 1, ("'japan'", "Allowed: china, japan-1910"), "standard"),
    "extends that is no text": (b"extends = 3\n", 1, ("extends is the name of a preset", "Allowed: china"), "standard"),
    "a circle of one": (b'extends = "mine.toml"\n', 1, ("in a circle (mine.toml -> mine.toml)",), "standard"),
    "a circle by another way": (b'extends = "../here/./mine.toml"\n', 1, ("in a circle",), "standard"),
    "a huge file": (b"# much\n" * 100_000, None, ("is too large: at most 256 KiB are allowed",), "standard"),
    "an empty file": (b"", 1, ('says nothing. Allowed: extends = "standard"',), "standard"),
    "a file of comments": (b"# later\n", 1, ("says nothing",), "standard"),
}  # fmt: skip


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(words), input=stdin)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("judge") / "home"
    assert run("init", str(made), "--domain", "judge.example.org").exit_code == 0
    return str(made)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "mine.toml"


def told(result: Result, path: Path, line: int | None, said: tuple[str, ...]) -> None:
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    (message,) = result.stderr.splitlines()
    assert message.startswith(f"{path}: " if line is None else f"{path}:{line}: ")
    assert all(part in message for part in said), message


@pytest.mark.parametrize("name", FILES)
def test_every_command_tells_the_fault_and_makes_nothing(name: str, mine: Path, home: str) -> None:
    content, line, said, board = FILES[name]
    mine.write_bytes(content)
    told(run("rules", "check", str(mine), "--variant", board), mine, line, said)
    for command in ("show", "words"):
        told(run("rules", command, str(mine), "--variant", board), mine, line, said)
    told(
        run("rules", "diff", "standard" if board == "standard" else str(mine), str(mine), "--variant", board),
        mine,
        line,
        said,
    )
    told(run("adjudicate", "--rules", str(mine), "--variant", board, stdin=""), mine, line, said)
    new = run("--home", home, "game", "new", "autumn", "--rules", str(mine), "--variant", board, "--start")
    told(new, mine, line, said)
    assert run("--home", home, "game", "list").output == ""


def test_a_file_that_is_none(mine: Path, home: str) -> None:
    mine.mkdir()
    missing = mine.parent / "none.toml"
    for path, said in ((mine, "is a directory"), (missing, "no such file")):
        for words in (("rules", "check"), ("rules", "show"), ("--home", home, "game", "new", "autumn", "--rules")):
            result = run(*words, str(path))
            assert result.exit_code == 1
            (message,) = result.stderr.splitlines()
            assert message.lower().startswith(f"{path}: cannot be read: {said}".lower()) and "allowed: a file" in message
    result = run("rules", "check", "standrd")
    assert result.exit_code == 1 and "did you mean standard? Allowed: china, " in result.stderr
    assert run("--home", home, "game", "list").output == ""


def test_a_fault_in_what_is_extended_is_told_there(mine: Path) -> None:
    (mine.parent / "club.toml").write_text('title = "Club"\nnrm = "hold"\n')
    mine.write_text('extends = "club.toml"\n')
    result = run("rules", "check", str(mine))
    assert result.exit_code == 1 and result.stderr.startswith(f"{mine.parent / 'club.toml'}:2: unknown key 'nrm'")


def test_a_circle_of_three(mine: Path) -> None:
    for name, other in (("mine", "two"), ("two", "three"), ("three", "mine")):
        (mine.parent / f"{name}.toml").write_text(f'extends = "{other}.toml"\n')
    result = run("rules", "check", str(mine))
    assert result.exit_code == 1
    assert "in a circle (mine.toml -> two.toml -> three.toml -> mine.toml)" in result.stderr


SEVERAL = """\
title = 3
extends = "japan"
nmr = "hol"
[victory]
centres = 35
[convoy]
route = "counts"
disrupton = "any"
[victory.clock]
at = "2030-01-01T20:00Z"
after = "2 h"
[powers]
unplayed = ["Spain"]
"""


@pytest.mark.parametrize("words", [("rules", "check"), ("rules", "show"), ("adjudicate", "--rules")], ids=" ".join)
def test_several_faults_are_a_line_each(mine: Path, words: tuple[str, ...]) -> None:
    mine.write_text(SEVERAL)
    result = run(*words, str(mine), stdin="")
    assert result.exit_code == 1
    lines = [line.removeprefix(f"{mine}:").partition(":")[0] for line in result.stderr.splitlines()]
    assert lines == ["1", "2", "3", "5", "8", "11", "13"]


def test_a_game_with_several_faults_is_not_made(mine: Path, home: str) -> None:
    mine.write_text(SEVERAL)
    result = run("--home", home, "game", "new", "autumn", "--rules", str(mine))
    assert result.exit_code == 1 and len(result.stderr.splitlines()) == 7
    assert run("--home", home, "game", "list").output == ""


def test_of_very_many_faults_the_first_are_told(mine: Path) -> None:
    mine.write_text("".join(f"key{number} = {number}\n" for number in range(2000)))
    lines = run("rules", "check", str(mine)).stderr.splitlines()
    assert len(lines) == 51 and lines[0].startswith(f"{mine}:1: ") and lines[49].startswith(f"{mine}:50: ")
    assert lines[50].endswith("and more faults")


def test_the_line_is_right_after_a_long_text_and_odd_line_ends(mine: Path) -> None:
    mine.write_bytes('title = """\r\n\u2028\x85 a\r\nlong\r\ntitle"""\r\nnrm = 1\r\n'.encode())
    assert f"\n{mine}:5: unknown key 'nrm'" in run("rules", "check", str(mine)).stderr  # after the title's own fault


def test_the_mark_that_some_editors_put_before_utf_8_does_no_harm(mine: Path) -> None:
    mine.write_bytes(b'\xef\xbb\xbf[victory.end]\nturn = "F1905"\n')
    assert load_rules(str(mine)).victory_end_turn == "F1905"


POSITION = {
    "id": 1,
    "phase": "S1901M",
    "units": [
        {"power": "Germany", "type": "A", "at": "mun"},
        {"power": "Germany", "type": "A", "at": "ber"},
        {"power": "Italy", "type": "A", "at": "tyr"},
    ],
    "orders": [
        {"power": "Germany", "text": "A BER-MUN"},
        {"power": "Germany", "text": "A BER-SIL"},
        {"power": "Germany", "text": "A MUN-TYR"},
    ],
}


def test_adjudicate_takes_a_file_or_preset_for_all_or_for_a_line(mine: Path) -> None:
    """``rules`` of a line comes before ``--rules``; a line with faulty rules says so and harms no other."""
    mine.write_text('[orders]\nduplicate = "first"\n')
    bad = mine.parent / "bad.toml"
    bad.write_text('[orders]\n\nduplicate = "frist"\n')
    lines = [POSITION, {**POSITION, "rules": str(mine)}, {**POSITION, "rules": str(bad)}, {**POSITION, "rules": "china"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    result = run("adjudicate", stdin=text)
    assert result.exit_code == 1
    answers = [json.loads(line) for line in result.stdout.splitlines()]

    def berlin(answer: dict[str, object]) -> list[object]:
        return [order["result"] for order in answer["orders"][:2]]  # type: ignore[index]

    assert berlin(answers[0]) == ["void", "succeeds"]
    assert berlin(answers[1]) == ["bounces", "void"]
    assert "bad.toml" in answers[2]["error"] and "did you mean first?" in answers[2]["error"]
    assert berlin(answers[3]) == ["void", "succeeds"]
    only = run("adjudicate", "--rules", str(mine), stdin=json.dumps(POSITION) + "\n")
    assert berlin(json.loads(only.stdout)) == ["bounces", "void"]


def test_diff_of_two_own_files_and_a_preset(mine: Path) -> None:
    other = mine.parent / "other.toml"
    mine.write_text('extends = "china"\n[powers]\nunplayed = ["italy"]\n')
    other.write_text('extends = "mine.toml"\n[powers]\nunplayed = []\n[victory]\ncentres = 15\n')
    assert run("rules", "diff", str(mine), str(other)).output.splitlines() == [
        "victory.centres  18 -> 15",
        'powers.unplayed  ["Italy"] -> []',
    ]
    data = json.loads(run("rules", "diff", "china", str(mine), "--json").output)["keys"]
    assert data == {"powers.unplayed": {"first": [], "second": ["Italy"]}}


def test_a_bare_name_is_the_preset_even_where_a_file_is_called_so(mine: Path) -> None:
    (mine.parent / "china.toml").write_text("[victory]\ncentres = 5\n")
    mine.write_text('extends = "china"\n')
    assert run("rules", "diff", "china", str(mine)).output == f"china and {mine} say the same\n"
    mine.write_text('extends = "china.toml"\n')
    assert run("rules", "diff", "standard", str(mine)).output == 'victory.centres  "board" -> 5\n'


def test_a_bare_name_that_is_that_of_a_file_beside_it_is_no_preset(mine: Path) -> None:
    (mine.parent / "club.toml").write_text("[victory]\ncentres = 5\n")
    mine.write_text('extends = "club"\n')
    result = run("rules", "check", str(mine))
    assert result.exit_code == 1 and "a file is named with its ending, club.toml. " in result.stderr


@pytest.mark.parametrize(("length", "good"), [(20, True), (21, False), (400, False)])
def test_how_many_files_may_extend_each_other(mine: Path, length: int, good: bool) -> None:
    mine.write_text('extends = "f2.toml"\n')
    for number in range(2, length):
        (mine.parent / f"f{number}.toml").write_text(f'extends = "f{number + 1}.toml"\n')
    (mine.parent / f"f{length}.toml").write_text('title = "the last"\n')
    result = run("rules", "check", str(mine))
    assert result.exit_code == (not good)
    if not good:
        assert f"{mine.parent / 'f20.toml'}:1: too many files extend each other" in result.stderr
        assert "allowed: 20 at most" in result.stderr


@pytest.mark.parametrize(
    ("file", "title", "name"),
    [
        ("standard.toml", None, "standard (standard.toml)"),
        ("standard.toml", "Five", "Five"),
        ("club.toml", None, "club"),
        ("club.toml", "China", "China (club.toml)"),
        ("club.toml", "japan-1910", "japan-1910 (club.toml)"),
        ("club.toml", "  The  club's rules ", "The club's rules"),
    ],
)
def test_a_file_never_has_the_name_of_a_preset(tmp_path: Path, file: str, title: str | None, name: str) -> None:
    path = tmp_path / file
    path.write_text((f"title = {json.dumps(title)}\n" if title else "") + "[victory]\ncentres = 5\n")
    assert load_rules(str(path)).name == name
