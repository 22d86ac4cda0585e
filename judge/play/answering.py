"""How answers to commands are stored: their codes and arguments, as JSON that may hold instants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from judge.render.commonfacts import Answer
from judge.store.db import instant, stamp

#: marks an instant among stored arguments
_INSTANT = "$at"


def stored(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Answers as they lie in the outbox."""
    return [{"code": one.code, "args": out(one.args)} for one in answers]


def of_stored(lying: Sequence[Mapping[str, Any]]) -> tuple[Answer, ...]:
    """Answers out of an outbox line."""
    return tuple(Answer(one["code"], within(one["args"])) for one in lying)


def out(value: Any) -> Any:
    """Arguments, with instants in them, as JSON can hold them."""
    if isinstance(value, datetime):
        return {_INSTANT: stamp(value)}
    if isinstance(value, Mapping):
        return {key: out(one) for key, one in value.items()}
    return [out(one) for one in value] if isinstance(value, list | tuple) else value


def within(value: Any) -> Any:
    """What :func:`out` made -> the arguments."""
    if isinstance(value, Mapping):
        return instant(value[_INSTANT]) if value.keys() == {_INSTANT} else {key: within(one) for key, one in value.items()}
    return [within(one) for one in value] if isinstance(value, list) else value
