"""What a player asks of the judge besides orders: a table of verbs with their spellings in English, Japanese, Chinese.

A command is a whole line (or a whole subject), never a word in a sentence, and never a line that could be an order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its spellings, and the words that may follow it (a pattern; empty: none).

    ``spellings`` are compared without case, blanks folded. The first is the canonical one.
    """

    name: str
    spellings: tuple[str, ...]
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command found: the verb's name, what follows it, and the line it stood on."""

    name: str
    argument: str
    line: str

    def __str__(self) -> str:
        return f"{self.name} {self.argument}".strip()


_WORDS = r"[\w+.-]{1,40}(?:\s+[\w+.-]{1,40}){0,3}"

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
    ),
    Verb(
        "STATUS",
        ("status", "state", "my status", "my orders", "orders?", "show orders", "show my orders", "show status",
         "list orders",
         "ステータス", "状況", "状態", "現状", "命令確認", "命令の確認", "命令一覧", "状況確認",
         "状态", "狀態", "状况", "狀況", "查询", "查詢", "查看命令", "查看状态", "查看狀態", "我的命令"),
    ),
    Verb(
        "RULES",
        ("rules", "house rules", "houserules", "the rules", "the house rules", "show rules", "show the rules",
         "show house rules", "my rules", "ルール一覧", "ハウスルール", "ルール確認", "ルールの確認", "規則",
          "規則一覧", "ルールを見る",
         "规则", "查看规则", "游戏规则", "本局规则", "房规", "規則查詢", "查看規則", "遊戲規則", "本局規則", "房規"),
    ),
    Verb(
        "HELP",
        ("help", "help me", "manual", "?", "commands", "ヘルプ", "使い方", "マニュアル", "説明", "帮助", "幫助",
         "说明", "說明", "手册", "手冊"),
        _WORDS,
    ),
    Verb(
        "READY",
        ("ready", "i am ready", "i'm ready", "set ready", "all ready", "準備完了", "準備ok", "準備できました",
         "準備よし", "レディ", "レディー",
         "命令完了", "就绪", "就緒", "准备好了", "準備好了", "准备完毕", "準備完畢", "准备就绪", "準備就緒"),
    ),
    Verb(
        "WAIT",
        ("wait", "set wait", "not ready", "unready", "please wait", "set nowait off", "待機", "待って",
         "待ってください", "ウェイト", "待つ", "待った", "保留",
         "等待", "请等待", "請等待", "等一下", "未就绪", "未就緒", "还没准备好", "還沒準備好"),
    ),
    Verb(
        "NEW ADDRESS",
        ("new address", "new key", "new reply address", "new token", "新しいアドレス", "新アドレス",
         "新しい返信アドレス", "新しい鍵", "アドレス変更",
         "新地址", "新位址", "新回信地址", "新的地址", "新的位址", "新密钥", "新金鑰", "更换地址", "更換地址", "更換位址"),
    ),
)  # fmt: skip

_DECORATION = re.compile(r"\A[\s>*_#\-–—•・「『【\"'“‘]+|[\s*_.!。！．;；,，\"'”’」』】]+\Z")
_BLANKS = re.compile(r"\s+")


def _key(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text[:200]).replace("’", "'")
    return _BLANKS.sub(" ", _DECORATION.sub("", folded)).casefold()


_BY_SPELLING = {_key(s) or s: verb for verb in VERBS for s in verb.spellings}


def parse(line: str) -> Command | None:
    """The command that a whole line is, or ``None``."""
    if len(line) > 200:
        return None
    key = _key(line)
    verb = _BY_SPELLING.get(key)
    if verb is not None:
        return Command(verb.name, "", line.strip())
    for spelling, verb in _BY_SPELLING.items():
        if verb.argument and key.startswith(spelling + " ") and spelling.isascii():
            rest = key[len(spelling) + 1 :].strip()
            if re.fullmatch(verb.argument, rest) and spelling == verb.spellings[0]:
                return Command(verb.name, rest, line.strip())
    return None


def find_commands(lines: Sequence[str]) -> tuple[list[Command], list[str]]:
    """The commands among ``lines``, in order, and the lines that are none."""
    found, rest = [], []
    for line in lines:
        command = parse(line)
        if command is None:
            rest.append(line)
        else:
            found.append(command)
    return found, rest
