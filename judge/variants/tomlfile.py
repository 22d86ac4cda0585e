"""A TOML file that knows its lines: what is wrong in it is told with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from judge.errors import BadInput

#: No file of ours comes near this; who names a disk image by mistake need not wait for it.
_MOST_BYTES = 256 * 1024

#: How many beginnings of a file are tried before a line is told that is only near.
_MOST_TRIES = 1000


@dataclass(frozen=True)
class TomlFile:
    """The text of a file and what it says; ``name`` is how people are told of it."""

    name: str
    text: str
    data: dict[str, Any]
    error: type[BadInput] = BadInput

    @classmethod
    def read(cls, path: Path, error: type[BadInput] = BadInput) -> TomlFile:
        """Read ``path``; ``error`` is the class of every fault found in it.

        :raises BadInput: (the class ``error``) the file cannot be read or is no TOML.
        """
        try:
            with path.open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError as fault:
            raise error(f"cannot be read: {fault.strerror or fault}; allowed: a file of UTF-8 text", str(path)) from fault
        if len(data) > _MOST_BYTES:
            raise error(f"is too large: at most {_MOST_BYTES // 1024} KiB are allowed", str(path))
        return cls.parse(_decoded(data, str(path), error), str(path), error)

    @classmethod
    def parse(cls, text: str, name: str, error: type[BadInput] = BadInput) -> TomlFile:
        """Take ``text`` as the content of the file ``name``.

        :raises BadInput: (the class ``error``) it is no TOML; the line is in ``where``.
        """
        text = text.replace("\r\n", "\n")
        try:
            return cls(name, text, tomllib.loads(text), error)
        except tomllib.TOMLDecodeError as fault:
            what, _, place = str(fault).rpartition(" (at ")
            found = re.match(r"line (\d+)", place)
            line = int(found[1]) if found else _last_line(text)
            raise error(f"no TOML: {_said_twice(text, line, what) or what}", f"{name}:{line}") from fault
        except (ValueError, RecursionError) as fault:
            raise error("no TOML: a value that is too long or too deep", f"{name}:{_line_too_much(text)}") from fault

    def line(self, keys: Sequence[str]) -> int:
        """The line (from 1) on which the value at ``keys`` begins; of its nearest parent if it is not in the file.

        The shortest beginning of the file that holds the key ends with its value, whichever way TOML wrote it (table, dotted
        key, inline table, array over many lines); it begins after the longest one that does not. Both are found by halving.
        """
        lines = self.text.split("\n")
        wanted = _depth(self.data, keys)
        without, with_it = 0, len(lines)
        tries = 0
        while wanted and with_it - without > 1:
            middle = (without + with_it) // 2
            for count in (*range(middle, without, -1), *range(middle + 1, with_it)):
                tries += 1
                try:
                    depth = _depth(tomllib.loads("\n".join(lines[:count])), keys)
                except (ValueError, RecursionError):  # it ends within a value of many lines
                    if tries > _MOST_TRIES:
                        return without + 1
                    continue
                without, with_it = (without, count) if depth >= wanted else (count, with_it)
                break
            else:
                break
        return without + 1

    def fault(self, keys: Sequence[str], message: str) -> BadInput:
        """The error to raise for the value at ``keys``."""
        return self.error(message, f"{self.name}:{self.line(keys)}")


#: What tomllib says of a key or a section that is there already.
_TWICE = re.compile(r"Cannot (overwrite a value|declare \(.*\) twice|redefine|mutate)")
_SECTION = re.compile(r"\s*\[[^\[\]]+\]\s*(#.*)?\Z")


def _said_twice(text: str, line: int, what: str) -> str:
    """What is there twice, where ``what`` says that the statement that ends on ``line`` repeats one; else nothing."""
    if not _TWICE.match(what):
        return ""
    lines = text.split("\n")
    begin = line - 1
    while begin and line - begin < _MOST_TRIES and not _is_toml("\n".join(lines[:begin])):
        begin -= 1
    statement = "\n".join(lines[begin:line]).strip()
    if _SECTION.match(statement):
        return f"the section {statement.partition('#')[0].strip()} is there twice; allowed: once, with all of its keys"
    section = next((one.partition("#")[0].strip(" \t[]") for one in lines[:begin][::-1] if _SECTION.match(one)), "")
    key = statement.partition("=")[0].strip()
    return f"the key {'.'.join(filter(None, (section, key)))} is there twice; allowed: once"


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _last_line(text: str) -> int:
    return text.rstrip().count("\n") + 1


def _line_too_much(text: str) -> int:
    """The line on which Python gives up (a number of thousands of digits, brackets thousands deep)."""
    lines = text.split("\n")
    for count in range(1, min(len(lines), _MOST_TRIES) + 1):
        try:
            tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        except (ValueError, RecursionError):
            return count
    return _last_line(text)


def _decoded(data: bytes, name: str, error: type[BadInput]) -> str:
    """UTF-8 as text; the mark that some editors put before it is no part of it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise error("is no UTF-8 text; save the file as UTF-8, the only encoding allowed", f"{name}:{line}") from fault


def _depth(data: Any, keys: Sequence[str]) -> int:
    """How many of ``keys`` lead on into ``data``."""
    for depth, key in enumerate(keys):
        if not isinstance(data, dict) or key not in data:
            return depth
        data = data[key]
    return len(keys)


def allowed(word: str, words: Iterable[str]) -> str:
    """``did you mean X? Allowed: ...``: what may stand in place of ``word``."""
    known = sorted(words)
    near = get_close_matches(word, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{hint}Allowed: {', '.join(known)}"
