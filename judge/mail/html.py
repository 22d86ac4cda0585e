"""HTML to lines as a reader sees them, each marked with what the mail program says it is: quote, signature, hidden.

A loop over the tree, not a recursion, with bounds on nodes and text. Which words are the player's is decided in
``ownwords``; here only the structure speaks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: nodes that are looked at; a result mail sent back in a quote has about 5,000
MAX_NODES = 40_000
#: lines that are made
MAX_LINES = 3_000
#: characters of HTML that are read (mail programs cut at a quarter of it)
MAX_HTML = 400_000

#: ``quote``: the program's own quote container. ``indent``: a bare blockquote, which people also use to indent.
#: ``attribution``: the line above a quote. ``head``: from here on everything is quoted, without any container.
Mark = Literal["", "quote", "indent", "attribution", "head", "signature", "hidden", "struck"]


@dataclass(frozen=True, slots=True)
class Line:
    """One visible line of a body and what the structure around it says."""

    text: str
    mark: Mark = ""


_BLOCKS = frozenset(
    """address article aside blockquote body br center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6
    header hr li main nav ol p pre section summary table tbody tfoot thead tr ul""".split()  # noqa: SIM905
)
_CELLS = frozenset({"td", "th"})
_SKIPPED = frozenset(
    """head script style title template object iframe svg math select textarea button audio video canvas -comment""".split()  # noqa: SIM905
)
_STRUCK = frozenset({"s", "strike", "del"})

_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|\Z)"
    r"|max-height\s*:\s*0(?:px)?\s*(?:;|\Z)|opacity\s*:\s*0\s*(?:;|\Z)"
    # beyond the edge of every screen
    r"|(?<![a-z-])(?:left|right|top|bottom|text-indent|margin-left)\s*:\s*-\d{3,}",
    re.IGNORECASE,
)
_STRUCK_STYLE = re.compile(r"text-decoration[a-z-]*\s*:[^;]*line-through", re.IGNORECASE)
#: a line down the left side, as programs draw it beside a quote
_BORDER_STYLE = re.compile(r"border-left(?:-width)?\s*:\s*(?!0|none|medium\s+none)[^;]*\d", re.IGNORECASE)
#: a rule of a style sheet for one class or id; those for printers, phones and the like are left out
_RULE_OF_STYLE = re.compile(
    r"(?:\A|(?<=[,{}\s]))[a-z0-9]{0,10}[.#]([\w-]{1,60})\s*(?:,[^{}]{0,200})?\{([^{}]{0,1000})\}", re.IGNORECASE
)
_MEDIA = re.compile(r"@[^{}]{0,200}\{(?:[^{}]{0,2000}\{[^{}]{0,2000}\}){0,200}[^{}]{0,200}\}")
#: characters of style sheets that are looked at
_MOST_STYLE = 40_000
_PRE_STYLE = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
#: class and id of what follows the typed text and has no container of its own
_HEAD = re.compile(
    r"(?:^|\s)(?:x_)*(?:divrplyfwdmsg|appendonsend|stopspelling|outlookmessageheader|zwchr|mail-editor-reference-message-"
    r"container|mailcontaineroriginal|replysplit|reply-intro-forward|lotusquote|olk_src_body_section)(?:\s|$)",
)
_ATTRIBUTION = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_attr|moz-cite-prefix|reply-intro|moz-email-headers-table|tutanota_attr)(?:\s|$)"
)
_QUOTE = re.compile(
    r"yahoo_quoted|isreplycontent|isforwardcontent|ntes-pcmail-quote|messagereplysection|history_container|includetail"
    r"|(?:^|\s)(?:x_)*(?:missive_quote|tutanota_quote|front-blockquote|replyblock|quoted-text|quotedtext|quote-wrapper"
    r"|mailquote|quote|protonmail_quote|zmail_extra|moz-forward-container|original-message|originalmessage|mail_quote|freebirdformreply)(?:\s|$)"
)
_SIGNATURE = re.compile(r"signature|(?:^|\s)(?:x_)*(?:sig|mobile-sig|mailsig)(?:\s|$)")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,40})[^>]*")
_ANY_TAG = re.compile(r"<[^>]*>?")
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|tr|li|h[1-6]|pre|blockquote|table)\b[^>]*>?", re.IGNORECASE)
_SKIPPED_TEXT = re.compile(r"<(?:script|style|title|head)\b[^>]*>[^<]*|<!--[^>]*", re.IGNORECASE)
#: elements that hold nothing, or that the next of their kind closes
_UNNESTED = frozenset(
    """area base br col embed hr img input link meta source track wbr p li dt dd tr td th option o:p tbody thead html head
    body""".split()  # noqa: SIM905
)
#: open elements inside each other, and characters of one tag; mail programs stay far below
MAX_NESTING = 400
MAX_TAG = 30_000
#: an arrow or a dash, as a picture may stand for one
_ARROW = re.compile(r"[-=~–—−‐‑>→⇒➔➜➙➝➞➡⟶»►▶]{1,4}\ufe0f?\Z")
_BLANKS = re.compile(r"[ \t\n\r\f\v\xa0\u2000-\u200a\u202f\u205f]+")


def html_lines(html: str) -> list[Line]:
    """The lines of an HTML body. Never raises; what lies beyond the bounds is not read."""
    text = html[:MAX_HTML].replace("\0", "")
    if not _fit_to_parse(text):
        return _bare_lines(text)
    tree = LexborHTMLParser(text)
    return _Walk(_styled(tree) if "<style" in text.lower() else {}).run(tree.root)


def _styled(tree: LexborHTMLParser) -> dict[str, str]:
    """Class or id -> what the style sheets say of it, if that hides it or strikes it out."""
    sheets = " ".join(node.text(deep=True) for node in tree.css("style")[:20])[:_MOST_STYLE]
    rules = _RULE_OF_STYLE.findall(_MEDIA.sub(" ", sheets))
    return {name.lower(): style for name, style in rules if _HIDDEN_STYLE.search(style) or _STRUCK_STYLE.search(style)}


def _fit_to_parse(html: str) -> bool:
    """Whether a browser's parser takes it in linear time: its work is quadratic in depth and in a tag's attributes."""
    depth = 0
    for tag in _TAG.finditer(html):
        if tag.end() - tag.start() > MAX_TAG:
            return False
        if tag[2].lower() not in _UNNESTED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            if depth > MAX_NESTING:
                return False
    return True


def _bare_lines(html: str) -> list[Line]:
    """The text between the tags: for HTML that no mail program writes."""
    text = _BREAKING_TAG.sub("\n", _SKIPPED_TEXT.sub(" ", html))
    return [Line(_BLANKS.sub(" ", line).strip()) for line in unescape(_ANY_TAG.sub("", text)).split("\n")]


class _Walk:
    """The state of one walk: where we are, in which containers, and the line being put together."""

    def __init__(self, styled: dict[str, str]) -> None:
        self.styled = styled
        self.lines: list[Line] = []
        self.pieces: list[tuple[Mark, str]] = []
        self.marks: list[Mark] = [""]
        self.pre = 0
        #: an item of a list has begun, and its words are to come: perhaps in a paragraph of their own
        self.item = False

    def run(self, root: LexborNode | None) -> list[Line]:
        opened: list[tuple[int, Mark, bool]] = []
        node, count = root, 0
        while node is not None and count < MAX_NODES and len(self.lines) < MAX_LINES:
            count += 1
            child = None
            if self._enter(node, opened):
                child = node.first_child
            if child is not None:
                node = child
                continue
            while node is not None:
                self._leave(node, opened)
                following = node.next
                if following is not None:
                    node = following
                    break
                node = node.parent
                if node is None or node.tag in ("-document", None):
                    node = None
        self._break()
        return self.lines

    def _enter(self, node: LexborNode, opened: list[tuple[int, Mark, bool]]) -> bool:
        """Take a node in; whether its children are to be walked."""
        tag = node.tag or ""
        if tag == "-text":
            self._text(node.text_content or "")
            return False
        if tag in _SKIPPED:
            return False
        attributes = node.attributes
        if tag == "img":
            self._picture(attributes)
            return False
        named = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('name') or ''}".lower()
        style = attributes.get("style") or ""
        if self.styled and named.strip():
            style = ";".join([style, *(self.styled[name] for name in named.split() if name in self.styled)])
        ends_a_line = bool(self.pieces)
        if tag in _BLOCKS:
            self._break()
        if tag == "br" or (tag == "hr" and not _HEAD.search(named)):
            # a break below a break is a blank line; one that ends a line is none
            if tag == "br" and not ends_a_line and self.lines and self.lines[-1].text:
                self.lines.append(Line("", self.marks[-1]))
            return False
        if _HEAD.search(named) and self.marks[-1] == "":
            self.lines.append(Line("", "head"))
        mark = self._mark(tag, named, style, attributes)
        if mark != self.marks[-1] or tag == "pre" or _PRE_STYLE.search(style):
            pre = tag == "pre" or bool(_PRE_STYLE.search(style))
            if node.first_child is not None:
                opened.append((node.mem_id, mark, pre))
                self.marks.append(mark)
                self.pre += pre
        self.item = self.item or tag == "li"
        return True

    def _picture(self, attributes: dict[str, str | None]) -> None:
        """Programs set emoji as pictures: an arrow between two provinces is one. Any other sign stands apart from the words
        beside it, and of a picture that nobody sees nothing is read."""
        sign = (attributes.get("alt") or "").strip()
        if not sign or len(sign) > 8 or any(c.isalnum() or c in "[]" for c in sign):
            return
        unseen = any((attributes.get(side) or "").strip().removesuffix("px") in ("0", "1") for side in ("width", "height"))
        if unseen or "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style") or ""):
            return
        self.pieces.append((self.marks[-1], sign if _ARROW.match(sign) else f" {sign} "))

    def _leave(self, node: LexborNode, opened: list[tuple[int, Mark, bool]]) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._break()
            self.item = self.item and tag != "li"
        elif tag in _CELLS:
            self.pieces.append((self.marks[-1], " "))
        if opened and opened[-1][0] == node.mem_id:
            _, _, pre = opened.pop()
            self.marks.pop()
            self.pre -= pre

    def _mark(self, tag: str, named: str, style: str, attributes: dict[str, str | None]) -> Mark:
        """The mark inside a node: a hidden thing in a quote is hidden, everything else in a quote is quote."""
        outer = self.marks[-1]
        if outer == "hidden" or "hidden" in attributes or (style and _HIDDEN_STYLE.search(style)):
            return "hidden"
        if outer == "quote":
            return outer
        if tag == "blockquote":
            cited = (attributes.get("type") or "").lower() == "cite" or "cite" in attributes
            return "quote" if cited or "quote" in named or "reply" in named or _QUOTE.search(named) else "indent"
        if named.strip():
            if _QUOTE.search(named):
                return "quote"
            if _ATTRIBUTION.search(named):
                return "attribution"
            if _SIGNATURE.search(named) or "gmail_signature" in (attributes.get("data-smartmail") or ""):
                return "signature"
        if tag in ("div", "table", "td") and outer == "" and style and _BORDER_STYLE.search(style):
            return "indent"
        if tag in _STRUCK or (style and _STRUCK_STYLE.search(style)):
            return "struck" if outer == "" else outer
        return outer

    def _text(self, text: str) -> None:
        if self.item and text.strip():
            self.item = False
            self.pieces.append((self.marks[-1], "- "))
        if not self.pre:
            self.pieces.append((self.marks[-1], _BLANKS.sub(" ", text)))
            return
        first, *rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.pieces.append((self.marks[-1], first))
        for line in rest:
            self._break(always=True)
            self.pieces.append((self.marks[-1], line))

    def _break(self, always: bool = False) -> None:
        """End the line; pieces with different marks become lines of their own."""
        if not self.pieces:
            if always:
                self.lines.append(Line("", self.marks[-1]))
            return
        texts: dict[Mark, list[str]] = {}
        for mark, text in self.pieces:
            texts.setdefault(mark, []).append(text)
        self.pieces = []
        for mark, words in texts.items():
            whole = _BLANKS.sub(" ", "".join(words)) if not self.pre else "".join(words)
            if whole.strip() or len(texts) == 1:
                self.lines.append(Line(whole.strip() if whole.strip() not in ("--", "-") else "-- ", mark))
