"""What machines that answer mail say, in the languages of our players: tables for ``kinds``."""

from __future__ import annotations

import re

#: subjects that only machines write; a mail under one is never read
STRONG_SUBJECT = re.compile(
    r"\W*(?:auto(?:matic|mated|matische|matisch|mat)?[\s-]*(?:reply|response|responder|answer|antwort|antwoord)\b"
    r"|autoreply|autoresponse|autosvar"
    r"|out[\s-]of[\s-](?:the[\s-])?office(?:\s+(?:auto-?reply|message|notification|re|response))?\b\s*[:\-–(]?"
    r"|ooo\s*[:\-]|away from my mail|vacation (?:reply|response|message)"
    r"|abwesenheits(?:notiz|meldung|benachrichtigung|nachricht|info|assistent)?\b\s*[:\-]?"
    r"|automatische\s+(?:antwort|abwesenheit|nachricht|eingangs)|eingangsbestätigung"
    r"|réponse\s+automatique|message\s+(?:automatique|d['’]absence)|absence\s+du\s+bureau"
    r"|notification\s+d['’]absence|respuesta\s+automática|mensaje\s+automático"
    r"|fuera\s+de\s+(?:la\s+)?oficina|resposta\s+automática|fora\s+do\s+escritório|ausência\s+temporária"
    r"|risposta\s+automatica|fuori\s+(?:sede|ufficio)"
    r"|automatisch\s+antwoord|afwezigheids?(?:bericht|melding)|automatiskt?\s+svar|frånvaromeddelande"
    r"|fraværsmelding|autoodpowiedź|automatyczna\s+odpowiedź"
    r"|odpowiedź\s+automatyczna|автоответ|автоматический\s+ответ|автоматична\s+відповідь|automatická\s+odpověď"
    r"|automaattinen\s+vastaus|automatikus\s+válasz"
    r"|otomatik\s+(?:yanıt|cevap)|自動(?:返信|応答|回覆|回复)|不在(?:通知|連絡|のお知らせ|返信)|自动(?:回复|答复"
    r"|回覆)|自動(?:答覆)|外出自动|자동\s?(?:회신|응답|답장)|부재중\s?(?:자동|알림|회신)"
    r"|accusé\s+de\s+réception\s+automatique|αυτόματη\s+απάντηση|מענה\s+אוטומטי)",
    re.IGNORECASE,
)
#: subjects that machines write, and sometimes people
WEAK_SUBJECT = re.compile(
    r"\W*(?:i(?:'|’| a)m\s+(?:away|out|on\s+(?:vacation|holiday|leave))|(?:on|my)\s+(?:vacation|holiday|leave"
    r"|annual\s+leave)\b|vacation\b|out\s+(?:until|till)|away\b"
    r"|abwesen|im\s+urlaub|urlaub\b|außer\s+haus|nicht\s+im\s+büro|absen(?:t|ce|te)\b|en\s+(?:congés?|vacances)"
    r"|ausente|de\s+vacaciones|vacaciones|de\s+férias|férias\b|in\s+ferie"
    r"|assente|assenza|ferie\b|afwezig|op\s+vakantie|frånvaro|frånvarande|semester\b|fraværende"
    r"|ikke\s+på\s+kontoret|nieobecn|poza\s+biurem|na\s+urlopie|отсутств|в\s+отпуске|вне\s+офиса"
    r"|отпуск|nepřítom|poissa\b|lomalla|szabadság|házon\s+kívül|ofis\s+dışı|izinde|不在|休暇|夏季休業|外出中|出張中"
    r"|外出|休假|出差|假期|不在办公室|不在辦公室|부재|휴가"
    r"|thank\s+you\s+for\s+(?:your\s+(?:e-?mail|message|mail|request|inquiry)|contacting|reaching)|we(?:'ve|’ve"
    r"|\s+have)?\s+received\s+your|your\s+(?:request|message|e-?mail|ticket)\b.{0,40}\b(?:received|created)"
    r"|\[?(?:ticket|case|request|incident|support|issue|anfrage|vorgang)[\s#:-]*[a-z]{0,5}[#-]?\d{3,}"
    r"|return\s+receipt|read\s+receipt|lesebestätigung|empfangsbestätigung|accusé\s+de\s+(?:lecture|réception)"
    r"|confirmación\s+de\s+lectura|confirmação\s+de\s+leitura|conferma\s+di\s+lettura|ricevuta\s+di\s+ritorno|leesbevestiging"
    r"|уведомление\s+о\s+прочтении|开封|邮件收条|已读回执|읽음\s?[:：]"
    r"|\[#?[a-z]{0,6}-?\d{3,}\]|\[[\w.-]{1,40}\s+#\d{1,12}\]|(?:new\s+|neues\s+|nouveau\s+|nuevo\s+|nuovo\s+)?ticket\s+(?:received|created|opened"
    r"|updated|eröffnet|erstellt|créé|creado|creato)|(?:neues|nouveau|nuevo|nuovo)\s+ticket\b"
    r"|.{0,60}\b(?:await\w*|pending|requires?)\s+(?:moderat\w+|review|approval)|.{0,40}\bheld\s+for\s+(?:moderation|approval)"
    r"|.{0,60}\bmoderator(?:s|in)?\b|confirm\s+[0-9a-f]{12,}|.{0,40}\bquarantine(?:d)?\b|.{0,20}quarantäne|.{0,20}\bquarantaine\b"
    r"|.{0,20}\bcuarentena\b|.{0,20}\bquarenten[ae]\b|.{0,20}隔離|.{0,20}隔离|.{0,20}карантин"
    r"|virus\s+(?:alert|warning|found|detected)|.{0,20}\b(?:sms|mms)\s+delivery\s+report|delivery\s+(?:receipt|confirmation)\b"
    r"|(?:change\s+of|changed?|new)\s+e-?mail\s+address|neue\s+e-?mail-?adresse|メールアドレス変更"
    r"|【(?:自動返信|自动回复|工单|工單|受付)|(?:read|gelesen|lu|leído|lida|letto|gelezen|läst|已读|已讀|開封済み"
    r"|開封確認)\s?[:：]"
    r"|(?:accepted|declined|tentative|zugesagt|abgelehnt|accepté|refusé|aceptado|rechazado|aceito|accettato"
    r"|geaccepteerd|承諾|辞退|已接受|已拒绝)\s?[:：])",
    re.IGNORECASE,
)
#: a mail guard that wants to be answered before it lets our mail through
CHALLENGE = re.compile(
    r"(?:please\s+)?(?:confirm|verify|authenticate)\s+(?:that\s+you\s+(?:sent|are)|your\s+(?:message|e-?mail|mail"
    r"|address|identity|sender))|sender\s+verification|verification\s+required"
    r"|(?:your|the)\s+(?:message|e-?mail|mail)\b.{0,80}\b(?:is|has\s+been|was)\s+(?:being\s+)?(?:held|quarantined"
    r"|blocked|delayed|placed)\b.{0,200}(?:confirm|verif|click|reply|answer|approv)"
    r"|(?:click|reply|answer)\b.{0,120}\b(?:deliver|release|whitelist|approved?\s+sender|handed\s+to)|boxbe"
    r"|await\w*\s+(?:your\s+)?(?:verification|confirmation|approval)|(?:was|is|been)\s+(?:wait-?|grey-?)listed|guest\s+list"
    r"|prove\s+(?:that\s+)?you(?:\s+are|['’]re)\s+(?:a\s+|an?\s+)?(?:human|real|not\s+a\s+robot)"
    r"|(?:put|placed|is|are|been|kept)\s+on\s+hold\b.{0,200}(?:click|reply|answer|confirm|verif)"
    r"|(?:zurückgehalten|zurückgestellt|in\s+quarantäne)\b.{0,200}(?:antworten|klicken|bestätigen)"
    r"|(?:mis|placé|retenu)\w*\s+en\s+(?:attente|quarantaine)\b.{0,200}(?:authentifi|cliqu|répond|confirm)"
    r"|(?:retenid|en\s+espera|en\s+cuarentena|em\s+espera|em\s+quarentena)\w*\b.{0,200}(?:clic|respond|confirm|verific)"
    r"|(?:trattenut|in\s+attesa|in\s+quarantena)\w*\b.{0,200}(?:clic|rispond|conferm|verific)"
    r"|(?:задержано|карантин).{0,200}(?:ответ|нажм|подтверд|перейд)"
    r"|(?:保留|隔離|ブロック)(?:され|して).{0,100}(?:返信|クリック|確認)|(?:拦截|攔截|暂扣|隔离|隔離).{0,100}(?:回复|回覆|点击|點擊|验证|驗證)"
    r"|(?:sender|absender|送信者)[\s-]*(?:authentication|authentifizierung|の?確認|認証)|demande\s+d['’]authentification"
    r"|just\s+this\s+once\b.{0,60}\b(?:click|link|reply)|protecting\s+(?:myself|my\s+(?:inbox|mailbox))\s+from"
    r"|(?:only\s+(?:accept|allow|receive)|allow\s+incoming)\b.{0,60}\b(?:approved|known|senders)|senders\s+(?:that\s+|whom?\s+)?i\s+have\s+approved"
    r"|(?:vor|gegen)\s+spam\s+geschützt|protégée?s?\s+contre\s+(?:le\s+|les\s+)?(?:spams?|indésirables|pourriels?)"
    r"|protegid[oa]s?\s+contra\s+(?:el\s+|o\s+)?(?:correo\s+no\s+deseado|spam|lixo)|protett[oa]\s+(?:contro|dallo)\s+(?:lo\s+)?spam"
    r"|para\s+que\s+(?:su|tu|o\s+seu|a\s+sua)\s+(?:mensaje|correo|mensagem|e-?mail)\s+(?:sea\s+entregad|seja\s+entregue)"
    r"|afin\s+que\s+votre\s+(?:message|courriel|mail)\s+(?:soit|me\s+parvienne)"
    r"|spamarrest|mail\s?guard|anti-?spam\s+(?:check|filter).{0,80}(?:confirm|verif|reply)"
    r"|bestätig\w*\s+sie\s+(?:bitte\s+)?(?:ihre|diese)\s+(?:nachricht|e-?mail)|confirme[rz]\s+(?:votre"
    r"|cet)\s+(?:message|envoi|courriel|e-?mail)|confirme\s+(?:su|o\s+seu|seu)\s+(?:mensaje|correo|e-?mail|envio)"
    r"|подтвердите\s+(?:отправку|ваше|своё|письмо)|(?:送信|メール)の?確認(?:を|のため)|请(?:确认|验证)您的?(?:邮件"
    r"|发送)|請(?:確認|驗證)您的?(?:郵件|寄送)",
    re.IGNORECASE | re.DOTALL,
)
#: the line that a ticket desk puts above a copy of our mail: all below it is ours
ANSWER_LINE = re.compile(
    r"(?:reply|write|type|respond|answer)\b.{0,30}\babove\s+this\s+(?:line|text|message)"
    r"|(?:antwort\w*|schreib\w*)\b.{0,30}\b(?:oberhalb|über)\s+diese[rn]?\s+(?:zeile|linie)"
    r"|(?:répon\w*|écri\w*)\b.{0,30}\bau[\s-]dessus\s+de\s+cette\s+ligne"
    r"|(?:por\s+encima|acima)\s+d(?:e\s+)?esta\s+l(?:í|i)n(?:ea|ha)|sopra\s+questa\s+riga|この(?:行|線)より上|(?:在"
    r"|於)此行(?:之)?上方(?:回复|回覆)",
    re.IGNORECASE,
)
#: what a desk says that took our mail for a request, above a copy of it; no person writes so. Orders below it are ours
DESK = re.compile(
    r"(?:message|e-?mail|mail|response|reply|acknowledge?ment|notification)\b.{0,40}\b(?:automatically|auto-?)\s*(?:generated|created|sent)"
    r"|\b(?:automated|automatic|auto-?generated)\s+(?:e-?mail|message|response|reply|acknowledge?ment|notification)\b"
    r"|\bticket\b.{0,40}\b(?:has\s+been|was|is)\s+(?:created|opened|registered|logged|assigned)\b"
    r"|(?:created|opened|registered|logged)\s+(?:a|your|this)\s+(?:support\s+)?(?:ticket|case)\b|assigned\s+(?:an|the)\s+(?:id|number)\b"
    r"|automatisch\s+(?:generiert|erstellt|erzeugt|versandt|versendet)|(?:anfrage|anliegen|ticket|vorgang)\b.{0,40}\b(?:erhalten|registriert|eröffnet|angelegt)"
    r"|(?:généré|envoyé|créé)e?\s+automatiquement|(?:demande|ticket|requête)\b.{0,40}\b(?:enregistrée?|créée?|prise?\s+en\s+compte|ouverte?)\b"
    r"|generad[oa]\s+automáticamente|(?:solicitud|ticket|solicitação|chamado)\b.{0,40}\b(?:cread|registrad|recibid|recebid|abert)[oa]"
    r"|generat[oa]\s+automaticamente|(?:richiesta|ticket)\b.{0,40}\b(?:ricevut|registrat|creat|apert)[oa]"
    r"|(?:заявка|обращение|тикет|запрос)\b.{0,40}(?:зарегистрирован|создан|принят)|(?:сформировано|отправлено)\s+автоматически"
    r"|自動(?:返信|送信|配信|生成|的に送信)|受付番号|お問い合わせ.{0,40}(?:受け?付け|承り)"
    r"|工[单單].{0,40}(?:受理|创建|建立|生成)|(?:系统|系統)自[动動](?:发|發|生成|回)|请勿(?:直接)?回复|請勿(?:直接)?回[覆复]",
    re.IGNORECASE,
)
#: a desk that took our mail for a request, or a mail program that tells that our mail was read
RECEIVED = re.compile(
    r"(?:please\s+)?(?:type|write|enter)\s+your\s+reply\s+above\s+this\s+line|reply\s+above\s+this\s+line"
    r"|(?:bitte\s+)?antworten\s+sie\s+(?:oberhalb|über)\s+dieser\s+(?:zeile|linie)"
    r"|(?:your|the)\s+(?:request|message|e-?mail|mail|enquiry|inquiry|ticket|case)\b.{0,60}\b(?:has\s+been|was"
    r"|is)\s+(?:successfully\s+)?(?:received|registered|created|logged|opened|assigned)"
    r"|we(?:'ve|’ve|\s+have)?\s+received\s+your\s+(?:request|message|e-?mail|mail|enquiry|inquiry|report|complaint)"
    r"|your\s+(?:report|complaint|case|application|submission|feedback|form)\b.{0,60}\b(?:has\s+been|was)\s+(?:received|registered"
    r"|submitted)|your\s+(?:message|document|mail|e-?mail)\b.{0,300}\bwas\s+(?:received\s+by|read\s+(?:on|by|at)|opened|displayed)"
    r"|wurde\s+am\s+.{5,60}\s+(?:gelesen|geöffnet|angezeigt)|a\s+été\s+(?:lue?|ouverte?|affichée?)\s+(?:le|par)"
    r"|(?:fue|ha\s+sido|foi)\s+(?:leído|lida|lido|abierto|mostrado)\s+(?:el|em|por)|è\s+stat[oa]\s+(?:lett[oa]|apert[oa]|visualizzat[oa])"
    r"|было\s+прочитано|(?:已于|已於|已被).{0,40}(?:打开|打開|阅读|閱讀|读取)|邮件收条|郵件收條|已读回执|已讀回條|開封確認|読まれました"
    r"|(?:held|holding|queued)\s+for\s+(?:the\s+)?moderat|(?:await|pending)\w*\s+(?:moderat|review|approval)|not\s+(?:allowed|permitted|authori[sz]ed)"
    r"\s+to\s+(?:post|send|write)\s+to|automatically\s+rejected|until\s+(?:the|a)\s+(?:list\s+)?moderator"
    r"|(?:zurückgehalten|wartet)\b.{0,60}\b(?:moderator|moderation|freigabe)|en\s+attente\s+de\s+modération|pendiente\s+de\s+moderación"
    r"|(?:are|is)\s+being\s+held\s+for\s+you|spam\s+quarantine\s+(?:notification|summary|report|digest)"
    r"|(?:filter|scanner|gateway|firewall|policy)\b.{0,40}\b(?:has|have)\s+blocked\s+(?:your|the|a)\s+(?:message|mail|e-?mail|attachment)"
    r"|your\s+message\s+has\s+been\s+delivered\s+to|(?:apologi[sz]e|sorry)\s+for\s+this\s+automat"
    r"|incident\s+\w{3,20}\s+(?:has\s+been\s+|was\s+)?(?:opened|created|resolved|closed)"
    r"|a\s+(?:support\s+)?ticket\s+(?:has\s+been|was)\s+(?:created|opened)|ticket\s*(?:#|number|id|no)"
    r"|this\s+is\s+an?\s+(?:automat(?:ic|ed)|auto-?generated)\s+(?:e-?mail|message|reply|response|mail)|(?:do\s+not"
    r"|don['’]t)\s+reply\s+to\s+this\s+(?:e-?mail|message|mail)"
    r"|(?:dies\s+ist\s+eine|diese\s+(?:e-?mail|nachricht)\s+wurde)\s+automatisch|ihre\s+(?:anfrage|nachricht"
    r"|e-?mail)\b.{0,40}\b(?:erhalten|eingegangen|registriert)"
    r"|(?:ceci\s+est\s+un|ce)\s+message\s+(?:est\s+)?(?:automatique|généré|envoyé\s+automatiquement)"
    r"|nous\s+avons\s+bien\s+reçu\s+votre|(?:hemos\s+recibido|recebemos)\s+(?:su|tu|a\s+sua|o\s+seu)"
    r"|(?:este\s+es\s+un|esta\s+é\s+uma)\s+(?:mensaje|correo|mensagem)\s+autom|(?:questo\s+è\s+un"
    r"|messaggio)\s+(?:messaggio\s+)?automatico|abbiamo\s+ricevuto\s+(?:la\s+)?(?:tua|sua|vostra)"
    r"|(?:это|данное)\s+(?:письмо|сообщение)\s+(?:создано|отправлено|сформировано)\s+автоматически"
    r"|ваше?\s+(?:обращение|заявка|письмо|запрос)\b.{0,40}\b(?:получен|зарегистрирован|принят)"
    r"|(?:この|本)メールは.{0,12}自動.{0,6}(?:送信|配信|返信)|お問い合わせ(?:を|いただき"
    r"|ありがとう).{0,30}(?:受け付け|承り)|受付(?:いたし|しまし|完了)|(?:此|本|这是).{0,4}(?:邮件"
    r"|郵件).{0,10}(?:自动|自動|系统|系統)"
    r"|您的?(?:邮件|請求|请求|工单|郵件).{0,20}(?:已收到|已创建|已建立|已受理)",
    re.IGNORECASE | re.DOTALL,
)
_AWAY = re.compile(
    r"(?:on\s+(?:(?:my|a|an)\s+)?(?:annual|maternity|paternity|parental|sick|medical|family|study|unpaid)\s+leave"
    r"|(?:no\s+longer|not)\s+(?:work(?:s|ing)?\s+(?:for|at|with|here)|employed|with\s+(?:the|our)\s+company"
    r"|monitor(?:ed|ing)|in\s+use|active\s+at\s+this|read)\b|has\s+left\s+(?:the|our)\s+(?:company|organi[sz]ation|firm)"
    r"|nicht\s+mehr\s+(?:im\s+unternehmen|bei\s+.{1,40}\s+(?:tätig|beschäftigt)|in\s+unserem\s+hause?|gelesen|aktiv)"
    r"|wieder\s+(?:für\s+sie\s+)?(?:erreichbar|im\s+büro|im\s+hause?|für\s+sie\s+da)|(?:an\s+)?meine\s+vertretung"
    r"|ne\s+(?:fait\s+plus\s+partie|travaille\s+plus)|n['’]est\s+plus\s+(?:en\s+poste|utilisée|active|dans)"
    r"|ya\s+no\s+(?:trabaja|forma\s+parte)|non\s+(?:lavora|fa)\s+più|già\s+não\s+trabalha|não\s+trabalha\s+mais"
    r"|больше\s+не\s+работает|退職(?:いた|し|と)|(?:アドレス|メール)は.{0,10}(?:使われて|使用されて|確認されて)|已经?离职|已經?離職"
    r"|out\s+of\s+(?:the\s+)?office|i\s*(?:am|'m|’m|will\s+be)\s+(?:currently\s+)?(?:away|out\b|on\s+(?:vacation"
    r"|holiday|leave|annual|parental|a\s+business)|travell?ing|absent|unavailable|not\s+in\s+the\s+office)"
    r"|i(?:\s+am|['’]m)\s+off\s+(?:until|till|from|work)\b|(?:won['’]t|will\s+not|not|can['’]?not|can['’]t)\s+(?:be\s+)?(?:check|read|monitor)ing"
    r"\s+(?:my\s+|this\s+|these\s+)?(?:e-?mail|mail|messages|inbox|mailbox)|(?:office|practice|shop|company|department)\b.{0,30}"
    r"\b(?:is|will\s+be|are)\s+closed\b|update\s+your\s+(?:address\s*book|records|contacts)"
    r"|betriebs(?:ferien|urlaub)|(?:büro|praxis|kanzlei|firma|geschäft|sekretariat)\b.{0,60}\bgeschlossen|nicht\s+mehr\s+abgerufen"
    r"|adressbuch|(?:cabinet|bureaux?|société|entreprise|boutique|magasin|secrétariat)\b.{0,30}\bfermée?s?\b"
    r"|(?:traitée?s?|répondr\w+|lir\w+)\b.{0,40}\bretour\b|n['’](?:ai|aurai|aurons)\s+pas\s+accès|merci\s+d['’]utiliser\s+(?:désormais|dorénavant|maintenant)"
    r"|carnet\s+d['’]adresses|no\s+(?:tengo|tendré|tendremos)\s+acceso\s+al?|(?:oficina|empresa|despacho|tienda)\b.{0,30}\bcerrad[oa]s?\b"
    r"|(?:responderé|contestaré|leeré|responderemos)\b.{0,40}\b(?:regreso|vuelta|posible)|(?:libreta|agenda)\s+de\s+(?:direcciones|contactos)"
    r"|(?:studio|ufficio|azienda|negozio|segreteria)\b.{0,30}\bchius[oaie]\b|(?:risponder|legger)\w+\b.{0,40}\b(?:rientro|ritorno)"
    r"|non\s+(?:ho|avrò|avremo)\s+accesso|rubrica\s+(?:indirizzi|dei\s+contatti)|(?:geen|beperkt\w*)\s+toegang\s+tot|niet\s+bereikbaar"
    r"|(?:kantoor|bedrijf|praktijk|winkel)\b.{0,30}\bgesloten|(?:bij|na)\s+(?:mijn\s+)?(?:terugkomst|terugkeer)|adresboek"
    r"|sem\s+acesso\s+a|acesso\s+limitado|responder\w+\b.{0,40}\b(?:regresso|retorno|possível)|(?:escritório|empresa|loja)\b.{0,30}"
    r"\b(?:fechad|encerrad)[oa]|(?:меня|нас)\s+(?:нет|не\s+будет)\s+(?:на\s+(?:рабочем\s+месте|работе)|в\s+офисе)|нет\s+доступа\s+к\s+почте"
    r"|отвечу\b.{0,30}(?:возвращ|выход)|адресн\w+\s+книг|(?:är|er)\s+ledig\b|(?:läser|leser|læser)\s+ikke\s+(?:min|mine)|läser\s+inte\s+(?:min|mina)"
    r"|odpowiem\s+po|アドレス帳の(?:変更|更新|修正)|(?:本|此|该|該)(?:邮箱|郵箱|信箱|邮件地址|郵件地址|地址).{0,10}(?:停用|不再使用|已停止|已更换|已更換)"
    r"|limited\s+access\s+to\s+(?:my\s+)?e-?mail|(?:will|shall)\s+(?:respond|reply|answer|get\s+back"
    r"|return)\b.{0,60}\b(?:when|upon|after|as\s+soon|return)|when\s+i\s+(?:am\s+back|return)"
    r"|nicht\s+im\s+(?:büro|hause?)|(?:bin|befinde\s+mich)\s+.{0,40}(?:urlaub|abwesend|außer\s+haus"
    r"|nicht\s+erreichbar|dienstreise|elternzeit)|(?:derzeit|momentan|zurzeit)\s+(?:nicht|abwesend|im\s+urlaub)"
    r"|wird\s+nicht\s+weitergeleitet|(?:suis|serai)\s+.{0,30}(?:absent|en\s+congé|en\s+vacances|indisponible"
    r"|en\s+déplacement)|actuellement\s+absent|de\s+retour\s+le|à\s+mon\s+retour"
    r"|(?:estoy|estaré|me\s+encuentro)\s+.{0,30}(?:ausente|de\s+vacaciones|fuera|de\s+viaje|de\s+baja)"
    r"|fuera\s+de\s+(?:la\s+)?oficina|(?:estou|estarei)\s+.{0,30}(?:ausente|de\s+férias|fora|de\s+licença)"
    r"|fora\s+do\s+escritório|(?:sono|sarò)\s+.{0,30}(?:assente|in\s+ferie|fuori|in\s+vacanza)|fuori\s+ufficio"
    r"|(?:ben|zal)\s+.{0,30}(?:afwezig|niet\s+aanwezig|met\s+vakantie|op\s+vakantie|met\s+verlof)"
    r"|(?:är|jag\s+är)\s+.{0,30}(?:frånvarande|på\s+semester|bortrest|inte\s+på\s+kontoret)|(?:er"
    r"|jeg\s+er)\s+.{0,30}(?:fraværende|på\s+ferie|ikke\s+på\s+kontoret|bortreist)"
    r"|(?:jestem|będę)\s+.{0,30}(?:nieobecn|na\s+urlopie|poza\s+biurem)|przebywam\s+na\s+urlopie|(?:нахожусь|буду"
    r"|я)\s+.{0,30}(?:в\s+отпуске|отсутств|вне\s+офиса|в\s+командировке)|временно\s+отсутствую"
    r"|(?:olen|on)\s+.{0,20}(?:lomalla|poissa)|(?:jsem|budu)\s+.{0,30}(?:mimo\s+kancelář|na\s+dovolené|nepřítom)"
    r"|(?:szabadságon|házon\s+kívül)\s+\w+|(?:yıllık\s+)?izindeyim|ofis\s+dışındayım"
    r"|(?:不在|休暇|休業|出張|外出)(?:に|中|と|を|して|の|期間).{0,40}(?:返信|連絡|対応|おります|いたし|頂|いただ"
    r"|です|ます)|(?:正在|目前|现在|現在|因|于|於|我).{0,20}(?:休假|外出|出差|度假|放假)|不在(?:办公室|辦公室|公司)"
    r"|(?:稍后|稍後|尽快|盡快|回来后|回來後).{0,12}(?:回复|回覆|与您联系|與您聯繫)|(?:您好.{0,10})?(?:邮件|郵件"
    r"|来信|來信).{0,6}(?:已|已经|已經)?收到.{0,20}(?:回复|回覆|处理|處理|谢谢|謝謝)|부재\s?중|휴가\s?중"
    r"|자리를\s+비)",
    re.IGNORECASE,
)


#: a sentence that ends as a question; not the ? of a link
_QUESTION = re.compile(r"[^.!?。！？\n]{1,200}[?？](?=[\s\"'”»」』)]|\Z)")
#: what machines ask too: whether one is in a hurry, or needs help
_OFFER = re.compile(
    r"\W*(?:do|would|should|have)\s+you\b|\W*(?:urgent|need|questions|who\s+(?:can|will)\s+help|was\s+tun|que\s+faire|qué\s+hacer)\b",
    re.IGNORECASE,
)
#: questions that need no mark: of people to people, in English; in Japanese and Chinese
_ASKS = re.compile(
    r"\b(?:can|could|may|would)\s+(?:somebody|someone|anybody|anyone|i|we|the\s+(?:judge|game\s?master|master|deadline))\b"
    r"|\bhow\s+(?:do|can|should|could)\s+(?:i|we)\b|(?:です|ます|でしょう|ません)か(?:[。？?！!\s]|\Z)|[吗嗎呢][。？?！!\s]",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether ``text`` asks something of whoever reads it, as a person does."""
    start = text[:3000]
    if _ASKS.search(start):
        return True
    found = (one[0].strip() for one in _QUESTION.finditer(start))
    return any(not _OFFER.match(one) and (len(one.split()) > 3 or not one[:-1].isascii()) for one in found)


def away(text: str) -> bool:
    """Whether ``text`` is a note of absence."""
    return _AWAY.search(text) is not None
