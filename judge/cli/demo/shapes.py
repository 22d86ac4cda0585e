"""Mails as mail programs make them: one function a program, its headers, its way to quote, its charsets and encodings.

The structures are those of real programs. None of them writes what the judge writes, so that the whole way from a player's
keyboard to an order is played.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from html import escape
from types import MappingProxyType

CRLF = "\r\n"


@dataclass(frozen=True, slots=True)
class Quoted:
    """The judge's mail that is answered, as the player's program quotes it."""

    name: str
    address: str
    date: datetime
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Typed:
    """What a player typed and whom to, before their program makes a mail of it. ``date`` is in the player's own zone."""

    name: str
    address: str
    to_name: str
    to_address: str
    subject: str
    message_id: str
    date: datetime
    lines: tuple[str, ...]
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    quoted: Quoted | None = None


Shape = Callable[[Typed], bytes]

# ---- small parts -----------------------------------------------------------------------------------------------------


def _words(text: str, charset: str = "utf-8") -> str:
    """A header's text: as it is, or in encoded words; in UTF-8 if the program's charset cannot hold it."""
    if text.isascii():
        return text
    try:
        return Header(text, charset, maxlinelen=70).encode(linesep=CRLF)
    except UnicodeEncodeError:
        return Header(text, "utf-8", maxlinelen=70).encode(linesep=CRLF)


def _mailbox(name: str, address: str, charset: str = "utf-8") -> str:
    shown = f'"{name}"' if name.isascii() and not name.replace(" ", "").isalnum() else _words(name, charset)
    return f"{shown} <{address}>" if name else address


def _head(typed: Typed, more: Sequence[tuple[str, str]], charset: str = "utf-8") -> str:
    """The headers that every mail has, then the program's own."""
    fields = [
        ("From", _mailbox(typed.name, typed.address, charset)),
        ("To", _mailbox(typed.to_name, typed.to_address, charset)),
        ("Subject", _words(typed.subject, charset)),
        ("Date", format_datetime(typed.date)),
        ("Message-ID", typed.message_id),
    ]
    if typed.in_reply_to:
        fields.append(("In-Reply-To", typed.in_reply_to))
    if typed.references:
        fields.append(("References", (CRLF + " ").join(typed.references)))
    fields += [*more, ("MIME-Version", "1.0")]
    return "".join(f"{name}: {value}{CRLF}" for name, value in fields)


def _coded(text: str, charset: str, encoding: str) -> tuple[bytes, str]:
    """A body in its charset and encoding; a program whose charset cannot hold the text takes UTF-8, as real ones do."""
    try:
        raw = text.replace("\n", CRLF).encode(charset)
    except UnicodeEncodeError:
        charset, raw = "utf-8", text.replace("\n", CRLF).encode()
        encoding = "quoted-printable" if encoding == "7bit" else encoding
    if encoding == "base64":
        raw = base64.encodebytes(raw).replace(b"\n", b"\r\n")
    elif encoding == "quoted-printable":
        lines = (quopri.encodestring(line.encode(charset)) for line in text.split("\n"))
        raw = b"\r\n".join(line.replace(b"\n", b"\r\n") for line in lines)
    return raw, charset


def _part(kind: str, text: str, charset: str, encoding: str, parameters: str = "") -> bytes:
    """A text part with its own two headers."""
    raw, used = _coded(text, charset, encoding)
    if used != charset and encoding == "7bit":
        encoding = "quoted-printable"
    head = f"Content-Type: {kind}; charset={used.upper()}{parameters}{CRLF}Content-Transfer-Encoding: {encoding}{CRLF}{CRLF}"
    return head.encode() + raw


def _alternative(head: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    mark = f"--{boundary}".encode()
    top = f'{head}Content-Type: multipart/alternative; boundary="{boundary}"{CRLF}{CRLF}'.encode()
    return top + b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + mark + b"--\r\n"


def _boundary(typed: Typed, form: str) -> str:
    """A boundary in a program's form; the Message-ID makes it the mail's own."""
    return form.format("".join(c for c in typed.message_id if c.isalnum())[:24])


def _marked(text: str, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() if line else mark.rstrip() for line in text.rstrip("\n").split("\n"))


def _html_lines(text: str) -> str:
    return "<br>\r\n".join(escape(line, quote=False) for line in text.rstrip("\n").split("\n"))


def _own(typed: Typed) -> str:
    return "\n".join(typed.lines)


def _english(date: datetime) -> str:
    """``Mon, Mar 2, 2026 at 8:00 PM`` whatever the machine's locale."""
    return f"{_DAYS[date.weekday()][:3]}, {_MONTHS[date.month - 1][:3]} {date.day}, {date.year} at {_twelve(date)}"


def _twelve(date: datetime) -> str:
    return f"{(date.hour + 11) % 12 + 1}:{date.minute:02} {'AM' if date.hour < 12 else 'PM'}"


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

# ---- the programs ----------------------------------------------------------------------------------------------------


def gmail(typed: Typed) -> bytes:
    """Gmail's web page: text and HTML, the answer above the quote, both quoted-printable."""
    text, html = _own(typed), f'<div dir="ltr">{_html_lines(_own(typed))}</div>'
    if typed.quoted:
        q = typed.quoted
        when = _english(q.date).replace(" PM", "\u202fPM").replace(" AM", "\u202fAM")
        text += f"\n\nOn {when} {q.name} <\n{q.address}> wrote:\n\n{_marked(q.text)}\n"
        html += (
            '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
            f'On {when} {escape(q.name)} &lt;<a href="mailto:{q.address}">{q.address}</a>&gt; wrote:<br></div>'
            '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
            'border-left:1px solid rgb(204,204,204);padding-left:1ex">'
            f"{_html_lines(q.text)}</blockquote></div>"
        )
    parts = [
        _part("text/plain", text + "\n", "utf-8", "quoted-printable"),
        _part("text/html", html + "\n", "utf-8", "quoted-printable"),
    ]
    return _alternative(_head(typed, ()), _boundary(typed, "000000000000{}"), parts)


def outlook(typed: Typed) -> bytes:
    """Outlook on Windows: text and HTML in base64, every line a paragraph, the answered mail's header block as quote."""
    paragraph = '<p class="MsoNormal"><span style="font-size:11.0pt">{}<o:p></o:p></span></p>'
    text = _own(typed)
    html = CRLF.join(paragraph.format(escape(line, quote=False) or "&nbsp;") for line in typed.lines)
    if typed.quoted:
        q = typed.quoted
        sent = f"{_DAYS[q.date.weekday()]}, {_MONTHS[q.date.month - 1]} {q.date.day}, {q.date.year} {_twelve(q.date)}"
        block = (("From", f"{q.name} <{q.address}>"), ("Sent", sent), ("To", typed.name), ("Subject", q.subject))
        text += "\n\n" + "\n".join(f"{name}: {value}" for name, value in block) + f"\n\n{q.text}"
        rows = "<br>".join(f"<b>{name}:</b> {escape(value)}" for name, value in block)
        html += (
            '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
            f'<p class="MsoNormal">{rows}<o:p></o:p></p></div>'
        )
        html += CRLF.join(paragraph.format(escape(line, quote=False) or "&nbsp;") for line in q.text.split("\n"))
    page = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name="Generator" content="Microsoft Word 15'
        ' (filtered medium)"><style><!--\r\np.MsoNormal {margin:0cm; font-size:11.0pt;}\r\n--></style></head>'
        f'<body lang="EN-GB"><div class="WordSection1">{html}</div></body></html>'
    )
    parts = [_part("text/plain", text, "utf-8", "base64"), _part("text/html", page, "utf-8", "base64")]
    head = _head(typed, (("Thread-Topic", _words(typed.subject)), ("Accept-Language", "en-GB"), ("X-MS-Has-Attach", "")))
    return _alternative(head, _boundary(typed, "_000_{}_"), parts)


def outlook_plain(typed: Typed) -> bytes:
    """Outlook as plain text in German, Latin-1: the answered mail under "Ursprüngliche Nachricht"."""
    text = _own(typed)
    if typed.quoted:
        q = typed.quoted
        text += (
            f"\n\n\n-----Ursprüngliche Nachricht-----\nVon: {q.name} <{q.address}>\nGesendet: {q.date:%d.%m.%Y %H:%M}\n"
            f"An: {typed.name} <{typed.address}>\nBetreff: {q.subject}\n\n{q.text}"
        )
    head = _head(typed, (("X-Mailer", "Microsoft Outlook 16.0"), ("Content-Language", "de-DE")), "iso-8859-1")
    return head.encode() + _part("text/plain", text, "iso-8859-1", "quoted-printable")


def thunderbird(typed: Typed) -> bytes:
    """Thunderbird: one flowed text, the answer under the quote, a signature."""
    lines = [_stuffed(line) for line in typed.lines]
    text = "\n".join([*lines, "", "-- ", typed.name])
    if typed.quoted:
        q = typed.quoted
        text = f"On {q.date:%d/%m/%Y %H:%M}, {q.name} wrote:\n{_marked(q.text)}\n\n{text}"
    head = _head(typed, (("User-Agent", "Mozilla Thunderbird"), ("Content-Language", "en-US")))
    return head.encode() + _part("text/plain", text, "utf-8", "8bit", "; format=flowed")


def _stuffed(line: str) -> str:
    """A line of a flowed text (RFC 3676): long ones are broken after a blank, some get a blank before them."""
    broken: list[str] = []
    rest = line.rstrip()
    while len(rest) > 72 and " " in rest[:72]:
        cut = rest.rindex(" ", 0, 72) + 1
        broken.append(rest[:cut])
        rest = rest[cut:]
    return "\n".join(f" {one}" if one.startswith((" ", ">", "From ")) else one for one in [*broken, rest])


def apple_mail(typed: Typed) -> bytes:
    """Apple Mail: text and HTML, quoted-printable, the quote's heading itself quoted."""
    text = _own(typed)
    html = "".join(f"<div>{escape(line, quote=False) or '<br>'}</div>" for line in typed.lines)
    if typed.quoted:
        q = typed.quoted
        when = f"{q.date.day} {_MONTHS[q.date.month - 1][:3]} {q.date.year}, at {q.date:%H:%M}"
        text += f"\n\n> On {when}, {q.name} <{q.address}> wrote:\n> \n{_marked(q.text)}\n"
        html += (
            f'<div><br><blockquote type="cite"><div>On {when}, {escape(q.name)} &lt;{q.address}&gt; wrote:</div><br'
            f' class="Apple-interchange-newline"><div><div>{_html_lines(q.text)}</div></div></blockquote></div><br>'
        )
    meta = '<meta http-equiv="content-type" content="text/html; charset=utf-8">'
    page = f"<html><head>{meta}</head><body>{html}</body></html>"
    parts = [
        _part("text/plain", text, "utf-8", "quoted-printable"),
        _part("text/html", page, "utf-8", "quoted-printable"),
    ]
    head = _head(typed, (("X-Mailer", "Apple Mail (2.3826.600.51.1.1)"),))
    return _alternative(head, _boundary(typed, "Apple-Mail=_{}"), parts)


def iphone(typed: Typed) -> bytes:
    """A telephone: plain text with its own signature, then the quote."""
    text = _own(typed) + "\n\nSent from my iPhone\n"
    if typed.quoted:
        q = typed.quoted
        when = _english(q.date).partition(", ")[2].replace(" at ", ", at ")
        text += f"\n> On {when}, {q.name} <{q.address}> wrote:\n> \n> \ufeff{_marked(q.text)[2:]}\n"
    head = _head(typed, (("X-Mailer", "iPhone Mail (22F76)"),))
    return head.encode() + _part("text/plain", text, "utf-8", "quoted-printable")


def mutt(typed: Typed) -> bytes:
    """Mutt: ASCII if it can be, the quote first, the answer below, a signature."""
    text = f"{_own(typed)}\n\n-- \n{typed.name}\n"
    if typed.quoted:
        q = typed.quoted
        text = f"* {q.name} <{q.address}> [{q.date:%Y-%m-%d %H:%M}]:\n{_marked(q.text)}\n\n{text}"
    head = _head(typed, (("User-Agent", "Mutt/2.2.13 (2024-03-09)"), ("Content-Disposition", "inline")))
    return head.encode() + _part("text/plain", text, "us-ascii", "7bit")


def hotmail(typed: Typed) -> bytes:
    """A web page that sends HTML alone."""
    html = f"<div dir='ltr'>{_html_lines(_own(typed))}<br>"
    if typed.quoted:
        q = typed.quoted
        html += (
            f'<br><div><hr id="stopSpelling">From: {q.address}<br>To: {typed.address}<br>Subject: {escape(q.subject)}<br>'
            f"Date: {format_datetime(q.date)}<br><br><pre>{escape(q.text, quote=False)}</pre></div>"
        )
    style = "<style><!--\n.hmmessage P\n{\nmargin:0px;\n}\n--></style>"
    page = f"<html>\n<head>\n{style}</head>\n<body class='hmmessage'>{html}</div></body>\n</html>"
    return _head(typed, (("Importance", "Normal"),)).encode() + _part("text/html", page, "windows-1252", "quoted-printable")


def becky(typed: Typed) -> bytes:
    """Becky! in Japanese: ISO-2022-JP, the answered mail under "元のメッセージ"."""
    text = _own(typed)
    if typed.quoted:
        q = typed.quoted
        text += (
            f"\n\n----- 元のメッセージ -----\n差出人: {q.name} <{q.address}>\n宛先: {typed.address}\n"
            f"送信日時: {q.date.year}年{q.date.month}月{q.date.day}日 {q.date:%H:%M}\n件名: {q.subject}\n\n{q.text}"
        )
    head = _head(typed, (("X-Mailer", "Becky! ver. 2.76.00 [ja]"),), "iso-2022-jp")
    return head.encode() + _part("text/plain", text, "iso-2022-jp", "7bit")


def foxmail(typed: Typed) -> bytes:
    """Foxmail in Chinese: GB18030 in base64, text and HTML."""
    text = _own(typed)
    html = "".join(f"<div><span></span>{escape(line, quote=False) or '<br>'}</div>" for line in typed.lines)
    if typed.quoted:
        q = typed.quoted
        block = (("发件人", q.name), ("发送时间", f"{q.date:%Y-%m-%d %H:%M}"), ("收件人", typed.name), ("主题", q.subject))
        text += f"\n \n\n\n{typed.address}\n \n" + "\n".join(f"{k}： {v}" for k, v in block) + f"\n{q.text}"
        rows = "".join(f"<div><b>{name}：</b>&nbsp;{escape(value)}</div>" for name, value in block)
        quote = "".join(f"<div>{escape(line, quote=False) or '<br>'}</div>" for line in q.text.split("\n"))
        html += (
            f'<div><br></div><hr style="width: 210px; height: 1px;" align="left">\n<div>{typed.address}</div>\n'
            f'<blockquote style="margin-Top: 0px; margin-Left: 0.5em"><div>&nbsp;</div>{rows}{quote}</blockquote>'
        )
    page = f"<html><head></head><body>\n{html}\n</body></html>"
    parts = [_part("text/plain", text, "gb18030", "base64"), _part("text/html", page, "gb18030", "quoted-printable")]
    head = _head(typed, (("X-Mailer", "Foxmail 7.2.25.375[cn]"),))
    return _alternative(head, _boundary(typed, "----=_001_NextPart{}_=----"), parts)


def bare(typed: Typed) -> bytes:
    """A mail that answers nothing: the address typed by hand, UTF-8 as it is, no quote."""
    fresh = Typed(typed.name, typed.address, "", typed.to_address, typed.subject, typed.message_id, typed.date, typed.lines)
    return _head(fresh, (("X-Mailer", "The Bat! (v9.5.2)"),)).encode() + _part("text/plain", _own(typed), "utf-8", "8bit")


#: name of a program -> how it makes a mail
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "Gmail": gmail,
        "Outlook": outlook,
        "Outlook (text)": outlook_plain,
        "Thunderbird": thunderbird,
        "Apple Mail": apple_mail,
        "iPhone": iphone,
        "Mutt": mutt,
        "Hotmail": hotmail,
        "Becky!": becky,
        "Foxmail": foxmail,
        "The Bat!": bare,
    }
)


def out_of_office(typed: Typed) -> bytes:
    """What a mailbox says by itself while its owner is away."""
    head = _head(typed, (("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All"), ("Precedence", "bulk")))
    return head.encode() + _part("text/plain", _own(typed), "us-ascii", "quoted-printable")
