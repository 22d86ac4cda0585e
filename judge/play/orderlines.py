"""Which of a player's own lines are to be read as orders: not commands, not a number alone, not a proxy line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.commands import find_commands
from judge.play import proxy

#: A line that is a number alone: the answer to a question.
NUMBER = re.compile(r"[\s>*.#(\[]*(\d{1,2})[\s.)\]!]*\Z")


def order_lines(own_lines: Sequence[str]) -> list[str]:
    """The player's own lines that are no command, no number alone and no proxy line."""
    lines = find_commands(own_lines)[1]
    return [line for line in lines if not NUMBER.match(line) and proxy.parse(line) is None]
