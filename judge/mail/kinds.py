"""What sort of mail this is: a person's, or one of the machines that answer mail. Those are never read as orders.

Some machines say so in a header (RFC 3834, 3464, 8098, 5965), many only by their wording. Headers decide at once; wording
counts only for a mail in which no order and no command was found (``settle``), as people write about holidays too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from judge.mail.automatic import CHALLENGE, RECEIVED, STRONG_SUBJECT, WEAK_SUBJECT, asks, away
from judge.mail.failures import Bounced, failed
from judge.mail.mime import Message
from judge.mail.notices import assures

Kind = Literal["text", "auto-reply", "bounce", "empty", "too-large", "malformed", "ignored"]
FinalKind = Literal["orders", "command", "press", "auto-reply", "bounce", "empty", "too-large", "malformed", "ignored"]

_BOUNCER = re.compile(
    r"\A(?:mailer-?daemon|postmaster|mail\.?daemon|mdaemon|mail-?delivery.*|bounce[s-]?.*|noreply-dmarc.*)\Z", re.IGNORECASE
)
#: nobody is called so; but anybody may write such a From
_DAEMON = re.compile(r"\Amail(?:er)?[-.]?daemon\Z", re.IGNORECASE)
_BOUNCE_SUBJECT = re.compile(
    r"undeliver(?:ed|able)|delivery (?:status notification|failure|has failed|report|notification|problem"
    r"|incomplete|delayed)|failure notice|returned mail"
    r"|mail delivery (?:failed|failure|system|subsystem)|message (?:could not be|undeliverable|not delivered)"
    r"|nondeliverable|non.?delivery|returned to sender"
    r"|delayed mail|warning: (?:message|could not)|could not be delivered|mail system error|rejected(?: mail"
    r"| posting)?:|unzustellbar|nicht zugestellt|unzustellbarkeit"
    r"|non remis|échec de (?:la )?remise|non distribu|no se puede entregar|no entregado|devuelto|falha na entrega"
    r"|não entregue|mancato recapito|non recapitabile"
    r"|onbestelbaar|kan inte levereras|kunne ikke leveres|niedoręczon|недоставлен|не доставлен|配信不能"
    r"|配信できません|配送不能|送信エラー|送信できません"
    r"|配信遅延|不達|退信|投递(?:失败|延迟)|無法傳遞|无法投递|系统退信|반송|전송 실패",
    re.IGNORECASE,
)
#: what is looked at of a text for these words, and for the code of a failure
_FAILURE_LOOK = 3_000
_FAILURE_CODE = re.compile(r"(?<![\d.])[45]\.\d\.\d{1,2}(?![\d.])|(?<![\d.#-])5[0-5]\d[ -](?!\d)")
_DESK_ADDRESS = re.compile(
    r"no-?reply|do-?not-?reply|auto-?(?:reply|respon)|support|help-?desk|service-?desk|ticket|abuse", re.IGNORECASE
)
#: a tag, unless an address stands in it
_TAG = re.compile(r"<[^<>@]{0,2000}>")
_SHOWN_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
#: a person's sentence that began like a machine's subject: "Out of office, but here you are"
_GOES_ON = re.compile(
    r"\s*(?:[,，、]\s*\w|(?:but|so|therefore|here|my|orders?|aber|also|daher|trotzdem|mais|donc|voici|pero|aquí|ma|però|ecco)\b)",
    re.IGNORECASE,
)
_REPLY_PREFIX = re.compile(
    r"\A(?:re|aw|wg|antw|antwort|sv|vs|rv|res|rif|r|odp|ynt|vá|回复|回覆|答复|答覆|返信|회신|답장|отв|отг|atb"
    r"|ref)\s*(?:\[\d+\])?\s*[:：]\s*",
    re.IGNORECASE,
)
_FORWARD_PREFIX = re.compile(
    r"\A(?:fwd?|wg|tr|rv|enc|i|fs|vb|pd|转发|轉寄|转寄|転送|전달|пересл|doorst|vl|továbbítás|ilt"
    r"|vidarebefordrat)\s*[:：]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sorted:
    """The kind by structure and headers. ``why`` is a code for the log and ``judge read --explain``.

    ``automatic``: the headers or the subject smell of a machine, but not enough to drop orders for it; ``by_subject``: the
    subject alone, which people write too. ``machine``: the subject is one that machines alone write (``subject``), or an
    answer to such a mail (``reply``): its text decides.
    """

    kind: Kind
    why: str = ""
    automatic: bool = False
    by_subject: bool = False
    bounced: tuple[Bounced, ...] = ()
    complaint: str = ""
    machine: Literal["", "subject", "reply"] = ""


def strip_prefixes(subject: str) -> tuple[str, bool, bool]:
    """A subject without ``Re: AW: Fwd:`` in any mix; whether there was a reply prefix, and a forward prefix."""
    text, replied, forwarded = subject.strip(), False, False
    for _ in range(20):
        forward = _FORWARD_PREFIX.match(text)
        reply = _REPLY_PREFIX.match(text)
        found = reply or forward
        if found is None:
            break
        replied, forwarded = replied or reply is not None, forwarded or (forward is not None and reply is None)
        forwarded = forwarded or (forward is not None and found is not None and text[:2].lower() in ("wg", "rv"))
        text = text[found.end() :].strip()
    return text, replied, forwarded


def sort(
    message: Message, raw: bytes, subject: str, senders: list[tuple[str, str]], *, sender_judged: bool = False
) -> Sorted:
    """The kind of a parsed mail as far as its structure and headers tell it.

    :param senders: (name, address) of every mailbox in every From line.
    :param sender_judged: the caller decides whose mail it is: two senders are not its fault here.
    """
    root = message.root
    parts = message.walk()
    types = {part.type for part in parts}
    report = root.params.get("report-type", "").lower() if root.type == "multipart/report" else ""
    null_path = any(value.strip() in (b"<>", b"") for name, value in root.fields if name == "return-path")
    local = senders[0][1].rpartition("@")[0] if senders else ""
    if "message/feedback-report" in types or report == "feedback-report":
        return Sorted("ignored", "complaint", complaint=_complaint(message))
    if report == "disposition-notification" or "message/disposition-notification" in types:
        return Sorted("auto-reply", "read-receipt")
    by_name = bool(_BOUNCER.match(local)) and (null_path or bool(_BOUNCE_SUBJECT.search(subject)))
    daemon = bool(_DAEMON.match(local))
    by_name = by_name or (daemon and _tells_of_failure(message))
    if report == "delivery-status" or types & {"message/delivery-status", "message/global-delivery-status"}:
        return Sorted("bounce", "delivery-status", bounced=_bounced(message, raw, subject))
    if root.header("x-failed-recipients") or by_name or (null_path and _BOUNCE_SUBJECT.search(subject)):
        return Sorted("bounce", "bounce-wording", bounced=_bounced(message, raw, subject))
    method = next(
        (p.params.get("method", "").lower() or _method(p.content(20_000)) for p in parts if p.type == "text/calendar"), ""
    )
    if method in ("reply", "counter", "declinecounter", "refresh") or root.type == "text/calendar":
        return Sorted("ignored", "calendar")
    if "text/vnd.google.email-reaction+json" in types or root.header("x-ms-reactions"):
        return Sorted("ignored", "reaction")
    why = _automatic_headers(message, null_path)
    if why:
        return Sorted("auto-reply", why)
    if not sender_judged and _forged(message, senders):
        return Sorted("ignored", "forged-sender")
    bare, replied, _ = strip_prefixes(subject)
    found = STRONG_SUBJECT.match(bare) or STRONG_SUBJECT.match(subject)
    if found:
        # people answer such mails, and write orders under such words
        by_person = replied or _GOES_ON.match(found.string[found.end() :])
        return Sorted("text", "subject", automatic=True, machine="reply" if by_person else "subject")
    by_headers = bool(method or daemon or _weak_headers(message) or _DESK_ADDRESS.match(local))
    by_subject = WEAK_SUBJECT.match(bare) is not None
    return Sorted("text", automatic=by_headers or by_subject, by_subject=by_subject and not by_headers)


def _tells_of_failure(message: Message) -> bool:
    """Whether the words of a mail, or a code in them, are those of a mail that came back."""
    text = _first_text(message)[:_FAILURE_LOOK]
    return _BOUNCE_SUBJECT.search(text) is not None or _FAILURE_CODE.search(text) is not None


def settle(kind: Kind, *, automatic: bool, orders: bool, commands: bool, own_text: bool) -> FinalKind:
    """The last word on the kind, once the lines were read.

    :param orders: a line was an order, or one with a fault that a person would mend.
    :param automatic: a machine by its wording.
    """
    if kind != "text":
        return kind
    if orders:
        return "orders"
    if commands:
        return "command"
    if automatic:
        return "auto-reply"
    return "press" if own_text else "empty"


def is_automatic(found: Sorted, subject: str, text: str, quoted: bool) -> bool:
    """Whether a mail is a machine's by its headers, subject and words: an absence note, a receipt of a ticket, the question
    of a mail guard. A subject, or a word of absence, is not enough where something is asked: people are away too.

    :param text: its own words.
    :param quoted: the mail quotes ours under an ordinary head, as people's programs do and absence notes seldom: such a note
        has to go on as theirs do.
    """
    if found.automatic and not found.by_subject:
        return True
    start = text[:3000]
    if CHALLENGE.search(subject) or CHALLENGE.search(start) or RECEIVED.search(start):
        return True
    signs = found.by_subject + (away(start) and (not quoted or assures(start)))
    return signs > (1 if asks(start) else 0)


def _automatic_headers(message: Message, null_path: bool) -> str:
    root = message.root
    # RFC 3834, 5: parameters and comments may follow
    stated = root.header("auto-submitted").partition(";")[0].partition("(")[0].strip().lower()
    if stated and stated != "no":
        return "auto-submitted"
    for name in (
        "x-autoreply", "x-autorespond", "x-auto-reply", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply",
         "auto-reply",
        "x-autogenerated", "x-fc-machinegenerated", "x-vacation", "x-away", "x-ms-exchange-inbox-rules-loop",
         "x-challenge-response",
        "x-tmda-confirm", "x-boxbe-challenge", "x-otrs-loop", "x-rt-loop-prevention", "x-zammad-auto-response",
         "x-hipchat-auto",
    ):  # fmt: skip
        value = root.header(name).strip().lower()
        if any(found == name for found, _ in root.fields) and value not in ("no", "false", "0"):
            return name
    if (
        "autoresponder" in root.header("x-post-messageclass").lower()
        or "autoresponder" in root.header("delivered-to").lower()
    ):
        return "autoresponder"
    if root.header("precedence").strip().lower() in ("auto_reply", "auto-reply", "autoreply"):
        return "precedence"
    if any(name in root.header("x-ms-exchange-generated-message-source").lower() for name in ("rules", "oof", "agent")):
        return "exchange-agent"
    if null_path and not root.header("list-id"):
        # RFC 3834, 3.3: the null path is how machines answer; no person's program sends so
        return "null-return-path"
    return ""


def _weak_headers(message: Message) -> bool:
    root = message.root
    listed = any(name.startswith("list-") for name, _ in root.fields)
    bulk = root.header("precedence").strip().lower() in ("bulk", "junk")
    tickets = (
        "x-zendesk",
        "x-jira",
        "x-rt-ticket",
        "x-freshdesk",
        "x-ticket",
        "x-helpscout",
        "x-github",
        "x-zammad",
        "x-otrs",
        "x-kayako",
        "x-salesforce",
    )
    return (bulk and not listed) or any(name.startswith(tickets) for name, _ in root.fields)


def _forged(message: Message, senders: list[tuple[str, str]]) -> bool:
    """Two senders in one mail: programs show one and check the other."""
    lines = sum(name == "from" for name, _ in message.root.fields)
    return len({address for _, address in senders}) > 1 or lines > 1


def misleading_name(senders: list[tuple[str, str]]) -> bool:
    """Whether a display name shows another address than the mail comes from (a trick, or a forwarding service)."""
    shown = [(one, address) for name, address in senders for one in _SHOWN_ADDRESS.findall(name[:300])]
    return any(one.lower() != address for one, address in shown)


def _method(data: bytes) -> str:
    found = re.search(rb"^METHOD[^:\r\n]{0,40}:([A-Za-z]{1,20})", data, re.MULTILINE | re.IGNORECASE)
    return found[1].decode().lower() if found else ""


def _complaint(message: Message) -> str:
    """Who complained (RFC 5965): the recipient named in the report, else in the mail it returns."""
    for part in message.walk():
        if part.type == "message/feedback-report":
            found = re.search(r"^Original-Rcpt-To:\s*<?([^\s<>]+@[^\s<>]+)", part.text(20_000), re.MULTILINE | re.IGNORECASE)
            if found:
                return found[1].lower()
    for part in message.walk():
        if part.type in ("message/rfc822", "text/rfc822-headers"):
            found = re.search(
                r"^To:.{0,200}?([^\s<>\",]{1,64}@[^\s<>\",]{1,255})", part.text(20_000), re.MULTILINE | re.IGNORECASE
            )
            if found:
                return found[1].lower()
    return ""


def _bounced(message: Message, raw: bytes, subject: str) -> tuple[Bounced, ...]:
    """Whom a bounce tells of, by its report or its words."""
    return failed(message, raw, f"{subject}\n{_first_text(message)}")


def _first_text(message: Message) -> str:
    """The text of the first part, of HTML without its tags."""
    first = message.root if not message.root.children else next((p for p in message.walk() if not p.children), message.root)
    text = first.text(20_000)
    return _TAG.sub(" ", text) if first.type == "text/html" else text
