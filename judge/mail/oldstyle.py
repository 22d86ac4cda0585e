"""Mail in the style of the classic judge: its old commands are put into this judge's own, and the receipt teaches those.

A row of :data:`ROWS` is one old spelling: the whole line, what is read in its place, and the code of the sentence that
teaches the short way (:mod:`judge.render.answers.oldstyle`). A code is all that is kept of such a line. So a password, which
old mails carry in clear, gets into no receipt, no question and no log.

``SIGNON Fgame password`` opens what the mail says for a game. It proves nothing here: the signed address of the mail does.
One that names another game or another power than that address is refused, with all that stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judge.mail.commands import parse, verb_of
from judge.mail.instants import read_instant
from judge.mail.verbs import ADDRESS, GAME, PHASE, POWER

_GLUED = re.compile(r"\W{0,3}signon\s+(?P<who>\?\S{0,24}|@?\S{1,24})(?:\s+\S{1,80}){0,12}\s*\Z", re.IGNORECASE)
#: words that open sentences as well: a SIGNON only with the name of the mail's game behind them, or a sign that asks for one
_LOOSE = re.compile(
    r"\W{0,3}(?:sign\s+on|hello|log\s?in)\s+(?P<who>\?\S{0,24}|@?\S{1,24})(?:\s+\S{1,80}){0,12}\s*\Z", re.IGNORECASE
)
_SECRET = re.compile(
    r"(?P<head>\W{0,3}(?:sign\s?on|hello|log\s?in|create|observe|watch)\s+[?@]?\s?\S{1,24}"
    r"|\W{0,3}(?:set\s+)?(?:password|pw))\s+\S.*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[A-Z]{1,12}", re.IGNORECASE)
_END_OLD = re.compile(r"\W{0,3}end\s?(?:press|broadcast)\W{0,3}\Z", re.IGNORECASE)
_END_ANY = re.compile(r"\W{0,3}end\s?\w{0,12}\W{0,3}\Z", re.IGNORECASE)
_FIELD = re.compile(r"\s*[A-Za-z][\w /-]{0,30}:")
_LONGEST = 200


def without_passwords(text: str) -> str:
    """A text in which nothing stands behind what old mails have a password behind."""
    return "\n".join(f"{found['head']} …" if (found := _SECRET.match(line[:2000])) else line for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class Row:
    """An old command: the ``pattern`` of the whole line, what is read in its place at a seat's or the game's address
    (``inside``) and at the judge's own (``outside``), as templates of ``re.Match.expand`` or a function, and what the
    receipt ``teaches`` (a code). ``block``: the lines to its END belong to it and are passed over. ``known``: the line is a
    command of this judge's already, which has a shorter form; else such a line is left alone."""

    pattern: str
    inside: tuple[str, ...] | Callable[[OldHand, re.Match[str]], Sequence[str] | None] = ()
    outside: tuple[str, ...] | Callable[[OldHand, re.Match[str]], Sequence[str] | None] | None = None
    teaches: str = ""
    block: bool = False
    known: bool = False


def letters(text: str) -> str:
    """``"EFG"`` -> ``"E, F, G"``, as lists of powers are read; M is the master. Anything but a run of letters of which none
    comes twice stays as it is, and so does a word that names everybody."""
    word = text.strip()
    if not _LETTERS.fullmatch(word) or len(set(word.upper())) < len(word) or word.upper() in ("GM", "ALL"):
        return text
    return ", ".join("master" if letter == "M" else letter for letter in word.upper())


def _recipients(text: str) -> str:
    """The recipients of old press: ``EFG``, ``ALL BUT EG``."""
    but = re.fullmatch(r"\s*all\s+but\s+([A-Z]{1,12})\s*", text, re.IGNORECASE)
    return f"all but, {letters(but[1])}" if but else letters(text)


def _absence(hand: OldHand, found: re.Match[str]) -> list[str] | None:
    """Days as the classic judge wrote them, in any order of words: ``Dec 24 TO Jan 3``."""
    if hand.arrived is None:
        return [found[0]]
    texts = re.split(r"\s+to\s+", found["days"].strip(), flags=re.IGNORECASE)
    first = read_instant(texts[0], UTC, hand.arrived)
    last = read_instant(texts[-1], UTC, first) if first is not None else None
    if first is None or last is None or len(texts) > 2:
        return [f"ABSENCE {found['days'].strip()}"]  # no command: the receipt tells how it is written
    return [f"ABSENCE {first:%Y-%m-%d}..{last:%Y-%m-%d}"]


def _preference(hand: OldHand, found: re.Match[str]) -> list[str]:
    """The powers in the order of the list; those in brackets are alike, and stand in the order that they are written in."""
    ranked = letters("".join(re.findall(r"[A-Z]", found["list"].upper())))
    if hand.joins is None:
        return []
    game, hand.joins = hand.joins, None
    return [f"JOIN {game} {ranked}"]


def _powers(hand: OldHand, found: re.Match[str]) -> list[str]:
    verb = "DRAW" if found["verb"].upper() == "DRAW" else "CONCEDE"
    return [f"{verb} {letters(found['powers'])}"]


def _comment(hand: OldHand, found: re.Match[str]) -> list[str]:
    begins = found["text"].upper() == "BEGIN"
    hand.in_block = begins
    return ["SET COMMENT"] if begins else ["SET COMMENT", found["text"], "END"]


def _as_it_is(hand: OldHand, found: re.Match[str]) -> None:
    """Nothing is read in the place of the line."""


def _become(hand: OldHand, found: re.Match[str]) -> list[str] | None:
    if found["power"].upper() in ("M", "MASTER"):
        return []
    hand.in_block = True
    return [f"ORDER AS {found['power'].capitalize() if found['power'].islower() else found['power']}"]


_OPTIONS = (
    r"move|retreat|build|adjust|grace|start|nonmr|nmr|no\s?cd|strict|auto|manual|max|access|level|dedication|ontimerat|resrat"
    r"|allow|deny|no\s?approval|approval|approved|players|powers|no\s?list|list|private|no\s?show|show|no\s?quiet|quiet"
    r"|no\s?secret|secret|no\s?reveal|reveal|rated|unrated|moderated|unmoderated|white|gr[ea]y|no\s?press|press|partial"
    r"|no\s?partial|no\s?fake|observer|late|no\s?late|minor|must|touch|postal|dias|no\s?dias|concessions|cent(?:er|re)s|variant"
    r"|gunboat|prflist|prfboth|prfrand|no\s?resume"
)

#: every old command there is; the first row whose pattern is the whole line counts
ROWS: tuple[Row, ...] = (
    Row(r"sign\s?off", teaches="signoff"),
    Row(r"register", teaches="register", block=True),
    Row(r"postal\s+press(?:\s.{0,60})?", teaches="postal", block=True),
    Row(r"press\s+(?:fake|no\s+fake)\b.{0,60}", teaches="fake", block=True),
    Row(r"diary(?:\s+record)?", teaches="diary", block=True),
    Row(r"diary\s+(?:list|(?:read|delete)(?:\s+\d{1,4})?)", teaches="diary"),
    Row(r"set\s+wait", ("WAIT",), teaches="wait", known=True),
    Row(r"set\s+no\s?t?\s?wait", ("READY",), teaches="nowait", known=True),
    Row(r"set\s+draw", ("DRAW",), teaches="draw", known=True),
    Row(r"set\s+no\s?draw", ("NO DRAW",), teaches="nodraw", known=True),
    Row(r"set\s+(?P<verb>draw)\s+(?P<powers>[a-z]{1,12})", _powers, teaches="vote-letters", known=True),
    Row(r"set\s+(?P<verb>conc(?:ede)?)\s+(?:to\s+)?(?P<powers>[a-z]{1,12})", _powers, teaches="concede-letters", known=True),
    Row(r"set\s+no\s?conc(?:ede)?", ("NO CONCEDE",), teaches="noconcede", known=True),
    Row(r"set\s+no\s?(?:absence|holiday|vacation)(?:\s.{0,60})?", ("ABSENCE OFF",), teaches="absence-off", known=True),
    Row(r"set\s+(?:absence|holiday|vacation)\s+(?P<days>\S.{2,80})", _absence, teaches="absence"),
    Row(r"set\s+(?:password|pw?)(?:\s+\S.*)?", teaches="password"),
    Row(r"set\s+address", teaches="address-bare"),
    Row(rf"set\s+address\s+(?P<to>{ADDRESS})(?:\s*,.*)?", (r"ADDRESS \g<to>",), teaches="address"),
    Row(
        r"set\s+pref(?:erence)?s?\s+(?P<list>[a-z\[\]()*\s,]{1,60})", _preference, teaches="preference"
    ),
    Row(r"set\s+(?:no\s+)?broadcast", teaches="mute"),
    Row(r"set\s+comment\s+(?P<text>\S.{0,180})", _comment, teaches="comment", known=True),
    # "set nmr to hold" sets a house rule of ours
    Row(rf"set\s+(?:not?\s+)?(?:{_OPTIONS})(?:\s+(?!to\s|[^=]*=)\S.{{0,80}})?", teaches="option"),
    Row(rf"phase\s+(?P<phase>{PHASE})", (r"LATER \g<phase>",), (), teaches="phase"),
    Row(r"withdraw", ("RESIGN",), _as_it_is, teaches="withdraw", known=True),
    Row(rf"become\s+(?P<power>{POWER}|[a-z]{{1,20}})", _become, (), teaches="become"),
    Row(r"terminate", ("END GAME",), (), teaches="terminate"),
    Row(r"force\s+begin", ("START",), (), teaches="begin"),
    Row(rf"(?:observe|watch)\s+o?\s?(?P<game>{GAME})\s+\S{{1,40}}", (), (r"OBSERVE \g<game>",), teaches="observe"),
    Row(r"list\s+(?:full|all)", ("SHOW",), ("LIST",), teaches="list-full"),
    Row(rf"list\s+(?P<game>{GAME})", ("SHOW",), (r"SHOW \g<game>",), teaches="list-game"),
    Row(rf"who\s+game(?:\s+(?P<game>{GAME}))?(?:\s+full)?", ("SHOW",), (r"SHOW \g<game>",), teaches="who"),
    Row(r"(?:whois|who|info\s+player)\s+\S+@\S+|whois\s+\S{1,60}", teaches="whois"),
    Row(rf"status\s+(?P<game>{GAME})", ("SUMMARY",), (r"SUMMARY \g<game>",), teaches="status-game"),
    Row(
        rf"history(?:\s+(?P<game>(?!from\b|to\b|lines\b|excl){GAME}))?\s+(?:from|to|lines|exclstart)\s+\S.{{0,80}}",
        ("HISTORY",), (r"HISTORY \g<game>",), teaches="history",
    ),
    Row(
        r"(?:get|send(?:\s+me)?)\s+(?:package|form|flist|index|rules|dedication|help|info(?:\.\w{1,20})?|map(?:\.\w{1,20})?"
        r"|\w{1,20}\.\w{1,20})",
        ("HELP",), ("HELP",), teaches="get",
    ),
    Row(r"version", teaches="version"),
    Row(r"map", teaches="map"),
    Row(r"i\s?am\s?also\s+\S+@\S+", teaches="also"),
    Row(r"create\s+\?\s?\S{1,24}(?:\s.{0,120})?", teaches="create"),
)  # fmt: skip
_FIRST = re.compile(
    r"[ >*_.!;,]*(?:sign|register|postal|press|diary|set|phase|withdraw|become|terminate|force|observe|watch|list|who|info"
    r"|status|history|get|send|version|map|i|create)",
    re.IGNORECASE,
)
_COMPILED = tuple((row, re.compile(row.pattern, re.IGNORECASE)) for row in ROWS)


@dataclass(slots=True)
class OldHand:
    """Goes down the lines of one mail.

    ``games``: the names of the game that the mail went to (none: the judge's own address); ``power``: whose signed address
    that is (empty: nobody's); ``arrived``: when the mail came, for dates without a year. ``taught``: the codes of what the
    receipt teaches, in order.
    """

    games: Sequence[str] = ()
    power: str = ""
    arrived: datetime | None = None
    taught: dict[str, None] = field(default_factory=dict)
    #: a SIGNON for somebody else stands above: nothing is used
    refused: bool = False
    #: the lines belong to a command that has a block
    in_block: bool = False
    #: a game that SIGNON ?game asks to join, until its list of preferences comes
    joins: str | None = None
    signed_on: bool = False

    def begins(self) -> None:
        """Another text of the same mail begins."""
        self.refused = self.in_block = False

    def signs_on(self, line: str) -> list[str] | None:
        """What is read in the place of a SIGNON; ``None``: the line is none."""
        if len(line) > _LONGEST:
            return None
        found = _GLUED.match(line)
        loose = _LOOSE.match(line) if found is None else None
        if loose is not None and (loose["who"][0] in "?@" or self._own(loose["who"])):
            found = loose
        if found is None or parse(line) is not None:
            return None
        self.signed_on, self.refused, self.in_block = True, False, False
        who = found["who"].lower()
        if who.startswith("?") and not self.games:
            return self._asks_to_join(who[1:])
        if not self.games:
            self.teach("signon-outside")
            return []
        self.refused = not self._own(who)
        self.teach("signon-other" if self.refused else "signon")
        return []

    def _asks_to_join(self, name: str) -> list[str]:
        self.teach("signon-join")
        self.joins = name if re.fullmatch(GAME, name) else None
        return [] if self.joins else ["LIST"]

    def _own(self, who: str) -> bool:
        """Whether a name, perhaps with the letter of a power before it, is the mail's own seat."""
        who = who.lower()
        own = [name.lower() for name in self.games]
        if who in own:
            return True
        letter = self.power[:1].lower()
        return who[1:] in own and letter in ("", who[0])

    def teach(self, code: str) -> None:
        """Note what the receipt has to teach."""
        self.taught[code] = None

    def passes_over(self, lines: Sequence[str], at: int) -> tuple[int, bool] | None:
        """If ``lines[at]`` opens a block that is passed over: the line behind it, and whether an END closes it. (A form that
        was left open ends with its last field.)"""
        row, _ = self._row(lines[at])
        if row is None or not row.block or self.in_block:
            return None
        self.teach(row.teaches)
        below = range(at + 1, len(lines))
        end = next((n for n in below if _END_ANY.match(lines[n][:60])), None)
        if end is not None:
            return end + 1, True
        if row.teaches == "register":
            return next((n for n in below if lines[n].strip() and not _FIELD.match(lines[n])), len(lines)), True
        return len(lines), False

    def says(self, line: str) -> Sequence[str]:
        """What is read in the place of a line that is neither press nor a heading."""
        if self.in_block and not re.fullmatch(r"\W*sign\s?off\W*", line, re.IGNORECASE):
            self.in_block = _END_ANY.match(line) is None
            return [line]
        row, found = self._row(line)
        if row is None or found is None:
            command = parse(line, outside=not self.games)
            self.in_block = command is not None and verb_of(command).block
            return [line]
        said = row.inside if self.games or row.outside is None else row.outside
        lines = said(self, found) if callable(said) else [found.expand(one) for one in said]
        if lines is None or any(one.endswith(" ") for one in lines):
            return [line]
        self.teach(row.teaches)
        if self.in_block and row.teaches == "signoff":
            self.in_block = False
            return ["END"]
        return lines

    def rest(self) -> list[str]:
        """What is still to be said at the end of the mail."""
        joins, self.joins = self.joins, None
        return [f"JOIN {joins}"] if joins else []

    def recipients(self, to: str, end: str) -> str:
        """The recipients of press, whose letters are read as the classic judge did in a mail of its style only. ``end``: the
        line that closes the press."""
        old_end = bool(_END_OLD.match(end))
        if old_end:
            self.teach("endpress")
        if not (old_end or self.signed_on):
            return to
        names = _recipients(to)
        if names != to and len(names) > 1:
            self.teach("press-letters")
        return names

    def _row(self, line: str) -> tuple[Row | None, re.Match[str] | None]:
        if len(line) > _LONGEST or not _FIRST.match(line):
            return None, None
        plain = " ".join(line.split()).strip(" >*_.!;,")
        for row, pattern in _COMPILED:
            found = pattern.fullmatch(plain)
            if found is not None and (row.known or parse(line, outside=not self.games) is None):
                return row, found
        return None, None
