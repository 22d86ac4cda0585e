"""Translations: ``templates/locale/LANG.po`` read at run time.

The ``.po`` text itself is the catalogue; no ``.mo`` is built. So a checkout, an editable install, a wheel and an
operator's own folder all work without a build step, a change is one reviewable line, and no binary can be older than
its source. A catalogue of some hundred messages is read in milliseconds, once a process.

``templates/locale/judge.pot`` lists every message. It is made from the sources, in the top folder of a checkout, by::

    pybabel extract -F templates/locale/babel.cfg -k N_ -k NN_:1,2 -k NP_:1c,2 -k _many:1,2 -k pgettext:1c,2 \\
        --no-location --sort-output --omit-header -o templates/locale/judge.pot .

and a new language begins with ``pybabel init -i templates/locale/judge.pot -o templates/locale/ja.po -l ja``.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from judge.errors import BadInput

#: gettext's mark between a context and its message
CONTEXT = "\x04"

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


def N_(message: str) -> str:
    """Mark ``message`` for extraction in a table; it is translated where it is used."""
    return message


def NN_(singular: str, plural: str) -> tuple[str, str]:
    """Mark a message with a plural for extraction in a table."""
    return singular, plural


def NP_(context: str, message: str) -> tuple[str, str]:
    """Mark ``message`` with its context for extraction in a table."""
    return context, message


class Catalogue(gettext.NullTranslations):
    """The translations of one language; what it lacks is said in English.

    ``messages``: message id (with ``CONTEXT`` before it if it has one; of a plural the singular) -> its forms.
    """

    def __init__(self, language: str, messages: dict[str, tuple[str, ...]], plural: Callable[[int], int]) -> None:
        super().__init__()
        self.language = language
        self.messages = messages
        self.plural = plural

    def gettext(self, message: str) -> str:
        """The translation of ``message``."""
        forms = self.messages.get(message)
        return forms[0] if forms and forms[0] else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of the message that goes with the number ``n``.

        :raises TypeError: ``n`` is no number: a template that does not say which of its values is counted.
        """
        if not isinstance(n, int):
            raise TypeError(f"{msgid1!r} is counted by {n!r}: name the count, {{% pluralize n %}}")
        forms = self.messages.get(msgid1)
        if forms:
            index = self.plural(n)
            if index < len(forms) and forms[index]:
                return forms[index]
        return msgid1 if n == 1 else msgid2

    def pgettext(self, context: str, message: str) -> str:
        """The translation of ``message`` where it is used as ``context`` says."""
        forms = self.messages.get(context + CONTEXT + message)
        return forms[0] if forms and forms[0] else message

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """Both: a context and a number."""
        key = context + CONTEXT + msgid1
        found = self.ngettext(key, context + CONTEXT + msgid2, n)
        return found.rpartition(CONTEXT)[2]


def _unquote(text: str, where: str) -> str:
    """``"a\\n"`` with its quotes -> the string it means."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise BadInput(f"a quoted string is expected, not {text!r}", where)
    out: list[str] = []
    characters = iter(text[1:-1])
    for character in characters:
        if character == "\\":
            escaped = next(characters, "")
            if escaped not in _ESCAPES:
                raise BadInput(f"unknown escape \\{escaped} (known: {' '.join(_ESCAPES)})", where)
            out.append(_ESCAPES[escaped])
        elif character == '"':
            raise BadInput('a " inside a string is written \\"', where)
        else:
            out.append(character)
    return "".join(out)


def entries(text: str, name: str = "") -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each message of a ``.po`` text: ``(key, plural id or "", forms)``; ``key`` as in ``Catalogue``.

    Obsolete (``#~``) and fuzzy messages are passed over: a guess of a tool is no translation.

    :raises BadInput: not the ``.po`` format; file and line.
    """
    fields: dict[str, str] = {}
    current = ""
    fuzzy = False
    for number, raw in enumerate([*text.splitlines(), ""], 1):
        line, where = raw.strip(), f"{name}:{number}"
        if line.startswith("#~"):
            continue
        # the next message begins: at a blank line, its comments, its context, or an id after a translation
        starts = not line or line.startswith(("#", "msgctxt")) or (line.startswith("msgid ") and "msgid" in fields)
        if starts and any(key.startswith("msgstr") for key in fields):
            if not fuzzy:
                key = fields["msgid"]
                if "msgctxt" in fields:
                    key = fields["msgctxt"] + CONTEXT + key
                forms = tuple(value for label, value in sorted(fields.items()) if label.startswith("msgstr"))
                yield key, fields.get("msgid_plural", ""), forms
            fields, current, fuzzy = {}, "", False
        if line.startswith("#"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
        elif line.startswith('"'):
            if not current:
                raise BadInput("a string that continues nothing", where)
            fields[current] += _unquote(line, where)
        elif line:
            label, _, value = line.partition(" ")
            if label not in ("msgctxt", "msgid", "msgid_plural", "msgstr") and not label.startswith("msgstr["):
                raise BadInput(f"{label!r} is no word of a catalogue (msgctxt, msgid, msgid_plural, msgstr are)", where)
            if label.startswith("msgstr") and "msgid" not in fields:
                raise BadInput("msgstr without its msgid", where)
            current = label
            fields[label] = _unquote(value.strip(), where)


def parse(text: str, language: str, name: str = "") -> Catalogue:
    """A ``.po`` text -> Catalogue.

    :raises BadInput: not the ``.po`` format, or its plural rule is none.
    """
    messages: dict[str, tuple[str, ...]] = {}
    rule = "n != 1"
    for key, _, forms in entries(text, name):
        if key:
            messages[key] = forms
            continue
        for header in forms[0].splitlines():
            label, _, value = header.partition(":")
            if label.strip().lower() == "plural-forms" and "plural=" in value:
                rule = value.partition("plural=")[2].strip(" ;")
    try:
        plural = gettext.c2py(rule)
    except ValueError as error:
        raise BadInput(f"plural rule {rule!r}: {error}", name) from error
    return Catalogue(language, messages, plural)


@lru_cache(maxsize=64)
def load(language: str, folders: tuple[Path, ...]) -> Catalogue:
    """The catalogue of ``language`` (``"ja"``, ``"zh-Hant"``): each folder's ``LANG.po``, the earlier folders first.

    A language without a file speaks English: that is what the messages are written in.
    """
    messages: dict[str, tuple[str, ...]] = {}
    plural: Callable[[int], int] = lambda n: int(n != 1)  # noqa: E731
    for folder in reversed(folders):
        path = folder / f"{language.replace('-', '_')}.po"
        if path.is_file():
            found = parse(path.read_text(encoding="utf-8"), language, str(path))
            messages.update(found.messages)
            plural = found.plural
    return Catalogue(language, messages, plural)
