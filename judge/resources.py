"""Where the data folders lie: inside the installed wheel, or beside the package in a checkout."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def data_dir(name: str) -> Path:
    """Return the folder ``name`` (``"games"`` or ``"templates"``).

    An installed wheel holds it under ``judge/_data``; a checkout (and an editable install) beside the package.

    :raises FileNotFoundError: neither place has it.
    """
    package = Path(str(files("judge")))
    for place in (package / "_data" / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the data folder {name!r} is neither in {package / '_data'} nor beside {package}")
