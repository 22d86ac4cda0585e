"""A mail's bytes to what a person said: who wrote, what sort of mail it is, and which lines they typed themselves.

Never raises on any bytes, and bounded in size, depth and time. It makes no decision about the game: a line here is text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

from judge.mail import sections
from judge.mail.automatic import away
from judge.mail.bodies import Bodies, TextAttachment, bodies_of
from judge.mail.commands import Command, opens_block, swallowed, take_blocks
from judge.mail.commands import parse as parse_command
from judge.mail.compare import merge
from judge.mail.failures import Bounced
from judge.mail.hashing import split_message
from judge.mail.kinds import Kind, Sorted, is_automatic, misleading_name, sort, strip_prefixes
from judge.mail.message_ids import ids_in
from judge.mail.mime import Message, parse
from judge.mail.notices import answer_line, notice_above, says_notice
from judge.mail.oldstyle import OldHand, without_passwords
from judge.mail.ownwords import judge_lines
from judge.mail.quotemarks import bare
from judge.mail.sections import Press, Sections
from judge.mail.sentmail import SentMails, order_like
from judge.mail.verdicts import OwnNames, Verdict

#: the door's limit in octets: larger mail is not read
DOOR_LIMIT = 10_000_000
#: octets of a mail that are looked at; pictures that mail programs send back lie behind the text
_LOOK = 4_000_000

#: typed lines among which the notice of a ticket desk is looked for
_NOTICE_LINES = 12
#: words of the orders below it
_ORDER_WORDS = 9


@dataclass(frozen=True)
class Incoming:
    """What a mail says.

    ``kind``: ``text`` is a person's mail; ``judge.mail.kinds.settle`` makes ``orders``, ``command``, ``press``,
    ``auto-reply`` or ``empty`` of it once its lines were read. ``why`` is the code of what decided.

    ``own_lines`` are the lines to read as orders and commands for this game: typed in the body, else in the subject or a
    text attachment (``orders_in``); press and other games' sections are out of it (``other_games``). ``press`` is
    all of it, that in another game's section, under a subject that is its heading and in text attachments too.
    ``blocks``: the commands that have lines of their own, with them. ``old``: what there is to teach of a mail in the
    classic judge's style, as codes of :mod:`judge.mail.oldstyle`.
    ``doubtful`` are lines that might be the player's: where the two forms of the mail differ, in what may be a quote or
    signature, in unclosed press. One that reads as an order is asked about, never taken.
    """

    kind: Kind
    why: str = ""
    sender: str | None = None
    sender_name: str = ""
    reply_to: str | None = None
    recipients: tuple[str, ...] = ()
    subject: str = ""
    subject_text: str = ""
    message_id: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    date: datetime | None = None
    player_text: str = ""
    own_lines: tuple[str, ...] = ()
    orders_in: str = ""
    verdicts: tuple[Verdict, ...] = ()
    doubtful: tuple[tuple[str, str], ...] = ()
    press: tuple[Press, ...] = ()
    blocks: tuple[Command, ...] = ()
    old: tuple[str, ...] = ()
    other_games: tuple[tuple[str, tuple[str, ...]], ...] = ()
    attachments: tuple[TextAttachment, ...] = ()
    unread_attachments: tuple[str, ...] = ()
    automatic: bool = False
    bounced: tuple[Bounced, ...] = ()
    complaint: str = ""
    faults: frozenset[str] = field(default_factory=frozenset)

    @property
    def lines(self) -> tuple[Verdict, ...]:
        """The lines the player typed, each with the reason why it was kept."""
        return tuple(v for v in self.verdicts if v.kept)

    @property
    def dropped(self) -> tuple[Verdict, ...]:
        """The lines that are not the player's, each with the reason."""
        return tuple(v for v in self.verdicts if not v.kept)


def read(
    raw: bytes,
    *,
    sent: Sequence[str],
    own_addresses: Sequence[str],
    domain: str,
    own_names: Sequence[str] = ("judge",),
    limit: int = DOOR_LIMIT,
    sender_judged: bool = False,
    power: str = "",
    arrived: datetime | None = None,
) -> Incoming:
    """Read a mail.

    :param sent: texts of mails that the judge sent to this player before, newest first.
    :param own_addresses: the judge's addresses in this game (``spring42@...``, with or without token).
    :param domain: the judge's domain: any address at it is the judge's own.
    :param own_names: names that mail programs show for the judge.
    :param sender_judged: the caller decides whose mail it is; else one with two senders is ``ignored``.
    :param power: whose signed address the mail came to, for mail in the classic judge's style; empty: nobody's.
    :param arrived: when it came, for days in such a mail that are written without a year.
    """
    if len(raw) > limit:
        return Incoming("too-large", "size")
    try:
        return _read(raw, sent, own_addresses, domain, own_names, sender_judged, power, arrived)
    except Exception as fault:
        # the promise to every caller: a mail can't make the judge fail. What happened stands in the result, and the raw
        # mail is kept by the store, so that a person can look.
        return Incoming("malformed", "internal", faults=frozenset({type(fault).__name__}))


def _read(
    raw: bytes,
    sent: Sequence[str],
    own_addresses: Sequence[str],
    domain: str,
    own_names: Sequence[str],
    sender_judged: bool,
    power: str,
    arrived: datetime | None,
) -> Incoming:
    message = parse(raw[:_LOOK])
    root = message.root
    subject = root.header("subject")[:1000]
    senders = _mailboxes(root.headers("from"))
    kind = sort(message, raw, subject, senders, sender_judged=sender_judged)
    reply_to = _mailboxes(root.headers("reply-to"))
    head = dict(
        sender=senders[0][1] if senders else None,
        sender_name=senders[0][0] if senders else "",
        reply_to=reply_to[0][1] if len(reply_to) == 1 else None,
        recipients=_recipients(message),
        subject=without_passwords(subject),
        message_id=next(iter(ids_in(root.header("message-id"), 1)), None),
        in_reply_to=next(iter(ids_in(root.header("in-reply-to"), 1)), None),
        references=ids_in(root.header("references")),
        date=_date(root.header("date")),
        bounced=kind.bounced,
        complaint=kind.complaint,
        faults=frozenset(message.faults),
    )
    if message.faults & {"no-headers", "too-deep"}:
        return Incoming("malformed", min(message.faults), **head)  # type: ignore[arg-type]
    if kind.kind != "text":
        return Incoming(kind.kind, kind.why, **head)  # type: ignore[arg-type]
    names = OwnNames(
        [*own_addresses, *_named_recipients(message, domain)],
        domain,
        [*own_names, *_own_display_names(message, own_addresses, domain)],
        head["sender"],  # type: ignore[arg-type]
    )
    own_games = [a.partition("@")[0].partition("+")[0] for a in own_addresses if not a.lower().startswith("judge@")]
    if misleading_name(senders):
        message.faults.add("misleading-name")
    hand = OldHand(own_games, power, arrived)
    words = _own_words(message, subject, names, sent, kind, hand)
    if answer_line(str(words["player_text"]).splitlines()) is not None:
        return Incoming("auto-reply", "ticket", **head)  # type: ignore[arg-type]
    if kind.machine and not _by_a_person(words, kind):
        return Incoming("auto-reply", kind.why, **head)  # type: ignore[arg-type]
    return Incoming("text", kind.why, **{**head, **words})  # type: ignore[arg-type]


def _by_a_person(words: Mapping[str, Any], kind: Sorted) -> bool:
    """Whether somebody wrote a mail whose subject is a machine's: there are orders in it and no note of absence, or it
    answers such a mail and says something for the judge."""
    lines = [*words["own_lines"], *(line for line, why in words["doubtful"] if why == "notice")]
    if any(map(order_like, lines)) and words["orders_in"] != "subject":
        return kind.machine == "reply" or not away("\n".join(words["own_lines"]))
    said = words["press"] or words["blocks"] or words["old"] or any(parse_command(line) for line in lines)
    return kind.machine == "reply" and bool(said)


def _own_words(
    message: Message, subject: str, names: OwnNames, sent: Sequence[str], kind: Sorted, hand: OldHand
) -> dict[str, object]:
    """The fields of ``Incoming`` that tell what was typed."""
    own_games = hand.games
    known = SentMails(sent) if sent else None
    bodies: Bodies = bodies_of(message)
    plain = judge_lines(bodies.plain, names, known)
    verdicts = plain
    differing: list[str] = []
    if bodies.html is not None:
        verdicts, differing = merge(plain, judge_lines(bodies.html, names, known))
    text = "\n".join(_typed(verdicts))
    subject_text, replied, forwarded = strip_prefixes(subject)
    verdicts, desk = _without_echo(verdicts, subject_text, kind)
    typed = _typed(verdicts)
    subject_line = _subject_line(subject_text, own_games) if not forwarded else ""
    # of an answer to a mail with such a subject it is no heading any more
    opens = subject_line and not replied and opens_block(subject_line, typed, outside=not own_games)
    if subject_line and not replied and (sections.heads(subject_line, typed) or opens):
        parts: Sections = sections.split([subject_line, *typed], own_games, hand)
        subject_line = ""
    else:
        parts = sections.split(typed, own_games, hand)
    blocks, parts.lines = take_blocks(parts.lines, outside=not own_games)
    parts.lines = [_without_game(line, own_games) for line in parts.lines]
    beside = _attached(bodies.attachments, hand, parts, blocks)
    lines, orders_in = list(parts.lines), "body"
    if not any(order_like(line) for line in lines):
        elsewhere = {name: found for name, found in beside.others.items() if any(map(order_like, found))}
        parts.others = {**elsewhere, **parts.others}
        if any(order_like(line) for line in beside.lines):
            lines, orders_in = lines + beside.lines, "attachment"
        elif _says_something(subject_line, outside=not own_games) and not (
            replied and known is not None and known.holds(subject_text)
        ):
            lines, orders_in = [*lines, subject_line], "subject"
    doubtful = [
        (bare(v.text) if v.why in ("changed", "own-mail") else v.text, v.why)
        for v in verdicts
        if not v.kept and not v.sure and v.text.strip()
    ]
    doubtful += [(line, "differs") for line in differing]
    doubtful += [(line, "unclosed-press") for line in parts.unclosed]
    doubtful += [(line, "unclosed-block") for line in swallowed(blocks) if order_like(line)]
    quoted = any(v.why in ("head", "header-block", "separator") for v in verdicts)
    doubtful = [(without_passwords(line), why) for line, why in doubtful]
    # a mail that is nothing but small print was written by nobody: a list, a filter
    small_print = "\n".join(v.text for v in verdicts if v.why in ("disclaimer", "footer")) if not text.strip() else ""
    return {
        "subject_text": subject_text,
        "player_text": "\n".join(typed),
        "own_lines": tuple(lines),
        "orders_in": orders_in,
        "verdicts": tuple(verdicts),
        "doubtful": tuple(doubtful),
        "press": tuple(parts.press),
        "blocks": tuple(blocks),
        "old": tuple(hand.taught),
        "other_games": tuple((name, tuple(found)) for name, found in parts.others.items()),
        "attachments": tuple(bodies.attachments),
        "unread_attachments": (*bodies.unread, *(() if text.strip() else bodies.beside)),
        "automatic": desk or is_automatic(kind, subject, text or small_print, quoted),
        "faults": frozenset(message.faults | bodies.faults),
    }


def _attached(files: Sequence[TextAttachment], hand: OldHand, parts: Sections, blocks: list[Command]) -> Sections:
    """What the text attachments say, each for itself. Their press joins that of the body (``parts``), their commands with
    lines of their own its ``blocks``; the same once more is the same: some programs attach what they show."""
    beside = Sections()
    known = {(one.to, one.text, one.game) for one in parts.press}
    for file in files:
        hand.begins()
        found = sections.split(file.lines, hand.games, hand)
        in_file, found.lines = take_blocks(found.lines)
        blocks += [one for one in in_file if one not in blocks]
        beside.lines += found.lines
        for name, lines in found.others.items():
            beside.others.setdefault(name, []).extend(lines)
        new = [one for one in found.press if (one.to, one.text, one.game) not in known]
        known |= {(one.to, one.text, one.game) for one in new}
        parts.press += new
        for one in new:
            if one.game:
                parts.others.setdefault(one.game, [])
            elif not one.ended:
                parts.unclosed += [line for line in one.text.splitlines() if line.strip()]
    return beside


def _typed(verdicts: Sequence[Verdict]) -> list[str]:
    return _trim([v.text.strip("\ufeff") for v in verdicts if v.kept])


def _without_echo(verdicts: Sequence[Verdict], subject: str, kind: Sorted) -> tuple[list[Verdict], bool]:
    """The lines of a mail without the copy of ours below the notice of a machine, and whether there is such a notice. Where
    orders stand above it, a person wrote them, and all stays but what is below the line above which a desk wants its
    answer."""
    kept = [n for n, v in enumerate(verdicts) if v.kept and v.text.strip()]
    texts = [verdicts[n].text for n in kept]
    # a line of prose has the look of an order as well
    short = (place for place, text in enumerate(texts) if order_like(text) and len(text.split()) <= _ORDER_WORDS)
    first = next((place for place in short if not says_notice(texts[place])), None)
    says = next((place for place, text in enumerate(texts) if sections.heading(text) or parse_command(text)), len(texts))
    above = texts[: min(_NOTICE_LINES, says, len(texts) if first is None else first)]
    # a header, or the address of a desk, smells of one; a person's subject may as well be a machine's
    known = kind.automatic and kind.machine != "reply"
    at = notice_above(above, subject, known=known) if above and first is not None else None
    if at is not None:
        return _dropped(verdicts, kept[at], "echo" if kind.automatic and not kind.machine else "notice"), True
    if kind.machine == "subject" and first is not None:
        return _dropped(verdicts, 0, "notice"), False
    line = answer_line(texts)
    if line is not None and min(says, line if first is None else first) < line:
        cut = kept[line]
        return [
            *verdicts[:cut],
            *(Verdict(v.text, False, "echo", sure=False) if v.kept else v for v in verdicts[cut:]),
        ], False
    return list(verdicts), False


def _dropped(verdicts: Sequence[Verdict], at: int, why: str) -> list[Verdict]:
    """All lines, but those with the look of orders from ``at`` on taken out."""
    return [
        Verdict(v.text, False, why, sure=False) if n >= at and v.kept and order_like(v.text) else v
        for n, v in enumerate(verdicts)
    ]


def _without_game(line: str, games: Sequence[str]) -> str:
    """A line without the game's name where it is a label: a game called ``spring42`` is no turn of the game."""
    for name in games:
        if name and name.lower() in line.lower():
            if re.search(r"\d", name):
                line = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])\s*[:,]?\s*", "", line, flags=re.IGNORECASE)
            else:
                line = re.sub(rf"\A\W*{re.escape(name)}\s*[:,]\s*", "", line, flags=re.IGNORECASE)
    return line


def _subject_line(subject: str, own_games: Sequence[str]) -> str:
    """What of a subject may be an order or a command: without the game's name and tags."""
    text = re.sub(r"\[[^\]]{0,60}\]", " ", subject).strip()
    for name in own_games:
        if name:
            text = re.sub(
                rf"\A(?:game\s+)?{re.escape(name)}\b\s*(?:orders?)?\s*[:：,\-–—]?\s*", "", text, flags=re.IGNORECASE
            )
    return re.sub(r"\A(?:my\s+)?orders?\s*[:：]\s*", "", text, flags=re.IGNORECASE).strip()


def _says_something(subject: str, *, outside: bool) -> bool:
    return bool(subject) and (order_like(subject) or parse_command(subject, outside=outside) is not None)


def _trim(lines: list[str]) -> list[str]:
    """Without blank lines at both ends, and without runs of them."""
    out: list[str] = []
    for line in lines:
        if line.strip() or (out and out[-1].strip()):
            out.append(line.rstrip())
    while out and not out[-1].strip():
        out.pop()
    return out


def _mailboxes(values: Sequence[str]) -> list[tuple[str, str]]:
    """(name, address) of each mailbox in these headers; addresses lower case, nonsense left out."""
    found = []
    try:
        pairs = getaddresses([value[:2000] for value in values[:5]])[:20]
    except (RecursionError, IndexError, ValueError):
        pairs = []
    for name, address in pairs:
        one = address.strip().lower()
        if "@" in one and len(one) <= 254 and not re.search(r"[\s<>,;]", one):
            found.append((name.strip(), one))
    if not found:
        for value in values[:5]:
            hit = re.search(r"[^\s<>\",;:]{1,64}@[^\s<>\",;:]{1,255}", value[:2000])
            if hit:
                found.append(("", hit[0].lower()))
    return found


def _recipients(message: Message) -> tuple[str, ...]:
    root = message.root
    values = [v for name in ("delivered-to", "x-original-to", "envelope-to", "to", "cc") for v in root.headers(name)]
    return tuple(dict.fromkeys(address for _, address in _mailboxes(values[:5]) + _mailboxes(values[5:10])))


def _named_recipients(message: Message, domain: str) -> list[str]:
    return [a for a in _recipients(message) if domain and a.endswith(f"@{domain.lower()}")]


def _own_display_names(message: Message, own_addresses: Sequence[str], domain: str) -> list[str]:
    """The name that the player's program shows for us: it heads the quote, in any language."""
    ours = {a.lower() for a in own_addresses}
    return [
        name[:60]
        for name, address in _mailboxes(message.root.headers("to"))
        if len(name) >= 3 and (address in ours or (domain and address.endswith(f"@{domain.lower()}")))
    ]


def _date(text: str) -> datetime | None:
    """The Date header in UTC, if it is one within reason."""
    try:
        found = parsedate_to_datetime(text[:100])
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def date_of(raw: bytes) -> datetime | None:
    """The Date of a mail in UTC, if it is one within reason. Never raises."""
    return _date(parse(split_message(raw)[0] + b"\r\n\r\n").root.header("date"))


def recipients(raw: bytes) -> tuple[str, ...]:
    """The addresses that a mail names as its recipients, lower case; those of its delivery first. Never raises."""
    return _recipients(parse(split_message(raw)[0] + b"\r\n\r\n"))
