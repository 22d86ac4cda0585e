"""The catalogue format, and that ``judge.pot`` holds every message of the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from jinja2.ext import babel_extract

from judge.errors import BadInput
from judge.render.catalogue import CONTEXT, entries, load, parse
from judge.resources import data_dir

EXAMPLE = r"""
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\n"

# a comment
#, python-format
msgid "%(n)s unit"
msgid_plural "%(n)s units"
msgstr[0] "one"
msgstr[1] "few"
msgstr[2] "many"

msgctxt "month"
msgid "May"
msgstr "mai"
msgid "May"
msgstr "may be"

msgid "over "
"two lines\n"
msgstr ""
"über \"zwei\"\t"
"Zeilen\\"

#, fuzzy
msgid "guessed"
msgstr "geraten"

#~ msgid "old"
#~ msgstr "alt"

msgid "empty"
msgstr ""
"""


def test_reads_the_format() -> None:
    catalogue = parse(EXAMPLE, "xx")
    assert [catalogue.ngettext("%(n)s unit", "%(n)s units", n) for n in (1, 3, 11, 21)] == ["one", "few", "many", "one"]
    assert catalogue.pgettext("month", "May") == "mai"
    assert catalogue.gettext("May") == "may be"
    assert catalogue.gettext("over two lines\n") == 'über "zwei"\tZeilen\\'


def test_what_it_lacks_is_english() -> None:
    catalogue = parse(EXAMPLE, "xx")
    for message in ("guessed", "old", "empty", "unknown"):
        assert catalogue.gettext(message) == message
    assert catalogue.pgettext("weekday", "Mon") == "Mon"
    assert catalogue.npgettext("x", "%(n)s a", "%(n)s as", 2) == "%(n)s as"
    assert catalogue.npgettext("x", "%(n)s a", "%(n)s as", 1) == "%(n)s a"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "a\nmsgstr "b"', 1),
        ('msgid "a"\nmsgstr b', 2),
        ('msgid "a"\nmsgsrt "b"', 2),
        ('"lost"', 1),
        ('msgstr "b"', 1),
        ('msgid "a\\q"\nmsgstr "b"', 1),
        ('msgid "a"b"\nmsgstr "b"', 1),
    ],
    ids=["open quote", "no quote", "misspelt word", "lost string", "no msgid", "bad escape", "inner quote"],
)
def test_faults_name_file_and_line(text: str, line: int) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, "xx", "xx.po")
    assert caught.value.where == f"xx.po:{line}"


def test_a_plural_rule_that_is_code_is_refused() -> None:
    with pytest.raises(BadInput):
        parse('msgid ""\nmsgstr "Plural-Forms: nplurals=1; plural=__import__(0);\\n"', "xx")


def test_nearer_folder_wins(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    for folder, word in ((near, "here"), (far, "there")):
        folder.mkdir()
        (folder / "zh_Hans.po").write_text(f'msgid "x"\nmsgstr "{word}"\n', encoding="utf-8")
    (far / "zh_Hans.po").write_text('msgid "x"\nmsgstr "there"\n\nmsgid "y"\nmsgstr "far"\n', encoding="utf-8")
    catalogue = load("zh-Hans", (near, far))
    assert (catalogue.gettext("x"), catalogue.gettext("y")) == ("here", "far")


#: function -> the places of (context, message, plural) among its arguments
_CALLS = {
    "N_": (None, 0, None),
    "NP_": (0, 1, None),
    "NN_": (None, 0, 1),
    "_many": (None, 0, 1),
    "gettext": (None, 0, None),
    "_": (None, 0, None),
    "ngettext": (None, 0, 1),
    "pgettext": (0, 1, None),
    "npgettext": (0, 1, 2),
}


def _of_python(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _CALLS:
            found = [
                argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None
                for argument in node.args
            ]
            yield from _entry(name, found)


def _entry(name: str, arguments: list[str | None]) -> Iterator[tuple[str, str]]:
    context, message, plural = _CALLS[name]
    wanted = [place for place in (context, message, plural) if place is not None]
    if any(place >= len(arguments) or arguments[place] is None for place in wanted):
        return
    key = arguments[message] or ""
    if context is not None:
        key = f"{arguments[context]}{CONTEXT}{key}"
    yield key, (arguments[plural] or "") if plural is not None else ""


def _of_template(path: Path) -> Iterator[tuple[str, str]]:
    options = {"extensions": "jinja2.ext.do", "trimmed": "true", "silent": "false"}
    for _, function, message, _ in babel_extract(BytesIO(path.read_bytes()), tuple(_CALLS), [], options):
        if message is not None:  # else it is no text but a name: its messages stand where it was given them
            yield from _entry(function, [message] if isinstance(message, str) else list(message))


def test_the_template_of_catalogues_is_up_to_date() -> None:
    """Every message of code and templates is in judge.pot, and nothing else; its docstring has the command."""
    templates = data_dir("templates")
    render = Path(__file__).parents[2] / "judge" / "render"
    sources: set[tuple[str, str]] = set()
    for path in sorted(render.rglob("*.py")):
        sources |= set(_of_python(path))
    for path in sorted(templates.rglob("*.j2")):
        sources |= set(_of_template(path))
    pot = templates / "locale" / "judge.pot"
    listed = {(key, plural) for key, plural, _ in entries(pot.read_text(encoding="utf-8"), pot.name)}
    assert sources - listed == set(), "run the command in judge/render/catalogue.py"
    assert listed - sources == set(), "run the command in judge/render/catalogue.py"
    assert len(listed) > 200
