"""Machines' notices in mails that no header gives away, with lines below them that read as orders: a ticket desk's, a mail
guard's, a mail program's that tells of a click.

People tell of such notices too, and their orders follow: whoever says ``I``, or speaks of orders, is a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.automatic import ANSWER_LINE, CHALLENGE, DESK, RECEIVED

#: what a machine says above a copy of a mail; beside the tables of ``automatic``
_NOTICE = re.compile(
    r"\b(?:your|the|this|our)\s+(?:ticket|case|request|reference|incident|tracking|support)\s*(?:number|id|no\b|reference|key)"
    r"|\b(?:support\s+)?(?:ticket|request|case|enquiry|inquiry)\s+has\s+been\s+(?:received|registered|created|opened|assigned|logged)"
    r"|\b(?:ticket|case|request|incident)\s*[#№]\s*\w*\d|\A\W*key:\s*[a-z]{1,10}-\d|thank\s+you\s+for\s+contacting\s+(?:us|our|the)\b"
    r"|\bour\s+(?:support\s+)?(?:team|agents?|staff)\s+will\b|(?:e-?mail|mail)\s+abuse\s+report\b"
    r"|(?:your|the|a)\s+(?:message|mail|e-?mail)\b.{0,60}\b(?:could\s+not\s+be|cannot\s+be|was\s+not|not\s+yet\s+been)\s+delivered"
    r"|\bmailbox\s+(?:is\s+)?(?:full|over\s+quota)|exceeded\s+(?:its|the|their)\s+(?:storage\s+|mailbox\s+)?quota"
    r"|\bhas\s+(?:tentatively\s+)?(?:accepted|declined)\s+(?:this|your|the)\s+(?:invitation|meeting|event)"
    r"|\breacted\s+to\s+your\s+(?:message|e-?mail|mail)|\breacted\s+via\s+gmail"
    r"|(?:ihre|deine)\s+(?:ticket|vorgangs|anfrage|fall)-?\s?(?:nummer|id)|(?:ihre|die)\s+nachricht\b.{0,60}\bnicht\s+zugestellt"
    r"|hat\s+(?:diese|ihre|die)\s+einladung\s+(?:angenommen|abgelehnt|zugesagt)|hat\s+(?:mit\s+\S{1,20}\s+)?auf\s+(?:ihre|deine)\s+\S{1,20}\s+reagiert"
    r"|postfach\s+ist\s+voll|unser\s+(?:support|service|team|kundendienst)\S*\s+(?:wird|meldet|kümmert)"
    r"|votre\s+(?:numéro\s+de\s+)?(?:ticket|dossier|demande)\b.{0,40}\b(?:est|a\s+été|porte)|votre\s+message\b.{0,60}\b(?:remis|distribué|délivré)"
    r"|a\s+(?:accepté|refusé|décliné)\s+(?:cette|votre|l['’])\s*invitation|a\s+réagi\s+à\s+(?:votre|ton)\s+(?:message|e-?mail)"
    r"|número\s+de\s+(?:ticket|caso|solicitud|referencia|chamado|protocolo)|numero\s+(?:di|del)\s+(?:ticket|richiesta)"
    r"|ha\s+(?:aceptado|rechazado)\s+(?:esta|su|la)\s+invitación|ha\s+(?:accettato|rifiutato)\s+(?:questo|il|l['’])\s*invito"
    r"|aceitou\s+(?:este|o\s+seu|seu)\s+convite|(?:reaccionó|ha\s+reaccionado)\s+a\s+(?:su|tu)|ha\s+reagito\s+al\s+tuo|reagiu\s+(?:à|ao)\s+(?:sua|seu)"
    r"|heeft\s+(?:deze|uw)\s+uitnodiging\s+(?:geaccepteerd|afgewezen)|heeft\s+gereageerd\s+op\s+(?:uw|je)|(?:uw|je)\s+ticketnummer"
    r"|номер\s+(?:заявки|обращения|тикета)|ваш\w*\s+сообщени\w+.{0,40}не\s+доставлен|ящик\s+переполнен"
    r"|(?:受付|お問い?合わせ|チケット|整理)(?:番号|ＩＤ|id)|担当者?より(?:追って|改めて|後ほど)|招待を(?:承諾|辞退|承認)しました|リアクションしました"
    r"|(?:工单|工單|受理|案件)(?:编号|編號|号|號)|(?:接受|拒绝|拒絕)了(?:此|您的|你的)?(?:邀请|邀請)|(?:回应|回應|反应|反應)了(?:您|你)的|邮箱已满|郵箱已滿",
    re.IGNORECASE | re.DOTALL,
)
#: what a mail guard wants done; without it nobody can answer its question
_CLICK = re.compile(
    r"https?://|\bclick|\bklick|\bcliqu|\bhaga\s+clic|\bclicca|\bclique|нажм|クリック|点击|點擊|guest\s+list|(?:reply|respond|answer)\s+to\s+this",
    re.IGNORECASE,
)
_CLICK_TO_CONFIRM = re.compile(
    r"(?:click|klick|cliqu|clic\b|clicca|нажм|クリック|点击|點擊).{0,80}(?:confirm|verif|bestätig|vérifi|conferm|подтверд|確認|确认|确認|验证|驗證)"
    r"|(?:confirm|verif|bestätig|vérifi|conferm|подтверд|確認|确认|验证|驗證).{0,80}(?:click|klick|cliqu|clic\b|clicca|нажм|クリック|点击|點擊)",
    re.IGNORECASE | re.DOTALL,
)
#: a person's words: the first person, or orders
_PERSON = re.compile(
    r"\b(?:i|i['’](?:m|ve|ll|d)|my|mine|me|ich|mein\w{0,2}|mir|mich|je|j['’]\w+|mon|mes|moi|yo|mis?|mio|mia|miei|eu|meus?|minhas?|ik|mijn"
    r"|я|мой|мои|моё|мне|меня)\b|(?:私|僕|俺)(?!ども|たち|達)|我(?!们|們|司|方)"
    r"|\b(?:orders?|moves?|befehle?n?|züge?n?|ordres?|órdenes|orden|ordini|ordens|zetten|приказ\w*)\b|命令|指令|行軍",
    re.IGNORECASE,
)
#: how notes of absence go on, and people's words to the judge hardly: thanks, an answer later, somebody else to ask
_ASSURES = re.compile(
    r"th(?:ank\s*you|anks)\s+for\s+(?:your|the)\s+(?:e-?mail|message|mail|note)|\b(?:will|shall|['’]ll)\s+(?:\w+\s+)?(?:reply|respond|answer|get\s+back|return\s+your)"
    r"|(?:urgent|emergenc|immediate\s+(?:help|assistance|attention))|(?:please\s+)?contact\s+(?:my|our)\s+(?:colleague|assistant|office)"
    r"|(?:danke|dank)\s+für\s+(?:ihre|deine|die)\s+(?:e-?mail|nachricht|mail)|wieder\s+(?:für\s+sie\s+)?(?:erreichbar|im\s+büro|für\s+sie\s+da)|dringend|vertretung"
    r"|merci\s+(?:de|pour)\s+(?:votre|ton)\s+(?:message|e-?mail|courriel|mail)|en\s+cas\s+d['’]urgence|à\s+mon\s+retour|(?:répondrai|recontacterai)"
    r"|gracias\s+por\s+(?:su|tu)\s+(?:mensaje|correo)|en\s+caso\s+de\s+urgencia|asuntos?\s+urgentes|(?:responderé|contestaré)"
    r"|obrigad[oa]\s+pel[oa]\s+(?:sua\s+|seu\s+)?(?:mensagem|e-?mail|contato)|em\s+caso\s+de\s+urgência|(?:responderei)"
    r"|grazie\s+per\s+(?:il\s+(?:tuo|suo)|la\s+(?:tua|sua)|aver)|in\s+caso\s+di\s+urgenza|(?:risponderò)"
    r"|bedankt\s+voor\s+(?:uw|je)|dringende|bij\s+mijn\s+terugkomst|tack\s+för\s+ditt|brådskande|takk\s+for|dziękuję\s+za|w\s+pilnych"
    r"|спасибо\s+за\s+(?:ваше|письмо)|срочн|отвечу|お急ぎ|緊急|(?:後日|追って|戻り次第).{0,20}(?:返信|連絡)|ご連絡ください"
    r"|(?:感谢|感謝|谢谢|謝謝).{0,6}(?:来信|來信|邮件|郵件)|(?:尽快|盡快|稍后|稍後|回来后|回來後).{0,12}(?:回复|回覆|联系|聯繫)|紧急|緊急|如有急事|급한",
    re.IGNORECASE | re.DOTALL,
)
#: characters of a line, and of the words above the orders, that are looked at
_LOOK = 300
_MOST = 2000


def notice_above(lines: Sequence[str], subject: str, *, known: bool) -> int | None:
    """The number of the line at which a machine's notice begins in what stands above the first order of a mail, or ``None``.

    :param subject: the mail's subject; a desk repeats it.
    :param known: a header, the subject or the sender smells of a machine already: its own words are enough then.
    """
    # a notice may be wrapped
    pairs = [" ".join(one[:_LOOK] for one in lines[n : n + 2]) for n in range(len(lines))]
    if known:
        found = next((n for n, pair in enumerate(pairs) if DESK.search(pair)), None)
        if found is not None:
            return found
    whole = " ".join(lines)[:_MOST]
    if _CLICK.search(whole) and (CHALLENGE.search(whole) or _CLICK_TO_CONFIRM.search(whole)):
        return 0
    words = whole.replace(subject, " ") if len(subject) > 3 else whole
    if _PERSON.search(words):
        return None
    # who asks is a person
    return next((n for n, pair in enumerate(pairs) if says_notice(pair) and not ("?" in pair or "？" in pair)), None)


def says_notice(line: str) -> bool:
    """Whether a line has the words of a notice: some begin like an order ("A request ...")."""
    return any(table.search(line[: 2 * _LOOK]) for table in (_NOTICE, DESK, RECEIVED))


def answer_line(lines: Sequence[str]) -> int | None:
    """The number of the line below which a ticket desk has its copy of a mail, or ``None``."""
    return next((n for n, line in enumerate(lines) if ANSWER_LINE.search(line[:_LOOK])), None)


def assures(text: str) -> bool:
    """Whether a note of absence goes on as machines' do: thanks, an answer later, somebody else to ask."""
    return _ASSURES.search(text) is not None
