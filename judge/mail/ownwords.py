"""Which lines of a body the player typed: a verdict a line, with its reason, so that a person can check it.

The head of a quote is found by the judge's own reply address or name, which works in every language; by the marks and
containers of mail programs; by stretches of mails that the judge itself sent; and last by words (``wordings``). Where a
line is dropped for a reason that could be wrong, the verdict says so (``sure`` is false): if it reads as an order, the
player is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from judge.mail.html import Line
from judge.mail.probablequotes import BIDI, GROUPWISE, broken_off, header_shape, indented_below, oddly_marked, perhaps_head
from judge.mail.quotemarks import add_odd_marks, bare, quoted_lines, take_names_off
from judge.mail.sentmail import Cover, SentMails, line_key, order_like
from judge.mail.verdicts import OwnNames, Verdict
from judge.mail.wordings import (
    BARE_SEPARATOR,
    BEGIN_FORWARDED,
    DISCLAIMER,
    END_SEPARATOR,
    FOOTER,
    GREETING,
    HEADER_LINE,
    SEPARATOR,
    has_moment,
    says_wrote,
)

#: lines of one body that are looked at
MAX_LINES = 2000
#: characters of one body that are looked at
MAX_CHARACTERS = 150_000
#: lines that are compared with the wordings of disclaimers, which is slow; people type fewer
MAX_DISCLAIMER_LINES = 300
#: places in one body that are looked at as heads of quotes; an honest mail has a few. What follows is not trusted
MAX_EFFORT = 300
#: characters of a line that are looked at for heads and footers
_LOOK = 300

#: the verdicts of lines that begin a quote
_HEADS = ("head", "header-block", "separator")
_RULE = re.compile(r"\s*(?:[_=*~\-–—─━+#・〜～]\s?){8,}\s*\Z")
#: ``---- words of any language ----``
_FRAMED = re.compile(r"\s*(?:(?:[-_=*—–─━]\s?){5,}+|[-_=*—–─━]{2,}+\s?\S.{0,60}?\s?[-_=*—–─━]{2,}+)\s*\Z")
_SIGNATURE = re.compile(r"-- ?\Z")
_WEAK_SIGNATURE = re.compile(r"(?:—|–|__|--+|~~+|\*\*\*?|==+|－－|ーー)\s*\Z")
_PGP_BEGIN = re.compile(r"-----BEGIN PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*\Z")
_PGP_END = re.compile(r"-----END PGP (SIGNATURE|MESSAGE|PUBLIC KEY BLOCK)-----\s*\Z")


@dataclass(slots=True)
class _Body:
    """The lines of one body and what was found out about each."""

    lines: list[Line]
    texts: list[str]
    quoted: list[bool]
    ours: list[bool]
    whole_end: int
    own: OwnNames
    cover: Cover
    #: whether anything is known of what we sent
    known: bool
    #: lines that are perhaps quoted
    perhaps: set[int]

    def next_content(self, i: int) -> int | None:
        """The next line after ``i`` with something on it that is not an attribution."""
        for j in range(i + 1, min(len(self.lines), i + 12)):
            shown = line_key(self.texts[j]) or (self.quoted[j] and self.lines[j].text.strip())
            if shown and self.lines[j].mark != "attribution":
                return j
        return None

    def quote_follows(self, i: int) -> bool:
        """Whether the next content after line ``i`` carries quote marks."""
        j = self.next_content(i)
        return j is not None and (self.quoted[j] or self.lines[j].mark in ("quote", "indent"))


def judge_lines(lines: Sequence[Line], own: OwnNames, sent: SentMails | None) -> list[Verdict]:
    """A verdict for each line of a body, in order."""
    count, room = 0, MAX_CHARACTERS
    while count < min(len(lines), MAX_LINES) and room > 0:
        room -= len(lines[count].text)
        count += 1
    body = _look(list(lines[:count]), own, sent)
    verdicts = _Judging(body).run()
    verdicts += [Verdict(line.text, False, "too-long", sure=False) for line in lines[count : count + 50]]
    return _trim_footers(verdicts)


def _look(lines: list[Line], own: OwnNames, sent: SentMails | None) -> _Body:
    texts = [BIDI.sub("", line.text[:2000]) for line in lines]
    quoted = [marked and not GROUPWISE.match(text) for marked, text in zip(quoted_lines(texts), texts, strict=True)]
    take_names_off(texts, own, sent, quoted)
    marked = [q or line.mark in ("quote", "indent") for q, line in zip(quoted, lines, strict=True)]
    cover = sent.cover(texts, marked) if sent is not None else Cover([False] * len(lines))
    add_odd_marks(texts, cover.ours, own, quoted)
    perhaps = oddly_marked(texts, quoted)
    perhaps.update(n for n, marked in enumerate(quoted) if not marked and broken_off(texts, quoted, cover.ours, n))
    return _Body(lines, texts, quoted, cover.ours, cover.whole_end, own, cover, sent is not None, perhaps)


class _Judging:
    """Walks down the lines; ``state`` says what the lines here belong to until something else begins."""

    def __init__(self, body: _Body) -> None:
        self.body = body
        self.verdicts: list[Verdict] = []
        self.state = ""
        self.below = False
        self.escaped = False
        #: the last head may be none, and what stands below it ends where nothing is set off by blanks any more
        self.unsure = self.set_off = False
        #: a typed line so far has the look of an order
        self.ordered = False
        #: below the last head stands nothing but our mail so far: else answers in it may be those that an older mail gave
        self.plain_quote = False
        #: the last head names the sender of this mail; the lines below such heads with the look of orders
        self.of_player = False
        self.older: set[int] = set()
        self.tested = 0
        self.effort = 0
        self.blocks: dict[int, str] = {}

    def run(self) -> list[Verdict]:
        i = 0
        while i < len(self.body.lines):
            if self.effort > MAX_EFFORT:
                i += self._add(i, False, "too-long", sure=False)
            else:
                i += self._step(i)
        if self.ordered:
            return self.verdicts
        if self.body.known and not any(self.body.ours) and not any(v.why in _HEADS for v in self.verdicts):
            # marked as quoted, but by no head and of no mail of ours
            marked = (n for n, v in enumerate(self.verdicts) if v.why == "quote-mark" and order_like(bare(v.text)))
            self.older.update(marked)
        # "here they are again": of what the sender wrote before, and quotes, an order may be meant
        return [
            Verdict(v.text, False, "own-mail", sure=False) if n in self.older else v for n, v in enumerate(self.verdicts)
        ]

    def _add(self, i: int, kept: bool, why: str, sure: bool = True) -> int:
        text = self.body.lines[i].text
        if self.of_player and why in ("quoted", "quote-mark", "quote-container"):
            found = HEADER_LINE.match(text[:_LOOK])
            if self.body.own.has_address(text) and (found is None or found["from"]):
                self.of_player = False  # here our mail begins, to which that one was an answer
            elif not self.body.ours[i] and order_like(bare(text)):
                self.older.add(i)
        if text.strip() and why not in ("ours", "answer"):
            self.plain_quote = why in _HEADS
        self.ordered = self.ordered or (kept and order_like(text))
        self.verdicts.append(Verdict(text[2:] if self.escaped and text.startswith("- ") else text, kept, why, sure))
        return 1

    def _step(self, i: int) -> int:
        """Judge line ``i`` (and more, if a head spans several); how many were judged."""
        body, line, text = self.body, self.body.lines[i], self.body.texts[i]
        if line.mark in ("quote", "hidden", "struck"):
            if line.mark == "quote":
                self.state = "" if self.state.startswith("signature") else self.state
            if line.mark == "quote" and i in body.cover.changed:
                return self._add(i, False, "changed", sure=False)
            names = {"quote": "quote-container", "hidden": "hidden", "struck": "struck"}
            return self._add(i, False, names[line.mark], sure=line.mark != "struck")
        if self.state in ("pgp", "encrypted"):
            done = _PGP_END.match(text)
            count = self._add(i, False, self.state)
            self.state = "" if done else self.state
            return count
        if body.quoted[i]:
            self.state = "" if self.state.startswith("signature") else self.state
            changed = i in body.cover.changed
            return self._add(i, False, "changed" if changed else "quote-mark", sure=not changed)
        if self.state == "cut" and not (self.set_off and text.strip() and not text[0].isspace()):
            return self._in_cut(i)
        self.state = "" if self.state == "cut" else self.state
        head = self._head(i)
        if head:
            return head
        if body.ours[i] or (i < body.whole_end and not line_key(text) and self._below_ours()):
            return self._add(i, False, "ours")
        if i in body.perhaps:
            return self._add(i, False, "perhaps-quote", sure=False)
        return self._typed(i)

    def _below_ours(self) -> bool:
        return next((v.why == "ours" for v in reversed(self.verdicts) if v.text.strip()), False)

    def _in_cut(self, i: int) -> int:
        """Below the head of an unmarked quote."""
        body = self.body
        if body.ours[i]:
            return self._add(i, False, "ours")
        if body.whole_end and i >= body.whole_end:
            # our whole mail stands above this line: what follows is new (people who answer below the quote)
            head = self._head(i)
            if head:
                return head
            self.state, self.below = "", True
            return self._typed(i)
        if i in body.cover.answers and self.plain_quote:
            return self._add(i, True, "answer")
        if i in body.cover.changed:
            return self._add(i, False, "changed", sure=False)
        if self.unsure:
            return self._add(i, False, "perhaps-quote", sure=False)
        inside = any(body.ours[i + 1 :]) and any(body.ours[:i])
        return self._add(i, False, "in-quote" if inside else "quoted", sure=not inside)

    def _head(self, i: int) -> int:
        """If a quote begins at line ``i``: judge its head, set what follows, and say how many lines that was."""
        body, line = self.body, self.body.lines[i]
        if line.mark == "head":
            self.state = "cut"
            self._look_for_writer(i, i + 8)
            return self._add(i, False, "separator")
        if line.mark == "attribution":
            self._look_for_writer(i, i + 1)
            if not body.quote_follows(i):
                self.state = "cut"
            return self._add(i, False, "head")
        text = body.texts[i][:_LOOK]
        if not text.strip():
            return 0
        if END_SEPARATOR.match(text):
            return self._add(i, False, "separator")
        if SEPARATOR.match(text) or BEGIN_FORWARDED.match(text) or GROUPWISE.match(text):
            return self._cut(i, 1, "separator")
        block = self._header_block(i) or header_shape(body.texts, i, body.own)
        if block:
            return self._cut(i, block, "header-block")
        span = self._attribution(i)
        if span:
            return self._cut(i, span, "head")
        if perhaps_head(text, body.own):
            return self._cut(i, 1, "head", unsure=True)
        if _RULE.match(text):
            below = body.next_content(i)
            if below is not None and (body.ours[below] or self._begins_quote(below)):
                return self._add(i, False, "separator")
        return 0

    def _begins_quote(self, i: int) -> bool:
        """Whether line ``i`` is the first of a quote or its head."""
        body, text = self.body, self.body.texts[i][:_LOOK]
        self.effort += 1
        return bool(
            body.quoted[i]
            or body.lines[i].mark in ("quote", "head", "attribution")
            or SEPARATOR.match(text)
            or BEGIN_FORWARDED.match(text)
            or self._header_block(i)
            or self._attribution(i)
        )

    def _look_for_writer(self, i: int, end: int) -> None:
        """Whether the quote whose head is in these lines was written by the sender of this mail."""
        head = self.body.texts[i:end]
        named = [text for text in head if (found := HEADER_LINE.match(text[:_LOOK])) is not None and found["from"]]
        self.of_player = any(self.body.own.has_player(text) for text in named[:1] or head[:4])

    def _cut(self, i: int, count: int, why: str, unsure: bool = False) -> int:
        self.unsure, self.set_off = unsure, unsure and indented_below(self.body.texts, i)
        self._look_for_writer(i, i + count if why == "head" else i + count + 8)
        for n in range(i, i + count):
            self._add(n, False, why)
        self.state = "" if why == "head" and self.body.quote_follows(i + count - 1) else "cut"
        return count

    def _header_block(self, i: int) -> int:
        """The number of lines of a quoted header block (From, Sent, To, Subject in any language) at line ``i``."""
        body = self.body
        start = i
        if _RULE.match(body.texts[i]) or _FRAMED.match(body.texts[i]) or BARE_SEPARATOR.match(body.texts[i][:_LOOK]):
            follows = body.next_content(i)
            if follows is None:
                return 0
            start = follows
        if not HEADER_LINE.match(body.texts[start][:_LOOK]):
            return 0
        self.effort += 1
        kinds: set[str] = set()
        ours = made = False
        last, blanks, j = start, 0, start
        while j < len(body.lines) and j < start + 14 and not body.quoted[j]:
            text = body.texts[j][:_LOOK]
            found = HEADER_LINE.match(text)
            if found:
                kinds.add(str(found.lastgroup if found.lastgroup != "value" else _role(found)))
                last, blanks = j, 0
                made = made or "@" in text or has_moment(text)
                ours = ours or body.own.has_address(text) or (kinds == {"from"} and body.own.has_name(text))
            elif not text.strip():
                blanks += 1
                if blanks > 1:
                    break
            elif blanks or not (body.own.has_address(text) or "@" in text):
                break  # a folded address may continue a line, nothing else does
            j += 1
        kinds.discard("other")
        # a program's block holds an address or a date; people type "To: the judge, From: France, Re: orders" too
        known = made and len(kinds) >= 3 and ("from" in kinds or "subject" in kinds)
        return last + 1 - i if known or (ours and len(kinds) >= 2) else 0

    def _attribution(self, i: int) -> int:
        """The number of lines of ``On ... wrote:`` in any language at line ``i``."""
        body = self.body
        first = unicodedata.normalize("NFKC", body.texts[i][:_LOOK])
        begins = (
            has_moment(first) or body.own.has_address(first) or body.own.has_name(first) or says_wrote(first) or "<" in first
        )
        if not begins or GREETING.match(first):
            return 0
        joined = ""
        for count in range(1, 5):
            n = i + count - 1
            if n >= len(body.lines) or body.quoted[n] or body.lines[n].mark not in ("", "attribution"):
                break
            text = unicodedata.normalize("NFKC", body.texts[n][:_LOOK]).strip()
            if not text:
                break
            joined = f"{joined} {text}".strip()
            if len(joined) > _LOOK:
                break
            if self._is_head(joined, n):
                return count + self._tail(n + 1)
        return 0

    def _tail(self, n: int) -> int:
        """1 if line ``n``, right below a head, still belongs to it (``news:...``): our address, then the quote."""
        body = self.body
        if n >= len(body.lines) or body.quoted[n] or body.lines[n].mark or not body.own.has_address(body.texts[n]):
            return 0
        return int(body.quote_follows(n))

    def _is_head(self, text: str, last: int) -> bool:
        body = self.body
        bare_end = text.rstrip("*_ \xa0")
        colon = bare_end.endswith(":")
        ours, named = body.own.has_address(text), body.own.has_name(text)
        follows = body.quote_follows(last)
        if not (ours or colon or named or follows):
            return False  # what is left to look for is slow
        self.effort += 1
        moment, wrote = has_moment(text), says_wrote(text)
        if ours:
            # our own address with a date, or before the text, is no sentence of a player
            bare = moment and len(re.findall(r"[^\W\d_]+", body.own.without(text))) <= 4
            ends = colon or bare_end.endswith((">", "-"))
            return bool(wrote or (ends and (moment or colon)) or (moment and (bare or follows)))
        if wrote and colon and (moment or "@" in text):
            return True
        if follows and (colon or wrote) and (moment or "@" in text or named):
            return True
        if named and moment and (colon or wrote):
            # a name and a time alone might be typed: our own mail must follow
            content = body.next_content(last)
            return content is not None and body.ours[content]
        return False

    def _typed(self, i: int) -> int:
        """A line that no quote claims: typed, or a signature, or what a program added."""
        line, text = self.body.lines[i], self.body.texts[i]
        stripped = text.strip()
        if line.mark == "signature":
            return self._add(i, False, "signature-container", sure=False)
        if line.mark == "indent":
            fate = self._indented(i)
            if fate != "typed":
                return self._add(i, False, fate, sure=fate == "quote-container")
        found = _PGP_BEGIN.match(stripped)
        if found:
            self.state = {"SIGNED MESSAGE": "pgp-head", "MESSAGE": "encrypted"}.get(found[1], "pgp")
            self.escaped = False
            return self._add(i, False, "encrypted" if found[1] == "MESSAGE" else "pgp")
        if self.state == "pgp-head":
            if not stripped:
                # from here to the signature, lines that begin with a dash have "- " before them (RFC 9580, 7.2)
                self.state, self.escaped = "", True
            return self._add(i, not stripped, "pgp" if stripped else "typed")
        if self.escaped and text.startswith("- "):
            text = text[2:]
            stripped = text.strip()
        if self.state.startswith("signature"):
            # some write below the signature that their program has set: if no order stands above, it is asked about
            sure = self.state == "signature" and (self.ordered or not order_like(text))
            return self._add(i, False, "signature", sure=sure)
        if _SIGNATURE.match(text) and not (text != "-- " and self._draws(i)):
            # without its blank it may be a line that somebody drew
            self.state = "signature" if text == "-- " else "signature-weak"
            return self._add(i, False, "signature")
        if self._disclaims(stripped) and self._closes(i):
            self.state = "signature-weak"
            return self._add(i, False, "disclaimer", sure=False)
        if _RULE.match(text) and self._rule_above_footer(i):
            self.state = "signature-weak"
            return self._add(i, False, "disclaimer")
        framed = self._framed_signature(i) if _RULE.match(text) else 0
        if framed:
            for n in range(i, i + framed):
                self._add(n, False, "signature", sure=False)
            return framed
        if _WEAK_SIGNATURE.match(stripped) and self._short_end(i):
            self.state = "signature-weak"
            return self._add(i, False, "signature")
        return self._add(i, True, "below-quote" if self.below else "typed")

    def _indented(self, i: int) -> str:
        """What a bare blockquote is: a quote, if our words or address stand in it or a head stands above it; else people's
        own indented text, if we know what we sent; else nobody can tell."""
        body = self.body
        if i in self.blocks:
            return self.blocks[i]
        end = i
        while end < len(body.lines) and (body.lines[end].mark == "indent" or not body.texts[end].strip()):
            end += 1
        above = next((v.why for v in reversed(self.verdicts) if v.text.strip()), "")
        quoted = above in ("head", "header-block", "separator", "ours", "quote-container", "quote-mark")
        quoted = quoted or any(body.ours[n] or body.own.has_address(body.texts[n]) for n in range(i, end))
        fate = "quote-container" if quoted else "typed" if any(body.ours) else "indented"
        self.blocks.update(dict.fromkeys(range(i, end), fate))
        return fate

    def _draws(self, i: int) -> bool:
        """Whether line ``i`` is a line that somebody drew above their orders, as none stands above it."""
        for n in range(i + 1, min(i + 12, len(self.body.texts))):
            if self.body.quoted[n] or HEADER_LINE.match(self.body.texts[n][:_LOOK]):
                return False
            if order_like(self.body.texts[n]):
                return not self.ordered
        return False

    def _disclaims(self, text: str) -> bool:
        self.tested += len(text) > 20
        return len(text) > 20 and self.tested <= MAX_DISCLAIMER_LINES and DISCLAIMER.match(text[:_LOOK]) is not None

    def _closes(self, i: int) -> bool:
        """Whether a disclaimer can begin here: something was typed before, or at least the line is a long sentence."""
        return any(v.kept and v.text.strip() for v in self.verdicts) or len(self.body.texts[i]) > 60

    def _rule_above_footer(self, i: int) -> bool:
        follows = self.body.next_content(i)
        return follows is not None and bool(
            DISCLAIMER.match(self.body.texts[follows].strip()[:_LOOK])
            or FOOTER.fullmatch(self.body.texts[follows].strip()[:200])
        )

    def _framed_signature(self, i: int) -> int:
        """The lines of a signature between two rules (Japanese business mail), if only a quote or nothing follows."""
        body = self.body
        end = next((j for j in range(i + 2, min(i + 10, len(body.lines))) if _RULE.match(body.texts[j])), None)
        if end is None or not any(v.kept and v.text.strip() for v in self.verdicts):
            return 0
        if any(order_like(body.texts[j]) for j in range(i + 1, end)):
            return 0
        rest = body.next_content(end)
        if rest is not None and not self._begins_quote(rest):
            return 0
        return end + 1 - i

    def _short_end(self, i: int) -> bool:
        """Whether few lines are left in this stretch, as below a signature's mark."""
        count = 0
        for j in range(i + 1, len(self.body.lines)):
            if self._begins_quote(j):
                break
            count += bool(self.body.texts[j].strip())
            if count > 6 or order_like(self.body.texts[j]):
                return False
        return count > 0 and any(v.kept and v.text.strip() for v in self.verdicts)


def _role(found: re.Match[str]) -> str:
    return next((name for name in ("from", "sent", "to", "cc", "subject", "other") if found[name] is not None), "other")


def _trim_footers(verdicts: list[Verdict]) -> list[Verdict]:
    """Footers of phones and programs: at the end of a typed stretch, going up as long as lines are footers."""
    out = list(verdicts)
    end_of_stretch = True
    for n in range(len(out) - 1, -1, -1):
        verdict = out[n]
        if not verdict.kept:
            end_of_stretch = True
        elif verdict.text.strip() and end_of_stretch:
            text = verdict.text.strip().strip("*_<>[]()").strip()
            if FOOTER.fullmatch(text[:200]) or (len(text) > 40 and DISCLAIMER.match(text[:_LOOK])):
                out[n] = Verdict(verdict.text, False, "footer", sure=False)
            else:
                end_of_stretch = False
    return out
