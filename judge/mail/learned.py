"""What a first mail tells of its writer besides what it says: the language they read, the time zone they live in.

Guesses, for somebody of whom nothing else is known; the answer names them, and how to set them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parsedate_to_datetime

from judge.mail.hashing import HEADER_OCTETS
from judge.mail.mime import parse

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
#: characters that one of the two ways to write Chinese has and the other has not, common in mails like these
_TRADITIONAL = frozenset(
    "遊戲戰國語請認證這個們來對說開關與為無時間區設參觀還長門書電郵軍隊萬歲號幫麼樣點後單從實應該讓給發嗎條張義奧羅員聯總報導線爾"
)
_SIMPLIFIED = frozenset(
    "游戏战国语请认证这个们来对说开关与为无时间区设参观还长门书电邮军队万岁号帮么样点后单从实应该让给发吗条张义奥罗员联总报导线尔"
)
#: Japanese writes these as Simplified Chinese does
_JAPANESE_TOO = frozenset("国来区参万号点条奥与")
_ONLY_TRADITIONAL, _ONLY_SIMPLIFIED = _TRADITIONAL - _SIMPLIFIED, _SIMPLIFIED - _TRADITIONAL - _JAPANESE_TOO
#: charsets that one language alone is written in
_CHARSETS: Mapping[str, str] = {
    **dict.fromkeys(("iso-2022-jp", "iso-2022-jp-2", "shift_jis", "shift-jis", "sjis", "x-sjis", "cp932", "windows-31j",
                     "euc-jp", "x-euc-jp"), "ja"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "hz-gb-2312", "cp936", "x-gbk", "euc-cn"), "zh-Hans"),
    **dict.fromkeys(("big5", "big5-hkscs", "cp950", "x-big5"), "zh-Hant"),
}  # fmt: skip
#: minutes that clocks in Japan are ahead of UTC
_JAPAN = 540
#: where most people live who write a language, if the clock of their mail agrees
_ZONES: Mapping[tuple[str, int], str] = {
    ("ja", _JAPAN): "Asia/Tokyo",
    ("zh-Hans", 480): "Asia/Shanghai",
    ("zh-Hant", 480): "Asia/Taipei",
}
#: offsets from UTC in minutes that are no whole hours, each of one zone without summer time
_ODD_ZONES: Mapping[int, str] = {
    210: "Asia/Tehran", 270: "Asia/Kabul", 330: "Asia/Kolkata", 345: "Asia/Kathmandu", 390: "Asia/Yangon",
    570: "Australia/Darwin", -570: "Pacific/Marquesas",
}  # fmt: skip


def language_of(raw: bytes, own_words: str) -> str:
    """The language of a mail, of those that the judge writes: ``en``, ``ja``, ``zh-Hans``, ``zh-Hant``.

    By its words if they are not written as English is; else by what its headers say (Content-Language, the charset).
    """
    root = parse(raw[:HEADER_OCTETS]).root
    charsets = [part.params.get("charset", "").lower() for part in (root, *root.children)]
    by_charset = next((_CHARSETS[one] for one in charsets if one in _CHARSETS), None)
    said = _tagged(root.header("content-language"))
    if _KANA.search(own_words):
        return "ja"
    if _HAN.search(own_words):
        letters = set(own_words)
        traditional, simplified = len(letters & _ONLY_TRADITIONAL), len(letters & _ONLY_SIMPLIFIED)
        if traditional != simplified:
            return "zh-Hant" if traditional > simplified else "zh-Hans"
        told = by_charset or (said if said != "en" else None)
        return told or ("ja" if _offset(root.header("date")) == _JAPAN else "zh-Hans")
    return said or by_charset or "en"


def _tagged(header: str) -> str | None:
    """The language of a Content-Language header (RFC 3282), if it is one of ours."""
    for tag in header.lower().replace("_", "-").split(",")[:5]:
        name, *rest = tag.strip().split("-")
        if name == "zh":
            return "zh-Hant" if {"hant", "tw", "hk", "mo"} & set(rest) else "zh-Hans"
        if name in ("ja", "en"):
            return name
    return None


def zone_of(raw: bytes, language: str) -> str:
    """The time zone that a mail's Date speaks of, as far as an offset can tell: a name of the zone database.

    One that keeps the offset all the year round, since the offset alone does not tell whose summer time it is.
    """
    minutes = _offset(parse(raw[:HEADER_OCTETS]).root.header("date"))
    if minutes == 0:
        return "UTC"
    if minutes % 60:
        return _ODD_ZONES.get(minutes, "UTC")
    # POSIX counts to the west
    return _ZONES.get((language, minutes)) or f"Etc/GMT{-minutes // 60:+d}"


def _offset(date: str) -> int:
    """The offset from UTC that a Date header has, in minutes; 0 too where it has none that any place on earth has."""
    try:
        offset = parsedate_to_datetime(date[:100]).utcoffset()
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0
    if offset is None or not timedelta(hours=-12) <= offset <= timedelta(hours=14):
        return 0
    return int(offset.total_seconds()) // 60
