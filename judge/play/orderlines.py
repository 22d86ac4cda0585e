"""Which of a player's own lines are to be read as orders: not commands, not a number alone, not a proxy line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.commands import find_commands
from judge.play import proxy

#: A line that is a number, perhaps in polite words: the answer to a question. ("No 4" may be a NO.)
NUMBER = re.compile(
    r"[\s>*.#(\[]*(?:(?:yes|yep|ok|okay|ja|oui|s[iíì]|sim)[\s,.:!]+|(?:はい|是的?|好的?)[\s、，。]*)?"
    r"(?:(?:i\s+(?:mean|meant|choose|take|want)|it['’]s|ich\s+(?:meine|nehme)|je\s+(?:prends|choisis))\s+)?(?:the\s+)?"
    r"(?:(?:number|nr\.?|nummer|num[ée]ro|n[°º]|option|choice|answer|wahl|choix|opci[oó]n|scelta)\s*|番号\s*|選択肢\s*|第|[选選][项項]?\s*)?"
    r"[#:]?\s*(\d{1,2})[\s.,)\]!]*"
    r"(?:(?:please|pls|thanks|thank\s+you|bitte|danke|s['’]il\s+(?:vous|te)\s+pla[iî]t|merci|por\s+favor|per\s+favore|gracias|grazie"
    r"|番(?:です|で(?:お願いします)?)?|です|でお願いします|をお願いします|お願いします|号|號|吧)[\s.!。]*)?\Z",
    re.IGNORECASE,
)


def order_lines(own_lines: Sequence[str]) -> list[str]:
    """The player's own lines that are no command, no number alone and no proxy line."""
    lines = find_commands(own_lines)[1]
    return [line for line in lines if not NUMBER.match(line) and proxy.parse(line) is None]
