"""The text that a mail shows, in both its forms, and the text files attached to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.mail.html import Line, html_lines
from judge.mail.mime import Message, Part
from judge.mail.smime import signed_content

#: characters of an attached text that are read: orders of a whole game fit many times
MAX_ATTACHMENT = 50_000
_TEXT_NAME = re.compile(r"\.(?:txt|text|md|log|ord|orders)\Z|\A[^.]*\Z", re.IGNORECASE)
_SIGNATURES = ("application/pgp", "application/pkcs7", "application/x-pkcs7")
#: what a phone shares without a name
_DOCUMENTS = frozenset({"application/pdf", "application/rtf", "application/msword", "audio/mpeg", "audio/mp4", "audio/aac"})
_PARAMETER = re.compile(r"<param>[^<]{0,200}</param>", re.IGNORECASE)
_EXCERPT = re.compile(r"<excerpt>(.{0,50000}?)</excerpt>", re.IGNORECASE | re.DOTALL)
_ENRICHED = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,40}>")


@dataclass(frozen=True, slots=True)
class TextAttachment:
    """A text file that came with the mail."""

    filename: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class Bodies:
    """The lines of both forms. ``html`` is ``None`` where the mail has but one form, which is then ``plain``."""

    plain: list[Line] = field(default_factory=list)
    html: list[Line] | None = None
    attachments: list[TextAttachment] = field(default_factory=list)
    #: files that may hold words and are not read
    unread: list[str] = field(default_factory=list)
    #: pictures, and the same text in the form of some programs (``winmail.dat``): missed only where there is no text
    beside: list[str] = field(default_factory=list)
    faults: set[str] = field(default_factory=set)


def bodies_of(message: Message) -> Bodies:
    """What there is to read in a mail."""
    bodies = Bodies()
    two_forms = any(part.type == "multipart/alternative" for part in message.walk())
    bodies.plain = _lines(message.root, "plain", bodies)
    if two_forms:
        quiet = Bodies()
        bodies.html = _lines(message.root, "html", quiet)
        if bodies.html == bodies.plain:
            bodies.html = None
    return bodies


def _lines(part: Part, form: str, bodies: Bodies) -> list[Line]:
    """The lines of a part in the wanted form; recursion is bounded by ``MAX_DEPTH`` of the parser."""
    kind = part.type
    if kind == "multipart/alternative":
        chosen = _choose(part.children, form)
        return [] if chosen is None else _lines(chosen, form, bodies)
    if kind in ("multipart/related", "multipart/signed"):
        return _lines(part.children[0], form, bodies) if part.children else []
    if kind == "multipart/encrypted":
        bodies.faults.add("encrypted")
        return []
    if kind in ("multipart/report", "multipart/digest") and part.children:
        return _lines(part.children[0], form, bodies) if kind == "multipart/report" else []
    if kind.startswith("multipart/"):
        lines: list[Line] = []
        for child in part.children:
            more = _lines(child, form, bodies)
            # each part begins on a line of its own
            lines += [Line(""), *more] if lines and more else more
        return lines
    return _leaf(part, bodies)


def _leaf(part: Part, bodies: Bodies) -> list[Line]:
    kind = part.type
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        inner = signed_content(part.content())
        if inner is None:
            bodies.faults.add("encrypted")
            return []
        return _lines(inner, "plain", bodies)
    attached = part.disposition == "attachment" or bool(part.filename and part.disposition != "inline")
    named_text = bool(part.filename and _TEXT_NAME.search(part.filename))
    if attached or not kind.startswith("text/"):
        if (kind in ("text/plain", "text/markdown") and (named_text or not part.filename)) or (
            kind in ("application/octet-stream", "text/plain") and part.filename.lower().endswith(".txt")
        ):
            lines = part.text(MAX_ATTACHMENT).split("\n")
            bodies.attachments.append(TextAttachment(part.filename, tuple(line.strip("\ufeff") for line in lines)))
        else:
            _note_unread(part, bodies)
        return []
    if kind == "text/html":
        return html_lines(part.text())
    if kind in ("text/enriched", "text/richtext"):
        return [Line(line) for line in _enriched(part.text()).split("\n")]
    if kind in (
        "text/calendar",
        "text/x-amp-html",
        "text/vcard",
        "text/x-vcard",
        "text/rfc822-headers",
        "text/css",
    ):
        return []
    if kind == "text/rtf":
        bodies.beside.append(part.filename[:100] or kind)
        return []
    lines = part.text().split("\n")
    if part.params.get("format", "").lower() == "flowed":
        lines = unflow(lines, part.params.get("delsp", "").lower() == "yes")
    return [Line(line) for line in lines]


def _enriched(text: str) -> str:
    """The words of ``text/enriched`` (RFC 1896): a single line end is a blank there, and ``<<`` is a ``<``."""
    text = _EXCERPT.sub(_quoted, text)
    bare = _ENRICHED.sub("", _PARAMETER.sub("", text.replace("<<", "\0"))).replace("\0", "<")
    return re.sub(r"(?<!\n)\n(?!\n)", " ", bare.replace("\r\n", "\n")) if "\n\n" in bare else bare


def _quoted(excerpt: re.Match[str]) -> str:
    """An ``excerpt`` with the quote mark before each of its lines, each of which ends in two line ends there."""
    return "\n\n" + "\n".join("> " + line if line.strip() else line for line in excerpt[1].strip().split("\n")) + "\n\n"


def _note_unread(part: Part, bodies: Bodies) -> None:
    """Remember a part that is not read, so that its sender can be told.

    Rich text of Outlook (TNEF) is among them: the readers that exist are not kept up, and the mail servers that send it
    to strangers put the text beside it.
    """
    name = part.filename[:100]
    if part.type in ("application/ms-tnef", "application/vnd.ms-tnef") or name.lower() == "winmail.dat":
        bodies.beside.append(name or "winmail.dat")
    elif part.type.startswith("image/"):
        bodies.beside.append(name or part.type)
    elif name and not part.type.startswith(_SIGNATURES):
        bodies.unread.append(name)
    elif part.type in _DOCUMENTS:
        bodies.unread.append(part.type)


def _choose(children: list[Part], form: str) -> Part | None:
    """The alternative that holds the wanted form; else the last that can be read at all."""
    for child in reversed(children):
        if f"text/{form}" in _types(child):
            return child
    for child in reversed(children):
        if any(t.startswith("text/") and t != "text/calendar" and t != "text/x-amp-html" for t in _types(child)):
            return child
    return children[-1] if children else None


def _types(part: Part) -> set[str]:
    found, todo = set(), [part]
    while todo:
        one = todo.pop()
        if one.disposition != "attachment":
            found.add(one.type)
        todo += one.children
    return found


def unflow(lines: list[str], delete_space: bool) -> list[str]:
    """``format=flowed`` (RFC 3676) put back together: soft breaks joined, space-stuffing removed, quotes kept as such."""
    out: list[list[str]] = []
    open_depth: int | None = None
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:]
        text = text[1:] if text.startswith(" ") else text
        soft = text.endswith(" ") and text != "-- "
        body = text[:-1] if soft and delete_space else text
        if open_depth == depth and out and text != "-- ":
            out[-1].append(body)
        else:
            out.append([">" * depth + " " if depth else "", body])
        open_depth = depth if soft else None
    return ["".join(pieces) for pieces in out]
