"""The table of verbs: what can be asked of the judge, by whom, where and when, and every spelling of it.

A row here is the one place where a verb is made known. It makes the command be understood, the manual list it
(:mod:`judge.render.verbwords` has its sentence), and the tests ask for it at every place and time; what it does stands in
:mod:`judge.play.verbs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.mail.instants import INSTANT, SPAN

#: Who may say a verb: ``anyone`` to ``judge@DOMAIN``, a ``player`` at the signed address of a power's seat, the ``master``
#: at that of the master's seat.
Role = Literal["anyone", "player", "master"]
#: A game's states in which a verb means something; a verb without a game has none.
State = Literal["forming", "running", "ended"]
#: The chapters of the manual.
Topic = Literal["orders", "game", "talk", "agree", "clock", "me", "master", "join"]

ALWAYS: frozenset[State] = frozenset({"forming", "running", "ended"})
RUNNING: frozenset[State] = frozenset({"running"})
STARTED: frozenset[State] = frozenset({"running", "ended"})

#: one to four words: a topic of the manual
WORDS = r"[\w+.-]{1,40}(?:\s+[\w+.-]{1,40}){0,3}"
#: a game's name
GAME = r"[a-z0-9-]{1,20}"
#: a mail address
ADDRESS = r"[^\s@<>(),;:\"]{1,64}@[^\s@<>(),;:\"]{1,253}"
#: a phase, as players write one
PHASE = (
    r"(?:[SFW]\d{4}[MRA]?|\d\d-[SFW]|(?:spring|fall|autumn|winter)\s+\d{4}(?:\s+(?:moves?|movement|retreats?|adjustments?"
    r"|builds?))?|\d{4}\s?年\s?[春秋冬][季天]?[の的]?\s?(?:移動|移动|撤退|調整|调整|増減|增減|增减)?(?:フェイズ|阶段|階段)?)"
)
_YEARS = rf"(?:{PHASE}|\d{{4}})"
#: phases from one to another, years or single ones
PHASES = (
    rf"(?:(?:from|since)\s+)?{_YEARS}\s?(?:から)?(?:\s*(?:to|until|till|\.\.|-|–|~|到|至)?\s*{_YEARS}\s?(?:まで)?)?"
    rf"|(?:to|until|till)\s+{_YEARS}|{_YEARS}\s?まで|all"
)
_COAST = r"(?:\s*/\s*[NSEW]C|\s*\([A-Z .]{2,12}\))?"
#: a place by its letters, or by a name that begins with a capital: a sentence in small letters names none
#: a word of a name: a dash before a capital parts two of them, so that a line can be taken apart in one way
_NAME = r"[A-Z][\w.']{1,20}+(?:-[a-z][\w.']{0,20}+){0,2}"
_PLACE = rf"(?:[A-Z]{{3}}{_COAST}|(?-i:{_NAME}(?:[ -]{_NAME}){{0,3}}){_COAST})"
_PLACE_CJK = r"[\u3040-\u30ff\u4e00-\u9fff々]{1,14}(?:\s?\(.{1,4}\))?"
_TYPE_CJK = r"(?:陸軍|海軍|陆军|海军)"
#: a unit where it stands, and perhaps a phase (``A VIE``, ``Vienna F1901M``, ``ウィーン陸軍``); with a phase behind it any
#: words may be a name
UNIT_AND_PHASE = (
    rf"(?:(?:(?:army|fleet)\s+(?:in\s+|at\s+)?|[AF]\s+){_PLACE}|(?-i:[A-Z]{{3}}){_COAST}"
    rf"|(?-i:{_NAME}(?:[ -]{_NAME}){{0,2}}){_COAST}"
    r"|(?!not|bother|though|indeed|ever|this|that|then|thank)[a-z]{4,20}"
    rf"|(?:[AF]\s+|{_TYPE_CJK}\s?){_PLACE_CJK}|{_PLACE_CJK}\s?{_TYPE_CJK})(?:,?\s*(?:in\s+)?{PHASE})?\s?\??"
    rf"|[\w./' -]{{3,40}}?,?\s*(?:in\s+)?{PHASE}\s?\??"
)
#: the name of a power: one with a capital, or one of the usual board's, as people write it. It never ends in the middle of
#: letters and holds none of the words that join two of them, so that a list can be taken apart in one way
_USUAL_POWER = (
    r"(?:austria(?:-hungary)?|england|france|germany|italy|russia|turkey"
    r"|オーストリア(?:[・=]ハンガリー)?|イギリス|英国|フランス|仏国|ドイツ|独国|イタリア|伊国|ロシア|露国|トルコ|土国|[仏独伊墺露]"
    r"|奥匈(?:帝国)?|奧匈(?:帝國)?|奥地利|奧地利|英國|法国|法國|德国|德國|意大利|義大利|意国|俄罗斯|俄羅斯|俄国|俄國|土耳其"
    r"|奥斯曼(?:帝国)?|鄂圖曼(?:帝國)?|[英法德意義奥奧俄土])"
)
POWER = rf"(?:(?-i:(?!(?:AND|And)\b)[A-Z][A-Za-z0-9\u00c0-\u024f_'-]{{0,24}}+(?![A-Za-z]))|{_USUAL_POWER})"
_JOINED = r"(?:\s*[,、，/&+・と和与與及]\s*|\s+and\s+|\s+)"
#: several of them, or all
POWERS = rf"(?:{POWER}(?:{_JOINED}{POWER}){{0,9}}|all|everybody|everyone|全員|所有人)"
#: a mail address
ADDRESS = r"<?[^\s<>@,;]{1,64}@[\w.-]{1,190}>?"
#: the reason that may stand behind what the master does
BECAUSE = r"(?:\s*[,、，;；]?\s*(?:(?:because|why|reason)\b|理由|原因|因为|因為)\s*[:：]?\s*\S.{0,300})?"
_DAY = r"\d{4}(?:[-/.]\d{1,2}[-/.]\d{1,2}|\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?[日号號])"
#: from one day to another, one day, or that it is over
ABSENT_DAYS = (
    rf"(?:from\s+)?{_DAY}\s*(?:\.{{2,3}}|…|to|until|till|[-–—~〜]|から|到|至)\s*{_DAY}(?:\s?まで)?|(?:on\s+)?{_DAY}"
    r"|off|取消|取り消し|取消し|解除"
)
#: what somebody is called: words with a capital, or of a script that has none (a sentence in small letters is no name)
CALLED = (
    r"(?-i:(?![a-z])[^\W\d_]+(?:['’・·-][^\W\d_]+)*\.?(?:\s[^\W\d_]+(?:['’・·-][^\W\d_]+)*\.?){0,3})"
    r"|off|none|削除|取消|删除|刪除"
)
#: the number of a motion
_MOTION = r"(?:to\s+|on\s+)?(?:motion\s*)?(?:#|no\.?\s?|第)?\s?\d{1,6}\s?[号號番]?"
#: what people write behind the word that heads orders to try out: which ones, whose, of when. Anything else is a sentence,
#: and what stands below it is no trial
TRIAL = (
    rf"(?:(?:(?:of|for|my|our|the|these|this|those|all|following|current|new|orders?|moves?|retreats?|builds?|turn|phase|season"
    rf"|please|only|just|first|again|{_USUAL_POWER}|{PHASE})(?![a-z])"
    rf"|命令|移動|移动|指令|以下|下記|今期|お願い(?:します)?|を|の|请|請|一下|我的|我方|本季|这些|這些)[\s,:、：]{{0,2}}){{1,7}}"
    r"|[AF]\s+[A-Z]\w{2,14}\b.{0,24}?(?:[-–—>→]|\s[SCHB]\b).{0,24}"
)


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb.

    ``spellings`` are compared without case, blanks folded; the first is the canonical one. ``argument``: a pattern of what
    may follow on the line (empty: nothing); ``bare``: whether the verb alone is a command too. ``block``: the lines below,
    to ``END`` or the end of the mail, belong to it. ``who`` may say it, and ``when`` (states of the game). ``phase_bound``:
    it is about the phase that its mail answers, so that it does nothing for another one. ``outside``: the pattern of what
    follows where it is said to the judge itself, outside of any game (empty: ``argument``). ``personal``: it is about who
    says it, so that at the judge's own address a mail that proves nothing has to be confirmed first.
    ``most``: so often a mail.
    """

    name: str
    spellings: tuple[str, ...]
    argument: str = ""
    bare: bool = True
    block: bool = False
    who: frozenset[Role] = frozenset({"player"})
    when: frozenset[State] = RUNNING
    topic: Topic = "game"
    phase_bound: bool = False
    outside: str = ""
    personal: bool = False
    most: int = 20


_ALL: frozenset[Role] = frozenset({"anyone", "player", "master"})
_SEATED: frozenset[Role] = frozenset({"player", "master"})
_ANYONE: frozenset[Role] = frozenset({"anyone"})
_MASTER: frozenset[Role] = frozenset({"master"})

#: every verb there is; a new one is a new row
VERBS: tuple[Verb, ...] = (
    Verb(
        "CLEAR",
        ("clear", "clear orders", "clear all", "clear all orders", "clear my orders", "cancel orders",
         "cancel all orders",
         "cancel my orders", "delete orders", "delete all orders", "delete my orders", "remove all orders",
         "取消", "命令取消", "命令を取消", "命令を取り消す", "命令取り消し", "全命令取消", "クリア", "命令クリア",
          "命令を消去", "命令消去",
         "清除", "清空", "清除命令", "清空命令", "取消命令", "撤销命令", "撤銷命令", "取消所有命令", "清除所有命令",
          "清除全部命令"),
        topic="orders", phase_bound=True,
    ),
    Verb(
        "STATUS",
        ("status", "state", "my status", "my orders", "orders?", "show orders", "show my orders", "show status",
         "list orders",
         "ステータス", "状況", "状態", "現状", "命令確認", "命令の確認", "命令一覧", "状況確認",
         "状态", "狀態", "状况", "狀況", "查询", "查詢", "查看命令", "查看状态", "查看狀態", "我的命令"),
        who=_SEATED, when=ALWAYS,
    ),
    Verb(
        "RULES",
        ("rules", "house rules", "houserules", "the rules", "the house rules", "show rules", "show the rules",
         "show house rules", "my rules", "ルール一覧", "ハウスルール", "ルール確認", "ルールの確認", "規則",
          "規則一覧", "ルールを見る",
         "规则", "查看规则", "游戏规则", "本局规则", "房规", "規則查詢", "查看規則", "遊戲規則", "本局規則", "房規"),
        who=_ALL, when=ALWAYS, outside=GAME,
    ),
    Verb(
        "HELP",
        ("help", "manual", "?", "commands", "ヘルプ", "使い方", "マニュアル", "説明", "帮助", "幫助",
         "说明", "說明", "手册", "手冊"),
        WORDS,
        who=_ALL, when=ALWAYS, topic="me",
    ),
    Verb(
        "SUMMARY",
        ("summary", "centres", "centers", "show summary", "chart", "年表", "補給都市一覧", "補給地一覧", "概要", "集計",
         "汇总", "彙總", "概况", "概況", "补给中心", "補給中心"),
        who=_ALL, when=STARTED, outside=GAME,
    ),
    Verb(
        "RESIGN",
        ("resign", "i resign", "resign my power", "resign from the game", "辞任", "辞任する", "辞任します", "プレイヤー辞任",
         "退出对局", "退出本局", "退出對局"),
        r"yes|はい|是|是的|确认|確認",
        topic="me",
    ),
    Verb(
        "REPLACE",
        ("replace", "replace player", "replace the player of", "交代", "プレイヤー交代", "更换玩家", "替换玩家", "更換玩家",
         "替換玩家"),
        rf"{POWER}(?:\s*(?:with|by|を|に|与|給|给|为|為)?\s*{ADDRESS})?{BECAUSE}", bare=False,
        who=_SEATED, topic="game",
    ),
    Verb(
        "EJECT",
        ("eject", "eject player", "kick", "remove player", "除名", "追放", "プレイヤー除名", "逐出", "移除玩家", "踢出",
         "逐出玩家"),
        rf"{POWER}{BECAUSE}", bare=False,
        who=_MASTER, topic="master",
    ),
    Verb(
        "OFFER SEAT",
        ("offer seat", "offer seat of", "offer the seat of", "席を提供", "空席提供", "提供席位", "出让席位", "出讓席位"),
        rf"{POWER}", bare=False,
        who=_MASTER, topic="master",
    ),
    Verb(
        "ORDER AS",
        ("order as", "order on behalf of", "set orders for", "命令代行", "代理命令", "代为下令", "代為下令"),
        rf"{POWER}\s?:?", bare=False, block=True,
        who=_MASTER, topic="master", most=10,
    ),
    Verb(
        "PROMOTE",
        ("promote", "new master", "new game master", "マスター交代", "ゲームマスター交代", "更换主持人", "更換主持人"),
        ADDRESS, bare=False,
        who=_MASTER, when=frozenset({"forming", "running"}), topic="master", most=1,
    ),
    Verb(
        "ABSENCE",
        ("absence", "absent", "away", "i am away", "vacation", "set absence", "set vacation", "不在", "休暇", "離席", "外出",
         "请假", "請假", "离开", "離開"),
        ABSENT_DAYS,
        when=ALWAYS, topic="clock", most=4,
    ),
    Verb(
        "RECORD",
        ("record", "my record", "reliability", "my reliability", "records", "信頼度", "成績", "提出率", "记录", "信誉",
         "我的记录", "記錄", "信譽", "我的記錄"),
        who=_SEATED, when=ALWAYS,
    ),
    Verb(
        "SHOW",
        ("show", "show game", "game info", "ゲーム情報", "対局情報", "游戏信息", "对局信息", "遊戲資訊", "對局資訊"),
        who=_ALL, when=ALWAYS, outside=GAME, most=5,
    ),
    Verb(
        "WHY",
        ("why", "why did", "explain", "なぜ", "なんで", "理由", "为什么", "为何", "解释", "為什麼", "為何", "解釋"),
        UNIT_AND_PHASE,
        who=_SEATED, when=STARTED, most=12,
    ),
    Verb(
        "HISTORY",
        ("history", "show history", "game history", "履歴", "ヒストリー", "历史", "历程", "歷史", "歷程", "战报", "戰報"),
        PHASES,
        who=_ALL, when=STARTED, outside=rf"{GAME}(?:\s*[:,、，]?\s*(?:{PHASES}))?", most=1,
    ),
    Verb(
        "PREVIEW",
        ("preview", "preview:", "preview orders", "preview orders:", "predict", "predict:",
         "プレビュー", "プレビュー:", "試算", "試算:", "结果预测", "预演", "预演:", "试算", "试算:", "推演", "推演:",
         "預演", "預演:"),
        TRIAL,
        block=True, who=_SEATED, topic="orders", most=3,
    ),
    Verb(
        "READY",
        ("ready", "i am ready", "i'm ready", "set ready", "all ready", "準備完了", "準備ok", "準備できました",
         "準備よし", "レディ", "レディー",
         "命令完了", "就绪", "就緒", "准备好了", "準備好了", "准备完毕", "準備完畢", "准备就绪", "準備就緒"),
        topic="clock", phase_bound=True,
    ),
    Verb(
        "WAIT",
        ("wait", "set wait", "not ready", "unready", "please wait", "set nowait off", "待機", "待って",
         "待ってください", "ウェイト", "待つ", "待った", "保留",
         "等待", "请等待", "請等待", "等一下", "未就绪", "未就緒", "还没准备好", "還沒準備好"),
        topic="clock", phase_bound=True,
    ),
    Verb(
        "DRAW",
        ("draw", "vote draw", "vote for a draw", "set draw", "draw vote", "i vote for a draw", "draw yes", "yes draw",
         "引き分け", "引分け", "引分", "引き分けに賛成", "引き分けに投票", "引き分け賛成", "ドロー",
         "平局", "和局", "平手", "同意平局", "同意和局", "同意平手", "投票平局", "投票平手", "赞成平局", "贊成平手"),
        POWERS,
        topic="agree", phase_bound=True,
    ),
    Verb(
        "NO DRAW",
        ("no draw", "set no draw", "draw no", "draw off", "withdraw draw", "cancel draw", "not draw", "against draw",
         "引き分け取消", "引き分け取り消し", "引き分けを取り消す", "引き分け撤回", "引き分けを撤回", "引き分けなし",
         "引き分けに反対", "引き分け反対",
         "取消平局", "撤回平局", "取消和局", "撤回和局", "取消平手", "撤回平手", "反对平局", "反對平手", "不同意平局",
         "不同意平手"),
        topic="agree", phase_bound=True,
    ),
    Verb(
        "CONCEDE",
        ("concede", "i concede", "concede to", "i concede to", "set concede", "concede the game to", "concede the game",
         "投了", "投了します", "投了する", "勝利承認", "勝利を承認", "认输", "我认输", "認輸", "我認輸", "承认胜利",
         "承認勝利", "认输给", "認輸給"),
        POWER,
        topic="agree", phase_bound=True,
    ),
    Verb(
        "NO CONCEDE",
        ("no concede", "no concession", "set no concede", "concede no", "concede off", "cancel concede",
         "withdraw concession", "not concede",
         "投了取消", "投了取り消し", "投了を取り消す", "投了撤回", "投了を撤回", "投了しない",
         "取消认输", "撤回认输", "取消認輸", "撤回認輸", "不认输", "不認輸"),
        topic="agree", phase_bound=True,
    ),
    Verb(
        "PROPOSE",
        ("propose", "i propose", "motion", "propose to", "提案", "提案します", "动议", "動議", "提议", "提議"),
        r"(?:to\s+|an?\s+|the\s+)*(?:extend|extension|pause|resume|unpause|replace|延長|締切延長|延期|一時停止|中断|休止|再開|交代"
        r"|延长|推迟|推遲|暂停|暫停|恢复|恢復|更换玩家|更換玩家)(?:\s*\S.{0,80})?",
        bare=False, topic="agree", phase_bound=True,
    ),
    Verb(
        "AYE",
        ("aye", "vote aye", "i vote aye", "in favour", "in favor", "賛成", "賛成します", "同意", "同意します", "赞成",
         "贊成", "我赞成", "我贊成", "我同意"),
        _MOTION,
        topic="agree", phase_bound=True,
    ),
    Verb(
        "NAY",
        ("nay", "vote nay", "i vote nay", "反対", "反対します", "反对", "反對", "我反对", "我反對", "不同意", "不赞成",
         "不贊成"),
        _MOTION,
        topic="agree", phase_bound=True,
    ),
    Verb(
        "STATEMENT",
        ("statement", "statement:", "final statement", "final statement:", "end of game statement", "eog statement",
         "最終声明", "終局声明", "终局声明", "終局聲明", "终局感言", "終局感言"),
        block=True, who=_SEATED, when=frozenset({"ended"}), topic="talk", most=3,
    ),
    Verb(
        "COMMITMENTS",
        ("commitments", "commitment", "proof", "proofs", "show commitments", "コミットメント", "命令の証明", "承诺值",
         "命令证明", "承諾值", "命令證明"),
        PHASE,
        who=_SEATED, when=STARTED, most=3,
    ),
    Verb(
        "SIGNS",
        ("signs", "show signs", "signs of cheating", "不正の兆候", "兆候一覧", "作弊迹象", "作弊跡象"),
        who=_MASTER, when=STARTED, topic="master", most=1,
    ),
    Verb(
        "NEW ADDRESS",
        ("new address", "new key", "new reply address", "new token", "新しいアドレス", "新アドレス",
         "新しい返信アドレス", "新しい鍵", "アドレス変更",
         "新地址", "新位址", "新回信地址", "新的地址", "新的位址", "新密钥", "新金鑰", "更换地址", "更換地址", "更換位址"),
        who=_SEATED, when=ALWAYS, topic="me",
    ),
    Verb(
        "START",
        ("start", "start game", "start the game", "begin game", "開始", "ゲーム開始", "开始", "开始游戏", "開始遊戲"),
        who=_MASTER, when=frozenset({"forming"}), topic="clock",
    ),
    Verb(
        "DEADLINE",
        ("deadline", "set deadline", "new deadline", "締切", "締め切り", "期限", "截止", "截止时间", "截止時間"),
        rf"(?:to\s+|is\s+)?{INSTANT}",
        bare=False, who=_MASTER, topic="clock", phase_bound=True,
    ),
    Verb(
        "EXTEND",
        ("extend", "extend deadline", "extend the deadline", "extension", "延長", "締切延長", "延期", "延长", "推迟",
         "推遲"),
        rf"(?:by\s+)?{SPAN}|(?:until|till|to|到|至)\s*{INSTANT}|{INSTANT}\s*(?:まで)",
        bare=False, who=_SEATED, topic="clock", phase_bound=True,
    ),
    Verb(
        "PAUSE",
        ("pause", "pause game", "pause the game", "一時停止", "中断", "休止", "暂停", "暫停", "暂停游戏", "暫停遊戲"),
        rf"(?:until|till|到|至)\s*{INSTANT}|{INSTANT}\s*(?:まで)",
        who=_SEATED, topic="clock",
    ),
    Verb(
        "RESUME",
        ("resume", "resume game", "resume the game", "unpause", "再開", "ゲーム再開", "恢复", "恢復", "继续游戏",
         "繼續遊戲"),
        who=_SEATED, topic="clock",
    ),
    Verb(
        "PROCESS",
        ("process", "process phase", "run phase", "adjudicate", "処理", "フェイズ処理", "处理", "處理", "结算", "結算"),
        rf"(?:{PHASE}\s*,?\s*)?now|{PHASE}",
        who=_MASTER, topic="clock",
    ),
    Verb(
        "ROLLBACK",
        ("rollback", "roll back", "go back to", "undo phase", "巻き戻し", "巻戻し", "回滚", "回滾", "回退"),
        rf"(?:to\s+)?{PHASE}",
        who=_MASTER, when=STARTED, topic="master",
    ),
    Verb(
        "ACCEPT",
        ("accept late orders of", "accept late orders from", "accept late mail of", "accept late mail from", "accept late",
         "accept", "遅着承認", "遅れた命令を承認", "接受迟到命令", "接受遲到命令", "接受逾期命令"),
        rf"{POWER}{BECAUSE}", bare=False,
        who=_MASTER, topic="master",
    ),
    Verb(
        "CORRECT POSITION",
        ("correct position", "correct the position", "position correction", "盤面訂正", "局面訂正", "更正局面", "修正局面"),
        block=True, who=_MASTER, topic="master", phase_bound=True,
    ),
    Verb(
        "SET COMMENT",
        ("set comment", "set game comment", "ゲームコメント", "对局备注", "對局備註"),
        block=True, who=_MASTER, when=ALWAYS, topic="master",
    ),
    Verb(
        "SET NO COMMENT",
        ("set no comment", "set comment off", "set no game comment", "ゲームコメント削除", "删除对局备注", "刪除對局備註"),
        who=_MASTER, when=ALWAYS, topic="master",
    ),
    Verb(
        "END GAME",
        ("end game", "end the game", "ゲーム終了", "ゲームを終了", "结束游戏", "結束遊戲"),
        "draw|drawn|in a draw|as a draw|without (?:a )?result|no result|引き分け|和局|平局",
        who=_MASTER, topic="master",
    ),
    Verb(
        "LOG",
        ("log", "game log", "show log", "audit", "audit log", "ログ", "変更記録", "操作記録", "日志", "日誌", "操作记录",
         "操作記錄"),
        who=_SEATED, when=ALWAYS,
    ),
    Verb(
        "LIST",
        ("list", "list games", "games list", "list all games", "ゲーム一覧", "対局一覧", "募集中", "募集一覧",
         "列表", "游戏列表", "对局列表", "遊戲列表", "對局列表"),
        who=_ANYONE, when=ALWAYS, topic="join",
    ),
    Verb(
        "JOIN",
        ("join", "join game", "sign up", "signup", "sign on", "参加", "参加希望", "参加します", "加入",
         "报名", "報名", "加入游戏", "加入遊戲"),
        outside=GAME + r"(?:\s*[:,、，]?\s*[^.!?@/\d][^.!?@/]{0,200})?",
        who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "LEAVE",
        ("leave", "leave game", "withdraw", "unjoin", "参加取消", "参加取り消し", "参加をやめる", "退出",
         "退出游戏", "退出遊戲", "取消报名", "取消報名"),
        outside=GAME, who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "STANDBY",
        ("standby", "stand by", "set standby", "on standby", "補欠", "補欠登録", "代打登録", "候补", "候補", "候补报名",
         "候補報名"),
        outside=rf"(?:off|取消|取り消し|取消し|解除)(?:\s+{GAME})?|{GAME}",
        who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "NEW",
        ("new", "new game", "start new game", "start a new game", "新規ゲーム", "ゲーム作成", "新しいゲーム", "新对局",
         "新建对局", "新游戏", "新對局", "新增對局", "新遊戲"),
        # in a game's mail a name with a digit alone: "new orders" is a heading there
        r"[a-z-]{3,}\d[a-z0-9-]{0,16}", bare=False, block=True, outside=rf"{GAME}(?:\s*[:：;|]\s*\S.*|:)?",
        who=_ANYONE, when=ALWAYS, topic="join", personal=True, most=1,
    ),
    Verb(
        "INVITE",
        ("invite", "invite to", "invite into", "招待", "邀请", "邀請"),
        rf"{GAME}\s*[:：,、，]?\s*{ADDRESS}", bare=False,
        who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "OBSERVE",
        ("observe", "observe game", "watch", "watch game", "観戦", "観戦希望", "旁观", "旁觀", "观战", "觀戰"),
        outside=GAME, who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "STOP OBSERVING",
        ("stop observing", "stop observe", "unobserve", "stop watching", "unwatch", "観戦中止", "観戦をやめる",
         "停止旁观", "停止旁觀", "停止观战", "停止觀戰"),
        outside=GAME, who=_ANYONE, when=ALWAYS, topic="join", personal=True,
    ),
    Verb(
        "GAMES",
        ("games", "my games", "list my games", "自分のゲーム", "マイゲーム", "参加中のゲーム", "我的游戏",
         "我的遊戲", "我的对局", "我的對局"),
        who=_ALL, when=ALWAYS, topic="me", personal=True,
    ),
    Verb(
        "LINK",
        ("link", "links", "my link", "my links", "lost address", "my reply addresses", "リンク", "返信アドレス",
         "链接", "鏈接", "連結", "回信地址"),
        ADDRESS, who=_ALL, when=ALWAYS, topic="me",
    ),
    Verb(
        "LANGUAGE",
        ("language", "set language", "lang", "言語", "言語設定", "语言", "語言", "设置语言", "設定語言"),
        r"[\w-]{2,15}(?:\s?\(\w{2,12}\)|\s+chinese)?", bare=False,
        who=_ALL, when=ALWAYS, topic="me", personal=True,
    ),
    Verb(
        "TIMEZONE",
        ("timezone", "time zone", "set timezone", "set time zone", "set tz", "tz", "タイムゾーン", "時間帯", "时区", "時區"),
        r"(?:[\w+-]{1,20}/[\w+/-]{1,40}|(?:UTC|GMT)?\s?[+-]\s?\d{1,2}(?::?00)?|[\w-]{1,20}(?:\s[\w-]{1,20})?)", bare=False,
        who=_ALL, when=ALWAYS, topic="me", personal=True,
    ),
    Verb(
        "NAME",
        ("name", "set name", "my name is", "call me", "display name", "名前", "表示名", "呼び名", "名字", "昵称", "我的名字",
         "暱稱", "名稱"),
        CALLED,
        who=_ALL, when=ALWAYS, topic="me", personal=True, most=2,
    ),
    Verb(
        "EXPORT",
        ("export", "export my data", "my data", "エクスポート", "データ出力", "自分のデータ",
         "导出", "导出数据", "匯出", "匯出資料"),
        who=_ALL, when=ALWAYS, topic="me", personal=True, most=1,
    ),
    Verb(
        "MAIL",
        ("mail", "set mail", "my mails", "mail settings", "メール設定", "メール通知", "通知設定", "邮件设置", "邮件通知",
         "郵件設定", "郵件通知"),
        "all|everything|results?|results only|only results|digest|daily|once a day|すべて|全部|即時|結果|結果のみ|まとめ"
        "|一日一回|1日1回|全部邮件|全部郵件|仅结果|只要结果|僅結果|只要結果|摘要|每日|每日摘要|每日一封",
        who=_ALL, when=ALWAYS, topic="me", personal=True, most=2,
    ),
    Verb(
        "FORGET",
        ("forget", "forget me", "please forget me", "delete my data", "delete my account", "データ削除", "登録抹消",
         "個人情報削除", "忘记我", "删除我的数据", "删除个人数据", "忘記我", "刪除我的資料", "刪除個人資料"),
        who=_ALL, when=ALWAYS, topic="me", personal=True, most=1,
    ),
    Verb(
        "ADDRESS",
        ("address", "my address", "change address", "move to", "アドレス", "メールアドレス", "新しいメールアドレス",
         "地址", "邮箱", "郵箱", "新邮箱", "新郵箱", "信箱"),
        ADDRESS, bare=False, who=_ALL, when=ALWAYS, topic="me", personal=True,
    ),
)  # fmt: skip
