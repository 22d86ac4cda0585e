"""The table of verbs: what can be asked of the judge, by whom, where and when, and every spelling of it.

A row here is the one place where a verb is made known. It makes the command be understood, the manual list it
(:mod:`judge.render.verbwords` has its sentence), and the tests ask for it at every place and time; what it does stands in
:mod:`judge.play.verbs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
#: anything that stands on the line
ANYTHING = r"\S.{0,400}"


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb.

    ``spellings`` are compared without case, blanks folded; the first is the canonical one. ``argument``: a pattern of what
    may follow on the line (empty: nothing); ``bare``: whether the verb alone is a command too. ``block``: the lines below,
    to ``END`` or the end of the mail, belong to it. ``who`` may say it, and ``when`` (states of the game). ``phase_bound``:
    it is about the phase that its mail answers, so that it does nothing for another one.
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


_ALL: frozenset[Role] = frozenset({"anyone", "player", "master"})
_PLAYER: frozenset[Role] = frozenset({"player"})
_SEATED: frozenset[Role] = frozenset({"player", "master"})
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
        who=_SEATED, when=ALWAYS,
    ),
    Verb(
        "HELP",
        ("help", "help me", "manual", "?", "commands", "ヘルプ", "使い方", "マニュアル", "説明", "帮助", "幫助",
         "说明", "說明", "手册", "手冊"),
        WORDS,
        who=_ALL, when=ALWAYS, topic="me",
    ),
    Verb(
        "SUMMARY",
        ("summary", "centres", "centers", "show summary", "chart", "年表", "補給都市一覧", "補給地一覧", "概要", "集計",
         "汇总", "彙總", "概况", "概況", "补给中心", "補給中心"),
        who=_SEATED, when=STARTED,
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
        "NEW ADDRESS",
        ("new address", "new key", "new reply address", "new token", "新しいアドレス", "新アドレス",
         "新しい返信アドレス", "新しい鍵", "アドレス変更",
         "新地址", "新位址", "新回信地址", "新的地址", "新的位址", "新密钥", "新金鑰", "更换地址", "更換地址", "更換位址"),
        who=_SEATED, when=ALWAYS, topic="me",
    ),
)  # fmt: skip
