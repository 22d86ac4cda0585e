"""Lines that correct a position: ``A PAR FRANCE``, ``REMOVE A PAR``, ``OWNER BEL ENGLAND``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_REMOVE = re.compile(
    r"(?:remove|delete|take\s+off|除去|撤去|取り除く|移除|去掉|拿掉)\s*[:：]?\s*(?P<rest>\S.*)\Z", re.IGNORECASE
)
_OWNER = re.compile(r"(?:owner|centre|center|所有者?|補給都市|补给中心|補給中心)\s*[:：]?\s+(?P<rest>\S.*)\Z", re.IGNORECASE)
_UNIT = re.compile(r"(?P<type>a|f|army|fleet|陸軍|海軍|陆军|海军)\s*[.:：]?\s*(?<![a-z])(?P<rest>\S.*)\Z", re.IGNORECASE)
_TYPES = {"a": "A", "army": "A", "陸軍": "A", "陆军": "A", "f": "F", "fleet": "F", "海軍": "F", "海军": "F"}
_DECORATION = " \t>*•·-–—「」『』"


@dataclass(frozen=True, slots=True)
class PositionLine:
    """What a line asks for: ``put`` a unit, ``remove`` one, or say the ``owner`` of a centre. ``words`` are those that name
    the place and the power, ``type`` is the unit's (``""``: not said)."""

    do: Literal["put", "remove", "owner"]
    type: Literal["A", "F", ""]
    words: tuple[str, ...]
    line: str


def read_position_lines(lines: Sequence[str]) -> tuple[list[PositionLine], list[str]]:
    """The lines that correct a position, and those that are none; empty ones are left out."""
    found, rest = [], []
    for line in lines:
        plain = " ".join(unicodedata.normalize("NFKC", line[:200]).split()).strip(_DECORATION).rstrip(".;。")
        if not plain:
            continue
        read = _read(plain, line.strip())
        if read is None:
            rest.append(line.strip())
        else:
            found.append(read)
    return found, rest


def _read(plain: str, line: str) -> PositionLine | None:
    owner = _OWNER.match(plain)
    if owner is not None:
        return PositionLine("owner", "", _words(owner["rest"]), line)
    remove = _REMOVE.match(plain)
    said = remove["rest"] if remove is not None else plain
    unit = _UNIT.match(said) if re.match(r"(?:a|f|army|fleet)[\s.:：]|[^\x00-\x7f]", said, re.IGNORECASE) else None
    if unit is not None:
        kind = _TYPES[unit["type"].lower()]
        return PositionLine("put" if remove is None else "remove", kind, _words(unit["rest"]), line)  # type: ignore[arg-type]
    return None if remove is None else PositionLine("remove", "", _words(said), line)


def _words(text: str) -> tuple[str, ...]:
    """The words that name place and power; signs between them are none."""
    return tuple(word for word in re.split(r"[\s,=、，:：]+|->|→", text) if word)
