"""What is asked of the judge besides orders: lines of a mail -> commands, by the table of :mod:`judge.mail.verbs`.

A command is a whole line (or a whole subject), never a word in a sentence, and never a line that could be an order. A verb
with a block takes the lines below it, to ``END`` or the end of the mail.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from judge.mail.verbs import TRIAL, VERBS, WORDS, Verb

__all__ = [
    "VERBS", "Command", "Verb", "find_commands", "fits", "misused", "opens_block", "parse", "plain", "swallowed",
    "take_blocks", "verb_of",
]  # fmt: skip

#: characters of a line that may be a command
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Command:
    """A command found: the verb's name, what follows it, and the line it stood on.

    ``lines``: those of its block, if the verb has one; ``ended``: the block was closed by ``END``.
    """

    name: str
    argument: str
    line: str
    lines: tuple[str, ...] = ()
    ended: bool = True

    def __str__(self) -> str:
        return f"{self.name} {self.argument}".strip()


#: what people set before a line, and behind it
_BEFORE, _BEHIND = " >*_#-–—•・「『【\"'“‘", " *_.!。！．;；,，\"'”’」』】"
_BLANKS = re.compile(r"\s+")
_GAP = re.compile(r"\A(?:\s*[:：]\s*|\s+)")
_END = re.compile(r"\W{0,3}(?:end|end\s*(?:of\s+)?\w{1,12}|以上|终了|終了|结束|結束)\W{0,3}\Z", re.IGNORECASE)


def plain(text: str) -> str:
    """A line as commands are compared: without what people set before and behind it, blanks folded, letters as they are."""
    folded = unicodedata.normalize("NFKC", text[:_LONGEST]).replace("’", "'")
    return _BLANKS.sub(" ", folded).lstrip(_BEFORE).rstrip(_BEHIND)


def _key(text: str) -> str:
    return plain(text).casefold()


_BY_NAME = {verb.name: verb for verb in VERBS}
_BY_SPELLING = {_key(s) or s: verb for verb in VERBS for s in verb.spellings}


def _takes_argument(argument: str, verb: Verb, spelling: str) -> bool:
    # "help me with the move" is a sentence: of verbs that any words may follow, only the one in the manual takes them
    loose = argument in (WORDS, TRIAL)
    return bool(argument) and (not loose or not spelling.isascii() or spelling == verb.spellings[0])


#: first character -> (spelling, verb, pattern of the argument), the longest spelling first
_Table = dict[str, list[tuple[str, Verb, re.Pattern[str]]]]


def _with_argument(*, outside: bool) -> _Table:
    table: _Table = defaultdict(list)
    for spelling, verb in sorted(_BY_SPELLING.items(), key=lambda pair: (-len(pair[0]), pair[0])):
        argument = verb.outside if outside and verb.outside else verb.argument
        if _takes_argument(argument, verb, spelling):
            table[spelling[0]].append((spelling, verb, re.compile(argument, re.IGNORECASE)))
    return table


_INSIDE, _OUTSIDE = _with_argument(outside=False), _with_argument(outside=True)


def verb_of(command: Command) -> Verb:
    """The verb of a command."""
    return _BY_NAME[command.name]


def fits(argument: str, verb: Verb) -> bool:
    """Whether a verb takes these words behind it; no words: whether it is a command by itself. In a game or outside."""
    if not argument:
        return verb.bare
    return any(one and re.fullmatch(one, argument, re.IGNORECASE) for one in (verb.argument, verb.outside))


def parse(line: str, *, outside: bool = False) -> Command | None:
    """The command that a whole line is, or ``None``. Of a verb with a block it is the first line alone. ``outside``: in a
    mail to the judge itself, outside of any game."""
    if len(line) > _LONGEST:
        return None
    said = plain(line)
    key = said.casefold()
    verb = _BY_SPELLING.get(key)
    if verb is not None:
        return Command(verb.name, "", line.strip()) if verb.bare else None
    for spelling, verb, pattern in (_OUTSIDE if outside else _INSIDE).get(key[:1], ()):
        if not key.startswith(spelling):
            continue
        rest = said[len(spelling) :]
        gap = _GAP.match(rest)
        if gap is None and spelling.isascii():
            continue
        argument = rest[gap.end() if gap else 0 :].strip()
        if argument and pattern.fullmatch(argument):
            return Command(verb.name, argument, line.strip())
    return None


#: verbs that hardly anybody begins a sentence with: they are told by their first word in small letters too
_NO_TALK = frozenset({"absence", "commitments", "deadline", "eject", "extend", "promote", "rollback", "timezone"})
#: characters, and words in small letters, of a line that may have been meant as a command
_LONGEST_MISUSED, _MOST_WORDS = 160, 6


def misused(line: str) -> Verb | None:
    """The verb of a line that is no command and was meant as one: it begins with the verb's first spelling in capitals, or
    in any letters where that is no word of talk and a few words or a date stand behind it."""
    if len(line) > _LONGEST_MISUSED or parse(line) is not None:
        return None
    said = plain(line)
    key = said.casefold()
    for verb in _BY_LENGTH:
        spelling = verb.spellings[0]
        rest = said[len(spelling) :]
        if key.startswith(spelling) and _GAP.match(rest or " "):
            return verb if _meant(said[: len(spelling)], rest.strip(" :：")) else None
    return None


#: the longest first spelling first: SET NO COMMENT before SET COMMENT
#: (HELP and many words are a sentence, as at the foot of our mails)
_BY_LENGTH = sorted((verb for verb in VERBS if verb.argument != WORDS), key=lambda verb: -len(verb.spellings[0]))


def _meant(head: str, rest: str) -> bool:
    words = rest.split()
    if head.isupper():
        # somebody whose whole sentence is in capitals talks: DRAW YOUR OWN CONCLUSIONS
        shouted = rest.isupper() and len(words) > 2 and not re.search(r"\d", rest)
        return not shouted or head.casefold() in _NO_TALK
    few = len(words) < 2 or (len(words) < _MOST_WORDS and re.search(r"\d", rest) is not None)
    return head.casefold() in _NO_TALK and few


def take_blocks(lines: Sequence[str], *, outside: bool = False) -> tuple[list[Command], list[str]]:
    """The commands among ``lines`` that have a block, with the lines of it, and the lines that are left. ``outside``: as in
    :func:`parse`; a block that is for the judge itself alone takes no lines from orders of a game."""
    blocks, rest = [], []
    i = 0
    while i < len(lines):
        command = parse(lines[i], outside=outside) if lines[i].strip() else None
        if command is None or not _has_block(command, outside=outside):
            rest.append(lines[i])
            i += 1
            continue
        end = next((n for n in range(i + 1, len(lines)) if _END.match(lines[n][:60])), None)
        inside = tuple(lines[i + 1 : end])
        blocks.append(Command(command.name, command.argument, command.line, inside, end is not None))
        i = len(lines) if end is None else end + 1
    return blocks, rest


def _has_block(command: Command, *, outside: bool) -> bool:
    verb = verb_of(command)
    return verb.block and (outside or verb.who != frozenset({"anyone"}))


def swallowed(blocks: Sequence[Command]) -> list[str]:
    """The lines of blocks that no ``END`` closes, of verbs that take words and no orders: some may be meant as orders. (Of
    orders to try out their answer says itself how far they went.)"""
    return [line for one in blocks if not one.ended and verb_of(one).topic != "orders" for line in one.lines]


def opens_block(subject: str, lines: Sequence[str], *, outside: bool = False) -> bool:
    """Whether a subject is a command whose lines are the mail's: it has a block, and none of the lines begins one.
    ``outside``: as in :func:`take_blocks`."""
    command = parse(subject, outside=outside)
    if command is None or not _has_block(command, outside=outside) or not any(line.strip() for line in lines):
        return False
    found = (parse(line, outside=outside) for line in lines)
    return not any(one is not None and _has_block(one, outside=outside) for one in found)


def find_commands(lines: Sequence[str], *, outside: bool = False) -> tuple[list[Command], list[str]]:
    """The commands among ``lines``, in order, and the lines that are none. Blocks have been taken out before. ``outside``:
    as in :func:`parse`."""
    found, rest = [], []
    for line in lines:
        command = parse(line, outside=outside)
        if command is None:
            rest.append(line)
        else:
            found.append(command)
    return found, rest
