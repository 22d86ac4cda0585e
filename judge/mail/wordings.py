"""The words that mail programs of the world put around what people type: tables, no logic.

Heads of quotes are found first by the judge's own address or name, which needs no language (``ownwords``); these tables
are for what carries neither. A word missing here costs a question to the player, not a wrong order.
"""

from __future__ import annotations

import re


def _alternatives(words: str) -> str:
    """``"a b|c"`` with one entry a ``|``, longest first, blanks matching any blanks."""
    entries = sorted({w.strip() for w in words.replace("\n", " ").split("|") if w.strip()}, key=len, reverse=True)
    return "|".join(re.escape(entry).replace(r"\ ", r"\s+") for entry in entries)


_FROM = """from|von|de|da|van|från|fra|od|от|от кого|від|lähettäjä|feladó|gönderen|kimden|από|מאת|من|差出人|送信者
|από|αποστολέας
|送信元|发件人
|寄件者|寄件人|發件人|보낸 사람|보낸사람|발신|người gửi|từ|dari|จาก|expéditeur|absender|remitente|mittente|expeditor
|avsändare|afsender|kimdən
|发信人|寄信人|發信人|feladó|saatja"""
_SENT = """sent|date|נשלח|תאריך|تاريخ الإرسال|التاريخ|στάλθηκε|απεστάλη
|gesendet|datum|envoyé|envoyé le|enviado|enviado el|enviada em|enviada|fecha|data|inviato
|inviata|verzonden|skickat|sendt
|dato|wysłano|wysłane|отправлено|дата|відправлено|lähetetty|päivämäärä|elküldve|dátum|gönderildi|gönderme tarihi
|tarih|送信日時|日時|日付
|发送时间|发送日期|发件日期|日期|时间|時間|寄件日期|傳送時間|傳送日期|보낸 날짜|보낸날짜|날짜|received|reçu|trimis
|odesláno|odoslané|ημερομηνία|ngày
|sent at|date d'envoi|dată|tanggal|วันที่"""
_TO = """to|an|à|אל|إلى|a|para|per|aan|till|til|do|кому|vastaanottaja|címzett|kime|alıcı|宛先|收件人|收件者|收信人
|받는 사람|받는사람|받은 사람|수신|pour|destinataire
|empfänger|destinatario|destinatário|către|προς|komu|đến|kepada|ถึง|to whom|送信先"""
_CC = "cc|bcc|kopie|copie|copia|cópia|kopia|копия|抄送|副本|참조|kópia|κοινοποίηση|másolatot kap|tembusan"
_SUBJECT = """subject|betreff|נושא|الموضوع
|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|тема|aihe|tárgy|konu|件名|题目
|主题|主旨|主題|標題|제목
|θέμα|předmět|predmet|subiect|chủ đề|re|perihal|เรื่อง|teema"""
_OTHER = (
    "reply-to|importance|attachments|anlagen|priority|priorität|sensitivity|organization|sender|resent-from|mailing list"
)

#: a line ``Name: value`` of a quoted header block; the group's name tells its part
HEADER_LINE = re.compile(
    rf"[*_\s>]*(?:(?P<from>{_alternatives(_FROM)})|(?P<sent>{_alternatives(_SENT)})|(?P<to>{_alternatives(_TO)})"
    rf"|(?P<cc>{_alternatives(_CC)})|(?P<subject>{_alternatives(_SUBJECT)})|(?P<other>{_alternatives(_OTHER)}))"
    r"\s?(?:[:：]\*?_?|\*[:：])\s*(?P<value>.*)\Z",
    re.IGNORECASE,
)

_ORIGINAL = """original-nachricht|mail original|courrier original|original message|original mail|originalnachricht
|ursprüngliche nachricht|ursprüngliche mail
|message d'origine|message original
|message d’origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|origineel bericht
|originalmeddelande
|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|original meddelelse|wiadomość oryginalna
|oryginalna wiadomość|исходное сообщение
|оригинальное сообщение|alkuperäinen viesti|eredeti üzenet|özgün ileti|orijinal mesaj|元のメッセージ
|オリジナルメッセージ|原始邮件|原始郵件|原邮件|原郵件
|原始信息|原始訊息|원본 메시지|원본 메일|원본 이메일|původní zpráva|pôvodná správa|mesaj original|αρχικό μήνυμα|tin nhắn gốc
|pesan asli
|replied message|回复的原邮件|回复的邮件|回覆的郵件|reply message|original e-mail|missatge original
|originalna poruka"""
_FORWARDED = """forwarded message|forwarded mail|forwarded by|weitergeleitete nachricht|message transféré
|message transmis|mensaje reenviado
|mensagem encaminhada|mensagem reencaminhada|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande
|videresendt meddelelse
|videresendt melding|przekazana wiadomość|wiadomość przekazana|пересылаемое сообщение|пересланное сообщение
|välitetty viesti|továbbított üzenet
|iletilen ileti|yönlendirilen mesaj|転送メッセージ|転送されたメッセージ|转发的邮件|转发邮件|轉寄的郵件|轉寄郵件
|전달된 메시지|přeposlaná zpráva|forwarded"""
#: ``-----Original Message-----`` in any of the dashes people's programs use
SEPARATOR = re.compile(
    rf"\s*[-_=*—–─━]{{2,}}\s*(?:(?P<original>{_alternatives(_ORIGINAL)})|(?P<forwarded>{_alternatives(_FORWARDED)}))"
    r"(?P<rest>[^\n]{0,120}?)\s*[-_=*—–─━]*\s*\Z",
    re.IGNORECASE,
)
#: the same words without dashes: a head only above the headers of a mail
BARE_SEPARATOR = re.compile(
    rf"\s*(?:{_alternatives(_ORIGINAL)}|{_alternatives(_FORWARDED)}|邮件原文|原文|郵件原文)\s*[:：]?\s*\Z", re.IGNORECASE
)
#: ``--- End of Original Message ---``
END_SEPARATOR = re.compile(
    rf"\s*[-_=*—–─━]{{2,}}\s*(?:end|ende|fin|fine|конец|以上)\W.{{0,30}}?(?:{_alternatives(_ORIGINAL)}"
    rf"|{_alternatives(_FORWARDED)}).{{0,20}}\Z",
    re.IGNORECASE,
)
_BEGIN_FORWARDED = """begin forwarded message|anfang der weitergeleiteten nachricht
|anfang der weitergeleiteten e-mail|début du message transféré
|début du message réexpédié|inicio del mensaje reenviado|comienzo del mensaje reenviado|inizio messaggio inoltrato
|begin doorgestuurd bericht
|início da mensagem reencaminhada|início da mensagem encaminhada|vidarebefordrat brev
|start på vidarebefordrat meddelande|以下是转发的邮件|开始转发的邮件|轉寄訊息開頭
|開始轉寄郵件|転送されたメッセージ|początek przekazywanej wiadomości|начало переадресованного сообщения
|start of forwarded message|전달된 메시지"""
BEGIN_FORWARDED = re.compile(rf"\s*(?:{_alternatives(_BEGIN_FORWARDED)})\s*[:：]?\s*\Z", re.IGNORECASE)

_WROTE = """wrote|writes|schrieb|schreibt|geschrieben|a écrit|écrit|escribió|escribio|escreveu|escribiu|ha scritto
|scrisse|schreef|skrev|kirjoitti
|napisał|napisała|napisał(a)|napisal|napsal|napsal(a)|napísal|napísal(a)|írta|ezt írta|yazdı|şunları yazdı|пишет
|писал|писала|написал|написала
|написал(а)|написав|έγραψε|כתב|כתבה|كتب|写道|寫道|来信|來信|のメール|のメッセージ|は書きました|が書きました
|さんは書きました|さんが書いた|님이 작성|작성
|đã viết|menulis|เขียน|va escriure|idatzi du|rakstīja|rašė|kirjutas|a scris|pisze|napisao|пише|je napisal|said"""
#: of each wording its longest word: where none of them stands, no wording does
_WROTE_WORDS = tuple({max(w.casefold().split(), key=len) for w in _WROTE.split("|") if w.strip()})
_WROTE_PATTERN = re.compile(rf"(?:(?<![^\W\d_])(?:{_alternatives(_WROTE)}))(?![^\W\d_a-z])", re.IGNORECASE)


def says_wrote(text: str) -> bool:
    """Whether ``text`` says that somebody wrote something."""
    low = text.casefold()
    # the words first: the pattern tries all of them at every letter
    return any(word in low for word in _WROTE_WORDS) and _WROTE_PATTERN.search(text) is not None


#: a moment as programs write it: a clock time, or a whole date of our century in any language. A year of the game is none:
#: players write ``Spring 1901``
_MOMENT = re.compile(
    r"\d{1,2}\s?[:.h時时點点시]\s?\d{2}(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
    r"|\d{1,2}\.?\s+(?:de\s+)?[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?20\d\d|[^\W\d_]\.?\s+\d{1,2}(?:st|nd|rd"
    r"|th)?,?\s+20\d\d",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


def has_moment(text: str) -> bool:
    """Whether a moment stands in ``text``."""
    return _DIGIT.search(text) is not None and _MOMENT.search(text) is not None


GREETING = re.compile(
    r"\W*(?:hi|hello|hey|dear|good\s+(?:morning|day|evening|afternoon)|hallo|liebe[rs]?|guten\s+(?:tag|morgen"
    r"|abend)|bonjour|bonsoir|cher|chère|salut"
    r"|hola|estimad[oa]|olá|ola|ciao|buongiorno|buonasera|gentile|beste|geachte|hej|hei|kära|cześć|witam|привет"
    r"|здравствуйте|уважаем"
    r"|拝啓|您好|你好|尊敬的|亲爱的|親愛的|안녕)(?![^\W\d_])",
    re.IGNORECASE,
)

#: a line that a program or a phone adds below what was typed
FOOTER = re.compile(
    "|".join(
        [
            r"(?:sent|posted)\s+(?:from|via|with|using|by)\s+(?:my\s+|the\s+|a\s+)?\S.{0,120}",
            r"(?:von\s+mein\w*\s+\S.{0,40}\s+(?:gesendet|geschickt)|(?:gesendet|geschickt|versendet)\s+(?:von|mit"
            r"|über|aus|via)\s+\S.{0,60})",
            r"diese\s+nachricht\s+wurde\s+von\s+mein\w+\s+.{0,60}\s+gesendet.{0,20}",
            r"(?:__)?\._,_\.(?:___)?",
            r"provenance\s?:\s.{0,60}",
            r"(?:envoyé|envoyée|expédié)\s+(?:de|depuis|à\s+partir|avec|par|via)\s?\S.{0,60}",
            r"(?:enviado|enviada)\s+(?:desde|de|do|da|con|com|via|vía|a\s+partir)\s+\S.{0,60}",
            r"(?:inviato|inviata|spedito)\s+(?:da|dal|dall['’]|con|tramite)\s?\S.{0,60}",
            r"(?:verzonden|verstuurd)\s+(?:vanaf|vanuit|met|via|van|door)\s+\S.{0,60}|vanaf\s+mijn\s+\S+\s+verzonden",
            r"(?:skickat|skickades|sendt|sendte)\s+(?:från|fra|med|via)\s+\S.{0,60}|fra\s+min\s+\S+",
            r"(?:wysłan[eoay]|wysłano)\s+(?:z|za\s+pomocą|przez|ze)\s+\S.{0,60}",
            r"(?:отправлено|послано|надіслано)\s+(?:с|из|з|от|при|через)\s+\S.{0,60}|--?\s*отправлено\s+из\s+.{0,60}",
            r"(?:lähetetty|saadetud)\s+\S.{0,60}|(?:odesláno|odoslané)\s+z\s+\S.{0,60}|küldve\s+.{0,50}"
            r"|.{0,40}(?:-ról|-ról)\s+küldve",
            r".{0,40}\s*(?:dan|den|'dan|'den|’dan|’den|umdan|imden|ımdan)\s+gönderildi"
            r"|(?:trimis)\s+de\s+pe\s+\S.{0,40}",
            r".{0,40}(?:から|より)(?:の)?(?:送信|送りました|送信しました|送信されました).{0,10}"
            r"|.{0,40}で送信(?:しました)?[。.]?",
            r"(?:发自|發自|从|從|来自|來自|通过|透過|使用)\s*(?:我的|我|於|于)?\s*\S{0,20}(?:iphone|ipad|ios"
            r"|android|安卓|手机|手機|outlook|邮箱|郵箱|mail|客户端"
            r"|華為|华为|huawei|小米|xiaomi|oppo|vivo|samsung|三星|网易|qq|foxmail|windows|平板|电脑|電腦|裝置|设备).{0,30}",
            r".{0,40}에서\s+(?:보냄|보낸\s+메일.{0,20}|발송)",
            r"(?:get|download)\s+(?:outlook|bluemail|yahoo|gmx|aqua\s+mail|spark)\b.{0,70}",
            r"(?:holen\s+sie\s+sich|hol\s+dir|laden\s+sie)\s+.{0,40}outlook.{0,40}|outlook\s+(?:für|for|pour|para"
            r"|per|voor)\s+(?:ios|android|mac).{0,40}",
            r"(?:télécharge[zr]|obtenez|obtenir)\s+outlook.{0,60}|(?:obtener|obtén|obter|obtenha|descargar"
            r"|descarga)\s+.{0,12}outlook.{0,60}",
            r"(?:scarica|ottieni)\s+outlook.{0,60}|(?:download|haal)\s+outlook.{0,60}|(?:hämta|hent|pobierz"
            r"|skaffa)\s+.{0,12}outlook.{0,60}",
            r"(?:скачать|загрузить)\s+outlook.{0,60}|(?:outlook\s+(?:for\s+)?(?:ios|android).{0,20}(?:を入手|下载"
            r"|下載|가져오기).{0,20})|(?:获取|下载|取得|下載)\s*outlook.{0,60}",
            r"yahoo\s+mail:\s+.{0,80}|(?:envoyé|sent|enviado)\s+.{0,20}yahoo.{0,60}"
            r"|.{0,30}\bproton\s?mail\b.{0,60}(?:secure|sicher|sécurisé|seguro|安全).{0,40}",
            r"(?:secured|encrypted|protected)\s+(?:with|by)\s+\S.{0,60}|(?:gesichert"
            r"|verschlüsselt)\s+mit\s+\S.{0,50}",
            r"(?:virus-?free|virenfrei|sans\s+virus|libre\s+de\s+virus|livre\s+de\s+vírus|privo\s+di\s+virus"
            r"|不含病毒|ウイルス\s?フリー|无病毒|virusvrij)\W.{0,80}",
            # in any language: a short line with the name of a program or a device
            r".{0,60}(?<![^\W\d_])(?:iphone|ipad|proton\s?mail|outlook|gmx|web\.de|blackberry|thunderbird"
            r"|yahoo!?\s?mail|tutanota|mailspring"
            r"|k-9\s?mail|fairemail|bluemail|mailbird|em\s?client|spark\s+mail|samsung\s+(?:mobile|galaxy|email)"
            r"|galaxy\s+\S+|foxmail|xiaomi|huawei"
            r"|aquamail|airmail|superhuman|fastmail)(?![^\W\d_]).{0,60}",
            r"excuse\s+(?:my\s+)?(?:brevity|typos|any\s+typos).{0,60}|please\s+excuse\s+(?:my\s+)?(?:brevity|typos"
            r"|any\s+typos).{0,60}",
            r"please\s+consider\s+the\s+environment.{0,80}|think\s+before\s+you\s+print.{0,60}",
            r"diese\s+e-?mail\s+wurde\s+von\s+.{0,60}(?:viren|avast|antivirus).{0,60}|\(?https?://\S{1,300}\)?"
            r"|<https?://\S{1,300}>",
        ]
    ),
    re.IGNORECASE,
)
#: begins a text that a company, a list or a virus scanner puts below; all that follows belongs to it
DISCLAIMER = re.compile(
    "|".join(
        [
            r"(?:disclaimer|confidentiality(?:\s+notice)?|privileged|legal\s+notice|important\s+notice"
            r"|notice)\b\s*[:.\-–—]",
            r"(?:this|the)\s+(?:information\s+(?:contained\s+)?in\s+this\s+)?(?:e-?mail|message|communication"
            r"|transmission|electronic)\b.{0,120}"
            r"(?:confidential|intended|privileged|virus|scanned|checked|recipient|secur)",
            r"(?:the\s+)?(?:information|contents?|views)\b.{0,60}(?:e-?mail|message|communication"
            r"|transmission)\b.{0,120}",
            r"(?:if\s+you\s+(?:are\s+not|have\s+received)).{0,160}(?:recipient|in\s+error|by\s+mistake)",
            r"(?:diese|der\s+inhalt\s+dieser)\s+(?:e-?mail|nachricht).{0,120}(?:vertraulich|bestimmt|viren|geprüft"
            r"|adressat)",
            r"(?:wichtiger\s+hinweis|rechtlicher\s+hinweis|vertraulichkeitshinweis|haftungsausschluss)\b",
            r"(?:ce|cet|le\s+présent)\s+(?:message|courriel|e-?mail|courrier).{0,120}(?:confidentiel|destin|virus"
            r"|vérifié)",
            r"(?:este|esta|el\s+presente)\s+(?:mensaje|correo|e-?mail|mensagem).{0,120}(?:confidencial|destinatari"
            r"|virus|vírus|dirigid)",
            r"(?:aviso\s+(?:legal|de\s+confidencialidad|de\s+confidencialidade))\b|(?:avviso\s+di\s+riservatezza"
            r"|nota\s+di\s+riservatezza)",
            r"(?:questo|questa|il\s+presente|la\s+presente|le\s+informazioni)\s+.{0,40}(?:messaggio|e-?mail"
            r"|comunicazione).{0,120}",
            r"(?:dit|deze)\s+(?:bericht|e-?mail).{0,120}(?:vertrouwelijk|bestemd|virus)",
            r"(?:данное|это|настоящее)\s+(?:сообщение|письмо).{0,120}(?:конфиденциальн|предназначен|вирус)",
            r"(?:本邮件|本郵件|此邮件|此郵件|本メール|このメール|本電子メール).{0,80}(?:机密|機密|保密|秘密|収信"
            r"|受信者|收件人|宛先|病毒|ウイルス)",
            r"you\s+(?:received|are\s+receiving)\s+this\s+(?:message|e-?mail|mail)\s+because.{0,160}",
            r"(?:to\s+unsubscribe|to\s+(?:stop|change)\s+.{0,30}(?:list|group|subscription)"
            r"|unsubscribe\s*[:@]).{0,160}",
            r"posted\s+by:\s+\S+@",
            r"(?:für\s+weitere\s+optionen|for\s+more\s+options,?\s+visit|to\s+view\s+this\s+discussion).{0,160}",
            r"(?:scanned|checked|geprüft|analysé|analizado|controllato)\s+(?:by|for|auf|par|por"
            r"|da)\b.{0,80}(?:virus|viren|antivirus|avast|avg|malware|barracuda|mimecast)?",
            r".{0,40}\b(?:mailing\s+list|mailinglist(?:e)?|liste\s+de\s+diffusion|lista\s+de\s+correo"
            r"|メーリングリスト|邮件列表)\b.{0,160}",
            r".{0,80}\b(?:avast|avg|avira|mcafee|kaspersky|norton|eset|bitdefender|mailscanner|antivirus"
            r"|antivirensoftware)\b.{0,120}",
        ]
    ),
    re.IGNORECASE,
)
#: a text part that only says it is none
STUB = re.compile(
    r"(?:html|format).{0,80}(?:view|see|show|display|open|support|program|client|anzeigen|afficher|visualizar"
    r"|mostrar|visualizzare|表示|查看|显示|顯示)"
    r"|(?:view|see|show|display|open|support|program|client|cannot|unable|kann\s+nicht|ne\s+peut).{0,80}html"
    r"|(?:このメール|このメッセージ|本メール).{0,40}html|(?:此邮件|该邮件|此郵件).{0,40}html",
    re.IGNORECASE | re.DOTALL,
)
