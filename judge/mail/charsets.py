"""Bytes to text by whatever charset a mail claims: the web's aliases, strictly, then what the bytes look like.

Orders are ASCII in every one of these charsets, so a wrong guess costs an accent, never an order. Nothing here raises.
"""

from __future__ import annotations

import codecs
import re

#: what a label means in practice (as browsers read it): the larger set that the program really used
_ALIASES = {
    "": "", "us-ascii": "", "ascii": "", "ansi_x3.4-1968": "", "unknown-8bit": "", "x-unknown": "", "default": "",
    "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-8mb4": "utf-8", "cp65001": "utf-8", "utf-16": "utf-16",
    "unicode": "utf-16", "ucs-2": "utf-16", "unicode-1-1-utf-7": "utf-7", "utf7": "utf-7",
    "iso-8859-1": "cp1252", "latin1": "cp1252", "iso8859-1": "cp1252", "iso_8859-1": "cp1252", "l1": "cp1252",
    "windows-1252": "cp1252", "ansi": "cp1252", "x-ansi": "cp1252", "x-cp1252": "cp1252",
    "iso-8859-9": "cp1254", "latin5": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "windows-874": "cp874",
    "iso-8859-8-i": "iso8859-8", "iso-8859-6-i": "iso8859-6", "macintosh": "mac_roman", "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic", "koi8": "koi8_r", "x-koi8-r": "koi8_r",
    "gb2312": "gb18030", "gb_2312-80": "gb18030", "gb2312-80": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030",
    "cp936": "gb18030", "csgb2312": "gb18030", "euc-cn": "gb18030", "x-euc-cn": "gb18030", "hz-gb-2312": "hz",
    "big5": "cp950", "x-big5": "cp950", "cn-big5": "cp950", "csbig5": "cp950", "big5-hkscs": "big5hkscs",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932",
    "windows-31j": "cp932", "csshiftjis": "cp932", "ms932": "cp932",
    "euc-jp": "euc_jp", "x-euc-jp": "euc_jp", "x-euc": "euc_jp", "cp51932": "euc_jp",
    "iso-2022-jp": "iso2022_jp_ext", "csiso2022jp": "iso2022_jp_ext", "iso-2022-jp-ms": "iso2022_jp_ext",
    "cp50220": "iso2022_jp_ext", "cp50221": "iso2022_jp_ext", "iso-2022-jp-1": "iso2022_jp_ext",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "ks_c_5601": "cp949", "korean": "cp949", "windows-949": "cp949",
}  # fmt: skip
#: where the first codec fails on characters of its vendors, these may know them
_SECOND = {
    "iso2022_jp_ext": ("iso2022_jp_2004", "iso2022_jp_3"),
    "euc_jp": ("eucjis_2004", "eucjisx0213"),
    "cp950": ("big5hkscs",),
    "cp932": ("shift_jis_2004",),
}
#: codecs of Python that are no charset: they would compute, not decode
_NO_CHARSET = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem"})
_LABEL = re.compile(r"[a-z0-9_.:+-]{1,40}\Z")
_CP1252 = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(256))
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
#: shifts of ISO-2022-JP into its two-byte sets
_ESCAPED = re.compile(rb"\x1b\$[@B]|\x1b\$\([DQP]")
_EUC_PAIR = re.compile(rb"[\xa1-\xfe][\xa1-\xfe]")
_EUC_KANA = re.compile(rb"\xa4[\xa1-\xf3]|\xa5[\xa1-\xf6]")
_SJIS_LEAD = re.compile(rb"[\x81-\x9f\xe0-\xef][\x40-\x7e\x80-\xfc]")
_SJIS_KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x7e\x80-\x96]")
_BIG5_PAIR = re.compile(rb"[\xa1-\xf9][\x40-\x7e\xa1-\xfe]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes, label: str = "") -> str:
    """``data`` as text. ``label`` is the charset that the mail names; empty or nonsense means unknown."""
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return data[len(codecs.BOM_UTF8) if codec == "utf-8" else 0 :].decode(codec, "replace")
    codec = _codec(label)
    if _ESCAPED.search(data) and not codec.startswith("iso2022"):
        codec = "iso2022_jp_ext"  # nothing else has these sequences in it, whatever the label says
    if codec == "utf-16" and data.count(0) * 4 < len(data):
        codec = ""  # the label lies: ASCII in UTF-16 is half zeros
    if codec == "utf-16":
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    if codec == "cp1252":
        return _cp1252(data) if _western(data) else _guess(data, codec)
    for name in (codec, *_SECOND.get(codec, ())):
        if name:
            try:
                return data.decode(name)
            except (UnicodeError, LookupError, ValueError):
                continue
    if codec.startswith("iso2022") and _ESCAPED.search(data):
        # only the bad characters: any other charset would show every escape sequence as letters
        return data.decode("iso2022_jp", "replace")
    guessed = _guess(data, codec)
    if codec.startswith("iso2022_jp") and guessed == _cp1252(data):
        try:  # no escape sequence and no other sign: the label lies about the form alone, and it is the Japanese of Windows
            return data.decode("cp932")
        except UnicodeError:
            pass
    return guessed


def _codec(label: str) -> str:
    name = label.strip().strip("\"'").lower()
    if not _LABEL.match(name):
        return ""
    if name in _ALIASES:
        return _ALIASES[name]
    name = name.replace("windows-", "cp") if re.match(r"windows-\d+\Z", name) else name
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    text = bool(getattr(found, "_is_text_encoding", False)) and found.name.replace("-", "_") not in _NO_CHARSET
    return found.name if text else ""


def _cp1252(data: bytes) -> str:
    # five bytes are undefined there; browsers show them as the C1 control of that number
    return codecs.charmap_decode(data, "replace", _CP1252)[0]


def _western(data: bytes) -> bool:
    """Whether a label of Western Europe may be believed: such text has its high bytes one by one, and is no UTF-8."""
    runs = [len(run) for run in _HIGH_RUN.findall(data[:20_000])]
    if not runs:
        return True
    long = sum(n for n in runs if n >= 4)
    return long * 2 <= sum(runs) and not _kana(data) and not (max(runs) > 1 and _is_utf8(data))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeError:
        return False
    return True


def _guess(data: bytes, tried: str) -> str:
    """Text without a usable label: UTF-8 if it is; else Japanese or Chinese by the bytes they are made of; else Western."""
    if tried != "utf-8":
        try:
            return data.decode("utf-8")
        except UnicodeError:
            pass
    runs = [len(run) for run in _HIGH_RUN.findall(data[:20_000])]
    if tried == "utf-8" and sum(n >= 2 for n in runs) * 10 > len(runs) * 9:
        mended = data.decode("utf-8", "replace")
        # a cut or flipped byte in good UTF-8 leaves nearly all of it good
        if mended.count("\ufffd") * 10 < sum(runs) / 2:
            return mended
    for codec in (_kana(data), *_chinese(data)):
        if codec:
            try:
                return data.decode(codec)
            except UnicodeError:
                continue
    return _cp1252(data)


def _kana(data: bytes) -> str:
    """The charset in which ``data`` has Japanese kana, or nothing. Rows 4 and 5 of the Chinese set hold kana too, but no
    Chinese text is made of them."""
    start = data[:20_000]
    pairs = len(_EUC_PAIR.findall(start))
    if pairs >= 4 and len(_EUC_KANA.findall(start)) * 4 >= pairs:
        return "euc_jp"
    found = len(_SJIS_KANA.findall(start))
    return "cp932" if found >= 4 and found * 4 >= len(_SJIS_LEAD.findall(start)) else ""


def _chinese(data: bytes) -> tuple[str, ...]:
    """The Chinese charsets to try: high bytes stand in pairs with the lead bytes of common characters (accented letters
    have later ones). Traditional text in Big5 has second bytes that GB 2312 has not."""
    pairs = _BIG5_PAIR.findall(data[:20_000])
    common = sum(0xA4 <= pair[0] <= 0xC6 for pair in pairs)
    low = sum(pair[1] < 0x80 for pair in pairs)
    if len(pairs) >= 4 and common * 10 >= len(pairs) * 7 and low * 5 >= len(pairs):
        return ("cp950", "gb18030")
    leads = [run[0] for run in _HIGH_RUN.findall(data[:20_000]) if len(run) >= 2]
    common = sum(0xA1 <= lead <= 0xD7 for lead in leads)
    return ("gb18030",) if common * 2 > len(leads) and len(leads) * 2 > len(_HIGH_RUN.findall(data[:20_000])) else ()
