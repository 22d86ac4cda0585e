"""Mails of ours that came back or were refused: whom they did not reach, for good or only late, and why, as a status code.

Codes are those of RFC 3463 (``5.1.1``). Most servers give one; of the others the nearest is found by their words. Nothing
else of what a foreign server wrote goes further than this module.
"""

from __future__ import annotations

import email
import email.policy
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge.mail.mime import Message

#: of a bounce, what the detectors see: their work is more than linear, and what they look for stands above our own mail
_DETECTOR_BYTES = 20_000
_DETECTOR_LINES = 400
#: and of a line; bounces are written in short ones
_DETECTOR_LINE = 400
#: of the words of one, what is looked through for a reason
_LOOK = 6_000
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Bounced:
    """An address that our mail did not reach (empty: the bounce names none). ``permanent``: the address is refused for good.
    ``late``: it is still tried; a mail that is not late is lost. ``status``: why, a code of RFC 3463 (``5.0.0`` or
    ``4.0.0`` if nothing is known)."""

    address: str
    permanent: bool
    late: bool = False
    status: str = ""


_ENHANCED = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)")
_REPLY = re.compile(r"(?<![\d.#-])([45])([0-5]\d)(?=[ -](?!\d))")
#: second and third figure of a code by the words of servers that give none; the first that fits. What is between two words
#: is bounded everywhere, and blanks are single ones (:func:`_plain`): no text takes more time than its length
_REASONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (code, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for code, pattern in (
        (
            "2.2",
            r"(?:mailbox|inbox|account|user|quota|space).{0,30}\b(?:is|was)?\s?(?:full|exceed|over)|over\s*quota|quota\s+exceeded"
            r"|exceed.{0,36}(?:quota|storage|space)|insufficient\s+(?:system\s+)?storage|no\s+space\s+left|(?:postfach|mailbox)"
            r".{0,20}\bvoll|boîte.{0,50}\bpleine|buz[oó]n.{0,50}\blleno|caixa.{0,50}\bcheia|casella.{0,50}\bpiena"
            r"|(?:ящик|квота).{0,30}(?:переполнен|превыш)|容量(?:が|を)?(?:超|オーバー|不足|已满|已滿)|(?:邮箱|郵箱|信箱|空间|空間)"
            r".{0,8}(?:已满|已滿|满了|不足|超)|満杯|一杯",
        ),
        (
            "2.1",
            r"(?:account|mailbox|user|address).{0,40}\b(?:disabled|inactive|suspended|closed|locked|deactivated|expired)\b"
            r"|(?:账号|帐号|帳號|邮箱|郵箱).{0,8}(?:停用|冻结|凍結|锁定|禁用|注销)|停止されて|利用停止",
        ),
        (
            "1.2",
            r"(?:host|domain)(?:\s+name)?.{0,30}\b(?:unknown|not\s+found|(?:does\s+not|doesn['’]t)\s+exist|unresolv|invalid)"
            r"|(?:unknown|no\s+such|unrouteable|bad)\s+(?:host|domain)|nxdomain|(?:no|null)\s+mx\b|name\s+service\s+error"
            r"|couldn['’]?t\s+find\s+any\s+host|域名.{0,8}(?:不存在|错误|無效|无效)|ドメイン.{0,10}(?:見つか|存在し)",
        ),
        (
            "1.1",
            r"(?:user|mailbox|recipient|account|address|addressee|alias).{0,60}\b(?:unknown|not\s+(?:be\s+)?found|not\s+exist|no\s+longer"
            r"|rejected|invalid|not\s+known|unavailable|undeliverable)|(?:does\s+not|doesn['’]t|don['’]t)\s+(?:have|exist)"
            r"|(?:unknown|no\s+such|invalid|bad|unrouteable|nonexistent)\s+(?:\w{1,20}\s+)?(?:user|mailbox|recipient|address|account|addressee)"
            r"|no\s+mailbox\s+(?:here|by|with)|recipnotfound|(?:empfänger|benutzer|adresse).{0,40}(?:unbekannt|nicht\s+gefunden"
            r"|existiert\s+nicht)|(?:destinataire|utilisateur|adresse).{0,40}(?:inconnu|introuvable|n['’]existe)"
            r"|(?:destinatario|usuario|direcci[oó]n).{0,40}(?:desconocid|no\s+existe|no\s+se\s+encontr)|(?:destinat[áa]rio|utente"
            r"|usu[áa]rio|indirizzo|endereço).{0,40}(?:sconosciut|inesistent|não\s+existe|não\s+encontrad|non\s+(?:esiste|trovat))"
            r"|(?:пользовател|получател|адрес|ящик).{0,40}(?:не\s*найден|не\s+существует|неизвест)"
            r"|(?:宛先|ユーザー?|受信者|アドレス|メールボックス).{0,24}(?:不明|存在し|見つか|間違|ありません)|(?:用户|用戶|收件人|邮箱|郵箱|地址|帐号|账号|信箱)"
            r".{0,16}(?:不存在|未找到|找不到|无效|無效|错误|錯誤)|(?:不存在|无效|無此)的?(?:用户|收件人|邮箱|地址|使用者)",
        ),
        ("4.7", r"timed?[\s-]*out|too\s+long|expired|retry\s+time|giving\s+up|gave\s+up|期限切れ|超时|逾時"),
        (
            "4.1",
            r"connection\s+(?:refused|failed)|could\s*n[o']t\s+connect|no\s+route|unreachable|接続でき|连接失败|連線失敗",
        ),
        ("3.4", r"too\s+(?:large|big)|size\s+(?:limit|exceed)|exceed.{0,26}size|サイズ.{0,10}(?:超|大き)|邮件.{0,6}过大"),
        (
            "7.1",
            r"\bspam|black\s*list|block\s*(?:list|ed)|reputation|policy|not\s+(?:authori[sz]ed|permitted|allowed)|relay(?:ing)?\s+"
            r"(?:access\s+)?denied|access\s+denied|rejected|greylist|拒否|拒绝|拒絕|垃圾邮件|迷惑",
        ),
    )
)
#: a mail that is still tried
_LATE = re.compile(
    r"\bdelay(?:ed)?\b|still\s+(?:be\s+)?(?:trying|retried|retrying|attempt)|will\s+(?:keep|continue)\s+(?:on\s+)?(?:to\s+)?(?:try|attempt|be\s+tried|retry)"
    r"|will\s+be\s+re-?tried|(?:not|need\s+not|no\s+need\s+to)\s+(?:\w{1,20}\s+){0,3}re-?send|warning\s+(?:message\s+)?only|has\s+not\s+(?:yet\s+)?been\s+delivered"
    r"|(?:verzögert|verspätet)|weiterhin\s+versucht|nicht\s+erneut\s+(?:zu\s+)?senden|retardé|retard\s+de|nouvelles?\s+tentatives?"
    r"|retrasad|seguir[áa]\s+intentando|atrasad|continuar[áa]\s+tentando|ritardat|ulteriori\s+tentativi|vertraagd"
    r"|задержан|повторн\w{1,9}\s+попыт|遅延|再送を(?:試|続)|再試行(?:を続|中|します)|延迟|延遲|继续(?:尝试|投递|重试)|繼續(?:嘗試|投遞|重試)",
    re.IGNORECASE,
)


#: a mail that is tried no more, whatever is said of its delay. ("Will give up" and "before giving up" are of one to come.)
_FINAL = re.compile(
    r"\bpermanent(?:ly)?\s+(?:(?:fatal|delivery|smtp)\s+){0,2}(?:error|fail|reject|undeliver)|\b(?:given|gave)\s+up\b"
    r"|(?<!before )\bgiving\s+up\b|will\s+(?:not|no\s+longer)\s+(?:be\s+)?(?:re-?tr|try)"
    r"|\bno\s+(?:further|more)\s+(?:attempts|tries)"
    r"|\bnot\s+be\s+delivered\s+(?:after|within|in)\b|retry\s+(?:time(?:out)?|limit)\s+(?:was\s+)?exceeded"
    r"|endgültig\s+(?:nicht|fehl|gescheitert)|dauerhafte[rs]?\s+fehler|définitivement|erreur\s+permanente|error\s+permanente"
    r"|erro\s+permanente|errore\s+permanente|再送(?:は|を)(?:行いません|中止|断念)|配信を(?:断念|中止)|永久(?:的)?(?:性)?(?:错误|錯誤|失败|失敗)|放弃(?:投递|重试)"
    r"|放棄(?:投遞|重試)",
    re.IGNORECASE,
)


def status_in(text: str, *, permanent: bool = True) -> str:
    """The status code that a server's words give, or the nearest: ``5.1.1``. Its first figure is 5 if ``permanent``,
    unless the words themselves have a code."""
    text = _plain(text)
    given = [f"{kind}.{subject}.{detail}" for kind, subject, detail in _ENHANCED.findall(text) if kind != "2"]
    # qmail, Exim and old sendmails put 5.0.0 beside the real reason
    telling = [code for code in given if not code.endswith(".0.0")]
    if telling:
        return telling[0]
    reply = _REPLY.search(text)
    kind = given[0][0] if given else reply[1] if reply else "5" if permanent else "4"
    reason = next((code for code, pattern in _REASONS if pattern.search(text)), "0.0")
    return f"{kind}.{reason}"


def says_late(text: str) -> bool:
    """Whether a server's words say that a mail is only late. What says that it was given up may tell of the delay before."""
    plain = _plain(text)
    return not _is_final(plain) and _LATE.search(plain) is not None


def _is_final(plain: str) -> bool:
    """Whether a code or the words say that no more is tried."""
    given = _ENHANCED.search(plain)
    return (given is not None and given[1] == "5") or _FINAL.search(plain) is not None


def _plain(text: str) -> str:
    """What is looked at of a text, its blanks single ones."""
    return _BLANKS.sub(" ", text[:_LOOK])


_ACTION = re.compile(r"^Action:\s*([a-z-]+)", re.MULTILINE | re.IGNORECASE)
_STATUS = re.compile(r"^Status:\s*([245])\.(\d{1,3})\.?(\d{0,3})", re.MULTILINE | re.IGNORECASE)
_DIAGNOSTIC = re.compile(
    r"^Diagnostic-Code:\s*([^\r\n]{1,400}(?:\r?\n[ \t][^\r\n]{1,400}){0,5})", re.MULTILINE | re.IGNORECASE
)
_RECIPIENT = re.compile(
    r"^(?:Final|Original)-Recipient:[^;\r\n]{0,40};\s*<?([^\s<>;]{1,64}@[^\s<>;]{1,255})", re.MULTILINE | re.IGNORECASE
)
_ANGLED = re.compile(
    r"<([^\s<>@]{1,64}@[^\s<>@]{1,255})>|^[ \t]{0,40}([\w.+-]{1,64}@[\w.-]{1,255})[ \t]{0,40}$", re.MULTILINE
)
_BARE = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", re.ASCII)
_COPY = re.compile(r"^-{1,80}.{0,20}(?:copy|original|below|header)", re.MULTILINE | re.IGNORECASE)


def failed(message: Message, raw: bytes, words: str) -> tuple[Bounced, ...]:
    """The recipients that a bounce tells of: by its report, else by the many wordings that Mailman's detectors know, else by
    the addresses in it. ``words``: what it says, subject and text."""
    found = _by_report(message)
    if found is not None:
        return tuple(found.values())
    head = _COPY.split(words[:_LOOK], maxsplit=1)[0]
    late = says_late(head)
    final = _is_final(_plain(head))
    permanent: dict[str, bool] = {}
    for value in message.root.headers("x-failed-recipients"):
        permanent |= {one.lower(): True for one in re.split(r"[,\s]+", value)[:20] if "@" in one}
    permanent = permanent or _by_detectors(raw)
    if not permanent:
        named = [hit[1] or hit[2] for hit in list(_ANGLED.finditer(head))[:5]] or _BARE.findall(head)[:3]
        writer = message.root.header("from").lower()
        named = [one for one in named if one.lower() not in writer] or [""]
        permanent = {one.lower(): not late and (final or "temporar" not in head.lower()) for one in named}
    codes = {gone: status_in(head, permanent=gone) for gone in (True, False)}
    return tuple(Bounced(address, gone and not late, late, codes[gone and not late]) for address, gone in permanent.items())


def _by_report(message: Message) -> dict[str, Bounced] | None:
    """By RFC 3464; ``None`` if no report names anybody.
    ``failed`` with a code of 4.x.x was tried until the other server's patience ended."""
    found: dict[str, Bounced] = {}
    named = False
    for part in message.walk():
        if part.type not in ("message/delivery-status", "message/global-delivery-status"):
            continue
        for block in re.split(r"\n\s*\n", part.text(40_000))[:100]:
            who, action, status = _RECIPIENT.search(block), _ACTION.search(block), _STATUS.search(block)
            done = action[1].lower() if action else ""
            named = named or who is not None
            if not who or done in ("delivered", "relayed", "expanded"):
                continue
            late = done == "delayed" or (not done and bool(status) and status is not None and status[1] == "4")
            permanent = not late and (status[1] == "5" if status else done == "failed")
            code = f"{status[1]}.{status[2]}.{status[3] or 0}" if status else ""
            said = _DIAGNOSTIC.search(block)
            if not code or code.endswith(".0.0"):
                code = status_in(f"{code} {said[1] if said else ''}", permanent=permanent)
            found[who[1].lower()] = Bounced(who[1].lower(), permanent, late, code)
    return found if named else None


def _by_detectors(raw: bytes) -> dict[str, bool]:
    """flufl.bounce, guarded: it parses with the standard library, which raises on some bytes."""
    try:
        from flufl.bounce import all_failures

        # it logs the faults of its detectors with their tracebacks; a mail's contents do not belong into a log
        logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL + 1)
        lines = raw[:_DETECTOR_BYTES].splitlines()[:_DETECTOR_LINES]
        head = b"\n".join(line[:_DETECTOR_LINE] for line in lines)
        temporary, permanent = all_failures(email.message_from_bytes(head, policy=email.policy.compat32))
        return {**_as_text(temporary, False), **_as_text(permanent, True)}
    except Exception:
        return {}


def _as_text(addresses: Iterable[Any], permanent: bool) -> dict[str, bool]:
    texts = (a.decode("ascii", "replace") if isinstance(a, bytes) else str(a) for a in addresses)
    return {text.lower(): permanent for text in texts if "@" in text}
