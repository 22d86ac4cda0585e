"""A TOML file that knows its lines: what is wrong in it is told with file and line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from judge.errors import BadInput


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
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise error(f"cannot be read as UTF-8 text: {fault}", str(path)) from fault
        return cls.parse(text, str(path), error)

    @classmethod
    def parse(cls, text: str, name: str, error: type[BadInput] = BadInput) -> TomlFile:
        """Take ``text`` as the content of the file ``name``.

        :raises BadInput: (the class ``error``) it is no TOML; the line is in ``where``.
        """
        try:
            return cls(name, text, tomllib.loads(text), error)
        except tomllib.TOMLDecodeError as fault:
            said = str(fault)
            what, _, place = said.rpartition(" (at ")
            line = "".join(c for c in place.partition(",")[0] if c.isdigit()) or str(text.count("\n") + 1)
            raise error(f"no TOML: {what or said}", f"{name}:{line}") from fault

    def line(self, keys: Sequence[str]) -> int:
        """The line (from 1) on which the value at ``keys`` begins; of its nearest parent if it is not in the file.

        The shortest beginning of the file that holds the key ends with its value, whichever way TOML wrote it
        (table, dotted key, inline table, array over many lines). Only asked for faults, so the cost is no matter.
        """
        lines = self.text.splitlines(keepends=True)
        whole = 0
        depth, best = 0, 1
        for count in range(1, len(lines) + 1):
            try:
                so_far = tomllib.loads("".join(lines[:count]))
            except tomllib.TOMLDecodeError:
                continue
            found = _depth(so_far, keys)
            if found > depth:
                depth, best = found, whole + 1
            if depth == len(keys):
                break
            whole = count
        return best

    def fault(self, keys: Sequence[str], message: str) -> BadInput:
        """The error to raise for the value at ``keys``."""
        return self.error(message, f"{self.name}:{self.line(keys)}")


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
